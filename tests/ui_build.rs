//! What the kernels refuse while the program is built: checks of values that only exist once a
//! generic function has its types, so that `cargo check` does not see them.
//!
//! To record the output again after a change: `TRYBUILD=overwrite cargo test --test ui_build`.

// Beside it, because each of them waits for one compiler at a time.
#[path = "ui/codegen/mod.rs"]
mod codegen;

#[test]
fn mistakes() {
    let cases = trybuild::TestCases::new();
    // With a case that passes, trybuild builds instead of checking.
    cases.pass("build/pass.rs");
    cases.compile_fail("build/L*.rs");
}
