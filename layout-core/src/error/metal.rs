//! The part of the catalogue about Tenstorrent layouts: `#tt.metal_layout`, tiles, grids.

use crate::devices::ElementType;
use crate::error::LayoutError;
use crate::message::Message;
use crate::word::Word;

/// Why a metal layout is none, or has no such place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TenstorrentError {
    /// A dimension of the tensor without an element.
    ShapeExtent {
        /// The dimension of the tensor.
        dimension: usize,
    },
    /// A dimension of the grid without a core.
    GridExtent {
        /// The dimension of the grid.
        dimension: usize,
    },
    /// A map with other than one dimension for each of the tensor.
    MapRank {
        /// How many dimensions the map takes.
        dimensions: usize,
        /// How many the tensor has.
        rank: usize,
    },
    /// A map with other than one result for each dimension of the grid.
    GridRank {
        /// How many results the map has.
        results: usize,
        /// How many dimensions the grid has.
        grid: usize,
    },
    /// A map that takes two coordinates to one place.
    Alias {
        /// The dimension whose steps do so, together with those of smaller steps.
        dimension: usize,
        /// Its coefficient.
        coefficient: usize,
    },
    /// A name in a result that is no dimension of the map.
    MapName {
        /// The name.
        name: Word,
    },
    /// A name that two dimensions of the map have.
    MapNameTwice {
        /// The name.
        name: Word,
    },
    /// A constant in a result of the map.
    MapConstant {
        /// The constant.
        constant: usize,
    },
    /// An end of a collapse interval outside of the tensor.
    IntervalRange {
        /// The end, as it is written.
        index: isize,
        /// The interval, as it is written.
        interval: (isize, isize),
        /// The number of dimensions of the tensor.
        rank: usize,
    },
    /// A collapse interval that ends before it begins.
    IntervalOrder {
        /// The interval, as it is written.
        interval: (isize, isize),
        /// Where it begins, counted from 0.
        begin: usize,
        /// Where it ends.
        end: usize,
    },
    /// Two collapse intervals with a dimension in common.
    IntervalOverlap {
        /// The dimension.
        dimension: usize,
        /// One of them.
        first: (isize, isize),
        /// The other.
        second: (isize, isize),
    },
    /// A memref with other than one extent for each dimension of the grid.
    MemrefRank {
        /// How many extents it has.
        memref: usize,
        /// How many dimensions the grid has.
        results: usize,
    },
    /// A memref that is not what the map, the grid and the tile give.
    MemrefShape {
        /// The dimension of the memref.
        result: usize,
        /// Its extent as it is written.
        given: usize,
        /// What it is.
        derived: usize,
        /// The extent that the grid cuts.
        physical: usize,
        /// The number of cores that it is cut for.
        cores: usize,
        /// The extent of the tile, 1 without tiles.
        tile: usize,
    },
    /// Tiles for a grid of less than two dimensions.
    TileRank {
        /// How many dimensions the grid has.
        results: usize,
    },
    /// A tile without elements, or with too many.
    TileExtent {
        /// Its rows.
        height: usize,
        /// Its columns.
        width: usize,
    },
    /// A tile of other than two extents.
    TileExtents {
        /// How many it has.
        extents: usize,
    },
    /// A face that does not divide its tile.
    FaceDivides {
        /// 0 for the height, 1 for the width.
        axis: usize,
        /// The extent of the face.
        face: usize,
        /// The extent of the tile.
        tile: usize,
    },
    /// Block floats outside of a tile.
    ScalarBlockFloat {
        /// The element.
        element: ElementType,
    },
    /// A name that no element has.
    ElementName {
        /// The name.
        name: Word,
    },
    /// A name that no value of padding has.
    FillName {
        /// The name.
        name: Word,
    },
    /// A name that no memory has.
    SpaceName {
        /// The name.
        name: Word,
    },
    /// A core with other than one index for each dimension of the grid.
    CoreRank {
        /// How many it has.
        core: usize,
        /// How many dimensions the grid has.
        grid: usize,
    },
    /// A core that the grid does not have.
    OutsideGrid {
        /// The dimension of the grid.
        dimension: usize,
        /// The index in it.
        index: usize,
        /// The extent.
        extent: usize,
    },
    /// TTNN strides for other than one dimension or more of the tensor.
    StrideRank {
        /// How many strides there are.
        strides: usize,
        /// How many dimensions the tensor has.
        rank: usize,
    },
    /// A TTNN stride of the inner dimension that is not 1.
    StrideInner {
        /// The stride.
        stride: usize,
    },
    /// A TTNN stride that is no whole number of rows.
    StrideRow {
        /// The dimension.
        dimension: usize,
        /// Its stride.
        stride: usize,
        /// The length of a row.
        width: usize,
    },
    /// A TTNN stride without room for what is further in.
    StrideOverlap {
        /// The dimension.
        dimension: usize,
        /// Its stride.
        stride: usize,
        /// What the dimensions further in take.
        needed: usize,
    },
    /// A TTNN shard without elements.
    ShardExtent {
        /// Its rows.
        height: usize,
        /// Its columns.
        width: usize,
    },
    /// A virtual grid that no such map takes to devices.
    DeviceRank {
        /// How many dimensions the grid has.
        rank: usize,
        /// How many the mesh has.
        mesh: usize,
    },
    /// A virtual grid that leads out of the devices.
    OutsideDevices {
        /// The dimension of the grid.
        dimension: usize,
        /// Its extent.
        extent: usize,
        /// How many cores the devices have in it.
        room: usize,
    },
    /// Other than one physical extent for each dimension of the grid.
    PhysicalRank {
        /// How many there are.
        extents: usize,
        /// How many dimensions the grid has.
        results: usize,
    },
    /// A physical extent without room for what the map reaches.
    PhysicalExtent {
        /// The result of the map.
        result: usize,
        /// The extent.
        given: usize,
        /// The largest number of the result, and 1.
        reached: usize,
    },
    /// Other than one alignment for each dimension of the tensor.
    AlignmentRank {
        /// How many there are.
        alignments: usize,
        /// How many dimensions the tensor has.
        rank: usize,
    },
    /// An aligned extent that is no whole number of tiles for each core.
    GridDivides {
        /// The dimension of the grid.
        result: usize,
        /// The extent.
        physical: usize,
        /// How many cores it is cut for.
        cores: usize,
        /// The extent of the tile, 1 without tiles.
        tile: usize,
    },
}

const AXES: [&str; 2] = ["height", "width"];

impl TenstorrentError {
    /// This, as an error of the catalogue.
    pub(crate) const fn widen(self) -> LayoutError {
        LayoutError::Tenstorrent(self)
    }

    #[inline]
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::ShapeExtent { .. } => "L0801",
            Self::GridExtent { .. } => "L0802",
            Self::MapRank { .. } => "L0803",
            Self::GridRank { .. } => "L0804",
            Self::Alias { .. } => "L0805",
            Self::MapName { .. } => "L0806",
            Self::MapNameTwice { .. } => "L0807",
            Self::MapConstant { .. } => "L0808",
            Self::IntervalRange { .. } => "L0809",
            Self::IntervalOrder { .. } => "L0810",
            Self::IntervalOverlap { .. } => "L0811",
            Self::MemrefRank { .. } => "L0812",
            Self::MemrefShape { .. } => "L0813",
            Self::TileRank { .. } => "L0814",
            Self::TileExtent { .. } => "L0815",
            Self::TileExtents { .. } => "L0816",
            Self::FaceDivides { .. } => "L0817",
            Self::ScalarBlockFloat { .. } => "L0818",
            Self::ElementName { .. } => "L0819",
            Self::FillName { .. } => "L0820",
            Self::SpaceName { .. } => "L0821",
            Self::CoreRank { .. } => "L0822",
            Self::OutsideGrid { .. } => "L0823",
            Self::StrideRank { .. } => "L0824",
            Self::StrideInner { .. } => "L0825",
            Self::StrideRow { .. } => "L0826",
            Self::StrideOverlap { .. } => "L0827",
            Self::ShardExtent { .. } => "L0828",
            Self::DeviceRank { .. } => "L0829",
            Self::OutsideDevices { .. } => "L0830",
            Self::PhysicalRank { .. } => "L0831",
            Self::PhysicalExtent { .. } => "L0832",
            Self::AlignmentRank { .. } => "L0833",
            Self::GridDivides { .. } => "L0834",
        }
    }

    pub(crate) const fn message<'a>(&self, m: &'a mut Message) -> &'a mut Message {
        match self {
            Self::ShapeExtent { dimension } => {
                m.str("dimension ").num(*dimension).str(" of the tensor has extent 0")
            }
            Self::GridExtent { dimension } => {
                m.str("dimension ").num(*dimension).str(" of the grid has no cores")
            }
            Self::MapRank { dimensions, rank } => m
                .str("the map takes ")
                .num(*dimensions)
                .str(" dimensions and the tensor has ")
                .num(*rank),
            Self::GridRank { results, grid } => m
                .str("the map has ")
                .num(*results)
                .str(" results and the grid ")
                .num(*grid)
                .str(if *grid == 1 { " dimension" } else { " dimensions" }),
            Self::Alias { dimension, coefficient } => m
                .str("the map takes two coordinates to one place: steps of ")
                .num(*coefficient)
                .str(" in dimension ")
                .num(*dimension)
                .str(" meet those of smaller ones"),
            Self::MapName { name } => {
                m.str("`").str(name.as_str()).str("` is not a dimension of the map")
            }
            Self::MapNameTwice { name } => {
                m.str("two dimensions of the map are called `").str(name.as_str()).str("`")
            }
            Self::MapConstant { constant } => {
                m.str("a result of the map has the constant ").num(*constant).str(" in it")
            }
            Self::IntervalRange { index, interval, rank } => m
                .str("index ")
                .int(*index)
                .str(" of interval ")
                .interval(*interval)
                .str(" is outside of a tensor of ")
                .num(*rank)
                .str(if *rank == 1 { " dimension" } else { " dimensions" }),
            Self::IntervalOrder { interval, begin, end } => m
                .str("interval ")
                .interval(*interval)
                .str(" begins at dimension ")
                .num(*begin)
                .str(" and ends before dimension ")
                .num(*end),
            Self::IntervalOverlap { dimension, first, second } => m
                .str("dimension ")
                .num(*dimension)
                .str(" is in interval ")
                .interval(*first)
                .str(" and in interval ")
                .interval(*second),
            Self::MemrefRank { memref, results } => m
                .str("the memref has ")
                .num(*memref)
                .str(" extents and the grid ")
                .num(*results)
                .str(if *results == 1 { " dimension" } else { " dimensions" }),
            Self::MemrefShape { result, given, derived, physical, cores, tile } => {
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
            }
            Self::TileRank { results } => {
                m.str("tiles need a grid of 2 dimensions or more, and it has ").num(*results)
            }
            Self::TileExtent { height, width } => {
                m.str("a tile of ").num(*height).str("x").num(*width).str(
                    if *height == 0 || *width == 0 {
                        " has no elements"
                    } else {
                        concat!(" has more elements than ", size_bits!(), " bits count")
                    },
                )
            }
            Self::TileExtents { extents } => {
                m.str("a tile has a height and a width, not ").num(*extents).str(" extents")
            }
            Self::FaceDivides { axis, face, tile } => m
                .str("face ")
                .str(AXES[*axis % 2])
                .str(" ")
                .num(*face)
                .str(" does not divide tile ")
                .str(AXES[*axis % 2])
                .str(" ")
                .num(*tile),
            Self::ScalarBlockFloat { element } => {
                m.str(element.name()).str(" exists in tiles only")
            }
            Self::ElementName { name } => {
                m.str("`").str(name.as_str()).str("` is no type of elements")
            }
            Self::FillName { name } => {
                m.str("`").str(name.as_str()).str("` is no value for what is out of bounds")
            }
            Self::SpaceName { name } => m.str("`").str(name.as_str()).str("` is no memory"),
            Self::CoreRank { core, grid } => m
                .str("a core of ")
                .num(*core)
                .str(" indices in a grid of ")
                .num(*grid)
                .str(if *grid == 1 { " dimension" } else { " dimensions" }),
            Self::OutsideGrid { dimension, index, extent } => m
                .str("index ")
                .num(*index)
                .str(" is not below ")
                .num(*extent)
                .str(", the extent of grid dimension ")
                .num(*dimension),
            Self::StrideRank { strides, rank } => m
                .num(*strides)
                .str(" strides for a tensor of ")
                .num(*rank)
                .str(if *rank == 1 { " dimension" } else { " dimensions" }),
            Self::StrideInner { stride } => {
                m.str("the inner dimension has stride ").num(*stride).str(" and not 1")
            }
            Self::StrideRow { dimension, stride, width } => m
                .str("stride ")
                .num(*stride)
                .str(" of dimension ")
                .num(*dimension)
                .str(" is no whole number of rows of ")
                .num(*width),
            Self::StrideOverlap { dimension, stride, needed } => m
                .str("stride ")
                .num(*stride)
                .str(" of dimension ")
                .num(*dimension)
                .str(" is less than the ")
                .num(*needed)
                .str(" that the dimensions further in take"),
            Self::ShardExtent { height, width } => {
                m.str("a shard of ").num(*height).str("x").num(*width).str(" has no elements")
            }
            Self::DeviceRank { rank, mesh } => {
                m.str("a grid of ").num(*rank).str(" dimensions on devices in ").num(*mesh)
            }
            Self::OutsideDevices { dimension, extent, room } => m
                .str("dimension ")
                .num(*dimension)
                .str(" of the grid has extent ")
                .num(*extent)
                .str(", and the devices ")
                .num(*room)
                .str(" cores in it"),
            Self::PhysicalRank { extents, results } => m
                .num(*extents)
                .str(if *extents == 1 { " physical extent" } else { " physical extents" })
                .str(" for a grid of ")
                .num(*results)
                .str(if *results == 1 { " dimension" } else { " dimensions" }),
            Self::PhysicalExtent { result, given, reached } => m
                .str("physical extent ")
                .num(*result)
                .str(" is ")
                .num(*given)
                .str(", and the map reaches ")
                .num(*reached),
            Self::AlignmentRank { alignments, rank } => m
                .num(*alignments)
                .str(if *alignments == 1 { " alignment" } else { " alignments" })
                .str(" for a tensor of ")
                .num(*rank)
                .str(if *rank == 1 { " dimension" } else { " dimensions" }),
            Self::GridDivides { result, physical, cores, tile } => {
                let m = m
                    .num(*cores)
                    .str(if *cores == 1 { " core does" } else { " cores do" })
                    .str(" not divide ")
                    .num(*physical)
                    .str(", the aligned extent of grid dimension ")
                    .num(*result);
                if *tile == 1 { m } else { m.str(", into tiles of ").num(*tile) }
            }
        }
    }

    pub(crate) const fn help<'a>(&self, m: &'a mut Message) -> &'a mut Message {
        match self {
            Self::GridExtent { .. } => m.str("write 1 for a dimension that is not cut"),
            Self::Alias { .. } => m.str(
                "a coefficient larger than what the smaller steps of its result add up to would fit",
            ),
            Self::MapConstant { .. } => m.str("a result is a sum such as d0 * 64 + d1, or 0"),
            Self::IntervalRange { rank, .. } => {
                m.str("an interval is within 0 and ").num(*rank).str("; -1 is the last dimension")
            }
            Self::MemrefShape { derived, .. } => {
                m.str("write ").num(*derived).str(", or leave the memref out")
            }
            Self::PhysicalExtent { reached, .. } => m.str("write at least ").num(*reached),
            Self::GridDivides { cores, tile, .. } => match cores.checked_mul(*tile) {
                Some(step) => m.str("align it to a multiple of ").num(step),
                None => m,
            },
            Self::ScalarBlockFloat { element } => {
                m.str("write !tt.tile<32x32, ").str(element.name()).str(">")
            }
            Self::ElementName { .. } => m.str("such as f32, bf16, si32, u16, bfp_bf8"),
            Self::FillName { .. } => m.str("one of undef, zero, one, inf, neginf"),
            Self::SpaceName { .. } => m.str("one of system, mmio, dram, l1"),
            _ => m,
        }
    }
}

impl Message {
    /// Appends `(0, -1)`.
    const fn interval(&mut self, interval: (isize, isize)) -> &mut Self {
        self.str("(").int(interval.0).str(", ").int(interval.1).str(")")
    }
}
