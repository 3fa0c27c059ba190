//! Identity layouts: coordinates as values, for predicates at the edges of tiles.

use core::fmt::{self, Write};

use crate::engine::int_tuple::{IntTuple, MAX_LEAVES};
use crate::engine::layout::DynLayout;
use crate::error::{AlgebraError, LayoutError};

/// A layout whose values are coordinates of a shape, such as `(4,8):(1@0,1@1)`.
///
/// Its strides are multiples of unit vectors: `2@1` steps by 2 in mode 1, and `1@0@1` by 1 in
/// mode 0 of mode 1. A partition of it like one of data says which coordinate each element has,
/// also outside of the shape where tiles overhang.
///
/// Operations on the domain are those of the layout inside: take it with
/// [`layout`](Self::layout), and put the result back with [`with_layout`](Self::with_layout).
///
/// ```
/// use layout_core::engine::{CoordinateLayout, IntTuple, Slicer, Tiler};
/// let shape = IntTuple::flat(&[7, 10])?;
/// let identity = CoordinateLayout::identity(&shape)?;
/// assert_eq!(identity.to_string(), "(7,10):(1@0,1@1)");
/// let tiles = identity.layout().zipped_divide_by(&Tiler::parse("<4, 5>").unwrap())?;
/// let tiles = identity.with_layout(&tiles)?;
/// assert_eq!(tiles.to_string(), "((4,5),(2,2)):((1@0,1@1),(4@0,5@1))");
/// // Element (3,2) of tile (1,1) is outside of the shape: there is no row 7.
/// let element = IntTuple::parse("((3,2),(1,1))").unwrap();
/// assert_eq!(tiles.coordinate_at(&element)?.to_string(), "(7,7)");
/// # Ok::<(), layout_core::error::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CoordinateLayout {
    // A coordinate is one number, each leaf of it `width` bits, the first one lowest: unit
    // vectors are powers of two, and the algebra of layouts does the rest.
    layout: DynLayout,
    shape: IntTuple,
    width: u32,
}

impl CoordinateLayout {
    /// The layout that maps every coordinate of `shape` to itself.
    ///
    /// # Errors
    ///
    /// [`LayoutError::SizeOverflow`], and [`AlgebraError::CoordinateWidth`] for an extent that
    /// does not fit: all leaves of a coordinate share 62 bits.
    #[doc(alias = "make_identity_layout")]
    pub const fn identity(shape: &IntTuple) -> Result<Self, LayoutError> {
        attempt!(shape.check_sizes());
        let width = (usize::BITS - 2) / shape.len() as u32;
        let mut strides = [0; MAX_LEAVES];
        let mut i = 0;
        while i < shape.len() {
            // So that no mode merges with the next.
            if shape.at(i) >> width > 0 {
                return Err(too_wide(shape, shape.at(i), width));
            }
            strides[i] = 1 << (width * i as u32);
            i += 1;
        }
        let layout = attempt!(DynLayout::new(shape, &shape.with_leaves(&strides)));
        Ok(Self { layout, shape: *shape, width })
    }

    /// The layout inside, whose offsets stand for coordinates.
    pub const fn layout(&self) -> DynLayout {
        self.layout
    }

    /// The shape that the coordinates are of.
    pub const fn codomain(&self) -> IntTuple {
        self.shape
    }

    /// This with another layout inside: one that operations on the domain made of it.
    ///
    /// # Errors
    ///
    /// [`AlgebraError::CoordinateWidth`] when it reaches coordinates that do not fit.
    pub const fn with_layout(&self, layout: &DynLayout) -> Result<Self, LayoutError> {
        let mut reach = [0usize; MAX_LEAVES];
        let mut i = 0;
        while i < layout.len() {
            let steps = layout.extent_at(i).saturating_sub(1);
            let mut k = 0;
            while k < self.shape.len() {
                let step = self.leaf(layout.stride_at(i), k);
                reach[k] = reach[k].saturating_add(steps.saturating_mul(step));
                if reach[k] >> self.width > 0 {
                    return Err(too_wide(&self.shape, reach[k], self.width));
                }
                k += 1;
            }
            i += 1;
        }
        Ok(Self { layout: *layout, shape: self.shape, width: self.width })
    }

    /// Leaf `k` of the coordinate that `value` stands for.
    const fn leaf(&self, value: usize, k: usize) -> usize {
        let above = value >> (self.width * k as u32);
        // The last leaf has all bits that are left.
        if k + 1 == self.shape.len() { above } else { above & ((1 << self.width) - 1) }
    }

    const fn decoded(&self, value: usize) -> IntTuple {
        let mut leaves = [0; MAX_LEAVES];
        let mut k = 0;
        while k < self.shape.len() {
            leaves[k] = self.leaf(value, k);
            k += 1;
        }
        self.shape.with_leaves(&leaves)
    }

    /// The coordinate at a coordinate of the domain, congruent to the
    /// [`codomain`](Self::codomain); its integers may lie outside of that.
    ///
    /// # Errors
    ///
    /// Those of [`DynLayout::offset_of`].
    pub const fn coordinate_at(&self, coordinate: &IntTuple) -> Result<IntTuple, LayoutError> {
        Ok(self.decoded(attempt!(self.layout.offset_of(coordinate))))
    }

    /// The coordinate at a 1-D coordinate below the size of the domain.
    pub const fn coordinate_at_index(&self, index: usize) -> IntTuple {
        self.decoded(self.layout.offset_of_index(index))
    }

    /// Writes a stride: `2@1`, `0`, or a coordinate when it steps in several modes at once.
    fn write_stride(&self, f: &mut fmt::Formatter<'_>, stride: usize) -> fmt::Result {
        let vector = self.decoded(stride);
        let mut moved = (0..vector.len()).filter(|&k| vector.at(k) > 0);
        match (moved.next(), moved.next()) {
            (None, _) => f.write_char('0'),
            (Some(k), None) => {
                write!(f, "{}", vector.at(k))?;
                self.write_path(f, &self.shape, k)
            }
            _ => write!(f, "{vector}"),
        }
    }

    /// Writes where leaf `k` is in `shape`, the innermost mode first: `@0@1`.
    fn write_path(&self, f: &mut fmt::Formatter<'_>, shape: &IntTuple, k: usize) -> fmt::Result {
        if shape.is_int() {
            return Ok(());
        }
        for i in 0..shape.rank() {
            let (start, end) = shape.mode_range(i);
            if (start..end).contains(&k) {
                self.write_path(f, &shape.mode(i), k - start)?;
                return write!(f, "@{i}");
            }
        }
        Ok(())
    }
}

const fn too_wide(shape: &IntTuple, reach: usize, width: u32) -> LayoutError {
    let error = AlgebraError::CoordinateWidth { shape: *shape, reach, limit: (1 << width) - 1 };
    LayoutError::Algebra(error)
}

impl fmt::Display for CoordinateLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.layout.shape();
        write!(f, "{shape}:")?;
        for i in 0..shape.len() {
            if i > 0 {
                f.write_char(',')?;
            }
            for _ in 0..shape.open(i) {
                f.write_char('(')?;
            }
            self.write_stride(f, self.layout.stride_at(i))?;
            for _ in 0..shape.close(i) {
                f.write_char(')')?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for CoordinateLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
