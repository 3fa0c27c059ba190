//! Refines two layouts into one loop nest.

use layout_core::engine::DynLayout;

use crate::list::List;

/// Maximum loops of a plan. Layouts that need more are
/// [`CopyKernel::Irregular`](super::CopyKernel::Irregular).
///
/// A low limit keeps the plan of a dynamic copy small. Real layouts have up to about six loops.
pub(crate) const MAX_LOOPS: usize = 16;

/// A loop over both memories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Number of iterations.
    pub extent: usize,
    /// Stride in the source, in elements.
    pub source: usize,
    /// Stride in the destination, in elements.
    pub destination: usize,
}

impl Loop {
    pub(crate) const ONCE: Self = Self { extent: 1, source: 0, destination: 0 };

    /// The same loop with both strides multiplied by `n`.
    pub(super) const fn times(self, n: usize) -> Self {
        let (source, destination) = (self.source.wrapping_mul(n), self.destination.wrapping_mul(n));
        Self { source, destination, ..self }
    }

    pub(super) const fn stride(&self, of_source: bool) -> usize {
        if of_source { self.source } else { self.destination }
    }

    /// Whether this loop around `inner` can be merged with it into one longer loop.
    const fn continues(&self, inner: &Self) -> bool {
        self.source == inner.source * inner.extent
            && self.destination == inner.destination * inner.extent
    }
}

/// At most `MAX` nested loops, outermost first.
pub(super) type Nest<const MAX: usize = MAX_LOOPS> = List<Loop, MAX>;

impl<const MAX: usize> Nest<MAX> {
    pub(super) const fn at_mut(&mut self, k: usize) -> &mut Loop {
        &mut self.as_mut_slice()[k]
    }

    /// The innermost loop. Without loops, [`Loop::ONCE`].
    pub(super) const fn innermost(&self) -> Loop {
        nth_inner(self.as_slice(), 0)
    }

    /// Sorts by descending stride of the destination, or of the source.
    pub(super) const fn sort(&mut self, by_source: bool) {
        let (loops, mut k) = (self.as_mut_slice(), 1);
        while k < loops.len() {
            let this = loops[k];
            let mut at = k;
            while at > 0 && loops[at - 1].stride(by_source) < this.stride(by_source) {
                loops[at] = loops[at - 1];
                at -= 1;
            }
            loops[at] = this;
            k += 1;
        }
    }

    /// Merges two loops into one where the outer one continues the inner one.
    pub(super) const fn merge(&mut self) {
        let (loops, mut kept, mut k) = (self.as_mut_slice(), 0, 1);
        while k < loops.len() {
            let inner = loops[k];
            if loops[kept].continues(&inner) {
                loops[kept] = Loop { extent: loops[kept].extent * inner.extent, ..inner };
            } else {
                kept += 1;
                loops[kept] = inner;
            }
            k += 1;
        }
        self.truncate(kept + 1);
    }

    /// Adds the common refinement of the leaves of both layouts as loops, innermost first. Returns
    /// `false` if there is none, or if it has too many loops. Modes must have the same sizes in both
    /// layouts, so that the leaves end together.
    pub(super) const fn refine(&mut self, source: &DynLayout, destination: &DynLayout) -> bool {
        let (mut source, mut destination) = (Leaves::of(source), Leaves::of(destination));
        let (mut s, mut d) = (source.step(), destination.step());
        while let (Some((s_extent, s_stride)), Some((d_extent, d_stride))) = (s, d) {
            // Divisions take longer than the rest of a loop; most extents are equal.
            let (extent, s_left, d_left) = if s_extent == d_extent {
                (s_extent, 1, 1)
            } else if s_extent < d_extent {
                (s_extent, 1, d_extent / s_extent)
            } else {
                (d_extent, s_extent / d_extent, 1)
            };
            // One extent must divide the other, otherwise there is no common refinement.
            if s_left * extent != s_extent || d_left * extent != d_extent {
                return false;
            }
            let this = Loop { extent, source: s_stride, destination: d_stride };
            let is_full = self.is_full();
            match self.as_mut_slice() {
                [.., last] if this.continues(last) => last.extent *= extent,
                _ if is_full => return false,
                _ => self.push(this),
            }
            s = match s_left {
                1 => source.step(),
                left => Some((left, s_stride * extent)),
            };
            d = match d_left {
                1 => destination.step(),
                left => Some((left, d_stride * extent)),
            };
        }
        true
    }
}

/// Goes through the (extent, stride) pairs of a layout, without extents of 1 and with neighbours
/// merged.
struct Leaves<'a> {
    extents: &'a [usize],
    strides: &'a [usize],
    next: usize,
}

impl<'a> Leaves<'a> {
    const fn of(layout: &'a DynLayout) -> Self {
        Self { extents: layout.extents(), strides: layout.strides(), next: 0 }
    }

    const fn step(&mut self) -> Option<(usize, usize)> {
        let mut merged = None;
        while self.next < self.extents.len() {
            let (extent, stride) = (self.extents[self.next], self.strides[self.next]);
            match merged {
                _ if extent == 1 => {}
                None => merged = Some((extent, stride)),
                // Extents are above 1, so `e * s` is less than twice the cosize and cannot overflow.
                Some((e, s)) if e * s == stride => merged = Some((e * extent, s)),
                Some(_) => break,
            }
            self.next += 1;
        }
        merged
    }
}

/// Runs `$body` with the source and destination offset of each iteration of the loops.
///
/// A macro, because a closure that is not inlined is compiled without the target features of the
/// level.
macro_rules! for_each_offset {
    ($loops:expr, |$s:ident, $d:ident| $body:expr) => {{
        let loops: &[$crate::copy::Loop] = $loops;
        let count = loops.len();
        // The four innermost loops. If there are fewer, the missing outer ones run once.
        let (l3, l2, l1, l0) = (
            $crate::copy::refine::nth_inner(loops, 3),
            $crate::copy::refine::nth_inner(loops, 2),
            $crate::copy::refine::nth_inner(loops, 1),
            $crate::copy::refine::nth_inner(loops, 0),
        );
        // More loops than four are rare: count through the outer ones in mixed radix.
        let outer = loops.split_at(count.saturating_sub(4)).0;
        for iteration in 0..$crate::copy::refine::iterations(outer) {
            let (s3, d3) = $crate::copy::refine::mixed_radix(outer, iteration);
            for i in 0..l3.extent {
                let (s2, d2) = (s3 + i * l3.source, d3 + i * l3.destination);
                for i in 0..l2.extent {
                    let (s1, d1) = (s2 + i * l2.source, d2 + i * l2.destination);
                    for i in 0..l1.extent {
                        let (s0, d0) = (s1 + i * l1.source, d1 + i * l1.destination);
                        for i in 0..l0.extent {
                            let ($s, $d) = (s0 + i * l0.source, d0 + i * l0.destination);
                            $body
                        }
                    }
                }
            }
        }
    }};
}

#[inline(always)]
pub(super) const fn nth_inner(loops: &[Loop], n: usize) -> Loop {
    if n < loops.len() { loops[loops.len() - 1 - n] } else { Loop::ONCE }
}

#[inline(always)]
pub(super) fn iterations(loops: &[Loop]) -> usize {
    let mut product = 1;
    for each in loops {
        product *= each.extent;
    }
    product
}

/// Offsets of iteration `iteration` of nested loops.
#[inline(always)]
pub(super) fn mixed_radix(loops: &[Loop], mut iteration: usize) -> (usize, usize) {
    let (mut source, mut destination) = (0, 0);
    for each in loops.iter().rev() {
        let digit = iteration % each.extent;
        iteration /= each.extent;
        source += digit * each.source;
        destination += digit * each.destination;
    }
    (source, destination)
}

pub(super) use for_each_offset;
