//! What `layout!` expands to paths below: not for use by hand, and not covered by semver.

pub use core::result::Result::{Err, Ok};

pub use layout_core::expansion::{product, rest_of};
pub use layout_core::types::{
    Append, BlockedProduct, Coalesce, CoalesceBy, Complement, ComplementInCosize, Composition,
    Cons, Dice, Dimension0, DomainDistribute, Downcast, Dyn, Filter, FilterZeros, FlatDivide,
    FlatProduct, Flatten, Group, Keep, LeftInverse, LogicalDivide, LogicalProduct, Make,
    MakeOrdered, MaxCommonLayout, MaxCommonVector, Morello, Nat, NatMul, Next, Nil, Nullspace,
    OddEvenPart, PackedPart, PartOf, Prepend, RakedProduct, Recast, Replace, RestPart,
    RightInverse, RowMajor, Select, ShapeDiv, Slice, StaticLayout, Take, Tile, TileToShape,
    TileToShapeOrdered, TiledDivide, TiledProduct, Unflatten, Upcast, Zip, ZipWith, ZippedDivide,
    ZippedProduct,
};
pub use layout_macros::layout_impl;
pub use typenum;
