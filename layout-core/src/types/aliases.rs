//! The operations by name: CuTe's, in CamelCase.
//!
//! Each gives a [`Layout`](super::Layout) in normal form, equal as a type to the same layout
//! written out. An operation that has no result gives an [`Invalid`](super::Invalid) layout, whose
//! constants are compile errors; [`assert_valid!`](crate::assert_valid) asks for the error by name.

mod divide;
mod function;
mod make;
mod product;
mod structure;

pub use divide::{FlatDivide, LocalPartition, LocalTile, LogicalDivide, TiledDivide, ZippedDivide};
pub use function::{
    Complement, ComplementInCosize, Composition, Downcast, Filter, FilterBy, FilterZeros,
    LeftInverse, MaxCommonLayout, MaxCommonVector, Nullspace, Recast, RightInverse, Upcast,
};
pub use make::{DomainDistribute, Make, MakeOrdered, RowMajor, ShapeDiv};
pub use product::{
    BlockedProduct, FlatProduct, LogicalProduct, RakedProduct, TileToShape, TileToShapeOrdered,
    TiledProduct, ZippedProduct,
};
pub use structure::{
    Append, Coalesce, CoalesceBy, Dice, Flatten, Group, Prepend, Replace, Select, Slice,
    SliceAndOffset, Take, Unflatten, Zip, ZipWith,
};
