//! `copy` compared with a naive reference: every `Level`, element sizes, static, mixed and dynamic
//! layouts, and no writes outside the destination's offsets.

mod common;

use common::{Pair, Random, Triple};
use layout_core::engine::DynLayout;
use layout_core::types::{AnyLayout, Dyn, IntoResult, Layout, Mixed, StaticLayout};
use layout_kernels::simd::Level;
use layout_kernels::{CopyKernel, CopyPlan, Par, View, ViewMut, copy, copy_at, copy_par};
use typenum::consts::*;

/// Test elements. `of` is injective as far as the type allows (below 2^8 for `u8` and so on).
trait Element: Copy + PartialEq + std::fmt::Debug + 'static {
    fn of(n: usize) -> Self;
}
impl Element for u8 {
    fn of(n: usize) -> Self {
        n as u8
    }
}
impl Element for u16 {
    fn of(n: usize) -> Self {
        n as u16
    }
}
impl Element for f32 {
    fn of(n: usize) -> Self {
        n as f32
    }
}
impl Element for i32 {
    fn of(n: usize) -> Self {
        n as i32
    }
}
impl Element for f64 {
    fn of(n: usize) -> Self {
        n as f64
    }
}
impl Element for u64 {
    fn of(n: usize) -> Self {
        n as u64
    }
}
impl Element for u128 {
    fn of(n: usize) -> Self {
        n as u128
    }
}
/// Element types that match no vector lane: three bytes; eight bytes with padding inside.
impl Element for [u8; 3] {
    fn of(n: usize) -> Self {
        [n as u8, (n >> 8) as u8, (n >> 16) as u8]
    }
}
impl Element for (u8, u32) {
    fn of(n: usize) -> Self {
        (n as u8, n as u32)
    }
}

/// Number of elements before and after the destination that must not change.
const GUARD: usize = 70;

/// Expected contents of the whole memory around the destination after a copy.
fn expected<T: Element>(s: &DynLayout, source: &[T], d: &DynLayout, memory: &[T]) -> Vec<T> {
    let mut memory = memory.to_vec();
    for i in 0..s.size() {
        memory[GUARD + d.offset_of_index(i)] = source[s.offset_of_index(i)];
    }
    memory
}

/// Copies from one layout to the other at every level and checks the result.
fn check<T: Element, S: AnyLayout, D: AnyLayout>(source_layout: S, destination_layout: D) {
    let (s, d) = (source_layout.to_dyn().unwrap(), destination_layout.to_dyn().unwrap());
    let source: Vec<T> = (0..s.cosize()).map(|i| T::of(3 * i + 1)).collect();
    let memory: Vec<T> = (0..d.cosize() + 2 * GUARD).map(|i| T::of(7 * i + 5)).collect();
    let expected = expected(&s, &source, &d, &memory);
    for level in Level::available() {
        // The destination starts at a cache line, so that non-temporal stores are used where
        // possible.
        let mut result = vec![T::of(0); memory.len() + 64];
        let aligned = (0..64).find(|&i| result[i + GUARD..].as_ptr().addr() % 64 == 0);
        let result = &mut result[aligned.unwrap_or(0)..][..memory.len()];
        result.copy_from_slice(&memory);
        let view = View::new_in(&source, source_layout).unwrap();
        let slice = &mut result[GUARD..][..d.cosize()];
        let mut view_mut = ViewMut::new_in(slice, destination_layout).unwrap();
        let outcome = copy_at(level, &view, &mut view_mut);
        outcome.into_result().unwrap();
        let plan = CopyPlan::new::<f32>(&s, &d).unwrap();
        assert!(
            result == expected,
            "{level}: {s} to {d} of {}\n{plan}",
            std::any::type_name::<T>()
        );
    }
}

fn check_all_elements<S: AnyLayout, D: AnyLayout>(s: S, d: D) {
    check::<u8, S, D>(s, d);
    check::<u16, S, D>(s, d);
    check::<f32, S, D>(s, d);
    check::<i32, S, D>(s, d);
    check::<f64, S, D>(s, d);
    check::<u64, S, D>(s, d);
    check::<u128, S, D>(s, d);
    check::<[u8; 3], S, D>(s, d);
    check::<(u8, u32), S, D>(s, d);
}

/// Mode sizes of a generated case.
fn sizes(random: &mut Random) -> Vec<usize> {
    let rank = 1 + random.below(4);
    let choices: &[usize] = match rank {
        1 | 2 => &[1, 2, 3, 5, 7, 8, 12, 16, 17, 19, 23, 24, 30, 32, 33, 36, 40, 48, 64],
        3 => &[1, 2, 3, 4, 5, 6, 8, 11, 12, 16, 18],
        _ => &[1, 2, 3, 4, 6, 7, 8],
    };
    (0..rank).map(|_| random.one_of(choices)).collect()
}

#[test]
fn generated_layouts() {
    let mut random = Random::new(1);
    let mut seen = [0; 4];
    for case in 0..1500 {
        let sizes = sizes(&mut random);
        let broadcast = random.below(4) == 0;
        let (s, d) = (random.layout(&sizes, broadcast), random.layout(&sizes, false));
        match CopyPlan::new::<f32>(&s, &d).unwrap().kernel() {
            CopyKernel::Run { .. } => seen[0] += 1,
            CopyKernel::Transpose { .. } => seen[1] += 1,
            CopyKernel::Strided(_) => seen[2] += 1,
            CopyKernel::Irregular => seen[3] += 1,
            other => panic!("{s} to {d} has elements: {other:?}"),
        }
        if case % 10 == 0 {
            check_all_elements(s, d);
        } else {
            check::<f32, _, _>(s, d);
            check::<f64, _, _>(s, d);
        }
    }
    assert!(seen.iter().all(|&n| n > 50), "each kernel must occur: {seen:?}");
}

#[test]
fn many_loops() {
    // Each mode has loops of its own and none can be merged, so more than four loops remain.
    let shape = [2, 3, 2, 3, 2, 3, 2];
    let (mut s, mut d) = ([0; 7], [0; 7]);
    let (mut s_step, mut d_step) = (1, 1);
    for i in 0..7 {
        s[(3 * i) % 7] = s_step;
        s_step *= shape[(3 * i) % 7] + 1;
        d[(5 * i + 1) % 7] = d_step;
        d_step *= shape[(5 * i + 1) % 7] + 1;
    }
    let (s, d) = (common::flat(&shape, &s), common::flat(&shape, &d));
    assert_eq!(CopyPlan::new::<f32>(&s, &d).unwrap().loops().len(), 6);
    check_all_elements(s, d);

    // More loops than a plan can hold.
    let (mut s, mut d) = ([0; 17], [0; 17]);
    for i in 0..17 {
        (s[i], d[16 - i]) = (1 << i, 1 << i);
    }
    let (s, d) = (common::flat(&[2; 17], &s), common::flat(&[2; 17], &d));
    assert_eq!(CopyPlan::new::<f32>(&s, &d).unwrap().kernel(), CopyKernel::Irregular);
    check::<f32, _, _>(s, d);
}

#[test]
fn blocks_of_every_size() {
    // Full and partial tiles, for all sizes around the tile sizes.
    for rows in 1..=18 {
        for columns in (1..=18).chain([31, 33, 40]) {
            let s = common::flat(&[rows, columns], &[columns + rows % 3, 1]);
            let d = common::flat(&[rows, columns], &[1, rows + columns % 2]);
            check::<f32, _, _>(s, d);
            check::<f64, _, _>(s, d);
            check::<u8, _, _>(s, d);
        }
    }
}

#[test]
fn many_small_blocks() {
    // Few rows or columns, dense or with gaps, inside one and two outer loops.
    for rows in [2, 3, 4, 5, 7, 8, 9] {
        for columns in [2, 3, 7, 16, 21, 35] {
            for gaps in [0, 2] {
                let shape = [2, 3, rows, columns];
                let (row, column) = (columns + gaps, rows + gaps);
                let s = common::flat(&shape, &[3 * rows * row + 1, rows * row, row, 1]);
                let d = common::flat(&shape, &[3 * columns * column, columns * column, 1, column]);
                check::<u8, _, _>(s, d);
                check::<u16, _, _>(s, d);
                check::<f32, _, _>(s, d);
                check::<f64, _, _>(s, d);
                check::<u128, _, _>(s, d);
                check::<u8, _, _>(d, s);
                check::<u16, _, _>(d, s);
                check::<f32, _, _>(d, s);
            }
        }
    }
}

#[test]
fn pixels() {
    // One side is dense: few rows and many columns, or vice versa.
    fn of_channels<T: Element>(most: usize) {
        for n in 2..=most {
            // Whole vector steps, a partial step, and accesses of a step beyond its own elements.
            for pixels in [n + 3, 16, 33, 49, 64, 85] {
                let planes = common::flat(&[n, pixels], &[pixels + n % 2, 1]);
                let dense = common::flat(&[n, pixels], &[1, n]);
                check::<T, _, _>(planes, dense);
                check::<T, _, _>(dense, planes);
            }
        }
    }
    of_channels::<u8>(65);
    of_channels::<u16>(33);
    of_channels::<f32>(17);
    of_channels::<f64>(9);
    of_channels::<u128>(5);
}

#[test]
fn large_copies_in_pieces() {
    // Above 256 KiB, copies are split into pieces.
    for (shape, s, d) in [
        (&[260, 300][..], &[301, 1][..], &[1, 263][..]),
        (&[7, 40, 5, 9, 7], &[1, 7, 12600, 280, 2520], &[12600, 315, 63, 7, 1]),
        (&[2, 260, 150], &[39000, 1, 260], &[1, 300, 2]),
        (&[90000], &[1], &[1]),
        (&[70, 1100], &[1200, 1], &[1150, 1]),
        (&[80000], &[0], &[2]),
        (&[1024, 300], &[1024, 1], &[1, 1027]),
        (&[530, 1001], &[4096, 1], &[1, 530]),
        (&[15, 7, 12, 9, 31], &[23436, 3348, 279, 31, 1], &[1, 15, 29295, 105, 945]),
    ] {
        let (s, d) = (common::flat(shape, s), common::flat(shape, d));
        check::<u8, _, _>(s, d);
        check::<u16, _, _>(s, d);
        check::<f32, _, _>(s, d);
        check::<f64, _, _>(s, d);
        check::<u128, _, _>(s, d);
        check::<[u8; 3], _, _>(s, d);
        check::<(u8, u32), _, _>(s, d);
    }
}

#[test]
fn copying_back_is_the_identity() {
    let mut random = Random::new(2);
    for _ in 0..300 {
        let sizes = sizes(&mut random);
        let (a, b) = (random.layout(&sizes, false), random.layout(&sizes, false));
        let original: Vec<u32> = (0..a.cosize() as u32).collect();
        let mut there = vec![0; b.cosize()];
        let mut back = original.clone();
        for i in 0..a.size() {
            back[a.offset_of_index(i)] = u32::MAX;
        }
        let source = View::new_in(&original, a).unwrap();
        copy(&source, &mut ViewMut::new_in(&mut there, b).unwrap()).unwrap();
        let there = View::new_in(&there, b).unwrap();
        copy(&there, &mut ViewMut::new_in(&mut back, a).unwrap()).unwrap();
        assert_eq!(back, original, "{a} to {b} and back");
    }
}

#[test]
fn nothing_is_copied_between_empty_layouts() {
    let (s, d) = (common::flat(&[4, 0, 3], &[0, 1, 9]), common::flat(&[4, 0, 3], &[1, 4, 5]));
    assert_eq!(CopyPlan::new::<f32>(&s, &d).unwrap().kernel(), CopyKernel::Nothing);
    check_all_elements(s, d);
    // Also if leaves inside a mode differ and one of them is zero.
    let layout = |text: &str| DynLayout::parse(text).unwrap();
    check_all_elements(layout("(4,(2,0)):(1,(4,8))"), layout("(4,(0,7)):(1,(4,8))"));
    // A mode whose size overflows is invalid, even next to an extent of zero.
    let huge = "(0,(1099511627776,1099511627776)):(0,(1,1099511627776))";
    assert!(DynLayout::parse(huge).is_err());
    let empty = View::<f32, _>::new_in(&[], layout("(0,8):(0,1)")).unwrap();
    assert!(empty.iter().next().is_none());
}

#[test]
fn elements_without_size_take_no_time() {
    let layout = |text: &str| DynLayout::parse(text).unwrap();
    let (units, mut copies) = ([(); 1 << 62], [(); 1 << 62]);
    let rows = View::new_in(&units, layout("(4294967296,1073741824):(1073741824,1)")).unwrap();
    let columns = layout("(4294967296,1073741824):(1,4294967296)");
    copy(&rows, &mut ViewMut::new_in(&mut copies, columns).unwrap()).unwrap();
}

/// One pair of layouts, each static, mixed and dynamic: all nine combinations.
macro_rules! each_kind {
    ($name:ident: $s:ty => $d:ty; mixed $sm:ty = $sv:expr => $dm:ty = $dv:expr) => {
        #[test]
        fn $name() {
            let (s, d) = (<$s>::default(), <$d>::default());
            let (sm, dm) = (<$sm>::new($sv), <$dm>::new($dv));
            let (sd, dd) = (<$s>::LAYOUT, <$d>::LAYOUT);
            assert_eq!((sm.to_dyn(), dm.to_dyn()), (Ok(sd), Ok(dd)));
            const PLAN: CopyPlan = match CopyPlan::new::<f32>(&<$s>::LAYOUT, &<$d>::LAYOUT) {
                Ok(plan) => plan,
                Err(error) => error.panic(),
            };
            assert_eq!(PLAN, CopyPlan::new::<f32>(&sd, &dd).unwrap());
            check_all_elements(s, d);
            check::<f32, _, _>(s, dm);
            check::<f32, _, _>(s, dd);
            check::<f32, _, _>(sm, d);
            check::<f32, _, _>(sm, dm);
            check::<f32, _, _>(sm, dd);
            check::<f32, _, _>(sd, d);
            check::<f32, _, _>(sd, dm);
            check::<f32, _, _>(sd, dd);
        }
    };
}

each_kind!(rows_to_columns:
    Layout<Pair<U64, U64>, Pair<U64, U1>> => Layout<Pair<U64, U64>, Pair<U1, U64>>;
    mixed Mixed<Pair<Dyn, U64>, Pair<U64, U1>> = ((64, ()), (((), ()), ()))
    => Mixed<Pair<U64, U64>, Pair<U1, Dyn>> = (((), ()), (((), 64), ())));

each_kind!(tiles_to_rows:
    Layout<Pair<Pair<U8, U4>, Pair<U8, U4>>, Pair<Pair<U8, U256>, Pair<U1, U64>>>
    => Layout<Pair<U32, U32>, Pair<U32, U1>>;
    mixed Mixed<Pair<Pair<U8, Dyn>, Pair<U8, U4>>, Pair<Pair<U8, U256>, Pair<U1, U64>>>
        = ((((), ()), ((4, ()), ())), ((((), ()), (((), ()), ())), ()))
    => Mixed<Pair<Dyn, U32>, Pair<Dyn, U1>> = ((32, 32), (((), ()), ())));

each_kind!(column_tiles_to_rows:
    Layout<Pair<Pair<U8, U4>, Pair<U8, U4>>, Pair<Pair<U1, U256>, Pair<U8, U64>>>
    => Layout<Pair<U32, U32>, Pair<U32, U1>>;
    mixed Mixed<Pair<Pair<U8, Dyn>, Pair<U8, U4>>, Pair<Pair<U1, U256>, Pair<U8, U64>>>
        = ((((), ()), ((4, ()), ())), ((((), ()), (((), ()), ())), ()))
    => Mixed<Pair<Dyn, Dyn>, Pair<Dyn, U1>> = ((32, 32), ((32, ()), ())));

each_kind!(primes_with_gaps:
    Layout<Pair<U17, U19>, Pair<U23, U1>> => Layout<Pair<U17, U19>, Pair<U1, U18>>;
    mixed Mixed<Pair<U17, U19>, Pair<Dyn, Dyn>> = (((), 23), (((), 1), ()))
    => Mixed<Pair<Dyn, Dyn>, Pair<U1, U18>> = ((17, ()), ((19, ()), ())));

each_kind!(few_words:
    Layout<Triple<U3, U5, U7>, Triple<U40, U8, U1>> => Layout<Triple<U3, U5, U7>, Triple<U42, U1, U6>>;
    mixed Mixed<Triple<U3, Dyn, U7>, Triple<U40, U8, U1>>
        = (((), ()), ((5, ()), (((), ()), ())))
    => Mixed<Triple<U3, U5, U7>, Triple<U42, U1, Dyn>> = (((), ()), (((), ()), (((), 6), ()))));

each_kind!(two_rows:
    Layout<Triple<U3, U2, U37>, Triple<U80, U40, U1>>
    => Layout<Triple<U3, U2, U37>, Triple<U120, U1, U3>>;
    mixed Mixed<Triple<U3, Dyn, U37>, Triple<U80, U40, U1>>
        = (((), ()), ((2, ()), (((), ()), ())))
    => Mixed<Triple<U3, U2, U37>, Triple<U120, U1, Dyn>> = (((), ()), (((), ()), (((), 3), ()))));

each_kind!(three_modes_permuted:
    Layout<Triple<U5, U7, U16>, Triple<U112, U16, U1>>
    => Layout<Triple<U5, U7, U16>, Triple<U1, U80, U5>>;
    mixed Mixed<Triple<U5, Dyn, U16>, Triple<U112, U16, U1>>
        = (((), ()), ((7, ()), (((), ()), ())))
    => Mixed<Triple<U5, U7, U16>, Triple<U1, Dyn, U5>> = (((), ()), (((), 80), (((), ()), ()))));

each_kind!(no_common_refinement:
    Layout<Pair<Pair<U2, U3>, U4>, Pair<Pair<U1, U4>, U12>>
    => Layout<Pair<Pair<U3, U2>, U4>, Pair<Pair<U1, U5>, U12>>;
    mixed Mixed<Pair<Pair<U2, U3>, U4>, Pair<Pair<U1, Dyn>, U12>>
        = ((((), ()), (((), 4), ())), (((), ()), ()))
    => Mixed<Pair<Pair<U3, U2>, Dyn>, Pair<Pair<U1, U5>, U12>>
        = ((((), ()), (((), ()), ())), ((4, ()), ())));

each_kind!(broadcast:
    Layout<Pair<U16, U24>, Pair<U0, U1>> => Layout<Pair<U16, U24>, Pair<U1, U16>>;
    mixed Mixed<Pair<U16, U24>, Pair<Dyn, U1>> = (((), 0), (((), ()), ()))
    => Mixed<Pair<U16, U24>, Pair<U1, Dyn>> = (((), ()), (((), 16), ())));

each_kind!(integer_shapes:
    Layout<U37, U2> => Layout<U37, U1>;
    mixed Mixed<Dyn, U2> = (37, ()) => Mixed<U37, Dyn> = ((), 1));

each_kind!(one_element:
    Layout<U1, U0> => Layout<U1, U5>;
    mixed Mixed<Dyn, U0> = (1, ()) => Mixed<Dyn, Dyn> = (1, 5));

#[test]
fn parts_on_threads() {
    #[cfg(feature = "rayon")]
    let ways = [Par::Sequential, Par::rayon(), Par::Rayon(std::num::NonZero::new(3).unwrap())];
    #[cfg(not(feature = "rayon"))]
    let ways = [Par::Sequential];
    for (shape, s, d) in [
        (&[600, 700][..], &[700, 1][..], &[1, 601][..]),
        (&[400_000], &[1], &[1]),
        (&[3, 100_003], &[1, 3], &[100_003, 1]),
        (&[3, 5], &[5, 1], &[1, 3]),
        (&[0, 5], &[5, 1], &[1, 3]),
    ] {
        let (s, d) = (common::flat(shape, s), common::flat(shape, d));
        let source: Vec<i32> = (0..s.cosize() as i32).collect();
        let memory = vec![-1; d.cosize() + 2 * GUARD];
        let expected = expected(&s, &source, &d, &memory);
        for par in ways {
            let mut result = memory.clone();
            let slice = &mut result[GUARD..][..d.cosize()];
            let mut to = ViewMut::new_in(slice, d).unwrap();
            copy_par(par, &View::new_in(&source, s).unwrap(), &mut to).unwrap();
            assert!(result == expected, "{par:?}: {s} to {d}");
        }
    }
}
