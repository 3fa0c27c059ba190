//! The operations by name: CuTe's, in CamelCase.
//!
//! Each gives a [`Layout`](super::Layout) in normal form, equal as a type to the same layout
//! written out. An operation that has no result gives an [`Invalid`](super::Invalid) layout, whose
//! constants are compile errors; [`assert_valid!`](crate::assert_valid) asks for the error by name.

use super::layout::StaticLayout;

/// `composition(A, B)(c) = A(B(c))`, with the shape of B refined. `B` is a layout or a
/// [tiler](super::StaticTiler).
///
/// ```
/// use layout_core::types::{Composition, Cons, Layout, Nil};
/// use typenum::{U1, U2, U4, U5, U8, U20, assert_type_eq};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// type B = Layout<Pair<U5, U4>, Pair<U4, U1>>;
/// assert_type_eq!(Composition<Layout<U20, U2>, B>, Layout<Pair<U5, U4>, Pair<U8, U2>>);
/// ```
pub type Composition<A, B> = <A as StaticLayout>::Composition<B>;

/// What `A` leaves out of the first `N` offsets, `N` a typenum integer: a layout that is ordered and
/// disjoint from `A`, and with which `A` covers them.
///
/// ```
/// use layout_core::types::{Complement, Layout};
/// use typenum::{U1, U4, U6, U24, assert_type_eq};
/// assert_type_eq!(Complement<Layout<U4, U1>, U24>, Layout<U6, U4>);
/// ```
pub type Complement<A, N> = <A as StaticLayout>::Complement<N>;

/// `coalesce(A)(i) = A(i)`, with the fewest modes.
///
/// ```
/// use layout_core::types::{Coalesce, Cons, Layout, Nil};
/// use typenum::{U1, U2, U6, U12, assert_type_eq};
/// type A = Layout<Cons<U2, Cons<U6, Nil>>, Cons<U1, Cons<U2, Nil>>>;
/// assert_type_eq!(Coalesce<A>, Layout<U12, U1>);
/// ```
pub type Coalesce<A> = <A as StaticLayout>::Coalesce;

/// `flatten(A)(i) = A(i)`, with all leaves as modes.
pub type Flatten<A> = <A as StaticLayout>::Flatten;

/// `A o (T, complement(T, size(A)))`: a mode that runs through a tile and one that runs over the
/// tiles. `T` is a layout or a [tiler](super::StaticTiler), which divides mode by mode.
pub type LogicalDivide<A, T> = <A as StaticLayout>::LogicalDivide<T>;

/// [`LogicalDivide`] with the tiles gathered in the first mode and the rests in the second.
pub type ZippedDivide<A, T> = <A as StaticLayout>::ZippedDivide<T>;

/// `(A, complement(A, size(A) * cosize(B)) o B)`: copies of `A`, laid out as `B`. `B` is a layout or a
/// [tiler](super::StaticTiler), which multiplies mode by mode.
pub type LogicalProduct<A, B> = <A as StaticLayout>::LogicalProduct<B>;

/// `A(right_inverse(A)(i)) = i`, on the longest domain that there is.
pub type RightInverse<A> = <A as StaticLayout>::RightInverse;
