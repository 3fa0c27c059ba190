//! Copies of runs that do not fit in the caches: block by block in the order of the source.
//!
//! A load waits for memory, a store does not. Hardware prefetchers shorten the wait, but they follow only
//! sequential addresses up to the end of a page. Non-temporal stores are combined line by line in a small
//! number of write-combining buffers. Lines reach memory fastest if several of them are in the same page. So
//! a block reads a few hundred bytes from each of a few rows and writes a few KiB to each of a few regions of
//! the destination, and prefetches the next block meanwhile. (Zen 5, random permutations of 12 to 52 MiB, compared
//! with the order of the destination: runs of whole cache lines 1.3 to 1.5 times as fast, others 1.1 to 1.25.)

use super::plan::{Caching, CopyKernel, CopyPlan, STREAMED_BYTES};
use super::refine::{Loop, MAX_LOOPS, Nest, iterations, mixed_radix};
use crate::transpose::CACHE_LINE;

/// Number of distant regions of the destination that a block writes to, interleaved.
const DESTINATION_REGIONS: usize = 16;

/// Maximum bytes of a block: it and the next one fit in L1.
const BLOCK_BYTES: usize = 16 << 10;

/// A destination stride below this many bytes counts as near.
const PAGE: usize = 4 << 10;

/// Callback for a block: its plan, its offsets in both memories, and the distance in the source to the
/// next block.
pub(super) type BlockFn<'a> = dyn FnMut(&CopyPlan, (usize, usize), usize) + 'a;

impl CopyPlan {
    /// Whether to copy in the order of the source, if the copy does not fit in the caches.
    pub(super) const fn is_in_order_of_source(&self) -> bool {
        let CopyKernel::Run { elements } = self.kernel() else { return false };
        !matches!(self.caching(), Caching::Direct)
            && self.total_bytes() >= STREAMED_BYTES
            && elements.saturating_mul(self.element_bytes()) >= CACHE_LINE
    }

    /// Calls `copy` with each block, its offsets in both memories, and the distance in the source to
    /// the next block, which wraps around. The plan must be in the order of the source.
    pub(super) fn blocks(&self, copy: &mut BlockFn<'_>) {
        let extents = self.block_extents();
        let (mut outer, mut inside) = (Nest::<MAX_LOOPS>::new(), Nest::new());
        for (each, extent) in self.loops().iter().zip(extents) {
            outer.push(Loop { extent: each.extent.div_ceil(extent), ..each.times(extent) });
            if extent > 1 {
                inside.push(Loop { extent, ..*each });
            }
        }
        let mut block = self.with_loops(inside);
        let (count, mut this) = (iterations(outer.as_slice()), (0, 0));
        for number in 0..count {
            // The last block along a loop may be shorter.
            let (mut rest, mut k) = (number, inside.len());
            for (n, &Loop { extent: blocks, .. }) in outer.as_slice().iter().enumerate().rev() {
                if extents[n] > 1 {
                    k -= 1;
                    let left = self.loops()[n].extent - rest % blocks * extents[n];
                    block = block.with_extent(k, extents[n].min(left));
                }
                rest /= blocks;
            }
            let next = mixed_radix(outer.as_slice(), (number + 1) % count);
            copy(&block, this, next.0.wrapping_sub(this.0));
            this = next;
        }
    }

    /// Iterations of each loop inside a block. Takes loops of the source, innermost first, until the
    /// block has enough destination regions, then the other loops with near destination strides.
    fn block_extents(&self) -> [usize; MAX_LOOPS] {
        let (loops, size) = (self.loops(), self.element_bytes());
        let mut extents = [1; MAX_LOOPS];
        let CopyKernel::Run { elements } = self.kernel() else { return extents };
        let mut bytes = elements * size;
        let mut take = |k: usize, max: usize| {
            let limit = max.min(BLOCK_BYTES / bytes).max(1);
            // Makes all blocks about the same size.
            extents[k] = loops[k].extent.div_ceil(loops[k].extent.div_ceil(limit));
            bytes *= extents[k];
            extents[k]
        };
        let near = |k: usize| loops[k].destination * size < PAGE;
        let (mut regions, mut k) = (1, loops.len());
        while k > 0 && regions < DESTINATION_REGIONS {
            k -= 1;
            let is_near = near(k);
            let taken = take(k, if is_near { usize::MAX } else { DESTINATION_REGIONS / regions });
            regions *= if is_near { 1 } else { taken };
            if taken < loops[k].extent {
                break;
            }
        }
        let mut left = [true; MAX_LOOPS];
        while let Some(nearest) =
            (0..k).filter(|&k| left[k] && near(k)).min_by_key(|&k| loops[k].destination)
        {
            left[nearest] = false;
            take(nearest, usize::MAX);
        }
        extents
    }
}

#[cfg(test)]
mod tests {
    use layout_core::engine::DynLayout;

    use super::*;

    /// Walks all blocks and records the source offset of each destination element. Returns the number
    /// of blocks.
    fn blocks(source: &str, destination: &str) -> usize {
        let layout = |text| DynLayout::parse(text).unwrap();
        let (s, d) = (layout(source), layout(destination));
        let plan = CopyPlan::new::<f32>(&s, &d).unwrap();
        let CopyKernel::Run { elements: run } = plan.kernel() else { panic!("{plan}") };
        assert!(plan.is_in_order_of_source(), "{plan}");
        let mut from = vec![usize::MAX; d.cosize()];
        let (mut count, mut expected) = (0, 0);
        plan.blocks(&mut |block, (s, d), prefetch_distance| {
            assert_eq!(s, expected, "what was prefetched comes next");
            expected = s.wrapping_add(prefetch_distance);
            let iterations: usize = block.loops().iter().map(|each| each.extent).product();
            assert!(iterations * run <= BLOCK_BYTES / 4, "{block}");
            count += 1;
            for iteration in 0..iterations {
                let (s_in, d_in) = mixed_radix(block.loops(), iteration);
                for k in 0..run {
                    let place = &mut from[d + d_in + k];
                    assert_eq!(*place, usize::MAX, "written twice");
                    *place = s + s_in + k;
                }
            }
        });
        for i in 0..s.size() {
            assert_eq!(from[d.offset_of_index(i)], s.offset_of_index(i), "{source} {destination}");
        }
        count
    }

    #[test]
    fn blocks_cover_the_whole_once() {
        let rows = "((32,64),(32,36)):((1152,36864),(1,32))";
        let device = "((32,64),(32,36)):((32,36864),(1,1024))";
        assert_eq!(blocks(device, rows), 64 * 2 * 5);
        assert_eq!(blocks(rows, device), 64 * 3 * 4);
        // With extents that no block divides.
        blocks(
            "((32,40),(32,71)):((32,72704),(1,1024))",
            "((32,40),(32,71)):((2272,72704),(1,32))",
        );
        blocks(
            "((16,137),(32,31)):((32,15872),(1,512))",
            "((16,137),(32,31)):((992,15872),(1,32))",
        );
        // Runs that are not whole cache lines, far apart and near.
        blocks("(41,301,211):(1,41,12341)", "(41,301,211):(1,8651,41)");
        blocks("(50,150,86,9):(1,50,7500,645000)", "(50,150,86,9):(1,82,110700,12300)");
    }
}
