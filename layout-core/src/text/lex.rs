//! Splits a string into tokens with byte ranges.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::ops::Range;

use crate::error::NotationError;
use crate::excerpt::Excerpt;
use crate::text::diagnostic::Problems;
use crate::text::token::{Token, TokenKind, length_of};

/// Splits `text` into tokens. Errors go to `problems`.
///
/// Also checks that `()`, `[]` and `{}` pair up, as rustc does before `layout!` sees its tokens.
pub fn lex(text: &str, problems: &mut Problems<Range<usize>>) -> Vec<Token<Range<usize>>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, len) = if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if c.is_ascii_digit() {
            let len = number_len(rest);
            (TokenKind::Literal(rest[..len].to_string()), len)
        } else if c == '_' && is_directed(&rest[1..]) {
            // `_1@0`, as CuTe prints a basis.
            let len = 1 + number_len(&rest[1..]);
            (TokenKind::Literal(rest[1..len].to_string()), len)
        } else if c == '_' || c.is_ascii_alphabetic() {
            let len = word_len(rest);
            (TokenKind::Name(rest[..len].to_string()), len)
        } else if rest.starts_with("::") {
            (TokenKind::PathSeparator, 2)
        } else if c == '?' {
            (TokenKind::Unknown, 1)
        } else if is_symbol(c) {
            (TokenKind::Symbol(c), c.len_utf8())
        } else {
            let len = length_of(rest, |c| !is_token_or_blank(c));
            let character = Excerpt::new(&rest[..len]);
            problems.push(at..at + len, NotationError::Character { character });
            at += len;
            continue;
        };
        tokens.push(Token { kind, span: at..at + len });
        at += len;
    }
    pair_up(&tokens, problems);
    tokens
}

fn is_symbol(c: char) -> bool {
    matches!(
        c,
        '(' | ')'
            | '['
            | ']'
            | '{'
            | '}'
            | '<'
            | '>'
            | ','
            | ':'
            | '-'
            | '+'
            | '*'
            | '.'
            | '='
            | '#'
            | '!'
            | '@'
            | ';'
            | '"'
            | '\''
            | '|'
            | '\u{2218}'
    )
}

fn is_token_or_blank(c: char) -> bool {
    c.is_whitespace() || c == '_' || c.is_ascii_alphanumeric() || c == '?' || is_symbol(c)
}

fn word_len(text: &str) -> usize {
    length_of(text, |c| c == '_' || c.is_ascii_alphanumeric())
}

/// The length of a number, including a fraction or a suffix that Rust would read as part of it, and
/// the modes that it steps in: `2@1` is one stride, whereas `@` in `8:2 @ 1` starts an offset.
fn number_len(text: &str) -> usize {
    let mut len = word_len(text);
    while let [b'.' | b'@', b'0'..=b'9', ..] = text.as_bytes()[len..] {
        len += 1 + word_len(&text[len + 1..]);
    }
    len
}

fn is_directed(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) && text[..number_len(text)].contains('@')
}

fn pair_up(tokens: &[Token<Range<usize>>], problems: &mut Problems<Range<usize>>) {
    let mut open: Vec<(char, Range<usize>)> = Vec::new();
    for token in tokens {
        let TokenKind::Symbol(symbol) = token.kind else { continue };
        let opened_by = match symbol {
            '(' | '[' | '{' => {
                open.push((symbol, token.span.clone()));
                continue;
            }
            ')' => '(',
            ']' => '[',
            '}' => '{',
            _ => continue,
        };
        match open.pop() {
            Some((symbol, _)) if symbol == opened_by => {}
            Some((symbol, span)) => {
                let open = Excerpt::new(symbol.encode_utf8(&mut [0; 4]));
                return problems.push(span, NotationError::Unclosed { open });
            }
            None => {
                let close = token.kind.excerpt();
                return problems.push(token.span.clone(), NotationError::Unopened { close });
            }
        }
    }
    if let Some((symbol, span)) = open.pop() {
        let open = Excerpt::new(symbol.encode_utf8(&mut [0; 4]));
        problems.push(span, NotationError::Unclosed { open });
    }
}
