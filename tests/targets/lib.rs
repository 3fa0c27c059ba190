//! What is built for targets without `std`; the tests of this package are for targets of 32 bits.
#![no_std]

#[path = "../../examples/kalman/filter.rs"]
mod filter;

/// Runs the filter of the example `kalman`, so that all of its code is made.
pub fn follow(seen: &[[f32; 3]]) -> [f32; 6] {
    let mut filter = filter::Filter::new(0.01, 40.0, 0.09);
    seen.iter().for_each(|z| filter.step(z));
    core::array::from_fn(|i| filter.state()[i])
}
