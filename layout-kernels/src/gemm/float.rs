//! `Float`: the elements that products are made of.

use core::fmt::Debug;
use core::ops::{Add, Mul};

pub(crate) mod sealed {
    use crate::simd::vector::Isa;

    /// What only this crate can say of an element: its vectors at each level.
    pub trait Element: Sized {
        #[cfg(target_arch = "x86_64")]
        type Avx512: Isa<Self>;
        #[cfg(target_arch = "x86_64")]
        type Avx2: Isa<Self>;
        #[cfg(target_arch = "x86_64")]
        type Sse2: Isa<Self>;
        type Portable: Isa<Self>;
        const ZERO: Self;
        const ONE: Self;
    }
}

/// An element that [`gemm`](crate::gemm()) multiplies: `f32` or `f64`.
pub trait Float:
    sealed::Element
    + Copy
    + Default
    + PartialEq
    + Debug
    + Add<Output = Self>
    + Mul<Output = Self>
    + Send
    + Sync
    + 'static
{
}

macro_rules! float {
    ($t:ty) => {
        impl sealed::Element for $t {
            #[cfg(target_arch = "x86_64")]
            type Avx512 = crate::simd::vector::isa::Avx512;
            #[cfg(target_arch = "x86_64")]
            type Avx2 = crate::simd::vector::isa::Avx2;
            #[cfg(target_arch = "x86_64")]
            type Sse2 = crate::simd::vector::isa::Sse2;
            type Portable = crate::simd::vector::isa::Portable;
            const ZERO: $t = 0.0;
            const ONE: $t = 1.0;
        }

        impl Float for $t {}
    };
}

float!(f32);
float!(f64);
