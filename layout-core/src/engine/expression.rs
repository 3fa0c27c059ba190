//! The offset of a coordinate as a readable expression.

use core::fmt;

use crate::engine::int_tuple::{IntTuple, MAX_LEAVES};
use crate::engine::layout::DynLayout;
use crate::error::LayoutError;

/// The offset of a layout as a sum over the coordinates `d0`, `d1`, .. of its modes.
///
/// `Display` prints it in mathematical notation, the alternate form `{:#}` as Rust and C code. Known
/// extents simplify it: no division by 1, no coordinate of extent 1, and `mod` only where the
/// quotient can exceed the modulus.
///
/// ```
/// use static_layout::engine::{DynLayout, IndexExpression};
/// let packed = DynLayout::parse("[1, 0, 1 p(4)] for (6, 8)").unwrap();
/// let offset = IndexExpression::of(&packed);
/// assert_eq!(offset.to_string(), "24*floor(d1/4) + 4*d0 + d1 mod 4");
/// assert_eq!(format!("{offset:#}"), "24 * (d1 / 4) + 4 * d0 + d1 % 4");
/// assert_eq!(offset.at(&[5, 7])?, 47);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct IndexExpression {
    terms: [IndexTerm; MAX_LEAVES],
    len: usize,
    /// The sizes of the modes.
    extents: [usize; MAX_LEAVES],
    rank: usize,
}

/// A term of an [`IndexExpression`]: `coefficient * (floor(d / divisor) mod modulus)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IndexTerm {
    /// The coefficient of the term.
    pub coefficient: usize,
    /// The mode of the coordinate.
    pub dimension: usize,
    /// The divisor of the coordinate.
    pub divisor: usize,
    /// The modulus of the quotient; `None` if the quotient is always smaller.
    pub modulus: Option<usize>,
}

impl IndexExpression {
    /// The offset of an R-D coordinate of `layout`, largest coefficient first.
    ///
    /// `of(L).at(c) = L(c)` for one coordinate for each mode.
    #[inline]
    pub const fn of(layout: &DynLayout) -> Self {
        let none = IndexTerm { coefficient: 0, dimension: 0, divisor: 1, modulus: None };
        let rank = layout.rank();
        let mut this = Self { terms: [none; MAX_LEAVES], len: 0, extents: [1; MAX_LEAVES], rank };
        repeat!(dimension, 0..rank, {
            let mode = layout.mode(dimension).coalesce();
            this.extents[dimension] = mode.size();
            let (mut divisor, mut i) = (1, 0);
            while i < mode.len() && mode.size() > 1 {
                let (extent, coefficient) = (mode.extent_at(i), mode.stride_at(i));
                let modulus = if i + 1 < mode.len() { Some(extent) } else { None };
                if coefficient > 0 {
                    this.insert(IndexTerm { coefficient, dimension, divisor, modulus });
                }
                // Below the size, which fits.
                divisor *= extent;
                i += 1;
            }
        });
        this
    }

    /// Inserts a term after those with an equal or larger coefficient.
    #[inline]
    const fn insert(&mut self, term: IndexTerm) {
        let mut i = self.len;
        while i > 0 && self.terms[i - 1].coefficient < term.coefficient {
            self.terms[i] = self.terms[i - 1];
            i -= 1;
        }
        self.terms[i] = term;
        self.len += 1;
    }

    /// The terms, largest coefficient first.
    #[inline]
    pub const fn terms(&self) -> &[IndexTerm] {
        self.terms.split_at(self.len).0
    }

    /// The value at a coordinate, one integer for each mode.
    ///
    /// # Errors
    ///
    /// If there is not one integer per mode, or one is out of range.
    #[inline]
    pub const fn at(&self, coordinate: &[usize]) -> Result<usize, LayoutError> {
        let extents = self.extents.split_at(self.rank).0;
        if coordinate.len() != self.rank {
            return Err(LayoutError::CoordinateProfile {
                coordinate: attempt!(IntTuple::flat(coordinate)),
                shape: attempt!(IntTuple::flat(extents)),
            });
        }
        repeat!(i, 0..extents.len(), {
            let (coordinate, extent) = (coordinate[i], extents[i]);
            refuse!(coordinate >= extent, LayoutError::CoordinateOutOfRange { coordinate, extent });
        });
        let mut sum = 0;
        repeat!(i, 0..self.len, {
            let term = &self.terms[i];
            let digit = coordinate[term.dimension] / term.divisor;
            sum += term.coefficient
                * match term.modulus {
                    Some(modulus) => digit % modulus,
                    None => digit,
                };
        });
        Ok(sum)
    }
}

impl fmt::Display for IndexExpression {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.len == 0 {
            return f.write_str("0");
        }
        for (i, term) in self.terms().iter().enumerate() {
            if i > 0 {
                f.write_str(" + ")?;
            }
            term.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for IndexTerm {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { coefficient, dimension, divisor, modulus } = *self;
        let code = f.alternate();
        // In mathematical notation `floor(..)` needs no parentheses; in code a quotient before `%`
        // needs none.
        let bare = modulus.is_none() && (divisor == 1 || !code);
        let (open, close) = if bare || coefficient == 1 { ("", "") } else { ("(", ")") };
        if coefficient != 1 {
            write!(f, "{coefficient}{}", if code { " * " } else { "*" })?;
        }
        f.write_str(open)?;
        match (divisor, code) {
            (1, _) => write!(f, "d{dimension}")?,
            (_, true) => write!(f, "d{dimension} / {divisor}")?,
            (_, false) => write!(f, "floor(d{dimension}/{divisor})")?,
        }
        if let Some(modulus) = modulus {
            write!(f, " {} {modulus}", if code { "%" } else { "mod" })?;
        }
        f.write_str(close)
    }
}

debug_as_display!(IndexExpression);
