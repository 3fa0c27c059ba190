//! Running a `CopyPlan`: the loops, and the kernel inside them, once for each `Level`.
//!
//! The bodies here are generic and always inlined: into a function with the instructions of a
//! level enabled, and, for static layouts, with a plan that is a constant, so that nothing of the
//! plan is left to look at.

use core::any::TypeId;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr;

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;
use layout_core::types::AnyLayout;

use super::plan::{CopyKernel, CopyPlan, Loop};
use super::tile::{Plain, Strip, Tile, transpose};
#[cfg(target_arch = "x86_64")]
use super::x86::{Xmm32, Xmm64, Ymm32, Ymm64, Zmm32, Zmm64};
use crate::facts::must;
use crate::simd::Level;

/// A plan: a constant or a value.
pub(super) trait Planned: Copy {
    /// Whether the compiler knows the plan.
    const CONSTANT: bool;
    fn plan(&self) -> &CopyPlan;
}

impl Planned for &CopyPlan {
    const CONSTANT: bool = false;
    #[inline(always)]
    fn plan(&self) -> &CopyPlan {
        self
    }
}

/// The plan of a copy between two static layouts, as a constant.
pub(super) struct Constant<S, D>(PhantomData<(S, D)>);

impl<S: AnyLayout, D: AnyLayout> Constant<S, D> {
    /// The layouts, when both are static. There is a value in any case, because the compiler
    /// evaluates it also for calls with other layouts, which do not come here.
    const LAYOUTS: Option<(DynLayout, DynLayout)> = match (S::STATIC, D::STATIC) {
        (Some(source), Some(destination)) => Some((source, destination)),
        _ => None,
    };

    const CHECKED: Result<CopyPlan, LayoutError> = match Self::LAYOUTS {
        Some((source, destination)) => CopyPlan::new(&source, &destination),
        None => Ok(CopyPlan::NOTHING),
    };

    /// Evaluated first in each public function, so that the compiler shows the line that calls it.
    pub(super) const AGREE: () = must(&Self::CHECKED);

    // Silent about errors, which `AGREE` has reported.
    const PLAN: CopyPlan = match Self::CHECKED {
        Ok(plan) => plan,
        Err(_) => CopyPlan::NOTHING,
    };

    /// Whether both layouts are static.
    pub(super) const EXISTS: bool = Self::LAYOUTS.is_some();

    /// The layouts, when the plan is irregular.
    pub(super) const IRREGULAR: Option<(DynLayout, DynLayout)> = match Self::PLAN.kernel() {
        CopyKernel::Irregular => Self::LAYOUTS,
        _ => None,
    };

    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<S, D> Clone for Constant<S, D> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S, D> Copy for Constant<S, D> {}

impl<S: AnyLayout, D: AnyLayout> Planned for Constant<S, D> {
    const CONSTANT: bool = true;
    #[inline(always)]
    fn plan(&self) -> &CopyPlan {
        const { &Self::PLAN }
    }
}

/// The tiles of a level, for elements of 4 and of 8 bytes: a wide and a narrow one.
trait Tiles {
    type Wide32: Tile;
    type Narrow32: Tile;
    type Wide64: Tile;
    type Narrow64: Tile;
}

macro_rules! tiles {
    ($name:ident: $wide32:ty, $narrow32:ty, $wide64:ty, $narrow64:ty) => {
        struct $name;
        impl Tiles for $name {
            type Wide32 = $wide32;
            type Narrow32 = $narrow32;
            type Wide64 = $wide64;
            type Narrow64 = $narrow64;
        }
    };
}

#[cfg(target_arch = "x86_64")]
tiles!(Avx512: Zmm32, Ymm32, Zmm64, Ymm64);
#[cfg(target_arch = "x86_64")]
tiles!(Avx2: Ymm32, Ymm32, Ymm64, Ymm64);
#[cfg(target_arch = "x86_64")]
tiles!(Sse2: Xmm32, Xmm32, Xmm64, Xmm64);
tiles!(Portable: Plain<u32>, Plain<u32>, Plain<u64>, Plain<u64>);

/// Runs `$body` with the source and the destination offset of each turn of the loops.
///
/// A macro, because a closure that is not inlined is compiled without the instructions of the
/// level.
macro_rules! each {
    ($loops:expr, |$s:ident, $d:ident| $body:expr) => {{
        let loops: &[Loop] = $loops;
        let count = loops.len();
        // The four innermost loops; where there are fewer, the outer ones run once.
        let (l3, l2, l1, l0) =
            (nth_inner(loops, 3), nth_inner(loops, 2), nth_inner(loops, 1), nth_inner(loops, 0));
        // More loops than four are rare: count through the outer ones in mixed radix.
        let outer = loops.split_at(count.saturating_sub(4)).0;
        for turn in 0..turns(outer) {
            let (s3, d3) = mixed_radix(outer, turn);
            for i in 0..l3.extent {
                let (s2, d2) = (s3 + i * l3.source, d3 + i * l3.destination);
                for i in 0..l2.extent {
                    let (s1, d1) = (s2 + i * l2.source, d2 + i * l2.destination);
                    for i in 0..l1.extent {
                        let (s0, d0) = (s1 + i * l1.source, d1 + i * l1.destination);
                        for i in 0..l0.extent {
                            let ($s, $d) = (s0 + i * l0.source, d0 + i * l0.destination);
                            $body
                        }
                    }
                }
            }
        }
    }};
}

#[inline(always)]
fn nth_inner(loops: &[Loop], n: usize) -> Loop {
    if n < loops.len() { loops[loops.len() - 1 - n] } else { Loop::ONCE }
}

#[inline(always)]
fn turns(loops: &[Loop]) -> usize {
    let mut turns = 1;
    for each in loops {
        turns *= each.extent;
    }
    turns
}

/// The offsets of turn `turn` of nested loops.
#[inline(always)]
fn mixed_radix(loops: &[Loop], mut turn: usize) -> (usize, usize) {
    let (mut source, mut destination) = (0, 0);
    for each in loops.iter().rev() {
        let digit = turn % each.extent;
        turn /= each.extent;
        source += digit * each.source;
        destination += digit * each.destination;
    }
    (source, destination)
}

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
    if size_of::<T>() == 0 {
        return;
    }
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(_) => {
            // SAFETY: the level proves the instructions; the rest is the caller's promise.
            unsafe { avx512(plan, source, destination) }
        }
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(_) => {
            // SAFETY: the level proves the instructions; the rest is the caller's promise.
            unsafe { avx2(plan, source, destination) }
        }
        #[cfg(target_arch = "x86_64")]
        Level::Baseline(_) => {
            // SAFETY: the caller's promise.
            unsafe { sse2(plan, source, destination) }
        }
        _ => {
            // SAFETY: the caller's promise.
            unsafe { portable(plan, source, destination) }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
unsafe fn avx512<T: Copy + 'static, P: Planned>(plan: P, source: *const T, destination: *mut T) {
    // SAFETY: the caller's promise.
    unsafe { body::<T, Avx512, P>(plan, source, destination) };
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2<T: Copy + 'static, P: Planned>(plan: P, source: *const T, destination: *mut T) {
    // SAFETY: the caller's promise.
    unsafe { body::<T, Avx2, P>(plan, source, destination) };
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
unsafe fn sse2<T: Copy + 'static, P: Planned>(plan: P, source: *const T, destination: *mut T) {
    // SAFETY: the caller's promise.
    unsafe { body::<T, Sse2, P>(plan, source, destination) };
}

#[inline(never)]
unsafe fn portable<T: Copy + 'static, P: Planned>(plan: P, source: *const T, destination: *mut T) {
    // SAFETY: the caller's promise.
    unsafe { body::<T, Portable, P>(plan, source, destination) };
}

#[inline(always)]
unsafe fn body<T: Copy + 'static, V: Tiles, P: Planned>(
    plan: P,
    source: *const T,
    destination: *mut T,
) {
    let plan = plan.plan();
    match plan.kernel() {
        CopyKernel::Nothing | CopyKernel::Irregular => {}
        CopyKernel::Run { elements } => {
            // SAFETY: the caller's promise.
            unsafe { runs(plan, source, destination, elements) };
        }
        CopyKernel::Transpose { columns, rows } => each!(plan.loops(), |s, d| {
            let source = Strip { start: source.wrapping_add(s), step: rows.source };
            let destination =
                Strip { start: destination.wrapping_add(d), step: columns.destination };
            // SAFETY: the block's coordinates are those of the layouts inside the loops.
            unsafe { block::<T, V, P>(source, destination, rows.extent, columns.extent) };
        }),
        CopyKernel::Strided(inner) => each!(plan.loops(), |s, d| {
            let (source, destination) = (source.wrapping_add(s), destination.wrapping_add(d));
            // SAFETY: the coordinates of `inner` are those of the layouts inside the loops.
            unsafe { strided(source, destination, inner) };
        }),
    }
}

/// Copies runs of `elements` elements that are neighbours in both memories.
///
/// # Safety
///
/// As for [`run`].
#[inline(always)]
unsafe fn runs<T>(plan: &CopyPlan, source: *const T, destination: *mut T, elements: usize) {
    let bytes = elements * size_of::<T>();
    let loops = plan.loops();
    // A run whose length is a constant is one or two vector moves; a call of `memcpy` costs more
    // than it moves. For a plan that is a constant one arm is left.
    macro_rules! run_of {
        ($n:literal) => {
            each!(loops, |s, d| {
                let (from, to) = (source.wrapping_add(s), destination.wrapping_add(d));
                // SAFETY: `$n` is the length of a run in bytes.
                unsafe { copy_bytes::<T, $n>(from, to) };
            })
        };
    }
    match bytes {
        4 => run_of!(4),
        8 => run_of!(8),
        16 => run_of!(16),
        32 => run_of!(32),
        64 => run_of!(64),
        128 => run_of!(128),
        256 => run_of!(256),
        _ => each!(loops, |s, d| {
            let (from, to) = (source.wrapping_add(s), destination.wrapping_add(d));
            // SAFETY: the elements of a run are readable here and writable there.
            unsafe { ptr::copy_nonoverlapping(from, to, elements) };
        }),
    }
}

/// Copies `N` bytes, whatever they hold.
#[inline(always)]
unsafe fn copy_bytes<T, const N: usize>(source: *const T, destination: *mut T) {
    // SAFETY: the caller's promise; bytes may be uninitialised in an array of `MaybeUninit`.
    let bytes = unsafe { source.cast::<[MaybeUninit<u8>; N]>().read_unaligned() };
    // SAFETY: the caller's promise.
    unsafe { destination.cast::<[MaybeUninit<u8>; N]>().write_unaligned(bytes) };
}

/// Copies element by element along one loop.
///
/// # Safety
///
/// As for [`run`], with a plan of this loop only.
#[inline(always)]
unsafe fn strided<T: Copy>(source: *const T, destination: *mut T, inner: Loop) {
    if inner.source == 0 {
        // SAFETY: a loop has at least one turn.
        let element = unsafe { source.read() };
        for i in 0..inner.extent {
            let to = destination.wrapping_add(i * inner.destination);
            // SAFETY: an offset of the destination.
            unsafe { to.write(element) };
        }
        return;
    }
    for i in 0..inner.extent {
        let (from, to) = (
            source.wrapping_add(i * inner.source),
            destination.wrapping_add(i * inner.destination),
        );
        // SAFETY: an offset of the source.
        let element = unsafe { from.read() };
        // SAFETY: an offset of the destination.
        unsafe { to.write(element) };
    }
}

/// Transposes a block with the best tile there is for it.
///
/// # Safety
///
/// The instructions of `V` are there; each element of the block may be read, or written, and the
/// memories do not overlap.
#[inline(always)]
unsafe fn block<T: Copy + 'static, V: Tiles, P: Planned>(
    source: Strip<*const T>,
    destination: Strip<*mut T>,
    rows: usize,
    columns: usize,
) {
    macro_rules! with {
        ($wide:ty, $narrow:ty, $inline:literal) => {{
            if rows >= <$wide>::SIDE && columns >= <$wide>::SIDE {
                let (source, destination) = (source.cast(), destination.cast());
                // SAFETY: a `T` is a word of this tile; the rest is the caller's promise.
                unsafe { transpose::<$wide, $inline>(source, destination, rows, columns) };
            } else {
                let (source, destination) = (source.cast(), destination.cast());
                // SAFETY: as above.
                unsafe { transpose::<$narrow, $inline>(source, destination, rows, columns) };
            }
        }};
    }
    match words::<T>() {
        Words::Of32 if P::CONSTANT => with!(V::Wide32, V::Narrow32, true),
        Words::Of32 => with!(V::Wide32, V::Narrow32, false),
        Words::Of64 if P::CONSTANT => with!(V::Wide64, V::Narrow64, true),
        Words::Of64 => with!(V::Wide64, V::Narrow64, false),
        Words::Other => {
            // SAFETY: the caller's promise.
            unsafe { transpose::<Plain<T>, true>(source, destination, rows, columns) };
        }
    }
}

/// What the bytes of an element are to a vector register.
enum Words {
    /// A number of 4 bytes.
    Of32,
    /// A number of 8 bytes.
    Of64,
    /// Something else. It may have bytes without a value (padding), or be a pointer, and neither
    /// survives a shuffle, so that these elements are moved as what they are.
    Other,
}

#[inline(always)]
fn words<T: 'static>() -> Words {
    // Folded to a constant by the compiler.
    let is = |id: TypeId| TypeId::of::<T>() == id;
    if is(TypeId::of::<f32>())
        || is(TypeId::of::<u32>())
        || is(TypeId::of::<i32>())
        || is(TypeId::of::<char>())
    {
        Words::Of32
    } else if is(TypeId::of::<f64>())
        || is(TypeId::of::<u64>())
        || is(TypeId::of::<i64>())
        || (size_of::<T>() == 8 && (is(TypeId::of::<usize>()) || is(TypeId::of::<isize>())))
    {
        Words::Of64
    } else {
        Words::Other
    }
}
