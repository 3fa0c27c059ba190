//! `Mode`: the offset function of one operand along one loop (M, N or K) of a product.

#[cfg(test)]
use layout_core::engine::DynLayout;
use layout_core::engine::MAX_LEAVES;

use crate::gemm::problem::matrix::{MatrixLayout, ModeLeaves};

/// Whether a loop of this extent and stride coalesces with a following loop of stride `next`, so that
/// both are one loop.
#[inline]
pub(crate) const fn coalesces(extent: usize, stride: usize, next: usize) -> bool {
    match extent.checked_mul(stride) {
        Some(end) => end == next,
        None => false,
    }
}

/// Yields extents and strides of the leaves of a mode, the fastest first. Leaves that coalesce are one, and
/// those of extent 1 are left out. At the end there is a leaf of extent 1.
pub(crate) struct Leaves<'a> {
    leaves: ModeLeaves<'a>,
    next: usize,
}

impl<'a> Leaves<'a> {
    pub(crate) const fn of(leaves: &ModeLeaves<'a>) -> Self {
        Self { leaves: *leaves, next: 0 }
    }

    pub(crate) const fn next(&mut self) -> (usize, usize) {
        let ModeLeaves { extents, strides } = self.leaves;
        let mut leaf = (1, 0);
        while self.next < extents.len() {
            let (extent, stride) = (extents[self.next], strides[self.next]);
            leaf = match leaf {
                _ if extent == 1 => leaf,
                (1, _) => (extent, stride),
                // Saturates as in `ModeLeaves::size`.
                (size, step) if coalesces(size, step, stride) => {
                    (size.saturating_mul(extent), step)
                }
                _ => break,
            };
            self.next += 1;
        }
        leaf
    }
}

/// One coalesced mode of a matrix: its leaves, as a function from coordinates to offsets.
#[derive(Clone, Copy)]
pub(crate) struct Mode {
    len: usize,
    size: usize,
    extents: [usize; MAX_LEAVES],
    strides: [usize; MAX_LEAVES],
}

impl Mode {
    /// Mode with a single coordinate, at offset 0.
    pub(crate) const UNIT: Self = Self::leaf(1, 0);

    /// `extent` coordinates with stride `stride`. With at most one coordinate the stride does not
    /// matter, and 0 is stored.
    pub(crate) const fn leaf(extent: usize, stride: usize) -> Self {
        let mut mode =
            Self { len: 1, size: extent, extents: [0; MAX_LEAVES], strides: [0; MAX_LEAVES] };
        mode.extents[0] = extent;
        mode.strides[0] = if extent > 1 { stride } else { 0 };
        mode
    }

    /// Parses a layout as one mode.
    #[cfg(test)]
    pub(crate) fn parse(text: &str) -> Self {
        let layout = DynLayout::parse(text).unwrap();
        Self::of_leaves(&ModeLeaves::all(&layout))
    }

    /// Both modes of a matrix with these extents and strides, see [`of`](Self::of).
    pub(crate) const fn strided(([m, n], [row, column]): ([usize; 2], [usize; 2])) -> [Self; 2] {
        let [row, column] = if m == 0 || n == 0 { [0; 2] } else { [row, column] };
        [Self::leaf(m, row), Self::leaf(n, column)]
    }

    /// Mode `i` of a layout. If the layout has no elements, all strides are set to 0: its offsets are
    /// never used, and its strides may have any value.
    pub(crate) const fn of(layout: &MatrixLayout<'_>, i: usize) -> Self {
        let leaves = &layout.modes[i];
        if layout.is_empty() { Self::leaf(leaves.size(), 0) } else { Self::of_leaves(leaves) }
    }

    /// Both modes of a layout.
    pub(crate) const fn both(layout: &MatrixLayout<'_>) -> [Self; 2] {
        [Self::of(layout, 0), Self::of(layout, 1)]
    }

    /// The mode with these leaves.
    pub(crate) const fn of_leaves(leaves: &ModeLeaves<'_>) -> Self {
        let mut mode = Self { len: 0, size: 1, extents: [0; MAX_LEAVES], strides: [0; MAX_LEAVES] };
        let mut leaves = Leaves::of(leaves);
        loop {
            let (extent, stride) = leaves.next();
            if extent == 1 {
                return if mode.len == 0 { Self::UNIT } else { mode };
            }
            mode.extents[mode.len] = extent;
            mode.strides[mode.len] = stride;
            mode.len += 1;
            mode.size *= extent;
        }
    }

    /// Number of leaves.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Extent and stride of a leaf. (Cheaper in constant evaluation than the slices below.)
    pub(crate) const fn at(&self, leaf: usize) -> (usize, usize) {
        (self.extents[leaf], self.strides[leaf])
    }

    /// Number of coordinates.
    #[inline]
    pub(crate) const fn size(&self) -> usize {
        self.size
    }

    /// Extents of the leaves.
    #[inline]
    pub(crate) const fn extents(&self) -> &[usize] {
        self.extents.split_at(self.len).0
    }

    /// Strides of the leaves.
    #[cfg(test)]
    pub(crate) const fn strides(&self) -> &[usize] {
        self.strides.split_at(self.len).0
    }

    /// Offset of a coordinate. Coordinates past the end continue along the last leaf.
    #[inline]
    pub(crate) const fn offset(&self, mut coordinate: usize) -> usize {
        let (mut offset, mut i) = (0, 0);
        while i + 1 < self.len {
            if self.extents[i] == 0 {
                return 0;
            }
            offset += coordinate % self.extents[i] * self.strides[i];
            coordinate /= self.extents[i];
            i += 1;
        }
        offset + coordinate * self.strides[i]
    }

    /// Whether each block of `lanes` coordinates, counted from 0, is contiguous (stride 1). The last
    /// block may be shorter.
    pub(crate) const fn blocks_are_contiguous(&self, lanes: usize) -> bool {
        self.size == 1
            || self.strides[0] == 1 && (self.len == 1 || self.extents[0].is_multiple_of(lanes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use layout_core::engine::{IntTuple, algebra};

    fn next(state: &mut u32, n: u32) -> usize {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((*state >> 16) % n) as usize
    }

    /// A random layout of up to three leaves, and its coalesced mode.
    fn mode(state: &mut u32) -> (DynLayout, Mode) {
        let rank = 1 + next(state, 3);
        let shape: Vec<usize> = (0..rank).map(|_| 1 + next(state, 6)).collect();
        let stride: Vec<usize> = (0..rank).map(|_| 1 + next(state, 12)).collect();
        let (shape, stride) = (IntTuple::flat(&shape).unwrap(), IntTuple::flat(&stride).unwrap());
        let layout = DynLayout::new(&shape, &stride).unwrap();
        let mode = Mode::of_leaves(&ModeLeaves::all(&layout));
        (layout, mode)
    }

    #[test]
    fn a_mode_is_the_same_function() {
        let mut state = 3;
        for _ in 0..2000 {
            let (layout, mode) = mode(&mut state);
            assert_eq!(mode.size(), layout.size());
            assert_eq!(mode.extents(), algebra::coalesce(&layout).extents());
            for i in 0..mode.size() {
                assert_eq!(mode.offset(i), layout.offset_of_index(i), "{layout}");
            }
        }
    }

    #[test]
    fn runs_are_consecutive() {
        let mut state = 2;
        let mut seen = [0; 2];
        for _ in 0..5000 {
            let (layout, mode) = mode(&mut state);
            let lanes = 1 << next(&mut state, 5);
            let claimed = mode.blocks_are_contiguous(lanes);
            if claimed {
                for i in 0..mode.size() {
                    let start = i / lanes * lanes;
                    let expected = mode.offset(start) + i - start;
                    assert_eq!(mode.offset(i), expected, "{layout} by {lanes}");
                }
            }
            seen[claimed as usize] += 1;
        }
        assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
    }
}
