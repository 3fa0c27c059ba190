//! `gemm` and `copy` compared with the alternatives.
//!
//! `cargo bench -p versus --bench versus` prints a line for each case,
//! `cargo bench -p versus --bench versus -- f32 16x16` only those whose names contain `f32` or
//! `16x16`:
//!
//! ```text
//! VERSUS  case  ours  name of the best peer  best peer  ours / best peer
//! ```
//!
//! At the end it prints for each `LIMIT  case  ours  limit  bound  share`. Fields are separated by
//! tabs. All numbers are throughputs, in the unit at the end of the case name: billions of
//! floating-point operations, or of bytes read or written, per second. A ratio above 1 means that
//! ours is faster. Lines that start with `#` list all variants of a case. All answers are checked first.
//!
//! Peer crates are built in the same way, with their fastest features. OpenBLAS is loaded if the
//! machine has it.

mod batched;
mod columns;
mod copy;
mod large;
mod non_strided_copies;
mod openblas;
mod peers;
mod small;
mod words;

use std::process::ExitCode;

use openblas::OpenBlas;
use static_layout::kernels::Level;
use versus::{Bench, Options};

fn main() -> ExitCode {
    let Some(options) = Options::from_arguments(std::env::args().skip(1)) else {
        eprintln!("arguments: [--list] [--seconds PER_CASE] [SUBSTRING OF A CASE'S NAME]...");
        return ExitCode::FAILURE;
    };
    println!("# {}, {}", Level::detect(), cpu());
    let openblas = OpenBlas::load();
    match &openblas {
        Ok(library) => println!("# {}", library.description),
        Err(error) => println!("# OpenBLAS is missing: {error}"),
    }
    let openblas = openblas.as_ref().ok();
    let mut bench = Bench::new(options);
    small::cases(&mut bench, openblas);
    batched::cases(&mut bench, openblas);
    large::cases(&mut bench, openblas);
    words::cases(&mut bench);
    copy::cases(&mut bench);
    non_strided_copies::cases(&mut bench);
    bench.finish();
    ExitCode::SUCCESS
}

/// The name of the processor, if the system reports it.
fn cpu() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    name.unwrap_or("unknown processor").into()
}
