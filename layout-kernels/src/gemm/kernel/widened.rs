//! Products of numbers that are widened first: `bf16` and `f16` to `f32`, and bytes to `i32` where no
//! instruction adds several products.

use core::marker::PhantomData;

use crate::gemm::kernel::arithmetic::Arithmetic;
use crate::gemm::kernel::words::{Dot, Operand};
use crate::gemm::pointer::{read, write};
use crate::simd::portable::Array4;
use crate::simd::vector::Vector;
use crate::simd::widen::{Narrow, Widen};

/// Elements `E`, widened to the lanes of registers `V`.
pub(crate) struct Widened<E, V>(PhantomData<(E, V)>);

impl<E: Narrow, V: Widen<E>> Operand for Widened<E, V> {
    type Element = E;
    type Part = E::Wide;
    type Words = V;
    const IS_WORD: bool = false;

    #[inline(always)]
    fn part(element: E) -> E::Wide {
        element.widen()
    }

    #[inline(always)]
    unsafe fn convert(from: *const E, to: *mut E::Wide, n: usize) {
        let whole = n - n % V::LANES;
        // SAFETY: guaranteed by the caller.
        unsafe {
            for i in (0..whole).step_by(V::LANES) {
                V::widen(from.add(i)).store(to.add(i));
            }
            if V::HAS_MASK_REGISTERS && whole < n {
                V::widen_first(from.add(whole), n - whole).store_first(to.add(whole), n - whole);
            } else {
                // With AVX2, a masked store takes longer than single numbers.
                for i in whole..n {
                    write(to, i, read(from, i).widen());
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn load(from: *const E) -> V {
        // SAFETY: guaranteed by the caller.
        unsafe { V::widen(from) }
    }

    #[inline(always)]
    unsafe fn load_first(from: *const E, n: usize) -> V {
        // SAFETY: guaranteed by the caller.
        unsafe { V::widen_first(from, n) }
    }
}

/// Products of `X` and `Y`, both widened to the words of `M`.
pub(crate) struct WidenedDot<X, Y, M>(PhantomData<(X, Y, M)>);

impl<X, Y, M> Dot for WidenedDot<X, Y, M>
where
    X: Narrow<Wide = M::Word>,
    Y: Narrow<Wide = M::Word>,
    M: Arithmetic<Words: Widen<X> + Widen<Y>>,
{
    type Sum = M::Sum;
    type A = Widened<X, M::Words>;
    type B = Widened<Y, M::Words>;
    type Math = M;
    type Inner = Self;
    const PLAIN_COST: usize = X::COST;
}

/// Products of bytes in lanes of 32 bits.
pub(crate) struct MultiplyWideBytes;

impl Arithmetic for MultiplyWideBytes {
    type Word = i32;
    type Sum = i32;
    type Words = Array4<i32>;
    type Sums = Array4<i32>;

    #[inline(always)]
    unsafe fn dot(x: Self::Words, y: Self::Words, sums: Self::Sums) -> Self::Sums {
        // Bytes have 16 bits at most. LLVM then multiplies in vectors, also where 32 bits take several
        // instructions. (300 cubed on i686: 11.4 Gop/s, without 5.3.)
        let product = |x: i32, y: i32| i32::from(x as i16) * i32::from(y as i16);
        let (Array4([a, b, c, d]), Array4([e, f, g, h])) = (x, y);
        let products = Array4([product(a, e), product(b, f), product(c, g), product(d, h)]);
        // SAFETY: arrays need no special instructions.
        unsafe { products.add(sums) }
    }
}
