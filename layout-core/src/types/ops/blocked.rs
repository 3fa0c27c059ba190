//! `blocked_product`, `raked_product` and `tile_to_shape` at the type level.

use typenum::UTerm;

use crate::types::api::tiler::TiledTree;
use crate::types::core::invalid::{Invalid, Reason, TargetRank, TargetRemainder, ZeroExtent};
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::{Nat, NatDiv, NatRem, One};
use crate::types::core::place::{After, First, Ordinal};
use crate::types::core::ternary::{False, True, Unknown};
use crate::types::core::tree::{Cons, Nil, Tree, TreeList};
use crate::types::ops::by_mode::{Product, ProductCopies};
use crate::types::ops::compact::ColumnMajor;
use crate::types::ops::make_ordered::OrderedOf;
use crate::types::ops::zip::ZipWithOf;

/// Blocks `A` next to each other in the arrangement `B`: `((A_0,B_0), (A_1,B_1), ..)`.
pub(crate) type Blocked<A, B> = <PaddedLike<A, B> as Arrange>::Blocked<PaddedLike<B, A>>;
/// Blocks `A` interleaved in the arrangement `B`: `((B_0,A_0), (B_1,A_1), ..)`.
pub(crate) type Raked<A, B> = <PaddedLike<A, B> as Arrange>::Raked<PaddedLike<B, A>>;
/// `A`, padded to the rank of `B`.
type PaddedLike<A, B> = <A as PadTree>::PadLike<<B as TiledTree>::Modes>;

/// A block, arranged in the modes of as many others as it has itself.
// The aliases name operands twice; here they are computed already.
pub trait Arrange {
    /// The modes of the product with `B` in pairs.
    type Blocked<B: ModeTree>: ModeTree;
    /// The same, with the modes of the copies first.
    type Raked<B: ModeTree>: ModeTree;
    /// The blocks `A` in this arrangement, if there is one.
    type Repeated<A: ModeTree>: ModeTree;
}

impl<M: ModeTree> Arrange for M {
    type Blocked<B: ModeTree> = M::PairWith<B, M, ProductCopies<Product, M, B>>;
    type Raked<B: ModeTree> = M::PairWith<B, ProductCopies<Product, M, B>, M>;
    type Repeated<A: ModeTree> = M::Guard<Blocked<A, M>>;
}

/// The block `A` repeated until it has the shape `S`, along the first mode first.
pub(crate) type TiledToShape<A, S> = <ColumnMajor<CopiesIn<A, S>> as Arrange>::Repeated<A>;
/// The block `A` repeated until it has the shape `S`, in the order `O`.
pub(crate) type TiledToShapeOrdered<A, S, O> =
    <OrderedOf<CopiesIn<A, S>, O> as Arrange>::Repeated<A>;
/// How often the block `A` repeats in each mode of the shape `S`.
type CopiesIn<A, S> = <S as TargetTree>::Copies<A>;

// ---- padding ----

/// `X` and `Y` as the only mode.
type AsOneMode<X, Y> = Cons<Cons<X, Cons<Y, Nil>>, Nil>;

/// A mode that pads.
type Unit = Mode<One, UTerm>;

/// Padding, for a tree of modes.
pub trait PadTree {
    /// These modes, and as many `1:0` behind them as `B` has more.
    type PadLike<B: ModeList>: ModeTree;
    /// `X` and `Y` mode by mode, if these modes and `B` are tuples; else both as one mode.
    type PairWith<B: ModeTree, X: ModeTree, Y: ModeTree>: ModeTree;
    /// The same, if these modes are a tuple.
    type Pair<X: ModeTree, Y: ModeTree>: ModeTree;
}

/// Padding, for a list of modes.
pub trait PadList {
    /// As many `1:0` as this list has modes.
    type Units: ModeList;
    /// [`PadTree::PadLike`] as a list.
    type PadListLike<B: ModeList>: ModeList;
    /// The modes `H` and `T`, and as many `1:0` behind them as this list has more.
    type Pad<H: ModeTree, T: ModeList>: ModeList;
    /// The leaf, which stays one if this list has one mode.
    type PadLeaf<S: Nat, D: Nat>: ModeTree;
    /// [`PadLeaf`](Self::PadLeaf) of this list with a mode before it.
    type PadLeafAfter<S: Nat, D: Nat>: ModeTree;
}

impl<S: Nat, D: Nat> PadTree for Mode<S, D> {
    type PadLike<B: ModeList> = B::PadLeaf<S, D>;
    type PairWith<B: ModeTree, X: ModeTree, Y: ModeTree> = AsOneMode<X, Y>;
    type Pair<X: ModeTree, Y: ModeTree> = AsOneMode<X, Y>;
}

impl PadTree for Nil {
    type PadLike<B: ModeList> = Nil;
    type PairWith<B: ModeTree, X: ModeTree, Y: ModeTree> = Nil;
    type Pair<X: ModeTree, Y: ModeTree> = Nil;
}
impl PadList for Nil {
    type Units = Nil;
    type PadListLike<B: ModeList> = B::Units;
    type Pad<H: ModeTree, T: ModeList> = Cons<H, T>;
    type PadLeaf<S: Nat, D: Nat> = Mode<S, D>;
    type PadLeafAfter<S: Nat, D: Nat> = Mode<S, D>;
}

impl<H: ModeTree, T: ModeList> PadTree for Cons<H, T> {
    type PadLike<B: ModeList> = B::Pad<H, T>;
    type PairWith<B: ModeTree, X: ModeTree, Y: ModeTree> = B::Pair<X, Y>;
    type Pair<X: ModeTree, Y: ModeTree> = ZipWithOf<X, Y>;
}
impl<H: ModeTree, T: ModeList> PadList for Cons<H, T> {
    type Units = Cons<Unit, T::Units>;
    type PadListLike<B: ModeList> = B::Pad<H, T>;
    type Pad<H2: ModeTree, T2: ModeList> = Cons<H2, T2::PadListLike<T>>;
    type PadLeaf<S: Nat, D: Nat> = T::PadLeafAfter<S, D>;
    type PadLeafAfter<S: Nat, D: Nat> = Cons<Mode<S, D>, Cons<Unit, T::Units>>;
}

impl<R: Reason> PadTree for Invalid<R> {
    type PadLike<B: ModeList> = Self;
    type PairWith<B: ModeTree, X: ModeTree, Y: ModeTree> = Self;
    type Pair<X: ModeTree, Y: ModeTree> = Self;
}
impl<R: Reason> PadList for Invalid<R> {
    type Units = Self;
    type PadListLike<B: ModeList> = Self;
    type Pad<H: ModeTree, T: ModeList> = Self;
    type PadLeaf<S: Nat, D: Nat> = Self;
    type PadLeafAfter<S: Nat, D: Nat> = Self;
}

// ---- how often a block repeats ----

/// `tile_to_shape`, for the target.
pub trait TargetTree {
    /// How often the block `A` repeats in each mode.
    type Copies<A: ModeTree>: Tree;
}

/// [`TargetTree`] for a tuple, or the rest of one. The recursion started from the block `A0` and the
/// target `S0`: what to report when the block has too many modes.
pub trait TargetList {
    /// How often the blocks of the list `A` repeat from mode `J` on.
    type CopiesOf<A: ModeList, J: Ordinal, A0: ModeTree, S0: Tree>: TreeList;
}

/// How often blocks of the size `Block` repeat in a mode `J` of the size `Target`.
type Copies<J, Block, Target> = <<Target as Nat>::IsZero as BlockIf>::Copies<J, Block, Target>;

impl<N: Nat> TargetTree for N {
    type Copies<A: ModeTree> = <A::Modes as BlockList>::InLeaf<N, A>;
}

impl TargetTree for Nil {
    type Copies<A: ModeTree> = Nil;
}
impl TargetList for Nil {
    type CopiesOf<A: ModeList, J: Ordinal, A0: ModeTree, S0: Tree> = A::AtEnd<A0, S0>;
}

impl<H: Tree, T: TreeList> TargetTree for Cons<H, T> {
    type Copies<A: ModeTree> = <A::Modes as BlockList>::InModes<H, T, First, A, Self>;
}
impl<H: Tree, T: TreeList> TargetList for Cons<H, T> {
    type CopiesOf<A: ModeList, J: Ordinal, A0: ModeTree, S0: Tree> = A::InModes<H, T, J, A0, S0>;
}

impl<R: Reason> TargetTree for Invalid<R> {
    type Copies<A: ModeTree> = Self;
}
impl<R: Reason> TargetList for Invalid<R> {
    type CopiesOf<A: ModeList, J: Ordinal, A0: ModeTree, S0: Tree> = Self;
}

/// `tile_to_shape`, for the modes of the block.
pub trait BlockList {
    /// The copies in a target `N` of one mode.
    type InLeaf<N: Nat, A0: ModeTree>: Tree;
    /// The same, for this list with a block of the size `Block` before it.
    type InLeafAfter<Block: Nat, N: Nat, A0: ModeTree>: Tree;
    /// The copies in the modes `H` and `T` of a target, of which `H` is mode `J`.
    type InModes<H: Tree, T: TreeList, J: Ordinal, A0: ModeTree, S0: Tree>: TreeList;
    /// No copies, if this list ends where the target does.
    type AtEnd<A0: ModeTree, S0: Tree>: TreeList;
}

impl BlockList for Nil {
    type InLeaf<N: Nat, A0: ModeTree> = N;
    type InLeafAfter<Block: Nat, N: Nat, A0: ModeTree> = Copies<First, Block, N>;
    type InModes<H: Tree, T: TreeList, J: Ordinal, A0: ModeTree, S0: Tree> =
        Cons<Copies<J, One, H::Product>, T::CopiesOf<Nil, After<J>, A0, S0>>;
    type AtEnd<A0: ModeTree, S0: Tree> = Nil;
}

impl<B: ModeTree, R: ModeList> BlockList for Cons<B, R> {
    type InLeaf<N: Nat, A0: ModeTree> = R::InLeafAfter<B::Size, N, A0>;
    type InLeafAfter<Block: Nat, N: Nat, A0: ModeTree> = Invalid<TargetRank<A0, N>>;
    type InModes<H: Tree, T: TreeList, J: Ordinal, A0: ModeTree, S0: Tree> =
        Cons<Copies<J, B::Size, H::Product>, T::CopiesOf<R, After<J>, A0, S0>>;
    type AtEnd<A0: ModeTree, S0: Tree> = Invalid<TargetRank<A0, S0>>;
}

impl<E: Reason> BlockList for Invalid<E> {
    type InLeaf<N: Nat, A0: ModeTree> = Self;
    type InLeafAfter<Block: Nat, N: Nat, A0: ModeTree> = Self;
    type InModes<H: Tree, T: TreeList, J: Ordinal, A0: ModeTree, S0: Tree> = Self;
    type AtEnd<A0: ModeTree, S0: Tree> = Self;
}

/// The branches of `tile_to_shape`.
pub trait BlockIf {
    /// `self`: the target is empty.
    type Copies<J: Ordinal, Block: Nat, Target: Nat>: Tree;
    /// `self`: the block divides the target.
    type Quotient<J: Ordinal, Block: Nat, Target: Nat>: Tree;
}

type IfDivides<J, Block, Target> =
    <<NatRem<Target, Block> as Nat>::IsZero as BlockIf>::Quotient<J, Block, Target>;

impl BlockIf for True {
    type Copies<J: Ordinal, Block: Nat, Target: Nat> = Invalid<ZeroExtent>;
    type Quotient<J: Ordinal, Block: Nat, Target: Nat> = NatDiv<Target, Block>;
}
impl BlockIf for False {
    type Copies<J: Ordinal, Block: Nat, Target: Nat> = IfDivides<J, Block, Target>;
    type Quotient<J: Ordinal, Block: Nat, Target: Nat> = Invalid<TargetRemainder<J, Block, Target>>;
}
// Of run-time numbers the block divides the target, or the values are refused.
impl BlockIf for Unknown {
    type Copies<J: Ordinal, Block: Nat, Target: Nat> = IfDivides<J, Block, Target>;
    type Quotient<J: Ordinal, Block: Nat, Target: Nat> = NatDiv<Target, Block>;
}
