//! Every worked example of the documents that this library implements (`seed_examples.jsonl`).
//!
//! A record describes a layout and facts about it. Each supported fact is checked; the test prints
//! what it skips and why.

use serde_json::Value;
use static_layout::engine::morello::MorelloLayout;
use static_layout::engine::{IndexExpression, IndexTerm};
use static_layout::{Algebra, DynLayout, IntTuple, LayoutError};
use std::collections::BTreeMap;

mod common;
use common::{int_tuple, layout, number, offsets, parsed, records, say, text, tiler};

/// The layout of a record; `None` if this crate lacks the operation.
fn subject(input: &Value) -> Option<Result<DynLayout, LayoutError>> {
    let l = &input["layout"];
    Some(match input["op"].as_str() {
        None | Some("layout") if l.is_string() => Ok(layout(l)),
        Some("coalesce") => Ok(layout(l).coalesce()),
        Some("get") => Ok(layout(l).mode(number(&input["mode0"]))),
        Some("complement") => layout(l).complement(&number(&input["cotarget"])),
        Some("make_layout") if input["shape"].is_string() => {
            DynLayout::make(&int_tuple(&input["shape"]))
        }
        Some("make_layout") => {
            let modes: Vec<_> = input["layouts"].as_array().unwrap().iter().map(layout).collect();
            DynLayout::tuple(&modes)
        }
        Some("logical_product") => layout(&input["a"]).logical_product(&layout(&input["b"])),
        Some("blocked_product") => layout(&input["a"]).blocked_product(&layout(&input["b"])),
        Some("raked_product") => layout(&input["a"]).raked_product(&layout(&input["b"])),
        Some("logical_divide") => layout(l).logical_divide_by(&tiler(&input["tiler"])),
        Some("zipped_divide") => layout(l).zipped_divide_by(&tiler(&input["tiler"])),
        Some("modes") if input["dialect"].is_null() => Ok(layout(l)),
        _ if input["morello"].is_string() => {
            let shape = int_tuple(&input["shape"]);
            Ok(parsed(&format!("{} for {shape}", text(&input["morello"]))))
        }
        _ => return None,
    })
}

/// The inputs of a record with facts about several layouts.
fn several(input: &Value) -> Option<Vec<Value>> {
    let name = ["morello", "layouts"].into_iter().find(|name| input[name].is_array())?;
    let one = |text: &Value| {
        let mut input = input.clone();
        input[name.trim_end_matches('s')] = text.clone();
        input
    };
    input["op"].is_null().then(|| input[name].as_array().unwrap().iter().map(one).collect())
}

/// The rows of a rank-2 layout, or of any rank with the last mode fastest.
fn rows(l: &DynLayout) -> Value {
    let (m, n) = (l.mode(0), l.mode(1));
    let row = |i: usize| -> Vec<usize> {
        (0..n.size()).map(|j| m.offset_of_index(i) + n.offset_of_index(j)).collect()
    };
    (0..m.size()).map(row).collect::<Vec<_>>().into()
}

fn last_mode_fastest(l: &DynLayout) -> Vec<usize> {
    let mut table = vec![0];
    for k in 0..l.rank() {
        let mode = l.mode(k);
        let steps = |base: usize| {
            let mode = &mode;
            (0..mode.size()).map(move |i| base + mode.offset_of_index(i))
        };
        table = table.iter().flat_map(|&base| steps(base).collect::<Vec<_>>()).collect();
    }
    table
}

/// The terms of a sum in sorted order.
fn sorted_terms(sum: &str) -> Vec<&str> {
    let mut terms: Vec<_> = sum.split(" + ").collect();
    terms.sort_unstable();
    terms
}

/// Whether a fact holds; `None` if this crate does not support facts of that name.
fn holds(l: &DynLayout, input: &Value, fact: &str, expected: &Value) -> Option<bool> {
    let at = |c: &Value| l.offset_of(&int_tuple(c)).unwrap();
    Some(match fact {
        // MoYe does not merge modes of a dynamic layout. The function is the same.
        "layout" if input["static"] == Value::Bool(false) => {
            offsets(l) == offsets(&layout(expected))
        }
        "layout" | "cute" => *l == layout(expected),
        "same_function_as" => offsets(l) == offsets(&layout(expected)),
        "shape" => l.shape() == int_tuple(expected),
        "stride" => l.stride() == int_tuple(expected),
        "size" => l.size() == number(expected),
        "cosize" => l.cosize() == number(expected),
        "rank" => l.rank() == number(expected),
        "depth" => l.depth() == number(expected),
        "injective" => Value::Bool(l.is_injective().unwrap()) == *expected,
        "table" => rows(l) == *expected,
        "table_flat_last_dim_fastest" => Value::from(last_mode_fastest(l)) == *expected,
        "physical_shape" => {
            let list = MorelloLayout::parse(&text(&input["morello"])).unwrap();
            let shape = int_tuple(&input["shape"]);
            let sizes = list.physical_shape(shape.leaves()).unwrap();
            Value::from(sizes.sizes()) == *expected
        }
        // The text of the example contradicts its derivation. Correct is the offset of the layout.
        "seed_formula_is_wrong_at" => {
            let points = expected.as_array().unwrap().iter();
            points.into_iter().all(|point| {
                let right = at(&point["coord"]);
                right == number(&point["right"]) && right != number(&point["seed"])
            })
        }
        "offset0" => at(&input["coord0"]) == number(expected),
        "offsets0" => {
            let coordinates = input["coords0"].as_array().unwrap();
            // One coordinate each, or three of different kinds for one offset.
            coordinates.iter().zip(expected.as_array().unwrap()).all(|(c, offset)| {
                let kinds = c.as_array().filter(|c| c.len() == 3 && l.rank() == 2);
                let same = |c: &Value| at(c) == number(offset);
                kinds.map_or_else(|| same(c), |kinds| kinds.iter().all(same))
            })
        }
        "offsets0_colex" => Value::from(offsets(l)) == *expected,
        "print1D" => {
            let words: Vec<String> = offsets(l).iter().map(usize::to_string).collect();
            words.join(" ") == text(expected)
        }
        "layouts" => {
            let modes: Vec<_> = (0..l.rank()).map(|i| l.mode(i).to_string()).collect();
            Value::from(modes) == *expected
        }
        "formula" => {
            sorted_terms(&IndexExpression::of(l).to_string()) == sorted_terms(&text(expected))
        }
        "terms" => {
            let expression = IndexExpression::of(l);
            let term = |term: &IndexTerm| {
                (term.dimension, term.coefficient, term.divisor, term.to_string())
            };
            let all = expected.as_array().unwrap();
            let expected = |term: &Value| {
                let [dim, alpha, v] = ["dim", "alpha", "v"].map(|name| number(&term[name]));
                // With its coefficient in front, as in the record.
                (dim, alpha, v, text(&term["expr"]))
            };
            // The record orders terms from fastest to slowest.
            let terms = all.iter().map(expected);
            expression.terms().iter().rev().map(term).eq(terms)
        }
        "string" if input["format"].is_string() => {
            let table = rows(l);
            let line = |row: &Value| -> String {
                let cell = |x: &Value| format!("{:>3} ", number(x));
                row.as_array().unwrap().iter().map(cell).collect::<String>() + "\n"
            };
            table.as_array().unwrap().iter().map(line).collect::<String>() == text(expected)
        }
        _ => return None,
    })
}

/// Facts about an `IntTuple`: `rank`, `size<1>`, `get<1,0>`.
fn int_tuple_fact(t: &IntTuple, fact: &str, expected: &Value) -> Option<bool> {
    let (name, path) = fact.split_once('<').unwrap_or((fact, ">"));
    let path = path.trim_end_matches('>').split(',').filter(|i| !i.is_empty());
    let part = path.fold(*t, |t, i| t.mode(i.parse().unwrap()));
    Some(match name {
        "rank" => part.rank() == number(expected),
        "depth" => part.depth() == number(expected),
        "size" => part.product() == Ok(number(expected)),
        "get" | "int_tuple" => part == int_tuple(expected),
        _ => return None,
    })
}

#[test]
fn every_fact_of_the_seeds() {
    let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
    let (mut facts, mut wrong) = (0, Vec::new());
    for record in records("seed_examples.jsonl") {
        let (input, expect) = (&record["input"], record["expect"].as_object().unwrap());
        if let Some(several) = several(input) {
            for (i, input) in several.iter().enumerate() {
                let l = subject(input).unwrap().unwrap();
                for (fact, expected) in expect {
                    // A list has one entry per layout; other values hold for all layouts.
                    let expected = expected.as_array().map_or(expected, |each| &each[i]);
                    match holds(&l, input, fact, expected) {
                        Some(true) => facts += 1,
                        _ => wrong.push(format!("{fact} of {l} in {record}")),
                    }
                }
            }
            continue;
        }
        if input["morello_ctor"] == "row_major" {
            facts += 1;
            let list = MorelloLayout::row_major(number(&input["rank"])).unwrap();
            assert_eq!(list.to_string(), text(&expect["morello"]), "{record}");
            continue;
        }
        if let Some(error) = expect.get("error") {
            facts += 1;
            let text = format!("{} for {}", text(&input["morello"]), int_tuple(&input["shape"]));
            if DynLayout::parse(&text).is_ok() {
                wrong.push(format!("{text} must be refused: {error}"));
            }
            continue;
        }
        let tuple = input["int_tuple"].is_string().then(|| {
            let get = input["get"].as_array().cloned().unwrap_or_default();
            get.iter().fold(int_tuple(&input["int_tuple"]), |t, i| t.mode(number(i)))
        });
        let subject = subject(input).map(|l| l.unwrap_or_else(|e| panic!("{record}: {e}")));
        for (fact, expected) in expect {
            let holds = match (&tuple, &subject) {
                (Some(t), _) => int_tuple_fact(t, fact, expected),
                (None, Some(l)) => holds(l, input, fact, expected),
                (None, None) => None,
            };
            match holds {
                Some(true) => facts += 1,
                Some(false) => wrong.push(format!("{fact} of {record}")),
                None => {
                    let op = input["op"].as_str().unwrap_or("");
                    let dialect = input["dialect"].as_str().unwrap_or("");
                    *left_out.entry(format!("{op} {fact} {dialect}").trim().into()).or_default() +=
                        1;
                }
            }
        }
    }
    say(&format!("seed_examples.jsonl: {facts} facts hold; left out: {left_out:?}"));
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(facts > 80, "the records have moved: {facts} facts");
}

/// `zipped_divide(raked, tiles) = logical_product`: the duality in the second document.
#[test]
fn a_divide_undoes_a_product() {
    let (tile, copies) = (parsed("(2,2):(1,2)"), parsed("(3,4):(4,1)"));
    let raked = parsed("((3,2),(4,2)):((16,1),(4,2))");
    let tiler = tiler(&serde_json::json!(["2:3", "2:4"]));
    assert_eq!(raked.zipped_divide_by(&tiler), tile.logical_product(&copies));
}
