//! Files for download: a picture in some format, or a program.

use layout_core::error::LayoutError;
use layout_core::text::Value;
use layout_view::convert::{self, Notation};
use layout_view::picture::{Picture, Text};

use super::drawing::{self, PictureRequest};

/// File format of an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    Svg,
    Tikz,
    Html,
    Text,
    Json,
    Rust,
}

impl Format {
    pub(super) const ALL: [(&'static str, Self); 6] = [
        ("svg", Self::Svg),
        ("tikz", Self::Tikz),
        ("html", Self::Html),
        ("text", Self::Text),
        ("json", Self::Json),
        ("rust", Self::Rust),
    ];

    pub(super) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, format)| format)
    }
}

/// Contents of the file.
pub(super) fn file(
    value: &Value,
    format: Format,
    request: PictureRequest,
) -> Result<String, LayoutError> {
    let draw = match format {
        Format::Svg => Picture::to_svg,
        Format::Tikz => Picture::to_tikz,
        Format::Html => Picture::to_html,
        Format::Text => |picture: &Picture| picture.to_text(Text::default()),
        Format::Json => Picture::to_json,
        Format::Rust => {
            let program = convert::say(value, Notation::Rust, request.element)?;
            return Ok(format!("type Layout = {program};\n"));
        }
    };
    drawing::picture(value, request).map(|picture| draw(&picture))
}
