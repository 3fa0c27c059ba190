//! Copies between layouts: each element goes to the same coordinate of the destination.
//!
//! [`refine`] turns two layouts into one loop nest, [`plan`] turns the loops into a [`CopyPlan`], and
//! [`exec`] runs the plan: in one pass, in pieces ([`blocking`]) or through buffers ([`buffered`]).
//! The inner kernels are in [`leaf`] and in [`transpose`](crate::transpose). The plan between two
//! static layouts is a [`constant`]. A copy between placements is a sequence of moves ([`placement`],
//! [`fixed`]).

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;
use layout_core::types::Fallibility;

mod bit_permutation;
mod blocking;
mod buffered;
mod constant;
mod constant_update;
mod exec;
mod fixed;
pub(crate) mod leaf;
mod memory;
mod order;
#[cfg(feature = "std")]
mod par;
mod permuted;
mod placement;
mod plan;
mod planned_update;
mod refine;
#[cfg(feature = "std")]
mod relayout;
mod streamed;
mod swizzle;
mod text;
mod transform;

use constant::{Constant, run};
use exec::exec_of;
use fixed::Fixed;
pub use order::{ElementMove, for_each_move};
#[cfg(feature = "std")]
pub use par::copy_par;
use placement::relayout;
pub use plan::{CopyKernel, CopyPlan};
pub use refine::Loop;
use refine::MAX_LOOPS;
#[cfg(feature = "std")]
pub use relayout::Relayout;
use swizzle::copy_swizzled;
pub use transform::{axpby, transform, update, update_at};

use crate::checks::{check_covers, composed_in};
use crate::place::{Destination, Memory, MemoryMut, Place, Source, sealed};
use crate::simd::Level;
use crate::walk::for_each_pair;

/// Return type of a kernel: plain `T` if the layouts or placements `A` and `B` are static, otherwise a
/// `Result`.
type Outcome<A, B, T> =
    <<<A as Place>::Fallibility as Fallibility>::And<<B as Place>::Fallibility> as Fallibility>::Outcome<T>;

/// Return type of a copy.
type Copied<T, S, A, D, B> =
    Outcome<<S as sealed::Read<T, A>>::Place, <D as sealed::Write<T, B>>::Place, ()>;

/// Copies every element of `source` to the same coordinate of `destination`.
///
/// `destination(c) = source(c)` for each coordinate `c`. Source and destination are tensors or views,
/// each with a layout, a placement, or a layout behind a swizzle. Both must have the same rank and the
/// same size in each mode. The nesting inside a mode may differ; its elements then correspond in
/// colexicographic order. Destination memory that no coordinate maps to keeps its value.
///
/// Elements of any `Copy` type are copied as they are. Transpositions of numbers run in registers;
/// elements of other types are transposed one by one.
///
/// Between static layouts, all decisions are made at compile time: the function returns `()`, and
/// shapes that differ do not compile. If a layout is mixed or dynamic, it returns a `Result`.
///
/// A copy from or to a placement is split into [patches](layout_core::devices::Patches), each with its
/// own plan. Between static places the plans are constants if there are at most 64; otherwise each
/// call makes them. Padding of the destination is filled if the destination asks for it. Padding is
/// never read.
///
/// ```
/// use static_layout::engine::DynLayout;
/// use static_layout::{Tensor, kernels::copy};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// let rows = Tensor::from_fn_in(layout("(4,6):(6,1)"), |c| c.leaves()[0])?;
/// let mut packed = Tensor::zeros_in(layout("(4,(3,2)):(3,(1,12))"))?;
/// copy(&rows, &mut packed)?;
/// assert_eq!(packed.as_slice()[..12], [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
///
/// # Errors
///
/// [`LayoutError::CopyShape`] if the shapes differ; a compile error instead if both layouts are
/// static. [`PlacementError::TooManyCuts`] if two placements split into too many parts.
///
/// [`PlacementError::TooManyCuts`]: layout_core::error::PlacementError::TooManyCuts
#[inline]
pub fn copy<T, S, D, A, B>(source: &S, destination: &mut D) -> Copied<T, S, A, D, B>
where
    T: Copy + 'static,
    S: Source<T, A> + ?Sized,
    D: Destination<T, B> + ?Sized,
{
    const { Constant::<T, S::Place, D::Place>::CHECK_SHAPES };
    copy_at(Level::detect(), source, destination)
}

/// [`copy()`] with the vector instructions of `level`, for tests and benchmarks.
///
/// # Errors
///
/// Same as [`copy()`].
#[inline]
pub fn copy_at<T, S, D, A, B>(
    level: Level,
    source: &S,
    destination: &mut D,
) -> Copied<T, S, A, D, B>
where
    T: Copy + 'static,
    S: Source<T, A> + ?Sized,
    D: Destination<T, B> + ?Sized,
{
    const { Constant::<T, S::Place, D::Place>::CHECK_SHAPES };
    let ((s, from), (d, to, padding)) = (source.read(), destination.write());
    let (s, d) = (s.get(), d.get());
    let result = if const { <S::Place as Place>::IS_LAYOUT && <D::Place as Place>::IS_LAYOUT } {
        // No other branch is compiled for plain layouts.
        let (from, to) = (from.slice(), to.slice());
        if const { Constant::<T, S::Place, D::Place>::IS_STATIC } {
            copy_static::<T, S::Place, D::Place>(level, from, to);
            Ok(())
        } else {
            let (mut s_slot, mut d_slot) = (None, None);
            let (s, d) = (s.layout_in(&mut s_slot), d.layout_in(&mut d_slot));
            copy_dynamic(level, (s, from), (d, to))
        }
    } else {
        match const { Other::<T, S::Place, D::Place>::COPY } {
            Other::None => unreachable!("one place is not a layout"),
            Other::Swizzled(copy) => copy(level, (s, from.slice()), (d, to.slice())),
            Other::Placed(copy) => copy(level, (s, from), (d, to), padding),
        }
    };
    outcome::<S::Place, D::Place, _>(result)
}

/// The copy between two places that are not both layouts, as a constant. The compiler evaluates the
/// constants of each function that another one names, even in a branch that is never taken. Here it sees
/// only the pointer.
enum Other<T, S, D> {
    /// Both places are layouts.
    None,
    Swizzled(CopySwizzled<T, S, D>),
    Placed(CopyPlaced<T, S, D>),
}

type CopySwizzled<T, S, D> = fn(Level, (&S, &[T]), (&D, &mut [T])) -> Result<(), LayoutError>;
type CopyPlaced<T, S, D> =
    fn(Level, (&S, Memory<'_, T>), (&D, MemoryMut<'_, T>), Option<T>) -> Result<(), LayoutError>;

impl<T: Copy + 'static, S: Place, D: Place> Other<T, S, D> {
    const COPY: Self = if S::IS_LAYOUT && D::IS_LAYOUT {
        Self::None
    } else if Constant::<T, S, D>::IS_SWIZZLED {
        Self::Swizzled(copy_swizzled_places)
    } else {
        Self::Placed(copy_placed)
    };
}

/// Converts the result to the return type that the fallibility of both layouts requires.
fn outcome<S: Place, D: Place, T>(result: Result<T, LayoutError>) -> Outcome<S, D, T> {
    <S::Fallibility as Fallibility>::And::<D::Fallibility>::outcome(result)
}

/// Plans a copy of elements of `element_bytes` bytes between two layouts, in place of a plan that copies
/// nothing. Checks that every offset is inside slices of these lengths.
fn plan_within(
    plan: &mut CopyPlan,
    element_bytes: usize,
    (s, from): (&DynLayout, usize),
    (d, to): (&DynLayout, usize),
) -> Result<(), LayoutError> {
    plan.set(element_bytes, s, d)?;
    // Already checked when the views were made. Checked again because `AnyLayout` is a safe trait: an
    // implementation may return a different value each time.
    check_covers(s, from)?;
    check_covers(d, to)
}

/// Checks that both layouts have the same mode sizes.
const fn check_shapes(source: &DynLayout, destination: &DynLayout) -> Result<(), LayoutError> {
    if source.same_mode_sizes(destination) {
        return Ok(());
    }
    Err(LayoutError::CopyShape { source: source.shape(), destination: destination.shape() })
}

#[inline(always)]
fn copy_static<T: Copy + 'static, S: Place, D: Place>(level: Level, from: &[T], to: &mut [T]) {
    if let Some((s, d)) = const { &Constant::<T, S, D>::IRREGULAR } {
        return walk(s, from, d, to);
    }
    // SAFETY: views hold at least the cosize of their layouts, so every offset is inside them. A
    // shared and an exclusive slice do not overlap.
    unsafe { run::<T, Constant<T, S, D>>(level, from.as_ptr(), to.as_mut_ptr()) };
}

/// One function for all layouts, compiled once per element type.
#[inline(never)]
fn copy_dynamic<T: Copy + 'static>(
    level: Level,
    (s, from): (Result<&DynLayout, LayoutError>, &[T]),
    (d, to): (Result<&DynLayout, LayoutError>, &mut [T]),
) -> Result<(), LayoutError> {
    let (s, d) = (s?, d?);
    let mut plan = CopyPlan::nothing();
    plan_within(&mut plan, size_of::<T>(), (s, from.len()), (d, to.len()))?;
    if plan.kernel() == CopyKernel::Irregular {
        walk(s, from, d, to);
        return Ok(());
    }
    // SAFETY: `plan_within` checked that every offset of the plan is inside the slices. A shared and
    // an exclusive slice do not overlap.
    unsafe { exec_of(level, &plan, from.as_ptr(), to.as_mut_ptr()) };
    Ok(())
}

/// Copies if the source, the destination or both are behind a swizzle.
fn copy_swizzled_places<T: Copy + 'static, S: Place, D: Place>(
    level: Level,
    (s, from): (&S, &[T]),
    (d, to): (&D, &mut [T]),
) -> Result<(), LayoutError> {
    // Already checked when the views were made. Checked again because a layout that is not static may
    // return a different value each time.
    let (mut s_slot, mut d_slot) = (None, None);
    let s = composed_in(s, &mut s_slot, from.len())?;
    let d = composed_in(d, &mut d_slot, to.len())?;
    match const { &Constant::<T, S, D>::STATIC_PLAN } {
        Some(plan) => copy_swizzled(level, plan, (s, from), (d, to)),
        None => {
            let plan = CopyPlan::new::<T>(&s.layout(), &d.layout())?;
            copy_swizzled(level, &plan, (s, from), (d, to));
        }
    }
    Ok(())
}

/// Copies if the source, the destination or both are placements.
#[inline]
fn copy_placed<T: Copy + 'static, S: Place, D: Place>(
    level: Level,
    (s, from): (&S, Memory<'_, T>),
    (d, mut to): (&D, MemoryMut<'_, T>),
    padding: Option<T>,
) -> Result<(), LayoutError> {
    if let (Memory::Contiguous(from), MemoryMut::Contiguous(to)) = (&from, &mut to)
        && Fixed::<T, S, D>::run(level, from, to, padding)
    {
        return Ok(());
    }
    relayout(level, (&s.to_placement()?, from), (&d.to_placement()?, to), padding)
}

/// Copies coordinate by coordinate: the fallback that works for all layouts.
fn walk<T: Copy>(s: &DynLayout, source: &[T], d: &DynLayout, destination: &mut [T]) {
    if size_of::<T>() == 0 {
        return;
    }
    for_each_pair(s, d, &mut |from, to| destination[to] = source[from]);
}

/// Copies plain data of `bytes` bytes at all offsets of `loops`, whose strides count elements. The first
/// loop is the slowest one.
///
/// # Safety
///
/// The elements must be readable in the source and writable in the destination. The two memories must
/// not overlap. Each byte read must be initialised.
pub(crate) unsafe fn copy_loops(
    level: Level,
    loops: &[Loop],
    bytes: usize,
    source: *const u8,
    destination: *mut u8,
) {
    let size = loops.iter().map(|each| each.extent).product();
    // SAFETY: guaranteed by the caller, see `# Safety`.
    unsafe {
        if size < MIN_PLANNED {
            return copy_in_order(level, loops, bytes, source, destination);
        }
        let (outer, inner) = loops.split_at(loops.len().saturating_sub(MAX_LOOPS));
        let plan = CopyPlan::of_loops(inner, bytes, size);
        exec::nest(outer, bytes, source, destination, &mut |from, to| {
            exec::exec(level, &plan, true, from, to);
        });
    }
}

/// Fewer elements are copied without a plan: it takes as long as copying a few hundred of them.
const MIN_PLANNED: usize = 512;

/// [`copy_loops`] without a plan: copies runs or elements in the order of the loops.
///
/// # Safety
///
/// Same as [`copy_loops`].
unsafe fn copy_in_order(
    level: Level,
    loops: &[Loop],
    bytes: usize,
    source: *const u8,
    destination: *mut u8,
) {
    let (loops, kernel, run) = match loops {
        [loops @ .., Loop { extent, source: 1, destination: 1 }] => {
            (loops, leaf::runs(level, false), extent * bytes)
        }
        _ => (loops, leaf::strided(bytes), bytes),
    };
    let (outer, inner) = loops.split_at(loops.len().saturating_sub(3));
    let mut last = [Loop::ONCE; 3];
    for (to, each) in last.iter_mut().rev().zip(inner.iter().rev()) {
        *to = each.times(bytes);
    }
    let inner = leaf::Inner { loops: last, bytes: run, prefetch_distance: 0 };
    exec::nest(outer, bytes, source, destination, &mut |from, to| {
        // SAFETY: guaranteed by the caller, for the innermost loops.
        unsafe { kernel(&inner, from, to) };
    });
}
