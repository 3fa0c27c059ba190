//! `layout convert`: a layout in another notation, or why it cannot be said in that.

use layout_core::devices::ElementType;
use layout_core::devices::spyre::SpyreLayout;
use layout_core::devices::tenstorrent::MetalLayout;
use layout_core::engine::{DynLayout, MorelloLayout};
use layout_core::error::LayoutError;
use layout_core::text::{ParseError, Value};

use crate::subject;

/// A notation to convert to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Notation {
    /// `(6,(4,2)):(4,(1,24))`
    Cute,
    /// `[1, 0, 1 p(4)] for (6, 8)`
    Morello,
    /// `spyre { size: [512], dtype: f16, device_size: [8, 64], dim_map: [0, 0] }`
    Spyre,
    /// `tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>, ..>>`
    Tenstorrent,
    /// `sizes [6, 8], strides [8, 1]`, as PyTorch and NumPy have them.
    Strides,
    /// What a Rust program writes.
    Rust,
}

impl Notation {
    /// All of them, by name.
    pub(crate) const ALL: [(&'static str, Self); 6] = [
        ("cute", Self::Cute),
        ("morello", Self::Morello),
        ("spyre", Self::Spyre),
        ("tenstorrent", Self::Tenstorrent),
        ("strides", Self::Strides),
        ("rust", Self::Rust),
    ];

    /// The one of that name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(n, _)| *n == name).map(|(_, notation)| notation)
    }
}

/// The text in another notation, with elements of this type where it names one.
///
/// # Errors
///
/// Everything that is wrong with the text, and why the layout has no such form.
pub(crate) fn convert(
    text: &str,
    to: Notation,
    element: Option<ElementType>,
) -> Result<String, ParseError> {
    let value = subject::read(text)?;
    subject::at(text, say(&value, to, element))
}

fn say(value: &Value, to: Notation, element: Option<ElementType>) -> Result<String, LayoutError> {
    Ok(match (to, value) {
        (Notation::Cute, _) => layout(value)?.to_string(),
        (Notation::Morello, Value::Composed(composed)) => {
            morello(&MorelloLayout::of_composed(composed)?, &composed.layout())
        }
        (Notation::Morello, _) => {
            let layout = layout(value)?;
            morello(&MorelloLayout::of(&layout)?, &layout)
        }
        (Notation::Spyre, Value::Spyre(layout)) if element.is_none() => layout.to_string(),
        (Notation::Spyre, Value::CurrentSpyre(layout)) if element.is_none() => layout.to_string(),
        (Notation::Spyre, _) => spyre(&layout(value)?, element.or(element_of(value)))?.to_string(),
        (Notation::Tenstorrent, Value::Tenstorrent(tensor)) if element.is_none() => {
            tensor.layout().to_string()
        }
        (Notation::Tenstorrent, _) => {
            let element = element.or(element_of(value)).unwrap_or(ElementType::F32);
            MetalLayout::of(&layout(value)?, element)?.to_string()
        }
        (Notation::Strides, _) => strides(&layout(value)?)?,
        (Notation::Rust, _) => format!("static_layout::layout!({value})"),
    })
}

/// The type of the elements where the text names one.
fn element_of(value: &Value) -> Option<ElementType> {
    match value {
        Value::Spyre(layout) => Some(layout.element()),
        Value::CurrentSpyre(layout) => Some(layout.element()),
        Value::Tenstorrent(tensor) => Some(tensor.layout().stored()),
        _ => None,
    }
}

/// The CuTe layout with the same offsets.
fn layout(value: &Value) -> Result<DynLayout, LayoutError> {
    match value {
        Value::Spyre(layout) => layout.placement().to_layout(),
        Value::CurrentSpyre(layout) => layout.try_placement()?.to_layout(),
        Value::Tenstorrent(tensor) => tensor.layout().placement().to_layout(),
        _ => value.layout(),
    }
}

/// A list with the sizes of the modes of a layout.
fn morello(list: &MorelloLayout, layout: &DynLayout) -> String {
    let sizes: Vec<_> = (0..layout.rank()).map(|i| layout.mode(i).size().to_string()).collect();
    format!("{list} for ({})", sizes.join(", "))
}

/// The Spyre layout. Without an element type, one is chosen so that the innermost run is one stick;
/// otherwise elements have 16 bits.
fn spyre(layout: &DynLayout, element: Option<ElementType>) -> Result<SpyreLayout, LayoutError> {
    let run = layout.strides().iter().position(|&stride| stride == 1);
    let element = element.unwrap_or(match run.map(|leaf| layout.extents()[leaf]) {
        Some(16) => ElementType::F64,
        Some(32) => ElementType::F32,
        Some(128) => ElementType::I8,
        Some(256) => ElementType::I4,
        _ => ElementType::F16,
    });
    SpyreLayout::of(layout, element)
}

/// One size and one stride for each dimension.
fn strides(layout: &DynLayout) -> Result<String, LayoutError> {
    let layout = layout.with_single_strides()?;
    Ok(format!("sizes {:?}, strides {:?}", layout.extents(), layout.strides()))
}
