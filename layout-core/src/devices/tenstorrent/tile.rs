//! Tiles, the unit of the matrix engine, and faces, the parts of a tile.

use core::fmt;

use crate::error::{LayoutError, TenstorrentError};

/// A tile of `height x width` elements, row-major in memory. With faces, the faces are row-major in
/// the tile, and the elements in each face.
///
/// ```
/// use static_layout::devices::tenstorrent::Tile;
/// let tile = Tile::new(32, 32)?.with_faces(16, 16)?;
/// assert_eq!((tile.elements(), tile.offset(1, 17)), (1024, 256 + 17));
/// assert_eq!(Tile::new(32, 32)?.offset(1, 17), 32 + 17);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tile {
    height: usize,
    width: usize,
    face: Option<(usize, usize)>,
}

impl Tile {
    /// A tile without faces.
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::TileExtent`]
    pub const fn new(height: usize, width: usize) -> Result<Self, LayoutError> {
        match height.checked_mul(width) {
            Some(elements) if elements >= 1 => Ok(Self { height, width, face: None }),
            _ => Err(TenstorrentError::TileExtent { height, width }.widen()),
        }
    }

    /// The tile, split into faces of this height and width.
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::FaceDivides`]
    pub const fn with_faces(self, height: usize, width: usize) -> Result<Self, LayoutError> {
        let axes = [(self.height, height), (self.width, width)];
        repeat!(axis, 0..axes.len(), {
            let (tile, face) = axes[axis];
            if face == 0 || tile % face != 0 {
                return Err(TenstorrentError::FaceDivides { axis, face, tile }.widen());
            }
        });
        Ok(Self { face: Some((height, width)), ..self })
    }

    /// The rows.
    pub const fn height(&self) -> usize {
        self.height
    }

    /// The columns.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The height and the width of a face, if the tile has faces.
    pub const fn face(&self) -> Option<(usize, usize)> {
        self.face
    }

    /// Number of elements.
    pub const fn elements(&self) -> usize {
        self.height * self.width
    }

    /// The leaves of the rows and of the columns of a tile: extent and stride, innermost first.
    #[inline]
    pub(super) const fn leaves(&self) -> [[(usize, usize); 2]; 2] {
        let Self { height, width, face } = *self;
        match face {
            None => [[(height, width), (1, 0)], [(width, 1), (1, 0)]],
            Some((h, w)) => [[(h, w), (height / h, h * width)], [(w, 1), (width / w, h * w)]],
        }
    }

    /// The extent of tiles in dimension `from_end` of a buffer, counted from the end; the last one
    /// is 1.
    pub(super) const fn extent(tile: &Option<Self>, from_end: usize) -> usize {
        match (tile, from_end) {
            (Some(tile), 1) => tile.width,
            (Some(tile), 2) => tile.height,
            _ => 1,
        }
    }

    /// The offset of an element from the start of the tile.
    ///
    /// # Panics
    ///
    /// Never. An element outside the tile gets an offset outside it.
    #[inline]
    pub const fn offset(&self, row: usize, column: usize) -> usize {
        let [rows, columns] = self.leaves();
        let [(h, down), (_, next_down)] = rows;
        let [(w, right), (_, next_right)] = columns;
        row % h * down + row / h * next_down + column % w * right + column / w * next_right
    }
}

/// `32x32`, and `32x32 in faces of 16x16`.
impl fmt::Debug for Tile {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.height, self.width)?;
        match self.face {
            Some((height, width)) => write!(f, " in faces of {height}x{width}"),
            None => Ok(()),
        }
    }
}
