//! Coordinates as types: integers, and [`Keep`] for the modes that a slice keeps. `slice` and
//! `dice` at the type level.

use typenum::UTerm;

use crate::engine::Slicer;
use crate::error::{AlgebraError, LayoutError};
use crate::types::core::guard::GuardTree;
use crate::types::core::invalid::{Invalid, Named, Reason, number, reasons};
use crate::types::core::modes::{ModeList, ModeTree};
use crate::types::core::nat::{Nat, NatAdd};
use crate::types::core::symbolic::Dyn;
use crate::types::core::table::{decisions, table};
use crate::types::core::ternary::Order;
use crate::types::core::tree::{Cons, Nil, Tree};
use crate::types::ops::tiled::Keep;

/// The modes of `M` that the coordinate `C` keeps.
pub(crate) type Sliced<M, C> = <M as GuardTree>::Guard<
    <Picked<Kept, M, C> as GuardTree>::Guard<<C as StaticSlicer>::Inside<M, Picked<Kept, M, C>>>,
>;
/// The modes of `M` that the coordinate `C` fixes.
pub(crate) type Diced<M, C> = <M as GuardTree>::Guard<Picked<Fixed, M, C>>;
type Picked<O, M, C> = <C as StaticSlicer>::Whole<O, M>;

/// The modes that an operation picks: those paired with `_`, or those paired with integers.
pub trait Pick: Named {
    /// The result for the mode `A`, paired with `_`, prepended to `Rest`.
    type Keep<A: ModeTree, Rest: ModeList>: ModeList;
    /// The result for the mode `A`, paired with an integer, prepended to `Rest`.
    type Integer<A: ModeTree, Rest: ModeList>: ModeList;
    /// The result for all modes `A`, paired with `_`.
    type KeepWhole<A: ModeTree>: ModeTree;
    /// The result for all modes `A`, paired with the integer `N`.
    type IntegerWhole<N: Nat, A: ModeTree>: ModeTree;
}

/// `slice`.
#[derive(Debug)]
pub enum Kept {}

impl Named for Kept {
    const NAME: &'static str = "slice";
}

impl Pick for Kept {
    type Keep<A: ModeTree, Rest: ModeList> = Cons<A, Rest>;
    type Integer<A: ModeTree, Rest: ModeList> = Rest;
    type KeepWhole<A: ModeTree> = A;
    type IntegerWhole<N: Nat, A: ModeTree> = Invalid<NothingKept<Self, N>>;
}

/// `dice`.
#[derive(Debug)]
pub enum Fixed {}

impl Named for Fixed {
    const NAME: &'static str = "dice";
}

impl Pick for Fixed {
    type Keep<A: ModeTree, Rest: ModeList> = Rest;
    type Integer<A: ModeTree, Rest: ModeList> = Cons<A, Rest>;
    type KeepWhole<A: ModeTree> = Invalid<NothingKept<Self, Keep>>;
    type IntegerWhole<N: Nat, A: ModeTree> = A;
}

/// A coordinate as a type: a typenum integer or [`Dyn`](crate::types::Dyn), [`Keep`] if a slice
/// keeps the mode, or a [`Cons`] list of coordinates.
#[diagnostic::on_unimplemented(
    message = "a coordinate as a type is an integer, `Keep`, or a `Cons` list of these",
    label = "not a coordinate"
)]
pub trait StaticSlicer: 'static {
    /// The coordinate as a value; an error if a number is only known at run time.
    const SLICER: Result<Slicer, LayoutError>;
    /// The offset of the integers in the modes `A`.
    #[doc(hidden)]
    type Offset<A: ModeTree>: Nat;
    /// The modes of `A` that `O` picks: all of them, or a list.
    #[doc(hidden)]
    type Whole<O: Pick, A: ModeTree>: ModeTree;
    /// The modes of `A` that `O` picks, prepended to `Rest`.
    #[doc(hidden)]
    type Onto<O: Pick, A: ModeTree, Rest: ModeList>: ModeList;
    /// `M`, unless an integer lies outside the modes `A`. A run-time number is checked at run time.
    #[doc(hidden)]
    type Inside<A: ModeTree, M: ModeTree>: ModeTree;
}

/// A [`StaticSlicer`] that is a tuple, or the rest of one.
pub trait SlicerList: StaticSlicer {
    /// The coordinate as a value, not yet enclosed in a tuple.
    #[doc(hidden)]
    const PARTS: Result<Slicer, LayoutError>;
    /// The number of parts.
    #[doc(hidden)]
    type Rank: Nat;
    #[doc(hidden)]
    type OntoEach<O: Pick, A: ModeList, Rest: ModeList>: ModeList;
    #[doc(hidden)]
    type InsideEach<A: ModeList, M: ModeTree>: ModeTree;
    #[doc(hidden)]
    type OffsetEach<A: ModeList>: Nat;
}

impl<N: Nat> StaticSlicer for N {
    const SLICER: Result<Slicer, LayoutError> = match N::VALUE {
        Some(value) => Ok(Slicer::index(value)),
        None => Err(LayoutError::RunTimeLeaf),
    };
    type Offset<A: ModeTree> = A::OffsetOf<N>;
    type Whole<O: Pick, A: ModeTree> = O::IntegerWhole<N, A>;
    type Onto<O: Pick, A: ModeTree, Rest: ModeList> = O::Integer<A, Rest>;
    type Inside<A: ModeTree, M: ModeTree> =
        <<<A::Size as Nat>::Compare<N> as Order>::IsGreater as SliceIf>::Inside<N, A, M>;
}

impl StaticSlicer for Keep {
    const SLICER: Result<Slicer, LayoutError> = Ok(Slicer::keep());
    type Offset<A: ModeTree> = UTerm;
    type Whole<O: Pick, A: ModeTree> = O::KeepWhole<A>;
    type Onto<O: Pick, A: ModeTree, Rest: ModeList> = O::Keep<A, Rest>;
    type Inside<A: ModeTree, M: ModeTree> = M;
}

impl StaticSlicer for Nil {
    const SLICER: Result<Slicer, LayoutError> = Err(LayoutError::EmptyTuple);
    type Offset<A: ModeTree> = UTerm;
    type Whole<O: Pick, A: ModeTree> = Nil;
    type Onto<O: Pick, A: ModeTree, Rest: ModeList> = Invalid<SliceProfile<Nil, A>>;
    type Inside<A: ModeTree, M: ModeTree> = M;
}

impl SlicerList for Nil {
    const PARTS: Result<Slicer, LayoutError> = Ok(Slicer::NONE);
    type Rank = UTerm;
    type OntoEach<O: Pick, A: ModeList, Rest: ModeList> = Rest;
    type InsideEach<A: ModeList, M: ModeTree> = M;
    type OffsetEach<A: ModeList> = UTerm;
}

impl<H: StaticSlicer, T: SlicerList> StaticSlicer for Cons<H, T> {
    const SLICER: Result<Slicer, LayoutError> = match Self::PARTS {
        Ok(parts) => Ok(parts.parenthesised()),
        Err(error) => Err(error),
    };
    type Offset<A: ModeTree> = <A::Modes as SlicedList>::OffsetPart<H, T>;
    type Whole<O: Pick, A: ModeTree> =
        <Self::Onto<O, A, Nil> as SlicedList>::OrNothing<NothingKept<O, Self>>;
    type Onto<O: Pick, A: ModeTree, Rest: ModeList> = <<<A::TupleRank as Nat>::Compare<
        <Self as SlicerList>::Rank,
    > as Order>::IsEqual as SliceIf>::Onto<O, H, T, A, Rest>;
    type Inside<A: ModeTree, M: ModeTree> = <A::Modes as SlicedList>::InsidePart<H, T, M>;
}

impl<H: StaticSlicer, T: SlicerList> SlicerList for Cons<H, T> {
    const PARTS: Result<Slicer, LayoutError> = match (H::SLICER, T::PARTS) {
        (Ok(head), Ok(tail)) => match Slicer::NONE.push(&head) {
            Ok(head) => head.push(&tail),
            Err(error) => Err(error),
        },
        (Err(error), _) | (_, Err(error)) => Err(error),
    };
    type Rank = <T::Rank as Nat>::Succ;
    type OntoEach<O: Pick, A: ModeList, Rest: ModeList> = A::OntoPart<O, H, T, Rest>;
    type InsideEach<A: ModeList, M: ModeTree> = A::InsidePart<H, T, M>;
    type OffsetEach<A: ModeList> = A::OffsetPart<H, T>;
}

table! {
    /// The operations of coordinates on a list of modes.
    trait SlicedList for [A: ModeTree, L: ModeList] Cons<A, L>;
    /// The modes that `O` picks of the first mode, at `H`, and of the others, at `T`, prepended to
    /// `Rest`.
    type OntoPart<O: Pick, H: StaticSlicer, T: SlicerList, Rest: ModeList>: ModeList {
        Nil => Rest,
        Cons => H::Onto<O, A, T::OntoEach<O, L, Rest>>,
    }
    /// `M`, unless an integer of `H` lies outside the first mode, or one of `T` outside the others.
    type InsidePart<H: StaticSlicer, T: SlicerList, M: ModeTree>: ModeTree {
        Nil => M,
        Cons => H::Inside<A, T::InsideEach<L, M>>,
    }
    /// The offset of `H` in the first mode and of `T` in the others.
    type OffsetPart<H: StaticSlicer, T: SlicerList>: Nat {
        Nil => UTerm,
        Cons => NatAdd<H::Offset<A>, T::OffsetEach<L>>,
        Invalid => Dyn,
    }
    /// This list, unless it is empty.
    type OrNothing<R: Reason>: ModeTree { Nil => Invalid<R>, Cons => Self }
}

decisions! {
    /// The branches of a slice.
    trait SliceIf;
    /// `self`: the coordinate has as many parts as there are modes `A`.
    type Onto<O: Pick, H: StaticSlicer, T: SlicerList, A: ModeTree, Rest: ModeList>: ModeList {
        True => <A::Modes as SlicedList>::OntoPart<O, H, T, Rest>,
        False => Invalid<SliceProfile<Cons<H, T>, A>>,
    }
    /// `self`: `N` is below the size of the modes `A`.
    type Inside<N: Nat, A: ModeTree, M: ModeTree>: ModeTree {
        True => M,
        False => Invalid<OutOfRange<N, A::Size>>,
        Unknown => M,
    }
}

reasons! {
    /// A coordinate `C`, or a part of one, that does not fit the modes `M`.
    SliceProfile<C: StaticSlicer, M: ModeTree>
        with coordinate = C::SLICER, with shape = M::Shape::TUPLE,
        => LayoutError::Algebra(AlgebraError::SliceProfile { coordinate, shape }),
        else CoordinateFits: "the coordinate does not match the modes of the shape",
        "write an integer or `_` for each mode of the shape";
    /// The operation `O`: a coordinate `C` that keeps no mode.
    NothingKept<O: Named, C: StaticSlicer> => match C::SLICER {
            Ok(coordinate) => {
                LayoutError::Algebra(AlgebraError::NothingKept { operation: O::NAME, coordinate })
            }
            // Its numbers are not in the type.
            Err(_) => LayoutError::EmptyTuple,
        },
        else KeepsMode: "the coordinate keeps no mode",
        "a slice keeps the modes with `_`, a dice those with integers";
    /// A coordinate `N` that is not below the extent `S`.
    OutOfRange<N: Nat, S: Nat> => LayoutError::CoordinateOutOfRange {
            coordinate: number::<N>(),
            extent: number::<S>(),
        },
        else InRange: "the coordinate lies outside the shape",
        "an integer of the coordinate is not below its extent";
}
