//! `layout show`: facts about a layout, and a picture of it.

use layout_core::text::{ParseError, Value};

use layout_view::facts::Facts;
use layout_view::picture::Picture;
use layout_view::subject;

/// One JSON object, in one line.
///
/// # Errors
///
/// Everything that is wrong with the text.
pub(crate) fn json(text: &str) -> Result<String, ParseError> {
    let (_, facts) = read(text)?;
    Ok(facts.to_json().to_string())
}

/// A line for each fact, and a picture.
///
/// # Errors
///
/// Everything that is wrong with the text.
pub(crate) fn plain(text: &str) -> Result<String, ParseError> {
    let (value, facts) = read(text)?;
    let mut lines: Vec<String> = facts.lines().collect();
    let tables: Vec<String> = facts.tables().collect();
    if !tables.is_empty() {
        lines.push(String::new());
        lines.extend(tables);
    }
    if let Some(picture) = Picture::of(&value) {
        let drawn = subject::at(text, picture.draw())?;
        lines.push(String::new());
        lines.extend(drawn.lines().map(str::to_owned));
    }
    Ok(lines.join("\n"))
}

fn read(text: &str) -> Result<(Value, Facts), ParseError> {
    let value = subject::read(text)?;
    let facts = subject::at(text, Facts::of(&value))?;
    Ok((value, facts))
}
