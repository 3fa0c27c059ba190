//! `layout!` in every position and form.

use static_layout::engine::MorelloLayout;
use static_layout::typenum::{self, U, U4, assert_type_eq};
use static_layout::types::Nat;
use static_layout::{
    AnyLayout, BlockedProduct, Coalesce, Complement, Composition, DynLayout, Flatten, LayoutError,
    LogicalDivide, LogicalProduct, On, RightInverse, StaticLayout, TiledDivide, Tiler,
    ZippedDivide, layout,
    ops::{
        Downcast, Filter, FilterZeros, FlatDivide, FlatProduct, LeftInverse, MaxCommonLayout,
        Nullspace, RakedProduct, Recast, TiledProduct, Upcast, ZippedProduct,
    },
};

type Rows = layout!((4, 8):(8, 1));

struct Field {
    layout: layout!((4, 8):(8, 1)),
}

#[test]
fn one_notation_is_a_type_and_a_value() {
    const ITEM: Rows = layout!((4, 8):(8, 1));
    static STATIC: layout!(8:2) = layout!(8:2);
    let field = Field { layout: layout!((4, 8):(8, 1)) };
    let array: [layout!(8:1); 2] = [layout!(8:1), layout![8:1]];
    fn generic<L: StaticLayout>(_: L) -> usize {
        L::SIZE
    }
    assert_eq!(generic::<layout! { (2, 3):(1, 2) }>(layout!((2, 3):(1, 2))), 6);
    assert_eq!((field.layout, STATIC.size(), array[0].size()), (ITEM, 8, 8));
    assert_eq!(size_of::<Field>(), 0);
}

#[test]
fn what_is_written_out_is_evaluated() {
    assert_type_eq!(layout!((4, 8)), layout!((4, 8):(1, 4)));
    assert_type_eq!(layout!((2, 1, 3)), layout!((2, 1, 3):(1, 0, 2)));
    assert_type_eq!(layout!((_4, _8):(_8, _1)), Rows);
    assert_type_eq!(layout!(8), layout!(8:1));
    assert_eq!(layout!((4):(1)).to_string(), "(4):(1)");
    assert_eq!(layout!((4,):(1,)).to_string(), "(4):(1)");
    assert_eq!(layout!((2, (2, 2)):(4, (1, 2))).to_string(), "(2,(2,2)):(4,(1,2))");
    assert_eq!(layout!(1_000_000:3).to_string(), "1000000:3");
    assert_eq!(layout!((1152921504606846976, 4):(4, 1)).size(), 1 << 62);
    assert_type_eq!(layout!([1, 0, 1 p(4)] for (6, 8)), layout!((6, (4, 2)):(4, (1, 24))));
    assert_type_eq!(layout!([0 oe(16), 1] for (16, 4)), layout!(((2, 8), 4):((32, 4), 1)));
    assert_type_eq!(layout!(composition(20:2, (5,4):(4,1))), layout!((5, 4):(8, 2)));
    assert_type_eq!(layout!(20:2 o (5,4):(4,1)), layout!((5, 4):(8, 2)));
    assert_type_eq!(layout!((complement(4:2, 24))), layout!((2, 3):(1, 8)));
    assert_type_eq!(
        layout!(coalesce(logical_divide((8, 8), <4, 4>), (1, 1))),
        layout!((8, 8):(1, 8))
    );
    assert_type_eq!(
        layout!(logical_divide((8, 8), (4, 4))),
        layout!(((4, 2), (4, 2)):((1, 4), (8, 32)))
    );
    assert_type_eq!(layout!(logical_divide(Rows, (2, 4))), layout!(logical_divide(Rows, <2, 4>)));
    assert_type_eq!(layout!(slice((4, 12):(12, 1), (3, _))), layout!((12):(1)));
    assert_type_eq!(
        layout!(raked_product((2, 5):(5, 1), (3, 4))),
        layout!(((3, 2), (4, 5)):((10, 5), (30, 1)))
    );
}

#[test]
fn open_leaves_make_mixed_layouts() {
    let (m, n) = (6, 10);
    const LEN: usize = 3;
    let a: layout!((_, 4):(4, 1)) = layout!((m, 4):(4, 1));
    assert_eq!((a.to_string().as_str(), size_of_val(&a)), ("(6,4):(4,1)", 8));
    let b: layout!((_, (_, 4)):(_, (1, 4))) = layout!((m, ({ LEN }, 4)):({ 2 * n }, (1, 4)));
    assert_eq!(b.to_string(), "(6,(3,4)):(20,(1,4))");
    let c: layout!((_, 2, _, 4)) = layout!((m, 2, n, 4));
    assert_eq!(c.to_string(), "(6,2,10,4):(1,6,12,120)");
    let c: layout!((_, 2, _, 4):(1, _, _, _)) = c;
    assert_eq!(c.size(), 480);
    let d: layout!(_:1) = layout!(m);
    assert_eq!(d.to_string(), "6:1");
    fn rows<N: Nat>() -> String {
        <layout!((N, 4):(4, 1))>::default().to_string()
    }
    assert_eq!(rows::<U4>(), "(4,4):(4,1)");
    assert_type_eq!(layout!((typenum::U2, U4, 3)), layout!((2, 4, 3):(1, 2, 8)));
    let e = layout!((U4, m):(m, 1));
    assert_eq!(e.to_string(), "(4,6):(6,1)");
    let huge = layout!(({ usize::MAX }, 2, 3));
    assert!(huge.to_dyn().is_err());
}

#[test]
fn morello_for_run_time_extents() -> Result<(), LayoutError> {
    let n = 48;
    let a: layout!([0, 1, 0 p(16)] for (_, 64)) = layout!([0, 1, 0 p(16)] for (n, 64))?;
    assert_eq!(a.to_string(), "((16,3),64):((1,1024),16)");
    let b: layout!([1, 0, 1 p(16)] for (64, _)) = layout!([1, 0, 1 p(16)] for (64, { n + 16 }))?;
    assert_eq!(b.to_string(), "(64,(16,4)):(16,(1,1024))");
    let c: layout!([0, 1] for (_, _)) = layout!([0, 1] for (n, n))?;
    assert_eq!(c.to_string(), "(48,48):(48,1)");
    let d = layout!([0, 1, 2, 1 oe(4)] for (2, n, n))?;
    assert_eq!(d.to_string(), "(2,(2,2,12),48):(2304,(2,1,192),4)");
    let same = DynLayout::parse("[0, 1, 2, 1 oe(4)] for (2, 48, 48)").unwrap();
    assert_eq!(same.to_string(), "(2,(2,2,12),48):(2304,(2,1,192),4)");
    let error = layout!([0, 1, 0 p(16)] for ({ n + 1 }, 64)).unwrap_err();
    assert_eq!(error.to_string(), "size 16 does not divide 49, what is left of dimension 0");
    let empty = layout!([0, 1, 0 p(16)] for ({ n - 48 }, 64))?;
    assert_eq!((empty.size(), empty.cosize()), (0, 0));
    Ok(())
}

#[test]
fn named_layouts_are_operands() {
    type Tile = layout!(<2:1, 4>);
    type N = U4;
    assert_type_eq!(layout!(composition(Rows, 4:1)), Composition<Rows, layout!(4:1)>);
    assert_type_eq!(layout!(Rows o 4:1), Composition<Rows, layout!(4:1)>);
    assert_type_eq!(layout!(Rows o 8:1 o 4:1), layout!((Rows o 8:1) o 4:1));
    assert_type_eq!(layout!(complement(Rows, 64)), Complement<Rows, typenum::U64>);
    assert_type_eq!(layout!(complement(layout_alias::Even)), layout!(2:1));
    assert_type_eq!(layout!(complement(4:2, (N, 6))), Complement<layout!(4:2), layout_alias::Shape>);
    assert_type_eq!(layout!(complement(Rows, (4, 16))), layout!(2:32));
    assert_type_eq!(layout!(coalesce(Rows)), Coalesce<Rows>);
    assert_type_eq!(layout!(flatten((Rows))), Flatten<Rows>);
    assert_type_eq!(layout!(logical_divide(Rows, <2, 4>)), LogicalDivide<Rows, Tile>);
    assert_type_eq!(layout!(logical_divide(Rows, Tile)), LogicalDivide<Rows, Tile>);
    assert_type_eq!(layout!(zipped_divide(Rows, <2, 4>)), ZippedDivide<Rows, Tile>);
    assert_type_eq!(layout!(tiled_divide(Rows, <2, 4>)), TiledDivide<Rows, Tile>);
    assert_type_eq!(layout!(flat_divide(Rows, Tile)), FlatDivide<Rows, Tile>);
    assert_type_eq!(layout!(zipped_product(Rows, Tile)), ZippedProduct<Rows, Tile>);
    assert_type_eq!(layout!(tiled_product(Rows, 4:1)), TiledProduct<Rows, layout!(4:1)>);
    assert_type_eq!(layout!(flat_product(Rows, Tile)), FlatProduct<Rows, Tile>);
    assert_type_eq!(layout!(blocked_product(Rows, (2, 2))), BlockedProduct<Rows, layout!((2, 2))>);
    assert_type_eq!(layout!(raked_product(Rows, 2:1)), RakedProduct<Rows, layout!(2:1)>);
    assert_type_eq!(
        layout!(tile_to_shape(Rows, (8, 8))),
        layout!(((4, 2), (8, 1)):((8, 32), (1, 0)))
    );
    assert_type_eq!(
        layout!(tile_to_shape(Rows, (8, 16), (1, 0))),
        layout!(((4, 2), (8, 2)):((8, 64), (1, 32)))
    );
    assert_type_eq!(layout!(logical_divide(Rows, <_, 4>)), layout!((4, (4, 2)):(8, (1, 4))));
    assert_type_eq!(layout!(logical_product(Rows, (2, 2):(1, 2))), LogicalProduct<Rows, layout!((2, 2))>);
    assert_type_eq!(layout!(right_inverse(Rows)), RightInverse<Rows>);
    assert_type_eq!(layout!(filter(Rows)), Filter<Rows>);
    assert_type_eq!(layout!(filter_zeros(Rows)), FilterZeros<Rows>);
    assert_type_eq!(layout!(nullspace(Rows)), Nullspace<Rows>);
    assert_type_eq!(layout!(left_inverse(Rows)), LeftInverse<Rows>);
    assert_type_eq!(layout!(max_common_layout(Rows, Rows)), MaxCommonLayout<Rows, Rows>);
    assert_type_eq!(layout!(upcast(Rows, N)), Upcast<Rows, N>);
    assert_type_eq!(layout!(upcast(Rows, max_common_vector(Rows, Rows))), layout!((1, 1):(1, 1)));
    assert_type_eq!(layout!(downcast(Rows, 4)), Downcast<Rows, N>);
    assert_type_eq!(layout!(recast(Rows, 8, 32)), Recast<Rows, typenum::U8, typenum::U32>);
    assert_type_eq!(layout!(domain_distribute((N, 9), 6)), layout!((2, 3):(1, 4)));
    assert_type_eq!(layout!(complement(8:1, shape_div((N, 6), 2))), layout!(2:8));
    // In value position the macro gives a value.
    let value = layout!(logical_divide(Rows, <2, 4>));
    assert_eq!(value.to_string(), "((2,2),(4,2)):((8,16),(1,4))");
    assert_eq!(layout!(flatten(logical_divide(Rows, <2, 4>))).rank(), 4);
    assert_eq!(Tiler::from(layout!(<2:1, <_, 4:2>>)).to_string(), "<2:1,<_,4:2>>");
}

mod layout_alias {
    use static_layout::typenum::{U4, U6};
    use static_layout::types::{Cons, Nil};
    pub(crate) type Even = static_layout::layout!(4:2);
    pub(crate) type Shape = Cons<U4, Cons<U6, Nil>>;
}

#[test]
fn what_morello_says_is_a_constant() {
    use static_layout::engine::IndexExpression;
    use static_layout::engine::morello::MorelloView;
    use static_layout::types::StaticMorello;
    type Pack = layout!([1, 0, 1 p(4)] for (6, 8));
    const LIST: MorelloLayout = <Pack as StaticMorello>::MORELLO;
    const OFFSET: IndexExpression = <Pack as StaticMorello>::EXPRESSION;
    const TILE: MorelloView = match LIST.view().tile(&[6, 8], &[2, 8]) {
        Ok(tile) => tile,
        Err(error) => error.panic(),
    };
    const _: () = assert!(!TILE.is_fully_contiguous() && !LIST.is_row_major());
    assert_eq!(LIST.to_string(), "[1, 0, 1 p(4)]");
    assert_eq!(OFFSET.to_string(), "24*floor(d1/4) + 4*d0 + d1 mod 4");
    assert_eq!(TILE.to_string(), "([1, 0, 1 p(4)], c2)");
    type Columns = On<layout!([1, 0]), Pack>;
    assert_eq!(Columns::MORELLO.to_string(), "[1, 0]");
    let padded = <layout!((6, 8):(10, 1)) as StaticMorello>::MORELLO_CHECKED.unwrap_err();
    assert_eq!(padded.to_string(), "no coordinate has offset 8: the next stride is 10");
}

#[test]
fn a_morello_layout_waits_for_a_shape() {
    type Pack = layout!([1, 0, 1 p(4)]);
    assert_type_eq!(On<Pack, layout!((6, 8))>, layout!([1, 0, 1 p(4)] for (6, 8)));
    // The extents are the sizes of the modes, whatever their nesting.
    assert_type_eq!(On<Pack, layout!(((2, 3), (4, 2)):((1, 2), (6, 24)))>, On<Pack, layout!((6, 8))>);
    fn packed<L: StaticLayout>() -> DynLayout {
        On::<Pack, L>::LAYOUT
    }
    assert_eq!(packed::<layout!((10, 12):(12, 1))>().to_string(), "(10,(4,3)):(4,(1,40))");
    // Extents that are types, alone and in an operation.
    type N = U4;
    assert_type_eq!(layout!([1, 0, 1 p(4)] for (6, N)), layout!([1, 0, 1 p(4)] for (6, 4)));
    assert_type_eq!(layout!([0 p(4), 1] for (N, 8)), layout!((4, 8):(8, 1)));
    assert_type_eq!(layout!(coalesce([1, 0] for (N, 8))), layout!(32:1));
    assert_eq!(layout!([0 oe(4), 1] for (N, 8)).to_string(), "((2,2),8):((16,8),1)");
    fn of_extents<M: Nat, N: Nat>() -> DynLayout {
        <layout!([1, 0, 1 p(4)] for (M, N)) as StaticLayout>::LAYOUT
    }
    assert_eq!(of_extents::<U4, typenum::U8>().to_string(), "(4,(4,2)):(4,(1,16))");
    let pack = layout!([1, 0, 1 p(4)]);
    assert_eq!(pack.to_string(), "[1, 0, 1 p(4)]");
    assert_eq!(MorelloLayout::from(pack), MorelloLayout::parse("[1, 0, 1 p(4)]").unwrap());
    // Types report the same errors as the engine.
    fn why<L: StaticLayout>() -> String {
        L::CHECKED.unwrap_err().to_string()
    }
    let error = MorelloLayout::parse("[1, 0, 1 p(4)]").unwrap().for_shape(&[6, 10]).unwrap_err();
    assert_eq!(why::<On<Pack, layout!((6, 10))>>(), error.to_string());
}

macro_rules! on_each_shape {
    ($($list:tt for $shape:tt)+) => {$({
        let found = <On<layout!($list), layout!($shape)> as StaticLayout>::CHECKED;
        let list = MorelloLayout::from(layout!($list));
        let shape = static_layout::IntTuple::parse(stringify!($shape)).unwrap();
        assert_eq!(found, list.for_shape(shape.leaves()), "{list} for {shape}");
    })+};
}

#[test]
fn shapes_at_the_type_level_agree_with_the_engine() {
    on_each_shape! {
        [] for (1, 1)
        [] for (2, 1)
        [0] for (1)
        [0] for (7, 2)
        [0, 1] for (6, 8)
        [1, 0] for (6, 8)
        [0, 1, 2] for (6, 8)
        [0, 1, 3] for (6, 8, 2)
        [0, 2, 3, 1] for (2, 4, 3, 2)
        [0, 1, 2, 3, 1 p(8)] for (1, 16, 3, 4)
        [1, 0, 1 p(4)] for (6, 8)
        [1, 0, 1 p(8)] for (10, 4)
        [1, 0, 1 p(4), 0 p(2), 1 p(4)] for (10, 8)
        [1, 0, 1 p(4), 0 p(2), 1 p(4)] for (10, 6)
        [0, 1, 0 p(4), 1 p(2), 0 p(4)] for (4, 2)
        [0, 1, 0 p(4), 1 p(2), 0 p(4)] for (2, 2)
        [0, 1, 0 p(4), 1 p(2), 0 p(4)] for (8, 4)
        [0, 1, 0 p(4), 1 p(2), 0 p(4)] for (24, 4)
        [0 p(2), 1] for (6, 8)
        [0 p(3), 1, 0 p(2)] for (6, 8)
        [0 p(4)] for (3)
        [0 oe(8)] for (8)
        [0 oe(8)] for (1)
        [0 oe(8)] for (2)
        [0, 0 oe(8)] for (16)
        [0, 2, 1, 1 oe(16)] for (2, 32, 4)
        [0 oe(4), 1, 0 p(2)] for (8, 2)
        [0, 2, 1, 0 oe(10), 1 p(2)] for (10, 4, 4)
        [2, 2 oe(2), 0, 1, 2 oe(12)] for (2, 9, 24)
        [1, 0, 1 p(32), 0 oe(10), 0 p(2)] for (20, 7)
        [0, 0 oe(2), 1, 0 p(5)] for (2, 8)
        [0, 0 oe(2), 1, 0 p(5)] for (10, 8)
    }
}

#[test]
fn a_constant_is_a_value_by_its_name_or_in_braces() {
    const TILE_M: usize = 4;
    const WIDTH: usize = 8;
    let rows = layout!((TILE_M, { WIDTH }):({ WIDTH }, 1));
    assert_eq!(rows.to_string(), "(4,8):(8,1)");
    let typed: layout!((U<TILE_M>, U<WIDTH>):(U<WIDTH>, 1)) = Rows::default();
    assert_eq!(typed.size(), 32);
}
