//! What `layout!` and `einsum!` expand to paths below: not for use by hand, and not covered by semver.

pub use core::default::Default;
pub use core::primitive::{str, usize};
pub use core::result::Result::{Err, Ok};

pub use layout_core::devices::spyre::{Contiguous, Synthetic};
pub use layout_core::devices::tenstorrent::{Faces, PaddedMap, Scalars, Tiles};
pub use layout_core::expansion::{given, product, rest_of, settled};
pub use layout_core::types::{
    Append, BlockedProduct, Coalesce, CoalesceBy, CompactStride, Complement, ComplementInCosize,
    Composition, Cons, Dice, Dimension0, DomainDistribute, Downcast, Dyn, Filter, FilterBy,
    FilterZeros, FlatDivide, FlatProduct, Flatten, Group, Keep, LeftInverse, LogicalDivide,
    LogicalProduct, Make, MakeOrdered, MaxCommonLayout, MaxCommonVector, Morello, Nat, NatMul,
    Next, Nil, Nullspace, OddEvenPart, PackedPart, PartOf, Prepend, RakedProduct, Recast, Replace,
    RestPart, RightInverse, RowMajor, Select, ShapeDiv, ShapelessLayout, Slice, StaticLayout, Take,
    Tile, TileToShape, TileToShapeOrdered, TiledDivide, TiledProduct, Unflatten, Upcast, Zip,
    ZipWith, ZippedDivide, ZippedProduct, constant,
};
pub use layout_kernels::{Einsum, StaticSubscripts, einsum_options};
pub use layout_macros::{einsum_impl, layout_impl};
pub use typenum;
