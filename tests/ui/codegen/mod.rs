//! Checks of the kernels' machine code: vector instructions and constants, without calls or spills.
//!
//! The code is that of a plain release build, as users have it. Accumulators must stay in registers.
//! A kernel that accesses them through the stack has the same instructions and correct results, but
//! is a hundred times slower.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Whether these tests can check code for this processor. Prints a message if not.
fn readable() -> bool {
    let readable = cfg!(target_arch = "x86_64");
    if !readable {
        // The test harness captures `println!`.
        std::io::stderr().write_all(b"skipped: only code for x86-64 is checked\n").unwrap();
    }
    readable
}

/// Builds `layout-kernels` and its example `codegen` in release mode and returns the assembly of
/// both.
fn assembly() -> [String; 2] {
    let output = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("codegen");
    let status = Command::new(env::var("CARGO").unwrap_or_else(|_| "cargo".into()))
        .args(["build", "--release", "--quiet", "-p", "layout-kernels", "--example", "codegen"])
        .arg("--manifest-path")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&output)
        .env("RUSTFLAGS", "--emit=asm -Ccodegen-units=1 -Cdebuginfo=0")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("CARGO_BUILD_RUSTFLAGS")
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the build failed");
    let newest = |folder: &str, stem: &str| {
        let file = assembly_files(&output.join("release").join(folder), stem)
            .into_iter()
            .max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok());
        fs::read_to_string(file.expect("the build writes assembly")).expect("the file is there")
    };
    [newest("deps", "layout_kernels-"), newest("examples", "codegen-")]
}

fn assembly_files(folder: &Path, stem: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder of the build");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        name.starts_with(stem) && name.ends_with(".s")
    });
    files
}

/// The functions of a file: labels and instructions, without directives and comments.
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

/// Whether an instruction multiplies and adds: FMA, or a dot product of small numbers per lane.
fn is_product(line: &str) -> bool {
    ["vfmadd", "vpmaddwd", "vpdpbusd", "vdpbf16ps"].iter().any(|start| line.starts_with(start))
}

/// Whether an instruction is a call, or a jump to a function.
fn is_call(line: &str) -> bool {
    let (instruction, target) = line.split_once('\t').unwrap_or((line, ""));
    instruction.starts_with("call")
        || instruction.starts_with('j') && !target.trim_start_matches('*').starts_with(".L")
}

/// Whether an instruction reads or writes a vector on the stack.
fn is_spill(line: &str) -> bool {
    line.starts_with('v') && line.contains("(%rsp")
}

/// Whether an instruction loads the mask of the end of a row from the stack. With 16 registers, the
/// largest tiles do so once per K iteration.
fn is_mask(line: &str) -> bool {
    line.starts_with("vmovdqu\t") && line.contains("(%rsp), ")
}

/// A basic block of a function: it runs from its first instruction to its last.
#[derive(Default)]
struct Block<'a> {
    label: &'a str,
    lines: Vec<&'a str>,
}

impl Block<'_> {
    /// Number of multiply-adds.
    fn products(&self) -> usize {
        self.lines.iter().filter(|line| is_product(line)).count()
    }

    /// Whether it adds to accumulators: it multiplies a broadcast element of A with B. At the end of
    /// a tile there are also multiply-adds that scale the accumulators.
    fn is_step(&self) -> bool {
        let broadcast = |line: &&str| {
            ["vbroadcast", "vpbroadcast"].iter().any(|start| line.starts_with(start))
                || line.contains("{1to")
        };
        self.products() > 0 && self.lines.iter().any(broadcast)
    }

    /// Whether the block is a loop by itself.
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

/// Checks that these blocks have multiply-adds, with the widest registers or with those at the end of
/// rows, and no calls, no spilled vectors, and no vectors of addresses.
fn check(name: &str, ends: &str, blocks: &[Block<'_>]) {
    assert!(blocks.iter().any(|block| block.products() > 0), "{name} has no products");
    let register = if name.contains("avx512") { "%zmm" } else { "%ymm" };
    for block in blocks {
        let masks = block.lines.iter().filter(|line| is_mask(line)).count();
        let has_mask = masks == 1 && block.lines.iter().any(|line| line.contains("maskmov"));
        for line in &block.lines {
            let spill = is_spill(line) && !(has_mask && is_mask(line));
            let narrow = is_product(line) && !line.contains(register) && !line.contains(ends);
            let bad = ["gather", "scatter"].iter().any(|bad| line.contains(bad));
            assert!(
                !narrow && !bad && !is_call(line) && !spill,
                "{name} has `{line}` in {:?}",
                block.lines
            );
        }
    }
}

/// The kernel of a level that a function calls or jumps to.
fn kernel<'a>(functions: &'a HashMap<&str, Vec<&str>>, name: &str, level: &str) -> &'a [&'a str] {
    let called = functions[name].iter().find_map(|line| {
        let (_, target) = line.split_once('\t')?;
        (is_call(line) && target.contains(level)).then_some(target)
    });
    let called = called.unwrap_or_else(|| panic!("{name} has no kernel for {level}"));
    &functions[called]
}

#[test]
fn kernels_stay_in_registers() {
    if !readable() {
        return;
    }
    let [library, example] = assembly();
    shared_tiles(&functions(&library));
    let functions = functions(&example);
    // Tiles, the loops around elementwise functions, placements and the texts of errors are compiled once,
    // in the libraries.
    let shared = [
        "6kernel5table",
        "10each_lines",
        "9placement7builder",
        "Error$u20$as$u20$core..fmt..Debug",
    ];
    let is_shared = |name: &&&str| shared.iter().any(|part| name.contains(part));
    assert_eq!(functions.keys().find(is_shared), None);
    static_products(&functions);
    static_copies(&functions);
    assert_eq!(functions["constant_offset"], ["movl\t$101, %eax", "retq"]);
}

/// The tiles shared by all products.
fn shared_tiles(functions: &HashMap<&str, Vec<&str>>) {
    for (level, least) in [("5table6avx5124tile", 72), ("5table4avx24tile", 36), ("vnni4tile", 16)]
    {
        let tiles: Vec<_> = functions.iter().filter(|(name, _)| name.contains(level)).collect();
        assert!(tiles.len() >= least, "{level}: {} tiles", tiles.len());
        for (name, function) in tiles {
            let mut steps = blocks(function);
            steps.retain(|block| block.is_step() && block.is_loop());
            check(name, "%zmm", &steps);
        }
    }
}

/// Inlined products.
fn static_products(functions: &HashMap<&str, Vec<&str>>) {
    for (name, level, ends) in [
        ("product_of_5", "avx2", "%ymm"),
        ("product_of_9", "avx512", "%zmm"),
        ("product_of_16", "avx512", "%zmm"),
        ("product_of_24", "avx512", "%ymm"),
        ("tiles_of_13_by_8", "avx512", "%ymm"),
        ("doubles_of_4", "avx2", "%ymm"),
        ("doubles_of_7", "avx512", "%zmm"),
        ("doubles_of_14_by_16", "avx512", "%zmm"),
        ("short_k_13_by_24", "avx512", "%zmm"),
        ("narrow_c_32_by_3", "avx512", "%xmm"),
    ] {
        let kernel = kernel(functions, name, level);
        let mut steps = blocks(kernel);
        steps.retain(Block::is_step);
        check(&format!("{name} {level}"), ends, &steps);
        assert_eq!(kernel.iter().find(|line| is_call(line)), None, "{name} {level}");
    }
    for (level, register) in [("avx512", "%zmm"), ("avx2", "%ymm")] {
        let mut products = blocks(kernel(functions, "product_of_rows", level));
        products.retain(|block| block.products() > 0);
        check(&format!("product_of_rows {level}"), register, &products);
    }
    // A fully unrolled product needs no kernel and no stack.
    for line in &functions["product_of_2"] {
        let elsewhere = is_call(line) || line.starts_with('j') || line.contains("%rsp");
        assert!(!elsewhere, "product_of_2 has `{line}`");
    }
    // An FMA with an indexed memory operand is split into two micro-operations.
    let indexed = |line: &&&str| is_product(line) && line.contains(",%r");
    assert_eq!(kernel(functions, "product_of_16", "avx512").iter().find(indexed), None, "an index");
    // A larger product has no code of its own.
    let large = &functions["product_of_64"];
    assert!(large.iter().any(|line| is_call(line) && line.contains("run_shared")));
    assert_eq!(large.iter().find(|line| is_product(line)), None);
    // A function of finished elements makes no calls and is vectorised.
    let relu = &functions["product_then_relu"];
    assert_eq!(relu.iter().find(|line| line.contains("*%")), None, "an epilogue by pointers");
    assert!(relu.iter().any(|line| line.starts_with("maxps")));
}

/// Copies of a few words are inlined.
fn static_copies(functions: &HashMap<&str, Vec<&str>>) {
    for name in ["transposition_of_4", "rows_of_4_from_8"] {
        // CPU features are queried once per program.
        let calls = |line: &&&str| is_call(line) && !line.contains("5query6detect");
        assert_eq!(functions[name].iter().find(calls), None, "{name}");
    }
}
