//! The command: its subcommands, and the arguments that several of them share.
//!
//! Each subcommand is a file of its own, with its definition and help in `command`, its action in
//! `run`, and a line in [`SUBCOMMANDS`].

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgMatches, Command};
use layout_core::devices::ElementType;
use layout_view::problems;

use crate::{
    access, answer, check, color, convert, diff, eval, explain, explore, locate, manual, reshard,
    show,
};

/// A subcommand.
pub(crate) struct Subcommand {
    /// Its arguments and help.
    pub(crate) command: fn() -> Command,
    /// Its action.
    pub(crate) run: fn(&ArgMatches) -> io::Result<ExitCode>,
}

/// All subcommands, in the order of the help.
const SUBCOMMANDS: &[Subcommand] = &[
    Subcommand { command: eval::command, run: eval::run },
    Subcommand { command: show::command, run: show::run },
    Subcommand { command: locate::command, run: locate::run },
    Subcommand { command: convert::command, run: convert::run },
    Subcommand { command: reshard::command, run: reshard::run },
    Subcommand { command: access::command, run: access::run },
    Subcommand { command: diff::command, run: diff::run },
    Subcommand { command: check::command, run: check::run },
    Subcommand { command: explain::command, run: explain::run },
    Subcommand { command: explore::command, run: explore::run },
    Subcommand { command: manual::completions, run: manual::run_completions },
    Subcommand { command: manual::man, run: manual::run_man },
];

/// The help of the command: one screen of 24 lines.
const TEMPLATE: &str = "\
{about}
`layout COMMAND --help` shows examples and the notation.

{usage-heading} {usage}

Commands:
{subcommands}

Options:
{options}";

/// The whole command.
pub(crate) fn command() -> Command {
    Command::new("layout")
        .about("Tensor layouts in the notations of CuTe, Morello, Spyre and Tenstorrent")
        .version(env!("CARGO_PKG_VERSION"))
        .help_template(TEMPLATE)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .arg(color::argument())
        .subcommands(SUBCOMMANDS.iter().map(|subcommand| (subcommand.command)()))
}

/// Runs the selected subcommand.
///
/// # Errors
///
/// Errors of reading and writing.
pub(crate) fn run(matches: &ArgMatches) -> io::Result<ExitCode> {
    // clap rejects everything else.
    let Some((name, matches)) = matches.subcommand() else { return Ok(ExitCode::FAILURE) };
    let selected = SUBCOMMANDS.iter().find(|subcommand| (subcommand.command)().get_name() == name);
    let result = selected.map_or(Ok(ExitCode::FAILURE), |subcommand| (subcommand.run)(matches));
    match result {
        // A missing file: reported in the output stream.
        Err(error) if is_json(matches) && error.kind() != ErrorKind::BrokenPipe => {
            answer::print(problems::of_message(&error.to_string()), ExitCode::FAILURE)
        }
        result => result,
    }
}

/// Whether `--json` is given; false if the subcommand has no such option.
fn is_json(matches: &ArgMatches) -> bool {
    matches.try_get_one("json").ok().flatten().copied().unwrap_or(false)
}

/// The expression argument of a subcommand.
pub(crate) fn expression() -> Arg {
    Arg::new("EXPR")
        .required(true)
        .allow_hyphen_values(true)
        .help("The expression, or `-` for one expression per line from standard input")
}

/// `--json`
pub(crate) fn json() -> Arg {
    Arg::new("json")
        .long("json")
        .action(ArgAction::SetTrue)
        .help("Print JSON: one object per line, including errors")
}

/// Parses the name of an element type.
pub(crate) fn element(name: &str) -> Result<ElementType, &'static str> {
    ElementType::of_name(name).ok_or("not an element type")
}

/// A text argument, empty if it is not given.
pub(crate) fn text(matches: &ArgMatches, name: &str) -> String {
    matches.get_one::<String>(name).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_consistent() {
        command().debug_assert();
    }

    #[test]
    fn the_help_fits_a_screen() {
        let help = command().term_width(80).render_help().to_string();
        let lines = help.trim_end().lines();
        assert!(lines.clone().all(|line| line.chars().count() <= 80), "{help}");
        assert!(lines.count() <= 24, "{help}");
    }

    #[test]
    fn each_subcommand_has_examples() {
        for mut subcommand in SUBCOMMANDS.iter().map(|subcommand| (subcommand.command)()) {
            let help = subcommand.render_help().to_string();
            assert!(help.contains("Examples:\n  layout "), "{help}");
        }
    }
}
