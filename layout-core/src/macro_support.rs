//! Functions that expansions of `layout!` call. Not public API.

use crate::engine::{ComposedLayout, DynLayout, MAX_SIZE, Swizzle, Tiler};
use crate::error::{LayoutError, MorelloError};
use crate::types::{AnyLayout, Dyn, Keep, Layout, Mixed, Tile, Tree};
use typenum::U1;

/// A stride as the product of run-time extents, saturating at a number that no layout can hold: a
/// layout with such a stride is refused where it is used.
pub const fn product(a: usize, b: usize) -> usize {
    match a.checked_mul(b) {
        Some(product) if product <= MAX_SIZE => product,
        _ => MAX_SIZE,
    }
}

/// Divides the run-time extent of a Morello dimension by `size`, the product of its known sizes.
///
/// # Errors
///
/// [`MorelloError::NotDivisible`] when the sizes do not divide the extent.
pub const fn rest_of(dimension: usize, extent: usize, size: usize) -> Result<usize, LayoutError> {
    if extent.is_multiple_of(size) {
        Ok(extent / size)
    } else {
        let error = MorelloError::NotDivisible { dimension, size, left: extent };
        Err(LayoutError::Morello(error))
    }
}

/// `Sw<bits,base,shift> o offset o layout`.
///
/// # Errors
///
/// The error of the layout, or an overflow of its offsets.
pub fn swizzled(
    (bits, base, shift): (u32, u32, i32),
    offset: usize,
    layout: &impl AnyLayout,
) -> Result<ComposedLayout, LayoutError> {
    ComposedLayout::new(&Swizzle::new(bits, base, shift)?, offset, &layout.to_dyn()?)
}

/// Converts a name in an operation to an operand: an integer `n` is the layout `n:1`.
pub fn to_operand<T: ToOperand>(value: T) -> T::Operand {
    value.to_operand()
}

/// A value that an operation takes by name.
#[diagnostic::on_unimplemented(
    message = "this is not an operand of an operation on layouts",
    label = "neither a layout nor a tiler nor a `usize`"
)]
pub trait ToOperand {
    /// A layout or a tiler.
    type Operand;
    /// Converts to the operand.
    fn to_operand(self) -> Self::Operand;
}

impl ToOperand for usize {
    type Operand = Mixed<Dyn, U1>;
    fn to_operand(self) -> Self::Operand {
        Mixed::new((self, ()))
    }
}

/// Converts the outcome of an operation to a `Result`, also if the operation cannot fail.
///
/// # Errors
///
/// The error of the operation.
pub fn into_result<T: IntoResult>(value: T) -> Result<T::Value, LayoutError> {
    value.into_result()
}

/// A layout or a tiler, or a `Result` of one.
pub trait IntoResult {
    /// A layout or a tiler.
    type Value;
    /// Converts to a `Result`.
    ///
    /// # Errors
    ///
    /// The error that it holds.
    fn into_result(self) -> Result<Self::Value, LayoutError>;
}

impl<T> IntoResult for Result<T, LayoutError> {
    type Value = T;
    fn into_result(self) -> Self {
        self
    }
}

macro_rules! unchanged_operands {
    ($([$($generics:tt)*] $operand:ty;)+) => {$(
        impl<$($generics)*> ToOperand for $operand {
            type Operand = Self;
            fn to_operand(self) -> Self {
                self
            }
        }
        impl<$($generics)*> IntoResult for $operand {
            type Value = Self;
            fn into_result(self) -> Result<Self, LayoutError> {
                Ok(self)
            }
        }
    )+};
}
unchanged_operands! {
    [S: Tree, D: Tree] Layout<S, D>;
    [S: Tree, D: Tree] Mixed<S, D>;
    [L] Tile<L>;
    [] Keep;
    [] DynLayout;
    [] ComposedLayout;
    [] Tiler;
    [A] (A,);
    [A, B] (A, B);
    [A, B, C] (A, B, C);
    [A, B, C, D] (A, B, C, D);
    [A, B, C, D, E] (A, B, C, D, E);
    [A, B, C, D, E, F] (A, B, C, D, E, F);
    [A, B, C, D, E, F, G] (A, B, C, D, E, F, G);
    [A, B, C, D, E, F, G, H] (A, B, C, D, E, F, G, H);
}
