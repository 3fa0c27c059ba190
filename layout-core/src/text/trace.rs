//! Which operations an expression applies, and to what.

use alloc::vec::Vec;
use core::ops::Range;

use crate::error::LayoutError;
use crate::text::operations::Operation;
use crate::text::value::Value;
use crate::text::{ParseError, Problems, tree, whole_value};

/// An operation that an expression applies.
#[derive(Clone, Debug)]
pub struct Application<S = Range<usize>> {
    /// The operation.
    pub operation: &'static Operation,
    /// Its place in the text.
    pub place: S,
    /// What it is applied to.
    pub arguments: Vec<Value>,
    /// What it gives, or why it does not apply.
    pub result: Result<Value, LayoutError>,
}

/// What a text stands for, as [`eval`](super::eval), and the operations on the way, inside out.
///
/// ```
/// use static_layout::text::trace;
/// let (applied, value) = trace("size(coalesce((2,4):(1,2)))");
/// let names: Vec<_> = applied.iter().map(|one| one.operation.name).collect();
/// assert_eq!(names, ["coalesce", "size"]);
/// assert_eq!(applied[0].result.as_ref().unwrap().to_string(), "8:1");
/// assert_eq!(value.unwrap().to_string(), "8");
/// ```
///
/// # Errors
///
/// Those of `eval`, with the operations that were applied before, and the one that failed.
pub fn trace(text: &str) -> (Vec<Application>, Result<Value, ParseError>) {
    let mut problems = Problems::traced();
    let value = tree(text, &mut problems)
        .and_then(|expr| whole_value(&expr, &mut problems))
        .filter(|_| problems.is_empty());
    let applied = problems.take_trace();
    (applied, value.ok_or_else(|| problems.into()))
}
