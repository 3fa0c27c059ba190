//! What `layout!` expands to paths below: not for use by hand, and not covered by semver.

pub use core::result::Result::{Err, Ok};

pub use layout_core::expansion::{product, rest_of};
pub use layout_core::types::{
    Coalesce, Complement, Composition, Cons, Dimension0, Dyn, Flatten, Keep, LogicalDivide,
    LogicalProduct, Morello, Nat, NatMul, Next, Nil, OddEvenPart, PackedPart, PartOf, RestPart,
    RightInverse, StaticLayout, Tile, ZippedDivide,
};
pub use layout_macros::layout_impl;
pub use typenum;

/// `complement(A)` without a cotarget: the gaps inside `A`.
pub type ComplementInCosize<A> = Complement<A, <A as StaticLayout>::Cosize>;
