//! The tensor types of current and older versions of tt-mlir.

use alloc::vec::Vec;
use core::fmt;

use crate::devices::Fill;
use crate::devices::print::Separated;
use crate::devices::tenstorrent::print::{Dimensions, mlir_name, tile_type};
use crate::devices::tenstorrent::{
    BufferType, DeviceCore, IndexMap, MemoryLayout, MetalLayout, ShardDistribution,
    ShardOrientation,
};
use crate::error::{LayoutError, TenstorrentError};

/// The type of a tensor on Tenstorrent devices, with the attribute of its notation.
///
/// [`layout`](Self::layout) determines where the elements are. The [`encoding`](Self::encoding) has
/// the rest: which memory, which cores. `Display` prints the text, and [`parse`](Self::parse) reads
/// it: `parse(print(T)) == T`.
///
/// ```
/// use static_layout::devices::tenstorrent::{Encoding, TensorType};
/// let text = "tensor<100x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <4x1>, \
///             memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <height_sharded>, \
///             core_ranges = <[#ttnn.core_range<(0, 0), (3, 0)>]>>>";
/// let tensor = TensorType::parse(text)?;
/// assert_eq!(tensor.to_string(), text);
/// let Encoding::Ttnn(ttnn) = tensor.encoding() else { panic!("a TTNN layout") };
/// assert_eq!(ttnn.core_ranges.as_ref().map(|ranges| ranges[0].cores()), Some(4));
/// assert_eq!(tensor.layout().locate(&[99, 33]).unwrap().core.leaves(), &[3, 0]);
/// # Ok::<(), static_layout::text::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TensorType {
    pub(super) layout: MetalLayout,
    pub(super) encoding: Encoding,
}

/// The attribute of a [`TensorType`], without the parts that its [layout](TensorType::layout) has.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Encoding {
    /// `#tt.metal_layout<map, undef, <2x4>, memref<..>>`. Older versions wrote `#tt.layout`, and
    /// appended a memory layout.
    Metal {
        /// The appended memory layout.
        memory: Option<MemoryLayout>,
    },
    /// `#ttcore.metal_layout<logical_shape = .., ..>`
    Aligned(AlignedEncoding),
    /// `#ttnn.ttnn_layout<..>`
    Ttnn(TtnnEncoding),
    /// `#ttnn.ttnn_nd_layout<..>`
    Nd(NdEncoding),
}

/// The contents of `#ttcore.metal_layout` with a `logical_shape`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AlignedEncoding {
    /// The alignment of each dimension of the tensor: it is rounded up to a multiple.
    pub alignments: Vec<usize>,
    /// The intervals of dimensions that are joined.
    pub intervals: Vec<(isize, isize)>,
    /// The value of padding. Versions since May 2026 do not have it.
    pub fill: Option<Fill>,
    /// Sharded or interleaved. Older versions do not have it.
    pub memory: Option<MemoryLayout>,
    /// The view of an older version: maps a slot to a slot of the viewed tensor. The layout has the
    /// slots of the view itself.
    pub index_map: Option<IndexMap>,
}

/// The contents of `#ttnn.ttnn_layout`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TtnnEncoding {
    /// The memory of the buffers.
    pub buffer: BufferType,
    /// How the tensor is distributed in it.
    pub memory: Option<MemoryLayout>,
    /// The map from the grid to cores of a device: chip, row and column.
    pub grid_map: Option<IndexMap>,
    /// The cores of the device that have shards.
    pub core_ranges: Option<Vec<CoreRange>>,
    /// `exactGrid = true` of older versions.
    pub exact_grid: bool,
    /// `ignorePhysicalLayout = true`
    pub ignore_physical_layout: bool,
}

/// The contents of `#ttnn.ttnn_nd_layout`. The grid of the layout is the grid of shards.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NdEncoding {
    /// The grid of cores.
    pub grid: Vec<usize>,
    /// The memory of the buffers.
    pub buffer: BufferType,
    /// How the tensor is distributed in it.
    pub memory: MemoryLayout,
    /// The order in which cores receive shards.
    pub orientation: Option<ShardOrientation>,
    /// Which core receives which shard.
    pub distribution: Option<ShardDistribution>,
}

/// A rectangle of cores, `#ttnn.core_range<(0, 0), (7, 7)>`: columns and rows, ends included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CoreRange {
    /// The column and the row of its first core.
    pub start: (usize, usize),
    /// The column and the row of its last core.
    pub end: (usize, usize),
}

impl CoreRange {
    /// The range with these corners.
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::CoreRange`] if the end is before the start.
    pub fn new(start: (usize, usize), end: (usize, usize)) -> Result<Self, LayoutError> {
        refuse!(start.0 > end.0 || start.1 > end.1, TenstorrentError::CoreRange { start, end });
        Ok(Self { start, end })
    }

    /// Number of cores; saturates on overflow.
    pub fn cores(&self) -> usize {
        let (columns, rows) = (self.end.0 - self.start.0, self.end.1 - self.start.1);
        columns.saturating_add(1).saturating_mul(rows.saturating_add(1))
    }

    /// Whether the ranges have a core in common.
    pub fn intersects(&self, other: &Self) -> bool {
        let meet = |a: (usize, usize), b: (usize, usize)| a.0 <= b.1 && b.0 <= a.1;
        meet((self.start.0, self.end.0), (other.start.0, other.end.0))
            && meet((self.start.1, self.end.1), (other.start.1, other.end.1))
    }
}

impl fmt::Display for CoreRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { start, end } = self;
        write!(f, "({}, {}), ({}, {})", start.0, start.1, end.0, end.1)
    }
}

impl TensorType {
    /// The layout.
    pub fn layout(&self) -> &MetalLayout {
        &self.layout
    }

    /// The rest of the type.
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// How the tensor is distributed in its memory, if given.
    pub fn memory_layout(&self) -> Option<MemoryLayout> {
        match &self.encoding {
            Encoding::Metal { memory } => *memory,
            Encoding::Aligned(aligned) => aligned.memory,
            Encoding::Ttnn(ttnn) => ttnn.memory,
            Encoding::Nd(nd) => Some(nd.memory),
        }
    }

    /// The device core that holds the buffer of a core of the [layout](Self::layout), if the type
    /// determines it: by the map of its grid, or by the distribution of its shards.
    ///
    /// ```
    /// use static_layout::devices::tenstorrent::{DeviceCore, TensorType};
    /// let text = "tensor<1x256xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), \
    ///             <1x8, (d0, d1) -> (0, d1 floordiv 4, d1 mod 4)>, \
    ///             memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<l1>>, <width_sharded>>>";
    /// let core = TensorType::parse(text).unwrap().device_core(&[0, 6])?;
    /// assert_eq!(core, Some(DeviceCore { chip: 0, y: 1, x: 2 }));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A core outside the grid; [`TenstorrentError::NoDeviceCore`] if the map gives no device core.
    pub fn device_core(&self, core: &[usize]) -> Result<Option<DeviceCore>, LayoutError> {
        let number = self.layout.core_number(core)?;
        match &self.encoding {
            Encoding::Ttnn(TtnnEncoding { grid_map: Some(map), .. }) => {
                let found: Vec<_> = map.apply(core)?.into_iter().map(usize::try_from).collect();
                match *found {
                    [Ok(chip), Ok(y), Ok(x)] => Ok(Some(DeviceCore { chip, y, x })),
                    [Ok(y), Ok(x)] => Ok(Some(DeviceCore { chip: 0, y, x })),
                    _ => Err(TenstorrentError::NoDeviceCore { number }.into()),
                }
            }
            Encoding::Ttnn(TtnnEncoding { core_ranges: Some(ranges), .. }) => {
                Ok(nth_core(ranges, number))
            }
            Encoding::Nd(nd) => Ok(nd.core(self.layout.grid(), number)),
            _ => Ok(None),
        }
    }
}

/// The core with this index, counting row by row through the ranges.
fn nth_core(ranges: &[CoreRange], mut number: usize) -> Option<DeviceCore> {
    for range in ranges {
        let cores = range.cores();
        if number < cores {
            let columns = range.end.0 - range.start.0 + 1;
            let (y, x) = (range.start.1 + number / columns, range.start.0 + number % columns);
            return Some(DeviceCore { chip: 0, y, x });
        }
        number -= cores;
    }
    None
}

impl NdEncoding {
    /// Number of cores.
    pub fn cores(&self) -> usize {
        self.grid.iter().fold(1, |cores, extent| cores.saturating_mul(*extent))
    }

    /// The core that has the shard with this index, with `shards` shards in each dimension.
    fn core(&self, shards: &[usize], number: usize) -> Option<DeviceCore> {
        let &[rows, columns] = self.grid.as_slice() else { return None };
        let (y, x) = match self.distribution.unwrap_or(ShardDistribution::RoundRobin) {
            ShardDistribution::Grid => {
                let across = shards.last().copied().unwrap_or(1);
                (number / across, number % across)
            }
            ShardDistribution::RoundRobin => {
                let core = number % self.cores();
                match self.orientation.unwrap_or(ShardOrientation::RowMajor) {
                    ShardOrientation::RowMajor => (core / columns, core % columns),
                    ShardOrientation::ColMajor => (core % rows, core / rows),
                }
            }
        };
        Some(DeviceCore { chip: 0, y, x })
    }
}

impl From<MetalLayout> for TensorType {
    fn from(layout: MetalLayout) -> Self {
        Self { layout, encoding: Encoding::Metal { memory: None } }
    }
}

impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.encoding {
            Encoding::Metal { memory } => {
                let memory = memory.as_ref().map(|memory| -> &dyn fmt::Display { memory });
                self.layout.write(f, memory)
            }
            Encoding::Aligned(aligned) => self.write_aligned(f, aligned),
            Encoding::Ttnn(ttnn) => self.write_ttnn(f, ttnn),
            Encoding::Nd(nd) => self.write_nd(f, nd),
        }
    }
}

impl TensorType {
    /// `tensor<8x300xf32, `
    fn write_tensor(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layout = &self.layout;
        write!(f, "tensor<{}{}, ", Dimensions(layout.shape()), mlir_name(layout.element(), false))
    }

    /// `memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>`
    fn write_memref(&self, f: &mut fmt::Formatter<'_>, buffer: BufferType) -> fmt::Result {
        write!(f, "memref<{}", Dimensions(self.layout.memref().leaves()))?;
        tile_type(f, "ttcore", self.layout.tile(), self.layout.stored())?;
        write!(f, ", #ttnn.buffer_type<{buffer}>>")
    }

    fn write_aligned(&self, f: &mut fmt::Formatter<'_>, aligned: &AlignedEncoding) -> fmt::Result {
        let layout = &self.layout;
        write!(f, "tensor<{}", Dimensions(layout.grid()))?;
        if layout.map().results() > 0 {
            write!(f, "{}", Dimensions(layout.memref().leaves()))?;
        }
        tile_type(f, "ttcore", layout.tile(), layout.stored())?;
        let (shape, alignments) = (Separated(layout.shape(), "x"), &aligned.alignments);
        write!(f, ", #ttcore.metal_layout<logical_shape = {shape}")?;
        write!(f, ", dim_alignments = {}", Separated(alignments, "x"))?;
        f.write_str(", collapsed_intervals = dense<")?;
        let intervals = &aligned.intervals;
        for (i, (begin, end)) in intervals.iter().enumerate() {
            write!(f, "{}[{begin}, {end}]", if i > 0 { ", " } else { "[" })?;
        }
        f.write_str(if intervals.is_empty() { "" } else { "]" })?;
        write!(f, "> : tensor<{}x2xi64>, ", intervals.len())?;
        if let Some(fill) = aligned.fill {
            write!(f, "{fill}, ")?;
        }
        write!(f, "{}", layout.space())?;
        if let Some(memory) = aligned.memory {
            write!(f, ", {memory}")?;
        }
        if let Some(map) = &aligned.index_map {
            write!(f, ", index_map = {map}")?;
        }
        f.write_str(">>")
    }

    fn write_ttnn(&self, f: &mut fmt::Formatter<'_>, ttnn: &TtnnEncoding) -> fmt::Result {
        let layout = &self.layout;
        self.write_tensor(f)?;
        write!(f, "#ttnn.ttnn_layout<{}, <{}", layout.map(), Separated(layout.grid(), "x"))?;
        if let Some(map) = &ttnn.grid_map {
            write!(f, ", {map}")?;
        }
        f.write_str(">, ")?;
        self.write_memref(f, ttnn.buffer)?;
        if let Some(memory) = ttnn.memory {
            write!(f, ", <{memory}>")?;
        }
        if let Some(ranges) = &ttnn.core_ranges {
            f.write_str(", core_ranges = <[")?;
            for (i, range) in ranges.iter().enumerate() {
                write!(f, "{}#ttnn.core_range<{range}>", if i > 0 { ", " } else { "" })?;
            }
            f.write_str("]>")?;
        }
        if ttnn.exact_grid {
            f.write_str(", exactGrid = true")?;
        }
        if ttnn.ignore_physical_layout {
            f.write_str(", ignorePhysicalLayout = true")?;
        }
        f.write_str(">>")
    }

    fn write_nd(&self, f: &mut fmt::Formatter<'_>, nd: &NdEncoding) -> fmt::Result {
        self.write_tensor(f)?;
        write!(f, "#ttnn.ttnn_nd_layout<<{}>, ", Separated(&nd.grid, "x"))?;
        self.write_memref(f, nd.buffer)?;
        write!(f, ", <{}>", nd.memory)?;
        if let Some(orientation) = nd.orientation {
            write!(f, ", <{orientation}>")?;
        }
        if let Some(distribution) = nd.distribution {
            write!(f, ", <{distribution}>")?;
        }
        f.write_str(">>")
    }
}

debug_as_display!(TensorType);
