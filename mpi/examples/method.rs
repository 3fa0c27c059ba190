//! Derived datatypes against packing with `copy`: a message between two ranks, for different lengths
//! of contiguous runs in the layouts of both ends. The threshold of `Method::of` comes from this
//! measurement.
//!
//! `cargo build --release --examples && mpirun -n 2 target/release/examples/method`

use std::error::Error;
use std::time::Instant;

use mpi::traits::{Communicator, CommunicatorCollectives};
use static_layout::{DynLayout, Tensor};
use static_layout_mpi::{Method, receive, send};

const TIMES: usize = 15;

fn main() -> Result<(), Box<dyn Error>> {
    let universe = mpi::initialize().ok_or("MPI is initialised once")?;
    let world = universe.world();
    let rank = world.rank();
    if world.size() < 2 {
        return Err("two ranks, please".into());
    }
    if rank == 0 {
        println!(
            "{:<26}{:>9}{:>12}{:>12}{:>10}",
            "layout of f32", "run", "datatype", "packed", "ratio"
        );
    }
    // 64 KB, 1 MB and 16 MB.
    for elements in [1usize << 14, 1 << 18, 1 << 22] {
        let runs = [1usize, 4, 16, 64, 128, 256, 512, 1024, 4096];
        let mut layouts: Vec<(usize, DynLayout)> = Vec::new();
        for run in runs {
            let count = elements / run;
            layouts.push((run, DynLayout::strided(&[run, count], &[1, run + 16])?));
        }
        // Rows sent as columns: a transpose.
        let side = 1usize << (elements.ilog2() / 2);
        layouts.push((1, DynLayout::strided(&[side, elements / side], &[elements / side, 1])?));
        layouts.push((elements, DynLayout::strided(&[elements], &[1])?));
        for (run, layout) in layouts {
            let mut seconds = [f64::INFINITY; 2];
            let mut tensor = Tensor::full_in(layout, 1f32)?;
            for (method, best) in [Method::Datatype, Method::Packed].into_iter().zip(&mut seconds) {
                for _ in 0..TIMES {
                    world.barrier();
                    let start = Instant::now();
                    // Round trip, so that both ends count.
                    if rank == 0 {
                        send(&world, &tensor, 1, 0, method)?;
                        receive(&world, &mut tensor, 1, 0, method)?;
                    } else if rank == 1 {
                        receive(&world, &mut tensor, 0, 0, method)?;
                        send(&world, &tensor, 0, 0, method)?;
                    }
                    *best = best.min(start.elapsed().as_secs_f64() / 2.0);
                }
            }
            if rank == 0 {
                let [datatype, packed] = seconds.map(|s| (elements * 4) as f64 / s / 1e9);
                let ratio = datatype / packed;
                let chosen = Method::of(&layout, size_of::<f32>());
                println!(
                    "{layout:<26}{:>7} B{datatype:>7.2} GB/s{packed:>7.2} GB/s{ratio:>10.2}  {chosen:?}",
                    run * 4
                );
            }
        }
    }
    Ok(())
}
