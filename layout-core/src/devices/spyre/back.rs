//! Converts a CuTe layout to a Spyre layout.

use crate::devices::ElementType;
use crate::devices::numbers::mode_sizes;
use crate::devices::spyre::SpyreLayout;
use crate::devices::spyre::layout::{SYNTHETIC, elements_per_stick};
use crate::engine::{DynLayout, MAX_LEAVES};
use crate::error::{LayoutError, SpyreError};

/// A leaf of the layout with an extent above 1.
#[derive(Clone, Copy)]
struct Part {
    /// Its dimension, not counting dimensions of extent 1.
    dimension: usize,
    extent: usize,
    stride: usize,
    /// Whether it is the outermost leaf of its dimension, which may be followed by padding.
    outermost: bool,
}

impl SpyreLayout {
    /// The Spyre layout with the offsets of `layout`. The modes are the dimensions of a contiguous
    /// host.
    ///
    /// If a dimension ends before the next stride starts, the device is padded there. A layout in
    /// which every stride is a multiple of a stick is sparse.
    ///
    /// ```
    /// use static_layout::DynLayout;
    /// use static_layout::devices::{ElementType, spyre::SpyreLayout};
    /// let of = |text| SpyreLayout::of(&DynLayout::parse(text).unwrap(), ElementType::F16);
    /// let l = of("(128,256,(64,8)):(64,65536,(1,8192))")?;
    /// assert_eq!((l.device_size(), l.dim_map()), (&[256, 8, 128, 64][..], &[1, 2, 0, 2][..]));
    /// let l = of("(100,(64,8)):(64,(1,8192))")?;
    /// assert_eq!((l.device_size(), l.padding()), (&[8, 128, 64][..], 28 * 512));
    /// assert_eq!(of("512:64")?.dim_map(), &[0, -1]);
    /// assert_eq!(
    ///     of("(100,96):(96,1)").unwrap_err().to_string(),
    ///     "96 contiguous elements are not a whole number of sticks of 64, and the next stride is 96"
    /// );
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The reason if there is no such Spyre layout: [`SpyreError::NoSticks`],
    /// [`SpyreError::NotRowMajor`], [`SpyreError::PartsOutOfOrder`]; an empty layout, or one with
    /// more modes than the host may have.
    #[inline]
    pub const fn of(layout: &DynLayout, element: ElementType) -> Result<Self, LayoutError> {
        let stick = attempt!(elements_per_stick(element));
        let size = attempt!(mode_sizes(layout));
        let size = size.split_at(layout.rank()).0;
        refuse!(layout.size() == 0, LayoutError::ZeroExtent);
        let (mut parts, count) = attempt!(sorted_parts(layout));
        let (mut device_size, mut dim_map) = ([stick; MAX_LEAVES], [SYNTHETIC; MAX_LEAVES]);
        // Builds the device from its last dimension on: first the stick, then the dimensions outside
        // it.
        let (mut i, mut len, mut covered) = (0, 1, stick);
        if count > 0 && parts[0].stride == 1 {
            let Part { dimension, extent, outermost, .. } = parts[0];
            let next = if count > 1 { parts[1].stride } else { 0 };
            let whole = extent % stick == 0;
            if !whole && (extent > stick || !outermost) || !(next == 0 || next % stick == 0) {
                return Err(SpyreError::NoSticks { run: extent, stick, next }.widen());
            }
            dim_map[MAX_LEAVES - 1] = dimension as isize;
            if extent > stick {
                parts[0] = Part { extent: extent / stick, stride: stick, ..parts[0] };
            } else {
                i = 1;
            }
        }
        while i < count {
            let Part { dimension, extent, stride, outermost } = parts[i];
            let room = if i + 1 < count { parts[i + 1].stride / stride } else { extent };
            let exact = i + 1 == count || parts[i + 1].stride % stride == 0;
            if stride != covered || !exact || room < extent || room > extent && !outermost {
                return Err(SpyreError::NotRowMajor { dimension, extent, stride, covered }.widen());
            }
            refuse!(len == MAX_LEAVES, LayoutError::TooManyLeaves { limit: MAX_LEAVES });
            device_size[MAX_LEAVES - 1 - len] = room;
            dim_map[MAX_LEAVES - 1 - len] = dimension as isize;
            covered = covered.saturating_mul(room);
            len += 1;
            i += 1;
        }
        let device_size = device_size.split_at(MAX_LEAVES - len).1;
        Self::new(size, element, device_size, dim_map.split_at(MAX_LEAVES - len).1)
    }
}

/// The leaves with an extent above 1, by rising stride. The leaves of a mode are already in this
/// order.
#[inline]
const fn sorted_parts(layout: &DynLayout) -> Result<([Part; MAX_LEAVES], usize), LayoutError> {
    let none = Part { dimension: 0, extent: 1, stride: 0, outermost: false };
    let (mut parts, mut count, mut dimension) = ([none; MAX_LEAVES], 0, 0);
    repeat!(mode, 0..layout.rank(), {
        let leaves = layout.mode(mode).coalesce();
        let (mut i, mut before) = (0, 0);
        while i < leaves.len() && leaves.size() > 1 {
            let (extent, stride) = (leaves.extents()[i], leaves.strides()[i]);
            refuse!(stride <= before, SpyreError::PartsOutOfOrder { dimension, stride, before });
            before = stride;
            let mut at = count;
            while at > 0 && parts[at - 1].stride > stride {
                parts[at] = parts[at - 1];
                at -= 1;
            }
            parts[at] = Part { dimension, extent, stride, outermost: i + 1 == leaves.len() };
            count += 1;
            i += 1;
        }
        if leaves.size() > 1 {
            dimension += 1;
        }
    });
    Ok((parts, count))
}
