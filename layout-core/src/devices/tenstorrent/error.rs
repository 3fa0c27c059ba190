//! Tenstorrent layouts, `#tt.metal_layout`, their tiles and grids: L0801 to L0899.

use crate::const_text::ConstText;
use crate::devices::ElementType;
use crate::error::catalogue;
use crate::excerpt::Excerpt;

catalogue! {
    /// Why a metal layout, or a place in it, is not valid.
    pub enum TenstorrentError;

    "L0801": "a tensor without elements", ShapeExtent {
        /// The dimension of the tensor.
        dimension: usize,
    } => {
        message: |m| m.str("dimension ").num(*dimension).str(" of the tensor has extent 0"),
        meaning: "Every dimension of the tensor of a metal layout has an extent of at least 1.",
        example: "tensor<2x0x6xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 + d1 * 2, d2), undef, \
            <1x1>>>",
    }

    "L0802": "a grid without cores", GridExtent {
        /// The dimension of the grid.
        dimension: usize,
    } => {
        message: |m| m.str("dimension ").num(*dimension).str(" of the grid has no cores"),
        help: |m| m.str("write 1 for a dimension that is not cut"),
        meaning: "Every dimension of the grid has at least one core. A dimension with one core is \
            not cut.",
        example: "tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x0>>>",
    }

    "L0803": "a map whose rank is not that of the tensor", MapRank {
        /// The number of dimensions that the map takes.
        dimensions: usize,
        /// The rank of the tensor.
        rank: usize,
    } => {
        message: |m| m.str("the map takes ").num(*dimensions)
            .str(" dimensions but the tensor has ").num(*rank),
        meaning: "The map takes one number for each dimension of the tensor, in their order.",
        example: "tensor<64x256x1024xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x4>>>",
    }

    "L0804": "a map whose results do not match the grid", GridRank {
        /// The number of results of the map.
        results: usize,
        /// The rank of the grid.
        grid: usize,
    } => {
        message: |m| m.str("the map has ").num(*results).str(" results but the grid has ").num(*grid)
            .str(if *grid == 1 { " dimension" } else { " dimensions" }),
        meaning: "Result i of the map is cut over dimension i of the grid. With collapse \
            intervals the grid may have more dimensions, which are not cut.",
        example: "tensor<8x96x32xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 96 + d1, d2), \
            undef, <2x1x2>>>",
    }

    "L0805": "a map that takes two coordinates to one place", Alias {
        /// The dimension whose steps, together with smaller steps, cause it.
        dimension: usize,
        /// Its coefficient.
        coefficient: usize,
    } => {
        message: |m| m.str("the map takes two coordinates to one place: steps of ")
            .num(*coefficient).str(" in dimension ").num(*dimension)
            .str(" coincide with smaller steps"),
        help: |m| m
            .str("a coefficient larger than what the smaller steps of its result add up to would fit"),
        meaning: "No two elements may be in one place. Give every dimension a coefficient that is \
            larger than what the dimensions with smaller ones add up to.",
        example: "tensor<4x10x7x12xf32, #tt.metal_layout<(d0, d1, d2, d3) -> (d0 * 70 + d1 + \
            d2, d3), undef, <3x4>>>",
    }

    "L0806": "a name that is not a dimension of the map", MapName {
        /// The name.
        name: Excerpt,
    } => {
        message: |m| m.str("`").str(name.as_str()).str("` is not a dimension of the map"),
        meaning: "The names in the results are those in front of the arrow.",
        example: "tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d2), undef, <1x2>>>",
    }

    "L0807": "a name for two dimensions of the map", MapNameTwice {
        /// The name.
        name: Excerpt,
    } => {
        message: |m| m.str("two dimensions of the map are called `").str(name.as_str()).str("`"),
        meaning: "Each dimension has a name of its own in front of the arrow.",
        example: "tensor<8x300xf32, #tt.metal_layout<(d0, d0) -> (d0, d0), undef, <1x2>>>",
    }

    "L0808": "a constant in a result of the map", MapConstant {
        /// The constant.
        constant: usize,
    } => {
        message: |m| m.str("a result of the map contains the constant ").num(*constant),
        help: |m| m.str("a result is a sum such as d0 * 64 + d1, or 0"),
        meaning: "The element at coordinate 0 is the first one of the first core. A result is a \
            sum of dimensions times coefficients, or 0, which is a dimension of the grid that is \
            not cut.",
        example: "tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0 + 32, d1), undef, <1x2>>>",
    }

    "L0809": "a collapse interval outside the tensor", IntervalRange {
        /// The end, as it is written.
        index: isize,
        /// The interval, as it is written.
        interval: (isize, isize),
        /// The number of dimensions of the tensor.
        rank: usize,
    } => {
        message: |m| m.str("index ").int(*index).str(" of interval ").interval(*interval)
            .str(" is outside a tensor of ").num(*rank)
            .str(if *rank == 1 { " dimension" } else { " dimensions" }),
        help: |m| m.str("an interval is within 0 and ").num(*rank)
            .str("; -1 is the last dimension"),
        meaning: "The ends of an interval are between 0 and the number of dimensions, one past the \
            last dimension. Negative ends count back from there.",
        example: "tensor<4x7x11x10xf32, #tt.metal_layout<collapse = [(0, 7)], undef, <4x3>>>",
    }

    "L0810": "a collapse interval that ends before it begins", IntervalOrder {
        /// The interval, as it is written.
        interval: (isize, isize),
        /// Its start, counted from 0.
        begin: usize,
        /// Its end.
        end: usize,
    } => {
        message: |m| m.str("interval ").interval(*interval).str(" begins at dimension ")
            .num(*begin).str(" and ends before dimension ").num(*end),
        meaning: "An interval is a begin and an exclusive end. The begin comes first, when both \
            are counted from the first dimension.",
        example: "tensor<6x4x11x4x6xf32, #tt.metal_layout<collapse = [(4, 0)], undef, <4x3>>>",
    }

    "L0811": "collapse intervals with a dimension in common", IntervalOverlap {
        /// The dimension.
        dimension: usize,
        /// One interval.
        first: (isize, isize),
        /// The other interval.
        second: (isize, isize),
    } => {
        message: |m| m.str("dimension ").num(*dimension).str(" is in interval ").interval(*first)
            .str(" and in interval ").interval(*second),
        meaning: "Each dimension is joined with those of one interval, or stays separate.",
        example: "tensor<9x5x3xf32, #tt.metal_layout<collapse = [(0, 2), (1, 3)], undef, <4x4>>>",
    }

    "L0812": "a memref whose rank is not that of the grid", MemrefRank {
        /// The number of its extents.
        memref: usize,
        /// The rank of the grid.
        results: usize,
    } => {
        message: |m| m.str("the memref has ").num(*memref).str(" extents but the grid has ")
            .num(*results).str(if *results == 1 { " dimension" } else { " dimensions" }),
        meaning: "The memref is the shard of one core: an extent for each dimension of the grid.",
        example: "tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>, \
            memref<8x150x1xf32, #tt.memory_space<l1>>>>",
    }

    "L0813": "a memref that contradicts the rest", MemrefShape {
        /// The dimension of the memref.
        result: usize,
        /// Its extent as it is written.
        given: usize,
        /// The correct extent.
        derived: usize,
        /// The extent that the grid cuts.
        physical: usize,
        /// The number of cores that it is cut for.
        cores: usize,
        /// The extent of the tile, 1 without tiles.
        tile: usize,
    } => {
        message: |m| {
            let m = m
                .str("memref extent ")
                .num(*result)
                .str(" is ")
                .num(*given)
                .str(" and must be ")
                .num(*derived)
                .str(": ")
                .num(*physical)
                .str(" on ")
                .num(*cores)
                .str(if *cores == 1 { " core is a shard of " } else { " cores is a shard of " })
                .num(physical.div_ceil(*cores));
            if *tile == 1 { m } else { m.str(", in tiles of ").num(*tile) }
        },
        help: |m| m.str("write ").num(*derived).str(", or leave the memref out"),
        meaning: "The memref follows from the rest: the last index of each result of the map, plus \
            1, divided by the grid and then by the tile, both rounded up. It may be left out.",
        example: "tensor<10x8xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x3>, \
            memref<5x4xf32, #tt.memory_space<l1>>>>",
    }

    "L0814": "tiles on a grid of fewer than two dimensions", TileRank {
        /// The rank of the grid.
        results: usize,
    } => {
        message: |m| m.str("tiles need a grid of 2 dimensions or more, but this one has ").num(*results),
        meaning: "The last two dimensions of a shard are cut into tiles.",
        example: "tensor<64x64xf32, #tt.metal_layout<collapse = [(0, 2)], undef, <4>, \
            !tt.tile<32x32, f32>>>",
    }

    "L0815": "a tile without elements, or with too many", TileExtent {
        /// Its rows.
        height: usize,
        /// Its columns.
        width: usize,
    } => {
        message: |m| {
            m.str("a tile of ").num(*height).str("x").num(*width).str(
                if *height == 0 || *width == 0 {
                    " has no elements"
                } else {
                    concat!(" has more elements than ", size_bits!(), " bits count")
                },
            )
        },
        meaning: "A tile has at least one row and one column.",
        example: "tensor<64x64xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, \
            !tt.tile<0x32, f32>>>",
    }

    "L0816": "a tile that does not have two extents", TileExtents {
        /// The number of its extents.
        extents: usize,
    } => {
        message: |m| m.str("a tile has a height and a width, not ").num(*extents).str(" extents"),
        meaning: "A tile has a height and a width.",
        example: "tensor<64x64xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, \
            !tt.tile<32x32x1, f32>>>",
    }

    "L0817": "a face that does not divide its tile", FaceDivides {
        /// 0 for the height, 1 for the width.
        axis: usize,
        /// The extent of the face.
        face: usize,
        /// The extent of the tile.
        tile: usize,
    } => {
        message: |m| m.str("face ").str(AXES[*axis % 2]).str(" ").num(*face)
            .str(" does not divide tile ").str(AXES[*axis % 2]).str(" ").num(*tile),
        meaning: "A tile is cut into whole faces. Those of the hardware are 16x16.",
        example: "tensor<64x64xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, \
            !tt.tile<32x32, f32, face = 16x24>>>",
    }

    "L0818": "block floats outside of a tile", ScalarBlockFloat {
        /// The element.
        element: ElementType,
    } => {
        message: |m| m.str(element.name()).str(" exists only in tiles"),
        help: |m| m.str("write !tt.tile<32x32, ").str(element.name()).str(">"),
        meaning: "Block floats share an exponent among 16 neighbours in a tile. The tensor \
            keeps its own type: f32 with tiles of bfp_bf8 is usual.",
        example: "tensor<64x64xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, \
            memref<64x64xbfp_bf8, #tt.memory_space<l1>>>>",
    }

    "L0819": "an unknown element type", ElementName {
        /// The name.
        name: Excerpt,
    } => {
        message: |m| m.str("`").str(name.as_str()).str("` is not an element type"),
        help: |m| m.str("such as f32, bf16, si32, u16, bfp_bf8"),
        meaning: "Allowed are the types of MLIR with a fixed number of bits, and the data types of \
            tiles.",
        example: "tensor<64x64xf33, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>>>",
    }

    "L0820": "an unknown padding value", FillName {
        /// The name.
        name: Excerpt,
    } => {
        message: |m| m.str("`").str(name.as_str()).str("` is not a value for out-of-bounds elements"),
        help: |m| m.str("one of undef, zero, one, inf, neginf"),
        meaning: "What padding holds: undef is anything; zero, one, inf and neginf are values.",
        example: "tensor<64x64xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), minusinf, <1x1>>>",
    }

    "L0821": "an unknown memory space", SpaceName {
        /// The name.
        name: Excerpt,
    } => {
        message: |m| m.str("`").str(name.as_str()).str("` is not a memory space"),
        help: |m| m.str("one of system, mmio, dram, l1"),
        meaning: "A tensor is in one memory: system and mmio are those of the host, dram and l1 \
            those of a device.",
        example: "tensor<64x64xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, \
            #tt.memory_space<l2>>>",
    }

    "L0822": "a core whose rank is not that of the grid", CoreRank {
        /// The number of its components.
        core: usize,
        /// The rank of the grid.
        grid: usize,
    } => {
        message: |m| m.str("a core of ").num(*core).str(" indices in a grid of ").num(*grid)
            .str(if *grid == 1 { " dimension" } else { " dimensions" }),
        meaning: "A core is a coordinate of the grid, with an index for each of its dimensions.",
        example: "core(&[1]) of a layout on a grid of 3x2"
            => TenstorrentError::CoreRank { core: 1, grid: 2 },
    }

    "L0823": "a core outside the grid", OutsideGrid {
        /// The dimension of the grid.
        dimension: usize,
        /// The index in it.
        index: usize,
        /// The extent.
        extent: usize,
    } => {
        message: |m| m.str("index ").num(*index).str(" is not below ").num(*extent)
            .str(", the extent of grid dimension ").num(*dimension),
        meaning: "The indices of a core are below the extents of the grid.",
        example: "core(&[3, 0]) of a layout on a grid of 3x2"
            => TenstorrentError::OutsideGrid { dimension: 0, index: 3, extent: 3 },
    }

    "L0824": "strides of a TTNN layout that do not match its dimensions", StrideRank {
        /// The number of strides.
        strides: usize,
        /// The rank of the tensor.
        rank: usize,
    } => {
        message: |m| m.num(*strides).str(" strides for a tensor of ").num(*rank)
            .str(if *rank == 1 { " dimension" } else { " dimensions" }),
        meaning: "A TTNN tensor has a stride for each dimension, and at least one dimension.",
        example: "TtnnLayout::with_stride(&[4, 6, 10], &[10, 1], ..)"
            => TenstorrentError::StrideRank { strides: 2, rank: 3 },
    }

    "L0825": "a TTNN stride of the inner dimension that is not 1", StrideInner {
        /// The stride.
        stride: usize,
    } => {
        message: |m| m.str("the inner dimension has stride ").num(*stride).str(", not 1"),
        meaning: "The inner dimension is the width of the rows that all others fold into.",
        example: "TtnnLayout::with_stride(&[4, 6, 10], &[120, 20, 2], ..)"
            => TenstorrentError::StrideInner { stride: 2 },
    }

    "L0826": "a TTNN stride that is not a whole number of rows", StrideRow {
        /// The dimension.
        dimension: usize,
        /// Its stride.
        stride: usize,
        /// The length of a row.
        width: usize,
    } => {
        message: |m| m.str("stride ").num(*stride).str(" of dimension ").num(*dimension)
            .str(" is not a whole number of rows of ").num(*width),
        meaning: "The stride of the next to last dimension is the length of a row, and all \
            other strides are whole numbers of rows: an element is at its row and its column.",
        example: "TtnnLayout::with_stride(&[4, 6, 10], &[65, 10, 1], ..)"
            => TenstorrentError::StrideRow { dimension: 0, stride: 65, width: 10 },
    }

    "L0827": "a TTNN stride that is too small for the inner dimensions", StrideOverlap {
        /// The dimension.
        dimension: usize,
        /// Its stride.
        stride: usize,
        /// The size that the dimensions further in take.
        needed: usize,
    } => {
        message: |m| m.str("stride ").num(*stride).str(" of dimension ").num(*dimension)
            .str(" is less than the ").num(*needed).str(" that the inner dimensions take"),
        meaning: "A stride is at least the next stride times its extent, so that no two \
            elements are in one place. A larger one leaves padding.",
        example: "TtnnLayout::with_stride(&[4, 6, 10], &[48, 8, 1], ..)"
            => TenstorrentError::StrideOverlap { dimension: 1, stride: 8, needed: 10 },
    }

    "L0828": "a TTNN shard without elements", ShardExtent {
        /// Its rows.
        height: usize,
        /// Its columns.
        width: usize,
    } => {
        message: |m| m.str("a shard of ").num(*height).str("x").num(*width).str(" has no elements"),
        meaning: "The shard shape is logical: it need not be a multiple of the tile, and is \
            padded to one.",
        example: "TtnnLayout::new(&[4, 6, 10], [0, 10], ..)"
            => TenstorrentError::ShardExtent { height: 0, width: 10 },
    }

    "L0829": "a grid whose rank does not match its devices", DeviceRank {
        /// The rank of the grid.
        rank: usize,
        /// The rank of the mesh.
        mesh: usize,
    } => {
        message: |m| m.str("a grid of ").num(*rank).str(" dimensions on a device mesh of rank ").num(*mesh),
        meaning: "The last two dimensions of a virtual grid are rows and columns of cores; those \
            before them are devices. Transposed and skewed grids have two dimensions. flattened() \
            takes a grid of any rank.",
        example: "DeviceGrid::mesh(&[8], [8, 8], &[1])"
            => TenstorrentError::DeviceRank { rank: 1, mesh: 1 },
    }

    "L0830": "a grid that is larger than its devices", OutsideDevices {
        /// The dimension of the grid.
        dimension: usize,
        /// Its extent.
        extent: usize,
        /// The number of cores of the devices in this dimension.
        room: usize,
    } => {
        message: |m| m.str("dimension ").num(*dimension).str(" of the grid has extent ")
            .num(*extent).str(", but the devices have ").num(*room).str(" cores in it"),
        meaning: "A dimension of a virtual grid has at most as many cores as the devices of the \
            mesh have in it. flattened() spreads a grid of any extents over whole devices.",
        example: "DeviceGrid::mesh(&[8, 16], [8, 8], &[1, 1])"
            => TenstorrentError::OutsideDevices { dimension: 1, extent: 16, room: 8 },
    }

    "L0831": "a different number of physical extents than grid dimensions", PhysicalRank {
        /// The number of extents.
        extents: usize,
        /// The rank of the grid.
        results: usize,
    } => {
        message: |m| m.num(*extents)
            .str(if *extents == 1 { " physical extent" } else { " physical extents" })
            .str(" for a grid of ").num(*results)
            .str(if *results == 1 { " dimension" } else { " dimensions" }),
        meaning: "The grid cuts the physical extents, one for each of its dimensions. If they are \
            left out, they follow from the map.",
        example: "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), physical = 64, \
            undef, <2x2>>>",
    }

    "L0832": "a physical extent that is smaller than what the map reaches", PhysicalExtent {
        /// The result of the map.
        result: usize,
        /// The extent.
        given: usize,
        /// The largest value of the result, plus 1.
        reached: usize,
    } => {
        message: |m| m.str("physical extent ").num(*result).str(" is ").num(*given)
            .str(", but the map reaches ").num(*reached),
        help: |m| m.str("write at least ").num(*reached),
        meaning: "The grid cuts the physical extent, which is at least what the map reaches. The \
            rest is padding.",
        example: "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), physical = 64x62, \
            undef, <2x2>>>",
    }

    "L0833": "a different number of alignments than tensor dimensions", AlignmentRank {
        /// The number of alignments.
        alignments: usize,
        /// The rank of the tensor.
        rank: usize,
    } => {
        message: |m| m.num(*alignments)
            .str(if *alignments == 1 { " alignment" } else { " alignments" })
            .str(" for a tensor of ").num(*rank)
            .str(if *rank == 1 { " dimension" } else { " dimensions" }),
        meaning: "Each dimension of the tensor is rounded up to a multiple of its alignment; 1 \
            leaves it as it is.",
        example: "tensor<1x1x53x64xf32, #ttcore.metal_layout<logical_shape = 53x63, \
            dim_alignments = 32, collapsed_intervals = dense<> : tensor<0x2xi64>, l1, sharded>>",
    }

    "L0834": "an aligned extent that the grid and the tiles do not divide", GridDivides {
        /// The dimension of the grid.
        result: usize,
        /// The extent.
        physical: usize,
        /// The number of cores that it is cut for.
        cores: usize,
        /// The extent of the tile, 1 without tiles.
        tile: usize,
    } => {
        message: |m| {
            let m = m
                .num(*cores)
                .str(if *cores == 1 { " core does" } else { " cores do" })
                .str(" not divide ")
                .num(*physical)
                .str(", the aligned extent of grid dimension ")
                .num(*result);
            if *tile == 1 { m } else { m.str(", into tiles of ").num(*tile) }
        },
        help: |m| match cores.checked_mul(*tile) {
            Some(step) => m.str("align it to a multiple of ").num(step),
            None => m,
        },
        meaning: "All shards of an aligned tensor have one size and consist of whole tiles. Older \
            layouts, with a map, round up each shard.",
        example: "tensor<3x2x1x1x!ttcore.tile<32x32, f32>, #ttcore.metal_layout<logical_shape = \
            53x63, dim_alignments = 32x32, collapsed_intervals = dense<> : tensor<0x2xi64>, l1, \
            sharded>>",
    }

    "L0835": "an unknown memory layout", MemoryLayoutName {
        /// The name.
        name: Excerpt,
    } => {
        message: |m| m.str("`").str(name.as_str()).str("` is not a memory layout"),
        help: |m| m.str("such as interleaved, height_sharded, width_sharded, block_sharded"),
        meaning: "How a tensor is spread in its memory: interleaved, or sharded by height, width, \
            block or in boxes of any rank. #ttcore.metal_layout has interleaved and sharded.",
        example: "tensor<64x64xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, \
            memref<64x64xf32, #ttnn.buffer_type<dram>>, <interleave>>>",
    }

    "L0836": "an unknown TTNN buffer type", BufferTypeName {
        /// The name.
        name: Excerpt,
    } => {
        message: |m| m.str("`").str(name.as_str()).str("` is not a buffer type of TTNN"),
        help: |m| m.str("one of dram, l1, system_memory, l1_small, trace"),
        meaning: "The buffers of a TTNN tensor are in the memory of the host or in one of a device.",
        example: "tensor<64x64xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, \
            memref<64x64xf32, #ttnn.buffer_type<l2>>, <interleaved>>>",
    }

    "L0837": "a core range that ends before it begins", CoreRange {
        /// The column and the row of its first core.
        start: (usize, usize),
        /// The column and the row of its last core.
        end: (usize, usize),
    } => {
        message: |m| m.str("the core range begins at ").core(*start).str(" and ends at ").core(*end),
        meaning: "A core range is a rectangle: its first core and its last one, each with a column \
            and a row.",
        example: "tensor<64x64xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<32x64xf32, \
            #ttnn.buffer_type<l1>>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0, 1), (0, 0)>]>>>",
    }

    "L0838": "core ranges with a core in common", CoreRangesOverlap {
        /// The first and the last core of one range.
        first: [(usize, usize); 2],
        /// The first and the last core of the other range.
        second: [(usize, usize); 2],
    } => {
        message: |m| m.str("core ranges ").core(first[0]).str(" to ").core(first[1]).str(" and ")
            .core(second[0]).str(" to ").core(second[1]).str(" have a core in common"),
        meaning: "Each core of a set of core ranges is in one of them.",
        example: "tensor<64x64xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<32x64xf32, \
            #ttnn.buffer_type<l1>>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0, 0), (0, 1)>, \
            #ttnn.core_range<(0, 1), (0, 1)>]>>>",
    }

    "L0839": "a shard whose rank is not that of the tensor", ShardRank {
        /// The number of extents of the memref.
        shard: usize,
        /// The rank of the tensor.
        rank: usize,
    } => {
        message: |m| m.str("the memref has ").num(*shard).str(" extents but the tensor has ").num(*rank)
            .str(if *rank == 1 { " dimension" } else { " dimensions" }),
        meaning: "The memref of #ttnn.ttnn_nd_layout is one shard: an extent for each dimension of \
            the tensor, the last two in tiles if it holds tiles.",
        example: "tensor<1x32x32xf32, #ttnn.ttnn_nd_layout<<1x1>, memref<32x32xf32, \
            #ttnn.buffer_type<l1>>, <block_sharded>>>",
    }

    "L0840": "more shards than cores", ShardsOnGrid {
        /// 0 for rows, 1 for columns.
        dimension: usize,
        /// The number of shards in this dimension.
        shards: usize,
        /// The number of cores in this dimension.
        cores: usize,
    } => {
        message: |m| m.num(*shards).str(if *dimension == 0 { " rows" } else { " columns" })
            .str(" of shards on a grid of ").num(*cores)
            .str(if *cores == 1 { " core" } else { " cores" }),
        help: |m| m.str("round_robin_1d gives a core more than one shard"),
        meaning: "With grid_2d the core at row i and column j has the shard at row i and column j.",
        example: "tensor<64x32xf32, #ttnn.ttnn_nd_layout<<1x1>, memref<32x32xf32, \
            #ttnn.buffer_type<l1>>, <block_sharded>, <row_major>, <grid_2d>>>",
    }

    "L0841": "an index map with a divisor that is not positive", IndexDivisor {
        /// The divisor; `None` if it depends on a dimension.
        divisor: Option<isize>,
    } => {
        message: |m| match divisor {
            Some(divisor) => m.str("a division by ").int(*divisor),
            None => m.str("a division by a dimension"),
        },
        meaning: "In an affine map, `floordiv`, `ceildiv` and `mod` take a positive constant on \
            the right.",
        example: "tensor<64x64xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), \
            <1x1, (d0, d1) -> (0, d0, d1 mod 0)>, memref<64x64xf32, #ttnn.buffer_type<l1>>>>",
    }

    "L0842": "an index map with a product of dimensions", IndexProduct => {
        message: |m| m.str("a product of two dimensions"),
        meaning: "In an affine map, one factor of a product is a constant.",
        example: "tensor<64x64xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), \
            <1x1, (d0, d1) -> (0, d0, d1 * d0)>, memref<64x64xf32, #ttnn.buffer_type<l1>>>>",
    }

    "L0843": "an index map of the wrong rank", IndexMapRank {
        /// The number of dimensions that the map takes.
        dimensions: usize,
        /// The number of dimensions given.
        rank: usize,
    } => {
        message: |m| m.str("the map takes ").num(*dimensions)
            .str(if *dimensions == 1 { " number but there are " } else { " numbers but there are " })
            .num(*rank),
        meaning: "The map of a grid takes a number for each dimension of the grid. An index_map takes \
            one for each extent of the tensor, those of the grid and of the shard.",
        example: "tensor<64x64xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), \
            <1x1, (d0) -> (0, d0, 0)>, memref<64x64xf32, #ttnn.buffer_type<l1>>>>",
    }

    "L0844": "a map of a grid that leads to no core", NoDeviceCore {
        /// The index of the core in the grid.
        number: usize,
    } => {
        message: |m| m.str("the map of the grid leads from core ").num(*number)
            .str(" to no core of a device"),
        meaning: "The results of the map of a grid are a device, a row and a column, or a row and a \
            column, and are not negative.",
        example: "device_core(&[0, 0]) of a tensor type with the grid <1x1, (d0, d1) -> (d0 - 1, d1)>"
            => TenstorrentError::NoDeviceCore { number: 0 },
    }

    "L0845": "a TTNN tensor of tiles", TiledTensor => {
        message: |m| m.str("the tensor type of a TTNN layout has elements; tiles belong in its memref"),
        meaning: "The type of a TTNN tensor has the extents and the element type of the tensor. \
            Tiles are in the memref.",
        example: "tensor<2x2x!ttcore.tile<32x32, f32>, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, \
            memref<2x2x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>>",
    }

    "L0846": "an alias that refers to itself", AliasCycle {
        /// Its name.
        name: Excerpt,
    } => {
        message: |m| m.str("`").str(name.as_str()).str("` refers to itself, or to too many aliases"),
        meaning: "An alias of a file stands for an attribute or a type that does not use it.",
        example: "mlir_tensors of a file with #a = #b and #b = #a"
            => TenstorrentError::AliasCycle { name: Excerpt::new("#a") },
    }

    "L0847": "an alias that is not in the file", UnknownAlias {
        /// Its name.
        name: Excerpt,
    } => {
        message: |m| m.str("there is no alias `").str(name.as_str()).str("` in this file"),
        meaning: "Each alias is defined in a line of its own, `#layout = #ttnn.ttnn_layout<..>`.",
        example: "mlir_tensors of a file with tensor<32x32xf32, #layout> alone"
            => TenstorrentError::UnknownAlias { name: Excerpt::new("#layout") },
    }

    "L0848": "a tensor type that is too long", TypeTooLong {
        /// The maximum number of bytes.
        limit: usize,
    } => {
        message: |m| m.str("the type is longer than ").num(*limit)
            .str(" bytes, or all types of the file are too long"),
        meaning: "The length of a type with its aliases expanded is limited, and so is that of all \
            types of a file.",
        example: "mlir_tensors of a file whose aliases are doubled 20 times"
            => TenstorrentError::TypeTooLong { limit: 65_536 },
    }
}

const AXES: [&str; 2] = ["height", "width"];

impl ConstText {
    /// Appends `(0, -1)`.
    const fn interval(&mut self, interval: (isize, isize)) -> &mut Self {
        self.str("(").int(interval.0).str(", ").int(interval.1).str(")")
    }

    /// Appends `(7, 0)`.
    const fn core(&mut self, core: (usize, usize)) -> &mut Self {
        self.str("(").num(core.0).str(", ").num(core.1).str(")")
    }
}
