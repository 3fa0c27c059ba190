//! The modes of a Morello layout, `[1, 0, 1 p(4)]`, for a shape.
//!
//! The sizes of all parts follow from the extents without a decision. A single decision at the end
//! checks whether they fit. If they do not, the engine gives the reason.

use core::marker::PhantomData;

use typenum::{U2, UTerm};

use crate::engine::{IntTuple, MAX_LEAVES, MorelloLayout, PhysDim};
use crate::error::LayoutError;
use crate::types::core::flat::FlatList;
use crate::types::core::invalid::{Invalid, Reason};
use crate::types::core::modes::{Mode, ModeList};
use crate::types::core::nat::{Nat, NatCeilDiv, NatDiv, NatMin, NatMul, NatRem, One};
use crate::types::core::table::{decisions, table};
use crate::types::core::ternary::{Order, True, Truth};
use crate::types::core::tree::{Cons, Nil, Tree};

/// The modes of the parts `P` for the shape `S`.
pub(crate) type ModesFor<P, S> =
    <FitsIn<P, <S as Tree>::Extents> as MorelloIf>::Modes<P, S, <S as Tree>::Extents>;
/// Whether the parts fit the extents `E` and cover them.
type FitsIn<P, E> = <<P as Parts>::Fits<E> as Truth>::And<<Left<P, E> as Extents>::Covered>;
/// The rest of the extents `E` after all parts of `P`.
type Left<P, E> = <P as Parts>::Left<E>;

/// Sizes that do not fit the shape `S`. The engine determines which.
#[derive(Debug)]
pub struct Misfit<P, S>(PhantomData<(P, S)>);

impl<P: Parts, S: Tree> Reason for Misfit<P, S> {
    const ERROR: LayoutError = match (P::LIST, S::TUPLE) {
        (Ok(list), Ok(shape)) => misfit(&list, &shape),
        (Err(error), _) | (_, Err(error)) => error,
    };
}

#[inline]
const fn misfit(list: &MorelloLayout, shape: &IntTuple) -> LayoutError {
    let mut extents = [0; MAX_LEAVES];
    repeat!(i, 0..shape.rank(), {
        extents[i] = match shape.mode(i).product() {
            Ok(extent) => extent,
            Err(error) => return error,
        };
    });
    match list.for_shape(extents.split_at(shape.rank()).0) {
        Err(error) => error,
        // The types refuse a shape for which the engine gives an empty layout.
        Ok(_) => LayoutError::ZeroExtent,
    }
}

/// The dimension index 0.
#[derive(Debug)]
pub enum Dimension0 {}
/// The dimension index `I` plus 1.
#[derive(Debug)]
pub struct Next<I>(PhantomData<I>);

/// The index of a dimension, as a path through a list.
pub trait Place: 'static {
    /// The number.
    const NUMBER: usize;
    #[doc(hidden)]
    type Rem<S: Nat, T: FlatList>: Nat;
    #[doc(hidden)]
    type Fresh<F: Nat, T: FlatList>: Nat;
    #[doc(hidden)]
    type Put<S: Nat, F: Nat, H: Nat, G: Nat, T: FlatList>: FlatList;
    #[doc(hidden)]
    type Grow<K: PartKind, S: Nat, A: Nat, L: FlatList, T: Sublists>: Sublists;
}

impl Place for Dimension0 {
    const NUMBER: usize = 0;
    type Rem<S: Nat, T: FlatList> = S;
    type Fresh<F: Nat, T: FlatList> = F;
    type Put<S: Nat, F: Nat, H: Nat, G: Nat, T: FlatList> = Cons<Mode<S, F>, T>;
    type Grow<K: PartKind, S: Nat, A: Nat, L: FlatList, T: Sublists> =
        Cons<Sublist<K::Leaves<S, A, L>>, T>;
}

impl<I: Place> Place for Next<I> {
    const NUMBER: usize = I::NUMBER + 1;
    type Rem<S: Nat, T: FlatList> = T::Rem<I>;
    type Fresh<F: Nat, T: FlatList> = T::Fresh<I>;
    type Put<S: Nat, F: Nat, H: Nat, G: Nat, T: FlatList> =
        <T::Put<I, S, F> as FlatList>::Push<H, G>;
    type Grow<K: PartKind, S: Nat, A: Nat, L: FlatList, T: Sublists> =
        Cons<Sublist<L>, T::Grow<I, K, S, A>>;
}

table! {
    /// The rest of each extent, as the extents of a list of modes. The stride is 1 while no part was
    /// larger than the rest, and 0 afterwards: that may happen once.
    trait Extents for [S: Nat, F: Nat, T: FlatList] Cons<Mode<S, F>, T>;
    /// The rest of dimension `I`.
    type Rem<I: Place>: Nat {
        // Nothing left. Nothing covers it: the dimension is not in the shape.
        Nil => UTerm,
        Cons => I::Rem<S, T>,
        Invalid => One,
    }
    /// 1 if no part of dimension `I` was larger than the rest yet, else 0.
    type Fresh<I: Place>: Nat { Nil => UTerm, Cons => I::Fresh<F, T>, Invalid => One }
    /// The list with other numbers for dimension `I`.
    type Put<I: Place, S2: Nat, F2: Nat>: FlatList {
        Nil => Cons<Mode<UTerm, UTerm>, Nil>,
        Cons => I::Put<S2, F2, S, F, T>,
    }
    /// Whether nothing is left.
    type Covered: Truth {
        Nil => True,
        Cons => <S::IsOne as Truth>::And<T::Covered>,
        Invalid => True,
    }
    /// An empty list of leaves for each extent.
    type Empty: Sublists { Nil => Nil, Cons => Cons<Sublist<Nil>, T::Empty> }
}

/// The leaves of one mode of the result so far, from the inside to the outside.
#[derive(Debug)]
pub struct Sublist<L>(PhantomData<L>);

table! {
    /// The leaves of all modes of the result so far.
    trait Sublists: 'static for [L: FlatList, T: Sublists] Cons<Sublist<L>, T>;
    /// Adds one or two leaves to a mode, inside its leaves so far.
    type Grow<I: Place, K: PartKind, S: Nat, A: Nat>: Sublists {
        Nil => Nil,
        Cons => I::Grow<K, S, A, L, T>,
    }
    /// The modes, coalesced.
    type Modes: ModeList { Nil => Nil, Cons => Cons<<L::Coalesce as FlatList>::Unwrap, T::Modes> }
}

/// A part without a size: the rest of its extent.
#[derive(Debug)]
pub enum RestPart {}
/// `p(N)`.
#[derive(Debug)]
pub struct PackedPart<N>(PhantomData<N>);
/// `oe(N)`.
#[derive(Debug)]
pub struct OddEvenPart<N>(PhantomData<N>);

/// The part of the rest `R` that a part takes. `F` is 1 while no part was larger than the rest.
pub trait PartKind: 'static {
    /// The kind as a value.
    const KIND: Option<PhysDim>;
    /// The size that it takes.
    type Size<R: Nat>: Nat;
    /// The size that it leaves.
    type Rest<R: Nat>: Nat;
    /// `F` afterwards.
    type Fresh<R: Nat, F: Nat>: Nat;
    /// Whether this is allowed.
    type Fits<R: Nat, F: Nat>: Truth;
    /// Its leaves for size `S` and stride `A`, prepended to `L`.
    type Leaves<S: Nat, A: Nat, L: FlatList>: FlatList;
}

impl PartKind for RestPart {
    const KIND: Option<PhysDim> = Some(PhysDim::Dynamic);
    type Size<R: Nat> = R;
    // 1, or 0 if nothing was left to take: that stays uncovered.
    type Rest<R: Nat> = NatMin<R, One>;
    type Fresh<R: Nat, F: Nat> = F;
    type Fits<R: Nat, F: Nat> = True;
    type Leaves<S: Nat, A: Nat, L: FlatList> = L::Push<S, A>;
}

impl<N: Nat> PartKind for PackedPart<N> {
    const KIND: Option<PhysDim> = match N::VALUE {
        Some(size) => Some(PhysDim::Packed(size)),
        None => None,
    };
    type Size<R: Nat> = NatMin<R, N>;
    type Rest<R: Nat> = NatCeilDiv<R, N>;
    type Fresh<R: Nat, F: Nat> = NatMul<F, NatMin<NatDiv<R, N>, One>>;
    type Fits<R: Nat, F: Nat> =
        <Divides<N, R> as Truth>::Or<<Smaller<R, N> as Truth>::And<F::IsOne>>;
    type Leaves<S: Nat, A: Nat, L: FlatList> = L::Push<S, A>;
}

impl<N: Nat> PartKind for OddEvenPart<N> {
    const KIND: Option<PhysDim> = match N::VALUE {
        Some(size) => Some(PhysDim::OddEven(size)),
        None => None,
    };
    type Size<R: Nat> = NatMin<R, N>;
    type Rest<R: Nat> = NatCeilDiv<R, N>;
    type Fresh<R: Nat, F: Nat> = NatMul<F, NatMin<NatDiv<R, N>, One>>;
    type Fits<R: Nat, F: Nat> = <Divides<U2, N> as Truth>::And<
        <Divides<N, R> as Truth>::Or<<R::IsOne as Truth>::And<F::IsOne>>,
    >;
    // The digit x has the offset x / 2 + x % 2 * size / 2. A size of 1 gives two leaves of extent 1.
    type Leaves<S: Nat, A: Nat, L: FlatList> =
        <L::Push<NatCeilDiv<S, U2>, A> as FlatList>::Push<NatMin<S, U2>, NatMul<A, NatDiv<S, U2>>>;
}

type Divides<N, R> = <NatRem<R, N> as Nat>::IsZero;
type Smaller<R, N> = <<N as Nat>::Compare<R> as Order>::IsGreater;

/// A part of dimension `I`.
#[derive(Debug)]
pub struct PartOf<I, K>(PhantomData<(I, K)>);

/// The parts of a [`Morello`](crate::types::Morello) layout, slowest first.
pub trait Parts: 'static {
    /// The parts as a value.
    const LIST: Result<MorelloLayout, LayoutError>;
    #[doc(hidden)]
    type Left<E: FlatList>: FlatList;
    /// The product of all sizes.
    #[doc(hidden)]
    type Size<E: FlatList>: Nat;
    #[doc(hidden)]
    type Fits<E: FlatList>: Truth;
    /// The leaves of all parts, inside the leaves in `L`.
    #[doc(hidden)]
    type Leaves<E: FlatList, L: Sublists>: Sublists;
}

impl Parts for Nil {
    const LIST: Result<MorelloLayout, LayoutError> = MorelloLayout::new(&[]);
    type Left<E: FlatList> = E;
    type Size<E: FlatList> = One;
    type Fits<E: FlatList> = True;
    type Leaves<E: FlatList, L: Sublists> = L;
}

/// The rest for the first of the parts. `T` are the other parts.
type RemFor<I, T, E> = <<T as Parts>::Left<E> as Extents>::Rem<I>;
type FreshFor<I, T, E> = <<T as Parts>::Left<E> as Extents>::Fresh<I>;

impl<I: Place, K: PartKind, T: Parts> Parts for Cons<PartOf<I, K>, T> {
    const LIST: Result<MorelloLayout, LayoutError> = match (T::LIST, K::KIND) {
        (Ok(inner), Some(kind)) => inner.inside(I::NUMBER, kind),
        (Ok(_), None) => Err(LayoutError::RunTimeLeaf),
        (error, _) => error,
    };
    type Left<E: FlatList> = <T::Left<E> as Extents>::Put<
        I,
        K::Rest<RemFor<I, T, E>>,
        K::Fresh<RemFor<I, T, E>, FreshFor<I, T, E>>,
    >;
    type Size<E: FlatList> = NatMul<T::Size<E>, K::Size<RemFor<I, T, E>>>;
    type Fits<E: FlatList> =
        <T::Fits<E> as Truth>::And<K::Fits<RemFor<I, T, E>, FreshFor<I, T, E>>>;
    type Leaves<E: FlatList, L: Sublists> =
        T::Leaves<E, L::Grow<I, K, K::Size<RemFor<I, T, E>>, T::Size<E>>>;
}

decisions! {
    /// The last decision.
    trait MorelloIf;
    /// `self`: the parts fit.
    type Modes<P: Parts, S: Tree, E: FlatList>: ModeList {
        True => <P::Leaves<E, E::Empty> as Sublists>::Modes,
        False => Invalid<Misfit<P, S>>,
    }
}
