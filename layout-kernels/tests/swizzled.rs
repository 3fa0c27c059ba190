//! Copies from and to swizzled layouts compared with a naive reference, at every `Level`.

mod common;

use common::{Pair, Random};
use layout_core::engine::{ComposedLayout, DynLayout, Swizzle};
use layout_core::error::LayoutError;
use layout_core::types::{AnyLayout, AnySwizzled, Dyn, Layout, Mixed, Swizzled};
use layout_kernels::simd::Level;
use layout_kernels::{
    CopyKernel, CopyPlan, Par, SwizzledTensor, SwizzledView, SwizzledViewMut, View, ViewMut, copy,
    copy_at, copy_par,
};
use typenum::consts::*;

/// Test elements. `of` is injective as far as the type allows (below 2^8 for `u8` and so on).
trait Element: Copy + PartialEq + std::fmt::Debug + 'static {
    fn of(n: usize) -> Self;
}

macro_rules! element {
    ($($t:ty)*) => {$(
        impl Element for $t {
            fn of(n: usize) -> Self {
                n as $t
            }
        }
    )*};
}
element!(u8 u16 f32 f64 u128);

/// An element with padding bytes inside, which match no vector lane.
impl Element for (u8, u32) {
    fn of(n: usize) -> Self {
        (n as u8, n as u32)
    }
}
impl Element for [u16; 3] {
    fn of(n: usize) -> Self {
        [n as u16, (n >> 16) as u16, 7]
    }
}
impl Element for () {
    fn of(_: usize) -> Self {}
}

/// Number of elements before and after the destination that must not change.
const GUARD: usize = 70;

/// Copies between two layouts at every level, with one or both of them swizzled, and checks the whole
/// memory.
fn check<T: Element>(s: ComposedLayout, d: ComposedLayout) {
    let plain = |c: ComposedLayout| Swizzle::new(0, 0, 0).unwrap().composition(&c.layout());
    for (s, d) in [(s, plain(d)), (plain(s), d), (s, d)] {
        let source: Vec<T> = (0..s.cosize_bound()).map(|i| T::of(3 * i + 1)).collect();
        let memory: Vec<T> = (0..d.cosize_bound() + 2 * GUARD).map(|i| T::of(7 * i + 5)).collect();
        let mut expected = memory.clone();
        for i in 0..s.size() {
            expected[GUARD + d.offset_of_index(i)] = source[s.offset_of_index(i)];
        }
        for level in Level::available() {
            let mut result = memory.clone();
            let slice = &mut result[GUARD..][..d.cosize_bound()];
            match (s.as_layout(), d.as_layout()) {
                (Some(s), None) => {
                    let from = View::new_in(&source, s).unwrap();
                    copy_at(level, &from, &mut SwizzledViewMut::new_in(slice, d).unwrap())
                }
                (None, Some(d)) => {
                    let from = SwizzledView::new_in(&source, s).unwrap();
                    copy_at(level, &from, &mut ViewMut::new_in(slice, d).unwrap())
                }
                _ => {
                    let from = SwizzledView::new_in(&source, s).unwrap();
                    copy_at(level, &from, &mut SwizzledViewMut::new_in(slice, d).unwrap())
                }
            }
            .unwrap();
            let plan = CopyPlan::new::<T>(&s.layout(), &d.layout()).unwrap();
            let name = std::any::type_name::<T>();
            assert!(result == expected, "{level}: {s} to {d} of {name}\n{plan}");
        }
    }
}

fn check_all_elements(s: ComposedLayout, d: ComposedLayout) {
    check::<u8>(s, d);
    check::<u16>(s, d);
    check::<f32>(s, d);
    check::<f64>(s, d);
    check::<u128>(s, d);
    check::<(u8, u32)>(s, d);
    check::<[u16; 3]>(s, d);
    check::<()>(s, d);
}

/// The layout with a random swizzle of at most 3 bits, and with an offset in half of the cases.
fn random_swizzled(random: &mut Random, layout: &DynLayout) -> ComposedLayout {
    let (bits, base) = (random.below(4) as u32, random.below(6) as u32);
    let shift = (bits + random.below(3) as u32) as i32;
    let shift = if random.below(3) == 0 { -shift } else { shift };
    let offset = random.below(2) * random.below(40);
    ComposedLayout::new(&Swizzle::new(bits, base, shift).unwrap(), offset, layout).unwrap()
}

#[test]
fn whole_blocks() {
    // Runs of many swizzle blocks, on one side or on both, that start anywhere in a block.
    let mut random = Random::new(12);
    for case in 0..200 {
        let (bits, base) = (1 + random.below(3) as u32, random.below(5) as u32);
        let shift = bits as i32 + random.below(4) as i32;
        let swizzle = Swizzle::new(bits, base, shift).unwrap();
        let columns = random.one_of(&[64, 128, 200, 512, 1000]);
        let (rows, pitch) = (1 + random.below(9), columns + 8 * random.below(3));
        let layout = DynLayout::parse(&format!("({rows},{columns}):({pitch},1)")).unwrap();
        let offset = random.one_of(&[0, 0, 8, 32, 64, 100]);
        let s = ComposedLayout::new(&swizzle, offset, &layout).unwrap();
        let d = if case % 2 == 0 { s } else { random_swizzled(&mut random, &layout) };
        match case % 5 {
            0 => check::<u8>(s, d),
            1 => check::<u16>(s, d),
            2 => check::<f64>(s, d),
            3 => check::<u128>(s, d),
            _ => check::<f32>(s, d),
        }
    }
}

#[test]
fn generated_layouts() {
    let mut random = Random::new(11);
    let mut seen = [0; 4];
    for case in 0..600 {
        let sizes: Vec<usize> = (0..1 + random.below(3))
            .map(|_| random.one_of(&[1, 2, 3, 4, 8, 12, 16, 19, 32, 33]))
            .collect();
        let broadcast = random.below(4) == 0;
        let (s, d) = (random.layout(&sizes, broadcast), random.layout(&sizes, false));
        match CopyPlan::new::<f32>(&s, &d).unwrap().kernel() {
            CopyKernel::Run { .. } => seen[0] += 1,
            CopyKernel::Transpose { .. } => seen[1] += 1,
            CopyKernel::Strided(_) => seen[2] += 1,
            CopyKernel::Irregular => seen[3] += 1,
            other => panic!("{s} to {d} has elements: {other:?}"),
        }
        let (s, d) = (random_swizzled(&mut random, &s), random_swizzled(&mut random, &d));
        if case % 10 == 0 {
            check_all_elements(s, d);
        } else {
            check::<u16>(s, d);
            check::<f32>(s, d);
        }
    }
    assert!(seen.iter().all(|&n| n > 10), "each kernel must occur: {seen:?}");
}

#[test]
fn tiles_of_matrix_units() {
    // Tiles in the order of a core's memory, from row-major and column-major matrices.
    let (rows, columns) = (common::flat(&[64, 64], &[64, 1]), common::flat(&[64, 64], &[1, 64]));
    for (bits, base, shift) in [(3, 3, 3), (2, 3, 3), (1, 3, 3), (3, 4, 3), (3, 0, 3), (3, 2, -4)] {
        let swizzle = Swizzle::new(bits, base, shift).unwrap();
        for (s, d) in [(rows, rows), (rows, columns), (columns, rows)] {
            check_all_elements(swizzle.composition(&s), swizzle.composition(&d));
        }
    }
}

#[test]
fn large_copies_in_pieces() {
    let swizzle = Swizzle::new(3, 3, 3).unwrap();
    let (rows, columns) =
        (common::flat(&[400, 640], &[640, 1]), common::flat(&[400, 640], &[1, 400]));
    check::<f32>(swizzle.composition(&rows), swizzle.composition(&columns));
    check::<u128>(swizzle.composition(&rows), swizzle.composition(&rows));
    // Blocks with more rows and columns than a chunk; elements of many KiB.
    let (rows, columns) = (common::flat(&[6, 9], &[9, 1]), common::flat(&[6, 9], &[1, 6]));
    check::<Large>(swizzle.composition(&rows), swizzle.composition(&columns));
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Large([usize; 3000]);
impl Element for Large {
    fn of(n: usize) -> Self {
        Self([n; 3000])
    }
}

#[test]
fn nothing_is_copied_between_empty_layouts() {
    let empty = Swizzle::new(2, 0, 2).unwrap().composition(&common::flat(&[4, 0], &[1, 4]));
    check_all_elements(empty, empty);
}

#[test]
fn static_and_mixed_layouts_copy_as_dynamic_ones() {
    type Rows = Layout<Pair<U16, U32>, Pair<U32, U1>>;
    type Columns = Layout<Pair<U16, U32>, Pair<U1, U16>>;
    let mixed = Mixed::<Pair<Dyn, U32>, Pair<U32, U1>>::new(((16, ()), (((), ()), ())));
    let source: [u16; 512] = std::array::from_fn(|i| i as u16);
    let columns = View::<_, Columns>::from_array(&source);

    // With static layouts there is no `Result`.
    let mut known = [0; 512];
    let swizzled = Swizzled::<Rows, 3, 2, 3>;
    copy(&columns, &mut SwizzledViewMut::new_in(&mut known, swizzled).unwrap());
    let composed = swizzled.to_composed();
    assert_eq!(format!("{swizzled} {swizzled:?}"), format!("{composed} {composed}"));
    let mut dynamic = [0; 512];
    copy(&columns, &mut SwizzledViewMut::new_in(&mut dynamic, composed).unwrap()).unwrap();
    assert_eq!(known, dynamic);
    let mut run_time = [0; 512];
    let behind = Swizzle::new(3, 2, 3).unwrap().composition(&mixed.to_dyn().unwrap());
    let mut to = SwizzledViewMut::new_in(&mut run_time, behind).unwrap();
    copy(&columns, &mut to).unwrap();

    // And back; a mutable view can be a source too.
    let mut back = [0; 512];
    copy(&to, &mut ViewMut::<_, Columns>::from_array(&mut back)).unwrap();
    assert_eq!(back, source);
    let from = SwizzledView::new_in(&known, swizzled).unwrap();
    back.fill(0);
    copy(&from, &mut ViewMut::<_, Columns>::from_array(&mut back));
    assert_eq!(back, source);
    back.fill(0);
    copy_par(Par::Sequential, &from, &mut ViewMut::<_, Columns>::from_array(&mut back));
    assert_eq!(back, source);
    assert_eq!(run_time, known);
    for i in 0..512 {
        let (row, column) = (i % 16, i / 16);
        assert_eq!(known[composed.offset_of_index(i)], source[row + 16 * column]);
    }
}

#[test]
fn tensors_and_views_have_the_offsets_of_the_definition() {
    type Rows = Layout<Pair<U6, U32>, Pair<U32, U1>>;
    type Moved = Swizzled<Rows, 2, 1, -3, 40>;
    let tensor = SwizzledTensor::<u16, Moved>::from_fn(|(i, j)| (100 * i + j) as u16);
    assert_eq!(tensor.as_slice().len(), Moved::COMPOSED.cosize_bound());
    let swizzle = |x: usize| x ^ ((x & (3 << 1)) << 3);
    let mut seen = vec![0; tensor.as_slice().len()];
    for i in 0..6 {
        for j in 0..32 {
            let offset = swizzle(40 + 32 * i + j);
            assert_eq!(tensor.as_slice()[offset], (100 * i + j) as u16);
            assert_eq!(tensor[(i, j)], (100 * i + j) as u16);
            assert_eq!(tensor.view().get(i + 6 * j), Some(&tensor[(i, j)]));
            seen[offset] = tensor[(i, j)];
        }
    }
    // Elements that no coordinate maps to are 0.
    assert_eq!(tensor.as_slice(), seen);
    assert_eq!((tensor.get((6, 0)), tensor.view().get((0, 32))), (None, None));

    let mut dynamic = SwizzledTensor::full_in(Moved::COMPOSED, 9u16).unwrap();
    copy(&tensor, &mut dynamic).unwrap();
    dynamic.view_mut()[(5, 31)] = 7;
    *dynamic.get_mut((4, 30)).unwrap() = 8;
    dynamic[(0, 0)] = 6;
    for i in 0..6 {
        for j in 0..32 {
            let expected = match (i, j) {
                (5, 31) => 7,
                (4, 30) => 8,
                (0, 0) => 6,
                _ => tensor[(i, j)],
            };
            assert_eq!(dynamic[(i, j)], expected);
        }
    }
    let broadcast = Swizzle::new(2, 0, 2).unwrap().composition(&common::flat(&[4, 2], &[1, 0]));
    let error = SwizzledTensor::<u8, _>::zeros_in(broadcast).map(drop).unwrap_err();
    assert!(matches!(error, LayoutError::NotInjective { .. }), "{error}");
}

#[test]
#[should_panic(expected = "coordinate 4 is not below extent 4")]
fn an_index_outside_the_shape_panics() {
    type Rows = Layout<Pair<U4, U4>, Pair<U4, U1>>;
    let tensor = SwizzledTensor::<u8, Swizzled<Rows, 2, 0, 2>>::zeros();
    let _ = tensor[(4, 0)];
}

#[test]
fn what_cannot_be_is_said() {
    let swizzle = Swizzle::new(3, 0, 3).unwrap();
    let swizzled = swizzle.composition(&common::flat(&[8, 6], &[1, 8]));
    let Err(error) = SwizzledView::new_in(&[0; 47], swizzled) else { panic!("too short") };
    assert_eq!(
        error.to_string(),
        "the slice has 47 elements but layout Sw<3,0,3> o 0 o (8,6):(1,8) needs 48"
    );
    let repeats = swizzle.composition(&common::flat(&[8, 6], &[1, 0]));
    let error = SwizzledViewMut::new_in(&mut [0; 64], repeats).err();
    assert!(matches!(error, Some(LayoutError::NotInjective { .. })), "{error:?}");
    assert!(SwizzledView::new_in(&[0; 64], repeats).is_ok());
    let from = View::new_in(&[0; 64], common::flat(&[8, 8], &[1, 8])).unwrap();
    let mut memory = [0; 64];
    let mut to = SwizzledViewMut::new_in(&mut memory, swizzled).unwrap();
    assert!(matches!(copy(&from, &mut to), Err(LayoutError::CopyShape { .. })));
}
