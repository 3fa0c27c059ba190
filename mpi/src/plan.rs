//! The reshard plan of one rank: what it sends, what it receives, and what it copies locally.

use std::collections::BTreeMap;

use mpi::topology::Rank;
use static_layout::devices::{Patch, Patches, Placement, Transfer};
use static_layout::{DynLayout, IntoResult, LayoutError, View, ViewMut, kernels};

use crate::sys::Element;
use crate::typetree::{Loop, TypeTree};

/// A strided loop nest over elements, with an offset and strides in the source and the destination
/// buffers.
///
/// Both ends of a message compute the same nests: the plan of the placements determines the nests,
/// and the strides in the two placements determine the loop order.
#[derive(Clone, Debug)]
pub(crate) struct Nest {
    // Offsets of the first element, in the concatenated buffers of the own cores.
    source: usize,
    destination: usize,
    // Fastest loop first: extent, source stride, destination stride (in elements).
    loops: Vec<[usize; 3]>,
}

/// Source or destination side of a nest.
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
        self.loops.iter().map(|l| l[0]).product()
    }

    fn first(&self, end: End) -> usize {
        if end == End::Source { self.source } else { self.destination }
    }

    fn loops_at(&self, end: End) -> Vec<Loop> {
        let side = if end == End::Source { 1 } else { 2 };
        self.loops.iter().map(|l| Loop { extent: l[0], stride: l[side] }).collect()
    }

    /// Number of contiguous elements at the start of the nest.
    fn run(&self, end: End) -> usize {
        let mut run = 1;
        for l in self.loops_at(end) {
            if l.stride != run {
                break;
            }
            run *= l.extent;
        }
        run
    }

    fn layout(&self, loops: &[Loop]) -> Result<DynLayout, LayoutError> {
        let extents: Vec<_> = loops.iter().map(|l| l.extent).collect();
        let strides: Vec<_> = loops.iter().map(|l| l.stride).collect();
        DynLayout::strided(&extents, &strides)
    }

    /// The loops with compact strides.
    fn compact(&self) -> Vec<Loop> {
        let mut stride = 1;
        let loops = self.loops.iter().map(|l| {
            let this = Loop { extent: l[0], stride };
            stride *= l[0];
            this
        });
        loops.collect()
    }

    /// Copies the elements of the nest between buffers; each side is given by its buffer, start and
    /// loops.
    fn copy<T: Element>(
        &self,
        (from, source, s): (&[T], usize, &[Loop]),
        (to, destination, d): (&mut [T], usize, &[Loop]),
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

/// All elements that go to one rank or come from it, in message order.
#[derive(Debug)]
pub(crate) struct PeerTransfer {
    pub(crate) rank: Rank,
    pub(crate) nests: Vec<Nest>,
}

impl PeerTransfer {
    pub(crate) fn elements(&self) -> usize {
        self.nests.iter().map(Nest::elements).sum()
    }

    /// Datatype of the transfer at one end. `element` is the element size in bytes.
    pub(crate) fn tree(&self, end: End, element: usize, limit: usize) -> TypeTree {
        let parts = self.nests.iter().map(|nest| {
            (nest.first(end) * element, TypeTree::of_loops(&nest.loops_at(end), element, limit))
        });
        TypeTree::of_parts(parts.collect())
    }

    /// Length of the shortest contiguous run of all nests, in elements.
    pub(crate) fn shortest_run(&self, end: End) -> usize {
        self.nests.iter().map(|nest| nest.run(end)).min().unwrap_or(0)
    }

    /// Packs the elements from the core buffers into a message.
    pub(crate) fn pack<T: Element>(&self, from: &[T], into: &mut [T]) -> Result<(), LayoutError> {
        let mut at = 0;
        for nest in &self.nests {
            let (loops, compact) = (nest.loops_at(End::Source), nest.compact());
            nest.copy((from, nest.source, &loops), (into, at, &compact))?;
            at += nest.elements();
        }
        Ok(())
    }

    /// Unpacks a message into the core buffers.
    pub(crate) fn unpack<T: Element>(&self, from: &[T], into: &mut [T]) -> Result<(), LayoutError> {
        let mut at = 0;
        for nest in &self.nests {
            let (loops, compact) = (nest.loops_at(End::Destination), nest.compact());
            nest.copy((from, at, &compact), (into, nest.destination, &loops))?;
            at += nest.elements();
        }
        Ok(())
    }
}

/// A placement with the rank of each of its cores.
#[derive(Clone, Copy)]
pub(crate) struct Placed<'a> {
    pub(crate) placement: &'a Placement,
    pub(crate) ranks: &'a [Rank],
    /// Cores of this rank.
    pub(crate) own: &'a [usize],
}

impl Placed<'_> {
    /// Start of the buffer of a core. `None` if the core is not on this rank.
    fn start(&self, core: usize) -> Option<usize> {
        Some(self.own.binary_search(&core).ok()? * self.placement.storage())
    }
}

/// The part of one rank in a reshard.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) sends: Vec<PeerTransfer>,
    pub(crate) receives: Vec<PeerTransfer>,
    /// Elements that stay on this rank.
    pub(crate) local: Vec<Nest>,
}

impl Plan {
    /// The part of rank `me`. Time and memory are proportional to what this rank holds before and after.
    pub(crate) fn of(from: Placed<'_>, to: Placed<'_>, me: Rank) -> Result<Self, LayoutError> {
        let reshard = from.placement.reshard(to.placement)?;
        let mut local = Vec::new();
        // Nests for each peer rank and each pair of cores. The map keeps the pairs in the same order
        // at both ends.
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
        let peer_transfers = |pairs: BTreeMap<Rank, BTreeMap<_, Vec<Nest>>>| {
            let peer_transfer = |(rank, nests): (Rank, BTreeMap<_, Vec<Nest>>)| PeerTransfer {
                rank,
                nests: nests.into_values().flatten().collect(),
            };
            pairs.into_iter().map(peer_transfer).collect()
        };
        Ok(Self { sends: peer_transfers(sends), receives: peer_transfers(receives), local })
    }

    /// Copies the elements that stay on this rank.
    pub(crate) fn copy_local<T: Element>(
        &self,
        from: &[T],
        to: &mut [T],
    ) -> Result<(), LayoutError> {
        self.local.iter().try_for_each(|nest| {
            let (s, d) = (nest.loops_at(End::Source), nest.loops_at(End::Destination));
            nest.copy((from, nest.source, &s), (to, nest.destination, &d))
        })
    }
}

/// The regions of a transfer as loop nests. If an end is on another rank, its offsets are relative to
/// the start of the core's buffer.
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

    /// Plans the messages of one rank out of 4096 without running the other ranks.
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
                let elements = |peer_transfers: &[PeerTransfer]| {
                    peer_transfers.iter().map(PeerTransfer::elements).sum::<usize>()
                };
                let local: usize = plan.local.iter().map(Nest::elements).sum();
                assert_eq!(elements(&plan.sends) + local, SIDE * SIDE / 4096, "{name}");
                assert_eq!(elements(&plan.receives) + local, SIDE * SIDE / 4096, "{name}");
            }
        }
        Ok(())
    }
}
