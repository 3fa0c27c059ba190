//! How a Spyre layout is written.

use core::fmt;

use crate::devices::spyre::SpyreLayout;

/// `spyre { size: [512], dtype: f16, device_size: [8, 64], dim_map: [0, 0] }`, with `stride` behind
/// `size` if the host is not contiguous.
impl fmt::Display for SpyreLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("spyre { size: ")?;
        list(f, self.size())?;
        if !self.is_contiguous() {
            f.write_str(", stride: ")?;
            list(f, self.stride())?;
        }
        write!(f, ", dtype: {}, device_size: ", self.element())?;
        list(f, self.device_size())?;
        f.write_str(", dim_map: ")?;
        list(f, self.dim_map())?;
        f.write_str(" }")
    }
}

impl fmt::Debug for SpyreLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: &[T]) -> fmt::Result {
    f.write_str("[")?;
    for (i, item) in items.iter().enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        item.fmt(f)?;
    }
    f.write_str("]")
}
