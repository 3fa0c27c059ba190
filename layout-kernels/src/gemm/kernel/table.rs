//! `Kernels`: the register tiles and packing functions of one kind of multiplication, and the table
//! of them for each level.

use core::hint::black_box;

use crate::gemm::float::{Float, sealed};
use crate::gemm::kernel::arithmetic::Arithmetic;
use crate::gemm::kernel::batch::{Batch, MicroKernel, Words};
use crate::gemm::kernel::inner_product::{
    self, InnerTile, InnerTiles, RowsAndColumns, has_eight_rows, has_many_rows, max_columns,
};
use crate::gemm::kernel::policy::{PackingTile, SharedTile};
use crate::gemm::kernel::row_combination::{self, Combination};
use crate::gemm::kernel::shapes::Shapes;
use crate::gemm::kernel::short_rows::ShortRows;
use crate::gemm::kernel::tile::Tile;
use crate::gemm::kernel::words::{Dot, FloatDot, Operand};
use crate::gemm::pack::linear::{self, Linear};
use crate::gemm::pack::panels::Packing;
use crate::gemm::scale::{AnyScale, WithScales};
use crate::simd::Level;
use crate::simd::vector::{Isa, MAX_LANES, Vector};
use crate::transpose::StridedRows;

/// The register tiles and packing functions of one kind of multiplication. Only these functions
/// know the element type, so that their callers are compiled once for all types.
pub(crate) struct Kernels {
    pub(crate) shapes: Shapes,
    /// Tiles with 1, 2, ... vectors in a row; for each, tiles of 1, 2, ... rows. The last vector is
    /// possibly partial.
    pub(crate) tiles: &'static [&'static [MicroKernel]],
    /// The tiles with the most rows and 1, 2, ... vectors in a row, for a whole last vector. In
    /// tiles with fewer rows, the cost of the mask is hidden behind other work.
    pub(crate) whole_vector_tiles: &'static [MicroKernel],
    /// Tiles with 1, 2, ... whole vectors that pack B. All have as many rows as the tile with the
    /// most vectors. Empty if the level has none.
    #[cfg_attr(not(feature = "std"), expect(dead_code, reason = "used only with cache blocking"))]
    pub(crate) packing_tiles: &'static [MicroKernel],
    pub(crate) inner_tiles: InnerTiles,
    pub(crate) with_scales: WithScales,
    /// Row combinations, for up to each of the numbers of rows of [`row_combination::ROWS`].
    pub(crate) row_combinations: [RowCombination; 3],
    pub(crate) short_rows: Option<ShortRowsKernel>,
    /// The scale of `C = A * B`.
    pub(crate) assign: AnyScale<'static>,
    pub(crate) pack_a: Packing,
    pub(crate) pack_b: Packing,
}

impl Kernels {
    /// The tile of these rows and vectors. `partial`: the last vector is partial.
    #[inline(always)]
    pub(crate) fn tile(&self, rows: usize, vectors: usize, partial: bool) -> MicroKernel {
        let tiles = self.tiles[vectors - 1];
        match partial || rows < tiles.len() {
            true => tiles[rows - 1],
            false => self.whole_vector_tiles[vectors - 1],
        }
    }

    /// Runs the largest tile for `iterations` steps along K over the same words of A and B. Returns the
    /// number of multiplications and additions of elements. This measures the peak throughput of
    /// the instructions.
    ///
    /// # Safety
    ///
    /// The CPU must have the instructions of the kernels.
    pub(crate) unsafe fn peak(&self, iterations: usize) -> usize {
        let Shapes { lanes, depth, sum, .. } = self.shapes;
        let vectors = self.shapes.vectors();
        let rows = self.shapes.rows(vectors);
        let words = [0u64; MAX_LANES];
        let mut c = [0u64; MAX_ROWS * ROW_BYTES / size_of::<u64>()];
        let all = Words { start: words.as_ptr().cast(), next: 0, step: 0 };
        let c_start = (c.as_mut_ptr().cast(), ROW_BYTES);
        let batch = Batch::single_tile(iterations, [all; 2], c_start, (lanes, sum));
        // SAFETY: guaranteed by the caller. A vector has at most 16 words of 8 bytes, and C has a
        // row for each row of the tile.
        unsafe { (self.whole_vector_tiles[vectors - 1])(&batch, self.assign) };
        black_box(c);
        2 * rows * vectors * lanes * depth * iterations
    }
}

/// Maximum number of rows of a tile.
pub(crate) const MAX_ROWS: usize = 16;
/// Maximum number of elements in a row of a tile: three registers.
pub(crate) const MAX_WIDTH: usize = 3 * MAX_LANES;
/// Maximum number of bytes of accumulators in a row of a tile.
pub(crate) const ROW_BYTES: usize = 3 * REGISTER_BYTES;
/// Maximum number of bytes of a register.
pub(crate) const REGISTER_BYTES: usize = 64;

/// Computes rows of C as combinations of rows of B.
pub(crate) type RowCombination = unsafe fn(&Combination, AnyScale<'_>);

/// Computes products with short rows.
pub(crate) type ShortRowsKernel = unsafe fn(&ShortRows, AnyScale<'_>);

/// Defines functions with the instructions of a level around generic kernel bodies.
macro_rules! level {
    ($name:ident $(: $features:literal)?) => {
        pub(crate) mod $name {
            use super::*;

            $(#[target_feature(enable = $features)])?
            pub(crate) unsafe fn tile<
                A: Arithmetic,
                const ROWS: usize,
                const N: usize,
                const HAS_ROW_END: bool,
            >(
                tiles: &Batch,
                scale: AnyScale<'_>,
            ) {
                // SAFETY: guaranteed by the caller; this function enables the instructions.
                unsafe { Tile::<A, A, SharedTile, ROWS, N, HAS_ROW_END>::run(tiles, scale.of()) }
            }

            #[allow(dead_code, reason = "plain tiles do not pack")]
            $(#[target_feature(enable = $features)])?
            pub(crate) unsafe fn packing_tile<A: Arithmetic, const ROWS: usize, const N: usize>(
                tiles: &Batch,
                scale: AnyScale<'_>,
            ) {
                // SAFETY: guaranteed by the caller; this function enables the instructions.
                unsafe { Tile::<A, A, PackingTile, ROWS, N, false>::run(tiles, scale.of()) }
            }

            $(#[target_feature(enable = $features)])?
            unsafe fn inner_tile<D: Dot, const ROWS: usize, const COLUMNS: usize>(
                all: &RowsAndColumns,
                at: (usize, usize),
                scale: AnyScale<'_>,
            ) {
                // SAFETY: guaranteed by the caller; this function enables the instructions.
                unsafe { inner_product::tile::<D, ROWS, COLUMNS>(all, at, scale.of()) }
            }

            $(#[target_feature(enable = $features)])?
            unsafe fn single_rows<D: Dot>(
                all: &RowsAndColumns,
                (row, _): (usize, usize),
                scale: AnyScale<'_>,
            ) {
                // SAFETY: guaranteed by the caller; this function enables the instructions.
                unsafe { inner_product::single_rows::<D>(all, row, scale.of()) }
            }

            // Four arrays: of a part of one array, all functions would be compiled.
            const fn inner_tiles_of<D: Dot, const ROWS: usize>() -> &'static [InnerTile] {
                match max_columns::<D>(ROWS) {
                    0 => &[],
                    1 => const { &[inner_tile::<D, ROWS, 1>] },
                    2 => const { &[inner_tile::<D, ROWS, 1>, inner_tile::<D, ROWS, 2>] },
                    3 => const {
                        &[
                            inner_tile::<D, ROWS, 1>,
                            inner_tile::<D, ROWS, 2>,
                            inner_tile::<D, ROWS, 3>,
                        ]
                    },
                    _ => const {
                        &[
                            inner_tile::<D, ROWS, 1>,
                            inner_tile::<D, ROWS, 2>,
                            inner_tile::<D, ROWS, 3>,
                            inner_tile::<D, ROWS, 4>,
                        ]
                    },
                }
            }

            /// Only evaluated at compile time, so only the functions of the result are compiled.
            pub(crate) const fn inner_tiles<D: Dot>() -> InnerTiles {
                let eight_rows: Option<InnerTile> = match has_eight_rows::<D>() {
                    true => Some(inner_tile::<D, { inner_product::MAX_ROWS }, 1>),
                    false => None,
                };
                let [two, three] = [inner_tiles_of::<D, 2>(), inner_tiles_of::<D, 3>()];
                let tiles = [two, three, inner_tiles_of::<D, 4>()];
                InnerTiles { tiles, single_rows: single_rows::<D>, eight_rows }
            }

            $(#[target_feature(enable = $features)])?
            unsafe fn combine<D: Dot, const N: usize>(all: &Combination, scale: AnyScale<'_>) {
                // SAFETY: guaranteed by the caller; this function enables the instructions.
                unsafe { row_combination::combine::<D, N>(all, scale.of()) }
            }

            /// Only evaluated at compile time, so only the functions of the result are compiled.
            pub(crate) const fn row_combinations<D: Dot>() -> [RowCombination; 3] {
                let single: RowCombination = combine::<D, { row_combination::ROWS[2] }>;
                let few = match has_many_rows::<D>() {
                    true => combine::<D, { row_combination::ROWS[1] }>,
                    false => single,
                };
                let most = match has_eight_rows::<D>() {
                    true => combine::<D, { row_combination::ROWS[0] }>,
                    false => few,
                };
                [most, few, single]
            }

            $(#[target_feature(enable = $features)])?
            unsafe fn several_rows<D: Dot>(all: &ShortRows, scale: AnyScale<'_>) {
                // SAFETY: guaranteed by the caller; this function enables the instructions.
                unsafe { D::short_rows(all, scale.of()) }
            }

            /// Only evaluated at compile time, so only the function of the result is compiled.
            pub(crate) const fn short_rows<D: Dot>() -> Option<ShortRowsKernel> {
                if D::HAS_SHORT_ROWS { Some(several_rows::<D>) } else { None }
            }

            $(#[target_feature(enable = $features)])?
            unsafe fn convert<O: Operand>(
                from: StridedRows<*const u8>,
                to: StridedRows<*mut u8>,
                rows: usize,
                n: usize,
            ) {
                for row in 0..rows {
                    // SAFETY: guaranteed by the caller; this function enables the instructions.
                    unsafe { O::convert(from.at(row, 0).cast(), to.at(row, 0).cast(), n) };
                }
            }

            $(#[target_feature(enable = $features)])?
            unsafe fn gather<O: Operand>(block: &Linear<'_>) {
                // SAFETY: guaranteed by the caller; this function enables the instructions.
                unsafe { linear::gather::<O>(block) };
            }

            $(#[target_feature(enable = $features)])?
            unsafe fn finish<O: Operand>(panel: *mut u8, rows: usize, width: usize, of_b: bool) {
                // SAFETY: guaranteed by the caller; this function enables the instructions.
                unsafe { O::finish(panel.cast(), rows, width, of_b) };
            }

            /// Only evaluated at compile time, so only the functions of the result are compiled.
            pub(crate) const fn packing<O: Operand>() -> Packing {
                Packing::of::<O>(convert::<O>, gather::<O>, finish::<O>)
            }
        }
    };
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
level!(avx512: "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma");
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
level!(avx512_vnni: "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vnni,avx2,fma");
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", feature = "half"))]
level!(avx512_bf16: "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512bf16,avx2,fma");
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
level!(avx2: "avx2,fma,f16c");
level!(plain);

/// The `Kernels` of a `Dot` at a level. For 1, 2, ... vectors in a row, lists the numbers of rows
/// of the tiles; the maximum follows `to`.
macro_rules! kernels {
    ($level:ident, $dot:ty: $($($rows:literal)* to $most:literal),*) => {
        const {
            kernels!(@ $level, $dot, <$dot as $crate::gemm::kernel::words::Dot>::Math:
                [$([$($rows)*] $most)*] $($most)*)
        }
    };
    (@ $level:ident, $dot:ty, $math:ty: $groups:tt $($most:literal)*) => {
        &$crate::gemm::kernel::table::Kernels {
            shapes: $crate::gemm::kernel::shapes::Shapes {
                lanes: <$crate::gemm::kernel::words::Sums<$dot> as $crate::simd::vector::Vector>::LANES,
                element: size_of::<<<$dot as Dot>::A as Operand>::Element>(),
                sum: {
                    let lanes = <$crate::gemm::kernel::words::Sums<$dot> as $crate::simd::vector::Vector>::LANES;
                    let sum = size_of::<<$dot as Dot>::Sum>();
                    assert!(lanes * sum <= $crate::gemm::kernel::table::REGISTER_BYTES, "accumulator row exceeds REGISTER_BYTES");
                    sum
                },
                word: size_of::<$crate::gemm::kernel::words::Word<<$dot as Dot>::A>>(),
                depth: <<$dot as Dot>::A as Operand>::DEPTH,
                extra_rows: <<$dot as Dot>::A as Operand>::SHIFTED as usize,
                a_words: <<$dot as Dot>::A as Operand>::IS_WORD
                    && !<<$dot as Dot>::A as Operand>::SHIFTED,
                b_words: <<$dot as Dot>::B as Operand>::IS_WORD
                    && !<<$dot as Dot>::B as Operand>::SHIFTED,
                has_double_sums: size_of::<$crate::gemm::kernel::words::Sums<$dot>>()
                    > size_of::<<$math as $crate::gemm::kernel::arithmetic::Arithmetic>::Words>(),
                inner_columns: $crate::gemm::kernel::inner_product::max_columns::<<$dot as Dot>::Inner>(4),
                plain_cost: <$dot as $crate::gemm::kernel::words::Dot>::PLAIN_COST,
                has_short_rows: <$dot as $crate::gemm::kernel::words::Dot>::HAS_SHORT_ROWS,
                has_mask_registers: <$crate::gemm::kernel::words::Sums<$dot> as $crate::simd::vector::Vector>::HAS_MASK_REGISTERS,
                max_rows: &[$($most),*],
            },
            tiles: kernels!(@tiles $level $math, [] [0 1 2 3] $groups),
            whole_vector_tiles: kernels!(@whole $level $math, [] [1 2 3] $($most)*),
            packing_tiles: kernels!(@packing $level $math, { last(&[$($most),*]) }, [] [1 2 3] $($most)*),
            inner_tiles: $crate::gemm::kernel::table::$level::inner_tiles::<<$dot as Dot>::Inner>(),
            with_scales: $crate::gemm::scale::with_scales::<<$dot as Dot>::Sum>,
            row_combinations: $crate::gemm::kernel::table::$level::row_combinations::<<$dot as Dot>::Inner>(),
            short_rows: $crate::gemm::kernel::table::$level::short_rows::<$dot>(),
            assign: <<$dot as Dot>::Sum as $crate::gemm::float::sealed::Sum>::ASSIGN.any(),
            pack_a: $crate::gemm::kernel::table::$level::packing::<<$dot as Dot>::A>(),
            pack_b: $crate::gemm::kernel::table::$level::packing::<<$dot as Dot>::B>(),
        }
    };
    (@tiles $level:ident $math:ty, [$($done:tt)*] $numbers:tt []) => { &[$($done)*] };
    (@tiles $level:ident $math:ty, [$($done:tt)*] [$less:literal $n:literal $($left:literal)*]
     [[$($rows:literal)*] $most:literal $($others:tt)*]) => {
        kernels!(@tiles $level $math, [$($done)* &[
            $($crate::gemm::kernel::table::$level::tile::<$math, $rows, $less, true>,)*
            $crate::gemm::kernel::table::$level::tile::<$math, $most, $less, true>,
        ],] [$n $($left)*] [$($others)*])
    };
    (@whole $level:ident $math:ty, [$($done:tt)*] $numbers:tt) => { &[$($done)*] };
    (@whole $level:ident $math:ty, [$($done:tt)*] [$n:literal $($left:literal)*]
     $most:literal $($others:literal)*) => {
        kernels!(@whole $level $math, [$($done)*
            $crate::gemm::kernel::table::$level::tile::<$math, $most, $n, false>,
        ] [$($left)*] $($others)*)
    };
    // Without AVX2 there are too few registers to pack along with the products.
    (@packing plain $($others:tt)*) => { &[] };
    (@packing $level:ident $math:ty, $most:block, [$($done:tt)*] $numbers:tt) => { &[$($done)*] };
    (@packing $level:ident $math:ty, $most:block, [$($done:tt)*] [$n:literal $($left:literal)*]
     $one:literal $($others:literal)*) => {
        kernels!(@packing $level $math, $most, [$($done)*
            $crate::gemm::kernel::table::$level::packing_tile::<$math, $most, $n>
                as $crate::gemm::kernel::batch::MicroKernel,
        ] [$($left)*] $($others)*)
    };
}

/// The last number of a list.
pub(crate) const fn last(numbers: &[usize]) -> usize {
    numbers[numbers.len() - 1]
}

pub(crate) use kernels;

/// Maximum numbers of rows of tiles of floats with 1, 2, 3 vectors in a row, as in the table below.
pub(crate) const ROWS_OF_32_REGISTERS: [usize; 3] = [16, 12, 8];
pub(crate) const ROWS_OF_16_REGISTERS: [usize; 2] = [12, 6];
/// The same for arrays.
#[cfg(any(
    test,
    not(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon")
    ))
))]
pub(crate) const PLAIN_ROWS: [usize; 2] = [4, 4];

/// The shapes of the tiles of floats in registers of `I`, for compile-time plans.
pub(crate) const fn shapes_of_floats<T: Float, I: Isa<T>>(max_rows: &'static [usize]) -> Shapes {
    Shapes {
        lanes: I::Full::LANES,
        element: size_of::<T>(),
        sum: size_of::<T>(),
        word: size_of::<T>(),
        depth: 1,
        extra_rows: 0,
        a_words: true,
        b_words: true,
        has_double_sums: false,
        inner_columns: max_columns::<FloatDot<I::Full>>(4),
        plain_cost: 1,
        has_short_rows: I::Full::HAS_PERMUTE,
        has_mask_registers: I::Full::HAS_MASK_REGISTERS,
        max_rows,
    }
}

/// The kernels of a level whose words are floats.
macro_rules! of_floats {
    ($level:ident, $dot:ty, of 32 registers) => {
        kernels!($level, $dot:
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 to 16,
            1 2 3 4 5 6 7 8 9 10 11 to 12,
            1 2 3 4 5 6 7 to 8)
    };
    ($level:ident, $dot:ty, of 16 registers) => {
        kernels!($level, $dot: 1 2 3 4 5 6 7 8 9 10 11 to 12, 1 2 3 4 5 to 6)
    };
    ($level:ident, $dot:ty, of arrays) => { kernels!($level, $dot: 1 2 3 to 4, 1 2 3 to 4) };
}

#[cfg(feature = "half")]
pub(crate) use of_floats;

/// The kernels of floats at a level.
pub(crate) fn floats<T: Float>(level: Level) -> &'static Kernels {
    use sealed::Element;
    type Of<I, T> = FloatDot<<I as Isa<T>>::Full>;
    match level {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx512(_) => of_floats!(avx512, Of<<T as Element>::Avx512, T>, of 32 registers),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        Level::Avx2(_) => of_floats!(avx2, Of<<T as Element>::Avx2, T>, of 16 registers),
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        Level::Neon(_) => of_floats!(plain, Of<<T as Element>::Neon, T>, of 32 registers),
        _ => of_floats!(plain, Of<<T as Element>::Portable, T>, of arrays),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sealed::Element;

    fn same<T: Float, I: Isa<T>>(level: Level, max_rows: &'static [usize]) {
        let Kernels { shapes, tiles, .. } = floats::<T>(level);
        let known = shapes_of_floats::<T, I>(max_rows);
        assert_eq!(format!("{known:?}"), format!("{shapes:?}"), "{level}");
        let rows: Vec<usize> = tiles.iter().map(|tiles| tiles.len()).collect();
        assert_eq!(rows, shapes.max_rows, "{level}");
    }

    fn all<T: Float>() {
        for level in Level::available() {
            match level {
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Level::Avx512(_) => same::<T, <T as Element>::Avx512>(level, &ROWS_OF_32_REGISTERS),
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                Level::Avx2(_) => same::<T, <T as Element>::Avx2>(level, &ROWS_OF_16_REGISTERS),
                #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
                Level::Neon(_) => same::<T, <T as Element>::Neon>(level, &ROWS_OF_32_REGISTERS),
                _ => same::<T, <T as Element>::Portable>(level, &PLAIN_ROWS),
            }
        }
    }

    #[test]
    fn static_plans_know_the_tiles() {
        all::<f32>();
        all::<f64>();
    }
}
