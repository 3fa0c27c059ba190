//! Derivations of random expressions: every step holds, and the last one is the engine's result.

use std::collections::BTreeSet;

use layout_core::text::{OPERATIONS, eval};
use layout_view::derive::{Check, Derivation, Part};

// Random calls of every operation, the same as in the tests of the parser and the engine.
#[path = "../../layout-core/tests/fuzz/generate.rs"]
#[allow(dead_code)]
mod generate;

#[track_caller]
fn check_derivation(text: &str) -> Derivation {
    let derivation = Derivation::of(text);
    for part in &derivation.parts {
        let name = part.application.operation.name;
        let last = part.steps.last().unwrap_or_else(|| panic!("{text}: {name} has no steps"));
        match &part.application.result {
            Ok(value) => assert_eq!(last.value.as_ref(), Some(value), "{text}: {part}"),
            Err(_) => assert_eq!(last.value, None, "{text}: {part}"),
        }
        for step in &part.steps {
            let broken = step.check.as_ref().filter(|check| !check.holds());
            assert_eq!(broken, None, "{text}: {part}");
            assert!(step.sentence.ends_with(['.', ':', ')', '`']), "{text}: {}", step.sentence);
        }
    }
    let expected = eval(text).map(|value| value.to_string());
    let found = derivation.value.as_ref().map(ToString::to_string);
    assert_eq!(found.map_err(ToString::to_string), expected.map_err(|e| e.to_string()), "{text}");
    derivation
}

/// Operations that are valid for only a few of the random arguments.
const SELDOM: [&str; 14] = [
    "idx2crd(5, (3,(2,3)))",
    "crd2crd((1,2), (2,3), (3,2))",
    "cache_lines([0,1], (8,8), 4)",
    "cache_lines([0,1], (64,64), 4, (8,8))",
    "contiguous_dims([0,1], (8,8), (8,4))",
    "canonical([0,1], (8,8))",
    "nchwc((2,16,8,8), 4)",
    "nhwc((2,3,4,5))",
    "tile_dims([0,1], (8,8), (8,4))",
    "drop_dims([0,1], 1)",
    "swap_dims([0,1], 0, 1)",
    "local_partition((8,12):(12,1), (2,4):(4,1), 6)",
    "shape_div((4,8), 2)",
    "swizzle_compose(Sw<1,1,3>, Sw<1,0,3>)",
];

#[test]
fn random_expressions_of_every_operation() {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let cases = number("FUZZ_CASES").unwrap_or(2000);
    let mut random = generate::Random(number("FUZZ_SEED").unwrap_or(20));
    let mut seen = BTreeSet::new();
    let (mut steps, mut checks) = (0, 0);
    let mut look = |text: &str| {
        for part in check_derivation(text).parts {
            let has_value = part.application.result.is_ok();
            seen.extend(has_value.then_some(part.application.operation.name));
            steps += part.steps.len();
            checks += part.steps.iter().filter(|step| step.check.is_some()).count();
        }
    };
    SELDOM.iter().for_each(|text| look(text));
    for _ in 0..cases {
        look(&generate::call(&mut random, 2).text());
    }
    let missing: Vec<_> =
        OPERATIONS.iter().map(|one| one.name).filter(|name| !seen.contains(name)).collect();
    assert!(missing.is_empty(), "there is no example of {missing:?}");
    assert!(steps > 500 && checks > steps / 3, "{steps} steps, {checks} of them checked");
}

/// The steps of the only operation.
#[track_caller]
fn single_part(text: &str) -> Part {
    let mut parts = check_derivation(text).parts;
    assert_eq!(parts.len(), 1, "{text}");
    parts.remove(0)
}

#[track_caller]
fn layouts(part: &Part) -> Vec<String> {
    part.steps.iter().filter_map(|step| Some(step.value.as_ref()?.to_string())).collect()
}

#[test]
fn coalescing_goes_leaf_by_leaf() {
    let part = single_part("coalesce((2,(1,6)):(1,(6,2)))");
    assert_eq!(layouts(&part), ["2:1", "2:1", "12:1", "12:1"]);
    assert!(part.steps[2].sentence.contains("2*1 = 2"), "{part}");
}

#[test]
fn a_divide_is_a_complement_and_a_composition() {
    let part = single_part("logical_divide((4,2,3):(2,1,8), 4:2)");
    assert!(part.steps.iter().any(|step| step.rule == "complement"), "{part}");
    assert!(part.steps.iter().any(|step| step.rule == "composition"), "{part}");
    assert_eq!(layouts(&part).last().map(String::as_str), Some("((2,2),(2,3)):((4,1),(2,8))"));
}

#[test]
fn tiles_may_overhang() {
    check_derivation("logical_divide(Sw<1,1,2> o 0 o 8:1, (2,(2,2)):(1,(3,6)))");
    let once = check_derivation("logical_divide(Sw<1,1,2> o 0 o 8:1, 2:4)").to_string();
    assert!(once.contains("the values of A, equally often"), "{once}");
}

#[test]
fn carries_are_explained_in_digits() {
    let part = single_part("composition((6,2):(1,7), 4:2)");
    let last = &part.steps[part.steps.len() - 1];
    assert!(last.sentence.contains("3 steps make 6 in an extent of 6"), "{part}");
    assert!(last.sentence.contains("3 does not divide 4"), "{part}");
}

#[test]
fn modes_that_overflow_together_are_errors() {
    let part = single_part("composition((4,6):(1,10), (3,3):(1,1))");
    let last = &part.steps[part.steps.len() - 1];
    assert!(last.sentence.contains("reach 4 in a digit whose extent is 4"), "{part}");
}

#[test]
fn errors_are_explained_up_to_the_numbers_that_do_not_fit() {
    let part = single_part("complement((4,2):(1,3), 14)");
    assert!(part.steps[part.steps.len() - 1].sentence.contains("3 < 4"), "{part}");
    // Evaluation is inside out: the operation around the error is not listed.
    let derivation = check_derivation("size(composition((6,2):(1,7), 4:2))");
    assert_eq!(derivation.parts.len(), 1);
    // A syntax error and a plain layout have no operations.
    assert!(check_derivation("size((4,8").parts.is_empty());
    assert!(check_derivation("(4,8):(8,1)").parts.is_empty());
}

#[test]
fn numbers_are_written_out() {
    assert!(single_part("size((4,8))").steps[0].sentence.contains("4*8 = 32"));
    assert!(single_part("cosize((4,8):(8,1))").steps[0].sentence.contains("3*8 + 7*1 = 31"));
    assert!(single_part("eval((4,8):(8,1), (2,3))").steps[0].sentence.contains("2*8 + 3*1 = 19"));
    assert!(
        single_part("eval((4,8):(8,1), 6)").steps[0]
            .sentence
            .contains("6 is (2,1): 2*8 + 1*1 = 17")
    );
}

#[test]
fn large_layouts_are_checked_up_to_a_bound() {
    let derivation = check_derivation("coalesce((1024,(1024,1024)):(1,(1024,1048576)))");
    let check = derivation.parts[0].steps.last().and_then(|step| step.check.clone());
    let expected =
        Check { law: "coalesce(A)(i) = A(i)".into(), points: 4096, of: 1 << 30, failure: None };
    assert_eq!(check, Some(expected));
    assert!(derivation.to_string().contains("at the first 4096 of 1073741824 points"));
}

#[test]
fn json_has_what_the_text_has() {
    let json = Derivation::of("size(coalesce((2,4):(1,2)))").to_json();
    assert_eq!(
        (&json["schema"], &json["holds"], &json["value"]),
        (&1.into(), &true.into(), &"8".into())
    );
    assert_eq!(json["parts"][0]["text"], "coalesce((2,4):(1,2))");
    assert_eq!(json["parts"][1]["arguments"][0], "8:1");
    let json = Derivation::of("composition((6,2):(1,7), 4:2)").to_json();
    assert_eq!(json["errors"][0]["code"], "L0301");
    assert_eq!(json["parts"][0]["error"]["code"], "L0301");
}
