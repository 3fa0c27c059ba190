//! The public types: layouts of all kinds, coordinates, tilers, integer tuples.

pub(crate) mod any;
pub(crate) mod check;
pub mod constant;
pub(crate) mod evaluate;
pub(crate) mod int_tuple;
pub(crate) mod kind;
pub(crate) mod layout;
pub(crate) mod mixed;
pub(crate) mod morello;
pub(crate) mod number;
pub(crate) mod operand;
pub(crate) mod partition;
pub(crate) mod queries;
pub(crate) mod slice;
pub(crate) mod swizzled;
pub(crate) mod tiler;
