//! The page as one file: its parts, and the engine.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

/// Script parts, in the order in which they are concatenated.
const SCRIPTS: [&str; 9] = [
    include_str!("../web/engine.js"),
    include_str!("../web/state.js"),
    include_str!("../web/panes.js"),
    include_str!("../web/cells.js"),
    include_str!("../web/editor.js"),
    include_str!("../web/compare.js"),
    include_str!("../web/examples.js"),
    include_str!("../web/export.js"),
    include_str!("../web/main.js"),
];

/// What answers the requests of the page.
#[derive(Clone, Copy, Debug)]
pub enum Engine<'a> {
    /// The module compiled by `build-page`, embedded in the file.
    Wasm(&'a [u8]),
    /// The page server, at `/call`. Requests need the token.
    Server {
        /// A secret of this server.
        token: &'a str,
    },
}

/// The whole page. `start` is the initial [fragment](crate::fragment), used if the URL has none.
///
/// ```
/// use static_layout_page::html::{Engine, page};
/// let html = page(Engine::Server { token: "0123" }, "e=(4,8)");
/// assert!(html.starts_with("<!doctype html>") && html.contains("token: \"0123\""));
/// ```
pub fn page(engine: Engine<'_>, start: &str) -> String {
    let (engine, connect) = match engine {
        Engine::Wasm(module) => {
            (format!("{{ wasm: \"{}\" }}", BASE64_STANDARD.encode(module)), "'none'")
        }
        // Keep only letters and digits, which cannot close the string or the script.
        Engine::Server { token } => {
            let safe: String = token.chars().filter(char::is_ascii_alphanumeric).collect();
            (format!("{{ token: \"{safe}\" }}"), "'self'")
        }
    };
    let script = format!(
        "\"use strict\";\n(() => {{\nconst ENGINE = {engine};\nconst START = {};\nconst EXAMPLES = {};\n{}}})();\n",
        serde_json::Value::from(start.replace('<', "%3C")),
        include_str!("../web/examples.json").trim_end(),
        SCRIPTS.join("\n")
    );
    include_str!("../web/page.html")
        .replacen("/* connect */", connect, 1)
        .replacen("/* page.css */", include_str!("../web/page.css"), 1)
        .replacen("/* script */", &script, 1)
}
