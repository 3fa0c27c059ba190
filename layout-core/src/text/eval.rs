//! From a syntax tree in which every number is written out to a value.

use alloc::vec::Vec;

use crate::engine::{DynLayout, IntTuple, MAX_LEAVES, MorelloLayout, Tiler};
use crate::error::{LayoutError, MorelloError, NotationError};
use crate::text::ast::{Expr, Node, Part};
use crate::text::diagnostic::Problems;
use crate::text::operations::Operation;
use crate::text::token::Span;
use crate::text::value::{Kind, Value};
use crate::word::Word;

/// The value of `expr`; `None` when `problems` has grown by what is wrong.
pub fn eval_expr<S: Span>(expr: &Expr<S>, problems: &mut Problems<S>) -> Option<Value> {
    let fail = |problems: &mut Problems<S>, error: NotationError| {
        problems.push(expr.span.clone(), error);
        None
    };
    match &expr.ungrouped().node {
        Node::Integer(n) => Some(Value::Integer(*n)),
        Node::Tuple(_) => int_tuple(expr.ungrouped(), problems).map(Value::IntTuple),
        Node::Pair(shape, stride) => pair(shape, stride, &expr.span, problems).map(Value::Layout),
        Node::Tiler(parts) => tiler(parts, &expr.span, problems).map(Value::Tiler),
        Node::Compose(factors) => {
            let mut factors = factors.iter();
            let first = factors.next()?;
            let mut value = eval_expr(first, problems).map(|value| (value, first.span.clone()));
            for factor in factors {
                let right = eval_expr(factor, problems);
                let (Some((left, place)), Some(right)) = (value.take(), right) else { continue };
                let operation = Operation::find("composition")?;
                let args = [(left, place.clone()), (right, factor.span.clone())];
                let whole = place.to(&factor.span);
                value = apply(operation, &args, &whole, problems).map(|value| (value, whole));
            }
            value.map(|(value, _)| value)
        }
        Node::Call(name, place, args) => {
            let operation = find_operation(name, place, args.len(), problems);
            let args: Vec<_> = args
                .iter()
                .map(|arg| Some((eval_expr(arg, problems)?, arg.span.clone())))
                .collect();
            let args: Vec<_> = args.into_iter().collect::<Option<_>>()?;
            apply(operation?, &args, &expr.span, problems)
        }
        Node::Morello(parts, None) => {
            morello(parts, &expr.span, problems).map(|(list, _)| Value::Morello(list))
        }
        Node::Morello(parts, Some(shape)) => {
            let list = morello(parts, &expr.span, problems);
            let extents = extents(shape, problems);
            let ((list, places), extents) = (list?, extents?);
            let known: Vec<_> = extents.iter().map(|&(extent, _)| Some(extent)).collect();
            let places = Places { parts: &places, extents: &extents, whole: &expr.span };
            check_extents(&list, &known, &places, problems)?;
            let extents: Vec<_> = extents.iter().map(|(extent, _)| *extent).collect();
            report(list.for_shape(&extents), &expr.span, problems).map(Value::Layout)
        }
        Node::Hole => fail(problems, NotationError::HoleInText),
        Node::Name(name, _) => fail(problems, NotationError::NameInText { name: Word::new(name) }),
        Node::Value(_) | Node::Type(_) => {
            fail(problems, NotationError::NameInText { name: Word::new("{..}") })
        }
    }
}

/// Turns an error of the engine into a problem at `place`.
pub fn report<T, S: Span>(
    result: Result<T, LayoutError>,
    place: &S,
    problems: &mut Problems<S>,
) -> Option<T> {
    result.map_err(|error| problems.push(place.clone(), error)).ok()
}

/// The operation of this name, if it takes this number of arguments.
pub fn find_operation<S: Span>(
    name: &str,
    place: &S,
    found: usize,
    problems: &mut Problems<S>,
) -> Option<&'static Operation> {
    let Some(operation) = Operation::find(name) else {
        let (name, similar) = (Word::new(name), Operation::similar(name));
        problems.push(place.clone(), NotationError::UnknownOperation { name, similar });
        return None;
    };
    let (least, most) = (operation.least, operation.params.len());
    if found < least || found > most {
        let operation = operation.name;
        problems
            .push(place.clone(), NotationError::ArgumentCount { operation, least, most, found });
        return None;
    }
    Some(operation)
}

/// The operation on arguments of the right number.
fn apply<S: Span>(
    operation: &Operation,
    args: &[(Value, S)],
    whole: &S,
    problems: &mut Problems<S>,
) -> Option<Value> {
    let mut fits = true;
    for ((value, place), &kind) in args.iter().zip(operation.params) {
        fits &= report(check_kind(value, kind), place, problems).is_some();
    }
    if !fits {
        return None;
    }
    let values: Vec<_> = args.iter().map(|(value, _)| *value).collect();
    report(operation.run(&values), whole, problems)
}

/// Whether `value` can be an argument of this kind.
///
/// # Errors
///
/// [`NotationError::Kind`], [`NotationError::AmbiguousTiler`], [`NotationError::ShapeNeeded`], and
/// an overflow of a shape that stands for a layout.
pub fn check_kind(value: &Value, kind: Kind) -> Result<(), LayoutError> {
    match kind {
        Kind::Layout => value.layout().map(drop),
        Kind::IntTuple | Kind::Cotarget => value.int_tuple().map(drop),
        Kind::Tiler => value.tiler().map(drop),
    }
}

/// The integers of a tuple; what is no integer is a problem.
fn int_tuple<S: Span>(expr: &Expr<S>, problems: &mut Problems<S>) -> Option<IntTuple> {
    match &expr.node {
        Node::Integer(n) => Some(IntTuple::leaf(*n)),
        Node::Tuple(parts) if parts.is_empty() => {
            problems.push(expr.span.clone(), LayoutError::EmptyTuple);
            None
        }
        Node::Tuple(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| int_tuple(part, problems)).collect();
            let parts: Vec<_> = parts.into_iter().collect::<Option<_>>()?;
            report(IntTuple::tuple(&parts), &expr.span, problems)
        }
        // These have problems of their own.
        Node::Hole | Node::Name(..) | Node::Value(_) | Node::Type(_) => {
            eval_expr(expr, problems);
            None
        }
        _ => {
            let value = eval_expr(expr, problems)?;
            report(value.int_tuple(), &expr.span, problems)
        }
    }
}

/// `shape:stride`
fn pair<S: Span>(
    shape: &Expr<S>,
    stride: &Expr<S>,
    whole: &S,
    problems: &mut Problems<S>,
) -> Option<DynLayout> {
    let (extents, steps) = (int_tuple(shape, problems), int_tuple(stride, problems));
    let (extents, steps) = (extents?, steps?);
    check_congruent(shape, stride, problems)?;
    report(DynLayout::new(&extents, &steps), whole, problems)
}

/// Whether a shape and a stride are nested in the same way; each place where they are not is a
/// problem of its own.
pub fn check_congruent<S: Span>(
    shape: &Expr<S>,
    stride: &Expr<S>,
    problems: &mut Problems<S>,
) -> Option<()> {
    let error = match (&shape.node, &stride.node) {
        (Node::Tuple(extents), Node::Tuple(steps)) if extents.len() == steps.len() => {
            let mut congruent = Some(());
            for (extent, step) in extents.iter().zip(steps) {
                congruent = congruent.and(check_congruent(extent, step, problems));
            }
            return congruent;
        }
        (Node::Tuple(_), Node::Tuple(_)) => {
            let (shape, stride) = (outline(shape)?, outline(stride)?);
            LayoutError::StrideRank { shape, stride }
        }
        (Node::Tuple(_), _) | (_, Node::Tuple(_)) => {
            let (shape, stride) = (outline(shape)?, outline(stride)?);
            LayoutError::StrideNesting { shape, stride }
        }
        _ => return Some(()),
    };
    problems.push(stride.span.clone(), error);
    None
}

/// A tuple as an error shows it: leaves that are known later have the value that prints as `_`.
pub fn outline<S>(expr: &Expr<S>) -> Option<IntTuple> {
    match &expr.node {
        Node::Integer(n) => Some(IntTuple::leaf(*n)),
        Node::Tuple(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(outline).collect();
            IntTuple::tuple(&parts?).ok()
        }
        _ => Some(IntTuple::leaf(usize::MAX)),
    }
}

/// `<a, b>`
fn tiler<S: Span>(parts: &[Expr<S>], whole: &S, problems: &mut Problems<S>) -> Option<Tiler> {
    let mut modes = Vec::new();
    for part in parts {
        modes.push(match &part.node {
            Node::Hole => Some(Tiler::keep()),
            _ => eval_expr(part, problems)
                .and_then(|value| report(value.tiler(), &part.span, problems)),
        });
    }
    let modes: Vec<_> = modes.into_iter().collect::<Option<_>>()?;
    report(Tiler::modes(&modes), whole, problems)
}

/// The list of a Morello layout and the place of each part, checked for what no shape can repair.
pub fn morello<S: Span>(
    parts: &[Part<S>],
    whole: &S,
    problems: &mut Problems<S>,
) -> Option<(MorelloLayout, Vec<S>)> {
    let dims: Vec<_> = parts.iter().map(|part| (part.dimension, part.kind)).collect();
    let list = report(MorelloLayout::unchecked(&dims), whole, problems)?;
    let mut sound = true;
    for (i, part) in parts.iter().enumerate() {
        if let Some(error) = list.part_error(i) {
            problems.push(part.span.clone(), error);
            sound = false;
        }
    }
    sound.then(|| (list, parts.iter().map(|part| part.span.clone()).collect()))
}

/// The extents of a shape after `for`, which is a flat tuple.
fn extents<S: Span>(shape: &Expr<S>, problems: &mut Problems<S>) -> Option<Vec<(usize, S)>> {
    let mut extents = Vec::new();
    for part in shape_parts(shape, problems)? {
        extents.push(match &part.node {
            Node::Tuple(_) => {
                report(Err(not_an_extent("a tuple of integers")), &part.span, problems)
            }
            _ => int_tuple(part, problems).map(|tuple| (tuple.at(0), part.span.clone())),
        });
    }
    extents.into_iter().collect()
}

/// The parts of the shape after `for`.
pub fn shape_parts<'e, S: Span>(
    shape: &'e Expr<S>,
    problems: &mut Problems<S>,
) -> Option<&'e [Expr<S>]> {
    let error = match &shape.node {
        Node::Tuple(parts) if !parts.is_empty() => return Some(parts),
        Node::Tuple(_) => LayoutError::EmptyTuple,
        _ => {
            let expected = "a tuple of extents, one for each dimension";
            NotationError::Kind { expected, found: shape.describe() }.into()
        }
    };
    problems.push(shape.span.clone(), error);
    None
}

/// The extent of a dimension is one integer.
pub const fn not_an_extent(found: &'static str) -> LayoutError {
    let expected = "the extent of a dimension, one integer";
    LayoutError::Notation(NotationError::Kind { expected, found })
}

/// Where the parts and the extents of a Morello layout were written.
#[derive(Debug)]
pub struct Places<'a, S, E> {
    /// The physical dimensions.
    pub parts: &'a [S],
    /// The extents.
    pub extents: &'a [(E, S)],
    /// All of it.
    pub whole: &'a S,
}

/// Checks a list against a shape, dimension by dimension; `None` stands for an extent known at run
/// time, which some part without a size has to take.
pub fn check_extents<S: Span, E>(
    list: &MorelloLayout,
    shape: &[Option<usize>],
    places: &Places<'_, S, E>,
    problems: &mut Problems<S>,
) -> Option<()> {
    let mut sound = true;
    for (i, &(dimension, _)) in list.dims().iter().enumerate() {
        if dimension >= shape.len() {
            let rank = shape.len();
            let error = MorelloError::DimensionOutOfRank { dimension, rank };
            problems.push(places.parts[i].clone(), error);
            sound = false;
        }
    }
    for (dimension, extent) in shape.iter().enumerate() {
        let result = match extent {
            Some(extent) => list.divide(dimension, *extent, &mut [1; MAX_LEAVES]),
            None if list.takes_rest(dimension) => Ok(()),
            None => Err((None, MorelloError::RunTimeUncovered { dimension })),
        };
        if let Err((part, error)) = result {
            let place = match part {
                Some(part) => &places.parts[part],
                None => &places.extents[dimension].1,
            };
            problems.push(place.clone(), error);
            sound = false;
        }
    }
    sound.then_some(())
}
