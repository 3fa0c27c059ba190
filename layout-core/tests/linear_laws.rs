//! Linear layouts against naive evaluation: random matrices, all small ones, and the algebra of
//! layouts.

use std::collections::BTreeSet;

use layout_core::engine::{
    ComposedLayout, CoordinateLayout, DynLayout, IntTuple, LinearDimension, LinearLayout, Swizzle,
};
use layout_core::text::{Value, eval};
use layout_view::notation::parse;

mod common;
use common::table;

/// Numbers that look random, the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % limit
    }

    /// Dimensions of these names, with `least..=most` bits each.
    fn dimensions(&mut self, names: &[&str], most: usize) -> Vec<LinearDimension> {
        let count = 1 + self.below(names.len());
        names[..count]
            .iter()
            .map(|name| LinearDimension::new(name, self.below(most + 1) as u32))
            .collect()
    }

    fn matrix(&mut self, inputs: &[LinearDimension], outputs: &[LinearDimension]) -> LinearLayout {
        let bits = |list: &[LinearDimension]| list.iter().map(LinearDimension::bits).sum::<u32>();
        // Half of the matrices have few bits set: those are layouts often.
        let sparse = self.below(2) == 0;
        let bases: Vec<_> = (0..bits(inputs))
            .map(|_| match (sparse, bits(outputs)) {
                (_, 0) => 0,
                (true, n) => 1 << self.below(n as usize),
                (false, n) => self.below(1 << n),
            })
            .collect();
        LinearLayout::new(inputs, outputs, &bases).unwrap()
    }

    fn linear(&mut self) -> LinearLayout {
        let inputs = self.dimensions(&["register", "lane", "warp"], 3);
        let outputs = self.dimensions(&["dim0", "dim1"], 4);
        self.matrix(&inputs, &outputs)
    }

    /// A layout of power-of-two extents: of compact strides mostly, and of any.
    fn powers(&mut self) -> DynLayout {
        let modes = 1 + self.below(4);
        let bits: Vec<_> = (0..modes).map(|_| self.below(4)).collect();
        let mut order: Vec<_> = (0..modes).collect();
        for i in (1..modes).rev() {
            order.swap(i, self.below(i + 1));
        }
        let (mut leaves, mut step) = (vec![(1, 0); modes], 1);
        for k in order {
            let any = self.below(4) == 0;
            leaves[k] = (1 << bits[k], if any { self.below(9) } else { step });
            step <<= bits[k];
        }
        common::flat(&leaves)
    }

    fn swizzle(&mut self) -> Swizzle {
        let (bits, base) = (self.below(3), self.below(3));
        let shift = (bits + self.below(3)) as i32;
        let shift = if self.below(2) == 0 { shift } else { -shift };
        Swizzle::new(bits as u32, base as u32, shift).unwrap()
    }
}

/// The definition: the XOR of the bases of the bits of an index.
fn naive(l: &LinearLayout, index: usize) -> usize {
    let bases = l.bases().iter().enumerate();
    bases.filter(|(bit, _)| index >> bit & 1 == 1).fold(0, |value, (_, basis)| value ^ basis)
}

fn naive_table(l: &LinearLayout) -> Vec<usize> {
    (0..1 << l.bases().len()).map(|i| naive(l, i)).collect()
}

/// A 1-D coordinate taken apart, the first dimension fastest.
fn coordinate(mut index: usize, dimensions: &[LinearDimension]) -> Vec<usize> {
    let digits = dimensions.iter().map(|dimension| {
        let digit = index % (1 << dimension.bits());
        index >>= dimension.bits();
        digit
    });
    digits.collect()
}

fn index(coordinate: &[usize], dimensions: &[LinearDimension]) -> usize {
    let digits = coordinate.iter().zip(dimensions).rev();
    digits.fold(0, |index, (digit, dimension)| (index << dimension.bits()) + digit)
}

fn is_linear(table: &[usize]) -> bool {
    (0..table.len()).all(|i| (0..table.len()).all(|j| table[i ^ j] == table[i] ^ table[j]))
}

#[test]
fn values_are_sums_of_bases() {
    let mut random = Random(1);
    for _ in 0..300 {
        let l = random.linear();
        let table = naive_table(&l);
        assert!(l.table().eq(table.iter().copied()), "{l}");
        assert!(is_linear(&table), "{l}");
        for (i, &value) in table.iter().enumerate() {
            let at = IntTuple::flat(&coordinate(i, l.inputs())).unwrap();
            let value = coordinate(value, l.outputs());
            assert_eq!(l.value_at(&at).unwrap().leaves(), value, "{l} at {at}");
        }
    }
}

/// Exactly the layouts that are linear have a matrix, and it is theirs.
#[test]
fn layouts_with_a_matrix_are_the_linear_ones() {
    let mut random = Random(2);
    let (mut linear, mut others) = (0, 0);
    for _ in 0..3000 {
        let layout = random.powers();
        let values = table(&layout);
        match LinearLayout::of(&layout) {
            Ok(l) => {
                assert!(naive_table(&l).eq(&values), "{layout}: {l}");
                assert_eq!(l.cosize(), layout.cosize(), "{layout}");
                linear += 1;
            }
            Err(error) => {
                assert!(!is_linear(&values), "{layout}: {error}");
                others += 1;
            }
        }
        let swizzled = random.swizzle().composition(&layout);
        match LinearLayout::of_composed(&swizzled) {
            Ok(l) => assert!(swizzled.table().eq(naive_table(&l)), "{swizzled}: {l}"),
            Err(_) => assert!(!is_linear(&values), "{layout}"),
        }
    }
    assert!(linear > 500 && others > 500, "{linear} {others}");
}

#[test]
fn composition_is_one_function_after_another() {
    let mut random = Random(3);
    for _ in 0..500 {
        let (inputs, between) =
            (random.dimensions(&["a", "b", "c"], 2), random.dimensions(&["x", "y"], 3));
        let outputs = random.dimensions(&["dim0", "dim1"], 4);
        let inner = random.matrix(&inputs, &between);
        // An index of the outer layout may be larger than the values of the inner one.
        let larger: Vec<_> = between
            .iter()
            .map(|d| LinearDimension::new(d.name(), d.bits() + random.below(2) as u32))
            .collect();
        let outer = random.matrix(&larger, &outputs);
        let both = outer.composition(&inner).unwrap();
        for i in 0..inner.size() {
            let value = coordinate(naive(&inner, i), &between);
            assert_eq!(both.value_of_index(i), naive(&outer, index(&value, &larger)));
        }
        assert_eq!((both.inputs(), both.outputs()), (&inputs[..], &outputs[..]));
        // As 1-D coordinates where one side has a single dimension.
        let bits = between.iter().map(LinearDimension::bits).sum();
        let flat = random.matrix(&[LinearDimension::new("flat", bits)], &outputs);
        let both = flat.composition(&inner).unwrap();
        assert!((0..inner.size()).all(|i| naive(&both, i) == naive(&flat, naive(&inner, i))));
    }
    let (a, b) = ("linear((4,4)) o linear((1,8):(1@0,1@1))", "linear(4) o linear(8)");
    for text in [a, b] {
        assert_eq!(eval(text).unwrap_err().problems()[0].error.code(), "L0375", "{text}");
    }
}

#[test]
fn products_have_the_second_factor_above_the_first() {
    let mut random = Random(4);
    for _ in 0..300 {
        let names = ["register", "lane"];
        let (inputs, outputs) = (random.dimensions(&names, 2), random.dimensions(&["d", "e"], 2));
        let a = random.matrix(&inputs, &outputs);
        let names = if random.below(2) == 0 { ["lane", "warp"] } else { ["register", "lane"] };
        let (inputs, outputs) = (random.dimensions(&names, 2), random.dimensions(&["e", "d"], 2));
        let b = random.matrix(&inputs, &outputs);
        let product = a.product(&b).unwrap();
        let part = |list: &[LinearDimension], at: &[usize], name: &str| {
            list.iter().position(|d| d.name() == name).map_or((0, 0), |i| (at[i], list[i].bits()))
        };
        for i in 0..a.size() {
            for j in 0..b.size() {
                let (at_a, at_b) = (coordinate(i, a.inputs()), coordinate(j, b.inputs()));
                let (of_a, of_b) =
                    (coordinate(naive(&a, i), a.outputs()), coordinate(naive(&b, j), b.outputs()));
                let join = |dimensions: &[LinearDimension], a: (&[_], &[_]), b: (&[_], &[_])| {
                    let digits: Vec<_> = dimensions
                        .iter()
                        .map(|d| {
                            let (low, bits) = part(a.0, a.1, d.name());
                            low + (part(b.0, b.1, d.name()).0 << bits)
                        })
                        .collect();
                    index(&digits, dimensions)
                };
                let at = join(product.inputs(), (a.inputs(), &at_a), (b.inputs(), &at_b));
                let value = join(product.outputs(), (a.outputs(), &of_a), (b.outputs(), &of_b));
                assert_eq!(naive(&product, at), value, "{a} * {b}");
            }
        }
    }
}

#[test]
fn inverses_and_ranks() {
    let mut random = Random(5);
    let mut inverses = 0;
    for _ in 0..1000 {
        let l = random.linear();
        let table = naive_table(&l);
        let values: BTreeSet<_> = table.iter().copied().collect();
        assert_eq!(values.len(), 1 << l.image_bits(), "{l}");
        assert!(l.image().table().eq(values.iter().copied()), "{l}");
        let zeros: BTreeSet<_> = (0..table.len()).filter(|&i| table[i] == 0).collect();
        let kernel = l.nullspace();
        assert_eq!(kernel.table().collect::<BTreeSet<_>>(), zeros, "{l}");
        assert_eq!(kernel.size(), zeros.len(), "{l}");
        assert_eq!(l.is_injective(), values.len() == table.len());
        assert_eq!(l.is_surjective(), values.len() == 1 << l.output_bits());

        let left = l.left_inverse();
        for &value in &table {
            assert_eq!(naive(&l, naive(&left, value)), value, "{l}");
            assert_eq!(l.preimage(value).map(|i| naive(&l, i)), Some(value));
        }
        let missing = (0..1 << l.output_bits()).find(|value| !values.contains(value));
        assert!(missing.is_none_or(|value| l.preimage(value).is_none()), "{l}");

        let right = l.right_inverse();
        assert!((0..right.size()).all(|i| naive(&l, naive(&right, i)) == i), "{l}");
        let longest = (0..).take_while(|&k| (0..1 << k).all(|i| values.contains(&i))).last();
        assert_eq!(right.size(), 1 << longest.unwrap(), "{l}");

        let is_permutation = l.input_bits() == l.output_bits() && values.len() == table.len();
        match l.inverse() {
            Ok(inverse) => {
                assert!(is_permutation, "{l}");
                assert!((0..table.len()).all(|i| naive(&inverse, table[i]) == i), "{l}");
                assert_eq!(inverse.inverse(), Ok(l));
                inverses += 1;
            }
            Err(error) => assert!(!is_permutation, "{l}: {error}"),
        }

        let sizes = (0..l.outputs().len()).map(|d| {
            1 + table.iter().map(|&value| coordinate(value, l.outputs())[d]).max().unwrap()
        });
        assert_eq!(l.cosize(), sizes.product::<usize>(), "{l}");
        assert_eq!(l.is_contiguous(), values.len() == l.cosize(), "{l}");
    }
    assert!(inverses > 30, "{inverses}");
}

/// The swizzles that touch the first bits only.
fn swizzles(width: u32) -> Vec<Swizzle> {
    let mut all = vec![Swizzle::new(0, 0, 0).unwrap()];
    for bits in 1..=width {
        for base in 0..width {
            for shift in bits..=width {
                if bits + base + shift <= width {
                    let shift = shift as i32;
                    all.push(Swizzle::new(bits, base, shift).unwrap());
                    all.push(Swizzle::new(bits, base, -shift).unwrap());
                }
            }
        }
    }
    all
}

/// All matrices of 3 by 3 bits, and random ones of 4 by 5: a swizzled layout is found exactly where
/// one of all swizzles leaves bases without a bit in common.
#[test]
fn swizzled_layouts_are_found_where_there_are_any() {
    let mut random = Random(6);
    let input = |bits| [LinearDimension::new("register", bits)];
    let output = |bits| [LinearDimension::new("dim0", bits)];
    let small = (0..512).map(|m: usize| {
        LinearLayout::new(&input(3), &output(3), &[m & 7, m >> 3 & 7, m >> 6]).unwrap()
    });
    let random = (0..2000).map(|_| {
        let bases: Vec<_> = (0..4).map(|_| random.below(32) & random.below(32)).collect();
        LinearLayout::new(&input(4), &output(5), &bases).unwrap()
    });
    let (mut found, mut none) = (0, 0);
    for l in small.chain(random) {
        let exists = swizzles(l.output_bits()).iter().any(|swizzle| {
            let bases: Vec<_> = l.bases().iter().map(|&basis| swizzle.apply(basis)).collect();
            let sum: u32 = bases.iter().map(|basis| basis.count_ones()).sum();
            bases.iter().fold(0, |all, basis| all | basis).count_ones() == sum
        });
        match l.to_composed() {
            Ok(composed) => {
                assert!(composed.table().eq(naive_table(&l)), "{l}: {composed}");
                assert!(exists, "{l}");
                assert_eq!(
                    LinearLayout::of_composed(&composed).map(|l| l.cosize()),
                    Ok(l.cosize())
                );
                found += 1;
            }
            Err(error) => {
                assert!(!exists, "{l}: {error}");
                none += 1;
            }
        }
    }
    assert!(found > 300 && none > 300, "{found} {none}");
}

#[test]
fn swizzled_layouts_come_back() {
    let mut random = Random(7);
    for _ in 0..1000 {
        let swizzled = random.swizzle().composition(&random.powers());
        let Ok(l) = LinearLayout::of_composed(&swizzled) else { continue };
        let back = l.to_composed().unwrap_or_else(|error| panic!("{swizzled}: {error}"));
        assert!(back.table().eq(swizzled.table()), "{swizzled}: {back}");
    }
}

#[test]
fn coordinates_and_back() {
    let mut random = Random(8);
    let (mut found, mut none) = (0, 0);
    for _ in 0..1000 {
        let l = random.linear();
        let shared = (0..l.output_bits())
            .any(|bit| l.bases().iter().filter(|&basis| basis >> bit & 1 == 1).count() > 1);
        match l.to_coordinates() {
            Ok(layout) => {
                assert!(!shared, "{l}");
                for (i, value) in layout.table().enumerate() {
                    // A value has no more numbers than some stride steps in.
                    let mut numbers = coordinate(naive(&l, i), l.outputs());
                    let stepped = value.values().len();
                    assert!(numbers.drain(stepped..).all(|n| n == 0), "{l}: {layout}");
                    let value: Vec<_> = value.values().iter().map(|&n| n as usize).collect();
                    assert_eq!(value, numbers, "{l}: {layout} at {i}");
                }
                let again = LinearLayout::of_coordinates(&layout).unwrap();
                for i in 0..l.size() {
                    let numbers = coordinate(naive(&l, i), l.outputs());
                    let again = coordinate(naive(&again, i), again.outputs());
                    assert_eq!(again, numbers[..again.len()], "{l}: {layout} at {i}");
                }
                found += 1;
            }
            Err(error) => {
                assert!(shared, "{l}: {error}");
                none += 1;
            }
        }
    }
    assert!(found > 200 && none > 200, "{found} {none}");
    let identity = CoordinateLayout::identity(&IntTuple::parse("(4,(2,8))").unwrap()).unwrap();
    let l = LinearLayout::of_coordinates(&identity).unwrap();
    assert_eq!(l.inverse().unwrap().value_of_index(37), 37);
}

/// The algebra of layouts and that of matrices are one.
#[test]
fn operations_of_layouts_are_those_of_matrices() {
    let mut random = Random(9);
    let mut compared = [0; 4];
    for _ in 0..1500 {
        let (a, b) = (random.powers(), random.powers());
        let (Ok(la), Ok(lb)) = (LinearLayout::of(&a), LinearLayout::of(&b)) else { continue };
        let of = |text: String| eval(&text).ok().and_then(|value| value.composed().ok());
        let same = |value: Option<ComposedLayout>, l: &LinearLayout| {
            value.is_some_and(|value| value.table().eq(naive_table(l)))
        };
        // As one mode each: a composition goes by 1-D coordinates.
        if let Some(both) = of(format!("composition({a}, {b})")) {
            let flat = |l: &LinearLayout| {
                let inputs = [LinearDimension::new("i", l.input_bits())];
                LinearLayout::new(&inputs, l.outputs(), l.bases()).unwrap()
            };
            if let Ok(l) = flat(&la).composition(&flat(&lb)) {
                assert!(same(Some(both), &l), "{a} o {b}");
                compared[0] += 1;
            }
        }
        let right = of(format!("right_inverse({a})")).unwrap();
        if right.size() == la.right_inverse().size() {
            assert!((0..right.size()).all(|i| naive(&la, right.offset_of_index(i)) == i));
            compared[1] += 1;
        }
        if let (true, Some(left)) = (la.is_injective(), of(format!("left_inverse({a})"))) {
            let inverse = la.left_inverse();
            for value in a.table() {
                assert_eq!(left.offset_of_index(value), naive(&inverse, value), "{a}");
            }
            compared[2] += 1;
        }
        // The product of a compact layout is the logical product.
        if a.is_bijective() {
            let product = of(format!("logical_product({a}, {b})")).unwrap();
            let rows = [LinearDimension::new("tile", la.input_bits())];
            let copies = [LinearDimension::new("copies", lb.input_bits())];
            let tile = LinearLayout::new(&rows, la.outputs(), la.bases()).unwrap();
            let copies = LinearLayout::new(&copies, lb.outputs(), lb.bases()).unwrap();
            assert!(same(Some(product), &tile.product(&copies).unwrap()), "{a} * {b}");
            compared[3] += 1;
        }
    }
    assert!(compared.iter().all(|&count| count > 100), "{compared:?}");
}

#[test]
fn printed_layouts_parse_back() {
    let mut random = Random(10);
    for case in 0..500 {
        let mut l = random.linear();
        if case % 10 == 0 {
            // No dimension at all.
            l = random.matrix(l.inputs(), &[]);
        }
        for l in [l, l.left_inverse(), l.right_inverse(), l.nullspace(), l.image()] {
            let text = l.to_string();
            assert_eq!(LinearLayout::parse(&text), Ok(l), "{text}");
            assert_eq!(Value::parse(&text), Ok(l.into()), "{text}");
        }
    }
    // As Triton prints it for a reader, and as Gluon has it.
    let expected = "#ttg.linear<{register = [[0, 1], [2, 0]], lane = [[1, 0]], warp = []}>";
    for text in [
        "- register=1 -> (0, 1)\n  register=2 -> (2, 0)\n- lane=1 -> (1, 0)\n\
         - warp is a size 1 dimension\nwhere out dims are: [dim0 (size 4), dim1 (size 2)]",
        "DistributedLinearLayout(reg_bases=[[0, 1], [2, 0]], lane_bases=[[1, 0]], warp_bases=[], \
         shape=[4, 2])",
        "#triton_gpu.linear<{register = [[0, 1], [2, 0]], lane = [[1, 0]], warp = []}>",
        "#blocked1 = #ttg.linear<{register=[[0,1],[2,0]],lane=[[1,0]],warp=[]}>",
        "{register: [[0, 1], [2, 0]], lane: [[1, 0]], warp: []}",
    ] {
        let value = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(value.to_string(), expected, "{text}");
    }
    for (text, code) in [
        ("#ttg.linear<{register = [[1]]}, out = {dim0 = 3}>", "L0140"),
        ("#ttg.linear<{register = [[4]]}, out = {dim0 = 4}>", "L0380"),
        ("#ttg.linear<{register = [[1], [1, 2]]}>", "L0382"),
        ("#ttg.linear<{register = [], register = []}>", "L0381"),
        ("#ttg.blocked<{sizePerThread = [1]}>", "L0107"),
        ("- register=1 -> (1) register=3 -> (2)", "L0107"),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.problems()[0].error.code(), code, "{text}: {error}");
    }
}

/// Rank and depth are those of the shape that coordinates have: a mode for each dimension, and an
/// integer without any.
#[test]
fn rank_and_depth_are_those_of_the_shape() {
    for (text, rank, depth) in [
        ("linear(((2,2),2):((2,1),4))", "2", "1"),
        ("linear(4:1)", "1", "1"),
        ("#ttg.linear<{}>", "1", "0"),
    ] {
        let fact = |name| Value::parse(&format!("{name}({text})")).unwrap().to_string();
        assert_eq!((&*fact("rank"), &*fact("depth")), (rank, depth), "{text}");
        let Ok(Value::Linear(l)) = Value::parse(text) else { panic!("{text}") };
        assert_eq!(
            (l.shape().rank().to_string(), l.shape().depth().to_string()),
            (rank.into(), depth.into())
        );
    }
    // A layout takes nested coordinates, its matrix one number for each dimension.
    assert!(Value::parse("eval(((2,2),2):((2,1),4), ((1,0),1))").is_ok());
    let error = Value::parse("eval(linear(((2,2),2):((2,1),4)), ((1,0),1))").unwrap_err();
    assert_eq!(error.problems()[0].error.code(), "L0210");
}

/// The largest matrices that there are.
#[test]
fn sizes_at_the_limit() {
    let bits = usize::BITS - 2;
    let identity = LinearLayout::identity(bits).unwrap();
    assert_eq!(identity.inverse().map(|l| l.table().nth(5)), Ok(Some(5)));
    assert_eq!((identity.cosize(), identity.size()), (1 << bits, 1 << bits));
    let back = identity.to_composed().unwrap();
    assert_eq!(back.to_string(), format!("({0}):(1)", 1usize << bits));
    assert_eq!(identity.to_coordinates().unwrap().to_string(), back.to_string());
    assert_eq!(LinearLayout::identity(bits + 1).unwrap_err().code(), "L0371");
    // A number of `bits` bits, and one of two.
    let text = format!("#ttg.linear<{{register = [[{}, 2]]}}>", 1usize << (bits - 1));
    assert_eq!(Value::parse(&text).unwrap_err().problems()[0].error.code(), "L0371");
    let swizzle = Swizzle::new(bits / 2, 0, (bits / 2) as i32).unwrap();
    let l = LinearLayout::of_swizzle(&swizzle, 0).unwrap();
    assert_eq!(l.composition(&l), Ok(identity));
    assert_eq!(l.to_composed().unwrap().swizzle(), swizzle);
    // Reversed bits need a leaf each.
    let bases: Vec<_> = (0..bits).rev().map(|bit| 1 << bit).collect();
    let reversed = LinearLayout::new(identity.inputs(), identity.outputs(), &bases).unwrap();
    assert_eq!(reversed.inverse(), Ok(reversed.left_inverse()));
    if bits > 32 {
        assert_eq!(reversed.to_composed().unwrap_err().code(), "L0202");
        assert_eq!(reversed.to_coordinates().unwrap_err().code(), "L0202");
    }
}
