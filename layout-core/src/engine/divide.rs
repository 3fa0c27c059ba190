//! Divides: split a layout into a tile and the rest.

use crate::engine::layout::DynLayout;
use crate::engine::tiler::{ByMode, Tiler, outer_mode};
use crate::error::{LayoutError, Operand, Place};

impl DynLayout {
    /// [`logical_divide_by`](Self::logical_divide_by) by one layout, for a mode of a layout.
    pub(crate) const fn logical_divide_at(
        &self,
        tile: &Self,
        mode: Option<usize>,
    ) -> Result<Self, LayoutError> {
        const NAME: &str = ByMode::LogicalDivide.name();
        let place = Place::new(NAME, mode, Operand::Tile);
        // CuTe passes the shape of the coalesced A as the cotarget, which rounds mode by mode. That
        // differs from the size only where the composition does not exist.
        let rest = attempt!(tile.complement_at(self.size(), place));
        // The tile is exact everywhere. Only the rest may overhang.
        attempt!(self.composition_at(tile, place));
        let both = attempt!(Self::tuple(&[*tile, rest]));
        self.composition_inside(&both, Place::new(NAME, mode, Operand::TileAndRest))
    }

    /// The layout as (tile, rest): `composition(A, (B, complement(B, size(A))))`.
    ///
    /// A tuple divides mode by mode; further modes of the layout stay.
    ///
    /// Mode 0 is the tile, mode 1 runs over the tiles. A tile that does not divide the layout
    /// overhangs: the rest is rounded up, and coordinates beyond A are meaningless.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, Tiler};
    /// let a = DynLayout::parse("(4,2,3):(2,1,8)").unwrap();
    /// let divided = a.logical_divide_by(&Tiler::layout(&DynLayout::leaf(4, 2)))?;
    /// assert_eq!(divided.to_string(), "((2,2),(2,3)):((4,1),(2,8))");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`complement`](crate::engine::algebra::complement) and
    /// [`composition`](crate::engine::algebra::composition), and [`LayoutError::TilerRank`].
    pub const fn logical_divide_by(&self, tiler: &Tiler) -> Result<Self, LayoutError> {
        ByMode::LogicalDivide.apply(self, tiler)
    }

    /// [`logical_divide_by`](Self::logical_divide_by) with the tiles of all modes gathered in
    /// mode 0 and the rests in mode 1: `((tile..), (rest.., further modes..))`.
    ///
    /// `_` keeps a mode that is already a (tile, rest) pair, as in CuTe.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, Tiler};
    /// let rows = DynLayout::parse("(64,64):(64,1)").unwrap();
    /// let tile = Tiler::layout(&DynLayout::leaf(8, 1));
    /// let tiles = rows.zipped_divide_by(&Tiler::modes(&[tile, tile])?)?;
    /// assert_eq!(tiles.to_string(), "((8,8),(8,8)):((64,1),(512,8))");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of `logical_divide_by`, and [`LayoutError::KeepNeedsPair`].
    pub const fn zipped_divide_by(&self, tiler: &Tiler) -> Result<Self, LayoutError> {
        let divided = attempt!(self.logical_divide_by(tiler));
        divided.zipped(tiler, "zipped_divide")
    }

    /// [`zipped_divide_by`](Self::zipped_divide_by) with the modes of the rest unpacked:
    /// `((tile..), rest.., further modes..)`. A rest of one mode stays as it is.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, Tiler};
    /// let l = DynLayout::parse("(9,(4,8)):(59,(13,1))").unwrap();
    /// let tiles = l.tiled_divide_by(&Tiler::parse("<3:3, (2,4):(1,8)>").unwrap())?;
    /// assert_eq!(tiles.to_string(), "((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of `zipped_divide_by`.
    pub const fn tiled_divide_by(&self, tiler: &Tiler) -> Result<Self, LayoutError> {
        attempt!(self.zipped_divide_by(tiler)).unpacked(false)
    }

    /// [`zipped_divide_by`](Self::zipped_divide_by) with the modes of both unpacked:
    /// `(tile.., rest.., further modes..)`. A tile or a rest of one mode stays as it is.
    ///
    /// # Errors
    ///
    /// The errors of `zipped_divide_by`.
    pub const fn flat_divide_by(&self, tiler: &Tiler) -> Result<Self, LayoutError> {
        attempt!(self.zipped_divide_by(tiler)).unpacked(true)
    }

    /// Unpacks the modes of mode 1, and of mode 0 if `both`, as modes of the whole.
    pub(crate) const fn unpacked(&self, both: bool) -> Result<Self, LayoutError> {
        let (tile, rest) = (self.mode(0), self.mode(1));
        let mut l = Self::EMPTY;
        l = attempt!(if both { l.push_unpacked(&tile) } else { l.push(&tile) });
        Ok(attempt!(l.push_unpacked(&rest)).parenthesised())
    }

    /// Appends the modes of `mode`, or `mode` itself if it has only one: CuTe slices it with as many
    /// `_` as it has modes, and the tuple of one `_` is `_`.
    pub(crate) const fn push_unpacked(self, mode: &Self) -> Result<Self, LayoutError> {
        if mode.rank() == 1 { self.push(mode) } else { self.push_modes(mode, 0, mode.rank()) }
    }

    /// Gathers the pairs that a tiler produced at its leaves into one pair.
    pub(crate) const fn zipped(
        &self,
        tiler: &Tiler,
        operation: &'static str,
    ) -> Result<Self, LayoutError> {
        let (first, second) = attempt!(self.unzip(tiler, operation, None));
        Self::tuple(&[first, second])
    }

    const fn unzip(
        &self,
        tiler: &Tiler,
        operation: &'static str,
        mode: Option<usize>,
    ) -> Result<(Self, Self), LayoutError> {
        if tiler.is_keep() || tiler.as_layout().is_some() {
            if self.shape().is_int() || self.rank() != 2 {
                return Err(LayoutError::KeepNeedsPair { operation, mode, shape: self.shape() });
            }
            return Ok((self.mode(0), self.mode(1)));
        }
        let (mut tiles, mut rests) = (Self::EMPTY, Self::EMPTY);
        repeat!(i, 0..self.rank(), {
            if i < tiler.rank() {
                let (tile, rest) =
                    attempt!(self.mode(i).unzip(&tiler.mode(i), operation, outer_mode(mode, i)));
                tiles = attempt!(tiles.push(&tile));
                rests = attempt!(rests.push(&rest));
            } else {
                rests = attempt!(rests.push(&self.mode(i)));
            }
        });
        Ok((tiles.parenthesised(), rests.parenthesised()))
    }
}
