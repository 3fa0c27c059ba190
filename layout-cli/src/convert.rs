//! `layout convert`: a layout in another notation, or why it cannot be said in that.

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;
use layout_core::text::{ParseError, Value};

use crate::subject;

/// A notation to convert to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Notation {
    /// `(6,(4,2)):(4,(1,24))`
    Cute,
    /// `sizes [6, 8], strides [8, 1]`, as PyTorch and NumPy have them.
    Strides,
    /// What a Rust program writes.
    Rust,
}

impl Notation {
    /// All of them, by name.
    pub(crate) const ALL: [(&'static str, Self); 3] =
        [("cute", Self::Cute), ("strides", Self::Strides), ("rust", Self::Rust)];

    /// The one of that name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(n, _)| *n == name).map(|(_, notation)| notation)
    }
}

/// The text in another notation.
///
/// # Errors
///
/// Everything that is wrong with the text, and why the layout has no such form.
pub(crate) fn convert(text: &str, to: Notation) -> Result<String, ParseError> {
    let value = subject::read(text)?;
    let converted = match to {
        Notation::Cute => cute(&value).map(|layout| layout.to_string()),
        Notation::Strides => cute(&value).and_then(|layout| strides(&layout)),
        Notation::Rust => cute(&value).map(|layout| format!("static_layout::layout!({layout})")),
    };
    subject::at(text, converted)
}

/// The CuTe layout that this is.
fn cute(value: &Value) -> Result<DynLayout, LayoutError> {
    value.layout()
}

/// One size and one stride for each dimension.
fn strides(layout: &DynLayout) -> Result<String, LayoutError> {
    let layout = layout.with_single_strides()?;
    Ok(format!("sizes {:?}, strides {:?}", layout.extents(), layout.strides()))
}
