//! Packing: a block of an operand, from any layout, into panels that a register tile reads one
//! after the other.

use crate::gemm::float::Float;
use crate::gemm::place::{read, write};

/// Whether these offsets are consecutive.
pub(crate) fn consecutive(offsets: &[usize]) -> bool {
    offsets.iter().zip(offsets[0]..).all(|(&offset, expected)| offset == expected)
}

/// The distance of these offsets when it is always the same; 0 when there is only one.
pub(crate) fn distance(offsets: &[usize]) -> Option<usize> {
    let Some(&second) = offsets.get(1) else { return Some(0) };
    let step = second.checked_sub(offsets[0])?;
    offsets.windows(2).all(|pair| pair[0] + step == pair[1]).then_some(step)
}

/// Copies a block into a panel: element `(k, i)` to `k * width + i`, and zeros up to `width`.
///
/// # Safety
///
/// `from` can be read at the sum of any two offsets, of which there are at most `width` along the
/// panel, and `to` can be written for `width` elements for each offset along K.
pub(crate) unsafe fn panel<T: Float>(
    from: *const T,
    along: &[usize],
    depth: &[usize],
    to: *mut T,
    width: usize,
) {
    if along.len() < width {
        for k in 0..depth.len() {
            for i in along.len()..width {
                // SAFETY: `i < width` in row `k` of the panel.
                unsafe { write(to, k * width + i, T::ZERO) };
            }
        }
    }
    if consecutive(along) {
        for (k, &offset) in depth.iter().enumerate() {
            // SAFETY: the first element of this step.
            let from = unsafe { from.add(offset + along[0]) };
            // SAFETY: row `k` of the panel.
            let to = unsafe { to.add(k * width) };
            // SAFETY: the elements along the panel are consecutive; the panel is another place.
            unsafe { core::ptr::copy_nonoverlapping(from, to, along.len()) };
        }
        return;
    }
    // Four rows at a time, so that reads along K are shared by few cache lines, and writes too.
    for (i, four) in along.chunks(4).enumerate() {
        for (k, &offset) in depth.iter().enumerate() {
            for (j, &row) in four.iter().enumerate() {
                // SAFETY: an offset of the operand.
                let element = unsafe { read(from, row + offset) };
                // SAFETY: `4 * i + j < width` in row `k` of the panel.
                unsafe { write(to, k * width + 4 * i + j, element) };
            }
        }
    }
}
