//! `layout reshard`: what goes from which core to which, from one placement to another.

use std::process::ExitCode;
use std::{fmt, io};

use clap::{ArgMatches, Command};
use layout_core::devices::{Placement, Reshard};
use layout_core::error::{LayoutError, NotationError};
use layout_core::text::{ParseError, Value};
use layout_view::facts::Facts;
use layout_view::facts::reshard::transfer_facts;
use layout_view::subject;
use serde_json::json;

use crate::answer::Answers;
use crate::command;

const EXAMPLES: &str = "\
Examples:
  layout reshard 'tensor<4x6xf32, #tt.metal_layout<collapse = [], undef, <2x1>>>
                  => tensor<4x6xf32, #tt.metal_layout<collapse = [], undef, <1x2>>>'
  layout reshard --json '(64,64):(64,1) => tensor<64x64xf32, #tt.metal_layout<collapse = [], undef, <2x2>>>'
  layout reshard - < pairs.txt > plans.jsonl";

pub(crate) fn command() -> Command {
    Command::new("reshard")
        .about("List what goes from core to core between two layouts of a tensor")
        .long_about(
            "List what goes from which core to which, from one layout of a tensor to another: a \
             line for each box of coordinates, `0 -> 1: [0..2, 3..6]`. Cores are numbered row-major \
             in their grid, and a layout without a grid has core 0.\n\n\
             With `-`, one `FROM => TO` a line is read, and one JSON object a line is written for \
             each.",
        )
        .after_help(EXAMPLES)
        .arg(command::expression().help("`FROM => TO`, or `-` for one of them a line"))
        .arg(command::json())
}

pub(crate) fn run(matches: &ArgMatches) -> io::Result<ExitCode> {
    Answers { plain, line: json, json }.run(matches)
}

/// One JSON object, in one line: facts, and the transfers, which are many, one after the other.
struct AsJson(Facts, Reshard);

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
fn json(text: &str) -> Result<AsJson, ParseError> {
    read(text).map(|(facts, plan)| AsJson(facts, plan))
}

/// A line for each fact, and one for each box that goes somewhere.
///
/// # Errors
///
/// Everything that is wrong with the text.
fn plain(text: &str) -> Result<String, ParseError> {
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
