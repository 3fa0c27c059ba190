//! `Source` and `Destination`: what can be copied from and to, whatever says where the elements
//! are: a layout, or a placement.

use layout_core::devices::{AnyPlacement, Placement};
use layout_core::engine::{ComposedLayout, DynLayout, Swizzle};
use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, Fallibility};

use crate::facts::value_in;
use crate::view::private::Token;
use crate::view::{AsView, AsViewMut, Held};

/// What can be copied from: whatever is an [`AsView`], a [`PlacedTensor`](crate::PlacedTensor) and
/// a [`PlacedView`](crate::PlacedView). `Kind` is inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be copied from as elements of `{T}`",
    label = "neither a tensor nor a view, in a layout or in a placement"
)]
pub trait Source<T, Kind>: sealed::Read<T, Kind> {}

/// What can be copied to: whatever is an [`AsViewMut`], a [`PlacedTensor`](crate::PlacedTensor) and
/// a [`PlacedViewMut`](crate::PlacedViewMut). `Kind` is inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be copied to as elements of `{T}`",
    label = "neither a tensor nor a view that can be written, in a layout or in a placement"
)]
pub trait Destination<T, Kind>: sealed::Write<T, Kind> {}

impl<T, K, V: sealed::Read<T, K> + ?Sized> Source<T, K> for V {}
impl<T, K, V: sealed::Write<T, K> + ?Sized> Destination<T, K> for V {}

/// The `Kind` of a [`Source`] or [`Destination`] with a layout. Without kinds, the compiler could
/// not tell tensors in placements from what implements [`AsView`] elsewhere.
#[derive(Debug)]
pub enum InLayout {}

/// The `Kind` of a [`Source`] or [`Destination`] with a placement.
#[derive(Debug)]
pub enum InPlacement {}

/// The `Kind` of a [`Source`] or [`Destination`] with a layout behind a swizzle.
#[derive(Debug)]
pub enum InSwizzle {}

/// Where elements are, as a type: a layout, a placement as [`Placed`], or a layout behind a swizzle
/// as [`Behind`](crate::Behind).
pub trait Place: Copy + sealed::Sealed {
    /// What can still go wrong when the program runs.
    type Fallibility: Fallibility;
    /// Whether it is a layout.
    const IS_LAYOUT: bool;
    /// Whether it is a layout behind a swizzle.
    const IS_SWIZZLED: bool = false;
    /// The layout, also one behind a swizzle, when its type fixes every number.
    const LAYOUT: Option<DynLayout>;
    /// The layout with the swizzle in front of it, if there is one and its type fixes every number.
    const COMPOSED: Option<ComposedLayout> = None;
    /// The placement, when the type fixes every number.
    const PLACEMENT: Option<Result<Placement, LayoutError>>;

    /// The layout, if it is one. It is not copied: where there is no value yet, it is made in `room`.
    fn layout_in<'a>(
        &'a self,
        room: &'a mut Option<DynLayout>,
    ) -> Result<&'a DynLayout, LayoutError>;

    /// The placement that it is.
    fn to_placement(&self) -> Result<Placement, LayoutError>;

    /// The layout with the swizzle in front of it, if any.
    fn to_composed(&self) -> Result<ComposedLayout, LayoutError> {
        ComposedLayout::new(&Swizzle::new(0, 0, 0)?, 0, self.layout_in(&mut None)?)
    }
}

impl<L: AnyLayout> sealed::Sealed for L {}

impl<L: AnyLayout> Place for L {
    type Fallibility = <L as AnyLayout>::Fallibility;
    const IS_LAYOUT: bool = true;
    const LAYOUT: Option<DynLayout> = L::STATIC;
    const COMPOSED: Option<ComposedLayout> = match L::STATIC {
        Some(layout) => match Swizzle::new(0, 0, 0) {
            Ok(none) => Some(none.composition(&layout)),
            Err(_) => None,
        },
        None => None,
    };
    const PLACEMENT: Option<Result<Placement, LayoutError>> = match L::STATIC {
        Some(layout) => Some(Placement::of_layout(&layout)),
        None => None,
    };

    #[inline(always)]
    fn layout_in<'a>(
        &'a self,
        room: &'a mut Option<DynLayout>,
    ) -> Result<&'a DynLayout, LayoutError> {
        value_in(self, room)
    }

    fn to_placement(&self) -> Result<Placement, LayoutError> {
        Placement::of_layout(value_in(self, &mut None)?)
    }
}

/// A placement as a [`Place`].
#[derive(Clone, Copy)]
pub struct Placed<P>(pub(crate) P);

impl<P> sealed::Sealed for Placed<P> {}

impl<P: AnyPlacement + Copy> Place for Placed<P> {
    type Fallibility = P::Fallibility;
    const IS_LAYOUT: bool = false;
    const LAYOUT: Option<DynLayout> = None;
    const PLACEMENT: Option<Result<Placement, LayoutError>> = match P::STATIC {
        Some(placement) => Some(Ok(placement)),
        None => None,
    };

    fn layout_in<'a>(
        &'a self,
        room: &'a mut Option<DynLayout>,
    ) -> Result<&'a DynLayout, LayoutError> {
        Ok(room.insert(self.to_placement()?.to_layout()?))
    }

    fn to_placement(&self) -> Result<Placement, LayoutError> {
        Ok(self.0.placement())
    }
}

/// The memory of all cores, or of each one.
pub enum Memory<'a, T> {
    /// One slice with the buffers of all cores, one behind the other.
    All(&'a [T]),
    /// A slice for each core.
    #[cfg(feature = "std")]
    Each(&'a [&'a [T]]),
}

/// [`Memory`] to be written.
pub enum MemoryMut<'a, T> {
    /// One slice with the buffers of all cores, one behind the other.
    All(&'a mut [T]),
    /// A slice for each core.
    #[cfg(feature = "std")]
    Each(&'a mut (dyn Cores<T> + 'a)),
}

impl<T> MemoryMut<'_, T> {
    /// How many slots a slice has, if a core has so many: those of a core, or all there are.
    pub(crate) fn buffer(&self, storage: usize) -> usize {
        if matches!(self, Self::All(_)) { usize::MAX } else { storage }
    }
}

/// A slice for each core, to be written: a list of them, whatever their lifetime.
#[cfg(feature = "std")]
pub trait Cores<T> {
    /// How many.
    fn count(&self) -> usize;
    /// That of one.
    fn core(&mut self, core: usize) -> &mut [T];
}

#[cfg(feature = "std")]
impl<T> Cores<T> for Vec<&mut [T]> {
    fn count(&self) -> usize {
        self.len()
    }

    fn core(&mut self, core: usize) -> &mut [T] {
        self[core]
    }
}

pub(crate) mod sealed {
    use super::{Held, Memory, MemoryMut, Place};

    /// Implemented in this crate and nowhere else.
    pub trait Sealed {}

    /// What a copy reads. Only this crate implements it: the memory of a layout is one slice that
    /// has all of its offsets.
    pub trait Read<T, Kind> {
        /// Where elements are.
        type Place: Place;
        fn read(&self) -> (Held<'_, Self::Place>, Memory<'_, T>);
    }

    /// What a copy writes, and what padding is filled with.
    pub trait Write<T, Kind> {
        /// Where elements are.
        type Place: Place;
        fn write(&mut self) -> (Held<'_, Self::Place>, MemoryMut<'_, T>, Option<T>);
    }
}

impl<T, V: AsView<T> + ?Sized> sealed::Read<T, InLayout> for V {
    type Place = V::Layout;

    #[inline(always)]
    fn read(&self) -> (Held<'_, V::Layout>, Memory<'_, T>) {
        let (data, layout) = self.parts(Token);
        (layout, Memory::All(data))
    }
}

impl<T, V: AsViewMut<T> + ?Sized> sealed::Write<T, InLayout> for V {
    type Place = V::Layout;

    #[inline(always)]
    fn write(&mut self) -> (Held<'_, V::Layout>, MemoryMut<'_, T>, Option<T>) {
        let (data, layout) = self.parts_mut(Token);
        (layout, MemoryMut::All(data), None)
    }
}
