//! Bounded sums: counters whose weighted sum is a given target.
//!
//! Two questions reduce to this problem: whether two coordinates collide, and which coordinate has
//! an offset. In general it is a knapsack problem, for which no fast algorithm is known. Layouts in
//! practice are solved without a search: counters that run through one range together are merged,
//! and each counter is narrowed to the reach of the others and to the residue class that their
//! common divisor leaves. The rest is searched, up to a limit.

use crate::engine::distribute::gcd;
use crate::engine::int_tuple::MAX_LEAVES;

/// The result of a search for a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// The target is a sum.
    Found,
    /// The target is not a sum.
    Absent,
    /// The search reached its limit without an answer.
    Open,
}

/// The maximum number of search steps: about 0.1 s.
pub(crate) const STEPS: usize = 1 << 20;

/// The counters still to be found. Each runs over `0..=most` and adds `stride` per step.
#[derive(Clone, Copy)]
pub(crate) struct Counters {
    len: usize,
    stride: [usize; MAX_LEAVES],
    most: [usize; MAX_LEAVES],
    /// The original counter `place` is `first + step * counter`.
    place: [usize; MAX_LEAVES],
    first: [usize; MAX_LEAVES],
    step: [usize; MAX_LEAVES],
}

/// A merge of two counters: `gone` is absorbed into `kept`; one step of it is `ratio` steps of
/// `kept`.
#[derive(Clone, Copy)]
struct Merge {
    kept: usize,
    gone: usize,
    ratio: usize,
    most: usize,
}

impl Counters {
    pub(crate) const NONE: Self = Self {
        len: 0,
        stride: [0; MAX_LEAVES],
        most: [0; MAX_LEAVES],
        place: [0; MAX_LEAVES],
        first: [0; MAX_LEAVES],
        step: [0; MAX_LEAVES],
    };

    /// Adds a counter over `0..=most`. Its stride is above 0 and not below the strides before.
    ///
    /// The caller guarantees that the sum of all counters at their maximum fits in a `usize`.
    pub(crate) const fn push(&mut self, most: usize, stride: usize) {
        let k = self.len;
        self.stride[k] = stride;
        self.most[k] = most;
        self.place[k] = k;
        self.first[k] = 0;
        self.step[k] = 1;
        self.len += 1;
    }

    /// Finds counters whose sum is `target`, in the order in which they were pushed.
    pub(crate) const fn find(
        mut self,
        target: usize,
        steps: &mut usize,
        found: &mut [usize; MAX_LEAVES],
    ) -> Answer {
        let mut merges = [Merge { kept: 0, gone: 0, ratio: 0, most: 0 }; MAX_LEAVES];
        let mut count = 0;
        while let Some(merge) = self.merge() {
            merges[count] = merge;
            count += 1;
        }
        let answer = self.search(target, steps, found);
        while count > 0 {
            count -= 1;
            let Merge { kept, gone, ratio, most } = merges[count];
            let both = found[kept];
            found[gone] = if both / ratio < most { both / ratio } else { most };
            found[kept] = both - found[gone] * ratio;
        }
        answer
    }

    /// Merges two counters that run through one range together: the larger stride is a multiple of
    /// the smaller one, and at most one step beyond the reach of the smaller one.
    const fn merge(&mut self) -> Option<Merge> {
        let mut j = 1;
        while j < self.len {
            repeat!(i, 0..j, {
                let ratio = self.stride[j] / self.stride[i];
                if self.stride[j].is_multiple_of(self.stride[i]) && ratio - 1 <= self.most[i] {
                    let (kept, gone, most) = (self.place[i], self.place[j], self.most[j]);
                    self.most[i] += ratio * most;
                    self.remove(j);
                    return Some(Merge { kept, gone, ratio, most });
                }
            });
            j += 1;
        }
        None
    }

    const fn remove(&mut self, k: usize) {
        self.len -= 1;
        repeat!(i, k..self.len, {
            self.stride[i] = self.stride[i + 1];
            self.most[i] = self.most[i + 1];
            self.place[i] = self.place[i + 1];
            self.first[i] = self.first[i + 1];
            self.step[i] = self.step[i + 1];
        });
    }

    const fn search(
        mut self,
        mut target: usize,
        steps: &mut usize,
        found: &mut [usize; MAX_LEAVES],
    ) -> Answer {
        if !self.narrow(&mut target, found) {
            return Answer::Absent;
        }
        self.sort();
        Levels::new(&self).walk(&self, self.len, target, steps, found)
    }

    /// Sorts the counters by stride. `narrow` may have increased the strides.
    const fn sort(&mut self) {
        repeat!(i, 1..self.len, {
            let mut k = i;
            while k > 0 && self.stride[k - 1] > self.stride[k] {
                self.stride.swap(k - 1, k);
                self.most.swap(k - 1, k);
                self.place.swap(k - 1, k);
                self.first.swap(k - 1, k);
                self.step.swap(k - 1, k);
                k -= 1;
            }
        });
    }

    /// Restricts each counter to the values that the reach and the common divisor of the others
    /// allow, until nothing changes. A counter with one value left is found. Returns false if a
    /// counter has no value left.
    const fn narrow(&mut self, target: &mut usize, found: &mut [usize; MAX_LEAVES]) -> bool {
        let mut changed = true;
        while changed && self.len > 0 {
            changed = false;
            let (mut reach, mut k) = (0, 0);
            // The common divisors of the strides from k on.
            let mut behind = [0; MAX_LEAVES + 1];
            while k < self.len {
                reach += self.most[k] * self.stride[k];
                let back = self.len - 1 - k;
                behind[back] = gcd(self.stride[back], behind[back + 1]);
                k += 1;
            }
            let mut before = 0;
            k = 0;
            while k < self.len {
                let (stride, most) = (self.stride[k], self.most[k]);
                let others = reach - most * stride;
                let divisor = gcd(before, behind[k + 1]);
                let common = gcd(divisor, stride);
                before = gcd(before, stride);
                if *target > reach || !target.is_multiple_of(common) {
                    return false;
                }
                let mut last = *target / stride;
                if last > most {
                    last = most;
                }
                let mut from = target.saturating_sub(others).div_ceil(stride);
                // Only every `by`th value makes the rest a multiple of the common divisor of the
                // others.
                let by = if divisor == 0 { 1 } else { divisor / common };
                if from > last {
                    return false;
                }
                if by > 1 {
                    let residue = solve(stride / common, *target / common, by);
                    from += (residue + by - from % by) % by;
                    if from > last {
                        return false;
                    }
                    last -= (last - from) % by;
                }
                changed |= from > 0 || last < most || by > 1;
                *target -= from * stride;
                self.first[k] += from * self.step[k];
                self.most[k] = (last - from) / by;
                if self.most[k] > 0 {
                    self.stride[k] = stride * by;
                    self.step[k] *= by;
                }
                reach = others + self.most[k] * self.stride[k];
                k += 1;
            }
            k = self.len;
            while k > 0 {
                k -= 1;
                if self.most[k] == 0 {
                    found[self.place[k]] = self.first[k];
                    self.remove(k);
                }
            }
        }
        self.len > 0 || *target == 0
    }
}

/// For each counter, by rising stride, precomputed facts about the counters below it.
struct Levels {
    /// The sum of the first `k` counters at their maximum.
    reach: [usize; MAX_LEAVES + 1],
    /// The greatest common divisor of the first `k` strides.
    divisor: [usize; MAX_LEAVES + 1],
    /// The greatest common divisor of stride `k` and the strides below it.
    common: [usize; MAX_LEAVES],
    /// Only every `by`th value of counter `k` makes the rest a multiple of the divisor below it.
    by: [usize; MAX_LEAVES],
    /// The first such value, for a target of `common`.
    residue: [usize; MAX_LEAVES],
}

impl Levels {
    const fn new(counters: &Counters) -> Self {
        let mut levels = Self {
            reach: [0; MAX_LEAVES + 1],
            divisor: [0; MAX_LEAVES + 1],
            common: [1; MAX_LEAVES],
            by: [1; MAX_LEAVES],
            residue: [0; MAX_LEAVES],
        };
        repeat!(k, 0..counters.len, {
            let stride = counters.stride[k];
            let (reach, divisor) = (levels.reach[k], levels.divisor[k]);
            let common = gcd(divisor, stride);
            levels.reach[k + 1] = reach + counters.most[k] * stride;
            levels.divisor[k + 1] = common;
            levels.common[k] = common;
            if divisor > common {
                levels.by[k] = divisor / common;
                levels.residue[k] = solve(stride / common, 1, divisor / common);
            }
        });
        levels
    }

    /// Finds the first `n` counters, from the largest stride down. Precondition: the target is
    /// within their reach and a multiple of their common divisor. `narrow` establishes this for the
    /// first call, and each step only tries values that keep it.
    const fn walk(
        &self,
        counters: &Counters,
        n: usize,
        target: usize,
        steps: &mut usize,
        found: &mut [usize; MAX_LEAVES],
    ) -> Answer {
        if n == 0 {
            return if target == 0 { Answer::Found } else { Answer::Absent };
        }
        let k = n - 1;
        let stride = counters.stride[k];
        let mut at = target.saturating_sub(self.reach[k]).div_ceil(stride);
        let mut last = target / stride;
        if last > counters.most[k] {
            last = counters.most[k];
        }
        let by = self.by[k];
        if by > 1 {
            let residue = multiply(self.residue[k], target / self.common[k], by);
            at += (residue + by - at % by) % by;
        }
        while at <= last {
            if *steps == 0 {
                return Answer::Open;
            }
            *steps -= 1;
            found[counters.place[k]] = counters.first[k] + counters.step[k] * at;
            match self.walk(counters, k, target - at * stride, steps, found) {
                Answer::Absent => at += by,
                answer => return answer,
            }
        }
        Answer::Absent
    }
}

const fn multiply(a: usize, b: usize, modulus: usize) -> usize {
    (a as u128 * (b % modulus) as u128 % modulus as u128) as usize
}

/// The `x` below `modulus` with `a * x = b (mod modulus)`, for an `a` coprime to it.
const fn solve(a: usize, b: usize, modulus: usize) -> usize {
    let m = modulus as i128;
    // Extended Euclid; the factors of `a` are tracked along with the remainders.
    let (mut left, mut right) = (m, (a % modulus) as i128);
    let (mut x, mut y) = (0i128, 1i128);
    while right > 0 {
        let quotient = left / right;
        (left, right) = (right, left % right);
        (x, y) = (y, x - quotient * y);
    }
    multiply(x.rem_euclid(m) as usize, b, modulus)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    struct Random(u64);

    impl Random {
        fn below(&mut self, n: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((self.0 >> 33) as usize) % n
        }
    }

    /// Every target for random counters, compared with brute force.
    #[test]
    fn finds_a_sum_exactly_if_one_exists() {
        let mut random = Random(3);
        for round in 0..3000 {
            // Rounds with common divisors, with overlaps, and with neither.
            let factors: &[usize] =
                [&[1, 2, 4, 6, 12][..], &[1, 2, 3, 5], &[1, 7, 11, 13]][round % 3];
            let mut parts: Vec<(usize, usize)> = (0..1 + random.below(5))
                .map(|_| {
                    (random.below(4), factors[random.below(factors.len())] * (1 + random.below(9)))
                })
                .collect();
            parts.sort_by_key(|part| part.1);
            let mut counters = Counters::NONE;
            let mut sums = HashSet::from([0]);
            for &(most, stride) in &parts {
                counters.push(most, stride);
                sums = sums.iter().flat_map(|s| (0..=most).map(move |x| s + x * stride)).collect();
            }
            for target in 0..sums.iter().max().unwrap() + 2 {
                let (mut found, mut steps) = ([0; MAX_LEAVES], STEPS);
                let answer = counters.find(target, &mut steps, &mut found);
                let expected = if sums.contains(&target) { Answer::Found } else { Answer::Absent };
                assert_eq!(answer, expected, "{target} of {parts:?}");
                if answer == Answer::Found {
                    let sum: usize = parts.iter().zip(found).map(|((_, d), x)| d * x).sum();
                    assert_eq!(sum, target, "{found:?} of {parts:?}");
                    assert!(parts.iter().zip(found).all(|((most, _), x)| x <= *most), "{parts:?}");
                }
            }
        }
    }

    /// The structures of common layouts need no search step.
    #[test]
    fn common_structure_needs_no_search() {
        for parts in [
            // Overlapping windows.
            &[(2, 1), (27, 2), (2, 56), (27, 112)][..],
            // Padded rows with two modes whose ranges overlap.
            &[(7, 1), (7, 9), (7, 36), (7, 1000)],
            // Residues: 15 x + 10 y + 6 z.
            &[(4, 6), (2, 10), (1, 15)],
        ] {
            let mut counters = Counters::NONE;
            let mut most = 0;
            for &(count, stride) in parts {
                counters.push(count, stride);
                most += count * stride;
            }
            for target in 0..=most {
                let mut steps = 0;
                let answer = counters.find(target, &mut steps, &mut [0; MAX_LEAVES]);
                assert_ne!(answer, Answer::Open, "{target} of {parts:?}");
            }
        }
    }
}
