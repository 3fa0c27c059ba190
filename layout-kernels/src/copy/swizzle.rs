//! Copies with swizzled offsets in one memory or in both.
//!
//! `Sw<B,M,S>` keeps groups of `2^M` neighbours together. So the plan is the one between the layouts
//! without swizzle, and its runs are cut at the ends of groups. That takes one XOR per group, or per
//! [block](super::permuted) of groups, instead of one per element. A block to be transposed goes
//! through small buffers: its rows are gathered from a swizzled source before the transposition, and
//! scattered to a swizzled destination after it, run by run. The transposition itself is that of any
//! copy.

use core::mem::MaybeUninit;

use layout_core::engine::ComposedLayout;

use super::exec::{exec_of, is_plain_data};
use super::permuted::{Blocks, ByteSwizzle, min_block_and_group};
use super::plan::{CopyKernel, CopyPlan};
use super::refine::{Loop, for_each_offset};
use crate::simd::Level;
use crate::transpose::{Line, move_bytes, move_run};

/// Copies between two layouts. At least one is behind a swizzle; `plan` is the plan between the
/// layouts without swizzle. The slices must be as long as the layouts need.
pub(super) fn copy_swizzled<T: Copy + 'static>(
    level: Level,
    plan: &CopyPlan,
    (s, source): (&ComposedLayout, &[T]),
    (d, destination): (&ComposedLayout, &mut [T]),
) {
    if size_of::<T>() == 0 {
        return;
    }
    if plan.kernel() == CopyKernel::Irregular {
        for (from, to) in s.table().zip(d.table()) {
            destination[to] = source[from];
        }
        return;
    }
    let from = Swizzled { start: source.as_ptr().cast_mut(), offsets: Offsets::of(s) };
    let to = Swizzled { start: destination.as_mut_ptr(), offsets: Offsets::of(d) };
    plan.pieces((0, 0), &mut |piece, s, d| {
        let copy = SwizzledCopy { level, plan: piece, from: from.moved(s), to: to.moved(d) };
        // SAFETY: the offsets of the plan are those of the layouts without swizzle. Swizzled, they are
        // below the bounds that the caller has checked. A shared and an exclusive slice do not
        // overlap.
        unsafe { copy.run() };
    });
}

/// Offsets that are swizzled after a constant is added.
#[derive(Clone, Copy)]
struct Offsets {
    constant: usize,
    // Mask of the bits that are XORed into others, and how far they are rotated right for that.
    mask: usize,
    rotate: u32,
    // Number of neighbours that stay together: a power of two.
    group: usize,
}

impl Offsets {
    /// Offsets without swizzle.
    const PLAIN: Self = Self { constant: 0, mask: 0, rotate: 0, group: 1 << (usize::BITS - 1) };

    fn of(layout: &ComposedLayout) -> Self {
        let (swizzle, constant) = (layout.swizzle(), layout.offset());
        if swizzle.is_identity() {
            return Self { constant, ..Self::PLAIN };
        }
        let shift = swizzle.shift();
        let mask = ((1 << swizzle.bits()) - 1) << (swizzle.base() + shift.max(0).unsigned_abs());
        let rotate = shift.rem_euclid(usize::BITS as i32).unsigned_abs();
        Self { constant, mask, rotate, group: 1 << swizzle.base() }
    }

    fn is_plain(&self) -> bool {
        self.mask == 0
    }

    #[inline(always)]
    fn at(&self, offset: usize) -> usize {
        let offset = self.constant + offset;
        offset ^ (offset & self.mask).rotate_right(self.rotate)
    }

    /// Number of neighbours from an offset to the end of its group.
    #[inline(always)]
    fn left_in_group(&self, offset: usize) -> usize {
        self.group - ((self.constant + offset) & (self.group - 1))
    }

    /// Whether groups of `n` that start at this offset are not cut.
    fn starts_group(&self, offset: usize, n: usize) -> bool {
        self.is_plain() || (self.constant + offset).is_multiple_of(n)
    }

    fn moved(self, by: usize) -> Self {
        Self { constant: self.constant + by, ..self }
    }

    /// Smallest and largest size of blocks in which a single XOR is valid.
    fn blocks(&self) -> (usize, usize) {
        if self.is_plain() {
            return (1, usize::MAX);
        }
        let written = self.mask.rotate_right(self.rotate);
        let least = 1usize.checked_shl(usize::BITS - written.leading_zeros());
        (least.unwrap_or(usize::MAX), 1 << self.mask.trailing_zeros())
    }

    /// The swizzle in bytes from an offset on, for elements of `size` bytes.
    fn byte_swizzle(&self, offset: usize, size: usize) -> ByteSwizzle {
        ByteSwizzle {
            offset: (self.constant + offset) * size,
            mask: self.mask.wrapping_mul(size),
            rotate: self.rotate,
        }
    }
}

/// A memory with swizzled offsets. A source is only read.
#[derive(Clone, Copy)]
struct Swizzled<T> {
    start: *mut T,
    offsets: Offsets,
}

impl<T> Swizzled<T> {
    fn plain(start: *mut T) -> Self {
        Self { start, offsets: Offsets::PLAIN }
    }

    #[inline(always)]
    fn at(&self, offset: usize) -> *mut T {
        self.start.wrapping_add(self.offsets.at(offset))
    }

    fn moved(self, by: usize) -> Self {
        Self { offsets: self.offsets.moved(by), ..self }
    }
}

/// Copies contiguous elements, block by block or group by group.
///
/// # Safety
///
/// The offsets `0..elements` must be readable in `from` and writable in `to`. The memories must not
/// overlap.
unsafe fn move_groups<T: Copy + 'static>(
    level: Level,
    from: Swizzled<T>,
    to: Swizzled<T>,
    elements: usize,
) {
    let Some((head, blocks)) = whole_blocks(level, from, to, elements) else {
        // SAFETY: guaranteed by the caller, see `# Safety`.
        return unsafe { move_single_groups(from, to, elements) };
    };
    // SAFETY: the elements before the blocks.
    unsafe { move_single_groups(from, to, head) };
    // SAFETY: elements are plain data; the rest is guaranteed by the caller.
    unsafe { blocks.copy(level) };
    let done = head + blocks.bytes / size_of::<T>();
    // SAFETY: the elements after the blocks.
    unsafe { move_single_groups(from.moved(done), to.moved(done), elements - done) };
}

/// Shorter runs, in bytes, are copied group by group: blocks need constants that take as long to make.
const MIN_BLOCK_RUN: usize = 1 << 10;

/// The blocks of a run, and the number of elements before them. `None` if there are no blocks, or if
/// this level cannot permute them.
fn whole_blocks<T: Copy + 'static>(
    level: Level,
    from: Swizzled<T>,
    to: Swizzled<T>,
    elements: usize,
) -> Option<(usize, Blocks)> {
    let size = size_of::<T>();
    if !is_plain_data::<T>() || elements.saturating_mul(size) < MIN_BLOCK_RUN {
        return None;
    }
    let (least, group) = min_block_and_group(level);
    let ((a, most), (b, top)) = (from.offsets.blocks(), to.offsets.blocks());
    let (block, most) = (a.max(b).max(least / size), most.min(top));
    if block > most || from.offsets.group.min(to.offsets.group).saturating_mul(size) < group {
        return None;
    }
    // Both sides must begin a block at the same element.
    let head = |offsets: Offsets| offsets.constant.wrapping_neg() % block;
    let head = match (from.offsets.is_plain(), to.offsets.is_plain()) {
        (true, _) => head(to.offsets),
        (_, true) => head(from.offsets),
        _ if head(from.offsets) == head(to.offsets) => head(from.offsets),
        _ => return None,
    };
    let count = elements.checked_sub(head)? / block;
    if count == 0 {
        return None;
    }
    let (s, d) = (from.offsets.byte_swizzle(head, size), to.offsets.byte_swizzle(head, size));
    let source = (from.start.cast_const().cast::<u8>().wrapping_add(s.offset), s);
    let destination = (to.start.cast::<u8>().wrapping_add(d.offset), d);
    Some((head, Blocks { source, destination, bytes: count * block * size }))
}

/// Copies contiguous elements, group by group.
///
/// # Safety
///
/// Same conditions as [`move_groups`].
unsafe fn move_single_groups<T: Copy>(from: Swizzled<T>, to: Swizzled<T>, elements: usize) {
    let group = from.offsets.group.min(to.offsets.group);
    let mut at = 0;
    macro_rules! whole_groups {
        ($bytes:literal, $from:expr, $to:expr) => {
            while elements - at >= group {
                // SAFETY: a group of `$bytes` bytes, which both sides keep together.
                unsafe { move_bytes::<$bytes>($from(at).cast_const().cast(), $to(at).cast()) };
                at += group;
            }
        };
        ($from:expr, $to:expr) => {
            match group.saturating_mul(size_of::<T>()) {
                1 => whole_groups!(1, $from, $to),
                2 => whole_groups!(2, $from, $to),
                4 => whole_groups!(4, $from, $to),
                8 => whole_groups!(8, $from, $to),
                16 => whole_groups!(16, $from, $to),
                32 => whole_groups!(32, $from, $to),
                64 => whole_groups!(64, $from, $to),
                128 => whole_groups!(128, $from, $to),
                _ => {}
            }
        };
    }
    if from.offsets.starts_group(0, group) && to.offsets.starts_group(0, group) {
        // A side without swizzle has contiguous groups.
        match (from.offsets.is_plain(), to.offsets.is_plain()) {
            (true, _) => whole_groups!(|at| from.at(0).wrapping_add(at), |at| to.at(at)),
            (_, true) => whole_groups!(|at| from.at(at), |at| to.at(0).wrapping_add(at)),
            _ => whole_groups!(|at| from.at(at), |at| to.at(at)),
        }
    }
    while at < elements {
        let n = from.offsets.left_in_group(at).min(to.offsets.left_in_group(at)).min(elements - at);
        // SAFETY: both sides keep these elements together.
        unsafe { move_run(from.at(at).cast_const().cast(), to.at(at).cast(), n * size_of::<T>()) };
        at += n;
    }
}

/// Cache lines of a buffer for the rows of a block: 16 KiB.
const LINES: usize = 256;

/// Maximum rows of a block that is transposed in one pass.
const ROWS: usize = 128;

/// A plan and its memories.
struct SwizzledCopy<'a, T> {
    level: Level,
    plan: &'a CopyPlan,
    from: Swizzled<T>,
    to: Swizzled<T>,
}

impl<T: Copy + 'static> SwizzledCopy<'_, T> {
    /// # Safety
    ///
    /// Elements must be readable and writable at each offset of the plan. The memories must not
    /// overlap.
    unsafe fn run(&self) {
        let Self { level, plan, from, to } = *self;
        match plan.kernel() {
            CopyKernel::Nothing | CopyKernel::Irregular => {}
            CopyKernel::Run { elements } => for_each_offset!(plan.loops(), |s, d| {
                // SAFETY: offsets of the plan.
                unsafe { move_groups(level, from.moved(s), to.moved(d), elements) };
            }),
            CopyKernel::Strided(inner) => for_each_offset!(plan.loops(), |s, d| {
                // SAFETY: offsets of the plan.
                unsafe { strided(from.moved(s), to.moved(d), 1, inner) };
            }),
            CopyKernel::Transpose { columns, rows } => for_each_offset!(plan.loops(), |s, d| {
                // SAFETY: offsets of the plan.
                unsafe { self.block(from.moved(s), to.moved(d), rows, columns) };
            }),
        }
    }

    /// Transposes a block part by part.
    ///
    /// # Safety
    ///
    /// Same conditions as [`run`](Self::run), for a plan of these loops only.
    unsafe fn block(&self, from: Swizzled<T>, to: Swizzled<T>, rows: Loop, columns: Loop) {
        let unit = self.plan.unit();
        let capacity = LINES * size_of::<Line>() / size_of::<T>() / unit;
        let height = ROWS.min(rows.extent).min(capacity);
        if height == 0 || align_of::<T>() > align_of::<Line>() {
            // Elements of many KiB, or with a larger alignment than the buffers.
            for column in 0..columns.extent {
                let (s, d) = (column * columns.source, column * columns.destination);
                // SAFETY: offsets of the plan.
                unsafe { strided(from.moved(s), to.moved(d), unit, rows) };
            }
            return;
        }
        for top in (0..rows.extent).step_by(height) {
            let rows = Loop { extent: height.min(rows.extent - top), ..rows };
            let width = capacity / rows.extent;
            for left in (0..columns.extent).step_by(width) {
                let columns = Loop { extent: width.min(columns.extent - left), ..columns };
                let from = from.moved(top * rows.source + left * columns.source);
                let to = to.moved(top * rows.destination + left * columns.destination);
                // SAFETY: a part of the block.
                unsafe { self.part(from, to, rows, columns) };
            }
        }
    }

    /// Transposes a block that fits in the buffers.
    ///
    /// # Safety
    ///
    /// Same conditions as [`block`](Self::block).
    unsafe fn part(&self, from: Swizzled<T>, to: Swizzled<T>, mut rows: Loop, columns: Loop) {
        let unit = self.plan.unit();
        let mut inputs = [MaybeUninit::<Line>::uninit(); LINES];
        let mut outputs = [MaybeUninit::<Line>::uninit(); LINES];
        let mut source = from.at(0);
        if !from.offsets.is_plain() {
            let memory: *mut T = inputs.as_mut_ptr().cast();
            let width = columns.extent * unit;
            for row in 0..rows.extent {
                let to = Swizzled::plain(memory.wrapping_add(row * width));
                // SAFETY: a row of the block; the buffer has room for it.
                unsafe { move_groups(self.level, from.moved(row * rows.source), to, width) };
            }
            rows.source = width;
            source = memory;
        }
        if to.offsets.is_plain() {
            let plan = self.plan.block(&[], columns, rows);
            // SAFETY: a part of the block, without swizzle on both sides.
            return unsafe { exec_of(self.level, &plan, source, to.at(0)) };
        }
        let memory: *mut T = outputs.as_mut_ptr().cast();
        let height = rows.extent * unit;
        let plan = self.plan.block(&[], Loop { destination: height, ..columns }, rows);
        // SAFETY: a part of the block; the buffer has room for it.
        unsafe { exec_of(self.level, &plan, source, memory) };
        for column in 0..columns.extent {
            let from = Swizzled::plain(memory.wrapping_add(column * height));
            // SAFETY: the copy wrote these elements, and the destination has offsets for them.
            unsafe {
                move_groups(self.level, from, to.moved(column * columns.destination), height)
            };
        }
    }
}

/// Copies units of elements along one loop.
///
/// # Safety
///
/// Same conditions as [`SwizzledCopy::run`], for a plan of this loop only.
unsafe fn strided<T: Copy>(from: Swizzled<T>, to: Swizzled<T>, unit: usize, inner: Loop) {
    for i in 0..inner.extent {
        for k in 0..unit {
            // SAFETY: an offset of the source.
            let element = unsafe { from.at(i * inner.source + k).read() };
            // SAFETY: an offset of the destination.
            unsafe { to.at(i * inner.destination + k).write(element) };
        }
    }
}
