//! The values of mixed results: evaluates the symbolic leaves and checks them against the engine.

use crate::engine::DynLayout;
use crate::error::{AlgebraError, LayoutError};
use crate::types::api::kind::{Kind, Known};
use crate::types::api::mixed::Mixed;
use crate::types::core::modes::{LeafWriter, ModeTree, checked};
use crate::types::core::symbolic::Variables;

/// A compile error if the modes `M` are not valid for a layout of the kind `K`.
pub(crate) const fn exists<K: Kind, M: ModeTree>() {
    let error = match K::KNOWN {
        Known::Everything => match checked::<M>() {
            Ok(_) => None,
            Err(error) => Some(error),
        },
        Known::Nesting => M::ERROR,
        Known::Nothing => None,
    };
    if let Some(error) = error {
        error.panic();
    }
}

/// The mixed layout with the modes `M`. `X` names their leaves in `variables`.
///
/// # Errors
///
/// If it differs from `by_value`, the engine's result, by more than a regrouping of modes: the types
/// promise a structure that these values do not have.
pub(crate) fn mixed<M: ModeTree, X: ModeTree>(
    operation: &'static str,
    variables: &Variables,
    by_value: &DynLayout,
    agree: impl FnOnce(&DynLayout, &DynLayout) -> bool,
) -> Result<Mixed<M::Shape, M::Stride>, LayoutError> {
    let profile = match const { &M::PROFILE } {
        Ok(profile) => profile,
        Err(error) => return Err(*error),
    };
    let mut layout = DynLayout::of_profile(profile);
    if let Some(()) = X::evaluate(variables, &mut LeafWriter::new(layout.leaves_mut(), 0))
        && let Ok(()) = layout.check()
        && agree(&layout, by_value)
        && let Ok(mixed) = Mixed::try_from(layout)
    {
        return Ok(mixed);
    }
    let (shape, stride) = (by_value.shape(), by_value.stride());
    Err(LayoutError::Algebra(AlgebraError::Structure { operation, shape, stride }))
}

/// Whether both layouts are the same function of the coordinates of every common mode.
///
/// Modes may be split further, and extents of 1 may be added or missing.
#[inline]
pub(crate) fn agree(a: &DynLayout, b: &DynLayout) -> bool {
    if a.size() != b.size() {
        return false;
    }
    let same_modes = a.rank() == b.rank() && !a.shape().is_int() && !b.shape().is_int();
    a.size() == 0
        || a.coalesce() == b.coalesce()
            && (!same_modes || (0..a.rank()).all(|i| agree(&a.mode(i), &b.mode(i))))
}
