//! Tensor types as in tt-mlir's files: the records of `tt_mlir.jsonl`, generated texts of the same
//! kinds, and malformed ones.

use proptest::prelude::*;
use serde_json::{Value, json};
use static_layout::devices::tenstorrent::{
    DeviceCore, Encoding, IndexMap, MetalLayout, TensorType,
};
use static_layout::{LayoutError, layout};

mod common;
use common::{records, text};

#[test]
fn every_type_is_read_or_refused_by_its_rule() {
    let records = records("tt_mlir.jsonl");
    let (mut read, mut refused) = (0, 0);
    for record in &records {
        let written = text(&record["text"]);
        match TensorType::parse(&written) {
            Ok(tensor) => {
                assert_eq!(record["ok"], true, "{record}");
                check(&tensor, record);
                read += 1;
            }
            Err(error) => {
                assert_eq!(record["ok"], false, "{record}: {error}");
                check_rule(&error.problems()[0].error, record);
                refused += 1;
            }
        }
    }
    assert_eq!((read, refused), (607, 92));
}

fn check(tensor: &TensorType, record: &Value) {
    let layout = tensor.layout();
    if record["memref"].is_array() {
        let memref = layout.memref();
        assert_eq!(json!(memref.leaves()), record["memref"], "{record}");
        assert_eq!(json!(layout.grid()), record["grid"], "{record}");
    }
    assert_eq!(TensorType::parse(&tensor.to_string()).as_ref(), Ok(tensor), "{record}");
    // The last element is inside the buffer of its core, and its slot maps back to it.
    let last: Vec<_> = layout.shape().iter().map(|extent| extent - 1).collect();
    let at = layout.locate(&last).expect("it is in the tensor");
    assert!(at.offset < layout.storage(), "{record}");
    let found = layout.coordinate(at.core.leaves(), at.offset).expect("a slot");
    assert_eq!(found.map(|c| c.leaves().to_vec()), Some(last), "{record}");
    let as_metal = MetalLayout::parse(&layout.to_string());
    assert_eq!(as_metal.as_ref(), Ok(layout), "{record}");
}

/// The error contains the numbers of the record: `memref [1, 1] is not [4, 2]`.
fn check_rule(error: &LayoutError, record: &Value) {
    let why = text(&record["why"]);
    let list = |text: &str| -> Vec<usize> {
        text.split(['[', ']'])
            .nth(1)
            .map_or(vec![], |list| list.split(", ").filter_map(|n| n.parse().ok()).collect())
    };
    let (given, derived) = why.split_once(" is not ").expect("two lists");
    let (given, derived) = (list(given), list(derived));
    match error.code() {
        "L0813" => {
            let i = given.iter().zip(&derived).position(|(a, b)| a != b).expect("they differ");
            let message = format!("memref extent {i} is {} and must be {}: ", given[i], derived[i]);
            assert!(error.to_string().starts_with(&message), "{record}: {error}");
        }
        // Rules checked before the memref.
        "L0801" => assert!(text(&record["text"]).starts_with("tensor<0x"), "{record}"),
        "L0805" | "L0834" => {}
        other => panic!("{other} for {record}"),
    }
}

/// A TTNN layout of 100 x 64 on a grid of 4 x 1, with `rest` after the map.
fn ttnn(rest: &str) -> String {
    format!("tensor<100x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), {rest}>>")
}

const MEMREF: &str = "memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>";

#[test]
fn older_spellings_are_read() {
    let printed = ttnn(&format!(
        "<4x1>, {MEMREF}, <height_sharded>, core_ranges = <[#ttnn.core_range<(0, 0), (3, 0)>]>"
    ));
    let tensor = TensorType::parse(&printed).unwrap();
    assert_eq!(tensor.to_string(), printed);
    for (from, to) in [
        ("ttcore.tile", "tt.tile"),
        ("<height_sharded>", "height_sharded"),
        ("core_ranges = <[", "core_ranges = #ttnn.core_range_set<["),
        ("#ttnn.core_range<", "<"),
        ("(0, 0), (3, 0)", "(0,0),(3,0)"),
        ("32x32, bf16", "32 x 32,bf16"),
        (">]>>>", ">]>, exactGrid = false>\n >"),
    ] {
        let older = printed.replace(from, to);
        assert_ne!(older, printed, "{from}");
        assert_eq!(TensorType::parse(&older).as_ref(), Ok(&tensor), "{older}");
    }
    let metal = |attribute: &str, memory: &str| {
        format!(
            "tensor<16x64xf32, #{attribute}<(d0, d1) -> (d0, d1), undef, <1x4>, \
             memref<16x16xf32, #tt.memory_space<l1>>{memory}>>"
        )
    };
    let today = metal("tt.metal_layout", "");
    for (text, printed) in [
        (metal("tt.layout", ""), today.clone()),
        (metal("ttcore.metal_layout", ""), today),
        (metal("tt.layout", ", interleaved"), metal("tt.metal_layout", ", interleaved")),
        (metal("tt.layout", ", none_layout"), metal("tt.metal_layout", ", none_layout")),
    ] {
        assert_eq!(TensorType::parse(&text).unwrap().to_string(), printed, "{text}");
    }
    assert!(TensorType::parse(&metal("ttcore.layout", "")).is_err());
}

#[test]
fn aligned_types_print_as_they_are_written() {
    let aligned = |rest: &str| {
        format!(
            "tensor<1x1x2x4x!ttcore.tile<32x32, f32>, #ttcore.metal_layout<logical_shape = 64x128, \
             dim_alignments = 32x32, collapsed_intervals = dense<[[0, -1]]> : tensor<1x2xi64>, {rest}>>"
        )
    };
    for rest in [
        "l1, sharded",
        "dram, interleaved",
        "undef, l1",
        "zero, l1, sharded, index_map = (d0, d1, d2, d3) -> (d1, d0 + 2, d2 floordiv 8, (d3 - 1) mod 8)",
    ] {
        let text = aligned(rest);
        assert_eq!(TensorType::parse(&text).unwrap().to_string(), text);
        let older = text.replace("collapsed_intervals", "collapse_dims");
        assert_eq!(TensorType::parse(&older).unwrap().to_string(), text);
    }
}

#[test]
fn an_error_is_under_its_token() {
    let broken = |rest: &str, code: &str, token: &str| {
        let text = ttnn(rest);
        let error = TensorType::parse(&text).expect_err(&text);
        let problem = &error.problems()[0];
        assert_eq!((problem.error.code(), &text[problem.span.clone()]), (code, token), "{text}");
    };
    broken("<4x1>, memref<1x3x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>", "L0813", "1x3x");
    broken("<4x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l2>>", "L0836", "l2");
    broken("<4x1>, memref<1x2x!ttcore.tile<32x32, bf16>>", "L0107", ">");
    broken("<4>, memref<100x64xbf16, #ttnn.buffer_type<l1>>", "L0804", "4");
    broken("<4x0>, memref<25x64xbf16, #ttnn.buffer_type<l1>>", "L0802", "4x0");
    broken("<4x1, (d0) -> (0, d0)>, memref<25x64xbf16>", "L0843", "(d0) -> (0, d0)");
    broken("<4x1, (d0, d1) -> (0, d2)>", "L0806", "d2");
    broken("<4x1, (d0, d1) -> (0, d0 mod -2)>", "L0106", "-");
    broken("<4x1, (d0, d1) -> (0, d0 floordiv (1 - 1))>", "L0841", "(1 - 1)");
    broken("<4x1, (d0, d1) -> (0, d0 ceildiv d1)>", "L0841", "d1");
    broken("<4x1, (d0, d1) -> (0, d0 * d1)>", "L0842", "d1");
    broken(&format!("<4x1>, {MEMREF}, <sharded>"), "L0835", "sharded");
    broken(&format!("<4x1>, {MEMREF}, <block_sharded>, <block_sharded>"), "L0107", "<");
    let ranges =
        |ranges: &str| format!("<4x1>, {MEMREF}, <height_sharded>, core_ranges = {ranges}");
    broken(&ranges("<[<(0, 1), (0, 0)>]>"), "L0837", "<(0, 1), (0, 0)>");
    broken(&ranges("<[<(0, 0), (0, 1)>, <(0, 1), (3, 3)>]>"), "L0838", "<(0, 1), (3, 3)>");
    broken(&ranges("<[<(0, 0)>]>"), "L0107", ">");
    broken(&ranges("<[<(0, 0), (0, 99999999999999999999)>]>"), "L0103", "99999999999999999999");
}

#[test]
fn hostile_types_are_errors() {
    let deep = |n| format!("<1x1, (d0, d1) -> (0, {}d0{}, d1)>", "(".repeat(n), ")".repeat(n));
    let error = TensorType::parse(&ttnn(&deep(100_000))).unwrap_err();
    assert_eq!(error.problems()[0].error.code(), "L0109");
    let long =
        ttnn(&format!("<4x1, (d0, d1) -> (0, d0{}, d1)>, {MEMREF}", " + d0".repeat(100_000)));
    let tensor = TensorType::parse(&long).unwrap();
    assert_eq!(tensor.device_core(&[1, 0]), Ok(Some(DeviceCore { chip: 0, y: 100_001, x: 0 })));
    let ranges =
        (0..100_000).map(|x| format!("<({x}, 0), ({x}, 0)>")).collect::<Vec<_>>().join(", ");
    assert!(
        TensorType::parse(&ttnn(&format!("<4x1>, {MEMREF}, core_ranges = <[{ranges}]>"))).is_err()
    );
    let negative = ttnn(&format!("<4x1, (d0, d1) -> (0, d0 - 1, d1)>, {MEMREF}"));
    let error = TensorType::parse(&negative).unwrap().device_core(&[0, 0]).unwrap_err();
    assert_eq!(error.code(), "L0844");
    for text in [
        "tensor<9223372036854775807x9223372036854775807xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), \
         <1x1>, memref<1x1xf32, #ttnn.buffer_type<l1>>>>",
        "tensor<8x8xf32, #ttnn.ttnn_nd_layout<<1x1>, \
         memref<1x4611686018427387904x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<l1>>, <interleaved>>>",
        "tensor<8x8xf32, #ttnn.ttnn_nd_layout<<1x1>, memref<0x8xf32, #ttnn.buffer_type<l1>>, <interleaved>>>",
        "tensor<8x8xf32, #ttnn.ttnn_nd_layout<<0x1>, memref<8x8xf32, #ttnn.buffer_type<l1>>, <interleaved>>>",
    ] {
        assert!(TensorType::parse(text).is_err(), "{text}");
    }
}

#[test]
fn shards_of_any_rank_are_dealt_to_cores() -> Result<(), LayoutError> {
    let nd = |grid: &str, rest: &str| {
        let text = format!(
            "tensor<3x70x64xbf16, #ttnn.ttnn_nd_layout<<{grid}>, \
             memref<1x1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <nd_sharded>{rest}>>"
        );
        let tensor = TensorType::parse(&text)?;
        assert_eq!(tensor.to_string(), text);
        Ok::<_, static_layout::text::ParseError>(tensor)
    };
    let tensor = nd("2x2", ", <col_major>, <round_robin_1d>").unwrap();
    // 3 x 3 shards of 32 x 64.
    assert_eq!(tensor.layout().grid(), &[3, 3, 1]);
    let at = tensor.layout().locate(&[2, 69, 5])?;
    assert_eq!((at.core.leaves(), at.offset), (&[2, 2, 0][..], 5 * 32 + 5));
    let core = |tensor: &TensorType, at: [usize; 3]| {
        tensor.device_core(&at).map(|core| core.map(|core| (core.y, core.x)))
    };
    // Shards 8 and 5 on 4 cores.
    assert_eq!(core(&tensor, [2, 2, 0]), Ok(Some((0, 0))));
    assert_eq!(core(&tensor, [1, 2, 0]), Ok(Some((1, 0))));
    let rows = nd("2x2", "").unwrap();
    assert_eq!(core(&rows, [1, 2, 0]), Ok(Some((0, 1))));
    let grid = nd("9x1", ", <row_major>, <grid_2d>").unwrap();
    assert_eq!(core(&grid, [1, 2, 0]), Ok(Some((5, 0))));
    let error = nd("8x1", ", <grid_2d>").unwrap_err();
    assert_eq!(error.problems()[0].error.code(), "L0840");
    Ok(())
}

#[test]
fn types_are_static_layouts() {
    type Rows = layout!(tensor<100x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <4x1>,
        memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <height_sharded>,
        core_ranges = <[#ttnn.core_range<(0, 0), (3, 0)>]>>>);
    let text = ttnn(&format!("<4x1>, {MEMREF}, <height_sharded>"));
    assert_eq!(Rows::LAYOUT, MetalLayout::parse(&text).unwrap());
    assert_eq!(Rows::CORES, 4);
}

#[test]
fn whole_tiles_are_divided() -> Result<(), LayoutError> {
    // 5 rows of tiles on 3 cores: 2, 2 and 1.
    let text = "tensor<160x32xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <3x1>, \
                memref<2x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<l1>>, <height_sharded>>>";
    let tensor = TensorType::parse(text).unwrap();
    let Encoding::Ttnn(ttnn) = tensor.encoding() else { panic!("a TTNN layout") };
    assert_eq!((ttnn.core_ranges.as_ref(), ttnn.exact_grid), (None, false));
    let layout = tensor.layout();
    assert_eq!(layout.locate(&[63, 0])?.core.leaves(), &[0, 0]);
    assert_eq!(layout.locate(&[64, 0])?.core.leaves(), &[1, 0]);
    assert_eq!(layout.core(&[2, 0])?.data, 32 * 32);
    Ok(())
}

/// An affine map, and its value at a coordinate.
fn index_map() -> impl Strategy<Value = (String, Vec<isize>, [usize; 3])> {
    let leaf = prop_oneof![
        (0..3usize).prop_map(|d| (format!("d{d}"), d, 0)),
        (0..9usize).prop_map(|n| (n.to_string(), 3, n))
    ];
    let coordinate = [0..50usize, 0..50usize, 0..50usize];
    let step = (leaf.clone(), 0..4usize, 1..9isize, any::<bool>());
    (proptest::collection::vec(proptest::collection::vec(step, 1..4), 1..4), coordinate).prop_map(
        |(sums, coordinate)| {
            let mut results = Vec::new();
            let texts: Vec<String> = sums
                .iter()
                .map(|steps| {
                    let (mut text, mut value) = (String::new(), 0isize);
                    for (i, ((leaf, d, n), operator, constant, group)) in steps.iter().enumerate() {
                        let leaf_value = coordinate.get(*d).copied().unwrap_or(*n) as isize;
                        let (name, result) = match operator {
                            0 => ("*", leaf_value * constant),
                            1 => ("mod", leaf_value.rem_euclid(*constant)),
                            2 => ("floordiv", leaf_value.div_euclid(*constant)),
                            _ => ("ceildiv", -(-leaf_value).div_euclid(*constant)),
                        };
                        let term = format!("{leaf} {name} {constant}");
                        let term = if *group { format!("({term})") } else { term };
                        let minus = i % 2 == 1;
                        text += match (i, minus) {
                            (0, _) => "",
                            (_, true) => " - ",
                            _ => " + ",
                        };
                        text += &term;
                        value += if minus { -result } else { result };
                    }
                    results.push(value);
                    text
                })
                .collect();
            (format!("(d0, d1, d2) -> ({})", texts.join(", ")), results, coordinate)
        },
    )
}

proptest! {
    #[test]
    fn index_maps_are_what_they_say((text, wanted, coordinate) in index_map()) {
        let map = IndexMap::parse(&text).unwrap();
        prop_assert_eq!(map.apply(&coordinate).unwrap(), wanted, "{}", text);
        prop_assert_eq!(map.to_string(), text);
    }

    /// Truncated, duplicated or altered text is read or refused. What is read prints losslessly.
    #[test]
    fn broken_text_is_no_panic(
        record in 0..699usize,
        at in 0..300usize,
        len in 0..9usize,
        new in "[-0-9x(),<>=\\[\\]# !.a-f]{0,4}",
    ) {
        let mut text = text(&records("tt_mlir.jsonl")[record]["text"]);
        let (at, end) = (at.min(text.len()), (at + len).min(text.len()));
        text.replace_range(at..end, &new);
        if let Ok(tensor) = TensorType::parse(&text) {
            prop_assert_eq!(TensorType::parse(&tensor.to_string()).unwrap(), tensor);
        }
    }
}
