//! Spyre layouts as torch-spyre writes them today: the records of `spyre_current.jsonl`, generated
//! layouts of the same kinds, and malformed text.

use proptest::prelude::*;
use serde_json::Value;
use static_layout::devices::ElementType;
use static_layout::devices::spyre::{CurrentLayout, SpyreLayout};
use static_layout::text::{Value as Read, eval};

mod common;
use common::{records, text};

fn numbers(value: &Value) -> Option<Vec<isize>> {
    let numbers = value.as_array()?.iter();
    Some(numbers.map(|n| n.as_i64().expect("a number") as isize).collect())
}

fn coordinates(extents: &[usize]) -> Vec<Vec<usize>> {
    extents.iter().fold(vec![vec![]], |all, &extent| {
        let longer = |c: Vec<usize>| (0..extent).map(move |x| [c.as_slice(), &[x]].concat());
        all.into_iter().flat_map(longer).collect()
    })
}

/// Each element has its own slot, which maps back to it. The steps map the slot to its offset in host
/// memory.
fn check(l: &CurrentLayout) {
    if l.elements() == 0 {
        assert!(l.placement().is_none() && l.device_size().contains(&0));
        return;
    }
    let step = (l.elements() / 5_000).max(1);
    let expanded = |p: usize| l.stride_map()[p] == 0 && l.dim_map()[p] >= 0;
    for host in coordinates(l.size()).iter().step_by(step) {
        let device = l.device_coordinate(host).unwrap();
        assert_eq!(l.host_coordinate(&device).unwrap().as_ref(), Some(host), "{l}: {device:?}");
        if (0..device.len()).any(expanded) {
            continue;
        }
        let steps = device.iter().zip(l.stride_map());
        let dot: isize = steps.map(|(&c, &step)| c as isize * step.max(0)).sum();
        assert_eq!(dot as usize, l.host_offset(host).unwrap(), "{l}: {host:?}");
    }
    if l.slots() <= 1 << 14 {
        let held = coordinates(l.device_size());
        let held = held.iter().filter(|at| l.host_coordinate(at).unwrap().is_some()).count();
        assert_eq!((held, l.padding()), (l.elements(), l.slots() - l.elements()), "{l}");
    }
    assert_eq!(
        (l.sticks() * 128, CurrentLayout::parse(&l.to_string()).as_ref()),
        (l.bytes(), Ok(l))
    );
}

/// With `current`, a record follows today's rules; without it, whichever rules fit.
#[test]
fn every_record_is_read() {
    // Defaults of November 2025, for texts whose default has changed since.
    let before = ["spc-0006", "spc-0011"];
    let (mut by_default, mut today) = (0, 0);
    for record in records("spyre_current.jsonl") {
        let (written, id) = (text(&record["text"]), text(&record["id"]));
        let asked = written.replace(" }", ", current: true }");
        let value = eval(&written).unwrap_or_else(|error| panic!("{record}: {error}"));
        let (device_size, stride_map, dim_map) = match &value {
            Read::Spyre(l) => {
                let steps = (0..l.device_size().len()).map(|p| l.host_step(p));
                let steps = steps.map(|step| step.map_or(-1, |step| step as isize)).collect();
                (l.device_size().to_vec(), steps, l.dim_map().to_vec())
            }
            Read::CurrentSpyre(l) => {
                (l.device_size().to_vec(), l.stride_map().to_vec(), l.dim_map().to_vec())
            }
            other => panic!("{record}: {other}"),
        };
        let is = |device_size: &[usize], stride_map: &[isize], dim_map: &[isize]| {
            let device_size: Vec<_> = device_size.iter().map(|&n| n as isize).collect();
            [("dev", device_size.as_slice()), ("sm", stride_map), ("dm", dim_map)]
                .iter()
                .all(|(name, found)| numbers(&record[name]).is_none_or(|wanted| wanted == *found))
        };
        let fits = is(&device_size, &stride_map, &dim_map);
        by_default += usize::from(fits);
        let l = CurrentLayout::parse(&asked).unwrap_or_else(|error| panic!("{asked}: {error}"));
        check(&l);
        let asked_fits = is(l.device_size(), l.stride_map(), l.dim_map());
        today += usize::from(asked_fits);
        assert!(fits || asked_fits || before.contains(&id.as_str()), "{record}");
        assert_eq!(eval(&value.to_string()).map(|again| again.to_string()), Ok(value.to_string()));
    }
    assert_eq!((by_default, today), (59, 60));
    // The old defaults, written out in full.
    let l = SpyreLayout::new(&[512, 8, 256], ElementType::F16, &[4, 512, 8, 64], &[2, 0, 1, 2]);
    check(&CurrentLayout::of(&l.unwrap()).unwrap());
}

/// Layouts that the tests of torch-spyre copy to the device and back.
#[test]
fn layouts_of_upstream_tests() {
    for (size, stride, device_size, stride_map) in [
        (&[60][..], &[1][..], &[2, 1, 1, 2, 64][..], &[15, 15, 64, 30, 1][..]),
        (&[60], &[1], &[1, 2, 1, 1, 2, 64], &[30, 15, 15, 64, 30, 1]),
        (&[60], &[1], &[1, 1, 2, 1, 2, 64], &[30, 30, 15, 64, 30, 1]),
        (&[60], &[1], &[2, 1, 2, 1, 1, 64], &[30, 30, 15, 64, 60, 1]),
        (&[60], &[1], &[1, 60, 64], &[64, 1, 1]),
        (&[4800], &[1], &[3, 2, 14, 64], &[120, 64, 360, 1]),
        (&[40, 60], &[60, 1], &[2, 6, 2, 1, 2, 64], &[720, 120, 60, 64, 1200, 1]),
        (&[40, 60], &[60, 1], &[3, 4, 3, 1, 2, 64], &[600, 180, 60, 64, 1800, 1]),
        (&[40, 60], &[1, 40], &[1, 40, 64], &[2560, 1, 40]),
        (&[40, 128], &[128, 1], &[1, 512, 64], &[8192, 1, 128]),
    ] {
        let l = CurrentLayout::new(size, stride, ElementType::F16, device_size, stride_map);
        check(&l.unwrap_or_else(|error| panic!("{device_size:?} {stride_map:?}: {error}")));
    }
}

#[test]
fn the_specification_comes_first() {
    let kind = |fields: &str| match eval(&format!("spyre {{ {fields} }}")) {
        Ok(Read::Spyre(_)) => "specification",
        Ok(Read::CurrentSpyre(_)) => "today",
        Ok(_) => "another",
        Err(error) => error.problems()[0].error.code(),
    };
    let sparse = "size: [512, 256], dtype: f16, device_size: [256, 1, 512, 64]";
    for (fields, wanted) in [
        ("size: [4, 1], dtype: f32".to_owned(), "specification"),
        ("size: [4, 1], dtype: f32, current: true".to_owned(), "today"),
        ("size: [1, 4, 32], dtype: f32, order: [1, 2, 0]".to_owned(), "today"),
        ("size: [1, 4, 32], dtype: f32, order: [1, 2, 0], current: false".to_owned(), "L0713"),
        (format!("{sparse}, stride_map: [1, -1, 256, -1]"), "today"),
        (format!("{sparse}, dim_map: [1, -1, 0, -1]"), "L0708"),
        (format!("{sparse}, dim_map: [1, -1, 0, -1], current: true"), "today"),
        (format!("{sparse}, dim_map: [1, -1, 0, -1], relaxed: true"), "specification"),
        // The pitfall of the specification: dimensions of extent 1 do not count.
        (
            "size: [512, 1, 256], dtype: f16, device_size: [4, 512, 64], dim_map: [2, 0, 2]"
                .to_owned(),
            "L0707",
        ),
        (
            "size: [0, 256], dtype: f16, device_size: [4, 0, 64], dim_map: [1, 0, 1]".to_owned(),
            "L0702",
        ),
        (
            "size: [0, 256], dtype: f16, device_size: [4, 1, 64], stride_map: [64, 256, 1]"
                .to_owned(),
            "L0702",
        ),
        (
            "size: [0, 256], dtype: f16, device_size: [4, 0, 64], stride_map: [64, 256, 1]"
                .to_owned(),
            "today",
        ),
        ("size: [128], dtype: fp8".to_owned(), "specification"),
        ("size: [512], dtype: i2, device_size: [1, 512], stride_map: [-1, 1]".to_owned(), "today"),
    ] {
        assert_eq!(kind(&fields), wanted, "{fields}");
    }
    let l = SpyreLayout::dense(&[3, 1, 200], ElementType::F16, None).unwrap();
    let today = CurrentLayout::of(&l).unwrap();
    assert_eq!(today.dim_map(), &[2, 0, 2]);
    for host in coordinates(&[3, 1, 200]) {
        assert_eq!(l.offset(&host), today.offset(&host));
    }
}

#[test]
fn errors_are_under_their_numbers() {
    let broken = |fields: &str, code: &str, token: &str| {
        let text = format!("spyre {{ {fields}, current: true }}");
        let error = CurrentLayout::parse(&text).expect_err(&text);
        let problem = &error.problems()[0];
        assert_eq!((problem.error.code(), &text[problem.span.clone()]), (code, token), "{text}");
    };
    broken("size: [60], dtype: f16, device_size: [2, 64], stride_map: [-2, 1]", "L0715", "-2");
    broken(
        "size: [60, 4], dtype: f16, device_size: [60, 64], stride_map: [4, -1]",
        "L0710",
        "[4, -1]",
    );
    broken(
        "size: [40, 60], stride: [64, 2], dtype: f16, device_size: [2, 64], stride_map: [3, 2]",
        "L0715",
        "3",
    );
    // A digit of 20 with room for 16; room for 32 of 60 elements.
    broken(
        "size: [60], dtype: f16, device_size: [3, 16, 64], stride_map: [20, 1, -1]",
        "L0712",
        "[3, 16, 64]",
    );
    broken(
        "size: [60], dtype: f16, device_size: [32, 64], stride_map: [1, -1]",
        "L0712",
        "[32, 64]",
    );
    broken("size: [60], dtype: f16, device_size: [1, 60], stride_map: [64, 1]", "L0711", "60");
    broken("size: [60], dtype: f16, device_size: [0, 64], stride_map: [64, 1]", "L0706", "0");
    broken("size: [60], dtype: f16, device_size: [1, 64], dim_map: [1, 0]", "L0707", "1");
    broken("size: [60], dtype: f16, device_size: [1, 64], stride_map: [1]", "L0705", "[1]");
    broken("size: [60, 4], dtype: f16, order: [0, 0]", "L0714", "0");
    broken("size: [60, 4], dtype: f16, order: [0]", "L0713", "[0]");
    broken("size: [60, 4], dtype: f16, order: [-1, 0]", "L0106", "-1");
    broken("size: [60, 4], dtype: f16, stride: [1]", "L0703", "[1]");
}

#[test]
fn hostile_numbers_are_errors() {
    let max = isize::MAX;
    for fields in [
        format!("size: [{max}, {max}], dtype: f16"),
        format!("size: [60], stride: [{max}], dtype: f16"),
        format!(
            "size: [2, 2], stride: [{max}, {max}], dtype: f16, device_size: [2, 2, 64], stride_map: [{max}, {max}, -1]"
        ),
        format!(
            "size: [60], dtype: f16, device_size: [{max}, {max}, 64], stride_map: [{max}, 64, 1]"
        ),
        format!("size: [60], dtype: f16, device_size: [{max}, 64], stride_map: [0, 1]"),
        format!("size: [{max}], dtype: f16, device_size: [{max}, 64], stride_map: [1, -1]"),
        format!("size: [{}], dtype: f16", vec!["2"; 40].join(", ")),
        format!(
            "size: [2], dtype: f16, device_size: [{}], stride_map: [{}]",
            vec!["1"; 40].join(", "),
            vec!["1"; 40].join(", ")
        ),
    ] {
        assert!(eval(&format!("spyre {{ {fields}, current: true }}")).is_err(), "{fields}");
    }
    let l = CurrentLayout::default_of(&[], &[], ElementType::F16, &[]).unwrap();
    assert_eq!((l.device_size(), l.stride_map()), (&[1, 64][..], &[-1, -1][..]));
    check(&l);
}

/// A host, and a device with each dimension split into digits, some followed by gaps.
#[derive(Clone, Debug)]
struct Case {
    size: Vec<usize>,
    stride: Vec<usize>,
    device_size: Vec<usize>,
    stride_map: Vec<isize>,
}

fn case() -> impl Strategy<Value = Case> {
    // For each dimension the extents of its digits, and the gap after each.
    let dimension = proptest::collection::vec((2..5usize, 0..2usize), 1..4);
    let parts = (proptest::collection::vec(dimension, 1..4), any::<u64>(), 0..3usize);
    parts.prop_map(|(dimensions, order, ones)| {
        let (mut size, mut digits) = (Vec::new(), Vec::new());
        for (d, parts) in dimensions.iter().enumerate() {
            let mut weight = 1;
            for &(extent, cut) in parts {
                digits.push((d, weight, extent));
                weight *= extent - usize::from(cut > 0 && extent > 2);
            }
            size.push(weight);
        }
        let mut stride = vec![1; size.len()];
        for d in (1..size.len()).rev() {
            stride[d - 1] = stride[d] * size[d];
        }
        let mut device: Vec<(usize, isize)> = digits
            .iter()
            .map(|&(d, weight, extent)| (extent, (weight * stride[d]) as isize))
            .chain((0..ones).map(|_| (1, -1)))
            .collect();
        // Random order of the device dimensions.
        let mut state = order;
        for i in (1..device.len()).rev() {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            device.swap(i, (state >> 33) as usize % (i + 1));
        }
        device.push((64, -1));
        let (device_size, stride_map) = device.into_iter().unzip();
        Case { size, stride, device_size, stride_map }
    })
}

proptest! {
    #[test]
    fn digits_of_any_weights(case in case()) {
        let Case { size, stride, device_size, stride_map } = &case;
        let l = CurrentLayout::new(size, stride, ElementType::F16, device_size, stride_map);
        // Two dimensions may have the same step by chance. Then there may be an error, but no wrong
        // slot.
        if let Ok(l) = l {
            check(&l);
        }
    }

    /// Truncated, duplicated or altered text is read or refused. What is read prints losslessly.
    #[test]
    fn broken_text_is_no_panic(
        record in 0..63usize,
        at in 0..150usize,
        len in 0..9usize,
        new in "[-0-9,:\\[\\]{} a-z]{0,4}",
    ) {
        let mut text = text(&records("spyre_current.jsonl")[record]["text"]);
        let (at, end) = (at.min(text.len()), (at + len).min(text.len()));
        text.replace_range(at..end, &new);
        if let Ok(value) = eval(&text) {
            prop_assert_eq!(eval(&value.to_string()).unwrap().to_string(), value.to_string());
        }
    }
}
