//! `AnyPlacement`: what has a placement, as a type or as a value.

use crate::devices::{Fill, Placement};
use crate::error::LayoutError;
use crate::fallibility::{AtRunTime, Fallibility};

/// Says where the elements of a tensor are: a [`Placement`], a Spyre layout, a metal layout, as a
/// type or as a value.
///
/// It gives the same answer each time.
#[diagnostic::on_unimplemented(
    message = "a placement is needed here",
    label = "not a placement, a Spyre layout or a metal layout"
)]
pub trait AnyPlacement {
    /// The placement, when the type fixes every number.
    const STATIC: Option<Placement> = None;

    /// What can still go wrong with this placement when the program runs: nothing
    /// ([`AtCompileTime`](crate::types::AtCompileTime)) exactly where [`STATIC`](Self::STATIC) has
    /// it, so that a copy between static ends returns no `Result`.
    type Fallibility: Fallibility;

    /// Where the elements are.
    fn placement(&self) -> Placement;

    /// The [number of the slot](Placement::slot_number) of one element.
    ///
    /// # Errors
    ///
    /// A coordinate of another rank, or outside the shape.
    // A placement takes some KiB: implementors look up one element without a copy of it.
    fn slot_number(&self, coordinate: &[usize]) -> Result<usize, LayoutError> {
        self.placement().slot_number(coordinate)
    }

    /// The value of padding in the notation.
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
