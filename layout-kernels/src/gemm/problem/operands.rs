//! `Operands`: a product as axes of M, N and K, for dynamic layouts.

use crate::gemm::problem::loops::{Axis, refine};
use crate::gemm::problem::matrix::{MatrixLayout, ModeLeaves};
use crate::gemm::problem::mode::coalesces;
use crate::gemm::problem::offsets::Offsets;
use crate::list::{List, sort};

/// One mode of a product as axes, the fastest first.
#[derive(Clone)]
pub(crate) struct Axes {
    pub(crate) axes: Vec<Axis>,
}

impl Axes {
    /// Mode of `extent` coordinates, with one stride in each operand.
    pub(crate) fn linear(extent: usize, strides: [usize; 2]) -> Self {
        let strides = if extent > 1 { strides } else { [0; 2] };
        Self { axes: vec![Axis { extent, strides, coordinate_stride: 1 }] }
    }

    /// Mode that two operands share. `None` if they have no common axes.
    pub(crate) fn new(first: &ModeLeaves<'_>, second: &ModeLeaves<'_>) -> Option<Self> {
        let mut axes = List::new();
        if !refine([first, second], &mut axes) {
            return None;
        }
        let axes = axes.as_slice().to_vec();
        Some(if axes.is_empty() { Self::linear(1, [0; 2]) } else { Self { axes } })
    }

    /// Number of coordinates.
    pub(crate) fn size(&self) -> usize {
        self.axes.iter().map(|axis| axis.extent).product()
    }

    /// Size and strides of the whole mode in one operand, without a table of offsets.
    pub(crate) fn without_table(&self, which: usize) -> Offsets<'static> {
        Offsets::of_axes(self.axes.iter().map(|axis| (axis.extent, axis.strides[which])))
    }

    /// Offsets in one operand of a block with these extents, without a table.
    pub(crate) fn of_block(&self, which: usize, extents: &[usize]) -> Offsets<'static> {
        let axes = self.axes.iter().zip(extents);
        let axes = axes.map(|(axis, &extent)| (extent, axis.strides[which]));
        Offsets::of_axes(axes)
    }

    /// Whether some axis is contiguous (stride 1) in one operand.
    fn is_contiguous(&self, which: usize) -> bool {
        self.axes.iter().any(|axis| axis.strides[which] == 1 && axis.extent > 1)
    }

    /// Sorts the axes by a key of their strides.
    fn sort<K: Ord>(&mut self, key: impl Fn([usize; 2]) -> K) {
        sort(&mut self.axes, |axis| key(axis.strides));
    }

    /// Merges adjacent axes that coalesce in both operands.
    fn merge(&mut self) {
        self.axes.dedup_by(|next, last| {
            let coalesces = |stride, next| coalesces(last.extent, stride, next);
            let merges = coalesces(last.strides[0], next.strides[0])
                && coalesces(last.strides[1], next.strides[1])
                && coalesces(last.coordinate_stride, next.coordinate_stride);
            if merges {
                last.extent *= next.extent;
            }
            merges
        });
    }
}

/// A product: its axes along M (in A and C), N (in B and C) and K (in A and B).
#[derive(Clone)]
pub(crate) struct Operands {
    pub(crate) m: Axes,
    pub(crate) n: Axes,
    pub(crate) k: Axes,
    /// Multiplicity of each product: the extents along K that are broadcast in both A and B.
    pub(crate) multiplicity: usize,
}

impl Operands {
    /// Product of matrices with matching shapes. `None` if modes have no common axes.
    pub(crate) fn new(matrices: [MatrixLayout<'_>; 3]) -> Option<Self> {
        if let [Some(a), Some(b), Some(c)] = matrices.map(|matrix| matrix.as_strided()) {
            let (([m, k], [am, ak]), ([_, n], [bk, bn]), (_, [cm, cn])) = (a, b, c);
            let (m, n) = (Axes::linear(m, [am, cm]), Axes::linear(n, [bn, cn]));
            let k = Axes::linear(k, [ak, bk]);
            return Some(Self { m, n, k, multiplicity: 1 }.factor_out_broadcast_k());
        }
        let [a, b, c] = matrices.map(|matrix| matrix.modes);
        let (m, n) = (Axes::new(&a[0], &c[0])?, Axes::new(&b[1], &c[1])?);
        let k = Axes::new(&a[1], &b[0])?;
        Some(Self { m, n, k, multiplicity: 1 }.factor_out_broadcast_k())
    }

    /// Removes the axes along K that have stride 0 in both A and B, and counts them in `multiplicity`.
    fn factor_out_broadcast_k(mut self) -> Self {
        let multiplicity = &mut self.multiplicity;
        self.k.axes.retain(|axis| {
            let is_broadcast = axis.strides == [0, 0];
            // Does not saturate: the size of a layout with elements fits `usize`.
            *multiplicity =
                if is_broadcast { multiplicity.saturating_mul(axis.extent) } else { *multiplicity };
            !is_broadcast
        });
        self
    }

    /// Number of elements of B.
    pub(crate) fn b_size(&self) -> usize {
        self.n.size().saturating_mul(self.k.size())
    }

    /// The same product as `C^T = B^T * A^T`.
    pub(crate) fn transposed(self) -> Self {
        let Self { m, n, mut k, multiplicity } = self;
        for axis in &mut k.axes {
            axis.strides.swap(0, 1);
        }
        Self { m: n, n: m, k, multiplicity }
    }

    /// Whether to compute the transposed product, because its C has longer contiguous runs.
    pub(crate) fn should_transpose(&self, lanes: usize) -> bool {
        let run = |axes: &Axes| {
            let runs = axes.axes.iter().filter(|axis| axis.strides[1] == 1);
            runs.map(|axis| axis.extent).max().unwrap_or(1)
        };
        if self.n.size() == 1 {
            // Matrix times vector: a single column does not fill the lanes. Rows do if A is
            // contiguous along M.
            return self.m.size() > 1 && self.m.is_contiguous(0);
        }
        let (m, n) = (run(&self.m), run(&self.n));
        n < lanes.min(self.n.size()) && m > n
    }

    /// Whether vectors of C are contiguous, in ordered axes.
    pub(crate) fn has_vectors(&self, lanes: usize) -> bool {
        lanes == 1 || self.n.size() == 1 || self.n.axes[0].strides[1] == 1
    }

    /// Sorts the axes into the order that is best for memory access. The result of a product does not
    /// depend on it.
    ///
    /// Vectors of `lanes` lanes run along the axis of N that is contiguous in C, and the next ones if it
    /// is shorter. After them, and first in M, comes the axis that is contiguous in the operand, so that
    /// packing reads whole cache lines. If C is much larger than A (N >= 4 K), M follows the order of C
    /// instead, so that C is written in order.
    pub(crate) fn order(&mut self, lanes: usize) {
        let large = self.n.size() / 4 >= self.k.size();
        self.n.sort(|[_, c]| (c != 1, c));
        let (mut run, mut vector) = (1, 0);
        while run < lanes && self.n.axes.get(vector).is_some_and(|axis| axis.strides[1] == run) {
            run *= self.n.axes[vector].extent;
            vector += 1;
        }
        sort(&mut self.n.axes[vector..], |Axis { strides: [b, c], .. }| (*b != 1, *c));
        self.m.sort(|[a, c]| (!large && a != 1, c));
        self.k.sort(|[a, b]| (b != 1, a != 1, b));
        for axes in [&mut self.m, &mut self.n, &mut self.k] {
            axes.merge();
        }
        // Next comes the axis that continues the contiguous run of B: reads are longer then.
        if let [first, next, rest @ ..] = &mut self.n.axes[..]
            && first.strides[0] != 1
            && next.strides[0] == 1
            && let Some(i) = rest.iter().position(|axis| axis.strides[0] == next.extent)
        {
            rest[..=i].rotate_right(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use layout_core::engine::DynLayout;

    #[test]
    fn a_product_has_the_same_pairs_in_each_order() {
        let matrix = |text| DynLayout::parse(text).unwrap();
        let (a, b) = (matrix("((3,4),(2,5)):((4,1),(60,12))"), matrix("(10,7):(3,30)"));
        let c = matrix("((3,4),7):((1,21),3)");
        let pairs = |axes: &Axes| {
            let mut pairs = vec![(0, [0, 0])];
            for &Axis { extent, strides: [x, y], coordinate_stride } in &axes.axes {
                pairs = pairs
                    .iter()
                    .flat_map(|&(at, [i, j])| {
                        (0..extent)
                            .map(move |e| (at + e * coordinate_stride, [i + e * x, j + e * y]))
                    })
                    .collect();
            }
            pairs.sort_unstable();
            pairs
        };
        let mut operands = Operands::new(MatrixLayout::all([&a, &b, &c])).unwrap();
        let all = |of: &Operands| [&of.m, &of.n, &of.k].map(pairs);
        let before = all(&operands);
        operands = operands.transposed();
        operands.order(4);
        assert_eq!(operands.n.axes[0].strides[1], 1);
        assert_eq!(before, all(&operands.transposed()));
    }

    #[test]
    fn steps_that_no_operand_tells_apart_are_counted() {
        let (a, b) = ("(4,(2,3,7)):(1,(0,0,4))", "((2,3,7),5):((0,0,1),7)");
        let matrix = |text| DynLayout::parse(text).unwrap();
        let operands =
            Operands::new([&matrix(a), &matrix(b), &matrix("(4,5):(1,4)")].map(MatrixLayout::new));
        let operands = operands.unwrap();
        assert_eq!((operands.multiplicity, operands.k.size()), (6, 7));
    }
}
