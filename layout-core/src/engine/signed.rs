//! `SignedTuple`: an integer or a tuple of integers of either sign.

use core::fmt::{self, Write};

use crate::engine::int_tuple::{IntTuple, MAX_LEAVES};
use crate::error::LayoutError;

/// A value of a [`CoordinateLayout`](crate::engine::CoordinateLayout): an integer or a tuple of
/// integers, possibly negative.
///
/// ```
/// use static_layout::engine::{SignedTuple, IntTuple};
/// let c = SignedTuple::tuple(&[SignedTuple::integer(-3), SignedTuple::integer(4)])?;
/// assert_eq!(c.to_string(), "(-3,4)");
/// assert_eq!((c.as_integer(), c.int_tuple()), (None, None));
/// let inside = SignedTuple::from(IntTuple::flat(&[3, 4])?);
/// assert_eq!(inside.int_tuple(), Some(IntTuple::flat(&[3, 4])?));
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SignedTuple {
    // The tree structure only. Its integers are 0.
    tree: IntTuple,
    // Zero beyond the leaves.
    values: [isize; MAX_LEAVES],
}

impl SignedTuple {
    /// One integer.
    pub const fn integer(value: isize) -> Self {
        let mut c = Self { tree: IntTuple::leaf(0), values: [0; MAX_LEAVES] };
        c.values[0] = value;
        c
    }

    /// The tuple of `parts`.
    ///
    /// # Errors
    ///
    /// [`LayoutError::EmptyTuple`], [`LayoutError::TooManyLeaves`], [`LayoutError::TooDeep`].
    #[inline]
    pub fn tuple(parts: &[Self]) -> Result<Self, LayoutError> {
        refuse!(parts.is_empty(), LayoutError::EmptyTuple);
        let (mut tree, mut values) = (IntTuple::EMPTY, [0; MAX_LEAVES]);
        for part in parts {
            let start = tree.len();
            tree = tree.push(&part.tree)?;
            values[start..tree.len()].copy_from_slice(part.values());
        }
        let tree = tree.parenthesised();
        tree.check_depth()?;
        Ok(Self { tree, values })
    }

    pub(crate) const fn of_values(tree: &IntTuple, values: [isize; MAX_LEAVES]) -> Self {
        Self { tree: *tree, values }
    }

    /// All leaves in one tuple; an integer stays an integer.
    pub(crate) const fn flattened(mut self) -> Self {
        self.tree = self.tree.flattened();
        self
    }

    /// The integers at the leaves, left to right.
    #[inline]
    pub const fn values(&self) -> &[isize] {
        self.values.split_at(self.tree.len()).0
    }

    /// The integer; `None` for a tuple.
    pub const fn as_integer(&self) -> Option<isize> {
        if self.tree.is_int() { Some(self.values[0]) } else { None }
    }

    /// Converts to an `IntTuple`; `None` if something is negative.
    #[inline]
    pub const fn int_tuple(&self) -> Option<IntTuple> {
        let mut leaves = [0; MAX_LEAVES];
        repeat!(i, 0..self.tree.len(), {
            if self.values[i] < 0 {
                return None;
            }
            leaves[i] = self.values[i] as usize;
        });
        Some(self.tree.with_leaves(&leaves))
    }
}

impl From<IntTuple> for SignedTuple {
    #[inline]
    fn from(tuple: IntTuple) -> Self {
        let mut values = [0; MAX_LEAVES];
        for (value, &leaf) in values.iter_mut().zip(tuple.leaves()) {
            // Saturates: no layout reaches further.
            *value = isize::try_from(leaf).unwrap_or(isize::MAX);
        }
        Self { tree: tuple.with_leaves(&[0; MAX_LEAVES]), values }
    }
}

impl fmt::Display for SignedTuple {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tree.write_with(f, |f, i| write!(f, "{}", self.values[i]))
    }
}

debug_as_display!(SignedTuple);

impl IntTuple {
    /// Writes this tree, with each leaf written by a callback.
    #[inline]
    pub(crate) fn write_with(
        &self,
        f: &mut fmt::Formatter<'_>,
        leaf: impl Fn(&mut fmt::Formatter<'_>, usize) -> fmt::Result,
    ) -> fmt::Result {
        for i in 0..self.len() {
            if i > 0 {
                f.write_char(',')?;
            }
            for _ in 0..self.open(i) {
                f.write_char('(')?;
            }
            leaf(f, i)?;
            for _ in 0..self.close(i) {
                f.write_char(')')?;
            }
        }
        Ok(())
    }
}
