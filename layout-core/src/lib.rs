//! The layout algebra and its notation.
//!
//! A layout is a function from a logical coordinate to an offset in memory, given by a shape and a
//! stride. This crate implements the algebra twice, and tests check each implementation against the
//! other:
//!
//! * [`engine`]: plain `const fn`s on a fixed-size value, [`DynLayout`](engine::DynLayout). Used at
//!   run time, in const evaluation in kernels, and by the `layout!` macro.
//! * [`types`]: the same operations on zero-sized types, at compile time.
//!
//! [`devices`] describes tensors that are cut into pieces, padded and distributed over cores.
//!
//! Users depend on `static-layout`, which re-exports this crate.
//!
//! # How it is compiled
//!
//! Each user program compiles this crate twice: for the proc macro (without [`types`]) and for
//! itself. So build time counts. Functions that neither the notation nor the kernels call are
//! `#[inline]`: they are compiled in the crate that uses them, not here. Shared functions that no
//! inner loop calls are `#[inline(never)]`.
#![cfg_attr(not(test), no_std)]
#![cfg_attr(not(feature = "text"), allow(dead_code, reason = "used by the notation"))]
#![cfg_attr(
    not(feature = "types"),
    allow(dead_code, unused_macros, unreachable_pub, reason = "used by the types")
)]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

/// `?` for `const fn`s.
macro_rules! attempt {
    ($e:expr) => {
        match $e {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}

/// Unwraps a `Result`, or panics with the error's message. For constants, and where an error is
/// impossible.
macro_rules! or_panic {
    ($e:expr) => {
        match $e {
            Ok(value) => value,
            Err(error) => error.panic(),
        }
    };
}

/// Like `or_panic!`, for code that runs at run time: calls
/// [`LayoutError::fail`](error::LayoutError::fail).
macro_rules! or_fail {
    ($e:expr) => {
        match $e {
            Ok(value) => value,
            Err(error) => error.fail(),
        }
    };
}

/// Calls a macro with the list of types that have `parse`.
macro_rules! read_from_text {
    ($macro:ident) => {
        $macro!(Slicer DynLayout CoordinateLayout LinearLayout IntTuple Tiler MorelloLayout SpyreLayout MetalLayout);
    };
}

/// Returns the error, of any area of the catalogue, if the condition holds.
macro_rules! refuse {
    ($condition:expr, $error:expr) => {
        if $condition {
            return Err($error.widen());
        }
    };
}

/// `for` loop over a range, usable in `const fn`s: `repeat!(i, 0..n, { .. })`.
macro_rules! repeat {
    ($i:pat, $range:expr, $body:block) => {
        let range: core::ops::Range<_> = $range;
        let mut next = range.start;
        while next < range.end {
            let $i = next;
            next += 1;
            $body
        }
    };
}

/// Like `repeat!`, from the last index to the first: `repeat_rev!(i, 0..n, { .. })`.
macro_rules! repeat_rev {
    ($i:pat, $range:expr, $body:block) => {
        let range: core::ops::Range<_> = $range;
        let mut next = range.end;
        while next > range.start {
            next -= 1;
            let $i = next;
            $body
        }
    };
}

/// Implements `Debug` by `Display`.
macro_rules! debug_as_display {
    ($type:ty) => {
        impl core::fmt::Debug for $type {
            #[inline]
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }
    };
}

/// Number of bits of [`MAX_SIZE`](engine::MAX_SIZE) on the target, as text.
#[rustfmt::skip]
#[cfg(target_pointer_width = "64")]
macro_rules! size_bits { () => { "63" } }
#[rustfmt::skip]
#[cfg(target_pointer_width = "32")]
macro_rules! size_bits { () => { "31" } }

pub mod const_text;
pub mod devices;
pub mod engine;
pub mod error;
pub mod excerpt;
mod fallibility;
#[cfg(feature = "serde-1")]
mod interop;
#[cfg(feature = "types")]
#[doc(hidden)]
pub mod macro_support;
pub mod operations;
#[cfg(feature = "text")]
pub mod text;
#[cfg(feature = "types")]
pub mod types;
#[cfg(not(feature = "text"))]
mod without_text;
