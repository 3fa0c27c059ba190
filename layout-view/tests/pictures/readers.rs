//! Parses the labels back from each format.

use layout_view::picture::{Picture, Text};
use serde_json::Value as Json;

/// Labels row by row; empty for padding.
pub(crate) type Matrix = Vec<Vec<Option<String>>>;

/// The labels of a picture as JSON, with coordinates, offsets and cores.
pub(crate) struct FromJson {
    pub(crate) labels: Matrix,
    pub(crate) cells: Vec<(Option<Vec<usize>>, Option<i64>, usize)>,
}

pub(crate) fn of_json(text: &str) -> Vec<FromJson> {
    let picture: Json = serde_json::from_str(text).expect("JSON");
    assert_eq!((&picture["schema"], &picture["kind"]), (&1.into(), &"picture".into()));
    let colors = picture["legend"]["light"].as_array().expect("colours").len() as u64;
    let list = |json: &Json| json.as_array().cloned();
    let blocks = picture["blocks"].as_array().expect("blocks").iter().map(|block| {
        let count = |axis: &str| block[axis]["headers"].as_array().expect("headers").len();
        let (rows, columns) = (count("rows"), count("columns"));
        for list in
            ["labels", "coordinates", "offsets", "colors", "cores", "tiles", "banks", "lines"]
        {
            let length = block[list].as_array().map_or(rows * columns, Vec::len);
            assert_eq!(length, rows * columns, "{list}");
        }
        for color in list(&block["colors"]).unwrap_or_default() {
            assert!(color.is_null() || color.as_u64().expect("a number") < colors);
        }
        let at = block["at"].as_array();
        let coordinate = |i: usize| match at {
            Some(at) => {
                // Except for a value of one mode, the first gap is the row header.
                let mut inside =
                    if at.len() == 1 { vec![i] } else { vec![i / columns, i % columns] }
                        .into_iter();
                let at = at.iter().map(|c| c.as_u64().map(|c| c as usize));
                Some(at.map(|c| c.unwrap_or_else(|| inside.next().expect("two modes"))).collect())
            }
            None => block["coordinates"][i]
                .as_array()
                .map(|at| at.iter().map(|c| c.as_u64().expect("a number") as usize).collect()),
        };
        let offset = |i: usize| block["offsets"][i].as_i64();
        let label = |i: usize| match block["labels"][i].as_str() {
            Some(label) => label.to_owned(),
            None => offset(i).expect("an offset is the label").to_string(),
        };
        let core = |i: usize| block["cores"][i].as_u64().unwrap_or(0) as usize;
        let cells: Vec<_> =
            (0..rows * columns).map(|i| (coordinate(i), offset(i), core(i))).collect();
        let labels = (0..rows).map(|row| {
            let indices = row * columns..(row + 1) * columns;
            indices.map(|i| cells[i].0.is_some().then(|| label(i))).collect()
        });
        FromJson { labels: labels.collect(), cells }
    });
    blocks.collect()
}

/// The labels of text without colours. `core:label` on several cores.
pub(crate) fn of_text(picture: &Picture) -> Vec<Matrix> {
    let text = picture.to_text(Text::default());
    let mut blocks: Vec<Matrix> = Vec::new();
    let has_rows = picture.blocks.iter().any(|block| !block.rows.name.is_empty());
    for line in text.lines() {
        let tokens = |line: &str| -> Vec<Option<String>> {
            let words = line.split_whitespace().filter(|word| !["│", "┊", "┃"].contains(word));
            words.map(|word| (!word.starts_with('░')).then(|| word.to_owned())).collect()
        };
        if !has_rows {
            blocks.push(vec![tokens(line)]);
        } else if line.contains('┌') {
            blocks.push(Vec::new());
        } else if let Some((_, row)) = line.split_once('│')
            && row.chars().any(|c| !"─┈━┼╋".contains(c))
        {
            blocks.last_mut().expect("a frame").push(tokens(row));
        }
    }
    blocks
}

/// The labels of an SVG, by the positions of the cells.
pub(crate) fn of_svg(picture: &Picture) -> Vec<Matrix> {
    let text = picture.to_svg();
    let document = roxmltree::Document::parse(&text).expect("XML");
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    for id in root.attribute("aria-labelledby").expect("a name").split(' ') {
        let named = root.children().find(|child| child.attribute("id") == Some(id));
        assert!(named.and_then(|node| node.text()).is_some_and(|text| !text.is_empty()), "{id}");
    }
    let is = |node: &roxmltree::Node<'_, '_>, name: &str| node.has_tag_name(name);
    let is_cell = |node: &roxmltree::Node<'_, '_>| {
        is(node, "g") && node.first_element_child().is_some_and(|child| is(&child, "title"))
    };
    let grids = document.descendants().filter(|node| node.children().any(|child| is_cell(&child)));
    let blocks = grids.zip(&picture.blocks).map(|(grid, block)| {
        let mut labels = vec![vec![None; block.columns.drawn()]; block.rows.drawn()];
        for cell in grid.children().filter(is_cell) {
            let path = cell.children().find(|child| is(child, "path")).expect("a square");
            let numbers: Vec<usize> = path.attribute("d").expect("a path")[1..]
                .split([' ', 'h', 'v', '-', 'z'])
                .filter_map(|number| number.parse().ok())
                .collect();
            let [x, y, width, height, _] = numbers[..] else { panic!("{numbers:?}") };
            let label = cell.children().find(|child| is(child, "text")).map(|label| {
                assert_eq!(label.attribute("x"), Some((x + width / 2).to_string().as_str()));
                label.text().expect("a label").to_owned()
            });
            labels[y / height][x / width] = label;
        }
        labels
    });
    blocks.collect()
}

/// The labels of the tables of an HTML page.
pub(crate) fn of_html(picture: &Picture) -> Vec<Matrix> {
    let text = picture.to_html();
    let (before, script) = text.split_once("<script>").expect("a script");
    let (_, after) = script.split_once("</script>").expect("its end");
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let text = format!("{before}{after}");
    let document = roxmltree::Document::parse_with_options(&text, options).expect("well-formed");
    let tables = document.descendants().filter(|node| node.has_tag_name("tbody"));
    let tables = tables.map(|table| {
        let rows = table.children().filter(|node| node.has_tag_name("tr"));
        let rows = rows.map(|row| {
            let cells = row.children().filter(|node| node.has_tag_name("td"));
            let label = |cell: roxmltree::Node<'_, '_>| {
                let classes = cell.attribute("class").unwrap_or_default();
                assert!(cell.attribute("title").is_some() && cell.attribute("tabindex").is_some());
                let is_padding =
                    classes.split(' ').any(|class| class == "pad" || class == "absent");
                (!is_padding).then(|| cell.text().expect("a label").to_owned())
            };
            cells.map(label).collect()
        });
        rows.collect()
    });
    tables.collect()
}

/// The labels of a TikZ document, by the positions of the nodes.
pub(crate) fn of_tikz(picture: &Picture) -> Vec<Matrix> {
    let text = picture.to_tikz();
    let number = |text: &str, before: &str| -> f64 {
        let start = text.find(before).expect(before) + before.len();
        let rest = &text[start..];
        let end = rest.find([',', ']', ')', '}']).expect("an end");
        rest[..end].parse().expect("a number")
    };
    let scopes = text.split("\\begin{scope}").skip(1);
    let blocks = scopes.zip(&picture.blocks).map(|(scope, block)| {
        let scope = scope.split("\\end{scope}").next().expect("an end");
        let (width, height) = (number(scope, "xstep="), number(scope, "ystep="));
        let mut labels = vec![vec![None; block.columns.drawn()]; block.rows.drawn()];
        for node in scope.lines().filter_map(|line| line.strip_prefix("\\node at (")) {
            let (place, label) = node.split_once(") {").expect("a label");
            let (x, y) = place.split_once(',').expect("a place");
            let place =
                |text: &str, step: f64| (text.parse::<f64>().expect("a number") / step) as usize;
            let label =
                label.split("};").next().expect("an end").replace("{}", "").replace('\\', "");
            labels[place(y, height)][place(x, width)] = Some(label);
        }
        labels
    });
    blocks.collect()
}
