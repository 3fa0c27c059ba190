//! Multi-threaded copies.

use core::sync::atomic::{AtomicPtr, Ordering};

use layout_core::devices::Placement;
use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;

use super::constant::Constant;
use super::exec::exec_of;
use super::memory::Endpoints;
use super::placement::{Move, with_moves};
use super::relayout::MAX_CACHED_MOVES;
use super::{Copied, CopyKernel, CopyPlan, copy_swizzled_places, outcome, plan_within, walk};
use crate::checks::{check_injective, check_injective_placement};
use crate::par::Par;
use crate::place::{Destination, Memory, MemoryMut, Place, Source};
use crate::simd::Level;

/// Copies of at most this many bytes run on one thread.
const MAX_SEQUENTIAL_BYTES: usize = 256 << 10;

/// [`copy()`](super::copy()) on the threads of `par`. Each thread copies pieces of its own.
///
/// Copies of up to a few hundred KiB, and copies from or to a swizzled layout, run on one thread.
///
/// ```
/// use static_layout::engine::DynLayout;
/// use static_layout::{Tensor, kernels::{Par, copy_par}};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// let rows = Tensor::from_fn_in(layout("(4,6):(6,1)"), |c| c.leaves()[0])?;
/// let mut columns = Tensor::zeros_in(layout("(4,6):(1,4)"))?;
/// copy_par(Par::Sequential, &rows, &mut columns)?;
/// assert_eq!(columns.as_slice()[..8], [0, 1, 2, 3, 0, 1, 2, 3]);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
///
/// # Errors
///
/// Same as [`copy()`](super::copy()). Also [`LayoutError::NotInjective`] or
/// [`PlacementError::SharedSlot`](layout_core::error::PlacementError::SharedSlot) if the layout or
/// placement of the destination has changed since the destination was made.
pub fn copy_par<T, S, D, A, B>(par: Par, source: &S, destination: &mut D) -> Copied<T, S, A, D, B>
where
    T: Copy + Send + Sync + 'static,
    S: Source<T, A> + ?Sized,
    D: Destination<T, B> + ?Sized,
{
    const { Constant::<T, S::Place, D::Place>::CHECK_SHAPES };
    let ((s, from), (d, to, padding)) = (source.read(), destination.write());
    let (s, d) = (s.get(), d.get());
    let result = if const { <S::Place as Place>::IS_LAYOUT && <D::Place as Place>::IS_LAYOUT } {
        let (mut s_slot, mut d_slot) = (None, None);
        let (s, d) = (s.layout_in(&mut s_slot), d.layout_in(&mut d_slot));
        between_layouts(par, (s, from.slice()), (d, to.slice()))
    } else if const { Constant::<T, S::Place, D::Place>::IS_SWIZZLED } {
        copy_swizzled_places(Level::detect(), (s, from.slice()), (d, to.slice()))
    } else {
        between_places(par, (s.to_placement(), from), (d.to_placement(), to), padding)
    };
    outcome::<S::Place, D::Place, _>(result)
}

fn between_layouts<T: Copy + Send + Sync + 'static>(
    par: Par,
    (s, from): (Result<&DynLayout, LayoutError>, &[T]),
    (d, to): (Result<&DynLayout, LayoutError>, &mut [T]),
) -> Result<(), LayoutError> {
    let (s, d) = (s?, d?);
    let mut plan = CopyPlan::nothing();
    plan_within(&mut plan, size_of::<T>(), (s, from.len()), (d, to.len()))?;
    // Two threads must not write to the same address.
    check_injective(d)?;
    if plan.kernel() == CopyKernel::Irregular {
        walk(s, from, d, to);
        return Ok(());
    }
    // Atomic only because threads may share it.
    let to = AtomicPtr::new(to.as_mut_ptr());
    let parts = plan.parts(parts_for(par));
    par.for_each(parts.len(), |i| {
        let (part, s, d) = &parts[i];
        let (from, to) =
            (from.as_ptr().wrapping_add(*s), to.load(Ordering::Relaxed).wrapping_add(*d));
        // SAFETY: `plan_within` checked that every offset is inside the slices. A shared and an
        // exclusive slice do not overlap. Each coordinate is in one part only, and has an address of
        // its own.
        unsafe { exec_of(Level::detect(), part, from, to) };
    });
    Ok(())
}

/// Copies between placements with a plan made for this call, in batches of [`MAX_CACHED_MOVES`]
/// moves. Not inlined, because it takes several KiB of stack.
#[inline(never)]
pub(super) fn between_places<T: Copy + Send + Sync + 'static>(
    par: Par,
    (s, from): (Result<Placement, LayoutError>, Memory<'_, T>),
    (d, to): (Result<Placement, LayoutError>, MemoryMut<'_, T>),
    padding: Option<T>,
) -> Result<(), LayoutError> {
    let (s, d) = (s?, d?);
    // Two threads must not write to the same slot.
    check_injective_placement(&d)?;
    with_moves((&s, &from), (&d, to), padding, |moves, endpoints| {
        let mut batch = Vec::new();
        loop {
            while batch.len() < MAX_CACHED_MOVES
                && let Some(next) = moves.step()?
            {
                batch.push(next);
            }
            if batch.is_empty() {
                return Ok(());
            }
            // SAFETY: the moves were made for these endpoints. `to` is exclusive, and no two elements
            // share a slot of it.
            unsafe { run_all(par, &batch, endpoints) };
            batch.clear();
        }
    })
}

/// Runs moves on the threads of `par`.
///
/// # Safety
///
/// Same conditions as [`Move::run`] for each move. No two moves may write to the same address.
pub(super) unsafe fn run_all<T: Copy + Send + Sync + 'static>(
    par: Par,
    moves: &[Move],
    endpoints: &Endpoints<'_, '_, T>,
) {
    let level = Level::detect();
    if par.threads() == 1 || moves.iter().map(Move::bytes).sum::<usize>() <= MAX_SEQUENTIAL_BYTES {
        for each in moves {
            // SAFETY: guaranteed by the caller, see `# Safety`.
            unsafe { each.run(level, endpoints) };
        }
        return;
    }
    let mut parts = Vec::new();
    for each in moves {
        each.cut(parts_for(par), &mut parts);
    }
    par.for_each(parts.len(), |i| {
        // SAFETY: guaranteed by the caller; no two parts of a move overlap.
        unsafe { parts[i].run(level, endpoints) };
    });
}

/// Number of parts of a copy: more than threads, because some threads may be slower.
const fn parts_for(par: Par) -> usize {
    match par.threads() {
        1 => 1,
        threads => threads.saturating_mul(4),
    }
}
