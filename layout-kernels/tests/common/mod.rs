//! Layouts for tests.
#![allow(dead_code, reason = "each test uses a part of this")]

use layout_core::engine::{DynLayout, IntTuple};

/// The flat layout with these extents and strides; without parentheses when there is one.
pub(crate) const fn flat(shape: &[usize], stride: &[usize]) -> DynLayout {
    match (IntTuple::flat(shape), IntTuple::flat(stride)) {
        (Ok(shape), Ok(stride)) => match DynLayout::new(&shape, &stride) {
            Ok(layout) => layout,
            Err(error) => error.panic(),
        },
        _ => panic!("a layout needs a mode"),
    }
}

/// A static layout: a type, its coordinates and its value.
macro_rules! fixed {
    ($name:ident, $coord:ty, $layout:expr) => {
        #[derive(Clone, Copy, Default, Debug)]
        struct $name;
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&const { $layout }, f)
            }
        }
        impl layout_core::types::AnyLayout for $name {
            const STATIC: Option<layout_core::engine::DynLayout> = Some($layout);
            type Check = layout_core::types::AtCompileTime;
            type Coord = $coord;
            type Domain = layout_core::engine::DynLayout;
            fn to_dyn(
                &self,
            ) -> Result<layout_core::engine::DynLayout, layout_core::error::LayoutError> {
                Ok($layout)
            }
            fn locate<C: layout_core::types::CoordinateIn<Self::Domain>>(
                &self,
                coordinate: C,
            ) -> Option<usize> {
                coordinate.locate(&$layout)
            }
        }
    };
}
pub(crate) use fixed;
