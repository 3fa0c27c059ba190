//! The way from one layout to another, in the order of the plan of the copy.

use layout_core::devices::{ElementType, Placement};
use layout_core::engine::{ComposedLayout, DynLayout};
use layout_core::error::LayoutError;
use layout_core::text::Value;
use layout_kernels::{CopyKernel, CopyPlan, ElementMove, for_each_move};
use layout_view::convert;
use serde_json::{Value as Json, json};

/// The most elements whose moves are listed.
const MAX_ELEMENTS: usize = 1 << 16;

/// The plan of the copy and each move of an element, in order: `source[k]` goes to `destination[k]`
/// in step `step[k]`. These are offsets, or `core * storage + offset`.
pub(super) fn relayout(
    from: &Value,
    to: &Value,
    element: Option<ElementType>,
) -> Result<Json, LayoutError> {
    let element = convert::element_of(from)
        .or(convert::element_of(to))
        .or(element)
        .unwrap_or(ElementType::F32);
    let bytes = element.bits().div_ceil(8);
    let mut moves = Moves::default();
    // The slots of one core; offsets of layouts are in one.
    let mut storage = [None; 2];
    let text = match (from.composed(), to.composed()) {
        (Ok(from), Ok(to)) => {
            let plan = plan(&from.layout(), &to.layout(), bytes)?;
            if from.size() <= MAX_ELEMENTS {
                in_order(&plan, (&from, &to), |each| moves.push(each));
            }
            plan.to_string()
        }
        _ => {
            let (from, to) = (placement(from)?, placement(to)?);
            storage = [Some(from.storage()), Some(to.storage())];
            if from.elements() <= MAX_ELEMENTS {
                for_each_move(&from, &to, bytes, |each| moves.push(each))?;
            } else if !from.linear().same_mode_sizes(to.linear()) {
                let (source, destination) = (from.shape(), to.shape());
                return Err(LayoutError::CopyShape { source, destination });
            }
            format!("patch by patch, in {} steps", moves.steps())
        }
    };
    let listed = moves.step.len();
    Ok(json!({
        "plan": text,
        "dtype": element.name(),
        "listed": listed,
        "storage": storage,
        "steps": moves.steps(),
        "step": moves.step,
        "source": moves.source,
        "destination": moves.destination,
        "moved": moves.moved,
    }))
}

#[derive(Default)]
struct Moves {
    step: Vec<usize>,
    source: Vec<usize>,
    destination: Vec<usize>,
    /// How many have another offset than before.
    moved: usize,
}

impl Moves {
    fn push(&mut self, each: ElementMove) {
        self.step.push(each.step);
        self.source.push(each.source);
        self.destination.push(each.destination);
        self.moved += usize::from(each.source != each.destination);
    }

    fn steps(&self) -> usize {
        self.step.last().map_or(0, |last| last + 1)
    }
}

/// The moves of a copy. Behind a swizzle the plan is that of the layouts inside, as in
/// [`copy`](layout_kernels::copy()).
fn in_order(
    plan: &CopyPlan,
    (from, to): (&ComposedLayout, &ComposedLayout),
    mut visit: impl FnMut(ElementMove),
) {
    if plan.kernel() == CopyKernel::Irregular {
        for (step, (source, destination)) in from.table().zip(to.table()).enumerate() {
            visit(ElementMove { step, source, destination });
        }
        return;
    }
    let place =
        |layout: &ComposedLayout, inner: usize| layout.swizzle().apply(layout.offset() + inner);
    plan.for_each_move(|ElementMove { step, source, destination }| {
        let (source, destination) = (place(from, source), place(to, destination));
        visit(ElementMove { step, source, destination });
    });
}

fn placement(value: &Value) -> Result<Placement, LayoutError> {
    match value {
        Value::Spyre(layout) => Ok(layout.placement()),
        Value::CurrentSpyre(layout) => layout.try_placement(),
        Value::Tenstorrent(tensor) => Ok(tensor.layout().placement()),
        _ => Placement::of_layout(&value.layout()?),
    }
}

/// The plan of a copy of elements of so many bytes.
fn plan(from: &DynLayout, to: &DynLayout, bytes: usize) -> Result<CopyPlan, LayoutError> {
    match bytes {
        1 => CopyPlan::new::<u8>(from, to),
        2 => CopyPlan::new::<u16>(from, to),
        4 => CopyPlan::new::<u32>(from, to),
        _ => CopyPlan::new::<u64>(from, to),
    }
}
