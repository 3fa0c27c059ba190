//! Prints a derivation as text and as JSON.

use std::fmt;

use layout_core::text::Value;
use serde_json::{Value as Json, json};

use super::{Check, Derivation, Part, Step};
use crate::{SCHEMA, problems};

impl Derivation {
    /// One JSON object.
    pub fn to_json(&self) -> Json {
        let errors = self.value.as_ref().err();
        let errors = errors.map_or_else(Vec::new, |error| problems::list(&self.text, error));
        json!({
            "schema": SCHEMA,
            "text": self.text,
            "value": self.value.as_ref().ok().map(ToString::to_string),
            "errors": errors,
            "holds": self.holds(),
            "parts": self.parts.iter().map(|part| self.part(part)).collect::<Vec<_>>(),
        })
    }

    fn part(&self, part: &Part) -> Json {
        let Part { application, steps } = part;
        let truncated = |value: &Value| truncated(value, MAX_JSON_CHARS);
        let arguments: Vec<_> = application.arguments.iter().map(truncated).collect();
        json!({
            "operation": application.operation.name,
            "summary": application.operation.summary_for(arguments.len()),
            "start": application.place.start,
            "end": application.place.end,
            "text": self.text.get(application.place.clone()),
            "arguments": arguments,
            "value": application.result.as_ref().ok().map(truncated),
            "error": application.result.as_ref().err().map(problems::of_error),
            "steps": steps.iter().map(step).collect::<Vec<_>>(),
        })
    }
}

fn step(step: &Step) -> Json {
    let check = step.check.as_ref().map(|check| {
        json!({
            "law": check.law,
            "points": check.points,
            "of": check.of,
            "holds": check.holds(),
            "failure": check.failure,
        })
    });
    json!({
        "depth": step.depth,
        "rule": step.rule,
        "sentence": step.sentence,
        "value": step.value.as_ref().map(|value| truncated(value, MAX_JSON_CHARS)),
        "check": check,
    })
}

impl fmt::Display for Derivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.parts.is_empty() {
            let message = "There is no operation in it.";
            return match &self.value {
                Ok(value) => write!(f, "{value}\n{message}"),
                Err(_) => write!(f, "{message}"),
            };
        }
        for (i, part) in self.parts.iter().enumerate() {
            if i > 0 {
                f.write_str("\n\n")?;
            }
            write!(f, "{part}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments = self.application.arguments.iter();
        let arguments: Vec<_> = arguments.map(|value| truncated(value, MAX_TEXT_CHARS)).collect();
        write!(f, "{}({})", self.application.operation.name, arguments.join(", "))?;
        if let Ok(value) = &self.application.result {
            write!(f, " = {}", truncated(value, MAX_TEXT_CHARS))?;
        }
        for (i, step) in self.steps.iter().enumerate() {
            let indent = "  ".repeat(step.depth);
            write!(f, "\n{:>3}  {indent}{}", i + 1, step.sentence)?;
            if let Some(value) = &step.value {
                write!(f, "\n     {indent}  -> {}", truncated(value, MAX_TEXT_CHARS))?;
            }
            if let Some(check) = &step.check {
                write!(f, "\n     {indent}     {check}")?;
            }
        }
        Ok(())
    }
}

/// Maximum length of a value in text output.
const MAX_TEXT_CHARS: usize = 200;
/// Maximum length of a value in JSON: all of a layout, the start of a list.
const MAX_JSON_CHARS: usize = 1 << 12;

/// A value as text, cut to a maximum number of characters.
fn truncated(value: &Value, max_chars: usize) -> String {
    let text = value.to_string();
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{} ..", &text[..end]),
        None => text,
    }
}

/// `checked: A(R(i)) = i, at all 32 points`
impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { law, points, of, failure } = self;
        match failure {
            Some(failure) => write!(f, "FAILS: {law}; {failure}"),
            None if of == &1 => write!(f, "checked: {law}"),
            None if points == of => write!(f, "checked: {law}, at all {of} points"),
            None => write!(f, "checked: {law}, at the first {points} of {of} points"),
        }
    }
}
