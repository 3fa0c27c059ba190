//! Products: a layout repeated at the positions of another.

use crate::engine::int_tuple::IntTuple;
use crate::engine::layout::DynLayout;
use crate::engine::tiler::{ByMode, Tiler};
use crate::error::{AlgebraError, LayoutError, Operand, Place};

impl DynLayout {
    /// A layout of copies of A, one for each element of B, in the order of B:
    /// `(A, composition(complement(A, n), B))` for a large enough `n`. Copies for different values
    /// of B share no offset.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let tile = DynLayout::parse("(2,2):(1,2)").unwrap();
    /// let copies = DynLayout::parse("(3,4):(4,1)").unwrap();
    /// let product = tile.logical_product(&copies)?;
    /// assert_eq!(product.to_string(), "((2,2),(3,4)):((1,2),(16,4))");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`complement`](Self::complement) and [`composition`](Self::composition).
    pub(crate) const fn logical_product(&self, b: &Self) -> Result<Self, LayoutError> {
        self.logical_product_at(b, None)
    }

    /// [`logical_product`](Self::logical_product) of a mode of a layout.
    pub(crate) const fn logical_product_at(
        &self,
        b: &Self,
        mode: Option<usize>,
    ) -> Result<Self, LayoutError> {
        const NAME: &str = ByMode::LogicalProduct.name();
        // CuTe goes up to `size(A) * cosize(B)`. If A leaves gaps that do not divide, the copies may
        // need more, and would overlap.
        let rest = attempt!(self.complement_without_end(Place::new(NAME, mode, Operand::Block)));
        let copies = attempt!(rest.composition_at(b, Place::new(NAME, mode, Operand::Copies)));
        Self::tuple(&[*self, copies])
    }

    /// [`logical_product`](crate::engine::algebra::logical_product) by a tiler. A tuple multiplies
    /// mode by mode; further modes of the layout stay.
    ///
    /// # Errors
    ///
    /// The errors of `logical_product`, and [`LayoutError::TilerRank`].
    pub const fn logical_product_by(&self, tiler: &Tiler) -> Result<Self, LayoutError> {
        ByMode::LogicalProduct.apply(self, tiler)
    }

    /// [`logical_product_by`](Self::logical_product_by) with the blocks of all modes gathered in
    /// mode 0 and the copies in mode 1: `((block..), (copies.., further modes..))`.
    ///
    /// `_` keeps a mode that is already a (block, copies) pair, as in CuTe.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, Tiler};
    /// let block = DynLayout::parse("(2,5):(5,1)").unwrap();
    /// let product = block.zipped_product_by(&Tiler::parse("<3:5, 4:6>").unwrap())?;
    /// assert_eq!(product.to_string(), "((2,5),(3,4)):((5,1),(10,30))");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// Works mode by mode, as in CuTe: the copies in one mode do not take the reach of the other
    /// modes into account.
    ///
    /// # Errors
    ///
    /// The errors of `logical_product_by`, and [`LayoutError::KeepNeedsPair`].
    pub const fn zipped_product_by(&self, tiler: &Tiler) -> Result<Self, LayoutError> {
        attempt!(self.logical_product_by(tiler)).zipped(tiler, "zipped_product")
    }

    /// [`zipped_product_by`](Self::zipped_product_by) with the modes of the copies unpacked:
    /// `((block..), copies.., further modes..)`. Copies of one mode stay as they are.
    ///
    /// # Errors
    ///
    /// The errors of `zipped_product_by`.
    pub const fn tiled_product_by(&self, tiler: &Tiler) -> Result<Self, LayoutError> {
        attempt!(self.zipped_product_by(tiler)).unpacked(false)
    }

    /// [`zipped_product_by`](Self::zipped_product_by) with the modes of both unpacked:
    /// `(block.., copies.., further modes..)`. A block or copies of one mode stay as they are.
    ///
    /// # Errors
    ///
    /// The errors of `zipped_product_by`.
    pub const fn flat_product_by(&self, tiler: &Tiler) -> Result<Self, LayoutError> {
        attempt!(self.zipped_product_by(tiler)).unpacked(true)
    }

    /// Copies of the block A laid out next to each other in the arrangement B, mode by mode:
    /// `((A_0,B_0), (A_1,B_1), ..)`.
    ///
    /// The modes of [`logical_product`](Self::logical_product) zipped, after both are padded with
    /// `1:0` to the same rank. If one of them is then still an integer, both become one mode. Modes
    /// are not coalesced, as in CuTe.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::types::Algebra;
    /// let block = DynLayout::parse("(2,5):(5,1)").unwrap();
    /// let product = block.blocked_product(&DynLayout::parse("(3,4):(1,3)").unwrap())?;
    /// assert_eq!(product.to_string(), "((2,3),(5,4)):((5,10),(1,30))");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of `logical_product`.
    pub(crate) const fn blocked_product(&self, b: &Self) -> Result<Self, LayoutError> {
        self.arranged_product(b, false)
    }

    /// Copies of the block A interleaved in the arrangement B, mode by mode:
    /// `((B_0,A_0), (B_1,A_1), ..)`.
    ///
    /// # Errors
    ///
    /// The errors of [`blocked_product`](Self::blocked_product).
    pub(crate) const fn raked_product(&self, b: &Self) -> Result<Self, LayoutError> {
        self.arranged_product(b, true)
    }

    const fn arranged_product(&self, b: &Self, copies_first: bool) -> Result<Self, LayoutError> {
        let rank = if self.rank() > b.rank() { self.rank() } else { b.rank() };
        let (a, b) = (attempt!(self.padded(rank)), attempt!(b.padded(rank)));
        let product = attempt!(a.logical_product(&b));
        let (mut first, mut second) = (product.mode(0), product.mode(1));
        if copies_first {
            (first, second) = (second, first);
        }
        if a.shape().is_int() || b.shape().is_int() {
            return Self::tuple(&[attempt!(Self::tuple(&[first, second]))]);
        }
        first.zip_with(&second)
    }

    /// The block repeated until it has the shape `target`: `compatible(target, shape(result))`. It
    /// repeats along the first mode first.
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, IntTuple};
    /// use static_layout::types::Algebra;
    /// let block = DynLayout::parse("(8,4):(4,1)").unwrap();
    /// let l = block.tile_to_shape(&IntTuple::flat(&[32, 8])?)?;
    /// assert_eq!(l.to_string(), "((8,4),(4,2)):((4,32),(1,128))");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::TargetRank`], [`AlgebraError::TargetRemainder`], and the errors of
    /// [`blocked_product`](Self::blocked_product).
    pub(crate) const fn tile_to_shape(&self, target: &IntTuple) -> Result<Self, LayoutError> {
        let block = attempt!(self.padded(target.rank()));
        let copies = attempt!(copies_to_shape(&block.shape(), target));
        block.blocked_product(&attempt!(Self::make(&copies)))
    }

    /// [`tile_to_shape`](Self::tile_to_shape) that repeats the block first along the mode with the
    /// smallest integer in `order`.
    ///
    /// # Errors
    ///
    /// The errors of `tile_to_shape` and [`make_ordered`](Self::make_ordered).
    pub(crate) const fn tile_to_shape_ordered(
        &self,
        target: &IntTuple,
        order: &IntTuple,
    ) -> Result<Self, LayoutError> {
        let block = attempt!(self.padded(target.rank()));
        let copies = attempt!(copies_to_shape(&block.shape(), target));
        block.blocked_product(&attempt!(Self::make_ordered(&copies, order)))
    }
}

/// How often a block repeats in each mode of a target of the same rank.
pub(crate) const fn copies_to_shape(
    block: &IntTuple,
    target: &IntTuple,
) -> Result<IntTuple, LayoutError> {
    let rank = target.rank();
    refuse!(block.rank() > rank, AlgebraError::TargetRank { block: *block, target: *target });
    let mut copies = IntTuple::EMPTY;
    repeat!(mode, 0..rank, {
        let size = attempt!(block.mode(mode).product());
        let target = attempt!(target.mode(mode).product());
        refuse!(size == 0 || target == 0, LayoutError::ZeroExtent);
        if !target.is_multiple_of(size) {
            return Err(AlgebraError::TargetRemainder { mode, block: size, target }.widen());
        }
        copies = attempt!(copies.push(&IntTuple::leaf(target / size)));
    });
    Ok(if target.is_int() { copies } else { copies.parenthesised() })
}
