//! `einsum!`: subscripts are checked here; ranks and extents are checked when the types of the call
//! are known.

use layout_core::engine::Subscripts;
use layout_core::error::LayoutError;
use layout_core::text::Problems;
use proc_macro2::{Group, Ident, Literal, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use crate::report::{compile_error, report};
use crate::tokens::Place;

/// Methods of `Einsum` that are options of the macro.
const OPTIONS: [&str; 4] = ["alpha", "beta", "par", "then"];

/// Expands `subscripts {a} {b} {c} option {value}...`, the form in which `einsum!` forwards its input.
pub(crate) fn expand(krate: &TokenStream, input: TokenStream) -> TokenStream {
    let mut input = input.into_iter();
    let mut group = || match input.next() {
        Some(TokenTree::Group(group)) => group.stream(),
        Some(tree) => tree.into(),
        None => TokenStream::new(),
    };
    let (subscripts, a, b, c) = (literal(group()), group(), group(), group());
    let Some(subscripts) = subscripts else { return TokenStream::new() };
    let text = text(&subscripts);
    if let Err(error) = Subscripts::new(&text) {
        let mut problems = Problems::new();
        problems.push(place(&subscripts, &error), error);
        return report(problems);
    }
    let mut contraction = quote!(#krate::__private::einsum_options());
    while let (Some(TokenTree::Ident(option)), Some(TokenTree::Group(value))) =
        (input.next(), input.next())
    {
        match with(&contraction, &option, &value) {
            Ok(more) => contraction = more,
            Err(error) => return error,
        }
    }
    quote! {
        #krate::__private::Einsum::run_static(
            &#contraction,
            {
                struct EinsumSubscripts;
                impl #krate::__private::StaticSubscripts for EinsumSubscripts {
                    const TEXT: &'static #krate::__private::str = #text;
                }
                EinsumSubscripts
            },
            &#a,
            &#b,
            #c,
        )
    }
}

/// Adds one option.
fn with(
    contraction: &TokenStream,
    option: &Ident,
    value: &Group,
) -> Result<TokenStream, TokenStream> {
    if OPTIONS.iter().any(|name| option == name) {
        let value = value.stream();
        return Ok(quote_spanned!(option.span()=> #contraction.#option(#value)));
    }
    let text = format!("expected `alpha`, `beta`, `par` or `then`, found `{option}`");
    let place = Place { start: option.span(), end: option.span() };
    let error = compile_error(&place, &text);
    Err(quote!({ #error }))
}

/// The literal, which may come from an enclosing macro.
fn literal(tokens: TokenStream) -> Option<Literal> {
    match tokens.into_iter().next() {
        Some(TokenTree::Literal(literal)) => Some(literal),
        Some(TokenTree::Group(group)) => literal(group.stream()),
        _ => None,
    }
}

/// Value of a string literal. Any other literal gives its source text, which is not valid as subscripts.
fn text(literal: &Literal) -> String {
    let text = literal.to_string();
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let raw = || text.strip_prefix("r\"").and_then(|text| text.strip_suffix('"'));
    inner.or_else(raw).unwrap_or(&text).to_owned()
}

/// Position of the letter if the compiler can show it, otherwise of the whole literal.
fn place(literal: &Literal, error: &LayoutError) -> Place {
    let start = literal.to_string().find('"').map_or(0, |quote| quote + 1);
    let at = match error {
        LayoutError::Einsum(error) => error.at(),
        _ => None,
    };
    let letter = at.and_then(|at| literal.subspan(start + at..start + at + 1));
    let span = letter.unwrap_or_else(|| literal.span());
    Place { start: span, end: span }
}
