//! `slice`: the part of a layout where some coordinates are fixed.

use crate::engine::int_tuple::{IntTuple, MAX_LEAVES};
use crate::engine::layout::DynLayout;
use crate::error::LayoutError;

/// A coordinate in which `..` keeps modes.
///
/// ```
/// use layout_core::engine::Slicer;
/// let second_column = Slicer::modes(&[Slicer::keep(), Slicer::index(1)])?;
/// # let _ = second_column;
/// # Ok::<(), layout_core::error::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Slicer {
    // 0 stands for a mode that is kept.
    coordinate: IntTuple,
    kept: [bool; MAX_LEAVES],
}

impl Slicer {
    /// `..`: keeps a mode, or the whole layout.
    pub const fn keep() -> Self {
        let mut slicer = Self::index(0);
        slicer.kept[0] = true;
        slicer
    }

    /// A number below the size of a mode: fixes all of its coordinates.
    pub const fn index(index: usize) -> Self {
        Self { coordinate: IntTuple::leaf(index), kept: [false; MAX_LEAVES] }
    }

    /// One part for each mode.
    ///
    /// # Errors
    ///
    /// [`LayoutError::EmptyTuple`] and [`LayoutError::TooManyLeaves`].
    pub const fn modes(modes: &[Self]) -> Result<Self, LayoutError> {
        if modes.is_empty() {
            return Err(LayoutError::EmptyTuple);
        }
        let mut slicer = Self { coordinate: IntTuple::EMPTY, kept: [false; MAX_LEAVES] };
        let mut i = 0;
        while i < modes.len() {
            let start = slicer.coordinate.len();
            slicer.coordinate = attempt!(slicer.coordinate.push(&modes[i].coordinate));
            let mut k = start;
            while k < slicer.coordinate.len() {
                slicer.kept[k] = modes[i].kept[k - start];
                k += 1;
            }
            i += 1;
        }
        slicer.coordinate = slicer.coordinate.parenthesised();
        Ok(slicer)
    }

    const fn mode(&self, i: usize) -> Self {
        let (start, end) = self.coordinate.mode_range(i);
        let mut mode = Self { coordinate: self.coordinate.mode(i), kept: [false; MAX_LEAVES] };
        let mut k = start;
        while k < end {
            mode.kept[k - start] = self.kept[k];
            k += 1;
        }
        mode
    }
}

impl DynLayout {
    /// The layout of the modes that `slicer` keeps, and the offset of the others.
    ///
    /// `L(c) = slice(kept part of c) + offset`. Modes kept inside a tuple become modes of the
    /// result, as CuTe's `slice_and_offset` has it; `..` alone is the whole layout.
    ///
    /// ```
    /// use layout_core::engine::{DynLayout, Slicer};
    /// let l = DynLayout::parse("(4,(2,3)):(6,(3,1))").unwrap();
    /// let slicer = Slicer::modes(&[
    ///     Slicer::index(2),
    ///     Slicer::modes(&[Slicer::keep(), Slicer::index(1)])?,
    /// ])?;
    /// let (slice, offset) = l.slice_and_offset(&slicer)?;
    /// assert_eq!((slice.to_string().as_str(), offset), ("(2):(3)", 13));
    /// # Ok::<(), layout_core::error::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the coordinate has other modes than the layout, a number in it lies outside, or it
    /// keeps nothing.
    #[doc(alias = "slice")]
    pub const fn slice_and_offset(&self, slicer: &Slicer) -> Result<(Self, usize), LayoutError> {
        if slicer.coordinate.is_int() && slicer.kept[0] {
            return Ok((*self, 0));
        }
        let (kept, offset) = attempt!(self.keep_modes(slicer, Self::EMPTY));
        if kept.len() == 0 {
            return Err(LayoutError::EmptyTuple);
        }
        Ok((kept.parenthesised(), offset))
    }

    /// Appends what `slicer` keeps to `kept`; the offset is that of what it fixes.
    const fn keep_modes(&self, slicer: &Slicer, kept: Self) -> Result<(Self, usize), LayoutError> {
        if slicer.coordinate.is_int() {
            if slicer.kept[0] {
                return Ok((attempt!(kept.push(self)), 0));
            }
            return Ok((kept, attempt!(self.offset_of(&slicer.coordinate))));
        }
        let shape = self.shape();
        if shape.is_int() || slicer.coordinate.rank() != shape.rank() {
            return Err(LayoutError::CoordinateProfile { coordinate: slicer.coordinate, shape });
        }
        let (mut kept, mut offset, mut i) = (kept, 0, 0);
        while i < shape.rank() {
            let (more, part) = attempt!(self.mode(i).keep_modes(&slicer.mode(i), kept));
            kept = more;
            offset += part;
            i += 1;
        }
        Ok((kept, offset))
    }
}
