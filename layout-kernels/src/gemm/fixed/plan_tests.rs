use super::*;
use crate::gemm::fixed::tables::{Tile, Tiles};
use layout_core::engine::{DynLayout, IntTuple};
use std::collections::HashMap;

const MACHINES: [Machine; 4] = [
    Machine { lanes: [16, 8, 4], registers: 32, element: 4 },
    Machine { lanes: [4, 2, 2], registers: 15, element: 8 },
    Machine { lanes: [4, 4, 4], registers: 14, element: 4 },
    Machine { lanes: [2, 2, 2], registers: 14, element: 4 },
];

struct Random(u32);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 16) as usize % n
    }

    /// An extent up to 40, with one in three a product of two leaves.
    fn extent(&mut self) -> Vec<usize> {
        if self.below(3) == 0 {
            vec![1 + self.below(8), 1 + self.below(6)]
        } else {
            vec![1 + self.below(40)]
        }
    }

    /// A compact layout of two modes with its leaves in any order in memory, and holes.
    fn matrix(&mut self, modes: [&[usize]; 2]) -> DynLayout {
        let leaves: Vec<usize> = modes.concat();
        let mut order: Vec<usize> = (0..leaves.len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, self.below(i + 1));
        }
        let (mut strides, mut step) = (vec![0; leaves.len()], 1 + self.below(8) / 7);
        for i in order {
            strides[i] = step;
            step = step * leaves[i] + self.below(4) / 3;
        }
        let mut strides = strides.as_slice();
        let mode = |extents: &[usize]| {
            let (own, rest) = strides.split_at(extents.len());
            strides = rest;
            let own = IntTuple::flat(own).unwrap();
            DynLayout::new(&IntTuple::flat(extents).unwrap(), &own).unwrap()
        };
        let both: Vec<DynLayout> = modes.map(mode).into_iter().collect();
        DynLayout::tuple(&both).unwrap()
    }
}

/// Where the plan finds elements: for each place of C, the places of A and B along K.
fn visited(plan: &Plan) -> HashMap<usize, Vec<(usize, usize)>> {
    let tiles = Tiles::new(plan);
    let mut places: HashMap<usize, Vec<(usize, usize)>> = HashMap::new();
    for j in 0..tiles.n_blocks + usize::from(tiles.n_rest > 0) {
        for i in 0..tiles.m_blocks + usize::from(tiles.m_rest > 0) {
            let t = Tile::new(plan, i == tiles.m_blocks, j == tiles.n_blocks);
            assert!(t.rows <= MAX_ROWS && t.vectors <= MAX_VECTORS && t.steps <= MAX_STEPS);
            let vectors = t.vectors + usize::from(t.last > 0);
            for (row, vector) in (0..t.rows).flat_map(|r| (0..vectors).map(move |v| (r, v))) {
                let lanes = if vector == t.vectors { t.last } else { plan.lanes };
                for lane in 0..lanes {
                    let c = tiles.cm.at(i) + tiles.cn.at(j) + t.cm[row] + t.cn[vector] + lane;
                    let a = tiles.am.at(i) + t.am[row];
                    let b = tiles.bn.at(j) + t.bn[vector] + lane;
                    let steps = |block: usize, n: usize| {
                        let (ak, bk) = (t.ak_starts.at(block), t.bk_starts.at(block));
                        (0..n).map(move |u| (a + ak + t.ak[u], b + bk + t.bk[u]))
                    };
                    let along: Vec<_> = (0..t.k_blocks)
                        .flat_map(|block| steps(block, t.steps))
                        .chain(steps(t.k_blocks, t.k_rest))
                        .collect();
                    assert!(places.insert(c, along).is_none(), "{c} is made twice");
                }
            }
        }
    }
    places
}

#[test]
fn plans_visit_every_element_once() {
    let mut random = Random(7);
    let (mut plans, mut direct, mut transposed) = (0, 0, 0);
    for _ in 0..600 {
        let (m, n, k) = (random.extent(), random.extent(), random.extent());
        let a = random.matrix([&m, &k]);
        let b = random.matrix([&k, &n]);
        let c = random.matrix([&m, &n]);
        let modes = Modes::new(&a, &b, &c).unwrap();
        for machine in &MACHINES {
            let Some(plan) = Plan::new(&modes, machine) else { continue };
            let at =
                |mode: &Mode, n: usize| -> Vec<usize> { (0..n).map(|i| mode.offset(i)).collect() };
            let p = &plan.modes;
            let (am, ak) = (at(&p.am, p.m), at(&p.ak, p.k));
            let (bk, bn) = (at(&p.bk, p.k), at(&p.bn, p.n));
            let expected: HashMap<usize, Vec<(usize, usize)>> = (0..p.m)
                .flat_map(|m| (0..p.n).map(move |n| (m, n)))
                .map(|(m, n)| {
                    let c = p.cm.offset(m) + p.cn.offset(n);
                    (c, (0..p.k).map(|k| (am[m] + ak[k], bk[k] + bn[n])).collect())
                })
                .collect();
            assert_eq!(visited(&plan), expected, "{a} {b} {c} with {:?}", machine.lanes);
            plans += 1;
            direct += usize::from(!plan.pack_b && !plan.buffer_c);
            transposed += usize::from(plan.transposed);
        }
    }
    assert!(plans > 1000 && direct > 100 && transposed > 100, "{plans} {direct} {transposed}");
}

#[test]
fn a_row_major_product_needs_no_copy() {
    let row_major = |m, n| DynLayout::row_major(&IntTuple::flat(&[m, n]).unwrap()).unwrap();
    let square = row_major(16, 16);
    let modes = Modes::new(&square, &square, &square).unwrap();
    let plan = Plan::new(&modes, &MACHINES[0]).unwrap();
    assert!(!plan.transposed && !plan.pack_b && !plan.buffer_c);
    assert_eq!((plan.lanes, plan.rows, plan.vectors, plan.steps), (16, 16, 1, 16));
}
