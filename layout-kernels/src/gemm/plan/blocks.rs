//! `BlockedPlan`: the plan of a product with cache blocking.

use core::fmt;

use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::plan::cache_blocking::{CacheBlocking, is_one_block_along_k};
use crate::gemm::plan::columns::pair_runs;
use crate::gemm::plan::packing_policy::transposed_columns;
use crate::gemm::plan::{fmt_depth, fmt_transposed};
use crate::gemm::problem::Problem;
use crate::gemm::problem::operands::Operands;
use crate::simd::cache::Caches;

/// Plan of a product with cache blocking.
#[derive(Clone)]
pub(crate) struct BlockedPlan {
    /// The axes, those of the transposed product if that is computed.
    pub(crate) operands: Operands,
    /// Whether `C^T = B^T * A^T` is computed, because that C has longer contiguous runs.
    pub(crate) transposed: bool,
    pub(crate) blocking: CacheBlocking,
    /// The tiles.
    shapes: Shapes,
}

impl BlockedPlan {
    /// Plans a product that adds something. The shapes are those of the tiles of the product and of the
    /// transposed product. `None` if modes have no common axes, or if vectors of C are not contiguous.
    pub(crate) fn new(problem: &Problem<'_>, [shapes, transposed]: [&Shapes; 2]) -> Option<Self> {
        let Problem { layouts, starts: [a, b], reads_c, .. } = *problem;
        let mut operands = Operands::new(layouts)?;
        let is_transposed = operands.should_transpose(shapes.lanes);
        let (shapes, b) = if is_transposed {
            operands = operands.transposed();
            (transposed, a)
        } else {
            (shapes, b)
        };
        operands.order(shapes.lanes);
        if !operands.has_vectors(shapes.lanes) {
            return None;
        }
        // Further blocks along K read C, and such tiles do not split vectors.
        if !reads_c
            && transposed_columns(&operands, shapes).is_some()
            && is_one_block_along_k(&operands, shapes)
        {
            pair_runs(&mut operands, shapes);
        }
        let blocking = CacheBlocking::new(&operands, shapes, &Caches::detect(), b, reads_c);
        Some(Self { operands, transposed: is_transposed, blocking, shapes: *shapes })
    }
}

impl fmt::Display for BlockedPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operands: Operands { m, n, k, .. }, transposed, blocking, shapes } = self;
        let Shapes { lanes, depth, .. } = *shapes;
        let along_m = blocking.along_m(&m.all());
        let [am, cm] = [0, 1].map(|which| m.of_block(which, &along_m));
        let cuts = blocking.cut_rows(&am, &cm);
        let (rows, vectors) = (cuts.largest(), blocking.vectors(shapes, &cuts, 0..cuts.count()));
        let [mc, nc, kc] = [along_m, blocking.along_n(&n.all()), blocking.along_k(&k.all())]
            .map(|sizes| sizes.iter().product::<usize>());
        f.write_str("with cache blocking")?;
        fmt_transposed(*transposed, f)?;
        let name = |first| if *transposed == first { "B" } else { "A" };
        write!(f, "\nfor blocks of {mc} rows")?;
        write!(f, "\n  for blocks of {kc} steps along k: {} ", name(true))?;
        match blocking.packing.a_in_place {
            true => f.write_str("in place")?,
            false => write!(f, "packed into panels of {rows} rows")?,
        }
        write!(f, "\n    for blocks of {nc} columns: {} ", name(false))?;
        match (blocking.packing.b_in_place, blocking.packing.transposes_b) {
            (true, _) => f.write_str("in place")?,
            (_, true) => write!(f, "transposed into panels of {vectors} vectors of {lanes}")?,
            _ => write!(f, "packed into panels of {vectors} vectors of {lanes}")?,
        }
        write!(f, "\n      tiles of {rows} rows by {vectors} vectors of {lanes}")?;
        fmt_depth(depth, f)?;
        match (blocking.c_is_contiguous, blocking.joined) {
            (true, _) => Ok(()),
            (_, 1) => f.write_str(", C written in partial vectors: short contiguous runs"),
            (_, joined) => write!(f, ", C written in whole vectors over {joined} contiguous runs"),
        }
    }
}
