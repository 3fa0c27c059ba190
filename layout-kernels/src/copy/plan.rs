//! `CopyPlan`: the loops of a copy between two layouts, and what is done inside them.

use core::fmt;

use layout_core::engine::{DynLayout, MAX_LEAVES};
use layout_core::error::LayoutError;

use super::agree;

/// The most loops that a plan has; layouts that need more are [`CopyKernel::Irregular`].
///
/// Few keep the plan of a dynamic copy small. Real layouts have up to six or so.
const MAX_LOOPS: usize = 16;

/// Blocks with fewer rows or columns are not worth a transposition in registers.
const LEAST_TILE: usize = 4;

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
        /// The loop with source stride 1.
        columns: Loop,
        /// The loop with destination stride 1.
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
/// the destination is written in the order of memory, and merged where one continues another. For
/// static layouts it is a constant, so that loops and strides are constants in the code of the
/// copy; for others it is made by each call.
///
/// ```
/// use layout_core::engine::{DynLayout, IntTuple};
/// use layout_kernels::{CopyKernel, CopyPlan};
/// let shape = IntTuple::flat(&[64, 48])?;
/// let (rows, columns) = (DynLayout::row_major(&shape)?, DynLayout::make(&shape)?);
///
/// let plan = CopyPlan::new(&rows, &rows)?;
/// assert_eq!(plan.to_string(), "run of 3072, contiguous in both");
///
/// let plan = CopyPlan::new(&rows, &columns)?;
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
}

impl CopyPlan {
    pub(super) const NOTHING: Self =
        Self { loops: [Loop::ONCE; MAX_LOOPS], len: 0, kernel: CopyKernel::Nothing };

    /// The plan of a copy from `source` to `destination`.
    ///
    /// # Errors
    ///
    /// [`LayoutError::CopyShape`] when the shapes differ.
    pub const fn new(source: &DynLayout, destination: &DynLayout) -> Result<Self, LayoutError> {
        match agree(source, destination) {
            Ok(()) => Ok(Self::of_agreeing(source, destination)),
            Err(error) => Err(error),
        }
    }

    pub(super) const fn of_agreeing(source: &DynLayout, destination: &DynLayout) -> Self {
        let mut plan = Self::NOTHING;
        if source.cosize() == 0 {
            return plan;
        }
        if !plan.refine(&Leaves::of(source), &Leaves::of(destination)) {
            return Self { kernel: CopyKernel::Irregular, ..Self::NOTHING };
        }
        plan.sort();
        plan.merge();
        plan.choose();
        plan
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

    /// Splits the leaves of both until they are the same loops, innermost first. Modes have the
    /// same sizes in both layouts, so that they end together.
    const fn refine(&mut self, source: &Leaves, destination: &Leaves) -> bool {
        let (mut i, mut j) = (0, 0);
        let (mut s, mut d) = (source.leaf[0], destination.leaf[0]);
        while i < source.len && j < destination.len {
            // One of both extents divides the other, or there is no common refinement.
            let extent = if s.0 < d.0 { s.0 } else { d.0 };
            if !s.0.is_multiple_of(extent) || !d.0.is_multiple_of(extent) {
                return false;
            }
            let this = Loop { extent, source: s.1, destination: d.1 };
            if self.len > 0 && this.continues(&self.loops[self.len - 1]) {
                self.loops[self.len - 1].extent *= extent;
            } else if self.len == MAX_LOOPS {
                return false;
            } else {
                self.loops[self.len] = this;
                self.len += 1;
            }
            if s.0 == extent {
                i += 1;
                s = source.leaf[i];
            } else {
                s = (s.0 / extent, s.1 * extent);
            }
            if d.0 == extent {
                j += 1;
                d = destination.leaf[j];
            } else {
                d = (d.0 / extent, d.1 * extent);
            }
        }
        true
    }

    /// Sorts the loops by falling destination stride.
    const fn sort(&mut self) {
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
            return;
        }
        let mut k = 0;
        while k < self.len {
            let other = self.loops[k];
            let worth = other.extent >= LEAST_TILE && last.extent >= LEAST_TILE;
            if last.destination == 1 && other.source == 1 && worth {
                self.kernel = CopyKernel::Transpose { columns: self.take(k), rows: last };
                return;
            }
            k += 1;
        }
        self.kernel = CopyKernel::Strided(last);
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

/// The (extent, stride) pairs of a layout without those of extent 1, neighbours merged; one more
/// at the end to read past.
struct Leaves {
    leaf: [(usize, usize); MAX_LEAVES + 1],
    len: usize,
}

impl Leaves {
    const fn of(layout: &DynLayout) -> Self {
        let mut leaves = Self { leaf: [(1, 0); MAX_LEAVES + 1], len: 0 };
        let (extents, strides) = (layout.extents(), layout.strides());
        let mut k = 0;
        while k < extents.len() {
            let (extent, stride) = (extents[k], strides[k]);
            k += 1;
            if extent == 1 {
                continue;
            }
            if leaves.len > 0 {
                // Extents are above 1, so that a product of two of them and a stride is at most
                // the cosize and cannot overflow.
                let (e, s) = leaves.leaf[leaves.len - 1];
                if e * s == stride {
                    leaves.leaf[leaves.len - 1] = (e * extent, s);
                    continue;
                }
            }
            leaves.leaf[leaves.len] = (extent, stride);
            leaves.len += 1;
        }
        leaves
    }
}

impl PartialEq for CopyPlan {
    fn eq(&self, other: &Self) -> bool {
        self.loops() == other.loops() && self.kernel == other.kernel
    }
}

impl Eq for CopyPlan {}

/// Prints a line for each loop, and what is done inside.
impl fmt::Display for CopyPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (depth, Loop { extent, source, destination }) in self.loops().iter().enumerate() {
            let indent = 2 * depth;
            writeln!(
                f,
                "{:indent$}for {extent}: source +{source}, destination +{destination}",
                ""
            )?;
        }
        let indent = 2 * self.len;
        write!(f, "{:indent$}", "")?;
        match self.kernel {
            CopyKernel::Nothing => f.write_str("nothing: a layout without elements"),
            CopyKernel::Run { elements } => write!(f, "run of {elements}, contiguous in both"),
            CopyKernel::Transpose { columns, rows } => write!(
                f,
                "transpose {} x {}: source contiguous along {}, next row +{}; \
                 destination contiguous along {}, next row +{}",
                columns.extent,
                rows.extent,
                columns.extent,
                rows.source,
                rows.extent,
                columns.destination
            ),
            CopyKernel::Strided(Loop { extent, source, destination }) => {
                write!(f, "one by one {extent}: source +{source}, destination +{destination}")
            }
            CopyKernel::Irregular => {
                f.write_str("index by index: no common refinement into at most 16 loops")
            }
        }
    }
}

impl fmt::Debug for CopyPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(source: &str, destination: &str) -> CopyPlan {
        let layout = |text| DynLayout::parse(text).unwrap();
        CopyPlan::new(&layout(source), &layout(destination)).unwrap()
    }

    #[test]
    fn what_is_contiguous_is_one_run() {
        for (s, d) in [
            ("(4,8):(8,1)", "(4,8):(8,1)"),
            ("((2,2),8):((8,16),1)", "(4,(2,4)):(8,(1,2))"),
            ("(1,32):(77,1)", "(1,(4,8)):(0,(1,4))"),
        ] {
            assert_eq!(plan(s, d).kernel(), CopyKernel::Run { elements: 32 }, "{s} to {d}");
            assert!(plan(s, d).loops().is_empty(), "{s} to {d}");
        }
        assert_eq!(plan("1:0", "1:9").kernel(), CopyKernel::Run { elements: 1 });
    }

    #[test]
    fn the_destination_is_written_in_order() {
        let text = plan("((8,4),(8,4)):((8,256),(1,64))", "(32,32):(32,1)").to_string();
        assert_eq!(
            text,
            "for 4: source +256, destination +256\n  \
             for 8: source +8, destination +32\n    \
             for 4: source +64, destination +8\n      \
             run of 8, contiguous in both"
        );
    }

    #[test]
    fn a_transposition_needs_both_contiguous_loops() {
        let text = plan("((8,4),(8,4)):((1,256),(8,64))", "(32,32):(32,1)").to_string();
        assert_eq!(
            text,
            "for 4: source +256, destination +256\n  \
             transpose 8 x 32: source contiguous along 8, next row +8; \
             destination contiguous along 32, next row +32"
        );
        // Neither a source without stride 1, nor too few rows for a tile.
        assert!(matches!(plan("(8,8):(2,16)", "(8,8):(8,1)").kernel(), CopyKernel::Strided(_)));
        assert!(matches!(plan("(8,3):(1,8)", "(8,3):(3,1)").kernel(), CopyKernel::Strided(_)));
    }

    #[test]
    fn a_broadcast_is_a_loop_that_the_source_does_not_move_in() {
        assert_eq!(
            plan("(3,8):(0,1)", "(3,8):(1,3)").to_string(),
            "for 8: source +1, destination +3\n  one by one 3: source +0, destination +1"
        );
    }

    #[test]
    fn leaves_that_do_not_refine_are_walked() {
        let plan = plan("((2,3),4):((1,4),12)", "((3,2),4):((1,5),12)");
        assert_eq!(plan.kernel(), CopyKernel::Irregular);
        assert_eq!(plan.to_string(), "index by index: no common refinement into at most 16 loops");
    }

    #[test]
    fn shapes_must_agree() {
        let layout = |text| DynLayout::parse(text).unwrap();
        let error = CopyPlan::new(&layout("(4,8):(8,1)"), &layout("(8,4):(4,1)")).unwrap_err();
        assert!(matches!(error, LayoutError::CopyShape { .. }));
    }

    #[test]
    fn more_loops_than_a_plan_holds_are_walked() {
        // Leaves of extent 2 in opposite orders do not merge.
        let plan_of = |leaves: usize| {
            let shape = layout_core::engine::IntTuple::flat(&[2; MAX_LEAVES][..leaves]).unwrap();
            let (rows, columns) = (DynLayout::row_major(&shape), DynLayout::make(&shape));
            CopyPlan::new(&rows.unwrap(), &columns.unwrap()).unwrap()
        };
        assert_eq!(plan_of(MAX_LOOPS).loops().len(), MAX_LOOPS - 1);
        assert_eq!(plan_of(MAX_LOOPS + 1).kernel(), CopyKernel::Irregular);
    }
}
