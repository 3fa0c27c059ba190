//! `npyz`: [`read`] and [`write`](fn@write) NumPy files, alone or in an `npz` archive.
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
//! With the feature `npz` of `npyz`, `NpzArchive::by_name` returns an `NpyFile`, and
//! `NpzWriter::array` a builder for `write`.

use std::io::{self, Read, Write};

use layout_core::engine::{DynLayout, IntTuple};
use layout_core::error::LayoutError;
use layout_core::types::AnyLayout;
use npyz::write_options::{HasWriter, WithDType, WithShape};
use npyz::{AutoSerialize, Deserialize, NpyFile, Order, WriterBuilder};

use super::row_major::{RowMajor, row_major};
use crate::tensor::Tensor;
use crate::view::AsView;

/// Reads an array from a file into a tensor in the order of the file.
///
/// # Errors
///
/// Those of the reader. `InvalidData` if the elements in the file are not of type `T`, or if there
/// are more than a layout can have. The error inside is then that of `npyz` or the [`LayoutError`].
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
    // An extent that does not fit in `usize` is replaced by `usize::MAX`, which is too large for a
    // layout and gives that error.
    let extents: Vec<_> =
        shape.iter().map(|&extent| usize::try_from(extent).unwrap_or(usize::MAX)).collect();
    match order {
        Order::Fortran if !extents.is_empty() => DynLayout::make(&IntTuple::flat(&extents)?),
        _ => row_major(&extents),
    }
}

fn invalid(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

/// Writes a tensor or a view as an array. Each mode becomes an axis. Elements that are not in
/// row-major order are copied to it first.
///
/// # Errors
///
/// Those of the writer. `InvalidData` with the [`LayoutError`] if the shape has no valid row-major
/// layout.
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
