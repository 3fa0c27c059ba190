//! Facts about the redistribution of a tensor from one placement to another.

use layout_core::devices::{Move, Reshard, Transfer};
use layout_core::error::LayoutError;
use serde_json::{Map, Value as Json, json};

use crate::facts::Facts;

/// Totals of a set of transfers.
#[derive(Default)]
struct Total {
    elements: usize,
    moved: usize,
    pairs: usize,
    largest: Option<usize>,
}

impl Total {
    fn of(transfers: impl Iterator<Item = Transfer>) -> Self {
        transfers.fold(Self::default(), |total, transfer| {
            let elements = transfer.elements();
            let moved = if transfer.source == transfer.destination { 0 } else { elements };
            Self {
                elements: total.elements + elements,
                moved: total.moved + moved,
                pairs: total.pairs + 1,
                largest: total.largest.max(Some(elements)),
            }
        })
    }
}

impl Facts {
    /// Totals of the whole plan.
    pub fn of_reshard(shape: &Json, plan: &Reshard) -> Self {
        let total = Total::of(plan.transfers());
        Self(Map::new())
            .with("shape", shape.clone())
            .with("size", total.elements)
            .with("moved_elems", total.moved)
            .with("core_pairs", total.pairs)
            .with("max_pair", total.largest)
    }

    /// Totals out of one core and into it. Only that core's part of the plan is computed.
    ///
    /// # Errors
    ///
    /// If neither placement has such a core.
    pub fn of_reshard_of_core(
        shape: &Json,
        plan: &Reshard,
        core: usize,
    ) -> Result<Self, LayoutError> {
        let (out, into) = core_transfers(plan, core)?;
        let (out, into) = (Total::of(out), Total::of(into));
        Ok(Self(Map::new())
            .with("shape", shape.clone())
            .with("core", core)
            .with("elems_before", out.elements)
            .with("elems_after", into.elements)
            .with("sent_elems", out.moved)
            .with("received_elems", into.moved)
            .with("destinations", out.pairs)
            .with("sources", into.pairs))
    }
}

/// The transfers out of a core and into it, each including the elements that stay. A core that only
/// one of the placements has holds nothing in the other.
///
/// # Errors
///
/// If neither placement has such a core.
pub fn core_transfers(
    plan: &Reshard,
    core: usize,
) -> Result<(impl Iterator<Item = Transfer>, impl Iterator<Item = Transfer>), LayoutError> {
    let (out, into) = (plan.out_of(core), plan.into_core(core));
    if let (Err(_), Err(error)) = (&out, &into) {
        return Err(*error);
    }
    let out = out.into_iter().flat_map(|moves| moves.transfers());
    Ok((out, into.into_iter().flat_map(|moves| moves.transfers())))
}

/// The transfers from one core to another.
pub fn transfer_facts(transfer: &Transfer) -> Json {
    let region =
        |one: &Move| one.region.ranges().map(|range| json!([range.start, range.end])).collect();
    json!({
        "source": transfer.source,
        "destination": transfer.destination,
        "elems": transfer.elements(),
        "regions": transfer.moves.iter().map(region).collect::<Vec<Json>>(),
    })
}
