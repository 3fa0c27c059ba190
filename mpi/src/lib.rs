//! Tensor layouts and placements on MPI.
//!
//! A layout is a function from coordinates to memory, and a placement one from coordinates to the memories
//! of many cores. This crate makes the first a [`Datatype`] of MPI, and the cores of the second ranks:
//!
//! * [`send`] and [`receive`]: a tensor in one layout arrives in another one.
//! * [`DistributedTensor`] on [`Cores`]: `scatter`, `gather`, `from_fn`, and `reshard` to any other
//!   placement of the same tensor. Each rank plans only its own part.
//! * [`gemm`], [`gemm_split_k`] and [`einsum`] of matrices in [`Blocks`] on a grid of ranks.
//!
//! It wants an MPI installation and libclang (Debian: `libopenmpi-dev openmpi-bin libclang-dev`), and is
//! therefore a workspace of its own. The chapter `mpi` of the guide of `static-layout` has what was
//! measured.
//!
//! A failure of MPI itself, such as a rank that died, ends the program on all ranks, as is the default of
//! MPI. [`Error`] is what a program can get wrong; all ranks get the same one, before anything moves.

mod agree;
mod blocks;
mod cores;
mod datatype;
mod distributed;
mod einsum;
mod error;
mod message;
mod plan;
mod product;
mod sys;
mod typetree;

pub use blocks::Blocks;
pub use cores::Cores;
pub use datatype::Datatype;
pub use distributed::{DistributedTensor, Exchange};
pub use einsum::einsum;
pub use error::Error;
pub use message::{Method, receive, send};
pub use product::{Number, gemm, gemm_split_k};
pub use sys::Element;
