//! Memory seen through a swizzled layout: `SwizzledTensor`, `SwizzledView` and `SwizzledViewMut`.
//! Copies read and write them.
//!
//! Matrix products take strided operands only: [`copy`](crate::copy()) to a strided tensor first, as
//! packing would.

use layout_core::devices::Placement;
use layout_core::engine::{ComposedLayout, DynLayout};
use layout_core::error::LayoutError;
use layout_core::types::AnySwizzled;

use crate::place::{Place, sealed};

#[cfg(feature = "std")]
mod tensor;
mod view;

#[cfg(feature = "std")]
pub use tensor::SwizzledTensor;
pub use view::{SwizzledView, SwizzledViewMut};

/// A swizzled layout as a [`Place`].
#[derive(Clone, Copy)]
pub struct Behind<C>(pub(crate) C);

impl<C: AnySwizzled> Behind<C> {
    fn error(&self) -> LayoutError {
        let composed = self.0.to_composed();
        let (swizzle, layout) = (composed.swizzle(), composed.layout());
        let (shape, stride) = (layout.shape(), layout.stride());
        LayoutError::SwizzledPlace { swizzle, shape, stride }
    }
}

impl<C> sealed::Sealed for Behind<C> {}

impl<C: AnySwizzled> Place for Behind<C> {
    type Fallibility = C::Fallibility;
    const IS_LAYOUT: bool = false;
    const IS_SWIZZLED: bool = true;
    const LAYOUT: Option<DynLayout> = match &C::STATIC {
        Some(composed) => Some(composed.layout()),
        None => None,
    };
    const COMPOSED: Option<ComposedLayout> = C::STATIC;
    const PLACEMENT: Option<Result<Placement, LayoutError>> = None;

    fn layout_in<'a>(&'a self, _: &'a mut Option<DynLayout>) -> Result<&'a DynLayout, LayoutError> {
        Err(self.error())
    }

    fn to_placement(&self) -> Result<Placement, LayoutError> {
        Err(self.error())
    }

    fn to_composed(&self) -> Result<ComposedLayout, LayoutError> {
        Ok(self.0.to_composed())
    }
}
