//! Copies between static layouts.

use nalgebra::{DMatrixView, DMatrixViewMut};
use ndarray::{ArrayView, ArrayViewMut, Dim, Dimension, IntoDimension, ShapeBuilder};
use static_layout::kernels::copy;
use static_layout::{DynLayout, StaticLayout, Tensor, View, ViewMut, layout};
use versus::{Bench, Case};

use crate::batched::buffer;

struct Data<T: Copy> {
    from: Tensor<T, DynLayout>,
    to: Tensor<T, DynLayout>,
}

/// Element types of each size. `of` gives distinct values as far as the type allows.
trait Word: Copy + Default + nalgebra::Scalar + Send + Sync {
    fn of(i: usize) -> Self;
}

macro_rules! word {
    ($($t:ident)*) => {$(
        impl Word for $t {
            fn of(i: usize) -> Self {
                i as $t
            }
        }
    )*};
}

word!(u8 f32 f64);

/// An element of 16 bytes.
type Complex = [f64; 2];

impl Word for Complex {
    fn of(i: usize) -> Self {
        [i as f64, -1.0]
    }
}

/// The modes of a copy: extents, and strides of the source and the destination.
#[derive(Clone, Copy)]
struct Modes<const R: usize> {
    extents: [usize; R],
    from: [usize; R],
    to: [usize; R],
}

impl<const R: usize> Modes<R> {
    fn size(&self) -> usize {
        self.extents.iter().product()
    }

    /// The same modes sorted by decreasing stride in the destination, padded in front to five with
    /// extents of 1.
    const fn in_order(&self) -> Modes<5> {
        let mut five = Modes { extents: [1; 5], from: [0; 5], to: [0; 5] };
        let mut i = 0;
        while i < R {
            let mut at = 5 - R + i;
            five = five.with(at, self.extents[i], self.from[i], self.to[i]);
            while at > 5 - R && five.to[at - 1] < five.to[at] {
                let (extent, from, to) = (five.extents[at], five.from[at], five.to[at]);
                five = five.with(at, five.extents[at - 1], five.from[at - 1], five.to[at - 1]);
                five = five.with(at - 1, extent, from, to);
                at -= 1;
            }
            i += 1;
        }
        five
    }

    const fn with(mut self, at: usize, extent: usize, from: usize, to: usize) -> Self {
        self.extents[at] = extent;
        self.from[at] = from;
        self.to[at] = to;
        self
    }

    /// Whether slices of these lengths cover the source and the destination.
    fn fits(&self, from: usize, to: usize) -> bool {
        let last = |strides: [usize; R]| -> usize {
            self.extents.iter().zip(strides).map(|(extent, stride)| (extent - 1) * stride).sum()
        };
        last(self.from) < from && last(self.to) < to
    }
}

/// Nested loops over all elements. Extents and strides become constants where this is inlined.
#[inline(always)]
fn loops<T: Copy>(modes: &Modes<5>, from: &[T], to: &mut [T]) {
    assert!(modes.fits(from.len(), to.len()));
    let [n0, n1, n2, n3, n4] = modes.extents;
    let at = |s: &[usize; 5], i, j, k, l, m| s[0] * i + s[1] * j + s[2] * k + s[3] * l + s[4] * m;
    for i in 0..n0 {
        for j in 0..n1 {
            for k in 0..n2 {
                for l in 0..n3 {
                    for m in 0..n4 {
                        // SAFETY: all offsets are inside the slice, checked by `fits`.
                        let x = unsafe { *from.get_unchecked(at(&modes.from, i, j, k, l, m)) };
                        // SAFETY: all offsets are inside the slice, checked by `fits`.
                        let place = unsafe { to.get_unchecked_mut(at(&modes.to, i, j, k, l, m)) };
                        *place = x;
                    }
                }
            }
        }
    }
}

/// [`loops`] over variables.
#[inline(never)]
fn loops_over_variables<T: Copy>(modes: &Modes<5>, from: &[T], to: &mut [T]) {
    loops(modes, from, to);
}

fn case<T: Word, S: StaticLayout, D: StaticLayout, const R: usize>(
    bench: &mut Bench,
    name: &str,
    modes: Modes<R>,
    constant_loops: fn(&[T], &mut [T]),
) where
    [usize; R]: IntoDimension<Dim = Dim<[usize; R]>>,
    Dim<[usize; R]>: Dimension,
{
    let mut data = Data { from: buffer::<T>(S::COSIZE), to: buffer::<T>(D::COSIZE) };
    for (i, x) in data.from.as_mut_slice().iter_mut().enumerate() {
        *x = T::of(i);
    }
    let size = modes.size();
    let bytes = (2 * size * size_of::<T>()) as f64 / 1e9;
    let mut case = Case::new(name, "GB/s", bytes, data);
    case.ours(|d| {
        let from = View::<T, S>::new(d.from.as_slice()).expect("a source");
        let mut to = ViewMut::<T, D>::new(d.to.as_mut_slice()).expect("a destination");
        copy(&from, &mut to);
    });
    case.peer("loops over constants", |d| {
        constant_loops(d.from.as_slice(), d.to.as_mut_slice());
    });
    let five = modes.in_order();
    case.peer("loops", move |d| {
        loops_over_variables(&five, d.from.as_slice(), d.to.as_mut_slice());
    });
    case.peer("ndarray", move |d| {
        let dim = |values: [usize; R]| values.into_dimension();
        let shape = |strides| dim(modes.extents).strides(dim(strides));
        let from = ArrayView::from_shape(shape(modes.from), d.from.as_slice());
        let to = ArrayViewMut::from_shape(shape(modes.to), d.to.as_mut_slice());
        to.expect("a destination").assign(&from.expect("a source"));
    });
    if let ([rows, columns], [from, 1], [1, to]) =
        (&modes.extents[..], &modes.from[..], &modes.to[..])
        && columns == from
        && rows == to
    {
        let (rows, columns) = (*rows, *columns);
        case.peer("transpose", move |d| {
            transpose::transpose(d.from.as_slice(), d.to.as_mut_slice(), columns, rows);
        });
        case.peer("nalgebra", move |d| {
            let from = DMatrixView::from_slice(d.from.as_slice(), columns, rows);
            let mut to = DMatrixViewMut::from_slice(d.to.as_mut_slice(), rows, columns);
            from.transpose_to(&mut to);
        });
    }
    case.limit("memcpy", bytes, move |d| {
        let (from, to) = (d.from.as_slice(), d.to.as_mut_slice());
        let n = size.min(from.len()).min(to.len());
        to[..n].copy_from_slice(&from[..n]);
    });

    let d = case.data();
    let mut expected = d.to.as_slice().to_vec();
    loops_over_variables(&modes.in_order(), d.from.as_slice(), &mut expected);
    case.check(
        |d| d.to.as_mut_slice().fill(T::default()),
        |d, variant| assert!(d.to.as_slice() == expected, "{name}: {variant}"),
    );
    bench.run(case);
}

/// The tuple as an array.
macro_rules! array {
    (($($x:literal),*)) => { [$($x),*] };
}

/// A copy for each element type: extents, source strides, destination strides.
macro_rules! cases {
    ($bench:ident: $name:literal, $($t:ident)*: $extents:tt $from:tt $to:tt) => {
        cases!(@ $bench $name $extents $from $to, $($t)*);
    };
    (@ $bench:ident $name:literal $extents:tt $from:tt $to:tt, $t:ident $($rest:ident)*) => {
        let name = concat!("copy ", stringify!($t), " ", $name);
        if $bench.wants(name) {
            type S = layout!($extents:$from);
            type D = layout!($extents:$to);
            const MODES: Modes<{ array!($extents).len() }> =
                Modes { extents: array!($extents), from: array!($from), to: array!($to) };
            case::<$t, S, D, _>($bench, name, MODES, |from, to| {
                loops(&const { MODES.in_order() }, from, to);
            });
        }
        cases!(@ $bench $name $extents $from $to, $($rest)*);
    };
    (@ $bench:ident $name:literal $extents:tt $from:tt $to:tt,) => {};
}

pub(crate) fn cases(bench: &mut Bench) {
    cases!(bench: "transpose 64x64", u8 f32 f64 Complex:
        (64, 64) (64, 1) (1, 64));
    cases!(bench: "transpose 1000x1000", u8 f32 f64 Complex:
        (1000, 1000) (1000, 1) (1, 1000));
    cases!(bench: "transpose 4096x4096", u8 f32 f64:
        (4096, 4096) (4096, 1) (1, 4096));
    cases!(bench: "NCHW to NHWC 1x64x56x56", u8 f32 f64 Complex:
        (1, 64, 3136) (200704, 3136, 1) (200704, 1, 64));
    cases!(bench: "NCHW to NHWC 8x3x224x224", u8 f32 f64 Complex:
        (8, 3, 50176) (150528, 50176, 1) (150528, 1, 3));
    cases!(bench: "NCHW to NCHW8c 1x64x56x56", f32:
        (1, 8, 8, 3136) (200704, 25088, 3136, 1) (200704, 25088, 1, 8));
    cases!(bench: "NCHW to NCHW16c 1x64x56x56", u8 f32 f64:
        (1, 4, 16, 3136) (200704, 50176, 3136, 1) (200704, 50176, 1, 16));
    cases!(bench: "NCHW to NCHW8c 8x32x112x112", u8 f32 f64:
        (8, 4, 8, 12544) (401408, 100352, 12544, 1) (401408, 100352, 1, 8));
    cases!(bench: "NCHW to NCHW16c 8x32x112x112", f32:
        (8, 2, 16, 12544) (401408, 200704, 12544, 1) (401408, 200704, 1, 16));
    cases!(bench: "tilize 32x32 4096x4096", u8 f32 f64:
        (128, 32, 128, 32) (131072, 4096, 32, 1) (131072, 32, 1024, 1));
    cases!(bench: "untilize 32x32 4096x4096", f32:
        (128, 32, 128, 32) (131072, 32, 1024, 1) (131072, 4096, 32, 1));
    cases!(bench: "pack by 16 by columns 4096x256", u8 f32 f64:
        (256, 16, 256) (16, 1, 4096) (4096, 1, 16));
    cases!(bench: "pack by 16 by rows 4096x256", u8 f32 f64:
        (256, 16, 256) (4096, 256, 1) (4096, 1, 16));
    cases!(bench: "deinterleave 1M", u8 f32 f64:
        (1048576, 2) (2, 1) (1, 1048576));
    cases!(bench: "interleave 1M", u8 f32 f64:
        (1048576, 2) (1, 1048576) (2, 1));
    cases!(bench: "5 modes 2,0,4,1,3", f32 f64:
        (32, 40, 24, 48, 16) (737280, 18432, 768, 16, 1) (30720, 48, 983040, 1, 1920));
    cases!(bench: "5 modes 4,3,2,1,0", u8 f32 f64:
        (32, 40, 24, 48, 16) (737280, 18432, 768, 16, 1) (1, 32, 1280, 30720, 1474560));
    cases!(bench: "5 modes 0,4,2,1,3", f32:
        (32, 40, 24, 48, 16) (737280, 18432, 768, 16, 1) (737280, 48, 1920, 1, 46080));
}
