//! Metal layouts with extra room: extents are rounded up to alignments or shards before the grid
//! cuts them.

use crate::devices::tenstorrent::{AffineMap, MetalLayout};
use crate::devices::{ElementType, MAX_DIMENSIONS};
use crate::engine::MAX_SIZE;
use crate::error::{LayoutError, TenstorrentError};

/// The extent of a grid dimension that has no dimension of the tensor: the rows of a tile.
const PLANE: usize = 32;

impl MetalLayout {
    /// The layout whose grid cuts these extents. Each must be at least the extent that the map
    /// reaches; the rest is padding.
    ///
    /// The notation is `physical = 64x64` after the map.
    ///
    /// ```
    /// use static_layout::devices::{ElementType, tenstorrent::{AffineMap, MetalLayout}};
    /// let map = AffineMap::collapsed(&[53, 63], &[], 2)?;
    /// let l = MetalLayout::new(&[53, 63], ElementType::F32, &map, &[2, 2])?.with_physical(&[64, 64])?;
    /// assert_eq!(l.shard().leaves(), &[32, 32]);
    /// assert_eq!(
    ///     l.to_string(),
    ///     "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), physical = 64x64, undef, <2x2>, \
    ///      memref<32x32xf32, #tt.memory_space<l1>>>>"
    /// );
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::PhysicalRank`], [`TenstorrentError::PhysicalExtent`]; more slots than
    /// [`MAX_SIZE`](crate::engine::MAX_SIZE).
    #[inline]
    pub const fn with_physical(mut self, physical: &[usize]) -> Result<Self, LayoutError> {
        let results = self.results();
        if physical.len() != results {
            return Err(TenstorrentError::PhysicalRank { extents: physical.len(), results }.widen());
        }
        repeat!(result, 0..results, {
            let (given, reached) = (physical[result], self.reached(result));
            refuse!(given < reached, TenstorrentError::PhysicalExtent { result, given, reached });
            self.physical[result] = given;
        });
        self.placed()
    }

    /// The layout whose shards have these extents, on as many cores as needed. The last shards are
    /// padded to the same size.
    ///
    /// The notation is `shard = 72x16` instead of the grid.
    ///
    /// ```
    /// use static_layout::devices::tenstorrent::MetalLayout;
    /// let text = "tensor<12x12x16xbf16, #tt.metal_layout<collapse = [(0, -1)], undef, shard = 80x16>>";
    /// let l = MetalLayout::parse(text).unwrap();
    /// assert_eq!((l.grid(), l.physical(), l.shard().leaves()), (&[2, 1][..], &[160, 16][..], &[80, 16][..]));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::GridRank`], [`LayoutError::ZeroExtent`]; more slots than
    /// [`MAX_SIZE`](crate::engine::MAX_SIZE).
    #[inline]
    pub const fn in_shards(mut self, shard: &[usize]) -> Result<Self, LayoutError> {
        let results = self.results();
        refuse!(shard.len() != results, TenstorrentError::GridRank { results, grid: shard.len() });
        repeat!(i, 0..results, {
            refuse!(shard[i] == 0, LayoutError::ZeroExtent);
            self.physical[i] = match self.physical[i].checked_next_multiple_of(shard[i]) {
                Some(physical) if physical <= MAX_SIZE => physical,
                _ => return Err(LayoutError::IntegerOverflow { operation: "shard" }),
            };
            self.grid[i] = self.physical[i] / shard[i];
        });
        self.placed()
    }

    /// The layout of a tensor whose dimensions are rounded up to multiples of their alignments, and
    /// joined by intervals: `dim_alignments` and `collapsed_intervals` of the current
    /// `#ttcore.metal_layout`.
    ///
    /// Within an interval, from the last dimension on, the product so far is rounded up and becomes
    /// the coefficient of the previous dimension. Dimensions outside all intervals stay as they are.
    /// A tensor of one dimension on a grid of two has 32 rows, and uses the first.
    ///
    /// ```
    /// use static_layout::devices::{ElementType, tenstorrent::MetalLayout};
    /// let intervals = [(0, 2), (2, 3)];
    /// let l = MetalLayout::aligned(&[4, 43, 7], ElementType::F32, &[1, 32, 32], &intervals, &[8, 1])?;
    /// assert_eq!(l.map().to_string(), "(d0, d1, d2) -> (d0 * 64 + d1, d2)");
    /// assert_eq!((l.physical(), l.shard().leaves()), (&[256, 32][..], &[32, 32][..]));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::AlignmentRank`], [`LayoutError::ZeroExtent`] for an alignment of 0; the
    /// errors of [`AffineMap::collapsed`] and of [`new`](Self::new).
    #[inline]
    pub const fn aligned(
        shape: &[usize],
        element: ElementType,
        alignments: &[usize],
        intervals: &[(isize, isize)],
        grid: &[usize],
    ) -> Result<Self, LayoutError> {
        let rank = shape.len();
        if alignments.len() != rank {
            return Err(
                TenstorrentError::AlignmentRank { alignments: alignments.len(), rank }.widen()
            );
        }
        let collapsed = attempt!(AffineMap::collapsed(shape, intervals, grid.len()));
        let mut rows = [[0; MAX_DIMENSIONS]; MAX_DIMENSIONS];
        let mut physical = [1; MAX_DIMENSIONS];
        repeat!(i, 0..grid.len(), {
            let (mut room, mut joined) = (1usize, 0);
            repeat_rev!(d, 0..rank, {
                if collapsed.row(i)[d] > 0 {
                    rows[i][d] = room;
                    room = attempt!(rounded_up(room, shape[d], alignments[d]));
                    joined += 1;
                }
            });
            if joined == 0 {
                if rank > 1 {
                    let results = grid.len() - i - 1;
                    return Err(TenstorrentError::GridRank { results, grid: grid.len() }.widen());
                }
                room = PLANE;
            }
            physical[i] = room;
        });
        let map = attempt!(AffineMap::of_rows(rank, &rows, grid.len()));
        let layout = attempt!(Self::new(shape, element, &map, grid));
        layout.with_physical(physical.split_at(grid.len()).0)
    }

    /// The layout that divides whole tiles over the grid, as TTNN does today: each core has as many
    /// tiles as its memref, and no tile crosses the end of a shard. Without tiles, it is the same
    /// layout.
    ///
    /// ```
    /// use static_layout::devices::{ElementType, tenstorrent::{AffineMap, MetalLayout, Tile}};
    /// let map = AffineMap::collapsed(&[100, 64], &[], 2)?;
    /// let l = MetalLayout::new(&[100, 64], ElementType::F32, &map, &[3, 1])?;
    /// let l = l.tiled(Tile::new(32, 32)?, ElementType::F32)?;
    /// assert_eq!((l.shard().leaves(), l.memref().leaves()), (&[34, 64][..], &[2, 2][..]));
    /// assert_eq!(l.in_whole_tiles()?.shard().leaves(), &[64, 64]);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// More slots than [`MAX_SIZE`](crate::engine::MAX_SIZE).
    #[inline]
    pub const fn in_whole_tiles(mut self) -> Result<Self, LayoutError> {
        if self.tile().is_none() {
            return Ok(self);
        }
        repeat!(i, 0..self.results(), {
            // These factors divide the number of slots.
            self.physical[i] = self.memref_extent(i) * self.tile_extent(i) * self.grid[i];
        });
        self.placed()
    }

    /// Checks that the grid and the tiles divide the extents that they cut, so that all shards are
    /// full tiles, as the current attribute requires.
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::GridDivides`]
    #[inline]
    pub const fn check_exact(&self) -> Result<(), LayoutError> {
        repeat!(result, 0..self.results(), {
            let (physical, cores) = (self.physical()[result], self.grid()[result]);
            let tile = self.tile_extent(result);
            if self.memref_extent(result) * tile * cores != physical {
                return Err(TenstorrentError::GridDivides { result, physical, cores, tile }.widen());
            }
        });
        Ok(())
    }

    /// Whether the grid cuts more than the map reaches.
    #[inline]
    pub const fn has_room(&self) -> bool {
        repeat!(i, 0..self.results(), {
            if self.physical()[i] > self.reached(i) {
                return true;
            }
        });
        false
    }

    /// Result `i` of the last coordinate, plus 1.
    #[inline]
    pub(super) const fn reached(&self, i: usize) -> usize {
        // Already computed once to create this layout.
        or_panic!(self.map().extent(i, self.shape()))
    }
}

/// The product, rounded up to a multiple.
#[inline]
const fn rounded_up(room: usize, extent: usize, alignment: usize) -> Result<usize, LayoutError> {
    refuse!(alignment == 0 || extent == 0, LayoutError::ZeroExtent);
    if let Some(product) = room.checked_mul(extent)
        && let Some(rounded) = product.checked_next_multiple_of(alignment)
        && rounded <= MAX_SIZE
    {
        return Ok(rounded);
    }
    Err(LayoutError::IntegerOverflow { operation: "dim_alignments" })
}
