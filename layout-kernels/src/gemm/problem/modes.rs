//! `Modes`: a product as six offset functions. Kernels need nothing else of the three layouts.

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;

use crate::checks::check_matrix;
use crate::gemm::problem::matrix::{MatrixLayout, ModeLeaves};
use crate::gemm::problem::mode::Mode;

/// Coalesced modes of A (M,K), B (K,N) and C (M,N): the offset function of each operand along each of
/// the loops M, N and K.
#[derive(Clone, Copy)]
pub struct Modes {
    pub(crate) am: Mode,
    pub(crate) ak: Mode,
    pub(crate) bk: Mode,
    pub(crate) bn: Mode,
    pub(crate) cm: Mode,
    pub(crate) cn: Mode,
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
}

impl Modes {
    /// A product of extents 1 x 1 x 1.
    pub(crate) const UNIT: Self = Self {
        am: Mode::UNIT,
        ak: Mode::UNIT,
        bk: Mode::UNIT,
        bn: Mode::UNIT,
        cm: Mode::UNIT,
        cn: Mode::UNIT,
        m: 1,
        n: 1,
        k: 1,
    };

    /// Modes of matrices whose shapes form a product.
    pub(crate) const fn of([a, b, c]: [MatrixLayout<'_>; 3]) -> Self {
        // Shorter to evaluate at compile time, for most products.
        if let (Some(a), Some(b), Some(c)) = (a.as_strided(), b.as_strided(), c.as_strided()) {
            let ([am, ak], [bk, bn], [cm, cn]) =
                (Mode::strided(a), Mode::strided(b), Mode::strided(c));
            let (([m, k], _), ([_, n], _)) = (a, b);
            return Self { am, ak, bk, bn, cm, cn, m, n, k };
        }
        let (am, ak) = (Mode::of(&a, 0), Mode::of(&a, 1));
        let (bk, bn) = (Mode::of(&b, 0), Mode::of(&b, 1));
        let (cm, cn) = (Mode::of(&c, 0), Mode::of(&c, 1));
        let (m, n, k) = (am.size(), bn.size(), ak.size());
        Self { am, ak, bk, bn, cm, cn, m, n, k }
    }

    /// The same product as `C^T = B^T * A^T`: A and B are swapped, and M and N.
    pub(crate) const fn transposed(&self) -> Self {
        Self {
            am: self.bn,
            ak: self.bk,
            bk: self.ak,
            bn: self.am,
            cm: self.cn,
            cn: self.cm,
            m: self.n,
            n: self.m,
            k: self.k,
        }
    }
}

/// Checks that the layouts are matrices whose shapes form a product.
///
/// # Errors
///
/// If a layout is not a matrix, or the extents of M, N or K do not match.
#[inline(always)]
pub(crate) const fn check_shapes(
    a: &DynLayout,
    b: &DynLayout,
    c: &DynLayout,
) -> Result<(), LayoutError> {
    // Fast path for matrices whose modes are single leaves.
    if let (Some(([m, k], _)), Some(([depth, n], _)), Some(([rows, columns], _))) =
        (a.as_matrix(), b.as_matrix(), c.as_matrix())
        && m == rows
        && n == columns
        && k == depth
    {
        return Ok(());
    }
    check_nested_shapes(a, b, c)
}

/// Slow path of [`check_shapes`]: nested modes, and all errors.
const fn check_nested_shapes(
    a: &DynLayout,
    b: &DynLayout,
    c: &DynLayout,
) -> Result<(), LayoutError> {
    if let (Err(error), _, _) | (_, Err(error), _) | (_, _, Err(error)) =
        (check_matrix("gemm: A", a), check_matrix("gemm: B", b), check_matrix("gemm: C", c))
    {
        return Err(error);
    }
    if extent(a, 1) != extent(b, 0) {
        return Err(LayoutError::GemmInner { a: a.shape(), b: b.shape() });
    }
    if extent(a, 0) != extent(c, 0) {
        return Err(LayoutError::GemmRows { a: a.shape(), c: c.shape() });
    }
    if extent(b, 1) != extent(c, 1) {
        return Err(LayoutError::GemmColumns { b: b.shape(), c: c.shape() });
    }
    Ok(())
}

/// The extents of a product along M, N and K.
pub(crate) const fn extents([a, b, _]: &[MatrixLayout<'_>; 3]) -> [usize; 3] {
    [a.modes[0].size(), b.modes[1].size(), a.modes[1].size()]
}

/// Size of a mode.
pub(crate) const fn extent(layout: &DynLayout, mode: usize) -> usize {
    if let Some((extents, _)) = layout.as_matrix() {
        return extents[mode];
    }
    ModeLeaves::of(layout, mode).size()
}
