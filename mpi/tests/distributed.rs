//! Distributed tensors against the same tensors in one memory: random placements, all reshard methods.

mod common;

use common::{RANKS, Random, on_ranks};
use mpi::topology::{Rank, SimpleCommunicator};
use mpi::traits::Communicator;
use static_layout::devices::{AnyPlacement, Fill, Placement};
use static_layout::kernels::copy;
use static_layout::{DynLayout, IntTuple, PlacedTensor, Tensor};
use static_layout_mpi::{Blocks, Cores, DistributedTensor, Element, Exchange, Method};

/// A placement whose padding is filled.
#[derive(Clone, Copy)]
struct Filled(Placement);

impl AnyPlacement for Filled {
    type Fallibility = static_layout::AtRunTime;

    fn placement(&self) -> Placement {
        self.0
    }

    fn fill(&self) -> Fill {
        Fill::Inf
    }
}

fn value(at: &[usize]) -> i32 {
    at.iter().fold(1, |value, &x| value * 100 + x as i32)
}

/// Asserts that the buffers of the cores on this rank equal those of the tensor in one memory,
/// including padding.
fn same<T: Element, P: AnyPlacement + Copy>(
    spread: &DistributedTensor<'_, T, P>,
    whole: &PlacedTensor<T, P>,
    what: &str,
) {
    for &core in spread.cores().own() {
        if core < whole.placement().placement().cores() {
            assert_eq!(spread.core(core).unwrap(), whole.core(core), "{what}: core {core}");
        }
    }
}

/// A random map of cores to ranks: one core per rank if there are enough ranks, equal parts, or
/// arbitrary.
fn cores(world: &SimpleCommunicator, random: &mut Random, count: usize) -> Cores {
    let ranks = world.size() as usize;
    match random.number(0, 2) {
        0 if count <= ranks => Cores::row_major(world, count),
        1 => Cores::shared(world, count),
        _ => {
            let map: Vec<Rank> = (0..count).map(|_| random.number(0, ranks - 1) as Rank).collect();
            Cores::on(world, &map)
        }
    }
    .unwrap()
}

#[test]
fn reshards_are_those_of_one_memory() {
    on_ranks("reshards_are_those_of_one_memory", &RANKS, |world| {
        let mut random = Random::new(7);
        for case in 0..60 {
            let shape = random.shape();
            let [from, to] = [0, 1].map(|_| random.placement(&shape, 9));
            let [sources, targets] = [from, to].map(|p| cores(world, &mut random, p.cores()));
            let what = format!("case {case}: {from:?} to {to:?}");
            let spread = DistributedTensor::from_fn(&sources, Filled(from), value).unwrap();
            same(&spread, &PlacedTensor::from_fn_in(Filled(from), value).unwrap(), &what);
            let whole = PlacedTensor::from_fn_in(Filled(to), value).unwrap();
            let exchanges = [
                Exchange::default(),
                Exchange { method: Method::Packed, ..Exchange::default() },
                Exchange { method: Method::Datatype, ..Exchange::default() },
            ];
            let small = [Method::Packed, Method::Datatype, Method::Auto]
                .map(|method| Exchange { method, limit: random.number(2, 9) });
            for exchange in exchanges.into_iter().chain(small) {
                let moved = spread.reshard_with(&targets, Filled(to), exchange).unwrap();
                same(&moved, &whole, &format!("{what} by {exchange:?}"));
            }
            // Into an existing tensor with other elements.
            let mut there = DistributedTensor::from_fn(&targets, Filled(to), |_| 0).unwrap();
            spread.reshard_into(&mut there, Exchange::default()).unwrap();
            same(&there, &whole, &what);
            // On the same cores, if there are enough.
            if to.cores() <= sources.len() {
                same(&spread.reshard(Filled(to)).unwrap(), &whole, &what);
            }
        }
    });
}

#[test]
fn whole_tensors_are_scattered_and_gathered() {
    on_ranks("whole_tensors_are_scattered_and_gathered", &RANKS, |world| {
        let mut random = Random::new(11);
        for case in 0..40 {
            let shape = random.shape();
            let placement = random.placement(&shape, 9);
            let cores = cores(world, &mut random, placement.cores());
            let root = random.number(0, world.size() as usize - 1) as Rank;
            let tuple = IntTuple::flat(&shape).unwrap();
            let [rows, columns] =
                [DynLayout::row_major(&tuple).unwrap(), DynLayout::make(&tuple).unwrap()];
            let data = |layout: DynLayout| {
                Tensor::from_fn_in(layout, |c: IntTuple| value(c.leaves())).unwrap()
            };
            let what = format!("case {case}: {placement:?} from {root}");
            let source = if cores.rank() == root { data(rows).as_slice().to_vec() } else { vec![] };
            let spread =
                DistributedTensor::scatter(&cores, Filled(placement), root, rows, &source).unwrap();
            let mut whole = PlacedTensor::zeros_in(Filled(placement)).unwrap();
            copy(&data(rows), &mut whole).unwrap();
            same(&spread, &whole, &what);
            let back = spread.gather(root, columns).unwrap();
            assert_eq!(back.is_some(), cores.rank() == root, "{what}");
            if let Some(back) = back {
                assert_eq!(back.as_slice(), data(columns).as_slice(), "{what}");
            }
            let zeros = DistributedTensor::<i32, _>::zeros(&cores, Filled(placement)).unwrap();
            let zeros = zeros.gather(root, rows).unwrap();
            assert!(zeros.is_none_or(|zeros| zeros.as_slice().iter().all(|&x| x == 0)), "{what}");
        }
    });
}

#[test]
fn elements_are_found_where_they_are() {
    on_ranks("elements_are_found_where_they_are", &[3], |world| {
        let mut random = Random::new(5);
        let placement = random.placement(&[5, 7], 6);
        let cores = Cores::shared(world, placement.cores()).unwrap();
        let mut spread = DistributedTensor::from_fn(&cores, placement, value).unwrap();
        let mut found = 0;
        placement.region().for_each(|at| {
            let here = cores.own().contains(&placement.slot(at).unwrap().core);
            assert_eq!(spread.get(at).copied(), here.then(|| value(at)));
            found += usize::from(here);
        });
        let own = placement.region().size();
        assert!(found <= own && spread.get(&[5, 0]).is_none());
        for &core in cores.own() {
            spread.core_mut(core).unwrap().fill(7);
            assert!(spread.core(core).unwrap().iter().all(|&x| x == 7));
        }
        assert_eq!(spread.placement(), placement);
    });
}

/// A Cartesian communicator numbers its ranks as a grid numbers its cores.
#[test]
fn cores_are_the_ranks_of_a_cartesian_communicator() {
    on_ranks("cores_are_the_ranks_of_a_cartesian_communicator", &[6], |world| {
        let grid = world.create_cartesian_communicator(&[2, 3], &[false, false], true).unwrap();
        let cores = Cores::row_major(&grid, 6).unwrap();
        let blocks = Blocks::even([10, 9], [2, 3]).unwrap();
        let spread = DistributedTensor::from_fn(&cores, blocks, value).unwrap();
        let at = grid.rank_to_coordinates(grid.rank());
        let first = [5 * at[0] as usize, 3 * at[1] as usize];
        assert_eq!(spread.get(&first), Some(&value(&first)));
        assert_eq!(cores.own(), [grid.rank() as usize]);
    });
}
