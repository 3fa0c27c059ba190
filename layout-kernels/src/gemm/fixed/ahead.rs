//! `Ahead`: small matrices that follow each other in memory arrive before their product is made.
//!
//! A small product is over before memory could answer what the next one asks, and its registers
//! are filled from so many places at once that processors do not foresee the next ones. So each
//! step asks for a line of what comes some products later, if the operands are compact as in a
//! batch. A few at a time: of a hundred lines that are asked for at once, most are forgotten.
//! (Ten thousand products of 32 by 32 by 32 in f32: 68 GFLOP/s without, 68 when a tile asks for
//! all of its lines, 218 with a line a step; one in the first cache: no difference.)

use crate::gemm::modes::Modes;
use crate::simd::prefetch;

/// The bytes of a cache line.
const LINE: usize = 64;
/// Bytes from what is used to what is asked for: some hundred nanoseconds.
const DISTANCE: usize = 6 * 1024;
/// The least bytes of A, B and C together. Asking makes smaller products slow while they are in the
/// first cache: one of 16 by 16 by 16 in f32 took 113 ns in place of 35 in every third run of a
/// program. (Of larger ones, 24 by 24 by 24 in f64 took twice its time in 2 runs of 36. Why is not
/// known; where the memory lies decides it.)
const LEAST: usize = 4 * 1024;
/// The most bytes of A, B and C together: as much again must fit the first cache.
const MOST: usize = 16 * 1024;

/// How often a tile asks.
#[derive(Clone, Copy)]
pub(crate) struct Pace {
    /// Lines of each operand at a time; 0 for never.
    pub(crate) lines: usize,
    /// Steps from one time to the next.
    pub(crate) every: usize,
}

impl Pace {
    /// Never.
    pub(crate) const NEVER: Self = Self { lines: 0, every: 1 };

    /// The pace of a product of elements of some bytes that is made in `steps` steps.
    pub(crate) const fn new(modes: &Modes, element: usize, steps: usize) -> Self {
        let Modes { am, ak, bk, bn, cm, cn, m, n, k } = modes;
        let compact = am.last() + ak.last() + 1 == *m * *k
            && bk.last() + bn.last() + 1 == *k * *n
            && cm.last() + cn.last() + 1 == *m * *n;
        let bytes = (*m * *k + *k * *n + *m * *n) * element;
        if !compact || bytes < LEAST || bytes > MOST {
            return Self::NEVER;
        }
        let largest = max(*m * *k, max(*k * *n, *m * *n));
        let lines = (largest * element).div_ceil(LINE);
        // A step has room for a line of each; a matrix times a vector has more lines than steps.
        if lines > steps {
            return Self::NEVER;
        }
        Self { lines: 1, every: steps / lines }
    }
}

/// The next lines to ask for, of each operand.
pub(crate) struct Ahead {
    places: [*const u8; 3],
}

impl Ahead {
    /// For operands that start here.
    #[inline(always)]
    pub(crate) fn new<T>(a: *const T, b: *const T, c: *const T) -> Self {
        Self { places: [a, b, c].map(|p| p.cast::<u8>().wrapping_add(DISTANCE)) }
    }

    /// Asks for some lines of each.
    #[inline(always)]
    pub(crate) fn ask(&mut self, lines: usize) {
        for place in &mut self.places {
            for _ in 0..lines {
                prefetch(*place);
                *place = place.wrapping_add(LINE);
            }
        }
    }
}

const fn max(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}
