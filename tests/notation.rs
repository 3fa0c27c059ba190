//! The notation at run time: `parse(print(x)) == x`, byte ranges of errors, and no text panics.

use proptest::collection::vec;
use proptest::prelude::*;
use static_layout::engine::{ComposedLayout, MorelloLayout, PhysDim, Swizzle};
use static_layout::text::{OPERATIONS, Value, eval};
use static_layout::{DynLayout, IntTuple, Tiler};

fn int_tuple() -> impl Strategy<Value = IntTuple> {
    let leaf = prop_oneof![0usize..20, Just(0x7fff_ffff_ffff_ffff)].prop_map(IntTuple::leaf);
    leaf.prop_recursive(4, 24, 4, |part| {
        vec(part, 1..4).prop_filter_map("few enough leaves", |parts| IntTuple::tuple(&parts).ok())
    })
}

fn layout() -> impl Strategy<Value = DynLayout> {
    let leaf = (0usize..9, 0usize..100).prop_map(|(s, d)| DynLayout::leaf(s, d));
    leaf.prop_recursive(3, 16, 4, |mode| {
        vec(mode, 1..4).prop_filter_map("few enough leaves", |modes| DynLayout::tuple(&modes).ok())
    })
}

fn tiler() -> impl Strategy<Value = Tiler> {
    let leaf = prop_oneof![Just(Tiler::keep()), layout().prop_map(|l| Tiler::layout(&l))];
    leaf.prop_recursive(2, 8, 3, |mode| {
        vec(mode, 1..4).prop_filter_map("few enough leaves", |modes| Tiler::modes(&modes).ok())
    })
}

fn morello() -> impl Strategy<Value = MorelloLayout> {
    let kind = prop_oneof![
        Just(PhysDim::Dynamic),
        (2usize..40).prop_map(PhysDim::Packed),
        (1usize..20).prop_map(|half| PhysDim::OddEven(2 * half)),
    ];
    vec((0usize..4, kind), 0..8).prop_filter_map("valid", |dims| MorelloLayout::new(&dims).ok())
}

/// Valid and invalid pieces of notation in random order.
fn token_soup() -> impl Strategy<Value = String> {
    let mut pieces: Vec<String> =
        "( ) [ ] { } < > , : :: - _ o \u{2218} for p oe p(4) oe(16) n _4 0 1 2 8 4u8 0oe 0p(4) 4.8 0x1 \
         9223372036854775807 9223372036854775808 é $ (4,8):(8,1) 8:2 <2,_> [1,0,1p(4)] (6,8) (( Sw<2,0,3> Sw< Sw (3,_) @ + 1@0 -2@1 2@1@0 4:-1"
            .split(' ')
            .map(str::to_owned)
            .collect();
    pieces.extend(OPERATIONS.iter().map(|operation| format!("{}(", operation.name)));
    vec(prop::sample::select(pieces), 0..24).prop_map(|pieces| pieces.join(" "))
}

fn reports_inside(text: &str) -> Result<(), TestCaseError> {
    if let Err(error) = eval(text).inspect(|value| drop(value.to_string())) {
        prop_assert!(!error.problems().is_empty());
        for problem in error.problems() {
            prop_assert!(text.get(problem.span.clone()).is_some(), "{text:?}: {problem:?}");
            prop_assert!(!problem.error.message().as_str().is_empty());
        }
        prop_assert_eq!(error.to_string().lines().count(), error.problems().len());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_parses_back(
        t in int_tuple(), l in layout(), by in tiler(), m in morello(), spaces in any::<bool>()
    ) {
        // Blanks are ignored.
        let text = |printed: String| if spaces { printed.replace(',', " , ") } else { printed };
        prop_assert_eq!(IntTuple::parse(&text(t.to_string())).unwrap(), t);
        prop_assert_eq!(DynLayout::parse(&text(l.to_string())).unwrap(), l);
        prop_assert_eq!(text(by.to_string()).parse::<Tiler>().unwrap(), by);
        prop_assert_eq!(MorelloLayout::parse(&text(m.to_string())).unwrap(), m);
        prop_assert_eq!(eval(&l.to_string()).unwrap(), Value::Layout(l));
        let swizzled = ComposedLayout::new(&Swizzle::new(2, 1, -3).unwrap(), m.dims().len(), &l);
        if let Ok(swizzled) = swizzled {
            prop_assert_eq!(eval(&text(swizzled.to_string())).unwrap(), Value::Composed(swizzled));
        }
    }

    #[test]
    fn no_text_panics(soup in token_soup(), any in ".{0,60}") {
        reports_inside(&soup)?;
        reports_inside(&any)?;
    }
}

#[test]
fn neither_length_nor_depth_overflows() {
    for text in [
        "(".repeat(100_000),
        "(".repeat(100_000) + &")".repeat(100_000),
        "<".repeat(100_000),
        "[".repeat(100_000),
        "{".repeat(100_000) + &"}".repeat(100_000),
        "flatten(".repeat(100_000) + &")".repeat(100_000),
        "1 o ".repeat(100_000) + "1",
        "1,".repeat(100_000),
        format!("({})", "1,".repeat(100_000)),
        format!("[{}]", "0 p(2),".repeat(100_000)),
        "1:".repeat(100_000),
        "9".repeat(100_000),
        "a::".repeat(100_000),
        "a<".repeat(100_000),
        "_".repeat(100_000),
        "$ ".repeat(100_000),
    ] {
        reports_inside(&text).unwrap();
    }
    let deepest = "(".repeat(32) + "1" + &")".repeat(32);
    assert_eq!(IntTuple::parse(&deepest).unwrap().depth(), 32);
    assert_eq!(DynLayout::parse("1 o 1 o 1").unwrap().to_string(), "1:0");
}

#[test]
fn forms() {
    for (text, value) in [
        ("8", "8:1"),
        ("(4)", "(4):(1)"),
        ("((4))", "((4)):((1))"),
        ("(2, 1, 3)", "(2,1,3):(1,0,2)"),
        ("((4,8):(8,1))", "(4,8):(8,1)"),
        ("(_4,_8):(_8,_1)", "(4,8):(8,1)"),
        ("1_000:3", "1000:3"),
        ("20:2 \u{2218} (5,4):(4,1)", "(5,4):(8,2)"),
        ("(20:2) o ((5,4):(4,1))", "(5,4):(8,2)"),
        ("composition((4, 8):(8, 1), <2, 4>)", "(2,4):(8,1)"),
        ("complement(4:2)", "2:1"),
        ("complement(4:2, (4, 6))", "(2,3):(1,8)"),
        ("coalesce((2,(1,6)):(1,(6,2)))", "12:1"),
        ("coalesce((2,(1,6)):(1,(6,2)), (1,1))", "(2,6):(1,2)"),
        ("flatten((2,(1,6)):(1,(6,2)))", "(2,1,6):(1,6,2)"),
        ("logical_divide((8,8), <4, _>)", "((4,2),8):((1,4),8)"),
        ("zipped_divide((8,8), <4, 4>)", "((4,4),(2,2)):((1,8),(4,32))"),
        ("logical_product((2,2):(2,1), 3)", "((2,2),3):((2,1),4)"),
        ("right_inverse((4,8):(8,1))", "(8,4):(4,1)"),
        ("[1, 0, 1 p(4)] for (6, 8)", "(6,(4,2)):(4,(1,24))"),
        ("[0, 1, 1 p(4),] for (6, 8,)", "(6,8):(8,1)"),
        ("[] for (1, 1)", "(1,1):(0,0)"),
        ("[0, 1 p(4)]", "[0, 1 p(4)]"),
        ("<8, _, <2:3>>", "<8:1,_,<2:3>>"),
        ("flatten([1, 0, 1 p(4)] for (6, 8))", "(6,4,2):(4,1,24)"),
        ("logical_divide((8,8), (4,4))", "((4,2),(4,2)):((1,4),(8,32))"),
        ("composition((4,8):(8,1), _)", "(4,8):(8,1)"),
        ("size((4, 8))", "32"),
        ("idx2crd(5, (3, (2, 3)))", "(2,(1,0))"),
        ("eval((4,8):(8,1), (2,3))", "19"),
        ("eval((4,8):(8,1), (2,_))", "(8):(1)"),
        ("slice((4,12):(12,1), (3,_))", "(12):(1)"),
        ("slice_and_offset((4,12):(12,1), (3,_))", "(12):(1) @ 36"),
        ("local_tile((8,12):(12,1), (4,3), (1,2))", "(4,3):(12,1) @ 54"),
        ("compatible(24, (4,6))", "true"),
        ("table(3:2)", "[0, 2, 4]"),
        ("image((2,2):(1,3))", "[0, 1, 3, 4]"),
        ("gaps((2,2):(1,3))", "[2]"),
        ("gaps(4)", "[]"),
        ("Sw<3,0,-3>", "Sw<3,0,-3>"),
        ("Sw<3, 0, 3> o 4 o (8,8):(8,1)", "Sw<3,0,3> o 4 o (8,8):(8,1)"),
        ("Sw<3,0,3> o (8,8):(8,1)", "Sw<3,0,3> o 0 o (8,8):(8,1)"),
        ("Sw<3,0,3> o (8,8)", "Sw<3,0,3> o 0 o (8,8):(1,8)"),
        ("Sw<3,0,3> o 8", "Sw<3,0,3> o 0 o 8:1"),
        ("Sw<3,0,3> o 4 o (8,8):(8,1) o <4, _>", "Sw<3,0,3> o 4 o (4,8):(8,1)"),
        ("Sw<1,1,3> o Sw<1,0,3> o 4 o 8", "Sw<2,0,3> o 4 o 8:1"),
        ("Sw<1,1,3> o (Sw<1,0,3> o 4 o 8)", "Sw<2,0,3> o 4 o 8:1"),
        ("Sw<0,0,0> o 0 o 8:1", "8:1"),
        ("eval(Sw<2,0,2> o 0 o (4,4):(4,1), (1,1))", "4"),
        ("slice(Sw<2,0,2> o 0 o (4,4):(4,1), (1,_))", "Sw<2,0,2> o 4 o (4):(1)"),
        ("swizzle_compose(Sw<2,0,2>, (4,4):(4,1))", "Sw<2,0,2> o 0 o (4,4):(4,1)"),
        ("zipped_divide(identity((7,10)), <4, 5>)", "((4,5),(2,2)):((1@0,1@1),(4@0,5@1))"),
        ("table(identity((2,2)))", "[(0,0), (1,0), (0,1), (1,1)]"),
        ("(4,8):(-1,4)", "(4,8):(-1,4)"),
        ("(4,4):(-1,1) o (2,4,2):(1,4,2)", "(2,4,2):(-1,1,-2)"),
        ("4:-1 o 4:-1", "4:1"),
        ("(4,4):(4,1) o (4,4):(1@1,1@0)", "(4,4):(1,4)"),
        ("(4,4):(4,1) o 4:1@0+1@1", "4:5"),
        ("right_inverse(4:-1)", "1:0"),
        ("image((4,2):(-1,8))", "[-3, -2, -1, 0, 5, 6, 7, 8]"),
        ("eval((4,2):(-1@0,1@1), 7)", "(-3,1)"),
        ("slice_and_offset(identity((4,8)), (_,3))", "(4):(1@0) @ (0,3)"),
        ("append(4:-1, 4:4)", "(4,4):(-1,4)"),
        ("8:2 @ 6", "8:2 @ 6"),
        ("(4,8):(8,1) o _", "(4,8):(8,1)"),
        ("(4,8):(8,1) o <2, _> o _", "(2,8):(8,1)"),
        (
            "tile_to_shape(Sw<2,0,2> o 0 o (4,4):(4,1), (8,4))",
            "Sw<2,0,2> o 0 o ((4,2),(4,1)):((4,16),(1,0))",
        ),
        ("slice_and_offset(Sw<2,0,2> o 8 o (4,4):(4,1), (1,_))", "Sw<2,0,2> o 12 o (4):(1)"),
        ("local_tile(Sw<3,0,3> o 0 o (8,8):(8,1), <4,4>, (1,1))", "Sw<3,0,3> o 36 o (4,4):(8,1)"),
        ("(8:2) @ -6", "8:2 @ -6"),
        ("8:2@6", "8:2@6"),
        ("[0, 1]", "[0, 1]"),
        ("[(0,0), (1,-1)]", "[(0,0), (1,-1)]"),
        ("true", "true"),
        ("-3", "-3"),
        ("(8,8):(8,1) o Sw<3,0,3>", "Sw<3,0,-3> o 0 o (8,8):(8,1)"),
        ("(8,8):(8,1) o (Sw<3,0,3> o 0 o (8,8):(1,8))", "Sw<3,0,-3> o 0 o (8,8):(8,1)"),
        ("4 o Sw<3,0,3>", "4:1"),
    ] {
        assert_eq!(
            eval(text).unwrap_or_else(|e| panic!("{text}: {e}")).to_string(),
            value,
            "{text}"
        );
    }
}

#[test]
fn errors_have_byte_ranges() {
    for (text, expected) in [
        ("", "L0101 0..0"),
        ("  ", "L0101 2..2"),
        ("(4,8)$:(8,1)é", "L0102 5..6, L0102 12..14"),
        ("9223372036854775808:1", "L0103 0..19"),
        ("(4.8):(0x1)", "L0104 1..4, L0104 7..10"),
        ("(4,8u32):(8,-)", "L0105 3..7, L0107 13..14"),
        ("(4,-8):(8,-1)", "L0106 3..5"),
        ("eval((4):(-1), -3)", "L0106 15..17"),
        ("(4,4):(1,1@0)", "L0345 0..13"),
        ("4:1@0@1@2@3@4@5@6@7@8", "L0213 2..21"),
        ("(4,4):(4,1) o 4:1@2", "L0348 0..19"),
        ("1@0", "L0114 0..3"),
        ("complement(4:-1, 8)", "L0362 13..15"),
        ("complement((4,2):(1@0,-1@1), 8)", "L0362 22..26"),
        ("left_inverse((4,2):(1@0+1@1,1@0))", "L0363 20..27"),
        ("4:-(1)", "L0107 3..4"),
        ("[-1, 0 p(4)]", "L0114 11..12"),
        ("(12):(1) @ _", "L0120 11..12"),
        ("4:2 @ 1@0", "L0114 6..9"),
        ("4:2 @ (1,0)", "L0114 6..11"),
        ("_ o 4:2", "L0120 0..1"),
        ("(4,8):", "L0107 6..6"),
        ("(4,,8):(8,1)", "L0107 3..4"),
        ("(4,8) 8", "L0108 6..7"),
        ("((4,8):(8,1)", "L0110 0..1"),
        ("<4, 8", "L0110 0..1"),
        ("(4,8]:(8,1)", "L0110 0..1"),
        ("(4,8)):(8,1)", "L0111 5..6"),
        ("coalese(4:1, flaten(8:1))", "L0112 0..7, L0112 13..19"),
        ("composition(4:1)", "L0113 0..11"),
        ("complement(4:1, _)", "L0120 16..17"),
        ("(8,8) o (4,4)", "L0115 8..13"),
        ("(n, {2 * m}):(1, N)", "L0119 1..2, L0119 4..11, L0119 17..18"),
        ("(n, {m}):(1, N)", "L0119 1..2, L0119 4..7, L0119 13..14"),
        ("(_, 4):(4, 1)", "L0120 1..2"),
        ("[0 q(4), 2p(2)]", "L0122 3..4, L0123 9..11"),
        ("[1, 0] o 4", "L0124 0..6"),
        ("():()", "L0201 0..2, L0201 3..5"),
        ("(4,(2,2),8):(4,1,(1,2))", "L0204 15..16, L0204 17..22"),
        ("[0, 1 p(3)] for (4, 8)", "L0403 4..10"),
        ("[0, 1, 3] for (4, 8, 2)", "L0409 7..8, L0401 21..22"),
        ("[0] for 8", "L0114 8..9"),
        ("[0] for ((2, 4))", "L0114 9..15"),
        ("composition((6,2):(1,7), 4:2)", "L0301 25..26"),
        ("Sw<3,0,2>", "L0341 0..9"),
        ("Sw<3,-1,3>", "L0106 5..6"),
        ("Sw<3,0>", "L0107 6..7"),
        ("(4,8):(8,1) o Sw<2,1,2>", "L0349 0..23"),
        ("8:1 o (Sw<2,0,2> o 4 o 8)", "L0350 0..25"),
        ("slice((4,8):(8,1), (3,_,_))", "L0338 19..26"),
        ("Sw<99999999999,0,99999999999>", "L0342 0..29"),
        ("select((2,3,5):(1,2,6), ((0,1),2))", "L0114 0..34"),
        ("size((4,_))", "L0120 8..9"),
        ("swizzle_apply(8:1, 3)", "L0114 14..17"),
        ("table(1048577)", "L0126 0..14"),
        ("unknown((3,_))", "L0112 0..7"),
    ] {
        let error = eval(text).map_err(|error| {
            let problems = error.problems().iter();
            let lines = problems.map(|p| format!("{} {:?}", p.error.code(), p.span));
            lines.collect::<Vec<_>>().join(", ")
        });
        assert_eq!(error.map(|value| value.to_string()), Err(expected.to_owned()), "{text}");
    }
    let error = DynLayout::parse("<4, 8>").unwrap_err();
    assert_eq!(error.to_string(), "expected a layout, found a tiler (at 0..6)");
    let error = DynLayout::parse("flatten((4,8):(8,-1))").unwrap_err();
    assert_eq!(error.problems()[0].span, 17..19);
    assert_eq!(
        format!("{error:#}"),
        "a stride in memory cannot be negative or have a direction (at 17..19)\n  \
         help: CoordinateLayout and `layout eval` support strides such as -1 and 2@1"
    );
    let error = DynLayout::parse("(4,8):(8,1,2)").unwrap_err();
    assert_eq!(
        format!("{error:#}"),
        "shape (4,8) has 2 modes but its stride (8,1,2) has 3 (at 6..13)\n  \
         help: write one stride for each extent, nested in the same way"
    );
}

/// Errors mark what is wrong, not the whole call: the token of the number, if the argument contains
/// it exactly once.
#[test]
fn errors_point_at_the_argument() {
    for (text, marked) in [
        ("(6,2):(1,7) o (2,4):(1,2)", "4"),
        ("(4,(6,8)):(2,(3,5)) o ((3,2),6):((1,4),3)", "6"),
        ("composition((6,2):(1,7), (3,2):(2,3))", "(3,2):(2,3)"),
        ("flat_divide((4,8):(1,7), 6:1)", "6"),
        ("logical_divide((4,8):(8,1), <2, 4, 2>)", "<2, 4, 2>"),
        ("zipped_divide((4,8):(8,1), <4, _>)", "_"),
        ("complement((2,2):(2,3), 19)", "3"),
        ("logical_product((4,2):(1,3), 3:1)", "3"),
        ("logical_product(((4,2,2),2):((11,10,8),1), <2:1>)", "10"),
        ("logical_product((2,(4,2,2)):(1,(11,10,8)), <_,2:1>)", "10"),
        ("tiled_divide((8,8), <_, (2,2):(4,3)>)", "4"),
        ("complement((8,8), 0)", "0"),
        ("recast((4,8):(8,1), 0, 12)", "0"),
        ("eval((4,8):(8,1), (1,8))", "8"),
        ("eval((8,8):(8,1), (8,8))", "(8,8)"),
        ("crd2idx((3,9), (4,8))", "9"),
        ("upcast((4,6):(6,1), 4)", "6"),
        ("downcast((4,6):(6,2), 2)", "(6,2)"),
        ("left_inverse((4,2):(2,3))", "3"),
        ("tile_to_shape((4,3):(3,1), (10,9))", "10"),
        ("select((4,8):(8,1), (0,2))", "2"),
        ("take((4,8):(8,1), 1, 1)", "1, 1"),
        ("coalesce((4,8):(8,1), (1,1,1))", "(1,1,1)"),
        ("local_tile((4,8):(1,5), <_, 3>, 0)", "_"),
        // For computed arguments, the whole argument. For errors of several numbers, the whole call.
        ("logical_divide((4,5,1):(5,1,1), 3:1)", "3:1"),
        ("left_inverse((4,2,5):(1,1,0))", "left_inverse((4,2,5):(1,1,0))"),
    ] {
        let Err(error) = eval(text) else { panic!("{text} has a value") };
        let problem = &error.problems()[0];
        let span = problem.span.clone();
        assert_eq!(&text[span.clone()], marked, "{text}: {} at {span:?}", problem.error);
    }
}

#[test]
fn what_other_tools_print_has_its_reader_named() {
    for text in ["memref<4x8xf32>", "Layout<Shape<_4,_8>, Stride<_8,_1>>", "strided<[8, 1]>"] {
        let error = eval(text).expect_err(text);
        let first = &error.problems()[0].error;
        assert_eq!(first.code(), "L0119", "{text}: {error}");
        assert!(first.help().as_str().starts_with("layout_view::notation"), "{text}: {error:#}");
    }
}
