//! Rows and columns: their headers, and the rules between them.

use layout_core::engine::IntTuple;
use layout_core::error::LayoutError;

use super::{Axis, Edge, Rule};

/// A digit of the number of a row or column, the innermost first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digit {
    pub(super) extent: usize,
    /// What ends where this digit starts again; nothing for the last one.
    pub(super) edge: Option<Edge>,
}

impl Axis {
    /// Numbers, with rules where their digits start again.
    pub(super) fn of_digits(name: String, digits: &[Digit], most: usize) -> Self {
        let extent = digits.iter().fold(1usize, |product, d| product.saturating_mul(d.extent));
        let drawn = extent.min(most.max(1));
        let mut rules: Vec<Rule> = Vec::new();
        let mut period = 1usize;
        for digit in digits {
            period = period.saturating_mul(digit.extent);
            // A period of 1 is at every row, and that of the whole is at the end.
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

    /// The mode of a layout. All parts of a nested mode but the last are a tile of it.
    pub(super) fn of_mode(name: String, mode: &IntTuple, most: usize) -> Result<Self, LayoutError> {
        let parts = if mode.is_int() { 1 } else { mode.rank() };
        let leaves = mode.leaves();
        let outer = if mode.is_int() { 1 } else { mode.mode(parts - 1).len() };
        let inner = leaves.len() - outer;
        let digits = leaves.iter().enumerate().map(|(i, &extent)| Digit {
            extent,
            edge: Some(if i + 1 == inner { Edge::Tile } else { Edge::Part }),
        });
        let mut axis = Self::of_digits(name, &digits.collect::<Vec<_>>(), most);
        if leaves.len() > 1 {
            let natural = |i| Ok(mode.natural_coordinate(&IntTuple::leaf(i))?.to_string());
            axis.natural = (0..axis.drawn()).map(natural).collect::<Result<_, LayoutError>>()?;
        }
        Ok(axis)
    }

    /// One row, for a value of one mode.
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

/// How many rows or columns a tile of a mode has; nothing where it is not nested.
pub(super) fn tile_of_mode(mode: &IntTuple) -> Option<usize> {
    let parts = if mode.is_int() { 1 } else { mode.rank() };
    let inner: usize = (0..parts - 1).map(|i| mode.mode(i).product().unwrap_or(1)).product();
    (parts > 1).then_some(inner)
}

/// The next coordinate, the first number the fastest; false behind the last one.
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
