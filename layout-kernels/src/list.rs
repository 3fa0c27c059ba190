//! `List`: a few values in place, without allocation, and a sort for few values.

use core::mem::MaybeUninit;
use core::slice;

/// At most `N` values. Only those in the list are initialised: an empty list costs nothing, and
/// constants may hold one.
#[derive(Clone, Copy)]
pub(crate) struct List<T: Copy, const N: usize> {
    // The first `len` values are initialised.
    values: [MaybeUninit<T>; N],
    len: usize,
}

impl<T: Copy, const N: usize> List<T, N> {
    /// An empty list.
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { values: [const { MaybeUninit::uninit() }; N], len: 0 }
    }

    /// Number of values.
    #[inline(always)]
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no room for another value.
    #[inline(always)]
    pub(crate) const fn is_full(&self) -> bool {
        self.len == N
    }

    #[inline(always)]
    pub(crate) const fn as_slice(&self) -> &[T] {
        // SAFETY: the first `len` values are initialised.
        unsafe { slice::from_raw_parts(self.values.as_ptr().cast(), self.len) }
    }

    #[inline(always)]
    pub(crate) const fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: the first `len` values are initialised.
        unsafe { slice::from_raw_parts_mut(self.values.as_mut_ptr().cast(), self.len) }
    }

    /// Value `i`. (Cheaper in constant evaluation than an element of the slice.)
    #[inline(always)]
    pub(crate) const fn at(&self, i: usize) -> &T {
        assert!(i < self.len);
        // SAFETY: the first `len` values are initialised.
        unsafe { self.values[i].assume_init_ref() }
    }

    /// Appends a value. There must be room for it.
    #[inline(always)]
    pub(crate) const fn push(&mut self, value: T) {
        self.values[self.len] = MaybeUninit::new(value);
        self.len += 1;
    }

    /// Appends values. There must be room for them.
    #[inline(always)]
    pub(crate) const fn extend(&mut self, values: &[T]) {
        let mut i = 0;
        while i < values.len() {
            self.push(values[i]);
            i += 1;
        }
    }

    /// Removes value `i`.
    #[inline]
    pub(crate) const fn remove(&mut self, i: usize) -> T {
        let (removed, mut next) = (*self.at(i), i + 1);
        while next < self.len {
            self.values[next - 1] = self.values[next];
            next += 1;
        }
        self.len -= 1;
        removed
    }

    /// Removes all values but the first `len`.
    #[inline(always)]
    pub(crate) const fn truncate(&mut self, len: usize) {
        if len < self.len {
            self.len = len;
        }
    }
}

impl<T: Copy + PartialEq, const N: usize> PartialEq for List<T, N> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T: Copy + Eq, const N: usize> Eq for List<T, N> {}

/// Insertion sort by a key: there are few items, and the standard sort is much code.
pub(crate) fn sort<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    for end in 1..items.len() {
        let mut i = end;
        while i > 0 && key(&items[i]) < key(&items[i - 1]) {
            items.swap(i, i - 1);
            i -= 1;
        }
    }
}
