//! The structure of a layout: its leaves and modes in other parentheses, another order or number.

use crate::types::any::AnyLayout;
use crate::types::coalesce::{Coalesced, CoalescedBy};
use crate::types::flat::Flattened;
use crate::types::int_tuple::AnyIntTuple;
use crate::types::kind::{LayoutOf, ModesOf};
use crate::types::nat::Nat;
use crate::types::operand::{Join, KindOf};
use crate::types::operation::operations;
use crate::types::range::{Grouped, Taken};
use crate::types::select::{Appended, Prepended, Replaced, Selected};
use crate::types::slicer::{Diced, Sliced, StaticSlicer};
use crate::types::unflatten::Unflattened;
use crate::types::zip::{ZipOf, ZipWithOf};

operations! {
/// `coalesce(A)(i) = A(i)`, with the fewest modes.
///
/// ```
/// use layout_core::types::{Coalesce, Cons, Layout, Nil};
/// use typenum::{U1, U2, U6, U12, assert_type_eq};
/// type A = Layout<Cons<U2, Cons<U6, Nil>>, Cons<U1, Cons<U2, Nil>>>;
/// assert_type_eq!(Coalesce<A>, Layout<U12, U1>);
/// ```
Coalesce<A: AnyLayout> = LayoutOf<KindOf<A>, Coalesced<ModesOf<A>>>;

/// [`Coalesce`] at each leaf of the profile `P`, whose integers mean nothing: modes that the profile
/// names stay apart, and modes beyond it as they are. `coalesce(A, P)(i) = A(i)`.
///
/// ```
/// use layout_core::types::{CoalesceBy, Cons, Layout, Nil};
/// use typenum::{U1, U2, U6, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Layout<Pair<U2, Pair<U1, U6>>, Pair<U1, Pair<U6, U2>>>;
/// assert_type_eq!(CoalesceBy<A, Pair<U1, U1>>, Layout<Pair<U2, U6>, Pair<U1, U2>>);
/// ```
CoalesceBy<A: AnyLayout, P: AnyIntTuple> = LayoutOf<Join<A, P>, CoalescedBy<ModesOf<A>, <P as AnyIntTuple>::Tree>>;

/// `flatten(A)(i) = A(i)`, with all leaves as modes.
Flatten<A: AnyLayout> = LayoutOf<KindOf<A>, Flattened<ModesOf<A>>>;

/// The modes `[B, E)` of `A`, `B` and `E` typenum integers.
///
/// ```
/// use layout_core::types::{Cons, Make, Layout, Nil, Take};
/// use typenum::{U1, U2, U3, U5, U6, assert_type_eq};
/// type A = Make<Cons<U2, Cons<U3, Cons<U5, Nil>>>>;
/// assert_type_eq!(Take<A, U1, U3>, Layout<Cons<U3, Cons<U5, Nil>>, Cons<U2, Cons<U6, Nil>>>);
/// ```
Take<A: AnyLayout, B: Nat, E: Nat> = LayoutOf<KindOf<A>, Taken<ModesOf<A>, B, E>>;

/// The modes of `A` with the numbers `I`, a typenum integer or a flat tuple of them, in this order;
/// always a tuple.
///
/// ```
/// use layout_core::types::{Cons, Make, Layout, Nil, Select};
/// use typenum::{U0, U1, U2, U3, U5, U6, assert_type_eq};
/// type A = Make<Cons<U2, Cons<U3, Cons<U5, Nil>>>>;
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// assert_type_eq!(Select<A, Pair<U2, U0>>, Layout<Pair<U5, U2>, Pair<U6, U1>>);
/// assert_type_eq!(Select<A, U1>, Layout<Cons<U3, Nil>, Cons<U2, Nil>>);
/// ```
Select<A: AnyLayout, I: AnyIntTuple> = LayoutOf<Join<A, I>, Selected<ModesOf<A>, <I as AnyIntTuple>::Tree>>;

/// `group(A)(i) = A(i)`, with the modes `[B, E)` as one mode.
///
/// ```
/// use layout_core::types::{Cons, Group, Make, Nil};
/// use typenum::{U0, U2, U3, U5, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Make<Cons<U2, Cons<U3, Cons<U5, Nil>>>>;
/// assert_type_eq!(Group<A, U0, U2>, Make<Pair<Pair<U2, U3>, U5>>);
/// ```
Group<A: AnyLayout, B: Nat, E: Nat> = LayoutOf<KindOf<A>, Grouped<ModesOf<A>, B, E>>;

/// The modes of `A`, and the layout `B` after them as one mode.
///
/// ```
/// use layout_core::types::{Append, Cons, Layout, Nil};
/// use typenum::{U1, U3, U4, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type Columns = Append<Layout<U3, U1>, Layout<U4, U3>>;
/// assert_type_eq!(Columns, Layout<Pair<U3, U4>, Pair<U1, U3>>);
/// ```
Append<A: AnyLayout, B: AnyLayout> = LayoutOf<Join<A, B>, Appended<ModesOf<A>, ModesOf<B>>>;

/// The modes of `A`, and the layout `B` before them as one mode.
Prepend<A: AnyLayout, B: AnyLayout> = LayoutOf<Join<A, B>, Prepended<ModesOf<A>, ModesOf<B>>>;

/// The modes of `A` with the layout `B` in the place of mode `N`.
///
/// ```
/// use layout_core::types::{Cons, Layout, Make, Nil, Replace};
/// use typenum::{U0, U1, U2, U3, U6, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Replace<Make<Pair<U3, U2>>, U0, Layout<U6, U0>>;
/// assert_type_eq!(A, Layout<Pair<U6, U2>, Pair<U0, U3>>);
/// ```
Replace<A: AnyLayout, N: Nat, B: AnyLayout> = LayoutOf<Join<A, B>, Replaced<ModesOf<A>, N, ModesOf<B>>>;

/// The leaves of `A` under the parentheses of `P`, whose integers mean nothing:
/// `unflatten(A, P)(i) = A(i)`.
///
/// ```
/// use layout_core::types::{Cons, Make, Nil, Unflatten};
/// use typenum::{U0, U2, U3, U5, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Make<Cons<U2, Cons<U3, Cons<U5, Nil>>>>;
/// assert_type_eq!(Unflatten<A, Pair<U0, Pair<U0, U0>>>, Make<Pair<U2, Pair<U3, U5>>>);
/// ```
Unflatten<A: AnyLayout, P: AnyIntTuple> = LayoutOf<Join<A, P>, Unflattened<ModesOf<A>, <P as AnyIntTuple>::Tree>>;

/// The two top levels of `A` transposed: mode `j` has the modes `j` of all modes. Integer modes
/// become one mode.
///
/// ```
/// use layout_core::types::{Cons, Layout, Make, Nil, Zip};
/// use typenum::{U1, U2, U3, U5, U6, U7, U30, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Make<Pair<Pair<U2, U3>, Pair<U5, U7>>>;
/// type Columns = Layout<Pair<Pair<U2, U5>, Pair<U3, U7>>, Pair<Pair<U1, U6>, Pair<U2, U30>>>;
/// assert_type_eq!(Zip<A>, Columns);
/// ```
Zip<A: AnyLayout> = LayoutOf<KindOf<A>, ZipOf<ModesOf<A>>>;

/// The modes of both in pairs: `((A_0,B_0), (A_1,B_1), ..)`.
ZipWith<A: AnyLayout, B: AnyLayout> = LayoutOf<Join<A, B>, ZipWithOf<ModesOf<A>, ModesOf<B>>>;

/// The modes of `A` that the coordinate `C` keeps, those inside a tuple spliced into one list. `C` is
/// a [`StaticSlicer`](super::super::StaticSlicer): integers, and [`Keep`](super::super::Keep) for `_`.
///
/// `slice(A, C)(k) + A(C with _ = 0) = A(C with _ = k)`. An integer may be [`Dyn`](super::super::Dyn), as
/// the offset alone depends on it; [`AnyLayout::slice`](super::super::AnyLayout::slice) has that.
///
/// ```
/// use layout_core::types::{Cons, Keep, Layout, Nil, Slice};
/// use typenum::{U1, U2, U3, U4, U12, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Layout<Pair<U2, Pair<U3, U4>>, Pair<U12, Pair<U1, U3>>>;
/// assert_type_eq!(Slice<A, Pair<Keep, Pair<U1, Keep>>>, Layout<Pair<U2, U4>, Pair<U12, U3>>);
/// ```
Slice<A: AnyLayout, C: StaticSlicer> = LayoutOf<KindOf<A>, Sliced<ModesOf<A>, C>>;

/// The modes of `A` that the coordinate `C` fixes with an integer, whatever it is: what
/// [`Slice`] leaves out.
///
/// ```
/// use layout_core::types::{Cons, Dice, Keep, Layout, Nil};
/// use typenum::{U1, U2, U3, U4, U12, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type A = Layout<Pair<U2, Pair<U3, U4>>, Pair<U12, Pair<U1, U3>>>;
/// assert_type_eq!(Dice<A, Pair<Keep, Pair<U1, Keep>>>, Layout<Cons<U3, Nil>, Cons<U1, Nil>>);
/// ```
Dice<A: AnyLayout, C: StaticSlicer> = LayoutOf<KindOf<A>, Diced<ModesOf<A>, C>>;
}

/// [`Slice`], and the offset of its first element as a typenum integer: that of `C` with 0 for `_`.
///
/// Where there is no slice the layout says why. [`AnyLayout::slice`] takes the coordinate as a value.
///
/// ```
/// use layout_core::types::{Cons, Keep, Layout, Nil, SliceAndOffset};
/// use typenum::{U1, U3, U4, U12, U36, assert_type_eq};
/// type Rows = Layout<Cons<U4, Cons<U12, Nil>>, Cons<U12, Cons<U1, Nil>>>;
/// type Row = Layout<Cons<U12, Nil>, Cons<U1, Nil>>;
/// assert_type_eq!(SliceAndOffset<Rows, Cons<U3, Cons<Keep, Nil>>>, (Row, U36));
/// ```
pub type SliceAndOffset<A, C> = (Slice<A, C>, <C as StaticSlicer>::Offset<ModesOf<A>>);
