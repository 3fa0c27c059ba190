#![doc = include_str!("../README.md")]
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
pub mod guide;
mod macros;

pub use layout_core::devices::spyre::Spyre;
pub use layout_core::devices::tenstorrent::Tenstorrent;
pub use layout_core::engine::{DynLayout, IntTuple, Tiler};
pub use layout_core::error::{self, LayoutError};
#[cfg(feature = "text")]
pub use layout_core::text;
pub use layout_core::types::{
    Algebra, AnyIntTuple, AnyLayout, AnySwizzled, AnyTiler, ArrayLayout, AtCompileTime, AtRunTime,
    BlockedProduct, Coalesce, Complement, Composition, Coordinate, DynamicKind, Fallibility,
    Flatten, IntoResult, Join, Kind, KindOf, Layout, LocalTile, LogicalDivide, LogicalProduct,
    Make, Mixed, MixedKind, ModeCoord, Number, On, Outcome, RightInverse, RowMajor, Select,
    ShapeAlgebra, Slice, StaticKind, StaticLayout, StaticSlicer, StaticTiler, Swizzled,
    TileToShape, TiledDivide, Valid, ZippedDivide,
};
pub use layout_core::{assert_valid, devices, engine, types};
pub use layout_kernels::interop;
pub use layout_kernels::{
    ArrayTensor, AsView, AsViewMut, FillValue, PlacedView, PlacedViewMut, SwizzledView,
    SwizzledViewMut, Transposed, View, ViewMut,
};
#[cfg(feature = "std")]
pub use layout_kernels::{PlacedTensor, SwizzledTensor, Tensor};
pub use typenum;

#[doc(inline)]
pub use layout_core::operations as ops;

/// The most common imports: `use static_layout::prelude::*`.
pub mod prelude {
    #[cfg(feature = "std")]
    pub use crate::Tensor;
    pub use crate::{
        Algebra, AnyLayout, AnySwizzled, ArrayTensor, DynLayout, IntoResult, Layout, LayoutError,
        Mixed, ShapeAlgebra, StaticLayout, View, ViewMut, einsum, layout,
    };
}

/// Kernels that move and multiply elements, over any layouts.
///
/// Each kernel is one function for static, mixed and dynamic layouts. If all layouts of a call are
/// static, it returns plain `()`, because mistakes are compile errors. Otherwise it returns a
/// `Result`. Code that is generic over the kind of layout calls `.into_result()?` on either, see
/// [`IntoResult`].
pub mod kernels {
    #[cfg(feature = "std")]
    #[doc(hidden)]
    pub use layout_kernels::probe;
    pub use layout_kernels::simd::Level;
    pub use layout_kernels::{
        AsIs, CopyKernel, CopyPlan, Destination, Einsum, EinsumEpilogue, EinsumPlan, ElementMove,
        Epilogue, Float, Gemm, GemmPlan, Loop, Multiply, Par, Source, Then, axpby, copy, copy_at,
        einsum, for_each_move, gemm, gemm_at, transform, update, update_at,
    };
    #[cfg(feature = "std")]
    pub use layout_kernels::{Relayout, copy_par};
}
