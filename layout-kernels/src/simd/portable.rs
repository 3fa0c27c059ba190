//! Vectors as small arrays, for all architectures.

use super::vector::{Isa, Vector, isa};

/// Loads the first `n <= 4` elements from `p`; the others are zero. Elements are tested one by one,
/// because a copy of unknown length would be a call.
///
/// # Safety
///
/// The `n` elements can be read.
#[inline(always)]
pub(super) unsafe fn load_first<T: Copy + Default>(p: *const T, n: usize) -> [T; 4] {
    // SAFETY: guaranteed by the caller.
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

/// Stores the first `n <= 4` lanes.
///
/// # Safety
///
/// The `n` elements can be written.
#[inline(always)]
pub(super) unsafe fn store_first<T: Copy>(lanes: [T; 4], p: *mut T, n: usize) {
    // SAFETY: guaranteed by the caller.
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

/// A number that can be added and multiplied.
pub trait Number: Copy + Default + 'static {
    /// `self + other`; wraps around for integers.
    fn plus(self, other: Self) -> Self;
    /// `self * other`; wraps around for integers.
    fn product(self, other: Self) -> Self;
}

macro_rules! number {
    ($($number:ty: |$a:ident, $b:ident| $sum:expr, $product:expr;)*) => {$(
        impl Number for $number {
            #[inline(always)]
            fn plus(self, $b: Self) -> Self {
                let $a = self;
                $sum
            }

            #[inline(always)]
            fn product(self, $b: Self) -> Self {
                let $a = self;
                $product
            }
        }
    )*};
}

number! {
    f32: |a, b| a + b, a * b;
    f64: |a, b| a + b, a * b;
    i32: |a, b| a.wrapping_add(b), a.wrapping_mul(b);
}

/// Four lanes: one register of `f32` or `i32` on most CPUs, two of `f64`. The lanes are unrolled by
/// hand, because generic code over arrays takes long to compile.
#[derive(Clone, Copy)]
pub struct Array4<T>(pub(crate) [T; 4]);

impl<T: Number> Vector for Array4<T> {
    type Element = T;
    const LANES: usize = 4;
    /// As if registers had 16 bytes.
    const REGISTERS: usize = 16 * 16 / size_of::<Self>();

    #[inline(always)]
    unsafe fn splat(x: T) -> Self {
        Self([x; 4])
    }

    #[inline(always)]
    unsafe fn load(p: *const T) -> Self {
        // SAFETY: the caller guarantees that four elements can be read; the read is unaligned.
        Self(unsafe { p.cast::<[T; 4]>().read_unaligned() })
    }

    #[inline(always)]
    unsafe fn load_first(p: *const T, n: usize) -> Self {
        // SAFETY: guaranteed by the caller.
        Self(unsafe { load_first(p, n) })
    }

    #[inline(always)]
    unsafe fn store(self, p: *mut T) {
        // SAFETY: the caller guarantees that four elements can be written; the write is unaligned.
        unsafe { p.cast::<[T; 4]>().write_unaligned(self.0) };
    }

    #[inline(always)]
    unsafe fn store_first(self, p: *mut T, n: usize) {
        // SAFETY: guaranteed by the caller.
        unsafe { store_first(self.0, p, n) };
    }

    #[inline(always)]
    unsafe fn mul_add(self, b: Self, c: Self) -> Self {
        let (Self([a0, a1, a2, a3]), Self([b0, b1, b2, b3])) = (self, b);
        let Self([c0, c1, c2, c3]) = c;
        Self([
            a0.product(b0).plus(c0),
            a1.product(b1).plus(c1),
            a2.product(b2).plus(c2),
            a3.product(b3).plus(c3),
        ])
    }

    #[inline(always)]
    unsafe fn mul(self, b: Self) -> Self {
        let (Self([a0, a1, a2, a3]), Self([b0, b1, b2, b3])) = (self, b);
        Self([a0.product(b0), a1.product(b1), a2.product(b2), a3.product(b3)])
    }

    #[inline(always)]
    unsafe fn add(self, b: Self) -> Self {
        let (Self([a0, a1, a2, a3]), Self([b0, b1, b2, b3])) = (self, b);
        Self([a0.plus(b0), a1.plus(b1), a2.plus(b2), a3.plus(b3)])
    }

    #[inline(always)]
    unsafe fn sum(self) -> T {
        let Self([a, b, c, d]) = self;
        a.plus(c).plus(b.plus(d))
    }
}

impl<T: Number> Isa<T> for isa::Portable {
    type Full = Array4<T>;
    type Half = Array4<T>;
    type Quarter = Array4<T>;
    const REGISTERS: usize = 14;
}
