//! A picture of a layout: the value at each coordinate, or at each position of the memory.
//!
//! [`Picture`] describes the drawing: cells in blocks of rows and columns, with headers, rules at
//! the edges of tiles, sticks and cores, and a legend. It is built once from a value and
//! [`Options`]; each file here draws it in one format.
//!
//! ```
//! use layout_core::text::eval;
//! use layout_view::picture::{Options, Picture};
//!
//! let value = eval("Sw<1,0,1> o 0 o (2,2):(2,1)")?;
//! let picture = Picture::of(&value, &Options::default())?;
//! let labels: Vec<_> = picture.blocks[0].cells.iter().map(|cell| cell.label.as_str()).collect();
//! assert_eq!(labels, ["0", "1", "3", "2"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod axes;
mod build;
mod color;
mod html;
pub mod json;
mod options;
mod palette;
mod slots;
mod svg;
mod text;
mod tikz;
mod words;

pub use color::{Entry, Legend};
pub use options::{ColorBy, Limits, Options, View};
pub use palette::{Palette, Scale};
pub use text::Text;

/// The description of a drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// The value, in canonical notation.
    pub title: String,
    /// A one-sentence description: the alternative text of the picture.
    pub description: String,
    /// The meaning of the rows and columns.
    pub view: View,
    /// Number of logical dimensions, the length of each coordinate.
    pub rank: usize,
    /// The blocks, drawn one below the other.
    pub blocks: Vec<Block>,
    /// Number of blocks, including those not drawn.
    pub all_blocks: usize,
    /// The meaning of the colours.
    pub legend: Legend,
    /// Number of cores.
    pub cores: usize,
}

impl Picture {
    /// Whether any drawn memory position has no element.
    pub fn has_padding(&self) -> bool {
        let mut cells = self.blocks.iter().flat_map(|block| &block.cells);
        cells.any(|cell| cell.is_padding() && cell.offset.is_some())
    }

    /// The facts about a cell, as shown on hover: `(1,2) → 10, core 0`.
    pub fn say(&self, cell: &Cell) -> String {
        let mut parts = Vec::new();
        match (&cell.coordinate, cell.offset) {
            (Some(at), offset) => {
                let at: Vec<_> = at.iter().map(ToString::to_string).collect();
                let place = offset.map_or_else(|| cell.label.clone(), |offset| offset.to_string());
                let at = at.join(",");
                let at = if self.rank == 1 { at } else { format!("({at})") };
                parts.push(format!("{at} → {place}"));
            }
            (None, Some(offset)) => parts.push(format!("padding at offset {offset}")),
            (None, None) => parts.push("beyond the end of the memory".to_owned()),
        }
        if self.cores > 1 {
            parts.push(format!("core {}", cell.core));
        }
        if let Some((thread, value)) = cell.thread {
            parts.push(format!("value {value} of thread {thread}"));
        }
        parts.join(", ")
    }
}

/// A matrix of cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The coordinates of further modes, `(_, _, 2)`, or the name of this part of the memory.
    pub title: Option<String>,
    /// The coordinate in each further mode; `None` for the modes of the rows and columns. `None` as
    /// a whole if the cells are not at their row and column.
    pub at: Option<Vec<Option<usize>>>,
    /// The rows.
    pub rows: Axis,
    /// The columns.
    pub columns: Axis,
    /// The cells in row order: number of row headers times number of column headers.
    pub cells: Vec<Cell>,
}

/// The rows or the columns of a matrix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Axis {
    /// Its meaning, such as `mode 0` or `stick`.
    pub name: String,
    /// Number of rows or columns, including those not drawn.
    pub extent: usize,
    /// The header of each one that is drawn.
    pub headers: Vec<String>,
    /// The coordinate of each in a nested mode, `(1,2)`; empty if the header already says it.
    pub natural: Vec<String>,
    /// The edges, in order.
    pub rules: Vec<Rule>,
}

impl Axis {
    /// Number drawn.
    pub fn drawn(&self) -> usize {
        self.headers.len()
    }

    /// Whether some are not drawn.
    pub fn is_cut(&self) -> bool {
        self.drawn() < self.extent
    }

    /// The rule before a row or column.
    pub fn rule_at(&self, index: usize) -> Option<Edge> {
        let found = self.rules.binary_search_by_key(&index, |rule| rule.at);
        found.ok().map(|i| self.rules[i].edge)
    }
}

/// An edge between two rows or columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Index of the row or column that it precedes.
    pub at: usize,
    /// The kind of edge.
    pub edge: Edge,
}

/// The kind of an edge, the lightest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Edge {
    /// An inner part of a nested mode.
    Part,
    /// A face of a tile.
    Face,
    /// A tile: all parts of a nested mode but the last.
    Tile,
    /// A stick.
    Stick,
    /// A core.
    Core,
}

impl Edge {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Part => "part",
            Self::Face => "face",
            Self::Tile => "tile",
            Self::Stick => "stick",
            Self::Core => "core",
        }
    }

    /// The weight of its line: 1, 2 or 3.
    pub const fn weight(self) -> usize {
        match self {
            Self::Part | Self::Face => 1,
            Self::Tile | Self::Stick => 2,
            Self::Core => 3,
        }
    }
}

/// An element, or a position without one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Cell {
    /// Its label.
    pub label: String,
    /// The coordinate of its element, one number per dimension; `None` for padding.
    pub coordinate: Option<Box<[usize]>>,
    /// The offset in the buffer of its core, or the integer; `None` if the value is a coordinate.
    pub offset: Option<isize>,
    /// The core.
    pub core: usize,
    /// The tile, if modes are nested or the tensor has tiles.
    pub tile: Option<usize>,
    /// The stick of 128 bytes.
    pub stick: Option<usize>,
    /// The bank.
    pub bank: Option<usize>,
    /// The cache line.
    pub line: Option<usize>,
    /// The thread that accesses it, and the value index within the thread.
    pub thread: Option<(usize, usize)>,
    /// The index of its colour in the palette of the legend.
    pub color: Option<u8>,
}

impl Cell {
    /// Whether there is no element.
    pub const fn is_padding(&self) -> bool {
        self.coordinate.is_none()
    }
}
