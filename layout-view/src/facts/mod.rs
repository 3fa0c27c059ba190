//! Facts about a layout: names and values, as text or as JSON.

use layout_core::devices::Placement;
use layout_core::engine::{
    ComposedLayout, CoordinateLayout, DynLayout, IndexExpression, IntTuple, LinearDimension,
    LinearLayout, MorelloLayout, SignedTuple, algebra,
};
use layout_core::error::LayoutError;
use layout_core::text::Value;
use serde_json::{Map, Value as Json, json};

use crate::SCHEMA;
use crate::mlir::{MlirEncoding, MlirTensor};

pub mod reshard;
pub mod spyre;
pub mod tenstorrent;

/// Names and values in display order: about one layout, or about the redistribution from one to
/// another.
pub struct Facts(Map<String, Json>);

impl Facts {
    /// The facts about a text.
    ///
    /// # Errors
    ///
    /// If a value is not a layout, or a dynamic extent does not fit.
    pub fn of(value: &Value) -> Result<Self, LayoutError> {
        let facts = Self(Map::new()).with("text", value.to_string());
        match value {
            Value::Composed(composed) => Ok(facts.swizzled(composed)),
            Value::Coordinates(layout) => Ok(facts.coordinates(layout)),
            Value::Linear(layout) => Ok(facts.linear(layout)),
            Value::Morello(list) => Ok(facts.without_shape(list)),
            Value::Spyre(layout) => Ok(facts.spyre(layout)),
            Value::CurrentSpyre(layout) => Ok(facts.current_spyre(layout)),
            Value::Tenstorrent(tensor) => facts.tenstorrent(tensor),
            _ => facts.layout(&value.layout()?),
        }
    }

    /// The facts about a type in a file: its position first.
    pub fn of_mlir(tensor: &MlirTensor, rest: Option<Self>) -> Self {
        let mut facts = Self(Map::new())
            .with("lines", json!(tensor.lines))
            .with("uses", tensor.uses)
            .with("text", tensor.text.clone());
        match rest {
            Some(rest) => facts.0.extend(rest.0),
            None => {
                facts = facts.with(
                    "kind",
                    match tensor.encoding {
                        Ok(MlirEncoding::None) => "tensor",
                        Ok(_) => "tensor with another attribute",
                        Err(_) => "inconsistent",
                    },
                );
            }
        }
        facts
    }

    /// Marks the facts as inconsistent and adds the problems.
    pub fn with_errors(self, errors: Vec<Json>) -> Self {
        self.with("kind", "inconsistent").with("errors", errors)
    }

    fn with(mut self, name: &str, value: impl Into<Json>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    fn layout(self, layout: &DynLayout) -> Result<Self, LayoutError> {
        let (size, cosize) = (layout.size(), layout.cosize());
        let injective = layout.is_injective();
        let facts = self
            .with("kind", "layout")
            .with("shape", tuple(&layout.shape()))
            .with("stride", tuple(&layout.stride()))
            .with("rank", layout.rank())
            .with("depth", layout.depth())
            .with("size", size)
            .with("cosize", cosize)
            .with("injective", injective.ok())
            .with("contiguous", layout.is_contiguous());
        // Without overlaps, unused offsets are gaps.
        let gaps = if injective == Ok(true) { json!(cosize - size) } else { Json::Null };
        Ok(facts
            .with("gaps", gaps)
            .with("coalesced", algebra::coalesce(layout).to_string())
            .with("expression", IndexExpression::of(layout).to_string())
            .with("morello", MorelloLayout::of(layout).ok().map(|list| list.to_string())))
    }

    /// Adds the layout that uses the same slots; null if no layout does.
    fn layout_of(self, placement: &Placement) -> Self {
        self.with("cute", placement.to_layout().ok().map(|layout| layout.to_string()))
    }

    fn swizzled(self, composed: &ComposedLayout) -> Self {
        self.with("kind", "swizzled layout")
            .with("shape", tuple(&composed.shape()))
            .with("rank", composed.layout().rank())
            .with("depth", composed.layout().depth())
            .with("size", composed.size())
            .with("cosize", composed.cosize_bound())
            .with("swizzle", composed.swizzle().to_string())
            .with("offset", composed.offset())
            .with("layout", composed.layout().to_string())
    }

    fn coordinates(self, layout: &CoordinateLayout) -> Self {
        let kind =
            if layout.has_integers() { "layout of integers" } else { "layout of coordinates" };
        self.with("kind", kind)
            .with("shape", tuple(&layout.shape()))
            .with("rank", layout.rank())
            .with("depth", layout.depth())
            .with("size", layout.size())
    }

    fn linear(self, layout: &LinearLayout) -> Self {
        let names = |dimensions: &[LinearDimension]| {
            dimensions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        };
        let cute = Value::from(*layout).to_cute();
        self.with("kind", "linear layout")
            .with("shape", tuple(&layout.shape()))
            .with("indices", names(layout.inputs()))
            .with("values", names(layout.outputs()))
            .with("rank", layout.inputs().len())
            .with("size", layout.size())
            .with("cosize", layout.cosize())
            .with("matrix_rank", layout.image_bits())
            .with("injective", layout.is_injective())
            .with("surjective", layout.is_surjective())
            .with("cute", cute.ok().map(|layout| layout.to_string()))
    }

    fn without_shape(self, list: &MorelloLayout) -> Self {
        self.with("kind", "Morello layout without a shape")
            .with("physical_rank", list.dims().len())
            .with("row_major", list.is_row_major())
            .with("col_major", list.is_col_major())
    }

    /// One JSON object.
    pub fn to_json(&self) -> Json {
        let schema = ("schema".to_owned(), Json::from(SCHEMA));
        Json::Object(std::iter::once(schema).chain(self.0.clone()).collect())
    }

    /// One fact per line.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let width = self.0.keys().map(String::len).max().unwrap_or(0);
        let plain = self.0.iter().filter(|(_, value)| !is_table(value));
        plain.map(move |(name, value)| format!("{name:<width$}  {}", format_value(value)))
    }

    /// The facts that are lists of objects: a line with the name, and one line per object.
    pub fn tables(&self) -> impl Iterator<Item = String> {
        let tables = self.0.values().filter(|value| is_table(value));
        tables.flat_map(|value| table(value.as_array().map_or(&[], Vec::as_slice)))
    }
}

/// Whether this is a list of objects, which does not fit in one line.
fn is_table(value: &Json) -> bool {
    value.as_array().is_some_and(|items| items.first().is_some_and(Json::is_object))
}

/// Maximum number of rows of a table.
const MAX_TABLE_ROWS: usize = 64;

/// Objects with the same keys, as a table.
fn table(objects: &[Json]) -> Vec<String> {
    let objects = || objects.iter().filter_map(Json::as_object);
    let Some(first) = objects().next() else { return Vec::new() };
    let names = first.keys().cloned().collect::<Vec<_>>();
    let mut rows = vec![names];
    rows.extend(
        objects().take(MAX_TABLE_ROWS).map(|object| object.values().map(format_value).collect()),
    );
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<_> = (0..rows[0].len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines: Vec<_> = rows.iter().map(line).collect();
    if objects().count() > MAX_TABLE_ROWS {
        lines.push("...".to_owned());
    }
    lines
}

/// A value in readable form: text without quotes.
fn format_value(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Bool(value) => if *value { "yes" } else { "no" }.to_owned(),
        Json::Null => "none".to_owned(),
        Json::Array(items) => {
            format!("({})", items.iter().map(format_value).collect::<Vec<_>>().join(","))
        }
        other => other.to_string(),
    }
}

/// A tuple as nested lists; an integer as a number.
pub fn tuple(tuple: &IntTuple) -> Json {
    if tuple.is_int() {
        return json!(tuple.leaves()[0]);
    }
    (0..tuple.rank()).map(|i| self::tuple(&tuple.mode(i))).collect()
}

/// A tuple of signed integers as nested lists; an integer as a number.
pub fn signed(coordinate: &SignedTuple) -> Json {
    if let Some(integer) = coordinate.as_integer() {
        return json!(integer);
    }
    // The text of a tuple is a JSON list with parentheses instead of brackets.
    let text = coordinate.to_string().replace('(', "[").replace(')', "]");
    serde_json::from_str(&text).unwrap_or(Json::String(text))
}
