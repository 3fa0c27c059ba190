//! Affine maps as layouts: sums of dimensions and of digits of dimensions.
//!
//! `d0 floordiv 32` and `d0 mod 32` are digits of `d0`. A dimension is split into modes where a
//! digit begins. The stride of a mode is the sum over the results that contain its digit. If there
//! are several results, they are the dimensions of a row-major buffer, each as large as its values
//! require.

use super::mlir::{Modes, Strided};
use super::{Read, Reader};
use layout_core::error::NotationError;
use layout_core::excerpt::Excerpt;

/// `coefficient * ((d floordiv divisor) mod modulus)`; modulus 0 means no modulus.
#[derive(Clone, Copy)]
struct Digit {
    dimension: usize,
    divisor: isize,
    modulus: isize,
    coefficient: isize,
}

/// One result: a sum.
struct AffineSum {
    digits: Vec<Digit>,
    constant: isize,
}

/// `(d0, d1) -> (d0 floordiv 32, d1)`
pub(super) struct AffineMap {
    names: Vec<String>,
    results: Vec<AffineSum>,
}

impl AffineMap {
    pub(super) const fn rank(&self) -> usize {
        self.names.len()
    }
}

impl Reader<'_> {
    /// `affine_map<(d0, d1) -> (d0 * 8 + d1)>`
    pub(super) fn affine_map(&mut self) -> Read<AffineMap> {
        self.at += 2;
        if !self.is_symbol(0, '(') {
            return self.fail_expected("dimensions, such as (d0, d1)");
        }
        let names = self.list(')', "`,` or `)`", |reader| match reader.word(0) {
            Some(name) => {
                reader.at += 1;
                Some(String::from(name))
            }
            None => reader.fail_expected("a dimension, such as d0"),
        })?;
        if self.is_symbol(0, '[') {
            return self.fail_expected("`->`: symbols, such as s0, are known at run time only");
        }
        self.expect_symbol('-', "`->`")?;
        self.expect_symbol('>', "`->`")?;
        if !self.is_symbol(0, '(') {
            return self.fail_expected("the results of the map in parentheses");
        }
        let results = self.list(')', "`,` or `)`", |reader| reader.sum(&names))?;
        self.expect_symbol('>', "`>`")?;
        Some(AffineMap { names, results })
    }

    fn sum(&mut self, names: &[String]) -> Read<AffineSum> {
        let mut sum = AffineSum { digits: Vec::new(), constant: 0 };
        let mut sign = 1;
        loop {
            self.product(names, sign, &mut sum)?;
            sign = match () {
                () if self.skip_symbol('+') => 1,
                () if self.is_symbol(0, '-') => {
                    self.at += 1;
                    -1
                }
                () => return Some(sum),
            };
        }
    }

    /// `d0 floordiv 4 mod 8 * 3`, `3 * d0` or `3`
    fn product(&mut self, names: &[String], sign: isize, sum: &mut AffineSum) -> Read {
        let (start, mut factor) = (self.at, sign);
        let mut digit: Option<Digit> = None;
        loop {
            if self.skip_symbol('-') {
                factor = -factor;
            }
            if self.is_symbol(0, '(') {
                self.at += 1;
                let inner = self.nested(|reader| reader.sum(names))?;
                self.expect_symbol(')', "`)`")?;
                match (digit, &inner.digits[..], inner.constant) {
                    (None, &[only], 0) => digit = Some(only),
                    _ => return self.fail_not_digit(start),
                }
            } else if let Some(name) = self.word(0) {
                let Some(dimension) = names.iter().position(|known| known == name) else {
                    return self.fail_expected("a dimension of the map");
                };
                if digit.is_some() {
                    return self.fail_not_digit(start);
                }
                self.at += 1;
                digit = Some(Digit { dimension, divisor: 1, modulus: 0, coefficient: 1 });
            } else {
                let number = self.number("a dimension or a number")?;
                factor = match factor.checked_mul(number) {
                    Some(factor) => factor,
                    None => return self.fail_not_digit(start),
                };
            }
            while let Some(operator @ ("floordiv" | "mod" | "ceildiv")) = self.word(0) {
                self.at += 1;
                if operator == "ceildiv" {
                    return self.fail_not_digit(start);
                }
                let divisor = self.number("a number")?;
                let Some(d) = digit.as_mut().filter(|d| divisor > 0 && d.coefficient == 1) else {
                    return self.fail_not_digit(start);
                };
                if operator == "mod" {
                    d.modulus = if d.modulus == 0 { divisor } else { d.modulus.min(divisor) };
                    // `d mod 12 mod 8` is not a digit.
                    continue;
                }
                if d.modulus > 0 {
                    if d.modulus % divisor > 0 {
                        return self.fail_not_digit(start);
                    }
                    d.modulus /= divisor;
                }
                match d.divisor.checked_mul(divisor) {
                    Some(divisor) => d.divisor = divisor,
                    None => return self.fail_not_digit(start),
                }
            }
            if !self.skip_symbol('*') {
                break;
            }
        }
        match digit {
            Some(d) => match d.coefficient.checked_mul(factor) {
                Some(coefficient) => sum.digits.push(Digit { coefficient, ..d }),
                None => return self.fail_not_digit(start),
            },
            None => match sum.constant.checked_add(factor) {
                Some(constant) => sum.constant = constant,
                None => return self.fail_not_digit(start),
            },
        }
        Some(())
    }

    fn fail_not_digit<T>(&mut self, start: usize) -> Read<T> {
        let span = self.range_since(start);
        self.fail(span, NotationError::MapTerm)
    }

    /// The modes and strides of a map for the given extents.
    pub(super) fn lay_out_map(
        &mut self,
        start: usize,
        map: AffineMap,
        extents: &[Modes],
    ) -> Read<(Vec<Modes>, Strided)> {
        let extents: Vec<_> = extents.iter().map(|modes| modes.0[0]).collect();
        match map.lay_out(&extents) {
            Ok(placed) => Some(placed),
            Err(error) => {
                let span = self.range_since(start);
                self.fail(span, error)
            }
        }
    }
}

impl AffineMap {
    fn lay_out(&self, extents: &[Option<isize>]) -> Result<(Vec<Modes>, Strided), NotationError> {
        let too_large = || NotationError::IntegerTooLarge { text: Excerpt::new("a stride") };
        // The stride of each result in memory.
        let mut steps = Vec::from_iter(self.results.iter().map(|_| 1isize));
        for i in (1..self.results.len()).rev() {
            let size = self.results[i].largest(extents)?.checked_add(1).ok_or_else(too_large)?;
            steps[i - 1] = steps[i].checked_mul(size).ok_or_else(too_large)?;
        }
        let digits: Vec<_> = (self.results.iter().zip(&steps))
            .flat_map(|(sum, &step)| sum.digits.iter().map(move |&digit| (digit, step)))
            .collect();
        let (mut modes, mut strides) = (Vec::new(), Vec::new());
        for (d, &extent) in extents.iter().enumerate() {
            let dimension_digits: Vec<_> =
                digits.iter().filter(|(digit, _)| digit.dimension == d).collect();
            let boundaries =
                boundaries(d, extent, dimension_digits.iter().map(|(digit, _)| *digit))?;
            let mut mode_extents = Vec::new();
            for (i, &low) in boundaries.iter().enumerate() {
                let high = boundaries.get(i + 1).copied();
                mode_extents.push(match (high, extent) {
                    (Some(high), _) => Some(high / low),
                    (None, Some(extent)) => Some(extent / low),
                    (None, None) => None,
                });
                let mut stride = 0isize;
                for (digit, step) in &dimension_digits {
                    let end = digit.divisor.saturating_mul(digit.modulus);
                    if digit.divisor <= low && (digit.modulus == 0 || low < end) {
                        let weight = (low / digit.divisor)
                            .checked_mul(digit.coefficient)
                            .and_then(|weight| weight.checked_mul(*step))
                            .and_then(|weight| stride.checked_add(weight));
                        stride = weight.ok_or_else(too_large)?;
                    }
                }
                strides.push(Some(stride));
            }
            modes.push(Modes(mode_extents));
        }
        let mut offset = 0isize;
        for (sum, step) in self.results.iter().zip(&steps) {
            offset = (sum.constant.checked_mul(*step))
                .and_then(|more| offset.checked_add(more))
                .ok_or_else(too_large)?;
        }
        Ok((modes, Strided { strides, offset: Some(offset) }))
    }
}

impl AffineSum {
    /// The largest value, which is the last index of a dimension of the buffer.
    fn largest(&self, extents: &[Option<isize>]) -> Result<isize, NotationError> {
        let mut largest = self.constant;
        for digit in &self.digits {
            if digit.coefficient < 0 {
                return Err(NotationError::MapTerm);
            }
            let known = extents[digit.dimension].map(|extent| (extent - 1).max(0) / digit.divisor);
            let last = match (known, digit.modulus) {
                (Some(last), 0) => last,
                (Some(last), modulus) => last.min(modulus - 1),
                (None, modulus @ 1..) => modulus - 1,
                (None, _) => return Err(NotationError::MapShape { dimension: digit.dimension }),
            };
            largest = last
                .checked_mul(digit.coefficient)
                .and_then(|value| largest.checked_add(value))
                .ok_or(NotationError::IntegerTooLarge { text: Excerpt::new("a result") })?;
        }
        Ok(largest)
    }
}

/// The boundaries of the digits of a dimension, from 1 up.
fn boundaries(
    dimension: usize,
    extent: Option<isize>,
    digits: impl Iterator<Item = Digit>,
) -> Result<Vec<isize>, NotationError> {
    let mut boundaries = Vec::from([1]);
    for digit in digits {
        boundaries.push(digit.divisor);
        if digit.modulus > 0 {
            boundaries.push(digit.divisor.saturating_mul(digit.modulus));
        }
    }
    boundaries.sort_unstable();
    boundaries.dedup();
    // A digit that begins beyond the last index is always 0.
    if let Some(extent) = extent {
        boundaries.retain(|&boundary| boundary == 1 || boundary < extent);
    }
    let pairs = boundaries.iter().zip(boundaries.iter().skip(1).copied().chain(extent));
    for (&low, high) in pairs {
        if high % low > 0 {
            return Err(NotationError::MapDigit { dimension, low, high });
        }
    }
    Ok(boundaries)
}
