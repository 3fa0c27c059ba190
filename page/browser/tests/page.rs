//! The page in headless Chromium, opened as a file, with the network off.
//!
//! `.ci/page` builds the page and runs this.

use fantoccini::key::Key;
use layout_core::text::Value;
use layout_view::function::{Function, Point};
use layout_view::notation::{self, eval};
use page_browser::Page;
use serde_json::Value as Json;

/// A step of the derivation shows its value at the cell.
const STEPS_AT_CELL: &str =
    "[...document.querySelectorAll('.at')].some((one) => one.textContent.includes('↦'))";

/// Time limit of a drawing.
const MOST_MS: f64 = 100.0;

/// Opens the page, or ends the test if there is no browser.
macro_rules! page {
    () => {
        match Page::open().await {
            Some(page) => page,
            None => return,
        }
    };
}

/// All examples of the page, and some more.
fn links() -> Vec<String> {
    let examples: Json =
        serde_json::from_str(include_str!("../../web/examples.json")).expect("JSON");
    let groups = examples.as_array().expect("groups").iter();
    let examples = groups.flat_map(|group| group["examples"].as_array().expect("examples"));
    let text = |example: &Json| example["e"].as_str().expect("an expression").to_owned();
    let more = [
        "8:2",
        "(4,8)",
        "((2,(2,3)),7):((1,(4,20)),60)",
        "100:3",
        "(3,5,2,2):(1,3,15,30)",
        "(8,8):(-8,1)",
        "coalesce((2,(1,6)):(1,(6,2)))",
        "(4,8):(1@0,2@1)",
        "(4,(2,3)):(1@0,(1@0@1,2@1@1))",
        "logical_product((2,2):(4,1), 6:1)",
        "tiled_divide((8,8):(8,1), <2, 4>)",
        "Sw<2,1,3> o 16 o (4,32):(32,1)",
        "upcast((4,16):(16,1), 4)",
        "tensor<3x5x7xf32, #tt.metal_layout<collapse = [(0, -1)], zero, <2x2>>>",
        "spyre { size: [2, 3, 70], dtype: f32 }",
        "[0, 1, 2] for (3, 4, 5)",
        "Layout<Shape<_4,_8>, Stride<_8,_1>>",
        "memref<4x8xf32, strided<[16, 1]>>",
        "(1,1):(0,0)",
        "(2,2,2,2,2):(16,8,4,2,1)",
    ];
    examples.map(text).chain(more.map(str::to_owned)).collect()
}

/// The value of `layout eval` at a coordinate of a layout: an entry of `table(LAYOUT)`. Layouts of
/// coordinates and device tensors have no such table.
struct Oracle {
    function: Function,
    table: Option<Vec<String>>,
}

impl Oracle {
    fn new(text: &str) -> Self {
        let value = notation::layout(text).expect(text);
        let table = match eval(&format!("table({text})")) {
            Ok(Value::List(list)) => {
                let listed = list.to_string();
                let entries = listed.trim_start_matches('[').trim_end_matches(']').split(", ");
                Some(entries.map(str::to_owned).collect())
            }
            _ => None,
        };
        Self { function: Function::of(&value).expect(text), table }
    }

    fn at(&self, at: &[usize]) -> String {
        let shape = self.function.shape();
        let sizes = if shape.is_int() {
            vec![shape.leaves()[0]]
        } else {
            (0..shape.rank()).map(|mode| shape.mode(mode).product().expect("a size")).collect()
        };
        let index = at.iter().zip(&sizes).rev().fold(0, |index, (c, size)| index * size + c);
        if let Some(table) = &self.table {
            return table[index].clone();
        }
        match self.function.at(index).expect("a value") {
            Point::Slot(_, offset) => offset.to_string(),
            point => point.to_string(),
        }
    }
}

#[tokio::test]
async fn links_show_what_layout_eval_says() {
    let page = page!();
    let links = links();
    assert!(links.len() >= 50, "{}", links.len());
    let mut cells = 0;
    for text in &links {
        page.show(&[("e", text)]).await;
        let shown = page
            .value("[...document.querySelectorAll('#grid-table td[data-at]')].map((one) => [one.dataset.at, one.textContent])")
            .await;
        let shown = shown.as_array().expect("cells");
        assert!(!shown.is_empty(), "{text}: {}", page.text("#grid").await);
        let oracle = Oracle::new(text);
        // Printing a large table is slow, so only some of its cells are checked.
        for cell in shown.iter().step_by(shown.len().div_ceil(128)) {
            let (at, label) = (cell[0].as_str().expect("text"), cell[1].as_str().expect("text"));
            let coordinate: Vec<usize> = at
                .split(',')
                .filter(|number| !number.is_empty())
                .map(|number| number.parse().expect("a number"))
                .collect();
            assert_eq!(label, oracle.at(&coordinate), "{text} at ({at})");
            cells += 1;
        }
        let value = page.value("document.querySelector('.result').textContent").await;
        assert_eq!(value.as_str(), Some(eval(text).expect(text).to_string().as_str()));
    }
    println!("{} links, {cells} cells", links.len());
    page.close().await;
}

#[tokio::test]
async fn errors_are_shown_at_their_position() {
    let page = page!();
    for text in
        ["(4,8u32):(8,-)", "flatten(composition((6,2):(1,7), 4:2))", "(4,ü):(8,1)", "foo(4:1)"]
    {
        page.show(&[("e", text)]).await;
        let error = eval(text).expect_err(text);
        let items = page.value("[...document.querySelectorAll('#problems li')].map((one) => [one.querySelector('.problem-title').textContent, one.querySelector('.snippet').textContent])");
        let items = items.await;
        let items = items.as_array().expect("items");
        assert_eq!(items.len(), error.problems().len(), "{text}");
        for (item, problem) in items.iter().zip(error.problems()) {
            let (code, message) = (problem.error.code(), problem.error.message());
            assert_eq!(
                item[0].as_str(),
                Some(format!("error[{code}] {}", message.as_str()).as_str())
            );
            // Counted in characters, like carets.
            let place = problem.span.clone();
            let before = text[..place.start].chars().count();
            let count = text[place].chars().count().max(1);
            let carets = format!("{text}\n{}{}", " ".repeat(before), "^".repeat(count));
            assert_eq!(item[1].as_str(), Some(carets.as_str()));
        }
        assert!(page.text("#grid").await.contains("nothing to draw"), "{text}");
        assert_eq!(page.value("document.querySelectorAll('#notations .notation').length").await, 0);
    }
    // The explanation of its code, and its example.
    page.show(&[("e", "foo(4:1)")]).await;
    page.click("#problems .code").await;
    page.until("document.getElementById('entry').open").await;
    let error = eval("foo(4:1)").expect_err("there is no foo");
    assert!(page.text("#entry-title").await.starts_with(error.problems()[0].error.code()));
    page.close().await;
}

#[tokio::test]
async fn hover_and_pins_link_the_panes() {
    let page = page!();
    page.show(&[("e", "logical_divide((6,8):(8,1), <3, 4>)")]).await;
    // The cell in row 2 and column 3, by the sizes that the page gives to cells.
    let place = page.value(
        "(() => { const box = document.getElementById('grid'); const canvas = box.querySelector('canvas'); return [canvas.width, canvas.height, devicePixelRatio]; })()",
    );
    let place = place.await;
    assert!(place[0].as_f64() > Some(100.0) && place[1].as_f64() > Some(100.0), "{place}");
    let mut found = false;
    'search: for y in (24..200).step_by(14) {
        for x in (40..300).step_by(15) {
            page.mouse("#grid", (x, y), false).await;
            let cell_text = page.text("#cell").await;
            if cell_text.contains("((2,0),(3,0))") {
                page.until(STEPS_AT_CELL).await;
                page.mouse("#grid", (x, y), true).await;
                found = true;
                break 'search;
            }
        }
    }
    assert!(found, "no place of the grid is the cell");
    page.until("location.hash.includes('p=2,3')").await;
    page.until("document.getElementById('cell').textContent.includes('pinned')").await;
    let cell_text = page.text("#cell").await;
    let offset =
        eval("eval(logical_divide((6,8):(8,1), <3, 4>), (2,3))").expect("an offset").to_string();
    assert!(cell_text.contains(&offset), "{cell_text}");
    // Each step shows its value at the cell.
    page.until(STEPS_AT_CELL).await;
    // A click on a memory position selects its cell.
    page.mouse("#memory", (36, 32), false).await;
    page.until("document.getElementById('cell').textContent.includes('((0,0),(0,0))')").await;
    // A new page at the link has the same pin.
    let link = page.client.current_url().await.expect("an address");
    page.client.goto("about:blank").await.expect("a page");
    page.client.goto(link.as_str()).await.expect("the page");
    page.until("document.getElementById('cell').textContent.includes('pinned')").await;
    assert!(page.text("#cell").await.contains("((2,0),(3,0))"));
    page.close().await;
}

#[tokio::test]
async fn exports_are_files() {
    let page = page!();
    let text = "Sw<2,0,2> o 0 o (4,4):(4,1)";
    page.show(&[("e", text)]).await;
    page.click("#export-button").await;
    let formats = page.value(
        "[...document.querySelectorAll('.formats button')].map((one) => one.dataset.format)",
    );
    let formats = formats.await;
    for format in formats.as_array().expect("formats").iter().filter_map(Json::as_str) {
        page.click(&format!(".formats [data-format={format}]")).await;
        page.until(&format!("document.getElementById('exported').dataset.format === '{format}'"))
            .await;
        page.click("#export-download").await;
        let ending = match format {
            "tikz" => "tex",
            "rust" => "rs",
            "text" => "txt",
            other => other,
        };
        let file = page.downloads.join(format!("layout.{ending}"));
        let is_right = |saved: &str| match format {
            "svg" => saved.contains("<svg") && saved.contains("</svg>"),
            "tikz" => saved.contains("\\begin{tikzpicture}"),
            "html" => saved.contains("<html"),
            "json" => serde_json::from_str::<Json>(saved).is_ok_and(|json| json["schema"] == 1),
            "rust" => saved.contains("layout!(Sw<2,0,2> o 0 o (4,4):(4,1))"),
            _ => saved.contains("10"),
        };
        // The browser creates the file before it writes it.
        let start = std::time::Instant::now();
        loop {
            let saved = std::fs::read_to_string(&file).unwrap_or_default();
            if is_right(&saved) {
                break;
            }
            assert!(start.elapsed().as_secs() < 20, "{format}: {saved}");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
    assert!(formats.as_array().is_some_and(|formats| formats.len() >= 2));
    page.close().await;
}

#[tokio::test]
async fn the_keyboard_is_enough() {
    let page = page!();
    page.show(&[("e", "(4,8):(8,1)")]).await;
    let (enter, escape) = (char::from(Key::Enter), char::from(Key::Escape));
    let (right, down) = (char::from(Key::Right), char::from(Key::Down));
    // Another expression, with a name that is completed.
    page.keys(&[], ['/']).await;
    page.until("document.activeElement.id === 'expression'").await;
    page.keys(&[Key::Control], ['a']).await;
    page.keys(&[], "blocked_p".chars()).await;
    page.until("!document.getElementById('expression-offers').hidden").await;
    page.keys(&[], [enter]).await;
    page.keys(&[], "(2,5):(5,1), (3,4):(1,3))".chars()).await;
    page.until(
        "document.querySelector('.result')?.textContent.startsWith('((2,3),(5,4))') === true",
    )
    .await;
    assert_eq!(page.state("e").await, "blocked_product((2,5):(5,1), (3,4):(1,3))");
    // Selects a cell with the arrow keys.
    page.keys(&[], [escape]).await;
    page.keys(&[], ['g']).await;
    page.until("document.activeElement.id === 'grid'").await;
    page.keys(&[], [right, right, right, down, enter]).await;
    page.until("location.hash.includes('p=1,3')").await;
    assert!(page.text("#live").await.contains("is at"));
    page.keys(&[], [escape]).await;
    page.until("!location.hash.includes('p=')").await;
    // Switches colours, then undo and redo.
    page.keys(&[], ['c']).await;
    page.until("location.hash.includes('c=')").await;
    page.keys(&[Key::Control], ['z']).await;
    page.until("!location.hash.includes('c=')").await;
    page.keys(&[Key::Control, Key::Shift], ['z']).await;
    page.until("location.hash.includes('c=')").await;
    // Menus.
    for (key, dialog) in [('?', "help"), ('e', "examples"), ('x', "export")] {
        page.keys(&[], [key]).await;
        page.until(&format!("document.getElementById('{dialog}').open")).await;
        page.keys(&[], [escape]).await;
        page.until(&format!("!document.getElementById('{dialog}').open")).await;
    }
    page.close().await;
}

#[tokio::test]
async fn a_relayout_is_shown_step_by_step() {
    let page = page!();
    page.show(&[("e", "(4,8):(8,1)"), ("w", "(4,8):(1,4)")]).await;
    assert!(
        page.text("#difference").await.contains("30 of 32 elements have another place, 120 bytes")
    );
    let note = page.text("#progress-note").await;
    assert!(note.contains("32 elements"), "{note}");
    // At the first step the elements of one tile have arrived.
    page.value("void document.activeElement.blur()").await;
    page.keys(&[], ['[']).await;
    page.until("location.hash.includes('k=')").await;
    page.show(&[("e", "(4,8):(8,1)"), ("w", "(4,8):(1,4)"), ("k", "1")]).await;
    let note = page.text("#progress-note").await;
    assert!(note.starts_with("step 1 of 2: 16 elements"), "{note}");
    // Different shapes are an error, which the page shows.
    page.show(&[("e", "(4,8):(8,1)"), ("w", "(4,9):(1,4)")]).await;
    assert!(page.text("#difference").await.contains("32 and 36 elements"));
    page.show(&[("e", "(4,8):(8,1)"), ("w", "(4,9:(1,4)")]).await;
    assert!(page.text("#other-problems").await.contains("is not closed"));
    page.close().await;
}

#[tokio::test]
async fn a_large_layout_is_drawn_at_once() {
    let page = page!();
    page.show(&[("e", "(256,256):(256,1)")]).await;
    let mut times = [Vec::new(), Vec::new()];
    // The best of several runs, because the machine may be busy.
    for turn in 0..40 {
        let text = format!("Sw<3,{},3> o 0 o (256,256):(256,1)", turn % 8);
        page.value("performance.clearMeasures()").await;
        page.show(&[("e", &text)]).await;
        for (name, times) in ["grid", "redraw"].into_iter().zip(&mut times) {
            let took = format!("performance.getEntriesByName('{name}')[0].duration");
            times.push(page.value(&took).await.as_f64().expect("milliseconds"));
        }
        if turn >= 5 && times[0].iter().any(|&took| took < MOST_MS) {
            break;
        }
    }
    let [grid, all] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        (times[0], times[times.len() / 2])
    });
    println!(
        "256 x 256: the grid in {:.0} ms (median {:.0}), with memory {:.0} ms ({:.0})",
        grid.0, grid.1, all.0, all.1
    );
    assert!(grid.0 < MOST_MS, "{grid:?}");
    // Nothing was fetched from the network.
    assert_eq!(page.value("performance.getEntriesByType('resource').length").await, 0);
    page.close().await;
}
