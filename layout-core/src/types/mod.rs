//! Layouts as types: the same algebra as the engine's, evaluated by the compiler.
//!
//! A [`Layout<S, D>`](Layout) is a zero-sized type. Every operation is an associated type that
//! exists for all arguments, so [`StaticLayout`] is the only bound that generic code needs. An
//! operation without a result gives [`Invalid`], with the reason.
//!
//! # Static, mixed and dynamic
//!
//! The aliases and the methods of [`Algebra`] work on layouts of every [`Kind`], with tilers and
//! integer tuples of every kind as arguments. The form of the result depends on what the types of
//! the operands determine:
//!
//! * A static [`Layout`] and a [`DynLayout`](crate::engine::DynLayout) work by value: modes merge
//!   and disappear where the numbers allow it. Both give the same layout.
//! * A [`Mixed`] layout keeps the structure that its types promise, for all values of its run-time
//!   leaves, as in CuTe: an extent that happens to be 1 is kept, and modes that happen to be
//!   contiguous are not merged. Known numbers stay in the type: the tiles of a matrix with a
//!   run-time shape have static extents.
//!
//! ```
//! use static_layout::{Algebra, AnyLayout, DynLayout, layout};
//! // One layout, three times.
//! let known = layout!((2,(1,6)):(1,(6,2)));
//! let value: DynLayout = known.to_dyn()?;
//! let mixed: layout!((_,(_,_)):(_,(_,_))) = value.try_into()?;
//!
//! assert_eq!(known.coalesce(), layout!(12:1));
//! assert_eq!(value.coalesce().to_string(), "12:1");
//! assert_eq!(mixed.coalesce()?.to_string(), "(2,1,6):(1,6,2)");
//! # Ok::<(), static_layout::LayoutError>(())
//! ```
//!
//! The values of a mixed result are always checked: they are compared with the engine's result for
//! the values of the operands. If that has other modes than the types promise, the result is an
//! `Err`. If the types promise nothing, as for the complement of two run-time strides, the call is a
//! compile error. Use [`to_dyn`](AnyLayout::to_dyn) on the operands to get the result by value.
//!
//! # Limits
//!
//! A layout has at most [`MAX_LEAVES`](crate::engine::MAX_LEAVES) leaves, and sizes and offsets stay
//! below 2^63. An operation on many modes with large numbers may first reach the compiler's
//! `recursion_limit`, which is 128 by default. Compositions of 32 modes are below it, and so are
//! complements of 20 modes with numbers up to 2^40, or of a few modes up to 2^58. Beyond it rustc
//! reports E0275, or E0284 ("type annotations needed"). A larger `recursion_limit` helps.
//!
//! # How it works
//!
//! * `core`: the building blocks. `nat` has integers and `ternary` decisions. A decision dispatches
//!   to a branch that is an associated type *of its truth value*, since rustc evaluates every
//!   argument it is given. `tree` and `modes` are shapes and strides as [`Cons`] lists, and the two
//!   zipped; `flat` has lists of leaves. `symbolic` is for run-time leaves. [`Invalid`] implements
//!   the traits of every list and tree, and every operation on it returns it.
//! * `ops`: one file for each operation on these trees. [`operations`](crate::operations) lists all
//!   operations with their names.
//! * `api`: the public types. [`Layout`], [`Mixed`], coordinates, tilers; `kind` and `operand`
//!   define the operands and results of operations for layouts of all kinds, and `evaluate` computes
//!   the values of a mixed result.

pub(crate) mod api;
pub(crate) mod core;
pub use self::api::constant;
pub(crate) mod ops;

pub use self::api::any::{AnyLayout, Coordinate};
pub use self::api::check::Valid;
pub use self::api::constant::Constant;
pub use self::api::int_tuple::AnyIntTuple;
pub use self::api::kind::{DynamicKind, Kind, MixedKind, StaticKind};
pub(crate) use self::api::kind::{LayoutOf, ModesOf};
pub use self::api::layout::{ArrayLayout, Layout, StaticLayout};
pub use self::api::mixed::{Mixed, MixedValues};
pub use self::api::morello::{Morello, On, ShapelessLayout, StaticMorello};
pub use self::api::number::Number;
pub use self::api::operand::{Join, KindOf, Operand};
pub use self::api::partition::TileCoordinate;
pub use self::api::slice::{SliceCoordinate, SliceValue};
pub use self::api::swizzled::{AnySwizzled, Swizzled};
pub use self::api::tiler::{AnyTiler, StaticTiler, Tile, TilerList};
pub use self::core::domain::{CoordinateIn, CoordinateValue};
pub use self::core::invalid::{Invalid, Reason};
pub use self::core::mode_coord::ModeCoord;
pub(crate) use self::core::modes::ModeTree;
pub use self::core::nat::{Nat, NatAdd, NatCeilDiv, NatDiv, NatMin, NatMul, NatRem, NatSub};
pub use self::core::numbers::{NumberList, Numbers};
pub use self::core::symbolic::Dyn;
pub use self::core::tree::{Cons, Nil, Tree};
#[doc(hidden)]
pub use self::ops::compact::CompactStride;
pub use self::ops::morello::{Dimension0, Next, OddEvenPart, PackedPart, PartOf, Parts, RestPart};
pub use self::ops::slicer::{SlicerList, StaticSlicer};
pub use self::ops::tiled::Keep;
pub use crate::fallibility::{AtCompileTime, AtRunTime, Fallibility, IntoResult};
pub use crate::operations::*;
