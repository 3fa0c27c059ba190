//! `layout eval`: the value of an expression, in canonical notation.

use std::fmt::Write as _;
use std::io;
use std::process::ExitCode;

use clap::{ArgMatches, Command};
use layout_core::text::{OPERATIONS, ParseError};
use layout_view::SCHEMA;
use layout_view::notation::eval;
use serde_json::{Value as Json, json};

use crate::answer::Handlers;
use crate::command::{expression, json};

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

Exit status: 0, or 1 when an expression is wrong, or 2 when the arguments are wrong.";

const NOTATION: &str = "\
With `-`, one expression per line is read from standard input, and one line is written for each. The
answer to a wrong line is `error: ...`, and the exit status at the end is 1.

Notation:
  (4,8):(8,1)                  a layout: shape and stride
  (4,8)                        the compact column-major layout of a shape
  (4,8):(-1,4)                 a layout with a negative stride: its values are integers
  (4,8):(1@0,2@1)              a layout of coordinates: 2@1 steps by 2 in mode 1
  <3:4, 8>  <_, 4>             a tiler that applies mode by mode; _ keeps a mode
  (3,_)                        a coordinate; _ keeps a mode
  Sw<3,0,3> o 0 o (8,8):(8,1)  a swizzled layout
  [1, 0, 1 p(4)] for (6, 8)    a Morello layout for a shape
  spyre { size: [512], dtype: f16 }
                               a Spyre layout, here the default one; or with device_size, dim_map
  tensor<8x8xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x2>>>
                               a Tenstorrent tensor, with or without memref
  Layout<Shape<_4,_8>>  memref<4x8xf32>  torch.Size([4, 8]), (8, 1)
                               what CuTe, MLIR, PyTorch, NumPy and Triton print
  A o B                        composition(A, B)
  A @ 36                       a layout that starts at an offset

All output can be read again.";

pub(crate) fn command() -> Command {
    Command::new("eval")
        .about("Evaluate an expression of the layout algebra")
        .after_help(EXAMPLES)
        .after_long_help(format!("{NOTATION}\n\n{}\n{EXAMPLES}", operations()))
        .arg(expression())
        .arg(json())
}

pub(crate) fn run(matches: &ArgMatches) -> io::Result<ExitCode> {
    Handlers { plain: eval, line: eval, json: as_json }.run(matches)
}

/// `{"schema":1,"kind":"a layout","value":"(4,8):(8,1)"}`
fn as_json(text: &str) -> Result<Json, ParseError> {
    let value = eval(text)?;
    Ok(json!({ "schema": SCHEMA, "kind": value.describe(), "value": value.to_string() }))
}

/// The operations and their arguments, one per line.
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
