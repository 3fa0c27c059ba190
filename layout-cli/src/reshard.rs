//! `layout reshard`: what goes from which core to which, from one placement to another.

use std::fmt;

use layout_core::devices::{Placement, Reshard};
use layout_core::error::{LayoutError, NotationError};
use layout_core::text::{ParseError, Value};
use serde_json::json;

use layout_view::facts::Facts;
use layout_view::facts::reshard::transfer_facts;
use layout_view::subject;

/// One JSON object, in one line: facts, and the transfers, which are many, one after the other.
pub(crate) struct AsJson(Facts, Reshard);

impl fmt::Display for AsJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let facts = self.0.to_json().to_string();
        write!(f, "{},\"transfers\":[", facts.trim_end_matches('}'))?;
        for (i, transfer) in self.1.transfers().enumerate() {
            write!(f, "{}{}", if i > 0 { "," } else { "" }, transfer_facts(&transfer))?;
        }
        f.write_str("]}")
    }
}

/// One JSON object, in one line.
///
/// # Errors
///
/// Everything that is wrong with the text.
pub(crate) fn json(text: &str) -> Result<AsJson, ParseError> {
    read(text).map(|(facts, plan)| AsJson(facts, plan))
}

/// A line for each fact, and one for each box that goes somewhere.
///
/// # Errors
///
/// Everything that is wrong with the text.
pub(crate) fn plain(text: &str) -> Result<String, ParseError> {
    let (facts, plan) = read(text)?;
    let lines: Vec<String> = facts.lines().collect();
    Ok(format!("{}\n\n{plan}", lines.join("\n")).trim_end().to_owned())
}

/// `FROM => TO`
fn read(text: &str) -> Result<(Facts, Reshard), ParseError> {
    let arrow = subject::outside_brackets(text).find(|&(at, _)| text[at..].starts_with("=>"));
    let Some((at, _)) = arrow else {
        let expected = "`=>` and where the tensor goes";
        let missing = Err(NotationError::Kind { expected, found: "none" }.into());
        return subject::within(text.len()..text.len(), missing);
    };
    let behind = at + "=>".len();
    let from = placement(&text[..at])?;
    let to = placement(&text[behind..]).map_err(|error| error.shifted(behind))?;
    let plan = subject::at(text, from.reshard(&to))?;
    let shape = json!(if from.rank() == 0 { &[] } else { from.linear().extents() });
    Ok((Facts::of_reshard(&shape, &plan), plan))
}

fn placement(text: &str) -> Result<Placement, ParseError> {
    let value = subject::read(text)?;
    subject::at(text, of(&value))
}

/// The placement that a text stands for.
fn of(value: &Value) -> Result<Placement, LayoutError> {
    match value {
        Value::Spyre(layout) => Ok(layout.placement()),
        Value::CurrentSpyre(layout) => layout.try_placement(),
        Value::Tenstorrent(tensor) => Ok(tensor.layout().placement()),
        _ => Placement::of_layout(&value.layout()?),
    }
}
