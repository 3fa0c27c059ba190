//! `Float`: the elements that products are made of.

use core::fmt::Debug;
use core::ops::{Add, Mul};

use crate::gemm::any;
use crate::gemm::fixed::unpack;
use crate::gemm::modes::Modes;
use crate::gemm::pack::panel;
use crate::gemm::tile::Scale;
use crate::simd::Level;

pub(crate) mod sealed {
    use crate::gemm::modes::Modes;
    use crate::gemm::tile::Scale;
    use crate::simd::Level;
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

        /// A product of any layouts: a method, so that it is compiled here and once, and not in
        /// each crate that multiplies.
        ///
        /// # Safety
        ///
        /// Elements of A and B can be read, and of C read and written, at every offset of the
        /// modes; nothing else accesses C meanwhile.
        unsafe fn product(
            level: Level,
            modes: &Modes,
            scale: &Scale<Self>,
            a: *const Self,
            b: *const Self,
            c: *mut Self,
        );

        /// Packs an operand of a static product.
        ///
        /// # Safety
        ///
        /// As [`panel`](crate::gemm::pack::panel).
        unsafe fn pack(
            from: *const Self,
            along: &[usize],
            depth: &[usize],
            to: *mut Self,
            width: usize,
        );

        /// Adds a static product that was made on the stack to C.
        ///
        /// # Safety
        ///
        /// As [`fixed::unpack`](crate::gemm::fixed::unpack).
        unsafe fn unpack(
            scale: &Scale<Self>,
            product: *const Self,
            width: usize,
            c: *mut Self,
            rows: &[usize],
            columns: &[usize],
        );
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

            unsafe fn product(
                level: Level,
                modes: &Modes,
                scale: &Scale<$t>,
                a: *const $t,
                b: *const $t,
                c: *mut $t,
            ) {
                // SAFETY: the caller's promise.
                unsafe { any::run(level, modes, scale, a, b, c) }
            }

            unsafe fn pack(
                from: *const $t,
                along: &[usize],
                depth: &[usize],
                to: *mut $t,
                width: usize,
            ) {
                // SAFETY: the caller's promise.
                unsafe { panel(from, along, depth, to, width) }
            }

            unsafe fn unpack(
                scale: &Scale<$t>,
                product: *const $t,
                width: usize,
                c: *mut $t,
                rows: &[usize],
                columns: &[usize],
            ) {
                // SAFETY: the caller's promise.
                unsafe { unpack(scale, product, width, c, rows, columns) }
            }
        }

        impl Float for $t {}
    };
}

float!(f32);
float!(f64);
