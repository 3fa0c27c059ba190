//! Products of bytes and of `bf16`: `C = A * B`. No crate offers these, so the peers are loops, and
//! an `f32` product of operands converted beforehand, the usual alternative.

use std::ops::AddAssign;

use half::bf16;
use static_layout::kernels::{Level, Multiply, gemm};
use static_layout::{AnyLayout, DynLayout, IntTuple, IntoResult, Tensor, layout};
use versus::{Bench, Case, Random};

use crate::peers::{self, Product, Strides};
use crate::small::limit_of_products;

/// An element type of A or B.
trait Word: Copy + Default + Into<f32> {
    const NAME: &'static str;

    /// One of eight small numbers.
    fn of(x: u8) -> Self;
}

impl Word for u8 {
    const NAME: &'static str = "u8";

    fn of(x: u8) -> Self {
        x
    }
}

impl Word for i8 {
    const NAME: &'static str = "i8";

    fn of(x: u8) -> Self {
        x.cast_signed() - 4
    }
}

impl Word for bf16 {
    const NAME: &'static str = "bf16";

    fn of(x: u8) -> Self {
        Self::from_f32(f32::from(x) - 4.0)
    }
}

/// The element types of a product, and their product in plain loops.
trait Pair<Y: Word>: Word + Multiply<Y, Sum: AddAssign + Default + Into<f64>> {
    fn times(self, y: Y) -> Self::Sum;
}

impl Pair<i8> for u8 {
    #[inline(always)]
    fn times(self, y: i8) -> i32 {
        i32::from(self) * i32::from(y)
    }
}

impl Pair<i8> for i8 {
    #[inline(always)]
    fn times(self, y: i8) -> i32 {
        i32::from(self) * i32::from(y)
    }
}

impl Pair<bf16> for bf16 {
    #[inline(always)]
    fn times(self, y: bf16) -> f32 {
        self.to_f32() * y.to_f32()
    }
}

/// Operands that are contiguous along K: A row-major, B column-major, C row-major.
struct Data<X: Multiply<Y> + Word, Y: Word, A, B, C> {
    a: Tensor<X, A>,
    b: Tensor<Y, B>,
    c: Tensor<X::Sum, C>,
    wide_a: Vec<f32>,
    wide_b: Vec<f32>,
    wide_c: Vec<f32>,
}

#[inline(always)]
fn loops<X: Pair<Y>, Y: Word>([m, n, k]: [usize; 3], a: &[X], b: &[Y], c: &mut [X::Sum]) {
    let (a, b) = (&a[..m * k], &b[..k * n]);
    for (a, c) in a.chunks_exact(k).zip(c.chunks_exact_mut(n)) {
        for (b, c) in b.chunks_exact(k).zip(c) {
            let mut sum = X::Sum::default();
            for (&x, &y) in a.iter().zip(b) {
                sum += x.times(y);
            }
            *c = sum;
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx512bf16,avx2,fma")]
fn avx512_loops<X: Pair<Y>, Y: Word>(extents: [usize; 3], a: &[X], b: &[Y], c: &mut [X::Sum]) {
    loops(extents, a, b, c);
}

/// A tensor of small integers, so that sums are the same in every order.
fn tensor<X: Word, L: AnyLayout>(layout: L, seed: u64) -> Tensor<X, L> {
    let mut random = Random(seed);
    let made = Tensor::from_fn_in(layout, |_| X::of(random.below(8) as u8));
    made.into_result().expect("a matrix that fits")
}

fn case<X: Pair<Y>, Y: Word, A: AnyLayout, B: AnyLayout, C: AnyLayout>(
    bench: &mut Bench,
    name: &str,
    [m, n, k]: [usize; 3],
    (a, b, c): (A, B, C),
    ours: impl Fn(&mut Data<X, Y, A, B, C>),
) {
    let (a, b) = (tensor::<X, A>(a, 1), tensor::<Y, B>(b, 2));
    let wide_a: Vec<f32> = a.as_slice().iter().map(|&x| x.into()).collect();
    let wide_b: Vec<f32> = b.as_slice().iter().map(|&x| x.into()).collect();
    let c = Tensor::zeros_in(c).into_result().expect("a matrix that fits");
    let data = Data { a, b, c, wide_a, wide_b, wide_c: vec![0.0; m * n] };
    let product = Product {
        m,
        n,
        k,
        a: Strides { row: k, column: 1 },
        b: Strides { row: 1, column: k },
        c: Strides { row: n, column: 1 },
        add: false,
        threads: 1,
    };
    const IN_F32: &str = "gemm, f32";
    let mut case = Case::new(name, "GOP/s", 2.0 * (m * n) as f64 * k as f64 / 1e9, data);
    case.ours(ours);
    case.peer(IN_F32, |d| peers::gemm(&product, &d.wide_a, &d.wide_b, &mut d.wide_c));
    // Skipped for larger products: loops would take seconds.
    if m * n * k <= 1 << 27 {
        case.peer("loops", |d| {
            loops([m, n, k], d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
        });
        #[cfg(target_arch = "x86_64")]
        if matches!(Level::detect(), Level::Avx512(has) if has.vnni() && has.bf16()) {
            case.peer("loops with AVX-512", |d| {
                let (a, b, c) = (d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
                // SAFETY: checked above: the CPU has AVX-512 with VNNI and BF16.
                unsafe { avx512_loops([m, n, k], a, b, c) };
            });
        }
    }
    limit_of_products::<X, Y, _>(&mut case, "dot products");

    case.check(
        |d| {
            d.c.as_mut_slice().fill(X::Sum::default());
            d.wide_c.fill(0.0);
        },
        |d, variant| {
            let mut random = Random(3);
            for _ in 0..100 {
                let (i, j) = (random.below(m), random.below(n));
                let expected = product.element(&d.wide_a, &d.wide_b, i, j);
                let place = i * n + j;
                let (sum, wide) = (d.c.as_slice()[place].into(), d.wide_c[place].into());
                let result: f64 = if variant == IN_F32 { wide } else { sum };
                assert_eq!(result, f64::from(expected), "{name}: {variant} at ({i},{j})");
            }
        },
    );
    bench.run(case);
}

fn dynamic<X: Pair<Y>, Y: Word>(bench: &mut Bench, n: usize, [zero, one]: [X::Sum; 2]) {
    let name = format!("gemm {}x{} {n}x{n}x{n} dynamic", X::NAME, Y::NAME);
    if !bench.wants(&name) {
        return;
    }
    let shape = IntTuple::flat(&[n, n]).expect("two extents");
    let rows = DynLayout::row_major(&shape).expect("a matrix");
    let columns = DynLayout::make(&shape).expect("a matrix");
    let layouts = (rows, columns, rows);
    case::<X, Y, _, _, _>(bench, &name, [n; 3], layouts, |d| {
        gemm(one, &d.a, &d.b, zero, &mut d.c).expect("a product");
    });
}

macro_rules! fixed {
    ($bench:ident: $x:ident x $y:ident, [$zero:literal, $one:literal]: $($n:literal)*) => {$(
        let name = concat!("gemm ", stringify!($x), "x", stringify!($y), " ", $n, "x", $n, "x", $n,
            " static");
        if $bench.wants(name) {
            let rows = layout!(($n, $n):($n, 1));
            let layouts = (rows, layout!(($n, $n):(1, $n)), rows);
            case::<$x, $y, _, _, _>($bench, name, [$n; 3], layouts, |d| {
                gemm($one, &d.a, &d.b, $zero, &mut d.c);
            });
        }
    )*};
}

pub(crate) fn cases(bench: &mut Bench) {
    fixed!(bench: u8 x i8, [0, 1]: 16 32 64);
    fixed!(bench: i8 x i8, [0, 1]: 32);
    fixed!(bench: bf16 x bf16, [0.0, 1.0]: 16 32 64);
    for n in [256, 1024, 2048] {
        dynamic::<u8, i8>(bench, n, [0, 1]);
        dynamic::<i8, i8>(bench, n, [0, 1]);
        dynamic::<bf16, bf16>(bench, n, [0.0, 1.0]);
    }
}
