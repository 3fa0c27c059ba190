//! `Blocks`: the plan of a product in blocks.

use core::fmt;

use crate::gemm::kernel::table::Kernels;
use crate::gemm::plan::cache_blocking::CacheBlocking;
use crate::gemm::plan::{is_transposed, products};
use crate::gemm::problem::offsets::Offsets;
use crate::gemm::problem::operands::Operands;
use crate::simd::cache::Caches;

/// A product in blocks.
#[derive(Clone, Copy)]
pub struct Blocks {
    /// Whether it is made as `C^T = B^T * A^T`, because that C has runs and the other has none.
    pub(crate) transposed: bool,
    pub(crate) blocking: CacheBlocking,
    /// The largest tiles: rows, and vectors of so many lanes; and the elements along K in a lane.
    rows: usize,
    vectors: usize,
    lanes: usize,
    depth: usize,
}

impl Blocks {
    /// The plan of a product of operands that start at `a` and `b`.
    pub(crate) fn new<X, Y, T>(
        operands: &Operands<'_>,
        (a, b): (*const X, *const Y),
        kernels: &Kernels<X, Y, T>,
        transposed: impl FnOnce() -> &'static Kernels<Y, X, T>,
    ) -> Self {
        let run = |c: &Offsets<'_>| if c.stride == 1 { c.head } else { 1 };
        let Operands { cm, cn, .. } = operands;
        if !cn.has_runs(kernels.lanes, 1) && run(cm) > run(cn) {
            Self::along_n(&operands.transposed(), transposed(), true, a.cast())
        } else {
            Self::along_n(operands, kernels, false, b.cast())
        }
    }

    /// The plan of a product whose vectors of C are along n, and whose B starts at `b`.
    fn along_n<X, Y, T>(
        operands: &Operands<'_>,
        kernels: &Kernels<X, Y, T>,
        transposed: bool,
        b: *const u8,
    ) -> Self {
        let vectors = kernels.vectors();
        Self {
            transposed,
            blocking: CacheBlocking::new(operands, kernels, &Caches::detect(), b),
            rows: kernels.rows(vectors),
            vectors,
            lanes: kernels.lanes,
            depth: kernels.depth,
        }
    }
}

impl fmt::Display for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { transposed, blocking, rows, vectors, lanes, depth } = self;
        f.write_str("in blocks")?;
        is_transposed(*transposed, f)?;
        let name = |first| if *transposed == first { "B" } else { "A" };
        write!(f, "\nfor blocks of {} rows", blocking.mc)?;
        write!(f, "\n  for blocks of {} steps along k: {} ", blocking.kc, name(true))?;
        match blocking.a_step {
            Some(_) => f.write_str("in place, small or used once")?,
            None => write!(f, "packed into panels of {rows} rows")?,
        }
        write!(f, "\n    for blocks of {} columns: {} ", blocking.nc, name(false))?;
        match blocking.b_stays {
            true => f.write_str("in place, small or used once")?,
            false => write!(f, "packed into panels of {vectors} vectors of {lanes}")?,
        }
        write!(f, "\n      tiles of {rows} rows by {vectors} vectors of {lanes}")?;
        products(*depth, f)?;
        if !blocking.c_runs {
            f.write_str(", C written one by one, because it has no runs")?;
        }
        Ok(())
    }
}
