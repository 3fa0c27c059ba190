//! General affine maps: `(d0, d1) -> (0, d0 floordiv 8, d0 mod 8)`.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use crate::error::{LayoutError, TenstorrentError};

/// An affine map in MLIR syntax, with quotients and remainders: the `index_map` of a view, or the
/// map from a virtual grid to the cores of a device.
///
/// ```
/// use static_layout::devices::tenstorrent::IndexMap;
/// let map = IndexMap::parse("(d0, d1) -> (0, d0 floordiv 8, d0 mod 8 + d1)")?;
/// assert_eq!(map.apply(&[13, 1]), Ok(vec![0, 1, 6]));
/// assert_eq!(map.to_string(), "(d0, d1) -> (0, d0 floordiv 8, d0 mod 8 + d1)");
/// # Ok::<(), static_layout::text::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IndexMap {
    pub(super) dimensions: usize,
    pub(super) results: Vec<Sum>,
}

/// Terms that are added, or subtracted if the flag is set.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Sum(pub(super) Vec<(bool, Term)>);

/// A factor, followed by operations from left to right.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Term(pub(super) Factor, pub(super) Vec<(Operator, Factor)>);

#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Factor {
    Dimension(usize),
    Constant(usize),
    Group(Box<Sum>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Operator {
    Times,
    Mod,
    FloorDiv,
    CeilDiv,
}

impl IndexMap {
    /// Number of inputs.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Number of results.
    pub fn results(&self) -> usize {
        self.results.len()
    }

    /// The results for a coordinate.
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::IndexMapRank`]; [`LayoutError::IntegerOverflow`].
    pub fn apply(&self, coordinate: &[usize]) -> Result<Vec<isize>, LayoutError> {
        let (dimensions, rank) = (self.dimensions, coordinate.len());
        refuse!(dimensions != rank, TenstorrentError::IndexMapRank { dimensions, rank });
        let overflow = LayoutError::IntegerOverflow { operation: "index_map" };
        self.results.iter().map(|sum| sum.at(coordinate).ok_or(overflow)).collect()
    }
}

impl Sum {
    fn at(&self, coordinate: &[usize]) -> Option<isize> {
        self.0.iter().try_fold(0isize, |sum, (negative, term)| {
            let term = term.at(coordinate)?;
            if *negative { sum.checked_sub(term) } else { sum.checked_add(term) }
        })
    }

    /// The value of a sum that contains no dimensions.
    pub(super) fn constant(&self) -> Option<isize> {
        self.0.iter().all(|(_, term)| term.is_constant()).then(|| self.at(&[])).flatten()
    }
}

impl Term {
    fn at(&self, coordinate: &[usize]) -> Option<isize> {
        self.1.iter().try_fold(self.0.at(coordinate)?, |value, (operator, factor)| {
            let factor = factor.at(coordinate)?;
            match operator {
                Operator::Times => value.checked_mul(factor),
                Operator::Mod => value.checked_rem_euclid(factor),
                // Divisors are positive: the remainder is not negative, and the quotient is rounded
                // down.
                Operator::FloorDiv => value.checked_div_euclid(factor),
                Operator::CeilDiv => {
                    let up = isize::from(value.checked_rem_euclid(factor)? > 0);
                    value.checked_div_euclid(factor)?.checked_add(up)
                }
            }
        })
    }

    pub(super) fn is_constant(&self) -> bool {
        self.0.is_constant() && self.1.iter().all(|(_, factor)| factor.is_constant())
    }
}

impl Factor {
    fn at(&self, coordinate: &[usize]) -> Option<isize> {
        match self {
            Self::Dimension(d) => isize::try_from(*coordinate.get(*d)?).ok(),
            Self::Constant(n) => isize::try_from(*n).ok(),
            Self::Group(sum) => sum.at(coordinate),
        }
    }

    pub(super) fn is_constant(&self) -> bool {
        self.constant().is_some()
    }

    /// The value of a factor that contains no dimensions.
    pub(super) fn constant(&self) -> Option<isize> {
        match self {
            Self::Dimension(_) => None,
            Self::Constant(n) => isize::try_from(*n).ok(),
            Self::Group(sum) => sum.constant(),
        }
    }
}

impl fmt::Display for IndexMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for d in 0..self.dimensions {
            write!(f, "{}d{d}", if d > 0 { ", " } else { "" })?;
        }
        f.write_str(") -> (")?;
        for (i, sum) in self.results.iter().enumerate() {
            write!(f, "{}{sum}", if i > 0 { ", " } else { "" })?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (negative, Term(first, rest))) in self.0.iter().enumerate() {
            f.write_str(match (i, negative) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            })?;
            first.fmt(f)?;
            for (operator, factor) in rest {
                let operator = match operator {
                    Operator::Times => "*",
                    Operator::Mod => "mod",
                    Operator::FloorDiv => "floordiv",
                    Operator::CeilDiv => "ceildiv",
                };
                write!(f, " {operator} {factor}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dimension(d) => write!(f, "d{d}"),
            Self::Constant(n) => n.fmt(f),
            Self::Group(sum) => write!(f, "({sum})"),
        }
    }
}

debug_as_display!(IndexMap);
