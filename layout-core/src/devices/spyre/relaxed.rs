//! Maps of newer compiler versions, with synthetic dimensions besides the stick.

use crate::devices::ElementType;
use crate::devices::spyre::SpyreLayout;
use crate::devices::spyre::layout::SYNTHETIC;
use crate::engine::MAX_LEAVES;
use crate::error::LayoutError;

impl SpyreLayout {
    /// [`new`](Self::new) for a map that may also have -1 before the stick. Such dimensions must
    /// have extent 1. They are omitted, which changes no offset.
    ///
    /// ```
    /// use static_layout::devices::{ElementType, spyre::SpyreLayout};
    /// let l = SpyreLayout::relaxed(&[512, 256], ElementType::F16, &[256, 1, 512, 64], &[1, -1, 0, -1])?;
    /// assert_eq!(l, SpyreLayout::sparse(&[512, 256], ElementType::F16, None)?);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`new`](Self::new). Positions in the device do not count the omitted
    /// dimensions.
    #[inline]
    pub const fn relaxed(
        size: &[usize],
        element: ElementType,
        device_size: &[usize],
        dim_map: &[isize],
    ) -> Result<Self, LayoutError> {
        if device_size.len() > MAX_LEAVES || dim_map.len() != device_size.len() {
            return Self::new(size, element, device_size, dim_map);
        }
        let (mut extents, mut map, mut len) = ([0; MAX_LEAVES], [0; MAX_LEAVES], 0);
        repeat!(p, 0..device_size.len(), {
            if !is_idle(device_size, dim_map, p) {
                (extents[len], map[len]) = (device_size[p], dim_map[p]);
                len += 1;
            }
        });
        Self::new(size, element, extents.split_at(len).0, map.split_at(len).0)
    }
}

/// Whether device dimension `p` is synthetic, has extent 1, and is not the stick.
pub(crate) const fn is_idle(device_size: &[usize], map: &[isize], p: usize) -> bool {
    p + 1 < device_size.len() && map[p] == SYNTHETIC && device_size[p] == 1
}
