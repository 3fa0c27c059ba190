//! Problems as compile errors, all of them and nothing else, where a type or a value must be.

use layout_core::error::{LayoutError, NotationError};
use layout_core::excerpt::Excerpt;
use layout_core::text::Problems;
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, TokenStream, TokenTree};
use quote::quote;

use crate::tokens::Place;

/// The errors, each under the tokens it is about, as the length of an array: that reads as a type
/// and as a value, and rustc reports nothing else about a type with an error inside, however it is
/// used. `compile_error!` as a type is `()`, and two of them are no type at all.
pub(crate) fn report(problems: Problems<Place>) -> TokenStream {
    let errors = problems.into_vec().into_iter().map(|problem| {
        // The alternate form has the help in it.
        compile_error(&problem.span, &format!("{:#}", problem.error))
    });
    quote!([(); { #(#errors)* }])
}

/// `("text", value).1`: the value, and an error with that text where a type is needed. rustc expects
/// the type of the first part there, and quotes the token that it finds.
pub(crate) fn no_type(place: &Place, name: &str, value: &TokenStream) -> TokenStream {
    let error = NotationError::ValueInType { value: Excerpt::new(name) };
    let error = LayoutError::Notation(error);
    let text = format!("{}: {}", error.message().as_str(), error.help().as_str());
    let mut text = Literal::string(&text);
    text.set_span(place.start);
    quote!((#text, #value).1)
}

/// `::core::compile_error! { "text" }`. rustc shows it from its first token to its last.
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
