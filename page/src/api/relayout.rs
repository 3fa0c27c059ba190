//! The copy from one layout to another, in the order of the copy plan.

use layout_core::devices::{ElementType, Placement};
use layout_core::engine::{ComposedLayout, DynLayout};
use layout_core::error::LayoutError;
use layout_core::text::Value;
use layout_kernels::{CopyKernel, CopyPlan, ElementMove, for_each_move};
use layout_view::convert;
use serde_json::{Value as Json, json};

/// Maximum number of elements for which moves are listed.
const MAX_ELEMENTS: usize = 1 << 16;

/// The copy plan and the move of each element, in order: `source[k]` goes to `destination[k]` in step
/// `step[k]`. Positions are offsets, or `core * storage + offset`.
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
    // Slots per core. Offsets of layouts are within one core.
    let mut storage = [None; 2];
    let text = match (from.composed(), to.composed()) {
        (Ok(from), Ok(to)) => {
            let plan = plan(&from.layout(), &to.layout(), bytes)?;
            if from.size() <= MAX_ELEMENTS {
                visit_moves(&plan, (&from, &to), |element_move| moves.push(element_move));
            }
            plan.to_string()
        }
        _ => {
            let (from, to) = (placement(from)?, placement(to)?);
            storage = [Some(from.storage()), Some(to.storage())];
            if from.elements() <= MAX_ELEMENTS {
                for_each_move(&from, &to, bytes, |element_move| moves.push(element_move))?;
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
    /// Number of elements whose offset changes.
    moved: usize,
}

impl Moves {
    fn push(&mut self, element_move: ElementMove) {
        self.step.push(element_move.step);
        self.source.push(element_move.source);
        self.destination.push(element_move.destination);
        self.moved += usize::from(element_move.source != element_move.destination);
    }

    fn steps(&self) -> usize {
        self.step.last().map_or(0, |last| last + 1)
    }
}

/// Visits the moves of a copy. For swizzled layouts the plan is that of the inner layouts, as in
/// [`copy`](layout_kernels::copy()).
fn visit_moves(
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
    let slot =
        |layout: &ComposedLayout, inner: usize| layout.swizzle().apply(layout.offset() + inner);
    plan.for_each_move(|ElementMove { step, source, destination }| {
        let (source, destination) = (slot(from, source), slot(to, destination));
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

/// The copy plan for elements of `bytes` bytes.
fn plan(from: &DynLayout, to: &DynLayout, bytes: usize) -> Result<CopyPlan, LayoutError> {
    match bytes {
        1 => CopyPlan::new::<u8>(from, to),
        2 => CopyPlan::new::<u16>(from, to),
        4 => CopyPlan::new::<u32>(from, to),
        _ => CopyPlan::new::<u64>(from, to),
    }
}
