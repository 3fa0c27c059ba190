//! Tiny static products: a few multiplications at constant offsets, fully unrolled into the caller.
//! They take less time than a kernel call.

use core::ops::{Add, Mul};

use crate::gemm::float::sealed::Sum;
use crate::gemm::inlined::Product;
use crate::gemm::problem::mode::Mode;
use crate::gemm::problem::modes::Modes;
use crate::gemm::scale::{Kind, Scale};

/// Maximum number of multiplications of a tiny product. Beyond it, a kernel with registers wider
/// than the baseline ones is faster despite the call.
pub(crate) const FEW: usize = 24;
/// The same limit in vector multiplications, if C is at most [`FEW_OF_C`] whole baseline registers.
const FEW_VECTORS: usize = 12;
/// The same limit for complex numbers, which have no inlined kernels. (4x4x4 takes equally long
/// both ways.)
#[cfg(feature = "num-complex-0_4")]
pub(crate) const FEW_COMPLEX: usize = 36;
/// Maximum number of registers of C for [`FEW_VECTORS`].
const FEW_OF_C: usize = 4;
/// Bytes of a baseline register.
const VECTOR: usize = 16;
/// Upper bound on the multiplications of any tiny product.
const MOST: usize = FEW_VECTORS * VECTOR / size_of::<f32>();

/// The offsets along all six modes.
struct Places {
    am: [usize; MOST],
    ak: [usize; MOST],
    bk: [usize; MOST],
    bn: [usize; MOST],
    cm: [usize; MOST],
    cn: [usize; MOST],
}

/// The product `P`, if it is tiny.
struct Tiny<P>(P);

impl<P: Product> Tiny<P> {
    /// The modes, transposed if C is contiguous along m, so that its vectors are along n.
    const MODES: Modes = match &P::MODES {
        Some(modes) if modes.cm.runs(2) && modes.m > 1 => modes.transposed(),
        Some(modes) => *modes,
        None => Modes::UNIT,
    };
    const SWAPPED: bool = matches!(&P::MODES, Some(modes) if modes.cm.runs(2) && modes.m > 1);
    const PLACES: &'static Places = &Places {
        am: Self::places(&Self::MODES.am),
        ak: Self::places(&Self::MODES.ak),
        bk: Self::places(&Self::MODES.bk),
        bn: Self::places(&Self::MODES.bn),
        cm: Self::places(&Self::MODES.cm),
        cn: Self::places(&Self::MODES.cn),
    };
    /// Whether the number of multiplications is at most [`MOST`].
    const IS_SMALL: bool = {
        let Modes { m, n, k, .. } = Self::MODES;
        // Extents are checked first, because their product may overflow.
        m <= MOST && n <= MOST && k <= MOST && m * n * k <= MOST
    };

    /// The offsets of a mode of a small product.
    const fn places(mode: &Mode) -> [usize; MOST] {
        let (mut table, mut i) = ([0; MOST], 0);
        while Self::IS_SMALL && i < mode.size() && i < MOST {
            table[i] = mode.offset(i);
            i += 1;
        }
        table
    }
}

/// Whether the product is tiny: not empty, and with at most `most` scalar multiplications or few
/// vector multiplications.
pub(crate) const fn is_tiny<T, P: Product>(most: usize) -> bool {
    let Modes { bn, cn, m, n, k, .. } = &Tiny::<P>::MODES;
    if P::MODES.is_none() || !Tiny::<P>::IS_SMALL {
        return false;
    }
    let (all, lanes) = (*m * *n * *k, VECTOR / size_of::<T>());
    let vectors = n.is_multiple_of(lanes) && bn.runs(lanes) && cn.runs(lanes);
    let few = vectors && *m * *n <= FEW_OF_C * lanes && all <= FEW_VECTORS * lanes;
    all > 0 && (all <= most || few)
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
    P: Product,
{
    let (a, b) = if const { Tiny::<P>::SWAPPED } { (b, a) } else { (a, b) };
    let places = const { Tiny::<P>::PLACES };
    // First all sums, then all of C, in the order of memory: LLVM vectorises this form.
    let mut sums = [T::ZERO; MOST];
    let (m, n) = const { (Tiny::<P>::MODES.m, Tiny::<P>::MODES.n) };
    for i in 0..m {
        for p in 0..const { Tiny::<P>::MODES.k } {
            // SAFETY: an element of A.
            let x = unsafe { a.add(places.am[i] + places.ak[p]) };
            // SAFETY: as above.
            let x = unsafe { *x };
            for j in 0..n {
                // SAFETY: an element of B.
                let y = unsafe { b.add(places.bk[p] + places.bn[j]) };
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
            let place = unsafe { c.add(places.cm[i] + places.cn[j]) };
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
