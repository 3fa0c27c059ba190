//! Builds the picture of a value: cells for coordinates, and the facts about each.

use std::collections::HashMap;

use layout_core::devices::ElementType;
use layout_core::engine::IntTuple;
use layout_core::error::LayoutError;
use layout_core::text::Value;

use super::axes::{step, tile_of_mode};
use super::{Axis, Block, Cell, ColorBy, Edge, Legend, Options, Picture, Rule, Scale, View, slots};
use crate::access::Threads;
use crate::convert::element_of;
use crate::function::{Function, Point};

/// Bytes of a stick of Spyre.
const STICK: usize = 128;

/// The blocks of a picture before colouring.
pub(super) struct Draft {
    pub(super) blocks: Vec<Block>,
    pub(super) all_blocks: usize,
    pub(super) rank: usize,
    pub(super) cores: usize,
    pub(super) description: String,
}

impl Picture {
    /// The picture of a value.
    ///
    /// # Errors
    ///
    /// If the value is not a layout, a Morello layout has no shape, or an option has no meaning for
    /// the value, such as colouring by thread without threads.
    pub fn of(value: &Value, options: &Options) -> Result<Self, LayoutError> {
        let view = options.view.unwrap_or(match value {
            Value::Spyre(_) | Value::CurrentSpyre(_) => View::Memory,
            Value::Tenstorrent(_) => View::Padded,
            _ => View::Logical,
        });
        let element = options.element.or_else(|| element_of(value)).unwrap_or(ElementType::F32);
        let draft = match view {
            View::Logical => logical(value, options)?,
            View::Padded => slots::padded(value, options)?,
            View::Memory => slots::memory(value, element, options)?,
        };
        let mut picture = Self {
            title: value.to_string(),
            description: draft.description,
            view,
            rank: draft.rank,
            blocks: draft.blocks,
            all_blocks: draft.all_blocks,
            legend: Legend { title: String::new(), scale: Scale::Categories, entries: Vec::new() },
            cores: draft.cores,
        };
        picture.set_addresses(element, options);
        if let Some(threads) = &options.threads {
            picture.set_threads(value, threads)?;
        }
        let color_by = picture.resolve_color_by(options.color_by, value);
        picture.paint(color_by, value, options)?;
        Ok(picture)
    }

    /// The default meaning of the colours.
    fn resolve_color_by(&self, requested: ColorBy, value: &Value) -> ColorBy {
        let cells = || self.blocks.iter().flat_map(|block| &block.cells);
        match (requested, value) {
            (ColorBy::Auto, _) if cells().any(|cell| cell.thread.is_some()) => ColorBy::Thread,
            (ColorBy::Auto, Value::Composed(layout)) if !layout.swizzle().is_identity() => {
                ColorBy::Swizzle
            }
            (ColorBy::Auto, _) if self.cores > 1 => ColorBy::Core,
            (ColorBy::Auto, Value::Spyre(_) | Value::CurrentSpyre(_)) => match self.view {
                View::Memory => ColorBy::Row,
                _ => ColorBy::Stick,
            },
            (ColorBy::Auto, _) if self.view == View::Memory => ColorBy::Row,
            (ColorBy::Auto, _) if cells().any(|cell| cell.tile.is_some_and(|tile| tile > 0)) => {
                ColorBy::Tile
            }
            (ColorBy::Auto, _) if cells().all(|cell| cell.offset.is_none()) => ColorBy::None,
            (ColorBy::Auto, _) => ColorBy::Offset,
            _ => requested,
        }
    }

    /// Sets bank, line and stick of each offset. Block floats have no addresses.
    fn set_addresses(&mut self, element: ElementType, options: &Options) {
        if element.is_block_float() {
            return;
        }
        let (bits, memory) = (element.bits() as isize, &options.memory);
        for cell in self.blocks.iter_mut().flat_map(|block| &mut block.cells) {
            // Addresses that overflow have no stick, line or bank.
            let Some(bit) = cell.offset.and_then(|offset| offset.checked_mul(bits)) else {
                continue;
            };
            let byte = bit.div_euclid(8);
            // Addresses before the start of the tensor have no index.
            let part = |bytes: Option<usize>| {
                bytes.and_then(|bytes| usize::try_from(byte.div_euclid(bytes as isize)).ok())
            };
            cell.stick = part(Some(STICK));
            cell.line = part(memory.line);
            cell.bank = memory.banks.map(|banks| {
                let axis_kind = byte.div_euclid(banks.bytes as isize);
                axis_kind.rem_euclid(banks.count as isize).unsigned_abs()
            });
        }
    }

    /// Sets the thread of each element, and the value index within the thread.
    fn set_threads(&mut self, value: &Value, threads: &Threads) -> Result<(), LayoutError> {
        let function = Function::of(value)?;
        let sizes = mode_sizes(&function.shape(), &function)?;
        let mut owners = HashMap::new();
        for thread in 0..threads.threads() {
            for (value, index) in threads.of_thread(thread).enumerate() {
                owners.insert(index, (thread, value));
            }
        }
        for cell in self.blocks.iter_mut().flat_map(|block| &mut block.cells) {
            if let Some(at) = &cell.coordinate {
                cell.thread = owners.get(&index_of(at, &sizes)).copied();
            }
        }
        Ok(())
    }
}

/// The sizes of the modes; empty for a tensor without dimensions.
fn mode_sizes(shape: &IntTuple, function: &Function) -> Result<Vec<usize>, LayoutError> {
    match function {
        Function::Placed(placement) if placement.rank() == 0 => Ok(Vec::new()),
        _ if shape.is_int() => Ok(vec![shape.leaves()[0]]),
        _ => (0..shape.rank()).map(|i| shape.mode(i).product()).collect(),
    }
}

/// The 1-D coordinate for one number per mode.
fn index_of(at: &[usize], sizes: &[usize]) -> usize {
    at.iter().zip(sizes).rev().fold(0, |index, (c, size)| index * size + c)
}

/// The modes of a layout: modes 0 and 1 as rows and columns, as in CuTe. The dimensions of a
/// tensor: the last two. One block for each coordinate in the others.
fn logical(value: &Value, options: &Options) -> Result<Draft, LayoutError> {
    let function = Function::of(value)?;
    let shape = function.shape();
    let sizes = mode_sizes(&shape, &function)?;
    let placed = matches!(function, Function::Placed(_));
    let (axis_kind, rank) = (if placed { "dimension" } else { "mode" }, sizes.len());
    let (row, column) = match rank {
        0 => (None, None),
        1 => (None, Some(0)),
        _ if placed => (Some(rank - 2), Some(rank - 1)),
        _ => (Some(0), Some(1)),
    };
    let mut others: Vec<usize> =
        (0..rank).filter(|&m| Some(m) != row && Some(m) != column).collect();
    if placed {
        // The last dimension is the fastest.
        others.reverse();
    }
    let limits = &options.limits;
    let mode = |i: usize| if shape.is_int() { shape } else { shape.mode(i) };
    let axis = |i: Option<usize>, max_drawn| match i {
        Some(i) => Axis::of_mode(format!("{axis_kind} {i}"), &mode(i), max_drawn),
        None => Ok(Axis::single()),
    };
    let columns = axis(column, limits.columns)?;
    let rows = axis(row, limits.rows_of(columns.drawn()))?;
    let tiles: Vec<_> = (0..rank).map(|i| tile_of_mode(&mode(i))).collect();
    let is_tiled = tiles.iter().any(Option::is_some);
    let cells_per_block = rows.drawn() * columns.drawn();
    let extents: Vec<_> = others.iter().map(|&m| sizes[m]).collect();
    let all_blocks = extents.iter().fold(1usize, |all, &size| all.saturating_mul(size));
    let drawn = all_blocks.min(limits.blocks).min((limits.cells / cells_per_block.max(1)).max(1));
    let cores = if let Function::Placed(placement) = &function { placement.cores() } else { 1 };
    let mut blocks = Vec::new();
    let mut outer = vec![0; others.len()];
    let mut at = vec![0; rank];
    for _ in 0..drawn {
        for (&mode, &c) in others.iter().zip(&outer) {
            at[mode] = c;
        }
        let mut cells = Vec::with_capacity(cells_per_block);
        let move_to = |at: &mut [usize], r: usize, c: usize| {
            for (mode, number) in [(row, r), (column, c)] {
                if let Some(mode) = mode {
                    at[mode] = number;
                }
            }
            index_of(at, &sizes)
        };
        let index = |r: usize, c: usize| move_to(&mut at.clone(), r, c);
        let points = Points::new(&function, rows.drawn(), columns.drawn(), index)?;
        for r in 0..rows.drawn() {
            for c in 0..columns.drawn() {
                let index = move_to(&mut at, r, c);
                let cell = points.cell(r, c, index)?;
                let tile = is_tiled.then(|| tile_number(&at, &sizes, &tiles));
                cells.push(Cell { coordinate: Some(at.as_slice().into()), tile, ..cell });
            }
        }
        let is_row_or_column = |m: usize| Some(m) == row || Some(m) == column;
        let place: Vec<_> = (0..rank).map(|m| (!is_row_or_column(m)).then_some(at[m])).collect();
        let title = (!others.is_empty()).then(|| {
            let place = place.iter().map(|c| c.map_or("_".to_owned(), |c| c.to_string()));
            format!("({})", place.collect::<Vec<_>>().join(", "))
        });
        let (mut rows, mut columns) = (rows.clone(), columns.clone());
        if cores > 1 {
            add_core_rules(&cells, &mut rows, &mut columns);
        }
        blocks.push(Block { title, at: Some(place), rows, columns, cells });
        step(&mut outer, &extents);
    }
    let value_kind = function.kind();
    let description = match row {
        Some(_) => format!(
            "The {value_kind} of {axis_kind}s {} and {} of {value}, {} by {}",
            row.unwrap_or(0),
            column.unwrap_or(0),
            rows.extent,
            columns.extent
        ),
        None => format!("The {value_kind} of {value}, {}", columns.extent),
    };
    Ok(Draft { blocks, all_blocks, rank, cores, description })
}

/// The values of a block.
enum Points<'f> {
    /// Evaluated one by one.
    Direct(&'f Function),
    /// The first column and the first row: without a swizzle the others are sums of these.
    Sums { column: Vec<Point>, row: Vec<Point> },
}

impl<'f> Points<'f> {
    fn new(
        function: &'f Function,
        rows: usize,
        columns: usize,
        index: impl Fn(usize, usize) -> usize,
    ) -> Result<Self, LayoutError> {
        if !matches!(function, Function::Coordinates(..)) {
            return Ok(Self::Direct(function));
        }
        let column = (0..rows).map(|r| function.at(index(r, 0))).collect::<Result<_, _>>()?;
        let row = (0..columns).map(|c| function.at(index(0, c))).collect::<Result<_, _>>()?;
        Ok(Self::Sums { column, row })
    }

    /// `f(r,c) = f(r,0) + f(0,c) - f(0,0)` without a swizzle. Intermediate sums may wrap; the
    /// result is exact if the value fits.
    fn cell(&self, r: usize, c: usize, index: usize) -> Result<Cell, LayoutError> {
        let (column, row) = match self {
            Self::Direct(function) => return Ok(cell(&function.at(index)?)),
            Self::Sums { column, row } => (column, row),
        };
        let sum = |a: isize, b: isize, origin: isize| a.wrapping_add(b).wrapping_sub(origin);
        Ok(match (&column[r], &row[c], &row[0]) {
            (Point::Coordinate(a), Point::Coordinate(b), Point::Coordinate(origin)) => {
                let parts = a.numbers().iter().zip(b.numbers()).zip(origin.numbers());
                let numbers = parts.map(|((&a, &b), &origin)| sum(a, b, origin));
                let label = with_numbers(&row[0].to_string(), numbers);
                Cell { label, ..Cell::default() }
            }
            (&Point::Integer(a), &Point::Integer(b), &Point::Integer(origin)) => {
                cell(&Point::Integer(sum(a, b, origin)))
            }
            // All values of a layout are of one kind.
            _ => return Err(LayoutError::IntegerOverflow { operation: "picture" }),
        })
    }
}

/// Replaces the numbers of a tuple: `(3,(0,-1))` with 1, 2, 3 gives `(1,(2,3))`.
fn with_numbers(tuple: &str, mut numbers: impl Iterator<Item = isize>) -> String {
    let mut text = String::with_capacity(tuple.len());
    let mut was_in_number = false;
    for c in tuple.chars() {
        let in_number = c == '-' || c.is_ascii_digit();
        if !in_number {
            text.push(c);
        } else if !was_in_number && let Some(number) = numbers.next() {
            text.push_str(&number.to_string());
        }
        was_in_number = in_number;
    }
    text
}

/// Rules between rows and between columns that lie on different cores at some cell.
fn add_core_rules(cells: &[Cell], rows: &mut Axis, columns: &mut Axis) {
    let width = columns.drawn().max(1);
    let core = |row: usize, column: usize| cells[row * width + column].core;
    let edge = |at: usize| Rule { at, edge: Edge::Core };
    let changes = |row: &usize| (0..width).any(|c| core(row - 1, c) != core(*row, c));
    rows.rules = (1..rows.drawn()).filter(changes).map(edge).collect();
    let changes =
        |column: &usize| (0..rows.drawn()).any(|r| core(r, column - 1) != core(r, *column));
    columns.rules = (1..width).filter(changes).map(edge).collect();
}

/// The value at a coordinate.
fn cell(point: &Point) -> Cell {
    let (label, core) = match point {
        Point::Slot(core, offset) => (offset.to_string(), *core),
        _ => (point.to_string(), 0),
    };
    let offset = match point {
        Point::Integer(offset) => Some(*offset),
        Point::Slot(_, offset) => Some(*offset as isize),
        Point::Coordinate(_) => None,
    };
    Cell { label, offset, core, ..Cell::default() }
}

/// The tile index, in colexicographic order as in CuTe.
fn tile_number(at: &[usize], sizes: &[usize], tiles: &[Option<usize>]) -> usize {
    let modes = at.iter().zip(sizes).zip(tiles).rev();
    modes.fold(0, |number, ((&c, &size), &tile)| {
        let tile = tile.unwrap_or(size).max(1);
        number * size.div_ceil(tile) + c / tile
    })
}
