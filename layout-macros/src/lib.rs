//! The procedural macros behind `static_layout::layout!` and `einsum!`: they take tokens with spans
//! and emit one type or value. Grammar and errors are in `layout_core::text`. This crate adds only
//! what is specific to Rust tokens.
//!
//! This crate is an implementation detail: depend on `static-layout` instead.

use layout_core::text::{Problems, parse_tokens};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

mod compact;
mod einsum;
mod emit;
mod lower;
mod morello;
mod report;
mod run_time;
mod spyre;
mod swizzled;
mod tenstorrent;
mod tokens;
mod tree;

/// Expansion of `static_layout::layout!`. The first token is a group that holds `$crate`; all emitted
/// paths start there.
#[proc_macro]
pub fn layout_impl(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let mut input = TokenStream::from(input).into_iter();
    let Some(TokenTree::Group(krate)) = input.next() else { return Default::default() };
    debug_assert_eq!(krate.delimiter(), Delimiter::Brace);
    expand(&krate.stream(), input.collect()).into()
}

/// Expansion of `static_layout::einsum!`. The first token is as in `layout_impl`.
#[proc_macro]
pub fn einsum_impl(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let mut input = TokenStream::from(input).into_iter();
    let Some(TokenTree::Group(krate)) = input.next() else { return Default::default() };
    einsum::expand(&krate.stream(), input.collect()).into()
}

fn expand(krate: &TokenStream, input: TokenStream) -> TokenStream {
    let source = tokens::Source::new(input);
    let mut problems = Problems::new();
    let expr = parse_tokens(&source.tokens, source.end.clone(), &mut problems);
    let expansion = expr.and_then(|expr| {
        let mut cx =
            lower::Lowering { krate, source: &source, problems: &mut problems, value: None };
        let expansion = cx.root(&expr)?;
        Some(match cx.value {
            Some((place, value)) => report::no_type(&place, &value, &expansion),
            None => expansion,
        })
    });
    match expansion {
        Some(tokens) if problems.is_empty() => tokens,
        _ => report::report(problems),
    }
}
