//! Compile time of layouts, their algebra and kernels: seconds that `rustc` adds to a user's build.
//!
//! `cargo bench --bench compile_time` builds a crate that depends on this one. It then times
//! `rustc --emit metadata` on generated files with N distinct items: the best of several runs, minus
//! the time of a file that only imports the library. Each file asserts its own results. Kernels over
//! static layouts are compiled to optimised code with `rustc -O --emit obj`, and so are the same
//! products with nalgebra's static matrices. A substring as argument selects cases:
//! `cargo bench --bench compile_time -- Divide`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use static_layout::devices::ElementType;
use static_layout::devices::spyre::SpyreLayout;
use static_layout::devices::tenstorrent::{AffineMap, MetalLayout, Tile};
use static_layout::engine::{DynLayout, IntTuple, Slicer, Tiler, algebra};
use static_layout::{Algebra, LayoutError};

/// Runs per file. The fastest counts, because noise only ever adds time.
const RUNS: usize = 5;

/// Extents of M = N = K, small and larger, multiples of a vector and others.
const CUBES: [usize; 24] =
    [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 20, 21, 24, 27, 31, 32, 33, 48, 63, 64];

fn main() {
    // `cargo test --benches` and similar commands pass `--test`: build, but do not measure.
    let (options, wanted): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|arg| arg.starts_with("--"));
    if !options.iter().any(|option| option == "--bench") {
        println!("compile_time: nothing measured (run it with `cargo bench --bench compile_time`)");
        return;
    }
    println!("{:<44}{:>10}{:>14}", "what", "seconds", "ms an item");
    let mut random = Random(7);
    measure(
        &wanted,
        Build::Check,
        &OURS,
        vec![
            (100, "layout! aliases", aliases(100, &mut random)),
            (1000, "layout! aliases", aliases(1000, &mut random)),
            (100, "layout! of Spyre layouts, padding asserted", sticks(100, &mut random)),
            (100, "layout! of metal layouts, padding asserted", shards(100, &mut random)),
            (100, "Composition, 1-4 modes, asserted", compositions(100, &mut random)),
            (100, "LogicalDivide, 1-4 modes, asserted", divides(100, &mut random)),
            (100, "ZippedDivide by <..>, asserted", {
                by_tiler(100, &mut random, "ZippedDivide", DynLayout::zipped_divide_by)
            }),
            (100, "TiledDivide by <..>, asserted", {
                by_tiler(100, &mut random, "TiledDivide", DynLayout::tiled_divide_by)
            }),
            (100, "FlatDivide by <..>, asserted", {
                by_tiler(100, &mut random, "FlatDivide", DynLayout::flat_divide_by)
            }),
            (100, "ZippedProduct by <..>, asserted", {
                by_tiler(100, &mut random, "ZippedProduct", DynLayout::zipped_product_by)
            }),
            (100, "TiledProduct by <..>, asserted", {
                by_tiler(100, &mut random, "TiledProduct", DynLayout::tiled_product_by)
            }),
            (100, "FlatProduct by <..>, asserted", {
                by_tiler(100, &mut random, "FlatProduct", DynLayout::flat_product_by)
            }),
            (100, "BlockedProduct, 1-4 modes, asserted", {
                of_two(100, &mut random, "BlockedProduct", DynLayout::blocked_product)
            }),
            (100, "RakedProduct, 1-4 modes, asserted", {
                of_two(100, &mut random, "RakedProduct", DynLayout::raked_product)
            }),
            (100, "TileToShape, 1-4 modes, asserted", tiled_to_shapes(100, &mut random)),
            (100, "LocalTile by <..>, asserted", {
                by_tiler(100, &mut random, "LocalTile", |a, t| {
                    Ok(algebra::local_tile(a, t, &Slicer::index(0))?.0)
                })
            }),
            (100, "Complement in a shape, asserted", complements(100, &mut random)),
            (100, "LogicalProduct, 1-4 modes, asserted", products(100, &mut random)),
            (100, "Filter, 1-4 modes, asserted", filters(100, &mut random)),
            (100, "Nullspace, 1-4 modes, asserted", nullspaces(100, &mut random)),
            (100, "LeftInverse, 1-4 modes, asserted", left_inverses(100, &mut random)),
            (100, "MaxCommonLayout, 1-4 modes, asserted", common_layouts(100, &mut random)),
            (
                100,
                "Upcast, 1-4 modes, asserted",
                casts(100, "Upcast", DynLayout::upcast, &mut random),
            ),
            (
                100,
                "Downcast, 1-4 modes, asserted",
                casts(100, "Downcast", DynLayout::downcast, &mut random),
            ),
            (100, "Recast, 1-4 modes, asserted", recasts(100, &mut random)),
            (100, "DomainDistribute, 1-4 modes, asserted", distributions(100, &mut random)),
            (100, "ShapeDiv, 1-4 modes, asserted", quotients(100, &mut random)),
            (100, "Make, RowMajor, 1-4 modes, asserted", compact(100, &mut random)),
            (100, "MakeOrdered, 1-4 modes, asserted", ordered(100, &mut random)),
            (100, "CoalesceBy, 2 modes, asserted", coalesced_by(100, &mut random)),
            (100, "Take, Group of 2-6 modes, asserted", ranges(100, &mut random)),
            (100, "Select, Replace, Append, asserted", numbers(100, &mut random)),
            (100, "Unflatten, Zip of 2-6 modes, asserted", nested(100, &mut random)),
            (100, "Slice of 2-6 modes, asserted", slices(100, &mut random)),
        ],
    );
    measure(
        &wanted,
        Build::Release,
        &OURS,
        vec![
            (7, "gemm of 2 to 8 cubed, optimised", products_of((2..=8).map(|n| [n; 3]))),
            (4, "gemm of 16, 24, 31, 32 cubed, optimised", {
                products_of([16, 24, 31, 32].into_iter().map(|n| [n; 3]))
            }),
            (24, "gemm of 3 to 64 cubed, optimised", {
                products_of(CUBES.into_iter().map(|n| [n; 3]))
            }),
            (4, "gemm of 5x9x13 and such, optimised", {
                products_of([[5, 9, 13], [64, 8, 64], [1, 32, 32], [12, 2, 7]].into_iter())
            }),
            (4, "copy, transposes, optimised", {
                transposes([[4, 4], [13, 7], [64, 64], [100, 33]].into_iter())
            }),
            (4, "copy to tiles on 2x2 cores, optimised", {
                tilings([[12, 10], [32, 64], [100, 70], [256, 256]].into_iter())
            }),
            (1, "gemm of dynamic layouts", of_dynamic("kernels::gemm(1.0, a, b, 1.0, c).unwrap()")),
            (1, "copy of dynamic layouts", of_dynamic("kernels::copy(a, c).unwrap()")),
            (1, "transform of dynamic layouts", {
                of_dynamic("kernels::transform(a, c, |x: f32| x.max(0.0)).unwrap()")
            }),
            (1, "axpby of dynamic layouts", {
                of_dynamic("kernels::axpby(2.0, a, 3.0, c).unwrap()")
            }),
            (1, "einsum of dynamic layouts", {
                of_dynamic("kernels::einsum(\"ik,kj->ij\", a, b, c).unwrap()")
            }),
            (1, "einsum! of static layouts", contraction_of_heads()),
        ],
    );
    let source = products_of_nalgebra(CUBES.into_iter().map(|n| [n; 3]));
    let sources = vec![(24, "gemm of 3 to 64 cubed, nalgebra", source)];
    measure(&wanted, Build::Release, &NALGEBRA, sources);
}

/// Compiles the selected sources. Each has the number of items, their description, and the source.
fn measure(
    wanted: &[String],
    build: Build,
    library: &'static Library,
    sources: Vec<(usize, &str, String)>,
) {
    let named = sources.into_iter().map(|(n, what, source)| (n, format!("{n} {what}"), source));
    let wants = |name: &String| wanted.iter().all(|part| name.contains(part));
    let chosen: Vec<_> = named.filter(|(_, name, _)| wants(name)).collect();
    if chosen.is_empty() {
        return;
    }
    let compiler = Compiler::new(build, library);
    let base = compiler.time("");
    println!("{:<44}{:>10.2}", "import only (subtracted below)", base.as_secs_f64());
    for (n, name, source) in chosen {
        let seconds = compiler.time(&source).saturating_sub(base).as_secs_f64();
        println!("{name:<44}{seconds:>10.2}{:>14.2}", seconds * 1e3 / n as f64);
    }
}

/// A library under test: the name of its crate, and the imports of a source.
struct Library {
    name: &'static str,
    imports: &'static str,
}

const OURS: Library = Library {
    name: "static_layout",
    imports: "use static_layout::{*, ops::*};\n\
              use static_layout::typenum::{assert_type_eq, consts::*};\n\
              use static_layout::types::{Cons, Keep, Nil};\n",
};
const NALGEBRA: Library = Library { name: "nalgebra", imports: "use nalgebra::SMatrix;\n" };

/// How sources are compiled.
#[derive(Clone, Copy)]
enum Build {
    /// As with `cargo check`.
    Check,
    /// As with `cargo build --release`.
    Release,
}

/// A directory with the compiled libraries. Runs `rustc` on single files that use one of them.
struct Compiler {
    build: Build,
    folder: PathBuf,
    library: &'static Library,
    compiled: PathBuf,
}

impl Compiler {
    fn new(build: Build, library: &'static Library) -> Self {
        let (profile, subfolder) = match build {
            Build::Check => ("dev", "debug"),
            Build::Release => ("release", "release"),
        };
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile_time");
        std::fs::create_dir_all(folder.join("src")).expect("a folder below target");
        let manifest = format!(
            "[package]\nname = \"compile-time\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
             [dependencies]\nstatic-layout = {{ path = {root:?} }}\n\
             nalgebra = {{ version = \"0.35\", default-features = false, features = [\"std\"] }}\n[workspace]\n"
        );
        std::fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
        std::fs::write(folder.join("src/lib.rs"), "").expect("an empty library");
        // The versions that this workspace has locked and already downloaded.
        std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("a lock file");
        let status = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--profile", profile])
            .env("CARGO_TARGET_DIR", folder.join("target"))
            .current_dir(&folder)
            .status()
            .expect("cargo runs");
        assert!(status.success(), "the library builds");
        let deps = folder.join("target").join(subfolder).join("deps");
        let start = format!("lib{}-", library.name);
        let compiled = std::fs::read_dir(&deps)
            .expect("compiled dependencies")
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| {
                let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
                name.starts_with(&start) && name.ends_with(".rlib")
            })
            .max_by_key(|path| path.metadata().and_then(|m| m.modified()).ok())
            .expect("a compiled library");
        Self { build, folder, library, compiled }
    }

    fn time(&self, body: &str) -> Duration {
        let file = self.folder.join("case.rs");
        let Library { name, imports } = self.library;
        let source = format!("#![allow(dead_code)]\n{imports}{body}");
        std::fs::write(&file, source).expect("a source file");
        let options: &[_] = match self.build {
            Build::Check => &["--emit", "metadata"],
            Build::Release => &["-O", "--emit", "obj"],
        };
        (0..RUNS)
            .map(|_| {
                let start = Instant::now();
                let output = Command::new("rustc")
                    .args(["--edition", "2024", "--crate-type", "lib"])
                    .args(options)
                    .args(["--cap-lints", "allow", "-o"])
                    .arg(self.folder.join("case.out"))
                    .arg("-L")
                    .arg(format!("dependency={}", self.compiled.parent().unwrap().display()))
                    .arg("--extern")
                    .arg(format!("{name}={}", self.compiled.display()))
                    .arg(&file)
                    .output()
                    .expect("rustc runs");
                let time = start.elapsed();
                let errors = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{errors}");
                time
            })
            .min()
            .expect("at least one run")
    }
}

/// A linear congruential generator: the same inputs in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    /// A compact layout of 1 to 4 modes, with strides in random order.
    fn compact(&mut self) -> DynLayout {
        let rank = 1 + self.below(4);
        let shape: Vec<usize> = (0..rank).map(|_| 1 + self.below(12)).collect();
        let mut order: Vec<usize> = (0..rank).collect();
        for i in (1..rank).rev() {
            order.swap(i, self.below(i + 1));
        }
        let mut strides = vec![0; rank];
        let mut step = 1;
        for k in order {
            strides[k] = if shape[k] == 1 { 0 } else { step };
            step *= shape[k];
        }
        layout(&shape, &strides)
    }

    /// A layout of 1 to 4 modes whose strides are sometimes divisible.
    fn any(&mut self) -> DynLayout {
        let rank = 1 + self.below(4);
        let shape: Vec<usize> = (0..rank).map(|_| 1 + self.below(6)).collect();
        let strides: Vec<usize> = (0..rank).map(|_| self.below(24)).collect();
        layout(&shape, &strides)
    }
}

fn layout(shape: &[usize], strides: &[usize]) -> DynLayout {
    let tuple = |t| IntTuple::flat(t).expect("a few leaves");
    DynLayout::new(&tuple(shape), &tuple(strides)).expect("small numbers")
}

fn aliases(n: usize, random: &mut Random) -> String {
    let mut source = String::new();
    for i in 0..n {
        let (a, b) = (2 + random.below(14), 2 + random.below(14));
        let (c, d) = (1 + random.below(300), 1 + random.below(300));
        writeln!(source, "type L{i} = layout!(({a},({b},4)):({c},({d},1)));").unwrap();
    }
    source
}

/// One function per M, N and K with a product of column-major matrices.
fn products_of(extents: impl Iterator<Item = [usize; 3]>) -> String {
    let function = |[m, n, k]: [usize; 3]| {
        format!(
            "pub fn product_{m}_{n}_{k}(
                a: &Tensor<f32, layout!(({m},{k}):(1,{m}))>,
                b: &Tensor<f32, layout!(({k},{n}):(1,{k}))>,
                c: &mut Tensor<f32, layout!(({m},{n}):(1,{m}))>,
            ) {{ kernels::gemm(1.0, a, b, 1.0, c); }}\n"
        )
    };
    extents.map(function).collect()
}

/// The same functions with nalgebra's static matrices, which are also column-major.
fn products_of_nalgebra(extents: impl Iterator<Item = [usize; 3]>) -> String {
    let function = |[m, n, k]: [usize; 3]| {
        format!(
            "pub fn product_{m}_{n}_{k}(
                a: &SMatrix<f32, {m}, {k}>,
                b: &SMatrix<f32, {k}, {n}>,
                c: &mut SMatrix<f32, {m}, {n}>,
            ) {{ c.gemm(1.0, a, b, 1.0); }}\n"
        )
    };
    extents.map(function).collect()
}

/// A function that makes one call of dynamic tensors.
fn of_dynamic(call: &str) -> String {
    format!(
        "type Matrix = Tensor<f32, DynLayout>;
        pub fn call(a: &Matrix, b: &Matrix, c: &mut Matrix) {{ {call} }}\n"
    )
}

/// A function that computes the scores of attention heads.
fn contraction_of_heads() -> String {
    "pub fn scores(
        q: &Tensor<f32, layout!((2,16,4,8):(512,32,8,1))>,
        k: &Tensor<f32, layout!((2,16,4,8):(512,32,8,1))>,
        scores: &mut Tensor<f32, layout!((2,4,16,16):(1024,256,16,1))>,
    ) { einsum!(\"bthd,bshd->bhts\", q, k, scores); }\n"
        .to_owned()
}

/// One function per shape that copies a row-major matrix to a column-major one.
fn transposes(extents: impl Iterator<Item = [usize; 2]>) -> String {
    let function = |[m, n]: [usize; 2]| {
        format!(
            "pub fn transpose_{m}_{n}(
                s: &Tensor<f32, layout!(({m},{n}):({n},1))>,
                d: &mut Tensor<f32, layout!(({m},{n}):(1,{m}))>,
            ) {{ kernels::copy(s, d); }}\n"
        )
    };
    extents.map(function).collect()
}

/// One function per shape that copies a row-major matrix to the cores of a Tenstorrent grid.
fn tilings(extents: impl Iterator<Item = [usize; 2]>) -> String {
    let function = |[m, n]: [usize; 2]| {
        format!(
            "pub fn tile_{m}_{n}(
                s: &Tensor<f32, layout!(({m},{n}):({n},1))>,
                d: &mut PlacedTensor<f32, layout!(tensor<{m}x{n}xf32,
                    #tt.metal_layout<(d0, d1) -> (d0, d1), zero, <2x2>>>)>,
            ) {{ kernels::copy(s, d); }}\n"
        )
    };
    extents.map(function).collect()
}

fn sticks(n: usize, random: &mut Random) -> String {
    let mut source = String::new();
    for _ in 0..n {
        let size = [2 + random.below(90), 2 + random.below(90), 2 + random.below(500)];
        let l = SpyreLayout::dense(&size, ElementType::F16, None).expect("it is a layout");
        let padding = l.padding();
        writeln!(source, "const _: () = assert!(<layout!({l})>::PADDING == {padding});").unwrap();
    }
    source
}

fn shards(n: usize, random: &mut Random) -> String {
    let mut source = String::new();
    for _ in 0..n {
        let shape = [1 + random.below(4), 2 + random.below(90), 2 + random.below(500)];
        let map = AffineMap::collapsed(&shape, &[(0, -1)], 2).expect("they are few");
        let grid = [1 + random.below(8), 1 + random.below(8)];
        let tile = Tile::new(32, 32).expect("it has elements");
        let l = MetalLayout::new(&shape, ElementType::F32, &map, &grid)
            .and_then(|l| l.tiled(tile, ElementType::BfpBf8))
            .expect("it is a layout");
        let (padding, empty) = (l.padding(), l.empty_cores());
        writeln!(source, "const _: () = {{ type L = layout!({l});").unwrap();
        writeln!(source, "assert!(L::PADDING == {padding} && L::EMPTY_CORES == {empty}); }};")
            .unwrap();
    }
    source
}

/// `n` asserted uses of type-level operations: an expression, and the engine's result for it.
fn equalities(n: usize, mut case: impl FnMut() -> Option<(String, DynLayout)>) -> String {
    let mut source = String::new();
    let mut made = 0;
    while made < n {
        if let Some((expression, result)) = case() {
            writeln!(source, "assert_type_eq!({expression}, layout!({result}));").unwrap();
            made += 1;
        }
    }
    source
}

/// The same for an operation on two layouts.
fn asserted(
    n: usize,
    name: &str,
    mut case: impl FnMut() -> Option<(DynLayout, String, DynLayout)>,
) -> String {
    equalities(n, || {
        let (a, b, result) = case()?;
        Some((format!("{name}<layout!({a}), layout!({b})>"), result))
    })
}

/// An integer tuple as a type.
fn tree(tuple: &IntTuple) -> String {
    if tuple.is_int() {
        return format!("U{}", tuple.leaves()[0]);
    }
    let parts = (0..tuple.rank()).rev().map(|i| tree(&tuple.mode(i)));
    parts.fold("Nil".to_string(), |rest, part| format!("Cons<{part}, {rest}>"))
}

fn compact(n: usize, random: &mut Random) -> String {
    let mut rows = false;
    equalities(n, || {
        let shape = random.any().shape();
        rows = !rows;
        let (name, result) = match rows {
            true => ("RowMajor", DynLayout::row_major(&shape)),
            false => ("Make", DynLayout::make(&shape)),
        };
        Some((format!("{name}<{}>", tree(&shape)), result.ok()?))
    })
}

fn ordered(n: usize, random: &mut Random) -> String {
    equalities(n, || {
        let shape = random.any().shape();
        let places: Vec<usize> = (0..shape.rank()).map(|_| random.below(40)).collect();
        let order = IntTuple::flat(&places).ok()?;
        let result = DynLayout::make_ordered(&shape, &order).ok()?;
        Some((format!("MakeOrdered<{}, {}>", tree(&shape), tree(&order)), result))
    })
}

/// A layout with the modes of two layouts.
fn joined(random: &mut Random) -> Option<DynLayout> {
    let (mut all, more) = (random.compact(), random.any());
    for i in 0..more.rank() {
        all = all.append(&more.mode(i)).ok()?;
    }
    (all.rank() <= 6).then_some(all)
}

fn ranges(n: usize, random: &mut Random) -> String {
    let mut take = false;
    equalities(n, || {
        let l = joined(random)?;
        let begin = random.below(l.rank());
        let end = begin + 1 + random.below(l.rank() - begin);
        take = !take;
        let (name, result) = match take {
            true => ("Take", l.take(begin, end)),
            false => ("Group", l.group(begin, end)),
        };
        Some((format!("{name}<layout!({l}), U{begin}, U{end}>"), result.ok()?))
    })
}

fn numbers(n: usize, random: &mut Random) -> String {
    let mut which = 0;
    equalities(n, || {
        let (l, with) = (joined(random)?, random.any());
        let at = random.below(l.rank());
        which = (which + 1) % 3;
        let (expression, result) = match which {
            0 => {
                let numbers = [at, random.below(l.rank())];
                let list = tree(&IntTuple::flat(&numbers).ok()?);
                (format!("Select<layout!({l}), {list}>"), l.select(&numbers))
            }
            1 => {
                let expression = format!("Replace<layout!({l}), U{at}, layout!({with})>");
                (expression, l.replace(at, &with))
            }
            _ => (format!("Append<layout!({l}), layout!({with})>"), l.append(&with)),
        };
        Some((expression, result.ok()?))
    })
}

fn nested(n: usize, random: &mut Random) -> String {
    let mut zip = false;
    equalities(n, || {
        let l = joined(random)?;
        let leaves = vec![0; l.rank()];
        let (front, back) = leaves.split_at(l.rank() / 2);
        let halves = [IntTuple::flat(front).ok()?, IntTuple::flat(back).ok()?];
        let profile = IntTuple::tuple(&halves).ok()?;
        zip = !zip && l.rank() % 2 == 0;
        let halves = l.unflatten(&profile).ok()?;
        Some(match zip {
            true => (format!("Zip<layout!({halves})>"), halves.zip().ok()?),
            false => (format!("Unflatten<layout!({l}), {}>", tree(&profile)), halves),
        })
    })
}

fn slices(n: usize, random: &mut Random) -> String {
    equalities(n, || {
        let l = joined(random)?;
        let (mut types, mut kept) = ("Nil".to_string(), Vec::new());
        for i in (0..l.rank()).rev() {
            let part = match random.below(2) {
                0 => format!("U{}", random.below(l.mode(i).size())),
                _ => {
                    kept.insert(0, l.mode(i));
                    "Keep".to_string()
                }
            };
            types = format!("Cons<{part}, {types}>");
        }
        Some((format!("Slice<layout!({l}), {types}>"), DynLayout::tuple(&kept).ok()?))
    })
}

fn coalesced_by(n: usize, random: &mut Random) -> String {
    equalities(n, || {
        let l = DynLayout::tuple(&[random.compact(), random.any()]).ok()?;
        let profile = IntTuple::flat(&[0, 0]).ok()?;
        let result = l.coalesce_by(&profile).ok()?;
        Some((format!("CoalesceBy<layout!({l}), {}>", tree(&profile)), result))
    })
}

fn filters(n: usize, random: &mut Random) -> String {
    equalities(n, || {
        let a = random.any();
        Some((format!("Filter<layout!({a})>"), a.filter()))
    })
}

fn nullspaces(n: usize, random: &mut Random) -> String {
    equalities(n, || {
        let a = random.any();
        Some((format!("Nullspace<layout!({a})>"), a.nullspace()))
    })
}

fn left_inverses(n: usize, random: &mut Random) -> String {
    equalities(n, || {
        let a = random.compact();
        Some((format!("LeftInverse<layout!({a})>"), a.left_inverse().ok()?))
    })
}

fn casts(
    n: usize,
    name: &str,
    cast: fn(&DynLayout, usize) -> Result<DynLayout, LayoutError>,
    random: &mut Random,
) -> String {
    equalities(n, || {
        let (a, factor) = (random.compact(), 1 + random.below(12));
        Some((format!("{name}<layout!({a}), typenum::U{factor}>"), cast(&a, factor).ok()?))
    })
}

fn recasts(n: usize, random: &mut Random) -> String {
    equalities(n, || {
        let (a, old, new) = (random.compact(), 1 + random.below(64), 1 + random.below(64));
        let result = a.recast(old, new).ok()?;
        Some((format!("Recast<layout!({a}), typenum::U{old}, typenum::U{new}>"), result))
    })
}

/// The shape of `a` as a type expression.
fn shape_of(a: &DynLayout) -> String {
    format!("<layout!({a}) as StaticLayout>::Shape")
}

fn distributions(n: usize, random: &mut Random) -> String {
    equalities(n, || {
        let (a, number) = (random.compact(), 1 + random.below(120));
        let result = DynLayout::domain_distribute(&a.shape(), number).ok()?;
        Some((format!("DomainDistribute<{}, typenum::U{number}>", shape_of(&a)), result))
    })
}

fn quotients(n: usize, random: &mut Random) -> String {
    equalities(n, || {
        let (a, divisor) = (random.compact(), 1 + random.below(120));
        let quotient = a.shape().shape_div(&IntTuple::leaf(divisor)).ok()?;
        let ty = format!("ShapeDiv<{}, typenum::U{divisor}>", shape_of(&a));
        Some((format!("Layout<{ty}, {ty}>"), DynLayout::new(&quotient, &quotient).ok()?))
    })
}

fn common_layouts(n: usize, random: &mut Random) -> String {
    asserted(n, "MaxCommonLayout", || {
        let a = random.compact();
        let b = if random.below(2) == 0 { a } else { random.compact() };
        Some((a, b.to_string(), a.max_common_layout(&b).ok()?))
    })
}

fn compositions(n: usize, random: &mut Random) -> String {
    asserted(n, "Composition", || {
        let (a, b) = (random.compact(), random.any());
        Some((a, b.to_string(), a.composition(&b).ok()?))
    })
}

fn divides(n: usize, random: &mut Random) -> String {
    asserted(n, "LogicalDivide", || {
        let (a, b) = (random.compact(), random.any());
        Some((a, b.to_string(), a.logical_divide(&b).ok()?))
    })
}

/// Operations on a layout and a tiler with a tile for each of its modes.
fn by_tiler(
    n: usize,
    random: &mut Random,
    name: &str,
    operation: impl Fn(&DynLayout, &Tiler) -> Result<DynLayout, LayoutError>,
) -> String {
    asserted(n, name, || {
        let a = random.compact();
        let tiles: Vec<DynLayout> =
            (0..a.rank()).map(|_| DynLayout::leaf(1 + random.below(6), 1)).collect();
        let modes: Vec<Tiler> = tiles.iter().map(Tiler::layout).collect();
        let tiler = Tiler::modes(&modes).expect("a few modes");
        Some((a, tiler.to_string(), operation(&a, &tiler).ok()?))
    })
}

fn of_two(
    n: usize,
    random: &mut Random,
    name: &str,
    operation: impl Fn(&DynLayout, &DynLayout) -> Result<DynLayout, LayoutError>,
) -> String {
    asserted(n, name, || {
        let (a, b) = (random.compact(), random.compact());
        Some((a, b.to_string(), operation(&a, &b).ok()?))
    })
}

fn tiled_to_shapes(n: usize, random: &mut Random) -> String {
    let mut source = String::new();
    for _ in 0..n {
        let block = random.compact();
        let shape: Vec<usize> = block.extents().iter().map(|n| n * (1 + random.below(6))).collect();
        let shape = IntTuple::flat(&shape).expect("a few leaves");
        let tiled = block.tile_to_shape(&shape).expect("a multiple of the block");
        let shape = format!("<layout!({shape}) as StaticLayout>::Shape");
        let operation = format!("TileToShape<layout!({block}), {shape}>");
        writeln!(source, "assert_type_eq!({operation}, layout!({tiled}));").unwrap();
    }
    source
}

fn complements(n: usize, random: &mut Random) -> String {
    let mut source = String::new();
    let mut made = 0;
    while made < n {
        let (a, shape) = (random.compact(), random.any().shape());
        if let Ok(rest) = a.complement_shape(&shape) {
            let shape = format!("<layout!({shape}) as StaticLayout>::Shape");
            let operation = format!("Complement<layout!({a}), {shape}>");
            writeln!(source, "assert_type_eq!({operation}, layout!({rest}));").unwrap();
            made += 1;
        }
    }
    source
}

fn products(n: usize, random: &mut Random) -> String {
    asserted(n, "LogicalProduct", || {
        let (a, b) = (random.compact(), random.any());
        Some((a, b.to_string(), a.logical_product(&b).ok()?))
    })
}
