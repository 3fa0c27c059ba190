//! The laws of slices, tiles, partitions and swizzles, on generated layouts.

use layout_core::engine::{
    ComposedLayout, CoordinateLayout, DynLayout, IntTuple, Slicer, Swizzle, Tiler, algebra,
};
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::BTreeSet;

mod common;
use common::{any_layout, compact, table};

/// A coordinate of `shape`, each part of it fixed, kept or taken apart, and whether a part of it
/// is kept and one is fixed.
fn slicer(shape: &IntTuple, choices: &mut impl Iterator<Item = Index>) -> (Slicer, [bool; 2]) {
    let choice = choices.next().unwrap().index(3);
    if choice == 0 {
        return (Slicer::keep(), [true, false]);
    }
    if choice == 1 || shape.is_int() {
        let at = choices.next().unwrap().index(shape.product().unwrap());
        return (Slicer::index(at), [false, true]);
    }
    let mut any = [false; 2];
    let modes: Vec<_> = (0..shape.rank())
        .map(|i| {
            let (mode, [kept, fixed]) = slicer(&shape.mode(i), choices);
            any = [any[0] | kept, any[1] | fixed];
            mode
        })
        .collect();
    (Slicer::modes(&modes).unwrap(), any)
}

/// All coordinates that agree with a slicer, with the coordinates of what it keeps.
fn completions(shape: &IntTuple, slicer: &Slicer) -> Vec<(IntTuple, Vec<usize>)> {
    let size = shape.product().unwrap();
    if slicer.is_keep() {
        return (0..size).map(|i| (IntTuple::leaf(i), vec![i])).collect();
    }
    if slicer.is_leaf() {
        return vec![(slicer.values(), vec![])];
    }
    let mut all: Vec<(Vec<IntTuple>, Vec<usize>)> = vec![(vec![], vec![])];
    for i in 0..shape.rank() {
        let modes = completions(&shape.mode(i), &slicer.mode(i));
        all = all
            .into_iter()
            .flat_map(|(parts, kept)| {
                modes.iter().map(move |(part, more)| {
                    let (mut parts, mut kept) = (parts.clone(), kept.clone());
                    parts.push(*part);
                    kept.extend(more);
                    (parts, kept)
                })
            })
            .collect();
    }
    all.into_iter().map(|(parts, kept)| (IntTuple::tuple(&parts).unwrap(), kept)).collect()
}

fn swizzle() -> impl Strategy<Value = Swizzle> {
    (0u32..=3, 0u32..=4, 0i32..=2, any::<bool>()).prop_map(|(bits, base, more, left)| {
        let shift = bits as i32 + more;
        Swizzle::new(bits, base, if left { -shift } else { shift }).unwrap()
    })
}

fn composed() -> impl Strategy<Value = ComposedLayout> {
    (swizzle(), 0usize..100, prop_oneof![any_layout(), compact()])
        .prop_map(|(swizzle, offset, l)| ComposedLayout::new(&swizzle, offset, &l).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_slice_is_the_rest_of_the_function(
        l in any_layout(),
        choices in prop::collection::vec(any::<Index>(), 64),
    ) {
        let (at, [keeps, fixes]) = slicer(&l.shape(), &mut choices.into_iter());
        prop_assert_eq!(algebra::slice(&l, &at).is_ok(), keeps);
        prop_assert_eq!(algebra::dice(&l, &at).is_ok(), fixes);
        let Ok((slice, offset)) = l.slice_and_offset(&at) else { return Ok(()) };
        prop_assert_eq!(algebra::slice(&l, &at), Ok(slice));
        for (coordinate, kept) in completions(&l.shape(), &at) {
            let inside = if at.is_keep() { IntTuple::leaf(kept[0]) }
                else { IntTuple::flat(&kept).unwrap() };
            prop_assert_eq!(
                l.offset_of(&coordinate).unwrap(),
                offset + slice.offset_of(&inside).unwrap(),
                "{} at {} is {} @ {}", l, at, slice, offset
            );
        }
        if let Ok(diced) = algebra::dice(&l, &at) {
            prop_assert_eq!(diced.size() * slice.size(), l.size());
        }
    }

    #[test]
    fn local_tiles_cover_everything_once(
        l in compact(),
        at in any::<[Index; 4]>(),
        keep_first in any::<bool>(),
    ) {
        let mut tiles = Vec::new();
        let mut grid = Vec::new();
        for i in 0..l.rank() {
            let size = l.mode(i).size();
            let divisors: Vec<_> = (1..=size).filter(|n| size % n == 0).collect();
            let tile = divisors[at[i].index(divisors.len())];
            tiles.push(Tiler::layout(&DynLayout::leaf(tile, 1)));
            grid.push(size / tile);
        }
        let tiler = Tiler::modes(&tiles).unwrap();
        let grid = IntTuple::flat(&grid).unwrap();
        let mut offsets = Vec::new();
        for i in 0..grid.product().unwrap() {
            let place = grid.idx2crd(i).unwrap();
            let (tile, offset) = algebra::local_tile(&l, &tiler, &Slicer::at(&place)).unwrap();
            offsets.extend(table(&tile).into_iter().map(|o| o + offset));
            prop_assert_eq!(algebra::local_tile(&l, &tiler, &Slicer::index(i)), Ok((tile, offset)));
        }
        offsets.sort();
        prop_assert_eq!(offsets, (0..l.size()).collect::<Vec<_>>());
        // Modes without a coordinate are kept behind the tile.
        if keep_first && l.rank() > 1 {
            let (part, _) = algebra::local_tile(&l, &tiler, &Slicer::modes(&[Slicer::keep()]).unwrap()).unwrap();
            prop_assert_eq!(part.size(), l.size());
        }
    }

    #[test]
    fn partitions_share_everything_out(l in compact(), at in any::<[Index; 4]>(), rows in any::<bool>()) {
        let threads: Vec<usize> = (0..l.rank())
            .map(|i| {
                let size = l.mode(i).size();
                let divisors: Vec<_> = (1..=size).filter(|n| size % n == 0).collect();
                divisors[at[i].index(divisors.len())]
            })
            .collect();
        let shape = IntTuple::flat(&threads).unwrap();
        let threads =
            if rows { DynLayout::row_major(&shape) } else { DynLayout::make(&shape) }.unwrap();
        let mut offsets = Vec::new();
        for index in 0..threads.size() {
            let (own, offset) = algebra::local_partition(&l, &threads, index).unwrap();
            offsets.extend(table(&own).into_iter().map(|o| o + offset));
        }
        offsets.sort();
        prop_assert_eq!(offsets, (0..l.size()).collect::<Vec<_>>());
        prop_assert!(algebra::local_partition(&l, &threads, threads.size()).is_err());
    }

    /// A tile of the identity has the coordinates of that tile, also where it overhangs.
    #[test]
    fn identity_layouts_divide_into_coordinates(
        l in compact(),
        tiles in prop::collection::vec(1usize..=5, 4),
    ) {
        let identity = CoordinateLayout::identity(&l.shape()).unwrap();
        for i in 0..l.size() {
            let at = identity.coordinate_at_index(i as isize).unwrap();
            prop_assert_eq!(at.int_tuple(), Some(l.shape().idx2crd(i).unwrap()));
        }
        let tiles = &tiles[..l.rank()];
        let modes: Vec<_> =
            tiles.iter().map(|&n| Tiler::layout(&DynLayout::leaf(n, 1))).collect();
        let tiler = Tiler::modes(&modes).unwrap();
        let divided = identity.zipped_divide_by(&tiler).unwrap();
        let (tile, grid) = (divided.mode(0).shape(), divided.mode(1).shape());
        for t in 0..tile.product().unwrap() {
            for g in 0..grid.product().unwrap() {
                let at = divided.coordinate_at(&IntTuple::flat(&[t, g]).unwrap()).unwrap();
                let (t, g) = (tile.idx2crd(t).unwrap(), grid.idx2crd(g).unwrap());
                for (i, &n) in tiles.iter().enumerate() {
                    let expected = g.leaves()[i] * n + t.leaves()[i];
                    prop_assert_eq!(at.values().get(i).copied().unwrap_or(0), expected as isize);
                }
            }
        }
    }

    #[test]
    fn a_swizzle_permutes_its_blocks(swizzle in swizzle(), offset in 0usize..1 << 12) {
        prop_assert_eq!(swizzle.apply(swizzle.apply(offset)), offset);
        let block = 1 << (swizzle.bits() + swizzle.base() + swizzle.shift().unsigned_abs());
        let start = offset / block * block;
        let image: BTreeSet<_> = (start..start + block).map(|o| swizzle.apply(o)).collect();
        prop_assert_eq!(image, (start..start + block).collect());
        prop_assert_eq!(swizzle.apply(offset) >> swizzle.base() << swizzle.base(),
            swizzle.apply(offset >> swizzle.base() << swizzle.base()));
    }

    #[test]
    fn merged_swizzles_are_one_after_the_other(a in swizzle(), b in swizzle()) {
        if let Ok(both) = a.merge(&b) {
            for offset in 0..1 << 12 {
                prop_assert_eq!(both.apply(offset), a.apply(b.apply(offset)), "{} {}", a, b);
            }
        }
        let nothing = a.merge(&a).unwrap();
        prop_assert!(nothing.is_identity());
    }

    #[test]
    fn composed_layouts_swizzle_offsets(
        c in composed(),
        choices in prop::collection::vec(any::<Index>(), 64),
    ) {
        let inside = table(&c.layout());
        for (i, &o) in inside.iter().enumerate() {
            let expected = c.swizzle().apply(c.offset() + o);
            prop_assert_eq!(c.offset_of_index(i), expected);
            prop_assert_eq!(c.offset_of(&c.shape().idx2crd(i).unwrap()), Ok(expected));
            prop_assert!(expected < c.cosize_bound(), "{}", c);
        }
        let (at, [keeps, _]) = slicer(&c.shape(), &mut choices.into_iter());
        if !keeps {
            return Ok(());
        }
        let slice = c.slice(&at).unwrap();
        let (plain, offset) = c.layout().slice_and_offset(&at).unwrap();
        for (o, inside) in slice.table().zip(table(&plain)) {
            prop_assert_eq!(o, c.swizzle().apply(c.offset() + offset + inside));
        }
        if let Some((plain, offset)) = slice.decay() {
            let decayed: Vec<_> = table(&plain).into_iter().map(|o| o + offset).collect();
            prop_assert_eq!(slice.table().collect::<Vec<_>>(), decayed, "{} to {}", slice, plain);
        }
    }
}

/// Every row and column of a swizzled tile of the usual kind: columns decay, rows of more than one
/// vector do not.
#[test]
fn slices_of_swizzled_tiles_decay_where_they_can() {
    let tile = DynLayout::parse("(8,64):(64,1)").unwrap();
    let swizzled = Swizzle::new(3, 3, 3).unwrap().composition(&tile);
    for row in 0..8 {
        let at = Slicer::modes(&[Slicer::index(row), Slicer::keep()]).unwrap();
        assert_eq!(swizzled.slice(&at).unwrap().decay().is_some(), row == 0);
    }
    for column in 0..64 {
        let at = Slicer::modes(&[Slicer::keep(), Slicer::index(column)]).unwrap();
        // A column of a later vector would need negative steps.
        assert_eq!(swizzled.slice(&at).unwrap().decay().is_some(), column < 8, "{column}");
    }
}

#[test]
fn invalid_swizzles_are_errors() {
    assert!(Swizzle::new(3, 0, 2).is_err() && Swizzle::new(3, 0, -2).is_err());
    assert!(Swizzle::new(1, u32::MAX, i32::MIN).is_err() && Swizzle::new(0, 64, 0).is_err());
    let (a, b) = (Swizzle::new(1, 0, 3).unwrap(), Swizzle::new(1, 2, 3).unwrap());
    assert!(a.merge(&b).is_err(), "bits 0 and 2 are no neighbours");
    assert!(a.merge(&Swizzle::new(1, 1, 2).unwrap()).is_err(), "other shifts");
    let none = Swizzle::new(0, 2, 1).unwrap();
    assert_eq!(none.composition(&DynLayout::leaf(4, 2)).to_string(), "4:2");
}
