//! `MatrixLayout`: the offset function of an operand, as the leaves of its two modes.

use layout_core::engine::DynLayout;

/// The leaves of the two modes of an operand.
///
/// A `DynLayout` has the same content, but it stores its shape as a tree, and takes long to copy and to
/// build.
#[derive(Clone, Copy)]
pub struct MatrixLayout<'a> {
    pub(crate) modes: [Leaves<'a>; 2],
}

/// The leaves of a mode, at least one; the first one is the fastest.
#[derive(Clone, Copy)]
pub(crate) struct Leaves<'a> {
    pub(crate) extents: &'a [usize],
    pub(crate) strides: &'a [usize],
}

impl<'a> MatrixLayout<'a> {
    /// A single element.
    pub(crate) const UNIT: MatrixLayout<'static> =
        MatrixLayout { modes: [Leaves { extents: &[1], strides: &[0] }; 2] };

    /// The matrix of a layout with two modes.
    pub(crate) const fn new(layout: &'a DynLayout) -> Self {
        Self { modes: [Leaves::of(layout, 0), Leaves::of(layout, 1)] }
    }

    /// Extents and strides, if each mode is one leaf.
    pub(crate) const fn as_strided(&self) -> Option<([usize; 2], [usize; 2])> {
        match self.modes {
            [
                Leaves { extents: [rows], strides: [row] },
                Leaves { extents: [columns], strides: [column] },
            ] => Some(([*rows, *columns], [*row, *column])),
            _ => None,
        }
    }

    /// Whether there are no elements.
    pub(crate) const fn is_empty(&self) -> bool {
        self.modes[0].size() == 0 || self.modes[1].size() == 0
    }
}

impl<'a> Leaves<'a> {
    pub(crate) const fn of(layout: &'a DynLayout, mode: usize) -> Self {
        let (first, end) = match layout.as_matrix() {
            Some(_) => (mode, mode + 1),
            None => layout.leaf_range(mode),
        };
        let [extents, strides] = [layout.extents(), layout.strides()];
        Self { extents: part(extents, first, end), strides: part(strides, first, end) }
    }

    /// Number of coordinates. Saturates: in a matrix without elements, a product may be too large.
    pub(crate) const fn size(&self) -> usize {
        let (mut size, mut i) = (1usize, 0);
        while i < self.extents.len() {
            size = self.extents[i].saturating_mul(size);
            i += 1;
        }
        size
    }
}

const fn part(all: &[usize], first: usize, end: usize) -> &[usize] {
    all.split_at(end).0.split_at(first).1
}
