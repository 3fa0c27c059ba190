//! `SpyreLayout`: its rules, and derived quantities.

use crate::devices::numbers::{array, check_rank, plus_times, product, times, zero_in};
use crate::devices::{ElementType, MAX_DIMENSIONS, Placement};
use crate::engine::{DynLayout, MAX_LEAVES};
use crate::error::{LayoutError, SpyreError};
use crate::excerpt::Excerpt;

/// Number of bits of a stick: 128 bytes.
const STICK_BITS: usize = 1024;

/// The entry for a synthetic dimension in a `dim_map` or a `stride_map`.
pub(crate) const SYNTHETIC: isize = -1;

/// A Spyre layout: a host tensor with a size and an element type, and where a device stores its
/// elements.
///
/// See the [module](crate::devices::spyre) for the terms. The law: `offset(c)` is the dot product of
/// [`device_coordinate(c)`](Self::device_coordinate) and [`device_stride`](Self::device_stride). The
/// inverse is [`host_coordinate`](Self::host_coordinate), which is `None` for padding.
///
/// ```
/// use static_layout::devices::{ElementType, spyre::SpyreLayout};
/// let (size, device_size) = ([100, 200, 500], [256, 8, 128, 64]);
/// let l = SpyreLayout::new(&size, ElementType::F16, &device_size, &[1, 2, 0, 2])?;
/// assert_eq!(
///     l.to_string(),
///     "spyre { size: [100, 200, 500], dtype: f16, device_size: [256, 8, 128, 64], dim_map: [1, 2, 0, 2] }"
/// );
/// assert_eq!((l.padding(), l.sticks(), l.bytes()), (6_777_216, 262_144, 33_554_432));
/// assert_eq!(l.padded_layout().to_string(), "(128,256,(64,8)):(64,65536,(1,8192))");
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
///
/// The host has at most [`MAX_DIMENSIONS`] dimensions, the device [`MAX_LEAVES`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SpyreLayout {
    pub(super) size: [usize; MAX_DIMENSIONS],
    pub(super) stride: [usize; MAX_DIMENSIONS],
    pub(super) host_rank: usize,
    // The dimensions with an extent above 1: their extents, and their positions in `size`.
    pub(super) canonical: [usize; MAX_DIMENSIONS],
    pub(super) kept: [usize; MAX_DIMENSIONS],
    pub(super) rank: usize,
    pub(super) element: ElementType,
    pub(super) device_size: [usize; MAX_LEAVES],
    pub(super) device_stride: [usize; MAX_LEAVES],
    pub(super) dim_map: [isize; MAX_LEAVES],
    pub(super) device_rank: usize,
}

impl SpyreLayout {
    /// The layout of a contiguous, row-major host tensor of this size.
    ///
    /// `dim_map` has an entry for each device dimension: the host dimension that it is a part of,
    /// not counting those of extent 1, or -1 for a synthetic stick.
    ///
    /// # Errors
    ///
    /// The [`SpyreError`] of the first broken rule; too many dimensions, elements or bytes.
    #[inline]
    pub const fn new(
        size: &[usize],
        element: ElementType,
        device_size: &[usize],
        dim_map: &[isize],
    ) -> Result<Self, LayoutError> {
        let mut l = attempt!(Self::unmapped(size, element, device_size, dim_map.len()));
        l.dim_map.split_at_mut(dim_map.len()).0.copy_from_slice(dim_map);
        attempt!(l.check_map());
        attempt!(l.check_room());
        let mut stride = 1;
        repeat_rev!(p, 0..l.device_rank, {
            l.device_stride[p] = stride;
            stride *= l.device_size[p];
        });
        l.contiguous()
    }

    /// The layout without its map, which has this many entries.
    #[inline]
    pub(super) const fn unmapped(
        size: &[usize],
        element: ElementType,
        device_size: &[usize],
        entries: usize,
    ) -> Result<Self, LayoutError> {
        attempt!(check_rank(size.len()));
        refuse!(device_size.len() > MAX_LEAVES, LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        attempt!(elements_per_stick(element));
        let mut l = Self {
            size: array(size, 0),
            stride: [0; MAX_DIMENSIONS],
            host_rank: size.len(),
            canonical: [0; MAX_DIMENSIONS],
            kept: [0; MAX_DIMENSIONS],
            rank: 0,
            element,
            device_size: array(device_size, 0),
            device_stride: [0; MAX_LEAVES],
            dim_map: [0; MAX_LEAVES],
            device_rank: device_size.len(),
        };
        if let Some(dimension) = zero_in(size) {
            return Err(SpyreError::HostExtent { dimension }.widen());
        }
        repeat!(d, 0..size.len(), {
            if size[d] > 1 {
                l.canonical[l.rank] = size[d];
                l.kept[l.rank] = d;
                l.rank += 1;
            }
        });
        refuse!(device_size.is_empty(), SpyreError::NoStick);
        if entries != device_size.len() {
            let device_rank = device_size.len();
            return Err(SpyreError::MapLength { entries, device_rank }.widen());
        }
        match zero_in(device_size) {
            Some(position) => Err(SpyreError::DeviceExtent { position }.widen()),
            None => Ok(l),
        }
    }

    /// Checks that the map has each host dimension, and at most one synthetic stick.
    #[inline(never)]
    const fn check_map(&self) -> Result<(), LayoutError> {
        let (rank, last) = (self.rank, self.device_rank - 1);
        let (mut synthetic, mut position) = (None, 0);
        while position <= last {
            let dimension = self.dim_map[position];
            if dimension < SYNTHETIC || dimension >= rank as isize {
                let ones = self.host_rank - rank;
                let error = SpyreError::NoSuchDimension { position, dimension, rank, ones };
                return Err(error.widen());
            }
            position += 1;
        }
        position = 0;
        while position <= last {
            if self.dim_map[position] == SYNTHETIC {
                if let Some(first) = synthetic {
                    return Err(SpyreError::SecondSynthetic { first, second: position }.widen());
                }
                synthetic = Some(position);
            }
            position += 1;
        }
        if let Some(position) = synthetic
            && position != last
        {
            return Err(SpyreError::SyntheticNotInner { position, last }.widen());
        }
        repeat!(dimension, 0..rank, {
            position = 0;
            while position <= last && self.dim_map[position] != dimension as isize {
                position += 1;
            }
            if position > last {
                let extent = self.canonical[dimension];
                return Err(SpyreError::MissingDimension { dimension, extent }.widen());
            }
        });
        Ok(())
    }

    /// Checks that the last dimension is a stick, and that all elements fit on the device.
    #[inline(never)]
    const fn check_room(&self) -> Result<(), LayoutError> {
        let (elements, element) = (attempt!(elements_per_stick(self.element)), self.element);
        let extent = self.device_size[self.device_rank - 1];
        refuse!(extent != elements, SpyreError::StickLength { extent, elements, element });
        // In bytes and in elements: a byte may hold two elements.
        let (mut slots, mut p) = (if elements > 128 { elements } else { 128 }, 0);
        while p + 1 < self.device_rank {
            slots = attempt!(times(slots, self.device_size[p], "device_size"));
            p += 1;
        }
        repeat!(dimension, 0..self.rank, {
            let (extent, room) = (self.canonical[dimension], self.room(dimension));
            refuse!(room < extent, SpyreError::NoRoom { dimension, extent, room });
        });
        Ok(())
    }

    /// The product of the device extents of canonical dimension `d`.
    #[inline(never)]
    pub(super) const fn room(&self, d: usize) -> usize {
        room_from(0, d as isize, self.dim_map(), self.device_size())
    }

    #[inline]
    const fn contiguous(self) -> Result<Self, LayoutError> {
        let strides = self.contiguous_stride();
        self.with_stride(strides.split_at(self.host_rank).0)
    }

    /// The strides of a contiguous, row-major host.
    #[inline(never)]
    pub(super) const fn contiguous_stride(&self) -> [usize; MAX_DIMENSIONS] {
        let (mut strides, mut stride, mut d) = ([0; MAX_DIMENSIONS], 1, self.host_rank);
        while d > 0 {
            d -= 1;
            strides[d] = stride;
            // Below the number of slots of the device.
            stride *= self.size[d];
        }
        strides
    }

    /// The same layout for a host with other strides, one for each of its dimensions.
    ///
    /// They do not affect the offsets on the device. A stride of 0 is an expanded dimension.
    ///
    /// # Errors
    ///
    /// [`SpyreError::HostStrides`]; a host that reaches beyond [`MAX_SIZE`](crate::engine::MAX_SIZE).
    #[inline(never)]
    pub const fn with_stride(mut self, stride: &[usize]) -> Result<Self, LayoutError> {
        if stride.len() != self.host_rank {
            let (strides, rank) = (stride.len(), self.host_rank);
            return Err(SpyreError::HostStrides { strides, rank }.widen());
        }
        self.stride = array(stride, 0);
        // Checks the last offset, which bounds all steps, including steps into padding.
        let mut reach = 0usize;
        repeat!(d, 0..self.rank, {
            reach = attempt!(plus_times(reach, [self.room(d), stride[self.kept[d]]], "stride"));
        });
        Ok(self)
    }

    /// The extents of the host, including those of 1.
    #[inline]
    pub const fn size(&self) -> &[usize] {
        self.size.split_at(self.host_rank).0
    }

    /// The strides of the host in elements, one for each of its extents.
    #[inline]
    pub const fn stride(&self) -> &[usize] {
        self.stride.split_at(self.host_rank).0
    }

    /// Whether the host is row-major without gaps.
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        self.stride == self.contiguous_stride()
    }

    /// The extents of the host in canonical form: those above 1.
    #[inline]
    pub const fn canonical_size(&self) -> &[usize] {
        self.canonical.split_at(self.rank).0
    }

    /// The type of the elements.
    pub const fn element(&self) -> ElementType {
        self.element
    }

    /// The extents of the device, padding included.
    #[inline]
    pub const fn device_size(&self) -> &[usize] {
        self.device_size.split_at(self.device_rank).0
    }

    /// The strides of the device in elements: `device_stride[i]` is the product of
    /// `device_size[i + 1..]`.
    #[inline]
    pub const fn device_stride(&self) -> &[usize] {
        self.device_stride.split_at(self.device_rank).0
    }

    /// For each device dimension, the canonical host dimension that it is a part of; -1 for a
    /// synthetic one.
    #[inline]
    pub const fn dim_map(&self) -> &[isize] {
        self.dim_map.split_at(self.device_rank).0
    }

    /// Number of elements of a stick.
    pub const fn elements_per_stick(&self) -> usize {
        self.device_size[self.device_rank - 1]
    }

    /// The canonical host dimension that is cut into sticks; `None` for a sparse tensor.
    pub const fn stick_dimension(&self) -> Option<usize> {
        match self.dim_map[self.device_rank - 1] {
            SYNTHETIC => None,
            dimension => Some(dimension as usize),
        }
    }

    /// Whether there is one element in each stick, because the stick is synthetic.
    pub const fn is_sparse(&self) -> bool {
        self.stick_dimension().is_none()
    }

    /// The step of the host coordinate for one step in device dimension `position`: the product of
    /// the extents further in that are parts of the same host dimension. `None` for a synthetic
    /// dimension.
    #[inline]
    pub const fn weight(&self, position: usize) -> Option<usize> {
        match self.dim_map[position] {
            SYNTHETIC => None,
            d => Some(room_from(position + 1, d, self.dim_map(), self.device_size())),
        }
    }

    /// The step of the host offset for one step in device dimension `position`: an entry of a
    /// `stride_map`. `None` for a synthetic dimension, which has -1 there.
    ///
    /// The offset in the host is the dot product of these steps and the device coordinate, unless
    /// that is padding.
    ///
    /// ```
    /// use static_layout::devices::{ElementType, spyre::SpyreLayout};
    /// let l = SpyreLayout::dense(&[128, 256, 512], ElementType::F16, None)?;
    /// let steps: Vec<_> = (0..4).map(|p| l.host_step(p).unwrap()).collect();
    /// assert_eq!(steps, [512, 64, 131072, 1]);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    #[inline]
    pub const fn host_step(&self, position: usize) -> Option<usize> {
        match self.weight(position) {
            None => None,
            Some(weight) => {
                let dimension = self.dim_map[position] as usize;
                Some(weight * self.stride[self.kept[dimension]])
            }
        }
    }

    /// Number of elements of the host.
    #[inline]
    pub const fn elements(&self) -> usize {
        product(self.canonical_size())
    }

    /// Number of elements that fit on the device.
    pub const fn slots(&self) -> usize {
        self.device_stride[0] * self.device_size[0]
    }

    /// Number of slots of the device that hold no element.
    #[inline]
    pub const fn padding(&self) -> usize {
        self.slots() - self.elements()
    }

    /// Number of sticks of the device.
    pub const fn sticks(&self) -> usize {
        self.slots() / self.elements_per_stick()
    }

    /// Number of bytes of the sticks: 128 each.
    pub const fn bytes(&self) -> usize {
        self.sticks() * (STICK_BITS / 8)
    }

    /// The layout of the padded tensor, with a mode for each canonical host dimension. The leaves of
    /// a mode are its device dimensions from the last to the first, which is innermost first, as in
    /// CuTe.
    ///
    /// The size of the host and the storage of a sparse tensor are not part of it.
    #[inline]
    pub const fn padded_layout(&self) -> DynLayout {
        let mut layout = DynLayout::EMPTY;
        repeat!(d, 0..self.rank, {
            let mut mode = DynLayout::EMPTY;
            repeat_rev!(p, 0..self.device_rank, {
                if self.dim_map[p] == d as isize {
                    mode.extend_leaf(self.device_size[p], self.device_stride[p]);
                }
            });
            layout.extend(&if mode.len() > 1 { mode.parenthesised() } else { mode });
        });
        if self.rank == 0 { DynLayout::UNIT } else { layout.parenthesised() }
    }

    /// The placement, on the dimensions of the host, including those of extent 1.
    #[inline]
    pub const fn placement(&self) -> Placement {
        // The checks of a Spyre layout include those of a placement.
        or_panic!(self.try_placement())
    }

    #[inline]
    const fn try_placement(&self) -> Result<Placement, LayoutError> {
        let mut builder = attempt!(Placement::builder(self.size(), self.slots(), 1));
        let mut d = 0;
        repeat!(host, 0..self.host_rank, {
            let mut row = [0; MAX_DIMENSIONS];
            row[host] = 1;
            let row = row.split_at(self.host_rank).0;
            builder = attempt!(builder.dimension(self.size[host], row));
            if d < self.rank && self.kept[d] == host {
                builder = attempt!(builder.piece(self.room(d)));
                repeat_rev!(p, 0..self.device_rank, {
                    if self.dim_map[p] == d as isize {
                        builder =
                            attempt!(builder.leaf(self.device_size[p], self.device_stride[p]));
                    }
                });
                d += 1;
            }
        });
        builder.build()
    }
}

/// The product of the extents of a dimension's parts from device position `p` on.
#[inline]
pub(super) const fn room_from(
    mut p: usize,
    dimension: isize,
    map: &[isize],
    sizes: &[usize],
) -> usize {
    let mut room = 1usize;
    while p < map.len() {
        if map[p] == dimension {
            room = room.saturating_mul(sizes[p]);
        }
        p += 1;
    }
    room
}

/// Number of elements of this type in a stick of 128 bytes.
///
/// ```
/// use static_layout::devices::{ElementType, spyre::elements_per_stick};
/// assert_eq!(elements_per_stick(ElementType::F16), Ok(64));
/// assert_eq!(elements_per_stick(ElementType::I4), Ok(256));
/// ```
///
/// # Errors
///
/// [`SpyreError::UnknownElement`] for block floats.
#[inline(never)]
pub const fn elements_per_stick(element: ElementType) -> Result<usize, LayoutError> {
    if element.is_block_float() {
        return Err(SpyreError::UnknownElement { name: Excerpt::new(element.name()) }.widen());
    }
    Ok(STICK_BITS / element.bits())
}
