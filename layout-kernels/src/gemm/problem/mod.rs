//! The GEMM problem: the modes of the three layouts, and their offset functions.

pub(crate) mod matrix;
pub(crate) mod mode;
pub(crate) mod modes;
#[cfg_attr(not(feature = "std"), expect(dead_code, reason = "used only with cache blocking"))]
pub(crate) mod offsets;
#[cfg(feature = "std")]
pub(crate) mod operands;
#[cfg(feature = "std")]
pub(crate) mod pieces;
#[cfg(feature = "std")]
pub(crate) mod steps;
pub(crate) mod strided;
