//! Expressions at random: operations of the table on arguments that often fit, and bytes that
//! often are notation.

use layout_core::engine::MAX_SIZE;
use layout_core::text::{Kind, OPERATIONS, Operation, Value};

/// SplitMix64: a small generator that needs no more than a seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// An operation with its arguments.
pub(crate) struct Call {
    pub(crate) operation: &'static Operation,
    pub(crate) args: Vec<String>,
}

impl Call {
    pub(crate) fn text(&self) -> String {
        format!("{}({})", self.operation.name, self.args.join(", "))
    }
}

pub(crate) fn call(random: &mut Random, depth: usize) -> Call {
    let operation = random.pick(OPERATIONS);
    let most = operation.params.len();
    let count = if random.one_in(4) { operation.least } else { most };
    let mut args: Vec<String> = Vec::new();
    for kind in &operation.params[..count] {
        let arg = argument(random, *kind, args.first(), depth);
        args.push(arg);
    }
    Call { operation, args }
}

/// An argument, which often fits the first one.
fn argument(random: &mut Random, kind: Kind, first: Option<&String>, depth: usize) -> String {
    match kind {
        Kind::Integer => integer(random),
        Kind::Swizzle => swizzle(random),
        Kind::Slicer => match first.and_then(|first| shape_of(first)) {
            Some(shape) if !random.one_in(8) => coordinate(random, &shape),
            _ => tuple(random, 2, 4),
        },
        Kind::IntTuple => match first.and_then(|first| shape_of(first)) {
            Some(shape) if random.one_in(2) => coordinate(random, &shape).replace('_', "0"),
            _ => tuple(random, 2, 9),
        },
        Kind::Tiler => tiler(random, first),
        Kind::Inner | Kind::Function | Kind::Domain if random.one_in(6) => match random.below(2) {
            0 if kind != Kind::Domain => swizzle(random),
            _ => format!("{} o {} o {}", swizzle(random), random.below(9), layout(random, 0)),
        },
        Kind::Inner if random.one_in(3) => tiler(random, first),
        _ => layout(random, depth),
    }
}

/// The shape of what a text evaluates to, or the text if it is one.
fn shape_of(text: &str) -> Option<String> {
    let value = Value::parse(text).ok()?.to_string();
    let layout = value.rsplit(" o ").next()?;
    Some(layout.split(':').next()?.to_owned())
}

/// A coordinate of a shape: `_` for some of its modes, an integer for others.
fn coordinate(random: &mut Random, shape: &str) -> String {
    let mut text = String::new();
    for (i, part) in shape.split(',').enumerate() {
        if i > 0 {
            text.push(',');
        }
        let digits = part.trim_matches(['(', ')']);
        let extent: usize = digits.parse().unwrap_or(1);
        let open = part.find(digits).unwrap_or(0);
        text.push_str(&part[..open]);
        match random.below(5) {
            0 | 1 => text.push('_'),
            2 => text.push_str(&random.below(extent.saturating_add(1).max(1)).to_string()),
            _ => text.push_str(&random.below(extent.max(1)).to_string()),
        }
        text.push_str(&part[open + digits.len()..]);
    }
    text
}

fn integer(random: &mut Random) -> String {
    match random.below(40) {
        0 => MAX_SIZE.to_string(),
        1 => (MAX_SIZE / 2 + 1).to_string(),
        2..20 => random.below(4).to_string(),
        _ => random.below(17).to_string(),
    }
}

fn swizzle(random: &mut Random) -> String {
    let bits = random.below(4);
    let shift = bits + random.below(3);
    let sign = if random.one_in(3) { "-" } else { "" };
    format!("Sw<{bits},{},{sign}{shift}>", random.below(3))
}

fn tuple(random: &mut Random, depth: usize, below: usize) -> String {
    if depth == 0 || random.one_in(3) {
        return (1 + random.below(below)).to_string();
    }
    let parts: Vec<_> = (0..1 + random.below(3)).map(|_| tuple(random, depth - 1, below)).collect();
    format!("({})", parts.join(","))
}

fn tiler(random: &mut Random, first: Option<&String>) -> String {
    if random.one_in(4) {
        return layout(random, 0);
    }
    let rank = first.and_then(|first| shape_of(first)).map_or(2, |shape| {
        // Not the number of modes of a nested one, but near.
        shape.split(',').count()
    });
    let too_many = usize::from(random.one_in(9));
    let count = 1 + random.below(rank.min(4) + too_many);
    let parts: Vec<_> = (0..count)
        .map(|_| match random.below(6) {
            0 => "_".to_owned(),
            1 => layout(random, 0),
            2 => format!("{}:{}", 1 + random.below(4), random.below(4)),
            _ => (1 << random.below(4)).to_string(),
        })
        .collect();
    format!("<{}>", parts.join(", "))
}

/// A layout: written out, a shape, or the result of an operation.
pub(crate) fn layout(random: &mut Random, depth: usize) -> String {
    if depth > 0 && random.one_in(4) {
        return call(random, depth - 1).text();
    }
    if random.one_in(12) {
        return tuple(random, 2, 6);
    }
    // The leaves in some order, with strides that are compact, or not quite, or anything.
    let below = *random.pick(&[2, 4, 6, 9]);
    let shape = tuple(random, 2, below);
    let extents: Vec<usize> = shape
        .split([',', '(', ')'])
        .filter(|part| !part.is_empty())
        .map(|part| part.parse().unwrap_or(1))
        .collect();
    let mut order: Vec<usize> = (0..extents.len()).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, random.below(i + 1));
    }
    let style = random.below(12);
    let mut strides = vec![String::new(); extents.len()];
    let mut step = 1usize;
    for leaf in order {
        strides[leaf] = match style {
            0 => format!("-{}", random.below(9)),
            1 => format!("{}@{}", random.below(4), random.below(3)),
            2 => format!("1@{}-{}@{}", random.below(2), 1 + random.below(3), 2 + random.below(2)),
            3..6 => random.below(24).to_string(),
            _ => step.to_string(),
        };
        if style == 0 && random.one_in(2) {
            strides[leaf] = step.to_string();
        }
        step = step.saturating_mul(extents[leaf] + usize::from(random.one_in(16)));
        if random.one_in(400) {
            step = step.saturating_mul(1 << (usize::BITS * 5 / 8));
        }
    }
    let mut next = strides.into_iter();
    let mut stride = String::new();
    let mut digits = false;
    for c in shape.chars() {
        if !c.is_ascii_digit() {
            stride.push(c);
        } else if !digits {
            stride.push_str(&next.next().unwrap_or_default());
        }
        digits = c.is_ascii_digit();
    }
    format!("{shape}:{stride}")
}

/// A text with some bytes of it replaced, repeated, or taken away.
pub(crate) fn mutated(random: &mut Random, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..1 + random.below(3) {
        let at = random.below(chars.len() + 1);
        let new = *random.pick(&[
            '(', ')', '<', '>', '[', ']', '{', '}', ',', ':', '_', '@', '-', '+', 'o', ' ', '0',
            '9', '.', '\u{2218}', 'é', '\0',
        ]);
        match random.below(4) {
            0 => chars.insert(at, new),
            1 if at < chars.len() => chars[at] = new,
            2 if at < chars.len() => drop(chars.remove(at)),
            _ => {
                let end = (at + random.below(12)).min(chars.len());
                let part = chars[at..end].to_vec();
                chars.splice(at..at, part);
            }
        }
    }
    chars.into_iter().take(400).collect()
}
