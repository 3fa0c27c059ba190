//! `Dot`: how a register tile multiplies and adds, for the elements and the instructions of a
//! level.
//!
//! An operand is read in *words*: what one lane of a register holds of it. For `f32` a word is an
//! element; where an instruction adds the products of several steps along K at once, it is those
//! elements next to each other.

use core::marker::PhantomData;

use crate::copy::tile::Tile;
use crate::gemm::float::Float;
use crate::gemm::float::sealed::Sum;
use crate::simd::vector::{Isa, Vector};

/// One way to multiply elements `X` of A by elements `Y` of B.
pub trait Dot: 'static {
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
    /// Whether loads of a part of a register cost no more than those of all of it.
    const MASKED: bool;
    /// Whether A is packed as another number than it is. The sums are then corrected by what they
    /// start from: a row that ends each panel of B.
    const SHIFTED: bool = false;
    /// A register of words.
    type Words: Copy;
    /// A register of sums, with as many lanes.
    type Sums: Vector<Element = Self::Sum>;
    /// Transposes words in registers, to pack what lies across.
    type Square: Tile;
    /// The same for panels of A, which have few rows.
    type Narrow: Tile;

    /// The word of elements of A along K, at most `DEPTH`; the others are zero.
    fn x(elements: &[Self::X]) -> Self::Word;
    /// The word of elements of B along K, at most `DEPTH`; the others are zero.
    fn y(elements: &[Self::Y]) -> Self::Word;

    /// The words from `p`, which need not be aligned.
    ///
    /// # Safety
    ///
    /// The instructions are there, and as many words as there are lanes can be read.
    unsafe fn load(p: *const Self::Word) -> Self::Words;

    /// The first `n` words from `p`, and zeros.
    ///
    /// # Safety
    ///
    /// The instructions are there, and `n` words can be read.
    unsafe fn load_first(p: *const Self::Word, n: usize) -> Self::Words;

    /// Writes the words to `p`, which need not be aligned.
    ///
    /// # Safety
    ///
    /// The instructions are there, and as many words as there are lanes can be written.
    unsafe fn store(words: Self::Words, p: *mut Self::Word);

    /// Writes the first `n` words.
    ///
    /// # Safety
    ///
    /// The instructions are there, and `n` words can be written.
    unsafe fn store_first(words: Self::Words, p: *mut Self::Word, n: usize);

    /// `word` in every lane.
    ///
    /// # Safety
    ///
    /// The instructions are there.
    unsafe fn splat(word: Self::Word) -> Self::Words;

    /// The words of A as they are packed, when that differs.
    ///
    /// # Safety
    ///
    /// The instructions are there.
    #[inline(always)]
    unsafe fn shift(words: Self::Words) -> Self::Words {
        words
    }

    /// What sums start from because of the shift, for `rows` words of B in each lane, `step` words
    /// apart.
    ///
    /// # Safety
    ///
    /// The instructions are there, and a vector can be read in each row.
    #[inline(always)]
    unsafe fn correction(_: *const Self::Word, _rows: usize, _step: usize) -> Self::Sums {
        // SAFETY: the caller's promise.
        unsafe { Self::Sums::splat(Self::Sum::ZERO) }
    }

    /// In each lane, `sums` plus the products of the elements of `x` and `y`.
    ///
    /// # Safety
    ///
    /// The instructions are there.
    unsafe fn dot(x: Self::Words, y: Self::Words, sums: Self::Sums) -> Self::Sums;
}

/// Products of `T` in the widest registers of `I`, transposed by `S` and `N`.
pub struct Lanes<T, I, S, N, const MASKED: bool>(PhantomData<(T, I, S, N)>);

impl<T, I, S, N, const MASKED: bool> Dot for Lanes<T, I, S, N, MASKED>
where
    T: Float,
    I: Isa<T> + 'static,
    S: Tile + 'static,
    N: Tile + 'static,
{
    type X = T;
    type Y = T;
    type Sum = T;
    type Word = T;
    const DEPTH: usize = 1;
    const X_IS_WORD: bool = true;
    const Y_IS_WORD: bool = true;
    const MASKED: bool = MASKED;
    type Words = I::Full;
    type Sums = I::Full;
    type Square = S;
    type Narrow = N;

    #[inline(always)]
    fn x(elements: &[T]) -> T {
        elements.first().copied().unwrap_or(T::ZERO)
    }

    #[inline(always)]
    fn y(elements: &[T]) -> T {
        elements.first().copied().unwrap_or(T::ZERO)
    }

    #[inline(always)]
    unsafe fn load(p: *const T) -> I::Full {
        // SAFETY: the caller's promise.
        unsafe { I::Full::load(p) }
    }

    #[inline(always)]
    unsafe fn load_first(p: *const T, n: usize) -> I::Full {
        // SAFETY: the caller's promise.
        unsafe { I::Full::load_first(p, n) }
    }

    #[inline(always)]
    unsafe fn store(words: I::Full, p: *mut T) {
        // SAFETY: the caller's promise.
        unsafe { words.store(p) };
    }

    #[inline(always)]
    unsafe fn store_first(words: I::Full, p: *mut T, n: usize) {
        // SAFETY: the caller's promise.
        unsafe { words.store_first(p, n) };
    }

    #[inline(always)]
    unsafe fn splat(word: T) -> I::Full {
        // SAFETY: the caller's promise.
        unsafe { I::Full::splat(word) }
    }

    #[inline(always)]
    unsafe fn dot(x: I::Full, y: I::Full, sums: I::Full) -> I::Full {
        // SAFETY: the caller's promise.
        unsafe { x.mul_add(y, sums) }
    }
}
