//! `Operands`: a product as the offsets along six modes, for layouts that are values.

use layout_core::engine::DynLayout;

use crate::gemm::dynamic::along::Along;
use crate::gemm::mode::Mode;

/// The modes of A (M,K), B (K,N) and C (M,N).
#[derive(Clone, Copy)]
pub(crate) struct Operands<'a> {
    pub(crate) am: Along<'a>,
    pub(crate) ak: Along<'a>,
    pub(crate) bk: Along<'a>,
    pub(crate) bn: Along<'a>,
    pub(crate) cm: Along<'a>,
    pub(crate) cn: Along<'a>,
}

impl<'a> Operands<'a> {
    /// The modes of matrices; `table` is for the offsets of those that are nested.
    pub(crate) fn new(matrices: [&DynLayout; 3], table: &'a mut Vec<usize>) -> Self {
        let mut modes = [Along::linear(1, 0); 6];
        if matrices.iter().all(|matrix| matrix.extents().len() == 2) {
            for (modes, matrix) in modes.chunks_exact_mut(2).zip(matrices) {
                for (i, mode) in modes.iter_mut().enumerate() {
                    *mode = Along::linear(matrix.extents()[i], matrix.strides()[i]);
                }
            }
        } else {
            let nested: [Mode; 6] = core::array::from_fn(|i| Mode::of(matrices[i / 2], i % 2));
            let ends = nested.each_ref().map(|mode| {
                append(mode, table);
                table.len()
            });
            let mut start = 0;
            for ((along, mode), end) in modes.iter_mut().zip(&nested).zip(ends) {
                *along = Along::new(mode, &table[start..end]);
                start = end;
            }
        }
        let [am, ak, bk, bn, cm, cn] = modes;
        Self { am, ak, bk, bn, cm, cn }
    }

    /// The same product as `C^T = B^T * A^T`.
    pub(crate) const fn transposed(&self) -> Self {
        let Self { am, ak, bk, bn, cm, cn } = *self;
        Self { am: bn, ak: bk, bk: ak, bn: am, cm: cn, cn: cm }
    }
}

/// Appends the offsets of a mode that has several distances, and nothing for others.
fn append(mode: &Mode, table: &mut Vec<usize>) {
    if mode.extents().len() <= 1 {
        return;
    }
    let start = table.len();
    table.push(0);
    for (&extent, &stride) in mode.extents().iter().zip(mode.strides()) {
        let below = table.len() - start;
        // Each leaf repeats what the leaves before it made.
        for i in 1..extent {
            for j in start..start + below {
                table.push(table[j] + i * stride);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_the_offsets_of_their_modes() {
        for text in
            ["(2,3):(1,4)", "(4,3,5):(2,1,100)", "(2,6):(0,7)", "((2,1),(3,2)):((9,1),(0,4))"]
        {
            let layout = DynLayout::tuple(&[DynLayout::parse(text).unwrap()]).unwrap();
            let mode = Mode::of(&layout, 0);
            let mut table = vec![7];
            append(&mode, &mut table);
            let offsets: Vec<_> = (0..mode.size()).map(|i| mode.offset(i)).collect();
            assert_eq!(table[1..], offsets, "{text}");
        }
    }
}
