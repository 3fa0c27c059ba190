//! Elements of all sizes and alignments.

use std::fmt::Debug;
use std::num::NonZero;

/// Test elements. `of` is injective as far as the type allows (below 2^8 for `u8` and so on).
pub(crate) trait Element: Copy + PartialEq + Debug + Send + Sync + 'static {
    fn of(n: usize) -> Self;
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Element for $number {
            fn of(n: usize) -> Self {
                n as $number
            }
        }
    )*};
}
numbers!(u8 i16 u16 u32 f32 f64 u64 u128);

/// Only bit patterns that are not NaN, so that each equals itself.
#[cfg(feature = "half")]
impl Element for half::f16 {
    fn of(n: usize) -> Self {
        Self::from_bits(n as u16 & 0x3fff)
    }
}

#[cfg(feature = "half")]
impl Element for half::bf16 {
    fn of(n: usize) -> Self {
        Self::from_bits(n as u16 & 0x3fff)
    }
}

#[cfg(feature = "num-complex-0_4")]
impl<T: Element> Element for num_complex::Complex<T> {
    fn of(n: usize) -> Self {
        Self::new(T::of(n), T::of(n + 1))
    }
}

impl<const N: usize> Element for [u8; N] {
    fn of(n: usize) -> Self {
        std::array::from_fn(|i| (n + i) as u8)
    }
}

impl Element for [u16; 3] {
    fn of(n: usize) -> Self {
        [n as u16, (n >> 16) as u16, 7]
    }
}

impl Element for () {
    fn of(_: usize) -> Self {}
}

/// An element with padding bytes inside.
impl Element for (u8, u32) {
    fn of(n: usize) -> Self {
        (n as u8, n as u32)
    }
}

/// A type for which not all bit patterns are valid.
impl Element for (bool, Option<NonZero<u16>>) {
    fn of(n: usize) -> Self {
        (n.is_multiple_of(2), NonZero::new(n as u16))
    }
}

impl Element for char {
    fn of(n: usize) -> Self {
        char::from_u32(n as u32 % 0xd800).unwrap_or('a')
    }
}

macro_rules! aligned {
    ($($name:ident: $align:literal;)*) => {$(
        #[derive(Clone, Copy, PartialEq, Debug)]
        #[repr(align($align))]
        pub(crate) struct $name(u32);

        impl Element for $name {
            fn of(n: usize) -> Self {
                Self(n as u32)
            }
        }
    )*};
}
aligned! {
    Aligned32: 32;
    Aligned64: 64;
    Aligned256: 256;
}

/// A zero-sized element with an alignment of 64.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(align(64))]
pub(crate) struct AlignedNothing;

impl Element for AlignedNothing {
    fn of(_: usize) -> Self {
        Self
    }
}
