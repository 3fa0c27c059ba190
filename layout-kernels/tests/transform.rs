//! `transform`, `update` and `axpby` compared with a naive reference, at every `Level`.

mod common;

use common::Random;
use layout_core::engine::DynLayout;
use layout_kernels::simd::Level;
use layout_kernels::{View, ViewMut, axpby, transform, update_at};

/// Number of elements before and after the destination that must not change.
const GUARD: usize = 70;

/// Applies `f` at every level and checks the whole memory around the destination.
fn check<T, U>(
    s: DynLayout,
    d: DynLayout,
    x: impl Fn(usize) -> T,
    y: impl Fn(usize) -> U,
    f: fn(T, U) -> U,
) where
    T: Copy + 'static,
    U: Copy + PartialEq + std::fmt::Debug + 'static,
{
    let source: Vec<T> = (0..s.cosize()).map(x).collect();
    let memory: Vec<U> = (0..d.cosize() + 2 * GUARD).map(y).collect();
    let mut expected = memory.clone();
    for i in 0..s.size() {
        let to = &mut expected[GUARD + d.offset_of_index(i)];
        *to = f(source[s.offset_of_index(i)], *to);
    }
    for level in Level::available() {
        let mut result = memory.clone();
        let view = View::new_in(&source, s).unwrap();
        let slice = &mut result[GUARD..][..d.cosize()];
        update_at(level, &view, &mut ViewMut::new_in(slice, d).unwrap(), f).unwrap();
        assert!(result == expected, "{level}: {s} to {d}");
    }
}

fn check_all(s: DynLayout, d: DynLayout) {
    check(s, d, |i| i as f32, |i| 3.0 * i as f32, |x, y| x + 2.0 * y);
    check(s, d, |i| i as u8, |i| i as u8, |x, y| x.wrapping_mul(3).wrapping_sub(y));
    check(s, d, |i| i as i16, |i| i as f64, |x, y| f64::from(x) - y);
    check(s, d, |i| [i as u64, 1, 2], |i| i as u16, |x, y| y.wrapping_add(x[0] as u16));
    check(s, d, |_| (), |i| i as u32, |(), y| y + 1);
}

#[test]
fn generated_layouts() {
    let mut random = Random::new(7);
    for _ in 0..300 {
        let sizes: Vec<usize> = (0..1 + random.below(3))
            .map(|_| random.one_of(&[1, 2, 3, 5, 8, 12, 16, 19, 24, 33]))
            .collect();
        let broadcast = random.below(4) == 0;
        let (s, d) = (random.layout(&sizes, broadcast), random.layout(&sizes, false));
        check_all(s, d);
    }
}

#[test]
fn blocks_that_are_transposed_in_parts() {
    // More rows and more columns than a chunk has; words of two elements; large elements.
    let (s, d) = (common::flat(&[300, 170], &[171, 1]), common::flat(&[300, 170], &[1, 301]));
    check_all(s, d);
    let (s, d) =
        (common::flat(&[2, 150, 70], &[1, 140, 2]), common::flat(&[2, 150, 70], &[1, 2, 300]));
    check_all(s, d);
    let (s, d) = (common::flat(&[6, 9], &[9, 1]), common::flat(&[6, 9], &[1, 6]));
    check(s, d, |i| [i; 600], |i| i, |x, y| x[0] + x[599] + y);
    check(s, d, |i| [i; 6000], |i| i, |x, y| x[0] + x[5999] + y);
}

#[test]
fn what_y_held_has_no_influence_without_beta() {
    let l = common::flat(&[5, 7], &[7, 1]);
    let x: Vec<f32> = (0..35).map(|i| i as f32).collect();
    let mut y = [f32::NAN; 35];
    let x = View::new_in(&x, l).unwrap();
    axpby(2.0, &x, 0.0, &mut ViewMut::new_in(&mut y, l).unwrap()).unwrap();
    assert_eq!(y[34], 68.0);
    axpby(0.0, &x, 0.5, &mut ViewMut::new_in(&mut y, l).unwrap()).unwrap();
    assert_eq!(y[34], 34.0);
}

#[test]
fn types_may_differ() {
    let (s, d) = (common::flat(&[4, 6], &[6, 1]), common::flat(&[4, 6], &[1, 4]));
    let x: Vec<u8> = (0..24).collect();
    let mut y = [0f64; 24];
    let view = View::new_in(&x, s).unwrap();
    transform(&view, &mut ViewMut::new_in(&mut y, d).unwrap(), |x| f64::from(x) / 2.0).unwrap();
    for i in 0..24 {
        assert_eq!(y[d.offset_of_index(i)], s.offset_of_index(i) as f64 / 2.0);
    }
    assert!(transform(&view, &mut ViewMut::new_in(&mut y, s).unwrap(), f64::from).is_ok());
    let other = common::flat(&[6, 4], &[4, 1]);
    assert!(transform(&view, &mut ViewMut::new_in(&mut y, other).unwrap(), f64::from).is_err());
}
