//! Slices: the part of a layout at a coordinate, and the tiles and partitions built on it.

use crate::engine::cursor::Cursor;
use crate::engine::int_tuple::IntTuple;
use crate::engine::layout::DynLayout;
use crate::engine::slicer::Slicer;
use crate::engine::tiler::Tiler;
use crate::error::{AlgebraError, LayoutError};

impl DynLayout {
    /// The modes that a coordinate keeps with `_`. Modes kept inside a tuple are spliced into one
    /// list.
    ///
    /// `slice(L, c)(k) + L(c with _ = 0) = L(c with _ = k)`.
    ///
    /// ```
    /// use static_layout::engine::{algebra, Slicer, DynLayout};
    /// let l = DynLayout::parse("(2,(4,3),9):(108,(1,36),4)").unwrap();
    /// let kept = algebra::slice(&l, &Slicer::parse("(_,(_,0),_)").unwrap())?;
    /// assert_eq!(kept.to_string(), "(2,4,9):(108,1,4)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::SliceProfile`] if the coordinate does not fit the nesting of the shape;
    /// [`LayoutError::CoordinateOutOfRange`]; [`AlgebraError::NothingKept`] without a `_`.
    pub(crate) const fn slice(&self, coordinate: &Slicer) -> Result<Self, LayoutError> {
        Ok(attempt!(self.slice_and_offset(coordinate)).0)
    }

    /// The modes that a coordinate fixes with an integer.
    ///
    /// ```
    /// use static_layout::engine::{algebra, Slicer, DynLayout};
    /// let l = DynLayout::parse("(2,7,2):(3,8,1)").unwrap();
    /// let fixed = algebra::dice(&l, &Slicer::parse("(1,1,_)").unwrap())?;
    /// assert_eq!(fixed.to_string(), "(2,7):(3,8)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::SliceProfile`], [`AlgebraError::NothingKept`] without an integer. The values
    /// of the integers are ignored.
    pub(crate) const fn dice(&self, coordinate: &Slicer) -> Result<Self, LayoutError> {
        self.paired_with(coordinate, false, "dice")
    }

    /// [`slice`](crate::engine::algebra::slice), and the offset of its first element: `L(c with _ = 0)`.
    ///
    /// # Errors
    ///
    /// The errors of `slice`.
    pub const fn slice_and_offset(
        &self,
        coordinate: &Slicer,
    ) -> Result<(Self, usize), LayoutError> {
        let mut kept = Self::EMPTY;
        match self.slice_into(coordinate, &mut kept) {
            Some(offset) => Ok((kept, offset)),
            None => Err(self.misfit_of_slice(coordinate)),
        }
    }

    /// Appends the modes that a coordinate keeps to `kept`, which is empty. Returns the offset of
    /// the other modes; `None` if the coordinate does not fit or keeps no mode.
    const fn slice_into(&self, coordinate: &Slicer, kept: &mut Self) -> Option<usize> {
        let values = coordinate.values_ref();
        let (mut cursor, mut offset) = (Cursor::new(self), 0);
        repeat!(i, 0..values.len(), {
            if !cursor.enter(values.open(i)) {
                return None;
            }
            if !coordinate.is_kept(i) {
                match cursor.index(values.at(i)) {
                    Some(step) => offset += step,
                    None => return None,
                }
            } else if !cursor.keep(kept) {
                return None;
            }
            if !cursor.leave(values.close(i)) {
                return None;
            }
        });
        let keeps = if coordinate.is_leaf() { kept.len() > 0 } else { kept.parenthesise_kept() };
        if keeps { Some(offset) } else { None }
    }

    /// Makes a tuple of the modes that a slice keeps; false if it keeps none.
    #[inline]
    pub(crate) const fn parenthesise_kept(&mut self) -> bool {
        if self.len() == 0 {
            return false;
        }
        self.parenthesise();
        true
    }

    /// The mode whose coordinate is out of range, for a coordinate with a part for each mode.
    pub(crate) fn misfit_mode(&self, coordinate: &Slicer) -> Option<usize> {
        let outside = |mode: usize| {
            let fixed = self.mode(mode).offset_of_fixed(&coordinate.mode(mode));
            matches!(fixed, Err(LayoutError::CoordinateOutOfRange { .. }))
        };
        if coordinate.is_leaf() || coordinate.rank() != self.rank() {
            return None;
        }
        (0..self.rank()).find(|&mode| outside(mode))
    }

    /// The error of a coordinate that does not slice the layout.
    #[cold]
    const fn misfit_of_slice(&self, coordinate: &Slicer) -> LayoutError {
        match (self.paired_with(coordinate, true, "slice"), self.offset_of_fixed(coordinate)) {
            (Err(error), _) | (_, Err(error)) => error,
            // Unreachable: a coordinate that has a slice fits.
            (Ok(layout), Ok(_)) => LayoutError::Algebra(AlgebraError::SliceProfile {
                coordinate: *coordinate,
                shape: layout.shape(),
            }),
        }
    }

    /// The layout and the offset of a coordinate: the same elements, relative to that offset.
    ///
    /// # Errors
    ///
    /// The errors of [`offset_of`](Self::offset_of).
    pub(crate) const fn domain_offset(
        &self,
        coordinate: &IntTuple,
    ) -> Result<(Self, usize), LayoutError> {
        Ok((*self, attempt!(self.offset_of(coordinate))))
    }

    /// The modes paired with `_`, or those paired with integers.
    const fn paired_with(
        &self,
        coordinate: &Slicer,
        keep: bool,
        operation: &'static str,
    ) -> Result<Self, LayoutError> {
        if coordinate.is_leaf() && coordinate.is_keep() == keep {
            return Ok(*self);
        }
        let modes = attempt!(self.push_paired(Self::EMPTY, coordinate, keep));
        refuse!(modes.len() == 0, AlgebraError::NothingKept { operation, coordinate: *coordinate });
        Ok(modes.parenthesised())
    }

    const fn push_paired(
        &self,
        mut modes: Self,
        coordinate: &Slicer,
        keep: bool,
    ) -> Result<Self, LayoutError> {
        if coordinate.is_leaf() {
            return if coordinate.is_keep() == keep { modes.push(self) } else { Ok(modes) };
        }
        attempt!(coordinate.check_profile(&self.shape()));
        repeat!(i, 0..coordinate.rank(), {
            modes = attempt!(self.mode(i).push_paired(modes, &coordinate.mode(i), keep));
        });
        Ok(modes)
    }

    /// The offset of the integers of a coordinate.
    const fn offset_of_fixed(&self, coordinate: &Slicer) -> Result<usize, LayoutError> {
        if coordinate.is_keep() {
            return Ok(0);
        }
        if coordinate.is_leaf() {
            return self.offset_of(&coordinate.values());
        }
        attempt!(coordinate.check_profile(&self.shape()));
        let mut offset = 0;
        repeat!(i, 0..coordinate.rank(), {
            offset += attempt!(self.mode(i).offset_of_fixed(&coordinate.mode(i)));
        });
        Ok(offset)
    }

    /// The tile at a coordinate of the grid of tiles, and its offset: [`zipped_divide_by`] with
    /// the rest sliced.
    ///
    /// Modes of the rest that the coordinate does not mention are kept like `_`, after the tile.
    ///
    /// ```
    /// use static_layout::engine::{algebra, Slicer, DynLayout, Tiler};
    /// let l = DynLayout::parse("(8,12):(12,1)").unwrap();
    /// let (tiler, at) = (Tiler::parse("<4, 3>").unwrap(), Slicer::parse("(1,2)").unwrap());
    /// let (tile, offset) = algebra::local_tile(&l, &tiler, &at)?;
    /// assert_eq!((tile.to_string(), offset), ("(4,3):(12,1)".to_string(), 54));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// [`zipped_divide_by`]: Self::zipped_divide_by
    ///
    /// # Errors
    ///
    /// The errors of `zipped_divide_by` and [`slice`](Self::slice).
    #[doc(alias = "inner_partition")]
    pub(crate) const fn local_tile(
        &self,
        tiler: &Tiler,
        coordinate: &Slicer,
    ) -> Result<(Self, usize), LayoutError> {
        attempt!(self.zipped_divide_by(tiler)).tile_of_grid(coordinate)
    }

    /// [`local_tile`](Self::local_tile) of a layout that is already a (tile, rest) pair.
    pub(crate) const fn tile_of_grid(
        &self,
        coordinate: &Slicer,
    ) -> Result<(Self, usize), LayoutError> {
        let rest = self.mode(1);
        let coordinate = attempt!(coordinate.padded(rest.rank()));
        let tile = attempt!(self.tile_at(&coordinate));
        Ok((tile, attempt!(rest.offset_of_fixed(&coordinate))))
    }

    /// The tile of a (tile, rest) pair, and the modes of the rest that a coordinate keeps.
    pub(crate) const fn tile_at(&self, coordinate: &Slicer) -> Result<Self, LayoutError> {
        let modes = attempt!(Self::EMPTY.push_unpacked(&self.mode(0)));
        let modes = attempt!(self.mode(1).push_paired(modes, coordinate, true));
        Ok(modes.parenthesised())
    }

    /// The elements of one thread and the offset of the first, with a layout of threads repeated
    /// over this layout: [`zipped_divide_by`] with the tile sliced.
    ///
    /// The tiler is the shape of `threads`. The thread is the coordinate whose value in `threads` is
    /// `index`, the first one if there are several.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, algebra};
    /// let l = DynLayout::parse("(8,12):(12,1)").unwrap();
    /// let threads = DynLayout::parse("(2,4):(4,1)").unwrap();
    /// let (own, offset) = algebra::local_partition(&l, &threads, 6)?;
    /// assert_eq!((own.to_string(), offset), ("(4,3):(24,4)".to_string(), 14));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// [`zipped_divide_by`]: Self::zipped_divide_by
    ///
    /// # Errors
    ///
    /// [`AlgebraError::NotInImage`] if no thread has this index, and the errors of
    /// `zipped_divide_by`.
    #[doc(alias = "outer_partition")]
    pub(crate) const fn local_partition(
        &self,
        threads: &Self,
        index: usize,
    ) -> Result<(Self, usize), LayoutError> {
        let (tiler, coordinate) = attempt!(threads.partitioner(index));
        let divided = attempt!(self.zipped_divide_by(&tiler));
        let (tile, rest) = (divided.mode(0), divided.mode(1));
        let offset = attempt!(tile.offset_of_fixed(&coordinate));
        Ok((attempt!(Self::EMPTY.push_unpacked(&rest)).parenthesised(), offset))
    }

    /// The shape of this layout of threads as a tiler, and the coordinate of the thread `index`.
    pub(crate) const fn partitioner(&self, index: usize) -> Result<(Tiler, Slicer), LayoutError> {
        let thread = attempt!(self.coordinate_of(index));
        let (mut tiler, mut coordinate) = (Tiler::NONE, Slicer::NONE);
        repeat!(i, 0..self.rank(), {
            let mode = self.mode(i).shape();
            let extent = attempt!(mode.product());
            tiler = attempt!(tiler.push(&Tiler::layout(&Self::leaf_unchecked(extent, 1))));
            let at = attempt!(mode.crd2idx(&thread.mode(i)));
            coordinate = attempt!(coordinate.push(&Slicer::index(at)));
        });
        if !self.shape().is_int() {
            (tiler, coordinate) = (tiler.enclosed(), coordinate.parenthesised());
        }
        Ok((tiler, coordinate))
    }
}

impl Slicer {
    /// Checks that this tuple has as many modes as a shape.
    pub(crate) const fn check_profile(&self, shape: &IntTuple) -> Result<(), LayoutError> {
        if shape.is_int() || self.rank() != shape.rank() {
            return Err(AlgebraError::SliceProfile { coordinate: *self, shape: *shape }.widen());
        }
        Ok(())
    }

    /// A tuple padded with `_` to `rank` modes; an integer or `_` stays as it is.
    pub(crate) const fn padded(&self, rank: usize) -> Result<Self, LayoutError> {
        if self.is_leaf() || self.rank() >= rank {
            return Ok(*self);
        }
        let mut c = Self::NONE;
        repeat!(i, 0..rank, {
            c = attempt!(c.push(&if i < self.rank() { self.mode(i) } else { Self::keep() }));
        });
        Ok(c.parenthesised())
    }
}
