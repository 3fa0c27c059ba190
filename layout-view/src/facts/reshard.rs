//! Facts about what it takes to bring a tensor from one placement to another.

use layout_core::devices::{Move, Reshard, Transfer};
use serde_json::{Map, Value as Json, json};

use crate::facts::Facts;

impl Facts {
    /// How much goes where.
    pub fn of_reshard(shape: &Json, plan: &Reshard) -> Self {
        let elements: usize = plan.transfers().map(|transfer| transfer.elements()).sum();
        Self(Map::new())
            .and("shape", shape.clone())
            .and("size", elements)
            .and("moved_elems", plan.moved())
            .and("core_pairs", plan.transfers().count())
            .and("max_pair", plan.transfers().map(|transfer| transfer.elements()).max())
    }
}

/// What goes from one core to another.
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
