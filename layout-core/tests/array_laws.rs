//! The operations that users of arrays expect: `windows`, `broadcast_to`, `permute`, `transposed` and
//! `flip`, against their laws evaluated naively, and as types and notation against the engine.

mod common;

use common::{any_layout, eval, layout};
use layout_core::engine::{DynLayout, IntTuple, MAX_SIZE};
use layout_core::error::{AlgebraError, LayoutError};
use layout_core::text::{Value, eval as value_of};
use layout_core::types::AnyLayout;
use proptest::prelude::*;
use static_layout::{layout, prelude::Algebra};

/// The coordinate in each mode of a 1-D coordinate.
fn coordinate(l: &DynLayout, mut i: usize) -> Vec<usize> {
    let modes = (0..l.rank()).map(|mode| l.mode(mode).size());
    modes
        .map(|size| {
            let c = i % size;
            i /= size;
            c
        })
        .collect()
}

/// The offset at a coordinate in each mode.
fn at(l: &DynLayout, coordinate: &[usize]) -> usize {
    coordinate.iter().enumerate().map(|(mode, &c)| eval(&l.mode(mode), c)).sum()
}

fn tuple(numbers: &[usize]) -> IntTuple {
    IntTuple::flat(numbers).unwrap()
}

/// A window, its step and its dilation for each of three modes, and how many of the numbers are
/// written.
fn entries() -> impl Strategy<Value = Vec<Vec<usize>>> {
    let entry = (1usize..=4, 1usize..=3, 1usize..=3, 1usize..=3);
    let entry = entry.prop_map(|(k, s, d, written)| [k, s, d][..written].to_vec());
    prop::collection::vec(entry, 1..=3)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn windows_are_where_the_law_says(l in any_layout(), entries in entries()) {
        let parts: Vec<_> = entries.iter().map(|entry| match entry[..] {
            [k] => IntTuple::leaf(k),
            _ => tuple(entry),
        }).collect();
        let result = l.windows(&IntTuple::tuple(&parts).unwrap());
        if entries.len() > l.rank() {
            let is_rank = matches!(result, Err(LayoutError::TilerRank { operation: "windows", .. }));
            prop_assert!(is_rank);
            return Ok(());
        }
        let numbers = |mode: usize| {
            let number = |i| entries.get(mode).and_then(|entry| entry.get(i)).copied();
            (number(0).unwrap_or(1), number(1).unwrap_or(1), number(2).unwrap_or(1))
        };
        let too_long = (0..entries.len()).find(|&mode| {
            let (k, _, d) = numbers(mode);
            (k - 1) * d + 1 > l.mode(mode).size()
        });
        let nested = (0..entries.len()).any(|mode| l.mode(mode).coalesce().len() > 1);
        let windows = match result {
            Ok(windows) => windows,
            Err(LayoutError::Algebra(AlgebraError::WindowReach { mode, .. })) => {
                // A nested mode before it may be refused first, but not the other way round.
                prop_assert_eq!(mode, too_long);
                return Ok(());
            }
            Err(error) => {
                let composition = matches!(
                    error,
                    LayoutError::CompositionCarry { .. } | LayoutError::CompositionOverlap { .. }
                );
                prop_assert!(composition && nested, "{}", error);
                return Ok(());
            }
        };
        prop_assert_eq!(too_long, None);
        let (inside, positions) = (windows.mode(0), windows.mode(1));
        prop_assert_eq!((inside.rank(), positions.rank()), (entries.len(), l.rank()));
        for mode in 0..l.rank() {
            let ((k, s, d), n) = (numbers(mode), l.mode(mode).size());
            if mode < entries.len() {
                prop_assert_eq!(inside.mode(mode).size(), k);
            }
            prop_assert_eq!(positions.mode(mode).size(), (n - d * (k - 1) - 1) / s + 1);
        }
        for i in (0..windows.size()).step_by(1 + windows.size() / 64) {
            let (t, o) = (i % inside.size(), i / inside.size());
            let (t, o) = (coordinate(&inside, t), coordinate(&positions, o));
            let c: Vec<_> = (0..l.rank()).map(|mode| {
                let (_, s, d) = numbers(mode);
                o[mode] * s + t.get(mode).unwrap_or(&0) * d
            }).collect();
            prop_assert_eq!(eval(&windows, i), at(&l, &c), "{} at {}", windows, i);
        }
    }

    /// Windows that touch are tiles.
    #[test]
    fn windows_with_their_extent_as_step_are_a_zipped_divide(
        l in layout(6, 24), numbers in prop::collection::vec(1usize..=4, 1..=3),
    ) {
        let pairs: Vec<_> = numbers.iter().map(|&k| tuple(&[k, k])).collect();
        let tiles: Vec<_> = numbers.iter().map(|k| format!("{k}:1")).collect();
        let divides = numbers.len() <= l.rank()
            && (0..numbers.len()).all(|mode| l.mode(mode).size() % numbers[mode] == 0);
        if !divides {
            return Ok(());
        }
        let windows = l.windows(&IntTuple::tuple(&pairs).unwrap());
        let tiles = value_of(&format!("zipped_divide({l}, <{}>)", tiles.join(",")));
        if let (Ok(windows), Ok(Value::Layout(tiles))) = (windows, tiles) {
            prop_assert_eq!(windows.size(), tiles.size());
            for i in 0..windows.size() {
                prop_assert_eq!(eval(&windows, i), eval(&tiles, i));
            }
        }
    }

    #[test]
    fn permutations_move_coordinates(l in any_layout(), numbers in prop::collection::vec(0usize..4, 1..=4)) {
        let permuted = l.permute(&tuple(&numbers));
        let mut sorted = numbers.clone();
        sorted.sort();
        if sorted != (0..l.rank()).collect::<Vec<_>>() {
            let is_refused = matches!(
                permuted,
                Err(LayoutError::Algebra(
                    AlgebraError::NoPermutation { .. }
                        | AlgebraError::ModeIndex { operation: "permute", .. }
                ))
            );
            prop_assert!(is_refused);
            return Ok(());
        }
        let permuted = permuted.unwrap();
        for i in 0..permuted.size() {
            let moved = coordinate(&permuted, i);
            let mut c = vec![0; l.rank()];
            for (to, &from) in numbers.iter().enumerate() {
                c[from] = moved[to];
            }
            prop_assert_eq!(eval(&permuted, i), at(&l, &c));
        }
        if l.rank() == 2 && numbers == [1, 0] {
            prop_assert_eq!(l.transposed().unwrap(), permuted);
        }
        prop_assert_eq!(l.transposed().is_ok(), l.rank() == 2);
    }

    #[test]
    fn broadcasts_repeat(
        l in any_layout(), front in prop::collection::vec(1usize..4, 0..3),
        changes in prop::collection::vec(1usize..5, 4), changed in 0usize..16,
    ) {
        let mut shape = front.clone();
        for (mode, &other) in changes.iter().enumerate().take(l.rank()) {
            let size = l.mode(mode).size();
            shape.push(if changed >> mode & 1 == 1 { other } else { size });
        }
        let fits = (0..l.rank()).all(|mode| {
            let (size, extent) = (l.mode(mode).size(), shape[front.len() + mode]);
            size == 1 || size == extent
        });
        let all = l.broadcast_to(&tuple(&shape));
        if !fits {
            let is_extent =
                matches!(all, Err(LayoutError::Algebra(AlgebraError::BroadcastExtent { .. })));
            prop_assert!(is_extent);
            return Ok(());
        }
        let all = all.unwrap();
        prop_assert_eq!(all.size(), shape.iter().product::<usize>());
        for i in (0..all.size()).step_by(1 + all.size() / 64) {
            let c: Vec<_> = coordinate(&all, i)[front.len()..].iter().enumerate().map(|(mode, &c)| {
                if l.mode(mode).size() == 1 { 0 } else { c }
            }).collect();
            prop_assert_eq!(eval(&all, i), at(&l, &c));
        }
        if l.rank() > 1 {
            let fewer = l.broadcast_to(&IntTuple::leaf(4));
            let is_rank =
                matches!(fewer, Err(LayoutError::Algebra(AlgebraError::BroadcastRank { .. })));
            prop_assert!(is_rank);
        }
    }

    #[test]
    fn a_flip_goes_backwards(l in any_layout(), which in 1usize..8) {
        let modes: Vec<_> = (0..l.rank()).filter(|mode| which >> mode & 1 == 1).collect();
        if modes.is_empty() {
            return Ok(());
        }
        let (flipped, start) =
            layout_core::engine::CoordinateLayout::from(l).flip(&tuple(&modes)).unwrap();
        let start = start.as_integer().unwrap();
        for i in 0..l.size() {
            let c = coordinate(&l, i);
            let back: Vec<_> = c.iter().enumerate().map(|(mode, &c)| {
                if modes.contains(&mode) { l.mode(mode).size() - 1 - c } else { c }
            }).collect();
            let value = flipped.coordinate_at(&IntTuple::leaf(i)).unwrap().as_integer().unwrap();
            prop_assert_eq!(value + start, at(&l, &back) as isize);
        }
    }
}

/// Run-time leaves: the result is that of the values, and says in its type what is known.
#[test]
fn mixed_layouts_have_the_same_results() {
    let (n, c) = (8usize, 3usize);
    let image: layout!((6, _, _):(_, _, 1)) = layout!((6, n, c):({ n * c }, c, 1));
    let value = image.to_dyn().unwrap();

    let windows = layout!(windows(image, (3, (3, 2)))).unwrap();
    assert_eq!(windows.to_string(), "((3,3),(4,3,3)):((24,3),(24,6,1))");
    assert_eq!(windows.to_dyn(), value.windows(&IntTuple::parse("(3,(3,2))").unwrap()));
    // The extents of the window are in the type; two other extents and four strides are values.
    assert_eq!(size_of_val(&windows), 6 * size_of::<usize>());
    let too_long = layout!(windows(image, (3, 9)));
    assert_eq!(
        too_long.unwrap_err().to_string(),
        "windows: in mode 1, a window of 9 elements is longer than extent 8"
    );

    let k = 2usize;
    let by_value = layout!(windows(image, (3, k))).unwrap();
    assert_eq!(by_value.to_dyn(), value.windows(&tuple(&[3, 2])));

    let permuted = layout!(permute(image, (2, 0, 1))).unwrap();
    assert_eq!(permuted.to_string(), "(3,6,8):(1,24,3)");
    let transposed = layout!((n, 4):(4, 1)).transposed().unwrap();
    assert_eq!(transposed.to_string(), "(4,8):(1,4)");

    let row: layout!((1, _):(0, 1)) = layout!((1, n):(0, 1));
    let rows = layout!(broadcast_to(row, (2, 5, n))).unwrap();
    assert_eq!(rows.to_string(), "(2,5,8):(0,0,1)");
    let other = layout!(broadcast_to(row, (2, 5, 7))).unwrap_err();
    assert_eq!(other.to_string(), "broadcast_to: in mode 2, size 8 is neither 1 nor the extent 7");
    // One element where the type does not say so has another stride.
    let one = layout!((c, 4):(4, 1));
    assert!(layout!(broadcast_to(one, (3, 4))).is_ok());
}

#[test]
fn notation_errors_give_a_reason() {
    let error = |text: &str| value_of(text).unwrap_err().problems()[0].error.to_string();
    assert_eq!(
        error("windows((6,8):(8,1), (3,(5,1,2)))"),
        "windows: in mode 1, a window of 5 elements with dilation 2 spans 9 and is longer than extent 8"
    );
    assert_eq!(error("windows(8:1, 9)"), "windows: a window of 9 elements is longer than extent 8");
    // The longest span that is printed; longer ones, which may exceed usize.
    let (most, bits) = (MAX_SIZE, usize::BITS - 1);
    assert_eq!(
        error(&format!("windows(8:1, ((2,1,{})))", most - 1)),
        format!(
            "windows: in mode 0, a window of 2 elements with dilation {} spans {most} and is longer \
             than extent 8",
            most - 1
        )
    );
    for window in [2, 3, 4, most] {
        assert_eq!(
            error(&format!("windows(8:1, (({window},1,{most})))")),
            format!(
                "windows: in mode 0, a window of {window} elements with dilation {most} has a span \
                 that does not fit in {bits} bits and is longer than extent 8"
            )
        );
    }
    assert_eq!(
        error("windows((6,8):(8,1), (3,(2,0)))"),
        "windows: in mode 1, (2,0) is not an extent, a step and a dilation: one to three \
         numbers of at least 1"
    );
    assert_eq!(
        error("permute((2,3,5), (2,0))"),
        "permute: (2,0) does not name each of the 3 modes of shape (2,3,5) once"
    );
    assert_eq!(error("transposed((2,3,5))"), "transposed: shape (2,3,5) has 3 modes, not 2");
    assert_eq!(
        error("broadcast_to((4,8), 8)"),
        "broadcast_to: shape 8 has 1 mode, fewer than the 2 of shape (4,8)"
    );
    assert_eq!(error("flip((4,8), 2)"), "flip: mode 2 is not below 2, the rank of shape (4,8)");
    let flipped = value_of("flip((4,8):(8,1), (0,1))").unwrap();
    assert_eq!(flipped.to_string(), "(4,8):(-8,-1) @ 31");
    // The same windows of swizzled layouts and of coordinates.
    for (text, result) in [
        (
            "windows(Sw<2,0,3> o 0 o (8,8):(8,1), (2,2))",
            "Sw<2,0,3> o 0 o ((2,2),(7,7)):((8,1),(8,1))",
        ),
        ("windows((8,8):(1@0,1@1), (2,(2,3)))", "((2,2),(7,3)):((1@0,1@1),(1@0,3@1))"),
        ("windows((8,8):(-8,1), (2,(2,3)))", "((2,2),(7,3)):((-8,1),(-8,3))"),
        ("transposed((4,8):(1@0,1@1))", "(8,4):(1@1,1@0)"),
    ] {
        assert_eq!(value_of(text).unwrap().to_string(), result, "{text}");
    }
}
