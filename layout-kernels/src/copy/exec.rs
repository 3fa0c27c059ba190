//! Execution of a `CopyPlan`: one nest of loops around the functions that are compiled once for
//! each level and word size.

use core::any::TypeId;

use super::buffered::Buffered;
use super::leaf::{self, Inner, InnerFn};
use super::plan::{CopyKernel, CopyPlan};
use super::refine::{Loop, nth_inner};
use crate::simd::Level;
use crate::transpose::{self, Block, Series, Strip, fence};

/// What execution depends on besides the plan.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    pub(super) level: Level,
    /// Whether elements are numbers, which may go through registers.
    pub(super) numbers: bool,
    /// Whether whole lines are written past the caches.
    pub(super) stream: bool,
    /// How far behind a run, in bytes, what is read next is, or 0.
    pub(super) ahead: usize,
}

/// Whether every byte of a `T` has a value and nothing but a value: it is a primitive number, a
/// `bool` or a `char`, or an array of two, as a complex number is.
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
    one_of!(u8 i8 bool u16 i16 u32 i32 f32 char u64 i64 f64 usize isize u128 i128)
}

/// [`exec`] for elements `T`.
///
/// # Safety
///
/// `source` may be read and `destination` written at each offset that the layouts of the plan
/// have, which was made for elements of this size, and the two memories do not overlap.
#[inline(always)]
pub(super) unsafe fn exec_of<T: Copy + 'static>(
    level: Level,
    plan: &CopyPlan,
    source: *const T,
    destination: *mut T,
) {
    debug_assert_eq!(plan.element_bytes(), size_of::<T>());
    // SAFETY: the same.
    unsafe { exec(level, plan, is_number::<T>(), source.cast(), destination.cast()) };
}

/// Runs a plan that is not [`CopyKernel::Irregular`].
///
/// # Safety
///
/// Elements are readable at each source offset of the plan and writable at each destination
/// offset; the two memories do not overlap. If `numbers`, each byte that is read has a value.
#[inline(never)]
pub(super) unsafe fn exec(
    level: Level,
    plan: &CopyPlan,
    numbers: bool,
    source: *const u8,
    destination: *mut u8,
) {
    let mode = Mode { level, numbers, stream: false, ahead: 0 };
    if matches!(plan.caching(), super::plan::Caching::Direct) {
        // SAFETY: the same.
        return unsafe { leaf(plan, mode, source, destination) };
    }
    // Only numbers go through registers, as what is streamed does.
    let stream = numbers && plan.pays_to_stream();
    // SAFETY: the same.
    unsafe { large(plan, Mode { stream, ..mode }, source, destination) };
}

/// A copy that is larger than a piece, past the caches if that is the mode and this place allows it.
///
/// # Safety
///
/// That of [`exec`].
#[inline(never)]
pub(super) unsafe fn large(plan: &CopyPlan, mode: Mode, source: *const u8, destination: *mut u8) {
    if plan.is_buffered()
        && mode.numbers
        && let Some(buffered) = Buffered::of(plan, mode)
    {
        // SAFETY: the same; elements are numbers.
        return unsafe { buffered.run(source, destination) };
    }
    let mode = Mode { stream: mode.stream && plan.can_stream_to(destination), ..mode };
    let size = plan.element_bytes();
    plan.pieces((0, 0), &mut |piece, s, d| {
        let (from, to) = (source.wrapping_add(s * size), destination.wrapping_add(d * size));
        // SAFETY: a piece of the plan.
        unsafe { leaf(piece, mode, from, to) };
    });
    if mode.stream {
        fence();
    }
}

/// Runs a plan in one pass.
///
/// # Safety
///
/// That of [`exec`]. If the mode is to stream, whole cache lines of the destination stay whole, and
/// [`fence`] follows.
pub(super) unsafe fn leaf(plan: &CopyPlan, mode: Mode, source: *const u8, destination: *mut u8) {
    let size = plan.element_bytes();
    if size == 0 {
        return;
    }
    let loops = plan.loops();
    let scaled = |each: Loop| Loop {
        extent: each.extent,
        source: each.source.wrapping_mul(size),
        destination: each.destination.wrapping_mul(size),
    };
    match plan.kernel() {
        CopyKernel::Nothing | CopyKernel::Irregular => {}
        CopyKernel::Run { elements } => {
            let bytes = elements * size;
            if loops.is_empty() && !mode.stream {
                // SAFETY: one run.
                return unsafe { core::ptr::copy_nonoverlapping(source, destination, bytes) };
            }
            let inner = [nth_inner(loops, 2), nth_inner(loops, 1), nth_inner(loops, 0)];
            let inner = Inner { loops: inner.map(scaled), bytes, ahead: mode.ahead };
            let run = leaf::runs(mode.level, mode.stream);
            // SAFETY: the loops around the innermost ones.
            unsafe { around(outer(loops, 3), size, run, &inner, source, destination) };
        }
        CopyKernel::Strided(last) => {
            let inner = [nth_inner(loops, 1), nth_inner(loops, 0), last];
            let inner = Inner { loops: inner.map(scaled), bytes: size, ahead: 0 };
            // SAFETY: as above.
            unsafe {
                around(outer(loops, 2), size, leaf::strided(size), &inner, source, destination);
            }
        }
        CopyKernel::Transpose { columns, rows } => {
            let inner = scaled(nth_inner(loops, 0));
            let first = Block {
                source: Strip { start: source, step: rows.source * size },
                destination: Strip { start: destination, step: columns.destination * size },
                rows: rows.extent,
                columns: columns.extent,
                word: plan.word(),
                total_bytes: plan.total_bytes(),
            };
            let kernel = transpose::kernel(mode.level, mode.numbers, &first, mode.stream);
            let mut series = Series {
                first,
                count: inner.extent,
                source: inner.source,
                destination: inner.destination,
            };
            nest(outer(loops, 1), size, source, destination, &mut |from, to| {
                series.first.source.start = from;
                series.first.destination.start = to;
                // SAFETY: blocks whose coordinates are those of the layouts inside the loops, of the
                // shape that the kernel was chosen for.
                unsafe { kernel(&series) };
            });
        }
    }
}

/// The loops around the `n` innermost ones.
fn outer(loops: &[Loop], n: usize) -> &[Loop] {
    loops.split_at(loops.len().saturating_sub(n)).0
}

/// # Safety
///
/// That of `copy` in each turn of the loops.
unsafe fn around(
    loops: &[Loop],
    size: usize,
    copy: InnerFn,
    inner: &Inner,
    source: *const u8,
    destination: *mut u8,
) {
    nest(loops, size, source, destination, &mut |from, to| {
        // SAFETY: a turn of the loops.
        unsafe { copy(inner, from, to) };
    });
}

/// Calls `body` with the places of each turn of the loops.
#[inline]
fn nest(
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
