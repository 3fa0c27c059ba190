//! `make_ordered`: a compact layout whose modes are contiguous in a given order.

use crate::engine::int_tuple::{IntTuple, MAX_LEAVES};
use crate::engine::layout::DynLayout;
use crate::error::{AlgebraError, LayoutError};

/// The parts of a shape at the leaves of an order.
struct Parts {
    len: usize,
    place: [usize; MAX_LEAVES],
    size: [usize; MAX_LEAVES],
    leaves: [usize; MAX_LEAVES],
}

impl Parts {
    const fn collect(&mut self, shape: &IntTuple, order: &IntTuple) -> Result<(), LayoutError> {
        if order.is_int() {
            let mut size = 1usize;
            repeat!(i, 0..shape.len(), {
                size = size.saturating_mul(shape.at(i));
            });
            self.place[self.len] = order.at(0);
            self.size[self.len] = size;
            self.leaves[self.len] = shape.len();
            self.len += 1;
            return Ok(());
        }
        if shape.is_int() || shape.rank() != order.rank() {
            return Err(AlgebraError::OrderProfile { order: *order, shape: *shape }.widen());
        }
        repeat!(i, 0..order.rank(), {
            attempt!(self.collect(&shape.mode(i), &order.mode(i)));
        });
        Ok(())
    }

    /// The stride of part `i`: the size of all parts before it in the order.
    const fn start(&self, i: usize) -> usize {
        let mut start = 1usize;
        repeat!(k, 0..self.len, {
            if self.place[k] < self.place[i] {
                start = start.saturating_mul(self.size[k]);
            }
        });
        start
    }

    const fn tie(&self) -> Option<usize> {
        repeat!(i, 0..self.len, {
            repeat!(k, 0..i, {
                if self.place[k] == self.place[i] && self.size[k] > 1 && self.size[i] > 1 {
                    return Some(self.place[i]);
                }
            });
        });
        None
    }
}

impl DynLayout {
    /// The compact layout of `shape` with its modes in the order of the integers in `order`; the
    /// mode with the smallest integer is contiguous. A mode below one integer of the order is
    /// column-major.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, IntTuple};
    /// let (shape, order) = (IntTuple::flat(&[12, 4, 3])?, IntTuple::flat(&[2, 0, 1])?);
    /// let l = DynLayout::make_ordered(&shape, &order)?;
    /// assert_eq!(l.to_string(), "(12,4,3):(12,1,4)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::OrderProfile`]; [`AlgebraError::OrderTie`] for equal integers, for which the
    /// layout would not be compact; [`LayoutError::SizeOverflow`].
    #[doc(alias = "make_ordered_layout")]
    pub const fn make_ordered(shape: &IntTuple, order: &IntTuple) -> Result<Self, LayoutError> {
        attempt!(shape.check_sizes());
        let mut parts = Parts {
            len: 0,
            place: [0; MAX_LEAVES],
            size: [0; MAX_LEAVES],
            leaves: [0; MAX_LEAVES],
        };
        attempt!(parts.collect(shape, order));
        if let Some(place) = parts.tie() {
            let error = AlgebraError::OrderTie { order: *order, place };
            return Err(LayoutError::Algebra(error));
        }
        let mut strides = [0; MAX_LEAVES];
        let mut leaf = 0;
        repeat!(i, 0..parts.len, {
            let (mut step, end) = (parts.start(i), leaf + parts.leaves[i]);
            while leaf < end {
                if shape.at(leaf) != 1 {
                    strides[leaf] = step;
                    step = step.saturating_mul(shape.at(leaf));
                }
                leaf += 1;
            }
        });
        Self::new(shape, &shape.with_leaves(&strides))
    }
}
