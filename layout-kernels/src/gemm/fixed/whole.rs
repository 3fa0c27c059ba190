//! Products of static layouts whose C is as large as a register or two: a lane makes an element of
//! C, wherever it is, and picks what it needs from registers that hold all of A and of B.
//!
//! Such a C has rows and columns that are shorter than a register, so that tiles of rows leave
//! lanes idle, and its elements are few, so that they would wait for each other.

use core::marker::PhantomData;

use crate::gemm::fixed::{Planned, Product};
use crate::gemm::float::Float;
use crate::gemm::mode::Mode;
use crate::gemm::modes::Modes;
use crate::gemm::scale::{Kind, Scale, scaled};
use crate::gemm::unroll::unroll;
use crate::simd::vector::{Isa, MAX_LANES, Vector};

/// The most registers of each operand.
const MOST: usize = 2;
/// The most steps along K.
const MAX_K: usize = 8;

/// What the lanes of a register of C pick from an operand at a step.
#[derive(Clone, Copy)]
struct Pick {
    /// The lane of an operand's register, or of both.
    places: [i32; MAX_LANES],
    /// The register that has all of them.
    from: Option<usize>,
}

impl Pick {
    const NONE: Self = Self { places: [0; MAX_LANES], from: Some(0) };

    /// With places in one register where they are in one.
    const fn narrow(mut self, lanes: usize) -> Self {
        let (mut low, mut high, mut i) = (true, true, 0);
        while i < lanes {
            let is_low = (self.places[i] as usize) < lanes;
            (low, high) = (low && is_low, high && !is_low);
            i += 1;
        }
        self.from = if low {
            Some(0)
        } else if high {
            Some(1)
        } else {
            None
        };
        while high && i > 0 {
            i -= 1;
            self.places[i] -= lanes as i32;
        }
        self
    }

    /// The elements.
    ///
    /// # Safety
    ///
    /// The instructions of `I` are there, which has [`Isa::PICKS`].
    #[inline(always)]
    unsafe fn of<T, I: Isa<T>>(&self, operand: [I::Full; MOST]) -> I::Full {
        match self.from {
            // SAFETY: the caller's promise; places are in this register.
            Some(i) => unsafe { I::pick(operand[i], &self.places) },
            // SAFETY: the caller's promise; places are in both.
            None => unsafe { I::pick_of_two(operand, &self.places) },
        }
    }
}

/// The picks for each step and each register of C.
struct Picks {
    a: [[Pick; MOST]; MAX_K],
    b: [[Pick; MOST]; MAX_K],
}

/// The product `P` with the vectors `I`.
pub(crate) struct Whole<T, I, P>(PhantomData<(T, I, P)>);

impl<T: Float, I: Isa<T>, P: Product> Whole<T, I, P> {
    const MODES: Modes = match P::MODES {
        Some(modes) => modes,
        None => Modes::UNIT,
    };

    /// Whether to make it so: where all fits and tiles have narrower registers.
    pub(crate) const FITS: bool = match &Planned::<T, I, P>::PLAN {
        Some(plan) => {
            let Modes { am, ak, bk, bn, cm, cn, m, n, k } = &Self::MODES;
            let lanes = I::Full::LANES;
            I::PICKS
                && plan.lanes < lanes
                && (*m * *n == lanes || *m * *n == MOST * lanes)
                && *k <= MAX_K
                && *m * *k <= MOST * lanes
                && *k * *n <= MOST * lanes
                && fills(am, ak)
                && fills(bk, bn)
                && fills(cm, cn)
        }
        None => false,
    };

    const PICKS: &'static Picks = &Self::picks();
    const A: usize = Self::MODES.m * Self::MODES.k;
    const B: usize = Self::MODES.k * Self::MODES.n;
    /// Registers.
    pub(crate) const C: usize = Self::MODES.m * Self::MODES.n / I::Full::LANES;
    const K: usize = Self::MODES.k;

    const fn picks() -> Picks {
        let none = [[Pick::NONE; MOST]; MAX_K];
        let mut picks = Picks { a: none, b: none };
        if !Self::FITS {
            return picks;
        }
        let Modes { am, ak, bk, bn, cm, cn, m, n, k } = &Self::MODES;
        let mut i = 0;
        while i < *m * *n {
            let (row, column) = (i % *m, i / *m);
            let at = cm.offset(row) + cn.offset(column);
            let (register, lane) = (at / I::Full::LANES, at % I::Full::LANES);
            let mut p = 0;
            while p < *k {
                let (x, y) = (am.offset(row) + ak.offset(p), bk.offset(p) + bn.offset(column));
                picks.a[p][register].places[lane] = x as i32;
                picks.b[p][register].places[lane] = y as i32;
                p += 1;
            }
            i += 1;
        }
        let mut p = 0;
        while p < *k {
            let mut i = 0;
            while i < Self::C {
                picks.a[p][i] = picks.a[p][i].narrow(I::Full::LANES);
                picks.b[p][i] = picks.b[p][i].narrow(I::Full::LANES);
                i += 1;
            }
            p += 1;
        }
        picks
    }
}

/// Whether the elements of an operand are at its first places, each at one.
const fn fills(first: &Mode, second: &Mode) -> bool {
    let (mut seen, mut i) = ([false; MOST * MAX_LANES], 0);
    while i < first.size() * second.size() {
        let at = first.offset(i % first.size()) + second.offset(i / first.size());
        if at >= first.size() * second.size() || seen[at] {
            return false;
        }
        seen[at] = true;
        i += 1;
    }
    true
}

/// The first `n` elements in two registers.
///
/// # Safety
///
/// The instructions of `V` are there, and the elements can be read.
#[inline(always)]
unsafe fn load<V: Vector>(p: *const V::Element, n: usize) -> [V; MOST] {
    if n < V::LANES {
        // SAFETY: the caller's promise.
        let low = unsafe { V::load_first(p, n) };
        return [low, low];
    }
    // SAFETY: there are as many elements.
    let low = unsafe { V::load(p) };
    let rest = p.wrapping_add(V::LANES);
    let high = match n - V::LANES {
        0 => low,
        // SAFETY: there are twice as many elements.
        n if n == V::LANES => unsafe { V::load(rest) },
        // SAFETY: the elements that are left.
        n => unsafe { V::load_first(rest, n) },
    };
    [low, high]
}

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
    let picks = const { Whole::<T, I, P>::PICKS };
    // SAFETY: A has an element at each of these places.
    let a = unsafe { load::<I::Full>(a, Whole::<T, I, P>::A) };
    // SAFETY: B has an element at each of these places.
    let b = unsafe { load::<I::Full>(b, Whole::<T, I, P>::B) };
    // SAFETY: the caller's promise.
    let mut sums = [unsafe { I::Full::splat(T::ZERO) }; MOST];
    unroll!(p < const { Whole::<T, I, P>::K }, 8, {
        unroll!(i < const { Whole::<T, I, P>::C }, 2, {
            // SAFETY: the caller's promise, and `FITS` says that there are picks.
            let x = unsafe { picks.a[p][i].of::<T, I>(a) };
            // SAFETY: as above.
            let y = unsafe { picks.b[p][i].of::<T, I>(b) };
            // SAFETY: the caller's promise.
            sums[i] = unsafe { x.mul_add(y, sums[i]) };
        });
    });
    unroll!(i < const { Whole::<T, I, P>::C }, 2, {
        let p = c.wrapping_add(i * I::Full::LANES);
        // SAFETY: C has an element at each of these places.
        let read = || unsafe { I::Full::load(p) };
        let new = match scale.kind {
            Kind::Assign => sums[i],
            // SAFETY: the caller's promise.
            Kind::Add => unsafe { sums[i].add(read()) },
            // SAFETY: the caller's promise.
            Kind::Scale | Kind::ScaleAdd => unsafe { scaled(scale, sums[i], read) },
        };
        // SAFETY: as for the load.
        unsafe { new.store(p) };
    });
}
