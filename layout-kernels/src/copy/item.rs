//! `Item`: what a copy moves as one, a number or bytes of which nothing is known.

use core::any::TypeId;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::block::{Transposes, one_by_one};
use super::nest::Loop;
use super::series::Series;

/// Something that a copy moves as one.
pub(super) trait Item {
    /// Its size.
    const BYTES: usize;

    /// Moves one.
    ///
    /// # Safety
    ///
    /// One can be read, and written; neither need be aligned.
    unsafe fn move_one(from: *const u8, to: *mut u8);

    /// Moves one to `count` places, the next one always `step` bytes on.
    ///
    /// # Safety
    ///
    /// As for [`move_one`](Self::move_one), for each place.
    unsafe fn spread(from: *const u8, to: *mut u8, step: usize, count: usize);

    /// Transposes blocks.
    ///
    /// # Safety
    ///
    /// As for [`Transposes::blocks`].
    unsafe fn blocks<L: Transposes, const INLINE: bool, const STREAM: bool>(series: Series);
}

/// `move_one` and `spread` as a `$word` that is read and written.
macro_rules! moved_as {
    ($word:ty) => {
        #[inline(always)]
        unsafe fn move_one(from: *const u8, to: *mut u8) {
            // SAFETY: the caller's promise.
            let word = unsafe { from.cast::<$word>().read_unaligned() };
            // SAFETY: the caller's promise.
            unsafe { to.cast::<$word>().write_unaligned(word) };
        }

        #[inline(always)]
        unsafe fn spread(from: *const u8, to: *mut u8, step: usize, count: usize) {
            // SAFETY: the caller's promise.
            let word = unsafe { from.cast::<$word>().read_unaligned() };
            for i in 0..count {
                // SAFETY: the caller's promise.
                unsafe { to.wrapping_add(i * step).cast::<$word>().write_unaligned(word) };
            }
        }
    };
}

/// A number of `W` bytes, 1, 2, 4, 8 or 16, of which each byte has a value.
pub(super) struct Number<const W: usize>;

macro_rules! numbers {
    ($($w:literal $word:ty),*) => {$(
        impl Item for Number<$w> {
            const BYTES: usize = $w;

            moved_as!($word);

            #[inline(always)]
            unsafe fn blocks<L: Transposes, const INLINE: bool, const STREAM: bool>(series: Series) {
                // SAFETY: the caller's promise.
                unsafe { L::blocks::<$w, INLINE, STREAM>(series) };
            }
        }
    )*};
}
// A `u128` would be moved as two words.
numbers!(1 u8, 2 u16, 4 u32, 8 u64, 16 [MaybeUninit<u8>; 16]);

/// A `T`, which may have bytes without a value (padding), or be a pointer: neither survives a
/// shuffle, so that it is moved as what it is.
pub(super) struct Opaque<T>(PhantomData<T>);

impl<T: Copy> Item for Opaque<T> {
    const BYTES: usize = size_of::<T>();

    moved_as!(T);

    #[inline(always)]
    unsafe fn blocks<L: Transposes, const INLINE: bool, const STREAM: bool>(series: Series) {
        // SAFETY: the caller's promise.
        unsafe { one_by_one::<T>(series) };
    }
}

/// Whether every byte of a `T` has a value and nothing but a value: it is a primitive number, a
/// `bool` or a `char`, or an array of two, as a complex number is.
#[inline(always)]
pub(super) fn is_number<T: 'static>() -> bool {
    // Folded to a constant by the compiler.
    macro_rules! one_of {
        ($($number:ty)*) => {
            false $(
                || TypeId::of::<T>() == TypeId::of::<$number>()
                || TypeId::of::<T>() == TypeId::of::<[$number; 2]>()
            )*
        };
    }
    one_of!(u8 i8 bool u16 i16 u32 i32 f32 char u64 i64 f64 usize isize u128 i128)
}

/// Copies item by item along one loop.
///
/// # Safety
///
/// An item is readable at each source offset of the loop and writable at each destination offset,
/// and the two do not overlap.
#[inline(always)]
pub(super) unsafe fn strided<I: Item>(source: *const u8, destination: *mut u8, inner: Loop) {
    let step = inner.destination * I::BYTES;
    if inner.source == 0 {
        // Where it knows that the places follow each other the compiler writes whole registers.
        return if step == I::BYTES {
            // SAFETY: a loop has at least one turn; each place is an offset of the destination.
            unsafe { I::spread(source, destination, I::BYTES, inner.extent) }
        } else {
            // SAFETY: as above.
            unsafe { I::spread(source, destination, step, inner.extent) }
        };
    }
    macro_rules! items {
        ($step:expr) => {
            for i in 0..inner.extent {
                let from = source.wrapping_add(i * inner.source * I::BYTES);
                // SAFETY: offsets of the source and of the destination.
                unsafe { I::move_one(from, destination.wrapping_add(i * $step)) };
            }
        };
    }
    // Where it knows that words are written in order the compiler makes registers of them, which is
    // faster but for those of 2 bytes.
    if const { I::BYTES != 2 } && step == I::BYTES { items!(I::BYTES) } else { items!(step) }
}
