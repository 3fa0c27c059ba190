//! `copy` between static, mixed and dynamic layouts, compared with naive loops and `memcpy`.
//!
//! `cargo bench --bench copy` prints the time of each relative to a `memcpy` of the same bytes, from
//! minima over many runs. Every result is checked before it is timed.

use std::hint::black_box;
use std::time::Instant;

use static_layout::kernels::{CopyPlan, Level, copy};
use static_layout::{AnyLayout, AsView, AtRunTime, StaticLayout, Tensor, layout};

/// Measurements of one case, in nanoseconds.
struct Row {
    name: &'static str,
    bytes: usize,
    memcpy: f64,
    times: Vec<(&'static str, f64)>,
}

/// Times of the different variants of one copy.
struct Case {
    iterations: usize,
    times: Vec<(&'static str, f64)>,
}

impl Case {
    fn time(&mut self, name: &'static str, mut f: impl FnMut()) {
        // Other processes and interrupts only ever add time, so the minimum is the best estimate.
        let mut best = f64::INFINITY;
        for _ in 0..300 {
            let start = Instant::now();
            for _ in 0..self.iterations {
                f();
            }
            best = best.min(start.elapsed().as_nanos() as f64 / self.iterations as f64);
        }
        self.times.push((name, best));
    }
}

/// Naive loops, with extents and strides as variables.
fn naive(extents: &[usize; 4], from: (&[f32], [usize; 4]), to: (&mut [f32], [usize; 4])) {
    for i in 0..extents[0] {
        for j in 0..extents[1] {
            for k in 0..extents[2] {
                for l in 0..extents[3] {
                    let at = |strides: &[usize; 4]| {
                        i * strides[0] + j * strides[1] + k * strides[2] + l * strides[3]
                    };
                    to.0[at(&to.1)] = from.0[at(&from.1)];
                }
            }
        }
    }
}

fn check(source: &impl AsView<f32>, destination: &impl AsView<f32>) {
    assert!(source.as_view().iter().eq(destination.as_view().iter()), "a wrong answer");
}

/// A copy of `tensor` with an equal layout of another type; the memory order is the same.
fn as_layout<L: RunTime>(tensor: &Tensor<f32, impl StaticLayout>, layout: L) -> Tensor<f32, L> {
    let mut copy = Tensor::zeros_in(layout).expect("a layout that another tensor has");
    copy.as_mut_slice().copy_from_slice(tensor.as_slice());
    copy
}

/// Layouts that are checked at run time.
trait RunTime: AnyLayout<Fallibility = AtRunTime> {}
impl<L: AnyLayout<Fallibility = AtRunTime>> RunTime for L {}

fn case<S: StaticLayout, D: StaticLayout>(
    name: &'static str,
    (mixed_source, mixed_destination): (impl RunTime, impl RunTime),
    (extents, from, to): ([usize; 4], [usize; 4], [usize; 4]),
) -> Row {
    println!(
        "\n{name}: {} to {}\n{}\n",
        S::LAYOUT,
        D::LAYOUT,
        CopyPlan::new::<f32>(&S::LAYOUT, &D::LAYOUT).expect("the same shape")
    );
    let iterations = 1 + (1 << 18) / S::SIZE;
    let mut case = Case { iterations, times: Vec::new() };

    let mut n = 0.0;
    let source = Tensor::<f32, S>::from_fn(|_| {
        n += 1.0;
        n
    });
    let zeros = Tensor::<f32, D>::zeros;

    let mut memory = zeros();
    let words = S::SIZE;
    case.time("memcpy", || {
        let from = black_box(&source.as_slice()[..words]);
        black_box(&mut memory.as_mut_slice()[..words]).copy_from_slice(from);
    });

    let mut destination = zeros();
    copy(&source, &mut destination);
    check(&source, &destination);
    case.time("static", || copy(black_box(&source), black_box(&mut destination)));

    let in_layout = "a layout of the same size";
    let source_mixed = as_layout(&source, mixed_source);
    let mut destination = as_layout(&zeros(), mixed_destination);
    copy(&source_mixed, &mut destination).expect(in_layout);
    check(&source, &destination);
    case.time("mixed", || {
        copy(black_box(&source_mixed), black_box(&mut destination)).expect(in_layout);
    });

    let source_dynamic = as_layout(&source, S::LAYOUT);
    let mut destination = as_layout(&zeros(), D::LAYOUT);
    copy(&source_dynamic, &mut destination).expect(in_layout);
    check(&source, &destination);
    case.time("dynamic", || {
        copy(black_box(&source_dynamic), black_box(&mut destination)).expect(in_layout);
    });

    let mut destination = zeros();
    let mut run = || {
        let to = (black_box(destination.as_mut_slice()), black_box(to));
        naive(black_box(&extents), (black_box(source.as_slice()), black_box(from)), to);
    };
    run();
    case.time("naive", run);
    check(&source, &destination);

    let memcpy = case.times[0].1;
    Row { name, bytes: 2 * 4 * words, memcpy, times: case.times }
}

fn main() {
    // `black_box` hides the extents of the mixed layouts from the compiler.
    let (n4, n64, n256) = (black_box(4), black_box(64), black_box(256));
    let rows = [
        case::<layout!((64, 64):(64, 1)), layout!((64, 64):(1, 64))>(
            "transpose 64x64",
            (layout!((n64, 64):(64, 1)), layout!((64, n64):(1, 64))),
            ([1, 1, 64, 64], [0, 0, 64, 1], [0, 0, 1, 64]),
        ),
        case::<layout!((256, 256):(256, 1)), layout!((256, 256):(1, 256))>(
            "transpose 256x256",
            (layout!((n256, 256):(256, 1)), layout!((256, n256):(1, 256))),
            ([1, 1, 256, 256], [0, 0, 256, 1], [0, 0, 1, 256]),
        ),
        case::<layout!(((8, 4), (8, 4)):((8, 256), (1, 64))), layout!((32, 32):(32, 1))>(
            "8x8 tiles to rows 32x32",
            (layout!(((8, n4), (8, 4)):((8, 256), (1, 64))), layout!((32, { 8 * n4 }):(32, 1))),
            ([4, 8, 4, 8], [256, 8, 64, 1], [256, 32, 8, 1]),
        ),
        case::<layout!(((8, 4), (8, 4)):((1, 256), (8, 64))), layout!((32, 32):(32, 1))>(
            "8x8 column tiles to rows 32x32",
            (layout!(((8, n4), (8, 4)):((1, 256), (8, 64))), layout!((32, { 8 * n4 }):(32, 1))),
            ([4, 8, 4, 8], [256, 1, 64, 8], [256, 32, 8, 1]),
        ),
        case::<layout!((128, 32):(32, 1)), layout!((128, 32):(48, 1))>(
            "rows with gaps 128x32",
            (layout!(({ 2 * n64 }, 32):(32, 1)), layout!(({ 2 * n64 }, 32):(48, 1))),
            ([1, 1, 128, 32], [0, 0, 32, 1], [0, 0, 48, 1]),
        ),
    ];
    println!("\nratio to memcpy of the same bytes with {}, minima of one process", Level::detect());
    for Row { name, bytes, memcpy, times } in rows {
        print!("{name:32}");
        for (variant, time) in times {
            print!(" {variant} {:.2} ({:.1} ns)", memcpy / time, time);
        }
        println!(" | memcpy {:.0} GB/s", bytes as f64 / memcpy);
    }
}
