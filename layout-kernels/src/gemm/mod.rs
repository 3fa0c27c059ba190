//! Matrix products: `C = alpha * A * B + beta * C` for any layouts.

mod display;
mod epilogue;
mod exec;
mod float;
mod inlined;
mod kernel;
mod multiply;
mod pack;
mod plan;
mod pointer;
mod problem;
pub(crate) mod scale;

use core::marker::PhantomData;

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, Fallibility};

pub use display::GemmPlan;
pub use epilogue::{AsIs, Epilogue, Then};
pub(crate) use exec::ElementKernels;
pub(crate) use exec::arguments::{Along, Arguments, Finish, FinishOf, Finished};
pub(crate) use exec::run as run_products;
pub(crate) use exec::unblocked::Matrices;
pub use float::Float;
pub(crate) use float::sealed::Sum;
pub(crate) use inlined::{MAX_UNROLLED, StaticModes, StaticProduct};
pub(crate) use kernel::line::Line;
pub use multiply::Multiply;
pub(crate) use plan::grid::pieces;
pub(crate) use problem::loops::{Loops, ProductLoops, is_faster};
pub(crate) use problem::matrix::{MatrixLayout, ModeLeaves};
pub(crate) use problem::mode::coalesces;
pub(crate) use problem::modes::Modes;
pub(crate) use problem::strided::Strided;
pub(crate) use problem::{Loop, for_each_iteration};
pub(crate) use scale::{AnyScale, Scale};

use crate::checks::{check_injective, const_unwrap};
use crate::gemm::inlined::Layouts;
use crate::gemm::problem::loops::Reordered;
use crate::gemm::problem::mode::Mode;
use crate::gemm::problem::modes::{check_shapes, extents};
use crate::par::Par;
use crate::simd::Level;
use crate::view::private::Token;
use crate::view::{AsView, AsViewMut};

/// Whether a call with these three layouts can fail: only if one of them is not static.
pub(crate) type Checks<A, B, C> = <<<A as AnyLayout>::Fallibility as Fallibility>::And<
    <B as AnyLayout>::Fallibility,
> as Fallibility>::And<<C as AnyLayout>::Fallibility>;

/// The return type of a product: `()` if its layouts are static, a `Result` if one is not.
pub(crate) type Outcome<A, B, C> = <Checks<A, B, C> as Fallibility>::Outcome<()>;

/// Multiplies matrices: `C = alpha * A * B + beta * C`.
///
/// `C(m, n) = alpha * sum of A(m, k) * B(k, n) + beta * C(m, n)`, for A of shape (M,K), B of shape
/// (K,N) and C of shape (M,N), in any layouts. A mode may be nested; its coordinates are then counted
/// colexicographically. The two operands that share a mode may nest it differently.
///
/// Elements are floats, complex numbers, bytes, `bf16` or `f16`; see [`Multiply`]. [`Gemm`] can use
/// several threads, and can apply a function to each finished element of C.
///
/// As in BLAS, `beta = 0` means that C is not read, so a NaN in it does not survive; `alpha = 0` means
/// that A and B are not read. Sums have the precision of C. Their order depends on the layouts and on
/// the processor.
///
/// With static layouts, all checks are made at compile time: the function returns nothing, and shapes
/// that do not match do not compile. If a layout is mixed or dynamic, it returns a `Result`.
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
/// A has 8 columns but B has 9 rows, so this does not compile. `cargo build` reports the error; with
/// `assert_gemm!` of `static-layout`, `cargo check` and editors report it too:
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
/// [`LayoutError::GemmColumns`] if the shapes do not match. If all layouts are static, these are
/// compile errors.
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
    const { ShapeCheck::<A::Layout, B::Layout, C::Layout>::OK };
    Gemm::new(alpha, beta).product::<X, Y, A, B, C>(Level::detect, a, b, c)
}

/// [`gemm`] with the instructions of a given level.
///
/// # Errors
///
/// Same as [`gemm`].
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
    const { ShapeCheck::<A::Layout, B::Layout, C::Layout>::OK };
    Gemm::new(alpha, beta).product::<X, Y, A, B, C>(|| level, a, b, c)
}

/// A matrix product with all its options:
/// `C(m, n) = f(alpha * sum of A(m, k) * B(k, n) + beta * C(m, n))`.
///
/// ```
/// use static_layout::engine::DynLayout;
/// use static_layout::{Tensor, kernels::Gemm};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// let a = Tensor::full_in(layout("(2,3):(3,1)"), 1.0f32)?;
/// let b = Tensor::full_in(layout("(3,2):(1,3)"), 1.0f32)?;
/// let mut c = Tensor::zeros_in(layout("(2,2):(2,1)"))?;
/// // Adds a bias to each column, then applies ReLU.
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
    /// The product `C = alpha * A * B + beta * C`, on one thread.
    #[inline]
    pub const fn new(alpha: T, beta: T) -> Self {
        Self { alpha, beta, par: Par::Sequential, then: AsIs }
    }

    /// Replaces each element `x` of `C(m, n)` by `f(x, (m, n))` once its sum is complete: for a bias,
    /// an activation or a residual.
    ///
    /// Usually `f` is called for a part of C while that part is in L1: for a tile, or for all of a
    /// small static product. It may be called from several threads and in any order; it should not
    /// access C.
    #[inline]
    pub fn then<F>(self, f: F) -> Gemm<T, Then<F>>
    where
        F: Fn(T, (usize, usize)) -> T + Sync,
    {
        Gemm { alpha: self.alpha, beta: self.beta, par: self.par, then: Then(f) }
    }
}

impl<T, F> Gemm<T, F> {
    /// Sets the threads to use. A small product stays on one.
    #[inline]
    #[must_use]
    pub fn par(self, par: Par) -> Self {
        Self { par, ..self }
    }

    /// Computes the product; see [`gemm`].
    ///
    /// # Errors
    ///
    /// Same as [`gemm`].
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
        const { ShapeCheck::<A::Layout, B::Layout, C::Layout>::OK };
        self.product::<X, Y, A, B, C>(Level::detect, a, b, c)
    }

    /// Computes the product with the instructions of a given level.
    ///
    /// # Errors
    ///
    /// Same as [`gemm`].
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
        const { ShapeCheck::<A::Layout, B::Layout, C::Layout>::OK };
        self.product::<X, Y, A, B, C>(|| level, a, b, c)
    }
}

/// The first elements of A, B and C.
type Starts<X, Y, T> = (*const X, *const Y, *mut T);

impl<T: Sum, F: Epilogue<T>> Gemm<T, F> {
    /// Computes the product, once the shapes of static layouts are checked. The callers check them,
    /// because the compile error names the line that calls the function with the check.
    #[inline(always)]
    fn product<X, Y, A, B, C>(
        &self,
        level: impl Fn() -> Level + Copy,
        a: &A,
        b: &B,
        c: &mut C,
    ) -> Outcome<A::Layout, B::Layout, C::Layout>
    where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
        A: AsView<X> + ?Sized,
        B: AsView<Y> + ?Sized,
        C: AsViewMut<T> + ?Sized,
    {
        // Once for all code paths: an `AsView` may return another view each time.
        let ((a, a_layout), (b, b_layout)) = (a.parts(Token), b.parts(Token));
        let (c, c_layout) = c.parts_mut(Token);
        let starts = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr());
        let is_static = const {
            A::Layout::STATIC.is_some()
                && B::Layout::STATIC.is_some()
                && C::Layout::STATIC.is_some()
        };
        // SAFETY: a view's slice has an element for every offset of its layout; the slice of C is
        // borrowed exclusively.
        let result = unsafe {
            if is_static {
                self.static_product::<X, Y, A::Layout, B::Layout, C::Layout>(level, starts);
                Ok(())
            } else {
                let layouts = (a_layout.get(), b_layout.get(), c_layout.get());
                let level = level();
                match self.try_unblocked::<X, Y, _, _, _>(level, layouts, starts) {
                    true => Ok(()),
                    false => self.to_dynamic::<X, Y, _, _, _>(level, layouts, starts),
                }
            }
        };
        Checks::<A::Layout, B::Layout, C::Layout>::outcome(result)
    }

    /// Computes the product of static layouts.
    ///
    /// # Safety
    ///
    /// Elements of A and B are valid for reads, and elements of C for reads and writes, at every
    /// offset of the layouts. Nothing else accesses C during the call.
    #[inline(always)]
    unsafe fn static_product<X, Y, A, B, C>(
        &self,
        level: impl Fn() -> Level + Copy,
        starts: Starts<X, Y, T>,
    ) where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
        A: AnyLayout,
        B: AnyLayout,
        C: AnyLayout,
    {
        type Inlined<X, Y, A, B, C> = <X as Multiply<Y>>::StaticProduct<Layouts<A, B, C>>;
        let has_plan = const { <Inlined<X, Y, A, B, C> as StaticProduct<T>>::HAS_PLAN };
        let level = if has_plan && self.alpha != T::ZERO {
            let (scale, (a, b, c)) = (Scale::new(self.alpha, self.beta), starts);
            // SAFETY: guaranteed by the caller. Only floats and complex numbers are inlined, whose
            // operands and sums have one type.
            let result =
                unsafe { Inlined::<X, Y, A, B, C>::run(level, &scale, a.cast(), b.cast(), c) };
            let Err(level) = result else {
                if const { !F::IS_IDENTITY } {
                    // Here, not in a function, so that offsets are constants.
                    let [m, n] = const { &Mode::both(&Layouts::<A, B, C>::GIVEN[2]) };
                    let (row, column) = (|i| (m.offset(i), i), |i| (n.offset(i), i));
                    // SAFETY: as above.
                    unsafe {
                        self.then.apply(&Finished::all([m, n], c.cast(), &row, &column), true);
                    }
                }
                return;
            };
            level
        } else {
            level()
        };
        let (given, reordered) =
            const { (&Layouts::<A, B, C>::GIVEN, &Layouts::<A, B, C>::REORDERED) };
        // SAFETY: guaranteed by the caller.
        unsafe { self.static_not_inlined::<X, Y>(level, given, reordered, starts) };
    }

    /// Computes a product of static layouts that is not inlined. Compiled once for all layouts, and
    /// never inlined itself.
    ///
    /// # Safety
    ///
    /// Elements of A and B are valid for reads, and elements of C for reads and writes, at every
    /// offset of the layouts. Nothing else accesses C during the call. The shapes of the layouts
    /// match.
    #[inline(never)]
    unsafe fn static_not_inlined<X, Y>(
        &self,
        level: Level,
        given: &[MatrixLayout<'_>; 3],
        reordered: &Option<Reordered>,
        starts: Starts<X, Y, T>,
    ) where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
    {
        // SAFETY: guaranteed by the caller.
        let product = |arguments: &Arguments<'_>| unsafe {
            exec::run_one(arguments, &X::kernels(level));
        };
        // SAFETY: the product accesses C exclusively.
        unsafe { self.with_arguments(*given, reordered.as_ref(), starts, product) };
    }

    /// Computes the product without cache blocking, if the layouts are plain matrices (see
    /// `as_matrix`) with matching shapes, and if that pays. Returns whether it did.
    ///
    /// # Safety
    ///
    /// Elements of A and B are valid for reads, and elements of C for reads and writes, at every
    /// offset of the layouts. Nothing else accesses C during the call.
    #[inline(always)]
    unsafe fn try_unblocked<X, Y, A, B, C>(
        &self,
        level: Level,
        layouts: (&A, &B, &C),
        starts: Starts<X, Y, T>,
    ) -> bool
    where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
        A: AnyLayout,
        B: AnyLayout,
        C: AnyLayout,
    {
        let (Some(of_a), Some(of_b), Some(of_c)) =
            (layouts.0.as_matrix(), layouts.1.as_matrix(), layouts.2.as_matrix())
        else {
            return false;
        };
        let Some(strided) = Strided::of([of_a, of_b, of_c]) else { return false };
        if strided.is_empty() || self.alpha == T::ZERO {
            return false;
        }
        let scale = Scale::new(self.alpha, self.beta);
        // SAFETY: the part belongs to C, which the product accesses exclusively.
        let finish = |part: &Finished<'_>| unsafe { self.then.apply(part, false) };
        let finish: Option<Finish<'_>> = if F::IS_IDENTITY { None } else { Some(&finish) };
        let matrices = Matrices::new(level, &scale, starts, finish);
        // SAFETY: guaranteed by the caller.
        unsafe { X::try_unblocked(&strided, &matrices, self.par) }
    }

    /// Computes the product of any layouts, as [`DynLayout`]s. Not inlined: callers would copy layouts
    /// even where they do not call it.
    ///
    /// # Safety
    ///
    /// Elements of A and B are valid for reads, and elements of C for reads and writes, at every
    /// offset of the layouts. Nothing else accesses C during the call.
    #[inline(never)]
    unsafe fn to_dynamic<X, Y, A, B, C>(
        &self,
        level: Level,
        layouts: (&A, &B, &C),
        starts: Starts<X, Y, T>,
    ) -> Result<(), LayoutError>
    where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
        A: AnyLayout,
        B: AnyLayout,
        C: AnyLayout,
    {
        let mut slots = [None; 3];
        let [a_slot, b_slot, c_slot] = &mut slots;
        let layouts = [
            layouts.0.to_dyn_in(a_slot)?,
            layouts.1.to_dyn_in(b_slot)?,
            layouts.2.to_dyn_in(c_slot)?,
        ];
        // SAFETY: guaranteed by the caller.
        unsafe { self.dynamic::<X, Y>(level, layouts, starts) }
    }

    /// [`to_dynamic`](Self::to_dynamic), compiled once for all layouts.
    ///
    /// # Safety
    ///
    /// Elements of A and B are valid for reads, and elements of C for reads and writes, at every
    /// offset of the layouts. Nothing else accesses C during the call.
    #[inline(never)]
    unsafe fn dynamic<X, Y>(
        &self,
        level: Level,
        layouts: [&DynLayout; 3],
        starts: Starts<X, Y, T>,
    ) -> Result<(), LayoutError>
    where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
    {
        check_shapes(layouts[0], layouts[1], layouts[2])?;
        let is_nested = layouts.iter().any(|layout| layout.as_matrix().is_none());
        let (given, mut reordered) = (MatrixLayout::all(layouts), Reordered::new());
        let reordered = if is_nested && reordered.set(&given) { Some(&reordered) } else { None };
        // SAFETY: guaranteed by the caller.
        let product = |arguments: &Arguments<'_>| unsafe {
            let kernels = X::kernels(level);
            // For plain matrices, `try_unblocked` was called before.
            if is_nested {
                exec::run_one(arguments, &kernels);
            } else {
                exec::run(arguments, &kernels);
            }
        };
        // SAFETY: the product accesses C exclusively.
        unsafe { self.with_arguments(given, reordered, starts, product) };
        Ok(())
    }

    /// Calls `product`, unless C is empty, with arguments that apply the epilogue, if there is one, to
    /// each finished part of C. `reordered` is the product of the given layouts, if its loops have another
    /// order.
    ///
    /// # Safety
    ///
    /// `product` accesses C exclusively.
    #[inline(always)]
    unsafe fn with_arguments<X, Y>(
        &self,
        given: [MatrixLayout<'_>; 3],
        reordered: Option<&Reordered>,
        starts: Starts<X, Y, T>,
        product: impl FnOnce(&Arguments<'_>),
    ) {
        if given[2].is_empty() {
            return;
        }
        let scale = Scale::new(self.alpha, self.beta);
        // SAFETY: the part belongs to C, which the product accesses exclusively.
        let apply = |part: &Finished<'_>| unsafe { self.then.apply(part, false) };
        let finish = |_, part: &Finished<'_>| match reordered {
            Some(reordered) => part.with_given_coordinates(reordered, apply),
            None => apply(part),
        };
        let layouts = reordered.map_or(given, Reordered::layouts);
        let finish: Option<FinishOf<'_>> = if F::IS_IDENTITY { None } else { Some(&finish) };
        let arguments = Arguments::new(layouts, extents(&layouts), &scale, starts);
        product(&Arguments { par: self.par, finish, ..arguments });
    }
}

/// Checks the shapes of three layouts at compile time.
struct ShapeCheck<A, B, C>(PhantomData<(A, B, C)>);

impl<A: AnyLayout, B: AnyLayout, C: AnyLayout> ShapeCheck<A, B, C> {
    /// A compile error if all layouts are static and their shapes do not match.
    const OK: () = {
        if let (Some(a), Some(b), Some(c)) = (A::STATIC, B::STATIC, C::STATIC)
            && let Err(error) = check_shapes(&a, &b, &c)
        {
            error.panic();
        }
    };
}

/// Evaluated by `assert_gemm!` of `static-layout`: a compile error if the shapes of three layouts do
/// not match, or if C maps two coordinates to one offset. Takes values: with types, the error would
/// print long type names.
#[doc(hidden)]
#[track_caller]
pub const fn assert_gemm(a: &DynLayout, b: &DynLayout, c: &DynLayout) {
    const_unwrap(&check_shapes(a, b, c));
    const_unwrap(&check_injective(c));
}
