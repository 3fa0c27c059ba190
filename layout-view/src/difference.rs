//! The difference of two layouts: where they differ, and the permutation from one to the other.

use std::collections::BTreeMap;
use std::fmt;

use layout_core::devices::ElementType;
use layout_core::engine::{DynLayout, IntTuple, algebra};
use layout_core::error::{AccessError, LayoutError};
use layout_core::text::Value;
use serde_json::{Value as Json, json};

use crate::SCHEMA;
use crate::facts;
use crate::function::{Function, Point};

/// Maximum number of points compared one by one.
pub const MOST_CELLS: usize = 1 << 20;
/// Maximum number of cycles listed, and of points listed per cycle.
const MAX_CYCLES: usize = 16;
const MAX_POINTS: usize = 32;

/// The difference of two layouts or placements.
///
/// They are compared as functions of 1-D coordinates. Plain layouts are compared by their coalesced
/// forms, which is exact for any size. Others are compared point by point.
///
/// ```
/// use layout_core::text::Value;
/// use layout_view::difference::{Difference, Relation};
/// let value = |text: &str| Value::parse(text).unwrap();
/// let rows_to_columns = Difference::of(&value("(4,8):(8,1)"), &value("(4,8):(1,4)"), None)?;
/// assert_eq!(rows_to_columns.relation, Relation::Differs);
/// assert_eq!(rows_to_columns.brief(), "differs at (1,0): 8 and 1; 30 of 32 cells change; 6 cycles");
/// let nested = Difference::of(&value("(4,8):(1,4)"), &value("32:1"), None)?;
/// assert_eq!(nested.relation, Relation::SameFunction);
/// # Ok::<(), layout_core::error::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Difference {
    /// Both layouts, in printed form.
    pub texts: [String; 2],
    /// How they relate.
    pub relation: Relation,
    /// Number of 1-D coordinates of each.
    pub cells: [usize; 2],
    /// The first coordinate where they differ.
    pub first: Option<First>,
    /// Number of coordinates with different values. `None` for more than [`MOST_CELLS`]
    /// coordinates, or if the domains differ.
    pub changed: Option<usize>,
    /// The permutation of the values, if both layouts are injective and have the same set of
    /// values.
    pub cycles: Option<Cycles>,
    /// Number of elements that move to another core, for placements.
    pub between_cores: Option<usize>,
    /// Number of bytes that move, if the element type is known.
    pub bytes: Option<usize>,
}

/// How two layouts relate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// They are equal: the same shape and the same strides.
    Identical,
    /// They have the same value at each 1-D coordinate.
    SameFunction,
    /// They have the same number of coordinates, and different values at some of them.
    Differs,
    /// They have different numbers of coordinates, or are placements of different shapes.
    OtherDomain,
}

/// The first place where two functions differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct First {
    /// The 1-D coordinate.
    pub index: usize,
    /// The same coordinate in the shape of the first layout.
    pub coordinate: IntTuple,
    /// The values of both.
    pub values: [Point; 2],
}

/// The permutation from the values of one layout to those of the other: the element at a value of
/// the first layout moves to the value that the second layout has at the same coordinate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cycles {
    /// Number of fixed points.
    pub fixed: usize,
    /// Number of cycles by length, for lengths of at least 2.
    pub lengths: BTreeMap<usize, usize>,
    /// The first cycles, each with its first points.
    pub first: Vec<Vec<Point>>,
}

impl Cycles {
    /// Number of cycles of length 2 or more.
    pub fn count(&self) -> usize {
        self.lengths.values().sum()
    }
}

impl Relation {
    /// A description in words.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::SameFunction => "same function",
            Self::Differs => "differs",
            Self::OtherDomain => "other domain",
        }
    }
}

impl Difference {
    /// The difference of two values. A placement and a plain layout are compared as placements.
    ///
    /// # Errors
    ///
    /// If a value is not a layout, if one has offsets and the other coordinates, and
    /// [`AccessError::TooManyCells`] if the first [`MOST_CELLS`] points are equal and there are
    /// more.
    pub fn of(a: &Value, b: &Value, element: Option<ElementType>) -> Result<Self, LayoutError> {
        let (a, b) = (shape_to_layout(a)?, shape_to_layout(b)?);
        let texts = [a.to_string(), b.to_string()];
        let identical = a == b || texts[0] == texts[1];
        let [a, b] = to_comparable(Function::of(&a)?, Function::of(&b)?)?;
        let cells = [a.size(), b.size()];
        let mut difference = Self {
            texts,
            relation: Relation::Identical,
            cells,
            first: None,
            changed: Some(0),
            cycles: None,
            between_cores: None,
            bytes: None,
        };
        let same_shape = a.shape() == b.shape() || !matches!(a, Function::Placed(_));
        if cells[0] != cells[1] || !same_shape {
            (difference.relation, difference.changed) = (Relation::OtherDomain, None);
            return Ok(difference);
        }
        if !identical {
            difference.relation = Relation::SameFunction;
            if let Some(index) = first_difference(&a, &b)? {
                let coordinate = a.coordinate(index)?;
                let values = [a.at(index)?, b.at(index)?];
                difference.first = Some(First { index, coordinate, values });
                difference.relation = Relation::Differs;
            }
        }
        difference.count(&a, &b)?;
        difference.bytes = match (difference.changed, element) {
            (Some(changed), Some(element)) => element.bytes(changed),
            _ => None,
        };
        Ok(difference)
    }

    /// Whether both are the same function.
    pub fn is_same(&self) -> bool {
        matches!(self.relation, Relation::Identical | Relation::SameFunction)
    }

    /// Compares all points, if there are not too many.
    fn count(&mut self, a: &Function, b: &Function) -> Result<(), LayoutError> {
        let size = self.cells[0];
        if size > MOST_CELLS {
            self.changed = self.is_same().then_some(0);
            return Ok(());
        }
        let points = |function: &Function| {
            (0..size).map(|i| function.at(i)).collect::<Result<Vec<_>, LayoutError>>()
        };
        let (from, to) = (points(a)?, points(b)?);
        self.changed = Some(from.iter().zip(&to).filter(|(from, to)| from != to).count());
        if let (Function::Placed(_), Function::Placed(_)) = (a, b) {
            let core = |point: &Point| match point {
                Point::Slot(core, _) => Some(*core),
                _ => None,
            };
            let moved = from.iter().zip(&to).filter(|(from, to)| core(from) != core(to));
            self.between_cores = Some(moved.count());
        }
        self.cycles = cycles(&from, &to);
        Ok(())
    }

    /// One line, for scripts.
    pub fn brief(&self) -> String {
        let mut text = self.relation.describe().to_owned();
        if self.relation == Relation::OtherDomain {
            let [a, b] = self.cells;
            return format!("{text}: {a} and {b} elements");
        }
        if let Some(First { coordinate, values: [a, b], .. }) = &self.first {
            text += &format!(" at {coordinate}: {a} and {b}");
            match self.changed {
                Some(changed) => text += &format!("; {changed} of {} cells change", self.cells[0]),
                None => text += &format!("; more than {MOST_CELLS} cells are not counted"),
            }
            if let Some(cycles) = &self.cycles {
                text += &format!("; {} cycles", cycles.count());
            }
            if let Some(bytes) = self.bytes {
                text += &format!("; {bytes} bytes move");
            }
        }
        text
    }

    /// One JSON object.
    pub fn to_json(&self) -> Json {
        let point = |point: &Point| match point {
            Point::Integer(integer) => json!(integer),
            Point::Coordinate(coordinate) => json!(coordinate.numbers()),
            Point::Slot(core, offset) => json!({ "core": core, "offset": offset }),
        };
        let first = self.first.as_ref().map(|first| {
            json!({
                "index": first.index,
                "coordinate": facts::tuple(&first.coordinate),
                "a": point(&first.values[0]),
                "b": point(&first.values[1]),
            })
        });
        let cycles = self.cycles.as_ref().map(|cycles| {
            let list = cycles.first.iter().map(|one| one.iter().map(point).collect::<Vec<_>>());
            json!({
                "fixed": cycles.fixed,
                "count": cycles.count(),
                "lengths": cycles.lengths.iter().map(|(length, count)| json!([length, count]))
                    .collect::<Vec<_>>(),
                "first": list.collect::<Vec<_>>(),
            })
        });
        json!({
            "schema": SCHEMA,
            "a": self.texts[0],
            "b": self.texts[1],
            "relation": self.relation.describe(),
            "same": self.is_same(),
            "cells": self.cells,
            "first": first,
            "changed": self.changed,
            "cycles": cycles,
            "between_cores": self.between_cores,
            "bytes": self.bytes,
        })
    }
}

/// One fact per line.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = &self.texts;
        writeln!(f, "a         {a}\nb         {b}")?;
        write!(f, "relation  {}", self.relation.describe())?;
        if self.relation == Relation::OtherDomain {
            return write!(f, ": {} and {} elements", self.cells[0], self.cells[1]);
        }
        if let Some(First { index, coordinate, values: [a, b] }) = &self.first {
            write!(f, "\nfirst     at {coordinate}, 1-D coordinate {index}: {a} and {b}")?;
        }
        let cells = self.cells[0];
        match self.changed {
            Some(changed) => write!(f, "\nchanged   {changed} of {cells} cells")?,
            None => write!(f, "\nchanged   not counted: {cells} cells are more than {MOST_CELLS}")?,
        }
        if let Some(bytes) = self.bytes {
            write!(f, "\nbytes     {bytes} move")?;
        }
        if let Some(elements) = self.between_cores {
            write!(f, "\ncores     {elements} elements move to another core")?;
        }
        if self.is_same() {
            return Ok(());
        }
        let Some(cycles) = &self.cycles else {
            if self.changed.is_some() {
                write!(
                    f,
                    "\ncycles    none: the two do not take the same values, each exactly once"
                )?;
            }
            return Ok(());
        };
        let lengths: Vec<_> = cycles
            .lengths
            .iter()
            .map(|(length, count)| format!("{count} of length {length}"))
            .collect();
        write!(f, "\ncycles    {}; {} offsets stay in place", lengths.join(", "), cycles.fixed)?;
        for cycle in &cycles.first {
            let points: Vec<_> = cycle.iter().map(ToString::to_string).collect();
            let more = if cycle.len() == MAX_POINTS { " -> .." } else { "" };
            write!(f, "\n          {}{more}", points.join(" -> "))?;
        }
        if cycles.count() > cycles.first.len() {
            write!(f, "\n          ..")?;
        }
        Ok(())
    }
}

/// Converts a shape to its compact layout.
fn shape_to_layout(value: &Value) -> Result<Value, LayoutError> {
    match value {
        Value::Integer(_) | Value::IntTuple(_) => value.layout().map(Value::Layout),
        other => Ok(other.clone()),
    }
}

/// Converts both to placements if one is a placement; both must be of one kind.
fn to_comparable(a: Function, b: Function) -> Result<[Function; 2], LayoutError> {
    let placed = |function: &Function| matches!(function, Function::Placed(_));
    if placed(&a) || placed(&b) {
        let place = |function: Function| {
            Ok::<_, LayoutError>(Function::Placed(Box::new(function.placed()?)))
        };
        return Ok([place(a)?, place(b)?]);
    }
    let (first, second) = (a.kind(), b.kind());
    if first != second {
        return Err(AccessError::Incomparable { first, second }.into());
    }
    Ok([a, b])
}

/// The first 1-D coordinate where two functions of the same size differ.
fn first_difference(a: &Function, b: &Function) -> Result<Option<usize>, LayoutError> {
    if let (Function::Offsets(one), Function::Offsets(other)) = (a, b) {
        let same_swizzle = one.swizzle() == other.swizzle() && one.offset() == other.offset();
        let plain_difference = || first_different_mode(&one.layout(), &other.layout());
        // A swizzle is injective: equal offsets stay equal, different offsets stay different.
        if same_swizzle {
            return Ok(plain_difference());
        }
    }
    if let (Function::Placed(one), Function::Placed(other)) = (a, b)
        && one == other
    {
        return Ok(None);
    }
    let size = a.size();
    for index in 0..size.min(MOST_CELLS) {
        if a.at(index)? != b.at(index)? {
            return Ok(Some(index));
        }
    }
    if size > MOST_CELLS {
        return Err(AccessError::TooManyCells { size, limit: MOST_CELLS }.into());
    }
    Ok(None)
}

/// The first 1-D coordinate where two plain layouts of the same size differ, from their coalesced
/// modes.
///
/// Modes `s:d` that are equal in both layouts give equal digits. Take the first modes that differ,
/// and let `p` be the product of the extents before them. If the strides differ, the layouts differ
/// at `p`. If the extents differ, they differ at `p * s` for the smaller `s`: there one layout
/// continues with `s * d`, and the other does not, because its modes are coalesced.
fn first_different_mode(a: &DynLayout, b: &DynLayout) -> Option<usize> {
    if a.size() == 0 {
        return None;
    }
    let (a, b) = (algebra::coalesce(a), algebra::coalesce(b));
    let modes = |layout: &DynLayout| {
        layout.extents().iter().copied().zip(layout.strides().iter().copied()).collect::<Vec<_>>()
    };
    let mut step = 1;
    for ((s, d), (t, e)) in modes(&a).into_iter().zip(modes(&b)) {
        if d != e {
            return Some(step);
        }
        if s != t {
            return Some(step * s.min(t));
        }
        step *= s;
    }
    None
}

/// The cycles of the permutation from one list of points to another. `None` if points repeat, or
/// the lists have different points.
fn cycles(from: &[Point], to: &[Point]) -> Option<Cycles> {
    let mut sorted: Vec<&Point> = from.iter().collect();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() < from.len() {
        return None;
    }
    let number = |point: &Point| sorted.binary_search(&point).ok();
    let mut next = vec![usize::MAX; from.len()];
    let mut visited = vec![false; from.len()];
    for (from, to) in from.iter().zip(to) {
        let (from, to) = (number(from)?, number(to)?);
        next[from] = to;
        if std::mem::replace(&mut visited[to], true) {
            return None;
        }
    }
    let mut cycles = Cycles { fixed: 0, lengths: BTreeMap::new(), first: Vec::new() };
    let mut seen = vec![false; next.len()];
    for start in 0..next.len() {
        if seen[start] {
            continue;
        }
        let (mut at, mut length, mut points) = (start, 0, Vec::new());
        while !seen[at] {
            seen[at] = true;
            length += 1;
            if points.len() < MAX_POINTS {
                points.push(sorted[at].clone());
            }
            at = next[at];
        }
        if length == 1 {
            cycles.fixed += 1;
            continue;
        }
        *cycles.lengths.entry(length).or_insert(0) += 1;
        if cycles.first.len() < MAX_CYCLES {
            cycles.first.push(points);
        }
    }
    Some(cycles)
}
