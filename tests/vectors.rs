//! Checked answers of public implementations (`tests/vectors/*.jsonl`), through the engine.
//!
//! A record is run when this crate has its operation; the test prints what it left out and why.

use serde_json::Value;
use static_layout::{DynLayout, LayoutError};
use std::collections::BTreeMap;

mod common;
use common::{int_tuple, layout, number, offsets, parsed, records, text, tiler};

/// What the engine answers to a record, as text; `None` for an operation it does not have.
fn answer(op: &str, args: &[Value]) -> Option<Result<String, LayoutError>> {
    let shown = |l: Result<DynLayout, LayoutError>| l.map(|l| l.to_string());
    Some(match (op, args) {
        ("make", [t]) => shown(DynLayout::make(&int_tuple(t))),
        ("row_major", [t]) => shown(DynLayout::row_major(&int_tuple(t))),
        ("size", [l]) => Ok(layout(l).size().to_string()),
        ("cosize", [l]) => Ok(layout(l).cosize().to_string()),
        ("rank", [l]) => Ok(layout(l).rank().to_string()),
        ("depth", [l]) => Ok(layout(l).depth().to_string()),
        ("flatten", [l]) => shown(Ok(layout(l).flatten())),
        ("coalesce", [l]) => shown(Ok(layout(l).coalesce())),
        ("coalesce", [l, profile]) => shown(layout(l).coalesce_by(&int_tuple(profile))),
        ("composition", [l, t]) => shown(layout(l).composition_by(&tiler(t))),
        ("complement", [l]) => shown(layout(l).complement_in_cosize()),
        ("complement", [l, n @ Value::Number(_)]) => shown(layout(l).complement(number(n))),
        ("complement", [l, shape]) => shown(layout(l).complement_shape(&int_tuple(shape))),
        ("logical_divide", [l, t]) => shown(layout(l).logical_divide_by(&tiler(t))),
        ("zipped_divide", [l, t]) => shown(layout(l).zipped_divide_by(&tiler(t))),
        ("logical_product", [l, t]) => shown(layout(l).logical_product_by(&tiler(t))),
        ("right_inverse", [l]) => shown(Ok(layout(l).right_inverse())),
        ("eval", [l, c]) if !text(c).contains('_') => {
            layout(l).offset_of(&int_tuple(c)).map(|offset| offset.to_string())
        }
        ("idx2crd", [i @ Value::Number(_), shape]) => {
            int_tuple(shape).idx2crd(number(i)).map(|c| c.to_string())
        }
        ("table", [l]) if !text(l).contains(" o ") => Ok(format!("{:?}", offsets(&layout(l)))),
        _ => return None,
    })
}

/// No coordinate can observe the stride of a leaf of extent 1: compare layouts with it set to 0.
fn observable(text: &str) -> String {
    match DynLayout::parse(text) {
        Ok(l) if text.contains(':') => {
            let strides: Vec<usize> = l
                .extents()
                .iter()
                .zip(l.strides())
                .map(|(&extent, &stride)| if extent == 1 { 0 } else { stride })
                .collect();
            format!("{} {strides:?}", l.shape())
        }
        _ => text.replace(' ', ""),
    }
}

fn has_negative_stride(record: &Value) -> bool {
    record["args"].to_string().contains('-')
}

#[test]
fn cute() {
    let mut skipped: BTreeMap<String, usize> = BTreeMap::new();
    let (mut run, mut wrong) = (0, Vec::new());
    for record in records("cute.jsonl") {
        let (op, args) = (record["op"].as_str().unwrap(), record["args"].as_array().unwrap());
        let negative = has_negative_stride(&record);
        let Some(ours) = (if negative { None } else { answer(op, args) }) else {
            let why = if negative { "negative stride".to_owned() } else { op.to_owned() };
            *skipped.entry(why).or_default() += 1;
            continue;
        };
        run += 1;
        let ok = match (&record["error"], &ours) {
            (Value::Null, Ok(ours)) => observable(ours) == observable(&text(&record["result"])),
            // A layout exists although CuTe refuses it: ours must be that function.
            (Value::String(e), Ok(ours)) if e == "cute_rejects" => {
                offsets(&parsed(ours)) == offsets(&layout(&record["math"]))
            }
            (Value::String(_), Err(_)) => true,
            _ => false,
        };
        if !ok {
            wrong.push(format!("{record}\n  ours: {ours:?}"));
        }
    }
    println!("cute.jsonl: {run} records run; left out: {skipped:?}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(run > 450, "the records have moved");
}

#[test]
fn cute_quirks_give_the_truth_or_an_error() {
    let (mut run, mut refused, mut wrong) = (0, 0, Vec::new());
    for record in records("cute_quirks.jsonl") {
        let (op, args) = (record["op"].as_str().unwrap(), record["args"].as_array().unwrap());
        if has_negative_stride(&record) {
            continue;
        }
        let Some(ours) = answer(op, args) else { continue };
        run += 1;
        let truth = text(&record["truth"]);
        let ok = match &ours {
            Err(_) => true,
            // Where there is no truth, no answer is right.
            Ok(ours) => truth.contains(':') && offsets(&parsed(ours)) == offsets(&parsed(&truth)),
        };
        refused += usize::from(ours.is_err());
        if !ok {
            wrong.push(format!("{record}\n  ours: {ours:?}"));
        }
    }
    println!("cute_quirks.jsonl: {run} records run, {refused} refused");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
