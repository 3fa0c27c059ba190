//! The placement of the shards of a grid of cores.

use crate::devices::tenstorrent::{AffineMap, Tile};
use crate::devices::{MAX_DIMENSIONS, Placement};
use crate::error::LayoutError;

/// A tensor that a map sends to `physical` extents, which a grid cuts into shards, with or without
/// tiles.
#[derive(Clone, Copy)]
pub(super) struct Shards<'a> {
    pub(super) shape: &'a [usize],
    pub(super) map: &'a AffineMap,
    pub(super) physical: &'a [usize],
    pub(super) shard: &'a [usize],
    pub(super) grid: &'a [usize],
    pub(super) tile: Option<Tile>,
}

impl Shards<'_> {
    /// Extent `i` of the buffer of a core, in tiles.
    #[inline]
    const fn memref_extent(&self, i: usize) -> usize {
        self.shard[i].div_ceil(Tile::extent(&self.tile, self.grid.len() - i))
    }

    /// The placement: tiles are row-major in a buffer, and cores in the grid.
    #[inline]
    pub(super) const fn placement(&self) -> Result<Placement, LayoutError> {
        let results = self.grid.len();
        let unit = match &self.tile {
            Some(tile) => tile.elements(),
            None => 1,
        };
        let (mut storage, mut cores) = (unit, 1usize);
        let mut strides = [(0, 0); MAX_DIMENSIONS];
        let mut i = results;
        while i > 0 {
            i -= 1;
            strides[i] = (storage, cores);
            (storage, cores) =
                match (storage.checked_mul(self.memref_extent(i)), cores.checked_mul(self.grid[i]))
                {
                    (Some(storage), Some(cores)) => (storage, cores),
                    _ => return Err(LayoutError::IntegerOverflow { operation: "shards" }),
                };
        }
        let mut p = attempt!(Placement::builder(self.shape, storage, cores));
        repeat!(i, 0..results, {
            p = attempt!(p.dimension(self.physical[i], self.map.row(i)));
            p = attempt!(p.piece(self.shard[i]));
            if let Some(tile) = &self.tile
                && i + 2 >= results
            {
                let leaves = tile.leaves()[i + 2 - results];
                repeat!(leaf, 0..leaves.len(), {
                    let (extent, stride) = leaves[leaf];
                    if extent > 1 {
                        p = attempt!(p.leaf(extent, stride));
                    }
                });
            }
            if self.memref_extent(i) > 1 {
                p = attempt!(p.leaf(self.memref_extent(i), strides[i].0));
            }
            if self.grid[i] > 1 {
                p = attempt!(p.piece(self.grid[i]));
                p = attempt!(p.core_leaf(self.grid[i], strides[i].1));
            }
        });
        p.build()
    }
}
