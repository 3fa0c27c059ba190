//! A web page for tensor layouts: one file that runs in a browser without a network.
//!
//! [`call`] is the interface: it takes a request as JSON and returns the answer as JSON. The page
//! calls it inside WebAssembly ([`html::Engine::Wasm`]), or sends the request to `layout explore`
//! ([`html::Engine::Server`]). JavaScript only draws the answers. It knows nothing about layouts.
//!
//! ```
//! let answer = static_layout_page::call(r#"{"op": "eval", "text": "(4,8) o 2:4"}"#);
//! assert!(answer.contains(r#""text":"2:4""#));
//! ```

mod api;
pub mod fragment;
// Excluded from the WebAssembly engine, so that a change of the page does not recompile it.
#[cfg(not(target_family = "wasm"))]
pub mod html;
#[cfg(target_family = "wasm")]
mod wasm;

pub use api::call;
