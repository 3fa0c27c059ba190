//! Converts the token trees of rustc to the flat tokens of the grammar.

use std::ops::Range;

use layout_core::devices::spyre::SPYRE;
use layout_core::text::{self, Operation, TokenKind};
use proc_macro2::{Delimiter, Group, Spacing, Span, TokenStream, TokenTree};

/// A source range, from the start of one span to the end of another. Stable rustc cannot join spans.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) start: Span,
    pub(crate) end: Span,
}

impl Place {
    fn of(span: Span) -> Self {
        Self { start: span, end: span }
    }
}

impl text::Span for Place {
    fn to(&self, end: &Self) -> Self {
        Self { start: self.start, end: end.end }
    }
}

/// The flat tokens of an invocation, and the Rust tokens they came from.
pub(crate) struct Source {
    pub(crate) tokens: Vec<text::Token<Place>>,
    /// Position after the last token. Where a caret cannot be placed there, the last token itself.
    pub(crate) end: Place,
    // For each flat token, its Rust tokens and the index of the next flat token to visit. An opening
    // parenthesis stands for the whole group: its next token is the one after the closing
    // parenthesis.
    origins: Vec<(TokenStream, usize)>,
}

impl Source {
    pub(crate) fn new(input: TokenStream) -> Self {
        let mut source =
            Self { tokens: Vec::new(), end: Place::of(Span::call_site()), origins: Vec::new() };
        source.flatten(input);
        if let Some(last) = source.tokens.last() {
            source.end = last.span.clone();
        }
        source
    }

    /// The Rust tokens of a range of flat tokens.
    pub(crate) fn rust(&self, range: Range<usize>) -> TokenStream {
        let (mut at, mut tokens) = (range.start, TokenStream::new());
        while at < range.end {
            let (origin, next) = &self.origins[at];
            tokens.extend(origin.clone());
            at = *next;
        }
        tokens
    }

    fn push(&mut self, kind: TokenKind, span: Span, origin: impl Into<TokenStream>) {
        self.tokens.push(text::Token { kind, span: Place::of(span) });
        self.origins.push((origin.into(), self.tokens.len()));
    }

    fn flatten(&mut self, input: TokenStream) {
        let mut trees = input.into_iter().peekable();
        while let Some(tree) = trees.next() {
            let span = tree.span();
            match tree {
                TokenTree::Group(group) => self.group(group),
                TokenTree::Ident(ref name) => {
                    let text = name.to_string();
                    let text = text.strip_prefix("r#").unwrap_or(&text).to_owned();
                    let fields = trees.next_if(|next| text == SPYRE && is_braced(next));
                    self.push(TokenKind::Name(text), span, tree);
                    if let Some(TokenTree::Group(fields)) = fields {
                        self.delimited(fields, '{', '}');
                    }
                }
                TokenTree::Literal(ref literal) => {
                    self.push(TokenKind::Literal(literal.to_string()), span, tree);
                }
                TokenTree::Punct(ref mark) => {
                    let (symbol, joint) = (mark.as_char(), mark.spacing() == Spacing::Joint);
                    match trees.next_if(|next| symbol == ':' && joint && is_colon(next)) {
                        Some(second) => {
                            let both = TokenStream::from_iter([tree, second]);
                            self.push(TokenKind::PathSeparator, span, both);
                        }
                        None => self.push(TokenKind::Symbol(symbol), span, tree),
                    }
                }
            }
        }
    }

    fn group(&mut self, group: Group) {
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ('(', ')'),
            Delimiter::Bracket => ('[', ']'),
            Delimiter::Brace => {
                // The braces get our span. Otherwise rustc warns about unnecessary braces in the
                // expansion.
                let mut block = Group::new(Delimiter::Brace, group.stream());
                block.set_span(Span::mixed_site().located_at(group.span()));
                return self.push(TokenKind::Value, group.span(), TokenTree::Group(block));
            }
            Delimiter::None => return self.fragment(group),
        };
        self.delimited(group, open, close);
    }

    fn delimited(&mut self, group: Group, open: char, close: char) {
        let start = self.tokens.len();
        self.push(TokenKind::Symbol(open), group.span_open(), TokenTree::Group(group.clone()));
        self.flatten(group.stream());
        self.push(TokenKind::Symbol(close), group.span_close(), TokenStream::new());
        self.origins[start].1 = self.tokens.len();
    }

    /// A fragment such as `$x:expr` passed on by a macro. It is read as notation if it has that form,
    /// otherwise as a Rust expression or type.
    fn fragment(&mut self, group: Group) {
        let trees: Vec<_> = group.stream().into_iter().collect();
        match trees.as_slice() {
            [TokenTree::Punct(mark), ..] if mark.as_char() == '<' => {
                self.push(TokenKind::Type, group.span(), group.stream());
            }
            // Rust parses this as a struct literal.
            [TokenTree::Ident(name), fields] if name == SPYRE && is_braced(fields) => {
                self.flatten(group.stream());
            }
            trees if is_notation(trees) => self.flatten(group.stream()),
            _ => self.push(TokenKind::Value, group.span(), TokenTree::Group(group)),
        }
    }
}

fn is_braced(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn is_colon(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(mark) if mark.as_char() == ':')
}

/// Whether a macro fragment contains only notation: no operator, call, block or cast, which occur
/// only in Rust expressions.
fn is_notation(trees: &[TokenTree]) -> bool {
    let foreign = trees.iter().enumerate().any(|(i, tree)| match tree {
        TokenTree::Punct(mark) => match mark.as_char() {
            '-' => i > 0,
            mark => !":,<>".contains(mark),
        },
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    });
    let rust = trees.windows(2).any(|pair| match pair {
        [TokenTree::Ident(_), TokenTree::Ident(_)] => true,
        [TokenTree::Ident(name), TokenTree::Group(_)] => {
            Operation::find(&name.to_string()).is_none()
        }
        _ => false,
    });
    !foreign && !rust
}
