//! `Scale`: how a product is combined with C.

use core::marker::PhantomData;

use crate::gemm::float::sealed::Sum;

/// How a product is combined with C: `C = alpha * A * B + beta * C`.
#[derive(Clone, Copy)]
pub struct Scale<T> {
    pub(crate) alpha: T,
    pub(crate) beta: T,
    pub(crate) kind: Kind,
}

/// A reference to a [`Scale`] whose element type only kernels know.
#[derive(Clone, Copy)]
pub(crate) struct AnyScale<'a>(*const (), PhantomData<&'a ()>);

// SAFETY: it is a reference to numbers.
unsafe impl Send for AnyScale<'_> {}
// SAFETY: as above.
unsafe impl Sync for AnyScale<'_> {}

impl<'a> AnyScale<'a> {
    /// # Safety
    ///
    /// It was created by [`Scale::any`] from a `Scale<T>`.
    #[inline(always)]
    pub(crate) const unsafe fn of<T>(self) -> &'a Scale<T> {
        // SAFETY: the caller guarantees the type; the scale is borrowed for `'a`.
        unsafe { &*self.0.cast() }
    }
}

/// Calls a function with the scale of the first of several products, which counts a number of times, and
/// with that of the products that are added to it.
pub(crate) type WithScales = unsafe fn(AnyScale<'_>, usize, &dyn Fn(AnyScale<'_>, AnyScale<'_>));

/// [`WithScales`] for elements of type `T`.
///
/// # Safety
///
/// The scale was created by [`Scale::any`] from a `Scale<T>`.
pub(crate) unsafe fn with_scales<T: Sum>(
    scale: AnyScale<'_>,
    multiplicity: usize,
    f: &dyn Fn(AnyScale<'_>, AnyScale<'_>),
) {
    // SAFETY: guaranteed by the caller.
    let &Scale { alpha, beta, .. } = unsafe { scale.of::<T>() };
    let first = Scale::new(alpha.scaled_by(multiplicity), beta);
    f(first.any(), first.later().any());
}

/// The cases that kernels distinguish.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `alpha = 1, beta = 0`: C is not read.
    Assign,
    /// `alpha = 1, beta = 1`: the product is added to C.
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

    /// The scale without its element type, for code that is compiled once for all elements.
    #[inline(always)]
    pub(crate) const fn any(&self) -> AnyScale<'_> {
        AnyScale((&raw const *self).cast(), PhantomData)
    }

    /// The scale of later products, which are added to the first one.
    pub(crate) fn later(&self) -> Self {
        Self::new(self.alpha, T::ONE)
    }

    /// Whether C is read.
    #[inline(always)]
    pub(crate) fn reads(&self) -> bool {
        matches!(self.kind, Kind::Add | Kind::ScaleAdd)
    }

    /// Sums of products, combined with the elements of C that `old` returns. `old` is called only if C is
    /// read. Factors of 1 are left out: an infinite complex number times 1 has a NaN.
    #[inline(always)]
    pub(crate) fn combine<const N: usize>(
        &self,
        sums: [T; N],
        mut old: impl FnMut(usize) -> T,
    ) -> [T; N] {
        let mut new = sums;
        if matches!(self.kind, Kind::Scale | Kind::ScaleAdd) {
            new = new.map(|sum| self.alpha.product(sum));
        }
        if self.reads() {
            for (i, new) in new.iter_mut().enumerate() {
                let scaled =
                    if self.kind == Kind::Add { old(i) } else { self.beta.product(old(i)) };
                *new = scaled.plus(*new);
            }
        }
        new
    }

    /// Stores a sum of products, [combined](Self::combine) with its element of C.
    ///
    /// # Safety
    ///
    /// `place` is valid for reads and writes.
    #[inline(always)]
    pub(crate) unsafe fn store(&self, sum: T, place: *mut T) {
        // SAFETY: guaranteed by the caller.
        unsafe { self.store_all([sum], place, 0) };
    }

    /// Stores sums of products, [combined](Self::combine) with elements of C that are `stride` bytes apart.
    ///
    /// # Safety
    ///
    /// The elements of C are valid for reads and writes.
    #[inline(always)]
    pub(crate) unsafe fn store_all<const N: usize>(&self, sums: [T; N], c: *mut T, stride: usize) {
        // SAFETY: guaranteed by the caller.
        let new = self.combine(sums, |i| unsafe { *c.wrapping_byte_add(i * stride) });
        let mut place = c;
        for new in new {
            // SAFETY: guaranteed by the caller.
            unsafe { place.write(new) };
            place = place.wrapping_byte_add(stride);
        }
    }
}
