//! What the catalogue says about each error at length: `layout explain L0203`.

use crate::engine::IntTuple;
use crate::error::LayoutError;

mod algebra;
mod einsum;
mod kernels;
mod layout;
mod metal;
mod morello;
mod notation;
mod placement;
mod spyre;

/// An error by its code: what it is about, what to do about it, and how it comes about.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The code, as [`LayoutError::code`] gives it.
    pub code: &'static str,
    /// What is wrong, in a few words without numbers.
    pub title: &'static str,
    /// The rule that there is, and what to do: sentences.
    pub meaning: &'static str,
    /// How it comes about.
    pub example: Example,
}

/// How an error comes about.
#[derive(Clone, Copy, Debug)]
pub enum Example {
    /// An expression that has the error.
    Expression(&'static str),
    /// What causes it elsewhere, in `layout!` or in a program, and the error.
    Elsewhere(&'static str, LayoutError),
}

impl Entry {
    const fn new(
        code: &'static str,
        title: &'static str,
        expression: &'static str,
        meaning: &'static str,
    ) -> Self {
        Self { code, title, meaning, example: Example::Expression(expression) }
    }

    const fn elsewhere(
        title: &'static str,
        cause: &'static str,
        error: LayoutError,
        meaning: &'static str,
    ) -> Self {
        Self { code: error.code(), title, meaning, example: Example::Elsewhere(cause, error) }
    }
}

/// All entries, in the order of their codes.
///
/// ```
/// use layout_core::error::entries;
/// assert!(entries().any(|entry| entry.code == "L0203"));
/// ```
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    let groups = [
        notation::ENTRIES,
        layout::ENTRIES,
        algebra::ENTRIES,
        morello::ENTRIES,
        kernels::ENTRIES,
        einsum::ENTRIES,
        placement::ENTRIES,
        spyre::ENTRIES,
        metal::ENTRIES,
    ];
    groups.into_iter().flatten()
}

/// The entry of a code, which may be in lower case.
///
/// ```
/// use layout_core::error::entry;
/// assert_eq!(entry("l0203").unwrap().title, "a stride with other modes than its shape");
/// assert!(entry("L9999").is_none());
/// ```
#[inline]
pub fn entry(code: &str) -> Option<&'static Entry> {
    entries().find(|entry| entry.code.eq_ignore_ascii_case(code))
}

/// A shape or a stride of two integers.
const fn pair(rows: usize, columns: usize) -> IntTuple {
    IntTuple::leaf(rows).pair(&IntTuple::leaf(columns))
}
