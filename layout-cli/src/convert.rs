//! `layout convert`: a layout in another notation, or the reason why it cannot be expressed there.

use std::io;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Arg, ArgMatches, Command};
use layout_core::devices::ElementType;
use layout_view::SCHEMA;
use layout_view::convert::{Notation, convert};
use serde_json::json;

use crate::answer::Handlers;
use crate::command;

const EXAMPLES: &str = "\
Examples:
  layout convert --to cute '[1, 0, 1 p(4)] for (6, 8)'
  layout convert --to morello '((2,8),4):((8,1),16)'
  layout convert --to spyre --dtype f16 '(1024,(64,4)):(64,(1,65536))'
  layout convert --to tenstorrent '((32,2),(32,4)):((32,4096),(1,1024))'
  layout convert --to strides '(6,(4,2)):(8,(1,4))'
  layout convert --to mlir --dtype f16 '(4,8):(8,1)'
  layout convert --to cute 'Layout<Shape<_4,_8>, Stride<_8,_1>>'
  layout convert --to rust '(4,8):(8,1)'";

pub(crate) fn command() -> Command {
    let names = Notation::ALL.map(|(name, _)| name);
    let to = Arg::new("to")
        .long("to")
        .required(true)
        .value_name("NOTATION")
        .value_parser(
            PossibleValuesParser::new(names)
                .map(|name| Notation::of_name(&name).unwrap_or(Notation::Cute)),
        )
        .help("The target notation");
    let element = Arg::new("dtype")
        .long("dtype")
        .value_name("TYPE")
        .value_parser(command::element)
        .help("The element type, such as f16, for notations that name one");
    Command::new("convert")
        .about("Convert a layout to another notation, or say why it has none")
        .after_help(EXAMPLES)
        .arg(to)
        .arg(element)
        .arg(command::expression())
        .arg(command::json())
}

pub(crate) fn run(matches: &ArgMatches) -> io::Result<ExitCode> {
    let to = matches.get_one::<Notation>("to").copied().unwrap_or(Notation::Cute);
    let element = matches.get_one::<ElementType>("dtype").copied();
    let plain = |text: &str| convert(text, to, element);
    let json = |text: &str| {
        let converted = plain(text)?;
        Ok(json!({ "schema": SCHEMA, "notation": to.name(), "value": converted }))
    };
    Handlers { plain, line: plain, json }.run(matches)
}
