//! The metal layout that a CuTe layout is.

use crate::engine::{DynLayout, IntTuple, MAX_LEAVES};
use crate::error::{LayoutError, PlacementError};
use crate::placed::metal::{AffineMap, MetalLayout, Tile};
use crate::placed::{ElementType, MAX_DIMENSIONS};

impl MetalLayout {
    /// A metal layout with the offsets of `layout`, whose modes are the dimensions of the tensor: on
    /// one core, with tiles where the layout has them.
    ///
    /// ```
    /// use layout_core::engine::DynLayout;
    /// use layout_core::placed::{ElementType, metal::MetalLayout};
    /// let of = |text| MetalLayout::of(&DynLayout::parse(text).unwrap(), ElementType::F32);
    /// let rows = of("(2,3,64,128):(24576,8192,128,1)")?;
    /// assert_eq!(
    ///     rows.map().to_string(),
    ///     "(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)"
    /// );
    /// let tiles = of("((32,2),(32,4)):((32,4096),(1,1024))")?;
    /// assert_eq!(tiles.memref().leaves(), &[2, 4]);
    /// assert_eq!(of("(6,(4,2)):(4,(1,24))")?.memref().leaves(), &[1, 2]);
    /// // Odd columns behind even ones.
    /// assert_eq!(of("(6,(2,4)):(8,(4,1))").unwrap_err().code(), "L0352");
    /// # Ok::<(), layout_core::error::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::NoSingleStride`](crate::error::AlgebraError::NoSingleStride) for a mode that
    /// is neither one extent nor tiles, [`MetalError::Alias`](crate::error::MetalError::Alias) for
    /// two coordinates of one offset; an empty layout, or one of too many modes.
    pub fn of(layout: &DynLayout, element: ElementType) -> Result<Self, LayoutError> {
        let rank = layout.rank();
        if rank > MAX_DIMENSIONS {
            return Err(PlacementError::TooManyDimensions { limit: MAX_DIMENSIONS }.widen());
        }
        let mut sizes = [1; MAX_DIMENSIONS];
        for (d, size) in sizes.iter_mut().enumerate().take(rank) {
            *size = layout.mode(d).size();
        }
        let shape = &sizes[..rank];
        if let Some(tiled) = tiled(layout, shape, element) {
            return Ok(tiled);
        }
        let strided = layout.with_single_strides()?;
        let (rows, columns) = rows_and_columns(&strided);
        let map = AffineMap::new(rank, &[&rows[..rank], &columns[..rank]])?;
        Self::new(shape, element, &map, &[1, 1])
    }
}

/// The sums for rows and columns: as few of the smallest strides as can be make a row.
fn rows_and_columns(strided: &DynLayout) -> ([usize; MAX_LEAVES], [usize; MAX_LEAVES]) {
    let steps = || strided.extents().iter().zip(strided.strides()).filter(|(e, _)| **e > 1);
    let mut widest = 0;
    loop {
        // All strides up to this one step within a row.
        let next = steps().map(|(_, &stride)| stride).filter(|&stride| stride > widest).min();
        widest = next.unwrap_or(widest);
        let last: usize = steps().filter(|(_, s)| **s <= widest).map(|(e, s)| (e - 1) * s).sum();
        let fits = steps().all(|(_, stride)| *stride <= widest || stride % (last + 1) == 0);
        if fits || next.is_none() {
            let (mut rows, mut columns) = ([0; MAX_LEAVES], [0; MAX_LEAVES]);
            for (d, &stride) in strided.strides().iter().enumerate() {
                let row = stride > widest && strided.extents()[d] > 1;
                (rows[d], columns[d]) = if row { (stride / (last + 1), 0) } else { (0, stride) };
            }
            return (rows, columns);
        }
    }
}

/// The tiled layout that this is, if it is one: outer dimensions joined with the rows.
fn tiled(layout: &DynLayout, shape: &[usize], element: ElementType) -> Option<MetalLayout> {
    let [.., rows, columns] = shape else { return None };
    let rank = shape.len();
    let map = AffineMap::collapsed(shape, &[(0, -1)], 2).ok()?;
    let scalar = MetalLayout::new(shape, element, &map, &[1, 1]).ok()?;
    let by_mode = IntTuple::flat(&[1; MAX_DIMENSIONS][..rank]).ok()?;
    let wanted = layout.coalesce_by(&by_mode).ok()?;
    let (down, along) = (wanted.mode(rank - 2), wanted.mode(rank - 1));
    let (down, along) = (down.extents(), along.extents());
    // A tile, or its faces, is what the innermost leaves are.
    let face = (*down.first()?, *along.first()?);
    let larger = |leaves: &[usize], all: usize| leaves.get(1).map_or(all, |more| leaves[0] * more);
    let tile = (larger(down, *rows), larger(along, *columns));
    let plain = Tile::new(face.0, face.1).ok();
    let faced = Tile::new(tile.0, tile.1).and_then(|tile| tile.with_faces(face.0, face.1)).ok();
    [plain, faced].into_iter().flatten().find_map(|tile| {
        let candidate = scalar.tiled(tile, element).ok()?;
        let offsets = candidate.placement().to_layout().ok()?.coalesce_by(&by_mode).ok()?;
        (down.len() + along.len() > 2 && offsets.same(&wanted)).then_some(candidate)
    })
}
