//! Spyre layouts: laws over generated ones, and where the notation says what is wrong.

use layout_core::devices::spyre::{SpyreLayout, elements_per_stick};
use layout_core::devices::{AnyPlacement, ElementType, Slot};
use layout_core::engine::{DynLayout, IntTuple};
use layout_core::text::{Value, eval};
use proptest::prelude::*;

const TYPES: [ElementType; 5] =
    [ElementType::F32, ElementType::F16, ElementType::I8, ElementType::I4, ElementType::I64];

/// A layout by its parts: for each dimension of the host an extent, and the extents in the device
/// that cover it, the innermost first.
#[derive(Clone, Debug)]
struct Case {
    size: Vec<usize>,
    stride: Vec<usize>,
    element: ElementType,
    device_size: Vec<usize>,
    dim_map: Vec<isize>,
}

impl Case {
    fn layout(&self) -> SpyreLayout {
        let l = SpyreLayout::new(&self.size, self.element, &self.device_size, &self.dim_map);
        l.and_then(|l| l.with_stride(&self.stride)).unwrap()
    }
}

fn case() -> impl Strategy<Value = Case> {
    let dimension = (1..9usize, 1..4usize, 0..2usize, any::<bool>());
    (
        prop::collection::vec(dimension, 0..5),
        prop::sample::select(&TYPES[..]),
        any::<bool>(),
        any::<prop::sample::Index>(),
        prop::collection::vec(any::<u32>(), 16),
        0..3usize,
    )
        .prop_map(|(dimensions, element, sparse, stick, order, gap)| {
            let per_stick = elements_per_stick(element).unwrap();
            let mut size: Vec<_> = dimensions.iter().map(|d| d.0).collect();
            let kept: Vec<_> = (0..size.len()).filter(|&d| size[d] > 1).collect();
            let stick = (!sparse && !kept.is_empty()).then(|| stick.index(kept.len()));
            // The parts of the canonical dimensions, the stick left out.
            let mut parts = Vec::new();
            for (c, &d) in kept.iter().enumerate() {
                let (extent, inner, spare, cut) = dimensions[d];
                if stick == Some(c) {
                    // Sticks that are full, and one that is not.
                    size[d] = extent * per_stick - (extent * 7) % per_stick;
                }
                let inside = if stick == Some(c) { per_stick } else { 1 };
                let mut left = size[d].div_ceil(inside);
                if cut {
                    parts.push((c, inner));
                    left = left.div_ceil(inner);
                }
                parts.push((c, left + spare));
            }
            let mut shuffled: Vec<_> = (0..parts.len()).collect();
            shuffled.sort_by_key(|&i| order[i]);
            let mut device_size: Vec<_> = shuffled.iter().map(|&i| parts[i].1).collect();
            let mut dim_map: Vec<_> = shuffled.iter().map(|&i| parts[i].0 as isize).collect();
            device_size.push(per_stick);
            dim_map.push(stick.map_or(-1, |stick| stick as isize));
            // A host with gaps, in some order of its dimensions.
            let mut host: Vec<_> = (0..size.len()).collect();
            host.sort_by_key(|&d| order[15 - d]);
            let (mut stride, mut next) = (vec![0; size.len()], 1);
            for d in host {
                stride[d] = next;
                next = next * size[d] + gap;
            }
            Case { size, stride, element, device_size, dim_map }
        })
}

/// The coordinate of a row-major index.
fn coordinate(mut index: usize, extents: &[usize]) -> Vec<usize> {
    let mut coordinate = vec![0; extents.len()];
    for (c, extent) in coordinate.iter_mut().zip(extents).rev() {
        *c = index % extent;
        index /= extent;
    }
    coordinate
}

/// The coordinate in the host by the definition; nothing for padding.
fn host_of(case: &Case, device: &[usize]) -> Option<Vec<usize>> {
    let mut host = vec![0; case.size.len()];
    let kept: Vec<_> = (0..case.size.len()).filter(|&d| case.size[d] > 1).collect();
    for (position, digit) in device.iter().enumerate() {
        if case.dim_map[position] == -1 {
            if *digit > 0 {
                return None;
            }
            continue;
        }
        let d = kept[case.dim_map[position] as usize];
        host[d] = host[d] * case.device_size[position] + digit;
    }
    host.iter().zip(&case.size).all(|(c, extent)| c < extent).then_some(host)
}

proptest! {
    #[test]
    fn coordinates_follow_the_definition_and_lead_back(case in case()) {
        let l = case.layout();
        prop_assume!(l.slots() < 1 << 15);
        let placement = AnyPlacement::placement(&l);
        let mut elements = 0;
        for offset in 0..l.slots() {
            let device = coordinate(offset, &case.device_size);
            let expected = host_of(&case, &device);
            let found = l.host_coordinate(&device).unwrap();
            let found = found.map(|host| host.leaves()[..case.size.len()].to_vec());
            prop_assert_eq!(&found, &expected, "{:?} of {}", device, l);
            let placed = placement.coordinate(Slot { core: 0, offset }).unwrap();
            let placed = placed.map(|host| host.leaves()[..case.size.len()].to_vec());
            prop_assert_eq!(&placed, &expected, "{} of {}", offset, l);
            let Some(host) = expected else { continue };
            elements += 1;
            let there = l.device_coordinate(&host).unwrap();
            prop_assert_eq!(there.leaves(), &device[..]);
            prop_assert_eq!(l.offset(&host), Ok(offset));
            let steps = (0..device.len()).map(|p| device[p] * l.host_step(p).unwrap_or(0));
            prop_assert_eq!(l.host_offset(&host), Ok(steps.sum::<usize>()));
            // The padded layout has the same offsets at the canonical coordinate.
            let canonical = (0..host.len()).filter(|&d| case.size[d] > 1).map(|d| host[d]);
            let canonical: Vec<_> = canonical.collect();
            if !canonical.is_empty() {
                let at = IntTuple::flat(&canonical).unwrap();
                prop_assert_eq!(l.padded_layout().offset_of(&at), Ok(offset));
            }
        }
        prop_assert_eq!(elements, l.elements());
        prop_assert_eq!(l.slots() - elements, l.padding());
        prop_assert_eq!(l.bytes(), l.slots() * case.element.bits() / 8);
    }

    #[test]
    fn text_reads_as_it_prints(case in case()) {
        let l = case.layout();
        prop_assert_eq!(SpyreLayout::parse(&l.to_string()), Ok(l));
        prop_assert_eq!(Value::parse(&l.to_string()), Ok(Value::from(l)));
    }

    /// The way back from a CuTe layout has its offsets, where there is one.
    #[test]
    fn layouts_lead_back(case in case()) {
        let l = case.layout();
        if let Ok(cute) = l.placement().to_layout()
            && let Ok(back) = SpyreLayout::of(&cute, case.element)
        {
            for i in 0..l.elements().min(5000) {
                // Of one element a layout has a mode, and the host may have none.
                let (at, there) = (coordinate(i, &case.size), coordinate(i, back.size()));
                let (found, expected) = (back.offset(&there), l.offset(&at));
                prop_assert_eq!(found, expected, "{} and {} by {}", back, l, cute);
            }
        }
    }

    /// Whatever is cut out of a text or put into it, it is an error or prints as it is read.
    #[test]
    fn spoilt_text_is_an_error_or_a_layout(
        case in case(),
        cut in any::<prop::sample::Index>(),
        len in 0..6usize,
        put in prop::sample::select(&["", "0", "-1", ",", "[", "]", "}", ":", "size", "9999999999999999999", "_", "1@0", "p(2)"][..]),
    ) {
        let text = case.layout().to_string();
        let start = cut.index(text.len());
        let end = (start + len).min(text.len());
        let spoilt = [&text[..start], put, &text[end..]].concat();
        if let Ok(value) = eval(&spoilt) {
            prop_assert_eq!(Value::parse(&value.to_string()), Ok(value), "{}", spoilt);
        }
    }

    /// A host without overlaps: only spare padding may leave open which dimension steps.
    #[test]
    fn steps_say_which_dimensions(case in case()) {
        let l = case.layout();
        let steps: Vec<_> =
            (0..case.dim_map.len()).map(|p| l.host_step(p).map_or(-1, |n| n as isize)).collect();
        let (size, stride) = (&case.size, &case.stride);
        match SpyreLayout::from_stride_map(size, stride, case.element, &case.device_size, &steps) {
            Ok(read) => {
                for i in 0..l.elements().min(5000) {
                    let at = coordinate(i, size);
                    prop_assert_eq!(read.offset(&at), l.offset(&at), "{} and {}", read, l);
                }
            }
            Err(error) => prop_assert_eq!(error.code(), "L0716", "{}", l),
        }
    }

    /// Against all maps that there are, on hosts that may overlap.
    #[test]
    fn steps_are_ambiguous_where_two_layouts_have_them(
        (size, stride) in (1..4usize).prop_flat_map(|rank| (
            prop::collection::vec(2..5usize, rank),
            prop::option::of(prop::collection::vec(0..7usize, rank)),
        )),
        parts in prop::collection::vec((1..5usize, any::<prop::sample::Index>()), 1..5),
        stick in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let (rank, element) = (size.len(), ElementType::I64);
        let mut device_size: Vec<_> = parts.iter().map(|part| part.0).collect();
        let mut dim_map: Vec<_> =
            parts.iter().map(|part| part.1.index(rank) as isize).collect();
        device_size.push(16);
        dim_map.push(stick.map_or(-1, |stick| stick.index(rank) as isize));
        let layout = |map: &[isize]| {
            let l = SpyreLayout::new(&size, element, &device_size, map)?;
            stride.as_ref().map_or(Ok(l), |stride| l.with_stride(stride))
        };
        let steps = |l: &SpyreLayout| -> Vec<_> {
            (0..device_size.len()).map(|p| l.host_step(p).map_or(-1, |n| n as isize)).collect()
        };
        let image = |l: &SpyreLayout| -> Vec<_> {
            (0..l.elements()).map(|i| l.offset(&coordinate(i, &size)).unwrap()).collect()
        };
        let Ok(l) = layout(&dim_map) else { return Ok(()) };
        let mut images = std::collections::BTreeSet::new();
        for number in 0..(rank + 1).pow(device_size.len() as u32) {
            let digits = coordinate(number, &vec![rank + 1; device_size.len()]);
            let map: Vec<_> = digits.iter().map(|&digit| digit as isize - 1).collect();
            if let Ok(other) = layout(&map) && steps(&other) == steps(&l) {
                images.insert(image(&other));
            }
        }
        let read =
            SpyreLayout::from_stride_map(&size, l.stride(), element, &device_size, &steps(&l));
        match read {
            Ok(read) => {
                prop_assert_eq!(images.len(), 1, "{} and others", read);
                prop_assert_eq!(image(&read), image(&l), "{} and {}", read, l);
            }
            Err(error) => {
                prop_assert_eq!(error.code(), "L0716", "{}", error);
                prop_assert!(images.len() > 1, "{} alone has its steps", l);
            }
        }
    }

    #[test]
    fn default_layouts_are_valid(
        size in prop::collection::vec(1..300usize, 0..6),
        element in prop::sample::select(&TYPES[..]),
    ) {
        let (dense, sparse) =
            (SpyreLayout::dense(&size, element, None), SpyreLayout::sparse(&size, element, None));
        // Some of them have no room in 31 bits.
        prop_assume!(usize::BITS == 64 || dense.is_ok() && sparse.is_ok());
        let (dense, sparse) = (dense.unwrap(), sparse.unwrap());
        prop_assert!(sparse.is_sparse());
        prop_assert_eq!(sparse.sticks(), sparse.elements());
        prop_assert_eq!(dense.is_sparse(), dense.canonical_size().is_empty());
    }
}

/// The codes of a text and what each is about.
fn problems(text: &str) -> Vec<(&'static str, &str)> {
    let error = SpyreLayout::parse(text).expect_err(text);
    error.problems().iter().map(|p| (p.error.code(), &text[p.span.clone()])).collect()
}

#[test]
fn problems_are_in_their_places() {
    let layout = |rest: &str| format!("spyre {{ size: [512, 1, 256], dtype: f16, {rest} }}");
    let cases = [
        ("device_size: [4, 512, 64], dim_map: [2, 0, 1]", "L0707", "2"),
        ("device_size: [4, 512, 64], dim_map: [1, 0, -2]", "L0707", "-2"),
        ("device_size: [4, 512, 63], dim_map: [1, 0, 1]", "L0711", "63"),
        ("device_size: [4, 0, 64], dim_map: [1, 0, 1]", "L0706", "0"),
        ("device_size: [4, 512, 64], dim_map: [-1, 0, 1]", "L0709", "-1"),
        ("device_size: [4, 512, 64], dim_map: [1, 1, 1]", "L0710", "[1, 1, 1]"),
        ("device_size: [3, 512, 64], dim_map: [1, 0, 1]", "L0712", "[3, 512, 64]"),
        ("device_size: [4, 512, 64], dim_map: [1, 0]", "L0705", "[1, 0]"),
        ("device_size: [], dim_map: []", "L0704", "[]"),
        ("device_size: [4, 512, 64], stride_map: [64, 255, 1]", "L0715", "255"),
        ("device_size: [4, 2, 512, 64], stride_map: [64, 64, 256, 1]", "L0715", "64"),
        ("stride: [256, 1]", "L0703", "[256, 1]"),
        ("order: [0, 2]", "L0714", "2"),
        ("order: [0]", "L0713", "[0]"),
        ("order: [0, -1]", "L0106", "-1"),
        ("dim: [0]", "L0718", "dim"),
        ("dtype: f16", "L0719", "dtype"),
        ("sparse: 1", "L0114", "1"),
        ("order: 1", "L0114", "1"),
        ("order: [1 p(2), 0]", "L0114", "[1 p(2), 0]"),
        ("order: [(0, 1)]", "L0114", "(0, 1)"),
        ("order [0]", "L0107", "["),
        ("order:", "L0107", "}"),
        ("[0]", "L0107", "["),
        ("device_size: [8, 64], dim_map: [0, 0], sparse: true", "L0721", "sparse"),
        // Counted with what is left out.
        ("device_size: [1, 4, 512, 64], dim_map: [-1, 1, 2, 1], relaxed: true", "L0707", "2"),
        ("device_size: [2, 256, 512, 64], dim_map: [-1, 1, 0, -1], relaxed: true", "L0708", "-1"),
        ("device_size: [1, 256, 512, 64], dim_map: [-1, 1, 0, -1], relaxed: false", "L0708", "-1"),
        ("device_size: [4, 512, 64], dim_map: [1, 0, 1], relaxed: 1", "L0114", "1"),
    ];
    for (rest, code, place) in cases {
        assert_eq!(problems(&layout(rest)), [(code, place)], "{rest}");
    }
    let text = "spyre { size: [0], dtype: f12, dim_map: [0] }";
    assert_eq!(problems(text), [("L0720", text), ("L0701", "f12")]);
    assert_eq!(problems("spyre { size: [0], dtype: f16 }"), [("L0702", "0")]);
    let text = "spyre { }";
    assert_eq!(problems(text), [("L0720", text), ("L0720", text)]);
    assert_eq!(problems("spyre { size: [4]"), [("L0110", "{")]);
    assert_eq!(problems("(4,8):(8,1)"), [("L0114", "(4,8):(8,1)")]);
    assert_eq!(DynLayout::parse(&layout("")).unwrap_err().problems()[0].error.code(), "L0114");
    let help = SpyreLayout::parse(&layout("device_size: [9, 9], dim_map: [2, 0]")).unwrap_err();
    assert!(
        format!("{help:#}").contains("counts only dimensions of an extent above 1"),
        "{help:#}"
    );
}

#[test]
fn relaxed_maps_drop_idle_dimensions() {
    let read = |text: &str| SpyreLayout::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    // As newer versions write them: sparse, with a dimension of extent 1 of the host, without any.
    for (relaxed, strict) in [
        (
            "size: [512, 256], dtype: f16, device_size: [256, 1, 512, 64], dim_map: [1, -1, 0, -1]",
            "size: [512, 256], dtype: f16, sparse: true",
        ),
        (
            "size: [512, 1], dtype: f16, device_size: [1, 8, 64], stride_map: [-1, 64, 1]",
            "size: [512, 1], dtype: f16",
        ),
        ("size: [], dtype: f16, device_size: [1, 64], dim_map: [-1, -1]", "size: [], dtype: f16"),
        (
            "size: [512], dtype: f16, device_size: [8, 64], dim_map: [0, 0]",
            "size: [512], dtype: f16",
        ),
    ] {
        let (relaxed, strict) =
            (format!("spyre {{ {relaxed}, relaxed: true }}"), format!("spyre {{ {strict} }}"));
        assert_eq!(read(&relaxed), read(&strict), "{relaxed}");
        assert!(!read(&relaxed).to_string().contains("relaxed"));
    }
    let error = SpyreLayout::relaxed(&[8], ElementType::F16, &[1, 64], &[-1]).unwrap_err();
    assert_eq!(error.code(), "L0705");
    assert_eq!(problems("spyre { size: [8], dtype: f16, relaxed: true }")[0].0, "L0720");
}

#[test]
fn parts_without_digits_leave_nothing_open() {
    // The step of 64 in dimension 1 of the device may be of dimension 0 and of 1, and there is none.
    let text =
        "spyre { size: [4, 64], dtype: f16, device_size: [4, 1, 64], stride_map: [64, 64, 1] }";
    let (l, rows) = (SpyreLayout::parse(text).unwrap(), [0, 1, 2, 3]);
    assert_eq!(rows.map(|row| l.offset(&[row, 5]).unwrap()), rows.map(|row| row * 64 + 5));
}

#[test]
fn huge_numbers_are_errors() {
    let max = isize::MAX;
    let texts = [
        format!("spyre {{ size: [{max}, {max}], dtype: f16 }}"),
        format!("spyre {{ size: [{max}], dtype: i4 }}"),
        format!("spyre {{ size: [{max}, 2], stride: [{max}, 1], dtype: f64 }}"),
        format!("spyre {{ size: [8, 2], stride: [{max}, 1], dtype: f64 }}"),
        format!("spyre {{ size: [8], dtype: f64, device_size: [{max}, 16], dim_map: [0, 0] }}"),
        format!(
            "spyre {{ size: [{max}, {max}], dtype: f16, device_size: [1, 64], stride_map: [1, 1] }}"
        ),
        format!("spyre {{ size: {:?}, dtype: f16 }}", [2; 17]),
        format!(
            "spyre {{ size: [2], dtype: f16, device_size: {:?}, dim_map: {:?} }}",
            [1; 33], [0; 33]
        ),
    ];
    for text in texts {
        assert!(eval(&text).is_err(), "{text}");
    }
    // Ties in which a search would not end.
    let (ones, zeros) = (vec!["2"; 16].join(", "), vec!["0"; 31].join(", "));
    let device = vec!["2"; 31].join(", ");
    let text = format!(
        "spyre {{ size: [{ones}], stride: [{}], dtype: f16, device_size: [{device}, 64], stride_map: [{zeros}, -1] }}",
        vec!["0"; 16].join(", "),
    );
    assert_eq!(problems(&text)[0].0, "L0716");
}
