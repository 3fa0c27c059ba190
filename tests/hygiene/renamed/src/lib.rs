//! `layout!` from a renamed dependency, without std and without a prelude.
#![no_std]
#![no_implicit_prelude]

use ::renamed as library;

::core::include!("../../body.rs");
