//! A picture as text, for a terminal or a file.

use std::fmt::Write as _;

use anstyle::{Ansi256Color, Color, Style};

use super::{Axis, Block, Cell, Edge, Entry, Legend, Picture};

/// Options of the text output.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Text {
    /// Whether cells are coloured by ANSI escapes.
    pub color: bool,
    /// Maximum characters per line. `None`: no limit.
    pub width: Option<usize>,
}

/// The hatch of a position without an element.
const PADDING: char = '░';

/// Number of narrow columns per header.
const COLUMNS_PER_HEADER: usize = 8;

impl Picture {
    /// The picture as text: one line per row. If a line would be too long, output in colour draws
    /// two rows per line as half blocks without labels; other output draws the first columns only.
    ///
    /// ```
    /// use layout_core::text::eval;
    /// use layout_view::picture::{Options, Picture, Text};
    /// let picture = Picture::of(&eval("((2,2),2):((1,4),2)")?, &Options::default())?;
    /// assert_eq!(picture.to_text(Text::default()).trim_start(), "\
    /// 0  1
    ///   ┌──────
    /// 0 │  0  2
    /// 1 │  1  3
    ///   │──────
    /// 2 │  4  6
    /// 3 │  5  7
    /// ");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_text(&self, form: Text) -> String {
        let mut text = String::new();
        for (i, block) in self.blocks.iter().enumerate() {
            if let Some(title) = &block.title {
                let _ = writeln!(text, "{}{title}", if i > 0 { "\n" } else { "" });
            }
            let drawing = Drawing::new(self, block, form);
            if drawing.fits(block.columns.drawn()) || !form.color {
                drawing.labels(&mut text);
            } else {
                drawing.half_blocks(&mut text);
            }
        }
        if self.blocks.len() < self.all_blocks {
            let _ = writeln!(text, "\n… {} of {} blocks", self.blocks.len(), self.all_blocks);
        }
        if form.color {
            self.legend.write(self.has_padding(), form.width, &mut text);
        }
        text
    }
}

/// A block and its layout on the screen.
struct Drawing<'p> {
    block: &'p Block,
    legend: &'p Legend,
    form: Text,
    /// Whether the label includes the core, which the colours may already show.
    with_core: bool,
    /// Width of a label in characters.
    label: usize,
    /// Width of a row header in characters.
    header: usize,
}

impl<'p> Drawing<'p> {
    fn new(picture: &'p Picture, block: &'p Block, form: Text) -> Self {
        let with_core =
            picture.cores > 1 && !form.color && !block.cells.iter().all(|c| c.core == 0);
        let mut drawing =
            Self { block, legend: &picture.legend, form, with_core, label: 1, header: 0 };
        let labels = block.cells.iter().map(|cell| drawing.label_of(cell).chars().count());
        let headers = block.columns.headers.iter().map(|header| header.chars().count());
        drawing.label = labels.chain(headers).max().unwrap_or(1).max(1);
        drawing.header = block.rows.headers.iter().map(|h| h.chars().count()).max().unwrap_or(0);
        drawing
    }

    fn label_of(&self, cell: &Cell) -> String {
        match (cell.is_padding(), self.with_core) {
            (true, _) => String::new(),
            (false, true) => format!("{}:{}", cell.core, cell.label),
            (false, false) => cell.label.clone(),
        }
    }

    /// Whether there are headers: a single row of one mode has none.
    fn has_rows(&self) -> bool {
        !self.block.rows.name.is_empty()
    }

    fn margin(&self) -> usize {
        if self.has_rows() { self.header + 2 } else { 0 }
    }

    /// Whether this many columns fit the width, including an ellipsis if more follow.
    fn fits(&self, columns: usize) -> bool {
        let Some(width) = self.form.width else { return true };
        let rules = self.block.columns.rules.iter().filter(|rule| rule.at < columns).count();
        let more = if columns < self.block.columns.extent { 2 } else { 0 };
        self.margin() + columns * (self.label + 2) + 2 * rules + more <= width
    }

    /// One line per row, with labels.
    fn labels(&self, text: &mut String) {
        let Block { rows, columns, cells, .. } = self.block;
        let mut shown = columns.drawn();
        while shown > 1 && !self.fits(shown) {
            shown -= 1;
        }
        let more = if shown < columns.extent { " …" } else { "" };
        let (margin, header, label) = (self.margin(), self.header, self.label);
        let dim = if self.form.color { Style::new().dimmed() } else { Style::new() };
        if self.has_rows() {
            let mut line = " ".repeat(margin);
            for (column, name) in columns.headers.iter().enumerate().take(shown) {
                if columns.rule_at(column).is_some() {
                    line.push_str("  ");
                }
                let _ = write!(line, "  {name:>label$}");
            }
            let _ = writeln!(text, "{dim}{}{more}{dim:#}", line.trim_end());
            let _ = writeln!(text, "{}", self.rule_between(shown, '┌', '─', '─'));
        }
        for (row, name) in rows.headers.iter().enumerate() {
            if let Some(edge) = rows.rule_at(row) {
                let (line, cross) = horizontal(edge);
                let _ = writeln!(text, "{}", self.rule_between(shown, '│', line, cross));
            }
            if self.has_rows() {
                let _ = write!(text, "{dim}{name:>header$}{dim:#} │");
            }
            let width = columns.drawn();
            let mut line = String::new();
            for (column, cell) in cells[row * width..row * width + shown].iter().enumerate() {
                if let Some(edge) = columns.rule_at(column) {
                    let _ = write!(line, " {}", vertical(edge));
                }
                self.write_cell(cell, &mut line);
            }
            // A value of one mode starts at the line start.
            let line = if self.has_rows() || self.form.color { &line } else { line.trim_start() };
            let _ = writeln!(text, "{line}{more}");
        }
        if rows.drawn() < rows.extent {
            let _ = writeln!(text, "{:>width$}", "…", width = header.max(1));
        }
        self.write_omitted(shown, text);
    }

    fn write_cell(&self, cell: &Cell, line: &mut String) {
        let label = self.label_of(cell);
        let width = self.label;
        if cell.is_padding() {
            let hatch = if cell.offset.is_some() { PADDING } else { ' ' };
            // In colour, as wide as the others.
            let (margin, width) = if self.form.color { ("", width + 2) } else { ("  ", width) };
            let hatch: String = std::iter::repeat_n(hatch, width).collect();
            let style = match self.color_of(cell) {
                Some(color) => Style::new().fg_color(Some(color)),
                None if self.form.color => Style::new().dimmed(),
                None => Style::new(),
            };
            let _ = write!(line, "{margin}{style}{hatch}{style:#}");
        } else if let Some(color) = self.color_of(cell) {
            let style = Style::new().bg_color(Some(color)).fg_color(Some(BLACK));
            let _ = write!(line, "{style} {label:>width$} {style:#}");
        } else {
            let _ = write!(line, "  {label:>width$}");
        }
    }

    fn color_of(&self, cell: &Cell) -> Option<Color> {
        let color = cell.color.filter(|_| self.form.color)?;
        let light = self.legend.scale.palette().light;
        light.get(usize::from(color)).copied().map(nearest)
    }

    /// A line between two rows.
    fn rule_between(&self, shown: usize, corner: char, line: char, cross: char) -> String {
        if !self.has_rows() {
            return String::new();
        }
        let mut text = format!("{}{corner}", " ".repeat(self.header + 1));
        for column in 0..shown {
            if self.block.columns.rule_at(column).is_some() {
                text.push(line);
                text.push(cross);
            }
            text.extend(std::iter::repeat_n(line, self.label + 2));
        }
        text
    }

    /// Two rows per line, one character per column.
    fn half_blocks(&self, text: &mut String) {
        let Block { rows, columns, cells, .. } = self.block;
        let dim = Style::new().dimmed();
        let margin = self.header + 1;
        let max_columns =
            self.form.width.map_or(columns.drawn(), |width| width.saturating_sub(margin));
        let shown = columns.drawn().min(max_columns.max(1));
        let mut ticks = " ".repeat(margin);
        for (column, name) in
            columns.headers.iter().enumerate().take(shown).step_by(COLUMNS_PER_HEADER)
        {
            let _ = write!(
                ticks,
                "{:width$}{name}",
                "",
                width = margin + column - ticks.chars().count()
            );
        }
        let _ = writeln!(text, "{dim}{ticks}{dim:#}");
        let header = self.header;
        for pair in (0..rows.drawn()).step_by(2) {
            let _ = write!(text, "{dim}{:>header$}{dim:#} ", rows.headers[pair]);
            for column in 0..shown {
                let cell = |row: usize| cells.get(row * columns.drawn() + column);
                let below = (pair + 1 < rows.drawn()).then(|| cell(pair + 1)).flatten();
                let (above, below) = (cell(pair), below);
                let color = |cell: Option<&Cell>| {
                    cell.filter(|cell| !cell.is_padding()).and_then(|cell| self.color_of(cell))
                };
                let style = Style::new().fg_color(color(above)).bg_color(color(below));
                let (above, below) = (color(above), color(below));
                let (style, block) = match (above, below) {
                    (Some(_), _) => (style, '▀'),
                    (None, Some(below)) => (Style::new().fg_color(Some(below)), '▄'),
                    (None, None) => (dim, '·'),
                };
                let _ = write!(text, "{style}{block}{style:#}");
            }
            text.push('\n');
        }
        self.write_omitted(shown, text);
    }

    /// States how much is not drawn.
    fn write_omitted(&self, shown: usize, text: &mut String) {
        let Block { rows, columns, .. } = self.block;
        let part = |axis: &Axis, shown: usize, unit: &str| {
            (shown < axis.extent).then(|| format!("{shown} of {} {unit}", axis.extent))
        };
        let parts = [part(rows, rows.drawn(), "rows"), part(columns, shown, "columns")];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        if !parts.is_empty() {
            let _ = writeln!(text, "{}", parts.join(", "));
        }
    }
}

impl Legend {
    /// The colours and their meaning, wrapped at this width.
    fn write(&self, has_padding: bool, width: Option<usize>, text: &mut String) {
        if self.entries.is_empty() && !has_padding {
            return;
        }
        let light = self.scale.palette().light;
        let mut line = self.title.chars().count() + 1;
        let _ = write!(text, "\n{}:", self.title);
        let swatch = |entry: &Entry| {
            let color = light.get(usize::from(entry.color)).copied().unwrap_or_default();
            let style = Style::new().bg_color(Some(nearest(color)));
            format!("{style}  {style:#}")
        };
        if let Some((least, greatest)) = self.ends() {
            let bar: String = self.entries.iter().map(swatch).collect();
            let _ = write!(text, " {least} {bar} {greatest}");
        } else {
            for entry in &self.entries {
                let length = entry.label.chars().count() + 4;
                if width.is_some_and(|width| line + length > width) {
                    text.push('\n');
                    line = 0;
                }
                line += length;
                let _ = write!(text, " {} {}", swatch(entry), entry.label);
            }
        }
        if has_padding {
            let _ = write!(text, " {PADDING}{PADDING} padding");
        }
        text.push('\n');
    }
}

const fn vertical(edge: Edge) -> char {
    match edge.weight() {
        1 => '┊',
        2 => '│',
        _ => '┃',
    }
}

const fn horizontal(edge: Edge) -> (char, char) {
    match edge.weight() {
        1 => ('┈', '┼'),
        2 => ('─', '┼'),
        _ => ('━', '╋'),
    }
}

const BLACK: Color = Color::Ansi256(Ansi256Color(16));

/// The nearest of the 216 colours of the standard terminal palette, `16 + 36r + 6g + b`.
fn nearest(color: [u8; 3]) -> Color {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let level = |byte: u8| {
        let distance = |&i: &u8| LEVELS[usize::from(i)].abs_diff(byte);
        (0..6u8).min_by_key(distance).unwrap_or(0)
    };
    let [red, green, blue] = color.map(level);
    Color::Ansi256(Ansi256Color(16 + 36 * red + 6 * green + blue))
}
