//! What CuTe's compiler infers (`tests/vectors/cute_ir.jsonl`), compared through the notation.
//!
//! Every record runs. A result is correct if it is the same function of the same coordinates. The
//! stride of an extent of 1 is ignored.

use static_layout::engine::{CoordinateLayout, DynLayout, IntTuple};
use static_layout::text::{Value, eval};

mod common;
use common::records;

/// The values at all 1-D coordinates, and the sizes of the modes.
fn function(value: &Value) -> Option<(Vec<usize>, Vec<String>)> {
    let sizes = |l: &CoordinateLayout| (0..l.rank()).map(|i| l.mode(i).size()).collect();
    Some(match value {
        Value::Layout(l) => {
            (sizes(&(*l).into()), l.table().map(|offset| offset.to_string()).collect())
        }
        Value::Composed(c) => {
            (sizes(&c.layout().into()), c.table().map(|offset| offset.to_string()).collect())
        }
        Value::Coordinates(l) => (sizes(l), l.table().map(|value| value.to_string()).collect()),
        _ => return None,
    })
}

/// The value of a layout at a coordinate that may lie outside its shape.
fn at(layout: &DynLayout, coordinate: &IntTuple) -> usize {
    match coordinate.is_int() {
        true => layout.offset_of_index(coordinate.leaves()[0]),
        false => (0..coordinate.rank()).map(|i| at(&layout.mode(i), &coordinate.mode(i))).sum(),
    }
}

/// Whether a left inverse finds a coordinate for each value. Any such function is correct.
fn is_left_inverse(expression: &str, ours: &Value) -> bool {
    let text = &expression["left_inverse(".len()..expression.len() - 1];
    let (layout, inverse) = (CoordinateLayout::parse(text).expect(text), ours.layout());
    let inverse = inverse.expect("its values are 1-D coordinates");
    (0..layout.size() as isize).all(|i| {
        let value = layout.coordinate_at_index(i).expect("inside");
        let found = at(&inverse, &value.int_tuple().expect("no negative stride"));
        layout.coordinate_at_index(found as isize) == Ok(value)
    })
}

#[test]
fn cute_ir() {
    let (mut run, mut wrong) = (0, Vec::new());
    for record in records("cute_ir.jsonl") {
        let field = |name: &str| record[name].as_str().expect("a text").to_owned();
        let (expression, want) = (field("expr"), field("want"));
        run += 1;
        let ours = match eval(&expression) {
            Ok(ours) => ours,
            Err(error) => {
                wrong.push(format!("{expression}\n  want: {want}\n  {error}"));
                continue;
            }
        };
        let right = if expression.starts_with("left_inverse") {
            is_left_inverse(&expression, &ours)
        } else if ours.to_string() == want {
            true
        } else {
            let want = eval(&want).expect("what is wanted can be read");
            match (function(&ours), function(&want)) {
                (Some((_, ours)), Some((_, want))) if expression.starts_with("coalesce") => {
                    ours == want
                }
                (Some(ours), Some(want)) => ours == want,
                _ => false,
            }
        };
        if !right {
            wrong.push(format!("{expression}\n  want: {want}\n  ours: {ours}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(run >= 214, "the records have moved");
}
