//! Naive evaluation and generated layouts, shared by the tests of laws.
#![allow(dead_code, reason = "each test uses a part of this")]

use layout_core::engine::{DynLayout, IntTuple};
use proptest::prelude::*;

/// The naive oracle: a layout evaluated leaf by leaf, the last leaf going on beyond the domain.
pub(crate) fn eval(l: &DynLayout, mut i: usize) -> usize {
    let leaves: Vec<_> = l.extents().iter().zip(l.strides()).collect();
    let mut sum = 0;
    for (k, &(&extent, &stride)) in leaves.iter().enumerate() {
        let digit = if k + 1 == leaves.len() { i } else { i % extent };
        sum += digit * stride;
        i /= extent;
    }
    sum
}

pub(crate) fn table(l: &DynLayout) -> Vec<usize> {
    (0..l.size()).map(|i| eval(l, i)).collect()
}

pub(crate) fn flat(modes: &[(usize, usize)]) -> DynLayout {
    let (s, d): (Vec<_>, Vec<_>) = modes.iter().copied().unzip();
    DynLayout::new(&IntTuple::flat(&s).unwrap(), &IntTuple::flat(&d).unwrap()).unwrap()
}

/// A layout of up to three top-level modes, one of them nested at times.
pub(crate) fn layout(extent: usize, stride: usize) -> impl Strategy<Value = DynLayout> {
    let leaf = (1..=extent, 0..=stride).prop_map(|(s, d)| DynLayout::leaf(s, d));
    let mode = leaf.prop_recursive(2, 4, 2, |inner| {
        prop::collection::vec(inner, 1..=2).prop_map(|m| DynLayout::tuple(&m).unwrap())
    });
    prop_oneof![
        mode.clone(),
        prop::collection::vec(mode, 1..=3).prop_map(|m| DynLayout::tuple(&m).unwrap()),
    ]
}

/// Compact layouts with their modes permuted: the ones that people write.
pub(crate) fn compact() -> impl Strategy<Value = DynLayout> {
    (prop::collection::vec(1usize..=8, 1..=4), any::<u32>()).prop_map(|(shape, seed)| {
        let mut order: Vec<usize> = (0..shape.len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, (seed >> (4 * i)) as usize % (i + 1));
        }
        let mut modes = vec![(1, 0); shape.len()];
        let mut step = 1;
        for k in order {
            modes[k] = (shape[k], step);
            step *= shape[k];
        }
        flat(&modes)
    })
}

pub(crate) fn any_layout() -> impl Strategy<Value = DynLayout> {
    prop_oneof![layout(6, 24), compact()]
}

/// `compatible(B, R)`: every leaf of B is one leaf, or a tuple of the same size, in R.
pub(crate) fn refines(r: &IntTuple, b: &IntTuple) -> bool {
    if b.is_int() {
        return r.product() == b.product();
    }
    !r.is_int() && r.rank() == b.rank() && (0..b.rank()).all(|i| refines(&r.mode(i), &b.mode(i)))
}

/// The (stride, extent) pairs that matter, by rising stride.
pub(crate) fn by_stride(l: &DynLayout) -> Vec<(usize, usize)> {
    let leaves = l.extents().iter().zip(l.strides());
    let mut modes: Vec<_> =
        leaves.filter(|&(&s, &d)| s > 1 && d > 0).map(|(&s, &d)| (d, s)).collect();
    modes.sort();
    modes
}

/// How far a layout reaches whose every stride is a multiple of what smaller strides cover.
pub(crate) fn tractable(l: &DynLayout) -> Option<usize> {
    by_stride(l).into_iter().try_fold(1, |covered, (d, s)| (d % covered == 0).then_some(d * s))
}
