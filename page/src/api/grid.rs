//! The cells of a layout, column by column of a table, and the memory that they are in.

use layout_core::devices::ElementType;
use layout_core::engine::IntTuple;
use layout_core::error::LayoutError;
use layout_core::text::Value;
use layout_view::convert;
use layout_view::function::{Function, Point};
use serde_json::{Value as Json, json};

use super::color::Color;

/// The most cells that are drawn: a matrix of 512 x 512.
const MOST: usize = 1 << 18;

/// One mode alone is drawn in rows of so many.
const WRAP: usize = 32;

/// The most slots of memory that are drawn.
const MOST_SLOTS: usize = 1 << 20;

/// The extent of each mode; none of a tensor without dimensions.
fn extents(function: &Function) -> Result<Vec<usize>, LayoutError> {
    if matches!(function, Function::Placed(placement) if placement.rank() == 0) {
        return Ok(Vec::new());
    }
    let shape = function.shape();
    if shape.is_int() {
        return Ok(vec![shape.product()?]);
    }
    (0..shape.rank()).map(|i| shape.mode(i).product()).collect()
}

/// How modes are rows and columns.
pub(super) struct Arrangement {
    pub(super) extents: Vec<usize>,
    /// The modes of rows and of columns, where there are some.
    row: Option<usize>,
    column: Option<usize>,
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// The modes of blocks.
    outer: Vec<usize>,
    pub(super) blocks: usize,
}

impl Arrangement {
    /// Modes 0 and 1 are rows and columns, as CuTe prints them, and others blocks. Of a tensor of a
    /// device these are its last two dimensions.
    pub(super) fn of(function: &Function) -> Result<Self, LayoutError> {
        let extents = extents(function)?;
        let rank = extents.len();
        let (row, column) = match (rank, function) {
            (0, _) => (None, None),
            (1, _) => (None, Some(0)),
            (_, Function::Placed(_)) => (Some(rank - 2), Some(rank - 1)),
            _ => (Some(0), Some(1)),
        };
        let outer: Vec<_> = (0..rank).filter(|k| Some(*k) != row && Some(*k) != column).collect();
        let extent = |mode: Option<usize>| mode.map_or(1, |mode| extents[mode]);
        let mut all = Self {
            rows: extent(row),
            columns: extent(column),
            row,
            column,
            outer,
            blocks: 1,
            extents,
        };
        if rank == 1 && all.columns > WRAP {
            all.rows = all.columns.div_ceil(WRAP);
            all.columns = WRAP;
        }
        let side = |extent: usize, other: usize| extent.min((MOST / other.min(512).max(1)).max(1));
        all.rows = side(all.rows, all.columns);
        all.columns = side(all.columns, all.rows);
        let blocks: usize =
            all.outer.iter().fold(1, |product, &mode| product.saturating_mul(all.extents[mode]));
        all.blocks = blocks.min((MOST / (all.rows * all.columns)).max(1));
        Ok(all)
    }

    pub(super) fn cells(&self) -> usize {
        self.rows * self.columns * self.blocks
    }

    /// The coordinate of a cell; nothing behind the last element of a wrapped mode.
    pub(super) fn coordinate(&self, cell: usize) -> Option<Vec<usize>> {
        let (row, rest) = (cell % self.rows, cell / self.rows);
        let (column, mut block) = (rest % self.columns, rest / self.columns);
        if block >= self.blocks {
            return None;
        }
        let mut at = vec![0; self.extents.len()];
        match (self.row, self.column) {
            (None, Some(mode)) => {
                at[mode] = row * self.columns + column;
                if at[mode] >= self.extents[mode] {
                    return None;
                }
            }
            (Some(i), Some(j)) => (at[i], at[j]) = (row, column),
            _ => {}
        }
        // The last mode the fastest, as they are read.
        for &mode in self.outer.iter().rev() {
            at[mode] = block % self.extents[mode];
            block /= self.extents[mode];
        }
        Some(at)
    }

    /// The colexicographic index of a coordinate.
    pub(super) fn index(&self, at: &[usize]) -> usize {
        at.iter().zip(&self.extents).rev().fold(0, |index, (c, extent)| index * extent + c)
    }

    /// What is written above each block: the coordinate, with `_` for rows and columns.
    fn titles(&self) -> Vec<String> {
        if self.outer.is_empty() {
            return Vec::new();
        }
        let title = |block: usize| {
            let at = self.coordinate(block * self.rows * self.columns).unwrap_or_default();
            let part = |(mode, c): (usize, &usize)| {
                if self.outer.contains(&mode) { c.to_string() } else { "_".into() }
            };
            format!("({})", at.iter().enumerate().map(part).collect::<Vec<_>>().join(","))
        };
        (0..self.blocks).map(title).collect()
    }

    /// The rows and columns of a tile: the first part of a mode with parts, or the tile of a device.
    fn tile(&self, value: &Value, shape: &IntTuple) -> [usize; 2] {
        let part = |mode: Option<usize>, most: usize| {
            let mode = if shape.is_int() { None } else { mode.map(|mode| shape.mode(mode)) };
            mode.and_then(|mode| if mode.is_int() { None } else { mode.mode(0).product().ok() })
                .filter(|part| *part < most)
        };
        let of_device = match value {
            Value::Tenstorrent(tensor) => {
                tensor.layout().tile().map(|tile| [tile.height(), tile.width()])
            }
            Value::Spyre(layout) => Some([1, layout.elements_per_stick()]),
            _ => None,
        };
        of_device.unwrap_or([
            part(self.row, self.rows).unwrap_or(self.rows),
            part(self.column, self.columns).unwrap_or(self.columns),
        ])
    }
}

/// The grid of a text, as JSON: the number of rows, columns and blocks, and for cell `row + rows *
/// (column + columns * block)` the offset, or a label, and the group that gives it its colour.
pub(super) fn grid(
    value: &Value,
    element: Option<ElementType>,
    color: Color,
) -> Result<Json, LayoutError> {
    let function = Function::of(value)?;
    let arrangement = Arrangement::of(&function)?;
    let shape = function.shape();
    let tile = arrangement.tile(value, &shape);
    let element = convert::element_of(value).or(element).unwrap_or(ElementType::F32);
    let cells = arrangement.cells();
    let (cores, storage) = match &function {
        Function::Placed(placement) => (placement.cores(), Some(placement.storage())),
        _ => (1, None),
    };
    let (mut offsets, mut labels) = (Vec::with_capacity(cells), Vec::new());
    for cell in 0..cells {
        let index = arrangement.coordinate(cell).map(|at| arrangement.index(&at));
        let point = index.map(|index| function.at(index)).transpose()?;
        let (offset, label) = match point {
            None => (None, None),
            Some(Point::Integer(offset)) => (Some(offset), None),
            Some(Point::Slot(core, offset)) => {
                (Some((core * storage.unwrap_or(0) + offset) as isize), None)
            }
            Some(point @ Point::Coordinate(_)) => (None, Some(point.to_string())),
        };
        offsets.push(offset);
        labels.push(label);
    }
    let has_labels = labels.iter().any(Option::is_some);
    let least = offsets.iter().flatten().copied().min().unwrap_or(0).min(0);
    let most = offsets.iter().flatten().copied().max().unwrap_or(-1);
    let storage = storage.unwrap_or(usize::try_from(most - least + 1).unwrap_or(0));
    let color = color.or_default(value, &function, tile != [arrangement.rows, arrangement.columns]);
    let groups = color.groups(&arrangement, tile, element, storage, &offsets);
    let total: usize =
        arrangement.extents.iter().fold(1, |size, &extent| size.saturating_mul(extent));
    let shown = offsets.iter().filter(|offset| offset.is_some()).count().max(if has_labels {
        cells
    } else {
        0
    });
    Ok(json!({
        "cells": cells,
        "size": total,
        "cut": shown < total,
        "rows": arrangement.rows,
        "columns": arrangement.columns,
        "blocks": arrangement.blocks,
        "wrapped": arrangement.row.is_none() && arrangement.rows > 1,
        "row_mode": arrangement.row,
        "column_mode": arrangement.column,
        "titles": arrangement.titles(),
        "tile": tile,
        "dtype": element.name(),
        "color": color.name(),
        "offset": offsets,
        "label": if !has_labels { Json::Null } else { json!(labels) },
        "group": groups,
        "memory": if !has_labels {
            memory(&function, (least, storage, cores), color, element)
        } else {
            Json::Null
        },
    }))
}

/// The memory: slots from `least` on, in the buffers of the cores, in lines of a width that fits the
/// colours.
fn memory(
    function: &Function,
    (least, storage, cores): (isize, usize, usize),
    color: Color,
    element: ElementType,
) -> Json {
    let slots = storage.saturating_mul(cores);
    let (width, unit) = color.line(element);
    json!({
        "first": least,
        "slots": slots,
        "shown": slots.min(MOST_SLOTS),
        "cores": cores,
        "storage": storage,
        "width": width.min(storage.max(1)),
        "unit": unit,
        "empty": if matches!(function, Function::Placed(_)) { "padding" } else { "gap" },
    })
}

/// What there is to say about one cell: its coordinates, where it is, and the values of other
/// functions of the same index.
pub(super) fn cell(
    value: &Value,
    others: &[Value],
    element: Option<ElementType>,
    cell: usize,
) -> Result<Json, LayoutError> {
    let function = Function::of(value)?;
    let arrangement = Arrangement::of(&function)?;
    let Some(at) = arrangement.coordinate(cell) else { return Ok(Json::Null) };
    let index = arrangement.index(&at);
    let element = convert::element_of(value).or(element).unwrap_or(ElementType::F32);
    let coordinate =
        if at.is_empty() { "()".into() } else { function.coordinate(index)?.to_string() };
    let point = function.at(index)?;
    let mut facts = json!({
        "cell": cell,
        "at": at,
        "index": index,
        "coordinate": coordinate,
        "value": point.to_string(),
    });
    match point {
        Point::Coordinate(_) => {}
        Point::Integer(offset) => {
            facts["offset"] = offset.into();
            if let Ok(offset) = usize::try_from(offset) {
                Color::places(offset, element, &mut facts);
            }
        }
        Point::Slot(core, offset) => {
            facts["offset"] = offset.into();
            facts["core"] = core.into();
            Color::places(offset, element, &mut facts);
        }
    }
    let value_at = |other: &Value| -> Option<String> {
        let other = Function::of(other).ok()?;
        let inside = index < other.size();
        inside.then(|| other.at(index).ok()).flatten().map(|point| point.to_string())
    };
    facts["others"] = others.iter().map(value_at).collect::<Vec<_>>().into();
    Ok(facts)
}
