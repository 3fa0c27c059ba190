//! `DenseCopies`: the operands of a product that are first copied into dense matrices, each in one step.
//!
//! Small products have such copies in place of nested modes, and of a C without contiguous elements: with
//! cache blocking, they would take microseconds to set up. Products of any size have them if modes have no
//! common axes, if nothing else makes C contiguous, and if C is contiguous along a mode that does not fill a
//! vector. Inner products have them of operands that are not contiguous along K.

use core::fmt;

use layout_core::engine::MAX_LEAVES;

use crate::copy::Loop;
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::plan::HAS_CACHE_BLOCKING;
use crate::gemm::plan::unblocked::Unblocked;
use crate::gemm::problem::Problem;
use crate::gemm::problem::matrix::{MatrixLayout, ModeLeaves};
use crate::gemm::problem::mode::coalesces;
use crate::gemm::problem::strided::{Matrix, Strided};
use crate::list::List;
use crate::simd::cache::Caches;

/// Maximum number of bytes of A, B and C together. (Random contractions of 20,000 to 200,000
/// multiplications: twice as fast with copies as with cache blocking. With 256 KiB, some take 1.6 times as
/// long.) Without heap memory, the copies are on the stack.
pub(crate) const MAX_BYTES: usize = if HAS_CACHE_BLOCKING { 128 << 10 } else { 32 << 10 };

/// The same for all products of a batch. Larger batches may be copied in boxes, which follow the order of
/// memory.
const MAX_BATCH_BYTES: usize = 32 << 10;

/// Costs of a copy of C in the other order: of the call, and of each element. The unit is a step along K in a row
/// of a tile that has no full vector.
const SHORT_C_COST: usize = 1100;
const SHORT_C_ELEMENT_COST: usize = 2;

/// The operands that are copied. The others are used in place.
#[derive(Clone, Copy)]
pub(crate) struct DenseCopies {
    /// Whether A, B and C are copied.
    pub(crate) is_copied: [bool; 3],
    /// Whether rows of the copies are contiguous, or else columns.
    by_rows: [bool; 3],
}

impl DenseCopies {
    /// All operands are used in place.
    pub(crate) const NONE: Self = Self { is_copied: [false; 3], by_rows: [false; 3] };

    /// Whether `products` products of these extents are small enough for dense copies.
    fn is_small([m, n, k]: [usize; 3], shapes: &Shapes, products: usize) -> bool {
        // A small element takes as long to copy as one of four bytes.
        let bytes = |rows: usize, columns: usize, size: usize| {
            rows.saturating_mul(columns).saturating_mul(size.max(4))
        };
        let operands = bytes(m, k, shapes.element).saturating_add(bytes(k, n, shapes.element));
        let limit = if products == 1 { MAX_BYTES } else { MAX_BATCH_BYTES };
        operands.saturating_add(bytes(m, n, shapes.sum)).saturating_mul(products) <= limit
    }

    /// Plans `products` small, non-empty products: the copies, and the product of the dense matrices.
    /// `None` if they are not small, or if no operand would be copied.
    #[inline(always)]
    pub(crate) fn of_small(
        problem: &Problem<'_>,
        products: usize,
        shapes: [&Shapes; 2],
    ) -> Option<(Self, Unblocked)> {
        let Problem { layouts, extents, threads: [_, threads], .. } = *problem;
        if !Self::is_small(extents, shapes[0], products) {
            return None;
        }
        let [a, b, c] = layouts.map(|layout| layout.as_strided());
        let [m, n, _] = extents;
        let c = c.filter(|_| layouts[2].is_contiguous());
        // The vectors of the product run along rows or columns, also in the copies.
        let by_rows = match c {
            Some((_, [_, cn])) => cn == 1,
            None => n >= m,
        };
        let is_copied = [a.is_none(), b.is_none(), c.is_none()];
        let copies = Self { is_copied, by_rows: [by_rows; 3] };
        if !copies.is_needed() {
            return None;
        }
        let [of_a, of_b, of_c] = copies.matrices(extents);
        let all = [a.unwrap_or(of_a), b.unwrap_or(of_b), c.unwrap_or(of_c)];
        let strided = Strided::of(all)?;
        // Not `?`, which moves the plan once more.
        Unblocked::new(&strided, [0; 2], shapes, threads).map(|product| (copies, product))
    }

    /// The copies of a product of any size whose modes have no common axes, or whose C has no contiguous
    /// vectors: of C, and of the smaller one of A and B. A matrix without nested modes has common axes with
    /// any other.
    #[cfg(feature = "std")]
    pub(crate) fn of_large(problem: &Problem<'_>) -> Self {
        let [m, n, _] = problem.extents;
        let [a, b, _] = problem.layouts.map(|layout| layout.as_strided().is_none());
        Self { is_copied: [a && m <= n, b && n < m, true], by_rows: [n >= m; 3] }
    }

    /// The copies, and the plan, of a product as inner products over copies of A or B or both. `None` if that is
    /// not faster.
    pub(crate) fn of_inner_products(
        strided: &Strided,
        shapes: [&Shapes; 2],
    ) -> Option<(Self, Unblocked)> {
        let (product, [a, b]) = Unblocked::inner_products_of_copies(strided, shapes)?;
        let rows = if a { strided.m } else { 0 }.saturating_add(if b { strided.n } else { 0 });
        let elements = rows.saturating_mul(strided.k);
        if !HAS_CACHE_BLOCKING && elements.saturating_mul(shapes[0].element) > MAX_BYTES {
            return None;
        }
        // Contiguous along K: A by rows, B by columns.
        Some((Self { is_copied: [a, b, false], by_rows: [true, false, false] }, product))
    }

    /// The copy of C, and the product of the copy, if contiguous rows or columns of C are shorter than a vector,
    /// but A or B is contiguous along its other mode. `None` if that is not faster than tiles whose vectors
    /// have idle lanes.
    #[inline]
    pub(crate) fn of_short_c(strided: &Strided, shapes: &Shapes) -> Option<(Self, Strided)> {
        let &Strided { m, n, k, am, bn, cm, cn, .. } = strided;
        let lanes = shapes.lanes;
        // The mode that is contiguous in C, its operand, and the other mode.
        let (short, is_in_place, long, by_rows) = match () {
            () if cn == 1 && n < lanes && am == 1 => (n, bn == 1, m, false),
            () if cm == 1 && m < lanes && bn == 1 => (m, am == 1, n, true),
            () => return None,
        };
        let bytes = m.saturating_mul(n).saturating_mul(shapes.sum);
        let is_single_tile = long <= shapes.rows(1) && is_in_place;
        if short < 2 || is_single_tile || !HAS_CACHE_BLOCKING && bytes > MAX_BYTES {
            return None;
        }
        // Tiles read the long operand in short pieces. Within L1 only idle lanes matter.
        let steps = long.saturating_mul(k);
        let wasted = match steps.saturating_mul(shapes.element) > Caches::detect().l1 / 2 {
            true => steps,
            false => steps / lanes * (lanes - short),
        };
        let cost = SHORT_C_ELEMENT_COST.saturating_mul(m).saturating_mul(n);
        if wasted <= cost.saturating_add(SHORT_C_COST) {
            return None;
        }
        let copies = Self { is_copied: [false, false, true], by_rows: [by_rows; 3] };
        let (cm, cn) = if by_rows { (n, 1) } else { (1, m) };
        Some((copies, Strided { cm, cn, ..*strided }))
    }

    /// Whether an operand is copied.
    pub(crate) fn is_needed(&self) -> bool {
        self.is_copied != [false; 3]
    }

    /// Extents and strides of the copies of A, B and C.
    pub(crate) fn matrices(&self, [m, n, k]: [usize; 3]) -> [Matrix; 3] {
        let [of_a, of_b, of_c] = self.by_rows;
        [([m, k], of_a), ([k, n], of_b), ([m, n], of_c)].map(|([rows, columns], by_rows)| {
            ([rows, columns], if by_rows { [columns, 1] } else { [1, rows] })
        })
    }

    /// Adds the loops of the copy of A, B or C (0, 1 or 2), which has this layout, to an empty list, the
    /// slowest first.
    pub(crate) fn add_loops(
        &self,
        operand: usize,
        layout: MatrixLayout<'_>,
        all: &mut List<Loop, MAX_LEAVES>,
    ) {
        let mut size = 1;
        for mode in if self.by_rows[operand] { [1, 0] } else { [0, 1] } {
            let ModeLeaves { extents, strides } = layout.modes[mode];
            for (&extent, &stride) in extents.iter().zip(strides).filter(|(extent, _)| **extent > 1)
            {
                match all.as_mut_slice() {
                    [.., last] if coalesces(last.extent, last.source, stride) => {
                        last.extent *= extent;
                    }
                    _ => all.push(Loop { extent, source: stride, destination: size }),
                }
                size *= extent;
            }
        }
        all.as_mut_slice().reverse();
    }
}

impl fmt::Display for DenseCopies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = ["A", "B", "C"].into_iter().zip(self.is_copied).filter(|(_, is)| *is);
        for (i, (name, _)) in names.enumerate() {
            f.write_str(if i == 0 { "\nover dense copies of " } else { ", " })?;
            f.write_str(name)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::gemm::GemmPlan;
    use crate::simd::Level;
    use layout_core::engine::DynLayout;

    #[test]
    fn a_plan_says_what_is_copied() {
        let layout = |text| DynLayout::parse(text).expect("a layout");
        let plan = |a, b, c| {
            let [a, b, c] = [a, b, c].map(layout);
            let plan = GemmPlan::new::<f32, f32, _, _, _>(Level::Portable, &a, &b, &c);
            plan.expect("a plan").to_string()
        };
        assert_eq!(
            plan("((2,3),4):((1,8),2)", "(4,(3,5)):(3,(1,12))", "((2,3),(3,5)):((3,30),(1,6))"),
            "gemm 6 x 15 x 4 at portable: register tiles, without cache blocking\n\
             A in place\n\
             B in place\n\
             tiles of 3 rows by 2 vectors of 4\n\
             over dense copies of A, B, C"
        );
        // Rows of C are shorter than a vector. C stays in place if A is contiguous along K, if there are few
        // steps, or if its rows fill a vector.
        let short = plan("(90,80):(1,90)", "(80,3):(3,1)", "(90,3):(3,1)");
        assert!(short.contains("transposed for contiguous C"), "{short}");
        assert!(short.ends_with("over dense copies of C"), "{short}");
        for (a, b, c) in [
            ("(90,80):(80,1)", "(80,3):(3,1)", "(90,3):(3,1)"),
            ("(90,4):(1,90)", "(4,3):(3,1)", "(90,3):(3,1)"),
            ("(90,80):(1,90)", "(80,4):(4,1)", "(90,4):(4,1)"),
        ] {
            assert!(!plan(a, b, c).contains("copies of C"), "{a}");
        }
        // A and B are matrices, C has no contiguous elements.
        let strided = plan("(6,8):(8,1)", "(8,10):(10,1)", "(6,10):(20,2)");
        assert!(strided.ends_with("over dense copies of C"), "{strided}");
    }
}
