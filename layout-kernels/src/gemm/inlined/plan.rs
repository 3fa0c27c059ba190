//! `StaticPlan`: the algorithm of a static product of floats at one level, chosen by cost.
//!
//! One constant for each product and level. Separate constants, or references to them, would each be
//! a query of the compiler.

use crate::gemm::inlined::pack::PackPlan;
use crate::gemm::inlined::permute::ColumnBlocks;
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::plan::nested::Nested;
use crate::gemm::plan::tiles::{InnerProducts, Machine, StaticStrategy, StaticTiles};
use crate::gemm::problem::modes::Modes;
use crate::gemm::problem::strided::Strided;

/// What the plan needs to know of a level and an element type.
pub(crate) struct Target {
    pub(crate) machine: Machine,
    /// The shared tiles of the level.
    pub(crate) shapes: Shapes,
    /// See [`Isa::HAS_PERMUTE2`](crate::simd::vector::Isa::HAS_PERMUTE2).
    pub(crate) has_permute: bool,
}

/// The algorithm of a product at one level.
#[derive(Clone, Copy)]
pub(crate) struct StaticPlan {
    /// `None`: each call plans the product.
    pub(crate) strategy: Option<StaticStrategy>,
    /// How inlined tiles pack the operand with the vectors; `None`: they use it in place.
    pub(crate) packing: Option<PackPlan>,
}

impl StaticPlan {
    /// Chooses the algorithm with the lowest cost. `strided` is the product with one stride for each
    /// mode, if it is one.
    pub(crate) const fn new<T>(modes: &Modes, strided: &Option<Strided>, target: &Target) -> Self {
        let mut plan = Self { strategy: None, packing: None };
        let mut cost = usize::MAX;
        let shared = Nested::new(modes, strided, &target.shapes);
        if let Some(flat) = strided
            && may_inline_tiles(flat, &shared, target)
            && let Some((tiles, packing)) = small_tiles::<T>(flat, target)
        {
            let tiles_cost = match &packing {
                Some(packing) => tiles.cost + packing.cost::<T>(),
                None => tiles.cost,
            };
            if is_worth_inlining(&tiles, tiles_cost, &shared, target) {
                plan = Self { strategy: Some(StaticStrategy::Tiles(tiles)), packing };
                cost = tiles_cost;
            }
        }
        if let Some(shared) = shared
            && shared.cost() < cost
        {
            cost = shared.cost();
            plan = Self { strategy: Some(StaticStrategy::Shared(shared)), packing: None };
        }
        let Some(flat) = strided else { return plan };
        if let Some(inner) = InnerProducts::new(flat, &target.machine)
            && inner.cost < cost
        {
            cost = inner.cost;
            plan = Self { strategy: Some(StaticStrategy::InnerProducts(inner)), packing: None };
        }
        if target.has_permute
            && let Some(blocks) = ColumnBlocks::new(flat, target.machine.lanes[0])
            && blocks.cost() < cost
        {
            plan = Self { strategy: Some(StaticStrategy::Permute), packing: None };
        }
        plan
    }
}

/// Tiles over A and B in place; otherwise tiles over one packed operand.
const fn small_tiles<T>(
    flat: &Strided,
    target: &Target,
) -> Option<(StaticTiles, Option<PackPlan>)> {
    if let Some(tiles) = StaticTiles::in_place(flat, &target.machine) {
        return Some((tiles, None));
    }
    let along_n = flat.c_contiguous_along_n();
    let flat = if along_n { *flat } else { flat.transposed() };
    let packing = PackPlan::new::<T>(&flat, target.machine.lanes, target.has_permute);
    let Some(packing) = packing else { return None };
    let packed = Strided { bk: packing.width, bn: 1, ..flat };
    match StaticTiles::along_n_if_small(&packed, &target.machine, !along_n) {
        Some(tiles) => Some((tiles, Some(packing))),
        None => None,
    }
}

/// Whether inlined tiles may pay. With 16 registers a lower bound is compared: tiles take half a cycle
/// for each product of vectors. That is cheaper to evaluate than their full cost.
const fn may_inline_tiles(flat: &Strided, shared: &Option<Nested>, target: &Target) -> bool {
    let [lanes, ..] = target.machine.lanes;
    match shared {
        Some(shared) if target.machine.registers < 32 => {
            is_clearly_cheaper(flat.m * flat.n * flat.k / lanes, shared, target)
        }
        _ => true,
    }
}

/// Whether inlined tiles gain enough to be worth compiling.
const fn is_worth_inlining(
    tiles: &StaticTiles,
    cost: usize,
    shared: &Option<Nested>,
    target: &Target,
) -> bool {
    let Some(shared) = shared else { return true };
    // Where the CPU has half-width execution units, a product in a half register takes half the time.
    is_clearly_cheaper(cost, shared, target)
        || target.machine.registers == 32 && 10 * tiles.halves() <= 9 * shared.block.halves()
}

/// Whether a cost is at least a tenth below that of shared tiles. With AVX2, at least half: a
/// program with AVX2 and AVX-512 bodies runs only one of them.
const fn is_clearly_cheaper(cost: usize, shared: &Nested, target: &Target) -> bool {
    match target.machine.registers {
        32 => 10 * cost <= 9 * shared.cost(),
        _ => 2 * cost <= shared.cost(),
    }
}
