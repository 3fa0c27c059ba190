//! Options about the memory that elements are in.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, value_parser};
use layout_core::error::LayoutError;
use layout_view::access::{Memory, Numbers};

use crate::command;

/// `--memory`, `--dtype`, and the numbers of a memory.
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
            .help("The type of the elements, f32 where nothing says it"),
        Arg::new("memory")
            .long("memory")
            .value_name("NAME")
            .value_parser(memories)
            .default_value("gpu-shared")
            .help("The memory"),
        number("banks", "N", "Another number of banks"),
        number("bank-bytes", "BYTES", "Another width of a bank"),
        number("line", "BYTES", "Another cache line"),
        number("sector", "BYTES", "Another sector of a line"),
        number("group", "THREADS", "Another number of threads in one instruction"),
    ]
}

/// The memory that they say.
///
/// # Errors
///
/// Numbers that no memory has.
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
