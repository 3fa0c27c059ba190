//! `const fn`s for lists of numbers in arrays, and checked arithmetic.

use crate::devices::MAX_DIMENSIONS;
use crate::engine::{DynLayout, IntTuple, MAX_SIZE};
use crate::error::{LayoutError, PlacementError};

/// An array that starts with `numbers` and is filled up with `rest`.
#[inline]
pub(super) const fn array<const N: usize>(numbers: &[usize], rest: usize) -> [usize; N] {
    let mut array = [rest; N];
    array.split_at_mut(numbers.len()).0.copy_from_slice(numbers);
    array
}

/// The tuple of these extents. An empty list gives the integer 1.
#[inline]
pub(super) const fn flat(extents: &[usize]) -> Result<IntTuple, LayoutError> {
    if extents.is_empty() { Ok(IntTuple::leaf(1)) } else { IntTuple::flat(extents) }
}

/// Checks that the rank is at most [`MAX_DIMENSIONS`].
pub(super) const fn check_rank(rank: usize) -> Result<(), LayoutError> {
    refuse!(rank > MAX_DIMENSIONS, PlacementError::TooManyDimensions { limit: MAX_DIMENSIONS });
    Ok(())
}

/// Checks that a coordinate has the rank of `extents` and is within them.
#[inline]
pub(super) const fn check_coordinate(
    coordinate: &[usize],
    extents: &[usize],
) -> Result<(), LayoutError> {
    if coordinate.len() != extents.len() {
        let (entries, rank) = (coordinate.len(), extents.len());
        return Err(PlacementError::CoordinateRank { entries, rank }.widen());
    }
    repeat!(d, 0..extents.len(), {
        if coordinate[d] >= extents[d] {
            let (coordinate, extent) = (coordinate[d], extents[d]);
            return Err(LayoutError::CoordinateOutOfRange { coordinate, extent });
        }
    });
    Ok(())
}

/// The position of the first 0.
pub(super) const fn zero_in(numbers: &[usize]) -> Option<usize> {
    repeat!(i, 0..numbers.len(), {
        if numbers[i] == 0 {
            return Some(i);
        }
    });
    None
}

/// The product of numbers whose product is known to fit.
pub(super) const fn product(numbers: &[usize]) -> usize {
    let mut product = 1;
    repeat!(i, 0..numbers.len(), {
        product *= numbers[i];
    });
    product
}

/// `a * b`; an error above [`MAX_SIZE`].
pub(super) const fn times(
    a: usize,
    b: usize,
    operation: &'static str,
) -> Result<usize, LayoutError> {
    match a.checked_mul(b) {
        Some(product) if product <= MAX_SIZE => Ok(product),
        _ => Err(LayoutError::IntegerOverflow { operation }),
    }
}

/// `sum + count * step`; an error above [`MAX_SIZE`].
#[inline]
pub(super) const fn plus_times(
    sum: usize,
    [count, step]: [usize; 2],
    operation: &'static str,
) -> Result<usize, LayoutError> {
    match sum.checked_add(attempt!(times(count, step, operation))) {
        Some(sum) if sum <= MAX_SIZE => Ok(sum),
        _ => Err(LayoutError::IntegerOverflow { operation }),
    }
}

/// The digits of a number in these radices, the least significant last.
#[inline]
pub(super) const fn digits(mut number: usize, radices: &[usize]) -> [usize; MAX_DIMENSIONS] {
    let (mut digits, mut i) = ([0; MAX_DIMENSIONS], radices.len());
    while i > 0 {
        i -= 1;
        digits[i] = number % radices[i];
        number /= radices[i];
    }
    digits
}

/// The sizes of the modes of a layout.
#[inline]
pub(super) const fn mode_sizes(layout: &DynLayout) -> Result<[usize; MAX_DIMENSIONS], LayoutError> {
    attempt!(check_rank(layout.rank()));
    let mut sizes = [1; MAX_DIMENSIONS];
    repeat!(d, 0..layout.rank(), {
        sizes[d] = layout.mode(d).size();
    });
    Ok(sizes)
}
