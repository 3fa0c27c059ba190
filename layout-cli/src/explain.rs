//! `layout explain`: the error catalogue in detail, and derivations of expressions.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use layout_core::error::{self, Entry, Example, entries};
use layout_view::derive::Derivation;
use layout_view::notation::eval;
use layout_view::{SCHEMA, problems};
use serde_json::json;

use crate::answer::{self, Handlers};
use crate::{color, command, report};

const EXAMPLES: &str = "\
Examples:
  layout explain
  layout explain L0301
  layout explain 'logical_divide(24:1, 4:2)'
  layout explain 'coalesce(composition((6,2):(8,2), (4,3):(3,1)))'
  layout explain --json 'right_inverse((4,8):(8,1))'";

const ABOUT: &str = "\
Explain an error by its code: what it means, an example, and what to do. Without a code, list all codes.

Or explain an expression: every operation in it, from the inside out, step by step. A step has a \
sentence, the layout that the engine computed, and a law that was checked point by point, at up to 4096 \
points. For an error, the steps end at the numbers that do not fit.

With `-`, one expression per line is read, and one JSON object per line is written.";

pub(crate) fn command() -> Command {
    Command::new("explain")
        .about("Explain an error, or how an expression gets its value")
        .long_about(ABOUT)
        .after_help(EXAMPLES)
        .arg(
            Arg::new("EXPR")
                .value_name("CODE|EXPR")
                .allow_hyphen_values(true)
                .help("The code of an error, such as L0301, or an expression"),
        )
        .arg(command::json())
}

pub(crate) fn run(matches: &ArgMatches) -> io::Result<ExitCode> {
    match matches.get_one::<String>("EXPR") {
        Some(text) if !is_code(text) => derive(matches),
        code if matches.get_flag("json") => run_on_code_as_json(code.map(String::as_str)),
        code => run_on_code(code.map(String::as_str)),
    }
}

/// Whether a text has the form of a code, `L0301`.
fn is_code(text: &str) -> bool {
    let digits = text.strip_prefix(['L', 'l']);
    digits.is_some_and(|digits| {
        digits.len() == 4 && digits.bytes().all(|digit| digit.is_ascii_digit())
    })
}

/// The derivation of an expression. On an error, it ends there.
fn derive(matches: &ArgMatches) -> io::Result<ExitCode> {
    let json = |text: &str| Ok(Derivation::of(text).to_json());
    let text = command::text(matches, "EXPR");
    if text == "-" {
        return Handlers { plain: json, line: json, json }.run(matches);
    }
    let derivation = Derivation::of(&text);
    let code = if derivation.value.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    if matches.get_flag("json") {
        return answer::print(derivation.to_json(), code);
    }
    if !derivation.parts.is_empty() || derivation.value.is_ok() {
        answer::print(&derivation, code)?;
    }
    match &derivation.value {
        Ok(_) => Ok(code),
        Err(error) => answer::report_errors(&text, error, false, code),
    }
}

fn run_on_code(code: Option<&str>) -> io::Result<ExitCode> {
    let mut out = BufWriter::new(io::stdout().lock());
    match code.map(|code| (code, error::entry(code))) {
        None => write_list(&mut out)?,
        Some((_, Some(found))) => write_entry(found, color::on_stdout(), &mut out)?,
        Some((code, None)) => {
            writeln!(io::stderr(), "error: there is no error {code}; `layout explain` lists all")?;
            return Ok(ExitCode::FAILURE);
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// An entry of the catalogue as one object, or all of them as the items of a list.
fn run_on_code_as_json(code: Option<&str>) -> io::Result<ExitCode> {
    let object = |entry: &Entry| {
        let (example, error) = match &entry.example {
            Example::Expression(text) => (json!(text), json!(null)),
            Example::Elsewhere(cause, error) => (json!(cause), json!(error.message().as_str())),
        };
        json!({
            "code": entry.code, "title": entry.title, "meaning": entry.meaning,
            "example": example, "error": error,
        })
    };
    match code.map(|code| (code, error::entry(code))) {
        None => {
            let entries: Vec<_> = entries().map(object).collect();
            answer::print(json!({ "schema": SCHEMA, "entries": entries }), ExitCode::SUCCESS)
        }
        Some((_, Some(found))) => {
            answer::print(json!({ "schema": SCHEMA, "entry": object(found) }), ExitCode::SUCCESS)
        }
        Some((code, None)) => {
            let message = format!("there is no error {code}; `layout explain` lists all");
            answer::print(problems::of_message(&message), ExitCode::FAILURE)
        }
    }
}

/// Writes the code and the title of each error.
fn write_list(out: &mut impl Write) -> io::Result<()> {
    entries().try_for_each(|entry| writeln!(out, "{}  {}", entry.code, entry.title))
}

/// Writes everything about an error.
fn write_entry(entry: &Entry, color: bool, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}: {}\n", entry.code, entry.title)?;
    for line in wrapped_lines(entry.meaning) {
        writeln!(out, "{line}")?;
    }
    match &entry.example {
        Example::Expression(text) => {
            writeln!(out, "\nExample: layout eval '{text}'\n")?;
            // A test evaluates all of them.
            if let Err(error) = eval(text) {
                writeln!(out, "{}", report::render(text, &error, color))?;
            }
        }
        Example::Elsewhere(cause, error) => {
            writeln!(out, "\nExample: {cause}\n")?;
            writeln!(out, "{}", report::render_error(error, color))?;
        }
    }
    Ok(())
}

/// Wraps the words of a text at 80 characters.
fn wrapped_lines(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().filter(|line| line.len() + 1 + word.len() <= 80);
        match last {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_whole() {
        let text = "a layout is a function from a coordinate to an offset, ".repeat(4);
        let lines = wrapped_lines(text.trim_end());
        assert!(lines.iter().all(|line| line.len() <= 80 && !line.starts_with(' ')));
        assert_eq!(lines.join(" "), text.trim_end());
        assert_eq!(lines.len(), 3);
    }
}
