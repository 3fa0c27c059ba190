//! Layouts as functions: composition, complements, inverses, what does not move, other elements.

use crate::types::any::AnyLayout;
use crate::types::by_mode::Compose;
use crate::types::common::{CommonLayout, CommonVector};
use crate::types::complement::{Complemented, ComplementedInside};
use crate::types::filter::{Filtered, FilteredBy, NullspaceModes, ZerosFiltered};
use crate::types::int_tuple::AnyIntTuple;
use crate::types::inverse::RightInverseModes;
use crate::types::kind::{LayoutOf, ModesOf};
use crate::types::left_inverse::LeftInverseModes;
use crate::types::nat::Nat;
use crate::types::operand::{Join, KindOf};
use crate::types::operation::operations;
use crate::types::recast::{DowncastModes, RecastModes, UpcastModes};
use crate::types::tiler::AnyTiler;

operations! {
/// `composition(A, B)(c) = A(B(c))`, with the shape of B refined. `B` is a layout or a
/// [tiler](super::super::StaticTiler).
///
/// ```
/// use layout_core::types::{Composition, Cons, Layout, Nil};
/// use typenum::{U1, U2, U4, U5, U8, U20, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type B = Layout<Pair<U5, U4>, Pair<U4, U1>>;
/// assert_type_eq!(Composition<Layout<U20, U2>, B>, Layout<Pair<U5, U4>, Pair<U8, U2>>);
/// ```
Composition<A: AnyLayout, B: AnyTiler> = LayoutOf<Join<A, B>, <B as AnyTiler>::Apply<Compose, ModesOf<A>>>;

/// What `A` leaves out of the first `N` offsets, `N` a typenum integer: a layout that is ordered and
/// disjoint from `A`, and with which `A` covers them.
///
/// For a shape `N` the last mode repeats as often as each mode of the shape needs by itself.
///
/// ```
/// use layout_core::types::{Complement, Cons, Layout, Nil};
/// use typenum::{U1, U2, U4, U6, U24, assert_type_eq};
/// assert_type_eq!(Complement<Layout<U4, U1>, U24>, Layout<U6, U4>);
/// assert_type_eq!(Complement<Layout<U4, U1>, Cons<U6, Cons<U2, Nil>>>, Layout<U4, U4>);
/// ```
Complement<A: AnyLayout, N: AnyIntTuple> = LayoutOf<Join<A, N>, Complemented<ModesOf<A>, <N as AnyIntTuple>::Tree>>;

/// What `A` leaves out of its own cosize: [`Complement`] without a cotarget.
///
/// ```
/// use layout_core::types::{ComplementInCosize, Layout};
/// use typenum::{U1, U2, U4, assert_type_eq};
/// assert_type_eq!(ComplementInCosize<Layout<U4, U2>>, Layout<U2, U1>);
/// ```
ComplementInCosize<A: AnyLayout> = LayoutOf<KindOf<A>, ComplementedInside<ModesOf<A>>>;

/// `A(right_inverse(A)(i)) = i`, on the longest domain that there is.
RightInverse<A: AnyLayout> = LayoutOf<KindOf<A>, RightInverseModes<ModesOf<A>>>;

/// The layout with extent 1 wherever the stride is 0: the same offsets, each mode in its place.
///
/// ```
/// use layout_core::types::{Cons, FilterZeros, Layout, Nil};
/// use typenum::{U0, U1, U3, U4, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Layout<Pair<U4, U3>, Pair<U0, U1>>;
/// assert_type_eq!(FilterZeros<A>, Layout<Pair<U1, U3>, Pair<U0, U1>>);
/// ```
FilterZeros<A: AnyLayout> = LayoutOf<KindOf<A>, ZerosFiltered<ModesOf<A>>>;

/// `coalesce(filter_zeros(A))`: the layout with the fewest modes that has the same offsets without
/// the repetitions of stride-0 modes.
///
/// ```
/// use layout_core::types::{Cons, Filter, Layout, Nil};
/// use typenum::{U0, U1, U3, U4, assert_type_eq};
/// type A = Layout<Cons<U4, Cons<U3, Nil>>, Cons<U0, Cons<U1, Nil>>>;
/// assert_type_eq!(Filter<A>, Layout<U3, U1>);
/// ```
Filter<A: AnyLayout> = LayoutOf<KindOf<A>, Filtered<ModesOf<A>>>;

/// [`Filter`] at each leaf of the profile `P`, whose integers mean nothing; modes beyond the profile
/// stay as they are.
///
/// ```
/// use layout_core::types::{Cons, FilterBy, Layout, Nil};
/// use typenum::{U0, U1, U2, U3, U4, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Layout<Pair<Pair<U2, U4>, U3>, Pair<Pair<U1, U0>, U2>>;
/// assert_type_eq!(FilterBy<A, Pair<U1, U1>>, Layout<Pair<U2, U3>, Pair<U1, U2>>);
/// ```
FilterBy<A: AnyLayout, P: AnyIntTuple> = LayoutOf<Join<A, P>, FilteredBy<ModesOf<A>, <P as AnyIntTuple>::Tree>>;

/// `A(nullspace(A)(i)) = 0`: the layout of the coordinates that do not move the offset, of size
/// `size(A) / size(filter(A))`.
///
/// ```
/// use layout_core::types::{Cons, Layout, Nil, Nullspace};
/// use typenum::{U0, U3, U5, U7, assert_type_eq};
/// type A = Layout<Cons<U7, Cons<U5, Nil>>, Cons<U3, Cons<U0, Nil>>>;
/// assert_type_eq!(Nullspace<A>, Layout<U5, U7>);
/// ```
Nullspace<A: AnyLayout> = LayoutOf<KindOf<A>, NullspaceModes<ModesOf<A>>>;

/// `A(left_inverse(A)(A(i))) = A(i)`: a coordinate of every offset of `A`, and the only one where
/// `A` is injective. Between the offsets of `A` it is whatever continues it.
///
/// ```
/// use layout_core::types::{Cons, Layout, LeftInverse, Nil};
/// use typenum::{U1, U4, U5, U8, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type Padded = Layout<Pair<U4, U8>, Pair<U1, U5>>;
/// assert_type_eq!(LeftInverse<Padded>, Layout<Pair<U5, U8>, Pair<U1, U4>>);
/// ```
LeftInverse<A: AnyLayout> = LayoutOf<KindOf<A>, LeftInverseModes<ModesOf<A>>>;

/// `A(R(i)) = B(R(i)) = i`: the largest layout R of coordinates that `A` and `B` have in common.
/// They are those of `B`; the last mode of `A` goes on, as in [`Composition`].
///
/// ```
/// use layout_core::types::{Cons, Layout, MaxCommonLayout, Nil};
/// use typenum::{U1, U2, U4, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Layout<Pair<U4, U2>, Pair<U2, U1>>;
/// assert_type_eq!(MaxCommonLayout<A, A>, Layout<Pair<U2, U4>, Pair<U4, U1>>);
/// ```
MaxCommonLayout<A: AnyLayout, B: AnyLayout> = LayoutOf<Join<A, B>, CommonLayout<ModesOf<A>, ModesOf<B>>>;

/// The layout in elements of `N` old ones: its offsets are those of `A` divided by `N`, rounded
/// down. A mode that steps inside a new element shrinks to the new elements that it reaches. `N` is
/// a typenum integer.
///
/// ```
/// use layout_core::types::{Cons, Layout, Nil, Upcast};
/// use typenum::{U1, U3, U4, U10, U12, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Layout<Pair<U12, U10>, Pair<U1, U12>>;
/// assert_type_eq!(Upcast<A, U3>, Layout<Pair<U4, U10>, Pair<U1, U4>>);
/// ```
Upcast<A: AnyLayout, N: Nat> = LayoutOf<KindOf<A>, UpcastModes<ModesOf<A>, N>>;

/// The layout in elements of which an old one has `N`: the mode of stride 1 gets longer, the others
/// step further. Its offsets are `N * o .. N * (o + 1)` for those of `A`. `N` is a typenum integer.
///
/// ```
/// use layout_core::types::{Cons, Downcast, Layout, Nil};
/// use typenum::{U1, U4, U6, U8, U10, U24, U40, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Layout<Pair<U6, U10>, Pair<U10, U1>>;
/// assert_type_eq!(Downcast<A, U4>, Layout<Pair<U6, U40>, Pair<U40, U1>>);
/// ```
Downcast<A: AnyLayout, N: Nat> = LayoutOf<KindOf<A>, DowncastModes<ModesOf<A>, N>>;

/// The layout of elements of `O` bits in elements of `N` bits: an [`Upcast`], a [`Downcast`], or one
/// after the other. `O` and `N` are typenum integers.
///
/// ```
/// use layout_core::types::{Cons, Layout, Nil, Recast};
/// use typenum::{U1, U3, U4, U8, U12, U32, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type Bytes = Layout<Pair<U12, U4>, Pair<U1, U12>>;
/// assert_type_eq!(Recast<Bytes, U8, U32>, Layout<Pair<U3, U4>, Pair<U1, U3>>);
/// ```
Recast<A: AnyLayout, O: Nat, N: Nat> = LayoutOf<KindOf<A>, RecastModes<ModesOf<A>, O, N>>;
}

/// The largest `N` such that `A` and `B` have the offsets `0..N` at the same coordinates: the longest
/// vector that can be copied between them. A typenum integer, at least 1.
///
/// ```
/// use layout_core::types::{Cons, Layout, MaxCommonVector, Nil};
/// use typenum::{U1, U2, U4, U8, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Layout<Pair<U4, U2>, Pair<U1, U4>>;
/// type B = Layout<Pair<U4, U2>, Pair<U1, U8>>;
/// assert_type_eq!(MaxCommonVector<A, B>, U4);
/// ```
pub type MaxCommonVector<A, B> = CommonVector<ModesOf<A>, ModesOf<B>>;
