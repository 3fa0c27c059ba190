//! The layouts that are made of shapes, and a shape divided.

use crate::types::compact::{ColumnMajor, RowMajorOf};
use crate::types::distribute::Distributed;
use crate::types::int_tuple::AnyIntTuple;
use crate::types::kind::LayoutOf;
use crate::types::make_ordered::OrderedOf;
use crate::types::nat::Nat;
use crate::types::operand::{Join, KindOf};
use crate::types::operation::operations;
use crate::types::shape_div::ShapeDivide;

operations! {
/// A layout of coordinates of the shape `S`, of a size that divides `N`, that tiles the shape: each
/// extent gives as much of `N` as divides it, from left to right. `N` is a typenum integer.
///
/// ```
/// use layout_core::types::{Cons, DomainDistribute, Layout, Nil};
/// use typenum::{U1, U2, U3, U6, U14, U15, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// assert_type_eq!(DomainDistribute<Pair<U15, U14>, U6>, Layout<Pair<U3, U2>, Pair<U1, U15>>);
/// ```
DomainDistribute<S: AnyIntTuple, N: Nat> = LayoutOf<KindOf<S>, Distributed<<S as AnyIntTuple>::Tree, N>>;

/// The compact column-major layout of the shape `S`: the first leaf is contiguous. `make(S)(i) = i`.
///
/// A leaf of extent 1 has the stride 0.
///
/// ```
/// use layout_core::types::{Cons, Layout, Make, Nil};
/// use typenum::{U1, U4, U8, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// assert_type_eq!(Make<Pair<U4, U8>>, Layout<Pair<U4, U8>, Pair<U1, U4>>);
/// ```
Make<S: AnyIntTuple> = LayoutOf<KindOf<S>, ColumnMajor<<S as AnyIntTuple>::Tree>>;

/// The compact row-major layout of the shape `S`: the last leaf is contiguous.
///
/// ```
/// use layout_core::types::{Cons, Layout, Nil, RowMajor};
/// use typenum::{U1, U4, U8, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// assert_type_eq!(RowMajor<Pair<U4, U8>>, Layout<Pair<U4, U8>, Pair<U8, U1>>);
/// ```
RowMajor<S: AnyIntTuple> = LayoutOf<KindOf<S>, RowMajorOf<<S as AnyIntTuple>::Tree>>;

/// The compact layout of the shape `S` whose modes follow each other in the order of the integers
/// in `O`, the smallest contiguous. A mode below one integer of the order is column-major.
///
/// ```
/// use layout_core::types::{Cons, Layout, MakeOrdered, Nil};
/// use typenum::{U0, U1, U2, U3, U4, U12, assert_type_eq};
/// type Triple<A, B, C> = Cons<A, Cons<B, Cons<C, Nil>>>;
/// type Shape = Triple<U12, U4, U3>;
/// assert_type_eq!(MakeOrdered<Shape, Triple<U2, U0, U1>>, Layout<Shape, Triple<U12, U1, U4>>);
/// ```
MakeOrdered<S: AnyIntTuple, O: AnyIntTuple> = LayoutOf<Join<S, O>, OrderedOf<<S as AnyIntTuple>::Tree, <O as AnyIntTuple>::Tree>>;
}

/// The shape `S` divided by the shape or the integer `D`: a shape.
///
/// Tuples divide mode by mode, an integer by the product of a tuple. A tuple is divided by an integer
/// from left to right: each mode takes what it can, and what is left of the divisor goes on.
///
/// ```
/// use layout_core::types::{Cons, Nil, ShapeDiv};
/// use typenum::{U1, U3, U4, U5, U6, U40, assert_type_eq};
/// type Three<A, B, C> = Cons<A, Cons<B, Cons<C, Nil>>>;
/// assert_type_eq!(ShapeDiv<Three<U4, U5, U6>, U40>, Three<U1, U1, U3>);
/// ```
pub type ShapeDiv<S, D> = <S as ShapeDivide>::DivideBy<D>;
