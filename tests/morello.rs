//! Morello layouts against the records made with Morello itself (`morello.jsonl`): every record,
//! and every answer in it. Where Morello is wrong, or has several answers, the test says so.

use serde_json::Value;
use static_layout::engine::morello::{MorelloLayout, MorelloView};
use static_layout::engine::{IndexExpression, MAX_SIZE};
use static_layout::text::ParseError;
use static_layout::{DynLayout, LayoutError, StaticLayout};

mod common;
use common::{int_tuple, number, parsed, records, say, text};

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

/// The rules that a text breaks.
fn rules(error: &ParseError) -> impl Iterator<Item = &'static str> {
    error.problems().iter().filter_map(|problem| match problem.error {
        LayoutError::Morello(error) => Some(error.rule()),
        _ => None,
    })
}

fn code(error: &ParseError) -> &'static str {
    error.problems()[0].error.code()
}

fn records_of(kind: &str) -> Vec<Value> {
    records("morello.jsonl").into_iter().filter(|record| record["kind"] == kind).collect()
}

fn numbers(value: &Value) -> Vec<usize> {
    value.as_array().unwrap_or_else(|| panic!("{value}")).iter().map(number).collect()
}

fn list(value: &Value) -> MorelloLayout {
    MorelloLayout::parse(&text(value)).unwrap_or_else(|e| panic!("{value}: {e}"))
}

/// The view that a record is about.
fn view(record: &Value) -> MorelloView {
    MorelloView::new(&list(&record["layout"]), number(&record["contig_in"])).unwrap()
}

/// The list of a result, which may have parts of size 1, `oe(2)` and neighbours that could merge:
/// our one form for the same map.
fn canonical(result: &Value, shape: &[usize]) -> MorelloView {
    let view = MorelloView::new(&list(&result["layout"]), number(&result["contig"])).unwrap();
    view.canonical(shape).unwrap()
}

/// All coordinates of a shape, the last one fastest.
fn coordinates(shape: &[usize]) -> Vec<Vec<usize>> {
    shape.iter().fold(vec![vec![]], |all, &extent| {
        let each = |c: &Vec<usize>| -> Vec<Vec<usize>> {
            (0..extent).map(|x| c.iter().copied().chain([x]).collect()).collect()
        };
        all.iter().flat_map(each).collect()
    })
}

#[test]
fn tables() {
    let (mut run, mut as_morello) = (0, 0);
    for record in records_of("table") {
        let id = &record["id"];
        let l = parsed(&notation(&record));
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
        let (list, shape) = (list(&record["layout"]), numbers(&record["shape"]));
        let physical = list.physical_shape(&shape).unwrap();
        assert_eq!(physical.sizes(), numbers(&record["physical_shape"]), "{id}");
        assert_eq!(list.is_row_major(), record["row_major"], "{id}");
        assert_eq!(list.is_col_major(), record["col_major"], "{id}");
        let view = list.view();
        assert_eq!(view.contiguous(), number(&record["contig_full"]), "{id}");
        for (element, bytes) in [("f32", 4), ("u8", 1)] {
            let lines = view.estimate_cache_lines(&shape, bytes).unwrap();
            assert_eq!(lines, number(&record["cache_lines_64B"][element]), "{id}");
        }
        // Ours is one for each map; Morello's is one of several.
        let ours = view.canonical(&shape).unwrap();
        assert!(ours.is_fully_contiguous(), "{id}");
        assert_eq!(ours, canonical(&record["canonical"], &shape), "{id}");
        assert_eq!(ours.layout(), MorelloLayout::of(&l).unwrap(), "{id}");
        as_morello += usize::from(ours.to_string() == text(&record["canonical"]["layout"]));
        let offset = IndexExpression::of(&l);
        let offsets: Vec<_> = coordinates(&shape).iter().map(|c| offset.at(c).unwrap()).collect();
        assert_eq!(offsets, table(&l), "{id}: {offset}");
        run += 1;
    }
    say(&format!("morello.jsonl: {as_morello} of {run} canonical forms are written as Morello's"));
    assert_eq!(run, 70, "records of kind table");
}

#[test]
fn mistakes() {
    let records = records_of("invalid");
    for record in &records {
        let (id, rule, list) = (&record["id"], text(&record["rule"]), text(&record["layout"]));
        let alone = MorelloLayout::parse(&list);
        if rule == "syntax" {
            let error = alone.unwrap_err();
            assert!(code(&error).starts_with("L01"), "{id}: {error}");
            continue;
        }
        if rule == "adjacent-mergeable" {
            // Refused by debug builds of Morello; here the same as the merged list.
            let merged = text(&record["release_merges_to"]);
            let merged = format!("{merged} for {}", int_tuple(&record["shape"]));
            assert_eq!(parsed(&notation(record)), parsed(&merged), "{id}");
            continue;
        }
        let error = DynLayout::parse(&notation(record)).unwrap_err();
        let broken: Vec<_> = rules(&error).collect();
        assert!(broken.contains(&rule.as_str()), "{id}: {rule}, {error}");
        // What is wrong whatever the shape is refused before there is one.
        if record["stage"] == "new" {
            assert_eq!(rules(&alone.unwrap_err()).next(), Some(rule.as_str()), "{id}");
        }
    }
    assert_eq!(records.len(), 38, "records of kind invalid");
}

#[test]
fn tiles() {
    let (mut run, mut differ) = (0, 0);
    for record in records_of("tile") {
        let (id, shape, tile) =
            (&record["id"], numbers(&record["shape"]), numbers(&record["tile"]));
        run += 1;
        let ours = view(&record).tile(&shape, &tile);
        if record["error"].is_object() {
            let rule = match ours.unwrap_err() {
                LayoutError::Morello(error) => error.rule(),
                error => panic!("{id}: {error}"),
            };
            assert_eq!(rule, text(&record["error"]["rule"]), "{id}");
            continue;
        }
        let (ours, morello) = (ours.unwrap(), &record["result"]);
        // The truth is about the whole layout.
        let all = view(&record).layout().view().tile(&shape, &tile).unwrap();
        let truth = &record["truth_all_aligned_tiles_contiguous"];
        assert_eq!(all.is_fully_contiguous(), *truth, "{id}: {all}");
        let theirs = canonical(morello, &tile);
        if ours == theirs {
            let lines = ours.estimate_cache_lines(&tile, 4).unwrap();
            assert_eq!(lines, number(&morello["cache_lines_f32"]), "{id}");
            continue;
        }
        // Where it has another number, it is because Morello's is not the truth.
        differ += 1;
        assert_ne!(morello["fully_contiguous"], *truth, "{id}: {ours}, Morello {theirs}");
    }
    say(&format!("morello.jsonl: {differ} of {run} tiles differ, where Morello is wrong"));
    assert_eq!(run, 31, "records of kind tile");
}

#[test]
fn transforms() {
    let mut run = 0;
    for record in records_of("transform") {
        let (id, shape, view) = (&record["id"], numbers(&record["shape"]), view(&record));
        let result = &record["result"];
        let args = record["args"].as_array().map_or_else(Vec::new, |_| numbers(&record["args"]));
        let (ours, shape) = match text(&record["op"]).as_str() {
            "canonicalize" => (view.canonical(&shape), shape),
            "dim_drop" => {
                let kept = (0..shape.len()).filter(|dimension| !args.contains(dimension));
                (view.drop_dims(&args), kept.map(|dimension| shape[dimension]).collect())
            }
            "swap_dims" => {
                let mut swapped = shape.clone();
                swapped.swap(args[0], args[1]);
                (Ok(view.swap_dims(args[0], args[1])), swapped)
            }
            op => panic!("{id}: there is no {op}"),
        };
        run += 1;
        if record["error"].is_null() {
            let ours = ours.unwrap();
            assert_eq!(ours.is_fully_contiguous(), result["fully_contiguous"], "{id}");
            if shape.is_empty() {
                assert_eq!(ours.layout(), list(&result["layout"]), "{id}");
            } else {
                assert_eq!(ours.canonical(&shape).unwrap(), canonical(result, &shape), "{id}");
            }
        } else if let Ok(ours) = ours {
            // Where Morello panics there may be a list: of the same map, if it is for the shape.
            assert!(ours.canonical(&shape).is_ok(), "{id}: {ours}");
        }
    }
    assert_eq!(run, 8, "records of kind transform");
}

#[test]
fn names() {
    let records = records_of("named");
    for record in &records {
        let (shape, expected) = (numbers(&record["shape"]), text(&record["layout"]));
        let named = match text(&record["ctor"]).as_str() {
            "row_major" => MorelloLayout::row_major(shape.len()),
            "col_major" => MorelloLayout::col_major(shape.len()),
            "batched_col_major" => MorelloLayout::batched_col_major(shape.len()),
            "nhwc" => Ok(MorelloLayout::NHWC),
            name => panic!("there is no {name}"),
        };
        let list = named.and_then(|list| list.without_units(&shape)).unwrap();
        assert_eq!((list.to_string(), list.view().to_string()), (expected.clone(), expected));
    }
    assert_eq!(records.len(), 5, "records of kind named");
}

#[test]
fn spellings() {
    for record in records_of("syntax_ok") {
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
    assert_eq!(rows.for_shape(&[MAX_SIZE / 2 + 1, 4]).unwrap_err().code(), "L0206");
    assert_eq!(rows.for_shape(&[]).unwrap_err().code(), "L0201");
    assert_eq!(rows.for_shape(&[16]).unwrap_err().code(), "L0409");
    Ok(())
}

#[test]
fn operations_of_layout() {
    type Images = static_layout::layout!(nhwc((2, 8, 3, 2)));
    type Packed = static_layout::layout!(nchwc((2, 8, 3, 2), 4));
    assert_eq!(Images::LAYOUT, parsed("[0, 2, 3, 1] for (2, 8, 3, 2)"));
    assert_eq!(Packed::LAYOUT, parsed("[0, 1, 2, 3, 1 p(4)] for (2, 8, 3, 2)"));
    let swapped = static_layout::layout!(swap_dims([1, 0, 1 p(4)], 0, 1));
    assert_eq!(swapped.to_string(), "[0, 1, 0 p(4)]");
}
