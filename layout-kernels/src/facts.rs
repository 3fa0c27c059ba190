//! What must hold before memory is reached through a layout, as `const fn`s: the same checks run
//! in a `const` for a static layout and at run time for the others.

use layout_core::devices::Placement;
use layout_core::engine::{ComposedLayout, DynLayout};
use layout_core::error::{LayoutError, PlacementError};
use layout_core::types::AnyLayout;

#[cfg(feature = "std")]
use crate::buffer::ALIGN;
use crate::place::Place;

/// The layout as a value; for a static one a constant.
#[inline(always)]
pub(crate) fn value<L: AnyLayout>(layout: &L) -> Result<DynLayout, LayoutError> {
    match L::STATIC {
        Some(layout) => Ok(layout),
        None => layout.to_dyn(),
    }
}

/// The layout as a value. It is not copied: where there is no value yet, it is made in `place`.
#[inline(always)]
pub(crate) fn value_in<'a, L: AnyLayout>(
    layout: &'a L,
    place: &'a mut Option<DynLayout>,
) -> Result<&'a DynLayout, LayoutError> {
    match (const { &L::STATIC }, layout.as_dyn()) {
        (Some(layout), _) | (None, Some(layout)) => Ok(layout),
        (None, None) => Ok(place.insert(layout.to_dyn()?)),
    }
}

/// Whether `elements` are enough for every coordinate of `layout`.
pub(crate) const fn reaches(layout: &DynLayout, elements: usize) -> Result<(), LayoutError> {
    if layout.cosize() <= elements {
        Ok(())
    } else {
        let (shape, stride) = (layout.shape(), layout.stride());
        Err(LayoutError::SliceTooShort { elements, shape, stride })
    }
}

/// Whether `elements` are enough for every coordinate of a layout behind a swizzle.
pub(crate) const fn reaches_swizzled(
    composed: &ComposedLayout,
    elements: usize,
) -> Result<(), LayoutError> {
    if composed.cosize_bound() <= elements {
        return Ok(());
    }
    let (swizzle, offset, layout) = (composed.swizzle(), composed.offset(), composed.layout());
    let (shape, stride) = (layout.shape(), layout.stride());
    Err(LayoutError::SwizzledSliceTooShort { elements, swizzle, offset, shape, stride })
}

/// The layout of a place with the swizzle in front of it, if `elements` are enough for it: a
/// constant, or made in `room`.
#[inline(always)]
pub(crate) fn composed_in<'a, P: Place>(
    place: &P,
    room: &'a mut Option<ComposedLayout>,
    elements: usize,
) -> Result<&'a ComposedLayout, LayoutError> {
    let enough = const {
        match &P::COMPOSED {
            Some(composed) => composed.cosize_bound(),
            None => usize::MAX,
        }
    };
    let composed = match const { &P::COMPOSED } {
        Some(composed) if enough <= elements => return Ok(composed),
        Some(composed) => composed,
        None => room.insert(place.to_composed()?),
    };
    reaches_swizzled(composed, elements).map(|()| composed)
}

/// Whether `elements` are enough for every coordinate of `layout`: one comparison with a constant
/// when it is static.
#[inline(always)]
pub(crate) fn holds<L: AnyLayout>(layout: &L, elements: usize) -> Result<(), LayoutError> {
    let enough = const {
        match &L::STATIC {
            Some(layout) => layout.cosize(),
            None => usize::MAX,
        }
    };
    if enough <= elements {
        Ok(())
    } else {
        value_in(layout, &mut None).and_then(|value| reaches(value, elements))
    }
}

/// Whether `layout` is a matrix; `operand` is what the error calls it.
pub(crate) const fn matrix(operand: &'static str, layout: &DynLayout) -> Result<(), LayoutError> {
    match layout.rank() {
        2 => Ok(()),
        _ => Err(LayoutError::MatrixRank { operand, shape: layout.shape() }),
    }
}

/// Whether elements can be written through `layout`: each coordinate has a place of its own.
pub(crate) const fn writable(layout: &DynLayout) -> Result<(), LayoutError> {
    match layout.is_injective() {
        Ok(true) => Ok(()),
        Ok(false) => {
            Err(LayoutError::NotInjective { shape: layout.shape(), stride: layout.stride() })
        }
        Err(error) => Err(error),
    }
}

/// Whether storage for `layout` can be written and allocated.
#[cfg(feature = "std")]
pub(crate) const fn storable(layout: &DynLayout, element_bytes: usize) -> Result<(), LayoutError> {
    if let Err(error) = writable(layout) {
        return Err(error);
    }
    if allocatable(layout.cosize(), element_bytes) {
        return Ok(());
    }
    let (shape, stride) = (layout.shape(), layout.stride());
    Err(LayoutError::StorageTooLarge { element_bytes, shape, stride })
}

/// Whether storage for a layout behind a swizzle can be written and allocated. A swizzle is a
/// permutation, so that the layout inside says whether coordinates share an offset.
#[cfg(feature = "std")]
pub(crate) const fn storable_swizzled(
    composed: &ComposedLayout,
    element_bytes: usize,
) -> Result<(), LayoutError> {
    let layout = composed.layout();
    if let Err(error) = writable(&layout) {
        return Err(error);
    }
    if allocatable(composed.cosize_bound(), element_bytes) {
        return Ok(());
    }
    let (shape, stride) = (layout.shape(), layout.stride());
    Err(LayoutError::StorageTooLarge { element_bytes, shape, stride })
}

/// Whether `elements` are enough for the buffers of all cores.
pub(crate) const fn room(placement: &Placement, elements: usize) -> Result<(), LayoutError> {
    if placement.slots() <= elements {
        return Ok(());
    }
    let (storage, cores) = (placement.storage(), placement.cores());
    Err(LayoutError::Placement(PlacementError::Buffers { room: elements, storage, cores }))
}

/// Whether slices of these lengths are enough for the buffer of each core.
#[cfg(feature = "std")]
pub(crate) fn room_of_each(
    placement: &Placement,
    lengths: impl Iterator<Item = usize>,
) -> Result<(), LayoutError> {
    let enough = lengths.take_while(|&length| length >= placement.storage()).count();
    // Slices in memory have fewer than 2^63 elements together, unless these have no size.
    room(placement, enough.min(placement.cores()) * placement.storage())
}

/// Whether elements can be written through `placement`: each has a slot of its own.
pub(crate) const fn writable_slots(placement: &Placement) -> Result<(), LayoutError> {
    match placement.is_injective() {
        Ok(true) => Ok(()),
        Ok(false) => {
            let elements = placement.elements();
            Err(LayoutError::Placement(PlacementError::SharedSlot { elements }))
        }
        Err(error) => Err(error),
    }
}

/// Whether buffers for `placement` can be written and allocated.
#[cfg(feature = "std")]
pub(crate) const fn storable_slots(
    placement: &Placement,
    element_bytes: usize,
) -> Result<(), LayoutError> {
    if let Err(error) = writable_slots(placement) {
        return Err(error);
    }
    match allocatable(placement.slots(), element_bytes) {
        true => Ok(()),
        false => Err(too_many_bytes(placement, element_bytes)),
    }
}

/// The error for buffers that cannot be allocated.
#[cfg(feature = "std")]
pub(crate) const fn too_many_bytes(placement: &Placement, element_bytes: usize) -> LayoutError {
    let (storage, cores) = (placement.storage(), placement.cores());
    LayoutError::Placement(PlacementError::TooManyBytes { element_bytes, storage, cores })
}

/// Whether so many elements fit an allocation, as far as their number tells.
#[cfg(feature = "std")]
const fn allocatable(elements: usize, element_bytes: usize) -> bool {
    // The allocator rounds up to the alignment, 128 or that of the element.
    let padding = if element_bytes > ALIGN { element_bytes } else { ALIGN };
    match elements.checked_mul(element_bytes) {
        Some(bytes) => bytes <= isize::MAX as usize - padding,
        None => false,
    }
}

/// A check in a `const`: an error becomes a compile error with the error's text.
///
/// Each public function has its own `const` block with this: then the compiler shows the line
/// that called it.
#[track_caller]
pub(crate) const fn must<T>(result: &Result<T, LayoutError>) {
    if let Err(error) = result {
        error.panic();
    }
}
