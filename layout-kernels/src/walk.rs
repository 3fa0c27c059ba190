//! `Walk`: every coordinate of a layout in turn, with its offset.

use layout_core::engine::{DynLayout, MAX_LEAVES};

/// The coordinates of a layout in colexicographic order (leftmost mode fastest), without a
/// division.
#[derive(Clone)]
pub(crate) struct Walk {
    layout: DynLayout,
    digits: [usize; MAX_LEAVES],
    modes: [usize; MAX_LEAVES],
    sizes: [usize; MAX_LEAVES],
    offset: usize,
    index: usize,
    size: usize,
}

impl Walk {
    pub(crate) fn new(layout: &DynLayout) -> Self {
        let mut sizes = [0; MAX_LEAVES];
        for (i, size) in sizes.iter_mut().take(layout.rank()).enumerate() {
            // What overflows is in an empty layout, in which no step is made.
            *size = layout.shape().mode(i).product().unwrap_or(0);
        }
        Self {
            layout: *layout,
            digits: [0; MAX_LEAVES],
            modes: [0; MAX_LEAVES],
            sizes,
            offset: 0,
            index: 0,
            size: layout.size(),
        }
    }

    /// One number for each mode, and the offset there; nothing after the last coordinate.
    #[inline]
    pub(crate) fn step(&mut self) -> Option<(&[usize], usize)> {
        if self.index == self.size {
            return None;
        }
        if self.index > 0 {
            self.advance();
        }
        self.index += 1;
        Some((&self.modes[..self.layout.rank()], self.offset))
    }

    #[inline]
    fn advance(&mut self) {
        let leaves = self.layout.extents().iter().zip(self.layout.strides());
        for (digit, (&extent, &stride)) in self.digits.iter_mut().zip(leaves) {
            *digit += 1;
            // Wrapping: the stride of a leaf of extent 1 can be any number, and goes out again.
            self.offset = self.offset.wrapping_add(stride);
            if *digit < extent {
                break;
            }
            self.offset = self.offset.wrapping_sub(stride.wrapping_mul(extent));
            *digit = 0;
        }
        for (mode, &size) in self.modes.iter_mut().zip(&self.sizes[..self.layout.rank()]) {
            *mode += 1;
            if *mode < size {
                break;
            }
            *mode = 0;
        }
    }
}

/// The elements of a view in the order of their coordinates, leftmost mode fastest.
pub struct Iter<'a, T> {
    data: &'a [T],
    walk: Walk,
}

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Self { data: self.data, walk: self.walk.clone() }
    }
}

impl<'a, T> Iter<'a, T> {
    pub(crate) fn new(data: &'a [T], layout: &DynLayout) -> Self {
        Self { data, walk: Walk::new(layout) }
    }
}

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        let (_, offset) = self.walk.step()?;
        Some(&self.data[offset])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.walk.size - self.walk.index;
        (left, Some(left))
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}

impl<T> core::fmt::Debug for Iter<'_, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Iter({}, at {})", self.walk.layout, self.walk.index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use layout_core::engine::{IntTuple, MAX_SIZE};

    fn layout(shape: IntTuple, stride: IntTuple) -> DynLayout {
        DynLayout::new(&shape, &stride).unwrap()
    }

    #[test]
    fn offsets_are_those_of_the_layout() {
        let leaf = IntTuple::leaf;
        let nested =
            layout(leaf(3).pair(&leaf(2).pair(&leaf(4))), leaf(1).pair(&leaf(12).pair(&leaf(3))));
        let layouts = [
            layout(leaf(5), leaf(7)),
            layout(leaf(1), leaf(MAX_SIZE)),
            layout(leaf(4).pair(&leaf(3)), leaf(0).pair(&leaf(2))),
            nested,
        ];
        for l in layouts {
            let mut walk = Walk::new(&l);
            for i in 0..l.size() {
                let (modes, offset) = walk.step().unwrap();
                assert_eq!(offset, l.offset_of_index(i), "{l} at {i}");
                let mode_by_mode: usize =
                    modes.iter().enumerate().map(|(k, &c)| l.mode(k).offset_of_index(c)).sum();
                assert_eq!(offset, mode_by_mode, "{l} at {modes:?}");
            }
            assert!(walk.step().is_none());
        }
    }

    #[test]
    fn an_empty_layout_has_no_coordinates() {
        let l = layout(
            IntTuple::leaf(4).pair(&IntTuple::leaf(0)),
            IntTuple::leaf(1).pair(&IntTuple::leaf(4)),
        );
        assert!(Walk::new(&l).step().is_none());
    }
}
