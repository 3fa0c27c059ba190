//! Products of numbers that are widened first: `bf16` and `f16` to `f32`, and bytes to `i32` where no
//! instruction adds several products.

use core::marker::PhantomData;

use crate::gemm::float::sealed::Sum;
use crate::gemm::kernel::arithmetic::Fma;
use crate::gemm::kernel::words::{Dot, Operand};
use crate::gemm::pointer::{read, write};
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

/// Products of `X` and `Y`, both widened to the lanes of registers `V`.
pub(crate) struct WidenedDot<X, Y, V>(PhantomData<(X, Y, V)>);

impl<X, Y, V> Dot for WidenedDot<X, Y, V>
where
    X: Narrow<Wide: Sum>,
    Y: Narrow<Wide = X::Wide>,
    V: Widen<X> + Widen<Y>,
{
    type Sum = X::Wide;
    type A = Widened<X, V>;
    type B = Widened<Y, V>;
    type Math = Fma<V>;
    type Inner = Self;
    const PLAIN_COST: usize = X::COST;
}
