//! `permute`, `transposed`, `broadcast_to` and `flip`: reorder, repeat and reverse the modes of an
//! array.

use crate::engine::coordinate_layout::CoordinateLayout;
use crate::engine::int_tuple::{IntTuple, MAX_LEAVES};
use crate::engine::layout::DynLayout;
use crate::engine::signed::SignedTuple;
use crate::engine::vector::Vector;
use crate::error::{AlgebraError, LayoutError};

/// Checks that `modes` contains the index of each mode of a shape exactly once.
const fn check_permutation(shape: &IntTuple, modes: &IntTuple) -> Result<(), LayoutError> {
    let numbers = attempt!(modes.flat_leaves());
    let mut sound = numbers.len() == shape.rank();
    repeat!(i, 0..numbers.len(), {
        if numbers[i] >= shape.rank() {
            let (operation, mode) = ("permute", numbers[i]);
            let error = AlgebraError::ModeIndex { operation, mode, shape: *shape };
            return Err(LayoutError::Algebra(error));
        }
        repeat!(j, 0..i, {
            sound = sound && numbers[j] != numbers[i];
        });
    });
    refuse!(!sound, AlgebraError::NoPermutation { modes: *modes, shape: *shape });
    Ok(())
}

/// Checks that there are two modes.
const fn check_matrix(shape: &IntTuple) -> Result<(), LayoutError> {
    refuse!(shape.rank() != 2, AlgebraError::NoMatrix { shape: *shape });
    Ok(())
}

macro_rules! permuting {
    ($layout:ident) => {
        impl $layout {
            /// The modes in another order: [`select`](Self::select) with each mode exactly once.
            ///
            /// # Errors
            ///
            /// [`AlgebraError::ModeIndex`]; [`AlgebraError::NoPermutation`] if a mode is missing or
            /// repeated.
            pub(crate) const fn permute(&self, modes: &IntTuple) -> Result<Self, LayoutError> {
                attempt!(check_permutation(&self.shape(), modes));
                self.select(attempt!(modes.flat_leaves()))
            }

            /// The transposed matrix: `transposed(A)(j, i) = A(i, j)`.
            ///
            /// # Errors
            ///
            /// [`AlgebraError::NoMatrix`] if there are not two modes.
            pub(crate) const fn transposed(&self) -> Result<Self, LayoutError> {
                attempt!(check_matrix(&self.shape()));
                self.select(&[1, 0])
            }
        }
    };
}
permuting!(DynLayout);
permuting!(CoordinateLayout);

impl DynLayout {
    /// The layout repeated to the modes of a shape, by NumPy's rule.
    ///
    /// Modes are aligned at the last one. A mode of one element, or one that the layout does not
    /// have, repeats with stride 0. Each other mode must have the size in the shape.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, IntTuple};
    /// use static_layout::types::Algebra;
    /// let column = DynLayout::parse("(4,1):(1,0)").unwrap();
    /// let all = column.broadcast_to(&IntTuple::flat(&[2, 4, 3])?)?;
    /// assert_eq!(all.to_string(), "(2,4,3):(0,1,0)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::BroadcastRank`] for a shape with fewer modes,
    /// [`AlgebraError::BroadcastExtent`] for a mode of another size.
    pub(crate) const fn broadcast_to(&self, shape: &IntTuple) -> Result<Self, LayoutError> {
        let extents = attempt!(shape.flat_leaves());
        if extents.len() < self.rank() {
            return Err(AlgebraError::BroadcastRank { layout: self.shape(), shape: *shape }.widen());
        }
        let new = extents.len() - self.rank();
        let mut l = Self::EMPTY;
        repeat!(i, 0..extents.len(), {
            let mode = if i < new { Self::UNIT } else { self.mode(i - new) };
            l = if mode.size() == 1 {
                attempt!(l.push_leaf(extents[i], 0))
            } else if mode.size() == extents[i] {
                attempt!(l.push(&mode))
            } else {
                let (size, extent) = (mode.size(), extents[i]);
                let error = AlgebraError::BroadcastExtent { mode: i, size, extent };
                return Err(LayoutError::Algebra(error));
            };
        });
        if shape.is_int() { l.checked() } else { l.parenthesised().checked() }
    }
}

impl CoordinateLayout {
    /// The layout with some modes reversed, and the value at its start:
    /// `flip(A)(c) + start = A(n - 1 - c)` in these modes.
    ///
    /// # Errors
    ///
    /// [`AlgebraError::ModeIndex`], and a value that does not fit.
    #[inline]
    pub fn flip(&self, modes: &IntTuple) -> Result<(Self, SignedTuple), LayoutError> {
        let shape = self.shape();
        let numbers = modes.flat_leaves()?;
        if let Some(&mode) = numbers.iter().find(|&&mode| mode >= shape.rank()) {
            let error = AlgebraError::ModeIndex { operation: "flip", mode, shape };
            return Err(LayoutError::Algebra(error));
        }
        let (mut last, mut strides) = ([0; MAX_LEAVES], [Vector::ZERO; MAX_LEAVES]);
        for (i, stride) in strides.iter_mut().enumerate().take(self.len()) {
            *stride = self.stride_at(i);
        }
        for &mode in numbers {
            let (start, end) = shape.mode_range(mode);
            for i in start..end {
                last[i] = shape.at(i).saturating_sub(1) - last[i];
                let mut negated = Vector::ZERO;
                negated.add(-1, &strides[i])?;
                strides[i] = negated;
            }
        }
        let start = self.coordinate_at(&shape.with_leaves(&last))?;
        Ok((Self::new(&shape, &strides[..self.len()])?, start))
    }
}
