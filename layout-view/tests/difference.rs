//! Differences of layouts against their tables.

use layout_core::devices::ElementType;
use layout_core::engine::DynLayout;
use layout_core::text::Value;
use layout_view::difference::{Difference, Relation};

mod common;
use common::{Random, layout_text};

#[track_caller]
fn difference(a: &str, b: &str) -> Difference {
    let value = |text: &str| Value::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let result = Difference::of(&value(a), &value(b), Some(ElementType::F16));
    result.unwrap_or_else(|error| panic!("{a} and {b}: {error}"))
}

#[test]
fn random_layouts_differ_where_their_tables_do() {
    let mut random = Random(3);
    let (mut same, mut differ, mut permuted) = (0, 0, 0);
    for _ in 0..3000 {
        let (one, other) = (layout_text(&mut random, 64), layout_text(&mut random, 64));
        let (a, b): (DynLayout, DynLayout) =
            (one.parse().expect("a layout"), other.parse().expect("a layout"));
        let found = difference(&one, &other);
        let (from, to): (Vec<_>, Vec<_>) = (a.table().collect(), b.table().collect());
        if from.len() != to.len() {
            assert_eq!(found.relation, Relation::OtherDomain);
            continue;
        }
        let first = from.iter().zip(&to).position(|(from, to)| from != to);
        assert_eq!(found.first.as_ref().map(|first| first.index), first, "{one} and {other}");
        assert_eq!(found.is_same(), first.is_none(), "{one} and {other}");
        let changed = from.iter().zip(&to).filter(|(from, to)| from != to).count();
        assert_eq!((found.changed, found.bytes), (Some(changed), Some(2 * changed)));
        (same, differ) =
            (same + usize::from(first.is_none()), differ + usize::from(first.is_some()));
        // Swaps along the cycles move all elements to their destinations.
        if let Some(cycles) = &found.cycles {
            permuted += usize::from(changed > 0);
            let moved: usize = cycles.lengths.iter().map(|(length, count)| length * count).sum();
            assert_eq!((cycles.fixed + moved, moved), (from.len(), changed));
            for cycle in cycles.first.iter().filter(|cycle| cycle.len() < 32) {
                for (i, point) in cycle.iter().enumerate() {
                    let place =
                        from.iter().position(|offset| offset.to_string() == point.to_string());
                    let next = &cycle[(i + 1) % cycle.len()];
                    assert_eq!(to[place.expect("it is an offset")].to_string(), next.to_string());
                }
            }
        } else {
            let sorted = |offsets: &[usize]| {
                let mut offsets = offsets.to_vec();
                offsets.sort_unstable();
                offsets
            };
            let (from, to) = (sorted(&from), sorted(&to));
            assert!(from != to || from.windows(2).any(|pair| pair[0] == pair[1]));
        }
    }
    assert!(same > 50 && differ > 200 && permuted > 20, "{same} same, {differ} differ, {permuted}");
}

#[test]
fn large_layouts_are_compared_by_their_modes() {
    let large = difference("(1048576,1048576):(1048576,1)", "(1048576,1048576):(1048576,2)");
    let first = large.first.expect("they differ");
    assert_eq!((first.index, first.coordinate.to_string()), (1 << 20, "(0,1)".to_owned()));
    assert_eq!(large.changed, None);
    let same = difference("(1048576,(4,262144)):(1,(1048576,4194304))", "1099511627776:1");
    assert_eq!((same.relation, same.changed), (Relation::SameFunction, Some(0)));
    // Only the last mode differs.
    let last = difference("(1024,(1024,(1024,2))):(1,(1024,(1048576,1)))", "2147483648:1");
    assert_eq!(last.first.map(|first| first.index), Some(1 << 30));
}

#[test]
fn layouts_of_other_kinds() {
    let swizzled = difference("Sw<2,0,3> o 0 o (8,8):(8,1)", "(8,8):(8,1)");
    assert_eq!((swizzled.relation, swizzled.changed), (Relation::Differs, Some(48)));
    assert_eq!(
        swizzled.cycles.map(|cycles| cycles.lengths.into_iter().collect::<Vec<_>>()),
        Some(vec![(2, 24)])
    );
    assert_eq!(difference("(4,8):(-1,4) @ 3", "(4,8):(1,4)").changed, Some(32));
    assert_eq!(
        difference("(4):(-1) @ 3", "(4):(1)")
            .first
            .map(|first| first.values.map(|v| v.to_string())),
        Some(["3".into(), "0".into()])
    );
    assert_eq!(difference("(4,8):(1@0,1@1)", "(4,8):(1@1,1@0)").relation, Relation::Differs);
    let error =
        Difference::of(&Value::parse("8:1").unwrap(), &Value::parse("8:1@0").unwrap(), None);
    assert_eq!(error.unwrap_err().code(), "L0910");
    let long = "Sw<1,0,22> o 0 o 16777216:1";
    let error =
        Difference::of(&Value::parse(long).unwrap(), &Value::parse("16777216:1").unwrap(), None);
    // The first difference is after the compared points.
    assert_eq!(error.unwrap_err().code(), "L0911");
}

#[test]
fn placements_say_what_leaves_its_core() {
    let on = |grid: &str| {
        format!("tensor<4x6xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <{grid}>>>")
    };
    let moved = difference(&on("2x1"), &on("1x2"));
    assert_eq!(
        (moved.relation, moved.between_cores, moved.changed),
        (Relation::Differs, Some(12), Some(18))
    );
    assert_eq!(difference(&on("2x1"), &on("2x1")).relation, Relation::Identical);
    // A placement on one core equals a plain layout.
    assert_eq!(difference(&on("1x1"), "(4,6):(6,1)").relation, Relation::SameFunction);
    let spyre = difference("spyre { size: [3, 40], dtype: f32 }", "(3,40):(40,1)");
    assert_eq!((spyre.relation, spyre.cycles), (Relation::Differs, None));
    assert_eq!(difference(&on("1x1"), "(6,4):(4,1)").relation, Relation::OtherDomain);
}

#[test]
fn one_line_and_json() {
    let rows = difference("(4,8):(8,1)", "(4,8):(1,4)");
    assert_eq!(
        rows.brief(),
        "differs at (1,0): 8 and 1; 30 of 32 cells change; 6 cycles; 60 bytes move"
    );
    assert_eq!(difference("(4,8)", "(4,8):(1,4)").brief(), "identical");
    assert_eq!(difference("(4,8)", "32:1").brief(), "same function");
    assert_eq!(difference("(4,8)", "33:1").brief(), "other domain: 32 and 33 elements");
    let json = rows.to_json();
    assert_eq!(
        (&json["schema"], &json["same"], &json["first"]["b"]),
        (&1.into(), &false.into(), &1.into())
    );
    assert_eq!(json["cycles"]["lengths"], serde_json::json!([[5, 6]]));
}
