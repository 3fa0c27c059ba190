//! Layouts for tests.
#![allow(dead_code, reason = "each test uses a part of this")]

use layout_core::engine::{DynLayout, IntTuple};
use layout_core::types::{Cons, Nil};

/// The flat layout with these extents and strides; without parentheses when there is one.
pub(crate) const fn flat(shape: &[usize], stride: &[usize]) -> DynLayout {
    match (IntTuple::flat(shape), IntTuple::flat(stride)) {
        (Ok(shape), Ok(stride)) => match DynLayout::new(&shape, &stride) {
            Ok(layout) => layout,
            Err(error) => error.panic(),
        },
        _ => panic!("a layout needs a mode"),
    }
}

/// The tuple of two, at the type level.
pub(crate) type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// The tuple of three, at the type level.
pub(crate) type Triple<A, B, C> = Cons<A, Pair<B, C>>;

/// Numbers that look random and are the same in every run.
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

    /// `size` as a mode: an integer, or a tuple of factors whose product it is.
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

    /// A layout whose modes have these sizes: leaves in any order in memory, some with gaps
    /// between them; with `broadcast`, some with stride 0 instead.
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
}

/// The tuple that is nested as `shape`, which has at most two levels, with these leaves.
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
