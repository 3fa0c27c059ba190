//! `complement`: the gaps between strides, from the smallest stride up.

use std::collections::HashSet;

use layout_core::engine::{DynLayout, IntTuple, algebra};

use super::{Check, Derived, MOST_POINTS, Steps, leaves, of_modes};

const RULE: &str = "complement";

/// The complement up to a cotarget, a number or a shape.
pub(super) fn complement(steps: &mut Steps, a: &DynLayout, cotarget: &IntTuple) -> Derived {
    let (ordered, covered) = gaps(steps, a)?;
    let result = algebra::complement(a, cotarget);
    let result = steps.explain_error(RULE, result, |error| format!("It ends here: {error}."))?;
    let size = cotarget.product().unwrap_or(usize::MAX);
    // The factor beyond the gaps: how often they repeat.
    let repeats = result.size() / gap_count(&ordered);
    let up_to =
        if cotarget.is_int() { size.to_string() } else { format!("{cotarget} of size {size}") };
    let sentence = if repeats > 1 {
        format!(
            "Up to {up_to} the {covered} that are covered so far repeat {repeats} times: mode \
             {repeats}:{covered}. Coalesced, all is {result}."
        )
    } else {
        format!("Up to {up_to} nothing is left to repeat: {result}.")
    };
    steps.step(RULE, sentence, result).check(disjoint("A(i) + C(j)", a, &result));
    Ok(result)
}

/// The gaps below each stride: the modes with a non-zero stride sorted by stride, and the range
/// that all cover.
pub(super) fn gaps(steps: &mut Steps, a: &DynLayout) -> Derived<(Vec<DynLayout>, usize)> {
    if a.size() == 0 {
        let none = algebra::complement(a, &IntTuple::leaf(1));
        let message = |_: &_| "An extent of 0 leaves no offset, and no complement.".to_owned();
        return steps.explain_error(RULE, none, message).map(|_| (Vec::new(), 1));
    }
    let mut moving: Vec<_> =
        leaves(a).filter(|leaf| leaf.extents()[0] != 1 && leaf.strides()[0] > 0).collect();
    moving.sort_by_key(|leaf| leaf.strides()[0]);
    let ordered = of_modes(&moving)?;
    let sentence = match moving.len() {
        0 => "No mode moves: nothing is covered but offset 0.".to_owned(),
        _ => format!("The modes that move, by increasing stride: {ordered}."),
    };
    let check = same_value_set("A and its modes by stride have the same offsets", a, &ordered);
    let step = steps.step(RULE, sentence, ordered);
    if let Some(check) = check {
        step.check(check);
    }
    let mut covered = 1usize;
    for k in 0..moving.len() {
        let (extent, stride) = (moving[k].extents()[0], moving[k].strides()[0]);
        let part = of_modes(&moving[..=k])?;
        let covered_end = extent.saturating_mul(stride);
        // The complement up to the covered range consists of the gaps alone.
        let gaps = algebra::complement(&part, &IntTuple::leaf(covered_end));
        let gaps = steps.explain_error(RULE, gaps, |error| {
            if stride < covered {
                format!(
                    "Mode {} has a stride of {stride}, and the modes before cover {covered}: \
                     {stride} < {covered}, so that offsets overlap.",
                    moving[k]
                )
            } else {
                format!("Mode {}: {error}.", moving[k])
            }
        })?;
        let copies = stride / covered;
        let sentence = if copies == 1 {
            format!(
                "Mode {}: the modes before cover {covered} = its stride, which leaves no gap. Both \
                 cover {extent}*{stride} = {covered_end}.",
                moving[k]
            )
        } else {
            let rounded = if stride.is_multiple_of(covered) { "" } else { ", rounded down" };
            format!(
                "Mode {}: below its stride {stride} there is room for {stride}/{covered} = \
                 {copies} times what is covered{rounded}: mode {copies}:{covered}. Both cover \
                 {extent}*{stride} = {covered_end}.",
                moving[k]
            )
        };
        steps.step(RULE, sentence, gaps).check(disjoint(
            "A(i) + C(j), modes so far,",
            &part,
            &gaps,
        ));
        covered = covered_end;
    }
    Ok((moving, covered))
}

/// Number of elements of all gaps together.
fn gap_count(ordered: &[DynLayout]) -> usize {
    let (mut count, mut covered) = (1, 1);
    for mode in ordered {
        count *= mode.strides()[0] / covered;
        covered = mode.extents()[0].saturating_mul(mode.strides()[0]);
    }
    count
}

/// The sums of values of the two layouts differ, unless both summands are equal.
pub(super) fn disjoint(sum: &str, a: &DynLayout, c: &DynLayout) -> Check {
    let law = format!("{sum} differ for different values of A and C");
    let values = |layout: &DynLayout| {
        let mut values: Vec<_> =
            (0..layout.size().min(MOST_POINTS)).map(|i| layout.offset_of_index(i)).collect();
        values.sort_unstable();
        values.dedup();
        values
    };
    let (values_a, values_c) = (values(a), values(c));
    let of = a.size().saturating_mul(c.size());
    let mut seen = HashSet::new();
    let mut points = 0;
    for first in &values_a {
        for second in &values_c {
            if points == MOST_POINTS {
                return Check { law, points, of, failure: None };
            }
            points += 1;
            if !seen.insert(first + second) {
                let failure = Some(format!("{first} + {second} occurs twice"));
                return Check { law, points, of, failure };
            }
        }
    }
    // Repeated values count as points too.
    let points = if of <= MOST_POINTS { of } else { points };
    Check { law, points, of, failure: None }
}

/// Both have the same set of offsets. `None` if a layout has more points than a check looks at.
pub(super) fn same_value_set(law: &str, a: &DynLayout, b: &DynLayout) -> Option<Check> {
    if a.size() > MOST_POINTS || b.size() > MOST_POINTS {
        return None;
    }
    let set = |layout: &DynLayout| layout.table().collect::<HashSet<_>>();
    Some(Check::whole(law, a.size(), set(a) == set(b)))
}
