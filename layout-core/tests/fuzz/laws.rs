//! What each operation promises, checked on printed arguments and results by the naive model.

use std::collections::BTreeSet;

use crate::model::{Model, Tree, Value, integer, number, sum};

/// Whether there was something to check, and it is right.
pub(crate) type Verdict = Option<bool>;

/// Checks a result against its arguments, all as printed. Nothing where there is no law here, or
/// where it would take too long.
pub(crate) fn check(name: &str, args: &[String], result: &str) -> Verdict {
    let layout = |i: usize| Model::parse(args.get(i)?).filter(Model::is_small);
    let result_layout = || Model::parse(result).filter(Model::is_small);
    let tree = |i: usize| Tree::parse(args.get(i)?);
    let truth = || result.parse::<bool>().ok();
    match name {
        "coalesce" | "flatten" | "group" | "unflatten" => {
            Some(layout(0)?.table() == result_layout()?.table())
        }
        "composition" => composition(&layout(0)?, &args[1], &result_layout()?),
        "swizzle_compose" => None,
        "logical_divide" => divide(&layout(0)?, &args[1], &result_layout()?),
        "zipped_divide" | "tiled_divide" | "flat_divide" => {
            same_values("logical_divide", args, &result_layout()?)
        }
        "logical_product" => product(&layout(0)?, &args[1], &result_layout()?),
        "zipped_product" | "tiled_product" | "flat_product" => {
            same_values("logical_product", args, &result_layout()?)
        }
        "blocked_product" | "raked_product" => {
            let (a, b) = (layout(0)?, layout(1)?);
            if a.shape.modes().len() != b.shape.modes().len() {
                return None;
            }
            same_values("logical_product", args, &result_layout()?)
        }
        "complement" => complement(&layout(0)?, &result_layout()?),
        "right_inverse" => {
            let (l, r) = (layout(0)?, result_layout()?);
            // A mode of coordinates may be one integer where the inverse has several modes.
            let value = |i| l.at(number(&r.at(i)));
            let found = |i| r.at_value(&value(i)) == Some(r.at(i));
            let right = |i| if l.has_directions() { found(i) } else { value(i) == integer(i) };
            Some(r.is_injective() && (0..r.size()).all(right))
        }
        "left_inverse" => {
            let (l, r) = (layout(0)?, result_layout()?);
            let found = |value| Some(l.at(number(&r.at_value(value)?)));
            Some(l.table().iter().all(|value| found(value).as_ref() == Some(value)))
        }
        "nullspace" => {
            let (l, r) = (layout(0)?, result_layout()?);
            Some(r.table().iter().all(|i| l.at(number(i)) == l.at(0)))
        }
        "filter" | "filter_zeros" if args.len() == 1 => {
            let distinct = |l: &Model| l.table().into_iter().collect::<BTreeSet<_>>();
            Some(distinct(&layout(0)?) == distinct(&result_layout()?))
        }
        "max_common_vector" => {
            let (a, b, n) = (layout(0)?, layout(1)?, result.parse::<i128>().ok()?);
            let common: Vec<_> =
                a.table().into_iter().zip(b.table()).filter(|(a, b)| a == b).collect();
            Some(n == 1 || (0..n).all(|n| common.iter().any(|(at, _)| *at == integer(n))))
        }
        "max_common_layout" => {
            let (a, b, r) = (layout(0)?, layout(1)?, result_layout()?);
            let at = |l: &Model, i| l.at(number(&r.at(i)));
            Some((0..r.size()).all(|i| at(&a, i) == integer(i) && at(&b, i) == integer(i)))
        }
        "upcast" => {
            let (l, n) = (layout(0)?, args[1].parse::<i128>().ok()?);
            let divided: BTreeSet<_> = l.image().iter().map(|o| o / n).collect();
            Some(divided == result_layout()?.image())
        }
        "downcast" => {
            let (l, n) = (layout(0)?, args[1].parse::<i128>().ok().filter(|n| *n < 4096)?);
            let image: BTreeSet<_> = l.image().iter().flat_map(|o| o * n..(o + 1) * n).collect();
            Some(image == result_layout()?.image())
        }
        "make" | "row_major" | "make_ordered" | "tile_to_shape" => {
            let r = result_layout()?;
            // A swizzle moves what is compact apart.
            if name == "tile_to_shape"
                && !layout(0).is_some_and(|block| block.is_plain() && is_compact(&block))
            {
                return None;
            }
            Some(
                is_compact(&r)
                    && Some(r.size()) == tree(usize::from(name == "tile_to_shape"))?.size(),
            )
        }
        "identity" => {
            let (r, shape) = (result_layout()?, tree(0)?);
            let bare = |value: &Value| value.iter().map(|(_, step)| *step).sum::<i128>();
            // The first and the last coordinate, and as many different ones as there are.
            let last: i128 =
                shape.leaves().iter().map(|n| n.parse::<i128>().unwrap_or(1) - 1).sum();
            let distinct: BTreeSet<_> = r.table().into_iter().collect();
            Some(distinct.len() as i128 == r.size() && bare(&r.at(r.size() - 1)) == last)
        }
        "table" => {
            let values = layout(0).filter(|l| !l.has_directions())?.table();
            let numbers: Vec<_> = values.iter().map(|v| number(v).to_string()).collect();
            Some(result == format!("[{}]", numbers.join(", ")))
        }
        "image" | "gaps" => {
            let image = layout(0).filter(|l| !l.has_directions())?.image();
            let (first, last) = (*image.first()?, *image.last()?);
            let wanted: Vec<_> = (first..=last)
                .filter(|o| image.contains(o) == (name == "image"))
                .map(|o| o.to_string())
                .collect();
            Some(result == format!("[{}]", wanted.join(", ")))
        }
        "is_injective" => Some(truth()? == layout(0)?.is_injective()),
        "is_contiguous" | "is_bijective" => {
            let l = layout(0)?;
            let full = l.cosize() == l.distinct();
            Some(truth()? == (full && (l.is_injective() || name == "is_contiguous")))
        }
        "size" => Some(layout(0)?.size() == result.parse().ok()?),
        "cosize" => Some(layout(0)?.cosize() == result.parse().ok()?),
        "rank" => Some(layout(0)?.shape.modes().len() == result.parse().ok()?),
        "depth" => {
            // The dimensions of a matrix are flat.
            let depth = match args[0].strip_prefix("#ttg.linear<{") {
                Some(dimensions) => usize::from(!dimensions.starts_with('}')),
                None => layout(0)?.shape.depth(),
            };
            Some(depth == result.parse().ok()?)
        }
        "compatible" => Some(truth()? == tree(0)?.compatible(&tree(1)?)),
        "eval" => {
            let l = layout(0).filter(|l| !l.has_directions())?;
            let at = index_of(&l.shape, &tree(1)?)?;
            Some(number(&l.at(at)) == result.parse().ok()?)
        }
        "crd2idx" | "idx2crd" if args.len() == 3 => {
            let (at, offset) =
                if name == "crd2idx" { (&*args[0], result) } else { (result, &*args[0]) };
            let l = Model::parse(&format!("{}:{}", args[1], args[2]))?;
            let at = index_of(&l.shape, &Tree::parse(at)?)?;
            Some(number(&l.at(at)) == offset.parse().ok()?)
        }
        "crd2idx" => Some(index_of(&tree(1)?, &tree(0)?)? == result.parse().ok()?),
        "idx2crd" => {
            Some(index_of(&tree(1)?, &tree(0)?)? == index_of(&tree(1)?, &Tree::parse(result)?)?)
        }
        "crd2crd" => {
            let (from, to) =
                (index_of(&tree(1)?, &tree(0)?)?, index_of(&tree(2)?, &Tree::parse(result)?));
            // Where modes have different sizes the coordinate is converted mode by mode.
            (tree(1)?.size() == tree(2)?.size() && tree(1)?.modes().len() == 1)
                .then(|| Some(from) == to)
        }
        "slice" => {
            let (l, r) = (layout(0)?, result_layout()?);
            let all: BTreeSet<_> = l.table().into_iter().collect();
            // A slice at the origin has values of the layout.
            let origin = !args[1].bytes().any(|b| (b'1'..=b'9').contains(&b));
            origin.then(|| r.table().iter().all(|value| all.contains(value)))
        }
        "append" | "prepend" => {
            let (a, b, r) = (layout(0)?, layout(1)?, result_layout()?);
            Some(
                a.size() * b.size() == r.size()
                    && r.shape.modes().len() == a.shape.modes().len() + 1,
            )
        }
        "take" | "select" | "dice" | "replace" | "zip" => None,
        "swizzle_apply" => {
            let swizzled = Model::parse(&format!("{} o 0 o 1:1", args[0]))?;
            Some(
                swizzled.at_value(&integer(args[1].parse().ok()?))?
                    == integer(result.parse().ok()?),
            )
        }
        _ => None,
    }
}

/// `R(i) = A(B(i))`, mode by mode for a tiler.
fn composition(a: &Model, b: &str, r: &Model) -> Verdict {
    if let Some(b) = Model::parse(b).filter(Model::is_small) {
        let right = |i| -> Option<Value> { a.at_value(&b.at(i)) };
        return (b.size() == r.size()).then(|| (0..b.size()).all(|i| right(i) == Some(r.at(i))));
    }
    if b == "_" {
        return Some(a.table() == r.table());
    }
    let tiles = b.strip_prefix('<')?.strip_suffix('>')?;
    if tiles.contains('<') {
        return None;
    }
    let (a_modes, r_modes) = (a.shape.modes().len(), r.shape.modes().len());
    let tiles = split(tiles);
    if tiles.len() > a_modes || tiles.len() != r_modes || !a.is_plain() {
        return Some(tiles.len() <= a_modes && !a.is_plain());
    }
    let parts = tiles.iter().enumerate().map(|(i, tile)| composition(&a.mode(i), tile, &r.mode(i)));
    Some(parts.collect::<Option<Vec<_>>>()?.into_iter().all(|right| right))
}

/// The parts of a list, by the commas outside of parentheses.
fn split(text: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in text.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        match parts.last_mut() {
            Some(part) if c != ',' || depth > 0 => part.push(c),
            _ => parts.push(String::new()),
        }
    }
    parts
}

/// The tile is exact, and the rest of the tiles is wherever it is inside of A.
fn divide(a: &Model, tile: &str, r: &Model) -> Verdict {
    let complement = format!("complement({tile}, {})", a.size());
    let tile = Model::parse(tile).filter(Model::is_small)?;
    let rest = layout_core::text::eval(&complement).ok()?.to_string();
    let rest = Model::parse(&rest).filter(Model::is_small)?;
    let tiles_right = tile.size() * rest.size() == r.size()
        && (0..tile.size()).all(|i| a.at_value(&tile.at(i)) == Some(r.at(i)));
    let inside_right = (0..r.size()).all(|i| {
        let at = number(&tile.at(i % tile.size())) + number(&rest.at(i / tile.size()));
        at >= a.size() || a.at_value(&integer(at)) == Some(r.at(i))
    });
    Some(tiles_right && inside_right)
}

/// The block is A, and copies of it do not meet when neither A nor B meets itself.
fn product(a: &Model, b: &str, r: &Model) -> Verdict {
    let b = Model::parse(b).filter(Model::is_small)?;
    let block = r.first_mode().table() == a.table();
    Some(
        block
            && (!a.is_injective() || !b.is_injective() || r.is_injective())
            && r.size() == a.size() * b.size(),
    )
}

/// The result has the values of another operation, in another order.
fn same_values(other: &str, args: &[String], r: &Model) -> Verdict {
    let text = format!("{other}({})", args.join(", "));
    let other = layout_core::text::eval(&text).ok()?.to_string();
    Some(Model::parse(&other)?.values() == r.values())
}

/// Disjoint from L, and injective. Copies of a swizzled layout start inside of the swizzle.
fn complement(l: &Model, r: &Model) -> Verdict {
    let l = l.unswizzled();
    let distinct: BTreeSet<_> = l.table().into_iter().collect();
    let gaps = r.table();
    let all: BTreeSet<Value> =
        distinct.iter().flat_map(|value| gaps.iter().map(|gap| sum(value, gap))).collect();
    Some(all.len() == distinct.len() * gaps.len())
}

fn is_compact(l: &Model) -> bool {
    l.image() == (0..l.size()).collect()
}

/// The 1-D coordinate in a shape.
fn index_of(shape: &Tree, at: &Tree) -> Option<i128> {
    match (shape, at) {
        (_, Tree::Leaf(n)) => n.parse().ok(),
        (Tree::Tuple(modes), Tree::Tuple(parts)) if modes.len() == parts.len() => {
            let (mut sum, mut step) = (0, 1);
            for (mode, part) in modes.iter().zip(parts) {
                sum += step * index_of(mode, part)?;
                step *= mode.size()?;
            }
            Some(sum)
        }
        _ => None,
    }
}
