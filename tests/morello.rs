//! Morello layouts against the records made with Morello itself (`morello.jsonl`): offsets, CuTe
//! forms, and which rule a mistake breaks.
//!
//! Kinds of records about tiling, contiguity and canonical forms of Morello lists are left out: a
//! layout answers these with `coalesce`.

use std::collections::BTreeMap;

use serde_json::Value;
use static_layout::engine::MorelloLayout;
use static_layout::text::ParseError;
use static_layout::{DynLayout, LayoutError};

mod common;
use common::{int_tuple, number, parsed, records, text};

/// The offsets in order of the coordinates with the last dimension fastest.
fn table(l: &DynLayout) -> Vec<usize> {
    (0..l.rank()).map(|k| l.mode(k)).fold(vec![0], |offsets, mode| {
        let steps: Vec<usize> = (0..mode.size()).map(|i| mode.offset_of_index(i)).collect();
        offsets.iter().flat_map(|base| steps.iter().map(move |step| base + step)).collect()
    })
}

/// FNV-1a over the offsets as little-endian `u32`s.
fn fingerprint(table: &[usize]) -> String {
    let bytes = table.iter().flat_map(|&offset| (offset as u32).to_le_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    format!("{hash:016x}")
}

fn notation(record: &Value) -> String {
    format!("{} for {}", text(&record["layout"]), int_tuple(&record["shape"]))
}

fn code(error: &ParseError) -> &'static str {
    error.problems()[0].error.code()
}

#[test]
fn tables() {
    let mut run = 0;
    for record in records("morello.jsonl").iter().filter(|record| record["kind"] == "table") {
        let id = &record["id"];
        let l = parsed(&notation(record));
        assert_eq!(l.to_string(), text(&record["cute_coalesced"]), "{id}");
        let (size, cosize) = (number(&record["size"]), number(&record["cosize"]));
        assert_eq!((l.size(), l.cosize(), l.is_injective().unwrap()), (size, cosize, true), "{id}");
        // The form that is not coalesced is the same function.
        assert_eq!(table(&parsed(&text(&record["cute"]))), table(&l), "{id}");
        if record["table"].is_array() {
            assert_eq!(Value::from(table(&l)), record["table"], "{id}");
        } else {
            assert_eq!(fingerprint(&table(&l)), text(&record["fnv1a64_le32"]), "{id}");
        }
        run += 1;
    }
    assert_eq!(run, 70, "records of kind table");
}

#[test]
fn mistakes() {
    let rules: BTreeMap<_, _> = BTreeMap::from([
        ("missing-dim", "L0401"),
        ("uncovered", "L0402"),
        ("not-divisible", "L0403"),
        ("oddeven-partial", "L0404"),
        ("second-partial", "L0405"),
        ("two-dynamics", "L0406"),
        ("dynamic-inside-packed", "L0407"),
        ("dynamic-inside-oddeven", "L0408"),
        ("logical-dim-out-of-rank", "L0409"),
        ("packed-size-1", "L0410"),
        ("odd-oddeven", "L0411"),
        ("zero-size", "L0412"),
        ("adjacent-oddeven-oddeven", "L0413"),
    ]);
    let mut run = 0;
    for record in records("morello.jsonl").iter().filter(|record| record["kind"] == "invalid") {
        let (id, rule, list) = (&record["id"], text(&record["rule"]), text(&record["layout"]));
        run += 1;
        if rule == "syntax" {
            let error = MorelloLayout::parse(&list).unwrap_err();
            assert!(code(&error).starts_with("L01"), "{id}: {error}");
            continue;
        }
        if rule == "adjacent-mergeable" {
            // Refused by debug builds of Morello; here the same as the merged list.
            let merged = format!(
                "{} for {}",
                text(&record["release_merges_to"]),
                int_tuple(&record["shape"])
            );
            assert_eq!(parsed(&notation(record)), parsed(&merged), "{id}");
            continue;
        }
        let error = DynLayout::parse(&notation(record)).unwrap_err();
        let codes: Vec<_> = error.problems().iter().map(|problem| problem.error.code()).collect();
        assert!(codes.contains(&rules[rule.as_str()]), "{id}: {rule}, {error}");
        // What is wrong whatever the shape is refused before there is one.
        let alone = MorelloLayout::parse(&list);
        if record["stage"] == "new" {
            assert_eq!(code(&alone.unwrap_err()), rules[rule.as_str()], "{id}");
        }
    }
    assert_eq!(run, 38, "records of kind invalid");
}

#[test]
fn spellings() {
    for record in records("morello.jsonl").iter().filter(|record| record["kind"] == "syntax_ok") {
        let (id, list) = (&record["id"], MorelloLayout::parse(&text(&record["layout"])));
        if record["accident_of_macro_rules"] == true {
            assert!(list.is_err(), "{id}");
        } else {
            assert_eq!(list.unwrap().to_string(), text(&record["parses_to"]), "{id}");
        }
    }
}

#[test]
fn extents_at_the_edge() -> Result<(), LayoutError> {
    let list = MorelloLayout::parse("[0, 1, 0 p(4), 1 p(2), 0 p(4)]").unwrap();
    for (extent, valid) in [
        (1, false),
        (2, false),
        (3, false),
        (4, true),
        (8, true),
        (12, true),
        (16, true),
        (24, false),
        (32, true),
    ] {
        assert_eq!(list.for_shape(&[extent, 4]).is_ok(), valid, "{extent}");
    }
    let pack = MorelloLayout::parse("[0 p(4)]").unwrap();
    for extent in 1..=4 {
        assert_eq!(
            pack.for_shape(&[extent])?,
            DynLayout::make(&int_tuple(&format!("({extent})").into()))?
        );
    }
    // An empty domain, and sizes that do not fit.
    let rows = MorelloLayout::parse("[0, 1, 0 p(16)]").unwrap();
    assert_eq!((rows.for_shape(&[0, 64])?.size(), rows.for_shape(&[16, 0])?.cosize()), (0, 0));
    assert!(pack.for_shape(&[0]).is_err());
    assert_eq!(rows.for_shape(&[1 << 40, 1 << 40]).unwrap_err().code(), "L0206");
    assert_eq!(rows.for_shape(&[]).unwrap_err().code(), "L0201");
    assert_eq!(rows.for_shape(&[16]).unwrap_err().code(), "L0409");
    Ok(())
}
