//! Products of complex numbers in real registers: `x * y = re(x) * y + i * (im(x) * y)`.
//!
//! A word is a complex number. A tile accumulates the products of B with the real parts of A and
//! those with the imaginary parts separately, and combines them at its end. So all three matrices
//! are used in place, in the interleaved format.

use core::marker::PhantomData;

use num_complex::Complex;

use crate::gemm::float::Float;
use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::arithmetic::Arithmetic;
use crate::gemm::kernel::table::{Kernels, kernels, last};
use crate::gemm::kernel::words::{Dot, Operand};
use crate::gemm::scale::{Kind, Scale};
use crate::simd::Level;
use crate::simd::interleaved::Interleaved;
use crate::simd::portable::Number;
use crate::simd::vector::{Isa, Vector, isa};

/// Complex numbers in the lanes of `V`, two lanes for each.
#[derive(Clone, Copy)]
pub(crate) struct ComplexVector<V>(V);

impl<T: Float, V: Interleaved<Element = T>> Vector for ComplexVector<V>
where
    Complex<T>: Sum,
{
    type Element = Complex<T>;
    const LANES: usize = V::LANES / 2;
    const HAS_MASK_REGISTERS: bool = V::HAS_MASK_REGISTERS;
    const REGISTERS: usize = V::REGISTERS;

    #[inline(always)]
    unsafe fn splat(x: Complex<T>) -> Self {
        // SAFETY: guaranteed by the caller.
        Self(unsafe { V::pairs(x.re, x.im) })
    }

    #[inline(always)]
    unsafe fn load(p: *const Complex<T>) -> Self {
        // SAFETY: guaranteed by the caller; a complex number is two contiguous real numbers.
        Self(unsafe { V::load(p.cast()) })
    }

    #[inline(always)]
    unsafe fn load_first(p: *const Complex<T>, n: usize) -> Self {
        // SAFETY: as above.
        Self(unsafe { V::load_first(p.cast(), 2 * n) })
    }

    #[inline(always)]
    unsafe fn store(self, p: *mut Complex<T>) {
        // SAFETY: as above.
        unsafe { self.0.store(p.cast()) };
    }

    #[inline(always)]
    unsafe fn store_first(self, p: *mut Complex<T>, n: usize) {
        // SAFETY: as above.
        unsafe { self.0.store_first(p.cast(), 2 * n) };
    }

    #[inline(always)]
    unsafe fn store_rest(self, p: *mut Complex<T>, n: usize) {
        // SAFETY: as above.
        unsafe { self.0.store_rest(p.cast(), 2 * n) };
    }

    #[inline(always)]
    unsafe fn mul(self, b: Self) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let product = self.0.real_parts().mul(b.0);
            Self(self.0.imaginary_parts().mul_add(b.0.times_i(), product))
        }
    }

    #[inline(always)]
    unsafe fn add(self, b: Self) -> Self {
        // SAFETY: guaranteed by the caller.
        Self(unsafe { self.0.add(b.0) })
    }

    #[inline(always)]
    unsafe fn sum(self) -> Complex<T> {
        // SAFETY: guaranteed by the caller.
        let [re, im] = unsafe { self.0.sum_of_pairs() };
        Complex::new(re, im)
    }
}

/// Accumulators of complex numbers: `self.0 + i * self.1`. The products with real and imaginary
/// parts are independent, and no lanes are swapped before the end.
#[derive(Clone, Copy)]
pub(crate) struct SplitAccumulator<V>(V, V);

impl<V: Interleaved> SplitAccumulator<V> {
    /// Combines the parts to complex numbers.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions of `V`.
    #[inline(always)]
    unsafe fn combine(self) -> ComplexVector<V> {
        // SAFETY: guaranteed by the caller.
        ComplexVector(unsafe { self.0.add(self.1.times_i()) })
    }
}

impl<T: Float, V: Interleaved<Element = T>> SplitAccumulator<V>
where
    Complex<T>: Sum,
{
    /// Accumulators with these values.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions of `V`.
    #[inline(always)]
    unsafe fn of(numbers: ComplexVector<V>) -> Self {
        // SAFETY: guaranteed by the caller.
        Self(numbers.0, unsafe { V::splat(T::ZERO) })
    }
}

impl<T: Float, V: Interleaved<Element = T>> Vector for SplitAccumulator<V>
where
    Complex<T>: Sum,
{
    type Element = Complex<T>;
    const LANES: usize = ComplexVector::<V>::LANES;
    const HAS_MASK_REGISTERS: bool = V::HAS_MASK_REGISTERS;
    const REGISTERS: usize = V::REGISTERS;

    #[inline(always)]
    unsafe fn splat(x: Complex<T>) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::of(ComplexVector::splat(x)) }
    }

    #[inline(always)]
    unsafe fn load(p: *const Complex<T>) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::of(ComplexVector::load(p)) }
    }

    #[inline(always)]
    unsafe fn load_first(p: *const Complex<T>, n: usize) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::of(ComplexVector::load_first(p, n)) }
    }

    #[inline(always)]
    unsafe fn store(self, p: *mut Complex<T>) {
        // SAFETY: guaranteed by the caller.
        unsafe { self.combine().store(p) };
    }

    #[inline(always)]
    unsafe fn store_first(self, p: *mut Complex<T>, n: usize) {
        // SAFETY: guaranteed by the caller.
        unsafe { self.combine().store_first(p, n) };
    }

    #[inline(always)]
    unsafe fn store_rest(self, p: *mut Complex<T>, n: usize) {
        // SAFETY: guaranteed by the caller.
        unsafe { self.combine().store_rest(p, n) };
    }

    #[inline(always)]
    unsafe fn mul_add(self, b: Self, c: Self) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { ComplexArithmetic::dot(self.combine(), b.combine(), c) }
    }

    #[inline(always)]
    unsafe fn mul(self, b: Self) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::of(self.combine().mul(b.combine())) }
    }

    #[inline(always)]
    unsafe fn add(self, b: Self) -> Self {
        // SAFETY: guaranteed by the caller.
        Self(unsafe { self.0.add(b.0) }, unsafe { self.1.add(b.1) })
    }

    #[inline(always)]
    unsafe fn sum(self) -> Complex<T> {
        // SAFETY: guaranteed by the caller.
        unsafe { self.combine().sum() }
    }
}

/// Complex numbers of `T`. Each is a word.
pub(crate) struct ComplexWord<V>(PhantomData<V>);

impl<T: Float, V: Interleaved<Element = T>> Operand for ComplexWord<V>
where
    Complex<T>: Sum,
{
    type Element = Complex<T>;
    type Part = Complex<T>;
    type Words = ComplexVector<V>;
    const IS_WORD: bool = true;

    #[inline(always)]
    fn part(element: Complex<T>) -> Complex<T> {
        element
    }
}

/// Products of complex numbers of `T` in the registers `V`.
pub(crate) struct ComplexArithmetic<T, V>(PhantomData<(T, V)>);

impl<T: Float, V: Interleaved<Element = T>> Dot for ComplexArithmetic<T, V>
where
    Complex<T>: Sum,
{
    type Sum = Complex<T>;
    type A = ComplexWord<V>;
    type B = ComplexWord<V>;
    type Math = Self;
    type Inner = Self;
    const PLAIN_COST: usize = 2;
}

impl<T: Float, V: Interleaved<Element = T>> Arithmetic for ComplexArithmetic<T, V>
where
    Complex<T>: Sum,
{
    type Word = Complex<T>;
    type Sum = Complex<T>;
    type Words = ComplexVector<V>;
    type Sums = SplitAccumulator<V>;
    const FUSES: bool = false;

    #[inline(always)]
    unsafe fn dot(
        x: ComplexVector<V>,
        y: ComplexVector<V>,
        sums: SplitAccumulator<V>,
    ) -> SplitAccumulator<V> {
        // SAFETY: guaranteed by the caller.
        unsafe {
            SplitAccumulator(
                x.0.real_parts().mul_add(y.0, sums.0),
                x.0.imaginary_parts().mul_add(y.0, sums.1),
            )
        }
    }
}

macro_rules! complex {
    ($($t:ty: $name:ident;)*) => {$(
        impl Sum for Complex<$t> {
            const ZERO: Self = Complex::new(0.0, 0.0);
            const ONE: Self = Complex::new(1.0, 0.0);
            const ASSIGN: &'static Scale<Self> =
                &Scale { alpha: Self::ONE, beta: Self::ZERO, kind: Kind::Assign };

            #[inline(always)]
            fn scaled_by(self, n: usize) -> Self {
                self * n as $t
            }
        }

        impl Number for Complex<$t> {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline(always)]
            fn product(self, other: Self) -> Self {
                self * other
            }
        }

        /// The kernels of complex numbers of this type at a level.
        pub(crate) fn $name(level: Level) -> &'static Kernels {
            type Of<I> = ComplexArithmetic<$t, <I as Isa<$t>>::Full>;
            match level {
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Level::Avx512(_) => kernels!(avx512, Of<isa::Avx512>:
                    1 2 3 4 5 6 7 8 9 10 11 to 12, 1 2 3 4 5 6 to 7, 1 2 3 to 4),
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Level::Avx2(_) => kernels!(avx2, Of<isa::Avx2>: 1 2 3 4 5 to 6, 1 2 to 3),
                #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
                Level::Neon(_) => kernels!(plain, Of<isa::Neon>:
                    1 2 3 4 5 6 7 8 9 10 11 to 12, 1 2 3 4 5 6 to 7, 1 2 3 to 4),
                _ => kernels!(plain, Of<isa::Portable>: 1 2 to 3, 1 to 2),
            }
        }
    )*};
}

complex! {
    f32: kernels_of_c32;
    f64: kernels_of_c64;
}
