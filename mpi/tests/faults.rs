//! Mistakes of ranks: the same error on all ranks before any data moves, and never a hang.

mod common;

use common::{fails_on_ranks, on_ranks};
use mpi::topology::{Rank, SimpleCommunicator};
use mpi::traits::{Communicator, CommunicatorCollectives};
use static_layout::devices::Placement;
use static_layout::error::PlacementError;
use static_layout::{DynLayout, LayoutError};
use static_layout_mpi::{Blocks, Cores, DistributedTensor, Error, Exchange, Method, einsum, gemm};

/// Placement of the rows of a matrix on `cores` cores.
fn rows(shape: [usize; 2], cores: usize) -> Placement {
    let m = shape[0].div_ceil(cores);
    Placement::builder(&shape, m * shape[1], cores)
        .and_then(|b| b.dimension(shape[0], &[1, 0])?.piece(m)?.leaf(m, shape[1])?.piece(cores))
        .and_then(|b| b.core_leaf(cores, 1)?.dimension(shape[1], &[0, 1])?.piece(shape[1]))
        .and_then(|b| b.leaf(shape[1], 1)?.build())
        .unwrap()
}

/// Asserts that all ranks have the same error.
fn all_have<T>(world: &SimpleCommunicator, result: Result<T, Error>, wanted: &str) {
    let text = result.err().expect("an error").to_string();
    assert!(text.contains(wanted), "rank {}: {text}", world.rank());
    let mut padded = [0u8; 4096];
    padded[..text.len()].copy_from_slice(text.as_bytes());
    let mut all = vec![0u8; 4096 * world.size() as usize];
    world.all_gather_into(&padded[..], &mut all[..]);
    assert!(all.chunks(4096).all(|other| other == padded), "the same text on all ranks");
}

#[test]
fn ranks_that_disagree_have_the_same_error() {
    on_ranks("ranks_that_disagree_have_the_same_error", &[2, 3, 6], |world| {
        let odd = world.rank() == world.size() - 1;
        let cores = Cores::shared(world, 4).unwrap();
        let shape = if odd { [8, 5] } else { [8, 6] };
        let new = DistributedTensor::<f32, _>::zeros(&cores, rows(shape, 4));
        all_have(world, new.map(|_| ()), "the placement differs: rank 0 has `(8,6) by");
        // Different element types.
        let result = if odd {
            DistributedTensor::<f32, _>::zeros(&cores, rows([8, 6], 4)).map(|_| ())
        } else {
            DistributedTensor::<i32, _>::zeros(&cores, rows([8, 6], 4)).map(|_| ())
        };
        all_have(world, result, "the element type differs: rank 0 has `i32`, rank");
        // Different placements of a reshard, transfer methods, and calls.
        let tensor =
            DistributedTensor::from_fn(&cores, rows([8, 6], 4), |at| at[0] as f32).unwrap();
        let to = rows([8, 6], if odd { 2 } else { 3 });
        all_have(world, tensor.reshard(to), "the placement afterwards differs");
        let method = if odd { Method::Packed } else { Method::Datatype };
        let exchange = Exchange { method, ..Exchange::default() };
        all_have(world, tensor.reshard_with(&cores, to, exchange), "differs");
        let layout = DynLayout::parse("(8,6):(6,1)").unwrap();
        let result = if odd {
            tensor.gather(0, layout).map(|_| ())
        } else {
            tensor.reshard(rows([8, 6], 2)).map(|_| ())
        };
        all_have(world, result, "the call differs: rank 0 has `reshard`");
        all_have(world, tensor.gather(Rank::from(odd), layout), "the root differs");
        // An error on one rank is an error on all ranks.
        let shape = if odd { [8, 5] } else { [8, 6] };
        let expected = format!("rank {}: reshard: source shape (8,6) is not", world.size() - 1);
        all_have(world, tensor.reshard(rows(shape, 2)), &expected);
        let map = if odd { vec![0, 0, 0, 1] } else { vec![0, 0, 1, 1] };
        all_have(world, Cores::on(world, &map).map(|_| ()), "the ranks of the cores differs");
        // Later calls still work.
        let again = tensor.reshard(rows([8, 6], 2)).unwrap();
        assert!(again.get(&[7, 5]).is_none_or(|&x| x == 7.0));
    });
}

#[test]
fn what_has_no_room_is_refused() {
    on_ranks("what_has_no_room_is_refused", &[1, 4], |world| {
        let ranks = world.size() as usize;
        let few = Cores::row_major(world, ranks + 1).unwrap_err();
        assert_eq!(few, Error::TooFewRanks { cores: ranks + 1, ranks });
        let outside = Cores::on(world, &[0, ranks as Rank]).unwrap_err();
        assert_eq!(outside, Error::NoSuchRank { core: 1, rank: ranks as Rank, ranks });
        let cores = Cores::shared(world, 4).unwrap();
        let many = DistributedTensor::<f32, _>::zeros(&cores, rows([8, 6], 5));
        all_have(world, many.map(|_| ()), "the placement has 5 cores, and 4 have a rank");
        let tensor = DistributedTensor::<f32, _>::zeros(&cores, rows([8, 6], 4)).unwrap();
        all_have(world, tensor.reshard(rows([6, 8], 4)), "is not destination shape");
        let shared = DynLayout::parse("(8,6):(1,1)").unwrap();
        all_have(world, tensor.gather(0, shared), "share a slot");
        let layout = DynLayout::parse("(8,6):(6,1)").unwrap();
        let short = DistributedTensor::scatter(&cores, rows([8, 6], 4), 0, layout, &[0.0; 47]);
        all_have(world, short, "47");
        // Products.
        let blocks = |matrix, grid| {
            DistributedTensor::<f32, _>::zeros(&cores, Blocks::even(matrix, grid).unwrap()).unwrap()
        };
        let [a, b] = [blocks([8, 6], [2, 2]), blocks([7, 4], [2, 2])];
        let mut c = blocks([8, 4], [2, 2]);
        let inner = "gemm: A is (8,6) but B is (7,4)";
        let other = blocks([6, 4], [4, 1]);
        all_have(world, gemm(1.0, &a, &b, 0.0, &mut c), inner);
        let grids = if ranks == 4 { "the grids of A and B: 2 x 2 and 4 x 1" } else { "the grids" };
        all_have(world, gemm(1.0, &a, &other, 0.0, &mut c), grids);
        let batch = einsum("ij,ij->ij", &a, &a, [2, 2], rows([8, 6], 4));
        all_have(world, batch, "`ij,ij->ij` is not a product of two matrices: letter i is a batch");
        let differs = einsum("ij,jk->ik", &a, &b, [2, 2], rows([8, 4], 4));
        all_have(world, differs, "letter j is 6 in A but 7 in B");
        if ranks == 1 {
            // Tensors may have four cores on one rank, but a product needs one rank per core.
            let b = blocks([6, 4], [2, 2]);
            let few = gemm(1.0, &a, &b, 0.0, &mut c).unwrap_err();
            assert!(few.to_string().contains("4 cores need a rank each"), "{few}");
        }
        let slots = Placement::of_layout(&DynLayout::parse("(4,4):(1,1)").unwrap()).unwrap();
        let slots = DistributedTensor::<f32, _>::zeros(&cores, slots).unwrap_err();
        let wanted = LayoutError::Placement(PlacementError::SharedSlot { elements: 16 });
        assert_eq!(slots, Error::Layout(wanted));
    });
}

#[test]
fn a_panic_on_one_rank_ends_all() {
    let texts = ["rank 1: the closure of from_fn panicked: a bad coordinate", "all ranks stop"];
    fails_on_ranks("a_panic_on_one_rank_ends_all", 3, &texts, |world| {
        let cores = Cores::row_major(world, 3).unwrap();
        let rank = world.rank();
        let tensor = DistributedTensor::from_fn(&cores, rows([9, 4], 3), |at| {
            assert!(rank != 1 || at[1] < 2, "a bad coordinate");
            at[0] as f64
        });
        // The other ranks wait for the one that panicked.
        let _ = tensor.unwrap().reshard(rows([9, 4], 2));
        world.barrier();
    });
}
