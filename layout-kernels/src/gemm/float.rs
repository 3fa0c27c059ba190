//! `Float`: the floating-point element types, and the sealed traits behind them.

use core::fmt::Debug;
use core::ops::{Add, Mul};

use crate::gemm::exec::unblocked::{Matrices, run_nested};
use crate::gemm::kernel::table::floats;
use crate::gemm::multiply::Multiply;
use crate::gemm::plan::nested::Nested;
use crate::gemm::scale::{Kind, Scale};
use crate::simd::Level;
use crate::simd::vector::isa;

pub(crate) mod sealed {
    use crate::gemm::plan::nested::Nested;
    use crate::gemm::scale::{Kind, Scale};
    use crate::simd::Level;
    use crate::simd::portable::Number;
    use crate::simd::vector::Isa;

    /// The type of the elements of C, in which products are summed.
    pub trait Sum: Number + PartialEq + Send + Sync {
        const ZERO: Self;
        const ONE: Self;
        /// `alpha = 1, beta = 0`: C becomes the product.
        const ASSIGN: &'static Scale<Self>;

        /// `self * n`.
        fn scaled_by(self, n: usize) -> Self;
    }

    impl Sum for i32 {
        const ZERO: i32 = 0;
        const ONE: i32 = 1;
        const ASSIGN: &'static Scale<i32> = &Scale { alpha: 1, beta: 0, kind: Kind::Assign };

        // Sums wrap around.
        #[inline(always)]
        fn scaled_by(self, n: usize) -> i32 {
            self.wrapping_mul(n as i32)
        }
    }

    /// The vector types of an element at each level.
    pub trait Element: Sum {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        type Avx512: Isa<Self>;
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        type Avx2: Isa<Self>;
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        type Neon: Isa<Self>;
        type Portable: Isa<Self>;

        /// Computes a static product with shared tiles. Not generic, so it is compiled in this crate.
        ///
        /// # Safety
        ///
        /// Same as [`run_nested`](crate::gemm::exec::unblocked::run_nested); the plan is one for the
        /// level.
        unsafe fn run_shared(
            level: Level,
            plan: &Nested,
            scale: &Scale<Self>,
            a: *const Self,
            b: *const Self,
            c: *mut Self,
        );
    }
}

/// A number that [`gemm`](crate::gemm()) multiplies in its own precision: `f32` or `f64`.
pub trait Float:
    Multiply<Self, Sum = Self> + sealed::Element + Debug + Add<Output = Self> + Mul<Output = Self>
{
}

macro_rules! float {
    ($t:ty) => {
        impl sealed::Sum for $t {
            const ZERO: $t = 0.0;
            const ONE: $t = 1.0;
            const ASSIGN: &'static Scale<$t> = &Scale { alpha: 1.0, beta: 0.0, kind: Kind::Assign };

            #[inline(always)]
            fn scaled_by(self, n: usize) -> $t {
                self * n as $t
            }
        }

        impl sealed::Element for $t {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            type Avx512 = isa::Avx512;
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            type Avx2 = isa::Avx2;
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            type Neon = isa::Neon;
            type Portable = isa::Portable;

            unsafe fn run_shared(
                level: Level,
                plan: &Nested,
                scale: &Scale<$t>,
                a: *const $t,
                b: *const $t,
                c: *mut $t,
            ) {
                // SAFETY: guaranteed by the caller; the level proves that the instructions are
                // available.
                unsafe {
                    let matrices = Matrices::new(level, scale, (a, b, c), None);
                    run_nested(plan, &matrices, scale.later().any(), floats::<$t>(level));
                }
            }
        }

        impl Float for $t {}
    };
}

float!(f32);
float!(f64);
