//! The register tile: the micro-kernel that computes all products.
//!
//! A tile is a block of C: a few rows, each of a few vectors along n. Its accumulators stay in
//! registers during the loop along K. Each step loads the vectors of a row of B, and multiplies
//! them by one element of A for each row of C.
//!
//! The micro-kernel is compiled in two ways. *Shared* instances are functions of this crate, listed
//! in a table; their strides are arguments. *Inlined* instances are part of the caller; their
//! strides are constants.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::gemm::kernel::arithmetic::Arithmetic;
use crate::gemm::kernel::batch::{Batch, CACHE_LINE, CacheLevel};
use crate::gemm::kernel::policy::{MAX_SETS, Policy};
use crate::gemm::kernel::rows::Rows;
use crate::gemm::scale::{Kind, Scale};
use crate::simd::vector::Vector;
use crate::simd::{opaque, opaque_pointer, prefetch, prefetch_l2};

/// How many steps ahead of its loads a packing tile prefetches B into L1, where masks are not registers. (f32
/// 24 by 1000 by 1000 with AVX2: 92 GFLOP/s without this, 102 with it.)
const PACKED_STEPS_AHEAD: usize = 16;

/// A tile with `ROWS` rows of `N` vectors of `D`. If `HAS_ROW_END`, each row ends with a vector of
/// `E`, possibly partial: the batch says how many lanes are used.
pub(crate) struct Tile<D, E, P, const ROWS: usize, const N: usize, const HAS_ROW_END: bool>(
    PhantomData<(D, E, P)>,
);

/// Runs a block for each row of a tile, or each vector of a row. LLVM unrolls these loops before it
/// promotes arrays to registers, if an iteration is only a few instructions. Therefore accumulators
/// are accessed through pointers, without bounds checks, and the loop is a `while`, without a range
/// iterator.
macro_rules! each {
    ($i:ident < $count:expr, $body:block) => {
        let mut $i: usize = 0;
        while $i < $count {
            $body
            $i += 1;
        }
    };
}

/// The position of one tile of a batch.
#[derive(Clone, Copy)]
struct TilePointers {
    a: *const u8,
    b: *const u8,
    c: *mut u8,
    prefetch: *const u8,
}

/// Runs a block for each tile of a batch.
macro_rules! each_tile {
    ($batch:expr, $tile:ident, $body:block) => {
        let Batch { a, b, c, prefetch, .. } = *$batch;
        let mut first = TilePointers { a: a.start, b: b.start, c, prefetch: prefetch.start };
        for _ in 0..$batch.tiles_m {
            let mut $tile = first;
            for n in 0..$batch.tiles_n {
                // C of the next tile. Wrapping: the last tile has no next one.
                macro_rules! next_c {
                    () => {
                        match n + 1 < $batch.tiles_n {
                            true => $tile.c.wrapping_add($batch.c_tile_stride_n),
                            false => first.c.wrapping_add($batch.c_tile_stride_m),
                        }
                    };
                }
                $body
                // Wrapping: after the last tile, the pointers may be out of bounds.
                $tile.a = $tile.a.wrapping_add($batch.a_tile_stride_n);
                $tile.b = $tile.b.wrapping_add($batch.b_tile_stride);
                $tile.c = $tile.c.wrapping_add($batch.c_tile_stride_n);
                $tile.prefetch = $tile.prefetch.wrapping_add($batch.prefetch.tile_stride_n);
            }
            first.a = first.a.wrapping_add($batch.a_tile_stride);
            first.prefetch = first.prefetch.wrapping_add($batch.prefetch.tile_stride_m);
            first.c = first.c.wrapping_add($batch.c_tile_stride_m);
        }
    };
}

/// Prefetches vectors of C in each row of a tile. The loop is not unrolled, so that it takes no
/// registers from the loop along K.
#[inline(always)]
fn prefetch_rows(c: *mut u8, c_row: usize, rows: usize, offsets: &[usize], count: usize) {
    let (mut row, mut left) = (c.cast_const(), rows);
    while left > 0 {
        each!(j < count, {
            prefetch_l2(row.wrapping_add(offsets[j]));
        });
        // Opaque to LLVM, which would unroll the loop over the rows.
        row = opaque_pointer(row.wrapping_add(c_row));
        left = opaque(left - 1);
    }
}

impl<D, E, P, const ROWS: usize, const N: usize, const HAS_ROW_END: bool>
    Tile<D, E, P, ROWS, N, HAS_ROW_END>
where
    D: Arithmetic,
    E: Arithmetic<Word = D::Word, Sum = D::Sum>,
    P: Policy,
{
    /// Computes a batch of tiles. The loops over the tiles are part of this function: each level of
    /// inlining copies the body once more, in every static product.
    ///
    /// # Safety
    ///
    /// Same as [`MicroKernel`](crate::gemm::kernel::batch::MicroKernel).
    #[inline(always)]
    pub(crate) unsafe fn run(batch: &Batch, scale: &Scale<D::Sum>) {
        let depth = if Self::HIDES_K { opaque(batch.depth) } else { batch.depth };
        let last_lanes = batch.last_lanes;
        let full = last_lanes == <E::Sums as Vector>::LANES;
        let adds = scale.kind == Kind::Add;
        let mut packed_b = batch.packed_b;
        // SAFETY: guaranteed by the caller: the CPU has the instructions, and the batch says what
        // can be read and written. Indices of accumulators are below their counts. Accumulators
        // start as all-zero bits, which are valid numbers; vectors of B are loaded before use.
        unsafe {
            each_tile!(batch, tile, {
                let TilePointers { a, b, c, prefetch: mut prefetched } = tile;
                let c = c.cast::<D::Sum>();
                let mut all_sums = MaybeUninit::<[[[D::Sums; N]; ROWS]; MAX_SETS]>::uninit();
                let mut all_ends = MaybeUninit::<[[E::Sums; ROWS]; MAX_SETS]>::uninit();
                let sums = all_sums.as_mut_ptr().cast::<D::Sums>();
                let ends = all_ends.as_mut_ptr().cast::<E::Sums>();
                sums.write_bytes(0, Self::SETS * ROWS * N);
                if HAS_ROW_END {
                    ends.write_bytes(0, Self::SETS * ROWS);
                }
                // Macros, because closures would be compiled without the target features.
                macro_rules! sum {
                    ($set:expr, $i:expr, $j:expr) => {
                        *sums.add(($set * ROWS + $i) * N + $j)
                    };
                }
                macro_rules! end {
                    ($set:expr, $i:expr) => {
                        *ends.add($set * ROWS + $i)
                    };
                }
                let c_vectors = batch.c_vectors.as_ptr();
                macro_rules! vector_of_c {
                    ($row:expr, $j:expr) => {
                        $row.wrapping_byte_add(*c_vectors.add($j))
                    };
                }
                // Generates no code for rows that consist only of the vector at the end.
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
                                // In bounds: a row of C.
                                $row = $row.wrapping_byte_add(batch.c_row);
                                if Self::IS_SHARED {
                                    // Opaque to LLVM. Otherwise it computes the rows of all
                                    // tiles before the first tile, which takes longer than a
                                    // short tile, and keeps them on the stack.
                                    $row = opaque_pointer($row.cast_const()).cast_mut();
                                }
                            }
                            $body
                        });
                    };
                }
                macro_rules! load_end {
                    ($row:expr) => {
                        if Self::IS_ROW_END_WHOLE {
                            E::Sums::load(vector_of_c!($row, N))
                        } else if Self::SPLITS_ROW_END {
                            E::Sums::load_first_split(vector_of_c!($row, N), last_lanes)
                        } else {
                            E::Sums::load_first(vector_of_c!($row, N), last_lanes)
                        }
                    };
                }
                macro_rules! store_split {
                    ($end:expr, $row:expr) => {
                        let end = $end;
                        end.store_first(vector_of_c!($row, N), batch.split_lanes);
                        end.store_rest(vector_of_c!($row, N + 1), batch.split_lanes);
                    };
                }
                // With FMA, `1 * c + sum` costs as much as `c + sum` and gives the same result:
                // tiles of floats use one loop for both.
                macro_rules! merge {
                    ($of:ident, $beta:expr, $c:expr, $sum:expr) => {
                        if const { Self::SCALES_IN_LOOP } || !$of::FUSES && adds {
                            $sum.add($c)
                        } else {
                            $beta.mul_add($c, $sum)
                        }
                    };
                }
                let end_b = (N * batch.b.next).wrapping_add(batch.b_end_shift);
                if const { D::CORRECTS } && batch.corrected {
                    // In bounds: the row of corrections that ends the panel.
                    let start = b.wrapping_add(batch.words() * batch.b.step);
                    each!(i < ROWS, {
                        each_vector!(j, {
                            sum!(0, i, j) =
                                D::Sums::load(start.wrapping_add(j * batch.b.next).cast());
                        });
                        if HAS_ROW_END {
                            end!(0, i) = E::Sums::load(start.wrapping_add(end_b).cast());
                        }
                    });
                } else if Self::STARTS_FROM_C && adds {
                    each_row_of_c!(i, row, {
                        each_vector!(j, {
                            sum!(0, i, j) = D::Sums::load(vector_of_c!(row, j));
                        });
                        if const { HAS_ROW_END && !Self::READS_C_LATE } {
                            end!(0, i) = load_end!(row);
                        }
                    });
                }
                if const { Self::IS_SHARED } {
                    // From memory, C takes longer than one tile.
                    let c = match batch.c_location {
                        CacheLevel::Any if scale.reads() => Some(tile.c),
                        CacheLevel::Memory => Some(next_c!()),
                        _ => None,
                    };
                    if let Some(c) = c {
                        let vectors = N + HAS_ROW_END as usize;
                        prefetch_rows(c, batch.c_row, ROWS, &batch.c_vectors, vectors);
                        if const { Self::MAY_SPLIT } && batch.split_lanes > 0 {
                            prefetch_rows(c, batch.c_row, ROWS, &batch.c_vectors[vectors..], 1);
                        }
                    }
                }
                let a_step = batch.a.step;
                let rows = Rows::<ROWS>::new::<P>(batch.a.next);
                let mut a = rows.groups::<P>(a);
                let mut b = if P::INLINED { opaque_pointer(b) } else { b };
                let mut k: usize;
                macro_rules! step {
                    ($u:expr, $set:expr) => {
                        let (u, set): (usize, usize) = ($u, $set);
                        if const { Self::PREFETCHED_BYTES > 0 } {
                            each!(line < const { Self::PREFETCHED_BYTES / CACHE_LINE }, {
                                prefetch_l2(prefetched.wrapping_add(line * CACHE_LINE));
                            });
                            prefetched = prefetched.wrapping_add(batch.prefetch.step);
                        }
                        let b = b.wrapping_add(u * batch.b.step);
                        let mut all_vectors = MaybeUninit::<[D::Words; N]>::uninit();
                        let vectors = all_vectors.as_mut_ptr().cast::<D::Words>();
                        each_vector!(j, {
                            *vectors.add(j) =
                                D::Words::load(b.wrapping_add(j * batch.b.next).cast());
                        });
                        let mut end = MaybeUninit::<E::Words>::uninit();
                        if HAS_ROW_END {
                            let p = b.wrapping_add(end_b).cast();
                            end.write(if Self::IS_ROW_END_WHOLE {
                                E::Words::load(p)
                            } else {
                                E::Words::load_first(p, last_lanes)
                            });
                        }
                        if P::PACKS {
                            each_vector!(j, {
                                if const { !D::Sums::HAS_MASK_REGISTERS } {
                                    let ahead = batch.b.step.wrapping_mul(PACKED_STEPS_AHEAD);
                                    let next = b.wrapping_add(ahead);
                                    prefetch(next.wrapping_add(j * batch.b.next));
                                }
                                let to = packed_b.wrapping_add(j * size_of::<D::Words>());
                                (*vectors.add(j)).store(to.cast());
                            });
                            packed_b = packed_b.wrapping_add(N * size_of::<D::Words>());
                        }
                        each!(i < ROWS, {
                            let row = if P::INLINED {
                                a[0].wrapping_add(i * batch.a.next)
                            } else {
                                rows.at(&a, i)
                            };
                            let p = row.wrapping_add(u * a_step);
                            let x = p.cast::<D::Word>().read_unaligned();
                            if Self::HAS_VECTORS {
                                let x = D::Words::splat(x);
                                each_vector!(j, {
                                    sum!(set, i, j) = D::dot(x, *vectors.add(j), sum!(set, i, j));
                                });
                            }
                            if HAS_ROW_END {
                                end!(set, i) =
                                    E::dot(E::Words::splat(x), end.assume_init(), end!(set, i));
                            }
                        });
                    };
                }
                let mut runs = batch.runs;
                loop {
                    k = 0;
                    if Self::IS_UNROLLED {
                        while depth - k >= Self::STEPS {
                            each!(u < Self::STEPS, {
                                step!(if P::INLINED { u } else { 0 }, u % Self::SETS);
                                if Self::IS_SHARED {
                                    Rows::<ROWS>::advance(&mut a, a_step);
                                    b = b.wrapping_add(batch.b.step);
                                }
                            });
                            k += Self::STEPS;
                            if P::INLINED {
                                a[0] = a[0].wrapping_add(Self::STEPS * a_step);
                                if D::Sums::HAS_MASK_REGISTERS {
                                    // Otherwise LLVM uses one index register for A and B, and
                                    // Intel CPUs split FMAs with an indexed memory operand.
                                    a[0] = opaque_pointer(a[0]);
                                }
                                b = b.wrapping_add(Self::STEPS * batch.b.step);
                            }
                        }
                    }
                    if Self::HAS_MORE_STEPS {
                        while k < depth {
                            step!(0, 0);
                            k += 1;
                            if P::INLINED {
                                a[0] = a[0].wrapping_add(a_step);
                            } else {
                                Rows::<ROWS>::advance(&mut a, a_step);
                            }
                            b = b.wrapping_add(batch.b.step);
                        }
                    }
                    if P::INLINED {
                        break;
                    }
                    Rows::<ROWS>::advance(&mut a, batch.a_skip);
                    b = b.wrapping_add(batch.b_skip);
                    prefetched = prefetched.wrapping_add(batch.prefetch.skip);
                    runs -= 1;
                    if runs == 0 {
                        break;
                    }
                }
                let mut set: usize = 1;
                while set < Self::SETS {
                    each!(i < ROWS, {
                        each_vector!(j, {
                            sum!(0, i, j) = sum!(0, i, j).add(sum!(set, i, j));
                        });
                        if HAS_ROW_END {
                            end!(0, i) = end!(0, i).add(end!(set, i));
                        }
                    });
                    set += 1;
                }
                let scales = matches!(scale.kind, Kind::Scale | Kind::ScaleAdd);
                if const { Self::SCALES_IN_LOOP } && scales {
                    let (alpha, beta) = (D::Sums::splat(scale.alpha), D::Sums::splat(scale.beta));
                    let (end_alpha, end_beta) =
                        (E::Sums::splat(scale.alpha), E::Sums::splat(scale.beta));
                    let mut all_sums = MaybeUninit::<[[D::Sums; N]; ROWS]>::uninit();
                    let mut all_ends = MaybeUninit::<[E::Sums; ROWS]>::uninit();
                    let mut sums = all_sums.as_mut_ptr().cast::<D::Sums>();
                    let mut ends = all_ends.as_mut_ptr().cast::<E::Sums>();
                    each!(i < ROWS, {
                        each_vector!(j, {
                            *sums.add(i * N + j) = sum!(0, i, j);
                        });
                        if HAS_ROW_END {
                            *ends.add(i) = end!(0, i);
                        }
                    });
                    let (mut row, mut left) = (c, ROWS);
                    while left > 0 {
                        // A row is read before it is written: its last two vectors may overlap.
                        each_vector!(j, {
                            let sum = sums.add(j);
                            *sum = alpha.mul(*sum);
                            if scale.reads() {
                                *sum = beta.mul_add(D::Sums::load(vector_of_c!(row, j)), *sum);
                            }
                        });
                        if HAS_ROW_END {
                            let mut end = end_alpha.mul(*ends);
                            if scale.reads() {
                                end = end_beta.mul_add(load_end!(row), end);
                            }
                            if const { Self::MAY_SPLIT } && batch.split_lanes > 0 {
                                store_split!(end, row);
                            } else {
                                end.store_first(vector_of_c!(row, N), last_lanes);
                            }
                        }
                        each_vector!(j, {
                            (*sums.add(j)).store(vector_of_c!(row, j));
                        });
                        row = row.wrapping_byte_add(batch.c_row);
                        sums = sums.wrapping_add(N);
                        ends = ends.wrapping_add(1);
                        left = opaque(left - 1);
                    }
                } else {
                    if scales {
                        let (alpha, end_alpha) =
                            (D::Sums::splat(scale.alpha), E::Sums::splat(scale.alpha));
                        each!(i < ROWS, {
                            each_vector!(j, {
                                sum!(0, i, j) = alpha.mul(sum!(0, i, j));
                            });
                            if HAS_ROW_END {
                                end!(0, i) = end_alpha.mul(end!(0, i));
                            }
                        });
                    }
                    // All of C is read before any is written.
                    if scale.reads() {
                        let (beta, end_beta) =
                            (D::Sums::splat(scale.beta), E::Sums::splat(scale.beta));
                        each_row_of_c!(i, row, {
                            if !(Self::STARTS_FROM_C && adds) {
                                each_vector!(j, {
                                    let c = D::Sums::load(vector_of_c!(row, j));
                                    sum!(0, i, j) = merge!(D, beta, c, sum!(0, i, j));
                                });
                            }
                            if HAS_ROW_END && (Self::READS_C_LATE || !(Self::STARTS_FROM_C && adds))
                            {
                                end!(0, i) = merge!(E, end_beta, load_end!(row), end!(0, i));
                            }
                        });
                    }
                    each_row_of_c!(i, row, {
                        each_vector!(j, {
                            sum!(0, i, j).store(vector_of_c!(row, j));
                        });
                        if const { HAS_ROW_END && P::INLINED } {
                            if Self::IS_ROW_END_WHOLE {
                                end!(0, i).store(vector_of_c!(row, N));
                            } else if Self::SPLITS_ROW_END {
                                end!(0, i).store_first_split(vector_of_c!(row, N), last_lanes);
                            } else {
                                end!(0, i).store_first(vector_of_c!(row, N), last_lanes);
                            }
                        }
                    });
                    if const { HAS_ROW_END && Self::IS_SHARED } {
                        // Where masks are registers, whole vectors take no longer with one.
                        if const { Self::MAY_SPLIT } && full && batch.split_lanes > 0 {
                            each_row_of_c!(i, row, {
                                store_split!(end!(0, i), row);
                            });
                        } else if const { !E::Sums::HAS_MASK_REGISTERS } && full {
                            each_row_of_c!(i, row, {
                                end!(0, i).store(vector_of_c!(row, N));
                            });
                        } else {
                            each_row_of_c!(i, row, {
                                end!(0, i).store_first(vector_of_c!(row, N), last_lanes);
                            });
                        }
                    }
                }
            });
        }
    }
}
