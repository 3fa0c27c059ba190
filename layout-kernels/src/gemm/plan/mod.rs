//! `GemmPlan`: the plan of a product, for printing.

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
pub(crate) mod nested;
pub(crate) mod packing_policy;
pub(crate) mod partition;
pub(crate) mod tiles;
pub(crate) mod unblocked;

use core::fmt;

use layout_core::error::LayoutError;
use layout_core::types::AnyLayout;

use crate::checks::value;
use crate::gemm::exec;
use crate::gemm::inlined::{Layouts, StaticProduct};
use crate::gemm::multiply::Multiply;
#[cfg(feature = "std")]
use crate::gemm::plan::blocks::BlockedPlan;
#[cfg(feature = "std")]
use crate::gemm::plan::boxes::BoxesSummary;
use crate::gemm::plan::dense::DenseCopies;
use crate::gemm::plan::tiles::StaticStrategy;
use crate::gemm::plan::unblocked::Unblocked;
use crate::gemm::problem::matrix::MatrixLayout;
use crate::gemm::problem::modes::{check_shapes, extents};
use crate::simd::Level;

/// The decisions of a [`gemm`](crate::gemm()), for printing: loops, tiles and reasons.
///
/// Small products of static layouts are planned at compile time. All others are planned by each call,
/// in a fraction of a microsecond. This type shows both.
///
/// ```
/// use static_layout::engine::DynLayout;
/// use static_layout::kernels::{GemmPlan, Level};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// let (a, b) = (layout("(6,50):(50,1)"), layout("(50,40):(1,50)"));
/// let plan = GemmPlan::new::<f32, f32, _, _, _>(Level::Portable, &a, &b, &layout("(6,40):(40,1)"))?;
/// assert_eq!(
///     plan.to_string(),
///     "gemm 6 x 40 x 50 at portable: register tiles, without cache blocking\n\
///      A in place\n\
///      B packed\n\
///      tiles of 3 rows by 2 vectors of 4"
/// );
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct GemmPlan {
    level: Level,
    extents: [usize; 3],
    strategy: Strategy,
}

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

impl GemmPlan {
    /// Plans a product of elements `X` of A and `Y` of B at a SIMD level.
    ///
    /// # Errors
    ///
    /// As [`gemm`](crate::gemm()).
    pub fn new<X, Y, A, B, C>(level: Level, a: &A, b: &B, c: &C) -> Result<Self, LayoutError>
    where
        X: Multiply<Y>,
        Y: Copy,
        A: AnyLayout,
        B: AnyLayout,
        C: AnyLayout,
    {
        let (a, b, c) = (value(a)?, value(b)?, value(c)?);
        check_shapes(&a, &b, &c)?;
        let layouts = MatrixLayout::all([&a, &b, &c]);
        let extents = extents(&layouts);
        let static_strategy =
            <X::StaticProduct<Layouts<A, B, C>> as StaticProduct<X::Sum>>::strategy(level);
        let strategy = match static_strategy {
            _ if extents.contains(&0) => Strategy::Nothing,
            Some(strategy) => Strategy::Static(strategy),
            None => exec::strategy(layouts, &X::kernels(level)),
        };
        Ok(Self { level, extents, strategy })
    }
}

impl fmt::Display for GemmPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [m, n, k] = self.extents;
        write!(f, "gemm {m} x {n} x {k} at {}: ", self.level)?;
        match &self.strategy {
            Strategy::Nothing => f.write_str("nothing to add, C is scaled"),
            Strategy::Plain => f.write_str("one element of C after the other"),
            Strategy::Static(strategy) => fmt_static(strategy, f),
            Strategy::Unblocked(plan, copies) => write!(f, "{plan}{copies}"),
            #[cfg(feature = "std")]
            Strategy::Blocked(plan, copies) => write!(f, "{plan}{copies}"),
            #[cfg(feature = "std")]
            Strategy::Boxed(plan) => plan.fmt(f),
        }
    }
}

impl fmt::Debug for GemmPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Prints a plan made at compile time.
fn fmt_static(strategy: &StaticStrategy, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let how =
        if matches!(strategy, StaticStrategy::Shared(_)) { "by shared tiles" } else { "inlined" };
    write!(f, "{how}, planned at compile time")?;
    match strategy {
        StaticStrategy::Unrolled => f.write_str("\nfully unrolled: a call would take as long"),
        StaticStrategy::Loops => f.write_str("\nloops over constant offsets"),
        StaticStrategy::InnerProducts(plan) => {
            write!(f, "\ninner products, with vectors of {} along k", plan.lanes)
        }
        StaticStrategy::Permute => f.write_str("\none lane per element of C"),
        StaticStrategy::Tiles(tiles) => {
            fmt_transposed(tiles.transposed, f)?;
            for part in tiles.parts().into_iter().flatten() {
                let tiles::Part { tiles_m, tiles_n, rows, vectors, last_lanes, .. } = part;
                write!(f, "\n{tiles_m} x {tiles_n} tiles of {rows} rows by {vectors} vectors")?;
                write!(f, " of {}", tiles.lanes)?;
                if last_lanes > 0 {
                    write!(f, " and {last_lanes}")?;
                }
            }
            Ok(())
        }
        StaticStrategy::Shared(plan) => write!(f, ": {plan}"),
    }
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
