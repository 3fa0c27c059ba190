//! Parses the subject of a command.

use std::ops::Range;

use layout_core::error::LayoutError;
use layout_core::text::{ParseError, Problems};

/// The characters outside brackets, with their positions. `->` and `=>` do not count as brackets.
pub fn outside_brackets(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut depth, mut before) = (0usize, ' ');
    text.char_indices().filter(move |&(_, c)| {
        let arrow = c == '>' && (before == '-' || before == '=');
        before = c;
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' if !arrow => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        false
    })
}

/// Attaches the range of the whole text to the error of a result.
///
/// # Errors
///
/// The error of the result, with its position in the text.
pub fn at<T>(text: &str, result: Result<T, LayoutError>) -> Result<T, ParseError> {
    let start = text.len() - text.trim_start().len();
    within(start..text.trim_end().len().max(start), result)
}

/// Attaches the range of a part of a text to the error of a result.
///
/// # Errors
///
/// The error of the result, with its position in the text.
pub fn within<T>(place: Range<usize>, result: Result<T, LayoutError>) -> Result<T, ParseError> {
    result.map_err(|error| {
        let mut problems = Problems::new();
        problems.push(place, error);
        problems.into()
    })
}
