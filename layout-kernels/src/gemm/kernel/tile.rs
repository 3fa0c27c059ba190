//! The register tile: the one body that makes all products.
//!
//! A tile is a block of C of a few rows, each of a few vectors along n. Its sums stay in registers
//! while the loop goes along K. Each step loads the vectors of a row of B, and multiplies them by
//! one element of A for each row of C.
//!
//! The body is compiled in two ways. *Shared* instances are functions of this crate, in a table;
//! their strides are arguments. *Inlined* instances are part of the caller; their strides are
//! constants, so that nothing is left to decide.

#![allow(clippy::needless_range_loop, reason = "several arrays of registers share an index")]

use core::hint::black_box;
use core::mem::zeroed;
use core::ptr;

use crate::gemm::kernel::arithmetic::Arithmetic;
use crate::gemm::scale::{Kind, Scale};
use crate::simd::vector::Vector;
use crate::simd::{own_register, prefetch, prefetch_second};

/// The bytes of a cache line.
pub(crate) const LINE: usize = 64;

/// Steps from the vectors that a packing tile reads to those it prefetches.
const PREFETCH_STEPS: usize = 16;

/// A batch of equal tiles, `down` below each other times `across` beside each other.
///
/// Strides of A and B are in bytes, those of C in elements. K has `depth` words.
#[derive(Clone, Copy)]
pub(crate) struct Batch<T> {
    pub(crate) depth: usize,
    pub(crate) a: *const u8,
    pub(crate) a_row: usize,
    pub(crate) a_step: usize,
    /// From the A of a tile to that of the tile below.
    pub(crate) a_down: usize,
    pub(crate) b: *const u8,
    pub(crate) b_vector: usize,
    pub(crate) b_step: usize,
    /// From the B of a tile to that of the tile beside.
    pub(crate) b_across: usize,
    pub(crate) c: *mut T,
    pub(crate) c_row: usize,
    /// The offsets of the vectors of a row of C.
    pub(crate) c_vectors: [usize; MAX_VECTORS],
    pub(crate) c_down: usize,
    pub(crate) c_across: usize,
    pub(crate) down: usize,
    pub(crate) across: usize,
    /// The lanes in use of the vector at the end of a row.
    pub(crate) last: usize,
    /// What the second cache should have soon: its distance from the A of the first tile in a row of
    /// tiles, and how far it goes on with each step.
    pub(crate) soon: usize,
    pub(crate) soon_step: usize,
    pub(crate) c_in: Cache,
    /// Whether sums start from the row after each panel of B.
    pub(crate) corrected: bool,
    /// Where a packing tile puts its vectors of B.
    pub(crate) packed_b: *mut u8,
}

/// Where C is expected.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cache {
    /// In the first cache: nothing of C is prefetched.
    First,
    /// In some cache: C is prefetched where it is read.
    Any,
    /// In memory: C is prefetched where it is written, too.
    #[cfg_attr(not(feature = "std"), expect(dead_code, reason = "only blocks write so much"))]
    Memory,
}

/// Makes a batch of tiles.
///
/// # Safety
///
/// The instructions are there. At the offsets of the batch, words of A and B can be read: each word
/// of A in a row, and each vector of B. The vector at the end of a row has `last` lanes. C can be
/// read and written at the offsets of the batch, and nothing else accesses it. `packed_b` has room
/// for all vectors of B, if the tile packs.
pub(crate) type Micro<T> = unsafe fn(&Batch<T>, &Scale<T>);

/// How an instance of the tile is compiled.
pub(crate) trait Policy {
    /// Whether it is part of the caller, and strides are constants.
    const INLINED: bool;
    /// Whether the tile packs the vectors of B for the tiles below: beside the products, that takes
    /// hardly longer.
    const PACKS: bool;
}

/// In a table, with strides as arguments.
pub(crate) struct Shared;
/// As [`Shared`], and packs B.
pub(crate) struct Packing;
/// In the caller, with constant strides.
pub(crate) struct Inlined;

impl Policy for Shared {
    const INLINED: bool = false;
    const PACKS: bool = false;
}

impl Policy for Packing {
    const INLINED: bool = false;
    const PACKS: bool = true;
}

impl Policy for Inlined {
    const INLINED: bool = true;
    const PACKS: bool = false;
}

/// The most products that are written out in the loop along K of an inlined tile.
const UNROLL: usize = 32;

/// Up to how many steps along K C is added to sums after the products.
const LATE_STEPS: usize = 16;

/// How many sums are so many that none waits for what it starts from, and up to how many steps that
/// takes less than to add C later. (f32 16x12x10: 36 ns in place of 45, but 16x16x16: 83 in place of 71.)
const MANY_SUMS: usize = 12;
const SHORT_STEPS: usize = 12;

/// How many products it takes until what a masked store wrote can be read.
const FEW_PRODUCTS: usize = 64;

/// The most vectors in a row of a tile, with the one at its end.
pub(crate) const MAX_VECTORS: usize = 5;

/// The offsets of vectors that follow each other.
#[inline(always)]
pub(crate) const fn consecutive(lanes: usize) -> [usize; MAX_VECTORS] {
    [0, lanes, 2 * lanes, 3 * lanes, 4 * lanes]
}

/// The most sets of sums of a tile.
const MAX_SETS: usize = 4;

/// How many sets of sums a tile of so many vectors has. Step `k` adds to set `k % sets`: a sum is
/// ready after four cycles, in which eight products could start.
const fn sets<P: Policy>(vectors: usize, has_32_registers: bool) -> usize {
    // Shared tiles of all sizes add in the same order, so that a sum is the same in each of them.
    if !P::INLINED {
        return 1;
    }
    match vectors {
        0..=2 if has_32_registers => 4,
        0..=5 => 2,
        _ => 1,
    }
}

/// Steps along K that are written out. With 16 registers LLVM would load B ahead, and sums would go to
/// the stack.
const fn steps<P: Policy>(vectors: usize, has_32_registers: bool) -> usize {
    let (sets, mut steps) = (sets::<P>(vectors, has_32_registers), 1);
    while P::INLINED && has_32_registers && 2 * steps * vectors <= UNROLL && steps < 8 {
        steps *= 2;
    }
    if steps < sets { sets } else { steps }
}

/// A batch of tiles with `ROWS` rows of `N` vectors of `D`. When `END`, a vector of `E` follows in
/// each row, with as many lanes in use as the batch says, perhaps all.
///
/// # Safety
///
/// As [`Micro`].
#[inline(always)]
pub(crate) unsafe fn batch<D, E, P, const ROWS: usize, const N: usize, const END: bool>(
    batch: &Batch<D::Sum>,
    scale: &Scale<D::Sum>,
) where
    D: Arithmetic,
    E: Arithmetic<Word = D::Word, Sum = D::Sum>,
    P: Policy,
{
    let (mut a, mut row, mut packed_b) = (batch.a, batch.c, batch.packed_b);
    for _ in 0..batch.down {
        let (mut b, mut c, mut soon) = (batch.b, row, a.wrapping_add(batch.soon));
        for _ in 0..batch.across {
            let at = At { a, b, c, soon, packed_b };
            // SAFETY: the tile is one of the batch.
            unsafe { tile::<D, E, P, ROWS, N, END>(batch, scale, at) };
            // Wrapping: no tile follows the last one.
            b = b.wrapping_add(batch.b_across);
            c = c.wrapping_add(batch.c_across);
            soon = soon.wrapping_add(batch.depth * batch.soon_step);
            if P::PACKS {
                packed_b = packed_b.wrapping_add(batch.depth * N * size_of::<D::Words>());
            }
        }
        a = a.wrapping_add(batch.a_down);
        row = row.wrapping_add(batch.c_down);
    }
}

/// Where one tile of a batch is.
struct At<T> {
    a: *const u8,
    b: *const u8,
    c: *mut T,
    soon: *const u8,
    packed_b: *mut u8,
}

/// The rows of A as addresses. Rows of a group are at a register times 1, 2 or 4 from a pointer, which
/// an address can have; a pointer for each row would not fit the registers.
struct Rows<const ROWS: usize> {
    row: usize,
    /// From the first row of a group to each of them.
    within: [usize; 8],
}

/// Groups in the tallest tile.
const MAX_GROUPS: usize = 4;

impl<const ROWS: usize> Rows<ROWS> {
    /// Rows of a group: more of them take fewer pointers, and more registers.
    const GROUP: usize = if ROWS <= 8 { 8 } else { 4 };

    #[inline(always)]
    fn new<P: Policy>(row: usize) -> Self {
        let (mut three, mut five) = (row.wrapping_mul(3), row.wrapping_mul(5));
        let mut seven = row.wrapping_mul(7);
        // Hidden from LLVM, which would compute the products again in each step.
        if const { !P::INLINED && ROWS > 3 } {
            three = black_box(three);
        }
        if const { !P::INLINED && Self::GROUP > 4 && ROWS > 5 } {
            five = black_box(five);
        }
        if const { !P::INLINED && Self::GROUP > 4 && ROWS > 7 } {
            seven = black_box(seven);
        }
        let (two, four, six) = (row.wrapping_mul(2), row.wrapping_mul(4), three.wrapping_mul(2));
        Self { row, within: [0, row, two, three, four, five, six, seven] }
    }

    /// The pointers of the groups.
    #[inline(always)]
    fn groups<P: Policy>(&self, a: *const u8) -> [*const u8; MAX_GROUPS] {
        // Otherwise LLVM would have a pointer for each row.
        let group = |g: usize| own_register(a.wrapping_add(g * Self::GROUP * self.row));
        let mut groups = [own_register(a); MAX_GROUPS];
        if const { !P::INLINED && ROWS > Self::GROUP } {
            groups[1] = group(1);
        }
        if const { !P::INLINED && ROWS > 2 * Self::GROUP } {
            groups[2] = group(2);
        }
        if const { !P::INLINED && ROWS > 3 * Self::GROUP } {
            groups[3] = group(3);
        }
        groups
    }

    /// Goes on by some bytes. Wrapping, since the last step leads behind the operand.
    #[inline(always)]
    fn advance<P: Policy>(groups: &mut [*const u8; MAX_GROUPS], bytes: usize) {
        if const { P::INLINED } {
            groups[0] = groups[0].wrapping_add(bytes);
        } else {
            // Otherwise LLVM counts one index, and has a pointer for each row again.
            for group in groups.iter_mut().take(const { ROWS.div_ceil(Self::GROUP) }) {
                *group = own_register(group.wrapping_add(bytes));
            }
        }
    }

    /// The word of row `i`.
    #[inline(always)]
    fn at<P: Policy>(&self, groups: &[*const u8; MAX_GROUPS], i: usize) -> *const u8 {
        if const { P::INLINED } {
            return groups[0].wrapping_add(i * self.row);
        }
        groups[i / Self::GROUP].wrapping_add(self.within[i % Self::GROUP])
    }
}

/// Runs a block for each row of a tile, in loops over four rows or written out. LLVM has to unroll it
/// before it looks for what can be in registers, or the sums of a tile would be in memory. It unrolls a
/// loop over four rows in time where a vector is an instruction or two. Such loops take half as long to
/// compile as rows that are written out.
macro_rules! each_row {
    ($i:ident < $rows:ident, $body:block) => {
        if const { P::INLINED || D::Sums::MASKS } {
            each_row!(@loops $i < $rows, $body, 0 4 8 12);
        } else {
            each_row!(@rows $i < $rows, $body, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        }
    };
    (@loops $i:ident < $rows:ident, $body:block, $($first:literal)*) => {
        $(if const { $first < $rows } {
            let mut $i: usize = $first;
            while $i < const { if $rows < $first + 4 { $rows } else { $first + 4 } } {
                $body
                $i += 1;
            }
        })*
    };
    (@rows $i:ident < $rows:ident, $body:block, $($row:literal)*) => {
        $(if const { $row < $rows } {
            let $i: usize = $row;
            $body
        })*
    };
}

/// Runs a block for each whole vector of a row. LLVM unrolls this loop before all others; a range would
/// take longer to compile.
macro_rules! each_vector {
    ($j:ident < $vectors:ident, $body:block) => {
        let mut $j: usize = 0;
        while $j < $vectors {
            $body
            $j += 1;
        }
    };
}

/// One tile of [`batch`].
///
/// # Safety
///
/// As [`Micro`].
#[inline(always)]
unsafe fn tile<D, E, P, const ROWS: usize, const N: usize, const END: bool>(
    batch: &Batch<D::Sum>,
    scale: &Scale<D::Sum>,
    at: At<D::Sum>,
) where
    D: Arithmetic,
    E: Arithmetic<Word = D::Word, Sum = D::Sum>,
    P: Policy,
{
    const { assert!(ROWS <= 16 && N <= 4) };
    let (sets, steps) = const {
        let vectors = ROWS * (N + END as usize);
        (sets::<P>(vectors, D::Sums::MASKS), steps::<P>(vectors, D::Sums::MASKS))
    };
    // LLVM would write out all steps of a short loop, and load B ahead until sums go to the stack.
    let writes_out = const { D::Sums::MASKS || !P::INLINED }
        || batch.depth * ROWS * (N + END as usize) <= FEW_PRODUCTS;
    let depth = if writes_out {
        batch.depth
    } else {
        own_register(ptr::without_provenance::<u8>(batch.depth)).addr()
    };
    let At { a, b, c, mut soon, mut packed_b } = at;
    let last = batch.last;
    let full = last == <E::Sums as Vector>::LANES;
    // A shared tile takes whole vectors by the mask too: so there is one loop.
    let whole = P::INLINED && full;
    // A masked store can be read only once it has reached the cache. So rows that end in a mask meet
    // C after the products.
    let late = !P::INLINED || !whole && last > <E::Sums as Vector>::UNMASKED;
    // Few products do not hide the wait.
    let parts = P::INLINED && batch.down * ROWS * (N + 1) * batch.depth <= FEW_PRODUCTS;
    let adds = scale.kind == Kind::Add;
    // Few sums of few steps wait for what they start from, and not for each other. In shared tiles C
    // arrives meanwhile.
    let many = const { ROWS * (N + END as usize) >= MANY_SUMS };
    let starts =
        P::INLINED && adds && (batch.depth > LATE_STEPS || many && batch.depth <= SHORT_STEPS);
    // SAFETY: the instructions are there, and the batch says what can be read and written. Registers
    // are numbers, which may be zero.
    unsafe {
        let mut sums = zeroed::<[[[D::Sums; N]; ROWS]; MAX_SETS]>();
        let mut ends = zeroed::<[[E::Sums; ROWS]; MAX_SETS]>();
        let end_b = N * batch.b_vector;
        // Not closures, which would not have the instructions.
        macro_rules! each_row_of_c {
            ($i:ident, $row:ident, $body:block) => {
                let mut $row = c;
                each_row!($i < ROWS, {
                    if $i > 0 {
                        // Wrapping, but a row of C.
                        $row = $row.wrapping_add(batch.c_row);
                        if const { !P::INLINED } {
                            // Otherwise LLVM computes the rows of all tiles before the first one,
                            // which takes longer than a short tile, and keeps them on the stack.
                            $row = own_register($row.cast_const()).cast_mut();
                        }
                    }
                    $body
                });
            };
        }
        macro_rules! vector_of_c {
            ($row:expr, $j:expr) => {
                $row.wrapping_add(batch.c_vectors[$j])
            };
        }
        macro_rules! load_end {
            ($row:expr) => {
                if const { !P::INLINED } {
                    E::Sums::load_first(vector_of_c!($row, N), last)
                } else {
                    match (whole, parts) {
                        (true, _) => E::Sums::load(vector_of_c!($row, N)),
                        (false, true) => E::Sums::load_parts(vector_of_c!($row, N), last),
                        (false, false) => E::Sums::load_first(vector_of_c!($row, N), last),
                    }
                }
            };
        }
        if const { D::CORRECTS } && batch.corrected {
            // Wrapping, but the row that ends the panel.
            let start = b.wrapping_add(batch.depth * batch.b_step);
            each_row!(i < ROWS, {
                each_vector!(j < N, {
                    sums[0][i][j] = D::Sums::load(start.wrapping_add(j * batch.b_vector).cast());
                });
                if END {
                    ends[0][i] = E::Sums::load(start.wrapping_add(end_b).cast());
                }
            });
        } else if P::INLINED && starts {
            each_row_of_c!(i, row, {
                each_vector!(j < N, {
                    sums[0][i][j] = D::Sums::load(vector_of_c!(row, j));
                });
                if END && !late {
                    ends[0][i] = load_end!(row);
                }
            });
        }
        let prefetches = match batch.c_in {
            Cache::First => false,
            Cache::Any => scale.reads(),
            Cache::Memory => true,
        };
        if !P::INLINED && prefetches {
            each_row_of_c!(i, row, {
                each_vector!(j < N, {
                    prefetch_second(vector_of_c!(row, j));
                });
                if END {
                    prefetch_second(vector_of_c!(row, N));
                }
            });
        }
        let a_step = batch.a_step;
        let rows = Rows::<ROWS>::new::<P>(batch.a_row);
        let mut a = rows.groups::<P>(a);
        let mut b = if P::INLINED { own_register(b) } else { b };
        let mut later = b.wrapping_add(PREFETCH_STEPS * batch.b_step);
        let next = batch.depth.saturating_sub(PREFETCH_STEPS);
        let beside = b.wrapping_add(batch.b_across);
        let mut k = 0;
        macro_rules! step {
            ($u:expr, $set:expr) => {
                let (u, set): (usize, usize) = ($u, $set);
                if P::PACKS {
                    later = if k + u == next { beside } else { later };
                } else if !P::INLINED {
                    // A little at a time: what the tile reads itself would wait behind many lines.
                    prefetch_second(soon);
                    soon = soon.wrapping_add(batch.soon_step);
                }
                let b = b.wrapping_add(u * batch.b_step);
                let mut vectors = zeroed::<[D::Words; N]>();
                each_vector!(j < N, {
                    vectors[j] = D::Words::load(b.wrapping_add(j * batch.b_vector).cast());
                });
                let mut end = zeroed::<E::Words>();
                if END {
                    let p = b.wrapping_add(end_b).cast();
                    end = match P::INLINED && whole {
                        true => E::Words::load(p),
                        false => E::Words::load_first(p, last),
                    };
                }
                if P::PACKS {
                    each_vector!(j < N, {
                        prefetch(later.wrapping_add(j * batch.b_vector));
                        let to = packed_b.wrapping_add(j * size_of::<D::Words>());
                        vectors[j].store(to.cast());
                    });
                    later = later.wrapping_add(batch.b_step);
                    packed_b = packed_b.wrapping_add(N * size_of::<D::Words>());
                }
                each_row!(i < ROWS, {
                    let p = rows.at::<P>(&a, i).wrapping_add(u * a_step);
                    let x = p.cast::<D::Word>().read_unaligned();
                    if const { N > 0 } {
                        let x = D::Words::splat(x);
                        each_vector!(j < N, {
                            sums[set][i][j] = D::dot(x, vectors[j], sums[set][i][j]);
                        });
                    }
                    if END {
                        ends[set][i] = E::dot(E::Words::splat(x), end, ends[set][i]);
                    }
                });
            };
        }
        if const { !P::INLINED } {
            while k < depth {
                step!(0, 0);
                k += 1;
                Rows::<ROWS>::advance::<P>(&mut a, a_step);
                b = b.wrapping_add(batch.b_step);
            }
        } else {
            while depth - k >= steps {
                for u in 0..steps {
                    step!(u, u % sets);
                }
                k += steps;
                Rows::<ROWS>::advance::<P>(&mut a, steps * a_step);
                if const { D::Sums::MASKS } {
                    // Otherwise LLVM counts one index for A and B, and products split.
                    a[0] = own_register(a[0]);
                }
                b = b.wrapping_add(steps * batch.b_step);
            }
            if steps > 1 {
                while k < depth {
                    step!(0, 0);
                    k += 1;
                    Rows::<ROWS>::advance::<P>(&mut a, a_step);
                    b = b.wrapping_add(batch.b_step);
                }
            }
            for set in 1..sets {
                each_row!(i < ROWS, {
                    each_vector!(j < N, {
                        sums[0][i][j] = sums[0][i][j].add(sums[set][i][j]);
                    });
                    if END {
                        ends[0][i] = ends[0][i].add(ends[set][i]);
                    }
                });
            }
        }
        if matches!(scale.kind, Kind::Scale | Kind::ScaleAdd) {
            let (alpha, end_alpha) = (D::Sums::splat(scale.alpha), E::Sums::splat(scale.alpha));
            each_row!(i < ROWS, {
                each_vector!(j < N, {
                    sums[0][i][j] = alpha.mul(sums[0][i][j]);
                });
                if END {
                    ends[0][i] = end_alpha.mul(ends[0][i]);
                }
            });
        }
        // All of C is read before any is written.
        if adds {
            if !starts {
                each_row_of_c!(i, row, {
                    each_vector!(j < N, {
                        sums[0][i][j] = sums[0][i][j].add(D::Sums::load(vector_of_c!(row, j)));
                    });
                });
            }
            if END && (late || !starts) {
                each_row_of_c!(i, row, {
                    ends[0][i] = ends[0][i].add(load_end!(row));
                });
            }
        } else if scale.reads() {
            let (beta, end_beta) = (D::Sums::splat(scale.beta), E::Sums::splat(scale.beta));
            each_row_of_c!(i, row, {
                each_vector!(j < N, {
                    sums[0][i][j] =
                        beta.mul_add(D::Sums::load(vector_of_c!(row, j)), sums[0][i][j]);
                });
                if END {
                    ends[0][i] = end_beta.mul_add(load_end!(row), ends[0][i]);
                }
            });
        }
        each_row_of_c!(i, row, {
            each_vector!(j < N, {
                sums[0][i][j].store(vector_of_c!(row, j));
            });
            if const { END && P::INLINED } {
                match (whole, parts) {
                    (true, _) => ends[0][i].store(vector_of_c!(row, N)),
                    (false, true) => ends[0][i].store_parts(vector_of_c!(row, N), last),
                    (false, false) => ends[0][i].store_first(vector_of_c!(row, N), last),
                }
            }
        });
        if const { END && !P::INLINED } {
            if full {
                each_row_of_c!(i, row, {
                    ends[0][i].store(vector_of_c!(row, N));
                });
            } else {
                each_row_of_c!(i, row, {
                    ends[0][i].store_first(vector_of_c!(row, N), last);
                });
            }
        }
    }
}
