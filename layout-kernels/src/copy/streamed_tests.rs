//! Tests non-temporal copies against a naive reference, on every `Level`, whatever the cache sizes
//! are.

use layout_core::engine::{DynLayout, IntTuple};

use super::super::plan::{Caching, STREAMED_BYTES};
use super::*;

/// Element of a test copy. Values differ for all indices below 2^8, 2^16 and so on.
trait Element: Copy + PartialEq + 'static {
    fn of(n: usize) -> Self;
}

macro_rules! element {
    ($($t:ty)*) => {$(
        impl Element for $t {
            fn of(n: usize) -> Self {
                n as $t
            }
        }
    )*};
}
element!(u8 u16 f32 f64 u64 u128);

/// Number of elements before and after the destination that must not change.
const GUARD: usize = 128;

fn check<T: Element>(s: DynLayout, d: DynLayout) {
    let plan = CopyPlan::new::<T>(&s, &d).unwrap();
    let source: Vec<T> = (0..s.cosize()).map(|i| T::of(3 * i + 1)).collect();
    let mut memory = vec![T::of(7); d.cosize() + 2 * GUARD];
    // Aligned to a cache line, so that non-temporal stores are used where possible.
    let start = (64..GUARD).find(|&i| memory[i..].as_ptr().addr() % 64 == 0).unwrap();
    let mut expected = memory.clone();
    for i in 0..s.size() {
        expected[start + d.offset_of_index(i)] = source[s.offset_of_index(i)];
    }
    for level in Level::available() {
        memory.fill(T::of(7));
        let to = memory[start..].as_mut_ptr();
        assert_eq!(plan.caching(), Caching::Streamed, "{plan}");
        // SAFETY: both memories hold the cosize of their layouts, and elements are plain data.
        unsafe {
            let options =
                ExecOptions { level, is_plain_data: true, stream: true, prefetch_distance: 0 };
            run_large(&plan, options, source.as_ptr().cast(), to.cast());
        }
        assert!(memory == expected, "{level}: {s} to {d}\n{plan}");
    }
}

fn flat(shape: &[usize], strides: &[usize]) -> DynLayout {
    let tuple = |leaves| IntTuple::flat(leaves).unwrap();
    DynLayout::new(&tuple(shape), &tuple(strides)).unwrap()
}

#[test]
fn runs() {
    // Tiles of 16 x `run` with partial tiles at the edges: runs of 16, 32, 64, 128 and 192 bytes, and
    // long runs with any alignment.
    fn tiles<T: Element>(run: usize, columns: usize) {
        let rows = STREAMED_BYTES / size_of::<T>() / run / columns / 16 + 1;
        let (pitch, tile) = (run * columns, 16 * run);
        let shape = [16, rows, run, columns];
        let in_rows = flat(&shape, &[pitch, 16 * pitch, 1, run]);
        let in_tiles = flat(&shape, &[run, 16 * pitch, 1, tile]);
        check::<T>(in_rows, in_tiles);
        check::<T>(in_tiles, in_rows);
    }
    tiles::<u8>(16, 44);
    tiles::<u8>(32, 38);
    tiles::<u16>(16, 46);
    tiles::<f32>(16, 37);
    tiles::<f32>(32, 23);
    tiles::<f64>(24, 19);
    tiles::<f32>(257, 9);
    tiles::<u128>(8, 13);
}

#[test]
fn transpositions() {
    fn columns<T: Element>(m: usize, n: usize, gap: usize) {
        check::<T>(flat(&[m, n], &[n + 3, 1]), flat(&[m, n], &[1, m + gap]));
    }
    columns::<u8>(2944, 2850, 0);
    columns::<u16>(2112, 2050, 0);
    columns::<f32>(2050, 1024, 62);
    columns::<u64>(1024, 1070, 0);
    columns::<u128>(720, 730, 4);
    // Words of two elements.
    check::<f32>(flat(&[2, 1010, 1050], &[1, 2100, 2]), flat(&[2, 1010, 1050], &[1, 2, 2048]));
}

#[test]
fn panels() {
    // Rows that map to the same L1 set.
    check::<u8>(flat(&[4096, 2049], &[4096, 1]), flat(&[4096, 2049], &[1, 4096]));
    check::<u16>(flat(&[2048, 2049], &[4096, 1]), flat(&[2048, 2049], &[1, 2048]));
    // Short rows and columns that other loops continue.
    let (shape, rows) = ([32, 40, 24, 18, 16], [276480, 6912, 288, 16, 1]);
    check::<u8>(flat(&shape, &rows), flat(&shape, &[1, 32, 1280, 30720, 552960]));
    check::<u8>(
        flat(&[6, 32, 300, 152], &[152, 912, 29184, 1]),
        flat(&[6, 32, 300, 152], &[1, 6, 192 * 152, 192]),
    );
}

#[test]
fn one_run() {
    check::<f64>(flat(&[1_100_000], &[1]), flat(&[1_100_000], &[1]));
    check::<f64>(flat(&[900, 1200], &[1250, 1]), flat(&[900, 1200], &[1201, 1]));
}
