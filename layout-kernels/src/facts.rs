//! What must hold before memory is reached through a layout, as `const fn`s: the same checks run
//! in a `const` for a static layout and at run time for the others.

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;
use layout_core::types::AnyLayout;

/// The layout as a value; for a static one a constant.
#[inline(always)]
pub(crate) fn value<L: AnyLayout>(layout: &L) -> Result<DynLayout, LayoutError> {
    match L::STATIC {
        Some(layout) => Ok(layout),
        None => layout.to_dyn(),
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
        value(layout).and_then(|value| reaches(&value, elements))
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
    // The allocator rounds up to the alignment, 64 or that of the element.
    let padding = if element_bytes > 64 { element_bytes } else { 64 };
    match layout.cosize().checked_mul(element_bytes) {
        Some(bytes) if bytes <= isize::MAX as usize - padding => Ok(()),
        _ => {
            let (shape, stride) = (layout.shape(), layout.stride());
            Err(LayoutError::StorageTooLarge { element_bytes, shape, stride })
        }
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
