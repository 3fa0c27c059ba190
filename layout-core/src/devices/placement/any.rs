//! `AnyPlacement`: types and values that have a placement.

use crate::devices::{Fill, Placement};
use crate::error::LayoutError;
use crate::fallibility::{AtRunTime, Fallibility};

/// A type or a value that determines where the elements of a tensor are: a [`Placement`], a Spyre
/// layout or a metal layout.
///
/// Every call returns the same placement.
#[diagnostic::on_unimplemented(
    message = "a placement is needed here",
    label = "not a placement, a Spyre layout or a metal layout"
)]
pub trait AnyPlacement {
    /// The placement, if the type determines every number.
    const STATIC: Option<Placement> = None;

    /// Whether errors are possible at run time: [`AtCompileTime`](crate::types::AtCompileTime)
    /// exactly if [`STATIC`](Self::STATIC) is given. Then a copy between static ends returns no
    /// `Result`.
    type Fallibility: Fallibility;

    /// The placement.
    fn placement(&self) -> Placement;

    /// The [slot number](Placement::slot_number) of one element.
    ///
    /// # Errors
    ///
    /// A coordinate of another rank, or outside the shape.
    // A placement takes some KiB. Implementors should look up one element without copying it.
    fn slot_number(&self, coordinate: &[usize]) -> Result<usize, LayoutError> {
        self.placement().slot_number(coordinate)
    }

    /// The value of padding that the notation gives.
    fn fill(&self) -> Fill {
        Fill::Undef
    }
}

impl AnyPlacement for Placement {
    type Fallibility = AtRunTime;

    fn placement(&self) -> Placement {
        *self
    }

    #[inline]
    fn slot_number(&self, coordinate: &[usize]) -> Result<usize, LayoutError> {
        Self::slot_number(self, coordinate)
    }
}
