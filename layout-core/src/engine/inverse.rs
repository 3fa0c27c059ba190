//! `right_inverse`: from offsets back to coordinates.

use crate::engine::layout::DynLayout;

impl DynLayout {
    /// The layout R with `L(R(i)) = i` for every `i < size(R)`, as large as strides allow.
    ///
    /// R starts at the mode of stride 1 and goes on with the mode whose stride is what is covered
    /// so far. Without a mode of stride 1 it is `1:0`. Of modes with equal strides the first is
    /// taken.
    ///
    /// ```
    /// use layout_core::engine::DynLayout;
    /// let l = DynLayout::parse("(4,8):(8,1)").unwrap();
    /// assert_eq!(l.right_inverse().to_string(), "(8,4):(4,1)");
    /// ```
    pub const fn right_inverse(&self) -> Self {
        let l = self.coalesce();
        let modes = match l.sorted_by_stride() {
            Some(modes) => modes,
            // An empty layout has no offsets.
            None => return Self::UNIT,
        };
        let mut inverse = Self::EMPTY;
        let (mut covered, mut i) = (1, 0);
        while i < modes.len {
            if modes.stride[i] == covered {
                let mut step = 1;
                let mut k = 0;
                while k < modes.leaf[i] {
                    step *= l.extent_at(k);
                    k += 1;
                }
                if let Ok(more) = inverse.push_leaf(modes.extent[i], step) {
                    inverse = more;
                }
                covered *= modes.extent[i];
            }
            i += 1;
        }
        inverse.coalesce()
    }
}
