//! Assertions about layouts, one per line: layout tests for other projects.
//!
//! ```text
//! # Two ways to say it.
//! coalesce((2,(1,6)):(1,(6,2))) == 12:1
//! (4,8):(1,4) ~= 32:1
//! injective((4,8):(8,1))
//! compatible(24, (4,6))
//! fails(composition((6,2):(1,7), 4:2))
//! error[L0301] composition((6,2):(1,7), 4:2)
//! ```
//!
//! | line | meaning |
//! |---|---|
//! | `A == B` | both are printed in the same way: the same shape and strides, or the same number |
//! | `A != B` | they are not |
//! | `A ~= B` | both are the same function of 1-D coordinates |
//! | `A !~ B` | they are not |
//! | `injective(A)`, `bijective(A)`, `contiguous(A)` | `is_injective(A)` and so on |
//! | `E` | the expression is `true` |
//! | `fails(E)` | the expression has an error other than a syntax error |
//! | `error[L0301] E` | the expression has this error |
//!
//! A line that starts with `#` is a comment, and so is the text after ` # ` outside brackets.

use std::ops::Range;

use layout_core::error::{LayoutError, NotationError};
use layout_core::text::{Operation, ParseError, Value};
use serde_json::{Value as Json, json};

use crate::difference::Difference;
use crate::notation::{self, eval};
use crate::{SCHEMA, problems, subject};

/// The assertions of a file and their results.
#[derive(Clone, Debug)]
pub struct Assertions {
    /// The lines with assertions, in order.
    pub lines: Vec<Line>,
}

/// A line with an assertion.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its line number in the file, from 1.
    pub number: usize,
    /// The assertion, without its comment.
    pub text: String,
    /// The result.
    pub outcome: Outcome,
}

/// The result of an assertion.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It holds.
    Holds,
    /// It fails.
    Fails(Failure),
    /// It cannot be evaluated. Positions are in the line.
    Error(ParseError),
}

/// Why an assertion fails.
#[derive(Clone, Debug)]
pub struct Failure {
    /// One line, lower case, without a full stop.
    pub message: String,
    /// The values of both sides: their positions in the line, and their printed form.
    pub sides: Vec<(Range<usize>, String)>,
}

impl Assertions {
    /// Evaluates all lines of a file.
    ///
    /// ```
    /// use layout_view::assertions::Assertions;
    /// let file = "# rows\n(4,8):(8,1) == (4,8):(8,1)\n(4,8):(8,1) ~= (4,8):(1,4)\n";
    /// let assertions = Assertions::of(file);
    /// assert_eq!((assertions.lines.len(), assertions.failed()), (2, 1));
    /// assert_eq!(assertions.lines[1].number, 3);
    /// ```
    pub fn of(file: &str) -> Self {
        let lines = file.lines().enumerate().filter_map(|(i, line)| {
            let text = without_comment(line);
            (!text.trim().is_empty()).then(|| Line {
                number: i + 1,
                text: text.to_owned(),
                outcome: outcome(text),
            })
        });
        Self { lines: lines.collect() }
    }

    /// Number of assertions that fail or cannot be evaluated.
    pub fn failed(&self) -> usize {
        self.lines.iter().filter(|line| !matches!(line.outcome, Outcome::Holds)).count()
    }

    /// `12 assertions hold`, or `2 of 12 assertions fail`.
    pub fn summary(&self) -> String {
        let (all, failed) = (self.lines.len(), self.failed());
        match (all, failed) {
            (1, 0) => "1 assertion holds".to_owned(),
            (1, _) => "the only assertion fails".to_owned(),
            (all, 0) => format!("{all} assertions hold"),
            (all, failed) => format!("{failed} of {all} assertions fail"),
        }
    }

    /// One JSON object.
    pub fn to_json(&self) -> Json {
        json!({
            "schema": SCHEMA,
            "assertions": self.lines.len(),
            "failed": self.failed(),
            "lines": self.lines.iter().map(Line::to_json).collect::<Vec<_>>(),
        })
    }
}

impl Line {
    fn to_json(&self) -> Json {
        let mut object = json!({ "line": self.number, "text": self.text });
        let (result, message, sides, errors) = match &self.outcome {
            Outcome::Holds => ("holds", None, Vec::new(), Vec::new()),
            Outcome::Fails(failure) => {
                let sides = failure.sides.iter().map(
                    |(span, value)| json!({ "start": span.start, "end": span.end, "value": value }),
                );
                ("fails", Some(failure.message.clone()), sides.collect(), Vec::new())
            }
            Outcome::Error(error) => ("error", None, Vec::new(), problems::list(&self.text, error)),
        };
        object["result"] = json!(result);
        object["message"] = json!(message);
        object["sides"] = Json::Array(sides);
        object["errors"] = Json::Array(errors);
        object
    }
}

/// The line without its comment.
fn without_comment(line: &str) -> &str {
    if line.trim_start().starts_with('#') {
        return "";
    }
    // A `#` that starts an attribute, such as `#tt.metal_layout`, has no space after it.
    let comment = subject::outside_brackets(line).find(|&(at, c)| {
        c == '#'
            && line[..at].ends_with(char::is_whitespace)
            && !line[at + 1..].starts_with(char::is_alphanumeric)
    });
    comment.map_or(line, |(at, _)| &line[..at]).trim_end()
}

/// The two sides and the operator between them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Equal,
    NotEqual,
    SameFunction,
    OtherFunction,
}

const COMPARISONS: [(&str, Comparison); 4] = [
    ("==", Comparison::Equal),
    ("!=", Comparison::NotEqual),
    ("~=", Comparison::SameFunction),
    ("!~", Comparison::OtherFunction),
];

fn outcome(line: &str) -> Outcome {
    evaluate(line).unwrap_or_else(Outcome::Error)
}

fn evaluate(line: &str) -> Result<Outcome, ParseError> {
    let span = trim_range(line, 0..line.len());
    let text = &line[span.clone()];
    if let Some(span) = call_argument(line, &span, "fails") {
        return Ok(match eval(&line[span.clone()]) {
            // `fails(..)` does not accept syntax errors.
            Err(error) if is_about_notation(&error) => Outcome::Error(error.shifted(span.start)),
            Err(_) => Outcome::Holds,
            Ok(value) => fails("the expression has a value", vec![(span, value.to_string())]),
        });
    }
    if let Some(rest) = text.strip_prefix("error[")
        && let Some((code, expression)) = rest.split_once(']')
    {
        let start = span.end - expression.len();
        return Ok(has_error(line, code, trim_range(line, start..span.end)));
    }
    let found = subject::outside_brackets(line).find_map(|(at, _)| {
        COMPARISONS.iter().find(|(sign, _)| line[at..].starts_with(sign)).map(|one| (at, one))
    });
    if let Some((at, (sign, comparison))) = found {
        let sides = [0..at, at + sign.len()..line.len()];
        return compare(line, sides, *comparison);
    }
    for (short, name) in [
        ("injective", "is_injective"),
        ("bijective", "is_bijective"),
        ("contiguous", "is_contiguous"),
    ] {
        if let Some(argument) = call_argument(line, &span, short)
            && let Some(operation) = Operation::find(name)
        {
            let value = value(line, argument.clone())?;
            let result =
                subject::within(argument.clone(), operation.run(std::slice::from_ref(&value)))?;
            return Ok(holds_if_true(
                result,
                format!("the layout is not {short}"),
                (argument, value.to_string()),
            ));
        }
    }
    let result = value(line, span.clone())?;
    if let Value::Truth(_) = result {
        let side = (span, result.to_string());
        return Ok(holds_if_true(result, "the expression is not true".to_owned(), side));
    }
    let expected = "an assertion, such as `A == B`, `A ~= B` or `injective(A)`";
    let found = result.describe();
    subject::within(span, Err(NotationError::Kind { expected, found }.into()))
}

/// Whether an error is one of the notation: codes L0101 to L0199.
fn is_about_notation(error: &ParseError) -> bool {
    error.problems().iter().any(|problem| matches!(problem.error, LayoutError::Notation(_)))
}

fn holds_if_true(truth: Value, message: String, side: (Range<usize>, String)) -> Outcome {
    match truth {
        Value::Truth(true) => Outcome::Holds,
        _ => Outcome::Fails(Failure { message, sides: vec![side] }),
    }
}

fn fails(message: impl Into<String>, sides: Vec<(Range<usize>, String)>) -> Outcome {
    Outcome::Fails(Failure { message: message.into(), sides })
}

fn has_error(line: &str, code: &str, span: Range<usize>) -> Outcome {
    match eval(&line[span.clone()]) {
        Ok(value) => fails(format!("there is no error {code}"), vec![(span, value.to_string())]),
        Err(error) => {
            let mut problems = error.problems().iter();
            if problems.any(|problem| problem.error.code().eq_ignore_ascii_case(code)) {
                return Outcome::Holds;
            }
            let found: Vec<_> = error
                .problems()
                .iter()
                .map(|problem| {
                    let Range { start, end } = problem.span.clone();
                    let text = format!("error[{}]: {}", problem.error.code(), problem.error);
                    (span.start + start..span.start + end, text)
                })
                .collect();
            fails(format!("the error is not {code}"), found)
        }
    }
}

fn compare(
    line: &str,
    [left, right]: [Range<usize>; 2],
    comparison: Comparison,
) -> Result<Outcome, ParseError> {
    let (left, right) = (trim_range(line, left), trim_range(line, right));
    let [a, b] = [value(line, left.clone()), value(line, right.clone())];
    let (a, b) = (a?, b?);
    let both_sides = left.start..right.end;
    let sides = vec![(left, a.to_string()), (right, b.to_string())];
    let failure = match comparison {
        Comparison::Equal => (a != b).then(|| "the sides differ".to_owned()),
        Comparison::NotEqual => (a == b).then(|| "the sides are equal".to_owned()),
        Comparison::SameFunction | Comparison::OtherFunction => {
            let difference = subject::within(both_sides, Difference::of(&a, &b, None))?;
            let expect_same = comparison == Comparison::SameFunction;
            (difference.is_same() != expect_same).then(|| match difference.is_same() {
                true => "the sides are the same function".to_owned(),
                false => difference.brief(),
            })
        }
    };
    Ok(failure.map_or(Outcome::Holds, |message| fails(message, sides)))
}

/// The value of a part of a line; positions of problems are in the line.
fn value(line: &str, span: Range<usize>) -> Result<Value, ParseError> {
    // Not `eval`: a shape must stay a shape, so that `size(A) == 32` compares numbers.
    notation::parse(&line[span.clone()]).map_err(|error| error.shifted(span.start))
}

fn trim_range(line: &str, span: Range<usize>) -> Range<usize> {
    let text = &line[span.clone()];
    let start = span.start + text.len() - text.trim_start().len();
    start..(start + text.trim().len())
}

/// The argument if the whole text is `name(..)`.
fn call_argument(line: &str, span: &Range<usize>, name: &str) -> Option<Range<usize>> {
    let text = &line[span.clone()];
    let after_name = text.strip_prefix(name)?.trim_start();
    let argument = after_name.strip_prefix('(')?.strip_suffix(')')?;
    // The call is the whole text if only the name is outside brackets.
    let outside = subject::outside_brackets(text).filter(|(_, c)| !c.is_whitespace()).count();
    let start = span.end - 1 - argument.len();
    (outside == name.len()).then(|| trim_range(line, start..span.end - 1))
}
