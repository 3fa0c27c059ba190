//! `Invalid`: the layout that an operation has instead of a result, with the reason in its type.

use core::marker::PhantomData;

use crate::engine::DynLayout;
use crate::error::{AlgebraError, LayoutError, NotationError, Place};
use crate::types::api::tiler::TilerList;
use crate::types::core::modes::ModeTree;
use crate::types::core::nat::Nat;
use crate::types::core::place::Ordinal;
use crate::types::core::tree::{Tree, TreeList};
use crate::types::ops::by_mode::ByMode;
use crate::types::ops::recast::Cast;
use crate::types::ops::slicer::StaticSlicer;

/// A layout that does not exist: every operation on it gives it again, so that the first reason is
/// the one reported. Its constants are compile errors with the reason's message.
#[derive(Debug)]
pub struct Invalid<R>(PhantomData<R>);

/// Why a layout does not exist.
pub trait Reason: 'static {
    /// The error, with the numbers in it; the same that the run-time algebra gives.
    const ERROR: LayoutError;
}

/// A static extent of zero.
#[derive(Debug)]
pub enum ZeroExtent {}

impl Reason for ZeroExtent {
    const ERROR: LayoutError = LayoutError::ZeroExtent;
}

/// A tuple without modes.
#[derive(Debug)]
pub enum EmptyTuple {}

impl Reason for EmptyTuple {
    const ERROR: LayoutError = LayoutError::EmptyTuple;
}

/// A run-time leaf where an operation has to decide.
#[derive(Debug)]
pub enum RunTimeLeaf {}

impl Reason for RunTimeLeaf {
    const ERROR: LayoutError = LayoutError::Algebra(AlgebraError::RunTimeDecision);
}

/// The integer that a message quotes.
const fn number<N: Nat>() -> usize {
    match N::VALUE {
        Some(value) => value,
        // A decision about a run-time leaf has the reason `RunTimeLeaf`.
        None => 0,
    }
}

/// `composition(A, B)`: what is left of an extent of B, and the run that does not divide it.
#[derive(Debug)]
pub struct CompositionCarry<Extent, Run>(PhantomData<(Extent, Run)>);

impl<Extent: Nat, Run: Nat> Reason for CompositionCarry<Extent, Run> {
    const ERROR: LayoutError = LayoutError::CompositionCarry {
        place: Place::NONE,
        extent: number::<Extent>(),
        rest: number::<Extent>(),
        run: number::<Run>(),
    };
}

/// `composition(A, B)`: what the modes of B reach together, and the extent of A that is too small.
#[derive(Debug)]
pub struct CompositionOverlap<Reach, Extent>(PhantomData<(Reach, Extent)>);

impl<Reach: Nat, Extent: Nat> Reason for CompositionOverlap<Reach, Extent> {
    const ERROR: LayoutError = LayoutError::CompositionOverlap {
        place: Place::NONE,
        reach: number::<Reach>(),
        extent: number::<Extent>(),
    };
}

/// `complement(L)`: a stride inside what the smaller strides cover.
#[derive(Debug)]
pub struct ComplementOverlap<Stride, Covered>(PhantomData<(Stride, Covered)>);

impl<Stride: Nat, Covered: Nat> Reason for ComplementOverlap<Stride, Covered> {
    const ERROR: LayoutError = LayoutError::ComplementOverlap {
        place: Place::NONE,
        stride: number::<Stride>(),
        covered: number::<Covered>(),
    };
}

/// `left_inverse(L)`: a stride that is no multiple of the next smaller one.
#[derive(Debug)]
pub struct InverseStride<Stride, Smaller>(PhantomData<(Stride, Smaller)>);

impl<Stride: Nat, Smaller: Nat> Reason for InverseStride<Stride, Smaller> {
    const ERROR: LayoutError = LayoutError::Algebra(AlgebraError::InverseStride {
        stride: number::<Stride>(),
        smaller: number::<Smaller>(),
    });
}

/// `left_inverse(L)`: a mode that the offsets up to it overrun.
#[derive(Debug)]
pub struct InverseOverlap<Stride, Extent, Reach>(PhantomData<(Stride, Extent, Reach)>);

impl<Stride: Nat, Extent: Nat, Reach: Nat> Reason for InverseOverlap<Stride, Extent, Reach> {
    const ERROR: LayoutError = LayoutError::Algebra(AlgebraError::InverseOverlap {
        stride: number::<Stride>(),
        extent: number::<Extent>(),
        reach: number::<Reach>(),
    });
}

/// `upcast(L, N)`: neither the stride nor the factor divides the other.
#[derive(Debug)]
pub struct UpcastStride<Stride, Factor>(PhantomData<(Stride, Factor)>);

impl<Stride: Nat, Factor: Nat> Reason for UpcastStride<Stride, Factor> {
    const ERROR: LayoutError = LayoutError::Algebra(AlgebraError::UpcastStride {
        stride: number::<Stride>(),
        factor: number::<Factor>(),
    });
}

/// `upcast(L, N)`: modes that cross into the next element only together.
#[derive(Debug)]
pub struct UpcastCarry<Factor, Reach>(PhantomData<(Factor, Reach)>);

impl<Factor: Nat, Reach: Nat> Reason for UpcastCarry<Factor, Reach> {
    const ERROR: LayoutError = LayoutError::Algebra(AlgebraError::UpcastCarry {
        factor: number::<Factor>(),
        reach: number::<Reach>(),
    });
}

/// `downcast(L, N)`: no stride of the modes `M` is 1.
#[derive(Debug)]
pub struct DowncastGap<M>(PhantomData<M>);

impl<M: ModeTree> Reason for DowncastGap<M> {
    const ERROR: LayoutError = match M::Stride::TUPLE {
        Ok(stride) => LayoutError::Algebra(AlgebraError::DowncastGap { stride }),
        Err(error) => error,
    };
}

/// `downcast(L, N)`: several strides of the modes `M` are 1.
#[derive(Debug)]
pub struct DowncastChoice<M>(PhantomData<M>);

impl<M: ModeTree> Reason for DowncastChoice<M> {
    const ERROR: LayoutError = match M::Stride::TUPLE {
        Ok(stride) => LayoutError::Algebra(AlgebraError::DowncastChoice { stride }),
        Err(error) => error,
    };
}

/// The operation `O` with a factor of 0.
#[derive(Debug)]
pub struct ZeroFactor<O>(PhantomData<O>);

impl<O: Cast> Reason for ZeroFactor<O> {
    const ERROR: LayoutError =
        LayoutError::Algebra(AlgebraError::ZeroFactor { operation: O::NAME });
}

/// `shape_div`: tuples with different numbers of modes.
#[derive(Debug)]
pub struct ShapeDivRank<S, D>(PhantomData<(S, D)>);

impl<S: Tree, D: Tree> Reason for ShapeDivRank<S, D> {
    const ERROR: LayoutError = match (S::TUPLE, D::TUPLE) {
        (Ok(dividend), Ok(divisor)) => {
            LayoutError::Algebra(AlgebraError::ShapeDivRank { dividend, divisor })
        }
        (Err(error), _) | (_, Err(error)) => error,
    };
}

/// `shape_div`: neither integer divides the other.
#[derive(Debug)]
pub struct ShapeDivRemainder<A, B>(PhantomData<(A, B)>);

impl<A: Nat, B: Nat> Reason for ShapeDivRemainder<A, B> {
    const ERROR: LayoutError = LayoutError::Algebra(AlgebraError::ShapeDivRemainder {
        dividend: number::<A>(),
        divisor: number::<B>(),
    });
}

/// The operation `O` by mode: the tiler `T` has more modes than the modes `M`.
#[derive(Debug)]
pub struct TilerRank<O, T, M>(PhantomData<(O, T, M)>);

impl<O: ByMode, T: TilerList, M: ModeTree> Reason for TilerRank<O, T, M> {
    const ERROR: LayoutError = match M::Shape::TUPLE {
        Ok(shape) => {
            LayoutError::TilerRank { operation: O::NAME, mode: O::MODE, tiler: T::RANK, shape }
        }
        Err(error) => error,
    };
}

/// A zipped operation `O` that keeps a mode `M` which is not a pair already.
#[derive(Debug)]
pub struct KeepNeedsPair<O, M>(PhantomData<(O, M)>);

impl<O: ByMode, M: ModeTree> Reason for KeepNeedsPair<O, M> {
    const ERROR: LayoutError = match M::Shape::TUPLE {
        Ok(shape) => LayoutError::KeepNeedsPair { operation: O::ZIPPED, mode: O::MODE, shape },
        Err(error) => error,
    };
}

/// A shape and a stride, or parts of them, that are nested differently.
#[derive(Debug)]
pub struct Incongruent<S, D>(PhantomData<(S, D)>);

impl<S: Tree, D: Tree> Reason for Incongruent<S, D> {
    const ERROR: LayoutError = match (S::TUPLE, D::TUPLE) {
        (Ok(shape), Ok(stride)) => match DynLayout::new(&shape, &stride) {
            Err(error) => error,
            Ok(_) => LayoutError::StrideNesting { shape, stride },
        },
        (Err(error), _) | (_, Err(error)) => error,
    };
}

/// An order `O`, or a part of one, whose modes are not those of `M`.
#[derive(Debug)]
pub struct OrderProfile<O, M>(PhantomData<(O, M)>);

impl<O: TreeList, M: ModeTree> Reason for OrderProfile<O, M> {
    const ERROR: LayoutError = match (O::TUPLE, M::Shape::TUPLE) {
        (Ok(order), Ok(shape)) => LayoutError::Algebra(AlgebraError::OrderProfile { order, shape }),
        (Err(error), _) | (_, Err(error)) => error,
    };
}

/// An order `O` that gives the place `P` to two modes of more than one element.
#[derive(Debug)]
pub struct OrderTie<O, P>(PhantomData<(O, P)>);

impl<O: Tree, P: Nat> Reason for OrderTie<O, P> {
    const ERROR: LayoutError = match O::TUPLE {
        Ok(order) => LayoutError::Algebra(AlgebraError::OrderTie { order, place: number::<P>() }),
        Err(error) => error,
    };
}

/// A profile `P`, or a part of one, that has more modes than `M`.
#[derive(Debug)]
pub struct ProfileRank<P, M>(PhantomData<(P, M)>);

impl<P: TreeList, M: ModeTree> Reason for ProfileRank<P, M> {
    const ERROR: LayoutError = match (P::TUPLE, M::Shape::TUPLE) {
        (Ok(profile), Ok(shape)) => LayoutError::ProfileRank { profile, shape },
        (Err(error), _) | (_, Err(error)) => error,
    };
}

/// An operation that several reasons name.
pub trait Named: 'static {
    /// Its name in error messages.
    const NAME: &'static str;
}

/// The operation `O`: a range from `B` to `E` that the modes `M` do not have.
#[derive(Debug)]
pub struct ModeRange<O, B, E, M>(PhantomData<(O, B, E, M)>);

impl<O: Named, B: Nat, E: Nat, M: ModeTree> Reason for ModeRange<O, B, E, M> {
    const ERROR: LayoutError = match M::Shape::TUPLE {
        Ok(shape) => LayoutError::Algebra(AlgebraError::ModeRange {
            operation: O::NAME,
            begin: number::<B>(),
            end: number::<E>(),
            shape,
        }),
        Err(error) => error,
    };
}

/// The operation `O`: a mode `N` that the modes `M` do not have.
#[derive(Debug)]
pub struct ModeIndex<O, N, M>(PhantomData<(O, N, M)>);

impl<O: Named, N: Nat, M: ModeTree> Reason for ModeIndex<O, N, M> {
    const ERROR: LayoutError = match M::Shape::TUPLE {
        Ok(shape) => LayoutError::Algebra(AlgebraError::ModeIndex {
            operation: O::NAME,
            mode: number::<N>(),
            shape,
        }),
        Err(error) => error,
    };
}

/// `select` by a tuple inside a tuple.
#[derive(Debug)]
pub enum NestedModes {}

impl Reason for NestedModes {
    const ERROR: LayoutError = LayoutError::Notation(NotationError::NESTED_MODES);
}

/// `zip`: a mode `M` that does not have as many modes as the first one.
#[derive(Debug)]
pub struct ZipRank<First, M>(PhantomData<(First, M)>);

impl<First: ModeTree, M: ModeTree> Reason for ZipRank<First, M> {
    const ERROR: LayoutError = match (First::Shape::TUPLE, M::Shape::TUPLE) {
        (Ok(first), Ok(other)) => LayoutError::Algebra(AlgebraError::ZipRank { first, other }),
        (Err(error), _) | (_, Err(error)) => error,
    };
}

/// `unflatten`: a profile `P` with other numbers of leaves than the modes `M`.
#[derive(Debug)]
pub struct LeafCount<P, M>(PhantomData<(P, M)>);

impl<P: Tree, M: ModeTree> Reason for LeafCount<P, M> {
    const ERROR: LayoutError = match (P::TUPLE, M::Shape::TUPLE) {
        (Ok(profile), Ok(shape)) => {
            LayoutError::Algebra(AlgebraError::LeafCount { profile, shape })
        }
        (Err(error), _) | (_, Err(error)) => error,
    };
}

/// `tile_to_shape`: the block with the modes `M` has more modes than the target `S`.
#[derive(Debug)]
pub struct TargetRank<M, S>(PhantomData<(M, S)>);

impl<M: ModeTree, S: Tree> Reason for TargetRank<M, S> {
    const ERROR: LayoutError = match (M::Shape::TUPLE, S::TUPLE) {
        (Ok(block), Ok(target)) => LayoutError::Algebra(AlgebraError::TargetRank { block, target }),
        (Err(error), _) | (_, Err(error)) => error,
    };
}

/// `tile_to_shape`: in mode `J` a block of the size `Block` does not divide the size `Target`.
#[derive(Debug)]
pub struct TargetRemainder<J, Block, Target>(PhantomData<(J, Block, Target)>);

impl<J: Ordinal, Block: Nat, Target: Nat> Reason for TargetRemainder<J, Block, Target> {
    const ERROR: LayoutError = LayoutError::Algebra(AlgebraError::TargetRemainder {
        mode: J::ORDINAL,
        block: number::<Block>(),
        target: number::<Target>(),
    });
}

/// A coordinate `C`, or a part of one, whose modes are not those of `M`.
#[derive(Debug)]
pub struct SliceProfile<C, M>(PhantomData<(C, M)>);

impl<C: StaticSlicer, M: ModeTree> Reason for SliceProfile<C, M> {
    const ERROR: LayoutError = match (C::SLICER, M::Shape::TUPLE) {
        (Ok(coordinate), Ok(shape)) => {
            LayoutError::Algebra(AlgebraError::SliceProfile { coordinate, shape })
        }
        (Err(error), _) | (_, Err(error)) => error,
    };
}

/// The operation `O`: a coordinate `C` that leaves no mode.
#[derive(Debug)]
pub struct NothingKept<O, C>(PhantomData<(O, C)>);

impl<O: Named, C: StaticSlicer> Reason for NothingKept<O, C> {
    const ERROR: LayoutError = match C::SLICER {
        Ok(coordinate) => {
            LayoutError::Algebra(AlgebraError::NothingKept { operation: O::NAME, coordinate })
        }
        // Its numbers are not known to the type.
        Err(_) => LayoutError::EmptyTuple,
    };
}

/// A coordinate `N` that is not below the extent `S`.
#[derive(Debug)]
pub struct OutOfRange<N, S>(PhantomData<(N, S)>);

impl<N: Nat, S: Nat> Reason for OutOfRange<N, S> {
    const ERROR: LayoutError =
        LayoutError::CoordinateOutOfRange { coordinate: number::<N>(), extent: number::<S>() };
}
