//! What the engine says about Morello layouts, as constants of a static layout.

use crate::engine::IndexExpression;
use crate::engine::morello::MorelloLayout;
use crate::error::LayoutError;
use crate::types::StaticLayout;

/// A static layout in the terms of Morello.
///
/// Everything that [`engine::morello`](crate::engine::morello) answers is a `const fn` of the list,
/// so that it is a constant too:
///
/// ```
/// use layout_core::engine::morello::MorelloView;
/// use layout_core::types::{Cons, Layout, Nil, StaticMorello};
/// use typenum::{U1, U2, U4, U6, U24};
/// // (6,(4,2)):(4,(1,24))
/// type Shape = Cons<U6, Cons<Cons<U4, Cons<U2, Nil>>, Nil>>;
/// type Packed = Layout<Shape, Cons<U4, Cons<Cons<U1, Cons<U24, Nil>>, Nil>>>;
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
    /// The list that the layout is, or why it is none; see [`MorelloLayout::of`].
    const MORELLO_CHECKED: Result<MorelloLayout, LayoutError> = MorelloLayout::of(&Self::LAYOUT);
    /// The list that the layout is; a compile error when it is none.
    const MORELLO: MorelloLayout = match Self::MORELLO_CHECKED {
        Ok(list) => list,
        Err(error) => error.panic(),
    };
    /// The offset of a coordinate as an expression, of any layout.
    const EXPRESSION: IndexExpression = IndexExpression::of(&Self::LAYOUT);
}

impl<L: StaticLayout> StaticMorello for L {}
