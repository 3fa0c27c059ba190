//! Vectors as small arrays, for every architecture.

use core::ops::{Add, Mul};
use core::ptr;

use super::vector::{Isa, Vector, isa};

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
        let mut lanes = [T::default(); 4];
        // SAFETY: the caller allows `n <= 4` elements to be read; `lanes` is a local.
        unsafe { ptr::copy_nonoverlapping(p, lanes.as_mut_ptr(), n) };
        Self(lanes)
    }

    #[inline(always)]
    unsafe fn store(self, p: *mut T) {
        // SAFETY: the caller allows four elements to be written.
        unsafe { p.cast::<[T; 4]>().write_unaligned(self.0) };
    }

    #[inline(always)]
    unsafe fn store_first(self, p: *mut T, n: usize) {
        // SAFETY: the caller allows `n <= 4` elements to be written; `self` is a local.
        unsafe { ptr::copy_nonoverlapping(self.0.as_ptr(), p, n) };
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
