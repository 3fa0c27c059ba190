//! Tokens, the input of the grammar, for strings and for `layout!` alike.

use alloc::string::String;
use core::ops::Range;

use crate::engine::{MAX_SIZE, Path, Vector};
use crate::error::{LayoutError, NotationError};
use crate::excerpt::Excerpt;

/// Where a token, or a part of the notation, was written.
pub trait Span: Clone {
    /// The span from the start of `self` to the end of `end`, which is not before `self`.
    fn to(&self, end: &Self) -> Self;
}

/// A byte range of a text.
impl Span for Range<usize> {
    fn to(&self, end: &Self) -> Self {
        self.start..end.end
    }
}

/// A token and its place.
#[derive(Clone, Debug)]
pub struct Token<S> {
    /// The token.
    pub kind: TokenKind,
    /// Its place.
    pub span: S,
}

/// A token of the notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A literal as written: `8`, but also `8u32`, `4.8` or `"text"`, which get errors of their own
    /// later.
    Literal(String),
    /// A name, a keyword or `_`.
    Name(String),
    /// A punctuation character, or one parenthesis.
    Symbol(char),
    /// `::`
    PathSeparator,
    /// `?`, a number that is known at run time: only in strings.
    Unknown,
    /// A Rust expression, `{2 * m}`: only in `layout!`.
    Value,
    /// A Rust type that a macro passed through: only in `layout!`.
    Type,
}

impl TokenKind {
    /// The token as an error quotes it.
    pub fn excerpt(&self) -> Excerpt {
        match self {
            Self::Literal(text) | Self::Name(text) => Excerpt::new(text),
            Self::Symbol(symbol) => Excerpt::new(symbol.encode_utf8(&mut [0; 4])),
            Self::PathSeparator => Excerpt::new("::"),
            Self::Unknown => Excerpt::new("?"),
            Self::Value => Excerpt::new("{..}"),
            Self::Type => Excerpt::new("a type"),
        }
    }
}

/// Reads a literal as an integer.
///
/// # Errors
///
/// If it is not a plain decimal integer of at most [`MAX_SIZE`]. Underscores between digits are
/// allowed, as in Rust.
pub fn integer(text: &str) -> Result<usize, NotationError> {
    let word = Excerpt::new(text);
    if text.starts_with('-') {
        return Err(NotationError::Negative);
    }
    let (digits, rest) = split_digits(text);
    let radix_prefix = digits == "0" && rest.starts_with(['x', 'b', 'o']);
    if digits.is_empty() || radix_prefix || rest.starts_with(['.', 'e', 'E', '@']) {
        return Err(NotationError::NotAnInteger { text: word });
    }
    if !rest.is_empty() {
        return Err(NotationError::IntegerSuffix { text: word, digits: Excerpt::new(digits) });
    }
    let mut value = 0usize;
    for digit in digits.bytes().filter(u8::is_ascii_digit) {
        value = value
            .checked_mul(10)
            .and_then(|v| v.checked_add(usize::from(digit - b'0')))
            .filter(|&v| v <= MAX_SIZE)
            .ok_or(NotationError::IntegerTooLarge { text: word })?;
    }
    Ok(value)
}

/// Reads a literal such as `2@0@1`, or an integer, as a stride with that sign.
///
/// # Errors
///
/// If a part is not such an integer, or the path exceeds the limits of a tuple.
pub(crate) fn step(text: &str, negative: bool) -> Result<Vector, LayoutError> {
    let mut parts = text.split('@');
    let number = integer(parts.next().unwrap_or_default())? as isize;
    let path = parts.try_fold(Path::ROOT, |path, mode| path.inside(integer(mode)?))?;
    Ok(Vector::step(if negative { -number } else { number }, path))
}

/// The leading digits of a literal, and the rest.
pub fn split_digits(text: &str) -> (&str, &str) {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return ("", text);
    }
    text.split_at(length_of(text, |c| c.is_ascii_digit() || c == '_'))
}

/// Number of bytes at the start of a text whose characters satisfy `kind`.
#[inline(never)]
pub fn length_of(text: &str, kind: fn(char) -> bool) -> usize {
    text.char_indices().find(|&(_, c)| !kind(c)).map_or(text.len(), |(at, _)| at)
}
