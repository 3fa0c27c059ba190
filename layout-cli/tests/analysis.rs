//! `layout access`, `explain`, `diff` and `check`: what they print, where, and their exit status.

mod common;
use common::{layout, lines, text};

#[track_caller]
fn prints(args: &[&str], code: i32, expected: &str) {
    let output = layout(args);
    assert_eq!(text(&output.stdout), expected, "{args:?}");
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(code)), "{args:?}");
}

#[track_caller]
fn json(args: &[&str], code: i32) -> serde_json::Value {
    let output = layout(args);
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(code)), "{args:?}");
    assert_eq!(text(&output.stdout).lines().count(), 1, "{args:?}");
    serde_json::from_slice(&output.stdout).expect("an object")
}

#[test]
fn access_has_degrees_and_the_swizzle() {
    prints(
        &["access", "(32,32):(32,1)", "--tv", "32:1"],
        0,
        "\
layout      (32,32):(32,1) of f32
memory      gpu-shared: 32 banks of 4 bytes, groups of 32 threads

access      32:1
threads     32 threads with 1 value each
vector      1 element, 4 bytes; the longest legal vector has 1 element, 4 bytes
work        1 instruction in 1 phase
conflicts   32-way, in the only phase: 32 passes, 1 without conflicts

swizzle     Sw<5,0,5> o 0 o (32,32):(32,1) has no conflict; its offsets are below 1024, and 189 smaller swizzles leave conflicts or break vectors

phase  threads  words  degree  threads on each bank
0      0..32    32     32      0: 0..32
",
    );
    prints(
        &[
            "access",
            "(64,64):(64,1)",
            "--memory",
            "gpu-global",
            "--threads",
            "(4,32):(32,1)",
            "--values",
            "(1,2)",
            "--vector",
            "8B",
        ],
        0,
        "\
layout      (64,64):(64,1) of f32
memory      gpu-global: lines of 128 bytes, sectors of 32 bytes, groups of 32 threads

access      threads (4,32):(32,1), values (1,2):(0,1)
threads     128 threads with 32 values each
vector      2 elements, 8 bytes; the longest legal vector has 2 elements, 8 bytes
work        64 instructions
lines       128
sectors     512
efficiency  100.0 %: 16384 bytes used, 16384 bytes moved

swizzle     the memory has no banks
",
    );
    let found = json(
        &[
            "access",
            "(8,64):(64,1)",
            "--dtype",
            "f16",
            "--tv",
            "(8,(8,8)):(1,(8,64))",
            "--vector",
            "16B",
            "--json",
        ],
        0,
    );
    assert_eq!(found["swizzle"]["layout"], "Sw<3,3,3> o 0 o (8,64):(64,1)");
    let found =
        json(&["access", "8:1", "--tv", "8:1", "--banks", "4", "--group", "8", "--json"], 0);
    assert_eq!(
        (&found["memory"]["name"], &found["accesses"][0]["degree"]),
        (&"custom".into(), &1.into())
    );
}

#[test]
fn access_points_at_the_text_that_is_wrong() {
    let output = layout(&["access", "(8,8):(8,1)", "--tv", "(32,4):(4,1)"]);
    assert_eq!(
        text(&output.stderr),
        "\
error[L0902]: value 0 of thread 16 is at coordinate 64, outside the 64 elements of the layout
  |
1 | (32,4):(4,1)
  | ^^^^^^^^^^^^
"
    );
    assert_eq!((text(&output.stdout), output.status.code()), ("", Some(1)));
    let found = json(&["access", "(8,8", "--tv", "8:1", "--json"], 1);
    assert_eq!(found["errors"][0]["code"], "L0110");
    // Threads are required, and numbers must be above 0.
    for args in [
        &["access", "(8,8):(8,1)"][..],
        &["access", "8:1", "--tv", "8:1", "--banks", "0"],
        &["access", "8:1", "--tv", "8:1", "--memory", "tape"],
        &["access", "8:1", "--tv", "8:1", "--vector", "wide"],
        &["access", "8:1", "--values", "8:1"],
    ] {
        let output = layout(args);
        assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)), "{args:?}");
        assert!(text(&output.stderr).starts_with("error"), "{args:?}");
    }
}

#[test]
fn expressions_are_explained() {
    prints(
        &["explain", "size(coalesce((2,4):(1,2)))"],
        0,
        "\
coalesce((2,4):(1,2)) = 8:1
  1  Mode 2:1 is the first.
       -> 2:1
          checked: C(i) = A(i) for the modes so far, at all 2 points
  2  Mode 4:2 goes on where 2:1 ends, since 2*1 = 2: they merge to 8:1.
       -> 8:1
          checked: C(i) = A(i) for the modes so far, at all 8 points
  3  No more neighbours merge: one mode is left.
       -> 8:1
          checked: coalesce(A)(i) = A(i), at all 8 points

size(8:1) = 8
  1  The number of coordinates.
       -> 8
",
    );
    let output = layout(&["explain", "size(composition((6,2):(1,7), 4:2))"]);
    assert!(text(&output.stdout).ends_with("3 does not divide 4.\n"), "{}", text(&output.stdout));
    assert!(text(&output.stderr).starts_with("error[L0301]: "), "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(json(&["explain", "--json", "size((4,8))"], 0)["value"], "32");
    assert_eq!(json(&["explain", "--json", "size((4,8"], 1)["errors"][0]["code"], "L0110");
    let output = lines(&["explain", "-"], b"size((4,8))\nsize((4,8\n".to_vec());
    assert_eq!(text(&output.stdout).lines().count(), 2);
    // Codes are accepted as before, and operation names are not codes.
    assert!(text(&layout(&["explain", "l0301"]).stdout).starts_with("L0301: "));
    assert_eq!(layout(&["explain", "L9999"]).status.code(), Some(1));
}

#[test]
fn diff_has_an_exit_status_for_scripts() {
    prints(&["diff", "--brief", "(4,8):(1,4)", "32:1"], 0, "same function\n");
    prints(&["diff", "--brief", "(4,8):(1,4)", "(4,8)"], 0, "identical\n");
    let brief = "differs at (1,0): 8 and 1; 30 of 32 cells change; 6 cycles\n";
    prints(&["diff", "--brief", "(4,8):(8,1)", "(4,8):(1,4)"], 1, brief);
    prints(
        &["diff", "--dtype", "f64", "(2,4):(4,1)", "(2,4):(1,2)"],
        1,
        "\
a         (2,4):(4,1)
b         (2,4):(1,2)
relation  differs
first     at (1,0), 1-D coordinate 1: 4 and 1
changed   6 of 8 cells
bytes     48 move
cycles    2 of length 3; 2 offsets stay in place
          1 -> 2 -> 4
          3 -> 6 -> 5
",
    );
    assert_eq!(json(&["diff", "--json", "4:1", "4:2"], 1)["changed"], 3);
    assert_eq!(json(&["diff", "--json", "4:1", "4:"], 2)["errors"][0]["code"], "L0107");
    for args in [&["diff", "8:1"][..], &["diff", "8:1", "(8"], &["diff", "8:1", "8:1@0"]] {
        let output = layout(args);
        assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)), "{args:?}");
    }
}

#[test]
fn check_shows_the_lines_that_fail() {
    let file = "# rows\n(4,8):(1,4) ~= 32:1\n4:1 == 4:2\ninjective((4,8):(1,1)) # no\nsize(8) == 8\n(4,8\n";
    let output = lines(&["check", "-"], file.into());
    assert_eq!(
        text(&output.stdout),
        "\
error: the sides differ
 --> -:3:1
  |
3 | 4:1 == 4:2
  | ^^^    ^^^ 4:2
  | |
  | 4:1

error: the layout is not injective
 --> -:4:11
  |
4 | injective((4,8):(1,1))
  |           ^^^^^^^^^^^ (4,8):(1,1)

error[L0110]: `(` is not closed
 --> -:6:1
  |
6 | (4,8
  | ^

-: 3 of 5 assertions fail
"
    );
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(1)));
    let output = lines(&["check", "--json", "-"], file.into());
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an object");
    assert_eq!((&object["file"], &object["failed"]), (&"-".into(), &3.into()));
    let output = lines(&["check", "-"], b"size(8) == 8\n".to_vec());
    assert_eq!((text(&output.stdout), output.status.code()), ("-: 1 assertion holds\n", Some(0)));
    let output = layout(&["check", "no-such-file"]);
    assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)));
    assert!(text(&output.stderr).starts_with("error: no-such-file: "));
}

/// The examples of the help run, with the exit status that the help states.
#[test]
fn the_examples_of_the_help_are_right() {
    for (command, codes) in [("access", &[0][..]), ("explain", &[0]), ("diff", &[0, 1])] {
        let output = layout(&[command, "--help"]);
        let help = text(&output.stdout).replace("\\\n", " ");
        let mut count = 0;
        for line in help.lines().filter_map(|line| line.trim().strip_prefix("layout ")) {
            let args = words(line);
            assert_eq!(args[0], command, "{line}");
            let args: Vec<_> = args.iter().map(String::as_str).collect();
            let output = layout(&args);
            let code = output.status.code().expect("it ends");
            assert!(codes.contains(&code), "{line}: {}", text(&output.stderr));
            count += 1;
        }
        assert!(count >= 5, "the examples of {command} have moved");
    }
}

/// The words of a shell command line; quotes preserve spaces.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => {
                words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()))
            }
            _ => word.push(c),
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}
