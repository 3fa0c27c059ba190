//! Coordinates: maps 1-D, R-D and h-D coordinates to offsets, and indices to coordinates.

use crate::engine::cursor::Cursor;
use crate::engine::int_tuple::IntTuple;
use crate::engine::layout::DynLayout;
use crate::error::LayoutError;

impl DynLayout {
    /// The offset of a coordinate: `L(c) = sum of c_i * d_i`.
    ///
    /// If the coordinate has an integer where the shape has a tuple, the integer counts through that
    /// tuple colexicographically (leftmost fastest). So one integer is a 1-D coordinate, one integer
    /// per mode an R-D coordinate, and a tuple congruent to the shape an h-D coordinate.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, IntTuple};
    /// let l = DynLayout::parse("(2,(2,2)):(4,(1,2))").unwrap();
    /// assert_eq!(l.offset_of(&IntTuple::leaf(5)), Ok(6)); // 1-D
    /// assert_eq!(l.offset_of(&IntTuple::parse("(1,2)").unwrap()), Ok(6)); // R-D
    /// assert_eq!(l.offset_of(&IntTuple::parse("(1,(0,1))").unwrap()), Ok(6)); // h-D
    /// ```
    ///
    /// # Errors
    ///
    /// If the coordinate does not fit the nesting of the shape, or lies outside it.
    #[doc(alias = "crd2idx")]
    pub const fn offset_of(&self, coordinate: &IntTuple) -> Result<usize, LayoutError> {
        match self.locate(coordinate) {
            Some(offset) => Ok(offset),
            None => Err(self.misfit(coordinate)),
        }
    }

    /// The offset of a coordinate; `None` if the coordinate does not fit.
    pub(crate) const fn locate(&self, coordinate: &IntTuple) -> Option<usize> {
        let (mut cursor, mut offset) = (Cursor::new(self), 0);
        repeat!(i, 0..coordinate.len(), {
            if !cursor.enter(coordinate.open(i)) {
                return None;
            }
            match cursor.index(coordinate.at(i)) {
                Some(step) => offset += step,
                None => return None,
            }
            if !cursor.leave(coordinate.close(i)) {
                return None;
            }
        });
        Some(offset)
    }

    /// The first error of a coordinate that does not fit.
    #[cold]
    const fn misfit(&self, coordinate: &IntTuple) -> LayoutError {
        let shape = self.shape();
        if coordinate.is_int() {
            let (coordinate, extent) = (coordinate.at(0), self.size());
            return LayoutError::CoordinateOutOfRange { coordinate, extent };
        }
        if !shape.is_int() && coordinate.rank() == shape.rank() {
            let mut i = 0;
            while i < coordinate.rank() {
                let (layout, coordinate) = (self.mode(i), coordinate.mode(i));
                if layout.locate(&coordinate).is_none() {
                    return layout.misfit(&coordinate);
                }
                i += 1;
            }
        }
        LayoutError::CoordinateProfile { coordinate: *coordinate, shape }
    }

    /// The offsets of all 1-D coordinates, in their order.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// let rows = DynLayout::parse("(2,4):(4,1)").unwrap();
    /// assert!(rows.table().eq([0, 4, 1, 5, 2, 6, 3, 7]));
    /// ```
    pub fn table(&self) -> impl ExactSizeIterator<Item = usize> + DoubleEndedIterator {
        let layout = *self;
        (0..self.size()).map(move |index| layout.offset_of_index(index))
    }

    /// The offset of a 1-D coordinate below [`size`](Self::size). Beyond the size the last leaf is
    /// unbounded.
    pub const fn offset_of_index(&self, mut index: usize) -> usize {
        let (mut offset, mut i) = (0, 0);
        while i + 1 < self.len() {
            let extent = self.extent_at(i);
            if extent == 0 {
                return 0;
            }
            offset += (index % extent) * self.stride_at(i);
            index /= extent;
            i += 1;
        }
        offset + index * self.stride_at(i)
    }
}

impl IntTuple {
    /// The h-D coordinate, congruent to this shape, of a 1-D coordinate.
    ///
    /// ```
    /// use static_layout::engine::IntTuple;
    /// let shape = IntTuple::parse("(3,(2,3))").unwrap();
    /// assert_eq!(shape.idx2crd(16).unwrap().to_string(), "(1,(1,2))");
    /// ```
    ///
    /// # Errors
    ///
    /// If the index is not below the shape's size.
    #[inline]
    pub const fn idx2crd(&self, index: usize) -> Result<Self, LayoutError> {
        let size = attempt!(self.product());
        if index >= size {
            return Err(LayoutError::CoordinateOutOfRange { coordinate: index, extent: size });
        }
        let mut leaves = [0; crate::engine::MAX_LEAVES];
        let mut rest = index;
        repeat!(i, 0..self.len(), {
            leaves[i] = rest % self.at(i);
            rest /= self.at(i);
        });
        Ok(self.with_leaves(&leaves))
    }

    /// The 1-D coordinate in this shape of any coordinate.
    ///
    /// ```
    /// use static_layout::engine::IntTuple;
    /// let shape = IntTuple::parse("(3,(2,3))").unwrap();
    /// let index = |text| shape.crd2idx(&IntTuple::parse(text).unwrap());
    /// assert_eq!((index("(1,(1,2))"), index("(1,5)"), index("16")), (Ok(16), Ok(16), Ok(16)));
    /// ```
    ///
    /// # Errors
    ///
    /// If the coordinate does not fit the nesting of the shape, or lies outside it.
    pub const fn crd2idx(&self, coordinate: &Self) -> Result<usize, LayoutError> {
        attempt!(DynLayout::make(self)).offset_of(coordinate)
    }

    /// The h-D coordinate, congruent to this shape, of any coordinate.
    ///
    /// ```
    /// use static_layout::engine::IntTuple;
    /// let shape = IntTuple::parse("(3,(2,3))").unwrap();
    /// let coordinate = IntTuple::flat(&[1, 5])?;
    /// assert_eq!(shape.natural_coordinate(&coordinate)?.to_string(), "(1,(1,2))");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the coordinate does not fit the nesting of the shape, or lies outside it.
    #[doc(alias = "idx2crd")]
    pub const fn natural_coordinate(&self, coordinate: &Self) -> Result<Self, LayoutError> {
        if coordinate.is_int() {
            return self.idx2crd(coordinate.at(0));
        }
        if self.is_int() || coordinate.rank() != self.rank() {
            let (coordinate, shape) = (*coordinate, *self);
            return Err(LayoutError::CoordinateProfile { coordinate, shape });
        }
        let mut natural = Self::EMPTY;
        repeat!(i, 0..self.rank(), {
            let mode = attempt!(self.mode(i).natural_coordinate(&coordinate.mode(i)));
            natural = attempt!(natural.push(&mode));
        });
        Ok(natural.parenthesised())
    }

    /// Converts a coordinate in this shape to one in the shape `target`: mode by mode while all
    /// three are tuples, and below that through the 1-D coordinate.
    ///
    /// ```
    /// use static_layout::engine::IntTuple;
    /// let shape = |text| IntTuple::parse(text).unwrap();
    /// let coordinate = shape("((4,16),4)").crd2crd(&shape("(7,2)"), &shape("(64,(2,2))"))?;
    /// assert_eq!(coordinate.to_string(), "(7,(0,1))");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the coordinate does not fit the nesting of one of the shapes, or lies outside it.
    #[inline]
    pub const fn crd2crd(&self, coordinate: &Self, target: &Self) -> Result<Self, LayoutError> {
        if coordinate.is_int() || self.is_int() || target.is_int() {
            return target.idx2crd(attempt!(self.crd2idx(coordinate)));
        }
        if coordinate.rank() != self.rank() || coordinate.rank() != target.rank() {
            let shape = if coordinate.rank() != self.rank() { *self } else { *target };
            return Err(LayoutError::CoordinateProfile { coordinate: *coordinate, shape });
        }
        let mut result = Self::EMPTY;
        repeat!(i, 0..coordinate.rank(), {
            let mode = self.mode(i).crd2crd(&coordinate.mode(i), &target.mode(i));
            result = attempt!(result.push(&attempt!(mode)));
        });
        Ok(result.parenthesised())
    }
}
