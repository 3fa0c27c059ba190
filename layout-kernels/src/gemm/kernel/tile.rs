//! The register tile: the one body that makes all products.
//!
//! A tile is a block of C of a few rows, each of a few vectors along n. Its sums stay in registers
//! while the loop goes along K. Each step loads the vectors of a row of B, and multiplies them by
//! one element of A for each row of C.
//!
//! The body is compiled in two ways. *Shared* instances are functions of this crate, in a table;
//! their strides are arguments. *Inlined* instances are part of the caller; their strides are
//! constants, so that nothing is left to decide.

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr;

use crate::gemm::kernel::arithmetic::Arithmetic;
use crate::gemm::kernel::batch::{Batch, Cache};
use crate::gemm::kernel::rows::Rows;
use crate::gemm::scale::{Kind, Scale};
use crate::simd::vector::Vector;
use crate::simd::{own_register, prefetch, prefetch_second};

/// Steps from the vectors that a packing tile reads to those it prefetches.
const PREFETCH_STEPS: usize = 16;

/// How an instance of the tile is compiled.
pub(crate) trait Policy {
    /// What is a constant beside the strides, where the tile is part of the caller.
    const KNOWN: Option<Known>;
    /// Whether it is part of the caller.
    const INLINED: bool = Self::KNOWN.is_some();
    /// Whether the tile packs the vectors of B for the tiles below: beside the products, that takes
    /// hardly longer.
    const PACKS: bool;
}

/// What an inlined tile knows of its [`Batch`] while it is compiled. LLVM finds the same by itself, but only
/// after it has read and copied all that the tile does in other cases.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    pub(crate) depth: usize,
    pub(crate) down: usize,
    pub(crate) last: usize,
}

/// In a table, with strides as arguments.
pub(crate) struct Shared;
/// As [`Shared`], and packs B.
pub(crate) struct Packing;

impl Policy for Shared {
    const KNOWN: Option<Known> = None;
    const PACKS: bool = false;
}

impl Policy for Packing {
    const KNOWN: Option<Known> = None;
    const PACKS: bool = true;
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

/// The most sets of sums of a tile.
const MAX_SETS: usize = 4;

/// A tile with `ROWS` rows of `N` vectors of `D`. When `END`, a vector of `E` follows in each row, with as
/// many lanes in use as its batch says, perhaps all.
struct Tile<D, E, P, const ROWS: usize, const N: usize, const END: bool>(PhantomData<(D, E, P)>);

/// What a tile decides while it is compiled.
impl<D, E, P, const ROWS: usize, const N: usize, const END: bool> Tile<D, E, P, ROWS, N, END>
where
    D: Arithmetic,
    E: Arithmetic<Word = D::Word, Sum = D::Sum>,
    P: Policy,
{
    const VECTORS: usize = {
        assert!(ROWS <= 16 && N <= 4);
        ROWS * (N + END as usize)
    };
    const HAS_VECTORS: bool = N > 0;
    const SHARED: bool = !P::INLINED;
    /// What only inlined tiles ask for.
    const KNOWN: Known = match P::KNOWN {
        Some(known) => known,
        None => Known { depth: usize::MAX, down: usize::MAX, last: 0 },
    };

    /// How many sets of sums there are. Step `k` adds to set `k % SETS`: a sum is ready after four
    /// cycles, in which eight products could start. Shared tiles of all sizes add in the same order, so
    /// that a sum is the same in each of them.
    const SETS: usize = match Self::VECTORS {
        _ if Self::SHARED => 1,
        0..=2 if D::Sums::MASKS => 4,
        0..=5 => 2,
        _ => 1,
    };

    /// Steps along K that are written out, for all sets: a divisor of all steps, if it is more than half of
    /// what pays, so that no others follow. With 16 registers LLVM would load B ahead, and sums would go to
    /// the stack.
    const STEPS: usize = {
        let mut most = 1;
        while P::INLINED && D::Sums::MASKS && most < 8 && (most + 1) * Self::VECTORS <= UNROLL {
            most += 1;
        }
        most = if most < Self::KNOWN.depth { most } else { Self::KNOWN.depth };
        most = if most < Self::SETS { Self::SETS } else { most - most % Self::SETS };
        let mut steps = most;
        while Self::KNOWN.depth % steps > 0 && steps > Self::SETS && 2 * steps > most {
            steps -= Self::SETS;
        }
        if Self::KNOWN.depth % steps > 0 { most } else { steps }
    };
    const HAS_ALL_STEPS: bool = Self::KNOWN.depth >= Self::STEPS;
    const HAS_MORE_STEPS: bool = Self::KNOWN.depth % Self::STEPS > 0;

    /// Whether four steps are written out in a shared tile. Those of whole vectors are few, and make most of
    /// a large product. (f64 256x256x256: 81 GFLOP/s without, and 86 with four. In all tiles they gain no
    /// more, and take a quarter longer to compile.) With 16 registers, or two for a sum, some sums would go to
    /// the stack.
    const HAS_FOUR_STEPS: bool =
        !END && !P::PACKS && D::Sums::MASKS && size_of::<D::Sums>() == size_of::<D::Words>();
    /// LLVM would write out all steps of a short loop, and load B ahead until sums go to the stack.
    const HIDES_DEPTH: bool =
        P::INLINED && !D::Sums::MASKS && Self::KNOWN.depth * Self::VECTORS > FEW_PRODUCTS;

    /// Whether the vectors at the ends of rows are whole. A shared tile takes whole ones by the mask too: so
    /// there is one loop.
    const WHOLE: bool = P::INLINED && Self::KNOWN.last == <E::Sums as Vector>::LANES;
    /// A masked store can be read only once it has reached the cache. So rows that end in a mask meet
    /// C after the products.
    const LATE: bool =
        Self::SHARED || !Self::WHOLE && Self::KNOWN.last > <E::Sums as Vector>::UNMASKED;
    /// Few products do not hide the wait.
    const IN_PARTS: bool =
        P::INLINED && Self::KNOWN.down * ROWS * (N + 1) * Self::KNOWN.depth <= FEW_PRODUCTS;
    /// Whether sums start from a C that they are added to. Few sums of few steps wait for what they start
    /// from, and not for each other. In shared tiles C arrives meanwhile.
    const STARTS: bool = P::INLINED
        && (Self::KNOWN.depth > LATE_STEPS
            || Self::VECTORS >= MANY_SUMS && Self::KNOWN.depth <= SHORT_STEPS);
}

/// A batch of tiles with `ROWS` rows of `N` vectors of `D`. When `END`, a vector of `E` follows in
/// each row, with as many lanes in use as the batch says, perhaps all.
///
/// # Safety
///
/// As [`Micro`](crate::gemm::kernel::batch::Micro).
#[inline(always)]
pub(crate) unsafe fn batch<D, E, P, const ROWS: usize, const N: usize, const END: bool>(
    batch: &Batch,
    scale: &Scale<D::Sum>,
) where
    D: Arithmetic,
    E: Arithmetic<Word = D::Word, Sum = D::Sum>,
    P: Policy,
{
    let (mut a, mut row, mut packed_b) = (batch.a.start, batch.c, batch.packed_b);
    for _ in 0..batch.down {
        let (mut b, mut c, mut soon) = (batch.b.start, row, a.wrapping_add(batch.soon));
        for _ in 0..batch.across {
            let at = At { a, b, c, soon, packed_b };
            // SAFETY: the tile is one of the batch.
            unsafe { Tile::<D, E, P, ROWS, N, END>::run(batch, scale, at) };
            // Wrapping: no tile follows the last one.
            b = b.wrapping_add(batch.b_across);
            c = c.wrapping_add(batch.c_across);
            soon = soon.wrapping_add(batch.words() * batch.soon_step);
            if P::PACKS {
                packed_b = packed_b.wrapping_add(batch.words() * N * size_of::<D::Words>());
            }
        }
        a = a.wrapping_add(batch.a_down);
        row = row.wrapping_add(batch.c_down);
    }
}

/// Where one tile of a batch is.
struct At {
    a: *const u8,
    b: *const u8,
    c: *mut u8,
    soon: *const u8,
    packed_b: *mut u8,
}

/// Runs a block for each row of a tile, or each vector of a row. LLVM unrolls these loops before it looks
/// for what can be in registers, as long as an iteration is a few instructions: so sums are reached through
/// pointers, without tests of an index, and `while` has no range to take apart.
macro_rules! each {
    ($i:ident < $count:expr, $body:block) => {
        let mut $i: usize = 0;
        while $i < $count {
            $body
            $i += 1;
        }
    };
}

/// Asks for the rows of C of a tile. Not written out: it takes no registers from the loop along K.
#[inline(always)]
fn prefetch_c(batch: &Batch, c: *mut u8, reads: bool, [rows, vectors]: [usize; 2]) {
    let prefetches = match batch.c_in {
        Cache::First => false,
        Cache::Any => reads,
        Cache::Memory => true,
    };
    if !prefetches {
        return;
    }
    let (mut row, mut left) = (c.cast_const(), rows);
    while left > 0 {
        each!(j < vectors, {
            prefetch_second(row.wrapping_add(batch.c_vectors[j]));
        });
        // Hidden from LLVM, which would write out all rows.
        row = own_register(row.wrapping_add(batch.c_row));
        left = own_register(ptr::without_provenance::<u8>(left - 1)).addr();
    }
}

impl<D, E, P, const ROWS: usize, const N: usize, const END: bool> Tile<D, E, P, ROWS, N, END>
where
    D: Arithmetic,
    E: Arithmetic<Word = D::Word, Sum = D::Sum>,
    P: Policy,
{
    /// One tile of [`batch`].
    ///
    /// # Safety
    ///
    /// As [`batch`].
    #[inline(always)]
    unsafe fn run(batch: &Batch, scale: &Scale<D::Sum>, at: At) {
        let depth = if Self::HIDES_DEPTH {
            own_register(ptr::without_provenance::<u8>(batch.depth)).addr()
        } else {
            batch.depth
        };
        let At { a, b, c, mut soon, mut packed_b } = at;
        let c = c.cast::<D::Sum>();
        let last = batch.last;
        let full = last == <E::Sums as Vector>::LANES;
        let adds = scale.kind == Kind::Add;
        // SAFETY: the instructions are there, and the batch says what can be read and written. Sums are
        // indexed below their counts, and start as zeros, which are numbers; vectors of B are loaded first.
        unsafe {
            let mut all_sums = MaybeUninit::<[[[D::Sums; N]; ROWS]; MAX_SETS]>::uninit();
            let mut all_ends = MaybeUninit::<[[E::Sums; ROWS]; MAX_SETS]>::uninit();
            let sums = all_sums.as_mut_ptr().cast::<D::Sums>();
            let ends = all_ends.as_mut_ptr().cast::<E::Sums>();
            sums.write_bytes(0, Self::SETS * ROWS * N);
            if END {
                ends.write_bytes(0, Self::SETS * ROWS);
            }
            // Not closures, which would not have the instructions.
            macro_rules! sum {
                ($set:expr, $i:expr, $j:expr) => {
                    *sums.wrapping_add(($set * ROWS + $i) * N + $j)
                };
            }
            macro_rules! end {
                ($set:expr, $i:expr) => {
                    *ends.wrapping_add($set * ROWS + $i)
                };
            }
            let c_vectors = batch.c_vectors.as_ptr();
            macro_rules! vector_of_c {
                ($row:expr, $j:expr) => {
                    $row.wrapping_byte_add(*c_vectors.wrapping_add($j))
                };
            }
            // Nothing is compiled for rows that are one vector at the end.
            macro_rules! each_vector {
                ($j:ident, $body:block) => {
                    if Self::HAS_VECTORS {
                        each!($j < N, $body);
                    }
                };
            }
            macro_rules! each_row_of_c {
                ($i:ident, $row:ident, $body:block) => {
                    let mut $row = c;
                    each!($i < ROWS, {
                        if $i > 0 {
                            // Wrapping, but a row of C.
                            $row = $row.wrapping_byte_add(batch.c_row);
                            if Self::SHARED {
                                // Otherwise LLVM computes the rows of all tiles before the first one,
                                // which takes longer than a short tile, and keeps them on the stack.
                                $row = own_register($row.cast_const()).cast_mut();
                            }
                        }
                        $body
                    });
                };
            }
            macro_rules! load_end {
                ($row:expr) => {
                    if Self::WHOLE {
                        E::Sums::load(vector_of_c!($row, N))
                    } else if Self::IN_PARTS {
                        E::Sums::load_parts(vector_of_c!($row, N), last)
                    } else {
                        E::Sums::load_first(vector_of_c!($row, N), last)
                    }
                };
            }
            // With FMA, `1 * c + sum` takes as long as `c + sum` and is the same: tiles of floats have one
            // loop for both.
            macro_rules! meet {
                ($of:ident, $beta:expr, $c:expr, $sum:expr) => {
                    if !$of::FUSES && adds { $sum.add($c) } else { $beta.mul_add($c, $sum) }
                };
            }
            let end_b = N * batch.b.next - batch.shared * size_of::<D::Word>();
            if const { D::CORRECTS } && batch.corrected {
                // Wrapping, but the row that ends the panel.
                let start = b.wrapping_add(batch.words() * batch.b.step);
                each!(i < ROWS, {
                    each_vector!(j, {
                        sum!(0, i, j) = D::Sums::load(start.wrapping_add(j * batch.b.next).cast());
                    });
                    if END {
                        end!(0, i) = E::Sums::load(start.wrapping_add(end_b).cast());
                    }
                });
            } else if Self::STARTS && adds {
                each_row_of_c!(i, row, {
                    each_vector!(j, {
                        sum!(0, i, j) = D::Sums::load(vector_of_c!(row, j));
                    });
                    if const { END && !Self::LATE } {
                        end!(0, i) = load_end!(row);
                    }
                });
            }
            if Self::SHARED {
                prefetch_c(batch, at.c, scale.reads(), [ROWS, N + END as usize]);
            }
            let a_step = batch.a.step;
            let rows = Rows::<ROWS>::new::<P>(batch.a.next);
            let mut a = rows.groups::<P>(a);
            let mut b = if P::INLINED { own_register(b) } else { b };
            let mut later = b.wrapping_add(PREFETCH_STEPS * batch.b.step);
            let next = batch.depth.saturating_sub(PREFETCH_STEPS);
            let beside = b.wrapping_add(batch.b_across);
            let mut k = 0;
            macro_rules! step {
                ($u:expr, $set:expr) => {
                    let (u, set): (usize, usize) = ($u, $set);
                    if P::PACKS {
                        later = if k + u == next { beside } else { later };
                    } else if Self::SHARED {
                        // A little at a time: what the tile reads itself would wait behind many lines.
                        prefetch_second(soon);
                        soon = soon.wrapping_add(batch.soon_step);
                    }
                    let b = b.wrapping_add(u * batch.b.step);
                    let mut all_vectors = MaybeUninit::<[D::Words; N]>::uninit();
                    let vectors = all_vectors.as_mut_ptr().cast::<D::Words>();
                    each_vector!(j, {
                        *vectors.wrapping_add(j) =
                            D::Words::load(b.wrapping_add(j * batch.b.next).cast());
                    });
                    let mut end = MaybeUninit::<E::Words>::uninit();
                    if END {
                        let p = b.wrapping_add(end_b).cast();
                        end.write(if Self::WHOLE {
                            E::Words::load(p)
                        } else {
                            E::Words::load_first(p, last)
                        });
                    }
                    if P::PACKS {
                        each_vector!(j, {
                            prefetch(later.wrapping_add(j * batch.b.next));
                            let to = packed_b.wrapping_add(j * size_of::<D::Words>());
                            (*vectors.wrapping_add(j)).store(to.cast());
                        });
                        later = later.wrapping_add(batch.b.step);
                        packed_b = packed_b.wrapping_add(N * size_of::<D::Words>());
                    }
                    each!(i < ROWS, {
                        let p = rows.at::<P>(&a, i).wrapping_add(u * a_step);
                        let x = p.cast::<D::Word>().read_unaligned();
                        if Self::HAS_VECTORS {
                            let x = D::Words::splat(x);
                            each_vector!(j, {
                                sum!(set, i, j) = D::dot(x, *vectors.wrapping_add(j), sum!(set, i, j));
                            });
                        }
                        if END {
                            end!(set, i) = E::dot(E::Words::splat(x), end.assume_init(), end!(set, i));
                        }
                    });
                };
            }
            if Self::SHARED {
                let mut runs = batch.runs;
                while runs > 0 {
                    k = 0;
                    if Self::HAS_FOUR_STEPS {
                        while depth - k >= 4 {
                            each!(u < 4, {
                                step!(0, 0);
                                Rows::<ROWS>::advance::<P>(&mut a, a_step);
                                b = b.wrapping_add(batch.b.step);
                            });
                            k += 4;
                        }
                    }
                    while k < depth {
                        step!(0, 0);
                        k += 1;
                        Rows::<ROWS>::advance::<P>(&mut a, a_step);
                        b = b.wrapping_add(batch.b.step);
                    }
                    Rows::<ROWS>::advance::<P>(&mut a, batch.a_skip);
                    b = b.wrapping_add(batch.b_skip);
                    runs -= 1;
                }
            } else {
                if Self::HAS_ALL_STEPS {
                    while depth - k >= Self::STEPS {
                        each!(u < Self::STEPS, {
                            step!(u, u % Self::SETS);
                        });
                        k += Self::STEPS;
                        Rows::<ROWS>::advance::<P>(&mut a, Self::STEPS * a_step);
                        if D::Sums::MASKS {
                            // Otherwise LLVM counts one index for A and B, and products split.
                            a[0] = own_register(a[0]);
                        }
                        b = b.wrapping_add(Self::STEPS * batch.b.step);
                    }
                }
                if Self::HAS_MORE_STEPS {
                    while k < depth {
                        step!(0, 0);
                        k += 1;
                        Rows::<ROWS>::advance::<P>(&mut a, a_step);
                        b = b.wrapping_add(batch.b.step);
                    }
                }
                let mut set: usize = 1;
                while set < Self::SETS {
                    each!(i < ROWS, {
                        each_vector!(j, {
                            sum!(0, i, j) = sum!(0, i, j).add(sum!(set, i, j));
                        });
                        if END {
                            end!(0, i) = end!(0, i).add(end!(set, i));
                        }
                    });
                    set += 1;
                }
            }
            if matches!(scale.kind, Kind::Scale | Kind::ScaleAdd) {
                let (alpha, end_alpha) = (D::Sums::splat(scale.alpha), E::Sums::splat(scale.alpha));
                each!(i < ROWS, {
                    each_vector!(j, {
                        sum!(0, i, j) = alpha.mul(sum!(0, i, j));
                    });
                    if END {
                        end!(0, i) = end_alpha.mul(end!(0, i));
                    }
                });
            }
            // All of C is read before any is written.
            if scale.reads() {
                let (beta, end_beta) = (D::Sums::splat(scale.beta), E::Sums::splat(scale.beta));
                each_row_of_c!(i, row, {
                    if !(Self::STARTS && adds) {
                        each_vector!(j, {
                            let c = D::Sums::load(vector_of_c!(row, j));
                            sum!(0, i, j) = meet!(D, beta, c, sum!(0, i, j));
                        });
                    }
                    if END && (Self::LATE || !(Self::STARTS && adds)) {
                        end!(0, i) = meet!(E, end_beta, load_end!(row), end!(0, i));
                    }
                });
            }
            each_row_of_c!(i, row, {
                each_vector!(j, {
                    sum!(0, i, j).store(vector_of_c!(row, j));
                });
                if const { END && P::INLINED } {
                    if Self::WHOLE {
                        end!(0, i).store(vector_of_c!(row, N));
                    } else if Self::IN_PARTS {
                        end!(0, i).store_parts(vector_of_c!(row, N), last);
                    } else {
                        end!(0, i).store_first(vector_of_c!(row, N), last);
                    }
                }
            });
            if const { END && Self::SHARED } {
                if full {
                    each_row_of_c!(i, row, {
                        end!(0, i).store(vector_of_c!(row, N));
                    });
                } else {
                    each_row_of_c!(i, row, {
                        end!(0, i).store_first(vector_of_c!(row, N), last);
                    });
                }
            }
        }
    }
}
