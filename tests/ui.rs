//! What a mistake in `layout!` reports, and that it reports nothing else: one file for each error
//! of the catalogue, named by its code.
//!
//! To record the output again after a change: `TRYBUILD=overwrite cargo test --test ui`.

#[test]
fn mistakes() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("*.rs");
}
