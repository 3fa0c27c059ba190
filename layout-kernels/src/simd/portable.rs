//! Vectors as small arrays, for every architecture.

use core::ops::{Add, Mul};

use super::vector::{Isa, Vector, isa};

/// The first `n <= 4` elements from `p`, and zeros. Elements are tested one by one: a copy of
/// unknown length is a call.
///
/// # Safety
///
/// They can be read.
#[inline(always)]
pub(super) unsafe fn load_first<T: Copy + Default>(p: *const T, n: usize) -> [T; 4] {
    // SAFETY: as required here.
    unsafe {
        if n == 4 {
            return p.cast::<[T; 4]>().read_unaligned();
        }
        let zero = T::default();
        let first = if n > 0 { *p } else { zero };
        let second = if n > 1 { *p.add(1) } else { zero };
        [first, second, if n > 2 { *p.add(2) } else { zero }, zero]
    }
}

/// Writes the first `n <= 4` lanes.
///
/// # Safety
///
/// They can be written.
#[inline(always)]
pub(super) unsafe fn store_first<T: Copy>(lanes: [T; 4], p: *mut T, n: usize) {
    // SAFETY: as required here.
    unsafe {
        if n == 4 {
            return p.cast::<[T; 4]>().write_unaligned(lanes);
        }
        if n > 0 {
            *p = lanes[0];
        }
        if n > 1 {
            *p.add(1) = lanes[1];
        }
        if n > 2 {
            *p.add(2) = lanes[2];
        }
    }
}

/// Four lanes: what the registers of most processors hold of `f32`, and two registers of `f64`.
#[derive(Clone, Copy)]
pub struct Array4<T>([T; 4]);

impl<T: Copy + Default + 'static + Add<Output = T> + Mul<Output = T>> Vector for Array4<T> {
    type Element = T;
    const LANES: usize = 4;
    const UNMASKED: usize = 3;

    #[inline(always)]
    unsafe fn splat(x: T) -> Self {
        Self([x; 4])
    }

    #[inline(always)]
    unsafe fn load(p: *const T) -> Self {
        // SAFETY: the caller allows four elements to be read, without alignment of the array.
        Self(unsafe { p.cast::<[T; 4]>().read_unaligned() })
    }

    #[inline(always)]
    unsafe fn load_first(p: *const T, n: usize) -> Self {
        // SAFETY: as required here.
        Self(unsafe { load_first(p, n) })
    }

    #[inline(always)]
    unsafe fn store(self, p: *mut T) {
        // SAFETY: the caller allows four elements to be written.
        unsafe { p.cast::<[T; 4]>().write_unaligned(self.0) };
    }

    #[inline(always)]
    unsafe fn store_first(self, p: *mut T, n: usize) {
        // SAFETY: as required here.
        unsafe { store_first(self.0, p, n) };
    }

    #[inline(always)]
    unsafe fn mul_add(self, b: Self, c: Self) -> Self {
        let (Self([a0, a1, a2, a3]), Self([b0, b1, b2, b3]), Self([c0, c1, c2, c3])) = (self, b, c);
        Self([a0 * b0 + c0, a1 * b1 + c1, a2 * b2 + c2, a3 * b3 + c3])
    }

    #[inline(always)]
    unsafe fn mul(self, b: Self) -> Self {
        let (Self([a0, a1, a2, a3]), Self([b0, b1, b2, b3])) = (self, b);
        Self([a0 * b0, a1 * b1, a2 * b2, a3 * b3])
    }

    #[inline(always)]
    unsafe fn add(self, b: Self) -> Self {
        let (Self([a0, a1, a2, a3]), Self([b0, b1, b2, b3])) = (self, b);
        Self([a0 + b0, a1 + b1, a2 + b2, a3 + b3])
    }

    #[inline(always)]
    unsafe fn sum(self) -> T {
        let Self([a, b, c, d]) = self;
        (a + c) + (b + d)
    }
}

impl<T: Copy + Default + 'static + Add<Output = T> + Mul<Output = T>> Isa<T> for isa::Portable {
    type Full = Array4<T>;
    type Half = Array4<T>;
    type Quarter = Array4<T>;
    const REGISTERS: usize = 14;
}
