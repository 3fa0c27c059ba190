//! `GemmPlan`: the plan of a product, for printing.

use core::fmt;

use layout_core::error::LayoutError;
use layout_core::types::AnyLayout;

use crate::checks::value;
use crate::gemm::inlined::{Layouts, StaticProduct};
use crate::gemm::multiply::Multiply;
use crate::gemm::plan::tiles::{Part, StaticStrategy};
use crate::gemm::plan::{Strategy, fmt_transposed};
use crate::gemm::problem::loops::Reordered;
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
#[derive(Clone)]
pub struct GemmPlan {
    level: Level,
    extents: [usize; 3],
    how: How,
}

/// How the product is computed.
#[derive(Clone)]
enum How {
    /// There is nothing to add: C is only scaled.
    Nothing,
    /// A small static product, planned at compile time.
    Static(StaticStrategy),
    /// Planned by each call.
    Dynamic(Strategy),
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
        let how = match static_strategy {
            _ if extents.contains(&0) => How::Nothing,
            Some(strategy) => How::Static(strategy),
            None => {
                let mut reordered = Reordered::new();
                let layouts = match reordered.set(&layouts) {
                    true => reordered.layouts(),
                    false => layouts,
                };
                How::Dynamic(Strategy::of_layouts(layouts, X::kernels(level).shapes()))
            }
        };
        Ok(Self { level, extents, how })
    }
}

impl fmt::Display for GemmPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [m, n, k] = self.extents;
        write!(f, "gemm {m} x {n} x {k} at {}: ", self.level)?;
        match &self.how {
            How::Nothing => f.write_str("nothing to add, C is scaled"),
            How::Static(strategy) => fmt_static(strategy, f),
            How::Dynamic(strategy) => strategy.fmt(f),
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
                let Part { tiles_m, tiles_n, rows, vectors, last_lanes, .. } = part;
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
