//! The types that layouts are made of, and no others.
//!
//! Kernels skip bounds checks because a layout, once checked, has the same numbers ever after. A
//! type from outside could break that promise in safe code.

use typenum::{UInt, UTerm};

use super::layout::Layout;
use super::mixed::Mixed;
use super::modes::Mode;
use super::reason::Invalid;
use super::symbolic::{Dyn, Symbolic};
use super::tree::{Cons, Nil, Tree};
use crate::engine::DynLayout;

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
