//! `Source` and `Destination`: the operands of a copy. Their elements are located by a layout, a
//! swizzled layout or a placement.

use layout_core::devices::{AnyPlacement, Placement};
use layout_core::engine::{ComposedLayout, DynLayout, Swizzle};
use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, Fallibility};

use crate::view::private::Token;
use crate::view::{AsView, AsViewMut, LayoutRef};

/// A source of a copy: any [`AsView`], a [`PlacedTensor`](crate::PlacedTensor), a
/// [`PlacedView`](crate::PlacedView), and the swizzled tensor and views. `Kind` is inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a copy source with elements of type `{T}`",
    label = "neither a tensor nor a view, in a layout, a swizzled layout or a placement"
)]
pub trait Source<T, Kind>: sealed::Read<T, Kind> {}

/// A destination of a copy: any [`AsViewMut`], a [`PlacedTensor`](crate::PlacedTensor), a
/// [`PlacedViewMut`](crate::PlacedViewMut), and the swizzled tensor and mutable view. `Kind` is
/// inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a copy destination with elements of type `{T}`",
    label = "neither a tensor nor a mutable view, in a layout, a swizzled layout or a placement"
)]
pub trait Destination<T, Kind>: sealed::Write<T, Kind> {}

impl<T, K, V: sealed::Read<T, K> + ?Sized> Source<T, K> for V {}
impl<T, K, V: sealed::Write<T, K> + ?Sized> Destination<T, K> for V {}

/// The `Kind` of a [`Source`] or [`Destination`] with a layout. Kinds keep the blanket implementation
/// for [`AsView`] from overlapping with those for placements and swizzled layouts.
#[derive(Debug)]
pub enum InLayout {}

/// The `Kind` of a [`Source`] or [`Destination`] with a placement.
#[derive(Debug)]
pub enum InPlacement {}

/// The `Kind` of a [`Source`] or [`Destination`] with a swizzled layout.
#[derive(Debug)]
pub enum InSwizzle {}

/// How elements are located, as a type: a layout, a placement as [`Placed`], or a swizzled layout as
/// [`Behind`](crate::Behind).
pub trait Place: Copy + sealed::Sealed {
    /// Whether an operation can still fail at run time.
    type Fallibility: Fallibility;
    /// Whether this is a plain layout.
    const IS_LAYOUT: bool;
    /// Whether this is a swizzled layout.
    const IS_SWIZZLED: bool = false;
    /// The layout, or the inner layout of a swizzled one, if its type fixes every number.
    const LAYOUT: Option<DynLayout>;
    /// The layout with its swizzle (the identity for a plain layout), if its type fixes every number.
    const COMPOSED: Option<ComposedLayout> = None;
    /// The placement, if its type fixes every number.
    const PLACEMENT: Option<Result<Placement, LayoutError>>;

    /// The layout, without a copy. If no such value exists yet, it is built in `slot`. An error for a
    /// swizzled layout.
    fn layout_in<'a>(
        &'a self,
        slot: &'a mut Option<DynLayout>,
    ) -> Result<&'a DynLayout, LayoutError>;

    /// The placement; a plain layout is converted to one. An error for a swizzled layout.
    fn to_placement(&self) -> Result<Placement, LayoutError>;

    /// The layout with its swizzle; the identity swizzle for a plain layout.
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
        slot: &'a mut Option<DynLayout>,
    ) -> Result<&'a DynLayout, LayoutError> {
        self.to_dyn_in(slot)
    }

    fn to_placement(&self) -> Result<Placement, LayoutError> {
        placement_of_layout(self.to_dyn_in(&mut None)?)
    }
}

/// [`Placement::of_layout`], compiled once in this crate.
#[inline(never)]
fn placement_of_layout(layout: &DynLayout) -> Result<Placement, LayoutError> {
    Placement::of_layout(layout)
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
        slot: &'a mut Option<DynLayout>,
    ) -> Result<&'a DynLayout, LayoutError> {
        Ok(slot.insert(self.to_placement()?.to_layout()?))
    }

    fn to_placement(&self) -> Result<Placement, LayoutError> {
        Ok(self.0.placement())
    }
}

/// The memory that a copy reads: one slice, or one per core.
pub enum Memory<'a, T> {
    /// One slice with the buffers of all cores in order.
    Contiguous(&'a [T]),
    /// One slice per core.
    #[cfg(feature = "std")]
    PerCore(Vec<&'a [T]>),
}

/// The memory that a copy writes; see [`Memory`].
pub enum MemoryMut<'a, T> {
    /// One slice with the buffers of all cores in order.
    Contiguous(&'a mut [T]),
    /// One slice per core.
    #[cfg(feature = "std")]
    PerCore(Vec<&'a mut [T]>),
}

impl<'a, T> Memory<'a, T> {
    /// The memory of a layout or of a swizzled one, which is one slice.
    #[inline(always)]
    pub(crate) fn slice(self) -> &'a [T] {
        match self {
            Self::Contiguous(slice) => slice,
            #[cfg(feature = "std")]
            Self::PerCore(_) => unreachable!("only placements have a slice for each core"),
        }
    }
}

impl<'a, T> MemoryMut<'a, T> {
    /// The memory of a layout or of a swizzled one, which is one slice.
    #[inline(always)]
    pub(crate) fn slice(self) -> &'a mut [T] {
        match self {
            Self::Contiguous(slice) => slice,
            #[cfg(feature = "std")]
            Self::PerCore(_) => unreachable!("only placements have a slice for each core"),
        }
    }

    /// Number of slots of one slice, where `storage` is the number of slots per core. Unlimited
    /// (`usize::MAX`) if one slice has all buffers.
    pub(crate) fn buffer(&self, storage: usize) -> usize {
        if matches!(self, Self::Contiguous(_)) { usize::MAX } else { storage }
    }
}

pub(crate) mod sealed {
    use super::{LayoutRef, Memory, MemoryMut, Place};

    /// Seals [`Place`]: only this crate implements it.
    pub trait Sealed {}

    /// What a copy reads. Only this crate implements it. The memory of a layout is one slice that
    /// covers all of its offsets.
    pub trait Read<T, Kind> {
        /// The type that locates the elements.
        type Place: Place;
        fn read(&self) -> (LayoutRef<'_, Self::Place>, Memory<'_, T>);
    }

    /// What a copy writes, and the value for padding.
    pub trait Write<T, Kind> {
        /// The type that locates the elements.
        type Place: Place;
        fn write(&mut self) -> (LayoutRef<'_, Self::Place>, MemoryMut<'_, T>, Option<T>);
    }
}

impl<T, V: AsView<T> + ?Sized> sealed::Read<T, InLayout> for V {
    type Place = V::Layout;

    #[inline(always)]
    fn read(&self) -> (LayoutRef<'_, V::Layout>, Memory<'_, T>) {
        let (data, layout) = self.parts(Token);
        (layout, Memory::Contiguous(data))
    }
}

impl<T, V: AsViewMut<T> + ?Sized> sealed::Write<T, InLayout> for V {
    type Place = V::Layout;

    #[inline(always)]
    fn write(&mut self) -> (LayoutRef<'_, V::Layout>, MemoryMut<'_, T>, Option<T>) {
        let (data, layout) = self.parts_mut(Token);
        (layout, MemoryMut::Contiguous(data), None)
    }
}
