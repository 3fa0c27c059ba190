//! Cutting a copy into pieces: for caches, and for threads.
//!
//! The loop that is far in both memories is halved, then the next one, and so on until a piece is
//! small. What is left are loops that are near in one memory, of about the same length: so a piece
//! touches few pages and few cache lines of either, whatever the sizes of caches.

use super::block::{CACHE_LINE, LONG_RUN};
use super::nest::Loop;
use super::panels::SIDE;
use super::plan::{CopyKernel, CopyPlan, Reach};
use crate::simd::cache::Caches;

/// The bytes of a piece; copies of at most so many are done as they come. With what is read they fit
/// the second cache. Smaller pieces would end too soon what is fetched ahead.
const PIECE_BYTES: usize = 256 << 10;

/// From so many bytes on, cache lines that are written whole go past the caches, if the last cache
/// has no room for what is read and written. Otherwise each would be read first, and what others
/// need would have to leave.
pub(super) const STREAMED_BYTES: usize = 8 << 20;

/// What a copy counts on of a last cache that is larger: whoever has so much of it has it together
/// with many others.
const SHARED_BYTES: usize = 32 << 20;

/// Rows and columns of a block, and elements of a run, are cut at multiples of this many units,
/// which are whole cache lines.
const GRAIN: usize = CACHE_LINE;

impl CopyPlan {
    /// How this part of a copy, of so many bytes, meets the caches.
    pub(super) const fn reach_of(&self, bytes: usize) -> Reach {
        let fills_lines = self.fills_lines() || self.fills_lines_by_panels();
        if self.total_bytes() >= STREAMED_BYTES && fills_lines {
            Reach::Streamed
        } else if bytes <= PIECE_BYTES || matches!(self.kernel(), CopyKernel::Irregular) {
            Reach::Near
        } else {
            Reach::Pieces
        }
    }

    /// Whether runs of so many bytes, 16 or 32, follow each other in the destination until cache
    /// lines are whole: rows of 16 elements of 16 bits, say, in a face of a tile.
    const fn completes_lines(&self, run: usize) -> bool {
        let (loops, size) = (self.loops(), self.element_bytes());
        if (run != 16 && run != 32) || loops.is_empty() {
            return false;
        }
        let inner = loops[loops.len() - 1];
        let mut whole =
            inner.destination * size == run && (inner.extent * run).is_multiple_of(CACHE_LINE);
        let mut k = 0;
        while k + 1 < loops.len() {
            whole = whole && (loops[k].destination * size).is_multiple_of(CACHE_LINE);
            k += 1;
        }
        whole
    }

    /// Puts the loops around runs that go past the caches in the order in which the source is read:
    /// what is read is fetched ahead only in order, and what is written goes out line by line
    /// wherever it goes. Of such a plan, [blocks](Self::blocks) are done at once.
    pub(super) const fn read_in_order(&mut self) {
        if matches!((self.kernel(), self.reach()), (CopyKernel::Run { .. }, Reach::Streamed)) {
            self.nest_mut().sort_by_source();
        }
    }

    /// Whether cache lines of the destination are written whole, if the first one is.
    const fn fills_lines(&self) -> bool {
        let (loops, size) = (self.loops(), self.element_bytes());
        let mut k = 0;
        let mut aligned = true;
        while k < loops.len() {
            aligned = aligned && (loops[k].destination * size).is_multiple_of(CACHE_LINE);
            k += 1;
        }
        match self.kernel() {
            CopyKernel::Run { elements } => {
                let run = elements * size;
                run >= LONG_RUN
                    || aligned && run.is_multiple_of(CACHE_LINE)
                    || self.completes_lines(run)
            }
            CopyKernel::Transpose { columns, rows } => {
                aligned
                    && (columns.destination * size).is_multiple_of(CACHE_LINE)
                    && rows.extent * self.unit() * size >= CACHE_LINE
            }
            _ => false,
        }
    }

    /// Whether a transposition writes whole lines if it goes by [panels](super::panels::Panels):
    /// its columns are dense in the destination, or its rows together with those of another loop
    /// are whole lines.
    const fn fills_lines_by_panels(&self) -> bool {
        let CopyKernel::Transpose { columns, rows } = self.kernel() else { return false };
        let (loops, size) = (self.loops(), self.element_bytes());
        let row = rows.extent * self.unit();
        if columns.destination == row && row * size <= SIDE {
            return columns.extent * row * size >= LONG_RUN;
        }
        let mut whole =
            row * size < CACHE_LINE && (columns.destination * size).is_multiple_of(CACHE_LINE);
        let (mut k, mut more) = (0, false);
        while k < loops.len() {
            if loops[k].destination == row {
                more = loops[k].extent * row * size >= CACHE_LINE;
            } else {
                whole = whole && (loops[k].destination * size).is_multiple_of(CACHE_LINE);
            }
            k += 1;
        }
        whole && more
    }

    /// Whether it is faster past the caches: the last one has no room for what is read and written.
    pub(super) fn pays_to_stream(&self) -> bool {
        // Memory in order, both read and written, is served well by a cache that has room left.
        // (Emerald Rapids, 16 to 26 MiB past the caches: 0.75 to 0.97 of as fast in order, and 1.2
        // to 3 times as fast otherwise.)
        let shared = if self.is_in_order() { 2 * SHARED_BYTES } else { SHARED_BYTES };
        self.reach() == Reach::Streamed
            && self.total_bytes() >= Caches::detect().last.min(shared) / 2
    }

    /// Whether it interleaves a few rows, so that its destination is written from start to end.
    fn is_in_order(&self) -> bool {
        match self.kernel() {
            CopyKernel::Transpose { rows, columns } => {
                let row = rows.extent * self.unit();
                columns.destination == row && row * self.element_bytes() < CACHE_LINE
            }
            _ => false,
        }
    }

    /// Whether a copy to this place can be streamed: whole cache lines of the destination stay
    /// whole.
    pub(super) fn can_stream_to(&self, destination: *const u8) -> bool {
        let starts_line = destination.addr().is_multiple_of(CACHE_LINE);
        self.reach() == Reach::Streamed
            && match self.kernel() {
                CopyKernel::Run { elements } => {
                    starts_line || elements * self.element_bytes() >= LONG_RUN
                }
                _ => starts_line && self.fills_lines(),
            }
    }

    /// Calls `copy` with each piece and its offsets in both memories.
    pub(super) fn pieces(
        &self,
        (source, destination): (usize, usize),
        copy: &mut impl FnMut(&Self, usize, usize),
    ) {
        if self.reach() == Reach::Near || self.bytes() <= PIECE_BYTES {
            return copy(self, source, destination);
        }
        match self.halves(false) {
            None => copy(self, source, destination),
            Some((first, Loop { source: s, destination: d, .. }, second)) => {
                first.pieces((source, destination), copy);
                second.pieces((source + s, destination + d), copy);
            }
        }
    }

    /// At least `count` pieces of about the same size, with their offsets, if there are as many
    /// that are worth it.
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

    /// The bytes that are written.
    pub(super) fn bytes(&self) -> usize {
        let kernel = match self.kernel() {
            CopyKernel::Run { elements } => elements,
            CopyKernel::Transpose { columns, rows } => rows.extent * columns.extent * self.unit(),
            CopyKernel::Strided(inner) => inner.extent,
            CopyKernel::Nothing | CopyKernel::Irregular => 0,
        };
        let turns: usize = self.loops().iter().map(|each| each.extent).product();
        kernel * turns * self.element_bytes()
    }

    /// The plan with its farthest loop cut in two, and between both the offsets of the second one;
    /// nothing if no loop can be cut. Long runs are cut only `for_threads`.
    fn halves(&self, for_threads: bool) -> Option<(Self, Loop, Self)> {
        let run;
        let inner: [Option<&Loop>; 2] = match self.kernel_ref() {
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

    /// Marks what each piece writes, and checks that all is written once, and by small pieces.
    fn covers(source: &str, destination: &str, largest: usize) {
        let layout = |text| DynLayout::parse(text).unwrap();
        let (s, d) = (layout(source), layout(destination));
        let plan = CopyPlan::new::<f32>(&s, &d).unwrap();
        assert_ne!(plan.reach(), Reach::Near);
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
        let reach = |s: &str, d: &str| {
            let layout = |text| DynLayout::parse(text).unwrap();
            CopyPlan::new::<f32>(&layout(s), &layout(d)).unwrap().reach()
        };
        assert_eq!(reach("(256,256):(256,1)", "(256,256):(1,256)"), Reach::Near);
        assert_eq!(reach("(512,256):(256,1)", "(512,256):(1,512)"), Reach::Pieces);
        assert_eq!(reach("(2048,1024):(1024,1)", "(2048,1024):(1,2048)"), Reach::Streamed);
        assert_eq!(reach("(2048,1025):(1025,1)", "(2048,1025):(1,2048)"), Reach::Streamed);
        assert_eq!(reach("(2049,1024):(1024,1)", "(2049,1024):(1,2049)"), Reach::Pieces);
        assert_eq!(reach("3000000:1", "3000000:1"), Reach::Streamed);
        assert_eq!(reach("3000000:1", "3000000:2"), Reach::Pieces);
    }
}
