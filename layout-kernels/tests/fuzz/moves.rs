//! Copies, updates, swizzled copies, and copies from and to placements, each compared with a loop
//! over all coordinates.

use layout_core::devices::{AnyPlacement, Placement};
use layout_core::engine::{ComposedLayout, DynLayout, Swizzle, Tiler};
use layout_core::types::{AtCompileTime, Layout, StaticLayout};
use layout_kernels::simd::Level;
use layout_kernels::{
    PlacedView, PlacedViewMut, SwizzledView, SwizzledViewMut, View, ViewMut, copy_at, update_at,
};
#[cfg(feature = "std")]
use layout_kernels::{Relayout, copy_par};
use typenum::consts::*;

use crate::common::{Pair, Random, Triple};
use crate::elements::{Aligned32, Aligned64, Aligned256, AlignedNothing, Element};
use crate::memory::Exact;
use crate::placements::{placement, shape, slots};
#[cfg(feature = "std")]
use crate::threads;
use crate::{Counts, any_level, log};

/// Calls `$function::<T>` with a random element type of the list.
macro_rules! with_element {
    ($random:ident, $function:ident($($argument:expr),*): $($t:ty),* $(,)?) => {{
        let functions = [$($function::<$t>,)*];
        functions[$random.below(functions.len())]($($argument),*)
    }};
}

/// Random mode sizes.
fn sizes(random: &mut Random) -> Vec<usize> {
    let choices: &[usize] = match random.below(5) {
        0 => return vec![random.one_of(&[1, 7, 64, 333, 1000, 4099])],
        1 => &[1, 2, 3, 5, 7, 8, 12, 16, 17, 24, 32, 33, 48, 64, 65, 100],
        2 => &[1, 2, 3, 4, 5, 6, 8, 11, 12, 16, 18],
        3 => &[1, 2, 3, 4, 5, 7],
        _ => &[1, 2, 3, 4, 6, 8],
    };
    let mut sizes: Vec<_> = (0..2 + random.below(3)).map(|_| random.one_of(choices)).collect();
    let most = random.one_of(&[200, 2_000, 20_000]);
    while sizes.len() > 1 && sizes.iter().product::<usize>() > most {
        sizes.pop();
    }
    sizes
}

fn source<T: Element>(random: &mut Random, len: usize) -> Exact<T> {
    Exact::new((0..len).map(|i| T::of(3 * i + 1)), random.below(4) == 0)
}

fn destination<T: Element>(random: &mut Random, len: usize) -> Exact<T> {
    Exact::new((0..len).map(|i| T::of(7 * i + 5)), random.below(4) == 0)
}

/// A copy or an update between two layouts.
pub(crate) fn copies(random: &mut Random, counts: &mut Counts) {
    let mut sizes = sizes(random);
    // Occasionally larger than the caches, so that non-temporal stores are used.
    if random.below(1000) == 0 {
        let large = [
            [1000, 2048, 1],
            [1024, 3000, 1],
            [1500, 2100, 1],
            [20_000, 256, 1],
            [2, 300, 4099],
            [5000, 16, 32],
        ];
        sizes = random.one_of(&large).to_vec();
    }
    let broadcast = random.below(4) == 0;
    let (s, d) = (random.layout(&sizes, broadcast), random.layout(&sizes, false));
    let large = s.size() > 20_000;
    // Element types of other crates, in about one case of ten.
    #[cfg(feature = "half")]
    if random.below(20) == 0 {
        counts.copies += 1;
        return with_element!(random, copied(random, s, d): half::f16, half::bf16);
    }
    #[cfg(feature = "num-complex-0_4")]
    if random.below(20) == 0 {
        use num_complex::Complex;
        counts.copies += 1;
        return with_element!(random, copied(random, s, d): Complex<f32>, Complex<f64>, Complex<u8>);
    }
    if random.below(4) == 0 {
        counts.updates += 1;
        #[cfg(all(feature = "half", feature = "num-complex-0_4"))]
        if random.below(6) == 0 {
            use num_complex::Complex;
            return with_element!(random, updated(random, s, d):
                half::f16, half::bf16, Complex<f32>, Complex<f64>);
        }
        with_element!(random, updated(random, s, d): u8, i16, f32, f64, u64, (), [u8; 3], [u16; 3]);
    } else if large {
        counts.copies += 1;
        with_element!(random, copied(random, s, d): u8, u16, f32, f64, u128, [u8; 3], (u8, u32));
    } else if random.below(500) == 0 && s.size() < 100 {
        counts.copies += 1;
        copied::<[u8; 40_960]>(random, s, d);
    } else {
        counts.copies += 1;
        with_element!(random, copied(random, s, d):
            u8, u16, f32, f64, u128, f32, f64, u32, [u8; 2], [u8; 3], [u8; 4], [u8; 5], [u8; 7],
            [u8; 8], [u8; 12], [u8; 16], [u8; 24], [u8; 32], [u8; 48], [u8; 100], [u16; 3],
            (u8, u32), (bool, Option<std::num::NonZero<u16>>), char, (), Aligned32, Aligned64,
            Aligned256, AlignedNothing);
    }
}

fn copied<T: Element>(random: &mut Random, s: DynLayout, d: DynLayout) {
    let level = any_level(random);
    log(|| format!("{level}: copy of {} from {s} to {d}", std::any::type_name::<T>()));
    let source = source::<T>(random, s.cosize());
    let mut destination = destination::<T>(random, d.cosize());
    let mut expected = destination.to_vec();
    for i in 0..s.size() {
        expected[d.offset_of_index(i)] = source[s.offset_of_index(i)];
    }
    let from = View::new_in(&source, s).unwrap();
    let mut to = ViewMut::new_in(&mut destination, d).unwrap();
    match random.below(if d.size() > 1_000_000 { 3 } else { 8 }) {
        #[cfg(feature = "std")]
        0 => copy_par(threads(random), &from, &mut to).unwrap(),
        #[cfg(feature = "std")]
        1 => {
            let plan = Relayout::<T>::between(&from, &mut to).unwrap();
            plan.run(threads(random), &from, &mut to).unwrap();
        }
        _ => copy_at(level, &from, &mut to).unwrap(),
    }
    assert!(*destination == *expected, "{level}: {s} to {d} of {}", std::any::type_name::<T>());
}

fn updated<T: Element>(random: &mut Random, s: DynLayout, d: DynLayout) {
    let level = any_level(random);
    log(|| format!("{level}: update of u32 by {} from {s} to {d}", std::any::type_name::<T>()));
    let source = source::<T>(random, s.cosize());
    let mut destination = destination::<u32>(random, d.cosize());
    let mut expected = destination.to_vec();
    let f = |x: T, y: u32| if x == T::of(4) { y.wrapping_mul(3) } else { y + 1 };
    for i in 0..s.size() {
        let y = &mut expected[d.offset_of_index(i)];
        *y = f(source[s.offset_of_index(i)], *y);
    }
    let from = View::new_in(&source, s).unwrap();
    update_at(level, &from, &mut ViewMut::new_in(&mut destination, d).unwrap(), f).unwrap();
    assert!(*destination == *expected, "{level}: {s} to {d} of {}", std::any::type_name::<T>());
}

/// A copy from or to a swizzled layout, or between two.
pub(crate) fn swizzled(random: &mut Random, counts: &mut Counts) {
    let sizes = sizes(random);
    let mut behind = |broadcast| {
        let layout = random.layout(&sizes, broadcast);
        let (bits, base) = (random.below(4) as u32, random.below(5) as u32);
        let shift = (bits as usize + random.below(3)) as i32;
        let shift = if random.below(3) == 0 { -shift } else { shift };
        let swizzle = Swizzle::new(bits, base, shift).unwrap();
        let offset = if random.below(3) == 0 { random.below(40) } else { 0 };
        ComposedLayout::new(&swizzle, offset, &layout)
    };
    let (Ok(s), Ok(d)) = (behind(true), behind(false)) else { return };
    counts.swizzled += 1;
    with_element!(random, moved(random, s, d):
        u8, u16, f32, f64, u128, [u8; 3], [u8; 4], [u8; 12], [u16; 3], (u8, u32), (), Aligned32,
        Aligned64);
}

fn moved<T: Element>(random: &mut Random, s: ComposedLayout, d: ComposedLayout) {
    let level = any_level(random);
    let way = random.below(3);
    log(|| format!("{level}: move {way} of {} from {s} to {d}", std::any::type_name::<T>()));
    // Both swizzled, only the destination, or only the source.
    let plain = |c: &ComposedLayout| Swizzle::new(0, 0, 0).unwrap().composition(&c.layout());
    let s = if way == 1 { plain(&s) } else { s };
    let d = if way == 2 { plain(&d) } else { d };
    let source = source::<T>(random, s.cosize_bound());
    let mut destination = destination::<T>(random, d.cosize_bound());
    let mut expected = destination.to_vec();
    for i in 0..s.size() {
        expected[d.offset_of_index(i)] = source[s.offset_of_index(i)];
    }
    let outcome = match way {
        1 => {
            let from = View::new_in(&source, s.layout()).unwrap();
            copy_at(level, &from, &mut SwizzledViewMut::new_in(&mut destination, d).unwrap())
        }
        2 => {
            let from = SwizzledView::new_in(&source, s).unwrap();
            copy_at(level, &from, &mut ViewMut::new_in(&mut destination, d.layout()).unwrap())
        }
        _ => {
            let from = SwizzledView::new_in(&source, s).unwrap();
            copy_at(level, &from, &mut SwizzledViewMut::new_in(&mut destination, d).unwrap())
        }
    };
    outcome.unwrap();
    assert!(*destination == *expected, "{level}: {s} to {d} of {}", std::any::type_name::<T>());
}

/// A copy between two placements, each with one memory or one buffer per core.
pub(crate) fn placed(random: &mut Random, counts: &mut Counts) {
    let shape = shape(random);
    let (s, d) = (placement(random, &shape), placement(random, &shape));
    counts.placed += 1;
    with_element!(random, relaid(random, &s, &d):
        u8, u16, f32, f64, u64, u128, [u8; 3], (u8, u32), (), Aligned32);
}

fn relaid<T: Element>(random: &mut Random, s: &Placement, d: &Placement) {
    let level = any_level(random);
    log(|| format!("{level}: move of {} from {s:?} to {d:?}", std::any::type_name::<T>()));
    let padding = (random.below(2) == 0).then(|| T::of(9));
    // Without `std` there is only one buffer.
    let each = [0; 2].map(|_| random.below(2) == 0 && cfg!(feature = "std"));
    // One buffer per core, or one for all.
    let (s_buffers, d_buffers) =
        (if each[0] { s.cores() } else { 1 }, if each[1] { d.cores() } else { 1 });
    let sources: Vec<Exact<T>> =
        (0..s_buffers).map(|_| source::<T>(random, s.slots() / s_buffers)).collect();
    let mut destinations: Vec<Exact<T>> =
        (0..d_buffers).map(|_| destination::<T>(random, d.slots() / d_buffers)).collect();
    let mut expected: Vec<T> =
        destinations.iter().flat_map(|buffer| buffer.iter()).copied().collect();
    if let Some(padding) = padding {
        expected.fill(padding);
    }
    let all: Vec<T> = sources.iter().flat_map(|buffer| buffer.iter()).copied().collect();
    for (s, d) in slots(s).into_iter().zip(slots(d)) {
        expected[d] = all[s];
    }
    let from = match each[0] {
        #[cfg(feature = "std")]
        true => PlacedView::of_cores(sources.iter().map(|buffer| &buffer[..]), *s),
        _ => PlacedView::new_in(&sources[0][..], *s),
    };
    let to = match each[1] {
        #[cfg(feature = "std")]
        true => {
            let buffers = destinations.iter_mut().map(|buffer| &mut buffer[..]);
            PlacedViewMut::unfilled_of_cores(buffers, *d)
        }
        _ => PlacedViewMut::unfilled_in(&mut destinations[0][..], *d),
    };
    let (from, to) = (from.unwrap(), to.unwrap());
    let mut to = to.with_padding(padding);
    match random.below(4) {
        #[cfg(feature = "std")]
        0 => copy_par(threads(random), &from, &mut to).unwrap(),
        #[cfg(feature = "std")]
        1 => {
            let plan = Relayout::<T>::between(&from, &mut to).unwrap();
            plan.run(threads(random), &from, &mut to).unwrap();
        }
        _ => copy_at(level, &from, &mut to).unwrap(),
    }
    drop(to);
    let result: Vec<T> = destinations.iter().flat_map(|buffer| buffer.iter()).copied().collect();
    assert!(result == expected, "{level}: {s:?} to {d:?} of {}", std::any::type_name::<T>());
}

/// Slices and tiles of a view, read and written.
pub(crate) fn parts(random: &mut Random, counts: &mut Counts) {
    let sizes: Vec<usize> = (0..2).map(|_| random.one_of(&[1, 2, 4, 6, 8, 12])).collect();
    let l = random.layout(&sizes, false);
    counts.parts += 1;
    log(|| format!("parts of {l}"));
    let mut memory = Exact::new((0..l.cosize()).map(|i| i as u32), random.below(2) == 0);
    let (i, j) = (random.below(sizes[0] + 1), random.below(sizes[1] + 1));
    let mut view = ViewMut::new_in(&mut memory, l).unwrap();
    if let Ok(mut row) = view.try_slice_mut((i, ..)) {
        for j in 0..sizes[1] {
            row[j] += 1000;
        }
    }
    if let Ok(mut columns) = view.try_slice_mut((.., j)) {
        for i in 0..sizes[0] {
            columns[(i,)] += 1000;
        }
    }
    let mut transposed = view.transposed_mut().unwrap();
    transposed[(sizes[1] - 1, sizes[0] - 1)] += 1000;
    // A tile, if there is one: each element once.
    let tiles = [0; 2].map(|_| random.one_of(&[1, 2, 3, 4, 6]));
    let tiler = Tiler::parse(&format!("<{}, {}>", tiles[0], tiles[1])).unwrap();
    let tile = view.local_tile_mut(&tiler, (random.below(4), random.below(4)));
    let in_tile = tile.map_or(0, |mut tile| {
        let size = tile.layout().size();
        (0..size).for_each(|i| tile[i] += 1000);
        size
    });
    let sum: u32 = memory.iter().zip(0..).map(|(x, i)| x - i).sum();
    let rows = if i < sizes[0] { sizes[1] } else { 0 };
    let columns = if j < sizes[1] { sizes[0] } else { 0 };
    assert_eq!(sum as usize, 1000 * (rows + columns + 1 + in_tile), "{l} at {i}, {j}");
}

/// Rows of 5 on two cores (three and two rows), each padded to 8: padding in rows and after them.
/// With `TURNED`, columns are contiguous.
#[derive(Clone, Copy)]
struct Cores<const TURNED: bool>;

impl<const TURNED: bool> AnyPlacement for Cores<TURNED> {
    type Fallibility = AtCompileTime;
    const STATIC: Option<Placement> = Some(cores(if TURNED { [1, 3] } else { [8, 1] }));
    fn placement(&self) -> Placement {
        const { cores(if TURNED { [1, 3] } else { [8, 1] }) }
    }
}

const fn cores([row, column]: [usize; 2]) -> Placement {
    macro_rules! attempt {
        ($e:expr) => {
            match $e {
                Ok(value) => value,
                Err(error) => error.panic(),
            }
        };
    }
    let b = attempt!(Placement::builder(&[5, 5], 24, 2));
    let b = attempt!(attempt!(b.dimension(5, &[1, 0])).piece(3));
    let b = attempt!(attempt!(attempt!(b.leaf(3, row)).piece(2)).core_leaf(2, 1));
    let b = attempt!(attempt!(b.dimension(5, &[0, 1])).piece(5));
    attempt!(attempt!(b.leaf(5, column)).build())
}

/// Copies between static placements.
pub(crate) fn placed_fixed(random: &mut Random, counts: &mut Counts) {
    counts.placed += 1;
    with_element!(random, relaid_static(random):
        u8, u16, f32, f64, u128, [u8; 3], [u8; 100], (u8, u32), (), Aligned32, Aligned256);
}

fn relaid_static<T: Element>(random: &mut Random) {
    fn between<T: Element, const S: bool, const D: bool>(random: &mut Random) {
        log(|| format!("move of {} between {S} and {D}", std::any::type_name::<T>()));
        let (from, to) = (slots(&Cores::<S>.placement()), slots(&Cores::<D>.placement()));
        for level in Level::available() {
            let memory = source::<T>(random, 48);
            let mut written = destination::<T>(random, 48);
            let padding = (random.below(2) == 0).then(|| T::of(9));
            let mut expected = written.to_vec();
            if let Some(padding) = padding {
                expected.fill(padding);
            }
            for (&s, &d) in from.iter().zip(&to) {
                expected[d] = memory[s];
            }
            let view = PlacedView::new_in(&memory[..], Cores::<S>).unwrap();
            let placed = PlacedViewMut::unfilled_in(&mut written[..], Cores::<D>).unwrap();
            copy_at(level, &view, &mut placed.with_padding(padding));
            assert!(*written == *expected, "{level}: {S} to {D} of {}", std::any::type_name::<T>());
        }
    }
    match random.below(3) {
        0 => between::<T, false, true>(random),
        1 => between::<T, true, false>(random),
        _ => between::<T, true, true>(random),
    }
}

/// Copies between static layouts.
pub(crate) fn fixed(random: &mut Random, counts: &mut Counts) {
    type Rows = Layout<Pair<U12, U20>, Pair<U20, U1>>;
    type Columns = Layout<Pair<U12, U20>, Pair<U1, U12>>;
    type Padded = Layout<Pair<U12, U20>, Pair<U1, U13>>;
    type Tiled = Layout<Triple<U4, U3, U20>, Triple<U1, U80, U4>>;
    type TiledRows = Layout<Triple<U4, U3, U20>, Triple<U20, U80, U1>>;
    type Nested = Layout<Pair<Pair<U6, U2>, U20>, Pair<Pair<U1, U120>, U6>>;
    type Crossed = Layout<Pair<Pair<U4, U3>, U20>, Pair<Pair<U1, U80>, U4>>;
    macro_rules! pairs {
        ($($s:ty => $d:ty: $($t:ty),*;)*) => {
            [$($(copied_static::<$t, $s, $d>,)*)*]
        };
    }
    let copies = pairs! {
        Rows => Columns: u8, u16, f32, f64, (u8, u32), ();
        Columns => Padded: f32, u128, [u8; 3];
        Padded => Rows: f32, [u8; 3];
        Tiled => TiledRows: u16, f32;
        TiledRows => Tiled: u8, f64;
        Nested => Crossed: f32, u64, ();
    };
    counts.copies += 1;
    copies[random.below(copies.len())](random);
}

fn copied_static<T: Element, S: StaticLayout, D: StaticLayout>(random: &mut Random) {
    log(|| format!("copy of {} from {} to {}", std::any::type_name::<T>(), S::LAYOUT, D::LAYOUT));
    let source = source::<T>(random, S::COSIZE);
    let from = View::<T, S>::new(&source).unwrap();
    for level in Level::available() {
        let mut destination = destination::<T>(random, D::COSIZE);
        let mut expected = destination.to_vec();
        for i in 0..S::SIZE {
            expected[D::LAYOUT.offset_of_index(i)] = source[S::LAYOUT.offset_of_index(i)];
        }
        copy_at(level, &from, &mut ViewMut::<T, D>::new(&mut destination).unwrap());
        assert!(*destination == *expected, "{level}: {} to {}", S::LAYOUT, D::LAYOUT);
    }
}
