//! Morello layouts as types: `layout!([1, 0, 1 p(4)])` without a shape, and `On`, which applies them
//! to one; and the engine's Morello queries on static layouts, as constants.

use core::fmt;

use crate::engine::IndexExpression;
use crate::engine::morello::MorelloLayout;
use crate::error::LayoutError;
use crate::types::api::kind::{LayoutOf, StaticKind};
use crate::types::api::layout::StaticLayout;
use crate::types::core::tree::Tree;
use crate::types::ops::morello::{ModesFor, Parts};

mod ghost {
    use core::convert::Infallible;
    use core::marker::PhantomData;

    /// The type behind the alias [`Morello`](crate::types::Morello).
    // Valid as a type and as a value, like `Layout`.
    pub enum Morello<P> {
        /// The list.
        Morello,
        #[doc(hidden)]
        Never(Infallible, PhantomData<P>),
    }
}

/// The value namespace of [`Morello`].
mod value {
    pub use super::ghost::Morello::Morello;
}
pub use value::*;

/// A Morello layout without a shape: a [`Cons`](crate::types::Cons) list of
/// [`PartOf`](crate::types::PartOf)s, slowest first. Usually written by `layout!`. It is both a type
/// and its only value. [`On`] gives it a shape.
pub type Morello<P> = ghost::Morello<P>;

impl<P> Clone for Morello<P> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<P> Copy for Morello<P> {}

impl<P: Parts> Morello<P> {
    /// The list as a value; a compile error if the parts are not valid for any shape.
    pub const LIST: MorelloLayout = match P::LIST {
        Ok(list) => list,
        Err(error) => error.panic(),
    };
}

impl<P: Parts> From<Morello<P>> for MorelloLayout {
    fn from(_: Morello<P>) -> Self {
        Morello::<P>::LIST
    }
}

impl<P: Parts> fmt::Display for Morello<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match P::LIST {
            Ok(list) => list.fmt(f),
            Err(error) => error.fmt(f),
        }
    }
}

impl<P: Parts> fmt::Debug for Morello<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The layout of the Morello layout `M` for the shape of `L`: its extents are the sizes of the modes
/// of `L`.
///
/// If the sizes in `M` do not fit the extents, the constants of the layout are compile errors with
/// the reason.
///
/// ```
/// use static_layout::{On, StaticLayout, layout};
/// type Pack = layout!([1, 0, 1 p(4)]);
/// type Matrix = layout!((6,8):(8,1));
/// assert_eq!(On::<Pack, Matrix>::LAYOUT.to_string(), "(6,(4,2)):(4,(1,24))");
/// ```
pub type On<M, L> = <M as ShapelessLayout>::For<<L as StaticLayout>::Shape>;

/// A layout without a shape: a [`Morello`].
pub trait ShapelessLayout: 'static {
    /// The layout for the shape `S`.
    type For<S: Tree>: StaticLayout;
}

impl<P: Parts> ShapelessLayout for Morello<P> {
    type For<S: Tree> = LayoutOf<StaticKind, ModesFor<P, S>>;
}

/// The Morello queries of a static layout.
///
/// All queries of [`engine::morello`](crate::engine::morello) are `const fn`s of the list, so their
/// results are constants:
///
/// ```
/// use static_layout::engine::morello::MorelloView;
/// use static_layout::{layout, types::StaticMorello};
/// type Packed = layout!((6,(4,2)):(4,(1,24)));
/// assert_eq!(Packed::MORELLO.to_string(), "[1, 0, 1 p(4)]");
/// assert_eq!(Packed::EXPRESSION.to_string(), "24*floor(d1/4) + 4*d0 + d1 mod 4");
///
/// const TWO_ROWS: MorelloView = match Packed::MORELLO.view().tile(&[6, 8], &[2, 4]) {
///     Ok(view) => view,
///     Err(error) => error.panic(),
/// };
/// const _: () = assert!(TWO_ROWS.is_fully_contiguous());
/// ```
pub trait StaticMorello: StaticLayout {
    /// The list of the layout, or the error if there is none; see [`MorelloLayout::of`].
    const MORELLO_CHECKED: Result<MorelloLayout, LayoutError> = MorelloLayout::of(&Self::LAYOUT);
    /// The list of the layout; a compile error if there is none.
    const MORELLO: MorelloLayout = match Self::MORELLO_CHECKED {
        Ok(list) => list,
        Err(error) => error.panic(),
    };
    /// The offset of a coordinate as an expression. Works for every layout.
    const EXPRESSION: IndexExpression = IndexExpression::of(&Self::LAYOUT);
}

impl<L: StaticLayout> StaticMorello for L {}
