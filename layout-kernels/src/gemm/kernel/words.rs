//! `Dot`: one kind of multiplication, for the element types and the instructions of a level.
//!
//! An operand is read in *words*: the part of it in one lane of a register. For `f32` a word is one
//! element. If an instruction adds the products of several steps along K, a word is those elements,
//! contiguous.

use core::marker::PhantomData;

use crate::gemm::float::Float;
use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::arithmetic::{Arithmetic, Fma};
use crate::gemm::kernel::short_rows::{self, ShortRows};
use crate::gemm::pointer::{read, write};
use crate::gemm::scale::Scale;
use crate::simd::vector::Vector;

/// An operand of a product: how its elements become words, and how they are packed.
///
/// A word consists of the parts of `DEPTH` elements along K, in this order in memory.
pub(crate) trait Operand: 'static {
    type Element: Copy + 'static;
    /// An element in a word.
    type Part: Copy + 'static;
    /// A register of words.
    type Words: Vector;
    /// Elements along K in a word.
    const DEPTH: usize = size_of::<Word<Self>>() / size_of::<Self::Part>();
    /// Whether elements are parts as they are. Then `DEPTH` elements that are contiguous in memory are
    /// a word.
    const IS_WORD: bool;
    /// Whether A is packed with an offset that a correction of the accumulators cancels.
    const SHIFTED: bool = false;

    /// An element as it is in a word.
    fn part(element: Self::Element) -> Self::Part;

    /// Converts `n` contiguous elements to their parts.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions. The elements must be valid for reads, the parts for
    /// writes.
    #[inline(always)]
    unsafe fn convert(from: *const Self::Element, to: *mut Self::Part, n: usize) {
        for i in 0..n {
            // SAFETY: guaranteed by the caller.
            unsafe { write(to, i, Self::part(read(from, i))) };
        }
    }

    /// Loads a register of words, whose elements are contiguous.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions. The elements must be valid for reads.
    #[inline(always)]
    unsafe fn load(from: *const Self::Element) -> Self::Words {
        const { assert!(Self::IS_WORD, "converted elements are loaded in their own way") };
        // SAFETY: guaranteed by the caller.
        unsafe { Self::Words::load(from.cast()) }
    }

    /// Loads the words of `n` contiguous elements, at most as many as a register has; the others are
    /// zero.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions. The elements must be valid for reads.
    #[inline(always)]
    unsafe fn load_first(from: *const Self::Element, n: usize) -> Self::Words {
        const { assert!(Self::IS_WORD && Self::DEPTH == 1, "`n` elements are `n` words") };
        // SAFETY: guaranteed by the caller.
        unsafe { Self::Words::load_first(from.cast(), n) }
    }

    /// Loads a register of words whose elements are in `rows` rows, at most `DEPTH`, which are `stride`
    /// bytes apart; missing elements are zero. With only the first `lanes` lanes, if that is `Some`.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions. The elements must be valid for reads.
    #[inline(always)]
    unsafe fn load_rows(
        from: *const Self::Element,
        _stride: usize,
        _rows: usize,
        lanes: Option<usize>,
    ) -> Self::Words {
        const { assert!(Self::DEPTH == 1, "a word is an element of one row") };
        // SAFETY: guaranteed by the caller.
        unsafe {
            match lanes {
                None => Self::load(from),
                Some(n) => Self::load_first(from, n),
            }
        }
    }

    /// Finishes a panel of A or B of `rows` by `width` words, if it is `SHIFTED`.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions. The words must be valid for reads and writes. A panel of
    /// B must be whole vectors wide, and one more row after it must be valid for writes.
    #[inline(always)]
    unsafe fn finish(_panel: *mut Word<Self>, _rows: usize, _width: usize, _of_b: bool) {}
}

/// The part of an operand in a lane.
pub(crate) type Word<O> = <<O as Operand>::Words as Vector>::Element;

/// One kind of multiplication of elements of A by elements of B.
pub(crate) trait Dot: 'static {
    /// An element of C.
    type Sum: Sum;
    /// The operands, whose words are in registers of one type.
    type A: Operand;
    type B: Operand<Words = <Self::A as Operand>::Words>;
    /// How tiles multiply words.
    type Math: Arithmetic<Words = <Self::A as Operand>::Words, Sum = Self::Sum>;
    /// What a multiplication costs in plain loops, in multiplications of real numbers.
    const PLAIN_COST: usize = 1;
    /// How inner products and row combinations multiply: with operands in place, and so without
    /// corrections.
    type Inner: Dot<Sum = Self::Sum>;
    /// Whether several short rows can share a vector.
    const HAS_SHORT_ROWS: bool = false;

    /// Computes [`short_rows`](crate::gemm::kernel::short_rows).
    ///
    /// # Safety
    ///
    /// [`HAS_SHORT_ROWS`](Self::HAS_SHORT_ROWS) holds. Otherwise that of [`short_rows::all`].
    #[inline(always)]
    unsafe fn short_rows(_all: &ShortRows, _scale: &Scale<Self::Sum>) {
        unreachable!("such a product has no short rows")
    }
}

/// A register of accumulators of `D`.
pub(crate) type Sums<D> = <<D as Dot>::Math as Arithmetic>::Sums;

/// Floats. Each is a word.
pub(crate) struct FloatWord<V>(PhantomData<V>);

impl<T: Float, V: Vector<Element = T>> Operand for FloatWord<V> {
    type Element = T;
    type Part = T;
    type Words = V;
    const IS_WORD: bool = true;

    #[inline(always)]
    fn part(element: T) -> T {
        element
    }
}

/// Products of `T` in the registers `V`.
pub(crate) struct FloatDot<V>(PhantomData<V>);

impl<T: Float, V: Vector<Element = T>> Dot for FloatDot<V> {
    type Sum = T;
    type A = FloatWord<V>;
    type B = FloatWord<V>;
    type Math = Fma<V>;
    type Inner = Self;
    const HAS_SHORT_ROWS: bool = V::HAS_PERMUTE;

    #[inline(always)]
    unsafe fn short_rows(all: &ShortRows, scale: &Scale<T>) {
        // SAFETY: guaranteed by the caller.
        unsafe { short_rows::all::<T, V>(all, scale) };
    }
}
