//! Random expressions through the parser and the engine: nothing panics, what is printed parses
//! back, and no result is wrong by naive evaluation.
//!
//! It always makes the same expressions, so that it fails for a change and not for the time of day.
//! To look for more, set how many there are and where they start:
//!
//! ```text
//! FUZZ_SEED=$RANDOM FUZZ_CASES=1000000 cargo test --release -p layout-core --test fuzz
//! ```

use std::fmt::Write as _;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use layout_core::text::{Kind, OPERATIONS, Value};

mod generate;
mod laws;
mod model;

use generate::{Call, Random, call, mutated};

/// What went wrong with an expression, or whether its result was checked.
fn problem(expression: &str, call: Option<&Call>) -> Result<bool, String> {
    let value = match Value::parse(expression) {
        Ok(value) => value,
        Err(error) => {
            for problem in error.problems() {
                if expression.get(problem.span.clone()).is_none() {
                    return Err(format!("an error outside of the text: {problem:?}"));
                }
            }
            return Ok(false);
        }
    };
    let printed = value.to_string();
    match Value::parse(&printed) {
        Ok(again) if again == value => {}
        Ok(again) => return Err(format!("{printed} reads as {again}")),
        Err(error) => return Err(format!("{printed} is printed, and has an error: {error}")),
    }
    let Some(call) = call else { return Ok(false) };
    // Arguments as they are printed, and as what the operation takes them for.
    let as_printed = |(arg, kind): (&String, &Kind)| match (Value::parse(arg), kind) {
        (Ok(value), Kind::Tiler | Kind::Inner) => {
            value.tiler().map_or(value.to_string(), |tiler| tiler.to_string())
        }
        // A matrix has the values of the layout that it is, but not its nesting.
        (Ok(value @ Value::Linear(_)), _) if call.operation.name == "depth" => value.to_string(),
        (Ok(value), kind) if kind.is_layout() => {
            let layout = value.layout().map_or(value.to_string(), |layout| layout.to_string());
            // A layout of one element prints no directions, so it does not say that its value is a tuple.
            match value {
                Value::Linear(linear) if linear.outputs().len() > 1 && !layout.contains('@') => {
                    linear.to_string()
                }
                _ => layout,
            }
        }
        (Ok(value), _) => value.to_string(),
        (Err(_), _) => arg.clone(),
    };
    let args: Vec<_> = call.args.iter().zip(call.operation.params).map(as_printed).collect();
    match laws::check(call.operation.name, &args, &printed) {
        Some(false) => Err(format!("{printed} is wrong, for the arguments {args:?}")),
        verdict => Ok(verdict.is_some()),
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name}={text}")))
}

#[test]
fn random_expressions() {
    let seed = number("FUZZ_SEED").unwrap_or(1);
    let cases = number("FUZZ_CASES").unwrap_or(500);
    let mut random = Random(seed);
    let mut checked = 0;
    for case in 0..cases {
        let call = call(&mut random, 2);
        let text = call.text();
        let mutation = mutated(&mut random, &text);
        for (expression, call) in [(&text, Some(&call)), (&mutation, None)] {
            let outcome = catch_unwind(AssertUnwindSafe(|| problem(expression, call)));
            let outcome = outcome.unwrap_or_else(|_| Err("it panicked".to_owned()));
            match outcome {
                Ok(was_checked) => checked += u64::from(was_checked),
                Err(why) => panic!("{expression:?}: {why}\nFUZZ_SEED={seed}, case {case}"),
            }
        }
    }
    let mut said = String::new();
    let _ = write!(said, "fuzz: {cases} expressions, {checked} results checked, FUZZ_SEED={seed}");
    writeln!(std::io::stderr(), "{said}").expect("stderr is open");
    assert!(checked * 8 > cases, "too few expressions have results: {said}");
}

/// A matrix of bits has a value in each of its dimensions, also if it has a single element.
#[test]
fn a_matrix_of_one_element_has_tuples() {
    let operation = OPERATIONS.iter().find(|operation| operation.name == "image").unwrap();
    for arg in ["inverse((1,1):(3,5))", "inverse((2,1):(1,5))", "1:0"] {
        let call = Call { operation, args: vec![arg.to_owned()] };
        problem(&call.text(), Some(&call)).unwrap();
    }
}

/// A matrix of bits has flat dimensions, where the layout that it is has nested modes.
#[test]
fn a_matrix_is_not_nested() {
    let operation = OPERATIONS.iter().find(|operation| operation.name == "depth").unwrap();
    let depth = |arg: &str| {
        let call = Call { operation, args: vec![arg.to_owned()] };
        problem(&call.text(), Some(&call))
    };
    for arg in ["linear(((2,2),2):((2,1),4))", "((2,2),2):((2,1),4)", "linear(4:1)", "4:1"] {
        assert_eq!(depth(arg), Ok(true), "{arg}");
    }
}

/// The laws see wrong answers: those of other implementations, and some near misses.
#[test]
fn wrong_answers_are_found() {
    for (name, args, wrong) in [
        ("composition", &["(4,6,8):(2,3,5)", "6:3"][..], "(2,3):(6,3)"),
        ("composition", &["(6,2):(1,7)", "(3,2):(2,3)"], "(3,2):(2,3)"),
        ("composition", &["(1,(2,4)):(0,(-1,512))", "2:-1"], "2:-513"),
        ("composition", &["(12,(4,8)):(59,(13,1))", "<3:4,8:2>"], "(3,(2,4)):(236,(26,2))"),
        ("coalesce", &["(2,(1,6)):(1,(6,2))"], "12:2"),
        ("complement", &["(2,4):(1,6)", "24"], "3:1"),
        ("logical_divide", &["(3,4):(4,1)", "2:1"], "(2,(2,4)):(4,(4,1))"),
        ("logical_product", &["(2,2):(1,2)", "3:1"], "((2,2),3):((1,2),2)"),
        ("left_inverse", &["(2,6):(4,1)"], "(4,2):(2,1)"),
        ("right_inverse", &["(4,8):(8,1)"], "(8,4):(1,8)"),
        ("upcast", &["(3,2):(2,3)", "6"], "(1,1):(1,1)"),
        ("downcast", &["(12,10):(4,48)", "8"], "(12,10):(32,384)"),
        ("is_injective", &["(2,2):(2,3)"], "false"),
        ("depth", &["#ttg.linear<{register = [[2], [1]], lane = [[4]]}>"], "2"),
        ("gaps", &["(2,2):(1,3)"], "[]"),
        ("crd2idx", &["(1,(1,2))", "(3,(2,3))"], "15"),
        ("swizzle_apply", &["Sw<2,0,3>", "26"], "26"),
    ] {
        let args: Vec<_> = args.iter().map(|arg| (*arg).to_owned()).collect();
        assert_eq!(laws::check(name, &args, wrong), Some(false), "{name} of {args:?} is {wrong}");
    }
}
