//! Verified answers of public implementations (`tests/vectors/*.jsonl`), compared with the engine.
//!
//! Every record runs.

use serde_json::Value;
use static_layout::engine::{CoordinateLayout, algebra};
use static_layout::{Algebra, DynLayout, LayoutError};

mod common;
use common::{composed, int_tuple, layout, number, records, say, slicer, swizzle, text, tiler};

type Answer = Result<String, LayoutError>;

fn shown(l: Result<DynLayout, LayoutError>) -> Answer {
    l.map(|l| l.to_string())
}

fn at_offset(l: Result<(DynLayout, usize), LayoutError>) -> Answer {
    l.map(|(l, offset)| format!("{l} @ {offset}"))
}

/// The engine's answer to a record, as text.
fn answer(op: &str, args: &[Value]) -> Answer {
    let (lay, tup, num) =
        (|i: usize| layout(&args[i]), |i: usize| int_tuple(&args[i]), |i: usize| number(&args[i]));
    let by = |i: usize| tiler(&args[i]);
    match (op, args.len()) {
        ("make", 1) => shown(DynLayout::make(&tup(0))),
        ("row_major", 1) => shown(DynLayout::row_major(&tup(0))),
        ("make_ordered", 2) => shown(DynLayout::make_ordered(&tup(0), &tup(1))),
        ("size", 1) => Ok(lay(0).size().to_string()),
        ("cosize", 1) => Ok(lay(0).cosize().to_string()),
        ("rank", 1) => Ok(lay(0).rank().to_string()),
        ("depth", 1) => Ok(lay(0).depth().to_string()),
        ("flatten", 1) => shown(Ok(lay(0).flatten())),
        ("coalesce", 1) => shown(Ok(lay(0).coalesce())),
        ("coalesce", 2) => shown(lay(0).coalesce_by(&tup(1))),
        ("filter", 1) => shown(Ok(lay(0).filter())),
        ("filter_zeros", 1) => shown(Ok(lay(0).filter_zeros())),
        ("composition", 2) => shown(lay(0).composition_by(&by(1))),
        ("complement", 1) => shown(lay(0).complement_in_cosize()),
        ("complement", 2) if args[1].is_number() => shown(lay(0).complement(&num(1))),
        ("complement", 2) => shown(lay(0).complement_shape(&tup(1))),
        ("logical_divide", 2) => shown(lay(0).logical_divide_by(&by(1))),
        ("zipped_divide", 2) => shown(lay(0).zipped_divide_by(&by(1))),
        ("tiled_divide", 2) => shown(lay(0).tiled_divide_by(&by(1))),
        ("flat_divide", 2) => shown(lay(0).flat_divide_by(&by(1))),
        ("logical_product", 2) => shown(lay(0).logical_product_by(&by(1))),
        ("zipped_product", 2) => shown(lay(0).zipped_product_by(&by(1))),
        ("tiled_product", 2) => shown(lay(0).tiled_product_by(&by(1))),
        ("flat_product", 2) => shown(lay(0).flat_product_by(&by(1))),
        ("blocked_product", 2) => shown(lay(0).blocked_product(&lay(1))),
        ("raked_product", 2) => shown(lay(0).raked_product(&lay(1))),
        ("tile_to_shape", 2) => shown(lay(0).tile_to_shape(&tup(1))),
        ("tile_to_shape", 3) => shown(lay(0).tile_to_shape_ordered(&tup(1), &tup(2))),
        ("right_inverse", 1) => shown(Ok(lay(0).right_inverse())),
        ("left_inverse", 1) => shown(lay(0).left_inverse()),
        ("max_common_vector", 2) => Ok(algebra::max_common_vector(&lay(0), &lay(1)).to_string()),
        ("max_common_layout", 2) => shown(lay(0).max_common_layout(&lay(1))),
        ("nullspace", 1) => shown(Ok(lay(0).nullspace())),
        ("domain_distribute", 2) => shown(DynLayout::domain_distribute(&tup(0), num(1))),
        ("upcast", 2) => shown(lay(0).upcast(num(1))),
        ("downcast", 2) => shown(lay(0).downcast(num(1))),
        ("recast", 3) => shown(lay(0).recast(num(1), num(2))),
        ("group", 3) => shown(lay(0).group(num(1), num(2))),
        ("take", 3) => shown(lay(0).take(num(1), num(2))),
        ("select", 2) => shown(lay(0).select(&tup(1))),
        ("append", 2) => shown(lay(0).append(&lay(1))),
        ("prepend", 2) => shown(lay(0).prepend(&lay(1))),
        ("replace", 3) => shown(lay(0).replace(num(1), &lay(2))),
        ("eval", 2) => composed(&text(&args[0])).offset_of(&tup(1)).map(|o| o.to_string()),
        ("table", 1) => Ok(format!("{:?}", composed(&text(&args[0])).table().collect::<Vec<_>>())),
        ("crd2idx", 2) => tup(1).crd2idx(&tup(0)).map(|i| i.to_string()),
        ("idx2crd", 2) => tup(1).natural_coordinate(&tup(0)).map(|c| c.to_string()),
        ("crd2crd", 3) => tup(1).crd2crd(&tup(0), &tup(2)).map(|c| c.to_string()),
        ("slice", 2) => shown(algebra::slice(&lay(0), &slicer(&args[1]))),
        ("dice", 2) => shown(algebra::dice(&lay(0), &slicer(&args[1]))),
        ("slice_and_offset", 2) => at_offset(lay(0).slice_and_offset(&slicer(&args[1]))),
        ("local_tile", 3) => at_offset(algebra::local_tile(&lay(0), &by(1), &slicer(&args[2]))),
        ("local_partition", 3) => at_offset(algebra::local_partition(&lay(0), &lay(1), num(2))),
        ("compatible", 2) => Ok(tup(0).compatible(&tup(1)).to_string()),
        ("congruent", 2) => Ok(tup(0).congruent(&tup(1)).to_string()),
        ("weakly_congruent", 2) => Ok(tup(0).weakly_congruent(&tup(1)).to_string()),
        ("shape_div", 2) => tup(0).shape_div(&tup(1)).map(|t| t.to_string()),
        ("swizzle_apply", 2) => Ok(swizzle(&text(&args[0])).apply(num(1)).to_string()),
        ("swizzle_compose", 2) => Ok(swizzle(&text(&args[0])).composition(&lay(1)).to_string()),
        _ => panic!("there is no {op} of {args:?}"),
    }
}

/// The engine's answer to a record with negative strides.
fn signed_answer(op: &str, args: &[Value]) -> Answer {
    let lay = |i: usize| {
        let text = text(&args[i]);
        CoordinateLayout::parse(&text).unwrap_or_else(|e| panic!("{text}: {e}"))
    };
    match op {
        "composition" => lay(0).composition(&lay(1)).map(|l| l.to_string()),
        "right_inverse" => lay(0).right_inverse().map(|l| l.to_string()),
        "left_inverse" => lay(0).left_inverse().map(|l| l.to_string()),
        _ => panic!("there is no {op} of {args:?}"),
    }
}

/// A result in the format of [`answer`].
fn expected(result: &Value) -> String {
    match result {
        Value::Object(o) => format!("{} @ {}", text(&o["layout"]), o["offset"]),
        Value::Array(_) => format!("{:?}", serde_json::from_value::<Vec<usize>>(result.clone())),
        _ => text(result),
    }
    .replace("Ok(", "")
    .replace("])", "]")
}

/// The stride of a leaf of extent 1 is unobservable: set it to 0 before comparing layouts.
fn observable(text: &str) -> String {
    let (text, offset) = text.split_once(" @ ").unwrap_or((text, ""));
    match CoordinateLayout::parse(text) {
        Ok(l) if text.contains(':') => {
            let extents = l.shape();
            let strides = extents.leaves().iter().enumerate();
            let strides: Vec<_> =
                strides.filter(|&(_, &extent)| extent > 1).map(|(i, _)| l.stride_at(i)).collect();
            format!("{} {strides:?} {offset}", l.shape())
        }
        _ => text.to_owned(),
    }
}

fn has_negative_stride(op: &str, args: &[Value]) -> bool {
    !op.starts_with("swizzle") && args.iter().any(|arg| text(arg).contains('-'))
}

fn answer_to(record: &Value) -> Answer {
    let (op, args) = (record["op"].as_str().unwrap(), record["args"].as_array().unwrap());
    if has_negative_stride(op, args) { signed_answer(op, args) } else { answer(op, args) }
}

fn signed(text: &str) -> CoordinateLayout {
    CoordinateLayout::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn values(text: &str) -> Vec<String> {
    signed(text).table().map(|value| value.to_string()).collect()
}

#[test]
fn cute() {
    let (mut run, mut wrong) = (0, Vec::new());
    for record in records("cute.jsonl") {
        let ours = answer_to(&record);
        run += 1;
        let ok = match (&record["error"], &ours) {
            (Value::Null, Ok(ours)) => observable(ours) == observable(&expected(&record["result"])),
            // CuTe refuses a layout that exists. Ours must be the mathematical function.
            (Value::String(e), Ok(ours)) if e == "cute_rejects" => {
                values(ours) == values(&text(&record["math"]))
            }
            (Value::String(_), Err(_)) => true,
            _ => false,
        };
        if !ok {
            wrong.push(format!("{record}\n  ours: {ours:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(run >= 657, "the records have moved");
}

/// Whether an answer to a record of the quirks is correct.
fn is_true(op: &str, args: &[Value], ours: &str, truth: &Value) -> bool {
    match truth {
        // Any left inverse is correct: it finds a coordinate for every offset.
        Value::Null if op == "left_inverse" => {
            let (l, r) = (signed(&text(&args[0])), signed(ours));
            let at = |l: &CoordinateLayout, index| {
                l.coordinate_at_index(index).unwrap().as_integer().unwrap()
            };
            l.table().all(|o| at(&l, at(&r, o.as_integer().unwrap())) == o.as_integer().unwrap())
        }
        Value::String(truth) if truth.contains(':') => values(ours) == values(truth),
        Value::Array(_) => ours == int_tuple(truth).to_string(),
        Value::Bool(truth) => ours == truth.to_string(),
        // If there is no true answer, every answer is wrong.
        _ => false,
    }
}

#[test]
fn cute_quirks_give_the_truth_or_an_error() {
    let (mut run, mut refused, mut wrong) = (0, 0, Vec::new());
    for record in records("cute_quirks.jsonl") {
        let (op, args) = (record["op"].as_str().unwrap(), record["args"].as_array().unwrap());
        let ours = answer_to(&record);
        run += 1;
        refused += usize::from(ours.is_err());
        if ours.as_ref().is_ok_and(|ours| !is_true(op, args, ours, &record["truth"])) {
            wrong.push(format!("{record}\n  ours: {ours:?}"));
        }
    }
    say(&format!("cute_quirks.jsonl: {run} records run, {refused} refused"));
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(run >= 144, "the records have moved");
}
