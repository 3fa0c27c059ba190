//! Products without cache blocking, computed as planned: tile after tile, or as inner products.

use core::mem::MaybeUninit;

use crate::gemm::exec::arguments::Finish;
use crate::gemm::exec::few_rows::Products;
#[cfg(feature = "std")]
use crate::gemm::exec::scratch::with_scratch;
use crate::gemm::exec::tiling::Tiling;
use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::batch::{CACHE_LINE, Words};
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::pack::panels::Packed;
#[cfg(not(feature = "std"))]
use crate::gemm::plan::PACKED_BYTES;
use crate::gemm::plan::grid::Grid;
use crate::gemm::plan::inner_products::inner_products_are_faster;
use crate::gemm::plan::nested::{Nest, Nested};
use crate::gemm::plan::unblocked::{Method, Tiles, Unblocked, pieces};
use crate::gemm::problem::strided::Strided;
use crate::gemm::scale::{AnyScale, Scale};
use crate::par::Par;
use crate::simd::Level;

/// The matrices of a product: where they are, and what happens to C.
///
/// Only kernels know the element types, so all other code is compiled once.
#[derive(Clone, Copy)]
pub struct Matrices<'a> {
    pub(crate) level: Level,
    pub(crate) scale: AnyScale<'a>,
    pub(crate) a: *const u8,
    pub(crate) b: *const u8,
    pub(crate) c: *mut u8,
    pub(crate) finish: Option<Finish<'a>>,
}

// SAFETY: A and B are only read, and each thread writes its own part of C. Elements are numbers.
unsafe impl Sync for Matrices<'_> {}

impl<'a> Matrices<'a> {
    #[inline(always)]
    pub(crate) const fn new<X, Y, T: Sum>(
        level: Level,
        scale: &'a Scale<T>,
        (a, b, c): (*const X, *const Y, *mut T),
        finish: Option<Finish<'a>>,
    ) -> Self {
        Self { level, scale: scale.any(), a: a.cast(), b: b.cast(), c: c.cast(), finish }
    }

    /// Matrices of the transposed product.
    pub(crate) const fn transposed(&self) -> Self {
        Self { a: self.b, b: self.a, ..*self }
    }
}

/// Computes a product of a single tile over operands in place; returns whether it is one. The product is
/// already transposed, if `transposed`.
///
/// # Safety
///
/// Same as [`exec::run`](super::run), for one product.
#[inline(always)]
pub(crate) unsafe fn try_single_tile(
    strided: &Strided,
    matrices: &Matrices<'_>,
    kernels: &Kernels,
    transposed: bool,
) -> bool {
    let plan = Unblocked::single_tile(strided, &kernels.shapes, transposed);
    let Some(plan @ Unblocked { method: Method::Tiles(tiles), .. }) = &plan else { return false };
    // SAFETY: guaranteed by the caller.
    unsafe { Tiling::new(plan, tiles, matrices, kernels).single_tile() };
    true
}

/// Computes a product of many short rows or columns; returns whether it is one.
///
/// # Safety
///
/// Same as [`exec::run`](super::run), for one product and the kernels of the product and of the transposed
/// product.
// Not inlined: a single tile should not save registers for it.
#[inline(never)]
pub(crate) unsafe fn try_short_rows(
    strided: &Strided,
    matrices: &Matrices<'_>,
    kernels: [&Kernels; 2],
    par: Par,
) -> bool {
    let plan = Unblocked::short_rows(strided, kernels.map(|kernels| &kernels.shapes));
    if let Some(plan) = &plan {
        // SAFETY: guaranteed by the caller.
        unsafe { run(plan, matrices, kernels, par) };
    }
    plan.is_some()
}

/// Computes a product as inner products, if they are faster; returns whether they are.
///
/// # Safety
///
/// Same as [`exec::run`](super::run), for one product and the kernels of the product and of the transposed
/// product.
// Not inlined: a single tile should not save registers for it.
#[inline(never)]
pub(crate) unsafe fn try_inner_products(
    strided: &Strided,
    matrices: &Matrices<'_>,
    kernels: [&Kernels; 2],
    par: Par,
) -> bool {
    // SAFETY: guaranteed by the caller. A branch for each case: copies of the transposed product, selected
    // without a branch, take as long as the inner products of a small one.
    unsafe {
        match strided.n <= strided.m {
            true => try_longer_rows(strided, matrices, kernels[0], false, par),
            false => {
                let (strided, matrices) = (strided.transposed(), matrices.transposed());
                try_longer_rows(&strided, &matrices, kernels[1], true, par)
            }
        }
    }
}

/// [`try_inner_products`] of a product with n <= m, which is already transposed, if `transposed`.
///
/// # Safety
///
/// Same as [`try_inner_products`].
#[inline(always)]
unsafe fn try_longer_rows(
    strided: &Strided,
    matrices: &Matrices<'_>,
    kernels: &Kernels,
    transposed: bool,
    par: Par,
) -> bool {
    let are_faster = inner_products_are_faster(strided, &kernels.shapes);
    if are_faster {
        // SAFETY: guaranteed by the caller.
        unsafe { Products { strided, matrices, kernels, transposed }.inner_products(par) };
    }
    are_faster
}

/// Computes a product as planned.
///
/// # Safety
///
/// Same as [`exec::run`](super::run), for the product and the kernels of the plan.
#[inline(always)]
pub(crate) unsafe fn run(
    plan: &Unblocked,
    matrices: &Matrices<'_>,
    [kernels, transposed]: [&Kernels; 2],
    par: Par,
) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        match plan.transposed {
            false => execute(plan, matrices, kernels, par),
            true => execute(plan, &matrices.transposed(), transposed, par),
        }
    }
}

/// Computes a batch of products, each with a single call of a kernel, see [`Unblocked::is_single_call`]: their
/// number, and the strides of A, B and C from one to the next, in bytes. Parts are not reported.
///
/// # Safety
///
/// Same as [`exec::run`](super::run), for each product and the kernels of the plan.
pub(crate) unsafe fn run_batch(
    plan: &Unblocked,
    matrices: &Matrices<'_>,
    [kernels, transposed]: [&Kernels; 2],
    (count, [a, b, c]): (usize, [usize; 3]),
) {
    let (matrices, kernels, strides) = match plan.transposed {
        false => (matrices, kernels, [a, b, c]),
        true => (&matrices.transposed(), transposed, [b, a, c]),
    };
    let Unblocked { strided, transposed, .. } = plan;
    // SAFETY: guaranteed by the caller.
    unsafe {
        match &plan.method {
            Method::Tiles(tiles) if tiles.are_in_place() => {
                Tiling::new(plan, tiles, matrices, kernels).single_tiles(count, strides);
            }
            Method::Tiles(tiles) => {
                let bytes = packed_bytes(strided, tiles, &kernels.shapes);
                let most = (STACK_BYTES / (bytes[0] + bytes[1])).max(1);
                for first in (0..count).step_by(most) {
                    let [a, b, c] = strides.map(|stride| first * stride);
                    let (a, b) = (matrices.a.wrapping_add(a), matrices.b.wrapping_add(b));
                    let matrices = &Matrices { a, b, c: matrices.c.wrapping_add(c), ..*matrices };
                    let tiling = || Tiling::new(plan, tiles, matrices, kernels);
                    pack_and_run(tiling, bytes, (most.min(count - first), strides));
                }
            }
            _ => Products { strided, matrices, kernels, transposed: *transposed }
                .inner_products_of_batch((count, strides)),
        }
    }
}

/// Computes a static product as planned, block by block. The first blocks along K use the scale of the
/// matrices, the others use `later`.
///
/// # Safety
///
/// Same as [`exec::run`](super::run), for the product and the kernels of the plan.
pub(crate) unsafe fn run_nested(
    plan: &Nested,
    matrices: &Matrices<'_>,
    later: AnyScale<'_>,
    kernels: &Kernels,
) {
    let Nested { block, nest } = plan;
    let transposed = matrices.transposed();
    let all = if block.transposed { &transposed } else { matrices };
    if nest.is_single() {
        // SAFETY: guaranteed by the caller.
        return unsafe {
            match &block.method {
                // Without a call: it takes a while beside a single tile.
                Method::Tiles(tiles) if tiles.are_in_place() && tiles.is_single_tile() => {
                    Tiling::new(block, tiles, all, kernels).single_tile();
                }
                _ => execute(block, all, kernels, Par::Sequential),
            }
        };
    }
    let Nest { blocks: [m, n, k], a: [a_m, a_k], b: [b_n, b_k], c: [c_m, c_n] } = *nest;
    let Shapes { element, sum, .. } = kernels.shapes;
    for p in 0..k {
        let scale = if p == 0 { all.scale } else { later };
        for i in 0..m {
            for j in 0..n {
                let a = all.a.wrapping_add((i * a_m + p * a_k) * element);
                let b = all.b.wrapping_add((j * b_n + p * b_k) * element);
                let c = all.c.wrapping_add((i * c_m + j * c_n) * sum);
                let matrices = Matrices { scale, a, b, c, ..*all };
                // SAFETY: guaranteed by the caller, for one of the blocks.
                unsafe { execute(block, &matrices, kernels, Par::Sequential) };
            }
        }
    }
}

/// [`run`] for matrices that are transposed if the plan says so.
///
/// # Safety
///
/// Same as [`run`].
#[inline(never)]
unsafe fn execute(plan: &Unblocked, matrices: &Matrices<'_>, kernels: &Kernels, par: Par) {
    let Unblocked { strided, transposed, method, .. } = plan;
    let products = Products { strided, matrices, kernels, transposed: *transposed };
    let tiles = match method {
        // SAFETY: guaranteed by the caller.
        Method::InnerProducts { .. } => return unsafe { products.inner_products(par) },
        // SAFETY: guaranteed by the caller.
        Method::RowCombinations => return unsafe { products.row_combinations(par) },
        // SAFETY: as above.
        Method::ShortRows => return unsafe { products.short_rows(par) },
        Method::Tiles(tiles) => tiles,
    };
    // Tiles are set up where they run. A copy of them takes as long as a small tile.
    let tiling = || Tiling::new(plan, tiles, matrices, kernels);
    // SAFETY: guaranteed by the caller. Operands that are not used in place are packed.
    unsafe {
        if !tiles.are_in_place() {
            let bytes = packed_bytes(strided, tiles, &kernels.shapes);
            return pack_and_run(tiling, bytes, (1, [0; 3]));
        }
        let (pieces, tiling) = (pieces(strided, par.threads()), tiling());
        if pieces == 1 {
            return tiling.run_all();
        }
        let (tiles_m, tiles_n) = (tiles.rows.count(), tiles.vectors.count());
        let steps = kernels.shapes.words_for(strided.k) * tiles.vectors.largest();
        let grid = Grid::new([tiles_m, tiles_n], 1, pieces, steps, usize::MAX);
        par.for_each(grid.pieces(), |i| {
            let (row_pieces, (part, _)) = grid.piece(i);
            // Pieces are disjoint parts of C.
            tiling.run(row_pieces, grid.columns(part));
        });
    }
}

/// Bytes of the packed A and of the packed B in whole cache lines; 0 for an operand in place.
fn packed_bytes(strided: &Strided, tiles: &Tiles, shapes: &Shapes) -> [usize; 2] {
    let Shapes { lanes, word, extra_rows, .. } = *shapes;
    let words = (shapes.words_for(strided.k) + extra_rows) * word;
    let [a, b] = [strided.m * words, tiles.vectors.total() * lanes * words];
    let [a_step, b_step] = tiles.steps;
    [(a, a_step), (b, b_step)]
        .map(|(bytes, step)| if step.is_some() { 0 } else { bytes.next_multiple_of(CACHE_LINE) })
}

/// Bytes of the stack for small packed operands. A function touches each page of its frame when it
/// starts, and the pages of a larger frame compete for the same few L1 sets.
const STACK_BYTES: usize = 4 << 10;

/// Memory on the stack.
#[repr(align(64))]
pub(crate) struct StackBuffer<const BYTES: usize>(MaybeUninit<[u8; BYTES]>);

impl<const BYTES: usize> StackBuffer<BYTES> {
    #[inline(always)]
    pub(crate) const fn uninit() -> Self {
        Self(MaybeUninit::uninit())
    }

    #[inline(always)]
    pub(crate) const fn start(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// Packs the operands that are not used in place, and computes all tiles. `bytes` is what packing A and B of one
/// product takes. `batch` is the number of products, and the strides of A, B and C from one to the next, in bytes.
/// If there are several, each is a single tile.
///
/// # Safety
///
/// Same as [`run`], for each product.
#[inline(always)]
unsafe fn pack_and_run<'a>(
    tiling: impl FnOnce() -> Tiling<'a>,
    bytes: [usize; 2],
    batch: (usize, [usize; 3]),
) {
    let all = (bytes[0] + bytes[1]) * batch.0;
    // SAFETY: guaranteed by the caller. The memory has room for the packed operands.
    unsafe {
        if all <= STACK_BYTES {
            return run_packed_on_stack::<STACK_BYTES>(tiling, bytes, batch);
        }
        #[cfg(feature = "std")]
        with_scratch(0, all, |start| run_packed(tiling, start, bytes, batch));
        #[cfg(not(feature = "std"))]
        run_packed_on_stack::<{ 2 * PACKED_BYTES }>(tiling, bytes, batch);
    }
}

/// [`run_packed`] with memory on the stack.
///
/// # Safety
///
/// Same as [`run_packed`].
// Not inlined: callers that pack nothing should not touch so much of the stack.
#[inline(never)]
unsafe fn run_packed_on_stack<'a, const BYTES: usize>(
    tiling: impl FnOnce() -> Tiling<'a>,
    bytes: [usize; 2],
    batch: (usize, [usize; 3]),
) {
    let mut memory = StackBuffer::<BYTES>::uninit();
    // SAFETY: guaranteed by the caller.
    unsafe { run_packed(tiling, memory.start(), bytes, batch) };
}

/// [`pack_and_run`] with this memory. Each packed operand of a product is one panel.
///
/// # Safety
///
/// Same as [`pack_and_run`]. The operands of all products fit the memory: those of A come first.
#[inline(always)]
unsafe fn run_packed<'a>(
    tiling: impl FnOnce() -> Tiling<'a>,
    memory: *mut u8,
    [for_a, for_b]: [usize; 2],
    (count, mut strides): (usize, [usize; 3]),
) {
    let mut tiling = tiling();
    let Strided { m, n, k, am, ak, bk, bn, .. } = *tiling.strided;
    let Shapes { lanes, word, .. } = tiling.kernels.shapes;
    let Tiles { vectors, steps, .. } = tiling.tiles;
    let Matrices { level, a, b, .. } = *tiling.matrices;
    if steps[0].is_none() {
        for i in 0..count {
            let to = memory.wrapping_add(i * for_a);
            let place = Packed { to, width: m, panel_stride: 0, of_b: false };
            let a = a.wrapping_add(i * strides[0]);
            // SAFETY: these are the strides of A, and the panel fits the memory.
            unsafe { tiling.kernels.pack_a.pack_strided(level, a, [(m, am), (k, ak)], place) };
        }
        tiling.a = Words { start: memory, next: word, step: m * word };
        strides[0] = for_a;
    }
    if steps[1].is_none() {
        let (memory, width) = (memory.wrapping_add(count * for_a), vectors.total() * lanes);
        for i in 0..count {
            let to = memory.wrapping_add(i * for_b);
            let place = Packed { to, width, panel_stride: 0, of_b: true };
            let b = b.wrapping_add(i * strides[1]);
            // SAFETY: these are the strides of B, and the panel fits the memory.
            unsafe { tiling.kernels.pack_b.pack_strided(level, b, [(n, bn), (k, bk)], place) };
        }
        tiling.b = Words { start: memory, next: lanes * word, step: width * word };
        strides[1] = for_b;
    }
    // SAFETY: guaranteed by the caller; the operands are in place or packed.
    unsafe {
        match count {
            1 => tiling.run_all(),
            _ => tiling.single_tiles(count, strides),
        }
    }
}
