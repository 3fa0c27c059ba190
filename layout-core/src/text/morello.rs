//! Morello layouts: the list, and the shape after `for`.

use alloc::vec::Vec;

use crate::engine::{DynLayout, MAX_LEAVES, MorelloLayout};
use crate::error::{LayoutError, MorelloError};
use crate::text::ast::{Expr, Node, Part};
use crate::text::diagnostic::Problems;
use crate::text::eval::{each, int_tuple, report};
use crate::text::token::Span;
use crate::text::wrong_kind;

/// The list of a Morello layout and the place of each part. Checks everything that does not depend
/// on the shape.
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

/// The layout of a list for a literal shape.
pub(super) fn morello_for<S: Span>(
    parts: &[Part<S>],
    shape: &Expr<S>,
    whole: &S,
    problems: &mut Problems<S>,
) -> Option<DynLayout> {
    let list = morello(parts, whole, problems);
    let extents = extents(shape, problems);
    let ((list, places), extents) = (list?, extents?);
    let known: Vec<_> = extents.iter().map(|&(extent, _)| KnownExtent::Number(extent)).collect();
    let places = Places { parts: &places, extents: &extents, whole };
    check_extents(&list, &known, &places, problems)?;
    let extents: Vec<_> = extents.iter().map(|(extent, _)| *extent).collect();
    report(list.for_shape(&extents), whole, problems)
}

/// The extents of the shape after `for`, a flat tuple.
fn extents<S: Span>(shape: &Expr<S>, problems: &mut Problems<S>) -> Option<Vec<(usize, S)>> {
    each(shape_parts(shape, problems)?, |part| match &part.node {
        Node::Tuple(_) => report(Err(not_an_extent("a tuple of integers")), &part.span, problems),
        _ => int_tuple(part, problems).map(|tuple| (tuple.at(0), part.span.clone())),
    })
}

/// The parts of the shape after `for`.
pub fn shape_parts<'e, S: Span>(
    shape: &'e Expr<S>,
    problems: &mut Problems<S>,
) -> Option<&'e [Expr<S>]> {
    let error = match &shape.node {
        Node::Tuple(parts) if !parts.is_empty() => return Some(parts),
        Node::Tuple(_) => LayoutError::EmptyTuple,
        _ => wrong_kind("a tuple of extents, one for each dimension", shape.describe()),
    };
    problems.push(shape.span.clone(), error);
    None
}

/// The error for an extent that is not one integer.
pub const fn not_an_extent(found: &'static str) -> LayoutError {
    wrong_kind("the extent of a dimension, one integer", found)
}

/// Where the parts and the extents of a Morello layout were written.
#[derive(Debug)]
pub struct Places<'a, S, E> {
    /// The physical dimensions.
    pub parts: &'a [S],
    /// The extents.
    pub extents: &'a [(E, S)],
    /// The place of the whole layout.
    pub whole: &'a S,
}

/// How much is known about an extent when the notation is parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownExtent {
    /// Its value.
    Number(usize),
    /// Known, and checked, at compile time.
    Type,
    /// Known at run time only, so a part without a size must take it.
    RunTime,
}

/// Checks a list against a shape, dimension by dimension.
pub fn check_extents<S: Span, E>(
    list: &MorelloLayout,
    shape: &[KnownExtent],
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
            KnownExtent::Number(extent) => list.divide(dimension, *extent, &mut [1; MAX_LEAVES]),
            KnownExtent::RunTime if !list.takes_rest(dimension) => {
                Err((None, MorelloError::RunTimeUncovered { dimension }))
            }
            KnownExtent::Type | KnownExtent::RunTime => Ok(()),
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
