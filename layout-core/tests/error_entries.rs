//! The long form of the catalogue: an entry for each code, and examples that are what they say.

use layout_core::error::{Example, entries, entry};
use layout_core::text::eval;
use std::collections::BTreeSet;

/// The codes in the source of the catalogue, as `code()` gives them.
fn codes() -> BTreeSet<String> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src/error");
    let files = std::fs::read_dir(source).expect("the catalogue").map(|file| file.unwrap().path());
    let files = files.filter(|file| file.is_file()).chain([format!("{source}.rs").into()]);
    let mut codes = BTreeSet::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("text");
        codes.extend(text.match_indices("=> \"L0").map(|(at, _)| text[at + 4..at + 9].to_owned()));
    }
    codes
}

#[test]
fn every_code_has_an_entry() {
    let listed: Vec<_> = entries().map(|entry| entry.code.to_owned()).collect();
    assert!(listed.is_sorted(), "in the order of codes: {listed:?}");
    let unique: BTreeSet<_> = listed.iter().cloned().collect();
    assert_eq!(unique.len(), listed.len(), "one entry each: {listed:?}");
    let codes = codes();
    assert!(codes.len() > 90, "the catalogue has moved");
    let missing: Vec<_> = codes.difference(&unique).collect();
    assert!(missing.is_empty(), "add to src/error/entries: {missing:?}");
    let gone: Vec<_> = unique.difference(&codes).collect();
    assert!(gone.is_empty(), "remove from src/error/entries: {gone:?}");
    assert!(entry("l0301").is_some() && entry("0301").is_none());
}

#[test]
fn examples_have_the_error_that_they_are_for() {
    for entry in entries() {
        match &entry.example {
            Example::Expression(text) => {
                let error = eval(text).expect_err(text);
                let codes: Vec<_> = error.problems().iter().map(|p| p.error.code()).collect();
                // Where sizes have fewer bits, the numbers of an example may be too large already.
                let too_large = usize::BITS < 64 && codes.contains(&"L0103");
                assert!(
                    codes.contains(&entry.code) || too_large,
                    "{}: {text} has {codes:?}",
                    entry.code
                );
            }
            Example::Elsewhere(_, error) => assert_eq!(error.code(), entry.code),
        }
    }
}

#[test]
fn entries_are_written_in_one_way() {
    for entry in entries() {
        let (code, title, meaning) = (entry.code, entry.title, entry.meaning);
        assert!(!title.ends_with('.') && !title.starts_with(char::is_uppercase), "{code}: {title}");
        assert!(meaning.ends_with('.'), "{code}: {meaning}");
        assert!(!meaning.contains("  "), "{code}: {meaning}");
    }
}
