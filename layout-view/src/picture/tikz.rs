//! A picture as a LaTeX document with TikZ: one page as large as the picture.

use std::fmt::Write as _;

use super::palette::hex;
use super::words::{second_line, wrapped};
use super::{Block, Cell, Edge, Picture};

/// From this number of cells on, cells are small and have no labels.
const MAX_LABELLED_CELLS: usize = 4096;
/// The width of a character of a label, in centimetres.
const CHAR_WIDTH: f64 = 0.17;
/// The minimum side of a cell, and the side of a small cell.
const MIN_CELL_SIDE: f64 = 0.72;
const SMALL_CELL_SIDE: f64 = 0.12;
/// Number of small cells per header.
const CELLS_PER_HEADER: usize = 16;
/// The height of a line of text.
const LINE_HEIGHT: f64 = 0.5;
/// Number of colours per line of the legend.
const ENTRIES_PER_LINE: usize = 8;

impl Picture {
    /// The picture as a document for `pdflatex`; it needs only TikZ. The environment `tikzpicture`
    /// can be copied into another document, with the colour definitions above it.
    ///
    /// Above 4096 cells, cells are small squares without labels.
    ///
    /// ```
    /// use layout_core::text::eval;
    /// use layout_view::picture::{Options, Picture};
    /// let picture = Picture::of(&eval("(2,2):(2,1)")?, &Options::default())?;
    /// assert!(picture.to_tikz().contains("\\begin{tikzpicture}"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_tikz(&self) -> String {
        let mut tex = String::from(HEAD);
        let palette = self.legend.scale.palette().light;
        for entry in &self.legend.entries {
            let color = palette.get(usize::from(entry.color)).copied().unwrap_or_default();
            let digits = hex(color).trim_start_matches('#').to_uppercase();
            let _ = writeln!(tex, "\\definecolor{{k{}}}{{HTML}}{{{digits}}}", entry.color);
        }
        Drawing::new(self).write(&mut tex);
        tex.push_str(TAIL);
        tex
    }
}

const HEAD: &str = "\
\\documentclass{article}
\\usepackage{tikz}
\\usetikzlibrary{patterns}
\\pagestyle{empty}
\\begin{document}
";

// Sets the page size to that of the picture, without a package.
const TAIL: &str = "\
\\setbox0=\\hbox{\\kern4mm\\vbox{\\kern4mm\\copy\\layoutpicture\\kern4mm}\\kern4mm}
\\ifdefined\\pdfpagewidth\\pdfpagewidth=\\wd0 \\pdfpageheight=\\dimexpr\\ht0+\\dp0\\relax\\fi
\\ifdefined\\pagewidth\\pagewidth=\\wd0 \\pageheight=\\dimexpr\\ht0+\\dp0\\relax\\fi
\\hoffset=-1in \\voffset=-1in
\\shipout\\box0
\\end{document}
";

/// The sizes of a picture, in centimetres.
struct Drawing<'p> {
    picture: &'p Picture,
    small: bool,
    width: f64,
    height: f64,
}

impl<'p> Drawing<'p> {
    fn new(picture: &'p Picture) -> Self {
        let cells = || picture.blocks.iter().flat_map(|block| &block.cells);
        let small = cells().count() > MAX_LABELLED_CELLS;
        let lines = cells().flat_map(|cell| [Some(cell.label.clone()), second_line(cell)]);
        let most = lines.flatten().map(|text| text.chars().count()).max().unwrap_or(1);
        let has_threads = cells().any(|cell| cell.thread.is_some());
        let (width, height) = match small {
            true => (SMALL_CELL_SIDE, SMALL_CELL_SIDE),
            false => {
                let width = (most as f64).mul_add(CHAR_WIDTH, 0.3).max(MIN_CELL_SIDE);
                (width, if has_threads { 1.4 * MIN_CELL_SIDE } else { MIN_CELL_SIDE })
            }
        };
        Self { picture, small, width, height }
    }

    fn write(&self, tex: &mut String) {
        let picture = self.picture;
        let columns = picture.blocks.iter().map(|block| block.columns.drawn()).max().unwrap_or(1);
        let width = (columns as f64 * self.width).max(8.0);
        tex.push_str("\\newsavebox\\layoutpicture\n\\savebox\\layoutpicture{%\n");
        let _ = writeln!(
            tex,
            "\\begin{{tikzpicture}}[x=1cm,y=-1cm,font=\\ttfamily\\footnotesize,head/.style={{font=\\ttfamily\\scriptsize,text=black!65}},\
             note/.style={{font=\\sffamily\\scriptsize,text=black!75,anchor=base west,inner sep=0}}]"
        );
        let mut y = 0.0;
        for line in wrapped(&picture.title, (width / 0.2) as usize) {
            let _ = writeln!(
                tex,
                "\\node[anchor=base west,inner sep=0,font=\\ttfamily\\bfseries\\small] at (0,{y:.2}) {{{}}};",
                escaped(&line)
            );
            y += LINE_HEIGHT;
        }
        for block in &picture.blocks {
            y += 0.3;
            if let Some(title) = &block.title {
                let _ = writeln!(tex, "\\node[note] at (0,{:.2}) {{{}}};", y + 0.1, escaped(title));
                y += LINE_HEIGHT;
            }
            let _ = writeln!(tex, "\\begin{{scope}}[yshift=-{:.3}cm]", y + 0.8);
            self.block(block, tex);
            tex.push_str("\\end{scope}\n");
            y += 1.0 + block.rows.drawn() as f64 * self.height;
            for (axis, unit) in [(&block.rows, "rows"), (&block.columns, "columns")] {
                if axis.is_cut() {
                    y += LINE_HEIGHT;
                    let (drawn, extent) = (axis.drawn(), axis.extent);
                    let _ = writeln!(
                        tex,
                        "\\node[note] at (0,{y:.2}) {{{drawn} of {extent} {unit} are drawn}};"
                    );
                }
            }
        }
        self.legend(y, tex);
        tex.push_str("\\end{tikzpicture}}\n");
    }

    fn block(&self, block: &Block, tex: &mut String) {
        let (w, h) = (self.width, self.height);
        let (columns, rows) = (block.columns.drawn(), block.rows.drawn());
        for (row, cells) in block.cells.chunks(columns.max(1)).enumerate() {
            let mut column = 0;
            // Adjacent small cells of one colour are one rectangle.
            let same = |a: &Cell, b: &Cell| {
                self.small
                    && (a.color, a.is_padding(), a.offset.is_none())
                        == (b.color, b.is_padding(), b.offset.is_none())
            };
            for run in cells.chunk_by(same) {
                let place = (column as f64 * w, row as f64 * h, run.len() as f64 * w);
                self.cell(&run[0], place, tex);
                column += run.len();
            }
        }
        let (right, bottom) = (columns as f64 * w, rows as f64 * h);
        if !self.small {
            let _ = writeln!(
                tex,
                "\\draw[black!25,line width=.3pt,xstep={w:.3},ystep={h:.3}] (0,0) grid ({right:.3},{bottom:.3});"
            );
        }
        for rule in &block.columns.rules {
            let x = rule.at as f64 * w;
            let _ = writeln!(tex, "\\draw[{}] ({x:.3},0) -- ({x:.3},{bottom:.3});", pen(rule.edge));
        }
        for rule in &block.rows.rules {
            let y = rule.at as f64 * h;
            let _ = writeln!(tex, "\\draw[{}] (0,{y:.3}) -- ({right:.3},{y:.3});", pen(rule.edge));
        }
        let _ = writeln!(tex, "\\draw[line width=.8pt] (0,0) rectangle ({right:.3},{bottom:.3});");
        let every = if self.small { CELLS_PER_HEADER } else { 1 };
        for (i, header) in block.columns.headers.iter().enumerate().step_by(every) {
            let x = (i as f64 + 0.5) * w;
            let _ = writeln!(tex, "\\node[head] at ({x:.3},-.2) {{{}}};", escaped(header));
        }
        let _ = writeln!(
            tex,
            "\\node[head,font=\\sffamily\\scriptsize] at ({:.3},-.55) {{{}}};",
            right / 2.0,
            escaped(&block.columns.name)
        );
        for (i, header) in block.rows.headers.iter().enumerate().step_by(every) {
            let y = (i as f64 + 0.5) * h;
            let _ =
                writeln!(tex, "\\node[head,anchor=east] at (0,{y:.3}) {{{}}};", escaped(header));
        }
        if !block.rows.name.is_empty() {
            let _ = writeln!(
                tex,
                "\\node[head,font=\\sffamily\\scriptsize,rotate=90] at (-.8,{:.3}) {{{}}};",
                bottom / 2.0,
                escaped(&block.rows.name)
            );
        }
    }

    /// A cell, or a run of small ones, given its upper left corner and width.
    fn cell(&self, cell: &Cell, (x, y, w): (f64, f64, f64), tex: &mut String) {
        if cell.is_padding() && cell.offset.is_none() {
            return;
        }
        let h = self.height;
        if let Some(color) = cell.color {
            let _ = writeln!(tex, "\\fill[k{color}] ({x:.3},{y:.3}) rectangle +({w:.3},{h:.3});");
        }
        if cell.is_padding() {
            let _ = writeln!(
                tex,
                "\\fill[pattern=north east lines,pattern color=black!45] ({x:.3},{y:.3}) rectangle +({w:.3},{h:.3});"
            );
        } else if !self.small {
            let (middle, center) = (x + w / 2.0, y + h / 2.0);
            let label = escaped(&cell.label);
            let _ = match second_line(cell) {
                None => writeln!(tex, "\\node at ({middle:.3},{center:.3}) {{{label}}};"),
                Some(second) => writeln!(
                    tex,
                    "\\node at ({middle:.3},{:.3}) {{{label}}};\\node[head,text=black!85] at ({middle:.3},{:.3}) {{{second}}};",
                    center - 0.18,
                    center + 0.2
                ),
            };
        }
    }

    fn legend(&self, mut y: f64, tex: &mut String) {
        let legend = &self.picture.legend;
        if legend.entries.is_empty() && !self.picture.has_padding() {
            return;
        }
        y += LINE_HEIGHT;
        let _ = writeln!(tex, "\\node[note] at (0,{y:.2}) {{{}}};", escaped(&legend.title));
        if let Some((least, greatest)) = legend.ends() {
            y += LINE_HEIGHT;
            let (start, top) = ((least.to_string().len() as f64).mul_add(0.16, 0.15), y - 0.25);
            let _ = writeln!(tex, "\\node[note] at (0,{y:.2}) {{{least}}};");
            for (i, entry) in legend.entries.iter().enumerate() {
                let x = (i as f64).mul_add(0.4, start);
                let color = entry.color;
                let _ = writeln!(tex, "\\fill[k{color}] ({x:.2},{top:.2}) rectangle +(.4,.3);");
            }
            let end = (legend.entries.len() as f64).mul_add(0.4, start + 0.1);
            let _ = writeln!(tex, "\\node[note] at ({end:.2},{y:.2}) {{{greatest}}};");
        }
        let entries = if legend.ends().is_some() { &[][..] } else { &legend.entries };
        for line in entries.chunks(ENTRIES_PER_LINE) {
            y += LINE_HEIGHT;
            let mut x = 0.0;
            for entry in line {
                let _ = writeln!(
                    tex,
                    "\\filldraw[fill=k{},draw=black!50,line width=.3pt] ({x:.2},{:.2}) rectangle +(.3,.3);\
                     \\node[note] at ({:.2},{y:.2}) {{{}}};",
                    entry.color,
                    y - 0.25,
                    x + 0.4,
                    escaped(&entry.label)
                );
                x += (entry.label.chars().count() as f64).mul_add(0.15, 0.8);
            }
        }
        if self.picture.has_padding() {
            y += LINE_HEIGHT;
            let _ = writeln!(
                tex,
                "\\filldraw[pattern=north east lines,pattern color=black!45,draw=black!50] (0,{:.2}) rectangle +(.3,.3);\
                 \\node[note] at (.4,{y:.2}) {{padding}};",
                y - 0.25
            );
        }
    }
}

const fn pen(edge: Edge) -> &'static str {
    match edge.weight() {
        1 => "densely dashed,line width=.4pt",
        2 => "line width=1pt",
        _ => "line width=2pt",
    }
}

/// Escapes a text for LaTeX.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '…' => out.push_str("\\dots{}"),
            // Two of them form a ligature, as do two hyphens.
            '<' | '>' | '-' => {
                out.push(c);
                out.push_str("{}");
            }
            c if c.is_control() || !c.is_ascii() => out.push('?'),
            c => out.push(c),
        }
    }
    out
}
