//! The tiles of a plan in numbers: everything the loops around a register tile, and the tile itself,
//! use.

use crate::gemm::fixed::ahead::Pace;
use crate::gemm::fixed::plan::{MAX_ACROSS, MAX_ROWS, MAX_STEPS, Plan};
use crate::gemm::mode::Mode;
use crate::gemm::modes::Modes;

/// The most tiles along a mode whose starts are not multiples of one number.
const MAX_STARTS: usize = 64;

/// The places where blocks of a mode start, relative to its first.
#[derive(Clone, Copy)]
pub(crate) struct Starts {
    /// Whether start `i` is `i * step`; otherwise it is in the table.
    linear: bool,
    step: usize,
    table: [usize; MAX_STARTS],
}

impl Starts {
    /// Whether the starts of blocks are multiples of one number or few enough for a table.
    pub(crate) const fn exist(mode: &Mode, block: usize, extent: usize) -> bool {
        mode.extents().len() == 1 || extent.div_ceil(block) <= MAX_STARTS
    }

    /// The starts of `count` blocks of `block` coordinates.
    pub(crate) const fn new(mode: &Mode, block: usize, count: usize) -> Self {
        let mut starts = Self { linear: true, step: mode.offset(block), table: [0; MAX_STARTS] };
        if mode.extents().len() == 1 {
            return starts;
        }
        let mut i = 0;
        while i < count {
            starts.table[i] = mode.offset(i * block);
            starts.linear &= starts.table[i] == i * starts.step;
            i += 1;
        }
        starts
    }

    #[inline(always)]
    pub(crate) const fn at(&self, i: usize) -> usize {
        if self.linear { i * self.step } else { self.table[i] }
    }
}

/// The tiles of a plan in numbers: everything the loops around a register tile use.
#[derive(Clone, Copy)]
pub(crate) struct Tiles {
    /// Full tiles along m and n.
    pub(crate) m_blocks: usize,
    pub(crate) n_blocks: usize,
    /// Rows, and vectors, of the tile that is left at the end; 0 for none.
    pub(crate) m_rest: usize,
    pub(crate) n_rest: usize,
    /// The starts of tiles.
    pub(crate) am: Starts,
    pub(crate) bn: Starts,
    pub(crate) cm: Starts,
    pub(crate) cn: Starts,
}

impl Tiles {
    pub(crate) const fn new(plan: &Plan) -> Self {
        let Modes { am, bn, cm, cn, m, n, .. } = plan.modes;
        let block = plan.vectors * plan.lanes;
        let (m_blocks, n_blocks) = (m / plan.rows, n / block);
        Self {
            m_blocks,
            n_blocks,
            m_rest: m % plan.rows,
            n_rest: (n % block).div_ceil(plan.lanes),
            am: Starts::new(&am, plan.rows, m.div_ceil(plan.rows)),
            bn: Starts::new(&bn, block, n.div_ceil(block)),
            cm: Starts::new(&cm, plan.rows, m.div_ceil(plan.rows)),
            cn: Starts::new(&cn, block, n.div_ceil(block)),
        }
    }
}

/// One register tile in numbers: where its elements are, relative to its first ones.
#[derive(Clone, Copy)]
pub(crate) struct Tile {
    pub(crate) rows: usize,
    /// Whether there are other tiles above or below.
    pub(crate) others: bool,
    /// Full vectors of a row.
    pub(crate) vectors: usize,
    /// Lanes in use of one more vector, which is not full; 0 when there is none.
    pub(crate) last: usize,
    /// Blocks of `steps` along K, then a rest.
    pub(crate) k_blocks: usize,
    pub(crate) steps: usize,
    pub(crate) k_rest: usize,
    pub(crate) sets: usize,
    pub(crate) pace: Pace,
    pub(crate) am: [usize; MAX_ROWS],
    pub(crate) cm: [usize; MAX_ROWS],
    pub(crate) bn: [usize; MAX_ACROSS],
    pub(crate) cn: [usize; MAX_ACROSS],
    pub(crate) ak: [usize; MAX_STEPS],
    pub(crate) bk: [usize; MAX_STEPS],
    /// The starts of blocks along K.
    pub(crate) ak_starts: Starts,
    pub(crate) bk_starts: Starts,
}

impl Tile {
    /// The tile of a plan: the full one, or the ones at the ends of m and n.
    pub(crate) const fn new(plan: &Plan, m_end: bool, n_end: bool) -> Self {
        let Modes { am, ak, bk, bn, cm, cn, m, n, k } = plan.modes;
        let block = plan.vectors * plan.lanes;
        let rows = if m_end { m % plan.rows } else { plan.rows };
        let width = if n_end { n % block } else { block };
        let starts = width.div_ceil(plan.lanes);
        let k_blocks = k / plan.steps;
        Self {
            rows,
            others: rows < m,
            vectors: width / plan.lanes,
            last: width % plan.lanes,
            k_blocks,
            steps: plan.steps,
            k_rest: k % plan.steps,
            sets: plan.sets,
            pace: plan.pace,
            am: offsets(&am, 1, rows),
            cm: offsets(&cm, 1, rows),
            bn: offsets(&bn, plan.lanes, starts),
            cn: offsets(&cn, plan.lanes, starts),
            ak: offsets(&ak, 1, plan.steps),
            bk: offsets(&bk, 1, plan.steps),
            ak_starts: Starts::new(&ak, plan.steps, k.div_ceil(plan.steps)),
            bk_starts: Starts::new(&bk, plan.steps, k.div_ceil(plan.steps)),
        }
    }
}

/// The first `count` offsets of a mode, `step` coordinates apart.
const fn offsets<const N: usize>(mode: &Mode, step: usize, count: usize) -> [usize; N] {
    let (mut table, mut i) = ([0; N], 0);
    while i < count {
        table[i] = mode.offset(i * step);
        i += 1;
    }
    table
}
