//! `Arithmetic`: the registers of a tile, and how they multiply and add.

use core::marker::PhantomData;

use crate::gemm::float::sealed::Sum;
use crate::simd::vector::Vector;

/// How a register tile multiplies, for one pair of element types and one instruction set.
///
/// Operands are read in *words*. A word is what one lane of a register holds of an operand: an
/// element for `f32`, and several consecutive elements along K where one instruction adds the
/// products of several steps.
pub(crate) trait Arithmetic: 'static {
    /// What a lane holds of an operand.
    type Word: Copy + 'static;
    /// An element of C.
    type Sum: Sum;
    /// A register of words.
    type Words: Vector<Element = Self::Word>;
    /// A register of sums, with as many lanes.
    type Sums: Vector<Element = Self::Sum>;
    /// Whether sums may start from a correction: one more row after each panel of B.
    const CORRECTS: bool = false;
    /// Whether `mul_add` of `Sums` takes as long as `add`.
    const FUSES: bool = true;

    /// In each lane, `sums` plus the products of the elements of `x` and `y`.
    ///
    /// # Safety
    ///
    /// The instructions of the registers are there.
    unsafe fn dot(x: Self::Words, y: Self::Words, sums: Self::Sums) -> Self::Sums;
}

/// Products of floats in the lanes of `V`: a word is an element.
pub(crate) struct Fma<V>(PhantomData<V>);

impl<V: Vector<Element: Sum> + 'static> Arithmetic for Fma<V> {
    type Word = V::Element;
    type Sum = V::Element;
    type Words = V;
    type Sums = V;

    #[inline(always)]
    unsafe fn dot(x: V, y: V, sums: V) -> V {
        // SAFETY: as required here.
        unsafe { x.mul_add(y, sums) }
    }
}
