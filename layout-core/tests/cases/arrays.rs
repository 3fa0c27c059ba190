//! Cases of the operations that users of arrays expect.

use layout_core::engine::IntTuple;
use layout_core::types::Algebra;

use super::structure::shape;
use super::{Cases, Random, layout};

pub(crate) fn generate(file: &mut String) {
    let mut random = Random(33);
    let mut cases = Cases::new("windows", 60, 30);
    while !cases.is_full() {
        let l = random.small(3);
        let most = l.rank() + usize::from(random.below(8) == 0);
        let modes = 1 + random.below(most);
        let windows = match random.below(8) {
            0 => IntTuple::leaf(1 + random.below(4)),
            _ => IntTuple::tuple(&(0..modes).map(|_| random.window()).collect::<Vec<_>>()).unwrap(),
        };
        cases.add(format!("Windows<{}, {}>", layout(&l), shape(&windows)), &l.windows(&windows));
    }
    cases.finish(file);

    let mut cases = Cases::new("permute", 30, 16);
    while !cases.is_full() {
        let l = random.small(4);
        let mut numbers: Vec<_> = (0..l.rank()).collect();
        for i in (1..numbers.len()).rev() {
            numbers.swap(i, random.below(i + 1));
        }
        match random.below(8) {
            0 => numbers.push(random.below(3)),
            1 => numbers[0] = random.below(4),
            _ => {}
        }
        let mut modes = IntTuple::flat(&numbers).unwrap();
        if numbers.len() == 1 && random.below(2) == 0 {
            modes = IntTuple::leaf(numbers[0]);
        } else if random.below(8) == 0 {
            modes = IntTuple::tuple(&[modes]).unwrap();
        }
        cases.add(format!("Permute<{}, {}>", layout(&l), shape(&modes)), &l.permute(&modes));
    }
    cases.finish(file);

    let mut cases = Cases::new("transposed", 16, 6);
    while !cases.is_full() {
        let l = random.small(3);
        cases.add(format!("Transposed<{}>", layout(&l)), &l.transposed());
    }
    cases.finish(file);

    let mut cases = Cases::new("broadcast_to", 40, 20);
    while !cases.is_full() {
        let l = random.small(3);
        let mut extents: Vec<_> = (0..random.below(3)).map(|_| 1 + random.below(4)).collect();
        for i in 0..l.rank() {
            let size = l.mode(i).size();
            let other = if size == 1 { random.pick(&[1, 3, 5]) } else { size };
            extents.push(if random.below(8) == 0 { 1 + random.below(4) } else { other });
        }
        if random.below(8) == 0 {
            extents.pop();
        }
        let target = match extents[..] {
            [] => continue,
            [n] if random.below(2) == 0 => IntTuple::leaf(n),
            _ if random.below(16) == 0 => {
                IntTuple::tuple(&[IntTuple::flat(&extents).unwrap()]).unwrap()
            }
            _ => IntTuple::flat(&extents).unwrap(),
        };
        let answer = l.broadcast_to(&target);
        cases.add(format!("BroadcastTo<{}, {}>", layout(&l), shape(&target)), &answer);
    }
    cases.finish(file);
}

impl Random {
    /// One to three numbers for a mode, and now and then something else.
    fn window(&mut self) -> IntTuple {
        let mut number = || match self.below(24) {
            0 => 0,
            n => 1 + n % 3,
        };
        let numbers = [number(), number(), number(), number()];
        match self.below(12) {
            0 => IntTuple::tuple(&[IntTuple::flat(&numbers[..2]).unwrap()]).unwrap(),
            1 => IntTuple::flat(&numbers).unwrap(),
            2..4 => IntTuple::leaf(numbers[0]),
            n => IntTuple::flat(&numbers[..1 + n % 3]).unwrap(),
        }
    }
}
