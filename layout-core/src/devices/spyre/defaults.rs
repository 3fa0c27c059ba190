//! The default layouts of a tensor.

use crate::devices::numbers::check_rank;
use crate::devices::spyre::SpyreLayout;
use crate::devices::spyre::layout::{SYNTHETIC, elements_per_stick};
use crate::devices::{ElementType, MAX_DIMENSIONS};
use crate::engine::MAX_LEAVES;
use crate::error::{LayoutError, SpyreError};

impl SpyreLayout {
    /// The default layout: `dim_map` is `[o1, .., o(r-1), o0, o(r-1)]` for this order of the
    /// canonical dimensions; by default their own order. The last dimension of the order is cut into
    /// sticks, the tiles consist of sticks along the first.
    ///
    /// The specification does not define default layouts. This is the rule of
    /// `spyre_tensor_impl.cpp` at that time; earlier versions used
    /// `[o(r-1), o0, .., o(r-2), o(r-1)]`.
    ///
    /// ```
    /// use static_layout::devices::{ElementType, spyre::SpyreLayout};
    /// let l = SpyreLayout::dense(&[5, 100, 150], ElementType::F16, None)?;
    /// assert_eq!((l.device_size(), l.dim_map()), (&[100, 3, 5, 64][..], &[1, 2, 0, 2][..]));
    /// let l = SpyreLayout::dense(&[5, 100, 150], ElementType::F16, Some(&[1, 0, 2]))?;
    /// assert_eq!((l.device_size(), l.dim_map()), (&[5, 3, 100, 64][..], &[0, 2, 1, 2][..]));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SpyreError::OrderLength`], [`SpyreError::OrderEntry`]; the errors of [`new`](Self::new).
    #[inline]
    pub const fn dense(
        size: &[usize],
        element: ElementType,
        order: Option<&[usize]>,
    ) -> Result<Self, LayoutError> {
        Self::default_layout(size, element, order, false)
    }

    /// The default layout of a sparse tensor, with one element in each stick: `dim_map` is
    /// `[o1, .., o(r-1), o0, -1]` for this order of the canonical dimensions.
    ///
    /// ```
    /// use static_layout::devices::{ElementType, spyre::SpyreLayout};
    /// let l = SpyreLayout::sparse(&[512, 256], ElementType::F16, None)?;
    /// assert_eq!((l.device_size(), l.dim_map()), (&[256, 512, 64][..], &[1, 0, -1][..]));
    /// assert_eq!((l.padding(), l.bytes()), (8_257_536, 16_777_216));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`dense`](Self::dense).
    #[inline]
    pub const fn sparse(
        size: &[usize],
        element: ElementType,
        order: Option<&[usize]>,
    ) -> Result<Self, LayoutError> {
        Self::default_layout(size, element, order, true)
    }

    #[inline]
    const fn default_layout(
        size: &[usize],
        element: ElementType,
        order: Option<&[usize]>,
        sparse: bool,
    ) -> Result<Self, LayoutError> {
        attempt!(check_rank(size.len()));
        let (mut extents, mut ordered) = ([0; MAX_DIMENSIONS], [0; MAX_DIMENSIONS]);
        let (mut rank, mut d) = (0, 0);
        while d < size.len() {
            if size[d] != 1 {
                extents[rank] = size[d];
                ordered[rank] = rank;
                rank += 1;
            }
            d += 1;
        }
        if let Some(order) = order {
            attempt!(check_order(order, rank));
            ordered.split_at_mut(rank).0.copy_from_slice(order);
        }
        let stick = attempt!(elements_per_stick(element));
        let (mut device_size, mut dim_map) = ([0; MAX_LEAVES], [SYNTHETIC; MAX_LEAVES]);
        // `o1, .., o(r-1), o0`, and the stick.
        repeat!(p, 0..rank, {
            let d = ordered[(p + 1) % rank];
            let cut = !sparse && d == ordered[rank - 1];
            device_size[p] = if cut { extents[d].div_ceil(stick) } else { extents[d] };
            dim_map[p] = d as isize;
        });
        device_size[rank] = stick;
        if rank > 0 && !sparse {
            dim_map[rank] = ordered[rank - 1] as isize;
        }
        let device_size = device_size.split_at(rank + 1).0;
        Self::new(size, element, device_size, dim_map.split_at(rank + 1).0)
    }
}

#[inline]
const fn check_order(order: &[usize], rank: usize) -> Result<(), LayoutError> {
    refuse!(order.len() != rank, SpyreError::OrderLength { entries: order.len(), rank });
    repeat!(position, 0..rank, {
        let (dimension, mut earlier) = (order[position], 0);
        while earlier < position && order[earlier] != dimension {
            earlier += 1;
        }
        if dimension >= rank || earlier < position {
            return Err(SpyreError::OrderEntry { position, dimension, rank }.widen());
        }
    });
    Ok(())
}
