//! The grammar: parses tokens to a syntax tree.
//!
//! ```text
//! expression := term (('o' | '∘') term)* ('@' primary)?
//! term       := primary (':' primary)?
//! primary    := integer | step | '_' | '?' | name | '{' Rust '}' | '(' list ')' | '<' list '>'
//!             | 'Sw' '<' integer ',' integer ',' '-'? integer '>'
//!             | operation '(' list ')' | '[' parts ']' ('for' primary)?
//!             | 'spyre' '{' fields '}'
//!             | 'tensor' '<' .. '>', see `devices::tenstorrent`
//!             | '#ttg.linear' '<' .. '>', see `text::linear`
//! list       := expression (',' expression)* ','?
//! step       := '-' integer | '-'? integer'@'mode.. (('+' | '-') integer'@'mode..)*
//! parts      := part (',' part)* ','?
//! part       := integer (('p' | 'oe') '(' integer ')')? | step | '(' list ')'
//! fields     := name ':' primary (',' name ':' primary)* ','?
//! ```
//!
//! After an error, parsing resumes at the next `,` or closing parenthesis, so that all errors are
//! found. A notation with a keyword of its own starts in [`Parser::primary`].

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::devices::spyre::SPYRE;
use crate::engine::{PhysDim, Vector};
use crate::error::{LayoutError, NotationError};
use crate::excerpt::Excerpt;
use crate::text::ast::{Expr, Field, Node, Part};
use crate::text::diagnostic::Problems;
use crate::text::token::{Span, Token, TokenKind, integer, split_digits, step};

/// The maximum depth of nested parentheses: bounds the recursion, so that no text can overflow the
/// stack.
pub(crate) const MAX_DEPTH: usize = 32;

/// Parses all of `tokens` as one piece of notation. `end` is the place after them.
///
/// `None` if errors were added to `problems`.
pub fn parse_tokens<S: Span>(
    tokens: &[Token<S>],
    end: S,
    problems: &mut Problems<S>,
) -> Option<Expr<S>> {
    parse_with(tokens, end, problems, |parser| parser.expression())
}

/// Parses all of `tokens` by a rule.
pub(crate) fn parse_with<S: Span, T>(
    tokens: &[Token<S>],
    end: S,
    problems: &mut Problems<S>,
    rule: impl FnOnce(&mut Parser<'_, S>) -> Parse<T>,
) -> Option<T> {
    if tokens.is_empty() {
        problems.push(end, NotationError::Empty);
        return None;
    }
    let mut parser = Parser { tokens, end, at: 0, depth: 0, failed: false, problems };
    let read = rule(&mut parser).ok()?;
    if parser.failed {
        return None;
    }
    if let Some(token) = parser.peek() {
        let (span, found) = (token.span.clone(), token.kind.excerpt());
        parser.problems.push(span, NotationError::Trailing { found });
        return None;
    }
    Some(read)
}

/// An item in brackets.
enum Item<S> {
    Part(Part<S>),
    Other(Expr<S>),
}

/// Marks a failure whose problem has already been pushed.
pub(crate) struct Reported;

pub(crate) type Parse<T> = Result<T, Reported>;

pub(crate) struct Parser<'t, S> {
    pub(crate) tokens: &'t [Token<S>],
    end: S,
    pub(crate) at: usize,
    depth: usize,
    // Whether there was an error, even if parsing resumed after it.
    pub(crate) failed: bool,
    problems: &'t mut Problems<S>,
}

impl<'t, S: Span> Parser<'t, S> {
    fn peek(&self) -> Option<&'t Token<S>> {
        self.tokens.get(self.at)
    }

    pub(crate) fn kind(&self) -> Option<&'t TokenKind> {
        self.peek().map(|token| &token.kind)
    }

    #[inline(never)]
    pub(crate) fn at_symbol(&self, symbol: char) -> bool {
        self.kind() == Some(&TokenKind::Symbol(symbol))
    }

    #[inline(never)]
    pub(crate) fn at_name(&self, name: &str) -> bool {
        matches!(self.kind(), Some(TokenKind::Name(text)) if text == name)
    }

    /// Skips a symbol if it is next. Returns whether it was.
    pub(crate) fn skip(&mut self, symbol: char) -> bool {
        let found = self.at_symbol(symbol);
        self.at += usize::from(found);
        found
    }

    /// Skips a name if it is next. Returns whether it was.
    pub(crate) fn skip_name(&mut self, name: &str) -> bool {
        let found = self.at_name(name);
        self.at += usize::from(found);
        found
    }

    /// Expects a name.
    pub(crate) fn name(&mut self, name: &str, expected: &'static str) -> Parse<()> {
        if self.skip_name(name) { Ok(()) } else { self.expected(expected) }
    }

    #[inline(never)]
    pub(crate) fn place(&self) -> S {
        self.peek().map_or_else(|| self.end.clone(), |token| token.span.clone())
    }

    #[inline(never)]
    pub(crate) fn previous(&self) -> S {
        match self.at.checked_sub(1) {
            Some(at) => self.tokens[at].span.clone(),
            None => self.end.clone(),
        }
    }

    pub(crate) fn fail<T>(&mut self, span: S, error: impl Into<LayoutError>) -> Parse<T> {
        self.problems.push(span, error);
        self.failed = true;
        Err(Reported)
    }

    pub(crate) fn expected<T>(&mut self, expected: &'static str) -> Parse<T> {
        Err(self.unexpected(expected))
    }

    // Not inlined: every step of the grammar calls it.
    #[cold]
    #[inline(never)]
    fn unexpected(&mut self, expected: &'static str) -> Reported {
        let found = self.kind().map_or(Excerpt::new(""), TokenKind::excerpt);
        self.problems.push(self.place(), NotationError::Expected { expected, found });
        self.failed = true;
        Reported
    }

    fn expression(&mut self) -> Parse<Expr<S>> {
        let first = self.term()?;
        let mut factors = Vec::new();
        while self.skip_name("o") || self.skip('\u{2218}') {
            factors.push(self.term()?);
        }
        let mut whole = first;
        if !factors.is_empty() {
            let span = whole.span.to(&self.previous());
            factors.insert(0, whole);
            whole = Expr { node: Node::Compose(factors), span };
        }
        if !self.skip('@') {
            return Ok(whole);
        }
        let offset = self.primary("an offset")?;
        let span = whole.span.to(&offset.span);
        Ok(Expr { node: Node::At(Box::new(whole), Box::new(offset)), span })
    }

    fn term(&mut self) -> Parse<Expr<S>> {
        let shape = self.primary("an extent, a tuple or a layout")?;
        if !self.skip(':') {
            return Ok(shape);
        }
        shape.for_each_step(&mut |step, _| {
            self.problems.push(step.span.clone(), NotationError::Negative);
            self.failed = true;
        });
        let stride = self.primary("a stride")?;
        let span = shape.span.to(&stride.span);
        Ok(Expr { node: Node::Pair(Box::new(shape), Box::new(stride)), span })
    }

    fn primary(&mut self, expected: &'static str) -> Parse<Expr<S>> {
        let Some(token) = self.peek() else { return self.expected(expected) };
        let (start, span) = (self.at, token.span.clone());
        let node = match &token.kind {
            _ if self.at_linear() => self.linear()?,
            TokenKind::Literal(text) if text.contains('@') => self.step()?,
            TokenKind::Literal(text) => {
                self.at += 1;
                match integer(text) {
                    Ok(value) => Node::Integer(value),
                    Err(error) => return self.fail(span, error),
                }
            }
            TokenKind::Name(name) if name == "_" => {
                self.at += 1;
                Node::Hole
            }
            // `_8`, as CuTe prints static integers.
            TokenKind::Name(name) if static_digits(name).is_some() => {
                self.at += 1;
                match integer(static_digits(name).unwrap_or_default()) {
                    Ok(value) => Node::Integer(value),
                    Err(error) => return self.fail(span, error),
                }
            }
            TokenKind::Name(_) if self.at_tenstorrent() => self.tenstorrent()?,
            TokenKind::Name(name) => match self.tokens.get(self.at + 1).map(|t| &t.kind) {
                Some(TokenKind::Symbol('(')) => {
                    self.at += 1;
                    let mut arguments = self.list(')', "an argument", Self::expression)?;
                    // `windows(L, <(3,2,1), 3>)`: numbers for each mode, written like a tiler.
                    if name == "windows"
                        && let Some(Expr { node, .. }) = arguments.get_mut(1)
                        && let Node::Tiler(entries) = node
                    {
                        *node = Node::Tuple(core::mem::take(entries));
                    }
                    Node::Call(name.clone(), span.clone(), arguments)
                }
                Some(TokenKind::Symbol('<')) if name == "Sw" && self.at_swizzle() => {
                    self.swizzle()?
                }
                Some(TokenKind::Symbol('{')) if name == SPYRE => {
                    self.at += 1;
                    Node::Spyre(self.list('}', "a field", Self::field)?)
                }
                _ => self.path()?,
            },
            TokenKind::PathSeparator => self.path()?,
            TokenKind::Value => {
                self.at += 1;
                Node::Value(start)
            }
            TokenKind::Type => {
                self.at += 1;
                Node::Type(start)
            }
            TokenKind::Symbol('(') => {
                let parts = self.list(')', "a mode", Self::expression)?;
                Node::Tuple(parts)
            }
            TokenKind::Symbol('<') => Node::Tiler(self.list('>', "a tiler", Self::expression)?),
            TokenKind::Symbol('[') => {
                let items = self.list(']', "a dimension", Self::item)?;
                self.morello_or_list(items)?
            }
            // In a string: a Rust expression, which cannot be evaluated.
            TokenKind::Symbol('{') => {
                self.skip_group();
                Node::Value(start)
            }
            TokenKind::Symbol('-') => self.step()?,
            TokenKind::Unknown => {
                self.at += 1;
                Node::Unknown
            }
            TokenKind::Symbol(_) => return self.expected(expected),
        };
        Ok(Expr { node, span: span.to(&self.previous()) })
    }

    /// `-3`, `2@1` or `1@0-2@1`
    fn step(&mut self) -> Parse<Node<S>> {
        let mut sum = Vector::ZERO;
        loop {
            let negative = self.at_symbol('-');
            self.at += usize::from(negative || self.at_symbol('+'));
            let Some(TokenKind::Literal(text)) = self.kind() else {
                return self.expected("a number after the sign");
            };
            let term = step(text, negative).and_then(|term| sum.add(1, &term));
            if let Err(error) = term {
                return self.fail(self.place(), error);
            }
            let directed = text.contains('@');
            self.at += 1;
            let next = self.tokens.get(self.at + 1).map(|token| &token.kind);
            let has_more_terms = (self.at_symbol('+') || self.at_symbol('-'))
                && matches!(next, Some(TokenKind::Literal(text)) if text.contains('@'));
            if !directed || !has_more_terms {
                return Ok(Node::Step(Box::new(sum)));
            }
        }
    }

    /// Whether a number follows `Sw<`. A user's type of this name has other arguments.
    fn at_swizzle(&self) -> bool {
        let third = self.tokens.get(self.at + 2).map(|token| &token.kind);
        matches!(third, Some(TokenKind::Literal(_) | TokenKind::Symbol('-' | '>')) | None)
    }

    /// `Sw<B, M, S>`
    fn swizzle(&mut self) -> Parse<Node<S>> {
        self.at += 2;
        let bits = self.bits("a number of bits")?.unsigned_abs();
        self.symbol(',', "`,`")?;
        let base = self.bits("the lowest bit")?.unsigned_abs();
        self.symbol(',', "`,`")?;
        let negative = self.at_symbol('-');
        self.at += usize::from(negative);
        let distance = self.bits("a shift")?;
        self.symbol('>', "`>`")?;
        Ok(Node::Swizzle(bits, base, if negative { -distance } else { distance }))
    }

    /// A number of bits. One that does not fit `i32` saturates: both are far more bits than an
    /// offset has.
    fn bits(&mut self, expected: &'static str) -> Parse<i32> {
        Ok(i32::try_from(self.size(expected)?).unwrap_or(i32::MAX))
    }

    #[inline(never)]
    pub(crate) fn symbol(&mut self, symbol: char, expected: &'static str) -> Parse<()> {
        if self.skip(symbol) { Ok(()) } else { self.expected(expected) }
    }

    /// `a::b::C<D>`. The generic arguments are skipped: rustc reads them.
    fn path(&mut self) -> Parse<Node<S>> {
        let start = self.at;
        let mut text = String::new();
        if self.kind() == Some(&TokenKind::PathSeparator) {
            text.push_str("::");
            self.at += 1;
        }
        loop {
            let Some(TokenKind::Name(name)) = self.kind() else {
                return self.expected("a name");
            };
            text.push_str(name);
            self.at += 1;
            let separated = self.kind() == Some(&TokenKind::PathSeparator);
            if separated {
                self.at += 1;
            }
            if self.at_symbol('<') {
                self.skip_angles()?;
            } else if separated {
                text.push_str("::");
                continue;
            }
            if self.kind() != Some(&TokenKind::PathSeparator) {
                return Ok(Node::Name(text, start..self.at));
            }
            text.push_str("::");
            self.at += 1;
        }
    }

    fn skip_angles(&mut self) -> Parse<()> {
        let (open, mut depth) = (self.place(), 0usize);
        while let Some(kind) = self.kind() {
            match kind {
                TokenKind::Symbol('<') => depth += 1,
                TokenKind::Symbol('>') => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
        self.fail(open, NotationError::Unclosed { open: Excerpt::new("<") })
    }

    /// A parenthesised list, from the opening parenthesis past the closing one.
    pub(crate) fn list<T>(
        &mut self,
        close: char,
        what: &'static str,
        mut item: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        let mut items = Vec::new();
        self.each_item(close, what, &mut |this| {
            items.push(item(this)?);
            Ok(())
        })?;
        Ok(items)
    }

    // Not generic, so it is compiled once for items of all types.
    fn each_item(
        &mut self,
        close: char,
        what: &'static str,
        item: &mut dyn FnMut(&mut Self) -> Parse<()>,
    ) -> Parse<()> {
        let open = self.place();
        let symbol = self.kind().map_or(Excerpt::new(""), TokenKind::excerpt);
        if self.depth == MAX_DEPTH {
            return self.fail(open, NotationError::TooDeep { limit: MAX_DEPTH });
        }
        self.at += 1;
        self.depth += 1;
        while !self.at_symbol(close) {
            if self.peek().is_none() || self.at_outer_end(close) {
                self.depth -= 1;
                return self.fail(open, NotationError::Unclosed { open: symbol });
            }
            let read = if self.at_symbol(',') { self.expected(what) } else { item(self) };
            match read {
                Ok(()) => {
                    let closed = self.at_symbol(close) || self.at_outer_end(close);
                    if !self.at_symbol(',') && !closed && self.peek().is_some() {
                        let _reported: Parse<()> = self.expected(match close {
                            ')' => "`,` or `)`",
                            ']' => "`,` or `]`",
                            '}' => "`,` or `}`",
                            _ => "`,` or `>`",
                        });
                        self.recover(close);
                    }
                }
                Err(Reported) => self.recover(close),
            }
            if self.skip(',') {}
        }
        self.at += 1;
        self.depth -= 1;
        Ok(())
    }

    /// Whether an outer list ends here, because a `<` has no `>`.
    fn at_outer_end(&self, close: char) -> bool {
        close == '>' && matches!(self.kind(), Some(TokenKind::Symbol(')' | ']' | '}')))
    }

    /// Skips to the next `,` or `close` of the innermost list.
    #[inline(never)]
    fn recover(&mut self, close: char) {
        while let Some(kind) = self.kind() {
            match kind {
                TokenKind::Symbol(',') => return,
                TokenKind::Symbol(symbol) if *symbol == close => return,
                TokenKind::Symbol('(' | '[' | '{') => self.skip_group(),
                _ if self.at_outer_end(close) => return,
                _ => self.at += 1,
            }
        }
    }

    /// Skips from an opening parenthesis past the matching one.
    #[inline(never)]
    fn skip_group(&mut self) {
        let mut depth = 0usize;
        while let Some(kind) = self.kind() {
            match kind {
                TokenKind::Symbol('(' | '[' | '{') => depth += 1,
                TokenKind::Symbol(')' | ']' | '}') => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// An item in brackets: a part of a Morello layout, or an item of a list.
    fn item(&mut self) -> Parse<Item<S>> {
        match self.kind() {
            Some(TokenKind::Symbol('(' | '-')) => self.primary("a number").map(Item::Other),
            _ => self.part().map(Item::Part),
        }
    }

    fn morello_or_list(&mut self, items: Vec<Item<S>>) -> Parse<Node<S>> {
        if items.iter().any(|item| matches!(item, Item::Other(_))) {
            let items = items.into_iter().map(|item| match item {
                Item::Other(expr) => Some(expr),
                Item::Part(Part { dimension, kind: PhysDim::Dynamic, span }) => {
                    Some(Expr { node: Node::Integer(dimension), span })
                }
                Item::Part(_) => None,
            });
            let Some(items) = items.collect::<Option<_>>() else {
                let (expected, found) = ("a list of numbers", "a Morello layout");
                return self.fail(self.previous(), NotationError::Kind { expected, found });
            };
            return Ok(Node::List(items));
        }
        let parts = items.into_iter().filter_map(|item| match item {
            Item::Part(part) => Some(part),
            Item::Other(_) => None,
        });
        let (parts, mut shape) = (parts.collect(), None);
        if self.skip_name("for") {
            shape = Some(Box::new(self.primary("a shape")?));
        }
        Ok(Node::Morello(parts, shape))
    }

    /// `size: [512]`
    fn field(&mut self) -> Parse<Field<S>> {
        let place = self.place();
        let Some(TokenKind::Name(name)) = self.kind() else {
            return self.expected("the name of a field");
        };
        self.at += 1;
        self.symbol(':', "`:`")?;
        let value = self.primary("the value of a field")?;
        Ok(Field { name: name.clone(), place, value })
    }

    /// `1`, `1 p(4)` or `1 oe(4)`.
    fn part(&mut self) -> Parse<Part<S>> {
        let span = self.place();
        let dimension = self.size("the index of a dimension")?;
        let Some(TokenKind::Name(kind)) = self.kind() else {
            return Ok(Part { dimension, kind: PhysDim::Dynamic, span });
        };
        let make = match kind.as_str() {
            "p" => PhysDim::Packed,
            "oe" => PhysDim::OddEven,
            _ => {
                let found = Excerpt::new(kind);
                return self.fail(self.place(), NotationError::PhysicalKind { found });
            }
        };
        self.at += 1;
        self.symbol('(', "`(` and a size")?;
        let size = self.size("a size")?;
        self.symbol(')', "`)`")?;
        Ok(Part { dimension, kind: make(size), span: span.to(&self.previous()) })
    }

    pub(crate) fn size(&mut self, expected: &'static str) -> Parse<usize> {
        let span = self.place();
        match self.kind() {
            Some(TokenKind::Literal(text)) => {
                let (dimension, kind) = split_digits(text);
                let error = match integer(text) {
                    Ok(value) => {
                        self.at += 1;
                        return Ok(value);
                    }
                    Err(_) if matches!(kind, "p" | "oe") => NotationError::SpaceNeeded {
                        text: Excerpt::new(text),
                        dimension: Excerpt::new(dimension),
                        kind: Excerpt::new(kind),
                    },
                    Err(error) => error,
                };
                self.fail(span, error)
            }
            Some(TokenKind::Symbol('-')) => self.fail(span, NotationError::Negative),
            _ => self.expected(expected),
        }
    }
}

/// The digits of `_8`.
fn static_digits(name: &str) -> Option<&str> {
    name.strip_prefix('_').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}
