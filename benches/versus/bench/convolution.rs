//! Convolutions of images: `gemm` over an im2col layout, which is a composition, on one and two
//! threads.
//!
//! `cargo bench -p versus --bench convolution` prints a line for each,
//! `cargo bench -p versus --bench convolution -- 56x56 dilation` only those whose names contain
//! `56x56` or `dilation`:
//!
//! ```text
//! CONVOLUTION  case  GFLOP/s  to the best peer  of the FMA loop  two threads to one  to the best peer on two
//! ```
//!
//! At the end it prints geometric means and minima. Images are f32 in NHWC order and already padded.
//! Ours is `C(pixel, to) = sum of A(pixel, (from, kx, ky)) * B((from, kx, ky), to)`, where A is the
//! image seen through
//!
//! ```text
//! composition((58,58,64):(3712,64,1), <(56,3):(1,1), (56,3):(1,1), _>)
//!     = ((56,3),(56,3),64):((3712,3712),(64,64),1)
//! ```
//!
//! with its modes grouped as ((56,56),(64,3,3)). Peers copy that view to a matrix with our `copy`,
//! and multiply with `gemm`, faer or matrixmultiply. A kernel of 1x1 is multiplied in place. Answers
//! are checked: random elements are compared with plain sums.

#[allow(dead_code, reason = "only what fills tensors is used")]
mod columns;
#[allow(dead_code, reason = "convolutions have few peers")]
mod openblas;
#[allow(dead_code, reason = "convolutions have few peers")]
mod peers;

use std::process::ExitCode;

use static_layout::kernels::{Gemm, Level, Par, copy_par, probe};
use static_layout::{
    Algebra, AnyLayout, DynLayout, IntTuple, IntoResult, StaticLayout, Tensor, View, ViewMut,
    layout,
};
use versus::{Bench, Case, Measured, Options, Random};

use crate::columns::fill;
use crate::peers::{Element, Product, Strides};

/// An image, and memory for its copy as a matrix.
struct Data {
    image: Tensor<f32, DynLayout>,
    weights: Tensor<f32, DynLayout>,
    out: Tensor<f32, DynLayout>,
    matrix: Tensor<f32, DynLayout>,
}

/// Ratios by category.
#[derive(Default)]
struct Summary(Vec<(&'static str, f64)>);

impl Summary {
    fn print(&self) {
        let mut abouts: Vec<&str> = self.0.iter().map(|(about, _)| *about).collect();
        abouts.sort_unstable();
        abouts.dedup();
        for about in abouts {
            let of_it = self.0.iter().filter(|(other, _)| *other == about);
            let ratios: Vec<f64> = of_it.map(|(_, ratio)| *ratio).collect();
            let n = ratios.len() as f64;
            let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / n).exp();
            let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
            println!("# {about}: {n} cases, geometric mean {mean:.2}, least {least:.2}");
        }
    }
}

/// The bench, its results, and a thread pool.
struct Machine {
    bench: Bench,
    summary: Summary,
    /// Pool for the variants on two threads. They have cases of their own: a thread that slept while
    /// others ran is woken on the core of the waking thread, and stays there for milliseconds.
    pool: rayon::ThreadPool,
}

/// A convolution of static layouts: `I` of the stored image, `A` of the image as a matrix, `W` of the
/// weights (K,N), and `O` of the result (M,N).
fn case<I, A, W, O>(machine: &mut Machine, name: &str)
where
    I: StaticLayout,
    A: StaticLayout,
    W: StaticLayout,
    O: StaticLayout,
{
    let values = (A::LAYOUT, W::LAYOUT, O::LAYOUT);
    measure::<I, A, W, O>(
        machine,
        &format!("{name} static"),
        A::default(),
        W::default(),
        O::default(),
    );
    measure::<I, _, _, _>(machine, &format!("{name} dynamic"), values.0, values.1, values.2);
}

fn measure<I, A, W, O>(machine: &mut Machine, name: &str, a: A, w: W, o: O)
where
    I: StaticLayout,
    A: AnyLayout,
    W: AnyLayout,
    O: AnyLayout,
{
    if !machine.bench.wants(name) {
        return;
    }
    let Machine { bench, summary, pool } = machine;
    let one = on_threads::<I, A, W, O>(bench, name, (a, w, o), 1);
    let of_two = &format!("{name}, two threads");
    let two = pool.install(|| on_threads::<I, A, W, O>(bench, of_two, (a, w, o), 2));
    let rate = |measured: &Measured, variant| measured.rate(variant).expect("it was measured");
    let ours = rate(&one, "ours");
    let [peer, of_two] = [&one, &two].map(|measured| measured.ratio().expect("there are peers"));
    let (fma, threads) = (ours / rate(&one, "FMA"), rate(&two, "ours") / ours);
    println!("CONVOLUTION\t{name}\t{ours:.1}\t{peer:.2}\t{fma:.2}\t{threads:.2}\t{of_two:.2}");
    summary.0.push(("to the best peer", peer));
    summary.0.push(("to the best peer, two threads each", of_two));
    summary.0.push(("two threads to one", threads));
    if I::LAYOUT.mode(3).size() >= 32 {
        summary.0.push(("of the FMA loop, 32 channels or more", fma));
    }
}

/// Measures all variants on this many threads of the current pool.
fn on_threads<I, A, W, O>(
    bench: &mut Bench,
    name: &str,
    (a, w, o): (A, W, O),
    threads: usize,
) -> Measured
where
    I: StaticLayout,
    A: AnyLayout,
    W: AnyLayout,
    O: AnyLayout,
{
    let par = if threads == 1 { Par::Sequential } else { Par::rayon() };
    let [m, k] = [0, 1].map(|mode| a.to_dyn().expect("a layout").mode(mode).size());
    let n = w.to_dyn().expect("a layout").mode(1).size();
    let tensor = |size| Tensor::<f32, _>::zeros_in(DynLayout::leaf(size, 1)).expect("a tensor");
    let mut data = Data {
        image: tensor(I::COSIZE),
        weights: tensor(k * n),
        out: tensor(m * n),
        matrix: tensor(m * k),
    };
    fill(data.image.as_mut_slice(), 1);
    fill(data.weights.as_mut_slice(), 2);
    let work = 2.0 * (m * n * k) as f64 / 1e9;
    let mut case = Case::new(name, "GFLOP/s", work, data);

    let product = Product {
        m,
        n,
        k,
        a: Strides { row: k, column: 1 },
        b: Strides { row: n, column: 1 },
        c: Strides { row: n, column: 1 },
        add: false,
        threads,
    };
    case.ours(move |d| {
        let image = View::new_in(d.image.as_slice(), a).expect("a view");
        let weights = View::new_in(d.weights.as_slice(), w).expect("a view");
        let mut out = ViewMut::new_in(d.out.as_mut_slice(), o).expect("a view");
        let outcome = Gemm::new(1.0, 0.0).par(par).run(&image, &weights, &mut out);
        outcome.into_result().expect("a product");
    });

    // The same elements as a dense row-major matrix.
    let rows = format!("({m},{k}):({k},1)");
    let rows = DynLayout::parse(&rows).expect("a matrix");
    let by_mode = IntTuple::flat(&[1, 1]).expect("a profile");
    let in_place = a.to_dyn().and_then(|layout| layout.coalesce_by(&by_mode)) == Ok(rows);
    let im2col = move |d: &mut Data| {
        if !in_place {
            let image = View::new_in(d.image.as_slice(), a.to_dyn().expect("a layout"));
            let mut matrix = ViewMut::new_in(d.matrix.as_mut_slice(), rows).expect("a view");
            copy_par(par, &image.expect("a view"), &mut matrix).expect("a copy");
        }
    };
    type Multiply = fn(&Product, &[f32], &[f32], &mut [f32]);
    let peers: [(&str, Multiply); 3] = [
        ("im2col and gemm", peers::gemm),
        ("im2col and faer", peers::faer),
        ("im2col and matrixmultiply", <f32 as Element>::matrixmultiply),
    ];
    // matrixmultiply only runs on one thread here.
    let with_threads = if threads == 1 { peers.len() } else { peers.len() - 1 };
    for (peer, multiply) in peers.into_iter().take(with_threads) {
        case.peer(peer, move |d| {
            im2col(d);
            let matrix = if in_place { d.image.as_slice() } else { d.matrix.as_slice() };
            multiply(&product, matrix, d.weights.as_slice(), d.out.as_mut_slice());
        });
    }
    if threads == 1 {
        // As many operations, in registers only.
        let level = Level::detect();
        let iterations = (work * 1e9 / probe::peak::<f32, f32>(level, 1) as f64) as usize;
        case.limit("FMA", work, move |_| {
            probe::peak::<f32, f32>(level, iterations);
        });
    }

    let (a, w) = (a.to_dyn().expect("a layout"), w.to_dyn().expect("a layout"));
    case.check(
        |d| d.out.as_mut_slice().fill(f32::NAN),
        |d, variant| {
            let mut random = Random(3);
            for _ in 0..100 {
                let (i, j) = (random.below(m), random.below(n));
                let of_row = a.mode(0).offset_of_index(i);
                let sum: f32 = (0..k)
                    .map(|p| {
                        let pixel = d.image.as_slice()[of_row + a.mode(1).offset_of_index(p)];
                        let row = w.mode(0).offset_of_index(p);
                        pixel * d.weights.as_slice()[row + w.mode(1).offset_of_index(j)]
                    })
                    .sum();
                assert_eq!(d.out.as_slice()[i * n + j], sum, "{name}: {variant} at ({i},{j})");
            }
        },
    );
    bench.run(case)
}

/// Adds convolutions: `name: (images, height, width, channels), (out height, out width), kernel, step
/// and dilation => (channels, elements of the result, length of the sums)`. Height and width of the
/// image include the padding.
macro_rules! cases {
    ($machine:ident: $(
        $name:literal: ($b:literal, $h:literal, $w:literal, $c:literal),
        ($oh:literal, $ow:literal), $k:literal, $s:literal, $d:literal
        => ($n:literal, $m:literal, $sums:literal);
    )*) => {$({
        type Image = layout!(row_major(($b, $h, $w, $c)));
        // The modes are (image, out y, kernel y, out x, kernel x, channel).
        type Windows = layout!(flatten(composition(
            Image,
            <_, ($oh, $k):($s, $d), ($ow, $k):($s, $d), _>
        )));
        // Mode 0 (out x) is the fastest along M, mode 3 (channel) the fastest along K.
        type Rows = layout!(group(select(Windows, (3, 1, 0, 5, 4, 2)), 0, 3));
        type Matrix = layout!(group(Rows, 1, 4));
        type Weights = layout!(($sums, $n):($n, 1));
        type Out = layout!(($m, $n):($n, 1));
        case::<Image, Matrix, Weights, Out>(&mut $machine, $name);
    })*};
}

fn main() -> ExitCode {
    let Some(options) = Options::from_arguments(std::env::args().skip(1)) else {
        eprintln!("arguments: [--list] [--seconds PER_CASE] [SUBSTRING OF A CASE'S NAME]...");
        return ExitCode::FAILURE;
    };
    println!("# {}", Level::detect());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    let (bench, summary) = (Bench::new(options), Summary::default());
    let mut machine = Machine { bench, summary, pool };
    cases! { machine:
        "56x56x64 to 64": (1, 58, 58, 64), (56, 56), 3, 1, 1 => (64, 3136, 576);
        "28x28x128 to 128": (1, 30, 30, 128), (28, 28), 3, 1, 1 => (128, 784, 1152);
        "14x14x256 to 256": (1, 16, 16, 256), (14, 14), 3, 1, 1 => (256, 196, 2304);
        "7x7x512 to 512": (1, 9, 9, 512), (7, 7), 3, 1, 1 => (512, 49, 4608);
        "112x112x32 to 64": (1, 114, 114, 32), (112, 112), 3, 1, 1 => (64, 12544, 288);
        "224x224x3 to 32": (1, 226, 226, 3), (224, 224), 3, 1, 1 => (32, 50176, 27);
        "56x56x64 to 256, kernel 1": (1, 56, 56, 64), (56, 56), 1, 1, 1 => (256, 3136, 64);
        "14x14x1024 to 256, kernel 1": (1, 14, 14, 1024), (14, 14), 1, 1, 1 => (256, 196, 1024);
        "28x28x64 to 64, kernel 5": (1, 32, 32, 64), (28, 28), 5, 1, 1 => (64, 784, 1600);
        "28x28x64 to 128, step 2": (1, 57, 57, 64), (28, 28), 3, 2, 1 => (128, 784, 576);
        "112x112x3 to 64, kernel 7, step 2": (1, 229, 229, 3), (112, 112), 7, 2, 1 => (64, 12544, 147);
        "28x28x128 to 128, dilation 2": (1, 32, 32, 128), (28, 28), 3, 1, 2 => (128, 784, 1152);
        "4 of 14x14x256 to 256": (4, 16, 16, 256), (14, 14), 3, 1, 1 => (256, 784, 2304);
        "8 of 28x28x128 to 128": (8, 30, 30, 128), (28, 28), 3, 1, 1 => (128, 6272, 1152);
    }
    machine.summary.print();
    ExitCode::SUCCESS
}
