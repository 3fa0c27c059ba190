//! Pictures of the memory, including positions without a coordinate.

use layout_core::devices::{ElementType, Placement};
use layout_core::engine::{ComposedLayout, IntTuple};
use layout_core::error::LayoutError;
use layout_core::text::Value;

use super::axes::{Digit, step};
use super::build::Draft;
use super::{Axis, Block, Cell, Edge, Options};
use crate::function::Function;

/// Bytes of a row if neither the memory nor the value defines lines.
const DEFAULT_LINE_BYTES: usize = 128;

/// The dimensions of a placement with all padding; the last two are rows and columns.
pub(super) fn padded(value: &Value, options: &Options) -> Result<Draft, LayoutError> {
    let placement = Function::of(value)?.placed()?;
    let dimensions = placement.index_extents().len();
    let limits = &options.limits;
    let tile = match value {
        Value::Tenstorrent(tensor) => tensor.layout().tile(),
        _ => None,
    };
    // The tile covers the last two dimensions.
    let tile_of = |d: usize| match dimensions - d {
        1 => tile.map(|tile| tile.width()),
        2 => tile.map(|tile| tile.height()),
        _ => None,
    };
    let stick = match value {
        Value::Spyre(layout) => Some(layout.elements_per_stick()),
        Value::CurrentSpyre(layout) => layout.device_size().last().copied(),
        _ => None,
    };
    let position = |d, max_drawn| Positions::new(&placement, d, tile_of(d), stick, max_drawn);
    let columns =
        if dimensions > 0 { position(dimensions - 1, limits.columns) } else { Positions::single() };
    let max_drawn = limits.rows_of(columns.parts.len());
    let rows =
        if dimensions > 1 { position(dimensions - 2, max_drawn) } else { Positions::single() };
    let mut outer_positions: Vec<_> =
        (0..dimensions.saturating_sub(2)).map(|d| position(d, limits.blocks)).collect();
    outer_positions.reverse();
    let extents: Vec<_> = outer_positions.iter().map(|p| p.axis.extent).collect();
    let all_blocks = extents.iter().fold(1usize, |all, &extent| all.saturating_mul(extent));
    let cells_per_block = rows.parts.len() * columns.parts.len();
    let drawn = all_blocks.min(limits.blocks).min((limits.cells / cells_per_block.max(1)).max(1));
    let mut outer = vec![0; extents.len()];
    let mut blocks = Vec::new();
    let (tile_rows, tile_columns) = tile.map_or((1, 1), |tile| (tile.height(), tile.width()));
    let tiles_across = columns.axis.extent.div_ceil(tile_columns);
    let tiles_per_block = rows.axis.extent.div_ceil(tile_rows) * tiles_across;
    let coordinates = Coordinates::new(&placement);
    for number in 0..drawn {
        let outer_parts =
            outer.iter().zip(&outer_positions).map(|(&i, positions)| positions.parts[i]);
        let base = outer_parts.fold(Contribution::ORIGIN, Contribution::plus);
        let mut cells = Vec::with_capacity(cells_per_block);
        for (r, row) in rows.parts.iter().enumerate() {
            let row = base.plus(*row);
            for (c, column) in columns.parts.iter().enumerate() {
                let tile =
                    number * tiles_per_block + r / tile_rows * tiles_across + c / tile_columns;
                let part = row.plus(*column);
                let slot = placement.slot_at(part.slot)?;
                let coordinate =
                    part.index.map(|index| coordinates.of(index)).transpose()?.flatten();
                cells.push(Cell {
                    label: slot.offset.to_string(),
                    coordinate,
                    offset: Some(slot.offset as isize),
                    core: slot.core,
                    tile: tile_of(dimensions.saturating_sub(1)).map(|_| tile),
                    ..Cell::default()
                });
            }
        }
        let title = (!outer.is_empty()).then(|| {
            let mut places: Vec<_> = outer
                .iter()
                .zip(&outer_positions)
                .map(|(&i, p)| p.axis.headers[i].clone())
                .collect();
            places.reverse();
            format!("({}, _, _)", places.join(", "))
        });
        blocks.push(Block {
            title,
            at: None,
            rows: rows.axis.clone(),
            columns: columns.axis.clone(),
            cells,
        });
        step(&mut outer, &extents);
    }
    let (cores, rank) = (placement.cores(), placement.rank());
    let (slots, padding) = (placement.slots(), placement.padding());
    let on_cores = if cores > 1 { format!(" on {cores} cores") } else { String::new() };
    let description =
        format!("The {slots} slots of {value}{on_cores}: {padding} of them are padding");
    Ok(Draft { blocks, all_blocks, rank, cores, description })
}

/// The coordinate of the element in a slot.
fn owner(placement: &Placement, slot: usize) -> Result<Option<Box<[usize]>>, LayoutError> {
    let found = placement.coordinate(placement.slot_at(slot)?)?;
    Ok(found.map(|at| coordinate_of(placement, &at)))
}

/// One number per dimension; empty for a tensor without dimensions.
fn coordinate_of(placement: &Placement, at: &IntTuple) -> Box<[usize]> {
    if placement.rank() == 0 { Box::default() } else { at.leaves().into() }
}

/// Maps an index to the coordinate of its element.
struct Coordinates<'p> {
    placement: &'p Placement,
    /// The 1-D coordinate of each index, if there are few; otherwise a search finds it.
    table: Option<Vec<Option<u32>>>,
}

/// Maximum size of a table: a picture of the page has up to this many cells.
const MAX_TABLE_SIZE: usize = 1 << 18;

impl<'p> Coordinates<'p> {
    fn new(placement: &'p Placement) -> Self {
        let linear = placement.linear();
        let indices = placement
            .index_extents()
            .iter()
            .fold(1usize, |all, &extent| all.saturating_mul(extent));
        let table = (indices <= MAX_TABLE_SIZE && linear.size() <= MAX_TABLE_SIZE).then(|| {
            let mut table = vec![None; indices];
            for element in 0..linear.size() {
                if let Some(entry) = table.get_mut(linear.offset_of_index(element)) {
                    *entry = Some(element as u32);
                }
            }
            table
        });
        Self { placement, table }
    }

    fn of(&self, index: usize) -> Result<Option<Box<[usize]>>, LayoutError> {
        let (linear, rank) = (self.placement.linear(), self.placement.rank());
        let Some(table) = &self.table else {
            let found = linear.preimage(index)?;
            return Ok(found.map(|at| coordinate_of(self.placement, &at)));
        };
        let Some(element) = table.get(index).copied().flatten() else { return Ok(None) };
        let mut rest = element as usize;
        let digit = |&extent: &usize| {
            let digit = rest % extent;
            rest /= extent;
            digit
        };
        Ok(Some(linear.extents()[..rank].iter().map(digit).collect()))
    }
}

/// What a position in one or several index dimensions adds to the slot and to the index.
#[derive(Clone, Copy)]
struct Contribution {
    /// Its contribution to the slot.
    slot: usize,
    /// Its contribution to the index; `None` for padding.
    index: Option<usize>,
}

impl Contribution {
    const ORIGIN: Self = Self { slot: 0, index: Some(0) };

    fn plus(self, other: Self) -> Self {
        let index = self.index.zip(other.index).map(|(a, b)| a + b);
        Self { slot: self.slot + other.slot, index }
    }
}

/// The positions in an index dimension, including padding.
struct Positions {
    axis: Axis,
    parts: Vec<Contribution>,
}

impl Positions {
    fn single() -> Self {
        Self { axis: Axis::single(), parts: vec![Contribution::ORIGIN] }
    }

    fn new(
        placement: &Placement,
        dimension: usize,
        tile: Option<usize>,
        stick: Option<usize>,
        max_drawn: usize,
    ) -> Self {
        let pieces = placement.pieces();
        let is_in_dimension = |piece: usize| pieces[piece].dimension == dimension;
        let leaves: Vec<_> =
            placement.leaves().filter(|leaf| is_in_dimension(leaf.piece)).collect();
        let is_core =
            |stride: usize| placement.cores() > 1 && stride.is_multiple_of(placement.storage());
        let mut digits = Vec::new();
        let mut period = 1;
        for (i, leaf) in leaves.iter().enumerate() {
            period *= leaf.extent;
            let edge = match (leaves.get(i + 1), tile) {
                (None, _) => None,
                (Some(next), _) if is_core(next.stride) => Some(Edge::Core),
                (_, Some(tile)) if period < tile => Some(Edge::Face),
                (_, Some(_)) => Some(Edge::Tile),
                _ if leaf.stride == 1 && Some(leaf.extent) == stick => Some(Edge::Stick),
                _ => Some(Edge::Part),
            };
            digits.push(Digit { extent: leaf.extent, edge });
        }
        let mut axis = Axis::of_digits(format!("dimension {dimension}"), &digits, max_drawn);
        let mut parts = Vec::with_capacity(axis.drawn());
        // The last index dimension is the least significant digit of the index.
        let index_stride: usize = placement.index_extents()[dimension + 1..].iter().product();
        for position in 0..axis.drawn() {
            let (mut rest, mut slot) = (position, 0);
            // Stage 2 reversed: the digits of each piece form a number below its extent, or
            // padding.
            let (mut index, mut weight, mut is_padding) = (0, 1, false);
            let mut leaf = leaves.iter().peekable();
            for (number, piece) in
                pieces.iter().enumerate().filter(|(number, _)| is_in_dimension(*number))
            {
                let (mut digit, mut radix) = (0, 1);
                while let Some(leaf) = leaf.next_if(|leaf| leaf.piece == number) {
                    let value = rest % leaf.extent;
                    rest /= leaf.extent;
                    slot += value * leaf.stride;
                    digit += value * radix;
                    radix *= leaf.extent;
                }
                is_padding |= digit >= piece.extent;
                index += digit * weight;
                weight *= piece.extent;
            }
            is_padding |= index >= placement.index_extents()[dimension];
            axis.headers[position] = if is_padding { String::new() } else { index.to_string() };
            parts.push(Contribution { slot, index: (!is_padding).then_some(index * index_stride) });
        }
        Self { axis, parts }
    }
}

/// The memory: one row for each Spyre stick, or for each cache line, of each core.
pub(super) fn memory(
    value: &Value,
    element: ElementType,
    options: &Options,
) -> Result<Draft, LayoutError> {
    let memory = Owners::of(value)?;
    let line = options.memory.line.unwrap_or(DEFAULT_LINE_BYTES) * 8 / element.bits().max(1);
    let (name, width, outer) = match value {
        Value::Spyre(layout) => ("stick", layout.elements_per_stick(), layout.device_size()),
        Value::CurrentSpyre(layout) => {
            ("stick", layout.device_size().last().copied().unwrap_or(1), layout.device_size())
        }
        _ => ("line", line.max(1), &[][..]),
    };
    let storage = memory.storage();
    let width = width.min(storage).max(1);
    let limits = &options.limits;
    let rows = storage.div_ceil(width);
    let digits: Vec<_> = match outer.split_last() {
        Some((_, outer)) => {
            let digit = |&extent: &usize| Digit { extent, edge: Some(Edge::Part) };
            outer.iter().rev().map(digit).collect()
        }
        None => vec![Digit { extent: rows, edge: None }],
    };
    let columns = Digit { extent: width, edge: None };
    let columns = Axis::of_digits("element".to_owned(), &[columns], limits.columns);
    let rows = Axis::of_digits(name.to_owned(), &digits, limits.rows_of(columns.drawn()));
    let cells_per_block = rows.drawn() * columns.drawn();
    let cores = memory.cores();
    let drawn = cores.min(limits.blocks).min((limits.cells / cells_per_block.max(1)).max(1));
    let mut blocks = Vec::new();
    for core in 0..drawn {
        let mut cells = Vec::with_capacity(cells_per_block);
        for row in 0..rows.drawn() {
            for column in 0..columns.drawn() {
                let offset = row * width + column;
                if offset >= storage {
                    cells.push(Cell::default());
                    continue;
                }
                let coordinate = memory.owner(core, offset)?;
                let label = coordinate.as_ref().map_or(String::new(), |at| coordinate_label(at));
                let offset = Some(offset as isize);
                cells.push(Cell { label, coordinate, offset, core, ..Cell::default() });
            }
        }
        let title = (cores > 1).then(|| format!("core {core}"));
        blocks.push(Block { title, at: None, rows: rows.clone(), columns: columns.clone(), cells });
    }
    let description = format!("The memory of {value}: {} {name}s of {width} elements", rows.extent);
    Ok(Draft { blocks, all_blocks: cores, rank: memory.rank(), cores, description })
}

/// `2,17`, or `()` for the single element of a tensor without dimensions.
fn coordinate_label(at: &[usize]) -> String {
    if at.is_empty() {
        return "()".to_owned();
    }
    at.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// Maps a memory position to the coordinate of its element.
enum Owners<'v> {
    Placed(Box<Placement>),
    Swizzled(Box<ComposedLayout>),
    /// Spyre's own traversal, also for layouts that are not placements.
    Current(&'v layout_core::devices::spyre::CurrentLayout),
}

impl<'v> Owners<'v> {
    fn of(value: &'v Value) -> Result<Self, LayoutError> {
        Ok(match (value, Function::of(value)) {
            (Value::CurrentSpyre(layout), _) => Self::Current(layout),
            (_, Ok(Function::Offsets(layout))) => Self::Swizzled(Box::new(layout)),
            (_, function) => Self::Placed(Box::new(function?.placed()?)),
        })
    }

    fn rank(&self) -> usize {
        match self {
            Self::Placed(placement) => placement.rank(),
            Self::Swizzled(layout) => layout.shape().rank(),
            Self::Current(layout) => layout.size().len(),
        }
    }

    fn cores(&self) -> usize {
        match self {
            Self::Placed(placement) => placement.cores(),
            _ => 1,
        }
    }

    fn storage(&self) -> usize {
        match self {
            Self::Placed(placement) => placement.storage(),
            Self::Swizzled(layout) => layout.cosize_bound(),
            Self::Current(layout) => layout.slots(),
        }
    }

    fn owner(&self, core: usize, offset: usize) -> Result<Option<Box<[usize]>>, LayoutError> {
        match self {
            Self::Placed(placement) => owner(placement, core * placement.storage() + offset),
            Self::Swizzled(layout) => {
                // A swizzle is its own inverse.
                let inner = layout.swizzle().apply(offset).checked_sub(layout.offset());
                let Some(inner) = inner else { return Ok(None) };
                let Some(at) = layout.layout().preimage(inner)? else { return Ok(None) };
                let shape = layout.shape();
                if shape.is_int() {
                    return Ok(Some(at.leaves().into()));
                }
                let mode = |i| shape.mode(i).crd2idx(&IntTuple::mode(&at, i));
                (0..shape.rank()).map(mode).collect::<Result<_, _>>().map(Some)
            }
            Self::Current(layout) => {
                let mut rest = offset;
                let mut device = vec![0; layout.device_size().len()];
                for (digit, extent) in device.iter_mut().zip(layout.device_size()).rev() {
                    *digit = rest % extent;
                    rest /= extent;
                }
                Ok(layout.host_coordinate(&device)?.map(Vec::into_boxed_slice))
            }
        }
    }
}
