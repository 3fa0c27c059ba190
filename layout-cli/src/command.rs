//! What the command takes, and its help.

use std::fmt::Write as _;

use clap::{Arg, Command};
use layout_core::text::OPERATIONS;

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
        .arg(expression);
    let code = Arg::new("CODE").help("The code of an error, such as L0301; all are listed without");
    let explain = Command::new("explain")
        .about("Explain an error: what it means, an example, and what to do")
        .after_help("Examples:\n  layout explain\n  layout explain L0301")
        .arg(code);
    Command::new("layout")
        .about("The algebra of tensor layouts, in the notation of CuTe and of Morello")
        .version(env!("CARGO_PKG_VERSION"))
        .after_help(EXAMPLES)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(eval)
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
