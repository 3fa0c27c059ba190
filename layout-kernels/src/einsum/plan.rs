//! `Plan`: a contraction as matrix products, `C(m, n) += A(m, k) * B(k, n)`, one for each coordinate
//! of the letters that all three tensors have.

use layout_core::engine::{DynLayout, MAX_LEAVES, Subscripts};
use layout_core::error::LayoutError;

use crate::einsum::axes::{Axes, Axis, check_shapes, coalesces, offset_in_mode};
use crate::einsum::epilogue::EinsumEpilogue;
use crate::gemm::{Along, Finished, Loop, Strided};

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
    /// The layouts of a static contraction, see [`matrices`](Self::matrices). At run time they are built
    /// if a product needs them: that takes longer than a small product.
    pub(super) layouts: Option<[DynLayout; 3]>,
    /// Number of products, not counting the letters that are not loops.
    pub(super) batches: usize,
    /// Whether C has no elements.
    pub(super) is_empty: bool,
}

impl Plan {
    pub(super) const EMPTY: Self = Self {
        axes: Axes::EMPTY,
        batch: Group::EMPTY,
        m: Group::EMPTY,
        n: Group::EMPTY,
        k: Group::EMPTY,
        layouts: None,
        batches: 0,
        is_empty: false,
    };

    /// Plans a contraction of static layouts.
    ///
    /// # Errors
    ///
    /// If ranks or extents do not fit, or if there are too many loops.
    pub(super) const fn new(
        subscripts: &Subscripts,
        layouts: [&DynLayout; 3],
    ) -> Result<Self, LayoutError> {
        let mut plan = Self::EMPTY;
        attempt!(plan.set(subscripts, layouts));
        plan.layouts = Some(attempt!(plan.matrices()));
        Ok(plan)
    }

    /// Plans a contraction in an empty plan, except for its layouts. In place, because moving a plan takes
    /// longer than a small product.
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
        self.batches = self.batch.size(axes);
        self.is_empty = c.size() == 0;
        Ok(())
    }

    /// The layouts of A (M,K), B (K,N) and C (M,N), for one coordinate of the batch.
    ///
    /// # Errors
    ///
    /// If one has too many loops.
    pub(super) const fn matrices(&self) -> Result<[DynLayout; 3], LayoutError> {
        let Self { axes, m, n, k, .. } = self;
        let a = attempt!(matrix(axes, m, k, A));
        let b = attempt!(matrix(axes, k, n, B));
        Ok([a, b, attempt!(matrix(axes, m, n, C))])
    }

    /// The product, if there is one, and its modes have constant strides.
    pub(super) fn as_strided(&self) -> Option<Strided> {
        let Self { axes, m, n, k, .. } = self;
        if self.batches != 1 || axes.incompatible_len > 0 {
            return None;
        }
        let (m, [am, cm]) = as_one_loop(axes, m, [A, C])?;
        let (n, [bn, cn]) = as_one_loop(axes, n, [B, C])?;
        let (k, [ak, bk]) = as_one_loop(axes, k, [A, B])?;
        Strided::of([([m, k], [am, ak]), ([k, n], [bk, bn]), ([m, n], [cm, cn])])
    }

    /// The letters that are not loops, with their extents.
    pub(super) fn incompatible(&self) -> &[(u8, usize)] {
        &self.axes.incompatible[..self.axes.incompatible_len]
    }

    /// The extents along M, N and K.
    pub(super) const fn extents(&self) -> [usize; 3] {
        [self.m.size(&self.axes), self.n.size(&self.axes), self.k.size(&self.axes)]
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

    /// The loops of the batch.
    pub(super) fn axes_of_batch(&self) -> impl Iterator<Item = &Axis> {
        self.batch.iter(&self.axes)
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

/// The layout of an operand whose rows and columns are two groups of loops.
const fn matrix(
    axes: &Axes,
    rows: &Group,
    columns: &Group,
    operand: usize,
) -> Result<DynLayout, LayoutError> {
    let others = if operand == A {
        [C, B]
    } else if operand == B {
        [A, C]
    } else {
        [A, B]
    };
    let mut leaves = [[(1, 0); MAX_LEAVES]; 2];
    let [of_rows, of_columns] = &mut leaves;
    let of_rows = mode(axes, rows, [operand, others[0]], of_rows);
    let of_columns = mode(axes, columns, [operand, others[1]], of_columns);
    DynLayout::of_modes(&[of_rows, of_columns])
}

/// A group of loops as one loop: its extent, and its strides in the two operands that have it. `None` if
/// the loops do not coalesce.
fn as_one_loop(axes: &Axes, group: &Group, operands: [usize; 2]) -> Option<(usize, [usize; 2])> {
    let Some(first) = group.iter(axes).next() else { return Some((1, [0; 2])) };
    let all_coalesce = group
        .iter(axes)
        .zip(group.iter(axes).skip(1))
        .all(|(last, next)| operands.into_iter().all(|operand| coalesces(last, next, operand)));
    let strides = operands.map(|operand| first.strides[operand]);
    let extent = group.iter(axes).try_fold(1, |size: usize, axis| size.checked_mul(axis.extent))?;
    all_coalesce.then_some((extent, strides))
}

/// Writes the leaves of a group of loops, as one mode of an operand. Loops are merged if they coalesce in
/// this operand and in the other one that has them.
const fn mode<'a>(
    axes: &Axes,
    group: &Group,
    [operand, other]: [usize; 2],
    leaves: &'a mut [(usize, usize); MAX_LEAVES],
) -> &'a [(usize, usize)] {
    let (mut len, mut i) = (0, 0);
    while i < group.len {
        let axis = group.at(axes, i);
        if i > 0
            && coalesces(group.at(axes, i - 1), axis, operand)
            && coalesces(group.at(axes, i - 1), axis, other)
            && let Some(extent) = leaves[len - 1].0.checked_mul(axis.extent)
        {
            leaves[len - 1].0 = extent;
        } else {
            leaves[len] = (axis.extent, axis.strides[operand]);
            len += 1;
        }
        i += 1;
    }
    // Without loops there is one coordinate.
    leaves.split_at(if len == 0 { 1 } else { len }).0
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
