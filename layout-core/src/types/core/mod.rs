//! The building blocks of the algebra on types: integers, decisions, trees, and [`invalid`] results.

pub(crate) mod closed;
pub(crate) mod domain;
pub(crate) mod flat;
pub(crate) mod guard;
pub(crate) mod invalid;
pub(crate) mod leafwise;
pub(crate) mod mode_coord;
pub(crate) mod modes;
pub(crate) mod nat;
pub(crate) mod numbers;
pub(crate) mod sealed;
pub(crate) mod symbolic;
pub(crate) mod table;
pub(crate) mod ternary;
pub(crate) mod tree;
pub(crate) mod visit;
