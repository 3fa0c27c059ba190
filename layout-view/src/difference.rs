//! The difference of two layouts: where they differ, and what it takes to get from one to the other.

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

/// How many cells are counted one by one.
pub const MOST_CELLS: usize = 1 << 20;
/// How many cycles are listed, and how many points of each.
const CYCLES: usize = 16;
const POINTS: usize = 32;

/// The difference of two layouts or placements.
///
/// They are compared as functions of 1-D coordinates. Plain layouts are compared by their coalesced
/// forms, which is exact for any size. Others are looked at point by point.
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
    /// The two, as they are printed.
    pub texts: [String; 2],
    /// How they relate.
    pub relation: Relation,
    /// How many 1-D coordinates each has.
    pub cells: [usize; 2],
    /// The first coordinate where they differ.
    pub first: Option<First>,
    /// How many coordinates have another value; nothing for more than [`MOST_CELLS`] of them, or
    /// where the domains differ.
    pub changed: Option<usize>,
    /// What moves where, when each has all of its values once, and both have the same ones.
    pub cycles: Option<Cycles>,
    /// How many elements go to another core, between placements.
    pub between_cores: Option<usize>,
    /// How many bytes move, where the type of the elements is known.
    pub bytes: Option<usize>,
}

/// How two layouts relate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// They are equal: the same shape and the same strides.
    Identical,
    /// They have the same value at each 1-D coordinate.
    SameFunction,
    /// They have as many coordinates, and other values at some.
    Differs,
    /// They have other numbers of coordinates, or placements of other shapes.
    OtherDomain,
}

/// The first place where two functions differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct First {
    /// The 1-D coordinate.
    pub index: usize,
    /// The same in the shape of the first one.
    pub coordinate: IntTuple,
    /// The values of both.
    pub values: [Point; 2],
}

/// The permutation from the values of one to those of the other: what is at a value of the first
/// goes to the value that the second has for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cycles {
    /// How many values stay.
    pub fixed: usize,
    /// How many cycles have each length of at least 2.
    pub lengths: BTreeMap<usize, usize>,
    /// The first cycles, each with its first points.
    pub first: Vec<Vec<Point>>,
}

impl Cycles {
    /// How many cycles of at least 2 values there are.
    pub fn count(&self) -> usize {
        self.lengths.values().sum()
    }
}

impl Relation {
    /// In words.
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
    /// For values that are no layouts, offsets and coordinates, and
    /// [`AccessError::TooManyCells`] where the first [`MOST_CELLS`] points are equal and there are
    /// more.
    pub fn of(a: &Value, b: &Value, element: Option<ElementType>) -> Result<Self, LayoutError> {
        let (a, b) = (of_shape(a)?, of_shape(b)?);
        let texts = [a.to_string(), b.to_string()];
        let identical = a == b || texts[0] == texts[1];
        let [a, b] = comparable(Function::of(&a)?, Function::of(&b)?)?;
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

    /// Looks at all points, if they are not too many.
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
            let leave = from.iter().zip(&to).filter(|(from, to)| core(from) != core(to));
            self.between_cores = Some(leave.count());
        }
        self.cycles = cycles(&from, &to);
        Ok(())
    }

    /// One line for scripts.
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

/// A line for each fact.
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
            let more = if cycle.len() == POINTS { " -> .." } else { "" };
            write!(f, "\n          {}{more}", points.join(" -> "))?;
        }
        if cycles.count() > cycles.first.len() {
            write!(f, "\n          ..")?;
        }
        Ok(())
    }
}

/// A shape stands for its compact layout.
fn of_shape(value: &Value) -> Result<Value, LayoutError> {
    match value {
        Value::Integer(_) | Value::IntTuple(_) => value.layout().map(Value::Layout),
        other => Ok(other.clone()),
    }
}

/// Both as placements when one is, and both of one kind.
fn comparable(a: Function, b: Function) -> Result<[Function; 2], LayoutError> {
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

/// The first 1-D coordinate where two functions of one size differ.
fn first_difference(a: &Function, b: &Function) -> Result<Option<usize>, LayoutError> {
    if let (Function::Offsets(one), Function::Offsets(other)) = (a, b) {
        let same_behind = one.swizzle() == other.swizzle() && one.offset() == other.offset();
        let inside = || first_different_mode(&one.layout(), &other.layout());
        // A swizzle is injective: it keeps equal what is equal, and different what differs.
        if same_behind {
            return Ok(inside());
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

/// The first 1-D coordinate where two plain layouts of one size differ, by their coalesced modes.
///
/// Modes `s:d` that are equal up to some point give equal digits. At the first that differ, with `p`
/// coordinates before a step of them: other strides differ at `p`. Other extents differ at `p * s`
/// for the smaller `s`, where one layout steps on by `s * d` and the other one does not, because its
/// modes are coalesced.
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

/// The cycles of what goes from one list of points to another; nothing where points repeat, or are
/// not the same ones.
fn cycles(from: &[Point], to: &[Point]) -> Option<Cycles> {
    let mut sorted: Vec<&Point> = from.iter().collect();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() < from.len() {
        return None;
    }
    let number = |point: &Point| sorted.binary_search(&point).ok();
    let mut next = vec![usize::MAX; from.len()];
    let mut reached = vec![false; from.len()];
    for (from, to) in from.iter().zip(to) {
        let (from, to) = (number(from)?, number(to)?);
        next[from] = to;
        if std::mem::replace(&mut reached[to], true) {
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
            if points.len() < POINTS {
                points.push(sorted[at].clone());
            }
            at = next[at];
        }
        if length == 1 {
            cycles.fixed += 1;
            continue;
        }
        *cycles.lengths.entry(length).or_insert(0) += 1;
        if cycles.first.len() < CYCLES {
            cycles.first.push(points);
        }
    }
    Some(cycles)
}
