//! Order in which a plan moves elements, for visualisation.

use layout_core::devices::Placement;
use layout_core::error::LayoutError;

use super::placement::AllMoves;
use super::plan::{CopyKernel, CopyPlan};
use super::refine::{Loop, iterations, mixed_radix};
use crate::transpose::CACHE_LINE;

/// Bytes of the smallest vector register: the side of a tile. Larger registers use larger tiles in the
/// same order.
const REGISTER_BYTES: usize = 16;

/// Move of one element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ElementMove {
    /// Index of the step that moves the element. A step is a run, a tile of an in-register
    /// transposition, or a single element. Steps count up from 0 and never decrease.
    pub step: usize,
    /// Offset in the source, in elements.
    pub source: usize,
    /// Offset in the destination, in elements.
    pub destination: usize,
}

impl CopyPlan {
    /// Calls `visit` with each element in the order in which the plan moves it.
    ///
    /// Guarantee: each element of both layouts is visited once, with both offsets. The order is that
    /// of the pieces, loops and kernel of the plan, with tiles of the smallest vector register (16
    /// bytes). Copies through buffers are visited as if there were no buffers, copies that do not fit in
    /// the caches as if they did.
    ///
    /// For a [`CopyKernel::Irregular`] plan, which has no loops, nothing is visited. Such a copy goes
    /// through the coordinates in colexicographic order.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// use static_layout::kernels::CopyPlan;
    /// let layout = |text| DynLayout::parse(text).unwrap();
    /// let plan = CopyPlan::new::<f32>(&layout("(2,3):(3,1)"), &layout("(2,3):(1,2)"))?;
    /// let mut moves = Vec::new();
    /// plan.for_each_move(|each| moves.push((each.source, each.destination)));
    /// moves.sort_unstable();
    /// assert_eq!(moves, [(0, 0), (1, 2), (2, 4), (3, 1), (4, 3), (5, 5)]);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    pub fn for_each_move(&self, mut visit: impl FnMut(ElementMove)) {
        let mut steps = Steps { next: 0, visit: &mut visit };
        self.visit_from((0, 0), &mut steps);
    }

    fn visit_from(&self, at: (usize, usize), steps: &mut Steps<'_>) {
        let plan = self.in_order_of_destination();
        plan.pieces(at, &mut |piece, source, destination| {
            for iteration in 0..iterations(piece.loops()) {
                let (s, d) = mixed_radix(piece.loops(), iteration);
                piece.visit_kernel((source + s, destination + d), steps);
            }
        });
    }

    fn visit_kernel(&self, (source, destination): (usize, usize), steps: &mut Steps<'_>) {
        match self.kernel() {
            CopyKernel::Nothing | CopyKernel::Irregular => {}
            CopyKernel::Run { elements } => steps.run((source, destination), elements),
            CopyKernel::Strided(inner) => {
                for k in 0..inner.extent {
                    steps.run((source + k * inner.source, destination + k * inner.destination), 1);
                }
            }
            CopyKernel::Transpose { columns, rows } => {
                self.visit_tiles((source, destination), rows, columns, steps);
            }
        }
    }

    /// Visits bands of columns as wide as a cache line, and each band tile by tile.
    fn visit_tiles(
        &self,
        (source, destination): (usize, usize),
        rows: Loop,
        columns: Loop,
        steps: &mut Steps<'_>,
    ) {
        let words = |bytes: usize| bytes.checked_div(self.word()).map_or(1, |words| words.max(1));
        let (band, side) = (words(CACHE_LINE), words(REGISTER_BYTES));
        for left in (0..columns.extent).step_by(band) {
            let right = columns.extent.min(left + band);
            for top in (0..rows.extent).step_by(side) {
                let bottom = rows.extent.min(top + side);
                for start in (left..right).step_by(side) {
                    for column in start..right.min(start + side) {
                        for row in top..bottom {
                            let s = source + row * rows.source + column * columns.source;
                            let d =
                                destination + row * rows.destination + column * columns.destination;
                            steps.elements((s, d), self.unit());
                        }
                    }
                    steps.next += 1;
                }
            }
        }
    }
}

/// Calls `visit` with each element of a copy between two placements, in the order in which
/// [`copy`](super::copy()) moves elements of `element_bytes` bytes: patch by patch, each by its own
/// plan.
///
/// Offsets are slot indices, `core * storage + offset`. Padding is not visited.
///
/// ```
/// use static_layout::{DynLayout, devices::Placement, kernels::for_each_move};
/// let rows = Placement::of_layout(&DynLayout::parse("(5,2):(2,1)").unwrap())?;
/// let columns = Placement::of_layout(&DynLayout::parse("(5,2):(1,5)").unwrap())?;
/// let mut moved = vec![0; 10];
/// for_each_move(&rows, &columns, 4, |each| moved[each.destination] = each.source)?;
/// assert_eq!(moved, [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
///
/// # Errors
///
/// [`LayoutError::CopyShape`] if the shapes differ,
/// [`PlacementError::TooManyCuts`](layout_core::error::PlacementError::TooManyCuts), and
/// [`PlacementError::TooManyBytes`](layout_core::error::PlacementError::TooManyBytes).
pub fn for_each_move(
    source: &Placement,
    destination: &Placement,
    element_bytes: usize,
    mut visit: impl FnMut(ElementMove),
) -> Result<(), LayoutError> {
    let buffers = [source.storage(), destination.storage()];
    let mut moves = AllMoves::between(source, destination, element_bytes, buffers, false)?;
    let mut steps = Steps { next: 0, visit: &mut visit };
    while let Some(next) = moves.step()? {
        for iteration in 0..iterations(next.outer.as_slice()) {
            let (s, d) = mixed_radix(next.outer.as_slice(), iteration);
            next.plan.visit_from((next.source + s, next.destination + d), &mut steps);
        }
    }
    Ok(())
}

/// Numbers the steps.
struct Steps<'a> {
    next: usize,
    visit: &'a mut dyn FnMut(ElementMove),
}

impl Steps<'_> {
    /// Visits contiguous elements as a step of their own.
    fn run(&mut self, at: (usize, usize), count: usize) {
        self.elements(at, count);
        self.next += 1;
    }

    /// Visits contiguous elements as part of the current step.
    fn elements(&mut self, (source, destination): (usize, usize), count: usize) {
        for k in 0..count {
            let (source, destination) = (source + k, destination + k);
            (self.visit)(ElementMove { step: self.next, source, destination });
        }
    }
}

#[cfg(test)]
mod tests {
    use layout_core::engine::DynLayout;

    use super::*;
    use crate::walk::Walk;

    fn layout(text: &str) -> DynLayout {
        DynLayout::parse(text).expect(text)
    }

    /// Checks that each element is visited once with both offsets, and that steps never decrease.
    fn visits_all<T>(source: &str, destination: &str) {
        let (s, d) = (layout(source), layout(destination));
        let mut moves = Vec::new();
        let mut step = 0;
        let plan = CopyPlan::new::<T>(&s, &d).expect("one shape");
        plan.for_each_move(|each| {
            assert!(each.step == step || each.step == step + 1, "{source} => {destination}");
            step = each.step;
            moves.push((each.source, each.destination));
        });
        moves.sort_unstable();
        let mut expected: Vec<_> = Walk::new(&s).zip(Walk::new(&d)).collect();
        expected.sort_unstable();
        assert_eq!(moves, expected, "{source} => {destination}");
    }

    #[test]
    fn each_element_is_visited_once() {
        for (source, destination) in [
            ("8:1", "8:1"),
            ("(4,8):(8,1)", "(4,8):(1,4)"),
            ("(17,33):(33,1)", "(17,33):(1,17)"),
            ("(6,(4,2)):(4,(1,24))", "(6,8):(8,1)"),
            ("(3,5,7):(35,7,1)", "(3,5,7):(1,3,15)"),
            ("(4,8):(1,7)", "(4,8):(9,1)"),
            ("((2,16),(2,16)):((1,64),(2,4))", "((2,16),(2,16)):((1,2),(1024,32))"),
        ] {
            visits_all::<u8>(source, destination);
            visits_all::<f32>(source, destination);
            visits_all::<f64>(source, destination);
            visits_all::<[f64; 3]>(source, destination);
        }
        // Cut into pieces.
        visits_all::<f64>("(250,150):(150,1)", "(250,150):(1,250)");
    }

    #[test]
    fn an_irregular_copy_has_no_plan_to_visit() {
        let plan = CopyPlan::new::<f32>(&layout("((2,3)):((1,4))"), &layout("((3,2)):((1,8))"));
        let plan = plan.expect("one shape");
        assert_eq!(plan.kernel(), CopyKernel::Irregular);
        plan.for_each_move(|each| panic!("{each:?}"));
    }
}
