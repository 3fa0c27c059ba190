//! Layouts created from shapes, and division of shapes.

#[cfg(feature = "text")]
use super::forms::forms;
#[cfg(feature = "text")]
use crate::engine::DynLayout;
#[cfg(feature = "types")]
use {
    super::rows::aliases,
    crate::types::ops::compact::{ColumnMajor, RowMajorOf},
    crate::types::ops::distribute::Distributed,
    crate::types::ops::make_ordered::OrderedOf,
    crate::types::ops::shape_div::ShapeDivide,
};

macro_rules! shape_operations {
    ($then:ident) => {
        $then! {

        /// The compact column-major layout of a shape: the first leaf is contiguous.
        ///
        /// `make(S)(i) = i`. A leaf of extent 1 has the stride 0.
        ///
        /// ```
        /// use static_layout::{layout, ops::Make, prelude::*};
        /// use static_layout::typenum::{U8, assert_type_eq};
        ///
        /// assert_type_eq!(layout!(make((4, 8))), layout!((4,8):(1,4)));
        /// assert_eq!(layout!(make((4, 8))).offset(13), 13);
        ///
        /// // A run-time extent stays a run-time extent, and the result is checked.
        /// let columns = (100, U8::new()).make()?;
        /// assert_eq!((columns.to_string().as_str(), size_of_val(&columns)), ("(100,8):(1,100)", 16));
        /// # Ok::<(), LayoutError>(())
        /// ```
        fn make(shape: S as IntTuple) -> Make {
            type = ColumnMajor<S>;
            value = DynLayout::make(shape);
        }

        /// The compact row-major layout of a shape: the last leaf is contiguous.
        ///
        /// ```
        /// use static_layout::{layout, ops::RowMajor, prelude::*};
        /// use static_layout::typenum::{U8, assert_type_eq};
        ///
        /// assert_type_eq!(layout!(row_major((4, 8))), layout!((4,8):(8,1)));
        ///
        /// let rows = (100, U8::new()).row_major()?;
        /// assert_eq!((rows.to_string().as_str(), size_of_val(&rows)), ("(100,8):(8,1)", 8));
        /// # Ok::<(), LayoutError>(())
        /// ```
        fn row_major(shape: S as IntTuple) -> RowMajor {
            type = RowMajorOf<S>;
            value = DynLayout::row_major(shape);
        }

        /// The compact layout of a shape whose modes follow each other in an order, the smallest contiguous.
        ///
        /// A mode below one integer of the order is column-major.
        ///
        /// ```
        /// use static_layout::layout;
        /// use static_layout::typenum::assert_type_eq;
        ///
        /// assert_type_eq!(layout!(make_ordered((12,4,3), (2,0,1))), layout!((12,4,3):(12,1,4)));
        /// ```
        fn make_ordered(shape: S as IntTuple, order: O as IntTuple) -> MakeOrdered {
            type = OrderedOf<S, O>;
            value = DynLayout::make_ordered(shape, order);
        }

        /// A layout of coordinates of a shape that spreads `N` elements over it.
        ///
        /// Its size divides `N`, and it tiles the shape: from left to right, each extent takes its
        /// greatest common divisor with the rest of `N`.
        ///
        /// ```
        /// use static_layout::layout;
        /// use static_layout::typenum::assert_type_eq;
        ///
        /// assert_type_eq!(layout!(domain_distribute((15,14), 6)), layout!((3,2):(1,15)));
        /// ```
        fn domain_distribute(shape: S as IntTuple, n: N as Integer) -> DomainDistribute {
            type = Distributed<S, N>;
            value = DynLayout::domain_distribute(shape, n);
        }

        /// A shape divided by a shape or by an integer: a shape.
        ///
        /// Tuples divide mode by mode, an integer by the product of a tuple. An integer divides a
        /// tuple from left to right: each mode takes as much of the divisor as possible, and the
        /// rest is passed to the next mode.
        ///
        /// ```
        /// use static_layout::{layout, ops::{Make, ShapeDiv}, prelude::*};
        /// use static_layout::typenum::{U40, assert_type_eq};
        ///
        /// type Shape = <layout!((4,5,6)) as StaticLayout>::Shape;
        /// assert_type_eq!(Make<ShapeDiv<Shape, U40>>, layout!((1,1,3)));
        /// ```
        type shape_div(shape: S as IntTuple, divisor: D as IntTuple) -> ShapeDiv {
            type(IntTuple) = <S as ShapeDivide>::DivideBy<D>;
            value = shape.shape_div(divisor);
        }

            }
    };
}
#[cfg(feature = "types")]
shape_operations!(aliases);
#[cfg(feature = "text")]
shape_operations!(forms);
#[cfg(feature = "types")]
pub(crate) use shape_operations;
