//! What `layout!` expands to paths below: not for use by hand, and not covered by semver.

pub use core::result::Result::{Err, Ok};

pub use layout_core::expansion::{product, rest_of};
pub use layout_core::types::{Cons, Dyn, Nat, NatMul, Nil, Poison};
pub use layout_macros::layout_impl;
pub use typenum;
