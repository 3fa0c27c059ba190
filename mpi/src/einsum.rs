//! `einsum`: contractions that are matrix products.

use static_layout::devices::AnyPlacement;
use static_layout::engine::Subscripts;
use static_layout::{DynLayout, FillValue, LayoutError};

use crate::agree::agree;
use crate::blocks::{Blocks, even};
use crate::distributed::DistributedTensor;
use crate::error::Error;
use crate::product::{Number, gemm};

/// Contracts two tensors in any placements: `C = A * B`, summed over the letters that C does not
/// have. The result is in `placement`.
///
/// The contraction is computed as a matrix product: letters of A and C form the rows, letters of B
/// and C the columns, and letters of A and B are summed over. Each operand is resharded to [`Blocks`]
/// of its letters in that order on `grid`; this step permutes and joins modes. Then the operands are
/// multiplied as by [`gemm`], and the result is resharded to `placement`.
///
/// ```no_run
/// use mpi::traits::Communicator;
/// use static_layout::{DynLayout, devices::Placement};
/// use static_layout_mpi::{Cores, DistributedTensor, einsum};
/// let universe = mpi::initialize().unwrap();
/// let cores = Cores::row_major(&universe.world(), 4)?;
/// let on_one = |text| Placement::of_layout(&DynLayout::parse(text).unwrap());
/// let a = DistributedTensor::from_fn(&cores, on_one("(5,6,7):(1,5,30)")?, |_| 1.0f32)?;
/// let b = DistributedTensor::from_fn(&cores, on_one("(7,8,5):(40,5,1)")?, |_| 1.0)?;
/// let c = einsum("ijk,kli->lj", &a, &b, [2, 2], on_one("(8,6):(6,1)")?)?;
/// assert!(c.get(&[0, 0]).is_none_or(|&sum| sum == 35.0));
/// # Ok::<(), static_layout_mpi::Error>(())
/// ```
///
/// # Errors
///
/// Invalid subscripts; [`Error::Einsum`] for a letter that is in all three operands, in only one, or
/// twice in one, and for extents that differ; the errors of [`DistributedTensor::reshard`] and
/// [`gemm`].
pub fn einsum<'c, T, P, Q, R>(
    subscripts: &str,
    a: &DistributedTensor<'c, T, P>,
    b: &DistributedTensor<'c, T, Q>,
    grid: [usize; 2],
    placement: R,
) -> Result<DistributedTensor<'c, T, R>, Error>
where
    T: Number,
    P: AnyPlacement + Copy,
    Q: AnyPlacement + Copy,
    R: AnyPlacement + Copy,
{
    let planned = plan(subscripts, &shape(a), &shape(b), grid);
    let facts = planned.as_ref().map(|_| vec![("subscripts", format!("{subscripts} {grid:?}"))]);
    agree(a.cores.communicator(), "einsum", facts.map_err(Clone::clone))?;
    let [x, y, z] = planned?;
    let (a, b) = (a.reshard(x)?, b.reshard(y)?);
    let mut c = DistributedTensor::zeros(a.cores, z)?;
    gemm(T::ONE, &a, &b, <T as FillValue>::ZERO, &mut c)?;
    c.reshard(placement)
}

fn shape<T, P>(tensor: &DistributedTensor<'_, T, P>) -> Vec<usize> {
    tensor.value.linear().extents()[..tensor.value.rank()].to_vec()
}

/// The operands as matrices in blocks.
fn plan(
    text: &str,
    a: &[usize],
    b: &[usize],
    grid: [usize; 2],
) -> Result<[Blocks<DynLayout>; 3], Error> {
    let subscripts = Subscripts::new(text)?;
    let unsupported = |reason: String| Error::Einsum { subscripts: text.to_owned(), reason };
    let letters =
        |operand| (0..subscripts.len(operand)).map(move |i| subscripts.letter(operand, i) as char);
    let [x, y, z] = [0, 1, 2].map(|operand| letters(operand).collect::<Vec<char>>());
    for (name, letters, shape) in [("A", &x, a), ("B", &y, b)] {
        if letters.len() != shape.len() {
            let (count, rank) = (letters.len(), shape.len());
            return Err(unsupported(format!("{name} has {count} letters and {rank} modes")));
        }
    }
    for (name, letters) in [("A", &x), ("B", &y), ("C", &z)] {
        if let Some(repeated) =
            letters.iter().find(|&l| letters.iter().filter(|&m| m == l).count() > 1)
        {
            return Err(unsupported(format!("letter {repeated} is twice in {name}")));
        }
    }
    for &letter in x.iter().chain(&y).chain(&z) {
        let [in_a, in_b, in_c] = [&x, &y, &z].map(|letters| letters.contains(&letter));
        match (in_a, in_b, in_c) {
            (true, true, true) => return Err(unsupported(format!("letter {letter} is a batch"))),
            (true, false, false) | (false, true, false) => {
                return Err(unsupported(format!("letter {letter} is of one operand alone")));
            }
            (false, false, true) => {
                return Err(unsupported(format!("letter {letter} is of C alone")));
            }
            _ => {}
        }
    }
    let position = |letters: &[char], letter: char| letters.iter().position(|&l| l == letter);
    let extent = |letter: char| {
        let in_a = position(&x, letter).map(|d| a[d]);
        in_a.or_else(|| position(&y, letter).map(|d| b[d])).unwrap_or(1)
    };
    for (d, &letter) in y.iter().enumerate() {
        let (extent_b, extent_a) = (b[d], extent(letter));
        if extent_b != extent_a {
            return Err(unsupported(format!(
                "letter {letter} is {extent_a} in A but {extent_b} in B"
            )));
        }
    }
    let rows: Vec<char> = z.iter().copied().filter(|l| x.contains(l)).collect();
    let columns: Vec<char> = z.iter().copied().filter(|l| y.contains(l)).collect();
    let sums: Vec<char> = x.iter().copied().filter(|l| y.contains(l)).collect();
    let c: Vec<usize> = z.iter().map(|&letter| extent(letter)).collect();
    let blocks = |shape: &[usize], letters: &[char], left: &[char], right: &[char]| {
        let modes = [left, right].map(|side| -> Vec<usize> {
            side.iter().filter_map(|&letter| position(letters, letter)).collect()
        });
        let size = |side: &[char]| {
            side.iter().try_fold(1usize, |size, &letter| size.checked_mul(extent(letter)))
        };
        let (Some(m), Some(n)) = (size(left), size(right)) else {
            return Err(LayoutError::IntegerOverflow { operation: "einsum" }.into());
        };
        Blocks::of_tensor(shape, [&modes[0], &modes[1]], grid, even([m, n], grid)?)
    };
    Ok([
        blocks(a, &x, &rows, &sums)?,
        blocks(b, &y, &sums, &columns)?,
        blocks(&c, &z, &rows, &columns)?,
    ])
}
