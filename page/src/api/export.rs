//! Files to take along: a picture in some format, or a program.

use layout_core::error::LayoutError;
use layout_core::text::Value;
use layout_view::convert::{self, Notation};

use super::drawing::{self, Request};

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    Json,
    Rust,
}

impl Format {
    pub(super) const ALL: [(&'static str, Self); 2] = [("json", Self::Json), ("rust", Self::Rust)];

    pub(super) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, format)| format)
    }
}

/// The text of a file.
pub(super) fn file(value: &Value, format: Format, request: Request) -> Result<String, LayoutError> {
    match format {
        Format::Json => drawing::picture(value, request),
        Format::Rust => convert::say(value, Notation::Rust, request.element),
    }
}
