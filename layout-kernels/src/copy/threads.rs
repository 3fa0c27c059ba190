//! Copies on several threads.

use layout_core::error::LayoutError;
use layout_core::types::AnyLayout;

use super::planned::Constant;
use super::run::far;
use super::{CopyKernel, Outcome, outcome, plan_of, walk};
use crate::facts::writable;
use crate::par::Par;
use crate::simd::Level;
use crate::view::{AsView, AsViewMut, View, ViewMut};

/// [`copy()`](super::copy()) on the threads of `par`, each with pieces of its own.
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
/// As [`copy()`](super::copy()), and [`LayoutError::NotInjective`] for a layout that was another one when the view
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
