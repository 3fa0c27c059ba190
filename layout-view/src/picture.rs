//! A picture of a layout: where each element is, row by row.

use std::fmt::Write as _;

use layout_core::devices::{Placement, Slot};
use layout_core::engine::IntTuple;
use layout_core::error::LayoutError;
use layout_core::text::Value;

/// How much is drawn: what a reader takes in, and a window is wide.
const ROWS: usize = 32;
const COLUMNS: usize = 32;
const BLOCKS: usize = 8;

/// What is drawn for a coordinate: one number for each mode.
type Cell = dyn Fn(&[usize]) -> Result<String, LayoutError>;

/// What is in the place of each element, over the modes of a shape.
pub struct Picture {
    /// The size of each mode.
    extents: Vec<usize>,
    cell: Box<Cell>,
}

impl Picture {
    /// The picture of a text; nothing where there is nothing to draw.
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Composed(composed) => {
                let composed = *composed;
                Some(Self::new(&composed.shape(), move |at| {
                    Ok(composed.offset_of(at)?.to_string())
                }))
            }
            Value::Coordinates(layout) => {
                let layout = layout.clone();
                Some(Self::new(&layout.shape(), move |at| {
                    Ok(layout.coordinate_at(at)?.to_string())
                }))
            }
            Value::Linear(layout) => {
                let layout = layout.clone();
                Some(Self::new(&layout.shape(), move |at| Ok(layout.value_at(at)?.to_string())))
            }
            Value::Morello(_) => None,
            Value::Spyre(layout) => Some(Self::placed(layout.placement())),
            Value::CurrentSpyre(layout) => layout.placement().map(Self::placed),
            Value::Tenstorrent(tensor) => Some(Self::placed(tensor.layout().placement())),
            _ => {
                let layout = value.layout().ok()?;
                Some(Self::new(&layout.shape(), move |at| Ok(layout.offset_of(at)?.to_string())))
            }
        }
    }

    /// `offset` in the only buffer, or `core:offset`.
    fn placed(placement: Placement) -> Self {
        let cell = move |at: &[usize]| {
            let Slot { core, offset } = placement.slot(at)?;
            Ok(if placement.cores() > 1 { format!("{core}:{offset}") } else { offset.to_string() })
        };
        let shape = placement.shape();
        let extents = if placement.rank() > 0 { shape.leaves() } else { &[] };
        Self { extents: extents.to_vec(), cell: Box::new(cell) }
    }

    fn new(
        shape: &IntTuple,
        cell: impl Fn(&IntTuple) -> Result<String, LayoutError> + 'static,
    ) -> Self {
        let sizes = (0..shape.rank()).map(|i| shape.mode(i).product().unwrap_or(usize::MAX));
        let is_int = shape.is_int();
        let at = move |c: &[usize]| match c {
            [index] if is_int => cell(&IntTuple::leaf(*index)),
            _ => cell(&IntTuple::flat(c)?),
        };
        Self { extents: sizes.collect(), cell: Box::new(at) }
    }

    /// The rows of the last two modes, a block for each coordinate in the others.
    ///
    /// # Errors
    ///
    /// None for a layout that is what it says it is.
    pub fn draw(&self) -> Result<String, LayoutError> {
        let rank = self.extents.len();
        let (outer, inner) = self.extents.split_at(rank.saturating_sub(2));
        let (rows, columns) = match inner {
            [rows, columns] => (*rows, *columns),
            [columns] => (1, *columns),
            _ => return Ok(String::new()),
        };
        let mut text = String::new();
        let mut at = vec![0; outer.len()];
        for block in 0.. {
            if block == BLOCKS {
                text.push_str("\n...\n");
                break;
            }
            if !outer.is_empty() {
                let places = at.iter().map(|c| format!("{c}, ")).collect::<String>();
                let _ = writeln!(text, "{}({places}_, _)", if block > 0 { "\n" } else { "" });
            }
            self.draw_block(&at, rows, columns, inner.len() == 1, &mut text)?;
            if !step(&mut at, outer) {
                break;
            }
        }
        Ok(text)
    }

    fn draw_block(
        &self,
        outer: &[usize],
        rows: usize,
        columns: usize,
        one_mode: bool,
        text: &mut String,
    ) -> Result<(), LayoutError> {
        let mut table = Vec::new();
        // All of a small one, the beginning of a large one.
        let shown = |extent, most| if extent > most { most / 2 } else { extent };
        for row in 0..shown(rows, ROWS) {
            let mut cells = Vec::new();
            for column in 0..shown(columns, COLUMNS) {
                let last: &[usize] = if one_mode { &[column] } else { &[row, column] };
                cells.push((self.cell)(&[outer, last].concat())?);
            }
            table.push(cells);
        }
        let width = table.iter().flatten().map(String::len).max().unwrap_or(0);
        for cells in table {
            let cells: Vec<_> = cells.iter().map(|cell| format!("{cell:>width$}")).collect();
            let more = if columns > COLUMNS { "  ..." } else { "" };
            let _ = writeln!(text, "{}{more}", cells.join("  "));
        }
        if rows > ROWS {
            text.push_str("...\n");
        }
        Ok(())
    }
}

/// The next coordinate, the last number the fastest; false behind the last one.
fn step(at: &mut [usize], extents: &[usize]) -> bool {
    for (c, extent) in at.iter_mut().zip(extents).rev() {
        *c += 1;
        if *c < *extent {
            return true;
        }
        *c = 0;
    }
    false
}
