//! Decisions at the type level: three-valued truth, and orderings.
//!
//! A decision about a run-time leaf is [`Unknown`]. Each operation adds its own branches as generic
//! associated types of a supertrait in its own file, so that the compiler normalises only the branch
//! taken. An `If<C, A, B>` would evaluate both.

use typenum::{B1, UInt, UTerm};

use crate::types::core::closed::{ClosedOrder, ClosedTruth};
use crate::types::core::nat::{Division, Nat, QuotRem};
use crate::types::core::visit::Decide;

/// True.
#[derive(Debug)]
pub enum True {}
/// False.
#[derive(Debug)]
pub enum False {}
/// Depends on a run-time leaf.
#[derive(Debug)]
pub enum Unknown {}

/// [`True`], [`False`] or [`Unknown`].
pub trait Truth: ClosedTruth + Decide + 'static {
    /// Logical and.
    type And<B: Truth>: Truth;
    /// Logical or.
    type Or<B: Truth>: Truth;
    /// [`And`](Self::And) with an unknown value.
    type AndUnknown: Truth;
    /// [`Or`](Self::Or) with an unknown value.
    type OrUnknown: Truth;
    /// `A` if known to be true, else `B`. Evaluates both, so only for cheap leaves.
    type Choose<A: Nat, B: Nat>: Nat;
}

impl Truth for True {
    type And<B: Truth> = B;
    type Or<B: Truth> = True;
    type AndUnknown = Unknown;
    type OrUnknown = True;
    type Choose<A: Nat, B: Nat> = A;
}
impl Truth for False {
    type And<B: Truth> = False;
    type Or<B: Truth> = B;
    type AndUnknown = False;
    type OrUnknown = Unknown;
    type Choose<A: Nat, B: Nat> = B;
}
impl Truth for Unknown {
    type And<B: Truth> = B::AndUnknown;
    type Or<B: Truth> = B::OrUnknown;
    type AndUnknown = Unknown;
    type OrUnknown = Unknown;
    type Choose<A: Nat, B: Nat> = B;
}

/// The left integer is smaller.
#[derive(Debug)]
pub enum Less {}
/// Both integers are the same.
#[derive(Debug)]
pub enum Equal {}
/// The left integer is larger.
#[derive(Debug)]
pub enum Greater {}

/// [`Less`], [`Equal`], [`Greater`] or [`Unknown`]: the result of [`Nat::Compare`].
pub trait Order: ClosedOrder + 'static {
    /// The order of the higher bits, refined by that of the lowest bit.
    type Then<O: Order>: Order;
    /// Whether it is [`Equal`].
    type IsEqual: Truth;
    /// Whether it is [`Greater`].
    type IsGreater: Truth;
    /// Whether it is not [`Less`].
    type IsAtLeast: Truth;
    /// The smaller of the two integers compared.
    type Min<A: Nat, B: Nat>: Nat;
    /// One step of long division: `self` is the comparison of `R` with `D`; the quotient so far is
    /// `Q`.
    type Divide<Q: Nat, R: Nat, D: Nat>: Division;
}

impl Order for Less {
    type Then<O: Order> = Less;
    type IsEqual = False;
    type IsGreater = False;
    type IsAtLeast = False;
    type Min<A: Nat, B: Nat> = A;
    type Divide<Q: Nat, R: Nat, D: Nat> = QuotRem<Q::Double, R>;
}
impl Order for Equal {
    type Then<O: Order> = O;
    type IsEqual = True;
    type IsGreater = False;
    type IsAtLeast = True;
    type Min<A: Nat, B: Nat> = A;
    type Divide<Q: Nat, R: Nat, D: Nat> = QuotRem<UInt<Q, B1>, UTerm>;
}
impl Order for Greater {
    type Then<O: Order> = Greater;
    type IsEqual = False;
    type IsGreater = True;
    type IsAtLeast = True;
    type Min<A: Nat, B: Nat> = B;
    type Divide<Q: Nat, R: Nat, D: Nat> = QuotRem<UInt<Q, B1>, R::Sub<D>>;
}
impl Order for Unknown {
    type Then<O: Order> = Unknown;
    type IsEqual = Unknown;
    type IsGreater = Unknown;
    type IsAtLeast = Unknown;
    type Min<A: Nat, B: Nat> = A::MinAtRunTime<B>;
    // Long division is only used for two known integers.
    type Divide<Q: Nat, R: Nat, D: Nat> = QuotRem<Q, R>;
}
