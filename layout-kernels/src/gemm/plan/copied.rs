//! Chooses the operands of a product that are copied before they are multiplied.

use crate::gemm::plan::boxes::{A, B, Boxes, C, Role};
use crate::gemm::problem::mode::coalesces;
use crate::gemm::problem::offsets::Offsets;
use crate::gemm::problem::steps::MIN_RUN_WORDS;

/// Throughput of tiles of one, two, and three or more vectors, in % of full tiles. (320 random
/// contractions, speed relative to TTGT: 1.16 with 70 % for one vector, 1.15 with 50, 1.14 with 90.)
const NARROW_PERCENT: [usize; 3] = [70, 90, 100];

/// The same for tiles of one to four rows. Tiles with more rows count as full.
const LOW_PERCENT: [usize; 4] = [25, 45, 65, 80];

/// Copying C costs as much as this many steps along K. (The same contractions: 1.16 with 10 to 20
/// steps, 1.14 with 40. But runs of 24 over 24 steps, 48 MB of C, take up to twice as long with 10.)
const COPY_C_STEPS: usize = 15;

/// If the operand with the vectors of C has at least this many times its elements, C is copied instead.
/// (This and the constants below were found with 1000 random contractions, each computed with all twelve
/// choices. The speed is 0.92 of the best choice; without these rules 0.88. 400 others: 0.91 and 0.87.)
const SMALLER_C: usize = 4;

/// An operand whose elements are multiplied this often is copied: the copy costs little then.
const MANY_USES: usize = 256;

/// Rows with this many times the elements of the other operands together are not copied, unless their runs
/// are too short to be read in place: reading them takes most of the time.
const LARGE_OPERAND: usize = 8;

/// From this many steps along K on, the copy of C may be transposed: vectors then run along its other mode.
const MIN_TRANSPOSED_STEPS: usize = 32;

/// It is, if this many more of 100 lanes are idle otherwise.
const IDLE_PERCENT: usize = 25;

/// It also is, if the operand with the vectors is contiguous along K and their mode has this many times the
/// coordinates of the other.
const LONG_MODE: usize = 8;

/// The first run of an operand with a constant stride.
struct Run {
    role: Role,
    /// Elements of the run along axes of one mode, and how many of them also have a constant stride
    /// in the other operand with that mode.
    len: usize,
    shared_len: usize,
    /// Whether the run is contiguous in C.
    in_c: bool,
}

impl Boxes {
    /// Decides which operands are copied, and which mode the vectors of `lanes` lanes run along: sets
    /// `copied` and `vector_mode`. `None` if no operand is copied.
    pub(super) fn choose_copied(&mut self, lanes: usize) -> Option<()> {
        let [of_a, of_b, of_c] = [A, B, C].map(|operand| self.run(operand));
        let (of_a, of_b, of_c) = (of_a?, of_b?, of_c?);
        self.vector_mode = self.contiguous_mode();
        let transposes_c = self.transposes_c([&of_a, &of_b], lanes);
        if transposes_c {
            self.vector_mode = self.row_mode();
        }
        let (vector_mode, k) = (self.vector_mode, self.size_of(Role::K));
        // If C and the operand with its vectors are contiguous along different axes, one of them is copied
        // into the order of the other.
        let (v, of_v) = if vector_mode == Role::M { (A, &of_a) } else { (B, &of_b) };
        let c_follows_v = !transposes_c
            && of_v.role == vector_mode
            && !of_v.in_c
            && self.elements(C) <= self.elements(v) / SMALLER_C;
        let c = transposes_c
            || c_follows_v
            || of_c.role == Role::Batch
            || self.copy_fills_vectors(&of_c, lanes);
        // If A and B are contiguous along different axes of K, one copy is enough.
        let cross = (of_a.role, of_b.role) == (Role::K, Role::K)
            && self.axes_of(A)[0] != self.axes_of(B)[0];
        let pays = |operand: usize, run: &Run, own: Role, reuse: usize| {
            let along_vectors = own == vector_mode;
            // Operands with shorter runs are copied.
            let limit = match run.role {
                Role::Batch => return true,
                _ if along_vectors && c_follows_v => return false,
                _ if !along_vectors
                    && run.shared_len >= MIN_RUN_WORDS
                    && self.is_large(operand) =>
                {
                    return false;
                }
                Role::K if reuse >= MANY_USES && !cross => return true,
                Role::K => lanes,
                // A copy of C takes the order of both operands.
                _ if transposes_c => 0,
                // If C continues in an order of its own, the operand is copied into that order.
                _ if run.in_c && along_vectors && !c => lanes.min(of_c.len),
                _ if run.in_c => 0,
                _ if reuse >= MANY_USES => return true,
                // Packing transposes vectors of long runs without a copy.
                _ if along_vectors && run.shared_len >= lanes && of_c.shared_len >= 2 * lanes => 0,
                _ if k < 4 * lanes => 4 * lanes,
                _ => 2 * lanes,
            };
            // A copy of C takes the order of the operand.
            let len = if c && run.role == own { run.len } else { run.shared_len };
            len < limit && reuse >= lanes / 4
        };
        let (m, n) = (self.size_of(Role::M), self.size_of(Role::N));
        let mut copied = [pays(A, &of_a, Role::M, n), pays(B, &of_b, Role::N, m), c];
        if cross && !copied[A] && !copied[B] {
            copied[if m <= n { A } else { B }] = true;
        }
        self.copied = copied;
        (copied != [false; 3]).then_some(())
    }

    /// Whether the copy of C is transposed, so that vectors run along the mode that does not have its
    /// contiguous axis.
    fn transposes_c(&self, [of_a, of_b]: [&Run; 2], lanes: usize) -> bool {
        let [v, r] = [self.vector_mode, self.row_mode()].map(|role| self.size_of(role));
        let (of_v, of_r) = if self.vector_mode == Role::M { (of_a, of_b) } else { (of_b, of_a) };
        let idle = |size: usize| {
            let padded = size.div_ceil(lanes).saturating_mul(lanes);
            (padded - size).saturating_mul(100) / padded
        };
        // Rows that are contiguous along K are used in place; as vectors, they would be transposed.
        let fills_vectors = of_r.role != Role::K && idle(v) > idle(r) + IDLE_PERCENT;
        let is_long = of_v.role == Role::K && v / LONG_MODE >= r;
        self.size_of(Role::K) >= MIN_TRANSPOSED_STEPS && r > 2 && (fills_vectors || is_long)
    }

    /// Whether a copy of C makes up for its cost, because tiles are then full in both directions.
    fn copy_fills_vectors(&self, of_c: &Run, lanes: usize) -> bool {
        // Efficiency of tiles for runs of C of this length, in percent of full vectors.
        let use_of = |run: usize| {
            let vectors = run.div_ceil(lanes).clamp(1, usize::MAX / lanes);
            run.saturating_mul(NARROW_PERCENT[vectors.min(NARROW_PERCENT.len()) - 1])
                / (vectors * lanes)
        };
        let rows = |run: usize| LOW_PERCENT.get(run - 1).copied().unwrap_or(100);
        let before = use_of(of_c.len) * rows(self.run_of_c(self.row_mode())) / 100;
        let [v, r] = [self.vector_mode, self.row_mode()].map(|role| self.size_of(role));
        let after = use_of(v) * rows(r) / 100;
        after.saturating_sub(before).saturating_mul(self.size_of(Role::K)) > COPY_C_STEPS * before
    }

    /// Whether an operand has many times the elements of the two others.
    fn is_large(&self, operand: usize) -> bool {
        let others = [A, B, C].into_iter().filter(|&other| other != operand);
        let others = others.map(|other| self.elements(other)).fold(0, usize::saturating_add);
        self.elements(operand) / LARGE_OPERAND > others
    }

    /// Elements of C with a constant stride along a mode.
    fn run_of_c(&self, role: Role) -> usize {
        let own = self.axes_of(C).into_iter().map(|i| &self.axes[i]);
        let own = own.filter(|axis| axis.role == role);
        Offsets::of_axes(own.map(|axis| (axis.extent, axis.strides[C]))).run_len
    }

    /// The first run of an operand. `None` if axes overlap (a copy would be larger than the operand),
    /// or if there are none.
    fn run(&self, operand: usize) -> Option<Run> {
        let own = self.axes_of(operand);
        let axis = |i: usize| &self.axes[own[i]];
        let last = (0..own.len()).fold(0usize, |last, i| {
            last.saturating_add((axis(i).extent - 1).saturating_mul(axis(i).strides[operand]))
        });
        // Without overlap, the offset of the last element is at least the number of elements before
        // it.
        if own.is_empty() || self.elements(operand) - 1 > last {
            return None;
        }
        let role = axis(0).role;
        let other = match (operand, role) {
            (A, Role::M) | (B, Role::N) => C,
            (A, _) | (C, Role::N) => B,
            _ => A,
        };
        let in_c = axis(0).strides[C] == 1;
        if operand == C && !in_c {
            // Vectors of C are contiguous.
            return Some(Run { role, len: 1, shared_len: 1, in_c });
        }
        let len = axis(0).extent;
        let mut run = Run { role, len, shared_len: len, in_c };
        let mut both = true;
        for i in 1..own.len() {
            let (last, next) = (axis(i - 1), axis(i));
            let coalesces = |of: usize| coalesces(last.extent, last.strides[of], next.strides[of]);
            if next.role != role || !coalesces(operand) {
                break;
            }
            both = both && coalesces(other);
            run.len *= next.extent;
            run.shared_len *= if both { next.extent } else { 1 };
        }
        Some(run)
    }
}
