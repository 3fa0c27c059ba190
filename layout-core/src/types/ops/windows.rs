//! `windows` at the type level; `engine/windows.rs` has the law.

use core::marker::PhantomData;

use typenum::{U1, U2, U3};

use crate::error::{Operand, Place};
use crate::types::core::guard::GuardTree;
use crate::types::core::invalid::{Invalid, Reason};
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::{Nat, NatAdd, NatDiv, NatMul, NatSub, One};
use crate::types::core::ternary::Truth;
use crate::types::core::tree::{Cons, Nil, Tree, TreeList};
use crate::types::core::visit::{
    Cases, Decide, Decision, ListCases, MatchTree, MatchTreeList, ModeCases, refused,
};
use crate::types::ops::compose::Composed;
use crate::types::ops::place::{After, First, Ordinal, StaticPlace};
use crate::types::ops::range::{IsAtLeast, RangeList};
use crate::types::ops::zip::ZipList;

/// The windows `W` over the modes `M`, and their positions.
pub(crate) type WindowsOf<M, W> = <M as GuardTree>::Guard<<W as MatchTree>::Match<Over<M>>>;

refused! {
    /// Windows `T` that do not fit the modes `M`.
    NoWindows: |layout, windows| layout.windows(&windows)
}

/// The windows over the modes `M`.
#[derive(Debug)]
pub struct Over<M>(PhantomData<M>);

impl<M: ModeTree> Cases for Over<M> {
    type Leaf<N: Nat> = Window<M, N, Whole, NoWindows<M, N>>;
    type Tuple<H: Tree, T: TreeList> = <<Cons<H, T> as MatchTreeList>::MatchList<
        Pairs<M::Modes, First, NoWindows<M, Cons<H, T>>>,
    > as Gather>::Gathered<
        <M::Modes as RangeList>::Skip<<Cons<H, T> as TreeList>::Rank>,
    >;
    type End = Invalid<NoWindows<M, Nil>>;
}

/// Windows over the modes `A`. The first is mode `J`. `R` is the reason if they are not valid.
#[derive(Debug)]
pub struct Pairs<A, J, R>(PhantomData<(A, J, R)>);

impl<A: ModeList, J: Ordinal, R: Reason> ListCases for Pairs<A, J, R> {
    type Tuple<H: Tree, T: TreeList> = A::MatchModes<Pair<H, T, J, R>>;
    type End = Nil;
}

/// The window `H` over the first of some modes, mode `J`, and the windows `T` over the others.
#[derive(Debug)]
pub struct Pair<H, T, J, R>(PhantomData<(H, T, J, R)>);

impl<H: Tree, T: TreeList, J: Ordinal, R: Reason> ModeCases for Pair<H, T, J, R> {
    type Modes<A: ModeTree, Rest: ModeList> =
        Cons<Window<A, H, InMode<J>, R>, T::MatchList<Pairs<Rest, After<J>, R>>>;
    type End = Invalid<R>;
}

/// Pairs of a window and its positions as one pair.
pub trait Gather {
    /// The windows, and the positions before the modes `Rest`.
    type Gathered<Rest: ModeList>: ModeTree;
}

impl<P: ModeList> Gather for P {
    type Gathered<Rest: ModeList> = P::Guard<
        Cons<P::Heads, Cons<<<P::Tails as ZipList>::Heads as RangeList>::AllThen<Rest>, Nil>>,
    >;
}

// ---- one window ----

/// Number `I` of the entry `E`; 1 if it has fewer.
type Number<E, I> =
    <<<<E as Tree>::Extents as RangeList>::Skip<I> as RangeList>::Head as ModeTree>::Size;
/// Whether the entry `E` has one to three numbers, without nested tuples.
type IsEntry<E> = <<E as MatchTree>::IsFlat as Truth>::And<
    IsAtLeast<U3, <<E as Tree>::Extents as ModeTree>::TupleRank>,
>;

/// The window `E` over the modes `A`, and its positions.
type Window<A, E, P, R> = <IsEntry<E> as Decide>::Modes<OneWindow<A, E, P, R>>;

/// [`Window`], if the entry `E` has the right form.
#[derive(Debug)]
pub struct OneWindow<A, E, P, R>(PhantomData<(A, E, P, R)>);

impl<A: ModeTree, E: Tree, P: StaticPlace, R: Reason> Decision for OneWindow<A, E, P, R> {
    type True = <HasZero<E> as Decide>::Modes<
        NonZero<A, Number<E, typenum::U0>, Number<E, U1>, Number<E, U2>, P, R>,
    >;
    type False = Invalid<R>;
    type Unknown = Invalid<R>;
}

/// Whether a number of the entry `E` is 0.
type HasZero<E> = <<E as Tree>::Product as Nat>::IsZero;

/// The window of `K` elements with the step `S` and the dilation `D`, if all are nonzero.
#[derive(Debug)]
pub struct NonZero<A, K, S, D, P, R>(PhantomData<(A, K, S, D, P, R)>);

/// The span of a window: `(k - 1) * d + 1`.
type Reach<K, D> = NatAdd<NatMul<<K as Nat>::Pred, D>, One>;
/// [`Window`], if the modes `A` are at least as long.
type IfInside<A, K, S, D, P, R> =
    <IsAtLeast<<A as ModeTree>::Size, Reach<K, D>> as Decide>::Modes<Inside<A, K, S, D, P, R>>;

impl<A: ModeTree, K: Nat, S: Nat, D: Nat, P: StaticPlace, R: Reason> Decision
    for NonZero<A, K, S, D, P, R>
{
    type True = Invalid<R>;
    type False = IfInside<A, K, S, D, P, R>;
    type Unknown = IfInside<A, K, S, D, P, R>;
}

/// The window, which is not longer than the modes `A`.
#[derive(Debug)]
pub struct Inside<A, K, S, D, P, R>(PhantomData<(A, K, S, D, P, R)>);

type Positions<N, K, S, D> = NatAdd<NatDiv<NatSub<N, Reach<K, D>>, S>, One>;
type Composition<A, K, S, D, P> =
    Composed<A, Cons<Mode<K, D>, Cons<Mode<Positions<<A as ModeTree>::Size, K, S, D>, S>, Nil>>, P>;

impl<A: ModeTree, K: Nat, S: Nat, D: Nat, P: StaticPlace, R: Reason> Decision
    for Inside<A, K, S, D, P, R>
{
    type True = Composition<A, K, S, D, P>;
    type False = Invalid<R>;
    type Unknown = Composition<A, K, S, D, P>;
}

/// The windows over a whole layout.
#[derive(Debug)]
pub enum Whole {}
/// The windows over mode `J`.
#[derive(Debug)]
pub struct InMode<J>(PhantomData<J>);

impl StaticPlace for Whole {
    const PLACE: Place = Place::new("windows", None, Operand::TileAndRest);
}
impl<J: Ordinal> StaticPlace for InMode<J> {
    const PLACE: Place = Place::new("windows", Some(J::ORDINAL), Operand::TileAndRest);
}
