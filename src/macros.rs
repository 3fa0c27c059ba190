//! `layout!`: one notation for types and values. `einsum!`: contractions with checked subscripts.
//! `assert_gemm!`: a compile-time check that three layouts fit a matrix product.

/// A layout in the notation of CuTe, Morello, Spyre or Tenstorrent: a type and a value.
///
/// | notation | what it is |
/// |---|---|
/// | `layout!((4, 8):(8, 1))`, `layout!(8:2)` | a zero-sized [`Layout`](crate::Layout), as a type and as its value |
/// | `layout!((4, 8))` | the compact column-major layout of a shape |
/// | `layout!((_, 4):(4, 1))` | a type, [`Mixed`](crate::Mixed), with a run-time leaf |
/// | `layout!((n, 4):({2 * m}, 1))` | a value of such a type: `n` and `{..}` are expressions of type `usize` |
/// | `layout!((N, 4):(4, 1))` | a type-level extent: any typenum unsigned integer |
/// | `layout!([1, 0, 1 p(4)] for (6, 8))` | Morello, slowest dimension first; `p(n)` packed, `oe(n)` odd-even |
/// | `layout!([1, 0, 1 p(4)] for (N, 8))` | the same with a type-level extent |
/// | `layout!([1, 0, 1 p(4)])` | the same without a shape; [`On<M, L>`](crate::On) gives it the shape of `L` |
/// | `layout!(spyre { size: [512], dtype: f16 })` | Spyre, see [`spyre`](crate::devices::spyre#notation) |
/// | `layout!(tensor<8x300xf32, #tt.metal_layout<..>>)` | Tenstorrent, see [`tenstorrent`](crate::devices::tenstorrent#notation) |
/// | `layout!(<8:1, 4>)`, `layout!(<_, 4:1>)` | a tiler that applies mode by mode; `_` keeps a mode |
/// | `layout!(Sw<3,4,3> o 0 o (8,64):(64,1))` | [`Swizzled`](crate::Swizzled): a swizzled layout, as a type and as its value; with run-time values a `Result` of a [`ComposedLayout`](crate::engine::ComposedLayout) |
/// | `layout!(composition(A, B))`, `layout!(A o 4:1)` | an operation by its CuTe name, on notation and on named types |
///
/// An operation that exists as a type in this crate, such as [`TiledDivide`](crate::TiledDivide),
/// takes names of layouts and tilers, and nested operations: `tiled_divide(flatten(A), <4, T>)`.
/// Layouts given as literals support more operations, such as `slice((4,12):(12,1), (3,_))`: all
/// those in `text::OPERATIONS` (feature `text`). With `_` for leaves, an operation is the type of a
/// mixed layout. With a run-time value (an extent, or a layout or tiler of any kind, by name), it is
/// a call of the method with the same name, and returns a `Result`.
///
/// `_4` is 4, as CuTe prints it. `(4)` is a tuple of one mode and differs from `4`. The notation may
/// be in any of the three kinds of brackets. Names that start in lower case are values, other names
/// are types; write a constant in braces to make it a value: `{LEN}`.
///
/// ```
/// use static_layout::{AnyLayout, LogicalDivide, layout};
/// use static_layout::typenum::assert_type_eq;
///
/// type Rows = layout!((4, 8):(8, 1));
/// let rows: Rows = layout!((4, 8):(8, 1));
/// assert_eq!(rows.offset((2, 3)), 19);
///
/// assert_type_eq!(layout!([1, 0, 1 p(4)] for (6, 8)), layout!((6,(4,2)):(4,(1,24))));
/// assert_type_eq!(layout!(logical_divide(Rows, <2, 4>)), LogicalDivide<Rows, layout!(<2:1, 4:1>)>);
///
/// let n = 100;
/// let columns: layout!((_, 4):(1, _)) = layout!((n, 4):(1, n));
/// assert_eq!(columns.to_string(), "(100,4):(1,100)");
/// assert_eq!(columns, layout!((n, 4)));
/// ```
///
/// An operation on a run-time value may fail, so it returns a `Result`:
///
/// ```
/// use static_layout::{AnyLayout, LayoutError, layout};
/// fn tiles(m: usize) -> Result<layout!(zipped_divide((_, 64):(64, 1), <32, 8>)), LayoutError> {
///     layout!(zipped_divide((m, 64):(64, 1), <32, 8>))
/// }
/// assert_eq!(tiles(96)?.to_string(), "((32,8),(3,8)):((64,1),(2048,8))");
/// # Ok::<(), LayoutError>(())
/// ```
///
/// A Morello layout for a run-time extent is a `Result`, because its sizes must divide the extent.
/// The extent of such a mode is a pair of the sizes and the quotient:
///
/// ```
/// use static_layout::{AnyLayout, LayoutError, layout};
/// fn panels(n: usize) -> Result<layout!((64, (16, _)):(16, (1, 1024))), LayoutError> {
///     layout!([1, 0, 1 p(16)] for (64, n))
/// }
/// assert_eq!(panels(48)?.to_string(), "(64,(16,3)):(16,(1,1024))");
/// assert_eq!(panels(50).unwrap_err().to_string(), "size 16 does not divide 50, what is left of dimension 1");
/// # Ok::<(), LayoutError>(())
/// ```
///
/// # Errors
///
/// Mistakes are compile errors at the tokens they are about, all reported together. A static extent
/// of 0 is a mistake; a run-time extent may be 0.
#[macro_export]
macro_rules! layout {
    ($($notation:tt)*) => {
        $crate::__private::layout_impl! { {$crate} $($notation)* }
    };
}

/// Contracts two tensors like [`kernels::einsum`](crate::kernels::einsum), with subscripts that are
/// checked at compile time.
///
/// `einsum!("bij,bjk->bik", a, b, &mut c)` is `C(b,i,k) = sum over j of A(b,i,j) * B(b,j,k)`. A and B
/// are tensors, views or references to them.
///
/// Options follow: `alpha` and `beta`, for `C = alpha * A * B + beta * C`; `then`, a function of each
/// finished element and its coordinate in C; `par`, the threads. They are the methods of
/// [`kernels::Einsum`](crate::kernels::Einsum).
///
/// If all layouts are static, it returns nothing, and modes that do not fit are a compile error.
/// Otherwise it returns a `Result`.
///
/// ```
/// use static_layout::{Tensor, einsum, layout};
///
/// // The scores of attention: 2 heads, 3 queries, 4 keys, 8 features.
/// let q = Tensor::<f32, layout!((3, 2, 8):(16, 8, 1))>::full(0.5);
/// let k = Tensor::<f32, layout!((4, 2, 8):(16, 8, 1))>::full(1.0);
/// let mut scores = Tensor::<f32, layout!((2, 3, 4):(12, 4, 1))>::zeros();
/// einsum!("qhd,khd->hqk", q, k, &mut scores);
/// assert_eq!(scores.as_slice(), [4.0; 24]);
///
/// // The same, scaled, and masked for keys that come later than the query.
/// let causal = |x: f32, at: &[usize]| if at[2] > at[1] { f32::NEG_INFINITY } else { x };
/// einsum!("qhd,khd->hqk", q, k, &mut scores, alpha = 0.25, then = causal);
/// assert_eq!((scores[(1, 0, 0)], scores[(1, 0, 1)]), (1.0, f32::NEG_INFINITY));
/// ```
///
/// Subscripts that do not fit are a compile error:
///
/// ```compile_fail
/// use static_layout::{Tensor, einsum, layout};
/// let a = Tensor::<f32, layout!((3, 8):(8, 1))>::full(0.5);
/// let mut c = Tensor::<f32, layout!((3, 3):(3, 1))>::zeros();
/// einsum!("ik,jk->il", a, a, &mut c); // einsum: letter l of C is in neither A nor B
/// ```
///
/// # Errors
///
/// Those of [`kernels::einsum`](crate::kernels::einsum), unless all layouts are static. Mistakes in
/// the subscripts are compile errors, and so are wrong ranks and extents of static layouts.
#[macro_export]
macro_rules! einsum {
    (
        $subscripts:literal, $a:expr, $b:expr, $c:expr
        $(, $option:ident = $value:expr)* $(,)?
    ) => {
        $crate::__private::einsum_impl! {
            {$crate} $subscripts {$a} {$b} {$c} $($option {$value})*
        }
    };
}

/// Gives a compile error, with the extents, unless three static layouts fit the matrix product
/// `C = A * B`.
///
/// [`kernels::gemm`](crate::kernels::gemm) also does not compile for such layouts. But the compiler
/// evaluates constants of generic functions only during code generation: `cargo build` and
/// `cargo test` report that error, `cargo check` and editors do not. They do report the error of
/// this macro.
///
/// It is an item or a statement. The layouts must be concrete types.
///
/// ```
/// use static_layout::{assert_gemm, layout};
/// assert_gemm!(layout!((4, 8):(8, 1)), layout!((8, 6):(6, 1)), layout!((4, 6):(1, 4)));
/// ```
///
/// ```compile_fail
/// use static_layout::{assert_gemm, layout};
/// type Rows = layout!((4, 8):(8, 1));
/// assert_gemm!(Rows, Rows, layout!((4, 8))); // A has 8 columns, B has 4 rows
/// ```
#[macro_export]
macro_rules! assert_gemm {
    ($a:ty, $b:ty, $c:ty $(,)?) => {
        const _: () = $crate::__private::assert_gemm(
            &<$a as $crate::StaticLayout>::LAYOUT,
            &<$b as $crate::StaticLayout>::LAYOUT,
            &<$c as $crate::StaticLayout>::LAYOUT,
        );
    };
}
