//! `ArrayTensor`: a tensor stored inline in an array, without an allocator.

use generic_array::GenericArray;
use generic_array::sequence::GenericSequence;
use layout_core::types::{AnyLayout, ArrayLayout, Coordinate};

use crate::access::tensor_access;
use crate::checks::{check_injective, const_unwrap};
use crate::view::private::Token;
use crate::view::{AsView, AsViewMut, LayoutRef, View, ViewMut, debug};
use crate::walk::{Iter, IterMut, fill};

/// A tensor that stores its elements inline, ordered by the static layout `L`.
///
/// Its size is the layout's cosize; it needs no allocator. Above a few kilobytes, avoid moves or use
/// [`Tensor`](crate::Tensor). As for a `Tensor`, the layout must be injective: a layout that maps two
/// coordinates to one offset is a compile error.
///
/// ```
/// use static_layout::{ArrayTensor, layout};
/// type Rows = layout!((2,3):(3,1));
/// let mut t = ArrayTensor::<u8, Rows>::from_fn(|(i, j)| (10 * i + j) as u8);
/// t[(0, 1)] = 7;
/// assert_eq!(t.as_slice(), [0, 7, 2, 10, 11, 12]);
/// ```
#[derive(Clone)]
pub struct ArrayTensor<T, L: ArrayLayout> {
    // Invariant: the layout is injective. The type makes the length equal to the cosize.
    data: GenericArray<T, L::Cosize>,
    layout: L,
}

impl<T: Copy, L: ArrayLayout> ArrayTensor<T, L> {
    const CHECK: () = const_unwrap(&check_injective(&L::LAYOUT));

    /// A tensor full of `T::default()`, which is 0 for numbers.
    #[must_use]
    pub fn zeros() -> Self
    where
        T: Default,
    {
        const { Self::CHECK };
        Self::full(T::default())
    }

    /// A tensor full of `value`.
    #[must_use]
    pub fn full(value: T) -> Self {
        const { Self::CHECK };
        Self { data: GenericArray::generate(|_| value), layout: L::default() }
    }

    /// A tensor whose element at each coordinate `c` is `f(c)`. `c` is a tuple with one index per mode.
    ///
    /// Elements that no coordinate maps to are `T::default()`.
    #[must_use]
    pub fn from_fn(f: impl FnMut(L::Coord) -> T) -> Self
    where
        T: Default,
    {
        const { Self::CHECK };
        let mut tensor = Self::zeros();
        fill(&L::default(), &mut tensor.data, f);
        tensor
    }
}

tensor_access!(ArrayTensor<T, L>, [T: Copy, L: ArrayLayout], [T: Copy, L: ArrayLayout]);
