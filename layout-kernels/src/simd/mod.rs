//! Vector instructions: which are there, and one trait over their registers.

pub(crate) mod cache;
pub(crate) mod integer;
#[cfg(feature = "num-complex-0_4")]
pub(crate) mod interleaved;
mod level;
mod portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod sums;
pub(crate) mod vector;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod x86;

pub use level::{Avx2, Avx512, Level, Sse2};

/// The same pointer, in a register of its own: what is read and written behind it in a loop is at
/// constant distances from there.
///
/// Without it, compilers keep one index for all pointers of a loop. Intel's processors have to split
/// a product with an operand in memory whose address has an index, which takes a third of the speed
/// where every product has one. (16 cubed in f32, one row of C after the other: 66 ns in place of 50.)
#[cfg_attr(
    all(target_arch = "x86_64", target_feature = "sse2", not(miri)),
    expect(clippy::pointers_in_nomem_asm_block, reason = "nothing is read behind it")
)]
#[inline(always)]
pub(crate) fn own_register<T>(p: *const T) -> *const T {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    {
        use core::arch::asm;
        let mut p = p;
        // SAFETY: no instruction, and the pointer stays as it is.
        unsafe {
            asm!("/* {} */", inout(reg) p, options(pure, nomem, nostack, preserves_flags));
        }
        p
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", not(miri))))]
    p
}

/// Asks for the cache line of `p`, which need not be in any memory.
#[inline(always)]
pub(crate) fn prefetch<T>(p: *const T) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint, for any address; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(p.cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    let _ = p;
}

/// As [`prefetch`], for the second cache.
#[inline(always)]
pub(crate) fn prefetch_second<T>(p: *const T) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    {
        use core::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: a hint, for any address; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(p.cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    let _ = p;
}
