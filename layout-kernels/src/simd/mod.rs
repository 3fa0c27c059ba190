//! Vector instructions: which are there, and one trait over their registers.

mod level;

pub use level::{Avx2, Avx512, Level, Sse2};
