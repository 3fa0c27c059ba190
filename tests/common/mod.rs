//! Reads `tests/vectors/*.jsonl`. Shared by the tests that use them.
#![allow(dead_code, reason = "each test uses a part of this")]

use std::io::Write as _;

use serde_json::Value;
use static_layout::engine::{ComposedLayout, Slicer, Swizzle};
use static_layout::{DynLayout, IntTuple, Tiler};

/// The records of a file with one JSON object per line.
pub(crate) fn records(file: &str) -> Vec<Value> {
    // As constants, so that tests need no files at run time.
    let text = match file {
        "cute.jsonl" => include_str!("../vectors/cute.jsonl"),
        "cute_ir.jsonl" => include_str!("../vectors/cute_ir.jsonl"),
        "cute_quirks.jsonl" => include_str!("../vectors/cute_quirks.jsonl"),
        "morello.jsonl" => include_str!("../vectors/morello.jsonl"),
        "seed_examples.jsonl" => include_str!("../vectors/seed_examples.jsonl"),
        "spyre.jsonl" => include_str!("../vectors/spyre.jsonl"),
        "spyre_current.jsonl" => include_str!("../vectors/spyre_current.jsonl"),
        "tt_mlir.jsonl" => include_str!("../vectors/tt_mlir.jsonl"),
        "tenstorrent.jsonl" => include_str!("../vectors/tenstorrent.jsonl"),
        _ => panic!("there is no {file}"),
    };
    text.lines().map(|line| serde_json::from_str(line).expect("one JSON object a line")).collect()
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A number, a text `(1,(0,1))`, or a list `[1, [0, 1]]`.
pub(crate) fn int_tuple(value: &Value) -> IntTuple {
    match value {
        Value::Array(parts) => {
            let parts: Vec<IntTuple> = parts.iter().map(int_tuple).collect();
            IntTuple::tuple(&parts).expect("a list has parts")
        }
        _ => IntTuple::parse(&text(value)).unwrap_or_else(|e| panic!("{value}: {e}")),
    }
}

pub(crate) fn parsed(text: &str) -> DynLayout {
    DynLayout::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

pub(crate) fn layout(value: &Value) -> DynLayout {
    parsed(&text(value))
}

pub(crate) fn number(value: &Value) -> usize {
    let number = value.as_u64().unwrap_or_else(|| panic!("{value} is not a number"));
    number.try_into().unwrap_or_else(|_| panic!("{number} does not fit in a `usize`"))
}

/// A JSON list is a by-mode tiler; a number `n` in it is the layout `n:1`.
pub(crate) fn tiler(value: &Value) -> Tiler {
    match value {
        Value::Array(modes) => {
            Tiler::modes(&modes.iter().map(tiler).collect::<Vec<_>>()).expect("a tiler has modes")
        }
        Value::Number(_) => Tiler::layout(&DynLayout::leaf(number(value), 1)),
        Value::String(s) if s == "_" => Tiler::keep(),
        Value::String(s) if !s.contains(':') => shape_tiler(&int_tuple(value)),
        _ => Tiler::layout(&layout(value)),
    }
}

/// A shape used as a tiler is applied by mode, as in CuTe.
fn shape_tiler(shape: &IntTuple) -> Tiler {
    if shape.is_int() {
        return Tiler::layout(&DynLayout::leaf(shape.leaves()[0], 1));
    }
    let modes: Vec<Tiler> = (0..shape.rank()).map(|i| shape_tiler(&shape.mode(i))).collect();
    Tiler::modes(&modes).expect("a shape has modes")
}

/// A coordinate. `_` keeps a mode.
pub(crate) fn slicer(value: &Value) -> Slicer {
    Slicer::parse(&text(value)).unwrap_or_else(|e| panic!("{value}: {e}"))
}

/// `Sw<B,M,S>`
pub(crate) fn swizzle(text: &str) -> Swizzle {
    let numbers: Vec<i32> = text
        .trim_start_matches("Sw<")
        .trim_end_matches('>')
        .split(',')
        .map(|n| n.parse().expect("a number"))
        .collect();
    Swizzle::new(numbers[0] as u32, numbers[1] as u32, numbers[2]).expect("a swizzle")
}

/// `Sw<B,M,S> o offset o layout`, or a layout
pub(crate) fn composed(text: &str) -> ComposedLayout {
    match *text.split(" o ").collect::<Vec<_>>() {
        [sw, offset, l] => {
            let offset = offset.parse().expect("a number");
            ComposedLayout::new(&swizzle(sw), offset, &parsed(l)).expect("it fits")
        }
        _ => parsed(text).into(),
    }
}

/// The offsets of all 1-D coordinates.
pub(crate) fn offsets(l: &DynLayout) -> Vec<usize> {
    (0..l.size()).map(|i| l.offset_of_index(i)).collect()
}

/// Prints what a test skips. The test harness captures `println!`.
pub(crate) fn say(text: &str) {
    std::io::stderr().write_all(format!("{text}\n").as_bytes()).expect("stderr is open");
}
