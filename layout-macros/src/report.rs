//! Reports all problems as compile errors, without follow-up errors, in type or value position.

use layout_core::error::{LayoutError, NotationError};
use layout_core::excerpt::Excerpt;
use layout_core::text::Problems;
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, TokenStream, TokenTree};
use quote::quote;

use crate::tokens::Place;

/// Emits each error at the tokens it is about, inside the length of an array. This parses both as a
/// type and as a value, and rustc reports no further errors about a type that contains an error,
/// however it is used. `compile_error!` as a type is `()`, and two of them do not form a type.
pub(crate) fn report(problems: Problems<Place>) -> TokenStream {
    let errors = problems.into_vec().into_iter().map(|problem| {
        // The alternate form includes the help text.
        compile_error(&problem.span, &format!("{:#}", problem.error))
    });
    quote!([(); { #(#errors)* }])
}

/// `("text", value).1`: evaluates to the value, and gives an error with that text in type position.
/// There rustc expects a type as the first element, and quotes the token it finds instead.
pub(crate) fn no_type(place: &Place, name: &str, value: &TokenStream) -> TokenStream {
    let error = NotationError::ValueInType { value: Excerpt::new(name) };
    let error = LayoutError::Notation(error);
    let text = format!("{}: {}", error.message().as_str(), error.help().as_str());
    let mut text = Literal::string(&text);
    text.set_span(place.start);
    quote!((#text, #value).1)
}

/// `::core::compile_error! { "text" }`. rustc underlines it from its first to its last token.
pub(crate) fn compile_error(place: &Place, text: &str) -> TokenStream {
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
