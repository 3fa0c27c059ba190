//! Decisions at the type level: three-valued truth, and orderings.
//!
//! A decision about a run-time leaf is [`Unknown`]. Each operation adds its own branches as
//! generic associated types of a supertrait in its own file, so that the compiler normalises only
//! the branch taken: an `If<C, A, B>` would compute both.

use typenum::{B1, UInt, UTerm};

use crate::types::core::gcd::GcdIf;
use crate::types::core::nat::{Division, Nat, QuotRem};
use crate::types::core::visit::Decide;
use crate::types::ops::blocked::BlockIf;
use crate::types::ops::by_profile::ProfileIf;
use crate::types::ops::coalesce::CoalesceIf;
use crate::types::ops::complement::{ComplementIf, ComplementOrder};
use crate::types::ops::compose::ComposeIf;
use crate::types::ops::distribute::DistributeIf;
use crate::types::ops::filter::FilterIf;
use crate::types::ops::inverse::{InverseIf, InverseOrder};
use crate::types::ops::left_inverse::DigitIf;
use crate::types::ops::make_ordered::PartIf;
use crate::types::ops::max_common::CommonIf;
use crate::types::ops::morello::MorelloIf;
use crate::types::ops::range::RangeIf;
use crate::types::ops::recast::RecastIf;
use crate::types::ops::select::SelectIf;
use crate::types::ops::shape_div::ShapeDivIf;
use crate::types::ops::slicer::SliceIf;
use crate::types::ops::unflatten::NestIf;
use crate::types::ops::zip::ZipIf;

/// Yes.
#[derive(Debug)]
pub enum True {}
/// No.
#[derive(Debug)]
pub enum False {}
/// Depends on a run-time leaf.
#[derive(Debug)]
pub enum Unknown {}

/// [`True`], [`False`] or [`Unknown`].
pub trait Truth:
    BlockIf
    + CoalesceIf
    + CommonIf
    + ComplementIf
    + ComposeIf
    + Decide
    + DigitIf
    + DistributeIf
    + FilterIf
    + GcdIf
    + InverseIf
    + MorelloIf
    + RecastIf
    + ShapeDivIf
    + NestIf
    + PartIf
    + ProfileIf
    + RangeIf
    + SelectIf
    + SliceIf
    + ZipIf
    + 'static
{
    /// Both.
    type And<B: Truth>: Truth;
    /// Either.
    type Or<B: Truth>: Truth;
    /// [`And`](Self::And) with something unknown.
    type AndUnknown: Truth;
    /// [`Or`](Self::Or) with something unknown.
    type OrUnknown: Truth;
    /// `A` if known to be true, else `B`. Computes both: for leaves that cost nothing.
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
pub trait Order: ComplementOrder + InverseOrder + 'static {
    /// This order of the higher bits, refined by that of the lowest one.
    type Then<O: Order>: Order;
    /// Whether equal.
    type IsEqual: Truth;
    /// Whether greater.
    type IsGreater: Truth;
    /// Whether not less.
    type IsAtLeast: Truth;
    /// The smaller of the two integers compared.
    type Min<A: Nat, B: Nat>: Nat;
    /// One step of long division: `R` compared with `D` was this; the quotient so far is `Q`.
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
    // Long division is of two integers that are known.
    type Divide<Q: Nat, R: Nat, D: Nat> = QuotRem<Q, R>;
}
