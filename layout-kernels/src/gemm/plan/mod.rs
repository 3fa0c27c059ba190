//! How a product is computed: the decisions that [`exec`](super::exec) carries out.

#[cfg(feature = "std")]
pub(crate) mod blocks;
#[cfg(feature = "std")]
pub(crate) mod boxes;
#[cfg(feature = "std")]
pub(crate) mod cache_blocking;
#[cfg(feature = "std")]
pub(crate) mod columns;
#[cfg(feature = "std")]
mod copied;
#[cfg(feature = "std")]
pub(crate) mod cuts;
pub(crate) mod dense;
pub(crate) mod grid;
pub(crate) mod inner_products;
pub(crate) mod nested;
pub(crate) mod packing_policy;
pub(crate) mod partition;
pub(crate) mod tiles;
pub(crate) mod unblocked;

use core::fmt;

#[cfg(feature = "std")]
use crate::gemm::plan::blocks::BlockedPlan;
#[cfg(feature = "std")]
use crate::gemm::plan::boxes::BoxesSummary;
use crate::gemm::plan::dense::DenseCopies;
use crate::gemm::plan::tiles::StaticStrategy;
use crate::gemm::plan::unblocked::Unblocked;

/// Whether cache blocking is available. It needs heap memory.
pub(crate) const HAS_CACHE_BLOCKING: bool = cfg!(feature = "std");

/// Maximum number of bytes of an operand that is packed into one panel. Without heap memory, it is
/// packed on the stack.
pub(crate) const PACKED_BYTES: usize = if HAS_CACHE_BLOCKING { 128 << 10 } else { 32 << 10 };

/// How a product is computed.
#[derive(Clone, Copy)]
pub(crate) enum Strategy {
    /// Nothing to add: C is only scaled.
    Nothing,
    /// Without tiles, one element of C after the other.
    Plain,
    /// A small static product, planned at compile time.
    Static(StaticStrategy),
    /// Without cache blocking, in one pass.
    Unblocked(Unblocked, DenseCopies),
    /// With cache blocking.
    #[cfg(feature = "std")]
    Blocked(BlockedPlan, DenseCopies),
    /// In boxes whose operands are copied first.
    #[cfg(feature = "std")]
    Boxed(BoxesSummary),
}

/// If `transposed`, prints that the transposed product is computed.
pub(crate) fn fmt_transposed(transposed: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match transposed {
        true => f.write_str(", transposed for contiguous C"),
        false => Ok(()),
    }
}

/// Prints how many products each lane adds per step, if more than one.
pub(crate) fn fmt_depth(depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if depth > 1 { write!(f, ", {depth} products in each lane") } else { Ok(()) }
}
