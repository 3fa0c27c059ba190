//! Copying between layouts: every coordinate's element goes to the same coordinate.

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, Check};

mod block;
mod item;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod loops;
#[cfg(target_arch = "x86_64")]
mod narrow;
mod pieces;
mod plan;
mod planned;
#[cfg(target_arch = "x86_64")]
mod registers;
mod run;
#[cfg(target_arch = "x86_64")]
mod shuffle;
mod strip;
mod text;
pub(crate) mod tile;
mod transform;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

pub use plan::{CopyKernel, CopyPlan, Loop};
use planned::Constant;
use run::{far, run};
pub use transform::{axpby, transform, update, update_at};

use crate::facts::{reaches, value, writable};
use crate::par::Par;
use crate::simd::Level;
use crate::view::{AsView, AsViewMut, View, ViewMut};
use crate::walk::Walk;

/// What a kernel returns: plain `T` when the layouts of `A` and `B` are static, a `Result` when
/// one is not.
type Outcome<A, B, T> =
    <<<A as AnyLayout>::Check as Check>::And<<B as AnyLayout>::Check> as Check>::Outcome<T>;

/// Copies every element of `source` to the same coordinate of `destination`.
///
/// `destination(c) = source(c)` for each coordinate `c`. Both have the same rank and modes of the
/// same sizes. A mode may be nested differently in both; its elements then correspond in
/// colexicographic order. Elements of the destination's memory that no coordinate leads to keep
/// their value.
///
/// Elements of any type are moved as they are. A transposition of numbers of 4 or 8 bytes is done
/// in registers; of other types one by one.
///
/// Between static layouts, everything was decided when the program was compiled: the function
/// returns nothing, and shapes that differ do not compile. When a layout is mixed or dynamic it
/// returns a `Result`.
///
/// ```
/// use layout_core::engine::DynLayout;
/// use layout_kernels::{Tensor, copy};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// let rows = Tensor::from_fn_in(layout("(4,6):(6,1)"), |c| c.leaves()[0])?;
/// let mut packed = Tensor::zeros_in(layout("(4,(3,2)):(3,(1,12))"))?;
/// copy(&rows, &mut packed)?;
/// assert_eq!(packed.as_slice()[..12], [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
/// # Ok::<(), layout_core::error::LayoutError>(())
/// ```
///
/// # Errors
///
/// [`LayoutError::CopyShape`] when the shapes differ, unless both layouts are static: then it is
/// a compile error.
#[inline]
pub fn copy<T, S, D>(source: &S, destination: &mut D) -> Outcome<S::Layout, D::Layout, ()>
where
    T: Copy + 'static,
    S: AsView<T> + ?Sized,
    D: AsViewMut<T> + ?Sized,
{
    const { Constant::<T, S::Layout, D::Layout>::AGREE };
    copy_at(Level::detect(), source, destination)
}

/// [`copy()`] with the vector instructions of `level`, for tests and measurements.
///
/// # Errors
///
/// As [`copy()`].
#[inline]
pub fn copy_at<T, S, D>(
    level: Level,
    source: &S,
    destination: &mut D,
) -> Outcome<S::Layout, D::Layout, ()>
where
    T: Copy + 'static,
    S: AsView<T> + ?Sized,
    D: AsViewMut<T> + ?Sized,
{
    const { Constant::<T, S::Layout, D::Layout>::AGREE };
    let (source, mut destination) = (source.as_view(), destination.as_view_mut());
    let result = if const { Constant::<T, S::Layout, D::Layout>::EXISTS } {
        copy_static(level, &source, &mut destination);
        Ok(())
    } else {
        copy_dynamic(level, &source, &mut destination)
    };
    outcome::<S::Layout, D::Layout, _>(result)
}

/// [`copy()`] on the threads of `par`, each with pieces of its own.
///
/// A copy of a few hundred KiB or less is done by one.
///
/// ```
/// use layout_core::engine::DynLayout;
/// use layout_kernels::{Par, Tensor, copy_par};
/// let layout = |text| DynLayout::parse(text).unwrap();
/// let rows = Tensor::from_fn_in(layout("(4,6):(6,1)"), |c| c.leaves()[0])?;
/// let mut columns = Tensor::zeros_in(layout("(4,6):(1,4)"))?;
/// copy_par(Par::Sequential, &rows, &mut columns)?;
/// assert_eq!(columns.as_slice()[..8], [0, 1, 2, 3, 0, 1, 2, 3]);
/// # Ok::<(), layout_core::error::LayoutError>(())
/// ```
///
/// # Errors
///
/// As [`copy()`], and [`LayoutError::NotInjective`] for a layout that was another one when the view
/// was made.
pub fn copy_par<T, S, D>(
    par: Par,
    source: &S,
    destination: &mut D,
) -> Outcome<S::Layout, D::Layout, ()>
where
    T: Copy + Send + Sync + 'static,
    S: AsView<T> + ?Sized,
    D: AsViewMut<T> + ?Sized,
{
    const { Constant::<T, S::Layout, D::Layout>::AGREE };
    let (source, mut destination) = (source.as_view(), destination.as_view_mut());
    outcome::<S::Layout, D::Layout, _>(copy_parts(par, &source, &mut destination))
}

/// The result as the layouts' checks have it.
fn outcome<S: AnyLayout, D: AnyLayout, T>(result: Result<T, LayoutError>) -> Outcome<S, D, T> {
    <S::Check as Check>::And::<D::Check>::outcome(result)
}

/// Both layouts as values and the plan between them, with every offset proven inside its slice.
fn plan_of<T, U, S: AnyLayout, D: AnyLayout>(
    source: &View<'_, T, S>,
    destination: &ViewMut<'_, U, D>,
) -> Result<(DynLayout, DynLayout, CopyPlan), LayoutError> {
    let (s, d) = (value(&source.layout())?, value(&destination.layout())?);
    let plan = CopyPlan::new::<T>(&s, &d)?;
    // Checked when the views were made; once more because `AnyLayout` is a safe trait, so that
    // nothing forces an implementation to give the same value twice.
    reaches(&s, source.as_slice().len())?;
    reaches(&d, destination.as_slice().len())?;
    Ok((s, d, plan))
}

/// Whether the shapes are such that a copy means something.
const fn agree(source: &DynLayout, destination: &DynLayout) -> Result<(), LayoutError> {
    if source.same_mode_sizes(destination) {
        return Ok(());
    }
    Err(LayoutError::CopyShape { source: source.shape(), destination: destination.shape() })
}

#[inline(always)]
fn copy_static<T: Copy + 'static, S: AnyLayout, D: AnyLayout>(
    level: Level,
    source: &View<'_, T, S>,
    destination: &mut ViewMut<'_, T, D>,
) {
    let plan = Constant::<T, S, D>::new();
    if let Some((s, d)) = const { &Constant::<T, S, D>::IRREGULAR } {
        return walk(s, source.as_slice(), d, destination.as_mut_slice());
    }
    let (from, to) = (source.as_slice().as_ptr(), destination.as_mut_slice().as_mut_ptr());
    // SAFETY: the views hold at least the cosize of their layouts, so that every offset is inside
    // them, and a shared and an exclusive slice do not overlap.
    unsafe { run(level, plan, from, to) };
}

#[inline(never)]
fn copy_dynamic<T: Copy + 'static, S: AnyLayout, D: AnyLayout>(
    level: Level,
    source: &View<'_, T, S>,
    destination: &mut ViewMut<'_, T, D>,
) -> Result<(), LayoutError> {
    let (s, d, plan) = plan_of(source, destination)?;
    if plan.kernel() == CopyKernel::Irregular {
        walk(&s, source.as_slice(), &d, destination.as_mut_slice());
        return Ok(());
    }
    let (from, to) = (source.as_slice().as_ptr(), destination.as_mut_slice().as_mut_ptr());
    // SAFETY: `plan_of` proved every offset of the plan's layouts inside the slices, and a shared
    // and an exclusive slice do not overlap.
    unsafe { run(level, &plan, from, to) };
    Ok(())
}

fn copy_parts<T: Copy + Send + Sync + 'static, S: AnyLayout, D: AnyLayout>(
    par: Par,
    source: &View<'_, T, S>,
    destination: &mut ViewMut<'_, T, D>,
) -> Result<(), LayoutError> {
    let (s, d, plan) = plan_of(source, destination)?;
    // Two threads must not write one place.
    writable(&d)?;
    if plan.kernel() == CopyKernel::Irregular {
        walk(&s, source.as_slice(), &d, destination.as_mut_slice());
        return Ok(());
    }
    let to = Place(destination.as_mut_slice().as_mut_ptr());
    let from = source.as_slice();
    // More parts than threads, since some threads may be slower.
    let parts = plan.parts(if par.threads() > 1 { 4 * par.threads() } else { 1 });
    par.each(parts.len(), |i| {
        let (part, s, d) = &parts[i];
        let (from, to) = (from.as_ptr().wrapping_add(*s), to.at(*d));
        // SAFETY: `plan_of` proved every offset inside the slices, and a shared and an exclusive
        // slice do not overlap. Each coordinate is in one part only, and has a place of its own.
        unsafe { far(Level::detect(), part, from, to) };
    });
    Ok(())
}

/// A pointer that threads share.
#[derive(Clone, Copy)]
struct Place<T>(*mut T);

// SAFETY: a pointer is a number; whoever uses it from a thread proves that it may.
unsafe impl<T: Send> Send for Place<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Place<T> {}

impl<T> Place<T> {
    /// A method, so that closures share the whole and not the pointer in it.
    fn at(self, offset: usize) -> *mut T {
        self.0.wrapping_add(offset)
    }
}

/// Copies coordinate by coordinate: what is always right.
fn walk<T: Copy>(s: &DynLayout, source: &[T], d: &DynLayout, destination: &mut [T]) {
    let (mut from, mut to) = (Walk::new(s), Walk::new(d));
    while let (Some((_, from)), Some((_, to))) = (from.step(), to.step()) {
        destination[to] = source[from];
    }
}
