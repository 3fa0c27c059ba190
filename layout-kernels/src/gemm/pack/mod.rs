//! Packing: copies blocks of operands into panels that register tiles read sequentially.

#[cfg(feature = "std")]
pub(crate) mod gather;
pub(crate) mod linear;
pub(crate) mod panels;
pub(crate) mod words;
