//! `--color`: when the output is coloured.

use std::io;

use anstream::{AutoStream, ColorChoice, stream::RawStream};
use clap::{Arg, builder::PossibleValuesParser};

const NAMES: [&str; 3] = ["auto", "always", "never"];

/// `--color WHEN`, before or after a subcommand.
pub(crate) fn argument() -> Arg {
    Arg::new("color")
        .long("color")
        .value_name("WHEN")
        .global(true)
        .value_parser(PossibleValuesParser::new(NAMES))
        .hide_possible_values(true)
        .help("Colours: auto, always or never")
}

/// Takes the option from the arguments and applies it to all output. It is parsed before clap runs,
/// because errors about arguments are coloured too.
pub(crate) fn apply_option(arguments: impl Iterator<Item = String>) -> clap::ColorChoice {
    let (output_choice, clap_choice) = match requested(arguments).as_deref() {
        Some("always") => (ColorChoice::Always, clap::ColorChoice::Always),
        Some("never") => (ColorChoice::Never, clap::ColorChoice::Never),
        _ => (ColorChoice::Auto, clap::ColorChoice::Auto),
    };
    output_choice.write_global();
    clap_choice
}

fn requested(mut arguments: impl Iterator<Item = String>) -> Option<String> {
    while let Some(argument) = arguments.next() {
        match argument.strip_prefix("--color") {
            Some("") => return arguments.next(),
            Some(value) => return value.strip_prefix('=').map(str::to_owned),
            None if argument == "--" => return None,
            None => {}
        }
    }
    None
}

/// Whether standard output is coloured.
pub(crate) fn on_stdout() -> bool {
    has_color(&io::stdout())
}

/// Whether even files are coloured.
pub(crate) fn is_forced() -> bool {
    ColorChoice::global() == ColorChoice::Always
}

/// Whether standard error is coloured.
pub(crate) fn on_stderr() -> bool {
    has_color(&io::stderr())
}

fn has_color(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != ColorChoice::Never
}
