//! `CopyPlan`: the loops of a copy between two layouts, and the kernel inside them.

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;

use super::check_shapes;
use super::refine::{Loop, Nest};
use crate::transpose::{CACHE_LINE, L1_COPY_BYTES, MEMORY_COPY_BYTES};

/// Maximum bytes that move as one unit: a 16-byte lane. (Words of 32 bytes take 1.2 times as long as
/// runs.)
const UNIT_BYTES: usize = 16;

/// A loop with fewer iterations costs more than its body, if the body moves one element.
const SHORT_EXTENT: usize = 16;

/// Runs of at least this many bytes may start anywhere and still use non-temporal stores: the parts
/// before the first whole cache line and after the last one are small. (Zen 5: runs of 264 to 1000 bytes are
/// 1.55 times as fast as with normal stores, runs of 136 to 232 bytes 0.98.)
pub(super) const LONG_RUN: usize = 256;

/// Maximum bytes of a piece. Copies up to this size are not cut. A piece and its source fit in L2.
/// Smaller pieces would end hardware prefetching too soon.
pub(super) const PIECE_BYTES: usize = 256 << 10;

/// From this many bytes on, whole cache lines are written with non-temporal stores, if source and
/// destination do not fit in the last-level cache. Normal stores would read each line first, and would
/// evict data that others need.
pub(super) const STREAMED_BYTES: usize = MEMORY_COPY_BYTES;

/// What a copy does in its innermost loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CopyKernel {
    /// There is no element to copy.
    Nothing,
    /// Elements that are contiguous in both memories: vector loads and stores.
    Run {
        /// Number of elements.
        elements: usize,
    },
    /// A block that is contiguous along one loop in the source and along another one in the
    /// destination. It is transposed tile by tile in registers.
    Transpose {
        /// The loop along which the source is contiguous.
        columns: Loop,
        /// The loop along which the destination is contiguous.
        rows: Loop,
    },
    /// Element by element, along this loop.
    Strided(Loop),
    /// Element by element, each with its own offsets. The two nestings of a mode have no common
    /// refinement, for example `(2,3)` and `(3,2)`, or only one with more than 16 loops.
    Irregular,
}

/// How a copy uses the caches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Caching {
    /// Small: one pass.
    Direct,
    /// Cut into pieces that fit in L2.
    Blocked,
    /// Cut into pieces that are written with non-temporal stores.
    Streamed,
}

/// The plan of a [`copy`](super::copy()) between two layouts.
///
/// Both shapes are refined until the same loops describe both layouts. The loops are sorted so that
/// the destination is written in memory order, and merged where one continues another. Short runs of
/// elements move as one unit. If factors of two of the extents are permuted, as in Morton order or bit
/// reversal, words of numbers are permuted in registers. A copy that is larger than the caches is cut
/// into pieces that fit. It goes through buffers if its rows share cache lines or L1 sets. From 8 MiB
/// on, a copy that fills whole cache lines is written with non-temporal stores if it does not fit in
/// the last-level cache.
///
/// For static layouts the plan is a constant; for others each call makes it. The same code runs both.
/// It needs only the plan, the memories and the SIMD level.
///
/// ```
/// use static_layout::engine::{DynLayout, IntTuple};
/// use static_layout::kernels::{CopyKernel, CopyPlan};
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
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CopyPlan {
    loops: Nest,
    kernel: CopyKernel,
    element_bytes: usize,
    unit: usize,
    caching: Caching,
    // Whether a transposition goes through buffers.
    buffered: bool,
    // Whether offset bits are permuted in registers.
    permutes_bits: bool,
    // Bytes that the whole copy writes. This plan may be a part of it.
    total_bytes: usize,
}

impl CopyPlan {
    /// A plan that copies nothing.
    #[inline(always)]
    pub(super) const fn nothing() -> Self {
        Self {
            loops: Nest::new(),
            kernel: CopyKernel::Nothing,
            element_bytes: 0,
            unit: 1,
            caching: Caching::Direct,
            buffered: false,
            permutes_bits: false,
            total_bytes: 0,
        }
    }

    /// Plans a copy of elements `T` from `source` to `destination`.
    ///
    /// # Errors
    ///
    /// [`LayoutError::CopyShape`] if the shapes differ, [`LayoutError::StorageTooLarge`] if no memory
    /// can hold the elements of one of the layouts.
    pub const fn new<T>(source: &DynLayout, destination: &DynLayout) -> Result<Self, LayoutError> {
        let mut plan = Self::nothing();
        attempt!(plan.set(size_of::<T>(), source, destination));
        Ok(plan)
    }

    /// [`new`](Self::new) in place of a plan that copies nothing, for elements of `element_bytes` bytes.
    /// (Moving a plan takes as long as a small copy.)
    ///
    /// # Errors
    ///
    /// Same as [`new`](Self::new).
    pub(super) const fn set(
        &mut self,
        element_bytes: usize,
        source: &DynLayout,
        destination: &DynLayout,
    ) -> Result<(), LayoutError> {
        attempt!(check_shapes(source, destination));
        // After this check, all byte counts are below 2^63.
        let (size, s, d) = (source.size(), source.cosize(), destination.cosize());
        let (layout, cosize) = if s > d { (source, s) } else { (destination, d) };
        let elements = if size > cosize { size } else { cosize };
        if elements.saturating_mul(element_bytes) > isize::MAX as usize {
            let (shape, stride) = (layout.shape(), layout.stride());
            return Err(LayoutError::StorageTooLarge { element_bytes, shape, stride });
        }
        self.element_bytes = element_bytes;
        if size == 0 {
            return Ok(());
        }
        if self.loops.refine(source, destination) {
            self.arrange(size, size);
        } else {
            (self.loops, self.kernel) = (Nest::new(), CopyKernel::Irregular);
        }
        Ok(())
    }

    /// Plan of these loops, in any order, over elements of `element_bytes` bytes, as a part of a copy
    /// of `total` elements.
    pub(super) const fn of_loops(loops: &[Loop], element_bytes: usize, total: usize) -> Self {
        let mut plan = Self::nothing();
        plan.element_bytes = element_bytes;
        plan.loops.extend(loops);
        let (mut elements, mut k) = (1usize, 0);
        while k < loops.len() {
            elements = elements.saturating_mul(loops[k].extent);
            k += 1;
        }
        plan.arrange(elements, total);
        plan
    }

    /// Completes a plan from its loops, which cover `elements` elements, as a part of a copy of
    /// `total` elements.
    const fn arrange(&mut self, elements: usize, total: usize) {
        self.total_bytes = total.saturating_mul(self.element_bytes);
        self.loops.sort(false);
        self.loops.merge();
        self.choose_kernel();
        let bytes = elements.saturating_mul(self.element_bytes);
        self.buffered = self.is_better_buffered();
        self.caching = if self.total_bytes >= STREAMED_BYTES && self.fills_lines() {
            Caching::Streamed
        } else if bytes <= PIECE_BYTES {
            Caching::Direct
        } else {
            Caching::Blocked
        };
        self.buffered = self.buffered && !matches!(self.caching, Caching::Direct);
        // Copies through buffers or with non-temporal stores access cache lines in a better order.
        self.permutes_bits = !self.buffered
            && !matches!(self.caching, Caching::Streamed)
            && self.should_permute_bits(bytes);
        if self.is_in_order_of_source() {
            self.loops.sort(true);
        }
    }

    /// The loops around the kernel, outermost first.
    #[inline(always)]
    pub const fn loops(&self) -> &[Loop] {
        self.loops.as_slice()
    }

    /// The kernel inside the loops.
    #[inline(always)]
    pub const fn kernel(&self) -> CopyKernel {
        self.kernel
    }

    /// The number of contiguous elements that move as one unit.
    #[inline(always)]
    pub const fn unit(&self) -> usize {
        self.unit
    }

    /// Size of an element in bytes.
    #[inline(always)]
    pub(super) const fn element_bytes(&self) -> usize {
        self.element_bytes
    }

    /// Size in bytes of the unit of a transposition: its word.
    #[inline(always)]
    pub(super) const fn word(&self) -> usize {
        self.element_bytes * self.unit
    }

    #[inline(always)]
    pub(super) const fn total_bytes(&self) -> usize {
        self.total_bytes
    }

    #[inline(always)]
    pub(super) const fn caching(&self) -> Caching {
        self.caching
    }

    #[inline(always)]
    pub(super) const fn is_buffered(&self) -> bool {
        self.buffered
    }

    #[inline(always)]
    pub(super) const fn permutes_bits(&self) -> bool {
        self.permutes_bits
    }

    /// Plan of a small part of the same elements, with this kernel in these loops.
    pub(super) fn part(&self, loops: &[Loop], kernel: CopyKernel) -> Self {
        let mut part = Self::nothing();
        part.loops.extend(loops);
        part.kernel = kernel;
        part.unit = if matches!(kernel, CopyKernel::Transpose { .. }) { self.unit } else { 1 };
        (part.element_bytes, part.total_bytes) = (self.element_bytes, self.total_bytes);
        part
    }

    /// Plan of small blocks of the same elements, with these columns and rows, in these loops.
    pub(super) fn block(&self, loops: &[Loop], columns: Loop, rows: Loop) -> Self {
        self.part(loops, CopyKernel::Transpose { columns, rows })
    }

    /// The same plan with other loops.
    pub(super) fn with_loops(&self, loops: Nest) -> Self {
        Self { loops, ..*self }
    }

    /// The same plan, with its loops in the order of the destination.
    pub(super) fn in_order_of_destination(&self) -> Self {
        let mut plan = *self;
        plan.loops.sort(false);
        plan
    }

    /// The plan with another extent for loop `k`. The loops of the kernel are counted after the
    /// others, columns before rows.
    pub(super) fn with_extent(&self, k: usize, extent: usize) -> Self {
        let mut plan = *self;
        let inner = k.checked_sub(self.loops.len());
        match (&mut plan.kernel, inner) {
            (_, None) => plan.loops.at_mut(k).extent = extent,
            (CopyKernel::Run { elements }, _) => *elements = extent,
            (CopyKernel::Transpose { columns, .. }, Some(0)) => columns.extent = extent,
            (CopyKernel::Transpose { rows, .. }, _) => rows.extent = extent,
            (CopyKernel::Strided(inner), _) => inner.extent = extent,
            (CopyKernel::Nothing | CopyKernel::Irregular, _) => {}
        }
        plan
    }

    /// Bytes written.
    pub(super) fn bytes(&self) -> usize {
        let kernel = match self.kernel {
            CopyKernel::Run { elements } => elements,
            CopyKernel::Transpose { columns, rows } => rows.extent * columns.extent * self.unit,
            CopyKernel::Strided(inner) => inner.extent,
            CopyKernel::Nothing | CopyKernel::Irregular => 0,
        };
        let iterations: usize = self.loops().iter().map(|each| each.extent).product();
        kernel * iterations * self.element_bytes
    }

    /// Turns the innermost loops into the kernel.
    const fn choose_kernel(&mut self) {
        if self.loops.len() == 0 {
            self.kernel = CopyKernel::Run { elements: 1 };
            return;
        }
        let last = self.loops.remove(self.loops.len() - 1);
        if last.destination == 1 && last.source == 1 {
            self.kernel = CopyKernel::Run { elements: last.extent };
            // A short run may be the word of a transposition by other loops.
            let bytes = last.extent.saturating_mul(self.element_bytes);
            if self.loops.len() > 1 && bytes <= self.unit_bytes() && bytes.is_power_of_two() {
                let rows = *self.loops.at(self.loops.len() - 1);
                if rows.destination == last.extent
                    && let Some(k) = self.columns(self.loops.len() - 1, last.extent)
                    && is_block(&rows, self.loops.at(k))
                {
                    self.unit = last.extent;
                    let columns = self.loops.remove(k);
                    let rows = self.loops.remove(self.loops.len() - 1);
                    self.kernel = CopyKernel::Transpose { columns, rows };
                }
            }
            return;
        }
        self.kernel = match self.columns(self.loops.len(), 1) {
            Some(k) if last.destination == 1 && is_block(&last, self.loops.at(k)) => {
                CopyKernel::Transpose { columns: self.loops.remove(k), rows: last }
            }
            _ => CopyKernel::Strided(self.choose_strided_loop(last)),
        };
    }

    /// The innermost loop of an element-by-element copy. This is `inner`, or, if `inner` is short, the
    /// loop with the smallest source stride, provided that its writes stay within L1.
    const fn choose_strided_loop(&mut self, inner: Loop) -> Loop {
        let (mut nearest, mut k) = (None, 0);
        let mut stride = inner.source;
        while k < self.loops.len() {
            if self.loops.at(k).source < stride {
                (nearest, stride) = (Some(k), self.loops.at(k).source);
            }
            k += 1;
        }
        if let Some(k) = nearest
            && inner.extent < SHORT_EXTENT
        {
            let Loop { extent, destination, .. } = *self.loops.at(k);
            let reach = extent.saturating_mul(destination).saturating_mul(self.element_bytes);
            if extent >= 2 * inner.extent && reach <= L1_COPY_BYTES {
                let longer = self.loops.remove(k);
                self.loops.push(inner);
                return longer;
            }
        }
        inner
    }

    /// Maximum bytes that move as one unit. With non-temporal stores it is half: longer units are
    /// faster as runs.
    const fn unit_bytes(&self) -> usize {
        if self.total_bytes < STREAMED_BYTES { UNIT_BYTES } else { UNIT_BYTES / 2 }
    }

    /// The loop, among the outermost `end` ones, along which units of `unit` elements are contiguous
    /// in the source.
    const fn columns(&self, end: usize, unit: usize) -> Option<usize> {
        let mut k = 0;
        while k < end {
            if self.loops.at(k).source == unit {
                return Some(k);
            }
            k += 1;
        }
        None
    }

    /// Whether this many elements are a whole number of cache lines.
    pub(super) const fn is_lines(&self, elements: usize) -> bool {
        // If the product wraps around, the result still holds: 2^64 is a multiple of a cache line.
        elements.wrapping_mul(self.element_bytes).is_multiple_of(CACHE_LINE)
    }

    /// Whether the cache lines of the destination are written whole, provided that the first one is
    /// aligned.
    pub(super) const fn fills_lines(&self) -> bool {
        let (loops, size) = (self.loops(), self.element_bytes);
        let (mut aligned, mut k) = (true, 0);
        // The same without the innermost loop.
        let mut outer_aligned = true;
        while k < loops.len() {
            outer_aligned = aligned;
            aligned = aligned && self.is_lines(loops[k].destination);
            k += 1;
        }
        match self.kernel {
            CopyKernel::Run { elements } => {
                let run = elements.saturating_mul(size);
                // Adjacent runs of 16 or 32 bytes complete lines, for example rows of 16 elements of
                // 16 bits in a face of a tile.
                let completes = (run == 16 || run == 32) && !loops.is_empty() && {
                    let inner = &loops[loops.len() - 1];
                    inner.destination == elements && self.is_lines(inner.extent * elements)
                };
                run >= LONG_RUN || aligned && self.is_lines(elements) || outer_aligned && completes
            }
            CopyKernel::Transpose { columns, rows } => {
                aligned
                    && self.is_lines(columns.destination)
                    && rows.extent * self.unit * size >= CACHE_LINE
                    || self.buffered && self.fills_lines_by_buffers()
            }
            _ => false,
        }
    }
}

/// Whether there are enough rows and columns for a transposition in registers.
const fn is_block(rows: &Loop, columns: &Loop) -> bool {
    rows.extent >= 2 && columns.extent >= 2 && rows.extent + columns.extent >= 6
}
