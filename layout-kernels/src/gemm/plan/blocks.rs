//! `Blocks`: what a product in blocks will do, for its reader.

use core::fmt;

use crate::gemm::plan::{is_transposed, products};

/// What is known of a product in blocks.
#[derive(Clone, Copy)]
pub struct Blocks {
    pub(crate) transposed: bool,
    /// The sizes of blocks along M, N and K.
    pub(crate) blocks: [usize; 3],
    pub(crate) a_stays: bool,
    pub(crate) b_stays: bool,
    pub(crate) c_runs: bool,
    pub(crate) rows: usize,
    pub(crate) vectors: usize,
    pub(crate) lanes: usize,
    pub(crate) depth: usize,
}

impl fmt::Display for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { transposed, blocks: [mc, nc, kc], rows, vectors, lanes, depth, .. } = self;
        f.write_str("in blocks")?;
        is_transposed(*transposed, f)?;
        let name = |first| if *transposed == first { "B" } else { "A" };
        write!(f, "\nfor blocks of {mc} rows")?;
        write!(f, "\n  for blocks of {kc} steps along k: {} ", name(true))?;
        match self.a_stays {
            true => f.write_str("in place, small or used once")?,
            false => write!(f, "packed into panels of {rows} rows")?,
        }
        write!(f, "\n    for blocks of {nc} columns: {} ", name(false))?;
        match self.b_stays {
            true => f.write_str("in place, small or used once")?,
            false => write!(f, "packed into panels of {vectors} vectors of {lanes}")?,
        }
        write!(f, "\n      tiles of {rows} rows by {vectors} vectors of {lanes}")?;
        products(*depth, f)?;
        if !self.c_runs {
            f.write_str(", C in pieces of vectors, because its runs are short")?;
        }
        Ok(())
    }
}
