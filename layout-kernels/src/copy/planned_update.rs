//! Elementwise functions with a plan made at run time: between dynamic layouts, and between large static
//! ones.
//!
//! Only the innermost loops are compiled for each function and level. The loops around them, and the
//! transpositions into a buffer, are compiled once.

use core::mem::MaybeUninit;
use core::slice;

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;
use layout_core::types::AnyLayout;

use super::exec::{exec, is_plain_data};
use super::plan::{CopyKernel, CopyPlan};
use super::plan_within;
use super::refine::{Loop, for_each_offset, nth_inner};
use super::transform::{UpdateLoops, apply_strided, at_level};
use crate::simd::Level;
use crate::transpose::{CACHE_LINE, Line};
use crate::walk::for_each_pair;

/// Bytes of the buffer into which blocks are transposed.
const BUFFER_BYTES: usize = 32 << 10;
pub(super) const BUFFER_ALIGN: usize = align_of::<Line>();

/// Maximum rows of a block that is transposed in one pass.
const ROWS: usize = 128;

/// Runs a call with a plan made at run time: for dynamic layouts and for large calls.
pub(super) fn update_by_plan<T: Copy + 'static, U: Copy + 'static, S: AnyLayout, D: AnyLayout>(
    level: Level,
    (s, from): (&S, &[T]),
    (d, to): (&D, &mut [U]),
    f: &impl Fn(T, U) -> U,
) -> Result<(), LayoutError> {
    let (mut s_slot, mut d_slot) = (None, None);
    let (s, d) = (s.to_dyn_in(&mut s_slot)?, d.to_dyn_in(&mut d_slot)?);
    update_dynamic(level, (s, from), (d, to), f)
}

/// One function for all layouts, compiled once per element function.
#[inline(never)]
fn update_dynamic<T: Copy + 'static, U: Copy + 'static>(
    level: Level,
    (s, source): (&DynLayout, &[T]),
    (d, destination): (&DynLayout, &mut [U]),
    f: &impl Fn(T, U) -> U,
) -> Result<(), LayoutError> {
    let mut plan = CopyPlan::nothing();
    let (from, to) = ((s, source.len()), (d, destination.len()));
    plan_within(&mut plan, size_of::<T>(), from, to)?;
    // Zero-sized elements have no addresses that a plan could tell apart.
    if plan.kernel() == CopyKernel::Irregular || size_of::<T>() == 0 {
        for_each_pair(s, d, &mut |from, to| destination[to] = f(source[from], destination[to]));
        return Ok(());
    }
    let elements = ElementInfo {
        bytes: [size_of::<T>(), size_of::<U>()],
        is_plain_data: is_plain_data::<T>(),
        fit_buffer: size_of::<T>() <= BUFFER_BYTES && align_of::<T>() <= BUFFER_ALIGN,
    };
    let apply = |from: *const u8, to: *mut u8, lines: Lines| {
        let [elements, places] = lines.spans();
        // SAFETY: elements of the source or of a buffer, and places of the destination, from the first to
        // the last one of the lines. The memories do not overlap.
        unsafe {
            let from = slice::from_raw_parts(from.cast::<T>(), elements);
            let to = slice::from_raw_parts_mut(to.cast::<U>(), places);
            at_level(level, lines, from, to, f);
        }
    };
    let (from, to) = (source.as_ptr().cast(), destination.as_mut_ptr().cast());
    // SAFETY: `plan_within` checked that every offset of the plan is inside the slices.
    unsafe { each_lines(level, &plan, &elements, (from, to), &apply) };
    Ok(())
}

/// What the loops of a call need to know about its elements.
struct ElementInfo {
    /// Sizes in the source and in the destination.
    bytes: [usize; 2],
    /// See [`is_plain_data`].
    is_plain_data: bool,
    /// Whether a buffer has room for an element of the source.
    fit_buffer: bool,
}

/// The innermost loops of a call that is planned at run time, with strides in elements. Missing outer loops
/// run once.
#[derive(Clone, Copy)]
struct Lines {
    outer: [Loop; 2],
    inner: Loop,
}

impl Lines {
    /// The lines along `inner` in the innermost ones of these loops, and the other loops.
    fn within(loops: &[Loop], inner: Loop) -> (&[Loop], Self) {
        let outer = [nth_inner(loops, 1), nth_inner(loops, 0)];
        (loops.split_at(loops.len().saturating_sub(2)).0, Self { outer, inner })
    }

    /// Number of elements from the first to the last one, in the source and in the destination.
    fn spans(&self) -> [usize; 2] {
        let [first, second] = self.outer;
        [first, second, self.inner].iter().fold([1, 1], |[source, destination], each| {
            let last = each.extent - 1;
            [source + last * each.source, destination + last * each.destination]
        })
    }
}

impl<T: Copy, U: Copy> UpdateLoops<T, U> for Lines {
    #[inline(always)]
    unsafe fn apply(self, _: Level, from: &[T], to: &mut [U], f: &impl Fn(T, U) -> U) {
        let Self { outer: [first, second], inner } = self;
        let is_contiguous = (inner.source, inner.destination) == (1, 1);
        for i in 0..first.extent {
            for j in 0..second.extent {
                let (s, d) = (
                    i * first.source + j * second.source,
                    i * first.destination + j * second.destination,
                );
                let (from, to) = (from.as_ptr().wrapping_add(s), to.as_mut_ptr().wrapping_add(d));
                // SAFETY: guaranteed by the caller: a line.
                unsafe {
                    match is_contiguous {
                        true => apply_to_slices(
                            slice::from_raw_parts(from, inner.extent),
                            slice::from_raw_parts_mut(to, inner.extent),
                            f,
                        ),
                        false => apply_strided(from, to, inner, f),
                    }
                }
            }
        }
    }
}

/// Applies a function to contiguous elements, of a number that is known at run time.
///
/// The arguments are slices, so that LLVM knows that the memories do not overlap, and compiles no loop for
/// the case that they do. [`apply_contiguous`](super::transform::apply_contiguous), which is for constant
/// numbers of elements, takes three times as long to compile.
#[inline(always)]
fn apply_to_slices<T: Copy, U: Copy>(from: &[T], to: &mut [U], f: &impl Fn(T, U) -> U) {
    for (y, x) in to.iter_mut().zip(from) {
        *y = f(*x, *y);
    }
}

/// Calls `apply` with all lines of a plan, and with their first elements in the source, or in a buffer in
/// the order of the destination, and in the destination. Compiled once for all elements and functions.
///
/// # Safety
///
/// Elements must be readable at each source offset of the plan, and writable at each destination offset.
/// The memories must not overlap.
unsafe fn each_lines(
    level: Level,
    plan: &CopyPlan,
    elements: &ElementInfo,
    (from, to): (*const u8, *mut u8),
    apply: &dyn Fn(*const u8, *mut u8, Lines),
) {
    let [source_bytes, destination_bytes] = elements.bytes;
    plan.pieces((0, 0), &mut |piece, s, d| {
        let at = |more_s: usize, more_d: usize| {
            let (s, d) = (s + more_s, d + more_d);
            (from.wrapping_add(s * source_bytes), to.wrapping_add(d * destination_bytes))
        };
        let (loops, lines) = match (piece.kernel(), piece.loops()) {
            (CopyKernel::Nothing | CopyKernel::Irregular, _) => return,
            (CopyKernel::Transpose { columns, rows }, loops) if elements.fit_buffer => {
                return for_each_offset!(loops, |s, d| {
                    // SAFETY: guaranteed by the caller, for a block of the plan.
                    unsafe { transposed(level, piece, elements, at(s, d), (rows, columns), apply) };
                });
            }
            // The unit of large elements is one.
            (CopyKernel::Transpose { columns, rows }, loops) => {
                (loops, Lines { outer: [Loop::ONCE, columns], inner: rows })
            }
            (CopyKernel::Run { elements }, loops) => {
                Lines::within(loops, Loop { extent: elements, source: 1, destination: 1 })
            }
            (CopyKernel::Strided(inner), loops) => Lines::within(loops, inner),
        };
        for_each_offset!(loops, |s, d| {
            let (from, to) = at(s, d);
            apply(from, to, lines);
        });
    });
}

/// Transposes a block part by part into a buffer. Calls `apply` with the lines of the buffer, which are
/// contiguous.
///
/// # Safety
///
/// Same conditions as [`each_lines`], for a plan of these loops only. A unit must fit in the buffer.
// Not inlined: other kernels need no buffer.
#[inline(never)]
unsafe fn transposed(
    level: Level,
    plan: &CopyPlan,
    elements: &ElementInfo,
    (from, to): (*const u8, *mut u8),
    (rows, columns): (Loop, Loop),
    apply: &dyn Fn(*const u8, *mut u8, Lines),
) {
    let ([source_bytes, destination_bytes], unit) = (elements.bytes, plan.unit());
    let capacity = BUFFER_BYTES / source_bytes / unit;
    let height = ROWS.min(rows.extent).min(capacity);
    let mut memory = [MaybeUninit::<Line>::uninit(); BUFFER_BYTES / CACHE_LINE];
    let buffer: *mut u8 = memory.as_mut_ptr().cast();
    for top in (0..rows.extent).step_by(height) {
        let height = height.min(rows.extent - top);
        let width = capacity / height;
        for left in (0..columns.extent).step_by(width) {
            let width = width.min(columns.extent - left);
            let (s, d) = (
                top * rows.source + left * columns.source,
                top * rows.destination + left * columns.destination,
            );
            let part = plan.block(
                &[],
                Loop { extent: width, destination: height * unit, ..columns },
                Loop { extent: height, ..rows },
            );
            let from = from.wrapping_add(s * source_bytes);
            // SAFETY: a part of the block, at offsets of the plan, and the buffer has room for it. The
            // copy initialises everything that is read afterwards.
            unsafe { exec(level, &part, elements.is_plain_data, from, buffer) };
            let lines = Lines {
                outer: [Loop::ONCE, Loop { source: height * unit, extent: width, ..columns }],
                inner: Loop { extent: height * unit, source: 1, destination: 1 },
            };
            apply(buffer, to.wrapping_add(d * destination_bytes), lines);
        }
    }
}
