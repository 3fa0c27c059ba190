//! A picture as JSON, for programs that draw it themselves.
//!
//! One object. Cells are stored as one array per property, in row order; an array without
//! information is omitted.
//!
//! ```text
//! {"schema":1, "kind":"picture", "title":"(4,8):(8,1)", "description":"..", "view":"logical",
//!  "rank":2, "cores":1,
//!  "legend":{"title":"offset", "scale":"ramp", "light":["#fffde4",..], "dark":[..],
//!            "entries":[{"label":"0 to 2","color":0,"least":0,"greatest":2},..]},
//!  "all_blocks":1,
//!  "blocks":[{"title":null,
//!    "rows":{"name":"mode 0","extent":4,"headers":["0",..],"natural":[],"rules":[{"at":2,"edge":"tile","weight":2}]},
//!    "columns":{..},
//!    "labels":["0",..], "coordinates":[[0,0],..,null], "offsets":[0,..], "colors":[0,..,null],
//!    "cores":[..], "tiles":[..], "sticks":[..], "banks":[..], "lines":[..],
//!    "threads":[..], "values":[..]}]}
//! ```
//!
//! A cell without a coordinate is padding; a cell without an offset either is past the end of the
//! memory. `coordinates` is omitted if each cell is at its row and column combined with the numbers
//! of `at`: `"at":[null,null,2]` for the block `(_, _, 2)` with rows in mode 0 and columns in mode
//! 1. `labels` is omitted if the labels are the offsets. A rule is before row or column `at`.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::palette::hex;
use super::{Axis, Block, Cell, Legend, Picture, Rule};
use crate::SCHEMA;

impl Picture {
    /// One JSON object, in one line.
    ///
    /// ```
    /// use layout_core::text::eval;
    /// use layout_view::picture::{Options, Picture};
    /// let picture = Picture::of(&eval("(2,2):(2,1)")?, &Options::default())?;
    /// let json: serde_json::Value = serde_json::from_str(&picture.to_json())?;
    /// assert_eq!(json["blocks"][0]["offsets"], serde_json::json!([0, 1, 2, 3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_json(&self) -> String {
        // Serialization fails only for maps with non-string keys; a picture has none.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl Serialize for Picture {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", &SCHEMA)?;
        map.serialize_entry("kind", "picture")?;
        map.serialize_entry("title", &self.title)?;
        map.serialize_entry("description", &self.description)?;
        map.serialize_entry("view", self.view.name())?;
        map.serialize_entry("rank", &self.rank)?;
        map.serialize_entry("cores", &self.cores)?;
        map.serialize_entry("legend", &self.legend)?;
        map.serialize_entry("all_blocks", &self.all_blocks)?;
        map.serialize_entry("blocks", &self.blocks)?;
        map.end()
    }
}

impl Serialize for Legend {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let palette = self.scale.palette();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("title", &self.title)?;
        map.serialize_entry("scale", self.scale.name())?;
        map.serialize_entry("light", &Each(palette.light.iter().map(|&color| hex(color))))?;
        map.serialize_entry("dark", &Each(palette.dark.iter().map(|&color| hex(color))))?;
        let entry = |entry: &super::Entry| serde_json::json!({ "label": entry.label, "color": entry.color });
        map.serialize_entry("entries", &Each(self.entries.iter().map(entry)))?;
        map.end()
    }
}

impl Serialize for Axis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.name)?;
        map.serialize_entry("extent", &self.extent)?;
        map.serialize_entry("headers", &self.headers)?;
        map.serialize_entry("natural", &self.natural)?;
        let rule = |&Rule { at, edge }: &Rule| serde_json::json!({ "at": at, "edge": edge.name(), "weight": edge.weight() });
        map.serialize_entry("rules", &Each(self.rules.iter().map(rule)))?;
        map.end()
    }
}

impl Serialize for Block {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let cells = || self.cells.iter();
        map.serialize_entry("title", &self.title)?;
        map.serialize_entry("rows", &self.rows)?;
        map.serialize_entry("columns", &self.columns)?;
        let is_offset = |cell: &Cell| cell.offset.is_some_and(|o| is_decimal(&cell.label, o));
        if !cells().all(is_offset) {
            map.serialize_entry("labels", &Each(cells().map(|cell| &cell.label)))?;
        }
        match &self.at {
            Some(at) => map.serialize_entry("at", at)?,
            None => {
                map.serialize_entry("coordinates", &Each(cells().map(|cell| &cell.coordinate)))?;
            }
        }
        optional(&mut map, "offsets", &self.cells, |cell| cell.offset)?;
        optional(&mut map, "colors", &self.cells, |cell| cell.color)?;
        if cells().any(|cell| cell.core > 0) {
            map.serialize_entry("cores", &Each(cells().map(|cell| cell.core)))?;
        }
        optional(&mut map, "tiles", &self.cells, |cell| cell.tile)?;
        optional(&mut map, "sticks", &self.cells, |cell| cell.stick)?;
        optional(&mut map, "banks", &self.cells, |cell| cell.bank)?;
        optional(&mut map, "lines", &self.cells, |cell| cell.line)?;
        optional(&mut map, "threads", &self.cells, |cell| cell.thread.map(|(thread, _)| thread))?;
        optional(&mut map, "values", &self.cells, |cell| cell.thread.map(|(_, value)| value))?;
        map.end()
    }
}

/// An array, if any cell has a value.
fn optional<M: SerializeMap, T: Serialize>(
    map: &mut M,
    name: &'static str,
    cells: &[Cell],
    of: impl Fn(&Cell) -> Option<T> + Clone,
) -> Result<(), M::Error> {
    if cells.iter().all(|cell| of(cell).is_none()) {
        return Ok(());
    }
    map.serialize_entry(name, &Each(cells.iter().map(of)))
}

/// Whether a label is the decimal form of this number, without allocating it.
fn is_decimal(label: &str, number: isize) -> bool {
    label.parse() == Ok(number)
}

/// The items of an iterator as an array.
struct Each<I>(I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for Each<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(None)?;
        for item in self.0.clone() {
            sequence.serialize_element(&item)?;
        }
        sequence.end()
    }
}
