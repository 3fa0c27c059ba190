//! Products of a layout of coordinates and a layout that gives the positions of the copies.
//!
//! The copies go to the coordinates that the block leaves free. The last mode of the coordinates is
//! unbounded: `(4,3):(1@0,1@1)` repeats in mode 1.

use crate::engine::coordinate_layout::CoordinateLayout;
use crate::engine::int_tuple::IntTuple;
use crate::engine::layout::DynLayout;
use crate::engine::product::copies_to_shape;
use crate::engine::tiler::{ByMode, Tiler, outer_mode};
use crate::engine::vector::Vector;
use crate::error::{LayoutError, Operand, Place};

impl CoordinateLayout {
    /// A layout of copies of A, one for each element of B: [`DynLayout::logical_product_by`].
    ///
    /// ```
    /// use static_layout::engine::{CoordinateLayout, Tiler};
    /// let block = CoordinateLayout::parse("(4,3):(2@0,1@1)").unwrap();
    /// let product = block.logical_product_by(&Tiler::parse("(2,5):(1,2)").unwrap())?;
    /// assert_eq!(product.to_string(), "((4,3),(2,5)):((2@0,1@1),(1@0,3@1))");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`complement_shape`](Self::complement_shape) and [`composition`](Self::composition),
    /// and [`LayoutError::TilerRank`].
    #[inline]
    pub fn logical_product_by(&self, tiler: &Tiler) -> Result<Self, LayoutError> {
        self.product_at(tiler, None)
    }

    #[inline]
    fn product_at(&self, tiler: &Tiler, mode: Option<usize>) -> Result<Self, LayoutError> {
        const PRODUCT: ByMode = ByMode::LogicalProduct;
        if tiler.is_keep() {
            return Ok(*self);
        }
        if let Some(b) = tiler.as_layout() {
            let block = Place::new(PRODUCT.name(), mode, Operand::Block);
            let copies = Place::new(PRODUCT.name(), mode, Operand::Copies);
            let rest = self.complement_without_end(block)?;
            return Self::tuple(&[*self, rest.compose(&Self::of_offsets(&b), false, copies)?]);
        }
        PRODUCT.check_rank(tiler, &self.shape(), mode)?;
        let mut result = Self::EMPTY;
        for i in 0..self.rank() {
            let mut part = self.mode(i);
            if i < tiler.rank() {
                part = part.product_at(&tiler.mode(i), outer_mode(mode, i))?;
            }
            result = result.push(&part)?;
        }
        result.parenthesised().checked()
    }

    /// The blocks of all modes in mode 0, the copies in mode 1: [`DynLayout::zipped_product_by`].
    ///
    /// # Errors
    ///
    /// The errors of `logical_product_by`, and [`LayoutError::KeepNeedsPair`].
    #[inline]
    pub fn zipped_product_by(&self, tiler: &Tiler) -> Result<Self, LayoutError> {
        let product = self.logical_product_by(tiler)?;
        product.untagged(&product.tagged().zipped(tiler, "zipped_product")?)
    }

    /// The copies of all modes as modes: [`DynLayout::tiled_product_by`].
    ///
    /// # Errors
    ///
    /// The errors of `zipped_product_by`.
    #[inline]
    pub fn tiled_product_by(&self, tiler: &Tiler) -> Result<Self, LayoutError> {
        let zipped = self.zipped_product_by(tiler)?;
        zipped.untagged(&zipped.tagged().unpacked(false)?)
    }

    /// The blocks and the copies of all modes as modes: [`DynLayout::flat_product_by`].
    ///
    /// # Errors
    ///
    /// The errors of `zipped_product_by`.
    #[inline]
    pub fn flat_product_by(&self, tiler: &Tiler) -> Result<Self, LayoutError> {
        let zipped = self.zipped_product_by(tiler)?;
        zipped.untagged(&zipped.tagged().unpacked(true)?)
    }

    /// Copies of a block next to each other:
    /// [`algebra::blocked_product`](crate::engine::algebra::blocked_product).
    ///
    /// ```
    /// use static_layout::engine::{CoordinateLayout, DynLayout};
    /// let block = CoordinateLayout::parse("(4,3):(1@0,1@1)").unwrap();
    /// let product = block.blocked_product(&DynLayout::parse("(2,5):(1,2)").unwrap())?;
    /// assert_eq!(product.to_string(), "((4,2),(3,5)):((1@0,3@1),(1@1,6@1))");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of `logical_product_by`.
    #[inline]
    pub fn blocked_product(&self, b: &DynLayout) -> Result<Self, LayoutError> {
        self.arranged_product(b, false)
    }

    /// Copies of a block interleaved:
    /// [`algebra::raked_product`](crate::engine::algebra::raked_product).
    ///
    /// # Errors
    ///
    /// The errors of `logical_product_by`.
    #[inline]
    pub fn raked_product(&self, b: &DynLayout) -> Result<Self, LayoutError> {
        self.arranged_product(b, true)
    }

    #[inline]
    fn arranged_product(&self, b: &DynLayout, copies_first: bool) -> Result<Self, LayoutError> {
        let rank = self.rank().max(b.rank());
        let (a, b) = (self.padded(rank)?, b.padded(rank)?);
        let product = a.logical_product_by(&Tiler::layout(&b))?;
        let (mut first, mut second) = (product.mode(0), product.mode(1));
        if copies_first {
            (first, second) = (second, first);
        }
        if a.shape().is_int() || b.shape().is_int() {
            return Self::tuple(&[Self::tuple(&[first, second])?]);
        }
        first.zip_with(&second)
    }

    /// A block repeated until it fills a shape:
    /// [`algebra::tile_to_shape`](crate::engine::algebra::tile_to_shape).
    ///
    /// # Errors
    ///
    /// The errors of the operation on layouts of offsets and of `blocked_product`.
    #[inline]
    pub fn tile_to_shape(&self, target: &IntTuple) -> Result<Self, LayoutError> {
        let block = self.padded(target.rank())?;
        let copies = copies_to_shape(&block.shape(), target)?;
        block.blocked_product(&DynLayout::make(&copies)?)
    }

    /// [`tile_to_shape`](Self::tile_to_shape) that repeats first along the mode with the smallest
    /// integer in `order`.
    ///
    /// # Errors
    ///
    /// The errors of `tile_to_shape` and of
    /// [`make_ordered`](crate::types::ShapeAlgebra).
    #[inline]
    pub fn tile_to_shape_ordered(
        &self,
        target: &IntTuple,
        order: &IntTuple,
    ) -> Result<Self, LayoutError> {
        let block = self.padded(target.rank())?;
        let copies = copies_to_shape(&block.shape(), target)?;
        block.blocked_product(&DynLayout::make_ordered(&copies, order)?)
    }

    /// The layout padded with modes of one element to `rank` modes.
    #[inline]
    fn padded(&self, rank: usize) -> Result<Self, LayoutError> {
        if self.rank() >= rank {
            return Ok(*self);
        }
        let mut l = Self::EMPTY;
        for i in 0..rank {
            l = match i < self.rank() {
                true => l.push(&self.mode(i))?,
                false => l.push(&Self::of_offsets(&DynLayout::UNIT))?,
            };
        }
        Ok(l.parenthesised())
    }

    /// The layout repeated to the modes of a shape, by NumPy's rule:
    /// [`algebra::broadcast_to`](crate::engine::algebra::broadcast_to).
    ///
    /// # Errors
    ///
    /// The errors of the operation on layouts of offsets.
    #[inline]
    pub fn broadcast_to(&self, shape: &IntTuple) -> Result<Self, LayoutError> {
        let repeated = self.tagged().broadcast_to(shape)?;
        let extents = shape.flat_leaves()?;
        let new = extents.len() - self.rank();
        let mut l = Self::EMPTY;
        for (i, &extent) in extents.iter().enumerate() {
            let repeats = i < new || self.mode(i - new).size() == 1;
            l = match repeats {
                true => l.push_leaf(extent, &Vector::ZERO)?,
                false => l.push(&self.mode(i - new))?,
            };
        }
        l.with_shape(&repeated.shape()).checked()
    }
}
