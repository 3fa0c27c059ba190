//! `Operands`: a product as the offsets along six modes, for layouts that are values.

use layout_core::engine::{DynLayout, MAX_LEAVES};

use crate::gemm::problem::mode::Mode;
use crate::gemm::problem::offsets::Offsets;

/// The modes of A (M,K), B (K,N) and C (M,N).
#[derive(Clone, Copy)]
pub(crate) struct Operands<'a> {
    pub(crate) am: Offsets<'a>,
    pub(crate) ak: Offsets<'a>,
    pub(crate) bk: Offsets<'a>,
    pub(crate) bn: Offsets<'a>,
    pub(crate) cm: Offsets<'a>,
    pub(crate) cn: Offsets<'a>,
}

impl<'a> Operands<'a> {
    /// The operands of matrices whose modes have one stride each. Nothing for others.
    pub(crate) fn of_matrices(matrices: [&DynLayout; 3]) -> Option<Self> {
        let [a, b, c] = matrices.map(DynLayout::as_matrix);
        let (([m, k], [am, ak]), (_, [bk, bn]), ([_, n], [cm, cn])) = (a?, b?, c?);
        let [am, ak, bk, bn, cm, cn] = [(m, am), (k, ak), (k, bk), (n, bn), (m, cm), (n, cn)]
            .map(|(extent, stride)| Offsets::linear(extent, stride));
        Some(Self { am, ak, bk, bn, cm, cn })
    }

    /// The operands of nested modes. Those of several axes have their offsets in `table`.
    pub(crate) fn of_modes(modes: &[Mode; 6], table: &'a mut Vec<usize>) -> Self {
        let ends = modes.each_ref().map(|mode| {
            append(mode, table);
            table.len()
        });
        let mut start = 0;
        let mut all = [Offsets::linear(1, 0); 6];
        for ((along, mode), end) in all.iter_mut().zip(modes).zip(ends) {
            *along = Offsets::new(mode, &table[start..end]);
            start = end;
        }
        let [am, ak, bk, bn, cm, cn] = all;
        Self { am, ak, bk, bn, cm, cn }
    }

    /// The same product as `C^T = B^T * A^T`.
    pub(crate) const fn transposed(&self) -> Self {
        let Self { am, ak, bk, bn, cm, cn } = *self;
        Self { am: bn, ak: bk, bk: ak, bn: am, cm: cn, cn: cm }
    }
}

/// Puts the axes of nested modes in the order in which memory is best read and written. A product is
/// the same in each order.
///
/// Vectors go along the axis that is consecutive in C. After it, and first in the other mode of C,
/// comes the axis that is consecutive in the operand, so that packing reads whole cache lines.
pub(crate) fn order([am, ak, bk, bn, cm, cn]: &mut [Mode; 6]) {
    let consecutive =
        |c: &Mode| c.extents().iter().zip(c.strides()).any(|(&e, &s)| s == 1 && e > 1);
    let along_m = !consecutive(cn) && consecutive(cm);
    // Distances first of what has vectors.
    if along_m {
        sort(cm, am, |[c, a]| (c != 1, a != 1, c));
        sort(bn, cn, |[b, c]| (b != 1, false, c));
        sort(ak, bk, |[a, b]| (a != 1, b != 1, a));
    } else {
        sort(cn, bn, |[c, b]| (c != 1, b != 1, c));
        sort(am, cm, |[a, c]| (a != 1, false, c));
        sort(bk, ak, |[b, a]| (b != 1, a != 1, b));
    }
}

/// Sorts the axes of a mode of two operands by a key of their strides, if both cut it alike.
fn sort<K: Ord>(first: &mut Mode, second: &mut Mode, key: impl Fn([usize; 2]) -> K) {
    let Some(mut axes) = refine(first, second) else { return };
    // By insertion: there are few, and a general sort is much code.
    for end in 1..axes.len() {
        let mut i = end;
        while i > 0 && key(axes[i].1) < key(axes[i - 1].1) {
            axes.swap(i, i - 1);
            i -= 1;
        }
    }
    *first = Mode::of_axes(axes.iter().map(|&(extent, [stride, _])| (extent, stride)));
    *second = Mode::of_axes(axes.iter().map(|&(extent, [_, stride])| (extent, stride)));
}

/// An axis of a mode of two operands: its extent, and its stride in each.
pub(crate) type Axis = (usize, [usize; 2]);

/// Two modes of one size as common axes: extents, and a stride in each. Nothing when an extent of
/// one is cut by the other in the middle.
pub(crate) fn refine(first: &Mode, second: &Mode) -> Option<Vec<Axis>> {
    let mut axes = Vec::new();
    let axis = |mode: &Mode, i: usize| match mode.extents().get(i) {
        Some(&extent) => (extent, mode.strides()[i]),
        None => (1, 0),
    };
    let (mut i, mut j) = (0, 0);
    let (mut a, mut b) = (axis(first, 0), axis(second, 0));
    while i < first.extents().len() || j < second.extents().len() {
        let extent = a.0.min(b.0);
        if extent == 0 || a.0 % extent != 0 || b.0 % extent != 0 {
            return None;
        }
        if extent > 1 {
            axes.push((extent, [a.1, b.1]));
        } else if a.0 != b.0 {
            return None;
        }
        // Wrapping, but the strides of an extent of 1, which nobody reads.
        a = (a.0 / extent, a.1.wrapping_mul(extent));
        b = (b.0 / extent, b.1.wrapping_mul(extent));
        if a.0 == 1 {
            i += 1;
            a = axis(first, i);
        }
        if b.0 == 1 {
            j += 1;
            b = axis(second, j);
        }
    }
    (axes.len() <= MAX_LEAVES).then_some(axes)
}

/// Appends the offsets of a mode that has several distances, and nothing for others.
fn append(mode: &Mode, table: &mut Vec<usize>) {
    if mode.extents().len() <= 1 {
        return;
    }
    let start = table.len();
    table.push(0);
    for (&extent, &stride) in mode.extents().iter().zip(mode.strides()) {
        let below = table.len() - start;
        // Each leaf repeats what the leaves before it made.
        for i in 1..extent {
            for j in start..start + below {
                table.push(table[j] + i * stride);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(text: &str) -> Mode {
        let layout = DynLayout::parse(text).unwrap();
        Mode::of(&DynLayout::tuple(&[layout]).unwrap(), 0)
    }

    #[test]
    fn common_axes_are_the_same_function() {
        for (first, second, exists) in [
            ("24:1", "(4,6):(6,1)", true),
            ("(4,6):(100,7)", "(2,12):(50,3)", true),
            ("(2,3):(5,1)", "(3,2):(9,4)", false),
            ("1:0", "1:5", true),
            ("6:1", "(2,3):(0,0)", true),
        ] {
            let (first, second) = (mode(first), mode(second));
            let Some(axes) = refine(&first, &second) else {
                assert!(!exists);
                continue;
            };
            assert!(exists);
            let of = |which: usize| {
                Mode::of_axes(axes.iter().map(|&(extent, strides)| (extent, strides[which])))
            };
            for (mode, refined) in [(first, of(0)), (second, of(1))] {
                assert_eq!(mode.size(), refined.size());
                for i in 0..mode.size() {
                    assert_eq!(mode.offset(i), refined.offset(i));
                }
            }
        }
    }

    #[test]
    fn a_reordered_product_has_the_same_pairs() {
        let mut modes = [
            mode("(3,4):(4,1)"),
            mode("(2,5):(60,12)"),
            mode("10:3"),
            mode("7:30"),
            mode("(3,4):(1,21)"),
            mode("7:3"),
        ];
        let pairs = |modes: &[Mode; 6], i: usize, j: usize| {
            let mut pairs: Vec<_> =
                (0..modes[i].size()).map(|x| (modes[i].offset(x), modes[j].offset(x))).collect();
            pairs.sort_unstable();
            pairs
        };
        let before = [(0, 4), (1, 2), (3, 5)].map(|(i, j)| pairs(&modes, i, j));
        order(&mut modes);
        assert_eq!(before, [(0, 4), (1, 2), (3, 5)].map(|(i, j)| pairs(&modes, i, j)));
        // The consecutive axis of C comes first in the mode that has it.
        assert_eq!(modes[4].strides()[0], 1);
    }

    #[test]
    fn tables_have_the_offsets_of_their_modes() {
        for text in
            ["(2,3):(1,4)", "(4,3,5):(2,1,100)", "(2,6):(0,7)", "((2,1),(3,2)):((9,1),(0,4))"]
        {
            let layout = DynLayout::tuple(&[DynLayout::parse(text).unwrap()]).unwrap();
            let mode = Mode::of(&layout, 0);
            let mut table = vec![7];
            append(&mode, &mut table);
            let offsets: Vec<_> = (0..mode.size()).map(|i| mode.offset(i)).collect();
            assert_eq!(table[1..], offsets, "{text}");
        }
    }
}
