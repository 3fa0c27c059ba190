//! Finds a swizzle that removes bank conflicts by exhaustive search.

use layout_core::engine::{ComposedLayout, Swizzle};
use layout_core::error::LayoutError;

use super::memory::{Banks, Memory};
use super::phases::Access;

/// Work limit of a search, in accesses and words examined.
const MAX_WORK: usize = 1 << 25;

/// What swizzles can do about the bank conflicts of accesses to one layout.
///
/// Tries every swizzle that permutes the offsets below the next power of two of the layout's cosize
/// and keeps all vectors contiguous. The smallest swizzle is the one with the fewest bits; ties go
/// to the one that leaves the most low bits unchanged, then to the shortest shift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remedy {
    /// The memory has no banks.
    NoBanks,
    /// There is no conflict.
    NotNeeded,
    /// This swizzle removes the conflicts of all phases.
    Removes(Swizzled),
    /// Every swizzle leaves conflicts. This one has the smallest degree.
    Reduces(Swizzled),
    /// No swizzle has a smaller degree than the layout without a swizzle.
    None {
        /// Number of swizzles tried.
        tried: usize,
        /// The degree that remains.
        degree: usize,
    },
    /// The search reached its work limit: no swizzle tried removes the conflicts, larger ones were
    /// not tried.
    Unfinished {
        /// Number of swizzles tried.
        tried: usize,
        /// Number of candidates.
        of: usize,
    },
}

/// A swizzle and its effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Swizzled {
    /// The swizzle.
    pub swizzle: Swizzle,
    /// The layout with this swizzle.
    pub layout: ComposedLayout,
    /// The largest remaining conflict degree.
    pub degree: usize,
    /// Number of swizzles tried up to this one, or all of them.
    pub tried: usize,
    /// The cosize: one more than the largest offset, the number of elements that the memory needs.
    pub cosize: usize,
}

/// Searches the swizzle that removes the conflicts of all accesses. It replaces a swizzle that the
/// layout already has.
pub(super) fn remedy(
    layout: &ComposedLayout,
    memory: &Memory,
    accesses: &[Access],
) -> Result<Remedy, LayoutError> {
    let Some(banks) = memory.banks else { return Ok(Remedy::NoBanks) };
    if accesses.iter().all(|access| access.conflicted() == 0) {
        return Ok(Remedy::NotNeeded);
    }
    let plain = ComposedLayout::new(&IDENTITY, layout.offset(), &layout.layout())?;
    let last = (layout.offset() + layout.layout().cosize()).saturating_sub(1);
    let candidates = candidate_swizzles(usize::BITS - last.leading_zeros());
    let mut search = Search::new(banks, &plain, accesses);
    let current_degree = accesses.iter().map(Access::degree_of_worst).max().unwrap_or(0);
    let mut best = (current_degree, None);
    let of = candidates.len();
    for (i, swizzle) in candidates.into_iter().enumerate() {
        let degree = match search.try_swizzle(&swizzle, best.0) {
            TrialResult::Rejected => continue,
            TrialResult::WorkLimitReached => return Ok(Remedy::Unfinished { tried: i, of }),
            TrialResult::Improved(degree) => degree,
            TrialResult::ConflictFree(degree) => {
                let tried = i + 1;
                return Ok(Remedy::Removes(Swizzled::new(&plain, swizzle, degree, tried)?));
            }
        };
        best = (degree, Some(swizzle));
    }
    Ok(match best {
        (degree, Some(swizzle)) => Remedy::Reduces(Swizzled::new(&plain, swizzle, degree, of)?),
        (degree, None) => Remedy::None { tried: of, degree },
    })
}

/// The identity swizzle.
pub(super) const IDENTITY: Swizzle = match Swizzle::new(0, 0, 0) {
    Ok(identity) => identity,
    Err(error) => error.panic(),
};

impl Swizzled {
    fn new(
        plain: &ComposedLayout,
        swizzle: Swizzle,
        degree: usize,
        tried: usize,
    ) -> Result<Self, LayoutError> {
        let layout = ComposedLayout::new(&swizzle, plain.offset(), &plain.layout())?;
        // Exact, except for modes that overlap too much for the search to decide.
        let cosize = layout.cosize().unwrap_or(layout.cosize_bound());
        Ok(Self { swizzle, layout, degree, tried, cosize })
    }
}

/// All swizzles of offsets of `bits` bits, the smallest first. The identity comes first.
fn candidate_swizzles(width: u32) -> Vec<Swizzle> {
    let mut all = vec![IDENTITY];
    for bits in 1..=width / 2 {
        for base in (0..=width - 2 * bits).rev() {
            for shift in bits..=width - bits - base {
                for shift in [shift as i32, -(shift as i32)] {
                    all.extend(Swizzle::new(bits, base, shift));
                }
            }
        }
    }
    all
}

/// The result of trying a swizzle.
enum TrialResult {
    /// No conflicts; the largest degree that remains.
    ConflictFree(usize),
    /// The largest degree of a conflict; smaller than the best so far.
    Improved(usize),
    /// Not better than the best so far, or it breaks vectors.
    Rejected,
    /// The work limit is reached.
    WorkLimitReached,
}

struct Search<'a> {
    banks: Banks,
    accesses: Vec<UnswizzledAccess<'a>>,
    // The access of each phase, and the offsets of its vectors without a swizzle. The worst phase
    // of the last swizzle is moved to the front.
    phases: Vec<(usize, Vec<usize>)>,
    work: usize,
}

struct UnswizzledAccess<'a> {
    access: &'a Access,
    // The element offsets of each vector, if the elements are contiguous only with a swizzle.
    elements: Option<Vec<Vec<usize>>>,
}

impl<'a> Search<'a> {
    fn new(banks: Banks, plain: &ComposedLayout, accesses: &'a [Access]) -> Self {
        let mut phases = Vec::new();
        let mut unswizzled = Vec::new();
        for (number, access) in accesses.iter().enumerate() {
            for phase in access.phases() {
                let (vectors, threads) = access.vectors_and_threads(phase);
                let starts = vectors.flat_map(|vector| {
                    let value = vector * access.vector();
                    threads.clone().map(move |thread| access.threads().at(thread, value))
                });
                let starts = starts.map(|at| plain.offset_of_index(at)).collect();
                phases.push((number, starts));
            }
            unswizzled.push(UnswizzledAccess { access, elements: elements(plain, access) });
        }
        Self { banks, accesses: unswizzled, phases, work: MAX_WORK }
    }

    /// Tries a swizzle. Stops at the first conflict that is as bad as the best so far.
    fn try_swizzle(&mut self, swizzle: &Swizzle, best: usize) -> TrialResult {
        if !self.accesses.iter().all(|one| one.keeps_vectors(swizzle)) {
            return TrialResult::Rejected;
        }
        let (mut largest, mut conflict) = (0, 0);
        for i in 0..self.phases.len() {
            let (access, starts) = &self.phases[i];
            let swizzled = starts.iter().map(|&start| swizzle.apply(start));
            let (words, degree) = self.accesses[*access].access.degree(self.banks, swizzled);
            match self.work.checked_sub(words.max(starts.len())) {
                Some(rest) => self.work = rest,
                None => return TrialResult::WorkLimitReached,
            }
            largest = largest.max(degree);
            if degree > words.div_ceil(self.banks.count).max(self.banks.ways) {
                conflict = conflict.max(degree);
                if conflict >= best {
                    self.phases.swap(0, i);
                    return TrialResult::Rejected;
                }
            }
        }
        if conflict > 0 {
            TrialResult::Improved(conflict)
        } else {
            TrialResult::ConflictFree(largest)
        }
    }
}

/// The element offsets of all vectors; `None` if all vectors are contiguous without a swizzle.
fn elements(plain: &ComposedLayout, access: &Access) -> Option<Vec<Vec<usize>>> {
    let (width, threads) = (access.vector(), access.threads());
    let vectors = (0..threads.values()).step_by(width).flat_map(|first| {
        (0..threads.threads()).map(move |thread| {
            let values = first..first + width;
            values.map(|value| plain.offset_of_index(threads.at(thread, value))).collect::<Vec<_>>()
        })
    });
    let vectors: Vec<_> = vectors.collect();
    let all_contiguous = vectors.iter().all(|vector| is_vector(vector.iter().copied()));
    (!all_contiguous).then_some(vectors)
}

/// Whether these offsets are contiguous and the first is a multiple of their number.
fn is_vector(mut offsets: impl ExactSizeIterator<Item = usize>) -> bool {
    let width = offsets.len();
    let first = offsets.next().unwrap_or(0);
    first.is_multiple_of(width.max(1))
        && offsets.zip(first + 1..).all(|(offset, next)| offset == next)
}

impl UnswizzledAccess<'_> {
    /// Whether the swizzle keeps vectors contiguous. If they are contiguous without it, it must
    /// leave the offsets inside a vector unchanged: other swizzles reorder each vector or equal a
    /// swizzle of fewer bits.
    fn keeps_vectors(&self, swizzle: &Swizzle) -> bool {
        match &self.elements {
            None => {
                swizzle.is_identity() || swizzle.base() >= self.access.vector().trailing_zeros()
            }
            Some(vectors) => vectors
                .iter()
                .all(|vector| is_vector(vector.iter().map(|&offset| swizzle.apply(offset)))),
        }
    }
}
