//! Reads expressions from a stream, one per line, and writes the answers to another.

use std::fmt::Display;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};

use layout_core::error::{LayoutError, NotationError};
use layout_core::text::ParseError;
use layout_view::problems;

/// Maximum length of a line. A layout has at most 32 leaves of 19 digits, so valid expressions stay
/// far below it.
const MAX_LINE_BYTES: usize = 1 << 16;

const BUFFER_BYTES: usize = 1 << 16;

/// The form of the answer to an invalid line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ErrorFormat {
    /// `error: ...`
    Plain,
    /// One JSON object.
    Json,
}

/// Answers each line of `input` with the line that `answer` returns. Returns whether all lines were
/// valid.
///
/// Flushes answers before waiting for more input.
///
/// # Errors
///
/// Errors of reading and writing.
pub(crate) fn answer_lines<A: Display>(
    input: impl Read,
    output: impl Write,
    answer: impl Fn(&str) -> Result<A, ParseError>,
    errors: ErrorFormat,
) -> io::Result<bool> {
    let mut input = BufReader::with_capacity(BUFFER_BYTES, input);
    let mut output = BufWriter::with_capacity(BUFFER_BYTES, output);
    let mut line = Vec::new();
    let mut all_valid = true;
    while let Some(length) = read_line(&mut input, &mut output, &mut line)? {
        all_valid &= answer_line(&line, length, &mut output, &answer, errors)?;
    }
    output.flush()?;
    Ok(all_valid)
}

/// Reads a line without its line end into `line`, at most [`MAX_LINE_BYTES`] bytes of it, and
/// returns its full length; `None` at the end of the input.
fn read_line(
    input: &mut BufReader<impl Read>,
    output: &mut impl Write,
    line: &mut Vec<u8>,
) -> io::Result<Option<u64>> {
    line.clear();
    let mut length = 0;
    let mut has_input = false;
    loop {
        if input.buffer().is_empty() {
            output.flush()?;
        }
        let bytes = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        if bytes.is_empty() {
            return Ok(has_input.then_some(length));
        }
        has_input = true;
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        let remaining = MAX_LINE_BYTES - line.len();
        line.extend_from_slice(&part[..part.len().min(remaining)]);
        length += part.len() as u64;
        let consumed = part.len() + usize::from(end.is_some());
        input.consume(consumed);
        if end.is_some() {
            return Ok(Some(length));
        }
    }
}

/// Answers one line; returns whether it was valid.
fn answer_line<A: Display>(
    line: &[u8],
    length: u64,
    output: &mut impl Write,
    answer: impl Fn(&str) -> Result<A, ParseError>,
    errors: ErrorFormat,
) -> io::Result<bool> {
    let too_long = if length > line.len() as u64 {
        Some(NotationError::LineTooLong { limit: MAX_LINE_BYTES })
    } else {
        None
    };
    let result = match (too_long, std::str::from_utf8(line)) {
        (Some(error), _) => Err(error),
        (None, Ok(text)) => Ok(text),
        (None, Err(error)) => Err(NotationError::NotText { at: error.valid_up_to() }),
    };
    match (result.map(|text| (text, answer(text))), errors) {
        (Ok((_, Ok(value))), _) => {
            writeln!(output, "{value}")?;
            return Ok(true);
        }
        (Ok((_, Err(error))), ErrorFormat::Plain) => write_problems(&error, output)?,
        (Ok((text, Err(error))), ErrorFormat::Json) => {
            writeln!(output, "{}", problems::to_json(text, &error))?;
        }
        (Err(error), ErrorFormat::Plain) => {
            writeln!(output, "error: {}", LayoutError::from(error))?
        }
        (Err(error), ErrorFormat::Json) => {
            writeln!(output, "{}", problems::of_line(&error.into()))?
        }
    }
    Ok(false)
}

/// All problems of an expression in one line.
fn write_problems(error: &ParseError, output: &mut impl Write) -> io::Result<()> {
    for (i, problem) in error.problems().iter().enumerate() {
        output.write_all(if i == 0 { b"error: " } else { b"; " })?;
        // Quoted input may contain terminal control characters.
        for c in problem.error.message().as_str().chars() {
            if c.is_control() {
                write!(output, "{}", c.escape_default())?;
            } else {
                write!(output, "{c}")?;
            }
        }
        write!(output, " (at {}..{})", problem.span.start, problem.span.end)?;
    }
    output.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use layout_view::notation::eval;

    use super::*;

    fn answers(input: impl AsRef<[u8]>) -> (String, bool) {
        let mut output = Vec::new();
        let all_valid =
            answer_lines(input.as_ref(), &mut output, eval, ErrorFormat::Plain).expect("memory");
        (String::from_utf8(output).expect("text"), all_valid)
    }

    #[test]
    fn every_line_has_one_answer() {
        assert_eq!(answers(""), (String::new(), true));
        assert_eq!(answers("8:2"), ("8:2\n".into(), true));
        assert_eq!(answers("8:2\r\n4\n"), ("8:2\n4:1\n".into(), true));
        let (text, all_valid) = answers(b"8:2\n\n(4,\n\xff\n\x1b\n(4,8u32):(8,-)\n4:1\n");
        let expected = "8:2\n\
                        error: there is no layout here (at 0..0)\n\
                        error: `(` is not closed (at 0..1)\n\
                        error: the line is not UTF-8 from byte 0 on\n\
                        error: `\\u{1b}` is not part of the layout notation (at 0..1)\n\
                        error: integer `8u32` has a suffix (at 3..7); expected a number after \
                        the sign, found `)` (at 13..14)\n\
                        4:1\n";
        assert_eq!((text.as_str(), all_valid), (expected, false));
    }

    #[test]
    fn a_long_line_is_refused_and_skipped() {
        let mut input = " ".repeat(MAX_LINE_BYTES - 1);
        input.push_str("4\n");
        input.push_str(&" ".repeat(3 * MAX_LINE_BYTES));
        input.push_str("4\n8:2\n");
        let expected = "4:1\nerror: the line has more than 65536 bytes\n8:2\n";
        assert_eq!(answers(input), (expected.into(), false));
    }

    #[test]
    fn with_json_an_error_is_an_object() {
        let mut output = Vec::new();
        let input = &b"(4,\n\xff\n8:2\n"[..];
        let all_valid = answer_lines(input, &mut output, eval, ErrorFormat::Json).expect("memory");
        let text = String::from_utf8(output).expect("text");
        let expected = "{\"schema\":1,\"errors\":[{\"code\":\"L0110\",\"message\":\"`(` is not closed\",\
                        \"help\":\"\",\"start\":0,\"end\":1,\"token\":\"(\"}]}\n";
        assert!(!all_valid);
        assert_eq!(text.lines().count(), 3, "{text}");
        assert_eq!(text.lines().last(), Some("8:2"));
        assert!(text.starts_with(expected), "{text}");
    }

    /// Input that returns one line at a time and then shows what has been written.
    struct InteractiveInput<'a> {
        lines: Vec<&'static [u8]>,
        written: &'a std::cell::RefCell<Vec<u8>>,
        seen: Vec<usize>,
    }

    impl Read for &mut InteractiveInput<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.seen.push(self.written.borrow().len());
            let Some(line) = self.lines.pop() else { return Ok(0) };
            buffer[..line.len()].copy_from_slice(line);
            Ok(line.len())
        }
    }

    struct Output<'a>(&'a std::cell::RefCell<Vec<u8>>);

    impl Write for Output<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_answer_does_not_wait_for_the_next_question() {
        let written = std::cell::RefCell::new(Vec::new());
        let mut input =
            InteractiveInput { lines: vec![b"(2,2)\n", b"8:2\n"], written: &written, seen: vec![] };
        assert!(
            answer_lines(&mut input, Output(&written), eval, ErrorFormat::Plain).expect("memory")
        );
        assert_eq!(input.seen, [0, "8:2\n".len(), "8:2\n(2,2):(1,2)\n".len()]);
    }
}
