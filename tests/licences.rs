//! The licences of everything that users of these crates build must be allowed and listed in
//! `docs/licences.md`.
//!
//! `BLESS=1 cargo test --test licences` rewrites the list.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// A package needs one of these.
const ALLOWED: [&str; 8] =
    ["MIT", "Apache-2.0", "Zlib", "BSD-2-Clause", "BSD-3-Clause", "ISC", "Unlicense", "MIT-0"];

#[test]
fn every_dependency_has_a_permissive_licence() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--all-features", "--manifest-path", manifest])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("an object");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();

    // Build-time dependencies of each package, without those of its tests.
    let mut needs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for node in metadata["resolve"]["nodes"].as_array().expect("a graph") {
        let dependencies = node["deps"].as_array().expect("dependencies").iter();
        let built = dependencies.filter(|dependency| {
            dependency["dep_kinds"].as_array().into_iter().flatten().any(|k| k["kind"] != "dev")
        });
        needs.insert(text(&node["id"]), built.map(|d| text(&d["pkg"])).collect());
    }
    let packages = metadata["packages"].as_array().expect("packages");
    let ours = ["static-layout", "static-layout-view", "static-layout-page", "static-layout-cli"];
    let mut open: Vec<String> = packages
        .iter()
        .filter(|package| ours.contains(&text(&package["name"]).as_str()))
        .map(|package| text(&package["id"]))
        .collect();
    assert_eq!(open.len(), ours.len());
    let mut reached = BTreeSet::new();
    while let Some(id) = open.pop() {
        if reached.insert(id.clone()) {
            open.extend(needs[&id].iter().cloned());
        }
    }

    let mut list = BTreeSet::new();
    for package in packages.iter().filter(|package| reached.contains(&text(&package["id"]))) {
        let (name, licence) = (text(&package["name"]), text(&package["license"]));
        // "A AND (B OR C)": each part of an AND needs an allowed licence.
        let is_allowed = licence.split(" AND ").all(|part| {
            part.split(" OR ").flat_map(|one| one.split('/')).any(|one| {
                ALLOWED.contains(&one.trim_matches(|c| c == '(' || c == ')' || c == ' '))
            })
        });
        let data_of_unicode = licence == "(MIT OR Apache-2.0) AND Unicode-3.0";
        assert!(is_allowed || data_of_unicode, "{name} has the licence {licence:?}");
        list.insert(format!("| {name} | {licence} |"));
    }
    let list: Vec<String> = list.into_iter().collect();
    let page = format!(
        "# Licences\n\nWhat these crates and their dependencies are licensed under, with all features.\n\n\
         | package | licence |\n| --- | --- |\n{}\n",
        list.join("\n")
    );
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/licences.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &page).expect("the page is written");
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(written, page, "run BLESS=1 cargo test --test licences");
}
