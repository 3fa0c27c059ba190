//! Random layouts and helpers for tests.
#![allow(dead_code, reason = "each test uses a part of this")]

use layout_core::engine::{DynLayout, IntTuple};
use layout_core::types::{Cons, Nil};

/// The flat layout with these extents and strides. A single extent becomes an integer, not a tuple.
pub(crate) const fn flat(shape: &[usize], stride: &[usize]) -> DynLayout {
    match (IntTuple::flat(shape), IntTuple::flat(stride)) {
        (Ok(shape), Ok(stride)) => match DynLayout::new(&shape, &stride) {
            Ok(layout) => layout,
            Err(error) => error.panic(),
        },
        _ => panic!("a layout needs a mode"),
    }
}

/// A tuple of two at the type level.
pub(crate) type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// A tuple of three at the type level.
pub(crate) type Triple<A, B, C> = Cons<A, Pair<B, C>>;

/// Deterministic pseudo-random numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    pub(crate) fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// A mode of this size: an integer, or a tuple of factors with this product.
    fn mode(&mut self, mut size: usize) -> IntTuple {
        let mut factors = Vec::new();
        for p in [2, 2, 3, 4, 5, 7] {
            if size > p && size.is_multiple_of(p) && self.below(3) == 0 {
                factors.push(p);
                size /= p;
            }
        }
        if factors.is_empty() {
            return IntTuple::leaf(size);
        }
        factors.push(size);
        if self.below(4) == 0 {
            factors.push(1);
        }
        self.shuffle(&mut factors);
        IntTuple::flat(&factors).unwrap()
    }

    /// A layout with these mode sizes. Its leaves are in random order in memory, some with gaps
    /// between them; with `broadcast`, some have stride 0 instead.
    pub(crate) fn layout(&mut self, sizes: &[usize], broadcast: bool) -> DynLayout {
        let modes: Vec<IntTuple> = sizes.iter().map(|&size| self.mode(size)).collect();
        let shape = if modes.len() == 1 && modes[0].is_int() && self.below(2) == 0 {
            modes[0]
        } else {
            IntTuple::tuple(&modes).unwrap()
        };
        let extents = shape.leaves();
        let mut order: Vec<usize> = (0..extents.len()).collect();
        match self.below(4) {
            0 => {}
            1 => order.reverse(),
            _ => self.shuffle(&mut order),
        }
        let gaps = self.below(3) == 0;
        let mut strides = vec![0; extents.len()];
        let mut step = if self.below(8) == 0 { 1 + self.below(3) } else { 1 };
        for leaf in order {
            strides[leaf] = step;
            step *= extents[leaf];
            if gaps && self.below(2) == 0 {
                step += self.below(5);
            }
            if broadcast && self.below(3) == 0 {
                strides[leaf] = 0;
            }
        }
        DynLayout::new(&shape, &with_profile(&shape, &strides)).unwrap()
    }

    /// A layout whose modes have these extents. Its leaves are in random order in memory, without gaps.
    pub(crate) fn permuted(&mut self, modes: [&Vec<usize>; 2]) -> DynLayout {
        let modes = modes.map(|extents| IntTuple::flat(extents).unwrap());
        let shape = IntTuple::tuple(&modes).unwrap();
        let (extents, mut step) = (shape.leaves(), 1);
        let (mut order, mut strides): (Vec<usize>, _) =
            ((0..extents.len()).collect(), vec![0; extents.len()]);
        self.shuffle(&mut order);
        for leaf in order {
            strides[leaf] = step;
            step *= extents[leaf];
        }
        DynLayout::new(&shape, &with_profile(&shape, &strides)).unwrap()
    }

    /// The layouts of matrices without gaps, of a product with many rows or columns of a few elements. Most
    /// are contiguous along these.
    pub(crate) fn short_matrices(&mut self) -> [DynLayout; 3] {
        let (long, short, k) = (20 + self.below(200), 1 + self.below(9), 1 + self.below(12));
        let has_rows = self.below(2) == 0;
        let (m, n) = if has_rows { (long, short) } else { (short, long) };
        [[m, k], [k, n], [m, n]].map(|[rows, columns]| {
            let by_rows = (self.below(4) > 0) == has_rows;
            flat(&[rows, columns], &if by_rows { [columns, 1] } else { [1, rows] })
        })
    }

    /// The layouts of the matrices A, B and C of a product of `m` by `n` by `k`.
    pub(crate) fn matrices(&mut self, [m, n, k]: [usize; 3], broadcast: bool) -> [DynLayout; 3] {
        let (a, b) = (self.layout(&[m, k], broadcast), self.layout(&[k, n], broadcast));
        [a, b, self.layout(&[m, n], false)]
    }

    /// Layouts of A, B and C. The columns of C are runs that are not whole vectors, with the rows
    /// between them. There is one of `counts` runs. B is contiguous along the runs, along the axis of the runs, or along K.
    pub(crate) fn short_runs(&mut self, counts: &[usize]) -> [DynLayout; 3] {
        let run = self.one_of(&[8, 12, 20, 24, 28, 36, 40, 44, 52, 56]);
        let runs = self.one_of(counts);
        let (m, k, gap) = (1 + self.below(14), 1 + self.below(24), self.below(4));
        let a = self.layout(&[m, k], false);
        let b = match self.below(3) {
            0 => flat(&[k, run, runs], &[run * runs, 1, run]),
            1 => flat(&[k, run, runs], &[run * runs, runs, 1]),
            _ => flat(&[k, run, runs], &[1, k, k * run]),
        };
        let c = flat(&[m, run, runs], &[run + gap, 1, m * (run + gap)]);
        let columns = |layout: DynLayout| {
            let columns = DynLayout::tuple(&[layout.mode(1), layout.mode(2)]).unwrap();
            DynLayout::tuple(&[layout.mode(0), columns]).unwrap()
        };
        [a, columns(b), columns(c)]
    }

    /// The matrices A, B and C of a convolution. Rows of A are the windows of the image, which
    /// overlap. Sometimes the transposed product.
    pub(crate) fn windows(&mut self) -> [DynLayout; 3] {
        let channels = self.one_of(&[1, 2, 3, 4, 6, 8, 16, 19]);
        let [w, h] = [0; 2].map(|_| self.one_of(&[1, 2, 3, 5, 6, 7, 12, 14, 25]));
        let [kw, kh] = [0; 2].map(|_| 1 + self.below(4));
        let [step, dilation] = [0; 2].map(|_| 1 + self.below(3) / 2);
        let filters = self.one_of(&[1, 3, 8, 10, 16, 24, 33, 70]);
        let [width, height] =
            [(w, kw), (h, kh)].map(|(outputs, k)| (outputs - 1) * step + (k - 1) * dilation + 1);
        // Channels last or first in memory.
        let [channel, x, y] = match self.below(3) {
            0 => [width * height, 1, width],
            _ => [1, channels, channels * width],
        };
        let rows = flat(&[w, h], &[step * x, step * y]);
        let steps = flat(&[channels, kw, kh], &[channel, dilation * x, dilation * y]);
        let a = DynLayout::tuple(&[rows, steps]).unwrap();
        let (m, k) = (w * h, channels * kw * kh);
        let b = match self.below(3) {
            0 => flat(&[k, filters], &[1, k]),
            1 => flat(&[k, filters], &[filters, 1]),
            _ => self.layout(&[k, filters], false),
        };
        let c = match self.below(4) {
            0 => flat(&[m, filters], &[1, m]),
            1 => flat(&[m, filters], &[filters, 1]),
            2 => {
                let rows = flat(&[w, h], &[filters, filters * (w + 1)]);
                DynLayout::tuple(&[rows, flat(&[filters], &[1])]).unwrap()
            }
            _ => self.layout(&[m, filters], false),
        };
        match self.below(3) {
            0 => [b, a, c].map(|of| DynLayout::tuple(&[of.mode(1), of.mode(0)]).unwrap()),
            _ => [a, b, c],
        }
    }
}

/// The tuple with these leaves and the nesting of `shape`, which has at most two levels.
fn with_profile(shape: &IntTuple, leaves: &[usize]) -> IntTuple {
    if shape.is_int() {
        return IntTuple::leaf(leaves[0]);
    }
    if shape.depth() == 1 {
        return IntTuple::flat(leaves).unwrap();
    }
    let mut rest = leaves;
    let modes: Vec<IntTuple> = (0..shape.rank())
        .map(|i| {
            let mode = shape.mode(i);
            let (these, others) = rest.split_at(mode.len());
            rest = others;
            with_profile(&mode, these)
        })
        .collect();
    IntTuple::tuple(&modes).unwrap()
}
