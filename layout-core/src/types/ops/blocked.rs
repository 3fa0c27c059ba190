//! `blocked_product`, `raked_product` and `tile_to_shape` at the type level.

use typenum::UTerm;

use crate::error::{AlgebraError, LayoutError};
use crate::types::core::guard::GuardTree;
use crate::types::core::invalid::{Invalid, ZeroExtent, number, reasons};
use crate::types::core::modes::{Mode, ModeList, ModeTree};
use crate::types::core::nat::{Nat, NatDiv, NatRem, One};
use crate::types::core::table::{decisions, table};
use crate::types::core::tree::{Cons, Nil, Tree, TreeList};
use crate::types::ops::by_mode::{Product, ProductCopies};
use crate::types::ops::compact::ColumnMajor;
use crate::types::ops::make_ordered::OrderedOf;
use crate::types::ops::place::{After, First, Ordinal};
use crate::types::ops::zip::ZipWithOf;

/// Blocks `A` next to each other in the arrangement `B`: `((A_0,B_0), (A_1,B_1), ..)`.
pub(crate) type Blocked<A, B> = <PaddedLike<A, B> as Arrange>::Blocked<PaddedLike<B, A>>;
/// Blocks `A` interleaved in the arrangement `B`: `((B_0,A_0), (B_1,A_1), ..)`.
pub(crate) type Raked<A, B> = <PaddedLike<A, B> as Arrange>::Raked<PaddedLike<B, A>>;
/// `A`, padded to the rank of `B`.
type PaddedLike<A, B> = <A as PadTree>::PadLike<<B as GuardTree>::Modes>;

/// A block and an arrangement with the same number of modes. The aliases name operands twice; here
/// they are already evaluated.
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

/// The mode used for padding.
type Unit = Mode<One, UTerm>;

table! {
    /// Padding, for a tree of modes.
    trait PadTree for [S: Nat, D: Nat] Mode<S, D>, [H: ModeTree, T: ModeList] Cons<H, T>;
    /// These modes, padded with `1:0` to the rank of `B`.
    type PadLike<B: ModeList>: ModeTree {
        Leaf => B::PadLeaf<S, D>,
        Nil => Nil,
        Cons => B::Pad<H, T>,
    }
    /// `X` and `Y` mode by mode, if these modes and `B` are tuples; else both as one mode.
    type PairWith<B: ModeTree, X: ModeTree, Y: ModeTree>: ModeTree {
        Leaf => AsOneMode<X, Y>,
        Nil => Nil,
        Cons => B::Pair<X, Y>,
    }
    /// The same, if these modes are a tuple.
    type Pair<X: ModeTree, Y: ModeTree>: ModeTree {
        Leaf => AsOneMode<X, Y>,
        Nil => Nil,
        Cons => ZipWithOf<X, Y>,
    }
}

table! {
    /// Padding, for a list of modes.
    trait PadList for [H: ModeTree, T: ModeList] Cons<H, T>;
    /// A mode `1:0` for each mode of this list.
    type Units: ModeList { Nil => Nil, Cons => Cons<Unit, T::Units> }
    /// [`PadTree::PadLike`] as a list.
    type PadListLike<B: ModeList>: ModeList { Nil => B::Units, Cons => B::Pad<H, T> }
    /// The modes `H2` and `T2`, padded with `1:0` to the rank of this list.
    type Pad<H2: ModeTree, T2: ModeList>: ModeList {
        Nil => Cons<H2, T2>,
        Cons => Cons<H2, T2::PadListLike<T>>,
    }
    /// The leaf, which stays a leaf if this list has one mode.
    type PadLeaf<S: Nat, D: Nat>: ModeTree { Nil => Mode<S, D>, Cons => T::PadLeafAfter<S, D> }
    /// [`PadLeaf`](Self::PadLeaf) of this list with a mode before it.
    type PadLeafAfter<S: Nat, D: Nat>: ModeTree {
        Nil => Mode<S, D>,
        Cons => Cons<Mode<S, D>, Cons<Unit, T::Units>>,
    }
}

// ---- number of repetitions of a block ----

table! {
    /// `tile_to_shape`, for the target.
    trait TargetTree for [N: Nat] N, [H: Tree, T: TreeList] Cons<H, T>;
    /// The number of repetitions of the block `A` in each mode.
    type Copies<A: ModeTree>: Tree {
        Leaf => <A::Modes as BlockList>::InLeaf<N, A>,
        Nil => Nil,
        Cons => <A::Modes as BlockList>::InModes<H, T, First, A, Self>,
    }
}

table! {
    /// [`TargetTree`] for a tuple, or the rest of one. `A0` and `S0` are the block and the target at
    /// the start of the recursion, for the error if the block has too many modes.
    trait TargetList for [H: Tree, T: TreeList] Cons<H, T>;
    /// The number of repetitions of the blocks of the list `A` from mode `J` on.
    type CopiesOf<A: ModeList, J: Ordinal, A0: ModeTree, S0: Tree>: TreeList {
        Nil => A::AtEnd<A0, S0>,
        Cons => A::InModes<H, T, J, A0, S0>,
    }
}

/// The number of repetitions of blocks of size `Block` in mode `J` of size `Target`.
type Copies<J, Block, Target> = <<Target as Nat>::IsZero as BlockIf>::Copies<J, Block, Target>;

table! {
    /// `tile_to_shape`, for the modes of the block.
    trait BlockList for [B: ModeTree, R: ModeList] Cons<B, R>;
    /// The copies in a target `N` of one mode.
    type InLeaf<N: Nat, A0: ModeTree>: Tree { Nil => N, Cons => R::InLeafAfter<B::Size, N, A0> }
    /// The same, for this list with a block of the size `Block` before it.
    type InLeafAfter<Block: Nat, N: Nat, A0: ModeTree>: Tree {
        Nil => Copies<First, Block, N>,
        Cons => Invalid<TargetRank<A0, N>>,
    }
    /// The copies in the modes `H` and `T` of a target. `H` is mode `J`.
    type InModes<H: Tree, T: TreeList, J: Ordinal, A0: ModeTree, S0: Tree>: TreeList {
        Nil => Cons<Copies<J, One, H::Product>, T::CopiesOf<Nil, After<J>, A0, S0>>,
        Cons => Cons<Copies<J, B::Size, H::Product>, T::CopiesOf<R, After<J>, A0, S0>>,
    }
    /// No copies, if this list ends where the target does.
    type AtEnd<A0: ModeTree, S0: Tree>: TreeList { Nil => Nil, Cons => Invalid<TargetRank<A0, S0>> }
}

decisions! {
    /// The branches of `tile_to_shape`. For run-time numbers the block is assumed to divide the
    /// target; other values are refused at run time.
    trait BlockIf;
    /// `self`: the target is empty.
    type Copies<J: Ordinal, Block: Nat, Target: Nat>: Tree {
        True => Invalid<ZeroExtent>,
        False => IfDivides<J, Block, Target>,
        Unknown => IfDivides<J, Block, Target>,
    }
    /// `self`: the block divides the target.
    type Quotient<J: Ordinal, Block: Nat, Target: Nat>: Tree {
        True => NatDiv<Target, Block>,
        False => Invalid<TargetRemainder<J, Block, Target>>,
        Unknown => NatDiv<Target, Block>,
    }
}

type IfDivides<J, Block, Target> =
    <<NatRem<Target, Block> as Nat>::IsZero as BlockIf>::Quotient<J, Block, Target>;

reasons! {
    /// `tile_to_shape`: the block with the modes `M` has more modes than the target `S`.
    TargetRank<M: ModeTree, S: Tree> with block = M::Shape::TUPLE, with target = S::TUPLE,
        => LayoutError::Algebra(AlgebraError::TargetRank { block, target }),
        else TargetHasModes: "tile_to_shape: the block has more modes than the target",
        "too many modes in the block";
    /// `tile_to_shape`: in mode `J` a block of the size `Block` does not divide the size `Target`.
    TargetRemainder<J: Ordinal, Block: Nat, Target: Nat>
        => LayoutError::Algebra(AlgebraError::TargetRemainder {
            mode: J::ORDINAL,
            block: number::<Block>(),
            target: number::<Target>(),
        }),
        else BlockDivides: "tile_to_shape: the block does not divide the target",
        "a mode of the target is not a multiple of that of the block";
}
