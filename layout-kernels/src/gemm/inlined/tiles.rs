//! Static products: register tiles with constant strides, inlined into the caller.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::gemm::float::Float;
use crate::gemm::inlined::pack::{LaneIndices, NO_LANE_INDICES, PackedRows};
use crate::gemm::inlined::permute::Permute;
use crate::gemm::inlined::plan::{StaticPlan, Target};
use crate::gemm::inlined::{InlinedKernel, StaticModes};
use crate::gemm::kernel::arithmetic::{Arithmetic, Fma};
use crate::gemm::kernel::inner_product::{self, RowsAndColumns};
use crate::gemm::kernel::policy::{Known, Policy};
use crate::gemm::kernel::table::{ROWS_OF_16_REGISTERS, ROWS_OF_32_REGISTERS, shapes_of_floats};
use crate::gemm::kernel::tile::Tile;
use crate::gemm::kernel::words::FloatDot;
use crate::gemm::plan::tiles::{InnerProducts, Machine, Part, StaticStrategy, StaticTiles};
use crate::gemm::problem::strided::Strided;
use crate::gemm::scale::Scale;
use crate::simd::vector::{Isa, Vector};

/// The product `P` of floats `T` with the registers of `I`.
pub(crate) struct Inlined<T, I, P>(PhantomData<(T, I, P)>);

/// Rows of A that are multiplied with a column of B together.
const INNER_PRODUCT_ROWS: usize = 4;

/// Computes the inner products of some rows.
type InnerProductFn<T> = unsafe fn(&RowsAndColumns, (usize, usize), &Scale<T>);

impl<T: Float, I: Isa<T>, P: StaticModes> Inlined<T, I, P> {
    /// The plan of the product.
    const PLAN: StaticPlan = match &P::MODES {
        Some(modes) => {
            let registers = I::REGISTERS;
            let lanes = [I::Full::LANES, I::Half::LANES, I::Quarter::LANES];
            let rows: &[usize] =
                if registers == 32 { &ROWS_OF_32_REGISTERS } else { &ROWS_OF_16_REGISTERS };
            let target = Target {
                machine: Machine { lanes, registers },
                shapes: shapes_of_floats::<T, I>(rows),
                has_permute: I::HAS_PERMUTE2,
            };
            StaticPlan::new::<T>(modes, &P::STRIDED, &target)
        }
        None => StaticPlan { strategy: None, packing: None },
    };

    /// The algorithm with the lowest cost.
    pub(crate) const STRATEGY: Option<StaticStrategy> = Self::PLAN.strategy;

    /// The inlined code. A constant, so that no other algorithm is compiled.
    pub(crate) const KERNEL: Option<InlinedKernel<T>> = match Self::STRATEGY {
        Some(StaticStrategy::Tiles(_)) => Some(Self::run),
        Some(StaticStrategy::InnerProducts(_)) => Some(Self::run_inner_products),
        Some(StaticStrategy::Permute) => Some(Permute::<T, I, P>::run),
        _ => None,
    };

    /// The tiles, and the parts of the product that they compute.
    const TILES: Option<(StaticTiles, [Option<Part>; 4])> = match Self::STRATEGY {
        Some(StaticStrategy::Tiles(tiles)) => Some((tiles, tiles.parts())),
        _ => None,
    };

    /// Packs the operand. A constant, so that nothing is compiled for products in place.
    const PACK: Option<unsafe fn(*const T, &mut PackedRows<T>)> = match Self::PLAN.packing {
        Some(_) => Some(Self::pack),
        None => None,
    };

    const LANE_INDICES: LaneIndices = match Self::PLAN.packing {
        Some(packing) => packing.lane_indices(),
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
        let transposed = const { matches!(Self::TILES, Some((tiles, _)) if tiles.transposed) };
        let (a, b) = if transposed { (b, a) } else { (a, b) };
        let mut rows = PackedRows([const { MaybeUninit::uninit() }; _]);
        let b = if let Some(pack) = const { Self::PACK } {
            // SAFETY: guaranteed by the caller.
            unsafe { pack(b, &mut rows) };
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

    /// Packs the operand.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run).
    #[inline(always)]
    unsafe fn pack(b: *const T, rows: &mut PackedRows<T>) {
        if let Some(packing) = const { Self::PLAN.packing } {
            // SAFETY: guaranteed by the caller.
            unsafe { packing.pack::<T, I>(const { &Self::LANE_INDICES }, b, rows) };
        }
    }

    /// Computes `C = alpha * A * B + beta * C` by inner products.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run), and the strategy must be inner products.
    #[inline(always)]
    pub(crate) unsafe fn run_inner_products(scale: &Scale<T>, a: *const T, b: *const T, c: *mut T) {
        let InnerProducts { flat, transposed, .. } = const { Self::inner_products() };
        let (a, b) = if transposed { (b, a) } else { (a, b) };
        let (rows, rest) = const { Self::inner_product_kernels() };
        let all = RowsAndColumns {
            k: flat.k,
            rows: flat.m,
            columns: flat.n,
            a: a.cast(),
            a_row: flat.am * size_of::<T>(),
            b: b.cast(),
            b_column: flat.bn * size_of::<T>(),
            c: c.cast(),
            c_row: flat.cm * size_of::<T>(),
            c_column: flat.cn * size_of::<T>(),
            products: 1,
            next: [0; 3],
            prefetches: false,
        };
        for j in 0..flat.n {
            // SAFETY: guaranteed by the caller.
            unsafe {
                for i in 0..flat.m / INNER_PRODUCT_ROWS {
                    rows(&all, (i * INNER_PRODUCT_ROWS, j), scale);
                }
                if let Some(rest) = rest {
                    rest(&all, (flat.m / INNER_PRODUCT_ROWS * INNER_PRODUCT_ROWS, j), scale);
                }
            }
        }
    }

    const fn inner_products() -> InnerProducts {
        match Self::STRATEGY {
            Some(StaticStrategy::InnerProducts(plan)) => plan,
            _ => panic!("not planned as inner products"),
        }
    }

    /// The kernel for [`INNER_PRODUCT_ROWS`] rows of a column, and the one for the remaining rows.
    const fn inner_product_kernels() -> (InnerProductFn<T>, Option<InnerProductFn<T>>) {
        let plan = Self::inner_products();
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
            1 => Some(inner_product::tile_of_sets::<FloatDot<V>, 1, 1, 1>),
            2 => Some(inner_product::tile_of_sets::<FloatDot<V>, 2, 1, 1>),
            _ => Some(inner_product::tile_of_sets::<FloatDot<V>, 3, 1, 1>),
        };
        (inner_product::tile_of_sets::<FloatDot<V>, INNER_PRODUCT_ROWS, 1, 1>, rest)
    }

    /// The kernel of a part of the product. A constant, so that nothing else is compiled.
    const fn part_kernel<const I_: usize>() -> Option<InlinedKernel<T>> {
        let Some((_, parts)) = Self::TILES else { return None };
        let Some(part) = parts[I_] else { return None };
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
        unsafe { Tile::<D, E, PartPolicy<T, I, P, I_>, ROWS, N, HAS_ROW_END>::run(&tiles, scale) };
    }
}

/// One part of a product, as the compile-time [`Policy`] of its tiles.
struct PartPolicy<T, I, P, const I_: usize>(PhantomData<(T, I, P)>);

impl<T: Float, I: Isa<T>, P: StaticModes, const I_: usize> PartPolicy<T, I, P, I_> {
    const PART: (Strided, Part) = match Inlined::<T, I, P>::TILES {
        Some((tiles, parts)) => match parts[I_] {
            Some(part) => (tiles.flat, part),
            None => panic!("no such part"),
        },
        None => panic!("no tiles"),
    };
}

impl<T: Float, I: Isa<T>, P: StaticModes, const I_: usize> Policy for PartPolicy<T, I, P, I_> {
    const KNOWN: Option<Known> = {
        let (Strided { k, .. }, Part { tiles_m, last_lanes, .. }) = Self::PART;
        Some(Known { depth: k, tiles_m, last_lanes })
    };
    const PACKS: bool = false;
}
