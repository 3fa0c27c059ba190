//! `Invalid`: the layout that an operation has instead of a result, with the reason in its type.

use core::marker::PhantomData;

use super::modes::{Mode, ModeTree};
use super::nat::Nat;
use super::nat::One;
use super::tree::{Tree, TreeList};
use crate::engine::{DynLayout, IntTuple};
use crate::error::LayoutError;
use typenum::UTerm;

/// A layout that does not exist: every operation on it gives it again, so that the first reason is
/// the one reported. Its constants are compile errors with the reason's message.
#[derive(Debug)]
pub struct Invalid<R>(PhantomData<fn() -> R>);

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

/// A shape and a stride, or parts of them, that are nested differently.
#[derive(Debug)]
pub struct Incongruent<S, D>(PhantomData<fn() -> (S, D)>);

impl<S: Tree, D: Tree> Reason for Incongruent<S, D> {
    const ERROR: LayoutError = match (S::TUPLE, D::TUPLE) {
        (Ok(shape), Ok(stride)) => match DynLayout::new(&shape, &stride) {
            Err(error) => error,
            Ok(_) => LayoutError::StrideNesting { shape, stride },
        },
        (Err(error), _) | (_, Err(error)) => error,
    };
}

/// What a `layout!` with mistakes expands to: a leaf that fits everywhere, so that the mistakes
/// are the only errors.
///
/// As a part of a shape or of a stride it pairs with any counterpart and makes the mode `1:0`.
#[derive(Debug)]
pub struct Poison<E>(PhantomData<fn() -> E>);

impl<E: 'static> Tree for Poison<E> {
    // 0, because it may stand for a stride; no shape is read from it but through its mode.
    const TUPLE: Result<IntTuple, LayoutError> = Ok(IntTuple::leaf(0));
    type Zip<D: Tree> = Mode<One, UTerm>;
    type ZipLeaf<S: Nat> = Mode<One, UTerm>;
    type ZipTuple<H: Tree, T: TreeList> = Mode<One, UTerm>;
}

const _: () = {
    const fn is_unit<M: ModeTree>() {}
    is_unit::<<Poison<()> as Tree>::Zip<UTerm>>();
};
