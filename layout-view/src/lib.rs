//! What people look at: facts and pictures of tensor layouts.
//!
//! The command `layout` prints what is here, and the page shows it. Nothing here reads or writes files.

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

/// The number of the form of all JSON that is made here. It changes when a name or its meaning does.
pub const SCHEMA: u32 = 1;
