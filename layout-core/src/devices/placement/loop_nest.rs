//! `Patches`: a tensor cut into boxes in which two placements of it are loop nests with constant
//! strides.

use crate::devices::placement::digit_walk::{Axis, Cut, DigitWalk, Zone};
use crate::devices::placement::model::MAX_DIMENSIONS;
use crate::devices::{Placement, Region};
use crate::error::{LayoutError, PlacementError};

/// The maximum number of loops of a patch.
pub const MAX_STEPS: usize = crate::devices::placement::digit_walk::MAX_AXES;

/// The maximum number of zones on the stack.
const MAX_WAITING: usize = 40;

/// A loop over the elements of a patch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The logical dimension that it runs along.
    pub dimension: usize,
    /// The step of its coordinate per iteration.
    pub coordinate: usize,
    /// The number of iterations.
    pub extent: usize,
    /// The step of the source slot per iteration; see [`Leaf::stride`](super::Leaf::stride).
    pub source: usize,
    /// The step of the destination slot per iteration.
    pub destination: usize,
}

/// A loop nest: elements whose slots have constant strides in two placements of one tensor.
///
/// Slots are numbers, `core * storage + offset`.
#[derive(Clone, Copy, Debug)]
pub struct Patch {
    first: [usize; MAX_DIMENSIONS],
    rank: usize,
    steps: [Step; MAX_STEPS],
    len: usize,
    /// The slot of its first element in the source.
    pub source: usize,
    /// The slot of its first element in the destination.
    pub destination: usize,
}

impl Patch {
    /// The coordinate of its first element.
    #[inline]
    pub const fn first(&self) -> &[usize] {
        self.first.split_at(self.rank).0
    }

    /// Its loops, in no particular order, each with at least two iterations.
    pub const fn steps(&self) -> &[Step] {
        self.steps.split_at(self.len).0
    }

    /// Number of elements.
    pub const fn elements(&self) -> usize {
        let mut elements = 1;
        repeat!(k, 0..self.len, {
            elements *= self.steps[k].extent;
        });
        elements
    }
}

/// The patches of two placements of a tensor. Each element is in exactly one patch.
///
/// A digit of an index is linear along a loop until it carries. A zone in which a digit carries is
/// cut: whole periods become two loops, and the rest becomes another zone. A boundary through joined
/// dimensions cuts one of them after the other. So there are few patches, independent of the
/// extents.
///
/// ```
/// use static_layout::{DynLayout, devices::{Patches, Placement}};
/// let rows = Placement::of_layout(&DynLayout::parse("(2,10):(10,1)").unwrap())?;
/// // Sticks of 4: each row has two full ones and half of one.
/// let sticks = Placement::builder(&[2, 10], 24, 1)?
///     .dimension(2, &[1, 0])?.piece(2)?.leaf(2, 4)?
///     .dimension(10, &[0, 1])?.piece(10)?.leaf(4, 1)?.leaf(3, 8)?
///     .build()?;
/// let patches: Vec<_> = Patches::new(&rows, &sticks)?.map(Result::unwrap).collect();
/// let sizes: Vec<_> = patches.iter().map(|patch| patch.elements()).collect();
/// assert_eq!(sizes, [2 * 2 * 4, 2 * 2]);
/// assert_eq!((patches[1].first(), patches[1].source, patches[1].destination), (&[0, 8][..], 8, 16));
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone)]
pub struct Patches {
    source: DigitWalk,
    destination: DigitWalk,
    waiting: [Option<Zone>; MAX_WAITING],
    len: usize,
}

impl Patches {
    /// The patches of two placements of a tensor.
    ///
    /// # Errors
    ///
    /// [`LayoutError::CopyShape`] if the shapes differ.
    pub const fn new(source: &Placement, destination: &Placement) -> Result<Self, LayoutError> {
        Self::within(source, destination, &destination.region())
    }

    /// The patches of the elements with these coordinates, for example of one
    /// [`Move`](crate::devices::Move).
    ///
    /// ```
    /// use static_layout::{DynLayout, devices::{Patches, Placement}};
    /// let of = |text| Placement::of_layout(&DynLayout::parse(text).unwrap());
    /// let (rows, columns) = (of("(4,6):(6,1)")?, of("(4,6):(1,4)")?);
    /// let all = rows.region();
    /// let patch = Patches::within(&rows, &columns, &all)?.step().unwrap()?;
    /// assert_eq!((patch.elements(), patch.source, patch.destination), (24, 0, 0));
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::CopyShape`] if the shapes differ, and coordinates outside the shape.
    pub const fn within(
        source: &Placement,
        destination: &Placement,
        region: &Region,
    ) -> Result<Self, LayoutError> {
        if !source.linear().same_mode_sizes(destination.linear()) {
            let (source, destination) = (source.shape(), destination.shape());
            return Err(LayoutError::CopyShape { source, destination });
        }
        let whole = destination.region();
        if region.end().len() != whole.end().len() {
            let (entries, rank) = (region.end().len(), whole.end().len());
            return Err(PlacementError::CoordinateRank { entries, rank }.widen());
        }
        repeat!(d, 0..whole.end().len(), {
            let (coordinate, extent) = (region.end()[d] - 1, whole.end()[d]);
            refuse!(coordinate >= extent, LayoutError::CoordinateOutOfRange { coordinate, extent });
        });
        let mut waiting = [None; MAX_WAITING];
        waiting[0] = Some(Zone::of(region));
        let (source, destination) = (DigitWalk::of(source), DigitWalk::of(destination));
        Ok(Self { source, destination, waiting, len: 1 })
    }

    /// The next patch, as a `const fn`.
    ///
    /// # Errors
    ///
    /// [`PlacementError::TooManyCuts`] if the stack of zones overflows, which takes many joined
    /// dimensions and odd extents.
    pub const fn step(&mut self) -> Option<Result<Patch, LayoutError>> {
        if self.len == 0 {
            return None;
        }
        self.len -= 1;
        let Some(mut zone) = self.waiting[self.len] else { return None };
        loop {
            let cut = match self.lay(&zone) {
                Ok(patch) => return Some(Ok(patch)),
                Err(cut) => cut,
            };
            if let Some(rest) = zone.cut(cut) {
                if self.len == MAX_WAITING {
                    return Some(Err(PlacementError::TooManyCuts { limit: MAX_WAITING }.widen()));
                }
                self.waiting[self.len] = Some(rest);
                self.len += 1;
            }
        }
    }

    /// The patch of a zone, or where to cut the zone.
    const fn lay(&self, zone: &Zone) -> Result<Patch, Cut> {
        let source = match self.source.follow(zone) {
            Ok(lines) => lines,
            Err(cut) => return Err(cut),
        };
        let destination = match self.destination.follow(zone) {
            Ok(lines) => lines,
            Err(cut) => return Err(cut),
        };
        let once = Step { dimension: 0, coordinate: 0, extent: 1, source: 0, destination: 0 };
        let mut patch = Patch {
            first: zone.first,
            rank: self.destination.rank(),
            steps: [once; MAX_STEPS],
            len: zone.axes().len(),
            source: source.first,
            destination: destination.first,
        };
        repeat!(k, 0..patch.len, {
            let Axis { dimension, weight, extent } = zone.axes()[k];
            patch.steps[k] = Step {
                dimension,
                coordinate: weight,
                extent,
                source: source.strides[k],
                destination: destination.strides[k],
            };
        });
        Ok(patch)
    }
}

impl Iterator for Patches {
    type Item = Result<Patch, LayoutError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.step()
    }
}
