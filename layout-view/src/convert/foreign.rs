//! Layouts in CuTe's C++ and IR spellings.

use std::fmt::Write as _;

use layout_core::error::{LayoutError, NotationError};
use layout_core::text::Value;

/// `!cute.layout<"(4,8):(8,1)">`
pub(super) fn cute_ir(value: &Value) -> String {
    match value {
        Value::Composed(composed) => {
            format!("!cute.composed_layout<\"{}\">", composed.to_string().replacen("Sw", "S", 1))
        }
        _ => format!("!cute.layout<\"{value}\">"),
    }
}

/// `Layout<Shape<_4,_8>, Stride<_8,_1>>`
pub(super) fn cpp(value: &Value) -> Result<String, LayoutError> {
    if let Value::Composed(composed) = value {
        let (swizzle, offset) = (composed.swizzle(), composed.offset());
        let (bits, base, shift) = (swizzle.bits(), swizzle.base(), swizzle.shift());
        let layout = cpp(&Value::Layout(composed.layout()))?;
        return Ok(format!("ComposedLayout<Swizzle<{bits},{base},{shift}>, _{offset}, {layout}>"));
    }
    let text = value.to_string();
    let (shape, stride) = text.split_once(':').unwrap_or((&text, "0"));
    if stride.contains(" @ ") {
        let (expected, found) = ("a layout that starts at 0", value.describe());
        return Err(NotationError::Kind { expected, found }.into());
    }
    Ok(format!("Layout<{}, {}>", cpp_tuple(shape, "Shape")?, cpp_tuple(stride, "Stride")?))
}

/// A tuple as a type: `_8` for 8, `int` for `?`, `ScaledBasis<_2, 0>` for `2@0`.
fn cpp_tuple(text: &str, name: &str) -> Result<String, LayoutError> {
    let mut types = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = rest.find(['(', ')', ',']).unwrap_or(rest.len()).max(1);
        let (word, after) = rest.split_at(end);
        rest = after;
        match c {
            '(' => write!(types, "{name}<"),
            ')' => write!(types, ">"),
            ',' => write!(types, ","),
            '?' => write!(types, "int"),
            _ => match word.split_once('@') {
                Some((_, modes)) if modes.contains(['+', '-']) => {
                    let (expected, found) = ("strides of one mode each", "a sum of several");
                    return Err(NotationError::Kind { expected, found }.into());
                }
                Some((number, modes)) => {
                    write!(types, "ScaledBasis<{},{}>", constant(number), modes.replace('@', ","))
                }
                None => write!(types, "{}", constant(word)),
            },
        }
        .unwrap_or_default();
    }
    Ok(types)
}

/// `_8`; a negative number has no short form.
fn constant(number: &str) -> String {
    if number.starts_with('-') { format!("C<{number}>") } else { format!("_{number}") }
}
