//! The newer notation: a step in host memory instead of a dimension.

use crate::devices::spyre::SpyreLayout;
use crate::devices::spyre::layout::{SYNTHETIC, room_from};
use crate::devices::{ElementType, MAX_DIMENSIONS};
use crate::engine::MAX_LEAVES;
use crate::error::{LayoutError, SpyreError};

/// The maximum number of assignments that are tried. Unless steps coincide, each device dimension is
/// tried once.
const MAX_TRIES: usize = 10_000;

impl SpyreLayout {
    /// The layout whose [`host_step`](Self::host_step)s are `stride_map`, with -1 for a synthetic
    /// dimension, on a host with these strides.
    ///
    /// Newer compiler versions use this form. Unlike `dim_map` it depends on the strides of the
    /// host: `[512, 64, 131072, 1]` is only valid for a host tensor of size (128,256,512). With the
    /// same `dim_map`, a host tensor of size (100,200,500) has `[500, 64, 100000, 1]`.
    ///
    /// ```
    /// use static_layout::devices::{ElementType, spyre::SpyreLayout};
    /// let l = SpyreLayout::from_stride_map(
    ///     &[100, 200, 500],
    ///     &[100_000, 500, 1],
    ///     ElementType::F16,
    ///     &[256, 8, 128, 64],
    ///     &[500, 64, 100_000, 1],
    /// )?;
    /// assert_eq!(l.dim_map(), &[1, 2, 0, 2]);
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SpyreError::NoSuchStep`]; [`SpyreError::AmbiguousStep`] if more than one layout has these
    /// steps, which requires a host with overlapping elements, or spare padding; the errors of
    /// [`new`](Self::new).
    #[inline]
    pub const fn from_stride_map(
        size: &[usize],
        stride: &[usize],
        element: ElementType,
        device_size: &[usize],
        stride_map: &[isize],
    ) -> Result<Self, LayoutError> {
        let host = attempt!(Self::unmapped(size, element, device_size, stride_map.len()));
        if stride.len() != size.len() {
            let (strides, rank) = (stride.len(), size.len());
            return Err(SpyreError::HostStrides { strides, rank }.widen());
        }
        let mut strides = [0; MAX_DIMENSIONS];
        repeat!(d, 0..host.rank, {
            strides[d] = stride[host.kept[d]];
        });
        let mut search = Search {
            host,
            strides,
            room: [1; MAX_DIMENSIONS],
            map: [0; MAX_LEAVES],
            found: None,
            incomplete: None,
            unmatched: host.device_rank,
            tie: 0,
            ambiguous: false,
            tries: 0,
        };
        search.assign(host.device_rank, stride_map);
        if search.ambiguous {
            let position = search.tie;
            return Err(SpyreError::AmbiguousStep { position, step: stride_map[position] }.widen());
        }
        let map = match (search.found, search.incomplete) {
            (Some(map), _) | (None, Some(map)) => map,
            (None, None) => {
                let position = search.unmatched;
                return Err(SpyreError::NoSuchStep { position, step: stride_map[position] }.widen());
            }
        };
        let map = map.split_at(host.device_rank).0;
        attempt!(Self::new(size, element, device_size, map)).with_stride(stride)
    }
}

/// Backtracking search for the host dimension of each device dimension, from the stick outwards.
struct Search {
    host: SpyreLayout,
    // Of the canonical host.
    strides: [usize; MAX_DIMENSIONS],
    // The product of the extents assigned to each dimension so far.
    room: [usize; MAX_DIMENSIONS],
    map: [isize; MAX_LEAVES],
    found: Option<[isize; MAX_LEAVES]>,
    // A map with all steps in which a dimension does not fit.
    incomplete: Option<[isize; MAX_LEAVES]>,
    unmatched: usize,
    tie: usize,
    ambiguous: bool,
    tries: usize,
}

impl Search {
    /// Assigns the device dimensions before `end`.
    #[inline]
    const fn assign(&mut self, end: usize, steps: &[isize]) {
        self.tries += 1;
        self.ambiguous |= self.tries > MAX_TRIES;
        if self.ambiguous {
            return;
        }
        if end == 0 {
            return self.complete();
        }
        let (p, step) = (end - 1, steps[end - 1]);
        if step == SYNTHETIC {
            self.map[p] = SYNTHETIC;
            return self.assign(p, steps);
        }
        // Try dimensions that do not fit yet first. If there is a layout, it is then found without
        // backtracking.
        let mut matches = 0;
        repeat!(round, 0..2, {
            repeat!(d, 0..self.host.rank, {
                let needed = self.room[d] < self.host.canonical[d];
                if needed == (round == 0) && self.makes(d, step) {
                    matches += 1;
                    if matches > 1 {
                        self.tie = p;
                    }
                    let room = self.room[d];
                    self.map[p] = d as isize;
                    self.room[d] = room.saturating_mul(self.host.device_size[p]);
                    self.assign(p, steps);
                    self.room[d] = room;
                }
            });
        });
        if matches == 0 && p < self.unmatched {
            self.unmatched = p;
        }
    }

    /// Whether the next part of dimension `d` has this step.
    #[inline]
    const fn makes(&self, d: usize, step: isize) -> bool {
        match self.strides[d].checked_mul(self.room[d]) {
            Some(next) => step >= 0 && next == step as usize,
            None => false,
        }
    }

    #[inline]
    const fn complete(&mut self) {
        repeat!(d, 0..self.host.rank, {
            if self.room[d] < self.host.canonical[d] {
                self.incomplete = Some(self.map);
                return;
            }
        });
        match self.found {
            None => self.found = Some(self.map),
            Some(first) => self.ambiguous = !self.is_same(&first),
        }
    }

    /// Whether this map and `other` are equal, ignoring parts in which the digit of every element is
    /// 0.
    #[inline]
    const fn is_same(&self, other: &[isize; MAX_LEAVES]) -> bool {
        repeat!(p, 0..self.host.device_rank, {
            let idle = self.is_idle(&self.map, p) && self.is_idle(other, p);
            if self.map[p] != other[p] && !idle {
                return false;
            }
        });
        true
    }

    #[inline]
    const fn is_idle(&self, map: &[isize; MAX_LEAVES], position: usize) -> bool {
        if map[position] == SYNTHETIC || self.host.device_size[position] == 1 {
            return true;
        }
        let (map, dimension) = (map.split_at(self.host.device_rank).0, map[position]);
        let weight = room_from(position + 1, dimension, map, self.host.device_size());
        weight >= self.host.canonical[dimension as usize]
    }
}
