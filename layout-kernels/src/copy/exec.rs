//! Runs a `CopyPlan`: one loop nest around kernels that are compiled once per SIMD level and word
//! size.

use core::any::TypeId;
use core::ptr;

use super::bit_permutation::BitPermutation;
use super::buffered::Buffered;
use super::leaf::{self, Inner};
use super::plan::{Caching, CopyKernel, CopyPlan};
use super::refine::{Loop, nth_inner};
use crate::simd::Level;
use crate::transpose::{self, Batch, Block, StridedRows, fence};

/// Parameters of an execution besides the plan.
#[derive(Clone, Copy)]
pub(super) struct ExecOptions {
    pub(super) level: Level,
    /// Whether elements are plain data (`is_plain_data`), which may pass through vector registers.
    pub(super) is_plain_data: bool,
    /// Whether whole cache lines are written with non-temporal stores.
    pub(super) stream: bool,
    /// Prefetch distance in bytes: from a run to the data that is read next. 0 for no prefetch.
    pub(super) prefetch_distance: usize,
}

/// Whether every byte of a `T` is always initialised and is plain data: `T` is a primitive number, a
/// `bool`, a `char`, a 16-bit float, or a pair of one of these, as a complex number is.
#[inline(always)]
pub(super) fn is_plain_data<T: 'static>() -> bool {
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
    unsafe { exec(level, plan, is_plain_data::<T>(), source.cast(), destination.cast()) };
}

/// Runs a plan that is not [`CopyKernel::Irregular`].
///
/// # Safety
///
/// Elements must be readable at each source offset of the plan and writable at each destination
/// offset. The two memories must not overlap. If `is_plain_data`, each byte that is read must be
/// initialised.
#[inline(never)]
pub(super) unsafe fn exec(
    level: Level,
    plan: &CopyPlan,
    is_plain_data: bool,
    source: *const u8,
    destination: *mut u8,
) {
    let options = ExecOptions { level, is_plain_data, stream: false, prefetch_distance: 0 };
    if matches!(plan.caching(), Caching::Direct) {
        // SAFETY: guaranteed by the caller, see `# Safety`.
        return unsafe { run_direct(plan, options, source, destination) };
    }
    // Only plain data may pass through registers, which non-temporal stores require.
    let stream = is_plain_data && plan.caching() == Caching::Streamed && plan.exceeds_caches();
    // SAFETY: guaranteed by the caller, see `# Safety`.
    unsafe { run_large(plan, ExecOptions { stream, ..options }, source, destination) };
}

/// Runs a copy larger than a piece. Uses non-temporal stores if `options` asks for them and the
/// destination address allows them.
///
/// # Safety
///
/// Same conditions as [`exec`].
#[inline(never)]
pub(super) unsafe fn run_large(
    plan: &CopyPlan,
    options: ExecOptions,
    source: *const u8,
    destination: *mut u8,
) {
    if plan.is_buffered()
        && options.is_plain_data
        && let Some(buffered) = Buffered::of(plan, options)
    {
        // SAFETY: guaranteed by the caller; elements are plain data.
        return unsafe { buffered.run(source, destination) };
    }
    let options =
        ExecOptions { stream: options.stream && plan.can_stream_to(destination), ..options };
    let size = plan.element_bytes();
    let run = |piece: &CopyPlan, s: usize, d: usize, prefetch_distance: usize| {
        let (from, to) = (source.wrapping_add(s * size), destination.wrapping_add(d * size));
        let options =
            ExecOptions { prefetch_distance: prefetch_distance.wrapping_mul(size), ..options };
        // SAFETY: a piece has only offsets of the plan.
        unsafe { run_pass(piece, options, from, to) };
    };
    match plan.is_in_order_of_source() {
        true if options.stream || plan.exceeds_caches() => {
            plan.blocks(&mut |block, (s, d), prefetch_distance| run(block, s, d, prefetch_distance))
        }
        true => {
            let plan = plan.in_order_of_destination();
            plan.pieces((0, 0), &mut |piece, s, d| run(piece, s, d, 0));
        }
        false => plan.pieces((0, 0), &mut |piece, s, d| run(piece, s, d, 0)),
    }
    if options.stream {
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
    /// The whole plan as one step. `None` if it has more loops, needs several passes or permutes
    /// bits.
    pub(super) const fn all_of(plan: &CopyPlan) -> Option<Self> {
        match (Self::of(plan), plan.caching()) {
            (Some((step, 0)), Caching::Direct) if !plan.permutes_bits() => Some(step),
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
                    source: StridedRows { start: ptr::null(), stride_bytes: rows.source * size },
                    destination: StridedRows {
                        start: ptr::null_mut(),
                        stride_bytes: columns.destination * size,
                    },
                    rows: rows.extent,
                    columns: columns.extent,
                    word: plan.word(),
                    total_bytes: plan.total_bytes(),
                };
                (
                    Self::Blocks(Batch {
                        first,
                        count,
                        source_stride: source,
                        destination_stride: destination,
                    }),
                    1,
                )
            }
        };
        Some((step, loops.len().saturating_sub(inside)))
    }
}

/// Loop `n`, counted from the innermost, with strides in bytes.
const fn scaled(loops: &[Loop], n: usize, size: usize) -> Loop {
    nth_inner(loops, n).times(size)
}

/// [`run_direct`] as a separate function, for the parts of a large copy.
///
/// # Safety
///
/// Same conditions as [`run_direct`].
#[inline(never)]
pub(super) unsafe fn run_pass(
    plan: &CopyPlan,
    options: ExecOptions,
    source: *const u8,
    destination: *mut u8,
) {
    // SAFETY: guaranteed by the caller, see `# Safety`.
    unsafe { run_direct(plan, options, source, destination) };
}

/// Runs a plan in one pass.
///
/// # Safety
///
/// Same conditions as [`exec`]. If `options.stream`, the copy must write whole cache lines of the
/// destination, and [`fence`] must follow.
#[inline(always)]
unsafe fn run_direct(
    plan: &CopyPlan,
    options: ExecOptions,
    source: *const u8,
    destination: *mut u8,
) {
    if plan.permutes_bits()
        && options.is_plain_data
        && let Some(permutation) = BitPermutation::of(plan)
        // SAFETY: guaranteed by the caller; elements are plain data.
        && unsafe { permutation.run(options.level, source, destination) }
    {
        return;
    }
    let Some((step, outer_count)) = Step::of(plan) else { return };
    let outer = plan.loops().split_at(outer_count).0;
    // SAFETY: guaranteed by the caller, see `# Safety`.
    unsafe { run_step(&step, options, (outer, plan.element_bytes()), source, destination) };
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
    is_plain_data: bool,
    source: *const u8,
    destination: *mut u8,
) {
    let options = ExecOptions { level, is_plain_data, stream: false, prefetch_distance: 0 };
    // SAFETY: guaranteed by the caller, see `# Safety`.
    unsafe { run_step(step, options, (&[], 0), source, destination) };
}

/// Runs a step in each iteration of the `outer` loops. Their strides count elements of `size` bytes.
///
/// # Safety
///
/// Same conditions as [`run_direct`].
#[inline(always)]
unsafe fn run_step(
    step: &Step,
    options: ExecOptions,
    (outer, size): (&[Loop], usize),
    source: *const u8,
    destination: *mut u8,
) {
    let ExecOptions { level, is_plain_data, stream, prefetch_distance } = options;
    let inner = match *step {
        Step::Blocks(mut batch) => {
            let kernel = transpose::kernel(level, is_plain_data, &batch.first);
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
