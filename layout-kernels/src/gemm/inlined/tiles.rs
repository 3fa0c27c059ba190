//! Static products: register tiles with constant strides, inlined into the caller.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::gemm::float::Float;
use crate::gemm::inlined::StaticModes;
use crate::gemm::inlined::pack::{LaneIndices, NO_LANE_INDICES, PackPlan, PackedRows};
use crate::gemm::inlined::permute::Permute;
use crate::gemm::kernel::arithmetic::{Arithmetic, Fma};
use crate::gemm::kernel::inner_product::{self, Column};
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::kernel::table::{AVX2_ROWS, AVX512_ROWS, shapes_of_floats};
use crate::gemm::kernel::tile::{Known, Policy, batch};
use crate::gemm::kernel::words::FloatDot;
use crate::gemm::plan::nested::Nested;
use crate::gemm::plan::tiles::{InnerProducts, Machine, Part, StaticStrategy, StaticTiles};
use crate::gemm::problem::strided::Strided;
use crate::gemm::scale::Scale;
use crate::simd::vector::{Isa, Vector};

/// The product `P` of floats `T` with the registers of `I`.
pub(crate) struct Inlined<T, I, P>(PhantomData<(T, I, P)>);

/// Rows of A that are multiplied with a column of B together.
const INNER_PRODUCT_ROWS: usize = 4;

/// Computes the inner products of some rows.
type InnerProductFn<T> = unsafe fn(&Column, &Scale<T>);

/// Computes a product, or some tiles of it.
pub(crate) type InlinedKernel<T> = unsafe fn(&Scale<T>, *const T, *const T, *mut T);

impl<T: Float, I: Isa<T>, P: StaticModes> Inlined<T, I, P> {
    const MACHINE: Machine = Machine {
        lanes: [I::Full::LANES, I::Half::LANES, I::Quarter::LANES],
        registers: I::REGISTERS,
    };

    /// The shared tiles of the level.
    const SHAPES: Shapes = shapes_of_floats::<T, I>(match I::REGISTERS {
        32 => &AVX512_ROWS,
        _ => &AVX2_ROWS,
    });

    /// The product, if inlined tiles may pay. With 16 registers a lower bound is tested first:
    /// tiles take half a cycle for each product of vectors. That is cheaper to evaluate than their
    /// full cost.
    const FLAT: Option<&'static Strided> = match (&P::STRIDED, &Self::SHARED) {
        (Some(Strided { m, n, k, .. }), Some(shared))
            if I::REGISTERS < 32
                && !Self::is_clearly_cheaper(*m * *n * *k / I::Full::LANES, shared) =>
        {
            None
        }
        (flat, _) => flat.as_ref(),
    };

    /// Tiles that use A and B in place, if the product is small.
    const IN_PLACE: Option<StaticTiles> = match Self::FLAT {
        Some(flat) => StaticTiles::in_place(flat, &Self::MACHINE),
        None => None,
    };

    /// Tiles over a small packed operand, if there are no tiles in place.
    const PACKED: Option<(StaticTiles, PackPlan)> = match Self::FLAT {
        Some(flat) if Self::IN_PLACE.is_none() => {
            let along_n = flat.cn == 1 || flat.n == 1;
            let flat = if along_n { *flat } else { flat.transposed() };
            match PackPlan::new::<T>(&flat, Self::MACHINE.lanes, I::HAS_PERMUTE) {
                Some(packing) => {
                    let packed = Strided { bk: packing.width, bn: 1, ..flat };
                    match StaticTiles::along_n_if_small(&packed, &Self::MACHINE, !along_n) {
                        Some(tiles) => Some((tiles, packing)),
                        None => None,
                    }
                }
                None => None,
            }
        }
        _ => None,
    };

    /// The tiles that may be inlined.
    const TILES: Option<StaticTiles> = match (Self::IN_PLACE, Self::PACKED) {
        (Some(tiles), _) | (None, Some((tiles, _))) => Some(tiles),
        (None, None) => None,
    };

    /// Inner products, if both operands are contiguous along K.
    pub(crate) const INNER_PRODUCTS: Option<InnerProducts> = match &P::STRIDED {
        Some(flat) => InnerProducts::new(flat, &Self::MACHINE),
        None => None,
    };

    /// Whether inlined tiles gain enough to be worth compiling.
    const fn is_worth_inlining(tiles: &StaticTiles) -> bool {
        let Some(shared) = &Self::SHARED else { return true };
        // Where the CPU has half-width execution units, a product in a half register takes half the
        // time.
        Self::is_clearly_cheaper(Self::tiles_cost(tiles), shared)
            || I::REGISTERS == 32 && 10 * tiles.halves() <= 9 * shared.block.halves()
    }

    /// Whether a cost is at least a tenth below that of shared tiles. With AVX2, at least half: a
    /// program with AVX2 and AVX-512 bodies runs only one of them.
    const fn is_clearly_cheaper(cost: usize, shared: &Nested) -> bool {
        match I::REGISTERS {
            32 => 10 * cost <= 9 * shared.cost(),
            _ => 2 * cost <= shared.cost(),
        }
    }

    /// Cost of the tiles and their packing, in half cycles.
    const fn tiles_cost(tiles: &StaticTiles) -> usize {
        tiles.cost + if let Some((_, packing)) = &Self::PACKED { packing.cost::<T>() } else { 0 }
    }

    /// The plan over shared tiles.
    const SHARED: Option<Nested> = match &P::MODES {
        Some(modes) => Nested::new(modes, &Self::SHAPES),
        None => None,
    };

    /// The algorithm with the lowest cost.
    pub(crate) const STRATEGY: Option<StaticStrategy> = {
        let mut best = None;
        let mut cost = usize::MAX;
        if let Some(tiles) = Self::TILES
            && Self::is_worth_inlining(&tiles)
        {
            (best, cost) = (Some(StaticStrategy::Tiles(tiles)), Self::tiles_cost(&tiles));
        }
        if let Some(shared) = Self::SHARED
            && shared.cost() < cost
        {
            (best, cost) = (Some(StaticStrategy::Shared(shared)), shared.cost());
        }
        if let Some(plan) = Self::INNER_PRODUCTS
            && plan.cost < cost
        {
            (best, cost) = (Some(StaticStrategy::InnerProducts(plan)), plan.cost);
        }
        match Permute::<T, I, P>::BLOCKS {
            Some(blocks) if blocks.cost() < cost => Some(StaticStrategy::Permute),
            _ => best,
        }
    };

    /// The inlined code. A constant, so that no other algorithm is compiled.
    pub(crate) const KERNEL: Option<InlinedKernel<T>> = match Self::STRATEGY {
        Some(StaticStrategy::Tiles(_)) => Some(Self::run),
        Some(StaticStrategy::InnerProducts(_)) => Some(Self::run_inner_products),
        Some(StaticStrategy::Permute) => Some(Permute::<T, I, P>::run),
        _ => None,
    };

    const PARTS: [Option<Part>; 4] = match Self::TILES {
        Some(tiles) => tiles.parts(),
        None => [None; 4],
    };

    const TRANSPOSED: bool = matches!(Self::TILES, Some(tiles) if tiles.transposed);

    const LANE_INDICES: LaneIndices = match &Self::PACKED {
        Some((_, packing)) => packing.lane_indices(),
        None => NO_LANE_INDICES,
    };

    /// Computes `C = alpha * A * B + beta * C` by tiles.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions of `I`. At every offset of the layouts of `P`, elements
    /// of A and B must be valid for reads, and elements of C for reads and writes. Nothing else
    /// accesses C during the call.
    #[inline(always)]
    pub(crate) unsafe fn run(scale: &Scale<T>, a: *const T, b: *const T, c: *mut T) {
        let (a, b) = if const { Self::TRANSPOSED } { (b, a) } else { (a, b) };
        let mut rows = PackedRows([const { MaybeUninit::uninit() }; _]);
        let b = if let Some((_, packing)) = const { Self::PACKED } {
            // SAFETY: guaranteed by the caller.
            unsafe { packing.pack::<T, I>(const { &Self::LANE_INDICES }, b, &mut rows) };
            rows.0.as_ptr().cast()
        } else {
            b
        };
        // SAFETY: guaranteed by the caller; the parts are disjoint tiles of C.
        unsafe {
            if let Some(kernel) = const { Self::part_kernel::<0>() } {
                kernel(scale, a, b, c);
            }
            if let Some(kernel) = const { Self::part_kernel::<1>() } {
                kernel(scale, a, b, c);
            }
            if let Some(kernel) = const { Self::part_kernel::<2>() } {
                kernel(scale, a, b, c);
            }
            if let Some(kernel) = const { Self::part_kernel::<3>() } {
                kernel(scale, a, b, c);
            }
        }
    }

    /// Computes `C = alpha * A * B + beta * C` by inner products.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run), and [`INNER_PRODUCTS`](Self::INNER_PRODUCTS) must be `Some`.
    #[inline(always)]
    pub(crate) unsafe fn run_inner_products(scale: &Scale<T>, a: *const T, b: *const T, c: *mut T) {
        let InnerProducts { flat, transposed, .. } = const {
            match Self::INNER_PRODUCTS {
                Some(plan) => plan,
                None => panic!("not planned as inner products"),
            }
        };
        let (a, b) = if transposed { (b, a) } else { (a, b) };
        let (rows, rest) = const { Self::inner_product_kernels() };
        for j in 0..flat.n {
            let mut column = Column {
                k: flat.k,
                a: a.cast::<u8>(),
                a_row: flat.am * size_of::<T>(),
                b: b.wrapping_add(j * flat.bn).cast(),
                c: c.wrapping_add(j * flat.cn).cast(),
                c_row: flat.cm * size_of::<T>(),
            };
            // SAFETY: guaranteed by the caller.
            unsafe {
                for _ in 0..flat.m / INNER_PRODUCT_ROWS {
                    rows(&column, scale);
                    column.a = column.a.wrapping_add(INNER_PRODUCT_ROWS * column.a_row);
                    column.c = column.c.wrapping_add(INNER_PRODUCT_ROWS * column.c_row);
                }
                if let Some(rest) = rest {
                    rest(&column, scale);
                }
            }
        }
    }

    /// The kernel for [`INNER_PRODUCT_ROWS`] rows of a column, and the one for the remaining rows.
    const fn inner_product_kernels() -> (InnerProductFn<T>, Option<InnerProductFn<T>>) {
        let Some(plan) = Self::INNER_PRODUCTS else { panic!("not planned as inner products") };
        if plan.lanes == I::Full::LANES {
            Self::inner_product_kernels_of::<I::Full>(plan.flat.m % INNER_PRODUCT_ROWS)
        } else if plan.lanes == I::Half::LANES {
            Self::inner_product_kernels_of::<I::Half>(plan.flat.m % INNER_PRODUCT_ROWS)
        } else {
            Self::inner_product_kernels_of::<I::Quarter>(plan.flat.m % INNER_PRODUCT_ROWS)
        }
    }

    const fn inner_product_kernels_of<V: Vector<Element = T>>(
        rest: usize,
    ) -> (InnerProductFn<T>, Option<InnerProductFn<T>>) {
        let rest: Option<InnerProductFn<T>> = match rest {
            0 => None,
            1 => Some(inner_product::rows::<FloatDot<V>, 1>),
            2 => Some(inner_product::rows::<FloatDot<V>, 2>),
            _ => Some(inner_product::rows::<FloatDot<V>, 3>),
        };
        (inner_product::rows::<FloatDot<V>, INNER_PRODUCT_ROWS>, rest)
    }

    /// The kernel of a part of the product. A constant, so that nothing else is compiled.
    const fn part_kernel<const I_: usize>() -> Option<InlinedKernel<T>> {
        let Some(part) = Self::PARTS[I_] else { return None };
        Some(match (part.width, part.row_end) {
            (0, None) => Self::vectors::<I_, I::Full, I::Full, false>(&part),
            (0, Some(0)) => Self::vectors::<I_, I::Full, I::Full, true>(&part),
            (0, Some(1)) => Self::vectors::<I_, I::Full, I::Half, true>(&part),
            (0, Some(_)) => Self::vectors::<I_, I::Full, I::Quarter, true>(&part),
            (1, None) => Self::vectors::<I_, I::Half, I::Half, false>(&part),
            (1, Some(_)) => Self::vectors::<I_, I::Half, I::Half, true>(&part),
            (_, None) => Self::vectors::<I_, I::Quarter, I::Quarter, false>(&part),
            (_, Some(_)) => Self::vectors::<I_, I::Quarter, I::Quarter, true>(&part),
        })
    }

    const fn vectors<const I_: usize, V, W, const HAS_ROW_END: bool>(
        part: &Part,
    ) -> InlinedKernel<T>
    where
        V: Vector<Element = T>,
        W: Vector<Element = T>,
    {
        match part.vectors {
            0 => Self::rows::<I_, V, W, 0, HAS_ROW_END>(part.rows),
            1 => Self::rows::<I_, V, W, 1, HAS_ROW_END>(part.rows),
            2 => Self::rows::<I_, V, W, 2, HAS_ROW_END>(part.rows),
            3 => Self::rows::<I_, V, W, 3, HAS_ROW_END>(part.rows),
            _ => Self::rows::<I_, V, W, 4, HAS_ROW_END>(part.rows),
        }
    }

    const fn rows<const I_: usize, V, W, const N: usize, const HAS_ROW_END: bool>(
        rows: usize,
    ) -> InlinedKernel<T>
    where
        V: Vector<Element = T>,
        W: Vector<Element = T>,
    {
        macro_rules! rows {
            ($($rows:literal)*) => {
                match rows {
                    $($rows => Self::run_part::<I_, Fma<V>, Fma<W>, $rows, N, HAS_ROW_END>,)*
                    _ => panic!("a tile of more rows than there are registers"),
                }
            };
        }
        rows!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
    }

    /// Runs the tiles of a part.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run).
    #[inline(always)]
    unsafe fn run_part<
        const I_: usize,
        D,
        E,
        const ROWS: usize,
        const N: usize,
        const HAS_ROW_END: bool,
    >(
        scale: &Scale<T>,
        a: *const T,
        b: *const T,
        c: *mut T,
    ) where
        D: Arithmetic<Word = T, Sum = T>,
        E: Arithmetic<Word = T, Sum = T>,
    {
        let (flat, part) = const { PartPolicy::<T, I, P, I_>::PART };
        let lanes = <D::Sums as Vector>::LANES;
        let tiles = part.batch(&flat, lanes, a, b, c);
        // SAFETY: guaranteed by the caller of `run`; the tiles cover each row and column of C once.
        unsafe { batch::<D, E, PartPolicy<T, I, P, I_>, ROWS, N, HAS_ROW_END>(&tiles, scale) };
    }
}

/// One part of a product, as the compile-time [`Policy`] of its tiles.
struct PartPolicy<T, I, P, const I_: usize>(PhantomData<(T, I, P)>);

impl<T: Float, I: Isa<T>, P: StaticModes, const I_: usize> PartPolicy<T, I, P, I_> {
    const PART: (Strided, Part) = match (&Inlined::<T, I, P>::TILES, &Inlined::<T, I, P>::PARTS[I_])
    {
        (Some(tiles), Some(part)) => (tiles.flat, *part),
        _ => panic!("no such part"),
    };
}

impl<T: Float, I: Isa<T>, P: StaticModes, const I_: usize> Policy for PartPolicy<T, I, P, I_> {
    const KNOWN: Option<Known> = {
        let (Strided { k, .. }, Part { tiles_m, last_lanes, .. }) = Self::PART;
        Some(Known { depth: k, tiles_m, last_lanes })
    };
    const PACKS: bool = false;
}
