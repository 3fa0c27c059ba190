//! Writes `type_level_cases.rs`: what the engine computes, as equalities between types.
//!
//! Without `BLESS` it only compares, so that the checked-in file is what this program writes:
//!
//! ```text
//! BLESS=1 cargo test -p layout-core --test type_level_generated
//! ```
//!
//! Every answer of the engine that goes into the file is checked here against its law by
//! evaluating both sides at every coordinate. Layouts that only 64 bits have room for are among them.
#![cfg(target_pointer_width = "64")]

use std::collections::BTreeSet;
use std::fmt::Write;

use layout_core::engine::{DynLayout, IntTuple, Slicer, Tiler, algebra};
use layout_core::error::LayoutError;
use layout_core::types::Algebra;

#[path = "cases/arrays.rs"]
mod arrays;
#[path = "cases/structure.rs"]
mod structure;

type Answer = Result<DynLayout, LayoutError>;
type OfTwo = fn(&DynLayout, &DynLayout) -> Answer;
type ByTiler = fn(&DynLayout, &Tiler) -> Answer;

/// The largest integer that typenum has a short name for.
const LARGEST: usize = 1024;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn shape(&mut self, modes: usize, deep: bool) -> IntTuple {
        let parts: Vec<IntTuple> = (0..modes)
            .map(|_| {
                if deep && self.below(4) == 0 {
                    let inner = 1 + self.below(2);
                    self.shape(inner, true)
                } else {
                    IntTuple::leaf(self.pick(&[1, 2, 2, 3, 4, 4, 5, 6, 8]))
                }
            })
            .collect();
        if parts.len() == 1 && self.below(4) > 0 {
            return parts[0];
        }
        IntTuple::tuple(&parts).unwrap()
    }

    /// Mostly compact in a random order of the leaves; else with gaps, repeats and overlaps.
    fn layout(&mut self, most_modes: usize) -> DynLayout {
        let modes = 1 + self.below(most_modes);
        let shape = self.shape(modes, true);
        let kind = self.below(4);
        let mut order: Vec<usize> = (0..shape.len()).collect();
        if kind > 0 {
            for i in (1..order.len()).rev() {
                order.swap(i, self.below(i + 1));
            }
        }
        let mut stride = vec![0; shape.len()];
        let mut step = 1;
        for i in order {
            stride[i] = if kind == 3 && self.below(3) == 0 { self.below(13) } else { step };
            step *= shape.leaves()[i] * if kind == 2 { self.pick(&[1, 1, 2, 3]) } else { 1 };
        }
        DynLayout::new(&shape, &with_leaves(&shape, &stride)).unwrap()
    }

    /// Leaves with strides that are often 0 or the same.
    fn overlapping(&mut self) -> DynLayout {
        let modes = 1 + self.below(4);
        let shape = self.shape(modes, true);
        let stride: Vec<usize> =
            (0..shape.len()).map(|_| self.pick(&[0, 0, 1, 2, 2, 4, 8])).collect();
        DynLayout::new(&shape, &with_leaves(&shape, &stride)).unwrap()
    }

    /// Two layouts that mostly have the same leaves, a last one or a stride apart.
    fn pair(&mut self) -> (DynLayout, DynLayout) {
        let a = self.layout(4);
        let mut leaves: Vec<(usize, usize)> =
            a.extents().iter().copied().zip(a.strides().iter().copied()).collect();
        if self.below(2) == 0 {
            let leaf = self.below(leaves.len());
            let factor = self.pick(&[2, 2, 3, 4]);
            match self.below(3) {
                0 => leaves[leaf].1 *= factor,
                1 => leaves[leaf].0 *= factor,
                _ => leaves.insert(leaf, (factor, self.below(8))),
            }
        }
        let leaves: Vec<DynLayout> =
            leaves.into_iter().map(|(s, d)| DynLayout::leaf(s, d)).collect();
        let b = DynLayout::tuple(&leaves).unwrap();
        match self.below(4) {
            0 => (a, self.layout(3)),
            1 => (b, a),
            _ => (a, b),
        }
    }

    /// A layout of one or two leaves that mostly stays inside `size`.
    fn tile(&mut self, size: usize) -> DynLayout {
        let extent = self.pick(&[1, 2, 2, 3, 4, 4, 6, 8]);
        let stride = self.pick(&[0, 1, 1, 1, 2, 2, 3, 4, 6, 8]);
        let leaf = DynLayout::leaf(extent, stride);
        if self.below(3) > 0 {
            return leaf;
        }
        let more = DynLayout::leaf(self.pick(&[2, 2, 3, 4]), self.below(size) + 1);
        DynLayout::tuple(&[leaf, more]).unwrap()
    }

    /// A layout, and a shape that mostly is a multiple of its own.
    fn block_and_target(&mut self) -> (DynLayout, IntTuple) {
        let block = self.layout(3);
        let rank = match self.below(8) {
            0 => 1 + self.below(3),
            n => block.rank() + n % 2,
        };
        let modes: Vec<IntTuple> = (0..rank)
            .map(|i| {
                let size = if i < block.rank() { block.mode(i).size() } else { 1 };
                let copies = self.pick(&[1, 2, 2, 3, 4]);
                match self.below(12) {
                    0 => IntTuple::leaf(5),
                    1 => IntTuple::flat(&[size, copies]).unwrap(),
                    _ => IntTuple::leaf(size * copies),
                }
            })
            .collect();
        if modes.len() == 1 && self.below(2) == 0 {
            return (block, IntTuple::leaf(modes[0].product().unwrap()));
        }
        (block, IntTuple::tuple(&modes).unwrap())
    }

    /// A by-mode tiler for these modes.
    fn tiler(&mut self, layout: &DynLayout) -> Tiler {
        let rank = match self.below(12) {
            0 => layout.rank() + 1,
            n => 1 + n % layout.rank(),
        };
        let tilers: Vec<Tiler> = (0..rank)
            .map(|i| {
                let mode = layout.mode(i.min(layout.rank() - 1));
                match self.below(5) {
                    0 => Tiler::keep(),
                    1 if !mode.shape().is_int() => self.tiler(&mode),
                    _ => Tiler::layout(&self.tile(mode.size())),
                }
            })
            .collect();
        Tiler::modes(&tilers).unwrap()
    }
}

fn with_leaves(shape: &IntTuple, leaves: &[usize]) -> IntTuple {
    fn rebuild(shape: &IntTuple, leaves: &mut impl Iterator<Item = usize>) -> IntTuple {
        if shape.is_int() {
            return IntTuple::leaf(leaves.next().unwrap());
        }
        let parts: Vec<IntTuple> =
            (0..shape.rank()).map(|i| rebuild(&shape.mode(i), leaves)).collect();
        IntTuple::tuple(&parts).unwrap()
    }
    rebuild(shape, &mut leaves.iter().copied())
}

// ---- the engine's answers as Rust types ----

fn tree(t: &IntTuple) -> String {
    if t.is_int() {
        return format!("U{}", t.leaves()[0]);
    }
    let parts: Vec<String> = (0..t.rank()).map(|i| tree(&t.mode(i))).collect();
    format!("({})", parts.join(","))
}

fn tree_type(t: &IntTuple) -> String {
    format!("tree!({})", tree(t))
}

fn layout(l: &DynLayout) -> String {
    format!("layout!({}:{})", tree(&l.shape()), tree(&l.stride()))
}

fn tiler(t: &Tiler) -> String {
    if t.is_keep() {
        return "Keep".into();
    }
    if let Some(l) = t.as_layout() {
        return layout(&l);
    }
    let parts: Vec<String> = (0..t.rank()).map(|i| tiler(&t.mode(i))).collect();
    format!("tile!({})", parts.join(", "))
}

/// Whether all integers in this text have a name in typenum.
fn is_nameable(text: &str) -> bool {
    text.split('U').skip(1).all(|rest| {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        // `Unflatten` is no integer.
        digits.is_empty() || digits.parse::<usize>().is_ok_and(|n| n <= LARGEST)
    })
}

/// The cases of one operation: enough that have a result, and some that have none.
struct Cases {
    name: &'static str,
    text: String,
    results: usize,
    refusals: usize,
    limits: (usize, usize),
    seen: std::collections::HashSet<String>,
}

impl Cases {
    fn new(name: &'static str, results: usize, refusals: usize) -> Self {
        let seen = std::collections::HashSet::new();
        Self {
            name,
            text: String::new(),
            results: 0,
            refusals: 0,
            limits: (results, refusals),
            seen,
        }
    }

    fn is_full(&self) -> bool {
        self.results >= self.limits.0 && self.refusals >= self.limits.1
    }

    fn add(&mut self, expression: String, answer: &Answer) {
        if !is_nameable(&expression) || !self.seen.insert(expression.clone()) {
            return;
        }
        match answer {
            Ok(l) if self.results < self.limits.0 && is_nameable(&layout(l)) => {
                self.results += 1;
                writeln!(self.text, "    assert_type_eq!({expression}, {});", layout(l)).unwrap();
            }
            Err(error) if self.refusals < self.limits.1 => {
                self.refusals += 1;
                writeln!(self.text, "    refused::<{expression}>(\"{error}\");").unwrap();
            }
            _ => {}
        }
    }

    fn finish(self, file: &mut String) {
        let Self { name, text, .. } = self;
        write!(file, "\n#[test]\nfn {name}() {{\n{text}}}\n").unwrap();
    }
}

/// All offsets, each once.
fn offsets(l: &DynLayout) -> BTreeSet<usize> {
    (0..l.size()).map(|i| l.offset_of_index(i)).collect()
}

/// `answer(i) = value(i)` at every index.
fn agrees(what: &str, answer: &Answer, value: impl Fn(usize) -> usize) {
    if let Ok(l) = answer {
        for i in 0..l.size() {
            assert_eq!(l.offset_of_index(i), value(i), "{what} gave {l}, wrong at {i}");
        }
    }
}

fn generate() -> String {
    let mut random = Random(20);
    let mut file = String::from(HEADER);

    let mut cases = Cases::new("composition", 60, 20);
    while !cases.is_full() {
        let (a, b) = (random.layout(4), random.layout(3));
        let answer = a.composition(&b);
        agrees(&format!("{a} o {b}"), &answer, |i| a.offset_of_index(b.offset_of_index(i)));
        cases.add(format!("Composition<{}, {}>", layout(&a), layout(&b)), &answer);
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("composition_by_mode", 24, 6);
    while !cases.is_full() {
        let a = random.layout(3);
        let t = random.tiler(&a);
        cases.add(format!("Composition<{}, {}>", layout(&a), tiler(&t)), &a.composition_by(&t));
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("complement", 30, 8);
    while !cases.is_full() {
        let (l, n) = (random.layout(3), random.pick(&[1, 5, 24, 48, 96, 128, 360, 1000]));
        let answer = l.complement(&n);
        if let Ok(rest) = &answer
            && l.is_injective().unwrap()
        {
            let both = DynLayout::tuple(&[l, *rest]).unwrap();
            assert!(both.is_injective().unwrap(), "complement({l}, {n}) = {rest} overlaps it");
        }
        cases.add(format!("Complement<{}, U{n}>", layout(&l)), &answer);
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("complement_in_a_shape", 24, 6);
    while !cases.is_full() {
        let modes = 1 + random.below(3);
        let (l, shape) = (random.layout(3), random.shape(modes, true));
        cases.add(
            format!("Complement<{}, {}>", layout(&l), tree_type(&shape)),
            &l.complement_shape(&shape),
        );
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("complement_in_cosize", 12, 4);
    while !cases.is_full() {
        let l = random.layout(3);
        cases.add(format!("ComplementInCosize<{}>", layout(&l)), &l.complement_in_cosize());
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("coalesce", 30, 0);
    while !cases.is_full() {
        let l = random.layout(5);
        let answer = Ok(l.coalesce());
        agrees(&format!("coalesce({l})"), &answer, |i| l.offset_of_index(i));
        cases.add(format!("Coalesce<{}>", layout(&l)), &answer);
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("flatten", 16, 0);
    while !cases.is_full() {
        let l = random.layout(4);
        let answer = Ok(l.flatten());
        agrees(&format!("flatten({l})"), &answer, |i| l.offset_of_index(i));
        cases.add(format!("Flatten<{}>", layout(&l)), &answer);
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("logical_divide", 40, 12);
    while !cases.is_full() {
        let a = random.layout(3);
        let b = random.tile(a.size());
        let answer = a.logical_divide(&b);
        if let Ok(rest) = b.complement(&a.size()) {
            let pair = DynLayout::tuple(&[b, rest]).unwrap();
            agrees(&format!("{a} / {b}"), &answer, |i| a.offset_of_index(pair.offset_of_index(i)));
        }
        cases.add(format!("LogicalDivide<{}, {}>", layout(&a), layout(&b)), &answer);
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("logical_divide_by_mode", 24, 6);
    while !cases.is_full() {
        let a = random.layout(3);
        let t = random.tiler(&a);
        let answer = a.logical_divide_by(&t);
        cases.add(format!("LogicalDivide<{}, {}>", layout(&a), tiler(&t)), &answer);
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("zipped_divide", 30, 12);
    while !cases.is_full() {
        let a = random.layout(3);
        let t = match random.below(4) {
            0 => Tiler::layout(&random.tile(a.size())),
            _ => random.tiler(&a),
        };
        let answer = a.zipped_divide_by(&t);
        cases.add(format!("ZippedDivide<{}, {}>", layout(&a), tiler(&t)), &answer);
    }
    cases.finish(&mut file);

    for (name, alias, divide) in [
        ("tiled_divide", "TiledDivide", DynLayout::tiled_divide_by as ByTiler),
        ("flat_divide", "FlatDivide", DynLayout::flat_divide_by),
        ("zipped_product", "ZippedProduct", DynLayout::zipped_product_by),
        ("tiled_product", "TiledProduct", DynLayout::tiled_product_by),
        ("flat_product", "FlatProduct", DynLayout::flat_product_by),
    ] {
        let mut cases = Cases::new(name, 20, 8);
        while !cases.is_full() {
            let a = random.layout(3);
            let t = match random.below(4) {
                0 => Tiler::layout(&random.tile(a.size())),
                1 => Tiler::keep(),
                _ => random.tiler(&a),
            };
            cases.add(format!("{alias}<{}, {}>", layout(&a), tiler(&t)), &divide(&a, &t));
        }
        cases.finish(&mut file);
    }

    let mut cases = Cases::new("local_tile", 16, 6);
    while !cases.is_full() {
        let a = random.layout(3);
        let t = random.tiler(&a);
        let tile = algebra::local_tile(&a, &t, &Slicer::index(0)).map(|(tile, _)| tile);
        cases.add(format!("LocalTile<{}, {}>", layout(&a), tiler(&t)), &tile);
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("local_partition", 16, 4);
    while !cases.is_full() {
        let (a, threads) = (random.layout(3), random.layout(2));
        let own = algebra::local_partition(&a, &threads, 0).map(|(own, _)| own);
        cases.add(format!("LocalPartition<{}, {}>", layout(&a), layout(&threads)), &own);
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("logical_product", 36, 10);
    while !cases.is_full() {
        let a = random.layout(2);
        let b = random.layout(2);
        let answer = a.logical_product(&b);
        if let Ok(product) = &answer {
            assert_eq!(product.mode(0), a);
            let rest = a.complement(&(a.size() * b.cosize())).unwrap();
            agrees(&format!("{a} x {b}"), &Ok(product.mode(1)), |i| {
                rest.offset_of_index(b.offset_of_index(i))
            });
        }
        cases.add(format!("LogicalProduct<{}, {}>", layout(&a), layout(&b)), &answer);
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("logical_product_by_mode", 16, 4);
    while !cases.is_full() {
        let a = random.layout(3);
        let t = random.tiler(&a);
        let answer = a.logical_product_by(&t);
        cases.add(format!("LogicalProduct<{}, {}>", layout(&a), tiler(&t)), &answer);
    }
    cases.finish(&mut file);

    for (name, alias, product) in [
        ("blocked_product", "BlockedProduct", DynLayout::blocked_product as OfTwo),
        ("raked_product", "RakedProduct", DynLayout::raked_product),
    ] {
        let mut cases = Cases::new(name, 24, 8);
        while !cases.is_full() {
            let (a, b) = (random.layout(3), random.layout(3));
            cases.add(format!("{alias}<{}, {}>", layout(&a), layout(&b)), &product(&a, &b));
        }
        cases.finish(&mut file);
    }

    let mut cases = Cases::new("tile_to_shape", 24, 10);
    while !cases.is_full() {
        let (a, target) = random.block_and_target();
        let answer = a.tile_to_shape(&target);
        if let Ok(tiled) = &answer {
            assert!(target.compatible(&tiled.shape()), "tile_to_shape({a}, {target}) = {tiled}");
        }
        cases.add(format!("TileToShape<{}, {}>", layout(&a), tree_type(&target)), &answer);
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("tile_to_shape_ordered", 16, 6);
    while !cases.is_full() {
        let (a, target) = random.block_and_target();
        let places: Vec<usize> = (0..target.rank()).map(|_| random.below(3)).collect();
        let order =
            if target.is_int() { IntTuple::leaf(0) } else { IntTuple::flat(&places).unwrap() };
        let operands = [layout(&a), tree_type(&target), tree_type(&order)];
        cases.add(
            format!("TileToShapeOrdered<{}>", operands.join(", ")),
            &a.tile_to_shape_ordered(&target, &order),
        );
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("right_inverse", 32, 0);
    while !cases.is_full() {
        let l = random.layout(4);
        let inverse = l.right_inverse();
        for i in 0..inverse.size() {
            let there_and_back = l.offset_of_index(inverse.offset_of_index(i));
            assert_eq!(there_and_back, i, "right_inverse({l}) = {inverse}");
        }
        cases.add(format!("RightInverse<{}>", layout(&l)), &Ok(inverse));
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("filter", 32, 0);
    while !cases.is_full() {
        let l = random.overlapping();
        let (zeros, filtered) = (l.filter_zeros(), l.filter());
        assert_eq!(offsets(&zeros), offsets(&l), "filter_zeros({l})");
        assert_eq!(offsets(&filtered), offsets(&l), "filter({l})");
        cases.add(format!("FilterZeros<{}>", layout(&l)), &Ok(zeros));
        cases.add(format!("Filter<{}>", layout(&l)), &Ok(filtered));
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("nullspace", 20, 0);
    while !cases.is_full() {
        let l = random.overlapping();
        let still = l.nullspace();
        for i in 0..still.size() {
            assert_eq!(l.offset_of_index(still.offset_of_index(i)), 0, "nullspace({l}) = {still}");
        }
        assert_eq!(still.size() * l.filter_zeros().size(), l.size(), "nullspace({l})");
        cases.add(format!("Nullspace<{}>", layout(&l)), &Ok(still));
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("left_inverse", 60, 20);
    // The last mode may go on beyond its extent, unless a leaf of extent 1 says otherwise.
    for text in ["(6,2):(1,4)", "(6,2,1):(1,4,7)", "(6,2,1):(1,4,8)", "(2,6):(4,1)", "(2,2):(3,3)"]
    {
        let l = DynLayout::parse(text).unwrap();
        cases.add(format!("LeftInverse<{}>", layout(&l)), &l.left_inverse());
    }
    while !cases.is_full() {
        let l = if random.below(4) == 0 { random.overlapping() } else { random.layout(4) };
        let answer = l.left_inverse();
        if let Ok(inverse) = &answer {
            for offset in offsets(&l) {
                let again = l.offset_of_index(inverse.offset_of_index(offset));
                assert_eq!(again, offset, "left_inverse({l}) = {inverse}");
            }
        }
        cases.add(format!("LeftInverse<{}>", layout(&l)), &answer);
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("max_common", 60, 0);
    // Two modes of B step through one mode of A, which has room for the first only.
    let mut pairs = vec![(
        DynLayout::parse("(3,3):(1,0)").unwrap(),
        DynLayout::parse("(2,4,2):(1,5,2)").unwrap(),
    )];
    while !cases.is_full() {
        let (a, b) = pairs.pop().unwrap_or_else(|| random.pair());
        let answer = a.max_common_layout(&b);
        if let Ok(common) = &answer {
            for i in 0..common.size() {
                let at = common.offset_of_index(i);
                assert_eq!((a.offset_of_index(at), b.offset_of_index(at)), (i, i), "{a}, {b}");
            }
        }
        let vector = algebra::max_common_vector(&a, &b);
        for i in 0..vector {
            let at = b.right_inverse().offset_of_index(i);
            assert_eq!((a.offset_of_index(at), b.offset_of_index(at)), (i, i));
        }
        let vector = DynLayout::leaf(vector, 0);
        let (a, b) = (layout(&a), layout(&b));
        cases.add(format!("MaxCommonLayout<{a}, {b}>"), &answer);
        cases.add(format!("Layout<MaxCommonVector<{a}, {b}>, U0>"), &Ok(vector));
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("upcast", 40, 12);
    for (text, factor) in
        [("(3,2):(2,3)", 6), ("(2,2):(2,3)", 6), ("(4,3):(1,2)", 4), ("(2,2):(1,2)", 4)]
    {
        let l = DynLayout::parse(text).unwrap();
        cases.add(format!("Upcast<{}, U{factor}>", layout(&l)), &l.upcast(factor));
    }
    while !cases.is_full() {
        let (l, factor) = (random.layout(3), random.below(7));
        let answer = l.upcast(factor);
        if let Ok(cast) = &answer {
            let expected = offsets(&l).iter().map(|offset| offset / factor).collect();
            assert_eq!(offsets(cast), expected, "upcast({l}, {factor}) = {cast}");
        }
        cases.add(format!("Upcast<{}, U{factor}>", layout(&l)), &answer);
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("downcast", 30, 12);
    while !cases.is_full() {
        let (l, factor) = (random.layout(3), random.below(5));
        let answer = l.downcast(factor);
        if let Ok(cast) = &answer {
            let expected = offsets(&l)
                .iter()
                .flat_map(|offset| offset * factor..(offset + 1) * factor)
                .collect();
            assert_eq!(offsets(cast), expected, "downcast({l}, {factor}) = {cast}");
        }
        cases.add(format!("Downcast<{}, U{factor}>", layout(&l)), &answer);
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("recast", 40, 16);
    while !cases.is_full() {
        let l = random.layout(3);
        let mut bits = || random.pick(&[0, 4, 6, 8, 8, 12, 16, 32, 32, 64]);
        let (old, new) = (bits(), bits());
        let answer = l.recast(old, new);
        cases.add(format!("Recast<{}, U{old}, U{new}>", layout(&l)), &answer);
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("domain_distribute", 30, 1);
    while !cases.is_full() {
        let modes = 1 + random.below(4);
        let shape = random.shape(modes, true);
        let n = random.pick(&[0, 1, 2, 3, 4, 6, 8, 12, 24, 30, 60, 64, 96, 120]);
        let answer = DynLayout::domain_distribute(&shape, n);
        if let Ok(part) = &answer {
            assert!(n.is_multiple_of(part.size()), "domain_distribute({shape}, {n}) = {part}");
            let whole = DynLayout::make(&shape).unwrap();
            agrees(&format!("{whole} o {part}"), &whole.composition(part), |i| {
                part.offset_of_index(i)
            });
        }
        let shape = tree(&shape);
        cases.add(format!("DomainDistribute<tree!({shape}), U{n}>"), &answer);
    }
    cases.finish(&mut file);

    let mut cases = Cases::new("shape_div", 40, 16);
    while !cases.is_full() {
        let modes = 1 + random.below(3);
        let shape = random.shape(modes, true);
        let divisor = match random.below(3) {
            0 => {
                let modes = 1 + random.below(3);
                random.shape(modes, true)
            }
            1 => IntTuple::leaf(random.pick(&[1, 2, 2, 3, 4, 6, 8, 12, 16, 24, 48])),
            _ => {
                let parts: Vec<usize> =
                    shape.leaves().iter().map(|&s| random.pick(&[1, 1, 2, s, s, 2 * s])).collect();
                with_leaves(&shape, &parts)
            }
        };
        // A layout with the quotient as its shape and as its stride.
        let answer =
            shape.shape_div(&divisor).and_then(|quotient| DynLayout::new(&quotient, &quotient));
        let quotient = format!("ShapeDiv<tree!({}), tree!({})>", tree(&shape), tree(&divisor));
        cases.add(format!("Layout<{quotient}, {quotient}>"), &answer);
    }
    cases.finish(&mut file);

    structure::generate(&mut file);
    arrays::generate(&mut file);
    file
}

const HEADER: &str = r##"//! The operations on types, against what the engine computes. Generated; do not edit.
//!
//! ```text
//! BLESS=1 cargo test -p layout-core --test type_level_generated
//! ```
#![cfg_attr(rustfmt, rustfmt_skip)]

use layout_core::types::{
    Append, BlockedProduct, BroadcastTo, Coalesce, CoalesceBy, Complement, ComplementInCosize, Composition, Cons, Dice, DomainDistribute, Downcast, Filter, FilterBy, FilterZeros, FlatDivide, FlatProduct, Flatten, Group, Keep, Layout, LeftInverse, LocalPartition, LocalTile, LogicalDivide, LogicalProduct, Make, MakeOrdered, MaxCommonLayout, MaxCommonVector, Nil, Nullspace, Permute, Prepend, RakedProduct, Recast, Replace, RightInverse, RowMajor, Select, ShapeDiv, Slice, StaticLayout, Take, Tile, TileToShape, TileToShapeOrdered, TiledDivide, TiledProduct, Transposed, Unflatten, Upcast, Windows, Zip, ZipWith, ZippedDivide, ZippedProduct,
};
use typenum::{assert_type_eq, consts::*};

macro_rules! tree {
    (($($part:tt),+)) => { list!($($part),+) };
    ($leaf:ident) => { $leaf };
}
macro_rules! list {
    () => { Nil };
    ($head:tt $(, $tail:tt)*) => { Cons<tree!($head), list!($($tail),*)> };
}
macro_rules! layout {
    ($shape:tt : $stride:tt) => { Layout<tree!($shape), tree!($stride)> };
}
macro_rules! tile {
    ($($tiler:ty),+) => { Tile<tilers!($($tiler),+)> };
}
macro_rules! tilers {
    () => { Nil };
    ($head:ty $(, $tail:ty)*) => { Cons<$head, tilers!($($tail),*)> };
}

fn refused<L: StaticLayout>(why: &str) {
    match L::CHECKED {
        Ok(layout) => panic!("expected no layout but got {layout}: {why}"),
        Err(error) => assert_eq!(error.to_string(), why),
    }
}
"##;

#[test]
fn cases_match_the_engine() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/type_level_cases.rs");
    let generated = generate();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &generated).unwrap();
    }
    let recorded = std::fs::read_to_string(path).unwrap_or_default();
    for (number, (want, have)) in generated.lines().zip(recorded.lines()).enumerate() {
        assert_eq!(have, want, "type_level_cases.rs:{}; run with BLESS=1", number + 1);
    }
    assert_eq!(recorded.len(), generated.len(), "type_level_cases.rs; run with BLESS=1");
}
