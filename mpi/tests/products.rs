//! Distributed products against products in one memory.

mod common;

use common::{RANKS, Random, on_ranks};
use mpi::topology::SimpleCommunicator;
use mpi::traits::Communicator;
use static_layout::kernels;
use static_layout::{DynLayout, IntTuple, Tensor, layout};
use static_layout_mpi::{Blocks, Cores, DistributedTensor, einsum, gemm, gemm_split_k};

/// Small integers, so that sums are exact in any order.
fn left(at: &[usize]) -> f32 {
    at.iter().fold(3, |value, &x| value * 5 + x) as f32 % 7.0 - 3.0
}

fn right(at: &[usize]) -> f32 {
    at.iter().fold(1, |value, &x| value * 3 + x) as f32 % 5.0 - 2.0
}

fn whole(shape: &[usize], f: fn(&[usize]) -> f32) -> Tensor<f32, DynLayout> {
    let layout = DynLayout::row_major(&IntTuple::flat(shape).unwrap()).unwrap();
    Tensor::from_fn_in(layout, |c: IntTuple| f(c.leaves())).unwrap()
}

/// Grids with at most one core per rank.
fn grids(world: &SimpleCommunicator) -> Vec<[usize; 2]> {
    let ranks = world.size() as usize;
    let all = [[1, 1], [1, 2], [2, 1], [2, 2], [1, 3], [3, 1], [2, 3], [3, 2], [1, 6], [4, 1]];
    all.into_iter().filter(|[i, j]| i * j <= ranks).collect()
}

#[test]
fn products_are_those_of_one_memory() {
    on_ranks("products_are_those_of_one_memory", &RANKS, |world| {
        let mut random = Random::new(17);
        for grid in grids(world) {
            let cores = Cores::row_major(world, grid[0] * grid[1]).unwrap();
            for case in 0..6 {
                let [m, k, n] = [0, 1, 2].map(|_| random.number(1, 90));
                // A K that gives several panels per block.
                let k = if case == 0 { k + 600 } else { k };
                let what = format!("{m} x {k} x {n} on {grid:?}");
                let even = |matrix| Blocks::even(matrix, grid).unwrap();
                let a = DistributedTensor::from_fn(&cores, even([m, k]), left).unwrap();
                let b = DistributedTensor::from_fn(&cores, even([k, n]), right).unwrap();
                let mut c = DistributedTensor::from_fn(&cores, even([m, n]), left).unwrap();
                let mut wanted = whole(&[m, n], left);
                kernels::gemm(
                    2.0,
                    &whole(&[m, k], left),
                    &whole(&[k, n], right),
                    -1.0,
                    &mut wanted,
                )
                .unwrap();
                gemm(2.0, &a, &b, -1.0, &mut c).unwrap();
                let found = c.gather(0, wanted.layout()).unwrap();
                if let Some(found) = found {
                    assert_eq!(found.as_slice(), wanted.as_slice(), "{what}");
                }
            }
        }
    });
}

/// Blocks with static layouts in different notations: nested, row-major and column-major.
#[test]
fn static_blocks_are_multiplied() {
    on_ranks("static_blocks_are_multiplied", &[1, 4], |world| {
        let side = if world.size() == 4 { 2 } else { 1 };
        let cores = Cores::row_major(world, side * side).unwrap();
        let grid = [side, side];
        // The last blocks along each mode are padded. The padding must not contribute to the sums.
        let [m, k, n] = [24 * side - 1, 16 * side - 3, 32 * side - 5];
        let a = Blocks::new([m, k], grid, layout!((24,16):(16,1))).unwrap();
        let b = Blocks::new([k, n], grid, layout!((16,32):(1,16))).unwrap();
        let c = Blocks::new([m, n], grid, layout!((24,(8,4)):(8,(1,192)))).unwrap();
        let a = DistributedTensor::from_fn(&cores, a, left).unwrap();
        let mut b = DistributedTensor::from_fn(&cores, b, right).unwrap();
        let mut c = DistributedTensor::<f32, _>::zeros(&cores, c).unwrap();
        let last = side * side - 1;
        if let Some(block) = b.core_mut(last) {
            // Put NaN into a padded row of B.
            for column in 0..32 {
                block[15 + 16 * column] = f32::NAN;
            }
        }
        gemm(1.0, &a, &b, 0.0, &mut c).unwrap();
        let mut wanted = whole(&[m, n], |_| 0.0);
        kernels::gemm(1.0, &whole(&[m, k], left), &whole(&[k, n], right), 0.0, &mut wanted)
            .unwrap();
        if let Some(found) = c.gather(0, wanted.layout()).unwrap() {
            assert_eq!(found.as_slice(), wanted.as_slice());
        }
    });
}

#[test]
fn sums_are_split() {
    on_ranks("sums_are_split", &RANKS, |world| {
        let mut random = Random::new(23);
        for cores in [1, world.size() as usize, 2 * world.size() as usize + 1] {
            let shared = Cores::shared(world, cores).unwrap();
            let [m, k, n] = [random.number(1, 30), random.number(1, 200), random.number(1, 30)];
            let a = Blocks::even([m, k], [1, cores]).unwrap();
            let b = Blocks::even([k, n], [cores, 1]).unwrap();
            let a = DistributedTensor::from_fn(&shared, a, left).unwrap();
            let b = DistributedTensor::from_fn(&shared, b, right).unwrap();
            let found = gemm_split_k(3.0, &a, &b).unwrap();
            let mut wanted = Tensor::zeros_in(found.layout()).unwrap();
            kernels::gemm(3.0, &whole(&[m, k], left), &whole(&[k, n], right), 0.0, &mut wanted)
                .unwrap();
            assert_eq!(found.as_slice(), wanted.as_slice(), "{m} x {k} x {n} on {cores}");
        }
    });
}

#[test]
fn split_sums_need_both_blocks_on_one_rank() {
    on_ranks("split_sums_need_both_blocks_on_one_rank", &[2], |world| {
        let [first, second] = [[0, 1], [1, 0]].map(|ranks| Cores::on(world, &ranks).unwrap());
        let a = Blocks::even([3, 8], [1, 2]).unwrap();
        let b = Blocks::even([8, 3], [2, 1]).unwrap();
        let a = DistributedTensor::from_fn(&first, a, left).unwrap();
        let b = DistributedTensor::from_fn(&second, b, right).unwrap();
        let error = gemm_split_k(1.0, &a, &b).unwrap_err().to_string();
        assert!(error.contains("different ranks"), "{error}");
    });
}

#[test]
fn contractions_are_those_of_one_memory() {
    on_ranks("contractions_are_those_of_one_memory", &RANKS, |world| {
        let mut random = Random::new(29);
        let grid = *grids(world).last().unwrap();
        for (text, a, b, c) in [
            ("ij,jk->ik", &[5, 7][..], &[7, 4][..], &[5, 4][..]),
            ("ij,kj->ki", &[5, 7], &[4, 7], &[4, 5]),
            ("abc,cd->dab", &[3, 4, 5], &[5, 6], &[6, 3, 4]),
            ("abc,dcb->ad", &[6, 4, 5], &[7, 5, 4], &[6, 7]),
            ("ijk,kli->lj", &[5, 6, 7], &[7, 8, 5], &[8, 6]),
            ("j,jk->k", &[9], &[9, 4], &[4]),
            ("i,j->ij", &[3], &[5], &[3, 5]),
        ] {
            let [from, with, to] = [a, b, c].map(|shape| random.placement(shape, 6));
            let cores = Cores::shared(world, 6).unwrap();
            let one = Cores::row_major(world, grid[0] * grid[1]).unwrap();
            let most = one.len();
            let on =
                if from.cores().max(with.cores()).max(to.cores()) <= most { &one } else { &cores };
            let [x, y] = [
                DistributedTensor::from_fn(on, from, left).unwrap(),
                DistributedTensor::from_fn(on, with, right).unwrap(),
            ];
            // A grid needs cores on distinct ranks.
            let grid = if world.size() == 6 || std::ptr::eq(on, &one) { grid } else { [1, 1] };
            let found = einsum(text, &x, &y, grid, to).unwrap();
            let mut wanted = whole(c, |_| 0.0);
            kernels::einsum(text, &whole(a, left), &whole(b, right), &mut wanted).unwrap();
            if let Some(found) = found.gather(0, wanted.layout()).unwrap() {
                assert_eq!(found.as_slice(), wanted.as_slice(), "{text} on {grid:?}");
            }
        }
    });
}
