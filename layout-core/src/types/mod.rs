//! Layouts as types: the same algebra as the engine's, done by the compiler.

mod any;

pub use any::{AnyLayout, AtCompileTime, AtRunTime, Check, ModeCoord};
