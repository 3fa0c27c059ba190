//! Facts about tensor layouts and pictures of them, for human readers.
//!
//! The `layout` command prints these, and the web page displays them. This crate reads and writes
//! no files.

#![forbid(unsafe_code)]

pub mod access;
pub mod assertions;
pub mod convert;
pub mod derive;
pub mod devices;
pub mod difference;
pub mod facts;
pub mod function;
pub mod mlir;
pub mod notation;
pub mod picture;
mod point;
pub mod problems;
pub mod subject;

/// The schema version of all JSON written by this crate. It changes when a name or its meaning
/// changes.
pub const SCHEMA: u32 = 1;
