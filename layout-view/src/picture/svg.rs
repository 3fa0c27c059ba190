//! A picture as self-contained SVG for light and dark screens and for print.

use std::fmt::Write as _;

use super::palette::hex;
use super::words::{escaped, second_line, wrapped};
use super::{Axis, Block, Cell, Edge, Picture};

/// The width in pixels of a character of a label, and of a header or caption.
const LABEL_CHAR_WIDTH: f64 = 7.3;
const SMALL_CHAR_WIDTH: f64 = 6.4;
/// The width of a character of the title.
const TITLE_CHAR_WIDTH: f64 = 7.9;
/// The minimum sides of a cell, and its height with a second line.
const MIN_CELL_SIDE: usize = 28;
const TWO_LINE_CELL_HEIGHT: usize = 38;
/// Margin around everything, and gap between blocks.
const MARGIN: usize = 16;
/// Maximum width of blocks side by side, and minimum width of titles and legends.
const MAX_BLOCKS_WIDTH: usize = 1080;
const MIN_WIDTH: usize = 300;
/// Line heights of the title and of the legend.
const LINE_HEIGHT: usize = 19;
/// From this number of cells on, cells are small and have no labels or titles.
const MAX_LABELLED_CELLS: usize = 4096;
/// The side of a small cell.
const SMALL_CELL_SIDE: usize = 7;
/// Number of small cells per header.
const CELLS_PER_HEADER: usize = 16;

impl Picture {
    /// The picture as an SVG document. Its style sheet and its names assume a file of its own:
    /// include it in HTML as an image.
    ///
    /// Each cell has a title, which viewers show on hover. Above 4096 cells, cells are small
    /// squares without labels.
    ///
    /// ```
    /// use layout_core::text::eval;
    /// use layout_view::picture::{Options, Picture};
    /// let picture = Picture::of(&eval("(2,2):(2,1)")?, &Options::default())?;
    /// assert!(picture.to_svg().contains("<title>(1,0) → 2</title>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_svg(&self) -> String {
        Drawing::new(self).write()
    }
}

/// The sizes of a picture.
struct Drawing<'p> {
    picture: &'p Picture,
    small: bool,
    cell: (usize, usize),
    /// Space for headers on the left and above.
    left_space: usize,
    top_space: usize,
}

impl<'p> Drawing<'p> {
    fn new(picture: &'p Picture) -> Self {
        let cells = || picture.blocks.iter().flat_map(|block| &block.cells);
        let small = cells().count() > MAX_LABELLED_CELLS;
        let label = cells().map(|cell| cell.label.chars().count()).max().unwrap_or(1);
        let threads = cells().filter_map(second_line).map(|text| text.chars().count()).max();
        let header = |axis: fn(&Block) -> &Axis| {
            let headers = picture.blocks.iter().flat_map(move |block| &axis(block).headers);
            headers.map(|header| header.chars().count()).max().unwrap_or(0) as f64
        };
        let width = (label as f64 * LABEL_CHAR_WIDTH)
            .max(threads.unwrap_or(0) as f64 * SMALL_CHAR_WIDTH)
            .max(header(|block| &block.columns) * SMALL_CHAR_WIDTH);
        let cell = match (small, threads) {
            (true, _) => (SMALL_CELL_SIDE, SMALL_CELL_SIDE),
            (false, None) => (MIN_CELL_SIDE.max(width as usize + 12), MIN_CELL_SIDE),
            (false, Some(_)) => (MIN_CELL_SIDE.max(width as usize + 12), TWO_LINE_CELL_HEIGHT),
        };
        let has_rows = picture.blocks.iter().any(|block| !block.rows.name.is_empty());
        let left_space = if has_rows {
            (header(|block| &block.rows) * SMALL_CHAR_WIDTH) as usize + 8 + LINE_HEIGHT
        } else {
            0
        };
        Self { picture, small, cell, left_space, top_space: 2 * LINE_HEIGHT }
    }

    /// The size of a block including its headers and title.
    fn size(&self, block: &Block) -> (usize, usize) {
        let title = if block.title.is_some() { LINE_HEIGHT + 6 } else { 0 };
        let (more_rows, more_columns) = (block.rows.is_cut(), block.columns.is_cut());
        let note = if more_rows || more_columns { LINE_HEIGHT } else { 0 };
        let width = self.left_space + block.columns.drawn() * self.cell.0;
        let height = title + self.top_space + block.rows.drawn() * self.cell.1 + note;
        (width, height)
    }

    /// The position of each block, and the total size.
    fn positions(&self) -> (Vec<(usize, usize)>, (usize, usize)) {
        let (mut x, mut y, mut row_height, mut widest) = (0, 0, 0, 0);
        let mut positions = Vec::new();
        for block in &self.picture.blocks {
            let (width, height) = self.size(block);
            if x > 0 && x + width > MAX_BLOCKS_WIDTH {
                (x, y) = (0, y + row_height + MARGIN);
                row_height = 0;
            }
            positions.push((x, y));
            x += width + 2 * MARGIN;
            widest = widest.max(x - 2 * MARGIN);
            row_height = row_height.max(height);
        }
        (positions, (widest, y + row_height))
    }

    fn write(&self) -> String {
        let (positions, (blocks_width, blocks_height)) = self.positions();
        let width = blocks_width.max(MIN_WIDTH);
        let title = wrapped(&self.picture.title, (width as f64 / TITLE_CHAR_WIDTH) as usize);
        let title_height = title.len() * LINE_HEIGHT + 8;
        let (legend, legend_height) = self.legend(width);
        let top = MARGIN + title_height;
        let hidden = self.picture.all_blocks - self.picture.blocks.len();
        let note_height = if hidden > 0 { LINE_HEIGHT } else { 0 };
        let bottom = top + blocks_height;
        let height = bottom + note_height + legend_height + MARGIN;
        let (full_width, full_height) = (width + 2 * MARGIN, height);
        let mut svg = String::new();
        let _ = write!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{full_width}\" height=\"{full_height}\" \
             viewBox=\"0 0 {full_width} {full_height}\" role=\"img\" aria-labelledby=\"title desc\">\n\
             <title id=\"title\">{}</title>\n<desc id=\"desc\">{}.</desc>\n<style>{}</style>\n{}\
             <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
            escaped(&self.picture.title),
            escaped(&self.picture.description),
            self.style(),
            HATCH,
        );
        for (i, line) in title.iter().enumerate() {
            let y = MARGIN + 12 + i * LINE_HEIGHT;
            let _ = writeln!(
                svg,
                "<text class=\"name\" x=\"{MARGIN}\" y=\"{y}\">{}</text>",
                escaped(line)
            );
        }
        for (block, (x, y)) in self.picture.blocks.iter().zip(positions) {
            self.block(block, (MARGIN + x, top + y), &mut svg);
        }
        if hidden > 0 {
            let y = bottom + 14;
            let all = self.picture.all_blocks;
            let _ = writeln!(
                svg,
                "<text class=\"note\" x=\"{MARGIN}\" y=\"{y}\">{} of {all} blocks</text>",
                self.picture.blocks.len()
            );
        }
        let _ = write!(
            svg,
            "<g transform=\"translate({MARGIN} {})\">\n{legend}</g>\n</svg>\n",
            bottom + note_height
        );
        svg
    }

    fn block(&self, block: &Block, (x, y): (usize, usize), svg: &mut String) {
        let _ = writeln!(svg, "<g transform=\"translate({x} {y})\">");
        let mut top = 0;
        if let Some(title) = &block.title {
            let _ =
                writeln!(svg, "<text class=\"name\" x=\"0\" y=\"14\">{}</text>", escaped(title));
            top = LINE_HEIGHT + 6;
        }
        let (width, height) = self.cell;
        let (left_space, first) = (self.left_space, top + self.top_space);
        let (columns, rows) = (block.columns.drawn(), block.rows.drawn());
        let (right, bottom) = (left_space + columns * width, first + rows * height);
        self.headers(block, top, svg);
        let _ = writeln!(svg, "<g transform=\"translate({left_space} {first})\">");
        if self.small {
            self.squares(block, svg);
        } else {
            self.cells(block, svg);
        }
        svg.push_str("</g>\n");
        for rule in &block.columns.rules {
            let x = left_space + rule.at * width;
            line(rule.edge, format_args!("M{x} {first}V{bottom}"), svg);
        }
        for rule in &block.rows.rules {
            let y = first + rule.at * height;
            line(rule.edge, format_args!("M{left_space} {y}H{right}"), svg);
        }
        let (w, h) = (right - left_space, bottom - first);
        let _ = writeln!(svg, "<path class=\"frame\" d=\"M{left_space} {first}h{w}v{h}h-{w}z\"/>");
        let parts: Vec<_> = [(&block.rows, "rows"), (&block.columns, "columns")]
            .into_iter()
            .filter(|(axis, _)| axis.is_cut())
            .map(|(axis, what)| format!("{} of {} {what}", axis.drawn(), axis.extent))
            .collect();
        if !parts.is_empty() {
            let y = bottom + 15;
            let _ = writeln!(
                svg,
                "<text class=\"note\" x=\"{left_space}\" y=\"{y}\">{} are drawn</text>",
                parts.join(", ")
            );
        }
        svg.push_str("</g>\n");
    }

    fn headers(&self, block: &Block, top: usize, svg: &mut String) {
        let (width, height) = self.cell;
        let (left_space, first) = (self.left_space, top + self.top_space);
        let every = if self.small { CELLS_PER_HEADER } else { 1 };
        let (columns, rows) = (&block.columns, &block.rows);
        let middle = left_space + columns.drawn() * width / 2;
        let _ = writeln!(
            svg,
            "<g class=\"head\">\n<text x=\"{middle}\" y=\"{}\" class=\"axis\">{}</text>",
            top + 13,
            escaped(&columns.name)
        );
        for (i, header) in columns.headers.iter().enumerate().step_by(every) {
            let x = left_space + i * width + width / 2;
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\">{}</text>", first - 6, escaped(header));
        }
        svg.push_str("</g>\n");
        if rows.name.is_empty() {
            return;
        }
        let middle = first + rows.drawn() * height / 2;
        let _ = writeln!(
            svg,
            "<g class=\"head side\">\n<text class=\"axis\" transform=\"translate(11 {middle}) rotate(-90)\">{}</text>",
            escaped(&rows.name)
        );
        for (i, header) in rows.headers.iter().enumerate().step_by(every) {
            let y = first + i * height + height / 2 + 4;
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{y}\">{}</text>",
                left_space - 6,
                escaped(header)
            );
        }
        svg.push_str("</g>\n");
    }

    /// Cells with labels and titles.
    fn cells(&self, block: &Block, svg: &mut String) {
        let (width, height) = self.cell;
        for (i, cell) in block.cells.iter().enumerate() {
            if cell.is_padding() && cell.offset.is_none() {
                continue;
            }
            let (x, y) = (i % block.columns.drawn() * width, i / block.columns.drawn() * height);
            let class = cell.color.map_or("plain".to_owned(), |color| format!("k{color}"));
            let path = format!("d=\"M{x} {y}h{width}v{height}h-{width}z\"");
            let title = self.picture.say(cell);
            let _ = write!(svg, "<g><title>{}</title>", escaped(&title));
            if cell.is_padding() {
                let faint = if cell.color.is_some() { " faint" } else { "" };
                let _ = writeln!(
                    svg,
                    "<path class=\"{class}{faint}\" {path}/><path class=\"hatched\" {path}/></g>"
                );
                continue;
            }
            let _ = write!(svg, "<path class=\"{class}\" {path}/>");
            let second = second_line(cell);
            let middle = x + width / 2;
            let baseline = if second.is_some() { y + height / 2 - 2 } else { y + height / 2 + 4 };
            let label = escaped(&cell.label);
            let _ = write!(svg, "<text x=\"{middle}\" y=\"{baseline}\">{label}</text>");
            if let Some(second) = second {
                let y = baseline + 13;
                let _ =
                    write!(svg, "<text class=\"thread\" x=\"{middle}\" y=\"{y}\">{second}</text>");
            }
            svg.push_str("</g>\n");
        }
    }

    /// Many cells, drawn as runs of one colour.
    fn squares(&self, block: &Block, svg: &mut String) {
        let columns = block.columns.drawn().max(1);
        let (width, height) = self.cell;
        let kind = |cell: &Cell| (cell.is_padding(), cell.offset.is_none(), cell.color);
        let mut paths: Vec<(String, String)> = Vec::new();
        for (row, cells) in block.cells.chunks(columns).enumerate() {
            let mut column = 0;
            for run in cells.chunk_by(|a, b| kind(a) == kind(b)) {
                let (x, y, w) = (column * width, row * height, run.len() * width);
                column += run.len();
                let (is_padding, is_absent, color) = kind(&run[0]);
                let faint = if is_padding { " faint" } else { "" };
                let mut classes =
                    vec![color.map_or("plain".to_owned(), |color| format!("k{color}{faint}"))];
                if is_padding {
                    if is_absent {
                        continue;
                    }
                    classes.push("hatched".to_owned());
                }
                for class in classes {
                    let path = format!("M{x} {y}h{w}v{height}h-{w}z");
                    match paths.iter_mut().find(|(one, _)| *one == class) {
                        Some((_, paths)) => paths.push_str(&path),
                        None => paths.push((class, path)),
                    }
                }
            }
        }
        // Hatches are drawn above colours.
        paths.sort_by_key(|(class, _)| class == "hatched");
        for (class, path) in paths {
            let _ = writeln!(svg, "<path class=\"{class} flat\" d=\"{path}\"/>");
        }
    }

    /// The legend, wrapped at a width, and its height.
    fn legend(&self, width: usize) -> (String, usize) {
        let mut text = String::new();
        let legend = &self.picture.legend;
        let has_padding = self.picture.has_padding();
        if legend.entries.is_empty() && !has_padding {
            return (text, 0);
        }
        let mut y = MARGIN + 10;
        if !legend.title.is_empty() {
            let _ = writeln!(
                text,
                "<text class=\"note\" x=\"0\" y=\"{y}\">{}</text>",
                escaped(&legend.title)
            );
            y += LINE_HEIGHT + 2;
        }
        let mut x = 0;
        let mut swatches: Vec<(String, String)> = Vec::new();
        if let Some((least, greatest)) = legend.ends() {
            let (least, greatest) = (least.to_string(), greatest.to_string());
            let text_width = |number: &str| (number.len() as f64 * SMALL_CHAR_WIDTH) as usize;
            let _ = writeln!(text, "<text class=\"note\" x=\"0\" y=\"{y}\">{least}</text>");
            x = 8 + text_width(&least);
            for entry in &legend.entries {
                let (top, class) = (y - 11, entry.color);
                let path = format!("M{x} {top}h16v14h-16z");
                let _ = writeln!(text, "<path class=\"k{class} flat\" d=\"{path}\"/>");
                x += 16;
            }
            x += 6;
            let _ = writeln!(text, "<text class=\"note\" x=\"{x}\" y=\"{y}\">{greatest}</text>");
            x += 14 + text_width(&greatest);
        } else {
            let entries = legend.entries.iter();
            swatches
                .extend(entries.map(|entry| (format!("k{}", entry.color), entry.label.clone())));
        }
        if has_padding {
            swatches.push(("hatched".to_owned(), "padding".to_owned()));
        }
        for (class, label) in swatches {
            let needed = 22 + (label.chars().count() as f64 * SMALL_CHAR_WIDTH) as usize;
            if x > 0 && x + needed > width {
                (x, y) = (0, y + LINE_HEIGHT + 2);
            }
            let (at, top) = (x + 20, y - 11);
            let _ = writeln!(
                text,
                "<path class=\"swatch {class}\" d=\"M{x} {top}h14v14h-14z\"/>\
                 <text class=\"note\" x=\"{at}\" y=\"{y}\">{}</text>",
                escaped(&label)
            );
            x += needed + 12;
        }
        (text, y + 6)
    }

    /// The style sheet: the colours of light paper, and those of a dark screen.
    fn style(&self) -> String {
        let palette = self.picture.legend.scale.palette();
        let mut used: Vec<u8> =
            self.picture.legend.entries.iter().map(|entry| entry.color).collect();
        used.sort_unstable();
        let fills = |colors: &[[u8; 3]]| {
            used.iter().fold(String::new(), |mut css, &color| {
                let fill = colors.get(usize::from(color)).copied().unwrap_or_default();
                let _ = write!(css, ".k{color}{{fill:{}}}", hex(fill));
                css
            })
        };
        format!(
            "{BASE}{}@media (prefers-color-scheme:dark){{{DARK}{}}}",
            fills(palette.light),
            fills(palette.dark)
        )
    }
}

fn line(edge: Edge, path: std::fmt::Arguments<'_>, svg: &mut String) {
    let _ = writeln!(svg, "<path class=\"w{}\" d=\"{path}\"/>", edge.weight());
}

const HATCH: &str = "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
                     patternTransform=\"rotate(45)\"><path class=\"stroke\" d=\"M0 0V6\"/></pattern></defs>\n";

const BASE: &str = "\
text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;text-anchor:middle;fill:#111}\
.head text,.thread{font-size:10.5px;fill:#57606a}.thread{fill:#333}\
.head .axis,text.note{font:11px system-ui,-apple-system,'Segoe UI','Helvetica Neue',Arial,'DejaVu Sans',sans-serif;fill:#57606a}\
.side text{text-anchor:end}.side .axis{text-anchor:middle}\
text.name{font-size:13px;font-weight:600;text-anchor:start;fill:#1f2328}text.note{text-anchor:start}\
.paper{fill:#fff}.plain{fill:#fff}path{stroke:#fff;stroke-width:1}.flat{stroke:none}.faint{fill-opacity:.4}\
.hatched{fill:url(#hatch)}.stroke{stroke:#6e7781;stroke-width:1.6}\
.w1,.w2,.w3,.frame{fill:none;stroke:#24292f}.w1{stroke-dasharray:3 2}.w2{stroke-width:2}.w3{stroke-width:4}.frame{stroke-width:1.5}\
.swatch{stroke:#8c959f}";

const DARK: &str = "\
text{fill:#fff}.head text,.head .axis,text.note{fill:#9da7b3}.thread{fill:#e6edf3}text.name{fill:#e6edf3}\
.paper,.plain{fill:#0d1117}path{stroke:#0d1117}.stroke{stroke:#8b949e}.w1,.w2,.w3,.frame{stroke:#e6edf3}.swatch{stroke:#6e7681}";
