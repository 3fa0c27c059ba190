//! Products of matrices: `C = alpha * A * B + beta * C` for any layouts.

#[cfg(feature = "std")]
mod along;
mod any;
#[cfg(feature = "std")]
mod blocked;
#[cfg(feature = "std")]
mod blocking;
#[cfg(feature = "std")]
mod cuts;
mod dot;
mod fixed;
mod float;
#[cfg(feature = "std")]
mod micro;
mod mode;
mod modes;
#[cfg(feature = "std")]
mod operands;
mod pack;
#[cfg(feature = "std")]
mod panels;
mod place;
mod plain;
mod plan;
mod tile;

use core::marker::PhantomData;

use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, Check};

pub use float::Float;
pub(crate) use float::sealed;

use crate::facts::{reaches, value};
use crate::gemm::fixed::Fixed;
use crate::gemm::modes::agree;
use crate::gemm::tile::Scale;
use crate::simd::Level;
use crate::view::{AsView, AsViewMut};

/// The check of a call with three layouts.
type Checks<A, B, C> =
    <<<A as AnyLayout>::Check as Check>::And<<B as AnyLayout>::Check> as Check>::And<
        <C as AnyLayout>::Check,
    >;

/// What a product returns: nothing when its layouts are static, a `Result` when one is not.
type Outcome<A, B, C> = <Checks<A, B, C> as Check>::Outcome<()>;

/// Multiplies matrices: `C = alpha * A * B + beta * C`.
///
/// `C(m, n) = alpha * sum of A(m, k) * B(k, n) + beta * C(m, n)`, for A of shape (M,K), B of shape
/// (K,N) and C of shape (M,N), in any layouts. A mode may be nested; its coordinates are then
/// counted colexicographically, and it need not be nested in the same way in both operands that
/// share it.
///
/// As in BLAS, `beta = 0` means that C is not read, so that no NaN in it survives, and `alpha = 0`
/// that A and B are not read. Sums are in the precision of `T` and in an order that depends on the
/// layouts and on the processor.
///
/// Between static layouts, everything was decided when the program was compiled: the function
/// returns nothing, and shapes that make no product do not compile. When a layout is mixed or
/// dynamic it returns a `Result`.
///
/// ```
/// use layout_core::engine::DynLayout;
/// use layout_kernels::{Tensor, gemm};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// let a = Tensor::from_fn_in(layout("(2,3):(3,1)"), |c| c.leaves()[0] as f32)?;
/// let b = Tensor::full_in(layout("(3,4):(1,3)"), 2.0)?;
/// let mut c = Tensor::full_in(layout("(2,4):(4,1)"), f32::NAN)?;
/// gemm(1.0, &a, &b, 0.0, &mut c)?;
/// assert_eq!(c.as_slice(), [0.0, 0.0, 0.0, 0.0, 6.0, 6.0, 6.0, 6.0]);
/// # Ok::<(), layout_core::error::LayoutError>(())
/// ```
///
/// The 8 columns of A meet 9 rows of B, and that does not compile:
///
/// ```compile_fail,E0080
/// use layout_core::types::{Cons, Layout, Nil};
/// use layout_kernels::{Tensor, gemm};
/// use typenum::{U1, U4, U8, U9};
/// type Pair<A, B> = Cons<A, Cons<B, Nil>>;
/// let a = Tensor::<f32, Layout<Pair<U4, U8>, Pair<U8, U1>>>::full(1.0);
/// let b = Tensor::<f32, Layout<Pair<U9, U4>, Pair<U4, U1>>>::full(1.0);
/// let mut c = Tensor::<f32, Layout<Pair<U4, U4>, Pair<U4, U1>>>::zeros();
/// gemm(1.0, &a, &b, 0.0, &mut c);
/// ```
///
/// # Errors
///
/// [`LayoutError::GemmRank`], [`LayoutError::GemmInner`], [`LayoutError::GemmRows`] or
/// [`LayoutError::GemmColumns`], unless all layouts are static: then they are compile errors.
#[inline]
pub fn gemm<T, A, B, C>(
    alpha: T,
    a: &A,
    b: &B,
    beta: T,
    c: &mut C,
) -> Outcome<A::Layout, B::Layout, C::Layout>
where
    T: Float,
    A: AsView<T> + ?Sized,
    B: AsView<T> + ?Sized,
    C: AsViewMut<T> + ?Sized,
{
    const { Shapes::<A::Layout, B::Layout, C::Layout>::AGREE };
    Checks::<A::Layout, B::Layout, C::Layout>::outcome(product::<T, A, B, C, false>(
        Level::detect(),
        alpha,
        a,
        b,
        beta,
        c,
    ))
}

/// [`gemm`] with the instructions of one level.
///
/// # Errors
///
/// As [`gemm`].
#[inline]
pub fn gemm_at<T, A, B, C>(
    level: Level,
    alpha: T,
    a: &A,
    b: &B,
    beta: T,
    c: &mut C,
) -> Outcome<A::Layout, B::Layout, C::Layout>
where
    T: Float,
    A: AsView<T> + ?Sized,
    B: AsView<T> + ?Sized,
    C: AsViewMut<T> + ?Sized,
{
    const { Shapes::<A::Layout, B::Layout, C::Layout>::AGREE };
    Checks::<A::Layout, B::Layout, C::Layout>::outcome(product::<T, A, B, C, true>(
        level, alpha, a, b, beta, c,
    ))
}

/// The check of three static layouts.
struct Shapes<A, B, C>(PhantomData<(A, B, C)>);

impl<A: AnyLayout, B: AnyLayout, C: AnyLayout> Shapes<A, B, C> {
    /// A compile error where the shapes make no product.
    const AGREE: () = {
        if let (Some(a), Some(b), Some(c)) = (A::STATIC, B::STATIC, C::STATIC)
            && let Err(error) = agree(&a, &b, &c)
        {
            error.panic();
        }
    };
}

/// The product, at any level when `ANY`, and otherwise at what [`Level::detect`] can answer: a
/// kernel for a level is compiled into the user's program, so that one which does not run is left
/// out.
#[inline(always)]
fn product<T, A, B, C, const ANY: bool>(
    level: Level,
    alpha: T,
    a: &A,
    b: &B,
    beta: T,
    c: &mut C,
) -> Result<(), LayoutError>
where
    T: Float,
    A: AsView<T> + ?Sized,
    B: AsView<T> + ?Sized,
    C: AsViewMut<T> + ?Sized,
{
    let (a, b, mut c) = (a.as_view(), b.as_view(), c.as_view_mut());
    let scale = Scale::new(alpha, beta);
    if const { fixed::has_kernel::<T, Fixed<A::Layout, B::Layout, C::Layout>>() }
        && alpha != T::ZERO
    {
        let (a, b, c) =
            (a.as_slice().as_ptr(), b.as_slice().as_ptr(), c.as_mut_slice().as_mut_ptr());
        // SAFETY: a view of a static layout has a slice that the layout's every offset is below
        // the length of; the slice of C is borrowed exclusively.
        unsafe {
            fixed::run::<T, Fixed<A::Layout, B::Layout, C::Layout>, ANY>(level, &scale, a, b, c);
        }
        return Ok(());
    }
    let (a_value, b_value, c_value) =
        (value(&a.layout())?, value(&b.layout())?, value(&c.layout())?);
    agree(&a_value, &b_value, &c_value)?;
    reaches(&a_value, a.as_slice().len())?;
    reaches(&b_value, b.as_slice().len())?;
    reaches(&c_value, c.as_slice().len())?;
    let (a, b, c) = (a.as_slice().as_ptr(), b.as_slice().as_ptr(), c.as_mut_slice().as_mut_ptr());
    // SAFETY: the slices reach every offset of their layouts, as was just checked; the slice of C
    // is borrowed exclusively.
    unsafe { T::product(level, [&a_value, &b_value, &c_value], &scale, a, b, c) };
    Ok(())
}
