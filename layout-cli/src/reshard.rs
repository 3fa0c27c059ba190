//! `layout reshard`: the transfers between cores from one placement to another.

use std::process::ExitCode;
use std::{fmt, io};

use clap::{Arg, ArgMatches, Command, value_parser};
use layout_core::devices::{Placement, Reshard, Transfer};
use layout_core::error::{LayoutError, NotationError};
use layout_core::text::{ParseError, Value};
use layout_view::facts::Facts;
use layout_view::facts::reshard::{core_transfers, transfer_facts};
use layout_view::{notation, subject};
use serde_json::json;

use crate::answer::Handlers;
use crate::command;

const EXAMPLES: &str = "\
Examples:
  layout reshard 'tensor<4x6xf32, #tt.metal_layout<collapse = [], undef, <2x1>>>
                  => tensor<4x6xf32, #tt.metal_layout<collapse = [], undef, <1x2>>>'
  layout reshard --json '(64,64):(64,1) => tensor<64x64xf32, #tt.metal_layout<collapse = [], undef, <2x2>>>'
  layout reshard --core 1 '(4,6):(6,1) => tensor<4x6xf32, #tt.metal_layout<collapse = [], undef, <1x2>>>'
  layout reshard - < pairs.txt > plans.jsonl";

pub(crate) fn command() -> Command {
    let core = Arg::new("core")
        .long("core")
        .value_name("N")
        .value_parser(value_parser!(usize))
        .help("Only what leaves or enters this core, without the plan of the others");
    Command::new("reshard")
        .about("List what moves from core to core between two layouts of a tensor")
        .long_about(
            "List what moves from which core to which, from one layout of a tensor to another: a \
             line for each box of coordinates, `0 -> 1: [0..2, 3..6]`. Cores are numbered row-major \
             in their grid, and a layout without a grid has core 0.\n\n\
             With `-`, one `FROM => TO` per line is read, and one JSON object per line is written.",
        )
        .after_help(EXAMPLES)
        .arg(core)
        .arg(command::expression().help("`FROM => TO`, or `-` for one per line"))
        .arg(command::json())
}

pub(crate) fn run(matches: &ArgMatches) -> io::Result<ExitCode> {
    let core = matches.get_one::<usize>("core").copied();
    let json = |text: &str| json(text, core);
    Handlers { plain: |text: &str| plain(text, core), line: json, json }.run(matches)
}

/// The answer to a pair: facts, and the transfers as a stream, because there may be many.
struct ReshardOutput {
    facts: Facts,
    plan: Reshard,
    // Only the transfers out of this core and into it.
    core: Option<usize>,
    json: bool,
}

impl ReshardOutput {
    /// The boxes in output order; boxes that stay on the core appear once.
    fn transfers(&self) -> Box<dyn Iterator<Item = Transfer> + '_> {
        let Some(core) = self.core else { return Box::new(self.plan.transfers()) };
        match core_transfers(&self.plan, core) {
            Ok((out, into)) => {
                let into = into.filter(move |one| one.source != core);
                Box::new(out.chain(into))
            }
            // Not reached: computing the facts has failed before.
            Err(_) => Box::new(std::iter::empty()),
        }
    }
}

impl fmt::Display for ReshardOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.json {
            let facts = self.facts.to_json().to_string();
            write!(f, "{},\"transfers\":[", facts.trim_end_matches('}'))?;
            for (i, transfer) in self.transfers().enumerate() {
                write!(f, "{}{}", if i > 0 { "," } else { "" }, transfer_facts(&transfer))?;
            }
            return f.write_str("]}");
        }
        for (i, line) in self.facts.lines().enumerate() {
            write!(f, "{}{line}", if i > 0 { "\n" } else { "" })?;
        }
        for (i, one) in self.transfers().flat_map(|transfer| transfer.moves).enumerate() {
            write!(f, "{}{one}", if i > 0 { "\n" } else { "\n\n" })?;
        }
        Ok(())
    }
}

/// One JSON object, in one line.
///
/// # Errors
///
/// All problems of the text.
fn json(text: &str, core: Option<usize>) -> Result<ReshardOutput, ParseError> {
    parse_pair(text, core, true)
}

/// One line per fact, and one per transferred box.
///
/// # Errors
///
/// All problems of the text.
fn plain(text: &str, core: Option<usize>) -> Result<ReshardOutput, ParseError> {
    parse_pair(text, core, false)
}

/// `FROM => TO`
fn parse_pair(text: &str, core: Option<usize>, json: bool) -> Result<ReshardOutput, ParseError> {
    let arrow = subject::outside_brackets(text).find(|&(at, _)| text[at..].starts_with("=>"));
    let Some((at, _)) = arrow else {
        let expected = "`=>` and the layout to move to";
        let missing = Err(NotationError::Kind { expected, found: "none" }.into());
        return subject::within(text.len()..text.len(), missing);
    };
    let after_arrow = at + "=>".len();
    let from = placement(&text[..at])?;
    let to = placement(&text[after_arrow..]).map_err(|error| error.shifted(after_arrow))?;
    let plan = subject::at(text, from.reshard(&to))?;
    let shape = json!(if from.rank() == 0 { &[] } else { from.linear().extents() });
    let facts = match core {
        None => Facts::of_reshard(&shape, &plan),
        Some(core) => subject::at(text, Facts::of_reshard_of_core(&shape, &plan, core))?,
    };
    Ok(ReshardOutput { facts, plan, core, json })
}

fn placement(text: &str) -> Result<Placement, ParseError> {
    let value = notation::layout(text)?;
    subject::at(text, to_placement(&value))
}

/// The placement of a text.
fn to_placement(value: &Value) -> Result<Placement, LayoutError> {
    match value {
        Value::Spyre(layout) => Ok(layout.placement()),
        Value::CurrentSpyre(layout) => layout.try_placement(),
        Value::Tenstorrent(tensor) => Ok(tensor.layout().placement()),
        _ => Placement::of_layout(&value.layout()?),
    }
}
