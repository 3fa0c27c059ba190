//! `AnyIntTuple`: integers and shapes as arguments of operations.

use crate::engine::IntTuple;
use crate::error::LayoutError;
use crate::types::api::operand::{Operand, next_symbol};
use crate::types::core::invalid::{Invalid, RunTimeLeaf};
use crate::types::core::nat::Nat;
use crate::types::core::symbolic::{Dyn, Extent, Symbolic};
use crate::types::core::tree::{Tree, list};

/// An integer or a tuple of integer tuples as an argument: a shape, a coordinate, a factor.
///
/// A typenum integer, or a [`Cons`](crate::types::Cons) list of them, is static. A `usize` is a
/// run-time number. A tuple of both is mixed, `(n, U4::new())`. An array of numbers and an engine's
/// [`IntTuple`] are run-time values as a whole.
///
/// ```
/// use static_layout::{Algebra, Mixed, layout};
/// use static_layout::typenum::{U24, U4};
/// let four = layout!(4:1);
/// assert_eq!(four.complement(&U24::new()).to_string(), "6:4");
/// let filled: Mixed<_, U4> = four.complement(&24)?;
/// assert_eq!(filled.to_string(), "6:4");
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "an integer tuple is needed here",
    label = "not a typenum integer, a `usize`, an `IntTuple` or a tuple of these"
)]
pub trait AnyIntTuple: Operand {
    /// The tuple as a type, with [`Dyn`] for run-time integers.
    type Tree: Tree;
    /// The same with the run-time integers named, as variables from `I` on.
    #[doc(hidden)]
    type Symbols<I: Nat>: Tree;
    /// The tuple as a value.
    ///
    /// # Errors
    ///
    /// If it has no integers, or more than an [`IntTuple`] holds.
    fn to_tuple(&self) -> Result<IntTuple, LayoutError>;
}

#[diagnostic::do_not_recommend]
impl<T: Tree> AnyIntTuple for T {
    type Tree = Self;
    type Symbols<I: Nat> = Self;
    fn to_tuple(&self) -> Result<IntTuple, LayoutError> {
        <Self as Tree>::TUPLE
    }
}

impl AnyIntTuple for usize {
    type Tree = Dyn;
    type Symbols<I: Nat> = Symbolic<Extent<I>>;
    fn to_tuple(&self) -> Result<IntTuple, LayoutError> {
        Ok(IntTuple::leaf(*self))
    }
}

impl AnyIntTuple for IntTuple {
    type Tree = Invalid<RunTimeLeaf>;
    type Symbols<I: Nat> = Invalid<RunTimeLeaf>;
    fn to_tuple(&self) -> Result<IntTuple, LayoutError> {
        Ok(*self)
    }
}

impl<const N: usize> AnyIntTuple for [usize; N] {
    type Tree = Invalid<RunTimeLeaf>;
    type Symbols<I: Nat> = Invalid<RunTimeLeaf>;
    fn to_tuple(&self) -> Result<IntTuple, LayoutError> {
        IntTuple::flat(self)
    }
}

macro_rules! tuple_of_tuples {
    ($($t:ident $v:ident [$($before:ident)*]),+) => {
        impl<$($t: AnyIntTuple),+> AnyIntTuple for ($($t,)+) {
            type Tree = list!($($t::Tree),+);
            type Symbols<I: Nat> = list!($($t::Symbols<next_symbol!(I; $($before)*)>),+);
            fn to_tuple(&self) -> Result<IntTuple, LayoutError> {
                let ($($v,)+) = self;
                IntTuple::tuple(&[$($v.to_tuple()?),+])
            }
        }
    };
}
tuple_of_tuples!(T0 t0 []);
tuple_of_tuples!(T0 t0 [], T1 t1 [T0]);
tuple_of_tuples!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0]);
tuple_of_tuples!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0], T3 t3 [T2 T1 T0]);
tuple_of_tuples!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0], T3 t3 [T2 T1 T0], T4 t4 [T3 T2 T1 T0]);
tuple_of_tuples!(T0 t0 [], T1 t1 [T0], T2 t2 [T1 T0], T3 t3 [T2 T1 T0], T4 t4 [T3 T2 T1 T0], T5 t5 [T4 T3 T2 T1 T0]);
