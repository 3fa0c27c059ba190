//! Peak throughput of the processor, so that benchmarks can report the fraction that a kernel
//! reaches.

use crate::gemm::Multiply;
use crate::simd::Level;

/// Runs `iterations` rounds of independent multiply-adds of elements `X` and `Y` in registers, with
/// the instructions that [`gemm`](crate::gemm()) uses at this level. Returns the number of
/// operations. Operations divided by the measured time is the upper bound for a matrix product.
///
/// ```
/// use static_layout::kernels::{probe, Level};
/// assert!(probe::peak::<f32, f32>(Level::Portable, 100) >= 2 * 100);
/// ```
pub fn peak<X: Multiply<Y>, Y>(level: Level, iterations: usize) -> usize {
    let [kernels, _] = X::kernels(level).kernels;
    // SAFETY: the level proves that the instructions of its kernels are available.
    unsafe { kernels.peak(iterations) }
}
