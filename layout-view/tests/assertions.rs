//! Files of assertions: assertions that hold, that fail, and that are invalid.

use layout_view::assertions::{Assertions, Outcome};

#[track_caller]
fn outcome(line: &str) -> Outcome {
    let mut assertions = Assertions::of(line);
    assert_eq!(assertions.lines.len(), 1, "{line}");
    assertions.lines.remove(0).outcome
}

#[test]
fn assertions_that_hold() {
    for line in [
        "coalesce((2,(1,6)):(1,(6,2))) == 12:1",
        "size((4,8)) == 32",
        "(4,8):(8,1) != (4,8):(1,4)",
        "(4,8):(1,4) ~= 32:1",
        "(4,8) ~= 32",
        "(4,8):(8,1) !~ (4,8):(1,4)",
        "(4,8) !~ (4,9)",
        "injective((4,8):(8,1))",
        "bijective( (4,8):(8,1) )",
        "contiguous((4,8):(1,3))",
        "is_injective((4,8):(8,1))",
        "compatible(24, (4,6))",
        "true",
        "is_injective((4,8):(1,1)) == false",
        "fails(composition((6,2):(1,7), 4:2))",
        "error[L0301] composition((6,2):(1,7), 4:2)",
        "error[l0110] (4,8",
        "(4,8) == (4,8)   # and a comment",
        "complement(4:2, 24) o <2, 3> == (2,3):(1,8)",
        "Sw<2,0,2> o 0 o (4,4):(4,1) ~= Sw<2,0,2> o 0 o (4,(2,2)):(4,(1,2))",
        "spyre { size: [3, 40], dtype: f32 } ~= spyre { size: [3, 40], dtype: f32 }",
        "tensor<4x6xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>>> ~= (4,6):(6,1)",
        "[1, 0, 1 p(4)] for (6, 8) == (6,(4,2)):(4,(1,24))",
        "table(3:2) == [0, 2, 4]",
    ] {
        assert!(matches!(outcome(line), Outcome::Holds), "{line}: {:?}", outcome(line));
    }
}

#[test]
fn failed_assertions_show_both_values() {
    for (line, message, sides) in [
        ("4:1 == 4:2", "the sides differ", vec![(0..3, "4:1"), (7..10, "4:2")]),
        (
            "  4:1   ~=  4:2",
            "differs at 1: 1 and 2; 3 of 4 cells change",
            vec![(2..5, "4:1"), (12..15, "4:2")],
        ),
        ("4:1 != 4:1", "the sides are equal", vec![(0..3, "4:1"), (7..10, "4:1")]),
        ("4:1 !~ (2,2)", "the sides are the same function", vec![(0..3, "4:1"), (7..12, "(2,2)")]),
        ("injective((4,8):(1,1))", "the layout is not injective", vec![(10..21, "(4,8):(1,1)")]),
        ("compatible(24, (4,5))", "the expression is not true", vec![(0..21, "false")]),
        ("fails(coalesce((2,4)))", "the expression has a value", vec![(6..21, "8:1")]),
        ("error[L0301] 8:1", "there is no error L0301", vec![(13..16, "8:1")]),
        (
            "error[L0302] composition((6,2):(1,7), 4:2)",
            "the error is not L0302",
            vec![(
                38..39,
                "error[L0301]: composition: A carries after 3 steps of B, and 3 does not divide its extent 4",
            )],
        ),
    ] {
        let Outcome::Fails(failure) = outcome(line) else { panic!("{line}: {:?}", outcome(line)) };
        let found: Vec<_> =
            failure.sides.iter().map(|(place, text)| (place.clone(), text.as_str())).collect();
        assert_eq!((failure.message.as_str(), found), (message, sides), "{line}");
    }
}

#[test]
fn malformed_assertions_are_errors_at_their_position() {
    for (line, code, place) in [
        ("(4,8", "L0110", 0..1),
        ("8:1 == (4,8", "L0110", 7..8),
        ("size((4,8))", "L0114", 0..11),
        ("injective(compositon(8:1, 4:1))", "L0112", 10..20),
        // A syntax error does not count as an expected failure.
        ("fails(compositon(8:1, 4:1))", "L0112", 6..16),
        ("8:1 == ", "L0101", 6..6),
        ("4:1 ~= 4:1@0", "L0910", 0..12),
    ] {
        let Outcome::Error(error) = outcome(line) else { panic!("{line}: {:?}", outcome(line)) };
        let problem = &error.problems()[0];
        assert_eq!((problem.error.code(), problem.span.clone()), (code, place), "{line}");
    }
}

#[test]
fn comments_and_numbers_of_lines() {
    let file = "# a comment\n\n4:1 == 4:1\r\n   # another\n4:1 == 4:2 # 4:1\n";
    let assertions = Assertions::of(file);
    let lines: Vec<_> =
        assertions.lines.iter().map(|line| (line.number, line.text.as_str())).collect();
    assert_eq!(lines, [(3, "4:1 == 4:1"), (5, "4:1 == 4:2")]);
    assert_eq!((assertions.failed(), assertions.summary().as_str()), (1, "1 of 2 assertions fail"));
    assert_eq!(Assertions::of("").summary(), "0 assertions hold");
    let json = assertions.to_json();
    assert_eq!((&json["schema"], &json["failed"]), (&1.into(), &1.into()));
    assert_eq!(
        (&json["lines"][1]["result"], &json["lines"][1]["sides"][1]["value"]),
        (&"fails".into(), &"4:2".into())
    );
}
