//! Explanations of results that are numbers rather than layouts.

use layout_core::engine::{ComposedLayout, DynLayout};
use layout_core::text::Value;

/// Explains in one sentence how the value of an operation is obtained. `None` if the law explains it
/// already.
pub(super) fn explain_value(name: &str, args: &[Value], value: &Value) -> Option<String> {
    let layout = || args.first().and_then(|arg| arg.composed().ok());
    let plain = || layout().and_then(|layout| layout.as_layout());
    let shape = || args.first().and_then(|arg| arg.extents().ok());
    Some(match name {
        "size" => match shape()?.leaves() {
            [_] => return None,
            extents => format!("{} = {value}.", product(extents)),
        },
        "rank" => format!("The modes of {} are {value}.", shape()?),
        "depth" => format!("The parentheses of {} are {value} deep.", shape()?),
        "cosize" => {
            let layout = plain()?;
            if layout.size() == 0 {
                return Some("An extent of 0 leaves no offsets.".to_owned());
            }
            let last = leaf_sum(layout.extents(), layout.strides(), |extent| extent - 1);
            format!(
                "The last coordinate is at {last} = {}, and one more is {value}.",
                layout.cosize() - 1
            )
        }
        "crd2idx" | "eval" => {
            let (at, of) = if name == "eval" { (1, 0) } else { (0, 1) };
            let layout = match (name, args.get(2)) {
                ("crd2idx", Some(stride)) => {
                    DynLayout::new(&args[of].int_tuple().ok()?, &stride.int_tuple().ok()?).ok()?
                }
                _ => args[of].layout().ok()?,
            };
            let at = args[at].int_tuple().ok()?;
            let natural = layout.shape().natural_coordinate(&at).ok()?;
            let terms = natural.leaves().iter().zip(layout.strides());
            let terms: Vec<_> = terms.map(|(c, d)| format!("{c}*{d}")).collect();
            let same = if natural == at { String::new() } else { format!("{at} is {natural}: ") };
            format!("{same}{} = {value}.", terms.join(" + "))
        }
        "idx2crd" => {
            let shape = args.get(1)?.int_tuple().ok()?;
            format!("{} in the extents {shape} is {value}.", args[0])
        }
        "swizzle_apply" => {
            let (swizzle, offset) = (args[0].swizzle().ok()?, args[1].integer().ok()?);
            let after = swizzle.apply(offset);
            let bits = swizzle.bits() + swizzle.base() + swizzle.shift().unsigned_abs();
            let width = bits as usize;
            format!(
                "In bits {offset:0width$b} becomes {after:0width$b}: {} bits {} are XORed into \
                 those {} places {}.",
                swizzle.bits(),
                if swizzle.shift() >= 0 { "above" } else { "below" },
                swizzle.shift().unsigned_abs(),
                if swizzle.shift() >= 0 { "lower" } else { "higher" }
            )
        }
        "shape_div" => format!("{} / {} = {value}.", args[0], args.get(1)?),
        "is_injective" | "is_bijective" | "is_contiguous" => {
            let layout: ComposedLayout = layout()?;
            let (size, cosize) = (layout.size(), layout.cosize().ok()?);
            format!("It has {size} coordinates, and offsets below {cosize}: {value}.")
        }
        "compatible" | "congruent" | "weakly_congruent" => {
            format!("{} and {}: {value}.", args[0], args.get(1)?)
        }
        _ => return None,
    })
}

fn product(numbers: &[usize]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join("*")
}

fn leaf_sum(extents: &[usize], strides: &[usize], of: impl Fn(usize) -> usize) -> String {
    let terms =
        extents.iter().zip(strides).map(|(&extent, stride)| format!("{}*{stride}", of(extent)));
    terms.collect::<Vec<_>>().join(" + ")
}
