//! Lists of natural numbers as types, converted to arrays for const evaluation.

use crate::engine::MAX_LEAVES;
use crate::error::LayoutError;
use crate::types::core::nat::Nat;
use crate::types::core::tree::{Cons, Nil};

/// A list of at most [`MAX_LEAVES`] numbers.
#[derive(Clone, Copy, Debug)]
pub struct NumberList {
    // Filled from the end of the array, so that a number can be prepended.
    numbers: [usize; MAX_LEAVES],
    len: usize,
}

impl NumberList {
    /// The numbers.
    pub const fn as_slice(&self) -> &[usize] {
        self.numbers.split_at(MAX_LEAVES - self.len).1
    }

    /// The list with a number prepended; an error for a run-time number.
    pub(crate) const fn prepended(mut self, number: Option<usize>) -> Result<Self, LayoutError> {
        refuse!(self.len == MAX_LEAVES, LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        self.len += 1;
        self.numbers[MAX_LEAVES - self.len] = match number {
            Some(number) => number,
            None => return Err(LayoutError::RunTimeLeaf),
        };
        Ok(self)
    }
}

/// A [`Cons`] list of typenum unsigned integers.
pub trait Numbers: 'static {
    /// The numbers.
    const NUMBERS: Result<NumberList, LayoutError>;
}

impl Numbers for Nil {
    const NUMBERS: Result<NumberList, LayoutError> =
        Ok(NumberList { numbers: [0; MAX_LEAVES], len: 0 });
}

impl<N: Nat, T: Numbers> Numbers for Cons<N, T> {
    const NUMBERS: Result<NumberList, LayoutError> = match T::NUMBERS {
        Ok(rest) => rest.prepended(N::VALUE),
        error => error,
    };
}
