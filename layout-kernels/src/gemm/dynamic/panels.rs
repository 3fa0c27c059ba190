//! Packing: a block of an operand, from any layout, into a panel that a register tile reads from
//! its start to its end.

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::Range;
use core::slice;

use crate::copy::tile::{Strip, Tile, tiles};
use crate::gemm::dynamic::along::Along;
use crate::gemm::dynamic::dot::Dot;
use crate::gemm::place::{read, write};
use crate::simd::prefetch;
use crate::simd::vector::Vector;

/// A block of an operand: some coordinates along M or N, and some along K.
#[derive(Clone)]
pub(crate) struct Source<'a, X> {
    pub(crate) from: *const X,
    pub(crate) along: Along<'a>,
    pub(crate) across: Range<usize>,
    pub(crate) deep: Along<'a>,
    pub(crate) steps: Range<usize>,
}

/// Where panels are.
#[derive(Clone, Copy)]
pub(crate) struct Packed {
    /// The first word of the first panel.
    pub(crate) to: *mut u8,
    /// The words of a panel for each step, and from a panel to the next one.
    pub(crate) width: usize,
    pub(crate) next: usize,
}

/// Copies a block into panels: the word of coordinate `p * width + i` and step `k` to
/// `p * next + k * width + i`, where `i < width`. Coordinates of B are for one panel.
///
/// # Safety
///
/// The instructions are there. The element at the sum of each pair of offsets can be read, and each
/// panel has `width` words for each word along K, and a panel of B for the rows that
/// [`Kernels`](super::kernels::Kernels) says, which can be written. A panel of B is whole vectors
/// wide, the last of which has a coordinate.
pub(crate) type Pack<X> = unsafe fn(&Source<'_, X>, Packed);

/// An operand of a [`Dot`].
pub(crate) trait Side {
    type Dot: Dot;
    type Element: Copy;
    type Tile: Tile;
    /// Whether neighbours along K are a word as they are.
    const IS_WORD: bool;
    /// Whether a panel is whole registers wide, and those are to be filled.
    const PADDED: bool;

    fn word(elements: &[Self::Element]) -> Word<Self>;

    /// What comes after the words of a panel are there.
    ///
    /// # Safety
    ///
    /// As [`Pack`], for a panel of `rows` by `width` words.
    unsafe fn finish(panel: *mut Word<Self>, rows: usize, width: usize);
}

type Word<S> = <<S as Side>::Dot as Dot>::Word;

/// A of a [`Dot`].
pub(crate) struct Left<D>(PhantomData<D>);
/// B of a [`Dot`].
pub(crate) struct Right<D>(PhantomData<D>);

impl<D: Dot> Side for Left<D> {
    type Dot = D;
    type Element = D::X;
    type Tile = D::Narrow;
    const IS_WORD: bool = D::X_IS_WORD;
    const PADDED: bool = false;

    #[inline(always)]
    fn word(elements: &[D::X]) -> D::Word {
        D::x(elements)
    }

    #[inline(always)]
    unsafe fn finish(panel: *mut D::Word, rows: usize, width: usize) {
        if !D::SHIFTED {
            return;
        }
        let (lanes, all) = (D::Sums::LANES, rows * width);
        for i in (0..all).step_by(lanes) {
            let (p, n) = (panel.wrapping_add(i), lanes.min(all - i));
            // SAFETY: `n` words of the panel.
            let words = unsafe { D::load_first(p, n) };
            // SAFETY: the caller's promise.
            let words = unsafe { D::shift(words) };
            // SAFETY: `n` words of the panel.
            unsafe { D::store_first(words, p, n) };
        }
    }
}

impl<D: Dot> Side for Right<D> {
    type Dot = D;
    type Element = D::Y;
    type Tile = D::Square;
    const IS_WORD: bool = D::Y_IS_WORD;
    const PADDED: bool = true;

    #[inline(always)]
    fn word(elements: &[D::Y]) -> D::Word {
        D::y(elements)
    }

    #[inline(always)]
    unsafe fn finish(panel: *mut D::Word, rows: usize, width: usize) {
        if !D::SHIFTED {
            return;
        }
        for i in (0..width).step_by(D::Sums::LANES) {
            // SAFETY: a vector of the panel, which is whole vectors wide.
            let start = unsafe { D::correction(panel.wrapping_add(i), rows, width) };
            // SAFETY: the panel has another row for it.
            unsafe { start.store(panel.wrapping_add(rows * width + i).cast()) };
        }
    }
}

/// See [`Pack`].
///
/// # Safety
///
/// As [`Pack`].
#[inline(always)]
pub(crate) unsafe fn pack<S: Side>(source: &Source<'_, S::Element>, place: Packed) {
    let (to, Packed { width, next, .. }) = (place.to.cast::<Word<S>>(), place);
    let depth = <S::Dot as Dot>::DEPTH;
    let Source { along, deep, .. } = source;
    let (mut k, mut row) = (source.steps.start, to);
    while k < source.steps.end {
        let (n, step) = deep.run(k..source.steps.end);
        // A word may have elements of two runs, and the last one has fewer.
        let whole = n / depth;
        let (taken, words) = if whole == 0 { (depth, 1) } else { (whole * depth, whole) };
        let taken = taken.min(source.steps.end - k);
        // The row of a panel, and how many of its words are there.
        let (mut i, mut panel, mut within) = (source.across.start, row, 0);
        while i < source.across.end {
            let (run, distance) = along.run(i..source.across.end);
            // As many panels as the run fills, or what one has of it.
            let (count, panels) = match !S::PADDED && within == 0 && run >= width {
                true => (width, run / width),
                false => (run.min(width - within), 1),
            };
            let block = Linear::<S> {
                // Wrapping, but the offset of an element.
                from: source.from.wrapping_add(along.at(i) + deep.at(k)),
                // Wrapping, but a word of this row, since `within < width`.
                to: panel.wrapping_add(within),
                width,
                next,
                panels,
                count,
                distance,
                words,
                step,
            };
            if whole == 0 {
                let steps = k..k + taken;
                for p in 0..panels {
                    let (first, to) = (i + p * count, block.to.wrapping_add(p * next));
                    // SAFETY: the caller's promise.
                    unsafe { broken::<S>(source, first..first + count, steps.clone(), to) };
                }
            } else {
                // SAFETY: the caller's promise; both distances are those of these coordinates.
                unsafe { block.copy() };
            }
            i += panels * count;
            within += count;
            if within == width {
                // Wrapping, since the last panel leads behind all.
                (panel, within) = (panel.wrapping_add(panels * next), 0);
            }
        }
        k += taken;
        // Wrapping, since the last row leads behind the panel.
        row = row.wrapping_add(words * width);
    }
    if S::PADDED && source.across.len() < width {
        // SAFETY: the caller has the instructions.
        let zeros = unsafe { S::Dot::splat(S::word(&[])) };
        for k in 0..source.steps.len().div_ceil(depth) {
            let end = to.wrapping_add(k * width + source.across.len());
            // SAFETY: the rest of row `k` of the panel, whose last vector has elements.
            unsafe { S::Dot::store_first(zeros, end, width - source.across.len()) };
        }
    }
    for p in 0..source.across.len().div_ceil(width) {
        let rows = source.steps.len().div_ceil(depth);
        // SAFETY: the words of the panel are there.
        unsafe { S::finish(to.wrapping_add(p * next), rows, width) };
    }
}

/// One word for each coordinate, whose elements are anywhere.
///
/// # Safety
///
/// As [`Pack`], with at most as many steps as a word has elements.
unsafe fn broken<S: Side>(
    source: &Source<'_, S::Element>,
    across: Range<usize>,
    steps: Range<usize>,
    to: *mut Word<S>,
) {
    for (at, i) in across.enumerate() {
        // SAFETY: an offset of the operand.
        let first = unsafe { read(source.from, source.along.at(i) + source.deep.at(steps.start)) };
        let mut elements = [first; MAX_DEPTH];
        for (element, k) in elements.iter_mut().zip(steps.clone()) {
            // SAFETY: an offset of the operand.
            *element = unsafe { read(source.from, source.along.at(i) + source.deep.at(k)) };
        }
        // SAFETY: a word of this row of the panel.
        unsafe { write(to, at, S::word(&elements[..steps.len()])) };
    }
}

/// Bytes from a piece of a row to one that is asked for: what the next panels are made of. There are
/// too many rows for a processor to see that each is read on.
const ROW_AHEAD: usize = 256;
/// The most elements of a word.
const MAX_DEPTH: usize = 4;
/// Rows, and words of each, that are made before they are transposed.
const MADE_ROWS: usize = 16;
const MADE_WORDS: usize = 32;

/// A block with one distance along each mode, in one panel or more.
struct Linear<S: Side> {
    from: *const S::Element,
    to: *mut Word<S>,
    width: usize,
    next: usize,
    panels: usize,
    /// Coordinates in a panel, and their distance.
    count: usize,
    distance: usize,
    /// Whole words along K, and the distance of steps.
    words: usize,
    step: usize,
}

impl<S: Side> Linear<S> {
    /// # Safety
    ///
    /// As [`Pack`].
    #[inline(always)]
    unsafe fn copy(&self) {
        for p in 0..self.panels {
            // Wrapping, but the first element of this panel, and its word.
            let from = self.from.wrapping_add(p * self.count * self.distance);
            let panel = Self { from, to: self.to.wrapping_add(p * self.next), ..*self };
            // SAFETY: the caller's promise.
            unsafe { panel.fill() };
        }
    }

    /// [`copy`](Self::copy) for one panel.
    ///
    /// # Safety
    ///
    /// As [`Pack`].
    #[inline(always)]
    unsafe fn fill(&self) {
        let depth = <S::Dot as Dot>::DEPTH;
        let bytes = const { size_of::<S::Element>() };
        let word = const { size_of::<Word<S>>() };
        let is_word = S::IS_WORD && (depth == 1 || self.step == 1);
        let aligned = (self.distance * bytes).is_multiple_of(word);
        const { assert!(size_of::<Word<S>>() == size_of::<<S::Tile as Tile>::Word>()) };
        if is_word && (self.count == 1 || self.distance == depth) {
            // Panels of A are narrow: as many words as a tile has rows.
            match self.count {
                // SAFETY: words that are neighbours in both.
                8 => unsafe { self.pieces::<8>() },
                // SAFETY: words that are neighbours in both.
                6 => unsafe { self.pieces::<6>() },
                // SAFETY: words that are neighbours in both.
                4 => unsafe { self.pieces::<4>() },
                // SAFETY: words that are neighbours in both.
                _ => unsafe { self.rows() },
            }
        } else if is_word && self.step == 1 && aligned && self.words > 1 {
            let source = Strip { start: self.from.cast(), step: self.distance * bytes / word };
            let destination = Strip { start: self.to.cast(), step: self.width };
            // SAFETY: rows of words that are neighbours along K; the panel is another place.
            unsafe { tiles::<S::Tile>(source, destination, self.count, self.words) };
        } else if self.step == 1 && self.count > 1 && self.words > 1 {
            // SAFETY: the caller's promise; elements are neighbours along K.
            unsafe { self.made() };
        } else if self.distance == 1 {
            // Said again, so that the distance is a constant in the loops.
            // SAFETY: the caller's promise.
            unsafe { self.elements(1) };
        } else {
            // SAFETY: the caller's promise.
            unsafe { self.elements(self.distance) };
        }
    }

    /// Words that elements along K are made into: first in rows, where many are made at once, and
    /// then transposed.
    ///
    /// # Safety
    ///
    /// As [`Pack`], for elements that are neighbours along K.
    #[inline(always)]
    unsafe fn made(&self) {
        let depth = <S::Dot as Dot>::DEPTH;
        let mut rows = [[MaybeUninit::<Word<S>>::uninit(); MADE_WORDS]; MADE_ROWS];
        for i in (0..self.count).step_by(MADE_ROWS) {
            let height = MADE_ROWS.min(self.count - i);
            for k in (0..self.words).step_by(MADE_WORDS) {
                let words = MADE_WORDS.min(self.words - k);
                for (row, made) in rows[..height].iter_mut().enumerate() {
                    // SAFETY: the first element of this piece of a row.
                    let from = unsafe { self.from.add((i + row) * self.distance + k * depth) };
                    // SAFETY: as many elements of the block follow each other.
                    let elements = unsafe { slice::from_raw_parts(from, words * depth) };
                    for (word, elements) in made.iter_mut().zip(elements.chunks_exact(depth)) {
                        word.write(S::word(elements));
                    }
                }
                let source = Strip { start: rows.as_ptr().cast(), step: MADE_WORDS };
                // SAFETY: row `k` of the panel has a word for this coordinate.
                let to = unsafe { self.to.add(k * self.width + i) };
                let destination = Strip { start: to.cast(), step: self.width };
                // SAFETY: rows of words that were made, which are another place than the panel.
                unsafe { tiles::<S::Tile>(source, destination, height, words) };
            }
        }
    }

    /// Rows of `N` words.
    ///
    /// # Safety
    ///
    /// As [`Pack`], for rows of so many words.
    #[inline(always)]
    unsafe fn pieces<const N: usize>(&self) {
        let step = self.step * <S::Dot as Dot>::DEPTH;
        for k in 0..self.words {
            // SAFETY: the first word of this row.
            let from = unsafe { self.from.add(k * step) }.cast::<[Word<S>; N]>();
            // SAFETY: row `k` of the panel.
            let to = unsafe { self.to.add(k * self.width) }.cast::<[Word<S>; N]>();
            prefetch(from.cast::<u8>().wrapping_add(ROW_AHEAD));
            // SAFETY: a row has so many words.
            let words = unsafe { from.read_unaligned() };
            // SAFETY: a row has so many words.
            unsafe { to.write_unaligned(words) };
        }
    }

    /// Rows of words.
    ///
    /// # Safety
    ///
    /// As [`Pack`], for words that are neighbours.
    #[inline(always)]
    unsafe fn rows(&self) {
        let lanes = <<S::Dot as Dot>::Sums as Vector>::LANES;
        // Panels that are whole are worth a loop of their own.
        match (self.count.is_multiple_of(lanes), self.count / lanes) {
            // SAFETY: the caller's promise.
            (true, 1) => unsafe { self.rows_of(|| (1, 0)) },
            // SAFETY: the caller's promise.
            (true, 2) => unsafe { self.rows_of(|| (2, 0)) },
            // SAFETY: the caller's promise.
            (true, 3) => unsafe { self.rows_of(|| (3, 0)) },
            // SAFETY: the caller's promise.
            (true, 4) => unsafe { self.rows_of(|| (4, 0)) },
            // SAFETY: the caller's promise.
            _ => unsafe { self.rows_of(|| (self.count / lanes, self.count % lanes)) },
        }
    }

    /// Rows of some whole vectors, and of some words after them.
    ///
    /// # Safety
    ///
    /// As [`Pack`], for rows of so many words.
    #[inline(always)]
    unsafe fn rows_of(&self, vectors_and_rest: impl Fn() -> (usize, usize)) {
        let (vectors, rest) = vectors_and_rest();
        let lanes = <<S::Dot as Dot>::Sums as Vector>::LANES;
        let step = self.step * <S::Dot as Dot>::DEPTH;
        for k in 0..self.words {
            // SAFETY: the first word of this row.
            let from = unsafe { self.from.add(k * step) }.cast::<Word<S>>();
            // SAFETY: row `k` of the panel.
            let to = unsafe { self.to.add(k * self.width) };
            for i in 0..vectors {
                // SAFETY: as many words are left.
                let words = unsafe { S::Dot::load(from.wrapping_add(i * lanes)) };
                // SAFETY: as many words are left.
                unsafe { S::Dot::store(words, to.wrapping_add(i * lanes)) };
            }
            if rest > 0 {
                // SAFETY: as many words are left.
                let words = unsafe { S::Dot::load_first(from.wrapping_add(vectors * lanes), rest) };
                // SAFETY: as many words are left.
                unsafe { S::Dot::store_first(words, to.wrapping_add(vectors * lanes), rest) };
            }
        }
    }

    /// One element after the other.
    #[inline(always)]
    unsafe fn elements(&self, distance: usize) {
        let depth = <S::Dot as Dot>::DEPTH;
        for k in 0..self.words {
            for i in 0..self.count {
                let first = k * depth * self.step + i * distance;
                // SAFETY: an element of the block.
                let element = unsafe { read(self.from, first) };
                let mut elements = [element; MAX_DEPTH];
                for (e, element) in elements[..depth].iter_mut().enumerate() {
                    // SAFETY: an element of the block.
                    *element = unsafe { read(self.from, first + e * self.step) };
                }
                // SAFETY: a word of the panel.
                unsafe { write(self.to, k * self.width + i, S::word(&elements[..depth])) };
            }
        }
    }
}
