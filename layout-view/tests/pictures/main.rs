//! Every cell of every format equals the value of the layout, for layouts of every kind.

use std::collections::HashSet;
use std::process::Command;
use std::time::{Duration, Instant};

use layout_core::devices::tenstorrent::Located;
use layout_core::text::{Value, eval};
use layout_view::access::Threads;
use layout_view::picture::{ColorBy, Limits, Options, Picture, Text, View};

mod layouts;
mod readers;

use layouts::Random;
use readers::{FromJson, Matrix};

/// The value of `layout eval` at a coordinate. For device tensors: the value of their own models.
fn value_at(text: &str, value: &Value, at: &[usize]) -> (usize, String) {
    let list = at.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    match value {
        Value::Spyre(layout) => (0, layout.offset(at).expect("inside").to_string()),
        Value::CurrentSpyre(layout) => (0, layout.offset(at).expect("inside").to_string()),
        Value::Tenstorrent(tensor) => {
            let layout = tensor.layout();
            let Located { core, offset, .. } = layout.locate(at).expect("inside");
            (layout.core_number(core.leaves()).expect("a core"), offset.to_string())
        }
        _ => {
            let question = format!("eval({text}, ({list}))");
            let answer = eval(&question).unwrap_or_else(|error| panic!("{question}: {error}"));
            (0, answer.to_string())
        }
    }
}

/// The extents of the coordinates.
fn extents(value: &Value) -> Vec<usize> {
    match value {
        Value::Spyre(layout) => layout.size().to_vec(),
        Value::CurrentSpyre(layout) => layout.size().to_vec(),
        Value::Tenstorrent(tensor) => tensor.layout().shape().to_vec(),
        _ => {
            let shape = value.extents().expect("a layout");
            (0..shape.rank()).map(|i| shape.mode(i).product().expect("small")).collect()
        }
    }
}

/// Checks that each coordinate is in exactly one cell, with the right value.
fn check_elements(text: &str, value: &Value, view: View, blocks: &[FromJson]) {
    let mut seen = HashSet::new();
    for block in blocks {
        let labels = block.labels.iter().flatten();
        for ((coordinate, offset, core), label) in block.cells.iter().zip(labels) {
            let Some(at) = coordinate else { continue };
            let (expected_core, expected) = value_at(text, value, at);
            assert!(seen.insert(at.clone()), "{text}: {at:?} twice");
            assert_eq!(*core, expected_core, "{text} at {at:?}");
            if let Some(offset) = offset {
                assert_eq!(offset.to_string(), expected, "{text} at {at:?}");
            }
            let label = label.as_deref().expect("an element has a label");
            if view == View::Memory {
                let at: Vec<_> = at.iter().map(ToString::to_string).collect();
                assert_eq!(label, at.join(","), "{text}");
            } else {
                assert_eq!(label, expected, "{text} at {at:?}");
            }
        }
    }
    let size: usize = extents(value).iter().product();
    assert_eq!(seen.len(), size, "{text}: every element is drawn");
}

/// Checks that all formats have the same labels.
fn check_formats(text: &str, picture: &Picture, expected: &[FromJson]) {
    let labels: Vec<Matrix> = expected.iter().map(|block| block.labels.clone()).collect();
    for (format, drawn) in [
        ("svg", readers::of_svg(picture)),
        ("html", readers::of_html(picture)),
        ("tikz", readers::of_tikz(picture)),
    ] {
        assert_eq!(drawn, labels, "{format} of {text}");
    }
    let with_cores: Vec<Matrix> = expected
        .iter()
        .map(|block| {
            let mut cells = block.cells.iter();
            let is_everywhere = block.cells.iter().any(|cell| cell.2 > 0);
            let label = |label: &Option<String>| {
                let core = cells.next().expect("a cell for each label").2;
                label
                    .as_ref()
                    .map(|l| if is_everywhere { format!("{core}:{l}") } else { l.clone() })
            };
            let mut label = label;
            block.labels.iter().map(|row| row.iter().map(&mut label).collect()).collect()
        })
        .collect();
    let mut drawn = readers::of_text(picture);
    // Cells after the end of the memory have no label.
    for (drawn, expected) in drawn.iter_mut().zip(&with_cores) {
        for (drawn, expected) in drawn.iter_mut().zip(expected) {
            drawn.resize(expected.len(), None);
        }
    }
    assert_eq!(drawn, with_cores, "text of {text}");
}

fn check(text: &str, views: &[View]) -> usize {
    let Ok(value) = eval(text) else { return 0 };
    let value = if let Value::List(_) = value { return 0 } else { value };
    let size: usize = extents(&value).iter().product();
    if size > 1500 {
        return 0;
    }
    for &view in views {
        let limits = Limits { rows: 128, columns: 128, blocks: 48, cells: 4096 };
        let options = Options { view: Some(view), limits, ..Options::default() };
        let picture = match Picture::of(&value, &options) {
            Ok(picture) => picture,
            // A current layout with copies is not a placement, but its memory is drawn.
            Err(_) if matches!(value, Value::CurrentSpyre(_)) && view != View::Memory => continue,
            Err(error) => panic!("{text}: {error}"),
        };
        if picture.blocks.len() < picture.all_blocks
            || picture.blocks.iter().any(|b| b.rows.is_cut() || b.columns.is_cut())
        {
            continue;
        }
        let blocks = readers::of_json(&picture.to_json());
        // If several elements share an offset, the memory shows only one of them.
        let is_injective = !matches!(view, View::Memory | View::Padded) || is_injective(&value);
        if is_injective {
            check_elements(text, &value, view, &blocks);
        }
        check_formats(text, &picture, &blocks);
    }
    1
}

fn is_injective(value: &Value) -> bool {
    match value {
        Value::Composed(composed) => composed.layout().is_injective() == Ok(true),
        Value::CurrentSpyre(layout) => layout.copies() == 1,
        Value::Spyre(_) | Value::Tenstorrent(_) => true,
        _ => value.layout().is_ok_and(|layout| layout.is_injective() == Ok(true)),
    }
}

/// Number of layouts of each kind.
const CASES: u64 = 40;

fn check_many(seed: u64, make: impl Fn(&mut Random) -> String, views: &[View]) {
    let mut random = Random(seed);
    let checked: usize = (0..CASES).map(|_| check(&make(&mut random), views)).sum();
    assert!(checked as u64 > CASES / 3, "{checked} of {CASES} were layouts");
}

#[test]
fn plain_layouts() {
    check_many(1, Random::layout, &[View::Logical, View::Memory]);
    check_many(2, Random::morello, &[View::Logical, View::Padded, View::Memory]);
}

#[test]
fn swizzled_layouts() {
    check_many(3, Random::swizzled, &[View::Logical, View::Memory]);
}

#[test]
fn layouts_of_coordinates_and_integers() {
    check_many(4, Random::coordinates, &[View::Logical]);
    check_many(5, Random::integers, &[View::Logical]);
}

#[test]
fn tensors_of_devices() {
    check_many(6, Random::spyre, View::ALL);
    check_many(7, Random::tenstorrent, View::ALL);
}

#[test]
fn compositions_and_divides() {
    let mut random = Random(8);
    let make = |r: &mut Random| {
        let (a, b) = (r.layout(), r.layout());
        match r.below(4) {
            0 => format!("composition({a}, {b})"),
            1 => format!("logical_divide({a}, {b})"),
            2 => format!("blocked_product({a}, {b})"),
            _ => format!("raked_product({a}, {b})"),
        }
    };
    let checked: usize = (0..400).map(|_| check(&make(&mut random), &[View::Logical])).sum();
    assert!(checked > 30, "{checked} were valid");
}

/// With limits of 0, one row and one column are drawn.
#[test]
fn limits_are_kept() {
    for text in [
        "((4,5),(3,7),2):((1,4),(20,60),420)",
        "tensor<13x15xf32, #tt.metal_layout<collapse = [], undef, <2x2>>>",
        "spyre { size: [3, 40], dtype: f32 }",
    ] {
        let value = eval(text).expect(text);
        for &view in View::ALL {
            for (rows, columns, blocks, cells) in
                [(0, 0, 0, 0), (1, 1, 1, 1), (5, 3, 1, 9), (4, 9, 9, 40)]
            {
                let limits = Limits { rows, columns, blocks, cells };
                let options = Options { view: Some(view), limits, ..Options::default() };
                let picture = Picture::of(&value, &options).expect(text);
                let drawn: usize = picture.blocks.iter().map(|block| block.cells.len()).sum();
                assert!(drawn <= cells.max(columns.max(1)), "{text}: {limits:?}");
                for block in &picture.blocks {
                    let (r, c) = (block.rows.drawn(), block.columns.drawn());
                    assert!(r <= rows.max(1) && c <= columns.max(1) && block.cells.len() == r * c);
                }
                for text in [picture.to_text(Text::default()), picture.to_svg(), picture.to_html()]
                {
                    assert!(picture.blocks.is_empty() || text.contains(" of "), "{text}");
                }
            }
        }
    }
}

#[test]
fn rules_are_at_the_edges_of_tiles() {
    let rules = |text: &str| {
        let picture = Picture::of(&eval(text).expect(text), &Options::default()).expect(text);
        let of = |axis: &layout_view::picture::Axis| {
            axis.rules.iter().map(|rule| (rule.at, rule.edge.name())).collect::<Vec<_>>()
        };
        let block = &picture.blocks[0];
        (of(&block.rows), of(&block.columns))
    };
    let tile = |at| (at, "tile");
    assert_eq!(rules("(4,8):(8,1)"), (vec![], vec![]));
    assert_eq!(rules("logical_divide((6,8):(8,1), <3, 4>)"), (vec![tile(3)], vec![tile(4)]));
    assert_eq!(rules("((2,2,2),4):((1,2,4),8)").0, [(2, "part"), (4, "tile"), (6, "part")]);
    assert_eq!(rules("(((2,2),2),4):(((1,2),4),8)").0, [(2, "part"), (4, "tile"), (6, "part")]);
    let tensor = "tensor<20x12xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>, \
                  memref<3x2x!tt.tile<8x4, f32>, #tt.memory_space<l1>>>>";
    let (rows, columns) = rules(tensor);
    assert_eq!(rows, [tile(8), tile(16)]);
    assert_eq!(columns, [tile(4), (8, "core"), tile(12)]);
    let spyre = Options { view: Some(View::Padded), ..Options::default() };
    let value = eval("spyre { size: [3, 40], dtype: f32 }").expect("a layout");
    let picture = Picture::of(&value, &spyre).expect("a picture");
    assert_eq!(picture.blocks[0].columns.rules.len(), 1);
    assert_eq!(picture.blocks[0].columns.rule_at(32).map(|edge| edge.name()), Some("stick"));
    // 120 elements in 2 times 3 sticks of 32.
    let padding = picture.blocks[0].cells.iter().filter(|cell| cell.is_padding()).count();
    assert_eq!(padding, 192 - 120);
}

/// Compiles some documents with `pdflatex`, if it is installed.
#[test]
fn tikz_compiles() {
    if Command::new("pdflatex").arg("--version").output().is_err() {
        println!("skipped: there is no pdflatex (texlive-latex-base and texlive-pictures)");
        return;
    }
    let folder = std::env::temp_dir().join(format!("static-layout-tikz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let threads = Threads::thread_value(
        &eval("((4,8),2):((16,1),8)").expect("a layout"),
        &eval("(8,8):(8,1)").expect("a layout").composed().expect("a layout"),
    );
    let threads = Some(threads.expect("threads"));
    let texts = [
        ("((2,2),(2,2),2):((1,4),(2,8),16)", None),
        ("Sw<1,0,1> o 0 o (2,4):(4,1)", None),
        ("(2,2):(1@0,1@1)", None),
        ("(8,8):(8,1)", threads),
        ("spyre { size: [3, 20], dtype: f64 }", None),
        ("tensor<3x4xf32, #tt.metal_layout<collapse = [], undef, <2x1>>>", None),
    ];
    for (i, (text, threads)) in texts.into_iter().enumerate() {
        let options = Options { threads, ..Options::default() };
        let picture = Picture::of(&eval(text).expect(text), &options).expect(text);
        let file = format!("picture{i}.tex");
        std::fs::write(folder.join(&file), picture.to_tikz()).expect("a file");
        let output = Command::new("pdflatex")
            .args(["-interaction=nonstopmode", "-halt-on-error", &file])
            .current_dir(&folder)
            .output()
            .expect("it runs");
        let log = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && log.contains("(1 page"), "{text}: {log}");
        // A missing character or an overfull box is only a warning, so the log is checked for them.
        assert!(!log.contains("Missing character") && !log.contains("Overfull"), "{text}: {log}");
    }
    std::fs::remove_dir_all(&folder).expect("it was there");
}

#[test]
fn a_large_picture_fits_a_screen_in_colour() {
    let value = eval("Sw<3,3,3> o 0 o (64,64):(64,1)").expect("a layout");
    let options = Options { color_by: ColorBy::Bank, ..Options::default() };
    let picture = Picture::of(&value, &options).expect("a picture");
    let text = picture.to_text(Text { color: true, width: Some(80) });
    let plain: String = without_escapes(&text);
    assert!(plain.lines().all(|line| line.chars().count() <= 80), "{plain}");
    assert!(plain.lines().count() <= 40, "{plain}");
    assert_eq!(plain.chars().filter(|&c| c == '▀').count(), 64 * 32);
    let narrow = picture.to_text(Text { color: false, width: Some(80) });
    assert!(narrow.lines().all(|line| line.chars().count() <= 80), "{narrow}");
    assert!(narrow.contains("of 64 columns"), "{narrow}");
}

fn without_escapes(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + part.split_once('m').map_or("", |(_, rest)| rest))
}

#[test]
fn colours_match_the_option() {
    let value = eval("(8,8):(8,1)").expect("a layout");
    let of = |color_by| {
        let picture = Picture::of(&value, &Options { color_by, ..Options::default() });
        picture.map(|picture| (picture.legend.title.clone(), picture))
    };
    let (title, picture) = of(ColorBy::Bank).expect("a picture");
    assert_eq!(title, "bank, 32 of 4 bytes");
    // 32 floats cover all banks once: rows 0 and 4 have the same colours.
    let color = |row: usize, column: usize| picture.blocks[0].cells[row * 8 + column].color;
    assert_eq!((color(0, 3), picture.blocks[0].cells[3].bank), (color(4, 3), Some(3)));
    assert!(of(ColorBy::Thread).is_err() && of(ColorBy::Swizzle).is_err());
    assert!(of(ColorBy::Line).is_err(), "shared memory has no lines");
    assert!(of(ColorBy::None).expect("a picture").1.legend.entries.is_empty());
}

/// The time is far below the redraw time of a page, even on a busy machine.
#[test]
fn a_picture_of_256_by_256_is_quick() {
    if cfg!(debug_assertions) {
        println!("skipped: the limit is for release builds");
        return;
    }
    let limit = Duration::from_millis(50);
    for text in [
        "(256,256):(256,1)",
        "Sw<3,4,3> o 0 o ((8,32),(64,4)):((64,2048),(1,512))",
        "tensor<250x250xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x2>, \
         memref<4x4x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>>",
    ] {
        let value = eval(text).expect(text);
        let measure = || {
            let start = Instant::now();
            let picture = Picture::of(&value, &Options::default()).expect(text);
            assert!(picture.to_json().len() > 100_000);
            start.elapsed()
        };
        let best = (0..10).map(|_| measure()).min().expect("ten times");
        println!("{text}: {best:?}");
        assert!(best < limit, "{text}: {best:?}");
    }
}
