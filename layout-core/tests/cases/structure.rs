//! Cases of the operations on the structure of a layout: which modes there are, in which order,
//! under which parentheses.

use std::collections::BTreeSet;

use layout_core::engine::{DynLayout, IntTuple, Slicer, algebra};
use layout_core::types::Algebra;

use super::{Answer, Cases, Random, agrees, layout, tree};

pub(crate) fn generate(file: &mut String) {
    let mut random = Random(21);
    compact(&mut random, file);
    by_profile(&mut random, file);
    ranges(&mut random, file);
    numbers(&mut random, file);
    nesting(&mut random, file);
    slices(&mut random, file);
    filtered_by_profile(&mut random, file);
}

/// The text of a tree as a type.
pub(crate) fn shape(t: &IntTuple) -> String {
    format!("tree!({})", tree(t))
}

impl Random {
    /// A tree with the top of this one: the whole of it now and then, or an integer for a part.
    fn profile(&mut self, of: &IntTuple, leaf: &mut impl FnMut(&mut Self) -> usize) -> IntTuple {
        if of.is_int() || self.below(5) == 0 {
            return IntTuple::leaf(leaf(self));
        }
        let parts: Vec<IntTuple> =
            (0..of.rank()).map(|i| self.profile(&of.mode(i), leaf)).collect();
        IntTuple::tuple(&parts).unwrap()
    }

    /// Mostly a profile of `of`, sometimes of something else.
    fn profile_or_not(&mut self, of: &IntTuple) -> IntTuple {
        let mut below = |random: &mut Self| random.below(3);
        match self.below(5) {
            0 => {
                let other = self.shape(3, true);
                self.profile(&other, &mut below)
            }
            1 if of.rank() > 1 => self.profile(&of.mode(0), &mut below),
            _ => self.profile(of, &mut below),
        }
    }

    /// A shape of up to four modes.
    fn any_shape(&mut self) -> IntTuple {
        self.small(4).shape()
    }
}

fn compact(random: &mut Random, file: &mut String) {
    let mut cases = Cases::new("make", 16, 0);
    while !cases.is_full() {
        let s = random.any_shape();
        let answer = DynLayout::make(&s);
        agrees(&format!("make({s})"), &answer, |i| i);
        cases.add(format!("Make<{}>", shape(&s)), &answer);
    }
    cases.finish(file);

    let mut cases = Cases::new("row_major", 16, 0);
    while !cases.is_full() {
        let s = random.any_shape();
        cases.add(format!("RowMajor<{}>", shape(&s)), &DynLayout::row_major(&s));
    }
    cases.finish(file);

    let mut cases = Cases::new("make_ordered", 40, 16);
    while !cases.is_full() {
        let s = random.any_shape();
        let order = match random.below(3) {
            0 => random.profile_or_not(&s),
            _ => {
                let mut places: Vec<usize> = (0..s.len()).collect();
                for i in (1..places.len()).rev() {
                    places.swap(i, random.below(i + 1));
                }
                let mut next = 0..;
                random.profile(&s, &mut |_| places[next.next().unwrap()])
            }
        };
        let answer = DynLayout::make_ordered(&s, &order);
        if let Ok(l) = &answer {
            assert!(l.is_bijective(), "make_ordered({s}, {order}) = {l}");
        }
        cases.add(format!("MakeOrdered<{}, {}>", shape(&s), shape(&order)), &answer);
    }
    cases.finish(file);
}

fn by_profile(random: &mut Random, file: &mut String) {
    let mut cases = Cases::new("coalesce_by", 40, 8);
    while !cases.is_full() {
        let l = random.small(4);
        let profile = random.profile_or_not(&l.shape());
        let answer = l.coalesce_by(&profile);
        agrees(&format!("coalesce({l}, {profile})"), &answer, |i| l.offset_of_index(i));
        cases.add(format!("CoalesceBy<{}, {}>", layout(&l), shape(&profile)), &answer);
    }
    cases.finish(file);
}

/// `answer` has these modes.
fn has_modes(what: &str, answer: &Answer, modes: &[DynLayout]) {
    if let Ok(l) = answer {
        assert_eq!(*l, DynLayout::tuple(modes).unwrap(), "{what}");
    }
}

fn modes(l: &DynLayout) -> Vec<DynLayout> {
    (0..l.rank()).map(|i| l.mode(i)).collect()
}

fn ranges(random: &mut Random, file: &mut String) {
    let (mut take, mut group) = (Cases::new("take", 24, 10), Cases::new("group", 30, 8));
    while !take.is_full() || !group.is_full() {
        let l = random.small(5);
        let (b, e) = (random.below(l.rank() + 1), random.below(l.rank() + 2));
        let answer = l.take(b, e);
        if answer.is_ok() {
            has_modes(&format!("take({l}, {b}, {e})"), &answer, &modes(&l)[b..e]);
        }
        take.add(format!("Take<{}, U{b}, U{e}>", layout(&l)), &answer);
        let answer = l.group(b, e);
        agrees(&format!("group({l}, {b}, {e})"), &answer, |i| l.offset_of_index(i));
        group.add(format!("Group<{}, U{b}, U{e}>", layout(&l)), &answer);
    }
    take.finish(file);
    group.finish(file);
}

fn numbers(random: &mut Random, file: &mut String) {
    let mut cases = Cases::new("select", 30, 8);
    while !cases.is_full() {
        let l = random.small(4);
        let numbers: Vec<usize> =
            (0..1 + random.below(4)).map(|_| random.below(l.rank() + 1)).collect();
        let index = match numbers[..] {
            [one] if random.below(2) == 0 => IntTuple::leaf(one),
            _ => IntTuple::flat(&numbers).unwrap(),
        };
        let answer = l.select(&IntTuple::flat(&numbers).unwrap());
        if answer.is_ok() {
            let selected: Vec<_> = numbers.iter().map(|&i| l.mode(i)).collect();
            has_modes(&format!("select({l}, {index})"), &answer, &selected);
        }
        cases.add(format!("Select<{}, {}>", layout(&l), shape(&index)), &answer);
    }
    cases.finish(file);

    let mut cases = Cases::new("replace", 24, 6);
    while !cases.is_full() {
        let (l, with) = (random.small(4), random.small(2));
        let n = random.below(l.rank() + 1);
        let answer = l.replace(n, &with);
        if answer.is_ok() && !l.shape().is_int() {
            let mut replaced = modes(&l);
            replaced[n] = with;
            has_modes(&format!("replace({l}, {n}, {with})"), &answer, &replaced);
        }
        cases.add(format!("Replace<{}, U{n}, {}>", layout(&l), layout(&with)), &answer);
    }
    cases.finish(file);

    let (mut append, mut prepend) = (Cases::new("append", 12, 0), Cases::new("prepend", 12, 0));
    while !append.is_full() || !prepend.is_full() {
        let (l, with) = (random.small(3), random.small(2));
        let answer = l.append(&with);
        has_modes("append", &answer, &[modes(&l), vec![with]].concat());
        append.add(format!("Append<{}, {}>", layout(&l), layout(&with)), &answer);
        let answer = l.prepend(&with);
        has_modes("prepend", &answer, &[vec![with], modes(&l)].concat());
        prepend.add(format!("Prepend<{}, {}>", layout(&l), layout(&with)), &answer);
    }
    append.finish(file);
    prepend.finish(file);
}

fn nesting(random: &mut Random, file: &mut String) {
    let mut cases = Cases::new("unflatten", 40, 10);
    while !cases.is_full() {
        let l = random.small(4);
        let profile = match random.below(4) {
            0 => random.any_shape(),
            _ => random.nested(&vec![0; l.shape().len()]),
        };
        let answer = l.unflatten(&profile);
        if let Ok(nested) = &answer {
            assert!(nested.shape().congruent(&profile));
        }
        agrees(&format!("unflatten({l}, {profile})"), &answer, |i| l.offset_of_index(i));
        cases.add(format!("Unflatten<{}, {}>", layout(&l), shape(&profile)), &answer);
    }
    cases.finish(file);

    let mut cases = Cases::new("zip", 40, 12);
    while !cases.is_full() {
        let l = match random.below(2) {
            0 => random.small(4),
            _ => {
                let columns = 1 + random.below(3);
                let rows: Vec<DynLayout> =
                    (0..1 + random.below(4)).map(|_| random.row(columns)).collect();
                DynLayout::tuple(&rows).unwrap()
            }
        };
        let answer = l.zip();
        if let Ok(zipped) = &answer
            && l.shape().depth() > 1
            && zipped.rank() > 1
        {
            assert_eq!(zipped.zip(), Ok(l), "zip is its own inverse");
        }
        cases.add(format!("Zip<{}>", layout(&l)), &answer);
    }
    cases.finish(file);

    let mut cases = Cases::new("zip_with", 24, 8);
    while !cases.is_full() {
        let (a, b) = match random.below(2) {
            0 => (random.small(3), random.small(3)),
            _ => (random.row(2), random.row(2)),
        };
        let answer = a.zip_with(&b);
        cases.add(format!("ZipWith<{}, {}>", layout(&a), layout(&b)), &answer);
    }
    cases.finish(file);
}

impl Random {
    /// A layout that is soon compared at every index.
    pub(crate) fn small(&mut self, most_modes: usize) -> DynLayout {
        loop {
            let l = self.layout(most_modes);
            if l.size() <= 1 << 12 {
                return l;
            }
        }
    }

    /// A layout of mostly as many modes.
    fn row(&mut self, modes: usize) -> DynLayout {
        let modes = if self.below(8) == 0 { modes + 1 } else { modes };
        let parts: Vec<DynLayout> = (0..modes).map(|_| self.small(2)).collect();
        DynLayout::tuple(&parts).unwrap()
    }

    /// A tree with these leaves under random parentheses.
    fn nested(&mut self, leaves: &[usize]) -> IntTuple {
        if leaves.len() == 1 && self.below(3) > 0 {
            return IntTuple::leaf(leaves[0]);
        }
        let mut parts = Vec::new();
        let mut rest = leaves;
        while !rest.is_empty() {
            let most = if rest.len() == leaves.len() { rest.len().max(2) - 1 } else { rest.len() };
            let (part, others) = rest.split_at(1 + self.below(most));
            parts.push(self.nested(part));
            rest = others;
        }
        IntTuple::tuple(&parts).unwrap()
    }
}

/// The text of a coordinate as a type.
fn coordinate(c: &Slicer) -> String {
    if c.is_keep() {
        return "Keep".into();
    }
    if c.is_leaf() {
        return format!("U{}", c.values().leaves()[0]);
    }
    let parts: Vec<String> = (0..c.rank()).map(|i| coordinate(&c.mode(i))).collect();
    format!("({})", parts.join(","))
}

impl Random {
    /// A coordinate of a shape; now and then of another one, or beyond it.
    fn coordinate(&mut self, of: &IntTuple) -> Slicer {
        if !of.is_int() && self.below(6) > 0 {
            let rank = if self.below(20) == 0 { of.rank() + 1 } else { of.rank() };
            let parts: Vec<Slicer> =
                (0..rank).map(|i| self.coordinate(&of.mode(i % of.rank()))).collect();
            return Slicer::modes(&parts).unwrap();
        }
        match self.below(20) {
            0 => Slicer::index(of.product().unwrap()),
            1 => Slicer::modes(&[Slicer::keep(), Slicer::index(0)]).unwrap(),
            n if n < 10 => Slicer::keep(),
            _ => Slicer::index(self.below(of.product().unwrap())),
        }
    }
}

/// The coordinate with the digits of `k` for its `_`, each of which stands for a mode of `shape`.
fn filled(c: &Slicer, shape: &IntTuple, k: &mut usize) -> IntTuple {
    if c.is_keep() {
        let size = shape.product().unwrap();
        let digit = *k % size;
        *k /= size;
        return IntTuple::leaf(digit);
    }
    if c.is_leaf() {
        return c.values();
    }
    let parts: Vec<IntTuple> =
        (0..c.rank()).map(|i| filled(&c.mode(i), &shape.mode(i), k)).collect();
    IntTuple::tuple(&parts).unwrap()
}

fn slices(random: &mut Random, file: &mut String) {
    let (mut slice, mut dice) = (Cases::new("slice", 40, 20), Cases::new("dice", 24, 12));
    while !slice.is_full() || !dice.is_full() {
        let l = random.small(4);
        let c = random.coordinate(&l.shape());
        let answer = algebra::slice(&l, &c);
        if answer.is_ok() {
            let start = l.offset_of(&filled(&c, &l.shape(), &mut 0)).unwrap();
            agrees(&format!("slice({l}, {c})"), &answer, |mut k| {
                l.offset_of(&filled(&c, &l.shape(), &mut k)).unwrap() - start
            });
        }
        slice.add(format!("Slice<{}, tree!({})>", layout(&l), coordinate(&c)), &answer);
        dice.add(
            format!("Dice<{}, tree!({})>", layout(&l), coordinate(&c)),
            &algebra::dice(&l, &c),
        );
    }
    slice.finish(file);
    dice.finish(file);
}

/// Each part of a profile has the offsets of what it stands for, once each where they repeat.
fn filtered_by_profile(random: &mut Random, file: &mut String) {
    let mut cases = Cases::new("filter_by", 40, 8);
    while !cases.is_full() {
        let l = random.small(4);
        let profile = random.profile_or_not(&l.shape());
        let answer = l.filter_by(&profile);
        if let Ok(filtered) = &answer {
            let offsets = |l: &DynLayout| -> BTreeSet<usize> {
                (0..l.size()).map(|i| l.offset_of_index(i)).collect()
            };
            assert_eq!(offsets(filtered), offsets(&l), "filter({l}, {profile}) = {filtered}");
        }
        cases.add(format!("FilterBy<{}, {}>", layout(&l), shape(&profile)), &answer);
    }
    cases.finish(file);
}
