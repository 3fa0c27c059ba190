//! Tensors on Tenstorrent devices: `#tt.metal_layout`, TTNN, grids of cores.
//!
//! A [`MetalLayout`] describes how a tensor is cut over a grid of cores. It keeps the shape and the
//! element type of the tensor. Its stages are, in this order:
//!
//! 1. An [`AffineMap`] maps a coordinate to the dimensions of the grid. It may join (collapse)
//!    dimensions, possibly with gaps between them. The image of the last coordinate, plus 1, is the
//!    *physical* shape.
//! 2. The *grid* cuts it: the *shard* of a core is the physical shape divided by the grid, rounded
//!    up.
//! 3. The last two dimensions of a shard may be padded to whole *tiles*. The *memref* is the buffer
//!    of a core, counted in tiles if there are any. The buffer is row-major. So are the elements of
//!    a tile; in a tile with faces, the faces and the elements of each face.
//!
//! Slots without an element are padding and hold [`fill`](MetalLayout::fill). They are after the end
//! of the physical shape, after the end of a shard in its last tiles, and in the gaps of the map.
//!
//! ```
//! use static_layout::devices::tenstorrent::MetalLayout;
//! let l = MetalLayout::parse(
//!     "tensor<2x3x64x128xf32,
//!        #tt.metal_layout<
//!          (d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3),
//!          undef,
//!          <2x4>,
//!          memref<192x32xf32, #tt.memory_space<l1>>
//!        >
//!      >",
//! )
//! .unwrap();
//! assert_eq!((l.physical(), l.shard().to_string().as_str()), (&[384, 128][..], "(192,32)"));
//! let at = l.locate(&[1, 1, 6, 100])?;
//! assert_eq!((at.physical.to_string(), at.core.to_string(), at.offset), ("(262,100)".into(), "(1,3)".into(), 2244));
//! assert_eq!(l.coordinate(&[1, 3], 2244)?.unwrap().to_string(), "(1,1,6,100)");
//! # Ok::<(), static_layout::LayoutError>(())
//! ```
//!
//! # Notation
//!
//! The type of the tensor as MLIR prints it, possibly over several lines, with `ttcore` or `tt`, and
//! optional spaces in `32 x 32`. A part that follows from the others is optional; if present, it is
//! checked. These are our extensions:
//!
//! * `collapse = [(0, -1), ..]` instead of the map: the intervals of dimensions to join. The
//!   spelling `collapseIntervals` is accepted, too.
//! * `physical = 64x64` after the map: the extents that the grid cuts, if larger than those that the
//!   map reaches.
//! * `shard = 72x16` instead of the grid: as many cores as needed.
//! * The memref is optional. In its place there may be a tile, `!tt.tile<32x32, bf16>`, followed by
//!   a memory, `#tt.memory_space<dram>`; the default memory is `l1`.
//! * `!tt.tile<32x32, bf16, face = 16x16>` is a tile in faces.
//!
//! It prints with the map, the memref and the memory. Element types print as in MLIR: `ui32` in a
//! tensor and `u32` in a tile. The integers `i32` and `si32` are equivalent here, and print as `i32`
//! in a tensor.
//!
//! ```
//! use static_layout::devices::tenstorrent::MetalLayout;
//! let short = "tensor<3x64x128xf32, #tt.metal_layout<collapse = [(0, -1)], undef, <3x2>, !tt.tile<32 x 32, bfp_bf8>>>";
//! let long = "tensor<3x64x128xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), undef, <3x2>, \
//!             memref<2x2x!tt.tile<32x32, bfp_bf8>, #tt.memory_space<l1>>>>";
//! assert_eq!(MetalLayout::parse(short)?.to_string(), long);
//! assert_eq!(MetalLayout::parse(short)?, MetalLayout::parse(long)?);
//! # Ok::<(), static_layout::text::ParseError>(())
//! ```
//!
//! # Padding
//!
//! The grid cuts before the tiles, so each shard is padded separately. 53 rows on 3 cores are 18, 18
//! and 17; in tiles of 32 they leave 14, 14 and 15 rows of padding:
//!
//! ```
//! use static_layout::devices::tenstorrent::MetalLayout;
//! let text = "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, \
//!             memref<1x1x!tt.tile<32 x 32, bfp_bf8>, #tt.memory_space<l1>>>>";
//! let l = MetalLayout::parse(text).unwrap();
//! assert_eq!((l.shard().leaves(), l.padded_shard().leaves()), (&[18, 32][..], &[32, 32][..]));
//! let pads: Result<Vec<_>, _> = (0..6).map(|n| l.core(l.core_at(n)?.leaves())).collect();
//! let pads: Vec<_> = pads?.iter().map(|core| core.pad.to_string()).collect();
//! assert_eq!(pads, ["(14,0)", "(14,1)", "(14,0)", "(14,1)", "(15,0)", "(15,1)"]);
//! # Ok::<(), static_layout::LayoutError>(())
//! ```
//!
//! The padding of a map with bumped strides is not a box. [`coordinate`](MetalLayout::coordinate)
//! returns whether a slot holds an element, and [`core`](MetalLayout::core) how many slots of a core
//! do not.
//!
//! # Where the specification is wrong
//!
//! Statements of the `tt.metal_layout` document, and the behaviour here:
//!
//! * "Real tensor data will entirely fill initial shards and the last shard will be partially
//!   filled": rounding up may leave the last cores empty, and the core before them partially filled.
//!   See [`empty_cores`](MetalLayout::empty_cores).
//!
//!   ```
//!   # use static_layout::devices::tenstorrent::MetalLayout;
//!   let text = "tensor<5x8xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <4x1>>>";
//!   let l = MetalLayout::parse(text).unwrap();
//!   let rows: Vec<_> = (0..4).map(|n| l.core(&[n, 0]).unwrap().extent.leaves()[0]).collect();
//!   assert_eq!((rows, l.empty_cores()), (vec![2, 2, 1, 0], 1));
//!   ```
//!
//! * The examples on grids of 2x1x2 and 3x2x2x2 cores have dimensions in two results. They are
//!   consistent, every element has its place, but they store 96 and 256 slots for each element. No
//!   collapse intervals produce them. Presumably a map was meant that has each dimension once:
//!
//!   ```
//!   # use static_layout::devices::tenstorrent::MetalLayout;
//!   let as_printed = "tensor<8x96x32xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 96 + d1, d1, d2), \
//!                     undef, <2x1x2>, memref<384x96x16xf32, #tt.memory_space<l1>>>>";
//!   let as_meant = "tensor<8x96x32xf32, #tt.metal_layout<collapse = [], undef, <2x1x2>>>";
//!   let (printed, meant) = (MetalLayout::parse(as_printed).unwrap(), MetalLayout::parse(as_meant).unwrap());
//!   assert_eq!((printed.slots() / printed.elements(), meant.slots() / meant.elements()), (96, 1));
//!   assert_eq!(meant.memref().leaves(), &[4, 96, 16]);
//!   ```
//!
//! * A bumped stride, "enabling each batch to fall on a tile boundary", has this effect only while
//!   the grid does not cut rows. The physical shape ends with the last element: 40 rows, not 64, and
//!   a grid of two rows of cores cuts them at 20.
//!
//!   ```
//!   # use static_layout::devices::tenstorrent::MetalLayout;
//!   let on = |grid| format!("tensor<2x8x32xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), \
//!                            undef, <{grid}>, !tt.tile<32x32, f32>>>");
//!   let second_batch = |grid| MetalLayout::parse(&on(grid)).unwrap().locate(&[1, 0, 0]).unwrap();
//!   assert_eq!(second_batch("1x2").local.leaves(), &[32, 0]);
//!   assert_eq!(second_batch("2x1").local.leaves(), &[12, 0]);
//!   ```
//!
//! * Besides its 15 rows, the last core of the padding example has a column of padding.
//! * In TTNN, the formula of `grid_shape` divides the width by the rows of a shard, and its row
//!   count lacks the extent of the first dimension; see [`TtnnLayout`]. The interval in "Dimensions
//!   `[0, N-1]` are collapsed" is half open.
//!
//! Decisions where the specification is open: a map that maps two elements to one place is an error.
//! Tiles are row-major inside, with faces only if they are given. Element types and the value of
//! padding do not affect where elements are: [`placement`](MetalLayout::placement) contains neither.
//!
//! # Several devices, virtual grids
//!
//! A grid with more dimensions may divide a batch over devices. This is the layout of 2x3x64x128 on
//! two devices of 2x4 cores:
//!
//! ```
//! use static_layout::devices::tenstorrent::MetalLayout;
//! let text = "tensor<2x3x64x128xf32, #tt.metal_layout<(d0, d1, d2, d3) -> (d0, d1 * 64 + d2, d3), \
//!             undef, <2x2x4>, memref<1x3x1x!tt.tile<32 x 32, bfp_bf8>, #tt.memory_space<l1>>>>";
//! let l = MetalLayout::parse(text).unwrap();
//! assert_eq!((l.physical(), l.shard().leaves()), (&[2, 192, 128][..], &[1, 96, 32][..]));
//! assert_eq!(l.locate(&[1, 1, 40, 70])?.core.leaves(), &[1, 1, 2]);
//! // The device maps them to its cores.
//! use static_layout::devices::tenstorrent::{DeviceCore, DeviceGrid};
//! let devices = DeviceGrid::mesh(l.grid(), [8, 8], &[2])?;
//! assert_eq!(devices.physical(&[1, 1, 2])?, DeviceCore { chip: 1, y: 1, x: 2 });
//! # Ok::<(), static_layout::LayoutError>(())
//! ```
//!
//! A grid may have another shape than the device: TTNN calls a grid of 1x64 on 8x8 cores width
//! sharding. See [`DeviceGrid`].
//!
//! # The current attribute
//!
//! The attribute of this name has changed its meaning. Now the type of the tensor has the extents of
//! the grid and of a shard, and the attribute has the extents of the tensor. Each is rounded up to
//! an alignment before it is joined and cut. This form is read, too, and becomes a map with bumped
//! strides and more [room](MetalLayout::with_physical) than the map reaches.
//!
//! ```
//! use static_layout::devices::tenstorrent::MetalLayout;
//! let today = "tensor<8x1x1x1x!ttcore.tile<32x32, f32>, #ttcore.metal_layout<logical_shape = 4x43x7, \
//!              dim_alignments = 1x32x32, collapsed_intervals = dense<[[0, 2], [2, 3]]> : tensor<2x2xi64>, \
//!              undef, l1, sharded>>";
//! let l = MetalLayout::parse(today).unwrap();
//! assert_eq!(
//!     l.to_string(),
//!     "tensor<4x43x7xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), physical = 256x32, \
//!      undef, <8x1>, memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>>"
//! );
//! assert_eq!(MetalLayout::parse(&l.to_string()), Ok(l));
//! ```
//!
//! It must be `sharded`, and its grid and tiles must divide the extents that they cut. The default
//! value of padding is `undef`.
//!
//! # TTNN
//!
//! TTNN has no map. A [`TtnnLayout`] folds dimensions into rows by their strides, and has a shard
//! shape instead of the grid. [`TtnnLayout::to_metal_layout`] converts it to a metal layout with the
//! notation `shard = 72x16`:
//!
//! ```
//! use static_layout::devices::ElementType;
//! use static_layout::devices::tenstorrent::{MetalLayout, Tile, TtnnLayout};
//! let ttnn = TtnnLayout::with_stride(&[12, 12, 16], &[512, 16, 1], [96, 16], Tile::new(32, 32)?)?;
//! let text = "tensor<12x12x16xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), physical = 384x16, \
//!             undef, shard = 96x16, !tt.tile<32x32, f32>>>";
//! assert_eq!(ttnn.to_metal_layout(ElementType::F32), Ok(MetalLayout::parse(text).unwrap()));
//! assert_eq!((ttnn.grid_shape(), ttnn.physical_shard_shape()), ([4, 1], [96, 32]));
//! # Ok::<(), static_layout::LayoutError>(())
//! ```
//!
//! In DRAM a tensor may also be [`Interleaved`]: its pages are distributed over banks.

mod affine_map;
mod aligned;
mod back;
mod device_grid;
mod error;
#[cfg(feature = "text")]
mod index_map;
mod interleaved;
mod layout;
mod memory_layout;
mod memory_space;
mod print;
mod query;
mod shards;
#[cfg(feature = "text")]
mod tensor_type;
#[cfg(feature = "text")]
mod text;
mod tile;
mod ttnn;
#[cfg(feature = "types")]
mod types;

pub use affine_map::AffineMap;
pub use device_grid::{DeviceCore, DeviceGrid};
pub use error::TenstorrentError;
#[cfg(feature = "text")]
pub use index_map::IndexMap;
pub use interleaved::{Interleaved, PagePlace, aligned_shape};
pub use layout::MetalLayout;
pub use memory_layout::{BufferType, MemoryLayout, ShardDistribution, ShardOrientation};
pub use memory_space::MemorySpace;
pub use query::{CoreFacts, Located};
#[cfg(feature = "text")]
pub use tensor_type::{AlignedEncoding, CoreRange, Encoding, NdEncoding, TensorType, TtnnEncoding};
pub use tile::Tile;
pub use ttnn::{Strategy, TtnnLayout};
#[cfg(feature = "types")]
pub use types::{
    Buffers, Faces, PaddedMap, Rows, Scalars, StaticTenstorrent, Tenstorrent, TenstorrentMap, Tiles,
};
