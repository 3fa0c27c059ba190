//! What every layout can be asked without a trait in scope.

use crate::engine::{DynLayout, IntTuple};
use crate::types::api::any::{AnyLayout, Coordinate};

use crate::types::api::layout::Layout;
use crate::types::api::mixed::Mixed;
use crate::types::core::tree::Tree;

/// The questions of [`AnyLayout`], in its words.
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
                /// Where [`to_dyn`](AnyLayout::to_dyn) fails, because of run-time leaves that do not fit.
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
            /// When `mode` is not below [`rank`](Self::rank), and where [`to_dyn`](AnyLayout::to_dyn)
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
    /// How deep the modes are nested: 0 for `4:1`, 1 for `(4,8):(8,1)`.
    depth -> usize;
    /// The number of coordinates: the product of the extents.
    size -> usize;
    /// One more than the largest offset, and 0 when there is no coordinate.
    cosize -> usize;
}

macro_rules! offset {
    ($([$($generics:tt)*] $layout:ty;)+) => {$(
        impl<$($generics)*> $layout {
            /// The offset of a coordinate: `L(c) = sum of c_i * d_i`; see [`AnyLayout::offset`].
            ///
            /// # Panics
            ///
            /// When the coordinate lies outside the shape, as indexing a slice does.
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
