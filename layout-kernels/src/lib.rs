//! Tensors over layouts, and the kernels that move and multiply their elements.
//!
//! * [`Tensor`] and [`ArrayTensor`] own their elements, on the heap or inline. [`View`] and
//!   [`ViewMut`] borrow a slice. Each pairs memory with a layout; construction checks once that the
//!   layout stays inside the memory.
//! * [`copy`] moves elements from one layout to another, [`gemm()`] multiplies matrices.
//!
//! All `unsafe` code of `static-layout` is in this crate, except calls of MPI. Users depend on
//! `static-layout`, which re-exports this crate.
#![cfg_attr(not(feature = "std"), no_std)]
// Other targets have NEON kernels or only portable ones. These use a part of the planning and copy code.
#![cfg_attr(
    not(all(target_arch = "x86_64", target_feature = "sse2")),
    allow(
        dead_code,
        unreachable_pub,
        unused_imports,
        unused_macros,
        reason = "only vector registers use it"
    )
)]

/// `?` for `const fn`s.
macro_rules! attempt {
    ($e:expr) => {
        match $e {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}

mod access;
mod array_tensor;
#[cfg(feature = "std")]
mod buffer;
mod checks;
mod copy;
mod einsum;
mod gemm;
pub mod interop;
mod list;
mod par;
mod part;
pub(crate) mod place;
mod placed;
#[doc(hidden)]
pub mod probe;
pub mod simd;
mod swizzled;
#[cfg(feature = "std")]
mod tensor;
mod transpose;
mod view;
mod walk;

pub use array_tensor::ArrayTensor;
pub use copy::{
    CopyKernel, CopyPlan, ElementMove, Loop, axpby, copy, copy_at, for_each_move, transform,
    update, update_at,
};
#[cfg(feature = "std")]
pub use copy::{Relayout, copy_par};
pub use einsum::{Einsum, EinsumEpilogue, EinsumPlan, einsum};
#[doc(hidden)]
pub use einsum::{StaticSubscripts, einsum_options};
#[doc(hidden)]
pub use gemm::assert_gemm;
pub use gemm::{AsIs, Epilogue, Float, Gemm, GemmPlan, Multiply, Then, gemm, gemm_at};
pub use par::Par;
pub use part::Transposed;
pub use place::{Destination, InLayout, InPlacement, InSwizzle, Place, Placed, Source};
#[cfg(feature = "std")]
pub use placed::PlacedTensor;
pub use placed::{FillValue, PlacedView, PlacedViewMut};
#[cfg(feature = "std")]
pub use swizzled::SwizzledTensor;
pub use swizzled::{Behind, SwizzledView, SwizzledViewMut};
#[cfg(feature = "std")]
pub use tensor::Tensor;
pub use view::{AsView, AsViewMut, View, ViewMut};
pub use walk::{Iter, IterMut};
