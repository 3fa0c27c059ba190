//! `GemmPlan`: the plan of a product, for printing.

#[cfg(feature = "std")]
pub(crate) mod blocks;
#[cfg(feature = "std")]
pub(crate) mod boxes;
#[cfg(feature = "std")]
pub(crate) mod cache_blocking;
#[cfg(feature = "std")]
mod copied;
#[cfg(feature = "std")]
pub(crate) mod cuts;
pub(crate) mod grid;
pub(crate) mod nested;
pub(crate) mod packing_policy;
pub(crate) mod partition;
pub(crate) mod tiles;
pub(crate) mod unblocked;

use core::fmt;

use layout_core::error::LayoutError;
use layout_core::types::AnyLayout;

use crate::facts::value;
use crate::gemm::inlined::{Layouts, Static};
use crate::gemm::multiply::Multiply;
#[cfg(feature = "std")]
use crate::gemm::plan::blocks::Blocks;
#[cfg(feature = "std")]
use crate::gemm::plan::boxes::InBoxes;
use crate::gemm::plan::unblocked::Unblocked;
use crate::gemm::problem::modes::{agree, extent};
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
///     "gemm 6 x 40 x 50 at portable: tile after tile, with no blocks\n\
///      A in place\n\
///      B packed on the stack\n\
///      tiles of 3 rows by 2 vectors of 4"
/// );
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct GemmPlan {
    level: Level,
    extents: [usize; 3],
    way: Way,
}

/// Whether cache blocking is available. It needs heap memory.
pub(crate) const BLOCKS: bool = cfg!(feature = "std");

/// Bytes of stack for a packed operand.
pub(crate) const STACK: usize = 32 << 10;

/// How a product is computed.
#[derive(Clone, Copy)]
pub enum Way {
    /// Nothing to add: C is only scaled.
    Nothing,
    /// Without tiles, one element of C after the other.
    Plain,
    /// A small static product, planned at compile time.
    Inlined(tiles::Way),
    /// Without cache blocking, in one pass.
    Unblocked(Unblocked),
    /// With cache blocking.
    #[cfg(feature = "std")]
    Blocks(Blocks),
    /// In boxes whose operands are copied first.
    #[cfg(feature = "std")]
    Boxes(InBoxes),
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
        agree(&a, &b, &c)?;
        let extents = [extent(&a, 0), extent(&b, 1), extent(&a, 1)];
        let fixed = <X::Static<Layouts<A, B, C>> as Static<X::Sum>>::way(level);
        let way = match fixed {
            _ if extents.contains(&0) => Way::Nothing,
            Some(inlined) => Way::Inlined(inlined),
            None => X::way(level, [&a, &b, &c]),
        };
        Ok(Self { level, extents, way })
    }
}

impl fmt::Display for GemmPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [m, n, k] = self.extents;
        write!(f, "gemm {m} x {n} x {k} at {}: ", self.level)?;
        match &self.way {
            Way::Nothing => f.write_str("nothing to add, C is scaled"),
            Way::Plain => f.write_str("one element of C after the other"),
            Way::Inlined(inlined) => self::inlined(inlined, f),
            Way::Unblocked(plan) => plan.fmt(f),
            #[cfg(feature = "std")]
            Way::Blocks(plan) => plan.fmt(f),
            #[cfg(feature = "std")]
            Way::Boxes(plan) => plan.fmt(f),
        }
    }
}

impl fmt::Debug for GemmPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Prints a plan made at compile time.
fn inlined(way: &tiles::Way, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let place =
        if matches!(way, tiles::Way::Shared(_)) { "by shared tiles" } else { "in the caller" };
    write!(f, "{place}, decided by the compiler")?;
    match way {
        tiles::Way::Written => f.write_str("\nwritten out, for a call would take as long"),
        tiles::Way::Dots(dots) => {
            write!(f, "\ninner products, with vectors of {} along k", dots.lanes)
        }
        tiles::Way::Permute => f.write_str("\na lane for each element of C"),
        tiles::Way::Tiles(tiles) => {
            is_transposed(tiles.transposed, f)?;
            for part in tiles.parts().into_iter().flatten() {
                let tiles::Part { down, across, rows, vectors, last, .. } = part;
                write!(f, "\n{down} x {across} tiles of {rows} rows by {vectors} vectors")?;
                write!(f, " of {}", tiles.lanes)?;
                if last > 0 {
                    write!(f, " and {last}")?;
                }
            }
            Ok(())
        }
        tiles::Way::Shared(plan) => write!(f, ": {plan}"),
    }
}

/// If `transposed`, prints that the transposed product is computed.
pub(crate) fn is_transposed(transposed: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match transposed {
        true => f.write_str(", as the transposed product, whose C has runs"),
        false => Ok(()),
    }
}

/// Prints how many products each lane adds per step, if more than one.
pub(crate) fn products(depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if depth > 1 { write!(f, ", {depth} products in each lane") } else { Ok(()) }
}
