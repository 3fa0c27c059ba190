//! `PaddingBoxes`: the slots of a placement that hold no element, as boxes with constant strides.

use crate::devices::Placement;

/// The maximum number of leaves of a placement, and so of loops of a box.
const MAX_STEPS: usize = 16;

/// The maximum number of tasks on the stack: each leaf splits a task into two, and each piece with
/// leaves into three.
const MAX_WAITING: usize = 3 * MAX_STEPS + 1;

/// A loop nest over slots that hold no element.
#[derive(Clone, Copy, Debug)]
pub struct PaddingBox {
    /// The first slot.
    pub first: usize,
    steps: [(usize, usize); MAX_STEPS],
    len: usize,
}

impl PaddingBox {
    /// Its loops, in no particular order: the number of iterations, at least two, and the step of
    /// the slot.
    pub const fn steps(&self) -> &[(usize, usize)] {
        self.steps.split_at(self.len).0
    }
}

/// The boxes of padding of a placement. Each slot without an element is in exactly one box.
///
/// A number is padding if it is at or above the extent of a dimension or piece. Digits are compared
/// with the limit from the most significant on: below the limit digit, the next piece is processed;
/// above it, everything is padding, regardless of the lower digits. So there are few boxes,
/// independent of the extents.
///
/// ```
/// use static_layout::devices::{PaddingBoxes, Placement};
/// // Five rows of three on two cores, three rows and two, where a row is stored as four.
/// let p = Placement::builder(&[5, 3], 12, 2)?
///     .dimension(5, &[1, 0])?.piece(3)?.leaf(3, 4)?.piece(2)?.core_leaf(2, 1)?
///     .dimension(3, &[0, 1])?.piece(3)?.leaf(4, 1)?
///     .build()?;
/// let mut slots = Vec::new();
/// for each in PaddingBoxes::new(&p).unwrap() {
///     assert!(each.steps().len() <= 2);
///     let mut all = vec![each.first];
///     for &(extent, stride) in each.steps() {
///         all = all.iter().flat_map(|&x| (0..extent).map(move |i| x + i * stride)).collect();
///     }
///     slots.extend(all);
/// }
/// slots.sort_unstable();
/// assert_eq!(slots, [3, 7, 11, 15, 19, 20, 21, 22, 23]);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone)]
pub struct PaddingBoxes {
    placement: Placement,
    waiting: [Task; MAX_WAITING],
    len: usize,
}

/// Slots whose digits are decided for the last pieces of the placement.
#[derive(Clone, Copy)]
struct Task {
    first: usize,
    // The number of digits of each leaf; its extent if nothing is decided.
    extents: [usize; MAX_STEPS],
    // The pieces before this one are undecided.
    piece: usize,
    next: Next,
}

/// The next decision.
#[derive(Clone, Copy)]
enum Next {
    /// Split the previous piece. The rest of its dimension is below `limit`.
    Piece { limit: usize },
    /// Split the leaves of this piece before `leaf` into numbers below `limit`. After that, the rest
    /// of the dimension is below `then`.
    Below { leaf: usize, limit: usize, then: usize },
    /// Split the leaves into numbers from `limit` on, which are padding.
    From { leaf: usize, limit: usize },
}

impl PaddingBoxes {
    /// The boxes of a placement in which no two elements share a slot. `None` if there is padding
    /// outside all digits (gaps between the leaves, or indices without a coordinate), or if there
    /// are more than 16 leaves.
    pub const fn new(placement: &Placement) -> Option<Self> {
        let mut indices = 1usize;
        repeat!(k, 0..placement.dimensions, {
            indices = indices.saturating_mul(placement.extents[k]);
        });
        let (mut room, mut extents) = (1usize, [1; MAX_STEPS]);
        let (leaves, _) = placement.leaves_of(placement.pieces().len());
        if leaves > MAX_STEPS {
            return None;
        }
        repeat!(k, 0..leaves, {
            extents[k] = placement.leaves.extent_at(k);
            room = room.saturating_mul(extents[k]);
        });
        if indices != placement.elements() || room != placement.slots() {
            return None;
        }
        let piece = placement.pieces().len();
        let all = Task { first: 0, extents, piece, next: Next::Piece { limit: 1 } };
        Some(Self { placement: *placement, waiting: [all; MAX_WAITING], len: 1 })
    }

    /// The next box, as a `const fn`.
    pub const fn step(&mut self) -> Option<PaddingBox> {
        while self.len > 0 {
            self.len -= 1;
            let task = self.waiting[self.len];
            match task.next {
                // All of these slots hold elements.
                Next::Piece { .. } if task.piece == 0 => {}
                Next::Piece { limit } => self.piece(&task, limit),
                Next::Below { leaf, limit, then } => self.below(&task, leaf, limit, then),
                Next::From { leaf, limit } => {
                    if let Some(found) = self.from(&task, leaf, limit) {
                        return Some(found);
                    }
                }
            }
        }
        None
    }

    const fn push(&mut self, task: Task) {
        self.waiting[self.len] = task;
        self.len += 1;
    }

    /// Splits the numbers of the next piece.
    const fn piece(&mut self, task: &Task, limit: usize) {
        let piece = task.piece - 1;
        let dimension = self.placement.pieces[piece].dimension;
        let (first, end) = self.placement.pieces_of(dimension);
        let limit = if piece + 1 == end { self.placement.extents[dimension] } else { limit };
        let mut inner = 1;
        repeat!(k, first..piece, {
            inner *= self.placement.pieces[k].extent;
        });
        let (whole, rest) = (limit / inner, limit % inner);
        let (_, leaf) = self.placement.leaves_of(piece);
        let from = if rest > 0 { whole + 1 } else { whole };
        if from < self.placement.room_of(piece) {
            self.push(Task { piece, next: Next::From { leaf, limit: from }, ..*task });
        }
        if whole > 0 {
            let next = Next::Below { leaf, limit: whole, then: inner };
            self.push(Task { piece, next, ..*task });
        }
        if rest > 0 {
            let mut this = Task { piece, next: Next::Piece { limit: rest }, ..*task };
            let (mut number, end) = (whole, leaf);
            let (mut leaf, _) = self.placement.leaves_of(piece);
            while leaf < end {
                let extent = self.placement.leaves.extent_at(leaf);
                self.narrow(&mut this, leaf, number % extent, 1);
                number /= extent;
                leaf += 1;
            }
            self.push(this);
        }
    }

    /// Splits off the numbers of leaves below `limit`.
    const fn below(&mut self, task: &Task, leaf: usize, limit: usize, then: usize) {
        if limit == self.inner(task.piece, leaf) {
            return self.push(Task { next: Next::Piece { limit: then }, ..*task });
        }
        let leaf = leaf - 1;
        let inner = self.inner(task.piece, leaf);
        let (whole, rest) = (limit / inner, limit % inner);
        if whole > 0 {
            let mut these = Task { next: Next::Piece { limit: then }, ..*task };
            self.narrow(&mut these, leaf, 0, whole);
            self.push(these);
        }
        if rest > 0 {
            let mut this = Task { next: Next::Below { leaf, limit: rest, then }, ..*task };
            self.narrow(&mut this, leaf, whole, 1);
            self.push(this);
        }
    }

    /// Splits off the numbers of leaves from `limit` on. Returns those that form a box.
    const fn from(&mut self, task: &Task, leaf: usize, limit: usize) -> Option<PaddingBox> {
        if limit == 0 {
            return Some(self.found(task));
        }
        let leaf = leaf - 1;
        let inner = self.inner(task.piece, leaf);
        let (whole, rest) = (limit / inner, limit % inner);
        let mut from = whole;
        if rest > 0 {
            let mut this = Task { next: Next::From { leaf, limit: rest }, ..*task };
            self.narrow(&mut this, leaf, whole, 1);
            self.push(this);
            from += 1;
        }
        let extent = self.placement.leaves.extent_at(leaf);
        if from == extent {
            return None;
        }
        let mut these = *task;
        self.narrow(&mut these, leaf, from, extent - from);
        Some(self.found(&these))
    }

    /// The product of the leaves of a piece before this leaf.
    const fn inner(&self, piece: usize, leaf: usize) -> usize {
        let (mut k, _) = self.placement.leaves_of(piece);
        let mut inner = 1;
        while k < leaf {
            inner *= self.placement.leaves.extent_at(k);
            k += 1;
        }
        inner
    }

    /// Restricts a leaf to `extent` digits from `from` on.
    const fn narrow(&self, task: &mut Task, leaf: usize, from: usize, extent: usize) {
        task.first += from * self.placement.leaves.stride_at(leaf);
        task.extents[leaf] = extent;
    }

    const fn found(&self, task: &Task) -> PaddingBox {
        let mut found = PaddingBox { first: task.first, steps: [(1, 0); MAX_STEPS], len: 0 };
        let (leaves, _) = self.placement.leaves_of(self.placement.pieces().len());
        repeat!(k, 0..leaves, {
            if task.extents[k] > 1 {
                found.steps[found.len] = (task.extents[k], self.placement.leaves.stride_at(k));
                found.len += 1;
            }
        });
        found
    }
}

impl Iterator for PaddingBoxes {
    type Item = PaddingBox;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.step()
    }
}
