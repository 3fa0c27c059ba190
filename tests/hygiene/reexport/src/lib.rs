//! A library that re-exports `layout!`, under another name and inside a macro of its own.
#![no_std]

pub use layouts;
pub use layouts::layout as notation;

/// The row-major layout of a matrix.
#[macro_export]
macro_rules! rows {
    ($m:expr, $n:expr) => {
        $crate::notation!(($m, $n):($n, 1))
    };
}
