//! Seals the traits of layouts, tilers and coordinates against foreign types.
//!
//! Kernels skip bounds checks because a layout has the same numbers every time once it was checked,
//! and because slices and tiles of an injective layout are injective. A foreign type could break
//! that promise in safe code.

use core::ops::RangeFull;

use typenum::{UInt, UTerm};

use crate::engine::{DynLayout, IntTuple, Tiler};

/// Implemented only here and next to the types of this crate.
pub trait Sealed {}

impl Sealed for UTerm {}
impl<U, B> Sealed for UInt<U, B> {}
impl Sealed for DynLayout {}
impl Sealed for Tiler {}
impl Sealed for IntTuple {}
impl Sealed for usize {}
impl<const N: usize> Sealed for [usize; N] {}
impl Sealed for RangeFull {}

macro_rules! tuples {
    ($first:ident $($rest:ident)*) => {
        impl<$first, $($rest),*> Sealed for ($first, $($rest,)*) {}
        tuples!($($rest)*);
    };
    () => {};
}
tuples!(T0 T1 T2 T3 T4 T5 T6 T7);
