//! `Relayout`: a plan of a copy that is kept.

use core::fmt;
use core::marker::PhantomData;

use layout_core::devices::Placement;
use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;

use super::memory::{DestinationMemory, Endpoints, SourceMemory, with_fill_row};
use super::par::{between_places, run_all};
use super::placement::{AllMoves, Move};
use crate::checks::check_injective_placement;
use crate::par::Par;
use crate::place::{Destination, Memory, MemoryMut, Place, Source};

/// Maximum moves in memory at the same time: about 10 MB.
pub(super) const MAX_CACHED_MOVES: usize = 4096;

/// Reusable plan of a [`copy`](super::copy()) of elements `T` between two places (layouts or
/// placements).
///
/// Guarantee: [`run`](Self::run) does what `copy` does. If a place is dynamic, planning a copy of a
/// few KiB takes longer than copying: the plan is worth keeping. Between static places, planning
/// happens at compile time.
///
/// A plan takes about 2 KiB per patch. If there are more than 4096 patches, no moves are kept, and
/// each run makes them again, a few thousand at a time.
///
/// ```
/// use static_layout::{engine::DynLayout, devices::Placement};
/// use static_layout::{PlacedTensor, Tensor, kernels::{Par, Relayout}};
/// // Five rows of two on two cores: three rows and two.
/// let placement = Placement::builder(&[5, 2], 6, 2)?
///     .dimension(5, &[1, 0])?.piece(3)?.leaf(3, 2)?.piece(2)?.core_leaf(2, 1)?
///     .dimension(2, &[0, 1])?.piece(2)?.leaf(2, 1)?
///     .build()?;
/// let rows = Tensor::<f32, _>::full_in(DynLayout::parse("(5,2):(2,1)").unwrap(), 7.0)?;
/// let mut device = PlacedTensor::zeros_in(placement)?;
/// let plan = Relayout::between(&rows, &mut device)?;
/// let first = "patch from 0 to 0:\n  run of 6, contiguous in both\n";
/// assert!(plan.to_string().starts_with(first));
/// for _ in 0..3 {
///     plan.run(Par::Sequential, &rows, &mut device)?;
/// }
/// assert_eq!(device.core(1), [7.0, 7.0, 7.0, 7.0, 0.0, 0.0]);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
pub struct Relayout<T> {
    source: PlaceKey,
    destination: PlaceKey,
    // Moves for one memory that holds all cores, and for one buffer per core if that makes a
    // difference. `None` if there are too many moves to keep.
    contiguous: Option<CachedMoves>,
    per_core: Option<CachedMoves>,
    elements: PhantomData<fn(T)>,
}

impl<T: Copy + Send + Sync + 'static> Relayout<T> {
    /// Plans copies from the place of `source` to the place of `destination`.
    ///
    /// # Errors
    ///
    /// Same as [`copy`](super::copy()), if the shapes differ or the places split into too many parts,
    /// and as [`copy_par`](super::copy_par).
    pub fn between<S, D, A, B>(source: &S, destination: &mut D) -> Result<Self, LayoutError>
    where
        S: Source<T, A> + ?Sized,
        D: Destination<T, B> + ?Sized,
    {
        Self::of_keys(
            PlaceKey::of(source.read().0.get())?,
            PlaceKey::of(destination.write().0.get())?,
        )
    }

    fn of_keys(source: PlaceKey, destination: PlaceKey) -> Result<Self, LayoutError> {
        let (s, d) = (&source.placement, &destination.placement);
        check_injective_placement(d)?;
        let moves = |buffers| CachedMoves::between(s, d, size_of::<T>(), buffers);
        let contiguous = moves([usize::MAX; 2])?;
        let several = contiguous.is_some() && (s.cores() > 1 || d.cores() > 1);
        let per_core = if several { moves([s.storage(), d.storage()])? } else { None };
        Ok(Self { source, destination, contiguous, per_core, elements: PhantomData })
    }

    /// [`copy_par`](super::copy_par) with this plan. If `source` or `destination` is in another place
    /// than planned, this call makes a plan of its own.
    ///
    /// # Errors
    ///
    /// Same as [`between`](Self::between) and [`copy`](super::copy()).
    pub fn run<S, D, A, B>(
        &self,
        par: Par,
        source: &S,
        destination: &mut D,
    ) -> Result<(), LayoutError>
    where
        S: Source<T, A> + ?Sized,
        D: Destination<T, B> + ?Sized,
    {
        let ((s, from), (d, to, padding)) = (source.read(), destination.write());
        let (s, d) = (s.get(), d.get());
        if !(self.source.is(s)? && self.destination.is(d)?) {
            return between_places(par, (s.to_placement(), from), (d.to_placement(), to), padding);
        }
        let (s, d) = (&self.source.placement, &self.destination.placement);
        let one = matches!((&from, &to), (Memory::Contiguous(_), MemoryMut::Contiguous(_)));
        let moves =
            if one || s.cores() == 1 && d.cores() == 1 { &self.contiguous } else { &self.per_core };
        let Some(cached) = moves else {
            return between_places(par, (Ok(*s), from), (Ok(*d), to), padding);
        };
        let from = SourceMemory::new(s, &from)?;
        let to = DestinationMemory::new(d, to, padding.filter(|_| cached.prefill))?;
        let has_padding = cached.moves.first().is_some_and(|first| first.is_padding);
        // SAFETY: the moves were made for these two places, for one memory or for one buffer per core.
        // A slice may hold several such buffers. `to` is exclusive, and no two elements share a slot
        // of it.
        unsafe {
            match padding.filter(|_| has_padding) {
                None => run_all(par, &cached.moves, &Endpoints { from, to, row: None }),
                Some(value) => with_fill_row(value, |row| {
                    run_all(par, &cached.moves, &Endpoints { from, to, row: Some(row) });
                }),
            }
        }
        Ok(())
    }
}

/// Moves between two places. Those that fill padding come first.
struct CachedMoves {
    moves: Vec<Move>,
    prefill: bool,
}

impl CachedMoves {
    /// The moves for buffers of this many slots. `None` if there are more than [`MAX_CACHED_MOVES`].
    fn between(
        s: &Placement,
        d: &Placement,
        element_bytes: usize,
        buffers: [usize; 2],
    ) -> Result<Option<Self>, LayoutError> {
        let mut all = AllMoves::between(s, d, element_bytes, buffers, true)?;
        let mut moves = Vec::new();
        while let Some(next) = all.step()? {
            if moves.len() == MAX_CACHED_MOVES {
                return Ok(None);
            }
            moves.push(next);
        }
        Ok(Some(Self { moves, prefill: all.prefill }))
    }
}

/// Prints each patch, its loops, and the kernel inside them.
impl<T> fmt::Display for Relayout<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(moves) = &self.contiguous else {
            return writeln!(f, "more than {MAX_CACHED_MOVES} patches, planned by each run");
        };
        for each in moves.moves.iter().filter(|each| !each.is_padding) {
            writeln!(f, "patch from {} to {}:", each.source, each.destination)?;
            for outer in each.outer.as_slice() {
                let (source, destination) = (outer.source, outer.destination);
                writeln!(
                    f,
                    "  for {}: source +{source}, destination +{destination}",
                    outer.extent
                )?;
            }
            for line in each.plan.to_string().lines() {
                writeln!(f, "  {line}")?;
            }
        }
        Ok(())
    }
}

impl<T> fmt::Debug for Relayout<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Identifies a place. If it is a layout, the layout is stored too, because it is faster to compare.
struct PlaceKey {
    layout: Option<DynLayout>,
    placement: Placement,
}

impl PlaceKey {
    fn of<P: Place>(place: &P) -> Result<Self, LayoutError> {
        let layout = if P::IS_LAYOUT { Some(*place.layout_in(&mut None)?) } else { None };
        Ok(Self { layout, placement: place.to_placement()? })
    }

    fn is<P: Place>(&self, place: &P) -> Result<bool, LayoutError> {
        Ok(match &self.layout {
            Some(layout) => P::IS_LAYOUT && layout.same(place.layout_in(&mut None)?),
            None => !P::IS_LAYOUT && self.placement == place.to_placement()?,
        })
    }
}
