//! Blocks of a streamed copy of runs: in the order of the source, to few places by turns, and with
//! the next one asked for.
//!
//! What is read is fetched ahead by the processor as long as addresses follow each other, up to the
//! end of a page. What goes past the caches is collected line by line, and only so many lines can
//! be open; whole lines go to memory fastest where several go to one page. So a block reads from a
//! few rows some hundred bytes of each, writes to a few places some KiB, and while that happens
//! asks for the lines of the next block. Copying 4096 x 4096 numbers of 4 bytes to tiles with
//! faces and back takes 0.3 of the time it took in the order of the destination.

use super::block::CACHE_LINE;
use super::nest::{Loop, MAX_LOOPS};
use super::plan::{CopyKernel, CopyPlan};

/// How many places, far from each other, are written by turns. (Lines that are written in parts
/// get lost in 16 of them on the machine at hand; whole ones are as fast in 32.)
const PLACES: usize = 8;

/// The most bytes of a block, so that it and the next one fit the first cache.
const BLOCK_BYTES: usize = 16 << 10;

/// Steps of fewer bytes stay near.
const PAGE: usize = 4 << 10;

impl CopyPlan {
    /// Calls `copy` with each block and its offsets in both memories; of a plan of runs, in the
    /// order of the source. Runs that are a cache line together follow each other.
    pub(super) fn blocks(&self, copy: &mut impl FnMut(&Self, usize, usize)) {
        let (line, runs) = self.runs_of_a_line();
        let (turns, len) = (self.block_turns(line, runs), self.loops().len());
        // The loops inside a block, and around the blocks: an outer one counts blocks.
        let (mut inside, mut inside_len) = ([Loop::ONCE; MAX_LOOPS], 0);
        let mut around = [Around::ONCE; MAX_LOOPS];
        for (k, each) in self.loops().iter().enumerate() {
            around[k] = Around {
                step: Loop {
                    extent: each.extent.div_ceil(turns[k]),
                    source: each.source * turns[k],
                    destination: each.destination * turns[k],
                },
                inner: inside_len,
                turns: turns[k],
                together: if k == line { runs } else { 1 },
                extent: each.extent,
                at: 0,
            };
            if turns[k] > 1 {
                let Around { together, .. } = around[k];
                let (source, destination) = (each.source * together, each.destination * together);
                inside[inside_len] = Loop { extent: turns[k] / together, source, destination };
                inside_len += 1;
            }
        }
        if runs > 1 {
            inside[inside_len] = Loop { extent: runs, ..self.loops()[line] };
            inside_len += 1;
        }
        let mut block = self.with_loops(&inside[..inside_len]);
        let around = &mut around[..len];
        let (mut source, mut destination) = (0, 0);
        loop {
            for each in around.iter().filter(|each| each.turns > 1) {
                let left = each.extent - each.at * each.turns;
                block.set_extent(each.inner, each.turns.min(left) / each.together);
            }
            let this = (source, destination);
            let more = advance(around, &mut source, &mut destination);
            block.set_ahead(source.wrapping_sub(this.0));
            copy(&block, this.0, this.1);
            if !more {
                return;
            }
        }
    }

    /// The loop whose next few runs are a cache line together, and how many they are: with one run
    /// the line would be open while others are written, and go to memory in parts.
    fn runs_of_a_line(&self) -> (usize, usize) {
        let (loops, CopyKernel::Run { elements }) = (self.loops(), self.kernel()) else {
            return (0, 1);
        };
        let bytes = elements * self.element_bytes();
        let line = loops.iter().position(|each| each.destination == elements);
        match line {
            Some(line) if bytes < CACHE_LINE && loops.len() < MAX_LOOPS => {
                (line, CACHE_LINE / bytes)
            }
            _ => (0, 1),
        }
    }

    /// How often each loop runs inside a block: first those of the source, innermost first, until
    /// there are enough places, then those that stay near in the destination. Loop `line` takes
    /// `runs` turns at a time.
    fn block_turns(&self, line: usize, runs: usize) -> [usize; MAX_LOOPS] {
        let (loops, size) = (self.loops(), self.element_bytes());
        let CopyKernel::Run { elements } = self.kernel() else { return [1; MAX_LOOPS] };
        let (mut turns, mut bytes) = ([1; MAX_LOOPS], elements * size);
        // Lines are not cut.
        turns[line] = runs;
        bytes *= runs;
        let mut take = |k: usize, most: usize| {
            let runs = turns[k];
            let room = most.min(BLOCK_BYTES / bytes * runs).max(runs);
            bytes /= runs;
            // All blocks about as large.
            let even = loops[k].extent.div_ceil(loops[k].extent.div_ceil(room));
            turns[k] = even.next_multiple_of(runs);
            bytes *= turns[k];
            turns[k]
        };
        let (mut places, mut k) = (1, loops.len());
        while k > 0 && places < PLACES {
            k -= 1;
            let taken = take(k, PLACES / places);
            places *= taken;
            if taken < loops[k].extent {
                break;
            }
        }
        let mut rest: [usize; MAX_LOOPS] = core::array::from_fn(|i| i);
        let rest = &mut rest[..k];
        rest.sort_unstable_by_key(|&k| loops[k].destination);
        for &k in rest.iter().take_while(|&&k| loops[k].destination * size < PAGE) {
            take(k, usize::MAX);
        }
        turns
    }
}

/// A loop around blocks.
#[derive(Clone, Copy)]
struct Around {
    step: Loop,
    // The loop inside a block that it continues, if `turns` is more than 1, and how many of its
    // turns are another loop.
    inner: usize,
    turns: usize,
    together: usize,
    // That of the loop of both.
    extent: usize,
    at: usize,
}

impl Around {
    const ONCE: Self = Self { step: Loop::ONCE, inner: 0, turns: 1, together: 1, extent: 1, at: 0 };
}

/// Goes on to the next block; whether there is one.
fn advance(around: &mut [Around], source: &mut usize, destination: &mut usize) -> bool {
    for each in around.iter_mut().rev() {
        each.at += 1;
        *source += each.step.source;
        *destination += each.step.destination;
        if each.at < each.step.extent {
            return true;
        }
        *source -= each.at * each.step.source;
        *destination -= each.at * each.step.destination;
        each.at = 0;
    }
    false
}

#[cfg(test)]
mod tests {
    use layout_core::engine::DynLayout;

    use super::*;
    use crate::copy::plan::Reach;

    /// Walks all blocks, as large as said, and marks what each run writes with where it reads.
    fn blocks(source: &str, destination: &str, elements: usize) -> usize {
        let layout = |text| DynLayout::parse(text).unwrap();
        let (s, d) = (layout(source), layout(destination));
        let plan = CopyPlan::new::<f32>(&s, &d).unwrap();
        let CopyKernel::Run { elements: run } = plan.kernel() else { panic!("{plan}") };
        assert_eq!(plan.reach(), Reach::Streamed);
        let mut from = vec![usize::MAX; d.cosize()];
        let (mut count, mut expected) = (0, 0);
        plan.blocks(&mut |block, s, d| {
            assert_eq!(s, expected, "what was asked for comes next");
            expected = s.wrapping_add(block.ahead());
            let turns: usize = block.loops().iter().map(|each| each.extent).product();
            let last = block.loops().last().map_or(0, |each| each.extent * each.destination);
            assert!(run >= 16 || last == 16, "a line is written at once: {block}");
            assert!(turns * run <= elements, "{block}");
            count += 1;
            for turn in 0..turns {
                let (s_in, d_in) = crate::copy::loops::mixed_radix(block.loops(), turn);
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
        // To tiles of 32 x 32 and back.
        let rows = "((32,64),(32,36)):((1152,36864),(1,32))";
        let device = "((32,64),(32,36)):((32,36864),(1,1024))";
        assert_eq!(blocks(rows, device, 4096), 64 * 5 * 2);
        assert_eq!(blocks(device, rows, 4096), 64 * 4 * 3);
        // Runs of half a cache line: whole lines in each block.
        let rows = "((8,256),(8,144)):((1152,9216),(1,8))";
        blocks(rows, "((8,256),(8,144)):((8,9216),(1,64))", 4096);
        blocks(
            "((6,400),(8,144)):((1152,6912),(1,8))",
            "((6,400),(8,144)):((8,6912),(1,48))",
            4096,
        );
        // With extents that nothing divides.
        blocks(
            "((32,71),(32,31)):((992,31744),(1,32))",
            "((32,71),(32,31)):((32,31744),(1,1024))",
            4096,
        );
        blocks(
            "((16,137),(32,31)):((32,15872),(1,512))",
            "((16,137),(32,31)):((992,15872),(1,32))",
            4096,
        );
        // Padded sticks, and many loops.
        blocks("(201,53,(32,7)):(11872,224,(1,32))", "(201,53,(32,7)):(32,57344,(1,8192))", 4096);
        blocks(
            "(16,3,5,7,3,5,11,14):(1,16,48,240,1680,5040,25200,277200)",
            "(16,3,5,7,3,5,11,14):(1,1293600,16,400,431200,80,39200,2800)",
            4096,
        );
        // One run.
        assert_eq!(blocks("3000000:1", "3000000:1", 3_000_000), 1);
    }
}
