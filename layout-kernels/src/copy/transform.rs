//! Functions of elements, from one layout to another: `transform`, `update` and `axpby`.
//!
//! Where both memories are contiguous along the same loop, the function goes along it. Where they
//! are not, a block is first transposed, as a copy does it, into a small memory in the order of the
//! destination, so that the function always meets neighbours.

use core::mem::MaybeUninit;
use core::ops::{Add, Mul};

use layout_core::error::LayoutError;
use layout_core::types::AnyLayout;

use super::constant::Constant;
use super::exec::exec_of;
use super::plan::{CopyKernel, CopyPlan};
use super::refine::{Loop, each};
use super::{Outcome, outcome, plan_within};
use crate::facts::value_in;
use crate::simd::Level;
use crate::view::{AsView, AsViewMut, View, ViewMut};
use crate::walk::Walk;

/// Sets every element of `destination` to a function of the one of `source` at the same
/// coordinate: `destination(c) = f(source(c))`.
///
/// Layouts correspond as in [`copy()`](super::copy()), at about its speed when `f` is simple. How
/// often and in which order `f` is called is not said.
///
/// ```
/// use layout_core::engine::DynLayout;
/// use layout_kernels::{View, ViewMut, transform};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// let rows = View::new_in(&[1i16, 2, 3, 4, 5, 6], layout("(2,3):(3,1)"))?;
/// let mut columns = [0f32; 6];
/// let mut halves = ViewMut::new_in(&mut columns, layout("(2,3):(1,2)"))?;
/// transform(&rows, &mut halves, |x| f32::from(x) / 2.0)?;
/// assert_eq!(columns, [0.5, 2.0, 1.0, 2.5, 1.5, 3.0]);
/// # Ok::<(), layout_core::error::LayoutError>(())
/// ```
///
/// # Errors
///
/// As [`copy()`](super::copy()).
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
    const { Constant::<T, S::Layout, D::Layout>::AGREE };
    update_at(Level::detect(), source, destination, |x, _| f(x))
}

/// Sets every element of `destination` to a function of the one of `source` at the same coordinate
/// and of itself: `destination(c) = f(source(c), destination(c))`.
///
/// ```
/// use layout_core::engine::DynLayout;
/// use layout_kernels::{View, ViewMut, update};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// let bias = View::new_in(&[10, 20], layout("(2,3):(1,0)"))?;
/// let mut sums = [1, 2, 3, 4, 5, 6];
/// update(&bias, &mut ViewMut::new_in(&mut sums, layout("(2,3):(3,1)"))?, |x, y| x + y)?;
/// assert_eq!(sums, [11, 12, 13, 24, 25, 26]);
/// # Ok::<(), layout_core::error::LayoutError>(())
/// ```
///
/// # Errors
///
/// As [`copy()`](super::copy()).
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
    const { Constant::<T, S::Layout, D::Layout>::AGREE };
    update_at(Level::detect(), source, destination, f)
}

/// `y = alpha * x + beta * y`, coordinate by coordinate.
///
/// As in BLAS, what `y` held has no influence when `beta` is zero: not even a NaN.
///
/// ```
/// use layout_core::engine::DynLayout;
/// use layout_kernels::{View, ViewMut, axpby};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// let x = View::new_in(&[1.0, 2.0, 3.0, 4.0], layout("(2,2):(2,1)"))?;
/// let mut y = [10.0, 20.0, 30.0, 40.0];
/// axpby(2.0, &x, 0.5, &mut ViewMut::new_in(&mut y, layout("(2,2):(1,2)"))?)?;
/// assert_eq!(y, [7.0, 16.0, 19.0, 28.0]);
/// # Ok::<(), layout_core::error::LayoutError>(())
/// ```
///
/// # Errors
///
/// As [`copy()`](super::copy()).
pub fn axpby<T, S, D>(alpha: T, x: &S, beta: T, y: &mut D) -> Outcome<S::Layout, D::Layout, ()>
where
    T: Copy + Default + PartialEq + Add<Output = T> + Mul<Output = T> + 'static,
    S: AsView<T> + ?Sized,
    D: AsViewMut<T> + ?Sized,
{
    const { Constant::<T, S::Layout, D::Layout>::AGREE };
    if beta == T::default() {
        update_at(Level::detect(), x, y, |x, _| alpha * x)
    } else {
        update_at(Level::detect(), x, y, |x, y| alpha * x + beta * y)
    }
}

/// [`update()`] with the vector instructions of `level`, for tests and measurements.
///
/// # Errors
///
/// As [`copy()`](super::copy()).
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
    const { Constant::<T, S::Layout, D::Layout>::AGREE };
    let (source, mut destination) = (source.as_view(), destination.as_view_mut());
    outcome::<S::Layout, D::Layout, _>(updated(level, &source, &mut destination, &f))
}

fn updated<T: Copy + 'static, U: Copy + 'static, S: AnyLayout, D: AnyLayout>(
    level: Level,
    source: &View<'_, T, S>,
    destination: &mut ViewMut<'_, U, D>,
    f: &impl Fn(T, U) -> U,
) -> Result<(), LayoutError> {
    let (mut s_room, mut d_room) = (None, None);
    let s = value_in(source.layout_ref(), &mut s_room)?;
    // The layout is copied, so that the elements can be written.
    let layout = destination.layout();
    let d = value_in(&layout, &mut d_room)?;
    let plan = plan_within::<T>((s, source.as_slice().len()), (d, destination.as_slice().len()))?;
    // Elements without size have no places that a plan could tell apart.
    if plan.kernel() == CopyKernel::Irregular || size_of::<T>() == 0 {
        let (mut from, mut to) = (Walk::new(s), Walk::new(d));
        let (source, destination) = (source.as_slice(), destination.as_mut_slice());
        while let (Some((_, from)), Some((_, to))) = (from.step(), to.step()) {
            destination[to] = f(source[from], destination[to]);
        }
        return Ok(());
    }
    let (from, to) = (source.as_slice().as_ptr(), destination.as_mut_slice().as_mut_ptr());
    plan.pieces((0, 0), &mut |piece, s, d| {
        let (from, to) = (from.wrapping_add(s), to.wrapping_add(d));
        let piece = Piece { level, plan: piece, from, to, f };
        match level {
            // SAFETY: `plan_within` proved every offset of the plan inside the slices, and a shared
            // and an exclusive slice do not overlap; the level proves the instructions.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => unsafe { avx512(&piece) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) => unsafe { avx2(&piece) },
            // SAFETY: as above.
            _ => unsafe { piece.run() },
        }
    });
    Ok(())
}

/// A plan, its memories, and what is done with each element.
struct Piece<'a, T, U, F> {
    level: Level,
    plan: &'a CopyPlan,
    from: *const T,
    to: *mut U,
    f: &'a F,
}

/// # Safety
///
/// As for [`Piece::run`], and the instructions are there.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
unsafe fn avx512<T: Copy + 'static, U: Copy, F: Fn(T, U) -> U>(piece: &Piece<'_, T, U, F>) {
    // SAFETY: the caller's promise.
    unsafe { piece.run() };
}

/// # Safety
///
/// As for [`Piece::run`], and the instructions are there.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2<T: Copy + 'static, U: Copy, F: Fn(T, U) -> U>(piece: &Piece<'_, T, U, F>) {
    // SAFETY: the caller's promise.
    unsafe { piece.run() };
}

/// Lines of the memory that blocks are transposed into: 32 KiB.
const LINES: usize = 512;

/// Rows of a block that is transposed at once.
const ROWS: usize = 128;

#[repr(align(64))]
#[derive(Clone, Copy)]
struct Line(#[allow(dead_code, reason = "it is memory")] [MaybeUninit<u8>; 64]);

impl<T: Copy + 'static, U: Copy, F: Fn(T, U) -> U> Piece<'_, T, U, F> {
    /// # Safety
    ///
    /// Elements can be read at each source offset of the plan, and read and written at each
    /// destination offset; the memories do not overlap.
    #[inline(always)]
    unsafe fn run(&self) {
        let Self { plan, from, to, .. } = *self;
        match plan.kernel() {
            CopyKernel::Nothing | CopyKernel::Irregular => {}
            CopyKernel::Run { elements } => each!(plan.loops(), |s, d| {
                let inner = Loop { extent: elements, source: 1, destination: 1 };
                // SAFETY: offsets of the plan.
                unsafe { self.along(from.wrapping_add(s), to.wrapping_add(d), inner) };
            }),
            CopyKernel::Strided(inner) => each!(plan.loops(), |s, d| {
                // SAFETY: offsets of the plan.
                unsafe { self.along(from.wrapping_add(s), to.wrapping_add(d), inner) };
            }),
            CopyKernel::Transpose { columns, rows } => each!(plan.loops(), |s, d| {
                let (from, to) = (from.wrapping_add(s), to.wrapping_add(d));
                // SAFETY: offsets of the plan.
                unsafe { self.block(from, to, rows, columns) };
            }),
        }
    }

    /// Goes along one loop.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run), with a plan of this loop only.
    #[inline(always)]
    unsafe fn along(&self, from: *const T, to: *mut U, inner: Loop) {
        let element = |i: usize| {
            // SAFETY: an offset of the source.
            let x = unsafe { from.wrapping_add(i * inner.source).read() };
            let to = to.wrapping_add(i * inner.destination);
            // SAFETY: an offset of the destination.
            let y = unsafe { to.read() };
            // SAFETY: as above.
            unsafe { to.write((self.f)(x, y)) };
        };
        if inner.source == 1 && inner.destination == 1 {
            // Said again, so that strides are constants in the loop.
            for i in 0..inner.extent {
                // SAFETY: an offset of the source.
                let x = unsafe { from.wrapping_add(i).read() };
                // SAFETY: an offset of the destination.
                let y = unsafe { to.wrapping_add(i).read() };
                // SAFETY: as above.
                unsafe { to.wrapping_add(i).write((self.f)(x, y)) };
            }
        } else {
            (0..inner.extent).for_each(element);
        }
    }

    /// Transposes a block part by part, and goes along the rows of what that gives.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run), with a plan of these loops only.
    #[inline(always)]
    unsafe fn block(&self, from: *const T, to: *mut U, rows: Loop, columns: Loop) {
        let unit = self.plan.unit();
        let room = LINES * size_of::<Line>() / size_of::<T>() / unit;
        let height = ROWS.min(rows.extent).min(room);
        if height == 0 || align_of::<T>() > align_of::<Line>() {
            // Elements of many KiB.
            for column in 0..columns.extent {
                let (s, d) = (column * columns.source, column * columns.destination);
                for k in 0..unit {
                    let (from, to) = (from.wrapping_add(s + k), to.wrapping_add(d + k));
                    // SAFETY: offsets of the plan.
                    unsafe { self.along(from, to, rows) };
                }
            }
            return;
        }
        let mut lines = [MaybeUninit::<Line>::uninit(); LINES];
        let memory: *mut T = lines.as_mut_ptr().cast();
        for top in (0..rows.extent).step_by(height) {
            let height = height.min(rows.extent - top);
            let width = room / height;
            for left in (0..columns.extent).step_by(width) {
                let width = width.min(columns.extent - left);
                let from = from.wrapping_add(top * rows.source + left * columns.source);
                let to = to.wrapping_add(top * rows.destination + left * columns.destination);
                let plan = self.plan.block(
                    &[],
                    Loop { extent: width, destination: height * unit, ..columns },
                    Loop { extent: height, ..rows },
                );
                // SAFETY: a part of the block, and room for it, which is on no one else's stack.
                unsafe { exec_of::<T>(self.level, &plan, from, memory) };
                for column in 0..width {
                    let from = memory.wrapping_add(column * height * unit);
                    let to = to.wrapping_add(column * columns.destination);
                    let row = Loop { extent: height * unit, source: 1, destination: 1 };
                    // SAFETY: the copy wrote these elements; the offsets are of the plan.
                    unsafe { self.along(from, to, row) };
                }
            }
        }
    }
}
