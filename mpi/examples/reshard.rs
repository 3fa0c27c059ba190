//! Reshards a 4096 x 4096 `f32` matrix from blocks of rows to blocks of columns. Compares the
//! bandwidth with an `Alltoallv` of the same bytes, which only moves them between contiguous buffers,
//! without changing the layout.
//!
//! `cargo build --release --examples && mpirun -n 4 target/release/examples/reshard`

use std::error::Error;
use std::time::Instant;

use mpi::datatype::{Partition, PartitionMut};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives};
use static_layout_mpi::{Blocks, Cores, DistributedTensor, Exchange, Method};

const SIDE: usize = 4096;
const TIMES: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let universe = mpi::initialize().ok_or("MPI is initialised once")?;
    let world = universe.world();
    let ranks = usize::try_from(world.size())?;
    let cores = Cores::row_major(&world, ranks)?;
    let value = |at: &[usize]| (at[0] * SIDE + at[1]) as f32;
    let rows = Blocks::even([SIDE, SIDE], [ranks, 1])?;
    let columns = Blocks::even([SIDE, SIDE], [1, ranks])?;
    let rows = DistributedTensor::from_fn(&cores, rows, value)?;

    let mut moved = rows.reshard(columns)?;

    let bytes = (SIDE * SIDE * size_of::<f32>()) as f64;
    // Each rank keeps its diagonal block.
    let sent = bytes * (ranks - 1) as f64 / ranks as f64;
    let print = |name: &str, seconds: f64| {
        if world.rank() == 0 {
            println!("{name:<28}{:>9.2} ms{:>9.2} GB/s", seconds * 1e3, sent / seconds / 1e9);
        }
    };
    if world.rank() == 0 {
        println!(
            "{SIDE} x {SIDE} f32 from {ranks} x 1 to 1 x {ranks}, {:.0} MB moved\n",
            sent / 1e6
        );
    }
    for method in [Method::Auto, Method::Packed, Method::Datatype] {
        let exchange = Exchange { method, ..Exchange::default() };
        let seconds = best(&world, || rows.reshard_into(&mut moved, exchange))?;
        print(&format!("reshard, {method:?}"), seconds);
    }
    for &core in cores.own() {
        let width = SIDE.div_ceil(ranks);
        let block = moved.core(core).ok_or("a block")?;
        for (i, row) in block.chunks(width).enumerate() {
            for (j, &found) in row.iter().enumerate() {
                let column = core * width + j;
                assert!(column >= SIDE || found == value(&[i, column]), "({i}, {column})");
            }
        }
    }
    // The same total bytes: the block that stays on its rank is copied too, as in a reshard.
    let each = SIDE * SIDE / (ranks * ranks);
    let counts = vec![i32::try_from(each)?; ranks];
    let starts: Vec<i32> = (0..ranks).map(|r| i32::try_from(r * each)).collect::<Result<_, _>>()?;
    let (from, mut to) = (vec![1f32; each * ranks], vec![0f32; each * ranks]);
    let seconds = best(&world, || {
        let from = Partition::new(&from[..], &counts[..], &starts[..]);
        let mut to = PartitionMut::new(&mut to[..], &counts[..], &starts[..]);
        world.all_to_all_varcount_into(&from, &mut to);
        Ok(())
    })?;
    print("Alltoallv", seconds);
    Ok(())
}

/// Best time of several runs. The time of a run is that of the slowest rank.
fn best(
    world: &SimpleCommunicator,
    mut run: impl FnMut() -> Result<(), static_layout_mpi::Error>,
) -> Result<f64, static_layout_mpi::Error> {
    let mut best = f64::INFINITY;
    for _ in 0..TIMES {
        world.barrier();
        let start = Instant::now();
        run()?;
        world.barrier();
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}
