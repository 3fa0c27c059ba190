//! What people look at: facts and pictures of tensor layouts.
//!
//! The command `layout` prints what is here, and the page shows it. Nothing here reads or writes files.

#![forbid(unsafe_code)]

pub mod access;
pub mod assertions;
pub mod derive;
pub mod devices;
pub mod difference;
pub mod facts;
mod function;
pub mod picture;
pub mod subject;
