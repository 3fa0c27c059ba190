//! `FillValue`: the numeric value of a fill.

use layout_core::devices::Fill;

/// A number type that padding can be filled with: integers, `f32`, `f64`, and with the feature `half`
/// also `f16` and `bf16`.
pub trait FillValue: Copy + sealed::Sealed + 'static {
    /// Zero.
    const ZERO: Self;

    /// The value of `fill`; `None` for [`Fill::Undef`].
    ///
    /// ```
    /// use static_layout::devices::Fill;
    /// use static_layout::FillValue;
    /// assert_eq!(f32::fill_value(Fill::NegInf), Some(f32::NEG_INFINITY));
    /// assert_eq!((u8::fill_value(Fill::Inf), u8::fill_value(Fill::Undef)), (Some(255), None));
    /// ```
    fn fill_value(fill: Fill) -> Option<Self>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! fill_value {
    ($($number:ty: $zero:expr, $one:expr, $inf:expr, $neg_inf:expr;)*) => {$(
        impl sealed::Sealed for $number {}
        impl FillValue for $number {
            const ZERO: Self = $zero;

            fn fill_value(fill: Fill) -> Option<Self> {
                match fill {
                    Fill::Undef => None,
                    Fill::Zero => Some($zero),
                    Fill::One => Some($one),
                    Fill::Inf => Some($inf),
                    Fill::NegInf => Some($neg_inf),
                }
            }
        }
    )*};
}

macro_rules! integers {
    ($($number:ident)*) => { fill_value! { $($number: 0, 1, $number::MAX, $number::MIN;)* } };
}

integers!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize);

fill_value! {
    f32: 0.0, 1.0, f32::INFINITY, f32::NEG_INFINITY;
    f64: 0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY;
}

#[cfg(feature = "half")]
fill_value! {
    half::f16: half::f16::ZERO, half::f16::ONE, half::f16::INFINITY, half::f16::NEG_INFINITY;
    half::bf16: half::bf16::ZERO, half::bf16::ONE, half::bf16::INFINITY, half::bf16::NEG_INFINITY;
}
