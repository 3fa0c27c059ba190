//! Products that are made at once, tile after tile, over operands that are used where they are or
//! are packed on the stack. What blocks need before the first tile takes longer than a small
//! product.

use core::mem::MaybeUninit;
use core::ptr;

use layout_core::engine::DynLayout;

use crate::gemm::exec::BLOCKS;
use crate::gemm::exec::arguments::Finish;
use crate::gemm::exec::inner_products;
use crate::gemm::exec::tiling::Tiling;
use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::table::Kernels;
use crate::gemm::pack::panels::{Packed, Source};
use crate::gemm::plan::grid::{Grid, pieces};
use crate::gemm::plan::packing_policy::{PackingPolicy, in_lines, whole};
use crate::gemm::plan::partition::Partition;
use crate::gemm::problem::offsets::Offsets;
use crate::gemm::problem::strided::Strided;
use crate::gemm::scale::Scale;
use crate::par::Par;
use crate::simd::Level;
use crate::simd::cache::Caches;
use crate::simd::vector::MAX_LANES;

/// The most elements in a row of a tile.
const MAX_WIDTH: usize = 3 * MAX_LANES;
/// Bytes of the stack for an operand.
const STACK: usize = 32 << 10;

/// Whether packed operands fit the stack at every level, when their words have so many bytes.
pub(crate) const fn fits(flat: &Strided, word: usize) -> bool {
    let longer = if flat.m > flat.n { flat.m } else { flat.n };
    // No word has less than an element, and a panel may end with another row.
    let (width, rows) = (MAX_WIDTH, flat.k.saturating_add(1));
    longer.div_ceil(width).saturating_mul(width).saturating_mul(rows) <= STACK / word
}

/// The matrices of a product: where they are, and what happens to C.
pub struct Matrices<'a, X, Y, T> {
    pub(crate) level: Level,
    pub(crate) scale: &'a Scale<T>,
    pub(crate) a: *const X,
    pub(crate) b: *const Y,
    pub(crate) c: *mut T,
    pub(crate) finish: Option<Finish<'a, T>>,
}

impl<'a, X, Y, T> Matrices<'a, X, Y, T> {
    /// Those of the transposed product.
    const fn transposed(&self) -> Matrices<'a, Y, X, T> {
        let &Self { level, scale, a, b, c, finish } = self;
        Matrices { level, scale, a: b, b: a, c, finish }
    }
}

/// Makes a product so, if that pays; says whether it has.
///
/// # Safety
///
/// As [`exec::run`](super::run), for a product that is not empty.
#[inline(always)]
pub(crate) unsafe fn run<X: Sync + 'static, Y: Sync + 'static, T: Sum>(
    flat: &Strided,
    matrices: &Matrices<'_, X, Y, T>,
    kernels: impl Fn() -> &'static Kernels<X, Y, T>,
    turned: impl Fn() -> &'static Kernels<Y, X, T>,
    par: Par,
) -> bool {
    if !flat.has_runs() {
        return false;
    }
    let inner = are_inner(flat, &kernels, &turned);
    if if inner { flat.n > flat.m } else { flat.turns() } {
        // SAFETY: the caller's promise.
        unsafe { make(&flat.transposed(), &matrices.transposed(), turned(), true, inner, par) }
    } else {
        // SAFETY: the caller's promise.
        unsafe { make(flat, matrices, kernels(), false, inner, par) }
    }
}

/// Whether to make inner products; then of the longer side with the shorter one.
#[inline(always)]
fn are_inner<X: 'static, Y: 'static, T: 'static>(
    flat: &Strided,
    kernels: impl Fn() -> &'static Kernels<X, Y, T>,
    turned: impl Fn() -> &'static Kernels<Y, X, T>,
) -> bool {
    match flat.n <= flat.m {
        true => inner_products::pays(flat, kernels()),
        false => inner_products::pays(&flat.transposed(), turned()),
    }
}

/// [`run`] for a product that is made as inner products, or else whose C has vectors along n.
///
/// # Safety
///
/// As [`run`].
unsafe fn make<X: Sync + 'static, Y: Sync + 'static, T: Sum>(
    flat: &Strided,
    matrices: &Matrices<'_, X, Y, T>,
    kernels: &Kernels<X, Y, T>,
    turned: bool,
    inner: bool,
    par: Par,
) -> bool {
    if inner {
        // SAFETY: the caller's promise.
        unsafe { inner_products::Products { flat, matrices, kernels, turned }.run(par) };
        return true;
    }
    let pieces = match par.threads() {
        1 => 1,
        threads => pieces(flat.m.saturating_mul(flat.n).saturating_mul(flat.k), threads),
    };
    match choose(flat, kernels, matrices.b) {
        Some(Operands::InPlace { a_step, b_step }) => {
            let steps = [Some(a_step), Some(b_step)];
            let tiling = || Tiling::new(flat, matrices, kernels, steps, turned);
            let vectors = kernels.vectors_for(flat.n);
            if vectors <= kernels.vectors() && flat.m <= kernels.rows(vectors) {
                // SAFETY: the caller's promise; operands are used in place where they can be.
                unsafe { tiling().one() };
                return true;
            }
            let tiling = tiling();
            if pieces == 1 {
                // SAFETY: as above.
                unsafe { tiling.all() };
                return true;
            }
            let [down, across] = [tiling.rows.count(), tiling.vectors.count()];
            let grid = Grid::new([down, across], 1, pieces, usize::MAX);
            par.each(grid.pieces(), |i| {
                let (below, (part, _)) = grid.piece(i);
                // SAFETY: as above; pieces are different parts of C.
                unsafe { tiling.run(below, grid.columns(part)) };
            });
            true
        }
        // Threads pack blocks, whose sums are the same.
        Some(Operands::Packed) if pieces == 1 => {
            // SAFETY: the caller's promise, and packed operands fit.
            unsafe { packed(flat, matrices, kernels, turned) };
            true
        }
        _ => false,
    }
}

/// Where tiles read operands.
enum Operands {
    /// Where they are; the distances of words along K, in elements.
    InPlace { a_step: usize, b_step: usize },
    /// On the stack, unless they can be read where they are.
    Packed,
}

/// Whether to make a product so, when its C has vectors along n and its B starts at `b`.
#[inline(always)]
fn choose<X, Y, T>(flat: &Strided, kernels: &Kernels<X, Y, T>, b: *const Y) -> Option<Operands> {
    let Strided { m, n, k, bk, .. } = *flat;
    if BLOCKS && !whole(kernels.words_for(k)) {
        return None;
    }
    let steps = steps_in_place(flat, kernels);
    let steps = if BLOCKS {
        let aligned = || in_lines(b.cast(), bk * size_of::<Y>());
        let stays = PackingPolicy::new([m, n, k], steps, kernels, aligned, Caches::detect);
        [stays.a_step, stays.b_step]
    } else {
        steps
    };
    match steps {
        [Some(a_step), Some(b_step)] => Some(Operands::InPlace { a_step, b_step }),
        _ => fits(flat, kernels.word).then_some(Operands::Packed),
    }
}

/// How [`run`] makes a product, for its reader.
#[derive(Clone, Copy)]
pub enum Direct {
    /// Inner products, with so many lanes along K.
    Dots(usize),
    /// Tile after tile.
    Tiles(Unblocked),
}

/// What is known of a product that is made tile after tile.
#[derive(Clone, Copy)]
pub struct Unblocked {
    /// Whether it is `C^T = B^T * A^T`.
    pub(crate) turned: bool,
    /// Whether A and B are read where they are.
    pub(crate) in_place: [bool; 2],
    pub(crate) rows: usize,
    pub(crate) vectors: usize,
    pub(crate) lanes: usize,
    pub(crate) depth: usize,
}

/// How [`run`] makes a product whose operands start at cache lines, if it does.
pub(crate) fn way<X, Y, T>(
    layouts: [&DynLayout; 3],
    kernels: &'static Kernels<X, Y, T>,
    turned: &'static Kernels<Y, X, T>,
) -> Option<Direct> {
    fn of<X, Y, T>(flat: &Strided, kernels: &Kernels<X, Y, T>, turned: bool) -> Option<Direct> {
        let in_place = match choose(flat, kernels, ptr::null())? {
            Operands::InPlace { .. } => [true; 2],
            Operands::Packed => steps_in_place(flat, kernels).map(|step| step.is_some()),
        };
        let [a, b] = in_place;
        let vectors = Partition::new(kernels.vectors_for(flat.n), kernels.vectors()).largest();
        let rows = Partition::new(flat.m, kernels.rows(vectors)).largest();
        let Kernels { lanes, depth, .. } = *kernels;
        let in_place = if turned { [b, a] } else { [a, b] };
        Some(Direct::Tiles(Unblocked { turned, in_place, rows, vectors, lanes, depth }))
    }
    let flat = Strided::of(layouts.map(DynLayout::as_matrix)).filter(Strided::has_runs)?;
    if are_inner(&flat, || kernels, || turned) {
        return Some(Direct::Dots(kernels.lanes));
    }
    if flat.turns() { of(&flat.transposed(), turned, true) } else { of(&flat, kernels, false) }
}

/// The distance of words along K, in elements, of operands that tiles can read where they are.
#[inline(always)]
fn steps_in_place<X, Y, T>(flat: &Strided, kernels: &Kernels<X, Y, T>) -> [Option<usize>; 2] {
    let Kernels { depth, .. } = *kernels;
    let step = |is_word: bool, distance: usize| match depth {
        1 => is_word.then_some(distance),
        _ => (is_word && distance == 1 && flat.k.is_multiple_of(depth)).then_some(depth),
    };
    let b_runs = flat.bn == depth || flat.n == 1;
    [step(kernels.a_words, flat.ak), step(kernels.b_words && b_runs, flat.bk)]
}

/// Memory for a packed operand.
#[repr(align(64))]
struct Memory(MaybeUninit<[u8; STACK]>);

/// Packs what cannot be used in place.
///
/// # Safety
///
/// As [`run`], for a product that [`fits`] and whose C has vectors along n.
// Not in line: callers that pack nothing should not touch so much of the stack.
#[inline(never)]
unsafe fn packed<X: 'static, Y: 'static, T: Sum>(
    flat: &Strided,
    matrices: &Matrices<'_, X, Y, T>,
    kernels: &Kernels<X, Y, T>,
    turned: bool,
) {
    let Strided { m, n, k, am, ak, bk, bn, .. } = *flat;
    let Kernels { lanes, word, more, .. } = *kernels;
    let (mut for_a, mut for_b) = (Memory(MaybeUninit::uninit()), Memory(MaybeUninit::uninit()));
    let words = kernels.words_for(k);
    let steps = steps_in_place(flat, kernels);
    let mut tiling = Tiling::new(flat, matrices, kernels, steps, turned);
    if tiling.a.step.is_none() {
        let to = for_a.0.as_mut_ptr().cast::<u8>();
        let (along, deep) = (Offsets::linear(m, am), Offsets::linear(k, ak));
        for rows in tiling.rows.iter() {
            let (first, width) = (rows.start * words * word, rows.len());
            let source = Source {
                level: matrices.level,
                from: matrices.a,
                along,
                across: rows,
                deep,
                steps: 0..k,
            };
            // SAFETY: offsets of A; the panels together are as large as `fits` says.
            unsafe {
                (kernels.pack_a)(&source, Packed { to: to.wrapping_add(first), width, next: 0 })
            };
        }
        tiling.a.start = to;
    }
    if tiling.b.step.is_none() {
        let to = for_b.0.as_mut_ptr().cast::<u8>();
        let (along, deep) = (Offsets::linear(n, bn), Offsets::linear(k, bk));
        for panel in tiling.vectors.iter() {
            let (first, width) = (panel.start * lanes * (words + more) * word, panel.len() * lanes);
            let across = panel.start * lanes..(panel.end * lanes).min(n);
            let source = Source {
                level: matrices.level,
                from: matrices.b,
                along,
                across,
                deep,
                steps: 0..k,
            };
            // SAFETY: offsets of B; the panels together are as large as `fits` says.
            unsafe {
                (kernels.pack_b)(&source, Packed { to: to.wrapping_add(first), width, next: 0 })
            };
        }
        tiling.b.start = to;
    }
    // SAFETY: the caller's promise; the operands are there or packed.
    unsafe { tiling.all() };
}
