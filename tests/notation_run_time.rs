//! `layout!` with operations on run-time values: `_` makes a type, a value makes a `Result`.

use static_layout::typenum::{self, assert_type_eq};
use static_layout::{
    Algebra, AnyLayout, AnyTiler, DynLayout, LayoutError, LogicalDivide, Mixed, TiledDivide, Tiler,
    layout,
};

type Rows = layout!((64, 64):(64, 1));
type Tall = layout!((_, 64):(64, 1));

#[test]
fn a_value_in_an_operation_makes_a_result() -> Result<(), LayoutError> {
    let (m, n) = (100, 8);
    let tiles = layout!(tiled_divide((m, 64):(64, 1), <20, 8>))?;
    assert_eq!(tiles.to_string(), "((20,8),5,8):((64,1),1280,8)");
    // The tiler's extents are in the type; the value of the tall matrix only holds one number.
    let typed: layout!(tiled_divide((_, 64):(64, 1), <20, 8>)) = tiles;
    assert_eq!((typed, size_of_val(&typed)), (tiles, 8));

    // An integer by name, in braces, and as a layout.
    assert_eq!(layout!(logical_divide(64:2, n))?.to_string(), "(8,8):(2,16)");
    assert_eq!(layout!(logical_divide(64:2, {n / 2}))?.to_string(), "(4,16):(2,8)");
    assert_eq!(layout!(Rows o <n, {2 * n}:2>)?.to_string(), "(8,16):(64,2)");
    assert_eq!(layout!(complement(4:2, {n * 4}))?.to_string(), "(2,4):(1,8)");
    assert_eq!(layout!(tile_to_shape((8, 4):(4, 1), ({ m + 4 }, n)))?.size(), 832);
    assert_eq!(layout!(upcast((m, 64):(64, 1), 4))?.to_string(), "(100,16):(16,1)");

    // Shapes, and the layouts made from them.
    assert_eq!(layout!(row_major((m, (n, 4))))?.to_string(), "(100,(8,4)):(32,(4,1))");
    assert_eq!(layout!(make_ordered((m, 4, n), (1, 0, 2)))?.to_string(), "(100,4,8):(4,1,400)");
    assert_eq!(layout!(coalesce(make((m, n))))?.to_string(), "(100,8):(1,100)");
    Ok(())
}

#[test]
fn layouts_of_every_kind_go_by_name() -> Result<(), LayoutError> {
    let (known, value): (Rows, _) = (Rows::default(), DynLayout::parse("(64,64):(64,1)").unwrap());
    let tall: Tall = layout!((64, 64):(64, 1)).to_dyn()?.try_into()?;
    let expected = layout!(zipped_divide((64, 64):(64, 1), <8, 16>)).to_string();
    assert_eq!(layout!(zipped_divide(known, <8, 16>))?.to_string(), expected);
    assert_eq!(layout!(zipped_divide(value, <8, 16>))?.to_string(), expected);
    assert_eq!(layout!(zipped_divide(tall, <8, 16>))?.to_string(), expected);
    // Nested operations, with run-time values at any depth.
    let nested = layout!(flatten(group(zipped_divide(tall o <32, _>, <8, 16>), 0, 2)))?;
    let by_method = value.composition_by(&Tiler::parse("<32, _>").unwrap())?;
    let by_method = by_method.zipped_divide_by(&Tiler::parse("<8, 16>").unwrap())?;
    assert_eq!(nested.to_string(), by_method.group(0, 2)?.flatten().to_string());
    let panels = layout!(coalesce([1, 0, 1 p(16)] for (64, {16 * 3})))?;
    assert_eq!(panels.size(), 64 * 48);
    let tiler = layout!(<8, {4 * 4}>);
    assert_eq!(tiler.to_tiler()?.to_string(), "<8:1,16:1>");
    assert_eq!(layout!(zipped_divide(Rows, tiler))?.to_string(), expected);
    Ok(())
}

#[test]
fn the_error_is_that_of_the_operation_that_has_it() {
    let n = 7;
    let why = |result: Result<String, LayoutError>| result.unwrap_err().to_string();
    assert_eq!(
        why(layout!(flatten(composition((n, 9):(2, 31), 5:3))).map(|l| l.to_string())),
        "composition: A carries after 3 steps of B, and 3 does not divide its extent 5"
    );
    let error = layout!(coalesce([1, 0, 1 p(16)] for (64, {n * 7})));
    assert_eq!(
        why(error.map(|l| l.to_string())),
        "size 16 does not divide 49, what is left of dimension 1"
    );
}

#[test]
fn a_hole_in_an_operation_makes_a_type() {
    type Tiles = layout!(logical_divide((_, 64):(64, 1), <8:1, 16:1>));
    assert_type_eq!(Tiles, LogicalDivide<Tall, layout!(<8:1, 16:1>)>);
    type Open = layout!(tiled_divide(Rows, <_:1, 16>));
    assert_type_eq!(Open, TiledDivide<Rows, (Mixed<Hole, One>, layout!(16:1))>);
    type Hole = static_layout::types::Dyn;
    type One = typenum::U1;
    assert_type_eq!(layout!(row_major((_, 4))), layout!((_, 4):(4, 1)));
    assert_type_eq!(layout!(coalesce((_, 4, 2):(8, 1, 4))), layout!((_, 8):(8, 1)));
}
