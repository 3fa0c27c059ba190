//! What the command prints, where, and its exit status.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

mod common;
use common::{command, eval_lines, layout, text};

#[track_caller]
fn evaluates_to(expression: &str, expected: &str) {
    let output = layout(&["eval", expression]);
    assert_eq!(text(&output.stdout), format!("{expected}\n"), "{expression}");
    assert_eq!(text(&output.stderr), "", "{expression}");
    assert_eq!(output.status.code(), Some(0), "{expression}");
}

#[test]
fn results_print_in_canonical_notation() {
    evaluates_to("( 4, _8 ):(8,1)", "(4,8):(8,1)");
    evaluates_to("composition((12,6):(2,27), <3:4, 3>)", "(3,3):(8,27)");
    evaluates_to("eval((4,8):(8,1), (2,3))", "19");
    evaluates_to("idx2crd(5, (3,(2,3)))", "(2,(1,0))");
    evaluates_to("compatible(24, (4,6))", "true");
    evaluates_to("table(3:2)", "[0, 2, 4]");
    evaluates_to("slice_and_offset((4,12):(12,1), (3,_))", "(12):(1) @ 36");
    evaluates_to("Sw<3,0,3> o 0 o (8, 8):(8, 1)", "Sw<3,0,3> o 0 o (8,8):(8,1)");
}

#[track_caller]
fn fails_with(expression: &str, expected: &str) {
    let output = layout(&["eval", expression]);
    assert_eq!(text(&output.stderr), expected, "{expression}");
    assert_eq!(text(&output.stdout), "", "{expression}");
    assert_eq!(output.status.code(), Some(1), "{expression}");
}

#[test]
fn carets_mark_the_error() {
    fails_with(
        "(4,8u32):(8,-)",
        "\
error[L0105]: integer `8u32` has a suffix
  |
1 | (4,8u32):(8,-)
  |    ^^^^
  |
  = help: write 8
error[L0107]: expected a number after the sign, found `)`
  |
1 | (4,8u32):(8,-)
  |              ^
",
    );
    fails_with(
        "flatten(composition((6,2):(1,7), 4:2))",
        "\
error[L0301]: composition: A carries after 3 steps of B, and 3 does not divide its extent 4
  |
1 | flatten(composition((6,2):(1,7), 4:2))
  |                                  ^
  |
  = help: an extent of at most 3 would fit
",
    );
    fails_with(
        "(4,8):",
        "\
error[L0107]: expected a stride, found the end
  |
1 | (4,8):
  |       ^
",
    );
    // Carets count columns, not bytes.
    fails_with(
        "é(4):(1)é",
        "\
error[L0102]: `é` is not part of the layout notation
  |
1 | é(4):(1)é
  | ^
error[L0102]: `é` is not part of the layout notation
  |
1 | é(4):(1)é
  |         ^
",
    );
}

#[test]
fn no_expression_panics() {
    for expression in ["", " ", "\n", "-1", "--help", "\u{1b}[31m", "\t(4", "(4,\n8:1", "\u{0301}"]
    {
        let output = layout(&["eval", expression]);
        let printed = text(&output.stderr);
        assert!(!printed.contains("panicked"), "{expression:?}: {printed}");
        assert!(matches!(output.status.code(), Some(0 | 1)), "{expression:?}");
    }
}

#[test]
fn wrong_use_of_the_command_is_an_error() {
    for args in [&["evaluate", "8"][..], &["eval"], &["eval", "8", "8"], &[]] {
        let output = layout(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains("layout"), "{args:?}");
        assert_eq!(text(&output.stdout), "", "{args:?}");
    }
}

#[test]
fn the_examples_of_the_help_are_right() {
    let output = layout(&["eval", "--help"]);
    assert_eq!(output.status.code(), Some(0));
    let examples = text(&output.stdout).lines().filter_map(|line| {
        line.trim().strip_prefix("layout eval '").and_then(|rest| rest.strip_suffix('\''))
    });
    let mut count = 0;
    for example in examples {
        let output = layout(&["eval", example]);
        assert_eq!(output.status.code(), Some(0), "{example}: {}", text(&output.stderr));
        count += 1;
    }
    assert!(count >= 5, "the examples have moved");
}

#[test]
fn errors_are_explained() {
    let listed = layout(&["explain"]);
    let codes: Vec<_> = text(&listed.stdout).lines().filter_map(|l| l.split(' ').next()).collect();
    assert_eq!(listed.status.code(), Some(0));
    assert!(codes.len() > 90 && codes.is_sorted(), "{codes:?}");
    for code in codes {
        let output = layout(&["explain", &code.to_lowercase()]);
        let printed = text(&output.stdout);
        assert!(printed.starts_with(&format!("{code}: ")), "{printed}");
        assert!(printed.contains(&format!("error[{code}]: ")), "{printed}");
        assert!(!printed.contains('\u{1b}') && printed.contains("Example: "), "{printed}");
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    }
    let output = layout(&["explain", "L0203"]);
    assert_eq!(
        text(&output.stdout),
        "\
L0203: a stride with a different number of modes than its shape

Shape and stride are congruent: one stride for each extent, with the same
parentheses.

Example: layout eval '(4,8):(8,1,2)'

error[L0203]: shape (4,8) has 2 modes but its stride (8,1,2) has 3
  |
1 | (4,8):(8,1,2)
  |       ^^^^^^^
  |
  = help: write one stride for each extent, nested in the same way
"
    );
    let output = layout(&["explain", "L9999"]);
    let expected = "error: there is no error L9999; `layout explain` lists all\n";
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), expected));
}

#[test]
fn each_line_of_input_has_a_line_of_answer() {
    let output = eval_lines(b"8:2\n(4,\n\xff(4)\nsize((4,8))".to_vec());
    assert_eq!(
        text(&output.stdout),
        "8:2\n\
         error: `(` is not closed (at 0..1)\n\
         error: the line is not UTF-8 from byte 0 on\n\
         32\n"
    );
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(1), "a line was wrong");
    assert_eq!(eval_lines(b"8:2\n4:1\n".to_vec()).status.code(), Some(0));
}

#[test]
fn arbitrary_bytes_have_answers() {
    // Random bytes, many of them characters of the notation.
    let mut state = 1u64;
    let input: Vec<u8> = (0..200_000)
        .map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let random = (state >> 33) as usize;
            let notation = b"()<>[]:,_o 012489Sw<-\n";
            if random.is_multiple_of(8) {
                (random / 8) as u8
            } else {
                notation[random / 8 % notation.len()]
            }
        })
        .collect();
    let lines = input.split(|&byte| byte == b'\n').count() - usize::from(input.ends_with(b"\n"));
    let output = eval_lines(input);
    assert_eq!(text(&output.stdout).lines().count(), lines);
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn lines_stream_through() {
    let mut child = command(&["eval", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut stdin = child.stdin.take().expect("it is a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("it is a pipe"));
    for n in 1..100 {
        // The answer comes before the input ends.
        writeln!(stdin, "size(({n},2))").expect("it reads");
        let mut answer = String::new();
        answers.read_line(&mut answer).expect("it answers");
        assert_eq!(answer, format!("{}\n", 2 * n));
    }
    drop(stdin);
    assert_eq!(answers.read_to_end(&mut Vec::new()).expect("it ends"), 0);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn closed_pipe_is_not_an_error() {
    let mut child = command(&["eval", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("it is a pipe");
    // The command may stop reading early, which closes this pipe too.
    while stdin.write_all(b"table(1000:1)\n").is_ok() {}
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

fn prints(args: &[&str], expected: &str) {
    let output = layout(args);
    assert_eq!(text(&output.stdout), format!("{expected}\n"), "{args:?}");
    assert_eq!(text(&output.stderr), "", "{args:?}");
    assert_eq!(output.status.code(), Some(0), "{args:?}");
}

#[test]
fn show_prints_facts_and_a_picture() {
    prints(
        &["show", "(2,(2,2)):(8,(1,3))"],
        "\
text        (2,(2,2)):(8,(1,3))
kind        layout
shape       (2,(2,2))
stride      (8,(1,3))
rank        2
depth       2
size        8
cosize      13
injective   yes
contiguous  no
gaps        5
coalesced   (2,2,2):(8,1,3)
expression  8*d0 + 3*floor(d1/2) + d1 mod 2
morello     none

      0   1     2   3
  ┌──────────────────
0 │   0   1 │   3   4
1 │   8   9 │  11  12",
    );
    let json = r#"{"schema":1,"text":"8:2","kind":"layout","shape":8,"stride":2,"rank":1,"depth":0,"size":8,"cosize":15,"injective":true,"contiguous":false,"gaps":7,"coalesced":"8:2","expression":"2*d0","morello":null}"#;
    prints(&["show", "--json", "8:2"], json);
    let blocks = text(&layout(&["show", "(2,1,3):(3,3,1)"]).stdout).to_owned();
    let expected = "\n\n(_, _, 2)\n     0\n  ┌───\n0 │  2\n1 │  5\n";
    assert!(blocks.ends_with(expected), "{blocks}");
    let cores = text(
        &layout(&["show", "tensor<3x4xf32, #tt.metal_layout<collapse = [], undef, <2x1>>>"]).stdout,
    )
    .to_owned();
    let expected = "
core   extent  pad    data  padding_tail  padding_gap
(0,0)  (2,4)   (0,0)  8     0             0
(1,0)  (1,4)   (1,0)  4     4             0

       0    1    2    3
  ┌────────────────────
0 │  0:0  0:1  0:2  0:3
1 │  0:4  0:5  0:6  0:7
  │━━━━━━━━━━━━━━━━━━━━
2 │  1:0  1:1  1:2  1:3
  │  ░░░  ░░░  ░░░  ░░░
";
    assert!(cores.ends_with(expected), "{cores}");
    // Offsets of all kinds of layouts.
    for (expression, last_row) in [
        ("Sw<1,0,1> o 0 o (2,2):(2,1)", "1 │  3  2"),
        ("(2,2):(-1,-2)", "1 │  -1  -3"),
        ("(1,2):(1@0,1@1)", "0 │  (0,0)  (0,1)"),
        ("5", "0  1  2  3  4"),
    ] {
        let output = layout(&["show", expression]);
        assert_eq!(text(&output.stdout).lines().last(), Some(last_row), "{expression}");
    }
}

#[test]
fn show_draws_in_each_format() {
    let folder = std::env::temp_dir().join(format!("static-layout-show-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (format, start) in [
        ("text", "text "),
        ("svg", "<svg xmlns="),
        ("html", "<!DOCTYPE html>"),
        ("tikz", "\\documentclass"),
        ("json", "{\"schema\":1,\"kind\":\"picture\""),
    ] {
        let args = ["show", "--format", format, "((2,2),4):((1,4),8)"];
        let printed = layout(&args);
        assert!(text(&printed.stdout).starts_with(start), "{format}: {}", text(&printed.stdout));
        let file = folder.join(format);
        let path = file.to_str().expect("text");
        let written = layout(&[&args[..], &["-o", path]].concat());
        assert_eq!((text(&written.stdout), written.status.code()), ("", Some(0)), "{format}");
        assert_eq!(std::fs::read(&file).expect("a file"), printed.stdout, "{format}");
        // An invalid expression writes no file.
        let path = folder.join("none");
        let wrong = layout(&["show", "--format", format, "-o", path.to_str().expect("text"), "(4"]);
        assert!(wrong.status.code() == Some(1) && !path.exists(), "{format}");
    }
    std::fs::remove_dir_all(&folder).expect("it was there");
    let lines = layout(&["show", "--format", "svg", "--color-by", "line", "(4,64)"]);
    assert!(text(&lines.stdout).contains("cache line of 128 bytes"));
    let output = common::lines(&["show", "--format", "json", "-"], b"(2,2)\n(4\n".to_vec());
    let lines: Vec<serde_json::Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(
        (&lines[0]["title"], &lines[1]["errors"][0]["start"]),
        (&"(2,2):(1,2)".into(), &0.into())
    );
    for (args, status) in [
        (&["show", "--format", "svg", "-"][..], 2),
        (&["show", "--format", "png", "8"], 2),
        (&["show", "--format", "svg", "--json", "8"], 2),
        (&["show", "--color-by", "taste", "8"], 2),
        (&["show", "--tv", "8", "--threads", "8", "8"], 2),
        (&["show", "--banks", "0", "8"], 2),
        (&["show", "--color-by", "thread", "8"], 1),
        (&["show", "--color-by", "line", "--memory", "gpu-shared", "8"], 1),
        (&["show", "--color-by", "bank", "--memory", "cpu", "8"], 1),
        (&["show", "--color-by", "swizzle", "8"], 1),
        (&["show", "--view", "padded", "Sw<1,0,1> o 0 o (2,2):(2,1)"], 1),
        (&["show", "--tv", "(4", "8"], 1),
        (&["show", "--tv", "16:1", "8"], 1),
        (&["show", "-o", "/", "8"], 1),
    ] {
        let output = layout(args);
        assert_eq!(output.status.code(), Some(status), "{args:?}");
        assert!(text(&output.stderr).starts_with("error"), "{args:?}: {}", text(&output.stderr));
    }
}

#[test]
fn show_fits_the_width_of_the_terminal() {
    let wide = |args: &[&str]| {
        let mut command = command(&[&["show", "(3,100):(100,1)"], args].concat());
        let output = command.env("COLUMNS", "60").stdin(Stdio::null()).output().expect("it runs");
        let picture = text(&output.stdout).split("\n\n").nth(1).expect("a picture").to_owned();
        (picture.lines().map(|line| line.chars().count()).max().expect("a line"), picture)
    };
    let (width, picture) = wide(&[]);
    assert!(width <= 60 && picture.contains("of 100 columns"), "{picture}");
    let (width, picture) = wide(&["--all"]);
    assert!(width > 500 && picture.contains("299") && !picture.contains('…'), "{picture}");
    let (_, picture) = wide(&["--color", "always"]);
    assert!(picture.contains('▀') && picture.contains('\u{1b}'), "{picture}");
}

#[test]
fn gallery_matches_the_command() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs");
    let page = std::fs::read_to_string(format!("{docs}/gallery.md")).expect("the gallery");
    let mut count = 0;
    for part in page.split("](gallery/").skip(1).filter(|part| part.contains("```sh")) {
        let (file, rest) = part.split_once(')').expect("a file");
        let Some(line) = rest.lines().find_map(|line| line.strip_prefix("layout ")) else {
            continue;
        };
        // No expression has a quote or a backslash.
        let mut words = Vec::new();
        for (i, quoted) in line.split('\'').enumerate() {
            match i % 2 {
                0 => words.extend(quoted.split_whitespace()),
                _ => words.push(quoted),
            }
        }
        let written = std::fs::read_to_string(format!("{docs}/gallery/{file}")).expect("a picture");
        assert!(text(&layout(&words).stdout) == written, "{line}");
        count += 1;
    }
    assert!(count > 50, "{count} pictures");
}

#[test]
fn locate_goes_both_ways() {
    let packed = "[1, 0, 1 p(4)] for (6, 8)";
    prints(&["locate", &format!("{packed} @ (5,7)")], r#"{"offset":47,"coordinate":[5,[3,1]]}"#);
    prints(&["locate", &format!("{packed} # 47")], "[5,[3,1]]");
    prints(&["locate", "(6,4):(8,1)#7"], r#""padding""#);
    prints(&["locate", "(4,8):(1@0,2@1)@(2,3)"], r#"{"offset":[2,6],"coordinate":[2,3]}"#);
    prints(&["locate", "Sw<1,0,1> o 0 o (2,2):(2,1) # 2"], "[1,1]");
    for (question, error, carets) in [
        ("(6,4):(8,1) # 44", "offset 44 is not below 44", "              ^^"),
        ("(6,4):(8,1) @ (6,0)", "coordinate 6 is not below extent 6", "              ^^^^^"),
        ("(6,4):(8,1)", "expected `@` and a coordinate", "           ^"),
        ("(6,4):(8,1) @ (1,x)", "`x` has no value here", "                 ^"),
        ("(6,:(8,1) @ (1,2)", "expected", ""),
    ] {
        let output = layout(&["locate", question]);
        let errors = text(&output.stderr);
        assert!(errors.contains(error), "{question}: {errors}");
        assert!(errors.contains(&format!("| {carets}")), "{question}: {errors}");
        assert_eq!(output.status.code(), Some(1), "{question}");
    }
}

#[test]
fn locate_finds_the_core_of_a_device() {
    let on = |grid| {
        format!("tensor<64x64xf32, #tt.metal_layout<collapse = [], undef, <{grid}>>> @ (9,60)")
    };
    let core = |args: &[&str], grid| {
        let question = on(grid);
        let output = layout(&[&["locate"], args, &[question.as_str()]].concat());
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
        answer["device_core"].to_string()
    };
    assert_eq!(core(&["--chip", "8x8"], "8x8"), "[0,1,7]");
    assert_eq!(core(&["--chip", "8x8", "--mesh", "1x2"], "8x16"), "[1,1,7]");
    // Width sharding: cores in sequence.
    assert_eq!(core(&["--chip", "8x8"], "1x64"), "[0,7,4]");
    assert_eq!(core(&["--chip", "4x4"], "8x8"), "[0,3,3]");
    assert_eq!(core(&[], "8x8"), "null");
    let wide = on("8x16");
    for (args, error, status) in [
        (&["--chip", "8x8", "--mesh", "1x1", wide.as_str()][..], "error[L0830]", 1),
        (&["--chip", "8x8", "8:2 @ 1"], "expected a metal layout", 1),
        (&["--chip", "8", "8:2 @ 1"], "expected rows and columns", 2),
        (&["--mesh", "1x2", "8:2 @ 1"], "--chip", 2),
    ] {
        let output = layout(&[&["locate"], args].concat());
        assert!(text(&output.stderr).contains(error), "{args:?}: {}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(status), "{args:?}");
    }
}

#[test]
fn convert_to_another_notation() {
    let packed = "[1, 0, 1 p(4)] for (6, 8)";
    prints(&["convert", "--to", "cute", packed], "(6,(4,2)):(4,(1,24))");
    prints(&["convert", "--to", "rust", "(4,8)"], "static_layout::layout!((4,8):(1,4))");
    let shards = "tensor<36x40xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x2>, \
                  memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>>";
    prints(&["convert", "--to", "cute", shards], "((18,2),(20,2)):((32,2048),(1,1024))");
    prints(&["convert", "--to", "tenstorrent", "((18,2),(20,2)):((32,2048),(1,1024))"], shards);
    let today = "tensor<2x1x1x1x!ttcore.tile<32x32, bf16>, #ttcore.metal_layout<logical_shape = 53x20, \
                 dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, \
                 l1, sharded>>";
    let with_a_map = "tensor<53x20xbf16, #tt.metal_layout<(d0, d1) -> (d0, d1), physical = 64x32, undef, \
                      <2x1>, memref<1x1x!tt.tile<32x32, bf16>, #tt.memory_space<l1>>>>";
    prints(&["convert", "--to", "tenstorrent", today], with_a_map);
    let strided = "sizes [6, 8], strides [8, 1]";
    prints(&["convert", "--to", "strides", "(6,(4,2)):(8,(1,4))"], strided);
    let output = layout(&["convert", "--to", "strides", packed]);
    assert!(text(&output.stderr).contains("mode 1 is (4,2):(1,24), which has no single stride"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn reshard_lists_transfers() {
    let rows = "tensor<4x6xf32, #tt.metal_layout<collapse = [], undef, <2x1>>>";
    let columns = "tensor<4x6xf32, #tt.metal_layout<collapse = [], undef, <1x2>>>";
    prints(
        &["reshard", &format!("{rows} => {columns}")],
        "\
shape        (4,6)
size         24
moved_elems  12
core_pairs   4
max_pair     6

0 -> 0: [0..2, 0..3]
0 -> 1: [0..2, 3..6]
1 -> 0: [2..4, 0..3]
1 -> 1: [2..4, 3..6]",
    );
    // The part of one core. Moves within the core are listed once.
    prints(
        &["reshard", "--core", "1", &format!("{rows} => {columns}")],
        "\
shape           (4,6)
core            1
elems_before    12
elems_after     12
sent_elems      6
received_elems  6
destinations    2
sources         2

1 -> 0: [2..4, 0..3]
1 -> 1: [2..4, 3..6]
0 -> 1: [0..2, 3..6]",
    );
    let output = layout(&["reshard", "--core", "2", &format!("{rows} => {columns}")]);
    assert!(text(&output.stderr).contains("core 2 is not below 2"), "{}", text(&output.stderr));
    // A tensor of 2^40 elements on 4096 cores: the whole plan is never built.
    let grid = |grid| {
        let shape = "tensor<1048576x1048576xf32";
        format!("{shape}, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <{grid}>>>")
    };
    let pair = format!("{} => {}", grid("4096x1"), grid("64x64"));
    let output = layout(&["reshard", "--core", "4095", &pair]);
    let answer = text(&output.stdout);
    assert!(answer.contains("destinations    64\nsources         64\n"), "{answer}");
    assert_eq!(answer.lines().count(), 8 + 1 + 2 * 64 - 1, "{answer}");
    let json = r#"{"schema":1,"shape":[4,6],"size":24,"moved_elems":0,"core_pairs":1,"max_pair":24,"transfers":[{"source":0,"destination":0,"elems":24,"regions":[[[0,4],[0,6]]]}]}"#;
    prints(&["reshard", "--json", "(4,6):(6,1)=>[1, 0] for (4, 6)"], json);
    for (pair, error, carets) in [
        ("(4,6) => (4,7)", "error[L0612]: reshard: source shape (4,6)", "^^^^^^^^^^^^^^"),
        ("(4,6) => (4,x)", "`x` has no value here", "            ^"),
        ("(4,6) -> (4,6)", "expected `=>`", "              ^"),
        ("(4,0) => (4,0)", "error[L0205]", "^^^^^"),
    ] {
        let output = layout(&["reshard", pair]);
        let errors = text(&output.stderr);
        assert!(errors.contains(error), "{pair}: {errors}");
        assert!(errors.contains(&format!("| {carets}")), "{pair}: {errors}");
        assert_eq!(output.status.code(), Some(1), "{pair}");
    }
}

#[test]
fn lists_without_a_shape_have_operations() {
    for (expression, answer) in [
        ("canonical([1, 0, 1 p(4), 0 p(4)], (4, 8))", "[1, 0]"),
        ("drop_dims([0, 2, 1, 2 p(16)], 0)", "[1, 0, 1 p(16)]"),
        ("drop_dims([0, 2, 1, 2 p(16)], (0, 1))", "[0, 0 p(16)]"),
        ("swap_dims([1, 0, 1 p(4)], 0, 1)", "[0, 1, 0 p(4)]"),
        ("tile_dims([1, 0, 1 p(4)], (6, 8), (6, 4))", "[0, 1]"),
        ("contiguous_dims([1, 0, 1 p(4)], (6, 8), (2, 8))", "2"),
        ("cache_lines([0, 1], (6, 8), 4)", "3"),
        ("cache_lines([0, 1], (32, 32), 4, (4, 15))", "4"),
        ("nhwc((2,8,3,2))", "(2,8,3,2):(48,1,16,8)"),
        ("nchwc((2,8,3,2), 4)", "(2,(4,2),3,2):(48,(1,24),8,4)"),
    ] {
        prints(&["eval", expression], answer);
    }
    for (expression, error) in [
        ("canonical([1, 0, 1 p(4)], (6, 10))", "size 4 does not divide 10"),
        ("canonical((6,8):(8,1), (6, 8))", "expected a Morello layout without a shape"),
        ("drop_dims([0 oe(4), 1, 0 oe(4)], 1)", "dimension 0"),
        ("tile_dims([0, 1], (6, 8), (6, 9))", "9"),
        ("nhwc((2,8,3))", "dimension 3"),
        ("nchwc((2,8,3,2), 3)", "size 3 does not divide 8"),
        ("cache_lines([0, 1], ((2,3), 8), 4)", "nested"),
    ] {
        let output = layout(&["eval", expression]);
        assert!(text(&output.stderr).contains(error), "{expression}: {}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(1), "{expression}");
    }
}

#[test]
fn streams_have_one_answer_per_line() {
    for (args, input, expected) in [
        (&["show", "-"][..], "8:2\n(4\n", "{\"schema\":1,\"text\":\"8:2\""),
        (&["locate", "-"][..], "8:2 # 4\n(4\n", "2\nerror: "),
        (&["reshard", "-"][..], "8 => 8:2\n(4\n", "{\"schema\":1,\"shape\":[8],\"size\":8,"),
        (&["convert", "--to", "cute", "-"][..], "8\n(4\n", "8:1\nerror: "),
    ] {
        let output = common::lines(args, input.as_bytes().to_vec());
        let answer = text(&output.stdout);
        assert!(answer.starts_with(expected), "{args:?}: {answer}");
        assert_eq!(answer.lines().count(), 2, "{args:?}: {answer}");
        assert_eq!(output.status.code(), Some(1), "{args:?}");
    }
}

#[test]
fn with_json_every_answer_is_an_object_with_its_schema() {
    for args in [
        &["eval", "--json", "(4,8)"][..],
        &["eval", "--json", "(4,8"],
        &["show", "--json", "(4,8)"],
        &["show", "--json", "(4,8):(1,x)"],
        &["locate", "--json", "(4,8) @ (1,2)"],
        &["locate", "--json", "(4,8) # 3"],
        &["locate", "--json", "4:2 # 3"],
        &["locate", "--json", "(4,8) @ (9,2)"],
        &["convert", "--json", "--to", "rust", "(4,8)"],
        &["convert", "--json", "--to", "strides", "[1, 0, 1 p(4)] for (6, 8)"],
        &["reshard", "--json", "8 => 8:2"],
        &["reshard", "--json", "8 => 7"],
    ] {
        let one = layout(args);
        let (question, before) = args.split_last().expect("arguments");
        let line = common::lines(&[before, &["-"]].concat(), format!("{question}\n").into_bytes());
        assert_eq!(text(&one.stdout), text(&line.stdout), "{args:?}");
        assert_eq!(one.status.code(), line.status.code(), "{args:?}");
        assert_eq!(text(&one.stderr), "", "{args:?}");
        let answer: serde_json::Value = serde_json::from_slice(&one.stdout).expect("JSON");
        assert_eq!(answer["schema"], 1, "{args:?}");
        let is_error = one.status.code() == Some(1);
        assert_eq!(answer["errors"][0]["message"].is_string(), is_error, "{args:?}: {answer}");
    }
}

#[test]
fn errors_outside_of_expressions_are_objects_too() {
    for (args, status) in [
        (&["explain", "--json"][..], 0),
        (&["explain", "--json", "L0301"], 0),
        (&["explain", "--json", "L9999"], 1),
        (&["show", "--json", "--mlir", "/nonexistent"], 1),
        (&["check", "--json", "/nonexistent"], 2),
        (&["access", "--json", "--banks", "0", "--tv", "4", "4"], 2),
        (&["diff", "--json", "4", "(4"], 2),
    ] {
        let output = layout(args);
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{args:?}: {}", text(&output.stdout)));
        assert_eq!((&answer["schema"], text(&output.stderr)), (&1.into(), ""), "{args:?}");
        assert_eq!(answer["errors"][0]["message"].is_string(), status > 0, "{args:?}: {answer}");
        assert_eq!(output.status.code(), Some(status), "{args:?}");
    }
}

#[test]
fn colours_are_asked_for() {
    let run = |args: &[&str], variable: Option<(&str, &str)>| {
        let mut command = command(args);
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"] {
            command.env_remove(name);
        }
        let output =
            command.envs(variable).stdin(Stdio::null()).output().expect("the command runs");
        [output.stdout, output.stderr].concat().contains(&0x1b)
    };
    for question in [&["eval", "(4,"][..], &["evaluate"], &["--help"]] {
        let with = |when: &'static str| [&["--color", when], question].concat();
        assert!(!run(question, None), "{question:?}");
        assert!(run(&with("always"), None), "{question:?}");
        assert!(run(question, Some(("CLICOLOR_FORCE", "1"))), "{question:?}");
        assert!(!run(&with("never"), Some(("CLICOLOR_FORCE", "1"))), "{question:?}");
        assert!(run(&with("always"), Some(("NO_COLOR", "1"))), "{question:?}");
        assert!(!run(&with("auto"), Some(("NO_COLOR", "1"))), "{question:?}");
    }
    assert_eq!(layout(&["--color", "sometimes", "eval", "8"]).status.code(), Some(2));
}

#[test]
fn completions_and_pages_of_the_manual() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = layout(&["completions", shell]);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{shell}");
        assert!(text(&output.stdout).contains("reshard"), "{shell}");
    }
    assert_eq!(layout(&["completions", "sh"]).status.code(), Some(2));
    let page = layout(&["man"]);
    assert!(text(&page.stdout).contains(".TH layout 1"), "{}", text(&page.stdout));
    for name in text(&layout(&["man", "--list"]).stdout).lines() {
        let page = layout(&["man", name]);
        let title = format!(".TH layout-{name} 1");
        assert!(text(&page.stdout).contains(&title), "{}", text(&page.stdout));
        assert!(text(&page.stdout).contains("Examples:"), "{}", text(&page.stdout));
    }
    assert_eq!(layout(&["man", "evaluate"]).status.code(), Some(2));
}

#[test]
fn show_lists_the_tensors_of_a_file() {
    let file = std::env::temp_dir().join(format!("static-layout-{}.mlir", std::process::id()));
    let path = file.to_str().expect("text");
    let rows = "#l1 = #ttnn.buffer_type<l1>\n\
                #rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <4x1>, memref<32x64xf32, #l1>, <height_sharded>>\n\
                func.func @f(%a: tensor<128x64xf32, #rows>) -> tensor<128x64xf32, #rows> {}\n";
    std::fs::write(&file, rows).expect("a file");
    let right = layout(&["show", "--mlir", path]);
    let shown = text(&right.stdout).to_owned();
    assert!(
        shown.starts_with(&format!("{path}:3: tensor<128x64xf32, #ttnn.ttnn_layout<")),
        "{shown}"
    );
    assert!(shown.contains("\n  uses                    2\n"), "{shown}");
    assert_eq!((right.status.code(), text(&right.stderr)), (Some(0), ""));
    let wrong = format!("{rows}func.func @g(%a: tensor<256x64xf32, #rows>)\n");
    std::fs::write(&file, wrong).expect("a file");
    let output = layout(&["show", "--mlir", path]);
    let report = text(&output.stderr);
    assert!(report.starts_with("error[L0813]: memref extent 0 is 32 and must be 64"), "{report}");
    assert!(report.contains(&format!("{path}:2:63")), "{report}");
    assert_eq!(output.status.code(), Some(1));
    let output = layout(&["show", "--json", "--mlir", path]);
    let objects: Vec<serde_json::Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(objects[0]["memref"], serde_json::json!([32, 64]));
    assert_eq!(objects[1]["errors"][0]["line"], 2);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), ""));
    std::fs::remove_file(&file).expect("it was there");
    assert_eq!(layout(&["show", "--mlir", path]).status.code(), Some(1));
    assert_eq!(layout(&["show", "--mlir", path, "8:1"]).status.code(), Some(2));
}
