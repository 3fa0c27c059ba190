//! Linear layouts of Triton: where each bit of a register, lane, warp or block goes.
//!
//! The value at an index is the XOR of the bases of its bits. Where no two bases share a bit, the XOR
//! is a sum, and the sum is a layout of coordinates.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Read, Reader};
use crate::error::NotationError;

impl Reader<'_> {
    /// `None` when no linear layout is here.
    pub(super) fn triton(&mut self) -> Option<Read> {
        let start = self.at;
        let dialect = matches!(self.word(1), Some("ttg" | "triton_gpu"));
        let ahead = if self.is(0, '#') && dialect && self.is(2, '.') && self.is_name(3, "linear") {
            5
        } else if self.is(0, '{') && matches!(self.word(1), Some("register" | "lane")) {
            0
        } else {
            return None;
        };
        self.at += ahead;
        let read = self.bases().and_then(|bases| {
            if ahead > 0 {
                self.need('>', "`>`")?;
            }
            self.write_bases(start, &bases)
        });
        Some(read)
    }

    /// `{register = [[0, 1], [8, 0]], lane = [], ..}`
    fn bases(&mut self) -> Read<Vec<Vec<Vec<isize>>>> {
        if !self.is(0, '{') {
            return self.expected("bases in braces");
        }
        self.list('}', "`,` or `}`", |reader| {
            if reader.word(0).is_none() {
                return reader.expected("a dimension, such as register");
            }
            reader.at += 1;
            if !reader.skip('=') {
                reader.need(':', "`=`")?;
            }
            if !reader.is(0, '[') {
                return reader.expected("a list of bases");
            }
            reader.list(']', "`,` or `]`", |reader| {
                if !reader.is(0, '[') {
                    return reader.expected("a basis, such as [0, 1]");
                }
                reader.list(']', "`,` or `]`", |reader| reader.number("a coordinate"))
            })
        })
    }

    fn write_bases(&mut self, start: usize, bases: &[Vec<Vec<isize>>]) -> Read {
        let place = self.since(start);
        let rank = bases.iter().flatten().next().map_or(0, Vec::len);
        let mut used = Vec::from_iter((0..rank).map(|_| 0isize));
        for basis in bases.iter().flatten() {
            if basis.len() != rank {
                let (dimensions, strides) = (rank, basis.len());
                return self.fail(place, NotationError::StridesRank { dimensions, strides });
            }
            for (used, &bits) in used.iter_mut().zip(basis) {
                if bits < 0 {
                    return self.fail(place, NotationError::Negative);
                }
                if *used & bits != 0 {
                    let bit = (*used & bits).trailing_zeros();
                    return self.fail(place, NotationError::SharedBit { bit });
                }
                *used |= bits;
            }
        }
        let (mut shape, mut stride) = (String::from("("), String::from("("));
        for (i, bases) in bases.iter().enumerate() {
            let modes = runs(bases);
            let comma = if i > 0 { "," } else { "" };
            let extents: Vec<_> = modes.iter().map(|(extent, _)| format!("{extent}")).collect();
            let steps: Vec<_> = modes.iter().map(|(_, step)| vector(step)).collect();
            let (extents, steps) = match modes.len() {
                0 => (String::from("1"), String::from("0")),
                1 => (extents.concat(), steps.concat()),
                _ => (format!("({})", extents.join(",")), format!("({})", steps.join(","))),
            };
            shape.push_str(&format!("{comma}{extents}"));
            stride.push_str(&format!("{comma}{steps}"));
        }
        self.write(&format!("{shape}):{stride})"), &place);
        Some(())
    }
}

/// Bases that double from one to the next are one mode.
fn runs(bases: &[Vec<isize>]) -> Vec<(usize, Vec<isize>)> {
    let mut modes: Vec<(usize, Vec<isize>)> = Vec::new();
    for basis in bases {
        if let Some((extent, step)) = modes.last_mut()
            && let Some(factor) = isize::try_from(*extent).ok()
            && step.iter().zip(basis).all(|(&s, &b)| s.checked_mul(factor) == Some(b))
        {
            *extent *= 2;
            continue;
        }
        modes.push((2, basis.clone()));
    }
    modes
}

/// `1@0+8@1`, or 0.
fn vector(basis: &[isize]) -> String {
    let terms = basis.iter().enumerate().filter(|(_, step)| **step != 0);
    let terms: Vec<_> = terms.map(|(mode, step)| format!("{step}@{mode}")).collect();
    if terms.is_empty() { String::from("0") } else { terms.join("+") }
}
