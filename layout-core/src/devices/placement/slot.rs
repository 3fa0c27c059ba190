//! Maps coordinates to slots, and back.

use crate::devices::Placement;
use crate::devices::numbers::{digits, flat};
use crate::engine::IntTuple;
use crate::error::{LayoutError, PlacementError};

/// A place in memory: `offset` elements into the buffer of core `core`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Slot {
    /// The index of the core, row-major in its grid.
    pub core: usize,
    /// The offset in the buffer of the core, in elements.
    pub offset: usize,
}

impl Placement {
    /// The slot of the element with this coordinate.
    ///
    /// # Errors
    ///
    /// A coordinate of another rank, or outside the shape.
    #[inline]
    pub const fn slot(&self, coordinate: &[usize]) -> Result<Slot, LayoutError> {
        let number = attempt!(self.slot_number(coordinate));
        Ok(Slot { core: number / self.storage, offset: number % self.storage })
    }

    /// The slot number of the element with this coordinate: `core * storage + offset`, which counts
    /// through the buffers of all cores.
    ///
    /// # Errors
    ///
    /// The errors of [`slot`](Self::slot).
    #[inline]
    pub const fn slot_number(&self, coordinate: &[usize]) -> Result<usize, LayoutError> {
        Ok(self.slot_of_index(attempt!(self.index_number(coordinate))))
    }

    /// The slot with this number: the inverse of `core * storage + offset`.
    ///
    /// # Errors
    ///
    /// [`PlacementError::NoSuchSlot`]
    pub const fn slot_at(&self, number: usize) -> Result<Slot, LayoutError> {
        let (cores, storage) = (self.cores, self.storage);
        let (core, offset) = (number / storage, number % storage);
        refuse!(core >= cores, PlacementError::NoSuchSlot { core, offset, cores, storage });
        Ok(Slot { core, offset })
    }

    /// The index of this coordinate: one component for each index dimension.
    ///
    /// # Errors
    ///
    /// A coordinate of another rank, or outside the shape.
    #[inline]
    pub const fn index(&self, coordinate: &[usize]) -> Result<IntTuple, LayoutError> {
        let number = attempt!(self.index_number(coordinate));
        flat(digits(number, self.index_extents()).split_at(self.dimensions).0)
    }

    /// The coordinate of the element in a slot; `None` for padding.
    ///
    /// If several elements share the slot, any of them is returned.
    ///
    /// # Errors
    ///
    /// [`PlacementError::NoSuchSlot`]; the errors of
    /// [`DynLayout::preimage`](crate::engine::DynLayout::preimage).
    #[inline]
    pub const fn coordinate(&self, slot: Slot) -> Result<Option<IntTuple>, LayoutError> {
        let Slot { core, offset } = slot;
        let (cores, storage) = (self.cores, self.storage);
        if core >= cores || offset >= storage {
            return Err(PlacementError::NoSuchSlot { core, offset, cores, storage }.widen());
        }
        let digits = match self.leaves.preimage(core * storage + offset) {
            Ok(Some(digits)) => digits,
            other => return other,
        };
        let number = match self.index_of_digits(digits.leaves()) {
            Some(number) => number,
            None => return Ok(None),
        };
        self.linear.preimage(number)
    }

    /// Whether the slot holds no element.
    ///
    /// # Errors
    ///
    /// The errors of [`coordinate`](Self::coordinate).
    #[inline]
    pub const fn is_padding(&self, slot: Slot) -> Result<bool, LayoutError> {
        match self.coordinate(slot) {
            Ok(coordinate) => Ok(coordinate.is_none()),
            Err(error) => Err(error),
        }
    }

    /// Whether no two elements share a slot.
    ///
    /// # Errors
    ///
    /// The errors of [`DynLayout::is_injective`](crate::engine::DynLayout::is_injective).
    pub const fn is_injective(&self) -> Result<bool, LayoutError> {
        match self.linear.is_injective() {
            Ok(true) => self.leaves.is_injective(),
            other => other,
        }
    }

    #[inline]
    const fn index_number(&self, coordinate: &[usize]) -> Result<usize, LayoutError> {
        if coordinate.len() != self.rank {
            let (entries, rank) = (coordinate.len(), self.rank);
            return Err(PlacementError::CoordinateRank { entries, rank }.widen());
        }
        let mut number = 0;
        repeat!(d, 0..self.rank, {
            let (coordinate, extent) = (coordinate[d], self.linear.extent_at(d));
            refuse!(coordinate >= extent, LayoutError::CoordinateOutOfRange { coordinate, extent });
            number += coordinate * self.linear.stride_at(d);
        });
        Ok(number)
    }

    #[inline]
    pub(super) const fn slot_of_index(&self, mut number: usize) -> usize {
        // Starts with the last dimension, the least significant digit. Its pieces and leaves are the
        // last ones, innermost first.
        let mut slot = 0;
        repeat_rev!(dimension, 0..self.dimensions, {
            let mut x = number % self.extents[dimension];
            number /= self.extents[dimension];
            let (mut piece, end) = self.pieces_of(dimension);
            while piece < end {
                let mut digit = x % self.pieces[piece].extent;
                x /= self.pieces[piece].extent;
                let (mut leaf, end) = self.leaves_of(piece);
                while leaf < end {
                    slot += digit % self.leaves.extent_at(leaf) * self.leaves.stride_at(leaf);
                    digit /= self.leaves.extent_at(leaf);
                    leaf += 1;
                }
                piece += 1;
            }
        });
        slot
    }

    /// The number of the index whose leaves have these digits; `None` for padding.
    #[inline]
    const fn index_of_digits(&self, digits: &[usize]) -> Option<usize> {
        let mut number = 0;
        repeat!(dimension, 0..self.dimensions, {
            let (mut x, mut weight) = (0, 1);
            let (mut piece, end) = self.pieces_of(dimension);
            while piece < end {
                let (mut digit, mut radix) = (0, 1);
                let (mut leaf, end) = self.leaves_of(piece);
                while leaf < end {
                    digit += digits[leaf] * radix;
                    radix *= self.leaves.extent_at(leaf);
                    leaf += 1;
                }
                if digit >= self.pieces[piece].extent {
                    return None;
                }
                x += digit * weight;
                weight *= self.pieces[piece].extent;
                piece += 1;
            }
            if x >= self.extents[dimension] {
                return None;
            }
            number = number * self.extents[dimension] + x;
        });
        Some(number)
    }
}
