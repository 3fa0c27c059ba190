//! The affine map of a metal layout: from the dimensions of a tensor to those of a grid.

use core::fmt;

use crate::devices::MAX_DIMENSIONS;
use crate::devices::numbers::{array, check_rank, plus_times, times};
use crate::error::{LayoutError, TenstorrentError};

/// A linear map from a coordinate to the dimensions of a grid: `(d0, d1, d2) -> (d0 * 8 + d1, d2)`.
/// It has a row of coefficients for each result.
///
/// ```
/// use static_layout::devices::tenstorrent::AffineMap;
/// let map = AffineMap::new(4, &[&[192, 64, 1, 0], &[0, 0, 0, 1]])?;
/// assert_eq!(map.to_string(), "(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)");
/// assert_eq!(map, AffineMap::collapsed(&[2, 3, 64, 128], &[(0, -1)], 2)?);
/// # Ok::<(), static_layout::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct AffineMap {
    rows: [[usize; MAX_DIMENSIONS]; MAX_DIMENSIONS],
    results: usize,
    rank: usize,
}

impl AffineMap {
    /// The map of a tensor of `rank` dimensions with these rows of coefficients.
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::MapRank`]; more dimensions or results than [`MAX_DIMENSIONS`].
    #[inline]
    pub const fn new(rank: usize, rows: &[&[usize]]) -> Result<Self, LayoutError> {
        let mut map = attempt!(Self::empty(rank, rows.len()));
        while map.results < rows.len() {
            let row = rows[map.results];
            refuse!(row.len() != rank, TenstorrentError::MapRank { dimensions: row.len(), rank });
            map.rows[map.results] = array(row, 0);
            map.results += 1;
        }
        Ok(map)
    }

    /// The map with the first `results` of these rows.
    #[inline]
    pub(super) const fn of_rows(
        rank: usize,
        rows: &[[usize; MAX_DIMENSIONS]; MAX_DIMENSIONS],
        results: usize,
    ) -> Result<Self, LayoutError> {
        let map = attempt!(Self::empty(rank, results));
        Ok(Self { rows: *rows, results, ..map })
    }

    /// The map with a row prepended. A map without rows fits any rank.
    #[inline]
    pub(crate) const fn with_first_row(mut self, row: &[usize]) -> Result<Self, LayoutError> {
        if self.results == 0 {
            self.rank = row.len();
        } else if row.len() != self.rank {
            return Err(
                TenstorrentError::MapRank { dimensions: row.len(), rank: self.rank }.widen()
            );
        }
        let mut map = attempt!(Self::empty(self.rank, self.results + 1));
        map.results = self.results + 1;
        repeat!(i, 0..self.results, {
            map.rows[i + 1] = self.rows[i];
        });
        map.rows[0] = array(row, 0);
        Ok(map)
    }

    const fn empty(rank: usize, results: usize) -> Result<Self, LayoutError> {
        attempt!(check_rank(rank));
        attempt!(check_rank(results));
        Ok(Self { rows: [[0; MAX_DIMENSIONS]; MAX_DIMENSIONS], results: 0, rank })
    }

    /// The map that joins the dimensions of a tensor in each of these intervals into one, row-major,
    /// for a grid of `results` dimensions. Intervals are half open, and negative numbers count from
    /// the end. Tenstorrent's default is `(0, -1)`: all dimensions but the last.
    ///
    /// An empty interval changes nothing, like `(0, -1)` for a tensor of one dimension. Dimensions
    /// outside all intervals stay as they are. For a grid with more dimensions, zeros are prepended:
    /// `(d0) -> (0, d0)`.
    ///
    /// ```
    /// use static_layout::devices::tenstorrent::AffineMap;
    /// let joined = AffineMap::collapsed(&[2, 3, 4, 5, 6, 7, 8], &[(0, 3), (-3, -1)], 4)?;
    /// let text = "(d0, d1, d2, d3, d4, d5, d6) -> (d0 * 12 + d1 * 4 + d2, d3, d4 * 7 + d5, d6)";
    /// assert_eq!(joined.to_string(), text);
    /// assert_eq!(AffineMap::collapsed(&[128], &[(0, -1)], 2)?.to_string(), "(d0) -> (0, d0)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`TenstorrentError::IntervalRange`], [`TenstorrentError::IntervalOrder`],
    /// [`TenstorrentError::IntervalOverlap`]; [`TenstorrentError::GridRank`] for a grid with fewer
    /// dimensions.
    #[inline]
    pub const fn collapsed(
        shape: &[usize],
        intervals: &[(isize, isize)],
        results: usize,
    ) -> Result<Self, LayoutError> {
        let rank = shape.len();
        let mut map = attempt!(Self::empty(rank, results));
        // For each dimension: the end of the interval that starts there, and the interval itself.
        let mut end_of = [0; MAX_DIMENSIONS];
        let mut interval_of = [0; MAX_DIMENSIONS];
        repeat!(i, 0..intervals.len(), {
            let (begin, end) = attempt!(normal(intervals[i], rank));
            repeat!(d, begin..end, {
                if interval_of[d] > 0 {
                    let (first, second) = (intervals[interval_of[d] - 1], intervals[i]);
                    let dimension = d;
                    return Err(
                        TenstorrentError::IntervalOverlap { dimension, first, second }.widen()
                    );
                }
                interval_of[d] = i + 1;
            });
            if begin < end {
                end_of[begin] = end;
            }
        });
        let mut d = 0;
        while d < rank {
            let end = if end_of[d] > d { end_of[d] } else { d + 1 };
            if map.results == results {
                let results = count_results(&end_of, rank);
                return Err(TenstorrentError::GridRank { results, grid: map.results }.widen());
            }
            let mut coefficient = 1usize;
            repeat_rev!(j, d..end, {
                map.rows[map.results][j] = coefficient;
                coefficient = attempt!(times(coefficient, shape[j], "collapse"));
            });
            map.results += 1;
            d = end;
        }
        // Zeros are prepended.
        let missing = results - map.results;
        repeat_rev!(i, 0..results, {
            map.rows[i] = if i >= missing { map.rows[i - missing] } else { [0; MAX_DIMENSIONS] };
        });
        map.results = results;
        Ok(map)
    }

    /// Number of results.
    pub const fn results(&self) -> usize {
        self.results
    }

    /// Number of dimensions of a coordinate.
    pub const fn rank(&self) -> usize {
        self.rank
    }

    /// The coefficients of result `i`.
    ///
    /// # Panics
    ///
    /// If the map has no result `i`.
    #[inline(never)]
    pub const fn row(&self, i: usize) -> &[usize] {
        assert!(i < self.results, "the map has fewer results");
        self.rows[i].split_at(self.rank).0
    }

    /// Result `i` of the last coordinate of a tensor, plus 1: the extent that the grid cuts.
    #[inline]
    pub(super) const fn extent(&self, i: usize, shape: &[usize]) -> Result<usize, LayoutError> {
        let mut extent = 1usize;
        repeat!(d, 0..self.rank, {
            let step = [self.rows[i][d], shape[d] - 1];
            extent = attempt!(plus_times(extent, step, "metal_layout"));
        });
        Ok(extent)
    }
}

/// An interval with its ends counted from 0.
#[inline]
const fn normal(interval: (isize, isize), rank: usize) -> Result<(usize, usize), LayoutError> {
    let ends = [interval.0, interval.1];
    let mut found = [0; 2];
    repeat!(i, 0..2, {
        let index = if ends[i] < 0 { ends[i].saturating_add(rank as isize) } else { ends[i] };
        if index < 0 || index > rank as isize {
            return Err(TenstorrentError::IntervalRange { index: ends[i], interval, rank }.widen());
        }
        found[i] = index as usize;
    });
    let [begin, end] = found;
    refuse!(begin > end, TenstorrentError::IntervalOrder { interval, begin, end });
    Ok((begin, end))
}

#[inline]
const fn count_results(end_of: &[usize; MAX_DIMENSIONS], rank: usize) -> usize {
    let (mut results, mut d) = (0, 0);
    while d < rank {
        d = if end_of[d] > d { end_of[d] } else { d + 1 };
        results += 1;
    }
    results
}

impl fmt::Display for AffineMap {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for d in 0..self.rank {
            write!(f, "{}d{d}", if d > 0 { ", " } else { "" })?;
        }
        f.write_str(") -> (")?;
        for i in 0..self.results {
            f.write_str(if i > 0 { ", " } else { "" })?;
            let mut plus = "";
            for (d, &coefficient) in self.row(i).iter().enumerate() {
                match coefficient {
                    0 => continue,
                    1 => write!(f, "{plus}d{d}")?,
                    _ => write!(f, "{plus}d{d} * {coefficient}")?,
                }
                plus = " + ";
            }
            if plus.is_empty() {
                f.write_str("0")?;
            }
        }
        f.write_str(")")
    }
}

debug_as_display!(AffineMap);
