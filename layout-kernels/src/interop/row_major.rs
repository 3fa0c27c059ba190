//! `RowMajor`: the elements of a view in row-major order, as in files.

use std::borrow::Cow;

use layout_core::engine::{DynLayout, IntTuple};
use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, IntoResult};

use crate::checks::{check_allocatable, value};
use crate::copy::copy;
use crate::view::{View, ViewMut};

/// The row-major layout of an array with these extents.
pub(crate) fn row_major(extents: &[usize]) -> Result<DynLayout, LayoutError> {
    match extents {
        [] => Ok(DynLayout::UNIT),
        _ => DynLayout::row_major(&IntTuple::flat(extents)?),
    }
}

/// Elements of a view in row-major order. Borrowed if they already are in this order, copied
/// otherwise.
#[derive(Clone, Debug)]
pub(crate) struct RowMajor<'a, T: Copy> {
    pub(crate) extents: Vec<usize>,
    pub(crate) elements: Cow<'a, [T]>,
}

impl<'a, T: Copy + 'static> RowMajor<'a, T> {
    /// The elements of `view`. Each mode becomes an axis.
    pub(crate) fn new<L: AnyLayout>(view: &View<'a, T, L>) -> Result<Self, LayoutError> {
        let layout = value(&view.layout())?;
        let extents: Vec<_> = (0..layout.rank()).map(|mode| layout.extent(mode)).collect();
        let rows = row_major(&extents)?;
        let slice = view.as_slice();
        let elements = match slice.first() {
            Some(&first) if layout.size() > 0 && !is_row_major(&layout, &rows) => {
                check_allocatable(&rows, rows.cosize(), size_of::<T>())?;
                let mut elements = vec![first; rows.size()];
                let mut to = ViewMut::new_in(&mut elements, rows)?;
                copy::<T, _, _, _, _>(view, &mut to).into_result()?;
                Cow::Owned(elements)
            }
            _ => Cow::Borrowed(&slice[..layout.size()]),
        };
        Ok(Self { extents, elements })
    }
}

/// Whether a layout is the same function as the row-major layout of its shape.
fn is_row_major(layout: &DynLayout, rows: &DynLayout) -> bool {
    layout.with_single_strides().is_ok_and(|layout| {
        let strides = layout.strides().iter().zip(rows.strides());
        layout.extents().iter().zip(strides).all(|(&extent, (a, b))| extent == 1 || a == b)
    })
}
