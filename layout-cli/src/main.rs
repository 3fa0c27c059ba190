//! The command `layout`: evaluates expressions of the layout algebra.
#![forbid(unsafe_code)]

use std::fmt::Write as _;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use layout_core::text::{OPERATIONS, eval};

mod report;
mod stream;

const EXAMPLES: &str = "\
Examples:
  layout eval 'logical_divide((6,8):(8,1), <3, 4>)'
  layout eval '(12,(4,8)):(59,(13,1)) o <3:4, 8:2>'
  layout eval 'complement((4,2):(1,10), 14)'
  layout eval 'slice_and_offset((4,12):(12,1), (3,_))'
  layout eval 'table(Sw<2,0,2> o 0 o (4,4):(4,1))'
  layout eval '[1, 0, 1 p(4)] for (6, 8)'
  layout eval - < expressions.txt > answers.txt

Exit status: 0, or 1 when an expression, or the command itself, is wrong.";

const NOTATION: &str = "\
With `-`, one expression a line is read from standard input, and one line of answer is written for
each; a line that is wrong is answered by `error: ...`, and the exit status at the end is 1.

Notation:
  (4,8):(8,1)                  a layout: shape and stride
  (4,8)                        the compact column-major layout of a shape
  <3:4, 8>  <_, 4>             a tiler that applies mode by mode; _ keeps a mode
  (3,_)                        a coordinate; _ keeps a mode
  Sw<3,0,3> o 0 o (8,8):(8,1)  a swizzled layout
  [1, 0, 1 p(4)] for (6, 8)    a Morello layout for a shape
  A o B                        composition(A, B)";

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        // Whoever read the answers has had enough of them.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do when standard error is closed as well.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> io::Result<ExitCode> {
    let matches = match command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) if error.use_stderr() => {
            write!(io::stderr(), "{}", error.render())?;
            return Ok(ExitCode::FAILURE);
        }
        Err(help) => {
            write!(io::stdout(), "{}", help.render())?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    match matches.subcommand() {
        Some(("eval", matches)) => run_eval(matches),
        // clap accepts nothing else.
        _ => Ok(ExitCode::FAILURE),
    }
}

fn command() -> Command {
    let expression = Arg::new("EXPR")
        .required(true)
        .allow_hyphen_values(true)
        .help("The expression, or `-` for one expression a line from standard input");
    let eval = Command::new("eval")
        .about("Evaluate an expression, and print the result in canonical notation")
        .after_help(EXAMPLES)
        .after_long_help(format!("{NOTATION}\n\n{}\n{EXAMPLES}", operations()))
        .arg(expression);
    Command::new("layout")
        .about("The algebra of tensor layouts, in the notation of CuTe and of Morello")
        .version(env!("CARGO_PKG_VERSION"))
        .after_help(EXAMPLES)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(eval)
}

/// The operations and what they take, a line for each.
fn operations() -> String {
    let mut text = String::from("Operations:\n");
    for operation in OPERATIONS {
        let _ = write!(text, "  {}(", operation.name);
        for (i, param) in operation.params.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            let optional = i >= operation.least;
            let (open, close) = if optional { ("[", "]") } else { ("", "") };
            let _ = write!(text, "{open}{comma}{}{close}", param.short());
        }
        text.push_str(")\n");
    }
    text
}

fn run_eval(matches: &ArgMatches) -> io::Result<ExitCode> {
    let expression = matches.get_one::<String>("EXPR").map_or("", String::as_str);
    if expression == "-" {
        let all_right = stream::answer_lines(io::stdin().lock(), io::stdout().lock())?;
        return Ok(if all_right { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    match eval(expression) {
        Ok(value) => {
            // Not `LineWriter`: a long list is one line.
            let mut out = io::BufWriter::new(io::stdout().lock());
            writeln!(out, "{value}")?;
            out.flush()?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            let color = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
            writeln!(io::stderr(), "{}", report::render(expression, &error, color))?;
            Ok(ExitCode::FAILURE)
        }
    }
}
