//! Products with dynamic extents: `C = A * B`, on one and two threads.

use static_layout::kernels::{Gemm, Level, Par, probe};
use static_layout::{DynLayout, IntTuple, Tensor};
use versus::{Bench, Case, Random};

use crate::columns::{Data, fill};
use crate::openblas::OpenBlas;
use crate::peers::{self, Element, Product, Strides};
use crate::small::limit_of_products;

/// A product to measure.
#[derive(Clone, Copy)]
struct Task {
    extents: [usize; 3],
    a_by_rows: bool,
    b_by_rows: bool,
    threads: usize,
}

impl Task {
    /// All matrices column-major, on one thread.
    fn new(extents: [usize; 3]) -> Self {
        Self { extents, a_by_rows: false, b_by_rows: false, threads: 1 }
    }

    fn name<T: Element>(&self) -> String {
        let [m, n, k] = self.extents;
        let how = match (self.a_by_rows, self.b_by_rows) {
            (false, false) => "",
            (true, false) => ", A by rows",
            (false, true) => ", B by rows",
            (true, true) => ", A and B by rows",
        };
        let threads = if self.threads == 1 { "" } else { ", two threads" };
        format!("gemm {} {m}x{n}x{k} dynamic{how}{threads}", T::NAME)
    }

    fn product(&self) -> Product {
        let [m, n, k] = self.extents;
        let strides = |by_rows, rows, columns| match by_rows {
            true => Strides { row: columns, column: 1 },
            false => Strides { row: 1, column: rows },
        };
        Product {
            m,
            n,
            k,
            a: strides(self.a_by_rows, m, k),
            b: strides(self.b_by_rows, k, n),
            c: strides(false, m, n),
            add: false,
            threads: self.threads,
        }
    }
}

fn layout(rows: usize, columns: usize, strides: Strides) -> DynLayout {
    let shape = IntTuple::flat(&[rows, columns]);
    let stride = IntTuple::flat(&[strides.row, strides.column]);
    shape
        .and_then(|shape| stride.and_then(|stride| DynLayout::new(&shape, &stride)))
        .expect("a matrix")
}

fn case<T: Element>(bench: &mut Bench, task: Task, openblas: Option<&OpenBlas>) {
    let name = task.name::<T>();
    if !bench.wants(&name) {
        return;
    }
    let product = task.product();
    let [m, n, k] = task.extents;
    let tensor = |layout| Tensor::<T, DynLayout>::zeros_in(layout).expect("a matrix that fits");
    let mut data = Data {
        a: tensor(layout(m, k, product.a)),
        b: tensor(layout(k, n, product.b)),
        c: tensor(layout(m, n, product.c)),
    };
    fill(data.a.as_mut_slice(), 1);
    fill(data.b.as_mut_slice(), 2);
    let mut case = Case::new(&name, "GFLOP/s", 2.0 * (m * n) as f64 * k as f64 / 1e9, data);
    let par = if task.threads == 1 { Par::Sequential } else { Par::rayon() };
    let gemm = Gemm::new(<T as Element>::ONE, T::default()).par(par);
    case.ours(|d| gemm.run(&d.a, &d.b, &mut d.c).expect("a product"));
    case.peer("gemm", |d| {
        peers::gemm(&product, d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
    });
    case.peer("faer", |d| {
        peers::faer(&product, d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
    });
    // Its threads are a crate feature, which would affect all cases.
    if task.threads == 1 {
        case.peer("matrixmultiply", |d| {
            T::matrixmultiply(&product, d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
        });
    }
    if let Some(library) = openblas {
        case.peer("OpenBLAS", |d| {
            T::openblas(library, &product, d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
        });
    }
    if task.threads == 1 {
        limit_of_products::<T, T, _>(&mut case, "FMA");
    } else {
        limit_of_two_threads::<T, _>(&mut case);
    }

    // Compares some elements with plain sums, and the whole result with that of the first variant.
    let mut first: Option<Vec<T>> = None;
    case.check(
        |d| d.c.as_mut_slice().fill(T::default()),
        |d, variant| {
            let (a, b, c) = (d.a.as_slice(), d.b.as_slice(), d.c.as_slice());
            let mut random = Random(3);
            for _ in 0..100 {
                let (i, j) = (random.below(m), random.below(n));
                let place = i * product.c.row + j * product.c.column;
                assert_eq!(c[place], product.element(a, b, i, j), "{name}: {variant} at ({i},{j})");
            }
            match &first {
                Some(first) => assert!(first == c, "{name}: ours is not {variant}"),
                None => first = Some(c.to_vec()),
            }
        },
    );
    bench.run(case);
}

/// Adds the peak of two threads as a limit.
fn limit_of_two_threads<T: Element, D>(case: &mut Case<'_, D>) {
    // About a millisecond, so that the start of the second thread does not matter.
    const PEAK_ITERATIONS: usize = 1 << 19;
    let level = Level::detect();
    let both = move || {
        let peak = || probe::peak::<T, T>(level, PEAK_ITERATIONS);
        rayon::join(peak, peak)
    };
    let (one, other) = both();
    case.limit("FMA", (one + other) as f64 / 1e9, move |_| {
        both();
    });
}

const SQUARES: [usize; 5] = [256, 512, 1024, 2048, 4096];
const THIN: [[usize; 3]; 4] = [[1000, 37, 513], [4096, 64, 64], [64, 4096, 64], [64, 64, 4096]];

fn on_one_thread<T: Element>(bench: &mut Bench, openblas: Option<&OpenBlas>) {
    case::<T>(bench, Task::new([128; 3]), openblas);
    for extents in SQUARES.map(|n| [n; 3]).into_iter().chain(THIN) {
        case::<T>(bench, Task::new(extents), openblas);
    }
    for (a_by_rows, b_by_rows) in [(true, false), (false, true), (true, true)] {
        let task = Task { a_by_rows, b_by_rows, ..Task::new([512; 3]) };
        case::<T>(bench, task, openblas);
    }
}

fn on_two_threads<T: Element>(bench: &mut Bench, openblas: Option<&OpenBlas>) {
    for extents in SQUARES.map(|n| [n; 3]).into_iter().chain(THIN) {
        case::<T>(bench, Task { threads: 2, ..Task::new(extents) }, openblas);
    }
}

pub(crate) fn cases(bench: &mut Bench, openblas: Option<&OpenBlas>) {
    on_one_thread::<f32>(bench, openblas);
    on_one_thread::<f64>(bench, openblas);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    let use_threads = |n| {
        if let Some(library) = openblas {
            library.use_threads(n);
        }
    };
    use_threads(2);
    pool.expect("a pool of two threads").install(|| {
        on_two_threads::<f32>(bench, openblas);
        on_two_threads::<f64>(bench, openblas);
    });
    use_threads(1);
}
