//! `Algebra` and `ShapeAlgebra`: the operations as methods of layouts and shapes of any kind.

use super::rows::methods;
#[allow(clippy::wildcard_imports)]
use super::*;
use crate::engine::DynLayout;
use crate::error::LayoutError;
use crate::types::api::evaluate::{agree, exists};
use crate::types::{AnyIntTuple, AnyLayout, Fallibility, Kind};

/// `T` if an operation on operands of the kind `K` cannot fail at run time, and
/// `Result<T, LayoutError>` otherwise.
pub type Outcome<K, T> = <<K as Kind>::Fallibility as Fallibility>::Outcome<T>;

/// The operations of the algebra, on layouts of any kind.
///
/// Each method has the name and the law of the alias of its result type. The kind of the result is
/// that of the least static operand. If all operands are static, every possible error is a compile
/// error, and the result is a plain value; otherwise it is a `Result`. Operations that are defined
/// for all layouts, such as [`coalesce`](Self::coalesce), return a plain value for a [`DynLayout`],
/// too.
///
/// ```
/// use static_layout::{layout, prelude::*};
/// let (m, k) = (512, 256);
/// let rows: layout!((_, _):(_, 1)) = layout!((m, k):(k, 1));
/// let tiles = rows.zipped_divide(&layout!(<128, 64>))?;
/// assert_eq!(tiles.to_string(), "((128,64),(4,4)):((256,1),(32768,64))");
/// // The extents of a tile are in the type, and so is the stride of its rows.
/// let (tile, offset) = tiles.slice((.., (1, 2)));
/// assert_eq!((tile.to_string().as_str(), offset), ("((128,64)):((256,1))", 32896));
/// assert_eq!(size_of_val(&tile), 8);
/// # Ok::<(), LayoutError>(())
/// ```
///
/// Generic code can use the operations on layouts of any kind:
///
/// ```
/// use static_layout::{layout, ops::Coalesce, prelude::*};
/// fn merged<L: AnyLayout>(layout: &L) -> Result<Coalesce<L>, LayoutError> {
///     layout.coalesce().into_result()
/// }
/// assert_eq!(merged(&layout!(8:1))?, layout!(8:1));
/// assert_eq!(merged(&DynLayout::parse("(2,(1,6)):(1,(6,2))").unwrap())?.to_string(), "12:1");
/// # Ok::<(), LayoutError>(())
/// ```
///
/// # Errors
///
/// The engine's error if it refuses the values. For mixed operands also
/// [`AlgebraError::Structure`](crate::error::AlgebraError::Structure), if the layout exists, but not
/// with the modes that the types promise. Then use [`to_dyn`](AnyLayout::to_dyn): the algebra on a
/// [`DynLayout`] only depends on the values.
///
/// If the types do not even determine a structure, the call is a compile error.
pub trait Algebra: AnyLayout {
    structures!(methods);
    functions!(methods);
    divides!(methods);
    products!(methods);
}

impl<L: AnyLayout> Algebra for L {}

/// The operations that create a layout from a shape, as methods of [integer tuples](AnyIntTuple) of
/// any kind.
///
/// ```
/// use static_layout::{layout, prelude::*, typenum::U8};
/// // A run-time extent stays a run-time extent, and the result is checked.
/// let rows = (100, U8::new()).row_major()?;
/// assert_eq!(rows, layout!(({100}, 8):(8, 1)));
/// # Ok::<(), LayoutError>(())
/// ```
///
/// # Errors
///
/// The errors of [`Algebra`].
pub trait ShapeAlgebra: AnyIntTuple {
    shape_operations!(methods);
}

impl<S: AnyIntTuple> ShapeAlgebra for S {}

/// Whether `A(R(i)) = i` for all `i` in the domain of R.
#[inline]
fn is_identity(a: &DynLayout, r: &DynLayout) -> bool {
    let identity = DynLayout::leaf_unchecked(r.size(), 1);
    a.composition(r).is_ok_and(|composition| agree(&composition, &identity))
}
