//! `Operands`: a product as the offsets along six modes, for layouts that are values.

use layout_core::engine::DynLayout;

use crate::gemm::dynamic::along::{Along, append};
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
