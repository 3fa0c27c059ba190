//! The laws of inverses, divides, products, recasts and mode surgery, on generated layouts.

use layout_core::engine::{DynLayout, IntTuple, MAX_LEAVES, MAX_SIZE, Tiler, algebra};
use layout_core::types::Algebra;
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::BTreeSet;

mod common;
use common::{any_layout, by_stride, compact, eval, flat, layout, refines, table};

fn image(l: &DynLayout) -> BTreeSet<usize> {
    table(l).into_iter().collect()
}

fn shape() -> impl Strategy<Value = IntTuple> {
    layout(8, 0).prop_map(|l| l.shape())
}

/// A tuple of one number for each of `sizes`, which the number divides.
fn divisors(sizes: &[usize], at: &[Index]) -> Vec<usize> {
    let pick = |n: usize, at: &Index| {
        let divisors: Vec<_> = (1..=n).filter(|d| n.is_multiple_of(*d)).collect();
        divisors[at.index(divisors.len())]
    };
    sizes.iter().zip(at).map(|(&n, at)| pick(n, at)).collect()
}

fn mode_sizes(l: &DynLayout) -> Vec<usize> {
    (0..l.rank()).map(|i| l.mode(i).size()).collect()
}

fn by_mode(tiles: &[DynLayout]) -> Tiler {
    Tiler::modes(&tiles.iter().map(Tiler::layout).collect::<Vec<_>>()).unwrap()
}

/// How many of the offsets from 0 on `a` and `b` have at the same coordinates, one by one: as long as no mode of
/// `a` overflows, and then as many of these as whole modes of the inverse of `b` and steps of the next one are.
fn longest_vector(a: &DynLayout, b: &DynLayout) -> usize {
    let (a, inverse) = (a.coalesce(), b.right_inverse());
    let holds = |n: usize| {
        let (mut left, mut digits) = (n, vec![0; a.len()]);
        for (&extent, &stride) in inverse.extents().iter().zip(inverse.strides()) {
            for (digit, step) in digits.iter_mut().zip(a.digits(stride)) {
                *digit += left % extent * step;
            }
            left /= extent;
        }
        let offset: usize =
            digits.iter().zip(a.strides()).map(|(digit, stride)| digit * stride).sum();
        digits.iter().zip(a.extents()).all(|(digit, extent)| digit < extent) && offset == n
    };
    let most = (0..inverse.size()).take_while(|&n| holds(n)).count();
    let mut size = 1;
    for &extent in inverse.extents() {
        let steps = extent.min(most / size);
        size *= steps;
        if steps < extent {
            break;
        }
    }
    size
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn left_inverse_finds_a_coordinate_of_every_offset(l in any_layout()) {
        let Ok(r) = l.left_inverse() else {
            // Refused: strides that do not divide, or modes that overlap.
            let modes = by_stride(&l.coalesce());
            prop_assert!(
                modes.windows(2).any(|w| w[1].0 % w[0].0 != 0 || w[0].0 * w[0].1 > w[1].0),
                "{}", l
            );
            return Ok(());
        };
        for (i, o) in table(&l).into_iter().enumerate() {
            prop_assert_eq!(eval(&l, eval(&r, o)), o, "{} of {}", r, l);
            if l.is_injective().unwrap() {
                prop_assert_eq!(eval(&r, o), i, "{} of {}", r, l);
            }
        }
    }

    #[test]
    fn inverses_of_a_compact_layout_agree(l in compact()) {
        prop_assert_eq!(table(&l.left_inverse().unwrap()), table(&l.right_inverse()));
    }

    #[test]
    fn common_vectors_are_at_the_same_coordinates(a in any_layout(), b in any_layout()) {
        let n = algebra::max_common_vector(&a, &b);
        prop_assert!(n >= 1);
        let (a_at, b_at) = (table(&a), table(&b));
        let common = |n| a_at.iter().zip(&b_at).any(|(&x, &y)| x == n && y == n);
        prop_assert!((0..n).all(common), "{} of {} and {}", n, a, b);
        prop_assert_eq!(n, longest_vector(&a, &b), "{} and {}", a, b);
        if let Ok(r) = a.max_common_layout(&b) {
            prop_assert!(r.size() >= n);
            for i in 0..r.size() {
                prop_assert_eq!((eval(&a, eval(&r, i)), eval(&b, eval(&r, i))), (i, i));
            }
        }
    }

    #[test]
    fn a_layout_has_itself_in_common(l in compact()) {
        prop_assert_eq!(algebra::max_common_vector(&l, &l), l.size());
        prop_assert_eq!(l.max_common_layout(&l).unwrap(), l.right_inverse());
    }

    #[test]
    fn nullspace_does_not_move(l in any_layout()) {
        let r = l.nullspace();
        prop_assert!(table(&r).into_iter().all(|i| eval(&l, i) == 0), "{} of {}", r, l);
        prop_assert!(r.is_injective().unwrap());
        prop_assert_eq!(r.size() * l.filter().size(), l.size());
        prop_assert_eq!(r.nullspace().size(), 1);
    }

    #[test]
    fn filter_keeps_the_image(l in any_layout()) {
        let f = l.filter();
        prop_assert_eq!(image(&f), image(&l));
        prop_assert!(f == DynLayout::UNIT || f.strides().iter().all(|&d| d > 0));
        prop_assert!(l.filter_zeros().shape().congruent(&l.shape()));
        prop_assert_eq!(l.filter_zeros().coalesce(), f);
        let profile = IntTuple::flat(&vec![0; l.rank()]).unwrap();
        let by = l.filter_by(&profile).unwrap();
        for i in 0..l.rank() {
            prop_assert_eq!(by.mode(i), l.mode(i).filter());
        }
    }

    #[test]
    fn upcast_divides_the_image(l in any_layout(), n in 1usize..=16) {
        let Ok(r) = l.upcast(n) else { return Ok(()) };
        prop_assert!(r.shape().congruent(&l.shape()));
        prop_assert_eq!(image(&r), image(&l).iter().map(|o| o / n).collect(), "{} of {}", r, l);
    }

    #[test]
    fn downcast_multiplies_the_image(l in any_layout(), n in 1usize..=8) {
        let Ok(r) = l.downcast(n) else { return Ok(()) };
        let expected = image(&l).iter().flat_map(|o| o * n..(o + 1) * n).collect();
        prop_assert_eq!(image(&r), expected, "{} of {}", r, l);
        prop_assert_eq!(r.size(), l.size() * n);
        prop_assert_eq!(r.upcast(n).unwrap(), l);
        prop_assert_eq!(l.recast(8 * n, 8).unwrap(), r);
    }

    #[test]
    fn surgery_moves_whole_modes(
        l in any_layout(),
        other in any_layout(),
        begin in any::<Index>(),
        end in any::<Index>(),
    ) {
        let begin = begin.index(l.rank());
        let end = begin + 1 + end.index(l.rank() - begin);
        let modes: Vec<_> = (0..l.rank()).map(|i| l.mode(i)).collect();
        let tuple = |m: &[DynLayout]| DynLayout::tuple(m).unwrap();

        prop_assert_eq!(l.take(begin, end).unwrap(), tuple(&modes[begin..end]));
        let numbers: Vec<_> = (begin..end).rev().collect();
        let reversed: Vec<_> = numbers.iter().map(|&i| modes[i]).collect();
        prop_assert_eq!(l.select(&IntTuple::flat(&numbers).unwrap()).unwrap(), tuple(&reversed));
        let grouped = l.group(begin, end).unwrap();
        prop_assert_eq!(table(&grouped), table(&l));
        prop_assert_eq!(grouped.mode(begin), tuple(&modes[begin..end]));
        prop_assert_eq!(grouped.rank(), l.rank() - (end - begin) + 1);
        let appended = l.append(&other).unwrap();
        prop_assert_eq!(appended.take(0, l.rank()).unwrap(), tuple(&modes));
        prop_assert_eq!(appended.mode(l.rank()), other);
        let prepended = l.prepend(&other).unwrap();
        prop_assert_eq!(prepended.take(1, l.rank() + 1).unwrap(), tuple(&modes));
        prop_assert_eq!(prepended.mode(0), other);
        let replaced = tuple(&modes).replace(begin, &other).unwrap();
        for (i, mode) in modes.iter().enumerate() {
            prop_assert_eq!(replaced.mode(i), if i == begin { other } else { *mode });
        }
        prop_assert_eq!(l.flatten().unflatten(&l.shape()).unwrap(), l);

        prop_assert!(l.take(begin, begin).is_err() && l.take(begin, l.rank() + 1).is_err());
        prop_assert!(l.group(begin, l.rank() + 1).is_err() && l.select(&[l.rank()]).is_err());
        prop_assert!(l.replace(l.rank(), &other).is_err() && appended.unflatten(&l.shape()).is_err());
    }

    #[test]
    fn zip_transposes(
        rows in prop::collection::vec(prop::collection::vec(layout(4, 9), 2), 1..=3),
    ) {
        let tuple = |m: &[DynLayout]| DynLayout::tuple(m).unwrap();
        let leaves: usize = rows.iter().flatten().map(DynLayout::len).sum();
        let mut sizes = rows.iter().flatten().map(DynLayout::size);
        let size = sizes.try_fold(1usize, |product, size| product.checked_mul(size));
        prop_assume!(leaves <= MAX_LEAVES && size.is_some_and(|size| size <= MAX_SIZE));
        let l = tuple(&rows.iter().map(|row| tuple(row)).collect::<Vec<_>>());
        let zipped = l.zip().unwrap();
        for (i, row) in rows.iter().enumerate() {
            for (j, mode) in row.iter().enumerate() {
                prop_assert_eq!(zipped.mode(j).mode(i), *mode);
            }
        }
        prop_assert_eq!(zipped.zip().unwrap(), l);
    }

    #[test]
    fn ordered_layouts_are_compact(shape in shape(), seed in any::<[Index; 3]>()) {
        let shape = if shape.is_int() { IntTuple::flat(shape.leaves()).unwrap() } else { shape };
        let mut order: Vec<usize> = (0..shape.rank()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, seed[i].index(i + 1));
        }
        let l = DynLayout::make_ordered(&shape, &IntTuple::flat(&order).unwrap()).unwrap();
        prop_assert_eq!(l.shape(), shape);
        prop_assert!(l.is_bijective(), "{}", l);
        // The modes in their order are the column-major layout.
        let mut modes: Vec<usize> = (0..l.rank()).collect();
        modes.sort_by_key(|&i| order[i]);
        let sorted = l.select(&IntTuple::flat(&modes).unwrap()).unwrap();
        prop_assert_eq!(sorted, DynLayout::make(&sorted.shape()).unwrap());
    }

    #[test]
    fn divides_differ_in_parentheses(a in any_layout(), at in any::<[Index; 4]>()) {
        let tiles: Vec<_> =
            divisors(&mode_sizes(&a), &at).iter().map(|&n| DynLayout::leaf(n, 1)).collect();
        let tiler = by_mode(&tiles);
        let Ok(zipped) = a.zipped_divide_by(&tiler) else { return Ok(()) };
        let (tiled, flat) = (a.tiled_divide_by(&tiler).unwrap(), a.flat_divide_by(&tiler).unwrap());
        prop_assert_eq!(tiled.flatten(), zipped.flatten());
        prop_assert_eq!(flat.flatten(), zipped.flatten());
        prop_assert_eq!(tiled.mode(0), zipped.mode(0));
        prop_assert_eq!(flat.rank(), if a.rank() == 1 { 2 } else { 2 * a.rank() });
    }

    #[test]
    fn products_differ_in_parentheses(a in compact(), b in compact()) {
        let tiler = Tiler::layout(&b);
        let product = a.logical_product(&b).unwrap();
        prop_assert!(product.is_bijective());
        prop_assert_eq!(a.zipped_product_by(&tiler).unwrap(), product);
        let (tiled, flat) =
            (a.tiled_product_by(&tiler).unwrap(), a.flat_product_by(&tiler).unwrap());
        prop_assert_eq!(tiled.flatten(), product.flatten());
        prop_assert_eq!(flat.flatten(), product.flatten());
        let blocked = a.blocked_product(&b).unwrap();
        let raked = a.raked_product(&b).unwrap();
        prop_assert_eq!(blocked.rank(), a.rank().max(b.rank()));
        for i in 0..blocked.rank() {
            prop_assert_eq!(blocked.mode(i).select(&[1, 0]).unwrap(), raked.mode(i));
            if i < a.rank() {
                prop_assert_eq!(blocked.mode(i).mode(0), a.mode(i));
            }
        }
    }

    /// Copies for different values of B have no offset in common, also where A leaves gaps that do
    /// not divide.
    #[test]
    fn copies_are_disjoint(a in any_layout(), b in any_layout()) {
        let Ok(product) = a.logical_product(&b) else { return Ok(()) };
        if product.size() > 1000 {
            return Ok(());
        }
        let offsets = image(&a).len() * image(&b).len();
        prop_assert_eq!(image(&product).len(), offsets, "{} of {} and {}", product, a, b);
        // The same copies in another nesting.
        for arranged in [a.blocked_product(&b), a.raked_product(&b)] {
            let arranged = arranged.unwrap();
            prop_assert_eq!(image(&arranged), image(&product));
            prop_assert_eq!(arranged.rank(), a.rank().max(b.rank()));
        }
    }

    /// `(A o B) o C = A o (B o C)`, as functions wherever both exist.
    #[test]
    fn composition_is_associative(a in any_layout(), b in any_layout(), c in any_layout()) {
        let one = a.composition(&b).and_then(|ab| ab.composition(&c));
        let other = b.composition(&c).and_then(|bc| a.composition(&bc));
        if let (Ok(one), Ok(other)) = (one, other) {
            // Beyond its domain A o B goes on as its last mode does, which is not as A does.
            if c.cosize() <= b.size() && b.cosize() <= a.size() {
                prop_assert_eq!(table(&one), table(&other), "{} o {} o {}", a, b, c);
            }
        }
    }

    /// The same for layouts that people write: each is of the next one's coordinates.
    #[test]
    fn permutations_compose_associatively(n in 0usize..=3, seeds in any::<[u32; 3]>()) {
        let size = [8, 24, 36, 64][n];
        let permutation = |seed: u32| {
            let mut shape = Vec::new();
            let mut rest = size;
            let mut seed = seed as usize;
            while rest > 1 {
                let divisors: Vec<_> = (2..=rest).filter(|d| rest % d == 0).collect();
                shape.push(divisors[seed % divisors.len()]);
                rest /= divisors[seed % divisors.len()];
                seed /= 7;
            }
            let shape = IntTuple::flat(&shape).unwrap();
            DynLayout::row_major(&shape).unwrap()
        };
        let [a, b, c] = seeds.map(permutation);
        let one = a.composition(&b).and_then(|ab| ab.composition(&c));
        let other = b.composition(&c).and_then(|bc| a.composition(&bc));
        if let (Ok(one), Ok(other)) = (one, other) {
            prop_assert_eq!(table(&one), table(&other), "{} o {} o {}", a, b, c);
            prop_assert!(one.is_bijective());
        }
    }

    /// `logical_divide(A, B) = A o (B, B*)` and `logical_product(A, B) = (A, A* o B)`, with the
    /// complement `*` up to the size of A, or of both: each divides what the other multiplies.
    #[test]
    fn divides_and_products_are_dual(a in compact(), b in compact()) {
        let cotarget = a.size() * b.cosize();
        let copies = a.complement(&cotarget).unwrap();
        let product = a.logical_product(&b).unwrap();
        prop_assert_eq!(product, DynLayout::tuple(&[a, copies.composition(&b).unwrap()]).unwrap());
        // The product tiles memory by A: dividing all of it by A gives A and its copies.
        let memory = DynLayout::leaf(cotarget, 1);
        let divided = memory.logical_divide(&a).unwrap();
        prop_assert_eq!(table(&divided.mode(0)), table(&product.mode(0)));
        prop_assert_eq!(divided.mode(1), copies);
        if cotarget <= 4096 {
            prop_assert_eq!(image(&divided), image(&product));
        }
        // And the copies are picked from the rest of the divide by B.
        prop_assert_eq!(divided.mode(1).composition(&b).unwrap(), product.mode(1));
    }

    /// Dividing a product by its block gives the product back.
    #[test]
    fn divides_undo_products(
        a in prop::array::uniform2(2usize..=6),
        b in prop::array::uniform2(2usize..=6),
        orders in any::<[bool; 2]>(),
    ) {
        let make = |shape: [usize; 2], rows: bool| {
            let shape = IntTuple::flat(&shape).unwrap();
            if rows { DynLayout::row_major(&shape) } else { DynLayout::make(&shape) }.unwrap()
        };
        let (block, copies) = (make(a, orders[0]), make(b, orders[1]));
        let product = block.logical_product(&copies).unwrap();
        let tiler = by_mode(&[DynLayout::leaf(a[0], b[0]), DynLayout::leaf(a[1], b[1])]);
        let raked = block.raked_product(&copies).unwrap();
        prop_assert_eq!(raked.zipped_divide_by(&tiler).unwrap(), product);
        let blocked = block.blocked_product(&copies).unwrap();
        prop_assert_eq!(raked.logical_divide_by(&tiler).unwrap(), blocked);
        let tiler = by_mode(&[DynLayout::leaf(a[0], 1), DynLayout::leaf(a[1], 1)]);
        prop_assert_eq!(blocked.zipped_divide_by(&tiler).unwrap(), product);
    }

    #[test]
    fn tiles_fill_the_target_shape(
        block in compact(),
        times in prop::collection::vec(1usize..=4, 4..=5),
        reverse in any::<bool>(),
    ) {
        let sizes = mode_sizes(&block);
        let target: Vec<_> =
            times.iter().enumerate().map(|(i, n)| sizes.get(i).unwrap_or(&1) * n).collect();
        let shape = IntTuple::flat(&target).unwrap();
        let mut order: Vec<_> = (0..target.len()).collect();
        if reverse {
            order.reverse();
        }
        let order = IntTuple::flat(&order).unwrap();
        let l = block.tile_to_shape_ordered(&shape, &order).unwrap();
        prop_assert!(shape.compatible(&l.shape()) && l.is_bijective(), "{}", l);
        for i in 0..block.rank() {
            prop_assert_eq!(l.mode(i).mode(0), block.mode(i));
        }
        if !reverse {
            prop_assert_eq!(block.tile_to_shape(&shape).unwrap(), l);
        }
        if block.mode(0).size() > 1 {
            let mut wrong = target;
            wrong[0] += 1;
            prop_assert!(block.tile_to_shape(&IntTuple::flat(&wrong).unwrap()).is_err());
        }
    }

    #[test]
    fn distributed_elements_tile_the_shape(shape in shape(), n in 1usize..=200) {
        let tile = DynLayout::domain_distribute(&shape, n).unwrap();
        let (size, offsets) = (shape.product().unwrap(), table(&tile));
        prop_assert!(offsets.windows(2).all(|w| w[0] < w[1]), "{}", tile);
        prop_assert!(n.is_multiple_of(tile.size()) && size.is_multiple_of(tile.size()));
        let l = DynLayout::row_major(&shape).unwrap();
        let divided = l.logical_divide(&tile).unwrap();
        prop_assert_eq!(divided.size(), size);
        prop_assert_eq!(image(&divided), (0..size).collect());
    }

    #[test]
    fn shapes_divide(shape in shape(), divisor in any::<Index>()) {
        let size = shape.product().unwrap();
        let n = 1 + divisor.index(size);
        if let Ok(quotient) = shape.shape_div(&IntTuple::leaf(n)) {
            prop_assert!(quotient.congruent(&shape));
            prop_assert_eq!(quotient.product().unwrap(), size.div_ceil(n));
        }
        let whole = shape.shape_div(&shape).unwrap();
        prop_assert!(whole.leaves().iter().all(|&n| n == 1));
    }

    #[test]
    fn compatible_means_that_coordinates_carry_over(a in shape(), b in shape()) {
        prop_assert!(a.compatible(&a) && a.congruent(&a) && a.weakly_congruent(&a));
        prop_assert_eq!(a.compatible(&b), refines(&b, &a), "{} {}", a, b);
        if a.compatible(&b) {
            prop_assert!(a.weakly_congruent(&b));
            for i in 0..a.product().unwrap() {
                prop_assert_eq!(b.crd2idx(&a.idx2crd(i).unwrap()), Ok(i));
            }
        }
        prop_assert_eq!(a.weakly_congruent(&b) && b.weakly_congruent(&a), a.congruent(&b));
    }

    #[test]
    fn coordinates_convert_both_ways(shape in shape(), at in any::<Index>()) {
        let i = at.index(shape.product().unwrap());
        let natural = shape.idx2crd(i).unwrap();
        prop_assert_eq!(shape.crd2idx(&natural), Ok(i));
        prop_assert_eq!(shape.natural_coordinate(&natural), Ok(natural));
        prop_assert_eq!(shape.natural_coordinate(&IntTuple::leaf(i)), Ok(natural));
        // A shape with the same sizes of its modes, taken apart differently.
        let modes: Vec<_> = (0..shape.rank()).map(|k| shape.mode(k).product().unwrap()).collect();
        if !shape.is_int() {
            let sizes = IntTuple::flat(&modes).unwrap();
            let coordinate = shape.crd2crd(&natural, &sizes).unwrap();
            prop_assert_eq!(sizes.crd2crd(&coordinate, &shape), Ok(natural));
            prop_assert_eq!(sizes.crd2idx(&coordinate), Ok(i));
        }
    }

    #[test]
    fn questions_about_the_image_are_exact(l in any_layout()) {
        let offsets = image(&l);
        prop_assert_eq!(l.image().collect::<Result<BTreeSet<_>, _>>(), Ok(offsets.clone()));
        let missing: Vec<_> = (0..l.cosize()).filter(|o| !offsets.contains(o)).collect();
        prop_assert_eq!(l.gaps().collect::<Result<Vec<_>, _>>(), Ok(missing));
        prop_assert_eq!(l.is_contiguous(), offsets.len() == l.cosize(), "{}", l);
        prop_assert_eq!(l.is_bijective(), l.is_contiguous() && l.is_injective().unwrap(), "{}", l);
        for o in 0..l.cosize() + 2 {
            match l.coordinate_of(o) {
                Ok(c) => prop_assert_eq!(l.offset_of(&c), Ok(o)),
                Err(_) => prop_assert!(!offsets.contains(&o), "{} at {}", l, o),
            }
        }
        prop_assert!(l.table().eq(table(&l)));
    }
}

/// Numbers of every size: an answer or an error, never a panic.
fn wide() -> impl Strategy<Value = DynLayout> {
    let number =
        prop_oneof![0usize..=4, (0..usize::BITS).prop_map(|bits| 1 << bits), any::<usize>()];
    prop::collection::vec((number.clone(), number), 1..=4).prop_filter_map("fits", |modes| {
        let (s, d): (Vec<_>, Vec<_>) = modes.into_iter().unzip();
        DynLayout::new(&IntTuple::flat(&s).unwrap(), &IntTuple::flat(&d).unwrap()).ok()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn nothing_panics(a in wide(), b in wide(), n in any::<usize>()) {
        let tiler = Tiler::modes(&[Tiler::layout(&b)]).unwrap();
        let _ = (a.left_inverse(), a.right_inverse(), a.nullspace(), a.filter());
        let _ = (algebra::max_common_vector(&a, &b), a.max_common_layout(&b));
        let _ = (a.upcast(n), a.downcast(n), a.recast(n, 8), a.recast(8, n));
        let _ = (a.tiled_divide_by(&tiler), a.flat_divide_by(&tiler));
        let _ = (a.tiled_product_by(&tiler), a.flat_product_by(&tiler));
        let _ = (a.blocked_product(&b), a.raked_product(&b), a.zip_with(&b), a.append(&b));
        let _ = (a.tile_to_shape(&b.shape()), a.tile_to_shape_ordered(&b.shape(), &b.stride()));
        let _ = DynLayout::make_ordered(&a.shape(), &b.stride());
        let _ = DynLayout::domain_distribute(&a.shape(), n);
        let _ = (a.shape().shape_div(&b.shape()), a.shape().shape_div(&IntTuple::leaf(n)));
        let _ = (a.is_contiguous(), a.is_bijective(), a.coordinate_of(n));
        let _ = (a.shape().crd2idx(&b.stride()), a.shape().natural_coordinate(&b.stride()));
        let _ = (algebra::local_partition(&a, &b, n), a.select(&n), a.take(n, 1), a.group(1, n));
    }
}

/// Nesting is limited, and the limit is an error too.
#[test]
fn nesting_ends_in_an_error() {
    use layout_core::engine::{MAX_DEPTH, Slicer};
    fn deepest<T: Copy>(mut t: T, deeper: impl Fn(&T) -> Option<T>) -> (T, usize) {
        let mut levels = 0;
        while let Some(next) = deeper(&t) {
            (t, levels) = (next, levels + 1);
        }
        (t, levels)
    }
    let unit = DynLayout::leaf(4, 1);
    let (grouped, levels) = deepest(unit, |l| l.group(0, 1).ok());
    assert_eq!((grouped.depth(), levels), (MAX_DEPTH, MAX_DEPTH - 1), "the first makes two");
    assert!(grouped.logical_divide_by(&Tiler::layout(&unit)).is_ok());
    assert!(grouped.logical_product(&unit).is_err() && grouped.zip_with(&unit).is_err());
    assert_eq!(deepest(unit, |l| DynLayout::tuple(&[*l]).ok()).1, MAX_DEPTH);
    assert_eq!(deepest(IntTuple::leaf(1), |t| IntTuple::tuple(&[*t]).ok()).1, MAX_DEPTH);
    assert_eq!(deepest(Slicer::keep(), |s| Slicer::modes(&[*s]).ok()).1, MAX_DEPTH);
    assert_eq!(deepest(Tiler::keep(), |t| Tiler::modes(&[*t]).ok()).1, MAX_DEPTH);
}

/// What is printed can be read: no stride is beyond `MAX_SIZE`, not even of an extent of 1.
#[test]
fn a_stride_that_is_never_stepped_fits() {
    let (one, far) = (IntTuple::leaf(1), IntTuple::leaf(MAX_SIZE + 1));
    let error = DynLayout::new(&one, &far).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "the largest offset of 1:{} does not fit in {} bits",
            MAX_SIZE + 1,
            usize::BITS - 1
        )
    );
    assert!(DynLayout::new(&one, &IntTuple::leaf(MAX_SIZE)).is_ok());
    let l = DynLayout::parse("(1,1):(2,1)").unwrap();
    assert!(l.downcast(MAX_SIZE).is_err());
}

/// All of it runs in const evaluation.
#[test]
fn the_algebra_is_const() {
    const BLOCK: DynLayout = DynLayout::leaf(4, 2);
    const fn unwrap(l: Result<DynLayout, layout_core::error::LayoutError>) -> DynLayout {
        match l {
            Ok(l) => l,
            Err(e) => e.panic(),
        }
    }
    const RAKED: DynLayout = unwrap(algebra::raked_product(&BLOCK, &DynLayout::leaf(2, 1)));
    const INVERSE: DynLayout = unwrap(algebra::left_inverse(&RAKED));
    const COMMON: usize = algebra::max_common_vector(&RAKED, &RAKED);
    assert_eq!(RAKED.to_string(), "((2,4)):((1,2))");
    assert_eq!(INVERSE.to_string(), "8:1");
    assert_eq!(COMMON, 8);
    assert_eq!(flat(&[(3, 1)]).upcast(3), Ok(flat(&[(1, 1)])));
}

/// Errors name the operation and the numbers that do not fit.
#[test]
fn errors_say_what_does_not_fit() {
    use layout_core::engine::{Slicer, Swizzle};
    use layout_core::error::LayoutError;
    let l = |text: &str| DynLayout::parse(text).unwrap();
    let t = |text: &str| IntTuple::parse(text).unwrap();
    fn why<T>(result: Result<T, LayoutError>) -> String {
        result.err().expect("an error").to_string()
    }
    let cases = [
        (
            why(l("(2,3):(1,2)").take(1, 3)),
            "take: modes 1 to 3 are not a range of the 2 modes of shape (2,3)",
        ),
        (
            why(l("(2,3):(1,2)").select(&[2])),
            "select: mode 2 is not below 2, the rank of shape (2,3)",
        ),
        (
            why(l("6:1").unflatten(&t("(0,0)"))),
            "unflatten: profile (0,0) has 2 leaves but shape 6 has 1",
        ),
        (
            why(l("((2,3),4):((1,2),6)").zip()),
            "zip: mode (2,3) has 2 modes but mode 4 is an integer",
        ),
        (
            why(DynLayout::make_ordered(&t("(2,3)"), &t("(1,1)"))),
            "order (1,1) gives position 1 to two modes with more than one element",
        ),
        (
            why(DynLayout::make_ordered(&t("(2,3)"), &t("(1,0,2)"))),
            "order (1,0,2) does not match the modes of shape (2,3)",
        ),
        (why(t("6").shape_div(&t("4"))), "shape_div: neither of 6 and 4 divides the other"),
        (
            why(l("(9,2):(1,9)").tile_to_shape(&t("(9,3)"))),
            "tile_to_shape: in mode 1 the block size 2 does not divide the target size 3",
        ),
        (
            why(l("(2,2):(2,3)").left_inverse()),
            "left_inverse: stride 3 is not a multiple of the next smaller stride 2",
        ),
        (
            why(l("(2,6):(4,1)").left_inverse()),
            "left_inverse: offset 9 does not fit in extent 2 of stride 4",
        ),
        (
            why(l("(6,9,3):(27,3,1)").upcast(8)),
            "upcast: neither of stride 27 and factor 8 divides the other",
        ),
        (
            why(l("(3,2):(2,3)").upcast(6)),
            "upcast: the modes inside a new element of 6 together reach offset 7",
        ),
        (why(l("(12,10):(4,48)").downcast(8)), "downcast: no stride of (4,48) is 1"),
        (why(l("(1,8):(1,1)").downcast(8)), "downcast: more than one stride of (1,1) is 1"),
        (why(algebra::slice(&l("8:1"), &Slicer::index(2))), "slice: coordinate 2 keeps no mode"),
        (
            why(algebra::slice(&l("8:1"), &Slicer::parse("(_,2)").unwrap())),
            "coordinate (_,2) does not match the modes of shape 8",
        ),
        (why(l("4:2").coordinate_of(3)), "no coordinate of layout 4:2 has the offset 3"),
        (
            why(Swizzle::new(3, 0, -2)),
            "a swizzle of 3 bits needs a shift of at least 3 bits, not 2",
        ),
    ];
    for (message, expected) in cases {
        assert_eq!(message, expected);
    }
}

#[test]
fn a_vector_is_a_layout() {
    let layout = |text: &str| DynLayout::parse(text).unwrap();
    let (a, b) = (layout("(3,2):(1,0)"), layout("(2,2,2):(4,2,1)"));
    // The offsets 0, 1 and 2 are at the coordinates 0, 4 and 2.
    assert_eq!(algebra::max_common_vector(&a, &b), 2);
    // At the coordinate 6, two modes of `a` overflow, and the offset is 2 by chance.
    let (a, b) = (layout("(2,2,3):(1,0,2)"), layout("(3,5):(5,1)"));
    assert_eq!(b.right_inverse().to_string(), "(5,3):(3,1)");
    assert_eq!(algebra::max_common_vector(&a, &b), 2);
}
