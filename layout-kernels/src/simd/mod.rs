//! Vector instructions: which are there, and one trait over their registers.

mod level;
mod portable;
pub(crate) mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use level::{Avx2, Avx512, Level, Sse2};
