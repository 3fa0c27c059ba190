//! Tiles and partitions: a zipped divide with the rests, or the tiles, sliced by a coordinate that
//! is known when the program runs.

use typenum::UTerm;

use super::any::AnyLayout;
use super::by_mode::Divide;
use super::coordinate::Domain;
use super::inverse::RightInverseOf;
use super::kind::{LayoutOf, ModesOf, StaticKind};
use super::layout::{Layout, StaticLayout};
use super::modes::{Mode, ModeList, ModeTree};
use super::nat::{Nat, One};
use super::reason::{Invalid, Reason};
use super::slice::{SlicePrefix, SliceValue};
use super::tiler::{AnyTiler, StaticTiler, Tile, TilerList};
use super::tree::{Cons, Nil, Tree, Zip};
use super::zipped::{FirstsThen, SecondsOf, UnpackedSeconds};
use crate::error::LayoutError;

/// The modes of a tile.
pub(crate) type TileOf<A, T> = FirstsThen<Divide, A, T, Nil>;
/// The modes that one of the threads with the modes `T` has of `A`.
pub(crate) type PartOf<A, T> = UnpackedSeconds<Divide, A, <T as ThreadTree>::Tiler>;
/// What the threads together have at once: the tile.
type Team<A, T> = FirstsThen<Divide, A, <T as ThreadTree>::Tiler, Nil>;

/// A coordinate of the grid of tiles that the tiler `T` makes of the layout `A`: `..` keeps modes of
/// the grid, and modes beyond the coordinate are kept.
#[diagnostic::on_unimplemented(
    message = "this is no coordinate of the grid of tiles",
    label = "a coordinate with other modes than the grid",
    note = "it has a `usize` or `..` for each mode that the tiler divides, or tuples of these, nested as the tiler is nested"
)]
pub trait TileCoordinate<A: AnyLayout, T: AnyTiler>: SliceValue {
    /// The tile, followed by the modes of the grid that are kept.
    type Tile: AnyLayout;
    #[doc(hidden)]
    fn tile(self, layout: &A, tiler: &T) -> Result<(Self::Tile, usize), LayoutError>;
}

/// The grid of the tiles of `A`.
type Grid<A, T> = SecondsOf<Divide, A, T>;

#[diagnostic::do_not_recommend]
impl<S: Tree, D: Tree, T: StaticTiler, C: SlicePrefix<Grid<Zip<S, D>, T>>>
    TileCoordinate<Layout<S, D>, T> for C
{
    type Tile = LayoutOf<StaticKind, FirstsThen<Divide, Zip<S, D>, T, C::KeptOnto<Nil>>>;
    #[inline(always)]
    fn tile(self, layout: &Layout<S, D>, tiler: &T) -> Result<(Self::Tile, usize), LayoutError> {
        const {
            let _ = Self::Tile::LAYOUT;
        }
        match self.locate_prefix(&Default::default()) {
            Some(offset) => Ok((Self::Tile::default(), offset)),
            // The engine has the message.
            None => match by_engine(layout, tiler, self) {
                Ok(offset) => Ok((Self::Tile::default(), offset)),
                Err(error) => Err(error),
            },
        }
    }
}

#[cold]
#[inline(never)]
fn by_engine<A: StaticLayout, T: StaticTiler>(
    _: &A,
    tiler: &T,
    coordinate: impl SliceValue,
) -> Result<usize, LayoutError> {
    Ok(A::LAYOUT.local_tile(&tiler.to_tiler()?, &coordinate.to_slicer()?)?.1)
}

/// The offset of what the thread with this index has.
#[inline(always)]
pub(crate) fn thread_offset<A: StaticLayout, T: StaticLayout>(
    index: usize,
) -> Result<usize, LayoutError> {
    if index < const { indices_in_order::<T>() }
        && let Some(thread) =
            <RightInverseOf<ModesOf<T>> as Domain>::offset_of_index(&Default::default(), index)
        && let Some(offset) =
            <Team<ModesOf<A>, ModesOf<T>> as Domain>::offset_of_index(&Default::default(), thread)
    {
        return Ok(offset);
    }
    thread_by_engine::<A, T>(index)
}

/// Up to where the right inverse finds the thread of an index: no other one has it.
const fn indices_in_order<T: StaticLayout>() -> usize {
    match T::LAYOUT.is_injective() {
        Ok(true) => T::LAYOUT.right_inverse().size(),
        _ => 0,
    }
}

#[cold]
#[inline(never)]
fn thread_by_engine<A: StaticLayout, T: StaticLayout>(index: usize) -> Result<usize, LayoutError> {
    Ok(A::LAYOUT.local_partition(&T::LAYOUT, index)?.1)
}

/// The shape of threads as a tiler: a tile of stride 1 in each mode.
pub trait ThreadTree {
    /// The tiler.
    type Tiler: StaticTiler;
}

/// [`ThreadTree`] for a tuple, or the rest of one.
pub trait ThreadList {
    /// The tiles.
    type Tilers: TilerList<Kind = StaticKind>;
}

impl<S: Nat, D: Nat> ThreadTree for Mode<S, D> {
    type Tiler = Layout<S, One>;
}

impl ThreadTree for Nil {
    type Tiler = Tile<Nil>;
}
impl ThreadList for Nil {
    type Tilers = Nil;
}

impl<H: ModeTree, T: ModeList> ThreadTree for Cons<H, T> {
    type Tiler = Tile<Cons<Layout<H::Size, One>, T::Tilers>>;
}
impl<H: ModeTree, T: ModeList> ThreadList for Cons<H, T> {
    type Tilers = Cons<Layout<H::Size, One>, T::Tilers>;
}

impl<R: Reason> ThreadTree for Invalid<R> {
    type Tiler = Layout<Self, UTerm>;
}
impl<R: Reason> ThreadList for Invalid<R> {
    type Tilers = Cons<Layout<Self, UTerm>, Nil>;
}
