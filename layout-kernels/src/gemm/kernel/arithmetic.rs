//! `Arithmetic`: the registers of a tile, and how they multiply and add.

use core::marker::PhantomData;

use crate::gemm::float::sealed::Sum;
use crate::simd::vector::Vector;

/// How a register tile multiplies, for one pair of element types and one instruction set.
///
/// Operands are read in *words*. A word is what one lane of a register holds of an operand: an
/// element for `f32`, and several consecutive elements along K where one instruction adds the
/// products of several steps.
///
/// # Safety
///
/// Every function needs the instructions of its registers.
pub trait Arithmetic: 'static {
    /// What a lane holds of an operand.
    type Word: Copy + 'static;
    /// An element of C.
    type Sum: Sum;
    /// A register of words.
    type Words: Copy;
    /// A register of sums, with as many lanes.
    type Sums: Vector<Element = Self::Sum>;
    /// Whether sums may start from a correction: one more row after each panel of B.
    const CORRECTS: bool = false;

    /// The words from `p`, which need not be aligned.
    ///
    /// # Safety
    ///
    /// As many words as there are lanes can be read.
    unsafe fn load(p: *const Self::Word) -> Self::Words;

    /// The first `n` words from `p`, and zeros.
    ///
    /// # Safety
    ///
    /// `n` words can be read.
    unsafe fn load_first(p: *const Self::Word, n: usize) -> Self::Words;

    /// Writes the words to `p`, which need not be aligned.
    ///
    /// # Safety
    ///
    /// As many words as there are lanes can be written.
    unsafe fn store(words: Self::Words, p: *mut Self::Word);

    /// Writes the first `n` words.
    ///
    /// # Safety
    ///
    /// `n` words can be written.
    unsafe fn store_first(words: Self::Words, p: *mut Self::Word, n: usize);

    /// `word` in every lane.
    unsafe fn splat(word: Self::Word) -> Self::Words;

    /// In each lane, `sums` plus the products of the elements of `x` and `y`.
    unsafe fn dot(x: Self::Words, y: Self::Words, sums: Self::Sums) -> Self::Sums;
}

/// Products of floats in the lanes of `V`: a word is an element.
pub struct Fma<V>(PhantomData<V>);

impl<V: Vector<Element: Sum> + 'static> Arithmetic for Fma<V> {
    type Word = V::Element;
    type Sum = V::Element;
    type Words = V;
    type Sums = V;

    #[inline(always)]
    unsafe fn load(p: *const V::Element) -> V {
        // SAFETY: as required here.
        unsafe { V::load(p) }
    }

    #[inline(always)]
    unsafe fn load_first(p: *const V::Element, n: usize) -> V {
        // SAFETY: as required here.
        unsafe { V::load_first(p, n) }
    }

    #[inline(always)]
    unsafe fn store(words: V, p: *mut V::Element) {
        // SAFETY: as required here.
        unsafe { words.store(p) };
    }

    #[inline(always)]
    unsafe fn store_first(words: V, p: *mut V::Element, n: usize) {
        // SAFETY: as required here.
        unsafe { words.store_first(p, n) };
    }

    #[inline(always)]
    unsafe fn splat(word: V::Element) -> V {
        // SAFETY: as required here.
        unsafe { V::splat(word) }
    }

    #[inline(always)]
    unsafe fn dot(x: V, y: V, sums: V) -> V {
        // SAFETY: as required here.
        unsafe { x.mul_add(y, sums) }
    }
}
