//! Products of dynamic layouts with random extents and orders, by class, compared with other crates:
//! `C = A * B` and `C += A * B`, each matrix row-major or column-major. No peer multiplies bytes, `bf16` or
//! `f16` into wider numbers, so their peers multiply `f32` that were converted before.
//!
//! `cargo bench -p versus --bench dynamic` prints a line for each product with all variants, and for each
//! class the geometric mean of ours / best peer, the least, and how many products are behind:
//!
//! ```text
//! CLASS  geometric mean  least  behind  products  class
//! ```
//!
//! `DYNAMIC_SEED=7` draws other products, `DYNAMIC_PER_CLASS=40` more of them. Arguments select the
//! classes whose names contain one of them, such as `u8` or `f32, 1 to 6`. Answers are checked first.

#[allow(dead_code, reason = "OpenBLAS takes column-major results only")]
mod openblas;
#[allow(dead_code, reason = "few peers take dynamic strides")]
mod peers;

use std::time::Duration;

use half::{bf16, f16};
use static_layout::kernels::{Multiply, gemm};
use static_layout::{DynLayout, Tensor};
use versus::{Case, Measured, Random};

use crate::peers::{Element, Product, Strides};

/// Draws the extents M, N and K.
type Draw = fn(&mut Random) -> [usize; 3];

const CLASSES: [(&str, Draw); 8] = [
    ("1 to 6 a side", |r| [between(r, 1, 6), between(r, 1, 6), between(r, 1, 6)]),
    ("2 to 24 a side", |r| [between(r, 2, 24), between(r, 2, 24), between(r, 2, 24)]),
    ("20 to 200 a side", |r| [between(r, 20, 200), between(r, 20, 200), between(r, 20, 200)]),
    ("a matrix of 2 to 100 a side and a vector", |r| {
        let (rows, k) = (between(r, 2, 100), between(r, 2, 100));
        if r.below(2) == 0 { [rows, 1, k] } else { [1, rows, k] }
    }),
    ("a matrix of 1000 to 4000 a side and a vector", |r| {
        let (rows, k) = (between(r, 1000, 4000), between(r, 1000, 4000));
        if r.below(2) == 0 { [rows, 1, k] } else { [1, rows, k] }
    }),
    ("a matrix of 1000 to 4000 a side and 2 to 8 vectors", |r| {
        let (rows, k) = (between(r, 1000, 4000), between(r, 1000, 4000));
        let vectors = between(r, 2, 8);
        if r.below(2) == 0 { [rows, vectors, k] } else { [vectors, rows, k] }
    }),
    ("2 to 32 rows times a matrix of 200 to 2000 a side", |r| {
        [between(r, 2, 32), between(r, 200, 2000), between(r, 200, 2000)]
    }),
    ("1 to 12 columns", |r| [between(r, 200, 2000), between(r, 1, 12), between(r, 50, 1000)]),
];

/// A log-uniform number from `low` to `high`.
fn between(random: &mut Random, low: usize, high: usize) -> usize {
    let x = random.below(1 << 20) as f64 / (1u32 << 20) as f64;
    (low as f64 * ((high as f64 + 0.99) / low as f64).powf(x)) as usize
}

/// A number of an operand or of a result, made of a small integer.
trait Number: Copy + Default {
    fn of(x: i8) -> Self;
}

macro_rules! number {
    ($($t:ty: |$x:ident| $number:expr;)*) => {$(
        impl Number for $t {
            fn of($x: i8) -> Self {
                $number
            }
        }
    )*};
}

number! {
    f32: |x| x.into();
    f64: |x| x.into();
    i32: |x| x.into();
    u8: |x| x.unsigned_abs();
    i8: |x| x;
    bf16: |x| x.into();
    f16: |x| x.into();
}

/// The elements of A, B and C.
type Slices<'a, T> = (&'a [T], &'a [T], &'a mut [T]);

/// The elements of A and B, and those that the peers multiply.
trait Elements: Sized {
    const NAME: &'static str;
    type A: Number + Multiply<Self::B, Sum = Self::C>;
    type B: Number;
    type C: Number + Into<f64>;
    type Peer: Element + Number + Into<f64>;
    /// Whether each peer has a copy of the matrices, so that none finds them in a cache because another
    /// one read them before. Otherwise all use the same matrices.
    const CONVERTS: bool;

    /// The matrices A, B and C of a peer.
    fn of_peer(data: &mut Data<Self>, peer: usize) -> Slices<'_, Self::Peer>;
}

macro_rules! elements {
    (same: $($name:ident: $of:ty;)*) => { elements! { @ $(
        $name: stringify!($of), $of, $of, $of, $of, false, |data, _i| {
            (data.a.as_slice(), data.b.as_slice(), data.c.as_mut_slice())
        };
    )*} };
    (converted: $($name:ident: $a:ty, $b:ty, $c:ty;)*) => { elements! { @ $(
        $name: concat!(stringify!($a), " by ", stringify!($b)), $a, $b, $c, f32, true, |data, i| {
            let [a, b, c] = &mut data.copies[i];
            (a, b, c)
        };
    )*} };
    (@ $($name:ident: $of:expr, $a:ty, $b:ty, $c:ty, $peer:ty, $converts:literal, |$data:ident, $i:ident| $of_peer:expr;)*) => {$(
        struct $name;

        impl Elements for $name {
            const NAME: &'static str = $of;
            type A = $a;
            type B = $b;
            type C = $c;
            type Peer = $peer;
            const CONVERTS: bool = $converts;

            fn of_peer($data: &mut Data<Self>, $i: usize) -> Slices<'_, $peer> {
                $of_peer
            }
        }
    )*};
}

elements! {
    same:
    Singles: f32;
    Doubles: f64;
}

elements! {
    converted:
    MixedBytes: u8, i8, i32;
    Bytes: i8, i8, i32;
    BFloats: bf16, bf16, f32;
    Halves: f16, f16, f32;
}

/// The matrices of a product, and copies of them for the peers that need them.
struct Data<E: Elements> {
    a: Tensor<E::A, DynLayout>,
    b: Tensor<E::B, DynLayout>,
    c: Tensor<E::C, DynLayout>,
    copies: Vec<[Vec<E::Peer>; 3]>,
}

const PEERS: [&str; 3] = ["gemm", "faer", "matrixmultiply"];

fn to<T: Number>(numbers: &[i8]) -> Vec<T> {
    numbers.iter().map(|&x| T::of(x)).collect()
}

fn tensor<T: Number>(
    rows: usize,
    columns: usize,
    strides: Strides,
    numbers: &[i8],
) -> Tensor<T, DynLayout> {
    let layout = DynLayout::strided(&[rows, columns], &[strides.row, strides.column]);
    let tensor = Tensor::full_in(layout.expect("a matrix"), T::of(0));
    let mut tensor = tensor.expect("a matrix that fits");
    tensor.as_mut_slice().copy_from_slice(&to(numbers));
    tensor
}

/// Measures a product.
fn measure<E: Elements>(product: &Product) -> Measured {
    let Product { m, n, k, a, b, c, add, .. } = *product;
    let numbers = |seed: u64, count: usize| -> Vec<i8> {
        let mut random = Random(seed);
        (0..count).map(|_| random.below(4) as i8).collect()
    };
    let (of_a, of_b, of_c) = (numbers(1, m * k), numbers(2, k * n), vec![0; m * n]);
    let data = Data::<E> {
        a: tensor(m, k, a, &of_a),
        b: tensor(k, n, b, &of_b),
        c: tensor(m, n, c, &of_c),
        copies: PEERS
            .iter()
            .filter(|_| E::CONVERTS)
            .map(|_| [&of_a, &of_b, &of_c].map(|numbers| to(numbers)))
            .collect(),
    };
    let order = |strides: Strides| if strides.column == 1 { "row" } else { "column" };
    let name = format!(
        "{} {m}x{n}x{k}, A {}-major, B {}-major, C {}= {}-major",
        E::NAME,
        order(a),
        order(b),
        if add { "+" } else { "" },
        order(c)
    );
    let mut case = Case::new(&name, "GFLOP/s", (2 * m * n * k) as f64 / 1e9, data);
    let beta = E::C::of(add.into());
    case.ours(|d| gemm(E::C::of(1), &d.a, &d.b, beta, &mut d.c).expect("a product"));
    type Multiplication<T> = fn(&Product, &[T], &[T], &mut [T]);
    let peers: [Multiplication<E::Peer>; 3] =
        [peers::gemm, peers::faer, <E::Peer as Element>::matrixmultiply];
    for (i, (name, multiply)) in PEERS.into_iter().zip(peers).enumerate() {
        case.peer(name, move |d| {
            let (a, b, c) = E::of_peer(d, i);
            multiply(product, a, b, c);
        });
    }
    case.check(
        |d| {
            d.c.as_mut_slice().fill(E::C::of(0));
            d.copies.iter_mut().for_each(|[.., c]| c.fill(E::Peer::of(0)));
        },
        |d, variant| {
            let mut random = Random(3);
            for _ in 0..100 {
                let (i, j) = (random.below(m), random.below(n));
                let [row, column] = [i * a.row, j * b.column];
                let products = (0..k).map(|p| {
                    let x = of_a[row + p * a.column];
                    f64::from(x) * f64::from(of_b[column + p * b.row])
                });
                let expected: f64 = products.sum();
                let index = i * c.row + j * c.column;
                let found: f64 = match PEERS.iter().position(|&peer| peer == variant) {
                    Some(peer) if E::CONVERTS => d.copies[peer][2][index].into(),
                    _ => d.c.as_slice()[index].into(),
                };
                assert_eq!(found, expected, "{name}: {variant} at ({i},{j})");
            }
        },
    );
    case.measure(Duration::from_millis(150))
}

/// Measures random products of a class, and prints their mean.
fn run_class<E: Elements>(class: &str, draw: Draw, count: usize, mut random: Random) {
    let mut ratios = Vec::new();
    for _ in 0..count {
        let [m, n, k] = draw(&mut random);
        let mut strides = |rows, columns| match random.below(2) {
            0 => Strides { row: columns, column: 1 },
            _ => Strides { row: 1, column: rows },
        };
        let (a, b, c) = (strides(m, k), strides(k, n), strides(m, n));
        let add = random.below(2) == 0;
        let measured = measure::<E>(&Product { m, n, k, a, b, c, add, threads: 1 });
        println!("{}", measured.all());
        ratios.push(measured.ratio().expect("there are peers"));
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / count as f64).exp();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let behind = ratios.iter().filter(|&&ratio| ratio < 1.0).count();
    println!("CLASS\t{mean:.2}\t{least:.2}\t{behind}\t{count}\t{}, {class}", E::NAME);
}

fn main() {
    let number = |name: &str, or: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(or)
    };
    let (seed, count) = (number("DYNAMIC_SEED", 1), number("DYNAMIC_PER_CLASS", 20) as usize);
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    for (i, (class, draw)) in CLASSES.into_iter().enumerate() {
        let random =
            || Random((seed << 8 | i as u64 | 1 << 63).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        macro_rules! run {
            ($($elements:ident)*) => {$({
                let name = format!("{}, {class}", $elements::NAME);
                if wanted.is_empty() || wanted.iter().any(|each| name.contains(each.as_str())) {
                    run_class::<$elements>(class, draw, count, random());
                }
            })*};
        }
        run!(Singles Doubles MixedBytes Bytes BFloats Halves);
    }
}
