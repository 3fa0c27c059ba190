//! What `layout!` and `einsum!` expand to. Not for direct use, and not covered by semver.

pub use core::default::Default;
pub use core::primitive::{str, usize};
pub use core::result::Result::{Err, Ok};

pub use layout_core::devices::spyre::{Contiguous, Synthetic};
pub use layout_core::devices::tenstorrent::{Faces, PaddedMap, Scalars, Tiles};
pub use layout_core::macro_support::{into_result, product, rest_of, swizzled, to_operand};
pub use layout_core::operations::*;
pub use layout_core::types::{
    CompactStride, Cons, Dimension0, Dyn, Keep, Morello, Nat, NatMul, Next, Nil, OddEvenPart,
    PackedPart, PartOf, RestPart, ShapelessLayout, StaticLayout, Tile, constant,
};
pub use layout_kernels::{Einsum, StaticSubscripts, assert_gemm, einsum_options};
pub use layout_macros::{einsum_impl, layout_impl};
pub use typenum;
