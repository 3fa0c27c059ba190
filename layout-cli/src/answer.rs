//! Answers to an expression, or to each line of standard input.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::ArgMatches;
use layout_core::error::LayoutError;
use layout_core::text::ParseError;
use layout_view::problems;

use crate::{color, command, report, stream};

/// The functions that answer an expression: as text, as one line of a stream, and for `--json`.
pub(crate) struct Handlers<P, L, J> {
    pub(crate) plain: P,
    pub(crate) line: L,
    pub(crate) json: J,
}

impl<P, L, J> Handlers<P, L, J> {
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
        self.run_with(&command::text(matches, "EXPR"), matches.get_flag("json"))
    }

    /// [`run`](Self::run) for a given expression.
    ///
    /// # Errors
    ///
    /// Errors of reading and writing.
    pub(crate) fn run_with<A: Display, B: Display, C: Display>(
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
            ("-", true) => run_lines(&self.json, stream::ErrorFormat::Json),
            ("-", false) => run_lines(&self.line, stream::ErrorFormat::Plain),
            (text, true) => match (self.json)(text) {
                Ok(answer) => print(answer, ExitCode::SUCCESS),
                Err(error) => report_errors(text, &error, true, ExitCode::FAILURE),
            },
            (text, false) => match (self.plain)(text) {
                Ok(answer) => print(answer, ExitCode::SUCCESS),
                Err(error) => report_errors(text, &error, false, ExitCode::FAILURE),
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
                let result = std::fs::write(file, format!("{answer}\n"));
                result.map_err(|error| {
                    io::Error::new(error.kind(), format!("{}: {error}", file.escape_debug()))
                })?;
                Ok(ExitCode::SUCCESS)
            }
            Err(error) => report_errors(expression, &error, json, ExitCode::FAILURE),
        }
    }
}

fn run_lines<A: Display>(
    answer: impl Fn(&str) -> Result<A, ParseError>,
    errors: stream::ErrorFormat,
) -> io::Result<ExitCode> {
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    let all_valid = stream::answer_lines(input, output, answer, errors)?;
    Ok(if all_valid { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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
pub(crate) fn report_errors(
    text: &str,
    error: &ParseError,
    json: bool,
    code: ExitCode,
) -> io::Result<ExitCode> {
    if json {
        return print(problems::to_json(text, error), code);
    }
    writeln!(io::stderr(), "{}", report::render(text, error, color::on_stderr()))?;
    Ok(code)
}

/// Reports an invalid option; the exit status is 2.
///
/// # Errors
///
/// Errors of writing.
pub(crate) fn report_option_error(error: &LayoutError, json: bool) -> io::Result<ExitCode> {
    let code = ExitCode::from(2);
    if json {
        return print(problems::of_line(error), code);
    }
    writeln!(io::stderr(), "{}", report::render_error(error, color::on_stderr()))?;
    Ok(code)
}
