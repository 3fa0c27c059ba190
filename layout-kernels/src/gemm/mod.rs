//! Products of matrices: `C = alpha * A * B + beta * C` for any layouts.

mod epilogue;
mod exec;
mod float;
mod inlined;
mod kernel;
mod multiply;
mod pack;
mod place;
mod plan;
mod problem;
mod scale;

use core::marker::PhantomData;

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, Fallibility};

pub use epilogue::{AsIs, Epilogue, Then};
pub(crate) use exec::arguments::{Along, Arguments, Finished, Loop};
pub use float::Float;
pub(crate) use float::sealed::Sum;
pub use multiply::Multiply;
pub use plan::GemmPlan;
pub(crate) use scale::Scale;

use crate::facts::{must, value_in, writable};
use crate::gemm::exec::arguments::{Finish, FinishOf};
use crate::gemm::exec::unblocked::Matrices;
use crate::gemm::inlined::{Layouts, Product, Static};
use crate::gemm::problem::modes::{Modes, agree};
use crate::gemm::problem::strided::Strided;
use crate::par::Par;
use crate::simd::Level;
use crate::view::private::Token;
use crate::view::{AsView, AsViewMut};

/// The check of a call with three layouts.
pub(crate) type Checks<A, B, C> = <<<A as AnyLayout>::Fallibility as Fallibility>::And<
    <B as AnyLayout>::Fallibility,
> as Fallibility>::And<<C as AnyLayout>::Fallibility>;

/// What a product returns: nothing when its layouts are static, a `Result` when one is not.
pub(crate) type Outcome<A, B, C> = <Checks<A, B, C> as Fallibility>::Outcome<()>;

/// Multiplies matrices: `C = alpha * A * B + beta * C`.
///
/// `C(m, n) = alpha * sum of A(m, k) * B(k, n) + beta * C(m, n)`, for A of shape (M,K), B of shape
/// (K,N) and C of shape (M,N), in any layouts. A mode may be nested; its coordinates are then
/// counted colexicographically, and it need not be nested in the same way in both operands that
/// share it.
///
/// The elements are floats, complex numbers, bytes, `bf16` or `f16`, as [`Multiply`] says. [`Gemm`]
/// makes products on several threads, and applies a function to each finished element of C.
///
/// As in BLAS, `beta = 0` means that C is not read, so that no NaN in it survives, and `alpha = 0`
/// that A and B are not read. Sums are in the precision of C and in an order that depends on the
/// layouts and on the processor.
///
/// Between static layouts, everything was decided when the program was compiled: the function
/// returns nothing, and shapes that make no product do not compile. When a layout is mixed or
/// dynamic it returns a `Result`.
///
/// ```
/// use static_layout::engine::DynLayout;
/// use static_layout::{Tensor, kernels::gemm};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// let a = Tensor::from_fn_in(layout("(2,3):(3,1)"), |c| c.leaves()[0] as f32)?;
/// let b = Tensor::full_in(layout("(3,4):(1,3)"), 2.0)?;
/// let mut c = Tensor::full_in(layout("(2,4):(4,1)"), f32::NAN)?;
/// gemm(1.0, &a, &b, 0.0, &mut c)?;
/// assert_eq!(c.as_slice(), [0.0, 0.0, 0.0, 0.0, 6.0, 6.0, 6.0, 6.0]);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
///
/// The 8 columns of A meet 9 rows of B, and that does not compile. It is an error of `cargo build`;
/// `assert_gemm!` of `static-layout` makes it one of `cargo check` and of an editor:
///
/// ```compile_fail,E0080
/// use static_layout::{Tensor, kernels::gemm, layout};
/// let a = Tensor::<f32, layout!((4,8):(8,1))>::full(1.0);
/// let b = Tensor::<f32, layout!((9,4):(4,1))>::full(1.0);
/// let mut c = Tensor::<f32, layout!((4,4):(4,1))>::zeros();
/// gemm(1.0, &a, &b, 0.0, &mut c);
/// ```
///
/// # Errors
///
/// [`LayoutError::MatrixRank`], [`LayoutError::GemmInner`], [`LayoutError::GemmRows`] or
/// [`LayoutError::GemmColumns`], unless all layouts are static: then they are compile errors.
#[inline]
pub fn gemm<X, Y, A, B, C>(
    alpha: X::Sum,
    a: &A,
    b: &B,
    beta: X::Sum,
    c: &mut C,
) -> Outcome<A::Layout, B::Layout, C::Layout>
where
    X: Multiply<Y>,
    Y: Copy,
    A: AsView<X> + ?Sized,
    B: AsView<Y> + ?Sized,
    C: AsViewMut<X::Sum> + ?Sized,
{
    const { Shapes::<A::Layout, B::Layout, C::Layout>::AGREE };
    Gemm::new(alpha, beta).product::<X, Y, A, B, C>(Level::detect, a, b, c)
}

/// [`gemm`] with the instructions of one level.
///
/// # Errors
///
/// As [`gemm`].
#[inline]
pub fn gemm_at<X, Y, A, B, C>(
    level: Level,
    alpha: X::Sum,
    a: &A,
    b: &B,
    beta: X::Sum,
    c: &mut C,
) -> Outcome<A::Layout, B::Layout, C::Layout>
where
    X: Multiply<Y>,
    Y: Copy,
    A: AsView<X> + ?Sized,
    B: AsView<Y> + ?Sized,
    C: AsViewMut<X::Sum> + ?Sized,
{
    const { Shapes::<A::Layout, B::Layout, C::Layout>::AGREE };
    Gemm::new(alpha, beta).product::<X, Y, A, B, C>(|| level, a, b, c)
}

/// A product with all its options: `C(m, n) = f(alpha * sum of A(m, k) * B(k, n) + beta * C(m, n))`.
///
/// ```
/// use static_layout::engine::DynLayout;
/// use static_layout::{Tensor, kernels::Gemm};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// let a = Tensor::full_in(layout("(2,3):(3,1)"), 1.0f32)?;
/// let b = Tensor::full_in(layout("(3,2):(1,3)"), 1.0f32)?;
/// let mut c = Tensor::zeros_in(layout("(2,2):(2,1)"))?;
/// // A bias for each column, then what is negative becomes 0.
/// let bias = [10.0, -10.0];
/// Gemm::new(1.0, 0.0).then(|x: f32, (_, n)| (x + bias[n]).max(0.0)).run(&a, &b, &mut c)?;
/// assert_eq!(c.as_slice(), [13.0, 0.0, 13.0, 0.0]);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Gemm<T, F = AsIs> {
    alpha: T,
    beta: T,
    par: Par,
    then: F,
}

impl<T> Gemm<T> {
    /// `C = alpha * A * B + beta * C`, on one thread.
    #[inline]
    pub const fn new(alpha: T, beta: T) -> Self {
        Self { alpha, beta, par: Par::Sequential, then: AsIs }
    }

    /// Then replaces each element `x` of `C(m, n)` by `f(x, (m, n))`, once all of its products are
    /// in it: a bias, an activation, a residual.
    ///
    /// It is called for a part of C while that is in the first cache: a tile of it, or all of a small
    /// static product. It may be called from several threads, and in any order; it should not look
    /// at C.
    #[inline]
    pub fn then<F>(self, f: F) -> Gemm<T, Then<F>>
    where
        F: Fn(T, (usize, usize)) -> T + Sync,
    {
        Gemm { alpha: self.alpha, beta: self.beta, par: self.par, then: Then(f) }
    }
}

impl<T, F> Gemm<T, F> {
    /// On these threads. A small product stays on one.
    #[inline]
    #[must_use]
    pub fn par(self, par: Par) -> Self {
        Self { par, ..self }
    }

    /// Makes the product; see [`gemm`].
    ///
    /// # Errors
    ///
    /// As [`gemm`].
    #[inline]
    pub fn run<X, Y, A, B, C>(
        &self,
        a: &A,
        b: &B,
        c: &mut C,
    ) -> Outcome<A::Layout, B::Layout, C::Layout>
    where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
        T: Sum,
        F: Epilogue<T>,
        A: AsView<X> + ?Sized,
        B: AsView<Y> + ?Sized,
        C: AsViewMut<T> + ?Sized,
    {
        const { Shapes::<A::Layout, B::Layout, C::Layout>::AGREE };
        self.product::<X, Y, A, B, C>(Level::detect, a, b, c)
    }

    /// Makes the product with the instructions of one level.
    ///
    /// # Errors
    ///
    /// As [`gemm`].
    #[inline]
    pub fn run_at<X, Y, A, B, C>(
        &self,
        level: Level,
        a: &A,
        b: &B,
        c: &mut C,
    ) -> Outcome<A::Layout, B::Layout, C::Layout>
    where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
        T: Sum,
        F: Epilogue<T>,
        A: AsView<X> + ?Sized,
        B: AsView<Y> + ?Sized,
        C: AsViewMut<T> + ?Sized,
    {
        const { Shapes::<A::Layout, B::Layout, C::Layout>::AGREE };
        self.product::<X, Y, A, B, C>(|| level, a, b, c)
    }

    /// The product, once it is checked that the shapes of static layouts make one. What calls it checks
    /// that, since the compiler names the line that calls the function with the check.
    #[inline(always)]
    fn product<X, Y, A, B, C>(
        &self,
        level: impl FnOnce() -> Level,
        a: &A,
        b: &B,
        c: &mut C,
    ) -> Outcome<A::Layout, B::Layout, C::Layout>
    where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
        T: Sum,
        F: Epilogue<T>,
        A: AsView<X> + ?Sized,
        B: AsView<Y> + ?Sized,
        C: AsViewMut<T> + ?Sized,
    {
        // Once for all ways: an `AsView` may give another view each time.
        let ((a, a_layout), (b, b_layout)) = (a.parts(Token), b.parts(Token));
        let (c, c_layout) = c.parts_mut(Token);
        let (a, b, c) = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr());
        let is_static = const {
            A::Layout::STATIC.is_some()
                && B::Layout::STATIC.is_some()
                && C::Layout::STATIC.is_some()
        };
        // SAFETY: a view's slice has an element for every offset of its layout; the slice of C is
        // borrowed exclusively.
        let made = unsafe {
            if is_static {
                self.of_static::<X, Y, A::Layout, B::Layout, C::Layout>(level, a, b, c);
                Ok(())
            } else {
                let layouts = (a_layout.get(), b_layout.get(), c_layout.get());
                let level = level();
                match self.at_once::<X, Y, _, _, _>(level, layouts, a, b, c) {
                    true => Ok(()),
                    false => self.any::<X, Y, _, _, _>(level, layouts, a, b, c),
                }
            }
        };
        Checks::<A::Layout, B::Layout, C::Layout>::outcome(made)
    }

    /// The product of static layouts.
    ///
    /// # Safety
    ///
    /// Elements of A and B can be read, and of C read and written, at every offset of the layouts;
    /// nothing else accesses C meanwhile.
    #[inline(always)]
    unsafe fn of_static<X, Y, A, B, C>(
        &self,
        level: impl FnOnce() -> Level,
        a: *const X,
        b: *const Y,
        c: *mut T,
    ) where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
        T: Sum,
        F: Epilogue<T>,
        A: AnyLayout,
        B: AnyLayout,
        C: AnyLayout,
    {
        type Inlined<X, Y, A, B, C> = <X as Multiply<Y>>::Static<Layouts<A, B, C>>;
        let exists = const { <Inlined<X, Y, A, B, C> as Static<T>>::EXISTS };
        let level = if exists && self.alpha != T::ZERO {
            let scale = Scale::new(self.alpha, self.beta);
            // SAFETY: as required here. Only floats are inlined, whose operands and sums are of one
            // type.
            let made =
                unsafe { Inlined::<X, Y, A, B, C>::run(level, &scale, a.cast(), b.cast(), c) };
            let Err(level) = made else {
                if const { !F::KEEPS }
                    && let Some(Modes { cm, cn, .. }) =
                        const { &<Layouts<A, B, C> as Product>::MODES }
                {
                    // Here, and not in a function, so that offsets are constants.
                    let (row, column) = (|i| cm.offset(i), |i| cn.offset(i));
                    // SAFETY: as above.
                    unsafe { self.then.apply(&Finished::all([cm, cn], c.cast(), &row, &column)) };
                }
                return;
            };
            level
        } else {
            level()
        };
        let layouts = const { [known(&A::STATIC), known(&B::STATIC), known(&C::STATIC)] };
        // SAFETY: as required here.
        unsafe { self.values_of_static::<X, Y>(level, layouts, a, b, c) };
    }

    /// What is not made in the caller: for all static layouts, and not in line.
    ///
    /// # Safety
    ///
    /// Elements of A and B can be read, and of C read and written, at every offset of the layouts;
    /// nothing else accesses C meanwhile. The layouts make a product.
    #[inline(never)]
    unsafe fn values_of_static<X, Y>(
        &self,
        level: Level,
        layouts: [&DynLayout; 3],
        a: *const X,
        b: *const Y,
        c: *mut T,
    ) where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
        T: Sum,
        F: Epilogue<T>,
    {
        // SAFETY: as required here.
        let product =
            |arguments: &Arguments<'_, X, Y, T>| unsafe { X::of_static(level, arguments) };
        // SAFETY: the product has C exclusively.
        unsafe { self.with_arguments(layouts, (a, b, c), product) };
    }

    /// Makes the product if its layouts are matrices that say what they are without being asked
    /// more, and if that pays; says whether it has.
    ///
    /// # Safety
    ///
    /// Elements of A and B can be read, and of C read and written, at every offset of the layouts;
    /// nothing else accesses C meanwhile.
    #[inline(always)]
    unsafe fn at_once<X, Y, A, B, C>(
        &self,
        level: Level,
        layouts: (&A, &B, &C),
        a: *const X,
        b: *const Y,
        c: *mut T,
    ) -> bool
    where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
        T: Sum,
        F: Epilogue<T>,
        A: AnyLayout,
        B: AnyLayout,
        C: AnyLayout,
    {
        let scale = Scale::new(self.alpha, self.beta);
        let flat =
            Strided::of([layouts.0.as_matrix(), layouts.1.as_matrix(), layouts.2.as_matrix()]);
        // SAFETY: the part is one of C, which the product has exclusively, and so has this.
        let finish = |part: &Finished<'_>| unsafe { self.then.apply(part) };
        let finish: Option<Finish<'_>> = if F::KEEPS { None } else { Some(&finish) };
        let matrices = Matrices::new(level, &scale, (a, b, c), finish);
        match flat {
            // SAFETY: as required here.
            Some(flat) if !flat.is_empty() && self.alpha != T::ZERO => unsafe {
                X::at_once(&flat, &matrices, self.par)
            },
            _ => false,
        }
    }

    /// The product of any layouts, as values. It is not in line: layouts would be copied for it
    /// where it is not called.
    ///
    /// # Safety
    ///
    /// Elements of A and B can be read, and of C read and written, at every offset of the layouts;
    /// nothing else accesses C meanwhile.
    #[inline(never)]
    unsafe fn any<X, Y, A, B, C>(
        &self,
        level: Level,
        layouts: (&A, &B, &C),
        a: *const X,
        b: *const Y,
        c: *mut T,
    ) -> Result<(), LayoutError>
    where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
        T: Sum,
        F: Epilogue<T>,
        A: AnyLayout,
        B: AnyLayout,
        C: AnyLayout,
    {
        let mut places = [None; 3];
        let [a_place, b_place, c_place] = &mut places;
        let layouts = [
            value_in(layouts.0, a_place)?,
            value_in(layouts.1, b_place)?,
            value_in(layouts.2, c_place)?,
        ];
        // SAFETY: as required here.
        unsafe { self.values::<X, Y>(level, layouts, a, b, c) }
    }

    /// [`any`](Self::any), compiled once for all layouts.
    ///
    /// # Safety
    ///
    /// Elements of A and B can be read, and of C read and written, at every offset of the layouts;
    /// nothing else accesses C meanwhile.
    #[inline(never)]
    unsafe fn values<X, Y>(
        &self,
        level: Level,
        layouts: [&DynLayout; 3],
        a: *const X,
        b: *const Y,
        c: *mut T,
    ) -> Result<(), LayoutError>
    where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
        T: Sum,
        F: Epilogue<T>,
    {
        agree(layouts[0], layouts[1], layouts[2])?;
        // SAFETY: as required here.
        let product = |arguments: &Arguments<'_, X, Y, T>| unsafe { X::product(level, arguments) };
        // SAFETY: the product has C exclusively.
        unsafe { self.with_arguments(layouts, (a, b, c), product) };
        Ok(())
    }

    /// Runs a product, unless C is empty. It calls the epilogue, if there is one, with each finished part of C.
    ///
    /// # Safety
    ///
    /// The product has C exclusively.
    #[inline(always)]
    unsafe fn with_arguments<X, Y>(
        &self,
        layouts: [&DynLayout; 3],
        (a, b, c): (*const X, *const Y, *mut T),
        product: impl FnOnce(&Arguments<'_, X, Y, T>),
    ) where
        T: Sum,
        F: Epilogue<T>,
    {
        if layouts[2].cosize() == 0 {
            return;
        }
        let scale = Scale::new(self.alpha, self.beta);
        // SAFETY: the part is one of C, which the product has exclusively, and so has this.
        let finish = |_, part: &Finished<'_>| unsafe { self.then.apply(part) };
        let finish: Option<FinishOf<'_>> = if F::KEEPS { None } else { Some(&finish) };
        product(&Arguments { layouts, batch: &[], scale: &scale, a, b, c, par: self.par, finish });
    }
}

/// A layout that is known.
const fn known(layout: &'static Option<DynLayout>) -> &'static DynLayout {
    match layout {
        Some(layout) => layout,
        None => &DynLayout::UNIT,
    }
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

/// What `assert_gemm!` of `static-layout` evaluates: a compile error where three layouts make no product,
/// or C maps two coordinates to one offset. Of values: an error would name the types at length.
#[doc(hidden)]
#[track_caller]
pub const fn assert_gemm(a: &DynLayout, b: &DynLayout, c: &DynLayout) {
    must(&agree(a, b, c));
    must(&writable(c));
}
