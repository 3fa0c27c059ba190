//! The public vectors of Morello, Spyre and Tenstorrent through `layout show`, `locate` and `eval`.

use serde_json::Value;

mod common;
use common::{lines, text};

fn records(file: &str, kind: &str) -> Vec<Value> {
    let path = format!("{}/../tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let record = |line| serde_json::from_str(line).expect("one JSON object a line");
    let records = text.lines().map(record).filter(|record: &Value| record["kind"] == kind);
    records.collect()
}

/// The answers of one run of the command, one for each line of input.
fn answers(args: &[&str], input: &[String]) -> Vec<String> {
    let output = lines(args, (input.join("\n") + "\n").into_bytes());
    assert_eq!(text(&output.stderr), "");
    let answers: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
    assert_eq!(answers.len(), input.len(), "one line of answer for each");
    answers
}

fn join(list: &Value, between: &str) -> String {
    let items = list.as_array().expect("a list").iter().map(|item| match item {
        Value::Array(_) => format!("({})", join(item, ", ")),
        _ => item.to_string(),
    });
    items.collect::<Vec<_>>().join(between)
}

/// A layout with the expected output of `show` and `locate`.
struct ShownLayout {
    expression: String,
    /// Expected facts in the output of `show --json`.
    facts: Vec<(String, Value)>,
    /// Expressions for `locate`, each with its expected answer or some of its expected fields.
    places: Vec<(String, Value)>,
}

/// Checks all layouts in two runs of the command.
fn check(shown_layouts: &[ShownLayout], rejected: &[String]) {
    let expressions: Vec<_> =
        shown_layouts.iter().map(|layout| layout.expression.clone()).collect();
    for (shown_layout, answer) in shown_layouts.iter().zip(answers(&["show", "-"], &expressions)) {
        let shown: Value = serde_json::from_str(&answer)
            .unwrap_or_else(|_| panic!("{}: {answer}", shown_layout.expression));
        for (key, expected) in &shown_layout.facts {
            assert_eq!(&shown[key], expected, "{key} of {}", shown_layout.expression);
        }
    }
    let places: Vec<_> = shown_layouts.iter().flat_map(|layout| &layout.places).collect();
    let queries: Vec<_> = places.iter().map(|(query, _)| query.clone()).collect();
    for ((query, expected), answer) in places.iter().zip(answers(&["locate", "-"], &queries)) {
        let found: Value =
            serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{query}: {answer}"));
        match expected.as_object() {
            Some(object) => {
                for (key, value) in object {
                    assert_eq!(&found[key], value, "{key} of {query}");
                }
            }
            None => assert_eq!(&found, expected, "{query}"),
        }
    }
    for (expression, answer) in rejected.iter().zip(answers(&["show", "-"], rejected)) {
        assert!(answer.starts_with("error: "), "{expression}: {answer}");
    }
}

/// The facts of a record with these keys, if it has them.
fn facts(expect: &Value, keys: &[&str]) -> Vec<(String, Value)> {
    let named = keys.iter().filter(|key| expect.get(**key).is_some_and(|fact| !fact.is_null()));
    named.map(|key| ((*key).to_owned(), expect[*key].clone())).collect()
}

fn locate_query(expression: &str, sign: char, place: &str) -> String {
    format!("{expression} {sign} {place}")
}

/// An expression that locates an element, with the expected fields of the record.
fn element(expression: &str, logical: &Value, point: &Value, keys: &[&str]) -> (String, Value) {
    let place = format!("({})", join(logical, ", "));
    (locate_query(expression, '@', &place), facts(point, keys).into_iter().collect())
}

/// The list, or `"padding"` for null.
fn owner(logical: &Value) -> Value {
    if logical.is_null() { Value::from("padding") } else { logical.clone() }
}

fn spyre(input: &Value) -> String {
    let list = |key: &str| format!("[{}]", join(&input[key], ", "));
    let mut text = format!(
        "spyre {{ size: {}, dtype: {}",
        list("host_size"),
        input["dtype"].as_str().expect("a name")
    );
    for (key, field) in [
        ("host_stride", "stride"),
        ("device_size", "device_size"),
        ("dim_map", "dim_map"),
        ("dim_order", "order"),
    ] {
        if input[key].is_array() {
            text += &format!(", {field}: {}", list(key));
        }
    }
    if input["sparse"] == true {
        text += ", sparse: true";
    }
    text + " }"
}

#[test]
fn spyre_layouts() {
    let keys = [
        "canonical_size",
        "elems_per_stick",
        "device_rank",
        "device_size",
        "dim_map",
        "device_stride",
        "stick_host_dim",
        "sparse",
        "host_step",
        "logical_elems",
        "device_elems",
        "padding_elems",
        "sticks",
        "bytes",
        "cute_shape",
        "cute_stride",
    ];
    let (mut shown_layouts, mut rejected) = (Vec::new(), Vec::new());
    for record in [records("spyre.jsonl", "layout"), records("spyre.jsonl", "default")].concat() {
        let (expression, expect) = (spyre(&record["in"]), &record["expect"]);
        if expect["ok"] != true {
            rejected.push(expression);
            continue;
        }
        let points = |key: &str| expect[key].as_array().cloned().unwrap_or_default();
        let elements = points("host_to_device").into_iter().map(|point| {
            element(&expression, &point["host"], &point, &["device", "offset", "host_offset"])
        });
        let slots = points("device_to_host").into_iter().map(|point| {
            let place = point["offset"].to_string();
            (locate_query(&expression, '#', &place), owner(&point["host"]))
        });
        let places = elements.chain(slots).collect();
        shown_layouts.push(ShownLayout { places, facts: facts(expect, &keys), expression });
    }
    assert!(shown_layouts.len() >= 70 && rejected.len() >= 15, "the records have moved");
    check(&shown_layouts, &rejected);
}

/// A metal layout as MLIR text. `None` for a record whose error cannot be written as text.
fn metal(input: &Value) -> String {
    let map = if input["collapse"].is_array() {
        format!("collapse = [{}]", join(&input["collapse"], ", "))
    } else {
        let rows = input["linear"].as_array().expect("rows");
        let names: Vec<_> =
            (0..rows[0].as_array().expect("a row").len()).map(|d| format!("d{d}")).collect();
        let sum = |row: &Value| {
            let terms = row.as_array().expect("a row").iter().zip(&names);
            let terms = terms.filter(|(c, _)| **c != 0).map(|(c, d)| format!("{d} * {c}"));
            let sum = terms.collect::<Vec<_>>().join(" + ");
            if sum.is_empty() { "0".to_owned() } else { sum }
        };
        let sums: Vec<_> = rows.iter().map(sum).collect();
        format!("({}) -> ({})", names.join(", "), sums.join(", "))
    };
    let element = match (&input["tile"], &input["face"]) {
        (Value::Array(_), Value::Array(_)) => {
            let (tile, face) = (join(&input["tile"], "x"), join(&input["face"], "x"));
            format!("!tt.tile<{tile}, f32, face = {face}>")
        }
        (Value::Array(_), _) => format!("!tt.tile<{}, f32>", join(&input["tile"], "x")),
        _ => "f32".to_owned(),
    };
    let space = format!("#tt.memory_space<{}>", input["memory_space"].as_str().expect("a name"));
    let memory = match &input["memref"] {
        Value::Array(_) => {
            format!("memref<{}x{element}, {space}>", join(&input["memref"], "x"))
        }
        _ if element == "f32" => space,
        _ => format!("{element}, {space}"),
    };
    format!(
        "tensor<{}xf32, #tt.metal_layout<{map}, {}, <{}>, {memory}>>",
        join(&input["shape"], "x"),
        input["oob"].as_str().expect("a name"),
        join(&input["grid"], "x"),
    )
}

#[test]
fn metal_layouts() {
    let keys = [
        "linear",
        "linear_text",
        "physical",
        "shard",
        "memref",
        "padded_shard",
        "num_cores",
        "logical_elems",
        "storage_elems",
        "padding_elems",
        "empty_cores",
        "text",
    ];
    let (mut shown_layouts, mut rejected) = (Vec::new(), Vec::new());
    for record in records("tenstorrent.jsonl", "metal") {
        let (expression, expect) = (metal(&record["in"]), &record["expect"]);
        if expect["ok"] != true {
            rejected.push(expression);
            continue;
        }
        let points = |key: &str| expect[key].as_array().cloned().unwrap_or_default();
        let elements = points("points").into_iter().map(|point| {
            let keys = ["physical", "core", "local", "offset"];
            element(&expression, &point["logical"], &point, &keys)
        });
        let slots = points("inverse").into_iter().map(|point| {
            let place = format!("(({}), {})", join(&point["core"], ", "), point["offset"]);
            (locate_query(&expression, '#', &place), owner(&point["logical"]))
        });
        let places = elements.chain(slots).collect();
        let mut facts = facts(expect, &keys);
        if record["in"]["face"].is_array() {
            // The text of the records has no faces.
            facts.retain(|(key, _)| key != "text");
        }
        shown_layouts.push(ShownLayout { places, facts, expression });
    }
    assert!(shown_layouts.len() >= 55 && rejected.len() >= 13, "the records have moved");
    check(&shown_layouts, &rejected);
    // The record lists only some of the cores.
    for record in records("tenstorrent.jsonl", "metal") {
        if let Some(cores) = record["expect"]["cores"].as_array() {
            let shown = answers(&["show", "-"], &[metal(&record["in"])]);
            let shown: Value = serde_json::from_str(&shown[0]).expect("JSON");
            let all = shown["cores"].as_array().expect("a list");
            for core in cores {
                let core = core.as_object().expect("an object");
                let same = |shown: &&Value| core.iter().all(|(key, fact)| &shown[key] == fact);
                assert!(all.iter().any(|shown| same(&shown)), "{core:?} of {}", record["id"]);
            }
        }
    }
}

#[test]
fn reshards() {
    let (mut pairs, mut plans) = (Vec::new(), Vec::new());
    for record in records("tenstorrent.jsonl", "reshard") {
        let (input, expect) = (&record["in"], &record["expect"]);
        let tensor = |end: &Value| {
            format!(
                "tensor<{}xf32, #tt.metal_layout<collapse = [{}], undef, <{}>>>",
                join(&input["shape"], "x"),
                join(&end["collapse"], ", "),
                join(&end["grid"], "x"),
            )
        };
        pairs.push(format!("{} => {}", tensor(&input["from"]), tensor(&input["to"])));
        plans.push(expect.clone());
    }
    assert!(pairs.len() >= 2, "the records have moved");
    for ((pair, plan), answer) in pairs.iter().zip(plans).zip(answers(&["reshard", "-"], &pairs)) {
        let found: Value = serde_json::from_str(&answer).expect("JSON");
        for key in ["moved_elems", "core_pairs", "max_pair"] {
            assert_eq!(found[key], plan[key], "{key} of {pair}");
        }
        let number = |value: &Value| value.as_u64().expect("a number");
        let hash = found["transfers"].as_array().expect("a list").iter().map(|transfer| {
            let [source, destination, elems] =
                ["source", "destination", "elems"].map(|key| number(&transfer[key]));
            let volume = |region: &Value| -> u64 {
                let ranges = region.as_array().expect("ranges").iter();
                ranges.map(|range| number(&range[1]) - number(&range[0])).product()
            };
            let regions = transfer["regions"].as_array().expect("a list").iter();
            assert_eq!(regions.map(volume).sum::<u64>(), elems, "{transfer}");
            (source * 10_007 + destination + 1) * elems
        });
        assert_eq!(hash.sum::<u64>(), number(&plan["pair_hash"]), "{pair}");
    }
}

#[test]
fn morello_tiles() {
    let (mut expressions, mut expected_contiguity) = (Vec::new(), Vec::new());
    for record in records("morello.jsonl", "tile") {
        let list = record["layout"].as_str().expect("a text");
        if record["sound"].is_boolean() {
            let (shape, tile) = (join(&record["shape"], ","), join(&record["tile"], ","));
            expressions.push(format!("tile_dims({list}, ({shape}), ({tile}))"));
            expressions.push(format!("contiguous_dims({list}, ({shape}), ({tile}))"));
            expected_contiguity
                .push(record["truth_all_aligned_tiles_contiguous"].as_bool().expect("a truth"));
        }
    }
    assert!(expected_contiguity.len() >= 20, "the records have moved");
    let found = answers(&["eval", "-"], &expressions);
    for ((expression, answer), is_contiguous) in
        expressions.chunks(2).zip(found.chunks(2)).zip(expected_contiguity)
    {
        let [list, contiguous] = answer else { panic!("a pair") };
        let dims = if list == "[]" { 0 } else { list.split(", ").count() };
        assert_eq!(*contiguous == dims.to_string(), is_contiguous, "{expression:?}: {answer:?}");
    }
}

#[test]
fn morello_layouts() {
    let (mut expressions, mut expected, mut back, mut rejected) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for record in records("morello.jsonl", "table") {
        let list = record["layout"].as_str().expect("a text");
        expressions.push(format!("{list} for ({})", join(&record["shape"], ", ")));
        expected.push(record["cute_coalesced"].as_str().expect("a text").to_owned());
        back.push(list.to_owned());
    }
    for record in records("morello.jsonl", "invalid") {
        let list = record["layout"].as_str().expect("a text");
        // Adjacent entries of one dimension merge. One build of Morello rejects them.
        if record["rule"] != "adjacent-mergeable" && record["shape"].is_array() {
            rejected.push(format!("{list} for ({})", join(&record["shape"], ", ")));
        }
    }
    assert!(expressions.len() >= 70 && rejected.len() >= 10, "the records have moved");
    let shown = answers(&["eval", "-"], &expressions);
    for ((expression, expected), answer) in expressions.iter().zip(&expected).zip(&shown) {
        let same =
            answers(&["eval", "-"], &[format!("table({answer})"), format!("table({expected})")]);
        assert_eq!(same[0], same[1], "{expression}: {answer} and {expected}");
    }
    for (expression, answer) in rejected.iter().zip(answers(&["eval", "-"], &rejected)) {
        assert!(answer.starts_with("error: "), "{expression}: {answer}");
    }
    // Round trip: the text may differ, but the layout is the same.
    let morello = answers(&["convert", "--to", "morello", "-"], &shown);
    assert_eq!(answers(&["eval", "-"], &morello), shown);
}

/// All records of a file.
fn all_records(file: &str) -> Vec<Value> {
    let path = format!("{}/../tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    text.lines().map(|line| serde_json::from_str(line).expect("one JSON object a line")).collect()
}

#[test]
fn types_of_tt_mlir() {
    let records = all_records("tt_mlir.jsonl");
    let texts: Vec<String> =
        records.iter().map(|record| record["text"].as_str().expect("text").to_owned()).collect();
    let mut printed = Vec::new();
    for (record, answer) in records.iter().zip(answers(&["show", "--json", "-"], &texts)) {
        let shown: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(record["ok"], shown["errors"].is_null(), "{record}: {answer}");
        if record["ok"] == false {
            continue;
        }
        if record["memref"].is_array() {
            assert_eq!((&shown["memref"], &shown["grid"]), (&record["memref"], &record["grid"]));
        }
        printed.push(shown["text"].as_str().expect("text").to_owned());
    }
    assert_eq!(printed.len(), 607);
    assert_eq!(answers(&["eval", "-"], &printed), printed);
}

#[test]
fn spyre_by_the_rules_of_today() {
    let records = all_records("spyre_current.jsonl");
    let texts: Vec<String> = records
        .iter()
        .map(|record| record["text"].as_str().expect("text").replace(" }", ", current: true }"))
        .collect();
    let answers = answers(&["show", "--json", "-"], &texts);
    let mut right = 0;
    for (record, answer) in records.iter().zip(&answers) {
        let shown: Value =
            serde_json::from_str(answer).unwrap_or_else(|_| panic!("{record}: {answer}"));
        let facts = [("dev", "device_size"), ("sm", "stride_map"), ("dm", "dim_map")];
        let fits =
            |(name, fact): &(&str, &str)| record[name].is_null() || record[name] == shown[fact];
        right += usize::from(facts.iter().all(fits));
    }
    // Three have a default of an earlier version.
    assert_eq!((records.len(), right), (63, 60));
    let gap = "spyre { size: [60], dtype: f16, device_size: [1, 2, 64], stride_map: [64, 30, 1] }";
    let output = lines(&["locate", "-"], format!("{gap} @ (59)\n{gap} # 93\n{gap} # 94\n").into());
    let mut found = text(&output.stdout).lines();
    assert_eq!(found.next().map(|line| line.contains("\"device\":[0,1,29]")), Some(true));
    assert_eq!(found.collect::<Vec<_>>(), ["[59]", "\"padding\""]);
}
