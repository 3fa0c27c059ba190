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
#[cfg(feature = "std")]
mod threads;
pub(crate) mod tile;
mod transform;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

pub use plan::{CopyKernel, CopyPlan, Loop};
use planned::Constant;
use run::run;
#[cfg(feature = "std")]
pub use threads::copy_par;
pub use transform::{axpby, transform, update, update_at};

use crate::facts::{reaches, value};
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

/// Copies coordinate by coordinate: what is always right.
fn walk<T: Copy>(s: &DynLayout, source: &[T], d: &DynLayout, destination: &mut [T]) {
    let (mut from, mut to) = (Walk::new(s), Walk::new(d));
    while let (Some((_, from)), Some((_, to))) = (from.step(), to.step()) {
        destination[to] = source[from];
    }
}
