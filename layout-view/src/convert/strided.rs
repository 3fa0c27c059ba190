//! Layouts in PyTorch, NumPy and MLIR spellings: a shape, one stride per dimension, and the offset
//! of the first element.

use std::fmt::Write as _;

use layout_core::devices::ElementType;
use layout_core::engine::{CoordinateLayout, DynLayout, Slicer, algebra};
use layout_core::error::{LayoutError, NotationError};
use layout_core::text::{OpenLayout, Value};

/// The extents and strides of an array, in elements. `None` is a dynamic value.
struct Strided {
    extents: Vec<Option<usize>>,
    strides: Vec<Option<isize>>,
    offset: Option<isize>,
}

impl Strided {
    /// The array form of a value.
    fn of(value: &Value) -> Result<Self, LayoutError> {
        match value {
            Value::Open(layout) => Self::open(layout),
            Value::At(at) => Ok(Self { offset: at.1.as_integer(), ..Self::signed(&at.0)? }),
            Value::Coordinates(layout) => Self::signed(layout),
            _ => Self::plain(&super::layout(value)?),
        }
    }

    fn plain(layout: &DynLayout) -> Result<Self, LayoutError> {
        let layout = layout.with_single_strides()?;
        let extents = layout.extents().iter().copied().map(Some).collect();
        // Strides are at most isize::MAX.
        let strides = layout.strides().iter().map(|&stride| Some(stride as isize)).collect();
        Ok(Self { extents, strides, offset: Some(0) })
    }

    /// A layout whose strides may be negative.
    fn signed(layout: &CoordinateLayout) -> Result<Self, LayoutError> {
        if let Some(layout) = layout.as_layout() {
            return Self::plain(&layout);
        }
        let shape = layout.shape();
        let strides: Vec<_> = (0..layout.len()).map(|i| layout.stride_at(i).as_integer()).collect();
        if shape.depth() > 1 || strides.contains(&None) {
            let found = Value::from(*layout).describe();
            return Err(kind("one stride for each dimension", found));
        }
        let extents = shape.leaves().iter().copied().map(Some).collect();
        Ok(Self { extents, strides, offset: Some(0) })
    }

    fn open(layout: &OpenLayout) -> Result<Self, LayoutError> {
        let leaf = |leaf: &Slicer| (!leaf.is_keep()).then(|| leaf.values().leaves()[0]);
        let leaves = |tuple: Slicer| {
            if tuple.is_leaf() {
                return Ok(vec![leaf(&tuple)]);
            }
            let modes: Vec<_> = (0..tuple.rank()).map(|i| tuple.mode(i)).collect();
            match modes.iter().all(Slicer::is_leaf) {
                true => Ok(modes.iter().map(leaf).collect()),
                false => Err(kind("one stride for each dimension", "nested modes")),
            }
        };
        let strides = leaves(layout.stride())?.into_iter();
        Ok(Self {
            extents: leaves(layout.shape())?,
            strides: strides.map(|stride| stride.map(|stride| stride as isize)).collect(),
            offset: layout.offset().map(|offset| offset as isize),
        })
    }

    /// The numbers, if all of them are static.
    fn static_numbers(&self) -> Result<(Vec<usize>, Vec<isize>, isize), LayoutError> {
        let extents: Option<_> = self.extents.iter().copied().collect();
        let strides: Option<_> = self.strides.iter().copied().collect();
        match (extents, strides, self.offset) {
            (Some(extents), Some(strides), Some(offset)) => Ok((extents, strides, offset)),
            _ => Err(NotationError::RunTimeLeaf.into()),
        }
    }
}

fn kind(expected: &'static str, found: &'static str) -> LayoutError {
    NotationError::Kind { expected, found }.into()
}

/// `sizes [4, 8], strides [8, 1]`, the PyTorch and NumPy form.
pub(super) fn strides(value: &Value) -> Result<String, LayoutError> {
    let (sizes, strides, offset) = Strided::of(value)?.static_numbers()?;
    let mut text = format!("sizes {sizes:?}, strides {strides:?}");
    if offset != 0 {
        let _ = write!(text, ", storage_offset {offset}");
    }
    Ok(text)
}

/// `shape=(4, 8), strides=(32, 4), itemsize=4`
pub(super) fn numpy(value: &Value, element: ElementType) -> Result<String, LayoutError> {
    let (shape, strides, offset) = Strided::of(value)?.static_numbers()?;
    let bits = element.bits();
    if !bits.is_multiple_of(8) {
        return Err(kind("elements of whole bytes", "smaller elements"));
    }
    if offset != 0 {
        return Err(kind("a layout that starts at 0", value.describe()));
    }
    let bytes = bits / 8;
    let byte_strides: Option<Vec<_>> =
        strides.iter().map(|stride| stride.checked_mul(bytes.cast_signed())).collect();
    let Some(strides) = byte_strides else {
        return Err(LayoutError::IntegerOverflow { operation: "convert" });
    };
    let (shape, strides) = (python(&shape), python(&strides));
    Ok(format!("shape={shape}, strides={strides}, itemsize={bytes}"))
}

/// A Python tuple: a tuple of one element ends in a comma.
fn python<T: ToString>(numbers: &[T]) -> String {
    match numbers {
        [one] => format!("({},)", one.to_string()),
        _ => {
            let numbers: Vec<_> = numbers.iter().map(ToString::to_string).collect();
            format!("({})", numbers.join(", "))
        }
    }
}

/// `memref<4x8xf32, strided<[8, 1], offset: 4>>`, with an affine map if a dimension has several
/// strides.
pub(super) fn mlir(value: &Value, element: ElementType) -> Result<String, LayoutError> {
    let strided = match Strided::of(value) {
        Err(LayoutError::Algebra(layout_core::error::AlgebraError::NoSingleStride { .. })) => {
            return affine_memref(value, element);
        }
        strided => strided?,
    };
    let number = |number: Option<isize>| number.map_or("?".to_owned(), |n| n.to_string());
    let mut text = String::from("memref<");
    for extent in &strided.extents {
        let _ = write!(text, "{}x", extent.map_or("?".to_owned(), |n| n.to_string()));
    }
    let strides: Vec<_> = strided.strides.iter().copied().map(number).collect();
    let _ = write!(text, "{element}, strided<[{}]", strides.join(", "));
    let _ = match strided.offset {
        Some(0) => write!(text, ">>"),
        offset => write!(text, ", offset: {}>>", number(offset)),
    };
    Ok(text)
}

/// `memref<8x8xf32, affine_map<(d0, d1) -> (d0 mod 2 + d0 floordiv 2 * 16 + d1 * 2)>>`: the offset
/// as a sum over the digits of each dimension.
fn affine_memref(value: &Value, element: ElementType) -> Result<String, LayoutError> {
    let (layout, offset) = match value {
        Value::At(at) => (Value::from(at.0).layout()?, Value::from(at.1).integer()?),
        _ => (super::layout(value)?, 0),
    };
    let (mut sizes, mut names, mut terms) = (String::new(), Vec::new(), Vec::new());
    for i in 0..layout.rank() {
        let mode = layout.mode(i);
        let _ = write!(sizes, "{}x", mode.size());
        names.push(format!("d{i}"));
        // A mode without coordinates adds nothing; skipping it avoids a division by 0.
        if mode.size() == 0 {
            continue;
        }
        let mode = algebra::coalesce(&mode);
        let mut divisor = 1;
        for (k, (&extent, &stride)) in mode.extents().iter().zip(mode.strides()).enumerate() {
            let mut term = format!("d{i}");
            if divisor > 1 {
                let _ = write!(term, " floordiv {divisor}");
            }
            divisor *= extent;
            if k + 1 < mode.extents().len() {
                let _ = write!(term, " mod {extent}");
            }
            if stride > 1 {
                let _ = write!(term, " * {stride}");
            }
            if stride > 0 {
                terms.push(term);
            }
        }
    }
    if offset > 0 || terms.is_empty() {
        terms.push(offset.to_string());
    }
    let (names, terms) = (names.join(", "), terms.join(" + "));
    Ok(format!("memref<{sizes}{element}, affine_map<({names}) -> ({terms})>>"))
}
