//! `coalesce`: merges adjacent leaves, one leaf at a time.

use layout_core::engine::{DynLayout, IntTuple, algebra};

use super::{Check, Derived, Steps, leaves, of_modes};

const RULE: &str = "coalesce";

/// One step per leaf: it is dropped, merged or kept.
pub(super) fn coalesce(steps: &mut Steps, a: &DynLayout) -> DynLayout {
    let all: Vec<_> = leaves(a).collect();
    let mut previous = DynLayout::UNIT;
    for k in 0..all.len() {
        let (leaf, first) = (all[k], k == 0);
        // Each part of a valid layout is a valid layout.
        let Ok(part) = of_modes(&all[..=k]) else { break };
        let merged = algebra::coalesce(&part);
        let (extent, stride) = (leaf.extents()[0], leaf.strides()[0]);
        let last = previous.len() - 1;
        let (s, d) = (previous.extents()[last], previous.strides()[last]);
        let is_unit = previous == DynLayout::UNIT;
        let sentence = if extent == 1 {
            format!("Mode {leaf} has one coordinate and is dropped.")
        } else if first || is_unit {
            format!("Mode {leaf} is the first.")
        } else if merged.len() == previous.len() {
            format!(
                "Mode {leaf} goes on where {s}:{d} ends, since {s}*{d} = {stride}: they merge to \
                 {}.",
                leaves(&merged).last().unwrap_or(merged)
            )
        } else {
            format!(
                "Mode {leaf} is kept: {s}:{d} would continue with stride {s}*{d}, not {stride}."
            )
        };
        let check = Check::same("C(i) = A(i) for the modes so far", &merged, &part);
        steps.step(RULE, sentence, merged).check(check);
        previous = merged;
    }
    let result = algebra::coalesce(a);
    let check = Check::same("coalesce(A)(i) = A(i)", &result, a);
    let count = if result.len() == 1 { "one mode is" } else { "these modes are" };
    steps.step(RULE, format!("No more neighbours merge: {count} left."), result).check(check);
    result
}

/// Each mode that the profile names is coalesced by itself.
pub(super) fn coalesce_by(steps: &mut Steps, a: &DynLayout, profile: &IntTuple) -> Derived {
    let result = algebra::coalesce_by(a, profile);
    let result = steps.explain_error(RULE, result, |_| {
        format!("The profile {profile} has {} modes, and A has {}.", profile.rank(), a.rank())
    })?;
    if profile.is_int() {
        coalesce(steps, a);
    } else {
        for i in 0..profile.rank().min(a.rank()) {
            let (mode, part) = (a.mode(i), profile.mode(i));
            steps.note(RULE, format!("Mode {i}, {mode}, by itself:"));
            steps.nested(|steps| coalesce_by(steps, &mode, &part))?;
        }
    }
    let check = Check::same("coalesce(A, P)(i) = A(i)", &result, a);
    steps.step(RULE, "The modes together; those beyond the profile stay.", result).check(check);
    Ok(result)
}

/// The coalesced layout, in one step if it differs from the input.
pub(super) fn coalesce_step(steps: &mut Steps, name: &str, a: &DynLayout) -> DynLayout {
    let coalesced = algebra::coalesce(a);
    if coalesced != *a {
        let check = Check::same(&format!("coalesce({name})(i) = {name}(i)"), &coalesced, a);
        let sentence = format!("{name} = {a} with the fewest modes is {coalesced}.");
        steps.step(RULE, sentence, coalesced).check(check);
    }
    coalesced
}
