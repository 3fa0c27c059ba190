//! Products of dynamic layouts with random extents and orders, by class, compared with other crates:
//! `C = A * B` and `C += A * B`, each matrix row-major or column-major.
//!
//! `cargo bench -p versus --bench dynamic` prints a line for each product with all variants, and for each
//! class the geometric mean of ours / best peer, the least, and how many products are behind:
//!
//! ```text
//! CLASS  geometric mean  least  behind  products  class
//! ```
//!
//! `DYNAMIC_SEED=7` draws other products, `DYNAMIC_PER_CLASS=40` more of them. Arguments select the
//! classes whose names contain one of them. Answers are checked first.

#[allow(dead_code, reason = "its cases have static layouts")]
mod columns;
#[allow(dead_code, reason = "OpenBLAS takes column-major results only")]
mod openblas;
#[allow(dead_code, reason = "few peers take dynamic strides")]
mod peers;

use std::time::Duration;

use static_layout::kernels::gemm;
use static_layout::{DynLayout, Tensor};
use versus::{Case, Measured, Random};

use crate::columns::{Data, fill};
use crate::peers::{Element, Product, Strides};

/// Draws the extents M, N and K.
type Draw = fn(&mut Random) -> [usize; 3];

const CLASSES: [(&str, Draw); 5] = [
    ("1 to 6 a side", |r| [between(r, 1, 6), between(r, 1, 6), between(r, 1, 6)]),
    ("2 to 24 a side", |r| [between(r, 2, 24), between(r, 2, 24), between(r, 2, 24)]),
    ("20 to 200 a side", |r| [between(r, 20, 200), between(r, 20, 200), between(r, 20, 200)]),
    ("a matrix of 2 to 100 a side and a vector", |r| {
        let (rows, k) = (between(r, 2, 100), between(r, 2, 100));
        if r.below(2) == 0 { [rows, 1, k] } else { [1, rows, k] }
    }),
    ("1 to 12 columns", |r| [between(r, 200, 2000), between(r, 1, 12), between(r, 50, 1000)]),
];

/// A log-uniform number from `low` to `high`.
fn between(random: &mut Random, low: usize, high: usize) -> usize {
    let x = random.below(1 << 20) as f64 / (1u32 << 20) as f64;
    (low as f64 * ((high as f64 + 0.99) / low as f64).powf(x)) as usize
}

/// Measures a product.
fn measure<T: Element>(product: &Product) -> Measured {
    let Product { m, n, k, a, b, c, add, .. } = *product;
    let matrix = |rows, columns, strides: Strides| {
        let layout = DynLayout::strided(&[rows, columns], &[strides.row, strides.column]);
        Tensor::<T, _>::zeros_in(layout.expect("a matrix")).expect("a matrix that fits")
    };
    let mut data = Data { a: matrix(m, k, a), b: matrix(k, n, b), c: matrix(m, n, c) };
    fill(data.a.as_mut_slice(), 1);
    fill(data.b.as_mut_slice(), 2);
    let order = |strides: Strides| if strides.column == 1 { "row" } else { "column" };
    let name = format!(
        "{} {m}x{n}x{k}, A {}-major, B {}-major, C {}= {}-major",
        T::NAME,
        order(a),
        order(b),
        if add { "+" } else { "" },
        order(c)
    );
    let mut case = Case::new(&name, "GFLOP/s", (2 * m * n * k) as f64 / 1e9, data);
    let beta = if add { <T as Element>::ONE } else { T::default() };
    case.ours(|d| gemm(<T as Element>::ONE, &d.a, &d.b, beta, &mut d.c).expect("a product"));
    case.peer("gemm", |d| {
        peers::gemm(product, d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
    });
    case.peer("faer", |d| {
        peers::faer(product, d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
    });
    case.peer("matrixmultiply", |d| {
        T::matrixmultiply(product, d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
    });
    case.check(
        |d| d.c.as_mut_slice().fill(T::default()),
        |d, variant| {
            let mut random = Random(3);
            for _ in 0..100 {
                let (i, j) = (random.below(m), random.below(n));
                let expected = product.element(d.a.as_slice(), d.b.as_slice(), i, j);
                let found = d.c.as_slice()[i * c.row + j * c.column];
                assert_eq!(found, expected, "{name}: {variant} at ({i},{j})");
            }
        },
    );
    case.measure(Duration::from_millis(150))
}

/// Measures random products of a class, and prints their mean.
fn run_class<T: Element>(class: &str, draw: Draw, count: usize, mut random: Random) {
    let mut ratios = Vec::new();
    for _ in 0..count {
        let [m, n, k] = draw(&mut random);
        let mut strides = |rows, columns| match random.below(2) {
            0 => Strides { row: columns, column: 1 },
            _ => Strides { row: 1, column: rows },
        };
        let (a, b, c) = (strides(m, k), strides(k, n), strides(m, n));
        let add = random.below(2) == 0;
        let measured = measure::<T>(&Product { m, n, k, a, b, c, add, threads: 1 });
        println!("{}", measured.all());
        ratios.push(measured.ratio().expect("there are peers"));
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / count as f64).exp();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let behind = ratios.iter().filter(|&&ratio| ratio < 1.0).count();
    println!("CLASS\t{mean:.2}\t{least:.2}\t{behind}\t{count}\t{}, {class}", T::NAME);
}

fn main() {
    let number = |name: &str, or: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(or)
    };
    let (seed, count) = (number("DYNAMIC_SEED", 1), number("DYNAMIC_PER_CLASS", 20) as usize);
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    for (i, (class, draw)) in CLASSES.into_iter().enumerate() {
        if !wanted.is_empty() && !wanted.iter().any(|each| class.contains(each.as_str())) {
            continue;
        }
        let random =
            || Random((seed << 8 | i as u64 | 1 << 63).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        run_class::<f32>(class, draw, count, random());
        run_class::<f64>(class, draw, count, random());
    }
}
