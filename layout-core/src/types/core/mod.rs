//! What the algebra on types is built from: integers, decisions, trees, and [`invalid`] results.

pub mod constant;
pub(crate) mod fallibility;
pub(crate) mod flat;
pub(crate) mod gcd;
pub(crate) mod invalid;
pub(crate) mod leafwise;
pub(crate) mod modes;
pub(crate) mod nat;
pub(crate) mod numbers;
pub(crate) mod offset;
pub(crate) mod place;
pub(crate) mod sealed;
pub(crate) mod symbolic;
pub(crate) mod ternary;
pub(crate) mod tree;
pub(crate) mod visit;
