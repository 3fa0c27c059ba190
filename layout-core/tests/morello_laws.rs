//! The laws of Morello layouts, on generated lists and shapes, against a walk over their digits.

use layout_core::engine::morello::{MorelloLayout, MorelloView, PhysDim};
use layout_core::engine::{ComposedLayout, DynLayout, IndexExpression, MAX_SIZE, Swizzle};
use proptest::prelude::*;
use std::collections::HashMap;

mod common;
use common::any_layout;

/// The naive oracle: digit by digit, from the fastest, what each physical dimension adds.
fn offset(list: &MorelloLayout, shape: &[usize], coordinate: &[usize]) -> usize {
    let (mut left, mut x) = (shape.to_vec(), coordinate.to_vec());
    let (mut stride, mut sum) = (1, 0);
    for &(d, kind) in list.dims().iter().rev() {
        let size = match kind {
            PhysDim::Dynamic => left[d],
            PhysDim::Packed(n) | PhysDim::OddEven(n) => n.min(left[d]),
        };
        let mut digit = x[d] % size;
        if matches!(kind, PhysDim::OddEven(_)) {
            digit = digit / 2 + digit % 2 * (size / 2);
        }
        sum += digit * stride;
        (left[d], x[d], stride) = (left[d] / size, x[d] / size, stride * size);
    }
    sum
}

/// All coordinates of a box, the last one fastest.
fn coordinates(start: &[usize], extents: &[usize]) -> Vec<Vec<usize>> {
    start.iter().zip(extents).fold(vec![vec![]], |all, (&start, &extent)| {
        let each = |c: &Vec<usize>| -> Vec<Vec<usize>> {
            (start..start + extent).map(|x| c.iter().copied().chain([x]).collect()).collect()
        };
        all.iter().flat_map(each).collect()
    })
}

fn table(list: &MorelloLayout, shape: &[usize]) -> Vec<usize> {
    let all = coordinates(&vec![0; shape.len()], shape);
    all.iter().map(|c| offset(list, shape, c)).collect()
}

/// The offsets of a layout at R-D coordinates, the last one fastest.
fn layout_table(l: &DynLayout) -> Vec<usize> {
    let shape: Vec<_> = (0..l.rank()).map(|i| l.mode(i).size()).collect();
    let at = |c: &Vec<usize>| (0..l.rank()).map(|i| l.mode(i).offset_of_index(c[i])).sum();
    coordinates(&vec![0; shape.len()], &shape).iter().map(at).collect()
}

fn kind() -> impl Strategy<Value = PhysDim> {
    prop_oneof![
        3 => Just(PhysDim::Dynamic),
        2 => (2usize..=6).prop_map(PhysDim::Packed),
        2 => (1usize..=3).prop_map(|half| PhysDim::OddEven(2 * half)),
    ]
}

/// A list with a shape that it is a layout for.
fn placed() -> impl Strategy<Value = (MorelloLayout, Vec<usize>)> {
    let shape = prop::collection::vec(prop_oneof![1usize..=6, Just(8), Just(12), Just(24)], 1..=3);
    shape
        .prop_flat_map(|shape| {
            let dims = prop::collection::vec((0..shape.len(), kind()), 0..=shape.len() + 3);
            (dims, Just(shape))
        })
        .prop_map(|(mut dims, shape)| {
            // Enough of the lists are for their shape when what is missing is added.
            for d in 0..shape.len() {
                let listed = dims.iter().any(|&(l, kind)| l == d && kind == PhysDim::Dynamic);
                if !listed && (d + dims.len()) % 3 > 0 {
                    dims.insert(0, (d, PhysDim::Dynamic));
                }
            }
            (dims, shape)
        })
        .prop_filter_map("a layout", |(dims, shape)| {
            let list = MorelloLayout::new(&dims).ok()?;
            list.for_shape(&shape).ok()?;
            (shape.iter().product::<usize>() <= 1000).then_some((list, shape))
        })
}

/// A view with a tile that has a list.
fn tiled() -> impl Strategy<Value = (MorelloLayout, Vec<usize>, Vec<usize>)> {
    placed()
        .prop_flat_map(|(list, shape)| {
            let tile: Vec<_> = shape.iter().map(|&extent| 1..=extent).collect();
            (Just(list), Just(shape), tile)
        })
        .prop_filter("a layout of the tile", |(list, _, tile)| list.for_shape(tile).is_ok())
}

/// Whether numbers are one run, in any order.
fn is_run(mut offsets: Vec<usize>) -> bool {
    offsets.sort_unstable();
    offsets.windows(2).all(|pair| pair[1] == pair[0] + 1)
}

/// The starts of all whole tiles.
fn starts(shape: &[usize], tile: &[usize]) -> Vec<Vec<usize>> {
    let grid: Vec<_> = shape.iter().zip(tile).map(|(extent, tile)| extent / tile).collect();
    let scale = |c: Vec<usize>| c.iter().zip(tile).map(|(c, tile)| c * tile).collect();
    coordinates(&vec![0; grid.len()], &grid).into_iter().map(scale).collect()
}

/// Whether in every whole tile the elements that differ only in the `fastest` physical dimensions of
/// `order`, a list for the tile, are one run.
fn runs(
    list: &MorelloLayout,
    shape: &[usize],
    tile: &[usize],
    order: &MorelloLayout,
    fastest: usize,
) -> bool {
    let sizes = order.physical_shape(tile).unwrap();
    let inside: usize = sizes.sizes().iter().rev().take(fastest).product();
    starts(shape, tile).iter().all(|start| {
        let mut groups: HashMap<usize, Vec<usize>> = HashMap::new();
        for c in coordinates(&vec![0; tile.len()], tile) {
            let at: Vec<_> = start.iter().zip(&c).map(|(start, c)| start + c).collect();
            let group = offset(order, tile, &c) / inside;
            groups.entry(group).or_default().push(offset(list, shape, &at));
        }
        groups.into_values().all(is_run)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_layout_is_the_sum_of_digits((list, shape) in placed()) {
        let l = list.for_shape(&shape).unwrap();
        let expected = table(&list, &shape);
        prop_assert_eq!(layout_table(&l), expected.clone(), "{} for {:?}", list, shape);
        let sizes = list.physical_shape(&shape).unwrap();
        prop_assert_eq!(sizes.sizes().iter().product::<usize>(), l.size());
        let e = IndexExpression::of(&l);
        for (c, offset) in coordinates(&vec![0; shape.len()], &shape).iter().zip(expected) {
            prop_assert_eq!(e.at(c), Ok(offset), "{} for {:?}: {}", list, shape, e);
        }
    }

    #[test]
    fn the_way_back((list, shape) in placed()) {
        let l = list.for_shape(&shape).unwrap();
        match MorelloLayout::of(&l) {
            Ok(back) => {
                prop_assert_eq!(layout_table(&back.for_shape(&shape).unwrap()), layout_table(&l));
                prop_assert_eq!(back.for_shape(&shape), Ok(l), "{} for {:?}: {}", list, shape, back);
                prop_assert_eq!(list.view().canonical(&shape), Ok(back.view()));
                prop_assert_eq!(back.view().canonical(&shape), Ok(back.view()));
                let text = MorelloLayout::parse(&back.to_string());
                prop_assert_eq!(text.unwrap(), back);
            }
            Err(error) => prop_assert!(false, "{} for {:?}: {}", list, shape, error),
        }
    }

    #[test]
    fn tiles_are_exact((list, shape, tile) in tiled()) {
        let view = list.view().tile(&shape, &tile).unwrap();
        let shown = format!("{list} for {shape:?}, tile {tile:?}: {view}");
        let order = view.layout();
        let all = starts(&shape, &tile).iter().all(|start| {
            let offsets = coordinates(start, &tile);
            is_run(offsets.iter().map(|c| offset(&list, &shape, c)).collect())
        });
        prop_assert_eq!(view.is_fully_contiguous(), all, "{}", shown);
        prop_assert!(runs(&list, &shape, &tile, &order, view.contiguous()), "{}", shown);
        if view.contiguous() < order.dims().len() {
            let longer = runs(&list, &shape, &tile, &order, view.contiguous() + 1);
            prop_assert!(!longer, "{}: one more is a run", shown);
        }
        // The list of the tile is the order of the first one.
        let zero = vec![0; tile.len()];
        let mut first: Vec<_> = coordinates(&zero, &tile)
            .iter()
            .map(|c| (offset(&list, &shape, c), offset(&order, &tile, c)))
            .collect();
        first.sort_unstable();
        prop_assert!(first.iter().map(|&(_, place)| place).eq(0..first.len()), "{}", shown);
        // Tiles know no more than what they are tiles of.
        for known in 0..=list.dims().len() {
            let part = MorelloView::new(&list, known).unwrap().tile(&shape, &tile).unwrap();
            let order = part.layout();
            prop_assert!(runs(&list, &shape, &tile, &order, part.contiguous()), "{}", shown);
            let lines = |view: &MorelloView| view.estimate_cache_lines(&tile, 4).unwrap();
            prop_assert!(lines(&part) >= lines(&view), "{}: {}", shown, part);
        }
    }

    #[test]
    fn the_whole_is_a_tile((list, shape) in placed(), known in 0usize..=6) {
        let view = MorelloView::new(&list, known.min(list.dims().len())).unwrap();
        prop_assert_eq!(view.tile(&shape, &shape), view.canonical(&shape), "{} {:?}", view, shape);
        prop_assert!(list.view().canonical(&shape).unwrap().is_fully_contiguous());
    }

    #[test]
    fn dimensions_go((list, shape) in placed(), dropped in prop::collection::vec(0usize..4, 0..=3)) {
        let Ok(view) = list.view().drop_dims(&dropped) else { return Ok(()) };
        let kept: Vec<_> = (0..shape.len()).filter(|d| !dropped.contains(d)).collect();
        let rest: Vec<_> = kept.iter().map(|&d| shape[d]).collect();
        let unit: Vec<_> =
            (0..shape.len()).map(|d| if dropped.contains(&d) { 1 } else { shape[d] }).collect();
        prop_assert!(view.is_fully_contiguous());
        // A dimension of extent 1 need not apply: it may have two parts larger than it.
        if !rest.is_empty() && list.for_shape(&unit).is_ok() {
            let layout = view.layout().for_shape(&rest);
            prop_assert!(layout.is_ok(), "{} without {:?}", list, dropped);
            prop_assert_eq!(layout_table(&layout.unwrap()), table(&list, &unit));
        }
        let swapped = list.view().swap_dims(0, shape.len() - 1);
        let mut other = shape.clone();
        other.swap(0, shape.len() - 1);
        for mut c in coordinates(&vec![0; shape.len()], &shape) {
            let expected = offset(&list, &shape, &c);
            c.swap(0, shape.len() - 1);
            prop_assert_eq!(offset(&swapped.layout(), &other, &c), expected);
        }
    }

    #[test]
    fn boxes(
        (l, start, extents) in any_layout().prop_flat_map(|l| {
            let sizes: Vec<_> = (0..l.rank()).map(|i| l.mode(i).size()).collect();
            let start: Vec<_> = sizes.iter().map(|&size| 0..size).collect();
            let ends = start.clone().prop_flat_map(move |start| {
                let extents: Vec<_> =
                    start.iter().zip(&sizes).map(|(start, size)| 1..=size - start).collect();
                (Just(start), extents)
            });
            (Just(l), ends).prop_map(|(l, (start, extents))| (l, start, extents))
        }),
    ) {
        let at = |c: &Vec<usize>| -> usize {
            (0..l.rank()).map(|i| l.mode(i).offset_of_index(c[i])).sum()
        };
        let offsets: Vec<_> = coordinates(&start, &extents).iter().map(at).collect();
        let expected = (*offsets.iter().min().unwrap(), *offsets.iter().max().unwrap());
        prop_assert_eq!(l.offsets_of_box(&start, &extents), Ok(expected));
    }

    /// Any layout has a list, or a reason that is true.
    #[test]
    fn layouts_without_a_morello_form_give_a_reason(l in any_layout()) {
        let mut offsets = layout_table(&l);
        let shape: Vec<_> = (0..l.rank()).map(|i| l.mode(i).size()).collect();
        match MorelloLayout::of(&l) {
            Ok(list) => prop_assert_eq!(table(&list, &shape), offsets, "{}: {}", l, list),
            Err(error) => {
                offsets.sort_unstable();
                let exact = offsets.iter().copied().eq(0..offsets.len());
                let code = error.code();
                let order = ["L0418", "L0413"].contains(&code);
                prop_assert!(["L0415", "L0416", "L0417"].contains(&code) || order);
                prop_assert_eq!(exact, order, "{}: {}", l, error);
            }
        }
    }
}

/// One canonical form for each map, over all lists of a few shapes.
#[test]
fn a_map_has_one_canonical_form() {
    fn lists(rank: usize, longest: usize) -> Vec<Vec<(usize, PhysDim)>> {
        let kinds = [
            PhysDim::Dynamic,
            PhysDim::Packed(2),
            PhysDim::Packed(3),
            PhysDim::Packed(4),
            PhysDim::OddEven(2),
            PhysDim::OddEven(4),
        ];
        let (mut all, mut last) = (vec![vec![]], vec![vec![]]);
        for _ in 0..longest {
            let longer = |list: &Vec<(usize, PhysDim)>| {
                let parts = (0..rank).flat_map(|d| kinds.map(|kind| (d, kind)));
                let list = list.clone();
                parts.map(move |part| list.iter().copied().chain([part]).collect::<Vec<_>>())
            };
            last = last.iter().flat_map(longer).collect();
            all.extend(last.iter().cloned());
        }
        all
    }
    let (mut maps, mut run) = (HashMap::new(), 0);
    for (shape, longest) in [(&[8][..], 4), (&[16][..], 4), (&[4, 6][..], 4), (&[16, 1][..], 3)] {
        for dims in lists(shape.len(), longest) {
            let Ok(list) = MorelloLayout::new(&dims) else { continue };
            if list.for_shape(shape).is_err() {
                continue;
            }
            let canonical = list.view().canonical(shape).unwrap().to_string();
            let one = maps.entry((shape, table(&list, shape))).or_insert(canonical.clone());
            assert_eq!(*one, canonical, "{list} for {shape:?}");
            run += 1;
        }
    }
    assert!(run > 500 && maps.len() > 20, "{run} lists, {} maps", maps.len());
}

#[test]
fn odd_even_digits_stay_apart() {
    let canonical = |text: &str, shape: &[usize]| {
        MorelloLayout::parse(text).unwrap().view().canonical(shape).map(|view| view.to_string())
    };
    for (text, shape, expected) in [
        ("[0 oe(4), 1, 0 oe(4)]", &[16, 1][..], "[0 oe(4), 1, 0 oe(4)]"),
        ("[0 oe(4), 2, 0 oe(4)]", &[16, 1, 1], "[0 oe(4), 1, 0 oe(4)]"),
        // The rest of dimension 1 is 1, with all of it further in.
        ("[0 oe(4), 1, 0 oe(4), 1 p(4)]", &[16, 4], "[0 oe(4), 1, 0 oe(4), 1 p(4)]"),
        // Two parts of size 1 of one dimension.
        (
            "[0 oe(4), 1, 0 oe(4), 1 p(3), 0 oe(4)]",
            &[64, 1],
            "[0 oe(4), 1, 0 oe(4), 1 p(2), 0 oe(4)]",
        ),
        ("[0 oe(4), 1, 0 oe(4)]", &[16, 3], "[0 oe(4), 1, 0 oe(4)]"),
    ] {
        let found = canonical(text, shape).unwrap();
        assert_eq!(found, expected, "{text} for {shape:?}");
        assert_eq!(canonical(&found, shape).unwrap(), expected);
    }
    let list = MorelloLayout::parse("[0 oe(4), 1, 0 oe(4)]").unwrap();
    assert_eq!(list.view().drop_dims(&[1]).unwrap_err().code(), "L0413");
    assert_eq!(list.without_units(&[16, 1]).unwrap_err().code(), "L0413");
}

#[test]
fn numbers_at_the_edge() {
    let rows = MorelloLayout::row_major(2).unwrap();
    let view = rows.view();
    let half = MAX_SIZE / 2 + 1;
    // An empty layout, whose offsets nothing orders.
    assert_eq!(view.canonical(&[0, 8]).unwrap().to_string(), "[0, 1]");
    assert_eq!(view.estimate_cache_lines(&[0, half], 8), Ok(0));
    let empty = rows.for_shape(&[0, 8]).unwrap();
    assert_eq!(MorelloLayout::of(&empty).unwrap(), rows);
    assert_eq!(IndexExpression::of(&empty).at(&[0, 0]).unwrap_err().code(), "L0209");
    // Sizes that do not fit.
    let code = |result: Result<MorelloView, _>| {
        let error: layout_core::error::LayoutError = result.unwrap_err();
        error.code()
    };
    assert_eq!(code(view.canonical(&[half, half])), "L0206");
    assert_eq!(code(view.tile(&[half, half], &[1, 1])), "L0206");
    assert_eq!(
        view.estimate_cache_lines(&[half >> 22, 1 << 22], half).unwrap_err().code(),
        "L0208"
    );
    let large = view.tile(&[half >> 22, 1 << 22], &[half >> 23, 1 << 22]).unwrap();
    assert!(large.is_fully_contiguous());
    assert_eq!(code(view.tile(&[4, 8], &[4])), "L0420");
    assert_eq!(code(view.tile(&[4, 8], &[4, 9])), "L0421");
    assert_eq!(code(view.tile(&[4, 8], &[0, 8])), "L0421");
    assert_eq!(code(view.tile(&[0, 8], &[0, 8])), "L0421");
    assert_eq!(code(view.canonical(&[])), "L0201");
    assert_eq!(code(view.canonical(&[1; 33])), "L0202");
    assert_eq!(code(view.canonical(&[4])), "L0409");
    assert_eq!(code(MorelloView::new(&rows, 3)), "L0422");
    assert_eq!(MorelloLayout::row_major(33).unwrap_err().code(), "L0202");
    assert_eq!(MorelloLayout::nchwc(1).unwrap_err().code(), "L0410");
    let rank = 32.min(usize::BITS as usize - 2);
    let wide = MorelloLayout::col_major(rank).unwrap();
    let unit = wide.for_shape(&vec![2; rank]).unwrap();
    assert_eq!(MorelloLayout::of(&unit).unwrap(), wide);
}

#[test]
fn errors_of_layouts_without_a_morello_form() {
    let why = |text: &str| {
        let error = MorelloLayout::of(&DynLayout::parse(text).unwrap()).unwrap_err();
        format!("{error}; {}", error.help().as_str())
    };
    for (text, reason) in [
        ("(4,8):(0,1)", "dimension 0 has 4 coordinates at one offset, by stride 0; "),
        (
            "(4,8):(1,2)",
            "stride 2 of dimension 1 lies inside the 4 offsets that the smaller strides cover; ",
        ),
        (
            "(4,8):(10,1)",
            "no coordinate has offset 8: the next stride is 10; a Morello layout has no padding: \
             pad the shape instead",
        ),
        ("(4,8):(16,2)", "no coordinate has offset 1: the next stride is 2; "),
        (
            "(3,(4,2)):(8,(2,1))",
            "dimension 1 takes 4 steps of 2 before 2 smaller steps of 1; strides of one dimension must \
             increase; only oe(n) has 2 steps of n/2 before n/2 steps of 1",
        ),
    ] {
        assert!(why(text).starts_with(reason), "{text}: {}", why(text));
    }
    let rows = DynLayout::parse("(8,8):(8,1)").unwrap();
    let swizzled = Swizzle::new(3, 0, 3).unwrap().composition(&rows);
    let error = MorelloLayout::of_composed(&swizzled).unwrap_err();
    assert_eq!(error.to_string(), "Sw<3,0,3> is not an order of physical dimensions");
    let identity = Swizzle::new(0, 0, 0).unwrap();
    let at = |offset| MorelloLayout::of_composed(&ComposedLayout::new(&identity, offset, &rows)?);
    assert_eq!(at(0).unwrap().to_string(), "[0, 1]");
    assert_eq!(
        at(4).unwrap_err().to_string(),
        "no coordinate has offset 0: the layout begins at 4"
    );
    // One mode without parentheses is a dimension.
    assert_eq!(MorelloLayout::of(&DynLayout::leaf(8, 1)).unwrap().to_string(), "[0]");
    assert_eq!(MorelloLayout::of(&DynLayout::UNIT).unwrap().to_string(), "[]");
}
