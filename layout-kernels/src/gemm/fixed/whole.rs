//! Products of static layouts whose C is consecutive and has short columns, or rows: a lane makes an
//! element of C, wherever it is, and picks what it needs from registers that hold a part of A and of
//! B.
//!
//! Tiles of rows would leave lanes idle, and where elements of C are few they would wait for each
//! other. A small C is made at once. Otherwise it is made in blocks of columns that fill registers:
//! lanes pick the same from each block.

use core::marker::PhantomData;

use crate::gemm::fixed::choice::cost;
use crate::gemm::fixed::inner::Inner;
use crate::gemm::fixed::meet::meet_all;
use crate::gemm::fixed::picks::{MAX_K, MOST, Operand, Picks};
use crate::gemm::fixed::plan::Plan;
use crate::gemm::fixed::{Planned, Product};
use crate::gemm::float::Float;
use crate::gemm::modes::Modes;
use crate::gemm::scale::Scale;
use crate::gemm::unroll::unroll;
use crate::simd::vector::{Isa, Vector};

/// The product `P` with the vectors `I`.
pub(crate) struct Whole<T, I, P>(PhantomData<(T, I, P)>);

/// How lanes pick.
struct Chosen {
    /// The columns of a block.
    columns: usize,
    /// What the registers of a block pick.
    block: Picks,
    /// What those of the columns after the last block pick.
    end: Picks,
    /// An estimate of what all takes.
    cost: usize,
}

impl Chosen {
    /// Blocks of so many columns, if few registers have what each register of C picks.
    const fn new<T, I: Isa<T>>(modes: &Modes, columns: usize) -> Option<Self> {
        let (lanes, rest) = (I::Full::LANES, modes.n % columns);
        let Some(block) = Picks::new::<T, I>(&first_columns(modes, columns)) else {
            return None;
        };
        let end = if rest > 0 {
            Picks::new::<T, I>(&first_columns(modes, rest))
        } else {
            Some(Picks::NONE)
        };
        let Some(end) = end else { return None };
        let (blocks, m, k) = (modes.n / columns, modes.m, modes.k);
        let (full, part) = ((columns * m).div_ceil(lanes), (rest * m).div_ceil(lanes));
        // A is picked once.
        let picks = block.a(full, k) + blocks * block.b(full, k) + end.b(part, k);
        let loads = block.loads_a(full, k, lanes)
            + blocks * block.loads_b(full, k, lanes)
            + end.loads_b(part, k, lanes);
        let registers = blocks * full + part;
        Some(Self {
            columns,
            block,
            end,
            cost: takes(picks, loads, registers, k) + if blocks > 1 { 8 } else { 12 },
        })
    }
}

/// An estimate in half cycles, as that of tiles: two products a cycle, or one and a pick; two loads;
/// and about four cycles until a sum can be added to again.
const fn takes(picks: usize, loads: usize, registers: usize, k: usize) -> usize {
    let products = registers * k;
    let busy = if picks > products { 2 * picks } else { picks + products };
    // Places are loaded too.
    let busy = if loads + picks > busy { loads + picks } else { busy };
    // Products that follow each other fill half of the wait.
    let wait = 4 * k;
    (if busy > wait { busy } else { wait }) + 2 * registers
}

/// The product with the first columns of B.
const fn first_columns(modes: &Modes, n: usize) -> Modes {
    if n == modes.n {
        return *modes;
    }
    Modes { bn: modes.bn.first(n), cn: modes.cn.first(n), n, ..*modes }
}

impl<T: Float, I: Isa<T>, P: Product> Whole<T, I, P> {
    /// Whether C has its rows, and not its columns, one after the other.
    pub(crate) const TURNED: bool = match &P::MODES {
        Some(modes) => !in_columns(modes) && in_columns(&modes.transposed()),
        None => false,
    };
    pub(crate) const MODES: Modes = match &P::MODES {
        Some(modes) if Self::TURNED => modes.transposed(),
        Some(modes) => *modes,
        None => Modes::UNIT,
    };
    /// The picks, where it pays to make it so: where all fits and takes less than other ways.
    const CHOSEN: Option<Chosen> = match &Planned::<T, I, P>::PLAN {
        Some(plan) if I::PICKS && Self::MODES.k <= MAX_K => {
            let best = match (Self::at_once(plan), Self::in_blocks(plan)) {
                (Some(once), Some(blocks)) if blocks.cost < once.cost && !Self::FEW => Some(blocks),
                (None, blocks) => blocks,
                (once, _) => once,
            };
            match best {
                Some(best) if best.cost < Self::other(plan) => Some(best),
                _ => None,
            }
        }
        _ => None,
    };

    /// Whether products are so few that a loop costs more than it saves.
    const FEW: bool = Self::REGISTERS * Self::MODES.k <= 16;

    /// All columns as a block.
    const fn at_once(plan: &Plan) -> Option<Chosen> {
        let (Modes { m, n, k, .. }, most) = (Self::MODES, MOST * I::Full::LANES);
        let fits = m * n <= most && m * k <= most && k * n <= most;
        let registers = (m * n).div_ceil(I::Full::LANES);
        // At least what each register takes.
        if fits && takes(0, 0, registers, k) < Self::other(plan) {
            Chosen::new::<T, I>(&Self::MODES, n)
        } else {
            None
        }
    }

    /// As few columns as fill registers as a block.
    const fn in_blocks(plan: &Plan) -> Option<Chosen> {
        let Modes { m, n, k, .. } = Self::MODES;
        let mut columns = 1;
        while !(columns * m).is_multiple_of(I::Full::LANES) {
            columns += 1;
        }
        let (most, registers) = (MOST * I::Full::LANES, (m * n).div_ceil(I::Full::LANES));
        let fits = columns * m <= most && m * k <= most && k * columns <= most;
        if columns < n
            && fits
            && in_columns(&Self::MODES)
            && takes(0, 0, registers, k) < Self::other(plan)
        {
            Chosen::new::<T, I>(&Self::MODES, columns)
        } else {
            None
        }
    }

    /// What another way takes.
    const fn other(plan: &Plan) -> usize {
        match Inner::<T, I, P>::COST {
            Some(cost) => cost,
            None => cost::<T, I>(plan),
        }
    }

    /// What this, or the best other way without turning, takes.
    pub(crate) const fn least(plan: &Plan) -> usize {
        match &Self::CHOSEN {
            Some(chosen) => chosen.cost,
            None => Self::other(plan),
        }
    }

    /// Whether to make it so.
    pub(crate) const FITS: bool = Self::CHOSEN.is_some();
    const PICKS: &'static Chosen = &match Self::CHOSEN {
        Some(chosen) => chosen,
        None => Chosen { columns: 1, block: Picks::NONE, end: Picks::NONE, cost: 0 },
    };
    const K: usize = Self::MODES.k;
    const A: usize = Self::MODES.m * Self::K;
    const COLUMNS: usize = Self::PICKS.columns;
    const BLOCKS: usize = Self::MODES.n / Self::COLUMNS;
    /// The columns after the last block.
    const REST: usize = Self::MODES.n % Self::COLUMNS;
    /// From the first element of B, or of C, of a block to that of the next.
    const NEXT: [usize; 2] =
        [Self::MODES.bn.offset(Self::COLUMNS), Self::MODES.cn.offset(Self::COLUMNS)];
    /// Elements of C in a block, or, at the end, in the columns after the last one.
    const fn size(end: bool) -> usize {
        Self::MODES.m * if end { Self::REST } else { Self::COLUMNS }
    }

    /// Registers of a block.
    pub(crate) const BLOCK: usize = Self::size(false).div_ceil(I::Full::LANES);
    /// Registers of C, with one that is not full.
    pub(crate) const REGISTERS: usize = (Self::MODES.m * Self::MODES.n).div_ceil(I::Full::LANES);
}

/// Whether the columns of C follow each other, and have more than one element; and those of B are
/// all at one distance.
pub(crate) const fn in_columns(modes: &Modes) -> bool {
    let Modes { m, n, .. } = *modes;
    m > 1
        && n > 1
        && modes.cm.extents().len() == 1
        && modes.cn.extents().len() == 1
        && modes.bn.extents().len() == 1
        && modes.cm.runs(m)
        && modes.cn.offset(1) == m
}

/// What the lanes pick from A, for each step and each register of a block.
type FromA<V> = [[V; MOST]; MAX_K];

/// `C = alpha * A * B + beta * C`, for a product of which [`Whole::FITS`] is true.
///
/// # Safety
///
/// The instructions of `I` are there. Elements of A and B can be read, and of C read and written,
/// at every offset of the layouts of `P`; nothing else accesses C meanwhile.
#[inline(always)]
pub(crate) unsafe fn run<T: Float, I: Isa<T>, P: Product>(
    scale: &Scale<T>,
    a: *const T,
    b: *const T,
    c: *mut T,
) {
    let (a, b) = if const { Whole::<T, I, P>::TURNED } { (b, a) } else { (a, b) };
    let a = Operand::new(a, const { Whole::<T, I, P>::A });
    let chosen = const { Whole::<T, I, P>::PICKS };
    // SAFETY: the caller's promise.
    let zero = unsafe { I::Full::splat(T::ZERO) };
    let mut picked = [[zero; MOST]; MAX_K];
    unroll!(i < const { Whole::<T, I, P>::BLOCK }, 8, {
        unroll!(p < const { Whole::<T, I, P>::K }, 8, {
            // SAFETY: A has an element at each of its first places, by `FITS`.
            picked[p][i] = unsafe { chosen.block.a[p][i].of::<T, I>(&a) };
        });
    });
    let (mut b, mut c) = (b, c);
    for _ in 0..const { Whole::<T, I, P>::BLOCKS } {
        // SAFETY: the caller's promise, for the columns of a block.
        unsafe { block::<T, I, P, false>(scale, &picked, b, c) };
        let [next_b, next_c] = const { Whole::<T, I, P>::NEXT };
        (b, c) = (b.wrapping_add(next_b), c.wrapping_add(next_c));
    }
    if const { Whole::<T, I, P>::REST > 0 } {
        // SAFETY: the caller's promise, for the columns after the last block.
        unsafe { block::<T, I, P, true>(scale, &picked, b, c) };
    }
}

/// The columns of a block, or those after the last one, at the `END`.
///
/// # Safety
///
/// As [`run`], for B and C from the first of these columns on.
#[inline(always)]
unsafe fn block<T: Float, I: Isa<T>, P: Product, const END: bool>(
    scale: &Scale<T>,
    picked: &FromA<I::Full>,
    b: *const T,
    c: *mut T,
) {
    let chosen = const { Whole::<T, I, P>::PICKS };
    let picks = if END { &chosen.end } else { &chosen.block };
    let columns = const { if END { Whole::<T, I, P>::REST } else { Whole::<T, I, P>::COLUMNS } };
    let b = Operand::new(b, columns * const { Whole::<T, I, P>::K });
    // SAFETY: the caller's promise.
    let zero = unsafe { I::Full::splat(T::ZERO) };
    let mut sums = [zero; MOST];
    unroll!(i < const { Whole::<T, I, P>::size(END).div_ceil(I::Full::LANES) }, 8, {
        unroll!(p < const { Whole::<T, I, P>::K }, 8, {
            // SAFETY: these columns of B have an element at each of their first places, by `FITS`.
            let y = unsafe { picks.b[p][i].of::<T, I>(&b) };
            // SAFETY: the caller's promise.
            sums[i] = unsafe { picked[p][i].mul_add(y, sums[i]) };
        });
    });
    // SAFETY: these columns of C have as many elements, one after the other.
    unsafe { meet_all::<T, I>(scale, &sums, c, const { Whole::<T, I, P>::size(END) }) };
}
