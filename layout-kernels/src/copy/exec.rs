//! Runs a `CopyPlan`: one loop nest around kernels that are compiled once per SIMD level and word
//! size.

use core::any::TypeId;
use core::ptr;

use super::buffered::Buffered;
use super::exchange::Exchange;
use super::leaf::{self, Inner};
use super::plan::{Caching, CopyKernel, CopyPlan};
use super::refine::{Loop, nth_inner};
use crate::simd::Level;
use crate::transpose::{self, Batch, Block, StridedRows, fence};

/// Parameters of an execution besides the plan.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    pub(super) level: Level,
    /// Whether elements are numbers (`is_number`), which may pass through vector registers.
    pub(super) numbers: bool,
    /// Whether whole cache lines are written with non-temporal stores.
    pub(super) stream: bool,
    /// Prefetch distance in bytes: from a run to the data that is read next. 0 for no prefetch.
    pub(super) prefetch_distance: usize,
}

/// Whether every byte of a `T` is always initialised and is plain data: `T` is a primitive number, a
/// `bool`, a `char`, a 16-bit float, or a pair of one of these, as a complex number is.
#[inline(always)]
pub(super) fn is_number<T: 'static>() -> bool {
    // Folded to a constant by the compiler.
    macro_rules! one_of {
        ($($number:ty)*) => {
            false $(
                || TypeId::of::<T>() == TypeId::of::<$number>()
                || TypeId::of::<T>() == TypeId::of::<[$number; 2]>()
            )*
        };
    }
    #[cfg(feature = "half")]
    if one_of!(half::f16 half::bf16) {
        return true;
    }
    #[cfg(feature = "num-complex-0_4")]
    if one_of!(num_complex::Complex<f32> num_complex::Complex<f64>) {
        return true;
    }
    one_of!(u8 i8 bool u16 i16 u32 i32 f32 char u64 i64 f64 usize isize u128 i128)
}

/// [`exec`] for elements `T`.
///
/// # Safety
///
/// The plan must have been made for elements of this size. `source` must be readable and `destination`
/// writable at each offset of the layouts of the plan. The two memories must not overlap.
#[inline(always)]
pub(super) unsafe fn exec_of<T: Copy + 'static>(
    level: Level,
    plan: &CopyPlan,
    source: *const T,
    destination: *mut T,
) {
    debug_assert_eq!(plan.element_bytes(), size_of::<T>());
    // SAFETY: guaranteed by the caller, see `# Safety`.
    unsafe { exec(level, plan, is_number::<T>(), source.cast(), destination.cast()) };
}

/// Runs a plan that is not [`CopyKernel::Irregular`].
///
/// # Safety
///
/// Elements must be readable at each source offset of the plan and writable at each destination
/// offset. The two memories must not overlap. If `numbers`, each byte that is read must be
/// initialised.
#[inline(never)]
pub(super) unsafe fn exec(
    level: Level,
    plan: &CopyPlan,
    numbers: bool,
    source: *const u8,
    destination: *mut u8,
) {
    let mode = Mode { level, numbers, stream: false, prefetch_distance: 0 };
    if matches!(plan.caching(), Caching::Direct) {
        // SAFETY: guaranteed by the caller, see `# Safety`.
        return unsafe { leaf(plan, mode, source, destination) };
    }
    // Only numbers may pass through registers, which non-temporal stores require.
    let stream = numbers && plan.pays_to_stream();
    // SAFETY: guaranteed by the caller, see `# Safety`.
    unsafe { large(plan, Mode { stream, ..mode }, source, destination) };
}

/// Runs a copy larger than a piece. Uses non-temporal stores if `mode` asks for them and the
/// destination address allows them.
///
/// # Safety
///
/// Same conditions as [`exec`].
#[inline(never)]
pub(super) unsafe fn large(plan: &CopyPlan, mode: Mode, source: *const u8, destination: *mut u8) {
    if plan.is_buffered()
        && mode.numbers
        && let Some(buffered) = Buffered::of(plan, mode)
    {
        // SAFETY: guaranteed by the caller; elements are numbers.
        return unsafe { buffered.run(source, destination) };
    }
    let mode = Mode { stream: mode.stream && plan.can_stream_to(destination), ..mode };
    let size = plan.element_bytes();
    let run = |piece: &CopyPlan, s: usize, d: usize, prefetch_distance: usize| {
        let (from, to) = (source.wrapping_add(s * size), destination.wrapping_add(d * size));
        let mode = Mode { prefetch_distance: prefetch_distance.wrapping_mul(size), ..mode };
        // SAFETY: a piece has only offsets of the plan.
        unsafe { pass(piece, mode, from, to) };
    };
    match plan.is_in_order_of_source() {
        true if mode.stream => {
            plan.blocks(&mut |block, (s, d), prefetch_distance| run(block, s, d, prefetch_distance))
        }
        true => {
            let plan = plan.in_order_of_destination();
            plan.pieces((0, 0), &mut |piece, s, d| run(piece, s, d, 0));
        }
        false => plan.pieces((0, 0), &mut |piece, s, d| run(piece, s, d, 0)),
    }
    if mode.stream {
        fence();
    }
}

/// Innermost loops of a plan, ready to run.
#[derive(Clone, Copy)]
pub(super) enum Step {
    Runs(Inner),
    Words(Inner),
    /// The pointers are null until the step runs.
    Blocks(Batch),
}

// SAFETY: the pointers in a step are null. They are only set in the copy of the step that runs.
unsafe impl Send for Step {}
// SAFETY: as above.
unsafe impl Sync for Step {}

impl Step {
    /// The whole plan as one step. `None` if it has more loops, needs several passes or exchanges
    /// bits.
    pub(super) const fn all_of(plan: &CopyPlan) -> Option<Self> {
        match (Self::of(plan), plan.caching()) {
            (Some((step, 0)), Caching::Direct) if !plan.is_exchanged() => Some(step),
            _ => None,
        }
    }

    /// The step of a plan, and the number of loops around it. `None` if there is nothing to do.
    pub(super) const fn of(plan: &CopyPlan) -> Option<(Self, usize)> {
        let (loops, size) = (plan.loops(), plan.element_bytes());
        let (step, inside) = match plan.kernel() {
            _ if size == 0 => return None,
            CopyKernel::Nothing | CopyKernel::Irregular => return None,
            CopyKernel::Run { elements } => {
                let inner =
                    [scaled(loops, 2, size), scaled(loops, 1, size), scaled(loops, 0, size)];
                (
                    Self::Runs(Inner {
                        loops: inner,
                        bytes: elements * size,
                        prefetch_distance: 0,
                    }),
                    3,
                )
            }
            CopyKernel::Strided(last) => {
                let last = last.times(size);
                let inner = [scaled(loops, 1, size), scaled(loops, 0, size), last];
                (Self::Words(Inner { loops: inner, bytes: size, prefetch_distance: 0 }), 2)
            }
            CopyKernel::Transpose { columns, rows } => {
                let Loop { extent: count, source, destination } = scaled(loops, 0, size);
                let first = Block {
                    source: StridedRows { start: ptr::null(), step: rows.source * size },
                    destination: StridedRows {
                        start: ptr::null_mut(),
                        step: columns.destination * size,
                    },
                    rows: rows.extent,
                    columns: columns.extent,
                    word: plan.word(),
                    total_bytes: plan.total_bytes(),
                };
                (Self::Blocks(Batch { first, count, source, destination }), 1)
            }
        };
        Some((step, loops.len().saturating_sub(inside)))
    }
}

/// Loop `n`, counted from the innermost, with strides in bytes.
const fn scaled(loops: &[Loop], n: usize, size: usize) -> Loop {
    nth_inner(loops, n).times(size)
}

/// [`leaf`] as a separate function, for the parts of a large copy.
///
/// # Safety
///
/// Same conditions as [`leaf`].
#[inline(never)]
pub(super) unsafe fn pass(plan: &CopyPlan, mode: Mode, source: *const u8, destination: *mut u8) {
    // SAFETY: guaranteed by the caller, see `# Safety`.
    unsafe { leaf(plan, mode, source, destination) };
}

/// Runs a plan in one pass.
///
/// # Safety
///
/// Same conditions as [`exec`]. If `mode.stream`, the copy must write whole cache lines of the
/// destination, and [`fence`] must follow.
#[inline(always)]
unsafe fn leaf(plan: &CopyPlan, mode: Mode, source: *const u8, destination: *mut u8) {
    if plan.is_exchanged()
        && mode.numbers
        && let Some(exchange) = Exchange::of(plan)
        // SAFETY: guaranteed by the caller; elements are numbers.
        && unsafe { exchange.run(mode.level, source, destination) }
    {
        return;
    }
    let Some((step, around)) = Step::of(plan) else { return };
    let outer = plan.loops().split_at(around).0;
    // SAFETY: guaranteed by the caller, see `# Safety`.
    unsafe { run_step(&step, mode, (outer, plan.element_bytes()), source, destination) };
}

/// Runs a step without loops around it.
///
/// # Safety
///
/// Same conditions as [`exec`], for the plan of the step.
#[inline(never)]
pub(super) unsafe fn exec_step(
    level: Level,
    step: &Step,
    numbers: bool,
    source: *const u8,
    destination: *mut u8,
) {
    let mode = Mode { level, numbers, stream: false, prefetch_distance: 0 };
    // SAFETY: guaranteed by the caller, see `# Safety`.
    unsafe { run_step(step, mode, (&[], 0), source, destination) };
}

/// Runs a step in each iteration of the `outer` loops. Their strides count elements of `size` bytes.
///
/// # Safety
///
/// Same conditions as [`leaf`].
#[inline(always)]
unsafe fn run_step(
    step: &Step,
    mode: Mode,
    (outer, size): (&[Loop], usize),
    source: *const u8,
    destination: *mut u8,
) {
    let Mode { level, numbers, stream, prefetch_distance } = mode;
    let inner = match *step {
        Step::Blocks(mut batch) => {
            let kernel = transpose::kernel(level, numbers, &batch.first);
            return nest(outer, size, source, destination, &mut |from, to| {
                batch.first.source.start = from;
                batch.first.destination.start = to;
                // SAFETY: blocks at offsets of the plan, of the shape that the kernel was chosen for.
                unsafe { kernel(&batch, stream) };
            });
        }
        Step::Runs(inner) | Step::Words(inner) => Inner { prefetch_distance, ..inner },
    };
    let copy = match step {
        Step::Runs(_) => leaf::runs(level, stream),
        _ => leaf::strided(inner.bytes),
    };
    nest(outer, size, source, destination, &mut |from, to| {
        // SAFETY: the pointers of one iteration of the loops.
        unsafe { copy(&inner, from, to) };
    });
}

/// Calls `body` with both pointers of each iteration of the loops. Their strides count elements of
/// `size` bytes.
#[inline]
pub(super) fn nest(
    loops: &[Loop],
    size: usize,
    source: *const u8,
    destination: *mut u8,
    body: &mut impl FnMut(*const u8, *mut u8),
) {
    let [outer, inner @ ..] = loops else { return body(source, destination) };
    for i in 0..outer.extent {
        let from = source.wrapping_add(i.wrapping_mul(outer.source).wrapping_mul(size));
        let to = destination.wrapping_add(i.wrapping_mul(outer.destination).wrapping_mul(size));
        nest(inner, size, from, to, body);
    }
}

#[cfg(test)]
#[path = "streamed_tests.rs"]
mod tests;
