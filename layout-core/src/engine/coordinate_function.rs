//! Layouts of coordinates as functions: complement, inverses and cosize.
//!
//! A coordinate is a tuple of integers. If each stride steps in one component only, the layout acts
//! on each component independently. So each operation here handles one mode of the values at a time,
//! with the operation of [`DynLayout`] at the leaves.

use crate::engine::coordinate_layout::CoordinateLayout;
use crate::engine::int_tuple::{IntTuple, MAX_LEAVES};
use crate::engine::layout::DynLayout;
use crate::engine::vector::Vector;
use crate::error::{AlgebraError, LayoutError, Operand, Place};

/// The end of a complement.
#[derive(Clone, Copy)]
enum Cotarget<'a> {
    /// The cosize of the layout.
    Cosize,
    /// To the end of a shape.
    Shape(&'a IntTuple),
    /// Unbounded, valid for every shape: the last mode has no end.
    NoEnd,
}

impl CoordinateLayout {
    /// The coordinates that `self` does not reach in the smallest box that contains its values:
    /// [`algebra::complement_in_cosize`](crate::engine::algebra::complement_in_cosize) in each mode
    /// of the values.
    ///
    /// # Errors
    ///
    /// The errors of [`complement_shape`](Self::complement_shape).
    #[inline]
    pub fn complement_in_cosize(&self) -> Result<Self, LayoutError> {
        self.complement_at(Cotarget::Cosize, Place::new("complement", None, Operand::Layout))
    }

    /// The coordinates of a shape that `self` does not reach:
    /// [`algebra::complement`](crate::engine::algebra::complement) in each mode of the values.
    ///
    /// An integer is the number of all coordinates: the last mode of the values repeats as often as
    /// needed.
    ///
    /// ```
    /// use static_layout::engine::{CoordinateLayout, IntTuple};
    /// let l = CoordinateLayout::parse("(4,3):(2@0,1@1)").unwrap();
    /// let rest = l.complement_shape(&IntTuple::flat(&[16, 6])?)?;
    /// assert_eq!(rest.to_string(), "((2,2),2):((1@0,8@0),3@1)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::ComplementOverlap`] if modes overlap; [`AlgebraError::BackwardStride`] and
    /// [`AlgebraError::SlantedStride`] for strides that have no complement;
    /// [`AlgebraError::CotargetRank`] for a tuple with fewer modes than the values.
    #[inline]
    pub fn complement_shape(&self, cotarget: &IntTuple) -> Result<Self, LayoutError> {
        let place = Place::new("complement", None, Operand::Layout);
        self.complement_at(Cotarget::Shape(cotarget), place)
    }

    /// The complement for every cotarget, as the left operand of a composition.
    #[inline]
    pub(crate) fn complement_without_end(&self, place: Place) -> Result<Self, LayoutError> {
        self.complement_at(Cotarget::NoEnd, place)
    }

    #[inline]
    fn complement_at(&self, cotarget: Cotarget<'_>, place: Place) -> Result<Self, LayoutError> {
        if let Some(layout) = self.offsets(place.operation)? {
            let rest = match cotarget {
                Cotarget::Cosize => layout.complement_at(layout.cosize(), place),
                Cotarget::Shape(shape) => layout.complement_shape_at(shape, place),
                Cotarget::NoEnd => layout.complement_without_end(place),
            };
            return Ok(Self::of_offsets(&rest?));
        }
        let codomain = self.codomain()?.tree;
        if let Cotarget::Shape(cotarget) = cotarget
            && !cotarget.is_int()
            && cotarget.rank() < codomain.rank()
        {
            let error = AlgebraError::CotargetRank { cotarget: *cotarget, codomain };
            return Err(error.into());
        }
        // `covered`: the size that the modes before the last one cover.
        let (mut rest, mut covered) = (Self::EMPTY, 1usize);
        for mode in 0..codomain.rank() {
            let (part, is_last) = (self.in_mode(mode)?, mode + 1 == codomain.rank());
            let mut free = match cotarget {
                Cotarget::Shape(shape) if !shape.is_int() => {
                    part.complement_at(Cotarget::Shape(&shape.mode(mode)), place)
                }
                Cotarget::Shape(size) if is_last => {
                    let needed = IntTuple::leaf(size.at(0).div_ceil(covered));
                    part.complement_at(Cotarget::Shape(&needed), place)
                }
                Cotarget::NoEnd if is_last => part.complement_at(cotarget, place),
                _ => part.complement_at(Cotarget::Cosize, place),
            }?;
            if !is_last {
                let both = Self::tuple(&[part, free])?.cosize()?;
                covered = covered.saturating_mul(both.max(1));
            }
            if part.has_integers() && free.len() == 1 && free.extent_at(0) == 1 {
                // The complement in this mode is trivial. If it is continued, it continues after the
                // layout in this mode.
                free = Self::of_offsets(&DynLayout::leaf_unchecked(1, part.cosize()?));
            }
            rest = rest.push(&free.lifted(mode)?)?;
        }
        if let Cotarget::Shape(shape) = cotarget
            && !shape.is_int()
        {
            // The layout does not step in these modes.
            for mode in codomain.rank()..shape.rank() {
                rest = rest.push(&Self::identity(&shape.mode(mode))?.lifted(mode)?)?;
            }
        }
        rest.parenthesised().checked()
    }

    /// The layout R with `L(R(c)) = c` for every coordinate c of R, as
    /// [`algebra::right_inverse`](crate::engine::algebra::right_inverse). It ignores modes that run
    /// backwards and modes that step in several components at once.
    ///
    /// If the values of L are coordinates, R has their modes, and the values of R are 1-D
    /// coordinates of L.
    ///
    /// ```
    /// use static_layout::engine::CoordinateLayout;
    /// let inverse = |text| CoordinateLayout::parse(text).unwrap().right_inverse().unwrap();
    /// assert_eq!(inverse("(4,4):(-1,1)").to_string(), "4:4");
    /// assert_eq!(inverse("(4):(-1)").to_string(), "1:0");
    /// assert_eq!(inverse("(4,5):(1@1,1@0)").to_string(), "(5,4):(4,1)");
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::TooManyLeaves`].
    #[inline]
    pub fn right_inverse(&self) -> Result<DynLayout, LayoutError> {
        let mut forwards = Self::EMPTY;
        for i in 0..self.len() {
            let stride = self.stride_at(i);
            let is_used = stride.len() == 1 && stride.at(0).1 > 0;
            forwards = forwards
                .push_leaf(self.extent_at(i), if is_used { &stride } else { &Vector::ZERO })?;
        }
        forwards.with_shape(&self.shape()).right_inverse_of_modes(&self.codomain()?.tree)
    }

    /// The right inverse of a layout whose strides are all forward steps.
    #[inline]
    fn right_inverse_of_modes(&self, codomain: &IntTuple) -> Result<DynLayout, LayoutError> {
        if let Some(layout) = self.as_layout() {
            return if codomain.is_int() {
                Ok(layout.right_inverse())
            } else {
                // The layout does not step in these modes.
                DynLayout::new(&codomain.with_leaves(&[1; MAX_LEAVES]), codomain)
            };
        }
        let mut inverse = DynLayout::EMPTY;
        for mode in 0..codomain.rank() {
            let part = self.in_mode(mode)?;
            inverse = inverse.push(&part.right_inverse_of_modes(&codomain.mode(mode))?)?;
        }
        inverse.parenthesised().checked()
    }

    /// The layout R that finds a coordinate of every value of L: `L(R(L(i))) = L(i)`, and
    /// `R(L(i)) = i` when L is injective, as
    /// [`algebra::left_inverse`](crate::engine::algebra::left_inverse).
    ///
    /// If the values of L are coordinates, R has their modes.
    ///
    /// ```
    /// use static_layout::engine::CoordinateLayout;
    /// let inverse = |text| CoordinateLayout::parse(text).unwrap().left_inverse().unwrap();
    /// assert_eq!(inverse("((4,2),4):((1@1,4@0),1@0)").to_string(), "((4,2),4):((8,4),1)");
    /// assert_eq!(inverse("(4,2):(-1,-4)").to_string(), "8:-1");
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of the operation on layouts of offsets; [`AlgebraError::InverseSigns`] for strides
    /// of both signs, [`AlgebraError::SlantedStride`] for a stride that steps in several components.
    #[inline]
    pub fn left_inverse(&self) -> Result<Self, LayoutError> {
        refuse!(self.size() == 0, LayoutError::ZeroExtent);
        let codomain = self.codomain()?.tree;
        if !codomain.is_int() {
            self.check_single_steps("left_inverse")?;
            let mut inverse = Self::EMPTY;
            for mode in 0..codomain.rank() {
                let part = self.in_mode(mode)?;
                let one = Self::of_offsets(&DynLayout::UNIT);
                let is_used = (0..part.len()).any(|i| !part.stride_at(i).is_zero());
                inverse = inverse.push(&if is_used { part.left_inverse()? } else { one })?;
            }
            return inverse.parenthesised().checked();
        }
        // A layout is odd: it maps -x to the negative of the value of x.
        let (mut backward, mut forward) = (0, 0);
        for i in (0..self.len()).filter(|&i| self.extent_at(i) > 1) {
            match self.stride_at(i).as_integer() {
                Some(stride) if stride < 0 => backward = stride,
                Some(stride) if stride > 0 => forward = stride,
                _ => {}
            }
        }
        refuse!(backward != 0 && forward != 0, AlgebraError::InverseSigns { forward, backward });
        // A leaf of extent 1 may step the other way. If it is the last one, coordinates beyond the
        // domain take its steps, but none of them leads to a value.
        let one_way = self.with_steps(|path, step| {
            Ok(((step < 0) == (backward != 0)).then(|| Vector::step(step, path)))
        })?;
        let positive = one_way.forwards().map_or(DynLayout::UNIT, |(positive, _)| positive);
        let inverse = Self::of_offsets(&positive.left_inverse()?);
        if backward == 0 { Ok(inverse) } else { inverse.times(-1) }
    }

    /// The number of coordinates in the smallest box that contains all values. For integers: the
    /// number of integers from the smallest to the largest value.
    ///
    /// ```
    /// use static_layout::engine::CoordinateLayout;
    /// let cosize = |text| CoordinateLayout::parse(text).unwrap().cosize();
    /// assert_eq!((cosize("(4,3):(2@0,1@1)"), cosize("4:-2")), (Ok(21), Ok(7)));
    /// ```
    ///
    /// # Errors
    ///
    /// An overflow.
    #[inline]
    pub fn cosize(&self) -> Result<usize, LayoutError> {
        const OVERFLOW: LayoutError = LayoutError::IntegerOverflow { operation: "cosize" };
        if self.size() == 0 {
            return Ok(0);
        }
        let codomain = self.codomain()?;
        (0..codomain.len())
            .try_fold(1usize, |product, k| product.checked_mul(self.reach(codomain.path(k))))
            .ok_or(OVERFLOW)
    }

    /// Number of integers from the smallest to the largest at one path of the values.
    #[inline]
    fn reach(&self, path: crate::engine::Path) -> usize {
        let steps = (0..self.len()).map(|i| {
            // Fits: checked in the constructor.
            self.extent_at(i).saturating_sub(1) * self.stride_at(i).along(path).unsigned_abs()
        });
        steps.sum::<usize>() + 1
    }

    /// An equivalent layout of offsets: each value is replaced by its index in the smallest box that
    /// contains all values, first mode fastest. Modes whose index would decrease are counted from
    /// the other end. Leaves of extent 1, which are never stepped, have stride 0.
    ///
    /// # Errors
    ///
    /// An overflow.
    #[inline]
    pub fn numbered(&self) -> Result<DynLayout, LayoutError> {
        const OVERFLOW: LayoutError = LayoutError::IntegerOverflow { operation: "cosize" };
        let codomain = self.codomain()?;
        let (mut numbers, mut weight) = ([0i128; MAX_LEAVES], 1i128);
        for path in (0..codomain.len()).map(|k| codomain.path(k)) {
            for i in (0..self.len()).filter(|&i| self.extent_at(i) > 1) {
                numbers[i] += self.stride_at(i).along(path) as i128 * weight;
            }
            weight = weight.checked_mul(self.reach(path) as i128).ok_or(OVERFLOW)?;
            refuse!(weight > isize::MAX as i128, OVERFLOW);
        }
        let mut strides = [0; MAX_LEAVES];
        for (stride, number) in strides.iter_mut().zip(numbers) {
            *stride = usize::try_from(number.unsigned_abs()).map_err(|_| OVERFLOW)?;
        }
        DynLayout::new(&self.shape(), &self.shape().with_leaves(&strides))
    }

    /// Converts to a layout of offsets; `None` if the values are coordinates. Each stride must step
    /// in one component.
    #[inline]
    fn offsets(&self, operation: &'static str) -> Result<Option<DynLayout>, LayoutError> {
        self.check_single_steps(operation)?;
        for i in 0..self.len() {
            let stride = self.stride_at(i);
            if !stride.is_zero() && stride.at(0).1 < 0 {
                let stride = stride.at(0).1;
                return Err(AlgebraError::BackwardStride { operation, stride }.into());
            }
        }
        Ok(self.as_layout())
    }

    #[inline]
    fn check_single_steps(&self, operation: &'static str) -> Result<(), LayoutError> {
        for i in 0..self.len() {
            let stride = self.stride_at(i);
            if stride.len() > 1 {
                let (first, second) = (stride.at(0).0, stride.at(1).0);
                return Err(AlgebraError::SlantedStride { operation, first, second }.into());
            }
        }
        Ok(())
    }

    /// The same domain, with component `mode` of the values.
    #[inline]
    fn in_mode(&self, mode: usize) -> Result<Self, LayoutError> {
        self.with_steps(|path, step| Ok(path.within(mode).map(|path| Vector::step(step, path))))
    }

    /// The same domain, with the values as component `mode` of tuples.
    #[inline]
    fn lifted(&self, mode: usize) -> Result<Self, LayoutError> {
        self.with_steps(|path, step| Ok(Some(Vector::step(step, path.inside(mode)?))))
    }

    /// The same domain, with the values multiplied by `factor`.
    #[inline]
    fn times(&self, factor: isize) -> Result<Self, LayoutError> {
        self.with_steps(|path, step| Ok(Some(Vector::step(factor * step, path))))
    }

    #[inline]
    fn with_steps(
        &self,
        of: impl Fn(crate::engine::Path, isize) -> Result<Option<Vector>, LayoutError>,
    ) -> Result<Self, LayoutError> {
        let mut l = Self::EMPTY;
        for i in 0..self.len() {
            let (old, mut stride) = (self.stride_at(i), Vector::ZERO);
            for k in 0..old.len() {
                let (path, step) = old.at(k);
                if let Some(step) = of(path, step)? {
                    stride.add(1, &step)?;
                }
            }
            l = l.push_leaf(self.extent_at(i), &stride)?;
        }
        Ok(l.with_shape(&self.shape()))
    }
}
