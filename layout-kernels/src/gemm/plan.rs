//! `Plan`: how a product of static layouts is cut into register tiles, decided by the compiler.

use crate::gemm::ahead::Pace;
use crate::gemm::mode::Mode;
use crate::gemm::modes::Modes;

/// The most rows of a register tile.
pub(crate) const MAX_ROWS: usize = 16;
/// The most vectors in a row of a register tile.
pub(crate) const MAX_VECTORS: usize = 4;
/// The most steps along K that are written out one after another.
pub(crate) const MAX_STEPS: usize = 16;
/// The most tiles along a mode whose starts are not multiples of one number.
const MAX_STARTS: usize = 64;
/// The most elements of an operand that is rearranged on the stack first.
pub(crate) const MAX_STACK: usize = 4096;
/// The most coordinates along M, N or K of what counts as small.
pub(crate) const MAX_EXTENT: usize = 256;
/// The most elements of A, B and C together of what counts as small: about what stays in the
/// first-level cache and lets a product do without packing.
const MAX_ELEMENTS: usize = 16 * 1024;

/// What a plan has to know about an instruction set and an element.
#[derive(Clone, Copy)]
pub(crate) struct Machine {
    /// The lanes of a full, a half and a quarter register, not rising.
    pub(crate) lanes: [usize; 3],
    /// The registers.
    pub(crate) registers: usize,
    /// The bytes of an element.
    pub(crate) element: usize,
}

/// The register tiles of one product.
///
/// Rows are the m of A, which is broadcast; vectors run along the n of B and C. When `transposed`,
/// that is the n and m of the product that was asked for.
#[derive(Clone, Copy)]
pub struct Plan {
    pub(crate) transposed: bool,
    /// Whether B is first copied to the stack, because it has no runs along n.
    pub(crate) pack_b: bool,
    /// Whether the product is made on the stack, because C has no runs along n.
    pub(crate) buffer_c: bool,
    pub(crate) modes: Modes,
    /// Lanes of a vector.
    pub(crate) lanes: usize,
    /// Rows of a tile.
    pub(crate) rows: usize,
    /// Vectors in a row of a tile.
    pub(crate) vectors: usize,
    /// Steps along K that are written out in the loop over K.
    pub(crate) steps: usize,
    /// Sets of accumulators: with 2, odd steps have their own, which halves the wait for results
    /// where a tile has too few rows and vectors to hide it.
    pub(crate) sets: usize,
    /// How often a tile asks for what comes later.
    pub(crate) pace: Pace,
}

impl Plan {
    /// The plan of a product of two numbers.
    pub(crate) const UNIT: Self = Self {
        transposed: false,
        pack_b: false,
        buffer_c: false,
        modes: Modes::UNIT,
        lanes: 1,
        rows: 1,
        vectors: 1,
        steps: 1,
        sets: 1,
        pace: Pace::NEVER,
    };

    /// The plan for a product, or nothing when it is too large, or too oddly nested, for register
    /// tiles without packing.
    pub(crate) const fn new(modes: &Modes, machine: &Machine) -> Option<Self> {
        if modes.m == 0 || modes.n == 0 || modes.k == 0 {
            return None;
        }
        if modes.m > MAX_EXTENT || modes.n > MAX_EXTENT || modes.k > MAX_EXTENT {
            return None;
        }
        if modes.m * modes.k + modes.k * modes.n + modes.m * modes.n > MAX_ELEMENTS {
            return None;
        }
        let along_n = Self::oriented(modes, machine, false);
        let along_m = Self::oriented(&modes.transposed(), machine, true);
        let plan = match (along_n, along_m) {
            (Some(n), Some(m)) => {
                if m.cost() < n.cost() {
                    m
                } else {
                    n
                }
            }
            (Some(plan), None) | (None, Some(plan)) => plan,
            (None, None) => return None,
        };
        Some(plan.paced(machine))
    }

    /// Chooses how often tiles ask for what comes later. With 16 registers, steps that ask make
    /// LLVM keep sums in memory.
    const fn paced(self, machine: &Machine) -> Self {
        if self.pack_b || self.buffer_c || machine.registers < 32 {
            return self;
        }
        let Modes { m, n, k, .. } = self.modes;
        let tiles = m.div_ceil(self.rows) * n.div_ceil(self.vectors * self.lanes);
        Self { pace: Pace::new(&self.modes, machine.element, tiles * k), ..self }
    }

    const fn oriented(modes: &Modes, machine: &Machine, transposed: bool) -> Option<Self> {
        // B and C with runs first, then B copied, then C made on the stack, then both.
        let mut attempt = 0;
        while attempt < 4 {
            let (pack_b, buffer_c) = (attempt % 2 == 1, attempt >= 2);
            if let Some(plan) = Self::direct(modes, machine, transposed, pack_b, buffer_c) {
                return Some(plan);
            }
            attempt += 1;
        }
        None
    }

    const fn direct(
        modes: &Modes,
        machine: &Machine,
        transposed: bool,
        pack_b: bool,
        buffer_c: bool,
    ) -> Option<Self> {
        let (mut modes, mut w) = (*modes, 0);
        while w < machine.lanes.len() {
            let lanes = machine.lanes[w];
            let narrower = w + 1 < machine.lanes.len() && machine.lanes[w + 1] < lanes;
            let width = modes.n.next_multiple_of(lanes);
            let fits = (pack_b || modes.bn.runs(lanes)) && (buffer_c || modes.cn.runs(lanes));
            if fits && !(narrower && modes.n <= machine.lanes[w + 1]) {
                if pack_b {
                    if modes.k * width > MAX_STACK {
                        return None;
                    }
                    modes.bk = Mode::leaf(modes.k, width);
                    modes.bn = Mode::leaf(modes.n, 1);
                }
                if buffer_c {
                    if modes.m * width > MAX_STACK {
                        return None;
                    }
                    modes.cm = Mode::leaf(modes.m, width);
                    modes.cn = Mode::leaf(modes.n, 1);
                }
                let plan = Self {
                    transposed,
                    pack_b,
                    buffer_c,
                    modes,
                    lanes,
                    rows: 0,
                    vectors: 0,
                    steps: 0,
                    sets: 1,
                    pace: Pace::NEVER,
                };
                return plan.tiled(machine);
            }
            w += 1;
        }
        None
    }

    /// Chooses rows and vectors of the tile: all that fit the registers are tried.
    const fn tiled(self, machine: &Machine) -> Option<Self> {
        let mut best: Option<Self> = None;
        let mut best_cost = usize::MAX;
        let mut vectors = 1;
        while vectors <= MAX_VECTORS && (vectors - 1) * self.lanes < self.modes.n {
            let block = vectors * self.lanes;
            // One register for the element of A, except that with AVX-512 a product of a single
            // vector reads it from memory.
            let free = machine.registers - vectors - 1 - self.mask(machine);
            let mut rows = free / vectors;
            rows = min(min(rows, MAX_ROWS), self.modes.m);
            if self.modes.bn.splits(block)
                && self.modes.cn.splits(block)
                && Starts::exist(&self.modes.bn, block, self.modes.n)
                && Starts::exist(&self.modes.cn, block, self.modes.n)
            {
                while rows > 0 {
                    let candidate = Self { rows, vectors, ..self };
                    if self.modes.am.splits(rows)
                        && self.modes.cm.splits(rows)
                        && Starts::exist(&self.modes.am, rows, self.modes.m)
                        && Starts::exist(&self.modes.cm, rows, self.modes.m)
                        && candidate.cost() < best_cost
                        && let Some(candidate) = candidate.stepped(machine)
                    {
                        best_cost = candidate.cost();
                        best = Some(candidate);
                    }
                    rows -= 1;
                }
            }
            vectors += 1;
        }
        best
    }

    /// The registers that the end of a row takes for its mask, where masks are not registers of
    /// their own.
    const fn mask(&self, machine: &Machine) -> usize {
        let last = self.modes.n % self.lanes;
        let [_, half, quarter] = machine.lanes;
        (machine.registers < 32 && last != 0 && last != half && last != quarter) as usize
    }

    /// Chooses the steps along K: all of them when they are few, and otherwise a few in a loop.
    ///
    /// Written-out steps are what a kernel costs when it is compiled, and a loop around 32 products
    /// costs nothing when it runs. Without one, constant places save a little more, which shows
    /// only where 32 registers make the rest fast.
    const fn stepped(self, machine: &Machine) -> Option<Self> {
        let k = self.modes.k;
        let work = self.rows * self.vectors;
        let sets = if work < 8 && 2 * work <= MAX_ROWS && k >= 4 { 2 } else { 1 };
        let all = if machine.registers >= 32 { 256 } else { 64 };
        if k <= MAX_STEPS && k * work <= all {
            // The compiler loads rows of B ahead, for which registers must be left: a tile with
            // fewer rows is better than sums that go to the stack.
            if machine.registers >= 32 && k > 1 && work + 2 * self.vectors > machine.registers {
                return None;
            }
            return Some(Self { steps: k, sets, ..self });
        }
        let mut steps = 8;
        while steps > 0 {
            // As above.
            let ahead = work + steps * self.vectors < machine.registers;
            if (steps * work <= 32 && ahead || steps <= sets)
                && steps % sets == 0
                && self.modes.ak.splits(steps)
                && self.modes.bk.splits(steps)
                && Starts::exist(&self.modes.ak, steps, k)
                && Starts::exist(&self.modes.bk, steps, k)
            {
                return Some(Self { steps, sets, ..self });
            }
            steps /= 2;
        }
        // Only a last resort: a step at a time cannot alternate between sets.
        if Starts::exist(&self.modes.ak, 1, k) && Starts::exist(&self.modes.bk, 1, k) {
            return Some(Self { steps: 1, sets: 1, ..self });
        }
        None
    }

    /// An estimate in half cycles: two products or two loads a cycle, about five cycles until a
    /// sum can be added to again, and a start and an end of each tile.
    pub(crate) const fn cost(&self) -> usize {
        let Modes { m, n, k, .. } = self.modes;
        let mut cost = 0;
        let all_vectors = n.div_ceil(self.lanes);
        let mut v = 0;
        while v < all_vectors {
            let vectors = min(self.vectors, all_vectors - v);
            let mut r = 0;
            while r < m {
                let rows = min(self.rows, m - r);
                let latency = if rows * vectors < 8 { 5 } else { 10 };
                let step = max(max(rows * vectors, rows + vectors), latency);
                cost += k * step + 16 + rows * vectors;
                r += self.rows;
            }
            v += self.vectors;
        }
        if self.pack_b {
            cost += 4 * k * n;
        }
        if self.buffer_c {
            cost += 6 * m * n;
        }
        cost
    }
}

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
    pub(crate) bn: [usize; MAX_VECTORS],
    pub(crate) cn: [usize; MAX_VECTORS],
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

const fn min(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

const fn max(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use layout_core::engine::{DynLayout, IntTuple};
    use std::collections::HashMap;

    const MACHINES: [Machine; 4] = [
        Machine { lanes: [16, 8, 4], registers: 32, element: 4 },
        Machine { lanes: [4, 2, 2], registers: 15, element: 8 },
        Machine { lanes: [4, 4, 4], registers: 14, element: 4 },
        Machine { lanes: [2, 2, 2], registers: 14, element: 4 },
    ];

    struct Random(u32);

    impl Random {
        fn below(&mut self, n: usize) -> usize {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 16) as usize % n
        }

        /// An extent up to 40, with one in three a product of two leaves.
        fn extent(&mut self) -> Vec<usize> {
            if self.below(3) == 0 {
                vec![1 + self.below(8), 1 + self.below(6)]
            } else {
                vec![1 + self.below(40)]
            }
        }

        /// A compact layout of two modes with its leaves in any order in memory, and holes.
        fn matrix(&mut self, modes: [&[usize]; 2]) -> DynLayout {
            let leaves: Vec<usize> = modes.concat();
            let mut order: Vec<usize> = (0..leaves.len()).collect();
            for i in (1..order.len()).rev() {
                order.swap(i, self.below(i + 1));
            }
            let (mut strides, mut step) = (vec![0; leaves.len()], 1 + self.below(8) / 7);
            for i in order {
                strides[i] = step;
                step = step * leaves[i] + self.below(4) / 3;
            }
            let mut strides = strides.as_slice();
            let mode = |extents: &[usize]| {
                let (own, rest) = strides.split_at(extents.len());
                strides = rest;
                let own = IntTuple::flat(own).unwrap();
                DynLayout::new(&IntTuple::flat(extents).unwrap(), &own).unwrap()
            };
            let both: Vec<DynLayout> = modes.map(mode).into_iter().collect();
            DynLayout::tuple(&both).unwrap()
        }
    }

    /// Where the plan finds elements: for each place of C, the places of A and B along K.
    fn visited(plan: &Plan) -> HashMap<usize, Vec<(usize, usize)>> {
        let tiles = Tiles::new(plan);
        let mut places: HashMap<usize, Vec<(usize, usize)>> = HashMap::new();
        for j in 0..tiles.n_blocks + usize::from(tiles.n_rest > 0) {
            for i in 0..tiles.m_blocks + usize::from(tiles.m_rest > 0) {
                let t = Tile::new(plan, i == tiles.m_blocks, j == tiles.n_blocks);
                assert!(t.rows <= MAX_ROWS && t.vectors <= MAX_VECTORS && t.steps <= MAX_STEPS);
                let vectors = t.vectors + usize::from(t.last > 0);
                for (row, vector) in (0..t.rows).flat_map(|r| (0..vectors).map(move |v| (r, v))) {
                    let lanes = if vector == t.vectors { t.last } else { plan.lanes };
                    for lane in 0..lanes {
                        let c = tiles.cm.at(i) + tiles.cn.at(j) + t.cm[row] + t.cn[vector] + lane;
                        let a = tiles.am.at(i) + t.am[row];
                        let b = tiles.bn.at(j) + t.bn[vector] + lane;
                        let steps = |block: usize, n: usize| {
                            let (ak, bk) = (t.ak_starts.at(block), t.bk_starts.at(block));
                            (0..n).map(move |u| (a + ak + t.ak[u], b + bk + t.bk[u]))
                        };
                        let along: Vec<_> = (0..t.k_blocks)
                            .flat_map(|block| steps(block, t.steps))
                            .chain(steps(t.k_blocks, t.k_rest))
                            .collect();
                        assert!(places.insert(c, along).is_none(), "{c} is made twice");
                    }
                }
            }
        }
        places
    }

    #[test]
    fn plans_visit_every_element_once() {
        let mut random = Random(7);
        let (mut plans, mut direct, mut transposed) = (0, 0, 0);
        for _ in 0..600 {
            let (m, n, k) = (random.extent(), random.extent(), random.extent());
            let a = random.matrix([&m, &k]);
            let b = random.matrix([&k, &n]);
            let c = random.matrix([&m, &n]);
            let modes = Modes::new(&a, &b, &c).unwrap();
            for machine in &MACHINES {
                let Some(plan) = Plan::new(&modes, machine) else { continue };
                let at = |mode: &Mode, n: usize| -> Vec<usize> {
                    (0..n).map(|i| mode.offset(i)).collect()
                };
                let p = &plan.modes;
                let (am, ak) = (at(&p.am, p.m), at(&p.ak, p.k));
                let (bk, bn) = (at(&p.bk, p.k), at(&p.bn, p.n));
                let expected: HashMap<usize, Vec<(usize, usize)>> = (0..p.m)
                    .flat_map(|m| (0..p.n).map(move |n| (m, n)))
                    .map(|(m, n)| {
                        let c = p.cm.offset(m) + p.cn.offset(n);
                        (c, (0..p.k).map(|k| (am[m] + ak[k], bk[k] + bn[n])).collect())
                    })
                    .collect();
                assert_eq!(visited(&plan), expected, "{a} {b} {c} with {:?}", machine.lanes);
                plans += 1;
                direct += usize::from(!plan.pack_b && !plan.buffer_c);
                transposed += usize::from(plan.transposed);
            }
        }
        assert!(plans > 1000 && direct > 100 && transposed > 100, "{plans} {direct} {transposed}");
    }

    #[test]
    fn a_row_major_product_needs_no_copy() {
        let row_major = |m, n| DynLayout::row_major(&IntTuple::flat(&[m, n]).unwrap()).unwrap();
        let square = row_major(16, 16);
        let modes = Modes::new(&square, &square, &square).unwrap();
        let plan = Plan::new(&modes, &MACHINES[0]).unwrap();
        assert!(!plan.transposed && !plan.pack_b && !plan.buffer_c);
        assert_eq!((plan.lanes, plan.rows, plan.vectors, plan.steps), (16, 16, 1, 16));
    }
}
