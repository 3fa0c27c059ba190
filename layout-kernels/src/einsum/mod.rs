//! Contractions of tensors: `einsum("ij,jk->ik", a, b, c)`.
//!
//! [`axes`] turns letters into loops with a stride in each tensor. [`plan`] groups the loops into M, N
//! and K of matrix products, and a batch. [`run`] computes the products with `gemm`, or with [`loops`]
//! if they are tiny. [`inlined`] inlines small products of static layouts. [`kept_plan`] keeps a plan of
//! run-time layouts for many calls.

mod axes;
mod epilogue;
mod inlined;
mod kept_plan;
mod loops;
mod plan;
mod run;

use layout_core::engine::Subscripts;
use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, Fallibility};

pub use epilogue::EinsumEpilogue;
use epilogue::apply_to_run;
pub use inlined::StaticSubscripts;
pub use kept_plan::EinsumPlan;

use crate::einsum::inlined::StaticContraction;
use crate::einsum::plan::Plan;
use crate::einsum::run::Contraction;
use crate::gemm::{Arguments, AsIs, Checks, MatrixLayout, Multiply, Outcome, Scale, Sum, Then};
use crate::par::Par;
use crate::simd::Level;
use crate::view::private::Token;
use crate::view::{AsView, AsViewMut};

/// Contracts two tensors: `C = A * B`, summed over the letters that C does not have.
///
/// Each letter of the subscripts names a mode of A, B or C, in the order of their modes. For
/// `bij,bjk->bik`, `C(b,i,k) = sum over j of A(b,i,j) * B(b,j,k)`.
///
/// * A letter that occurs twice in one operand selects its diagonal: `ii,i->i`.
/// * A letter of only one operand that C does not have is summed over: `ij,k->ik`. It costs as many
///   multiplications as if the other operand had it, with stride 0.
/// * A letter of all three is a batch: one matrix product for each coordinate.
/// * Without letters, a tensor has one element: `ij,ij->` is the sum of all products.
/// * A mode may be nested. Its coordinates are then counted colexicographically, as in
///   [`gemm`](crate::gemm()).
///
/// Elements are those of [`Multiply`]: floats, complex numbers, bytes, `bf16` or `f16`. Tensors are
/// used in place, or packed in blocks that fit the caches. If the contiguous elements of a tensor
/// belong to the batch, or to a short letter, blocks are first copied into matrix order, and C is
/// copied back. No other memory is allocated. [`Einsum`] has more options. The macro `einsum!` of
/// `static-layout` checks the subscripts at compile time.
///
/// ```
/// use static_layout::engine::DynLayout;
/// use static_layout::{Tensor, kernels::einsum};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// // 2 heads of 3 queries and 4 keys, of 8 features each.
/// let queries = Tensor::full_in(layout("(3,2,8):(16,8,1)"), 0.5f32)?;
/// let keys = Tensor::full_in(layout("(4,2,8):(16,8,1)"), 1.0)?;
/// let mut scores = Tensor::zeros_in(layout("(2,3,4):(12,4,1)"))?;
/// einsum("qhd,khd->hqk", &queries, &keys, &mut scores)?;
/// assert_eq!(scores.as_slice(), [4.0; 24]);
///
/// let error = einsum("qhd,khd->qhk", &queries, &keys, &mut scores).unwrap_err();
/// assert_eq!(error.to_string(), "einsum: letter q is 3 in A but 2 in C");
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
///
/// # Errors
///
/// [`EinsumError`](layout_core::error::EinsumError), which names the letter, if subscripts or shapes
/// do not fit. Another [`LayoutError`] if a product of extents or the number of loops is too large.
pub fn einsum<X, Y, A, B, C>(subscripts: &str, a: &A, b: &B, c: &mut C) -> Result<(), LayoutError>
where
    X: Multiply<Y>,
    Y: Copy,
    A: AsView<X> + ?Sized,
    B: AsView<Y> + ?Sized,
    C: AsViewMut<X::Sum> + ?Sized,
{
    Einsum::default().run::<X, Y, A, B, C>(subscripts, a, b, c)
}

/// A contraction with all its options: `C = f(alpha * sum of A * B + beta * C)`.
///
/// As in [`Gemm`](crate::Gemm), C is not read if `beta = 0`, and A and B are not read if `alpha = 0`.
///
/// ```
/// use static_layout::engine::DynLayout;
/// use static_layout::{Tensor, kernels::Einsum};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// let a = Tensor::full_in(layout("(2,3):(3,1)"), 1.0f32)?;
/// let b = Tensor::full_in(layout("(3,2):(1,3)"), 1.0f32)?;
/// let mut c = Tensor::full_in(layout("(2,2):(2,1)"), 1.0)?;
/// // Adds a bias to each column, then applies ReLU.
/// let bias = [10.0, -10.0];
/// let sum = Einsum::new(2.0, 1.0).then(|x: f32, at| (x + bias[at[1]]).max(0.0));
/// sum.run("ij,jk->ik", &a, &b, &mut c)?;
/// assert_eq!(c.as_slice(), [17.0, 0.0, 17.0, 0.0]);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Einsum<T, F = AsIs> {
    alpha: T,
    beta: T,
    par: Par,
    then: F,
}

impl<T: Sum> Default for Einsum<T> {
    /// The contraction `C = A * B`, on one thread.
    fn default() -> Self {
        Self::new(T::ONE, T::ZERO)
    }
}

impl<T> Einsum<T> {
    /// The contraction `C = alpha * A * B + beta * C`, on one thread.
    #[inline]
    pub const fn new(alpha: T, beta: T) -> Self {
        Self { alpha, beta, par: Par::Sequential, then: AsIs }
    }

    /// Replaces each element `x` of C by `f(x, coordinate)` once its sum is complete. The coordinate
    /// has one index for each mode of C.
    ///
    /// `f` may be called from several threads and in any order; it should not access C.
    #[inline]
    pub fn then<F>(self, f: F) -> Einsum<T, Then<F>>
    where
        F: Fn(T, &[usize]) -> T + Sync,
    {
        Einsum { alpha: self.alpha, beta: self.beta, par: self.par, then: Then(f) }
    }
}

impl<T, F> Einsum<T, F> {
    /// Sets `alpha`, the factor of the sums.
    #[inline]
    #[must_use]
    pub fn alpha(self, alpha: T) -> Self {
        Self { alpha, ..self }
    }

    /// Sets `beta`, the factor of the old values of C.
    #[inline]
    #[must_use]
    pub fn beta(self, beta: T) -> Self {
        Self { beta, ..self }
    }

    /// Sets the threads to use. A small contraction stays on one.
    #[inline]
    #[must_use]
    pub fn par(self, par: Par) -> Self {
        Self { par, ..self }
    }

    /// Computes the contraction; see [`einsum`].
    ///
    /// # Errors
    ///
    /// Same as [`einsum`].
    pub fn run<X, Y, A, B, C>(
        &self,
        subscripts: &str,
        a: &A,
        b: &B,
        c: &mut C,
    ) -> Result<(), LayoutError>
    where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
        T: Sum,
        F: EinsumEpilogue<T>,
        A: AsView<X> + ?Sized,
        B: AsView<Y> + ?Sized,
        C: AsViewMut<T> + ?Sized,
    {
        self.run_at::<X, Y, A, B, C>(Level::detect(), subscripts, a, b, c)
    }

    /// Computes the contraction with the instructions of a given level.
    ///
    /// # Errors
    ///
    /// Same as [`einsum`].
    pub fn run_at<X, Y, A, B, C>(
        &self,
        level: Level,
        subscripts: &str,
        a: &A,
        b: &B,
        c: &mut C,
    ) -> Result<(), LayoutError>
    where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
        T: Sum,
        F: EinsumEpilogue<T>,
        A: AsView<X> + ?Sized,
        B: AsView<Y> + ?Sized,
        C: AsViewMut<T> + ?Sized,
    {
        // By reference: moving them takes as long as parsing.
        let parsed = Subscripts::new(subscripts);
        let subscripts = match &parsed {
            Ok(subscripts) => subscripts,
            Err(error) => return Err(*error),
        };
        let ((a, a_layout), (b, b_layout)) = (a.parts(Token), b.parts(Token));
        let (c, c_layout) = c.parts_mut(Token);
        let layouts = (a_layout.get(), b_layout.get(), c_layout.get());
        let plan = Planned::Later(subscripts);
        self.contract::<X, Y, _, _, _>(level, plan, layouts, (a, b, c))
    }

    /// Computes the contraction with a plan that was made before. If a tensor has another layout than
    /// planned, this call makes a plan of its own.
    ///
    /// # Errors
    ///
    /// Same as [`einsum`].
    pub fn run_planned<X, Y, A, B, C>(
        &self,
        plan: &EinsumPlan,
        a: &A,
        b: &B,
        c: &mut C,
    ) -> Result<(), LayoutError>
    where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
        T: Sum,
        F: EinsumEpilogue<T>,
        A: AsView<X> + ?Sized,
        B: AsView<Y> + ?Sized,
        C: AsViewMut<T> + ?Sized,
    {
        let ((a, a_layout), (b, b_layout)) = (a.parts(Token), b.parts(Token));
        let (c, c_layout) = c.parts_mut(Token);
        let layouts = (a_layout.get(), b_layout.get(), c_layout.get());
        let plan = Planned::Kept(plan);
        self.contract::<X, Y, _, _, _>(Level::detect(), plan, layouts, (a, b, c))
    }

    /// Called by `einsum!`.
    ///
    /// # Errors
    ///
    /// Same as [`einsum`]. If all layouts are static, these are compile errors.
    #[doc(hidden)]
    #[inline]
    pub fn run_static<S, X, Y, A, B, C>(
        &self,
        _: S,
        a: &A,
        b: &B,
        c: &mut C,
    ) -> Outcome<A::Layout, B::Layout, C::Layout>
    where
        S: StaticSubscripts,
        X: Multiply<Y, Sum = T>,
        Y: Copy,
        T: Sum,
        F: EinsumEpilogue<T>,
        A: AsView<X> + ?Sized,
        B: AsView<Y> + ?Sized,
        C: AsViewMut<T> + ?Sized,
    {
        const { StaticContraction::<S, A::Layout, B::Layout, C::Layout>::FITS };
        let plan = const { StaticContraction::<S, A::Layout, B::Layout, C::Layout>::PLAN };
        let ((a, a_layout), (b, b_layout)) = (a.parts(Token), b.parts(Token));
        let (c, c_layout) = c.parts_mut(Token);
        let (of_a, of_b, of_c) = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr());
        // SAFETY: a view's slice has an element for every offset of its layout; the slice of C is
        // borrowed exclusively.
        let is_done = unsafe {
            self.try_inlined::<X, Y, S, A::Layout, B::Layout, C::Layout>(of_a, of_b, of_c)
        };
        let result = if is_done {
            Ok(())
        } else {
            let layouts = (a_layout.get(), b_layout.get(), c_layout.get());
            let subscripts = const { &S::SUBSCRIPTS };
            let plan = match plan {
                Some(plan) => Planned::Static(subscripts, plan),
                None => Planned::Later(subscripts),
            };
            self.contract::<X, Y, _, _, _>(Level::detect(), plan, layouts, (a, b, c))
        };
        Checks::<A::Layout, B::Layout, C::Layout>::outcome(result)
    }

    /// Computes the contraction as planned; plans it first if there is no plan for these layouts.
    // Not inlined: products that are inlined should not save registers for it.
    #[inline(never)]
    fn contract<X, Y, A, B, C>(
        &self,
        level: Level,
        planned: Planned<'_>,
        (a, b, c): (&A, &B, &C),
        elements: (&[X], &[Y], &mut [T]),
    ) -> Result<(), LayoutError>
    where
        X: Multiply<Y, Sum = T>,
        Y: Copy,
        T: Sum,
        F: EinsumEpilogue<T>,
        A: AnyLayout,
        B: AnyLayout,
        C: AnyLayout,
    {
        let (mut a_slot, mut b_slot, mut c_slot) = (None, None, None);
        let layouts =
            [a.to_dyn_in(&mut a_slot)?, b.to_dyn_in(&mut b_slot)?, c.to_dyn_in(&mut c_slot)?];
        let (subscripts, plan) = match planned {
            Planned::Later(subscripts) => (subscripts, None),
            Planned::Static(subscripts, plan) => (subscripts, Some(plan)),
            Planned::Kept(kept) => (&kept.subscripts, kept.of(layouts)),
        };
        let Self { alpha, beta, par, ref then } = *self;
        let (scale, (a, b, c)) = (Scale::new(alpha, beta), elements);
        let later = scale.later();
        let starts = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr());
        let mut arguments = Arguments::new([MatrixLayout::UNIT; 3], [1; 3], &scale, starts);
        arguments.par = par;
        // SAFETY: the contraction calls it for elements of C, which it accesses exclusively.
        let then = unsafe { apply_to_run::<T>(then, subscripts.len(2)) };
        let contraction = Contraction {
            subscripts,
            layouts,
            kernels: X::kernels(level),
            arguments,
            later: later.any(),
            then: if F::IS_IDENTITY { None } else { Some(&then) },
        };
        // SAFETY: a view's slice has an element for every offset of its layout; the slice of C is
        // borrowed exclusively, and its coordinates have different offsets. The plan is one for the
        // same subscripts and layouts.
        unsafe { contraction.run(plan) }
    }
}

/// The subscripts of a contraction, and when it is planned.
enum Planned<'a> {
    /// By this call.
    Later(&'a Subscripts),
    /// At compile time, for the layouts of this call.
    Static(&'a Subscripts, &'a Plan),
    /// Before, possibly for other layouts.
    Kept(&'a EinsumPlan),
}

/// Default options of `einsum!`.
#[doc(hidden)]
pub fn einsum_options<T: Sum>() -> Einsum<T> {
    Einsum::default()
}
