//! Contractions compared with naive sums: generated subscripts of up to 7 letters, all kinds of
//! layouts, all element types, at every level.

mod common;

use std::ops::Range;

use common::{Pair, Random, flat};
use layout_core::engine::{DynLayout, IntTuple};
use layout_core::error::LayoutError;
use layout_core::types::{Dyn, Layout, Mixed};
use layout_kernels::simd::Level;
use layout_kernels::{
    Einsum, EinsumEpilogue, EinsumPlan, Multiply, Par, Tensor, View, ViewMut, einsum,
};
use typenum::{U1, U2, U3, U4};

/// A contraction: the letters of A, B and C, and their extents.
#[derive(Clone, Debug)]
struct Contraction {
    letters: [Vec<u8>; 3],
    extents: Vec<(u8, usize)>,
}

impl Contraction {
    /// Up to 7 letters, each in some of the tensors, occasionally twice in one.
    fn random(random: &mut Random) -> Self {
        Self::of_work(random, 6_000)
    }

    /// The same with at most about `most` products.
    fn of_work(random: &mut Random, most: usize) -> Self {
        const NAMES: [u8; 7] = *b"kaZbxCj";
        let (mut letters, mut extents) = ([Vec::new(), Vec::new(), Vec::new()], Vec::new());
        let mut work = 1;
        for &letter in &NAMES[..random.below(8)] {
            let choices = [1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 12, 17, 24];
            let mut extent = random.one_of(&choices);
            if work * extent > most {
                extent = 1 + random.below(2);
            }
            work *= extent;
            extents.push((letter, extent));
            // Each letter is in A, in B or in both, and in C with probability 3/5.
            let operands = random.one_of(&[1, 2, 3, 3]);
            for (operand, letters) in letters.iter_mut().enumerate() {
                let times = match operand {
                    2 => usize::from(random.below(5) < 3),
                    _ if operands >> operand & 1 == 1 => 1 + usize::from(random.below(9) == 0),
                    _ => 0,
                };
                for _ in 0..times {
                    letters.insert(random.below(letters.len() + 1), letter);
                }
            }
        }
        Self { letters, extents }
    }

    /// Whether each letter of C occurs in an operand.
    fn has_all_of_c(&self) -> bool {
        let [a, b, c] = &self.letters;
        c.iter().all(|letter| a.contains(letter) || b.contains(letter))
    }

    fn parse(subscripts: &str, extents: &[(u8, usize)]) -> Self {
        let (operands, c) = subscripts.split_once("->").unwrap();
        let (a, b) = operands.split_once(',').unwrap();
        Self { letters: [a, b, c].map(|text| text.bytes().collect()), extents: extents.to_vec() }
    }

    /// Whether the operands fit in memory: a repeated letter multiplies their size.
    fn fits(&self) -> bool {
        self.letters.iter().all(|letters| {
            let extents = letters.iter().map(|&letter| self.extent(letter));
            extents.fold(1, usize::saturating_mul) <= 1 << 24
        })
    }

    fn subscripts(&self, random: &mut Random) -> String {
        let [a, b, c] =
            self.letters.each_ref().map(|letters| std::str::from_utf8(letters).unwrap());
        let space = random.one_of(&["", "", " "]);
        format!("{a},{space}{b}{space}->{c}")
    }

    fn extent(&self, letter: u8) -> usize {
        self.extents.iter().find(|(other, _)| *other == letter).unwrap().1
    }

    fn layout(&self, random: &mut Random, operand: usize) -> DynLayout {
        let sizes: Vec<usize> = self.letters[operand].iter().map(|&l| self.extent(l)).collect();
        if sizes.is_empty() {
            return random.one_of(&[DynLayout::UNIT, flat(&[1, 1], &[3, 0])]);
        }
        let broadcast = operand < 2 && random.below(4) == 0;
        random.layout(&sizes, broadcast)
    }

    /// Offset, coordinate and sum of each element of C that gets a sum.
    fn sums(
        &self,
        layouts: [&DynLayout; 3],
        product: impl Fn(usize, usize) -> f64,
    ) -> Vec<(usize, Vec<usize>, f64)> {
        let [_, _, c] = &self.letters;
        let (outer, inner): (Vec<_>, Vec<_>) =
            self.extents.iter().copied().partition(|(letter, _)| c.contains(letter));
        let count = |letters: &[(u8, usize)]| letters.iter().map(|(_, n)| n).product::<usize>();
        let digit = |letters: &[(u8, usize)], mut index: usize, letter: u8| -> Option<usize> {
            for &(other, extent) in letters {
                if other == letter {
                    return Some(index % extent);
                }
                index /= extent;
            }
            None
        };
        // Offset contribution of the letters in an operand, computed once per index: the loops below
        // run once per product.
        let offsets = |letters: &[(u8, usize)], operand: usize| -> Vec<usize> {
            let layout: &DynLayout = layouts[operand];
            let offset = |index| {
                let modes = self.letters[operand].iter().enumerate();
                let at = modes.filter_map(|(i, &l)| Some((i, digit(letters, index, l)?)));
                at.map(|(i, at)| layout.mode(i).offset_of_index(at)).sum()
            };
            (0..count(letters)).map(offset).collect()
        };
        let [a, b, offsets_of_c] = [0, 1, 2].map(|operand| offsets(&outer, operand));
        let inner: Vec<_> = offsets(&inner, 0).into_iter().zip(offsets(&inner, 1)).collect();
        let element = |i: usize| {
            let mut sum = 0.0;
            for &(x, y) in &inner {
                sum += product(a[i] + x, b[i] + y);
            }
            let at = c.iter().map(|&letter| digit(&outer, i, letter).unwrap()).collect();
            (offsets_of_c[i], at, sum)
        };
        (0..count(&outer)).map(element).collect()
    }
}

/// Element types with exact products and sums.
trait Element: Copy + std::fmt::Debug {
    /// A value from 0 to 6.
    fn small(x: usize) -> Self;
    fn to_f64(self) -> f64;
}

macro_rules! element {
    ($($t:ty: |$x:ident| $small:expr, |$y:ident| $to:expr;)*) => {$(
        impl Element for $t {
            fn small($x: usize) -> Self { $small }
            fn to_f64(self) -> f64 { let $y = self; $to }
        }
    )*};
}
element! {
    f32: |x| x as f32 - 3.0, |y| y.into();
    f64: |x| x as f64 - 3.0, |y| y;
    u8: |x| x as u8 * 40, |y| y.into();
    i8: |x| x as i8 - 3, |y| y.into();
    i32: |x| x as i32 - 3, |y| y.into();
}
#[cfg(feature = "half")]
element! {
    half::bf16: |x| Self::from_f32(x as f32 - 3.0), |y| y.to_f64();
    half::f16: |x| Self::from_f32(x as f32 - 3.0), |y| y.to_f64();
}

fn elements<T: Element>(random: &mut Random, n: usize) -> Vec<T> {
    (0..n).map(|_| T::small(random.below(7))).collect()
}

/// Value of a coordinate, for a function of finished elements.
fn weight(at: &[usize]) -> usize {
    at.iter().enumerate().map(|(i, x)| (i + 1) * x).sum()
}

/// All threads if `rayon` is enabled, otherwise sequential.
fn threads() -> Par {
    #[cfg(feature = "rayon")]
    return Par::rayon();
    #[cfg(not(feature = "rayon"))]
    Par::default()
}

/// One contraction in these layouts, at every level. Elements around C and in its gaps must not
/// change.
fn check<X, Y>(
    contraction: &Contraction,
    layouts: [DynLayout; 3],
    random: &mut Random,
    to: impl Fn(f64) -> X::Sum + Sync,
) where
    X: Multiply<Y, Sum: Element> + Element,
    Y: Element,
{
    const GUARD: usize = 20;
    let [a, b, c] = layouts;
    let subscripts = contraction.subscripts(random);
    let (xs, ys): (Vec<X>, Vec<Y>) = (elements(random, a.cosize()), elements(random, b.cosize()));
    let before: Vec<X::Sum> = elements(random, c.cosize() + 2 * GUARD);
    let (alpha, beta) =
        random.one_of(&[(1.0, 0.0), (1.0, 0.0), (1.0, 1.0), (-2.0, 3.0), (0.0, 2.0), (0.0, 0.0)]);
    let then = random.below(3) == 0;

    let mut expected: Vec<f64> = before.iter().map(|x| x.to_f64()).collect();
    for (place, at, sum) in contraction.sums([&a, &b, &c], |i, j| xs[i].to_f64() * ys[j].to_f64()) {
        let old = &mut expected[GUARD + place];
        *old = alpha * sum + beta * *old + if then { weight(&at) as f64 } else { 0.0 };
    }

    // A plan for other layouts is not used.
    let planned = if random.below(4) == 0 { [c, a, b] } else { [a, b, c] };
    let plan = match EinsumPlan::new(&subscripts, &planned[0], &planned[1], &planned[2]) {
        Err(_) if planned != layouts => EinsumPlan::new(&subscripts, &a, &b, &c),
        result => result,
    };
    let plan = plan.unwrap_or_else(|error| panic!("{subscripts} {a} {b} {c}: {error:#}"));
    let levels = Level::available().map(How::At);
    for how in levels.chain([How::Planned(&plan)]) {
        let mut after = before.clone();
        let views = (View::new_in(&xs, a).unwrap(), View::new_in(&ys, b).unwrap());
        let end = after.len() - GUARD;
        let c_view = ViewMut::new_in(&mut after[GUARD..end], c).unwrap();
        let par = if random.below(2) == 0 { Par::default() } else { threads() };
        let plain = Einsum::new(to(alpha), to(beta)).par(par);
        let outcome = if then {
            let then = |x: X::Sum, at: &[usize]| to(x.to_f64() + weight(at) as f64);
            run::<X, Y, _>(&plain.then(then), how, &subscripts, views, c_view)
        } else {
            run::<X, Y, _>(&plain, how, &subscripts, views, c_view)
        };
        outcome.unwrap_or_else(|error| panic!("{subscripts} {a} {b} {c}: {error:#}"));
        let after: Vec<f64> = after.iter().map(|x| x.to_f64()).collect();
        let what =
            format!("{how:?}: {subscripts}: {alpha} * {a} * {b} + {beta} * {c}, then {then}");
        assert_eq!(after, expected, "{what}");
    }
}

/// How a contraction is computed.
#[derive(Clone, Copy, Debug)]
enum How<'a> {
    /// At this level, planned by the call.
    At(Level),
    /// With this plan.
    Planned(&'a EinsumPlan),
}

fn run<X: Multiply<Y>, Y: Copy, F: EinsumEpilogue<X::Sum>>(
    einsum: &Einsum<X::Sum, F>,
    how: How<'_>,
    subscripts: &str,
    (a, b): (View<'_, X, DynLayout>, View<'_, Y, DynLayout>),
    mut c: ViewMut<'_, X::Sum, DynLayout>,
) -> Result<(), LayoutError> {
    match how {
        How::At(level) => einsum.run_at(level, subscripts, &a, &b, &mut c),
        How::Planned(plan) => einsum.run_planned(plan, &a, &b, &mut c),
    }
}

fn check_elements(contraction: &Contraction, layouts: [DynLayout; 3], seed: u64) {
    let random = &mut Random::new(seed);
    match seed % 5 {
        0 => check::<f64, f64>(contraction, layouts, random, |x| x),
        1 => check::<u8, i8>(contraction, layouts, random, |x| x as i32),
        2 => check::<i8, i8>(contraction, layouts, random, |x| x as i32),
        #[cfg(feature = "half")]
        3 if random.below(2) == 0 => {
            check::<half::f16, half::f16>(contraction, layouts, random, |x| x as f32)
        }
        #[cfg(feature = "half")]
        3 => check::<half::bf16, half::bf16>(contraction, layouts, random, |x| x as f32),
        _ => check::<f32, f32>(contraction, layouts, random, |x| x as f32),
    }
}

/// `count` seeds, or the environment's `FUZZ_CASES` seeds starting from `FUZZ_SEED`, as in `fuzz`.
fn seeds(count: u64) -> Range<u64> {
    let number = |name| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    let first = number("FUZZ_SEED").unwrap_or(0) << 32;
    first..first + number("FUZZ_CASES").unwrap_or(count)
}

#[test]
fn generated_contractions() {
    let (mut seen, cases) = ([0; 8], seeds(1000));
    for seed in cases.clone() {
        let mut random = Random::new(seed);
        let contraction = Contraction::random(&mut random);
        if !contraction.has_all_of_c() {
            continue;
        }
        let layouts = [0, 1, 2].map(|operand| contraction.layout(&mut random, operand));
        seen[contraction.extents.len()] += 1;
        check_elements(&contraction, layouts, seed);
    }
    // Fewer cases than usual may have fewer of each kind.
    let is_short = cases.end - cases.start < 1000;
    assert!(is_short || seen.iter().all(|&count| count > 40), "{seen:?}");
}

/// Enough products to make copying the operands worthwhile, if their runs are short or belong to the
/// batch.
#[test]
fn generated_contractions_of_many_products() {
    let (mut large, cases) = (0, seeds(300));
    for seed in cases.clone() {
        let mut random = Random::new(seed);
        let contraction = Contraction::of_work(&mut random, 300_000);
        if !contraction.has_all_of_c() || !contraction.fits() {
            continue;
        }
        let work: usize = contraction.extents.iter().map(|(_, extent)| extent).product();
        large += usize::from(work > 32_768);
        let layouts = [0, 1, 2].map(|operand| contraction.layout(&mut random, operand));
        check_elements(&contraction, layouts, seed);
    }
    assert!(cases.end - cases.start < 300 || large > 25, "{large}");
}

/// Larger contractions, whose matrix products use cache blocking.
#[test]
fn large_contractions() {
    let extents = [(b'a', 36), (b'b', 4), (b'c', 24), (b'd', 6), (b'e', 30), (b'f', 2), (b'h', 3)];
    for (seed, subscripts) in
        ["abe,ecd->abcd", "dbea,ec->abcd", "fhae,fheb->fhab", "ecab,deh->cbdah", "ae,be->ab"]
            .into_iter()
            .enumerate()
    {
        let mut random = Random::new(seed as u64);
        let contraction = Contraction::parse(subscripts, &extents);
        let used = |letter| subscripts.bytes().any(|other| other == letter);
        let extents = contraction.extents.iter().copied().filter(|&(letter, _)| used(letter));
        let contraction = Contraction { extents: extents.collect(), ..contraction };
        let layouts = [0, 1, 2].map(|operand| contraction.layout(&mut random, operand));
        check::<f32, f32>(&contraction, layouts, &mut random, |x| x as f32);
    }
}

/// Dense tensors, first letter fastest. Their letters are long enough for every way of packing: whole
/// cache lines of both operands, transposed rows, rows of A as they are, short runs of C.
#[test]
fn contractions_of_dense_tensors() {
    let cases: [(&str, &[(u8, usize)]); 18] = [
        ("fae,debcf->dacbf", &[(b'a', 8), (b'b', 6), (b'c', 13), (b'd', 4), (b'e', 8), (b'f', 12)]),
        ("aed,ebcd->ceab", &[(b'a', 16), (b'b', 8), (b'c', 10), (b'd', 25), (b'e', 16)]),
        (
            "fabg,gcedf->bdecga",
            &[(b'a', 3), (b'b', 6), (b'c', 3), (b'd', 5), (b'e', 7), (b'f', 2), (b'g', 22)],
        ),
        (
            "fagcb,degf->cdabe",
            &[(b'a', 8), (b'b', 16), (b'c', 12), (b'd', 6), (b'e', 3), (b'f', 5), (b'g', 23)],
        ),
        ("dac,bdc->ab", &[(b'a', 70), (b'b', 24), (b'c', 102), (b'd', 64)]),
        ("bda,dc->abc", &[(b'a', 54), (b'b', 37), (b'c', 16), (b'd', 100)]),
        ("bda,dc->abc", &[(b'a', 6), (b'b', 170), (b'c', 9), (b'd', 21)]),
        ("dbea,ec->abcd", &[(b'a', 107), (b'b', 2), (b'c', 3), (b'd', 50), (b'e', 8)]),
        ("dbea,ec->abcd", &[(b'a', 5), (b'b', 7), (b'c', 9), (b'd', 33), (b'e', 13)]),
        ("dbea,ec->abcd", &[(b'a', 24), (b'b', 5), (b'c', 11), (b'd', 19), (b'e', 17)]),
        ("ecbfa,fd->abcde", &[(b'a', 40), (b'b', 3), (b'c', 5), (b'd', 4), (b'e', 18), (b'f', 6)]),
        ("cad,dcb->ab", &[(b'a', 20), (b'b', 210), (b'c', 33), (b'd', 31)]),
        ("acd,dbc->ab", &[(b'a', 18), (b'b', 19), (b'c', 37), (b'd', 41)]),
        (
            "gdac,efgb->abcdef",
            &[(b'a', 12), (b'b', 6), (b'c', 5), (b'd', 4), (b'e', 9), (b'f', 3), (b'g', 10)],
        ),
        ("ea,ebcd->abcd", &[(b'a', 56), (b'b', 7), (b'c', 6), (b'd', 9), (b'e', 33)]),
        ("xkyh,nkh->nxy", &[(b'x', 22), (b'y', 20), (b'k', 12), (b'h', 9), (b'n', 32)]),
        ("bmk,bkn->bmn", &[(b'b', 13), (b'm', 17), (b'k', 19), (b'n', 18)]),
        ("ij,j->ij", &[(b'i', 301), (b'j', 103)]),
    ];
    for (seed, (subscripts, extents)) in (0..).zip(cases) {
        let contraction = Contraction::parse(subscripts, extents);
        let layouts = [0, 1, 2].map(|operand| {
            let letters = contraction.letters[operand].iter();
            let shape: Vec<usize> = letters.map(|&letter| contraction.extent(letter)).collect();
            DynLayout::make(&IntTuple::flat(&shape).unwrap()).unwrap()
        });
        for kind in 0..5 {
            check_elements(&contraction, layouts, 5 * seed + kind);
        }
    }
}

/// Batches of products that are one tile each, over packed operands or in place, or a few inner products each.
/// Tensors are dense; some do not have all batch letters. Rows and vectors are whole or not.
#[test]
fn generated_batches_of_single_calls() {
    let subscripts = [
        "bij,bjk->bik",
        "bhij,bhjk->bhik",
        "bji,hjk->bhik",
        "hij,bhjk->bhki",
        "bij,bj->ib",
        "bij,bkj->bik",
        "hij,bhkj->bhki",
        "bij,bjk->bki",
        "bji,hkj->bhik",
    ];
    for seed in seeds(300) {
        let random = &mut Random::new(seed);
        let subscripts = random.one_of(&subscripts);
        let letters = [b'b', b'h', b'i', b'j', b'k'];
        let extents = letters.map(|letter| match letter {
            b'b' | b'h' => (letter, random.one_of(&[1, 2, 3, 7, 40])),
            b'j' => (letter, random.one_of(&[1, 2, 3, 4, 6, 8, 9, 16, 17, 40])),
            _ => (letter, random.one_of(&[1, 2, 3, 4, 6, 8, 9, 16, 17])),
        });
        let used = |&(letter, _): &(u8, usize)| subscripts.bytes().any(|other| other == letter);
        let extents: Vec<_> = extents.into_iter().filter(used).collect();
        let contraction = Contraction::parse(subscripts, &extents);
        // The last letter is the fastest.
        let layouts = contraction.letters.each_ref().map(|letters| {
            let shape: Vec<_> = letters.iter().map(|&l| contraction.extent(l)).collect();
            let strides = (1..=shape.len()).map(|i| shape[i..].iter().product());
            flat(&shape, &strides.collect::<Vec<_>>())
        });
        check_elements(&contraction, layouts, seed);
    }
}

#[test]
fn modes_without_a_common_nest() {
    // i is (4,6) in A and (6,4) in the others; j is summed, k is a batch letter.
    let nest = |text: &str| DynLayout::parse(text).unwrap();
    for (subscripts, layouts) in [
        ("ij,ji->i", ["((4,6),2):((1,4),24)", "(2,(6,4)):(24,(4,1))", "((3,8)):((8,1))"]),
        ("ij,ij->j", ["((4,6),2):((1,4),24)", "((6,4),2):((4,1),24)", "2:1"]),
        ("ij,ij->", ["((4,6),2):((1,4),24)", "((6,4),2):((4,1),24)", "1:0"]),
        ("ii,j->ji", ["((4,6),(6,4)):((1,4),(24,144))", "2:1", "(2,24):(24,1)"]),
        ("ii,jj->", ["((4,6),(6,4)):((1,4),(24,144))", "(2,2):(2,1)", "1:0"]),
    ] {
        let letters = Contraction::parse(subscripts, &[(b'i', 24), (b'j', 2)]);
        for seed in 0..10 {
            let mut random = Random::new(seed);
            check::<f32, f32>(&letters, layouts.map(nest), &mut random, |x| x as f32);
        }
    }
}

#[test]
fn empty_extents() {
    let layout = |text: &str| DynLayout::parse(text).unwrap();
    // K = 0: C is only scaled.
    let (a, b): ([f32; 0], [f32; 0]) = ([], []);
    let mut c = [1.0, 2.0, 3.0];
    let view = View::new_in(&a, layout("(3,0):(0,1)")).unwrap();
    let other = View::new_in(&b, layout("(0,3):(3,1)")).unwrap();
    let mut result = ViewMut::new_in(&mut c, layout("3:1")).unwrap();
    Einsum::new(1.0, 2.0).run("bk,kb->b", &view, &other, &mut result).unwrap();
    assert_eq!(c, [2.0, 4.0, 6.0]);
    // C is empty, and no operand is read.
    let mut nothing: [f32; 0] = [];
    let view = View::new_in(&c, layout("(0,3):(1,1)")).unwrap();
    let mut result = ViewMut::new_in(&mut nothing, layout("(0,3):(3,1)")).unwrap();
    einsum("mk,mn->mn", &view, &view, &mut result).unwrap();
    einsum("mn,mn->mn", &view, &view, &mut result).unwrap();
    einsum("mn,mk->mn", &view, &view, &mut result).unwrap();
    // Letters of both operands, whose product no layout bounds.
    let many = View::new_in(&c[..1], flat(&[1 << 20], &[0])).unwrap();
    let none = View::new_in(&b, flat(&[1 << 62, 0], &[0, 0])).unwrap();
    let mut sum = [5.0];
    let mut result = ViewMut::new_in(&mut sum, layout("1:1")).unwrap();
    einsum("b,ac->", &many, &none, &mut result).unwrap();
    assert_eq!(sum, [0.0]);
}

#[test]
fn nan_in_c_is_not_read() {
    let a = Tensor::full_in(flat(&[2, 3, 4], &[12, 4, 1]), 1.0f32).unwrap();
    let mut c = Tensor::full_in(flat(&[2, 3], &[3, 1]), f32::NAN).unwrap();
    einsum("bik,bik->bi", &a, &a, &mut c).unwrap();
    assert_eq!(c.as_slice(), [4.0; 6]);
}

#[test]
fn static_mixed_and_dynamic_layouts() {
    type Rows = Layout<Pair<U2, U3>, Pair<U3, U1>>;
    type Some = Mixed<Pair<Dyn, U4>, Pair<U4, U1>>;
    let a = Tensor::<f64, Rows>::from_fn(|(i, j)| (3 * i + j) as f64);
    let b = Tensor::from_fn_in(Some::new(((3, ()), (((), ()), ()))), |(j, k)| (j * k) as f64);
    let mut c = Tensor::zeros_in(flat(&[4, 2], &[1, 4])).unwrap();
    einsum("ij,jk->ki", &a, &b.unwrap(), &mut c).unwrap();
    assert_eq!(c.as_slice(), [0.0, 5.0, 10.0, 15.0, 0.0, 14.0, 28.0, 42.0]);
}

#[test]
fn what_does_not_fit_is_named() {
    let tensor = |shape: &[usize]| {
        let shape = IntTuple::flat(shape).unwrap();
        Tensor::<f32, _>::zeros_in(DynLayout::make(&shape).unwrap()).unwrap()
    };
    let (a, b, mut c) = (tensor(&[2, 3]), tensor(&[3, 4]), tensor(&[2, 4]));
    let mut message = |subscripts: &str| -> (String, &'static str) {
        let error: LayoutError = einsum(subscripts, &a, &b, &mut c).unwrap_err();
        (format!("{error:#}"), error.code())
    };
    let extent = "einsum: letter i is 2 in A but 3 in B\n\
                  help: in these subscripts\n    ij,ik->jk\n       ^";
    assert_eq!(message("ij,ik->jk"), (extent.into(), "L0529"));
    let extent = "einsum: letter j is 3 in A but 4 in C\n\
                  help: in these subscripts\n    ij, jk->ij\n             ^";
    assert_eq!(message("ij, jk->ij"), (extent.into(), "L0529"));
    let extent = "einsum: letter i is 2 in A but 3 in A\n\
                  help: in these subscripts\n    ii,jk->ik\n     ^";
    assert_eq!(message("ii,jk->ik"), (extent.into(), "L0529"));
    let rank = "einsum: B has 3 letters but its shape (3,4) has 2 modes\n\
                help: write one letter for each mode\n    ij,jkl->il\n       ^";
    assert_eq!(message("ij,jkl->il"), (rank.into(), "L0528"));
    let rank = "einsum: C has no letters, and its shape (2,4) is not that of one element\n\
                help: write one letter for each mode\n    ij,jk->\n           ^";
    assert_eq!(message("ij,jk->"), (rank.into(), "L0528"));
    let letter = "einsum: letter l of C is in neither A nor B\n\
                  help: use a letter of A or B\n    ij,jk->il\n            ^";
    assert_eq!(message("ij,jk->il"), (letter.into(), "L0526"));
}
