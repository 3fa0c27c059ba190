//! What `layout!` expands to paths below: not for use by hand, and not covered by semver.

pub use core::result::Result::{Err, Ok};

pub use layout_core::expansion::{product, rest_of};
pub use layout_core::types::{
    Coalesce, Complement, ComplementInCosize, Composition, Cons, Dimension0, DomainDistribute,
    Downcast, Dyn, Filter, FilterZeros, FlatDivide, FlatProduct, Flatten, Keep, LeftInverse,
    LogicalDivide, LogicalProduct, MaxCommonLayout, MaxCommonVector, Morello, Nat, NatMul, Next,
    Nil, Nullspace, OddEvenPart, PackedPart, PartOf, Recast, RestPart, RightInverse, ShapeDiv,
    StaticLayout, Tile, TiledDivide, TiledProduct, Upcast, ZippedDivide, ZippedProduct,
};
pub use layout_macros::layout_impl;
pub use typenum;
