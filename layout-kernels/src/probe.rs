//! What the processor can do at most, for benches that say which share of it a kernel reaches.

use crate::gemm::Multiply;
use crate::simd::Level;

/// Runs `turns` of independent products and sums of elements `X` and `Y` in registers, as
/// [`gemm`](crate::gemm()) makes them at this level, and returns how many operations these were:
/// their time gives the most that a product of matrices can reach.
///
/// ```
/// use static_layout::kernels::{probe, Level};
/// assert!(probe::peak::<f32, f32>(Level::Portable, 100) >= 2 * 100);
/// ```
pub fn peak<X: Multiply<Y>, Y>(level: Level, turns: usize) -> usize {
    X::peak(level, turns)
}
