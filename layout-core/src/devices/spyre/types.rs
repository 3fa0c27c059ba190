//! Spyre layouts as types: `layout!(spyre { size: [512], dtype: f16 })`.
//!
//! The numbers of the notation are types. Everything else is a constant that the engine computes
//! from them.

use crate::devices::spyre::SpyreLayout;
use crate::devices::static_type::static_type;
use crate::devices::{AnyPlacement, ElementType, Fill, Placement};
use crate::engine::MAX_LEAVES;
use crate::error::LayoutError;
use crate::types::{AtCompileTime, Cons, Constant, Nat, Nil, NumberList, Numbers};

static_type! {
    /// A [`SpyreLayout`] whose numbers are types. Usually written by `layout!`. It is zero-sized,
    /// and is both the type and its only value.
    ///
    /// | parameter | meaning |
    /// |---|---|
    /// | `S`, `E` | the size of the host, a [`Cons`] list, and the [element](crate::types::constant) |
    /// | `D` | `device_size` |
    /// | `M` | `dim_map`, a list that ends in [`Synthetic`] instead of [`Nil`] for a sparse tensor |
    /// | `H` | the strides of the host, or [`Contiguous`] |
    ///
    /// `LAYOUT` has all queries. Those without arguments are also constants:
    ///
    /// ```
    /// use static_layout::{LayoutError, devices::spyre::SpyreLayout, layout};
    /// type Sparse = layout!(spyre { size: [500], dtype: f16, device_size: [512, 64], dim_map: [0, -1] });
    /// const LAST: Result<usize, LayoutError> = Sparse::LAYOUT.offset(&[499]);
    /// assert_eq!((LAST, Sparse::STICKS, size_of::<Sparse>()), (Ok(499 * 64), 512, 0));
    /// let text = "spyre { size: [500], dtype: f16, device_size: [512, 64], dim_map: [0, -1] }";
    /// assert_eq!(Sparse::LAYOUT, SpyreLayout::parse(text).unwrap());
    /// ```
    ///
    /// An invalid layout is a compile error where one of its constants is used. The error has the
    /// rule and the numbers.
    pub type Spyre<S, E, D, M, H = Contiguous>: StaticSpyre of SpyreLayout;
}

/// The end of a `dim_map` whose last dimension is synthetic: -1 in the notation.
#[derive(Debug)]
pub enum Synthetic {}

/// The strides of a host that is row-major without gaps.
#[derive(Debug)]
pub enum Contiguous {}

/// A `dim_map`: a [`Cons`] list of typenum unsigned integers that ends in [`Nil`] or [`Synthetic`].
pub trait DimMap: 'static {
    /// The numbers before the end.
    const NUMBERS: Result<NumberList, LayoutError>;
    /// Whether the end is [`Synthetic`].
    const SPARSE: bool;
}

impl DimMap for Nil {
    const NUMBERS: Result<NumberList, LayoutError> = <Self as Numbers>::NUMBERS;
    const SPARSE: bool = false;
}

impl DimMap for Synthetic {
    const NUMBERS: Result<NumberList, LayoutError> = <Nil as Numbers>::NUMBERS;
    const SPARSE: bool = true;
}

impl<N: Nat, T: DimMap> DimMap for Cons<N, T> {
    const NUMBERS: Result<NumberList, LayoutError> = match T::NUMBERS {
        Ok(rest) => rest.prepended(N::VALUE),
        error => error,
    };
    const SPARSE: bool = T::SPARSE;
}

/// The strides of a host: a [`Cons`] list, or [`Contiguous`].
pub trait HostStride: 'static {
    /// The strides; `None` for a contiguous host.
    const STRIDE: Result<Option<NumberList>, LayoutError>;
}

impl HostStride for Contiguous {
    const STRIDE: Result<Option<NumberList>, LayoutError> = Ok(None);
}

impl<L: Numbers> HostStride for L {
    const STRIDE: Result<Option<NumberList>, LayoutError> = match L::NUMBERS {
        Ok(numbers) => Ok(Some(numbers)),
        Err(error) => Err(error),
    };
}

impl<S, E, D, M, H> StaticSpyre for Spyre<S, E, D, M, H>
where
    S: Numbers,
    E: Constant<ElementType>,
    D: Numbers,
    M: DimMap,
    H: HostStride,
{
    const CHECKED: Result<SpyreLayout, LayoutError> =
        match (S::NUMBERS, D::NUMBERS, M::NUMBERS, H::STRIDE) {
            (Ok(size), Ok(device_size), Ok(map), Ok(stride)) => {
                layout(&size, E::VALUE, &device_size, &map, M::SPARSE, stride)
            }
            (Err(error), ..) | (_, Err(error), ..) | (_, _, Err(error), _) | (.., Err(error)) => {
                Err(error)
            }
        };
}

#[inline]
const fn layout(
    size: &NumberList,
    element: ElementType,
    device_size: &NumberList,
    map: &NumberList,
    sparse: bool,
    stride: Option<NumberList>,
) -> Result<SpyreLayout, LayoutError> {
    let (mut dim_map, map) = ([-1; MAX_LEAVES + 1], map.as_slice());
    repeat!(position, 0..map.len(), {
        dim_map[position] = if map[position] > isize::MAX as usize {
            return Err(LayoutError::IntegerOverflow { operation: "dim_map" });
        } else {
            map[position] as isize
        };
    });
    let dim_map = dim_map.split_at(map.len() + sparse as usize).0;
    let layout =
        attempt!(SpyreLayout::new(size.as_slice(), element, device_size.as_slice(), dim_map));
    match stride {
        Some(stride) => layout.with_stride(stride.as_slice()),
        None => Ok(layout),
    }
}

impl<S, E, D, M, H> Spyre<S, E, D, M, H>
where
    Self: StaticSpyre,
{
    /// The layout as a value.
    pub const LAYOUT: SpyreLayout = match Self::CHECKED {
        Ok(layout) => layout,
        Err(error) => error.panic(),
    };
    /// Number of elements of the tensor.
    pub const SIZE: usize = Self::LAYOUT.elements();
    /// Number of elements that fit on the device.
    pub const SLOTS: usize = Self::LAYOUT.slots();
    /// Number of slots that hold no element.
    pub const PADDING: usize = Self::LAYOUT.padding();
    /// Number of sticks of the device.
    pub const STICKS: usize = Self::LAYOUT.sticks();
    /// Number of bytes of the sticks.
    pub const BYTES: usize = Self::LAYOUT.bytes();

    /// The layout as a value, with all queries.
    pub const fn to_dyn(self) -> SpyreLayout {
        Self::LAYOUT
    }
}
