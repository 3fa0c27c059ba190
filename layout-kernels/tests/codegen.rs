//! The machine code of static kernels: vectors, constants, and nothing in between.
//!
//! The code is that of a plain release build, as users have it. What a sum is made of must stay in
//! registers: a kernel that reaches its sums through the stack has the same instructions, is right,
//! and is a hundred times slower.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Whether the code is for a processor that these tests can read; says so when it is not.
fn readable() -> bool {
    let readable = cfg!(target_arch = "x86_64");
    if !readable {
        // Not by `println!`, which the test harness keeps to itself.
        std::io::stderr().write_all(b"skipped: only code for x86-64 is checked\n").unwrap();
    }
    readable
}

/// Builds part of this package in release mode and returns the assembly.
fn assembly(target: &[&str], folder: &str, stem: &str) -> String {
    let output = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("codegen");
    let folder = output.join("release").join(folder);
    // What an earlier build with other settings left here.
    for old in assembly_files(&folder, stem) {
        fs::remove_file(old).expect("the folder is ours");
    }
    let status = Command::new(env::var("CARGO").unwrap_or_else(|_| "cargo".into()))
        .args(["rustc", "--release", "--quiet", "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&output)
        .args(target)
        .args(["--", "--emit=asm", "-Ccodegen-units=1", "-Cdebuginfo=0"])
        // A new value makes cargo build again where it would find nothing to do.
        .arg(format!("--cfg=codegen{}", std::process::id()))
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the build failed");
    match &assembly_files(&folder, stem)[..] {
        [file] => fs::read_to_string(file).expect("the file is there"),
        files => panic!("one file of assembly, not {files:?}"),
    }
}

fn assembly_files(folder: &Path, stem: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        name.starts_with(stem) && name.ends_with(".s")
    });
    files
}

/// The functions of a file: their labels and instructions, without directives and comments.
fn functions(assembly: &str) -> HashMap<&str, Vec<&str>> {
    let mut functions: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut current = None;
    for line in assembly.lines() {
        let line = line.split('#').next().unwrap_or("").trim();
        match line.strip_suffix(':') {
            Some(name) if !name.starts_with(".L") => current = Some(name),
            Some(name) if name.starts_with(".Lfunc_end") => current = None,
            _ if line.is_empty() || line.starts_with('.') && !line.ends_with(':') => {}
            _ => {
                if let Some(name) = current {
                    functions.entry(name).or_default().push(line);
                }
            }
        }
    }
    functions
}

/// Whether an instruction makes products of floats, or of small numbers in the lanes of sums.
fn is_product(line: &str) -> bool {
    ["vfmadd", "vpmaddwd", "vpdpbusd", "vdpbf16ps"].iter().any(|start| line.starts_with(start))
}

/// A part of a function that runs from its first instruction to its last.
#[derive(Default)]
struct Block<'a> {
    label: &'a str,
    lines: Vec<&'a str>,
}

impl Block<'_> {
    /// The products of sums.
    fn products(&self) -> usize {
        self.lines.iter().filter(|line| is_product(line)).count()
    }

    /// Whether it adds to the sums: it multiplies an element of A, in every lane, with B. At the
    /// end of a tile there are products too, of sums with a factor.
    fn is_step(&self) -> bool {
        let broadcast = |line: &&str| {
            ["vbroadcast", "vpbroadcast"].iter().any(|start| line.starts_with(start))
                || line.contains("{1to")
        };
        self.products() > 0 && self.lines.iter().any(broadcast)
    }

    /// Whether it is a loop by itself.
    fn is_loop(&self) -> bool {
        self.lines.last().is_some_and(|line| {
            line.starts_with('j') && line.split_whitespace().nth(1) == Some(self.label)
        })
    }
}

fn blocks<'a>(function: &[&'a str]) -> Vec<Block<'a>> {
    let mut blocks = vec![Block::default()];
    for &line in function {
        if let Some(label) = line.strip_suffix(':') {
            blocks.push(Block { label, lines: Vec::new() });
            continue;
        }
        blocks.last_mut().expect("there is one").lines.push(line);
        if line.starts_with('j') {
            blocks.push(Block::default());
        }
    }
    blocks
}

/// Checks that these blocks have products, of the widest registers or of those in which rows end,
/// and no calls, hardly anything stored to the stack, and no addresses in vectors.
fn check(name: &str, ends: &str, blocks: &[Block<'_>]) {
    assert!(blocks.iter().any(|block| block.products() > 0), "{name} has no products");
    let register = if name.contains("avx512") { "%zmm" } else { "%ymm" };
    for block in blocks {
        // A tile whose sums are in memory stores one for each product. A register too few is a store
        // or two in a step.
        let stored = |line: &&&str| line.starts_with("vmov") && line.ends_with("(%rsp)");
        let stores = block.lines.iter().filter(stored).count();
        assert!(3 * stores <= block.products(), "{name} stores {stores} in {:?}", block.lines);
        for line in &block.lines {
            let known = line.contains(register) || line.contains(ends);
            let narrow = is_product(line) && !known;
            let bad = ["gather", "scatter"].iter().any(|bad| line.contains(bad));
            assert!(!narrow && !bad && !line.starts_with("call"), "{name} has `{line}`");
        }
    }
}

/// The kernel of a level that a function jumps to or calls.
fn kernel<'a>(functions: &'a HashMap<&str, Vec<&str>>, name: &str, level: &str) -> &'a [&'a str] {
    let called = functions[name].iter().find_map(|line| {
        let (instruction, target) = line.split_once('\t')?;
        let to = instruction.starts_with("call") || instruction.starts_with('j');
        (to && target.contains(level)).then_some(target)
    });
    &functions[called.expect("a kernel for each level")]
}

#[test]
fn static_kernels_stay_in_registers() {
    if !readable() {
        return;
    }
    let assembly = assembly(&["--example", "codegen"], "examples", "codegen-");
    let functions = functions(&assembly);

    for (name, level, ends) in [
        ("product_of_16", "avx512", "%zmm"),
        ("product_of_16", "avx2", "%ymm"),
        ("product_of_24", "avx512", "%ymm"),
        ("product_of_24", "avx2", "%ymm"),
        ("product_of_31", "avx512", "%zmm"),
        ("product_of_31", "avx2", "%ymm"),
        ("product_of_32", "avx512", "%zmm"),
        ("product_of_32", "avx2", "%ymm"),
        ("tiles_of_13_by_8", "avx512", "%ymm"),
        ("tiles_of_13_by_8", "avx2", "%ymm"),
        ("tiles_of_16_by_16", "avx512", "%zmm"),
        ("tiles_of_16_by_16", "avx2", "%ymm"),
        ("tiles_of_14_by_32", "avx512", "%zmm"),
        ("tiles_of_14_by_32", "avx2", "%ymm"),
        ("tiles_of_14_by_31", "avx512", "%zmm"),
        ("tiles_of_14_by_31", "avx2", "%ymm"),
        ("tiles_of_9_by_48", "avx512", "%zmm"),
        ("tiles_of_9_by_48", "avx2", "%ymm"),
        ("tiles_of_6_by_64", "avx512", "%zmm"),
        ("tiles_of_6_by_64", "avx2", "%ymm"),
        ("doubles_of_16_by_8", "avx512", "%zmm"),
        ("doubles_of_16_by_8", "avx2", "%ymm"),
        ("doubles_of_14_by_16", "avx512", "%zmm"),
        ("doubles_of_14_by_16", "avx2", "%ymm"),
        ("doubles_of_9_by_24", "avx512", "%zmm"),
        ("doubles_of_9_by_24", "avx2", "%ymm"),
        ("doubles_of_6_by_31", "avx512", "%zmm"),
        ("doubles_of_6_by_31", "avx2", "%ymm"),
        ("steps_of_24_by_48", "avx512", "%zmm"),
        ("steps_of_24_by_48", "avx2", "%ymm"),
        ("steps_of_18_by_19", "avx512", "%ymm"),
        ("steps_of_25_by_30", "avx512", "%zmm"),
        ("short_k_31_by_32", "avx512", "%zmm"),
        ("short_k_31_by_32", "avx2", "%ymm"),
        ("short_k_13_by_24", "avx512", "%zmm"),
        ("short_k_13_by_24", "avx2", "%ymm"),
        ("short_k_13_by_8", "avx512", "%zmm"),
        ("short_k_13_by_8", "avx2", "%ymm"),
        ("narrow_c_32_by_3", "avx512", "%xmm"),
        ("narrow_c_20_by_2", "avx512", "%xmm"),
    ] {
        let mut blocks = blocks(kernel(&functions, name, level));
        blocks.retain(Block::is_step);
        check(&format!("{name} {level}"), ends, &blocks);
    }
    for (level, register) in [("avx512", "%zmm"), ("avx2", "%ymm")] {
        let mut blocks = blocks(kernel(&functions, "product_of_rows", level));
        blocks.retain(|block| block.products() > 0);
        check(&format!("product_of_rows {level}"), register, &blocks);
    }
    for line in &functions["product_of_2"] {
        let elsewhere = line.starts_with("call") || line.starts_with('j') || line.contains("%rsp");
        assert!(!elsewhere, "product_of_2 has `{line}`");
    }
    let sixteen = blocks(kernel(&functions, "product_of_16", "avx512"));
    // A product with an operand in memory is split in two where its address has an index.
    let indexed = |line: &&str| is_product(line) && line.contains(",%r");
    let lines = || sixteen.iter().flat_map(|block| &block.lines);
    assert_eq!(lines().find(|line| indexed(line)), None, "an index");
    let mut thirty_two = blocks(kernel(&functions, "product_of_32", "avx512"));
    thirty_two.retain(Block::is_step);
    assert!(thirty_two.iter().all(Block::is_loop), "each loop over K is one block");

    assert_eq!(functions["constant_offset"], ["movl\t$101, %eax", "retq"]);
}

#[test]
fn tiles_of_dynamic_products_stay_in_registers() {
    if !readable() {
        return;
    }
    let assembly = assembly(&["--lib"], "deps", "layout_kernels-");
    let functions = functions(&assembly);
    // Whole vectors, and a part of one at the end. Of floats 16, 12 and 8 rows of 1, 2 and 3 vectors
    // at AVX-512, 12 and 6 of 1 and 2 at AVX2; of bytes 8 and 6 rows of each.
    for (level, count) in [
        ("7kernels6avx5124tile", 2 * 2 * (16 + 12 + 8) + 2 * 24),
        ("7kernels4avx24tile", 2 * 2 * (12 + 6) + 2 * 12),
        ("7kernels11avx512_vnni4tile", 3 * 2 * 24),
    ] {
        let tiles: Vec<_> = functions.iter().filter(|(name, _)| name.contains(level)).collect();
        assert_eq!(tiles.len(), count, "{level}");
        for (name, function) in tiles {
            let mut blocks = blocks(function);
            blocks.retain(|block| block.is_step() && block.is_loop());
            // With 16 registers, the end of a row takes one for its mask, and the largest tiles have
            // one too few.
            blocks.retain(|block| !block.lines.iter().any(|line| line.starts_with("vmaskmov")));
            if !blocks.is_empty() {
                check(name, "%zmm", &blocks);
            }
        }
    }
}
