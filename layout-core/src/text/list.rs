//! Lists of values. Lists that need no search are printed on the fly and never stored.

use alloc::vec::Vec;
use core::fmt;

use crate::engine::{ComposedLayout, CoordinateLayout, DynLayout, LinearLayout, SignedTuple};
use crate::error::{LayoutError, NotationError};

/// The maximum length of a list that an operation creates.
const MAX_LENGTH: usize = 1 << 20;

/// A list of numbers, or of coordinates, `[0, 2, 4]`.
#[derive(Clone, Debug)]
pub struct List(Of);

#[derive(Clone, Debug)]
enum Of {
    Table(ComposedLayout),
    Coordinates(CoordinateLayout),
    // Given in the text, or the result of a search.
    Integers(Vec<isize>),
    Written(Vec<SignedTuple>),
}

fn check(operation: &'static str, length: usize) -> Result<(), LayoutError> {
    refuse!(
        length > MAX_LENGTH,
        NotationError::ListTooLong { operation, length, limit: MAX_LENGTH }
    );
    Ok(())
}

impl List {
    /// The offsets of all coordinates.
    pub(crate) fn table(layout: &ComposedLayout) -> Result<Self, LayoutError> {
        check("table", layout.size())?;
        Ok(Self(Of::Table(*layout)))
    }

    /// The values that a layout of coordinates has.
    pub(crate) fn coordinates(layout: &CoordinateLayout) -> Result<Self, LayoutError> {
        check("table", layout.size())?;
        Ok(Self(Of::Coordinates(*layout)))
    }

    /// The offsets that some coordinate has, each once, minus `above`.
    pub(crate) fn image((layout, above): (DynLayout, usize)) -> Result<Self, LayoutError> {
        check("image", layout.cosize())?;
        Self::searched(layout.image(), above)
    }

    /// The offsets that some coordinate of a swizzled layout has, each once.
    pub(crate) fn swizzled_image(layout: &ComposedLayout) -> Result<Self, LayoutError> {
        Ok(Self(Of::Integers(Self::swizzled_offsets(layout, "image")?)))
    }

    fn swizzled_offsets(
        layout: &ComposedLayout,
        operation: &'static str,
    ) -> Result<Vec<isize>, LayoutError> {
        check(operation, layout.layout().cosize())?;
        let (swizzle, offset) = (layout.swizzle(), layout.offset());
        let mut offsets = Vec::new();
        for inside in layout.layout().image() {
            offsets.push(swizzle.apply(offset + inside?) as isize);
        }
        offsets.sort_unstable();
        Ok(offsets)
    }

    /// The offsets between the smallest and the largest of a swizzled layout that no coordinate has.
    pub(crate) fn swizzled_gaps(layout: &ComposedLayout) -> Result<Self, LayoutError> {
        let image = Self::swizzled_offsets(layout, "gaps")?;
        if let (Some(first), Some(last)) = (image.first(), image.last()) {
            check("gaps", last.abs_diff(*first))?;
        }
        let gaps = image.windows(2).flat_map(|pair| pair[0] + 1..pair[1]);
        Ok(Self(Of::Integers(gaps.collect())))
    }

    /// The coordinates that a layout has as values, each once, the first number the fastest.
    pub(crate) fn coordinate_image(layout: &CoordinateLayout) -> Result<Self, LayoutError> {
        check("image", layout.size())?;
        let mut values: Vec<SignedTuple> = layout.table().collect();
        values.sort_unstable_by(|a, b| a.values().iter().rev().cmp(b.values().iter().rev()));
        values.dedup();
        Ok(Self(Of::Written(values)))
    }

    /// The values of all indices of a linear layout.
    pub(crate) fn linear(
        operation: &'static str,
        layout: &LinearLayout,
    ) -> Result<Self, LayoutError> {
        check(operation, layout.size())?;
        let values = layout.table().map(|value| layout.value_coordinate(value).into());
        Ok(Self::written(values.collect()))
    }

    /// Number of items.
    pub(crate) fn len(&self) -> usize {
        self.items().len()
    }

    /// The offsets below the largest that no coordinate has, minus `above`.
    pub(crate) fn gaps((layout, above): (DynLayout, usize)) -> Result<Self, LayoutError> {
        check("gaps", layout.cosize())?;
        Self::searched(layout.gaps(), above)
    }

    fn searched(
        offsets: impl Iterator<Item = Result<usize, LayoutError>>,
        above: usize,
    ) -> Result<Self, LayoutError> {
        let less = |offset: usize| offset as isize - above as isize;
        Ok(Self(Of::Integers(offsets.map(|offset| offset.map(less)).collect::<Result<_, _>>()?)))
    }

    /// The list of these items.
    pub(crate) fn written(items: Vec<SignedTuple>) -> Self {
        let integers: Option<Vec<_>> = items.iter().map(SignedTuple::as_integer).collect();
        Self(integers.map_or(Of::Written(items), Of::Integers))
    }

    /// The list of these integers.
    pub(crate) const fn integers(items: Vec<isize>) -> Self {
        Self(Of::Integers(items))
    }

    /// Calls `f` with each item in order.
    fn for_each(&self, f: &mut dyn FnMut(Item<'_>) -> fmt::Result) -> fmt::Result {
        let mut integer = |n: isize| f(Item::Integer(n));
        match &self.0 {
            Of::Table(layout) => layout.table().try_for_each(|o| integer(o as isize)),
            Of::Integers(items) => items.iter().try_for_each(|&n| integer(n)),
            Of::Coordinates(layout) => layout.table().try_for_each(|c| f(Item::Coordinate(&c))),
            Of::Written(items) => items.iter().try_for_each(|c| f(Item::Coordinate(c))),
        }
    }

    fn items(&self) -> Vec<SignedTuple> {
        let mut items = Vec::new();
        let _never_fails = self.for_each(&mut |item| {
            items.push(match item {
                Item::Integer(n) => SignedTuple::integer(n),
                Item::Coordinate(c) => *c,
            });
            Ok(())
        });
        items
    }
}

enum Item<'a> {
    Integer(isize),
    Coordinate(&'a SignedTuple),
}

/// Compares items, independent of the representation.
impl PartialEq for List {
    fn eq(&self, other: &Self) -> bool {
        self.items() == other.items()
    }
}

impl Eq for List {}

impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        let mut first = true;
        self.for_each(&mut |item| {
            if !core::mem::take(&mut first) {
                f.write_str(", ")?;
            }
            match item {
                Item::Integer(n) => write!(f, "{n}"),
                Item::Coordinate(c) => write!(f, "{c}"),
            }
        })?;
        f.write_str("]")
    }
}
