//! Products computed in boxes: operands are first copied into matrix order where the plan says so.

use core::ops::Range;

use crate::copy::{self, copy_loops};
use crate::gemm::exec::scratch::with_scratch;
use crate::gemm::kernel::batch::CACHE_LINE;
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::plan::boxes::{A, B, Boxes, C, Role};
use crate::gemm::problem::Loop;
use crate::gemm::problem::matrix::{MatrixLayout, ModeLeaves};
use crate::par::{Par, part_of};
use crate::simd::Level;

/// The product of one box.
pub(crate) struct BoxProduct<'a> {
    pub(crate) layouts: [MatrixLayout<'a>; 3],
    pub(crate) batch: &'a [Loop],
    /// First elements of A, B and C.
    pub(crate) starts: [*mut u8; 3],
    /// Whether this is the first box along K.
    pub(crate) is_first: bool,
    pub(crate) par: Par,
}

/// A product in boxes, with its operands.
pub(crate) struct BoxedProduct<'a> {
    pub(crate) boxes: &'a Boxes,
    pub(crate) level: Level,
    pub(crate) shapes: &'a Shapes,
    /// First elements of A, B and C.
    pub(crate) starts: [*mut u8; 3],
    /// Whether C is read, that is, `beta` is not 0.
    pub(crate) reads: bool,
    /// Computes the product of one box.
    pub(crate) product: &'a (dyn Fn(&BoxProduct<'_>) + Sync),
}

// SAFETY: A and B are only read, and each thread writes its own boxes of C. Elements are numbers.
unsafe impl Sync for BoxedProduct<'_> {}

impl BoxedProduct<'_> {
    /// Computes all boxes.
    ///
    /// # Safety
    ///
    /// At every offset that the strides of the boxes reach, elements of A and B are valid for reads,
    /// and elements of C for reads and writes. Nothing else accesses C during the call. The elements
    /// are numbers with the sizes given by `shapes`. `product` needs no more than that.
    pub(crate) unsafe fn run(&self, par: Par) {
        let of_c = self.boxes.boxes_of_c();
        let threads = par.threads().min(of_c);
        // Threads share a box only if C has just one.
        let inner = if threads > 1 { Par::Sequential } else { par };
        par.for_each(threads, |i| {
            let range = part_of(of_c, i, threads);
            let bytes =
                self.boxes.bytes(self.shapes).map(|bytes| bytes.next_multiple_of(CACHE_LINE));
            with_scratch(2, bytes.iter().sum(), |start| {
                let next = start.wrapping_add(bytes[A]);
                let copies = [start, next, next.wrapping_add(bytes[B])];
                // SAFETY: guaranteed by the caller; pieces have different boxes of C.
                unsafe { self.run_range(copies, range, inner) };
            });
        });
    }

    /// Computes a range of boxes of C.
    ///
    /// # Safety
    ///
    /// Same as [`run`](Self::run), and each copy has room for its part of a box.
    unsafe fn run_range(&self, copies: [*mut u8; 3], boxes_of_c: Range<usize>, par: Par) {
        let Self { boxes, starts, .. } = self;
        let of_k = boxes.boxes_of_k();
        let mut last: Option<Vec<Range<usize>>> = None;
        for number in boxes_of_c.start * of_k..boxes_of_c.end * of_k {
            let ranges = boxes.nth(number);
            let axes = || boxes.axes.iter().zip(&ranges);
            let origins = [A, B, C].map(|operand| {
                let offsets = axes().map(|(axis, range)| range.start * axis.strides[operand]);
                starts[operand].wrapping_add(offsets.sum::<usize>() * self.bytes(operand))
            });
            let is_first = number.is_multiple_of(of_k);
            for operand in [A, B, C].into_iter().filter(|&operand| boxes.copied[operand]) {
                let has_moved = last.as_ref().is_none_or(|last| {
                    let mut own =
                        axes().zip(last).filter(|((axis, _), _)| axis.strides[operand] != 0);
                    own.any(|((_, range), last)| range != last)
                });
                let needed = if operand == C { is_first && self.reads } else { has_moved };
                if needed {
                    // SAFETY: the box is a part of the operand, and the copy has room for it.
                    unsafe {
                        self.copy(operand, &ranges, [origins[operand], copies[operand]], false)
                    };
                }
            }
            let modes = [A, B, C].map(|operand| boxes.modes(operand, &ranges));
            let layouts = modes.each_ref().map(|modes| MatrixLayout {
                modes: modes.each_ref().map(|(extents, strides)| ModeLeaves { extents, strides }),
            });
            let batch: Vec<Loop> = axes()
                .filter(|(axis, _)| axis.role == Role::Batch)
                .map(|(axis, range)| (range.len(), axis.box_strides))
                .collect();
            let starts = [A, B, C].map(|operand| match boxes.copied[operand] {
                true => copies[operand],
                false => origins[operand],
            });
            (self.product)(&BoxProduct { layouts, batch: &batch, starts, is_first, par });
            if boxes.copied[C] && (number + 1).is_multiple_of(of_k) {
                // SAFETY: as above; the box has all of its sums.
                unsafe { self.copy(C, &ranges, [copies[C], origins[C]], true) };
            }
            last = Some(ranges);
        }
    }

    /// Bytes of an element of an operand.
    const fn bytes(&self, operand: usize) -> usize {
        self.shapes.operand_bytes()[operand]
    }

    /// Copies a box of an operand into matrix order, or back.
    ///
    /// # Safety
    ///
    /// The box is valid for reads at `from` and for writes at `to`, and the two do not overlap.
    unsafe fn copy(
        &self,
        operand: usize,
        ranges: &[Range<usize>],
        [from, to]: [*mut u8; 2],
        back: bool,
    ) {
        let axes = self.boxes.axes.iter().zip(ranges);
        let own = axes.filter(|(axis, _)| axis.strides[operand] != 0);
        let loops: Vec<copy::Loop> = own
            .map(|(axis, range)| {
                let (outer, inner) = (axis.strides[operand], axis.box_strides[operand]);
                let (source, destination) = if back { (inner, outer) } else { (outer, inner) };
                copy::Loop { extent: range.len(), source, destination }
            })
            .collect();
        // SAFETY: guaranteed by the caller.
        unsafe { copy_loops(self.level, &loops, self.bytes(operand), from, to) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gemm::kernel::table::floats;
    use crate::gemm::problem::mode::Mode;
    use layout_core::engine::DynLayout;

    /// Compares `C = A * B + beta * C`, computed in boxes of at most `max_bytes` bytes, with plain
    /// loops over the whole product.
    fn check(text: [&str; 3], batch: &[Loop], max_bytes: usize, par: Par, beta: f32) -> [usize; 2] {
        let layouts = text.map(|text| DynLayout::parse(text).expect("a layout"));
        let matrices = MatrixLayout::all(layouts.each_ref());
        let shapes = &floats::<f32>(Level::Portable).shapes;
        let boxes =
            Boxes::within(matrices, batch, shapes, par.threads(), [max_bytes; 2]).expect("boxes");
        assert!(boxes.copied.contains(&true));
        let length = |operand: usize| {
            let around = batch.iter().map(|(extent, strides)| (extent - 1) * strides[operand]);
            layouts[operand].cosize() + around.sum::<usize>()
        };
        let mut data = [A, B, C].map(|operand| -> Vec<f32> {
            (0..length(operand)).map(|i| ((7 * i + i / 5) % 11) as f32 - 5.0).collect()
        });
        let mut expected = data[C].clone();
        let starts = data.each_mut().map(|data| data.as_mut_ptr());
        // SAFETY: only elements of the layouts and of the batch loops around them are accessed.
        let product =
            |matrices: [MatrixLayout<'_>; 3], batch: &[Loop], starts: [*mut f32; 3], beta| {
                let modes = matrices.map(|matrix| [0, 1].map(|i| Mode::of(&matrix, i)));
                let [m, n, k] = [modes[C][0].size(), modes[C][1].size(), modes[A][1].size()];
                for index in 0..batch.iter().map(|(extent, _)| extent).product() {
                    let mut starts = starts;
                    let mut rest: usize = index;
                    for (extent, strides) in batch {
                        for (start, stride) in starts.iter_mut().zip(strides) {
                            *start = start.wrapping_add(rest % extent * stride);
                        }
                        rest /= extent;
                    }
                    let at = |operand: usize, i, j| {
                        let [rows, columns] = &modes[operand];
                        starts[operand].wrapping_add(rows.offset(i) + columns.offset(j))
                    };
                    for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
                        // SAFETY: elements of the operands.
                        unsafe {
                            let sum: f32 = (0..k).map(|p| *at(A, i, p) * *at(B, p, j)).sum();
                            let c = at(C, i, j);
                            *c = sum + if beta == 0.0 { 0.0 } else { beta * *c };
                        }
                    }
                }
            };
        product(matrices, batch, [starts[A], starts[B], expected.as_mut_ptr()], beta);
        let run_box = |of_box: &BoxProduct<'_>| {
            let beta = if of_box.is_first { beta } else { 1.0 };
            product(of_box.layouts, of_box.batch, of_box.starts.map(|start| start.cast()), beta);
        };
        let boxed = BoxedProduct {
            boxes: &boxes,
            level: Level::Portable,
            shapes,
            starts: starts.map(|start| start.cast()),
            reads: beta != 0.0,
            product: &run_box,
        };
        // SAFETY: these are the elements of the layouts.
        unsafe { boxed.run(par) };
        assert_eq!(data[C], expected, "{text:?} {batch:?} {max_bytes}");
        [boxes.boxes_of_c(), boxes.boxes_of_k()]
    }

    #[test]
    fn boxes_make_all_of_a_product() {
        #[cfg(feature = "rayon")]
        let pars = [Par::Sequential, Par::rayon()];
        #[cfg(not(feature = "rayon"))]
        let pars = [Par::Sequential; 2];
        let cases = [
            // The batch has the unit stride: in all operands, in A, and in C.
            (["(9,170):(5,45)", "(170,8):(5,850)", "(9,8):(40,5)"], vec![(5, [1, 1, 1])]),
            (["(9,170):(6,54)", "(170,8):(8,1)", "(9,8):(8,1)"], vec![(6, [1, 1360, 72])]),
            (["(30,20):(20,1)", "(20,11):(11,1)", "(30,11):(77,7)"], vec![(7, [600, 220, 1])]),
            // Short runs.
            (
                [
                    "((3,5,8),(4,9)):((1,12,540),(3,60))",
                    "((4,9),(5,6)):((1,20),(4,180))",
                    "((3,5,8),(5,6)):((5,90,450),(1,15))",
                ],
                vec![],
            ),
            (
                [
                    "((4,30),64):((1,256),4)",
                    "(64,(3,20)):(3,(1,192))",
                    "((4,30),(3,20)):((3,240),(1,12))",
                ],
                vec![],
            ),
            // Vectors along N, although C is contiguous along M.
            (["(5,(4,10)):(4,(1,20))", "((4,10),24):((240,24),1)", "(5,24):(1,5)"], vec![]),
        ];
        let (mut of_c, mut of_k) = (0, 0);
        for (text, batch) in cases {
            for max_bytes in [1, 1 << 12, 1 << 20] {
                for (par, beta) in pars.into_iter().zip([0.0, 2.0]) {
                    let [c, k] = check(text, &batch, max_bytes, par, beta);
                    (of_c, of_k) = (of_c + usize::from(c > 1), of_k + usize::from(k > 1));
                }
            }
        }
        assert!(of_c > 10 && of_k > 5, "{of_c} {of_k}");
    }
}
