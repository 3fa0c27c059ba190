//! The command `layout`: evaluates expressions of the layout algebra.
#![forbid(unsafe_code)]

use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use layout_core::error;
use layout_core::text::eval;

mod command;
mod explain;
mod report;
mod stream;

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
    match matches.subcommand() {
        Some(("eval", matches)) => run_eval(&text(matches, "EXPR").unwrap_or_default()),
        Some(("explain", matches)) => run_explain(text(matches, "CODE").as_deref()),
        // clap accepts nothing else.
        _ => Ok(ExitCode::FAILURE),
    }
}

fn run_eval(expression: &str) -> io::Result<ExitCode> {
    if expression == "-" {
        let all_right = stream::answer_lines(io::stdin().lock(), io::stdout().lock())?;
        return Ok(if all_right { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    match eval(expression) {
        Ok(value) => {
            // Not `LineWriter`: a long list is one line.
            let mut out = BufWriter::new(io::stdout().lock());
            writeln!(out, "{value}")?;
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
