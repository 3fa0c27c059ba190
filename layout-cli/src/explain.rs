//! The catalogue of errors at length: what an error means, an example of it, and what to do.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use layout_core::error::{self, Entry, Example, entries};
use layout_core::text::eval;

use crate::{color, report};

pub(crate) fn command() -> Command {
    Command::new("explain")
        .about("Explain an error: what it means, an example, and what to do")
        .after_help("Examples:\n  layout explain\n  layout explain L0301")
        .arg(Arg::new("CODE").help("The code of an error, such as L0301; all are listed without"))
}

pub(crate) fn run(matches: &ArgMatches) -> io::Result<ExitCode> {
    let code = matches.get_one::<String>("CODE");
    let mut out = BufWriter::new(io::stdout().lock());
    match code.map(|code| (code, error::entry(code))) {
        None => list(&mut out)?,
        Some((_, Some(found))) => entry(found, color::of_stdout(), &mut out)?,
        Some((code, None)) => {
            let code = code.escape_debug();
            writeln!(io::stderr(), "error: there is no error {code}; `layout explain` lists all")?;
            return Ok(ExitCode::FAILURE);
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the code and the title of each error.
fn list(out: &mut impl Write) -> io::Result<()> {
    entries().try_for_each(|entry| writeln!(out, "{}  {}", entry.code, entry.title))
}

/// Writes all that there is about an error.
fn entry(entry: &Entry, color: bool, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}: {}\n", entry.code, entry.title)?;
    for line in lines(entry.meaning) {
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

/// The words of a text in lines of at most 80 characters.
fn lines(text: &str) -> Vec<String> {
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
        let lines = lines(text.trim_end());
        assert!(lines.iter().all(|line| line.len() <= 80 && !line.starts_with(' ')));
        assert_eq!(lines.join(" "), text.trim_end());
        assert_eq!(lines.len(), 3);
    }
}
