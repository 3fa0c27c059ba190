//! The guide.
//!
//! 1. [First steps](first_steps)
//! 2. [Coming from ndarray or nalgebra](from_ndarray)
//! 3. [Coming from CuTe](from_cute)
//! 4. [The algebra](algebra)
//! 5. [Linear layouts, as in Triton](linear_layouts)
//! 6. [Layouts as types in generic code](generic_code)
//! 7. [Writing a kernel over a layout](kernels)
//! 8. [Convolutions and contractions](contractions)
//! 9. [Placements: Morello, Spyre, Tenstorrent](placements)
//! 10. [Beyond one machine: MPI](mpi)
//! 11. [Arrays, bytes and files of other crates](interop)
//! 12. [Errors and their codes](errors)
//! 13. [Compile times](compile_times)
//! 14. [Features and limits](limits)
//! 15. [Design](design)
//! 16. [Safety](safety)
//!
//! Every example runs as a test.

macro_rules! chapters {
    ($($(#[$attribute:meta])? $name:ident $file:literal)+) => {$(
        $(#[$attribute])?
        #[doc = include_str!(concat!("../docs/", $file))]
        pub mod $name {}
    )+};
}
chapters! {
    first_steps "guide/first-steps.md"
    from_ndarray "guide/from-ndarray.md"
    from_cute "guide/from-cute.md"
    algebra "guide/algebra.md"
    linear_layouts "guide/linear-layouts.md"
    generic_code "guide/generic-code.md"
    kernels "guide/kernels.md"
    contractions "guide/contractions.md"
    placements "guide/placements.md"
    mpi "guide/mpi.md"
    // Its examples need other crates, so they run in the package `interop`.
    #[cfg(not(doctest))]
    interop "guide/interop.md"
    errors "guide/errors.md"
    compile_times "guide/compile-times.md"
    limits "guide/limits.md"
    design "guide/design.md"
    safety "safety.md"
}
