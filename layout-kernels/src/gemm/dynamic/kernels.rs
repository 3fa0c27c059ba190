//! `Kernels`: the register tiles of one way to multiply, how their panels are packed, and which
//! there are at each level.

use core::hint::black_box;

use crate::copy::tile::Plain;
use crate::gemm::dynamic::dot::{Dot, Lanes};
use crate::gemm::dynamic::dots::{self, Dots};
use crate::gemm::dynamic::micro::{Micro, Panels, Target, Tiles, micro};
use crate::gemm::dynamic::panels::{Left, Pack, Packed, Right, Source, pack};
use crate::gemm::float::{Float, sealed, sealed::Sum as _};
use crate::simd::Level;
use crate::simd::vector::Vector;

/// The tiles of one way to multiply, and how its panels are packed.
pub(crate) struct Kernels<X: 'static, Y: 'static, T: 'static> {
    /// Lanes of a vector of sums.
    pub(crate) lanes: usize,
    /// The bytes of a word, and the elements along K in it.
    pub(crate) word: usize,
    pub(crate) depth: usize,
    /// Rows at the end of a panel of B that are no steps.
    pub(crate) more: usize,
    /// Whether neighbours along K in A, and in B, are words.
    pub(crate) a_words: bool,
    pub(crate) b_words: bool,
    /// Whether the last vector of B is read only as far as it is there.
    pub(crate) masked: bool,
    /// Tiles of 1, 2, 3, ... rows, each with 1, 2, ... vectors, of each kind in [`Tiles`].
    pub(crate) tiles: &'static [&'static [[Micro<T>; 3]]],
    /// Tiles of the most rows, with 1, 2, ... vectors that are whole, that pack B.
    #[cfg_attr(not(feature = "std"), expect(dead_code, reason = "only blocks are packed so"))]
    pub(crate) packing: &'static [Micro<T>],
    /// Inner products of some rows of A, and of one.
    pub(crate) dots: [Dots<T>; 2],
    pub(crate) pack_a: Pack<X>,
    pub(crate) pack_b: Pack<Y>,
    /// What the instructions can do at most: see [`chains`].
    pub(crate) peak: unsafe fn(usize) -> usize,
}

impl<X, Y, T> Kernels<X, Y, T> {
    /// The most rows of a tile.
    pub(crate) fn rows(&self) -> usize {
        self.tiles.len()
    }

    /// The most vectors of a tile.
    pub(crate) fn vectors(&self) -> usize {
        self.tiles[0].len()
    }

    /// The vectors that hold `n` elements, the last one perhaps in part.
    #[inline(always)]
    pub(crate) fn vectors_for(&self, n: usize) -> usize {
        // Lanes are a power of two, and a division takes long.
        (n + self.lanes - 1) >> self.lanes.trailing_zeros()
    }

    /// The words that hold `k` elements.
    #[inline(always)]
    pub(crate) fn words_for(&self, k: usize) -> usize {
        (k + self.depth - 1) >> self.depth.trailing_zeros()
    }

    /// The tile of some rows and vectors, for A packed or in place, and for B whose last vector is
    /// whole or not.
    pub(crate) fn tile(&self, rows: usize, vectors: usize, packed: bool, part: bool) -> Micro<T> {
        let tiles = match (part, packed) {
            (true, _) => Tiles::PartOfB,
            (false, true) => Tiles::PackedA,
            (false, false) => Tiles::InPlace,
        };
        self.tiles[rows - 1][vectors - 1][tiles as usize]
    }
}

/// Runs `turns` of independent dot products in registers, and returns how many products and sums of
/// elements these were.
///
/// # Safety
///
/// The instructions are there.
#[inline(always)]
unsafe fn chains<D: Dot>(turns: usize) -> usize {
    // More than a sum takes, and no more than registers.
    const CHAINS: usize = 12;
    let word = D::y(&[]);
    // SAFETY: the caller's promise.
    let x = unsafe { D::splat(black_box(word)) };
    // SAFETY: the caller's promise.
    let y = unsafe { D::splat(black_box(word)) };
    // SAFETY: the caller's promise.
    let mut sum = unsafe { D::Sums::splat(black_box(D::Sum::ZERO)) };
    // Twelve variables and not an array, which would have to be unrolled first.
    let (mut a, mut b, mut c, mut d, mut e, mut f) = (sum, sum, sum, sum, sum, sum);
    let (mut g, mut h, mut i, mut j, mut k, mut l) = (sum, sum, sum, sum, sum, sum);
    for _ in 0..turns {
        macro_rules! each {
            ($($sum:ident)*) => {
                $(
                    // SAFETY: the caller's promise.
                    $sum = unsafe { D::dot(x, y, $sum) };
                )*
            };
        }
        each!(a b c d e f g h i j k l);
    }
    for other in [a, b, c, d, e, f, g, h, i, j, k, l] {
        // SAFETY: the caller's promise.
        sum = unsafe { sum.add(other) };
    }
    // SAFETY: the caller's promise.
    black_box(unsafe { sum.sum() });
    2 * CHAINS * D::DEPTH * D::Sums::LANES * turns
}

/// Functions with the instructions of a level around bodies that are generic over it.
macro_rules! level {
    ($name:ident $(: $features:literal)?) => {
        pub(crate) mod $name {
            use super::*;

            $(#[target_feature(enable = $features)])?
            pub(crate) unsafe fn tile<
                D: Dot,
                const ROWS: usize,
                const N: usize,
                const PACKED: bool,
                const PART: bool,
                const PACKS: bool,
            >(
                panels: &Panels,
                target: &Target<'_, D::Sum>,
            ) {
                // SAFETY: the caller's promise; this function has the instructions.
                unsafe { micro::<D, ROWS, N, PACKED, PART, PACKS>(panels, target) }
            }

            $(#[target_feature(enable = $features)])?
            pub(crate) unsafe fn peak<D: Dot>(turns: usize) -> usize {
                // SAFETY: the caller's promise; this function has the instructions.
                unsafe { chains::<D>(turns) }
            }

            $(#[target_feature(enable = $features)])?
            pub(crate) unsafe fn dots<D: Dot, const ROWS: usize>(
                rows: &dots::Rows<'_, D::Sum>,
            ) {
                // SAFETY: the caller's promise; this function has the instructions.
                unsafe { dots::dots::<D, ROWS>(rows) }
            }

            $(#[target_feature(enable = $features)])?
            pub(crate) unsafe fn pack_a<D: Dot>(
                source: &Source<'_, D::X>,
                place: Packed,
            ) {
                // SAFETY: the caller's promise; this function has the instructions.
                unsafe { pack::<Left<D>>(source, place) }
            }

            $(#[target_feature(enable = $features)])?
            pub(crate) unsafe fn pack_b<D: Dot>(
                source: &Source<'_, D::Y>,
                place: Packed,
            ) {
                // SAFETY: the caller's promise; this function has the instructions.
                unsafe { pack::<Right<D>>(source, place) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
level!(avx512: "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma");
#[cfg(target_arch = "x86_64")]
level!(avx512_vnni: "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vnni,avx2,fma");
#[cfg(all(target_arch = "x86_64", feature = "half"))]
level!(avx512_bf16: "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512bf16,avx2,fma");
#[cfg(target_arch = "x86_64")]
level!(avx2: "avx2,fma");
level!(plain);

/// The kernels of a way to multiply: the numbers of rows, then those of vectors. Ways that differ
/// only in how words are packed may share tiles.
macro_rules! kernels {
    ($level:ident, $dot:ty: $($rows:literal)* x $vectors:tt) => {
        kernels!($level, $dot, $dot: $($rows)* x $vectors)
    };
    ($level:ident, $dot:ty, $tiles:ty: $($rows:literal)* x $vectors:tt) => {
        const {
            &$crate::gemm::dynamic::kernels::Kernels {
                lanes: <<$dot as Dot>::Sums as $crate::simd::vector::Vector>::LANES,
                word: size_of::<<$dot as Dot>::Word>(),
                depth: <$dot as Dot>::DEPTH,
                more: <$dot as Dot>::SHIFTED as usize,
                a_words: <$dot as Dot>::X_IS_WORD && !<$dot as Dot>::SHIFTED,
                b_words: <$dot as Dot>::Y_IS_WORD && !<$dot as Dot>::SHIFTED,
                masked: <$dot as Dot>::MASKED,
                tiles: &[$(kernels!(@ $level $tiles, $rows $vectors)),*],
                packing: kernels!(@ $level $tiles, packing $($rows)* x $vectors),
                dots: [
                    $crate::gemm::dynamic::kernels::$level::dots::<$dot, { $crate::gemm::dynamic::dots::TOGETHER }>,
                    $crate::gemm::dynamic::kernels::$level::dots::<$dot, 1>,
                ],
                pack_a: $crate::gemm::dynamic::kernels::$level::pack_a::<$dot>,
                pack_b: $crate::gemm::dynamic::kernels::$level::pack_b::<$dot>,
                peak: $crate::gemm::dynamic::kernels::$level::peak::<$dot>,
            }
        }
    };
    (@ $level:ident $dot:ty, $rows:literal ($($vectors:literal)*)) => {
        &[$([
            $crate::gemm::dynamic::kernels::$level::tile::<$dot, $rows, $vectors, false, false, false>
                as $crate::gemm::dynamic::micro::Micro<_>,
            $crate::gemm::dynamic::kernels::$level::tile::<$dot, $rows, $vectors, true, false, false>,
            if <$dot as Dot>::MASKED {
                $crate::gemm::dynamic::kernels::$level::tile::<$dot, $rows, $vectors, false, true, false>
            } else {
                $crate::gemm::dynamic::kernels::$level::tile::<$dot, $rows, $vectors, false, false, false>
            },
        ]),*]
    };
    (@ $level:ident $dot:ty, packing $less:literal $($rows:literal)+ x $vectors:tt) => {
        kernels!(@ $level $dot, packing $($rows)+ x $vectors)
    };
    (@ $level:ident $dot:ty, packing $most:literal x ($($vectors:literal)*)) => {
        &[$($crate::gemm::dynamic::kernels::$level::tile::<$dot, $most, $vectors, false, false, true>
            as $crate::gemm::dynamic::micro::Micro<_>),*]
    };
}

pub(crate) use kernels;

/// The kernels of a level for floats.
pub(crate) fn floats<T: Float>(level: Level) -> &'static Kernels<T, T, T> {
    type Portable<T> = Lanes<T, <T as sealed::Element>::Portable, Plain<T>, Plain<T>, false>;
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(_) => kernels!(avx512, T::Dot512: 1 2 3 4 5 6 7 8 x (1 2 3)),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(_) => kernels!(avx2, T::Dot2: 1 2 3 4 5 6 x (1 2)),
        #[cfg(target_arch = "x86_64")]
        Level::Baseline(_) => kernels!(plain, T::DotSse: 1 2 3 4 x (1 2)),
        _ => kernels!(plain, Portable<T>: 1 2 3 4 x (1 2)),
    }
}
