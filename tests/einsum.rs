//! `einsum!` on static, mixed and dynamic layouts, with its options.

use static_layout::kernels::{self, Par};
use static_layout::{ArrayTensor, DynLayout, LayoutError, Tensor, View, einsum, layout};

type A = layout!((2, 3, 5):(15, 5, 1));
type B = layout!((5, 2, 4):(1, 5, 10));
type C = layout!((4, 2, 3):(1, 4, 8));

/// The expected `C(k,b,i)`, where the elements of A and B are their offsets.
fn expected(k: usize, b: usize, i: usize) -> f64 {
    (0..5).map(|j| (15 * b + 5 * i + j) as f64 * (j + 5 * b + 10 * k) as f64).sum()
}

fn operands() -> (Tensor<f64, A>, Tensor<f64, B>) {
    let a = Tensor::<f64, A>::from_fn(|(b, i, j)| (15 * b + 5 * i + j) as f64);
    (a, Tensor::<f64, B>::from_fn(|(j, b, k)| (j + 5 * b + 10 * k) as f64))
}

#[test]
fn static_layouts_return_nothing() {
    let (a, b) = operands();
    let mut c = Tensor::<f64, C>::full(f64::NAN);
    let () = einsum!("bij,jbk->kbi", a, &b, &mut c);
    for (k, b, i) in (0..24).map(|x| (x % 4, x / 4 % 2, x / 8)) {
        assert_eq!(c[(k, b, i)], expected(k, b, i));
    }
    // Array tensors, views and subviews.
    let mut first = ArrayTensor::<f64, layout!((4, 3):(3, 1))>::zeros();
    let () =
        einsum!("ij,jk->ki", a.view().slice((0, .., ..)), b.view().slice((.., 0, ..)), &mut first);
    assert_eq!(first[(3, 2)], expected(3, 0, 2));
    let mut sum = [0.0];
    let mut sum = static_layout::ViewMut::<f64, layout!(1:0)>::from_array(&mut sum);
    let () = einsum!("ki,ki->", first, first, &mut sum);
    assert_eq!(sum.as_slice()[0], first.as_slice().iter().map(|x| x * x).sum::<f64>());
}

#[test]
fn options() {
    let (a, b) = operands();
    let mut c = Tensor::<f64, C>::full(1.0);
    let bias = [0.0, 100.0, 200.0, 300.0];
    einsum!(
        "bij,jbk->kbi",
        a,
        b,
        &mut c,
        alpha = 2.0,
        beta = -1.0,
        then = |x: f64, at: &[usize]| x + bias[at[0]],
        par = Par::Sequential,
    );
    assert_eq!(c[(3, 1, 2)], 2.0 * expected(3, 1, 2) - 1.0 + 300.0);
    einsum!("bij,jbk->kbi", a, b, &mut c, beta = 1.0);
    assert_eq!(c[(3, 1, 2)], 3.0 * expected(3, 1, 2) - 1.0 + 300.0);
}

#[test]
fn mixed_and_dynamic_layouts_return_a_result() -> Result<(), LayoutError> {
    let (a, b) = operands();
    let (m, n) = (3, 4);
    let mixed = layout!((n, 2, m):(1, {n}, {2 * n}));
    let mut c = Tensor::zeros_in(mixed)?;
    einsum!("bij,jbk->kbi", a, b, &mut c)?;
    assert_eq!(c[(3, 1, 2)], expected(3, 1, 2));

    let layout = DynLayout::parse("(2,3,5):(15,5,1)").unwrap();
    let a = View::new_in(a.as_slice(), layout)?;
    let mut same = Tensor::<f64, C>::zeros();
    einsum!("bij,jbk->kbi", a, b, &mut same)?;
    kernels::einsum("bij,jbk->kbi", &a, &b, &mut c)?;
    assert_eq!(c.as_slice(), same.as_slice());
    let error = einsum!("bij,jbk->kib", a, b, &mut c).unwrap_err();
    assert_eq!(error.to_string(), "einsum: letter i is 3 in A but 2 in C");
    Ok(())
}

#[test]
fn subscripts_of_another_macro() {
    macro_rules! trace {
        ($letters:literal, $x:expr) => {{
            let one = ArrayTensor::<f64, layout!(1:0)>::full(1.0);
            let mut sum = ArrayTensor::<f64, layout!(1:0)>::zeros();
            einsum!($letters, $x, one, &mut sum);
            sum.as_slice()[0]
        }};
    }
    let x = Tensor::<f64, layout!((3, 3):(3, 1))>::from_fn(|(i, j)| (10 * i + j) as f64);
    assert_eq!((trace!("ii,->", x), trace!(r"ij,->", x)), (33.0, 99.0));
}
