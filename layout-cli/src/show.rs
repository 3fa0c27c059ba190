//! `layout show`: facts about a layout, and a picture of it.

use std::io;
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use layout_core::text::{ParseError, Value};
use layout_view::facts::Facts;
use layout_view::picture::Picture;
use layout_view::subject;

use crate::answer::Answers;
use crate::command::{expression, json as json_flag};
use crate::mlir;

const EXAMPLES: &str = "\
Examples:
  layout show '(4,8):(8,1)'
  layout show --json 'logical_divide((6,8):(8,1), <3, 4>)'
  layout show 'spyre { size: [3, 40], dtype: f32 }'
  layout show 'tensor<5x6xf32, #tt.metal_layout<collapse = [(0, -1)], zero, <2x2>>>'
  layout show --mlir model.mlir
  layout show - < layouts.txt > facts.jsonl";

pub(crate) fn command() -> Command {
    Command::new("show")
        .about("Show facts about a layout, and a picture of it")
        .long_about(
            "Show facts about a layout, and a picture of it: the place of each element.\n\n\
             With `-`, one layout a line is read, and one JSON object a line is written for each.\n\n\
             With `--mlir FILE`, each distinct type of a tensor in the file is listed with its lines, \
             aliases such as `#layout = ..` resolved, and what is inconsistent is an error at its \
             place. The file `-` is standard input. With `--json`, a line is one type.",
        )
        .after_help(EXAMPLES)
        .arg(expression().required(false).required_unless_present("mlir"))
        .arg(json_flag())
        .arg(
            Arg::new("mlir")
                .long("mlir")
                .value_name("FILE")
                .conflicts_with("EXPR")
                .help("List the types of tensors in a file of MLIR, and which are inconsistent"),
        )
}

pub(crate) fn run(matches: &ArgMatches) -> io::Result<ExitCode> {
    match matches.get_one::<String>("mlir") {
        Some(file) => mlir::show(file, matches.get_flag("json")),
        None => Answers { plain, line: json, json }.run(matches),
    }
}

/// One JSON object, in one line.
///
/// # Errors
///
/// Everything that is wrong with the text.
fn json(text: &str) -> Result<String, ParseError> {
    let (_, facts) = read(text)?;
    Ok(facts.to_json().to_string())
}

/// A line for each fact, and a picture.
///
/// # Errors
///
/// Everything that is wrong with the text.
fn plain(text: &str) -> Result<String, ParseError> {
    let (value, facts) = read(text)?;
    let mut lines: Vec<String> = facts.lines().collect();
    let tables: Vec<String> = facts.tables().collect();
    if !tables.is_empty() {
        lines.push(String::new());
        lines.extend(tables);
    }
    if let Some(picture) = Picture::of(&value) {
        let drawn = subject::at(text, picture.draw())?;
        lines.push(String::new());
        lines.extend(drawn.lines().map(str::to_owned));
    }
    Ok(lines.join("\n"))
}

fn read(text: &str) -> Result<(Value, Facts), ParseError> {
    let value = subject::read(text)?;
    let facts = subject::at(text, Facts::of(&value))?;
    Ok((value, facts))
}
