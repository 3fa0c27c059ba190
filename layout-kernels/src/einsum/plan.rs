//! `Plan`: a contraction as matrix products, `C(m, n) += A(m, k) * B(k, n)`, one for each coordinate
//! of the letters that all three tensors have.

use layout_core::engine::{DynLayout, MAX_LEAVES, Subscripts};
use layout_core::error::LayoutError;

use crate::einsum::axes::{Axis, Letters, NamedModes, check_ranks, continues};
use crate::einsum::loops;
use crate::gemm::{Along, Finished, Loop, Loops, MatrixLayout, ProductLoops, Strided, is_faster};
use crate::list::List;

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;

/// The loops of one kind (batch, M, N or K), fastest first.
#[derive(Clone, Copy)]
pub(super) struct Group {
    axes: List<Axis, MAX_LEAVES>,
    /// The operands whose strides order the loops; the second one, where the strides in the first are
    /// equal.
    order: [usize; 2],
}

impl Group {
    const fn new(order: [usize; 2]) -> Self {
        Self { axes: List::new(), order }
    }

    /// Adds a loop, in order of memory, so that loops coalesce.
    const fn insert(&mut self, axis: &Axis) -> Result<(), LayoutError> {
        if self.axes.is_full() {
            return Err(LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        }
        self.axes.push(*axis);
        let axes = self.axes.as_mut_slice();
        let [by, then] = self.order;
        let of_axis = [axis.strides[by], axis.strides[then]];
        let mut i = axes.len() - 1;
        while i > 0 && is_faster(of_axis, [axes[i - 1].strides[by], axes[i - 1].strides[then]]) {
            (axes[i], axes[i - 1]) = (axes[i - 1], *axis);
            i -= 1;
        }
        Ok(())
    }

    /// Appends the loops to those of two operands, at least one.
    const fn append_to(&self, loops: &mut Loops, [x, y]: [usize; 2]) {
        let (axes, mut i) = (self.axes(), 0);
        while i < axes.len() {
            loops.append(axes[i].extent, [axes[i].strides[x], axes[i].strides[y]]);
            i += 1;
        }
        if axes.is_empty() {
            loops.append(1, [0; 2]);
        }
    }

    pub(super) const fn axes(&self) -> &[Axis] {
        self.axes.as_slice()
    }

    /// Adds the coordinates in C of iteration `index` of the loops to `at`.
    fn add_coordinate(&self, mut index: usize, at: &mut [usize; MAX_LEAVES]) {
        let [faster @ .., slowest] = self.axes() else { return };
        for axis in faster {
            at[axis.mode] += index % axis.extent * axis.coordinate_stride;
            index /= axis.extent;
        }
        // No division, which takes as long as a few elements.
        at[slowest.mode] += index * slowest.coordinate_stride;
    }

    /// Number of coordinates. Saturates: no layout bounds the product of letters of both operands, and
    /// there may be none of another.
    const fn size(&self) -> usize {
        let (axes, mut size, mut i) = (self.axes(), 1usize, 0);
        while i < axes.len() {
            size = size.saturating_mul(axes[i].extent);
            i += 1;
        }
        size
    }
}

/// All decisions about a contraction that are made before its elements are accessed.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    batch: Group,
    m: Group,
    n: Group,
    k: Group,
    /// Letters whose modes have no common refinement, such as (4,6) and (6,4), and their sizes. They are
    /// not loops.
    incompatible: List<(u8, usize), MAX_LEAVES>,
    /// The loops of each product.
    product: ProductLoops,
    batch_loops: List<Loop, MAX_LEAVES>,
    /// Number of products, not counting the letters that are not loops.
    pub(super) batches: usize,
    /// How they are computed.
    pub(super) method: Method,
}

/// How the products of a plan are computed.
#[derive(Clone, Copy)]
pub(super) enum Method {
    /// C has no elements.
    Nothing,
    /// By plain loops: see [`loops`](crate::einsum::loops).
    Loops,
    /// As products of matrices, if the elements are words that tiles read in place and there is no epilogue;
    /// otherwise by plain loops.
    LoopsOrTiles,
    /// As a single product of matrices, each with one constant stride per mode.
    Strided(Strided),
    /// As products of matrices.
    Products,
}

impl Plan {
    /// A plan that [`set`](Self::set) replaces. In place, because moving a plan takes longer than a small
    /// product.
    #[inline(always)]
    pub(super) const fn empty() -> Self {
        Self {
            batch: Group::new([C, A]),
            m: Group::new([C, A]),
            n: Group::new([C, B]),
            k: Group::new([A, B]),
            incompatible: List::new(),
            product: ProductLoops::new(),
            batch_loops: List::new(),
            batches: 0,
            method: Method::Nothing,
        }
    }

    /// Plans a contraction in an empty plan.
    ///
    /// # Errors
    ///
    /// If ranks or extents do not fit, or if there are too many loops.
    pub(super) const fn set(
        &mut self,
        subscripts: &Subscripts,
        [a, b, c]: [&DynLayout; 3],
    ) -> Result<(), LayoutError> {
        let layouts = [Some(a), Some(b), Some(c)];
        attempt!(check_ranks(subscripts, layouts));
        let mut letters = Letters::of(subscripts);
        while let Some(letter) = letters.next() {
            let (mut modes, mut axes) = (NamedModes::new(), List::new());
            attempt!(modes.add(subscripts, layouts, letter));
            if !modes.add_axes(&mut axes) {
                self.incompatible.push((letter, modes.size()));
                continue;
            }
            let mut i = 0;
            while i < axes.len() {
                attempt!(self.add(axes.at(i)));
                i += 1;
            }
        }
        self.m.append_to(&mut self.product.m, [A, C]);
        self.n.append_to(&mut self.product.n, [B, C]);
        self.k.append_to(&mut self.product.k, [A, B]);
        self.set_batch_loops();
        self.batches = self.batch.size();
        self.method = self.choose_method(c);
        Ok(())
    }

    /// Merges the loops of the batch that coalesce in all three tensors.
    const fn set_batch_loops(&mut self) {
        let (axes, mut i) = (self.batch.axes(), 0);
        while i < axes.len() {
            let Axis { extent, strides, .. } = axes[i];
            match self.batch_loops.as_mut_slice() {
                [.., last] if last.0.checked_mul(extent).is_some() && continues(*last, strides) => {
                    last.0 *= extent;
                }
                _ => self.batch_loops.push((extent, strides)),
            }
            i += 1;
        }
    }

    /// Chooses how the products are computed.
    const fn choose_method(&self, c: &DynLayout) -> Method {
        if c.size() == 0 {
            return Method::Nothing;
        }
        if loops::are_faster(self) {
            return Method::Loops;
        }
        let is_small = loops::are_faster_than_packing(self);
        match Strided::of_layouts(&self.layouts()) {
            Some(strided) if is_small && strided.has_tiles_in_place() => Method::LoopsOrTiles,
            _ if is_small => Method::Loops,
            Some(strided) if self.is_single() && !strided.is_empty() => Method::Strided(strided),
            _ => Method::Products,
        }
    }

    /// Adds a loop to its group.
    const fn add(&mut self, axis: &Axis) -> Result<(), LayoutError> {
        // A stride of 0 is the same as a missing letter.
        let group = match (axis.is_sum(), axis.strides[A] != 0, axis.strides[B] != 0) {
            // A letter of one operand alone that is summed over has stride 0 in the other.
            (true, ..) => &mut self.k,
            (false, true, true) => &mut self.batch,
            (false, _, false) => &mut self.m,
            (false, false, true) => &mut self.n,
        };
        group.insert(axis)
    }

    /// Whether there is one product, and all letters are loops.
    const fn is_single(&self) -> bool {
        self.batches == 1 && self.incompatible.len() == 0
    }

    /// The layouts of A (M,K), B (K,N) and C (M,N), for one coordinate of the batch.
    pub(super) const fn layouts(&self) -> [MatrixLayout<'_>; 3] {
        self.product.layouts()
    }

    /// The groups by name.
    pub(super) fn groups(&self) -> impl Iterator<Item = (&'static str, &[Axis])> {
        let groups = [("batch", &self.batch), ("m", &self.m), ("n", &self.n), ("k", &self.k)];
        groups.into_iter().map(|(name, group)| (name, group.axes()))
    }

    /// The letters that are not loops, with their extents.
    pub(super) fn incompatible(&self) -> &[(u8, usize)] {
        self.incompatible.as_slice()
    }

    /// The extents along M, N and K.
    pub(super) const fn extents(&self) -> [usize; 3] {
        [self.m.size(), self.n.size(), self.k.size()]
    }

    /// Number of multiplications of each product, at least one for an element of C. Saturates.
    pub(super) const fn multiplications(&self) -> usize {
        let [m, n, k] = self.extents();
        m.saturating_mul(n).saturating_mul(if k == 0 { 1 } else { k })
    }

    /// Whether a batch loop of this extent or more is contiguous in all tensors that have it.
    pub(super) const fn has_contiguous_batch(&self, least: usize) -> bool {
        let (axes, mut i) = (self.batch.axes(), 0);
        while i < axes.len() {
            let axis = &axes[i];
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
        self.incompatible.len() == 0 && self.batches > 0 && m > 0 && n > 0 && k > 0
    }

    /// The loops of C.
    pub(super) fn axes_of_c(&self) -> impl Iterator<Item = &Axis> {
        let groups = [&self.batch, &self.m, &self.n].into_iter();
        groups.flat_map(|group| group.axes())
    }

    /// The loops along K.
    pub(super) fn axes_of_sums(&self) -> impl Iterator<Item = &Axis> {
        self.k.axes().iter()
    }

    /// The batch loops.
    pub(super) const fn batch(&self) -> &[Loop] {
        self.batch_loops.as_slice()
    }

    /// Applies an epilogue to the runs of a finished part of a product of the batch. Elements of C have
    /// `size` bytes; their coordinates are relative to `start`.
    ///
    /// # Safety
    ///
    /// Same as [`Finished::for_each_run`]. `then` accepts elements of C.
    pub(super) unsafe fn apply(
        &self,
        size: usize,
        then: impl Fn(*mut u8, usize, &[usize; MAX_LEAVES], (usize, usize)),
        start: &[usize; MAX_LEAVES],
        product: usize,
        part: &Finished<'_>,
    ) {
        let mut base = *start;
        self.batch.add_coordinate(product, &mut base);
        let apply = |run: *mut u8, length, first, along| {
            let mut done = 0;
            while done < length {
                let mut at = base;
                let (mode, step, left) = self.coordinate(first, along, done, &mut at);
                let count = left.min(length - done);
                then(run.wrapping_add(done * size), count, &at, (mode, step));
                done += count;
            }
        };
        // SAFETY: guaranteed by the caller.
        unsafe { part.for_each_run(size, apply) };
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
            Along::Rows => (m + done, n, (self.m.axes(), m + done)),
            Along::Columns => (m, n + done, (self.n.axes(), n + done)),
        };
        self.m.add_coordinate(m, at);
        self.n.add_coordinate(n, at);
        match run {
            ([], _) => (0, 0, usize::MAX - done),
            ([axis], index) => (axis.mode, axis.coordinate_stride, axis.extent - index),
            ([axis, ..], index) => {
                (axis.mode, axis.coordinate_stride, axis.extent - index % axis.extent)
            }
        }
    }
}
