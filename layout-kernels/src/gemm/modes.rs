//! `Modes`: a product as six offset functions, which is all that a kernel sees of three layouts.

use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;

/// The modes of A (M,K), B (K,N) and C (M,N), each coalesced: how each operand's offset moves
/// along each of the three loops of a product.
#[derive(Clone, Copy)]
pub(crate) struct Modes {
    pub(crate) am: DynLayout,
    pub(crate) ak: DynLayout,
    pub(crate) bk: DynLayout,
    pub(crate) bn: DynLayout,
    pub(crate) cm: DynLayout,
    pub(crate) cn: DynLayout,
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
}

impl Modes {
    /// A product of two numbers.
    pub(crate) const UNIT: Self = Self {
        am: DynLayout::UNIT,
        ak: DynLayout::UNIT,
        bk: DynLayout::UNIT,
        bn: DynLayout::UNIT,
        cm: DynLayout::UNIT,
        cn: DynLayout::UNIT,
        m: 1,
        n: 1,
        k: 1,
    };

    /// The modes of three layouts.
    ///
    /// # Errors
    ///
    /// When they are not matrices, or their shapes make no product.
    pub(crate) const fn new(
        a: &DynLayout,
        b: &DynLayout,
        c: &DynLayout,
    ) -> Result<Self, LayoutError> {
        if let (Err(error), _, _) | (_, Err(error), _) | (_, _, Err(error)) =
            (matrix("A", a), matrix("B", b), matrix("C", c))
        {
            return Err(error);
        }
        let (am, ak) = (a.mode(0), a.mode(1));
        let (bk, bn) = (b.mode(0), b.mode(1));
        let (cm, cn) = (c.mode(0), c.mode(1));
        let (m, n, k) = (am.size(), bn.size(), ak.size());
        if k != bk.size() {
            return Err(LayoutError::GemmInner { a: a.shape(), b: b.shape() });
        }
        if m != cm.size() {
            return Err(LayoutError::GemmRows { a: a.shape(), c: c.shape() });
        }
        if n != cn.size() {
            return Err(LayoutError::GemmColumns { b: b.shape(), c: c.shape() });
        }
        Ok(Self {
            am: am.coalesce(),
            ak: ak.coalesce(),
            bk: bk.coalesce(),
            bn: bn.coalesce(),
            cm: cm.coalesce(),
            cn: cn.coalesce(),
            m,
            n,
            k,
        })
    }

    /// The same product as `C^T = B^T * A^T`: A and B change places, and M and N.
    pub(crate) const fn transposed(&self) -> Self {
        Self {
            am: self.bn,
            ak: self.bk,
            bk: self.ak,
            bn: self.am,
            cm: self.cn,
            cn: self.cm,
            m: self.n,
            n: self.m,
            k: self.k,
        }
    }
}

const fn matrix(operand: &'static str, layout: &DynLayout) -> Result<(), LayoutError> {
    if layout.rank() == 2 {
        Ok(())
    } else {
        Err(LayoutError::GemmRank { operand, shape: layout.shape() })
    }
}

/// Whether blocks of `block` coordinates, counted from 0, all have the same offsets relative to
/// their first: `mode(i * block + j) = mode(i * block) + mode(j)` for `j < block`.
pub(crate) const fn splits(mode: &DynLayout, block: usize) -> bool {
    let extents = mode.extents();
    if extents.len() == 1 || block >= mode.size() {
        return true;
    }
    let (mut rest, mut i) = (block, 0);
    while i < extents.len() {
        if extents[i].is_multiple_of(rest) {
            return true;
        }
        if !rest.is_multiple_of(extents[i]) {
            return false;
        }
        rest /= extents[i];
        i += 1;
    }
    false
}

/// Whether blocks of `lanes` coordinates, counted from 0, lie in consecutive places; the last
/// block may be shorter.
pub(crate) const fn runs(mode: &DynLayout, lanes: usize) -> bool {
    let (extents, strides) = (mode.extents(), mode.strides());
    mode.size() == 1 || strides[0] == 1 && (extents.len() == 1 || extents[0].is_multiple_of(lanes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use layout_core::engine::IntTuple;

    fn next(state: &mut u32, n: u32) -> usize {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((*state >> 16) % n) as usize
    }

    /// A coalesced mode of up to three leaves.
    fn mode(state: &mut u32) -> DynLayout {
        let rank = 1 + next(state, 3);
        let shape: Vec<usize> = (0..rank).map(|_| 1 + next(state, 6)).collect();
        let stride: Vec<usize> = (0..rank).map(|_| 1 + next(state, 12)).collect();
        let (shape, stride) = (IntTuple::flat(&shape).unwrap(), IntTuple::flat(&stride).unwrap());
        DynLayout::new(&shape, &stride).unwrap().coalesce()
    }

    #[test]
    fn splits_means_what_it_says() {
        let mut state = 1;
        let mut seen = [0; 2];
        for _ in 0..5000 {
            let mode = mode(&mut state);
            let block = 1 + next(&mut state, 20);
            let same = |i: usize| {
                let start = i / block * block;
                mode.offset_of_index(i)
                    == mode.offset_of_index(start) + mode.offset_of_index(i - start)
            };
            let claimed = splits(&mode, block);
            if claimed {
                assert!((0..mode.size()).all(same), "{mode} by {block}");
            }
            seen[claimed as usize] += 1;
        }
        assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
    }

    #[test]
    fn runs_are_consecutive() {
        let mut state = 2;
        let mut seen = [0; 2];
        for _ in 0..5000 {
            let mode = mode(&mut state);
            let lanes = 1 << next(&mut state, 5);
            let claimed = runs(&mode, lanes);
            if claimed {
                for i in 0..mode.size() {
                    let start = i / lanes * lanes;
                    let expected = mode.offset_of_index(start) + i - start;
                    assert_eq!(mode.offset_of_index(i), expected, "{mode} by {lanes}");
                }
            }
            seen[claimed as usize] += 1;
        }
        assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
    }
}
