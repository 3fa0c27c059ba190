//! Tensor contractions: the 48 of the TCCG benchmark on one thread, in f32 and some in f64.
//!
//! `cargo bench -p versus --bench contract` prints a line for each,
//! `cargo bench -p versus --bench contract -- f64 abcd-dbea-ec` only those whose names contain `f64`
//! or `abcd-dbea-ec`:
//!
//! ```text
//! CONTRACT  case  GFLOP/s  to TTGT  to our product of matrices  to memcpy
//! ```
//!
//! At the end it prints geometric means and minima. `abcd-dbea-ec` means C-A-B, first letter fastest.
//! Ratios above 1 mean that ours is faster.
//!
//! Ours is `einsum` with an `EinsumPlan`: the peers are planned before, too. Lines that start with `#` also
//! show `einsum` planned by the call, and `gemm` over the same modes, in the letter order of C and A.
//!
//! * TTGT transposes with our `copy`, into memory that is already allocated, and multiplies with the
//!   crate `gemm`. The best of all letter orders counts.
//! * Our matrix product has the same M, N and K, with column-major matrices.
//! * `memcpy` reads and writes as many bytes as the contraction. It is printed for thin contractions:
//!   one of M, N and K is below 64.
//!
//! `CONTRACT_SEED=7 cargo bench -p versus --bench contract -- --seconds 0.3` measures 100 random
//! contractions instead, with letters in any order and with batch letters. With `CONTRACT_SMALL=1` they are
//! small: 10 to 100,000 multiplications.
//!
//! TCCG's extents are scaled down by families: multiples of a vector stay multiples, other extents
//! keep their remainder. Answers are checked: random elements are compared with plain sums.

#[allow(dead_code, reason = "only what fills tensors is used")]
mod columns;
#[allow(dead_code, reason = "contractions have few peers")]
mod openblas;
#[allow(dead_code, reason = "contractions have few peers")]
mod peers;
mod ttgt;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use static_layout::kernels::{Einsum, EinsumPlan, Gemm, Level, einsum};
use static_layout::{DynLayout, Tensor, View, ViewMut};
use versus::{Bench, Case, Options, Random};

use crate::columns::fill;
use crate::peers::Element;
use crate::ttgt::{Contraction, Ttgt};

/// The contractions, and the extents of their letters in alphabetical order.
const CASES: [(&str, &[usize]); 48] = [
    ("abc-bda-dc", &[216, 216, 24, 216]),
    ("abc-dca-bd", &[216, 24, 212, 216]),
    ("abcd-dbea-ec", &[56, 52, 24, 56, 56]),
    ("abcd-deca-be", &[56, 24, 52, 56, 52]),
    ("abcd-ebad-ce", &[56, 52, 24, 52, 56]),
    ("abcde-efbad-cf", &[32, 20, 24, 20, 32, 36]),
    ("abcde-ecbfa-fd", &[32, 20, 20, 24, 32, 32]),
    ("abcde-efcad-bf", &[32, 24, 20, 20, 32, 36]),
    ("abcd-ea-ebcd", &[56, 52, 52, 52, 56]),
    ("abcd-eb-aecd", &[56, 52, 52, 52, 56]),
    ("abcd-ec-abed", &[56, 52, 52, 52, 56]),
    ("ab-ac-cb", &[1032, 1032, 1032]),
    ("ab-acd-dbc", &[168, 164, 164, 168]),
    ("ab-cad-dcb", &[168, 164, 168, 168]),
    ("abc-acd-db", &[168, 164, 164, 168]),
    ("abc-ad-bdc", &[168, 168, 164, 164]),
    ("abc-adc-bd", &[168, 168, 164, 164]),
    ("abc-adc-db", &[168, 164, 164, 168]),
    ("abc-adec-ebd", &[56, 52, 52, 52, 56]),
    ("abcd-aebf-dfce", &[40, 28, 28, 40, 28, 28]),
    ("abcd-aebf-fdec", &[40, 28, 28, 28, 28, 40]),
    ("abcd-aecf-bfde", &[40, 40, 28, 28, 28, 28]),
    ("abcd-aecf-fbed", &[40, 28, 28, 28, 28, 40]),
    ("abcd-aedf-bfce", &[40, 40, 28, 28, 28, 28]),
    ("abcd-aedf-fbec", &[40, 28, 28, 28, 28, 40]),
    ("abcd-aefb-fdce", &[40, 28, 28, 28, 28, 40]),
    ("abcd-aefc-fbed", &[40, 28, 28, 28, 28, 40]),
    ("abcd-eafb-fdec", &[40, 28, 28, 28, 40, 40]),
    ("abcd-eafc-bfde", &[40, 40, 28, 28, 40, 28]),
    ("abcd-eafd-fbec", &[40, 28, 28, 28, 40, 40]),
    ("abcdef-dega-gfbc", &[24, 12, 12, 24, 12, 12, 24]),
    ("abcdef-degb-gfac", &[24, 12, 12, 24, 12, 12, 24]),
    ("abcdef-degc-gfab", &[24, 12, 12, 24, 12, 12, 24]),
    ("abcdef-dfga-gebc", &[24, 12, 12, 24, 12, 12, 24]),
    ("abcdef-dfgb-geac", &[24, 12, 12, 24, 12, 12, 24]),
    ("abcdef-dfgc-geab", &[24, 12, 12, 24, 12, 12, 24]),
    ("abcdef-efga-gdbc", &[24, 12, 12, 12, 24, 12, 24]),
    ("abcdef-efgb-gdac", &[24, 12, 12, 12, 24, 12, 24]),
    ("abcdef-efgc-gdab", &[24, 12, 12, 12, 24, 12, 24]),
    ("abcdef-gdab-efgc", &[24, 12, 12, 12, 24, 12, 24]),
    ("abcdef-gdac-efgb", &[24, 12, 12, 12, 24, 12, 24]),
    ("abcdef-gdbc-efga", &[24, 12, 12, 12, 24, 12, 24]),
    ("abcdef-geab-dfgc", &[24, 12, 12, 24, 12, 12, 24]),
    ("abcdef-geac-dfgb", &[24, 12, 12, 24, 12, 12, 24]),
    ("abcdef-gebc-dfga", &[24, 12, 12, 24, 12, 12, 24]),
    ("abcdef-gfab-degc", &[24, 12, 12, 24, 12, 12, 24]),
    ("abcdef-gfac-degb", &[24, 12, 12, 24, 12, 12, 24]),
    ("abcdef-gfbc-dega", &[24, 12, 12, 24, 12, 12, 24]),
];

/// The contractions that are also measured in f64.
const IN_F64: [&str; 8] = [
    "abc-bda-dc",
    "abcd-dbea-ec",
    "abcde-ecbfa-fd",
    "abcd-eb-aecd",
    "ab-acd-dbc",
    "abcd-aebf-dfce",
    "abcdef-dega-gfbc",
    "abcdef-gfac-degb",
];

/// Number of random contractions, and the exponents of their multiplications: 10 to 100,000, or one
/// million to 400 million.
const RANDOM_CASES: usize = 100;
const SMALL_WORK: [f64; 2] = [1.0, 5.0];
const LARGE_WORK: [f64; 2] = [6.0, 8.6];

/// An extent below this makes a product thin.
const THIN: usize = 64;

/// The tensors of a contraction, and memory for their transposes.
pub(crate) struct Data<T: Copy> {
    pub(crate) a: Tensor<T, DynLayout>,
    pub(crate) b: Tensor<T, DynLayout>,
    pub(crate) c: Tensor<T, DynLayout>,
    pub(crate) a_matrix: Tensor<T, DynLayout>,
    pub(crate) b_matrix: Tensor<T, DynLayout>,
    pub(crate) c_matrix: Tensor<T, DynLayout>,
    from: Vec<T>,
    to: Vec<T>,
}

impl<T: Element> Data<T> {
    fn new(contraction: &Contraction) -> Self {
        let Contraction { a, b, c, .. } = *contraction;
        let [m, n, k] = contraction.modes(c, c, a);
        let tensor = |letters: &str| {
            Tensor::<T, DynLayout>::zeros_in(contraction.layout(letters))
                .expect("a tensor that fits")
        };
        // For all products of the batch, consecutively.
        let products = contraction.size(&contraction.batch());
        let matrix = |rows: &str, columns: &str| {
            let shape = [rows, columns].map(|letters| contraction.size(letters));
            let layout = format!("({},{}):(1,{})", shape[0], shape[1] * products, shape[0]);
            let layout = DynLayout::parse(&layout).expect("a matrix");
            Tensor::<T, DynLayout>::zeros_in(layout).expect("a matrix that fits")
        };
        // Half of the bytes are read and half are written.
        let moved = [a, b, c].iter().map(|letters| contraction.size(letters)).sum::<usize>() / 2;
        let mut data = Self {
            a: tensor(a),
            b: tensor(b),
            c: tensor(c),
            a_matrix: matrix(&m, &k),
            b_matrix: matrix(&k, &n),
            c_matrix: matrix(&m, &n),
            from: vec![<T as Element>::ONE; moved],
            to: vec![T::default(); moved],
        };
        for (tensor, seed) in
            [(&mut data.a, 1), (&mut data.b, 2), (&mut data.a_matrix, 3), (&mut data.b_matrix, 4)]
        {
            fill(tensor.as_mut_slice(), seed);
        }
        data
    }

    /// One element of the result, computed by a plain sum.
    fn element(&self, contraction: &Contraction, place: usize) -> T {
        let Contraction { a, b, c, .. } = *contraction;
        let coordinate =
            |letter| place / contraction.stride(c, letter) % contraction.extent(letter);
        let start = |tensor: &str| -> usize {
            let letters = tensor.chars().filter(|&letter| c.contains(letter));
            letters.map(|letter| coordinate(letter) * contraction.stride(tensor, letter)).sum()
        };
        let [_, _, k] = contraction.modes(c, c, a);
        let mut sum = T::default();
        for i in 0..contraction.size(&k) {
            let (mut rest, mut x, mut y) = (i, start(a), start(b));
            for letter in k.chars() {
                let at = rest % contraction.extent(letter);
                rest /= contraction.extent(letter);
                x += at * contraction.stride(a, letter);
                y += at * contraction.stride(b, letter);
            }
            sum += self.a.as_slice()[x] * self.b.as_slice()[y];
        }
        sum
    }
}

/// Ratios by category.
#[derive(Default)]
struct Summary(Vec<(String, f64)>);

impl Summary {
    fn add(&mut self, about: String, ratio: f64) {
        self.0.push((about, ratio));
    }

    fn print(&self) {
        let mut abouts: Vec<&str> = self.0.iter().map(|(about, _)| about.as_str()).collect();
        abouts.sort_unstable();
        abouts.dedup();
        for about in abouts {
            let of_it = self.0.iter().filter(|(other, _)| other == about);
            let ratios: Vec<f64> = of_it.map(|(_, ratio)| *ratio).collect();
            let n = ratios.len() as f64;
            let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / n).exp();
            let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
            println!("# {about}: {n} cases, geometric mean {mean:.2}, least {least:.2}");
        }
    }
}

fn case<T: Element>(bench: &mut Bench, summary: &mut Summary, contraction: &Contraction) {
    let Contraction { a, b, c, .. } = *contraction;
    let extents: Vec<String> = contraction.extents.iter().map(usize::to_string).collect();
    let name = format!("{} {c}-{a}-{b} {}", T::NAME, extents.join(","));
    if !bench.wants(&name) {
        return;
    }
    let modes = contraction.modes(c, c, a);
    let [m, n, k] = modes.each_ref().map(|letters| contraction.size(letters));
    let products = contraction.size(&contraction.batch());
    let work = 2.0 * contraction.size(c) as f64 * k as f64 / 1e9;
    let mut case = Case::new(&name, "GFLOP/s", work, Data::<T>::new(contraction));
    let gemm = Gemm::new(<T as Element>::ONE, T::default());

    let subscripts = format!("{a},{b}->{c}");
    let [a_layout, b_layout, c_layout] = [a, b, c].map(|letters| contraction.layout(letters));
    let plan =
        EinsumPlan::new(&subscripts, &a_layout, &b_layout, &c_layout).expect("a contraction");
    let options = Einsum::new(<T as Element>::ONE, T::default());
    case.ours(move |d| {
        options.run_planned(&plan, &d.a, &d.b, &mut d.c).expect("a contraction");
    });
    case.limit("planned by the call", work, move |d| {
        einsum(&subscripts, &d.a, &d.b, &mut d.c).expect("a contraction");
    });
    let [rows, columns, sums] = &modes;
    if products == 1 {
        let grouped = [
            contraction.grouped(a, &[rows, sums]),
            contraction.grouped(b, &[sums, columns]),
            contraction.grouped(c, &[rows, columns]),
        ];
        case.limit("gemm of letters in order", work, move |d| {
            let [a, b, c] = grouped;
            let a = View::new_in(d.a.as_slice(), a).expect("a view");
            let b = View::new_in(d.b.as_slice(), b).expect("a view");
            let mut c = ViewMut::new_in(d.c.as_mut_slice(), c).expect("a view");
            gemm.run(&a, &b, &mut c).expect("a product");
        });
    }

    // The two fastest variants with transpositions.
    let mut variants = Ttgt::all(contraction);
    variants.sort_by_cached_key(|variant| {
        let mut best = Duration::MAX;
        for _ in 0..3 {
            let start = Instant::now();
            variant.run(case.data());
            best = best.min(start.elapsed());
        }
        best
    });
    variants.truncate(2);
    for variant in variants {
        let name = variant.name();
        case.peer(&name, move |d| variant.run(d));
    }

    if products == 1 {
        case.limit("matrices", work, |d| {
            gemm.run(&d.a_matrix, &d.b_matrix, &mut d.c_matrix).expect("a product");
        });
    }
    let thin = products > 1 || m.min(n).min(k) < THIN;
    if thin {
        case.limit("memcpy", work, |d| d.to.copy_from_slice(&d.from));
    }

    case.check(
        |d| d.c.as_mut_slice().fill(T::default()),
        |d, variant| {
            let mut random = Random(3);
            for _ in 0..100 {
                let place = random.below(contraction.size(c));
                let element = d.element(contraction, place);
                assert_eq!(d.c.as_slice()[place], element, "{name}: {variant} at {place}");
            }
        },
    );
    let measured = bench.run(case);
    let rate = |variant| measured.rate(variant).expect("it was measured");
    let ours = rate("ours");
    let ttgt = measured.ratio().expect("there are peers");
    let matrices = (products == 1).then(|| ours / rate("matrices"));
    let memcpy = if thin { format!("{:.2}", ours / rate("memcpy")) } else { "-".into() };
    let to_matrices = matrices.map_or("-".into(), |ratio| format!("{ratio:.2}"));
    println!("CONTRACT\t{name}\t{ours:.1}\t{ttgt:.2}\t{to_matrices}\t{memcpy}");
    summary.add(format!("{} to TTGT", T::NAME), ttgt);
    summary.add(
        format!("{} planned by the call, to TTGT", T::NAME),
        ttgt / ours * rate("planned by the call"),
    );
    if thin {
        summary.add(format!("{} to memcpy, thin", T::NAME), ours / rate("memcpy"));
    } else if let Some(matrices) = matrices {
        summary.add(format!("{} to matrices, not thin", T::NAME), matrices);
    }
}

fn main() -> ExitCode {
    let Some(options) = Options::from_arguments(std::env::args().skip(1)) else {
        eprintln!("arguments: [--list] [--seconds PER_CASE] [SUBSTRING OF A CASE'S NAME]...");
        return ExitCode::FAILURE;
    };
    println!("# {}", Level::detect());
    let (mut bench, mut summary) = (Bench::new(options), Summary::default());
    if let Ok(seed) = std::env::var("CONTRACT_SEED") {
        let Ok(seed) = seed.parse::<u64>() else {
            eprintln!("CONTRACT_SEED is not a number");
            return ExitCode::FAILURE;
        };
        let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ seed);
        let work = if std::env::var("CONTRACT_SMALL").is_ok() { SMALL_WORK } else { LARGE_WORK };
        for _ in 0..RANDOM_CASES {
            case::<f32>(&mut bench, &mut summary, &Contraction::random(&mut random, work));
        }
        summary.print();
        return ExitCode::SUCCESS;
    }
    for (name, extents) in CASES {
        case::<f32>(&mut bench, &mut summary, &Contraction::new(name, extents));
    }
    for (name, extents) in CASES {
        if IN_F64.contains(&name) {
            case::<f64>(&mut bench, &mut summary, &Contraction::new(name, extents));
        }
    }
    summary.print();
    ExitCode::SUCCESS
}
