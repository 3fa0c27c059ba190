//! Operations on the structure of layouts as types: run-time leaves, what an inadmissible operand
//! leaves, many modes, generic code. What the engine computes is in `type_level_cases.rs`.

use layout_core::types::{
    AnyLayout, Append, BlockedProduct, CoalesceBy, Composition, Cons, Dice, Dyn, Group, Keep,
    Layout, LogicalProduct, Make, MakeOrdered, Mixed, Nat, Nil, Prepend, RakedProduct, Replace,
    RowMajor, Select, Slice, SliceAndOffset, StaticLayout, StaticSlicer, Take, TileToShape, Tree,
    Unflatten, Zip, ZipWith,
};
use typenum::{Unsigned as _, assert_type_eq, consts::*};

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
type NoLayout = Composition<Layout<list!(U6, U2), list!(U1, U7)>, Layout<U4, U2>>;

fn why<L: StaticLayout>() -> String {
    match L::CHECKED {
        Ok(layout) => panic!("expected no layout but got {layout}"),
        Err(error) => error.to_string(),
    }
}

fn carry() -> String {
    why::<NoLayout>()
}

#[test]
fn generic_code_has_one_bound() {
    fn made<S: Tree, O: Tree>() -> usize {
        <CoalesceBy<MakeOrdered<S, O>, O> as StaticLayout>::SIZE + Make::<S>::SIZE
    }
    fn rows<M: Nat, N: Nat>() -> usize {
        RowMajor::<list!(M, N)>::COSIZE
    }
    assert_eq!(made::<list!(U4, U6), list!(U1, U0)>(), 48);
    assert_eq!(rows::<U4, U6>(), 24);
    fn cut<A: StaticLayout, B: StaticLayout, N: Nat>() -> usize {
        Append::<Group<Take<A, U0, N>, U0, N>, Replace<B, U0, Zip<Select<A, U0>>>>::SIZE
    }
    assert_eq!(cut::<Make<list!(U4, U6, U2)>, Make<list!(U3, U6)>, U2>(), (4 * 6) * (4 * 6));
}

/// The gaps of the block do not divide: the copies go on behind all of it.
#[test]
fn copies_are_disjoint() {
    type Block = Layout<list!(U4, U4), list!(U5, U27)>;
    assert_type_eq!(
        LogicalProduct<Block, Layout<U10, U1>>,
        Layout<list!(list!(U4, U4), list!(U5, U2)), list!(list!(U5, U27), list!(U1, U108))>
    );
    assert_eq!(
        why::<LogicalProduct<Block, Layout<U6, U1>>>(),
        "logical_product: the complement of A carries after 5 steps of B, and 5 does not divide its \
         extent 6"
    );
    assert_type_eq!(
        TileToShape<Layout<list!(U2, list!(U4, U2)), list!(U16, list!(U3, U1))>, list!(U2, U16)>,
        Layout<
            list!(list!(U2, U1), list!(list!(U4, U2), U2)),
            list!(list!(U16, U0), list!(list!(U3, U1), U32)),
        >
    );
}

#[test]
fn an_integer_is_arranged_whole() {
    assert_type_eq!(
        RakedProduct<Layout<U2, U2>, Layout<U4, U1>>,
        Layout<list!(list!(list!(U2, U2), U2)), list!(list!(list!(U1, U4), U2))>
    );
    assert_type_eq!(
        BlockedProduct<Layout<U4, U1>, Layout<list!(U3), list!(U1)>>,
        Layout<list!(list!(U4, list!(U3))), list!(list!(U1, list!(U4)))>
    );
    assert_type_eq!(
        RakedProduct<Layout<list!(U4), list!(U1)>, Layout<U3, U1>>,
        Layout<list!(list!(U3, list!(U4))), list!(list!(U4, list!(U1)))>
    );
    assert_type_eq!(
        RakedProduct<Layout<U4, U1>, Layout<list!(U3), list!(U1)>>,
        Layout<list!(list!(list!(U3), U4)), list!(list!(list!(U4), U1))>
    );
}

#[test]
fn a_run_time_extent_is_a_run_time_step() {
    type Shape = list!(U4, list!(Dyn, U2), U1, U3);
    assert_type_eq!(Make<Shape>, Layout<Shape, list!(U1, list!(U4, Dyn), U0, Dyn)>);
    assert_type_eq!(RowMajor<Shape>, Layout<Shape, list!(Dyn, list!(U6, U3), U0, U1)>);
    assert_type_eq!(
        MakeOrdered<Shape, list!(U2, U3, U1, U0)>,
        Layout<Shape, list!(U3, list!(U12, Dyn), U0, U1)>
    );
    // Places that differ decide by themselves; for equal ones the extents would have to be known.
    assert_type_eq!(
        MakeOrdered<list!(Dyn, Dyn), list!(U1, U0)>,
        Layout<list!(Dyn, Dyn), list!(Dyn, U1)>
    );
    let needs_values = "the modes of this layout depend on a number that is known only at run time";
    assert_eq!(why::<MakeOrdered<list!(Dyn, Dyn), list!(U0, U0)>>(), needs_values);
    assert_eq!(why::<MakeOrdered<list!(U2, U3), list!(Dyn, U0)>>(), needs_values);
}

#[test]
fn a_shape_without_modes_or_elements_makes_no_layout() {
    assert_eq!(why::<Make<Nil>>(), "a tuple needs at least one mode");
    assert_eq!(why::<Make<list!(U4, U0)>>(), "an extent must be at least 1");
    assert_eq!(why::<RowMajor<U0>>(), "an extent must be at least 1");
    assert_eq!(why::<MakeOrdered<list!(U4, U0), list!(U0, U1)>>(), "an extent must be at least 1");
    assert_eq!(why::<MakeOrdered<list!(U4, U2), Nil>>(), "a tuple needs at least one mode");
    assert_eq!(why::<CoalesceBy<Columns, Nil>>(), "a tuple needs at least one mode");
    assert_eq!(
        why::<Make<list!(Half, U4)>>(),
        format!("the size of shape ({},4) does not fit in {} bits", Half::USIZE, usize::BITS - 1)
    );
}

#[test]
fn the_first_reason_survives_every_operation() {
    assert_eq!(why::<CoalesceBy<NoLayout, U1>>(), carry());
    assert_eq!(why::<CoalesceBy<NoLayout, list!(U1, U1)>>(), carry());
    assert_eq!(why::<Take<NoLayout, U0, U1>>(), carry());
    assert_eq!(why::<Slice<NoLayout, Keep>>(), carry());
    assert_eq!(why::<Slice<NoLayout, list!(U9, U9)>>(), carry());
    assert_eq!(why::<Dice<NoLayout, U9>>(), carry());
    assert_eq!(why::<Take<NoLayout, U3, U9>>(), carry());
    assert_eq!(why::<Group<NoLayout, U0, U9>>(), carry());
    assert_eq!(why::<Select<NoLayout, U7>>(), carry());
    assert_eq!(why::<Replace<NoLayout, U0, Columns>>(), carry());
    assert_eq!(why::<Replace<Columns, U0, NoLayout>>(), carry());
    assert_eq!(why::<Append<NoLayout, Columns>>(), carry());
    assert_eq!(why::<Append<Columns, NoLayout>>(), carry());
    assert_eq!(why::<Prepend<NoLayout, Columns>>(), carry());
    assert_eq!(why::<Prepend<Columns, NoLayout>>(), carry());
    assert_eq!(why::<Unflatten<NoLayout, list!(U0, U0)>>(), carry());
    assert_eq!(why::<Zip<NoLayout>>(), carry());
    assert_eq!(why::<ZipWith<NoLayout, Columns>>(), carry());
    assert_eq!(why::<ZipWith<Columns, NoLayout>>(), carry());
}

/// A mode that has no layout makes the layout invalid, also where that mode is left out.
#[test]
fn an_invalid_mode_cannot_be_dropped() {
    type Beside = Append<Columns, NoLayout>;
    assert_eq!(why::<Take<Beside, U0, U1>>(), carry());
    assert_eq!(why::<Select<Beside, U1>>(), carry());
    assert_eq!(why::<Slice<Beside, list!(Keep, U0, U0)>>(), carry());
    assert_eq!(why::<Dice<Beside, list!(U0, U0, Keep)>>(), carry());
    assert_eq!(why::<Replace<Beside, U2, Columns>>(), carry());
    let range = "take: modes 0 to 3 are not a range of the 2 modes of shape (4,6)";
    assert_eq!(why::<Take<Take<Columns, U0, U3>, U0, U1>>(), range);
    assert_eq!(why::<Select<Append<Columns, Take<Columns, U0, U3>>, U0>>(), range);
}

#[test]
fn modes_are_moved_whatever_their_numbers() {
    type Tall = Layout<list!(Dyn, list!(U4, Dyn)), list!(U1, list!(Dyn, U2))>;
    assert_type_eq!(Take<Tall, U1, U2>, Layout<list!(list!(U4, Dyn)), list!(list!(Dyn, U2))>);
    assert_type_eq!(Select<Tall, U0>, Layout<list!(Dyn), list!(U1)>);
    assert_type_eq!(Replace<Tall, U1, Layout<U3, Dyn>>, Layout<list!(Dyn, U3), list!(U1, Dyn)>);
    type Nested = Layout<list!(list!(Dyn, U4), Dyn), list!(list!(U1, Dyn), U2)>;
    assert_type_eq!(Unflatten<Tall, list!(list!(U0, U0), U0)>, Nested);
    assert_type_eq!(Unflatten<Tall, list!(list!(Dyn, Dyn), Dyn)>, Nested);
    let needs_values = "the modes of this layout depend on a number that is known only at run time";
    assert_eq!(why::<Take<Columns, U0, Dyn>>(), needs_values);
    assert_eq!(why::<Group<Columns, Dyn, U1>>(), needs_values);
    assert_eq!(why::<Select<Columns, list!(U0, Dyn)>>(), needs_values);
    assert_eq!(why::<Replace<Columns, Dyn, Columns>>(), needs_values);
}

#[test]
fn a_slice_does_not_depend_on_its_numbers() {
    type Tall = Layout<list!(Dyn, list!(U4, Dyn)), list!(U1, list!(Dyn, U2))>;
    assert_type_eq!(Slice<Tall, list!(Dyn, list!(Keep, Dyn))>, Layout<list!(U4), list!(Dyn)>);
    assert_type_eq!(Slice<Tall, list!(U100, list!(Keep, U3))>, Layout<list!(U4), list!(Dyn)>);
    assert_type_eq!(Dice<Tall, list!(Dyn, list!(Keep, U9))>, Layout<list!(Dyn, Dyn), list!(U1, U2)>);
    assert_type_eq!(Slice<Tall, Keep>, Tall);
    assert_type_eq!(Dice<Tall, Dyn>, Tall);
    let outside = "coordinate 4 is not below extent 4";
    assert_eq!(why::<Slice<Tall, list!(Dyn, list!(U4, Keep))>>(), outside);
    // What is wrong with the modes goes before what is wrong with the numbers.
    let other = "coordinate (1,_,_) does not match the modes of shape 6";
    assert_eq!(why::<Slice<Columns, list!(U9, list!(U1, Keep, Keep))>>(), other);
    assert_eq!(why::<Slice<Columns, Nil>>(), "a tuple needs at least one mode");
    assert_eq!(why::<Slice<Columns, list!(Keep, Nil)>>(), "a tuple needs at least one mode");
    fn generic<A: StaticLayout, C: StaticSlicer>() -> usize {
        Slice::<A, C>::SIZE * Dice::<A, C>::SIZE
    }
    assert_eq!(generic::<Columns, list!(Keep, U5)>(), 24);
}

#[test]
fn numbers_of_modes_are_a_flat_tuple() {
    let kind = "expected an integer or a flat tuple of them, found a nested tuple";
    assert_eq!(why::<Select<Columns, list!(U0, list!(U1))>>(), kind);
    assert_eq!(why::<Select<Columns, Nil>>(), "a tuple needs at least one mode");
    assert_eq!(why::<Unflatten<Columns, Nil>>(), "a tuple needs at least one mode");
}

/// The default `recursion_limit` is enough for 24 modes.
#[test]
fn many_modes() {
    type Few<T> = Cons<U2, Cons<U3, Cons<U2, Cons<U1, T>>>>;
    type Shape = Few<Few<Few<Few<Few<Few<Nil>>>>>>;
    type Backwards = list!(
        U23, U22, U21, U20, U19, U18, U17, U16, U15, U14, U13, U12, U11, U10, U9, U8, U7, U6, U5,
        U4, U3, U2, U1, U0
    );
    assert_eq!(Make::<Shape>::SIZE, 12usize.pow(6));
    assert_type_eq!(MakeOrdered<Shape, Backwards>, RowMajor<Shape>);
    assert_type_eq!(Append<Take<Make<Shape>, U0, U23>, Layout<U1, U0>>, Make<Shape>);
    assert_type_eq!(Select<Select<Make<Shape>, Backwards>, Backwards>, Make<Shape>);
    assert_type_eq!(Replace<Make<Shape>, U23, Layout<U1, U0>>, Make<Shape>);
    type Halves = Group<Group<Make<Shape>, U12, U24>, U0, U12>;
    assert_type_eq!(Unflatten<Make<Shape>, <Halves as StaticLayout>::Shape>, Halves);
    assert_type_eq!(Zip<Zip<Halves>>, Halves);
    type Fixed = Cons<U0, Cons<Keep, Cons<U1, Cons<Dyn, Nil>>>>;
    type Kept = list!(Keep, Keep, Keep, Keep);
    type Corner = list!(Kept, Kept, Fixed, Kept, Kept, Fixed);
    type Rows = Select<Halves, list!(U1, U0)>;
    type Six = list!(
        list!(U0, U0, U0, U0),
        list!(U0, U0, U0, U0),
        list!(U0, U0, U0, U0),
        list!(U0, U0, U0, U0),
        list!(U0, U0, U0, U0),
        list!(U0, U0, U0, U0)
    );
    assert_eq!(Slice::<Unflatten<Rows, Six>, Corner>::RANK, 18);
    assert_eq!(CoalesceBy::<Make<Shape>, U1>::LAYOUT.to_string(), "2985984:1");
}

/// Of every coordinate, 1-D, by mode and nested, with modes kept.
#[test]
fn offsets_of_coordinates_are_the_engines() {
    fn agrees<A: StaticLayout, C: StaticSlicer>() {
        let slicer = C::SLICER.unwrap();
        let (slice, offset) = A::LAYOUT.slice_and_offset(&slicer).unwrap();
        assert_eq!(Slice::<A, C>::LAYOUT, slice, "{} at {slicer}", A::LAYOUT);
        assert_eq!(<C::Offset<<A as AnyLayout>::Modes> as Nat>::VALUE, Some(offset));
    }
    type Deep = Layout<list!(U2, list!(U4, U3), U5), list!(U60, list!(U1, U4), U12)>;
    agrees::<Deep, list!(U1, Keep, U4)>();
    agrees::<Deep, list!(Keep, U11, Keep)>();
    agrees::<Deep, list!(U0, list!(U3, Keep), U2)>();
    agrees::<Deep, list!(Keep, list!(U3, U2), U4)>();
    agrees::<Deep, Keep>();
    agrees::<Columns, list!(Keep, U5)>();
    type Open = Mixed<list!(U4, Dyn), list!(Dyn, U1)>;
    assert_type_eq!(
        SliceAndOffset<Open, list!(Keep, U2)>,
        (Mixed<list!(U4), list!(Dyn)>, U2)
    );
    assert_type_eq!(SliceAndOffset<Open, list!(U2, Keep)>, (Mixed<list!(Dyn), list!(U1)>, Dyn));
}
