//! Layouts of IBM Spyre: sticks of 128 bytes, padded extents and a map of dimensions.
//!
//! A tensor on the *host* has a size and strides, as in PyTorch. On the *device* it has more
//! dimensions. Each is a part of a host dimension, and the device is always row-major over them:
//!
//! * The *canonical form* of the host omits its dimensions of extent 1. Everything below refers to
//!   the remaining dimensions.
//! * `device_size` has the extents of the device, padding included. `dim_map` has for each of them
//!   the host dimension that it is a part of. The parts of one host dimension are the digits of a
//!   mixed-radix number, the least significant last. `device_stride[i]` is the product of
//!   `device_size[i + 1..]`; the notation does not contain it.
//! * The last device dimension is the *stick*: 128 bytes of contiguous elements, aligned to 128
//!   bytes. It holds 1024 / (bits per element) elements.
//! * A last entry of -1 in `dim_map` is a *synthetic* stick. It belongs to no host dimension, and
//!   holds only one element, the first: the tensor is *sparse*.
//! * A device coordinate is *padding* if it is beyond the extent of a host dimension, or beyond the
//!   first element of a synthetic stick. Padding is at the high end of each dimension.
//!
//! # The examples of the specification
//!
//! A tensor of size (128,256,512) with the `dim_map` `[1, 2, 0, 2]` and the `device_size`
//! `[256, 8, 128, 64]`: the element with device coordinate (a,b,c,d) has the host coordinate (c, a,
//! b*64 + d).
//!
//! ```
//! use static_layout::devices::{ElementType, spyre::SpyreLayout};
//! let (device_size, dim_map) = ([256, 8, 128, 64], [1, 2, 0, 2]);
//! let l = SpyreLayout::new(&[128, 256, 512], ElementType::F16, &device_size, &dim_map)?;
//! let (a, b, c, d) = (200, 3, 50, 9);
//! assert_eq!(l.host_coordinate(&[a, b, c, d])?.unwrap().leaves(), &[c, a, b * 64 + d]);
//! assert_eq!(l.device_stride(), &[65536, 8192, 64, 1]);
//! assert_eq!(l.padding(), 0);
//!
//! // The same for a tensor of size (100,200,500), which is padded.
//! let l = SpyreLayout::new(&[100, 200, 500], ElementType::F16, &device_size, &dim_map)?;
//! assert_eq!(l.host_coordinate(&[199, 7, 99, 51])?.unwrap().leaves(), &[99, 199, 499]);
//! assert_eq!(l.host_coordinate(&[199, 7, 99, 52])?, None);
//! assert_eq!((l.padding(), l.bytes()), (6_777_216, 33_554_432));
//! # Ok::<(), static_layout::LayoutError>(())
//! ```
//!
//! Dimensions of extent 1 do not count: the map of a tensor of size (512,1,256) has the dimensions 0
//! and 1, and the default layouts of (512,1) and (512) are the same.
//!
//! ```
//! # use static_layout::devices::{ElementType, spyre::SpyreLayout};
//! let l = SpyreLayout::new(&[512, 1, 256], ElementType::F16, &[4, 512, 64], &[1, 0, 1])?;
//! assert_eq!(l.canonical_size(), &[512, 256]);
//! assert_eq!(l.device_coordinate(&[511, 0, 255])?.leaves(), &[3, 511, 63]);
//! let trap = SpyreLayout::new(&[512, 1, 256], ElementType::F16, &[4, 512, 64], &[2, 0, 2]);
//! assert_eq!(
//!     trap.unwrap_err().to_string(),
//!     "dimension 0 of the device is part of dimension 2 of the host, which has 2, not counting those of \
//!      extent 1"
//! );
//! let (flat, column) = (
//!     SpyreLayout::dense(&[512], ElementType::F16, None)?,
//!     SpyreLayout::dense(&[512, 1], ElementType::F16, None)?,
//! );
//! assert_eq!(flat.device_size(), column.device_size());
//! # Ok::<(), static_layout::LayoutError>(())
//! ```
//!
//! A sparse tensor has one element in each stick:
//!
//! ```
//! # use static_layout::devices::{ElementType, spyre::SpyreLayout};
//! let l = SpyreLayout::new(&[512], ElementType::F16, &[512, 64], &[0, -1])?;
//! assert!(l.is_sparse());
//! assert_eq!((l.offset(&[511])?, l.bytes()), (511 * 64, 65_536));
//! assert_eq!(l.host_coordinate(&[1, 1])?, None);
//! # Ok::<(), static_layout::LayoutError>(())
//! ```
//!
//! # Notation
//!
//! ```text
//! spyre { size: [100, 200, 500], dtype: f16, device_size: [256, 8, 128, 64], dim_map: [1, 2, 0, 2] }
//! ```
//!
//! | field | meaning |
//! |---|---|
//! | `size` | the extents of the host |
//! | `stride` | the strides of the host, in elements; default: a contiguous host |
//! | `dtype` | the [type of the elements](crate::devices::ElementType), by one of its names |
//! | `device_size`, `dim_map` | the extents of the device, and the host dimension of each |
//! | `stride_map` | instead of `dim_map`: the [step in host memory](SpyreLayout::from_stride_map), or -1 |
//! | `order`, `sparse: true` | instead of all three: a [default layout](SpyreLayout::dense) |
//! | `current: true` | the layout in the project's current form, a [`CurrentLayout`] |
//! | `relaxed: true` | omits entries of -1 with extent 1 before the stick ([`relaxed`](SpyreLayout::relaxed)) |
//!
//! `layout!` accepts the same notation, as a type and as a value ([`Spyre`]).
//!
//! # Decisions where the specification is open
//!
//! * [Default layouts](SpyreLayout::dense) follow the code at the time of the specification.
//! * A tensor of one element, of size () or all 1, has the `device_size` `[64]` for 16 bits, and the
//!   `dim_map` `[-1]`.
//! * There is at most one synthetic dimension, as the specification says. The project also writes
//!   synthetic dimensions of extent 1, as in `[1, -1, 0, -1]`, which change no offset:
//!   `relaxed: true` omits them.
//! * More room than needed is allowed, in sticks and elsewhere. The contents of padding are
//!   unspecified.
//! * The newer form with a [`stride_map`](SpyreLayout::from_stride_map) is read.
//!
//! # The current form
//!
//! The rules above are those of the specification of February 2026. torch-spyre has changed since:
//!
//! | upstream change | meaning | here |
//! |---|---|---|
//! | pull request 787 | dimensions of extent 1 are kept, in `device_size` and in the order | `current: true` |
//! | pull requests 1068, 1306 | `stride_map` instead of `dim_map`: any step, -1 and 0 | `stride_map`; a map without an equivalent `dim_map` is a [`CurrentLayout`] |
//! | pull requests 470, 529 | `[1, -1, 0, -1]`: a synthetic dimension of extent 1 before the stick | `current: true`, or `relaxed: true` |
//! | `order` with -1 at the end | the order of a sparse tensor | read by both |
//!
//! `current: true` selects the current rules, and `current: false` those of the specification.
//! Without either, a text that is valid by the specification has that meaning. A text that is valid
//! only by the current rules is a [`CurrentLayout`]:
//!
//! ```
//! use static_layout::text::eval;
//! let today = eval("spyre { size: [4, 1], dtype: f32, current: true }")?;
//! assert_eq!(
//!     today.to_string(),
//!     "spyre { size: [4, 1], dtype: f32, device_size: [1, 4, 32], stride_map: [-1, 1, -1], current: true }"
//! );
//! let specified = eval("spyre { size: [4, 1], dtype: f32 }")?;
//! assert_eq!(
//!     specified.to_string(),
//!     "spyre { size: [4, 1], dtype: f32, device_size: [1, 32], dim_map: [0, 0] }"
//! );
//! // Two steps of 30 elements: no dim_map can express them.
//! let gap = "spyre { size: [60], dtype: f16, device_size: [1, 2, 64], stride_map: [64, 30, 1] }";
//! assert!(eval(gap)?.to_string().ends_with(", current: true }"));
//! # Ok::<(), static_layout::text::ParseError>(())
//! ```
//!
//! # More decisions
//!
//! * The element type on the device may differ from that on the host, `dl16` for `f16`. A layout
//!   depends only on its number of bits.

mod arrangement;
mod back;
mod coordinates;
#[cfg(feature = "alloc")]
mod current;
mod defaults;
mod error;
mod layout;
mod print;
pub(crate) mod relaxed;
#[cfg(feature = "alloc")]
mod steps;
mod stride_map;
#[cfg(feature = "text")]
mod text;
#[cfg(feature = "types")]
mod types;

pub use arrangement::ElementArrangement;
#[cfg(feature = "alloc")]
pub use current::CurrentLayout;
pub use error::SpyreError;
pub use layout::{SpyreLayout, elements_per_stick};
#[cfg(feature = "text")]
pub use text::SPYRE;
#[cfg(feature = "text")]
pub(crate) use text::spyre;
#[cfg(feature = "types")]
pub use types::{Contiguous, DimMap, HostStride, Spyre, StaticSpyre, Synthetic};

use crate::devices::{AnyPlacement, Placement};
use crate::error::LayoutError;
use crate::fallibility::AtRunTime;

impl AnyPlacement for SpyreLayout {
    type Fallibility = AtRunTime;

    #[inline]
    fn placement(&self) -> Placement {
        self.placement()
    }

    #[inline]
    fn slot_number(&self, coordinate: &[usize]) -> Result<usize, LayoutError> {
        self.offset(coordinate)
    }
}
