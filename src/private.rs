//! What `layout!` and `einsum!` expand to paths below: not for use by hand, and not covered by semver.

pub use core::default::Default;
pub use core::primitive::{str, usize};
pub use core::result::Result::{Err, Ok};

pub use layout_core::expansion::{given, product, rest_of, settled};
pub use layout_core::operations::*;
pub use layout_core::types::{
    CompactStride, Cons, Contiguous, Dimension0, Dyn, Faces, Keep, Metal, Morello, Nat, NatMul,
    Next, Nil, OddEvenPart, PackedPart, PaddedMap, PartOf, RestPart, Scalars, ShapelessLayout,
    StaticLayout, Synthetic, Tile, Tiles, constant,
};
pub use layout_kernels::{Einsum, StaticSubscripts, einsum_options};
pub use layout_macros::{einsum_impl, layout_impl};
pub use typenum;
