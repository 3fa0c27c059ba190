//! Entries about Tenstorrent layouts.

use crate::error::TenstorrentError;
use crate::error::entries::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new(
        "L0801",
        "a tensor without elements",
        "tensor<2x0x6xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 + d1 * 2, d2), undef, <1x1>>>",
        "Every dimension of the tensor of a metal layout has an extent of at least 1.",
    ),
    Entry::new(
        "L0802",
        "a grid without cores",
        "tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x0>>>",
        "Every dimension of the grid has at least one core. One core is a dimension that is not cut.",
    ),
    Entry::new(
        "L0803",
        "a map of another rank than the tensor",
        "tensor<64x256x1024xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x4>>>",
        "The map takes one number for each dimension of the tensor, in their order.",
    ),
    Entry::new(
        "L0804",
        "a map with other results than the grid has dimensions",
        "tensor<8x96x32xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 96 + d1, d2), undef, <2x1x2>>>",
        "Result i of the map is cut over dimension i of the grid. With collapse intervals the grid may \
         have more dimensions, which are not cut.",
    ),
    Entry::new(
        "L0805",
        "a map that takes two coordinates to one place",
        "tensor<4x10x7x12xf32, #tt.metal_layout<(d0, d1, d2, d3) -> (d0 * 70 + d1 + d2, d3), undef, \
         <3x4>>>",
        "The layout says where each element is, and no two elements are in one place. Give every \
         dimension a coefficient that is larger than what the dimensions with smaller ones add up to.",
    ),
    Entry::new(
        "L0806",
        "a name that is no dimension of the map",
        "tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d2), undef, <1x2>>>",
        "The names in the results are those in front of the arrow.",
    ),
    Entry::new(
        "L0807",
        "a name for two dimensions of the map",
        "tensor<8x300xf32, #tt.metal_layout<(d0, d0) -> (d0, d0), undef, <1x2>>>",
        "Each dimension has a name of its own in front of the arrow.",
    ),
    Entry::new(
        "L0808",
        "a constant in a result of the map",
        "tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0 + 32, d1), undef, <1x2>>>",
        "The element at coordinate 0 is the first one of the first core. A result is a sum of \
         dimensions times coefficients, or 0, which is a dimension of the grid that is not cut.",
    ),
    Entry::new(
        "L0809",
        "a collapse interval outside of the tensor",
        "tensor<4x7x11x10xf32, #tt.metal_layout<collapse = [(0, 7)], undef, <4x3>>>",
        "The ends of an interval are between 0 and the number of dimensions, which is behind the last \
         one. Negative ends count from there.",
    ),
    Entry::new(
        "L0810",
        "a collapse interval that ends before it begins",
        "tensor<6x4x11x4x6xf32, #tt.metal_layout<collapse = [(4, 0)], undef, <4x3>>>",
        "An interval has its begin and what is behind its end, in this order, when both are counted \
         from the first dimension.",
    ),
    Entry::new(
        "L0811",
        "collapse intervals with a dimension in common",
        "tensor<9x5x3xf32, #tt.metal_layout<collapse = [(0, 2), (1, 3)], undef, <4x4>>>",
        "Each dimension is joined with those of one interval, or stays by itself.",
    ),
    Entry::new(
        "L0812",
        "a memref of another rank than the grid",
        "tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>, memref<8x150x1xf32, \
         #tt.memory_space<l1>>>>",
        "The memref is the shard of one core: an extent for each dimension of the grid.",
    ),
    Entry::new(
        "L0813",
        "a memref that is not what the rest says",
        "tensor<10x8xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x3>, memref<5x4xf32, \
         #tt.memory_space<l1>>>>",
        "The memref follows from the rest: the last index of each result of the map, and 1, divided by \
         the grid and then by the tile, both rounded up. It may be left out.",
    ),
    Entry::new(
        "L0814",
        "tiles on a grid of less than two dimensions",
        "tensor<64x64xf32, #tt.metal_layout<collapse = [(0, 2)], undef, <4>, !tt.tile<32x32, f32>>>",
        "The last two dimensions of a shard are cut into tiles.",
    ),
    Entry::new(
        "L0815",
        "a tile without elements, or with too many",
        "tensor<64x64xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, !tt.tile<0x32, f32>>>",
        "A tile has at least one row and one column.",
    ),
    Entry::new(
        "L0816",
        "a tile of other than two extents",
        "tensor<64x64xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, !tt.tile<32x32x1, \
         f32>>>",
        "A tile has a height and a width.",
    ),
    Entry::new(
        "L0817",
        "a face that does not divide its tile",
        "tensor<64x64xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, !tt.tile<32x32, f32, \
         face = 16x24>>>",
        "A tile is cut into faces without a rest. Those of the hardware are 16x16.",
    ),
    Entry::new(
        "L0818",
        "block floats outside of a tile",
        "tensor<64x64xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, \
         memref<64x64xbfp_bf8, #tt.memory_space<l1>>>>",
        "Block floats share an exponent among 16 neighbours in a tile. The tensor keeps its own type: \
         f32 with tiles of bfp_bf8 is usual.",
    ),
    Entry::new(
        "L0819",
        "a name that no type of elements has",
        "tensor<64x64xf33, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>>>",
        "The types of MLIR with a fixed number of bits, and the data types of tiles.",
    ),
    Entry::new(
        "L0820",
        "a name that no value of padding has",
        "tensor<64x64xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), minusinf, <1x1>>>",
        "What padding holds: undef is anything, zero, one, inf and neginf are values.",
    ),
    Entry::new(
        "L0821",
        "a name that no memory has",
        "tensor<64x64xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, \
         #tt.memory_space<l2>>>",
        "A tensor is in one memory: system and mmio are those of the host, dram and l1 those of a \
         device.",
    ),
    Entry::elsewhere(
        "a core with other indices than the grid has dimensions",
        "core(&[1]) of a layout on a grid of 3x2",
        TenstorrentError::CoreRank { core: 1, grid: 2 }.widen(),
        "A core is a coordinate of the grid, with an index for each of its dimensions.",
    ),
    Entry::elsewhere(
        "a core outside of the grid",
        "core(&[3, 0]) of a layout on a grid of 3x2",
        TenstorrentError::OutsideGrid { dimension: 0, index: 3, extent: 3 }.widen(),
        "The indices of a core are below the extents of the grid.",
    ),
    Entry::elsewhere(
        "other TTNN strides than dimensions",
        "TtnnLayout::with_stride(&[4, 6, 10], &[10, 1], ..)",
        TenstorrentError::StrideRank { strides: 2, rank: 3 }.widen(),
        "A TTNN tensor has a stride for each dimension, and at least one dimension.",
    ),
    Entry::elsewhere(
        "a TTNN stride of the inner dimension that is not 1",
        "TtnnLayout::with_stride(&[4, 6, 10], &[120, 20, 2], ..)",
        TenstorrentError::StrideInner { stride: 2 }.widen(),
        "The inner dimension is the width of the rows that all others fold into.",
    ),
    Entry::elsewhere(
        "a TTNN stride that is no whole number of rows",
        "TtnnLayout::with_stride(&[4, 6, 10], &[65, 10, 1], ..)",
        TenstorrentError::StrideRow { dimension: 0, stride: 65, width: 10 }.widen(),
        "The stride of the next to last dimension is the length of a row, and all other strides are \
         whole numbers of rows: an element is at its row and its column.",
    ),
    Entry::elsewhere(
        "a TTNN stride without room for what is further in",
        "TtnnLayout::with_stride(&[4, 6, 10], &[48, 8, 1], ..)",
        TenstorrentError::StrideOverlap { dimension: 1, stride: 8, needed: 10 }.widen(),
        "A stride is at least the next stride times its extent, so that no two elements are in one \
         place. A larger one leaves padding.",
    ),
    Entry::elsewhere(
        "a TTNN shard without elements",
        "TtnnLayout::new(&[4, 6, 10], [0, 10], ..)",
        TenstorrentError::ShardExtent { height: 0, width: 10 }.widen(),
        "The shard shape is logical: it need not be a multiple of the tile, and is padded to one.",
    ),
    Entry::elsewhere(
        "a grid of other dimensions than its devices",
        "DeviceGrid::mesh(&[8], [8, 8], &[1])",
        TenstorrentError::DeviceRank { rank: 1, mesh: 1 }.widen(),
        "The last two dimensions of a virtual grid are rows and columns of cores, those before are \
         devices. Transposed and skewed grids have two. flattened() takes a grid of any rank.",
    ),
    Entry::elsewhere(
        "a grid that leads out of its devices",
        "DeviceGrid::mesh(&[8, 16], [8, 8], &[1, 1])",
        TenstorrentError::OutsideDevices { dimension: 1, extent: 16, room: 8 }.widen(),
        "A dimension of a virtual grid has at most as many cores as the devices of the mesh have in \
         it. flattened() spreads a grid of any extents over whole devices.",
    ),
    Entry::new(
        "L0831",
        "other than one physical extent for each dimension of the grid",
        "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), physical = 64, undef, <2x2>>>",
        "The physical extents are what the grid cuts, one for each of its dimensions. They follow from \
         the map where they are left out.",
    ),
    Entry::new(
        "L0832",
        "a physical extent without room for what the map reaches",
        "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), physical = 64x62, undef, <2x2>>>",
        "The grid cuts what the map reaches, and more where more is written: the rest is padding.",
    ),
    Entry::new(
        "L0833",
        "other than one alignment for each dimension of the tensor",
        "tensor<1x1x53x64xf32, #ttcore.metal_layout<logical_shape = 53x63, dim_alignments = 32, \
         collapsed_intervals = dense<> : tensor<0x2xi64>, l1, sharded>>",
        "Each dimension of the tensor is rounded up to a multiple of its alignment; 1 leaves it as it \
         is.",
    ),
    Entry::new(
        "L0834",
        "an aligned extent that the grid and the tiles do not divide",
        "tensor<3x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.metal_layout<logical_shape = 53x63, \
         dim_alignments = 32x32, collapsed_intervals = dense<> : tensor<0x2xi64>, l1, sharded>>",
        "All shards of an aligned tensor are of one size and of whole tiles. Older layouts, with a map, \
         round up for each shard.",
    ),
];
