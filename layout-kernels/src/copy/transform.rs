//! Elementwise functions from one layout to another: `transform`, `update` and `axpby`.
//!
//! The loops are those of a copy between the same layouts. If both memories are contiguous along the
//! same loop, the function is applied along it. If they are contiguous along different loops, elements
//! are first copied into a buffer in the order of the destination.
//!
//! Between static layouts the loops are constants. A call with few elements is inlined into the
//! caller; a larger one is a function compiled for the SIMD level.

use core::ops::{Add, Mul};

use super::constant::Constant;
use super::constant_update::StaticUpdate;
use super::plan::{CopyKernel, CopyPlan};
use super::planned_update::update_by_plan;
use super::refine::{Loop, for_each_offset};
use super::{Outcome, outcome};
use crate::simd::{Level, opaque_pointer};
use crate::view::private::Token;
use crate::view::{AsView, AsViewMut};

/// Sets every element of `destination` to a function of the `source` element at the same coordinate:
/// `destination(c) = f(source(c))`.
///
/// Layouts correspond as in [`copy()`](super::copy()). If `f` is simple, the speed is about that of a
/// copy. How often and in which order `f` is called is unspecified.
///
/// ```
/// use static_layout::engine::DynLayout;
/// use static_layout::{View, ViewMut, kernels::transform};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// let rows = View::new_in(&[1i16, 2, 3, 4, 5, 6], layout("(2,3):(3,1)"))?;
/// let mut columns = [0f32; 6];
/// let mut halves = ViewMut::new_in(&mut columns, layout("(2,3):(1,2)"))?;
/// transform(&rows, &mut halves, |x| f32::from(x) / 2.0)?;
/// assert_eq!(columns, [0.5, 2.0, 1.0, 2.5, 1.5, 3.0]);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
///
/// # Errors
///
/// Same as [`copy()`](super::copy()).
#[inline]
pub fn transform<T, U, S, D>(
    source: &S,
    destination: &mut D,
    f: impl Fn(T) -> U,
) -> Outcome<S::Layout, D::Layout, ()>
where
    T: Copy + 'static,
    U: Copy + 'static,
    S: AsView<T> + ?Sized,
    D: AsViewMut<U> + ?Sized,
{
    const { Constant::<T, S::Layout, D::Layout>::CHECK_SHAPES };
    update_at(Level::detect(), source, destination, |x, _| f(x))
}

/// Sets every element of `destination` to a function of the `source` element at the same coordinate
/// and of its own old value: `destination(c) = f(source(c), destination(c))`.
///
/// ```
/// use static_layout::engine::DynLayout;
/// use static_layout::{View, ViewMut, kernels::update};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// let bias = View::new_in(&[10, 20], layout("(2,3):(1,0)"))?;
/// let mut sums = [1, 2, 3, 4, 5, 6];
/// update(&bias, &mut ViewMut::new_in(&mut sums, layout("(2,3):(3,1)"))?, |x, y| x + y)?;
/// assert_eq!(sums, [11, 12, 13, 24, 25, 26]);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
///
/// # Errors
///
/// Same as [`copy()`](super::copy()).
#[inline]
pub fn update<T, U, S, D>(
    source: &S,
    destination: &mut D,
    f: impl Fn(T, U) -> U,
) -> Outcome<S::Layout, D::Layout, ()>
where
    T: Copy + 'static,
    U: Copy + 'static,
    S: AsView<T> + ?Sized,
    D: AsViewMut<U> + ?Sized,
{
    const { Constant::<T, S::Layout, D::Layout>::CHECK_SHAPES };
    update_at(Level::detect(), source, destination, f)
}

/// Computes `y = alpha * x + beta * y`, coordinate by coordinate.
///
/// As in BLAS, the old values of `y` are ignored if `beta` is zero, even NaNs.
///
/// ```
/// use static_layout::engine::DynLayout;
/// use static_layout::{View, ViewMut, kernels::axpby};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// let x = View::new_in(&[1.0, 2.0, 3.0, 4.0], layout("(2,2):(2,1)"))?;
/// let mut y = [10.0, 20.0, 30.0, 40.0];
/// axpby(2.0, &x, 0.5, &mut ViewMut::new_in(&mut y, layout("(2,2):(1,2)"))?)?;
/// assert_eq!(y, [7.0, 16.0, 19.0, 28.0]);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
///
/// # Errors
///
/// Same as [`copy()`](super::copy()).
#[inline]
pub fn axpby<T, S, D>(alpha: T, x: &S, beta: T, y: &mut D) -> Outcome<S::Layout, D::Layout, ()>
where
    T: Copy + Default + PartialEq + Add<Output = T> + Mul<Output = T> + 'static,
    S: AsView<T> + ?Sized,
    D: AsViewMut<T> + ?Sized,
{
    const { Constant::<T, S::Layout, D::Layout>::CHECK_SHAPES };
    if beta == T::default() {
        update_at(Level::detect(), x, y, |x, _| alpha * x)
    } else {
        update_at(Level::detect(), x, y, |x, y| alpha * x + beta * y)
    }
}

/// [`update()`] with the vector instructions of `level`, for tests and benchmarks.
///
/// # Errors
///
/// Same as [`copy()`](super::copy()).
#[inline]
pub fn update_at<T, U, S, D>(
    level: Level,
    source: &S,
    destination: &mut D,
    f: impl Fn(T, U) -> U,
) -> Outcome<S::Layout, D::Layout, ()>
where
    T: Copy + 'static,
    U: Copy + 'static,
    S: AsView<T> + ?Sized,
    D: AsViewMut<U> + ?Sized,
{
    const { Constant::<T, S::Layout, D::Layout>::CHECK_SHAPES };
    let ((from, s), (to, d)) = (source.parts(Token), destination.parts_mut(Token));
    let result = if const { StaticUpdate::<T, U, S::Layout, D::Layout>::IS_SMALL_STATIC } {
        StaticUpdate::<T, U, S::Layout, D::Layout>::new().run(level, from, to, &f);
        Ok(())
    } else {
        update_by_plan(level, (s.get(), from), (d.get(), to), &f)
    };
    outcome::<S::Layout, D::Layout, _>(result)
}

/// Loops of a call, known at compile time or at run time.
pub(super) trait UpdateLoops<T, U>: Copy {
    /// Applies `f` in each iteration of the loops. Always inlined.
    ///
    /// # Safety
    ///
    /// All offsets of the loops must be inside the slices.
    unsafe fn apply(self, level: Level, from: &[T], to: &mut [U], f: &impl Fn(T, U) -> U);
}

/// [`UpdateLoops::apply`] in a function that is compiled with the instructions of `level`.
///
/// # Safety
///
/// Same conditions as [`UpdateLoops::apply`].
pub(super) unsafe fn at_level<T, U>(
    level: Level,
    loops: impl UpdateLoops<T, U>,
    from: &[T],
    to: &mut [U],
    f: &impl Fn(T, U) -> U,
) {
    macro_rules! compiled {
        ($(#[$attribute:meta])*) => {{
            $(#[$attribute])*
            unsafe fn compiled<T, U>(
                level: Level,
                loops: impl UpdateLoops<T, U>,
                from: &[T],
                to: &mut [U],
                f: &impl Fn(T, U) -> U,
            ) {
                // SAFETY: guaranteed by the caller, see `# Safety`.
                unsafe { loops.apply(level, from, to, f) };
            }
            // SAFETY: guaranteed by the caller; `level` proves that the CPU has the instructions.
            unsafe { compiled(level, loops, from, to, f) }
        }};
    }
    match level {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx512(_) => compiled!(
            #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
        ),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx2(_) => compiled!(#[target_feature(enable = "avx2,fma")]),
        _ => compiled!(#[inline(never)]),
    }
}

/// Applies a function along the loops of a plan, without a buffer.
///
/// # Safety
///
/// Elements must be readable at each source offset of the plan, and readable and writable at each
/// destination offset. The memories must not overlap.
#[inline(always)]
pub(super) unsafe fn each_element<T: Copy, U: Copy>(
    plan: &CopyPlan,
    from: *const T,
    to: *mut U,
    f: &impl Fn(T, U) -> U,
) {
    // SAFETY: offsets of the plan.
    unsafe {
        match plan.kernel() {
            CopyKernel::Run { elements } => for_each_offset!(plan.loops(), |s, d| {
                apply_contiguous(from.wrapping_add(s), to.wrapping_add(d), elements, f);
            }),
            CopyKernel::Strided(inner) => for_each_offset!(plan.loops(), |s, d| {
                apply_strided(from.wrapping_add(s), to.wrapping_add(d), inner, f);
            }),
            CopyKernel::Transpose { columns, rows } => for_each_offset!(plan.loops(), |s, d| {
                for k in 0..columns.extent {
                    for i in 0..rows.extent {
                        let s = s + k * columns.source + i * rows.source;
                        let d = d + k * columns.destination + i * rows.destination;
                        apply_contiguous(from.wrapping_add(s), to.wrapping_add(d), plan.unit(), f);
                    }
                }
            }),
            CopyKernel::Nothing | CopyKernel::Irregular => {}
        }
    }
}

/// Applies a function along a loop.
///
/// # Safety
///
/// Same conditions as [`each_element`], for the elements of the loop from both pointers on.
#[inline(always)]
pub(super) unsafe fn apply_strided<T: Copy, U: Copy>(
    from: *const T,
    to: *mut U,
    line: Loop,
    f: &impl Fn(T, U) -> U,
) {
    for i in 0..line.extent {
        let to = to.wrapping_add(i * line.destination);
        // SAFETY: guaranteed by the caller, see `# Safety`.
        unsafe { to.write(f(from.wrapping_add(i * line.source).read(), to.read())) };
    }
}

/// Applies a function to contiguous elements.
///
/// # Safety
///
/// Same conditions as [`each_element`], for `elements` elements from both pointers on.
#[inline(always)]
pub(super) unsafe fn apply_contiguous<T: Copy, U: Copy>(
    from: *const T,
    to: *mut U,
    elements: usize,
    f: &impl Fn(T, U) -> U,
) {
    // Compilers use several registers at once for long runs only. And where a call is inlined, they do
    // not know that the memories do not overlap. So eight elements of a short run, or of the end of a
    // long one, are read before one is written. (30 x 30 `f32` with gaps: 65 ns, by slices 740.)
    const CHUNK: usize = 8;
    const LONG: usize = 64;
    macro_rules! one_by_one {
        ($range:expr) => {
            for i in $range {
                // SAFETY: guaranteed by the caller, see `# Safety`.
                unsafe {
                    let to = to.wrapping_add(i);
                    to.write(f(from.wrapping_add(i).read(), to.read()));
                }
            }
        };
    }
    let mut done = elements - elements % LONG;
    one_by_one!(0..done);
    if const { size_of::<T>() <= 16 && size_of::<U>() <= 16 } && elements - done >= CHUNK {
        // An opaque copy. Otherwise LLVM makes vectors of elements of different runs, which it gathers
        // and scatters. (30 x 30 `f32` with gaps: 47 ns instead of 460.)
        let to = opaque_pointer(to.cast_const()).cast_mut();
        while elements - done >= CHUNK {
            // SAFETY: guaranteed by the caller, see `# Safety`.
            unsafe {
                let (from, to) = (from.wrapping_add(done), to.wrapping_add(done));
                let x: [T; CHUNK] = from.cast::<[T; CHUNK]>().read();
                let y: [U; CHUNK] = to.cast::<[U; CHUNK]>().read();
                to.cast::<[U; CHUNK]>().write(core::array::from_fn(|k| f(x[k], y[k])));
            }
            done += CHUNK;
        }
    }
    one_by_one!(done..elements);
}
