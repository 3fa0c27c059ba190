//! Tensor layouts and placements on MPI.
//!
//! A layout maps coordinates to memory. A placement maps coordinates to the memories of many cores.
//! This crate turns a layout into an MPI [`Datatype`] and maps the cores of a placement to ranks:
//!
//! * [`send`] and [`receive`]: a tensor is sent in one layout and received in another.
//! * [`DistributedTensor`] on [`Cores`]: `scatter`, `gather`, `from_fn`, and `reshard` to any other
//!   placement of the same tensor. Each rank plans only its own part.
//! * [`gemm`], [`gemm_split_k`] and [`einsum`] on matrices in [`Blocks`] on a grid of ranks.
//!
//! The crate needs an MPI installation and libclang, and is therefore a separate workspace. On Debian:
//! `libopenmpi-dev openmpi-bin libclang-dev`. For measurements see the chapter `mpi` of the
//! `static-layout` guide.
//!
//! A failure of MPI itself, such as a rank that died, aborts all ranks, which is the default of MPI.
//! [`Error`] covers mistakes in the program. All ranks get the same error, before any data moves.

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
