//! The `layout` command: evaluates expressions of the layout algebra, and displays layouts.
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
        // The reader of the output has closed the pipe.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing more can be done if standard error is closed too.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Exit status 2 for invalid arguments, 1 for an invalid expression.
fn run() -> io::Result<ExitCode> {
    let arguments = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let choice = color::apply_option(arguments);
    match command::command().color(choice).try_get_matches() {
        Ok(matches) => command::run(&matches),
        Err(error) => {
            error.print()?;
            Ok(if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS })
        }
    }
}
