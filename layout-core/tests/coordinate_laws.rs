//! Layouts with negative strides and with directions: the laws of those of offsets, and the same
//! answers where both exist.

use layout_core::engine::{
    CoordinateLayout, DynLayout, IntTuple, Path, Slicer, Swizzle, Tiler, Vector, algebra,
};
use layout_core::text::eval as eval_text;
use layout_core::types::Algebra;
use proptest::prelude::*;

mod common;
use common::{any_layout, layout};

/// A coordinate of the mode of A in each direction, or of all of A at the root.
type Point = Vec<(Path, i128)>;

fn directions() -> Vec<Path> {
    (0..3).map(|mode| Path::ROOT.inside(mode).unwrap()).chain([Path::ROOT]).collect()
}

/// The mixed-radix digits of an index, the last without an end in both directions.
fn digits(shape: &IntTuple, mut index: i128) -> Vec<i128> {
    let extents = shape.leaves();
    let last = extents.len() - 1;
    let split = |(i, &extent): (usize, &usize)| {
        let digit = if i == last { index } else { index % extent as i128 };
        index /= extent as i128;
        digit
    };
    extents.iter().enumerate().map(split).collect()
}

/// The naive oracle: the value at an index, as what it steps in each direction.
fn eval(l: &CoordinateLayout, index: i128) -> Point {
    let digits = digits(&l.shape(), index);
    let along = |path| (0..l.len()).map(|i| digits[i] * l.stride_at(i).along(path) as i128).sum();
    directions().into_iter().map(|path| (path, along(path))).collect()
}

/// The value of A at a coordinate of all of it, or of some of its modes.
fn eval_at(a: &CoordinateLayout, point: &Point, rooted: bool) -> Point {
    let mut sum: Point = directions().into_iter().map(|path| (path, 0)).collect();
    for (mode, &(path, at)) in point.iter().enumerate() {
        let part = match path == Path::ROOT {
            true if rooted => *a,
            false if !rooted && mode < a.rank() => a.mode(mode),
            _ => continue,
        };
        for (total, (_, value)) in sum.iter_mut().zip(eval(&part, at)) {
            total.1 += value;
        }
    }
    sum
}

/// Strides of either sign, all at the root or each in one or two directions.
fn signed() -> impl Strategy<Value = CoordinateLayout> {
    let step = || -12isize..=12;
    let place = || prop::sample::select(directions());
    let stride = (step(), place(), prop_oneof![3 => Just(0), 1 => step()], place());
    (layout(5, 0), prop::collection::vec(stride, 32), any::<bool>()).prop_filter_map(
        "it fits",
        |(l, strides, rooted)| {
            let strides: Vec<_> = strides[..l.len()]
                .iter()
                .map(|&(a, p, b, q)| match rooted {
                    true => Vector::step(a, Path::ROOT),
                    false => {
                        let inside = |p| if p == Path::ROOT { directions()[0] } else { p };
                        let mut v = Vector::step(a, inside(p));
                        v.add(b, &Vector::step(1, inside(q))).unwrap();
                        v
                    }
                })
                .collect();
            CoordinateLayout::new(&l.shape(), &strides).ok()
        },
    )
}

fn is_rooted(l: &CoordinateLayout) -> bool {
    l.has_integers()
}

fn tiler() -> impl Strategy<Value = Tiler> {
    let tile = prop_oneof![
        (1usize..=6).prop_map(|n| Tiler::layout(&DynLayout::leaf(n, 1))),
        layout(4, 4).prop_map(|l| Tiler::layout(&l)),
        Just(Tiler::keep()),
    ];
    prop_oneof![
        tile.clone(),
        prop::collection::vec(tile, 1..=3).prop_map(|tiles| Tiler::modes(&tiles).unwrap()),
    ]
}

fn of(l: &DynLayout) -> CoordinateLayout {
    CoordinateLayout::of_offsets(l)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn composition_is_one_after_the_other(a in signed(), b in signed()) {
        let Ok(r) = a.composition(&b) else { return Ok(()) };
        for i in 0..b.size() as i128 {
            prop_assert_eq!(
                eval(&r, i), eval_at(&a, &eval(&b, i), is_rooted(&b)),
                "{} o {} = {} at {}", a, b, r, i
            );
        }
        prop_assert_eq!(r.size(), b.size());
        prop_assert!(common::refines(&r.shape(), &b.shape()));
    }

    #[test]
    fn values_are_those_of_the_oracle(l in signed(), beyond in 0isize..40) {
        let values: Vec<_> = l.table().collect();
        for i in -beyond..l.size() as isize + beyond {
            let value = l.coordinate_at_index(i).unwrap();
            let at = eval(&l, i as i128);
            if is_rooted(&l) {
                prop_assert_eq!(value.as_integer().map(|n| n as i128), Some(at[3].1));
            } else {
                for (k, &n) in value.values().iter().enumerate() {
                    prop_assert_eq!(n as i128, at[k].1, "{} at {}", l, i);
                }
                prop_assert!(at[value.values().len()..].iter().all(|step| step.1 == 0));
            }
            if let Some(inside) = usize::try_from(i).ok().and_then(|i| values.get(i)) {
                prop_assert_eq!(*inside, value);
                let at = l.shape().idx2crd(i as usize).unwrap();
                prop_assert_eq!(l.coordinate_at(&at), Ok(value));
            }
        }
    }

    #[test]
    fn printed_layouts_parse_back(l in signed()) {
        prop_assert_eq!(CoordinateLayout::parse(&l.to_string()).unwrap(), l);
        prop_assert_eq!(of(&l.nullspace()), CoordinateLayout::parse(&l.nullspace().to_string()).unwrap());
    }

    #[test]
    fn coalesce_keeps_the_function(l in signed()) {
        let c = l.coalesce();
        prop_assert!(c.depth() <= 1 && c.len() <= l.len());
        let f = l.filter();
        prop_assert_eq!(f.size() * l.nullspace().size(), l.size());
        for i in 0..l.size() as i128 {
            prop_assert_eq!(eval(&c, i), eval(&l, i), "{} of {}", c, l);
            let null = l.nullspace().offset_of_index(i as usize % l.nullspace().size());
            prop_assert!(eval(&l, null as i128).iter().all(|step| step.1 == 0));
        }
    }

    #[test]
    fn inverses_of_signed_layouts(l in signed()) {
        if !is_rooted(&l) {
            return Ok(());
        }
        let r = l.right_inverse().unwrap();
        for i in 0..r.size() {
            prop_assert_eq!(eval(&l, r.offset_of_index(i) as i128)[3].1, i as i128);
        }
        if let Ok(r) = l.left_inverse() {
            for i in 0..l.size() as i128 {
                let value = eval(&l, i)[3].1;
                prop_assert_eq!(eval(&l, eval(&r, value)[3].1)[3].1, value, "{} has {}", l, r);
            }
        }
        let (forwards, above) = l.forwards().unwrap();
        let mut there: Vec<_> = (0..l.size() as i128).map(|i| eval(&l, i)[3].1).collect();
        let mut here: Vec<_> = forwards.table().map(|o| o as i128 - above as i128).collect();
        there.sort();
        here.sort();
        prop_assert_eq!(here, there);
    }

    /// Whatever exists for both is the same: results, and errors.
    #[test]
    fn layouts_of_offsets_are_a_special_case(
        l in any_layout(), b in any_layout(), by in tiler(), at in 0usize..4,
    ) {
        let c = of(&l);
        prop_assert_eq!(c.as_layout(), Some(l));
        prop_assert_eq!(c.composition(&of(&b)), l.composition(&b).map(|r| of(&r)));
        prop_assert_eq!(c.coalesce(), of(&l.coalesce()));
        prop_assert_eq!(c.filter(), of(&l.filter()));
        prop_assert_eq!(c.flatten(), of(&l.flatten()));
        prop_assert_eq!(c.nullspace(), l.nullspace());
        prop_assert_eq!(c.right_inverse(), Ok(l.right_inverse()));
        prop_assert_eq!(c.left_inverse(), l.left_inverse().map(|r| of(&r)));
        prop_assert_eq!(c.cosize(), Ok(l.cosize()));
        prop_assert_eq!(c.complement_in_cosize(), l.complement_in_cosize().map(|r| of(&r)));
        prop_assert_eq!(
            c.complement_shape(&b.shape()), l.complement_shape(&b.shape()).map(|r| of(&r))
        );
        prop_assert_eq!(c.logical_product_by(&by), l.logical_product_by(&by).map(|r| of(&r)));
        prop_assert_eq!(c.zipped_product_by(&by), l.zipped_product_by(&by).map(|r| of(&r)));
        prop_assert_eq!(c.tiled_product_by(&by), l.tiled_product_by(&by).map(|r| of(&r)));
        prop_assert_eq!(c.flat_product_by(&by), l.flat_product_by(&by).map(|r| of(&r)));
        prop_assert_eq!(c.blocked_product(&b), l.blocked_product(&b).map(|r| of(&r)));
        prop_assert_eq!(c.raked_product(&b), l.raked_product(&b).map(|r| of(&r)));
        prop_assert_eq!(c.tile_to_shape(&b.shape()), l.tile_to_shape(&b.shape()).map(|r| of(&r)));
        prop_assert_eq!(c.broadcast_to(&b.shape()), l.broadcast_to(&b.shape()).map(|r| of(&r)));
        prop_assert_eq!(c.composition_by(&by), l.composition_by(&by).map(|r| of(&r)));
        prop_assert_eq!(c.logical_divide_by(&by), l.logical_divide_by(&by).map(|r| of(&r)));
        prop_assert_eq!(c.zipped_divide_by(&by), l.zipped_divide_by(&by).map(|r| of(&r)));
        prop_assert_eq!(c.tiled_divide_by(&by), l.tiled_divide_by(&by).map(|r| of(&r)));
        prop_assert_eq!(c.flat_divide_by(&by), l.flat_divide_by(&by).map(|r| of(&r)));
        prop_assert_eq!(c.append(&of(&b)), l.append(&b).map(|r| of(&r)));
        prop_assert_eq!(c.prepend(&of(&b)), l.prepend(&b).map(|r| of(&r)));
        prop_assert_eq!(c.replace(at, &of(&b)), l.replace(at, &b).map(|r| of(&r)));
        prop_assert_eq!(c.zip_with(&of(&b)), l.zip_with(&b).map(|r| of(&r)));
        prop_assert_eq!(c.zip(), l.zip().map(|r| of(&r)));
        prop_assert_eq!(c.group(at, 2), l.group(at, 2).map(|r| of(&r)));
        prop_assert_eq!(c.take(at, 2), l.take(at, 2).map(|r| of(&r)));
        prop_assert_eq!(c.select(&[at, 0]), l.select(&[at, 0]).map(|r| of(&r)));
        prop_assert_eq!(c.coalesce_by(&b.shape()), l.coalesce_by(&b.shape()).map(|r| of(&r)));
        prop_assert_eq!(c.filter_by(&b.shape()), l.filter_by(&b.shape()).map(|r| of(&r)));
        prop_assert_eq!(c.unflatten(&b.shape()), l.unflatten(&b.shape()).map(|r| of(&r)));
        let keep = Slicer::modes(&[Slicer::index(at), Slicer::keep()]).unwrap();
        let found = l.slice_and_offset(&keep);
        prop_assert_eq!(
            c.slice_and_offset(&keep).map(|(r, o)| (r, o.int_tuple())),
            found.map(|(r, o)| (of(&r), Some(IntTuple::leaf(o))))
        );
        prop_assert_eq!(
            c.local_tile(&by, &keep).map(|(r, o)| (r, o.int_tuple())),
            algebra::local_tile(&l, &by, &keep).map(|(r, o)| (of(&r), Some(IntTuple::leaf(o))))
        );
        prop_assert_eq!(
            c.local_partition(&b, at).map(|(r, o)| (r, o.int_tuple())),
            algebra::local_partition(&l, &b, at).map(|(r, o)| (of(&r), Some(IntTuple::leaf(o))))
        );
    }

    /// Every tiler is a layout of coordinates: `<4:2, 5:3>` is `(4,5):(2@0,3@1)`.
    #[test]
    fn by_mode_is_composition_with_directions(
        a in signed(), tiles in prop::collection::vec(layout(4, 4), 1..=3),
    ) {
        let by = Tiler::modes(&tiles.iter().map(Tiler::layout).collect::<Vec<_>>()).unwrap();
        let Ok(expected) = a.composition_by(&by) else { return Ok(()) };
        if a.shape().is_int() {
            return Ok(());
        }
        let directed = |(mode, tile): (usize, &DynLayout)| {
            let path = Path::ROOT.inside(mode).unwrap();
            let strides: Vec<_> =
                tile.strides().iter().map(|&d| Vector::step(d as isize, path)).collect();
            CoordinateLayout::new(&tile.shape(), &strides).unwrap()
        };
        let right: Vec<_> = tiles.iter().enumerate().map(directed).collect();
        let right = CoordinateLayout::tuple(&right).unwrap();
        prop_assert_eq!(a.composition(&right), Ok(expected));
    }

    #[test]
    fn swizzle_commutes_with_layout(
        l in prop_oneof![any_layout(), powers()], bits in 0u32..4, base in 0u32..3, more in 0i32..3,
        negative in any::<bool>(), limit in 1usize..200,
    ) {
        let shift = bits as i32 + more;
        let swizzle = Swizzle::new(bits, base, if negative { -shift } else { shift }).unwrap();
        let Ok(behind) = swizzle.behind(&l, limit) else { return Ok(()) };
        for i in 0..limit {
            let (front, back) =
                (common::eval(&l, swizzle.apply(i)), behind.apply(common::eval(&l, i)));
            prop_assert_eq!(front, back, "{} o {} = {} o {} at {}", l, swizzle, behind, l, i);
        }
    }
}

/// Layouts whose extents and strides are powers of two: those that swizzles are used with.
fn powers() -> impl Strategy<Value = DynLayout> {
    prop::collection::vec((0u32..4, 0u32..7), 1..=3).prop_map(|modes| {
        common::flat(&modes.iter().map(|&(s, d)| (1 << s, 1 << d)).collect::<Vec<_>>())
    })
}

#[test]
fn forms() {
    let l = |text| CoordinateLayout::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let identity = |text: &str| CoordinateLayout::identity(&IntTuple::parse(text).unwrap());
    assert_eq!(identity("(4,(2,3))").unwrap(), l("(4,(2,3)):(1@0,(1@0@1,1@1@1))"));
    assert_eq!(identity("7").unwrap().to_string(), "7:1");
    assert_eq!(l("8:3@2").coordinate_at_index(2).unwrap().to_string(), "(0,0,6)");
    assert_eq!(l("(2,2):(1@1@0,-1@2)").coordinate_at_index(3).unwrap().to_string(), "((0,1),0,-1)");
    // As wide as sizes can be.
    let (size, inner) = (isize::MAX / 2 + 1, 1 << 20);
    let wide = identity(&format!("({},{inner})", size / inner)).unwrap();
    let last = wide.coordinate_at_index(size - 1).unwrap();
    assert_eq!(last.to_string(), format!("({},{})", size / inner - 1, inner - 1));
    let codes = |text: &str| {
        let error = CoordinateLayout::parse(text).unwrap_err();
        error.problems().iter().map(|p| p.error.code()).collect::<Vec<_>>()
    };
    assert_eq!(codes("(4,4):(1,1@0)"), ["L0345"]);
    assert_eq!(codes("(4,4,4):(1@0,1@1@0,1@0@1)"), ["L0345"]);
    assert_eq!(codes("4:1@32"), ["L0202"]);
    assert_eq!(codes("4:1@31@31"), ["L0202"]);
    assert_eq!(codes(&format!("3:-{}", isize::MAX)), ["L0347"]);
    let terms: Vec<_> = (0..32).map(|mode| format!("1@{mode}")).collect();
    let sum = terms.join("+");
    assert_eq!(codes(&format!("(2,2,2):({sum},{sum},{sum})")), ["L0346"]);
    assert!(CoordinateLayout::parse(&format!("(2,2):({sum},{sum})")).is_ok());
}

#[test]
fn steps_that_are_never_taken_are_no_facts() {
    for stride in [5, isize::MAX] {
        let text = format!("is_bijective((2,1):(1@0,{stride}@1))");
        assert_eq!(eval_text(&text).unwrap().to_string(), "true", "{text}");
    }
}

/// The last leaf goes on beyond the domain, but not against the direction of the values.
#[test]
fn no_left_inverse_steps_back() {
    let inverse = |text| CoordinateLayout::parse(text).unwrap().left_inverse();
    assert_eq!(inverse("(4,2,1):(1,2,4)").unwrap().to_string(), "(2,2):(1,4)");
    for text in ["(4,2,1):(1,2,-4)", "((4),(2,1)):((1),(1,-2))", "(5,2,(7,1)):(-1,-5,(-9,63))"] {
        assert_eq!(inverse(text).unwrap_err().code(), "L0332", "{text}");
    }
    // Where it is not needed, its direction does not matter.
    assert_eq!(inverse("(2,1):(1,-5)").unwrap().to_string(), "2:1");
    assert_eq!(inverse("1:-5").unwrap().to_string(), "1:0");
}

/// Numbers of every size: an answer or an error, never a panic.
fn wide() -> impl Strategy<Value = CoordinateLayout> {
    let number = prop_oneof![
        -4isize..=4,
        (0..usize::BITS - 1).prop_map(|bits| 1 << bits),
        (0..usize::BITS - 1).prop_map(|bits| -(1 << bits)),
        any::<isize>(),
    ];
    let leaf = (number.clone(), number, 0usize..4);
    prop::collection::vec(leaf, 1..=4).prop_filter_map("it fits", |leaves| {
        let shape: Vec<_> = leaves.iter().map(|leaf| leaf.0.unsigned_abs()).collect();
        let rooted = leaves[0].2 == 3;
        let strides: Vec<_> = leaves
            .iter()
            .map(|leaf| {
                let path = directions()[leaf.2 % 3];
                Vector::step(leaf.1, if rooted { Path::ROOT } else { path })
            })
            .collect();
        CoordinateLayout::new(&IntTuple::flat(&shape).unwrap(), &strides).ok()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn nothing_panics(a in wide(), b in wide(), i in any::<isize>(), n in 0usize..5) {
        let _ = (a.composition(&b), a.coalesce(), a.filter(), a.nullspace(), a.right_inverse());
        let _ = (a.coordinate_at_index(i), a.forwards(), a.as_layout(), a.append(&b), a.zip_with(&b));
        let _ = (a.replace(n, &b), a.take(n, 1), a.group(1, n), a.to_string());
        if let Some(tile) = b.as_layout() {
            let by = Tiler::modes(&[Tiler::layout(&tile)]).unwrap();
            let _ = (a.composition_by(&by), a.logical_divide_by(&by), a.flat_divide_by(&by));
            let _ = Swizzle::new(n as u32, 1, 4).map(|swizzle| swizzle.behind(&tile, n + 1));
        }
    }
}
