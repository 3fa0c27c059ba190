//! What a layout is and how it is written.
//!
//! A layout is a function from a logical coordinate to an offset in memory, given by a shape and
//! a stride. This crate has the algebra twice, and each is tested against the other:
//!
//! * [`engine`]: plain `const fn`s on a fixed-size value, [`DynLayout`](engine::DynLayout). It
//!   serves run time, const evaluation in kernels and the `layout!` macro.
//! * [`types`]: the same operations on zero-sized types, at compile time.
//!
//! [`devices`] is about tensors that are cut into pieces, padded and spread over cores.
//!
//! Users depend on `static-layout`, which re-exports what is here.
//!
//! # How it is compiled
//!
//! Each program compiles this crate twice, once for the macro and without [`types`], so build time counts.
//! What neither the notation nor the kernels call is `#[inline]`: it is compiled where it is used,
//! and not here. What many functions share and no inner loop needs is `#[inline(never)]`.
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

/// The value, or a panic with the message: for constants, and for what cannot fail.
macro_rules! or_panic {
    ($e:expr) => {
        match $e {
            Ok(value) => value,
            Err(error) => error.panic(),
        }
    };
}

/// The same where a program runs, see [`LayoutError::fail`](error::LayoutError::fail).
macro_rules! or_fail {
    ($e:expr) => {
        match $e {
            Ok(value) => value,
            Err(error) => error.fail(),
        }
    };
}

/// Calls a macro with the types that have `parse`.
macro_rules! read_from_text {
    ($macro:ident) => {
        $macro!(Slicer DynLayout CoordinateLayout LinearLayout IntTuple Tiler MorelloLayout SpyreLayout MetalLayout);
    };
}

/// Returns the error, of any area of the catalogue, where the condition holds.
macro_rules! refuse {
    ($condition:expr, $error:expr) => {
        if $condition {
            return Err($error.widen());
        }
    };
}

/// `for` over a range for `const fn`s: `repeat!(i, 0..n, { .. })`.
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

/// The same from the last one to the first: `repeat_rev!(i, 0..n, { .. })`.
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

/// `Debug` prints what `Display` does.
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

/// The bits of [`MAX_SIZE`](engine::MAX_SIZE) on the target, as text.
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
