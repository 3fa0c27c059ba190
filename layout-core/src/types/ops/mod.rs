//! The operations on trees of modes, one file each.

pub(crate) mod blocked;
pub(crate) mod by_mode;
pub(crate) mod by_profile;
pub(crate) mod coalesce;
pub(crate) mod compact;
pub(crate) mod complement;
pub(crate) mod compose;
pub(crate) mod distribute;
pub(crate) mod filter;
pub(crate) mod inverse;
pub(crate) mod left_inverse;
pub(crate) mod make_ordered;
pub(crate) mod max_common;
pub(crate) mod morello;
pub(crate) mod partition;
pub(crate) mod permute;
pub(crate) mod range;
pub(crate) mod recast;
pub(crate) mod select;
pub(crate) mod shape_div;
pub(crate) mod slicer;
pub(crate) mod unflatten;
pub(crate) mod windows;
pub(crate) mod zip;
pub(crate) mod zipped;
