//! `MatrixLayout`: the offset function of an operand, as the leaves of its two modes.

use layout_core::engine::DynLayout;

use crate::gemm::problem::mode::Leaves;
#[cfg(feature = "std")]
use crate::gemm::problem::strided::Matrix;

/// The leaves of the two modes of an operand.
///
/// A `DynLayout` has the same content, but it stores its shape as a tree, and takes long to copy and to
/// build.
#[derive(Clone, Copy)]
pub(crate) struct MatrixLayout<'a> {
    pub(crate) modes: [ModeLeaves<'a>; 2],
}

/// The leaves of a mode, at least one; the first one is the fastest.
#[derive(Clone, Copy)]
pub(crate) struct ModeLeaves<'a> {
    pub(crate) extents: &'a [usize],
    pub(crate) strides: &'a [usize],
}

impl<'a> MatrixLayout<'a> {
    /// A single element.
    pub(crate) const UNIT: MatrixLayout<'static> =
        MatrixLayout { modes: [ModeLeaves { extents: &[1], strides: &[0] }; 2] };

    /// The matrix of a layout with two modes.
    pub(crate) const fn new(layout: &'a DynLayout) -> Self {
        let (extents, strides) = (layout.extents(), layout.strides());
        let first = match layout.as_matrix() {
            Some(_) => 1,
            None => layout.leaf_range(0).1,
        };
        let (extents, strides) = (extents.split_at(first), strides.split_at(first));
        let rows = ModeLeaves { extents: extents.0, strides: strides.0 };
        Self { modes: [rows, ModeLeaves { extents: extents.1, strides: strides.1 }] }
    }

    /// The matrix with these extents and strides.
    #[cfg(feature = "std")]
    pub(crate) fn strided((extents, strides): &'a Matrix) -> Self {
        let mode = |i: usize| ModeLeaves { extents: &extents[i..=i], strides: &strides[i..=i] };
        Self { modes: [mode(0), mode(1)] }
    }

    /// The matrices of A, B and C.
    pub(crate) const fn all([a, b, c]: [&'a DynLayout; 3]) -> [Self; 3] {
        [Self::new(a), Self::new(b), Self::new(c)]
    }

    /// Extents and strides, if each mode has one constant stride.
    #[inline(always)]
    pub(crate) const fn as_strided(&self) -> Option<([usize; 2], [usize; 2])> {
        match (self.modes[0].as_leaf(), self.modes[1].as_leaf()) {
            (Some((rows, row)), Some((columns, column))) => Some(([rows, columns], [row, column])),
            _ => None,
        }
    }

    /// Whether each mode has one constant stride, and columns or rows are contiguous.
    pub(crate) fn is_contiguous(&self) -> bool {
        self.as_strided()
            .is_some_and(|([m, n], [row, column])| m == 1 || row == 1 || n == 1 || column == 1)
    }

    /// Number of elements from the first one to the last one. Saturates.
    pub(crate) fn reach(&self) -> usize {
        let leaves = self.modes.iter().flat_map(|mode| mode.extents.iter().zip(mode.strides));
        leaves.fold(1, |reach: usize, (extent, stride)| {
            reach.saturating_add(extent.saturating_sub(1).saturating_mul(*stride))
        })
    }

    /// Whether there are no elements.
    pub(crate) const fn is_empty(&self) -> bool {
        self.modes[0].size() == 0 || self.modes[1].size() == 0
    }
}

impl<'a> ModeLeaves<'a> {
    /// The leaves of a mode of a layout.
    #[inline]
    pub(crate) const fn of(layout: &'a DynLayout, mode: usize) -> Self {
        let (first, end) = layout.leaf_range(mode);
        Self {
            extents: layout.extents().split_at(end).0.split_at(first).1,
            strides: layout.strides().split_at(end).0.split_at(first).1,
        }
    }

    /// All leaves of a layout, as one mode.
    #[cfg(test)]
    pub(crate) const fn all(layout: &'a DynLayout) -> Self {
        Self { extents: layout.extents(), strides: layout.strides() }
    }

    /// Extent and stride of the mode as one leaf, if its leaves coalesce.
    #[inline(always)]
    const fn as_leaf(&self) -> Option<(usize, usize)> {
        match (self.extents, self.strides) {
            ([extent], [stride]) => Some((*extent, *stride)),
            _ => self.coalesced(),
        }
    }

    const fn coalesced(&self) -> Option<(usize, usize)> {
        let mut leaves = Leaves::of(self);
        let leaf = leaves.next();
        if leaves.next().0 == 1 { Some(leaf) } else { None }
    }

    /// Whether no leaf has the same or a smaller stride than one before. Stride 0 is the largest.
    pub(crate) const fn is_in_order(&self) -> bool {
        let (mut last, mut i) = (None, 0);
        while i < self.extents.len() {
            let stride = self.strides[i].wrapping_sub(1);
            if self.extents[i] != 1 {
                if matches!(last, Some(last) if stride <= last) {
                    return false;
                }
                last = Some(stride);
            }
            i += 1;
        }
        true
    }

    /// Number of coordinates. Saturates: in a matrix without elements, a product may be too large.
    #[inline]
    pub(crate) const fn size(&self) -> usize {
        let (mut size, mut i) = (1usize, 0);
        while i < self.extents.len() {
            size = self.extents[i].saturating_mul(size);
            i += 1;
        }
        size
    }
}
