//! `Dot`: one kind of multiplication, for the element types and the instructions of a level.
//!
//! An operand is read in *words*: the part of it in one lane of a register. For `f32` a word is one
//! element. If an instruction adds the products of several steps along K, a word is those elements,
//! contiguous.

use core::marker::PhantomData;
use core::slice;

use crate::gemm::float::Float;
use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::arithmetic::{Arithmetic, Fma};
use crate::gemm::pointer::write;
use crate::simd::vector::Vector;

/// An operand of a product: how its elements become words, and how they are packed.
pub(crate) trait Operand: 'static {
    type Element: Copy + 'static;
    type Word: Copy + 'static;
    /// Elements along K in a word.
    const DEPTH: usize;
    /// Whether `DEPTH` elements that are contiguous in memory are a word.
    const IS_WORD: bool;
    /// Whether A is packed with an offset that a correction of the accumulators cancels.
    const SHIFTED: bool = false;

    /// The word of at most `DEPTH` elements along K. Missing elements count as zero, whose bits are
    /// all zero.
    fn word(elements: &[Self::Element]) -> Self::Word;

    /// Converts contiguous elements to `n` words.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions. The elements must be valid for reads, the words for
    /// writes.
    #[inline(always)]
    unsafe fn words(from: *const Self::Element, to: *mut Self::Word, n: usize) {
        for i in 0..n {
            // SAFETY: guaranteed by the caller.
            let elements = unsafe { slice::from_raw_parts(from.add(i * Self::DEPTH), Self::DEPTH) };
            // SAFETY: guaranteed by the caller.
            unsafe { write(to, i, Self::word(elements)) };
        }
    }

    /// Finishes a panel of A or B of `rows` by `width` words, if it is `SHIFTED`.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions. The words must be valid for reads and writes. A panel of
    /// B must be whole vectors wide, and one more row after it must be valid for writes.
    #[inline(always)]
    unsafe fn finish(_panel: *mut Self::Word, _rows: usize, _width: usize, _of_b: bool) {}
}

/// One kind of multiplication of elements of A by elements of B.
pub(crate) trait Dot: 'static {
    /// An element of C.
    type Sum: Sum;
    /// The operands, whose words have one type. Several kinds of multiplication share operand
    /// types, so that packing is compiled once for all of them.
    type A: Operand;
    type B: Operand<Word = <Self::A as Operand>::Word>;
    /// How tiles multiply words.
    type Math: Arithmetic<Word = <Self::A as Operand>::Word, Sum = Self::Sum>;
    /// How inner products multiply: with operands in place, and so without corrections.
    type Inner: Dot<Sum = Self::Sum>;
}

/// A register of accumulators of `D`.
pub(crate) type Sums<D> = <<D as Dot>::Math as Arithmetic>::Sums;

/// Floats. Each is a word.
pub(crate) struct FloatWord<T>(PhantomData<T>);

impl<T: Float> Operand for FloatWord<T> {
    type Element = T;
    type Word = T;
    const DEPTH: usize = 1;
    const IS_WORD: bool = true;

    #[inline(always)]
    fn word(elements: &[T]) -> T {
        elements.first().copied().unwrap_or(T::ZERO)
    }
}

/// Products of `T` in the registers `V`.
pub(crate) struct FloatDot<V>(PhantomData<V>);

impl<T: Float, V: Vector<Element = T>> Dot for FloatDot<V> {
    type Sum = T;
    type A = FloatWord<T>;
    type B = FloatWord<T>;
    type Math = Fma<V>;
    type Inner = Self;
}
