//! `logical_product`: a layout repeated by another.

use crate::engine::layout::DynLayout;
use crate::engine::tiler::{ByMode, Tiler};
use crate::error::LayoutError;

impl DynLayout {
    /// A layout of copies of A, one for each element of B, in the order of B:
    /// `(A, composition(complement(A, size(A) * cosize(B)), B))`.
    ///
    /// ```
    /// use layout_core::engine::DynLayout;
    /// let tile = DynLayout::parse("(2,2):(1,2)").unwrap();
    /// let copies = DynLayout::parse("(3,4):(4,1)").unwrap();
    /// let product = tile.logical_product(&copies)?;
    /// assert_eq!(product.to_string(), "((2,2),(3,4)):((1,2),(16,4))");
    /// # Ok::<(), layout_core::error::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`complement`](Self::complement) and [`composition`](Self::composition).
    pub const fn logical_product(&self, b: &Self) -> Result<Self, LayoutError> {
        let cotarget = match self.size().checked_mul(b.cosize()) {
            Some(cotarget) => cotarget,
            None => return Err(LayoutError::IntegerOverflow { operation: "logical_product" }),
        };
        let copies = attempt!(attempt!(self.complement(cotarget)).composition(b));
        Self::tuple(&[*self, copies])
    }

    /// [`logical_product`](Self::logical_product) by a tiler; a tuple multiplies mode by mode, and
    /// modes beyond it stay.
    ///
    /// # Errors
    ///
    /// Those of `logical_product`, and [`LayoutError::TilerRank`].
    pub const fn logical_product_by(&self, tiler: &Tiler) -> Result<Self, LayoutError> {
        ByMode::LogicalProduct.apply(self, tiler)
    }
}
