//! Large transpositions through buffers, if rows share cache lines or L1 sets.
//!
//! A transposition in registers reads a few lines of many rows and writes a few lines of many columns.
//! That is slow in two cases. In the first, the rows map to the same L1 set, because their stride is a
//! power of two. In the second, a row is shorter than a cache line, and the rest of the line belongs
//! to an outer loop. So the words of a panel are gathered in order into a buffer in L1, or transposed
//! into a buffer and copied from there line by line, or both. Each line is then read once and written
//! once.

use core::mem::MaybeUninit;

use super::CopyKernel;
use super::exec::{ExecOptions, run_pass};
use super::plan::{Caching, CopyPlan};
use super::refine::{Loop, Nest, for_each_offset};
use crate::transpose::{CACHE_LINE, Line, fence};

/// Cache lines of each of the two buffers: 32 KiB.
const LINES: usize = 512;

/// Bytes of a panel in each direction, unless one side is short: adjacent lines of a page are faster
/// together.
const PANEL_SIDE_BYTES: usize = 4 * CACHE_LINE;

/// Addresses with this stride in bytes map to the same L1 set, which holds `WAYS` lines or a few less.
const SET_STRIDE: usize = 4 << 10;
const WAYS: usize = 16;

impl CopyPlan {
    /// Whether a transposition is faster through buffers.
    pub(super) const fn is_better_buffered(&self) -> bool {
        let CopyKernel::Transpose { .. } = self.kernel() else { return false };
        let word = self.word();
        if word == 0 || word > 16 {
            return false;
        }
        self.more_rows().is_some() || self.more_columns().is_some() || self.has_set_conflicts()
    }

    /// Whether the rows that fill a line of the destination map to the same L1 set, and are too many
    /// for it.
    const fn has_set_conflicts(&self) -> bool {
        let CopyKernel::Transpose { rows, .. } = self.kernel() else { return false };
        let step = rows.source.wrapping_mul(self.element_bytes());
        let lines = CACHE_LINE / self.word();
        let count = if rows.extent < lines { rows.extent } else { lines };
        let (mut k, mut conflicts) = (0, 0);
        while k < count {
            let at = k.wrapping_mul(step) % SET_STRIDE;
            conflicts += (at < CACHE_LINE || at > SET_STRIDE - CACHE_LINE) as usize;
            k += 1;
        }
        step >= CACHE_LINE && conflicts > WAYS
    }

    /// The loop that continues the rows in the destination, if they are shorter than a cache line.
    const fn more_rows(&self) -> Option<usize> {
        let CopyKernel::Transpose { rows, .. } = self.kernel() else { return None };
        self.continues(rows.extent, false)
    }

    /// The loop that continues the columns in the source, if they are shorter than a cache line.
    const fn more_columns(&self) -> Option<usize> {
        let CopyKernel::Transpose { columns, .. } = self.kernel() else { return None };
        self.continues(columns.extent, true)
    }

    /// The loop that continues `words` words in one memory, if they are shorter than a cache line.
    const fn continues(&self, words: usize, in_source: bool) -> Option<usize> {
        let (mut k, elements) = (0, words.saturating_mul(self.unit()));
        while words.saturating_mul(self.word()) < CACHE_LINE && k < self.loops().len() {
            if self.loops()[k].stride(in_source) == elements {
                return Some(k);
            }
            k += 1;
        }
        None
    }

    /// Whether the rows, with the loop that continues them, fill whole cache lines.
    pub(super) const fn fills_lines_by_buffers(&self) -> bool {
        let CopyKernel::Transpose { columns, rows } = self.kernel() else { return false };
        let Some(more) = self.more_rows() else { return false };
        let (loops, mut whole, mut k) = (self.loops(), self.is_lines(columns.destination), 0);
        while k < loops.len() {
            whole = whole && (k == more || self.is_lines(loops[k].destination));
            k += 1;
        }
        whole && loops[more].extent * rows.extent * self.word() >= CACHE_LINE
    }
}

/// The rows or the columns of all blocks: those of a block, and the loop that continues them.
#[derive(Clone, Copy)]
struct SplitLoop {
    inner: Loop,
    outer: Loop,
}

impl SplitLoop {
    fn extent(&self) -> usize {
        self.inner.extent * self.outer.extent
    }

    /// Offsets of row or column `k`.
    fn at(&self, k: usize) -> (usize, usize) {
        let (outer, inner) = (k / self.inner.extent, k % self.inner.extent);
        (
            outer * self.outer.source + inner * self.inner.source,
            outer * self.outer.destination + inner * self.inner.destination,
        )
    }

    /// Calls `part` with each part of `start..end`: its first index, its iterations of `outer`, and
    /// its iterations of `inner`. The parts are the rest of one `outer` iteration, whole ones, and
    /// the beginning of another.
    fn parts(&self, start: usize, end: usize, mut part: impl FnMut(usize, usize, usize)) {
        let mut at = start;
        while at < end {
            let whole = self.inner.extent;
            let left = (end - at).min(whole - at % whole);
            let iterations = if left == whole { (end - at) / whole } else { 1 };
            part(at, iterations, left);
            at += iterations * left;
        }
    }
}

/// A transposition through buffers.
pub(super) struct Buffered<'a> {
    plan: &'a CopyPlan,
    options: ExecOptions,
    rows: SplitLoop,
    columns: SplitLoop,
    outer_loops: Nest,
    height: usize,
    width: usize,
    /// Whether words are gathered in order before the transposition, and scattered after it.
    gathers: bool,
    scatters: bool,
}

/// A range of rows and columns, and its addresses.
struct Panel {
    top: usize,
    left: usize,
    height: usize,
    width: usize,
    source: *const u8,
    destination: *mut u8,
}

impl<'a> Buffered<'a> {
    /// The panels of a plan that [is buffered](CopyPlan::is_buffered). Elements must be plain data.
    pub(super) fn of(plan: &'a CopyPlan, options: ExecOptions) -> Option<Self> {
        let CopyKernel::Transpose { rows, columns } = plan.kernel() else { return None };
        let (more_rows, more_columns) = (plan.more_rows(), plan.more_columns());
        // One loop cannot continue both.
        let more_columns = more_columns.filter(|&k| Some(k) != more_rows);
        let mut outer_loops = Nest::new();
        for (k, each) in plan.loops().iter().enumerate() {
            if ![more_rows, more_columns].contains(&Some(k)) {
                outer_loops.push(*each);
            }
        }
        let outer = |k: Option<usize>| k.map_or(Loop::ONCE, |k| plan.loops()[k]);
        let scatters = more_columns.is_some();
        let gathers = more_rows.is_some() || plan.has_set_conflicts();
        let rows = SplitLoop { inner: rows, outer: outer(more_rows) };
        let columns = SplitLoop { inner: columns, outer: outer(more_columns) };
        // If one side is short, the other can be longer. Two buffers have half of the lines each, so
        // that both stay in L1.
        let lines = if gathers && scatters { LINES / 2 } else { LINES };
        let words = lines * CACHE_LINE / plan.word();
        let side = PANEL_SIDE_BYTES / plan.word();
        let (mut height, mut width) = (rows.extent().min(side), side);
        if rows.extent() <= height {
            width = words / height;
        }
        width = width.min(words / height).min(columns.extent());
        if rows.extent() > height && columns.extent() <= width {
            // Whole cache lines, as with `side`.
            height = rows.extent().min((words / width) & !(CACHE_LINE / plan.word() - 1));
        }
        Some(Self { plan, options, rows, columns, outer_loops, height, width, gathers, scatters })
    }

    /// Copies panel by panel.
    ///
    /// # Safety
    ///
    /// Same conditions as [`exec`](super::exec::exec) for the plan. Elements must be plain data.
    #[inline(never)]
    pub(super) unsafe fn run(&self, source: *const u8, destination: *mut u8) {
        let mut buffers = [[MaybeUninit::<Line>::uninit(); LINES]; 2];
        let buffers = buffers.each_mut().map(|lines| lines.as_mut_ptr().cast());
        let size = self.plan.element_bytes();
        for_each_offset!(self.outer_loops.as_slice(), |s, d| {
            for top in (0..self.rows.extent()).step_by(self.height) {
                for left in (0..self.columns.extent()).step_by(self.width) {
                    let (row, column) = (self.rows.at(top), self.columns.at(left));
                    let panel = Panel {
                        top,
                        left,
                        height: self.height.min(self.rows.extent() - top),
                        width: self.width.min(self.columns.extent() - left),
                        source: source.wrapping_add((s + row.0 + column.0) * size),
                        destination: destination.wrapping_add((d + row.1 + column.1) * size),
                    };
                    // SAFETY: a part of the plan; the buffers have room for a panel.
                    unsafe { self.panel(&panel, buffers) };
                }
            }
        });
        if self.options.stream {
            fence();
        }
    }

    /// # Safety
    ///
    /// Same conditions as [`run`](Self::run), for a panel. Each buffer must have [`LINES`] cache
    /// lines.
    unsafe fn panel(&self, panel: &Panel, [input, output]: [*mut u8; 2]) {
        let (size, unit) = (self.plan.element_bytes(), self.plan.unit());
        let Panel { top, left, height, width, mut source, destination } = *panel;
        let (row, column) = (width * unit, height * unit);
        let mut rows = Loop { extent: height, source: row, destination: unit };
        let mut columns = Loop { extent: width, source: unit, destination: column };
        let cached = ExecOptions { stream: false, ..self.options };
        if self.gathers {
            // Prefetches the panel to the right meanwhile, if it comes from memory.
            let next = width.min(self.columns.extent() - left - width);
            let streams = self.plan.caching() == Caching::Streamed && self.options.stream;
            let prefetch_distance = if streams && next == width { row * size } else { 0 };
            let first = self.rows.at(top).0;
            self.rows.parts(top, top + height, |k, iterations, count| {
                let SplitLoop { inner, outer } = self.rows;
                let runs = self.plan.part(
                    &[
                        Loop { extent: iterations, source: outer.source, destination: count * row },
                        Loop { extent: count, source: inner.source, destination: row },
                    ],
                    CopyKernel::Run { elements: row },
                );
                let from =
                    source.wrapping_add(self.rows.at(k).0.wrapping_sub(first).wrapping_mul(size));
                let to = input.wrapping_add((k - top) * row * size);
                // SAFETY: rows of the panel; the buffer has room for them.
                unsafe { run_pass(&runs, ExecOptions { prefetch_distance, ..cached }, from, to) };
            });
            source = input;
        } else {
            rows.source = self.rows.inner.source;
        }
        let SplitLoop { inner, outer } = self.columns;
        let starts_line = destination.addr().is_multiple_of(CACHE_LINE);
        let aligned = starts_line
            && self.plan.is_lines(inner.destination)
            && self.plan.is_lines(outer.destination);
        let stream = self.options.stream && aligned && self.plan.is_lines(column);
        let streamed = ExecOptions { stream, ..self.options };
        if self.scatters {
            // SAFETY: the panel; the buffer has room for it.
            unsafe { run_pass(&self.plan.block(&[], columns, rows), cached, source, output) };
            let first = self.columns.at(left).1;
            self.columns.parts(left, left + width, |k, iterations, count| {
                let (outer, inner) = (outer.destination, inner.destination);
                let runs = self.plan.part(
                    &[
                        Loop { extent: iterations, source: count * column, destination: outer },
                        Loop { extent: count, source: column, destination: inner },
                    ],
                    CopyKernel::Run { elements: column },
                );
                let from = output.wrapping_add((k - left) * column * size);
                let to = destination
                    .wrapping_add(self.columns.at(k).1.wrapping_sub(first).wrapping_mul(size));
                // SAFETY: columns of the panel, just written to the buffer.
                unsafe { run_pass(&runs, streamed, from, to) };
            });
            return;
        }
        // Writes a few columns at a time, several cache lines of each.
        columns.destination = inner.destination;
        let few = (32 / (unit * size)).clamp(1, 16);
        let (source_step, destination_step) = (few * unit, few * inner.destination);
        let loops =
            Loop { extent: width / few, source: source_step, destination: destination_step };
        let whole = loops.extent * few;
        // SAFETY: parts of the panel.
        unsafe {
            if whole > 0 {
                columns.extent = few;
                run_pass(&self.plan.block(&[loops], columns, rows), streamed, source, destination);
            }
            if whole < width {
                columns.extent = width - whole;
                let from = source.wrapping_add(whole * unit * size);
                let to = destination.wrapping_add(whole * inner.destination * size);
                run_pass(&self.plan.block(&[], columns, rows), streamed, from, to);
            }
        }
    }
}
