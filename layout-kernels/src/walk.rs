//! Traversal of a layout in coordinate order, leftmost mode fastest: `Walk` over the offsets, `Iter`
//! and `IterMut` over the elements, `fill` over coordinates and offsets.
//!
//! A walk follows [`Axes`]: the leaves of the layout without those of extent 1, adjacent leaves
//! merged where the strides allow it. The innermost axis is a run, a loop with constant stride. The
//! axes of a static layout are constants: its walk compiles to the loop nest one would write by hand,
//! and to a single loop if the layout is contiguous.

mod iter;

use layout_core::engine::{DynLayout, MAX_LEAVES};
use layout_core::types::{AnyLayout, Fallibility, ModeCoord};

use crate::list::List;

pub use iter::{Iter, IterMut};

/// One loop of a walk.
#[derive(Clone, Copy)]
struct Axis {
    extent: usize,
    /// Offset from one iteration to the next.
    stride: usize,
    /// The mode that the axis belongs to, and the step of that mode's coordinate per iteration.
    mode: usize,
    step: usize,
}

impl Axis {
    const ONCE: Self = Self { extent: 1, stride: 0, mode: 0, step: 0 };
}

/// The loops of a layout, innermost first.
#[derive(Clone, Copy)]
struct Axes {
    // Entries from `len` on are `ONCE`.
    axes: [Axis; MAX_LEAVES],
    len: usize,
    size: usize,
}

impl Axes {
    const NONE: Self = Self { axes: [Axis::ONCE; MAX_LEAVES], len: 0, size: 1 };

    /// The axes of a layout. With `by_mode`, leaves of different modes are not merged.
    const fn of(layout: &DynLayout, by_mode: bool) -> Self {
        let mut all = Self::NONE;
        all.size = layout.size();
        let mut leaves = Leaves::of(layout);
        while let Some(axis) = leaves.step(by_mode) {
            all.axes[all.len] = axis;
            all.len += 1;
        }
        all
    }

    const fn innermost(&self) -> Axis {
        self.axes[0]
    }

    /// The offset of linear index `index` over the axes from `first` on.
    #[inline(always)]
    fn offset(&self, first: usize, mut index: usize) -> usize {
        let (mut offset, mut k) = (0, first);
        while k < self.len {
            let Axis { extent, stride, .. } = self.axes[k];
            let is_last = k + 1 == self.len;
            offset += if is_last { index } else { index % extent } * stride;
            index /= extent;
            k += 1;
        }
        offset
    }
}

/// Yields the axes of a layout, innermost first.
struct Leaves<'a> {
    layout: &'a DynLayout,
    leaf: usize,
    // The mode of the next leaf, the end of that mode's leaves, and the product of the extents of its
    // earlier leaves.
    mode: usize,
    mode_end: usize,
    step: usize,
}

impl<'a> Leaves<'a> {
    const fn of(layout: &'a DynLayout) -> Self {
        Self { layout, leaf: 0, mode: 0, mode_end: layout.leaf_range(0).1, step: 1 }
    }

    const fn step(&mut self, by_mode: bool) -> Option<Axis> {
        let (extents, strides) = (self.layout.extents(), self.layout.strides());
        let mut merged: Option<Axis> = None;
        while self.leaf < extents.len() {
            if by_mode && self.leaf == self.mode_end {
                if merged.is_some() {
                    break;
                }
                self.mode += 1;
                self.mode_end = self.layout.leaf_range(self.mode).1;
                self.step = 1;
            }
            let (extent, stride) = (extents[self.leaf], strides[self.leaf]);
            match merged {
                _ if extent == 1 => {}
                None => merged = Some(Axis { extent, stride, mode: self.mode, step: self.step }),
                // Wrapping: next to an extent of 0, any stride is allowed.
                Some(axis) if axis.extent.wrapping_mul(axis.stride) == stride => {
                    merged = Some(Axis { extent: axis.extent.wrapping_mul(extent), ..axis });
                }
                Some(_) => break,
            }
            self.step = self.step.wrapping_mul(extent);
            self.leaf += 1;
        }
        merged
    }
}

/// The axes of a static layout, as a constant; no axes for other layouts.
const fn static_axes<L: AnyLayout>(by_mode: bool) -> Axes {
    match &L::STATIC {
        Some(layout) => Axes::of(layout, by_mode),
        None => Axes::NONE,
    }
}

/// The axes of a layout that is not static, and the current digit of each axis except the innermost.
#[derive(Clone)]
struct Odometer {
    /// The stride and the length of a run.
    stride: usize,
    run: usize,
    outer: List<OuterAxis, MAX_LEAVES>,
    /// Start of the current run.
    offset: usize,
}

#[derive(Clone, Copy)]
struct OuterAxis {
    extent: usize,
    stride: usize,
    digit: usize,
}

impl Odometer {
    #[inline]
    fn new(layout: &DynLayout) -> Self {
        let mut leaves = Leaves::of(layout);
        let inner = leaves.step(false).unwrap_or(Axis::ONCE);
        let mut odometer =
            Self { stride: inner.stride, run: inner.extent, outer: List::new(), offset: 0 };
        while let Some(Axis { extent, stride, .. }) = leaves.step(false) {
            odometer.outer.push(OuterAxis { extent, stride, digit: 0 });
        }
        odometer
    }

    /// Advances to the next run and returns its start.
    #[inline]
    fn advance(&mut self) -> usize {
        for axis in self.outer.as_mut_slice() {
            axis.digit += 1;
            // No wrap in practice: the sum is an offset, or one stride past the last one of this
            // axis.
            self.offset = self.offset.wrapping_add(axis.stride);
            if axis.digit < axis.extent {
                break;
            }
            self.offset = self.offset.wrapping_sub(axis.extent.wrapping_mul(axis.stride));
            axis.digit = 0;
        }
        self.offset
    }
}

/// Iterator over the offsets of a layout in coordinate order, leftmost mode fastest.
pub(crate) struct Walk<L: AnyLayout> {
    odometer: <L::Fallibility as Fallibility>::Held<Odometer>,
    offset: usize,
    /// Number of offsets left in this run, and after it.
    left_in_run: usize,
    left_after_run: usize,
}

impl<L: AnyLayout> Clone for Walk<L> {
    fn clone(&self) -> Self {
        Self { odometer: self.odometer.clone(), ..*self }
    }
}

impl<L: AnyLayout> Walk<L> {
    const AXES: Axes = static_axes::<L>(false);
    const IS_STATIC: bool = L::STATIC.is_some();
    /// Whether each offset is computed from the linear index. The loop then has a known end and is
    /// unrolled to constants (3 x 3 rows: 1.3 ns, by runs 3.9 ns). `left_in_run` then counts all
    /// remaining offsets.
    const IS_SMALL: bool = Self::IS_STATIC && Self::AXES.size <= 64;

    /// The walk over a layout. Panics if the layout is invalid.
    #[inline]
    pub(crate) fn new(layout: &L) -> Self {
        if const { Self::IS_STATIC } {
            let axes = const { &Self::AXES };
            let run = if Self::IS_SMALL { axes.size } else { axes.innermost().extent };
            let odometer = L::Fallibility::hold(|| unreachable!("a static layout holds nothing"));
            return Self {
                odometer,
                offset: 0,
                left_in_run: run,
                left_after_run: const { Self::AXES.size } - run,
            };
        }
        let mut slot = None;
        match layout.to_dyn_in(&mut slot) {
            Ok(layout) => Self::of_value(layout),
            Err(error) => error.fail(),
        }
    }

    #[inline]
    fn of_value(layout: &DynLayout) -> Self {
        let (mut run, size) = (0, layout.size());
        let odometer = L::Fallibility::hold(|| {
            let odometer = Odometer::new(layout);
            run = odometer.run;
            odometer
        });
        let left = run.min(size);
        Self { odometer, offset: 0, left_in_run: left, left_after_run: size - left }
    }

    /// The stride within a run.
    #[inline(always)]
    fn stride(&mut self) -> usize {
        match L::Fallibility::held(&mut self.odometer) {
            Some(odometer) => odometer.stride,
            None => const { Self::AXES.innermost().stride },
        }
    }

    /// Advances to the next run, if there is one. The current run must be exhausted.
    #[inline(always)]
    fn next_run(&mut self) -> bool {
        if self.left_after_run == 0 {
            return false;
        }
        match L::Fallibility::held(&mut self.odometer) {
            Some(odometer) => {
                self.offset = odometer.advance();
                self.left_in_run = odometer.run;
            }
            None => {
                let axes = const { &Self::AXES };
                let run = axes.innermost().extent;
                self.offset = axes.offset(1, (axes.size - self.left_after_run) / run);
                self.left_in_run = run;
            }
        }
        self.left_after_run -= self.left_in_run;
        true
    }
}

impl<L: AnyLayout> Iterator for Walk<L> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.left_in_run == 0 && !self.next_run() {
            return None;
        }
        self.left_in_run -= 1;
        if Self::IS_SMALL {
            let axes = const { &Self::AXES };
            return Some(axes.offset(0, axes.size - 1 - self.left_in_run));
        }
        let offset = self.offset;
        // Wrapping: the increment after the last element may leave the layout; the result is not
        // used.
        self.offset = offset.wrapping_add(self.stride());
        Some(offset)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.left_in_run + self.left_after_run;
        (left, Some(left))
    }

    /// Run by run. Runs of contiguous elements have a loop of their own, which compilers vectorise.
    #[inline]
    fn fold<B, F: FnMut(B, usize) -> B>(mut self, start: B, mut f: F) -> B {
        let mut folded = start;
        if Self::IS_SMALL {
            for offset in self.by_ref() {
                folded = f(folded, offset);
            }
            return folded;
        }
        let stride = self.stride();
        loop {
            let Self { offset, left_in_run: left, .. } = self;
            if stride == 1 {
                for i in 0..left {
                    folded = f(folded, offset + i);
                }
            } else {
                for i in 0..left {
                    folded = f(folded, offset + i * stride);
                }
            }
            if !self.next_run() {
                return folded;
            }
        }
    }
}

/// Calls `f` with the offsets of each coordinate in two layouts with the same mode sizes. Compiled once,
/// for all elements and functions.
pub(crate) fn for_each_pair(a: &DynLayout, b: &DynLayout, f: &mut dyn FnMut(usize, usize)) {
    for (of_a, of_b) in Walk::new(a).zip(Walk::new(b)) {
        f(of_a, of_b);
    }
}

/// Sets the element at each offset of a layout to `f(coordinate)`, in coordinate order.
///
/// # Panics
///
/// If the layout is invalid, or reaches beyond `data`.
#[inline(always)]
pub(crate) fn fill<T: Copy, L: AnyLayout>(
    layout: &L,
    data: &mut [T],
    mut f: impl FnMut(L::Coord) -> T,
) {
    assert!(layout.cosize() <= data.len(), "the layout is inside the memory");
    let set = |coordinate, offset| {
        debug_assert!(offset < data.len());
        // SAFETY: `for_each_coordinate` yields the offsets of the layout. They are below its cosize,
        // checked above.
        unsafe { *data.get_unchecked_mut(offset) = f(coordinate) };
    };
    if let Some(rank) = const { rank_of::<L>() } {
        return for_each_coordinate(const { &static_axes::<L>(true) }, rank, set);
    }
    let mut slot = None;
    match layout.to_dyn_in(&mut slot) {
        Ok(layout) => for_each_coordinate(&Axes::of(layout, true), layout.rank(), set),
        Err(error) => error.fail(),
    }
}

const fn rank_of<L: AnyLayout>() -> Option<usize> {
    match &L::STATIC {
        Some(layout) => Some(layout.rank()),
        None => None,
    }
}

/// Number of nested loops, for the innermost axes. More axes are rare; one loop counts them in mixed
/// radix.
const NESTED: usize = 4;

/// Calls `f` with each coordinate and its offset.
#[inline(always)]
fn for_each_coordinate<C: ModeCoord>(all: &Axes, rank: usize, mut f: impl FnMut(C, usize)) {
    let mut at = C::from_modes([0; MAX_LEAVES].split_at(rank).0);
    let Axes { axes, len, size } = all;
    let outer = if *len > NESTED { &axes[NESTED..*len] } else { &[] };
    let iterations = match outer {
        [] if *size > 0 => 1,
        // Zero iterations if any extent is 0.
        _ => outer.iter().fold(usize::from(*size > 0), |product, axis| product * axis.extent),
    };
    macro_rules! nest {
        ($offset:expr;) => { f(at, $offset) };
        ($offset:expr; $n:literal $($rest:literal)*) => {{
            let Axis { extent, stride, mode, step } = axes[$n];
            let start = at.mode(mode);
            for i in 0..extent {
                at.set_mode(mode, start + i * step);
                nest!($offset + i * stride; $($rest)*);
            }
            at.set_mode(mode, start);
        }};
    }
    for iteration in 0..iterations {
        let (mut rest, mut start) = (iteration, 0);
        for axis in outer {
            at.set_mode(axis.mode, 0);
        }
        for axis in outer {
            let digit = rest % axis.extent;
            rest /= axis.extent;
            start += digit * axis.stride;
            at.set_mode(axis.mode, at.mode(axis.mode) + digit * axis.step);
        }
        nest!(start; 3 2 1 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use layout_core::engine::{IntTuple, MAX_SIZE};
    use layout_core::types::{Cons, Layout, Nil};
    use typenum::{U1, U2, U3, U4, U5, U12};

    fn layout(text: &str) -> DynLayout {
        DynLayout::parse(text).unwrap()
    }

    const LAYOUTS: [&str; 12] = [
        "5:7",
        "(5):(1)",
        "(4,3):(0,2)",
        "(4,3):(1,4)",
        "(4,3):(3,1)",
        "(3,(2,4)):(1,(12,3))",
        "((2,2),(2,2)):((1,2),(4,8))",
        "((2,2),1,(2,1,3)):((4,1),9,(2,5,8))",
        "(2,3,2,2,3,2):(1,100,20,40,200,7)",
        "(2,(3,2,2,3,2),5):(1,(100,20,40,200,7),2000)",
        "((2,3,2),(2,3,2),(2,2)):((1,100,20),(40,200,7),(3,5000))",
        "(2,2,2,2,2,2,2,2,2):(1,3,6,13,27,53,107,231,500)",
    ];

    /// Compares every traversal of a layout with its definition.
    fn check<L: AnyLayout<Coord: PartialEq>>(layout: &L) {
        let value = layout.to_dyn().unwrap();
        let offsets: Vec<usize> = value.table().collect();
        assert_eq!(Walk::new(layout).collect::<Vec<_>>(), offsets, "{layout}");
        let data: Vec<usize> = (0..value.cosize()).collect();
        let iter = Iter::new(&data, layout);
        assert_eq!(iter.len(), offsets.len());
        assert!(iter.clone().eq(&offsets), "{layout}");
        let mut written = vec![0; value.cosize()];
        if value.is_injective() == Ok(true) {
            let mut number = 0;
            let mut iter = IterMut::new(&mut written, layout);
            assert_eq!(iter.len(), offsets.len());
            // One by one first, then the rest in one `fold`.
            let mut set = |element: &mut usize| {
                number += 1;
                *element += number;
            };
            iter.by_ref().take(offsets.len() / 3).for_each(&mut set);
            iter.for_each(set);
            let by_definition: Vec<usize> = (0..value.cosize())
                .map(|place| offsets.iter().position(|&o| o == place).map_or(0, |i| i + 1))
                .collect();
            assert_eq!(written, by_definition, "{layout}");
        }
        // Folds that start after any number of `next` calls.
        for start in 0..=offsets.len() {
            let mut iter = iter.clone();
            for _ in 0..start {
                iter.next();
            }
            assert_eq!(iter.len(), offsets.len() - start);
            let mut folded = Vec::new();
            iter.for_each(|&x| folded.push(x));
            assert_eq!(folded, offsets[start..], "{layout} from {start}");
        }
        let mut coordinates = Vec::new();
        let mut seen = vec![0; value.cosize()];
        fill(layout, &mut seen, |coordinate| {
            coordinates.push(coordinate);
            coordinates.len()
        });
        for (i, &offset) in offsets.iter().enumerate() {
            let mut rest = i;
            let modes: Vec<usize> = (0..value.rank())
                .map(|mode| {
                    let size = value.mode(mode).size();
                    let digit = rest % size;
                    rest /= size;
                    digit
                })
                .collect();
            assert_eq!(coordinates[i], L::Coord::from_modes(&modes), "{layout} at {i}");
            let last = offsets.iter().rposition(|&each| each == offset);
            assert_eq!(Some(seen[offset]), last.map(|last| last + 1), "{layout} at {i}");
        }
        assert_eq!(coordinates.len(), offsets.len());
    }

    #[test]
    fn walks_of_values() {
        LAYOUTS.iter().for_each(|text| check(&layout(text)));
        let far = DynLayout::leaf(1, MAX_SIZE);
        assert!(Walk::new(&far).eq([0]));
    }

    #[test]
    fn walks_of_types() {
        type Pair<A, B> = Cons<A, Cons<B, Nil>>;
        check(&Layout::<U5, U2>::default());
        check(&Layout::<Pair<U4, U3>, Pair<U1, U4>>::default());
        check(&Layout::<Pair<U4, U3>, Pair<U3, U1>>::default());
        check(&Layout::<Pair<U3, Pair<U2, U4>>, Pair<U1, Pair<U12, U3>>>::default());
        check(&Layout::<Pair<U1, Pair<U1, U1>>, Pair<U1, Pair<U12, U3>>>::default());
        type Many<A> = Cons<A, Cons<A, Cons<A, Cons<A, Cons<A, Cons<A, Nil>>>>>>;
        type Strides = Cons<
            U1,
            Cons<
                U3,
                Cons<typenum::U6, Cons<typenum::U13, Cons<typenum::U27, Cons<typenum::U53, Nil>>>>,
            >,
        >;
        check(&Layout::<Many<U2>, Strides>::default());
    }

    #[test]
    fn an_empty_layout_has_no_coordinates() {
        for text in ["(4,0):(1,4)", "(0,4):(1,4)", "(2,3,2,2,0,2):(1,100,20,40,200,7)"] {
            let shape = IntTuple::parse(text.split(':').next().unwrap()).unwrap();
            let stride = IntTuple::parse(text.split(':').nth(1).unwrap()).unwrap();
            let l = DynLayout::new(&shape, &stride).unwrap();
            assert_eq!(Walk::new(&l).next(), None);
            assert_eq!(Iter::new(&[0u8; 0], &l).count(), 0);
            fill(&l, &mut [0u8; 0], |_| unreachable!("no coordinate"));
        }
    }
}
