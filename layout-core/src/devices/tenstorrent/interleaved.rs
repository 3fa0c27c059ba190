//! Tensors whose pages are distributed over the banks of a memory, and aligned tensors.

use crate::devices::MAX_DIMENSIONS;
use crate::devices::numbers::{array, check_coordinate, check_rank, times, zero_in};
use crate::devices::tenstorrent::Tile;
use crate::engine::MAX_SIZE;
use crate::error::LayoutError;

/// A tensor in pages that are distributed round-robin over the banks of a memory: page `n` is in
/// bank `n mod banks`, after `n / banks` others. A page is a tile, or a row of a tensor without
/// tiles.
///
/// Every matrix of the last two dimensions is padded to tiles separately. The index of a page is a
/// sum over all dimensions, taken before the pages are distributed. A [`Placement`] cannot express
/// that: it cuts each index dimension separately.
///
/// [`Placement`]: crate::devices::Placement
///
/// ```
/// use static_layout::devices::tenstorrent::{Interleaved, PagePlace, Tile};
/// let l = Interleaved::new(&[2, 3, 40, 70], Some(Tile::new(32, 32)?), 12)?;
/// // 6 matrices of 2 by 3 tiles.
/// assert_eq!(l.pages(), 36);
/// let last = PagePlace { page: 35, bank: 11, slot: 2, offset: 7 * 32 + 5 };
/// assert_eq!(l.locate(&[1, 2, 39, 69])?, last);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interleaved {
    shape: [usize; MAX_DIMENSIONS],
    rank: usize,
    tile: Option<Tile>,
    banks: usize,
    pages: usize,
}

/// The position of an element of an [`Interleaved`] tensor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PagePlace {
    /// The index of its page.
    pub page: usize,
    /// The bank that the page is in.
    pub bank: usize,
    /// Number of earlier pages of the tensor in that bank.
    pub slot: usize,
    /// The offset of the element in the page.
    pub offset: usize,
}

impl Interleaved {
    /// A tensor of this shape on `banks` banks.
    ///
    /// # Errors
    ///
    /// [`LayoutError::ZeroExtent`] for an extent of 0 or no banks; no dimension, or more than
    /// [`MAX_DIMENSIONS`]; more elements than [`MAX_SIZE`](crate::engine::MAX_SIZE).
    #[inline]
    pub const fn new(
        shape: &[usize],
        tile: Option<Tile>,
        banks: usize,
    ) -> Result<Self, LayoutError> {
        let rank = shape.len();
        attempt!(check_rank(rank));
        refuse!(rank == 0, LayoutError::EmptyTuple);
        refuse!(zero_in(shape).is_some() || banks == 0, LayoutError::ZeroExtent);
        let mut this = Self { shape: array(shape, 1), rank, tile, banks, pages: 1 };
        let unit = match &tile {
            Some(tile) => tile.elements(),
            None => this.shape[rank - 1],
        };
        let mut slots = unit;
        repeat!(d, 0..rank, {
            let pages = this.page_extent(d);
            slots = attempt!(times(slots, pages, "interleaved"));
            this.pages *= pages;
        });
        Ok(this)
    }

    /// Number of pages along dimension `d`.
    #[inline]
    const fn page_extent(&self, d: usize) -> usize {
        match &self.tile {
            None if d + 1 == self.rank => 1,
            tile => self.shape[d].div_ceil(Tile::extent(tile, self.rank - d)),
        }
    }

    /// Number of pages.
    pub const fn pages(&self) -> usize {
        self.pages
    }

    /// Number of banks.
    pub const fn banks(&self) -> usize {
        self.banks
    }

    /// The position of the element with this coordinate.
    ///
    /// # Errors
    ///
    /// A coordinate of another rank, or outside the shape.
    #[inline]
    pub const fn locate(&self, coordinate: &[usize]) -> Result<PagePlace, LayoutError> {
        let rank = self.rank;
        attempt!(check_coordinate(coordinate, self.shape.split_at(rank).0));
        let (mut page, mut row, mut column, mut d) = (0, 0, 0, 0);
        while d < rank {
            let mut index = coordinate[d];
            match &self.tile {
                Some(tile) if d + 1 == rank => {
                    column = index % tile.width();
                    index /= tile.width();
                }
                Some(tile) if d + 2 == rank => {
                    row = index % tile.height();
                    index /= tile.height();
                }
                None if d + 1 == rank => {
                    column = index;
                    index = 0;
                }
                _ => {}
            }
            page = page * self.page_extent(d) + index;
            d += 1;
        }
        let offset = match &self.tile {
            Some(tile) => tile.offset(row, column),
            None => column,
        };
        Ok(PagePlace { page, bank: page % self.banks, slot: page / self.banks, offset })
    }
}

/// The rows and columns of a tensor that is folded from its last dimension on. Each partial product
/// is rounded up to the alignment of its dimension. The last alignment belongs to the last
/// dimension; 0 means no alignment.
///
/// TT-Metal stores this shape. `tt.metal_layout` instead joins first and pads the joined dimension.
///
/// ```
/// use static_layout::devices::tenstorrent::aligned_shape;
/// assert_eq!(aligned_shape(&[2, 9, 9, 128], &[32, 32])?, [576, 128]);
/// assert_eq!(aligned_shape(&[7], &[32, 32])?, [32, 32]);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
///
/// # Errors
///
/// [`LayoutError::IntegerOverflow`]
#[inline]
pub const fn aligned_shape(
    shape: &[usize],
    alignment: &[usize],
) -> Result<[usize; 2], LayoutError> {
    let (mut height, mut width) = (1usize, 1usize);
    let mut i = 1;
    while i <= shape.len() || i <= alignment.len() {
        let extent = if i <= shape.len() { shape[shape.len() - i] } else { 1 };
        let align = if i <= alignment.len() { alignment[alignment.len() - i] } else { 0 };
        let product = if i == 1 { Some(extent) } else { height.checked_mul(extent) };
        let aligned = match product {
            Some(product) if align > 0 => product.checked_next_multiple_of(align),
            product => product,
        };
        match aligned {
            Some(aligned) if aligned <= MAX_SIZE && i == 1 => width = aligned,
            Some(aligned) if aligned <= MAX_SIZE => height = aligned,
            _ => return Err(LayoutError::IntegerOverflow { operation: "aligned_shape" }),
        }
        i += 1;
    }
    attempt!(times(height, width, "aligned_shape"));
    Ok([height, width])
}
