//! The problems of a text, as JSON.

use std::ops::Range;

use layout_core::error::LayoutError;
use layout_core::text::ParseError;
use serde_json::{Value as Json, json};

use crate::SCHEMA;

/// `{"schema":1,"errors":[{"code":..,"message":..,"help":..,"start":..,"end":..,"token":..}]}`: the
/// problems in text order; `start..end` is a byte range.
///
/// # Examples
///
/// ```
/// use layout_core::text::eval;
/// use layout_view::problems;
///
/// let text = "(4,8";
/// let error = eval(text).expect_err("it is not closed");
/// assert_eq!(problems::to_json(text, &error)["errors"][0]["start"], 0);
/// ```
pub fn to_json(text: &str, error: &ParseError) -> Json {
    json!({ "schema": SCHEMA, "errors": list(text, error) })
}

/// The list of problems alone.
pub(crate) fn list(text: &str, error: &ParseError) -> Vec<Json> {
    let errors = error.problems().iter().map(|problem| {
        let mut object = of_error(&problem.error);
        let Range { start, end } = problem.span.clone();
        object["start"] = json!(start);
        object["end"] = json!(end);
        object["token"] = json!(text.get(start..end));
        object
    });
    errors.collect()
}

/// The same for an error without a position.
pub fn of_line(error: &LayoutError) -> Json {
    json!({ "schema": SCHEMA, "errors": [of_error(error)] })
}

/// The same for errors outside texts, such as a missing file.
pub fn of_message(message: &str) -> Json {
    json!({ "schema": SCHEMA, "errors": [{ "code": null, "message": message, "help": "" }] })
}

pub(crate) fn of_error(error: &LayoutError) -> Json {
    json!({
        "code": error.code(),
        "message": error.message().as_str(),
        "help": error.help().as_str(),
    })
}
