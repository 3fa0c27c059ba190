//! `Blocks`: a matrix split into equal blocks on a grid of cores, each block stored in a given layout.

use static_layout::devices::{AnyPlacement, Fill, Placement};
use static_layout::{AnyLayout, AtRunTime, DynLayout, LayoutError};

use crate::error::Error;

/// Placement of an M x N matrix in blocks on a grid of cores, row-major in the grid. Each block has
/// the layout `L` of shape (m,n), static or dynamic. Products of static blocks use static kernels.
///
/// Blocks at the end may be padded with zeros.
///
/// ```
/// use static_layout::{devices::AnyPlacement, layout};
/// use static_layout_mpi::Blocks;
/// // A 5 x 6 matrix on 2 x 2 cores, in row-major blocks of 3 x 4.
/// let blocks = Blocks::new([5, 6], [2, 2], layout!((3,4):(4,1)))?;
/// let slot = blocks.placement().slot(&[4, 5])?;
/// assert_eq!((slot.core, slot.offset), (3, 4 + 1));
/// # Ok::<(), static_layout_mpi::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Blocks<L> {
    placement: Placement,
    pub(crate) local: L,
    pub(crate) grid: [usize; 2],
    pub(crate) matrix: [usize; 2],
    pub(crate) block: [usize; 2],
}

impl<L: AnyLayout> Blocks<L> {
    /// A matrix of `[rows, columns]` on a grid of `[rows, columns]`, each block in the layout `local`.
    ///
    /// # Errors
    ///
    /// If `local` does not have two modes, or the blocks are too small for the matrix.
    pub fn new(matrix: [usize; 2], grid: [usize; 2], local: L) -> Result<Self, Error> {
        Self::of_tensor(&matrix, [&[0], &[1]], grid, local)
    }

    /// A tensor viewed as a matrix: `modes[0]` are the dimensions of its rows, `modes[1]` those of
    /// its columns. The last dimension of each list is the fastest.
    pub(crate) fn of_tensor(
        shape: &[usize],
        modes: [&[usize]; 2],
        grid: [usize; 2],
        local: L,
    ) -> Result<Self, Error> {
        let layout = local.to_dyn()?;
        if layout.rank() != 2 {
            return Err(LayoutError::MatrixRank { operand: "blocks", shape: layout.shape() }.into());
        }
        let overflow = LayoutError::IntegerOverflow { operation: "blocks" };
        let cores = grid[0].checked_mul(grid[1]).ok_or(overflow)?;
        let mut builder = Placement::builder(shape, layout.cosize(), cores)?;
        let (mut matrix, mut block) = ([1; 2], [1; 2]);
        for side in 0..2 {
            let mut coefficients = vec![0; shape.len()];
            for &d in modes[side].iter().rev() {
                coefficients[d] = matrix[side];
                matrix[side] *= shape[d];
            }
            block[side] = layout.extent(side);
            builder = builder.dimension(matrix[side], &coefficients)?.piece(block[side])?;
            let (first, end) = layout.leaf_range(side);
            for leaf in first..end {
                builder = builder.leaf(layout.extents()[leaf], layout.strides()[leaf])?;
            }
            let stride = if side == 0 { grid[1] } else { 1 };
            builder = builder.piece(grid[side])?.core_leaf(grid[side], stride)?;
        }
        Ok(Self { placement: builder.build()?, local, grid, matrix, block })
    }

    /// Extents of the matrix.
    pub fn matrix(&self) -> [usize; 2] {
        self.matrix
    }

    /// Extents of the grid.
    pub fn grid(&self) -> [usize; 2] {
        self.grid
    }

    /// Layout of a block.
    pub fn local(&self) -> L {
        self.local
    }
}

impl Blocks<DynLayout> {
    /// The smallest equal blocks, each row-major.
    ///
    /// # Errors
    ///
    /// See [`new`](Self::new).
    pub fn even(matrix: [usize; 2], grid: [usize; 2]) -> Result<Self, Error> {
        Self::new(matrix, grid, even(matrix, grid)?)
    }
}

/// Row-major layout of the smallest equal blocks.
pub(crate) fn even(matrix: [usize; 2], grid: [usize; 2]) -> Result<DynLayout, LayoutError> {
    if grid.contains(&0) || matrix.contains(&0) {
        return Err(LayoutError::ZeroExtent);
    }
    let [m, n] = [matrix[0].div_ceil(grid[0]), matrix[1].div_ceil(grid[1])];
    DynLayout::strided(&[m, n], &[n, 1])
}

impl<L: AnyLayout> AnyPlacement for Blocks<L> {
    type Fallibility = AtRunTime;

    fn placement(&self) -> Placement {
        self.placement
    }

    fn slot_number(&self, coordinate: &[usize]) -> Result<usize, LayoutError> {
        self.placement.slot_number(coordinate)
    }

    fn fill(&self) -> Fill {
        Fill::Zero
    }
}

impl<L: AnyLayout> std::fmt::Debug for Blocks<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ([m, n], [rows, columns]) = (self.matrix, self.grid);
        write!(f, "{m} x {n} on {rows} x {columns} in {}", self.local)
    }
}
