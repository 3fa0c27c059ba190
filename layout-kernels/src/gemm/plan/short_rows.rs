//! Short rows: which products have several rows in a vector.

use crate::gemm::kernel::batch::CacheLevel;
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::kernel::short_rows::{MIN_ROWS_TOGETHER, rows_together};
use crate::gemm::plan::unblocked::{Method, Unblocked};
use crate::gemm::problem::strided::Strided;

/// Fewer rows do not repay the vectors of lane indices and of B, which are made for each step along K. The more
/// rows a vector has, the more each row gains.
const MIN_SHORT_ROWS: usize = 32;
const SHORT_ROWS_OF_STEP: usize = 60;

impl Unblocked {
    /// Plans a product of many short rows or columns. `None` if it is not one.
    #[inline(always)]
    pub(crate) fn short_rows(
        strided: &Strided,
        [shapes, transposed]: [&Shapes; 2],
    ) -> Option<Self> {
        if !may_have_short_rows(strided, shapes) {
            return None;
        }
        if has_short_rows(strided, shapes) {
            return Some(Self::of_short_rows(*strided, shapes, false));
        }
        let strided = strided.transposed();
        has_short_rows(&strided, transposed).then(|| Self::of_short_rows(strided, transposed, true))
    }

    /// The plan of short rows, which are already transposed, if `transposed`.
    fn of_short_rows(strided: Strided, shapes: &Shapes, transposed: bool) -> Self {
        let Shapes { lanes, depth, .. } = *shapes;
        let (method, c_location) = (Method::ShortRows, CacheLevel::Any);
        Self { strided, transposed, method, c_location, lanes, depth }
    }
}

/// Whether a product may have short rows or columns. This takes no time for small products.
#[inline(always)]
pub(crate) fn may_have_short_rows(strided: &Strided, shapes: &Shapes) -> bool {
    let &Strided { m, n, k, .. } = strided;
    shapes.has_short_rows && m.max(n) >= MIN_SHORT_ROWS && k <= shapes.lanes / MIN_ROWS_TOGETHER
}

/// Whether A and C are contiguous and have many rows, and several rows fit in a vector.
#[inline(always)]
fn has_short_rows(strided: &Strided, shapes: &Shapes) -> bool {
    let Strided { m, n, k, am, ak, cm, cn, .. } = *strided;
    let are_contiguous = cm == n && (cn == 1 || n == 1) && am == k && (ak == 1 || k == 1);
    let together = rows_together(shapes.lanes, n, k);
    are_contiguous
        && together >= MIN_ROWS_TOGETHER
        && m.saturating_mul(together - 1) >= SHORT_ROWS_OF_STEP * k
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gemm::kernel::table::floats;
    use crate::simd::Level;

    #[test]
    fn many_rows_of_a_few_elements_share_vectors() {
        let contiguous = |m, n, k, bk, bn| Strided { m, n, k, am: k, ak: 1, bk, bn, cm: n, cn: 1 };
        for level in Level::available() {
            let shapes = &floats::<f32>(level).shapes;
            let are_short = |strided: &Strided| {
                Unblocked::short_rows(strided, [shapes; 2]).is_some() == shapes.has_short_rows
            };
            let points = contiguous(1000, 3, 3, 3, 1);
            assert!(are_short(&points) && are_short(&points.transposed()), "{level}");
            let (n, k) = (shapes.lanes / 2, shapes.lanes / 4);
            assert!(are_short(&contiguous(1000, n, k, 1, k)), "{level}");
            // Too few rows, rows that are too long, gaps in A, and gaps in C.
            for strided in [
                contiguous(20, 3, 3, 3, 1),
                contiguous(1000, 9, 3, 9, 1),
                Strided { am: 4, ..points },
                Strided { cm: 4, ..points },
            ] {
                assert!(Unblocked::short_rows(&strided, [shapes; 2]).is_none(), "{level}");
            }
        }
    }
}
