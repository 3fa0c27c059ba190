//! `CoordinateLayout`: a layout whose strides have a sign or a direction. Its values are integers of
//! either sign, or coordinates.

use core::fmt;

use crate::engine::int_tuple::{IntTuple, MAX_LEAVES, MAX_SIZE};
use crate::engine::layout::DynLayout;
use crate::engine::signed::SignedTuple;
use crate::engine::vector::{Codomain, Path, Vector};
use crate::error::{AlgebraError, LayoutError};

/// The maximum number of steps of all strides of a layout together; `2@1` is one step, `1@0-2@1`
/// two.
const MAX_STEPS: usize = 2 * MAX_LEAVES;

/// A layout with strides such as `-1`, `2@1` or `1@0-2@1`: a function from coordinates to integers
/// of either sign, or to coordinates.
///
/// `2@1` steps by 2 in mode 1 of the value, and `1@0@1` by 1 in mode 0 of its mode 1. The identity
/// `(4,8):(1@0,1@1)` has the coordinates of `(4,8)` as values. A tile or a partition of it gives the
/// coordinate of each element, also outside the shape where tiles overhang. The rank of a value is
/// the smallest that contains every stride, as in CuTe.
///
/// Only the strides differ from [`DynLayout`]. Operations that only move leaves or look at extents
/// behave alike. [`composition`](Self::composition) is exact with such strides on either side.
/// Operations that need offsets in memory take a `DynLayout`.
///
/// ```
/// use static_layout::engine::{CoordinateLayout, IntTuple, Tiler};
/// let identity = CoordinateLayout::identity(&IntTuple::flat(&[7, 10])?)?;
/// assert_eq!(identity.to_string(), "(7,10):(1@0,1@1)");
/// let tiles = identity.zipped_divide_by(&Tiler::parse("<4, 5>").unwrap())?;
/// assert_eq!(tiles.to_string(), "((4,5),(2,2)):((1@0,1@1),(4@0,5@1))");
/// // Element (3,2) of tile (1,1) is outside of the shape: there is no row 7.
/// let element = IntTuple::parse("((3,2),(1,1))").unwrap();
/// assert_eq!(tiles.coordinate_at(&element)?.to_string(), "(7,7)");
///
/// let backwards = CoordinateLayout::parse("4:-1").unwrap();
/// assert_eq!(backwards.composition(&backwards)?.as_layout().unwrap().to_string(), "4:1");
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CoordinateLayout {
    shape: IntTuple,
    // The steps of all strides, concatenated, and the end of each leaf's steps. Zero at and beyond
    // the last.
    path: [Path; MAX_STEPS],
    step: [isize; MAX_STEPS],
    end: [u8; MAX_LEAVES],
}

impl CoordinateLayout {
    /// No leaves: the start of a [`push`](Self::push) loop.
    pub(crate) const EMPTY: Self = Self {
        shape: IntTuple::EMPTY,
        path: [Path::ROOT; MAX_STEPS],
        step: [0; MAX_STEPS],
        end: [0; MAX_LEAVES],
    };

    /// The layout that maps every coordinate of `shape` to itself.
    ///
    /// ```
    /// use static_layout::engine::{CoordinateLayout, IntTuple};
    /// let shape = IntTuple::parse("(4,(2,3))").unwrap();
    /// let identity = CoordinateLayout::identity(&shape)?;
    /// assert_eq!(identity.to_string(), "(4,(2,3)):(1@0,(1@0@1,1@1@1))");
    /// assert_eq!(identity.coordinate_at_index(23)?.to_string(), "(3,(1,2))");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::SizeOverflow`], and [`LayoutError::TooDeep`] beyond [`Path::MAX_DEPTH`].
    #[doc(alias = "make_identity_layout")]
    #[inline]
    pub const fn identity(shape: &IntTuple) -> Result<Self, LayoutError> {
        let mut l = attempt!(Self::EMPTY.push_identity(shape));
        l.shape = *shape;
        l.checked()
    }

    #[inline]
    const fn push_identity(mut self, shape: &IntTuple) -> Result<Self, LayoutError> {
        if shape.is_int() {
            return self.push_leaf(shape.at(0), &Vector::step(1, Path::ROOT));
        }
        repeat!(i, 0..shape.rank(), {
            let mode = attempt!(Self::EMPTY.push_identity(&shape.mode(i)));
            repeat!(k, 0..mode.len(), {
                let (path, step) = mode.stride_at(k).at(0);
                let stride = Vector::step(step, attempt!(path.inside(i)));
                self = attempt!(self.push_leaf(mode.shape.at(k), &stride));
            });
        });
        Ok(self)
    }

    /// The layout `shape:strides`, with a stride for each leaf of the shape, left to right.
    ///
    /// ```
    /// use static_layout::engine::{CoordinateLayout, IntTuple, Path, Vector};
    /// let strides = [Vector::step(-1, Path::ROOT), Vector::step(4, Path::ROOT)];
    /// let l = CoordinateLayout::new(&IntTuple::flat(&[4, 2])?, &strides)?;
    /// assert_eq!(l.to_string(), "(4,2):(-1,4)");
    /// assert_eq!(l.coordinate_at_index(5)?.as_integer(), Some(3));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::StrideCount`] if there is not one stride per leaf;
    /// [`AlgebraError::CodomainConflict`] for strides whose values have no common form, such as `1`
    /// and `1@0`; [`AlgebraError::TooManySteps`]; sizes or values that overflow.
    #[inline]
    pub const fn new(shape: &IntTuple, strides: &[Vector]) -> Result<Self, LayoutError> {
        if shape.len() != strides.len() {
            let (strides, shape) = (strides.len(), *shape);
            return Err(LayoutError::Algebra(AlgebraError::StrideCount { strides, shape }));
        }
        let mut l = Self::EMPTY;
        repeat!(i, 0..strides.len(), {
            l = attempt!(l.push_leaf(shape.at(i), &strides[i]));
        });
        l.shape = *shape;
        l.checked()
    }

    /// Checks that sizes fit, and that values exist and fit.
    #[inline]
    pub(crate) const fn checked(self) -> Result<Self, LayoutError> {
        attempt!(self.shape.check_sizes());
        attempt!(self.shape.check_depth());
        let codomain = attempt!(self.codomain());
        repeat!(k, 0..codomain.len(), {
            let mut reach = 0u128;
            repeat!(i, 0..self.len(), {
                let step = self.stride_at(i).along(codomain.path(k)).unsigned_abs();
                let most = self.shape.at(i).saturating_sub(1) as u128 * step as u128;
                reach = reach.saturating_add(most);
            });
            if reach >= MAX_SIZE as u128 {
                let (shape, path) = (self.shape, codomain.path(k));
                return Err(LayoutError::Algebra(AlgebraError::ValueOverflow { shape, path }));
            }
        });
        Ok(self)
    }

    /// The form of the values.
    #[inline]
    pub(crate) const fn codomain(&self) -> Result<Codomain, LayoutError> {
        let mut codomain = Codomain::EMPTY;
        repeat!(i, 0..self.len(), {
            attempt!(codomain.join(&self.stride_at(i)));
        });
        codomain.grown()
    }

    #[inline]
    pub(crate) const fn push_leaf(
        mut self,
        extent: usize,
        stride: &Vector,
    ) -> Result<Self, LayoutError> {
        let n = self.len();
        let start = if n == 0 { 0 } else { self.end[n - 1] as usize };
        refuse!(start + stride.len() > MAX_STEPS, AlgebraError::TooManySteps { limit: MAX_STEPS });
        refuse!(!self.shape.extend_leaf(extent), LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        repeat!(i, 0..stride.len(), {
            (self.path[start + i], self.step[start + i]) = stride.at(i);
        });
        self.end[n] = (start + stride.len()) as u8;
        Ok(self)
    }

    /// Appends the leaves of `mode` with its parentheses, as one mode.
    #[inline]
    pub(crate) const fn push(mut self, mode: &Self) -> Result<Self, LayoutError> {
        let shape = attempt!(self.shape.push(&mode.shape));
        repeat!(i, 0..mode.len(), {
            self = attempt!(self.push_leaf(mode.shape.at(i), &mode.stride_at(i)));
        });
        self.shape = shape;
        Ok(self)
    }

    /// The same leaves under other parentheses.
    pub(crate) const fn with_shape(mut self, shape: &IntTuple) -> Self {
        self.shape = *shape;
        self
    }

    /// The shape.
    pub const fn shape(&self) -> IntTuple {
        self.shape
    }

    /// The number of leaves.
    #[expect(clippy::len_without_is_empty, reason = "a layout has a leaf always")]
    pub const fn len(&self) -> usize {
        self.shape.len()
    }

    pub(crate) const fn extent_at(&self, i: usize) -> usize {
        self.shape.at(i)
    }

    /// The stride of leaf `i`; a zero step beyond the last leaf.
    #[inline]
    pub const fn stride_at(&self, i: usize) -> Vector {
        let mut stride = Vector::ZERO;
        if i < self.len() {
            let mut k = if i == 0 { 0 } else { self.end[i - 1] as usize };
            while k < self.end[i] as usize {
                stride = stride.and_step(self.path[k], self.step[k]);
                k += 1;
            }
        }
        stride
    }

    /// The number of modes.
    #[inline]
    pub const fn rank(&self) -> usize {
        self.shape.rank()
    }

    /// The nesting depth.
    #[inline]
    pub const fn depth(&self) -> usize {
        self.shape.depth()
    }

    /// The number of coordinates.
    #[inline]
    pub const fn size(&self) -> usize {
        // Checked in the constructor.
        or_fail!(self.shape.product())
    }

    /// Converts to a layout of offsets; `None` if a stride is negative or has a direction.
    #[inline]
    pub const fn as_layout(&self) -> Option<DynLayout> {
        let mut strides = [0; MAX_LEAVES];
        repeat!(i, 0..self.len(), {
            match self.stride_at(i).as_integer() {
                Some(stride) if stride >= 0 => strides[i] = stride as usize,
                _ => return None,
            }
        });
        match DynLayout::new(&self.shape, &self.shape.with_leaves(&strides)) {
            Ok(layout) => Some(layout),
            Err(_) => None,
        }
    }

    /// Whether the values are integers.
    #[inline]
    pub const fn has_integers(&self) -> bool {
        repeat!(i, 0..self.len(), {
            if self.stride_at(i).as_integer().is_none() {
                return false;
            }
        });
        true
    }

    /// The layout with every stride made positive, and the number that this adds to the values: the
    /// same set of offsets, with backward modes counted from the other end.
    ///
    /// ```
    /// use static_layout::engine::CoordinateLayout;
    /// let l = CoordinateLayout::parse("(4,2):(-1,4)").unwrap();
    /// let (forwards, above) = l.forwards().unwrap();
    /// assert_eq!((forwards.to_string(), above), ("(4,2):(1,4)".to_string(), 3));
    /// ```
    ///
    /// `None` if a stride has a direction.
    #[inline]
    pub const fn forwards(&self) -> Option<(DynLayout, usize)> {
        let (mut strides, mut above) = ([0; MAX_LEAVES], 0);
        repeat!(i, 0..self.len(), {
            let stride = match self.stride_at(i).as_integer() {
                Some(stride) => stride,
                None => return None,
            };
            strides[i] = stride.unsigned_abs();
            if stride < 0 {
                above += self.shape.at(i).saturating_sub(1) * strides[i];
            }
        });
        match DynLayout::new(&self.shape, &self.shape.with_leaves(&strides)) {
            Ok(layout) => Some((layout, above)),
            Err(_) => None,
        }
    }

    /// The value at a coordinate of the domain.
    ///
    /// # Errors
    ///
    /// If the coordinate does not fit the nesting of the shape, or lies outside it.
    #[inline]
    pub const fn coordinate_at(&self, coordinate: &IntTuple) -> Result<SignedTuple, LayoutError> {
        let at = attempt!(self.shape.natural_coordinate(coordinate));
        let codomain = attempt!(self.codomain());
        let mut values = [0; MAX_LEAVES];
        repeat!(i, 0..self.len(), {
            attempt!(codomain.add(&mut values, at.at(i) as isize, &self.stride_at(i)));
        });
        Ok(SignedTuple::of_values(&codomain.tree, values))
    }

    /// The value at a 1-D coordinate. Outside the domain the last leaf is unbounded. The value at a
    /// negative index is the negative of the value at the positive one: its digits are negative, as
    /// C++ divides.
    ///
    /// ```
    /// use static_layout::engine::CoordinateLayout;
    /// let l = CoordinateLayout::parse("(2,4):(-1,512)").unwrap();
    /// // -5 is (-1,-2), because -5 = -1 + 2 * -2.
    /// assert_eq!(l.coordinate_at_index(-5)?.as_integer(), Some(1 - 2 * 512));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::IntegerOverflow`], and [`LayoutError::ZeroExtent`] for an empty layout.
    #[inline]
    pub const fn coordinate_at_index(&self, index: isize) -> Result<SignedTuple, LayoutError> {
        refuse!(self.size() == 0, LayoutError::ZeroExtent);
        let codomain = attempt!(self.codomain());
        self.value(&codomain, index)
    }

    /// The values of all 1-D coordinates, in their order.
    ///
    /// ```
    /// use static_layout::engine::CoordinateLayout;
    /// let l = CoordinateLayout::parse("(2,2):(1@1,1@0)").unwrap();
    /// let values: Vec<_> = l.table().map(|c| c.to_string()).collect();
    /// assert_eq!(values, ["(0,0)", "(0,1)", "(1,0)", "(1,1)"]);
    /// ```
    #[inline]
    pub fn table(&self) -> impl ExactSizeIterator<Item = SignedTuple> {
        let (this, codomain) = (*self, self.codomain().unwrap_or(Codomain::EMPTY));
        (0..self.size()).map(move |index| {
            // All values inside the domain fit: checked in the constructor.
            this.value(&codomain, index as isize).unwrap_or(SignedTuple::integer(0))
        })
    }

    #[inline]
    const fn value(
        &self,
        codomain: &Codomain,
        mut index: isize,
    ) -> Result<SignedTuple, LayoutError> {
        let mut values = [0; MAX_LEAVES];
        repeat!(i, 0..self.len(), {
            let extent = self.shape.at(i) as isize;
            let digit = if i + 1 == self.len() { index } else { index % extent };
            attempt!(codomain.add(&mut values, digit, &self.stride_at(i)));
            index /= extent;
        });
        Ok(SignedTuple::of_values(&codomain.tree, values))
    }
}

impl From<DynLayout> for CoordinateLayout {
    #[inline]
    fn from(layout: DynLayout) -> Self {
        Self::of_offsets(&layout)
    }
}

impl CoordinateLayout {
    /// Converts a layout of offsets to one of integers.
    #[inline]
    pub const fn of_offsets(layout: &DynLayout) -> Self {
        let mut l = Self::EMPTY;
        repeat!(i, 0..layout.len(), {
            // One step for each leaf fits.
            if let Ok(more) = l.push_leaf(layout.extent_at(i), &Vector::number(layout.stride_at(i)))
            {
                l = more;
            }
        });
        l.with_shape(&layout.shape())
    }
}

impl fmt::Display for CoordinateLayout {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.shape)?;
        self.shape.write_with(f, |f, i| write!(f, "{}", self.stride_at(i)))
    }
}

debug_as_display!(CoordinateLayout);
