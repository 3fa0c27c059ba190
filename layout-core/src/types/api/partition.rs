//! Tiles and partitions: a zipped divide whose grid, or whose tile, is sliced by a run-time
//! coordinate.

use typenum::UTerm;

use crate::engine::DynLayout;
use crate::error::LayoutError;
use crate::types::api::any::AnyLayout;
use crate::types::api::evaluate::{agree, exists};
use crate::types::api::kind::{Kind, Known, LayoutOf, ModesOf};
use crate::types::api::operand::{Join, Operand};
use crate::types::api::slice::{SlicePrefix, SliceValue};
use crate::types::api::tiler::AnyTiler;
use crate::types::core::domain::Domain;
use crate::types::core::modes::ModeTree;
use crate::types::core::tree::Nil;
use crate::types::ops::by_mode::Divide;
use crate::types::ops::inverse::RightInverseOf;
use crate::types::ops::partition::{PartOf, ThreadTile};
use crate::types::ops::zipped::{FirstsThen, SecondsOf, Zipped};

/// A coordinate of the grid of tiles of the layout `A` by the tiler `T`: `..` keeps modes of the
/// grid, and modes beyond the coordinate are kept.
#[diagnostic::on_unimplemented(
    message = "this is not a coordinate of the grid of tiles",
    label = "does not match the modes of the grid",
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

/// The tile of the layout `A` by the tiler `T`, and the modes of the grid that `C` keeps.
type TileAt<A, T, C> = FirstsThen<Divide, A, T, <C as SlicePrefix<Grid<A, T>>>::KeptOnto<Nil>>;

/// The same as a layout.
type LocalTileAt<A, T, C> = LayoutOf<Join<A, T>, TileAt<ModesOf<A>, T, C>>;

#[diagnostic::do_not_recommend]
impl<A: AnyLayout, T: AnyTiler, C: SlicePrefix<Grid<ModesOf<A>, T>>> TileCoordinate<A, T> for C {
    type Tile = LocalTileAt<A, T, C>;
    #[inline(always)]
    fn tile(self, layout: &A, tiler: &T) -> Result<(Self::Tile, usize), LayoutError> {
        const { exists::<Join<A, T>, TileAt<ModesOf<A>, T, C>>() };
        if let Known::Everything = <Join<A, T> as Kind>::KNOWN
            && let Some(offset) = self.locate_prefix(&Default::default())
        {
            let none_needed = &DynLayout::UNIT;
            return Ok((<Join<A, T> as Kind>::of_value::<TileAt<_, T, C>>(none_needed), offset));
        }
        tile_by_value(self, layout, tiler)
    }
}

/// The slow path: parts that are not known at compile time, and the error message if there is no
/// such tile.
#[cold]
#[inline(never)]
fn tile_by_value<A: AnyLayout, T: AnyTiler, C: SlicePrefix<Grid<ModesOf<A>, T>>>(
    coordinate: C,
    layout: &A,
    tiler: &T,
) -> Result<(LocalTileAt<A, T, C>, usize), LayoutError> {
    // The type of the tile has the modes of this type. The engine leaves out extents of 1.
    let divided = <Join<A, T> as Kind>::result::<
        Zipped<Divide, ModesOf<A>, T>,
        Zipped<
            Divide,
            <ModesOf<A> as ModeTree>::Symbols<UTerm>,
            <T as AnyTiler>::Symbols<<A as Operand>::NextSymbol<UTerm>>,
        >,
    >(
        "local_tile",
        |variables| {
            layout.append_variables(variables);
            tiler.append_variables(variables);
        },
        || layout.to_dyn()?.zipped_divide_by(&tiler.to_tiler()?),
        agree,
    )?;
    let (tile, offset) = divided.to_dyn()?.tile_of_grid(&coordinate.to_slicer()?)?;
    Ok((<Join<A, T> as Kind>::of_value::<TileAt<ModesOf<A>, T, C>>(&tile), offset))
}

/// The part of the layout `A` of one of the threads `T`:
/// [`LocalPartition`](crate::types::LocalPartition).
pub(crate) type OwnPart<A, T> = LayoutOf<Join<A, T>, PartOf<ModesOf<A>, ModesOf<T>>>;

/// The part of a layout of the thread with this index, and its offset.
#[inline(always)]
pub(crate) fn partition<A: AnyLayout, T: AnyLayout>(
    layout: &A,
    threads: &T,
    index: usize,
) -> Result<(OwnPart<A, T>, usize), LayoutError> {
    const { exists::<Join<A, T>, PartOf<ModesOf<A>, ModesOf<T>>>() };
    if let Some(offset) = thread_offset::<A, T>(index) {
        let none_needed = &DynLayout::UNIT;
        return Ok((<Join<A, T> as Kind>::of_value::<PartOf<_, ModesOf<T>>>(none_needed), offset));
    }
    partition_by_value(layout, threads, index)
}

/// [`tile_by_value`] for threads.
#[cold]
#[inline(never)]
fn partition_by_value<A: AnyLayout, T: AnyLayout>(
    layout: &A,
    threads: &T,
    index: usize,
) -> Result<(OwnPart<A, T>, usize), LayoutError> {
    let (own, offset) = layout.to_dyn()?.local_partition(&threads.to_dyn()?, index)?;
    let own = <Join<A, T> as Kind>::result::<
        PartOf<ModesOf<A>, ModesOf<T>>,
        PartOf<
            <ModesOf<A> as ModeTree>::Symbols<UTerm>,
            <ModesOf<T> as ModeTree>::Symbols<<A as Operand>::NextSymbol<UTerm>>,
        >,
    >(
        "local_partition",
        |variables| {
            layout.append_variables(variables);
            threads.append_variables(variables);
        },
        || Ok(own),
        agree,
    )?;
    Ok((own, offset))
}

/// The offset of the part of the thread with this index, if the compiler knows all numbers.
#[inline(always)]
fn thread_offset<A: AnyLayout, T: AnyLayout>(index: usize) -> Option<usize> {
    if index >= const { indices_in_order::<A, T>() } {
        return None;
    }
    let thread =
        <RightInverseOf<ModesOf<T>> as Domain>::offset_of_index(&Default::default(), index)?;
    <ThreadTile<ModesOf<A>, ModesOf<T>> as Domain>::offset_of_index(&Default::default(), thread)
}

/// Below this index, the right inverse finds the only thread with the index. 0 if a layout is not
/// static.
const fn indices_in_order<A: AnyLayout, T: AnyLayout>() -> usize {
    match (A::STATIC, T::STATIC) {
        (Some(_), Some(threads)) => match threads.is_injective() {
            Ok(true) => threads.right_inverse().size(),
            _ => 0,
        },
        _ => 0,
    }
}
