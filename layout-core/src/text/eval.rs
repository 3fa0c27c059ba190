//! Evaluates a syntax tree without names or Rust expressions.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::devices::spyre::spyre;
use crate::engine::{
    ComposedLayout, CoordinateLayout, DynLayout, IntTuple, MAX_LEAVES, SignedTuple, Slicer,
    Swizzle, Tiler, Vector,
};
use crate::error::{LayoutError, NotationError};
use crate::excerpt::Excerpt;
use crate::text::ast::{Expr, Node};
use crate::text::culprit::Arguments;
use crate::text::diagnostic::{Application, Problems};
use crate::text::list::List;
use crate::text::morello::{morello, morello_for};
use crate::text::open::OpenLayout;
use crate::text::operations::Operation;
use crate::text::token::Span;
use crate::text::value::{Kind, Value};

/// The value of `expr`; `None` if errors were added to `problems`.
pub fn eval_expr<S: Span>(expr: &Expr<S>, problems: &mut Problems<S>) -> Option<Value> {
    let fail = |problems: &mut Problems<S>, error: NotationError| {
        problems.push(expr.span.clone(), error);
        None
    };
    match &expr.ungrouped().node {
        Node::Pair(..) | Node::At(..) if expr.ungrouped().has_unknown() => {
            open(expr.ungrouped(), problems).map(|layout| Value::Open(Box::new(layout)))
        }
        Node::Unknown => fail(problems, NotationError::RunTimeLeaf),
        Node::Integer(n) => Some(Value::Integer(*n)),
        Node::Step(_) => signed(expr.ungrouped(), problems).map(Value::from),
        Node::Tuple(_) if expr.has_sign() => signed(expr, problems).map(Value::from),
        Node::Tuple(_) => int_tuple(expr.ungrouped(), problems).map(Value::IntTuple),
        Node::Pair(shape, stride) if stride.has_sign() => {
            signed_pair(shape, stride, &expr.span, problems).map(Value::from)
        }
        Node::Pair(shape, stride) => pair(shape, stride, &expr.span, problems).map(Value::Layout),
        Node::At(layout, offset) => at(layout, offset, problems),
        Node::List(items) => {
            let items = each(items, |item| signed(item, problems))?;
            Some(Value::List(List::written(items)))
        }
        Node::Tiler(parts) => tiler(parts, &expr.span, problems).map(Value::Tiler),
        Node::Swizzle(bits, base, shift) => {
            report(Swizzle::new(*bits, *base, *shift), &expr.span, problems).map(Value::Swizzle)
        }
        Node::Compose(factors) => compose(factors, problems),
        Node::Call(name, place, args) => {
            let operation = find_operation(name, place, args.len(), problems);
            let mut values = Vec::with_capacity(args.len());
            let mut sound = true;
            for (i, arg) in args.iter().enumerate() {
                let kind = operation.map(|operation| operation.params[i]);
                match argument(arg, kind, problems) {
                    Some(value) => values.push(value),
                    None => sound = false,
                }
            }
            let operation = operation.filter(|_| sound)?;
            let args: Vec<_> = args.iter().map(Some).collect();
            apply(operation, &values, &args, &expr.span, problems)
        }
        Node::Morello(parts, None) => {
            morello(parts, &expr.span, problems).map(|(list, _)| Value::Morello(list))
        }
        Node::Morello(parts, Some(shape)) => {
            morello_for(parts, shape, &expr.span, problems).map(Value::Layout)
        }
        Node::Spyre(fields) => spyre(fields, &expr.span, problems),
        Node::Tenstorrent(layout) => Some(Value::Tenstorrent(layout.clone())),
        Node::Linear(layout) => Some(Value::Linear(layout.clone())),
        Node::Hole => fail(problems, NotationError::HoleInText),
        Node::Name(name, _) if name == "true" || name == "false" => {
            Some(Value::Truth(name == "true"))
        }
        Node::Name(name, _) => {
            fail(problems, NotationError::NameInText { name: Excerpt::new(name) })
        }
        Node::Value(_) | Node::Type(_) => {
            fail(problems, NotationError::NameInText { name: Excerpt::new("{..}") })
        }
    }
}

/// A layout with `?` in it.
fn open<S: Span>(expr: &Expr<S>, problems: &mut Problems<S>) -> Option<OpenLayout> {
    match &expr.ungrouped().node {
        Node::Pair(shape, stride) => {
            check_congruent(shape, stride, problems)?;
            let (shape, stride) = (open_tuple(shape, problems), open_tuple(stride, problems));
            Some(OpenLayout { shape: shape?, stride: stride?, offset: Some(0) })
        }
        Node::At(layout, offset) => {
            let (layout, offset) = (open(layout, problems), open_tuple(offset, problems));
            let offset = match offset? {
                offset if offset.keeps() => None,
                offset => Some(report(Value::from(offset).integer(), &expr.span, problems)?),
            };
            Some(OpenLayout { offset, ..layout? })
        }
        _ => {
            let layout = report(eval_expr(expr, problems)?.layout(), &expr.span, problems)?;
            let (shape, stride) = (Slicer::at(&layout.shape()), Slicer::at(&layout.stride()));
            Some(OpenLayout { shape, stride, offset: Some(0) })
        }
    }
}

/// Refuses a tuple with more parts than a layout can hold, before its parts are evaluated.
fn check_count<S: Span>(parts: usize, place: &S, problems: &mut Problems<S>) -> Option<()> {
    let error = LayoutError::TooManyLeaves { limit: MAX_LEAVES };
    report(if parts > MAX_LEAVES { Err(error) } else { Ok(()) }, place, problems)
}

/// A tuple with `?` in it.
fn open_tuple<S: Span>(expr: &Expr<S>, problems: &mut Problems<S>) -> Option<Slicer> {
    match &expr.node {
        Node::Unknown => Some(Slicer::keep()),
        Node::Tuple(parts) if parts.iter().any(Expr::has_unknown) => {
            check_count(parts.len(), &expr.span, problems)?;
            let parts = each(parts, |part| open_tuple(part, problems))?;
            report(Slicer::modes(&parts), &expr.span, problems)
        }
        _ => int_tuple(expr, problems).map(|numbers| Slicer::at(&numbers)),
    }
}

/// An argument where `kind` is expected. `kind` is unknown if the operation is unknown.
fn argument<S: Span>(
    arg: &Expr<S>,
    kind: Option<Kind>,
    problems: &mut Problems<S>,
) -> Option<Value> {
    match (kind, &arg.node) {
        (Some(kind), Node::Hole) if kind.may_keep() => Some(Value::Tiler(Tiler::keep())),
        (None | Some(Kind::Slicer | Kind::Leaves), Node::Hole | Node::Tuple(_))
            if arg.is_int_tuple() =>
        {
            coordinate(arg, problems).map(Value::from)
        }
        _ => eval_expr(arg, problems),
    }
}

/// A coordinate: integers, and `_` for the modes to keep.
pub(crate) fn coordinate<S: Span>(expr: &Expr<S>, problems: &mut Problems<S>) -> Option<Slicer> {
    match &expr.node {
        Node::Hole => Some(Slicer::keep()),
        Node::Tuple(parts) if parts.iter().any(has_hole) => {
            check_count(parts.len(), &expr.span, problems)?;
            let parts = each(parts, |part| coordinate(part, problems))?;
            report(Slicer::modes(&parts), &expr.span, problems)
        }
        _ => {
            let value = eval_expr(expr, problems)?;
            report(value.coordinate(), &expr.span, problems)
        }
    }
}

/// A value for each part, or `None` if a part has an error. All parts are evaluated, to report all
/// errors.
pub(crate) fn each<'e, P, T>(
    parts: &'e [P],
    mut value: impl FnMut(&'e P) -> Option<T>,
) -> Option<Vec<T>> {
    let (mut values, mut sound) = (Vec::with_capacity(parts.len()), true);
    for part in parts {
        match value(part) {
            Some(value) => values.push(value),
            None => sound = false,
        }
    }
    sound.then_some(values)
}

pub(super) fn has_hole<S>(expr: &Expr<S>) -> bool {
    match &expr.node {
        Node::Hole => true,
        Node::Tuple(parts) => parts.iter().any(has_hole),
        _ => false,
    }
}

/// `A o B o C`, left-associative. After a swizzle, an integer that is followed by another factor is
/// an offset.
fn compose<S: Span>(factors: &[Expr<S>], problems: &mut Problems<S>) -> Option<Value> {
    let operation = Operation::find("composition")?;
    // `A o _` is A. Only a first factor must be a layout.
    let mut first = true;
    let values = each(factors, |factor| match factor.node {
        Node::Hole if !first => Some(Value::Tiler(Tiler::keep())),
        _ => {
            first = false;
            eval_expr(factor, problems)
        }
    })?;
    let (mut value, mut whole) = (values.first()?.clone(), factors[0].span.clone());
    let mut i = 1;
    while i < values.len() {
        let (mut right, place) = (values[i].clone(), &factors[i].span);
        if let (Value::Swizzle(swizzle), Node::Integer(offset)) = (&value, &factors[i].node)
            && let (Some(layout), Some(factor)) = (values.get(i + 1), factors.get(i + 1))
        {
            let layout = report(layout.layout(), &factor.span, problems)?;
            whole = whole.to(&factor.span);
            let composed = ComposedLayout::new(swizzle, *offset, &layout);
            value = report(composed, &whole, problems)?.into();
            i += 2;
            continue;
        }
        if let Value::IntTuple(shape) = right {
            if !matches!(value, Value::Swizzle(_)) {
                // CuTe applies it mode by mode, but here it would read as a layout.
                problems.push(place.clone(), NotationError::AmbiguousTiler { shape });
                return None;
            }
            right = Value::Layout(report(right.layout(), place, problems)?);
        }
        let all = whole.to(place);
        // The left operand is an expression of its own only in the first iteration.
        let args = [(i == 1).then_some(&factors[0]), Some(&factors[i])];
        value = apply(operation, &[value, right], &args, &all, problems)?;
        whole = all;
        i += 1;
    }
    Some(value)
}

/// Converts an error of the engine to a problem at `place`.
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
        let (name, similar) = (Excerpt::new(name), Operation::similar(name));
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

/// Applies the operation to the right number of arguments. `args` are the expressions of the values.
fn apply<S: Span>(
    operation: &'static Operation,
    values: &[Value],
    args: &[Option<&Expr<S>>],
    whole: &S,
    problems: &mut Problems<S>,
) -> Option<Value> {
    let mut fits = true;
    for ((value, &kind), arg) in values.iter().zip(operation.params).zip(args) {
        let place = arg.map_or(whole, |arg| &arg.span);
        fits &= report(check_kind(value, kind), place, problems).is_some();
    }
    if !fits {
        return None;
    }
    // Operations that are defined for layouts only: a linear layout is converted to the layout that
    // it is.
    let mut layouts = Vec::new();
    if values.iter().any(|value| matches!(value, Value::Linear(_))) {
        for (value, &kind) in values.iter().zip(operation.params) {
            let is_taken =
                matches!(kind, Kind::Linear | Kind::Mapping | Kind::Function | Kind::Inner);
            let layout = if is_taken { Ok(value.clone()) } else { value.to_cute() };
            layouts.push(report(layout, whole, problems)?);
        }
    }
    let values = if layouts.is_empty() { values } else { &layouts[..] };
    let result = operation.run(values);
    problems.applied(|| Application {
        operation,
        place: whole.clone(),
        arguments: values.to_vec(),
        result: result.clone(),
    });
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            let culprit = Arguments { operation, args }.culprit(&error);
            problems.push(culprit.unwrap_or_else(|| whole.clone()), error);
            None
        }
    }
}

/// Whether `value` can be an argument of this kind.
///
/// # Errors
///
/// [`NotationError::Kind`], [`NotationError::ShapeNeeded`], and an overflow of a shape that stands
/// for a layout.
pub fn check_kind(value: &Value, kind: Kind) -> Result<(), LayoutError> {
    match kind {
        // Checked without a copy of the layout.
        _ if kind.is_layout() && matches!(value, Value::Layout(_)) => Ok(()),
        Kind::Layout => value.layout().map(drop),
        Kind::IntTuple => value.int_tuple().map(drop),
        Kind::Tiler => value.tiler().map(drop),
        Kind::Linear | Kind::Mapping | Kind::Function | Kind::Inner
            if matches!(value, Value::Linear(_)) =>
        {
            Ok(())
        }
        _ if kind.is_layout() && matches!(value, Value::Linear(_)) => {
            check_kind(&value.to_cute()?, kind)
        }
        Kind::Linear => match value {
            Value::Swizzle(_) => Ok(()),
            _ => value.domain().map(drop),
        },
        Kind::Domain | Kind::Mapping => value.domain().map(drop),
        Kind::Strided => value.strided().map(drop),
        Kind::Offsets => value.composed().map(drop),
        Kind::Leaves => match value {
            Value::Slicer(_) | Value::Signed(_) => Ok(()),
            _ if value.domain().is_ok() => Ok(()),
            _ => Err(value.is_not(Kind::Leaves)),
        },
        Kind::Extents => value.extents().map(drop),
        Kind::Function => match value {
            Value::Swizzle(_) => Ok(()),
            _ => value.domain().map(drop),
        },
        Kind::Inner => match value {
            Value::Swizzle(_) | Value::Composed(_) | Value::Coordinates(_) => Ok(()),
            _ => value.tiler().map(drop),
        },
        Kind::Integer => value.integer().map(drop),
        Kind::Slicer => value.coordinate().map(drop),
        Kind::Swizzle => value.swizzle().map(drop),
        Kind::Morello => value.morello().map(drop),
    }
}

/// The integers of a tuple. Anything else is reported as a problem.
pub(super) fn int_tuple<S: Span>(expr: &Expr<S>, problems: &mut Problems<S>) -> Option<IntTuple> {
    match &expr.node {
        Node::Integer(n) => Some(IntTuple::leaf(*n)),
        Node::Tuple(parts) if parts.is_empty() => {
            problems.push(expr.span.clone(), LayoutError::EmptyTuple);
            None
        }
        Node::Tuple(parts) => {
            check_count(parts.len(), &expr.span, problems)?;
            let parts = each(parts, |part| int_tuple(part, problems))?;
            report(IntTuple::tuple(&parts), &expr.span, problems)
        }
        Node::Step(_) => {
            problems.push(expr.span.clone(), NotationError::Negative);
            None
        }
        _ => {
            let value = eval_expr(expr, problems)?;
            report(value.int_tuple(), &expr.span, problems)
        }
    }
}

/// The integers of a tuple, which may be negative.
fn signed<S: Span>(expr: &Expr<S>, problems: &mut Problems<S>) -> Option<SignedTuple> {
    match &expr.node {
        Node::Step(step) => {
            let (expected, found) = ("a number", "a stride with a direction");
            let error = NotationError::Kind { expected, found };
            let integer = step.as_integer().ok_or(error.into());
            report(integer.map(SignedTuple::integer), &expr.span, problems)
        }
        Node::Tuple(parts) if !parts.is_empty() => {
            check_count(parts.len(), &expr.span, problems)?;
            let parts = each(parts, |part| signed(part, problems))?;
            report(SignedTuple::tuple(&parts), &expr.span, problems)
        }
        _ => int_tuple(expr, problems).map(SignedTuple::from),
    }
}

/// `shape:stride` where a stride is negative or has a direction.
fn signed_pair<S: Span>(
    shape: &Expr<S>,
    stride: &Expr<S>,
    whole: &S,
    problems: &mut Problems<S>,
) -> Option<CoordinateLayout> {
    let mut steps = Vec::new();
    let (extents, sound) = (int_tuple(shape, problems), strides(stride, &mut steps, problems));
    let extents = extents?;
    sound?;
    check_congruent(shape, stride, problems)?;
    report(CoordinateLayout::new(&extents, &steps), whole, problems)
}

/// The strides at the leaves of a tuple, left to right.
fn strides<S: Span>(
    expr: &Expr<S>,
    steps: &mut Vec<Vector>,
    problems: &mut Problems<S>,
) -> Option<()> {
    match &expr.node {
        Node::Step(step) => steps.push(**step),
        Node::Tuple(parts) if !parts.is_empty() => {
            check_count(parts.len(), &expr.span, problems)?;
            let mut sound = Some(());
            for part in parts {
                sound = strides(part, steps, problems).and(sound);
            }
            return sound;
        }
        _ => {
            let numbers = int_tuple(expr, problems)?;
            steps.extend(numbers.leaves().iter().map(|&n| Vector::number(n)));
        }
    }
    Some(())
}

/// `layout @ offset`
fn at<S: Span>(layout: &Expr<S>, offset: &Expr<S>, problems: &mut Problems<S>) -> Option<Value> {
    let (value, start) = (eval_expr(layout, problems), signed(offset, problems));
    let (value, start) = (value?, start?);
    let layout = report(value.strided(), &layout.span, problems)?.coordinates();
    let moves = (0..layout.len()).any(|i| !layout.stride_at(i).is_zero());
    if moves && layout.has_integers() != start.as_integer().is_some() {
        let found = if layout.has_integers() { "a coordinate" } else { "an integer" };
        let expected = "an offset of the same kind as the layout's values";
        problems.push(offset.span.clone(), NotationError::Kind { expected, found });
        return None;
    }
    Some((layout, start).into())
}

/// Reports each negative or directional stride in a value that must be a layout in memory.
pub fn refuse_steps<S: Span>(expr: &Expr<S>, problems: &mut Problems<S>) -> Option<()> {
    let mut sound = Some(());
    expr.for_each_step(&mut |step, in_stride| {
        let error = if in_stride { NotationError::SignedStride } else { NotationError::Negative };
        problems.push(step.span.clone(), error);
        sound = None;
    });
    sound
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

/// Whether a shape and a stride are nested in the same way. Each place where they differ is a
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

/// A tuple as an error shows it: leaves that are not known yet have the value that prints as `_`.
pub fn outline<S>(expr: &Expr<S>) -> Option<IntTuple> {
    match &expr.node {
        Node::Integer(n) => Some(IntTuple::leaf(*n)),
        Node::Tuple(parts) => IntTuple::tuple(&each(parts, outline)?).ok(),
        _ => Some(IntTuple::leaf(usize::MAX)),
    }
}

/// `<a, b>`
fn tiler<S: Span>(parts: &[Expr<S>], whole: &S, problems: &mut Problems<S>) -> Option<Tiler> {
    check_count(parts.len(), whole, problems)?;
    let modes = each(parts, |part| match &part.node {
        Node::Hole => Some(Tiler::keep()),
        _ => report(eval_expr(part, problems)?.tiler(), &part.span, problems),
    })?;
    report(Tiler::modes(&modes), whole, problems)
}
