//! `npyz`: [`read`] and [`write`](fn@write) NumPy's files, alone or in an `npz` archive.
//!
//! ```
//! # #[cfg(feature = "npyz-0_9")] {
//! # use layout_kernels::interop::npyz::{read, write};
//! use npyz::{NpyFile, WriteOptions, WriterBuilder};
//! use static_layout::{Tensor, kernels::copy, layout};
//! let t = Tensor::<f32, layout!((2, (3, 2)):(3, (1, 6)))>::from_fn(|(i, j)| (10 * i + j) as f32);
//! let mut file = Vec::new();
//! write(WriteOptions::new().writer(&mut file), &t).unwrap();
//!
//! let back = read::<f32, _>(NpyFile::new(&file[..]).unwrap()).unwrap();
//! assert_eq!(back.layout().to_string(), "(2,6):(6,1)");
//! let mut packed = Tensor::<f32, layout!((2, (3, 2)):(3, (1, 6)))>::zeros();
//! copy(&back, &mut packed)?;
//! assert_eq!(packed.as_slice(), t.as_slice());
//! # }
//! # Ok::<(), static_layout::LayoutError>(())
//! ```
//!
//! With the feature `npz` of `npyz`, `NpzArchive::by_name` gives an `NpyFile`, and `NpzWriter::array` a
//! builder for `write`.

use std::io::{self, Read, Write};

use layout_core::engine::{DynLayout, IntTuple};
use layout_core::error::LayoutError;
use layout_core::types::AnyLayout;
use npyz::write_options::{HasWriter, WithDType, WithShape};
use npyz::{AutoSerialize, Deserialize, NpyFile, Order, WriterBuilder};

use super::row_major::RowMajor;
use crate::tensor::Tensor;
use crate::view::AsView;

/// An array in a file as a tensor, in the order that the file has.
///
/// # Errors
///
/// Those of the reader. `InvalidData` when the file has other elements than `T`, or more than a layout
/// can have; the [`LayoutError`] is inside.
pub fn read<T, R>(file: NpyFile<R>) -> io::Result<Tensor<T, DynLayout>>
where
    T: Deserialize + Copy + Default,
    R: Read,
{
    let layout = layout_of(file.shape(), file.order()).map_err(invalid)?;
    let mut tensor = Tensor::zeros_in(layout).map_err(invalid)?;
    let mut elements = file.data::<T>().map_err(invalid)?;
    for place in tensor.as_mut_slice() {
        *place = elements.next().ok_or(io::ErrorKind::UnexpectedEof)??;
    }
    Ok(tensor)
}

fn layout_of(shape: &[u64], order: Order) -> Result<DynLayout, LayoutError> {
    if shape.is_empty() {
        return Ok(DynLayout::UNIT);
    }
    // What does not fit is too large for a layout, too, which says so.
    let extents: Vec<_> =
        shape.iter().map(|&extent| usize::try_from(extent).unwrap_or(usize::MAX)).collect();
    let shape = IntTuple::flat(&extents)?;
    match order {
        Order::C => DynLayout::row_major(&shape),
        Order::Fortran => DynLayout::make(&shape),
    }
}

fn invalid(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

/// Writes a tensor or a view as an array: each mode is an axis. Elements that are not in row-major order
/// are copied to it before.
///
/// # Errors
///
/// Those of the writer.
pub fn write<T, L, B>(builder: B, tensor: &impl AsView<T, Layout = L>) -> io::Result<()>
where
    T: AutoSerialize + Copy + 'static,
    L: AnyLayout,
    B: WriterBuilder<T> + HasWriter<Writer: Write>,
    WithShape<WithDType<B>>: HasWriter<Writer = B::Writer>,
{
    let rows = RowMajor::new(&tensor.as_view()).map_err(invalid)?;
    let shape: Vec<_> = rows.extents.iter().map(|&extent| extent as u64).collect();
    let mut writer = builder.order(Order::C).default_dtype().shape(&shape).begin_nd()?;
    rows.elements.iter().try_for_each(|element| writer.push(element))?;
    writer.finish()
}
