//! Reports the levels that the other tests ran at: levels that this machine lacks are not tested.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use layout_kernels::simd::Level;

#[test]
fn levels_that_cannot_run_here_say_so() {
    let available: Vec<&str> = Level::available().map(|level| level.name()).collect();
    assert_eq!(available.first(), Some(&Level::detect().name()), "the best comes first");
    assert_eq!(available.last(), Some(&"portable"), "every machine runs the portable body");
    let all = ["AVX-512", "AVX2", "SSE2", "portable"];
    let missing: Vec<&str> = all.into_iter().filter(|name| !available.contains(name)).collect();
    if !missing.is_empty() {
        // The test harness captures `println!`.
        let text = format!("kernels not tested on this machine: {missing:?}\n");
        std::io::stderr().write_all(text.as_bytes()).unwrap();
    }
}

/// Programs that must not use vector registers, such as operating system kernels, only have the
/// portable level. No function of another level is compiled for them.
#[test]
fn a_target_without_vector_registers_has_none() {
    const TARGET: &str = "x86_64-unknown-none";
    let rustc = Command::new(env::var("RUSTC").unwrap_or_else(|_| "rustc".into()))
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .expect("rustc runs");
    if !Path::new(String::from_utf8_lossy(&rustc.stdout).trim()).exists() {
        let text = format!("skipped: `rustup target add {TARGET}` installs the target\n");
        std::io::stderr().write_all(text.as_bytes()).unwrap();
        return;
    }
    let output = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("none");
    let status = Command::new(env::var("CARGO").unwrap_or_else(|_| "cargo".into()))
        .args([
            "build",
            "--lib",
            "--quiet",
            "--no-default-features",
            "-p",
            "layout-kernels",
            "--manifest-path",
        ])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .args(["--target", TARGET, "--target-dir"])
        .arg(&output)
        .env("RUSTFLAGS", "--emit=asm -Ccodegen-units=1 -Cdebuginfo=0")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("CARGO_BUILD_RUSTFLAGS")
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the build failed");
    let files = fs::read_dir(output.join(TARGET).join("debug/deps")).unwrap();
    let code: String = files
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.starts_with("layout_kernels-") && name.ends_with(".s")
        })
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    assert!(code.contains("detect"), "the build writes assembly");
    for register in ["%xmm", "%ymm", "%zmm"] {
        assert!(!code.contains(register), "{register} is used");
    }
}
