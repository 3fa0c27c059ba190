//! Greatest common divisors at the type level, by Euclid's algorithm.

use crate::types::core::nat::{Nat, NatRem, One};
use crate::types::core::ternary::{False, True, Unknown};

/// The greatest common divisor of two known integers.
pub(crate) type Gcd<A, B> = <<B as Nat>::IsZero as GcdIf>::Gcd<A, B>;

/// The branches of the algorithm.
pub trait GcdIf {
    /// `self`: `B` is 0.
    type Gcd<A: Nat, B: Nat>: Nat;
}

impl GcdIf for True {
    type Gcd<A: Nat, B: Nat> = A;
}
impl GcdIf for False {
    type Gcd<A: Nat, B: Nat> = Gcd<B, NatRem<A, B>>;
}
// For totality: whoever asks for a divisor has asked whether the integers are known.
impl GcdIf for Unknown {
    type Gcd<A: Nat, B: Nat> = One;
}
