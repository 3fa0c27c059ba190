//! `Dot`: how a register tile multiplies and adds, for the elements and the instructions of a
//! level.
//!
//! An operand is read in *words*: what one lane of a register holds of it. For `f32` a word is an
//! element; where an instruction adds the products of several steps along K at once, it is those
//! elements next to each other.

use core::marker::PhantomData;

use crate::gemm::float::Float;
use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::arithmetic::{Arithmetic, Fma};
use crate::simd::vector::{Isa, Vector};

/// One way to multiply elements `X` of A by elements `Y` of B.
pub trait Dot: Sized + 'static {
    /// An element of A.
    type X: Copy + 'static;
    /// An element of B.
    type Y: Copy + 'static;
    /// An element of C.
    type Sum: Sum;
    /// What a lane holds of an operand; words are moved as this.
    type Word: Copy + 'static;
    /// The elements along K in a word.
    const DEPTH: usize;
    /// Whether `DEPTH` elements of A, or of B, that are neighbours in memory are a word.
    const X_IS_WORD: bool;
    const Y_IS_WORD: bool;
    /// Whether A is packed with an offset, which a correction of the sums takes back.
    const SHIFTED: bool = false;
    /// How tiles multiply words.
    type Math: Arithmetic<Word = Self::Word, Sum = Self::Sum>;

    /// Ways to multiply whose A, and whose B, are packed like these: packing is compiled once for all.
    type PackA: Dot<X = Self::X>;
    type PackB: Dot<Y = Self::Y>;

    /// The product of two elements.
    fn times(x: Self::X, y: Self::Y) -> Self::Sum;
    /// The word of elements of A along K, at most `DEPTH`; the others are zero.
    fn x(elements: &[Self::X]) -> Self::Word;
    /// The word of elements of B along K, at most `DEPTH`; the others are zero.
    fn y(elements: &[Self::Y]) -> Self::Word;

    /// The words of A as they are packed, when that differs.
    ///
    /// # Safety
    ///
    /// The instructions are there.
    #[inline(always)]
    unsafe fn shift(words: Words<Self>) -> Words<Self> {
        words
    }

    /// What sums start from because of the shift, for `rows` words of B in each lane, `step` words
    /// apart.
    ///
    /// # Safety
    ///
    /// The instructions are there, and a vector can be read in each row.
    #[inline(always)]
    unsafe fn correction(_: *const Self::Word, _rows: usize, _step: usize) -> Sums<Self> {
        // SAFETY: as required here.
        unsafe { Sums::<Self>::splat(Self::Sum::ZERO) }
    }
}

/// A register of words of `D`.
pub(crate) type Words<D> = <<D as Dot>::Math as Arithmetic>::Words;
/// A register of sums of `D`.
pub(crate) type Sums<D> = <<D as Dot>::Math as Arithmetic>::Sums;

/// Products of `T` in the widest registers of `I`.
pub struct Lanes<T, I>(PhantomData<(T, I)>);

impl<T, I> Dot for Lanes<T, I>
where
    T: Float,
    I: Isa<T> + 'static,
{
    type X = T;
    type Y = T;
    type Sum = T;
    type Word = T;
    const DEPTH: usize = 1;
    const X_IS_WORD: bool = true;
    const Y_IS_WORD: bool = true;
    type Math = Fma<I::Full>;
    type PackA = Self;
    type PackB = Self;

    #[inline(always)]
    fn times(x: T, y: T) -> T {
        x * y
    }

    #[inline(always)]
    fn x(elements: &[T]) -> T {
        elements.first().copied().unwrap_or(T::ZERO)
    }

    #[inline(always)]
    fn y(elements: &[T]) -> T {
        elements.first().copied().unwrap_or(T::ZERO)
    }
}
