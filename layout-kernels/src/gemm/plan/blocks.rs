//! `BlockedPlan`: the plan of a product with cache blocking.

use core::fmt;

use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::plan::cache_blocking::CacheBlocking;
use crate::gemm::plan::{fmt_depth, fmt_transposed};
use crate::gemm::problem::operands::Operands;
use crate::simd::cache::Caches;

/// Plan of a product with cache blocking.
#[derive(Clone, Copy)]
pub(crate) struct BlockedPlan {
    /// Whether `C^T = B^T * A^T` is computed, because that C has longer contiguous runs.
    pub(crate) transposed: bool,
    pub(crate) blocking: CacheBlocking,
    /// Block sizes along M, N and K.
    sizes: [usize; 3],
    /// The largest tiles: rows, vectors per row, lanes per vector, and elements along K per lane.
    rows: usize,
    vectors: usize,
    lanes: usize,
    depth: usize,
}

impl BlockedPlan {
    /// Plans a product whose operands are already transposed and ordered. Its B starts at `b`.
    pub(crate) fn new(
        operands: &Operands,
        shapes: &Shapes,
        (transposed, reads_c): (bool, bool),
        b: usize,
    ) -> Self {
        let blocking = CacheBlocking::new(operands, shapes, &Caches::detect(), b, reads_c);
        let Operands { m, n, k, .. } = operands;
        let along_m = blocking.along_m(&m.all());
        let [am, cm] = [0, 1].map(|which| m.of_block(which, &along_m));
        let cuts = blocking.cut_rows(&am, &cm);
        let rows = cuts.largest();
        Self {
            transposed,
            blocking,
            sizes: [
                along_m.iter().product(),
                blocking.along_n(&n.all()).iter().product(),
                blocking.along_k(&k.all()).iter().product(),
            ],
            rows,
            vectors: blocking.vectors(shapes, &cuts, 0..cuts.count()),
            lanes: shapes.lanes,
            depth: shapes.depth,
        }
    }
}

impl fmt::Display for BlockedPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { transposed, blocking, sizes, rows, vectors, lanes, depth } = self;
        let [mc, nc, kc] = sizes;
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
        fmt_depth(*depth, f)?;
        match (blocking.c_is_contiguous, blocking.joined) {
            (true, _) => Ok(()),
            (_, 1) => f.write_str(", C written in partial vectors: short contiguous runs"),
            (_, joined) => write!(f, ", C written in whole vectors over {joined} contiguous runs"),
        }
    }
}
