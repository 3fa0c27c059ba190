//! Copies of extreme layouts: huge strides that are never stepped along, no elements, more elements
//! than any memory has, and more patches than a plan stores.

mod common;
#[path = "common/memory.rs"]
mod memory;

#[cfg(feature = "rayon")]
use std::num::NonZero;

use common::{Pair, Random};
use layout_core::devices::{Fill, Patches, Placement};
use layout_core::engine::{DynLayout, IntTuple, Swizzle};
use layout_core::error::{LayoutError, PlacementError};
use layout_core::types::Layout;
use layout_kernels::simd::Level;
use layout_kernels::{
    CopyPlan, Par, PlacedTensor, PlacedViewMut, Relayout, SwizzledView, Tensor, View, ViewMut,
    copy, copy_at, copy_par, for_each_move, update_at,
};
use memory::peak_of;
use typenum::consts::*;

/// The largest stride.
const HUGE: usize = isize::MAX as usize;

fn layout(text: &str) -> DynLayout {
    DynLayout::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The layout with extra extents of 1, whose strides are the largest possible.
fn with_ones(random: &mut Random, l: &DynLayout) -> DynLayout {
    let modes: Vec<(IntTuple, IntTuple)> = (0..l.rank())
        .map(|i| {
            let mode = l.mode(i);
            let (mut shape, mut stride) = (Vec::new(), Vec::new());
            for (&extent, &step) in mode.extents().iter().zip(mode.strides()) {
                if random.below(3) == 0 {
                    shape.push(1);
                    stride.push(HUGE - random.below(2));
                }
                shape.push(extent);
                stride.push(if extent == 1 { HUGE } else { step });
            }
            (IntTuple::flat(&shape).unwrap(), IntTuple::flat(&stride).unwrap())
        })
        .collect();
    let (shape, stride): (Vec<_>, Vec<_>) = modes.into_iter().unzip();
    DynLayout::new(&IntTuple::tuple(&shape).unwrap(), &IntTuple::tuple(&stride).unwrap()).unwrap()
}

#[test]
fn strides_of_extents_of_one_mean_nothing() {
    let mut random = Random::new(1);
    for _ in 0..150 {
        let sizes: Vec<usize> =
            (0..1 + random.below(3)).map(|_| random.one_of(&[1, 1, 2, 3, 8, 16, 17, 33])).collect();
        let (s, d) = (random.layout(&sizes, true), random.layout(&sizes, false));
        let (s, d) = (with_ones(&mut random, &s), with_ones(&mut random, &d));
        let source: Vec<u16> = (0..s.cosize()).map(|i| i as u16 + 1).collect();
        let mut expected = vec![0; d.cosize()];
        for i in 0..s.size() {
            expected[d.offset_of_index(i)] = source[s.offset_of_index(i)];
        }
        let from = View::new_in(&source, s).unwrap();
        for level in Level::available() {
            let (mut copied, mut added) = (vec![0; d.cosize()], vec![0; d.cosize()]);
            copy_at(level, &from, &mut ViewMut::new_in(&mut copied, d).unwrap()).unwrap();
            assert_eq!(copied, expected, "{level}: {s} to {d}");
            let mut to = ViewMut::new_in(&mut added, d).unwrap();
            update_at(level, &from, &mut to, |x: u16, y: u16| x + y).unwrap();
            assert_eq!(added, expected, "{level}: {s} to {d}");
        }
        let mut copied = vec![0; d.cosize()];
        let mut to = ViewMut::new_in(&mut copied, d).unwrap();
        copy_par(Par::default(), &from, &mut to).unwrap();
        let plan = Relayout::<u16>::between(&from, &mut to).unwrap();
        plan.run(Par::default(), &from, &mut to).unwrap();
        let plain = Swizzle::new(0, 0, 0).unwrap().composition(&s);
        copy(&SwizzledView::new_in(&source, plain).unwrap(), &mut to).unwrap();
        assert_eq!(copied, expected, "{s} to {d}");
    }
}

#[test]
fn static_strides_of_extents_of_one() {
    type Huge = U4611686018427387904;
    type From = Layout<Pair<U1, Pair<U6, U1>>, Pair<Huge, Pair<U1, Huge>>>;
    type To = Layout<Pair<U1, Pair<U3, U2>>, Pair<Huge, Pair<U2, U1>>>;
    let source = [1u32, 2, 3, 4, 5, 6];
    for level in Level::available() {
        let mut copied = [0; 6];
        let mut to = ViewMut::<_, To>::from_array(&mut copied);
        copy_at(level, &View::<_, From>::from_array(&source), &mut to);
        assert_eq!(copied, [1, 4, 2, 5, 3, 6]);
    }
}

/// A plan depends on layouts alone, even on layouts that fit no memory.
#[test]
fn plans_of_more_bytes_than_there_are() {
    let texts = [
        ["4611686018427387904:1", "4611686018427387904:1"],
        ["4611686018427387904:0", "4611686018427387904:1"],
        ["4611686018427387904:2", "4611686018427387904:1"],
        ["(2147483648,1073741824):(1073741824,1)", "(2147483648,1073741824):(1,2147483648)"],
        ["(4,4611686018427387904):(4611686018427387904,0)", "(4,4611686018427387904):(1,0)"],
        ["(2,1152921504606846976):(1152921504606846976,1)", "(2,1152921504606846976):(1,2)"],
        ["(2,3,1000000000000000):(3,1,6)", "(2,3,1000000000000000):(1,2,6)"],
        ["(4,4,288230376151711744):(1,4,16)", "(4,4,288230376151711744):(4,1,16)"],
        ["0:9223372036854775807", "0:9223372036854775807"],
    ];
    fn plans<T>(texts: &[[&str; 2]]) {
        for [s, d] in texts {
            let (Ok(s), Ok(d)) = (DynLayout::parse(s), DynLayout::parse(d)) else { continue };
            for (s, d) in [(&s, &d), (&d, &s)] {
                match CopyPlan::new::<T>(s, d) {
                    Ok(plan) => assert!(!plan.to_string().is_empty()),
                    Err(error) => assert!(matches!(error, LayoutError::StorageTooLarge { .. })),
                }
            }
        }
    }
    plans::<()>(&texts);
    plans::<u8>(&texts);
    plans::<[u8; 3]>(&texts);
    plans::<f32>(&texts);
    plans::<f64>(&texts);
    plans::<u128>(&texts);
    plans::<[u64; 5000]>(&texts);
}

/// Moves are counted in bytes.
#[test]
fn moves_of_too_many_bytes_are_refused() {
    let placement = |text| Placement::of_layout(&layout(text)).unwrap();
    let (rows, columns) = (placement("(5,200):(200,1)"), placement("(5,200):(1,5)"));
    for bytes in [isize::MAX as usize / 999, 1 << (usize::BITS - 3), usize::MAX] {
        let error = for_each_move(&rows, &columns, bytes, |_| {}).unwrap_err();
        let expected = matches!(error, LayoutError::Placement(PlacementError::TooManyBytes { .. }));
        assert!(expected, "{error}");
    }
    let mut moves = 0;
    for_each_move(&rows, &columns, isize::MAX as usize / 1000, |_| moves += 1).unwrap();
    assert_eq!(moves, 1000);
}

/// Parts for threads may cut a long run. Their rows are not aligned, so non-temporal stores are not
/// possible.
#[test]
#[cfg(feature = "rayon")]
fn runs_of_a_repeated_row_are_cut_for_threads() {
    let (rows, columns) = (20_000, 256);
    let row: Vec<u32> = (0..columns as u32).collect();
    let repeated = DynLayout::strided(&[rows, columns], &[0, 1]).unwrap();
    let from = View::new_in(&row, repeated).unwrap();
    let padded = DynLayout::strided(&[rows, columns], &[columns + 1, 1]).unwrap();
    for threads in [2, 3, 7] {
        let mut to = Tensor::<u32, _>::full_in(padded, u32::MAX).unwrap();
        copy_par(Par::Rayon(NonZero::new(threads).unwrap()), &from, &mut to).unwrap();
        let lines = to.as_slice().chunks(columns + 1);
        assert!(lines.clone().all(|line| line[..columns] == row));
        assert!(lines.flat_map(|line| line.get(columns)).all(|&gap| gap == u32::MAX));
    }
}

/// As many threads as a number can count.
#[test]
#[cfg(feature = "rayon")]
fn any_number_of_threads_copies_everything() {
    let rows = layout("(256,128):(128,1)");
    let source: Vec<u32> = (0..256 * 128).collect();
    let from = View::new_in(&source, rows).unwrap();
    let placement = Placement::of_layout(&layout("(256,128):(1,256)")).unwrap();
    for threads in [1 << 62, usize::MAX] {
        let par = Par::Rayon(NonZero::new(threads).unwrap());
        let mut to = Tensor::<u32, _>::zeros_in(rows).unwrap();
        copy_par(par, &from, &mut to).unwrap();
        assert_eq!(to.as_slice(), source);
        let mut placed = PlacedTensor::<u32, _>::zeros_in(placement).unwrap();
        copy_par(par, &from, &mut placed).unwrap();
        let mut back = Tensor::<u32, _>::zeros_in(rows).unwrap();
        copy(&placed, &mut back).unwrap();
        assert_eq!(back.as_slice(), source);
    }
}

/// A layout of 2 GiB or more is refused for a view that is too short.
#[test]
fn what_has_no_memory_is_refused() {
    let l = layout("(2147483648,1073741824):(1073741824,1)");
    assert!(View::new_in(&[1u64; 4], l).is_err());
    assert!(ViewMut::new_in(&mut [1u64; 4], l).is_err());
    assert!(Tensor::<u64, _>::zeros_in(l).is_err());
    assert!(
        SwizzledView::new_in(&[1u64; 4], Swizzle::new(2, 0, 2).unwrap().composition(&l)).is_err()
    );
}

/// All rows in sequence, cut into pieces, with one slot of padding after each piece.
fn pieces([rows, columns]: [usize; 2], piece: usize) -> Placement {
    let count = (rows * columns).div_ceil(piece);
    Placement::builder(&[rows, columns], count * (piece + 1), 1)
        .and_then(|b| b.dimension(rows * columns, &[columns, 1])?.piece(piece)?.leaf(piece, 1))
        .and_then(|b| b.piece(count)?.leaf(count, piece + 1)?.build())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Upper bound in bytes for what a plan stores, and for its temporary memory: a few thousand patches.
const MOST: isize = 20 << 20;

#[test]
fn a_plan_of_very_many_patches_is_small() {
    let (s, d) = (pieces([401, 1009], 31), pieces([401, 1009], 37));
    let count = Patches::new(&s, &d).unwrap().count();
    assert!(count > 20_000, "{count} patches");
    let from = PlacedTensor::from_fn_in(s, |at| (1009 * at[0] + at[1]) as u32).unwrap();
    let mut expected = PlacedTensor::zeros_in(d).unwrap();
    expected.set_fill(Fill::One);
    copy(&from, &mut expected).unwrap();

    let mut to = PlacedTensor::<u32, _>::zeros_in(d).unwrap();
    to.set_fill(Fill::One);
    let (peak, plan) = peak_of(|| Relayout::<u32>::between(&from, &mut to).unwrap());
    assert!(peak <= MOST, "a plan takes {peak} bytes");
    assert!(plan.to_string().contains("more than"), "{plan}");
    let (peak, ()) = peak_of(|| plan.run(Par::default(), &from, &mut to).unwrap());
    assert!(peak <= MOST, "a run takes {peak} bytes");
    assert_eq!(to.as_slice(), expected.as_slice());

    let mut to = PlacedTensor::<u32, _>::zeros_in(d).unwrap();
    to.set_fill(Fill::One);
    let (peak, ()) = peak_of(|| copy_par(Par::default(), &from, &mut to).unwrap());
    assert!(peak <= MOST, "a copy takes {peak} bytes");
    assert_eq!(to.as_slice(), expected.as_slice());
    // With one buffer per core.
    let mut memory = vec![0; d.slots()];
    let mut to = PlacedViewMut::of_cores([&mut memory[..]], d).unwrap();
    to = to.with_padding(Some(1));
    plan.run(Par::default(), &from, &mut to).unwrap();
    assert_eq!(memory, expected.as_slice());
}

/// Elements of 40 KB, on a stack that can only hold a few of them.
#[test]
fn large_elements_need_no_stack_for_a_row() {
    type Page = [u64; 5000];
    let moves = || {
        let l = layout("(3,2):(2,1)");
        let from: Vec<Page> = (0..6).map(|i| [i; 5000]).collect();
        let mut to = vec![[9; 5000]; 6];
        let from = View::new_in(&from, l).unwrap();
        let mut view = ViewMut::new_in(&mut to, layout("(3,2):(1,3)")).unwrap();
        let plan = Relayout::<Page>::between(&from, &mut view).unwrap();
        plan.run(Par::default(), &from, &mut view).unwrap();
        copy_par(Par::default(), &from, &mut view).unwrap();
        let placement = pieces([3, 2], 2);
        let mut memory = vec![[9; 5000]; placement.slots()];
        let mut placed = PlacedViewMut::unfilled_in(&mut memory, placement)
            .unwrap()
            .with_padding(Some([7; 5000]));
        copy(&from, &mut placed).unwrap();
        let first: Vec<u64> = memory.iter().map(|page| page[4999]).collect();
        assert_eq!(first, [0, 1, 7, 2, 3, 7, 4, 5, 7]);
        let first: Vec<u64> = to.iter().map(|page| page[0]).collect();
        assert_eq!(first, [0, 2, 4, 1, 3, 5]);
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(moves).unwrap().join().unwrap();
}
