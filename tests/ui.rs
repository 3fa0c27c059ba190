//! The error of each mistake in `layout!`, and that there is no other error: one file per error of
//! the catalogue, named by its code.
//!
//! To record the output again after a change: `TRYBUILD=overwrite cargo test --test ui`.

#[test]
fn mistakes() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("*.rs");
}
