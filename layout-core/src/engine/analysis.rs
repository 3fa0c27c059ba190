//! Questions about the image of a layout: is it injective, does it leave gaps.

use crate::engine::int_tuple::MAX_LEAVES;
use crate::engine::layout::DynLayout;

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
        let (extents, strides, n) = match self.sorted_by_stride() {
            Some(modes) => modes,
            None => return true,
        };
        if n == 0 {
            return true;
        }
        if strides[0] == 0 {
            return false;
        }
        // reach[k] is the largest offset that modes 0..k make together.
        let mut reach = [0; MAX_LEAVES + 1];
        let mut k = 0;
        let mut nested = true;
        while k < n {
            nested &= strides[k] > reach[k];
            reach[k + 1] = reach[k] + (extents[k] - 1) * strides[k];
            k += 1;
        }
        // Two coordinates meet iff some z != 0 with |z_k| < s_k has sum z_k * d_k = 0. When every
        // stride exceeds what the smaller ones reach there is none; else search.
        nested || !has_zero_sum(&extents, &strides, &reach, n, 0, true)
    }

    /// The leaves with more than one element by rising stride, or nothing for an empty layout.
    const fn sorted_by_stride(&self) -> Option<([usize; MAX_LEAVES], [usize; MAX_LEAVES], usize)> {
        let (mut extents, mut strides) = ([0; MAX_LEAVES], [0; MAX_LEAVES]);
        let (mut n, mut i) = (0, 0);
        while i < self.len() {
            let (s, d) = (self.extent_at(i), self.stride_at(i));
            if s == 0 {
                return None;
            }
            if s > 1 {
                let mut k = n;
                while k > 0 && strides[k - 1] > d {
                    strides[k] = strides[k - 1];
                    extents[k] = extents[k - 1];
                    k -= 1;
                }
                strides[k] = d;
                extents[k] = s;
                n += 1;
            }
            i += 1;
        }
        Some((extents, strides, n))
    }
}

/// Whether modes `0..n` can contribute exactly `-target` with `|z_k| < s_k`; `all_zero` says that
/// the larger modes are all at 0, so that the rest must not be.
const fn has_zero_sum(
    extents: &[usize; MAX_LEAVES],
    strides: &[usize; MAX_LEAVES],
    reach: &[usize; MAX_LEAVES + 1],
    n: usize,
    target: isize,
    all_zero: bool,
) -> bool {
    if n == 0 {
        return target == 0 && !all_zero;
    }
    let (d, below) = (strides[n - 1] as isize, reach[n - 1] as isize);
    // z * d must come within `below` of -target: a short range of z around -target / d. While all
    // is zero the sign is free, so only z >= 0 is tried.
    let most = (extents[n - 1] - 1) as isize;
    let least = if all_zero { 0 } else { -most };
    let mut z = (-target - below).div_euclid(d);
    if z * d < -target - below {
        z += 1;
    }
    if z < least {
        z = least;
    }
    while z <= most && z * d + target <= below {
        if has_zero_sum(extents, strides, reach, n - 1, target + z * d, all_zero && z == 0) {
            return true;
        }
        z += 1;
    }
    false
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
