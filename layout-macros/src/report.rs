//! Problems as compile errors, all of them and nothing else, where a type or a value must be.

use layout_core::text::{Problems, TokenKind};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, TokenStream, TokenTree};
use quote::quote;

use crate::tokens::{Place, Source};
use crate::tree::is_value_name;

/// A layout that fits everywhere and holds the errors, each under the tokens it is about.
pub(crate) fn poison(
    krate: &TokenStream,
    source: &Source,
    problems: Problems<Place>,
) -> TokenStream {
    let errors = problems.into_vec().into_iter().map(|problem| {
        // The alternate form has the help in it.
        compile_error(&problem.span, &format!("{:#}", problem.error))
    });
    let layout = quote! {
        #krate::Layout::<
            #krate::__private::Poison::<(#(#errors,)*)>,
            #krate::__private::typenum::consts::U0,
        >
    };
    if is_fallible(source) {
        quote!(#krate::__private::Ok::<_, #krate::LayoutError>(#layout))
    } else {
        layout
    }
}

/// `::core::compile_error! { "text" }`. rustc shows it from its first token to its last.
fn compile_error(place: &Place, text: &str) -> TokenStream {
    let colon = |spacing| {
        let mut colon = Punct::new(':', spacing);
        colon.set_span(place.start);
        TokenTree::Punct(colon)
    };
    let name = |name| TokenTree::Ident(Ident::new(name, place.start));
    let mut mark = Punct::new('!', Spacing::Alone);
    mark.set_span(place.start);
    let mut text = Literal::string(text);
    text.set_span(place.end);
    let mut group = Group::new(Delimiter::Brace, TokenTree::Literal(text).into());
    group.set_span(place.end);
    TokenStream::from_iter([
        colon(Spacing::Joint),
        colon(Spacing::Alone),
        name("core"),
        colon(Spacing::Joint),
        colon(Spacing::Alone),
        name("compile_error"),
        TokenTree::Punct(mark),
        TokenTree::Group(group),
    ])
}

/// Whether a mistaken invocation would have been a `Result`: Morello with a run-time extent. The
/// poison is one too then, so that a `?` behind it is no second mistake.
pub(crate) fn is_fallible(source: &Source) -> bool {
    let is_name = |kind: &TokenKind, name| matches!(kind, TokenKind::Name(text) if text == name);
    let kinds: Vec<_> = source.tokens.iter().map(|token| &token.kind).collect();
    let behind_for = kinds.iter().skip_while(|kind| !is_name(kind, "for")).skip(1);
    kinds.first() == Some(&&TokenKind::Symbol('['))
        && behind_for.into_iter().any(|kind| match kind {
            TokenKind::Name(name) => name != "_" && is_value_name(name),
            kind => **kind == TokenKind::Value,
        })
}
