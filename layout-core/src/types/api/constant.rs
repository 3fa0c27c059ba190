//! Types that stand for the values of an enum.

use crate::devices::tenstorrent::MemorySpace;
use crate::devices::{ElementType, Fill};

/// A type that stands for a value.
///
/// ```
/// use static_layout::devices::ElementType;
/// use static_layout::types::{Constant, constant};
/// assert_eq!(<constant::Bf16 as Constant<ElementType>>::VALUE, ElementType::Bf16);
/// ```
pub trait Constant<T>: 'static {
    /// The value.
    const VALUE: T;
}

/// Defines a type for each value, with the same name.
macro_rules! constants {
    ($($value:ident::{$($name:ident)+})+) => {$($(
        #[doc = concat!("[`", stringify!($value), "::", stringify!($name), "`] as a type.")]
        #[derive(Debug)]
        pub enum $name {}
        impl Constant<$value> for $name {
            const VALUE: $value = $value::$name;
        }
    )+)+};
}
constants! {
    ElementType::{
        F64 F32 F16 Bf16 Dl16 F8E4M3 F8E5M2 I64 I32 I16 I8 I4 I2 U64 U32 U16 U8 U4 U2 Bool
        BfpF8 BfpBf8 BfpF4 BfpBf4 BfpF2 BfpBf2
    }
    Fill::{Undef Zero One Inf NegInf}
    MemorySpace::{System Mmio Dram L1}
}
