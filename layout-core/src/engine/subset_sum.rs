//! Bounded sums: counters whose weighted sum is a given target.
//!
//! Whether two coordinates meet, and which coordinate has an offset, are both questions of this
//! kind. In general it is a knapsack problem: no fast algorithm is known. Layouts that
//! people write are solved without a search: by merging counters that run through one range
//! together, and by narrowing each counter to what the others can reach and to the residue that
//! their common divisor leaves it. What is left is searched, within a limit.

use crate::engine::distribute::gcd;
use crate::engine::int_tuple::MAX_LEAVES;

/// What is known about a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// The target is a sum.
    Found,
    /// The target is not a sum.
    Absent,
    /// The search reached its limit.
    Open,
}

/// How many steps a search may make: about 0.1 s.
pub(crate) const STEPS: usize = 1 << 20;

/// Counters that are still to be found. Each runs over `0..=most` and adds `stride` with each step.
#[derive(Clone, Copy)]
pub(crate) struct Counters {
    len: usize,
    stride: [usize; MAX_LEAVES],
    most: [usize; MAX_LEAVES],
    /// The counter `place` that was asked for is `first + step * counter`.
    place: [usize; MAX_LEAVES],
    first: [usize; MAX_LEAVES],
    step: [usize; MAX_LEAVES],
}

/// The counter `gone` runs within `kept` from now on, as `ratio` steps of it.
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

    /// One more counter over `0..=most`, with a stride above 0 and not below those before.
    ///
    /// The sum of all counters at their most fits in a `usize`.
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

    /// Merges two counters that run through one range together: steps of the larger stride are no
    /// longer than the smaller one reaches, and whole steps of it.
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

    /// Orders the counters by their strides, which `narrow` made longer.
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

    /// Leaves each counter only the values that the reach and the common divisor of the others
    /// allow, until nothing changes; those with one value are found. Whether there are any.
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
                // Every `by`th value leaves the others a multiple of their common divisor.
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

/// What the search knows of the counters below each one, by rising stride.
struct Levels {
    /// The sum of the first `k` counters at their most.
    reach: [usize; MAX_LEAVES + 1],
    /// The common divisor of the first `k` strides.
    divisor: [usize; MAX_LEAVES + 1],
    /// The divisor that counter `k` has in common with those.
    common: [usize; MAX_LEAVES],
    /// Every `by`th value of counter `k` leaves those a multiple of their common divisor.
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

    /// Finds the first `n` counters, from the largest stride on. They reach the target, and it is a
    /// multiple of their common divisor: so it is for the first call after `narrow`, and each step
    /// tries no other values.
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

/// The `x` below `modulus` with `a * x = b` in it, for an `a` that has no divisor in common with it.
const fn solve(a: usize, b: usize, modulus: usize) -> usize {
    let m = modulus as i128;
    // Euclid's algorithm, with the factors of `a` in what is left.
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

    /// All targets of random counters, against the sums of all their values.
    #[test]
    fn what_is_found_is_a_sum_and_what_is_not_is_none() {
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

    /// What layouts are made of needs no step of a search.
    #[test]
    fn common_structure_needs_no_search() {
        for parts in [
            // Windows that overlap.
            &[(2, 1), (27, 2), (2, 56), (27, 112)][..],
            // Padded rows, two of whose modes run into each other.
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
