//! The loops of a plan.

use super::nest::Loop;

/// Runs `$body` with the source and the destination offset of each turn of the loops.
///
/// A macro, because a closure that is not inlined is compiled without the instructions of the
/// level.
macro_rules! each {
    ($loops:expr, |$s:ident, $d:ident| $body:expr) => {{
        let loops: &[$crate::copy::Loop] = $loops;
        let count = loops.len();
        // The four innermost loops; where there are fewer, the outer ones run once.
        let (l3, l2, l1, l0) = (
            $crate::copy::loops::nth_inner(loops, 3),
            $crate::copy::loops::nth_inner(loops, 2),
            $crate::copy::loops::nth_inner(loops, 1),
            $crate::copy::loops::nth_inner(loops, 0),
        );
        // More loops than four are rare: count through the outer ones in mixed radix.
        let outer = loops.split_at(count.saturating_sub(4)).0;
        for turn in 0..$crate::copy::loops::turns(outer) {
            let (s3, d3) = $crate::copy::loops::mixed_radix(outer, turn);
            for i in 0..l3.extent {
                let (s2, d2) = (s3 + i * l3.source, d3 + i * l3.destination);
                for i in 0..l2.extent {
                    let (s1, d1) = (s2 + i * l2.source, d2 + i * l2.destination);
                    for i in 0..l1.extent {
                        let (s0, d0) = (s1 + i * l1.source, d1 + i * l1.destination);
                        for i in 0..l0.extent {
                            let ($s, $d) = (s0 + i * l0.source, d0 + i * l0.destination);
                            $body
                        }
                    }
                }
            }
        }
    }};
}

#[inline(always)]
pub(super) fn nth_inner(loops: &[Loop], n: usize) -> Loop {
    if n < loops.len() { loops[loops.len() - 1 - n] } else { Loop::ONCE }
}

#[inline(always)]
pub(super) fn turns(loops: &[Loop]) -> usize {
    let mut turns = 1;
    for each in loops {
        turns *= each.extent;
    }
    turns
}

/// The offsets of turn `turn` of nested loops.
#[inline(always)]
pub(super) fn mixed_radix(loops: &[Loop], mut turn: usize) -> (usize, usize) {
    let (mut source, mut destination) = (0, 0);
    for each in loops.iter().rev() {
        let digit = turn % each.extent;
        turn /= each.extent;
        source += digit * each.source;
        destination += digit * each.destination;
    }
    (source, destination)
}

pub(super) use each;
