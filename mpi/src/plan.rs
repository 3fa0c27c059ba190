//! What one rank sends, receives and moves by itself to bring a tensor to another placement.

use std::collections::BTreeMap;

use mpi::topology::Rank;
use static_layout::devices::{Patch, Patches, Placement, Transfer};
use static_layout::{DynLayout, IntoResult, LayoutError, View, ViewMut, kernels};

use crate::sys::Element;
use crate::typetree::{Turn, TypeTree};

/// Elements at regular distances in the buffers before and afterwards.
///
/// Both ends of a message make the same ones: the plan of placements decides which, and the order of
/// their loops is that of the strides in the two placements.
#[derive(Clone, Debug)]
pub(crate) struct Nest {
    // The first element, in the buffers of the own cores, one behind the other.
    source: usize,
    destination: usize,
    // The fastest first: extent, source stride, destination stride.
    loops: Vec<[usize; 3]>,
}

/// Which end of a nest is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Source,
    Destination,
}

impl Nest {
    fn of(patch: &Patch, source: usize, destination: usize) -> Self {
        let mut steps: Vec<_> = patch.steps().to_vec();
        steps.sort_by_key(|s| (s.destination, s.source, s.extent, s.dimension, s.coordinate));
        let loops = steps.iter().map(|s| [s.extent, s.source, s.destination]).collect();
        Self { source, destination, loops }
    }

    fn elements(&self) -> usize {
        self.loops.iter().map(|turn| turn[0]).product()
    }

    fn first(&self, end: End) -> usize {
        if end == End::Source { self.source } else { self.destination }
    }

    fn turns(&self, end: End) -> Vec<Turn> {
        let side = if end == End::Source { 1 } else { 2 };
        self.loops.iter().map(|turn| Turn { extent: turn[0], stride: turn[side] }).collect()
    }

    /// Neighbours at the start of its order.
    fn run(&self, end: End) -> usize {
        let mut run = 1;
        for turn in self.turns(end) {
            if turn.stride != run {
                break;
            }
            run *= turn.extent;
        }
        run
    }

    fn layout(&self, turns: &[Turn]) -> Result<DynLayout, LayoutError> {
        let extents: Vec<_> = turns.iter().map(|turn| turn.extent).collect();
        let strides: Vec<_> = turns.iter().map(|turn| turn.stride).collect();
        DynLayout::strided(&extents, &strides)
    }

    /// Its elements without gaps.
    fn compact(&self) -> Vec<Turn> {
        let mut stride = 1;
        let turns = self.loops.iter().map(|turn| {
            let this = Turn { extent: turn[0], stride };
            stride *= turn[0];
            this
        });
        turns.collect()
    }

    /// From one buffer to another one, at the places that `from` and `to` say.
    fn copy<T: Element>(
        &self,
        (from, source, s): (&[T], usize, &[Turn]),
        (to, destination, d): (&mut [T], usize, &[Turn]),
    ) -> Result<(), LayoutError> {
        if self.loops.is_empty() {
            to[destination] = from[source];
            return Ok(());
        }
        let from = View::new_in(&from[source..], self.layout(s)?)?;
        let mut to = ViewMut::new_in(&mut to[destination..], self.layout(d)?)?;
        kernels::copy(&from, &mut to).into_result()
    }
}

/// All that goes to one rank, or comes from it, in the order of the message.
#[derive(Debug)]
pub(crate) struct Parcel {
    pub(crate) rank: Rank,
    pub(crate) nests: Vec<Nest>,
}

impl Parcel {
    pub(crate) fn elements(&self) -> usize {
        self.nests.iter().map(Nest::elements).sum()
    }

    /// The datatype of the parcel at one end.
    pub(crate) fn tree(&self, end: End, element: usize, limit: usize) -> TypeTree {
        let parts = self.nests.iter().map(|nest| {
            (nest.first(end) * element, TypeTree::of_loops(&nest.turns(end), element, limit))
        });
        TypeTree::of_parts(parts.collect())
    }

    /// The shortest run of neighbours, and whether all of it is one run.
    pub(crate) fn shortest_run(&self, end: End) -> usize {
        self.nests.iter().map(|nest| nest.run(end)).min().unwrap_or(0)
    }

    /// From the buffers of the cores into a message.
    pub(crate) fn pack<T: Element>(&self, from: &[T], into: &mut [T]) -> Result<(), LayoutError> {
        let mut at = 0;
        for nest in &self.nests {
            let (turns, compact) = (nest.turns(End::Source), nest.compact());
            nest.copy((from, nest.source, &turns), (into, at, &compact))?;
            at += nest.elements();
        }
        Ok(())
    }

    /// From a message into the buffers of the cores.
    pub(crate) fn unpack<T: Element>(&self, from: &[T], into: &mut [T]) -> Result<(), LayoutError> {
        let mut at = 0;
        for nest in &self.nests {
            let (turns, compact) = (nest.turns(End::Destination), nest.compact());
            nest.copy((from, at, &compact), (into, nest.destination, &turns))?;
            at += nest.elements();
        }
        Ok(())
    }
}

/// A placement, and the rank of each of its cores.
#[derive(Clone, Copy)]
pub(crate) struct Placed<'a> {
    pub(crate) placement: &'a Placement,
    pub(crate) ranks: &'a [Rank],
    /// The cores of this rank.
    pub(crate) own: &'a [usize],
}

impl Placed<'_> {
    /// Where the buffer of a core of this rank starts.
    fn start(&self, core: usize) -> Option<usize> {
        Some(self.own.binary_search(&core).ok()? * self.placement.storage())
    }
}

/// The part of one rank in a reshard.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) sends: Vec<Parcel>,
    pub(crate) receives: Vec<Parcel>,
    /// What stays on this rank.
    pub(crate) local: Vec<Nest>,
}

impl Plan {
    /// The part of rank `me`. Time and memory go with what it has and gets.
    pub(crate) fn of(from: Placed<'_>, to: Placed<'_>, me: Rank) -> Result<Self, LayoutError> {
        let reshard = from.placement.reshard(to.placement)?;
        let mut local = Vec::new();
        // The nests of each pair of cores between two ranks, in the order of the pairs.
        let mut sends: BTreeMap<Rank, BTreeMap<(usize, usize), Vec<Nest>>> = BTreeMap::new();
        let mut receives = sends.clone();
        for &core in from.own.iter().filter(|&&core| core < from.placement.cores()) {
            for transfer in reshard.out_of(core)?.transfers() {
                let rank = to.ranks[transfer.destination];
                let nests = nests(from, to, &transfer)?;
                if rank == me {
                    local.extend(nests);
                } else {
                    let pair = (transfer.source, transfer.destination);
                    sends.entry(rank).or_default().insert(pair, nests);
                }
            }
        }
        for &core in to.own.iter().filter(|&&core| core < to.placement.cores()) {
            for transfer in reshard.into_core(core)?.transfers() {
                let rank = from.ranks[transfer.source];
                if rank != me {
                    let pair = (transfer.source, transfer.destination);
                    let nests = nests(from, to, &transfer)?;
                    receives.entry(rank).or_default().insert(pair, nests);
                }
            }
        }
        let parcels = |pairs: BTreeMap<Rank, BTreeMap<_, Vec<Nest>>>| {
            let parcel = |(rank, nests): (Rank, BTreeMap<_, Vec<Nest>>)| Parcel {
                rank,
                nests: nests.into_values().flatten().collect(),
            };
            pairs.into_iter().map(parcel).collect()
        };
        Ok(Self { sends: parcels(sends), receives: parcels(receives), local })
    }

    /// Moves what stays on this rank.
    pub(crate) fn stay<T: Element>(&self, from: &[T], to: &mut [T]) -> Result<(), LayoutError> {
        self.local.iter().try_for_each(|nest| {
            let (s, d) = (nest.turns(End::Source), nest.turns(End::Destination));
            nest.copy((from, nest.source, &s), (to, nest.destination, &d))
        })
    }
}

/// The boxes of a transfer as loops. An end on another rank has offsets from the start of its core.
fn nests(from: Placed<'_>, to: Placed<'_>, transfer: &Transfer) -> Result<Vec<Nest>, LayoutError> {
    let source = from.start(transfer.source).unwrap_or(0);
    let destination = to.start(transfer.destination).unwrap_or(0);
    let mut nests = Vec::new();
    for one in &transfer.moves {
        for patch in Patches::within(from.placement, to.placement, &one.region)? {
            let patch = patch?;
            nests.push(Nest::of(
                &patch,
                source + patch.source % from.placement.storage(),
                destination + patch.destination % to.placement.storage(),
            ));
        }
    }
    Ok(nests)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    const SIDE: usize = 1 << 20;

    /// A matrix of 2^40 elements in blocks on a grid of 4096 cores.
    fn blocks(rows: usize, columns: usize) -> Result<Placement, LayoutError> {
        let (m, n) = (SIDE / rows, SIDE / columns);
        Placement::builder(&[SIDE, SIDE], m * n, rows * columns)?
            .dimension(SIDE, &[1, 0])?
            .piece(m)?
            .leaf(m, n)?
            .piece(rows)?
            .core_leaf(rows, columns)?
            .dimension(SIDE, &[0, 1])?
            .piece(n)?
            .leaf(n, 1)?
            .piece(columns)?
            .core_leaf(columns, 1)?
            .build()
    }

    /// Messages of one rank among 4096, planned without the others: simulated, as nobody has those here.
    #[test]
    fn one_rank_of_4096_plans_alone() -> Result<(), LayoutError> {
        let (rows, square, columns) = (blocks(4096, 1)?, blocks(64, 64)?, blocks(1, 4096)?);
        let ranks: Vec<Rank> = (0..4096).collect();
        for (name, from, to, peers) in
            [("rows to columns", &rows, &columns, 4095), ("rows to 64 x 64", &rows, &square, 63)]
        {
            for me in [0, 2049, 4095] {
                let start = Instant::now();
                let own = [me];
                let placed = |placement| Placed { placement, ranks: &ranks, own: &own };
                let plan = Plan::of(placed(from), placed(to), me as Rank)?;
                let seconds = start.elapsed().as_secs_f64();
                let loops = plan.sends.iter().chain(&plan.receives).flat_map(|p| &p.nests);
                let bytes: usize =
                    loops.map(|nest| size_of::<Nest>() + nest.loops.len() * 24).sum();
                println!("{name}, rank {me}: {seconds:.4} s, {bytes} bytes");
                assert!(bytes < 100 << 20, "{name}: {bytes}");
                assert!(plan.sends.len() >= peers && plan.receives.len() >= peers, "{name}");
                let elements =
                    |parcels: &[Parcel]| parcels.iter().map(Parcel::elements).sum::<usize>();
                let stay: usize = plan.local.iter().map(Nest::elements).sum();
                assert_eq!(elements(&plan.sends) + stay, SIDE * SIDE / 4096, "{name}");
                assert_eq!(elements(&plan.receives) + stay, SIDE * SIDE / 4096, "{name}");
            }
        }
        Ok(())
    }
}
