//! The law of every engine operation, on generated layouts, against naive evaluation.

use layout_core::engine::{DynLayout, IntTuple, MAX_SIZE, Tiler, algebra};
use layout_core::types::Algebra;
use proptest::prelude::*;
use std::collections::BTreeSet;

mod common;
use common::{any_layout, by_stride, compact, eval, flat, layout, refines, table, tractable};

/// Whether a layout refines B and equals `f`, found leaf by leaf from values alone: a leaf of B is
/// the longest run with one step, which must divide it, then the same for every start of a run.
fn some_layout_equals(f: impl Fn(usize) -> usize, b: &DynLayout) -> bool {
    fn vector(f: &dyn Fn(usize) -> usize, n: usize) -> Option<Vec<(usize, usize)>> {
        if n == 1 {
            return Some(vec![]);
        }
        let step = f(1).checked_sub(f(0))?;
        let run = (1..n).take_while(|&i| f(i) == f(0) + i * step).count() + 1;
        if !n.is_multiple_of(run) {
            return None;
        }
        let mut modes = vec![(run, step)];
        modes.extend(vector(&|i| f(i * run), n / run)?);
        Some(modes)
    }
    let mut modes = Vec::new();
    for (&s, &d) in b.extents().iter().zip(b.strides()) {
        match vector(&|i| f(i * d), s) {
            Some(m) => modes.extend(m),
            None => return false,
        }
    }
    if modes.is_empty() {
        return f(eval(b, 0)) == 0;
    }
    let r = flat(&modes);
    (0..b.size()).all(|i| eval(&r, i) == f(eval(b, i)))
}

fn check_composition(a: &DynLayout, b: &DynLayout) -> Result<bool, TestCaseError> {
    match a.composition(b) {
        Ok(r) => {
            prop_assert!(refines(&r.shape(), &b.shape()), "{a} o {b} = {r}");
            for i in 0..b.size() {
                prop_assert_eq!(eval(&r, i), eval(a, eval(b, i)), "{} o {} = {} at {}", a, b, r, i);
            }
            Ok(true)
        }
        Err(_) => Ok(false),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn composition_is_sound(a in any_layout(), b in any_layout()) {
        check_composition(&a, &b)?;
    }

    /// With generic strides, a refusal means that no layout is A(B(i)).
    #[test]
    fn composition_is_complete(
        shape in prop::collection::vec(2usize..=8, 1..=4),
        b in layout(8, 60),
    ) {
        const GENERIC: [usize; 4] = [101, 10_007, 1_000_003, 100_000_007];
        let modes: Vec<_> = shape.iter().copied().zip(GENERIC).collect();
        let a = flat(&modes);
        let accepted = check_composition(&a, &b)?;
        let exists = some_layout_equals(|i| eval(&a, i), &b);
        prop_assert_eq!(accepted, exists, "{} o {}", a, b);
    }

    #[test]
    fn coalesce_keeps_the_function(l in any_layout()) {
        let c = l.coalesce();
        prop_assert_eq!(table(&c), table(&l));
        prop_assert!(c.depth() <= 1);
        for k in 1..c.len() {
            let (s, d) = (c.extents(), c.strides());
            prop_assert!(s[k - 1] * d[k - 1] != d[k], "{} -> {}", l, c);
            prop_assert!(s[k] > 1 && s[k - 1] > 1);
        }
        prop_assert_eq!(table(&l.flatten()), table(&l));
    }

    #[test]
    fn coalesce_by_profile_keeps_modes(l in any_layout()) {
        let profile = IntTuple::flat(&vec![1; l.rank()]).unwrap();
        let c = l.coalesce_by(&profile).unwrap();
        prop_assert_eq!(c.rank(), l.rank());
        for i in 0..l.rank() {
            prop_assert_eq!(c.mode(i), l.mode(i).coalesce());
        }
    }

    /// CuTe's post-conditions: ordered, disjoint, and long enough to cover the cotarget.
    #[test]
    fn complement_fills_what_is_left(l in any_layout(), n in 1usize..400) {
        let Ok(r) = l.complement(&n) else { return Ok(()) };
        let (offsets, rest) = (table(&l).into_iter().collect::<BTreeSet<_>>(), table(&r));
        prop_assert!(rest.windows(2).all(|w| w[0] < w[1]), "ordered: {} of {}", r, l);
        prop_assert!(rest[1..].iter().all(|o| !offsets.contains(o)), "disjoint: {} of {}", r, l);
        let sums: BTreeSet<_> =
            offsets.iter().flat_map(|a| rest.iter().map(move |b| a + b)).collect();
        prop_assert_eq!(sums.len(), offsets.len() * rest.len(), "injective: {} of {}", r, l);
        if tractable(&l).is_some_and(|covered| n % covered == 0) {
            prop_assert_eq!(sums.into_iter().collect::<Vec<_>>(), (0..n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn complement_is_refused_only_for_overlap(l in any_layout()) {
        if l.complement(&64).is_err() {
            let modes = by_stride(&l);
            prop_assert!(modes.windows(2).any(|w| w[0].0 * w[0].1 > w[1].0), "{}", l);
        }
    }

    #[test]
    fn right_inverse_inverts(l in any_layout()) {
        let r = l.right_inverse();
        for i in 0..r.size() {
            prop_assert_eq!(eval(&l, eval(&r, i)), i, "{} of {}", r, l);
        }
    }

    #[test]
    fn right_inverse_of_a_compact_layout_is_whole(l in compact()) {
        prop_assert_eq!(l.right_inverse().size(), l.size());
    }

    #[test]
    fn logical_divide_permutes(a in any_layout(), b in any_layout()) {
        let Ok(r) = a.logical_divide(&b) else { return Ok(()) };
        prop_assert_eq!(r.rank(), 2);
        prop_assert_eq!(r.mode(0), a.composition(&b).unwrap());
        // The tiles may overhang: coordinates beyond A mean nothing.
        let rest = b.complement(&a.size()).unwrap();
        let tiles = DynLayout::tuple(&[b, rest]).unwrap();
        prop_assert_eq!(r.size(), tiles.size());
        for (i, at) in table(&tiles).into_iter().enumerate().filter(|&(_, at)| at < a.size()) {
            prop_assert_eq!(eval(&r, i), eval(&a, at), "{} / {} = {}", a, b, r);
        }
        let exact = tractable(&b).is_some_and(|covered| a.size() % covered == 0);
        if exact && b.is_injective().unwrap() {
            let (mut ours, mut whole) = (table(&r), table(&a));
            ours.sort();
            whole.sort();
            prop_assert_eq!(ours, whole, "{} / {} = {}", a, b, r);
        }
    }

    /// The tile repeats, in the order of B, without touching itself.
    #[test]
    fn logical_product_repeats(a in any_layout(), b in any_layout()) {
        let Ok(r) = a.logical_product(&b) else { return Ok(()) };
        prop_assert_eq!(r.mode(0), a);
        prop_assert_eq!(r.mode(1).size(), b.size());
        // Far enough that no copy is beyond the last mode.
        let rest = a.complement(&(4 * a.cosize() * (b.cosize() + 1))).unwrap();
        for i in 0..b.size() {
            prop_assert_eq!(eval(&r.mode(1), i), eval(&rest, eval(&b, i)), "{} x {}", a, b);
        }
    }

    #[test]
    fn by_mode_is_mode_by_mode(a in any_layout(), tiles in prop::collection::vec(1usize..9, 1..3)) {
        let modes: Vec<_> =
            tiles.iter().map(|&n| Tiler::layout(&DynLayout::leaf(n, 1))).collect();
        let tiler = Tiler::modes(&modes).unwrap();
        let Ok(divided) = a.logical_divide_by(&tiler) else { return Ok(()) };
        prop_assert_eq!(divided.rank(), a.rank());
        for i in 0..a.rank() {
            let expected = match tiles.get(i) {
                Some(&n) => a.mode(i).logical_divide(&DynLayout::leaf(n, 1)).unwrap(),
                None => a.mode(i),
            };
            prop_assert_eq!(divided.mode(i), expected);
        }
        let zipped = a.zipped_divide_by(&tiler).unwrap();
        prop_assert_eq!(zipped.rank(), 2);
        for (i, _) in tiles.iter().enumerate() {
            prop_assert_eq!(zipped.mode(0).mode(i), divided.mode(i).mode(0));
            prop_assert_eq!(zipped.mode(1).mode(i), divided.mode(i).mode(1));
        }
    }

    #[test]
    fn three_kinds_of_coordinates_agree(l in any_layout(), at in any::<prop::sample::Index>()) {
        let i = at.index(l.size());
        let natural = l.shape().idx2crd(i).unwrap();
        prop_assert_eq!(l.offset_of(&natural).unwrap(), eval(&l, i));
        prop_assert_eq!(l.offset_of(&IntTuple::leaf(i)).unwrap(), eval(&l, i));
        prop_assert!(l.offset_of(&IntTuple::leaf(l.size())).is_err());
        if !l.shape().is_int() {
            let mut rest = i;
            let modes: Vec<usize> = (0..l.rank()).map(|k| {
                let n = l.mode(k).size();
                let c = rest % n;
                rest /= n;
                c
            }).collect();
            prop_assert_eq!(l.offset_of(&IntTuple::flat(&modes).unwrap()).unwrap(), eval(&l, i));
        }
    }
}

/// Huge numbers are errors, never a wrap-around or a panic.
#[test]
fn numbers_that_do_not_fit_are_errors() {
    let big = MAX_SIZE / 2 + 1;
    let shape = IntTuple::flat(&[4, 4]).unwrap();
    assert!(DynLayout::new(&shape, &IntTuple::flat(&[big, 1]).unwrap()).is_err());
    assert!(DynLayout::make(&IntTuple::flat(&[big, 2]).unwrap()).is_err());
    let (far, wide) = (DynLayout::leaf(2, big), DynLayout::leaf(big, 1));
    assert!(far.composition(&DynLayout::leaf(4, 1)).is_err());
    assert!(wide.logical_product(&DynLayout::leaf(4, 1)).is_err());
    assert!(far.complement(&usize::MAX).is_err());
    assert_eq!(far.complement(&8).unwrap().to_string(), format!("{big}:1"));
    let empty = DynLayout::leaf(0, 1);
    assert_eq!((empty.size(), empty.cosize()), (0, 0));
    assert!(empty.composition(&wide).is_err() && wide.logical_divide(&empty).is_err());
    assert!(empty.complement(&4).is_err() && empty.right_inverse() == DynLayout::UNIT);
}

/// All of it runs in const evaluation.
#[test]
fn the_algebra_is_const() {
    const A: DynLayout = DynLayout::leaf(24, 2);
    const DIVIDED: DynLayout =
        match algebra::logical_divide(&A, &Tiler::layout(&DynLayout::leaf(4, 2))) {
            Ok(l) => l,
            Err(e) => e.panic(),
        };
    assert_eq!(DIVIDED.to_string(), "(4,(2,3)):(4,(2,16))");
}
