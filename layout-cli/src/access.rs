//! `layout access`: the cost of thread accesses to the elements of a layout.

use std::io;
use std::process::ExitCode;

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command};
use layout_core::devices::ElementType;
use layout_view::access::{Question, Width, Written, Wrong};

use crate::{answer, command, memory};

const EXAMPLES: &str = "\
Examples:
  layout access '(32,32):(32,1)' --tv '(32,32):(1,32)'
  layout access '(32,32):(33,1)' --tv '(32,32):(1,32)'
  layout access '(32,32):(32,1)' --tv '(32,32):(1,32)' --tv '(32,32):(32,1)'
  layout access '(8,64):(64,1)' --dtype f16 --threads '(8,8):(1,8)' --values '(1,8)' --vector 16B
  layout access 'Sw<3,3,3> o 0 o (8,64):(64,1)' --dtype f16 --tv '(8,8):(1,8)' --vector longest
  layout access '(64,64):(64,1)' --memory gpu-global --threads '(4,32):(32,1)'
  layout access '(512,64):(512,1)' --memory l1 --dtype f64 --tv '(512,8):(1,512)'";

const ABOUT: &str = "\
Show what it costs when threads access the elements of a layout: which threads hit which banks, the \
conflict degree of each phase, cache lines and sectors, the fraction of the moved bytes that is used, the \
longest legal vector, and the smallest swizzle that removes the conflicts.

Threads are written in one of two ways:
  --tv LAYOUT       CuTe's thread-value layout: from (thread, value) to the 1-D coordinate of an
                    element, or to its coordinate, such as (8,8):(1@0,1@1); or a linear layout of
                    Triton, whose registers are the values
  --threads LAYOUT  a layout from coordinate to thread, over the modes of the layout of
                    elements; with --values, each thread has a tile of values. Both together are
                    repeated over the layout

If given several times, each is a separate access, and the swizzle removes the conflicts of all.

An instruction is one access of each thread of a group. The banks serve as many of its threads at once \
as their width allows: 32, 16 or 8 threads of a GPU's warp, for accesses of 4, 8 or 16 bytes. A word that \
several threads access is served once. The tensor is assumed to start at a multiple of all widths.

Memories: gpu-shared (32 banks of 4 bytes), gpu-global (lines of 128 bytes, sectors of 32), cpu \
(lines of 64 bytes) and l1 (a cache of 64 sets of 8 lines of 64 bytes). In cpu and l1 all accesses count \
together, because lines stay in the cache.";

pub(crate) fn command() -> Command {
    let text = |name: &'static str, value: &'static str| {
        Arg::new(name).long(name).value_name(value).allow_hyphen_values(true)
    };
    Command::new("access")
        .about("Show what accesses by threads cost, and which swizzle helps")
        .long_about(ABOUT)
        .after_help(EXAMPLES)
        .arg(
            Arg::new("EXPR")
                .required(true)
                .allow_hyphen_values(true)
                .help("The layout of the elements"),
        )
        .arg(
            text("tv", "LAYOUT")
                .action(ArgAction::Append)
                .help("A thread-value layout: (thread, value) to 1-D coordinate"),
        )
        .arg(
            text("threads", "LAYOUT")
                .action(ArgAction::Append)
                .help("A layout of threads: coordinate to thread"),
        )
        .arg(
            text("values", "LAYOUT")
                .action(ArgAction::Append)
                .requires("threads")
                .help("The tile of values of each thread of --threads"),
        )
        .group(ArgGroup::new("accesses").args(["tv", "threads"]).multiple(true).required(true))
        .arg(
            text("vector", "WIDTH")
                .value_parser(width)
                .default_value("1")
                .help("The width of one access: elements, bytes such as 16B, or `longest`"),
        )
        .args(memory::arguments())
        .arg(command::json())
}

/// `8`, `16B` or `longest`
fn width(text: &str) -> Result<Width, String> {
    if text == "longest" {
        return Ok(Width::Longest);
    }
    let (digits, of): (_, fn(usize) -> Width) = match text.strip_suffix(['B', 'b']) {
        Some(digits) => (digits, Width::Bytes),
        None => (text, Width::Elements),
    };
    digits
        .parse()
        .map(of)
        .map_err(|_| "expected elements, such as 8, bytes, such as 16B, or `longest`".into())
}

pub(crate) fn run(matches: &ArgMatches) -> io::Result<ExitCode> {
    let json = matches.get_flag("json");
    let memory = match memory::of(matches) {
        Ok(memory) => memory,
        Err(error) => return answer::report_option_error(&error, json),
    };
    let (tv, threads, values) =
        (texts(matches, "tv"), texts(matches, "threads"), texts(matches, "values"));
    let mut accesses: Vec<_> = tv.into_iter().map(Written::ThreadValue).collect();
    for (i, threads) in threads.into_iter().enumerate() {
        accesses.push(Written::Arranged(threads, values.get(i).copied()));
    }
    let layout = command::text(matches, "EXPR");
    let question = Question {
        layout: &layout,
        accesses: &accesses,
        element: matches.get_one("dtype").copied().unwrap_or(ElementType::F32),
        memory,
        vector: matches.get_one("vector").copied().unwrap_or(Width::Elements(1)),
    };
    match question.analysis() {
        Ok(analysis) if json => answer::print(analysis.to_json(), ExitCode::SUCCESS),
        Ok(analysis) => answer::print(analysis.to_string().trim_end(), ExitCode::SUCCESS),
        Err(Wrong { text, error }) => answer::report_errors(text, &error, json, ExitCode::FAILURE),
    }
}

fn texts<'a>(matches: &'a ArgMatches, name: &str) -> Vec<&'a str> {
    matches.get_many::<String>(name).unwrap_or_default().map(String::as_str).collect()
}
