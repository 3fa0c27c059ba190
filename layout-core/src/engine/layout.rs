//! `DynLayout`: a layout as a value, with everything known at run time.

use core::fmt;

use crate::engine::int_tuple::{IntTuple, MAX_LEAVES, MAX_SIZE};
use crate::error::{LayoutError, Place};

/// A layout whose rank, extents and strides are values.
///
/// It is a function from coordinates to offsets, `L(c) = sum of c_i * d_i`, over a shape and a
/// congruent stride. It holds up to [`MAX_LEAVES`] leaves without allocation, is `Copy`, and all of
/// its algebra is `const fn`. It reads and prints CuTe's notation.
///
/// An operation on a `DynLayout` gives the same result as the static algebra for the same numbers.
///
/// A zero extent makes an empty domain (size 0, cosize 0). The algebra refuses it.
///
/// ```
/// use static_layout::engine::{DynLayout, IntTuple};
/// let shape = IntTuple::flat(&[4, 8])?;
/// let rows = DynLayout::new(&shape, &IntTuple::flat(&[8, 1])?)?;
/// assert_eq!(rows.to_string(), "(4,8):(8,1)");
/// assert_eq!((rows.size(), rows.cosize(), rows.rank()), (32, 32, 2));
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DynLayout {
    shape: IntTuple,
    // Congruent to `shape`; zero at and beyond `shape.len()`.
    stride: [usize; MAX_LEAVES],
}

impl DynLayout {
    /// No leaves: the start of a [`push`](Self::push) loop, never visible to users.
    pub(crate) const EMPTY: Self = Self { shape: IntTuple::EMPTY, stride: [0; MAX_LEAVES] };

    /// The layout `1:0`, one element at offset 0.
    pub const UNIT: Self = Self::leaf(1, 0);

    /// The layout `extent:stride` of one integer mode.
    ///
    /// # Panics
    ///
    /// If an offset of it exceeds [`MAX_SIZE`].
    #[inline]
    pub const fn leaf(extent: usize, stride: usize) -> Self {
        let l = Self::leaf_unchecked(extent, stride);
        or_fail!(l.checked())
    }

    pub(crate) const fn leaf_unchecked(extent: usize, stride: usize) -> Self {
        let mut l = Self { shape: IntTuple::leaf(extent), stride: [0; MAX_LEAVES] };
        l.stride[0] = stride;
        l
    }

    /// The layout `shape:stride`.
    ///
    /// # Errors
    ///
    /// If shape and stride are not congruent, or the size or the largest offset exceeds
    /// [`MAX_SIZE`].
    pub const fn new(shape: &IntTuple, stride: &IntTuple) -> Result<Self, LayoutError> {
        refuse!(!shape.congruent(stride), incongruence(shape, stride));
        let mut l = Self { shape: *shape, stride: [0; MAX_LEAVES] };
        repeat!(i, 0..shape.len(), {
            l.stride[i] = stride.at(i);
        });
        l.checked()
    }

    /// A layout with the nesting of `profile`, for [`leaves_mut`](Self::leaves_mut) and then
    /// [`check_numbers`](Self::check_numbers).
    #[inline]
    pub(crate) const fn of_profile(profile: &IntTuple) -> Self {
        Self { shape: *profile, stride: [0; MAX_LEAVES] }
    }

    /// The extents and the strides of the leaves.
    #[inline]
    pub(crate) const fn leaves_mut(&mut self) -> [&mut [usize]; 2] {
        let len = self.shape.len();
        [self.shape.leaves_mut(), self.stride.split_at_mut(len).0]
    }

    /// Checks the invariants of `DynLayout`: size and cosize do not exceed [`MAX_SIZE`]. The same
    /// holds for each mode, even if an extent of 0 makes the whole empty, and for strides of extent
    /// 1, which are never stepped.
    pub(crate) const fn check(&self) -> Result<(), LayoutError> {
        attempt!(self.shape.check_depth());
        self.check_numbers()
    }

    /// [`check`](Self::check) without the nesting.
    pub(crate) const fn check_numbers(&self) -> Result<(), LayoutError> {
        attempt!(self.shape.check_sizes());
        let mut last = 0usize;
        repeat!(i, 0..self.shape.len(), {
            refuse!(self.stride[i] > MAX_SIZE, self.cosize_overflow());
            last = match self.shape.at(i).saturating_sub(1).checked_mul(self.stride[i]) {
                Some(step) => match last.checked_add(step) {
                    Some(sum) if sum < MAX_SIZE => sum,
                    _ => return Err(self.cosize_overflow()),
                },
                None => return Err(self.cosize_overflow()),
            };
        });
        Ok(())
    }

    /// The layout, if its invariants hold.
    pub(crate) const fn checked(self) -> Result<Self, LayoutError> {
        attempt!(self.check());
        Ok(self)
    }

    const fn cosize_overflow(&self) -> LayoutError {
        LayoutError::CosizeOverflow { shape: self.shape, stride: self.stride() }
    }

    /// The layout of these extents and strides, one integer for each mode, as most arrays have.
    ///
    /// ```
    /// use static_layout::DynLayout;
    /// // The rows of a matrix whose memory has 10 elements for each row of 8.
    /// let padded = DynLayout::strided(&[4, 8], &[10, 1])?;
    /// assert_eq!(padded.to_string(), "(4,8):(10,1)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no extent, or not one stride per extent, and the errors of [`new`](Self::new).
    pub const fn strided(extents: &[usize], strides: &[usize]) -> Result<Self, LayoutError> {
        Self::new(&attempt!(IntTuple::flat(extents)), &attempt!(IntTuple::flat(strides)))
    }

    /// The compact column-major layout of `shape`: the first leaf is contiguous.
    ///
    /// As in CuTe, a leaf of extent 1 has stride 0.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, IntTuple};
    /// let l = DynLayout::make(&IntTuple::flat(&[2, 1, 3])?)?;
    /// assert_eq!(l.to_string(), "(2,1,3):(1,0,2)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::SizeOverflow`].
    #[doc(alias = "compact_col_major")]
    #[inline(never)]
    pub const fn make(shape: &IntTuple) -> Result<Self, LayoutError> {
        attempt!(shape.check_sizes());
        let mut l = Self { shape: *shape, stride: [0; MAX_LEAVES] };
        let mut step = 1;
        repeat!(i, 0..shape.len(), {
            step = l.set_compact(i, step);
        });
        Ok(l)
    }

    /// The compact row-major layout of `shape`: the last leaf is contiguous.
    ///
    /// # Errors
    ///
    /// [`LayoutError::SizeOverflow`].
    #[doc(alias = "compact_row_major")]
    pub const fn row_major(shape: &IntTuple) -> Result<Self, LayoutError> {
        attempt!(shape.check_sizes());
        let mut l = Self { shape: *shape, stride: [0; MAX_LEAVES] };
        let mut step = 1;
        repeat_rev!(i, 0..shape.len(), {
            step = l.set_compact(i, step);
        });
        Ok(l)
    }

    /// Gives leaf `i` the stride `step` and returns the next step. The sizes have been checked.
    const fn set_compact(&mut self, i: usize, step: usize) -> usize {
        let extent = self.shape.at(i);
        if extent == 1 {
            return step;
        }
        self.stride[i] = step;
        step * extent
    }

    /// The layout whose modes are `modes`.
    ///
    /// # Errors
    ///
    /// [`LayoutError::EmptyTuple`], [`LayoutError::TooManyLeaves`], or an overflow of the whole.
    #[doc(alias = "make_layout")]
    #[inline(never)]
    pub const fn tuple(modes: &[Self]) -> Result<Self, LayoutError> {
        refuse!(modes.is_empty(), LayoutError::EmptyTuple);
        let mut l = Self::EMPTY;
        repeat!(i, 0..modes.len(), {
            l = attempt!(l.push(&modes[i]));
        });
        l.parenthesised().checked()
    }

    pub(crate) const fn push(mut self, mode: &Self) -> Result<Self, LayoutError> {
        if self.extend(mode) {
            return Ok(self);
        }
        Err(LayoutError::TooManyLeaves { limit: MAX_LEAVES })
    }

    pub(crate) const fn push_leaf(
        mut self,
        extent: usize,
        stride: usize,
    ) -> Result<Self, LayoutError> {
        if self.extend_leaf(extent, stride) {
            return Ok(self);
        }
        Err(LayoutError::TooManyLeaves { limit: MAX_LEAVES })
    }

    /// [`push`](Self::push) in place. Returns false and changes nothing if there are too many
    /// leaves.
    pub(crate) const fn extend(&mut self, mode: &Self) -> bool {
        let n = self.shape.len();
        if !self.shape.extend(&mode.shape) {
            return false;
        }
        repeat!(i, 0..mode.shape.len(), {
            self.stride[n + i] = mode.stride[i];
        });
        true
    }

    /// [`push_leaf`](Self::push_leaf) in place.
    pub(crate) const fn extend_leaf(&mut self, extent: usize, stride: usize) -> bool {
        let n = self.shape.len();
        if !self.shape.extend_leaf(extent) {
            return false;
        }
        self.stride[n] = stride;
        true
    }

    /// Appends a leaf with parentheses around it. The caller guarantees room for it.
    #[inline]
    pub(crate) const fn push_wrapped(&mut self, extent: usize, stride: usize, open: u8, close: u8) {
        self.stride[self.shape.len()] = stride;
        self.shape.push_wrapped(extent, open, close);
    }

    #[inline]
    pub(crate) const fn parenthesise(&mut self) {
        self.shape.parenthesise();
    }

    pub(crate) const fn parenthesised(mut self) -> Self {
        self.parenthesise();
        self
    }

    pub(crate) const fn unwrapped(mut self) -> Self {
        self.shape = self.shape.unwrapped();
        self
    }

    pub(crate) const fn wrapped_like(mut self, open: u8, close: u8) -> Self {
        self.shape = self.shape.wrapped_like(open, close);
        self
    }

    /// Replaces leaf `i`.
    pub(crate) const fn set(&mut self, i: usize, extent: usize, stride: usize) {
        self.shape.set(i, extent);
        self.stride[i] = stride;
    }

    /// The shape.
    pub const fn shape(&self) -> IntTuple {
        self.shape
    }

    /// The stride, congruent to the shape.
    pub const fn stride(&self) -> IntTuple {
        self.shape.with_leaves(&self.stride)
    }

    /// The number of leaves.
    #[expect(clippy::len_without_is_empty, reason = "a layout has a leaf always")]
    #[inline]
    pub const fn len(&self) -> usize {
        self.shape.len()
    }

    /// The extents and the strides of a matrix whose modes are integers, `(m,n):(a,b)`.
    ///
    /// A fast path: the general queries walk the tree.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// let of = |text| DynLayout::parse(text).unwrap().as_matrix();
    /// assert_eq!(of("(4,8):(8,1)"), Some(([4, 8], [8, 1])));
    /// assert_eq!((of("(4,(8,1)):(8,(1,0))"), of("((4,8)):((8,1))"), of("4:1")), (None, None, None));
    /// ```
    #[inline]
    pub const fn as_matrix(&self) -> Option<([usize; 2], [usize; 2])> {
        match self.shape.as_pair() {
            Some(extents) => Some((extents, [self.stride[0], self.stride[1]])),
            None => None,
        }
    }

    /// The extents of the leaves, left to right.
    #[inline]
    pub const fn extents(&self) -> &[usize] {
        self.shape.leaves()
    }

    /// The strides of the leaves, left to right.
    #[inline]
    pub const fn strides(&self) -> &[usize] {
        self.stride.split_at(self.shape.len()).0
    }

    #[inline]
    pub(crate) const fn extent_at(&self, i: usize) -> usize {
        self.shape.at(i)
    }

    /// The place of leaf `leaf` of this operand, for errors.
    pub(crate) const fn place_of_leaf(&self, mut leaf: usize, mut place: Place) -> Place {
        let mut shape = self.shape();
        while !shape.is_int() {
            let (mut mode, (mut start, mut end)) = (0, shape.mode_range(0));
            while leaf >= end {
                mode += 1;
                (start, end) = shape.mode_range(mode);
            }
            place = place.in_mode(mode);
            leaf -= start;
            shape = shape.mode(mode);
        }
        place
    }

    /// Number of parentheses that open before leaf `i` and close after it.
    #[inline]
    pub(crate) const fn parentheses_at(&self, i: usize) -> (u8, u8) {
        (self.shape.open(i), self.shape.close(i))
    }

    #[inline]
    pub(crate) const fn stride_at(&self, i: usize) -> usize {
        self.stride[i]
    }

    /// The number of modes.
    #[inline]
    pub const fn rank(&self) -> usize {
        self.shape.rank()
    }

    /// The size of a mode: the product of the extents in it.
    ///
    /// ```
    /// use static_layout::DynLayout;
    /// let l = DynLayout::parse("(4,(3,2)):(3,(1,12))").unwrap();
    /// assert_eq!((l.extent(0), l.extent(1)), (4, 6));
    /// ```
    ///
    /// # Panics
    ///
    /// If `mode` is not below [`rank`](Self::rank).
    #[track_caller]
    pub const fn extent(&self, mode: usize) -> usize {
        self.shape.known_mode("extent", mode);
        let (mut leaf, end) = self.shape.mode_range(mode);
        let mut size = 1;
        while leaf < end {
            // No overflow: the sizes of modes were checked, also beside an extent of 0.
            size *= self.shape.at(leaf);
            leaf += 1;
        }
        size
    }

    /// The nesting depth of the modes: 0 for `4:1`, 1 for `(4,8):(8,1)`.
    pub const fn depth(&self) -> usize {
        self.shape.depth()
    }

    /// The leaves of mode `i`, as a half-open index range into [`extents`](Self::extents) and
    /// [`strides`](Self::strides).
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// let l = DynLayout::parse("(4,(3,2)):(3,(1,12))").unwrap();
    /// assert_eq!((l.leaf_range(0), l.leaf_range(1)), ((0, 1), (1, 3)));
    /// ```
    ///
    /// # Panics
    ///
    /// If `i` is not below [`rank`](Self::rank).
    #[inline]
    pub const fn leaf_range(&self, i: usize) -> (usize, usize) {
        self.shape.mode_range(i)
    }

    /// Mode `i` as a layout; mode 0 of `4:1` is `4:1`.
    ///
    /// # Panics
    ///
    /// If `i` is not below [`rank`](Self::rank).
    #[doc(alias = "get")]
    pub const fn mode(&self, i: usize) -> Self {
        if self.shape.is_int() {
            assert!(i == 0, "a layout of one integer mode has no other mode");
            return *self;
        }
        let (start, end) = self.shape.mode_range(i);
        let mut l = Self { shape: self.shape.part(start, end), stride: [0; MAX_LEAVES] };
        repeat!(k, start..end, {
            l.stride[k - start] = self.stride[k];
        });
        l
    }

    /// Whether both have the same rank, and their modes the same sizes.
    ///
    /// Then both have the same R-D coordinates, regardless of the nesting inside the modes.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// let same = |a, b| {
    ///     DynLayout::parse(a).unwrap().same_mode_sizes(&DynLayout::parse(b).unwrap())
    /// };
    /// assert!(same("(4,(2,3)):(6,(3,1))", "((2,2),6):((1,2),4)") && same("8:1", "(8):(2)"));
    /// assert!(!same("(4,6):(6,1)", "(6,4):(4,1)") && !same("(2,3):(1,2)", "6:1"));
    /// ```
    pub const fn same_mode_sizes(&self, other: &Self) -> bool {
        self.shape.same_mode_sizes(&other.shape)
    }

    /// The number of coordinates: the product of the extents.
    #[inline(never)]
    pub const fn size(&self) -> usize {
        // Checked in the constructor.
        or_fail!(self.shape.product())
    }

    /// One more than the largest offset, `1 + sum of (s_i - 1) * d_i`; 0 for an empty layout.
    #[inline(never)]
    pub const fn cosize(&self) -> usize {
        let mut last = 0;
        repeat!(i, 0..self.shape.len(), {
            if self.shape.at(i) == 0 {
                return 0;
            }
            last += (self.shape.at(i) - 1) * self.stride[i];
        });
        last + 1
    }

    /// Structural equality in const code; the same as `==`, and faster for a few leaves.
    #[inline]
    pub const fn same(&self, other: &Self) -> bool {
        if !self.shape.same(&other.shape) {
            return false;
        }
        repeat!(i, 0..self.len(), {
            if self.stride[i] != other.stride[i] {
                return false;
            }
        });
        true
    }
}

/// Finds the first place where a shape and a stride differ in structure.
const fn incongruence(shape: &IntTuple, stride: &IntTuple) -> LayoutError {
    if shape.is_int() != stride.is_int() {
        return LayoutError::StrideNesting { shape: *shape, stride: *stride };
    }
    if shape.rank() != stride.rank() {
        return LayoutError::StrideRank { shape: *shape, stride: *stride };
    }
    repeat!(i, 0..shape.rank(), {
        if !shape.mode(i).congruent(&stride.mode(i)) {
            return incongruence(&shape.mode(i), &stride.mode(i));
        }
    });
    // Unreachable for trees that are not congruent, but still a true statement.
    LayoutError::StrideNesting { shape: *shape, stride: *stride }
}

impl fmt::Display for DynLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.shape, self.stride())
    }
}

debug_as_display!(DynLayout);
