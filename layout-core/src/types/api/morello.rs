//! Morello layouts as types: without a shape, `layout!([1, 0, 1 p(4)])`, and `On`, which gives them
//! one; and what the engine says about a static layout, as constants.

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
    // Legal as a type and as a value, as `Layout` is.
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

/// A Morello layout without a shape: a [`Cons`](crate::types::Cons) list of [`PartOf`](crate::types::PartOf)s, slowest first. `layout!`
/// writes it. It is a type and its only value; [`On`] gives it a shape.
pub type Morello<P> = ghost::Morello<P>;

impl<P> Clone for Morello<P> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<P> Copy for Morello<P> {}

impl<P: Parts> Morello<P> {
    /// The list as a value; a compile error when the parts are not valid for any shape.
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

/// The layout that the Morello layout `M` is for the shape of `L`: its extents are the sizes of the
/// modes of `L`.
///
/// Where the sizes in `M` do not fit the extents, the constants of the layout are compile errors
/// with the reason.
///
/// ```
/// use static_layout::{On, StaticLayout, layout};
/// type Pack = layout!([1, 0, 1 p(4)]);
/// type Matrix = layout!((6,8):(8,1));
/// assert_eq!(On::<Pack, Matrix>::LAYOUT.to_string(), "(6,(4,2)):(4,(1,24))");
/// ```
pub type On<M, L> = <M as ShapelessLayout>::For<<L as StaticLayout>::Shape>;

/// A layout that has no shape yet: a [`Morello`].
pub trait ShapelessLayout: 'static {
    /// The layout for the shape `S`.
    type For<S: Tree>: StaticLayout;
}

impl<P: Parts> ShapelessLayout for Morello<P> {
    type For<S: Tree> = LayoutOf<StaticKind, ModesFor<P, S>>;
}

/// A static layout in the terms of Morello.
///
/// Everything that [`engine::morello`](crate::engine::morello) answers is a `const fn` of the list,
/// so that it is a constant too:
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
    /// The list that the layout is, or why it is not one; see [`MorelloLayout::of`].
    const MORELLO_CHECKED: Result<MorelloLayout, LayoutError> = MorelloLayout::of(&Self::LAYOUT);
    /// The list that the layout is; a compile error when it is not one.
    const MORELLO: MorelloLayout = match Self::MORELLO_CHECKED {
        Ok(list) => list,
        Err(error) => error.panic(),
    };
    /// The offset of a coordinate as an expression, of any layout.
    const EXPRESSION: IndexExpression = IndexExpression::of(&Self::LAYOUT);
}

impl<L: StaticLayout> StaticMorello for L {}
