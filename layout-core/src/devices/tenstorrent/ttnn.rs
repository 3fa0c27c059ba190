//! The layout of a TTNN tensor: dimensions fold into rows by their strides, and a shard shape cuts
//! them.

use core::fmt;

use crate::devices::numbers::{array, flat, times, zero_in};
use crate::devices::print::Separated;
use crate::devices::tenstorrent::shards::Shards;
use crate::devices::tenstorrent::{AffineMap, Located, MetalLayout, Tile};
use crate::devices::{AnyPlacement, ElementType, MAX_DIMENSIONS, Placement};
use crate::engine::IntTuple;
use crate::error::{LayoutError, TenstorrentError};
use crate::fallibility::AtRunTime;

/// How a TTNN tensor is cut over cores: `shape` and `stride` as in PyTorch, the logical
/// `shard_shape`, and the tile that shards are padded to.
///
/// The inner dimension is the width, and all others fold into rows: element `c` is in row
/// `sum of c[d] * stride[d] / stride[-2]` and column `c[-1]`. With a tile of one row, shards are
/// row-major.
///
/// The specification's formula of `grid_shape` has two mistakes. The correct formula is
/// `[ceil(shape[0] * stride[0] / stride[-2] / shard[0]), ceil(stride[-2] / shard[1])]`.
///
/// ```
/// use static_layout::devices::tenstorrent::{Strategy, Tile, TtnnLayout};
/// let l = TtnnLayout::new(&[12, 12, 16], [72, 16], Tile::new(32, 32)?)?;
/// assert_eq!((l.rows(), l.width(), l.grid_shape()), (144, 16, [2, 1]));
/// assert_eq!((l.physical_shard_shape(), l.strategy()), ([96, 32], Strategy::Height));
/// // A dimension of 12, padded to 32.
/// let padded = TtnnLayout::with_stride(&[12, 12, 16], &[512, 16, 1], [96, 16], Tile::new(32, 32)?)?;
/// assert_eq!((padded.rows(), padded.grid_shape()), (384, [4, 1]));
/// assert_eq!(padded.locate(&[11, 11, 15])?.core.leaves(), &[3, 0]);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TtnnLayout {
    shape: [usize; MAX_DIMENSIONS],
    stride: [usize; MAX_DIMENSIONS],
    rank: usize,
    shard: [usize; 2],
    tile: Tile,
    placement: Placement,
}

/// How a tensor is distributed over cores.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strategy {
    /// One shard holds it.
    Single,
    /// Shards of full width, stacked along the rows.
    Height,
    /// Shards of full height, side by side.
    Width,
    /// Shards in both directions.
    Block,
}

impl Strategy {
    /// TTNN's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Height => "height_sharded",
            Self::Width => "width_sharded",
            Self::Block => "block_sharded",
        }
    }
}

impl TtnnLayout {
    /// The layout of a tensor of this shape with row-major strides.
    ///
    /// # Errors
    ///
    /// The errors of [`with_stride`](Self::with_stride).
    #[inline]
    pub const fn new(shape: &[usize], shard: [usize; 2], tile: Tile) -> Result<Self, LayoutError> {
        let (mut stride, mut step) = ([0; MAX_DIMENSIONS], 1usize);
        if shape.is_empty() || shape.len() > MAX_DIMENSIONS {
            return Err(
                TenstorrentError::StrideRank { strides: shape.len(), rank: shape.len() }.widen()
            );
        }
        repeat_rev!(d, 0..shape.len(), {
            stride[d] = step;
            step = attempt!(times(step, shape[d], "ttnn"));
        });
        Self::with_stride(shape, stride.split_at(shape.len()).0, shard, tile)
    }

    /// The layout of a tensor of this shape and with these strides.
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::ShapeExtent`], [`TenstorrentError::StrideRank`],
    /// [`TenstorrentError::ShardExtent`], [`TenstorrentError::StrideInner`],
    /// [`TenstorrentError::StrideRow`], [`TenstorrentError::StrideOverlap`]; more slots than 63 bits
    /// can count.
    #[inline]
    pub const fn with_stride(
        shape: &[usize],
        stride: &[usize],
        shard: [usize; 2],
        tile: Tile,
    ) -> Result<Self, LayoutError> {
        let rank = shape.len();
        attempt!(check(shape, stride, shard));
        // The rows of the map, and its extents: everything that the strides leave room for.
        let (mut row, mut column) = ([0; MAX_DIMENSIONS], [0; MAX_DIMENSIONS]);
        column[rank - 1] = 1;
        let (mut rows, mut width) = (1, shape[0]);
        if rank >= 2 {
            width = stride[rank - 2];
            repeat!(d, 0..rank - 1, {
                row[d] = stride[d] / width;
            });
            rows = attempt!(times(shape[0], stride[0], "ttnn")) / width;
        }
        let (row, column) = (row.split_at(rank).0, column.split_at(rank).0);
        let shards = Shards {
            shape,
            map: &attempt!(AffineMap::new(rank, &[row, column])),
            physical: &[rows, width],
            shard: &shard,
            grid: &[rows.div_ceil(shard[0]), width.div_ceil(shard[1])],
            tile: Some(tile),
        };
        let placement = attempt!(shards.placement());
        Ok(Self { shape: array(shape, 1), stride: array(stride, 0), rank, shard, tile, placement })
    }

    /// The layout with the same strides on this grid, with shards rounded up to the necessary size.
    /// If fewer cores suffice, [`grid_shape`](Self::grid_shape) is smaller than the grid.
    ///
    /// ```
    /// use static_layout::devices::tenstorrent::{Tile, TtnnLayout};
    /// let l = TtnnLayout::new(&[4, 7, 2, 6, 433], [32, 32], Tile::new(32, 32)?)?.on_grid([17, 2])?;
    /// assert_eq!((l.rows(), l.shard_shape(), l.grid_shape()), (336, [20, 217], [17, 2]));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// The page that shows these layouts rounds down: 17 shards of 19 rows, 13 rows too few.
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::GridExtent`]
    #[inline]
    pub const fn on_grid(&self, grid: [usize; 2]) -> Result<Self, LayoutError> {
        if let Some(dimension) = zero_in(&grid) {
            return Err(TenstorrentError::GridExtent { dimension }.widen());
        }
        let shard = [self.rows().div_ceil(grid[0]), self.width().div_ceil(grid[1])];
        Self::with_stride(self.shape(), self.stride(), shard, self.tile)
    }

    /// The extents of the tensor.
    #[inline]
    pub const fn shape(&self) -> &[usize] {
        self.shape.split_at(self.rank).0
    }

    /// Its strides.
    #[inline]
    pub const fn stride(&self) -> &[usize] {
        self.stride.split_at(self.rank).0
    }

    /// Number of rows after folding.
    #[inline]
    pub const fn rows(&self) -> usize {
        self.placement.index_extents()[0]
    }

    /// Number of columns: the stride of the second to last dimension.
    #[inline]
    pub const fn width(&self) -> usize {
        self.placement.index_extents()[1]
    }

    /// The extents of a shard before it is padded to tiles.
    pub const fn shard_shape(&self) -> [usize; 2] {
        self.shard
    }

    /// The extents of a shard, padded to tiles.
    pub const fn physical_shard_shape(&self) -> [usize; 2] {
        let (height, width) = (self.tile.height(), self.tile.width());
        let [rows, columns] = self.shard;
        [rows.div_ceil(height) * height, columns.div_ceil(width) * width]
    }

    /// The tile.
    pub const fn tile(&self) -> Tile {
        self.tile
    }

    /// Number of shards along rows and along columns.
    #[inline]
    pub const fn grid_shape(&self) -> [usize; 2] {
        [self.rows().div_ceil(self.shard[0]), self.width().div_ceil(self.shard[1])]
    }

    /// How the tensor is distributed over cores.
    #[inline]
    pub const fn strategy(&self) -> Strategy {
        match self.grid_shape() {
            [1, 1] => Strategy::Single,
            [_, 1] => Strategy::Height,
            [1, _] => Strategy::Width,
            _ => Strategy::Block,
        }
    }

    /// The position of the element with this coordinate: `physical` is its row and column.
    ///
    /// # Errors
    ///
    /// A coordinate of another rank, or outside the shape.
    #[inline]
    pub const fn locate(&self, coordinate: &[usize]) -> Result<Located, LayoutError> {
        let physical = attempt!(self.placement.index(coordinate));
        let slot = attempt!(self.placement.slot(coordinate));
        let (x, [height, width]) = (physical.leaves(), self.shard);
        let core: IntTuple = attempt!(flat(&[x[0] / height, x[1] / width]));
        let local = attempt!(flat(&[x[0] % height, x[1] % width]));
        Ok(Located { physical, core, local, offset: slot.offset })
    }

    /// The equivalent metal layout, for a tensor of these elements: its map gives rows and columns,
    /// cut into [shards](MetalLayout::in_shards).
    ///
    /// ```
    /// use static_layout::devices::{ElementType, tenstorrent::{Tile, TtnnLayout}};
    /// let l = TtnnLayout::new(&[12, 12, 16], [72, 16], Tile::new(32, 32)?)?;
    /// assert_eq!(
    ///     l.to_metal_layout(ElementType::Bf16)?.to_string(),
    ///     "tensor<12x12x16xbf16, #tt.metal_layout<(d0, d1, d2) -> (d0 * 12 + d1, d2), undef, <2x1>, \
    ///      memref<3x1x!tt.tile<32x32, bf16>, #tt.memory_space<l1>>>>"
    /// );
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::ScalarBlockFloat`]; more slots than [`MAX_SIZE`](crate::engine::MAX_SIZE).
    #[inline]
    pub const fn to_metal_layout(&self, element: ElementType) -> Result<MetalLayout, LayoutError> {
        let (row, column) = (self.placement.row(0), self.placement.row(1));
        let rows = [row.split_at(self.rank).0, column.split_at(self.rank).0];
        let map = attempt!(AffineMap::new(self.rank, &rows));
        let layout = attempt!(MetalLayout::new(self.shape(), element, &map, &[1, 1]));
        let layout = attempt!(layout.with_physical(&[self.rows(), self.width()]));
        attempt!(layout.in_shards(&self.shard)).tiled(self.tile, element)
    }

    /// The placement.
    pub const fn placement(&self) -> Placement {
        self.placement
    }
}

#[inline]
const fn check(shape: &[usize], stride: &[usize], shard: [usize; 2]) -> Result<(), LayoutError> {
    let rank = shape.len();
    if let Some(dimension) = zero_in(shape) {
        return Err(TenstorrentError::ShapeExtent { dimension }.widen());
    }
    if rank == 0 || stride.len() != rank {
        return Err(TenstorrentError::StrideRank { strides: stride.len(), rank }.widen());
    }
    if shard[0] == 0 || shard[1] == 0 {
        return Err(TenstorrentError::ShardExtent { height: shard[0], width: shard[1] }.widen());
    }
    refuse!(stride[rank - 1] != 1, TenstorrentError::StrideInner { stride: stride[rank - 1] });
    if rank == 1 {
        return Ok(());
    }
    // Each stride has room for everything further in, and is a whole number of rows.
    let width = stride[rank - 2];
    let mut needed = shape[rank - 1];
    repeat_rev!(dimension, 0..rank - 1, {
        let stride = stride[dimension];
        refuse!(stride < needed, TenstorrentError::StrideOverlap { dimension, stride, needed });
        if !stride.is_multiple_of(width) {
            return Err(TenstorrentError::StrideRow { dimension, stride, width }.widen());
        }
        needed = attempt!(times(stride, shape[dimension], "ttnn"));
    });
    Ok(())
}

/// `(12,12,16):(192,16,1) in shards of 72x16 in tiles of 32x32`
impl fmt::Debug for TtnnLayout {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shape, stride) = (Separated(self.shape(), ","), Separated(self.stride(), ","));
        let [height, width] = self.shard;
        write!(f, "({shape}):({stride}) in shards of {height}x{width} in tiles of {:?}", self.tile)
    }
}

impl AnyPlacement for TtnnLayout {
    type Fallibility = AtRunTime;

    fn placement(&self) -> Placement {
        self.placement
    }

    #[inline]
    fn slot_number(&self, coordinate: &[usize]) -> Result<usize, LayoutError> {
        self.placement.slot_number(coordinate)
    }
}
