//! Tenstorrent layouts as types: `layout!(tensor<.., #tt.metal_layout<..>>)`.
//!
//! The parts of the notation are types. Everything else is a constant that the engine computes from
//! them.

use core::marker::PhantomData;

use crate::devices::static_type::static_type;
use crate::devices::tenstorrent::{AffineMap, MemorySpace, MetalLayout, Tile};
use crate::devices::{AnyPlacement, ElementType, Fill, Placement};
use crate::error::LayoutError;
use crate::types::{AtCompileTime, Cons, Constant, Nat, Nil, NumberList, Numbers};

static_type! {
    /// A [`MetalLayout`] whose parts are types. Usually written by `layout!`. It is zero-sized, and
    /// is both the type and its only value.
    ///
    /// | parameter | meaning |
    /// |---|---|
    /// | `S`, `E` | the shape, a [`Cons`] list, and the [element](crate::types::constant) of the tensor |
    /// | `M` | the map: a list of rows, each a list of coefficients; [`PaddedMap`] if the grid cuts more |
    /// | `G` | the grid |
    /// | `B` | the contents of the buffers: [`Scalars`], [`Tiles`] or [`Faces`] |
    /// | `F`, `P` | the value of padding and the memory |
    ///
    /// `LAYOUT` is a [`MetalLayout`] with all queries. Those without arguments are also constants:
    ///
    /// ```
    /// use static_layout::{devices::tenstorrent::MetalLayout, layout};
    /// type Columns = layout!(tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>>>);
    /// const SHARD: usize = Columns::LAYOUT.storage();
    /// assert_eq!((SHARD, Columns::CORES, size_of::<Columns>()), (8 * 150, 2, 0));
    /// let text = "tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>>>";
    /// assert_eq!(Columns::LAYOUT, MetalLayout::parse(text).unwrap());
    /// ```
    ///
    /// An invalid layout is a compile error where one of its constants is used. The error has the
    /// rule and the numbers.
    pub type Tenstorrent<S, E, M, G, B, F, P>: StaticTenstorrent of MetalLayout;
}

/// Buffers of elements.
#[derive(Debug)]
pub struct Scalars<E>(PhantomData<E>);

/// Buffers of tiles of `H x W` elements.
#[derive(Debug)]
pub struct Tiles<H, W, E>(PhantomData<(H, W, E)>);

/// The tiles of `T`, which are [`Tiles`], in faces of `H x W` elements.
#[derive(Debug)]
pub struct Faces<H, W, T>(PhantomData<(H, W, T)>);

/// The contents of the cores' buffers: [`Scalars`], [`Tiles`] or [`Faces`].
pub trait Buffers: 'static {
    #[doc(hidden)]
    const ELEMENT: ElementType;
    /// The tile, if they hold tiles.
    const TILE: Result<Option<Tile>, LayoutError>;
}

impl<E: Constant<ElementType>> Buffers for Scalars<E> {
    const ELEMENT: ElementType = E::VALUE;
    const TILE: Result<Option<Tile>, LayoutError> = Ok(None);
}

impl<H: Nat, W: Nat, E: Constant<ElementType>> Buffers for Tiles<H, W, E> {
    const ELEMENT: ElementType = E::VALUE;
    const TILE: Result<Option<Tile>, LayoutError> = match (H::VALUE, W::VALUE) {
        (Some(height), Some(width)) => some(Tile::new(height, width)),
        _ => Err(LayoutError::RunTimeLeaf),
    };
}

impl<A: Nat, B: Nat, H: Nat, W: Nat, E: Constant<ElementType>> Buffers
    for Faces<A, B, Tiles<H, W, E>>
{
    const ELEMENT: ElementType = E::VALUE;
    const TILE: Result<Option<Tile>, LayoutError> =
        match (Tiles::<H, W, E>::TILE, A::VALUE, B::VALUE) {
            (Ok(Some(tile)), Some(height), Some(width)) => some(tile.with_faces(height, width)),
            (Ok(_), _, _) => Err(LayoutError::RunTimeLeaf),
            (error, _, _) => error,
        };
}

const fn some(tile: Result<Tile, LayoutError>) -> Result<Option<Tile>, LayoutError> {
    Ok(Some(attempt!(tile)))
}

/// The rows of a map: a list of lists of coefficients.
pub trait Rows: 'static {
    /// The map. Without rows: the map of a tensor without dimensions.
    const MAP: Result<AffineMap, LayoutError>;
}

impl Rows for Nil {
    const MAP: Result<AffineMap, LayoutError> = AffineMap::new(0, &[]);
}

impl<R: Numbers, T: Rows> Rows for Cons<R, T> {
    const MAP: Result<AffineMap, LayoutError> = match (R::NUMBERS, T::MAP) {
        (Ok(row), Ok(map)) => map.with_first_row(row.as_slice()),
        (Err(error), _) | (_, Err(error)) => Err(error),
    };
}

/// The map `M` with the physical extents `X`, which the grid cuts.
#[derive(Debug)]
pub struct PaddedMap<M, X>(PhantomData<(M, X)>);

/// The map of a layout, and the extents that the grid cuts.
pub trait TenstorrentMap: 'static {
    /// The map.
    const MAP: Result<AffineMap, LayoutError>;
    /// The physical extents, if they differ from those that the map reaches.
    const PHYSICAL: Result<Option<NumberList>, LayoutError>;
}

impl TenstorrentMap for Nil {
    const MAP: Result<AffineMap, LayoutError> = <Self as Rows>::MAP;
    const PHYSICAL: Result<Option<NumberList>, LayoutError> = Ok(None);
}

impl<R: Numbers, T: Rows> TenstorrentMap for Cons<R, T> {
    const MAP: Result<AffineMap, LayoutError> = <Self as Rows>::MAP;
    const PHYSICAL: Result<Option<NumberList>, LayoutError> = Ok(None);
}

impl<M: Rows, X: Numbers> TenstorrentMap for PaddedMap<M, X> {
    const MAP: Result<AffineMap, LayoutError> = M::MAP;
    const PHYSICAL: Result<Option<NumberList>, LayoutError> = match X::NUMBERS {
        Ok(extents) => Ok(Some(extents)),
        Err(error) => Err(error),
    };
}

impl<S, E, M, G, B, F, P> StaticTenstorrent for Tenstorrent<S, E, M, G, B, F, P>
where
    S: Numbers,
    E: Constant<ElementType>,
    M: TenstorrentMap,
    G: Numbers,
    B: Buffers,
    F: Constant<Fill>,
    P: Constant<MemorySpace>,
{
    const CHECKED: Result<MetalLayout, LayoutError> = match layout::<S, M, G, B>(E::VALUE) {
        Ok(layout) => Ok(layout.with_fill(F::VALUE).in_space(P::VALUE)),
        error => error,
    };
}

const fn layout<S: Numbers, M: TenstorrentMap, G: Numbers, B: Buffers>(
    element: ElementType,
) -> Result<MetalLayout, LayoutError> {
    let (shape, grid) = (attempt!(S::NUMBERS), attempt!(G::NUMBERS));
    let mut map = attempt!(M::MAP);
    if map.results() == 0 {
        map = attempt!(AffineMap::new(shape.as_slice().len(), &[]));
    }
    let mut layout = attempt!(MetalLayout::new(shape.as_slice(), element, &map, grid.as_slice()));
    if let Some(physical) = attempt!(M::PHYSICAL) {
        layout = attempt!(layout.with_physical(physical.as_slice()));
    }
    match attempt!(B::TILE) {
        Some(tile) => layout.tiled(tile, B::ELEMENT),
        None => layout.untiled(B::ELEMENT),
    }
}

impl<S, E, M, G, B, F, P> Tenstorrent<S, E, M, G, B, F, P>
where
    Self: StaticTenstorrent,
{
    /// The layout as a value.
    pub const LAYOUT: MetalLayout = match Self::CHECKED {
        Ok(layout) => layout,
        Err(error) => error.panic(),
    };
    /// Number of elements of the tensor.
    pub const SIZE: usize = Self::LAYOUT.elements();
    /// Number of cores of the grid.
    pub const CORES: usize = Self::LAYOUT.cores();
    /// Number of elements of the buffer of one core.
    pub const STORAGE: usize = Self::LAYOUT.storage();
    /// Number of elements of all buffers together.
    pub const SLOTS: usize = Self::LAYOUT.slots();
    /// Number of slots of all buffers that hold no element.
    pub const PADDING: usize = Self::LAYOUT.padding();
    /// Number of cores that hold no element.
    pub const EMPTY_CORES: usize = Self::LAYOUT.empty_cores();

    /// The layout as a value, with all queries.
    pub const fn to_dyn(self) -> MetalLayout {
        Self::LAYOUT
    }
}
