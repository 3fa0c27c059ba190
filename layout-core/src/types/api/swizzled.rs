//! `Swizzled`: a static layout followed by a swizzle, as a zero-sized type; and `AnySwizzled`, its
//! common interface with a `ComposedLayout`.

use core::fmt::{self, Debug, Display};

use crate::engine::{ComposedLayout, DynLayout, IntTuple, Swizzle};
use crate::error::LayoutError;
use crate::fallibility::{AtCompileTime, AtRunTime, Fallibility};
use crate::types::api::any::{AnyLayout, Coordinate};
use crate::types::api::layout::StaticLayout;
use crate::types::core::sealed::Sealed;

mod ghost {
    use core::convert::Infallible;
    use core::marker::PhantomData;

    /// The type behind the alias [`Swizzled`](crate::types::Swizzled).
    // A unit-like variant of the same name makes the path valid as a type and as a value.
    #[derive(Default)]
    pub enum Swizzled<L, const B: u32, const M: u32, const S: i32, const OFFSET: usize = 0> {
        /// The layout.
        #[default]
        Swizzled,
        #[doc(hidden)]
        Never(Infallible, PhantomData<fn() -> L>),
    }
}

/// The value namespace of [`Swizzled`].
mod value {
    pub use super::ghost::Swizzled::Swizzled;
}
// A glob import, so that the alias below wins in the type namespace, which contains the variant,
// too.
pub use value::*;

/// `Sw<B,M,S> o OFFSET o L` as a type: the offset of a coordinate `c` is `Sw(OFFSET + L(c))`.
///
/// Usually written by `layout!`, `layout!(Sw<3,4,3> o 0 o (8,64):(64,1))`. Like
/// [`Layout`](crate::types::Layout) it is zero-sized, and the path is both the type and its only
/// value. For a swizzle of a run-time layout, use [`ComposedLayout`].
///
/// ```
/// use static_layout::{AnySwizzled, Swizzled, layout};
/// type Rows = layout!((4,4):(4,1));
/// type Banks = Swizzled<Rows, 2, 0, 2>;
/// assert_eq!(Banks::default(), layout!(Sw<2,0,2> o 0 o (4,4):(4,1)));
/// assert_eq!(Banks::default().to_string(), "Sw<2,0,2> o 0 o (4,4):(4,1)");
/// assert!(Banks::COMPOSED.table().eq([0, 5, 10, 15, 1, 4, 11, 14, 2, 7, 8, 13, 3, 6, 9, 12]));
/// // Row 1, column 2: offset 6 is 01 10 in bits. The upper two are XORed into the lower two.
/// assert_eq!(Banks::default().try_offset((1, 2))?, 0b01_11);
/// assert_eq!(size_of::<Banks>(), 0);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
pub type Swizzled<L, const B: u32, const M: u32, const S: i32, const OFFSET: usize = 0> =
    ghost::Swizzled<L, B, M, S, OFFSET>;

/// A layout followed by a swizzle: a [`Swizzled`] type, or a [`ComposedLayout`] as a run-time value.
#[diagnostic::on_unimplemented(
    message = "a swizzled layout is needed here",
    label = "neither a `Swizzled` type nor a `ComposedLayout`"
)]
pub trait AnySwizzled: Sealed + Copy + Display + Debug + Send + Sync + 'static {
    /// The layout inside the swizzle. It determines the coordinates.
    type Inner: AnyLayout;

    /// Whether operations can fail at run time.
    type Fallibility: Fallibility;

    /// The swizzle and the layout, if the type determines every number.
    const STATIC: Option<ComposedLayout>;

    /// The layout inside the swizzle.
    fn inner(&self) -> Self::Inner;

    /// The swizzle, the offset and the layout as a value.
    fn to_composed(&self) -> ComposedLayout;

    /// The extents.
    fn shape(&self) -> IntTuple {
        self.to_composed().shape()
    }

    /// The number of coordinates: the product of the extents.
    fn size(&self) -> usize {
        self.to_composed().size()
    }

    /// An upper bound on every offset (exclusive): see [`ComposedLayout::cosize_bound`].
    fn cosize_bound(&self) -> usize {
        self.to_composed().cosize_bound()
    }

    /// The offset of a coordinate: `Sw(offset + L(c))`. See [`Coordinate`] for the forms of
    /// coordinates.
    ///
    /// # Errors
    ///
    /// If the coordinate lies outside the shape, or does not fit the modes of a dynamic layout.
    fn try_offset<C: Coordinate<Self::Inner>>(&self, coordinate: C) -> Result<usize, LayoutError>;
}

impl<L, const B: u32, const M: u32, const S: i32, const O: usize> Sealed
    for Swizzled<L, B, M, S, O>
{
}

impl<L: StaticLayout, const B: u32, const M: u32, const S: i32, const O: usize>
    Swizzled<L, B, M, S, O>
{
    /// The swizzle; a compile error if it is not valid.
    pub const SWIZZLE: Swizzle = match Swizzle::new(B, M, S) {
        Ok(swizzle) => swizzle,
        Err(error) => error.panic(),
    };

    /// The swizzle, the offset and the layout as a value; a compile error if offsets overflow.
    pub const COMPOSED: ComposedLayout = match ComposedLayout::new(&Self::SWIZZLE, O, &L::LAYOUT) {
        Ok(composed) => composed,
        Err(error) => error.panic(),
    };
}

impl<L: StaticLayout, const B: u32, const M: u32, const S: i32, const O: usize> AnySwizzled
    for Swizzled<L, B, M, S, O>
{
    type Inner = L;
    type Fallibility = AtCompileTime;
    const STATIC: Option<ComposedLayout> = Some(Self::COMPOSED);

    fn inner(&self) -> L {
        L::default()
    }

    fn to_composed(&self) -> ComposedLayout {
        const { Self::COMPOSED }
    }

    #[inline(always)]
    fn try_offset<C: Coordinate<L>>(&self, coordinate: C) -> Result<usize, LayoutError> {
        let inner = L::default().try_offset(coordinate)?;
        Ok(const { Self::COMPOSED }.swizzle().apply(O + inner))
    }
}

impl Sealed for ComposedLayout {}

impl AnySwizzled for ComposedLayout {
    type Inner = DynLayout;
    type Fallibility = AtRunTime;
    const STATIC: Option<ComposedLayout> = None;

    fn inner(&self) -> DynLayout {
        self.layout()
    }

    fn to_composed(&self) -> ComposedLayout {
        *self
    }

    fn try_offset<C: Coordinate<DynLayout>>(&self, coordinate: C) -> Result<usize, LayoutError> {
        let inner = self.layout().try_offset(coordinate)?;
        Ok(self.swizzle().apply(self.offset() + inner))
    }
}

impl<L, const B: u32, const M: u32, const S: i32, const O: usize> Clone
    for Swizzled<L, B, M, S, O>
{
    fn clone(&self) -> Self {
        *self
    }
}

impl<L, const B: u32, const M: u32, const S: i32, const O: usize> Copy for Swizzled<L, B, M, S, O> {}

impl<L, const B: u32, const M: u32, const S: i32, const O: usize> PartialEq
    for Swizzled<L, B, M, S, O>
{
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<L, const B: u32, const M: u32, const S: i32, const O: usize> Eq for Swizzled<L, B, M, S, O> {}

impl<L, const B: u32, const M: u32, const S: i32, const O: usize> core::hash::Hash
    for Swizzled<L, B, M, S, O>
{
    fn hash<H: core::hash::Hasher>(&self, _: &mut H) {}
}

impl<L: StaticLayout, const B: u32, const M: u32, const S: i32, const O: usize> Display
    for Swizzled<L, B, M, S, O>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&Self::COMPOSED, f)
    }
}

impl<L: StaticLayout, const B: u32, const M: u32, const S: i32, const O: usize> Debug
    for Swizzled<L, B, M, S, O>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}
