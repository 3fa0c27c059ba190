//! Running a `CopyPlan`: the loops, and the kernel inside them, once for each `Level`.
//!
//! The bodies here are generic and always inlined: into a function with the instructions of a
//! level enabled, and, for static layouts, with a plan that is a constant, so that nothing of the
//! plan is left to look at.

use core::mem::MaybeUninit;

#[cfg(target_arch = "x86_64")]
use super::block::{Avx2, Avx512, Sse2};
use super::block::{Portable, Transposes, ask};
use super::bytes::{move_bytes, move_run};
use super::item::{Item, Number, Opaque, is_number, strided};
use super::loops::{each, nth_inner};
use super::panels::Panels;
use super::plan::{CopyKernel, CopyPlan, Reach};
use super::planned::Planned;
use super::series::{Block, Series};
use super::strip::Strip;
use crate::simd::Level;

/// Runs a plan that is not [`CopyKernel::Irregular`].
///
/// # Safety
///
/// `source` may be read and `destination` written at each offset that the layouts of the plan
/// have, and the two memories do not overlap.
#[inline(always)]
pub(super) unsafe fn run<T: Copy + 'static, P: Planned>(
    level: Level,
    plan: P,
    source: *const T,
    destination: *mut T,
) {
    // Nothing moves, and pointers to such elements are of no memory.
    if const { size_of::<T>() == 0 } {
        return;
    }
    if P::CONSTANT {
        // SAFETY: the caller's promise.
        unsafe { near::<T, P>(level, plan, source.cast(), destination.cast()) };
    } else {
        // SAFETY: the caller's promise.
        unsafe { far::<T>(level, plan.plan(), source, destination) };
    }
}

/// Runs a constant plan, as what its elements or units of them are.
///
/// # Safety
///
/// As for [`run`].
#[inline(always)]
unsafe fn near<T: Copy + 'static, P: Planned>(
    level: Level,
    plan: P,
    source: *const u8,
    destination: *mut u8,
) {
    macro_rules! run_as {
        ($item:ty) => {
            // SAFETY: such an item is a `T` or a unit of them; the rest is the caller's promise.
            unsafe { items::<$item, P, false>(level, plan, source, destination) }
        };
        ($number:ty, or $item:ty) => {
            if is_number::<T>() { run_as!($number) } else { run_as!($item) }
        };
    }
    if P::RUNS {
        return run_as!(Number<1>);
    }
    match P::WORD {
        0 => {}
        1 => run_as!(Number<1>, or Opaque<[MaybeUninit<u8>; 1]>),
        2 => run_as!(Number<2>, or Opaque<[MaybeUninit<u8>; 2]>),
        4 => run_as!(Number<4>, or Opaque<[MaybeUninit<u8>; 4]>),
        8 => run_as!(Number<8>, or Opaque<[MaybeUninit<u8>; 8]>),
        16 => run_as!(Number<16>, or Opaque<[MaybeUninit<u8>; 16]>),
        32 => run_as!(Opaque<[MaybeUninit<u8>; 32]>),
        _ => run_as!(Opaque<T>),
    }
}

/// Runs a plan piece by piece.
///
/// # Safety
///
/// As for [`run`].
#[inline(never)]
pub(super) unsafe fn far<T: Copy + 'static>(
    level: Level,
    plan: &CopyPlan,
    source: *const T,
    destination: *mut T,
) {
    // What is streamed goes through registers, which only numbers may.
    let streams = is_number::<T>() && plan.pays_to_stream();
    // SAFETY: the caller's promise.
    unsafe { far_as(level, plan, streams, source, destination) };
}

/// [`far`], past the caches if `streams` and where this place allows it.
///
/// # Safety
///
/// As for [`run`]; if `streams`, elements are numbers.
unsafe fn far_as<T: Copy + 'static>(
    level: Level,
    plan: &CopyPlan,
    streams: bool,
    source: *const T,
    destination: *mut T,
) {
    if size_of::<T>() == 0 {
        return;
    }
    if is_number::<T>()
        && let Some(panels) = Panels::of(plan, streams)
    {
        panels.steps(source.cast(), destination.cast(), |(step, from, to), whole| {
            // SAFETY: offsets of the plan, or memory of the panel. What is written is `whole` lines
            // or long.
            unsafe { words(level, step, (true, streams && whole), from, to) };
        });
        if streams {
            fence(level);
        }
        return;
    }
    let streams = streams && plan.can_stream_to(destination.cast());
    let mut run = |piece: &CopyPlan, s: usize, d: usize| {
        let (from, to) = (source.wrapping_add(s).cast(), destination.wrapping_add(d).cast());
        if is_number::<T>() || size_of::<T>() <= 16 && size_of::<T>().is_power_of_two() {
            // SAFETY: the caller's promise; with bytes of values only if there is nothing else.
            unsafe { words(level, piece, (is_number::<T>(), streams), from, to) };
        } else {
            // SAFETY: the caller's promise.
            unsafe { items::<Opaque<T>, &CopyPlan, false>(level, piece, from, to) };
        }
    };
    match (plan.kernel(), plan.reach()) {
        (CopyKernel::Run { .. }, Reach::Streamed) if streams => plan.blocks(&mut run),
        (CopyKernel::Run { .. }, Reach::Streamed) => {
            let mut plan = *plan;
            plan.nest_mut().sort();
            plan.pieces((0, 0), &mut run);
        }
        _ => plan.pieces((0, 0), &mut run),
    }
    if streams {
        fence(level);
    }
}

/// Runs a piece for a `T` whose size is a power of two, up to 16. This is compiled once and not for
/// each type of each program.
///
/// # Safety
///
/// As for [`run`]; if `number`, elements are numbers, and if `streams`, the plan can be streamed
/// to this place, and [`fence`] follows.
#[inline(never)]
unsafe fn words(
    level: Level,
    plan: &CopyPlan,
    (number, streams): (bool, bool),
    source: *const u8,
    destination: *mut u8,
) {
    macro_rules! run_as {
        ($item:ty) => {
            // SAFETY: the caller's promise.
            unsafe { items::<$item, _, false>(level, plan, source, destination) }
        };
        ($item:ty, streamed) => {
            if streams {
                // SAFETY: the caller's promise.
                unsafe { items::<$item, _, true>(level, plan, source, destination) }
            } else {
                run_as!($item)
            }
        };
    }
    match (plan.element_bytes() * plan.unit(), number) {
        // Runs are bytes for all.
        _ if matches!(plan.kernel(), CopyKernel::Run { .. }) => run_as!(Number<1>, streamed),
        (1, true) => run_as!(Number<1>, streamed),
        (2, true) => run_as!(Number<2>, streamed),
        (4, true) => run_as!(Number<4>, streamed),
        (8, true) => run_as!(Number<8>, streamed),
        (16, true) => run_as!(Number<16>, streamed),
        (bytes, _) => match bytes {
            1 => run_as!(Opaque<[MaybeUninit<u8>; 1]>),
            2 => run_as!(Opaque<[MaybeUninit<u8>; 2]>),
            4 => run_as!(Opaque<[MaybeUninit<u8>; 4]>),
            8 => run_as!(Opaque<[MaybeUninit<u8>; 8]>),
            16 => run_as!(Opaque<[MaybeUninit<u8>; 16]>),
            32 => run_as!(Opaque<[MaybeUninit<u8>; 32]>),
            // No plan moves more than 32 bytes as one, nor other numbers of bytes for such a `T`.
            _ => {}
        },
    }
}

/// Runs a plan for items, with the instructions of a level.
///
/// # Safety
///
/// As for [`words`].
#[inline(always)]
unsafe fn items<I: Item, P: Planned, const STREAM: bool>(
    level: Level,
    plan: P,
    source: *const u8,
    destination: *mut u8,
) {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(_) => {
            // SAFETY: the level proves the instructions; the rest is the caller's promise.
            unsafe { avx512::<I, P, STREAM>(plan, source, destination) }
        }
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(_) => {
            // SAFETY: as above.
            unsafe { avx2::<I, P, STREAM>(plan, source, destination) }
        }
        #[cfg(target_arch = "x86_64")]
        Level::Baseline(_) => {
            // SAFETY: the caller's promise.
            unsafe { sse2::<I, P, STREAM>(plan, source, destination) }
        }
        _ => {
            // SAFETY: the caller's promise.
            unsafe { portable::<I, P, STREAM>(plan, source, destination) }
        }
    }
}

/// Makes what was streamed visible before what is stored later.
fn fence(level: Level) {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(_) | Level::Avx2(_) | Level::Baseline(_) => Sse2::fence(),
        _ => Portable::fence(),
    }
}

macro_rules! with_instructions {
    ($($(#[$attribute:meta])* $name:ident: $level:ty;)*) => {$(
        $(#[$attribute])*
        unsafe fn $name<I: Item, P: Planned, const STREAM: bool>(
            plan: P,
            source: *const u8,
            destination: *mut u8,
        ) {
            // SAFETY: the caller's promise.
            unsafe { body::<I, $level, P, STREAM>(plan, source, destination) };
        }
    )*};
}

with_instructions! {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
    avx512: Avx512;
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    avx2: Avx2;
    #[cfg(target_arch = "x86_64")]
    #[inline(never)]
    sse2: Sse2;
    #[inline(never)]
    portable: Portable;
}

/// # Safety
///
/// As for [`words`].
#[inline(always)]
unsafe fn body<I: Item, L: Transposes, P: Planned, const STREAM: bool>(
    plan: P,
    source: *const u8,
    destination: *mut u8,
) {
    let plan = plan.plan();
    let size = plan.element_bytes();
    // The pointers at these offsets, which are in elements.
    macro_rules! at {
        ($s:ident, $d:ident) => {
            (source.wrapping_add($s * size), destination.wrapping_add($d * size))
        };
    }
    if P::RUNS
        && let CopyKernel::Run { elements } = plan.kernel()
    {
        let bytes = elements * size;
        macro_rules! runs {
            ($run:expr) => {
                each!(plan.loops(), |s, d| {
                    let (from, to) = at!(s, d);
                    // SAFETY: the bytes of a run are readable here and writable there.
                    unsafe { $run(from, to, bytes) };
                })
            };
        }
        let ahead = plan.ahead().wrapping_mul(size);
        macro_rules! streams {
            ($bytes:expr) => {
                each!(plan.loops(), |s, d| {
                    let (from, to) = at!(s, d);
                    // SAFETY: the bytes of a run are readable here and writable there. A plan that
                    // is streamed has runs of whole lines, or parts of lines at their multiples.
                    unsafe { L::stream(from, to, $bytes, ahead) };
                })
            };
        }
        macro_rules! runs_of {
            ($n:literal) => {
                each!(plan.loops(), |s, d| {
                    let (from, to) = at!(s, d);
                    if ahead != 0 {
                        ask(from.wrapping_add(ahead), $n);
                    }
                    // SAFETY: `$n` is the length of a run in bytes.
                    unsafe { move_bytes::<$n>(from, to) };
                })
            };
        }
        match bytes {
            16 if STREAM => streams!(16),
            32 if STREAM => streams!(32),
            64 if STREAM => streams!(64),
            128 if STREAM => streams!(128),
            _ if STREAM => streams!(bytes),
            // The compiler knows the length.
            _ if P::CONSTANT => runs!(move_run),
            8 => runs_of!(8),
            16 => runs_of!(16),
            32 => runs_of!(32),
            64 => runs_of!(64),
            128 => runs_of!(128),
            256 => runs_of!(256),
            _ => runs!(move_run),
        }
    }
    if P::TRANSPOSES
        && let CopyKernel::Transpose { columns, rows } = plan.kernel()
    {
        let inner = nth_inner(plan.loops(), 0);
        let outer = plan.loops().split_at(plan.loops().len().saturating_sub(1)).0;
        each!(outer, |s, d| {
            let (from, to) = at!(s, d);
            let first = Block {
                source: Strip { start: from, step: rows.source * size },
                destination: Strip { start: to, step: columns.destination * size },
                rows: rows.extent,
                columns: columns.extent,
                total_bytes: plan.total_bytes(),
            };
            let (source, destination) = (inner.source * size, inner.destination * size);
            let series = Series { first, count: inner.extent, source, destination };
            if P::CONSTANT {
                // SAFETY: the blocks' coordinates are those of the layouts inside the loops.
                unsafe { I::blocks::<L, true, STREAM>(series) };
            } else {
                // SAFETY: as above.
                unsafe { I::blocks::<L, false, STREAM>(series) };
            }
        })
    }
    if P::STRIDES
        && let CopyKernel::Strided(inner) = plan.kernel()
    {
        each!(plan.loops(), |s, d| {
            let (from, to) = at!(s, d);
            // SAFETY: the coordinates of `inner` are those of the layouts inside the loops.
            unsafe { strided::<I>(from, to, inner) };
        })
    }
}

#[cfg(test)]
#[path = "streamed_tests.rs"]
mod tests;
