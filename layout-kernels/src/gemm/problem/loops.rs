//! `ProductLoops`: a product as loops along M, N and K, in the order of memory.

use layout_core::engine::MAX_LEAVES;

use crate::gemm::problem::matrix::{MatrixLayout, ModeLeaves};
use crate::gemm::problem::mode::{Leaves, coalesces};
use crate::list::List;

/// A loop of a product: its extent, and its stride in each of the two operands that have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Axis {
    pub(crate) extent: usize,
    pub(crate) strides: [usize; 2],
    /// Stride of the axis in the linear coordinate of the mode.
    pub(crate) coordinate_stride: usize,
}

impl Axis {
    /// The strides, that of operand `by` first.
    const fn ordered_by(&self, by: usize) -> [usize; 2] {
        [self.strides[by], self.strides[1 - by]]
    }
}

/// Adds the common axes of two modes of equal size to an empty list, the fastest coordinate first. `false` if
/// leaf boundaries of the two do not nest, as in (4,6) and (6,4), or if there are more than [`MAX_LEAVES`]
/// axes. In place, because moving a list takes longer than to make it.
pub(crate) const fn refine(
    [first, second]: [&ModeLeaves<'_>; 2],
    axes: &mut List<Axis, MAX_LEAVES>,
) -> bool {
    let mut coordinate_stride = 1;
    let (mut first, mut second) = (Leaves::of(first), Leaves::of(second));
    // Extents and strides of the remaining parts of two leaves.
    let (mut a, mut b) = (first.next(), second.next());
    while a.0 != 1 || b.0 != 1 {
        let extent = if a.0 < b.0 { a.0 } else { b.0 };
        // A mode has ended, or has no coordinates.
        if extent < 2 || axes.is_full() {
            return false;
        }
        axes.push(Axis { extent, strides: [a.1, b.1], coordinate_stride });
        coordinate_stride *= extent;
        let (Some(rest_of_a), Some(rest_of_b)) = (rest(a, extent), rest(b, extent)) else {
            return false;
        };
        a = if rest_of_a.0 == 1 { first.next() } else { rest_of_a };
        b = if rest_of_b.0 == 1 { second.next() } else { rest_of_b };
    }
    true
}

/// What follows `extent` coordinates of a leaf, if they divide it.
const fn rest((of_leaf, stride): (usize, usize), extent: usize) -> Option<(usize, usize)> {
    // Most leaves are equal, and divisions take long.
    if of_leaf == extent {
        return Some((1, 0));
    }
    match of_leaf.is_multiple_of(extent) {
        // Wraps around only in a layout without elements.
        true => Some((of_leaf / extent, stride.wrapping_mul(extent))),
        false => None,
    }
}

/// The loops of a mode, and their strides in the two operands that have it.
#[derive(Clone, Copy)]
pub(crate) struct Loops {
    extents: List<usize, MAX_LEAVES>,
    strides: [List<usize, MAX_LEAVES>; 2],
}

impl Loops {
    pub(crate) const fn new() -> Self {
        Self { extents: List::new(), strides: [List::new(), List::new()] }
    }

    /// Appends a slower loop, or extends the last one if the two coalesce in both operands.
    pub(crate) const fn append(&mut self, extent: usize, [x, y]: [usize; 2]) {
        let [of_x, of_y] = &self.strides;
        if let ([.., last], [.., last_x], [.., last_y]) =
            (self.extents.as_mut_slice(), of_x.as_slice(), of_y.as_slice())
            && coalesces(*last, *last_x, x)
            && coalesces(*last, *last_y, y)
            && last.checked_mul(extent).is_some()
        {
            *last *= extent;
            return;
        }
        self.extents.push(extent);
        self.strides[0].push(x);
        self.strides[1].push(y);
    }

    /// Appends the common loops of two modes, in the order of the strides in operand `by`, then in the other.
    /// Loops with stride 0 are the slowest ones. The axes of these loops are added to an empty list. `false`
    /// if there are no common loops.
    const fn append_common(
        &mut self,
        modes: [&ModeLeaves<'_>; 2],
        by: usize,
        axes: &mut List<Axis, MAX_LEAVES>,
    ) -> bool {
        if !refine(modes, axes) {
            return false;
        }
        let (axes, mut end) = (axes.as_mut_slice(), 1);
        while end < axes.len() {
            let mut i = end;
            while i > 0 && is_faster(axes[i].ordered_by(by), axes[i - 1].ordered_by(by)) {
                (axes[i - 1], axes[i]) = (axes[i], axes[i - 1]);
                i -= 1;
            }
            end += 1;
        }
        let mut i = 0;
        while i < axes.len() {
            self.append(axes[i].extent, axes[i].strides);
            i += 1;
        }
        if axes.is_empty() {
            self.append(1, [0; 2]);
        }
        true
    }

    /// The mode in one of the two operands.
    const fn leaves(&self, which: usize) -> ModeLeaves<'_> {
        ModeLeaves { extents: self.extents.as_slice(), strides: self.strides[which].as_slice() }
    }
}

/// Whether a loop with the strides `x` is faster than one with the strides `y`, by the first stride, then by the
/// second. Loops with stride 0 are the slowest ones.
pub(crate) const fn is_faster(x: [usize; 2], y: [usize; 2]) -> bool {
    // Stride 0 comes last.
    let x = [x[0].wrapping_sub(1), x[1].wrapping_sub(1)];
    let y = [y[0].wrapping_sub(1), y[1].wrapping_sub(1)];
    x[0] < y[0] || x[0] == y[0] && x[1] < y[1]
}

/// The loops along M (in A and C), N (in B and C) and K (in A and B), fastest first.
#[derive(Clone, Copy)]
pub(crate) struct ProductLoops {
    pub(crate) m: Loops,
    pub(crate) n: Loops,
    pub(crate) k: Loops,
}

impl ProductLoops {
    /// No loops.
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { m: Loops::new(), n: Loops::new(), k: Loops::new() }
    }

    /// The layouts of A (M,K), B (K,N) and C (M,N).
    pub(crate) const fn layouts(&self) -> [MatrixLayout<'_>; 3] {
        let Self { m, n, k } = self;
        [
            MatrixLayout { modes: [m.leaves(0), k.leaves(0)] },
            MatrixLayout { modes: [k.leaves(1), n.leaves(0)] },
            MatrixLayout { modes: [m.leaves(1), n.leaves(1)] },
        ]
    }
}

/// A product with its loops in the order of memory.
///
/// Their order does not matter for the sums. In the order of memory, many loops coalesce:
/// `((14,14),64):((896,64),1)` is then a matrix of 196 rows, if C is in row-major order too.
#[derive(Clone, Copy)]
pub(crate) struct Reordered {
    loops: ProductLoops,
    /// The axes of M and N, in the same order. They have the coordinates of the given layouts.
    pub(crate) axes: [List<Axis, MAX_LEAVES>; 2],
}

impl Reordered {
    /// No product, which [`set`](Self::set) replaces.
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { loops: ProductLoops::new(), axes: [List::new(), List::new()] }
    }

    /// Sets the product of matrices with matching shapes. `false` if its loops are in order, if two modes have
    /// no common loops, or if there is nothing to compute.
    pub(crate) const fn set(&mut self, [a, b, c]: &[MatrixLayout<'_>; 3]) -> bool {
        let is_in_order =
            c.modes[0].is_in_order() && c.modes[1].is_in_order() && a.modes[1].is_in_order();
        let (Self { loops: ProductLoops { m, n, k }, axes: [of_m, of_n] }, mut of_k) =
            (self, List::new());
        !is_in_order
            && m.append_common([&a.modes[0], &c.modes[0]], 1, of_m)
            && n.append_common([&b.modes[1], &c.modes[1]], 1, of_n)
            && k.append_common([&a.modes[1], &b.modes[0]], 0, &mut of_k)
    }

    /// The layouts of A (M,K), B (K,N) and C (M,N).
    pub(crate) const fn layouts(&self) -> [MatrixLayout<'_>; 3] {
        self.loops.layouts()
    }
}

/// The coordinate in a given mode of coordinate `i` in the order of these axes.
pub(crate) fn given_coordinate(axes: &[Axis], mut i: usize) -> usize {
    let digits = axes.iter().map(|axis| {
        let digit = i % axis.extent;
        i /= axis.extent;
        digit * axis.coordinate_stride
    });
    digits.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gemm::problem::mode::Mode;
    use layout_core::engine::DynLayout;

    #[test]
    fn common_axes_are_the_same_function() {
        for (first, second, exists) in [
            ("24:1", "(4,6):(6,1)", true),
            ("(4,6):(100,7)", "(2,12):(50,3)", true),
            ("(2,3):(5,1)", "(3,2):(9,4)", false),
            ("1:0", "1:5", true),
            ("6:1", "(2,3):(0,0)", true),
        ] {
            let [first, second] = [first, second].map(|text| DynLayout::parse(text).unwrap());
            let [x, y] = [&first, &second].map(ModeLeaves::all);
            let mut axes = List::new();
            assert_eq!(exists, refine([&x, &y], &mut axes));
            if !exists {
                continue;
            }
            for (which, layout) in [first, second].iter().enumerate() {
                let mut refined = vec![0];
                for axis in axes.as_slice() {
                    let along = |i| refined.iter().map(move |at| at + i * axis.strides[which]);
                    refined = (0..axis.extent).flat_map(along).collect();
                }
                assert_eq!(layout.size(), refined.len());
                for (i, &offset) in refined.iter().enumerate() {
                    assert_eq!(layout.offset_of_index(i), offset);
                }
            }
        }
    }

    #[test]
    fn a_product_has_the_same_pairs_in_few_loops() {
        for (layouts, len) in [
            // Rows in row-major order.
            (["((4,6),8):((48,8),1)", "(8,5):(5,1)", "((4,6),5):((30,5),1)"], [1, 1, 1]),
            // C keeps the rows apart, B the steps.
            (["((4,6),(2,4)):((48,8),(1,2))", "((2,4),5):((5,100),1)", "(24,5):(5,1)"], [2, 1, 2]),
            (["(1,(3,1,2)):(7,(2,9,1))", "(6,(1,4)):(4,(5,1))", "(1,4):(0,1)"], [1, 1, 2]),
            (["(4,(2,3)):(1,(0,0))", "((2,3),5):((0,0),1)", "(4,5):(1,4)"], [1, 1, 1]),
        ] {
            let layouts = layouts.map(|text| DynLayout::parse(text).unwrap());
            let before = MatrixLayout::all(layouts.each_ref());
            let mut reordered = Reordered::new();
            let after = if reordered.set(&before) { reordered.layouts() } else { before };
            for (i, (x, y)) in
                [([0, 0], [2, 0]), ([1, 1], [2, 1]), ([0, 1], [1, 0])].into_iter().enumerate()
            {
                let offsets = |of: &[MatrixLayout<'_>; 3], [operand, mode]: [usize; 2]| {
                    let mode = Mode::of_leaves(&of[operand].modes[mode]);
                    (0..mode.size()).map(move |i| mode.offset(i))
                };
                let pairs = |of: &[MatrixLayout<'_>; 3]| {
                    let mut pairs: Vec<_> = offsets(of, x).zip(offsets(of, y)).collect();
                    pairs.sort_unstable();
                    pairs
                };
                assert_eq!(pairs(&before), pairs(&after));
                assert_eq!(after[x[0]].modes[x[1]].extents.len(), len[i], "{i} of {layouts:?}");
            }
        }
    }
}
