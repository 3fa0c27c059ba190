//! `Pieces`: a product of nested modes in pieces whose offset tables are small.

use core::ops::Range;

use layout_core::engine::DynLayout;

use crate::gemm::problem::mode::Mode;
use crate::gemm::problem::operands::{Axis, order, refine};

/// The most coordinates of a mode that has a table.
const MOST: usize = 1 << 20;

/// A product of nested modes.
#[derive(Clone)]
pub(crate) struct Pieces {
    /// Those of A (M,K), B (K,N) and C (M,N).
    modes: [Mode; 6],
    /// How often each product counts: the extents along K that are broadcast in A and in B.
    pub(crate) times: usize,
}

/// Where a piece is.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Its first element in A, in B and in C.
    pub(crate) offsets: [usize; 3],
    /// Whether it is the first along K, which meets what C holds, and whether it is the last.
    pub(crate) first: bool,
    pub(crate) last: bool,
}

/// M, K and N: the two operands that have the mode, as numbers of modes and of operands.
const PAIRS: [([usize; 2], [usize; 2]); 3] = [([0, 4], [0, 2]), ([1, 2], [0, 1]), ([3, 5], [1, 2])];

impl Pieces {
    /// The product of matrices. When `reorder`, its axes are put in the order that suits memory.
    pub(crate) fn new(matrices: [&DynLayout; 3], reorder: bool) -> Self {
        let mut modes: [Mode; 6] = core::array::from_fn(|i| Mode::of(matrices[i / 2], i % 2));
        let times = once(&mut modes);
        if reorder {
            order(&mut modes);
        }
        Self { modes, times }
    }

    /// Calls `make` with the modes and the place of each piece.
    pub(crate) fn each(&self, make: &mut dyn FnMut(&[Mode; 6], Place)) {
        cut(&self.modes, Place { offsets: [0; 3], first: true, last: true }, make);
    }

    /// The modes of the first piece.
    pub(crate) fn first(&self) -> [Mode; 6] {
        let mut modes = self.modes;
        while let Some((pair, axes)) = too_long(&modes) {
            shorten(&mut modes, pair, &axes, 0..chunk(&axes));
        }
        modes
    }
}

/// Leaves out the axes along K that have no stride in A and none in B; returns how often each of the
/// other products counts.
fn once(modes: &mut [Mode; 6]) -> usize {
    let Some(mut axes) = refine(&modes[1], &modes[2]) else { return 1 };
    let mut times = 1usize;
    axes.retain(|&(extent, strides)| {
        let counts = strides == [0, 0];
        // The extents of a layout have a size that fits.
        times = if counts { times.saturating_mul(extent) } else { times };
        !counts
    });
    set(modes, [1, 2], &axes);
    times
}

/// Partition a product until no table is too long.
fn cut(modes: &[Mode; 6], place: Place, make: &mut dyn FnMut(&[Mode; 6], Place)) {
    let Some((pair, axes)) = too_long(modes) else { return make(modes, place) };
    let (extent, strides) = axes[axes.len() - 1];
    let chunk = chunk(&axes);
    for start in (0..extent).step_by(chunk) {
        let end = extent.min(start + chunk);
        let (mut modes, mut place) = (*modes, place);
        shorten(&mut modes, pair, &axes, start..end);
        for (operand, stride) in PAIRS[pair].1.into_iter().zip(strides) {
            place.offsets[operand] += start * stride;
        }
        if pair == 1 {
            place.first &= start == 0;
            place.last &= end == extent;
        }
        cut(&modes, place, make);
    }
}

/// The first of [`PAIRS`] that has a table that is too long, and its axes, of which the last one can
/// be cut.
fn too_long(modes: &[Mode; 6]) -> Option<(usize, Vec<Axis>)> {
    PAIRS.iter().enumerate().find_map(|(pair, &([i, j], _))| {
        let nested = modes[i].extents().len() > 1 || modes[j].extents().len() > 1;
        if !nested || modes[i].size() <= MOST {
            return None;
        }
        refine(&modes[i], &modes[j]).map(|axes| (pair, axes))
    })
}

/// How much of the last axis makes a table that is not too long.
fn chunk(axes: &[Axis]) -> usize {
    let inner = axes[..axes.len() - 1].iter().map(|&(extent, _)| extent).product::<usize>();
    (MOST / inner).max(1)
}

/// A part of the last axis in place of all of it.
fn shorten(modes: &mut [Mode; 6], pair: usize, axes: &[Axis], part: Range<usize>) {
    let mut axes = axes.to_vec();
    if let Some(last) = axes.last_mut() {
        last.0 = part.len();
    }
    set(modes, PAIRS[pair].0, &axes);
}

/// Sets the modes of a pair.
fn set(modes: &mut [Mode; 6], pair: [usize; 2], axes: &[Axis]) {
    for (which, mode) in pair.into_iter().enumerate() {
        modes[mode] = Mode::of_axes(axes.iter().map(|&(extent, strides)| (extent, strides[which])));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(text: &str) -> DynLayout {
        DynLayout::parse(text).unwrap()
    }

    #[test]
    fn pieces_cover_a_product_once() {
        let (a, b) = (
            layout("((4,3000),(2,7)):((1,4),(0,12000))"),
            layout("((2,7),(3,600000)):((0,1),(0,7))"),
        );
        let c = layout("((4,3000),(3,600000)):((1,4),(12000,36000))");
        let pieces = Pieces::new([&a, &b, &c], false);
        // The two steps of K that no operand tells apart.
        assert_eq!(pieces.times, 2);
        let (mut sums, mut count) = (0, 0);
        pieces.each(&mut |modes, place| {
            assert!(modes.iter().all(|mode| mode.size() <= MOST));
            assert_eq!(modes[1].size(), 7);
            assert!(place.first && place.last);
            sums += modes[0].size() * modes[3].size();
            count += 1;
        });
        assert_eq!(sums, 12000 * 1_800_000);
        assert_eq!(count, 2);
        assert!(pieces.first().iter().all(|mode| mode.size() <= MOST));
    }

    #[test]
    fn pieces_along_k_are_first_and_last_once() {
        let a = layout("(1,(2,4194304)):(0,(1,2))");
        let b = layout("((2,4194304),1):((2,4),0)");
        let pieces = Pieces::new([&a, &b, &layout("(1,1):(0,0)")], true);
        // One axis in each operand: no table.
        let mut places = Vec::new();
        pieces.each(&mut |_, place| places.push(place));
        assert!(matches!(places[..], [Place { offsets: [0, 0, 0], first: true, last: true }]));
        let b = layout("((2,4194304),1):((3,7),0)");
        let pieces = Pieces::new([&a, &b, &layout("(1,1):(0,0)")], true);
        let mut places = Vec::new();
        pieces.each(&mut |_, place| places.push(place));
        assert_eq!(places.len(), 8);
        assert_eq!(places.iter().filter(|place| place.first).count(), 1);
        assert_eq!(places.iter().filter(|place| place.last).count(), 1);
        assert_eq!(places[1].offsets, [1 << 20, 7 << 19, 0]);
    }
}
