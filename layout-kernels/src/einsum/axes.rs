//! `Axis`: a loop of a contraction, with a stride in A, B and C. [`NamedModes`] turns the modes that a
//! letter names into loops.

use layout_core::engine::{DynLayout, MAX_LEAVES, Subscripts};
use layout_core::error::{EinsumError, LayoutError};

use crate::gemm::{Loop, ModeLeaves, coalesces};
use crate::list::List;

/// Names of the operands, for errors.
const NAMES: [char; 3] = ['A', 'B', 'C'];

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

/// Whether a loop with the strides `next` continues a loop in all three tensors.
pub(super) const fn continues((extent, [a, b, c]): Loop, next: [usize; 3]) -> bool {
    let [next_a, next_b, next_c] = next;
    coalesces(extent, a, next_a) && coalesces(extent, b, next_b) && coalesces(extent, c, next_c)
}

/// Yields each letter of A and B once.
pub(super) struct Letters<'a> {
    subscripts: &'a Subscripts,
    operand: usize,
    next: usize,
}

impl<'a> Letters<'a> {
    pub(super) const fn of(subscripts: &'a Subscripts) -> Self {
        Self { subscripts, operand: 0, next: 0 }
    }

    pub(super) const fn next(&mut self) -> Option<u8> {
        let (all, mut letter) = (self.subscripts, None);
        while letter.is_none() && self.operand < 2 {
            if self.next == all.len(self.operand) {
                (self.operand, self.next) = (self.operand + 1, 0);
                continue;
            }
            let this = all.letter(self.operand, self.next);
            let is_in_a = self.operand == 1 && all.has(0, this);
            if !is_in_a && all.find(self.operand, this, 0) == self.next {
                letter = Some(this);
            }
            self.next += 1;
        }
        letter
    }
}

/// A mode of an operand.
#[derive(Clone, Copy)]
struct NamedMode<'a> {
    operand: usize,
    mode: usize,
    leaves: ModeLeaves<'a>,
    /// That of the leaves.
    size: usize,
}

impl NamedMode<'_> {
    /// What follows `step` coordinates: the number of steps to the end of the leaf, and the stride of a
    /// step. `step` is a product of leaves and possibly of a part of the next one.
    const fn rest_of_leaf(&self, mut step: usize) -> (usize, usize) {
        let (ModeLeaves { extents, strides }, mut leaf) = (&self.leaves, 0);
        while leaf < extents.len() {
            let extent = extents[leaf];
            if step == 1 && extent != 1 {
                return (extent, strides[leaf]);
            }
            if !step.is_multiple_of(extent) {
                return (extent / step, strides[leaf] * step);
            }
            step /= extent;
            leaf += 1;
        }
        (1, 0)
    }
}

/// The modes that a letter names in A, B and C.
pub(super) struct NamedModes<'a>(List<NamedMode<'a>, { 3 * MAX_LEAVES }>);

impl<'a> NamedModes<'a> {
    /// No modes, to which [`add`](Self::add) adds those of a letter. In place, because moving them takes
    /// longer than a small product.
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self(List::new())
    }

    /// Adds the modes of a letter. Layouts that are not known at compile time (`None`) have none. The others
    /// have as many modes as letters: see [`check_ranks`].
    ///
    /// # Errors
    ///
    /// [`EinsumError::Extent`] if the sizes of the modes differ.
    pub(super) const fn add(
        &mut self,
        subscripts: &Subscripts,
        layouts: [Option<&'a DynLayout>; 3],
        letter: u8,
    ) -> Result<(), LayoutError> {
        let (modes, mut operand) = (&mut self.0, 0);
        while operand < 3 {
            if let Some(layout) = layouts[operand] {
                let mut mode = subscripts.find(operand, letter, 0);
                while mode < subscripts.len(operand) {
                    let leaves = ModeLeaves::of(layout, mode);
                    let size = leaves.size();
                    modes.push(NamedMode { operand, mode, leaves, size });
                    let first = modes.at(0);
                    let extents = [first.size, size];
                    if extents[0] != extents[1] {
                        return Err(LayoutError::Einsum(EinsumError::Extent {
                            text: subscripts.text(),
                            at: subscripts.place(operand, mode),
                            operands: [NAMES[first.operand], NAMES[operand]],
                            extents,
                        }));
                    }
                    mode = subscripts.find(operand, letter, mode + 1);
                }
            }
            operand += 1;
        }
        Ok(())
    }

    /// Number of coordinates of each mode.
    pub(super) const fn size(&self) -> usize {
        self.0.at(0).size
    }

    /// Adds the loops of the letter to an empty list: splits the modes at the leaf boundaries of all of them.
    /// `false` if they have no common refinement, as (4,6) and (6,4).
    pub(super) const fn add_axes(&self, axes: &mut List<Axis, { 2 * MAX_LEAVES }>) -> bool {
        let (modes, size) = (self.0.as_slice(), self.size());
        // C names a letter once.
        let last = &modes[modes.len() - 1];
        let mode = if last.operand == 2 { last.mode } else { MAX_LEAVES };
        if size == 0 {
            axes.push(Axis { extent: 0, strides: [0; 3], mode, coordinate_stride: 1 });
        }
        let mut step = 1;
        while step < size {
            // The longest loop that stays in one leaf of each mode.
            let (mut extent, mut i) = (0, 0);
            // Variables, not an array: its elements would be stored one by one and loaded in pairs, which
            // waits for the stores.
            let (mut a, mut b, mut c) = (0, 0, 0);
            while i < modes.len() {
                let (left, stride) = modes[i].rest_of_leaf(step);
                if extent != left {
                    extent = gcd(extent, left);
                }
                match modes[i].operand {
                    0 => a += stride,
                    1 => b += stride,
                    _ => c += stride,
                }
                i += 1;
            }
            if extent == 1 {
                return false;
            }
            let axis = Axis { extent, strides: [a, b, c], mode, coordinate_stride: step };
            match axes.as_mut_slice() {
                [.., last] if continues((last.extent, last.strides), axis.strides) => {
                    last.extent *= extent;
                }
                _ => axes.push(axis),
            }
            step *= extent;
        }
        true
    }
}

const fn gcd(mut a: usize, mut b: usize) -> usize {
    while a != 0 {
        (a, b) = (b % a, a);
    }
    b
}

/// The offsets in A, B and C of one coordinate of a letter.
pub(super) fn offsets_of_letter(
    subscripts: &Subscripts,
    layouts: [&DynLayout; 3],
    letter: u8,
    index: usize,
) -> [usize; 3] {
    core::array::from_fn(|operand| {
        let letters = (0..subscripts.len(operand)).map(|mode| subscripts.letter(operand, mode));
        let modes = letters.enumerate().filter(|(_, other)| *other == letter);
        modes.map(|(mode, _)| offset_in_mode(layouts[operand], mode, index)).sum()
    })
}

/// Offset of a coordinate of a mode.
fn offset_in_mode(layout: &DynLayout, mode: usize, mut index: usize) -> usize {
    let ModeLeaves { extents, strides } = ModeLeaves::of(layout, mode);
    let digits = extents.iter().zip(strides).map(|(extent, stride)| {
        let digit = index % extent;
        index /= extent;
        digit * stride
    });
    digits.sum()
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
    attempt!(check_ranks(subscripts, layouts));
    let mut letters = Letters::of(subscripts);
    while let Some(letter) = letters.next() {
        attempt!(NamedModes::new().add(subscripts, layouts, letter));
    }
    Ok(())
}

/// Checks that tensors have as many modes as letters.
///
/// # Errors
///
/// [`EinsumError::Rank`].
pub(super) const fn check_ranks(
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
    Ok(())
}
