//! Operations on swizzled layouts and on layouts of coordinates, against the enumeration of the
//! function. All go through the notation, which has every operation.

use std::collections::BTreeSet;

use layout_core::engine::{ComposedLayout, CoordinateLayout, DynLayout, Swizzle};
use layout_core::text::{Value, eval};
use proptest::prelude::*;

mod common;
use common::{any_layout, compact, layout, table};

/// A swizzle bit by bit: what `Sw<B,M,S>` says.
fn swizzled(&(bits, base, shift): &(u32, u32, i32), offset: usize) -> usize {
    (0..bits).fold(offset, |result, k| {
        let (from, to) = match shift >= 0 {
            true => (base + shift.unsigned_abs() + k, base + k),
            false => (base + k, base + shift.unsigned_abs() + k),
        };
        result ^ (((offset >> from) & 1) << to)
    })
}

#[derive(Debug, Clone)]
struct Swizzled {
    swizzle: (u32, u32, i32),
    offset: usize,
    layout: DynLayout,
}

impl Swizzled {
    fn text(&self) -> String {
        let (bits, base, shift) = self.swizzle;
        format!("Sw<{bits},{base},{shift}> o {} o {}", self.offset, self.layout)
    }

    fn value(&self) -> ComposedLayout {
        let (bits, base, shift) = self.swizzle;
        let swizzle = Swizzle::new(bits, base, shift).unwrap();
        ComposedLayout::new(&swizzle, self.offset, &self.layout).unwrap()
    }

    fn at(&self, inside: usize) -> usize {
        swizzled(&self.swizzle, self.offset + inside)
    }

    fn table(&self) -> Vec<usize> {
        table(&self.layout).into_iter().map(|inside| self.at(inside)).collect()
    }
}

fn powers() -> impl Strategy<Value = DynLayout> {
    (prop::collection::vec(0u32..=3, 1..=4), any::<u32>()).prop_map(|(bits, seed)| {
        let mut order: Vec<usize> = (0..bits.len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, (seed >> (4 * i)) as usize % (i + 1));
        }
        let (mut modes, mut step) = (vec![(1, 0); bits.len()], 1);
        for k in order {
            modes[k] = (1 << bits[k], step);
            step <<= bits[k];
        }
        common::flat(&modes)
    })
}

fn any_swizzled() -> impl Strategy<Value = Swizzled> {
    let swizzle =
        (0u32..=3, 0u32..=3, 0i32..=2, any::<bool>()).prop_map(|(bits, base, more, up)| {
            let shift = bits as i32 + more;
            (bits, base, if up { shift } else { -shift })
        });
    let offset = prop_oneof![4 => Just(0), 1 => 0usize..=40, 1 => (0u32..8).prop_map(|k| 1 << k)];
    let layout = prop_oneof![any_layout(), compact(), powers()];
    (swizzle, offset, layout).prop_map(|(swizzle, offset, layout)| Swizzled {
        swizzle,
        offset,
        layout,
    })
}

/// The values of what an expression gives, if it gives something.
fn values(expression: &str) -> Option<Vec<usize>> {
    match eval(expression).ok()? {
        Value::Layout(l) => Some(l.table().collect()),
        Value::Composed(c) => Some(c.table().collect()),
        other => panic!("{expression} is {other}"),
    }
}

fn number(expression: &str) -> Option<usize> {
    match eval(expression).ok()? {
        Value::Integer(n) => Some(n),
        other => panic!("{expression} is {other}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// An operation on the domain is that of the layout inside, and exists where that does.
    #[test]
    fn operations_on_the_domain_are_those_of_the_layout_inside(
        c in any_swizzled(), b in layout(4, 6), n in 1usize..5,
    ) {
        let (whole, inside) = (c.text(), c.layout);
        for of in [
            "coalesce(@)", "coalesce(@, (1,1))", "flatten(@)", "filter(@)", "filter_zeros(@)",
            "filter(@, (1,1))", "logical_divide(@, $)", "zipped_divide(@, $)", "tiled_divide(@, <#,#>)",
            "flat_divide(@, <#,#>)", "logical_product(@, $)", "logical_product(@, <#,$>)",
            "zipped_product(@, $)", "tiled_product(@, $)", "flat_product(@, $)",
            "blocked_product(@, $)", "raked_product(@, $)", "tile_to_shape(@, (24,24,24))",
            "tile_to_shape(@, (24,24), (1,0))", "append(@, $)", "prepend(@, $)", "replace(@, 1, $)",
            "zip(@)", "zip(@, $)", "take(@, 0, #)", "group(@, 0, #)", "select(@, (1,0))",
            "permute(@, (1,0))", "transposed(@)", "broadcast_to(@, (4,5,6))", "composition(@, $)",
            "composition(@, <#,#>)", "dice(@, (0,_))", "dice(@, (_,0,_))", "windows(@, #)",
            "unflatten(@, (0,(0,0)))",
        ] {
            let of = of.replace('$', &b.to_string()).replace('#', &n.to_string());
            let plain = values(&of.replace('@', &inside.to_string()));
            let fits = plain.as_ref().is_none_or(|plain| plain.iter().all(|&o| o < 1 << 50));
            let expected = plain.map(|plain| plain.into_iter().map(|o| c.at(o)).collect());
            prop_assert!(fits);
            prop_assert_eq!(values(&of.replace('@', &whole)), expected, "{} on {}", of, whole);
        }
    }

    #[test]
    fn facts_are_those_of_the_enumeration(c in any_swizzled()) {
        let (text, offsets) = (c.text(), c.table());
        let image: BTreeSet<usize> = offsets.iter().copied().collect();
        let (first, last) = (*image.first().unwrap(), *image.last().unwrap());
        prop_assert_eq!(number(&format!("size({text})")), Some(offsets.len()));
        prop_assert_eq!(number(&format!("cosize({text})")), Some(last + 1), "{}", text);
        prop_assert!(c.value().cosize_bound() > last);
        let truth = |of: &str, truth: bool| {
            assert_eq!(eval(&format!("{of}({text})")).unwrap(), Value::Truth(truth), "{of} {text}");
        };
        truth("is_injective", image.len() == offsets.len());
        truth("is_contiguous", image.len() == last + 1);
        truth("is_bijective", image.len() == last + 1 && image.len() == offsets.len());
        let list = |items: Vec<usize>| {
            let items: Vec<_> = items.iter().map(usize::to_string).collect();
            format!("[{}]", items.join(", "))
        };
        let gaps = (first..last).filter(|o| !image.contains(o)).collect();
        prop_assert_eq!(eval(&format!("image({text})")).unwrap().to_string(), list(image.iter().copied().collect()));
        prop_assert_eq!(eval(&format!("gaps({text})")).unwrap().to_string(), list(gaps));
        let still = values(&format!("nullspace({text})")).unwrap();
        prop_assert!(still.iter().all(|&i| offsets[i] == offsets[0]));
    }

    /// Copies at the offsets of the complement, inside of the swizzle, have nothing in common.
    #[test]
    fn complements_leave_room_for_copies(c in any_swizzled(), n in 1usize..200) {
        let text = c.text();
        let Some(rest) = values(&format!("complement({text}, {n})")) else {
            let inside = values(&format!("complement({}, {n})", c.layout));
            prop_assert_eq!(inside, None);
            return Ok(());
        };
        let block: BTreeSet<usize> = table(&c.layout).into_iter().collect();
        let copies = rest.iter().flat_map(|start| block.iter().map(move |o| start + o));
        let all: BTreeSet<usize> = copies.clone().map(|o| c.at(o)).collect();
        prop_assert_eq!(all.len(), block.len() * rest.len(), "{}", text);
    }

    #[test]
    fn inverses_invert(c in any_swizzled()) {
        let (text, offsets) = (c.text(), c.table());
        if let Ok(r) = c.value().right_inverse() {
            for i in 0..r.size() {
                let at = r.offset_of_index(i);
                prop_assert!(at < offsets.len(), "{} is {}", text, r);
                prop_assert_eq!(offsets[at], i, "{} is {}", text, r);
            }
            let plain = c.layout.right_inverse_size();
            prop_assert!(r.size() <= plain);
        }
        if let Ok(r) = c.value().left_inverse() {
            let once: BTreeSet<_> = offsets.iter().collect();
            for (i, &offset) in offsets.iter().enumerate() {
                let found = r.offset_of_index(offset);
                // Where L is not injective this may be a coordinate behind the last one.
                let there = c.at(common::eval(&c.layout, found));
                prop_assert_eq!(there, offset, "{} is {}", text, r);
                prop_assert!(once.len() < offsets.len() || found == i);
            }
        }
    }

    #[test]
    fn other_elements_are_at_the_same_places(c in any_swizzled(), up in 1usize..9, down in 1usize..9) {
        let (text, offsets) = (c.text(), c.table());
        // A larger element is where its first smaller one was.
        if let (Some(larger), Some(plain)) = (
            values(&format!("upcast({text}, {up})")),
            values(&format!("upcast({}, {up})", c.layout)),
        ) {
            let there: BTreeSet<_> = offsets.iter().map(|o| o / up).collect();
            let here: BTreeSet<_> = larger.iter().copied().collect();
            prop_assert_eq!(here, there, "upcast({}, {})", text, up);
            prop_assert_eq!(larger.len(), plain.len());
        }
        if let Some(smaller) = values(&format!("downcast({text}, {down})")) {
            let there: BTreeSet<_> =
                offsets.iter().flat_map(|o| o * down..(o + 1) * down).collect();
            prop_assert_eq!(smaller.into_iter().collect::<BTreeSet<_>>(), there);
            let (old, new) = (down * 4, 4);
            prop_assert_eq!(
                values(&format!("recast({text}, {old}, {new})")),
                values(&format!("downcast({text}, {down})"))
            );
        }
    }

    #[test]
    fn common_layouts_are_the_identity_in_both(a in any_swizzled(), b in any_swizzled()) {
        let common = format!("max_common_layout({}, {})", a.text(), b.text());
        if let Some(common) = values(&common) {
            for (i, &at) in common.iter().enumerate() {
                prop_assert_eq!(b.at(common::eval(&b.layout, at)), i);
            }
        }
        let n = number(&format!("max_common_vector({}, {})", a.text(), b.text())).unwrap();
        let plain = number(&format!("max_common_vector({}, {})", a.layout, b.layout)).unwrap();
        prop_assert!((1..=plain).contains(&n));
    }

    #[test]
    fn common_vectors_are_at_the_same_places(
        a in any_swizzled(), b in any_swizzled(), same_swizzle: bool, same_layout: bool
    ) {
        let swizzle = if same_swizzle { a.swizzle } else { b.swizzle };
        let layout = if same_layout { a.layout } else { b.layout };
        let b = Swizzled { swizzle, layout, ..b };
        let n = number(&format!("max_common_vector({}, {})", a.text(), b.text())).unwrap();
        let both: BTreeSet<_> = a.table().into_iter().zip(b.table()).collect();
        // One element is a vector, wherever it is.
        for i in 0..if n > 1 { n } else { 0 } {
            prop_assert!(both.contains(&(i, i)), "{} and {}: {i} of {n}", a.text(), b.text());
        }
    }
}

trait RightInverse {
    fn right_inverse_size(&self) -> usize;
}

impl RightInverse for DynLayout {
    fn right_inverse_size(&self) -> usize {
        match eval(&format!("right_inverse({self})")).unwrap() {
            Value::Layout(r) => r.size(),
            other => panic!("{other}"),
        }
    }
}

/// Layouts of coordinates: each leaf steps in one of three modes of the values.
fn coordinates() -> impl Strategy<Value = CoordinateLayout> {
    let place = prop::sample::select(vec!["@0", "@1", "@0@2", "@1@2"]);
    (any_layout(), prop::collection::vec(place, 32)).prop_map(|(l, places)| {
        let strides = l.strides().iter().zip(places);
        let leaves: Vec<_> = strides.map(|(step, place)| format!("{step}{place}")).collect();
        let flat = format!("({}):({})", joined(l.extents()), leaves.join(","));
        let flat = CoordinateLayout::parse(&flat).unwrap();
        flat.unflatten(&l.shape()).unwrap()
    })
}

fn joined(extents: &[usize]) -> String {
    extents.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
}

/// `3@0+1@1`: what a stride adds at each of the four places.
fn step(stride: &str) -> [isize; 4] {
    let mut point = [0; 4];
    for term in stride.trim_matches(['(', ')']).split('+') {
        let (step, place) = term.split_at(term.find('@').unwrap_or(term.len()));
        let place = ["@0", "@1", "@0@2", "@1@2"].iter().position(|p| *p == place).unwrap_or(0);
        point[place] += step.parse::<isize>().unwrap();
    }
    point
}

/// The value at each of the four places.
fn points(l: &CoordinateLayout) -> Vec<[isize; 4]> {
    let text = l.to_string();
    let strides = &text[text.find(':').unwrap() + 1..];
    let strides: Vec<[isize; 4]> = strides.split(',').map(step).collect();
    (0..l.size())
        .map(|mut i| {
            let mut point = [0; 4];
            for (&extent, stride) in l.shape().leaves().iter().zip(&strides) {
                let digit = (i % extent) as isize;
                point = [0, 1, 2, 3].map(|k| point[k] + digit * stride[k]);
                i /= extent;
            }
            point
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn coordinates_have_complements_products_and_facts(
        l in coordinates(), b in layout(3, 4), n in 1usize..60,
    ) {
        let here = points(&l);
        let image: BTreeSet<_> = here.iter().copied().collect();
        let extents: Vec<_> = (0..4).map(|k| here.iter().map(|p| p[k]).max().unwrap() + 1).collect();
        prop_assert_eq!(l.cosize(), Ok(extents.iter().product::<isize>() as usize));
        let injective = eval(&format!("is_injective({l})")).unwrap();
        prop_assert_eq!(injective, Value::Truth(image.len() == here.len()), "{}", l);
        for rest in [l.complement_in_cosize(), l.complement_shape(&layout_core::engine::IntTuple::leaf(n))] {
            // The sums are enumerated, so there must not be too many of them.
            let Some(rest) = rest.ok().filter(|rest| rest.size() * image.len() <= 20_000) else {
                continue;
            };
            let copies = points(&rest);
            let all: BTreeSet<_> = copies
                .iter()
                .flat_map(|at| image.iter().map(move |p| [0, 1, 2, 3].map(|k| p[k] + at[k])))
                .collect();
            prop_assert_eq!(all.len(), copies.len() * image.len(), "{} leaves {}", l, rest);
        }
        let product = l.logical_product_by(&layout_core::engine::Tiler::layout(&b));
        if let Some(product) = product.ok().filter(|product| product.size() <= 20_000) {
            let (all, where_to): (Vec<_>, BTreeSet<_>) =
                (points(&product), table(&b).into_iter().collect());
            prop_assert_eq!(all.len(), l.size() * b.size());
            let apart: BTreeSet<_> = all.iter().copied().collect();
            prop_assert_eq!(apart.len(), image.len() * where_to.len());
            prop_assert_eq!(&all[..l.size()], &here[..]);
        }
    }

    #[test]
    fn coordinates_have_inverses(l in coordinates()) {
        let right = l.right_inverse().unwrap();
        let (here, mut sizes) = (points(&l), [1; 4]);
        if right.len() > 1 || right.size() > 1 {
            for (mode, size) in sizes.iter_mut().enumerate().take(right.rank().min(2)) {
                *size = right.mode(mode).size();
            }
            for mode in 0..if right.rank() == 3 { right.mode(2).rank() } else { 0 } {
                sizes[2 + mode] = right.mode(2).mode(mode).size();
            }
        }
        prop_assert_eq!(sizes.iter().product::<usize>(), right.size());
        for (i, found) in right.table().enumerate() {
            let mut rest = i;
            let point = sizes.map(|size| {
                let digit = rest % size;
                rest /= size;
                digit as isize
            });
            prop_assert_eq!(here[found], point, "{} has {}", l, right);
        }
        let Ok(left) = l.left_inverse() else { return Ok(()) };
        let left = left.as_layout().expect("1-D coordinates");
        for (i, value) in l.table().enumerate() {
            let found = at(&left, &value.int_tuple().unwrap());
            prop_assert_eq!(
                l.coordinate_at_index(found as isize), Ok(value), "{} has {} at {}", l, left, i
            );
        }
    }
}

/// The value of a layout at a coordinate that may lie outside of it.
fn at(layout: &DynLayout, coordinate: &layout_core::engine::IntTuple) -> usize {
    match coordinate.is_int() {
        true => layout.offset_of_index(coordinate.leaves()[0]),
        false => (0..coordinate.rank()).map(|i| at(&layout.mode(i), &coordinate.mode(i))).sum(),
    }
}
