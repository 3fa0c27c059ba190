//! `Multiply`: which elements can be multiplied, and the type of their sums.

#[cfg(feature = "num-complex-0_4")]
use num_complex::Complex;

use crate::gemm::exec::unblocked::Matrices;
use crate::gemm::exec::{self, ElementKernels, naive};
use crate::gemm::float::sealed::Sum;
#[cfg(feature = "num-complex-0_4")]
use crate::gemm::inlined::InlinedComplex;
use crate::gemm::inlined::{InlinedFloats, NotInlined, StaticModes, StaticProduct};
#[cfg(feature = "half")]
use crate::gemm::kernel::bf16::{kernels_of_bf16, kernels_of_f16};
use crate::gemm::kernel::bytes::bytes;
#[cfg(feature = "num-complex-0_4")]
use crate::gemm::kernel::complex::{kernels_of_c32, kernels_of_c64};
use crate::gemm::kernel::line;
use crate::gemm::kernel::table::floats;
use crate::gemm::problem::strided::Strided;
use crate::par::Par;
use crate::simd::Level;
#[cfg(feature = "half")]
use crate::simd::widen::Narrow;

pub(crate) mod sealed {
    /// Pairs of element types that this crate multiplies.
    pub trait Sealed<Y> {}
}

/// Elements of A that [`gemm`](crate::gemm()) multiplies by elements `Y` of B.
///
/// | A | B | C | sums |
/// | --- | --- | --- | --- |
/// | `f32` | `f32` | `f32` | in the precision of C |
/// | `f64` | `f64` | `f64` | in the precision of C |
/// | `u8` | `i8` | `i32` | exact; wrap around beyond `i32`, no saturation of partial sums |
/// | `i8` | `u8` or `i8` | `i32` | as above |
/// | `bf16` | `bf16` | `f32` | in the precision of C; needs the feature `half` |
/// | `f16` | `f16` | `f32` | as above |
/// | `Complex<f32>` | `Complex<f32>` | `Complex<f32>` | in the precision of C; needs the feature `num-complex-0_4` |
/// | `Complex<f64>` | `Complex<f64>` | `Complex<f64>` | as above |
///
/// Products of `bf16` use AVX-512 BF16 where it is faster than `f32`; these instructions treat
/// subnormal numbers as zero. Products of bytes use AVX-512 VNNI. Neither extension is required.
///
/// ```
/// use static_layout::engine::DynLayout;
/// use static_layout::{Tensor, kernels::gemm};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// let a = Tensor::full_in(layout("(2,100):(100,1)"), 255u8)?;
/// let b = Tensor::full_in(layout("(100,3):(3,1)"), -128i8)?;
/// let mut c = Tensor::full_in(layout("(2,3):(3,1)"), 1i32)?;
/// gemm(1, &a, &b, 1, &mut c)?;
/// assert_eq!(c.as_slice(), [1 - 100 * 255 * 128; 6]);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
pub trait Multiply<Y = Self>: sealed::Sealed<Y> + Copy + Send + Sync + 'static {
    /// The type of the elements of C, and of `alpha` and `beta`.
    type Sum: Sum;

    #[doc(hidden)]
    type StaticProduct<P: StaticModes>: StaticProduct<Self::Sum>;

    #[doc(hidden)]
    fn multiply(x: Self, y: Y) -> Self::Sum;

    /// The functions for these elements at a level.
    #[doc(hidden)]
    fn kernels(level: Level) -> ElementKernels;

    /// Computes a non-empty product of strided matrices without cache blocking, if that pays. Returns
    /// whether it did. One call: it takes a while beside a tiny product.
    ///
    /// # Safety
    ///
    /// Same as [`exec::try_unblocked`], for matrices of these elements.
    #[doc(hidden)]
    unsafe fn try_unblocked(strided: &Strided, matrices: &Matrices<'_>, par: Par) -> bool;
}

macro_rules! multiply {
    ($x:ty, $y:ty => $sum:ty, $static:ty, $kernels:expr, $transposed:expr, |$a:ident, $b:ident| $product:expr) => {
        impl sealed::Sealed<$y> for $x {}

        impl Multiply<$y> for $x {
            type Sum = $sum;
            type StaticProduct<P: StaticModes> = $static;

            #[inline(always)]
            fn multiply($a: $x, $b: $y) -> $sum {
                $product
            }

            // Never inlined: in the crate of a caller, it would compile all tiles of its tables once
            // more.
            #[inline(never)]
            fn kernels(level: Level) -> ElementKernels {
                ElementKernels {
                    level,
                    kernels: [$kernels(level), $transposed(level)],
                    plain: naive::run::<$x, $y>,
                    tiny: naive::run_strided::<$x, $y>,
                    line: line::run::<$x, $y>,
                }
            }

            unsafe fn try_unblocked(strided: &Strided, matrices: &Matrices<'_>, par: Par) -> bool {
                let kernels = [$kernels(matrices.level), $transposed(matrices.level)];
                let tiny = naive::run_strided::<$x, $y>;
                // SAFETY: guaranteed by the caller; the level proves that the instructions of its
                // kernels are available.
                unsafe { exec::try_unblocked(strided, matrices, kernels, tiny, par) }
            }
        }
    };
}

multiply!(f32, f32 => f32, InlinedFloats<f32, P>, floats::<f32>, floats::<f32>, |x, y| x * y);
multiply!(f64, f64 => f64, InlinedFloats<f64, P>, floats::<f64>, floats::<f64>, |x, y| x * y);
multiply!(u8, i8 => i32, NotInlined, bytes::<u8, i8>, bytes::<i8, u8>, |x, y| {
    i32::from(x) * i32::from(y)
});
multiply!(i8, u8 => i32, NotInlined, bytes::<i8, u8>, bytes::<u8, i8>, |x, y| {
    i32::from(x) * i32::from(y)
});
multiply!(i8, i8 => i32, NotInlined, bytes::<i8, i8>, bytes::<i8, i8>, |x, y| {
    i32::from(x) * i32::from(y)
});
#[cfg(feature = "half")]
multiply!(half::bf16, half::bf16 => f32, NotInlined, kernels_of_bf16, kernels_of_bf16, |x, y| {
    x.widen() * y.widen()
});
#[cfg(feature = "half")]
multiply!(half::f16, half::f16 => f32, NotInlined, kernels_of_f16, kernels_of_f16, |x, y| {
    x.widen() * y.widen()
});
#[cfg(feature = "num-complex-0_4")]
multiply!(
    Complex<f32>, Complex<f32> => Complex<f32>,
    InlinedComplex<Complex<f32>, P>, kernels_of_c32, kernels_of_c32, |x, y| x * y
);
#[cfg(feature = "num-complex-0_4")]
multiply!(
    Complex<f64>, Complex<f64> => Complex<f64>,
    InlinedComplex<Complex<f64>, P>, kernels_of_c64, kernels_of_c64, |x, y| x * y
);
