//! The procedural macros behind `static_layout::layout!` and `einsum!`: tokens with spans in, one type
//! or value out. Grammar and errors are those of `layout_core::text`; only what the tokens of a program add
//! is here.
//!
//! An implementation detail: depend on `static-layout`.

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

/// What `static_layout::layout!` expands to. The first token is a group that holds `$crate`, and
/// everything emitted is a path below it.
#[proc_macro]
pub fn layout_impl(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let mut input = TokenStream::from(input).into_iter();
    let Some(TokenTree::Group(krate)) = input.next() else { return Default::default() };
    debug_assert_eq!(krate.delimiter(), Delimiter::Brace);
    expand(&krate.stream(), input.collect()).into()
}

/// What `static_layout::einsum!` expands to; the first token as above.
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
