//! `Arithmetic`: the registers of a tile, and how to multiply and add them.

use core::marker::PhantomData;

use crate::gemm::float::sealed::Sum;
use crate::simd::vector::Vector;

/// The arithmetic of a register tile, for one pair of element types and one instruction set.
///
/// Operands are read in *words*. A word is the part of an operand in one lane of a register: one
/// element for `f32`; several elements contiguous along K if one instruction adds the products of
/// several steps along K.
pub(crate) trait Arithmetic: 'static {
    /// The part of an operand in one lane.
    type Word: Copy + 'static;
    /// An element of C.
    type Sum: Sum;
    /// A register of words.
    type Words: Vector<Element = Self::Word>;
    /// A register of accumulators, with as many lanes as `Words`.
    type Sums: Vector<Element = Self::Sum>;
    /// Whether accumulators may start from a correction, stored as an extra row after each panel of
    /// B.
    const CORRECTS: bool = false;
    /// Whether `mul_add` of `Sums` costs as much as `add`.
    const FUSES: bool = true;

    /// In each lane, adds the products of the elements of `x` and `y` to `sums`.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions of the registers.
    unsafe fn dot(x: Self::Words, y: Self::Words, sums: Self::Sums) -> Self::Sums;
}

/// Products of floats in the lanes of `V`. A word is one element.
pub(crate) struct Fma<V>(PhantomData<V>);

impl<V: Vector<Element: Sum> + 'static> Arithmetic for Fma<V> {
    type Word = V::Element;
    type Sum = V::Element;
    type Words = V;
    type Sums = V;

    #[inline(always)]
    unsafe fn dot(x: V, y: V, sums: V) -> V {
        // SAFETY: guaranteed by the caller.
        unsafe { x.mul_add(y, sums) }
    }
}
