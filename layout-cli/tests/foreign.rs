//! Layouts in the notations of other tools: `convert` prints the expected text, and the text is the
//! same layout.

mod common;
use common::{layout, lines, text};

/// The output lines of the command for some input lines.
fn answers(args: &[&str], expressions: &[String]) -> Vec<String> {
    let output = lines(args, expressions.join("\n").into_bytes());
    let answers: Vec<_> = text(&output.stdout).lines().map(str::to_owned).collect();
    assert_eq!(answers.len(), expressions.len(), "{args:?}");
    answers
}

/// A notation, a layout, and the layout in this notation.
const SAID: &[(&str, &str, &str)] = &[
    ("strides", "(4,8):(-8,1)", "sizes [4, 8], strides [-8, 1]"),
    ("strides", "(4,8):(8,1) @ 4", "sizes [4, 8], strides [8, 1], storage_offset 4"),
    ("numpy", "(4,8):(-8,1)", "shape=(4, 8), strides=(-32, 4), itemsize=4"),
    ("numpy", "4:0", "shape=(4,), strides=(0,), itemsize=4"),
    ("mlir", "(?,8):(8,1)", "memref<?x8xf32, strided<[8, 1]>>"),
    ("mlir", "(4,?):(8,?) @ 3", "memref<4x?xf32, strided<[8, ?], offset: 3>>"),
    ("mlir", "(4,8):(-8,1)", "memref<4x8xf32, strided<[-8, 1]>>"),
    (
        "mlir",
        "((2,4),8):((1,16),2) @ 5",
        "memref<8x8xf32, affine_map<(d0, d1) -> (d0 mod 2 + d0 floordiv 2 * 16 + d1 * 2 + 5)>>",
    ),
    ("mlir", "((2,2),3):((0,2),0)", "memref<4x3xf32, affine_map<(d0, d1) -> (d0 floordiv 2 * 2)>>"),
    ("cpp", "((2,?),8):((1,16),?)", "Layout<Shape<Shape<_2,int>,_8>, Stride<Stride<_1,_16>,int>>"),
    (
        "cpp",
        "Sw<2,3,3> o 0 o (8,64):(64,1)",
        "ComposedLayout<Swizzle<2,3,3>, _0, Layout<Shape<_8,_64>, Stride<_64,_1>>>",
    ),
    ("cute-ir", "(4,8):(1@0,2@1)", "!cute.layout<\"(4,8):(1@0,2@1)\">"),
    ("triton", "(4,2):(2,1)", "#ttg.linear<{register = [[2], [4]], lane = [[1]]}>"),
    ("triton", "Sw<1,0,2> o 0 o (2,4):(1,2)", "#ttg.linear<{register = [[1]], lane = [[2], [5]]}>"),
    ("rust", "(?,8):(8,1)", "static_layout::layout!((_,8):(8,1))"),
];

#[test]
fn conversions_parse_back() {
    for (to, subject, expected) in SAID {
        let output = layout(&["convert", "--to", to, subject]);
        assert_eq!(
            text(&output.stdout),
            format!("{expected}\n"),
            "{subject}: {}",
            text(&output.stderr)
        );
        let back = layout(&["convert", "--to", "cute", expected]);
        // A one-dimensional array has a tuple with one extent.
        let subject = subject.replace("4:0", "(4):(0)");
        assert_eq!(text(&back.stdout), format!("{subject}\n"), "{expected}");
    }
}

#[test]
fn empty_modes_are_not_divided() {
    let output = layout(&["convert", "--to", "mlir", "(2,(0,2)):(4,(2,1))"]);
    let expected = "memref<2x0xf32, affine_map<(d0, d1) -> (d0 * 4)>>\n";
    assert_eq!(text(&output.stdout), expected, "{}", text(&output.stderr));
}

/// Round trip through all notations, for layouts of many kinds: a converted layout is the same
/// function.
#[test]
fn every_notation_comes_back() {
    let layouts: Vec<String> = [
        "(4,8):(8,1)",
        "((2,4),8):((1,16),2)",
        "8:1",
        "(3,5,7):(35,7,1)",
        "(4,8):(0,1)",
        "((32,2),(32,4)):((32,4096),(1,1024))",
        "Sw<3,4,3> o 0 o (8,64):(64,1)",
        "Sw<2,1,-3> o 0 o (8,16):(16,1)",
        "(4,8):(1@0,1@1)",
        "((2,2),(4,2)):((1@1,8@0),(2@1,1@0))",
        "#ttg.linear<{register = [[1], [3]], lane = [[4], [8]]}>",
        "(1,4):(0,3)",
    ]
    .map(str::to_owned)
    .into();
    let tables = |texts: &[String]| {
        let expressions: Vec<_> = texts.iter().map(|text| format!("table({text})")).collect();
        answers(&["eval", "-"], &expressions)
    };
    let mut converted_count = 0;
    for to in ["cute", "strides", "numpy", "cpp", "cute-ir", "mlir", "triton", "rust"] {
        let texts = answers(&["convert", "--to", to, "-"], &layouts);
        let (right, round_trip): (Vec<_>, Vec<_>) = layouts
            .iter()
            .zip(texts)
            .filter(|(_, text)| !text.starts_with("error: "))
            .map(|(layout, text)| (layout.clone(), text))
            .unzip();
        // Shape and strides of an array are a whole expression. They cannot be an argument.
        let round_trip = answers(&["convert", "--to", "cute", "-"], &round_trip);
        assert_eq!(tables(&round_trip), tables(&right), "{to}");
        converted_count += round_trip.len();
    }
    assert!(converted_count > 50, "{converted_count}");
}

#[test]
fn unsupported_conversions_give_a_reason() {
    for (to, subject, code) in [
        ("strides", "((2,4),8):((1,16),2)", "L0352"),
        ("numpy", "(?,8):(8,1)", "L0141"),
        ("numpy", "(4,8):(8,1) @ 4", "L0114"),
        ("mlir", "(4,8):(1@0,1@1)", "L0114"),
        ("cpp", "(4,8):(1@0+2@1,1@1)", "L0114"),
        ("triton", "(3,4):(4,1)", "L0140"),
        ("triton", "(4,4):(1,3)", "L0373"),
        ("triton", "4:-1", "L0106"),
        ("cute", "{register = [[1], [3], [5]]}", "L0378"),
        ("cute", "{register = [[1, 1], [3, 0]]}", "L0139"),
    ] {
        let output = layout(&["convert", "--to", to, subject]);
        let report = text(&output.stderr);
        assert!(report.starts_with(&format!("error[{code}]")), "{to} {subject}: {report}");
        assert_eq!(output.status.code(), Some(1), "{to} {subject}");
    }
}

#[test]
fn linear_layouts_are_shown_and_located() {
    let subject = "#ttg.linear<{register = [[1], [3]], lane = [[4], [0]]}>";
    let output = layout(&["show", "--json", subject]);
    let facts: serde_json::Value = serde_json::from_str(text(&output.stdout)).expect("JSON");
    for (name, value) in [
        ("kind", serde_json::json!("linear layout")),
        ("shape", serde_json::json!([4, 4])),
        ("indices", serde_json::json!("register = 4, lane = 4")),
        ("matrix_rank", serde_json::json!(3)),
        ("injective", serde_json::json!(false)),
        ("surjective", serde_json::json!(true)),
        ("cute", serde_json::json!("Sw<1,0,1> o 0 o (4,(2,2)):(1,(4,0))")),
    ] {
        assert_eq!(facts[name], value, "{name}");
    }
    let shown = layout(&["show", subject]);
    let picture = "0 │  0  4  0  4\n1 │  1  5  1  5\n2 │  3  7  3  7\n3 │  2  6  2  6\n";
    assert!(text(&shown.stdout).ends_with(picture), "{}", text(&shown.stdout));
    let located = layout(&["locate", &format!("{subject} @ (2,1)")]);
    assert_eq!(text(&located.stdout), "{\"offset\":7,\"coordinate\":[2,1]}\n");
    let located = layout(&["locate", &format!("{subject} # 7")]);
    assert_eq!(text(&located.stdout), "[2,1]\n");
}
