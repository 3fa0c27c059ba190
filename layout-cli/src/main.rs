//! The command `layout`: evaluates expressions of the layout algebra, and shows what they are.
#![forbid(unsafe_code)]

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

mod access;
mod answer;
mod check;
mod color;
mod command;
mod convert;
mod devices;
mod diff;
mod eval;
mod explain;
mod explore;
mod locate;
mod manual;
mod memory;
mod mlir;
mod report;
mod reshard;
mod show;
mod stream;

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

/// Wrong arguments end with status 2, a wrong expression with 1.
fn run() -> io::Result<ExitCode> {
    let arguments = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let choice = color::decide(arguments);
    match command::command().color(choice).try_get_matches() {
        Ok(matches) => command::run(&matches),
        Err(error) => {
            error.print()?;
            Ok(if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS })
        }
    }
}
