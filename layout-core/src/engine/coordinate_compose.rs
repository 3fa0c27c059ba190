//! `composition`, and the operations built on it, for strides with a sign or a direction.
//!
//! The no-carry rule (see `compose`) depends only on the extents of A and on the coordinates that B
//! reaches, not on the strides of A. So A may have strides of any kind. B may step backwards only
//! within the last mode of A: an index in front of A's domain has different digits in C++, which
//! truncates, and in Python, which rounds down, unless every division is exact. B may step in
//! several modes of A at once. Each mode is then a digit system of its own: the digit system of
//! `1@0` is mode 0 of A.

use crate::engine::coalesce::by_profile;
use crate::engine::coordinate_layout::CoordinateLayout;
use crate::engine::int_tuple::{IntTuple, MAX_LEAVES};
use crate::engine::layout::DynLayout;
use crate::engine::tiler::{ByMode, Tiler, outer_mode};
use crate::engine::vector::{Codomain, Path, Vector};
use crate::error::{AlgebraError, LayoutError, Operand, Place};

/// The left operand: a digit system for one or several coordinates.
struct Digits {
    /// The modes of A that B steps in, each coalesced, concatenated.
    leaves: CoordinateLayout,
    /// The paths of these modes.
    modes: Codomain,
    /// For each mode, `end` is one past its last leaf, and `limited` one past its last leaf whose
    /// digits together must not overflow.
    end: [usize; MAX_LEAVES],
    limited: [usize; MAX_LEAVES],
}

/// How far B reaches in each digit, forwards and backwards.
struct Reach {
    forward: [usize; MAX_LEAVES],
    backward: [usize; MAX_LEAVES],
}

impl Digits {
    #[inline]
    const fn new(
        a: &CoordinateLayout,
        b: &CoordinateLayout,
        inside: bool,
    ) -> Result<Self, LayoutError> {
        let modes = attempt!(b.codomain());
        let mut leaves = CoordinateLayout::EMPTY;
        let (mut end, mut limited) = ([0; MAX_LEAVES], [0; MAX_LEAVES]);
        repeat!(p, 0..modes.len(), {
            let mode = attempt!(a.mode_at(modes.path(p)));
            let operand = mode.left_operand();
            let start = leaves.len();
            let domain = if inside { mode.coalesce() } else { operand };
            limited[p] = start + domain.len() - 1;
            leaves = attempt!(leaves.push(&operand));
            end[p] = leaves.len();
        });
        Ok(Self { leaves, modes, end, limited })
    }

    /// The digits of a step in the modes. The digits in each mode have the sign of the step.
    #[inline]
    const fn of(&self, step: &[i128; MAX_LEAVES]) -> [i128; MAX_LEAVES] {
        let (mut digits, mut j) = ([0; MAX_LEAVES], 0);
        repeat!(p, 0..self.modes.len(), {
            let mut rest = step[p];
            while j + 1 < self.end[p] {
                let extent = self.leaves.extent_at(j) as i128;
                digits[j] = rest % extent;
                rest /= extent;
                j += 1;
            }
            digits[j] = rest;
            j += 1;
        });
        digits
    }

    /// Whether digit `j` is the last digit of its coordinate, which is unbounded.
    const fn is_last(&self, j: usize) -> bool {
        let mut is_last = false;
        repeat!(p, 0..self.modes.len(), {
            is_last = is_last || j + 1 == self.end[p];
        });
        is_last
    }

    /// The modes that leaf `i` of B becomes. Adds their reach in each digit to `reach`.
    #[inline]
    const fn walk(
        &self,
        b: &CoordinateLayout,
        i: usize,
        place: Place,
        reach: &mut Reach,
    ) -> Result<CoordinateLayout, LayoutError> {
        let (extent, stride) = (b.extent_at(i), b.stride_at(i));
        let mut walked = CoordinateLayout::EMPTY;
        if extent == 1 || stride.is_zero() {
            return walked.push_leaf(extent, &Vector::ZERO);
        }
        let (mut step, mut p) = ([0; MAX_LEAVES], 0);
        while p < self.modes.len() {
            step[p] = stride.along(self.modes.path(p)) as i128;
            p += 1;
        }
        let mut rest = extent;
        while rest > 1 {
            let digits = self.of(&step);
            let (mut run, mut value) = (rest, Vector::ZERO);
            repeat!(j, 0..self.leaves.len(), {
                if digits[j] != 0 {
                    let fit = (self.leaves.extent_at(j) - 1) / digits[j].unsigned_abs() as usize;
                    if !self.is_last(j) && fit + 1 < run {
                        run = fit + 1;
                    }
                    attempt!(value.add(digits[j] as isize, &self.leaves.stride_at(j)));
                }
            });
            if !rest.is_multiple_of(run) {
                let place = b.tagged().place_of_leaf(i, place);
                return Err(LayoutError::CompositionCarry { place, extent, rest, run });
            }
            repeat!(j, 0..self.leaves.len(), {
                let most = (run - 1).saturating_mul(digits[j].unsigned_abs() as usize);
                let side = if digits[j] < 0 { &mut reach.backward } else { &mut reach.forward };
                side[j] = side[j].saturating_add(most);
            });
            walked = attempt!(walked.push_leaf(run, &value));
            rest /= run;
            p = 0;
            while p < self.modes.len() && rest > 1 {
                // At most the reach of B, which fits.
                step[p] *= run as i128;
                p += 1;
            }
        }
        Ok(walked)
    }
}

impl CoordinateLayout {
    /// The layout of `A` after `B`: `composition(A, B)(i) = A(B(i))`, compatible with B's shape.
    ///
    /// B may leave the domain of A at both ends: the last mode of A is unbounded. A stride of B with
    /// a direction steps in that mode of A.
    ///
    /// ```
    /// use static_layout::engine::CoordinateLayout;
    /// let l = |text| CoordinateLayout::parse(text).unwrap();
    /// let r = l("(4,4):(-1,1)").composition(&l("(2,4,2):(1,4,2)"))?;
    /// assert_eq!(r.to_string(), "(2,4,2):(-1,1,-2)");
    /// let transposed = l("(4,4):(4,1)").composition(&l("(4,4):(1@1,1@0)"))?;
    /// assert_eq!(transposed.to_string(), "(4,4):(1,4)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`algebra::composition`](crate::engine::algebra::composition);
    /// [`AlgebraError::NoSuchMode`] for a direction that A does not have;
    /// [`AlgebraError::CompositionBackwards`] if a division of an index in front of A is not exact.
    #[inline]
    pub const fn composition(&self, b: &Self) -> Result<Self, LayoutError> {
        self.compose(b, false, Place::new("composition", None, Operand::Right))
    }

    /// [`composition`](Self::composition) with a B that is the operand `place` of an operation.
    #[inline]
    pub(crate) const fn compose(
        &self,
        b: &Self,
        inside: bool,
        place: Place,
    ) -> Result<Self, LayoutError> {
        refuse!(self.size() == 0 || b.size() == 0, LayoutError::ZeroExtent);
        let digits = attempt!(Digits::new(self, b, inside));
        let mut reach = Reach { forward: [0; MAX_LEAVES], backward: [0; MAX_LEAVES] };
        let (mut result, mut shape) = (Self::EMPTY, IntTuple::EMPTY);
        repeat!(i, 0..b.len(), {
            let walked = attempt!(digits.walk(b, i, place, &mut reach));
            let (open, close) = (b.shape().open(i), b.shape().close(i));
            let part = walked.shape().unwrapped().wrapped_like(open, close);
            shape = attempt!(shape.push(&part));
            result = attempt!(result.push(&walked));
        });
        let mut j = 0;
        repeat!(p, 0..digits.modes.len(), {
            let (last, mut inner, mut backwards) = (digits.end[p] - 1, false, false);
            while j < digits.end[p] {
                let extent = digits.leaves.extent_at(j);
                let (ahead, behind) = (reach.forward[j], reach.backward[j]);
                let most = if ahead > behind { ahead } else { behind };
                if j < digits.limited[p] && most >= extent {
                    return Err(LayoutError::CompositionOverlap { place, reach: most, extent });
                }
                inner = inner || (j < last && most > 0);
                backwards = backwards || behind > 0;
                j += 1;
            }
            refuse!(backwards && inner, AlgebraError::CompositionBackwards { place });
        });
        result.with_shape(&shape).checked()
    }

    /// The mode that a path leads to.
    #[inline]
    const fn mode_at(&self, path: Path) -> Result<Self, LayoutError> {
        let (mut mode, mut level) = (*self, 0);
        while let Some(number) = path.mode(level) {
            if mode.shape().is_int() || number >= mode.rank() {
                return Err(AlgebraError::NoSuchMode { path, shape: self.shape() }.widen());
            }
            mode = mode.mode(number);
            level += 1;
        }
        Ok(mode)
    }

    /// [`composition`](Self::composition) with a tiler. A tuple applies mode by mode; further modes
    /// of the layout are dropped, as in CuTe.
    ///
    /// # Errors
    ///
    /// The errors of `composition`, and [`LayoutError::TilerRank`].
    #[inline]
    pub const fn composition_by(&self, tiler: &Tiler) -> Result<Self, LayoutError> {
        self.by_mode(ByMode::Composition, tiler, None)
    }

    /// The layout as (tile, rest): [`DynLayout::logical_divide_by`].
    ///
    /// # Errors
    ///
    /// The errors of `DynLayout::logical_divide_by`.
    #[inline]
    pub const fn logical_divide_by(&self, tiler: &Tiler) -> Result<Self, LayoutError> {
        self.by_mode(ByMode::LogicalDivide, tiler, None)
    }

    /// The tiles of all modes in mode 0, the rests in mode 1: [`DynLayout::zipped_divide_by`].
    ///
    /// # Errors
    ///
    /// The errors of `DynLayout::zipped_divide_by`.
    #[inline]
    pub const fn zipped_divide_by(&self, tiler: &Tiler) -> Result<Self, LayoutError> {
        let divided = attempt!(self.logical_divide_by(tiler));
        divided.untagged(&attempt!(divided.tagged().zipped(tiler, "zipped_divide")))
    }

    /// The rests of all modes as modes: [`DynLayout::tiled_divide_by`].
    ///
    /// # Errors
    ///
    /// The errors of `DynLayout::tiled_divide_by`.
    #[inline]
    pub const fn tiled_divide_by(&self, tiler: &Tiler) -> Result<Self, LayoutError> {
        let zipped = attempt!(self.zipped_divide_by(tiler));
        zipped.untagged(&attempt!(zipped.tagged().unpacked(false)))
    }

    /// The tiles and the rests of all modes as modes: [`DynLayout::flat_divide_by`].
    ///
    /// # Errors
    ///
    /// The errors of `DynLayout::flat_divide_by`.
    #[inline]
    pub const fn flat_divide_by(&self, tiler: &Tiler) -> Result<Self, LayoutError> {
        let zipped = attempt!(self.zipped_divide_by(tiler));
        zipped.untagged(&attempt!(zipped.tagged().unpacked(true)))
    }

    #[inline]
    const fn by_mode(
        &self,
        operation: ByMode,
        tiler: &Tiler,
        mode: Option<usize>,
    ) -> Result<Self, LayoutError> {
        if tiler.is_keep() {
            return Ok(*self);
        }
        if let Some(tile) = tiler.as_layout() {
            let name = operation.name();
            if matches!(operation, ByMode::Composition) {
                return self.compose(
                    &Self::of_offsets(&tile),
                    false,
                    Place::new(name, mode, Operand::Right),
                );
            }
            // As in `DynLayout::logical_divide`: the tile is exact, only the rest may overhang.
            let rest =
                attempt!(tile.complement_at(self.size(), Place::new(name, mode, Operand::Tile)));
            attempt!(self.compose(
                &Self::of_offsets(&tile),
                false,
                Place::new(name, mode, Operand::Tile)
            ));
            let both = attempt!(DynLayout::tuple(&[tile, rest]));
            return self.compose(
                &Self::of_offsets(&both),
                true,
                Place::new(name, mode, Operand::TileAndRest),
            );
        }
        attempt!(operation.check_rank(tiler, &self.shape(), mode));
        let mut result = Self::EMPTY;
        repeat!(i, 0..self.rank(), {
            if i < tiler.rank() {
                let part = self.mode(i).by_mode(operation, &tiler.mode(i), outer_mode(mode, i));
                result = attempt!(result.push(&attempt!(part)));
            } else if operation.keeps_modes() {
                result = attempt!(result.push(&self.mode(i)));
            }
        });
        result.parenthesised().checked()
    }

    /// The layout with the fewest modes that is the same function of 1-D coordinates:
    /// [`algebra::coalesce`](crate::engine::algebra::coalesce).
    ///
    /// ```
    /// use static_layout::engine::CoordinateLayout;
    /// let l = CoordinateLayout::parse("((2,3),(2,2)):((1@0,2@0),(-1@1,-2@1))").unwrap();
    /// assert_eq!(l.coalesce().to_string(), "(6,4):(1@0,-1@1)");
    /// ```
    #[inline]
    pub const fn coalesce(&self) -> Self {
        let (mut l, mut last) = (Self::EMPTY, (1, Vector::ZERO));
        repeat!(i, 0..self.len(), {
            let (extent, stride) = (self.extent_at(i), self.stride_at(i));
            if last.0 == 1 {
                last = (extent, stride);
            } else if extent != 1 {
                if stride.is_multiple(last.0, &last.1)
                    && let Some(merged) = last.0.checked_mul(extent)
                {
                    last.0 = merged;
                } else {
                    l = l.with_leaf(last.0, &last.1);
                    last = (extent, stride);
                }
            }
        });
        if last.0 != 1 {
            l = l.with_leaf(last.0, &last.1);
        } else if l.len() == 0 {
            l = l.with_leaf(1, &Vector::ZERO);
        }
        let shape = l.shape().unwrapped();
        l.with_shape(&shape)
    }

    /// Appends a leaf of an existing layout, so it fits.
    #[inline]
    const fn with_leaf(self, extent: usize, stride: &Vector) -> Self {
        or_fail!(self.push_leaf(extent, stride))
    }

    /// Coalesced, and the same function also outside its domain: [`DynLayout::left_operand`].
    #[inline]
    const fn left_operand(&self) -> Self {
        let mut shape = self.shape();
        let last = shape.len() - 1;
        if shape.at(last) == 1 {
            shape.set(last, 2);
        }
        self.with_shape(&shape).coalesce()
    }

    /// [`coalesce`](Self::coalesce) at each leaf of `profile`:
    /// [`algebra::coalesce_by`](crate::engine::algebra::coalesce_by).
    ///
    /// # Errors
    ///
    /// [`LayoutError::ProfileRank`].
    #[inline]
    pub const fn coalesce_by(&self, profile: &IntTuple) -> Result<Self, LayoutError> {
        by_profile!(self, profile, coalesce, coalesce_by)
    }

    /// The fewest modes with the same values, without modes that do not step:
    /// [`algebra::filter`](crate::engine::algebra::filter).
    #[inline]
    pub const fn filter(&self) -> Self {
        self.filter_zeros().coalesce()
    }

    /// [`filter`](Self::filter) at each leaf of `profile`:
    /// [`algebra::filter_by`](crate::engine::algebra::filter_by).
    ///
    /// # Errors
    ///
    /// [`LayoutError::ProfileRank`].
    #[inline]
    pub const fn filter_by(&self, profile: &IntTuple) -> Result<Self, LayoutError> {
        by_profile!(self, profile, filter, filter_by)
    }
}
