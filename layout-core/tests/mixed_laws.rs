//! Mixed layouts: every pattern of run-time leaves, random values, against the engine and the laws.
//!
//! A mixed operation either gives the engine's function, or the engine's error, or says that these
//! values have no layout with the modes that the types promise.

mod common;

use std::collections::BTreeSet;

use common::{eval, table};
use layout_core::engine::{DynLayout, IntTuple, MAX_SIZE, Slicer, Tiler, algebra};
use layout_core::error::{AlgebraError, LayoutError};
use layout_core::types::{
    Algebra, AnyLayout, AnyTiler, Coalesce, Composition, Cons, Dyn, IntoResult, Join, Keep, Kind,
    Layout, LogicalDivide, Make, Mixed, MixedKind, Nat, Nil, Outcome, RightInverse, RowMajor, Tile,
    ZippedDivide,
};
use proptest::prelude::*;
use typenum::assert_type_eq;
use typenum::consts::*;

macro_rules! list {
    () => { Nil };
    ($head:ty $(, $tail:ty)*) => { Cons<$head, list!($($tail),*)> };
}

type Line<S, D> = Mixed<S, D>;
type Pair<S0, S1, D0, D1> = Mixed<list!(S0, S1), list!(D0, D1)>;
type Nested<S0, S1, S2, D0, D1, D2> = Mixed<list!(S0, list!(S1, S2)), list!(D0, list!(D1, D2))>;

/// What a type fixes, or a value for what it leaves open.
fn number<N: Nat>(open: usize) -> usize {
    N::VALUE.unwrap_or(open)
}

fn of<L: TryFrom<DynLayout, Error = LayoutError>>(shape: IntTuple, stride: IntTuple) -> L {
    DynLayout::new(&shape, &stride).unwrap().try_into().unwrap()
}

fn line<S: Nat, D: Nat>([s, d]: [usize; 2]) -> Line<S, D> {
    of(IntTuple::leaf(s), IntTuple::leaf(d))
}

fn pair<S0: Nat, S1: Nat, D0: Nat, D1: Nat>([s0, s1, d0, d1]: [usize; 4]) -> Pair<S0, S1, D0, D1> {
    of(IntTuple::flat(&[s0, s1]).unwrap(), IntTuple::flat(&[d0, d1]).unwrap())
}

fn nested<S0: Nat, S1: Nat, S2: Nat, D0: Nat, D1: Nat, D2: Nat>(
    [s0, s1, s2, d0, d1, d2]: [usize; 6],
) -> Nested<S0, S1, S2, D0, D1, D2> {
    let tuple =
        |a, b, c| IntTuple::tuple(&[IntTuple::leaf(a), IntTuple::flat(&[b, c]).unwrap()]).unwrap();
    of(tuple(s0, s1, s2), tuple(d0, d1, d2))
}

/// `$call` for all patterns of run-time leaves among the given numbers.
macro_rules! patterns {
    (@ [$($done:ty),*] [] $call:ident ($($args:tt)*)) => { $call::<$($done),*>($($args)*); };
    (@ [$($done:ty),*] [$next:ty $(, $more:ty)*] $call:ident $args:tt) => {
        patterns!(@ [$($done,)* Dyn] [$($more),*] $call $args);
        patterns!(@ [$($done,)* $next] [$($more),*] $call $args);
    };
    ($call:ident<$($leaf:ty),+> $args:tt) => { patterns!(@ [] [$($leaf),+] $call $args) };
}

/// Whether a result exists; it is the same function as the engine's, of the coordinates of every
/// mode, or the same error.
fn same<K: Kind, L: AnyLayout>(
    what: &str,
    mixed: Outcome<K, L>,
    by_value: Result<DynLayout, LayoutError>,
) -> bool {
    same_result(what, mixed.into_result(), by_value)
}

fn same_result<L: AnyLayout>(
    what: &str,
    mixed: Result<L, LayoutError>,
    by_value: Result<DynLayout, LayoutError>,
) -> bool {
    match (mixed.and_then(|layout| layout.to_dyn()), by_value) {
        (Ok(mixed), Ok(by_value)) => {
            assert_eq!(table(&mixed), table(&by_value), "{what}: {mixed} is not {by_value}");
            if mixed.rank() == by_value.rank() && mixed.depth() > 0 && by_value.depth() > 0 {
                let sizes = |l: &DynLayout| (0..l.rank()).map(|i| l.mode(i).size()).collect();
                let (a, b): (Vec<_>, Vec<_>) = (sizes(&mixed), sizes(&by_value));
                assert_eq!(a, b, "{what}: {mixed} is not {by_value}");
            }
            true
        }
        (
            Err(LayoutError::Algebra(AlgebraError::Structure { shape, stride, .. })),
            Ok(by_value),
        ) => {
            assert_eq!((shape, stride), (by_value.shape(), by_value.stride()), "{what}");
            false
        }
        (mixed, by_value) => {
            assert_eq!(mixed, by_value, "{what}");
            true
        }
    }
}

fn by<A: AnyLayout, T: AnyTiler>(
    a: &A,
    tiler: &T,
    engine: fn(&DynLayout, &Tiler) -> Result<DynLayout, LayoutError>,
) -> Result<DynLayout, LayoutError> {
    engine(&a.to_dyn()?, &tiler.to_tiler()?)
}

// ---- operations on one layout ----

fn coalesces<A: AnyLayout>(a: A) {
    let by_value = a.to_dyn().map(|l| l.coalesce());
    let coalesced = a.coalesce().into_result();
    assert!(same_result(&format!("coalesce({a})"), coalesced, by_value));
    let by_value = a.to_dyn().map(|l| l.flatten());
    let flattened = a.flatten().into_result();
    assert!(same_result(&format!("flatten({a})"), flattened, by_value));
}

/// `A(R(i)) = i`, as far as the types show it.
fn inverts<A: AnyLayout>(a: A) {
    let inverse = a.right_inverse().into_result().unwrap().to_dyn().unwrap();
    let value = a.to_dyn().unwrap();
    for i in 0..inverse.size() {
        assert_eq!(eval(&value, eval(&inverse, i)), i, "right_inverse({a}) = {inverse}");
    }
}

/// What the types do not show is left out of a nullspace, and stays in a filter.
fn filters<A: AnyLayout>(a: A) {
    let value = a.to_dyn().unwrap();
    macro_rules! result {
        ($call:expr) => {
            $call.into_result().unwrap().to_dyn().unwrap()
        };
    }
    let moving: BTreeSet<usize> = table(&value).into_iter().collect();
    let filtered = result!(a.filter());
    assert_eq!(table(&filtered).into_iter().collect::<BTreeSet<_>>(), moving, "filter({a})");
    assert_eq!(filtered.filter(), value.filter(), "filter({a})");
    let profile = IntTuple::flat(&[0, 0]).unwrap();
    let by = a.filter_by(&(U0::new(), U0::new())).into_result();
    let by = by.unwrap().to_dyn().unwrap().filter_by(&profile);
    assert_eq!(by, value.filter_by(&profile), "filter({a}, (0,0))");
    let zeros = result!(a.filter_zeros());
    assert!(zeros.shape().congruent(&value.shape()) && zeros.stride() == value.stride());
    assert_eq!(table(&zeros).into_iter().collect::<BTreeSet<_>>(), moving, "filter_zeros({a})");
    let still = result!(a.nullspace());
    let coordinates: BTreeSet<usize> = table(&still).into_iter().collect();
    assert_eq!(coordinates.len(), still.size(), "nullspace({a}) = {still}");
    assert!(coordinates.iter().all(|i| eval(&value, *i) == 0), "nullspace({a}) = {still}");
    let common = a.max_common_layout(&a).into_result();
    let common = common.unwrap().to_dyn().unwrap();
    for i in 0..common.size() {
        assert_eq!(eval(&value, eval(&common, i)), i, "max_common_layout({a}, {a}) = {common}");
    }
}

/// What moves modes and computes nothing.
fn moves<A: AnyLayout, B: AnyLayout>(a: A, b: B) {
    let (value, other) = (a.to_dyn().unwrap(), b.to_dyn().unwrap());
    let (zero, one, two) = (U0::new(), U1::new(), U2::new());
    let whole = |what: &str| format!("{what}({a})");
    assert!(same::<A::Kind, _>(&whole("take"), a.take(one, two), value.take(1, 2)));
    assert!(same::<A::Kind, _>(&whole("group"), a.group(zero, two), value.group(0, 2)));
    let order = IntTuple::flat(&[1, 0]).unwrap();
    assert!(same::<Join<A, (U1, U0)>, _>(
        &whole("select"),
        a.select(&(one, zero)),
        value.select(&[1, 0]),
    ));
    assert!(same::<Join<A, (U1, U0)>, _>(
        &whole("coalesce_by"),
        a.coalesce_by(&(one, zero)),
        value.coalesce_by(&order),
    ));
    let both = |what: &str| format!("{what}({a}, {b})");
    assert!(same::<Join<A, B>, _>(&both("append"), a.append(&b), value.append(&other)));
    assert!(same::<Join<A, B>, _>(&both("prepend"), a.prepend(&b), value.prepend(&other)));
    assert!(same::<Join<A, B>, _>(&both("replace"), a.replace(one, &b), value.replace(1, &other)));
    assert!(same::<Join<A, B>, _>(&both("zip_with"), a.zip_with(&b), value.zip_with(&other)));
}

fn casts<A: AnyLayout>(a: A) {
    let value = a.to_dyn().unwrap();
    let two = U2::new();
    same::<A::Kind, _>(&format!("upcast({a}, 2)"), a.upcast(two), value.upcast(2));
    same::<A::Kind, _>(&format!("downcast({a}, 2)"), a.downcast(two), value.downcast(2));
    let (bytes, pairs) = (U8::new(), U16::new());
    let by_value = value.recast(8, 16);
    same::<A::Kind, _>(&format!("recast({a}, 8, 16)"), a.recast(bytes, pairs), by_value);
}

/// The strides are in the type.
fn inverts_from_the_left<S0: Nat, S1: Nat>(v: [usize; 2]) {
    let a = pair::<S0, S1, U1, U8>([number::<S0>(v[0]), number::<S1>(v[1]), 1, 8]);
    let value = a.to_dyn().unwrap();
    let by_value = value.left_inverse();
    if same::<A<S0, S1>, _>(&format!("left_inverse({a})"), a.left_inverse(), by_value)
        && let Ok(inverse) = a.left_inverse()
        && let Ok(inverse) = inverse.to_dyn()
    {
        for i in 0..value.size() {
            let offset = eval(&value, i);
            assert_eq!(eval(&value, eval(&inverse, offset)), offset, "left_inverse({a})");
        }
    }
}

fn one_layout2<S0: Nat, S1: Nat, D0: Nat, D1: Nat>(v: [usize; 4]) {
    let v = [number::<S0>(v[0]), number::<S1>(v[1]), number::<D0>(v[2]), number::<D1>(v[3])];
    let a = pair::<S0, S1, D0, D1>(v);
    coalesces(a);
    inverts(a);
    filters(a);
    casts(a);
    moves(a, pair::<U3, Dyn, Dyn, U1>([3, v[1], v[0], 1]));
    divides(a, Tile::<list!(Layout<U2, U1>, Layout<U3, U1>)>);
    let keep = (line::<Dyn, U1>([2, 1]), Keep);
    same::<Join<Pair<S0, S1, D0, D1>, (Line<Dyn, U1>, Keep)>, _>(
        "logical_divide",
        a.logical_divide(&keep),
        by(&a, &keep, DynLayout::logical_divide_by),
    );
    // A tile whose every number is known when the program runs.
    divides(a, (line::<Dyn, Dyn>([v[3].max(1), 1]), Layout::<U3, U1>));
    composes(a, Layout::<U4, U1>);
    composes(a, Layout::<list!(U2, U2), list!(U1, U2)>);
    composes(a, line::<Dyn, U1>([v[0], 1]));
    composes(a, line::<U3, Dyn>([3, v[0]]));
    composes(a, pair::<U2, Dyn, Dyn, U1>([2, v[0], v[0], 1]));
    composes(a, (Layout::<U2, U1>, line::<Dyn, Dyn>([v[2], v[3]])));
}

fn one_layout3<S0: Nat, S1: Nat, S2: Nat, D0: Nat, D1: Nat, D2: Nat>(v: [usize; 6]) {
    let v = [
        number::<S0>(v[0]),
        number::<S1>(v[1]),
        number::<S2>(v[2]),
        number::<D0>(v[3]),
        number::<D1>(v[4]),
        number::<D2>(v[5]),
    ];
    let a = nested::<S0, S1, S2, D0, D1, D2>(v);
    coalesces(a);
    inverts(a);
    filters(a);
    composes(a, Layout::<U4, U1>);
    composes(a, Tile::<list!(Keep, Layout<U2, U1>)>);
    composes(a, line::<Dyn, Dyn>([v[2], v[0]]));
}

// ---- operations with a tiler ----

fn divides<A: AnyLayout, T: AnyTiler>(a: A, tiler: T) -> usize {
    let what = |name| format!("{name}({a}, {})", tiler.to_tiler().unwrap());
    macro_rules! each {
        ($($name:ident $engine:ident)+) => {
            [$(same::<Join<A, T>, _>(
                &what(stringify!($name)),
                a.$name(&tiler),
                by(&a, &tiler, DynLayout::$engine),
            )),+]
        };
    }
    let done = each!(
        logical_divide logical_divide_by
        zipped_divide zipped_divide_by
        tiled_divide tiled_divide_by
        flat_divide flat_divide_by
    );
    assert!(done.iter().all(|ok| *ok == done[0]), "{}", what("divides"));
    usize::from(done[0])
}

fn composes<A: AnyLayout, T: AnyTiler>(a: A, b: T) -> bool {
    let what = format!("composition({a}, {})", b.to_tiler().unwrap());
    let by_value = by(&a, &b, DynLayout::composition_by);
    same::<Join<A, T>, _>(&what, a.composition(&b), by_value)
}

/// Values that often divide each other.
fn extent() -> impl Strategy<Value = usize> {
    prop_oneof![3 => 1usize..=8, 1 => prop::sample::select(vec![12usize, 16, 24])]
}
fn stride() -> impl Strategy<Value = usize> {
    prop_oneof![3 => 0usize..=8, 1 => prop::sample::select(vec![12usize, 16, 24])]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn two_modes(s0 in extent(), s1 in extent(), d0 in stride(), d1 in stride()) {
        patterns!(one_layout2<U4, U6, U6, U1> ([s0, s1, d0, d1]));
        patterns!(one_layout2<U1, U4, U1, U4> ([s0, s1, d0, d1]));
        patterns!(inverts_from_the_left<U4, U6> ([s0, s1]));
    }

    #[test]
    fn three_modes(
        s0 in extent(), s1 in extent(), s2 in extent(),
        d0 in stride(), d1 in stride(), d2 in stride(),
    ) {
        patterns!(one_layout3<U2, U1, U6, U1, U6, U2> ([s0, s1, s2, d0, d1, d2]));
    }

    /// What people write: compact layouts, whose extents or strides are run-time numbers.
    #[test]
    fn tiles_of_a_matrix_have_their_structure(m in 1usize..70, k in 1usize..70) {
        let rows = pair::<Dyn, Dyn, Dyn, U1>([m, k, k, 1]);
        let columns = pair::<Dyn, Dyn, U1, Dyn>([m, k, 1, m]);
        let tiles = Tile::<list!(Layout<U16, U1>, Layout<U8, U1>)>;
        prop_assert!(divides(rows, tiles) + divides(columns, tiles) == 2);
        prop_assert!(divides(rows, Tile::<list!(Layout<U16, U1>)>) == 1);
        let strided = Tile::<list!(Layout<U4, U2>, Layout<list!(U2, U2), list!(U1, U4)>)>;
        prop_assert!(divides(rows, strided) == 1);
        prop_assert!(composes(rows, tiles) && composes(columns, tiles));
        // A tile of k elements, for a run-time number of them.
        prop_assert!(divides(rows, (line::<Dyn, U1>([m, 1]), line::<Dyn, U1>([8, 1]))) == 1);
    }

    /// Extents of the whole that are powers of 2, seen through one mode.
    #[test]
    fn a_divisible_composition_has_its_structure(a in 0u32..5, b in 0u32..5, n in 0u32..6, q in 0u32..6) {
        let layout = pair::<Dyn, Dyn, Dyn, Dyn>([1 << a, 1 << b, 1, 100]);
        prop_assert!(composes(layout, line::<Dyn, Dyn>([1 << n, 1 << q])));
        prop_assert!(composes(layout, Layout::<U8, U1>));
        prop_assert!(composes(layout, Layout::<U4, U4>));
    }
}

// ---- complements and products ----

fn complements<S0: Nat, S1: Nat>(v: [usize; 3]) {
    let a = pair::<S0, S1, U1, U24>([number::<S0>(v[0]), number::<S1>(v[1]), 1, 24]);
    let (value, n) = (a.to_dyn().unwrap(), v[2]);
    let ok = same::<A<S0, S1>, _>(
        &format!("complement({a}, {n})"),
        a.complement(&n),
        value.complement(&n),
    );
    // An extent of 1 goes by value, and what is left then need not be a multiple of its stride.
    let goes = value.extents().contains(&1);
    assert!(ok || goes || 24 % value.extents()[0] != 0, "complement({a}, {n})");
    same::<A<S0, S1>, _>("complement in 48", a.complement(&U48::new()), value.complement(&48));
    let shape = IntTuple::flat(&[n, 4]).unwrap();
    same::<A<S0, S1>, _>(
        &format!("complement({a}, {shape})"),
        a.complement(&(n, U4::new())),
        value.complement_shape(&shape),
    );
    same::<A<S0, S1>, _>(
        &format!("complement({a})"),
        a.complement_in_cosize(),
        value.complement_in_cosize(),
    );
    for copies in [line::<Dyn, U1>([n, 1]), line::<Dyn, U1>([1, 1])] {
        same::<A<S0, S1>, _>(
            &format!("logical_product({a}, {copies})"),
            a.logical_product(&copies),
            value.logical_product(&copies.to_dyn().unwrap()),
        );
    }
    let by_mode = (Layout::<U2, U1>, line::<Dyn, U1>([n, 1]));
    macro_rules! each {
        ($($name:ident $engine:ident)+) => {$(
            same::<A<S0, S1>, _>(
                &format!("{}({a}, <2:1, {n}:1>)", stringify!($name)),
                a.$name(&by_mode),
                by(&a, &by_mode, DynLayout::$engine),
            );
        )+};
    }
    each!(
        logical_product logical_product_by
        zipped_product zipped_product_by
        tiled_product tiled_product_by
        flat_product flat_product_by
    );
}
type A<S0, S1> = <Pair<S0, S1, U1, U24> as layout_core::types::Operand>::Kind;

proptest! {
    #[test]
    fn complements_and_products(s0 in extent(), s1 in extent(), n in 1usize..100) {
        patterns!(complements<U8, U3> ([s0, s1, n]));
        let free = line::<U4, Dyn>([4, s0]);
        let value = free.to_dyn().unwrap();
        prop_assert!(same::<A<U8, U3>, _>("complement", free.complement(&n), value.complement(&n)));
    }
}

// ---- kinds, types and errors ----

#[test]
fn the_example_of_static_against_run_time() {
    type S = list!(U2, list!(U1, U6));
    type D = list!(U1, list!(U6, U2));
    type Open = list!(Dyn, list!(Dyn, Dyn));
    assert_type_eq!(Coalesce<Layout<S, D>>, Layout<U12, U1>);
    assert_eq!(Layout::<S, D>.coalesce(), Layout::<U12, U1>);
    let open: Mixed<Open, Open> = nested([2, 1, 6, 1, 6, 2]);
    assert_eq!(open.coalesce().unwrap().to_string(), "(2,1,6):(1,6,2)");
    assert_eq!(open.to_dyn().unwrap().coalesce().to_string(), "12:1");
}

#[test]
fn result_types_keep_static_leaves() {
    type Rows = Pair<Dyn, Dyn, Dyn, U1>;
    type Tiles = Tile<list!(Layout<U128, U1>, Layout<U64, U1>)>;
    assert_type_eq!(
        ZippedDivide<Rows, Tiles>,
        Mixed<list!(list!(U128, U64), list!(Dyn, Dyn)), list!(list!(Dyn, U1), list!(Dyn, U64))>
    );
    assert_type_eq!(LogicalDivide<Line<Dyn, U3>, Layout<U4, U1>>,
        Mixed<list!(U4, Dyn), list!(U3, U12)>);
    assert_type_eq!(Composition<Layout<U20, U2>, Line<Dyn, U4>>, Line<Dyn, U8>);
    assert_type_eq!(Composition<Pair<U4, Dyn, U1, U4>, Layout<U8, U2>>, Line<U8, U2>);
    assert_type_eq!(RightInverse<Pair<Dyn, Dyn, Dyn, U1>>, Line<Dyn, Dyn>);
    assert_type_eq!(Coalesce<Pair<U4, Dyn, U1, U4>>, Line<Dyn, U1>);
    // A single step is a single step, however long the extent is.
    assert_type_eq!(Composition<Pair<Dyn, U8, U16, U1>, Layout<U4, U1>>, Pair<Dyn, Dyn, U16, U1>);
}

#[test]
fn a_slice_of_tiles_is_a_local_tile() {
    let rows = pair::<Dyn, Dyn, Dyn, U1>([300, 100, 100, 1]);
    let tiles = rows.zipped_divide(&Tile::<list!(Layout<U128, U1>, Layout<U64, U1>)>).unwrap();
    assert_eq!(tiles.to_string(), "((128,64),(3,2)):((100,1),(12800,64))");
    let (tile, offset) = tiles.slice((.., (2, 1)));
    for (i, j) in [(0, 0), (43, 35), (17, 5)] {
        assert_eq!(tile.offset(((i, j),)) + offset, rows.offset((256 + i, 64 + j)));
    }
}

#[test]
fn shapes_of_numbers_of_all_kinds_make_layouts() {
    assert_type_eq!(Make<(usize, U4)>, Pair<Dyn, U4, U1, Dyn>);
    assert_type_eq!(RowMajor<(usize, U4)>, Pair<Dyn, U4, U4, U1>);
    assert_type_eq!(RowMajor<list!(U3, U4)>, Layout<list!(U3, U4), list!(U4, U1)>);
    assert_type_eq!(Make<IntTuple>, DynLayout);
    let a = nested::<Dyn, U3, Dyn, U1, Dyn, U12>([2, 3, 4, 1, 2, 12]);
    let flat = a.flatten().unwrap();
    assert_eq!(flat.unflatten(&(U0::new(), (U0::new(), U0::new()))), Ok(a));
    assert_eq!(a.select(&U1::new()).unwrap().to_string(), "((3,4)):((2,12))");
    let order = IntTuple::flat(&[1, 0]).unwrap();
    assert_eq!(a.select(&order).unwrap().to_string(), "((3,4),2):((2,12),1)");
    assert!(a.select(&IntTuple::tuple(&[order]).unwrap()).is_err());
}

#[test]
fn a_block_fills_a_run_time_shape() {
    let block = Layout::<list!(U8, U4), list!(U4, U1)>;
    for (m, n) in [(8, 4), (32, 8), (16, 40), (12, 4), (8, 0)] {
        let target = IntTuple::flat(&[m, n]).unwrap();
        let order = IntTuple::flat(&[1, 0]).unwrap();
        let by_value = block.to_dyn().unwrap().tile_to_shape(&target);
        let what = format!("tile_to_shape({block}, {target})");
        assert!(same::<MixedKind, _>(&what, block.tile_to_shape(&(m, n)), by_value));
        let by_value = block.to_dyn().unwrap().tile_to_shape_ordered(&target, &order);
        let ordered = block.tile_to_shape_ordered(&(m, n), &(U1::new(), U0::new()));
        assert!(same::<MixedKind, _>(&what, ordered, by_value));
        let copies = line::<Dyn, U1>([m, 1]);
        let by_value = block.to_dyn().unwrap().raked_product(&copies.to_dyn().unwrap());
        assert!(same::<MixedKind, _>("raked", block.raked_product(&copies), by_value));
    }
}

#[test]
fn any_operand_at_run_time_makes_the_result_dynamic() {
    let rows = pair::<Dyn, Dyn, Dyn, U1>([8, 8, 8, 1]);
    let by: DynLayout = rows.logical_divide(&DynLayout::leaf(16, 1)).unwrap();
    assert_eq!(by.to_string(), "((8,2),4):((8,1),2)");
    let fixed = Layout::<U24, U1>;
    let result: DynLayout = fixed.composition(&Tiler::layout(&DynLayout::leaf(4, 2))).unwrap();
    assert_eq!(result.to_string(), "4:2");
    let result: DynLayout = Algebra::composition(&DynLayout::leaf(24, 1), &fixed).unwrap();
    assert_eq!(result.to_string(), "24:1");
    assert_eq!(fixed.composition(&Layout::<U4, U2>), Layout::<U4, U2>);
    assert_eq!(fixed.complement(&IntTuple::leaf(48)).unwrap().to_string(), "2:24");
}

#[test]
fn structure_that_differs_from_the_type_is_an_error() {
    // Steps of 6 leave the first mode in the middle: by value there is a layout of other modes.
    let a = pair::<Dyn, Dyn, Dyn, Dyn>([4, 8, 100, 1]);
    let error = a.composition(&line::<Dyn, Dyn>([2, 6])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "composition: these values make 2:201, which does not have the modes that the types promise"
    );
    assert_eq!(error.code(), "L0360");
    assert_eq!(
        error.help().as_str(),
        "use to_dyn() on the operands: the algebra then works by value"
    );
    // What the engine refuses has the engine's reason.
    let error = a.composition(&line::<Dyn, U1>([6, 1])).unwrap_err();
    assert_eq!(error, a.to_dyn().unwrap().composition(&DynLayout::leaf(6, 1)).unwrap_err());
    let empty = pair::<Dyn, Dyn, U1, Dyn>([0, 8, 1, 0]);
    assert_eq!(empty.composition(&Layout::<U4, U1>), Err(LayoutError::ZeroExtent));
    type Open = Pair<Dyn, Dyn, U1, Dyn>;
    let huge = Open::new(((MAX_SIZE / 2, ()), ((MAX_SIZE / 2, 1), ())));
    assert!(matches!(
        huge.logical_divide(&Layout::<U4, U1>),
        Err(LayoutError::SizeOverflow { .. })
    ));
    let long = line::<Dyn, Dyn>([MAX_SIZE / 1024, 1 << 8]);
    assert!(long.logical_product(&line::<Dyn, U1>([MAX_SIZE / 1024, 1])).is_err());
}

/// What a coordinate fixes, for layouts of every kind.
#[test]
fn dice_is_the_rest_of_a_slice() {
    type Known = Layout<list!(U4, list!(U2, U3)), list!(U6, list!(U3, U1))>;
    let value = DynLayout::parse("(4,(2,3)):(6,(3,1))").unwrap();
    let mixed: Nested<Dyn, U2, Dyn, U6, Dyn, U1> = value.try_into().unwrap();
    type Fixed = Layout<list!(U4, U3), list!(U6, U1)>;
    let known: Fixed = Known::default().dice((0, (.., 0)));
    assert_eq!(known.to_string(), "(4,3):(6,1)");
    let own: Pair<Dyn, Dyn, U6, U1> = mixed.dice((0, (.., 0))).unwrap();
    assert_eq!(own.to_string(), "(4,3):(6,1)");
    let slicer = Slicer::parse("(0,(_,0))").unwrap();
    assert_eq!(algebra::dice(&value, &slicer), Ok(own.to_dyn().unwrap()));
    assert_eq!(AnyLayout::dice(&value, (0, (.., 0))), algebra::dice(&value, &slicer));
    assert!(AnyLayout::dice(&value, (.., ..)).is_err());
    assert!(AnyLayout::dice(&value, (0, 0, ..)).is_err());
}

/// One number for layouts of every kind: a constant where both are static.
#[test]
fn common_vectors_of_all_kinds_are_the_engines() {
    type Known = Layout<list!(U4, U8), list!(U1, U8)>;
    let value = DynLayout::parse("(4,8):(1,8)").unwrap();
    let mixed: Pair<U4, Dyn, U1, Dyn> = value.try_into().unwrap();
    let dense = Layout::<U32, U1>;
    assert_eq!(dense.max_common_vector(&Known::default()), 4);
    assert_eq!((mixed.max_common_vector(&dense), dense.max_common_vector(&mixed)), (4, 4));
    assert_eq!(value.max_common_vector(&dense.to_dyn().unwrap()), 4);
    assert_eq!(AnyLayout::max_common_vector(&mixed, &value), 4);
}
