//! Large transpositions by panels: through small memories, where rows lie badly.
//!
//! A transposition in registers reads a few lines of many rows and writes a few lines of many
//! columns. That is slow where the rows meet in one set of the first cache, which is when they are a
//! power of two apart; where a row has less than a line, and the rest of the line belongs to a loop
//! farther out; and where what goes past the caches is no whole line. So the words of a panel are
//! put in order in a memory that stays in the first cache, are transposed from there to another
//! one, and go to the destination line by line. A line is then read once and written once.

use core::mem::MaybeUninit;

use super::block::{CACHE_LINE, LONG_RUN};
use super::loops::each;
use super::nest::{Loop, MAX_LOOPS};
use super::plan::{CopyKernel, CopyPlan, Reach};

/// Cache lines of each of both memories: 32 KiB.
const LINES: usize = 512;

/// Cache lines of a row of the destination, and at most of one of the source: those of a page that
/// follow each other are faster together.
pub(super) const SIDE: usize = 4 * CACHE_LINE;

/// Fewer where columns are dense in the destination: then more panels are no more runs, and reading
/// and writing take turns more often.
const DENSE_LINES: usize = 128;

/// Places at a distance of so many bytes meet in one set of the first cache, which has room for so
/// many of them, or a few less.
const SETS_BYTES: usize = 4 << 10;
const WAYS: usize = 16;

#[repr(align(64))]
#[derive(Clone, Copy)]
struct Line(#[allow(dead_code, reason = "it is memory")] [MaybeUninit<u8>; CACHE_LINE]);

/// The rows of all blocks or their columns: those of a block, and a loop that goes on with them.
#[derive(Clone, Copy)]
struct Side {
    near: Loop,
    far: Loop,
}

impl Side {
    fn extent(&self) -> usize {
        self.near.extent * self.far.extent
    }

    /// The offsets of number `k`.
    fn at(&self, k: usize) -> (usize, usize) {
        let (far, near) = (k / self.near.extent, k % self.near.extent);
        (
            far * self.far.source + near * self.near.source,
            far * self.far.destination + near * self.near.destination,
        )
    }

    /// Calls `part` with each part of `start..end`: its first number, and how many turns of `far`
    /// it has with how many of `near`. These are what is left of one turn, whole ones, and the
    /// beginning of another.
    fn parts(&self, start: usize, end: usize, mut part: impl FnMut(usize, usize, usize)) {
        let mut at = start;
        while at < end {
            let whole = self.near.extent;
            let left = (end - at).min(whole - at % whole);
            let turns = if left == whole { (end - at) / whole } else { 1 };
            part(at, turns, left);
            at += turns * left;
        }
    }
}

/// A transposition that goes by panels.
pub(super) struct Panels<'a> {
    plan: &'a CopyPlan,
    rows: Side,
    columns: Side,
    around: [Loop; MAX_LOOPS],
    len: usize,
    height: usize,
    width: usize,
    /// Whether words are put in order before they are transposed, and after.
    gathers: bool,
    scatters: bool,
    streams: bool,
}

/// A part of a copy: a plan, and the pointers that it starts from.
pub(super) type Step<'a> = (&'a CopyPlan, *const u8, *mut u8);

impl<'a> Panels<'a> {
    /// The panels of a plan, if it is one that is faster by panels.
    pub(super) fn of(plan: &'a CopyPlan, streams: bool) -> Option<Self> {
        let CopyKernel::Transpose { rows, columns } = plan.kernel() else { return None };
        let (size, unit) = (plan.element_bytes(), plan.unit());
        let word = size * unit;
        if plan.reach() == Reach::Near || word > 16 {
            return None;
        }
        let (mut around, mut len) = ([Loop::ONCE; MAX_LOOPS], plan.loops().len());
        around[..len].copy_from_slice(plan.loops());
        let mut take = |is: &dyn Fn(&Loop) -> bool| {
            let k = around[..len].iter().position(is)?;
            let taken = around[k];
            around.copy_within(k + 1..len, k);
            len -= 1;
            Some(taken)
        };
        let side = SIDE / word;
        let short = |each: &Loop| each.extent * word < CACHE_LINE;
        let more_rows =
            if short(&rows) { take(&|each| each.destination == rows.extent * unit) } else { None };
        let more_columns =
            if short(&columns) { take(&|each| each.source == columns.extent * unit) } else { None };
        let dense = streams && rows.extent <= side && columns.destination == rows.extent * unit;
        let gathers =
            more_rows.is_some() || collide(rows.source * size, rows.extent.min(CACHE_LINE / word));
        let scatters = more_columns.is_some() || dense;
        if !gathers && !scatters {
            return None;
        }
        let rows = Side { near: rows, far: more_rows.unwrap_or(Loop::ONCE) };
        let columns = Side { near: columns, far: more_columns.unwrap_or(Loop::ONCE) };
        // Where there are few of one there is room for more of the other. Of two memories each has
        // half of the lines, so that both stay in the first cache.
        let lines = if dense {
            DENSE_LINES
        } else if gathers && scatters {
            LINES / 2
        } else {
            LINES
        };
        let words = lines * CACHE_LINE / word;
        let (mut height, mut width) = (rows.extent().min(side), side);
        if rows.extent() <= height {
            width = words / height;
        }
        width = width.min(words / height).min(columns.extent());
        if rows.extent() > height && columns.extent() <= width {
            // Whole lines, as `side` is.
            height = rows.extent().min((words / width) & !(CACHE_LINE / word - 1));
        }
        Some(Self { plan, rows, columns, around, len, height, width, gathers, scatters, streams })
    }

    /// Calls `copy` with each step, in order, and whether what it writes may go past the caches.
    pub(super) fn steps(
        &self,
        source: *const u8,
        destination: *mut u8,
        mut copy: impl FnMut(Step<'_>, bool),
    ) {
        let mut memory = [[MaybeUninit::<Line>::uninit(); LINES]; 2];
        let [input, output] = &mut memory;
        let memory = [input.as_mut_ptr().cast(), output.as_mut_ptr().cast()];
        each!(&self.around[..self.len], |s, d| {
            for top in (0..self.rows.extent()).step_by(self.height) {
                for left in (0..self.columns.extent()).step_by(self.width) {
                    let (row, column) = (self.rows.at(top), self.columns.at(left));
                    let panel = Panel {
                        top,
                        left,
                        height: self.height.min(self.rows.extent() - top),
                        width: self.width.min(self.columns.extent() - left),
                        source: source.wrapping_add((s + row.0 + column.0) * self.size()),
                        destination: destination.wrapping_add((d + row.1 + column.1) * self.size()),
                    };
                    self.panel(&panel, memory, &mut copy);
                }
            }
        });
    }

    fn size(&self) -> usize {
        self.plan.element_bytes()
    }

    fn panel(
        &self,
        panel: &Panel,
        [input, output]: [*mut u8; 2],
        copy: &mut impl FnMut(Step<'_>, bool),
    ) {
        let (size, unit) = (self.size(), self.plan.unit());
        let Panel { top, left, height, width, mut source, destination } = *panel;
        let (row, column) = (width * unit, height * unit);
        let mut rows = Loop { extent: height, source: row, destination: unit };
        let mut columns = Loop { extent: width, source: unit, destination: column };
        if self.gathers {
            // The panel to the right is asked for meanwhile, where it comes from memory.
            let next = width.min(self.columns.extent() - left - width);
            let ahead = if self.streams && next == width { row } else { 0 };
            let first = self.rows.at(top).0;
            self.rows.parts(top, top + height, |k, turns, count| {
                let Side { near, far } = self.rows;
                let mut run = self.plan.run(
                    &[
                        Loop { extent: turns, source: far.source, destination: count * row },
                        Loop { extent: count, source: near.source, destination: row },
                    ],
                    row,
                );
                run.set_ahead(ahead);
                let from =
                    source.wrapping_add(self.rows.at(k).0.wrapping_sub(first).wrapping_mul(size));
                copy((&run, from, input.wrapping_add((k - top) * row * size)), false);
            });
            source = input;
        } else {
            rows.source = self.rows.near.source;
        }
        let Side { near, far } = self.columns;
        let line = |steps: usize| (steps * size).is_multiple_of(CACHE_LINE);
        let starts_line = destination.addr().is_multiple_of(CACHE_LINE);
        let streams =
            starts_line && line(near.destination) && line(far.destination) && line(column);
        if !self.scatters {
            // Few rows of the destination by turns, and each for some lines.
            columns.destination = near.destination;
            let few = (32 / (unit * size)).clamp(1, 16);
            let loops = Loop {
                extent: width / few,
                source: few * unit,
                destination: few * near.destination,
            };
            let whole = loops.extent * few;
            if whole > 0 {
                columns.extent = few;
                copy((&self.plan.block(&[loops], columns, rows), source, destination), streams);
            }
            if whole < width {
                columns.extent = width - whole;
                let from = source.wrapping_add(whole * unit * size);
                let to = destination.wrapping_add(whole * near.destination * size);
                copy((&self.plan.block(&[], columns, rows), from, to), streams);
            }
            return;
        }
        copy((&self.plan.block(&[], columns, rows), source, output), false);
        if self.is_dense() && height == self.rows.extent() {
            let run = width * column;
            copy((&self.plan.run(&[], run), output, destination), run * size >= LONG_RUN);
            return;
        }
        let first = self.columns.at(left).1;
        self.columns.parts(left, left + width, |k, turns, count| {
            let run = self.plan.run(
                &[
                    Loop { extent: turns, source: count * column, destination: far.destination },
                    Loop { extent: count, source: column, destination: near.destination },
                ],
                column,
            );
            let to = destination
                .wrapping_add(self.columns.at(k).1.wrapping_sub(first).wrapping_mul(size));
            copy((&run, output.wrapping_add((k - left) * column * size), to), streams);
        });
    }

    /// Whether columns follow each other in the destination.
    fn is_dense(&self) -> bool {
        let (rows, columns) = (self.rows.extent() * self.plan.unit(), self.columns);
        columns.near.destination == rows && columns.far.extent == 1
    }
}

/// A part of all rows and columns, and where it starts.
struct Panel {
    top: usize,
    left: usize,
    height: usize,
    width: usize,
    source: *const u8,
    destination: *mut u8,
}

/// Whether so many rows meet in a set of the first cache, and are too many for it.
fn collide(step: usize, rows: usize) -> bool {
    let meet = |k: &usize| {
        let at = k * step % SETS_BYTES;
        !(CACHE_LINE..=SETS_BYTES - CACHE_LINE).contains(&at)
    };
    step >= CACHE_LINE && (0..rows).filter(meet).count() > WAYS
}
