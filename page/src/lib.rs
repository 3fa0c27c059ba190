//! The page: tensor layouts in a browser, from one file without a network.
//!
//! [`call`] is the contract: a request as JSON, and its answer as JSON. The page calls it inside
//! WebAssembly ([`html::Engine::Wasm`]), or asks `layout explore` for it ([`html::Engine::Server`]).
//! JavaScript draws what is answered. It knows nothing about layouts.
//!
//! ```
//! let answer = static_layout_page::call(r#"{"op": "eval", "text": "(4,8) o 2:4"}"#);
//! assert!(answer.contains(r#""text":"2:4""#));
//! ```

mod api;
pub mod fragment;
// Not in the engine, so that a change of the page does not compile it again.
#[cfg(not(target_family = "wasm"))]
pub mod html;
#[cfg(target_family = "wasm")]
mod wasm;

pub use api::call;
