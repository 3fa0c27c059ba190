//! `einsum!` on static, mixed and dynamic layouts, with its options.

use num_complex::Complex;
use static_layout::kernels::{self, Einsum, Level, Par};
use static_layout::{
    ArrayTensor, DynLayout, LayoutError, StaticLayout, Tensor, View, einsum, layout,
};

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

/// The same contraction of static and of dynamic layouts, with and without options. The elements are
/// small integers, so sums are exact in any order.
macro_rules! agree {
    ($element:ty: $($letters:literal [$($a:tt)*] [$($b:tt)*] [$($c:tt)*];)*) => {$({
        type Element = $element;
        let value = |seed: usize, i: usize| (i * (2 * seed + 5) % 7 + seed % 3) as f32;
        let fill = |values: &mut [Element], seed| {
            (0..).zip(values).for_each(|(i, x)| *x = Element::from(value(seed, i)));
        };
        let mut a = Box::new(Tensor::<Element, layout!($($a)*)>::zeros());
        let mut b = Box::new(Tensor::<Element, layout!($($b)*)>::zeros());
        let mut c = Box::new(Tensor::<Element, layout!($($c)*)>::zeros());
        fill(a.as_mut_slice(), 1);
        fill(b.as_mut_slice(), 2);
        fill(c.as_mut_slice(), 3);
        let (of_a, of_b) = (<layout!($($a)*)>::LAYOUT, <layout!($($b)*)>::LAYOUT);
        let dynamic_a = View::new_in(a.as_slice(), of_a).unwrap();
        let dynamic_b = View::new_in(b.as_slice(), of_b).unwrap();
        let same = |c: &[Element]| {
            Tensor::from_slice_in(<layout!($($c)*)>::LAYOUT, c).unwrap()
        };
        let mut expected = same(c.as_slice());
        let then = |x: Element, at: &[usize]| {
            x + (0..).zip(at).map(|(i, &at)| Element::from((i + 1) as f32 * at as f32)).sum::<Element>()
        };
        let two = Element::from(2.0);
        let options = Einsum::new(two, -two).then(then);
        options.run_at(Level::Portable, $letters, &dynamic_a, &dynamic_b, &mut expected).unwrap();
        let () = einsum!($letters, *a, *b, &mut *c, alpha = two, beta = -two, then = then);
        assert_eq!(c.as_slice(), expected.as_slice(), "{} {of_a} {of_b}", $letters);
        kernels::einsum($letters, &dynamic_a, &dynamic_b, &mut expected).unwrap();
        for par in [Par::Sequential, Par::rayon()] {
            fill(c.as_mut_slice(), 3);
            let () = einsum!($letters, *a, *b, &mut *c, par = par);
            assert_eq!(c.as_slice(), expected.as_slice(), "{} {of_a} {of_b}", $letters);
        }
    })*};
}

#[test]
fn static_and_dynamic_contractions_agree() {
    macro_rules! cases {
        ($element:ty) => {
            agree! { $element:
                "ik,kj->ij" [(4,4):(4,1)] [(4,4):(4,1)] [(4,4):(4,1)];
                "ik,kj->ij" [(7,9):(9,1)] [(9,17):(1,9)] [(7,17):(17,1)];
                "ik,kj->ji" [(16,8):(8,1)] [(8,33):(33,1)] [(33,16):(16,1)];
                "ik,jk->ij" [(9,40):(40,1)] [(3,40):(40,1)] [(9,3):(3,1)];
                "ij,j->i" [(8,8):(8,1)] [8:1] [8:1];
                "ii,i->i" [(8,8):(8,1)] [8:1] [8:3];
                "ij,ij->" [(5,6):(6,1)] [(5,6):(1,5)] [1:0];
                "ij,k->ki" [(5,6):(6,1)] [3:1] [(3,5):(5,1)];
                "i,j->ij" [5:1] [17:1] [(5,17):(17,1)];
                "bik,bkj->bij" [(5,3,3):(9,3,1)] [(5,3,3):(9,3,1)] [(5,3,3):(9,3,1)];
                "bik,bkj->jbi" [(6,8,5):(40,5,1)] [(6,5,7):(35,7,1)] [(7,6,8):(48,8,1)];
                "ikb,kjb->ijb" [(3,4,6):(24,6,1)] [(4,5,6):(30,6,1)] [(3,5,6):(30,6,1)];
                "bhtd,bhsd->bhts" [(2,3,8,4):(96,4,12,1)] [(2,3,5,4):(60,4,12,1)] [(2,3,8,5):(120,40,5,1)];
                "abcd,cdef->abef" [(2,2,2,2):(8,4,2,1)] [(2,2,2,2):(8,4,2,1)] [(2,2,2,2):(8,4,2,1)];
                "abcd,cedf->aebf" [(2,3,2,3):(18,6,3,1)] [(2,4,3,2):(24,6,2,1)] [(2,4,3,2):(24,6,2,1)];
                "acbd,cedf->aebf" [(4,2,3,4):(24,12,4,1)] [(2,5,4,16):(320,64,16,1)] [(4,5,3,16):(240,48,16,1)];
                "ijk,kjl->il" [(5,6,7):(42,7,1)] [(7,6,8):(48,8,1)] [(5,8):(8,1)];
                "ik,kj->ij" [((2,3),(2,2)):((1,4),(2,12))] [((2,2),(3,2)):((1,6),(2,12))] [((3,2),(2,3)):((1,18),(9,3))];
                "ik,kj->ij" [((4,6),5):((6,1),24)] [(5,4):(4,1)] [((6,4),4):((1,6),24)];
                "bik,bkj->bij" [((2,3),4,4):((16,32),4,1)] [((3,2),4,4):((16,48),4,1)] [(6,4,4):(16,4,1)];
                "bik,bkj->bij" [(300,16,16):(256,16,1)] [(300,16,16):(256,16,1)] [(300,16,16):(256,16,1)];
            }
        };
    }
    cases!(f32);
    cases!(f64);
    cases!(Complex<f32>);
}

#[test]
fn extents_whose_product_no_integer_holds() {
    let a = View::<f64, layout!((3, 1099511627776):(1, 0))>::from_array(&[2.0; 3]);
    let b = View::<f64, layout!((1099511627776, 5):(0, 1))>::from_array(&[3.0; 5]);
    let mut c = Tensor::<f64, layout!((3, 5):(5, 1))>::full(f64::NAN);
    let () = einsum!("ik,kj->ij", a, b, &mut c);
    assert_eq!(c.as_slice(), [6.0 * f64::powi(2.0, 40); 15]);
    // A batch of such products.
    type A = layout!((2, 8, 1073741824, 268435456):(8, 1, 0, 0));
    type B = layout!((2, 1073741824, 268435456, 8):(8, 0, 0, 1));
    let a = View::<f64, A>::from_array(&[2.0; 16]);
    let b = View::<f64, B>::from_array(&[3.0; 16]);
    let mut c = Tensor::<f64, layout!((2, 8, 8):(64, 8, 1))>::full(f64::NAN);
    let () = einsum!("bikl,bklj->bij", a, b, &mut c);
    assert_eq!(c.as_slice(), [6.0 * f64::powi(2.0, 58); 128]);
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
    assert_eq!(error.to_string(), "einsum: letter b is 2 in A but 3 in C");
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
