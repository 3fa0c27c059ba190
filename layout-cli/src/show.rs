//! `layout show`: facts about a layout, and a picture of it.

use std::process::ExitCode;
use std::{env, io};

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use layout_core::devices::ElementType;
use layout_core::text::{ParseError, Problems, Value};
use layout_view::access::{Written, offsets_of};
use layout_view::facts::Facts;
use layout_view::picture::{ColorBy, Limits, Options, Picture, Text, View};
use layout_view::{notation, subject};

use crate::answer::{self, Handlers};
use crate::{color, command, memory, mlir};

const EXAMPLES: &str = "\
Examples:
  layout show '(4,8):(8,1)'
  layout show --json 'logical_divide((6,8):(8,1), <3, 4>)'
  layout show 'spyre { size: [3, 40], dtype: f32 }'
  layout show 'tensor<5x6xf32, #tt.metal_layout<collapse = [(0, -1)], zero, <2x2>>>'
  layout show --format svg -o swizzle.svg 'Sw<3,0,3> o 0 o (8,8):(8,1)'
  layout show --format html -o tile.html '((2,3),(2,4)):((1,16),(2,4))'
  layout show --color-by bank --dtype f16 --color always '(64,64):(64,1)'
  layout show --tv '((4,8),2):((16,1),8)' '(8,8):(8,1)'
  layout show --mlir model.mlir
  layout show - < layouts.txt > facts.jsonl";

const ABOUT: &str = "\
Show facts about a layout, and a picture of it: the position of each element.

Modes 0 and 1 are the rows and the columns, and further modes are blocks, as in CuTe; for a tensor on a \
device the last two dimensions are rows and columns. Lines are the edges of tiles (the inner parts of nested modes), \
of sticks and of cores. Slots without an element are hatched. A Spyre layout is shown stick by stick; \
a Tenstorrent one with the padded buffers of all cores side by side. --view changes that.

Pictures in text fit the terminal. In colour, a large one has a half block for each element. --all draws \
everything. With a format, only the picture is written: SVG and HTML are self-contained, TikZ is a \
document for pdflatex, and JSON has all that a program needs to draw it.

With `-`, one layout per line is read, and one JSON object per line is written: the facts, or with \
`--format json` the picture.

With `--mlir FILE`, each distinct tensor type in the file is listed with its lines, and \
aliases such as `#layout = ..` are resolved. Inconsistent types are reported as errors with their \
position. The file `-` is standard input. With `--json`, each line is one type.";

/// A picture format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Text,
    Svg,
    Html,
    Tikz,
    Json,
}

impl Format {
    const ALL: [(&'static str, Self); 5] = [
        ("text", Self::Text),
        ("svg", Self::Svg),
        ("html", Self::Html),
        ("tikz", Self::Tikz),
        ("json", Self::Json),
    ];

    fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(one, _)| *one == name).map(|(_, format)| format)
    }
}

pub(crate) fn command() -> Command {
    let colors = PossibleValuesParser::new(ColorBy::ALL.iter().map(|by| by.name()));
    let views = PossibleValuesParser::new(View::ALL.iter().map(|view| view.name()));
    let formats = PossibleValuesParser::new(Format::ALL.map(|(name, _)| name));
    let text = |name: &'static str, value: &'static str| {
        Arg::new(name).long(name).value_name(value).allow_hyphen_values(true)
    };
    Command::new("show")
        .about("Show facts about a layout, and a picture of it")
        .long_about(ABOUT)
        .after_help(EXAMPLES)
        .arg(command::expression().required(false).required_unless_present("mlir"))
        .arg(
            text("format", "FORMAT")
                .default_value("text")
                .value_parser(formats.map(|name| Format::of_name(&name).unwrap_or(Format::Text)))
                .help("The format of the picture"),
        )
        .arg(
            text("color-by", "WHAT")
                .default_value("auto")
                .value_parser(colors.try_map(|name| name.parse::<ColorBy>()))
                .help("What the colours mean"),
        )
        .arg(
            text("view", "VIEW").value_parser(views.try_map(|name| name.parse::<View>())).help(
                "What the rows and columns are: coordinates, without or with padding, or memory",
            ),
        )
        .arg(
            Arg::new("all")
                .long("all")
                .action(ArgAction::SetTrue)
                .help("Draw all rows, columns and blocks, however wide the terminal is"),
        )
        .arg(
            Arg::new("output").long("output").short('o').value_name("FILE").help("Write to a file"),
        )
        .arg(text("tv", "LAYOUT").help("A thread-value layout: (thread, value) to 1-D coordinate"))
        .arg(
            text("threads", "LAYOUT")
                .conflicts_with("tv")
                .help("A layout of threads: coordinate to thread"),
        )
        .arg(
            text("values", "LAYOUT")
                .requires("threads")
                .help("The tile of values of each thread of --threads"),
        )
        .args(memory::arguments())
        .arg(command::json().conflicts_with("format"))
        .arg(
            Arg::new("mlir")
                .long("mlir")
                .value_name("FILE")
                .conflicts_with_all(["EXPR", "output", "tv", "threads", "view", "all"])
                .help("List the tensor types in an MLIR file, and which are inconsistent"),
        )
}

pub(crate) fn run(matches: &ArgMatches) -> io::Result<ExitCode> {
    if let Some(file) = matches.get_one::<String>("mlir") {
        return mlir::show(file, matches.get_flag("json"));
    }
    let format = matches.get_one::<Format>("format").copied().unwrap_or(Format::Text);
    let json = matches.get_flag("json") || format == Format::Json;
    let text = |name| matches.get_one::<String>(name).map(String::as_str);
    for threads_text in ["tv", "threads", "values"].into_iter().filter_map(text) {
        if let Err(error) = notation::layout(threads_text) {
            return answer::report_errors(threads_text, &error, json, ExitCode::FAILURE);
        }
    }
    let color_by = matches.get_one("color-by").copied().unwrap_or(ColorBy::Auto);
    let mut memory = match memory::of(matches) {
        Ok(memory) => memory,
        Err(error) => return answer::report_option_error(&error, json),
    };
    if color_by == ColorBy::Line
        && matches.value_source("memory") == Some(ValueSource::DefaultValue)
    {
        // The default memory has banks but no line size.
        memory.line = memory.line.or(Some(DEFAULT_LINE_BYTES));
    }
    let tv = text("tv").map(Written::ThreadValue);
    let threads = text("threads").map(|threads| Written::Arranged(threads, text("values")));
    let is_text = format == Format::Text;
    let limits = match matches.get_flag("all") {
        true => Limits::ALL,
        false if is_text => {
            Limits { rows: MAX_ROWS, columns: MAX_COLUMNS, blocks: MAX_BLOCKS, ..Limits::default() }
        }
        false => Limits::default(),
    };
    let options = Options {
        view: matches.get_one("view").copied(),
        color_by,
        element: matches.get_one::<ElementType>("dtype").copied(),
        memory,
        threads: None,
        limits,
    };
    let output = text("output");
    let show_options = ShowOptions {
        format,
        options,
        threads: tv.or(threads),
        form: Text {
            color: if output.is_none() { color::on_stdout() } else { color::is_forced() },
            width: if matches.get_flag("all") || output.is_some() { None } else { width() },
        },
    };
    let draw = |text: &str| show_options.answer(text);
    let expression = command::text(matches, "EXPR");
    let handlers = Handlers { plain: draw, line: facts, json: facts };
    match (expression.as_str(), format, output) {
        ("-", Format::Json, None) => {
            Handlers { plain: draw, line: draw, json: draw }.run_with("-", json)
        }
        ("-", Format::Text, None) => handlers.run_with("-", json),
        ("-", ..) => {
            let message = "with `-`, each line is JSON: use --format json, without --output";
            let error = command::command().error(ErrorKind::ArgumentConflict, message);
            error.print()?;
            Ok(ExitCode::from(2))
        }
        (expression, _, Some(file)) => handlers.write_to(file, expression, json),
        (expression, Format::Json, None) => {
            Handlers { plain: draw, line: draw, json: draw }.run_with(expression, json)
        }
        (expression, _, None) => handlers.run_with(expression, json),
    }
}

/// Approximate size limit for a terminal.
const MAX_ROWS: usize = 64;
const MAX_COLUMNS: usize = 64;
const MAX_BLOCKS: usize = 8;

/// The default bytes of a cache line: those of a GPU.
const DEFAULT_LINE_BYTES: usize = 128;

/// The options that apply to each expression.
struct ShowOptions<'a> {
    format: Format,
    options: Options,
    threads: Option<Written<'a>>,
    form: Text,
}

impl ShowOptions<'_> {
    /// A picture; in text output, the facts come first, one per line.
    fn answer(&self, text: &str) -> Result<String, ParseError> {
        let value = notation::layout(text)?;
        let draw = match self.format {
            Format::Text => None,
            Format::Svg => Some(Picture::to_svg as fn(&Picture) -> String),
            Format::Html => Some(Picture::to_html as fn(&Picture) -> String),
            Format::Tikz => Some(Picture::to_tikz as fn(&Picture) -> String),
            Format::Json => Some(Picture::to_json as fn(&Picture) -> String),
        };
        if let Some(draw) = draw {
            return Ok(draw(&self.picture(text, &value)?).trim_end().to_owned());
        }
        let facts = subject::at(text, Facts::of(&value))?;
        let mut lines: Vec<String> = facts.lines().collect();
        let tables: Vec<String> = facts.tables().collect();
        if !tables.is_empty() {
            lines.push(String::new());
            lines.extend(tables);
        }
        // A list without a shape has no picture, but it has facts.
        if !matches!(value, Value::Morello(_)) {
            lines.push(String::new());
            let picture = self.picture(text, &value)?;
            lines.push(picture.to_text(self.form).trim_end().to_owned());
        }
        Ok(lines.join("\n"))
    }

    fn picture(&self, text: &str, value: &Value) -> Result<Picture, ParseError> {
        let mut options = self.options.clone();
        if let Some(threads) = self.threads {
            let domain = subject::at(text, offsets_of(value))?;
            // The text of the threads was parsed before, so this error is about the layout.
            options.threads = Some(threads.threads(&domain).map_err(|invalid| {
                let mut problems = Problems::new();
                for problem in invalid.error.problems() {
                    problems.push(0..text.len(), problem.error);
                }
                ParseError::from(problems)
            })?);
        }
        subject::at(text, Picture::of(value, &options))
    }
}

/// The columns of the terminal, or those given by the environment.
fn width() -> Option<usize> {
    let terminal = terminal_size::terminal_size_of(io::stdout());
    let from_env = || env::var("COLUMNS").ok()?.parse().ok();
    terminal.map(|(width, _)| usize::from(width.0)).or_else(from_env).filter(|&width| width > 0)
}

/// The facts as one JSON object, in one line.
fn facts(text: &str) -> Result<String, ParseError> {
    let value = notation::layout(text)?;
    let facts = subject::at(text, Facts::of(&value))?;
    Ok(facts.to_json().to_string())
}
