//! Errors of the kernels that only occur in a build: they check constants that exist once a generic
//! function has its types, which `cargo check` does not evaluate.
//!
//! To record the output again after a change: `TRYBUILD=overwrite cargo test --test ui_build`.

// In the same binary, because each of them uses one compiler process at a time.
#[path = "ui/codegen/mod.rs"]
mod codegen;

#[test]
fn mistakes() {
    let cases = trybuild::TestCases::new();
    // Because of the passing case, trybuild builds instead of checking.
    cases.pass("build/pass.rs");
    cases.compile_fail("build/L*.rs");
}
