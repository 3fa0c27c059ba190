//! Tiles in x86-64 vector registers, for elements of 4 and of 8 bytes.
//!
//! A tile of `SIDE` rows is loaded in halves: a register gets half of row `k` and half of row
//! `k + SIDE / 2`, the second one inserted from memory. That is one stage of the transposition
//! done by loads; the others are shuffles inside 128-bit lanes and, for AVX-512, one exchange of
//! lanes. On processors with one unit for 512-bit shuffles (Intel) that unit is the limit: loading
//! whole rows and shuffling four stages took 263 ns for 64 x 64 f32, this takes 184 ns. Storing
//! lanes with `vextractf32x4` (525 ns) and merging lanes with masked broadcasts (203 ns) lost too.

use core::arch::x86_64::*;

use super::tile::{Plain, Strip, Tile, square};

/// Whether element `k` of a whole tile or of the part `0..end` exists.
#[inline(always)]
const fn exists<const PART: bool>(k: usize, end: usize) -> bool {
    !PART || k < end
}

/// The row to load for `row`: itself, or in a part without it the first one, whose elements then
/// come to rows of the result that are not stored.
#[inline(always)]
const fn existing<const PART: bool>(row: usize, rows: usize) -> usize {
    if exists::<PART>(row, rows) { row } else { 0 }
}

/// A mask of ones for the elements `start..end` of `0..end`.
#[inline(always)]
const fn ones(start: usize, end: usize) -> u16 {
    let n = end.saturating_sub(start);
    if n >= 16 { u16::MAX } else { (1 << n) - 1 }
}

macro_rules! tile {
    (
        $(#[$doc:meta])*
        $name:ident: $side:literal x $word:ty, $kernel:ident, $features:literal
    ) => {
        $(#[$doc])*
        pub struct $name;

        impl Tile for $name {
            type Word = $word;
            const SIDE: usize = $side;

            #[inline(always)]
            unsafe fn tile<const PART: bool>(
                source: Strip<*const $word>,
                destination: Strip<*mut $word>,
                rows: usize,
                columns: usize,
            ) {
                // SAFETY: the caller's promise.
                unsafe { $kernel::<PART>(source, destination, rows, columns) };
            }

            #[target_feature(enable = $features)]
            #[inline(never)]
            unsafe fn square_apart(
                source: Strip<*const $word>,
                destination: Strip<*mut $word>,
                rows: usize,
                columns: usize,
            ) {
                // SAFETY: the caller's promise.
                unsafe { square::<Self>(source, destination, rows, columns) };
            }
        }
    };
}

tile!(
    /// 16 x 16 elements of 4 bytes with AVX-512.
    Zmm32: 16 x f32, zmm32, "avx512f,avx512bw,avx512dq,avx512vl"
);
tile!(
    /// 8 x 8 elements of 8 bytes with AVX-512.
    Zmm64: 8 x f64, zmm64, "avx512f,avx512bw,avx512dq,avx512vl"
);
tile!(
    /// 8 x 8 elements of 4 bytes with AVX2.
    Ymm32: 8 x f32, ymm32, "avx2"
);
tile!(
    /// 4 x 4 elements of 8 bytes with AVX2.
    Ymm64: 4 x f64, ymm64, "avx2"
);
tile!(
    /// 4 x 4 elements of 4 bytes with SSE2.
    Xmm32: 4 x f32, xmm32, "sse2"
);
tile!(
    /// 2 x 2 elements of 8 bytes with SSE2.
    Xmm64: 2 x f64, xmm64, "sse2"
);

/// The lanes of 128 bits `(a0, b0, a2, b2)` and `(a1, b1, a3, b3)`.
///
/// One shuffle and two blends: blends have a second execution unit.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn exchange_lanes(a: __m512d, b: __m512d) -> (__m512d, __m512d) {
    let a1_b0_a3_b2 = _mm512_permutex2var_pd(a, _mm512_setr_epi64(2, 3, 8, 9, 6, 7, 12, 13), b);
    (
        _mm512_mask_mov_pd(a, 0b1100_1100, a1_b0_a3_b2),
        _mm512_mask_mov_pd(b, 0b0011_0011, a1_b0_a3_b2),
    )
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
#[inline]
unsafe fn zmm32<const PART: bool>(
    source: Strip<*const f32>,
    destination: Strip<*mut f32>,
    rows: usize,
    columns: usize,
) {
    let store_mask = ones(0, rows);
    for left in [0, 8] {
        if !exists::<PART>(left, columns) {
            return;
        }
        let load_mask = ones(left, columns) as u8;
        let load = |row: usize| {
            let from = source.at(existing::<PART>(row, rows), left);
            if PART {
                // SAFETY: the row exists, and the mask has the columns that do.
                unsafe { _mm256_maskz_loadu_ps(load_mask, from) }
            } else {
                // SAFETY: all rows and columns exist.
                unsafe { _mm256_loadu_ps(from) }
            }
        };
        // lanes: (row, left), (row, left + 4), (row + 8, left), (row + 8, left + 4)
        let mut r = [_mm512_setzero_ps(); 8];
        for (row, r) in r.iter_mut().enumerate() {
            *r = _mm512_insertf32x8::<1>(_mm512_castps256_ps512(load(row)), load(row + 8));
        }
        // lanes: rows 0, 4, 8, 12 of columns left + 0..4, then of left + 4..8
        let mut q = [_mm512_setzero_pd(); 8];
        for row in 0..4 {
            (q[row], q[row + 4]) =
                exchange_lanes(_mm512_castps_pd(r[row]), _mm512_castps_pd(r[row + 4]));
        }
        for four in [0, 4] {
            let row = |k: usize| _mm512_castpd_ps(q[four + k]);
            let pair = |a, b| {
                let (lo, hi) = (_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
                (_mm512_castps_pd(lo), _mm512_castps_pd(hi))
            };
            let ((a, c), (b, d)) = (pair(row(0), row(1)), pair(row(2), row(3)));
            let columns_of_four = [
                _mm512_unpacklo_pd(a, b),
                _mm512_unpackhi_pd(a, b),
                _mm512_unpacklo_pd(c, d),
                _mm512_unpackhi_pd(c, d),
            ];
            for (k, column) in columns_of_four.into_iter().enumerate() {
                let at = left + four + k;
                let (to, column) = (destination.at(at, 0), _mm512_castpd_ps(column));
                if !PART {
                    // SAFETY: all rows and columns exist.
                    unsafe { _mm512_storeu_ps(to, column) };
                } else if at < columns {
                    // SAFETY: the column exists, and the mask has the rows that do.
                    unsafe { _mm512_mask_storeu_ps(to, store_mask, column) };
                }
            }
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
#[inline]
unsafe fn zmm64<const PART: bool>(
    source: Strip<*const f64>,
    destination: Strip<*mut f64>,
    rows: usize,
    columns: usize,
) {
    let store_mask = ones(0, rows) as u8;
    for left in [0, 4] {
        if !exists::<PART>(left, columns) {
            return;
        }
        let load_mask = ones(left, columns) as u8;
        let load = |row: usize| {
            let from = source.at(existing::<PART>(row, rows), left);
            if PART {
                // SAFETY: the row exists, and the mask has the columns that do.
                unsafe { _mm256_maskz_loadu_pd(load_mask & 0xf, from) }
            } else {
                // SAFETY: all rows and columns exist.
                unsafe { _mm256_loadu_pd(from) }
            }
        };
        // lanes: (row, left), (row, left + 2), (row + 4, left), (row + 4, left + 2)
        let row = |k: usize| _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(load(k)), load(k + 4));
        let (r0, r1, r2, r3) = (row(0), row(1), row(2), row(3));
        let (c0, c2) = exchange_lanes(_mm512_unpacklo_pd(r0, r1), _mm512_unpacklo_pd(r2, r3));
        let (c1, c3) = exchange_lanes(_mm512_unpackhi_pd(r0, r1), _mm512_unpackhi_pd(r2, r3));
        for (k, column) in [c0, c1, c2, c3].into_iter().enumerate() {
            let to = destination.at(left + k, 0);
            if !PART {
                // SAFETY: all rows and columns exist.
                unsafe { _mm512_storeu_pd(to, column) };
            } else if left + k < columns {
                // SAFETY: the column exists, and the mask has the rows that do.
                unsafe { _mm512_mask_storeu_pd(to, store_mask, column) };
            }
        }
    }
}

/// A vector mask for the elements `start..end` of `0..end`, 4 bytes each.
#[target_feature(enable = "avx2")]
#[inline]
fn ones32(start: usize, end: usize) -> __m256i {
    // At most 8, so that the conversion is exact.
    let n = end.saturating_sub(start).min(8) as i32;
    _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
}

/// A vector mask for the elements `start..end` of `0..end`, 8 bytes each.
#[target_feature(enable = "avx2")]
#[inline]
fn ones64(start: usize, end: usize) -> __m256i {
    let n = end.saturating_sub(start).min(4) as i64;
    _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3))
}

#[target_feature(enable = "avx2")]
#[inline]
unsafe fn ymm32<const PART: bool>(
    source: Strip<*const f32>,
    destination: Strip<*mut f32>,
    rows: usize,
    columns: usize,
) {
    let store_mask = ones32(0, rows);
    for left in [0, 4] {
        if !exists::<PART>(left, columns) {
            return;
        }
        let load_mask = _mm256_castsi256_si128(ones32(left, columns));
        let load = |row: usize| {
            let from = source.at(existing::<PART>(row, rows), left);
            if PART {
                // SAFETY: the row exists, and the mask has the columns that do.
                unsafe { _mm_maskload_ps(from, load_mask) }
            } else {
                // SAFETY: all rows and columns exist.
                unsafe { _mm_loadu_ps(from) }
            }
        };
        let row =
            |k: usize| _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(load(k)), load(k + 4));
        let (r0, r1, r2, r3) = (row(0), row(1), row(2), row(3));
        // `shufps` rather than `unpckps`: it has two execution units where that has one.
        let (a, c) = (_mm256_shuffle_ps::<0x44>(r0, r1), _mm256_shuffle_ps::<0xee>(r0, r1));
        let (b, d) = (_mm256_shuffle_ps::<0x44>(r2, r3), _mm256_shuffle_ps::<0xee>(r2, r3));
        let columns_of_four = [
            _mm256_shuffle_ps::<0x88>(a, b),
            _mm256_shuffle_ps::<0xdd>(a, b),
            _mm256_shuffle_ps::<0x88>(c, d),
            _mm256_shuffle_ps::<0xdd>(c, d),
        ];
        for (k, column) in columns_of_four.into_iter().enumerate() {
            let to = destination.at(left + k, 0);
            if !PART {
                // SAFETY: all rows and columns exist.
                unsafe { _mm256_storeu_ps(to, column) };
            } else if left + k < columns {
                // SAFETY: the column exists, and the mask has the rows that do.
                unsafe { _mm256_maskstore_ps(to, store_mask, column) };
            }
        }
    }
}

#[target_feature(enable = "avx2")]
#[inline]
unsafe fn ymm64<const PART: bool>(
    source: Strip<*const f64>,
    destination: Strip<*mut f64>,
    rows: usize,
    columns: usize,
) {
    let store_mask = ones64(0, rows);
    for left in [0, 2] {
        if !exists::<PART>(left, columns) {
            return;
        }
        let load_mask = _mm256_castsi256_si128(ones64(left, columns));
        let load = |row: usize| {
            let from = source.at(existing::<PART>(row, rows), left);
            if PART {
                // SAFETY: the row exists, and the mask has the columns that do.
                unsafe { _mm_maskload_pd(from, load_mask) }
            } else {
                // SAFETY: all rows and columns exist.
                unsafe { _mm_loadu_pd(from) }
            }
        };
        let row =
            |k: usize| _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(load(k)), load(k + 2));
        let (r0, r1) = (row(0), row(1));
        let two_columns = [_mm256_unpacklo_pd(r0, r1), _mm256_unpackhi_pd(r0, r1)];
        for (k, column) in two_columns.into_iter().enumerate() {
            let to = destination.at(left + k, 0);
            if !PART {
                // SAFETY: all rows and columns exist.
                unsafe { _mm256_storeu_pd(to, column) };
            } else if left + k < columns {
                // SAFETY: the column exists, and the mask has the rows that do.
                unsafe { _mm256_maskstore_pd(to, store_mask, column) };
            }
        }
    }
}

/// SSE2 has no masks: a part goes element by element.
#[inline(always)]
unsafe fn scalar<T: Copy>(
    source: Strip<*const T>,
    destination: Strip<*mut T>,
    rows: usize,
    columns: usize,
) {
    // SAFETY: the caller's promise, which is the same.
    unsafe { Plain::tile::<true>(source, destination, rows, columns) };
}

#[inline(always)]
unsafe fn xmm32<const PART: bool>(
    source: Strip<*const f32>,
    destination: Strip<*mut f32>,
    rows: usize,
    columns: usize,
) {
    if PART {
        // SAFETY: the caller's promise.
        return unsafe { scalar(source, destination, rows, columns) };
    }
    let row = |k: usize| {
        // SAFETY: all rows and columns exist.
        unsafe { _mm_loadu_ps(source.at(k, 0)) }
    };
    // SAFETY: x86-64 has SSE2.
    let columns = unsafe { transposed32([row(0), row(1), row(2), row(3)]) };
    for (k, column) in columns.into_iter().enumerate() {
        // SAFETY: all rows and columns exist.
        unsafe { _mm_storeu_ps(destination.at(k, 0), column) };
    }
}

#[target_feature(enable = "sse2")]
#[inline]
fn transposed32([r0, r1, r2, r3]: [__m128; 4]) -> [__m128; 4] {
    let (a, c) = (_mm_unpacklo_ps(r0, r1), _mm_unpackhi_ps(r0, r1));
    let (b, d) = (_mm_unpacklo_ps(r2, r3), _mm_unpackhi_ps(r2, r3));
    [_mm_movelh_ps(a, b), _mm_movehl_ps(b, a), _mm_movelh_ps(c, d), _mm_movehl_ps(d, c)]
}

#[inline(always)]
unsafe fn xmm64<const PART: bool>(
    source: Strip<*const f64>,
    destination: Strip<*mut f64>,
    rows: usize,
    columns: usize,
) {
    if PART {
        // SAFETY: the caller's promise.
        return unsafe { scalar(source, destination, rows, columns) };
    }
    let row = |k: usize| {
        // SAFETY: all rows and columns exist.
        unsafe { _mm_loadu_pd(source.at(k, 0)) }
    };
    // SAFETY: x86-64 has SSE2.
    let columns = unsafe { transposed64([row(0), row(1)]) };
    for (k, column) in columns.into_iter().enumerate() {
        // SAFETY: all rows and columns exist.
        unsafe { _mm_storeu_pd(destination.at(k, 0), column) };
    }
}

#[target_feature(enable = "sse2")]
#[inline]
fn transposed64([r0, r1]: [__m128d; 2]) -> [__m128d; 2] {
    [_mm_unpacklo_pd(r0, r1), _mm_unpackhi_pd(r0, r1)]
}
