// Uses of `layout!` where only `library` is in scope, along with many items whose names an expansion
// might use.

use library::layout;

/// Asserts that two types are equal.
macro_rules! same {
    ($a:ty, $b:ty) => {
        const _: fn($a) -> $b = |layout| layout;
    };
}

mod hostile {
    //! Names that an expansion must not pick up.
    #![allow(dead_code, non_camel_case_types, non_upper_case_globals)]

    pub(crate) mod core {}
    pub(crate) mod std {}
    pub(crate) mod typenum {}
    pub(crate) mod layout_core {}
    pub(crate) mod static_layout {}
    pub(crate) struct Layout;
    pub(crate) struct Mixed;
    pub(crate) struct Cons;
    pub(crate) struct Nil;
    pub(crate) struct Dyn;
    pub(crate) struct U4;
    pub(crate) struct U8;
    pub(crate) struct Ok;
    pub(crate) struct Err;
    pub(crate) struct Result;
    pub(crate) struct usize;
    pub(crate) const product: () = ();
    pub(crate) const rest_of: () = ();
}
#[allow(unused_imports, reason = "only there to be in the way")]
use hostile::*;

type Rows = layout!((4, 8):(8, 1));
type Packed = layout!([1, 0, 1 p(4)] for (6, 8));
type Sticks = layout!(spyre { size: [5, 100], stride: [1, 5], dtype: f16, sparse: true });
type Sharded = layout!(tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), zero, <3x2>,
    !tt.tile<32x32, bf16, face = 16x16>>>);
type Tiles = layout!(logical_divide(Rows, <2, <_>>));
type Pool = layout!((_, 4):(4, 1));
type Large = layout!(1_000_000:3);
const ROWS: Rows = layout!((4, 8):(8, 1));

same!(layout!(logical_divide((4, 8):(8, 1), <2, 4>)), layout!(logical_divide(Rows, <2, 4>)));

macro_rules! from_literals {
    ($m:literal, $n:literal) => {
        layout!(($m, $n):($n, 1))
    };
}
macro_rules! from_expressions {
    ($m:expr, $n:expr) => {
        layout!(($m, $n):($n, 1))
    };
}
macro_rules! from_names {
    ($m:ident, $n:ident) => {
        layout!(($m, $n):($n, 1))
    };
}
macro_rules! from_types {
    ($m:ty, $n:path) => {
        layout!(($m, $n):($n, 1))
    };
}
macro_rules! from_tokens {
    ($($tokens:tt)*) => {
        layout!($($tokens)*)
    };
}
macro_rules! from_shape {
    ($shape:expr, $stride:expr) => {
        layout!($shape:$stride)
    };
}
macro_rules! local_of_a_macro {
    ($m:expr) => {{
        let n = 5;
        layout!(($m, n):(n, 1))
    }};
}

trait HasExtent {
    type Extent;
}
impl HasExtent for Rows {
    type Extent = library::typenum::U4;
}

same!(from_literals!(4, 8), Rows);
same!(from_expressions!(4, 8), Rows);
same!(from_types!(library::typenum::U4, library::typenum::U8), Rows);
same!(from_types!(<Rows as HasExtent>::Extent, library::typenum::U8), Rows);
same!(from_tokens!((4, 8):(8, 1)), Rows);
same!(from_tokens!([1, 0, 1 p(4)] for (6, 8)), Packed);
same!(layout!([1, 0, 1 p(4)] for (6, library::typenum::U8)), Packed);
same!(from_tokens!(spyre { size: [5, 100], stride: [1, 5], dtype: f16, device_size: [100, 5, 64],
    dim_map: [1, 0, -1] }), Sticks);
same!(from_tokens!(tensor<53x63xf32, #tt.metal_layout<collapse = [], zero, <3x2>,
    !tt.tile<32 x 32, bf16, face = 16x16>>>), Sharded);
same!(from_shape!((4, 8), (8, 1)), Rows);

same!(layout!(row_major((_, 4))), Pool);

/// Every form once. The test calls it; other packages only compile it.
pub fn forms() {
    let (m, n) = (3, 4);
    let here: Pool = layout!((m, 4):(4, 1));
    ::core::assert_eq!((ROWS.size(), <Tiles as library::StaticLayout>::SIZE, here.size()), (32, 32, 12));
    ::core::assert_eq!((<Large as library::StaticLayout>::COSIZE, <Packed as library::StaticLayout>::RANK), (2_999_998, 2));
    ::core::assert_eq!((Sharded::CORES, Sharded::EMPTY_CORES), (6, 0));
    ::core::assert_eq!(from_names!(m, n).cosize(), 12);
    ::core::assert_eq!(from_expressions!(m + 1, n * 2).cosize(), 32);
    ::core::assert_eq!(from_expressions!(n.pow(1), ROWS.rank()).cosize(), 8);
    // The `n` of the macro is not the `n` of this function.
    ::core::assert_eq!(local_of_a_macro!(n).cosize(), 20);
    ::core::assert_eq!(layout!((m, n, 2)).cosize(), 24);
    match layout!([0, 1, 0 p(16)] for ({ m * 16 }, 64)) {
        library::__private::Ok(panels) => ::core::assert_eq!(panels.cosize(), 3072),
        library::__private::Err(error) => ::core::panic!("{error}"),
    }
    let operand_0 = n;
    match layout!(flatten(logical_divide((m, 4):(4, 1), <{ m }, operand_0>))) {
        library::__private::Ok(tiles) => ::core::assert_eq!((tiles.rank(), tiles.size()), (4, 12)),
        library::__private::Err(error) => ::core::panic!("{error}"),
    }
}

/// A contraction; its expansion has items and paths of its own.
pub fn contraction() {
    #[derive(::core::clone::Clone, ::core::marker::Copy)]
    struct EinsumSubscripts(f32);
    let factor = EinsumSubscripts(3.0);
    let a = library::ArrayTensor::<f32, layout!((4, 2):(1, 4))>::full(1.0);
    let mut c = library::ArrayTensor::<f32, layout!((4, 4):(1, 4))>::zeros();
    library::einsum!("ij,kj->ik", a, a, &mut c, alpha = factor.0);
    ::core::assert_eq!(c[(3, 2)], 6.0);
}

#[cfg(test)]
mod tests {
    #[::core::prelude::v1::test]
    fn forms() {
        super::forms();
    }

    #[::core::prelude::v1::test]
    fn contraction() {
        super::contraction();
    }
}
