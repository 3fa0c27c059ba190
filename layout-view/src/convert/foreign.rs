//! Layouts in the words of CuTe, in C++ and in its IR, and of Triton.

use std::fmt::Write as _;

use layout_core::engine::{CoordinateLayout, SignedTuple};
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
        let (word, behind) = rest.split_at(end);
        rest = behind;
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

/// `_8`; a negative number has no short name.
fn constant(number: &str) -> String {
    if number.starts_with('-') { format!("C<{number}>") } else { format!("_{number}") }
}

/// `#ttg.linear<{register = [[0, 1]], lane = [[1, 0]], warp = [], block = []}>`: the bits of each
/// mode in turn, and where each goes.
pub(super) fn triton(value: &Value) -> Result<String, LayoutError> {
    const NAMES: [&str; 4] = ["register", "lane", "warp", "block"];
    let layout = match value {
        Value::Coordinates(layout) => **layout,
        _ => CoordinateLayout::from(value.layout()?),
    };
    let shape = layout.shape();
    let modes = if shape.is_int() { 1 } else { shape.rank() };
    if modes > NAMES.len() {
        let (expected, found) =
            ("modes for register, lane, warp and block", "more than four modes");
        return Err(NotationError::Kind { expected, found }.into());
    }
    // The index of the first element of each mode whose coordinate is a power of two.
    let (mut step, mut names) = (1, Vec::new());
    let mut bases = Vec::new();
    for (i, name) in NAMES.iter().enumerate().take(modes) {
        let mode = if shape.is_int() { shape } else { shape.mode(i) };
        if let Some(&extent) = mode.leaves().iter().find(|extent| !extent.is_power_of_two()) {
            return Err(NotationError::PowerOfTwo { extent }.into());
        }
        let mut of_mode = Vec::new();
        for bit in 0..mode.product()?.trailing_zeros() {
            of_mode.push(layout.coordinate_at_index((step << bit) as isize)?);
        }
        step *= mode.product()?;
        names.push(name);
        bases.push(of_mode);
    }
    let bases = bases
        .iter()
        .map(|bases| bases.iter().map(numbers).collect::<Result<Vec<_>, _>>())
        .collect::<Result<Vec<_>, _>>()?;
    let rank = bases.iter().flatten().map(Vec::len).max().unwrap_or(1);
    let mut used = vec![0; rank];
    let mut text = String::from("#ttg.linear<{");
    for (i, (name, bases)) in names.iter().zip(&bases).enumerate() {
        let _ = write!(text, "{}{name} = [", if i > 0 { ", " } else { "" });
        for (j, basis) in bases.iter().enumerate() {
            for (used, &bits) in used.iter_mut().zip(basis) {
                if *used & bits != 0 {
                    let bit = (*used & bits).trailing_zeros();
                    return Err(NotationError::SharedBit { bit }.into());
                }
                *used |= bits;
            }
            let _ = write!(text, "{}{basis:?}", if j > 0 { ", " } else { "" });
        }
        text.push(']');
    }
    text.push_str("}>");
    Ok(text)
}

/// The numbers of a coordinate, which are bits here.
fn numbers(coordinate: &SignedTuple) -> Result<Vec<usize>, LayoutError> {
    let bits = coordinate.values().iter().map(|&value| usize::try_from(value));
    bits.collect::<Result<_, _>>().map_err(|_| NotationError::Negative.into())
}
