//! Packing: a block of an operand, from any layout, into a panel that a register tile reads from
//! its start to its end.

use core::ops::Range;
use core::ptr;

use crate::gemm::float::Float;
use crate::gemm::place::{read, write};

/// Whether these offsets are consecutive.
pub(crate) fn consecutive(offsets: &[usize]) -> bool {
    offsets.iter().zip(offsets[0]..).all(|(&offset, expected)| offset == expected)
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
    let block = Block { from, along, depth, to, width };
    if along.len() < width {
        for k in 0..depth.len() {
            for i in along.len()..width {
                // SAFETY: `i < width` in row `k` of the panel.
                unsafe { write(to, k * width + i, T::ZERO) };
            }
        }
    }
    if consecutive(along) {
        // SAFETY: the caller's promise, and the elements of each row are consecutive.
        unsafe { block.rows() };
    } else if consecutive(depth) {
        // SAFETY: the caller's promise, and the elements along K are consecutive.
        unsafe { block.squares() };
    } else {
        // SAFETY: the caller's promise.
        unsafe { block.elements(0..along.len(), 0..depth.len()) };
    }
}

/// The arguments of [`panel`], whose promise its methods need.
struct Block<'a, T> {
    from: *const T,
    along: &'a [usize],
    depth: &'a [usize],
    to: *mut T,
    width: usize,
}

impl<T: Float> Block<'_, T> {
    /// Each row at once.
    unsafe fn rows(&self) {
        for (k, &offset) in self.depth.iter().enumerate() {
            // SAFETY: the first element of this step.
            let from = unsafe { self.from.add(offset + self.along[0]) };
            // SAFETY: row `k` of the panel.
            let to = unsafe { self.to.add(k * self.width) };
            // SAFETY: the elements of a row are consecutive; the panel is another place.
            unsafe { ptr::copy_nonoverlapping(from, to, self.along.len()) };
        }
    }

    /// Squares of four elements by four, transposed in registers, and single elements at the ends.
    unsafe fn squares(&self) {
        let (fours, k_fours) = (self.along.len() / 4 * 4, self.depth.len() / 4 * 4);
        for (i, four) in self.along.chunks_exact(4).enumerate() {
            for k in (0..k_fours).step_by(4) {
                let mut square = [[T::ZERO; 4]; 4];
                for (row, &offset) in square.iter_mut().zip(four) {
                    // SAFETY: an element of the operand, that has three more behind it along K.
                    let from = unsafe { self.from.add(offset + self.depth[k]) };
                    // SAFETY: as above.
                    *row = unsafe { from.cast::<[T; 4]>().read_unaligned() };
                }
                for j in 0..4 {
                    let row = square.map(|row| row[j]);
                    // SAFETY: `4 * i + 3 < width` in row `k + j` of the panel.
                    let to = unsafe { self.to.add((k + j) * self.width + 4 * i) };
                    // SAFETY: as above.
                    unsafe { to.cast::<[T; 4]>().write_unaligned(row) };
                }
            }
        }
        // SAFETY: parts of the block.
        unsafe { self.elements(0..fours, k_fours..self.depth.len()) };
        // SAFETY: parts of the block.
        unsafe { self.elements(fours..self.along.len(), 0..self.depth.len()) };
    }

    /// One element after the other.
    unsafe fn elements(&self, along: Range<usize>, depth: Range<usize>) {
        for i in along {
            for k in depth.clone() {
                // SAFETY: an offset of the operand.
                let element = unsafe { read(self.from, self.along[i] + self.depth[k]) };
                // SAFETY: `i < width` in row `k` of the panel.
                unsafe { write(self.to, k * self.width + i, element) };
            }
        }
    }
}
