//! Layouts of IBM Spyre: sticks of 128 bytes, padded extents and a map of dimensions.
//!
//! A tensor on the *host* has a size and strides, as in PyTorch. On the *device* it has more
//! dimensions, each a part of one of the host's, and is always row-major over them:
//!
//! * the *canonical form* of the host leaves out its dimensions of extent 1; everything below is
//!   about those that stay;
//! * `device_size` has the extents of the device, padding included, and `dim_map` for each of them
//!   the dimension of the host that it is a part of. Those of one dimension are the digits of a
//!   mixed-radix number, the last one the least significant. `device_stride[i]` is the product of
//!   `device_size[i + 1..]`, and is not written;
//! * the last dimension of the device is the *stick*: 128 bytes, aligned to 128 bytes, of elements
//!   that are next to each other. It holds 1024 elements divided by the bits of one;
//! * a last entry of -1 in `dim_map` is a *synthetic* stick. It belongs to no dimension of the host,
//!   and has one element, the first: the tensor is *sparse*;
//! * a coordinate of the device is *padding* when it is beyond the extent of a dimension of the host,
//!   or beyond the first element of a synthetic stick. Padding is at the high end of each dimension.
//!
//! # The examples of the specification
//!
//! A tensor of size (128,256,512) with the `dim_map` `[1, 2, 0, 2]` and the `device_size`
//! `[256, 8, 128, 64]`: the element with coordinates (a,b,c,d) in the device has
//! (c, a, b*64 + d) in the host.
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
//!     "dimension 0 of the device is part of dimension 2 of the host, which has 2 without those of \
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
//! | field | what it is |
//! |---|---|
//! | `size` | the extents of the host |
//! | `stride` | the strides of the host, in elements; those of a contiguous host unless given |
//! | `dtype` | the [type of the elements](crate::devices::ElementType), by one of its names |
//! | `device_size`, `dim_map` | the extents of the device, and the dimension of the host that each is a part of |
//! | `stride_map` | instead of `dim_map`: the [step in the host](SpyreLayout::from_stride_map), or -1 |
//! | `order`, `sparse: true` | instead of all three: a [default layout](SpyreLayout::dense) |
//! | `current: true` | the layout as the project writes it today, a [`CurrentLayout`] |
//! | `relaxed: true` | leaves out entries of -1 with extent 1 before the stick ([`relaxed`](SpyreLayout::relaxed)) |
//!
//! `layout!` takes the same, as a type and as a value ([`Spyre`]).
//!
//! # What the specification leaves open, and the decision here
//!
//! * [Default layouts](SpyreLayout::dense) are those of the code at the time of the specification.
//! * A tensor of one element, of size () or all 1, has the `device_size` `[64]` for 16
//!   bits, and the `dim_map` `[-1]`.
//! * There is one synthetic dimension at most, as the specification says. The project also writes one of
//!   extent 1, as in `[1, -1, 0, -1]`, which changes no offset: `relaxed: true` leaves it out.
//! * More room than needed is fine, in sticks and elsewhere; what padding holds is not said.
//! * The newer spelling with a [`stride_map`](SpyreLayout::from_stride_map) is read.
//!
//! # The project today
//!
//! The rules above are those of the specification, of February 2026. torch-spyre has changed since:
//!
//! | upstream change | what it is | here |
//! |---|---|---|
//! | pull request 787 | dimensions of extent 1 stay, in `device_size` and in the order | `current: true` |
//! | pull requests 1068, 1306 | `stride_map` instead of `dim_map`: any step, -1 and 0 | `stride_map`; what `dim_map` cannot say is a [`CurrentLayout`] |
//! | pull requests 470, 529 | `[1, -1, 0, -1]`: a synthetic dimension of extent 1 in front of the stick | `current: true`, or `relaxed: true` |
//! | `order` with -1 at the end | the order of a sparse tensor | read by both |
//!
//! `current: true` chooses today's rules, and `current: false` those of the specification. Without
//! them a text has the meaning of the specification where it has one. Where it has none, and today's
//! rules give it one, it is a [`CurrentLayout`]:
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
//! // Two steps of 30 elements: no dim_map has them.
//! let gap = "spyre { size: [60], dtype: f16, device_size: [1, 2, 64], stride_map: [64, 30, 1] }";
//! assert!(eval(gap)?.to_string().ends_with(", current: true }"));
//! # Ok::<(), static_layout::text::ParseError>(())
//! ```
//!
//! # More decisions
//!
//! * The type of an element on the device may differ from that on the host, `dl16` for `f16`. A
//!   layout only counts its bits.

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
