//! The position of an operand in an operation, for error messages: [`Place`] as a type.
//!
//! Types only carry it along. It becomes a value when an error is needed, so layouts that exist pay
//! next to nothing.

use core::marker::PhantomData;

use crate::engine::DynLayout;
use crate::error::{LayoutError, Operand, Place};
use crate::types::core::flat::FlatList;
use crate::types::core::invalid::{Invalid, Reason};
use crate::types::core::modes::{Mode, ModeTree};
use crate::types::core::nat::Nat;
use crate::types::core::tree::{Cons, Nil, Tree};

/// A [`Place`].
pub trait StaticPlace: 'static {
    /// The place as a value.
    const PLACE: Place;
}

/// Mode `J` of the place `P`.
#[derive(Debug)]
pub struct InMode<P, J>(PhantomData<(P, J)>);

impl<P: StaticPlace, J: Ordinal> StaticPlace for InMode<P, J> {
    const PLACE: Place = P::PLACE.in_mode(J::ORDINAL);
}

/// The operand of a `complement`.
#[derive(Debug)]
pub enum Alone {}

impl StaticPlace for Alone {
    const PLACE: Place = Place::new("complement", None, Operand::Layout);
}

/// The index of a mode: [`First`] or [`After`] another one. Not a binary integer: counting must cost
/// the compiler no arithmetic.
pub trait Ordinal: 'static {
    /// The index, from 0 on.
    const ORDINAL: usize;
}

/// Mode 0.
#[derive(Debug)]
pub enum First {}
/// The mode after mode `J`.
#[derive(Debug)]
pub struct After<J>(PhantomData<J>);

impl Ordinal for First {
    const ORDINAL: usize = 0;
}
impl<J: Ordinal> Ordinal for After<J> {
    const ORDINAL: usize = J::ORDINAL + 1;
}

/// The reason `R`, about the operand with the modes `M` at `P`.
#[derive(Debug)]
pub struct Located<R, P, M>(PhantomData<(R, P, M)>);

impl<R: Reason, P: StaticPlace, M: ModeTree> Reason for Located<R, P, M> {
    const ERROR: LayoutError = match R::ERROR {
        LayoutError::CompositionCarry { place, rest, run, .. } if place.is_none() => {
            let extent = match M::Shape::TUPLE {
                Ok(extent) if extent.is_int() => extent.at(0),
                _ => rest,
            };
            LayoutError::CompositionCarry { place: P::PLACE, extent, rest, run }
        }
        LayoutError::CompositionOverlap { place, reach, extent } if place.is_none() => {
            LayoutError::CompositionOverlap { place: P::PLACE, reach, extent }
        }
        LayoutError::ComplementOverlap { place, stride, covered } if place.is_none() => {
            LayoutError::ComplementOverlap { place: mode_that_overlaps::<P, M>(), stride, covered }
        }
        error => error,
    };
}

/// The engine knows the position of the leaf before the sort. If a leaf of the operand is only known
/// at run time, the place is the whole operand.
const fn mode_that_overlaps<P: StaticPlace, M: ModeTree>() -> Place {
    if let (Ok(shape), Ok(stride)) = (M::Shape::TUPLE, M::Stride::TUPLE)
        && let Ok(layout) = DynLayout::new(&shape, &stride)
        && let Err(LayoutError::ComplementOverlap { place, .. }) = layout.complement_at(1, P::PLACE)
    {
        return place;
    }
    P::PLACE
}

/// A list of leaves that is an operand, or is derived from one.
pub trait LocateList {
    /// The list. If it does not exist because of the operand with the modes `M`, the error gets the
    /// place `P` of that operand.
    type Locate<P: StaticPlace, M: ModeTree>: FlatList;
}

impl LocateList for Nil {
    type Locate<P: StaticPlace, M: ModeTree> = Self;
}
impl<S: Nat, D: Nat, T: FlatList> LocateList for Cons<Mode<S, D>, T> {
    type Locate<P: StaticPlace, M: ModeTree> = Self;
}
impl<R: Reason> LocateList for Invalid<R> {
    type Locate<P: StaticPlace, M: ModeTree> = Invalid<Located<R, P, M>>;
}
