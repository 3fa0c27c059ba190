//! Draws the plots of `docs/performance.md` from the lines that `cargo bench --bench versus` printed.
//!
//! ```text
//! FIGURES=versus benches/figures          # measures; what it printed stays in target/figures/new/versus
//! cargo run -p versus --bin plots         # draws docs/figures/*.svg
//! ```
//!
//! `plots FILE` reads another file. The images depend only on the file, including the name of the
//! processor and the rounding of its numbers: the same file gives the same bytes.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// The results of a case.
struct Row {
    name: String,
    unit: String,
    ours: f64,
    peer: String,
    best: f64,
    limit: Option<(String, f64)>,
}

/// A bar chart of all cases whose names contain one of these words.
struct Bars {
    file: &'static str,
    title: &'static str,
    words: &'static [&'static str],
}

const BARS: [Bars; 4] = [
    Bars {
        file: "static-gemm",
        title: "Products of static layouts, hot in L1",
        words: &[
            "f32 3x3x3 static",
            "f32 4x4x4 static",
            "f32 7x7x7 static",
            "f32 8x8x8 static",
            "f32 13x13x13 static",
            "f32 16x16x16 static",
            "f32 24x24x24 static",
            "f32 32x32x32 static",
            "f32 64x64x64 static",
            "f32 5x9x13 static",
            "f64 4x4x4 static",
            "f64 8x8x8 static",
            "f64 16x16x16 static",
            "f64 32x32x32 static",
        ],
    },
    Bars {
        file: "dynamic-gemm",
        title: "Products of layouts known at run time",
        words: &[
            "x256x256 dynamic",
            "x512x512 dynamic",
            "x1024x1024 dynamic",
            "x2048x2048 dynamic",
            "37x513 dynamic",
            "64x64 dynamic",
        ],
    },
    Bars {
        file: "copies",
        title: "Copies between static layouts",
        words: &[
            "transpose 64x64",
            "transpose 1000x1000",
            "transpose 4096x4096",
            "NCHW",
            "tilize",
            "deinterleave",
            "swizzle",
        ],
    },
    Bars {
        file: "words",
        title: "Products of bytes and of bf16",
        words: &["u8xi8", "i8xi8", "bf16xbf16"],
    },
];

/// The classes of the chart of all ratios, each with words of case names. The first match counts.
const CLASSES: [(&str, &[&str]); 6] = [
    ("two threads", &["two threads"]),
    ("bytes and bf16", &["u8x", "i8x", "bf16x"]),
    ("static products", &[" static"]),
    ("10,000 small products", &[" batched"]),
    ("dynamic products", &["gemm ", " dynamic"]),
    ("copies", &["copy "]),
];

/// Colours for light and dark pages.
const STYLE: &str = "
text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.title { font-size: 15px; font-weight: 600 }
.soft { fill: #59636e }
.end { text-anchor: end }
.middle { text-anchor: middle }
.ours { fill: #0969da }
.peer { fill: #afb8c1 }
.grid { stroke: #d1d9e0 }
.limit { stroke: #cf222e; stroke-width: 2 }
.dot { fill: #0969da; fill-opacity: 0.45 }
.mean { stroke: #1f2328; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .soft { fill: #9198a1 }
  .ours, .dot { fill: #4493f8 }
  .peer { fill: #656c76 }
  .grid { stroke: #3d444d }
  .limit { stroke: #f85149 }
  .mean { stroke: #f0f6fc }
}
";

const WIDTH: f64 = 860.0;
/// Left and right end of the axes, and the top of the plot area.
const LEFT: f64 = 230.0;
const RIGHT: f64 = 640.0;
const TOP: f64 = 74.0;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let given = std::env::args().nth(1);
    let file = given.map_or_else(|| root.join("target/figures/new/versus"), Into::into);
    match std::fs::read_to_string(&file)
        .map_err(|error| error.to_string())
        .and_then(|text| draw(&text, &root))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", file.display());
            ExitCode::FAILURE
        }
    }
}

fn draw(text: &str, root: &Path) -> Result<(), String> {
    let rows = read(text)?;
    let machine =
        text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("an unknown processor");
    let folder = root.join("docs/figures");
    let save = |name: &str, picture: String| {
        let file = folder.join(name).with_extension("svg");
        std::fs::write(&file, picture).map_err(|error| format!("{}: {error}", file.display()))?;
        println!("{}", file.display());
        Ok::<_, String>(())
    };
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for picture in &BARS {
        let of_it: Vec<_> = rows
            .iter()
            .filter(|row| picture.words.iter().any(|word| row.name.contains(word)))
            .filter(|row| !row.name.contains("two threads"))
            .collect();
        if of_it.is_empty() {
            return Err(format!("no case for {}", picture.file));
        }
        save(picture.file, bars(picture.title, machine, &of_it))?;
    }
    save("ratios", ratios(machine, &rows))
}

/// Parses the lines `VERSUS  case unit  ours  peer  best  ratio` and
/// `LIMIT  case unit  ours  limit  bound  share`.
fn read(text: &str) -> Result<Vec<Row>, String> {
    let (mut rows, mut limits) = (Vec::new(), HashMap::new());
    for line in text.lines() {
        let field: Vec<_> = line.split('\t').collect();
        let number =
            |i: usize| field[i].parse::<f64>().map_err(|error| format!("{error} in {line}"));
        match field[..] {
            ["VERSUS", case, _, peer, _, _] => {
                let (name, unit) =
                    case.rsplit_once(' ').ok_or_else(|| format!("no unit in {line}"))?;
                let (name, unit, peer) = (name.into(), unit.into(), peer.into());
                rows.push(Row {
                    name,
                    unit,
                    ours: number(2)?,
                    peer,
                    best: number(4)?,
                    limit: None,
                });
            }
            ["LIMIT", case, _, limit, _, _] => {
                limits.insert(case.to_owned(), (limit.to_owned(), number(4)?));
            }
            _ => {}
        }
    }
    for row in &mut rows {
        row.limit = limits.remove(&format!("{} {}", row.name, row.unit));
    }
    if rows.is_empty() { Err("no line of `versus`".into()) } else { Ok(rows) }
}

/// A bar for each case, a bar for the best peer below it, and a mark at the limit.
fn bars(title: &str, machine: &str, rows: &[&Row]) -> String {
    const EACH: f64 = 26.0;
    let height = TOP + EACH * rows.len() as f64 + 34.0;
    let (unit, limit) = (&rows[0].unit, rows.iter().find_map(|row| row.limit.as_ref()));
    let mut svg = start(title, machine, height);
    // A limit may be far beyond the axis; such a mark is not drawn.
    let most = rows.iter().map(|row| row.ours.max(row.best)).fold(0.0, f64::max);
    let step = step(most / 5.0);
    let end = (most / step).ceil() * step;
    let x = |value: f64| LEFT + (RIGHT - LEFT) * value / end;
    legend(&mut svg, "ours", LEFT, "this library");
    legend(&mut svg, "peer", LEFT + 110.0, "best peer");
    if let Some((name, _)) = limit {
        let (at, y) = (LEFT + 210.0, TOP - 26.0);
        line(&mut svg, "limit", [at, y - 2.0, at, y + 10.0]);
        label(&mut svg, "soft", at + 8.0, y + 9.0, name);
    }
    let bottom = height - 30.0;
    for i in 0..=(end / step).round() as usize {
        let value = i as f64 * step;
        line(&mut svg, "grid", [x(value), TOP, x(value), bottom]);
        label(&mut svg, "soft middle", x(value), bottom + 16.0, &format!("{value}"));
    }
    label(&mut svg, "soft", RIGHT + 18.0, bottom + 16.0, unit);
    for (i, row) in rows.iter().enumerate() {
        let y = TOP + EACH * i as f64 + 4.0;
        let name = row.name.trim_start_matches("gemm ").trim_start_matches("copy ");
        label(&mut svg, "end", LEFT - 10.0, y + 12.0, name);
        rectangle(&mut svg, "ours", [LEFT, y, x(row.ours) - LEFT, 10.0]);
        rectangle(&mut svg, "peer", [LEFT, y + 11.0, x(row.best) - LEFT, 6.0]);
        if let Some((_, limit)) = row.limit.as_ref().filter(|(_, limit)| *limit <= end) {
            line(&mut svg, "limit", [x(*limit), y - 1.0, x(*limit), y + 18.0]);
        }
        let said = format!("{:.2} × {}", row.ours / row.best, row.peer);
        label(&mut svg, "", RIGHT + 18.0, y + 12.0, &said);
    }
    svg + "</svg>\n"
}

/// A dot for each case, by class, on a logarithmic axis. Geometric means are red.
fn ratios(machine: &str, rows: &[Row]) -> String {
    const EACH: f64 = 44.0;
    let height = TOP + EACH * CLASSES.len() as f64 + 34.0;
    let mut svg = start(
        "This library over its best peer: a point for each case, and geometric means",
        machine,
        height,
    );
    let of = |row: &Row| row.ours / row.best;
    let most = rows.iter().map(of).fold(2.0, f64::max).log2().ceil();
    let least = rows.iter().map(of).fold(0.5, f64::min).log2().floor();
    let right = WIDTH - 90.0;
    let x = |ratio: f64| LEFT + (right - LEFT) * (ratio.log2() - least) / (most - least);
    let bottom = height - 30.0;
    for power in least as i32..=most as i32 {
        let value = 2f64.powi(power);
        let class = if power == 0 { "mean" } else { "grid" };
        line(&mut svg, class, [x(value), TOP, x(value), bottom]);
        label(&mut svg, "soft middle", x(value), bottom + 16.0, &format!("{value}"));
    }
    let class_of = |row: &Row| {
        CLASSES.iter().position(|(_, words)| words.iter().any(|word| row.name.contains(word)))
    };
    for (i, (name, _)) in CLASSES.iter().enumerate() {
        let of_it: Vec<f64> = rows.iter().filter(|row| class_of(row) == Some(i)).map(of).collect();
        if of_it.is_empty() {
            continue;
        }
        let (y, count) = (TOP + EACH * i as f64 + EACH / 2.0, of_it.len() as f64);
        label(&mut svg, "end", LEFT - 10.0, y + 4.0, &format!("{name}, {count}"));
        for (n, &ratio) in of_it.iter().enumerate() {
            // Spread vertically, so that no dot hides another.
            let y = y + (n * 7 % 5) as f64 * 5.0 - 10.0;
            let _ =
                writeln!(svg, r#"<circle class="dot" cx="{:.1}" cy="{y:.1}" r="4"/>"#, x(ratio));
        }
        let mean = (of_it.iter().map(|ratio| ratio.ln()).sum::<f64>() / count).exp();
        line(&mut svg, "limit", [x(mean), y - 16.0, x(mean), y + 16.0]);
        label(&mut svg, "", right + 14.0, y + 4.0, &format!("mean {mean:.2}"));
    }
    svg + "</svg>\n"
}

/// The header of an image.
fn start(title: &str, machine: &str, height: f64) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n",
        escaped(title)
    );
    label(&mut svg, "title", 10.0, 22.0, title);
    label(&mut svg, "soft", 10.0, 42.0, machine);
    svg
}

fn legend(svg: &mut String, class: &str, x: f64, text: &str) {
    let y = TOP - 26.0;
    rectangle(svg, class, [x, y, 12.0, 9.0]);
    label(svg, "soft", x + 18.0, y + 9.0, text);
}

fn label(svg: &mut String, class: &str, x: f64, y: f64, text: &str) {
    let _ =
        writeln!(svg, r#"<text class="{class}" x="{x:.1}" y="{y:.1}">{}</text>"#, escaped(text));
}

fn line(svg: &mut String, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
    let _ = writeln!(
        svg,
        r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#
    );
}

fn rectangle(svg: &mut String, class: &str, [x, y, width, height]: [f64; 4]) {
    let _ = writeln!(
        svg,
        r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}"/>"#
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// The smallest of 1, 2 and 5 times a power of ten that is at least `least`.
fn step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|x| x * power)
        .find(|step| *step >= least)
        .unwrap_or(power)
}
