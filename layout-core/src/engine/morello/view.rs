//! A list for a part of a buffer: its contiguous part, tiles, and removing dimensions.

use core::fmt;

use crate::engine::distribute::gcd;
use crate::engine::int_tuple::{IntTuple, MAX_LEAVES};
use crate::engine::morello::digits::{Digit, Digits};
use crate::engine::morello::{MorelloLayout, PhysDim};
use crate::error::{LayoutError, MorelloError};

/// The cache line size that [`MorelloView::estimate_cache_lines`] assumes, in bytes.
pub const CACHE_LINE_BYTES: usize = 64;

/// A [`MorelloLayout`] of a part of a buffer, with the number of its physical dimensions, from the
/// fastest, that form one contiguous run of the buffer.
///
/// A whole layout is one run; see [`MorelloLayout::view`]. The elements of a [`tile`](Self::tile)
/// are in the order of its list, but elements of other tiles may lie between them. The
/// [`contiguous`](Self::contiguous) fastest dimensions have none in between.
///
/// `Display` prints the list, followed by the number if it is not all of them, as Morello does.
///
/// ```
/// use static_layout::engine::MorelloLayout;
/// let rows = MorelloLayout::parse("[0, 1]").unwrap().view();
/// let tile = rows.tile(&[32, 32], &[4, 16])?;
/// assert_eq!((tile.to_string(), tile.is_fully_contiguous()), ("([0, 1], c1)".into(), false));
/// let full = rows.tile(&[32, 32], &[4, 32])?;
/// assert_eq!((full.to_string(), full.is_fully_contiguous()), ("[0, 1]".into(), true));
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MorelloView {
    layout: MorelloLayout,
    contiguous: usize,
}

impl MorelloLayout {
    /// The layout of a whole buffer.
    pub const fn view(&self) -> MorelloView {
        MorelloView { layout: *self, contiguous: self.len }
    }
}

impl MorelloView {
    /// A view in which only the `contiguous` fastest physical dimensions are known to form one run.
    ///
    /// # Errors
    ///
    /// [`MorelloError::ContiguousParts`] if the list has fewer dimensions.
    pub const fn new(layout: &MorelloLayout, contiguous: usize) -> Result<Self, LayoutError> {
        if contiguous > layout.len {
            return Err(MorelloError::ContiguousParts { contiguous, parts: layout.len }.widen());
        }
        Ok(Self { layout: *layout, contiguous })
    }

    /// The list.
    pub const fn layout(&self) -> MorelloLayout {
        self.layout
    }

    /// Number of physical dimensions, from the fastest, that form one contiguous run of the buffer.
    #[doc(alias = "contig")]
    pub const fn contiguous(&self) -> usize {
        self.contiguous
    }

    /// Whether all elements form one contiguous run of the buffer.
    pub const fn is_fully_contiguous(&self) -> bool {
        self.contiguous == self.layout.len
    }

    /// The digits of the view for a shape.
    #[inline]
    const fn digits(&self, shape: &[usize]) -> Result<Digits, LayoutError> {
        let sizes = attempt!(self.layout.physical_shape(shape));
        attempt!(attempt!(IntTuple::flat(shape)).check_sizes());
        Ok(Digits::of(&self.layout, sizes.sizes(), self.contiguous))
    }

    /// The [canonical form](super#the-canonical-form) for a shape: a unique list for the same map.
    ///
    /// Physical dimensions inside and outside the contiguous run are not merged, since that would
    /// lose the run.
    ///
    /// ```
    /// use static_layout::engine::MorelloLayout;
    /// let canonical = |text, shape: [usize; 2]| {
    ///     let list = MorelloLayout::parse(text).unwrap();
    ///     list.view().canonical(&shape).unwrap().to_string()
    /// };
    /// assert_eq!(canonical("[1, 0, 1 p(4), 0 p(4)]", [4, 8]), "[1, 0]");
    /// assert_eq!(canonical("[0, 0 p(3), 1]", [6, 8]), "[0, 1]");
    /// assert_eq!(canonical("[0, 1 oe(2)]", [6, 2]), "[0, 1]");
    /// ```
    ///
    /// # Errors
    ///
    /// If the list does not fit this shape, and [`MorelloError::AdjacentOddEven`] if two odd-even
    /// digits become neighbours, which a list cannot represent.
    #[doc(alias = "canonicalize")]
    #[inline]
    pub const fn canonical(&self, shape: &[usize]) -> Result<Self, LayoutError> {
        if contains(shape, 0) {
            attempt!(self.layout.physical_shape(shape));
            let rows = attempt!(MorelloLayout::row_major(shape.len()));
            return Ok(attempt!(rows.without_units(shape)).view());
        }
        let (layout, contiguous) = attempt!(attempt!(self.digits(shape)).list(shape.len()));
        Ok(Self { layout, contiguous })
    }

    /// The view of a tile: `tile[d]` elements of each dimension `d`, starting at a multiple of
    /// `tile[d]`.
    ///
    /// The list, in canonical form for the tile, is the order of the elements in the first tile. The
    /// contiguous run is exact: the longest that holds for every whole tile. So the tile
    /// [`is_fully_contiguous`](Self::is_fully_contiguous) iff the elements of every whole tile are
    /// one run. Incomplete tiles at the end of a dimension are tiles of other extents. For an
    /// arbitrary box of coordinates, see
    /// [`DynLayout::offsets_of_box`](crate::engine::DynLayout::offsets_of_box).
    ///
    /// ```
    /// use static_layout::engine::MorelloLayout;
    /// // The rows 3 to 5 are at 3, 12 and 13 of each run of 12.
    /// let packed = MorelloLayout::parse("[0, 1, 0 p(4)]").unwrap().view();
    /// assert_eq!(packed.tile(&[12, 3], &[3, 1])?.to_string(), "([0], c0)");
    /// assert_eq!(packed.tile(&[12, 3], &[4, 3])?.to_string(), "[1, 0]");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MorelloError::TileRank`], [`MorelloError::TileExtent`], and the errors of the list for the
    /// shape and for the extents of the tile.
    #[doc(alias = "update_for_tiling")]
    #[inline]
    pub const fn tile(&self, shape: &[usize], tile: &[usize]) -> Result<Self, LayoutError> {
        if tile.len() != shape.len() {
            return Err(MorelloError::TileRank { tile: tile.len(), rank: shape.len() }.widen());
        }
        let whole = attempt!(self.digits(shape));
        let (mut left, mut dimension) = ([1; MAX_LEAVES], 0);
        while dimension < tile.len() {
            let (extent, tile) = (shape[dimension], tile[dimension]);
            if tile == 0 || tile > extent {
                return Err(MorelloError::TileExtent { dimension, tile, extent }.widen());
            }
            left[dimension] = tile;
            dimension += 1;
        }
        // The tile must be a valid shape for the list, too.
        attempt!(self.layout.physical_shape(tile));
        let (mut digits, mut stride, mut covered, mut unbroken) = (Digits::EMPTY, 1, 1, true);
        repeat!(i, 0..whole.as_slice().len(), {
            let Digit { dimension, size, odd_even } = whole.as_slice()[i];
            let rest = left[dimension];
            let taken = if rest < size { rest } else { size };
            if rest % taken != 0 || (odd_even && taken > 1 && taken < size) {
                return Err(MorelloError::NotDivisible { dimension, size, left: rest }.widen());
            }
            left[dimension] = rest / taken;
            if taken > 1 {
                unbroken &= i < whole.run() && stride == covered;
                // Tiles start at multiples of `taken`, so the end of the digit cuts one of them if a
                // slower digit of the dimension continues elsewhere. The greatest common divisor of
                // both is never cut.
                let cut = size % taken != 0 && whole.has_from(i + 1, dimension);
                let uncut = if cut { gcd(size, taken) } else { taken };
                digits.push(Digit { dimension, size: uncut, odd_even }, unbroken);
                unbroken &= !cut;
                digits.push(Digit { dimension, size: taken / uncut, odd_even }, unbroken);
                covered *= taken;
            }
            stride *= size;
        });
        let (layout, contiguous) = attempt!(digits.list(tile.len()));
        Ok(Self { layout, contiguous })
    }

    /// The view without these dimensions, for a shape in which their extents are 1. The remaining
    /// dimensions are renumbered.
    ///
    /// Parts that become neighbours are not merged, so the sizes must divide the same extents as
    /// before. [`canonical`](Self::canonical) merges them.
    ///
    /// ```
    /// use static_layout::engine::MorelloLayout;
    /// let batch = MorelloLayout::parse("[0, 2, 1, 2 p(16)]").unwrap().view();
    /// assert_eq!(batch.drop_dims(&[0])?.to_string(), "[1, 0, 1 p(16)]");
    /// assert_eq!(batch.drop_dims(&[0, 1])?.to_string(), "[0, 0 p(16)]");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`MorelloError::AdjacentOddEven`] if a removed part stands between two odd-even parts.
    #[doc(alias = "dim_drop")]
    #[inline]
    pub const fn drop_dims(&self, dims: &[usize]) -> Result<Self, LayoutError> {
        let (mut kept, mut len) = ([(0, PhysDim::Dynamic); MAX_LEAVES], 0);
        let mut contiguous = 0;
        repeat!(i, 0..self.layout.len, {
            let (dimension, kind) = self.layout.dims[i];
            if !contains(dims, dimension) {
                kept[len] = (dimension - count_below(dims, dimension), kind);
                len += 1;
                if self.layout.len - i <= self.contiguous {
                    contiguous += 1;
                }
            }
        });
        let layout = attempt!(MorelloLayout::new(kept.split_at(len).0));
        Ok(Self { layout, contiguous })
    }

    /// The view with two dimensions exchanged.
    ///
    /// ```
    /// use static_layout::engine::MorelloLayout;
    /// let packed = MorelloLayout::parse("[1, 0, 1 p(4)]").unwrap().view();
    /// assert_eq!(packed.swap_dims(0, 1).to_string(), "[0, 1, 0 p(4)]");
    /// ```
    pub const fn swap_dims(&self, a: usize, b: usize) -> Self {
        let mut swapped = *self;
        repeat!(i, 0..swapped.layout.len, {
            let dimension = &mut swapped.layout.dims[i].0;
            if *dimension == a {
                *dimension = b;
            } else if *dimension == b {
                *dimension = a;
            }
        });
        swapped
    }

    /// Number of cache lines of [`CACHE_LINE_BYTES`] that the elements touch, if each run starts at
    /// a line: the number of runs times the lines of one run.
    ///
    /// ```
    /// use static_layout::engine::MorelloLayout;
    /// let rows = MorelloLayout::parse("[0, 1]").unwrap().view();
    /// assert_eq!(rows.estimate_cache_lines(&[6, 8], 4)?, 3);
    /// let tile = rows.tile(&[32, 32], &[4, 15])?;
    /// assert_eq!(tile.estimate_cache_lines(&[4, 15], 4)?, 4);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the list does not fit this shape, or the layout has more bytes than
    /// [`MAX_SIZE`](crate::engine::MAX_SIZE).
    #[inline]
    pub const fn estimate_cache_lines(
        &self,
        shape: &[usize],
        element_bytes: usize,
    ) -> Result<usize, LayoutError> {
        let physical = attempt!(self.layout.physical_shape(shape));
        attempt!(attempt!(IntTuple::flat(shape)).check_sizes());
        if contains(shape, 0) {
            return Ok(0);
        }
        let sizes = physical.sizes();
        let (outside, inside) = sizes.split_at(sizes.len() - self.contiguous);
        if let Some(bytes) = product(inside).checked_mul(element_bytes)
            && let Some(lines) = product(outside).checked_mul(bytes.div_ceil(CACHE_LINE_BYTES))
        {
            return Ok(lines);
        }
        Err(LayoutError::IntegerOverflow { operation: "estimate_cache_lines" })
    }
}

/// The product of some of the sizes of a non-empty layout, whose size is known to fit.
const fn product(sizes: &[usize]) -> usize {
    let mut product = 1;
    repeat!(i, 0..sizes.len(), {
        product *= sizes[i];
    });
    product
}

const fn contains(numbers: &[usize], number: usize) -> bool {
    repeat!(i, 0..numbers.len(), {
        if numbers[i] == number {
            return true;
        }
    });
    false
}

/// Number of distinct numbers below `number`.
#[inline]
const fn count_below(numbers: &[usize], number: usize) -> usize {
    let mut count = 0;
    repeat!(i, 0..numbers.len(), {
        if numbers[i] < number && !contains(numbers.split_at(i).0, numbers[i]) {
            count += 1;
        }
    });
    count
}

impl fmt::Display for MorelloView {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_fully_contiguous() {
            return self.layout.fmt(f);
        }
        write!(f, "({}, c{})", self.layout, self.contiguous)
    }
}

debug_as_display!(MorelloView);
