//! `IntTuple`: an integer, or a tuple of `IntTuple`s, in a fixed-size flat form.

use core::fmt::{self, Write};
use core::ops::Index;

use crate::error::{AlgebraError, LayoutError, NotationError};

/// The maximum number of leaves of a shape, a stride or a layout.
pub const MAX_LEAVES: usize = 32;

/// The maximum nesting depth of a tuple.
pub const MAX_DEPTH: usize = 32;

/// The largest size, cosize or offset: everything stays below 2^63, or 2^31 if `usize` has 32 bits.
///
/// `generic-array` has this limit for static storage, and no allocation is larger. Run-time layouts
/// share it.
pub const MAX_SIZE: usize = isize::MAX as usize;

/// An integer, or a tuple of `IntTuple`s: a shape, a stride, a coordinate or a profile.
///
/// The tree is stored flat, without allocation: the integers at its leaves from left to right, and
/// for each leaf the number of parentheses that open before it and close after it. `4` and `(4)`
/// differ: the second is a tuple of rank 1. The empty tuple is not representable.
///
/// ```
/// use static_layout::engine::IntTuple;
/// const SHAPE: IntTuple = IntTuple::leaf(3).pair(&IntTuple::leaf(6).pair(&IntTuple::leaf(2)));
/// assert_eq!(SHAPE.to_string(), "(3,(6,2))");
/// assert_eq!((SHAPE.rank(), SHAPE.depth(), SHAPE.product()), (2, 2, Ok(36)));
/// assert_eq!(SHAPE.mode(1).to_string(), "(6,2)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct IntTuple {
    // Everything at and beyond `len` is zero, so that the derived comparison is structural.
    len: usize,
    leaf: [usize; MAX_LEAVES],
    open: [u8; MAX_LEAVES],
    close: [u8; MAX_LEAVES],
}

impl IntTuple {
    /// No leaves: the start of a [`push`](Self::push) loop, never visible to users.
    pub(crate) const EMPTY: Self =
        Self { len: 0, leaf: [0; MAX_LEAVES], open: [0; MAX_LEAVES], close: [0; MAX_LEAVES] };

    /// The integer `value`: rank 1, depth 0.
    pub const fn leaf(value: usize) -> Self {
        let mut t = Self::EMPTY;
        t.leaf[0] = value;
        t.len = 1;
        t
    }

    /// The flat tuple of `values`; one value makes a rank-1 tuple.
    ///
    /// # Errors
    ///
    /// [`LayoutError::EmptyTuple`] without a value, [`LayoutError::TooManyLeaves`] with more than
    /// [`MAX_LEAVES`].
    ///
    /// ```
    /// use static_layout::engine::IntTuple;
    /// assert_eq!(IntTuple::flat(&[4, 8]).unwrap().to_string(), "(4,8)");
    /// assert_eq!(IntTuple::flat(&[4]).unwrap().to_string(), "(4)");
    /// ```
    #[inline(never)]
    pub const fn flat(values: &[usize]) -> Result<Self, LayoutError> {
        refuse!(values.is_empty(), LayoutError::EmptyTuple);
        let mut t = Self::EMPTY;
        repeat!(i, 0..values.len(), {
            refuse!(!t.extend_leaf(values[i]), LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        });
        t.parenthesise();
        Ok(t)
    }

    /// The tuple `(self, other)`.
    ///
    /// # Panics
    ///
    /// If both together have more than [`MAX_LEAVES`] leaves or are nested too deep. [`Self::tuple`]
    /// is the checked form.
    #[inline]
    pub const fn pair(&self, other: &Self) -> Self {
        or_fail!(Self::tuple(&[*self, *other]))
    }

    /// The tuple of `parts`. Each part is one mode.
    ///
    /// # Errors
    ///
    /// [`LayoutError::EmptyTuple`] without a part, [`LayoutError::TooManyLeaves`] with more than
    /// [`MAX_LEAVES`] leaves in total, [`LayoutError::TooDeep`].
    pub const fn tuple(parts: &[Self]) -> Result<Self, LayoutError> {
        refuse!(parts.is_empty(), LayoutError::EmptyTuple);
        let mut t = Self::EMPTY;
        repeat!(i, 0..parts.len(), {
            t = attempt!(t.push(&parts[i]));
        });
        let t = t.parenthesised();
        attempt!(t.check_depth());
        Ok(t)
    }

    /// Checks the nesting depth. An operation adds at most a few levels, so the counts cannot
    /// overflow before.
    #[inline(never)]
    pub(crate) const fn check_depth(&self) -> Result<(), LayoutError> {
        refuse!(self.depth() > MAX_DEPTH, LayoutError::TooDeep { limit: MAX_DEPTH });
        Ok(())
    }

    /// Appends the leaves of `part` with its parentheses, as one mode.
    pub(crate) const fn push(mut self, part: &Self) -> Result<Self, LayoutError> {
        if self.extend(part) {
            return Ok(self);
        }
        Err(LayoutError::TooManyLeaves { limit: MAX_LEAVES })
    }

    /// [`push`](Self::push) in place. Returns false and changes nothing if there are too many
    /// leaves.
    pub(crate) const fn extend(&mut self, part: &Self) -> bool {
        if self.len + part.len > MAX_LEAVES {
            return false;
        }
        repeat!(i, 0..part.len, {
            self.leaf[self.len] = part.leaf[i];
            self.open[self.len] = part.open[i];
            self.close[self.len] = part.close[i];
            self.len += 1;
        });
        true
    }

    /// Replaces leaf `i`.
    #[inline]
    pub(crate) const fn set(&mut self, i: usize, value: usize) {
        self.leaf[i] = value;
    }

    /// Appends an integer. Returns false and changes nothing if there are too many leaves.
    pub(crate) const fn extend_leaf(&mut self, value: usize) -> bool {
        if self.len == MAX_LEAVES {
            return false;
        }
        self.leaf[self.len] = value;
        self.len += 1;
        true
    }

    /// Appends an integer with parentheses around it. The caller guarantees room for it.
    #[inline]
    pub(crate) const fn push_wrapped(&mut self, value: usize, open: u8, close: u8) {
        self.leaf[self.len] = value;
        self.open[self.len] = open;
        self.close[self.len] = close;
        self.len += 1;
    }

    /// Puts one pair of parentheses around all leaves, in place.
    #[inline]
    pub(crate) const fn parenthesise(&mut self) {
        self.open[0] += 1;
        self.close[self.len - 1] += 1;
    }

    /// Puts one pair of parentheses around all leaves.
    pub(crate) const fn parenthesised(mut self) -> Self {
        self.parenthesise();
        self
    }

    /// A tuple if there are two or more leaves, else the one leaf as it is: CuTe's `unwrap` of a
    /// list of modes.
    pub(crate) const fn unwrapped(self) -> Self {
        if self.len > 1 { self.parenthesised() } else { self }
    }

    /// Adds `open` and `close` parentheses outside all existing ones.
    pub(crate) const fn wrapped_like(mut self, open: u8, close: u8) -> Self {
        self.open[0] += open;
        self.close[self.len - 1] += close;
        self
    }

    /// All leaves in one tuple; an integer stays an integer.
    pub(crate) const fn flattened(&self) -> Self {
        if self.is_int() {
            return *self;
        }
        let mut flat = Self::EMPTY;
        repeat!(i, 0..self.len(), {
            flat.extend_leaf(self.at(i));
        });
        flat.parenthesised()
    }

    /// The number of leaves.
    #[expect(clippy::len_without_is_empty, reason = "an IntTuple has a leaf always")]
    #[inline]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// The integers at the leaves, left to right.
    #[inline]
    pub const fn leaves(&self) -> &[usize] {
        self.leaf.split_at(self.len).0
    }

    #[inline]
    pub(crate) const fn leaves_mut(&mut self) -> &mut [usize] {
        self.leaf.split_at_mut(self.len).0
    }

    #[inline]
    pub(crate) const fn at(&self, i: usize) -> usize {
        self.leaf[i]
    }

    #[inline]
    pub(crate) const fn open(&self, i: usize) -> u8 {
        self.open[i]
    }

    #[inline]
    pub(crate) const fn close(&self, i: usize) -> u8 {
        self.close[i]
    }

    /// The same tree with other integers at its leaves.
    pub(crate) const fn with_leaves(mut self, leaves: &[usize]) -> Self {
        repeat!(i, 0..self.len, {
            self.leaf[i] = leaves[i];
        });
        self
    }

    /// Whether this is an integer and not a tuple.
    #[inline]
    pub const fn is_int(&self) -> bool {
        self.len == 1 && self.open[0] == 0
    }

    /// The number of modes: 1 for an integer, the number of parts for a tuple.
    #[inline(never)]
    pub const fn rank(&self) -> usize {
        if self.is_int() {
            return 1;
        }
        let (mut rank, mut i) = (0, 0);
        while i < self.len {
            i = self.mode_end(i, 1);
            rank += 1;
        }
        rank
    }

    /// The nesting depth: 0 for an integer.
    pub const fn depth(&self) -> usize {
        let (mut depth, mut deepest) = (0, 0);
        repeat!(i, 0..self.len, {
            depth += self.open[i] as usize;
            if depth > deepest {
                deepest = depth;
            }
            depth -= self.close[i] as usize;
        });
        deepest
    }

    /// One past the last leaf of the part that starts at leaf `start`. `outer` pairs of parentheses
    /// around that part do not belong to it.
    pub(crate) const fn mode_end(&self, start: usize, outer: usize) -> usize {
        // `outer` matters only at the first leaf of the whole (its opens include the outer ones) and
        // at the last leaf (its closes do), so the depth is counted from inside the part.
        let mut depth = self.open[start] as usize;
        if start == 0 {
            depth -= outer;
        }
        let mut i = start;
        loop {
            let close = self.close[i] as usize;
            if close >= depth || i + 1 == self.len {
                return i + 1;
            }
            depth -= close;
            i += 1;
            depth += self.open[i] as usize;
        }
    }

    /// The leaves `[start, end)` of a tuple's part as a tree of their own.
    pub(crate) const fn part(&self, start: usize, end: usize) -> Self {
        let mut t = Self::EMPTY;
        let (mut opened, mut closed) = (0, 0);
        repeat!(i, start..end, {
            t.leaf[t.len] = self.leaf[i];
            t.open[t.len] = self.open[i];
            t.close[t.len] = self.close[i];
            opened += self.open[i];
            closed += self.close[i];
            t.len += 1;
        });
        // Parentheses of the tuples around the part.
        if opened > closed {
            t.open[0] -= opened - closed;
        } else {
            t.close[t.len - 1] -= closed - opened;
        }
        // A part that is all of its tuple has both.
        if start == 0 && end == self.len {
            t.open[0] -= 1;
            t.close[t.len - 1] -= 1;
        }
        t
    }

    /// The integers of a tuple of two integers, `(a,b)`.
    #[inline]
    pub(crate) const fn as_pair(&self) -> Option<[usize; 2]> {
        // Two comparisons instead of four.
        let opens = u16::from_le_bytes([self.open[0], self.open[1]]) == 1;
        let closes = u16::from_le_bytes([self.close[0], self.close[1]]) == 1 << 8;
        if self.len == 2 && opens && closes { Some([self.leaf[0], self.leaf[1]]) } else { None }
    }

    /// The leaf range of mode `i`.
    ///
    /// # Panics
    ///
    /// If there is no mode `i`.
    pub(crate) const fn mode_range(&self, i: usize) -> (usize, usize) {
        if self.is_int() {
            assert!(i == 0, "an integer has one mode");
            return (0, 1);
        }
        let (mut start, mut k) = (0, 0);
        loop {
            assert!(start < self.len, "mode out of range");
            let end = self.mode_end(start, 1);
            if k == i {
                return (start, end);
            }
            start = end;
            k += 1;
        }
    }

    /// Panics, with the name of the operation, if there is no mode `mode`.
    #[track_caller]
    pub(crate) const fn known_mode(&self, operation: &'static str, mode: usize) {
        if mode >= self.rank() {
            LayoutError::Algebra(AlgebraError::ModeIndex { operation, mode, shape: *self }).fail();
        }
    }

    /// Mode `i`; mode 0 of an integer is the integer.
    ///
    /// # Panics
    ///
    /// If `i` is not below [`rank`](Self::rank).
    pub const fn mode(&self, i: usize) -> Self {
        if self.is_int() {
            assert!(i == 0, "an integer has one mode");
            return *self;
        }
        let (start, end) = self.mode_range(i);
        self.part(start, end)
    }

    /// Whether both have the same rank, and their modes the same sizes.
    pub(crate) const fn same_mode_sizes(&self, other: &Self) -> bool {
        let (mut i, mut j) = (0, 0);
        while i < self.len && j < other.len {
            let (a, b) = (self.mode_end_at(i), other.mode_end_at(j));
            if self.product_of(i, a) != other.product_of(j, b) {
                return false;
            }
            (i, j) = (a, b);
        }
        i == self.len && j == other.len
    }

    /// One past the last leaf of the mode that starts at leaf `start`.
    const fn mode_end_at(&self, start: usize) -> usize {
        if self.is_int() { 1 } else { self.mode_end(start, 1) }
    }

    /// The product of the leaves `[start, end)`; `usize::MAX`, larger than any valid size, on
    /// overflow.
    const fn product_of(&self, start: usize, end: usize) -> usize {
        let mut product = 1usize;
        repeat!(i, start..end, {
            if self.leaf[i] == 0 {
                return 0;
            }
            product = product.saturating_mul(self.leaf[i]);
        });
        product
    }

    /// The leaves of an integer or of a flat tuple.
    pub(crate) const fn flat_leaves(&self) -> Result<&[usize], LayoutError> {
        refuse!(self.depth() > 1, NotationError::NESTED_MODES);
        Ok(self.leaves())
    }

    /// The product of all leaves.
    ///
    /// # Errors
    ///
    /// [`LayoutError::SizeOverflow`] if it exceeds [`MAX_SIZE`].
    pub const fn product(&self) -> Result<usize, LayoutError> {
        let mut product = 1usize;
        // A zero anywhere makes the product zero, regardless of the other leaves.
        repeat!(i, 0..self.len, {
            if self.leaf[i] == 0 {
                return Ok(0);
            }
        });
        repeat!(i, 0..self.len, {
            product = match product.checked_mul(self.leaf[i]) {
                Some(p) if p <= MAX_SIZE => p,
                _ => return Err(LayoutError::SizeOverflow { shape: *self }),
            };
        });
        Ok(product)
    }

    /// Checks that the size of every part fits, also of parts beside an extent of 0.
    #[inline(never)]
    pub(crate) const fn check_sizes(&self) -> Result<(), LayoutError> {
        let mut size = 1usize;
        repeat!(i, 0..self.len, {
            if self.leaf[i] > 0 {
                size = match size.checked_mul(self.leaf[i]) {
                    Some(size) if size <= MAX_SIZE => size,
                    _ => return Err(LayoutError::SizeOverflow { shape: *self }),
                };
            }
        });
        Ok(())
    }

    /// Whether both have the same tree structure, regardless of their integers.
    pub const fn congruent(&self, other: &Self) -> bool {
        if self.len != other.len {
            return false;
        }
        repeat!(i, 0..self.len, {
            if self.open[i] != other.open[i] || self.close[i] != other.close[i] {
                return false;
            }
        });
        true
    }

    /// Structural equality in const code; the same as `==`.
    #[inline]
    pub const fn same(&self, other: &Self) -> bool {
        if !self.congruent(other) {
            return false;
        }
        repeat!(i, 0..self.len, {
            if self.leaf[i] != other.leaf[i] {
                return false;
            }
        });
        true
    }
}

/// `shape[i]`: the integer at mode `i`.
///
/// ```
/// use static_layout::{layout, prelude::*};
/// let image = layout!((3, 480, 640):(1, 1920, 3));
/// assert_eq!((image.shape()[1], image.stride()[1]), (480, 1920));
/// ```
///
/// # Panics
///
/// If there is no such mode, or if it is a tuple. For tuples, [`mode`](IntTuple::mode) returns any
/// mode, and [`extent`](crate::engine::DynLayout::extent) the size of a mode of a layout.
impl Index<usize> for IntTuple {
    type Output = usize;
    #[track_caller]
    fn index(&self, mode: usize) -> &usize {
        self.known_mode("index", mode);
        let (leaf, end) = self.mode_range(mode);
        if end - leaf > 1 || (!self.is_int() && self.part(leaf, end).depth() > 0) {
            LayoutError::TupleMode { mode, tuple: *self }.fail();
        }
        &self.leaf[leaf]
    }
}

impl fmt::Display for IntTuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for i in 0..self.len {
            if i > 0 {
                f.write_char(',')?;
            }
            for _ in 0..self.open[i] {
                f.write_char('(')?;
            }
            write!(f, "{}", self.leaf[i])?;
            for _ in 0..self.close[i] {
                f.write_char(')')?;
            }
        }
        Ok(())
    }
}

debug_as_display!(IntTuple);
