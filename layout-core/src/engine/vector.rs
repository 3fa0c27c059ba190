//! Vectors: the general form of a stride. `2@1` steps by 2 in mode 1, `1@0-2@1` steps in two modes
//! at once, and `-3` is a vector with one component.

use core::fmt::{self, Write};

use crate::engine::int_tuple::{IntTuple, MAX_LEAVES, MAX_SIZE};
use crate::error::{AlgebraError, LayoutError};

/// The path to a leaf in a tree: the index of its mode, the index of its mode inside that mode, and
/// so on.
///
/// `@1` is mode 1, `@0@1` mode 0 of mode 1. The root, an integer, has an empty path.
// A byte per level, the outermost first: the index plus one; 0 after the last.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Path(u64);

impl Path {
    /// The maximum length of a path.
    pub const MAX_DEPTH: usize = 8;

    /// The path of an integer.
    pub const ROOT: Self = Self(0);

    /// The path to the same leaf from outside of mode `mode`. The innermost index is written first.
    ///
    /// ```
    /// use static_layout::engine::Path;
    /// assert_eq!(Path::ROOT.inside(0)?.inside(1)?.to_string(), "@0@1");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::TooManyLeaves`] for a mode index beyond the limit of tuples,
    /// [`LayoutError::TooDeep`].
    pub const fn inside(self, mode: usize) -> Result<Self, LayoutError> {
        refuse!(mode >= MAX_LEAVES, LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        refuse!(self.0 & 0xff != 0, LayoutError::TooDeep { limit: Self::MAX_DEPTH });
        Ok(Self(self.0 >> 8 | (mode as u64 + 1) << 56))
    }

    /// The path to the same leaf from inside mode `mode`; `None` if the leaf is not in that mode.
    pub(crate) const fn within(self, mode: usize) -> Option<Self> {
        match self.mode(0) {
            Some(outermost) if outermost == mode => Some(Self(self.0 << 8)),
            _ => None,
        }
    }

    /// The index at a level, 0 being the outermost.
    pub(crate) const fn mode(self, level: usize) -> Option<usize> {
        if level == Self::MAX_DEPTH {
            return None;
        }
        ((self.0 >> (56 - 8 * level)) as usize & 0xff).checked_sub(1)
    }

    /// Whether this is the path of `other` or of a tuple around it.
    const fn leads_to(self, other: Self) -> bool {
        let unused = if self.0 == 0 { 64 } else { self.0.trailing_zeros() / 8 * 8 };
        unused == 64 || (self.0 ^ other.0) >> unused == 0
    }

    /// The length of the path.
    pub(crate) const fn depth(self) -> usize {
        let mut depth = 0;
        while self.mode(depth).is_some() {
            depth += 1;
        }
        depth
    }
}

impl fmt::Display for Path {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for mode in (0..self.depth()).rev().filter_map(|level| self.mode(level)) {
            write!(f, "@{mode}")?;
        }
        Ok(())
    }
}

debug_as_display!(Path);

/// A sum of steps at different paths of a tree, such as `1@0-2@1`: an element of the module that
/// contains the strides of a [`CoordinateLayout`](crate::engine::CoordinateLayout).
///
/// ```
/// use static_layout::engine::{Path, Vector};
/// let mut v = Vector::step(2, Path::ROOT.inside(1)?);
/// v.add(-3, &Vector::step(1, Path::ROOT.inside(0)?))?;
/// assert_eq!(v.to_string(), "-3@0+2@1");
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Vector {
    // By rising path, without zero steps. Zero at and beyond `len`.
    len: usize,
    path: [u64; MAX_LEAVES],
    step: [isize; MAX_LEAVES],
}

impl Vector {
    /// The zero vector.
    pub const ZERO: Self = Self { len: 0, path: [0; MAX_LEAVES], step: [0; MAX_LEAVES] };

    /// A step at one path. `isize::MIN`, which exceeds every valid step, is replaced by
    /// `isize::MIN + 1`.
    pub const fn step(step: isize, path: Path) -> Self {
        let mut v = Self::ZERO;
        if step != 0 {
            v.len = 1;
            v.path[0] = path.0;
            v.step[0] = if step == isize::MIN { -isize::MAX } else { step };
        }
        v
    }

    /// A nonnegative integer.
    pub(crate) const fn number(n: usize) -> Self {
        Self::step(n as isize, Path::ROOT)
    }

    /// Number of paths that it steps at.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Step `i` and its path, by rising path.
    pub(crate) const fn at(&self, i: usize) -> (Path, isize) {
        (Path(self.path[i]), self.step[i])
    }

    /// A copy with a step at a path after all others.
    pub(crate) const fn and_step(mut self, path: Path, step: isize) -> Self {
        (self.path[self.len], self.step[self.len]) = (path.0, step);
        self.len += 1;
        self
    }

    /// Whether it is zero.
    pub const fn is_zero(&self) -> bool {
        self.len == 0
    }

    /// The integer; `None` if it steps at a path other than the root.
    pub const fn as_integer(&self) -> Option<isize> {
        match self.len {
            0 => Some(0),
            1 if self.path[0] == 0 => Some(self.step[0]),
            _ => None,
        }
    }

    /// The step at one path.
    pub const fn along(&self, path: Path) -> isize {
        repeat!(i, 0..self.len, {
            if self.path[i] == path.0 {
                return self.step[i];
            }
        });
        0
    }

    /// Adds `factor * other`.
    ///
    /// # Errors
    ///
    /// [`LayoutError::IntegerOverflow`] if a step exceeds [`MAX_SIZE`];
    /// [`LayoutError::TooManyLeaves`] if it steps at more paths than a tree has leaves.
    #[inline]
    pub const fn add(&mut self, factor: isize, other: &Self) -> Result<(), LayoutError> {
        repeat!(i, 0..other.len, {
            attempt!(self.add_step(factor, other.path[i], other.step[i]));
        });
        Ok(())
    }

    #[inline]
    const fn add_step(&mut self, factor: isize, path: u64, step: isize) -> Result<(), LayoutError> {
        let mut k = 0;
        while k < self.len && self.path[k] < path {
            k += 1;
        }
        let here = k < self.len && self.path[k] == path;
        let old = if here { self.step[k] } else { 0 };
        let sum = old as i128 + factor as i128 * step as i128;
        if sum.unsigned_abs() > MAX_SIZE as u128 {
            return Err(LayoutError::IntegerOverflow { operation: "strides" });
        }
        if here && sum != 0 {
            self.step[k] = sum as isize;
        } else if here {
            self.len -= 1;
            while k < self.len {
                (self.path[k], self.step[k]) = (self.path[k + 1], self.step[k + 1]);
                k += 1;
            }
            (self.path[k], self.step[k]) = (0, 0);
        } else if sum != 0 {
            refuse!(self.len == MAX_LEAVES, LayoutError::TooManyLeaves { limit: MAX_LEAVES });
            let mut i = self.len;
            while i > k {
                (self.path[i], self.step[i]) = (self.path[i - 1], self.step[i - 1]);
                i -= 1;
            }
            (self.path[k], self.step[k]) = (path, sum as isize);
            self.len += 1;
        }
        Ok(())
    }

    /// Whether this is `factor` times `other`.
    #[inline]
    pub(crate) const fn is_multiple(&self, factor: usize, other: &Self) -> bool {
        let mut product = Self::ZERO;
        // If the product overflows, it cannot equal this stride.
        matches!(product.add(factor as isize, other), Ok(())) && self.same(&product)
    }

    const fn same(&self, other: &Self) -> bool {
        let mut same = self.len == other.len;
        repeat!(i, 0..self.len, {
            same = same && self.path[i] == other.path[i] && self.step[i] == other.step[i];
        });
        same
    }
}

impl fmt::Display for Vector {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_char('0');
        }
        for i in 0..self.len {
            let (path, step) = self.at(i);
            if i > 0 && step > 0 {
                f.write_char('+')?;
            }
            write!(f, "{step}{path}")?;
        }
        Ok(())
    }
}

debug_as_display!(Vector);

/// The paths that some vectors step at, in rising order, and the smallest tree that contains them.
#[derive(Clone, Copy)]
pub(crate) struct Codomain {
    len: usize,
    path: [u64; MAX_LEAVES],
    // The leaf of the tree at each path.
    leaf: [usize; MAX_LEAVES],
    pub(crate) tree: IntTuple,
}

impl Codomain {
    /// No paths; the tree is an integer.
    pub(crate) const EMPTY: Self =
        Self { len: 0, path: [0; MAX_LEAVES], leaf: [0; MAX_LEAVES], tree: IntTuple::leaf(0) };

    /// Adds the paths of a vector. The tree is not built yet.
    #[inline]
    pub(crate) const fn join(&mut self, v: &Vector) -> Result<(), LayoutError> {
        repeat!(i, 0..v.len, {
            let path = v.path[i];
            let mut k = 0;
            while k < self.len && self.path[k] < path {
                k += 1;
            }
            if k == self.len || self.path[k] != path {
                refuse!(self.len == MAX_LEAVES, LayoutError::TooManyLeaves { limit: MAX_LEAVES });
                let mut j = self.len;
                while j > k {
                    self.path[j] = self.path[j - 1];
                    j -= 1;
                }
                self.path[k] = path;
                self.len += 1;
            }
        });
        Ok(())
    }

    /// Builds the tree of all paths.
    ///
    /// # Errors
    ///
    /// [`AlgebraError::CodomainConflict`] if a path is a prefix of another one.
    #[inline]
    pub(crate) const fn grown(mut self) -> Result<Self, LayoutError> {
        repeat!(i, 1..self.len, {
            let (outer, inner) = (Path(self.path[i - 1]), Path(self.path[i]));
            refuse!(outer.leads_to(inner), AlgebraError::CodomainConflict { outer, inner });
        });
        self.tree = attempt!(self.subtree(0, self.len, 0));
        repeat!(i, 0..self.len, {
            self.leaf[i] = leaf_at(&self.tree, Path(self.path[i]));
        });
        Ok(self)
    }

    /// The tree of the paths `[begin, end)`, which agree in the first `level` indices.
    #[inline]
    const fn subtree(
        &self,
        mut begin: usize,
        end: usize,
        level: usize,
    ) -> Result<IntTuple, LayoutError> {
        if begin == end || Path(self.path[begin]).mode(level).is_none() {
            return Ok(IntTuple::leaf(0));
        }
        let (mut tuple, mut mode) = (IntTuple::EMPTY, 0);
        while begin < end {
            let mut next = begin;
            while next < end && matches!(Path(self.path[next]).mode(level), Some(m) if m == mode) {
                next += 1;
            }
            let part = attempt!(self.subtree(begin, next, level + 1));
            tuple = attempt!(tuple.push(if next == begin { &ZERO } else { &part }));
            (begin, mode) = (next, mode + 1);
        }
        Ok(tuple.parenthesised())
    }

    /// Number of paths.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) const fn path(&self, i: usize) -> Path {
        Path(self.path[i])
    }

    /// The leaf of the tree at path `i`.
    pub(crate) const fn leaf(&self, i: usize) -> usize {
        self.leaf[i]
    }

    /// Adds `factor` times a vector to the values at the leaves of the tree. All paths of the vector
    /// must be in this codomain.
    #[inline]
    pub(crate) const fn add(
        &self,
        values: &mut [isize; MAX_LEAVES],
        factor: isize,
        v: &Vector,
    ) -> Result<(), LayoutError> {
        let mut k = 0;
        repeat!(i, 0..v.len, {
            while self.path[k] != v.path[i] {
                k += 1;
            }
            let leaf = self.leaf[k];
            let sum = values[leaf] as i128 + factor as i128 * v.step[i] as i128;
            if sum.unsigned_abs() > MAX_SIZE as u128 {
                return Err(LayoutError::IntegerOverflow { operation: "eval" });
            }
            values[leaf] = sum as isize;
        });
        Ok(())
    }
}

const ZERO: IntTuple = IntTuple::leaf(0);

/// The index of the leaf at a path.
#[inline]
const fn leaf_at(tree: &IntTuple, path: Path) -> usize {
    let (mut tree, mut leaf, mut level) = (*tree, 0, 0);
    while let Some(mode) = path.mode(level) {
        leaf += tree.mode_range(mode).0;
        tree = tree.mode(mode);
        level += 1;
    }
    leaf
}
