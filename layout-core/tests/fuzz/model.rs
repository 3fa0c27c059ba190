//! The naive model: layouts read from printed text by a reader of their own, and evaluated number
//! by number.

use std::collections::{BTreeMap, BTreeSet};

/// A tree of what is printed: numbers, or strides such as `1@0-2@1` as texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Tree {
    Leaf(String),
    Tuple(Vec<Tree>),
}

impl Tree {
    /// Reads a tuple or a leaf from the start of a text, and returns the rest.
    fn read(text: &str) -> Option<(Self, &str)> {
        let Some(mut rest) = text.strip_prefix('(') else {
            let end = text.find([',', ')', ':', ' ', ']']).unwrap_or(text.len());
            return (end > 0).then(|| (Self::Leaf(text[..end].to_owned()), &text[end..]));
        };
        let mut parts = Vec::new();
        loop {
            let (part, behind) = Self::read(rest)?;
            parts.push(part);
            match behind.strip_prefix(',') {
                Some(more) => rest = more,
                None => return Some((Self::Tuple(parts), behind.strip_prefix(')')?)),
            }
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::read(text).filter(|(_, rest)| rest.is_empty()).map(|(tree, _)| tree)
    }

    pub(crate) fn leaves(&self) -> Vec<&str> {
        match self {
            Self::Leaf(text) => vec![text],
            Self::Tuple(parts) => parts.iter().flat_map(Self::leaves).collect(),
        }
    }

    pub(crate) fn modes(&self) -> Vec<Self> {
        match self {
            Self::Leaf(_) => vec![self.clone()],
            Self::Tuple(parts) => parts.clone(),
        }
    }

    pub(crate) fn depth(&self) -> usize {
        match self {
            Self::Leaf(_) => 0,
            Self::Tuple(parts) => 1 + parts.iter().map(Self::depth).max().unwrap_or(0),
        }
    }

    /// The product of the numbers at the leaves.
    pub(crate) fn size(&self) -> Option<i128> {
        self.leaves().iter().try_fold(1i128, |size, leaf| size.checked_mul(leaf.parse().ok()?))
    }

    /// Every coordinate of `self` is one of `other`.
    pub(crate) fn compatible(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Leaf(_), _) => self.size() == other.size(),
            (Self::Tuple(a), Self::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.compatible(b))
            }
            _ => false,
        }
    }
}

/// A value: what is added up in each direction, the root among them.
pub(crate) type Value = Vec<(String, i128)>;

/// A layout as printed, perhaps behind a swizzle and an offset.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) shape: Tree,
    stride: Tree,
    swizzle: Option<([i128; 3], i128)>,
}

impl Model {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut layout = text;
        let mut swizzle = None;
        if let Some(rest) = text.strip_prefix("Sw<") {
            let (numbers, rest) = rest.split_once("> o ")?;
            let numbers: Vec<i128> =
                numbers.split(',').map(|n| n.parse().ok()).collect::<Option<_>>()?;
            let (offset, rest) = rest.split_once(" o ")?;
            swizzle = Some((numbers.try_into().ok()?, offset.parse().ok()?));
            layout = rest;
        }
        let (shape, stride) = layout.split_once(':')?;
        let (shape, stride) = (Tree::parse(shape)?, Tree::parse(stride)?);
        let is_step = |c: char| c.is_ascii_digit() || "+-@".contains(c);
        let steps = stride.leaves().iter().all(|leaf| leaf.chars().all(is_step));
        (steps && shape.size().is_some()).then_some(Self { shape, stride, swizzle })
    }

    pub(crate) fn size(&self) -> i128 {
        self.shape.size().expect("checked by the engine")
    }

    /// Whether there are coordinates, few enough to look at each.
    pub(crate) fn is_small(&self) -> bool {
        (1..=2048).contains(&self.size())
    }

    pub(crate) fn is_plain(&self) -> bool {
        self.swizzle.is_none()
            && self.stride.leaves().iter().all(|d| d.bytes().all(|b| b.is_ascii_digit()))
    }

    pub(crate) fn has_directions(&self) -> bool {
        self.stride.leaves().iter().any(|stride| stride.contains('@'))
    }

    pub(crate) fn mode(&self, i: usize) -> Self {
        let (shape, stride) = (self.shape.modes()[i].clone(), self.stride.modes()[i].clone());
        Self { shape, stride, swizzle: None }
    }

    pub(crate) fn unswizzled(&self) -> Self {
        Self { swizzle: None, ..self.clone() }
    }

    /// Mode 0 behind the same swizzle.
    pub(crate) fn first_mode(&self) -> Self {
        Self { swizzle: self.swizzle, ..self.mode(0) }
    }

    pub(crate) fn extents(&self) -> Vec<i128> {
        self.shape.leaves().iter().map(|s| s.parse().expect("an extent")).collect()
    }

    pub(crate) fn strides(&self) -> Vec<&str> {
        self.stride.leaves()
    }

    /// The value at an index; the last leaf goes on, and digits in front are negative.
    pub(crate) fn at(&self, mut index: i128) -> Value {
        let (extents, strides) = (self.extents(), self.strides());
        let mut sum = Value::new();
        for (k, (extent, stride)) in extents.iter().zip(&strides).enumerate() {
            let digit = if k + 1 == extents.len() { index } else { index % extent };
            index /= extent;
            add(&mut sum, digit, stride);
        }
        sum.retain(|(_, step)| *step != 0);
        sum.sort();
        self.swizzled(sum)
    }

    fn swizzled(&self, value: Value) -> Value {
        let Some(([bits, base, shift], offset)) = self.swizzle else { return value };
        let number = number(&value) + offset;
        let moved = (0..bits).fold(0, |moved, bit| {
            let from = base + bit + shift.max(0);
            moved | ((number >> from) & 1) << (from - shift)
        });
        integer(number ^ moved)
    }

    pub(crate) fn table(&self) -> Vec<Value> {
        (0..self.size()).map(|i| self.at(i)).collect()
    }

    /// The offsets, sorted, each as often as it occurs.
    pub(crate) fn values(&self) -> Vec<Value> {
        let mut values = self.table();
        values.sort();
        values
    }

    pub(crate) fn image(&self) -> BTreeSet<i128> {
        self.table().iter().map(number).collect()
    }

    /// How many values there are.
    pub(crate) fn distinct(&self) -> i128 {
        self.table().into_iter().collect::<BTreeSet<_>>().len() as i128
    }

    pub(crate) fn is_injective(&self) -> bool {
        self.distinct() == self.size()
    }

    /// The size of the smallest box that has all values and the origin.
    pub(crate) fn cosize(&self) -> i128 {
        let mut ends = BTreeMap::new();
        for (path, step) in self.table().into_iter().flatten() {
            let (first, last) = ends.entry(path).or_insert((0, 0));
            (*first, *last) = (step.min(*first), step.max(*last));
        }
        ends.into_values().map(|(first, last)| last - first + 1).product()
    }

    /// The value where this has a coordinate in each direction, or one for all of it at the root.
    pub(crate) fn at_value(&self, at: &Value) -> Option<Value> {
        let mut sum = Value::new();
        for (path, index) in at {
            let mut mode = self.unswizzled();
            for number in path.split('@').skip(1).collect::<Vec<_>>().into_iter().rev() {
                let number: usize = number.parse().ok()?;
                if matches!(mode.shape, Tree::Leaf(_)) || number >= mode.shape.modes().len() {
                    return None;
                }
                mode = mode.mode(number);
            }
            for (place, step) in mode.at(*index) {
                add(&mut sum, step, &format!("1{place}"));
            }
        }
        sum.retain(|(_, step)| *step != 0);
        sum.sort();
        Some(self.swizzled(sum))
    }
}

/// Adds `factor` times a stride such as `2`, `-1@0` or `1@0-2@1`.
fn add(sum: &mut Value, factor: i128, stride: &str) {
    let starts: Vec<usize> = stride
        .char_indices()
        .filter(|&(i, c)| i == 0 || c == '+' || c == '-')
        .map(|(i, _)| i)
        .chain([stride.len()])
        .collect();
    for term in starts.windows(2).map(|ends| &stride[ends[0]..ends[1]]) {
        let (step, path) = term.split_at(term.find('@').unwrap_or(term.len()));
        let step: i128 = step.trim_start_matches('+').parse().expect("a step");
        match sum.iter_mut().find(|(place, _)| place == path) {
            Some((_, total)) => *total += factor * step,
            None => sum.push((path.to_owned(), factor * step)),
        }
    }
}

/// Both values together.
pub(crate) fn sum(a: &Value, b: &Value) -> Value {
    let mut sum = a.clone();
    for (place, step) in b {
        add(&mut sum, *step, &format!("1{place}"));
    }
    sum.retain(|(_, step)| *step != 0);
    sum.sort();
    sum
}

pub(crate) fn integer(n: i128) -> Value {
    if n == 0 { Value::new() } else { vec![(String::new(), n)] }
}

/// The integer that a value is.
pub(crate) fn number(value: &Value) -> i128 {
    value.first().map_or(0, |(_, n)| *n)
}
