//! `composition`: mode by mode over the mixed-radix digits of the left layout.

use layout_core::engine::{DynLayout, algebra};
use layout_core::error::LayoutError;

use super::{Check, Derived, Steps, leaves, mismatch};

const RULE: &str = "composition";

/// The names of the layouts, and the engine's result for the whole.
pub(super) struct Composed<'a> {
    /// The name of the left one.
    pub(super) left: &'a str,
    /// The name of the right one.
    pub(super) right: &'a str,
    /// The engine's result.
    pub(super) result: Derived,
    /// Whether coordinates outside the left layout are meaningless, as for an overhanging tile.
    pub(super) may_overhang: bool,
}

/// `A(B(i))`: each leaf of B, then all together.
pub(super) fn composition(
    steps: &mut Steps,
    a: &DynLayout,
    b: &DynLayout,
    composed: &Composed<'_>,
) -> Derived {
    let Composed { left, right, result, may_overhang } = composed;
    let left_layout = a.left_operand();
    if left_layout != *a {
        let check = Check::same(&format!("{left}'(i) = {left}(i)"), a, &left_layout);
        let sentence = format!(
            "{left} = {a} with the fewest modes is {left}' = {left_layout}. An index is written in digits \
             over its extents, the last digit without end."
        );
        steps.step("coalesce", sentence, left_layout).check(check);
    }
    let count = left_layout.len();
    let mut reach = vec![0usize; count];
    for (k, leaf) in leaves(b).enumerate() {
        let (extent, stride) = (leaf.extents()[0], leaf.strides()[0]);
        let composed_leaf = algebra::composition(&left_layout, &leaf.into());
        let composed_leaf = steps.explain_error(RULE, composed_leaf, |error| {
            format!("Mode {k} of {right}, {leaf}: {}", describe_carry(&left_layout, &leaf, error))
        })?;
        let digits = left_layout.digits(stride);
        let digits = &digits[..count];
        // Splits the leaf into runs without carries: their steps add up digit by digit.
        let (mut step, mut runs) = (stride, Vec::new());
        for &run in composed_leaf.extents() {
            let step_digits = left_layout.digits(step);
            for (reach, digit) in reach.iter_mut().zip(step_digits) {
                *reach = reach.saturating_add(digit.saturating_mul(run.saturating_sub(1)));
            }
            runs.push(run);
            step = step.saturating_mul(run);
        }
        let sentence = if extent == 1 || stride == 0 {
            format!("Mode {k} of {right}, {leaf}, does not move: {composed_leaf}.")
        } else if runs.len() == 1 {
            format!(
                "Mode {k} of {right}, {leaf}: a step of {stride} is the digits {} over {}, and \
                 {extent} steps carry nowhere. One step moves {left} by {}: {composed_leaf}.",
                tuple(digits),
                tuple(left_layout.extents()),
                composed_leaf.strides()[0]
            )
        } else {
            format!(
                "Mode {k} of {right}, {leaf}: a step of {stride} is the digits {} over {}. A digit \
                 is full after {} steps, so that the mode is {} runs, {}, without a carry: {composed_leaf}.",
                tuple(digits),
                tuple(left_layout.extents()),
                runs[0],
                runs.len(),
                tuple(&runs)
            )
        };
        let law = format!("R(i) = {left}({right}(i)) for this mode");
        let check = Check::each(law, composed_leaf.size(), |i| {
            mismatch(
                i,
                composed_leaf.offset_of_index(i),
                left_layout.offset_of_index(leaf.offset_of_index(i)),
            )
        });
        steps.step(RULE, sentence, composed_leaf).check(check);
    }
    let result = steps.explain_error(RULE, *result, |error| match error {
        LayoutError::CompositionOverlap { reach, extent, .. } => format!(
            "Together the modes of {right} reach {reach} in a digit whose extent is {extent}: it \
             would carry, and {left} does not add up mode by mode."
        ),
        _ => format!("It ends here: {error}."),
    })?;
    let ends = left_layout.extents().iter().enumerate();
    let ends: Vec<_> = ends
        .map(|(j, extent)| if j + 1 < count { extent.to_string() } else { "no end".to_owned() })
        .collect();
    let carries =
        reach.iter().zip(left_layout.extents()).take(count - 1).any(|(r, extent)| r >= extent);
    let (reach, ends) = (tuple(&reach), ends.join(","));
    let sentence = if carries {
        format!(
            "Together the modes reach the digits {reach} of ({ends}), which is beyond {left}. \
             Inside of {left} none carries, so that the modes add up there: {result}."
        )
    } else {
        format!(
            "Together the modes reach the digits {reach} of ({ends}). None carries, so that the modes \
             add up: {result}."
        )
    };
    let (law, size) = (format!("R(i) = {left}({right}(i))"), a.size());
    let law = if carries { format!("{law} inside {left}") } else { law };
    let check = Check::each(law, result.size(), |i| {
        let at = b.offset_of_index(i);
        let is_outside = *may_overhang && at >= size;
        let fails = || mismatch(i, result.offset_of_index(i), left_layout.offset_of_index(at));
        if is_outside { None } else { fails() }
    });
    steps.step(RULE, sentence, result).check(check);
    Ok(result)
}

/// The digit that carries, if a leaf cannot be split into runs.
fn describe_carry(left_layout: &DynLayout, leaf: &DynLayout, error: &LayoutError) -> String {
    let LayoutError::CompositionCarry { extent, rest, run, .. } = error else {
        return format!("it ends here: {error}.");
    };
    let (count, step) = (left_layout.len(), leaf.strides()[0] * (extent / rest));
    let digits = left_layout.digits(step);
    let full_digit =
        (0..count.saturating_sub(1)).find(|&j| digits[j] * run >= left_layout.extents()[j]);
    let detail = match full_digit {
        Some(j) => format!(
            "digit {j} is {} a step, and {run} steps make {} in an extent of {}",
            digits[j],
            digits[j] * run,
            left_layout.extents()[j]
        ),
        None => format!("a digit is full after {run} steps"),
    };
    format!(
        "a step of {step} is the digits {} over {}; {detail}. That carries in the middle: {run} does \
         not divide {rest}.",
        tuple(&digits[..count]),
        tuple(left_layout.extents())
    )
}

fn tuple(numbers: &[usize]) -> String {
    let numbers: Vec<_> = numbers.iter().map(ToString::to_string).collect();
    format!("({})", numbers.join(","))
}
