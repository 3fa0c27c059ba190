//! `Plan`: a contraction as matrix products, `C(m, n) += A(m, k) * B(k, n)`, one for each coordinate
//! of the letters that all three tensors have.

use layout_core::engine::{DynLayout, MAX_LEAVES, Subscripts};
use layout_core::error::LayoutError;

use crate::einsum::axes::{Axes, Axis, check_shapes, coalesces, offset_in_mode};
use crate::einsum::epilogue::EinsumEpilogue;
use crate::gemm::{Along, Finished, Loop, MatrixLayout, ModeLeaves, Strided};

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;

/// The loops of one kind (batch, M, N or K), fastest first: indices into [`Axes`].
#[derive(Clone, Copy)]
pub(super) struct Group {
    indices: [u8; MAX_LEAVES],
    len: usize,
}

impl Group {
    const EMPTY: Self = Self { indices: [0; MAX_LEAVES], len: 0 };

    const fn push(&mut self, index: usize) -> Result<(), LayoutError> {
        if self.len == MAX_LEAVES {
            return Err(LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        }
        self.indices[self.len] = index as u8;
        self.len += 1;
        Ok(())
    }

    const fn at<'a>(&self, axes: &'a Axes, i: usize) -> &'a Axis {
        axes.at(self.indices[i] as usize)
    }

    fn iter<'a>(&self, axes: &'a Axes) -> impl Iterator<Item = &'a Axis> {
        (0..self.len).map(|i| self.at(axes, i))
    }

    /// Sorts by the stride in one operand, then by the stride in another.
    const fn sort(&mut self, axes: &Axes, by: usize, then: usize) {
        let mut i = 1;
        while i < self.len {
            let mut j = i;
            while j > 0 && before(self.at(axes, j), self.at(axes, j - 1), by, then) {
                let index = self.indices[j];
                self.indices[j] = self.indices[j - 1];
                self.indices[j - 1] = index;
                j -= 1;
            }
            i += 1;
        }
    }

    /// Number of coordinates. Saturates: no layout bounds the product of letters of both operands, and
    /// there may be none of another.
    const fn size(&self, axes: &Axes) -> usize {
        let (mut size, mut i) = (1usize, 0);
        while i < self.len {
            size = size.saturating_mul(self.at(axes, i).extent);
            i += 1;
        }
        size
    }
}

/// The loops of a group as a mode of the two operands that have it. Loops are merged if they coalesce in
/// both. At least one.
#[derive(Clone, Copy)]
struct Loops {
    extents: [usize; MAX_LEAVES],
    strides: [[usize; MAX_LEAVES]; 2],
    len: usize,
}

impl Loops {
    const ONCE: Self = Self { extents: [1; MAX_LEAVES], strides: [[0; MAX_LEAVES]; 2], len: 1 };

    /// Replaces `ONCE` by the loops of a group.
    const fn set(&mut self, axes: &Axes, group: &Group, [x, y]: [usize; 2]) {
        let mut i = 0;
        while i < group.len {
            let (axis, last) = (group.at(axes, i), self.len - 1);
            let extent = self.extents[last];
            if i > 0
                && coalesces(group.at(axes, i - 1), axis, x)
                && coalesces(group.at(axes, i - 1), axis, y)
                && let Some(longer) = extent.checked_mul(axis.extent)
            {
                self.extents[last] = longer;
            } else {
                self.len = if i > 0 { self.len + 1 } else { 1 };
                self.extents[self.len - 1] = axis.extent;
                self.strides[0][self.len - 1] = axis.strides[x];
                self.strides[1][self.len - 1] = axis.strides[y];
            }
            i += 1;
        }
    }

    /// The mode in one of the two operands.
    const fn leaves(&self, which: usize) -> ModeLeaves<'_> {
        let (extents, strides) = (&self.extents, &self.strides[which]);
        ModeLeaves { extents: extents.split_at(self.len).0, strides: strides.split_at(self.len).0 }
    }
}

/// Whether loop `x` is faster than loop `y`.
const fn before(x: &Axis, y: &Axis, by: usize, then: usize) -> bool {
    // Loops with stride 0 come last.
    let x = [x.strides[by].wrapping_sub(1), x.strides[then].wrapping_sub(1)];
    let y = [y.strides[by].wrapping_sub(1), y.strides[then].wrapping_sub(1)];
    x[0] < y[0] || x[0] == y[0] && x[1] < y[1]
}

/// All decisions about a contraction that are made before its elements are accessed.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    axes: Axes,
    batch: Group,
    m: Group,
    n: Group,
    k: Group,
    /// The modes of each product: M of A and C, N of B and C, K of A and B.
    m_loops: Loops,
    n_loops: Loops,
    k_loops: Loops,
    /// Number of products, not counting the letters that are not loops.
    pub(super) batches: usize,
    /// Whether C has no elements.
    pub(super) is_empty: bool,
}

impl Plan {
    /// A plan that [`set`](Self::set) replaces. In place, because moving a plan takes longer than a small
    /// product.
    pub(super) const EMPTY: Self = Self {
        axes: Axes::EMPTY,
        batch: Group::EMPTY,
        m: Group::EMPTY,
        n: Group::EMPTY,
        k: Group::EMPTY,
        m_loops: Loops::ONCE,
        n_loops: Loops::ONCE,
        k_loops: Loops::ONCE,
        batches: 0,
        is_empty: false,
    };

    /// Plans a contraction in an empty plan.
    ///
    /// # Errors
    ///
    /// If ranks or extents do not fit, or if there are too many loops.
    pub(super) const fn set(
        &mut self,
        subscripts: &Subscripts,
        layouts: [&DynLayout; 3],
    ) -> Result<(), LayoutError> {
        let [a, b, c] = layouts;
        attempt!(check_shapes(subscripts, [Some(a), Some(b), Some(c)]));
        attempt!(self.axes.add_all(subscripts, layouts));
        let (axes, mut i) = (&self.axes, 0);
        while i < axes.len() {
            let axis = axes.at(i);
            // A stride of 0 is the same as a missing letter.
            let group = match (axis.is_sum(), axis.strides[A] != 0, axis.strides[B] != 0) {
                // A letter of one operand alone that is summed over has stride 0 in the other.
                (true, ..) => &mut self.k,
                (false, true, true) => &mut self.batch,
                (false, _, false) => &mut self.m,
                (false, false, true) => &mut self.n,
            };
            attempt!(group.push(i));
            i += 1;
        }
        // In memory order, so that loops coalesce.
        self.m.sort(axes, C, A);
        self.n.sort(axes, C, B);
        self.batch.sort(axes, C, A);
        self.k.sort(axes, A, B);
        self.m_loops.set(axes, &self.m, [A, C]);
        self.n_loops.set(axes, &self.n, [B, C]);
        self.k_loops.set(axes, &self.k, [A, B]);
        self.batches = self.batch.size(axes);
        self.is_empty = c.size() == 0;
        Ok(())
    }

    /// The layouts of A (M,K), B (K,N) and C (M,N), for one coordinate of the batch.
    pub(super) const fn layouts(&self) -> [MatrixLayout<'_>; 3] {
        let Self { m_loops: m, n_loops: n, k_loops: k, .. } = self;
        [
            MatrixLayout { modes: [m.leaves(0), k.leaves(0)] },
            MatrixLayout { modes: [k.leaves(1), n.leaves(0)] },
            MatrixLayout { modes: [m.leaves(1), n.leaves(1)] },
        ]
    }

    /// The product, if there is one, and its modes have constant strides.
    pub(super) fn as_strided(&self) -> Option<Strided> {
        let is_single = self.batches == 1 && self.axes.incompatible_len == 0;
        if is_single { Strided::of_layouts(&self.layouts()) } else { None }
    }

    /// The letters that are not loops, with their extents.
    pub(super) fn incompatible(&self) -> &[(u8, usize)] {
        &self.axes.incompatible[..self.axes.incompatible_len]
    }

    /// The extents along M, N and K.
    pub(super) const fn extents(&self) -> [usize; 3] {
        [self.m.size(&self.axes), self.n.size(&self.axes), self.k.size(&self.axes)]
    }

    /// Number of multiplications of each product, at least one for an element of C. Saturates.
    pub(super) const fn multiplications(&self) -> usize {
        let [m, n, k] = self.extents();
        m.saturating_mul(n).saturating_mul(if k == 0 { 1 } else { k })
    }

    /// Whether a batch loop of this extent or more is contiguous in all tensors that have it.
    pub(super) const fn has_contiguous_batch(&self, least: usize) -> bool {
        let mut i = 0;
        while i < self.batch.len {
            let axis = self.batch.at(&self.axes, i);
            if axis.extent >= least && matches!(axis.strides, [0 | 1, 0 | 1, 1]) {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether each element of A and B is multiplied at most once.
    pub(super) const fn is_elementwise(&self) -> bool {
        let [m, n, k] = self.extents();
        k == 1 && (m == 1 || n == 1)
    }

    /// Whether all letters are loops, and there is something to add.
    pub(super) const fn is_batch_of_products(&self) -> bool {
        let [m, n, k] = self.extents();
        self.axes.incompatible_len == 0 && self.batches > 0 && m > 0 && n > 0 && k > 0
    }

    /// The loops of C.
    pub(super) fn axes_of_c(&self) -> impl Iterator<Item = &Axis> {
        let groups = [&self.batch, &self.m, &self.n].into_iter();
        groups.flat_map(|group| group.iter(&self.axes))
    }

    /// The loops along K.
    pub(super) fn axes_of_sums(&self) -> impl Iterator<Item = &Axis> {
        self.k.iter(&self.axes)
    }

    /// The batch loops, and their number.
    pub(super) const fn batch(&self) -> ([Loop; MAX_LEAVES], usize) {
        let (mut loops, mut i) = ([(1, [0; 3]); MAX_LEAVES], 0);
        while i < self.batch.len {
            let axis = self.batch.at(&self.axes, i);
            loops[i] = (axis.extent, axis.strides);
            i += 1;
        }
        (loops, self.batch.len)
    }

    /// Applies the epilogue to a finished part of a product of the batch. The coordinates in C are
    /// relative to `start` and have `rank` indices.
    ///
    /// # Safety
    ///
    /// Same as [`Finished::for_each_run`], for elements of type `T`.
    pub(super) unsafe fn apply<T: Copy, F: EinsumEpilogue<T>>(
        &self,
        then: &F,
        (start, rank): (&[usize; MAX_LEAVES], usize),
        product: usize,
        part: &Finished<'_>,
    ) {
        let mut base = *start;
        self.coordinate_of_product(product, &mut base);
        let replace = |run: &mut [T], first, along| {
            let mut done = 0;
            while done < run.len() {
                let mut at = base;
                let (mode, step, left) = self.coordinate(first, along, done, &mut at);
                let end = run.len().min(done + left);
                for x in &mut run[done..end] {
                    *x = then.call(*x, &at[..rank]);
                    at[mode] += step;
                }
                done = end;
            }
        };
        // SAFETY: guaranteed by the caller.
        unsafe { part.for_each_run(replace) };
    }

    /// Adds the coordinate in C of one product of the batch to `at`.
    fn coordinate_of_product(&self, mut index: usize, at: &mut [usize; MAX_LEAVES]) {
        for i in 0..self.batch.len {
            let axis = self.batch.at(&self.axes, i);
            at[axis.mode] += index % axis.extent * axis.coordinate_stride;
            index /= axis.extent;
        }
    }

    /// Adds the coordinate in C of element `done` of a run to `at`. The run starts at `(m, n)` of a
    /// product. From there on, only one mode of the coordinate changes for some elements. Returns that
    /// mode, its step per element, and the number of these elements, including `done`.
    fn coordinate(
        &self,
        (m, n): (usize, usize),
        along: Along,
        done: usize,
        at: &mut [usize; MAX_LEAVES],
    ) -> (usize, usize, usize) {
        let (m, n, run) = match along {
            Along::Rows => (m + done, n, (&self.m, m + done)),
            Along::Columns => (m, n + done, (&self.n, n + done)),
        };
        for (group, mut index) in [(&self.m, m), (&self.n, n)] {
            for i in 0..group.len {
                let axis = group.at(&self.axes, i);
                at[axis.mode] += index % axis.extent * axis.coordinate_stride;
                index /= axis.extent;
            }
        }
        match run {
            (Group { len: 0, .. }, _) => (0, 0, usize::MAX - done),
            (group, index) => {
                let axis = group.at(&self.axes, 0);
                (axis.mode, axis.coordinate_stride, axis.extent - index % axis.extent)
            }
        }
    }
}

/// The offsets in A, B and C of one coordinate of a letter that is not a loop.
pub(super) fn incompatible_offsets(
    subscripts: &Subscripts,
    layouts: [&DynLayout; 3],
    letter: u8,
    index: usize,
) -> [usize; 3] {
    [A, B, C].map(|operand| {
        let (mut offset, mut i) = (0, subscripts.find(operand, letter, 0));
        while i < subscripts.len(operand) {
            offset += offset_in_mode(layouts[operand], i, index);
            i = subscripts.find(operand, letter, i + 1);
        }
        offset
    })
}
