//! The public vectors (`tests/vectors/cute*.jsonl`) as expressions, through the command.

use layout_core::engine::CoordinateLayout;
use serde_json::Value;

mod common;
use common::{eval_lines, text};

fn records(file: &str) -> Vec<Value> {
    let path = format!("{}/../tests/vectors/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    text.lines().map(|line| serde_json::from_str(line).expect("one JSON object a line")).collect()
}

/// An argument as notation: a list is a tiler.
fn notation(arg: &Value) -> String {
    match arg {
        Value::Array(parts) => {
            format!("<{}>", parts.iter().map(notation).collect::<Vec<_>>().join(", "))
        }
        Value::String(text) => text.clone(),
        _ => arg.to_string(),
    }
}

fn expression(record: &Value) -> String {
    let op = record["op"].as_str().expect("a name");
    let args = record["args"].as_array().expect("a list");
    format!("{op}({})", args.iter().map(notation).collect::<Vec<_>>().join(", "))
}

/// The records, each with its expression and its output line, from one run of the command.
fn answers(file: &str) -> Vec<(Value, String, String)> {
    let records = records(file);
    let expressions: Vec<String> = records.iter().map(expression).collect();
    let output = eval_lines((expressions.join("\n") + "\n").into_bytes());
    assert_eq!(text(&output.stderr), "");
    let answers: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
    assert_eq!(answers.len(), records.len(), "one line of answer for each");
    let expressions = records.into_iter().zip(expressions);
    expressions.zip(answers).map(|((record, e), answer)| (record, e, answer)).collect()
}

fn is_error(answer: &str) -> bool {
    answer.starts_with("error: ")
}

/// A result as the command prints it.
fn expected(result: &Value) -> String {
    match result {
        Value::Object(o) => format!("{} @ {}", notation(&o["layout"]), o["offset"]),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(Value::to_string).collect::<Vec<_>>().join(", "))
        }
        _ => notation(result),
    }
}

/// No coordinate can observe the stride of a leaf of extent 1: compare layouts with it set to 0.
fn observable(text: &str) -> String {
    let (layout, offset) = text.split_once(" @ ").unwrap_or((text, ""));
    match CoordinateLayout::parse(layout) {
        Ok(l) if layout.contains(':') => {
            let extents = l.shape();
            let strides = extents.leaves().iter().enumerate();
            let strides: Vec<_> =
                strides.filter(|&(_, &extent)| extent > 1).map(|(i, _)| l.stride_at(i)).collect();
            format!("{} {strides:?} {offset}", l.shape())
        }
        _ => text.to_owned(),
    }
}

fn parsed(text: &str) -> CoordinateLayout {
    CoordinateLayout::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn table(text: &str) -> Vec<isize> {
    parsed(text).table().map(|c| c.as_integer().expect("an offset")).collect()
}

#[test]
fn cute() {
    let (mut right, mut wrong) = (0, Vec::new());
    for (record, expression, answer) in answers("cute.jsonl") {
        let ok = match &record["error"] {
            Value::Null => observable(&answer) == observable(&expected(&record["result"])),
            // CuTe rejects it although the layout exists: ours is that function, or an error.
            Value::String(e) if e == "cute_rejects" && !is_error(&answer) => {
                table(&answer) == table(&notation(&record["math"]))
            }
            _ => is_error(&answer),
        };
        if ok {
            right += 1;
        } else {
            wrong.push(format!("{record}\n  {expression}\n  {answer}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(right >= 657, "the records have moved");
}

/// Whether the output for a record of the quirks is correct.
fn is_true(record: &Value, answer: &str) -> bool {
    match &record["truth"] {
        // Any left inverse is valid: it maps each offset to a coordinate with this offset.
        Value::Null if record["op"] == "left_inverse" => {
            let (l, inverse) = (parsed(&notation(&record["args"][0])), parsed(answer));
            let at = |l: &CoordinateLayout, i| {
                l.coordinate_at_index(i).expect("it fits").as_integer().expect("an integer")
            };
            table(&notation(&record["args"][0])).into_iter().all(|o| at(&l, at(&inverse, o)) == o)
        }
        Value::String(truth) if truth.contains(':') => table(answer) == table(truth),
        // A coordinate.
        Value::Array(_) => {
            let truth = record["truth"].to_string().replace('[', "(").replace(']', ")");
            answer == truth
        }
        Value::Bool(truth) => answer == truth.to_string(),
        // Without a correct value, the output must be an error.
        _ => false,
    }
}

#[test]
fn quirks_give_the_truth_or_an_error() {
    let (mut run, mut refused, mut wrong) = (0, 0, Vec::new());
    for (record, expression, answer) in answers("cute_quirks.jsonl") {
        run += 1;
        refused += usize::from(is_error(&answer));
        if !is_error(&answer) && !is_true(&record, &answer) {
            wrong.push(format!("{record}\n  {expression}\n  {answer}"));
        }
    }
    println!("cute_quirks.jsonl: {run} records, {refused} refused");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(run >= 140 && refused < 90, "{refused} of {run} refused");
}
