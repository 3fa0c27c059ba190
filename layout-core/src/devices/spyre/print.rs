//! Printing of Spyre layouts.

use core::fmt;

use crate::devices::print::Separated;
use crate::devices::spyre::SpyreLayout;

/// `spyre { size: [512], dtype: f16, device_size: [8, 64], dim_map: [0, 0] }`, with `stride` after
/// `size` if the host is not contiguous.
impl fmt::Display for SpyreLayout {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "spyre {{ size: [{}]", Separated(self.size(), ", "))?;
        if !self.is_contiguous() {
            write!(f, ", stride: [{}]", Separated(self.stride(), ", "))?;
        }
        write!(f, ", dtype: {}", self.element())?;
        write!(f, ", device_size: [{}]", Separated(self.device_size(), ", "))?;
        write!(f, ", dim_map: [{}] }}", Separated(self.dim_map(), ", "))
    }
}

debug_as_display!(SpyreLayout);
