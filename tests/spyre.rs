//! Verified answers about Spyre layouts (`tests/vectors/spyre.jsonl`), compared with the engine.
//!
//! Every record runs, and its numbers are compared exactly. Up to a size limit, all coordinates of
//! every valid layout are converted from host to device and back.

use serde_json::{Value, json};
use static_layout::devices::spyre::{ElementArrangement, SpyreLayout, elements_per_stick};
use static_layout::devices::{AnyPlacement, ElementType, Placement, Slot};
use static_layout::engine::DynLayout;
use static_layout::{LayoutError, layout};

mod common;
use common::{number, records, say, text};

/// Maps the rule names of records to error codes.
const RULES: [(&str, &str); 12] = [
    ("E_DTYPE", "L0701"),
    ("E_HOST_EXTENT", "L0702"),
    ("E_HOST_STRIDE_LEN", "L0703"),
    ("E_DEVICE_RANK", "L0704"),
    ("E_LEN", "L0705"),
    ("E_DEVICE_EXTENT", "L0706"),
    ("E_DIM_RANGE", "L0707"),
    ("E_SYNTH_REPEATED", "L0708"),
    ("E_SYNTH_NOT_INNER", "L0709"),
    ("E_DIM_MISSING", "L0710"),
    ("E_STICK", "L0711"),
    ("E_COVER", "L0712"),
];

/// Up to this many slots are checked one by one.
const ALL_OF: usize = 1 << 13;

/// The largest device image that is hashed.
const IMAGE: usize = 1 << 19;

fn numbers(value: &Value) -> Vec<usize> {
    value.as_array().expect("a list").iter().map(number).collect()
}

/// Null becomes -1, as in a `stride_map`.
fn signed(value: &Value) -> Vec<isize> {
    let list = value.as_array().expect("a list").iter();
    list.map(|n| n.as_i64().unwrap_or(-1) as isize).collect()
}

fn element(input: &Value) -> Result<ElementType, LayoutError> {
    let name = text(&input["dtype"]);
    // Unknown names give the error of the notation.
    ElementType::of_name(&name).ok_or_else(|| {
        let text = format!("spyre {{ size: [1], dtype: {name} }}");
        static_layout::text::eval(&text).unwrap_err().problems()[0].error
    })
}

fn layout_of(input: &Value) -> Result<SpyreLayout, LayoutError> {
    let (size, device_size) = (numbers(&input["host_size"]), numbers(&input["device_size"]));
    let l = SpyreLayout::new(&size, element(input)?, &device_size, &signed(&input["dim_map"]))?;
    match &input["host_stride"] {
        Value::Null => Ok(l),
        stride => l.with_stride(&numbers(stride)),
    }
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

/// FNV-1a of the device image as 32-bit words. Each element is its index, padding is all ones.
fn image_fnv(l: &SpyreLayout) -> String {
    let mut image = vec![u32::MAX; l.slots()];
    for i in 0..l.elements() {
        image[l.offset(&coordinate(i, l.size())).unwrap()] = i as u32;
    }
    let hash = image
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .fold(0xCBF29CE484222325u64, |h, byte| (h ^ u64::from(byte)).wrapping_mul(0x100000001B3));
    format!("{hash:016x}")
}

fn perm_hash(l: &SpyreLayout) -> u128 {
    let term = |i| (i as u128 + 1) * (l.offset(&coordinate(i, l.size())).unwrap() as u128 + 1);
    (0..l.elements()).map(term).sum::<u128>() % ((1 << 61) - 1)
}

/// The leaves of each mode.
fn modes(l: &DynLayout, leaves: fn(&DynLayout) -> &[usize]) -> Value {
    (0..l.rank()).map(|i| json!(leaves(&l.mode(i)))).collect()
}

fn check_layout(id: &str, l: &SpyreLayout, expect: &Value) {
    let same = |key: &str, found: Value| {
        if !expect[key].is_null() {
            assert_eq!(found, expect[key], "{id}: {key} of {l}");
        }
    };
    same("canonical_size", json!(l.canonical_size()));
    same("elems_per_stick", json!(l.elements_per_stick()));
    same("device_rank", json!(l.device_size().len()));
    same("device_stride", json!(l.device_stride()));
    same("stick_host_dim", json!(l.stick_dimension().map_or(-1, |d| d as i64)));
    same("sparse", json!(l.is_sparse()));
    same("host_step", (0..l.device_size().len()).map(|p| json!(l.host_step(p))).collect());
    same("logical_elems", json!(l.elements()));
    same("device_elems", json!(l.slots()));
    same("padding_elems", json!(l.padding()));
    same("sticks", json!(l.sticks()));
    same("bytes", json!(l.bytes()));
    if l.canonical_size().is_empty() {
        assert_eq!(l.padded_layout(), DynLayout::UNIT, "{id}");
    } else {
        same("cute_shape", modes(&l.padded_layout(), DynLayout::extents));
        same("cute_stride", modes(&l.padded_layout(), DynLayout::strides));
    }
    for point in expect["host_to_device"].as_array().expect("points") {
        let host = numbers(&point["host"]);
        let device = l.device_coordinate(&host).unwrap();
        assert_eq!(json!(device.leaves()), point["device"], "{id}: {host:?} of {l}");
        for (key, offset) in [("offset", l.offset(&host)), ("host_offset", l.host_offset(&host))] {
            assert_eq!(json!(offset.unwrap()), point[key], "{id}: {key} of {host:?} of {l}");
        }
    }
    for point in expect["device_to_host"].as_array().expect("points") {
        let device = numbers(&point["device"]);
        let host = l.host_coordinate(&device).unwrap();
        let host = host.map(|host| host.leaves()[..l.size().len()].to_vec());
        assert_eq!(json!(host), point["host"], "{id}: {device:?} of {l}");
    }
    if l.slots() <= IMAGE {
        same("image_fnv", json!(image_fnv(l)));
        same("perm_hash", json!(perm_hash(l) as u64));
    }
}

/// Conversions there and back, and the same with the placement.
fn check_all_coordinates(l: &SpyreLayout) {
    let placement = l.placement();
    assert_eq!((placement.elements(), placement.slots()), (l.elements(), l.slots()), "{l}");
    assert_eq!(placement.is_injective(), Ok(true), "{l}");
    let mut found = 0;
    for offset in 0..l.slots() {
        let device = coordinate(offset, l.device_size());
        let host = l.host_coordinate(&device).unwrap();
        assert_eq!(host, placement.coordinate(Slot { core: 0, offset }).unwrap(), "{l}: {offset}");
        let Some(host) = host else { continue };
        let host = &host.leaves()[..l.size().len()];
        found += 1;
        assert_eq!(l.device_coordinate(host).unwrap().leaves(), device, "{l}: {host:?}");
        assert_eq!(l.offset(host), Ok(offset), "{l}: {host:?}");
        assert_eq!(placement.slot(host), Ok(Slot { core: 0, offset }), "{l}: {host:?}");
        // The dot product with the steps is the offset in host memory.
        let steps = device.iter().enumerate().map(|(p, x)| l.host_step(p).unwrap_or(0) * x);
        assert_eq!(l.host_offset(host), Ok(steps.sum()), "{l}: {host:?}");
    }
    assert_eq!(found, l.elements(), "{l}");
    assert_eq!(l.slots() - found, l.padding(), "{l}");
}

/// Rebuilding the layout from its steps gives the same layout, or an error if they are ambiguous.
fn check_steps(l: &SpyreLayout) {
    let steps: Vec<_> =
        (0..l.device_size().len()).map(|p| l.host_step(p).map_or(-1, |n| n as isize)).collect();
    let (size, stride, element) = (l.size(), l.stride(), l.element());
    match SpyreLayout::from_stride_map(size, stride, element, l.device_size(), &steps) {
        Ok(read) => {
            let again: Vec<_> =
                (0..steps.len()).map(|p| read.host_step(p).map_or(-1, |n| n as isize)).collect();
            assert_eq!(again, steps, "{l}");
            if l.elements() <= ALL_OF {
                for i in 0..l.elements() {
                    let at = coordinate(i, size);
                    assert_eq!(read.offset(&at), l.offset(&at), "{l} and {read}");
                }
            }
        }
        Err(error) => {
            assert_eq!(error.code(), "L0716", "{l}: {error}");
            say(&format!("several layouts have the steps {steps:?} of {l}"));
        }
    }
}

/// A record in the notation, as a user would write it.
fn notation(input: &Value) -> String {
    let optional = [
        ("stride", "host_stride"),
        ("device_size", "device_size"),
        ("dim_map", "dim_map"),
        ("order", "dim_order"),
    ];
    let mut text =
        format!("spyre {{ size: {}, dtype: {}", input["host_size"], text(&input["dtype"]));
    for (name, key) in optional {
        if !input[key].is_null() {
            text += &format!(", {name}: {}", input[key]);
        }
    }
    if input["sparse"] == true {
        text += ", sparse: true";
    }
    text + " }"
}

/// The text gives the same layout or error as the engine, and printing it is lossless.
fn check_text(input: &Value, expected: &Result<SpyreLayout, LayoutError>) {
    let notation = notation(input);
    match (SpyreLayout::parse(&notation), expected) {
        (Ok(l), expected) => {
            assert_eq!(Ok(l), *expected, "{notation}");
            assert_eq!(SpyreLayout::parse(&l.to_string()), Ok(l), "{notation}");
        }
        (Err(errors), expected) => {
            let found: Vec<_> = errors.problems().iter().map(|problem| problem.error).collect();
            assert_eq!(Err(found[0]), *expected, "{notation}");
            assert_eq!(found.len(), 1, "{notation}: {errors}");
        }
    }
}

#[test]
fn layouts_have_their_numbers() {
    let mut run = 0;
    for record in records("spyre.jsonl").iter().filter(|r| r["kind"] == "layout") {
        let (id, input, expect) = (text(&record["id"]), &record["in"], &record["expect"]);
        run += 1;
        let l = layout_of(input);
        check_text(input, &l);
        match l {
            Ok(l) => {
                assert_eq!(expect["ok"], true, "{id}: {l}");
                check_layout(&id, &l, expect);
                check_steps(&l);
                if l.slots() <= ALL_OF {
                    check_all_coordinates(&l);
                }
            }
            Err(error) => {
                let rule = text(&expect["error"]);
                let code = RULES.iter().find(|(name, _)| *name == rule).map(|(_, code)| *code);
                assert_eq!(Some(error.code()), code, "{id}: {error}");
            }
        }
    }
    assert!(run > 70, "the records are gone");
}

#[test]
fn default_layouts_have_their_numbers() {
    for record in records("spyre.jsonl").iter().filter(|r| r["kind"] == "default") {
        let (id, input, expect) = (text(&record["id"]), &record["in"], &record["expect"]);
        let order = (!input["dim_order"].is_null()).then(|| numbers(&input["dim_order"]));
        let make = if input["sparse"] == true { SpyreLayout::sparse } else { SpyreLayout::dense };
        let size = numbers(&input["host_size"]);
        let l = make(&size, element(input).unwrap(), order.as_deref());
        check_text(input, &l);
        let l = l.unwrap();
        assert_eq!(json!(l.device_size()), expect["device_size"], "{id}");
        assert_eq!(json!(l.dim_map()), expect["dim_map"], "{id}");
        assert_eq!(
            (json!(l.bytes()), json!(l.padding())),
            (expect["bytes"].clone(), expect["padding_elems"].clone()),
            "{id}"
        );
        if l.slots() <= ALL_OF {
            check_all_coordinates(&l);
        }
    }
}

const TYPES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/spyre_as_types.rs");

const TYPES_HEAD: &str = "\
//! The public vectors of Spyre layouts as types. Generated; do not edit.
//!
//! ```text
//! BLESS=1 cargo test --test spyre
//! ```
#![cfg_attr(rustfmt, rustfmt_skip)]

use static_layout::layout;
use static_layout::devices::AnyPlacement;
use static_layout::devices::spyre::SpyreLayout;
use static_layout::devices::spyre::StaticSpyre;

/// The type has the layout that its text has at run time, and its placement.
fn same<L: StaticSpyre + AnyPlacement + ToString>(value: L, text: &str) {
    let l = SpyreLayout::parse(text).unwrap();
    assert_eq!((L::CHECKED, value.to_string()), (Ok(l), l.to_string()));
    assert_eq!((L::STATIC, value.placement()), (Some(l.placement()), l.placement()));
    assert_eq!(size_of::<L>(), 0);
}
";

/// Writes `spyre_as_types.rs` if `BLESS` is set, and only compares without it.
#[test]
fn the_types_are_up_to_date() {
    let (mut file, mut count) = (String::from(TYPES_HEAD), 0);
    for kind in ["layout", "default"] {
        file += &format!("\n#[test]\nfn {kind}s() {{\n");
        for record in records("spyre.jsonl").iter().filter(|r| r["kind"] == kind) {
            if record["expect"]["ok"] == true {
                let text = notation(&record["in"]);
                file += &format!("    same(layout!({text}), \"{text}\");\n");
                count += 1;
            }
        }
        file += "}\n";
    }
    assert!(count > 70, "{count} cases");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(TYPES, &file).expect("the tests can be written");
    } else {
        assert!(include_str!("spyre_as_types.rs") == file, "BLESS=1 cargo test --test spyre");
    }
}

/// A layout passed on from another macro, as one expression and as tokens.
macro_rules! passed_on {
    ($layout:expr) => {
        layout!($layout)
    };
    (tokens $($layout:tt)*) => {
        layout!($($layout)*)
    };
}

#[test]
fn types_have_the_queries_as_constants() {
    type L = layout!(spyre {
        size: [100, 200, 500],
        dtype: f16,
        device_size: [256, 8, 128, 64],
        dim_map: [1, 2, 0, 2],
    });
    const BYTES: usize = L::BYTES;
    const OFFSET: Result<usize, LayoutError> = L::LAYOUT.offset(&[99, 199, 499]);
    const STATIC: Option<Placement> = <L as AnyPlacement>::STATIC;
    assert_eq!((BYTES, L::STICKS, L::SIZE), (33_554_432, 262_144, 10_000_000));
    assert_eq!((L::SLOTS, L::PADDING), (16_777_216, 6_777_216));
    assert_eq!(OFFSET, L::LAYOUT.offset(&[99, 199, 499]));
    assert_eq!(STATIC.unwrap().padding(), L::PADDING);
    let value: L = layout!(spyre {
        size: [100, 200, 500],
        dtype: fp16,
        device_size: [256, 8, 128, 64],
        stride_map: [500, 64, 100000, 1]
    });
    assert_eq!(value.to_dyn(), L::LAYOUT);
    // A layout has one type, however it is written.
    let value: layout!(spyre {
        size: [512, 256],
        dtype: f16,
        device_size: [256, 512, 64],
        dim_map: [1, 0, -1]
    }) = passed_on!(tokens spyre { size: [512, 256], dtype: f16, sparse: true });
    assert_eq!(
        value,
        passed_on!(spyre { size: [512, 256], dtype: f16, sparse: true, order: [0, 1] })
    );
    assert!(value.to_dyn().is_sparse());
    let value = layout!(spyre { size: [8, 4], stride: [1, 8], dtype: f32 });
    assert_eq!(value.to_dyn().stride(), &[1, 8]);
}

#[test]
fn sticks_hold_their_elements() {
    for record in records("spyre.jsonl").iter().filter(|r| r["kind"] == "stick") {
        let elements = elements_per_stick(element(&record["in"]).unwrap()).unwrap();
        assert_eq!(json!(elements), record["expect"]["elems_per_stick"], "{}", record["id"]);
    }
}

#[test]
fn conversions_arrange_elements() {
    for record in records("spyre.jsonl").iter().filter(|r| r["kind"] == "element_arrangement") {
        let (id, input, expect) = (text(&record["id"]), &record["in"], &record["expect"]);
        let (arrangement, stick) = match input["arrangement"].as_str() {
            Some("DL16_TO_FP32") => (ElementArrangement::Dl16ToF32, 32),
            _ => (ElementArrangement::F32ToDl16, 64),
        };
        let l = arrangement.layout(number(&input["cols"])).unwrap();
        assert_eq!(json!(l.extents()), expect["cute"]["shape"], "{id}");
        assert_eq!(json!(l.strides()), expect["cute"]["stride"], "{id}");
        for point in expect["points"].as_array().expect("points") {
            let offset = l.offset_of_index(number(&point["col"]));
            let place = (json!(offset / stick), json!(offset % stick));
            assert_eq!(place, (point["stick"].clone(), point["pos"].clone()), "{id}: {point}");
        }
    }
}
