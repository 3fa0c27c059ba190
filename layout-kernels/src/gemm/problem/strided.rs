//! `Strided`: a product of matrices with one constant stride per mode.

use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::problem::matrix::MatrixLayout;
use crate::gemm::problem::modes::Modes;

/// Extents and strides of a matrix whose modes are single leaves.
pub(crate) type Matrix = ([usize; 2], [usize; 2]);

/// Up to these costs, in multiplications, plain loops take less time than a tile over operands in place, and
/// than other kernels. An element of C costs as much as two multiplications.
const IN_PLACE_COST: usize = 48;
const MAX_COST: usize = 160;
/// With more steps, inner products are faster: each step of a plain loop waits for the one before.
const MAX_STEPS: usize = 8;

/// A product of matrices with one constant stride per mode, in elements.
#[derive(Clone, Copy, Debug)]
pub struct Strided {
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
    pub(crate) am: usize,
    pub(crate) ak: usize,
    pub(crate) bk: usize,
    pub(crate) bn: usize,
    pub(crate) cm: usize,
    pub(crate) cn: usize,
}

impl Strided {
    /// Product of the matrices A, B and C. `None` if the shapes do not form a product, or both A and B
    /// are broadcast along K.
    #[inline(always)]
    pub(crate) const fn of([a, b, c]: [Matrix; 3]) -> Option<Self> {
        let (([m, k], [am, ak]), ([depth, n], [bk, bn]), (sums, [cm, cn])) = (a, b, c);
        // The stride of an extent of 1 is never used and may have any value.
        let [am, cm] = if m > 1 { [am, cm] } else { [0; 2] };
        let [ak, bk] = if k > 1 { [ak, bk] } else { [0; 2] };
        let [bn, cn] = if n > 1 { [bn, cn] } else { [0; 2] };
        // If both operands are broadcast along K, the steps are counted instead of computed one by
        // one (see `Operands`).
        let is_counted_once = k <= 1 || ak != 0 || bk != 0;
        match is_counted_once && k == depth && m == sums[0] && n == sums[1] {
            true => Some(Self { m, n, k, am, ak, bk, bn, cm, cn }),
            false => None,
        }
    }

    /// Product of layouts; `None` also if a mode is nested.
    pub(crate) const fn of_layouts([a, b, c]: &[MatrixLayout<'_>; 3]) -> Option<Self> {
        match (a.as_strided(), b.as_strided(), c.as_strided()) {
            (Some(a), Some(b), Some(c)) => Self::of([a, b, c]),
            _ => None,
        }
    }

    /// Product of modes that each have one constant stride; `None` otherwise.
    pub(crate) const fn new(modes: &Modes) -> Option<Self> {
        let Modes { am, ak, bk, bn, cm, cn, m, n, k } = modes;
        let (all, mut strides, mut i) = ([am, ak, bk, bn, cm, cn], [0; 6], 0);
        while i < all.len() {
            if all[i].len() != 1 {
                return None;
            }
            strides[i] = all[i].at(0).1;
            i += 1;
        }
        let [am, ak, bk, bn, cm, cn] = strides;
        Some(Self { m: *m, n: *n, k: *k, am, ak, bk, bn, cm, cn })
    }

    /// Whether C has contiguous vectors, along N or along M.
    pub(crate) const fn has_contiguous_c(&self) -> bool {
        self.c_contiguous_along_n() || self.c_contiguous_along_m()
    }

    /// Whether M, N or K is 0.
    pub(crate) const fn is_empty(&self) -> bool {
        self.m == 0 || self.n == 0 || self.k == 0
    }

    /// Whether plain loops take less time than a plan and a kernel.
    #[inline(always)]
    pub(crate) fn is_tiny(&self, shapes: &Shapes) -> bool {
        let Self { m, n, k, ak, bk, .. } = *self;
        // No extent is larger, and their product does not overflow.
        if (m | n | k) >= MAX_COST {
            return false;
        }
        let has_tiles = shapes.read_words() && self.has_tiles_in_place();
        let in_place = has_tiles || ak == 1 && bk == 1 && k > MAX_STEPS;
        m * n * (k + 2) * shapes.plain_cost <= if in_place { IN_PLACE_COST } else { MAX_COST }
    }

    /// Whether tiles have vectors of C and of an operand in place.
    #[inline(always)]
    pub(crate) const fn has_tiles_in_place(&self) -> bool {
        self.cn == 1 && self.bn == 1 || self.cm == 1 && self.am == 1
    }

    /// Whether B and C are contiguous along N, and C has at most `max` rows.
    #[inline(always)]
    pub(crate) const fn has_few_rows(&self, max: usize) -> bool {
        self.bn == 1 && self.cn == 1 && self.m <= max
    }

    pub(crate) const fn c_contiguous_along_n(&self) -> bool {
        self.cn == 1 || self.n == 1
    }

    pub(crate) const fn c_contiguous_along_m(&self) -> bool {
        self.cm == 1 || self.m == 1
    }

    /// Whether to compute the transposed product. Either only that has contiguous vectors of C; or
    /// this is a matrix times a vector, whose single column does not fill the lanes, and A is
    /// contiguous along M.
    pub(crate) const fn should_transpose(&self) -> bool {
        !self.c_contiguous_along_n() || self.n == 1 && self.c_contiguous_along_m() && self.am == 1
    }

    /// The same product as `C^T = B^T * A^T`.
    pub(crate) const fn transposed(self) -> Self {
        let Self { m, n, k, am, ak, bk, bn, cm, cn } = self;
        Self { m: n, n: m, k, am: bn, ak: bk, bk: ak, bn: am, cm: cn, cn: cm }
    }
}
