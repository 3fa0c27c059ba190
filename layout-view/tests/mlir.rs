//! The tensor types in MLIR files, and invalid files.

use std::path::Path;

use layout_core::devices::tenstorrent::TensorType;
use layout_view::mlir::{MlirEncoding, MlirTensor, mlir_tensors};
use serde_json::Value;

/// The texts of the records of `tt_mlir.jsonl`.
fn records() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/tt_mlir.jsonl");
    let text = std::fs::read_to_string(path).expect("a file of records");
    let record = |line| serde_json::from_str(line).expect("one JSON object a line");
    let texts =
        text.lines().map(record).map(|record: Value| record["text"].as_str().map(str::to_owned));
    texts.map(|text| text.expect("a text")).collect()
}

const FILE: &str = r#"// tensor<1x1xf32, #nothing>
#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1> // and what is behind
#core_range = #ttnn.core_range<(0,0), (3,0)>
#ranges = #ttnn.core_range_set<[#core_range]>
#map = affine_map<(d0, d1) -> (d0, d1)>
!tile = !ttcore.tile<32x32, bf16>
#rows = #ttnn.ttnn_layout<#map, <4x1>,
  memref<1x2x!tile, #l1>,
  <height_sharded>, core_ranges = #ranges>
#other = #sparse.thing<a>
!rows = tensor<128x64xbf16, #rows>
func.func @f(%a: !rows, %b: tensor<256x64xbf16, #rows>, %c: tensor<4x4xf32>) -> tensor<4xf32, #other> {
  %0 = "ttnn.op"(%a) {text = "tensor<1x1xf32, #rows>"} : (!rows) -> tensor<128x64xbf16,
    #rows>
  "ttnn.op"(%0) : () -> (tensor<4x4xf32, #gone>, tensor<100x64xbf16, #rows>)
  %1 = tensor.empty() : tensor<2x1x1x1x!tile, #ttcore.metal_layout<logical_shape = 53x20,
    dim_alignments = 32x32, collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, l1, sharded>>
}
"#;

#[test]
fn the_types_of_a_file_are_listed() {
    let tensors = mlir_tensors(FILE);
    let found: Vec<_> = tensors
        .iter()
        .map(|tensor| {
            let kind = match &tensor.encoding {
                Ok(MlirEncoding::Placed(placed)) => {
                    assert_eq!(placed.to_string(), tensor.text);
                    "placed".to_owned()
                }
                Ok(MlirEncoding::None) => "none".to_owned(),
                Ok(_) => "other".to_owned(),
                Err(error) => {
                    let problem = &error.problems()[0];
                    format!("{} {}", problem.error.code(), &FILE[problem.span.clone()])
                }
            };
            (tensor.lines.clone(), tensor.uses, kind)
        })
        .collect();
    let wanted = [
        (vec![12, 14], 2, "placed"),
        (vec![13], 1, "L0813 1x2x"),
        (vec![13], 1, "none"),
        (vec![13], 1, "other"),
        (vec![16], 1, "L0847 #gone"),
        (vec![16], 1, "placed"),
        (vec![17], 1, "placed"),
    ];
    assert_eq!(found, wanted.map(|(lines, uses, kind)| (lines, uses, kind.to_owned())));
    let rows = "tensor<128x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <4x1>, \
                memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <height_sharded>, \
                core_ranges = <[#ttnn.core_range<(0, 0), (3, 0)>]>>>";
    assert_eq!(tensors[0].text, rows);
}

/// Each record as a separate file with its attribute as an alias.
#[test]
fn the_records_are_the_same_in_a_file() {
    for written in records() {
        let (shape, attribute) = written.split_at(written.find('#').expect("an attribute"));
        let attribute = attribute.trim().strip_suffix('>').expect("a bracket");
        let file = format!("#a = {attribute}\nfunc.func @f(%0: {shape}#a>) -> () {{}}\n");
        let tensors = mlir_tensors(&file);
        let [tensor] = tensors.as_slice() else { panic!("one type in {file}: {tensors:?}") };
        assert_eq!((tensor.uses, tensor.lines.as_slice()), (1, &[2][..]));
        match (&tensor.encoding, TensorType::parse(&written)) {
            (Ok(MlirEncoding::Placed(found)), Ok(wanted)) => assert_eq!(found, &wanted),
            (Err(found), Err(wanted)) => {
                let (found, wanted) = (&found.problems()[0], &wanted.problems()[0]);
                assert_eq!(found.error, wanted.error, "{file}");
                assert_eq!(file[found.span.clone()], written[wanted.span.clone()], "{file}");
            }
            (found, wanted) => panic!("{file}: {found:?} {wanted:?}"),
        }
    }
}

#[test]
fn hostile_files_are_errors() {
    let codes = |file: &str| -> Vec<&str> {
        let tensors = mlir_tensors(file);
        let code = |tensor: &MlirTensor| {
            tensor.encoding.as_ref().map_or_else(|error| error.problems()[0].error.code(), |_| "")
        };
        tensors.iter().map(code).collect()
    };
    assert_eq!(codes("#a = #b\n#b = #a\ntensor<1xf32, #a>"), ["L0846"]);
    assert_eq!(codes(&"tensor<".repeat(100_000)), ["L0110"]);
    assert_eq!(codes("tensor<1xf32"), ["L0110"]);
    assert_eq!(codes("tensor<1xf32>> >> tensor<2xf32>"), ["", ""]);
    let doubled: String =
        (0..40).map(|i| format!("#a{i} = <#a{}, #a{}>\n", i + 1, i + 1)).collect();
    let uses: String =
        (0..100).map(|i| format!("tensor<{i}xf32, #ttnn.ttnn_layout<#a15>>\n")).collect();
    let bombs = codes(&format!("{doubled}#a40 = 1\n{uses}"));
    assert!(bombs.len() == 100 && bombs.iter().all(|code| *code == "L0848"), "{bombs:?}");
    let open: String = (0..50_000).map(|i| format!("#a{i} = <\n")).collect();
    assert_eq!(codes(&open), [""; 0]);
    assert_eq!(codes("\"\\é tensor<1xf32>\n tensor<1x\u{20ac}f32, #tt.layout<\u{df}>>"), ["L0102"]);
}
