//! `right_inverse` and `left_inverse`: map offsets back to coordinates.

use layout_core::engine::{DynLayout, algebra};

use super::coalesce::coalesce_step;
use super::{Check, Derived, Steps, leaves, mismatch};

/// Repeatedly looks for the mode whose stride equals the range covered so far.
pub(super) fn right_inverse(steps: &mut Steps, a: &DynLayout) -> Derived {
    const RULE: &str = "right_inverse";
    let result = algebra::right_inverse(a);
    let coalesced = coalesce_step(steps, "A", a);
    let inverse_law = |r: &DynLayout| {
        Check::each("A(R(i)) = i", r.size(), |i| {
            mismatch(i, a.offset_of_index(r.offset_of_index(i)), i)
        })
    };
    let size = if a.size() == 0 { 1 } else { result.size() };
    let mut covered = 1;
    while covered < size {
        let mut before = 1;
        let mut found = None;
        for leaf in leaves(&coalesced) {
            if leaf.strides()[0] == covered && leaf.extents()[0] > 1 {
                found = Some((leaf, before));
                break;
            }
            before *= leaf.extents()[0];
        }
        let Some((leaf, coordinate)) = found else { break };
        let covered_end = covered * leaf.extents()[0];
        // The part of the inverse known so far.
        let part =
            algebra::composition(&result, &DynLayout::leaf(covered_end.min(size), 1).into())?;
        let sentence = format!(
            "Offset {covered} is a step of mode {leaf}, which is a step of {coordinate} of the \
             coordinate: mode {}:{coordinate}. Offsets below {covered_end} are covered.",
            leaf.extents()[0]
        );
        steps.step(RULE, sentence, part).check(inverse_law(&part));
        covered = covered_end;
    }
    let sentence = format!("No mode has a stride of {covered}: the inverse ends there.");
    steps.step(RULE, sentence, result).check(inverse_law(&result));
    Ok(result)
}

/// An offset in the mixed radix of the strides.
pub(super) fn left_inverse(steps: &mut Steps, a: &DynLayout) -> Derived {
    const RULE: &str = "left_inverse";
    let result = algebra::left_inverse(a);
    let coalesced = if a.size() > 0 { coalesce_step(steps, "A", a) } else { *a };
    let mut moving: Vec<_> = leaves(&coalesced).filter(|leaf| leaf.strides()[0] > 0).collect();
    moving.sort_by_key(|leaf| leaf.strides()[0]);
    if !moving.is_empty() {
        let modes: Vec<_> = moving.iter().map(ToString::to_string).collect();
        let weights: Vec<_> = moving.iter().map(|leaf| leaf.strides()[0].to_string()).collect();
        steps.note(
            RULE,
            format!(
                "By rising stride the modes are {}. An offset is written in digits of the weights {}, \
                 and each digit is the coordinate of its mode.",
                modes.join(", "),
                weights.join(", ")
            ),
        );
    }
    let result = steps.explain_error(RULE, result, |error| format!("It ends here: {error}."))?;
    let injective = a.is_injective() == Ok(true);
    let law = if injective { "R(A(i)) = i" } else { "A(R(A(i))) = A(i)" };
    let check = Check::each(law, a.size(), |i| {
        let coordinate = result.offset_of_index(a.offset_of_index(i));
        if injective {
            mismatch(i, coordinate, i)
        } else {
            mismatch(i, a.offset_of_index(coordinate), a.offset_of_index(i))
        }
    });
    steps
        .step(RULE, "A mode for each gap between two weights, and one for each digit.", result)
        .check(check);
    Ok(result)
}

/// `make` and `row_major`: each stride is the product of the extents before it, or after it.
pub(super) fn compact(steps: &mut Steps, rule: &'static str, result: &DynLayout) {
    let row_major = rule == "row_major";
    let count = result.len();
    let mut step = 1usize;
    for k in 0..count {
        let k = if row_major { count - 1 - k } else { k };
        let (extent, stride) = (result.extents()[k], result.strides()[k]);
        let sentence = if extent == 1 {
            format!("Leaf {k} has one coordinate: its stride is 0.")
        } else {
            let side = if row_major { "after" } else { "before" };
            format!(
                "Leaf {k}, of extent {extent}: the extents {side} it have {step} coordinates, so its stride is {stride}."
            )
        };
        let mode = DynLayout::leaf(extent, stride);
        steps.step(rule, sentence, mode);
        step = step.saturating_mul(extent);
    }
    let check = if row_major {
        Check::whole(
            "each offset below the size occurs once",
            result.size(),
            result.is_bijective() || result.size() == 0,
        )
    } else {
        Check::each("L(i) = i", result.size(), |i| mismatch(i, result.offset_of_index(i), i))
    };
    steps.step(rule, "The modes together.", *result).check(check);
}
