//! `composition`: mode by mode over the mixed-radix digits of the left layout.

use layout_core::engine::{DynLayout, algebra};
use layout_core::error::LayoutError;

use super::{Check, Derived, Steps, leaves, unequal};

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
    let whole = a.left_operand();
    if whole != *a {
        let check = Check::same(&format!("{left}'(i) = {left}(i)"), a, &whole);
        let sentence = format!(
            "{left} = {a} with the fewest modes is {left}' = {whole}. An index is written in digits \
             over its extents, the last digit without end."
        );
        steps.step("coalesce", sentence, whole).check(check);
    }
    let count = whole.len();
    let mut reach = vec![0usize; count];
    for (k, leaf) in leaves(b).enumerate() {
        let (extent, stride) = (leaf.extents()[0], leaf.strides()[0]);
        let walked = algebra::composition(&whole, &leaf.into());
        let walked = steps.refused(RULE, walked, |error| {
            format!("Mode {k} of {right}, {leaf}: {}", carry(&whole, &leaf, error))
        })?;
        let digits = whole.digits(stride);
        let digits = &digits[..count];
        // Splits the leaf into runs without carries: their steps add up digit by digit.
        let (mut step, mut runs) = (stride, Vec::new());
        for &run in walked.extents() {
            let of_step = whole.digits(step);
            for (reach, digit) in reach.iter_mut().zip(of_step) {
                *reach = reach.saturating_add(digit.saturating_mul(run.saturating_sub(1)));
            }
            runs.push(run);
            step = step.saturating_mul(run);
        }
        let sentence = if extent == 1 || stride == 0 {
            format!("Mode {k} of {right}, {leaf}, does not move: {walked}.")
        } else if runs.len() == 1 {
            format!(
                "Mode {k} of {right}, {leaf}: a step of {stride} is the digits {} over {}, and \
                 {extent} steps carry nowhere. One step moves {left} by {}: {walked}.",
                tuple(digits),
                tuple(whole.extents()),
                walked.strides()[0]
            )
        } else {
            format!(
                "Mode {k} of {right}, {leaf}: a step of {stride} is the digits {} over {}. A digit \
                 is full after {} steps, so that the mode is {} runs, {}, without a carry: {walked}.",
                tuple(digits),
                tuple(whole.extents()),
                runs[0],
                runs.len(),
                tuple(&runs)
            )
        };
        let law = format!("R(i) = {left}({right}(i)) for this mode");
        let check = Check::each(law, walked.size(), |i| {
            unequal(i, walked.offset_of_index(i), whole.offset_of_index(leaf.offset_of_index(i)))
        });
        steps.step(RULE, sentence, walked).check(check);
    }
    let result = steps.refused(RULE, *result, |error| match error {
        LayoutError::CompositionOverlap { reach, extent, .. } => format!(
            "Together the modes of {right} reach {reach} in a digit whose extent is {extent}: it \
             would carry, and {left} does not add up mode by mode."
        ),
        _ => format!("It ends here: {error}."),
    })?;
    let ends = whole.extents().iter().enumerate();
    let ends: Vec<_> = ends
        .map(|(j, extent)| if j + 1 < count { extent.to_string() } else { "no end".to_owned() })
        .collect();
    let carries = reach.iter().zip(whole.extents()).take(count - 1).any(|(r, extent)| r >= extent);
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
        let means_nothing = *may_overhang && at >= size;
        let fails = || unequal(i, result.offset_of_index(i), whole.offset_of_index(at));
        if means_nothing { None } else { fails() }
    });
    steps.step(RULE, sentence, result).check(check);
    Ok(result)
}

/// The digit that carries, if a leaf cannot be split into runs.
fn carry(whole: &DynLayout, leaf: &DynLayout, error: &LayoutError) -> String {
    let LayoutError::CompositionCarry { extent, rest, run, .. } = error else {
        return format!("it ends here: {error}.");
    };
    let (count, step) = (whole.len(), leaf.strides()[0] * (extent / rest));
    let digits = whole.digits(step);
    let full = (0..count.saturating_sub(1)).find(|&j| digits[j] * run >= whole.extents()[j]);
    let place = match full {
        Some(j) => format!(
            "digit {j} is {} a step, and {run} steps make {} in an extent of {}",
            digits[j],
            digits[j] * run,
            whole.extents()[j]
        ),
        None => format!("a digit is full after {run} steps"),
    };
    format!(
        "a step of {step} is the digits {} over {}; {place}. That carries in the middle: {run} does \
         not divide {rest}.",
        tuple(&digits[..count]),
        tuple(whole.extents())
    )
}

fn tuple(numbers: &[usize]) -> String {
    let numbers: Vec<_> = numbers.iter().map(ToString::to_string).collect();
    format!("({})", numbers.join(","))
}
