//! Divides and products: a complement, a composition, and a reordering of modes.

use layout_core::engine::{DynLayout, IntTuple, Tiler, algebra};

use super::complement::{complement, disjoint, gaps};
use super::compose::{Composed, composition};
use super::{Check, Derived, Steps};

/// The operations that a tiler applies mode by mode.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TilerOperation {
    Composition,
    Divide,
    Product,
}

impl TilerOperation {
    const fn rule(self) -> &'static str {
        match self {
            Self::Composition => "composition",
            Self::Divide => "logical_divide",
            Self::Product => "logical_product",
        }
    }

    fn run_engine(self, a: &DynLayout, tiler: &Tiler) -> Derived {
        match self {
            Self::Composition => algebra::composition(a, tiler),
            Self::Divide => algebra::logical_divide(a, tiler),
            Self::Product => algebra::logical_product(a, tiler),
        }
    }

    /// Applies a tiler to a layout: one layout, or mode by mode.
    pub(super) fn apply(self, steps: &mut Steps, a: &DynLayout, tiler: &Tiler) -> Derived {
        if tiler.is_keep() {
            steps.step(self.rule(), format!("`_` keeps {a}."), *a);
            return Ok(*a);
        }
        if let Some(tile_layout) = tiler.as_layout() {
            return match self {
                Self::Composition => {
                    let result = self.run_engine(a, tiler);
                    composition(
                        steps,
                        a,
                        &tile_layout,
                        &Composed { left: "A", right: "B", result, may_overhang: false },
                    )
                }
                Self::Divide => divide(steps, a, &tile_layout),
                Self::Product => product(steps, a, &tile_layout),
            };
        }
        let rule = self.rule();
        if tiler.rank() > a.rank() {
            return steps.explain_error(rule, self.run_engine(a, tiler), |_| {
                let (tiles, modes) = (tiler.rank(), a.rank());
                format!("The tiler {tiler} has {tiles} modes, and A has {modes}.")
            });
        }
        let mut modes = Vec::new();
        for i in 0..tiler.rank() {
            let (mode, tile) = (a.mode(i), tiler.mode(i));
            steps.note(rule, format!("Mode {i}, {mode}, by {tile}:"));
            modes.push(steps.nested(|steps| self.apply(steps, &mode, &tile))?);
        }
        if self != Self::Composition {
            modes.extend((tiler.rank()..a.rank()).map(|i| a.mode(i)));
        }
        let result =
            steps.explain_error(rule, self.run_engine(a, tiler), |error| format!("{error}."))?;
        let sentence = match (a.rank() > tiler.rank(), self) {
            (false, _) => "The modes together.",
            (true, Self::Composition) => "The modes together; those beyond the tiler are dropped.",
            (true, _) => "The modes together; those beyond the tiler stay.",
        };
        let check = mode_sum("R(c) is the sum of the modes' values", &result, &modes);
        steps.step(rule, sentence, result).check(check);
        Ok(result)
    }
}

/// A layout is the concatenation of modes: `R(c_0, c_1, ..) = M_0(c_0) + M_1(c_1) + ..`
pub(super) fn mode_sum(law: &str, result: &DynLayout, modes: &[DynLayout]) -> Check {
    Check::each(law, result.size(), |i| {
        let (mut rest, mut sum) = (i, 0);
        for mode in modes {
            sum += mode.offset_of_index(rest % mode.size());
            rest /= mode.size();
        }
        super::mismatch(i, result.offset_of_index(i), sum)
    })
}

/// `A o (T, complement(T, size(A)))`
fn divide(steps: &mut Steps, a: &DynLayout, tile: &DynLayout) -> Derived {
    const RULE: &str = "logical_divide";
    let size = a.size();
    steps.note(RULE, format!("The rest of the tiles: the complement of T = {tile} in {size}."));
    let rest = steps.nested(|steps| complement(steps, tile, &IntTuple::leaf(size)))?;
    let tile_and_rest = DynLayout::tuple(&[*tile, rest]);
    let tile_and_rest = steps.explain_error(RULE, tile_and_rest, |error| format!("{error}."))?;
    let overhangs = if tile_and_rest.size() > size {
        " The tiles overhang: coordinates beyond A are meaningless."
    } else {
        ""
    };
    let check = mode_sum("B(i, j) = T(i) + C(j)", &tile_and_rest, &[*tile, rest]);
    let sentence = format!("T and its rest as two modes, B = {tile_and_rest}.{overhangs}");
    steps.step(RULE, sentence, tile_and_rest).check(check);
    let result = TilerOperation::Divide.run_engine(a, &Tiler::layout(tile));
    steps.note(RULE, "A composed with B, mode by mode:");
    let names = Composed { left: "A", right: "B", result, may_overhang: true };
    steps.nested(|steps| composition(steps, a, &tile_and_rest, &names))
}

/// `(A, complement(A, n) o B)`
fn product(steps: &mut Steps, a: &DynLayout, b: &DynLayout) -> Derived {
    const RULE: &str = "logical_product";
    let result = TilerOperation::Product.run_engine(a, &Tiler::layout(b));
    steps.note(RULE, format!("The copies of A = {a} go where A leaves room:"));
    let rest = steps.nested(|steps| -> Derived<Option<DynLayout>> {
        let (_, covered) = gaps(steps, a)?;
        // At least 2, so that the complement has a last mode to extend.
        let repeats = b.cosize().max(2);
        let cotarget = covered.checked_mul(repeats).map(IntTuple::leaf);
        let rest = cotarget.and_then(|cotarget| algebra::complement(a, &cotarget).ok());
        // Too large for a complement: the product is then an error, or nothing is repeated.
        let Some(rest) = rest else { return Ok(None) };
        let sentence = format!(
            "The {covered} that are covered so far repeat as often as B = {b} needs it, and then go \
             on: C = {rest}."
        );
        let check = disjoint("A(i) + C(j)", a, &rest);
        steps.step("complement", sentence, rest).check(check);
        Ok(Some(rest))
    })?;
    if let Some(rest) = rest {
        let copies = algebra::composition(&rest, &Tiler::layout(b));
        steps.note(RULE, "C composed with B, mode by mode:");
        let names = Composed { left: "C", right: "B", result: copies, may_overhang: false };
        steps.nested(|steps| composition(steps, &rest, b, &names))?;
    }
    let result = steps.explain_error(RULE, result, |error| format!("It ends here: {error}."))?;
    let copies = result.mode(1);
    let check = mode_sum("P(i, j) = A(i) + (C o B)(j)", &result, &[*a, copies]);
    steps.step(RULE, "A as mode 0, and the copies as mode 1.", result).check(check);
    Ok(result)
}

/// A divide or product with gathered modes: `zipped_`, `tiled_` and `flat_`.
pub(super) fn zipped_tiled_or_flat(
    steps: &mut Steps,
    (rule, operation): (&'static str, TilerOperation),
    a: &DynLayout,
    tiler: &Tiler,
) -> Derived {
    steps.note(rule, format!("First {}, mode by mode:", operation.rule()));
    let pairs = steps.nested(|steps| operation.apply(steps, a, tiler))?;
    let is_divide = operation == TilerOperation::Divide;
    let zipped = if is_divide {
        algebra::zipped_divide(a, tiler)
    } else {
        algebra::zipped_product(a, tiler)
    };
    let zipped = steps.explain_error(rule, zipped, |error| format!("{error}."))?;
    let (first, second) = if is_divide { ("tiles", "rests") } else { ("blocks", "copies") };
    let check = same_multiset("the offsets of the pairs, equally often", &zipped, &pairs);
    let sentence = format!("The {first} as mode 0, the {second} as mode 1.");
    steps.step(rule, sentence, zipped).check = check;
    let result = match rule {
        "tiled_divide" => algebra::tiled_divide(a, tiler),
        "tiled_product" => algebra::tiled_product(a, tiler),
        "flat_divide" => algebra::flat_divide(a, tiler),
        "flat_product" => algebra::flat_product(a, tiler),
        _ => return Ok(zipped),
    };
    let result = steps.explain_error(rule, result, |error| format!("{error}."))?;
    let which = if rule.starts_with("flat") { "Both modes" } else { "Mode 1" };
    let check = Check::same("the same function of 1-D coordinates", &result, &zipped);
    steps.step(rule, format!("{which} unpacked."), result).check(check);
    Ok(result)
}

/// `blocked_product` and `raked_product`.
pub(super) fn blocked_or_raked(
    steps: &mut Steps,
    rule: &'static str,
    a: &DynLayout,
    b: &DynLayout,
) -> Derived {
    let rank = a.rank().max(b.rank());
    let (block, copies) = (pad_to_rank(a, rank)?, pad_to_rank(b, rank)?);
    if (block, copies) != (*a, *b) {
        steps.note(rule, format!("With `1:0` to the same rank: A = {block}, B = {copies}."));
    }
    steps.note(rule, "First logical_product:");
    let product = steps.nested(|steps| product(steps, &block, &copies))?;
    let raked = rule == "raked_product";
    let result = if raked { algebra::raked_product(a, b) } else { algebra::blocked_product(a, b) };
    let result = steps.explain_error(rule, result, |error| format!("{error}."))?;
    let order =
        if raked { "copies first, then the block" } else { "the block first, then its copies" };
    let check = same_multiset("the same offsets as logical_product", &result, &product);
    steps.step(rule, format!("Mode by mode in pairs, {order}."), result).check = check;
    Ok(result)
}

/// `tile_to_shape`: a blocked product with as many copies as fit into the shape.
pub(super) fn tile_to_shape(
    steps: &mut Steps,
    a: &DynLayout,
    target: &IntTuple,
    order: Option<&IntTuple>,
) -> Derived {
    const RULE: &str = "tile_to_shape";
    let result = match order {
        Some(order) => algebra::tile_to_shape_ordered(a, target, order),
        None => algebra::tile_to_shape(a, target),
    };
    let result = steps.explain_error(RULE, result, |error| format!("{error}."))?;
    let block = pad_to_rank(a, target.rank())?;
    let mut counts = Vec::new();
    for i in 0..target.rank() {
        counts.push(target.mode(i).product()? / block.mode(i).size().max(1));
    }
    let shape = if target.is_int() { IntTuple::leaf(counts[0]) } else { IntTuple::flat(&counts)? };
    let copies = match order {
        Some(order) => DynLayout::make_ordered(&shape, order)?,
        None => DynLayout::make(&shape)?,
    };
    let by = if order.is_some() { ", in the given order" } else { ", the first mode first" };
    let sentence =
        format!("The block {block} fits into {target} {shape} times, mode by mode{by}: {copies}.");
    let is_bijective = copies.is_bijective();
    let check = Check::whole("each copy has one index", copies.size(), is_bijective);
    steps.step(RULE, sentence, copies).check(check);
    let product =
        steps.nested(|steps| blocked_or_raked(steps, "blocked_product", &block, &copies))?;
    let check = Check::same("the same function as the blocked product", &result, &product);
    steps.step(RULE, format!("Its shape fits {target}."), result).check(check);
    Ok(result)
}

/// Pads a layout with modes `1:0` up to a rank; an integer only if there is more than one mode.
fn pad_to_rank(a: &DynLayout, rank: usize) -> Derived {
    if rank <= a.rank() {
        return Ok(*a);
    }
    let modes = (0..rank).map(|i| if i < a.rank() { a.mode(i) } else { DynLayout::UNIT });
    DynLayout::tuple(&modes.collect::<Vec<_>>())
}

/// Both have the same multiset of offsets. `None` if a layout has more points than a check looks
/// at.
pub(super) fn same_multiset(law: &str, a: &DynLayout, b: &DynLayout) -> Option<Check> {
    let sorted = |layout: &DynLayout| {
        let mut values: Vec<_> = layout.table().collect();
        values.sort_unstable();
        values
    };
    let is_small = a.size().max(b.size()) <= super::MOST_POINTS;
    is_small.then(|| Check::whole(law, a.size(), sorted(a) == sorted(b)))
}
