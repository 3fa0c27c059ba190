//! `Valid` and `assert_valid!`: check whether an operation has a result.

use typenum::{B0, B1, UInt, UTerm};

use crate::types::api::layout::Layout;
use crate::types::core::invalid::{Invalid, ValidModes};
use crate::types::core::modes::Mode;
use crate::types::core::tree::{Cons, Nil, Tree, Zip};
use crate::types::ops::place::Located;

/// A layout that exists: no operation in it was inadmissible.
///
/// A bound for generic code that should fail to compile before it is instantiated. Without it, the
/// error comes when a constant of the layout is used. The bound does not detect overflow.
/// [`assert_valid!`](crate::assert_valid) does, and its message has the numbers.
///
/// ```compile_fail
/// use static_layout::{Composition, StaticLayout, Valid, layout};
/// fn size<L: StaticLayout + Valid>() -> usize {
///     L::SIZE
/// }
/// type A = layout!((6,2):(1,7));
/// size::<Composition<A, layout!(4:2)>>(); // steps of 2 meet a carry after 3
/// ```
#[diagnostic::on_unimplemented(
    message = "there is no such layout",
    label = "an operation in this layout has no result"
)]
pub trait Valid {}
impl<S: Tree, D: Tree> Valid for Layout<S, D> where Zip<S, D>: ValidModes {}

impl<S, D> ValidModes for Mode<S, D>
where
    S: ValidLeaf,
    D: ValidLeaf,
{
}
impl ValidModes for Nil {}
impl<H: ValidModes, T: ValidModes> ValidModes for Cons<H, T> {}

/// A leaf whose number is in the type.
#[diagnostic::on_unimplemented(
    message = "a static layout has no run-time leaves",
    label = "a leaf of this layout is `Dyn`"
)]
pub trait ValidLeaf {}
impl ValidLeaf for UTerm {}
impl<U> ValidLeaf for UInt<U, B0> {}
impl<U> ValidLeaf for UInt<U, B1> {}

impl<R, P, M> ValidModes for Invalid<Located<R, P, M>> where Invalid<R>: ValidModes {}

/// Turns a static layout that does not exist into a compile error, with the reason and its numbers.
///
/// It is an item or a statement, and is already checked by `cargo check`. The layout must be a
/// concrete type. In generic code, use `const { L::LAYOUT; }` or the bound
/// [`Valid`](crate::types::Valid).
///
/// ```
/// use static_layout::{Complement, assert_valid, layout, typenum::U24};
/// assert_valid!(Complement<layout!(4:1), U24>);
/// ```
///
/// ```compile_fail
/// use static_layout::{Complement, assert_valid, layout, typenum::U24};
/// type Overlapping = layout!((4,4):(1,2));
/// // complement: stride 2 lies inside the 4 offsets that smaller strides cover
/// assert_valid!(Complement<Overlapping, U24>);
/// ```
#[macro_export]
macro_rules! assert_valid {
    ($($layout:ty),+ $(,)?) => {$(
        const _: () = match <$layout as $crate::types::StaticLayout>::CHECKED {
            ::core::result::Result::Ok(_) => (),
            ::core::result::Result::Err(error) => error.panic(),
        };
    )+};
}
