//! Packing: blocks of operands, as panels that register tiles read from start to end.

#[cfg(feature = "std")]
pub(crate) mod gather;
pub(crate) mod linear;
pub(crate) mod panels;
pub(crate) mod words;
