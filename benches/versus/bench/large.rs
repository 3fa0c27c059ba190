//! Products whose extents are known when the program runs: `C = A * B`.

use static_layout::kernels::gemm;
use static_layout::{DynLayout, IntTuple, Tensor};
use versus::{Bench, Case, Random};

use crate::openblas::OpenBlas;
use crate::peers::{self, Element, Product, Strides};
use crate::small::{Data, fill, limit_of_products};

fn layout(rows: usize, columns: usize, strides: Strides) -> DynLayout {
    let shape = IntTuple::flat(&[rows, columns]);
    let stride = IntTuple::flat(&[strides.row, strides.column]);
    shape
        .and_then(|shape| stride.and_then(|stride| DynLayout::new(&shape, &stride)))
        .expect("a matrix")
}

fn case<T: Element>(
    bench: &mut Bench,
    [m, n, k]: [usize; 3],
    [a_rows, b_rows]: [bool; 2],
    openblas: Option<&OpenBlas>,
) {
    let how = match [a_rows, b_rows] {
        [false, false] => "",
        [true, false] => ", A by rows",
        [false, true] => ", B by rows",
        [true, true] => ", A and B by rows",
    };
    let name = format!("gemm {} {m}x{n}x{k} dynamic{how}", T::NAME);
    if !bench.wants(&name) {
        return;
    }
    let strides = |by_rows, rows, columns| match by_rows {
        true => Strides { row: columns, column: 1 },
        false => Strides { row: 1, column: rows },
    };
    let product = Product {
        m,
        n,
        k,
        a: strides(a_rows, m, k),
        b: strides(b_rows, k, n),
        c: strides(false, m, n),
        add: false,
    };
    let tensor = |layout| Tensor::<T, DynLayout>::zeros_in(layout).expect("a matrix that fits");
    let mut data = Data {
        a: tensor(layout(m, k, product.a)),
        b: tensor(layout(k, n, product.b)),
        c: tensor(layout(m, n, product.c)),
    };
    fill(data.a.as_mut_slice(), 1);
    fill(data.b.as_mut_slice(), 2);
    let mut case = Case::new(&name, "GFLOP/s", 2.0 * (m * n) as f64 * k as f64 / 1e9, data);
    case.ours(|d| {
        gemm(<T as Element>::ONE, &d.a, &d.b, T::default(), &mut d.c).expect("a product");
    });
    case.peer("gemm", |d| {
        peers::gemm(&product, d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
    });
    case.peer("faer", |d| {
        peers::faer(&product, d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
    });
    case.peer("matrixmultiply", |d| {
        T::matrixmultiply(&product, d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
    });
    if let Some(library) = openblas {
        case.peer("OpenBLAS", |d| {
            T::openblas(library, &product, d.a.as_slice(), d.b.as_slice(), d.c.as_mut_slice());
        });
    }
    limit_of_products::<T, _>(&mut case);

    // Some elements are computed again; whatever else ours may get wrong, the peers do not.
    let mut first: Option<Vec<T>> = None;
    case.check(
        |d| d.c.as_mut_slice().fill(T::default()),
        |d, way| {
            let (a, b, c) = (d.a.as_slice(), d.b.as_slice(), d.c.as_slice());
            let mut random = Random(3);
            for _ in 0..100 {
                let (i, j) = (random.below(m), random.below(n));
                let place = i * product.c.row + j * product.c.column;
                assert_eq!(c[place], product.element(a, b, i, j), "{name}: {way} at ({i},{j})");
            }
            match &first {
                Some(first) => assert!(first == c, "{name}: ours is not {way}"),
                None => first = Some(c.to_vec()),
            }
        },
    );
    bench.run(case);
}

fn of<T: Element>(bench: &mut Bench, openblas: Option<&OpenBlas>) {
    let columns = [false, false];
    for n in [128, 256, 512, 1024, 2048, 4096] {
        case::<T>(bench, [n, n, n], columns, openblas);
    }
    let skinny = [[1000, 37, 513], [4096, 64, 64], [64, 4096, 64], [64, 64, 4096]];
    for extents in skinny {
        case::<T>(bench, extents, columns, openblas);
    }
    for by_rows in [[true, false], [false, true], [true, true]] {
        case::<T>(bench, [512, 512, 512], by_rows, openblas);
    }
}

pub(crate) fn cases(bench: &mut Bench, openblas: Option<&OpenBlas>) {
    of::<f32>(bench, openblas);
    of::<f64>(bench, openblas);
}
