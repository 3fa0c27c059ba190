//! `layout check`: assertions about layouts in files, for the tests of other projects.

use std::io::{self, BufWriter, Read, Write};
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
use layout_view::assertions::{Assertions, Line, Outcome};
use layout_view::problems;

use crate::{color, command, report};

const EXAMPLES: &str = "\
Examples:
  layout check layouts.txt
  layout check --json - < layouts.txt
  echo 'coalesce((2,4):(1,2)) == 8:1' | layout check -

Exit status: 0 when all assertions hold, 1 when one does not, 2 when a file cannot be read.";

const ABOUT: &str = "\
Check the assertions in files, one per line. A failed one is shown with the values of both sides.

  A == B           both are printed in the same way: the same shape and strides, or the same number
  A != B           they are not
  A ~= B           both are the same function of 1-D coordinates
  A !~ B           they are not
  injective(A)     also bijective(A) and contiguous(A)
  EXPR             the expression is true, such as is_injective(A) or compatible(24, (4,6))
  fails(EXPR)      the expression has an error; a typing mistake does not count
  error[L0301] EXPR
                   the expression has this error
  # ..             a comment";

pub(crate) fn command() -> Command {
    Command::new("check")
        .about("Check a file of assertions about layouts")
        .long_about(ABOUT)
        .after_help(EXAMPLES)
        .arg(
            Arg::new("FILE")
                .required(true)
                .action(ArgAction::Append)
                .num_args(1..)
                .help("Files of assertions; `-` is standard input"),
        )
        .arg(command::json())
}

pub(crate) fn run(matches: &ArgMatches) -> io::Result<ExitCode> {
    let json = matches.get_flag("json");
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut failed, mut has_unreadable) = (false, false);
    for file in matches.get_many::<String>("FILE").unwrap_or_default() {
        let text = match read(file) {
            Ok(text) => text,
            Err(error) => {
                has_unreadable = true;
                let message = format!("{file}: {error}");
                if json {
                    writeln!(out, "{}", problems::of_message(&message))?;
                    continue;
                }
                // Flushes first, so that errors appear in the order of the files.
                out.flush()?;
                writeln!(io::stderr(), "error: {message}")?;
                continue;
            }
        };
        let assertions = Assertions::of(&text);
        failed |= assertions.failed() > 0;
        if json {
            let mut object = assertions.to_json();
            object["file"] = file.as_str().into();
            writeln!(out, "{object}")?;
            continue;
        }
        for line in &assertions.lines {
            write_failure(file, line, &mut out)?;
        }
        writeln!(out, "{file}: {}", assertions.summary())?;
    }
    out.flush()?;
    Ok(ExitCode::from(if has_unreadable { 2 } else { u8::from(failed) }))
}

fn read(file: &str) -> io::Result<String> {
    if file == "-" {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text)?;
        return Ok(text);
    }
    std::fs::read_to_string(file)
}

/// Writes the problem of a line, if there is one.
fn write_failure(file: &str, line: &Line, out: &mut impl Write) -> io::Result<()> {
    let (color, place) = (color::on_stdout(), (file, line.number));
    match &line.outcome {
        Outcome::Holds => Ok(()),
        Outcome::Fails(failure) => {
            let report = report::render_failure(place, &line.text, failure, color);
            writeln!(out, "{report}\n")
        }
        Outcome::Error(error) => error.problems().iter().try_for_each(|problem| {
            let report = report::render_in_file(place, &line.text, problem, color);
            writeln!(out, "{report}\n")
        }),
    }
}
