//! `Scale`: how a product meets what C holds.

use core::marker::PhantomData;

use crate::gemm::float::sealed::Sum;
use crate::simd::vector::Vector;

/// How a product meets what C holds: `C = alpha * A * B + beta * C`.
#[derive(Clone, Copy)]
pub struct Scale<T> {
    pub(crate) alpha: T,
    pub(crate) beta: T,
    pub(crate) kind: Kind,
}

/// A [`Scale`], of an element that only kernels know.
#[derive(Clone, Copy)]
pub(crate) struct AnyScale<'a>(*const (), PhantomData<&'a ()>);

// SAFETY: it is a reference to numbers.
unsafe impl Send for AnyScale<'_> {}
// SAFETY: as above.
unsafe impl Sync for AnyScale<'_> {}

impl<'a> AnyScale<'a> {
    /// # Safety
    ///
    /// It was made of a scale of this element.
    #[inline(always)]
    pub(crate) const unsafe fn of<T>(self) -> &'a Scale<T> {
        // SAFETY: as required here; the scale is borrowed as long.
        unsafe { &*self.0.cast() }
    }
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

    /// The same, for code that is compiled once for all elements.
    #[inline(always)]
    pub(crate) const fn any(&self) -> AnyScale<'_> {
        AnyScale((&raw const *self).cast(), PhantomData)
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
        // SAFETY: as required here.
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
                // SAFETY: as required here.
                *new = beta.times_plus(unsafe { *place }, *new);
            }
        }
        for (new, place) in new.into_iter().zip(places) {
            // SAFETY: as required here.
            unsafe { place.write(new) };
        }
    }
}

/// Elements of a row of a tile whose places in C have one distance. Consecutive ones fit a vector.
#[derive(Clone, Copy, Default)]
pub(crate) struct Run {
    /// The first one in the row, and its place in C from the first element of the row on, in bytes, as the
    /// distance.
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) count: usize,
    pub(crate) distance: usize,
}

/// Sums of a tile, and the elements of C that they meet.
pub(crate) struct Meeting<'a> {
    pub(crate) sums: *const u8,
    /// The elements from a row of sums to the next one.
    pub(crate) width: usize,
    pub(crate) c: *mut u8,
    /// The places of rows in C, in bytes.
    pub(crate) rows: &'a [usize],
    /// Those of each row.
    pub(crate) runs: &'a [Run],
}

/// Lets the sums of a tile meet C.
///
/// # Safety
///
/// The instructions of `V` are there. The sums can be read, and the elements of C read and written.
#[inline(always)]
pub(crate) unsafe fn meet<V: Vector<Element: Sum>>(
    meeting: &Meeting<'_>,
    scale: &Scale<V::Element>,
) {
    let &Meeting { sums, width, c, rows, runs } = meeting;
    let (sums, c) = (sums.cast::<V::Element>(), c.cast::<V::Element>());
    let Scale { alpha, beta, kind } = *scale;
    // SAFETY: as required here; runs of consecutive elements are not longer than a vector.
    unsafe {
        let (alphas, betas) = (V::splat(alpha), V::splat(beta));
        for (i, &row) in rows.iter().enumerate() {
            let (sums, c) = (sums.wrapping_add(i * width), c.wrapping_byte_add(row));
            for &Run { from, to, count, distance } in runs {
                let (from, to) = (sums.wrapping_add(from), c.wrapping_byte_add(to));
                if distance != size_of::<V::Element>() {
                    for i in 0..count {
                        scale.store(*from.wrapping_add(i), to.wrapping_byte_add(i * distance));
                    }
                    continue;
                }
                let whole = count == V::LANES;
                let mut new = if whole { V::load(from) } else { V::load_first(from, count) };
                if matches!(kind, Kind::Scale | Kind::ScaleAdd) {
                    new = alphas.mul(new);
                }
                if matches!(kind, Kind::Add | Kind::ScaleAdd) {
                    let old = if whole { V::load(to) } else { V::load_first(to, count) };
                    new = match kind {
                        Kind::Add => new.add(old),
                        _ => betas.mul_add(old, new),
                    };
                }
                if whole { new.store(to) } else { new.store_first(to, count) }
            }
        }
    }
}
