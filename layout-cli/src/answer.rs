//! Answers to an expression, or to each line of standard input.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::ArgMatches;
use layout_core::error::LayoutError;
use layout_core::text::ParseError;
use layout_view::problems;

use crate::{color, command, report, stream};

/// The answer as text, as one line of a stream, and for `--json`.
pub(crate) struct Answers<P, L, J> {
    pub(crate) plain: P,
    pub(crate) line: L,
    pub(crate) json: J,
}

impl<P, L, J> Answers<P, L, J> {
    /// Prints the answer to the expression argument, or with `-` one answer line per input line.
    ///
    /// # Errors
    ///
    /// Errors of reading and writing.
    pub(crate) fn run<A: Display, B: Display, C: Display>(
        &self,
        matches: &ArgMatches,
    ) -> io::Result<ExitCode>
    where
        P: Fn(&str) -> Result<A, ParseError>,
        L: Fn(&str) -> Result<B, ParseError>,
        J: Fn(&str) -> Result<C, ParseError>,
    {
        self.run_as(&command::text(matches, "EXPR"), matches.get_flag("json"))
    }

    /// The same for a given expression.
    ///
    /// # Errors
    ///
    /// Errors of reading and writing.
    pub(crate) fn run_as<A: Display, B: Display, C: Display>(
        &self,
        expression: &str,
        json: bool,
    ) -> io::Result<ExitCode>
    where
        P: Fn(&str) -> Result<A, ParseError>,
        L: Fn(&str) -> Result<B, ParseError>,
        J: Fn(&str) -> Result<C, ParseError>,
    {
        match (expression, json) {
            ("-", true) => lines(&self.json, stream::Errors::Json),
            ("-", false) => lines(&self.line, stream::Errors::Plain),
            (text, true) => match (self.json)(text) {
                Ok(answer) => print(answer, ExitCode::SUCCESS),
                Err(error) => refuse(text, &error, true, ExitCode::FAILURE),
            },
            (text, false) => match (self.plain)(text) {
                Ok(answer) => print(answer, ExitCode::SUCCESS),
                Err(error) => refuse(text, &error, false, ExitCode::FAILURE),
            },
        }
    }

    /// Writes the text answer to a file. If the answer is an error, the file is unchanged.
    ///
    /// # Errors
    ///
    /// Errors of writing.
    pub(crate) fn write_to<A: Display>(
        &self,
        file: &str,
        expression: &str,
        json: bool,
    ) -> io::Result<ExitCode>
    where
        P: Fn(&str) -> Result<A, ParseError>,
    {
        match (self.plain)(expression) {
            Ok(answer) => {
                let written = std::fs::write(file, format!("{answer}\n"));
                written.map_err(|error| {
                    io::Error::new(error.kind(), format!("{}: {error}", file.escape_debug()))
                })?;
                Ok(ExitCode::SUCCESS)
            }
            Err(error) => refuse(expression, &error, json, ExitCode::FAILURE),
        }
    }
}

fn lines<A: Display>(
    answer: impl Fn(&str) -> Result<A, ParseError>,
    errors: stream::Errors,
) -> io::Result<ExitCode> {
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    let all_right = stream::answer_lines(input, output, answer, errors)?;
    Ok(if all_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints an answer with a line end.
///
/// # Errors
///
/// Errors of writing.
pub(crate) fn print(answer: impl Display, code: ExitCode) -> io::Result<ExitCode> {
    // Not `LineWriter`: a long list is a single line.
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(out, "{answer}")?;
    out.flush()?;
    Ok(code)
}

/// Reports the problems of a text: as JSON on standard output, or with carets on standard error.
///
/// # Errors
///
/// Errors of writing.
pub(crate) fn refuse(
    text: &str,
    error: &ParseError,
    json: bool,
    code: ExitCode,
) -> io::Result<ExitCode> {
    if json {
        return print(problems::to_json(text, error), code);
    }
    writeln!(io::stderr(), "{}", report::render(text, error, color::of_stderr()))?;
    Ok(code)
}

/// Reports an invalid option; the exit status is 2.
///
/// # Errors
///
/// Errors of writing.
pub(crate) fn refuse_option(error: &LayoutError, json: bool) -> io::Result<ExitCode> {
    let code = ExitCode::from(2);
    if json {
        return print(problems::of_line(error), code);
    }
    writeln!(io::stderr(), "{}", report::render_error(error, color::of_stderr()))?;
    Ok(code)
}
