//! Products of static layouts whose C has short columns, or rows, that follow each other, and whose B
//! is consecutive along K: a lane for each column, as many at a time as a register has lanes.
//!
//! Tiles of rows would leave lanes idle. Here all work, on all rows that C has; in return a block of
//! B is turned in registers, as many steps at a time as a quarter of one has lanes, and C at the end.

use core::marker::PhantomData;

use crate::gemm::fixed::meet::meet_all;
use crate::gemm::fixed::picks::MOST;
use crate::gemm::fixed::whole::{Whole, in_columns};
use crate::gemm::fixed::{Planned, Product};
use crate::gemm::float::Float;
use crate::gemm::modes::Modes;
use crate::gemm::scale::Scale;
use crate::gemm::unroll::unroll;
use crate::simd::own_register;
use crate::simd::vector::{Isa, MAX_LANES, Vector};

/// The product `P` with the vectors `I`.
pub(crate) struct Turned<T, I, P>(PhantomData<(T, I, P)>);

/// The lanes of two registers, one after the other, that each lane picks.
type Places = [u8; MAX_LANES];

/// As many rows of B as a quarter of a register has lanes.
type Square<V> = [V; 4];

impl<T: Float, I: Isa<T>, P: Product> Turned<T, I, P> {
    /// Whether to make it so: where all fits, and it takes less than other ways.
    pub(crate) const FITS: bool = match &Planned::<T, I, P>::PLAN {
        Some(plan) if I::PICKS => {
            let Modes { ak, bk, k, m, n, .. } = &Self::MODES;
            // Few columns would leave most lanes idle, and their sums would wait.
            in_columns(&Self::MODES)
                && *m <= MOST
                && *n > I::Quarter::LANES
                && *k >= Self::STEPS
                && bk.runs(*k)
                && ak.extents().len() == 1
                && Self::cost() < Whole::<T, I, P>::least(plan)
        }
        _ => false,
    };

    const MODES: Modes = Whole::<T, I, P>::MODES;
    const M: usize = Self::MODES.m;
    const K: usize = Self::MODES.k;
    /// Columns of a block.
    const LANES: usize = I::Full::LANES;
    const BLOCKS: usize = Self::MODES.n / Self::LANES;
    /// The columns after the last block.
    const REST: usize = Self::MODES.n % Self::LANES;
    /// Steps that are turned together.
    const STEPS: usize = I::Quarter::LANES;
    /// How far elements of A and B are from those of the next step, or the next column.
    const NEXT_A: usize = Self::MODES.ak.offset(1);
    const NEXT_B: usize = Self::MODES.bn.offset(1);
    /// Where the rows of A start.
    const ROWS: &'static [usize; MOST] = &{
        let (mut rows, mut i) = ([0; MOST], 0);
        while i < MOST && i < Self::M {
            rows[i] = Self::MODES.am.offset(i);
            i += 1;
        }
        rows
    };

    /// An estimate in half cycles, as that of [`Whole`]; a sixth more, for products must often wait
    /// for the places where registers are turned.
    const fn cost() -> usize {
        let rest = if Self::REST > 0 { Self::block(Self::REST) } else { 0 };
        (Self::BLOCKS * Self::block(Self::LANES) + rest + 12) * 7 / 6
    }

    /// What some columns take. Half of the places where a product is made pick as well, but all
    /// insert.
    const fn block(columns: usize) -> usize {
        let turns = Self::K.div_ceil(Self::STEPS);
        let inserts = turns * (columns - if columns < Self::STEPS { columns } else { Self::STEPS });
        let registers = (columns * Self::M).div_ceil(Self::LANES);
        let picks = turns * Self::STEPS * Self::STEPS.ilog2() as usize + registers * (Self::M - 1);
        let others = Self::K * Self::M + inserts;
        (if picks > others { 2 * picks } else { picks + others }) + 2 * registers
    }

    /// Rows `i` and `i + 2^stage` of a square exchange what is on the wrong side of its diagonal.
    const EXCHANGE: &'static [[Places; 2]; 2] = &{
        let (mut places, mut stage) = ([[[0; MAX_LANES]; 2]; 2], 0);
        while stage < 2 {
            let (distance, mut lane) = (1 << stage, 0);
            while lane < Self::LANES {
                let upper = lane & distance != 0;
                let (first, second) = if upper {
                    (Self::LANES + lane - distance, Self::LANES + lane)
                } else {
                    (lane, lane + distance)
                };
                places[stage][0][lane] = first as u8;
                places[stage][1][lane] = second as u8;
                lane += 1;
            }
            stage += 1;
        }
        places
    };

    /// For each register of a block of C and each row but the first: the lanes of what was picked so
    /// far, or of the first row, and of this row.
    const PICKED: &'static [[Places; MOST]; MOST] = &{
        let (mut places, mut register) = ([[[0; MAX_LANES]; MOST]; MOST], 0);
        while register < MOST && register < Self::M {
            let mut lane = 0;
            while lane < Self::LANES {
                let at = register * Self::LANES + lane;
                let (row, column) = (at % Self::M, at / Self::M);
                let mut i = 1;
                while i < MOST && i < Self::M {
                    places[register][i][lane] = if row == i {
                        Self::LANES + column
                    } else if i == 1 {
                        column
                    } else {
                        lane
                    } as u8;
                    i += 1;
                }
                lane += 1;
            }
            register += 1;
        }
        places
    };
}

/// `C = alpha * A * B + beta * C`, for a product of which [`Turned::FITS`] is true.
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
    let (mut b, mut c) = (b, c);
    for _ in 0..const { Turned::<T, I, P>::BLOCKS } {
        (b, c) = (own_register(b), own_register(c).cast_mut());
        // SAFETY: the caller's promise, for the columns of a block.
        unsafe { block::<T, I, P, false>(scale, a, b, c) };
        b = b.wrapping_add(const { Turned::<T, I, P>::NEXT_B * I::Full::LANES });
        c = c.wrapping_add(const { Turned::<T, I, P>::M * I::Full::LANES });
    }
    if const { Turned::<T, I, P>::REST > 0 } {
        // SAFETY: the caller's promise, for the columns after the last block.
        unsafe { block::<T, I, P, true>(scale, a, b, c) };
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
    a: *const T,
    b: *const T,
    c: *mut T,
) {
    let (k, steps) = const { (Turned::<T, I, P>::K, Turned::<T, I, P>::STEPS) };
    // SAFETY: the caller's promise.
    let zero = unsafe { I::Full::splat(T::ZERO) };
    let mut sums = [zero; MOST];
    let mut p = 0;
    while p + steps <= k {
        // SAFETY: the caller's promise, for as many steps of these columns.
        let rows = unsafe { turn::<T, I, P, END>(b.wrapping_add(p)) };
        unroll!(u < const { Turned::<T, I, P>::STEPS }, 4, {
            // SAFETY: the caller's promise.
            unsafe { step::<T, I, P>(a, p + u, rows[u], &mut sums) };
        });
        p += steps;
    }
    if const { !Turned::<T, I, P>::K.is_multiple_of(Turned::<T, I, P>::STEPS) } {
        // With some steps before them.
        let first = k - steps;
        // SAFETY: the caller's promise, for as many steps of these columns.
        let rows = unsafe { turn::<T, I, P, END>(b.wrapping_add(first)) };
        unroll!(u < const { Turned::<T, I, P>::STEPS }, 4, {
            if u >= steps - k % steps {
                // SAFETY: the caller's promise.
                unsafe { step::<T, I, P>(a, first + u, rows[u], &mut sums) };
            }
        });
    }
    let columns = const { if END { Turned::<T, I, P>::REST } else { I::Full::LANES } };
    let mut turned = [zero; MOST];
    unroll!(register < const { Turned::<T, I, P>::M }, 8, {
        turned[register] = sums[0];
        unroll!(i < const { Turned::<T, I, P>::M }, 8, {
            if i > 0 {
                let places = &const { Turned::<T, I, P>::PICKED }[register][i];
                // SAFETY: the caller's promise; places are in both.
                turned[register] = unsafe { I::pick_of_two([turned[register], sums[i]], places) };
            }
        });
    });
    // SAFETY: these columns of C have as many elements, one after the other.
    unsafe { meet_all::<T, I>(scale, &turned, c, columns * const { Turned::<T, I, P>::M }) };
}

/// Adds the products of step `p`: the elements of A times the row of B.
///
/// # Safety
///
/// The instructions of `I` are there, and A can be read.
#[inline(always)]
unsafe fn step<T: Float, I: Isa<T>, P: Product>(
    a: *const T,
    p: usize,
    row: I::Full,
    sums: &mut [I::Full; MOST],
) {
    let a = a.wrapping_add(p * const { Turned::<T, I, P>::NEXT_A });
    unroll!(i < const { Turned::<T, I, P>::M }, 8, {
        // SAFETY: an element of A.
        let x = unsafe { *a.wrapping_add(const { Turned::<T, I, P>::ROWS }[i]) };
        // SAFETY: the caller's promise.
        let x = unsafe { I::Full::splat(x) };
        // SAFETY: the caller's promise.
        sums[i] = unsafe { x.mul_add(row, sums[i]) };
    });
}

/// Some rows of a block of B, of which consecutive elements of columns are loaded from `b` on.
///
/// # Safety
///
/// The instructions of `I` are there, and as many elements of each column as a quarter of a register
/// has lanes can be read.
#[inline(always)]
unsafe fn turn<T: Float, I: Isa<T>, P: Product, const END: bool>(b: *const T) -> Square<I::Full> {
    // SAFETY: the caller's promise.
    let zero = unsafe { I::Full::splat(T::ZERO) };
    let columns = const { if END { Turned::<T, I, P>::REST } else { I::Full::LANES } };
    let (next, steps) = const { (Turned::<T, I, P>::NEXT_B, Turned::<T, I, P>::STEPS) };
    let mut rows = [zero, zero, zero, zero];
    unroll!(i < const { Turned::<T, I, P>::STEPS }, 4, {
        if i < columns {
            let (b, quarters) = (b.wrapping_add(i * next), (columns - i).div_ceil(steps));
            // SAFETY: elements of columns `i`, `i + STEPS` and so on, as many as there are.
            rows[i] = unsafe { I::load_quarters(b, steps * next, quarters) };
        }
    });
    unroll!(stage < const { Turned::<T, I, P>::STEPS.ilog2() as usize }, 2, {
        let [first, second] = &const { Turned::<T, I, P>::EXCHANGE }[stage];
        unroll!(i < const { Turned::<T, I, P>::STEPS }, 4, {
            let other = i + (1 << stage);
            if i & (1 << stage) == 0 {
                let both = [rows[i], rows[other]];
                // SAFETY: the caller's promise; places are in both.
                rows[i] = unsafe { I::pick_of_two(both, first) };
                // SAFETY: as above.
                rows[other] = unsafe { I::pick_of_two(both, second) };
            }
        });
    });
    rows
}
