//! `CopyPlan`: the loops of a copy between two layouts, and what is done inside them.

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;

use super::agree;
use super::block::NEAR_BYTES;
use super::nest::{Loop, Nest};
use super::pieces::STREAMED_BYTES;

/// The most bytes that move as one: less than a cache line.
const UNIT_BYTES: usize = 32;

/// A loop of fewer turns costs more than what is in it, where that is one element.
const SHORT: usize = 16;

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
    loops: Nest,
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
        loops: Nest::NONE,
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
    /// [`LayoutError::CopyShape`] when the shapes differ, [`LayoutError::StorageTooLarge`] when no
    /// memory can have the elements of one of both.
    pub const fn new<T>(source: &DynLayout, destination: &DynLayout) -> Result<Self, LayoutError> {
        if let Err(error) = agree(source, destination) {
            return Err(error);
        }
        // Numbers of bytes are below 2^63 from here on.
        let (size, s, d) = (source.size(), source.cosize(), destination.cosize());
        let (layout, cosize) = if s > d { (source, s) } else { (destination, d) };
        let elements = if size > cosize { size } else { cosize };
        let element_bytes = size_of::<T>();
        if elements.saturating_mul(element_bytes) > isize::MAX as usize {
            let (shape, stride) = (layout.shape(), layout.stride());
            return Err(LayoutError::StorageTooLarge { element_bytes, shape, stride });
        }
        Ok(Self::of_agreeing(source, destination, size, element_bytes))
    }

    const fn of_agreeing(
        source: &DynLayout,
        destination: &DynLayout,
        size: usize,
        element_bytes: usize,
    ) -> Self {
        let mut plan = Self::NOTHING;
        plan.element_bytes = element_bytes;
        if size == 0 {
            return plan;
        }
        if !plan.loops.refine(source, destination) {
            return Self { kernel: CopyKernel::Irregular, element_bytes, ..Self::NOTHING };
        }
        plan.arrange(size, size);
        plan
    }

    /// The plan of loops, in any order, over elements of so many bytes, as a part of a copy of
    /// `total` elements.
    pub(super) const fn of_loops(loops: Nest, element_bytes: usize, total: usize) -> Self {
        let mut plan = Self { loops, element_bytes, ..Self::NOTHING };
        let (mut elements, mut k) = (1usize, 0);
        while k < loops.len() {
            elements = elements.saturating_mul(loops.at(k).extent);
            k += 1;
        }
        plan.arrange(elements, total);
        plan
    }

    /// Makes a plan of its loops, which have so many turns, as a part of a copy of `total`.
    const fn arrange(&mut self, elements: usize, total: usize) {
        self.total_bytes = total.saturating_mul(self.element_bytes);
        self.loops.sort();
        self.loops.merge();
        self.choose();
        self.reach = self.reach_of(elements.saturating_mul(self.element_bytes));
        self.read_in_order();
    }

    /// The loops around the kernel, outermost first.
    #[inline(always)]
    pub const fn loops(&self) -> &[Loop] {
        self.loops.as_slice()
    }

    pub(super) const fn nest_mut(&mut self) -> &mut Nest {
        &mut self.loops
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
        Self { loops: Nest::of(loops), ..*self }
    }

    /// Lets loop `k` run `extent` times.
    pub(super) fn set_extent(&mut self, k: usize, extent: usize) {
        self.loops.at_mut(k).extent = extent;
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
        Self {
            loops: Nest::of(loops),
            kernel,
            unit,
            element_bytes: self.element_bytes,
            total_bytes: self.total_bytes,
            ..Self::NOTHING
        }
    }

    /// The plan with another extent for loop `k`; behind the loops come those of the kernel,
    /// columns before rows.
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

    /// Takes the innermost loops away and makes them the kernel.
    const fn choose(&mut self) {
        if self.loops.len() == 0 {
            self.kernel = CopyKernel::Run { elements: 1 };
            return;
        }
        let last = self.loops.take(self.loops.len() - 1);
        if last.destination == 1 && last.source == 1 {
            self.kernel = CopyKernel::Run { elements: last.extent };
            // A short run may be a word that other loops transpose.
            let bytes = last.extent * self.element_bytes;
            if self.loops.len() > 1 && bytes <= self.unit_bytes() && bytes.is_power_of_two() {
                let rows = *self.loops.at(self.loops.len() - 1);
                let columns = self.columns(self.loops.len() - 1, last.extent);
                if rows.destination == last.extent
                    && let Some(k) = columns
                    && is_block(&rows, self.loops.at(k))
                {
                    self.unit = last.extent;
                    let columns = self.loops.take(k);
                    self.kernel = CopyKernel::Transpose {
                        columns,
                        rows: self.loops.take(self.loops.len() - 1),
                    };
                }
            }
            return;
        }
        self.kernel = match self.columns(self.loops.len(), 1) {
            Some(k) if last.destination == 1 && is_block(&last, self.loops.at(k)) => {
                CopyKernel::Transpose { columns: self.loops.take(k), rows: last }
            }
            _ => CopyKernel::Strided(self.long(last)),
        };
    }

    /// The loop to go along where elements move one by one: the innermost one, or in its place, if
    /// it is short, the one that is nearest in the source, if that writes to the first cache only.
    const fn long(&mut self, inner: Loop) -> Loop {
        let (mut nearest, mut k) = (None, 0);
        let mut distance = inner.source;
        while k < self.loops.len() {
            if self.loops.at(k).source < distance {
                (nearest, distance) = (Some(k), self.loops.at(k).source);
            }
            k += 1;
        }
        if let Some(k) = nearest
            && inner.extent < SHORT
        {
            let Loop { extent, destination, .. } = *self.loops.at(k);
            let reach = extent.saturating_mul(destination).saturating_mul(self.element_bytes);
            if extent >= 2 * inner.extent && reach <= NEAR_BYTES {
                let long = self.loops.take(k);
                self.loops.push(inner);
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
            if self.loops.at(k).source == unit {
                return Some(k);
            }
            k += 1;
        }
        None
    }
}

/// Whether there are enough rows and columns for a transposition in registers.
const fn is_block(rows: &Loop, columns: &Loop) -> bool {
    rows.extent >= 2 && columns.extent >= 2 && rows.extent + columns.extent >= 6
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
