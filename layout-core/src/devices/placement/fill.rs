//! What padding is filled with.

use core::fmt;

/// What the slots hold that no element is in.
///
/// It is no part of where elements are: two tensors that differ in it have the same layout. A copy
/// takes it as a parameter, and the notation's is the default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Fill {
    /// Anything: nothing is written there.
    #[default]
    Undef,
    /// 0.
    Zero,
    /// 1.
    One,
    /// Positive infinity, or the largest integer.
    Inf,
    /// Negative infinity, or the smallest integer.
    NegInf,
}

impl Fill {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Undef, Self::Zero, Self::One, Self::Inf, Self::NegInf];

    /// How it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Undef => "undef",
            Self::Zero => "zero",
            Self::One => "one",
            Self::Inf => "inf",
            Self::NegInf => "neginf",
        }
    }

    /// The one that is written so.
    ///
    /// ```
    /// use layout_core::devices::Fill;
    /// assert_eq!((Fill::of_name("neginf"), Fill::of_name("two")), (Some(Fill::NegInf), None));
    /// ```
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fill| fill.name() == name)
    }
}

impl fmt::Display for Fill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
