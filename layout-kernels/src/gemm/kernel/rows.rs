//! `Rows`: where the rows of A are, in as few registers as addresses allow.

use core::hint::black_box;

use crate::gemm::kernel::tile::Policy;
use crate::simd::own_register;

/// The rows of A as addresses. Rows of a group are at a register times 1, 2 or 4 from a pointer, which
/// an address can have; a pointer for each row would not fit the registers.
pub(super) struct Rows<const ROWS: usize> {
    row: usize,
    /// From the first row of a group to each of them.
    within: [usize; 8],
}

/// Groups in the tallest tile.
pub(super) const MAX_GROUPS: usize = 4;

impl<const ROWS: usize> Rows<ROWS> {
    /// Rows of a group: more of them take fewer pointers, and more registers.
    const GROUP: usize = if ROWS <= 8 { 8 } else { 4 };

    #[inline(always)]
    pub(super) fn new<P: Policy>(row: usize) -> Self {
        let (mut three, mut five) = (row.wrapping_mul(3), row.wrapping_mul(5));
        let mut seven = row.wrapping_mul(7);
        // Hidden from LLVM, which would compute the products again in each step.
        if const { !P::INLINED && ROWS > 3 } {
            three = black_box(three);
        }
        if const { !P::INLINED && Self::GROUP > 4 && ROWS > 5 } {
            five = black_box(five);
        }
        if const { !P::INLINED && Self::GROUP > 4 && ROWS > 7 } {
            seven = black_box(seven);
        }
        let (two, four, six) = (row.wrapping_mul(2), row.wrapping_mul(4), three.wrapping_mul(2));
        Self { row, within: [0, row, two, three, four, five, six, seven] }
    }

    /// The pointers of the groups.
    #[inline(always)]
    pub(super) fn groups<P: Policy>(&self, a: *const u8) -> [*const u8; MAX_GROUPS] {
        // Otherwise LLVM would have a pointer for each row.
        let group = |g: usize| own_register(a.wrapping_add(g * Self::GROUP * self.row));
        let mut groups = [own_register(a); MAX_GROUPS];
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

    /// Goes on by some bytes. Wrapping, since the last step leads behind the operand.
    #[inline(always)]
    pub(super) fn advance<P: Policy>(groups: &mut [*const u8; MAX_GROUPS], bytes: usize) {
        if const { P::INLINED } {
            groups[0] = groups[0].wrapping_add(bytes);
        } else {
            // Otherwise LLVM counts one index, and has a pointer for each row again.
            for group in groups.iter_mut().take(const { ROWS.div_ceil(Self::GROUP) }) {
                *group = own_register(group.wrapping_add(bytes));
            }
        }
    }

    /// The word of row `i`.
    #[inline(always)]
    pub(super) fn at<P: Policy>(&self, groups: &[*const u8; MAX_GROUPS], i: usize) -> *const u8 {
        if const { P::INLINED } {
            return groups[0].wrapping_add(i * self.row);
        }
        groups[i / Self::GROUP].wrapping_add(self.within[i % Self::GROUP])
    }
}
