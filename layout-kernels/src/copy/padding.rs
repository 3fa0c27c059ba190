//! Padding, filled by moves: from a row of one value to all slots that hold no element.
//!
//! So each slot of a destination is written once, by a move of elements or by one of padding. Where
//! that does not pay, the whole destination is filled before elements are moved.

use layout_core::placed::{PaddingBoxes, Placement};

use super::placement::{Move, Sorted};
use super::refine::Loop;

/// How many times a row has the value that it is made of. A longer run of padding is filled by as
/// many rows as it needs.
pub(super) const ROW: usize = 64;

/// A destination of so many bytes stays in the first cache, where filling all of it costs less than
/// many moves.
const SMALL: usize = 16 << 10;

/// The largest elements of which a row is made.
const LARGEST: usize = 64;

/// The moves that fill the padding of a placement.
pub(super) struct Padding {
    boxes: PaddingBoxes,
    // Of the last box: what is left of its runs behind whole rows.
    rest: Option<Move>,
    element_bytes: usize,
    elements: usize,
    slots: usize,
    buffer: usize,
}

impl Padding {
    /// The moves for memory in buffers of so many slots; nothing where all of it is to be filled.
    pub(super) const fn of(
        placement: &Placement,
        element_bytes: usize,
        buffer: usize,
    ) -> Option<Self> {
        let (elements, slots) = (placement.elements(), placement.slots());
        let small = slots.saturating_mul(element_bytes) <= SMALL;
        if small || element_bytes > LARGEST || placement.padding() > elements {
            return None;
        }
        match PaddingBoxes::new(placement) {
            Some(boxes) => Some(Self { boxes, rest: None, element_bytes, elements, slots, buffer }),
            None => None,
        }
    }

    /// The next move.
    pub(super) const fn step(&mut self) -> Option<Move> {
        if let Some(rest) = self.rest.take() {
            return Some(rest);
        }
        let Some(next) = self.boxes.step() else { return None };
        let (mut loops, mut last, mut k) = (Sorted::NONE, next.first, 0);
        while k < next.steps().len() {
            let (extent, destination) = next.steps()[k];
            loops.add(Loop { extent, source: 0, destination });
            last = last.saturating_add(destination.saturating_mul(extent - 1));
            k += 1;
        }
        assert!(last < self.slots, "padding is inside the placement");
        // Neighbours are runs, in one buffer.
        let mut run = 1;
        while run < self.buffer {
            let Some(extent) = loops.take(run) else { break };
            run *= extent;
        }
        let (rows, rest) = (run / ROW, run % ROW);
        if rows == 0 {
            return Some(self.runs(loops, run, next.first));
        }
        if rest > 0 {
            self.rest = Some(self.runs(loops, rest, next.first + rows * ROW));
        }
        if rows > 1 {
            loops.add(Loop { extent: rows, source: 0, destination: ROW });
        }
        Some(self.runs(loops, ROW, next.first))
    }

    /// The move that fills runs of so many slots, a row or less.
    const fn runs(&self, mut loops: Sorted, run: usize, first: usize) -> Move {
        if run > 1 {
            loops.add(Loop { extent: run, source: 1, destination: 1 });
        }
        let buffers = [usize::MAX, self.buffer];
        Move::of_loops(&loops, self.element_bytes, self.elements, buffers, [0, first])
    }
}

#[cfg(feature = "std")]
impl Iterator for Padding {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        self.step()
    }
}
