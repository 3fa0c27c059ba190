//! `layout show --mlir FILE`: the tensor types in an MLIR file.

use std::io::{self, BufWriter, ErrorKind, Read as _, Write};
use std::ops::Range;
use std::process::ExitCode;

use layout_core::devices::tenstorrent::TensorType;
use layout_core::text::{Diagnostic, ParseError, Value};
use serde_json::json;

use crate::{color, report};
use layout_view::facts::Facts;
use layout_view::mlir::{MlirEncoding, MlirTensor, mlir_tensors};
use layout_view::subject;

/// Lists each distinct type, and reports its problems on standard error.
///
/// # Errors
///
/// Errors of reading the file and of writing.
pub(crate) fn show(file: &str, as_json: bool) -> io::Result<ExitCode> {
    let text = read(file)?;
    let lines = Lines::of(&text);
    let mut out = BufWriter::new(io::stdout().lock());
    let mut code = ExitCode::SUCCESS;
    for tensor in mlir_tensors(&text) {
        let (facts, problems) = facts(&lines, &tensor);
        if as_json {
            writeln!(out, "{}", facts.to_json())?;
        } else {
            write_plain(&mut out, file, &tensor, &facts)?;
        }
        for problem in problems.iter().flat_map(ParseError::problems) {
            code = ExitCode::FAILURE;
            if !as_json {
                // In the order of the list.
                out.flush()?;
                writeln!(io::stderr(), "{}", lines.report(file, problem))?;
            }
        }
    }
    out.flush()?;
    Ok(code)
}

fn read(file: &str) -> io::Result<String> {
    let with_file = |error: &dyn std::fmt::Display| format!("{}: {error}", file.escape_debug());
    let mut bytes = Vec::new();
    if file == "-" {
        io::stdin().lock().read_to_end(&mut bytes)?;
    } else {
        bytes =
            std::fs::read(file).map_err(|error| io::Error::new(error.kind(), with_file(&error)))?;
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let message = with_file(&format_args!("the file is not UTF-8 from byte {at} on"));
        io::Error::new(ErrorKind::InvalidData, message)
    })
}

/// A text, and the start of each line.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(end, _)| end + 1)).collect();
        Self { text, starts }
    }

    /// The line number of a position, from 1.
    fn number(&self, at: usize) -> usize {
        self.starts.partition_point(|&start| start <= at)
    }

    /// The column of a position, from 1.
    fn column(&self, at: usize) -> usize {
        let start = self.starts[self.number(at) - 1];
        self.text.get(start..at).map_or(0, |before| before.chars().count()) + 1
    }

    fn report(&self, file: &str, problem: &Diagnostic<Range<usize>>) -> String {
        let Range { start, end } = problem.span;
        let (first, last) = (self.number(start), self.number(end.max(start)));
        let line_start = self.starts[first - 1];
        let line_end = self.starts.get(last).copied().unwrap_or(self.text.len());
        let (span, error) = (start - line_start..end - line_start, problem.error);
        let shown = self.text.get(line_start..line_end).unwrap_or_default().trim_end_matches('\n');
        let color = color::on_stderr();
        report::render_in_file((file, first), shown, &Diagnostic { span, error }, color)
    }
}

/// The facts about a type, and its problems.
fn facts(lines: &Lines<'_>, tensor: &MlirTensor) -> (Facts, Option<ParseError>) {
    let error = match &tensor.encoding {
        Ok(MlirEncoding::Placed(placed)) => match placed_facts(placed) {
            Ok(facts) => return (Facts::of_mlir(tensor, Some(facts)), None),
            Err(error) => error,
        },
        Ok(_) => return (Facts::of_mlir(tensor, None), None),
        Err(error) => error.clone(),
    };
    let errors = error.problems().iter().map(|problem| {
        json!({
            "code": problem.error.code(),
            "line": lines.number(problem.span.start),
            "column": lines.column(problem.span.start),
            "token": lines.text.get(problem.span.clone()),
            "message": problem.error.message().as_str(),
            "help": problem.error.help().as_str(),
        })
    });
    (Facts::of_mlir(tensor, None).with_errors(errors.collect()), Some(error))
}

fn placed_facts(tensor: &TensorType) -> Result<Facts, ParseError> {
    let text = tensor.to_string();
    subject::at(&text, Facts::of(&Value::Tenstorrent(Box::new(tensor.clone()))))
}

/// A line with the first position of a type, and its facts below.
fn write_plain(
    out: &mut impl Write,
    file: &str,
    tensor: &MlirTensor,
    facts: &Facts,
) -> io::Result<()> {
    let first = tensor.lines.first().copied().unwrap_or(1);
    // The text may contain terminal control characters.
    let text = tensor.text.chars().flat_map(|c| {
        let escaped = c.is_control().then(|| c.escape_default());
        let plain = escaped.is_none().then_some(c);
        escaped.into_iter().flatten().chain(plain)
    });
    writeln!(out, "{file}:{first}: {}", text.collect::<String>())?;
    for line in facts.lines().filter(|line| !line.starts_with("text ")) {
        writeln!(out, "  {line}")?;
    }
    if tensor.encoding.is_err() {
        for line in facts.tables() {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(())
}
