//! Products without cache blocking, computed as planned: tile after tile, or as inner products.

use core::mem::MaybeUninit;

use crate::copy::Loop;
use crate::gemm::exec::arguments::Finish;
use crate::gemm::exec::inner_products::Products;
use crate::gemm::exec::tiling::Tiling;
use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::batch::Words;
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::pack::panels::{Packed, Source};
use crate::gemm::pack::words::copy_words;
use crate::gemm::plan::STACK_BYTES;
use crate::gemm::plan::grid::Grid;
use crate::gemm::plan::nested::{Nest, Nested};
use crate::gemm::plan::unblocked::{Method, Tiles, Unblocked, pieces};
use crate::gemm::problem::offsets::Offsets;
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
    if nest.is_single() {
        // SAFETY: guaranteed by the caller.
        return unsafe { run(block, matrices, [kernels; 2], Par::Sequential) };
    }
    let transposed = matrices.transposed();
    let all = if block.transposed { &transposed } else { matrices };
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
                unsafe { execute_general(block, &matrices, kernels, Par::Sequential) };
            }
        }
    }
}

/// [`run`] for matrices that are transposed if the plan says so.
///
/// # Safety
///
/// Same as [`run`].
#[inline(always)]
unsafe fn execute(plan: &Unblocked, matrices: &Matrices<'_>, kernels: &Kernels, par: Par) {
    // SAFETY: guaranteed by the caller. The plan of a single tile stays in registers: storing it takes
    // as long as a small product.
    unsafe {
        match &plan.method {
            Method::Tiles(tiles) if tiles.are_in_place() && tiles.is_single_tile() => {
                Tiling::new(plan, tiles, matrices, kernels).single_tile()
            }
            _ => {
                let plan = *plan;
                execute_general(&plan, matrices, kernels, par);
            }
        }
    }
}

/// [`execute`] for all but a single tile over operands in place.
///
/// # Safety
///
/// Same as [`run`].
#[inline(never)]
unsafe fn execute_general(plan: &Unblocked, matrices: &Matrices<'_>, kernels: &Kernels, par: Par) {
    let Unblocked { strided, transposed, method, .. } = plan;
    let tiles = match method {
        Method::InnerProducts => {
            let products = Products { strided, matrices, kernels, transposed: *transposed };
            // SAFETY: guaranteed by the caller.
            return unsafe { products.run(par) };
        }
        Method::Tiles(tiles) => tiles,
    };
    // Tiles are set up where they run. A copy of them takes as long as a small tile.
    let tiling = || Tiling::new(plan, tiles, matrices, kernels);
    let Shapes { lanes, word, depth, extra_rows, b_words, .. } = kernels.shapes;
    // SAFETY: guaranteed by the caller. Operands that are not used in place are packed.
    unsafe {
        match tiles.steps {
            [Some(_), Some(_)] => {}
            [Some(_), None] if b_words && depth == 1 => {
                let bytes = strided.k * tiles.vectors.total() * lanes * word;
                return match bytes <= SMALL_STACK_BYTES {
                    true => run_with_copied_b::<SMALL_STACK_BYTES>(tiling),
                    false => run_with_copied_b::<STACK_BYTES>(tiling),
                };
            }
            _ => {
                let words = kernels.shapes.words_for(strided.k) + extra_rows;
                let longer = strided.m.max(tiles.vectors.total() * lanes);
                return match longer * words * word <= SMALL_STACK_BYTES {
                    true => run_packed::<SMALL_STACK_BYTES>(tiling),
                    false => run_packed::<STACK_BYTES>(tiling),
                };
            }
        }
        let (pieces, tiling) = (pieces(strided, par.threads()), tiling());
        if pieces == 1 {
            return tiling.run_all();
        }
        let (tiles_m, tiles_n) = (tiles.rows.count(), tiles.vectors.count());
        let grid = Grid::new([tiles_m, tiles_n], 1, pieces, usize::MAX);
        par.for_each(grid.pieces(), |i| {
            let (row_pieces, (part, _)) = grid.piece(i);
            // Pieces are disjoint parts of C.
            tiling.run(row_pieces, grid.columns(part));
        });
    }
}

/// Bytes of the stack for a small packed operand. A function touches each page of its frame when it
/// starts, and the pages of the larger buffer compete for the same few L1 sets.
const SMALL_STACK_BYTES: usize = 4 << 10;

/// Stack memory for a packed operand.
#[repr(align(64))]
struct StackBuffer<const BYTES: usize>(MaybeUninit<[u8; BYTES]>);

impl<const BYTES: usize> StackBuffer<BYTES> {
    const fn start(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// Copies the words of B into one panel, and computes all tiles.
///
/// # Safety
///
/// Same as [`run`]. The plan packs only B on the stack; its words have one element and fit the memory.
// Not inlined: callers that pack nothing should not touch so much of the stack.
#[inline(never)]
unsafe fn run_with_copied_b<'a, const BYTES: usize>(tiling: impl FnOnce() -> Tiling<'a>) {
    let mut tiling = tiling();
    let Strided { n, k, bk, bn, .. } = *tiling.strided;
    let Shapes { lanes, word, .. } = tiling.kernels.shapes;
    let Matrices { level, b, .. } = *tiling.matrices;
    let mut memory = StackBuffer::<BYTES>(MaybeUninit::uninit());
    let (to, step) = (memory.start(), tiling.tiles.vectors.total() * lanes * word);
    let steps = Loop { extent: k, source: bk * word, destination: step };
    let columns = Loop { extent: n, source: bn * word, destination: word };
    // SAFETY: these are the words of B, and the panel fits the memory. Tiles read nothing else of it.
    unsafe { copy_words(level, word, [Loop::ONCE, steps, columns], b, to) };
    tiling.b = Words { start: to, next: lanes * word, step };
    // SAFETY: guaranteed by the caller; the operands are in place or packed.
    unsafe { tiling.run_all() };
}

/// Packs operands that are not used in place, each into one panel, and computes all tiles.
///
/// # Safety
///
/// Same as [`run`]. The plan packs operands on the stack, and each fits the memory.
// Not inlined, as above.
#[inline(never)]
unsafe fn run_packed<'a, const BYTES: usize>(tiling: impl FnOnce() -> Tiling<'a>) {
    let mut tiling = tiling();
    let Strided { m, n, k, am, ak, bk, bn, .. } = *tiling.strided;
    let Shapes { lanes, word, .. } = tiling.kernels.shapes;
    let Tiles { vectors, steps, .. } = tiling.tiles;
    let Matrices { level, a, b, .. } = *tiling.matrices;
    let mut for_a = StackBuffer::<BYTES>(MaybeUninit::uninit());
    let mut for_b = StackBuffer::<BYTES>(MaybeUninit::uninit());
    if steps[0].is_none() {
        let (mn_offsets, k_offsets) = (Offsets::linear(m, am), Offsets::linear(k, ak));
        let source = Source { level, from: a, mn_offsets, mn_range: 0..m, k_offsets };
        let place = Packed { to: for_a.start(), width: m, panel_stride: 0, of_b: false };
        // SAFETY: the offsets are those of A, and the panel fits the memory.
        unsafe { (tiling.kernels.pack_a)(&source, place) };
        tiling.a = Words { start: place.to, next: word, step: m * word };
    }
    if steps[1].is_none() {
        let width = vectors.total() * lanes;
        let (mn_offsets, k_offsets) = (Offsets::linear(n, bn), Offsets::linear(k, bk));
        let source = Source { level, from: b, mn_offsets, mn_range: 0..n, k_offsets };
        let place = Packed { to: for_b.start(), width, panel_stride: 0, of_b: true };
        // SAFETY: the offsets are those of B, and the panel fits the memory.
        unsafe { (tiling.kernels.pack_b)(&source, place) };
        tiling.b = Words { start: place.to, next: lanes * word, step: width * word };
    }
    // SAFETY: guaranteed by the caller; the operands are in place or packed.
    unsafe { tiling.run_all() };
}
