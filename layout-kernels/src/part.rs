//! Views of a part or a rearrangement of a view: rows and columns, tiles, the transpose, or any other
//! layout over the same memory. No elements are moved.

use core::ops::Range;

use layout_core::engine::{DynLayout, Tiler};
use layout_core::error::LayoutError;
use layout_core::types::{
    Algebra, AnyLayout, AnyTiler, Coordinate, Fallibility, IntoResult, Join, Kind, Outcome,
    SliceCoordinate, TileCoordinate,
};

use crate::checks::{
    check_covers, check_covers_layout, check_injective, check_matrix, const_unwrap, value,
};
use crate::view::{View, ViewMut};

pub use layout_core::operations::Transposed;

/// Fallibility of an operation on two layouts: whether it can fail at run time. It cannot if both are
/// static.
type JointFallibility<L, M> =
    <<L as AnyLayout>::Fallibility as Fallibility>::And<<M as AnyLayout>::Fallibility>;
/// A view of a tile, or a `Result` with one, depending on layout and tiler.
type TileOutcome<L, S, V> = Outcome<Join<L, S>, V>;
/// A view, or a `Result` with one, depending on the two layouts.
type ViewOutcome<L, M, V> = <JointFallibility<L, M> as Fallibility>::Outcome<V>;

impl<'a, T, L: AnyLayout> View<'a, T, L> {
    /// The subview that a coordinate with `..` selects: a row, a column, a plane.
    ///
    /// `slice(c) = self(c combined with the fixed indices)`. Modes kept inside a tuple become modes
    /// of the slice.
    ///
    /// ```
    /// use static_layout::{Tensor, layout};
    /// use static_layout::kernels::copy;
    /// type Rows = layout!((3,4):(4,1));
    /// let mut a = Tensor::<u32, Rows>::from_fn(|(i, j)| (10 * i + j) as u32);
    /// let column = a.view().slice((.., 2));
    /// assert_eq!(column.iter().copied().collect::<Vec<_>>(), [2, 12, 22]);
    /// let first = Tensor::<u32, Rows>::full(7);
    /// copy(&first.view().slice((0, ..)), &mut a.view_mut().slice_mut((1, ..)));
    /// assert_eq!(a.as_slice(), [0, 1, 2, 3, 7, 7, 7, 7, 20, 21, 22, 23]);
    /// ```
    ///
    /// # Panics
    ///
    /// If an index lies outside the shape, as slice indexing does; see
    /// [`try_slice`](Self::try_slice).
    #[inline]
    #[track_caller]
    pub fn slice<C: SliceCoordinate<L>>(&self, coordinate: C) -> View<'a, T, C::Slice> {
        let (layout, offset) = self.layout_ref().slice(coordinate);
        self.part(layout, offset)
    }

    /// [`slice`](Self::slice) for a coordinate that may lie outside the shape.
    ///
    /// # Errors
    ///
    /// If an index lies outside the shape. For a dynamic layout, also if the coordinate has a
    /// different mode structure or keeps no mode; for a static layout these do not compile.
    #[inline]
    pub fn try_slice<C: SliceCoordinate<L>>(
        &self,
        coordinate: C,
    ) -> Result<View<'a, T, C::Slice>, LayoutError> {
        let (layout, offset) = self.layout_ref().try_slice(coordinate)?;
        Ok(self.part(layout, offset))
    }

    /// The transposed matrix: `transposed(j, i) = self(i, j)`.
    ///
    /// ```
    /// use static_layout::{ArrayTensor, layout};
    /// use static_layout::kernels::gemm;
    /// type Tall = layout!((3,2):(1,3));
    /// type Square = layout!((2,2):(1,2));
    /// let a = ArrayTensor::<f32, Tall>::from_fn(|(i, j)| (i + 3 * j) as f32);
    /// let mut c = ArrayTensor::<f32, Square>::zeros();
    /// gemm(1.0, &a.view().transposed(), &a, 0.0, &mut c);
    /// assert_eq!(c.as_slice(), [5.0, 14.0, 14.0, 50.0]);
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::MatrixRank`] unless the layout has two modes; for a static layout this does not
    /// compile.
    #[inline]
    pub fn transposed(
        &self,
    ) -> <L::Fallibility as Fallibility>::Outcome<View<'a, T, Transposed<L>>> {
        const { is_static_matrix::<L>() };
        L::Fallibility::outcome(
            transposed(self.layout_ref()).map(|layout| View::new_checked(self.as_slice(), layout)),
        )
    }

    /// The same memory through another layout, which must not reach beyond this one: a tiling of the
    /// layout, a reshape, a leading part.
    ///
    /// ```
    /// use static_layout::{Algebra, Tensor, layout};
    /// type Rows = layout!((4,6):(6,1));
    /// type TwoByTwo = layout!(<2:1, 2:1>);
    /// let a = Tensor::<usize, Rows>::from_fn(|(i, j)| 10 * i + j);
    /// let tiles = a.view().with_layout(a.layout().zipped_divide(&TwoByTwo::default()));
    /// assert_eq!(tiles.layout().to_string(), "((2,2),(2,3)):((6,1),(12,2))");
    /// assert_eq!(tiles[((1, 0), (1, 2))], 34);
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::SliceTooShort`] if the layout reaches farther than this one; for two static
    /// layouts this does not compile.
    #[inline]
    pub fn with_layout<M: AnyLayout>(&self, layout: M) -> ViewOutcome<L, M, View<'a, T, M>> {
        const { is_static_part::<L, M>() };
        let fits = check_covers_layout(&layout, self.layout().cosize());
        JointFallibility::<L, M>::outcome(fits.map(|()| View::new_checked(self.as_slice(), layout)))
    }

    /// The same view with a type that fixes some or all numbers of its layout. Kernels then use them
    /// as compile-time constants.
    ///
    /// ```
    /// use static_layout::{View, layout, prelude::*};
    /// let array = DynLayout::strided(&[3, 4], &[4, 1])?;
    /// let view = View::new_in(&[1; 12], array)?;
    /// let rows: View<_, layout!((_, 4):(4, 1))> = view.typed()?;
    /// assert_eq!(rows.layout().to_string(), "(3,4):(4,1)");
    /// assert!(view.typed::<layout!((3, 4):(1, 3))>().is_err());
    /// # Ok::<(), LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ArrayError::OtherLayout`](layout_core::error::ArrayError::OtherLayout) if `M` is a static
    /// layout, [`AlgebraError::Structure`](layout_core::error::AlgebraError::Structure) if it is a
    /// mixed one.
    #[inline]
    pub fn typed<M>(&self) -> Result<View<'a, T, M>, LayoutError>
    where
        M: AnyLayout + TryFrom<DynLayout, Error = LayoutError>,
    {
        let layout = M::try_from(value(self.layout_ref())?)?;
        Ok(View::new_checked(self.as_slice(), layout))
    }

    /// The same memory through another layout that starts at the element of `coordinate`.
    ///
    /// Examples: the inner part of a padded array, the neighbourhood of an element.
    ///
    /// ```
    /// use static_layout::{layout, prelude::*};
    /// // An image with a border of zeros.
    /// let (h, w) = (3, 4);
    /// let mut padded = Tensor::<f32, _>::zeros_in(layout!(({h + 2}, {w + 2}):({w + 2}, 1)))?;
    /// let inner = layout!((h, w):({w + 2}, 1));
    /// padded.view_mut().with_layout_at_mut((1, 1), inner)?.iter_mut().for_each(|x| *x = 1.0);
    /// assert_eq!((padded[(0, 2)], padded[(1, 0)], padded[(1, 1)], padded[(3, 4)]), (0.0, 0.0, 1.0, 1.0));
    /// assert_eq!(padded.iter().sum::<f32>(), 12.0);
    ///
    /// // The 3 x 3 elements around (2,2).
    /// let around = padded.view().with_layout_at((1, 1), layout!((3, 3):({w + 2}, 1)))?;
    /// assert_eq!(around.iter().sum::<f32>(), 9.0);
    /// # Ok::<(), LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the coordinate lies outside the shape; [`LayoutError::SliceTooShort`] if the layout reaches
    /// beyond this one from there.
    pub fn with_layout_at<M: AnyLayout>(
        &self,
        coordinate: impl Coordinate<L>,
        layout: M,
    ) -> Result<View<'a, T, M>, LayoutError> {
        let range = range_from(self.layout_ref(), coordinate)?;
        check_covers_layout(&layout, range.len())?;
        Ok(View::new_checked(&self.as_slice()[range], layout))
    }

    /// The tile at a coordinate of the grid of tiles, as in [`local_tile`](AnyLayout::local_tile) of
    /// the layout. The tiles must cover the shape exactly.
    ///
    /// ```
    /// use static_layout::{Tensor, layout};
    /// type Rows = layout!((4,6):(6,1));
    /// type TwoByThree = layout!(<2:1, 3:1>);
    /// let a = Tensor::<usize, Rows>::from_fn(|(i, j)| 10 * i + j);
    /// let tile = a.view().local_tile(&TwoByThree::default(), (1, 1));
    /// assert_eq!(tile.iter().copied().collect::<Vec<_>>(), [23, 33, 24, 34, 25, 35]);
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::TilesUneven`] if a tile would reach beyond the shape,
    /// [`LayoutError::CoordinateOutOfRange`] if the coordinate lies outside the grid, and the errors
    /// of [`zipped_divide`](layout_core::types::Algebra::zipped_divide). For a static layout and a
    /// static tiler there is no `Result`: their errors are compile errors.
    ///
    /// # Panics
    ///
    /// For a static layout and a static tiler, if the coordinate lies outside the grid, as slice
    /// indexing does.
    #[inline]
    #[track_caller]
    pub fn local_tile<S: AnyTiler, C: TileCoordinate<L, S>>(
        &self,
        tiler: &S,
        coordinate: C,
    ) -> TileOutcome<L, S, View<'a, T, C::Tile>> {
        const { is_static_tiling::<L, S>() };
        let tile = tile(self.layout_ref(), tiler, coordinate)
            .map(|(layout, offset)| self.part(layout, offset));
        <Join<L, S> as Kind>::Fallibility::outcome(tile)
    }

    /// The subview with this layout and offset, both computed from the layout of this view.
    #[inline]
    fn part<M: AnyLayout>(&self, layout: M, offset: usize) -> View<'a, T, M> {
        View::new_checked(&self.as_slice()[span(&layout, offset)], layout)
    }
}

impl<T, L: AnyLayout> ViewMut<'_, T, L> {
    /// Mutable version of [`View::slice`].
    ///
    /// # Panics
    ///
    /// If an index lies outside the shape, as slice indexing does; see
    /// [`try_slice_mut`](Self::try_slice_mut).
    #[inline]
    #[track_caller]
    pub fn slice_mut<C: SliceCoordinate<L>>(&mut self, coordinate: C) -> ViewMut<'_, T, C::Slice> {
        let (layout, offset) = self.layout_ref().slice(coordinate);
        self.part_mut(layout, offset)
    }

    /// Mutable version of [`View::try_slice`].
    ///
    /// # Errors
    ///
    /// As [`View::try_slice`].
    #[inline]
    pub fn try_slice_mut<C: SliceCoordinate<L>>(
        &mut self,
        coordinate: C,
    ) -> Result<ViewMut<'_, T, C::Slice>, LayoutError> {
        let (layout, offset) = self.layout_ref().try_slice(coordinate)?;
        Ok(self.part_mut(layout, offset))
    }

    /// Mutable version of [`View::transposed`].
    ///
    /// # Errors
    ///
    /// As [`View::transposed`].
    #[inline]
    pub fn transposed_mut(
        &mut self,
    ) -> <L::Fallibility as Fallibility>::Outcome<ViewMut<'_, T, Transposed<L>>> {
        const { is_static_matrix::<L>() };
        L::Fallibility::outcome(
            transposed(self.layout_ref())
                .map(|layout| ViewMut::new_checked(self.as_mut_slice(), layout)),
        )
    }

    /// Mutable version of [`View::with_layout`].
    ///
    /// # Errors
    ///
    /// [`LayoutError::SliceTooShort`] if the layout reaches farther than this one,
    /// [`LayoutError::NotInjective`] if it maps two coordinates to one offset. For two static layouts
    /// neither compiles.
    #[inline]
    pub fn with_layout_mut<M: AnyLayout>(
        &mut self,
        layout: M,
    ) -> ViewOutcome<L, M, ViewMut<'_, T, M>> {
        const {
            is_static_part::<L, M>();
            if let Some(layout) = &M::STATIC {
                const_unwrap(&check_injective(layout));
            }
        }
        // A static layout was checked at compile time, above.
        let injective = match const { M::STATIC.is_some() } {
            true => Ok(()),
            false => value(&layout).and_then(|layout| check_injective(&layout)),
        };
        let fits = injective.and_then(|()| check_covers_layout(&layout, self.layout().cosize()));
        JointFallibility::<L, M>::outcome(
            fits.map(|()| ViewMut::new_checked(self.as_mut_slice(), layout)),
        )
    }

    /// Mutable version of [`View::typed`].
    ///
    /// # Errors
    ///
    /// As [`View::typed`].
    #[inline]
    pub fn typed_mut<M>(&mut self) -> Result<ViewMut<'_, T, M>, LayoutError>
    where
        M: AnyLayout + TryFrom<DynLayout, Error = LayoutError>,
    {
        let layout = M::try_from(value(self.layout_ref())?)?;
        Ok(ViewMut::new_checked(self.as_mut_slice(), layout))
    }

    /// Mutable version of [`View::with_layout_at`].
    ///
    /// # Errors
    ///
    /// As [`View::with_layout_at`]; [`LayoutError::NotInjective`] if the layout maps two coordinates
    /// to one offset.
    pub fn with_layout_at_mut<M: AnyLayout>(
        &mut self,
        coordinate: impl Coordinate<L>,
        layout: M,
    ) -> Result<ViewMut<'_, T, M>, LayoutError> {
        let range = range_from(self.layout_ref(), coordinate)?;
        ViewMut::new_in(&mut self.as_mut_slice()[range], layout)
    }

    /// Mutable version of [`View::local_tile`].
    ///
    /// # Errors
    ///
    /// As [`View::local_tile`].
    ///
    /// # Panics
    ///
    /// As [`View::local_tile`].
    #[inline]
    #[track_caller]
    pub fn local_tile_mut<S: AnyTiler, C: TileCoordinate<L, S>>(
        &mut self,
        tiler: &S,
        coordinate: C,
    ) -> TileOutcome<L, S, ViewMut<'_, T, C::Tile>> {
        const { is_static_tiling::<L, S>() };
        let tile = tile(self.layout_ref(), tiler, coordinate)
            .map(|(layout, offset)| self.part_mut(layout, offset));
        <Join<L, S> as Kind>::Fallibility::outcome(tile)
    }

    /// The subview with this layout and offset, both computed from the layout of this view. It is
    /// injective because the whole layout is.
    #[inline]
    fn part_mut<M: AnyLayout>(&mut self, layout: M, offset: usize) -> ViewMut<'_, T, M> {
        let span = span(&layout, offset);
        ViewMut::new_checked(&mut self.as_mut_slice()[span], layout)
    }
}

/// The range of offsets from the element at a coordinate to the end of the layout.
fn range_from<L: AnyLayout>(
    layout: &L,
    coordinate: impl Coordinate<L>,
) -> Result<Range<usize>, LayoutError> {
    Ok(layout.try_offset(coordinate)?..layout.cosize())
}

/// The range of offsets of a part that starts at `offset`. An empty part gives an empty range: its
/// offset may lie outside the memory.
#[inline]
fn span<L: AnyLayout>(layout: &L, offset: usize) -> Range<usize> {
    match layout.cosize() {
        0 => 0..0,
        cosize => offset..offset + cosize,
    }
}

const fn is_matrix(layout: &DynLayout) -> Result<(), LayoutError> {
    check_matrix("transposed: the layout", layout)
}

const fn is_static_matrix<L: AnyLayout>() {
    if let Some(layout) = &L::STATIC {
        const_unwrap(&is_matrix(layout));
    }
}

const fn is_static_part<L: AnyLayout, M: AnyLayout>() {
    if let (Some(all), Some(part)) = (&L::STATIC, &M::STATIC) {
        const_unwrap(&check_covers(part, all.cosize()));
    }
}

/// Checks that the tiles cover the shape of `layout` exactly: every coordinate lies in one tile.
const fn is_tiling(layout: &DynLayout, tiler: &Tiler) -> Result<(), LayoutError> {
    let shape = layout.shape();
    // The tiles of the compact layout of this shape, whose offsets are the linear coordinates.
    let tiles = match DynLayout::make(&shape) {
        Ok(coordinates) => coordinates.zipped_divide_by(tiler),
        Err(error) => Err(error),
    };
    match tiles {
        Ok(tiles) if tiles.size() == layout.size() && tiles.is_bijective() => Ok(()),
        Ok(tiles) => Err(LayoutError::TilesUneven { shape, tiles: tiles.shape() }),
        Err(error) => Err(error),
    }
}

const fn is_static_tiling<L: AnyLayout, S: AnyTiler>() {
    if let (Some(layout), Some(tiler)) = (&L::STATIC, &S::TILER) {
        match tiler {
            Ok(tiler) => const_unwrap(&is_tiling(layout, tiler)),
            Err(error) => error.panic(),
        }
    }
}

/// Layout and offset of a tile. The tiles of a static layout and tiler were checked at compile time.
#[inline]
#[track_caller]
fn tile<L: AnyLayout, S: AnyTiler, C: TileCoordinate<L, S>>(
    layout: &L,
    tiler: &S,
    coordinate: C,
) -> Result<(C::Tile, usize), LayoutError> {
    if const { L::STATIC.is_some() && S::TILER.is_some() } {
        return match layout.try_local_tile(tiler, coordinate) {
            Err(_) => Ok(outside_grid(layout, tiler, coordinate)),
            tile => tile,
        };
    }
    is_tiling(&value(layout)?, &tiler.to_tiler()?)?;
    layout.try_local_tile(tiler, coordinate)
}

/// Panics because the coordinate lies outside the grid, with an error that names the layout.
#[cold]
#[inline(never)]
#[track_caller]
fn outside_grid<L: AnyLayout, S: AnyTiler, C: TileCoordinate<L, S>>(
    layout: &L,
    tiler: &S,
    coordinate: C,
) -> (C::Tile, usize) {
    layout.local_tile(tiler, coordinate)
}

#[inline]
fn transposed<L: AnyLayout>(layout: &L) -> Result<Transposed<L>, LayoutError> {
    if const { L::STATIC.is_none() } {
        is_matrix(layout.to_dyn_in(&mut None)?)?;
    }
    layout.transposed().into_result()
}
