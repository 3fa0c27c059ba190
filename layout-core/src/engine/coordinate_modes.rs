//! Operations on the modes of a layout of coordinates: they only move whole leaves.
//!
//! They apply the operation of [`DynLayout`] to a layout that has a tag in place of each stride.

use crate::engine::coordinate_layout::CoordinateLayout;
use crate::engine::int_tuple::{IntTuple, MAX_LEAVES};
use crate::engine::layout::DynLayout;
use crate::engine::signed::SignedTuple;
use crate::engine::slicer::Slicer;
use crate::engine::tiler::Tiler;
use crate::engine::vector::{Codomain, Vector};
use crate::error::LayoutError;

/// Operations with the names, the laws and the errors of [`algebra`](crate::engine::algebra).
macro_rules! moving {
    ($($name:ident($($arg:ident: $type:ty),*);)+) => {$(
        #[doc = concat!(
            "The strides with [`algebra::", stringify!($name), "`](crate::engine::algebra::",
            stringify!($name), ") on the modes; its errors, and those of [`new`](Self::new).",
        )]
        #[inline]
        pub const fn $name(&self, $($arg: $type),*) -> Result<Self, LayoutError> {
            self.untagged(&attempt!(self.tagged().$name($($arg),*)))
        }
    )+};
}

impl CoordinateLayout {
    moving! {
        dice(coordinate: &Slicer);
        group(begin: usize, end: usize);
        select(modes: &[usize]);
        slice(coordinate: &Slicer);
        take(begin: usize, end: usize);
        unflatten(profile: &IntTuple);
        zip();
    }

    /// All leaves as modes of depth at most 1; a layout of one leaf becomes that leaf.
    #[inline]
    pub const fn flatten(&self) -> Self {
        self.with_shape(&self.tagged().flatten().shape())
    }

    /// Mode `i` as a layout; mode 0 of `4:-1` is `4:-1`.
    ///
    /// # Panics
    ///
    /// If `i` is not below [`rank`](Self::rank).
    #[inline]
    pub const fn mode(&self, i: usize) -> Self {
        // A part of a layout that fits.
        or_fail!(self.untagged(&self.tagged().mode(i)))
    }

    /// The layout whose modes are `modes`.
    ///
    /// # Errors
    ///
    /// The errors of [`DynLayout::tuple`] and of [`new`](Self::new).
    #[inline]
    pub const fn tuple(modes: &[Self]) -> Result<Self, LayoutError> {
        refuse!(modes.is_empty(), LayoutError::EmptyTuple);
        let mut l = Self::EMPTY;
        repeat!(i, 0..modes.len(), {
            l = attempt!(l.push(&modes[i]));
        });
        l.parenthesised().checked()
    }

    pub(crate) const fn parenthesised(self) -> Self {
        let shape = self.shape().parenthesised();
        self.with_shape(&shape)
    }

    /// The layout with `mode` after its last mode: [`algebra::append`](crate::engine::algebra::append).
    ///
    /// # Errors
    ///
    /// The errors of [`tuple`](Self::tuple).
    #[inline]
    pub const fn append(&self, mode: &Self) -> Result<Self, LayoutError> {
        let both = attempt!(Self::tuple(&[*self, *mode]));
        let tagged = both.tagged();
        both.untagged(&attempt!(tagged.mode(0).append(&tagged.mode(1))))
    }

    /// The layout with `mode` before its first mode: [`algebra::prepend`](crate::engine::algebra::prepend).
    ///
    /// # Errors
    ///
    /// The errors of [`tuple`](Self::tuple).
    #[inline]
    pub const fn prepend(&self, mode: &Self) -> Result<Self, LayoutError> {
        let both = attempt!(Self::tuple(&[*self, *mode]));
        let tagged = both.tagged();
        both.untagged(&attempt!(tagged.mode(0).prepend(&tagged.mode(1))))
    }

    /// The layout with mode `mode` replaced by `layout`:
    /// [`algebra::replace`](crate::engine::algebra::replace).
    ///
    /// # Errors
    ///
    /// The errors of [`tuple`](Self::tuple) and of [`algebra::replace`](crate::engine::algebra::replace).
    #[inline]
    pub const fn replace(&self, mode: usize, layout: &Self) -> Result<Self, LayoutError> {
        let both = attempt!(Self::tuple(&[*self, *layout]));
        let tagged = both.tagged();
        both.untagged(&attempt!(tagged.mode(0).replace(mode, &tagged.mode(1))))
    }

    /// The modes of both in pairs: [`algebra::zip_with`](crate::engine::algebra::zip_with).
    ///
    /// # Errors
    ///
    /// The errors of [`tuple`](Self::tuple) and of [`algebra::zip_with`](crate::engine::algebra::zip_with).
    #[inline]
    pub const fn zip_with(&self, other: &Self) -> Result<Self, LayoutError> {
        attempt!(Self::tuple(&[*self, *other])).zip()
    }

    /// The modes that a coordinate keeps, and the value of the other modes: [`slice`](Self::slice)
    /// with `L(c with _ = 0)`.
    ///
    /// ```
    /// use static_layout::engine::{CoordinateLayout, Slicer};
    /// let l = CoordinateLayout::parse("(4,8):(1@0,1@1)").unwrap();
    /// let (column, at) = l.slice_and_offset(&Slicer::parse("(_,5)").unwrap())?;
    /// assert_eq!((column.to_string(), at.to_string()), ("(4):(1@0)".into(), "(0,5)".into()));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`algebra::slice`](crate::engine::algebra::slice).
    #[inline]
    pub const fn slice_and_offset(
        &self,
        coordinate: &Slicer,
    ) -> Result<(Self, SignedTuple), LayoutError> {
        let kept = attempt!(self.slice(coordinate));
        Ok((kept, attempt!(self.value_of_fixed(coordinate, self))))
    }

    /// The layout and the value at a coordinate: the same elements, relative to that value.
    ///
    /// # Errors
    ///
    /// The errors of [`coordinate_at`](Self::coordinate_at).
    #[inline]
    pub const fn domain_offset(
        &self,
        coordinate: &IntTuple,
    ) -> Result<(Self, SignedTuple), LayoutError> {
        Ok((*self, attempt!(self.coordinate_at(coordinate))))
    }

    /// The value of the fixed integers of `coordinate`, a coordinate of this part of `whole`, in the
    /// form of the values of `whole`.
    #[inline]
    const fn value_of_fixed(
        &self,
        coordinate: &Slicer,
        whole: &Self,
    ) -> Result<SignedTuple, LayoutError> {
        let codomain = attempt!(whole.codomain());
        let mut values = [0; MAX_LEAVES];
        attempt!(self.add_fixed(coordinate, &codomain, &mut values));
        Ok(SignedTuple::of_values(&codomain.tree, values))
    }

    #[inline]
    const fn add_fixed(
        &self,
        coordinate: &Slicer,
        codomain: &Codomain,
        values: &mut [isize; MAX_LEAVES],
    ) -> Result<(), LayoutError> {
        if coordinate.is_keep() {
            return Ok(());
        }
        let mut i = 0;
        if coordinate.is_leaf() {
            let at = attempt!(self.shape().natural_coordinate(&coordinate.values()));
            while i < self.len() {
                attempt!(codomain.add(values, at.at(i) as isize, &self.stride_at(i)));
                i += 1;
            }
            return Ok(());
        }
        attempt!(coordinate.check_profile(&self.shape()));
        while i < coordinate.rank() {
            attempt!(self.mode(i).add_fixed(&coordinate.mode(i), codomain, values));
            i += 1;
        }
        Ok(())
    }

    /// The tile at a coordinate of the grid of tiles, and its value there:
    /// [`algebra::local_tile`](crate::engine::algebra::local_tile).
    ///
    /// ```
    /// use static_layout::engine::{CoordinateLayout, IntTuple, Slicer, Tiler};
    /// let identity = CoordinateLayout::identity(&IntTuple::flat(&[8, 12])?)?;
    /// let (tiler, at) = (Tiler::parse("<4, 3>").unwrap(), Slicer::parse("(1,2)").unwrap());
    /// let (tile, start) = identity.local_tile(&tiler, &at)?;
    /// assert_eq!(tile.to_string(), "(4,3):(1@0,1@1)");
    /// assert_eq!(start.to_string(), "(4,6)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of `DynLayout::local_tile`.
    #[inline]
    pub const fn local_tile(
        &self,
        tiler: &Tiler,
        coordinate: &Slicer,
    ) -> Result<(Self, SignedTuple), LayoutError> {
        let divided = attempt!(self.zipped_divide_by(tiler));
        let rest = divided.mode(1);
        let coordinate = attempt!(coordinate.padded(rest.rank()));
        let tile = attempt!(divided.untagged(&attempt!(divided.tagged().tile_at(&coordinate))));
        Ok((tile, attempt!(rest.value_of_fixed(&coordinate, &divided))))
    }

    /// The elements of one thread, and the value of the first:
    /// [`algebra::local_partition`](crate::engine::algebra::local_partition).
    ///
    /// # Errors
    ///
    /// The errors of `DynLayout::local_partition`.
    #[inline]
    pub const fn local_partition(
        &self,
        threads: &DynLayout,
        index: usize,
    ) -> Result<(Self, SignedTuple), LayoutError> {
        let (tiler, coordinate) = attempt!(threads.partitioner(index));
        let divided = attempt!(self.zipped_divide_by(&tiler));
        let rest = attempt!(DynLayout::EMPTY.push_unpacked(&divided.tagged().mode(1)));
        let own = attempt!(divided.untagged(&rest.parenthesised()));
        Ok((own, attempt!(divided.mode(0).value_of_fixed(&coordinate, &divided))))
    }

    /// The layout with extent 1 wherever the stride is zero.
    #[inline]
    pub const fn filter_zeros(&self) -> Self {
        let mut shape = self.shape();
        repeat!(i, 0..self.len(), {
            if self.stride_at(i).is_zero() && shape.at(i) > 1 {
                shape.set(i, 1);
            }
        });
        self.with_shape(&shape)
    }

    /// The layout of the coordinates along modes that do not step, as
    /// [`algebra::nullspace`](crate::engine::algebra::nullspace). Coordinates whose steps cancel out
    /// are not included.
    #[inline]
    pub const fn nullspace(&self) -> DynLayout {
        let mut steps = [0; MAX_LEAVES];
        repeat!(i, 0..self.len(), {
            steps[i] = !self.stride_at(i).is_zero() as usize;
        });
        self.with_numbers(&steps).nullspace()
    }

    /// The leaves by falling extent. The tag of a leaf is its index in this order. The larger the
    /// extent, the smaller the tag, so offsets made of tags cannot overflow if the size does not.
    #[inline]
    const fn by_extent(&self) -> [usize; MAX_LEAVES] {
        let mut order = [0; MAX_LEAVES];
        repeat!(i, 0..self.len(), {
            let mut k = i;
            while k > 0 && self.extent_at(order[k - 1]) < self.extent_at(i) {
                order[k] = order[k - 1];
                k -= 1;
            }
            order[k] = i;
        });
        order
    }

    /// The same leaves with a tag in place of each stride.
    #[inline]
    pub(crate) const fn tagged(&self) -> DynLayout {
        let (order, mut tags) = (self.by_extent(), [0; MAX_LEAVES]);
        repeat!(tag, 0..self.len(), {
            tags[order[tag]] = tag;
        });
        self.with_numbers(&tags)
    }

    /// Replaces the tags in `moved` by the strides of this layout.
    #[inline]
    pub(crate) const fn untagged(&self, moved: &DynLayout) -> Result<Self, LayoutError> {
        let (order, mut l) = (self.by_extent(), Self::EMPTY);
        repeat!(i, 0..moved.len(), {
            let stride: Vector = self.stride_at(order[moved.stride_at(i)]);
            l = attempt!(l.push_leaf(moved.extent_at(i), &stride));
        });
        l.with_shape(&moved.shape()).checked()
    }

    /// This shape with the given numbers as strides.
    #[inline]
    const fn with_numbers(&self, numbers: &[usize; MAX_LEAVES]) -> DynLayout {
        or_fail!(DynLayout::new(&self.shape(), &self.shape().with_leaves(numbers)))
    }
}
