//! The register tile, and its instances.

pub(crate) mod arithmetic;
pub(crate) mod tile;
