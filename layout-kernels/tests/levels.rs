//! Which levels the other tests ran at: what a machine cannot run is not tested, and says so.

use std::io::Write as _;

use layout_kernels::simd::Level;

#[test]
fn levels_that_cannot_run_here_say_so() {
    let available: Vec<&str> = Level::available().map(|level| level.name()).collect();
    assert_eq!(available.first(), Some(&Level::detect().name()), "the best comes first");
    assert_eq!(available.last(), Some(&"portable"), "every machine runs the portable body");
    let all = ["AVX-512", "AVX2", "SSE2", "portable"];
    let missing: Vec<&str> = all.into_iter().filter(|name| !available.contains(name)).collect();
    if !missing.is_empty() {
        // Not by `println!`, which the test harness keeps to itself.
        let text = format!("kernels not tested on this machine: {missing:?}\n");
        std::io::stderr().write_all(text.as_bytes()).unwrap();
    }
}
