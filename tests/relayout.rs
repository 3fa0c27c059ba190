//! `copy` to Spyre and Tenstorrent layouts and back: static, dynamic and generated ones, at every
//! level, compared with the slots that the layout reports.

use std::fmt::Debug;

use proptest::prelude::*;
use static_layout::devices::spyre::SpyreLayout;
use static_layout::devices::tenstorrent::{AffineMap, MetalLayout, Tile};
use static_layout::devices::{AnyPlacement, ElementType, Fill, Patches, Placement};
use static_layout::engine::DynLayout;
use static_layout::kernels::{Level, Par, Relayout, copy, copy_at, copy_par};
use static_layout::{FillValue, IntTuple, PlacedTensor, StaticLayout, Tensor, layout};

/// Element types, convertible from an integer.
trait Element: FillValue + PartialEq + Debug + Send + Sync {
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
elements!(u8 u16 f32 f64);

/// Every coordinate of a shape, last dimension fastest, with its index.
fn coordinates(shape: &[usize]) -> impl Iterator<Item = (usize, Vec<usize>)> + '_ {
    (0..shape.iter().product()).map(|n| {
        let (mut at, mut rest) = (vec![0; shape.len()], n);
        for d in (0..shape.len()).rev() {
            at[d] = rest % shape[d];
            rest /= shape[d];
        }
        (n, at)
    })
}

/// Expected contents of all buffers after a copy of elements numbered in row-major order.
fn image<T: Element>(p: &Placement, shape: &[usize], before: T, fill: Fill) -> Vec<T> {
    let mut image = vec![T::fill_value(fill).unwrap_or(before); p.slots()];
    for (n, at) in coordinates(shape) {
        let slot = p.slot(&at).unwrap();
        image[slot.core * p.storage() + slot.offset] = T::of(n + 1);
    }
    image
}

/// Copies a row-major tensor to a layout and back, in every way.
fn round_trip<T: Element, P: AnyPlacement + Copy>(layout: P, shape: &[usize], fill: Fill) {
    let placement = layout.placement();
    let rows = DynLayout::row_major(&IntTuple::flat(shape).unwrap()).unwrap();
    let mut host = Tensor::<T, _>::full_in(rows, T::of(0)).unwrap();
    for (n, element) in host.as_mut_slice().iter_mut().enumerate() {
        *element = T::of(n + 1);
    }
    let before = T::of(77);
    let expected = image(&placement, shape, before, fill);
    let device = || {
        let mut device = PlacedTensor::<T, _>::full_in(placement, before).unwrap();
        device.set_fill(fill);
        device
    };
    for level in Level::available() {
        let mut there = device();
        copy_at(level, &host, &mut there).unwrap();
        assert!(there.as_slice() == expected, "{level}: {placement:?}");
        let mut back = Tensor::<T, _>::full_in(rows, before).unwrap();
        copy_at(level, &there, &mut back).unwrap();
        assert!(back.as_slice() == host.as_slice(), "{level}: back from {placement:?}");
    }
    let mut there = device();
    copy_par(Par::Sequential, &host, &mut there).unwrap();
    assert!(there.as_slice() == expected, "on threads: {placement:?}");
    let mut there = device();
    let plan = Relayout::between(&host, &mut there).unwrap();
    plan.run(Par::Sequential, &host, &mut there).unwrap();
    assert!(there.as_slice() == expected, "by a plan: {placement:?}\n{plan}");
}

/// The same for a static layout. Also checks that the static copy equals the dynamic one.
macro_rules! round_trip_of_types {
    ($element:ty, $placed:ty, $rows:ty, $shape:expr, $fill:expr) => {{
        let shape: &[usize] = &$shape;
        round_trip::<$element, _>(<$placed>::default(), shape, $fill);
        let mut host = Tensor::<$element, $rows>::zeros();
        for (n, element) in host.as_mut_slice().iter_mut().enumerate() {
            *element = Element::of(n + 1);
        }
        let mut device = PlacedTensor::<$element, $placed>::zeros();
        device.set_fill($fill);
        copy(&host, &mut device);
        let placement = <$placed>::default().placement();
        let expected = image(&placement, shape, 0 as $element, $fill);
        assert!(device.as_slice() == expected, "{placement:?}");
        let mut back = Tensor::<$element, $rows>::zeros();
        copy(&device, &mut back);
        assert!(back.as_slice() == host.as_slice(), "back from {placement:?}");
    }};
}

#[test]
fn spyre_layouts_as_types() {
    type Dense = layout!(spyre { size: [7, 20, 150], dtype: f16 });
    type DenseRows = layout!((7, 20, 150):(3000, 150, 1));
    round_trip_of_types!(u16, Dense, DenseRows, [7, 20, 150], Fill::One);
    round_trip_of_types!(u16, Dense, DenseRows, [7, 20, 150], Fill::Undef);
    type Wide = layout!(spyre {
        size: [10, 20, 500],
        dtype: f32,
        device_size: [25, 16, 12, 32],
        dim_map: [1, 2, 0, 2]
    });
    type WideRows = layout!((10, 20, 500):(10000, 500, 1));
    round_trip_of_types!(f32, Wide, WideRows, [10, 20, 500], Fill::NegInf);
    type Sparse = layout!(spyre { size: [5, 100], dtype: f16, sparse: true });
    round_trip_of_types!(u16, Sparse, layout!((5, 100):(100, 1)), [5, 100], Fill::Zero);
}

#[test]
fn metal_layouts_as_types() {
    type Plain = layout!(tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), zero, <3x2>,
        !tt.tile<32x32, f32>>>);
    type Faces = layout!(tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), neginf, <3x2>,
        !tt.tile<32x32, bf16, face = 16x16>>>);
    type Rows = layout!((53, 63):(63, 1));
    round_trip_of_types!(f32, Plain, Rows, [53, 63], Fill::Zero);
    round_trip_of_types!(f32, Faces, Rows, [53, 63], Fill::NegInf);
    round_trip_of_types!(u16, Faces, Rows, [53, 63], Fill::Undef);
    type Joined = layout!(tensor<2x3x64x128xf32, #tt.metal_layout<
        (d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3), undef, <2x4>,
        memref<192x32xf32, #tt.memory_space<l1>>>>);
    type JoinedRows = layout!((2, 3, 64, 128):(24576, 8192, 128, 1));
    round_trip_of_types!(f32, Joined, JoinedRows, [2, 3, 64, 128], Fill::One);
    // Shard and tile boundaries inside joined dimensions, which cause many patches.
    type Cut = layout!(tensor<5x29x70xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 29 + d1, d2), zero, <4x2>,
        !tt.tile<32x32, f32>>>);
    type CutRows = layout!((5, 29, 70):(2030, 70, 1));
    assert_eq!(patches::<Cut, CutRows>(), 24);
    round_trip_of_types!(f32, Cut, CutRows, [5, 29, 70], Fill::Zero);
    type Crumbs = layout!(tensor<11x29x70xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 29 + d1, d2), zero, <4x2>,
        !tt.tile<32x32, f32>>>);
    type CrumbsRows = layout!((11, 29, 70):(2030, 70, 1));
    assert_eq!(patches::<Crumbs, CrumbsRows>(), 44);
    round_trip_of_types!(f32, Crumbs, CrumbsRows, [11, 29, 70], Fill::Zero);
}

/// Number of patches of a copy from a row-major tensor.
fn patches<P: AnyPlacement + Default, L: StaticLayout>() -> usize {
    let rows = Placement::of_layout(&L::LAYOUT).unwrap();
    Patches::new(&rows, &P::default().placement()).unwrap().count()
}

#[test]
fn large_tensors_past_the_caches() {
    let l = SpyreLayout::new(&[20, 1111, 500], ElementType::F16, &[1200, 8, 20, 64], &[1, 2, 0, 2]);
    round_trip::<u16, _>(l.unwrap(), &[20, 1111, 500], Fill::One);
    let map = AffineMap::new(2, &[&[1, 0], &[0, 1]]).unwrap();
    let l = MetalLayout::new(&[1700, 2111], ElementType::F32, &map, &[1, 1]).unwrap();
    let tile = Tile::new(32, 32).unwrap();
    let faces = tile.with_faces(16, 16).unwrap();
    round_trip::<f32, _>(l.tiled(tile, ElementType::F32).unwrap(), &[1700, 2111], Fill::Inf);
    round_trip::<f32, _>(l.tiled(faces, ElementType::F32).unwrap(), &[1700, 2111], Fill::Undef);
}

fn fills() -> impl Strategy<Value = Fill> {
    prop::sample::select(&[Fill::Undef, Fill::Zero, Fill::One, Fill::Inf, Fill::NegInf][..])
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    #[test]
    fn generated_spyre_layouts(
        size in prop::collection::vec(2usize..24, 0..3),
        last in 2usize..200,
        keys in prop::collection::vec(any::<u32>(), 3),
        sparse in any::<bool>(),
        fill in fills(),
    ) {
        let size: Vec<_> = size.into_iter().chain([last]).collect();
        let mut order: Vec<usize> = (0..size.len()).collect();
        order.sort_by_key(|&d| keys[d]);
        let small = size.iter().product::<usize>() < 2000;
        let l = if sparse && small {
            SpyreLayout::sparse(&size, ElementType::F16, Some(&order)).unwrap()
        } else {
            SpyreLayout::dense(&size, ElementType::F16, Some(&order)).unwrap()
        };
        round_trip::<u16, _>(l, &size, fill);
        round_trip::<f64, _>(l, &size, fill);
    }

    #[test]
    fn generated_metal_layouts(
        outer in prop::collection::vec(1usize..6, 0..3),
        rows in 1usize..80,
        columns in 1usize..120,
        grid in (1usize..5, 1usize..5),
        tile in prop::sample::select(&[(0, 0), (4, 8), (16, 16), (32, 32)][..]),
        faces in any::<bool>(),
        fill in fills(),
    ) {
        let shape: Vec<_> = outer.into_iter().chain([rows, columns]).collect();
        let map = AffineMap::collapsed(&shape, &[(0, -1)], 2).unwrap();
        let l = MetalLayout::new(&shape, ElementType::F32, &map, &[grid.0, grid.1]).unwrap();
        let l = match tile {
            (0, _) => l,
            (height, width) => {
                let tile = Tile::new(height, width).unwrap();
                let halves = tile.with_faces(height / 2, width / 2).unwrap();
                l.tiled(if faces { halves } else { tile }, ElementType::F32).unwrap()
            }
        };
        round_trip::<f32, _>(l, &shape, fill);
        round_trip::<u8, _>(l, &shape, fill);
    }
}
