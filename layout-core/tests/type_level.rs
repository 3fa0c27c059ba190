//! Layouts as types in generic code, their coordinates, and what an inadmissible operation leaves.

use layout_core::engine::{DynLayout, IntTuple};
use layout_core::types::{
    Algebra, AnyLayout, Coalesce, Complement, Composition, Cons, Dyn, DynamicKind, Flatten, Join,
    Keep, Layout, LogicalDivide, LogicalProduct, Mixed, MixedKind, ModeCoord, Nil, RightInverse,
    SliceCoordinate, StaticKind, StaticLayout, StaticTiler, Tile, Valid, ZippedDivide,
};
use typenum::Unsigned as _;
use typenum::consts::*;

/// Half of the numbers that a size can be.
#[cfg(target_pointer_width = "64")]
type Half = U4611686018427387904;
#[cfg(target_pointer_width = "32")]
type Half = U1073741824;

macro_rules! list {
    () => { Nil };
    ($head:ty $(, $tail:ty)*) => { Cons<$head, list!($($tail),*)> };
}

type Columns = Layout<list!(U4, U6), list!(U1, U4)>;
type Rows = Layout<list!(U4, U6), list!(U6, U1)>;
type Nested = Layout<list!(U2, list!(U3, U4)), list!(U12, list!(U1, U3))>;
type NoLayout = Composition<Layout<list!(U6, U2), list!(U1, U7)>, Layout<U4, U2>>;

// ---- generic code: one bound, any nesting ----

fn nested_operations<A: StaticLayout, B: StaticLayout, C: StaticLayout>() -> usize {
    <Composition<Composition<A, B>, LogicalDivide<C, Coalesce<B>>> as StaticLayout>::SIZE
}

fn calls_it_with_more<A: StaticLayout>() -> usize {
    nested_operations::<A, RightInverse<A>, Flatten<LogicalProduct<A, A>>>()
}

fn checked_before_instantiation<A: StaticLayout, B: StaticLayout>() -> usize
where
    Composition<A, B>: Valid,
{
    Composition::<A, B>::COSIZE
}

fn by_a_tiler<L: StaticLayout, T: StaticTiler>() -> usize {
    LogicalDivide::<Coalesce<L>, T>::SIZE
}

fn by_mode<L: StaticLayout, T: StaticTiler>() -> usize {
    by_a_tiler::<Composition<L, L>, Tile<list!(T)>>() + by_a_tiler::<L, (T,)>()
}

/// What a generic function makes of any layouts is a layout again.
fn of_any_kind<A: AnyLayout, B: AnyLayout>() -> Option<DynLayout> {
    <LogicalDivide<Composition<A, B>, Coalesce<B>> as AnyLayout>::STATIC
}

#[test]
fn generic_code_has_one_bound() {
    // (24:1 o 24:1) o (24:1 / 24:1): the tile and one rest.
    type Line = Layout<U24, U1>;
    assert_eq!(nested_operations::<Line, Line, Line>(), 24);
    assert_eq!(calls_it_with_more::<Layout<U2, U1>>(), 4);
    assert_eq!(checked_before_instantiation::<Rows, Columns>(), 24);
    assert_eq!(by_a_tiler::<Rows, Tile<list!(Layout<U2, U1>)>>(), 24);
    assert_eq!(by_mode::<Line, Layout<U4, U1>>(), 48);
    assert_eq!(of_any_kind::<Line, Line>().unwrap().to_string(), "(24,1):(1,0)");
    assert!(of_any_kind::<Line, Mixed<Dyn, U1>>().is_none());
    assert!(of_any_kind::<Line, DynLayout>().is_none());
}

#[test]
fn results_have_the_most_dynamic_kind() {
    use typenum::assert_type_eq;
    type Half = Mixed<Dyn, U1>;
    assert_type_eq!(Join<Rows, Columns>, StaticKind);
    assert_type_eq!(Join<Rows, Half>, MixedKind);
    assert_type_eq!(Join<Half, Rows>, MixedKind);
    assert_type_eq!(Join<Half, Half>, MixedKind);
    assert_type_eq!(Join<Half, DynLayout>, DynamicKind);
    assert_type_eq!(Join<DynLayout, Half>, DynamicKind);
    assert_type_eq!(Join<Rows, DynLayout>, DynamicKind);
    assert_type_eq!(Join<Rows, (Keep, Columns)>, StaticKind);
    assert_type_eq!(Join<Rows, (Keep, (Columns, Half))>, MixedKind);
    assert_type_eq!(Join<Rows, (DynLayout, Half)>, DynamicKind);
    assert_type_eq!(Composition<Rows, DynLayout>, DynLayout);
    assert_type_eq!(Flatten<Mixed<list!(U2, list!(Dyn, U4)), list!(Dyn, list!(U1, U3))>>,
        Mixed<list!(U2, Dyn, U4), list!(Dyn, U1, U3)>);
}

/// The offsets at all coordinates, through the coordinate type that a closure would get.
fn offsets<L: AnyLayout>(layout: &L) -> Vec<usize> {
    let shape = layout.shape();
    let extents: Vec<usize> = (0..shape.rank()).map(|i| shape.mode(i).product().unwrap()).collect();
    let mut modes = vec![0; extents.len()];
    (0..layout.size())
        .map(|_| {
            let offset = layout.offset(L::Coord::from_modes(&modes));
            for (coordinate, extent) in modes.iter_mut().zip(&extents) {
                *coordinate += 1;
                if *coordinate < *extent {
                    break;
                }
                *coordinate = 0;
            }
            offset
        })
        .collect()
}

/// `L(i) = sum of digit_k(i) * d_k`, from the leaves.
fn naive(layout: &DynLayout, mut index: usize) -> usize {
    let leaves = layout.extents().iter().zip(layout.strides());
    leaves
        .map(|(extent, stride)| {
            let digit = index % extent;
            index /= extent;
            digit * stride
        })
        .sum()
}

fn coordinates_agree<L: AnyLayout>(layout: L) {
    let value = layout.to_dyn().unwrap();
    let expected: Vec<usize> = (0..value.size()).map(|i| naive(&value, i)).collect();
    assert_eq!(offsets(&layout), expected, "{layout} by modes");
    assert_eq!(offsets(&value), expected, "{layout} by modes, at run time");
    let by_index: Vec<usize> = (0..value.size()).map(|i| layout.offset(i)).collect();
    assert_eq!(by_index, expected, "{layout} by index");
    for (i, offset) in expected.iter().enumerate() {
        let nested = layout.shape().idx2crd(i).unwrap();
        assert_eq!(layout.try_offset(nested), Ok(*offset), "{layout} at {nested}");
    }
    assert!(layout.try_offset(value.size()).is_err());
}

#[test]
fn every_kind_of_coordinate_has_the_same_offset() {
    coordinates_agree(Layout::<U8, U3>);
    coordinates_agree(Layout::<Cons<U8, Nil>, Cons<U3, Nil>>);
    coordinates_agree(Rows::default());
    coordinates_agree(Nested::default());
    coordinates_agree(LogicalProduct::<Nested, Rows>::default());
    coordinates_agree(Flatten::<LogicalProduct<Nested, Rows>>::default());
    coordinates_agree(Mixed::<list!(Dyn, U4), list!(U1, Dyn)>::new(((5, ()), (((), 7), ()))));
    coordinates_agree(Mixed::<list!(U3, list!(Dyn, U2)), list!(Dyn, list!(U1, Dyn))>::new((
        ((), 40),
        (((4, ()), (((), 9), ())), ()),
    )));
    coordinates_agree(Mixed::<Dyn, U2>::new((9, ())));
}

#[test]
fn tuples_nest_as_the_shape_does() {
    let l = Nested::default();
    assert_eq!((l.offset((1, (2, 3))), l.offset((1, 11)), l.offset(23)), (23, 23, 23));
    let m = Mixed::<list!(U2, list!(Dyn, U4)), list!(U12, list!(U1, U3))>::new((
        ((), ()),
        (((3, ()), (((), ()), ())), ()),
    ));
    assert_eq!((m.offset((1, (2, 3))), m.offset((1, 11)), m.offset(23)), (23, 23, 23));
    let d = l.to_dyn().unwrap();
    assert_eq!((d.offset((1, (2, 3))), d.offset((1, 11)), d.offset(23)), (23, 23, 23));
    assert_eq!(
        d.try_offset((1, 2, 3)).unwrap_err().to_string(),
        "coordinate (1,2,3) does not match the modes of shape (2,(3,4))"
    );
    for (coordinate, why) in [
        ((2, 0), "coordinate 2 is not below extent 2"),
        ((0, 12), "coordinate 12 is not below extent 12"),
    ] {
        assert_eq!(l.try_offset(coordinate).unwrap_err().to_string(), why);
        assert_eq!(m.try_offset(coordinate).unwrap_err().to_string(), why);
        assert_eq!(d.try_offset(coordinate).unwrap_err().to_string(), why);
    }
}

#[test]
#[should_panic(expected = "coordinate 4 is not below extent 4")]
fn an_offset_outside_panics_as_a_slice_index_does() {
    Rows::default().offset((4, 0));
}

#[test]
fn beyond_eight_modes_a_coordinate_is_an_int_tuple() {
    type Eight = list!(U1, U2, U1, U2, U1, U2, U1, U2);
    type EightSteps = list!(U0, U1, U0, U2, U0, U4, U0, U8);
    let l = Layout::<Eight, EightSteps>;
    assert_eq!(l.offset((0, 1, 0, 1, 0, 1, 0, 1)), 15);
    coordinates_agree(l);
    let l = Layout::<Cons<U2, Eight>, Cons<U16, EightSteps>>;
    let last = IntTuple::flat(&[1, 0, 1, 0, 1, 0, 1, 0, 1]).unwrap();
    assert_eq!((l.offset(last), l.offset(31)), (31, 31));
    coordinates_agree(l);
}

#[test]
fn a_static_part_of_a_mixed_layout_cannot_wrap() {
    // The first leaf alone has offsets beyond `MAX_SIZE`.
    let l = Mixed::<list!(Half, Dyn), list!(U8, U1)>::new((((), ()), ((2, ()), ())));
    assert!(l.to_dyn().is_err());
    assert!(l.try_offset((Half::USIZE / 2, 1)).is_err());
    assert_eq!(l.try_offset((1, 1)), Ok(9));
}

// ---- slices ----

/// The slice and its offset, and the same of the layout as a value.
fn slice_agrees<L: AnyLayout, C: SliceCoordinate<L> + SliceCoordinate<DynLayout> + Copy>(
    layout: L,
    coordinate: C,
    text: &str,
    offset: usize,
) {
    let (slice, at) = layout.slice(coordinate);
    assert_eq!((slice.to_string().as_str(), at), (text, offset), "{layout}");
    let value = layout.to_dyn().unwrap();
    let (slice, at) = value.try_slice(coordinate).unwrap();
    assert_eq!((slice.to_dyn().unwrap().to_string().as_str(), at), (text, offset), "{layout}");
}

#[test]
fn slice_keeps_the_modes_of_dots() {
    let nested = Nested::default();
    slice_agrees(nested, (.., 5), "(2):(12)", 5);
    slice_agrees(nested, (1, ..), "((3,4)):((1,3))", 12);
    slice_agrees(nested, (1, (2, ..)), "(4):(3)", 14);
    slice_agrees(nested, (.., (.., 3)), "(2,3):(12,1)", 9);
    slice_agrees(nested, .., "(2,(3,4)):(12,(1,3))", 0);
    type Row = Layout<Cons<U6, Nil>, Cons<U1, Nil>>;
    let (row, offset): (Row, usize) = Rows::default().slice((3, ..));
    for j in 0..6 {
        assert_eq!(row.offset(j) + offset, Rows::default().offset((3, j)));
    }
    type Tall = Mixed<list!(Dyn, list!(U4, Dyn)), list!(U1, list!(Dyn, U2))>;
    let tall = Tall::new(((9, ()), ((((), 40), ((3, ()), ())), ())));
    slice_agrees(tall, (7, ..), "((4,3)):((40,2))", 7);
    slice_agrees(tall, (.., (3, 2)), "(9):(1)", 124);
    slice_agrees(tall, (.., (.., 2)), "(9,4):(1,40)", 4);
    slice_agrees(tall, .., "(9,(4,3)):(1,(40,2))", 0);
    // CuTe's answers.
    type A = Layout<list!(U2, list!(U4, U3), U9), list!(U108, list!(U1, U36), U4)>;
    slice_agrees(A::default(), (.., (.., 0), ..), "(2,4,9):(108,1,4)", 0);
    type B = Layout<list!(U7, U4, U7), list!(U1, U7, U28)>;
    slice_agrees(B::default(), (3, .., ..), "(4,7):(7,28)", 3);
    type C = Layout<list!(U2, U6, U2, U8), list!(U8, U16, U96, U1)>;
    slice_agrees(C::default(), (.., 0, .., ..), "(2,2,8):(8,96,1)", 0);
}

#[test]
fn a_slice_outside_is_an_error() {
    let why = "coordinate 4 is not below extent 4";
    assert_eq!(Rows::default().try_slice((4, ..)).unwrap_err().to_string(), why);
    let value = Rows::LAYOUT;
    assert_eq!(value.try_slice((4, ..)).unwrap_err().to_string(), why);
    let error = value.try_slice((1, .., ..)).unwrap_err().to_string();
    assert_eq!(error, "coordinate (1,_,_) does not match the modes of shape (4,6)");
    let error = value.try_slice((1, 2)).unwrap_err().to_string();
    assert_eq!(error, "slice: coordinate (1,2) keeps no mode");
}

// ---- what an inadmissible operation leaves behind ----

fn why<L: StaticLayout>() -> String {
    match L::CHECKED {
        Ok(layout) => panic!("expected no layout but got {layout}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_first_reason_survives_every_operation() {
    let carry = why::<NoLayout>();
    assert_eq!(
        carry,
        "composition: A carries after 3 steps of B, and 3 does not divide its extent 4"
    );
    type Whole = Layout<U1, U0>;
    type Pair = Tile<list!(Layout<U2, U1>, Keep)>;
    assert_eq!(why::<Composition<NoLayout, Whole>>(), carry);
    assert_eq!(why::<Composition<NoLayout, Layout<U4, U0>>>(), carry);
    assert_eq!(why::<Composition<Columns, NoLayout>>(), carry);
    assert_eq!(why::<Composition<NoLayout, Keep>>(), carry);
    assert_eq!(why::<Composition<NoLayout, Pair>>(), carry);
    assert_eq!(why::<Complement<NoLayout, U24>>(), carry);
    assert_eq!(why::<Coalesce<NoLayout>>(), carry);
    assert_eq!(why::<Flatten<NoLayout>>(), carry);
    assert_eq!(why::<LogicalDivide<NoLayout, Whole>>(), carry);
    assert_eq!(why::<LogicalDivide<Columns, NoLayout>>(), carry);
    assert_eq!(why::<LogicalDivide<NoLayout, Pair>>(), carry);
    assert_eq!(why::<LogicalDivide<Columns, Tile<list!(Keep, NoLayout)>>>(), carry);
    assert_eq!(why::<ZippedDivide<NoLayout, Keep>>(), carry);
    assert_eq!(why::<ZippedDivide<Columns, NoLayout>>(), carry);
    assert_eq!(why::<LogicalProduct<NoLayout, Whole>>(), carry);
    assert_eq!(why::<LogicalProduct<Whole, NoLayout>>(), carry);
    assert_eq!(why::<RightInverse<NoLayout>>(), carry);
}

/// A mode that has no layout makes the layout invalid, also where a tiler drops that mode.
#[test]
fn an_invalid_mode_cannot_be_dropped() {
    type Carries = Layout<list!(U2, U4), list!(U1, U2)>;
    type SecondIsInvalid = Composition<Layout<list!(U6, U2), list!(U1, U7)>, Carries>;
    let carry = why::<SecondIsInvalid>();
    assert_eq!(why::<Composition<SecondIsInvalid, Tile<list!(Keep)>>>(), carry);
    type NestedInside = LogicalDivide<Columns, Tile<list!(Keep, NoLayout)>>;
    assert_eq!(why::<Composition<NestedInside, Tile<list!(Keep)>>>(), why::<NoLayout>());
}

#[test]
fn a_static_layout_has_no_run_time_leaves() {
    type Extent = Layout<list!(Dyn, U4), list!(U1, U8)>;
    type Stride = Layout<list!(U4, U4), list!(U1, Dyn)>;
    let needs_values = "a static layout has no run-time leaves";
    assert_eq!(why::<Composition<Extent, Layout<U4, U1>>>(), needs_values);
    assert_eq!(why::<Composition<Columns, Layout<U2, Dyn>>>(), needs_values);
    assert_eq!(why::<Complement<Columns, Dyn>>(), needs_values);
    assert_eq!(why::<LogicalDivide<Extent, Layout<U2, U1>>>(), needs_values);
    assert_eq!(why::<Coalesce<Stride>>(), needs_values);
    // The order of the strides decides about the modes of a complement.
    let needs_order = "the modes of this layout depend on a number that is known only at run time";
    assert_eq!(why::<Complement<Stride, U64>>(), needs_order);
    assert_eq!(why::<LogicalProduct<Stride, Layout<U2, U1>>>(), needs_order);
}

#[test]
fn numbers_above_the_maximum_size_are_errors() {
    type Huge = Layout<Half, U1>;
    let (half, bits) = (Half::USIZE, usize::BITS - 1);
    assert_eq!(Huge::SIZE, half);
    assert_eq!(
        why::<LogicalProduct<Huge, Layout<U2, U1>>>(),
        format!("the size of shape ({half},2) does not fit in {bits} bits")
    );
    assert_eq!(
        why::<Flatten<Layout<U4, Half>>>(),
        format!("the largest offset of 4:{half} does not fit in {bits} bits")
    );
}

/// Tiles that hang over a layout whose last extent is 1: what lies beyond means nothing.
#[test]
fn tiles_hang_over_a_last_extent_of_one() {
    fn agree<A: StaticLayout, B: StaticLayout>(expected: &str) {
        let divided = A::LAYOUT.logical_divide(&B::LAYOUT);
        assert_eq!(LogicalDivide::<A, B>::CHECKED, divided);
        assert_eq!(divided.map_or_else(|e| e.to_string(), |l| l.to_string()), expected);
    }
    type Ends = Layout<list!(U4, U1), list!(U4, U1)>;
    agree::<Ends, Layout<U3, U1>>("(3,2):(4,12)");
    agree::<Layout<list!(U3, U7, U1), list!(U1, U3, U0)>, Layout<U3, U3>>("(3,(3,3)):(3,(1,9))");
    agree::<Ends, Layout<U8, U1>>("((4,2),1):((4,1),0)");
    agree::<Ends, Layout<list!(U3, U2), list!(U1, U2)>>(
        "logical_divide: stride 2 of mode 1 of the tile lies inside the 3 offsets that its smaller strides \
         cover",
    );
}

#[test]
fn a_tiler_is_a_type_and_a_value() {
    use layout_core::engine::Tiler;
    type ByMode = Tile<list!(Layout<U2, U1>, Keep)>;
    let tiler: Tiler = ByMode::default().into();
    assert_eq!(tiler.to_string(), "<2:1,_>");
    let divided = Columns::LAYOUT.logical_divide_by(&tiler).unwrap();
    assert_eq!(divided, LogicalDivide::<Columns, ByMode>::LAYOUT);
    let value = Tile::<list!(Layout<U2, U1>, Keep)>;
    assert_eq!((Tiler::from(value), size_of_val(&value)), (tiler, 0));
    assert_eq!(Tiler::from(Keep), Tiler::keep());
}
