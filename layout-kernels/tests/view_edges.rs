//! Subviews that do not exist: dynamic calls return an `Err`. A mutable subview never contains an
//! element twice.

mod common;

use std::collections::HashSet;

use common::{Pair, Random};
use layout_core::engine::{DynLayout, Tiler};
use layout_core::error::LayoutError;
use layout_core::types::{Cons, Dyn, Layout, Mixed, Nil, Tile};
use layout_kernels::{Tensor, View, ViewMut};
use typenum::consts::*;

fn layout(text: &str) -> DynLayout {
    DynLayout::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn tiler(text: &str) -> Tiler {
    Tiler::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_tile_that_does_not_exist_is_an_error() {
    let memory = [0u8; 64];
    let mut writable = memory;
    for (l, t, coordinate, code) in [
        // The tiler's mode of 3 crosses a mode boundary of the layout.
        ("((2,3),1):((1,7),0)", "<3, 1>", (0, 0), "L0301"),
        // Tiles that do not cover the shape, or do not divide it.
        ("(4,6):(6,1)", "<3, 2>", (0, 0), "L0511"),
        ("(4,6):(6,1)", "<4:2, 2>", (0, 0), "L0511"),
        ("(4,6):(6,1)", "<(2,2):(1,1), 2>", (0, 0), "L0303"),
        // More modes than the layout.
        ("(4,6):(6,1)", "<2, 2, 1>", (0, 0), "L0304"),
        ("(4,6):(6,1)", "<_, 2>", (0, 0), "L0305"),
        // Coordinates outside the grid.
        ("(4,6):(6,1)", "<2, 2>", (2, 0), "L0209"),
        ("(4,6):(6,1)", "<2, 2>", (0, 3), "L0209"),
        ("(4,6):(6,1)", "<2, 2>", (usize::MAX, usize::MAX), "L0209"),
    ] {
        let (l, t) = (layout(l), tiler(t));
        let view = View::new_in(&memory, l).unwrap();
        let error = view.local_tile(&t, coordinate).unwrap_err();
        assert_eq!(error.code(), code, "{l} by {t}: {error}");
        let mut view = ViewMut::new_in(&mut writable, l).unwrap();
        let error = view.local_tile_mut(&t, coordinate).unwrap_err();
        assert_eq!(error.code(), code, "{l} by {t}: {error}");
    }
}

#[test]
fn nor_does_one_of_a_mixed_layout() {
    type Rows = Mixed<Pair<Dyn, U6>, Pair<Dyn, U1>>;
    type Tiles = Tile<Cons<Layout<U4, U1>, Cons<Layout<U3, U1>, Nil>>>;
    let memory = [0u8; 64];
    // Four does not divide five rows; eight rows are two tiles.
    for (rows, coordinate, code) in
        [(5, (0, 0), "L0511"), (8, (2, 0), "L0209"), (8, (0, 2), "L0209")]
    {
        let l = Rows::new(((rows, 6), (((), ()), ())));
        let error = View::new_in(&memory, l).unwrap().local_tile(&Tiles::default(), coordinate);
        assert_eq!(error.unwrap_err().code(), code);
    }
    // `_` keeps a mode that is not a pair.
    let l = Rows::new(((8, 6), (((), ()), ())));
    assert!(View::new_in(&memory, l).unwrap().local_tile(&tiler("<_, 2>"), (0, 0)).is_err());
    let (short, long) = (layout("(2,3):(3,1)"), layout("(2,65):(65,1)"));
    assert!(View::new_in(&memory, l).unwrap().with_layout(short).is_ok());
    assert!(View::new_in(&memory, l).unwrap().with_layout(long).is_err());
}

#[test]
fn other_parts() {
    let mut memory = [0u8; 64];
    let mut view = ViewMut::new_in(&mut memory, layout("(4,(2,6)):(12,(6,1))")).unwrap();
    for l in ["(4,13):(13,1)", "48:2"] {
        let error = view.with_layout_mut(layout(l)).unwrap_err();
        assert!(matches!(error, LayoutError::SliceTooShort { .. }), "{error}");
    }
    let error = view.with_layout_mut(layout("(4,6):(1,2)")).unwrap_err();
    assert!(matches!(error, LayoutError::NotInjective { .. }), "{error}");
    assert!(view.try_slice_mut((4, ..)).is_err());
    assert!(view.try_slice_mut((.., (2, ..))).is_err());
    assert!(view.try_slice_mut((.., .., 0)).is_err());
    assert!(view.try_slice_mut((0, (0, 0))).is_err());
    assert!(view.try_slice_mut((.., 12)).is_err());
    assert!(view.try_slice_mut((.., usize::MAX)).is_err());
    let three =
        View::new_in(&[0u8; 8], layout("(2,2,2):(4,2,1)")).unwrap().transposed().unwrap_err();
    assert!(matches!(three, LayoutError::MatrixRank { .. }), "{three}");
    let empty = View::new_in(&[0u8; 0], layout("(0,4611686018427387904):(1,1)")).unwrap();
    assert_eq!(empty.iter().count(), 0);
    assert_eq!(empty.transposed().unwrap().layout().to_string(), "(4611686018427387904,0):(1,1)");
    assert!(empty.try_slice((.., 3)).is_ok_and(|slice| slice.as_slice().is_empty()));
    assert!(empty.try_slice((0, ..)).is_err());
}

/// A layout with wrong offsets could give two mutable references to one element.
#[test]
fn parts_to_be_written_have_no_element_twice() {
    let mut random = Random::new(1);
    let mut seen = [0; 2];
    for _ in 0..1500 {
        let sizes: Vec<usize> =
            (0..2 + random.below(2)).map(|_| random.one_of(&[1, 2, 4, 6, 8, 12])).collect();
        let l = random.layout(&sizes, false);
        let tiles: Vec<String> = sizes
            .iter()
            .map(|&size| {
                let (extent, stride) = (1 + random.below(6), 1 + random.below(2));
                match random.below(8) {
                    0 => "_".into(),
                    1 => format!("(2,{extent}):({stride},{})", 2 * stride),
                    2 => format!("{extent}:{stride}"),
                    _ => random.one_of(&[1, 2, size]).to_string(),
                }
            })
            .collect();
        let Ok(tiler) = Tiler::parse(&format!("<{}>", tiles.join(", "))) else { continue };
        let mut tensor = Tensor::from_fn_in(l, |_| 0u32).unwrap();
        for (i, element) in tensor.as_mut_slice().iter_mut().enumerate() {
            *element = i as u32;
        }
        let mut view = tensor.view_mut();
        let at = [random.below(3), random.below(3), random.below(3)];
        let part = match (sizes.len(), random.below(2)) {
            (2, 0) => view.local_tile_mut(&tiler, (at[0], at[1])),
            (2, _) => view.local_tile_mut(&tiler, (at[0], ..)),
            (_, 0) => view.local_tile_mut(&tiler, (at[0], at[1], at[2])),
            _ => view.local_tile_mut(&tiler, (.., at[1], ..)),
        };
        seen[usize::from(part.is_ok())] += 1;
        let Ok(part) = part else { continue };
        assert_eq!(part.layout().is_injective(), Ok(true), "{l} by {tiler}: {}", part.layout());
        let elements: HashSet<u32> = (0..part.layout().size()).map(|i| part[i]).collect();
        assert_eq!(elements.len(), part.layout().size());
        // The elements belong to the layout; no others of its memory are accessed.
        let offsets: HashSet<u32> = (0..l.size()).map(|i| l.offset_of_index(i) as u32).collect();
        assert!(elements.is_subset(&offsets), "{l} by {tiler}");
    }
    assert!(seen.iter().all(|&n| n > 100), "{seen:?}");
}
