//! `local_tile` and `local_partition` of static and of mixed layouts, against the engine's.

use layout_core::engine::{DynLayout, Slicer, algebra};
use layout_core::error::LayoutError;
use layout_core::types::{
    AnyLayout, AnyTiler, Cons, Dyn, Keep, Layout, LocalPartition, LocalTile, Mixed, Nil,
    StaticLayout, StaticTiler, Tile, TileCoordinate,
};
use typenum::consts::*;

macro_rules! list {
    () => { Nil };
    ($head:ty $(, $tail:ty)*) => { Cons<$head, list!($($tail),*)> };
}

type Rows = Layout<list!(U8, U12), list!(U12, U1)>;
type Nested = Layout<list!(U8, list!(U4, U3), U5), list!(U1, list!(U8, U32), U96)>;
type Line = Layout<U24, U2>;
type Divided = Layout<list!(list!(U4, U2), U12), list!(list!(U12, U48), U1)>;

type Blocks = Tile<list!(Layout<U4, U1>, Layout<U3, U1>)>;
type Four = Layout<U4, U1>;

fn tile_agrees<A: StaticLayout, T: StaticTiler + Default, C: TileCoordinate<A, T>>(at: C) {
    let tiler = T::default();
    let (value, slicer) = (tiler.to_tiler().unwrap(), at.to_slicer().unwrap());
    let expected = algebra::local_tile(&A::LAYOUT, &value, &slicer);
    let found = A::default()
        .try_local_tile(&tiler, at)
        .map(|(tile, offset)| (tile.to_dyn().unwrap(), offset));
    assert_eq!(found, expected, "{} by {value} at {slicer}", A::LAYOUT);
}

/// Every tile by its index and by its coordinate, and one beyond the last.
fn all_agree<A: StaticLayout, T: StaticTiler + Default>(extents: (usize, usize))
where
    (usize, usize): TileCoordinate<A, T>,
    usize: TileCoordinate<A, T, Tile = LocalTile<A, T>>,
{
    for i in 0..=extents.0 * extents.1 {
        tile_agrees::<A, T, _>(i);
    }
    for i in 0..=extents.0 {
        for j in 0..=extents.1 {
            tile_agrees::<A, T, _>((i, j));
        }
    }
}

#[test]
fn tiles_are_those_of_the_engine() {
    all_agree::<Rows, Blocks>((2, 4));
    all_agree::<Rows, Tile<list!(Layout<U3, U1>, Layout<U5, U2>)>>((3, 3));
    all_agree::<Divided, Tile<list!(Keep, Layout<U3, U1>)>>((2, 4));
    for i in 0..=6 {
        tile_agrees::<Line, Four, _>(i);
        tile_agrees::<Line, Tile<list!(Four)>, _>((i,));
    }
    tile_agrees::<Rows, Blocks, _>((1, ..));
    tile_agrees::<Rows, Blocks, _>((.., 3));
    tile_agrees::<Rows, Blocks, _>((.., ..));
    tile_agrees::<Rows, Blocks, _>(..);
    // Modes of the grid without a coordinate are kept.
    tile_agrees::<Rows, Blocks, _>((1,));
    tile_agrees::<Rows, Tile<list!(Four)>, _>((1,));
    tile_agrees::<Rows, Tile<list!(Four)>, _>((2,));
    tile_agrees::<Nested, Blocks, _>((1, 3, 2));
    tile_agrees::<Nested, Tile<list!(Four, Tile<list!(Layout<U2, U1>, Layout<U1, U0>)>)>, _>((
        1,
        (1, ..),
    ));
}

#[test]
fn result_types_by_coordinate() {
    let rows = Rows::default();
    let blocks = Blocks::default();
    type Block = Layout<list!(U4, U3), list!(U12, U1)>;
    let (tile, offset): (Block, usize) = rows.local_tile(&blocks, (1, 2));
    for (i, j) in [(0, 0), (3, 2)] {
        assert_eq!(tile.offset((i, j)) + offset, rows.offset((4 + i, 6 + j)));
    }
    type BlockRow = Layout<list!(U4, U3, U4), list!(U12, U1, U3)>;
    let (row, offset): (BlockRow, usize) = rows.local_tile(&blocks, (1, ..));
    assert_eq!((row.offset((2, 1, 3)) + offset, rows.offset((6, 10))), (82, 82));
}

fn partition_agrees<A: StaticLayout, T: StaticLayout>() {
    let own = LocalPartition::<A, T>::LAYOUT;
    for index in 0..T::COSIZE + 1 {
        let expected = algebra::local_partition(&A::LAYOUT, &T::LAYOUT, index);
        let found = A::default().try_local_partition(&T::default(), index);
        assert_eq!(found.map(|(_, offset)| (own, offset)), expected, "{index} of {}", T::LAYOUT);
    }
}

#[test]
fn partitions_are_those_of_the_engine() {
    partition_agrees::<Rows, Layout<list!(U2, U4), list!(U4, U1)>>();
    partition_agrees::<Rows, Layout<list!(U2, U4), list!(U1, U2)>>();
    partition_agrees::<Rows, Layout<list!(U3, U5), list!(U5, U1)>>();
    partition_agrees::<Rows, Layout<list!(list!(U2, U2), U3), list!(list!(U1, U6), U2)>>();
    partition_agrees::<Rows, Layout<list!(U4), list!(U1)>>();
    partition_agrees::<Nested, Layout<list!(U4, U6), list!(U6, U1)>>();
    partition_agrees::<Line, Layout<U6, U1>>();
    partition_agrees::<Line, Layout<list!(U6), list!(U1)>>();
    // Gaps in the indices, and threads that share one.
    partition_agrees::<Rows, Layout<list!(U2, U4), list!(U1, U3)>>();
    partition_agrees::<Rows, Layout<list!(U2, U4), list!(U0, U1)>>();
    partition_agrees::<Rows, Layout<list!(U4, U2), list!(U1, U2)>>();
}

fn mixed<L: TryFrom<DynLayout>>(text: &str) -> L {
    let layout = DynLayout::parse(text).unwrap();
    L::try_from(layout).unwrap_or_else(|_| panic!("{text} has other leaves"))
}

fn mixed_tile_agrees<A: AnyLayout, T: AnyTiler, C: TileCoordinate<A, T>>(a: &A, t: &T, at: C) {
    let (value, slicer) = (t.to_tiler().unwrap(), at.to_slicer().unwrap());
    let expected = algebra::local_tile(&a.to_dyn().unwrap(), &value, &slicer);
    let found = a.try_local_tile(t, at).map(|(tile, offset)| (tile.to_dyn().unwrap(), offset));
    assert_eq!(found, expected, "{a} by {value} at {slicer}");
}

type Open = Mixed<list!(Dyn, Dyn), list!(Dyn, U1)>;

#[test]
fn tiles_of_run_time_layouts_are_those_of_the_engine() {
    let rows: Open = mixed("(8,12):(12,1)");
    let blocks = Blocks::default();
    for i in 0..=2 {
        for j in 0..=4 {
            mixed_tile_agrees(&rows, &blocks, (i, j));
        }
        mixed_tile_agrees(&rows, &blocks, (i, ..));
        mixed_tile_agrees(&rows, &blocks, (i,));
        mixed_tile_agrees(&rows, &blocks, i);
    }
    mixed_tile_agrees(&rows, &blocks, ..);
    // What the tiler knows is in the type of the tile.
    type Block = Mixed<list!(U4, U3), list!(Dyn, U1)>;
    let (tile, offset): (Block, usize) = rows.local_tile(&blocks, (1, 2));
    assert_eq!((tile.to_string().as_str(), offset), ("(4,3):(12,1)", 54));
    // Run-time tiles, of a static layout and of a mixed one.
    let tiler = (mixed::<Mixed<Dyn, U1>>("4:1"), Layout::<U3, U1>);
    mixed_tile_agrees(&Rows::default(), &tiler, (1, 2));
    mixed_tile_agrees(&rows, &tiler, (0, ..));
    // Nothing known but the values.
    let value = DynLayout::parse("(8,12):(12,1)").unwrap();
    mixed_tile_agrees(&value, &blocks, (1, 2));
    mixed_tile_agrees(&rows, &blocks.to_tiler().unwrap(), (1, 2));
}

/// The engine leaves out extents of 1, which the type of a tile cannot know.
#[test]
fn tiles_of_nested_run_time_modes_keep_their_nesting() {
    type Nested = Mixed<list!(U2, list!(Dyn, Dyn)), list!(U6, list!(U3, U1))>;
    let layout: Nested = mixed("(2,(2,3)):(6,(3,1))");
    let tiler = Tile::<list!(Layout<U2, U1>, Layout<U2, U1>)>::default();
    let value = layout.to_dyn().unwrap();
    for at in 0..3 {
        let slicer = Slicer::modes(&[Slicer::index(0), Slicer::index(at)]).unwrap();
        let expected = algebra::local_tile(&value, &tiler.to_tiler().unwrap(), &slicer).unwrap();
        let (tile, offset) = layout.try_local_tile(&tiler, (0, at)).unwrap();
        let tile = tile.to_dyn().unwrap();
        assert_eq!(offset, expected.1);
        assert_eq!(algebra::coalesce(&tile), algebra::coalesce(&expected.0));
        assert_eq!(tile.rank(), expected.0.rank());
    }
    assert!(layout.try_local_tile(&tiler, (0, 3)).is_err());
}

#[test]
fn run_time_numbers_without_such_tiles_are_an_error() {
    // Tiles of 3 run from one mode of A into the other.
    type Two = Mixed<list!(list!(Dyn, Dyn)), list!(list!(U1, Dyn))>;
    let layout: Two = mixed("((4,3)):((1,8))");
    let error = layout.try_local_tile(&Tile::<list!(Layout<U3, U1>)>::default(), (0,));
    assert!(matches!(error, Err(LayoutError::CompositionOverlap { .. })), "{error:?}");
}

#[test]
fn partitions_of_run_time_layouts_are_those_of_the_engine() {
    type Threads = Layout<list!(U2, U4), list!(U4, U1)>;
    let (rows, value): (Open, _) = (mixed("(8,12):(12,1)"), Rows::LAYOUT);
    type Team = Mixed<list!(U2, Dyn), list!(Dyn, U1)>;
    let threads: Team = mixed("(2,4):(4,1)");
    for index in 0..=8 {
        let expected = algebra::local_partition(&value, &Threads::LAYOUT, index);
        let by_value = |own: Result<(DynLayout, usize), LayoutError>| assert_eq!(own, expected);
        by_value(rows.try_local_partition(&Threads::default(), index).map(to_value));
        by_value(rows.try_local_partition(&threads, index).map(to_value));
        by_value(Rows::default().try_local_partition(&threads, index).map(to_value));
        by_value(value.try_local_partition(&Threads::default(), index));
    }
    type Own = Mixed<list!(Dyn, Dyn), list!(Dyn, U4)>;
    let (own, offset): (Own, usize) = rows.local_partition(&Threads::default(), 6);
    assert_eq!((own.to_string().as_str(), offset), ("(4,3):(24,4)", 14));
}

fn to_value<L: AnyLayout>((own, offset): (L, usize)) -> (DynLayout, usize) {
    (own.to_dyn().unwrap(), offset)
}

#[test]
fn threads_cover_all_elements() {
    type Threads = Layout<list!(U4, U6), list!(U6, U1)>;
    let mut offsets: Vec<usize> = (0..24)
        .flat_map(|index| {
            let (own, offset) = Rows::default().local_partition(&Threads::default(), index);
            (0..own.size()).map(move |i| own.offset(i) + offset)
        })
        .collect();
    offsets.sort();
    assert_eq!(offsets, (0..96).collect::<Vec<_>>());
}

#[test]
#[should_panic(expected = "coordinate 4 is not below extent 4")]
fn a_tile_outside_the_grid_panics() {
    Rows::default().local_tile(&Blocks::default(), (0, 4));
}

#[test]
#[should_panic(expected = "has the offset 8")]
fn a_thread_that_is_not_there_panics() {
    type Threads = Layout<list!(U2, U4), list!(U4, U1)>;
    Rows::default().local_partition(&Threads::default(), 8);
}

#[test]
fn no_tile_has_the_reason_of_the_divide() {
    fn why<L: StaticLayout>() -> String {
        L::CHECKED.map_or_else(|error| error.to_string(), |layout: DynLayout| layout.to_string())
    }
    assert_eq!(
        why::<LocalTile<Rows, Tile<list!(Four, Keep)>>>(),
        "zipped_divide: in mode 1, _ needs a mode that is already a pair, not 12"
    );
    assert_eq!(
        why::<LocalPartition<Line, Layout<list!(U2, U2), list!(U1, U2)>>>(),
        "logical_divide: the tiler has 2 modes, more than the 1 of shape 24"
    );
}
