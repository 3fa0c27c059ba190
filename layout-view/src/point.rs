//! The values of functions: offsets, coordinates and slots.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use layout_core::engine::{IntTuple, Path, SignedTuple};
use layout_core::error::{LayoutError, NotationError};

/// A value of a function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Point {
    /// An offset, or a negative integer.
    Integer(isize),
    /// A coordinate.
    Coordinate(Coordinate),
    /// A core, and the offset in its buffer.
    Slot(usize, usize),
}

/// A coordinate as a value. Modes with coordinate 0 do not count: `(1,0)` is `1@0`, and so is
/// `(1,(0,0))`.
#[derive(Clone, Debug)]
pub struct Coordinate {
    text: String,
    numbers: Vec<isize>,
    // The non-zero numbers: the mode path of each (outermost first), and the number.
    steps: Vec<(Vec<usize>, isize)>,
}

impl Coordinate {
    /// The coordinate of a tuple.
    ///
    /// # Errors
    ///
    /// None for values of layouts.
    pub fn of(value: &SignedTuple) -> Result<Self, LayoutError> {
        let mut steps = Vec::new();
        walk(&tree(value)?, &mut value.values().iter().copied(), &mut Vec::new(), &mut |at, n| {
            if n != 0 {
                steps.push((at.to_vec(), n));
            }
        });
        Ok(Self { text: value.to_string(), numbers: value.values().to_vec(), steps })
    }

    /// The coordinate as a tuple.
    ///
    /// # Errors
    ///
    /// [`NotationError::Negative`] if a number is negative.
    pub fn tuple(&self) -> Result<IntTuple, LayoutError> {
        IntTuple::parse(&self.text).map_err(|_| NotationError::Negative.into())
    }

    /// Its numbers, without parentheses.
    pub fn numbers(&self) -> &[isize] {
        &self.numbers
    }

    /// Whether none of its modes is a tuple.
    pub fn is_flat(&self) -> bool {
        !self.text[1..].contains('(')
    }

    /// The number of a coordinate that steps along mode 0 alone; 0 for the zero coordinate.
    pub fn as_number(&self) -> Option<isize> {
        match self.steps.as_slice() {
            [] => Some(0),
            [(modes, number)] if modes == &[0] => Some(*number),
            _ => None,
        }
    }
}

impl PartialEq for Coordinate {
    fn eq(&self, other: &Self) -> bool {
        self.steps == other.steps
    }
}

impl Eq for Coordinate {}

impl PartialOrd for Coordinate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Coordinate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.steps.cmp(&other.steps)
    }
}

impl Hash for Coordinate {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.steps.hash(state);
    }
}

/// The non-zero leaves of a tuple: the mode path of each, and its number.
pub(crate) fn steps(value: &SignedTuple) -> Result<Vec<(Path, isize)>, LayoutError> {
    let mut steps = Vec::new();
    walk(&tree(value)?, &mut value.values().iter().copied(), &mut Vec::new(), &mut |at, n| {
        // The innermost mode is the first one that contains the number.
        let path = at.iter().rev().try_fold(Path::ROOT, |path, &mode| path.inside(mode));
        steps.push(path.map(|path| (path, n)));
    });
    steps.into_iter().collect()
}

/// The nesting of a tuple. Its text has it; only its numbers have signs.
fn tree(value: &SignedTuple) -> Result<IntTuple, LayoutError> {
    if let Some(tuple) = value.int_tuple() {
        return Ok(tuple);
    }
    // The result has the depth and the number of leaves of a valid tuple.
    IntTuple::parse(&value.to_string().replace('-', "")).map_err(|error| {
        error.problems().first().map_or(LayoutError::EmptyTuple, |problem| problem.error)
    })
}

/// Visits the leaves of a tree with their mode paths, outermost first, and their numbers.
fn walk(
    tree: &IntTuple,
    numbers: &mut impl Iterator<Item = isize>,
    at: &mut Vec<usize>,
    visit: &mut impl FnMut(&[usize], isize),
) {
    if tree.is_int() {
        if let Some(number) = numbers.next() {
            visit(at, number);
        }
        return;
    }
    for mode in 0..tree.rank() {
        at.push(mode);
        walk(&tree.mode(mode), numbers, at, visit);
        at.pop();
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(integer) => write!(f, "{integer}"),
            Self::Coordinate(coordinate) => f.write_str(&coordinate.text),
            Self::Slot(core, offset) => write!(f, "{core}:{offset}"),
        }
    }
}
