//! `Dense`: the plan of a small product whose operands are first copied into dense matrices, each in one
//! step. It is for nested modes, and for a C without contiguous elements. With cache blocking, such a
//! product would take microseconds to set up.

use core::fmt;
use core::ptr;

use crate::copy::Loop;
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::plan::HAS_CACHE_BLOCKING;
use crate::gemm::plan::unblocked::Unblocked;
use crate::gemm::problem::matrix::{MatrixLayout, ModeLeaves};
use crate::gemm::problem::mode::coalesces;
use crate::gemm::problem::strided::Strided;

/// Maximum number of bytes of A, B and C together. (Random contractions of 20,000 to 200,000
/// multiplications: twice as fast with copies as with cache blocking. With 256 KiB, some take 1.6 times as
/// long.) Without heap memory, the copies are on the stack.
pub(crate) const MAX_BYTES: usize = if HAS_CACHE_BLOCKING { 128 << 10 } else { 32 << 10 };

/// The same for all products of a batch. Larger batches may be copied in boxes, which follow the order of
/// memory.
const MAX_BATCH_BYTES: usize = 32 << 10;

/// Maximum number of loops of a copy. Each has two steps or more, and an element counts as four bytes or
/// more.
const MAX_LOOPS: usize = (MAX_BYTES / 4).ilog2() as usize;

/// A small product of dense matrices, and of operands in place.
#[derive(Clone, Copy)]
pub struct Dense {
    pub(crate) product: Unblocked,
    /// Whether A, B and C are copied.
    pub(crate) is_copied: [bool; 3],
    /// Whether rows of the copies are contiguous, or else columns.
    by_rows: bool,
}

/// The loops over all elements of an operand, from its strides to those of the dense copy.
pub(crate) struct Loops {
    /// The slowest loop first. Entries before `first` are unused.
    loops: [Loop; MAX_LOOPS],
    first: usize,
    size: usize,
}

impl Dense {
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

    /// Plans a batch of `products` non-empty products, on `threads` threads. `None` if the batch is not
    /// small, or if no operand would be copied.
    pub(crate) fn new(
        layouts: [MatrixLayout<'_>; 3],
        extents: [usize; 3],
        shapes: [&Shapes; 2],
        [products, threads]: [usize; 2],
    ) -> Option<Self> {
        if !Self::is_small(extents, shapes[0], products) {
            return None;
        }
        let [a, b, c] = layouts.map(|layout| layout.as_strided());
        let [m, n, k] = extents;
        // C in place has contiguous columns or rows.
        let c = c.filter(|(_, [cm, cn])| m == 1 || *cm == 1 || n == 1 || *cn == 1);
        // The vectors of the product run along rows or columns, also in the copies.
        let by_rows = match c {
            Some((_, [_, cn])) => cn == 1,
            None => n >= m,
        };
        let dense =
            |rows, columns| ([rows, columns], if by_rows { [columns, 1] } else { [1, rows] });
        let is_copied = [a.is_none(), b.is_none(), c.is_none()];
        if is_copied == [false; 3] {
            return None;
        }
        let (a, b) = (a.unwrap_or(dense(m, k)), b.unwrap_or(dense(k, n)));
        let strided = Strided::of([a, b, c.unwrap_or(dense(m, n))])?;
        let product = Unblocked::new(&strided, [ptr::null(); 2], shapes, threads)?;
        Some(Self { product, is_copied, by_rows })
    }

    /// The loops of the copy of an operand with this layout.
    pub(crate) fn loops(&self, layout: MatrixLayout<'_>) -> Loops {
        let mut all = Loops { loops: [Loop::ONCE; MAX_LOOPS], first: MAX_LOOPS, size: 1 };
        for mode in if self.by_rows { [1, 0] } else { [0, 1] } {
            let ModeLeaves { extents, strides } = layout.modes[mode];
            for (&extent, &stride) in extents.iter().zip(strides) {
                all.push(extent, stride);
            }
        }
        all
    }
}

impl Loops {
    /// Adds a slower loop, or extends the last one if the two coalesce.
    fn push(&mut self, extent: usize, stride: usize) {
        if extent == 1 {
            return;
        }
        match self.loops[self.first..].first_mut() {
            Some(last) if coalesces(last.extent, last.source, stride) => last.extent *= extent,
            _ => {
                self.first -= 1;
                let each = Loop { extent, source: stride, destination: self.size };
                self.loops[self.first] = each;
            }
        }
        self.size *= extent;
    }

    /// Number of elements.
    pub(crate) const fn size(&self) -> usize {
        self.size
    }

    /// The loops of a copy to the dense matrix, the slowest first.
    pub(crate) fn as_slice(&self) -> &[Loop] {
        &self.loops[self.first..]
    }

    /// Turns them into the loops of a copy from the dense matrix.
    pub(crate) fn reverse(&mut self) {
        for each in &mut self.loops[self.first..] {
            (each.source, each.destination) = (each.destination, each.source);
        }
    }
}

impl fmt::Display for Dense {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.product.fmt(f)?;
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
        // A and B are matrices, C has no contiguous elements.
        let strided = plan("(6,8):(8,1)", "(8,10):(10,1)", "(6,10):(20,2)");
        assert!(strided.ends_with("over dense copies of C"), "{strided}");
    }
}
