//! `Axes`: the loops of a contraction, each with a stride in A, B and C.

use layout_core::engine::{DynLayout, MAX_LEAVES, Subscripts};
use layout_core::error::{EinsumError, LayoutError};

/// Maximum number of loops of a contraction. A letter with nested modes has several loops.
const MAX_AXES: usize = 2 * MAX_LEAVES;

/// Names of the operands, for errors.
pub(super) const NAMES: [char; 3] = ['A', 'B', 'C'];

/// One loop.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    pub(super) extent: usize,
    /// Strides in A, B and C, in elements; 0 if the operand does not have the letter.
    pub(super) strides: [usize; 3],
    /// The mode of C that the loop is part of; [`MAX_LEAVES`] for a loop that is summed over.
    pub(super) mode: usize,
    /// Stride of the loop in the coordinate of that mode.
    pub(super) coordinate_stride: usize,
}

impl Axis {
    pub(super) const NONE: Self =
        Self { extent: 1, strides: [0; 3], mode: MAX_LEAVES, coordinate_stride: 1 };

    pub(super) const fn is_sum(&self) -> bool {
        self.mode == MAX_LEAVES
    }
}

/// The loops of a contraction, and the letters that cannot be loops.
#[derive(Clone, Copy)]
pub(super) struct Axes {
    axes: [Axis; MAX_AXES],
    len: usize,
    /// Letters whose modes have no common refinement, such as (4,6) and (6,4), and their extents.
    pub(super) incompatible: [(u8, usize); MAX_LEAVES],
    pub(super) incompatible_len: usize,
}

impl Axes {
    pub(super) const EMPTY: Self = Self {
        axes: [Axis::NONE; MAX_AXES],
        len: 0,
        incompatible: [(0, 0); MAX_LEAVES],
        incompatible_len: 0,
    };

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) const fn at(&self, i: usize) -> &Axis {
        &self.axes[i]
    }

    /// Adds the loops of three tensors, whose shapes [`check_shapes`].
    ///
    /// # Errors
    ///
    /// [`LayoutError::TooManyLeaves`].
    pub(super) const fn add_all(
        &mut self,
        subscripts: &Subscripts,
        layouts: [&DynLayout; 3],
    ) -> Result<(), LayoutError> {
        let mut operand = 0;
        while operand < 2 {
            let mut i = 0;
            while i < subscripts.len(operand) {
                let letter = subscripts.letter(operand, i);
                let earlier = operand == 1 && subscripts.has(0, letter);
                if !earlier && subscripts.find(operand, letter, 0) == i {
                    attempt!(self.add(subscripts, layouts, letter));
                }
                i += 1;
            }
            operand += 1;
        }
        Ok(())
    }

    /// Adds the loops of one letter: splits its modes at the leaf boundaries of all of them.
    const fn add(
        &mut self,
        subscripts: &Subscripts,
        layouts: [&DynLayout; 3],
        letter: u8,
    ) -> Result<(), LayoutError> {
        let (first, start) = (if subscripts.has(0, letter) { 0 } else { 1 }, self.len);
        let size = size_of_mode(layouts[first], subscripts.find(first, letter, 0));
        let mode =
            if subscripts.has(2, letter) { subscripts.find(2, letter, 0) } else { MAX_LEAVES };
        let mut step = 1;
        while step < size || size == 0 {
            // The longest loop that stays in one leaf of each mode.
            let (mut extent, mut strides, mut operand) = (0, [0; 3], 0);
            while operand < 3 {
                let mut i = subscripts.find(operand, letter, 0);
                while i < subscripts.len(operand) && size > 0 {
                    let (left, stride) = rest_of_leaf(layouts[operand], i, step);
                    extent = gcd(extent, left);
                    strides[operand] += stride;
                    i = subscripts.find(operand, letter, i + 1);
                }
                operand += 1;
            }
            if extent == 1 {
                self.len = start;
                self.incompatible[self.incompatible_len] = (letter, size);
                self.incompatible_len += 1;
                return Ok(());
            }
            if !self.push(start, Axis { extent, strides, mode, coordinate_stride: step }) {
                return Err(LayoutError::TooManyLeaves { limit: MAX_AXES });
            }
            if size == 0 {
                return Ok(());
            }
            step *= extent;
        }
        Ok(())
    }

    /// Adds a loop, or extends the last loop of the same letter if the two coalesce. `false` if there
    /// is no room.
    const fn push(&mut self, start: usize, axis: Axis) -> bool {
        if self.len > start {
            let last = &mut self.axes[self.len - 1];
            if coalesces(last, &axis, 0) && coalesces(last, &axis, 1) && coalesces(last, &axis, 2) {
                last.extent *= axis.extent;
                return true;
            }
        }
        if self.len == MAX_AXES {
            return false;
        }
        self.axes[self.len] = axis;
        self.len += 1;
        true
    }
}

/// Whether two loops coalesce in an operand: `next` starts where `last` ends.
pub(super) const fn coalesces(last: &Axis, next: &Axis, operand: usize) -> bool {
    matches!(
        last.extent.checked_mul(last.strides[operand]),
        Some(stride) if stride == next.strides[operand]
    )
}

/// What follows `step` coordinates of a mode: the number of steps to the end of the leaf, and the
/// stride of a step. `step` is a product of leaves and possibly of a part of the next one.
const fn rest_of_leaf(layout: &DynLayout, mode: usize, mut step: usize) -> (usize, usize) {
    let (mut leaf, end) = layout.leaf_range(mode);
    while leaf < end {
        let extent = layout.extents()[leaf];
        if !step.is_multiple_of(extent) {
            return (extent / step, layout.strides()[leaf] * step);
        }
        step /= extent;
        leaf += 1;
    }
    (1, 0)
}

/// Number of coordinates of a mode.
pub(super) const fn size_of_mode(layout: &DynLayout, mode: usize) -> usize {
    let (mut leaf, end) = layout.leaf_range(mode);
    let mut size = 1;
    while leaf < end {
        size *= layout.extents()[leaf];
        leaf += 1;
    }
    size
}

/// Offset of a coordinate of a mode.
pub(super) const fn offset_in_mode(layout: &DynLayout, mode: usize, mut index: usize) -> usize {
    let (mut leaf, end) = layout.leaf_range(mode);
    let mut offset = 0;
    while leaf < end {
        let extent = layout.extents()[leaf];
        offset += index % extent * layout.strides()[leaf];
        index /= extent;
        leaf += 1;
    }
    offset
}

const fn gcd(mut a: usize, mut b: usize) -> usize {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Checks that tensors have as many modes as letters, and the same size for the same letter. Layouts
/// that are not known at compile time (`None`) are not checked.
///
/// # Errors
///
/// [`EinsumError::Rank`] and [`EinsumError::Extent`].
pub(super) const fn check_shapes(
    subscripts: &Subscripts,
    layouts: [Option<&DynLayout>; 3],
) -> Result<(), LayoutError> {
    let mut operand = 0;
    while operand < 3 {
        if let Some(layout) = layouts[operand] {
            let letters = subscripts.len(operand);
            let fits = if letters == 0 { layout.size() == 1 } else { layout.rank() == letters };
            if !fits {
                return Err(LayoutError::Einsum(EinsumError::Rank {
                    text: subscripts.text(),
                    at: subscripts.start(operand),
                    operand: NAMES[operand],
                    letters,
                    shape: layout.shape(),
                }));
            }
        }
        operand += 1;
    }
    let mut operand = 0;
    while operand < 3 {
        let mut i = 0;
        while i < subscripts.len(operand) {
            if let Some(layout) = layouts[operand]
                && let Some((first, mode)) = first_use(subscripts, layouts, operand, i)
                && let Some(other) = layouts[first]
            {
                let extents = [size_of_mode(other, mode), size_of_mode(layout, i)];
                if extents[0] != extents[1] {
                    return Err(LayoutError::Einsum(EinsumError::Extent {
                        text: subscripts.text(),
                        at: subscripts.place(operand, i),
                        operands: [NAMES[first], NAMES[operand]],
                        extents,
                    }));
                }
            }
            i += 1;
        }
        operand += 1;
    }
    Ok(())
}

/// The first mode with the same letter, in a known layout and before mode `i` of `operand`: its
/// operand and its index.
const fn first_use(
    subscripts: &Subscripts,
    layouts: [Option<&DynLayout>; 3],
    operand: usize,
    i: usize,
) -> Option<(usize, usize)> {
    let letter = subscripts.letter(operand, i);
    let mut first = 0;
    while first <= operand {
        let mode = subscripts.find(first, letter, 0);
        let before = first < operand || mode < i;
        if layouts[first].is_some() && mode < subscripts.len(first) && before {
            return Some((first, mode));
        }
        first += 1;
    }
    None
}
