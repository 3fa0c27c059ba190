//! The register tile, its arithmetic, and the table of its instances.

pub(crate) mod arithmetic;
pub(crate) mod batch;
#[cfg(feature = "half")]
pub(crate) mod bf16;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod byte_pairs;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) mod byte_quads;
pub(crate) mod bytes;
#[cfg(feature = "num-complex-0_4")]
pub(crate) mod complex;
pub(crate) mod inner_product;
pub(crate) mod line;
pub(crate) mod policy;
pub(crate) mod row_combination;
mod rows;
pub(crate) mod shapes;
pub(crate) mod short_rows;
pub(crate) mod table;
pub(crate) mod tile;
pub(crate) mod widened;
pub(crate) mod words;
