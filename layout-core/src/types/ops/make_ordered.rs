//! `make_ordered` at the type level: a compact layout whose modes are contiguous in a given order.
//!
//! The leaves of the order split the shape into parts. The parts are kept as a list of modes, with
//! the size of a part as extent and its position in the order as stride.

use core::marker::PhantomData;

use crate::error::{AlgebraError, LayoutError};
use crate::types::core::flat::{FlatList, Leaves};
use crate::types::core::invalid::{Invalid, number, reasons};
use crate::types::core::modes::{Mode, ModeTree};
use crate::types::core::nat::{Nat, NatMul, One};
use crate::types::core::table::{decisions, table};
use crate::types::core::ternary::{False, Order, Truth};
use crate::types::core::tree::{Cons, Nil, Tree, TreeList};
use crate::types::ops::by_profile::{ByProfile, Each};
use crate::types::ops::compact::{ColumnMajor, CompactTree};

/// The shape `S` with compact strides in the order `O`.
pub(crate) type OrderedOf<S, O> =
    <PartsOf<S, O> as PartList>::Arranged<Nil, O, ColumnMajor<S>, PartsOf<S, O>>;
type PartsOf<S, O> = Leaves<Each<Part, O, ColumnMajor<S>>>;

/// Whether the integers of `Rank` parts can order the modes `A`.
type Fits<Rank, A> = <<<A as ModeTree>::TupleRank as Nat>::Compare<Rank> as Order>::IsEqual;

/// Each part of a shape as a mode of its size and its position.
#[derive(Debug)]
pub enum Part {}

impl ByProfile for Part {
    type At<Place: Nat, A: ModeTree> = Mode<A::Size, Place>;
    type Fits<Rank: Nat, A: ModeTree> = Fits<Rank, A>;
    type Misfit<P: TreeList, A: ModeTree> = OrderProfile<P, A>;
}

/// Each part of a shape with its strides. `L` are all parts.
#[derive(Debug)]
pub struct Arrange<L>(PhantomData<L>);

impl<L: FlatList> ByProfile for Arrange<L> {
    type At<Place: Nat, A: ModeTree> = <A::Shape as CompactTree>::Columns<L::SizeBefore<Place>>;
    type Fits<Rank: Nat, A: ModeTree> = Fits<Rank, A>;
    type Misfit<P: TreeList, A: ModeTree> = OrderProfile<P, A>;
}

table! {
    /// `make_ordered`, for the list of parts.
    trait PartList for [S: Nat, P: Nat, T: FlatList] Cons<Mode<S, P>, T>;
    /// The modes `A` with strides in the order `O` of all parts `L`, unless a part of this list has
    /// the same position as another part, or as one in `Seen`.
    type Arranged<Seen: FlatList, O: Tree, A: ModeTree, L: FlatList>: ModeTree {
        Nil => Each<Arrange<L>, O, A>,
        Cons => <Seen::Ties<S, P> as PartIf>::Arranged<S, P, T, Seen, O, A, L>,
    }
    /// Whether a part here also has the position `Place`, and both have more than one element.
    type Ties<Size: Nat, Place: Nat>: Truth {
        Nil => False,
        Cons => <<<<P::Compare<Place> as Order>::IsEqual as Truth>::And<
            Counts<S>,
        > as Truth>::And<Counts<Size>> as Truth>::Or<T::Ties<Size, Place>>,
        Invalid => False,
    }
    /// The size of all parts before `Place`.
    type SizeBefore<Place: Nat>: Nat {
        Nil => One,
        Cons => <<Place::Compare<P> as Order>::IsGreater as PartIf>::SizeBefore<
            S, T::SizeBefore<Place>,
        >,
        Invalid => One,
    }
}

/// Whether a part has more than one element.
type Counts<Size> = <<Size as Nat>::Compare<One> as Order>::IsGreater;

decisions! {
    /// The branches of `make_ordered`.
    trait PartIf;
    /// `self`: the part of size `S` and position `P` ties with one in `Seen`; `T` are the parts
    /// after it.
    type Arranged<
        S: Nat, P: Nat, T: FlatList, Seen: FlatList, O: Tree, A: ModeTree, L: FlatList
    >: ModeTree {
        True => Invalid<OrderTie<O, P>>,
        False => T::Arranged<Seen::Push<S, P>, O, A, L>,
    }
    /// `self`: the part of size `S` goes before, together with others of size `Rest`.
    type SizeBefore<S: Nat, Rest: Nat>: Nat {
        True => NatMul<S, Rest>,
        False => Rest,
        // There is only one part with a run-time position: two might tie.
        Unknown => Rest,
    }
}

reasons! {
    /// An order `O`, or a part of one, that does not fit the modes `M`.
    OrderProfile<O: TreeList, M: ModeTree> with order = O::TUPLE, with shape = M::Shape::TUPLE,
        => LayoutError::Algebra(AlgebraError::OrderProfile { order, shape }),
        else OrderFits: "make_ordered: the order does not match the modes of the shape",
        "write one number for each mode of the shape";
    /// An order `O` that gives the position `P` to two modes of more than one element.
    OrderTie<O: Tree, P: Nat> with order = O::TUPLE,
        => LayoutError::Algebra(AlgebraError::OrderTie { order, place: number::<P>() }),
        else NoTie:
        "make_ordered: two modes of more than one element have the same position in the order",
        "give each mode a number of its own, 0 the fastest";
}
