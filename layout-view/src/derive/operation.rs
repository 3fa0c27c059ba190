//! The steps of an operation applied to its arguments.

use layout_core::engine::{DynLayout, algebra};
use layout_core::error::LayoutError;
use layout_core::text::{Application, Value};

use super::divide::{self, TilerOperation};
use super::{Derived, Step, Steps, coalesce, complement, facts, inverse, laws};

/// The steps of an operation. The value of the last step is its result.
pub(super) fn steps(application: &Application) -> Vec<Step> {
    let (name, args) = (application.operation.name, &application.arguments[..]);
    let mut steps = Steps::default();
    let derived = match plain(args) {
        Some(args) => detailed_steps(&mut steps, name, &args),
        None => swizzled_steps(&mut steps, application),
    };
    match (derived, &application.result) {
        (Some(Ok(())), Ok(value))
            if steps.steps.last().is_some_and(|s| s.value.as_ref() == Some(value)) => {}
        // If there are no steps, or they end at a value other than the result.
        (_, Ok(value)) => single_step(&mut steps, application, value),
        (_, Err(error)) => push_failure(&mut steps, name, args, error),
    }
    steps.steps
}

/// One step for the whole operation, with its law.
fn single_step(steps: &mut Steps, application: &Application, value: &Value) {
    let (operation, args) = (application.operation, &application.arguments[..]);
    let summary = operation.summary_for(args.len());
    let sentence = match facts::explain_value(operation.name, args, value) {
        Some(numbers) => format!("{summary} {numbers}"),
        None => summary.to_owned(),
    };
    let check = laws::law(operation.name, args, value);
    let step = steps.step(operation.name, sentence, value.clone());
    step.check = check;
}

/// Adds a step with the error, unless the last step already explains it.
fn push_failure(steps: &mut Steps, name: &'static str, args: &[Value], error: &LayoutError) {
    let is_explained = steps.steps.last().is_some_and(|step| step.value.is_none());
    if !is_explained {
        let args: Vec<_> = args.iter().map(ToString::to_string).collect();
        steps.note(name, format!("{name} of {} has no result: {error}.", args.join(", ")));
    }
}

/// The arguments, if all layouts among them are plain.
fn plain(args: &[Value]) -> Option<Vec<Value>> {
    let is_plain = |arg: &Value| {
        matches!(
            arg,
            Value::Layout(_)
                | Value::Integer(_)
                | Value::IntTuple(_)
                | Value::Tiler(_)
                | Value::Slicer(_)
        )
    };
    args.iter().all(is_plain).then(|| args.to_vec())
}

/// The steps of operations that have detailed ones; no steps for others.
fn detailed_steps(steps: &mut Steps, name: &str, args: &[Value]) -> Option<Derived<()>> {
    let layout = |i: usize| args.get(i).map(Value::layout).transpose();
    let discard = |derived: Derived| Some(derived.map(drop));
    let a = match layout(0) {
        Ok(Some(a)) => a,
        _ => return None,
    };
    let by_mode = |steps: &mut Steps, operation: TilerOperation| {
        discard(args.get(1)?.tiler().and_then(|tiler| operation.apply(steps, &a, &tiler)))
    };
    let zipped_tiled_or_flat =
        |steps: &mut Steps, rule: &'static str, operation: TilerOperation| {
            let tiler = args.get(1)?.tiler();
            discard(tiler.and_then(|tiler| {
                divide::zipped_tiled_or_flat(steps, (rule, operation), &a, &tiler)
            }))
        };
    let blocked_or_raked = |steps: &mut Steps, rule: &'static str| {
        discard(args.get(1)?.layout().and_then(|b| divide::blocked_or_raked(steps, rule, &a, &b)))
    };
    match name {
        "coalesce" => match args.get(1) {
            None => {
                coalesce::coalesce(steps, &a);
                Some(Ok(()))
            }
            Some(profile) => {
                let profile = profile.int_tuple();
                discard(profile.and_then(|profile| coalesce::coalesce_by(steps, &a, &profile)))
            }
        },
        "complement" => {
            let cotarget = match args.get(1) {
                Some(cotarget) => cotarget.extents(),
                None => Ok(layout_core::engine::IntTuple::leaf(a.cosize())),
            };
            discard(cotarget.and_then(|cotarget| complement::complement(steps, &a, &cotarget)))
        }
        "composition" => by_mode(steps, TilerOperation::Composition),
        "logical_divide" => by_mode(steps, TilerOperation::Divide),
        "logical_product" => by_mode(steps, TilerOperation::Product),
        "zipped_divide" => zipped_tiled_or_flat(steps, "zipped_divide", TilerOperation::Divide),
        "tiled_divide" => zipped_tiled_or_flat(steps, "tiled_divide", TilerOperation::Divide),
        "flat_divide" => zipped_tiled_or_flat(steps, "flat_divide", TilerOperation::Divide),
        "zipped_product" => zipped_tiled_or_flat(steps, "zipped_product", TilerOperation::Product),
        "tiled_product" => zipped_tiled_or_flat(steps, "tiled_product", TilerOperation::Product),
        "flat_product" => zipped_tiled_or_flat(steps, "flat_product", TilerOperation::Product),
        "blocked_product" => blocked_or_raked(steps, "blocked_product"),
        "raked_product" => blocked_or_raked(steps, "raked_product"),
        "tile_to_shape" => {
            let target = args.get(1)?.int_tuple();
            let order = args.get(2).map(Value::int_tuple).transpose();
            discard(
                target
                    .and_then(|target| divide::tile_to_shape(steps, &a, &target, order?.as_ref())),
            )
        }
        "right_inverse" => discard(inverse::right_inverse(steps, &a)),
        "left_inverse" => discard(inverse::left_inverse(steps, &a)),
        "make" => {
            inverse::compact(steps, "make", &a);
            Some(Ok(()))
        }
        "row_major" => {
            let rows = DynLayout::row_major(&args[0].int_tuple().ok()?).ok()?;
            inverse::compact(steps, "row_major", &rows);
            Some(Ok(()))
        }
        "filter" if args.len() == 1 => {
            let moving = algebra::filter_zeros(&a);
            let still = "Modes of stride 0 repeat what is there: they get extent 1.";
            let check = complement::same_value_set("the same offsets as A", &moving, &a);
            steps.step("filter_zeros", still, moving).check = check;
            coalesce::coalesce(steps, &moving);
            Some(Ok(()))
        }
        "local_tile" => {
            let tiler = args.get(1)?.tiler();
            let divided = tiler.and_then(|tiler| {
                divide::zipped_tiled_or_flat(
                    steps,
                    ("zipped_divide", TilerOperation::Divide),
                    &a,
                    &tiler,
                )
            });
            // The tile itself is one more step, by its definition.
            discard(divided)
        }
        _ => None,
    }
}

/// An operation on the domain of a swizzled layout: it applies to the inner layout.
fn swizzled_steps(steps: &mut Steps, application: &Application) -> Option<Derived<()>> {
    let (name, args) = (application.operation.name, &application.arguments[..]);
    let (Some(Value::Composed(composed)), rest) = (args.first(), args.get(1..)?) else {
        return None;
    };
    let inside = composed.layout();
    let mut all = vec![Value::Layout(inside)];
    all.extend(plain(rest)?);
    // Operations whose result depends on the swizzle have steps of their own, by definition.
    let is_of_domain = name.ends_with("_divide")
        || name.ends_with("_product")
        || matches!(name, "coalesce" | "composition" | "tile_to_shape" | "filter");
    if !is_of_domain {
        return None;
    }
    steps.note(name, format!("The swizzle stays in front. On the layout inside, {inside}:"));
    let derived = steps.nested(|steps| detailed_steps(steps, name, &all));
    if derived.as_ref().is_some_and(Result::is_ok) {
        // The law is the law of the whole, and its value is the result.
        return None;
    }
    derived
}
