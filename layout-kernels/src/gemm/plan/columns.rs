//! `Columns`: how the columns of C are cut into tiles. Runs of C that are not whole vectors are
//! joined.

use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::plan::cuts::Cuts;
use crate::gemm::problem::loops::Axis;
use crate::gemm::problem::offsets::Offsets;
use crate::gemm::problem::operands::Operands;

/// How columns are cut: in vectors of `lanes` lanes.
#[derive(Clone, Copy)]
pub(crate) struct Columns {
    pub(crate) lanes: usize,
    /// Whether a vector may cross the end of a run of C.
    pub(crate) may_split: bool,
    /// Whether packing transposes B.
    pub(crate) transposes_b: bool,
}

impl Columns {
    /// Cuts the columns of a block into pieces of at most `vectors` vectors for tiles. Vectors are
    /// contiguous in C, or cross the end of one run.
    pub(crate) fn cut(&self, bn: &Offsets<'_>, cn: &Offsets<'_>, vectors: usize) -> Cuts {
        let (lanes, size) = (self.lanes, cn.size);
        let run = cn.run_len.min(bn.run_len);
        // A part for a thread may have one element of the axis that is contiguous in C.
        if self.transposes_b
            && let Some((column_stride, _)) = bn.contiguous_axis()
            && cn.stride == 1
            && run >= lanes
        {
            // Pieces at the same position of several runs are packed together, so the runs that are
            // joined are those before the contiguous axis of B.
            let joined = if cn.run_len == bn.run_len { column_stride / run } else { 1 };
            let joined_cuts =
                Cuts::of_joined_runs(size, (run, joined), cn.outer[1].1, vectors, lanes);
            // Otherwise, no panel crosses the end of a run of B or of C.
            let linear_runs = if cn.run_len > run { cn.run_len / run } else { cn.outer[0].1 };
            return match joined_cuts {
                Some(cuts) if joined > 1 && (self.may_split || !cuts.has_splits()) => cuts,
                _ => Cuts::of_runs(size, (run, linear_runs), vectors, lanes),
            };
        }
        let (run, count) = match cn.stride {
            1 => (cn.run_len, cn.outer[0].1),
            // The block has one element of the axis that is contiguous in C.
            _ => (1, cn.run_len),
        };
        // Join the fewest runs that are whole vectors and fill whole tiles. (f32 with AVX2, runs of 24
        // columns: two runs are three tiles of two vectors.)
        let whole = whole_runs(run, lanes, self.may_split);
        let fills = |&runs: &usize| (runs * run / lanes).is_multiple_of(vectors);
        let full = (1..=vectors).map(|i| i * whole).find(fills).unwrap_or(whole);
        [full, whole]
            .into_iter()
            .filter(|&runs| count.is_multiple_of(runs) && (whole * run).is_multiple_of(lanes))
            .find_map(|runs| Cuts::of_joined_runs(size, (run, runs), count / runs, vectors, lanes))
            .unwrap_or_else(|| Cuts::of_runs(size, (run, count), vectors, lanes))
    }
}

/// The fewest runs of `run` columns of C that are whole vectors. One run if vectors may not cross the
/// ends of runs, or if joining gains little.
fn whole_runs(run: usize, lanes: usize, may_split: bool) -> usize {
    // Below a tenth of unused lanes, joining takes longer. (f32 with AVX-512, runs of 168: 6 %.)
    let unused = run.next_multiple_of(lanes) - run;
    let gains = 10 * unused >= run + unused;
    let common = 1 << run.trailing_zeros().min(lanes.trailing_zeros());
    // A vector may cross the end of one run, not of two.
    if may_split && gains && run + common >= lanes { lanes / common } else { 1 }
}

/// If runs of C are not whole vectors, splits the contiguous axis of a B that packing transposes: for
/// each of its coordinates, there are then runs of C that can be joined to whole vectors.
///
/// Columns `(24,96)` with strides `(1,24)` in C become `(24,2,48)` with strides `(1,1152,24)`: two
/// runs of 24 are three vectors of 16, and the 48 coordinates of the last axis are still contiguous
/// in B.
pub(crate) fn pair_runs(operands: &mut Operands, shapes: &Shapes) {
    if let [first, next, ..] = &mut operands.n.axes[..]
        && first.strides[1] == 1
        && next.strides[0] == 1
        && let lanes = shapes.lanes
        && let joined = whole_runs(first.extent, lanes, shapes.has_mask_registers)
        && joined > 1
        && next.extent.is_multiple_of(joined)
        && next.extent / joined >= MIN_CONTIGUOUS * lanes
    {
        next.extent /= joined;
        let step = |stride: usize| stride * next.extent;
        let pair = Axis {
            extent: joined,
            strides: next.strides.map(step),
            coordinate_stride: step(next.coordinate_stride),
        };
        operands.n.axes.insert(1, pair);
    }
}

/// B stays contiguous along at least this many vectors. (f32 `abcd-dbea-ec`, 56 elements: in two
/// halves 57 GFLOP/s, otherwise 67.)
const MIN_CONTIGUOUS: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gemm::kernel::table::floats;
    use crate::gemm::plan::packing_policy::transposed_columns;
    use crate::gemm::problem::matrix::MatrixLayout;
    use crate::gemm::problem::pieces::BlockOffsets;
    use crate::simd::Level;
    use layout_core::engine::DynLayout;

    /// Tiles of `f32` with AVX-512, on any machine.
    fn shapes() -> Shapes {
        let lanes = 16;
        Shapes {
            lanes,
            has_mask_registers: true,
            max_rows: &[16, 12, 8],
            ..floats::<f32>(Level::Portable).shapes
        }
    }

    /// The product of 8 rows and 64 steps with columns `(run,count)` of these strides in B and C.
    fn product([run, count]: [usize; 2], b: [usize; 2], c: [usize; 2]) -> Operands {
        let layout = |text: String| DynLayout::parse(&text).expect("a layout");
        let columns = |[x, y]: [usize; 2]| format!("({run},{count})):(9999,({x},{y}))");
        let layouts = [
            layout("(8,64):(64,1)".into()),
            layout(format!("(64,{}", columns(b))),
            layout(format!("(8,{}", columns(c))),
        ];
        let mut operands = Operands::new(MatrixLayout::all(layouts.each_ref())).unwrap();
        operands.order(16);
        operands
    }

    fn cut(operands: &Operands) -> Cuts {
        let (mut offsets, all) = (BlockOffsets::default(), operands.n.all());
        offsets.set(&operands.n, &all);
        let columns = Columns {
            lanes: 16,
            may_split: true,
            transposes_b: transposed_columns(operands, &shapes()).is_some(),
        };
        columns.cut(&offsets.in_operand(0).1, &offsets.in_operand(1).1, 3)
    }

    #[test]
    fn runs_are_joined_to_whole_vectors() {
        for (run, count, joined) in
            [(24, 6, 2), (24, 5, 1), (28, 8, 4), (40, 2, 2), (168, 4, 1), (20, 4, 1), (48, 3, 1)]
        {
            let cuts = cut(&product([run, count], [1, run], [1, 2 * run]));
            assert_eq!(cuts.joined(), joined, "{count} runs of {run}");
            assert_eq!(cuts.has_splits(), joined > 1);
            for piece in cuts.iter() {
                for (i, before_end) in cuts.splits(&piece) {
                    let column = piece.start + i * 16;
                    assert_eq!((column + before_end) % run, 0, "{count} runs of {run}: {column}");
                }
            }
        }
    }

    #[test]
    fn runs_far_apart_are_joined_if_b_is_transposed() {
        let mut operands = product([24, 192], [192, 1], [1, 24]);
        pair_runs(&mut operands, &shapes());
        let axes = operands.n.axes.iter().map(|axis| (axis.extent, axis.strides));
        let expected = [(24, [192, 1]), (2, [96, 96 * 24]), (96, [1, 24])];
        assert_eq!(axes.collect::<Vec<_>>(), expected);
        assert_eq!(cut(&operands).joined(), 2);
        // B would be contiguous along few elements.
        let mut operands = product([24, 96], [96, 1], [1, 24]);
        pair_runs(&mut operands, &shapes());
        assert_eq!(operands.n.axes.len(), 2);
        assert_eq!(cut(&operands).joined(), 1);
    }
}
