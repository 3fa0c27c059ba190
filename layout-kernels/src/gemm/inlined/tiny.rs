//! Tiny static products: a few multiplications at constant offsets, fully unrolled into the caller.
//! They take less time than a kernel call.

use core::ops::{Add, Mul};

use crate::gemm::float::sealed::Sum;
use crate::gemm::inlined::StaticModes;
use crate::gemm::problem::mode::Mode;
use crate::gemm::problem::modes::Modes;
use crate::gemm::scale::{Kind, Scale};

/// Maximum number of multiplications of a tiny product. Beyond it, a kernel with registers wider
/// than the baseline ones is faster despite the call.
pub(crate) const MAX_MULTIPLICATIONS: usize = 24;
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

/// The offsets along all six modes.
struct OffsetTables {
    am: [usize; MAX_OFFSETS],
    ak: [usize; MAX_OFFSETS],
    bk: [usize; MAX_OFFSETS],
    bn: [usize; MAX_OFFSETS],
    cm: [usize; MAX_OFFSETS],
    cn: [usize; MAX_OFFSETS],
}

/// The product `P`, if it is tiny.
struct Tiny<P>(P);

impl<P: StaticModes> Tiny<P> {
    /// The modes, transposed if C is contiguous along m, so that its vectors are along n.
    const MODES: Modes = match &P::MODES {
        Some(modes) if modes.cm.blocks_are_contiguous(2) && modes.m > 1 => modes.transposed(),
        Some(modes) => *modes,
        None => Modes::UNIT,
    };
    const IS_TRANSPOSED: bool =
        matches!(&P::MODES, Some(modes) if modes.cm.blocks_are_contiguous(2) && modes.m > 1);
    const OFFSETS: &'static OffsetTables = &OffsetTables {
        am: Self::offsets(&Self::MODES.am),
        ak: Self::offsets(&Self::MODES.ak),
        bk: Self::offsets(&Self::MODES.bk),
        bn: Self::offsets(&Self::MODES.bn),
        cm: Self::offsets(&Self::MODES.cm),
        cn: Self::offsets(&Self::MODES.cn),
    };
    /// Whether the number of multiplications is at most [`MAX_OFFSETS`].
    const IS_SMALL: bool = {
        let Modes { m, n, k, .. } = Self::MODES;
        // Extents are checked first, because their product may overflow.
        m <= MAX_OFFSETS && n <= MAX_OFFSETS && k <= MAX_OFFSETS && m * n * k <= MAX_OFFSETS
    };

    /// The offsets of a mode of a small product.
    const fn offsets(mode: &Mode) -> [usize; MAX_OFFSETS] {
        let (mut table, mut i) = ([0; MAX_OFFSETS], 0);
        while Self::IS_SMALL && i < mode.size() && i < MAX_OFFSETS {
            table[i] = mode.offset(i);
            i += 1;
        }
        table
    }
}

/// Whether the product is tiny: not empty, and with at most `max` scalar multiplications or few
/// vector multiplications.
pub(crate) const fn is_tiny<T, P: StaticModes>(max: usize) -> bool {
    let Modes { bn, cn, m, n, k, .. } = &Tiny::<P>::MODES;
    if P::MODES.is_none() || !Tiny::<P>::IS_SMALL {
        return false;
    }
    let (all, lanes) = (*m * *n * *k, BASELINE_REGISTER_BYTES / size_of::<T>());
    let vectors = n.is_multiple_of(lanes)
        && bn.blocks_are_contiguous(lanes)
        && cn.blocks_are_contiguous(lanes);
    let fits_vectors =
        vectors && *m * *n <= MAX_C_REGISTERS * lanes && all <= MAX_VECTOR_MULTIPLICATIONS * lanes;
    all > 0 && (all <= max || fits_vectors)
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
    let (a, b) = if const { Tiny::<P>::IS_TRANSPOSED } { (b, a) } else { (a, b) };
    let offsets = const { Tiny::<P>::OFFSETS };
    // First all sums, then all of C, in the order of memory: LLVM vectorises this form.
    let mut sums = [T::ZERO; MAX_OFFSETS];
    let (m, n) = const { (Tiny::<P>::MODES.m, Tiny::<P>::MODES.n) };
    for i in 0..m {
        for p in 0..const { Tiny::<P>::MODES.k } {
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
