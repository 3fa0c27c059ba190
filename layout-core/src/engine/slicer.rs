//! `Slicer`: a coordinate with `_` for the modes to keep. Rust code writes `..` for `_`.

use core::fmt;

use crate::const_text::ConstText;
use crate::engine::int_tuple::{IntTuple, MAX_LEAVES};
use crate::error::LayoutError;

/// A coordinate whose leaves are integers, or `_` where a slice keeps the mode.
///
/// ```
/// use static_layout::engine::{Slicer, DynLayout};
/// const ROW: Slicer = match Slicer::modes(&[Slicer::index(3), Slicer::keep()]) {
///     Ok(coordinate) => coordinate,
///     Err(e) => e.panic(),
/// };
/// assert_eq!(ROW.to_string(), "(3,_)");
/// let rows = DynLayout::parse("(4,12):(12,1)").unwrap();
/// let (row, offset) = rows.slice_and_offset(&ROW)?;
/// assert_eq!((row.to_string(), offset), ("(12):(1)".to_string(), 36));
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slicer {
    // The integers; 0 stands for `_`.
    values: IntTuple,
    // For each leaf, whether it is `_`; false beyond the last one.
    kept: [bool; MAX_LEAVES],
}

impl Slicer {
    /// `_`: keeps the mode.
    pub const fn keep() -> Self {
        let mut c = Self::index(0);
        c.kept[0] = true;
        c
    }

    /// An integer: a 1-D coordinate.
    pub const fn index(value: usize) -> Self {
        Self::at(&IntTuple::leaf(value))
    }

    /// A coordinate without `_`.
    pub const fn at(values: &IntTuple) -> Self {
        Self { values: *values, kept: [false; MAX_LEAVES] }
    }

    /// The coordinate `(parts..)`.
    ///
    /// # Errors
    ///
    /// [`LayoutError::EmptyTuple`], [`LayoutError::TooManyLeaves`], [`LayoutError::TooDeep`].
    pub const fn modes(parts: &[Self]) -> Result<Self, LayoutError> {
        refuse!(parts.is_empty(), LayoutError::EmptyTuple);
        let mut c = Self::NONE;
        repeat!(i, 0..parts.len(), {
            c = attempt!(c.push(&parts[i]));
        });
        let c = c.parenthesised();
        attempt!(c.values.check_depth());
        Ok(c)
    }

    /// No leaves: the start of a [`push`](Self::push) loop.
    pub(crate) const NONE: Self = Self::at(&IntTuple::EMPTY);

    pub(crate) const fn push(mut self, part: &Self) -> Result<Self, LayoutError> {
        let start = self.values.len();
        self.values = attempt!(self.values.push(&part.values));
        repeat!(i, 0..part.values.len(), {
            self.kept[start + i] = part.kept[i];
        });
        Ok(self)
    }

    pub(crate) const fn parenthesised(mut self) -> Self {
        self.values = self.values.parenthesised();
        self
    }

    /// All leaves in one tuple; an integer or `_` stays as it is.
    pub(crate) const fn flattened(mut self) -> Self {
        self.values = self.values.flattened();
        self
    }

    /// The coordinate with 0 for every `_`.
    pub const fn values(&self) -> IntTuple {
        self.values
    }

    pub(crate) const fn values_ref(&self) -> &IntTuple {
        &self.values
    }

    /// Whether leaf `i` is `_`.
    pub(crate) const fn is_kept(&self, i: usize) -> bool {
        self.kept[i]
    }

    /// Whether this is `_`.
    pub const fn is_keep(&self) -> bool {
        self.values.is_int() && self.kept[0]
    }

    /// Whether it contains a `_`.
    pub fn keeps(&self) -> bool {
        self.kept.contains(&true)
    }

    /// Whether this is one integer or `_`, not a tuple.
    pub const fn is_leaf(&self) -> bool {
        self.values.is_int()
    }

    /// The number of modes: 1 for an integer and `_`.
    pub const fn rank(&self) -> usize {
        self.values.rank()
    }

    /// Mode `i`; mode 0 of an integer or of `_` is itself.
    ///
    /// # Panics
    ///
    /// If `i` is not below [`rank`](Self::rank).
    pub const fn mode(&self, i: usize) -> Self {
        let (start, end) = self.values.mode_range(i);
        let mut c = Self::at(&self.values.mode(i));
        repeat!(k, start..end, {
            c.kept[k - start] = self.kept[k];
        });
        c
    }
}

impl From<IntTuple> for Slicer {
    fn from(values: IntTuple) -> Self {
        Self::at(&values)
    }
}

impl fmt::Display for Slicer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // At most 32 leaves, so it is only cut, with `...`, for numbers of more than 15 digits each.
        f.write_str(ConstText::new().slicer(self).as_str())
    }
}

debug_as_display!(Slicer);
