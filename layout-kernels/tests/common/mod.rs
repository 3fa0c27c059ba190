//! Layouts for tests.
#![allow(dead_code, reason = "each test uses a part of this")]

use layout_core::engine::{DynLayout, IntTuple};
use layout_core::types::{Cons, Nil};

/// The flat layout with these extents and strides; without parentheses when there is one.
pub(crate) const fn flat(shape: &[usize], stride: &[usize]) -> DynLayout {
    match (IntTuple::flat(shape), IntTuple::flat(stride)) {
        (Ok(shape), Ok(stride)) => match DynLayout::new(&shape, &stride) {
            Ok(layout) => layout,
            Err(error) => error.panic(),
        },
        _ => panic!("a layout needs a mode"),
    }
}

/// The tuple of two, at the type level.
pub(crate) type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// The tuple of three, at the type level.
pub(crate) type Triple<A, B, C> = Cons<A, Pair<B, C>>;
