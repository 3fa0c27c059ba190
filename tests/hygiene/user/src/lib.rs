//! `layout!` through a crate that re-exports it, without std and without a prelude.
#![no_std]
#![no_implicit_prelude]

use ::hygiene_reexport::layouts as library;

::core::include!("../../body.rs");

type Renamed = ::hygiene_reexport::notation!((4, 8):(8, 1));
type Wrapped = ::hygiene_reexport::rows!(4, 8);
same!(Renamed, Wrapped);
