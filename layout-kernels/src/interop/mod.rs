//! Conversions from and to arrays, bytes and files of other crates. Each crate has a feature, named
//! with its version, and a file.
//!
//! | feature | what |
//! |---|---|
//! | `ndarray-0_17` | `View` of an `ndarray::ArrayBase`, `ViewMut` of a mutable one; both back with `try_from` |
//! | `nalgebra-0_35` | the same with `nalgebra::Matrix` and `MatrixView` |
//! | `faer-0_24` | the same with `faer::MatRef` and `MatMut` |
//! | `num-complex-0_4` | matrix products of `Complex<f32>` and `Complex<f64>` |
//! | `half` | matrix products of `bf16` and `f16` |
//! | `bytemuck-1` | views of bytes, bytes of tensors, elements as another type of their size |
//! | `serde-1` | layouts serialised as text |
//! | `safetensors-0_8` | views of tensors in a file; [`safetensors`](https://docs.rs/safetensors) in any layout |
//! | `npyz-0_9` | tensors from and to `npy` files, and in `npz` archives |
//!
//! Nothing is copied unless the documentation says so. An array converts to a view if its elements
//! are contiguous in some order of its axes. An array with gaps can be viewed as
//! [`part_of`](crate::View::part_of) a slice. Any array can be copied to a [`Tensor`](crate::Tensor).
//! A view converts to an array if each mode has a single stride. Otherwise the error says why not.

#[cfg(feature = "bytemuck-1")]
mod bytemuck;
#[cfg(feature = "faer-0_24")]
mod faer;
#[cfg(feature = "nalgebra-0_35")]
mod nalgebra;
#[cfg(feature = "ndarray-0_17")]
mod ndarray;
#[cfg(feature = "npyz-0_9")]
pub mod npyz;
#[cfg(any(feature = "npyz-0_9", feature = "safetensors-0_8"))]
mod row_major;
#[cfg(feature = "safetensors-0_8")]
pub mod safetensors;
#[cfg(any(feature = "faer-0_24", feature = "nalgebra-0_35", feature = "ndarray-0_17"))]
mod strides;

#[cfg(any(feature = "faer-0_24", feature = "nalgebra-0_35", feature = "ndarray-0_17"))]
pub use strides::StridedArray;
