//! `Plan`: how a product of static layouts is cut into register tiles, decided by the compiler.

use crate::gemm::fixed::ahead::Pace;
use crate::gemm::fixed::tables::Starts;
use crate::gemm::mode::Mode;
use crate::gemm::modes::Modes;

/// The most rows of a register tile.
pub(crate) const MAX_ROWS: usize = 16;
/// The most vectors in a row of a register tile.
pub(crate) const MAX_VECTORS: usize = 4;
/// The most of a tile that is a single row, with one that is not full.
pub(crate) const MAX_ACROSS: usize = MAX_VECTORS + 1;
/// The most steps along K that are written out one after another.
pub(crate) const MAX_STEPS: usize = 16;
/// Up to how many steps along K the compiler writes out in any case.
const FEW_STEPS: usize = 4;
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
        while vectors <= MAX_ACROSS && (vectors - 1) * self.lanes < self.modes.n {
            let block = vectors * self.lanes;
            // A single row loads an element of A for each of its tiles.
            if vectors > MAX_VECTORS && (self.modes.m > 1 || block <= self.modes.n) {
                break;
            }
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
                    let cost = candidate.cost();
                    if cost < best_cost
                        && self.modes.am.splits(rows)
                        && self.modes.cm.splits(rows)
                        && Starts::exist(&self.modes.am, rows, self.modes.m)
                        && Starts::exist(&self.modes.cm, rows, self.modes.m)
                        && let Some(candidate) = candidate.stepped(machine)
                    {
                        best_cost = cost;
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
        // The compiler loads rows of B ahead, for which registers must be left.
        let ahead = work + k * self.vectors <= machine.registers;
        if k <= MAX_STEPS && k * work <= all && ahead {
            return Some(Self { steps: k, sets, ..self });
        }
        // It also writes out a loop of few steps: there, fewer rows are better.
        if k <= FEW_STEPS && !ahead && self.rows > 1 {
            return None;
        }
        let mut steps = 8;
        while steps > 0 {
            // As above, with one to spare in a loop.
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
        // Tiles are of four sizes at most.
        let all_vectors = n.div_ceil(self.lanes);
        let across = [(all_vectors / self.vectors, self.vectors), (1, all_vectors % self.vectors)];
        let down = [(m / self.rows, self.rows), (1, m % self.rows)];
        let (mut cost, mut i) = (0, 0);
        while i < 4 {
            let ((beside, vectors), (below, rows)) = (across[i / 2], down[i % 2]);
            if rows * vectors > 0 {
                let latency = if rows * vectors < 8 { 5 } else { 10 };
                let step = max(max(rows * vectors, rows + vectors), latency);
                cost += beside * below * (k * step + 16 + rows * vectors);
            }
            i += 1;
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

const fn min(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

const fn max(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
