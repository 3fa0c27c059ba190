//! Queries of layouts as inherent methods, so that no trait must be in scope.

use crate::engine::{DynLayout, IntTuple};
use crate::types::api::any::{AnyLayout, Coordinate};

use crate::types::api::layout::Layout;
use crate::types::api::mixed::Mixed;
use crate::types::core::tree::Tree;

/// The queries of [`AnyLayout`], with the same documentation.
macro_rules! queries {
    ($($(#[$doc:meta])* $name:ident -> $answer:ty;)+) => {
        queries!(@ Layout [$($(#[$doc])* $name -> $answer;)+]);
        queries!(@ Mixed [$($(#[$doc])* $name -> $answer;)+]);
    };
    (@ $layout:ident [$($(#[$doc:meta])* $name:ident -> $answer:ty;)+]) => {
        impl<S: Tree, D: Tree> $layout<S, D> {
            $(
                $(#[$doc])*
                ///
                /// # Panics
                ///
                /// If [`to_dyn`](AnyLayout::to_dyn) fails because of run-time leaves that do not
                /// fit.
                #[inline]
                #[track_caller]
                pub fn $name(&self) -> $answer {
                    AnyLayout::$name(self)
                }
            )+

            /// The size of a mode: the product of the extents in it.
            ///
            /// # Panics
            ///
            /// If `mode` is not below [`rank`](Self::rank), and if [`to_dyn`](AnyLayout::to_dyn)
            /// fails.
            #[inline]
            #[track_caller]
            pub fn extent(&self, mode: usize) -> usize {
                AnyLayout::extent(self, mode)
            }
        }
    };
}
queries! {
    /// The extents.
    shape -> IntTuple;
    /// The strides, congruent to the shape.
    stride -> IntTuple;
    /// The number of modes.
    rank -> usize;
    /// The nesting depth of the modes: 0 for `4:1`, 1 for `(4,8):(8,1)`.
    depth -> usize;
    /// The number of coordinates: the product of the extents.
    size -> usize;
    /// One more than the largest offset; 0 if there is no coordinate.
    cosize -> usize;
}

macro_rules! offset {
    ($([$($generics:tt)*] $layout:ty;)+) => {$(
        impl<$($generics)*> $layout {
            /// The offset of a coordinate: `L(c) = sum of c_i * d_i`; see [`AnyLayout::offset`].
            ///
            /// # Panics
            ///
            /// If the coordinate lies outside the shape, as in slice indexing.
            #[doc(alias = "crd2idx")]
            #[inline(always)]
            #[track_caller]
            pub fn offset<C: Coordinate<Self>>(&self, coordinate: C) -> usize {
                AnyLayout::offset(self, coordinate)
            }
        }
    )+};
}
offset! {
    [S: Tree, D: Tree] Layout<S, D>;
    [S: Tree, D: Tree] Mixed<S, D>;
    [] DynLayout;
}
