//! Greatest common divisors at the type level, by Euclid's algorithm.

use crate::types::core::nat::{Nat, NatRem, One};
use crate::types::core::table::decisions;

/// The greatest common divisor of two known integers.
pub(crate) type Gcd<A, B> = <<B as Nat>::IsZero as GcdIf>::Gcd<A, B>;

decisions! {
    /// The branches of the algorithm. `Unknown` only makes it total: callers check first that the
    /// integers are known.
    trait GcdIf;
    /// `self`: `B` is 0.
    type Gcd<A: Nat, B: Nat>: Nat { True => A, False => Gcd<B, NatRem<A, B>>, Unknown => One }
}
