//! The law of each operation, checked point by point on the values themselves.

use std::collections::BTreeSet;

use layout_core::engine::{ComposedLayout, DynLayout, IntTuple, Slicer};
use layout_core::text::{Operation, Value};

use super::divide::{mode_sum, same_multiset};
use super::{Check, MOST_POINTS, complement, mismatch};
use crate::function::{Coordinate, Function, Point};

/// The law of an operation for its arguments and result. `None` if there is no law to check.
pub(super) fn law(name: &str, args: &[Value], result: &Value) -> Option<Check> {
    let arg = |i: usize| args.get(i).and_then(Points::of);
    let a = || arg(0);
    let r = || Points::of(result);
    let text = |law: &str| law.replace("OP", name);
    Some(match name {
        "coalesce" | "flatten" | "unflatten" | "group" | "linear" | "layout_of" => {
            same(&text("OP(A)(i) = A(i)"), &r()?, &a()?)
        }
        "composition" | "swizzle_compose" => composed(args, &r()?)?,
        "filter" | "filter_zeros" => {
            same_set(&text("OP(A) has the values of A"), &r()?.set()?, &a()?.set()?)
        }
        "nullspace" => {
            let (a, r) = (a()?, r()?);
            let start = a.at(0)?;
            Check::each("A(N(i)) = A(0)", r.size, |i| {
                mismatch_if_known(i, a.at(r.index(i)?), Some(start.clone()))
            })
        }
        "right_inverse" => identity("A(R(i)) = i", &r()?, &a()?),
        "left_inverse" => {
            let (a, r) = (a()?, r()?);
            Check::each("A(R(A(i))) = A(i)", a.size, |i| {
                let inverse_value = r.at(a.index(i)?).and_then(Points::number);
                mismatch_if_known(
                    i,
                    inverse_value.and_then(|inverse_value| a.at(inverse_value)),
                    a.at(i),
                )
            })
        }
        "max_common_layout" => {
            let (a, b, r) = (a()?, arg(1)?, r()?);
            Check::each("A(R(i)) = B(R(i)) = i", r.size, |i| {
                let at = r.index(i)?;
                let i_as_point = Some(Point::Integer(i as isize));
                mismatch_if_known(i, a.at(at), i_as_point.clone())
                    .or_else(|| mismatch_if_known(i, b.at(at), i_as_point))
            })
        }
        "max_common_vector" => {
            let (a, b) = (args[0].composed().ok()?, args[1].composed().ok()?);
            common(&a, &b, result.integer().ok()?)?
        }
        "upcast" | "downcast" | "recast" => recast(name, args, &r()?)?,
        "append" | "prepend" => {
            let (first, second) = if name == "append" { (a()?, arg(1)?) } else { (arg(1)?, a()?) };
            sum(&text("OP(A, B)(i, j) is the sum of A and B"), &r()?, &first, &second)?
        }
        "zip" | "permute" | "transposed" if args.len() < 3 => modes(name, args, result)?,
        "take" | "select" => modes(name, args, result)?,
        "replace" => replaced(args, result)?,
        "dice" => dice(args, result)?,
        "slice" => slice(args, &r()?)?,
        "slice_and_offset" => {
            let (a, at) = (a()?, args[1].coordinate().ok()?);
            let (_, coordinates) = slice_coordinates(&args[0].extents().ok()?, &at)?;
            let r = r()?;
            Check::each("R(k) = A(C with _ = k)", r.size, |k| {
                mismatch_if_known(k, r.at(k), a.at(*coordinates.get(k)?))
            })
        }
        "local_tile" | "local_partition" => part(name, args, &r()?)?,
        "domain_offset" => {
            let (a, r) = (a()?, r()?);
            let at = args[0].extents().ok()?.crd2idx(&args[1].int_tuple().ok()?).ok()?;
            Check::whole("R(0) = A(C)", 1, r.at(0)? == a.at(at)?)
        }
        "windows" | "flip" | "broadcast_to" => {
            let (a, r) = (a()?, r()?);
            let set = a.set()?;
            let inside = |i: usize| {
                let value = r.at(i)?;
                (!set.contains(&value)).then(|| format!("{value} at {i} is not a value of A"))
            };
            Check::each("each value of the result is a value of A", r.size, inside)
        }
        "identity" => {
            let r = r()?;
            let shape = args[0].int_tuple().ok()?;
            Check::each("I(c) = c", r.size, |i| {
                mismatch_if_known(i, r.at(i), coordinate(&shape, i))
            })
        }
        "make_ordered" => {
            let layout = result.layout().ok()?;
            Check::whole(
                "each offset below the size occurs once",
                layout.size(),
                layout.is_bijective(),
            )
        }
        "domain_distribute" => {
            let (r, size) = (r()?, args[0].int_tuple().ok()?.product().ok()?);
            Check::each("D increases and stays below the size", r.size, |i| {
                let (value, before) = (r.index(i)?, if i > 0 { r.index(i - 1) } else { None });
                let violates = value >= size || before.is_some_and(|before| before >= value);
                violates.then(|| format!("{value} at {i}"))
            })
        }
        "logical_divide" | "zipped_divide" | "tiled_divide" | "flat_divide" | "logical_product"
        | "zipped_product" | "tiled_product" | "flat_product" | "blocked_product"
        | "raked_product" | "tile_to_shape" => {
            let (a, r) = (a()?, r()?);
            // Without copies, no coordinate is lost or added, unless tiles overhang: then a
            // coordinate of A may be missing or repeated.
            let bijective_coordinates = || {
                let coordinates = DynLayout::make(&args[0].extents().ok()?).ok()?;
                let divided = [&[coordinates.into()][..], &args[1..]].concat();
                let found = Operation::find(name)?.run(&divided).and_then(|found| found.layout());
                found.ok().filter(DynLayout::is_bijective)
            };
            if a.size == r.size
                && bijective_coordinates().is_some()
                && let Some(values) = a.values()
            {
                return Some(Check::whole(
                    "the values of A, equally often",
                    a.size,
                    r.values()? == values,
                ));
            }
            Check::whole("it starts where A starts", 1, a.at(0)? == r.at(0)?)
        }
        "complement" => {
            let inside = match &args[0] {
                Value::Composed(composed) => composed.layout(),
                other => other.layout().ok()?,
            };
            complement::disjoint(
                "D(i) + C(j), D the layout inside,",
                &inside,
                &result.layout().ok()?,
            )
        }
        "is_injective" => {
            let a = a()?;
            let is_injective = a.set()?.len() == a.size;
            Check::whole(
                "as many values as coordinates, or fewer",
                a.size,
                *result == Value::from(is_injective),
            )
        }
        "idx2crd" if args.len() == 2 => {
            let (shape, at) = (args[1].int_tuple().ok()?, result.int_tuple().ok()?);
            let index = shape.crd2idx(&args[0].int_tuple().ok()?);
            Check::whole(
                "the 1-D coordinate of the result is the one given",
                1,
                shape.crd2idx(&at) == index,
            )
        }
        _ => return None,
    })
}

/// The points of a value.
struct Points {
    function: Function,
    size: usize,
}

impl Points {
    fn of(value: &Value) -> Option<Self> {
        let function = Function::of(value).ok()?;
        let size = function.size();
        Some(Self { function, size })
    }

    /// The value at a 1-D coordinate, also beyond the size.
    fn at(&self, index: usize) -> Option<Point> {
        self.function.at(index).ok().map(simplified)
    }

    fn number(point: Point) -> Option<usize> {
        match point {
            Point::Integer(value) => usize::try_from(value).ok(),
            _ => None,
        }
    }

    /// The value as a 1-D coordinate of another layout. `None` for a multi-dimensional coordinate,
    /// whose modes are independent.
    fn index(&self, index: usize) -> Option<usize> {
        Self::number(self.function.at(index).ok()?)
    }

    /// All values, sorted. `None` if there are too many.
    fn values(&self) -> Option<Vec<Point>> {
        let all = self.size <= MOST_POINTS;
        let mut values =
            all.then(|| (0..self.size).map(|i| self.at(i)).collect::<Option<Vec<_>>>())??;
        values.sort_unstable();
        Some(values)
    }

    /// The set of values. `None` if there are too many.
    fn set(&self) -> Option<BTreeSet<Point>> {
        (self.size <= MOST_POINTS).then(|| (0..self.size).map(|i| self.at(i)).collect())?
    }
}

/// The 1-D coordinate for one number per mode of a shape. `None` for other modes.
fn index_of(numbers: &[isize], shape: &IntTuple) -> Option<isize> {
    let (mut index, mut step) = (0isize, 1isize);
    for (mode, &number) in numbers.iter().enumerate() {
        if mode >= shape.rank() {
            return None;
        }
        index = index.checked_add(number.checked_mul(step)?)?;
        step = step.checked_mul(isize::try_from(shape.mode(mode).product().ok()?).ok()?)?;
    }
    Some(index)
}

/// Turns a coordinate that steps along mode 0 alone, or not at all, into a number, as the
/// operations do.
fn simplified(point: Point) -> Point {
    match point {
        Point::Coordinate(at) => at.as_number().map_or(Point::Coordinate(at), Point::Integer),
        other => other,
    }
}

/// The coordinate of a shape for a 1-D coordinate, as a value.
fn coordinate(shape: &IntTuple, index: usize) -> Option<Point> {
    let at = shape.natural_coordinate(&IntTuple::leaf(index)).ok()?;
    Some(match at.leaves() {
        [one] if shape.is_int() => Point::Integer(*one as isize),
        _ => simplified(Point::Coordinate(Coordinate::of(&at.into()).ok()?)),
    })
}

/// The difference at a point, if two values should be equal and both are known.
fn mismatch_if_known(i: usize, left: Option<Point>, right: Option<Point>) -> Option<String> {
    mismatch(i, left?, right?)
}

fn same(law: &str, r: &Points, a: &Points) -> Check {
    Check::each(law, r.size, |i| mismatch_if_known(i, r.at(i), a.at(i)))
}

fn identity(law: &str, r: &Points, a: &Points) -> Check {
    Check::each(law, r.size, |i| {
        // If the values of A are coordinates, they are coordinates of R's modes; the law compares
        // their 1-D coordinate with i.
        let found = match a.at(r.index(i)?)? {
            Point::Coordinate(at) => {
                let numbers = Some(at.numbers()).filter(|_| at.is_flat())?;
                Point::Integer(index_of(numbers, &r.function.shape())?)
            }
            other => other,
        };
        mismatch_if_known(i, Some(found), Some(Point::Integer(i as isize)))
    })
}

fn same_set(law: &str, a: &BTreeSet<Point>, b: &BTreeSet<Point>) -> Check {
    Check::whole(law, a.len(), a == b)
}

/// `R(i) = A(B(i))`, also with a swizzle for A or B.
fn composed(args: &[Value], r: &Points) -> Option<Check> {
    let apply_left = |index: usize| match &args[0] {
        Value::Swizzle(swizzle) => Some(Point::Integer(swizzle.apply(index) as isize)),
        Value::Layout(layout) => {
            Some(Point::Integer(layout.left_operand().offset_of_index(index) as isize))
        }
        // Other layouts are compared only inside their domain.
        value => Points::of(value).filter(|a| index < a.size)?.at(index),
    };
    if let Value::Swizzle(swizzle) = args[1] {
        return Some(Check::each("R(i) = A(Sw(i))", r.size, |i| {
            mismatch_if_known(i, r.at(i), apply_left(swizzle.apply(i)))
        }));
    }
    if let Value::Tiler(tiler) = &args[1] {
        let shape = args[0].extents().ok()?;
        let inside = (0..tiler.rank()).all(|mode| {
            let (by, size) = (tiler.mode(mode), shape.mode(mode).product());
            by.is_keep()
                || by.as_layout().is_some_and(|by| size.is_ok_and(|size| by.cosize() <= size))
        });
        let (values_a, values_r) = (Points::of(&args[0])?.set()?, r.set()?);
        let law = "each value of the result is a value of A";
        return inside.then(|| Check::whole(law, values_r.len(), values_r.is_subset(&values_a)));
    }
    let b = Points::of(&args[1])?;
    Some(Check::each("R(i) = A(B(i))", r.size, |i| {
        mismatch_if_known(i, r.at(i), apply_left(b.index(i)?))
    }))
}

/// A and B have each offset below `n` at the same coordinate. `None` for a vector of one element,
/// which may be anywhere.
fn common(a: &ComposedLayout, b: &ComposedLayout, n: usize) -> Option<Check> {
    if n <= 1 {
        return None;
    }
    // Nothing is known beyond the points that are checked.
    let all = a.size().max(b.size()) <= MOST_POINTS;
    let place = |layout: &ComposedLayout| {
        let size = layout.size().min(MOST_POINTS);
        let mut coordinates: Vec<_> = (0..size).map(|i| (layout.offset_of_index(i), i)).collect();
        coordinates.sort_unstable();
        coordinates
    };
    let (a, b) = (place(a), place(b));
    let at = |coordinates: &[(usize, usize)], offset: usize| -> BTreeSet<usize> {
        let start = coordinates.partition_point(|place| place.0 < offset);
        coordinates[start..]
            .iter()
            .take_while(|place| place.0 == offset)
            .map(|place| place.1)
            .collect()
    };
    Some(Check::each("A and B have offset i at one coordinate", n, |i| {
        let (in_a, in_b) = (at(&a, i), at(&b, i));
        let is_known = all || (!in_a.is_empty() && !in_b.is_empty());
        (is_known && in_a.is_disjoint(&in_b)).then(|| format!("offset {i}"))
    }))
}

/// The offsets in new elements correspond to the same bits as the offsets in old elements.
fn recast(name: &str, args: &[Value], r: &Points) -> Option<Check> {
    let number = |i: usize| args.get(i).and_then(|arg| arg.integer().ok());
    let (old, new) = match name {
        "upcast" => (1, number(1)?),
        "downcast" => (number(1)?, 1),
        _ => (number(1)?, number(2)?),
    };
    // If neither width divides the other, the cast takes two steps, and each rounds up.
    if old != 0 && new != 0 && !old.is_multiple_of(new) && !new.is_multiple_of(old) {
        return None;
    }
    let a = Points::of(&args[0])?;
    if old == 0 || new == 0 || a.size.checked_mul(old).is_none_or(|bits| bits > MOST_POINTS) {
        return None;
    }
    let mut bits = BTreeSet::new();
    for i in 0..a.size {
        let first = a.index(i)? * old;
        bits.extend((first..first + old).map(|bit| Point::Integer((bit / new) as isize)));
    }
    Some(same_set("the result has the elements that the bits of A are in", &r.set()?, &bits))
}

/// `R(i + size(A) * j) = A(i) + B(j)`
fn sum(law: &str, r: &Points, a: &Points, b: &Points) -> Option<Check> {
    if a.size == 0 || a.function.kind() != "offsets" || b.function.kind() != "offsets" {
        return None;
    }
    if let (Function::Offsets(one), Function::Offsets(other)) = (&a.function, &b.function)
        && (one.as_layout().is_none() || other.as_layout().is_none())
    {
        return None;
    }
    Some(Check::each(law, r.size, |i| {
        let (Some(Point::Integer(one)), Some(Point::Integer(other))) =
            (a.at(i % a.size), b.at(i / a.size))
        else {
            return None;
        };
        mismatch_if_known(i, r.at(i), Some(Point::Integer(one + other)))
    }))
}

/// Operations on plain layouts that reorder or drop modes.
fn modes(name: &str, args: &[Value], result: &Value) -> Option<Check> {
    let (a, r) = (args[0].layout().ok()?, result.layout().ok()?);
    let numbers = |i: usize| args.get(i).and_then(|arg| arg.int_tuple().ok());
    let chosen: Vec<usize> = match name {
        "take" => (numbers(1)?.leaves()[0]..numbers(2)?.leaves()[0]).collect(),
        "transposed" => vec![1, 0],
        "select" | "permute" => numbers(1)?.leaves().to_vec(),
        _ if args.len() == 1 => {
            return same_multiset("the offsets of A, equally often", &r, &a);
        }
        _ => return None,
    };
    if chosen.iter().any(|&mode| mode >= a.rank()) {
        return None;
    }
    let chosen_modes: Vec<DynLayout> = chosen.iter().map(|&mode| a.mode(mode)).collect();
    let law = match name {
        "transposed" => "R(j, i) = A(i, j)",
        _ => "R(c) is the sum of the chosen modes of A",
    };
    Some(mode_sum(law, &r, &chosen_modes))
}

/// The modes of A, with one mode replaced by another layout.
fn replaced(args: &[Value], result: &Value) -> Option<Check> {
    let (a, mode, b) = (args[0].layout().ok()?, args[1].integer().ok()?, args[2].layout().ok()?);
    let modes = (0..a.rank()).map(|i| if i == mode { b } else { a.mode(i) });
    let law = "R(c) is the sum of the modes of A, and of B in its place";
    Some(mode_sum(law, &result.layout().ok()?, &modes.collect::<Vec<_>>()))
}

/// The modes that `slice` drops give the offset of the slice: `dice(A, C)(C) = A(C with _ = 0)`.
fn dice(args: &[Value], result: &Value) -> Option<Check> {
    fn fixed(at: &Slicer, parts: &mut Vec<IntTuple>) {
        if at.keeps() && !at.is_keep() {
            (0..at.rank()).for_each(|mode| fixed(&at.mode(mode), parts));
        } else if !at.keeps() {
            parts.push(at.values());
        }
    }
    let (a, r) = (args[0].layout().ok()?, result.layout().ok()?);
    let at = args[1].coordinate().ok()?;
    let (start, _) = slice_coordinates(&a.shape(), &at)?;
    let mut parts = Vec::new();
    fixed(&at, &mut parts);
    let offset = r.offset_of(&IntTuple::tuple(&parts).ok()?).ok()?;
    Some(Check::whole("dice(A, C)(C) = A(C with _ = 0)", 1, offset == a.offset_of_index(start)))
}

/// `slice(A, C)(k) + A(C with _ = 0) = A(C with _ = k)`; with a swizzle, the offset is inside it.
fn slice(args: &[Value], r: &Points) -> Option<Check> {
    let a = Points::of(&args[0])?;
    let at = args[1].coordinate().ok()?;
    let (start, coordinates) = slice_coordinates(&args[0].extents().ok()?, &at)?;
    if matches!(args[0], Value::Composed(_)) {
        return Some(Check::each("slice(A, C)(k) = A(C with _ = k)", r.size, |k| {
            mismatch_if_known(k, r.at(k), a.at(*coordinates.get(k)?))
        }));
    }
    Some(Check::each("slice(A, C)(k) + A(C with _ = 0) = A(C with _ = k)", r.size, |k| {
        let (Point::Integer(value), Point::Integer(first)) = (r.at(k)?, a.at(start)?) else {
            return None;
        };
        mismatch_if_known(k, Some(Point::Integer(value + first)), a.at(*coordinates.get(k)?))
    }))
}

/// A tile, or the partition of one thread, is a part of `zipped_divide`.
fn part(name: &str, args: &[Value], r: &Points) -> Option<Check> {
    let divided = |tiler: Value| {
        let divide = Operation::find("zipped_divide")?;
        let divided = divide.run(&[args[0].clone(), tiler]).ok()?;
        Some((Points::of(&divided)?, divided.extents().ok()?.mode(0).product().ok()?))
    };
    if name == "local_tile" {
        let at = args[2].coordinate().ok()?;
        let (divided, size) = divided(args[1].clone())?;
        let shape = divided.function.shape().mode(1);
        if at.keeps() {
            return None;
        }
        let tile = shape.crd2idx(&at.values()).ok()?;
        return Some(Check::each("R(t) = zipped_divide(A, T)(t, C)", r.size, |t| {
            mismatch_if_known(t, r.at(t), divided.at(t + size * tile))
        }));
    }
    let (threads, index) = (args[1].layout().ok()?, args[2].integer().ok()?);
    let sizes = (0..threads.rank()).map(|mode| threads.extent(mode)).collect::<Vec<_>>();
    let shape = if threads.shape().is_int() {
        IntTuple::leaf(sizes[0])
    } else {
        IntTuple::flat(&sizes).ok()?
    };
    let (divided, size) = divided(shape.into())?;
    let place = threads.shape().crd2idx(&threads.coordinate_of(index).ok()?).ok()?;
    Some(Check::each("R(k) = zipped_divide(A, shape(T))(t, k) for the thread's t", r.size, |k| {
        mismatch_if_known(k, r.at(k), divided.at(place + size * k))
    }))
}

/// The 1-D coordinate of a slice's first element, and of all its elements in the order of the kept
/// modes.
fn slice_coordinates(shape: &IntTuple, at: &Slicer) -> Option<(usize, Vec<usize>)> {
    let mut coordinates = vec![0];
    let mut step = 1;
    extend_slice(shape, at, &mut step, &mut coordinates)?;
    Some((*coordinates.first()?, coordinates))
}

fn extend_slice(
    shape: &IntTuple,
    at: &Slicer,
    step: &mut usize,
    coordinates: &mut Vec<usize>,
) -> Option<()> {
    let size = shape.product().ok()?;
    if at.is_keep() {
        if coordinates.len().checked_mul(size)? > MOST_POINTS {
            return None;
        }
        *coordinates = (0..size)
            .flat_map(|k| coordinates.iter().map(move |p| (k, *p)))
            .map(|(k, p)| p + k * *step)
            .collect();
        *step *= size;
    } else if !at.keeps() {
        let index = shape.crd2idx(&at.values()).ok()?;
        coordinates.iter_mut().for_each(|place| *place += index * *step);
        *step *= size;
    } else {
        for mode in 0..at.rank() {
            extend_slice(&shape.mode(mode), &at.mode(mode), step, coordinates)?;
        }
    }
    Some(())
}
