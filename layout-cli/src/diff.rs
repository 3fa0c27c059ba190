//! `layout diff`: where two layouts differ, and the elements that move from one to the other.

use std::io;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
use layout_core::devices::ElementType;
use layout_view::difference::Difference;
use layout_view::{notation, subject};

use crate::{answer, command};

const EXAMPLES: &str = "\
Examples:
  layout diff '(4,8):(8,1)' '(4,8):(1,4)'
  layout diff --brief '(4,8):(1,4)' '32:1'
  layout diff --dtype f16 'Sw<2,0,3> o 0 o (8,8):(8,1)' '(8,8):(8,1)'
  layout diff 'spyre { size: [3, 40], dtype: f32 }' '(3,40):(40,1)'
  layout diff 'tensor<4x6xf32, #tt.metal_layout<collapse = [], undef, <2x1>>>' \\
              'tensor<4x6xf32, #tt.metal_layout<collapse = [], undef, <1x2>>>'

Exit status: 0 when both are the same function, 1 when they differ, 2 when one is wrong.";

const ABOUT: &str = "\
Show where two layouts differ: whether they are identical, or the same function of 1-D coordinates; if \
not, the first coordinate where they differ, how many cells change, and the cycles in which the elements \
move: an element moves from its offset in A to its offset in B.

Plain layouts of any size are compared by their modes. Swizzled layouts, layouts of coordinates and \
placements are compared element by element, up to 1048576 of them. A placement is compared with a \
plain layout as a placement on one core.";

pub(crate) fn command() -> Command {
    let layout = |name: &'static str, help: &'static str| {
        Arg::new(name).required(true).allow_hyphen_values(true).help(help)
    };
    Command::new("diff")
        .about("Show where two layouts differ, and what moves")
        .long_about(ABOUT)
        .after_help(EXAMPLES)
        .arg(layout("A", "The first layout"))
        .arg(layout("B", "The second layout"))
        .arg(
            Arg::new("dtype")
                .long("dtype")
                .value_name("TYPE")
                .value_parser(command::element)
                .help("The element type: counts the bytes that move"),
        )
        .arg(
            Arg::new("brief")
                .long("brief")
                .action(ArgAction::SetTrue)
                .conflicts_with("json")
                .help("Print one line"),
        )
        .arg(command::json())
}

pub(crate) fn run(matches: &ArgMatches) -> io::Result<ExitCode> {
    let json = matches.get_flag("json");
    let texts = [command::text(matches, "A"), command::text(matches, "B")];
    let mut values = Vec::new();
    for text in &texts {
        match notation::layout(text) {
            Ok(value) => values.push(value),
            Err(error) => return answer::report_errors(text, &error, json, ExitCode::from(2)),
        }
    }
    let element = matches.get_one::<ElementType>("dtype").copied();
    let difference = match Difference::of(&values[0], &values[1], element) {
        Ok(difference) => difference,
        Err(error) => {
            let pair_text = format!("{} => {}", texts[0], texts[1]);
            let Err(error) = subject::at::<()>(&pair_text, Err(error)) else {
                return Ok(ExitCode::from(2));
            };
            return answer::report_errors(&pair_text, &error, json, ExitCode::from(2));
        }
    };
    let code = if difference.is_same() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    if json {
        answer::print(difference.to_json(), code)
    } else if matches.get_flag("brief") {
        answer::print(difference.brief(), code)
    } else {
        answer::print(difference, code)
    }
}
