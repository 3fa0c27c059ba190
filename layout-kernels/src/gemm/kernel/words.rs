//! `Dot`: how a register tile multiplies and adds, for the elements and the instructions of a
//! level.
//!
//! An operand is read in *words*: what one lane of a register holds of it. For `f32` a word is an
//! element; where an instruction adds the products of several steps along K at once, it is those
//! elements next to each other.

use core::marker::PhantomData;
use core::slice;

use crate::gemm::float::Float;
use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::arithmetic::{Arithmetic, Fma};
use crate::gemm::place::write;
use crate::simd::vector::Vector;

/// An operand of a product: how its elements become words, and are packed.
pub(crate) trait Operand: 'static {
    type Element: Copy + 'static;
    type Word: Copy + 'static;
    /// The elements along K in a word.
    const DEPTH: usize;
    /// Whether `DEPTH` elements that are neighbours in memory are a word.
    const IS_WORD: bool;
    /// Whether A is packed with an offset, which a correction of the sums takes back.
    const SHIFTED: bool = false;

    /// The word of elements along K, at most `DEPTH`; the others are zero, whose bits are zero.
    fn word(elements: &[Self::Element]) -> Self::Word;

    /// Makes `n` words of elements that follow each other.
    ///
    /// # Safety
    ///
    /// The instructions are there. The elements can be read, and the words written.
    #[inline(always)]
    unsafe fn words(from: *const Self::Element, to: *mut Self::Word, n: usize) {
        for i in 0..n {
            // SAFETY: as required here.
            let elements = unsafe { slice::from_raw_parts(from.add(i * Self::DEPTH), Self::DEPTH) };
            // SAFETY: as required here.
            unsafe { write(to, i, Self::word(elements)) };
        }
    }

    /// Finishes a panel of A or of B that has `rows` by `width` words, if they are `SHIFTED`.
    ///
    /// # Safety
    ///
    /// The instructions are there. The words can be read and written; those of B are whole vectors
    /// wide, and another row can be written after them.
    #[inline(always)]
    unsafe fn finish(_panel: *mut Self::Word, _rows: usize, _width: usize, _of_b: bool) {}
}

/// One way to multiply elements of A by elements of B.
pub(crate) trait Dot: 'static {
    /// An element of C.
    type Sum: Sum;
    /// The operands, whose words are alike. Several ways to multiply have the same operands, so that
    /// packing is compiled once for all of them.
    type A: Operand;
    type B: Operand<Word = <Self::A as Operand>::Word>;
    /// How tiles multiply words.
    type Math: Arithmetic<Word = <Self::A as Operand>::Word, Sum = Self::Sum>;
    /// How inner products are made: of operands where they are, and so without corrections.
    type Inner: Dot<Sum = Self::Sum>;
}

/// A register of sums of `D`.
pub(crate) type Sums<D> = <<D as Dot>::Math as Arithmetic>::Sums;

/// Floats: each is a word.
pub(crate) struct Floats<T>(PhantomData<T>);

impl<T: Float> Operand for Floats<T> {
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
pub(crate) struct Lanes<V>(PhantomData<V>);

impl<T: Float, V: Vector<Element = T>> Dot for Lanes<V> {
    type Sum = T;
    type A = Floats<T>;
    type B = Floats<T>;
    type Math = Fma<V>;
    type Inner = Self;
}
