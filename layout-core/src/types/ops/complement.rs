//! `complement` at the type level.
//!
//! The gaps are coalesced as they are produced: a gap ends before the next stride, so no two gaps
//! merge, and gaps of extent 1 are left out. The numbers are compared before they are divided,
//! because most layouts are compact.

use core::marker::PhantomData;

use typenum::UTerm;

use crate::error::{LayoutError, Place};
use crate::types::core::flat::{FlatList, Leaves};
use crate::types::core::invalid::{EmptyTuple, Invalid, Reason, ZeroExtent, number, reasons};
use crate::types::core::modes::{Mode, ModeTree};
use crate::types::core::nat::{Nat, NatCeilDiv, NatDiv, NatMax, NatMul, One};
use crate::types::core::table::{decisions, table};
use crate::types::core::ternary::{Equal, False, Greater, Less, Order, Truth, Unknown};
use crate::types::core::tree::{Cons, Nil, Tree, TreeList};
use crate::types::ops::place::{Alone, LocateList};

/// The complement of the modes `M` in the integer or shape `N`.
pub(crate) type Complemented<M, N> = <ComplementAt<M, N, Alone> as FlatList>::Unwrap;
/// The complement of the modes `M` in their own cosize.
pub(crate) type ComplementedInside<M> = Complemented<M, <<M as ModeTree>::LastOffset as Nat>::Succ>;

/// The complement of the modes `M`, an operand at `P`, in the integer or shape `N`, as a coalesced
/// list.
pub(crate) type ComplementAt<M, N, P> = <ComplementOf<M, N> as LocateList>::Locate<P, M>;
type ComplementOf<M, N> = <FreeModes<M, N> as ComplementList>::OrUnit;
/// The complement of the modes `M`, an operand at `P`, valid for every cotarget: a coalesced list
/// whose last mode is unbounded.
pub(crate) type ComplementWithoutEnd<M, P> = <FreeModes<M, Endless> as LocateList>::Locate<P, M>;
type FreeModes<M, N> = <<Leaves<M> as ComplementList>::Sort as ComplementList>::Gaps<One, N>;

table! {
    /// `complement`, for a list of leaves.
    trait ComplementList for [S: Nat, D: Nat, T: FlatList] Cons<Mode<S, D>, T>;
    /// The leaves with a nonzero stride, by rising stride.
    type Sort: FlatList {
        Nil => Nil,
        Cons => <<S::IsOne as Truth>::Or<D::IsZero> as ComplementIf>::SortWithout<S, D, T>,
    }
    /// This sorted list with one more leaf.
    type Insert<S2: Nat, D2: Nat>: FlatList {
        Nil => Cons<Mode<S2, D2>, Nil>,
        Cons =>
            <<D2::Compare<D> as Order>::IsGreater as ComplementIf>::InsertAfter<S2, D2, S, D, T>,
    }
    /// The gaps of this sorted list up to the cotarget `N`, from `Covered` on: modes with an extent
    /// above 1.
    type Gaps<Covered: Nat, N: Cotarget>: FlatList {
        Nil => N::Fill<Covered>,
        Cons => <D::Compare<Covered> as ComplementOrder>::Gaps<Covered, N, S, D, T>,
    }
    /// This list, or `1:0` if it is empty.
    type OrUnit: FlatList { Nil => Cons<Mode<One, UTerm>, Nil>, Cons => Self }
}

/// The end of a complement: an integer, a shape, or [`Endless`].
pub trait Cotarget {
    /// The last mode of a complement that covers everything below `Covered`, if its extent is above
    /// 1.
    type Fill<Covered: Nat>: FlatList;
}

/// Unbounded: only the stride of the last mode matters.
#[derive(Debug)]
pub enum Endless {}

impl Cotarget for Endless {
    type Fill<Covered: Nat> = Cons<Mode<One, Covered>, Nil>;
}

table! {
    /// [`Cotarget`], for a shape.
    trait CotargetTree: Cotarget for [N: Nat] N, [H: Tree, T: TreeList] Cons<H, T>;
    /// The repeats `R`, extended by those that these leaves need.
    type Repeat<R: Repeats>: Repeats {
        Leaf => R::Leaf<N>,
        Nil => Invalid<EmptyTuple>,
        Cons => T::RepeatParts<H::Repeat<R>>,
    }
}

table! {
    /// [`CotargetTree`] for a tuple, or the rest of one.
    trait CotargetList for [H: Tree, T: TreeList] Cons<H, T>;
    /// [`CotargetTree::Repeat`] for the parts.
    type RepeatParts<R: Repeats>: Repeats { Nil => R, Cons => T::RepeatParts<H::Repeat<R>> }
}

impl<N: Nat> Cotarget for N {
    type Fill<Covered: Nat> = <N::IsZero as ComplementIf>::Fill<NatCeilDiv<N, Covered>, Covered>;
}

impl Cotarget for Nil {
    type Fill<Covered: Nat> = Invalid<EmptyTuple>;
}

impl<H: Tree, T: TreeList> Cotarget for Cons<H, T> {
    type Fill<Covered: Nat> = <T::RepeatParts<H::Repeat<Repeated<One, Covered>>> as Repeats>::Fill<
        <Self as Tree>::Product,
        Covered,
    >;
}

impl<E: Reason> Cotarget for Invalid<E> {
    type Fill<Covered: Nat> = Self;
}

/// The last mode repeats `N` times for the leaves of a shape so far. `Rest` of the covered offsets
/// remains.
#[derive(Debug)]
pub struct Repeated<N, Rest>(PhantomData<(N, Rest)>);

/// A [`Repeated`], or [`Invalid`].
pub trait Repeats {
    /// The same with one more leaf.
    type Leaf<Extent: Nat>: Repeats;
    /// The last mode, which repeats at least as often as the size of the shape needs.
    type Fill<Size: Nat, Covered: Nat>: FlatList;
}

impl<N: Nat, Rest: Nat> Repeats for Repeated<N, Rest> {
    type Leaf<Extent: Nat> =
        Repeated<NatMul<N, NatCeilDiv<Extent, Rest>>, NatCeilDiv<Rest, Extent>>;
    type Fill<Size: Nat, Covered: Nat> =
        <Size::IsZero as ComplementIf>::Fill<NatMax<N, NatCeilDiv<Size, Covered>>, Covered>;
}
impl<E: Reason> Repeats for Invalid<E> {
    type Leaf<Extent: Nat> = Self;
    type Fill<Size: Nat, Covered: Nat> = Self;
}

/// The branches of `complement`, by comparing the next stride with the covered size.
pub trait ComplementOrder {
    /// The gap before the leaf `S:D`, and the gaps after it.
    type Gaps<Covered: Nat, N: Cotarget, S: Nat, D: Nat, T: FlatList>: FlatList;
}

impl ComplementOrder for Less {
    type Gaps<Covered: Nat, N: Cotarget, S: Nat, D: Nat, T: FlatList> =
        Invalid<ComplementOverlap<D, Covered>>;
}
impl ComplementOrder for Equal {
    type Gaps<Covered: Nat, N: Cotarget, S: Nat, D: Nat, T: FlatList> = T::Gaps<NatMul<S, D>, N>;
}
impl ComplementOrder for Greater {
    type Gaps<Covered: Nat, N: Cotarget, S: Nat, D: Nat, T: FlatList> =
        <<NatDiv<D, Covered> as Nat>::IsOne as ComplementIf>::Push<
            NatDiv<D, Covered>,
            Covered,
            T::Gaps<NatMul<S, D>, N>,
        >;
}
// A possible gap is treated as a gap.
impl ComplementOrder for Unknown {
    type Gaps<Covered: Nat, N: Cotarget, S: Nat, D: Nat, T: FlatList> =
        <T::Gaps<NatMul<S, D>, N> as FlatList>::Push<NatDiv<D, Covered>, Covered>;
}

decisions! {
    /// The branches of `complement`. A leaf with an unknown stride is sorted as a nonzero one. Only
    /// the order of the strides must be known.
    trait ComplementIf;
    /// `self`: the leaf `S:D` has stride 0.
    type SortWithout<S: Nat, D: Nat, T: FlatList>: FlatList {
        True => T::Sort,
        False => <T::Sort as ComplementList>::Insert<S, D>,
        Unknown => <False as ComplementIf>::SortWithout<S, D, T>,
    }
    /// `self`: the leaf `S2:D2` goes after `S:D`.
    type InsertAfter<S2: Nat, D2: Nat, S: Nat, D: Nat, T: FlatList>: FlatList {
        True => <T::Insert<S2, D2> as FlatList>::Push<S, D>,
        False => Cons<Mode<S2, D2>, Cons<Mode<S, D>, T>>,
    }
    /// `self`: the extent `S` is 1.
    type Push<S: Nat, D: Nat, T: FlatList>: FlatList {
        True => T,
        False => T::Push<S, D>,
        Unknown => T::Push<S, D>,
    }
    /// `self`: there is nothing to fill.
    type Fill<Repeat: Nat, Covered: Nat>: FlatList {
        True => Invalid<ZeroExtent>,
        False => <Repeat::IsOne as ComplementIf>::Push<Repeat, Covered, Nil>,
        Unknown => <False as ComplementIf>::Fill<Repeat, Covered>,
    }
}

reasons! {
    /// `complement(L)`: a stride inside the range that the smaller strides cover.
    ComplementOverlap<Stride: Nat, Covered: Nat> => LayoutError::ComplementOverlap {
            place: Place::NONE,
            stride: number::<Stride>(),
            covered: number::<Covered>(),
        },
        else HasComplement: "complement: a stride lies inside what the smaller strides cover",
        "this layout has no complement";
}
