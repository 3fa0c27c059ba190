//! Rows and columns: their headers, and the rules between them.

use layout_core::engine::IntTuple;
use layout_core::error::LayoutError;

use super::{Axis, Edge, Rule};

/// A digit of a row or column index, innermost first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digit {
    pub(super) extent: usize,
    /// The edge where this digit wraps; `None` for the last digit.
    pub(super) edge: Option<Edge>,
}

impl Axis {
    /// Numbered headers, with rules where digits wrap.
    pub(super) fn of_digits(name: String, digits: &[Digit], max_drawn: usize) -> Self {
        let extent = digits.iter().fold(1usize, |product, d| product.saturating_mul(d.extent));
        let drawn = extent.min(max_drawn.max(1));
        let mut rules: Vec<Rule> = Vec::new();
        let mut period = 1usize;
        for digit in digits {
            period = period.saturating_mul(digit.extent);
            // Period 1 would give a rule at every row; the period of the whole gives one only at
            // the end.
            let Some(edge) = digit.edge.filter(|_| period > 1 && period < extent) else { continue };
            for at in (period..drawn).step_by(period) {
                match rules.binary_search_by_key(&at, |rule| rule.at) {
                    Ok(i) => rules[i].edge = rules[i].edge.max(edge),
                    Err(i) => rules.insert(i, Rule { at, edge }),
                }
            }
        }
        let headers = (0..drawn).map(|i| i.to_string()).collect();
        Self { name, extent, headers, natural: Vec::new(), rules }
    }

    /// The mode of a layout. In a nested mode, all parts but the last form a tile.
    pub(super) fn of_mode(
        name: String,
        mode: &IntTuple,
        max_drawn: usize,
    ) -> Result<Self, LayoutError> {
        let parts = if mode.is_int() { 1 } else { mode.rank() };
        let leaves = mode.leaves();
        let outer = if mode.is_int() { 1 } else { mode.mode(parts - 1).len() };
        let inner = leaves.len() - outer;
        let digits = leaves.iter().enumerate().map(|(i, &extent)| Digit {
            extent,
            edge: Some(if i + 1 == inner { Edge::Tile } else { Edge::Part }),
        });
        let mut axis = Self::of_digits(name, &digits.collect::<Vec<_>>(), max_drawn);
        if leaves.len() > 1 {
            let natural = |i| Ok(mode.natural_coordinate(&IntTuple::leaf(i))?.to_string());
            axis.natural = (0..axis.drawn()).map(natural).collect::<Result<_, LayoutError>>()?;
        }
        Ok(axis)
    }

    /// One row, for a value with one mode.
    pub(super) fn single() -> Self {
        Self {
            name: String::new(),
            extent: 1,
            headers: vec![String::new()],
            natural: Vec::new(),
            rules: Vec::new(),
        }
    }
}

/// Number of rows or columns of a tile of a mode; `None` if the mode is not nested.
pub(super) fn tile_of_mode(mode: &IntTuple) -> Option<usize> {
    let parts = if mode.is_int() { 1 } else { mode.rank() };
    let inner: usize = (0..parts - 1).map(|i| mode.mode(i).product().unwrap_or(1)).product();
    (parts > 1).then_some(inner)
}

/// Advances to the next coordinate, the first number fastest; false after the last one.
pub(super) fn step(at: &mut [usize], extents: &[usize]) -> bool {
    for (c, extent) in at.iter_mut().zip(extents) {
        *c += 1;
        if *c < *extent {
            return true;
        }
        *c = 0;
    }
    false
}
