//! The command `layout`: evaluates expressions of the layout algebra.
#![forbid(unsafe_code)]

use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use layout_core::devices::ElementType;
use layout_core::error;
use layout_core::text::{ParseError, eval};

mod command;
mod convert;
mod devices;
mod explain;
mod foreign;
mod locate;
mod mlir;
mod report;
mod reshard;
mod show;
mod stream;

use convert::Notation;

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        // The reader of the answers has closed the pipe.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do when standard error is closed as well.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> io::Result<ExitCode> {
    let matches = match command::command().try_get_matches() {
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
    let text = |matches: &clap::ArgMatches, name| matches.get_one::<String>(name).cloned();
    let expression = |matches| text(matches, "EXPR").unwrap_or_default();
    match matches.subcommand() {
        Some(("eval", matches)) => run_on(&expression(matches), eval, eval),
        Some(("show", matches)) if matches.contains_id("mlir") => {
            let file = text(matches, "mlir").unwrap_or_default();
            mlir::show(&file, matches.get_flag("json"))
        }
        Some(("show", matches)) if matches.get_flag("json") => {
            run_on(&expression(matches), show::json, show::json)
        }
        Some(("show", matches)) => run_on(&expression(matches), show::plain, show::json),
        Some(("locate", matches)) => {
            let devices = devices::of(matches);
            let locate = |text: &str| locate::locate(text, devices.as_ref());
            run_on(&expression(matches), locate, locate)
        }
        Some(("convert", matches)) => {
            let to = matches.get_one::<Notation>("to").copied().unwrap_or(Notation::Cute);
            let element = matches.get_one::<ElementType>("dtype").copied();
            let convert = |text: &str| convert::convert(text, to, element);
            run_on(&expression(matches), convert, convert)
        }
        Some(("reshard", matches)) => {
            let core = matches.get_one::<usize>("core").copied();
            let json = |text: &str| reshard::json(text, core);
            if matches.get_flag("json") {
                return run_on(&expression(matches), json, json);
            }
            run_on(&expression(matches), |text| reshard::plain(text, core), json)
        }
        Some(("explain", matches)) => run_explain(text(matches, "CODE").as_deref()),
        // clap accepts nothing else.
        _ => Ok(ExitCode::FAILURE),
    }
}

/// Prints the answer to an expression, or with `-` one line of answer to each line of input.
fn run_on<A: Display, L: Display>(
    expression: &str,
    answer: impl Fn(&str) -> Result<A, ParseError>,
    answer_in_line: impl Fn(&str) -> Result<L, ParseError>,
) -> io::Result<ExitCode> {
    if expression == "-" {
        let (input, output) = (io::stdin().lock(), io::stdout().lock());
        let all_right = stream::answer_lines(input, output, answer_in_line)?;
        return Ok(if all_right { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    match answer(expression) {
        Ok(answer) => {
            // Not `LineWriter`: a long list is one line.
            let mut out = BufWriter::new(io::stdout().lock());
            writeln!(out, "{answer}")?;
            out.flush()?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            let color = has_color(&io::stderr());
            writeln!(io::stderr(), "{}", report::render(expression, &error, color))?;
            Ok(ExitCode::FAILURE)
        }
    }
}

fn run_explain(code: Option<&str>) -> io::Result<ExitCode> {
    let mut out = BufWriter::new(io::stdout().lock());
    match code.map(|code| (code, error::entry(code))) {
        None => explain::list(&mut out)?,
        Some((_, Some(entry))) => explain::entry(entry, has_color(&io::stdout()), &mut out)?,
        Some((code, None)) => {
            let code = code.escape_debug();
            writeln!(io::stderr(), "error: there is no error {code}; `layout explain` lists all")?;
            return Ok(ExitCode::FAILURE);
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn has_color(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none()
}
