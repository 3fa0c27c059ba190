//! Packing: blocks of operands, as panels that register tiles read from start to end.

pub(crate) mod linear;
pub(crate) mod panels;
