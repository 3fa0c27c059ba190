//! `Picks`: what each lane of C picks from A and B at each step, of a product that is made as a
//! [`whole`](super::whole).

use crate::gemm::float::Float;
use crate::gemm::mode::Mode;
use crate::gemm::modes::Modes;
use crate::gemm::unroll::unroll;
use crate::simd::own_register;
use crate::simd::vector::{Isa, MAX_LANES, Vector};

/// The most registers of C.
pub(crate) const MOST: usize = 8;
/// The most steps along K.
pub(crate) const MAX_K: usize = 8;
/// The most elements of an operand.
const MAX_ELEMENTS: usize = MOST * MAX_LANES;
/// From how many registers the lanes of one pick at most.
const MAX_WINDOWS: usize = 5;

/// The lanes that repeat two elements.
const PAIRS: &[u8; MAX_LANES] = &[0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1];

/// What the lanes of a register of C pick from an operand at a step.
#[derive(Clone, Copy)]
pub(crate) struct Pick {
    way: Way,
    /// The places of elements from which registers are loaded.
    starts: [usize; MAX_WINDOWS],
    /// Of windows, the lanes of the first one, where it is alone; of the first two; and then of what
    /// was picked so far and the next one.
    places: [[u8; MAX_LANES]; MAX_WINDOWS],
}

/// How lanes pick.
#[derive(Clone, Copy)]
enum Way {
    /// All repeat so many elements from the first start on.
    Repeated(usize),
    /// From so many windows: as many consecutive elements as there are lanes, from each start on.
    Windows(usize),
}

impl Pick {
    const NONE: Self = Self {
        way: Way::Windows(0),
        starts: [0; MAX_WINDOWS],
        places: [[0; MAX_LANES]; MAX_WINDOWS],
    };

    /// How `used` lanes pick the elements at these places of an operand of `size` elements, if few
    /// registers have them all.
    const fn new<T, I: Isa<T>>(
        wanted: &[usize; MAX_LANES],
        used: usize,
        size: usize,
    ) -> Option<Self> {
        let (mut low, mut high, mut i) = (wanted[0], wanted[0], 1);
        while i < used {
            low = min(low, wanted[i]);
            high = if wanted[i] > high { wanted[i] } else { high };
            i += 1;
        }
        let mut pick = Self { starts: [low; MAX_WINDOWS], ..Self::NONE };
        let mut repeated = [1, 2, I::Quarter::LANES, I::Half::LANES].as_slice();
        while let [first, rest @ ..] = repeated {
            if high - low < *first && low + *first <= size && repeats(wanted, used, *first) {
                pick.way = Way::Repeated(*first);
                return Some(pick);
            }
            repeated = rest;
        }
        Self::of_windows::<T, I>(wanted, used, size, low, high)
    }

    /// [`new`](Self::new) of windows, for places from `low` to `high`.
    const fn of_windows<T, I: Isa<T>>(
        wanted: &[usize; MAX_LANES],
        used: usize,
        size: usize,
        low: usize,
        high: usize,
    ) -> Option<Self> {
        let mut pick = Self::NONE;
        let lanes = I::Full::LANES;
        // From a multiple of a register on, where that takes no more of them: other steps have the
        // same then.
        let (last, aligned) = (size.saturating_sub(lanes), low / lanes * lanes);
        let more = (high - aligned) / lanes > (high - low) / lanes;
        let mut start = min(if more { low } else { aligned }, last);
        let (mut w, mut taken) = (0, [false; MAX_LANES]);
        while w < MAX_WINDOWS {
            pick.starts[w] = start;
            let mut lane = 0;
            while lane < lanes {
                let at = wanted[lane].wrapping_sub(start);
                let here = lane < used && !taken[lane] && at < lanes;
                pick.places[w][lane] = if here {
                    (at + if w > 0 { lanes } else { 0 }) as u8
                } else if w == 1 {
                    pick.places[0][lane]
                } else {
                    lane as u8
                };
                taken[lane] |= here;
                lane += 1;
            }
            w += 1;
            if high < start + lanes {
                pick.way = Way::Windows(w);
                return Some(pick);
            }
            start = min(start + lanes, last);
        }
        None
    }

    /// The instructions it takes besides loads.
    const fn count(&self) -> usize {
        match self.way {
            Way::Windows(windows) if windows > 1 => windows - 1,
            Way::Windows(windows) => windows,
            Way::Repeated(_) => 0,
        }
    }

    /// The elements.
    ///
    /// # Safety
    ///
    /// The instructions of `I` are there, which has [`Isa::PICKS`], and the operand has an element
    /// at each place below its size.
    #[inline(always)]
    pub(crate) unsafe fn of<T: Float, I: Isa<T>>(&self, operand: &Operand<T>) -> I::Full {
        let Operand { start: p, again, .. } = *operand;
        match self.way {
            Way::Repeated(1) => {
                // SAFETY: an element of the operand.
                let x = unsafe { *p.wrapping_add(self.starts[0]) };
                // SAFETY: the caller's promise.
                unsafe { I::Full::splat(x) }
            }
            Way::Repeated(2) if I::Quarter::LANES > 2 => {
                // SAFETY: two elements of the operand.
                let pair = unsafe { window::<T, I>(p.wrapping_add(self.starts[0]), 2) };
                // SAFETY: the caller's promise.
                unsafe { I::pick(pair, PAIRS) }
            }
            Way::Repeated(n) => {
                let start = again.wrapping_add(self.starts[0]);
                if n == I::Quarter::LANES {
                    // SAFETY: as many elements of the operand.
                    unsafe { I::repeat_quarter(start) }
                } else {
                    // SAFETY: as above.
                    unsafe { I::repeat_half(start) }
                }
            }
            Way::Windows(1) => {
                // SAFETY: the caller's promise.
                let first = unsafe { self.window::<T, I>(operand, 0) };
                // SAFETY: the caller's promise; places are in this register.
                unsafe { I::pick(first, &self.places[0]) }
            }
            Way::Windows(windows) => {
                // SAFETY: the caller's promise.
                let mut picked = unsafe { self.window::<T, I>(operand, 0) };
                unroll!(w < MAX_WINDOWS - 1, 4, {
                    if w + 1 < windows {
                        // SAFETY: the caller's promise.
                        let next = unsafe { self.window::<T, I>(operand, w + 1) };
                        // SAFETY: the caller's promise; places are in both.
                        picked = unsafe { I::pick_of_two([picked, next], &self.places[w + 1]) };
                    }
                });
                picked
            }
        }
    }

    /// Window `w`.
    ///
    /// # Safety
    ///
    /// As [`of`](Self::of).
    #[inline(always)]
    unsafe fn window<T: Float, I: Isa<T>>(&self, operand: &Operand<T>, w: usize) -> I::Full {
        // SAFETY: the elements from a start are all of the operand, or fill the register.
        unsafe { window::<T, I>(operand.start.wrapping_add(self.starts[w]), operand.size) }
    }
}

/// An operand: where it starts, and how many elements it has.
pub(crate) struct Operand<T> {
    start: *const T,
    /// The same start, of which compilers do not know that: they would make what is repeated of
    /// registers that are loaded anyway, with an instruction for each element.
    again: *const T,
    size: usize,
}

impl<T> Operand<T> {
    #[inline(always)]
    pub(crate) fn new(start: *const T, size: usize) -> Self {
        Self { start, again: own_register(start), size }
    }
}

/// Whether lanes want `n` consecutive elements again and again.
const fn repeats(wanted: &[usize; MAX_LANES], used: usize, n: usize) -> bool {
    let mut i = 0;
    while i < used {
        if wanted[i] != wanted[0] + i % n {
            return false;
        }
        i += 1;
    }
    true
}

/// A register of the elements from `p` on, of an operand of `size` elements.
///
/// # Safety
///
/// The instructions of `I` are there. Where the operand is larger than a register, elements that
/// fill one can be read, and all of it otherwise.
#[inline(always)]
unsafe fn window<T: Float, I: Isa<T>>(p: *const T, size: usize) -> I::Full {
    if size >= I::Full::LANES {
        // SAFETY: the caller's promise.
        return unsafe { I::Full::load(p) };
    }
    if size > I::Half::LANES {
        // SAFETY: the caller's promise.
        return unsafe { I::Full::load_first(p, size) };
    }
    // Narrower registers take no mask so often. Compilers see what comes of the memory.
    let mut lanes = [T::ZERO; MAX_LANES];
    if size > I::Quarter::LANES {
        // SAFETY: the caller's promise.
        let half = unsafe { I::Half::load_first(p, size) };
        // SAFETY: there are more lanes than half a register has.
        unsafe { half.store(lanes.as_mut_ptr()) };
    } else {
        // SAFETY: the caller's promise.
        let quarter = unsafe { I::Quarter::load_first(p, size) };
        // SAFETY: there are more lanes than a quarter of a register has.
        unsafe { quarter.store(lanes.as_mut_ptr()) };
    }
    // SAFETY: there are at least as many as a register has.
    unsafe { I::Full::load(lanes.as_ptr()) }
}

/// The picks for each step and each register of C.
pub(crate) struct Picks {
    pub(crate) a: [[Pick; MOST]; MAX_K],
    pub(crate) b: [[Pick; MOST]; MAX_K],
}

impl Picks {
    pub(crate) const NONE: Self =
        Self { a: [[Pick::NONE; MOST]; MAX_K], b: [[Pick::NONE; MOST]; MAX_K] };

    /// The picks of a product, if a few registers have what each register of C picks.
    pub(crate) const fn new<T, I: Isa<T>>(modes: &Modes) -> Option<Self> {
        let lanes = I::Full::LANES;
        let Modes { am, ak, bk, bn, cm, cn, m, n, k } = modes;
        if !(fills(am, ak) && fills(bk, bn) && fills(cm, cn)) {
            return None;
        }
        let (mut picks, total) = (Self::NONE, *m * *n);
        // The element of C in each place.
        let (mut rows, mut columns, mut i) = ([0; MAX_ELEMENTS], [0; MAX_ELEMENTS], 0);
        while i < total {
            let at = cm.offset(i % *m) + cn.offset(i / *m);
            rows[at] = am.offset(i % *m);
            columns[at] = bn.offset(i / *m);
            i += 1;
        }
        let mut register = 0;
        while register * lanes < total {
            let used = min(lanes, total - register * lanes);
            let mut p = 0;
            while p < *k {
                let (mut x, mut y, mut lane) = ([0; MAX_LANES], [0; MAX_LANES], 0);
                while lane < used {
                    x[lane] = rows[register * lanes + lane] + ak.offset(p);
                    y[lane] = columns[register * lanes + lane] + bk.offset(p);
                    lane += 1;
                }
                let (Some(x), Some(y)) =
                    (Pick::new::<T, I>(&x, used, *m * *k), Pick::new::<T, I>(&y, used, *k * *n))
                else {
                    return None;
                };
                picks.a[p][register] = x;
                picks.b[p][register] = y;
                p += 1;
            }
            register += 1;
        }
        Some(picks)
    }

    /// The picks from A for so many registers.
    pub(crate) const fn a(&self, registers: usize, k: usize) -> usize {
        count(&self.a, registers, k)
    }

    /// The loads from A for so many registers.
    pub(crate) const fn loads_a(&self, registers: usize, k: usize, lanes: usize) -> usize {
        loads(&self.a, registers, k, lanes)
    }

    /// The loads from B for so many registers.
    pub(crate) const fn loads_b(&self, registers: usize, k: usize, lanes: usize) -> usize {
        loads(&self.b, registers, k, lanes)
    }

    /// The picks from B for so many registers.
    pub(crate) const fn b(&self, registers: usize, k: usize) -> usize {
        count(&self.b, registers, k)
    }
}

/// The loads that picks take: one for each start, or two where a register may be in two lines.
const fn loads(picks: &[[Pick; MOST]; MAX_K], registers: usize, k: usize, lanes: usize) -> usize {
    let (mut seen, mut count, mut p) = ([false; MAX_ELEMENTS], 0, 0);
    while p < k {
        let mut i = 0;
        while i < registers {
            let pick = &picks[p][i];
            let (windows, mut w) = (if let Way::Windows(n) = pick.way { n } else { 0 }, 0);
            while w < windows {
                let start = pick.starts[w];
                if !seen[start] {
                    seen[start] = true;
                    count += if start.is_multiple_of(lanes) { 1 } else { 2 };
                }
                w += 1;
            }
            i += 1;
        }
        p += 1;
    }
    count
}

/// The instructions that picks take.
const fn count(picks: &[[Pick; MOST]; MAX_K], registers: usize, k: usize) -> usize {
    let (mut count, mut p) = (0, 0);
    while p < k {
        let mut i = 0;
        while i < registers {
            count += picks[p][i].count();
            i += 1;
        }
        p += 1;
    }
    count
}

/// Whether the elements of an operand are at its first places, each at one.
const fn fills(first: &Mode, second: &Mode) -> bool {
    let size = first.size() * second.size();
    let (mut seen, mut j) = ([false; MAX_ELEMENTS], 0);
    while j < second.size() {
        let (start, mut i) = (second.offset(j), 0);
        while i < first.size() {
            let at = first.offset(i) + start;
            if at >= size || seen[at] {
                return false;
            }
            seen[at] = true;
            i += 1;
        }
        j += 1;
    }
    true
}

const fn min(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}
