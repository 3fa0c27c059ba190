//! `EinsumEpilogue`: what happens to the finished elements of a contraction.

use core::slice;

use layout_core::engine::MAX_LEAVES;

use crate::gemm::{AsIs, Then};

/// What [`Einsum`](crate::Einsum) applies to finished elements: nothing, or the function given to
/// [`Einsum::then`](crate::Einsum::then).
pub trait EinsumEpilogue<T>: sealed::Sealed + Sync {
    #[doc(hidden)]
    const IS_IDENTITY: bool;

    /// The new value of an element `x` at a coordinate of C.
    #[doc(hidden)]
    fn call(&self, x: T, at: &[usize]) -> T;
}

/// Applies an epilogue to contiguous elements of C, given the first one, their number, the coordinate of
/// the first one, and the mode and the step by which it changes from one element to the next.
pub(super) type ApplyToRun<'a> =
    &'a (dyn Fn(*mut u8, usize, &[usize; MAX_LEAVES], (usize, usize)) + Sync);

/// The [`ApplyToRun`] of an epilogue, for coordinates of `rank` indices.
///
/// # Safety
///
/// It is only called for elements of type `T` that nothing else accesses.
#[inline(always)]
pub(super) unsafe fn apply_to_run<T: Copy>(
    then: &impl EinsumEpilogue<T>,
    rank: usize,
) -> impl Fn(*mut u8, usize, &[usize; MAX_LEAVES], (usize, usize)) + Sync {
    move |first, length, start, (mode, step)| {
        // SAFETY: guaranteed by the caller.
        let run = unsafe { slice::from_raw_parts_mut(first.cast::<T>(), length) };
        let f = |x, at: &[usize; MAX_LEAVES]| then.call(x, &at[..rank]);
        match (mode, step) {
            (0, 1) => map_run::<T, 0>(run, start, &f),
            (1, 1) => map_run::<T, 1>(run, start, &f),
            (2, 1) => map_run::<T, 2>(run, start, &f),
            (3, 1) => map_run::<T, 3>(run, start, &f),
            _ => {
                let mut at = *start;
                for x in run {
                    *x = f(*x, &at);
                    at[mode] += step;
                }
            }
        }
    }
}

/// Replaces each element of a run along a mode. With a constant mode, the coordinate is in registers. The last
/// element comes first, as in `map_run` of `gemm`.
#[inline(never)]
fn map_run<T: Copy, const MODE: usize>(
    run: &mut [T],
    start: &[usize; MAX_LEAVES],
    f: &impl Fn(T, &[usize; MAX_LEAVES]) -> T,
) {
    let Some((last, rest)) = run.split_last_mut() else { return };
    let mut at = *start;
    let end = at[MODE] + rest.len();
    let indices = at[MODE]..end;
    at[MODE] = end;
    let of_last = f(*last, &at);
    for (x, i) in rest.iter_mut().zip(indices) {
        at[MODE] = i;
        *x = f(*x, &at);
    }
    *last = of_last;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::AsIs {}
    impl<F> Sealed for super::Then<F> {}
}

impl<T> EinsumEpilogue<T> for AsIs {
    const IS_IDENTITY: bool = true;

    #[inline(always)]
    fn call(&self, x: T, _: &[usize]) -> T {
        x
    }
}

impl<T, F: Fn(T, &[usize]) -> T + Sync> EinsumEpilogue<T> for Then<F> {
    const IS_IDENTITY: bool = false;

    #[inline(always)]
    fn call(&self, x: T, at: &[usize]) -> T {
        (self.0)(x, at)
    }
}
