//! `Scale`: how a product meets what C holds.

use crate::gemm::float::sealed::Sum;

/// How a product meets what C holds: `C = alpha * A * B + beta * C`.
#[derive(Clone, Copy)]
pub struct Scale<T> {
    pub(crate) alpha: T,
    pub(crate) beta: T,
    pub(crate) kind: Kind,
}

/// The cases that a kernel tells apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `alpha = 1, beta = 0`: C is not read.
    Assign,
    /// `alpha = 1, beta = 1`: the sums start from C.
    Add,
    /// `beta = 0`: C is not read.
    Scale,
    /// Anything else.
    ScaleAdd,
}

impl<T: Sum> Scale<T> {
    #[inline(always)]
    pub(crate) fn new(alpha: T, beta: T) -> Self {
        let kind = match (alpha == T::ONE, beta == T::ZERO) {
            (true, true) => Kind::Assign,
            (true, false) if beta == T::ONE => Kind::Add,
            (false, true) => Kind::Scale,
            _ => Kind::ScaleAdd,
        };
        Self { alpha, beta, kind }
    }

    /// How later products are added to the first one.
    pub(crate) fn later(&self) -> Self {
        Self::new(self.alpha, T::ONE)
    }

    /// Whether C is read.
    #[inline(always)]
    pub(crate) fn reads(&self) -> bool {
        self.beta != T::ZERO
    }

    /// Lets a sum of products meet one element of C.
    ///
    /// # Safety
    ///
    /// The place can be read and written.
    #[inline(always)]
    pub(crate) unsafe fn store(&self, sum: T, place: *mut T) {
        // SAFETY: the caller's promise.
        unsafe { self.store_all([sum], [place]) };
    }

    /// Lets sums of products meet their elements of C.
    ///
    /// # Safety
    ///
    /// Each place can be read and written; they are different places.
    #[inline(always)]
    pub(crate) unsafe fn store_all<const N: usize>(&self, sums: [T; N], places: [*mut T; N]) {
        let mut new = sums;
        if matches!(self.kind, Kind::Scale | Kind::ScaleAdd) {
            new = new.map(|sum| self.alpha.times_plus(sum, T::ZERO));
        }
        if self.reads() {
            // A constant is left out of the operation.
            let beta = if self.kind == Kind::Add { T::ONE } else { self.beta };
            for (new, place) in new.iter_mut().zip(places) {
                // SAFETY: the caller's promise.
                *new = beta.times_plus(unsafe { *place }, *new);
            }
        }
        for (new, place) in new.into_iter().zip(places) {
            // SAFETY: the caller's promise.
            unsafe { place.write(new) };
        }
    }
}

/// Sums of a tile, and a run of C that they meet.
pub(crate) struct Run<T> {
    pub(crate) from: *const T,
    pub(crate) to: *mut T,
    pub(crate) count: usize,
    pub(crate) distance: usize,
}

/// Lets sums meet a run of C.
///
/// # Safety
///
/// The sums can be read, and the elements of C read and written.
#[inline(always)]
pub(crate) unsafe fn merge<T: Sum>(run: &Run<T>, scale: &Scale<T>) {
    let &Run { from, to, count, distance } = run;
    // SAFETY: as required here.
    unsafe {
        match (scale.kind, distance) {
            (Kind::Add, 1) => {
                for i in 0..count {
                    let place = to.wrapping_add(i);
                    place.write(T::ONE.times_plus(*place, *from.wrapping_add(i)));
                }
            }
            (Kind::Assign, 1) => {
                for i in 0..count {
                    to.wrapping_add(i).write(*from.wrapping_add(i));
                }
            }
            _ => {
                for i in 0..count {
                    scale.store(*from.wrapping_add(i), to.wrapping_add(i * distance));
                }
            }
        }
    }
}
