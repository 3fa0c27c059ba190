//! The function that answers requests of the page: laws of its answers, and invalid requests.

use layout_core::text::eval;
use layout_view::function::{Function, Point};
use layout_view::notation;
use serde_json::{Value as Json, json};
use static_layout_page::call;

fn send(request: Json) -> Json {
    let answer = call(&request.to_string());
    let answer: Json = serde_json::from_str(&answer).expect("JSON");
    assert_eq!(answer["schema"], 1, "{request}");
    answer
}

#[track_caller]
fn send_valid(request: Json) -> Json {
    let answer = send(request.clone());
    let has_errors = answer["errors"].as_array().is_some_and(|errors| !errors.is_empty());
    assert!(!has_errors, "{request}: {answer}");
    answer
}

fn examples() -> Vec<Json> {
    let groups: Json = serde_json::from_str(include_str!("../web/examples.json")).expect("JSON");
    let groups = groups.as_array().expect("groups").iter();
    groups.flat_map(|group| group["examples"].as_array().expect("examples").clone()).collect()
}

#[test]
fn examples_are_right_everywhere() {
    for example in examples() {
        let text = example["e"].as_str().expect("an expression");
        let answer = send_valid(json!({ "op": "eval", "text": text }));
        assert_eq!(answer["text"], eval(text).expect(text).to_string());
        let notations = answer["notations"].as_array().expect("notations");
        assert!(notations.iter().all(|one| one["text"].is_string() != one["message"].is_string()));
        let (color, threads) = (&example["c"], &example["a"]);
        let show = json!({ "op": "show", "text": text, "color": color, "threads": threads });
        let picture = send_valid(show);
        assert!(!picture["blocks"].as_array().expect("blocks").is_empty(), "{text}");
        let explained = send_valid(json!({ "op": "explain", "text": text }));
        assert_eq!(explained["holds"], true, "{text}");
        if threads.is_string() {
            send_valid(json!({ "op": "access", "text": text, "threads": threads }));
        }
        if let Some(to) = example["w"].as_str() {
            send_valid(json!({ "op": "diff", "from": text, "to": to }));
        }
    }
}

#[test]
fn cell_values_match_the_layout() {
    for (text, at) in [
        ("(4,8):(8,1)", vec![2, 5]),
        ("100:3", vec![70]),
        ("((2,2),(2,4)):((1,4),(2,8))", vec![3, 6]),
        ("Sw<3,0,3> o 0 o (8,8):(8,1)", vec![7, 2]),
        ("identity((6,8))", vec![5, 7]),
        ("(4,8):(-8,1)", vec![3, 1]),
        ("spyre { size: [3, 40], dtype: f32 }", vec![2, 39]),
    ] {
        let request = json!({ "op": "cell", "text": text, "at": at, "others": [text, "4:1", "("] });
        let cell = send_valid(request);
        let function = Function::of(&notation::layout(text).expect(text)).expect(text);
        let index = cell["index"].as_u64().expect("an index") as usize;
        let point = function.at(index).expect("a point");
        assert_eq!(cell["value"], function.at(index).expect("a point").to_string(), "{text}");
        assert_eq!(cell["others"][0], cell["value"]);
        assert_eq!(cell["others"][2], Json::Null);
        match point {
            Point::Integer(offset) => assert_eq!(cell["offset"], offset, "{text}"),
            Point::Slot(_, offset) => assert_eq!(cell["offset"], offset, "{text}"),
            Point::Coordinate(_) => assert_eq!(cell["offset"], Json::Null, "{text}"),
        }
    }
    let outside = send(json!({ "op": "cell", "text": "(4,8):(8,1)", "at": [4, 0] }));
    assert!(outside["errors"][0]["message"].as_str().is_some_and(|text| text.contains('4')));
}

/// Checks that each element is moved once, from its position in the first layout to its position in
/// the second.
fn moves_all(from: &str, to: &str) {
    let plan = send_valid(json!({ "op": "relayout", "from": from, "to": to }));
    let numbers = |name: &str| -> Vec<usize> {
        let list = plan[name].as_array().expect("a list").iter();
        list.map(|one| one.as_u64().expect("a number") as usize).collect()
    };
    let mut moves: Vec<_> = numbers("source").into_iter().zip(numbers("destination")).collect();
    let steps = numbers("step");
    assert!(steps.is_sorted() && steps.windows(2).all(|pair| pair[1] - pair[0] <= 1));
    let places = |text: &str, storage: &Json| -> Vec<usize> {
        let function = Function::of(&notation::layout(text).expect(text)).expect(text);
        let storage = storage.as_u64().unwrap_or(0) as usize;
        let place = |index| match function.at(index).expect("a point") {
            Point::Integer(offset) => offset as usize,
            Point::Slot(core, offset) => core * storage + offset,
            Point::Coordinate(_) => panic!("{text} has no places"),
        };
        (0..function.size()).map(place).collect()
    };
    let sources = places(from, &plan["storage"][0]);
    let mut expected: Vec<_> = sources.into_iter().zip(places(to, &plan["storage"][1])).collect();
    moves.sort_unstable();
    expected.sort_unstable();
    assert_eq!(moves, expected, "{from} => {to}");
}

#[test]
fn a_relayout_moves_each_element_once() {
    moves_all("(4,8):(8,1)", "(4,8):(1,4)");
    moves_all("(17,33):(33,1)", "(17,33):(1,17)");
    moves_all("Sw<3,0,3> o 0 o (8,8):(8,1)", "(8,8):(1,8)");
    moves_all("(8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)");
    moves_all("((2,3)):((1,4))", "((3,2)):((1,8))");
    moves_all("(16,256):(256,1)", "spyre { size: [16, 256], dtype: f16 }");
    let on =
        |grid: &str| format!("tensor<16x16xf32, #tt.metal_layout<collapse = [], undef, <{grid}>>>");
    moves_all(&on("4x1"), &on("1x4"));
    let rejected = send(json!({ "op": "relayout", "from": "(4,8)", "to": "(4,9)" }));
    assert_eq!(rejected["field"], "to");
    // Too many moves to list: only the plan.
    let large =
        send_valid(json!({ "op": "relayout", "from": "(512,512)", "to": "(512,512):(512,1)" }));
    assert_eq!(large["listed"], 0);
}

#[test]
fn wrong_requests_are_refused() {
    for request in [
        "",
        "[]",
        "{}",
        r#"{"op": 3}"#,
        r#"{"op": "none"}"#,
        r#"{"op": "eval"}"#,
        r#"{"op": "show", "text": "4:1", "color": "loud"}"#,
        r#"{"op": "show", "text": "4:1", "view": "side"}"#,
        r#"{"op": "show", "text": "4:1", "dtype": "f9"}"#,
        r#"{"op": "show", "text": "true"}"#,
        r#"{"op": "cell", "text": "4:1", "at": [-1]}"#,
        r#"{"op": "cell", "text": "4:1", "at": "1"}"#,
        r#"{"op": "cell", "text": "4:1", "at": [1, 2, 3]}"#,
        r#"{"op": "access", "text": "4:1", "memory": "tape"}"#,
        r#"{"op": "access", "text": "4:1", "vector": "0"}"#,
        r#"{"op": "access", "text": "4:1", "threads": "8:1"}"#,
        r#"{"op": "export", "text": "4:1", "format": "wax"}"#,
        r#"{"op": "entry", "code": "L9999"}"#,
    ] {
        let answer: Json = serde_json::from_str(&call(request)).expect("JSON");
        assert!(answer["errors"][0]["message"].is_string(), "{request}: {answer}");
    }
}

#[test]
fn exports_have_their_formats() {
    let names = send_valid(json!({ "op": "names" }));
    for format in names["formats"].as_array().expect("formats") {
        let request = json!({ "op": "export", "text": "(2,2):(2,1)", "format": format });
        let file = send_valid(request)["file"].clone();
        assert!(file.as_str().is_some_and(|file| file.len() > 10), "{format}");
    }
    for color in names["colors"].as_array().expect("colors") {
        let text = if color == "swizzle" { "Sw<1,0,1> o 0 o (2,2):(2,1)" } else { "(2,2):(2,1)" };
        send_valid(json!({ "op": "show", "text": text, "color": color }));
    }
}
