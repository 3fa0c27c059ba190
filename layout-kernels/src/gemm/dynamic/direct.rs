//! Products that are made at once, tile after tile, over operands that are used where they are or
//! are packed on the stack. What blocks need before the first tile takes longer than a small
//! product.

use core::mem::MaybeUninit;
use core::ops::Range;
use core::ptr;

use layout_core::engine::DynLayout;

use crate::gemm::dynamic::along::Along;
use crate::gemm::dynamic::batches::Batches;
use crate::gemm::dynamic::blocked::blocks;
use crate::gemm::dynamic::blocking::{Runs, Stays, whole};
use crate::gemm::dynamic::cuts::Cuts;
use crate::gemm::dynamic::dots;
use crate::gemm::dynamic::flat::Flat;
use crate::gemm::dynamic::grid::pieces;
use crate::gemm::dynamic::job::{Finish, Finished, Job};
use crate::gemm::dynamic::kernels::Kernels;
use crate::gemm::dynamic::micro::{MAX_VECTORS, Panels, Target, at_distance};
use crate::gemm::dynamic::panels::Source;
use crate::gemm::float::sealed::Sum;
use crate::gemm::scale::Scale;
use crate::simd::cache::Caches;
use crate::simd::vector::MAX_LANES;

/// Bytes of the stack for an operand.
const STACK: usize = 32 << 10;

/// Whether packed operands fit the stack at every level, when their words have so many bytes.
pub(crate) const fn fits(flat: &Flat, word: usize) -> bool {
    let longer = if flat.m > flat.n { flat.m } else { flat.n };
    // No word has less than an element, and a panel may end with another row.
    let (width, rows) = (MAX_VECTORS * MAX_LANES, flat.k.saturating_add(1));
    longer.div_ceil(width).saturating_mul(width).saturating_mul(rows) <= STACK / word
}

/// The matrices of a product: where they are, and what happens to C.
pub struct Matrices<'a, X, Y, T> {
    pub(crate) scale: &'a Scale<T>,
    pub(crate) a: *const X,
    pub(crate) b: *const Y,
    pub(crate) c: *mut T,
    pub(crate) finish: Option<Finish<'a, T>>,
}

impl<'a, X, Y, T> Matrices<'a, X, Y, T> {
    /// Those of the transposed product.
    const fn transposed(&self) -> Matrices<'a, Y, X, T> {
        let &Self { scale, a, b, c, finish } = self;
        Matrices { scale, a: b, b: a, c, finish }
    }
}

/// Makes a product so, if that pays; says whether it has.
///
/// # Safety
///
/// As [`dynamic::run`](super::run), for a product that is not empty.
pub(crate) unsafe fn run<X: Sync + 'static, Y: Sync + 'static, T: Sum>(
    job: &Job<'_, X, Y, T>,
    kernels: impl Fn() -> &'static Kernels<X, Y, T>,
    turned: impl Fn() -> &'static Kernels<Y, X, T>,
) -> bool {
    let Some(flat) = Flat::of(job.layouts).filter(Flat::has_runs) else { return false };
    let Job { scale, a, b, c, finish, .. } = *job;
    let matrices = Matrices { scale, a, b, c, finish };
    let (turned_flat, turned_matrices) = (flat.transposed(), matrices.transposed());
    if flat.n <= flat.m && dots::pays(&flat, kernels()) {
        let (flat, matrices, kernels) = (&flat, &matrices, kernels());
        // SAFETY: the caller's promise.
        unsafe { dots::Products { flat, matrices, kernels, turned: false }.run(job.par) };
        return true;
    }
    if flat.n > flat.m && dots::pays(&turned_flat, turned()) {
        let (flat, matrices, kernels) = (&turned_flat, &turned_matrices, turned());
        // SAFETY: the caller's promise.
        unsafe { dots::Products { flat, matrices, kernels, turned: true }.run(job.par) };
        return true;
    }
    // More threads make blocks, whose sums are the same.
    let work = flat.m.saturating_mul(flat.n).saturating_mul(flat.k);
    if pieces(work, job.par.threads()) > 1 {
        return false;
    }
    if flat.turns() {
        // SAFETY: the caller's promise.
        unsafe { run_along_n(&turned_flat, &turned_matrices, turned(), true) }
    } else {
        // SAFETY: the caller's promise.
        unsafe { run_along_n(&flat, &matrices, kernels(), false) }
    }
}

/// Makes a product that [`fits`] and whose C has runs.
///
/// # Safety
///
/// As [`run`].
pub(crate) unsafe fn small<X: 'static, Y: 'static, T: Sum>(
    flat: &Flat,
    matrices: &Matrices<'_, X, Y, T>,
    kernels: impl FnOnce() -> &'static Kernels<X, Y, T>,
    turned: impl FnOnce() -> &'static Kernels<Y, X, T>,
) {
    if flat.turns() {
        // SAFETY: the caller's promise.
        unsafe { packed(&flat.transposed(), &matrices.transposed(), turned(), true) }
    } else {
        // SAFETY: the caller's promise.
        unsafe { packed(flat, matrices, kernels(), false) }
    }
}

/// [`run`] for a product whose C has vectors along n.
///
/// # Safety
///
/// As [`run`].
#[inline(always)]
unsafe fn run_along_n<X: 'static, Y: 'static, T: Sum>(
    flat: &Flat,
    matrices: &Matrices<'_, X, Y, T>,
    kernels: &Kernels<X, Y, T>,
    turned: bool,
) -> bool {
    let Matrices { a, b, .. } = *matrices;
    match choose(flat, kernels, b) {
        Some(Operands::InPlace { a_step, b_step }) => {
            let a = Words { start: a.cast(), step: Some(a_step) };
            let b = Words { start: b.cast(), step: Some(b_step) };
            // SAFETY: the caller's promise; operands are used in place where they can be.
            unsafe { tiles(flat, matrices, kernels, (a, b), turned) };
            true
        }
        Some(Operands::Packed) => {
            // SAFETY: the caller's promise, and packed operands fit.
            unsafe { packed(flat, matrices, kernels, turned) };
            true
        }
        None => false,
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
fn choose<X, Y, T>(flat: &Flat, kernels: &Kernels<X, Y, T>, b: *const Y) -> Option<Operands> {
    let Flat { m, n, k, bk, bn, .. } = *flat;
    if !whole(kernels.words_for(k)) {
        return None;
    }
    let runs = Runs::new(bn == kernels.depth || n == 1, b.cast(), bk * size_of::<Y>());
    let steps = steps_in_place(flat, kernels);
    match Stays::new([m, n, k], steps, runs, kernels, &Caches::detect()) {
        Stays { a_step: Some(a_step), b_step: Some(b_step) } => {
            Some(Operands::InPlace { a_step, b_step })
        }
        _ => fits(flat, kernels.word).then_some(Operands::Packed),
    }
}

/// How [`run`] makes a product, for its reader.
#[derive(Clone, Copy)]
pub enum Direct {
    /// Inner products, with so many lanes along K.
    Dots(usize),
    /// Tile after tile.
    Tiles(OneByOne),
}

/// What is known of a product that is made tile after tile.
#[derive(Clone, Copy)]
pub struct OneByOne {
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
    kernels: &Kernels<X, Y, T>,
    turned: &Kernels<Y, X, T>,
) -> Option<Direct> {
    fn of<X, Y, T>(flat: &Flat, kernels: &Kernels<X, Y, T>, turned: bool) -> Option<Direct> {
        let in_place = match choose(flat, kernels, ptr::null())? {
            Operands::InPlace { .. } => [true; 2],
            Operands::Packed => steps_in_place(flat, kernels).map(|step| step.is_some()),
        };
        let [a, b] = in_place;
        let (rows, vectors) = (kernels.rows(), kernels.vectors());
        let Kernels { lanes, depth, .. } = *kernels;
        let in_place = if turned { [b, a] } else { [a, b] };
        Some(Direct::Tiles(OneByOne { turned, in_place, rows, vectors, lanes, depth }))
    }
    let flat = Flat::of(layouts).filter(Flat::has_runs)?;
    if flat.n <= flat.m && dots::pays(&flat, kernels)
        || flat.n > flat.m && dots::pays(&flat.transposed(), turned)
    {
        return Some(Direct::Dots(kernels.lanes));
    }
    if flat.turns() { of(&flat.transposed(), turned, true) } else { of(&flat, kernels, false) }
}

/// The distance of words along K, in elements, of operands that tiles can read where they are.
#[inline(always)]
fn steps_in_place<X, Y, T>(flat: &Flat, kernels: &Kernels<X, Y, T>) -> [Option<usize>; 2] {
    let Kernels { lanes, depth, masked, .. } = *kernels;
    let step = |is_word: bool, distance: usize| match depth {
        1 => is_word.then_some(distance),
        _ => (is_word && distance == 1 && flat.k.is_multiple_of(depth)).then_some(depth),
    };
    let b_runs = flat.bn == depth || flat.n == 1;
    let whole = masked || flat.n.is_multiple_of(lanes);
    [step(kernels.a_words, flat.ak), step(kernels.b_words && b_runs && whole, flat.bk)]
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
    flat: &Flat,
    matrices: &Matrices<'_, X, Y, T>,
    kernels: &Kernels<X, Y, T>,
    turned: bool,
) {
    let Flat { m, n, k, am, ak, bk, bn, .. } = *flat;
    let Kernels { lanes, word, more, .. } = *kernels;
    let (mut for_a, mut for_b) = (Memory(MaybeUninit::uninit()), Memory(MaybeUninit::uninit()));
    let words = kernels.words_for(k);
    let [a_step, b_step] = steps_in_place(flat, kernels);
    let mut a = Words { start: matrices.a.cast(), step: a_step };
    if a_step.is_none() {
        let to = for_a.0.as_mut_ptr().cast::<u8>();
        let (along, deep) = (Along::linear(m, am), Along::linear(k, ak));
        for rows in Cuts::new(m, kernels.rows()).iter() {
            let (first, width) = (rows.start * words * word, rows.len());
            let source = Source { from: matrices.a, along, across: rows, deep, steps: 0..k };
            // SAFETY: offsets of A; the panels together are as large as `fits` says.
            unsafe { (kernels.pack_a)(&source, to.wrapping_add(first), width) };
        }
        a.start = to;
    }
    let mut b = Words { start: matrices.b.cast(), step: b_step };
    if b_step.is_none() {
        let to = for_b.0.as_mut_ptr().cast::<u8>();
        let (along, deep) = (Along::linear(n, bn), Along::linear(k, bk));
        for panel in Cuts::new(kernels.vectors_for(n), kernels.vectors()).iter() {
            let (first, width) = (panel.start * lanes * (words + more) * word, panel.len() * lanes);
            let across = panel.start * lanes..(panel.end * lanes).min(n);
            let source = Source { from: matrices.b, along, across, deep, steps: 0..k };
            // SAFETY: offsets of B; the panels together are as large as `fits` says.
            unsafe { (kernels.pack_b)(&source, to.wrapping_add(first), width) };
        }
        b.start = to;
    }
    // SAFETY: the caller's promise; the operands are there or packed.
    unsafe { tiles(flat, matrices, kernels, (a, b), turned) };
}

/// An operand as tiles read it: in place, with a distance of elements along K, or packed.
#[derive(Clone, Copy)]
struct Words {
    start: *const u8,
    step: Option<usize>,
}

/// All tiles of a product whose C has vectors along n.
///
/// # Safety
///
/// As [`run`], for operands that are in place as [`steps_in_place`] says, or are packed.
#[inline(always)]
unsafe fn tiles<X: 'static, Y: 'static, T: Sum>(
    flat: &Flat,
    matrices: &Matrices<'_, X, Y, T>,
    kernels: &Kernels<X, Y, T>,
    (a, b): (Words, Words),
    turned: bool,
) {
    let Flat { m, n, k, am, bn, cm, .. } = *flat;
    let Kernels { lanes, word, more, .. } = *kernels;
    let Matrices { scale, c, finish, .. } = *matrices;
    let steps = kernels.words_for(k);
    let (x, y) = (size_of::<X>(), size_of::<Y>());
    let (c_rows, c_vectors) = (at_distance(cm), at_distance(lanes));
    let vectors = Cuts::new(kernels.vectors_for(n), kernels.vectors());
    let (b_column, b_next) = match b.step {
        Some(_) => (bn * y, bn * y),
        None => ((steps + more) * word, word),
    };
    let rows = Cuts::new(m, kernels.rows());
    // What is told of finished tiles is told of each.
    let (part, alone) = (!n.is_multiple_of(lanes), finish.is_some());
    let batches = Batches { rows: &rows, vectors: &vectors, part, down: !alone, across: !alone };
    // The bytes from the words of some rows of A to those of the next, for each row.
    let a_next = if a.step.is_some() { am * x } else { steps * word };
    let meet = |below: Range<usize>, near: Range<usize>| {
        for (panel, across) in batches.across(near) {
            for (rows, down) in batches.down(below.clone()) {
                let (a_row, a_step) = match a.step {
                    Some(step) => (a_next, step * x),
                    None => (word, rows.len() * word),
                };
                // A part of the next rows of A arrives with each tile, if they follow in memory.
                let (soon, soon_step) = if a_next == steps * word && m > rows.len() {
                    let step = (rows.len() * word).div_ceil(vectors.count());
                    let before = panel.start / kernels.vectors();
                    (rows.len() * a_next + before * step * steps, step)
                } else {
                    (0, 0)
                };
                let columns = panel.start * lanes..(panel.end * lanes).min(n);
                let panels = Panels {
                    depth: steps,
                    a: a.start.wrapping_add(rows.start * a_next),
                    a_step,
                    a_row,
                    a_down: rows.len() * a_next,
                    b: b.start.wrapping_add(columns.start * b_column),
                    b_vector: lanes * b_next,
                    b_step: b.step.map_or(panel.len() * lanes * word, |step| step * y),
                    b_across: panel.len() * lanes * b_column,
                    soon,
                    soon_step,
                    packed_b: ptr::null_mut(),
                };
                let target = Target {
                    scale,
                    c: c.wrapping_add(rows.start * cm + columns.start),
                    down: [down, rows.len() * cm],
                    across: [across, panel.len() * lanes],
                    rows: &c_rows,
                    vectors: &c_vectors,
                    last: columns.end - (panel.end - 1) * lanes,
                };
                let part = b.step.is_some() && target.last < lanes;
                let micro = kernels.tile(rows.len(), panel.len(), a.step.is_none(), part);
                // SAFETY: A has its rows, and B and C their vectors, at these distances; a last
                // vector of B that is not whole is packed so that it can be read, or this tile reads
                // what is there.
                unsafe { micro(&panels, &target) };
                if let Some(finish) = finish {
                    finished(c, finish, cm, rows.clone(), columns, turned);
                }
            }
        }
    };
    // As many panels of B as stay in the first cache meet as many rows of A as stay in the second.
    let (panel, row) = (steps * word * lanes * kernels.vectors(), steps * word * kernels.rows());
    let (near, far) = match vectors.count() {
        1 => (1, rows.count()),
        _ => {
            let caches = Caches::detect();
            ((caches.first / 4 * 3 / panel).max(1), (caches.second / 4 / row).max(1))
        }
    };
    for below in blocks(0..rows.count(), far) {
        blocks(0..vectors.count(), near).for_each(|near| meet(below.clone(), near));
    }
}

/// Tells that a tile has its sums.
fn finished<T>(
    c: *mut T,
    finish: Finish<'_, T>,
    row: usize,
    rows: Range<usize>,
    columns: Range<usize>,
    turned: bool,
) {
    let ((rows, row), (columns, column)) = match turned {
        false => ((rows, row), (columns, 1)),
        true => ((columns, 1), (rows, row)),
    };
    finish(&Finished {
        c,
        rows,
        columns,
        row: &|i| i * row,
        column: &|i| i * column,
        columns_run: column == 1,
        rows_run: row == 1,
    });
}
