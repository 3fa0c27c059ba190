//! `Valid` and `assert_valid!`: asking whether an operation has a result.

use typenum::{B0, B1, UInt, UTerm};

use crate::types::api::layout::Layout;
use crate::types::core::invalid::{
    ComplementOverlap, CompositionCarry, CompositionOverlap, DowncastChoice, DowncastGap,
    Incongruent, Invalid, InverseOverlap, InverseStride, KeepNeedsPair, LeafCount, ModeIndex,
    ModeRange, NothingKept, OrderProfile, OrderTie, OutOfRange, ProfileRank, ShapeDivRank,
    ShapeDivRemainder, SliceProfile, TargetRank, TargetRemainder, TilerRank, UpcastCarry,
    UpcastStride, ZeroFactor, ZipRank,
};
use crate::types::core::modes::Mode;
use crate::types::core::place::Located;
use crate::types::core::tree::{Cons, Nil, Tree, Zip};

/// A layout that exists: no operation in it was inadmissible.
///
/// A bound for generic code that wants a compile error before anything is instantiated; without
/// it, the error comes when a constant of the layout is used. It does not see overflow:
/// [`assert_valid!`](crate::assert_valid) does, and its message has the numbers.
///
/// ```compile_fail
/// use layout_core::types::{Composition, Cons, Layout, Nil, StaticLayout, Valid};
/// use typenum::{U1, U2, U4, U6, U7};
/// fn size<L: StaticLayout + Valid>() -> usize {
///     L::SIZE
/// }
/// type A = Layout<Cons<U6, Cons<U2, Nil>>, Cons<U1, Cons<U7, Nil>>>;
/// size::<Composition<A, Layout<U4, U2>>>(); // steps of 2 meet a carry after 3
/// ```
#[diagnostic::on_unimplemented(
    message = "there is no such layout",
    label = "an operation in this layout has no result"
)]
pub trait Valid {}
impl<S: Tree, D: Tree> Valid for Layout<S, D> where Zip<S, D>: ValidModes {}

/// Modes that exist.
#[diagnostic::on_unimplemented(
    message = "there is no such layout",
    label = "an operation in this layout has no result"
)]
pub trait ValidModes {}
impl<S, D> ValidModes for Mode<S, D>
where
    S: ValidLeaf,
    D: ValidLeaf,
{
}
impl ValidModes for Nil {}
impl<H: ValidModes, T: ValidModes> ValidModes for Cons<H, T> {}

/// A leaf whose number the type has.
#[diagnostic::on_unimplemented(
    message = "a static layout has no run-time leaves",
    label = "a leaf of this layout is `Dyn`"
)]
pub trait ValidLeaf {}
impl ValidLeaf for UTerm {}
impl<U> ValidLeaf for UInt<U, B0> {}
impl<U> ValidLeaf for UInt<U, B1> {}

/// Nothing: what the reasons below are asked of, so that each has its own message.
#[derive(Debug)]
pub enum Never {}

macro_rules! reason {
    ($($generics:ident)*; $reason:ty, $check:ident, $message:literal, $label:literal) => {
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = "assert_valid! prints the numbers")]
        #[doc(hidden)]
        pub trait $check<R> {}
        impl<$($generics),*> ValidModes for Invalid<$reason> where Never: $check<$reason> {}
    };
}
reason!(E R; CompositionCarry<E, R>, NoCarry,
    "composition: no layout equals A(B(c))",
    "an extent of the right layout meets a carry of the left one within a step");
reason!(U E; CompositionOverlap<U, E>, NoOverlap,
    "composition: no layout equals A(B(c))",
    "the modes of the right layout together overflow an extent of the left one");
reason!(D C; ComplementOverlap<D, C>, HasComplement,
    "complement: a stride lies inside what the smaller strides cover",
    "this layout has no complement");
reason!(D W; InverseStride<D, W>, HasLeftInverse,
    "left_inverse: a stride is no multiple of the next smaller one",
    "this layout has no left inverse");
reason!(D S R; InverseOverlap<D, S, R>, DigitsFit,
    "left_inverse: modes overlap in a way that no layout undoes",
    "this layout has no left inverse");
reason!(D N; UpcastStride<D, N>, HasUpcast,
    "upcast: neither the stride nor the factor divides the other",
    "a stride of this layout does not fit the factor");
reason!(N R; UpcastCarry<N, R>, UpcastsTogether,
    "upcast: modes leave a new element only together",
    "this layout has no such upcast");
reason!(M; DowncastGap<M>, HasUnit,
    "downcast: no stride is 1",
    "one mode must step through neighbouring elements");
reason!(M; DowncastChoice<M>, HasOneUnit,
    "downcast: more than one stride is 1",
    "give modes of extent 1 the stride 0");
reason!(O; ZeroFactor<O>, HasFactor,
    "the factor must not be 0",
    "a factor or a number of bits is 0");
reason!(A B; ShapeDivRemainder<A, B>, Divides,
    "shape_div: neither integer divides the other",
    "this shape has no such quotient");
reason!(S D; ShapeDivRank<S, D>, SameRank,
    "shape_div: the tuples have different numbers of modes",
    "this shape has no such quotient");
reason!(O T M; TilerRank<O, T, M>, TilerFits,
    "the tiler has more modes than the layout",
    "too many modes in the tiler");
reason!(O M; KeepNeedsPair<O, M>, IsPair,
    "_ needs a mode that is a pair already",
    "this mode is no pair");
reason!(S D; Incongruent<S, D>, Congruent,
    "the shape and the stride of this layout are nested differently",
    "write one stride for each extent, nested in the same way");
reason!(O B E M; ModeRange<O, B, E, M>, HasRange,
    "this is not a range of the layout's modes",
    "a range that is empty, backwards, or goes beyond the last mode");
reason!(O N M; ModeIndex<O, N, M>, HasMode,
    "the layout does not have a mode of this number",
    "the number of a mode is not below the rank of the layout");
reason!(F M; ZipRank<F, M>, Zips,
    "zip: the modes do not have the same number of modes themselves",
    "a mode of this layout has another rank than the first one");
reason!(P M; LeafCount<P, M>, HasLeaves,
    "unflatten: the profile has another number of leaves than the layout",
    "write one leaf for each leaf of the layout");
reason!(C M; SliceProfile<C, M>, CoordinateFits,
    "the coordinate has other modes than the shape",
    "write an integer or `_` for each mode of the shape");
reason!(O C; NothingKept<O, C>, KeepsMode,
    "the coordinate leaves no mode",
    "a slice keeps the modes with `_`, a dice those with integers");
reason!(N E; OutOfRange<N, E>, InRange,
    "the coordinate lies outside the shape",
    "an integer of the coordinate is not below its extent");
reason!(P M; ProfileRank<P, M>, ProfileFits,
    "the profile has more modes than the layout",
    "too many modes in the profile");
reason!(O M; OrderProfile<O, M>, OrderFits,
    "make_ordered: the order has other modes than the shape",
    "write one number for each mode of the shape");
reason!(O P; OrderTie<O, P>, NoTie,
    "make_ordered: two modes of more than one element have the same place in the order",
    "give each mode a number of its own, 0 the fastest");

reason!(M S; TargetRank<M, S>, TargetHasModes,
    "tile_to_shape: the block has more modes than the target",
    "too many modes in the block");
reason!(J B T; TargetRemainder<J, B, T>, BlockDivides,
    "tile_to_shape: the block does not divide the target",
    "a mode of the target is no multiple of that of the block");

impl<R, P, M> ValidModes for Invalid<Located<R, P, M>> where Invalid<R>: ValidModes {}

/// Makes a compile error, with the reason and its numbers, of a static layout that does not exist.
///
/// It is an item, or a statement, and is checked by `cargo check` already. The layout is a concrete
/// type; in generic code, use `const { L::LAYOUT; }` or the bound [`Valid`](crate::types::Valid).
///
/// ```
/// use layout_core::{assert_valid, types::{Complement, Layout}};
/// use typenum::{U1, U4, U24};
/// assert_valid!(Complement<Layout<U4, U1>, U24>);
/// ```
///
/// ```compile_fail
/// use layout_core::{assert_valid, types::{Complement, Cons, Layout, Nil}};
/// use typenum::{U1, U2, U4, U24};
/// type Overlapping = Layout<Cons<U4, Cons<U4, Nil>>, Cons<U1, Cons<U2, Nil>>>;
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
