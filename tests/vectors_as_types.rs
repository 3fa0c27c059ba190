//! Writes `vectors_as_types_cases.rs`: the verified answers of public implementations
//! (`tests/vectors/*.jsonl`) as equalities between types.
//!
//! Without `BLESS` it only checks that the checked-in file is up to date:
//!
//! ```text
//! BLESS=1 cargo test --test vectors_as_types
//! ```
//!
//! The operands are named types, so the compiler computes the operation, not the macro. The right
//! side is the engine's answer, which `tests/vectors.rs` checks against the records.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::Value;
use static_layout::text::{self, Operation};

mod common;
use common::{records, say, text};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/vectors_as_types_cases.rs");

const HEAD: &str = "\
//! The public vectors as equalities between types. Generated; do not edit.
//!
//! ```text
//! BLESS=1 cargo test --test vectors_as_types
//! ```
#![cfg_attr(rustfmt, rustfmt_skip)]

use static_layout::typenum::{Unsigned, assert_type_eq};
use static_layout::{StaticLayout, layout};

fn refused<L: StaticLayout>(why: &str) {
    match L::CHECKED {
        Ok(layout) => panic!(\"expected no layout but got {layout}: {why}\"),
        Err(error) => assert_eq!(error.to_string(), why),
    }
}
";

/// The notation of an argument. A list is a tiler.
fn notation(argument: &Value) -> String {
    match argument {
        Value::Array(modes) => {
            format!("<{}>", modes.iter().map(notation).collect::<Vec<_>>().join(", "))
        }
        _ => text(argument),
    }
}

/// Static layouts have no negative strides and no swizzle.
fn is_static(argument: &str) -> bool {
    !argument.contains('-') && !argument.contains("Sw")
}

/// The case of a record; `None` if the operation or an operand has no static form.
fn case(record: &Value) -> Option<String> {
    let (op, args) = (record["op"].as_str()?, record["args"].as_array()?);
    let args: Vec<String> = args.iter().map(notation).collect();
    let alias = Operation::find(op)?.alias(args.len());
    if alias.is_empty() || !args.iter().all(|arg| is_static(arg)) {
        return None;
    }
    let (mut types, mut operands) = (String::new(), Vec::new());
    for (name, arg) in ["A", "B", "C"].iter().zip(&args) {
        if arg.contains(':') || arg.starts_with('<') {
            write!(types, "type {name} = layout!({arg}); ").unwrap();
            operands.push(*name);
        } else {
            operands.push(arg);
        }
    }
    let call = operands.join(", ");
    let check = match text::eval(&format!("{op}({})", args.join(", "))) {
        Ok(text::Value::Layout(answer)) => {
            format!("assert_type_eq!(layout!({op}({call})), layout!({answer}));")
        }
        Ok(text::Value::Integer(answer)) => {
            format!("assert_eq!(<static_layout::ops::{alias}<{call}>>::USIZE, {answer});")
        }
        // A shape is not a layout, so `layout!` cannot express it.
        Ok(_) => return None,
        Err(error) => {
            format!("refused::<layout!({op}({call}))>(\"{}\");", error.problems()[0].error)
        }
    };
    Some(format!("    {{ {types}{check} }}\n"))
}

#[test]
fn the_cases_are_up_to_date() {
    let (mut cases, mut left_out) = (BTreeMap::<String, Vec<String>>::new(), BTreeSet::new());
    for file in ["cute.jsonl", "cute_quirks.jsonl"] {
        for record in records(file) {
            let op = record["op"].as_str().expect("a record names its operation");
            match case(&record) {
                Some(case) => {
                    let cases = cases.entry(op.to_owned()).or_default();
                    // The quirks have one record per faulty implementation.
                    if !cases.contains(&case) {
                        cases.push(case);
                    }
                }
                None => drop(left_out.insert(op.to_owned())),
            }
        }
    }
    let mut file = String::from(HEAD);
    for (op, cases) in &cases {
        write!(file, "\n#[test]\nfn {op}() {{\n{}}}\n", cases.concat()).unwrap();
    }
    let count: usize = cases.values().map(Vec::len).sum();
    say(&format!(
        "the public vectors as types: {count} cases; all or some records are left out, being of \
         values or of strides that no type has: {}",
        Vec::from_iter(left_out).join(", ")
    ));
    assert!(count >= 400, "{count} cases");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(PATH, &file).expect("the tests can be written");
    }
    let checked_in = std::fs::read_to_string(PATH).unwrap_or_default();
    assert!(checked_in == file, "BLESS=1 cargo test --test vectors_as_types");
}
