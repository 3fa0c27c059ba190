//! Properties of the image of a layout: is it injective, does it have gaps.

use crate::engine::int_tuple::{IntTuple, MAX_LEAVES};
use crate::engine::layout::DynLayout;
use crate::engine::subset_sum::{Answer, Counters, STEPS};
use crate::error::{AlgebraError, LayoutError};

impl DynLayout {
    /// Whether no two coordinates have the same offset.
    ///
    /// Exact, even if the ranges of modes overlap without a collision: `(2,2):(2,3)` has the offsets
    /// 0, 2, 3, 5.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// let injective = |text| DynLayout::parse(text).unwrap().is_injective();
    /// assert_eq!((injective("(4,8):(8,1)"), injective("(2,2):(2,3)")), (Ok(true), Ok(true)));
    /// assert_eq!((injective("(4,8):(0,1)"), injective("(4,2):(1,3)")), (Ok(false), Ok(false)));
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::TooManyOverlaps`] if a search of about 0.1 s gives no answer. That takes a
    /// dozen or more overlapping modes whose strides have no common structure.
    pub const fn is_injective(&self) -> Result<bool, LayoutError> {
        let modes = match self.sorted_by_stride() {
            Some(modes) => modes,
            None => return Ok(true),
        };
        let reach = modes.reach();
        // A stride larger than the reach of all smaller modes cannot cause a collision.
        let mut last = modes.len;
        while last > 0 && modes.stride[last - 1] > reach[last - 1] {
            last -= 1;
        }
        if last == 0 {
            return Ok(true);
        }
        // More coordinates than offsets: two of them collide.
        if modes.stride[0] == 0 || self.size() > self.cosize() {
            return Ok(false);
        }
        // Two coordinates collide iff some z != 0 with |z_k| < s_k has sum z_k * d_k = 0. Without
        // loss of generality its last nonzero z_k is positive.
        let mut steps = STEPS;
        let mut open = false;
        repeat!(k, 0..last, {
            if modes.stride[k] <= reach[k] {
                match modes.returns(k, reach[k] - modes.stride[k], &mut steps) {
                    Answer::Found => return Ok(false),
                    Answer::Absent => {}
                    Answer::Open => open = true,
                }
            }
        });
        if open { Err(self.too_many_overlaps()) } else { Ok(true) }
    }

    const fn too_many_overlaps(&self) -> LayoutError {
        let (shape, stride) = (self.shape(), self.stride());
        LayoutError::Algebra(AlgebraError::TooManyOverlaps { shape, stride })
    }

    /// Whether every offset below [`cosize`](Self::cosize) has a coordinate.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// let contiguous = |text| DynLayout::parse(text).unwrap().is_contiguous();
    /// assert!(contiguous("(4,8):(8,1)") && contiguous("(4,8):(1,3)"));
    /// assert!(!contiguous("(4,8):(1,5)"));
    /// ```
    pub const fn is_contiguous(&self) -> bool {
        let modes = match self.sorted_by_stride() {
            Some(modes) => modes,
            None => return true,
        };
        // By rising stride: the reach of the smaller strides has no gaps, so the next stride must
        // start at most one beyond it. A larger stride can never fill a gap.
        let mut reach = 0;
        repeat!(k, 0..modes.len, {
            if modes.stride[k] > reach + 1 {
                return false;
            }
            reach += (modes.extent[k] - 1) * modes.stride[k];
        });
        true
    }

    /// Whether each offset below [`cosize`](Self::cosize) has exactly one coordinate: the layout
    /// is compact, in some order of its modes.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// let bijective = |text| DynLayout::parse(text).unwrap().is_bijective();
    /// assert!(bijective("(4,(2,8)):(16,(1,2))"));
    /// assert!(!bijective("(4,8):(1,3)") && !bijective("(4,8):(1,5)"));
    /// ```
    pub const fn is_bijective(&self) -> bool {
        self.size() == self.cosize() && self.is_contiguous()
    }

    /// The offsets of all coordinates in rising order, each once.
    ///
    /// It visits every offset below [`cosize`](Self::cosize).
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// let l = DynLayout::parse("(2,2,2):(3,2,0)").unwrap();
    /// assert_eq!(l.image().collect::<Result<Vec<_>, _>>()?, [0, 2, 3, 5]);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The last item is [`AlgebraError::TooManyOverlaps`] if modes overlap so much that the searches
    /// take more than about 0.1 s, plus a few microseconds per offset.
    pub fn image(&self) -> impl Iterator<Item = Result<usize, LayoutError>> {
        Offsets::new(self, true)
    }

    /// The offsets below [`cosize`](Self::cosize) that no coordinate has, in rising order. The
    /// others are the [`image`](Self::image).
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// let padded = DynLayout::parse("(3,2):(1,4)").unwrap();
    /// assert_eq!(padded.gaps().collect::<Result<Vec<_>, _>>()?, [3]);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`image`](Self::image).
    pub fn gaps(&self) -> impl Iterator<Item = Result<usize, LayoutError>> {
        Offsets::new(self, false)
    }

    /// A coordinate, congruent to the shape, of an offset: `L(coordinate_of(L, o)) = o`.
    ///
    /// Modes of stride 0 get coordinate 0. If several coordinates have the offset, any of them is
    /// returned.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// let padded = DynLayout::parse("(3,(2,2)):(1,(4,8))").unwrap();
    /// assert_eq!(padded.coordinate_of(6)?.to_string(), "(2,(1,0))");
    /// assert!(padded.coordinate_of(7).is_err());
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::NotInImage`]; [`AlgebraError::TooManyOverlaps`] if a search of about 0.1 s
    /// gives no answer, as for [`is_injective`](Self::is_injective).
    #[doc(alias = "get_hier_coord")]
    pub const fn coordinate_of(&self, offset: usize) -> Result<IntTuple, LayoutError> {
        match self.preimage(offset) {
            Ok(Some(coordinate)) => Ok(coordinate),
            Ok(None) => {
                let (shape, stride) = (self.shape(), self.stride());
                Err(LayoutError::Algebra(AlgebraError::NotInImage { offset, shape, stride }))
            }
            Err(error) => Err(error),
        }
    }

    /// [`coordinate_of`](Self::coordinate_of), or `None` for an offset that no coordinate has.
    ///
    /// ```
    /// use static_layout::engine::DynLayout;
    /// let padded = DynLayout::parse("(3,(2,2)):(1,(4,8))").unwrap();
    /// assert_eq!(padded.preimage(7)?, None);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AlgebraError::TooManyOverlaps`], as for [`is_injective`](Self::is_injective).
    pub const fn preimage(&self, offset: usize) -> Result<Option<IntTuple>, LayoutError> {
        let mut at = [0; MAX_LEAVES];
        match self.search(offset, &mut { STEPS }, &mut at) {
            Answer::Found => Ok(Some(self.shape().with_leaves(&at))),
            Answer::Open => Err(self.too_many_overlaps()),
            Answer::Absent => Ok(None),
        }
    }

    /// Finds a coordinate of an offset, leaf by leaf.
    const fn search(
        &self,
        offset: usize,
        steps: &mut usize,
        at: &mut [usize; MAX_LEAVES],
    ) -> Answer {
        let modes = match self.sorted_by_stride() {
            Some(modes) => modes,
            None => return Answer::Absent,
        };
        let mut counters = Counters::NONE;
        let mut leaves = [0; MAX_LEAVES];
        let mut count = 0;
        repeat!(k, 0..modes.len, {
            if modes.stride[k] > 0 {
                counters.push(modes.extent[k] - 1, modes.stride[k]);
                leaves[count] = modes.leaf[k];
                count += 1;
            }
        });
        let mut found = [0; MAX_LEAVES];
        let answer = counters.find(offset, steps, &mut found);
        while count > 0 {
            count -= 1;
            at[leaves[count]] = found[count];
        }
        answer
    }

    /// The leaves with more than one element by rising stride, in a stable order; `None` for an
    /// empty layout.
    pub(crate) const fn sorted_by_stride(&self) -> Option<SortedModes> {
        let mut modes = SortedModes {
            len: 0,
            extent: [0; MAX_LEAVES],
            stride: [0; MAX_LEAVES],
            leaf: [0; MAX_LEAVES],
        };
        repeat!(i, 0..self.len(), {
            let (extent, stride) = (self.extent_at(i), self.stride_at(i));
            if extent == 0 {
                return None;
            }
            if extent > 1 {
                let mut k = modes.len;
                while k > 0 && modes.stride[k - 1] > stride {
                    modes.stride[k] = modes.stride[k - 1];
                    modes.extent[k] = modes.extent[k - 1];
                    modes.leaf[k] = modes.leaf[k - 1];
                    k -= 1;
                }
                modes.stride[k] = stride;
                modes.extent[k] = extent;
                modes.leaf[k] = i;
                modes.len += 1;
            }
        });
        Some(modes)
    }
}

/// Iterator over the offsets below the cosize that are in the image, or over those that are not.
struct Offsets {
    layout: DynLayout,
    in_image: bool,
    next: usize,
    end: usize,
    steps: usize,
}

impl Offsets {
    /// Search steps that each offset adds to the shared limit: each of many offsets may take a few
    /// steps.
    const STEPS_OF_EACH: usize = 64;

    const fn new(layout: &DynLayout, in_image: bool) -> Self {
        Self { layout: *layout, in_image, next: 0, end: layout.cosize(), steps: STEPS }
    }
}

impl Iterator for Offsets {
    type Item = Result<usize, LayoutError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.next < self.end {
            let offset = self.next;
            self.next += 1;
            self.steps = self.steps.saturating_add(Self::STEPS_OF_EACH);
            match self.layout.search(offset, &mut self.steps, &mut [0; MAX_LEAVES]) {
                Answer::Open => {
                    self.next = self.end;
                    return Some(Err(self.layout.too_many_overlaps()));
                }
                answer if (answer == Answer::Found) == self.in_image => return Some(Ok(offset)),
                _ => {}
            }
        }
        None
    }
}

/// Leaves by rising stride, with the index of each leaf in the layout.
pub(crate) struct SortedModes {
    pub(crate) len: usize,
    pub(crate) extent: [usize; MAX_LEAVES],
    pub(crate) stride: [usize; MAX_LEAVES],
    pub(crate) leaf: [usize; MAX_LEAVES],
}

impl SortedModes {
    /// For each `k`, the largest offset that the modes `0..k` reach together.
    const fn reach(&self) -> [usize; MAX_LEAVES + 1] {
        let mut reach = [0; MAX_LEAVES + 1];
        repeat!(k, 0..self.len, {
            reach[k + 1] = reach[k] + (self.extent[k] - 1) * self.stride[k];
        });
        reach
    }

    /// Whether `z_0 * d_0 + .. + z_k * d_k = 0` has a solution with `|z_i| < s_i` and `z_k > 0`.
    ///
    /// Shifted to nonnegative counters: `z_i + s_i - 1` for `i < k`, and `z_k - 1`. `target` is the
    /// sum that they must have.
    const fn returns(&self, k: usize, target: usize, steps: &mut usize) -> Answer {
        let mut counters = Counters::NONE;
        repeat!(i, 0..k, {
            counters.push(2 * (self.extent[i] - 1), self.stride[i]);
        });
        counters.push(self.extent[k] - 2, self.stride[k]);
        counters.find(target, steps, &mut [0; MAX_LEAVES])
    }
}
