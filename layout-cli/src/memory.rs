//! Options for the memory that holds the elements.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, value_parser};
use layout_core::error::LayoutError;
use layout_view::access::{Memory, Numbers};

use crate::command;

/// `--memory`, `--dtype`, and the parameters of a memory.
pub(crate) fn arguments() -> Vec<Arg> {
    let number = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).value_parser(value_parser!(usize)).help(help)
    };
    let memories = PossibleValuesParser::new(Memory::ALL.map(|memory| memory.name));
    vec![
        Arg::new("dtype")
            .long("dtype")
            .value_name("TYPE")
            .value_parser(command::element)
            .help("The element type, f32 if nothing else gives it"),
        Arg::new("memory")
            .long("memory")
            .value_name("NAME")
            .value_parser(memories)
            .default_value("gpu-shared")
            .help("The memory"),
        number("banks", "N", "Override the number of banks"),
        number("bank-bytes", "BYTES", "Override the width of a bank"),
        number("line", "BYTES", "Override the size of a cache line"),
        number("sector", "BYTES", "Override the size of a sector"),
        number("group", "THREADS", "Override the number of threads in one instruction"),
    ]
}

/// The memory that the options describe.
///
/// # Errors
///
/// Invalid parameters of a memory.
pub(crate) fn of(matches: &ArgMatches) -> Result<Memory, LayoutError> {
    let number = |name| matches.get_one::<usize>(name).copied();
    let memory = Memory::of_name(&command::text(matches, "memory")).unwrap_or(Memory::ALL[0]);
    memory.with(&Numbers {
        banks: number("banks"),
        bank_bytes: number("bank-bytes"),
        line: number("line"),
        sector: number("sector"),
        group: number("group"),
    })
}
