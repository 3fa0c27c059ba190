//! `layout explore`: the page in a browser with this command as its engine, or as a single file.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use clap::builder::ValueParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use static_layout_page::fragment;
use static_layout_page::html::{Engine, page};

use crate::command;

mod server;

const EXAMPLES: &str = "\
Examples:
  layout explore
  layout explore 'logical_divide((6,8):(8,1), <3, 4>)'
  layout explore '(4,8):(8,1)' --to '(4,8):(1,4)'
  layout explore --out layout.html 'Sw<3,0,3> o 0 o (8,8):(8,1)'
  layout explore --link 'identity((6,8))'";

const ABOUT: &str = "\
Open a page in the browser that shows a layout while you type it: the grid, memory, each step of its \
derivation, what accesses cost, and the copy to another layout, in the order of its plan.

The page is served on a free port of 127.0.0.1, to this browser only, until the command ends. Its \
state is in the fragment of the address: `--link` prints the fragment of an expression, for a page that \
somebody else has open.

With `--out FILE` the page is written to a file that needs no server and no network: it has the engine \
inside it, compiled to WebAssembly. The command looks for that module beside itself, as `layout.wasm`, \
and in `target/page` of a checkout. There this builds it:\n
  cargo run -p static-layout-page --bin build-page";

/// Advice if the engine module is missing.
const BUILD_HELP: &str = "build it in a checkout of static-layout with `cargo run -p static-layout-page \
                            --bin build-page`, and pass it with `--wasm target/page/layout.wasm`";

pub(crate) fn command() -> Command {
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    };
    let file = |name: &'static str, help: &'static str| {
        let path = ValueParser::path_buf();
        Arg::new(name).long(name).value_name("FILE").value_parser(path).help(help)
    };
    Command::new("explore")
        .about("Open a page that shows a layout while you type it")
        .long_about(ABOUT)
        .after_help(EXAMPLES)
        .arg(Arg::new("EXPR").allow_hyphen_values(true).help("The initial expression"))
        .arg(
            Arg::new("to")
                .long("to")
                .value_name("LAYOUT")
                .allow_hyphen_values(true)
                .help("A layout to compare with"),
        )
        .arg(
            Arg::new("dtype")
                .long("dtype")
                .value_name("TYPE")
                .value_parser(command::element)
                .help("The type of the elements"),
        )
        .arg(file("out", "Write the page to a file, with the engine in it"))
        .arg(file("wasm", "The module of the engine for that file").requires("out"))
        .arg(flag("link", "Print only the fragment of the address").conflicts_with("out"))
        .arg(flag("no-open", "Print the address without opening a browser"))
}

pub(crate) fn run(matches: &ArgMatches) -> io::Result<ExitCode> {
    let fragment = fragment_of(matches);
    if matches.get_flag("link") {
        writeln!(io::stdout(), "#{fragment}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let path = |name| matches.get_one::<PathBuf>(name).map(PathBuf::as_path);
    match path("out") {
        Some(file) => write_file(file, path("wasm"), &fragment),
        None => {
            server::serve(&fragment, !matches.get_flag("no-open"))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// The initial state of the page; empty if no expression is given.
fn fragment_of(matches: &ArgMatches) -> String {
    let element = matches.get_one::<layout_core::devices::ElementType>("dtype");
    let fields = [
        ("e", command::text(matches, "EXPR")),
        ("t", element.map(ToString::to_string).unwrap_or_default()),
        ("w", command::text(matches, "to")),
    ];
    let non_empty = fields.iter().filter(|(_, text)| !text.is_empty());
    fragment::of(&non_empty.map(|(name, text)| (*name, text.as_str())).collect::<Vec<_>>())
}

fn write_file(file: &Path, module: Option<&Path>, fragment: &str) -> io::Result<ExitCode> {
    let with_path = |path: &Path, error: io::Error| {
        io::Error::new(error.kind(), format!("{}: {error}", path.display()))
    };
    let Some(module) = module.map(Path::to_owned).or_else(find_module) else {
        writeln!(
            io::stderr(),
            "error: there is no `layout.wasm`, the engine of the file; {BUILD_HELP}"
        )?;
        return Ok(ExitCode::FAILURE);
    };
    let wasm = fs::read(&module).map_err(|error| with_path(&module, error))?;
    if !wasm.starts_with(b"\0asm") {
        writeln!(io::stderr(), "error: {} is not WebAssembly; {BUILD_HELP}", module.display())?;
        return Ok(ExitCode::FAILURE);
    }
    let html = page(Engine::Wasm(&wasm), fragment);
    fs::write(file, html).map_err(|error| with_path(file, error))?;
    Ok(ExitCode::SUCCESS)
}

/// The module next to the command, or where `build-page` writes it.
fn find_module() -> Option<PathBuf> {
    let command = env::current_exe().ok()?;
    let folder = command.parent()?;
    let candidates = [folder.join("layout.wasm"), folder.join("../page/layout.wasm")];
    candidates.into_iter().find(|candidate| candidate.is_file())
}
