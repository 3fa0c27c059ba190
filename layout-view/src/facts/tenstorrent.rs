//! Facts about a metal layout, and positions in it.

use layout_core::devices::tenstorrent::{
    CoreFacts, DeviceCore, Encoding, IndexMap, NdEncoding, TensorType, TtnnEncoding,
};
use layout_core::engine::IntTuple;
use layout_core::error::LayoutError;
use serde_json::{Value as Json, json};

use crate::devices::Devices;
use crate::facts::Facts;

/// Maximum number of cores listed: the cores of a device, not of every possible grid.
const LISTED: usize = 4096;

impl Facts {
    pub(super) fn tenstorrent(self, tensor: &TensorType) -> Result<Self, LayoutError> {
        let layout = tensor.layout();
        let results = layout.physical().len();
        let list = |tuple: &IntTuple| numbers(tuple, results);
        let rows: Vec<_> = (0..results).map(|i| layout.map().row(i)).collect();
        let tile = layout.tile();
        let facts = self
            .and("kind", kind(tensor.encoding()))
            .and("shape", layout.shape())
            .and("dtype", layout.element().name())
            .and("stored", layout.stored().name())
            .and("linear", json!(rows))
            .and("linear_text", layout.map().to_string())
            .and("oob", layout.fill().name())
            .and("grid", layout.grid())
            .and("memory_space", layout.space().name())
            .and("tile", tile.map_or(Json::Null, |tile| json!([tile.height(), tile.width()])))
            .and(
                "face",
                tile.and_then(|tile| tile.face()).map_or(Json::Null, |(h, w)| json!([h, w])),
            )
            .and("physical", layout.physical())
            .and("shard", list(&layout.shard()))
            .and("memref", list(&layout.memref()))
            .and("padded_shard", list(&layout.padded_shard()))
            .and("num_cores", layout.cores())
            .and("size", layout.elements())
            .and("cosize", layout.slots())
            .and("logical_elems", layout.elements())
            .and("shard_elems", layout.storage())
            .and("storage_elems", layout.slots())
            .and("padding_elems", layout.padding())
            .and("shard_bytes", layout.shard_bytes())
            .and("empty_cores", layout.empty_cores())
            .and("cores_listed", layout.cores().min(LISTED))
            .layout_of(&layout.placement())
            .encoding(tensor);
        let cores = (0..layout.cores().min(LISTED)).map(|number| {
            let core = layout.core(list_of(&layout.core_at(number)?, results))?;
            Ok(core_facts(&core, results))
        });
        Ok(facts.and("cores", cores.collect::<Result<Vec<_>, LayoutError>>()?))
    }

    /// Adds the fields of the attribute, apart from the element positions.
    fn encoding(self, tensor: &TensorType) -> Self {
        let memory = tensor.memory_layout();
        let map = |map: &Option<IndexMap>| map.as_ref().map(ToString::to_string);
        match tensor.encoding() {
            Encoding::Aligned(aligned) => self
                .and("dim_alignments", json!(aligned.alignments))
                .and("collapsed_intervals", json!(aligned.intervals))
                .and("memory_layout", memory.map(|memory| memory.name()))
                .and("index_map", map(&aligned.index_map)),
            Encoding::Ttnn(ttnn) => {
                let TtnnEncoding { buffer, grid_map, core_ranges, .. } = ttnn;
                let corners = core_ranges.as_ref().map(|ranges| {
                    let corners = ranges.iter().map(|range| json!([range.start, range.end]));
                    corners.collect::<Json>()
                });
                self.and("memory_layout", memory.map(|memory| memory.name()))
                    .and("buffer_type", buffer.name())
                    .and("grid_map", map(grid_map))
                    .and("core_ranges", corners)
                    .and("exact_grid", ttnn.exact_grid)
                    .and("ignore_physical_layout", ttnn.ignore_physical_layout)
            }
            Encoding::Nd(nd) => {
                let NdEncoding { grid, buffer, orientation, distribution, .. } = nd;
                let shards = tensor.layout().cores();
                self.and("grid", json!(grid))
                    .and("shards", tensor.layout().grid())
                    .and("shards_per_core", shards.div_ceil(nd.cores()))
                    .and("memory_layout", memory.map(|memory| memory.name()))
                    .and("buffer_type", buffer.name())
                    .and("shard_orientation", orientation.map(|one| one.name()))
                    .and("shard_distribution", distribution.map(|one| one.name()))
            }
            _ => match memory {
                Some(memory) => self.and("memory_layout", memory.name()),
                None => self,
            },
        }
    }
}

/// The display name.
fn kind(encoding: &Encoding) -> &'static str {
    match encoding {
        Encoding::Ttnn(_) => "TTNN layout",
        Encoding::Nd(_) => "TTNN layout of N-dimensional shards",
        _ => "metal layout",
    }
}

fn core_facts(core: &CoreFacts, results: usize) -> Json {
    json!({
        "core": numbers(&core.core, results),
        "extent": numbers(&core.extent, results),
        "pad": numbers(&core.pad, results),
        "data": core.data,
        "padding_tail": core.padding_tail,
        "padding_gap": core.padding_gap,
    })
}

/// The numbers of a tuple with one entry per result of the map.
fn numbers(tuple: &IntTuple, results: usize) -> Json {
    json!(list_of(tuple, results))
}

fn list_of(tuple: &IntTuple, results: usize) -> &[usize] {
    if results == 0 { &[] } else { tuple.leaves() }
}

/// The position of the element with a coordinate of the tensor.
pub fn element(
    tensor: &TensorType,
    at: &[usize],
    devices: Option<&Devices>,
) -> Result<Json, LayoutError> {
    let layout = tensor.layout();
    let (place, results) = (layout.locate(at)?, layout.physical().len());
    let mut answer = json!({
        "offset": place.offset,
        "core": numbers(&place.core, results),
        "local": numbers(&place.local, results),
        "logical": at,
        "physical": numbers(&place.physical, results),
        "slot": layout.placement().slot_number(at)?,
    });
    let core = list_of(&place.core, results);
    let device_core = match devices {
        Some(devices) => Some(devices.core(layout.grid(), core)?),
        None => tensor.device_core(core)?,
    };
    if let Some(DeviceCore { chip, y, x }) = device_core {
        answer["device_core"] = json!([chip, y, x]);
    }
    Ok(answer)
}
