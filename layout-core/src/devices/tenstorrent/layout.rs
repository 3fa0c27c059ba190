//! `MetalLayout`: its parts and its rules.

use crate::devices::numbers::{array, flat, zero_in};
use crate::devices::tenstorrent::shards::Shards;
use crate::devices::tenstorrent::{AffineMap, MemorySpace, Tile};
use crate::devices::{AnyPlacement, ElementType, Fill, MAX_DIMENSIONS, Placement};
use crate::engine::{DynLayout, IntTuple};
use crate::error::{LayoutError, TenstorrentError};
use crate::fallibility::AtRunTime;

/// How a tensor is cut over a grid of cores, tiled and padded: `#tt.metal_layout`.
///
/// See the [module](crate::devices::tenstorrent) for the model. `Display` prints the text of the tensor
/// type, and [`parse`](Self::parse) reads it.
///
/// ```
/// use static_layout::devices::ElementType;
/// use static_layout::devices::tenstorrent::{AffineMap, MetalLayout, Tile};
/// let map = AffineMap::collapsed(&[53, 63], &[], 2)?;
/// let scalar = MetalLayout::new(&[53, 63], ElementType::F32, &map, &[3, 2])?;
/// assert_eq!(scalar.memref().leaves(), &[18, 32]);
/// let tiled = scalar.tiled(Tile::new(32, 32)?, ElementType::BfpBf8)?;
/// assert_eq!(tiled.memref().leaves(), &[1, 1]);
/// assert_eq!(tiled.core(&[0, 0])?.pad.leaves(), &[14, 0]);
/// assert_eq!(tiled.core(&[2, 1])?.pad.leaves(), &[15, 1]);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MetalLayout {
    shape: [usize; MAX_DIMENSIONS],
    pub(super) map: AffineMap,
    pub(super) grid: [usize; MAX_DIMENSIONS],
    element: ElementType,
    stored: ElementType,
    tile: Option<Tile>,
    fill: Fill,
    space: MemorySpace,
    // The extents that the grid cuts: at least those that the map reaches.
    pub(super) physical: [usize; MAX_DIMENSIONS],
    // Derived from the fields above.
    placement: Placement,
}

impl MetalLayout {
    /// The layout of a tensor of this shape whose cores hold its elements untiled, in their L1
    /// memory. Padding is undefined.
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::ShapeExtent`], [`TenstorrentError::GridExtent`],
    /// [`TenstorrentError::MapRank`], [`TenstorrentError::GridRank`], [`TenstorrentError::Alias`],
    /// [`TenstorrentError::ScalarBlockFloat`]; more dimensions than [`MAX_DIMENSIONS`], more slots
    /// than [`MAX_SIZE`](crate::engine::MAX_SIZE).
    #[inline]
    pub const fn new(
        shape: &[usize],
        element: ElementType,
        map: &AffineMap,
        grid: &[usize],
    ) -> Result<Self, LayoutError> {
        attempt!(check_extents(shape, grid));
        if map.rank() != shape.len() {
            return Err(
                TenstorrentError::MapRank { dimensions: map.rank(), rank: shape.len() }.widen()
            );
        }
        if map.results() != grid.len() {
            return Err(
                TenstorrentError::GridRank { results: map.results(), grid: grid.len() }.widen()
            );
        }
        refuse!(element.is_block_float(), TenstorrentError::ScalarBlockFloat { element });
        let mut physical = [1; MAX_DIMENSIONS];
        repeat!(i, 0..grid.len(), {
            physical[i] = attempt!(map.extent(i, shape));
        });
        let layout = attempt!(
            Self {
                shape: array(shape, 1),
                map: *map,
                grid: array(grid, 1),
                element,
                stored: element,
                tile: None,
                fill: Fill::Undef,
                space: MemorySpace::L1,
                physical,
                placement: attempt!(attempt!(Placement::builder(&[], 1, 1)).build()),
            }
            .placed()
        );
        match layout.placement.is_injective() {
            Ok(true) => Ok(layout),
            Ok(false) => match layout.alias() {
                Ok(error) | Err(error) => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    /// The layout whose cores hold tiles of `stored` elements. The grid cuts first: each shard is
    /// padded to tiles separately.
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::TileRank`] for a grid of fewer than two dimensions; more slots than
    /// [`MAX_SIZE`](crate::engine::MAX_SIZE).
    #[inline]
    pub const fn tiled(self, tile: Tile, stored: ElementType) -> Result<Self, LayoutError> {
        refuse!(self.results() < 2, TenstorrentError::TileRank { results: self.results() });
        Self { tile: Some(tile), stored, ..self }.placed()
    }

    /// The layout without tiles whose cores hold `stored` elements.
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::ScalarBlockFloat`]
    #[inline]
    pub const fn untiled(self, stored: ElementType) -> Result<Self, LayoutError> {
        refuse!(stored.is_block_float(), TenstorrentError::ScalarBlockFloat { element: stored });
        Self { tile: None, stored, ..self }.placed()
    }

    /// The layout with this value in its padding.
    pub const fn with_fill(self, fill: Fill) -> Self {
        Self { fill, ..self }
    }

    /// The layout in another memory.
    pub const fn in_space(self, space: MemorySpace) -> Self {
        Self { space, ..self }
    }

    /// Checks a memref given in a text against [`memref`](Self::memref).
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::MemrefRank`], [`TenstorrentError::MemrefShape`].
    #[inline]
    pub const fn check_memref(&self, extents: &[usize]) -> Result<(), LayoutError> {
        let results = self.results();
        if extents.len() != results {
            return Err(TenstorrentError::MemrefRank { memref: extents.len(), results }.widen());
        }
        repeat!(i, 0..results, {
            let derived = self.memref_extent(i);
            if extents[i] != derived {
                let (physical, cores) = (self.physical[i], self.grid[i]);
                let (given, tile) = (extents[i], self.tile_extent(i));
                let error = TenstorrentError::MemrefShape {
                    result: i,
                    given,
                    derived,
                    physical,
                    cores,
                    tile,
                };
                return Err(error.widen());
            }
        });
        Ok(())
    }

    /// The extents of the tensor.
    #[inline]
    pub const fn shape(&self) -> &[usize] {
        self.shape.split_at(self.rank()).0
    }

    /// The number of dimensions of the tensor.
    pub const fn rank(&self) -> usize {
        self.map.rank()
    }

    /// The map from coordinates to the physical extents, which the grid cuts.
    pub const fn map(&self) -> &AffineMap {
        &self.map
    }

    /// The extents of the grid of cores. The grid is virtual: a device maps it to its cores.
    #[inline]
    pub const fn grid(&self) -> &[usize] {
        self.grid.split_at(self.results()).0
    }

    pub(super) const fn results(&self) -> usize {
        self.map.results()
    }

    /// The element type of the tensor.
    pub const fn element(&self) -> ElementType {
        self.element
    }

    /// The element type of the buffers: that of the tiles if there are any.
    pub const fn stored(&self) -> ElementType {
        self.stored
    }

    /// The tile, if the buffers hold tiles.
    pub const fn tile(&self) -> Option<Tile> {
        self.tile
    }

    /// The value of padding.
    pub const fn fill(&self) -> Fill {
        self.fill
    }

    /// The memory that the buffers are in.
    pub const fn space(&self) -> MemorySpace {
        self.space
    }

    /// The extents that the grid cuts: the image of the last coordinate plus 1, or the larger
    /// extents given by [`with_physical`](Self::with_physical).
    #[inline]
    pub const fn physical(&self) -> &[usize] {
        self.physical.split_at(self.results()).0
    }

    /// The extents of a shard in elements, before it is padded to tiles.
    #[inline]
    pub const fn shard(&self) -> IntTuple {
        self.tuple(&self.shard_extents())
    }

    #[inline]
    const fn shard_extents(&self) -> [usize; MAX_DIMENSIONS] {
        let mut shard = [1; MAX_DIMENSIONS];
        repeat!(i, 0..self.results(), {
            shard[i] = self.shard_extent(i);
        });
        shard
    }

    /// The extents of the buffer of a core, in tiles if it holds tiles.
    #[inline]
    pub const fn memref(&self) -> IntTuple {
        let mut memref = [1; MAX_DIMENSIONS];
        repeat!(i, 0..self.results(), {
            memref[i] = self.memref_extent(i);
        });
        self.tuple(&memref)
    }

    /// The extents of the buffer of a core in elements.
    #[inline]
    pub const fn padded_shard(&self) -> IntTuple {
        let mut shard = [1; MAX_DIMENSIONS];
        repeat!(i, 0..self.results(), {
            shard[i] = self.memref_extent(i) * self.tile_extent(i);
        });
        self.tuple(&shard)
    }

    /// The placement.
    pub const fn placement(&self) -> Placement {
        self.placement
    }

    pub(super) const fn placement_ref(&self) -> &Placement {
        &self.placement
    }

    #[inline(never)]
    pub(super) const fn tuple(&self, numbers: &[usize; MAX_DIMENSIONS]) -> IntTuple {
        // The rank is below the maximum number of leaves of a tuple.
        or_panic!(flat(numbers.split_at(self.results()).0))
    }

    pub(super) const fn shard_extent(&self, i: usize) -> usize {
        self.physical[i].div_ceil(self.grid[i])
    }

    /// The extent of the tile in dimension `i` of the shard.
    pub(super) const fn tile_extent(&self, i: usize) -> usize {
        Tile::extent(&self.tile, self.results() - i)
    }

    #[inline]
    pub(super) const fn memref_extent(&self, i: usize) -> usize {
        self.shard_extent(i).div_ceil(self.tile_extent(i))
    }

    /// The error if the map is not injective: it names the first dimension, by rising stride, that
    /// makes the map not injective together with the dimensions before.
    #[inline]
    const fn alias(&self) -> Result<LayoutError, LayoutError> {
        let linear = self.placement.linear();
        let (mut taken, mut joined) = ([false; MAX_DIMENSIONS], DynLayout::EMPTY);
        let mut dimension = 0;
        while joined.len() < self.rank() {
            dimension = MAX_DIMENSIONS;
            repeat!(d, 0..self.rank(), {
                if !taken[d]
                    && (dimension == MAX_DIMENSIONS
                        || linear.strides()[d] < linear.strides()[dimension])
                {
                    dimension = d;
                }
            });
            taken[dimension] = true;
            joined.extend_leaf(linear.extents()[dimension], linear.strides()[dimension]);
            if !attempt!(joined.parenthesised().is_injective()) {
                break;
            }
        }
        let mut coefficient = 0;
        repeat!(i, 0..self.results(), {
            let found = self.map.row(i)[dimension];
            coefficient = if found > coefficient { found } else { coefficient };
        });
        Ok(TenstorrentError::Alias { dimension, coefficient }.widen())
    }

    /// Computes the placement from the other fields.
    #[inline]
    pub(super) const fn placed(mut self) -> Result<Self, LayoutError> {
        let shard = self.shard_extents();
        let shards = Shards {
            shape: self.shape(),
            map: &self.map,
            physical: self.physical(),
            shard: shard.split_at(self.results()).0,
            grid: self.grid(),
            tile: self.tile,
        };
        self.placement = attempt!(shards.placement());
        Ok(self)
    }
}

#[inline]
const fn check_extents(shape: &[usize], grid: &[usize]) -> Result<(), LayoutError> {
    match (zero_in(shape), zero_in(grid)) {
        (Some(dimension), _) => Err(TenstorrentError::ShapeExtent { dimension }.widen()),
        (_, Some(dimension)) => Err(TenstorrentError::GridExtent { dimension }.widen()),
        (None, None) => Ok(()),
    }
}

impl AnyPlacement for MetalLayout {
    type Fallibility = AtRunTime;

    fn placement(&self) -> Placement {
        self.placement
    }

    #[inline]
    fn slot_number(&self, coordinate: &[usize]) -> Result<usize, LayoutError> {
        self.placement.slot_number(coordinate)
    }

    fn fill(&self) -> Fill {
        self.fill
    }
}
