//! `docs/gallery.md` and its pictures, which this makes.
//!
//! `BLESS=1 cargo test -p static-layout-view --test gallery` writes them anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use layout_core::text::{Value, eval};
use layout_view::access::{Memory, Numbers, Written, offsets_of};
use layout_view::picture::{Options, Picture};

mod pictures;
use pictures::{Entry, SECTIONS};

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs");

/// All pictures together are small enough for a repository.
const MOST_BYTES: usize = 1_000_000;

fn draw(entry: &Entry) -> String {
    let value = eval(entry.expression).unwrap_or_else(|e| panic!("{}: {e}", entry.expression));
    let option = |name| entry.options.iter().find(|(one, _)| *one == name).map(|(_, value)| *value);
    let threads = option("threads").map(|threads| Written::Arranged(threads, option("values")));
    let threads = threads.or(option("tv").map(Written::ThreadValue)).map(|written| {
        let domain = offsets_of(&value).expect("a layout");
        written.threads(&domain).unwrap_or_else(|wrong| panic!("{}: {}", wrong.text, wrong.error))
    });
    let number = |name| option(name).map(|number| number.parse().expect("a number"));
    let numbers = Numbers { banks: number("banks"), line: number("line"), ..Numbers::default() };
    let options = Options {
        threads,
        view: option("view").map(|view| view.parse().expect("a view")),
        color_by: option("color-by").unwrap_or("auto").parse().expect("what colours mean"),
        memory: Memory::ALL[0].with(&numbers).expect("a memory"),
        ..Options::default()
    };
    let picture = Picture::of(&value, &options);
    picture.unwrap_or_else(|error| panic!("{}: {error}", entry.expression)).to_svg()
}

/// What makes the picture.
fn command(entry: &Entry) -> String {
    let options = entry.options.iter().map(|(name, value)| {
        let quote = if value.contains(['(', ' ']) { "'" } else { "" };
        format!(" --{name} {quote}{value}{quote}")
    });
    format!("layout show --format svg{} '{}'", options.collect::<String>(), entry.expression)
}

fn page() -> String {
    let mut page = String::from(
        "# Gallery\n\n\
         Pictures of layouts, each made by the command below it. Made by\n\
         `BLESS=1 cargo test -p static-layout-view --test gallery`, and checked in CI.\n",
    );
    for section in SECTIONS {
        let _ = write!(page, "\n## {}\n\n{}\n", section.title, section.text);
        if let Some(source) = section.source {
            let _ = write!(page, "\n| {source} | expression | picture |\n|---|---|---|\n");
            for Entry { source, expression, file, caption, .. } in section.pictures {
                let _ = writeln!(
                    page,
                    "| {source} | `{expression}` | [{caption}](gallery/{file}.svg) |"
                );
            }
        }
        for entry in section.pictures {
            let alternative = entry.caption.replace('`', "");
            let _ = write!(
                page,
                "\n**{}**\n\n![{alternative}](gallery/{}.svg)\n\n```sh\n{}\n```\n",
                entry.caption,
                entry.file,
                command(entry)
            );
        }
    }
    page
}

#[test]
fn pictures_are_what_the_command_draws() {
    let folder = Path::new(DOCS).join("gallery");
    let bless = std::env::var_os("BLESS").is_some();
    let entries = || SECTIONS.iter().flat_map(|section| section.pictures);
    let names: BTreeSet<String> = entries().map(|entry| format!("{}.svg", entry.file)).collect();
    assert_eq!(names.len(), entries().count(), "each has a file of its own");
    if bless {
        fs::create_dir_all(&folder).expect("a folder");
    }
    let mut files = vec![(Path::new(DOCS).join("gallery.md"), page())];
    files.extend(entries().map(|entry| (folder.join(format!("{}.svg", entry.file)), draw(entry))));
    let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    assert!(bytes < MOST_BYTES, "{bytes} bytes");
    for (path, text) in files {
        if bless {
            fs::write(&path, &text).expect("a file");
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        let what = "run BLESS=1 cargo test -p static-layout-view --test gallery";
        assert!(written == text, "{}: {what}", path.display());
    }
    let found = fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file"));
    let found: BTreeSet<String> =
        found.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(found, names, "no other files");
}

#[test]
fn results_are_those_of_the_documents() {
    for (expression, result) in [
        ("(6,2):(8,2) o (4,3):(3,1)", "((2,2),3):((24,2),8)"),
        ("(10,2):(16,4) o (5,4):(1,5)", "(5,(2,2)):(16,(80,4))"),
        ("(12,(4,8)):(59,(13,1)) o <3:4, 8:2>", "(3,(2,4)):(236,(26,1))"),
        ("(12,(4,8)):(59,(13,1)) o <3:1, 8:1>", "(3,(4,2)):(59,(13,1))"),
        ("logical_divide((4,2,3):(2,1,8), 4:2)", "((2,2),(2,3)):((4,1),(2,8))"),
        ("raked_product((2,5):(5,1), (3,4):(1,3))", "((3,2),(4,5)):((10,5),(30,1))"),
    ] {
        let found = eval(expression).map(|value: Value| value.to_string());
        assert_eq!(found.as_deref(), Ok(result), "{expression}");
    }
    let sources = SECTIONS.iter().filter(|section| section.source.is_some());
    assert!(sources.flat_map(|section| section.pictures).all(|entry| !entry.source.is_empty()));
}
