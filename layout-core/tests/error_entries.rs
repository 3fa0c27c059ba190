//! The long form of the catalogue: an entry for each code, and examples that are what they say.

use layout_core::error::{Example, entries, entry};
use layout_view::notation::eval;
use std::collections::BTreeSet;

#[test]
fn codes_are_unique_and_in_order() {
    let listed: Vec<_> = entries().map(|entry| entry.code).collect();
    assert!(listed.len() > 90, "an area is missing");
    assert!(listed.is_sorted(), "in the order of codes: {listed:?}");
    let unique: BTreeSet<_> = listed.iter().collect();
    assert_eq!(unique.len(), listed.len(), "one entry each: {listed:?}");
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
fn entries_have_a_uniform_style() {
    for entry in entries() {
        let (code, title, meaning) = (entry.code, entry.title, entry.meaning);
        assert!(!title.ends_with('.') && !title.starts_with(char::is_uppercase), "{code}: {title}");
        assert!(meaning.ends_with('.'), "{code}: {meaning}");
        assert!(!meaning.contains("  "), "{code}: {meaning}");
    }
}
