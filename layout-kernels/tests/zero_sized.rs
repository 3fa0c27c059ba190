//! Zero-sized elements in every kernel that moves elements: nothing is read or written, and the time
//! does not depend on the number of elements.

mod common;

use std::ops::{Add, Mul};

use common::{Pair, Random};
use layout_core::devices::{AnyPlacement, Placement};
use layout_core::engine::{DynLayout, Swizzle};
use layout_core::types::{AtCompileTime, Dyn, Layout, Mixed, StaticLayout, Swizzled};
use layout_kernels::simd::Level;
use layout_kernels::{
    ArrayTensor, AsView, Par, PlacedTensor, PlacedView, PlacedViewMut, Relayout, SwizzledView,
    SwizzledViewMut, Tensor, View, ViewMut, axpby, copy, copy_at, copy_par, transform, update,
    update_at,
};
use typenum::consts::*;

/// Everything that kernels require of an element, with size 0.
trait Empty:
    Copy + Default + PartialEq + Add<Output = Self> + Mul<Output = Self> + Send + Sync + 'static
{
}

macro_rules! empty {
    ($($(#[$attribute:meta])* $name:ident($($field:ty)?);)*) => {$(
        #[derive(Clone, Copy, Default, PartialEq, Debug)]
        $(#[$attribute])*
        struct $name($($field)?);

        impl Add for $name {
            type Output = Self;
            fn add(self, _: Self) -> Self {
                self
            }
        }
        impl Mul for $name {
            type Output = Self;
            fn mul(self, _: Self) -> Self {
                self
            }
        }
        impl Empty for $name {}
        const _: () = assert!(size_of::<$name>() == 0);
    )*};
}
empty! {
    Unit();
    Wrapped(());
    Words([u32; 0]);
    #[repr(align(256))]
    Aligned();
    #[repr(align(4096))]
    PageAligned();
}

fn layout(text: &str) -> DynLayout {
    DynLayout::parse(text).unwrap()
}

/// All kernels between two static layouts.
fn all_static<T: Empty, S: StaticLayout, D: StaticLayout>() {
    let source = Tensor::<T, S>::zeros();
    let mut destination = Tensor::<T, D>::full(T::default());
    copy(&source, &mut destination);
    copy_par(Par::default(), &source, &mut destination);
    transform(&source, &mut destination, |x: T| x + x);
    update(&source, &mut destination, |x: T, y: T| x + y);
    axpby(T::default(), &source, T::default(), &mut destination);
    for level in Level::available() {
        copy_at(level, &source, &mut destination);
        update_at(level, &source, &mut destination, |x: T, y: T| x * y);
    }
    let plan = Relayout::<T>::between(&source, &mut destination).unwrap();
    plan.run(Par::default(), &source, &mut destination).unwrap();
    assert_eq!(destination.iter().count(), D::SIZE);
}

#[test]
fn static_layouts() {
    fn of<T: Empty>() {
        type Run = Layout<U4, U1>;
        type Strided = Layout<U4, U3>;
        type Rows = Layout<Pair<U16, U24>, Pair<U24, U1>>;
        type Columns = Layout<Pair<U16, U24>, Pair<U1, U16>>;
        // Modes of 6 without a common refinement.
        type By2 = Layout<Pair<U2, U3>, Pair<U3, U1>>;
        type By3 = Layout<Pair<U3, U2>, Pair<U1, U3>>;
        type Nested<L> =
            Layout<Pair<<L as StaticLayout>::Shape, U2>, Pair<<L as StaticLayout>::Stride, U6>>;
        all_static::<T, Run, Run>();
        all_static::<T, Run, Strided>();
        all_static::<T, Strided, Strided>();
        all_static::<T, Rows, Columns>();
        all_static::<T, Columns, Rows>();
        all_static::<T, Rows, Rows>();
        all_static::<T, Nested<By2>, Nested<By3>>();
        let a = ArrayTensor::<T, Rows>::zeros();
        let mut b = ArrayTensor::<T, Columns>::zeros();
        copy(&a, &mut b);
    }
    of::<Unit>();
    of::<Wrapped>();
    of::<Words>();
    of::<Aligned>();
    of::<PageAligned>();
}

#[test]
fn mixed_layouts() {
    type Rows = Mixed<Pair<U16, Dyn>, Pair<Dyn, U1>>;
    let rows = Rows::new((((), 24), ((24, ()), ())));
    type Columns = Layout<Pair<U16, U24>, Pair<U1, U16>>;
    let source = Tensor::<Words, _>::zeros_in(rows).unwrap();
    let mut destination = Tensor::<Words, Columns>::zeros();
    copy(&source, &mut destination).unwrap();
    copy(&destination, &mut Tensor::zeros_in(rows).unwrap()).unwrap();
    update(&source, &mut destination, |x: Words, _: Words| x).unwrap();
}

#[test]
fn run_time_layouts() {
    let mut random = Random::new(5);
    for _ in 0..40 {
        let sizes: Vec<usize> = (0..1 + random.below(4)).map(|_| 1 + random.below(20)).collect();
        let (s, d) = (random.layout(&sizes, true), random.layout(&sizes, false));
        let (from, mut to) = (vec![Unit(); s.cosize()], vec![Unit(); d.cosize()]);
        let source = View::new_in(&from, s).unwrap();
        let mut destination = ViewMut::new_in(&mut to, d).unwrap();
        for level in Level::available() {
            copy_at(level, &source, &mut destination).unwrap();
            update_at(level, &source, &mut destination, |x: Unit, _: Unit| x).unwrap();
        }
        copy_par(Par::default(), &source, &mut destination).unwrap();
        let plan = Relayout::<Unit>::between(&source, &mut destination).unwrap();
        plan.run(Par::default(), &source, &mut destination).unwrap();
        // From zero-sized elements to others, and back.
        let mut numbers = vec![1u32; d.cosize()];
        let mut numbers_view = ViewMut::new_in(&mut numbers, d).unwrap();
        for level in Level::available() {
            update_at(level, &source, &mut numbers_view, |Unit(), y| y + 1).unwrap();
        }
        transform(&numbers_view, &mut destination, |_: u32| Unit()).unwrap();
        let sum: usize = numbers.iter().map(|&y| y as usize - 1).sum();
        assert_eq!(sum, d.size() * Level::available().count());
    }
}

/// The largest possible number of elements: a copy takes no time per element.
#[test]
fn very_many() {
    let many = &[Unit(); usize::MAX];
    let mut others = [Unit(); usize::MAX];
    for (s, d) in [
        ("4611686018427387904:1", "4611686018427387904:1"),
        ("4611686018427387904:2", "4611686018427387904:1"),
        ("(2147483648,1073741824):(1073741824,1)", "(2147483648,1073741824):(1,2147483648)"),
        (
            "((2,3),(2147483648,65536)):((3,1),(393216,6))",
            "((3,2),(65536,2147483648)):((1,3),(6,393216))",
        ),
    ] {
        let source = View::new_in(many, layout(s)).unwrap();
        let mut destination = ViewMut::new_in(&mut others, layout(d)).unwrap();
        copy(&source, &mut destination).unwrap();
        copy_par(Par::default(), &source, &mut destination).unwrap();
    }
    // A layout whose size does not fit is refused, even if every index exists.
    type Two = Mixed<Pair<Dyn, Dyn>, Pair<Dyn, U1>>;
    let mixed = Two::new(((usize::MAX, usize::MAX), ((usize::MAX, ()), ())));
    assert!(View::new_in(many, mixed).is_err());
    let rows = layout("(1048576,1048576):(1048576,1)");
    let swizzled = Swizzle::new(3, 0, 3).unwrap().composition(&rows);
    let from = SwizzledView::new_in(many, swizzled).unwrap();
    copy(&from, &mut ViewMut::new_in(&mut others, rows).unwrap()).unwrap();
}

#[test]
fn swizzled_layouts() {
    type Rows = Layout<Pair<U8, U8>, Pair<U8, U1>>;
    let from = [Words([]); 64];
    let mut to = [Words([]); 64];
    let layout = Swizzled::<Rows, 3, 0, 3>;
    let source = SwizzledView::new_in(&from, layout).unwrap();
    let plain = Tensor::<Words, Rows>::zeros();
    copy(&plain, &mut SwizzledViewMut::new_in(&mut to, layout).unwrap());
    copy(&source, &mut SwizzledViewMut::new_in(&mut to, layout).unwrap());
    copy_par(Par::default(), &source, &mut SwizzledViewMut::new_in(&mut to, layout).unwrap());
}

/// Rows of 5 on two cores (three and two rows), each padded to 8: padding in rows and after them.
#[derive(Clone, Copy, Default)]
struct Cores;

impl AnyPlacement for Cores {
    type Fallibility = AtCompileTime;
    const STATIC: Option<Placement> = Some(placement(8, 1));
    fn placement(&self) -> Placement {
        const { placement(8, 1) }
    }
}

/// The same with contiguous columns.
#[derive(Clone, Copy, Default)]
struct Columns;

impl AnyPlacement for Columns {
    type Fallibility = AtCompileTime;
    const STATIC: Option<Placement> = Some(placement(1, 3));
    fn placement(&self) -> Placement {
        const { placement(1, 3) }
    }
}

const fn placement(row: usize, column: usize) -> Placement {
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

#[test]
fn placements() {
    fn of<T: Empty>() {
        type Rows = Layout<Pair<U5, U5>, Pair<U5, U1>>;
        let host = Tensor::<T, Rows>::zeros();
        let mut cores = PlacedTensor::full_in(Cores, T::default());
        let mut columns = PlacedTensor::full_in(Columns, T::default());
        copy(&host, &mut cores);
        copy(&cores, &mut columns);
        copy(&columns, &mut Tensor::<T, Rows>::zeros());
        for level in Level::available() {
            copy_at(level, &host, &mut cores);
            copy_at(level, &cores, &mut columns);
        }
        copy_par(Par::default(), &host, &mut cores);
        copy_par(Par::default(), &cores, &mut columns);
        let plan = Relayout::<T>::between(&cores, &mut columns).unwrap();
        plan.run(Par::default(), &cores, &mut columns).unwrap();

        // With padding that is filled, and with one buffer per core.
        let mut memory = [T::default(); 48];
        let device = PlacedViewMut::unfilled_in(&mut memory, Cores).unwrap();
        copy(&host, &mut device.with_padding(Some(T::default())));
        let mut buffers = [[T::default(); 24]; 2];
        let slices = buffers.iter_mut().map(|buffer| &mut buffer[..]);
        let device = PlacedViewMut::unfilled_of_cores(slices, Cores).unwrap();
        copy(&host, &mut device.with_padding(Some(T::default())));
        let slices = buffers.iter().map(|buffer| &buffer[..]);
        copy(&PlacedView::of_cores(slices, Cores).unwrap(), &mut columns);

        // As a dynamic placement.
        let mut device = PlacedTensor::full_in(Cores.placement(), T::default()).unwrap();
        copy(&host, &mut device).unwrap();
        copy(&device, &mut columns).unwrap();
        assert_eq!(host.as_view().as_slice().len(), 25);
    }
    of::<Unit>();
    of::<Wrapped>();
    of::<Words>();
    of::<Aligned>();
    of::<PageAligned>();
}
