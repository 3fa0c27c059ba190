//! Vector instructions: which are there, and one trait over their registers.

pub(crate) mod cache;
#[cfg(feature = "std")]
pub(crate) mod integer;
mod level;
mod portable;
#[cfg(target_arch = "x86_64")]
mod sums;
pub(crate) mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use level::{Avx2, Avx512, Level, Sse2};

/// Asks for the cache line of `p`, which need not be in any memory.
#[inline(always)]
pub(crate) fn prefetch<T>(p: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint, for any address; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(p.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = p;
}

/// As [`prefetch`], for the second cache.
#[cfg(feature = "std")]
#[inline(always)]
pub(crate) fn prefetch_second<T>(p: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: a hint, for any address; SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(p.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = p;
}
