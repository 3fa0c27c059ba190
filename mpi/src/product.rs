//! Products of distributed matrices: `gemm` on a grid of ranks, and `gemm_split_k` with K split over
//! ranks.

use mpi::collective::SystemOperation;
use mpi::topology::Rank;
use mpi::traits::CommunicatorCollectives;
use static_layout::kernels::{self, Multiply};
use static_layout::{
    AnyLayout, DynLayout, FillValue, IntTuple, IntoResult, LayoutError, Tensor, View, ViewMut,
};

use crate::agree::{Facts, agree};
use crate::blocks::Blocks;
use crate::cores::Cores;
use crate::distributed::DistributedTensor;
use crate::error::Error;
use crate::sys::{self, Broadcast, Element, Progress};
use crate::typetree::MAX_COUNT;

/// Maximum number of K elements of a panel if blocks are cut: enough for full GEMM speed, few enough
/// to keep the first broadcast short, which overlaps with nothing.
const MAX_PANEL: usize = 256;

/// Number of parts of a local product. MPI is polled after each part, because it moves data only
/// while it is called.
const PARTS: usize = 4;

/// Chunk size of the all-reduce in `gemm_split_k`, in elements. Limits the size of the second buffer.
const REDUCE_CHUNK: usize = 1 << 20;

/// Element types of distributed products: `f32` and `f64`.
pub trait Number: Element + Multiply<Self, Sum = Self> {
    /// The value 1.
    const ONE: Self;
}

impl Number for f32 {
    const ONE: Self = 1.0;
}

impl Number for f64 {
    const ONE: Self = 1.0;
}

/// A matrix in blocks.
type Matrix<'c, T, L> = DistributedTensor<'c, T, Blocks<L>>;

/// Multiplies matrices on a grid of ranks: `C = alpha * A * B + beta * C`.
///
/// All three are in [`Blocks`] on the same grid of the same cores, with one core per rank. The
/// algorithm is SUMMA: for each panel (columns of A, rows of B), the ranks that hold it broadcast it
/// along their row and column of the grid. Meanwhile [`kernels::gemm`] multiplies the previous panel.
/// If A and B have the same block size along K, panels are whole blocks in the layouts of their
/// types: static blocks use static kernels. Otherwise a panel is a K range that lies in a single
/// block of A and a single block of B.
///
/// For other placements, [`reshard`](DistributedTensor::reshard) to blocks first, and reshard the
/// result.
///
/// The padding of C is unspecified afterwards.
///
/// ```no_run
/// use mpi::traits::Communicator;
/// use static_layout_mpi::{Blocks, Cores, DistributedTensor, gemm};
/// let universe = mpi::initialize().unwrap();
/// let cores = Cores::row_major(&universe.world(), 4)?;
/// let a = DistributedTensor::from_fn(&cores, Blocks::even([500, 300], [2, 2])?, |_| 1.0f32)?;
/// let b = DistributedTensor::from_fn(&cores, Blocks::even([300, 200], [2, 2])?, |_| 2.0)?;
/// let mut c = DistributedTensor::zeros(&cores, Blocks::even([500, 200], [2, 2])?)?;
/// gemm(1.0, &a, &b, 0.0, &mut c)?;
/// assert!(c.get(&[499, 199]).is_none_or(|&sum| sum == 600.0));
/// # Ok::<(), static_layout_mpi::Error>(())
/// ```
///
/// # Errors
///
/// [`LayoutError::GemmInner`], [`LayoutError::GemmRows`], [`LayoutError::GemmColumns`];
/// [`Error::Blocks`] if the grids differ, or the block size of C does not match the rows of A and the
/// columns of B; [`Error::TooFewRanks`] if two cores share a rank; the ranks disagree. All ranks
/// return the same error, before any data moves.
pub fn gemm<T: Number, A: AnyLayout, B: AnyLayout, C: AnyLayout>(
    alpha: T,
    a: &Matrix<'_, T, A>,
    b: &Matrix<'_, T, B>,
    beta: T,
    c: &mut Matrix<'_, T, C>,
) -> Result<(), Error> {
    let checked =
        check(a, b, c).map(|()| facts([&a.facts(), &b.facts(), &c.facts()], [alpha, beta]));
    agree(a.cores.communicator(), "gemm", checked)?;
    let Some(grid) = a.cores.grid(a.placement.grid) else { return Ok(()) };
    let comm = a.cores.communicator();
    let result =
        Summa { a, b, whole_blocks: a.placement.block[1] == b.placement.block[0], grid: &grid }
            .run(alpha, beta, c);
    sys::ok_or_abort(comm, "a product", result);
    Ok(())
}

fn facts<T: Number>(operands: [&Facts; 3], factors: [T; 2]) -> Facts {
    let placement = |facts: &Facts| facts.last().map(|(_, text)| text.clone()).unwrap_or_default();
    vec![
        ("element type", T::NAME.to_owned()),
        ("placement of A", placement(operands[0])),
        ("placement of B", placement(operands[1])),
        ("placement of C", placement(operands[2])),
        ("factors", format!("{factors:?}")),
    ]
}

fn check<T: Number, A: AnyLayout, B: AnyLayout, C: AnyLayout>(
    a: &Matrix<'_, T, A>,
    b: &Matrix<'_, T, B>,
    c: &Matrix<'_, T, C>,
) -> Result<(), Error> {
    check_shapes(a.placement.matrix, b.placement.matrix, Some(c.placement.matrix))?;
    let (a, b, c, cores) = (&a.placement, &b.placement, &c.placement, [a.cores, b.cores, c.cores]);
    let same = |what, left: [usize; 2], right: [usize; 2]| {
        if left == right { Ok(()) } else { Err(Error::Blocks { what, left, right }) }
    };
    same("the grids of A and B", a.grid, b.grid)?;
    same("the grids of A and C", a.grid, c.grid)?;
    let wanted = [a.block[0], b.block[1]];
    same("the blocks of C, and those of the rows of A and the columns of B", c.block, wanted)?;
    let needed = a.grid[0] * a.grid[1];
    let ranks = &cores[0].ranks()[..needed];
    let mut distinct = ranks.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() < needed {
        return Err(Error::TooFewRanks { cores: needed, ranks: distinct.len() });
    }
    check_same_ranks(&cores, needed, [a.grid, c.grid])
}

/// Checks that the first `needed` cores of all operands are on the same ranks. `grids` are for the error.
fn check_same_ranks(
    cores: &[&Cores],
    needed: usize,
    [left, right]: [[usize; 2]; 2],
) -> Result<(), Error> {
    let mut ranks = cores.iter().map(|cores| cores.ranks().get(..needed));
    let first = ranks.next();
    if ranks.all(|other| Some(other) == first) {
        return Ok(());
    }
    let what = "the cores of the operands are on different ranks";
    Err(Error::Blocks { what, left, right })
}

fn check_shapes(a: [usize; 2], b: [usize; 2], c: Option<[usize; 2]>) -> Result<(), Error> {
    let [x, y] = [IntTuple::flat(&a)?, IntTuple::flat(&b)?];
    if a[1] != b[0] {
        return Err(LayoutError::GemmInner { a: x, b: y }.into());
    }
    let Some(shape) = c else { return Ok(()) };
    let c = IntTuple::flat(&shape)?;
    if a[0] != shape[0] {
        return Err(LayoutError::GemmRows { a: x, c }.into());
    }
    if b[1] != shape[1] {
        return Err(LayoutError::GemmColumns { b: y, c }.into());
    }
    Ok(())
}

/// A product on the grid, as seen by this rank.
struct Summa<'a, 'c, T, A, B> {
    a: &'a Matrix<'c, T, A>,
    b: &'a Matrix<'c, T, B>,
    /// Whether each panel is a whole block of A and of B.
    whole_blocks: bool,
    grid: &'a crate::cores::Grid,
}

/// Columns `from..to` of A, and the same rows of B.
#[derive(Clone, Copy)]
struct Panel {
    from: usize,
    to: usize,
}

impl<T: Number, A: AnyLayout, B: AnyLayout> Summa<'_, '_, T, A, B> {
    fn run<C: AnyLayout>(&self, alpha: T, beta: T, c: &mut Matrix<'_, T, C>) -> Result<(), Error> {
        let panels = self.panels();
        let local = c.placement.local;
        let mut buffers = [self.buffers(), self.buffers()];
        // Double buffering: one panel is multiplied while the next one is broadcast.
        self.prepare(panels[0], &mut buffers[0])?;
        self.broadcast(panels[0], &mut buffers[0], |_| {})?;
        for (s, &panel) in panels.iter().enumerate() {
            let [even, odd] = &mut buffers;
            let (current, next) = if s % 2 == 0 { (even, odd) } else { (odd, even) };
            let beta = if s == 0 { beta } else { T::ONE };
            let c = &mut c.data;
            let mut result = Ok(());
            match panels.get(s + 1) {
                Some(&following) => {
                    self.prepare(following, next)?;
                    self.broadcast(following, next, |progress| {
                        result = self.product(panel, current, (alpha, beta), (c, local), progress);
                    })?;
                }
                None => sys::broadcast_all::<T>(&mut [], 1, |progress| {
                    result = self.product(panel, current, (alpha, beta), (c, local), progress);
                })?,
            }
            result?;
        }
        Ok(())
    }

    /// The panels along K in order: whole blocks, or ranges within one block of A and one of B, at
    /// most `MAX_PANEL` long.
    fn panels(&self) -> Vec<Panel> {
        let (k, [ka, kb]) = (self.a.placement.matrix[1], self.widths());
        let (mut panels, mut from) = (Vec::new(), 0);
        while from < k {
            let ends = [(from / ka + 1) * ka, (from / kb + 1) * kb, k];
            let end = ends.into_iter().min().unwrap_or(k);
            let to = if self.whole_blocks { end } else { end.min(from + MAX_PANEL) };
            panels.push(Panel { from, to });
            from = to;
        }
        panels
    }

    /// Extents of a block along K, for A and B.
    fn widths(&self) -> [usize; 2] {
        [self.a.placement.block[1], self.b.placement.block[0]]
    }

    fn buffers(&self) -> [Vec<T>; 2] {
        let (a, b) = (&self.a.placement, &self.b.placement);
        let lengths = match self.whole_blocks {
            true => [self.a.value.storage(), self.b.value.storage()],
            false => [a.block[0] * MAX_PANEL, b.block[1] * MAX_PANEL],
        };
        lengths.map(|len| vec![<T as FillValue>::ZERO; len])
    }

    /// Grid column that holds the panel of A, and grid row that holds the panel of B.
    fn roots(&self, panel: Panel) -> [usize; 2] {
        self.widths().map(|width| panel.from / width)
    }

    /// On the ranks that hold the panel, copies it into the buffers.
    fn prepare(&self, panel: Panel, buffers: &mut [Vec<T>; 2]) -> Result<(), LayoutError> {
        let ([column, row], [ka, kb]) = (self.roots(panel), self.widths());
        let [i, j] = self.grid.at;
        let columns = panel.to - panel.from;
        if j == column {
            let layout = self.a.placement.local.to_dyn()?;
            let first = panel.from % ka;
            if self.whole_blocks {
                buffers[0].copy_from_slice(&self.a.data);
                zero_padding(&mut buffers[0], &layout, 1, columns);
            } else {
                pack(&self.a.data, &layout, 1, first, columns, &mut buffers[0])?;
            }
        }
        if i == row {
            let layout = self.b.placement.local.to_dyn()?;
            let first = panel.from % kb;
            if self.whole_blocks {
                buffers[1].copy_from_slice(&self.b.data);
                zero_padding(&mut buffers[1], &layout, 0, columns);
            } else {
                pack(&self.b.data, &layout, 0, first, columns, &mut buffers[1])?;
            }
        }
        Ok(())
    }

    fn broadcast(
        &self,
        panel: Panel,
        buffers: &mut [Vec<T>; 2],
        meanwhile: impl FnOnce(&mut Progress<'_>),
    ) -> Result<(), Error> {
        let [column, row] = self.roots(panel).map(|root| Rank::try_from(root).unwrap_or(Rank::MAX));
        let [a, b] = buffers;
        let mut broadcasts = [
            Broadcast { comm: &self.grid.row, root: column, data: &mut a[..] },
            Broadcast { comm: &self.grid.column, root: row, data: &mut b[..] },
        ];
        sys::broadcast_all(&mut broadcasts, MAX_COUNT, meanwhile)
    }

    fn product<C: AnyLayout>(
        &self,
        panel: Panel,
        [a, b]: &[Vec<T>; 2],
        (alpha, beta): (T, T),
        (c, local): (&mut [T], C),
        progress: &mut Progress<'_>,
    ) -> Result<(), Error> {
        let (left, right) = (&self.a.placement, &self.b.placement);
        if self.whole_blocks {
            let a = View::new_in(a, left.local)?;
            let b = View::new_in(b, right.local)?;
            let mut c = ViewMut::new_in(c, local)?;
            kernels::gemm(alpha, &a, &b, beta, &mut c).into_result()?;
            progress.poll();
            return Ok(());
        }
        let (m, n, k) = (left.block[0], right.block[1], panel.to - panel.from);
        let a = View::new_in(a, DynLayout::strided(&[m, k], &[1, m])?)?;
        let layout = local.to_dyn()?;
        let columns = layout.mode(1);
        // Splits C by columns, if these have a constant stride.
        let parts = if columns.len() == 1 && n >= 8 * PARTS { PARTS } else { 1 };
        for part in 0..parts {
            let (first, end) = (n * part / parts, n * (part + 1) / parts);
            let b = View::new_in(&b[first * k..], DynLayout::strided(&[k, end - first], &[1, k])?)?;
            let tile = match parts {
                1 => layout,
                _ => {
                    let part = DynLayout::strided(&[end - first], &[columns.strides()[0]])?;
                    DynLayout::tuple(&[layout.mode(0), part.mode(0)])?
                }
            };
            let start = columns.offset_of_index(first);
            kernels::gemm(alpha, &a, &b, beta, &mut ViewMut::new_in(&mut c[start..], tile)?)?;
            progress.poll();
        }
        Ok(())
    }
}

/// Zeroes a block after the first `len` coordinates of a mode: this padding takes part in the sums
/// along K.
fn zero_padding<T: Number>(data: &mut [T], layout: &DynLayout, mode: usize, len: usize) {
    let (mode_layout, other_layout) = (layout.mode(mode), layout.mode(1 - mode));
    for k in len..mode_layout.size() {
        for i in 0..other_layout.size() {
            data[mode_layout.offset_of_index(k) + other_layout.offset_of_index(i)] =
                <T as FillValue>::ZERO;
        }
    }
}

/// Packs `len` columns (mode 1) or rows (mode 0) of a block, starting at `first`, as a column-major
/// matrix.
fn pack<T: Number>(
    data: &[T],
    layout: &DynLayout,
    mode: usize,
    first: usize,
    len: usize,
    into: &mut [T],
) -> Result<(), LayoutError> {
    let (mode_layout, other_layout) = (layout.mode(mode), layout.mode(1 - mode));
    let extent = other_layout.size();
    // Strides in the packed matrix: along the mode, and along the other mode.
    let (step, across) = if mode == 1 { (extent, 1) } else { (1, len) };
    let packed = |count: usize| -> Result<DynLayout, LayoutError> {
        DynLayout::strided(&[extent, count], &[across, step])
    };
    if mode_layout.len() == 1 {
        let part = DynLayout::strided(&[len], &[mode_layout.strides()[0]])?;
        let part = DynLayout::tuple(&[other_layout, part.mode(0)])?;
        let from = View::new_in(&data[mode_layout.offset_of_index(first)..], part)?;
        return kernels::copy(&from, &mut ViewMut::new_in(into, packed(len)?)?);
    }
    let one = DynLayout::tuple(&[other_layout, DynLayout::leaf(1, 0)])?;
    for k in 0..len {
        let from = View::new_in(&data[mode_layout.offset_of_index(first + k)..], one)?;
        kernels::copy(&from, &mut ViewMut::new_in(&mut into[k * step..], packed(1)?)?)?;
    }
    Ok(())
}

/// Multiplies matrices with K split over cores. Returns the whole product `alpha * A * B` on each
/// rank, column-major.
///
/// A is in [`Blocks`] on a grid of 1 x p, B on a grid of p x 1, with the same block size along K.
/// Each rank multiplies the blocks of its cores, and one all-reduce adds the results. Use this for
/// large K and small M and N.
///
/// # Errors
///
/// [`LayoutError::GemmInner`]; [`Error::Blocks`] if the grids are different, or the block sizes along
/// K differ; the ranks disagree.
pub fn gemm_split_k<T: Number, A: AnyLayout, B: AnyLayout>(
    alpha: T,
    a: &Matrix<'_, T, A>,
    b: &Matrix<'_, T, B>,
) -> Result<Tensor<T, DynLayout>, Error> {
    let (left, right) = (&a.placement, &b.placement);
    let checked = || -> Result<_, Error> {
        check_shapes(left.matrix, right.matrix, None)?;
        let cores = left.grid[1];
        let grids = [left.grid[0], cores, right.grid[0], right.grid[1]] == [1, cores, cores, 1];
        if !grids || left.block[1] != right.block[0] {
            let what = "a grid of 1 x p for A and p x 1 for B, with blocks of the same K";
            return Err(Error::Blocks { what, left: left.grid, right: right.grid });
        }
        // A rank multiplies blocks that it has.
        check_same_ranks(&[a.cores, b.cores], cores, [left.grid, right.grid])?;
        let layout = DynLayout::make(&IntTuple::flat(&[left.matrix[0], right.matrix[1]])?)?;
        let facts = facts([&a.facts(), &b.facts(), &Facts::new()], [alpha, T::ONE]);
        Ok((Tensor::full_in(layout, <T as FillValue>::ZERO)?, facts))
    };
    let checked = checked();
    let facts = checked.as_ref().map(|(_, facts)| facts.clone()).map_err(Clone::clone);
    let comm = a.cores.communicator();
    agree(comm, "gemm_split_k", facts)?;
    let (mut c, _) = checked?;
    sys::ok_or_abort(comm, "a product", add_local_products(alpha, a, b, &mut c));
    let mut parts = vec![<T as FillValue>::ZERO; REDUCE_CHUNK.min(c.as_slice().len())];
    for part in c.as_mut_slice().chunks_mut(REDUCE_CHUNK) {
        let own = &mut parts[..part.len()];
        own.copy_from_slice(part);
        comm.all_reduce_into(&*own, part, SystemOperation::sum());
    }
    Ok(c)
}

/// Adds the products of this rank's cores to C.
fn add_local_products<T: Number, A: AnyLayout, B: AnyLayout>(
    alpha: T,
    a: &Matrix<'_, T, A>,
    b: &Matrix<'_, T, B>,
    c: &mut Tensor<T, DynLayout>,
) -> Result<(), Error> {
    let (left, right) = (a.placement.local.to_dyn()?, b.placement.local.to_dyn()?);
    let (k, width) = (a.placement.matrix[1], a.placement.block[1]);
    let [m, n] = [a.placement.matrix[0], b.placement.matrix[1]];
    for &core in a.cores.own() {
        let valid = k.saturating_sub(core * width).min(width);
        let (Some(x), Some(y)) = (a.core(core), b.core(core)) else { continue };
        if valid == 0 {
            continue;
        }
        // Blocks may be padded along all modes, but C is not padded.
        let (mut x_packed, mut y_packed) = (
            vec![<T as FillValue>::ZERO; left.extent(0) * valid],
            vec![<T as FillValue>::ZERO; valid * right.extent(1)],
        );
        pack(x, &left, 1, 0, valid, &mut x_packed)?;
        pack(y, &right, 0, 0, valid, &mut y_packed)?;
        let x = View::new_in(&x_packed, DynLayout::strided(&[m, valid], &[1, left.extent(0)])?)?;
        let y = View::new_in(&y_packed, DynLayout::strided(&[valid, n], &[1, valid])?)?;
        kernels::gemm(alpha, &x, &y, T::ONE, c)?;
    }
    Ok(())
}
