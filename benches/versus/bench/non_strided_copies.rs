//! Copies that are not strided: to swizzled layouts, to padded tiles, and on two threads.

use ndarray::{ArrayView2, ArrayViewMut2, ShapeBuilder, Zip};
use static_layout::kernels::{Par, copy, copy_par};
use static_layout::{
    DynLayout, PlacedTensor, StaticLayout, Swizzled, SwizzledViewMut, Tensor, View, ViewMut, layout,
};
use versus::{Bench, Case};

use crate::batched::buffer;

/// Source and destination.
struct Data<T: Copy, D> {
    from: Tensor<T, DynLayout>,
    to: D,
}

/// A buffer of distinct numbers, as far as the type allows.
fn numbers<T: Copy + Default>(n: usize, of: fn(usize) -> T) -> Tensor<T, DynLayout> {
    let mut from = buffer::<T>(n);
    for (i, x) in from.as_mut_slice().iter_mut().enumerate() {
        *x = of(i);
    }
    from
}

/// Gigabytes that a copy of `n` elements reads and writes.
fn gigabytes<T>(n: usize) -> f64 {
    (2 * n * size_of::<T>()) as f64 / 1e9
}

/// Row-major with 64 columns to the same layout swizzled by `Sw<3,BASE,3>`, as for a GPU's shared
/// memory.
fn swizzled<T, const BASE: u32>(bench: &mut Bench, name: &str, of: fn(usize) -> T)
where
    T: Copy + Default + PartialEq + 'static,
{
    const ROWS: usize = 128;
    const COLUMNS: usize = 64;
    type Rows = layout!((128, 64):(64, 1));
    if !bench.wants(name) {
        return;
    }
    /// The swizzled offset of offset `i`.
    #[inline(always)]
    fn place<const BASE: u32>(i: usize) -> usize {
        i ^ ((i >> 3) & (7 << BASE))
    }
    let size = Rows::SIZE;
    let data = Data { from: numbers(size, of), to: buffer::<T>(size) };
    let mut case = Case::new(name, "GB/s", gigabytes::<T>(size), data);
    case.ours(|d| {
        let from = View::<T, Rows>::new(d.from.as_slice()).expect("a source");
        let layout = Swizzled::<Rows, 3, BASE, 3>::default();
        let to = SwizzledViewMut::new_in(d.to.as_mut_slice(), layout);
        copy(&from, &mut to.expect("a destination"));
    });
    case.peer("loops over constants", |d| {
        let (from, to) = (&d.from.as_slice()[..size], &mut d.to.as_mut_slice()[..size]);
        for i in 0..ROWS {
            for j in 0..COLUMNS {
                to[place::<BASE>(i * COLUMNS + j)] = from[i * COLUMNS + j];
            }
        }
    });
    // A swizzle keeps runs of `1 << BASE` elements contiguous, which hand-written code can exploit.
    case.peer("loops over runs", |d| {
        let (from, to) = (&d.from.as_slice()[..size], &mut d.to.as_mut_slice()[..size]);
        let run = const { 1 << BASE };
        for (i, from) in from.chunks_exact(run).enumerate() {
            to[place::<BASE>(i * run)..][..run].copy_from_slice(from);
        }
    });
    case.limit("memcpy", gigabytes::<T>(size), |d| {
        d.to.as_mut_slice().copy_from_slice(d.from.as_slice());
    });
    case.check(
        |d| d.to.as_mut_slice().fill(T::default()),
        |d, variant| {
            let right = |i: usize| d.to.as_slice()[place::<BASE>(i)] == d.from.as_slice()[i];
            assert!((0..size).all(right), "{name}: {variant}");
        },
    );
    bench.run(case);
}

/// 1000 x 1000 to tiles of 32 x 32, with zeros in the padding of the last tiles.
fn padded(bench: &mut Bench) {
    const N: usize = 1000;
    const TILE: usize = 32;
    const TILES: usize = N.div_ceil(TILE);
    type Rows = layout!((1000, 1000):(1000, 1));
    type Tiles = layout!(tensor<1000x1000xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), zero, <1x1>,
        memref<32x32x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>>);
    let name = "copy f32 tilize 32x32 1000x1000 padded";
    if !bench.wants(name) {
        return;
    }
    let data = Data { from: numbers(N * N, |i| i as f32), to: PlacedTensor::<f32, Tiles>::zeros() };
    let mut case = Case::new(name, "GB/s", gigabytes::<f32>(TILES * TILES * TILE * TILE), data);
    case.ours(|d| {
        copy(&View::<f32, Rows>::new(d.from.as_slice()).expect("a source"), &mut d.to);
    });
    case.peer("loops over rows", |d| {
        let (from, to) = (d.from.as_slice(), d.to.core_mut(0));
        for (i, tile) in to.chunks_exact_mut(TILE * TILE).enumerate() {
            let (down, right) = (i / TILES * TILE, i % TILES * TILE);
            let width = TILE.min(N - right);
            for (row, to) in tile.chunks_exact_mut(TILE).enumerate() {
                if down + row < N {
                    let start = (down + row) * N + right;
                    to[..width].copy_from_slice(&from[start..start + width]);
                    to[width..].fill(0.0);
                } else {
                    to.fill(0.0);
                }
            }
        }
    });
    case.limit("memcpy", gigabytes::<f32>(N * N), |d| {
        d.to.core_mut(0)[..N * N].copy_from_slice(d.from.as_slice());
    });
    case.check(
        |d| d.to.core_mut(0).fill(-1.0),
        |d, variant| {
            for (place, &x) in d.to.core(0).iter().enumerate() {
                let (tile, at) = (place / (TILE * TILE), place % (TILE * TILE));
                let i = tile / TILES * TILE + at / TILE;
                let j = tile % TILES * TILE + at % TILE;
                let expected = if i < N && j < N { (i * N + j) as f32 } else { 0.0 };
                assert_eq!(x, expected, "{name}: {variant} at ({i},{j})");
            }
        },
    );
    bench.run(case);
}

/// A transpose on two threads.
fn on_two_threads<T, S: StaticLayout, D: StaticLayout, const N: usize>(
    bench: &mut Bench,
    name: &str,
    of: fn(usize) -> T,
) where
    T: Copy + Default + PartialEq + Send + Sync + 'static,
{
    if !bench.wants(name) {
        return;
    }
    let data = Data { from: numbers(N * N, of), to: buffer::<T>(N * N) };
    let mut case = Case::new(name, "GB/s", gigabytes::<T>(N * N), data);
    case.ours(|d| {
        let from = View::<T, S>::new(d.from.as_slice()).expect("a source");
        let mut to = ViewMut::<T, D>::new(d.to.as_mut_slice()).expect("a destination");
        copy_par(Par::rayon(), &from, &mut to);
    });
    case.peer("ndarray", |d| {
        let from = ArrayView2::from_shape((N, N), d.from.as_slice()).expect("a source");
        let to = ArrayViewMut2::from_shape((N, N).f(), d.to.as_mut_slice());
        Zip::from(to.expect("a destination")).and(from).par_for_each(|to, &from| *to = from);
    });
    case.peer("transpose of halves", |d| {
        // Half of the source's rows are half of the destination's columns: the left or the right half
        // of its rows.
        let (from, to) = (d.from.as_slice(), d.to.as_mut_slice());
        let half = N / 2;
        let (up, down) = from.split_at(half * N);
        let mut parts = [vec![T::default(); half * N], vec![T::default(); half * N]];
        let [left, right] = &mut parts;
        rayon::join(
            || transpose::transpose(up, left, N, half),
            || transpose::transpose(down, right, N, half),
        );
        for (i, to) in to.chunks_exact_mut(N).enumerate() {
            to[..half].copy_from_slice(&left[i * half..][..half]);
            to[half..].copy_from_slice(&right[i * half..][..half]);
        }
    });
    case.limit("memcpy", gigabytes::<T>(N * N), |d| {
        let (from, to) = (d.from.as_slice().split_at(N * N / 2), d.to.as_mut_slice());
        let to = to.split_at_mut(N * N / 2);
        rayon::join(|| to.0.copy_from_slice(from.0), || to.1.copy_from_slice(from.1));
    });
    case.check(
        |d| d.to.as_mut_slice().fill(T::default()),
        |d, variant| {
            let (from, to) = (d.from.as_slice(), d.to.as_slice());
            let right = (0..N * N).all(|i| to[i % N * N + i / N] == from[i]);
            assert!(right, "{name}: {variant}");
        },
    );
    bench.run(case);
}

pub(crate) fn cases(bench: &mut Bench) {
    swizzled::<u16, 3>(bench, "copy u16 swizzle 128x64", |i| i as u16);
    swizzled::<f32, 2>(bench, "copy f32 swizzle 128x64", |i| i as f32);
    padded(bench);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    pool.expect("a pool of two threads").install(|| {
        type Rows = layout!((4096, 4096):(4096, 1));
        type Columns = layout!((4096, 4096):(1, 4096));
        let name = |t| format!("copy {t} transpose 4096x4096, two threads");
        on_two_threads::<u8, Rows, Columns, 4096>(bench, &name("u8"), |i| i as u8);
        on_two_threads::<f32, Rows, Columns, 4096>(bench, &name("f32"), |i| i as f32);
    });
}
