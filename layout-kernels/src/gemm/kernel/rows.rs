//! `Rows`: the addresses of the rows of A, in as few registers as x86 addressing modes allow.

use crate::gemm::kernel::policy::Policy;
use crate::simd::{opaque, opaque_pointer};

/// The addresses of the rows of A. In a group, each row is at a pointer plus a register times 1, 2
/// or 4, which is one addressing mode. A pointer for each row would need too many registers.
///
/// Inlined tiles use only the first pointer: the offsets of their rows are constants.
pub(super) struct Rows<const ROWS: usize> {
    row: usize,
    /// Byte offsets from the first row of a group to each of its rows.
    within: [usize; 8],
}

/// Maximum number of groups of a tile.
pub(super) const MAX_GROUPS: usize = 4;

impl<const ROWS: usize> Rows<ROWS> {
    /// Rows in a group. Larger groups need fewer pointers, but more registers for multiples of the
    /// stride.
    const GROUP: usize = if ROWS <= 8 { 8 } else { 4 };

    #[inline(always)]
    pub(super) fn new<P: Policy>(row: usize) -> Self {
        let (mut three, mut five) = (row.wrapping_mul(3), row.wrapping_mul(5));
        let mut seven = row.wrapping_mul(7);
        // Opaque to LLVM, which would recompute the multiples in each step.
        if const { !P::INLINED && ROWS > 3 } {
            three = opaque(three);
        }
        if const { !P::INLINED && Self::GROUP > 4 && ROWS > 5 } {
            five = opaque(five);
        }
        if const { !P::INLINED && Self::GROUP > 4 && ROWS > 7 } {
            seven = opaque(seven);
        }
        let (two, four, six) = (row.wrapping_mul(2), row.wrapping_mul(4), three.wrapping_mul(2));
        Self { row, within: [0, row, two, three, four, five, six, seven] }
    }

    /// Pointers to the first row of each group.
    #[inline(always)]
    pub(super) fn groups<P: Policy>(&self, a: *const u8) -> [*const u8; MAX_GROUPS] {
        // Opaque copies: otherwise LLVM keeps one pointer per row.
        let group = |g: usize| opaque_pointer(a.wrapping_add(g * Self::GROUP * self.row));
        let mut groups = [opaque_pointer(a); MAX_GROUPS];
        if const { !P::INLINED && ROWS > Self::GROUP } {
            groups[1] = group(1);
        }
        if const { !P::INLINED && ROWS > 2 * Self::GROUP } {
            groups[2] = group(2);
        }
        if const { !P::INLINED && ROWS > 3 * Self::GROUP } {
            groups[3] = group(3);
        }
        groups
    }

    /// Advances all groups by `bytes`. Wrapping, since the last step leads past the operand.
    #[inline(always)]
    pub(super) fn advance(groups: &mut [*const u8; MAX_GROUPS], bytes: usize) {
        // Opaque copies: otherwise LLVM uses one index register, and again one pointer per row.
        for group in groups.iter_mut().take(const { ROWS.div_ceil(Self::GROUP) }) {
            *group = opaque_pointer(group.wrapping_add(bytes));
        }
    }

    /// Address of the word of row `i`.
    #[inline(always)]
    pub(super) fn at(&self, groups: &[*const u8; MAX_GROUPS], i: usize) -> *const u8 {
        groups[i / Self::GROUP].wrapping_add(self.within[i % Self::GROUP])
    }
}
