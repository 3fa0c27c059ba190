//! Small static products at constant offsets: a few multiplications, fully unrolled into the caller, and loops.
//! They take less time than a kernel call.

use core::ops::{Add, Mul};

use crate::gemm::exec::naive;
use crate::gemm::float::sealed::Sum;
use crate::gemm::inlined::StaticModes;
use crate::gemm::multiply::Multiply;
use crate::gemm::problem::mode::Mode;
use crate::gemm::problem::modes::Modes;
use crate::gemm::scale::{Kind, Scale};

/// Maximum number of multiplications of a tiny product. Beyond it, a kernel with registers wider
/// than the baseline ones is faster despite the call.
pub(crate) const MAX_MULTIPLICATIONS: usize = 27;
/// The same limit in vector multiplications, if C is at most [`MAX_C_REGISTERS`] whole baseline
/// registers.
const MAX_VECTOR_MULTIPLICATIONS: usize = 12;
/// The same limit for complex numbers, which have no inlined kernels. (4x4x4 takes equally long
/// both ways.)
#[cfg(feature = "num-complex-0_4")]
pub(crate) const MAX_COMPLEX_MULTIPLICATIONS: usize = 36;
/// Maximum number of registers of C for [`MAX_VECTOR_MULTIPLICATIONS`].
const MAX_C_REGISTERS: usize = 4;
/// Bytes of a baseline register.
const BASELINE_REGISTER_BYTES: usize = 16;
/// Upper bound on the multiplications of any tiny product.
const MAX_OFFSETS: usize = MAX_VECTOR_MULTIPLICATIONS * BASELINE_REGISTER_BYTES / size_of::<f32>();
/// Maximum extents, and maximum number of multiplications, of loops over constant offsets. They take a third
/// of a nanosecond for each, and dense copies of small operands take 300 at least.
const MAX_LOOP_EXTENT: usize = 64;
const MAX_LOOP_MULTIPLICATIONS: usize = 1024;

/// The offsets along all six modes.
struct OffsetTables<const MAX: usize> {
    am: [usize; MAX],
    ak: [usize; MAX],
    bk: [usize; MAX],
    bn: [usize; MAX],
    cm: [usize; MAX],
    cn: [usize; MAX],
}

/// The product `P`, if its extents are at most `MAX`.
struct Small<P, const MAX: usize>(P);

/// A product that may be unrolled, and one that may be computed by loops.
type Unrolled<P> = Small<P, MAX_OFFSETS>;
type Looped<P> = Small<P, MAX_LOOP_EXTENT>;

impl<P: StaticModes, const MAX: usize> Small<P, MAX> {
    /// The modes, transposed if C is contiguous along m, so that its vectors are along n.
    const MODES: Modes = match &P::MODES {
        Some(modes) if modes.cm.blocks_are_contiguous(2) && modes.m > 1 => modes.transposed(),
        Some(modes) => *modes,
        None => Modes::UNIT,
    };
    const IS_TRANSPOSED: bool =
        matches!(&P::MODES, Some(modes) if modes.cm.blocks_are_contiguous(2) && modes.m > 1);
    const OFFSETS: &'static OffsetTables<MAX> = &OffsetTables {
        am: Self::offsets(&Self::MODES.am),
        ak: Self::offsets(&Self::MODES.ak),
        bk: Self::offsets(&Self::MODES.bk),
        bn: Self::offsets(&Self::MODES.bn),
        cm: Self::offsets(&Self::MODES.cm),
        cn: Self::offsets(&Self::MODES.cn),
    };
    /// Whether there are multiplications, and no extent is larger than `MAX`.
    const IS_SMALL: bool = {
        let Modes { m, n, k, .. } = Self::MODES;
        P::MODES.is_some() && m <= MAX && n <= MAX && k <= MAX && m * n * k > 0
    };

    /// The offsets of a mode of a small product.
    const fn offsets(mode: &Mode) -> [usize; MAX] {
        let (mut table, mut i) = ([0; MAX], 0);
        while Self::IS_SMALL && i < mode.size() && i < MAX {
            table[i] = mode.offset(i);
            i += 1;
        }
        table
    }
}

/// Whether the product is tiny: not empty, and with at most `max` scalar multiplications or few
/// vector multiplications.
pub(crate) const fn is_tiny<T, P: StaticModes>(max: usize) -> bool {
    let Modes { bn, cn, m, n, k, .. } = &Unrolled::<P>::MODES;
    if !Unrolled::<P>::IS_SMALL || *m * *n * *k > MAX_OFFSETS {
        return false;
    }
    let (all, lanes) = (*m * *n * *k, BASELINE_REGISTER_BYTES / size_of::<T>());
    let vectors = n.is_multiple_of(lanes)
        && bn.blocks_are_contiguous(lanes)
        && cn.blocks_are_contiguous(lanes);
    let fits_vectors =
        vectors && *m * *n <= MAX_C_REGISTERS * lanes && all <= MAX_VECTOR_MULTIPLICATIONS * lanes;
    all <= max || fits_vectors
}

/// Computes `C = alpha * A * B + beta * C` for a tiny product.
///
/// # Safety
///
/// At every offset of the layouts of `P`, elements of A and B must be valid for reads, and elements
/// of C for reads and writes. Nothing else accesses C during the call.
#[inline(always)]
pub(crate) unsafe fn run<T, P>(scale: &Scale<T>, a: *const T, b: *const T, c: *mut T)
where
    T: Sum + Add<Output = T> + Mul<Output = T>,
    P: StaticModes,
{
    let (a, b) = if const { Unrolled::<P>::IS_TRANSPOSED } { (b, a) } else { (a, b) };
    let offsets = const { Unrolled::<P>::OFFSETS };
    // First all sums, then all of C, in the order of memory: LLVM vectorises this form.
    let mut sums = [T::ZERO; MAX_OFFSETS];
    let (m, n) = const { (Unrolled::<P>::MODES.m, Unrolled::<P>::MODES.n) };
    for i in 0..m {
        for p in 0..const { Unrolled::<P>::MODES.k } {
            // SAFETY: an element of A.
            let x = unsafe { a.add(offsets.am[i] + offsets.ak[p]) };
            // SAFETY: as above.
            let x = unsafe { *x };
            for j in 0..n {
                // SAFETY: an element of B.
                let y = unsafe { b.add(offsets.bk[p] + offsets.bn[j]) };
                // SAFETY: as above.
                let product = x * unsafe { *y };
                let sum = &mut sums[i * n + j];
                *sum = if p == 0 { product } else { *sum + product };
            }
        }
    }
    for i in 0..m {
        for j in 0..n {
            // SAFETY: an element of C.
            let place = unsafe { c.add(offsets.cm[i] + offsets.cn[j]) };
            match scale.kind {
                // SAFETY: as above.
                Kind::Assign => unsafe { place.write(sums[i * n + j]) },
                Kind::Add => {
                    // SAFETY: as above.
                    let old = unsafe { *place };
                    // SAFETY: as above.
                    unsafe { place.write(old + sums[i * n + j]) };
                }
                // SAFETY: as above.
                Kind::Scale | Kind::ScaleAdd => unsafe { scale.store(sums[i * n + j], place) },
            }
        }
    }
}

/// Whether a product that has no other plan is small enough for loops over constant offsets.
pub(crate) const fn fits_loops<P: StaticModes>() -> bool {
    let Modes { m, n, k, .. } = &Looped::<P>::MODES;
    Looped::<P>::IS_SMALL && *m * *n * *k <= MAX_LOOP_MULTIPLICATIONS
}

/// Computes `C = alpha * A * B + beta * C` for a product that [`fits_loops`]: element by element.
///
/// # Safety
///
/// Same as [`run`].
pub(crate) unsafe fn run_loops<T, P>(scale: &Scale<T>, a: *const T, b: *const T, c: *mut T)
where
    T: Multiply<Sum = T>,
    P: StaticModes,
{
    let (a, b) = if const { Looped::<P>::IS_TRANSPOSED } { (b, a) } else { (a, b) };
    let Modes { m, n, k, .. } = const { &Looped::<P>::MODES };
    let offsets = const { Looped::<P>::OFFSETS };
    let a = |m: usize, k: usize| a.wrapping_add(offsets.am[m] + offsets.ak[k]);
    let b = |k: usize, n: usize| b.wrapping_add(offsets.bk[k] + offsets.bn[n]);
    let c = |m: usize, n: usize| c.wrapping_add(offsets.cm[m] + offsets.cn[n]);
    // SAFETY: guaranteed by the caller.
    unsafe { naive::loops([*m, *n, *k], scale, a, b, c) };
}
