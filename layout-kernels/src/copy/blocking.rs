//! Cuts a copy into pieces, for caches and for threads.
//!
//! The loop with large strides in both memories is halved, then the next one, and so on until a piece
//! is small. The remaining loops have small strides in one of the memories, and about the same length.
//! So a piece touches few pages and few cache lines of either memory, whatever the cache sizes.

use super::plan::{Caching, CopyKernel, CopyPlan, LONG_RUN, PIECE_BYTES};
use super::refine::Loop;
use crate::simd::cache::Caches;
use crate::transpose::CACHE_LINE;

/// The part of a larger last-level cache that a copy counts on: many cores share such a cache.
const MAX_LLC_BYTES: usize = 32 << 20;

/// Rows and columns of a block, and elements of a run, are cut at multiples of this many units,
/// which are whole cache lines.
const GRAIN: usize = CACHE_LINE;

impl CopyPlan {
    /// Whether source and destination do not fit in the last-level cache.
    pub(super) fn exceeds_caches(&self) -> bool {
        self.total_bytes() >= Caches::detect().llc.min(MAX_LLC_BYTES) / 2
    }

    /// Whether a copy to this address can use non-temporal stores: it writes whole cache lines of the
    /// destination. A piece may be too short for that, although the whole copy is not: a long run may
    /// be cut in two.
    pub(super) fn can_stream_to(&self, destination: *const u8) -> bool {
        let is_aligned = destination.addr().is_multiple_of(CACHE_LINE);
        match self.kernel() {
            CopyKernel::Run { elements } => {
                elements * self.element_bytes() >= LONG_RUN || is_aligned && self.fills_lines()
            }
            _ => is_aligned,
        }
    }

    /// Calls `copy` with each piece and its offsets in both memories.
    pub(super) fn pieces(&self, at: (usize, usize), copy: &mut dyn FnMut(&Self, usize, usize)) {
        let max_bytes = if self.caching() == Caching::Direct { usize::MAX } else { PIECE_BYTES };
        self.pieces_of(max_bytes, at, copy);
    }

    fn pieces_of(
        &self,
        max_bytes: usize,
        (source, destination): (usize, usize),
        copy: &mut dyn FnMut(&Self, usize, usize),
    ) {
        match if self.bytes() <= max_bytes { None } else { self.halves(false) } {
            None => copy(self, source, destination),
            Some((first, Loop { source: s, destination: d, .. }, second)) => {
                first.pieces_of(max_bytes, (source, destination), copy);
                second.pieces_of(max_bytes, (source + s, destination + d), copy);
            }
        }
    }

    /// At least `count` pieces of about the same size, with their offsets. Fewer if smaller pieces do
    /// not pay off.
    #[cfg(feature = "std")]
    pub(super) fn parts(&self, count: usize) -> Vec<(Self, usize, usize)> {
        let mut parts = vec![(*self, 0, 0)];
        loop {
            let before = parts.len();
            if before >= count {
                return parts;
            }
            for k in 0..before {
                let (plan, source, destination) = parts[k];
                if plan.bytes() > 2 * PIECE_BYTES
                    && let Some((first, at, second)) = plan.halves(true)
                {
                    parts[k].0 = first;
                    parts.push((second, source + at.source, destination + at.destination));
                }
            }
            if parts.len() == before {
                return parts;
            }
        }
    }

    /// The plan cut in two along its farthest loop: the first half, the offsets of the second half,
    /// and the second half. `None` if no loop can be cut. Long runs are cut only `for_threads`.
    fn halves(&self, for_threads: bool) -> Option<(Self, Loop, Self)> {
        let run;
        let kernel = self.kernel();
        let inner: [Option<&Loop>; 2] = match &kernel {
            CopyKernel::Run { elements } if for_threads => {
                run = Loop { extent: *elements, source: 1, destination: 1 };
                [Some(&run), None]
            }
            CopyKernel::Transpose { columns, rows } => [Some(columns), Some(rows)],
            CopyKernel::Strided(inner) => [Some(inner), None],
            _ => [None, None],
        };
        let loops = self.loops().len();
        let all = self.loops().iter().enumerate().map(|(k, each)| (k, each, 1));
        let inner = inner.into_iter().enumerate();
        let inner = inner.filter_map(|(k, each)| each.map(|each| (loops + k, each, GRAIN)));
        let (k, farthest, grain) = all
            .chain(inner)
            .filter(|(_, each, grain)| each.extent > *grain)
            .max_by_key(|(_, each, _)| {
                let (near, far) = if each.source < each.destination {
                    (each.source, each.destination)
                } else {
                    (each.destination, each.source)
                };
                (near, each.extent * far)
            })?;
        let first = (farthest.extent / 2).next_multiple_of(grain);
        let offsets = Loop {
            extent: first,
            source: first * farthest.source,
            destination: first * farthest.destination,
        };
        let rest = farthest.extent - first;
        Some((self.with_extent(k, first), offsets, self.with_extent(k, rest)))
    }
}

#[cfg(test)]
mod tests {
    use layout_core::engine::DynLayout;

    use super::*;

    /// Checks that the pieces are small, add up to the whole copy, and start at different addresses.
    fn covers(source: &str, destination: &str, largest: usize) {
        let layout = |text| DynLayout::parse(text).unwrap();
        let (s, d) = (layout(source), layout(destination));
        let plan = CopyPlan::new::<f32>(&s, &d).unwrap();
        assert_ne!(plan.caching(), Caching::Direct);
        let mut written = 0;
        let mut starts = Vec::new();
        plan.pieces((0, 0), &mut |piece, from, to| {
            assert!(piece.bytes() <= largest, "{piece}");
            assert!(from < s.cosize() && to < d.cosize());
            written += piece.bytes();
            starts.push(to);
        });
        assert_eq!(written, 4 * s.size());
        starts.sort_unstable();
        starts.dedup();
        assert!(starts.len() * largest >= written, "no two pieces start at one place");
    }

    #[test]
    fn pieces_are_small_and_cover_the_whole() {
        covers("(1000,1001):(1001,1)", "(1000,1001):(1,1000)", PIECE_BYTES);
        covers("(7,300,5,41):(61500,205,41,1)", "(7,300,5,41):(1,7,86100,2100)", PIECE_BYTES);
        covers("(4096,2048):(2048,1)", "(4096,2048):(4096,1)", PIECE_BYTES);
        covers("(64,1000000):(1000000,1)", "(64,1000000):(1000001,1)", 4_000_000);
    }

    #[test]
    fn what_is_large_and_whole_is_streamed() {
        let caching = |s: &str, d: &str| {
            let layout = |text| DynLayout::parse(text).unwrap();
            CopyPlan::new::<f32>(&layout(s), &layout(d)).unwrap().caching()
        };
        assert_eq!(caching("(256,256):(256,1)", "(256,256):(1,256)"), Caching::Direct);
        assert_eq!(caching("(512,256):(256,1)", "(512,256):(1,512)"), Caching::Blocked);
        assert_eq!(caching("(2048,1024):(1024,1)", "(2048,1024):(1,2048)"), Caching::Streamed);
        assert_eq!(caching("(2048,1025):(1025,1)", "(2048,1025):(1,2048)"), Caching::Streamed);
        assert_eq!(caching("(2049,1024):(1024,1)", "(2049,1024):(1,2049)"), Caching::Blocked);
        assert_eq!(caching("3000000:1", "3000000:1"), Caching::Streamed);
        assert_eq!(caching("3000000:1", "3000000:2"), Caching::Blocked);
    }
}
