//! `Par`: whether a kernel may use other threads than the calling one.

#[cfg(feature = "rayon")]
use core::num::NonZero;
use core::ops::Range;

/// How a kernel runs its pieces of work: sequentially, or on several threads.
///
/// Kernels use other threads only if an argument of this type says so. Results do not depend on it.
///
/// ```
/// use static_layout::kernels::Par;
/// assert_eq!(Par::default(), Par::Sequential);
/// assert_eq!(Par::Sequential.threads(), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Par {
    /// On the calling thread.
    #[default]
    Sequential,
    /// On rayon's current thread pool, with the work split for this many threads; see [`Par::rayon`].
    #[cfg(feature = "rayon")]
    Rayon(NonZero<usize>),
}

impl Par {
    /// All threads of rayon's current pool: the pool whose `install` is running, or the global one.
    ///
    /// ```
    /// # #[cfg(feature = "rayon")]
    /// assert!(static_layout::kernels::Par::rayon().threads() >= 1);
    /// ```
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn rayon() -> Self {
        // A pool has at least one thread.
        Self::Rayon(NonZero::new(rayon::current_num_threads()).unwrap_or(NonZero::<usize>::MIN))
    }

    /// Number of threads that the work is split for.
    #[must_use]
    pub const fn threads(&self) -> usize {
        match self {
            Self::Sequential => 1,
            #[cfg(feature = "rayon")]
            Self::Rayon(threads) => threads.get(),
        }
    }

    /// Calls `piece` with each index below `pieces`, in any order and possibly in parallel.
    ///
    /// Returns after all calls have returned. A panic in one of them is propagated.
    #[allow(dead_code, reason = "kernels that have no threads yet will")]
    pub(crate) fn for_each(self, pieces: usize, piece: impl Fn(usize) + Send + Sync) {
        match self {
            #[cfg(feature = "rayon")]
            Self::Rayon(_) if pieces > 1 => {
                use rayon::iter::{
                    IndexedParallelIterator, IntoParallelIterator, ParallelIterator,
                };
                // Pieces are large, so each one is its own task.
                (0..pieces).into_par_iter().with_max_len(1).for_each(piece);
            }
            _ => (0..pieces).for_each(piece),
        }
    }
}

/// Whether threads that divide equal items are idle for at most an eighth of the time.
pub(crate) const fn are_busy(threads: usize, items: usize) -> bool {
    let idle = (threads - items % threads) % threads;
    items >= threads && items / 7 >= idle
}

/// The items of part `i`, if `total` items are split into `count` parts of about the same size.
#[inline]
pub(crate) const fn part_of(total: usize, i: usize, count: usize) -> Range<usize> {
    part_start(total, i, count)..part_start(total, i + 1, count)
}

/// The first item of part `i`, or `total` if there is no such part. Not `total * i / count`, which may
/// overflow.
#[inline]
pub(crate) const fn part_start(total: usize, i: usize, count: usize) -> usize {
    // The first parts have one item more than the others.
    let longer = total % count;
    total / count * i + if i < longer { i } else { longer }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::{AtomicUsize, Ordering};

    fn runs_each_piece_once(par: Par) {
        let counts: Vec<AtomicUsize> = (0..37).map(|_| AtomicUsize::new(0)).collect();
        par.for_each(counts.len(), |i| {
            counts[i].fetch_add(1, Ordering::Relaxed);
        });
        assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 1), "{par:?}");
        par.for_each(0, |_| panic!("there is no piece"));
    }

    #[test]
    fn parts_cover_all_items_once() {
        for (total, count) in [(0, 3), (2, 3), (7, 3), (64, 8), (usize::MAX, 1000)] {
            let mut next = 0;
            for i in 0..count {
                let part = part_of(total, i, count);
                assert_eq!(part.start, next);
                assert!(part.len() == total / count || part.len() == total / count + 1);
                next = part.end;
            }
            assert_eq!(next, total);
        }
        let last = part_of(usize::MAX, usize::MAX - 1, usize::MAX);
        assert_eq!(last, usize::MAX - 1..usize::MAX);
    }

    #[test]
    fn threads_are_busy_with_many_or_equally_many_items() {
        let items = |threads| (0..20).filter(|&items| are_busy(threads, items)).collect::<Vec<_>>();
        assert_eq!(items(1), (1..20).collect::<Vec<_>>());
        assert_eq!(items(2), [2, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
        assert_eq!(items(4), [4, 7, 8, 11, 12, 14, 15, 16, 18, 19]);
    }

    #[test]
    fn each_piece_runs_once() {
        runs_each_piece_once(Par::Sequential);
        #[cfg(feature = "rayon")]
        runs_each_piece_once(Par::rayon());
    }
}
