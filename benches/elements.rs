//! Element access: indices, iterators, `from_fn`, slices and functions of elements, each compared
//! with a hand-written loop.
//!
//! `cargo bench --bench elements` prints nanoseconds per element,
//! `cargo bench --bench elements -- iter` only those of the cases whose names contain `iter`. The two
//! variants of a case run alternately in one process; the result is a low percentile of many rounds.
//! Answers are checked first.

use std::fmt::Debug;
use std::hint::black_box;
use std::time::Instant;

use static_layout::kernels::{axpby, copy, transform, update};
use static_layout::{
    ArrayLayout, ArrayTensor, DynLayout, IntTuple, StaticLayout, Tensor, View, ViewMut, layout,
};

const ROUNDS: usize = 400;
/// Nanoseconds per timed run: long enough for the clock, short enough to be rarely interrupted.
const RUN_NS: usize = 20_000;

/// Nanoseconds per call of each variant.
fn measure(variants: &mut [&mut dyn FnMut(usize)]) -> Vec<f64> {
    let counts: Vec<usize> = variants
        .iter_mut()
        .map(|variant| {
            let mut count = 1;
            loop {
                let start = Instant::now();
                variant(count);
                if start.elapsed().as_nanos() as usize >= RUN_NS {
                    return count;
                }
                count *= 2;
            }
        })
        .collect();
    let mut times = vec![Vec::with_capacity(ROUNDS); variants.len()];
    for _ in 0..ROUNDS {
        for ((variant, &count), times) in variants.iter_mut().zip(&counts).zip(&mut times) {
            let start = Instant::now();
            variant(count);
            times.push(start.elapsed().as_nanos() as f64 / count as f64);
        }
    }
    let low = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 20]
    };
    times.into_iter().map(low).collect()
}

/// Whether the command line selects this case.
fn wants(name: &str) -> bool {
    let mut asked = std::env::args().skip(1).filter(|a| !a.starts_with('-')).peekable();
    asked.peek().is_none() || asked.any(|a| name.contains(&a))
}

/// Compares two variants whose answers must be equal, and prints a line.
fn case<R: PartialEq + Debug>(
    name: &str,
    elements: usize,
    mut ours: impl FnMut() -> R,
    mut by_hand: impl FnMut() -> R,
) {
    if !wants(name) {
        return;
    }
    assert_eq!(ours(), by_hand(), "{name}");
    let times = measure(&mut [&mut |n| (0..n).for_each(|_| drop(black_box(ours()))), &mut |n| {
        (0..n).for_each(|_| drop(black_box(by_hand())))
    }]);
    let each = |ns: f64| ns / elements as f64;
    println!(
        "{name:44} {:8.2} ns, by hand {:8.2} ns | {:7.2} and {:7.2} ns a call",
        each(times[0]),
        each(times[1]),
        times[0],
        times[1]
    );
}

/// An array that starts at a cache line, like tensors on the heap.
#[repr(align(64))]
struct Lines<const N: usize>([f32; N]);

/// Distinct numbers.
fn numbers<const N: usize>() -> Lines<N> {
    Lines(std::array::from_fn(|i| i as f32 + 0.5))
}

/// `axpby`, `transform`, `update` and, for comparison, `copy`, of `R` x `R` matrices. The destination
/// is column-major. The source is row-major if `T`, otherwise column-major.
fn functions<S: StaticLayout, D: StaticLayout, const N: usize, const R: usize, const T: bool>(
    name: &str,
) {
    let Lines(x) = &numbers::<N>();
    let source = View::<f32, S>::from_array(x);
    macro_rules! case_of {
        ($what:literal, |$from:ident, $to:ident| $ours:expr, $f:expr) => {{
            let (Lines(y), Lines(z)) = (&mut numbers::<N>(), &mut numbers::<N>());
            case(
                &format!("{} {name}", $what),
                N,
                || {
                    let $from = black_box(&source);
                    let mut view = ViewMut::<f32, D>::from_array(black_box(&mut *y));
                    let $to = &mut view;
                    $ours;
                },
                || {
                    let (x, z) = (black_box(x), black_box(&mut *z));
                    for j in 0..R {
                        for i in 0..R {
                            let z = &mut z[i + j * R];
                            *z = $f(x[if T { i * R + j } else { i + j * R }], *z);
                        }
                    }
                },
            );
            let right =
                |i: usize| $f(x[if T { i % R * R + i / R } else { i }], numbers::<N>().0[i]);
            let Lines(y) = &mut numbers::<N>();
            let ($from, $to) = (&source, &mut ViewMut::<f32, D>::from_array(y));
            $ours;
            assert!((0..N).all(|i| y[i] == right(i)), "{} {name}", $what);
        }};
    }
    let (a, b) = (black_box(0.75f32), black_box(0.5f32));
    case_of!("copy", |x, y| copy(x, y), |x: f32, _: f32| x);
    case_of!("axpby", |x, y| axpby(a, x, b, y), |x: f32, y: f32| a * x + b * y);
    case_of!("transform", |x, y| transform(x, y, |x: f32| x * a), |x: f32, _: f32| x * a);
    case_of!("update", |x, y| update(x, y, |x: f32, y: f32| x + 0.5 * y), |x: f32, y: f32| x + 0.5
        * y);
}

/// `axpby` on inline tensors, as used by filters with a small state.
macro_rules! array_tensors {
    ($name:literal, $t:ty, $n:literal, $s:ty, $d:ty, $at:expr) => {{
        let x = ArrayTensor::<$t, $s>::full(0.25);
        let mut y = ArrayTensor::<$t, $d>::full(0.25);
        let (from, mut to) = ([0.25 as $t; $n * $n], [0.25 as $t; $n * $n]);
        let (a, b) = (black_box(0.75 as $t), black_box(0.5 as $t));
        case(
            $name,
            $n * $n,
            || {
                axpby(a, black_box(&x), b, black_box(&mut y));
            },
            || {
                let (from, to) = (black_box(&from), black_box(&mut to));
                for j in 0..$n {
                    for i in 0..$n {
                        let at: fn(usize, usize) -> usize = $at;
                        let to = &mut to[i + $n * j];
                        *to = a * from[at(i, j)] + b * *to;
                    }
                }
            },
        );
    }};
}

fn sum<'a>(elements: impl Iterator<Item = &'a u32>) -> u32 {
    elements.fold(0, |sum, x| sum.wrapping_add(*x))
}

/// Like [`sum`], element by element with `next`.
fn sum_by_next<'a>(elements: impl Iterator<Item = &'a u32>) -> u32 {
    let mut sum = 0u32;
    for x in elements {
        sum = sum.wrapping_add(*x ^ sum);
    }
    sum
}

fn dynamic(text: &str) -> DynLayout {
    DynLayout::parse(black_box(text)).expect("a layout")
}

fn iterators() {
    const N: usize = 64;
    type Columns = layout!((64, 64):(1, 64));
    type Rows = layout!((64, 64):(64, 1));
    type Small = layout!((3, 3):(3, 1));
    type SmallColumns = layout!((3, 3):(1, 3));
    let data: Vec<u32> = (0..4096).map(|i| i * i).collect();
    let columns = View::<u32, Columns>::new(&data).expect("a view");
    let rows = View::<u32, Rows>::new(&data).expect("a view");
    let of_columns = View::new_in(&data[..], dynamic("(64,64):(1,64)")).expect("a view");
    let of_rows = View::new_in(&data[..], dynamic("(64,64):(64,1)")).expect("a view");
    let of_tiles =
        View::new_in(&data[..], dynamic("((8,8),(8,8)):((8,512),(1,64))")).expect("a view");
    let slice = &data[..];
    let turned = |x: &[u32]| {
        let mut sum = 0u32;
        for j in 0..N {
            for i in 0..N {
                sum = sum.wrapping_add(x[i * N + j]);
            }
        }
        sum
    };
    let turned_by_next = |x: &[u32]| {
        let mut sum = 0u32;
        for j in 0..N {
            for i in 0..N {
                sum = sum.wrapping_add(x[i * N + j] ^ sum);
            }
        }
        sum
    };
    let tiles_by_next = |x: &[u32]| {
        let mut sum = 0u32;
        for j in 0..8 {
            for l in 0..8 {
                for i in 0..8 {
                    for k in 0..8 {
                        sum = sum.wrapping_add(x[k * 8 + i * 512 + l + j * 64] ^ sum);
                    }
                }
            }
        }
        sum
    };
    let n = N * N;
    case(
        "iter fold, static columns",
        n,
        || sum(black_box(&columns).iter()),
        || sum(black_box(slice).iter()),
    );
    case(
        "iter for, static columns",
        n,
        || sum_by_next(black_box(&columns).iter()),
        || sum_by_next(black_box(slice).iter()),
    );
    case("iter fold, static rows", n, || sum(black_box(&rows).iter()), || turned(black_box(slice)));
    case(
        "iter for, static rows",
        n,
        || sum_by_next(black_box(&rows).iter()),
        || turned_by_next(black_box(slice)),
    );
    case(
        "iter fold, dynamic columns",
        n,
        || sum(black_box(&of_columns).iter()),
        || sum(black_box(slice).iter()),
    );
    case(
        "iter for, dynamic columns",
        n,
        || sum_by_next(black_box(&of_columns).iter()),
        || sum_by_next(black_box(slice).iter()),
    );
    case(
        "iter fold, dynamic rows",
        n,
        || sum(black_box(&of_rows).iter()),
        || turned(black_box(slice)),
    );
    case(
        "iter for, dynamic rows",
        n,
        || sum_by_next(black_box(&of_rows).iter()),
        || turned_by_next(black_box(slice)),
    );
    case(
        "iter for, dynamic tiles",
        n,
        || sum_by_next(black_box(&of_tiles).iter()),
        || tiles_by_next(black_box(slice)),
    );
    let small = ArrayTensor::<u32, Small>::from_fn(|(i, j)| (i * 7 + j) as u32);
    let array: [u32; 9] = std::array::from_fn(|i| small.as_slice()[i]);
    case(
        "iter for, static 3x3 rows",
        9,
        || sum_by_next(black_box(&small).iter()),
        || {
            let x = black_box(&array);
            let mut sum = 0u32;
            for j in 0..3 {
                for i in 0..3 {
                    sum = sum.wrapping_add(x[i * 3 + j] ^ sum);
                }
            }
            sum
        },
    );
    let small = ArrayTensor::<u32, SmallColumns>::from_fn(|(i, j)| (i * 7 + j) as u32);
    let array: [u32; 9] = std::array::from_fn(|i| small.as_slice()[i]);
    case(
        "iter for, static 3x3 columns",
        9,
        || sum_by_next(black_box(&small).iter()),
        || sum_by_next(black_box(&array).iter()),
    );
    let of_small = View::new_in(&data[..], dynamic("(3,3):(3,1)")).expect("a view");
    case(
        "iter for, dynamic 3x3 rows",
        9,
        || sum_by_next(black_box(&of_small).iter()),
        || {
            let x = black_box(slice);
            let mut sum = 0u32;
            for j in 0..3 {
                for i in 0..3 {
                    sum = sum.wrapping_add(x[i * 3 + j] ^ sum);
                }
            }
            sum
        },
    );
}

fn from_fn() {
    type Columns = layout!((16, 16):(1, 16));
    type Rows = layout!((16, 16):(16, 1));
    type Tiles = layout!(((4, 4), (4, 4)):((4, 64), (1, 16)));
    type Small = layout!((3, 3):(3, 1));
    fn by_hand(at: impl Fn(usize, usize) -> usize) -> impl Fn() -> [u32; 256] {
        move || {
            let mut y = [0u32; 256];
            let k = black_box(3);
            for j in 0..16 {
                for i in 0..16 {
                    y[at(i, j)] = ((i * k) ^ j) as u32;
                }
            }
            black_box(&y)[..].try_into().expect("256")
        }
    }
    fn array<L: ArrayLayout>(t: &ArrayTensor<u32, L>) -> [u32; 256] {
        black_box(t).as_slice().try_into().expect("256")
    }
    case(
        "from_fn, static columns",
        256,
        || {
            let k = black_box(3);
            array(&ArrayTensor::<u32, Columns>::from_fn(|(i, j)| ((i * k) ^ j) as u32))
        },
        by_hand(|i, j| i + 16 * j),
    );
    case(
        "from_fn, static rows",
        256,
        || {
            let k = black_box(3);
            array(&ArrayTensor::<u32, Rows>::from_fn(|(i, j)| ((i * k) ^ j) as u32))
        },
        by_hand(|i, j| 16 * i + j),
    );
    case(
        "from_fn, static tiles",
        256,
        || {
            let k = black_box(3);
            array(&ArrayTensor::<u32, Tiles>::from_fn(|(i, j)| ((i * k) ^ j) as u32))
        },
        by_hand(|i, j| i % 4 * 4 + i / 4 * 64 + j % 4 + j / 4 * 16),
    );
    case(
        "from_fn, static 3x3 rows",
        9,
        || {
            let k = black_box(3);
            let t = ArrayTensor::<u32, Small>::from_fn(|(i, j)| ((i * k) ^ j) as u32);
            <[u32; 9]>::try_from(black_box(&t).as_slice()).expect("nine")
        },
        || {
            let (mut y, k) = ([0u32; 9], black_box(3));
            for j in 0..3 {
                for i in 0..3 {
                    y[i * 3 + j] = ((i * k) ^ j) as u32;
                }
            }
            *black_box(&y)
        },
    );
    fn vec_by_hand(at: impl Fn(usize, usize) -> usize) -> impl Fn() -> u32 {
        move || {
            let mut y = vec![0u32; 4096];
            let k = black_box(3);
            for j in 0..64 {
                for i in 0..64 {
                    y[at(i, j)] = ((i * k) ^ j) as u32;
                }
            }
            black_box(&y)[5 * 64 + 7]
        }
    }
    macro_rules! from_fn_in {
        ($name:literal, $text:literal, $at:expr) => {{
            let layout = dynamic($text);
            case(
                concat!("from_fn_in, dynamic ", $name),
                4096,
                || {
                    let k = black_box(3);
                    let f = |c: IntTuple| ((c.leaves()[0] * k) ^ c.leaves()[1]) as u32;
                    let t = Tensor::from_fn_in(black_box(layout), f).expect("a tensor");
                    black_box(&t).as_slice()[5 * 64 + 7]
                },
                vec_by_hand($at),
            );
        }};
    }
    from_fn_in!("columns", "(64,64):(1,64)", |i, j| i + 64 * j);
    from_fn_in!("rows", "(64,64):(64,1)", |i, j| 64 * i + j);
    from_fn_in!("tiles", "((8,8),(8,8)):((8,512),(1,64))", |i, j| {
        i % 8 * 8 + i / 8 * 512 + j % 8 + j / 8 * 64
    });
}

fn indices() {
    const N: usize = 16;
    type Rows = layout!((16, 16):(16, 1));
    let data: Vec<u32> = (0..256).map(|i| i * i).collect();
    let fixed = View::<u32, Rows>::new(&data).expect("a view");
    let (n, stride) = (black_box(N), black_box(N));
    let mixed = View::new_in(&data[..], layout!((n, 16):(stride, 1))).expect("a view");
    let free = View::new_in(&data[..], dynamic("(16,16):(16,1)")).expect("a view");
    let nested = View::new_in(&data[..], dynamic("((4,4),16):((16,64),1)")).expect("a view");
    // Every element, in an unpredictable order.
    let places: Vec<(usize, usize)> =
        (0..256).map(|i| ((i * 167 + 13) % 256 / 16, (i * 77 + 5) % 16)).collect();
    let slice = &data[..];
    let by_hand = |bound: usize, stride: usize| {
        let (slice, places) = (black_box(slice), black_box(&places));
        let mut sum = 0u32;
        for &(i, j) in places {
            assert!(i < bound && j < N, "an index");
            sum = sum.wrapping_add(slice[i * stride + j]);
        }
        sum
    };
    macro_rules! gather {
        ($view:expr) => {{
            let (view, places) = (black_box(&$view), black_box(&places));
            let mut sum = 0u32;
            for &(i, j) in places {
                sum = sum.wrapping_add(view[(i, j)]);
            }
            sum
        }};
    }
    case("index, static", 256, || gather!(fixed), || by_hand(N, N));
    case("index, mixed", 256, || gather!(mixed), || by_hand(black_box(N), black_box(N)));
    case("index, dynamic", 256, || gather!(free), || by_hand(black_box(N), black_box(N)));
    case("index, dynamic nested", 256, || gather!(nested), || by_hand(black_box(N), black_box(N)));
    case(
        "index, dynamic one number",
        256,
        || {
            let (view, places) = (black_box(&free), black_box(&places));
            places.iter().fold(0u32, |sum, &(i, j)| sum.wrapping_add(view[i + 16 * j]))
        },
        || by_hand(black_box(N), black_box(N)),
    );
    case(
        "get, dynamic IntTuple",
        256,
        || {
            let (view, places) = (black_box(&free), black_box(&places));
            places.iter().fold(0u32, |sum, &(i, j)| {
                let at = IntTuple::flat(&[i, j]).expect("two numbers");
                sum.wrapping_add(*view.get(at).expect("inside"))
            })
        },
        || by_hand(black_box(N), black_box(N)),
    );
    let rows: Vec<usize> = (0..256).map(|i| (i * 7 + 3) % 16).collect();
    let row_by_hand = || {
        let (slice, n) = (black_box(slice), black_box(N));
        black_box(&rows).iter().fold(0u32, |sum, &i| sum.wrapping_add(slice[i * n..][..n][5]))
    };
    macro_rules! rows_of {
        ($view:expr) => {
            || {
                let view = black_box(&$view);
                black_box(&rows)
                    .iter()
                    .fold(0u32, |sum, &i| sum.wrapping_add(view.slice((i, ..)).as_slice()[5]))
            }
        };
    }
    case("slice, static", 256, rows_of!(fixed), row_by_hand);
    case("slice, mixed", 256, rows_of!(mixed), row_by_hand);
    case("slice, dynamic", 256, rows_of!(free), row_by_hand);
}

fn main() {
    type Small = layout!((3, 3):(1, 3));
    type SmallRows = layout!((3, 3):(3, 1));
    type Six = layout!((6, 6):(1, 6));
    type SixRows = layout!((6, 6):(6, 1));
    type Large = layout!((64, 64):(1, 64));
    type LargeRows = layout!((64, 64):(64, 1));
    functions::<Small, Small, 9, 3, false>("3x3");
    functions::<SmallRows, Small, 9, 3, true>("3x3 transposed");
    functions::<Six, Six, 36, 6, false>("6x6");
    functions::<SixRows, Six, 36, 6, true>("6x6 transposed");
    functions::<Large, Large, 4096, 64, false>("64x64");
    functions::<LargeRows, Large, 4096, 64, true>("64x64 transposed");
    array_tensors!("axpby f64 3x3", f64, 3, Small, Small, |i, j| 3 * j + i);
    array_tensors!("axpby f64 6x6", f64, 6, Six, Six, |i, j| 6 * j + i);
    array_tensors!("axpby f64 6x6 transposed", f64, 6, SixRows, Six, |i, j| 6 * i + j);
    iterators();
    from_fn();
    indices();
}
