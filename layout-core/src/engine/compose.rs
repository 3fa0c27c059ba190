//! `composition`: the no-carry rule.
//!
//! Write a coordinate of the left layout A, coalesced to modes `S_0:D_0 .. S_r:D_r`, as mixed-radix
//! digits over `S_0 .. S_r`, the last digit unbounded. `A(x) = sum of digit_j(x) * D_j`, so A is
//! additive as long as no digit overflows:
//!
//! * **One leaf `s:d` of B.** The digits of `d, 2d, 3d ..` are multiples of the digits of `d` until
//!   one reaches its extent. The longest such run `n` must divide `s`. The leaf becomes a mode
//!   `n : A(d)`, and the rest, `s/n : n*d`, is treated in the same way.
//! * **All of B.** Digits of different modes add up. So for every digit but the last, the sum of the
//!   reaches of all modes must stay below its extent.
//!
//! The rule is sound for every A: the result equals `A(B(i))` everywhere. It is complete if the
//! strides of A are generic; it refuses a few compositions that exist only because strides of A
//! coincide. CuTe's rule looks at divisibility leaf by leaf, accepts compositions that are wrong
//! (NVIDIA/cutlass issues 2955 and 3177), and refuses some that are right. Where CuTe is right, the
//! result here is the same layout, mode for mode.

use crate::engine::int_tuple::{MAX_LEAVES, MAX_SIZE};
use crate::engine::layout::DynLayout;
use crate::error::{LayoutError, Operand, Place};

impl DynLayout {
    /// The layout of `A` after `B`: `composition(A, B)(i) = A(B(i))`, compatible with B's shape.
    ///
    /// B may leave the domain of A: the last mode of A is unbounded. A leaf of extent 1 in the
    /// result has stride 0.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// const A: DynLayout = DynLayout::leaf(20, 2);
    /// let b = DynLayout::parse("(5,4):(4,1)").unwrap();
    /// assert_eq!(A.composition(&b)?.to_string(), "(5,4):(8,2)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::CompositionCarry`] or [`LayoutError::CompositionOverlap`] if no layout
    /// satisfies the law by the rule above; [`LayoutError::ZeroExtent`] for an empty operand; an
    /// overflow of the result.
    pub(crate) const fn composition(&self, b: &Self) -> Result<Self, LayoutError> {
        self.composition_at(b, Place::new("composition", None, Operand::Right))
    }

    /// [`composition`](Self::composition) with a B that is the operand `place` of an operation.
    pub(crate) const fn composition_at(&self, b: &Self, place: Place) -> Result<Self, LayoutError> {
        let digits = self.left_operand().len() - 1;
        self.compose(b, digits, place)
    }

    /// [`composition`](Self::composition) for a B whose coordinates beyond the domain of A are
    /// ignored, as for an overhanging tile. The modes of B together may overflow the last digit
    /// inside the domain, but each single mode is exact everywhere.
    pub(crate) const fn composition_inside(
        &self,
        b: &Self,
        place: Place,
    ) -> Result<Self, LayoutError> {
        self.compose(b, self.coalesce().len() - 1, place)
    }

    /// Composes with each mode of B. Together the modes must not overflow the first `digits` extents
    /// of the left operand.
    const fn compose(&self, b: &Self, digits: usize, place: Place) -> Result<Self, LayoutError> {
        refuse!(self.size() == 0 || b.size() == 0, LayoutError::ZeroExtent);
        let a = self.left_operand();
        let mut reach = [0usize; MAX_LEAVES];
        let mut result = Self::EMPTY;
        repeat!(i, 0..b.len(), {
            let modes = attempt!(a.walk(b, i, place, &mut reach));
            let (open, close) = b.parentheses_at(i);
            if !result.extend(&modes.unwrapped().wrapped_like(open, close)) {
                return Err(LayoutError::TooManyLeaves { limit: MAX_LEAVES });
            }
        });
        repeat!(j, 0..digits, {
            if reach[j] >= a.extent_at(j) {
                let extent = a.extent_at(j);
                return Err(LayoutError::CompositionOverlap { place, reach: reach[j], extent });
            }
        });
        result.checked()
    }

    /// A coalesced, so that it is the same function also beyond its domain. A last leaf of extent 1
    /// has the stride with which A continues, so it is kept with extent 2 (CuTe's `coalesce_x`).
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// let left = |text| DynLayout::parse(text).unwrap().left_operand().to_string();
    /// assert_eq!((left("(2,(3,4)):(1,(2,6))"), left("(4,1):(1,9)")), ("24:1".into(), "(4,2):(1,9)".into()));
    /// ```
    pub const fn left_operand(&self) -> Self {
        let mut a = *self;
        let last = a.len() - 1;
        if a.extent_at(last) == 1 {
            a.set(last, 2, self.stride_at(last));
        }
        a.coalesce()
    }

    /// The modes that leaf `i` of B becomes in this coalesced layout. Adds their reach in each digit
    /// to `reach`.
    const fn walk(
        &self,
        b: &Self,
        i: usize,
        place: Place,
        reach: &mut [usize; MAX_LEAVES],
    ) -> Result<Self, LayoutError> {
        let (extent, stride) = (b.extent_at(i), b.stride_at(i));
        let mut modes = Self::EMPTY;
        if extent == 1 || stride == 0 {
            return modes.push_leaf(extent, 0);
        }
        // `step * rest` never exceeds the cosize of B, so products of it cannot overflow.
        let (mut rest, mut step) = (extent, stride);
        while rest > 1 {
            let digits = self.digits(step);
            let mut run = rest;
            let mut offset = 0usize;
            let mut j = 0;
            while j < self.len() {
                let digit = digits[j];
                if let Some(most) = (self.extent_at(j) - 1).checked_div(digit) {
                    if j + 1 < self.len() && most + 1 < run {
                        run = most + 1;
                    }
                    offset = match digit.checked_mul(self.stride_at(j)) {
                        Some(part) if part <= MAX_SIZE - offset => offset + part,
                        _ => return Err(LayoutError::IntegerOverflow { operation: "composition" }),
                    };
                }
                j += 1;
            }
            if !rest.is_multiple_of(run) {
                let place = b.place_of_leaf(i, place);
                return Err(LayoutError::CompositionCarry { place, extent, rest, run });
            }
            j = 0;
            while j + 1 < self.len() {
                reach[j] = reach[j].saturating_add((run - 1) * digits[j]);
                j += 1;
            }
            if !modes.extend_leaf(run, offset) {
                return Err(LayoutError::TooManyLeaves { limit: MAX_LEAVES });
            }
            rest /= run;
            // May exceed the limit in the last iteration, where it is not used.
            step = step.saturating_mul(run);
        }
        Ok(modes)
    }

    /// The mixed-radix digits of a coordinate over the extents, the last one unbounded. Digits are 0
    /// beyond the leaves, and in an empty layout.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// let l = DynLayout::parse("(6,2):(1,7)").unwrap();
    /// assert_eq!(l.digits(20)[..2], [2, 3]);
    /// ```
    pub const fn digits(&self, mut coordinate: usize) -> [usize; MAX_LEAVES] {
        let mut digits = [0; MAX_LEAVES];
        let mut j = 0;
        while j + 1 < self.len() {
            if self.extent_at(j) == 0 {
                return [0; MAX_LEAVES];
            }
            digits[j] = coordinate % self.extent_at(j);
            coordinate /= self.extent_at(j);
            j += 1;
        }
        digits[j] = coordinate;
        digits
    }
}
