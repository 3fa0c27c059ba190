//! Nearest neighbours on the UCI handwritten digits, with the Gram matrix distributed over ranks.
//!
//! Same task as the example `digits` of `static-layout`: each of 1797 images is classified by its
//! nearest neighbour among all others, `|a - b|^2 = a.a + b.b - 2 a.b`. Rank 0 reads the samples and
//! scatters them as rows and, transposed, as columns. The Gram matrix is a product on a grid of
//! ranks. It is then resharded to whole rows, so that each rank finds the neighbours of its own
//! samples.
//!
//! `cargo build --release --examples && mpirun -n 4 target/release/examples/digits`

use std::error::Error;
use std::time::Instant;

use mpi::collective::SystemOperation;
use mpi::traits::{Communicator, CommunicatorCollectives, Root};
use static_layout::layout;
use static_layout_mpi::{Blocks, Cores, DistributedTensor, gemm};

/// Number of pixels of an image.
const FEATURES: usize = 64;

fn main() -> Result<(), Box<dyn Error>> {
    let universe = mpi::initialize().ok_or("MPI is initialised once")?;
    let world = universe.world();
    let (rank, ranks) = (world.rank(), usize::try_from(world.size())?);
    // Rank 0 reads the data. All ranks need the number of samples.
    let (mut samples, mut labels) = (Vec::new(), Vec::new());
    if rank == 0 {
        // 64 pixels from 0 to 16 per image, and one label per image.
        let pixels = include_bytes!("../../examples/data/digits_x.u8");
        samples = pixels.map(f32::from).to_vec();
        labels = include_bytes!("../../examples/data/digits_y.u8").to_vec();
    }
    let mut count = labels.len() as u64;
    world.process_at_rank(0).broadcast_into(&mut count);
    let count = usize::try_from(count)?;
    labels.resize(count, 0);
    world.process_at_rank(0).broadcast_into(&mut labels[..]);

    // The grid closest to a square.
    let rows = (1..=ranks).filter(|r| ranks % r == 0 && r * r <= ranks).max().unwrap_or(1);
    let grid = [rows, ranks / rows];
    let cores = Cores::row_major(&world, ranks)?;
    let start = Instant::now();
    let a = Blocks::even([count, FEATURES], grid)?;
    let a = DistributedTensor::scatter(&cores, a, 0, layout!((count, 64):(64, 1)), &samples)?;
    let b = Blocks::even([FEATURES, count], grid)?;
    let b = DistributedTensor::scatter(&cores, b, 0, layout!((64, count):(1, 64)), &samples)?;
    let mut gram = DistributedTensor::zeros(&cores, Blocks::even([count, count], grid)?)?;
    gemm(1.0, &a, &b, 0.0, &mut gram)?;
    let gram = gram.reshard(Blocks::even([count, count], [ranks, 1])?)?;
    let seconds = start.elapsed().as_secs_f64();

    // Each rank has whole rows. The squared norms are on the diagonal, distributed over the ranks.
    let row = |i: usize| gram.get(&[i, 0]).is_some();
    let own: Vec<usize> = (0..count).filter(|&i| row(i)).collect();
    let part: Vec<f32> = (0..count).map(|i| gram.get(&[i, i]).copied().unwrap_or(0.0)).collect();
    let mut norms = vec![0f32; count];
    world.all_reduce_into(&part[..], &mut norms[..], SystemOperation::sum());
    let block = gram.core(usize::try_from(rank)?).ok_or("a core on each rank")?;
    let agrees = |&(i, products): &(usize, &[f32])| {
        let distance = |j: usize| norms[i] + norms[j] - 2.0 * products[j];
        let nearest =
            (0..count).filter(|&j| j != i).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        nearest.is_some_and(|j| labels[j] == labels[i])
    };
    let rows = own.iter().copied().zip(block.chunks_exact(count));
    let right = rows.filter(agrees).count() as u64;
    let mut all = 0u64;
    world.all_reduce_into(&right, &mut all, SystemOperation::sum());
    if rank == 0 {
        println!(
            "Gram matrix {count} x {count} on a grid of {} x {}: {seconds:.4} s",
            grid[0], grid[1]
        );
        println!("{all}/{count} correct");
        assert_eq!((all, count), (1776, 1797));
    }
    Ok(())
}
