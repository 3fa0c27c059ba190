//! Which plan a static product gets: for few steps along K, tiles that hold all of B.
//!
//! A [`Plan`] keeps the sums of a tile in registers and goes along K, which hides the wait for sums
//! and pays where K is long. With a few steps there is little to wait for, and C is most of what
//! moves: then the rows of B stay in registers, and each row of C comes and goes by itself.

use crate::gemm::fixed::ahead::Pace;
use crate::gemm::fixed::plan::{MAX_ROWS, MAX_VECTORS, Machine, Plan};
use crate::gemm::modes::Modes;
use crate::simd::vector::{Isa, Vector};

/// The most steps along K of a product whose B is held: as many registers as leave enough for sums.
/// (16 cubed in f32: as fast as tiles that hold their sums when all is hot, and twice as fast in a
/// batch, since rows of A and C are asked for one after the other.)
pub(crate) const MAX_DEPTH: usize = 16;
/// The most for which its rows may have any number of vectors and pieces, and of which the only sum
/// of a row has one set.
pub(crate) const SHORT: usize = 8;
/// The most for which its rows may be two full vectors: of more, tiles of sums are as fast.
const FEW_MORE: usize = 9;
/// The most products that are written out in a tile that holds B: a loop around them costs nothing
/// from here on.
const MAX_PRODUCTS: usize = 64;
/// How many products it takes until what a masked store wrote can be read, at least.
const MASK: usize = 48;

/// The plan of a product with the vectors `I`.
pub(crate) const fn choose<T, I: Isa<T>>(modes: &Modes) -> Option<Plan> {
    let lanes = [I::Full::LANES, I::Half::LANES, I::Quarter::LANES];
    let machine = Machine { lanes, registers: I::REGISTERS, element: size_of::<T>() };
    match Plan::new(modes, &machine) {
        Some(plan) if holds::<T, I>(&plan) => Some(held::<T, I>(plan)),
        plan => plan,
    }
}

/// Whether tiles hold all of B: K is short, tiles may be of any size, rows that do not end with a
/// vector take not many more products so than with a mask, and sums do not wait for each other.
pub(crate) const fn holds<T, I: Isa<T>>(plan: &Plan) -> bool {
    let Modes { am, ak, bk, bn, cm, cn, m, n, k } = &plan.modes;
    let pieces = Pieces::new::<T, I>(*n % plan.lanes).count();
    // A sum has one set here: with less than eight sums, those of more steps want several.
    let vectors = *n / plan.lanes + pieces;
    let sums = *m * vectors;
    // Of more steps, where rows of B leave registers for one of C. (f64: 24 by 24 by 9 takes 133 ns
    // so and 155 in tiles of sums, 16 by 16 by 12 takes 91 and 79.)
    let free = vectors * (*k + 1) + pieces + 1 < I::REGISTERS;
    let long = I::REGISTERS >= 2 * MAX_DEPTH
        && *k <= MAX_DEPTH
        && (*n == plan.lanes || pieces <= 1 && free && (vectors + pieces > 2 || *k <= FEW_MORE));
    (*k <= SHORT || long && plan.lanes == I::Full::LANES)
        && (*k < 4 || sums >= 8)
        && (pieces < 2 || *m * *k * (pieces - 1) <= MASK)
        && !plan.pack_b
        && !plan.buffer_c
        && am.extents().len() <= 1
        && ak.extents().len() <= 1
        && bk.extents().len() <= 1
        && bn.extents().len() <= 1
        && cm.extents().len() <= 1
        && cn.extents().len() <= 1
}

/// The same product in tiles that hold B.
const fn held<T, I: Isa<T>>(mut plan: Plan) -> Plan {
    let Modes { m, n, k, .. } = plan.modes;
    let vectors = n / plan.lanes + Pieces::new::<T, I>(n % plan.lanes).count();
    // A row of sums, and two elements of A.
    let most = min((I::REGISTERS - 2) / (k + 1), MAX_VECTORS);
    let columns = vectors.div_ceil(most);
    plan.vectors = n.div_ceil(plan.lanes).div_ceil(columns);
    plan.rows = min(min(MAX_ROWS, m), MAX_PRODUCTS / (k * plan.vectors));
    if plan.pace.lines > 0 {
        plan.pace = Pace::new(&plan.modes, size_of::<T>(), columns * m.div_ceil(plan.rows) * k);
    }
    plan
}

/// An estimate of what a plan takes in half cycles, as [`Plan::cost`], with B held or not.
pub(crate) const fn cost<T, I: Isa<T>>(plan: &Plan) -> usize {
    if !holds::<T, I>(plan) {
        return plan.cost();
    }
    let Modes { m, n, k, .. } = plan.modes;
    let pieces = Pieces::new::<T, I>(n % plan.lanes);
    let (full, pieces, odd) = (n / plan.lanes, pieces.count(), pieces.rest > 1);
    // What is in no register comes and goes in parts.
    let (odd, end) = if odd { (1, 24) } else { (0, 8) };
    // Each row of C comes and goes besides its products; a vector of it takes a cycle and a half,
    // and a piece, of which two can go at once, a cycle. All of it waits for its sums.
    let row = max(k * (full + pieces) + 1, 3 * full + 2 * pieces + odd);
    max(m * row, 24) + end
}

/// How the end of a row is made without a mask: of half a register, a quarter, and a part of one.
#[derive(Clone, Copy)]
pub(crate) struct Pieces {
    pub(crate) half: bool,
    pub(crate) quarter: bool,
    pub(crate) rest: usize,
}

impl Pieces {
    /// The pieces of so many lanes, which are less than a full register.
    pub(crate) const fn new<T, I: Isa<T>>(lanes: usize) -> Self {
        let half = lanes >= I::Half::LANES;
        let lanes = if half { lanes - I::Half::LANES } else { lanes };
        let quarter = lanes >= I::Quarter::LANES;
        let rest = if quarter { lanes - I::Quarter::LANES } else { lanes };
        Self { half, quarter, rest }
    }

    const fn count(self) -> usize {
        self.half as usize + self.quarter as usize + (self.rest > 0) as usize
    }
}

const fn max(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

const fn min(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}
