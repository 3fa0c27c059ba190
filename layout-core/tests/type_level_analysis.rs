//! Inverses, filters, casts and quotients on types: many modes, invalid operands, run-time leaves.

use layout_core::engine::{DynLayout, IntTuple, algebra};
use layout_core::types::{
    Algebra, Cons, DomainDistribute, Downcast, Dyn, Filter, FilterZeros, Layout, LeftInverse,
    MaxCommonLayout, MaxCommonVector, Mixed, Nat, Nil, Nullspace, Recast, ShapeDiv, StaticLayout,
    Tree, Upcast,
};
use typenum::{assert_type_eq, consts::*};

/// Half of the numbers that a size can be.
#[cfg(target_pointer_width = "64")]
type Half = U4611686018427387904;
#[cfg(target_pointer_width = "32")]
type Half = U1073741824;

macro_rules! list {
    () => { Nil };
    ($head:ty $(, $tail:ty)* $(,)?) => { Cons<$head, list!($($tail),*)> };
}

fn layout<L: StaticLayout>() -> DynLayout {
    L::CHECKED.unwrap_or_else(|error| panic!("{error}"))
}

fn why<L: StaticLayout>() -> String {
    L::CHECKED.unwrap_err().to_string()
}

// The strides fall, which is the most work for a sort.
type TwentyExtents =
    list!(U2, U2, U2, U2, U2, U2, U2, U2, U2, U2, U2, U2, U2, U2, U2, U2, U2, U2, U2, U2);
type TwentyStrides = list!(
    U1048576, U524288, U262144, U131072, U65536, U32768, U16384, U8192, U4096, U2048, U1024, U512,
    U256, U128, U64, U32, U16, U8, U4, U2
);
type Twenty = Layout<TwentyExtents, TwentyStrides>;

#[test]
fn twenty_modes_need_no_higher_recursion_limit() {
    let twenty = layout::<Twenty>();
    assert_eq!(layout::<FilterZeros<Twenty>>(), twenty.filter_zeros());
    assert_eq!(layout::<Filter<Twenty>>(), twenty.filter());
    assert_eq!(layout::<Nullspace<Twenty>>(), twenty.nullspace());
    assert_eq!(layout::<LeftInverse<Twenty>>(), twenty.left_inverse().unwrap());
    assert_eq!(layout::<Upcast<Twenty, U2>>(), twenty.upcast(2).unwrap());
    type Half = Upcast<Twenty, U2>;
    let half = layout::<Half>();
    assert_eq!(layout::<Downcast<Half, U2>>(), half.downcast(2).unwrap());
    assert_eq!(layout::<Recast<Half, U8, U4>>(), half.recast(8, 4).unwrap());
    assert_eq!(layout::<MaxCommonLayout<Half, Half>>(), half.max_common_layout(&half).unwrap());
    assert_eq!(
        MaxCommonVector::<Half, Half>::VALUE,
        Some(algebra::max_common_vector(&half, &half))
    );
    let shape = twenty.shape();
    assert_eq!(
        layout::<DomainDistribute<TwentyExtents, U1024>>(),
        DynLayout::domain_distribute(&shape, 1024).unwrap()
    );
    assert_eq!(
        <ShapeDiv<TwentyExtents, U1024> as Tree>::TUPLE.unwrap(),
        shape.shape_div(&IntTuple::leaf(1024)).unwrap()
    );
}

/// An operand that does not exist is the reason, wherever the operation would have used it.
#[test]
fn an_invalid_operand_stays_invalid() {
    type Gaps = LeftInverse<Layout<list!(U4, U3), list!(U6, U10)>>;
    type Column = Layout<U4, U1>;
    let reason = why::<Gaps>();
    assert_eq!(reason, "left_inverse: stride 10 is not a multiple of the next smaller stride 6");
    assert_eq!(why::<Filter<Gaps>>(), reason);
    assert_eq!(why::<FilterZeros<Gaps>>(), reason);
    assert_eq!(why::<Nullspace<Gaps>>(), reason);
    assert_eq!(why::<LeftInverse<Gaps>>(), reason);
    assert_eq!(why::<MaxCommonLayout<Gaps, Column>>(), reason);
    assert_eq!(why::<MaxCommonLayout<Column, Gaps>>(), reason);
    assert_eq!(why::<Upcast<Gaps, U2>>(), reason);
    assert_eq!(why::<Upcast<Gaps, U0>>(), reason);
    assert_eq!(why::<Downcast<Gaps, U2>>(), reason);
    assert_eq!(why::<Recast<Gaps, U8, U16>>(), reason);
    assert_eq!(why::<Recast<Gaps, U16, U8>>(), reason);
    assert_eq!(why::<Recast<Gaps, U0, U8>>(), reason);

    type NoShape = ShapeDiv<list!(U4, U6), list!(U2, U4)>;
    let reason = <NoShape as Tree>::TUPLE.unwrap_err().to_string();
    assert_eq!(reason, "shape_div: neither of 6 and 4 divides the other");
    assert_eq!(<ShapeDiv<NoShape, U2> as Tree>::TUPLE.unwrap_err().to_string(), reason);
    assert_eq!(<ShapeDiv<U24, NoShape> as Tree>::TUPLE.unwrap_err().to_string(), reason);
    assert_eq!(<ShapeDiv<list!(U4, U6), NoShape> as Tree>::TUPLE.unwrap_err().to_string(), reason);
    assert_eq!(why::<DomainDistribute<NoShape, U2>>(), reason);
    assert_eq!(why::<DomainDistribute<NoShape, U0>>(), reason);
    assert_eq!(
        <ShapeDiv<U4, Nil> as Tree>::TUPLE.unwrap_err().to_string(),
        "a tuple needs at least one mode"
    );
    assert_eq!(why::<DomainDistribute<Nil, U2>>(), "a tuple needs at least one mode");
    assert_eq!(why::<DomainDistribute<list!(U4, U0), U2>>(), "an extent must be at least 1");
    type Huge = list!(U4, Half, U4);
    assert_type_eq!(DomainDistribute<Huge, U4>, Layout<U4, U1>);
}

/// What is right for every value of a run-time leaf is kept.
#[test]
fn run_time_leaves_keep_known_structure() {
    type Strides = Mixed<list!(U4, U6), list!(U0, Dyn)>;
    assert_type_eq!(FilterZeros<Strides>, Mixed<list!(U1, U6), list!(U0, Dyn)>);
    assert_type_eq!(Nullspace<Strides>, Mixed<U4, U1>);
    type Rows = Mixed<list!(Dyn, U8), list!(U8, U1)>;
    assert_type_eq!(Upcast<Rows, U4>, Mixed<list!(Dyn, U2), list!(U2, U1)>);
    assert_type_eq!(Downcast<Rows, U4>, Mixed<list!(Dyn, U32), list!(U32, U1)>);
    type Padded = Mixed<list!(U6, U8), list!(Dyn, U1)>;
    assert_type_eq!(Recast<Padded, U16, U32>, Mixed<list!(U6, U4), list!(Dyn, U1)>);
    assert_type_eq!(
        MaxCommonVector<
            Layout<list!(U8, U2), list!(U1, U16)>,
            Layout<list!(U8, U2), list!(U1, U32)>,
        >,
        U8
    );
    assert_type_eq!(ShapeDiv<list!(Dyn, U8), list!(U2, U4)>, list!(Dyn, U2));
}
