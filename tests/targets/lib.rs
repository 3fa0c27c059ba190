//! Code that is built for targets without `std`. The tests of this package run on 32-bit targets.
#![no_std]

#[path = "../../examples/kalman/filter.rs"]
mod filter;

/// Runs the filter of the example `kalman`, so that all of its code is compiled.
pub fn follow(seen: &[[f32; 3]]) -> [f32; 6] {
    let mut filter = filter::Filter::new(0.01, 40.0, 0.09);
    seen.iter().for_each(|z| filter.step(z));
    core::array::from_fn(|i| filter.state()[i])
}
