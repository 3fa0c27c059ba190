//! Examples of what the engine and the tokens do: trees, coordinates, injectivity, subscripts.

use std::collections::HashSet;

use layout_core::engine::{DynLayout, IntTuple, MAX_SIZE, Subscripts};
use layout_core::error::{AlgebraError, LayoutError};
use layout_core::text::integer;

// ---- trees of integers ----

fn t(parts: &[IntTuple]) -> IntTuple {
    IntTuple::tuple(parts).unwrap()
}

fn n(v: usize) -> IntTuple {
    IntTuple::leaf(v)
}

#[test]
fn trees_keep_their_parentheses() {
    let deep = t(&[t(&[t(&[n(1)])]), n(2), t(&[n(3), t(&[n(4), n(5)])])]);
    assert_eq!(deep.to_string(), "(((1)),2,(3,(4,5)))");
    assert_eq!((deep.rank(), deep.depth(), deep.len()), (3, 3, 5));
    assert_eq!(deep.mode(0).to_string(), "((1))");
    assert_eq!(deep.mode(1).to_string(), "2");
    assert_eq!(deep.mode(2).to_string(), "(3,(4,5))");
    assert_eq!(deep.mode(2).mode(1).to_string(), "(4,5)");
    assert_eq!(deep.mode(0).mode(0).mode(0).to_string(), "1");
    let one = t(&[t(&[n(4), n(2)])]);
    assert_eq!((one.to_string().as_str(), one.rank(), one.depth()), ("((4,2))", 1, 2));
    assert_eq!(one.mode(0).to_string(), "(4,2)");
}

#[test]
fn an_integer_is_not_a_rank_one_tuple() {
    assert_ne!(n(4), t(&[n(4)]));
    assert_eq!((n(4).rank(), n(4).depth()), (1, 0));
    assert_eq!((t(&[n(4)]).rank(), t(&[n(4)]).depth()), (1, 1));
    assert!(!n(4).congruent(&t(&[n(4)])));
}

#[test]
fn products_do_not_wrap() {
    let big = t(&[n(MAX_SIZE / 2), n(4)]);
    assert_eq!(big.product(), Err(LayoutError::SizeOverflow { shape: big }));
    assert_eq!(t(&[n(MAX_SIZE / 2), n(4), n(0)]).product(), Ok(0));
}

// ---- coordinates ----

/// The definition, mode by mode.
fn offset(layout: &DynLayout, coordinate: &IntTuple) -> Option<usize> {
    if coordinate.is_int() {
        let mut index = coordinate.leaves()[0];
        let mut offset = 0;
        for (&extent, &stride) in layout.extents().iter().zip(layout.strides()) {
            offset += index.checked_rem(extent)? * stride;
            index /= extent;
        }
        return if index == 0 { Some(offset) } else { None };
    }
    if layout.shape().is_int() || coordinate.rank() != layout.rank() {
        return None;
    }
    (0..layout.rank()).map(|i| offset(&layout.mode(i), &coordinate.mode(i))).sum()
}

#[test]
fn coordinates_of_any_nesting() {
    let layouts = [
        "6:2",
        "(6):(2)",
        "((6)):((2))",
        "(2,3):(3,1)",
        "((2,3)):((3,1))",
        "((2,3),4):((3,1),6)",
        "(2,(3,4)):(3,(1,6))",
        "((2),(3,(4))):((3),(1,(6)))",
        "((2,(3,2)),(4,5)):((1,(2,6)),(12,48))",
        "(2,0):(1,2)",
    ];
    let integers = [0, 1, 2, 3, 5, 6, 23];
    let nestings = [
        "a",
        "(a)",
        "((a))",
        "(a,b)",
        "((a,b))",
        "((a),b)",
        "(a,(b))",
        "((a,b),c)",
        "(a,(b,c))",
        "((a),(b,(c)))",
        "((a,(b,c)),d)",
        "((a,(b,c)),(d,e))",
        "(a,b,c)",
    ];
    let (mut right, mut wrong) = (0, 0);
    for text in layouts {
        let layout = match DynLayout::parse(text) {
            Ok(layout) => layout,
            // The notation has no extent of 0.
            Err(_) => {
                let flat = |a, b| IntTuple::flat(&[a, b]).unwrap();
                DynLayout::new(&flat(2, 0), &flat(1, 2)).unwrap()
            }
        };
        for nesting in nestings {
            for i in 0..integers.len().pow(3) {
                let n = |k: u32| integers[i / integers.len().pow(k) % integers.len()];
                let letters = [('a', n(0)), ('b', n(1)), ('c', n(2)), ('d', n(1)), ('e', n(0))];
                let mut text = nesting.to_string();
                for (letter, value) in letters {
                    text = text.replace(letter, &value.to_string());
                }
                let coordinate = IntTuple::parse(&text).unwrap();
                let expected = offset(&layout, &coordinate);
                let found = layout.offset_of(&coordinate);
                assert_eq!(found.ok(), expected, "{layout} at {coordinate}");
                if expected.is_some() { right += 1 } else { wrong += 1 }
            }
        }
    }
    assert!(right > 1000 && wrong > 1000, "{right} and {wrong}");
}

// ---- the set of offsets ----

#[test]
fn injectivity_is_exact() {
    let mut state = 1u32;
    let mut next = |n: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % n
    };
    let mut seen = [0; 2];
    for _ in 0..20_000 {
        let rank = 1 + next(4) as usize;
        let shape: Vec<usize> = (0..rank).map(|_| 1 + next(5) as usize).collect();
        let stride: Vec<usize> = (0..rank).map(|_| next(24) as usize).collect();
        let l = DynLayout::new(&IntTuple::flat(&shape).unwrap(), &IntTuple::flat(&stride).unwrap())
            .unwrap();
        let offsets: HashSet<usize> = (0..l.size()).map(|i| l.offset_of_index(i)).collect();
        let expected = offsets.len() == l.size();
        assert_eq!(l.is_injective(), Ok(expected), "{l}");
        seen[expected as usize] += 1;
    }
    assert!(seen[0] > 1000 && seen[1] > 1000, "both answers must occur: {seen:?}");
}

/// Many modes that overlap: a bounded search ends, with an answer or without.
#[test]
#[cfg(target_pointer_width = "64")]
fn a_search_ends() {
    let strides: Vec<usize> =
        (0..32u32).map(|k| (0x9e37_79b9_7f4a_7c15u64.rotate_left(k * 7) >> 10) as usize).collect();
    let l = |n: usize| {
        let shape = IntTuple::flat(&vec![2; n]).unwrap();
        DynLayout::new(&shape, &IntTuple::flat(&strides[..n]).unwrap()).unwrap()
    };
    assert_eq!(l(12).is_injective(), Ok(true));
    let error = l(32).is_injective().unwrap_err();
    assert!(matches!(error, LayoutError::Algebra(AlgebraError::TooManyOverlaps { .. })));
    assert!(error.to_string().starts_with("modes overlap in more ways than can be searched"));
    let offset = l(12).offset_of_index(0b1011_0010_1101);
    assert_eq!(l(12).coordinate_of(offset).map(|at| at.leaves()[0]), Ok(1));
}

/// 16 modes of 2: each mode more would take twice as long.
#[test]
fn an_image_ends() {
    let text = "(2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2):\
        (10007,10009,10037,10039,10061,10067,10069,10079,10091,10093,10099,10103,10111,10133,10139,10141)";
    let l = DynLayout::parse(text).unwrap();
    for offsets in [l.image().collect(), l.gaps().collect::<Result<Vec<_>, _>>()] {
        let error = offsets.unwrap_err();
        assert!(matches!(error, LayoutError::Algebra(AlgebraError::TooManyOverlaps { .. })));
    }
    // Many offsets of common structure take few steps each.
    let window = DynLayout::parse("((56,3),(56,3),16):((3712,3712),(64,64),1)").unwrap();
    let image: Vec<usize> = window.image().map(Result::unwrap).collect();
    assert_eq!(image.len() + window.gaps().count(), window.cosize());
}

// ---- subscripts ----

#[test]
fn letters_and_places() {
    let s = Subscripts::new(" ij, jK ->Ki").unwrap();
    let letters = |operand| (0..s.len(operand)).map(move |i| s.letter(operand, i) as char);
    assert_eq!([0, 1, 2].map(|o| letters(o).collect::<String>()), ["ij", "jK", "Ki"]);
    assert_eq!([s.place(0, 0), s.place(1, 1), s.place(2, 0)], [1, 6, 10]);
    assert_eq!((s.find(1, b'K', 0), s.find(1, b'i', 0), s.start(2)), (1, 2, 10));
    let scalar = Subscripts::new("ii,->").unwrap();
    assert_eq!((scalar.len(1), scalar.start(1), scalar.start(2)), (0, 3, 5));
}

#[test]
fn invalid_operands_are_errors() {
    let long = "i".repeat(200);
    let letters = format!("{},->", "i".repeat(33));
    for (text, code, at) in [
        ("ij,jk->iK", "L0526", Some(8)),
        ("ij,jk->ii", "L0525", Some(8)),
        ("ij,jk", "L0524", Some(5)),
        ("ij", "L0524", Some(2)),
        ("", "L0524", Some(0)),
        ("ij->ji", "L0523", Some(2)),
        ("ij,jk,kl->il", "L0523", Some(5)),
        ("ij,j%->i", "L0522", Some(4)),
        ("ij,jé->i", "L0522", Some(4)),
        ("ij,jk-ik", "L0522", Some(5)),
        ("ij,jk->i->k", "L0522", Some(8)),
        ("ij,jk->i,k", "L0522", Some(8)),
        (letters.as_str(), "L0527", Some(32)),
        (long.as_str(), "L0521", None),
    ] {
        let error = Subscripts::new(text).unwrap_err();
        let LayoutError::Einsum(einsum) = error else { panic!("{error}") };
        assert_eq!((error.code(), einsum.at()), (code, at), "{text}: {error:#}");
    }
}

// ---- tokens ----

#[test]
fn integers_are_decimal() {
    assert_eq!(integer("0"), Ok(0));
    assert_eq!(integer("1_024"), Ok(1024));
    assert_eq!(integer(&MAX_SIZE.to_string()), Ok(MAX_SIZE));
    for (text, code) in [
        ("9223372036854775808", "L0103"),
        ("99999999999999999999999999", "L0103"),
        ("4.8", "L0104"),
        ("1e3", "L0104"),
        ("0x1f", "L0104"),
        ("0b1", "L0104"),
        ("\"8\"", "L0104"),
        ("8u32", "L0105"),
        ("2oe", "L0105"),
        ("-1", "L0106"),
        ("1@0", "L0104"),
    ] {
        assert_eq!(integer(text).unwrap_err().code(), code, "{text}");
    }
}
