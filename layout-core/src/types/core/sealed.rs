//! The types that layouts, tilers and coordinates are made of, and no others.
//!
//! Kernels skip bounds checks because a layout, once checked, has the same numbers ever after, and
//! because slices and tiles of an injective layout are injective. A type from outside could break
//! that promise in safe code.

use core::ops::RangeFull;

use typenum::{UInt, UTerm};

use crate::engine::{DynLayout, IntTuple, Tiler};
use crate::types::api::layout::Layout;
use crate::types::api::mixed::Mixed;
use crate::types::api::tiler::{Keep, Tile};
use crate::types::core::fallibility::{AtCompileTime, AtRunTime};
use crate::types::core::invalid::Invalid;
use crate::types::core::modes::Mode;
use crate::types::core::symbolic::{Dyn, Symbolic};
use crate::types::core::tree::{Cons, Nil, Tree};

/// Implemented here and nowhere else.
pub trait Sealed {}

impl Sealed for UTerm {}
impl<U, B> Sealed for UInt<U, B> {}
impl Sealed for Dyn {}
impl<E> Sealed for Symbolic<E> {}
impl Sealed for Nil {}
impl<H, T> Sealed for Cons<H, T> {}
impl<S, D> Sealed for Mode<S, D> {}
impl<R> Sealed for Invalid<R> {}
impl<S, D> Sealed for Layout<S, D> {}
impl<S: Tree, D: Tree> Sealed for Mixed<S, D> {}
impl Sealed for DynLayout {}
impl Sealed for Keep {}
impl<L> Sealed for Tile<L> {}
impl Sealed for Tiler {}
impl Sealed for IntTuple {}
impl Sealed for usize {}
impl<const N: usize> Sealed for [usize; N] {}
impl Sealed for RangeFull {}
impl Sealed for AtCompileTime {}
impl Sealed for AtRunTime {}

macro_rules! tuples {
    ($first:ident $($rest:ident)*) => {
        impl<$first, $($rest),*> Sealed for ($first, $($rest,)*) {}
        tuples!($($rest)*);
    };
    () => {};
}
tuples!(T0 T1 T2 T3 T4 T5 T6 T7);
