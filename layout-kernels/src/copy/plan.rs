//! `CopyPlan`: the loops of a copy between two layouts, and what is done inside them.

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;

use super::agree;
use super::block::NEAR_BYTES;
use super::pieces::STREAMED_BYTES;

/// The most loops that a plan has; layouts that need more are [`CopyKernel::Irregular`].
///
/// Few keep the plan of a dynamic copy small. Real layouts have up to six or so.
pub(super) const MAX_LOOPS: usize = 16;

/// The most bytes that move as one: less than a cache line.
const UNIT_BYTES: usize = 32;

/// A loop of fewer turns costs more than what is in it, where that is one element.
const SHORT: usize = 16;

/// A loop over both memories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loop {
    /// How often it runs.
    pub extent: usize,
    /// How far the source moves each time, in elements.
    pub source: usize,
    /// How far the destination moves each time, in elements.
    pub destination: usize,
}

impl Loop {
    pub(super) const ONCE: Self = Self { extent: 1, source: 0, destination: 0 };

    /// Whether this loop around `inner` is one longer loop.
    const fn continues(&self, inner: &Self) -> bool {
        self.source == inner.source * inner.extent
            && self.destination == inner.destination * inner.extent
    }
}

/// What a copy does in its innermost loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CopyKernel {
    /// There is no element to copy.
    Nothing,
    /// Elements that are neighbours in both memories: vector loads and stores.
    Run {
        /// How many.
        elements: usize,
    },
    /// A block that is contiguous along one loop in the source and along another one in the
    /// destination: transposed tile by tile in registers.
    Transpose {
        /// The loop along which the source is contiguous.
        columns: Loop,
        /// The loop along which the destination is contiguous.
        rows: Loop,
    },
    /// One element after the other.
    Strided(Loop),
    /// One element after the other, each with its own offsets, because the two ways of nesting a
    /// mode have no common refinement, `(2,3)` against `(3,2)`, or one of more than 16 loops.
    Irregular,
}

/// The decisions of a [`copy`](super::copy()) between two layouts.
///
/// Both shapes are refined until the same loops describe both layouts; these are sorted so that
/// the destination is written in the order of memory, and merged where one continues another.
/// Short runs of elements move as one. A copy that is larger than the caches is cut into pieces
/// that fit, or goes through small memories where its rows lie badly. From 8 MiB on, where it fills
/// whole cache lines, it is written past the caches if the last one has no room for it; runs are
/// then read in the order of the source.
///
/// For static layouts the plan is a constant, so that loops and strides are constants in the code
/// of the copy; for others it is made by each call.
///
/// ```
/// use layout_core::engine::{DynLayout, IntTuple};
/// use layout_kernels::{CopyKernel, CopyPlan};
/// let shape = IntTuple::flat(&[64, 48])?;
/// let (rows, columns) = (DynLayout::row_major(&shape)?, DynLayout::make(&shape)?);
///
/// let plan = CopyPlan::new::<f32>(&rows, &rows)?;
/// assert_eq!(plan.to_string(), "run of 3072, contiguous in both");
///
/// let plan = CopyPlan::new::<f32>(&rows, &columns)?;
/// assert!(matches!(plan.kernel(), CopyKernel::Transpose { .. }));
/// assert_eq!(
///     plan.to_string(),
///     "transpose 48 x 64: source contiguous along 48, next row +48; \
///      destination contiguous along 64, next row +64"
/// );
/// # Ok::<(), layout_core::error::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct CopyPlan {
    // Outermost first; at and beyond `len` all are `ONCE`.
    loops: [Loop; MAX_LOOPS],
    len: usize,
    kernel: CopyKernel,
    element_bytes: usize,
    unit: usize,
    reach: Reach,
    // What is written by the whole copy of which this is a part.
    total_bytes: usize,
    // Of a block: from its source to that of the next one.
    ahead: usize,
}

/// How far a copy reaches, which decides how it meets the caches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reach {
    /// It is small enough to be done as it comes.
    Near,
    /// It is cut into pieces, for the caches.
    Pieces,
    /// It is cut into pieces, which are written past the caches.
    Streamed,
}

impl CopyPlan {
    pub(super) const NOTHING: Self = Self {
        loops: [Loop::ONCE; MAX_LOOPS],
        len: 0,
        kernel: CopyKernel::Nothing,
        element_bytes: 0,
        unit: 1,
        reach: Reach::Near,
        total_bytes: 0,
        ahead: 0,
    };

    /// The plan of a copy of elements `T` from `source` to `destination`.
    ///
    /// # Errors
    ///
    /// [`LayoutError::CopyShape`] when the shapes differ.
    pub const fn new<T>(source: &DynLayout, destination: &DynLayout) -> Result<Self, LayoutError> {
        match agree(source, destination) {
            Ok(()) => Ok(Self::of_agreeing(source, destination, size_of::<T>())),
            Err(error) => Err(error),
        }
    }

    const fn of_agreeing(
        source: &DynLayout,
        destination: &DynLayout,
        element_bytes: usize,
    ) -> Self {
        let mut plan = Self::NOTHING;
        plan.element_bytes = element_bytes;
        if source.cosize() == 0 {
            return plan;
        }
        if !plan.refine(Leaves::of(source), Leaves::of(destination)) {
            return Self { kernel: CopyKernel::Irregular, element_bytes, ..Self::NOTHING };
        }
        plan.arrange(source.size(), source.size());
        plan
    }

    /// The plan of loops, in any order, over elements of so many bytes, as a part of a copy of
    /// `total` elements.
    pub(super) const fn of_loops(
        loops: [Loop; MAX_LOOPS],
        len: usize,
        element_bytes: usize,
        total: usize,
    ) -> Self {
        let mut plan = Self { loops, len, element_bytes, ..Self::NOTHING };
        let (mut elements, mut k) = (1usize, 0);
        while k < len {
            elements = elements.saturating_mul(loops[k].extent);
            k += 1;
        }
        plan.arrange(elements, total);
        plan
    }

    /// Makes a plan of its loops, which have so many turns, as a part of a copy of `total`.
    const fn arrange(&mut self, elements: usize, total: usize) {
        self.total_bytes = total.saturating_mul(self.element_bytes);
        self.sort();
        self.merge();
        self.choose();
        self.reach = self.reach_of(elements.saturating_mul(self.element_bytes));
        self.read_in_order();
    }

    /// Sorts the loops around the kernel by falling source stride.
    pub(super) const fn sort_by_source(&mut self) {
        let mut k = 1;
        while k < self.len {
            let this = self.loops[k];
            let mut at = k;
            while at > 0 && self.loops[at - 1].source < this.source {
                self.loops[at] = self.loops[at - 1];
                at -= 1;
            }
            self.loops[at] = this;
            k += 1;
        }
    }

    /// The loops around the kernel, outermost first.
    #[inline(always)]
    pub const fn loops(&self) -> &[Loop] {
        self.loops.split_at(self.len).0
    }

    /// What is done inside the loops.
    #[inline(always)]
    pub const fn kernel(&self) -> CopyKernel {
        self.kernel
    }

    /// The number of neighbouring elements that move as one.
    #[inline(always)]
    pub const fn unit(&self) -> usize {
        self.unit
    }

    /// The size of an element.
    #[inline(always)]
    pub(super) const fn element_bytes(&self) -> usize {
        self.element_bytes
    }

    #[inline(always)]
    pub(super) const fn total_bytes(&self) -> usize {
        self.total_bytes
    }

    #[inline(always)]
    pub(super) const fn reach(&self) -> Reach {
        self.reach
    }

    /// Of a block: how many elements its source is before that of the next one; this wraps around.
    #[inline(always)]
    pub(super) const fn ahead(&self) -> usize {
        self.ahead
    }

    /// The same work in these loops, and how far the next one is.
    pub(super) fn with_loops(&self, loops: &[Loop]) -> Self {
        let mut plan = Self { len: loops.len(), loops: Self::NOTHING.loops, ..*self };
        plan.loops[..loops.len()].copy_from_slice(loops);
        plan
    }

    /// Lets loop `k` run `extent` times.
    pub(super) fn set_extent(&mut self, k: usize, extent: usize) {
        self.loops[k].extent = extent;
    }

    pub(super) fn set_ahead(&mut self, ahead: usize) {
        self.ahead = ahead;
    }

    pub(super) const fn kernel_ref(&self) -> &CopyKernel {
        &self.kernel
    }

    /// The plan of small blocks of the same elements, with these columns and rows, in these loops.
    pub(super) fn block(&self, loops: &[Loop], columns: Loop, rows: Loop) -> Self {
        let kernel = CopyKernel::Transpose { columns, rows };
        self.small(loops, kernel, self.unit)
    }

    /// The plan of runs of so many of the same elements, in these loops.
    pub(super) fn run(&self, loops: &[Loop], elements: usize) -> Self {
        self.small(loops, CopyKernel::Run { elements }, 1)
    }

    fn small(&self, loops: &[Loop], kernel: CopyKernel, unit: usize) -> Self {
        let mut plan = Self {
            kernel,
            unit,
            element_bytes: self.element_bytes,
            total_bytes: self.total_bytes,
            len: loops.len(),
            ..Self::NOTHING
        };
        plan.loops[..loops.len()].copy_from_slice(loops);
        plan
    }

    /// The plan with another extent for loop `k`; behind the loops come those of the kernel,
    /// columns before rows.
    pub(super) fn with_extent(&self, k: usize, extent: usize) -> Self {
        let mut plan = *self;
        let inner = k.checked_sub(self.len);
        match (&mut plan.kernel, inner) {
            (_, None) => plan.loops[k].extent = extent,
            (CopyKernel::Run { elements }, _) => *elements = extent,
            (CopyKernel::Transpose { columns, .. }, Some(0)) => columns.extent = extent,
            (CopyKernel::Transpose { rows, .. }, _) => rows.extent = extent,
            (CopyKernel::Strided(inner), _) => inner.extent = extent,
            (CopyKernel::Nothing | CopyKernel::Irregular, _) => {}
        }
        plan
    }

    /// Splits the leaves of both until they are the same loops, innermost first. Modes have the
    /// same sizes in both layouts, so that they end together.
    const fn refine(&mut self, mut source: Leaves<'_>, mut destination: Leaves<'_>) -> bool {
        let (mut s, mut d) = (source.step(), destination.step());
        while let (Some((s_extent, s_stride)), Some((d_extent, d_stride))) = (s, d) {
            // One of both extents divides the other, or there is no common refinement.
            let extent = if s_extent < d_extent { s_extent } else { d_extent };
            if !s_extent.is_multiple_of(extent) || !d_extent.is_multiple_of(extent) {
                return false;
            }
            let this = Loop { extent, source: s_stride, destination: d_stride };
            if self.len > 0 && this.continues(&self.loops[self.len - 1]) {
                self.loops[self.len - 1].extent *= extent;
            } else if self.len == MAX_LOOPS {
                return false;
            } else {
                self.loops[self.len] = this;
                self.len += 1;
            }
            s = match s_extent / extent {
                1 => source.step(),
                left => Some((left, s_stride * extent)),
            };
            d = match d_extent / extent {
                1 => destination.step(),
                left => Some((left, d_stride * extent)),
            };
        }
        true
    }

    /// Sorts the loops by falling destination stride.
    pub(super) const fn sort(&mut self) {
        let mut k = 1;
        while k < self.len {
            let this = self.loops[k];
            let mut at = k;
            while at > 0 && self.loops[at - 1].destination < this.destination {
                self.loops[at] = self.loops[at - 1];
                at -= 1;
            }
            self.loops[at] = this;
            k += 1;
        }
    }

    /// Makes one loop of two where the outer one continues the inner one.
    const fn merge(&mut self) {
        let (mut kept, mut k) = (0, 1);
        while k < self.len {
            let inner = self.loops[k];
            if self.loops[kept].continues(&inner) {
                self.loops[kept] = Loop { extent: self.loops[kept].extent * inner.extent, ..inner };
            } else {
                kept += 1;
                self.loops[kept] = inner;
            }
            k += 1;
        }
        while self.len > kept + 1 {
            self.len -= 1;
            self.loops[self.len] = Loop::ONCE;
        }
    }

    /// Takes the innermost loops away and makes them the kernel.
    const fn choose(&mut self) {
        if self.len == 0 {
            self.kernel = CopyKernel::Run { elements: 1 };
            return;
        }
        let last = self.take(self.len - 1);
        if last.destination == 1 && last.source == 1 {
            self.kernel = CopyKernel::Run { elements: last.extent };
            // A short run may be a word that other loops transpose.
            let bytes = last.extent * self.element_bytes;
            if self.len > 1 && bytes <= self.unit_bytes() && bytes.is_power_of_two() {
                let rows = self.loops[self.len - 1];
                let columns = self.columns(self.len - 1, last.extent);
                if rows.destination == last.extent
                    && let Some(k) = columns
                    && is_block(&rows, &self.loops[k])
                {
                    self.unit = last.extent;
                    let columns = self.take(k);
                    self.kernel = CopyKernel::Transpose { columns, rows: self.take(self.len - 1) };
                }
            }
            return;
        }
        self.kernel = match self.columns(self.len, 1) {
            Some(k) if last.destination == 1 && is_block(&last, &self.loops[k]) => {
                CopyKernel::Transpose { columns: self.take(k), rows: last }
            }
            _ => CopyKernel::Strided(self.long(last)),
        };
    }

    /// The loop to go along where elements move one by one: the innermost one, or in its place, if
    /// it is short, the one that is nearest in the source, if that writes to the first cache only.
    const fn long(&mut self, inner: Loop) -> Loop {
        let (mut nearest, mut k) = (None, 0);
        let mut distance = inner.source;
        while k < self.len {
            if self.loops[k].source < distance {
                (nearest, distance) = (Some(k), self.loops[k].source);
            }
            k += 1;
        }
        if let Some(k) = nearest
            && inner.extent < SHORT
        {
            let Loop { extent, destination, .. } = self.loops[k];
            let reach = extent.saturating_mul(destination).saturating_mul(self.element_bytes);
            if extent >= 2 * inner.extent && reach <= NEAR_BYTES {
                let long = self.take(k);
                self.loops[self.len] = inner;
                self.len += 1;
                return long;
            }
        }
        inner
    }

    /// The most bytes that move as one. Longer runs that go past the caches are rather done one by
    /// one, in the order of the source.
    const fn unit_bytes(&self) -> usize {
        if self.total_bytes < STREAMED_BYTES { UNIT_BYTES } else { UNIT_BYTES / 4 }
    }

    /// The loop among the outermost `end` ones along which the source has its units of `unit`
    /// elements next to each other.
    const fn columns(&self, end: usize, unit: usize) -> Option<usize> {
        let mut k = 0;
        while k < end {
            if self.loops[k].source == unit {
                return Some(k);
            }
            k += 1;
        }
        None
    }

    const fn take(&mut self, at: usize) -> Loop {
        let taken = self.loops[at];
        let mut k = at + 1;
        while k < self.len {
            self.loops[k - 1] = self.loops[k];
            k += 1;
        }
        self.len -= 1;
        self.loops[self.len] = Loop::ONCE;
        taken
    }
}

/// Whether there are enough rows and columns for a transposition in registers.
const fn is_block(rows: &Loop, columns: &Loop) -> bool {
    rows.extent >= 2 && columns.extent >= 2 && rows.extent + columns.extent >= 6
}

/// The (extent, stride) pairs of a layout without those of extent 1, neighbours merged, one after
/// the other.
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
                // Extents are above 1, so that a product of two of them and a stride is at most
                // the cosize and cannot overflow.
                Some((e, s)) if e * s == stride => merged = Some((e * extent, s)),
                Some(_) => break,
            }
            self.next += 1;
        }
        merged
    }
}

impl PartialEq for CopyPlan {
    fn eq(&self, other: &Self) -> bool {
        self.loops() == other.loops()
            && self.kernel == other.kernel
            && (self.element_bytes, self.unit, self.reach)
                == (other.element_bytes, other.unit, other.reach)
    }
}

impl Eq for CopyPlan {}
