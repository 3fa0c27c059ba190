//! Converts a CuTe layout to a metal layout.

use crate::devices::numbers::mode_sizes;
use crate::devices::tenstorrent::{AffineMap, MetalLayout, Tile};
use crate::devices::{ElementType, MAX_DIMENSIONS};
use crate::engine::{DynLayout, IntTuple, MAX_LEAVES};
use crate::error::LayoutError;

impl MetalLayout {
    /// A metal layout with the offsets of `layout`. The modes are the dimensions of the tensor. It
    /// has one core, with tiles if the layout has them. If that is not possible, the outermost parts
    /// of modes become cores, as few as possible, and offsets count through the buffers of all
    /// cores.
    ///
    /// ```
    /// use static_layout::DynLayout;
    /// use static_layout::devices::{ElementType, tenstorrent::MetalLayout};
    /// let of = |text| MetalLayout::of(&DynLayout::parse(text).unwrap(), ElementType::F32);
    /// let rows = of("(2,3,64,128):(24576,8192,128,1)")?;
    /// assert_eq!(
    ///     rows.map().to_string(),
    ///     "(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)"
    /// );
    /// let tiles = of("((32,2),(32,4)):((32,4096),(1,1024))")?;
    /// assert_eq!(tiles.memref().leaves(), &[2, 4]);
    /// assert_eq!(of("(6,(4,2)):(4,(1,24))")?.memref().leaves(), &[1, 2]);
    /// // Shards of 18 rows and 20 columns, each in a tile.
    /// let shards = of("((18,2),(20,2)):((32,2048),(1,1024))")?;
    /// assert_eq!((shards.grid(), shards.shard().leaves()), (&[2, 2][..], &[18, 20][..]));
    /// // Odd columns after even ones.
    /// assert_eq!(of("(6,(2,4)):(8,(4,1))").unwrap_err().code(), "L0352");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::NoSingleStride`](crate::error::AlgebraError::NoSingleStride) for a mode that
    /// is neither a single leaf nor tiles,
    /// [`TenstorrentError::Alias`](crate::error::TenstorrentError::Alias) for two coordinates with
    /// the same offset; an empty layout, or one with too many modes.
    #[inline]
    pub fn of(layout: &DynLayout, element: ElementType) -> Result<Self, LayoutError> {
        let (rank, sizes) = (layout.rank(), mode_sizes(layout)?);
        let shape = &sizes[..rank];
        if let Some(tiled) = tiled(layout, shape, element) {
            return Ok(tiled);
        }
        let strided = match layout.with_single_strides() {
            Ok(strided) => strided,
            Err(error) => return on_cores(layout, shape, element).ok_or(error),
        };
        let (rows, columns) = rows_and_columns(&strided);
        let map = AffineMap::new(rank, &[&rows[..rank], &columns[..rank]])?;
        Self::new(shape, element, &map, &[1, 1])
    }
}

/// The coefficients for rows and columns: as few of the smallest strides as possible make a row.
#[inline]
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

/// The tiled layout with these offsets, if there is one: outer dimensions are joined with the rows.
#[inline]
fn tiled(layout: &DynLayout, shape: &[usize], element: ElementType) -> Option<MetalLayout> {
    let wanted = by_mode(layout, shape.len())?;
    let map = AffineMap::collapsed(shape, &[(0, -1)], 2).ok()?;
    let scalar = MetalLayout::new(shape, element, &map, &[1, 1]).ok()?;
    let leaves = |mode: usize| wanted.mode(mode).extents().len();
    let rows = shape.len().checked_sub(2)?;
    if leaves(rows) + leaves(rows + 1) > 2 { in_tiles(&scalar, &wanted) } else { None }
}

/// The layout on several cores with these offsets, if there is one. Each dimension is cut
/// separately: either its outermost part goes over cores, or it has one core.
#[inline]
fn on_cores(layout: &DynLayout, shape: &[usize], element: ElementType) -> Option<MetalLayout> {
    let rank = shape.len();
    let wanted = by_mode(layout, rank)?;
    let map = AffineMap::collapsed(shape, &[], rank).ok()?;
    // The extent and the stride of the outermost part.
    let outermost = |d: usize| {
        let mode = wanted.mode(d);
        Some((*mode.extents().last()?, *mode.strides().last()?))
    };
    // A step to another core is larger than the extent of a core.
    let found = (0..rank).filter_map(|smallest| {
        let (_, core) = outermost(smallest)?;
        let mut grid = [1; MAX_DIMENSIONS];
        for (d, cores) in grid.iter_mut().enumerate().take(rank) {
            let (extent, stride) = outermost(d)?;
            *cores = if stride >= core.max(1) { extent } else { 1 };
        }
        let scalar = MetalLayout::new(shape, element, &map, &grid[..rank]).ok()?;
        if is(&scalar, &wanted) { Some(scalar) } else { in_tiles(&scalar, &wanted) }
    });
    found.min_by_key(MetalLayout::cores)
}

/// The layout with its modes coalesced.
#[inline]
fn by_mode(layout: &DynLayout, rank: usize) -> Option<DynLayout> {
    let modes = IntTuple::flat(&[1; MAX_DIMENSIONS][..rank]).ok()?;
    layout.coalesce_by(&modes).ok()
}

/// Whether a metal layout has these offsets.
#[inline]
fn is(found: &MetalLayout, wanted: &DynLayout) -> bool {
    let offsets = found.placement().to_layout().ok();
    offsets.and_then(|offsets| by_mode(&offsets, found.rank())).is_some_and(|l| l.same(wanted))
}

/// The layout with the tiles, or the tiles in faces, that give it these offsets.
#[inline]
fn in_tiles(scalar: &MetalLayout, wanted: &DynLayout) -> Option<MetalLayout> {
    let rank = scalar.rank();
    let (down, along) = (wanted.mode(rank.checked_sub(2)?), wanted.mode(rank - 1));
    let ((rows, columns), step) = ((down.extents(), along.extents()), *down.strides().first()?);
    // The innermost leaves are a tile, or its faces.
    let face = (*rows.first()?, *columns.first()?);
    let larger = |leaves: &[usize]| leaves.get(1).map_or(leaves[0], |more| leaves[0] * more);
    let plain = Tile::new(face.0, face.1).ok();
    let faced = Tile::new(larger(rows), larger(columns))
        .and_then(|tile| tile.with_faces(face.0, face.1))
        .ok();
    // If shards end within a tile, its width is the stride of a row, and the next stride is its
    // size.
    let next = wanted.strides().iter().filter(|&&stride| stride > step).min();
    let cut = next.and_then(|next| Tile::new(next / step.max(1), step).ok());
    [plain, faced, cut].into_iter().flatten().find_map(|tile| {
        let candidate = scalar.tiled(tile, scalar.element()).ok()?;
        is(&candidate, wanted).then_some(candidate)
    })
}
