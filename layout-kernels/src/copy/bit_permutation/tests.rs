use layout_core::engine::{DynLayout, IntTuple};

use super::*;
use crate::copy::constant::{Constant, run};
use crate::copy::copy;
use crate::simd::Level;
use crate::{View, ViewMut};

/// Layout of `2^n` elements: index bit `k` is bit `bits[k]` of the offset. An outer mode has extent
/// `around`, which need not be a power of two.
fn permuted(bits: &[usize], around: usize) -> DynLayout {
    let mut extents = vec![2; bits.len()];
    let mut strides: Vec<_> = bits.iter().map(|bit| 1 << bit).collect();
    extents.push(around);
    strides.push(1 << bits.len());
    let (shape, stride) = (IntTuple::flat(&extents).unwrap(), IntTuple::flat(&strides).unwrap());
    DynLayout::new(&shape, &stride).unwrap()
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % limit
    }

    fn order(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<_> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, self.below(i + 1));
        }
        order
    }
}

/// Copies on every level and compares with the definition. Returns whether bits are permuted in
/// registers.
fn check<T: Copy + PartialEq + Default + core::fmt::Debug + Send + Sync + 'static>(
    source: &DynLayout,
    destination: &DynLayout,
    value: impl Fn(usize) -> T,
) -> bool {
    let plan = CopyPlan::new::<T>(source, destination).unwrap();
    let from: Vec<T> = (0..source.cosize()).map(value).collect();
    let mut expected = vec![T::default(); destination.cosize()];
    for (s, d) in source.table().zip(destination.table()) {
        expected[d] = from[s];
    }
    for level in Level::available() {
        let mut to = vec![T::default(); destination.cosize()];
        // SAFETY: the vectors have the cosizes of the layouts.
        unsafe { super::super::exec::exec_of(level, &plan, from.as_ptr(), to.as_mut_ptr()) };
        assert!(to == expected, "{source} to {destination} at {}: {plan}", level.name());
    }
    plan.permutes_bits()
}

#[test]
fn any_permutation_of_bits() {
    let mut random = Random(3);
    let (mut permuted_in_registers, mut all) = (0, 0);
    for _ in 0..300 {
        let n = 7 + random.below(5);
        let around = 1 + random.below(3);
        let (s, d) = (random.order(n), random.order(n));
        // Low bits stay in place, so that small elements form words.
        let keep = random.below(4);
        let keep = |order: Vec<usize>| -> Vec<usize> {
            (0..keep).chain(order.into_iter().filter(|&bit| bit >= keep)).collect()
        };
        let (s, d) = (permuted(&keep(s), around), permuted(&keep(d), around));
        let each = [
            check(&s, &d, |i| i as u8),
            check(&s, &d, |i| i as u16),
            check(&s, &d, |i| i as f32),
            check(&s, &d, |i| i as f64),
            check(&s, &d, |i| i as u128),
            check(&s, &d, |i| [i as f32, -1.0]),
        ];
        all += each.len();
        permuted_in_registers += each.into_iter().filter(|&is| is).count();
    }
    assert!(permuted_in_registers > all / 4, "{permuted_in_registers} of {all}");
}

#[test]
fn bits_inside_of_other_extents() {
    let layout = |text| DynLayout::parse(text).unwrap();
    // Quads of pixels in rows of 24, pairs of columns, gaps between rows, broadcasts.
    for (source, destination, expected) in [
        (
            "((2,2),(2,2),12,3):((1,4),(2,8),16,192)",
            "((2,2),(2,2),12,3):((1,2),(4,8),16,192)",
            true,
        ),
        ("((2,2,2),6,5):((4,2,1),8,48)", "((2,2,2),6,5):((1,2,4),8,48)", true),
        ("((2,2,2),6,5):((4,2,1),8,60)", "((2,2,2),6,5):((1,2,4),16,100)", true),
        ("(6,40):(40,1)", "(6,40):(1,6)", false),
        ("(2,2,2,2,40):(0,4,2,1,8)", "(2,2,2,2,40):(8,1,2,4,16)", true),
    ] {
        let (s, d) = (layout(source), layout(destination));
        assert_eq!(check(&s, &d, |i| i as f32), expected, "{source} to {destination}");
    }
}

/// Three bits reversed, with static layouts: the bit permutation is a constant.
#[test]
fn static_layouts() {
    use layout_core::types::{Cons, Layout, Nil};
    use typenum::consts::*;
    type Four<A, B, C, D> = Cons<A, Cons<B, Cons<C, Cons<D, Nil>>>>;
    type Rows = Layout<Four<U2, U2, U2, U32>, Four<U4, U2, U1, U8>>;
    type Reversed = Layout<Four<U2, U2, U2, U32>, Four<U1, U2, U4, U8>>;
    let memory: Vec<f32> = (0..256u16).map(f32::from).collect();
    let mut there = vec![0.0; 256];
    for level in Level::available() {
        there.fill(0.0);
        // SAFETY: both have 256 elements.
        unsafe {
            run::<f32, Constant<f32, Rows, Reversed>>(level, memory.as_ptr(), there.as_mut_ptr());
        }
        for (i, &value) in there.iter().enumerate() {
            let low = (i & 1) << 2 | i & 2 | i >> 2 & 1;
            assert_eq!(value, (i & !7 | low) as f32, "{}", level.name());
        }
    }
}

/// Copies larger than the caches, in pieces, through the public function.
#[test]
fn large_copies_are_cut() {
    // With the outer mode, a plan has its maximum number of loops.
    let n = 15;
    let (s, d): (Vec<_>, Vec<_>) = ((0..n).collect(), (0..n).rev().collect());
    let (s, d) = (permuted(&s, 3), permuted(&d, 3));
    assert!(check(&s, &d, |i| i as f32));
    let memory: Vec<f64> = (0..s.cosize()).map(|i| i as f64).collect();
    let mut there = vec![0.0; d.cosize()];
    let mut back = vec![0.0; s.cosize()];
    copy(&View::new_in(&memory, s).unwrap(), &mut ViewMut::new_in(&mut there, d).unwrap()).unwrap();
    copy(&View::new_in(&there, d).unwrap(), &mut ViewMut::new_in(&mut back, s).unwrap()).unwrap();
    assert_eq!(back, memory);
    assert_ne!(there, memory);
}
