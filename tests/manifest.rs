//! Every test file must be named in a manifest: cargo discovers none in this directory.

use std::fs;

#[test]
fn every_file_is_tested() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let manifests = ["Cargo.toml", "ui/Cargo.toml"];
    let read = |name: &&str| fs::read_to_string(format!("{folder}/{name}")).expect("a manifest");
    let manifests: String = manifests.iter().map(read).collect();
    for entry in fs::read_dir(folder).expect("the folder of tests") {
        let name = entry.expect("a file").file_name().into_string().expect("a name in UTF-8");
        if name.ends_with(".rs") {
            let is_named =
                ["", "../"].iter().any(|up| manifests.contains(&format!("\"{up}{name}\"")));
            assert!(is_named, "tests/{name} is in no [[test]] of tests/Cargo.toml");
        }
    }
}
