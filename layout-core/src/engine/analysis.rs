//! Questions about the image of a layout: is it injective, does it leave gaps.

use crate::engine::int_tuple::{IntTuple, MAX_LEAVES};
use crate::engine::layout::DynLayout;
use crate::error::{AlgebraError, LayoutError};

impl DynLayout {
    /// Whether no two coordinates have the same offset.
    ///
    /// Exact for every layout, also where modes overlap without meeting: `(2,2):(2,3)` has the
    /// offsets 0, 2, 3, 5.
    ///
    /// ```
    /// use layout_core::engine::DynLayout;
    /// let injective = |text| DynLayout::parse(text).unwrap().is_injective();
    /// assert!(injective("(4,8):(8,1)") && injective("(2,2):(2,3)"));
    /// assert!(!injective("(4,8):(0,1)") && !injective("(4,2):(1,3)"));
    /// ```
    pub const fn is_injective(&self) -> bool {
        let modes = match self.sorted_by_stride() {
            Some(modes) => modes,
            None => return true,
        };
        if modes.len == 0 {
            return true;
        }
        if modes.stride[0] == 0 {
            return false;
        }
        // reach[k] is the largest offset that modes 0..k make together.
        let mut reach = [0; MAX_LEAVES + 1];
        let mut k = 0;
        let mut nested = true;
        while k < modes.len {
            nested &= modes.stride[k] > reach[k];
            reach[k + 1] = reach[k] + (modes.extent[k] - 1) * modes.stride[k];
            k += 1;
        }
        // More coordinates than offsets: two of them meet.
        if self.size() > self.cosize() {
            return false;
        }
        // Two coordinates meet iff some z != 0 with |z_k| < s_k has sum z_k * d_k = 0. When every
        // stride exceeds what the smaller ones reach there is none; else search.
        nested || !modes.has_zero_sum(&reach, modes.len, 0, true)
    }

    /// Whether every offset below [`cosize`](Self::cosize) has a coordinate.
    ///
    /// ```
    /// use layout_core::engine::DynLayout;
    /// let contiguous = |text| DynLayout::parse(text).unwrap().is_contiguous();
    /// assert!(contiguous("(4,8):(8,1)") && contiguous("(4,8):(1,3)"));
    /// assert!(!contiguous("(4,8):(1,5)"));
    /// ```
    pub const fn is_contiguous(&self) -> bool {
        let modes = match self.sorted_by_stride() {
            Some(modes) => modes,
            None => return true,
        };
        // By rising stride: what smaller strides reach has no gaps, and the next stride must start
        // at most one beyond it. No larger one can come back to a gap.
        let (mut reach, mut k) = (0, 0);
        while k < modes.len {
            if modes.stride[k] > reach + 1 {
                return false;
            }
            reach += (modes.extent[k] - 1) * modes.stride[k];
            k += 1;
        }
        true
    }

    /// Whether each offset below [`cosize`](Self::cosize) has exactly one coordinate: the layout
    /// is compact, in some order of its modes.
    ///
    /// ```
    /// use layout_core::engine::DynLayout;
    /// let bijective = |text| DynLayout::parse(text).unwrap().is_bijective();
    /// assert!(bijective("(4,(2,8)):(16,(1,2))"));
    /// assert!(!bijective("(4,8):(1,3)") && !bijective("(4,8):(1,5)"));
    /// ```
    pub const fn is_bijective(&self) -> bool {
        self.size() == self.cosize() && self.is_contiguous()
    }

    /// The offsets of all coordinates, each once, from the smallest on.
    ///
    /// ```
    /// use layout_core::engine::DynLayout;
    /// let l = DynLayout::parse("(2,2,2):(3,2,0)").unwrap();
    /// assert!(l.image().eq([0, 2, 3, 5]));
    /// ```
    pub fn image(&self) -> impl Iterator<Item = usize> {
        let layout = *self;
        (0..self.cosize()).filter(move |&offset| layout.coordinate_of(offset).is_ok())
    }

    /// The offsets below [`cosize`](Self::cosize) that no coordinate has, from the smallest on.
    ///
    /// ```
    /// use layout_core::engine::DynLayout;
    /// let padded = DynLayout::parse("(3,2):(1,4)").unwrap();
    /// assert!(padded.gaps().eq([3]));
    /// ```
    pub fn gaps(&self) -> impl Iterator<Item = usize> {
        let layout = *self;
        (0..self.cosize()).filter(move |&offset| layout.coordinate_of(offset).is_err())
    }

    /// A coordinate, congruent to the shape, of an offset: `L(coordinate_of(L, o)) = o`.
    ///
    /// Modes of stride 0 are at 0; with several coordinates it is one of them.
    ///
    /// ```
    /// use layout_core::engine::DynLayout;
    /// let padded = DynLayout::parse("(3,(2,2)):(1,(4,8))").unwrap();
    /// assert_eq!(padded.coordinate_of(6)?.to_string(), "(2,(1,0))");
    /// assert!(padded.coordinate_of(7).is_err());
    /// # Ok::<(), layout_core::error::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::NotInImage`].
    #[doc(alias = "get_hier_coord")]
    pub const fn coordinate_of(&self, offset: usize) -> Result<IntTuple, LayoutError> {
        let mut at = [0; MAX_LEAVES];
        if let Some(modes) = self.sorted_by_stride()
            && modes.find(&modes.reach(), modes.len, offset, &mut at)
        {
            return Ok(self.shape().with_leaves(&at));
        }
        let (shape, stride) = (self.shape(), self.stride());
        Err(LayoutError::Algebra(AlgebraError::NotInImage { offset, shape, stride }))
    }

    /// The leaves with more than one element by rising stride, equal ones in their order; nothing
    /// for an empty layout.
    pub(crate) const fn sorted_by_stride(&self) -> Option<SortedModes> {
        let mut modes = SortedModes {
            len: 0,
            extent: [0; MAX_LEAVES],
            stride: [0; MAX_LEAVES],
            leaf: [0; MAX_LEAVES],
        };
        let mut i = 0;
        while i < self.len() {
            let (extent, stride) = (self.extent_at(i), self.stride_at(i));
            if extent == 0 {
                return None;
            }
            if extent > 1 {
                let mut k = modes.len;
                while k > 0 && modes.stride[k - 1] > stride {
                    modes.stride[k] = modes.stride[k - 1];
                    modes.extent[k] = modes.extent[k - 1];
                    modes.leaf[k] = modes.leaf[k - 1];
                    k -= 1;
                }
                modes.stride[k] = stride;
                modes.extent[k] = extent;
                modes.leaf[k] = i;
                modes.len += 1;
            }
            i += 1;
        }
        Some(modes)
    }
}

/// Leaves by rising stride, and which leaf of the layout each is.
pub(crate) struct SortedModes {
    pub(crate) len: usize,
    pub(crate) extent: [usize; MAX_LEAVES],
    pub(crate) stride: [usize; MAX_LEAVES],
    pub(crate) leaf: [usize; MAX_LEAVES],
}

impl SortedModes {
    /// For each `k`, the largest offset that the modes `0..k` make together.
    const fn reach(&self) -> [usize; MAX_LEAVES + 1] {
        let mut reach = [0; MAX_LEAVES + 1];
        let mut k = 0;
        while k < self.len {
            reach[k + 1] = reach[k] + (self.extent[k] - 1) * self.stride[k];
            k += 1;
        }
        reach
    }

    /// Finds coordinates of the modes `0..n` whose offset is `target`, and puts them at their
    /// leaves.
    const fn find(
        &self,
        reach: &[usize; MAX_LEAVES + 1],
        n: usize,
        target: usize,
        at: &mut [usize; MAX_LEAVES],
    ) -> bool {
        if target > reach[n] {
            return false;
        }
        if target == 0 {
            let mut k = 0;
            while k < n {
                at[self.leaf[k]] = 0;
                k += 1;
            }
            return true;
        }
        // The target is positive and reached, so that n > 0 and the largest stride is not 0.
        let (stride, below) = (self.stride[n - 1], reach[n - 1]);
        let mut most = target / stride;
        if most > self.extent[n - 1] - 1 {
            most = self.extent[n - 1] - 1;
        }
        // What is left must be in reach of the smaller strides: a short range near the largest.
        loop {
            let rest = target - most * stride;
            if rest > below {
                return false;
            }
            at[self.leaf[n - 1]] = most;
            if self.find(reach, n - 1, rest, at) {
                return true;
            }
            if most == 0 {
                return false;
            }
            most -= 1;
        }
    }

    /// Whether modes `0..n` can contribute exactly `-target` with `|z_k| < s_k`; `all_zero` says that
    /// the larger modes are all at 0, so that the rest must not be.
    const fn has_zero_sum(
        &self,
        reach: &[usize; MAX_LEAVES + 1],
        n: usize,
        target: isize,
        all_zero: bool,
    ) -> bool {
        if n == 0 {
            return target == 0 && !all_zero;
        }
        let (d, below) = (self.stride[n - 1] as isize, reach[n - 1] as isize);
        // z * d must come within `below` of -target: a short range of z around -target / d. While all
        // is zero the sign is free, so only z >= 0 is tried.
        let most = (self.extent[n - 1] - 1) as isize;
        let least = if all_zero { 0 } else { -most };
        let mut z = (-target - below).div_euclid(d);
        if z * d < -target - below {
            z += 1;
        }
        if z < least {
            z = least;
        }
        while z <= most && z * d + target <= below {
            if self.has_zero_sum(reach, n - 1, target + z * d, all_zero && z == 0) {
                return true;
            }
            z += 1;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::IntTuple;
    use std::collections::HashSet;

    #[test]
    fn injectivity_is_exact() {
        let mut state = 1u32;
        let mut next = |n: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % n
        };
        let mut seen = [0; 2];
        for _ in 0..20_000 {
            let rank = 1 + next(4) as usize;
            let shape: Vec<usize> = (0..rank).map(|_| 1 + next(5) as usize).collect();
            let stride: Vec<usize> = (0..rank).map(|_| next(24) as usize).collect();
            let l =
                DynLayout::new(&IntTuple::flat(&shape).unwrap(), &IntTuple::flat(&stride).unwrap())
                    .unwrap();
            let offsets: HashSet<usize> = (0..l.size()).map(|i| l.offset_of_index(i)).collect();
            let expected = offsets.len() == l.size();
            assert_eq!(l.is_injective(), expected, "{l}");
            seen[expected as usize] += 1;
        }
        assert!(seen[0] > 1000 && seen[1] > 1000, "both answers must occur: {seen:?}");
    }
}
