//! What the command takes, and its help.

use std::fmt::Write as _;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Arg, ArgAction, Command};
use layout_core::devices::ElementType;
use layout_core::text::OPERATIONS;

use crate::convert::Notation;
use crate::devices;

const EXAMPLES: &str = "\
Examples:
  layout eval 'logical_divide((6,8):(8,1), <3, 4>)'
  layout eval '(12,(4,8)):(59,(13,1)) o <3:4, 8:2>'
  layout eval 'complement((4,2):(1,10), 14)'
  layout eval 'slice_and_offset((4,12):(12,1), (3,_))'
  layout eval 'table(Sw<2,0,2> o 0 o (4,4):(4,1))'
  layout eval 'local_tile(identity((7,10)), <4, 5>, (1,1))'
  layout eval '[1, 0, 1 p(4)] for (6, 8)'
  layout eval - < expressions.txt > answers.txt
  layout explain L0301

Exit status: 0, or 1 when an expression, or the command itself, is wrong.";

const SHOW_EXAMPLES: &str = "\
Examples:
  layout show '(4,8):(8,1)'
  layout show --json 'logical_divide((6,8):(8,1), <3, 4>)'
  layout show 'spyre { size: [3, 40], dtype: f32 }'
  layout show 'tensor<5x6xf32, #tt.metal_layout<collapse = [(0, -1)], zero, <2x2>>>'
  layout show --mlir model.mlir
  layout show - < layouts.txt > facts.jsonl";

const LOCATE_EXAMPLES: &str = "\
Examples:
  layout locate '(6,(4,2)):(4,(1,24)) @ (5,7)'
  layout locate '(6,(4,2)):(4,(1,24)) # 47'
  layout locate 'spyre { size: [100, 200, 500], dtype: f16 } @ (99,199,499)'
  layout locate 'tensor<5x6xf32, #tt.metal_layout<collapse = [(0, -1)], zero, <2x2>>> # ((1,1), 2)'
  layout locate --chip 8x8 --mesh 1x2 'tensor<64x64xf32, #tt.metal_layout<collapse = [], undef, <8x16>>> @ (9,60)'";

const CONVERT_EXAMPLES: &str = "\
Examples:
  layout convert --to cute '[1, 0, 1 p(4)] for (6, 8)'
  layout convert --to morello '((2,8),4):((8,1),16)'
  layout convert --to spyre --dtype f16 '(1024,(64,4)):(64,(1,65536))'
  layout convert --to tenstorrent '((32,2),(32,4)):((32,4096),(1,1024))'
  layout convert --to strides '(6,(4,2)):(8,(1,4))'
  layout convert --to mlir --dtype f16 '(4,8):(8,1)'
  layout convert --to cute 'Layout<Shape<_4,_8>, Stride<_8,_1>>'
  layout convert --to rust '(4,8):(8,1)'";

const RESHARD_EXAMPLES: &str = "\
Examples:
  layout reshard 'tensor<4x6xf32, #tt.metal_layout<collapse = [], undef, <2x1>>>
                  => tensor<4x6xf32, #tt.metal_layout<collapse = [], undef, <1x2>>>'
  layout reshard --json '(64,64):(64,1) => tensor<64x64xf32, #tt.metal_layout<collapse = [], undef, <2x2>>>'
  layout reshard --core 1 '(4,6):(6,1) => tensor<4x6xf32, #tt.metal_layout<collapse = [], undef, <1x2>>>'
  layout reshard - < pairs.txt > plans.jsonl";

const NOTATION: &str = "\
With `-`, one expression a line is read from standard input, and one line of answer is written for
each; a line that is wrong is answered by `error: ...`, and the exit status at the end is 1.

Notation:
  (4,8):(8,1)                  a layout: shape and stride
  (4,8)                        the compact column-major layout of a shape
  (4,8):(-1,4)                 one with a negative stride, whose values are integers
  (4,8):(1@0,2@1)              one whose values are coordinates: 2@1 steps by 2 in mode 1
  <3:4, 8>  <_, 4>             a tiler that applies mode by mode; _ keeps a mode
  (3,_)                        a coordinate; _ keeps a mode
  Sw<3,0,3> o 0 o (8,8):(8,1)  a swizzled layout
  [1, 0, 1 p(4)] for (6, 8)    a Morello layout for a shape
  spyre { size: [512], dtype: f16 }
                               a Spyre layout, here the default one; or with device_size, dim_map
  tensor<8x8xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x2>>>
                               a tensor of Tenstorrent, with memref or without
  Layout<Shape<_4,_8>>  memref<4x8xf32>  torch.Size([4, 8]), (8, 1)
                               what CuTe, MLIR, PyTorch, NumPy and Triton print
  A o B                        composition(A, B)
  A @ 36                       a layout that starts at an offset

Whatever is printed can be read again.";

pub(crate) fn command() -> Command {
    let expression = Arg::new("EXPR")
        .required(true)
        .allow_hyphen_values(true)
        .help("The expression, or `-` for one expression a line from standard input");
    let eval = Command::new("eval")
        .about("Evaluate an expression, and print the result in canonical notation")
        .after_help(EXAMPLES)
        .after_long_help(format!("{NOTATION}\n\n{}\n{EXAMPLES}", operations()))
        .arg(expression.clone());
    let json = Arg::new("json")
        .long("json")
        .action(ArgAction::SetTrue)
        .help("Print one JSON object, in one line");
    let show = Command::new("show")
        .about("Show facts about a layout, and a picture of it")
        .long_about(
            "Show facts about a layout, and a picture of it: the place of each element.\n\n\
             With `-`, one layout a line is read, and one JSON object a line is written for each.\n\n\
             With `--mlir FILE`, each distinct type of a tensor in the file is listed with its lines, \
             aliases such as `#layout = ..` resolved, and what is inconsistent is an error at its \
             place. The file `-` is standard input. With `--json`, a line is one type.",
        )
        .after_help(SHOW_EXAMPLES)
        .arg(expression.clone().required(false).required_unless_present("mlir"))
        .arg(json.clone())
        .arg(
            Arg::new("mlir")
                .long("mlir")
                .value_name("FILE")
                .conflicts_with("EXPR")
                .help("List the types of tensors in a file of MLIR, and which are inconsistent"),
        );
    let question = Arg::new("EXPR")
        .required(true)
        .allow_hyphen_values(true)
        .help("`LAYOUT @ coordinate`, `LAYOUT # offset`, or `-` for one of them a line");
    let locate = Command::new("locate")
        .about("Say where an element is, or which element is at an offset")
        .long_about(
            "Say where an element is: `LAYOUT @ coordinate` is answered by a JSON object. Or which \
             element is at an offset: `LAYOUT # offset` is answered by its coordinate, or by \
             \"padding\". In a grid of cores, offsets count through the buffers of all, or are \
             written behind the coordinate of a core: `TENSOR # ((1,0), 64)`.",
        )
        .after_help(LOCATE_EXAMPLES)
        .arg(question)
        .arg(
            Arg::new("chip")
                .long("chip")
                .value_name("ROWSxCOLUMNS")
                .value_parser(devices::pair)
                .help(
                    "The cores of a device: the answer has `device_core`, its chip, row and column",
                ),
        )
        .arg(
            Arg::new("mesh")
                .long("mesh")
                .value_name("EXTENTS")
                .requires("chip")
                .value_parser(devices::extents)
                .help("The devices in each dimension of the grid, such as 1x2"),
        );
    let names = Notation::ALL.map(|(name, _)| name);
    let to = Arg::new("to")
        .long("to")
        .required(true)
        .value_name("NOTATION")
        .value_parser(
            PossibleValuesParser::new(names)
                .map(|name| Notation::of_name(&name).unwrap_or(Notation::Cute)),
        )
        .help("The notation to say it in");
    let element = Arg::new("dtype")
        .long("dtype")
        .value_name("TYPE")
        .value_parser(|name: &str| ElementType::of_name(name).ok_or("no element type"))
        .help("The type of the elements, such as f16, where the notation names one");
    let convert = Command::new("convert")
        .about("Say a layout in another notation, or why it cannot be said in that")
        .after_help(CONVERT_EXAMPLES)
        .arg(to)
        .arg(element)
        .arg(expression);
    let pair = Arg::new("EXPR")
        .required(true)
        .allow_hyphen_values(true)
        .help("`FROM => TO`, or `-` for one of them a line");
    let core = Arg::new("core")
        .long("core")
        .value_name("N")
        .value_parser(clap::value_parser!(usize))
        .help("Only what goes out of this core and into it, without the plan of the others");
    let reshard = Command::new("reshard")
        .about("List what goes from which core to which, from one layout of a tensor to another")
        .long_about(
            "List what goes from which core to which, from one layout of a tensor to another: a \
             line for each box of coordinates, `0 -> 1: [0..2, 3..6]`. Cores are numbered row-major \
             in their grid, and a layout without a grid has core 0.\n\n\
             With `-`, one `FROM => TO` a line is read, and one JSON object a line is written for \
             each.",
        )
        .after_help(RESHARD_EXAMPLES)
        .arg(core)
        .arg(pair)
        .arg(json);
    let code = Arg::new("CODE").help("The code of an error, such as L0301; all are listed without");
    let explain = Command::new("explain")
        .about("Explain an error: what it means, an example, and what to do")
        .after_help("Examples:\n  layout explain\n  layout explain L0301")
        .arg(code);
    Command::new("layout")
        .about("Tensor layouts in the notations of CuTe, Morello, Spyre and Tenstorrent")
        .version(env!("CARGO_PKG_VERSION"))
        .after_help(EXAMPLES)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(eval)
        .subcommand(show)
        .subcommand(locate)
        .subcommand(convert)
        .subcommand(reshard)
        .subcommand(explain)
}

/// The operations and what they take, a line for each.
fn operations() -> String {
    let mut text = String::from("Operations:\n");
    for operation in OPERATIONS {
        let _ = write!(text, "  {}(", operation.name);
        for (i, param) in operation.params.iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            let optional = i >= operation.least;
            let (open, close) = if optional { ("[", "]") } else { ("", "") };
            let _ = write!(text, "{open}{comma}{}{close}", param.short());
        }
        text.push_str(")\n");
    }
    text
}
