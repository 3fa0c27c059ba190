//! `Cursor`: walks the modes of a layout from left to right, following the parts of a coordinate.
//!
//! A coordinate is read once, part by part: `enter` and `leave` at its parentheses, `index` at an
//! integer, `keep` at `..`. Finding an offset copies no part of the layout.

use crate::engine::layout::DynLayout;

/// A position between two modes of a layout.
#[derive(Debug)]
pub struct Cursor<'a> {
    layout: &'a DynLayout,
    /// The first leaf of the next mode.
    leaf: usize,
    /// Number of parentheses before that leaf that were entered.
    entered: u8,
    /// Number of parentheses after the previous leaf that were not left yet.
    unclosed: u8,
}

impl<'a> Cursor<'a> {
    #[inline]
    pub(crate) const fn new(layout: &'a DynLayout) -> Self {
        Self { layout, leaf: 0, entered: 0, unclosed: 0 }
    }

    /// Enters `tuples` tuples; false if the shape is not nested that deep here.
    #[inline]
    pub(crate) const fn enter(&mut self, tuples: u8) -> bool {
        if tuples == 0 {
            return true;
        }
        match self.opening() {
            Some(opening) if opening >= tuples => {
                self.entered += tuples;
                true
            }
            _ => false,
        }
    }

    /// Leaves `tuples` tuples; false if one of them has another mode.
    #[inline]
    pub(crate) const fn leave(&mut self, tuples: u8) -> bool {
        match self.unclosed.checked_sub(tuples) {
            Some(unclosed) => {
                self.unclosed = unclosed;
                true
            }
            None => false,
        }
    }

    /// Number of parentheses that open before the next mode and were not entered; `None` if the
    /// current tuple has no further mode.
    #[inline]
    const fn opening(&self) -> Option<u8> {
        if self.unclosed > 0 || self.leaf == self.layout.len() {
            return None;
        }
        Some(self.layout.parentheses_at(self.leaf).0 - self.entered)
    }

    /// Moves past the current leaf. `closing` of the tuples that end there were opened and closed by
    /// the same mode.
    #[inline]
    const fn pass(&mut self, closing: u8) {
        self.unclosed = self.layout.parentheses_at(self.leaf).1 - closing;
        self.entered = 0;
        self.leaf += 1;
    }

    /// The offset of a 1-D coordinate of the next mode; `None` if there is no such mode or the
    /// coordinate is out of range.
    #[inline]
    pub(crate) const fn index(&mut self, index: usize) -> Option<usize> {
        match self.opening() {
            Some(0) => {
                if index >= self.layout.extent_at(self.leaf) {
                    return None;
                }
                let offset = index * self.layout.stride_at(self.leaf);
                self.pass(0);
                Some(offset)
            }
            Some(depth) => self.index_tuple(depth, index),
            None => None,
        }
    }

    /// [`index`](Self::index) of a mode that is a tuple: its leaves are the digits of the index.
    #[inline]
    const fn index_tuple(&mut self, mut depth: u8, mut index: usize) -> Option<usize> {
        let mut offset = 0;
        loop {
            let (extent, stride) =
                (self.layout.extent_at(self.leaf), self.layout.stride_at(self.leaf));
            let close = self.layout.parentheses_at(self.leaf).1;
            if close >= depth {
                if index >= extent {
                    return None;
                }
                self.pass(depth);
                return Some(offset + index * stride);
            }
            if extent == 0 {
                return None;
            }
            offset += index % extent * stride;
            index /= extent;
            depth = depth - close + self.layout.parentheses_at(self.leaf + 1).0;
            self.pass(close);
        }
    }

    /// Appends the next mode to `kept`, which has room; false if there is no such mode.
    #[inline]
    pub(crate) const fn keep(&mut self, kept: &mut DynLayout) -> bool {
        let Some(mut depth) = self.opening() else { return false };
        let mut open = depth;
        loop {
            let leaf = self.leaf;
            let close = self.layout.parentheses_at(leaf).1;
            let is_last = close >= depth;
            let closing = if is_last { depth } else { close };
            let (extent, stride) = (self.layout.extent_at(leaf), self.layout.stride_at(leaf));
            kept.push_wrapped(extent, stride, open, closing);
            self.pass(closing);
            if is_last {
                return true;
            }
            open = self.layout.parentheses_at(self.leaf).0;
            depth = depth - closing + open;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coordinate_is_read_part_by_part() {
        let layout = DynLayout::parse("((2,(3,1)),5,(7)):((1,(2,9)),6,(30))").unwrap();
        let mut cursor = Cursor::new(&layout);
        assert!(cursor.enter(1) && !cursor.leave(1));
        assert_eq!(cursor.index(5), Some(1 + 2 * 2));
        assert!(!cursor.leave(1));
        assert_eq!((cursor.enter(1), cursor.index(5)), (false, None));
        assert_eq!(cursor.index(4), Some(24));
        assert!(cursor.enter(1));
        assert_eq!((cursor.enter(1), cursor.index(6)), (false, Some(180)));
        assert!(!cursor.enter(1) && cursor.index(0).is_none() && cursor.leave(2));
    }

    #[test]
    fn a_mode_is_kept_with_its_own_parentheses() {
        let layout = DynLayout::parse("(2,((3,4),5)):(1,((2,6),24))").unwrap();
        let mut cursor = Cursor::new(&layout);
        let mut kept = DynLayout::EMPTY;
        assert!(cursor.enter(1) && cursor.index(1).is_some() && cursor.keep(&mut kept));
        assert_eq!(kept.to_string(), "((3,4),5):((2,6),24)");
        assert!(!cursor.keep(&mut kept) && cursor.leave(1));
    }
}
