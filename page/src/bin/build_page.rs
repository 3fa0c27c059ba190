//! Builds the page: `cargo run -p static-layout-page --bin build-page -- [FILE]`.
//!
//! Compiles this crate to WebAssembly and writes the page with the module embedded. The default of
//! `FILE` is `target/page/layout.html`. The module is written next to it as `layout.wasm`.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use static_layout_page::html::{Engine, page};

const TARGET: &str = "wasm32-unknown-unknown";

fn main() -> ExitCode {
    match run() {
        Ok(message) => {
            println!("{message}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let file = env::args_os().nth(1).map_or(target.join("page/layout.html"), PathBuf::from);
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(&root)
        .args(["rustc", "--lib", "--crate-type", "cdylib", "--profile", "page"])
        .args(["--target", TARGET, "-p", "static-layout-page"])
        .status()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    if !status.success() {
        let help = format!("is the target installed? `rustup target add {TARGET}`");
        return Err(format!("the engine does not compile for {TARGET}; {help}"));
    }
    let module = target.join(TARGET).join("page/static_layout_page.wasm");
    let with_path = |path: &Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| format!("{path}: {error}")
    };
    let wasm = fs::read(&module).map_err(with_path(&module))?;
    let html = page(Engine::Wasm(&wasm), "");
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(with_path(folder))?;
    }
    let module_file = file.with_extension("wasm");
    fs::write(&module_file, &wasm).map_err(with_path(&module_file))?;
    fs::write(&file, &html).map_err(with_path(&file))?;
    Ok(format!("{}: {} bytes, {} of them the engine", file.display(), html.len(), wasm.len()))
}
