//! `Blocks`: what a product in blocks will do, for its reader.

use core::fmt;

use crate::gemm::plan::cache_blocking::CacheBlocking;
use crate::gemm::plan::products;

/// What is known of a product in blocks.
#[derive(Clone, Copy)]
pub struct Blocks {
    pub(crate) turned: bool,
    pub(crate) blocking: CacheBlocking,
    pub(crate) rows: usize,
    pub(crate) vectors: usize,
    pub(crate) lanes: usize,
    pub(crate) depth: usize,
}

impl fmt::Display for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { turned, blocking, rows, vectors, lanes, depth } = self;
        f.write_str("in blocks")?;
        if *turned {
            f.write_str(", as the transposed product, whose C has runs")?;
        }
        let name = |first| if *turned == first { "B" } else { "A" };
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
