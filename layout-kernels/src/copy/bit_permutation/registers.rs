//! The shuffle network in AVX2 registers.

use core::arch::x86_64::*;

use super::super::exec::nest;
use super::super::refine::{Loop, nth_inner};
use super::{LANE_BITS, Network, WORD};

/// Maximum registers of a network.
const MAX_REGISTERS: usize = 1 << LANE_BITS;

/// Runs a network in each iteration of the loops, whose strides count words.
///
/// # Safety
///
/// The CPU must have AVX2. In each iteration, the eight words of each register of the network must be
/// readable and initialised in the source, and writable in the destination. The memories must not
/// overlap.
pub(super) unsafe fn run(
    network: &Network,
    loops: &[Loop],
    source: *const u8,
    destination: *mut u8,
) {
    let (outer, inner) = loops.split_at(loops.len().saturating_sub(2));
    let inner = [nth_inner(inner, 1).times(WORD), nth_inner(inner, 0).times(WORD)];
    let run = match network.stages {
        0 => run_network::<1>,
        1 => run_network::<2>,
        2 => run_network::<4>,
        _ => run_network::<8>,
    };
    nest(outer, WORD, source, destination, &mut |from, to| {
        // SAFETY: pointers of one iteration of the loops. The caller guarantees AVX2.
        unsafe { run(network, inner, from, to) };
    });
}

/// Runs a network of `REGISTERS` registers in two loops, whose strides are in bytes.
///
/// # Safety
///
/// Same conditions as [`run`].
#[target_feature(enable = "avx2")]
unsafe fn run_network<const REGISTERS: usize>(
    network: &Network,
    [outer, inner]: [Loop; 2],
    source: *const u8,
    destination: *mut u8,
) {
    let (mut loads, mut stores) = ([0; MAX_REGISTERS], [0; MAX_REGISTERS]);
    for register in 0..REGISTERS {
        for stage in (0..network.stages).filter(|stage| register >> stage & 1 == 1) {
            loads[register] += network.loads[stage];
            stores[register] += network.stores[stage];
        }
    }
    // Index of the word that goes to each position of a register.
    let mut indices = [0i32; 8];
    for (position, from) in indices.iter_mut().enumerate() {
        for (lane_bit, at) in network.order.iter().enumerate() {
            *from |= ((position >> lane_bit & 1) << at) as i32;
        }
    }
    let is_identity = indices == [0, 1, 2, 3, 4, 5, 6, 7];
    // SAFETY: the array has eight elements.
    let indices = unsafe { _mm256_loadu_si256(indices.as_ptr().cast()) };
    for i in 0..outer.extent {
        let mut from = source.wrapping_add(i * outer.source);
        let mut to = destination.wrapping_add(i * outer.destination);
        for _ in 0..inner.extent {
            let mut r = [_mm256_setzero_si256(); REGISTERS];
            for k in 0..REGISTERS {
                // SAFETY: the words of a register, in this iteration.
                r[k] = unsafe { _mm256_loadu_si256(from.wrapping_add(loads[k]).cast()) };
            }
            for stage in 0..const { REGISTERS.ilog2() as usize } {
                r = match network.exchanged[stage] {
                    0 => combine_pairs(r, stage, |a, b| even(a, b), |a, b| odd(a, b)),
                    1 => combine_pairs(
                        r,
                        stage,
                        |a, b| _mm256_unpacklo_epi64(a, b),
                        |a, b| _mm256_unpackhi_epi64(a, b),
                    ),
                    _ => combine_pairs(
                        r,
                        stage,
                        |a, b| _mm256_permute2x128_si256::<0x20>(a, b),
                        |a, b| _mm256_permute2x128_si256::<0x31>(a, b),
                    ),
                };
            }
            for k in 0..REGISTERS {
                let all =
                    if is_identity { r[k] } else { _mm256_permutevar8x32_epi32(r[k], indices) };
                // SAFETY: the words of a register, in this iteration.
                unsafe { _mm256_storeu_si256(to.wrapping_add(stores[k]).cast(), all) };
            }
            from = from.wrapping_add(inner.source);
            to = to.wrapping_add(inner.destination);
        }
    }
}

/// Combines each pair of registers whose indices differ in `bit`: the first becomes `low`, the second
/// `high`.
#[inline]
#[target_feature(enable = "avx2")]
fn combine_pairs<const REGISTERS: usize>(
    mut r: [__m256i; REGISTERS],
    bit: usize,
    low: impl Fn(__m256i, __m256i) -> __m256i,
    high: impl Fn(__m256i, __m256i) -> __m256i,
) -> [__m256i; REGISTERS] {
    for k in 0..REGISTERS {
        if k >> bit & 1 == 0 {
            let (a, b) = (r[k], r[k | 1 << bit]);
            (r[k], r[k | 1 << bit]) = (low(a, b), high(a, b));
        }
    }
    r
}

/// In each 128-bit half: the even words of `a`, then those of `b`.
#[inline]
#[target_feature(enable = "avx2")]
fn even(a: __m256i, b: __m256i) -> __m256i {
    let (a, b) = (_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
    _mm256_castps_si256(_mm256_shuffle_ps::<0x88>(a, b))
}

/// In each 128-bit half: the odd words of `a`, then those of `b`.
#[inline]
#[target_feature(enable = "avx2")]
fn odd(a: __m256i, b: __m256i) -> __m256i {
    let (a, b) = (_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
    _mm256_castps_si256(_mm256_shuffle_ps::<0xdd>(a, b))
}
