//! Random copies, products, updates, swizzled copies, copies between placements and subviews, in
//! buffers of exactly the size that their layouts need, compared with naive loops.
//!
//! By default the cases are always the same, so that a failure means a change of the code. To search
//! further, set the number of cases and the seed. On Linux, buffers lie between inaccessible pages,
//! which also detect out-of-bounds non-temporal stores:
//!
//! ```text
//! FUZZ_SEED=$RANDOM FUZZ_CASES=1000000 \
//!     cargo test --release -p layout-kernels --features rayon,half,num-complex-0_4 --test fuzz -- --nocapture
//! ```
//!
//! With an address sanitizer (nightly compiler) and heap buffers:
//!
//! ```text
//! FUZZ_HEAP=1 FUZZ_SEED=$RANDOM FUZZ_CASES=200000 RUSTFLAGS=-Zsanitizer=address \
//!     cargo +nightly test --release --target x86_64-unknown-linux-gnu \
//!     -p layout-kernels --features rayon,half,num-complex-0_4 --test fuzz -- --nocapture
//! ```
//!
//! Without `std`, as in the package `without-std` (`-p without-std` in place of `-p layout-kernels`
//! and the features), there are no threads and no kept plans, and products are only packed on the
//! stack.
//!
//! `FUZZ_LOG=1` prints each case before it runs, so that the last line names the case that crashed.

#[path = "../common/mod.rs"]
mod common;
mod elements;
mod memory;
mod moves;
#[path = "../common/placements.rs"]
mod placements;
mod products;

use std::fmt::Write as _;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use common::Random;
use layout_kernels::Par;
use layout_kernels::simd::Level;

/// Number of cases of each kind.
#[derive(Default, Debug)]
struct Counts {
    copies: usize,
    updates: usize,
    products: usize,
    swizzled: usize,
    placed: usize,
    parts: usize,
    /// The slowest product for its size: picoseconds per multiplication, and its description.
    slowest: (usize, String),
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name}={text}")))
}

/// Prints a case if `FUZZ_LOG` is set.
fn log(case: impl Fn() -> String) {
    if std::env::var_os("FUZZ_LOG").is_some() {
        writeln!(std::io::stderr(), "{}", case()).expect("stderr is open");
    }
}

fn any_level(random: &mut Random) -> Level {
    let levels: Vec<Level> = Level::available().collect();
    random.one_of(&levels)
}

/// Some threads if `rayon` is enabled, otherwise sequential.
fn threads(random: &mut Random) -> Par {
    #[cfg(feature = "rayon")]
    return Par::Rayon(random.one_of(&[2, 3, 3, 7, 32, usize::MAX]).try_into().unwrap());
    #[cfg(not(feature = "rayon"))]
    {
        let _ = random;
        Par::Sequential
    }
}

/// The random numbers of a case, independent of earlier cases.
fn random(seed: u64, case: u64) -> Random {
    let mixed =
        (seed ^ case.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    Random::new(mixed ^ mixed >> 31)
}

#[test]
fn random_cases() {
    let seed = number("FUZZ_SEED").unwrap_or(1);
    let cases = number("FUZZ_CASES").unwrap_or(2000);
    let mut counts = Counts::default();
    for case in 0..cases {
        let mut random = random(seed, case);
        let outcome = catch_unwind(AssertUnwindSafe(|| match random.below(32) {
            0..9 => moves::copies(&mut random, &mut counts),
            9..20 => products::products(&mut random, &mut counts),
            20..25 => moves::swizzled(&mut random, &mut counts),
            25..28 if random.below(16) == 0 => moves::placed_fixed(&mut random, &mut counts),
            25..28 => moves::placed(&mut random, &mut counts),
            28 | 29 => moves::parts(&mut random, &mut counts),
            30 => moves::fixed(&mut random, &mut counts),
            _ => products::fixed(&mut random, &mut counts),
        }));
        assert!(outcome.is_ok(), "FUZZ_SEED={seed}, case {case}");
    }
    let mut said = String::new();
    let _ = write!(said, "fuzz: {cases} cases, FUZZ_SEED={seed}: {counts:?}");
    writeln!(std::io::stderr(), "{said}").expect("stderr is open");
}
