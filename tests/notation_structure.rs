//! The structural operations on layouts, in `layout!` applied to names.

use static_layout::text::eval;
use static_layout::typenum::{U0, U1, U2, U3, U4, U8, assert_type_eq};
use static_layout::types::{Cons, Keep, Nil};
use static_layout::{
    Make, RowMajor, Select, Slice, layout,
    ops::{
        Append, CoalesceBy, Dice, FilterBy, Group, MakeOrdered, Prepend, Replace, Take, Unflatten,
        Zip, ZipWith,
    },
};

type Shape = Cons<U4, Cons<U8, Nil>>;
type Order = Cons<U1, Cons<U0, Nil>>;
type Nested = layout!((2, (1, 4)):(1, (7, 2)));

#[test]
fn shapes_are_operands() {
    assert_type_eq!(layout!(make(Shape)), Make<Shape>);
    assert_type_eq!(layout!(make((U4, 8))), layout!((4, 8)));
    assert_type_eq!(layout!(row_major(Shape)), RowMajor<Shape>);
    assert_type_eq!(layout!(row_major((4, (U2, 8)))), layout!((4, (2, 8)):(16, (8, 1))));
    assert_type_eq!(layout!(make_ordered(Shape, Order)), MakeOrdered<Shape, Order>);
    assert_type_eq!(layout!(make_ordered(Shape, (1, 0))), layout!((4, 8):(8, 1)));
    assert_type_eq!(layout!(make_ordered((U4, 8, 2), (1, 2, 0))), layout!((4, 8, 2):(2, 8, 1)));
    assert_eq!(layout!(make(Shape)).to_string(), "(4,8):(1,4)");
}

#[test]
fn an_open_extent_of_1_makes_no_step() {
    type Column<N> = layout!((N, 4, N));
    type Lines<N> = layout!((_, N, 4));
    assert_type_eq!(Column<U1>, Make<Cons<U1, Cons<U4, Cons<U1, Nil>>>>);
    assert_type_eq!(Column<U1>, layout!((1, 4, 1):(0, 1, 0)));
    assert_type_eq!(Column<U2>, layout!((2, 4, 2):(1, 2, 8)));
    assert_type_eq!(Lines<U1>, layout!((_, 1, 4):(1, 0, _)));
    assert_type_eq!(Lines<U2>, layout!((_, 2, 4):(1, _, _)));
}

#[test]
fn profiles_are_operands() {
    assert_type_eq!(layout!(coalesce(Nested)), layout!(8:1));
    assert_type_eq!(layout!(coalesce(Nested, (0, 0))), layout!((2, 4):(1, 2)));
    assert_type_eq!(layout!(coalesce(Nested, Order)), CoalesceBy<Nested, Order>);
    assert_type_eq!(layout!(filter(Nested, Order)), FilterBy<Nested, Order>);
    assert_type_eq!(layout!(filter(Nested, (0, 0))), layout!((2, 4):(1, 2)));
    assert_type_eq!(layout!(coalesce(Nested, (0))), layout!((2, (1, 4)):(1, (7, 2))));
}

#[test]
fn numbers_of_modes_are_operands() {
    type Cube = layout!((2, 3, 5));
    assert_type_eq!(layout!(take(Cube, 1, 3)), Take<Cube, U1, U3>);
    assert_type_eq!(layout!(take(Cube, U1, 3)), layout!((3, 5):(2, 6)));
    assert_type_eq!(layout!(select(Cube, 2)), layout!((5):(6)));
    assert_type_eq!(layout!(select(Cube, (2, U0))), layout!((5, 2):(6, 1)));
    assert_type_eq!(layout!(select(Cube, Order)), Select<Cube, Order>);
    assert_type_eq!(layout!(group(Cube, 0, U2)), Group<Cube, U0, U2>);
    assert_type_eq!(layout!(replace(Cube, 1, 7:0)), Replace<Cube, U1, layout!(7:0)>);
    assert_type_eq!(layout!(append(Cube, Nested)), Append<Cube, Nested>);
    assert_type_eq!(layout!(prepend(Cube, 7)), Prepend<Cube, layout!(7:1)>);
    assert_eq!(layout!(take(Cube, 1, 3)).to_string(), "(3,5):(2,6)");
}

#[test]
fn parentheses_are_moved() {
    assert_type_eq!(layout!(unflatten(Nested, ((0, 0), 0))), layout!(((2, 1), 4):((1, 7), 2)));
    type Profile = Cons<Order, Cons<U0, Nil>>;
    assert_type_eq!(layout!(unflatten(Nested, Profile)), Unflatten<Nested, Profile>);
    type Rows = layout!(((2, 3), (5, 7)));
    assert_type_eq!(layout!(zip(Rows)), Zip<Rows>);
    type Pair = layout!((6, 5));
    assert_type_eq!(layout!(zip(Pair, Nested)), ZipWith<Pair, Nested>);
}

#[test]
fn coordinates_are_operands() {
    assert_type_eq!(layout!(slice(Nested, (1, _))), layout!(((1, 4)):((7, 2))));
    assert_type_eq!(layout!(slice(Nested, (_, (U0, _)))), layout!((2, 4):(1, 2)));
    assert_type_eq!(layout!(slice(Nested, _)), Nested);
    assert_type_eq!(layout!(dice(Nested, (1, _))), layout!((2):(1)));
    assert_type_eq!(layout!(dice(Nested, 0)), Nested);
    type Row = Cons<U1, Cons<Keep, Nil>>;
    assert_type_eq!(layout!(slice(Nested, Row)), Slice<Nested, Row>);
    assert_type_eq!(layout!(dice(Nested, Row)), Dice<Nested, Row>);
    assert_eq!(layout!(slice(Nested, (1, _))).to_string(), "((1,4)):((7,2))");
}

#[test]
fn windows_are_written_as_tuples_or_as_tilers_are() {
    type Tiler = layout!(windows((6, 8):(8, 1), <(3, 1, 1), (3, 2, 1)>));
    type Tuple = layout!(windows((6, 8):(8, 1), (3, (3, 2))));
    assert_type_eq!(Tiler, Tuple);
    for text in ["windows((6,8):(8,1), <(3,1,1), (3,2,1)>)", "windows((6,8):(8,1), <3, (3,2)>)"] {
        assert_eq!(eval(text).unwrap().to_string(), "((3,3),(4,3)):((8,1),(8,2))");
    }
    assert_eq!(eval("windows(8:1, <(3,1,2)>)").unwrap().to_string(), "((3),(4)):((2),(1))");
    let error = eval("windows((6,8):(8,1), <(3,1,1), (9,1,1)>)").unwrap_err();
    let problem = &error.problems()[0];
    assert_eq!((problem.error.code(), problem.span.clone()), ("L0354", 31..38));
}
