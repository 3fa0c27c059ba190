//! A guide: what to write, and what it means.
//!
//! 1. [First steps](first_steps)
//! 2. [Coming from ndarray or nalgebra](from_ndarray)
//! 3. [Coming from CuTe](from_cute)
//! 4. [The algebra](algebra)
//! 5. [Layouts as types in generic code](generic_code)
//! 6. [Writing a kernel over a layout](kernels)
//! 7. [Convolutions and contractions](contractions)
//! 8. [Placements: Morello, Spyre, Tenstorrent](placements)
//! 9. [Beyond one machine: MPI](mpi)
//! 10. [Errors and their codes](errors)
//! 11. [Compile times](compile_times)
//! 12. [Features and limits](limits)
//! 13. [Design](design)
//! 14. [Safety](safety)
//!
//! Every example in it runs as a test.

macro_rules! chapters {
    ($($name:ident $file:literal)+) => {$(
        #[doc = include_str!(concat!("../docs/", $file))]
        pub mod $name {}
    )+};
}
chapters! {
    first_steps "guide/first-steps.md"
    from_ndarray "guide/from-ndarray.md"
    from_cute "guide/from-cute.md"
    algebra "guide/algebra.md"
    generic_code "guide/generic-code.md"
    kernels "guide/kernels.md"
    contractions "guide/contractions.md"
    placements "guide/placements.md"
    mpi "guide/mpi.md"
    errors "guide/errors.md"
    compile_times "guide/compile-times.md"
    limits "guide/limits.md"
    design "guide/design.md"
    safety "safety.md"
}
