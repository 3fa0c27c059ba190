//! `Layout`: a layout as a zero-sized type; and `StaticLayout`, the only bound of generic code.

use core::fmt;

use generic_array::ArrayLength;

use crate::engine::DynLayout;
use crate::error::{ArrayError, LayoutError};
use crate::fallibility::AtCompileTime;
use crate::types::api::any::AnyLayout;
use crate::types::api::kind::StaticKind;
use crate::types::core::domain::{CoordinateIn, Domain};
use crate::types::core::modes::{ModeTree, checked};
use crate::types::core::nat::Nat;
use crate::types::core::sealed::Sealed;
use crate::types::core::tree::{Tree, Zip};

mod ghost {
    use core::convert::Infallible;
    use core::marker::PhantomData;

    /// The type behind the alias [`Layout`](crate::types::Layout).
    // A unit-like variant of the same name makes the path valid as a type and as a value.
    #[derive(Default)]
    pub enum Layout<S, D> {
        /// The layout.
        #[default]
        Layout,
        #[doc(hidden)]
        Never(Infallible, PhantomData<fn() -> (S, D)>),
    }
}

/// The value namespace of [`Layout`].
mod value {
    pub use super::ghost::Layout::Layout;
}
// A glob import, so that the alias below wins in the type namespace, which contains the variant,
// too.
pub use value::*;

/// A layout whose shape `S` and stride `D` are types.
///
/// Usually written by `layout!`. It is zero-sized, and `Layout::<S, D>` is both the type and its
/// only value. `S` and `D` are congruent trees: typenum unsigned integers, or tuples of trees as
/// [`Cons`](crate::types::Cons) lists.
///
/// ```
/// use static_layout::{AnyLayout, StaticLayout, layout};
/// type Rows = layout!((4,8):(8,1));
/// let rows: Rows = layout!((4,8):(8,1));
/// assert_eq!(rows.to_string(), "(4,8):(8,1)");
/// assert_eq!(Rows::SIZE, 32);
/// assert_eq!((rows.offset((2, 3)), rows.offset(1)), (19, 8));
/// assert_eq!(size_of::<Rows>(), 0);
/// ```
pub type Layout<S, D> = ghost::Layout<S, D>;
impl<S, D> Sealed for Layout<S, D> {}

impl<S, D> Clone for Layout<S, D> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S, D> Copy for Layout<S, D> {}
impl<S, D> PartialEq for Layout<S, D> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
impl<S, D> Eq for Layout<S, D> {}
impl<S, D> core::hash::Hash for Layout<S, D> {
    fn hash<H: core::hash::Hasher>(&self, _: &mut H) {}
}

/// Converts a layout to the type with the same numbers. Strides of extents of 1 may differ.
///
/// ```
/// use static_layout::layout;
/// use static_layout::engine::DynLayout;
/// type Rows = layout!((3,4):(4,1));
/// assert!(Rows::try_from(DynLayout::strided(&[3, 4], &[4, 1])?).is_ok());
/// assert!(Rows::try_from(DynLayout::strided(&[3, 4], &[1, 3])?).is_err());
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
///
/// # Errors
///
/// [`ArrayError::OtherLayout`].
impl<S: Tree, D: Tree> TryFrom<DynLayout> for Layout<S, D> {
    type Error = LayoutError;
    fn try_from(layout: DynLayout) -> Result<Self, LayoutError> {
        let own = &const { Self::LAYOUT };
        let strides = own.strides().iter().zip(layout.strides());
        let same = own.shape() == layout.shape()
            && own.extents().iter().zip(strides).all(|(&extent, (a, b))| extent == 1 || a == b);
        if same {
            return Ok(Self::default());
        }
        Err(LayoutError::Array(ArrayError::OtherLayout {
            shape: own.shape(),
            stride: own.stride(),
            found_shape: layout.shape(),
            found_stride: layout.stride(),
        }))
    }
}

impl<S: Tree, D: Tree> fmt::Display for Layout<S, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Self::LAYOUT, f)
    }
}

impl<S: Tree, D: Tree> fmt::Debug for Layout<S, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<S: Tree, D: Tree> AnyLayout for Layout<S, D> {
    const STATIC: Option<DynLayout> = Some(Self::LAYOUT);
    type Fallibility = AtCompileTime;
    type Total = AtCompileTime;
    type Coord = <Zip<S, D> as Domain>::Coord;
    type Domain = Zip<S, D>;
    type Modes = Zip<S, D>;
    fn to_dyn(&self) -> Result<DynLayout, LayoutError> {
        Ok(Self::LAYOUT)
    }
    #[inline(always)]
    fn to_dyn_in<'a>(&'a self, _: &'a mut Option<DynLayout>) -> Result<&'a DynLayout, LayoutError> {
        Ok(const { &Self::LAYOUT })
    }
    #[inline(always)]
    fn locate<C: CoordinateIn<Self::Domain>>(&self, coordinate: C) -> Option<usize> {
        const {
            let _ = Self::LAYOUT;
        }
        coordinate.locate(&Default::default())
    }
}

/// A layout that is fully known to the compiler: a [`Layout`].
///
/// It is the only bound that generic code needs, for any nesting of operations:
///
/// ```
/// use static_layout::{StaticLayout, layout};
/// fn last_offset<L: StaticLayout>() -> usize {
///     L::COSIZE - 1
/// }
/// # use static_layout::types::Layout;
/// assert_eq!(last_offset::<layout!(8:2)>(), 14);
/// ```
///
/// If an operation has no result, the constants of its type are compile errors; see
/// [`CHECKED`](Self::CHECKED).
#[diagnostic::on_unimplemented(
    message = "a static layout is needed here",
    label = "not a static layout",
    note = "for a layout with run-time leaves use `to_dyn()`, whose result has the same operations as methods"
)]
pub trait StaticLayout:
    AnyLayout<Kind = StaticKind, Fallibility = AtCompileTime, Total = AtCompileTime>
    + Default
    + Eq
    + core::hash::Hash
{
    /// The extents.
    type Shape: Tree;
    /// The strides, congruent to the shape.
    type Stride: Tree;
    /// The number of coordinates.
    type Size: Nat;
    /// One more than the largest offset.
    type Cosize: Nat;

    /// The layout as a value, or the error if it is not valid.
    const CHECKED: Result<DynLayout, LayoutError>;
    /// The layout as a value; a compile error if it is not valid.
    const LAYOUT: DynLayout = match Self::CHECKED {
        Ok(layout) => layout,
        Err(error) => error.panic(),
    };
    /// The number of coordinates.
    const SIZE: usize = Self::LAYOUT.size();
    /// One more than the largest offset.
    const COSIZE: usize = Self::LAYOUT.cosize();
    /// The number of modes.
    const RANK: usize = Self::LAYOUT.rank();
}

impl<S: Tree, D: Tree> StaticLayout for Layout<S, D> {
    type Shape = S;
    type Stride = D;
    type Size = <Zip<S, D> as ModeTree>::Size;
    type Cosize = <<Zip<S, D> as ModeTree>::LastOffset as Nat>::Succ;

    const CHECKED: Result<DynLayout, LayoutError> = checked::<Zip<S, D>>();
}

/// A static layout whose elements `generic-array` can store: its cosize is below 2^63.
///
/// Generic code that names `GenericArray<T, L::Cosize>` needs this bound; it holds for every
/// concrete layout.
///
/// ```
/// use generic_array::GenericArray;
/// use static_layout::{ArrayLayout, layout};
/// fn zeros<L: ArrayLayout>() -> GenericArray<f32, L::Cosize> {
///     GenericArray::default()
/// }
/// assert_eq!(zeros::<layout!(8:2)>().len(), 15);
/// ```
#[diagnostic::on_unimplemented(
    message = "the elements of this layout cannot be stored in an array",
    label = "not a static layout with a cosize below 2^63"
)]
pub trait ArrayLayout: StaticLayout<Cosize: ArrayLength> {}
impl<L: StaticLayout<Cosize: ArrayLength>> ArrayLayout for L {}
