//! Converts a layout to another notation, or explains why that notation cannot express it.

use layout_core::devices::ElementType;
use layout_core::devices::spyre::SpyreLayout;
use layout_core::devices::tenstorrent::MetalLayout;
use layout_core::engine::{DynLayout, MorelloLayout};
use layout_core::error::{LayoutError, NotationError};
use layout_core::text::{ParseError, Value};

use crate::{notation, subject};

mod foreign;
mod strided;

/// A notation to convert to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
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
    /// `shape=(6, 8), strides=(32, 4), itemsize=4`, as NumPy has them.
    Numpy,
    /// `Layout<Shape<_6,_8>, Stride<_8,_1>>`
    Cpp,
    /// `!cute.layout<"(6,8):(8,1)">`
    CuteIr,
    /// `memref<6x8xf32, strided<[8, 1]>>`
    Mlir,
    /// `#ttg.linear<{register = [[1], [2]], lane = [[4]]}>`
    Triton,
    /// The macro call of a Rust program.
    Rust,
}

impl Notation {
    /// All notations with their names.
    pub const ALL: [(&'static str, Self); 11] = [
        ("cute", Self::Cute),
        ("morello", Self::Morello),
        ("spyre", Self::Spyre),
        ("tenstorrent", Self::Tenstorrent),
        ("strides", Self::Strides),
        ("numpy", Self::Numpy),
        ("cpp", Self::Cpp),
        ("cute-ir", Self::CuteIr),
        ("mlir", Self::Mlir),
        ("triton", Self::Triton),
        ("rust", Self::Rust),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(_, notation)| *notation == self).map_or("", |(name, _)| name)
    }

    /// The notation with that name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(n, _)| *n == name).map(|(_, notation)| notation)
    }
}

/// Converts a text to another notation. `dtype` is the element type for notations that name one.
///
/// # Errors
///
/// All problems of the text, or the reason why the layout has no such form.
pub fn convert(
    text: &str,
    to: Notation,
    element: Option<ElementType>,
) -> Result<String, ParseError> {
    let value = notation::layout(text)?;
    subject::at(text, say(&value, to, element))
}

/// Converts a value to another notation. `dtype` is the element type for notations that name one.
///
/// # Errors
///
/// The reason why the value has no such form.
pub fn say(
    value: &Value,
    to: Notation,
    element: Option<ElementType>,
) -> Result<String, LayoutError> {
    let value = &match to {
        Notation::Triton => value.clone(),
        _ => value.to_cute()?,
    };
    Ok(match (to, value) {
        (Notation::Triton, _) => cute(value)?.linear()?.to_string(),
        (
            Notation::Cute,
            Value::Composed(_) | Value::Coordinates(_) | Value::Open(_) | Value::At(_),
        ) => value.to_string(),
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
            MetalLayout::of(&layout(value)?, element_or_f32(value, element))?.to_string()
        }
        (Notation::Strides, _) => strided::strides(value)?,
        (Notation::Numpy, _) => strided::numpy(value, element_or_f32(value, element))?,
        (Notation::Cpp, _) => foreign::cpp(&cute(value)?)?,
        (Notation::CuteIr, _) => foreign::cute_ir(&cute(value)?),
        (Notation::Mlir, _) => strided::mlir(value, element_or_f32(value, element))?,
        (Notation::Rust, Value::Open(layout)) if layout.offset() == Some(0) => {
            format!("static_layout::layout!({})", layout.to_rust())
        }
        (Notation::Rust, Value::Open(_) | Value::At(_)) => {
            let (expected, found) = ("a layout that starts at 0", value.describe());
            return Err(NotationError::Kind { expected, found }.into());
        }
        (Notation::Rust, _) => format!("static_layout::layout!({value})"),
    })
}

/// The forms CuTe has: a layout, swizzled or not, of offsets or of coordinates.
fn cute(value: &Value) -> Result<Value, LayoutError> {
    match value {
        Value::Composed(_) | Value::Coordinates(_) | Value::Open(_) | Value::Linear(_) => {
            Ok(value.clone())
        }
        _ => layout(value).map(Value::Layout),
    }
}

fn element_or_f32(value: &Value, element: Option<ElementType>) -> ElementType {
    element.or(element_of(value)).unwrap_or(ElementType::F32)
}

/// The element type, if the text names one.
pub fn element_of(value: &Value) -> Option<ElementType> {
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

/// The Spyre layout. Without an element type, chooses one whose innermost contiguous run is one
/// stick; otherwise elements have 16 bits.
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
