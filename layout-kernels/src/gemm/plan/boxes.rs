//! `Boxes`: a product, or a batch of products, whose operands are copied first.
//!
//! Kernels read the operands and write C in contiguous runs of one axis. If runs are short, or run
//! along a batch axis, it takes less time to copy a box of an operand into the order of a matrix, to
//! multiply, and to copy C back into its own order. This is transpose-transpose-GEMM-transpose
//! (TTGT), in boxes that fit in cache.

use core::fmt;
use core::ops::Range;

use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::problem::matrix::MatrixLayout;
use crate::gemm::problem::mode::coalesces;
use crate::gemm::problem::operands::{Axes, Operands};
use crate::gemm::problem::{Loop, Problem};
use crate::list::sort;
use crate::par::are_busy;
use crate::simd::cache::Caches;

/// Indices of the operands.
pub(crate) const A: usize = 0;
pub(crate) const B: usize = 1;
pub(crate) const C: usize = 2;

/// Minimum number of multiplications. Smaller products take less time than this plan.
const MIN_WORK: usize = 1 << 15;

/// Operands are copied in contiguous runs of at least this many bytes, unless their runs are shorter.
const RUN_BYTES: usize = 256;

/// The mode that an axis belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    M,
    N,
    K,
    Batch,
}

/// A loop of a product, or a batch loop around products.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    pub(crate) role: Role,
    pub(crate) extent: usize,
    /// Extent of a box.
    pub(crate) box_extent: usize,
    /// Strides in A, B and C; 0 if the operand does not have the axis.
    pub(crate) strides: [usize; 3],
    /// Strides within a box: those of its copy, if there is one.
    pub(crate) box_strides: [usize; 3],
}

impl Axis {
    pub(crate) const fn count(&self) -> usize {
        self.extent.div_ceil(self.box_extent)
    }
}

/// A product in boxes.
#[derive(Clone)]
pub(crate) struct Boxes {
    /// Axes of K come first: a box of C is complete before the next one starts.
    pub(crate) axes: Vec<Axis>,
    /// Whether A, B and C are copied.
    pub(crate) copied: [bool; 3],
    /// The mode that vectors run along, in C and in copies.
    pub(super) vector_mode: Role,
    /// Multiplicity of each product, see `Operands`.
    pub(crate) multiplicity: usize,
}

impl Boxes {
    /// Plans non-empty products. `None` if no copy pays off.
    pub(crate) fn new(problem: &Problem<'_>, shapes: &Shapes) -> Option<Self> {
        // Matrices without nested modes need no more than packing, unless C has no contiguous elements or a
        // batch axis is the contiguous one.
        let Problem { layouts, extents, batch, threads: [threads, _], .. } = *problem;
        if extents.into_iter().fold(problem.products, usize::saturating_mul) < MIN_WORK {
            return None;
        }
        let is_plain = layouts.iter().all(|layout| layout.as_strided().is_some());
        let is_packed = is_plain && layouts[C].is_contiguous();
        if is_packed && batch.iter().all(|(_, strides)| !strides.contains(&1)) {
            return None;
        }
        let Caches { l2, llc, .. } = Caches::detect();
        let limits = [2 * l2, (16 * l2).min(llc / 2).max(2 * l2)];
        Self::within(layouts, batch, shapes, threads, limits)
    }

    /// [`new`](Self::new) with copies of at most `limits` bytes, also for plain matrices and small
    /// products. Contiguous runs are not cut below [`RUN_BYTES`], so copies may be larger. The second
    /// limit is for the copy of A or B, if the product [packs the other](Self::packs_again) for each
    /// box.
    pub(crate) fn within(
        layouts: [MatrixLayout<'_>; 3],
        batch: &[Loop],
        shapes: &Shapes,
        threads: usize,
        [max_bytes, max_shared_bytes]: [usize; 2],
    ) -> Option<Self> {
        let Operands { m, n, k, multiplicity } = Operands::new(layouts)?;
        let (axes, vector_mode) = (Vec::new(), Role::M);
        let mut boxes = Self { axes, copied: [false; 3], vector_mode, multiplicity };
        boxes.add(&k, Role::K, [A, B]);
        boxes.add(&m, Role::M, [A, C]);
        boxes.add(&n, Role::N, [B, C]);
        for &(extent, strides) in batch {
            boxes.push(Role::Batch, extent, strides);
        }
        boxes.choose_copied(shapes.lanes)?;
        boxes.sort_axes();
        let of_operands = if boxes.packs_again() { max_shared_bytes } else { max_bytes };
        boxes.cut(shapes, [of_operands, of_operands, max_bytes]);
        boxes.split_for_threads(threads);
        boxes.set_box_strides();
        Some(boxes)
    }

    fn add(&mut self, axes: &Axes, role: Role, operands: [usize; 2]) {
        for axis in &axes.axes {
            let mut strides = [0; 3];
            for (operand, stride) in operands.into_iter().zip(axis.strides) {
                strides[operand] = stride;
            }
            self.push(role, axis.extent, strides);
        }
    }

    fn push(&mut self, role: Role, extent: usize, strides: [usize; 3]) {
        if extent > 1 {
            self.axes.push(Axis {
                role,
                extent,
                box_extent: extent,
                strides,
                box_strides: strides,
            });
        }
    }

    /// Number of coordinates of a mode.
    pub(super) fn size_of(&self, role: Role) -> usize {
        self.axes.iter().filter(|axis| axis.role == role).map(|axis| axis.extent).product()
    }

    /// The mode with the smallest stride in C.
    pub(super) fn contiguous_mode(&self) -> Role {
        let of_c = self.axes.iter().filter(|axis| matches!(axis.role, Role::M | Role::N));
        of_c.min_by_key(|axis| axis.strides[C].wrapping_sub(1)).map_or(Role::M, |axis| axis.role)
    }

    /// The mode that vectors do not run along.
    pub(super) fn row_mode(&self) -> Role {
        if self.vector_mode == Role::M { Role::N } else { Role::M }
    }

    /// Indices of the axes of an operand, the fastest axis first.
    pub(super) fn axes_of(&self, operand: usize) -> Vec<usize> {
        let stride = |i: usize| self.axes[i].strides[operand];
        let mut own: Vec<usize> = (0..self.axes.len()).filter(|&i| stride(i) != 0).collect();
        sort(&mut own, |&i| stride(i));
        own
    }

    /// Sorts the axes by role, then by stride in C. Axes of K are sorted by stride in the operand
    /// that is not copied or, if both or neither are, in the one that is broadcast.
    fn sort_axes(&mut self) {
        let vector_mode = self.vector_mode;
        let of_k = match self.copied {
            [true, false, _] => B,
            [false, true, _] => A,
            _ if vector_mode == Role::M => B,
            _ => A,
        };
        // A copy of C takes the order of the operand that is not copied.
        let [a, b, c] = self.copied;
        let by = |axis: &Axis| match axis.role {
            Role::K => of_k,
            Role::M if c && !a => A,
            Role::N if c && !b => B,
            _ => C,
        };
        let rank = |role: Role| match role {
            Role::K => 0,
            Role::Batch => 3,
            role if role == vector_mode => 1,
            _ => 2,
        };
        // Stride 0 comes last.
        sort(&mut self.axes, |axis| (rank(axis.role), axis.strides[by(axis)].wrapping_sub(1)));
    }

    /// Bytes of the copies of a box of A, B and C.
    pub(crate) fn bytes(&self, shapes: &Shapes) -> [usize; 3] {
        let of = |operand: usize, element: usize| {
            let own = self.axes.iter().filter(|axis| axis.strides[operand] != 0);
            let size = own.fold(element, |size, axis| size.saturating_mul(axis.box_extent));
            if self.copied[operand] { size } else { 0 }
        };
        let elements = shapes.operand_bytes();
        [A, B, C].map(|operand| of(operand, elements[operand]))
    }

    /// Whether only one of A and B is copied, and the other one is not much smaller. For each box, that
    /// one is packed again, which takes longer than to read a larger copy from the last-level cache. (f32
    /// `ab-cad-dcb`: 116 GFLOP/s with copies of twice L2, 158 with sixteen times L2.)
    fn packs_again(&self) -> bool {
        let [of_a, of_b] = [A, B].map(|operand| self.elements(operand));
        match self.copied {
            [true, false, _] => of_b >= of_a / 4,
            [false, true, _] => of_a >= of_b / 4,
            _ => false,
        }
    }

    /// Number of elements of an operand.
    pub(super) fn elements(&self, operand: usize) -> usize {
        let own = self.axes.iter().filter(|axis| axis.strides[operand] != 0);
        own.map(|axis| axis.extent).product()
    }

    /// Cuts boxes until the copies of A, B and C have at most so many bytes, as far as possible.
    fn cut(&mut self, shapes: &Shapes, max_bytes: [usize; 3]) {
        let min_extents = self.min_extents(shapes);
        // Cut along the mode of the larger operand first: the other one is then copied once.
        let [of_a, of_b, of_c] = [A, B, C].map(|operand| self.elements(operand));
        let (along_m, along_n) = (([A, C], Role::M), ([B, C], Role::N));
        let orders = if of_a >= of_b { [along_m, along_n] } else { [along_n, along_m] };
        for (operands, role) in orders {
            // Cuts along M or N read the other operand again; cuts along K read C again.
            let other = if role == Role::M { of_b } else { of_a };
            let (next, last) = match of_c < other / 2 {
                true => (Role::K, role),
                false => (role, Role::K),
            };
            for roles in [[Role::Batch, next], [last, last]] {
                while let (pieces, operand) = self.most_pieces(operands, shapes, max_bytes)
                    && pieces > 1
                    && let Some((i, step)) = self.longest(operand, roles, pieces, &min_extents)
                {
                    self.axes[i].box_extent = step;
                }
            }
        }
    }

    /// The number of pieces that one of two copies needs to keep to its limit, and its operand.
    fn most_pieces(
        &self,
        operands: [usize; 2],
        shapes: &Shapes,
        max_bytes: [usize; 3],
    ) -> (usize, usize) {
        let bytes = self.bytes(shapes);
        let [first, second] = operands.map(|i| (bytes[i].div_ceil(max_bytes[i]), i));
        first.max(second)
    }

    /// The axis of an operand whose boxes to cut into `pieces` pieces, and their new extent. Chooses the
    /// axis whose boxes then span the most memory. `None` if no axis can be cut.
    fn longest(
        &self,
        operand: usize,
        roles: [Role; 2],
        pieces: usize,
        min_extents: &[usize],
    ) -> Option<(usize, usize)> {
        let may = |i: &usize| {
            let Axis { role, box_extent, strides, .. } = self.axes[*i];
            roles.contains(&role) && box_extent > min_extents[*i] && strides[operand] != 0
        };
        let cut = |i: usize| {
            let axis = &self.axes[i];
            let step = axis.extent.div_ceil(axis.count().saturating_mul(pieces));
            (i, step.clamp(min_extents[i], axis.box_extent - 1))
        };
        let run = |&(i, step): &(usize, usize)| {
            let strides = self.axes[i].strides.into_iter().filter(|&stride| stride != 0);
            strides.min().unwrap_or(0).saturating_mul(step)
        };
        (0..self.axes.len()).filter(may).map(cut).max_by_key(run)
    }

    /// Minimum extents of a box: operands are read and written in runs of several cache lines.
    fn min_extents(&self, shapes: &Shapes) -> Vec<usize> {
        let mut min_extents = vec![1; self.axes.len()];
        for (operand, bytes) in shapes.operand_bytes().into_iter().enumerate() {
            let mut run = 1;
            for i in self.axes_of(operand) {
                let Axis { extent, strides, .. } = self.axes[i];
                if strides[operand] != run {
                    break;
                }
                let step = (RUN_BYTES / bytes).div_ceil(run).min(extent);
                min_extents[i] = min_extents[i].max(step);
                run *= extent;
            }
        }
        min_extents
    }

    /// Cuts C into enough boxes for all threads, if possible. K is not cut, so results stay the same.
    fn split_for_threads(&mut self, threads: usize) {
        while !are_busy(threads, self.boxes_of_c()) {
            let of_c =
                self.axes.iter_mut().filter(|axis| axis.role != Role::K && axis.box_extent > 1);
            let Some(axis) = of_c.max_by_key(|axis| axis.strides[C]) else { break };
            axis.box_extent = axis.box_extent.div_ceil(2);
        }
    }

    /// Number of boxes of C.
    pub(crate) fn boxes_of_c(&self) -> usize {
        self.axes.iter().filter(|axis| axis.role != Role::K).map(Axis::count).product()
    }

    /// Number of boxes along K, for each box of C.
    pub(crate) fn boxes_of_k(&self) -> usize {
        self.axes.iter().filter(|axis| axis.role == Role::K).map(Axis::count).product()
    }

    /// Sets the strides of the copies. C and the operand that has the vector mode are contiguous
    /// along that mode; the other operand is contiguous along K.
    fn set_box_strides(&mut self) {
        let orders = match self.vector_mode {
            Role::M => [[Role::M, Role::K], [Role::K, Role::N], [Role::M, Role::N]],
            _ => [[Role::K, Role::M], [Role::N, Role::K], [Role::N, Role::M]],
        };
        for operand in [A, B, C].into_iter().filter(|&operand| self.copied[operand]) {
            let [first, second] = orders[operand];
            let mut size = 1;
            for role in [first, second, Role::Batch] {
                for axis in self.axes.iter_mut().filter(|axis| axis.role == role) {
                    if axis.strides[operand] != 0 {
                        axis.box_strides[operand] = size;
                        size *= axis.box_extent;
                    }
                }
            }
        }
    }

    /// The box of an index: a range of each axis.
    pub(crate) fn nth(&self, mut number: usize) -> Vec<Range<usize>> {
        let axes = self.axes.iter();
        axes.map(|axis| {
            let start = number % axis.count() * axis.box_extent;
            number /= axis.count();
            start..(start + axis.box_extent).min(axis.extent)
        })
        .collect()
    }

    /// Extents and strides of the leaves of both modes of an operand in a box.
    pub(crate) fn modes(
        &self,
        operand: usize,
        ranges: &[Range<usize>],
    ) -> [(Vec<usize>, Vec<usize>); 2] {
        let roles = [[Role::M, Role::K], [Role::K, Role::N], [Role::M, Role::N]][operand];
        roles.map(|role| {
            let (mut extents, mut strides) = (vec![1], vec![0]);
            let axes = self.axes.iter().zip(ranges);
            for (axis, range) in axes.filter(|(axis, range)| axis.role == role && range.len() > 1) {
                let (stride, last) = (axis.box_strides[operand], extents.len() - 1);
                if extents[last] == 1 {
                    (extents[last], strides[last]) = (range.len(), stride);
                } else if coalesces(extents[last], strides[last], stride) {
                    extents[last] *= range.len();
                } else {
                    extents.push(range.len());
                    strides.push(stride);
                }
            }
            (extents, strides)
        })
    }
}

impl fmt::Display for Boxes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [m, n, k] = [Role::M, Role::N, Role::K].map(|role| {
            let axes = self.axes.iter().filter(|axis| axis.role == role);
            axes.map(|axis| axis.box_extent).product::<usize>()
        });
        write!(f, "in boxes of {m} x {n} x {k}")?;
        for (name, _) in ["A", "B"].into_iter().zip(self.copied).filter(|(_, copied)| *copied) {
            write!(f, "\n{name} copied into the order of a matrix")?;
        }
        if self.copied[C] { f.write_str("\nC computed in a buffer, then copied") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gemm::GemmPlan;
    use crate::gemm::kernel::table::floats;
    use crate::simd::Level;
    use layout_core::engine::DynLayout;

    fn plan(layouts: [&str; 3]) -> String {
        let [a, b, c] = layouts.map(|text| DynLayout::parse(text).expect("a layout"));
        let plan = GemmPlan::new::<f32, f32, _, _, _>(Level::Portable, &a, &b, &c);
        plan.expect("a plan").to_string()
    }

    #[test]
    fn a_plan_says_what_is_copied() {
        let short_runs = [
            "((4,30),640):((1,2560),4)",
            "(640,(3,20)):(3,(1,1920))",
            "((4,30),(3,20)):((3,240),(1,12))",
        ];
        assert_eq!(
            plan(short_runs),
            "gemm 120 x 60 x 640 at portable: in boxes of 120 x 60 x 640\n\
             A copied into the order of a matrix\n\
             C computed in a buffer, then copied"
        );
        assert!(!plan(["(120,64):(1,120)", "(64,60):(60,1)", "(120,60):(60,1)"]).contains("boxes"));
    }

    #[test]
    fn k_is_cut_only_for_operands_along_k() {
        let layout = |text| DynLayout::parse(text).expect("a layout");
        let a = layout("(256,120):(1,256)");
        let b = layout("(120,(52,60)):(60,(7200,1))");
        let c = layout("(256,(52,60)):(52,(1,13312))");
        let shapes = Shapes { lanes: 16, ..floats::<f32>(Level::Portable).shapes };
        // C has more bytes than the limit.
        let matrices = MatrixLayout::all([&a, &b, &c]);
        let boxes = Boxes::within(matrices, &[], &shapes, 1, [1 << 20; 2]).expect("boxes");
        assert!(boxes.copied[C] && boxes.bytes(&shapes)[C] <= 1 << 20);
        assert_eq!(boxes.boxes_of_k(), 1);
    }

    #[test]
    fn an_operand_is_copied_whole_if_boxes_pack_the_other_one_again() {
        let layout = |text| DynLayout::parse(text).expect("a layout");
        // A and B are contiguous along different axes of K, and C along the mode of A.
        let a = layout("((40,28),(40,40)):((40,64000),(1,1600))");
        let b = layout("((40,40),(28,28)):((1120,1),(40,44800))");
        let c = layout("((40,28),(28,28)):((1,31360),(40,1120))");
        let shapes = Shapes { lanes: 16, ..floats::<f32>(Level::Portable).shapes };
        let limit = 1 << 20;
        for shared_limit in [limit, 16 * limit] {
            let matrices = MatrixLayout::all([&a, &b, &c]);
            let boxes = Boxes::within(matrices, &[], &shapes, 1, [limit, shared_limit]);
            let boxes = boxes.expect("boxes");
            assert_eq!(boxes.copied, [false, true, true]);
            let [_, of_b, of_c] = boxes.bytes(&shapes);
            assert_eq!(of_b == 4 * boxes.elements(B), shared_limit > limit);
            assert!(of_b <= shared_limit && of_c <= limit, "{of_b} {of_c}");
        }
    }

    #[test]
    fn c_is_transposed_if_its_vectors_would_be_short() {
        let layout = |text: String| DynLayout::parse(&text).expect("a layout");
        let shapes = Shapes { lanes: 16, ..floats::<f32>(Level::Portable).shapes };
        let transposes = |m: usize, k: usize| {
            let a = layout(format!("({m},({k},2)):({k},(1,{}))", m * k));
            let b = layout(format!("(({k},2),64):((128,64),1)"));
            let c = layout(format!("({m},64):(1,{m})"));
            let matrices = MatrixLayout::all([&a, &b, &c]);
            let boxes = Boxes::within(matrices, &[], &shapes, 1, [1 << 20; 2]);
            boxes.is_some_and(|boxes| boxes.copied[C] && boxes.vector_mode == Role::N)
        };
        assert!(transposes(5, 50));
        assert!(!transposes(48, 50));
        // A copy of C costs more than the products.
        assert!(!transposes(5, 8));
    }

    #[test]
    fn layouts_that_no_memory_has_room_for_have_a_plan() {
        plan([
            "((3,1099511627776),1048576):((1,3),3298534883328)",
            "(1048576,(2,2)):(4,(2,1))",
            "((3,1099511627776),(2,2)):((4,12),(1,2))",
        ]);
    }
}
