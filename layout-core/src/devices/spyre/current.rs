//! Spyre layouts in the project's current form: dimensions of extent 1 are kept, and each dimension
//! of the device has a step in host memory.

use alloc::vec::Vec;
use core::fmt;

use crate::devices::numbers::{check_coordinate, check_rank, times};
use crate::devices::print::Separated;
use crate::devices::spyre::elements_per_stick;
use crate::devices::spyre::layout::SYNTHETIC;
use crate::devices::spyre::steps::{Digit, Index};
use crate::devices::{ElementType, Placement, Slot};
use crate::engine::{IntTuple, MAX_LEAVES, MAX_SIZE};
use crate::error::{LayoutError, SpyreError};

/// A Spyre layout in the current form of torch-spyre: a `device_size`, and a `stride_map` with the
/// step in host memory of each dimension of the device.
///
/// Differences to a [`SpyreLayout`](crate::devices::spyre::SpyreLayout):
///
/// * All dimensions of the host count, including those of extent 1 (upstream since pull request
///   787). They have a place in `device_size`.
/// * Steps are arbitrary (since pull requests 1068 and 1306). A step that is not the product of the
///   extents further in leaves a *gap*: 60 elements as 2 times 30 are `[1, 2, 64]` with steps
///   `[64, 30, 1]`.
/// * -1 is a dimension without a step: one of extent 1, or a synthetic one of a sparse tensor.
/// * 0 repeats the dimensions further in. It stands for a host dimension that has no other place,
///   which is then expanded. Otherwise all copies but the first are padding.
/// * Host dimensions without a step of their own are joined with the dimension that they continue.
/// * A tensor without elements has a layout, too.
///
/// The law: for every device coordinate `c` that holds an element, the dot product of `c` and the
/// `stride_map` is the offset of that element in the host, if no dimension is expanded.
///
/// ```
/// use static_layout::devices::spyre::CurrentLayout;
/// let text = "spyre { size: [60], dtype: f16, device_size: [1, 2, 64], stride_map: [64, 30, 1], current: true }";
/// let l = CurrentLayout::parse(text)?;
/// assert_eq!(l.to_string(), text);
/// // 30 elements in each of two sticks.
/// assert_eq!(l.device_coordinate(&[59]).unwrap(), [0, 1, 29]);
/// assert_eq!(l.host_coordinate(&[0, 1, 29]).unwrap(), Some(vec![59]));
/// assert_eq!(l.host_coordinate(&[0, 0, 30]).unwrap(), None);
/// assert_eq!((l.slots(), l.padding()), (128, 68));
/// # Ok::<(), static_layout::text::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct CurrentLayout {
    size: Vec<usize>,
    stride: Vec<usize>,
    element: ElementType,
    device_size: Vec<usize>,
    stride_map: Vec<isize>,
    // The host dimension of each device dimension; -1 for none.
    dim_map: Vec<isize>,
    // Whether it was created from a `dim_map`; it is printed in that form.
    by_dimension: bool,
    // `None` for a tensor without elements.
    placement: Option<Placement>,
}

impl CurrentLayout {
    /// The layout with these steps.
    ///
    /// ```
    /// use static_layout::devices::{ElementType, spyre::CurrentLayout};
    /// // 40 rows of 60 elements as one row of 2400.
    /// let l = CurrentLayout::new(&[40, 60], &[60, 1], ElementType::F16, &[38, 64], &[64, 1])?;
    /// assert_eq!(l.device_coordinate(&[2, 9])?, [2, 1]);
    /// // An extent of 1 that is kept, and a sparse tensor.
    /// let l = CurrentLayout::new(&[512, 256], &[256, 1], ElementType::F16, &[256, 1, 512, 64], &[1, -1, 256, -1])?;
    /// assert_eq!(l.device_coordinate(&[3, 5])?, [5, 0, 3, 0]);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SpyreError::NoSuchStep`] for a step that is not a multiple of a stride of the host,
    /// [`SpyreError::MissingDimension`], [`SpyreError::NoRoom`]; wrong lengths, a last extent that
    /// is not a stick, too many dimensions or elements.
    #[inline]
    pub fn new(
        size: &[usize],
        stride: &[usize],
        element: ElementType,
        device_size: &[usize],
        stride_map: &[isize],
    ) -> Result<Self, LayoutError> {
        let parts = Parts { size, stride, element, device_size };
        parts.check(stride_map.len())?;
        let mut indices = Index::of_host(size);
        let digits = parts.digits_of_steps(stride_map, &mut indices)?;
        parts.layout(stride_map.to_vec(), digits, indices, false)
    }

    /// The layout with this `dim_map`: for each device dimension the host dimension, counting those
    /// of extent 1, or -1.
    ///
    /// Versions between February and April 2026 used this form.
    ///
    /// ```
    /// use static_layout::devices::{ElementType, spyre::CurrentLayout};
    /// let l = CurrentLayout::of_dim_map(
    ///     &[512, 1, 256],
    ///     &[256, 256, 1],
    ///     ElementType::F16,
    ///     &[1, 4, 512, 64],
    ///     &[1, 2, 0, 2],
    /// )?;
    /// assert_eq!(l.stride_map(), &[-1, 64, 256, 1]);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`new`](Self::new); [`SpyreError::NoSuchDimension`].
    #[inline]
    pub fn of_dim_map(
        size: &[usize],
        stride: &[usize],
        element: ElementType,
        device_size: &[usize],
        dim_map: &[isize],
    ) -> Result<Self, LayoutError> {
        let parts = Parts { size, stride, element, device_size };
        parts.check(dim_map.len())?;
        let rank = size.len();
        let (mut stride_map, mut digits) =
            (Vec::from_iter(dim_map.iter().map(|_| SYNTHETIC)), Vec::new());
        let mut weights = Vec::from_iter(size.iter().map(|_| 1usize));
        for (position, &dimension) in dim_map.iter().enumerate().rev() {
            let Ok(d) = usize::try_from(dimension) else {
                refuse!(dimension < SYNTHETIC, no_dimension(position, dimension, rank));
                continue;
            };
            let (Some(weight), Some(&extent)) = (weights.get_mut(d), size.get(d)) else {
                return Err(no_dimension(position, dimension, rank));
            };
            digits.push(Digit { index: d, weight: *weight, position });
            if extent != 1 {
                let step = times(*weight, stride[d], "stride_map")?;
                stride_map[position] = step as isize;
            }
            *weight = times(*weight, device_size[position], "device_size")?;
        }
        let mut layout = parts.layout(stride_map, digits, Index::of_host(size), true)?;
        layout.dim_map = dim_map.to_vec();
        Ok(layout)
    }

    /// The default layout for an order of the dimensions: `[o1, .., o(r-1), o0, o(r-1)]`. The last
    /// dimension of the order is cut into sticks. If the last entry is -1, the tensor is sparse,
    /// with one element in each stick.
    ///
    /// ```
    /// use static_layout::devices::{ElementType, spyre::CurrentLayout};
    /// let l = CurrentLayout::default_of(&[4, 1], &[1, 1], ElementType::F32, &[0, 1])?;
    /// assert_eq!((l.device_size(), l.stride_map()), (&[1, 4, 32][..], &[-1, 1, -1][..]));
    /// let l = CurrentLayout::default_of(&[512, 256], &[256, 1], ElementType::F16, &[0, 1, -1])?;
    /// assert_eq!((l.device_size(), l.stride_map()), (&[256, 1, 512, 64][..], &[1, -1, 256, -1][..]));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SpyreError::OrderLength`], [`SpyreError::OrderEntry`]; the errors of [`new`](Self::new).
    #[inline]
    pub fn default_of(
        size: &[usize],
        stride: &[usize],
        element: ElementType,
        order: &[isize],
    ) -> Result<Self, LayoutError> {
        let rank = size.len();
        check_rank(rank)?;
        refuse!(stride.len() != rank, SpyreError::HostStrides { strides: stride.len(), rank });
        let sparse = order.len() == rank + 1 && order.last() == Some(&SYNTHETIC);
        let dimensions = &order[..order.len() - usize::from(sparse)];
        refuse!(dimensions.len() != rank, SpyreError::OrderLength { entries: order.len(), rank });
        for (position, &dimension) in dimensions.iter().enumerate() {
            let known = usize::try_from(dimension).is_ok_and(|d| d < rank);
            if !known || dimensions[..position].contains(&dimension) {
                let dimension = usize::try_from(dimension).unwrap_or(usize::MAX);
                return Err(SpyreError::OrderEntry { position, dimension, rank }.into());
            }
        }
        let stick = elements_per_stick(element)?;
        // The order of a sparse tensor has one more entry: its stick belongs to no dimension.
        let last = order.last().copied();
        let (mut device_size, mut stride_map) = (Vec::new(), Vec::new());
        let rotated = order.iter().skip(1).chain(order.first());
        for &dimension in rotated {
            let (mut extent, mut step) = (1, SYNTHETIC);
            if let Ok(d) = usize::try_from(dimension) {
                let cut = Some(dimension) == last;
                extent = if cut { size[d].div_ceil(stick) } else { size[d] };
                if size[d] != 1 {
                    let weight = if cut { stick } else { 1 };
                    step = times(weight, stride[d], "stride_map")? as isize;
                }
            }
            device_size.push(extent);
            stride_map.push(step);
        }
        if rank == 0 {
            (device_size, stride_map) = (Vec::from([1]), Vec::from([SYNTHETIC]));
        }
        device_size.push(stick);
        stride_map.push(match last.and_then(|dimension| usize::try_from(dimension).ok()) {
            Some(d) if size[d] != 1 => stride[d] as isize,
            _ => SYNTHETIC,
        });
        Self::new(size, stride, element, &device_size, &stride_map)
    }

    /// The extents of the host.
    pub fn size(&self) -> &[usize] {
        &self.size
    }

    /// The strides of the host in elements.
    pub fn stride(&self) -> &[usize] {
        &self.stride
    }

    /// The type of the elements.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// The extents of the device, padding included.
    pub fn device_size(&self) -> &[usize] {
        &self.device_size
    }

    /// The step in host memory of each dimension of the device; -1 for none.
    pub fn stride_map(&self) -> &[isize] {
        &self.stride_map
    }

    /// The host dimension of each device dimension, counting those of extent 1; -1 for none.
    pub fn dim_map(&self) -> &[isize] {
        &self.dim_map
    }

    /// Whether there is one element in each stick.
    pub fn is_sparse(&self) -> bool {
        self.stride_map.last() == Some(&SYNTHETIC)
    }

    /// Number of elements of the host.
    #[inline]
    pub fn elements(&self) -> usize {
        self.placement.map_or(0, |placement| placement.elements())
    }

    /// Number of elements that fit on the device.
    #[inline]
    pub fn slots(&self) -> usize {
        self.placement.map_or(0, |placement| placement.slots())
    }

    /// Number of slots of the device that hold no element, or a copy.
    #[inline]
    pub fn padding(&self) -> usize {
        self.slots() - self.elements()
    }

    /// Number of sticks of the device.
    #[inline]
    pub fn sticks(&self) -> usize {
        self.device_size.last().map_or(0, |stick| self.slots() / stick)
    }

    /// Number of bytes of the sticks: 128 each.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.sticks() * 128
    }

    /// Number of copies of each element: the product of the extents with step 0 that are not a
    /// dimension of the host.
    #[inline]
    pub fn copies(&self) -> usize {
        let steps = self.stride_map.iter().zip(&self.dim_map).zip(&self.device_size);
        steps
            .filter(|((step, d), _)| (**step, **d) == (0, SYNTHETIC))
            .map(|(_, extent)| extent)
            .product()
    }

    /// Whether the host is row-major without gaps.
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        self.stride == contiguous(&self.size)
    }

    /// The placement; `None` for a tensor without elements.
    pub fn placement(&self) -> Option<Placement> {
        self.placement
    }

    /// The placement.
    ///
    /// # Errors
    ///
    /// [`LayoutError::ZeroExtent`] for a tensor without elements.
    pub fn try_placement(&self) -> Result<Placement, LayoutError> {
        self.placement.ok_or(LayoutError::ZeroExtent)
    }

    /// The offset on the device of the element with this host coordinate, in elements.
    ///
    /// # Errors
    ///
    /// A coordinate of another rank, or outside the host.
    #[inline]
    pub fn offset(&self, host: &[usize]) -> Result<usize, LayoutError> {
        check_coordinate(host, &self.size)?;
        Ok(self.try_placement()?.slot(host)?.offset)
    }

    /// The offset in the host memory of this element, in elements.
    ///
    /// # Errors
    ///
    /// A coordinate of another rank, or outside the host; [`LayoutError::IntegerOverflow`].
    #[inline]
    pub fn host_offset(&self, host: &[usize]) -> Result<usize, LayoutError> {
        check_coordinate(host, &self.size)?;
        let overflow = LayoutError::IntegerOverflow { operation: "stride" };
        let terms = host.iter().zip(&self.stride);
        let mut sum = terms.map(|(c, stride)| c.checked_mul(*stride));
        sum.try_fold(0usize, |sum, term| sum.checked_add(term?)).ok_or(overflow)
    }

    /// The device coordinate of the element with this host coordinate.
    ///
    /// # Errors
    ///
    /// A coordinate of another rank, or outside the host.
    #[inline]
    pub fn device_coordinate(&self, host: &[usize]) -> Result<Vec<usize>, LayoutError> {
        let mut rest = self.offset(host)?;
        let mut device = self.device_size.clone();
        for c in device.iter_mut().rev() {
            (*c, rest) = (rest % *c, rest / *c);
        }
        Ok(device)
    }

    /// The host coordinate of the element at this device coordinate; `None` for padding.
    ///
    /// # Errors
    ///
    /// A coordinate of another rank, or outside the device.
    #[inline]
    pub fn host_coordinate(&self, device: &[usize]) -> Result<Option<Vec<usize>>, LayoutError> {
        check_coordinate(device, &self.device_size)?;
        let offset =
            device.iter().zip(&self.device_size).fold(0, |sum, (c, extent)| sum * extent + c);
        let found = self.try_placement()?.coordinate(Slot { core: 0, offset })?;
        let rank = self.size.len();
        Ok(found.map(|at: IntTuple| at.leaves().iter().copied().take(rank).collect()))
    }
}

fn no_dimension(position: usize, dimension: isize, rank: usize) -> LayoutError {
    SpyreError::NoSuchDimension { position, dimension, rank, ones: 0 }.into()
}

/// The strides of a row-major host, saturating on overflow.
#[inline]
pub(super) fn contiguous(size: &[usize]) -> Vec<usize> {
    let outer = |i| size[i + 1..].iter().fold(1usize, |a, &b| a.saturating_mul(b));
    (0..size.len()).map(|i| outer(i).min(MAX_SIZE)).collect()
}

/// The parts of a layout besides its map.
#[derive(Clone, Copy)]
struct Parts<'a> {
    size: &'a [usize],
    stride: &'a [usize],
    element: ElementType,
    device_size: &'a [usize],
}

impl Parts<'_> {
    #[inline]
    fn check(&self, entries: usize) -> Result<(), LayoutError> {
        let (rank, device_rank) = (self.size.len(), self.device_size.len());
        check_rank(rank)?;
        refuse!(device_rank > MAX_LEAVES, LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        if self.stride.len() != rank {
            return Err(SpyreError::HostStrides { strides: self.stride.len(), rank }.widen());
        }
        let Some(&extent) = self.device_size.last() else { return Err(SpyreError::NoStick.into()) };
        refuse!(entries != device_rank, SpyreError::MapLength { entries, device_rank });
        let elements = elements_per_stick(self.element)?;
        if extent != elements {
            let element = self.element;
            return Err(SpyreError::StickLength { extent, elements, element }.into());
        }
        // A tensor without elements takes no space on the device.
        let empty = |extents: &[usize]| extents.iter().position(|&extent| extent == 0);
        match (empty(self.size), empty(self.device_size)) {
            (Some(dimension), None) => Err(SpyreError::HostExtent { dimension }.into()),
            (None, Some(position)) => Err(SpyreError::DeviceExtent { position }.into()),
            _ => Ok(()),
        }
    }

    /// The host dimension of each step: the dimension with the largest stride that divides the step.
    #[inline]
    fn digits_of_steps(
        &self,
        steps: &[isize],
        indices: &mut [Index],
    ) -> Result<Vec<Digit>, LayoutError> {
        let mut digits = Vec::new();
        if self.size.contains(&0) {
            return Ok(digits);
        }
        // The offset of the last element of the host.
        let mut last = 0usize;
        for (extent, stride) in self.size.iter().zip(self.stride) {
            last = last.saturating_add((extent - 1).saturating_mul(*stride));
        }
        for (position, (&step, &extent)) in steps.iter().zip(self.device_size).enumerate() {
            let no_step = SpyreError::NoSuchStep { position, step };
            let Ok(distance) = usize::try_from(step) else {
                refuse!(step < SYNTHETIC, no_step);
                continue;
            };
            if extent == 1 || distance == 0 {
                continue;
            }
            let fits = |d: &usize| {
                let (size, stride) = (self.size[*d], self.stride[*d]);
                size > 1 && stride > 0 && distance.is_multiple_of(stride)
            };
            // The first dimension if several have the same stride.
            let found = (0..self.size.len()).rev().filter(fits).max_by_key(|&d| self.stride[d]);
            match found {
                Some(d) => {
                    let weight = distance / self.stride[d];
                    digits.push(Digit { index: d, weight, position });
                }
                // The step exceeds all offsets of elements.
                None if distance > last => {}
                None => return Err(no_step.into()),
            }
        }
        self.place_expanded(steps, indices, &mut digits);
        self.fold(indices, &digits)?;
        Ok(digits)
    }

    /// Assigns each host dimension without a step to the first step of 0 with enough room.
    #[inline]
    fn place_expanded(&self, steps: &[isize], indices: &mut [Index], digits: &mut Vec<Digit>) {
        for (position, (&step, &extent)) in steps.iter().zip(self.device_size).enumerate() {
            let free = |d: &usize| {
                self.size[*d] > 1
                    && self.size[*d] <= extent
                    && !digits.iter().any(|digit| digit.index == *d)
            };
            if step == 0
                && extent > 1
                && let Some(d) = (0..indices.len()).find(free)
            {
                digits.push(Digit { index: d, weight: 1, position });
            }
        }
    }

    /// Joins dimensions without a step with the dimension that they continue.
    #[inline]
    fn fold(&self, indices: &mut [Index], digits: &[Digit]) -> Result<(), LayoutError> {
        let mut missing: Vec<usize> = (0..indices.len())
            .filter(|&d| self.size[d] > 1 && !digits.iter().any(|digit| digit.index == d))
            .collect();
        missing.sort_by_key(|&d| self.stride[d]);
        for d in missing {
            let (extent, stride) = (self.size[d], self.stride[d]);
            let continued = (0..indices.len()).find(|&i| {
                let placed = digits.iter().any(|digit| digit.index == i);
                placed
                    && self.stride[i].checked_mul(indices[i].extent) == Some(stride)
                    && stride > 0
            });
            let Some(i) = continued else {
                return Err(SpyreError::MissingDimension { dimension: d, extent }.into());
            };
            indices[i].row[d] = indices[i].extent;
            indices[i].extent = times(indices[i].extent, extent, "size")?;
            indices[d].extent = 1;
            indices[d].row[d] = 0;
        }
        Ok(())
    }

    #[inline]
    fn layout(
        &self,
        stride_map: Vec<isize>,
        digits: Vec<Digit>,
        indices: Vec<Index>,
        by_dimension: bool,
    ) -> Result<CurrentLayout, LayoutError> {
        let mut dim_map = Vec::from_iter(stride_map.iter().map(|_| SYNTHETIC));
        for digit in &digits {
            dim_map[digit.position] = digit.index as isize;
        }
        // In bytes too: a byte may hold several elements.
        let mut room = self.device_size.last().map_or(128, |&stick| stick.max(128));
        for &extent in self.device_size.iter().rev().skip(1) {
            room = times(room, extent, "device_size")?;
        }
        let mut placement = None;
        if !self.size.contains(&0) {
            placement = Some(Index::placement(self.size, self.device_size, &indices, &digits)?);
        }
        Ok(CurrentLayout {
            size: self.size.to_vec(),
            stride: self.stride.to_vec(),
            element: self.element,
            device_size: self.device_size.to_vec(),
            stride_map,
            dim_map,
            by_dimension,
            placement,
        })
    }
}

/// `spyre { size: [60], dtype: f16, device_size: [1, 2, 64], stride_map: [64, 30, 1], current: true }`
impl fmt::Display for CurrentLayout {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "spyre {{ size: [{}]", Separated(&self.size, ", "))?;
        if !self.is_contiguous() {
            write!(f, ", stride: [{}]", Separated(&self.stride, ", "))?;
        }
        write!(f, ", dtype: {}", self.element)?;
        write!(f, ", device_size: [{}]", Separated(&self.device_size, ", "))?;
        if self.by_dimension {
            write!(f, ", dim_map: [{}]", Separated(&self.dim_map, ", "))?;
        } else {
            write!(f, ", stride_map: [{}]", Separated(&self.stride_map, ", "))?;
        }
        f.write_str(", current: true }")
    }
}

debug_as_display!(CurrentLayout);
