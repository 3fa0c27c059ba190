//! Facts about a Spyre layout, and positions in it.

use layout_core::devices::spyre::{CurrentLayout, SpyreLayout};
use layout_core::engine::IntTuple;
use layout_core::error::LayoutError;
use serde_json::{Value as Json, json};

use crate::facts::Facts;

impl Facts {
    pub(super) fn spyre(self, layout: &SpyreLayout) -> Self {
        let padded = layout.padded_layout();
        let steps = 0..layout.device_size().len();
        self.with("kind", "Spyre layout")
            .with("shape", layout.size())
            .with("stride", layout.stride())
            .with("dtype", layout.element().name())
            .with("canonical_size", layout.canonical_size())
            .with("device_size", layout.device_size())
            .with("dim_map", layout.dim_map())
            .with(
                "stride_map",
                steps.clone().map(|p| stride_map_entry(layout, p)).collect::<Vec<_>>(),
            )
            .with("device_rank", layout.device_size().len())
            .with("device_stride", layout.device_stride())
            .with("host_step", steps.map(|p| json!(layout.host_step(p))).collect::<Json>())
            .with("elems_per_stick", layout.elements_per_stick())
            .with("stick_host_dim", layout.dim_map().last().copied())
            .with("sparse", layout.is_sparse())
            .with("size", layout.elements())
            .with("cosize", layout.slots())
            .with("logical_elems", layout.elements())
            .with("device_elems", layout.slots())
            .with("padding_elems", layout.padding())
            .with("sticks", layout.sticks())
            .with("bytes", layout.bytes())
            .with("cute_shape", modes(&padded.shape(), layout))
            .with("cute_stride", modes(&padded.stride(), layout))
            .layout_of(&layout.placement())
    }

    /// The same facts under the same names, for a layout by the current rules.
    pub(super) fn current_spyre(self, layout: &CurrentLayout) -> Self {
        let (stride_map, device_size) = (layout.stride_map(), layout.device_size());
        let steps = stride_map.iter().map(|&step| usize::try_from(step).ok());
        let inner = |p: usize| device_size[p + 1..].iter().product::<usize>();
        let device_stride = (0..device_size.len()).map(inner).collect::<Vec<_>>();
        let facts = self
            .with("kind", "Spyre layout by the current rules")
            .with("shape", layout.size())
            .with("stride", layout.stride())
            .with("dtype", layout.element().name())
            .with("device_size", device_size)
            .with("dim_map", layout.dim_map())
            .with("stride_map", stride_map)
            .with("device_rank", device_size.len())
            .with("device_stride", device_stride)
            .with("host_step", json!(steps.collect::<Vec<_>>()))
            .with("elems_per_stick", device_size.last().copied())
            .with("sparse", layout.is_sparse())
            .with("size", layout.elements())
            .with("cosize", layout.slots())
            .with("logical_elems", layout.elements())
            .with("device_elems", layout.slots())
            .with("padding_elems", layout.padding())
            .with("copies", layout.copies())
            .with("sticks", layout.sticks())
            .with("bytes", layout.bytes());
        match layout.placement() {
            Some(placement) => facts.layout_of(&placement),
            None => facts,
        }
    }
}

/// The position of the element with a coordinate of the host.
pub fn current_element(layout: &CurrentLayout, host: &[usize]) -> Result<Json, LayoutError> {
    Ok(json!({
        "offset": layout.offset(host)?,
        "device": layout.device_coordinate(host)?,
        "host": host,
        "host_offset": layout.host_offset(host)?,
    }))
}

/// The stride of a device dimension, -1 for none.
fn stride_map_entry(layout: &SpyreLayout, position: usize) -> isize {
    layout.host_step(position).map_or(-1, |step| step as isize)
}

/// The parts of each dimension, as a list even if there is only one.
fn modes(tuple: &IntTuple, layout: &SpyreLayout) -> Json {
    let rank = layout.canonical_size().len();
    (0..rank).map(|d| json!(tuple.mode(d).leaves())).collect()
}

/// The position of the element with a coordinate of the host.
pub fn element(layout: &SpyreLayout, host: &[usize]) -> Result<Json, LayoutError> {
    Ok(json!({
        "offset": layout.offset(host)?,
        "device": layout.device_coordinate(host)?.leaves(),
        "host": host,
        "host_offset": layout.host_offset(host)?,
    }))
}
