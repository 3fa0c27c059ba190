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
        let facts = Self(Map::new()).and("text", value.to_string());
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
            .and("lines", json!(tensor.lines))
            .and("uses", tensor.uses)
            .and("text", tensor.text.clone());
        match rest {
            Some(rest) => facts.0.extend(rest.0),
            None => {
                facts = facts.and(
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
        self.and("kind", "inconsistent").and("errors", errors)
    }

    fn and(mut self, name: &str, value: impl Into<Json>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    fn layout(self, layout: &DynLayout) -> Result<Self, LayoutError> {
        let (size, cosize) = (layout.size(), layout.cosize());
        let injective = layout.is_injective();
        let facts = self
            .and("kind", "layout")
            .and("shape", tuple(&layout.shape()))
            .and("stride", tuple(&layout.stride()))
            .and("rank", layout.rank())
            .and("depth", layout.depth())
            .and("size", size)
            .and("cosize", cosize)
            .and("injective", injective.ok())
            .and("contiguous", layout.is_contiguous());
        // Without overlaps, unused offsets are gaps.
        let gaps = if injective == Ok(true) { json!(cosize - size) } else { Json::Null };
        Ok(facts
            .and("gaps", gaps)
            .and("coalesced", algebra::coalesce(layout).to_string())
            .and("expression", IndexExpression::of(layout).to_string())
            .and("morello", MorelloLayout::of(layout).ok().map(|list| list.to_string())))
    }

    /// Adds the layout with the same slots, or null if there is none.
    fn layout_of(self, placement: &Placement) -> Self {
        self.and("cute", placement.to_layout().ok().map(|layout| layout.to_string()))
    }

    fn swizzled(self, composed: &ComposedLayout) -> Self {
        self.and("kind", "swizzled layout")
            .and("shape", tuple(&composed.shape()))
            .and("rank", composed.layout().rank())
            .and("depth", composed.layout().depth())
            .and("size", composed.size())
            .and("cosize", composed.cosize_bound())
            .and("swizzle", composed.swizzle().to_string())
            .and("offset", composed.offset())
            .and("layout", composed.layout().to_string())
    }

    fn coordinates(self, layout: &CoordinateLayout) -> Self {
        let kind =
            if layout.has_integers() { "layout of integers" } else { "layout of coordinates" };
        self.and("kind", kind)
            .and("shape", tuple(&layout.shape()))
            .and("rank", layout.rank())
            .and("depth", layout.depth())
            .and("size", layout.size())
    }

    fn linear(self, layout: &LinearLayout) -> Self {
        let names = |dimensions: &[LinearDimension]| {
            dimensions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        };
        let cute = Value::from(*layout).to_cute();
        self.and("kind", "linear layout")
            .and("shape", tuple(&layout.shape()))
            .and("indices", names(layout.inputs()))
            .and("values", names(layout.outputs()))
            .and("rank", layout.inputs().len())
            .and("size", layout.size())
            .and("cosize", layout.cosize())
            .and("matrix_rank", layout.image_bits())
            .and("injective", layout.is_injective())
            .and("surjective", layout.is_surjective())
            .and("cute", cute.ok().map(|layout| layout.to_string()))
    }

    fn without_shape(self, list: &MorelloLayout) -> Self {
        self.and("kind", "Morello layout without a shape")
            .and("physical_rank", list.dims().len())
            .and("row_major", list.is_row_major())
            .and("col_major", list.is_col_major())
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
        plain.map(move |(name, value)| format!("{name:<width$}  {}", written(value)))
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
const LINES: usize = 64;

/// Objects with the same keys, as a table.
fn table(objects: &[Json]) -> Vec<String> {
    let objects = || objects.iter().filter_map(Json::as_object);
    let Some(first) = objects().next() else { return Vec::new() };
    let names = first.keys().cloned().collect::<Vec<_>>();
    let mut rows = vec![names];
    rows.extend(objects().take(LINES).map(|object| object.values().map(written).collect()));
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<_> = (0..rows[0].len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines: Vec<_> = rows.iter().map(line).collect();
    if objects().count() > LINES {
        lines.push("...".to_owned());
    }
    lines
}

/// A value in readable form: text without quotes.
fn written(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Bool(truth) => if *truth { "yes" } else { "no" }.to_owned(),
        Json::Null => "none".to_owned(),
        Json::Array(items) => {
            format!("({})", items.iter().map(written).collect::<Vec<_>>().join(","))
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
