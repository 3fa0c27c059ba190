//! `copy` from and to placements compared with a naive reference, `Placement::slot` of each
//! coordinate: every `Level`, element sizes, one memory or one buffer per core, padding and guards.

mod common;
#[path = "common/placements.rs"]
mod placements;

use common::Random;
use layout_core::devices::{AnyPlacement, Fill, Placement};
use layout_core::engine::DynLayout;
use layout_core::error::LayoutError;
use layout_core::types::{AtCompileTime, AtRunTime};
use layout_kernels::simd::Level;
use layout_kernels::{
    FillValue, Par, PlacedTensor, PlacedView, PlacedViewMut, Relayout, Tensor, View, ViewMut, copy,
    copy_at, copy_par,
};
use placements::{built, placement, shape, shards, slots, sticks};

/// Test elements. `of` is injective as far as the type allows (below 2^8 for `u8` and so on).
trait Element: Copy + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    fn of(n: usize) -> Self;
}
macro_rules! elements {
    ($($number:ty)*) => {$(
        impl Element for $number {
            fn of(n: usize) -> Self {
                n as $number
            }
        }
    )*};
}
elements!(u8 u16 f32 f64 u64 u128);
/// Element types that match no vector lane: three bytes; eight bytes with padding inside.
impl Element for [u8; 3] {
    fn of(n: usize) -> Self {
        [n as u8, (n >> 8) as u8, (n >> 16) as u8]
    }
}
impl Element for (u8, u32) {
    fn of(n: usize) -> Self {
        (n as u8, n as u32)
    }
}

/// Number of elements before and after the destination that must not change.
const GUARD: usize = 70;

/// Expected contents of the destination after a copy; `memory` is its previous contents.
fn expected<T: Element>(
    (source, s): (&[T], &[usize]),
    (memory, d): (&[T], &[usize]),
    all: usize,
    padding: Option<T>,
) -> Vec<T> {
    let mut memory = memory.to_vec();
    if let Some(padding) = padding {
        memory[GUARD..][..all].fill(padding);
    }
    for (&s, &d) in s.iter().zip(d) {
        memory[GUARD + d] = source[s];
    }
    memory
}

/// Copies between two placements at every level, with one memory and with one buffer per core.
fn check<T: Element>(s: &Placement, d: &Placement, padding: Option<T>) {
    let name = std::any::type_name::<T>();
    let source: Vec<T> = (0..s.slots()).map(|i| T::of(3 * i + 1)).collect();
    let memory: Vec<T> = (0..d.slots() + 2 * GUARD).map(|i| T::of(7 * i + 5)).collect();
    let expected = expected((&source, &slots(s)), (&memory, &slots(d)), d.slots(), padding);
    for level in Level::available() {
        let mut result = memory.clone();
        let slice = &mut result[GUARD..][..d.slots()];
        let to = PlacedViewMut::unfilled_in(slice, *d).unwrap();
        let from = PlacedView::new_in(&source, *s).unwrap();
        copy_at(level, &from, &mut to.with_padding(padding)).unwrap();
        assert!(result == expected, "{level}: {s:?} to {d:?} of {name}");
    }
    let one = PlacedView::new_in(&source, *s).unwrap();
    let each = PlacedView::of_cores(source.chunks_exact(s.storage()), *s).unwrap();
    let mut plan = None;
    for (way, from) in [(0, &each), (1, &each), (2, &one), (3, &each), (4, &one)] {
        let mut result = memory.clone();
        let slice = &mut result[GUARD..][..d.slots()];
        let to = if way % 2 == 0 {
            PlacedViewMut::unfilled_of_cores(slice.chunks_exact_mut(d.storage()), *d).unwrap()
        } else {
            PlacedViewMut::unfilled_in(slice, *d).unwrap()
        };
        let to = &mut to.with_padding(padding);
        match way {
            0 => copy(from, to).unwrap(),
            1 | 2 => copy_par(threads(), from, to).unwrap(),
            _ => {
                let plan = plan.get_or_insert_with(|| Relayout::between(from, to).unwrap());
                plan.run(threads(), from, to).unwrap();
            }
        }
        assert!(result == expected, "way {way}: {s:?} to {d:?} of {name}");
    }
}

/// Three threads if `rayon` is enabled, otherwise sequential.
fn threads() -> Par {
    #[cfg(feature = "rayon")]
    return Par::Rayon(std::num::NonZero::new(3).unwrap());
    #[cfg(not(feature = "rayon"))]
    Par::Sequential
}

fn check_all_elements(s: &Placement, d: &Placement) {
    check::<u8>(s, d, None);
    check::<u16>(s, d, Some(u16::MAX));
    check::<f32>(s, d, Some(f32::NEG_INFINITY));
    check::<f64>(s, d, None);
    check::<u64>(s, d, Some(1));
    check::<u128>(s, d, None);
    check::<[u8; 3]>(s, d, Some([1; 3]));
    check::<(u8, u32)>(s, d, None);
}

#[test]
fn generated_placements() {
    let mut random = Random::new(7);
    for case in 0..400 {
        let shape = shape(&mut random);
        let (s, d) = (placement(&mut random, &shape), placement(&mut random, &shape));
        if case % 8 == 0 {
            check_all_elements(&s, &d);
        } else {
            check::<f32>(&s, &d, None);
            check::<u16>(&s, &d, u16::fill_value(Fill::One));
        }
    }
}

#[test]
fn a_plan_for_other_places_is_made_anew() {
    let layout = |text| DynLayout::parse(text).unwrap();
    let rows = Tensor::<u16, _>::from_fn_in(layout("(70,90):(90,1)"), |c| c.leaves()[0] as u16);
    let rows = rows.unwrap();
    let columns = Placement::of_layout(&layout("(70,90):(1,70)")).unwrap();
    let wide = Placement::of_layout(&layout("(70,90):(1,80)")).unwrap();
    let mut to = PlacedTensor::<u16, _>::zeros_in(columns).unwrap();
    let plan = Relayout::between(&rows, &mut to).unwrap();
    let mut wider = PlacedTensor::<u16, _>::full_in(wide, 9).unwrap();
    plan.run(Par::Sequential, &rows, &mut wider).unwrap();
    let mut again = PlacedTensor::<u16, _>::full_in(wide, 9).unwrap();
    copy(&rows, &mut again).unwrap();
    assert_eq!(wider.as_slice(), again.as_slice());
    // And back, again with operands the plan was not built for.
    let mut back = Tensor::<u16, _>::zeros_in(layout("(70,90):(90,1)")).unwrap();
    plan.run(Par::Sequential, &wider, &mut back).unwrap();
    assert_eq!(back.as_slice(), rows.as_slice());
    let shape = Tensor::<u16, _>::zeros_in(layout("(90,70):(70,1)")).unwrap();
    let error = plan.run(Par::Sequential, &shape, &mut wider).unwrap_err();
    assert_eq!(error.code(), copy(&shape, &mut wider).unwrap_err().code());
}

#[test]
fn host_to_device_and_back() {
    let mut random = Random::new(8);
    for _ in 0..200 {
        let shape = shape(&mut random);
        let layout = random.layout(&shape, false);
        let (middle, device) = (placement(&mut random, &shape), placement(&mut random, &shape));
        let mut n = 0;
        let host = Tensor::from_fn_in(layout, |_| {
            n += 1;
            n
        })
        .unwrap();
        let mut there = PlacedTensor::<u32, _>::zeros_in(middle).unwrap();
        let mut further = PlacedTensor::<u32, _>::full_in(device, u32::MAX).unwrap();
        let mut back = Tensor::<u32, _>::zeros_in(layout).unwrap();
        copy(&host, &mut there).unwrap();
        copy(&there, &mut further).unwrap();
        copy(&further, &mut back).unwrap();
        assert!(back.iter().eq(host.iter()), "{layout} to {middle:?} to {device:?} and back");
        // Slots that received no element are unchanged.
        let padding = further.as_slice().iter().filter(|&&x| x == u32::MAX).count();
        assert_eq!(padding, device.padding());
    }
}

#[test]
fn large_tensors_in_pieces() {
    let mut random = Random::new(9);
    for shape in [&[70, 500, 12][..], &[1100, 1030], &[2, 3, 100, 260]] {
        let rows = DynLayout::row_major(&layout_core::engine::IntTuple::flat(shape).unwrap());
        let rows = Placement::of_layout(&rows.unwrap()).unwrap();
        let (a, b) = (sticks(&mut random, shape), shards(&mut random, shape));
        check::<u16>(&rows, &a, Some(3));
        check::<f32>(&a, &b, None);
        check::<f32>(&b, &rows, None);
    }
}

#[test]
fn padding_by_moves() {
    // With more padding than the limit up to which the whole destination is filled first.
    let mut random = Random::new(10);
    for case in 0..60 {
        let mut shape = vec![30 + random.below(60), 80 + random.below(100)];
        if case % 2 == 0 {
            shape.insert(random.below(2), 1 + random.below(4));
        }
        let rows = Placement::of_layout(&random.layout(&shape, false)).unwrap();
        let d =
            if case % 3 == 0 { sticks(&mut random, &shape) } else { shards(&mut random, &shape) };
        match case % 5 {
            0 => check::<u8>(&rows, &d, Some(255)),
            1 => check::<u16>(&rows, &d, Some(u16::MAX)),
            2 => check::<[u8; 3]>(&rows, &d, Some([1; 3])),
            3 => check::<u128>(&rows, &d, Some(u128::MAX)),
            _ => check::<f32>(&rows, &d, Some(f32::NEG_INFINITY)),
        }
    }
}

#[test]
fn large_tensors_in_tiles_of_faces() {
    // With non-temporal stores: faces have rows of 32 bytes, less than a cache line, and of 64 bytes.
    let (rows, columns) = (1088, 2112);
    let tiles = built(|| {
        let b = Placement::builder(&[rows, columns], rows * columns, 1)?;
        let b = b.dimension(rows, &[1, 0])?.piece(rows)?;
        let b = b.leaf(16, 16)?.leaf(2, 512)?.leaf(rows / 32, columns * 32)?;
        let b = b.dimension(columns, &[0, 1])?.piece(columns)?;
        b.leaf(16, 1)?.leaf(2, 256)?.leaf(columns / 32, 1024)?.build()
    });
    let rows = common::flat(&[rows, columns], &[columns, 1]);
    let rows = Placement::of_layout(&rows).unwrap();
    check_aligned::<u16>(&rows, &tiles);
    check_aligned::<u16>(&tiles, &rows);
    check_aligned::<f32>(&rows, &tiles);
    check_aligned::<f32>(&tiles, &rows);
}

/// Copies at every level to memory that starts at a cache line, so that non-temporal stores can be
/// used.
fn check_aligned<T: Element + FillValue>(s: &Placement, d: &Placement) {
    let source: Vec<T> = (0..s.slots()).map(|i| T::of(3 * i + 1)).collect();
    let from = PlacedView::new_in(&source, *s).unwrap();
    let pairs: Vec<_> = slots(s).into_iter().zip(slots(d)).collect();
    for level in Level::available() {
        let mut to = PlacedTensor::<T, _>::zeros_in(*d).unwrap();
        copy_at(level, &from, &mut to).unwrap();
        let right = pairs.iter().all(|&(s, d)| to.as_slice()[d] == source[s]);
        assert!(right, "{level}: {s:?} to {d:?} of {}", std::any::type_name::<T>());
    }
}

/// 5 x 100 x 150 in sticks of 64, as a type.
#[derive(Clone, Copy, Default)]
struct Sticks;

impl AnyPlacement for Sticks {
    type Fallibility = AtCompileTime;
    const STATIC: Option<Placement> = Some(sticks_of_64());
    fn placement(&self) -> Placement {
        const { sticks_of_64() }
    }
    fn fill(&self) -> Fill {
        Fill::One
    }
}

const fn sticks_of_64() -> Placement {
    const fn build() -> Result<Placement, LayoutError> {
        macro_rules! attempt {
            ($e:expr) => {
                match $e {
                    Ok(value) => value,
                    Err(error) => return Err(error),
                }
            };
        }
        let b = attempt!(Placement::builder(&[5, 100, 150], 100 * 3 * 5 * 64, 1));
        let b = attempt!(attempt!(b.dimension(5, &[1, 0, 0])).piece(5));
        let b = attempt!(attempt!(b.leaf(5, 64)).dimension(100, &[0, 1, 0]));
        let b = attempt!(attempt!(b.piece(100)).leaf(100, 3 * 5 * 64));
        let b = attempt!(attempt!(b.dimension(150, &[0, 0, 1])).piece(150));
        attempt!(attempt!(b.leaf(64, 1)).leaf(3, 5 * 64)).build()
    }
    match build() {
        Ok(placement) => placement,
        Err(error) => error.panic(),
    }
}

#[test]
fn static_places_need_no_result() {
    use typenum::consts::*;
    type Rows = layout_core::types::Layout<
        common::Triple<U5, U100, U150>,
        common::Triple<typenum::Prod<U1000, U15>, U150, U1>,
    >;
    let host = Tensor::<u32, Rows>::from_fn(|(i, j, k)| (i * 15000 + j * 150 + k) as u32);
    let mut device = PlacedTensor::<u32, Sticks>::zeros();
    copy(&host, &mut device);
    let mut run_time = PlacedTensor::zeros_in(sticks_of_64()).unwrap();
    run_time.set_fill(Fill::One);
    copy(&host, &mut run_time).unwrap();
    assert_eq!(device.as_slice(), run_time.as_slice());
    assert_eq!(device.as_slice().iter().filter(|&&x| x == 1).count(), 21000 + 1);
    let mut back = Tensor::<u32, Rows>::zeros();
    copy(&device, &mut back);
    assert_eq!(back.as_slice(), host.as_slice());
    let mut again = PlacedTensor::<u32, Sticks>::zeros();
    copy(&device, &mut again);
    assert_eq!(again.as_slice(), device.as_slice());
}

/// A placement that changes on every call, which a safe trait allows.
#[derive(Clone, Copy)]
struct Growing<'a>(&'a std::cell::Cell<usize>);

impl AnyPlacement for Growing<'_> {
    type Fallibility = AtRunTime;
    fn placement(&self) -> Placement {
        let rows = self.0.get();
        self.0.set(rows + 1);
        let layout = DynLayout::parse(&format!("(4,4):(1,{rows})")).unwrap();
        Placement::of_layout(&layout).unwrap()
    }
}

#[test]
fn a_placement_that_changes_is_checked_again() {
    let rows = std::cell::Cell::new(4);
    let mut memory = [0u8; 16];
    let mut to = PlacedViewMut::new_in(&mut memory, Growing(&rows)).unwrap();
    let from = [1u8; 16];
    let from = View::new_in(&from, DynLayout::parse("(4,4):(1,4)").unwrap()).unwrap();
    assert_eq!(copy(&from, &mut to).unwrap_err().code(), "L0616");
}

#[test]
fn what_does_not_fit_is_refused() {
    let layout = |text| DynLayout::parse(text).unwrap();
    let p = Placement::of_layout(&layout("(4,8):(8,1)")).unwrap();
    let mut memory = [0f32; 40];
    assert_eq!(PlacedView::new_in(&memory[..31], p).unwrap_err().code(), "L0616");
    assert_eq!(PlacedViewMut::new_in(&mut memory[..31], p).unwrap_err().code(), "L0616");
    let none: [&[f32]; 0] = [];
    assert_eq!(PlacedView::of_cores(none, p).unwrap_err().code(), "L0616");
    let twice = Placement::of_layout(&layout("(4,8):(4,1)")).unwrap();
    assert_eq!(PlacedViewMut::new_in(&mut memory, twice).unwrap_err().code(), "L0615");
    assert_eq!(PlacedTensor::<f32, _>::zeros_in(twice).unwrap_err().code(), "L0615");
    let huge = Placement::builder(&[4], 1 << 40, 1 << 22)
        .and_then(|b| b.dimension(4, &[1])?.piece(4)?.leaf(4, 1)?.build())
        .unwrap();
    assert_eq!(PlacedTensor::<f32, _>::zeros_in(huge).unwrap_err().code(), "L0617");
    let source = View::new_in(&[0f32; 32], layout("(8,4):(4,1)")).unwrap();
    let error = copy(&source, &mut PlacedTensor::zeros_in(p).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), copy_shape(&source).to_string());
}

/// The error of the same copy between layouts.
fn copy_shape(source: &View<'_, f32, DynLayout>) -> LayoutError {
    let mut memory = [0f32; 32];
    let layout = DynLayout::parse("(4,8):(8,1)").unwrap();
    copy(source, &mut ViewMut::new_in(&mut memory, layout).unwrap()).unwrap_err()
}
