//! Checks that must pass before memory is accessed through a layout. They are `const fn`s: a static
//! layout is checked in a `const`, other layouts at run time by the same code.

use layout_core::devices::Placement;
use layout_core::engine::{ComposedLayout, DynLayout};
use layout_core::error::{LayoutError, PlacementError};
use layout_core::types::AnyLayout;

#[cfg(feature = "std")]
use crate::buffer::ALIGN;
use crate::place::Place;

/// The layout as a `DynLayout`; a constant for a static layout.
#[inline(always)]
pub(crate) fn value<L: AnyLayout>(layout: &L) -> Result<DynLayout, LayoutError> {
    match L::STATIC {
        Some(layout) => Ok(layout),
        None => layout.to_dyn(),
    }
}

/// Checks that `elements` elements cover every offset of `layout`.
pub(crate) const fn check_covers(layout: &DynLayout, elements: usize) -> Result<(), LayoutError> {
    if layout.cosize() <= elements {
        Ok(())
    } else {
        let (shape, stride) = (layout.shape(), layout.stride());
        Err(LayoutError::SliceTooShort { elements, shape, stride })
    }
}

/// Checks that `elements` elements cover every offset of a swizzled layout.
pub(crate) const fn check_covers_swizzled(
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

/// The swizzled layout of a place, after checking that `elements` elements cover it. Returns a
/// constant, or a value built in `slot`.
#[inline(always)]
pub(crate) fn composed_in<'a, P: Place>(
    place: &P,
    slot: &'a mut Option<ComposedLayout>,
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
        None => slot.insert(place.to_composed()?),
    };
    check_covers_swizzled(composed, elements).map(|()| composed)
}

/// Checks that `elements` elements cover every offset of `layout`. For a static layout this is one
/// comparison with a constant.
#[inline(always)]
pub(crate) fn check_covers_layout<L: AnyLayout>(
    layout: &L,
    elements: usize,
) -> Result<(), LayoutError> {
    let cosize = const {
        match &L::STATIC {
            Some(layout) => Some(layout.cosize()),
            None => None,
        }
    };
    match cosize {
        Some(cosize) if cosize <= elements => Ok(()),
        _ => layout.to_dyn_in(&mut None).and_then(|value| check_covers(value, elements)),
    }
}

/// Checks that `layout` is a matrix. `operand` is its name in the error.
pub(crate) const fn check_matrix(
    operand: &'static str,
    layout: &DynLayout,
) -> Result<(), LayoutError> {
    match layout.rank() {
        2 => Ok(()),
        _ => Err(LayoutError::MatrixRank { operand, shape: layout.shape() }),
    }
}

/// Checks that elements can be written through `layout`: it must be injective.
pub(crate) const fn check_injective(layout: &DynLayout) -> Result<(), LayoutError> {
    match layout.is_injective() {
        Ok(true) => Ok(()),
        Ok(false) => Err(not_injective(layout)),
        Err(error) => Err(error),
    }
}

/// The error for a layout that repeats elements.
pub(crate) const fn not_injective(layout: &DynLayout) -> LayoutError {
    LayoutError::NotInjective { shape: layout.shape(), stride: layout.stride() }
}

/// Checks that elements can be written through `layout`, and that storage of so many can be allocated.
/// A swizzle is a permutation: of a swizzled layout only the inner one has to be injective.
#[cfg(feature = "std")]
pub(crate) const fn check_allocatable(
    layout: &DynLayout,
    elements: usize,
    element_bytes: usize,
) -> Result<(), LayoutError> {
    attempt!(check_injective(layout));
    if allocatable(elements, element_bytes) {
        return Ok(());
    }
    let (shape, stride) = (layout.shape(), layout.stride());
    Err(LayoutError::StorageTooLarge { element_bytes, shape, stride })
}

/// Checks that `elements` elements are enough for the buffers of all cores.
pub(crate) const fn check_buffers(
    placement: &Placement,
    elements: usize,
) -> Result<(), LayoutError> {
    if placement.slots() <= elements {
        return Ok(());
    }
    let (storage, cores) = (placement.storage(), placement.cores());
    Err(LayoutError::Placement(PlacementError::Buffers { room: elements, storage, cores }))
}

/// Checks that slices of these lengths are enough for the buffer of each core.
#[cfg(feature = "std")]
pub(crate) fn check_core_buffers(
    placement: &Placement,
    lengths: impl Iterator<Item = usize>,
) -> Result<(), LayoutError> {
    let enough = lengths.take_while(|&length| length >= placement.storage()).count();
    // No overflow: slices in memory have fewer than 2^63 elements in total, except zero-sized ones.
    check_buffers(placement, enough.min(placement.cores()) * placement.storage())
}

/// Checks that elements can be written through `placement`: no two elements share a slot.
pub(crate) const fn check_injective_placement(placement: &Placement) -> Result<(), LayoutError> {
    match placement.is_injective() {
        Ok(true) => Ok(()),
        Ok(false) => {
            let elements = placement.elements();
            Err(LayoutError::Placement(PlacementError::SharedSlot { elements }))
        }
        Err(error) => Err(error),
    }
}

/// Checks that `placement` is injective and that its buffers can be allocated.
#[cfg(feature = "std")]
pub(crate) const fn check_allocatable_placement(
    placement: &Placement,
    element_bytes: usize,
) -> Result<(), LayoutError> {
    attempt!(check_injective_placement(placement));
    match allocatable(placement.slots(), element_bytes) {
        true => Ok(()),
        false => Err(too_many_bytes(placement, element_bytes)),
    }
}

/// Checks that a number counts the bytes of `placement`.
pub(crate) const fn check_bytes(
    placement: &Placement,
    element_bytes: usize,
) -> Result<(), LayoutError> {
    match placement.slots().checked_mul(element_bytes) {
        Some(bytes) if bytes <= isize::MAX as usize => Ok(()),
        _ => Err(too_many_bytes(placement, element_bytes)),
    }
}

/// The error for buffers that cannot be allocated.
const fn too_many_bytes(placement: &Placement, element_bytes: usize) -> LayoutError {
    let (storage, cores) = (placement.storage(), placement.cores());
    LayoutError::Placement(PlacementError::TooManyBytes { element_bytes, storage, cores })
}

/// Whether an allocation can hold this many elements (an overflow check; memory may still run out).
#[cfg(feature = "std")]
const fn allocatable(elements: usize, element_bytes: usize) -> bool {
    // The allocator rounds up to the alignment: 128, or that of the element if it is larger.
    let padding = if element_bytes > ALIGN { element_bytes } else { ALIGN };
    match elements.checked_mul(element_bytes) {
        Some(bytes) => bytes <= isize::MAX as usize - padding,
        None => false,
    }
}

/// Checks a result in a `const`: an error becomes a compile error with the text of the error.
///
/// Each public function calls this in a `const` block of its own, so that the compiler points at the
/// call that failed.
#[track_caller]
pub(crate) const fn const_unwrap<T>(result: &Result<T, LayoutError>) {
    if let Err(error) = result {
        error.panic();
    }
}
