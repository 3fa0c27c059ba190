//! Random copies between dynamic layouts, by class.
//!
//! `cargo bench -p versus --bench copies` prints a line for each copy, and the geometric mean of
//! each class:
//!
//! ```text
//! COPY   ours / loops  ours / memcpy  nanoseconds  class  element  source => destination
//! CLASS  ours / loops  ours / memcpy  copies  class
//! ```
//!
//! Ratios compare speeds: above 1, ours is faster. `loops` iterates over the destination in memory
//! order. `memcpy` moves as many bytes. `COPIES_SEED=7` draws other copies, `COPIES_PER_CLASS=40`
//! more of them. Arguments select the classes whose names contain one of them. Answers are checked
//! first. `docs/performance.md` shows the gains of `copy`'s strategies in these classes.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

use static_layout::kernels::copy;
use static_layout::{DynLayout, View, ViewMut};

/// The modes of a copy: extents, slowest first in the logical shape, and the strides of both sides.
struct Modes {
    extents: Vec<usize>,
    from: Vec<usize>,
    to: Vec<usize>,
}

/// A pseudo-random number generator (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize
    }

    fn below(&mut self, n: usize) -> usize {
        self.next() % n
    }

    /// A log-uniform number from `low` to `high`.
    fn between(&mut self, low: usize, high: usize) -> usize {
        let x = self.next() as f64 / (1u64 << 53) as f64;
        (low as f64 * ((high as f64 + 0.99) / low as f64).powf(x)) as usize
    }

    fn pick(&mut self, of: &[usize]) -> usize {
        of[self.below(of.len())]
    }

    /// The numbers below `n` in random order.
    fn order(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for k in (1..n).rev() {
            order.swap(k, self.below(k + 1));
        }
        order
    }
}

/// Strides of a memory with the modes in this order, slowest first, and `gap` elements after the
/// fastest.
fn strides(extents: &[usize], order: &[usize], gap: usize) -> Vec<usize> {
    let (mut strides, mut at) = (vec![0; extents.len()], 1);
    for (n, &k) in order.iter().rev().enumerate() {
        strides[k] = at;
        at = at * extents[k] + if n == 0 { gap } else { 0 };
    }
    strides
}

/// Modes in the order of the extents in the source, and in another order in the destination.
fn permuted(extents: Vec<usize>, order: &[usize], gaps: [usize; 2]) -> Modes {
    let same: Vec<usize> = (0..extents.len()).collect();
    let from = strides(&extents, &same, gaps[0]);
    Modes { from, to: strides(&extents, order, gaps[1]), extents }
}

/// The same copy in the other direction.
fn back(modes: Modes) -> Modes {
    Modes { from: modes.to, to: modes.from, ..modes }
}

type Draw = fn(&mut Random, usize) -> Modes;

/// The classes. Each draws a random copy, given the element size in bytes.
const CLASSES: &[(&str, Draw)] = &[
    ("transpose, 8 to 32", |r, _| square(r.between(8, 32), r.between(8, 32), 0)),
    ("transpose, 33 to 256", |r, _| {
        let gap = r.pick(&[0, 0, 3]);
        square(r.between(33, 256), r.between(33, 256), gap)
    }),
    ("transpose, 257 to 3000", |r, _| square(r.between(257, 3000), r.between(257, 3000), 0)),
    ("transpose, powers of two", |r, _| square(1 << (6 + r.below(6)), 1 << (6 + r.below(6)), 0)),
    ("interleave", |r, size| few(r, size, 0)),
    ("deinterleave", |r, size| back(few(r, size, 0))),
    ("few rows with gaps", |r, size| {
        let gap = r.between(1, 8);
        few(r, size, gap)
    }),
    ("few columns with gaps", |r, size| {
        let gap = r.between(1, 8);
        back(few(r, size, gap))
    }),
    ("NCHW to NCHWc", channels),
    ("NCHWc to NCHW", |r, size| back(channels(r, size))),
    ("permutation of 3 to 5 modes", |r, size| {
        let n = 3 + r.below(3);
        let side = (total(r, size) as f64).powf(1.0 / n as f64);
        let extents = (0..n).map(|_| (side * r.pick(&[5, 7, 10, 14, 20]) as f64 / 10.0) as usize);
        let extents = extents.map(|extent| extent.max(2)).collect();
        permuted(extents, &r.order(n), [0, 0])
    }),
    ("permutation of short modes", |r, size| {
        let (a, b, c) = (r.between(3, 14), r.between(3, 14), r.between(4, 60));
        let rest = (2 * total(r, size) / (a * b * c)).clamp(2, 3000);
        permuted(vec![rest, c, b, a], &r.order(4), [0, 0])
    }),
    ("tiles", tiles),
    ("from tiles", |r, size| back(tiles(r, size))),
    ("words of several elements", |r, size| {
        let (unit, rows) = (r.pick(&[2, 4, 8]), r.between(8, 300));
        let columns = (total(r, size) / (rows * unit)).clamp(8, 2000);
        permuted(vec![rows, columns, unit], &[1, 0, 2], [0, 0])
    }),
    ("strided", |r, size| {
        let side = (total(r, size) as f64 / 2.0).cbrt();
        let extents = (0..3).map(|_| (side * r.pick(&[2, 5, 10, 20, 40]) as f64 / 10.0) as usize);
        let mut extents: Vec<usize> = extents.map(|extent| extent.max(2)).collect();
        extents.push(2);
        let mut order = r.order(3);
        order.push(3);
        let Modes { mut extents, mut from, mut to } = permuted(extents, &order, [0, 0]);
        extents.pop();
        from.pop();
        to.pop();
        Modes { extents, from, to }
    }),
];

/// The elements of a copy of 2 KiB to 24 MiB.
fn total(r: &mut Random, size: usize) -> usize {
    r.between(2 << 10, 24 << 20) / size
}

fn square(rows: usize, columns: usize, gap: usize) -> Modes {
    permuted(vec![rows, columns], &[1, 0], [gap, 0])
}

fn few(r: &mut Random, size: usize, gap: usize) -> Modes {
    let rows = r.between(2, 16);
    permuted(vec![rows, (total(r, size) / rows).max(40)], &[1, 0], [0, gap])
}

fn channels(r: &mut Random, size: usize) -> Modes {
    let (channels, groups) = (r.pick(&[4, 8, 16, 32]), r.between(1, 16));
    let image = r.pick(&[7, 14, 28, 56, 112]).pow(2);
    let count = (total(r, size) / (channels * groups * image)).clamp(1, 8);
    permuted(vec![count, groups, channels, image], &[0, 1, 3, 2], [0, 0])
}

fn tiles(r: &mut Random, size: usize) -> Modes {
    let (height, width) = (r.pick(&[4, 8, 16, 32, 64]), r.pick(&[4, 8, 16, 32]));
    let all = total(r, size);
    let down = ((all as f64).sqrt() as usize / height).max(1);
    let across = (all / (down * height * width)).max(1);
    permuted(vec![down, height, across, width], &[0, 2, 1, 3], [0, 0])
}

/// One loop per mode; the mode with the smallest destination stride is innermost.
fn loops<T: Copy>(modes: &[(usize, usize, usize)], from: &[T], to: &mut [T]) {
    match modes {
        [] => to[0] = from[0],
        &[(extent, s, d)] => (0..extent).for_each(|i| to[i * d] = from[i * s]),
        [(extent, s, d), inner @ ..] => {
            (0..*extent).for_each(|i| loops(inner, &from[i * s..], &mut to[i * d..]));
        }
    }
}

/// A variant that fills the destination.
type Variant<'a, T> = &'a dyn Fn(&mut [T]);

/// Our speed relative to the loops and to memcpy, and our time in nanoseconds.
fn measure<T: Copy + Default + PartialEq + 'static>(modes: &Modes, of: fn(usize) -> T) -> [f64; 3] {
    let layout = |strides: &[usize]| {
        let list =
            |numbers: &[usize]| numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        let text = format!("({}):({})", list(&modes.extents), list(strides));
        DynLayout::parse(&text).expect("a layout")
    };
    let (s, d) = (layout(&modes.from), layout(&modes.to));
    let source: Vec<T> = (0..s.cosize()).map(of).collect();
    let mut memory = vec![T::default(); d.cosize() + 64];
    // Align the destination to a cache line.
    let start = (0..64).find(|&i| memory[i..].as_ptr().addr().is_multiple_of(64)).unwrap_or(0);
    let memory = &mut memory[start..][..d.cosize()];
    let mut sorted: Vec<(usize, usize, usize)> = Vec::new();
    for (k, &extent) in modes.extents.iter().enumerate() {
        sorted.push((extent, modes.from[k], modes.to[k]));
    }
    sorted.sort_by_key(|&(_, _, to)| std::cmp::Reverse(to));
    let ours = |memory: &mut [T]| {
        let from = View::new_in(black_box(&source[..]), s).expect("a source");
        let mut to = ViewMut::new_in(memory, d).expect("a destination");
        copy(&from, &mut to).expect("the same shape");
    };
    let by_loops = |memory: &mut [T]| loops(black_box(&sorted), &source, memory);
    let n = s.size().min(source.len()).min(memory.len());
    let by_memcpy = |memory: &mut [T]| memory[..n].copy_from_slice(black_box(&source[..n]));

    by_loops(memory);
    let expected = memory.to_vec();
    memory.fill(T::default());
    ours(memory);
    assert!(memory == expected, "{s} to {d}");

    let variants: [Variant<'_, T>; 3] = [&ours, &by_loops, &by_memcpy];
    let mut time = |variant: usize, iterations: usize| {
        let start = Instant::now();
        (0..iterations).for_each(|_| variants[variant](memory));
        start.elapsed().as_nanos() as f64 / iterations as f64
    };
    let iterations = ((50e3 / time(0, 3).max(20.0)) as usize).clamp(1, 400);
    let rounds = ((60e6 / (time(0, 3) * iterations as f64)) as usize).clamp(9, 300);
    let mut times = [const { Vec::new() }; 3];
    for round in 0..rounds {
        for k in 0..3 {
            let variant = (k + round) % 3;
            times[variant].push(time(variant, iterations));
        }
    }
    let low = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[rounds / 10]
    });
    [low[1] / low[0], low[2] / low[0], low[0]]
}

fn main() {
    let number = |name: &str, or: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(or)
    };
    let (seed, count) = (number("COPIES_SEED", 1), number("COPIES_PER_CLASS", 12));
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let mut means: BTreeMap<&str, [f64; 3]> = BTreeMap::new();
    for (k, &(class, draw)) in CLASSES.iter().enumerate() {
        if !wanted.is_empty() && !wanted.iter().any(|each| class.contains(each.as_str())) {
            continue;
        }
        let mut random =
            Random((seed << 8 | k as u64 | 1 << 63).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for _ in 0..count {
            let size = random.pick(&[1, 2, 4, 8, 16]);
            let modes = draw(&mut random, size);
            let [loops, memcpy, time] = match size {
                1 => measure(&modes, |i| i as u8),
                2 => measure(&modes, |i| i as u16),
                4 => measure(&modes, |i| i as f32),
                8 => measure(&modes, |i| i as f64),
                _ => measure(&modes, |i| [i as f64, -1.0]),
            };
            let Modes { extents, from, to } = &modes;
            println!(
                "COPY\t{loops:.2}\t{memcpy:.2}\t{time:.0}\t{class}\t{} bits\t{extents:?}:{from:?} => {to:?}",
                8 * size
            );
            let mean = means.entry(class).or_default();
            for (mean, x) in mean.iter_mut().zip([loops.ln(), memcpy.ln(), 1.0]) {
                *mean += x;
            }
        }
    }
    for (class, [loops, memcpy, count]) in means {
        let (loops, memcpy) = ((loops / count).exp(), (memcpy / count).exp());
        println!("CLASS\t{loops:.2}\t{memcpy:.2}\t{count}\t{class}");
    }
}
