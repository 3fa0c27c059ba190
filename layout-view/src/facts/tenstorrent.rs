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
const MAX_LISTED_CORES: usize = 4096;

impl Facts {
    pub(super) fn tenstorrent(self, tensor: &TensorType) -> Result<Self, LayoutError> {
        let layout = tensor.layout();
        let results = layout.physical().len();
        let list = |tuple: &IntTuple| numbers(tuple, results);
        let rows: Vec<_> = (0..results).map(|i| layout.map().row(i)).collect();
        let tile = layout.tile();
        let facts = self
            .with("kind", kind(tensor.encoding()))
            .with("shape", layout.shape())
            .with("dtype", layout.element().name())
            .with("stored", layout.stored().name())
            .with("linear", json!(rows))
            .with("linear_text", layout.map().to_string())
            .with("oob", layout.fill().name())
            .with("grid", layout.grid())
            .with("memory_space", layout.space().name())
            .with("tile", tile.map_or(Json::Null, |tile| json!([tile.height(), tile.width()])))
            .with(
                "face",
                tile.and_then(|tile| tile.face()).map_or(Json::Null, |(h, w)| json!([h, w])),
            )
            .with("physical", layout.physical())
            .with("shard", list(&layout.shard()))
            .with("memref", list(&layout.memref()))
            .with("padded_shard", list(&layout.padded_shard()))
            .with("num_cores", layout.cores())
            .with("size", layout.elements())
            .with("cosize", layout.slots())
            .with("logical_elems", layout.elements())
            .with("shard_elems", layout.storage())
            .with("storage_elems", layout.slots())
            .with("padding_elems", layout.padding())
            .with("shard_bytes", layout.shard_bytes())
            .with("empty_cores", layout.empty_cores())
            .with("cores_listed", layout.cores().min(MAX_LISTED_CORES))
            .layout_of(&layout.placement())
            .encoding(tensor);
        let cores = (0..layout.cores().min(MAX_LISTED_CORES)).map(|number| {
            let core = layout.core(tuple_entries(&layout.core_at(number)?, results))?;
            Ok(core_facts(&core, results))
        });
        Ok(facts.with("cores", cores.collect::<Result<Vec<_>, LayoutError>>()?))
    }

    /// Adds the fields of the attribute, apart from the element positions.
    fn encoding(self, tensor: &TensorType) -> Self {
        let memory = tensor.memory_layout();
        let map = |map: &Option<IndexMap>| map.as_ref().map(ToString::to_string);
        match tensor.encoding() {
            Encoding::Aligned(aligned) => self
                .with("dim_alignments", json!(aligned.alignments))
                .with("collapsed_intervals", json!(aligned.intervals))
                .with("memory_layout", memory.map(|memory| memory.name()))
                .with("index_map", map(&aligned.index_map)),
            Encoding::Ttnn(ttnn) => {
                let TtnnEncoding { buffer, grid_map, core_ranges, .. } = ttnn;
                let corners = core_ranges.as_ref().map(|ranges| {
                    let corners = ranges.iter().map(|range| json!([range.start, range.end]));
                    corners.collect::<Json>()
                });
                self.with("memory_layout", memory.map(|memory| memory.name()))
                    .with("buffer_type", buffer.name())
                    .with("grid_map", map(grid_map))
                    .with("core_ranges", corners)
                    .with("exact_grid", ttnn.exact_grid)
                    .with("ignore_physical_layout", ttnn.ignore_physical_layout)
            }
            Encoding::Nd(nd) => {
                let NdEncoding { grid, buffer, orientation, distribution, .. } = nd;
                let shards = tensor.layout().cores();
                self.with("grid", json!(grid))
                    .with("shards", tensor.layout().grid())
                    .with("shards_per_core", shards.div_ceil(nd.cores()))
                    .with("memory_layout", memory.map(|memory| memory.name()))
                    .with("buffer_type", buffer.name())
                    .with("shard_orientation", orientation.map(|one| one.name()))
                    .with("shard_distribution", distribution.map(|one| one.name()))
            }
            _ => match memory {
                Some(memory) => self.with("memory_layout", memory.name()),
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
    json!(tuple_entries(tuple, results))
}

fn tuple_entries(tuple: &IntTuple, results: usize) -> &[usize] {
    if results == 0 { &[] } else { tuple.leaves() }
}

/// The position of the element with a coordinate of the tensor.
pub fn element(
    tensor: &TensorType,
    at: &[usize],
    devices: Option<&Devices>,
) -> Result<Json, LayoutError> {
    let layout = tensor.layout();
    let (location, results) = (layout.locate(at)?, layout.physical().len());
    let mut answer = json!({
        "offset": location.offset,
        "core": numbers(&location.core, results),
        "local": numbers(&location.local, results),
        "logical": at,
        "physical": numbers(&location.physical, results),
        "slot": layout.placement().slot_number(at)?,
    });
    let core = tuple_entries(&location.core, results);
    let device_core = match devices {
        Some(devices) => Some(devices.core(layout.grid(), core)?),
        None => tensor.device_core(core)?,
    };
    if let Some(DeviceCore { chip, y, x }) = device_core {
        answer["device_core"] = json!([chip, y, x]);
    }
    Ok(answer)
}
