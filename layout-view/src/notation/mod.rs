//! The [notation](layout_core::text) of layouts, and the spellings that other tools print.
//!
//! Tokens of a foreign spelling are replaced by tokens of our notation before parsing, so a foreign
//! spelling is valid wherever a layout is. Copied numbers keep their position; computed numbers get
//! the position of the whole spelling.
//!
//! | spelling | of | as |
//! |---|---|---|
//! | `S<3,4,3>`, `Swizzle<3,4,3>` | CuTe | `Sw<3,4,3>` |
//! | `_4`, `_-1`, `_1@0` | CuTe | `4`, `-1`, `1@0` |
//! | `smem_ptr[16b](0x80) o L`, `ptr<f16, smem> o L`, `raw_ptr(0x80: f16, smem) o L` | CuTe | `L` |
//! | `ArithTuple(8,0) o L`, `counting_iter(8) o L` | CuTe | `L @ (8,0)`, `L @ 8` |
//! | `Sw<3,4,3>_smem_ptr[16b](0x0) o L` | CuTe | `Sw<3,3,3> o L`: a pointer swizzle applies to byte
//! addresses |
//! | `!cute.layout<"(4,8):(8,1)">` | CuTe's IR | `(4,8):(8,1)` |
//! | `Layout<Shape<_4,_8>, Stride<_8,_1>>` | C++ | `(4,8):(8,1)` |
//! | `memref<4x8xf32, strided<[8, 1], offset: 4>>` | MLIR | `(4,8):(8,1) @ 4` |
//! | `strided<[8, 1]>`, `strided<[8, 1]> for (4, 8)` | MLIR | `(?,?):(8,1)`, `(4,8):(8,1)` |
//! | `affine_map<(d0, d1) -> (d1 * 4 + d0)> for (4, 8)` | MLIR | `(4,8):(1,4)` |
//! | `sizes [4, 8], strides [8, 1]`, `torch.Size([4, 8]), (8, 1)` | PyTorch | `(4,8):(8,1)` |
//! | `shape=(4, 8), strides=(32, 4), dtype=float32` | NumPy | `(4,8):(8,1)` |
//! | `DistributedLinearLayout(reg_bases=[[1]], shape=[2])` | Gluon | `#ttg.linear<{register = [[1]]}>` |
//! | `- register=1 -> (1)`, `where out dims are: [dim0 (size 2)]` | Triton | `#ttg.linear<{register = [[1]]}>` |
//!
//! `?` is a dynamic leaf: `(?,8):(8,1)`.
//!
//! ```
//! use layout_view::notation::eval;
//! for text in [
//!     "Layout<Shape<_4,_8>, Stride<_8,_1>>",
//!     "!cute.layout<\"(4,8):(8,1)\">",
//!     "memref<4x8xf32>",
//!     "torch.Size([4, 8]), (8, 1)",
//!     "shape=(4, 8), strides=(64, 8), itemsize=8",
//! ] {
//!     assert_eq!(eval(text)?, eval("(4,8):(8,1)")?);
//! }
//! # Ok::<(), layout_core::text::ParseError>(())
//! ```

use std::ops::Range;

use layout_core::engine::{MAX_DEPTH, MAX_LEAVES};
use layout_core::error::{LayoutError, NotationError};
use layout_core::excerpt::Excerpt;
use layout_core::text::{
    self, Application, Expr, ParseError, Problems, Token, TokenKind, Value, lex, parse_tokens,
};

mod affine;
mod arrays;
mod cpp;
mod cute;
mod mlir;
mod triton;

type Bytes = Range<usize>;

/// The value of a text, as [`layout_core::text::eval`], in any spelling.
///
/// # Errors
///
/// All problems of the text, each with its byte range.
pub fn eval(text: &str) -> Result<Value, ParseError> {
    evaluate(text, Problems::new(), text::whole_value).1
}

/// The value of a text, as [`Value::parse`], in any spelling: a shape stays a shape.
///
/// # Errors
///
/// All problems of the text, each with its byte range.
pub fn parse(text: &str) -> Result<Value, ParseError> {
    evaluate(text, Problems::new(), text::value).1
}

/// The value of a text, as [`eval`], where a list of numbers is a Morello layout.
///
/// # Errors
///
/// All problems of the text, each with its byte range.
pub fn layout(text: &str) -> Result<Value, ParseError> {
    match eval(text)? {
        Value::List(_) => evaluate(text, Problems::new(), morello).1,
        value => Ok(value),
    }
}

fn morello(expr: &Expr<Bytes>, problems: &mut Problems<Bytes>) -> Option<Value> {
    let value = text::eval_expr(expr, problems)?;
    text::report(value.morello(), &expr.span, problems).map(Value::Morello)
}

/// The value of a text, as [`eval`], and the operations applied, inside out.
///
/// ```
/// use layout_view::notation::trace;
/// let (applied, value) = trace("size(coalesce((2,4):(1,2)))");
/// let names: Vec<_> = applied.iter().map(|one| one.operation.name).collect();
/// assert_eq!(names, ["coalesce", "size"]);
/// assert_eq!(applied[0].result.as_ref().unwrap().to_string(), "8:1");
/// assert_eq!(value.unwrap().to_string(), "8");
/// ```
///
/// # Errors
///
/// Errors of `eval`, with the operations applied before, and the one that failed.
pub fn trace(text: &str) -> (Vec<Application>, Result<Value, ParseError>) {
    evaluate(text, Problems::traced(), text::whole_value)
}

fn evaluate(
    text: &str,
    mut problems: Problems<Bytes>,
    interpret: impl FnOnce(&Expr<Bytes>, &mut Problems<Bytes>) -> Option<Value>,
) -> (Vec<Application>, Result<Value, ParseError>) {
    let value = tree(text, &mut problems).and_then(|expr| interpret(&expr, &mut problems));
    let applications = problems.take_trace();
    let value = value.filter(|_| problems.is_empty());
    (applications, value.ok_or_else(|| problems.into()))
}

/// The tree of a whole text; `None` if problems were added to `problems`.
fn tree(text: &str, problems: &mut Problems<Bytes>) -> Option<Expr<Bytes>> {
    let tokens = lex(text, problems);
    if !problems.is_empty() {
        return None;
    }
    let tokens = translate(tokens, problems)?;
    parse_tokens(&tokens, text.len()..text.len(), problems)
}

/// The tokens with each foreign spelling in our notation; `None` if problems were added.
fn translate(
    tokens: Vec<Token<Bytes>>,
    problems: &mut Problems<Bytes>,
) -> Option<Vec<Token<Bytes>>> {
    let mut reader = Reader { tokens: &tokens, at: 0, depth: 0, out: Vec::new(), problems };
    // `#layout = ..`: the definition of an alias in an MLIR file.
    if (reader.is_symbol(0, '#') || reader.is_symbol(0, '!'))
        && reader.word(1).is_some()
        && reader.is_symbol(2, '=')
    {
        reader.at = 3;
    }
    let read = if reader.at_arrays() { reader.arrays() } else { reader.until_end() };
    let out = reader.out;
    read.map(|()| out)
}

/// Maximum number of items of a list: leaves, or the bases of a dimension.
const MAX_ITEMS: usize = 64;

/// `None` if the problem was pushed.
type Read<T = ()> = Option<T>;

/// Reads tokens and writes translated ones.
struct Reader<'t> {
    tokens: &'t [Token<Range<usize>>],
    at: usize,
    depth: usize,
    out: Vec<Token<Range<usize>>>,
    problems: &'t mut Problems<Range<usize>>,
}

impl<'t> Reader<'t> {
    fn until_end(&mut self) -> Read {
        while self.at < self.tokens.len() {
            self.next()?;
        }
        Some(())
    }

    /// Translates a spelling, or copies a token.
    fn next(&mut self) -> Read {
        self.nested(Self::translate_next)
    }

    /// Reads a construct that may contain itself.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == MAX_DEPTH {
            return self.fail(self.span(), NotationError::TooDeep { limit: MAX_DEPTH });
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn translate_next(&mut self) -> Read {
        let read = self.cute().or_else(|| self.cpp()).or_else(|| self.mlir());
        if let Some(done) = read.or_else(|| self.triton()) {
            return done;
        }
        // The device notation reads its own maps and buffers.
        if self.is_name(0, "tensor") && self.is_symbol(1, '<') {
            if matches!(self.word(2), Some("ptr" | "raw_ptr")) {
                return self.tensor_of_pointer();
            }
            self.copy(1);
            let end = self.find_end(self.at).unwrap_or(self.tokens.len());
            self.copy(end - self.at);
            return Some(());
        }
        self.copy(1);
        Some(())
    }

    fn kind(&self, lookahead: usize) -> Option<&'t TokenKind> {
        self.tokens.get(self.at + lookahead).map(|token| &token.kind)
    }

    fn is_symbol(&self, lookahead: usize, symbol: char) -> bool {
        self.kind(lookahead) == Some(&TokenKind::Symbol(symbol))
    }

    fn is_unknown(&self) -> bool {
        self.kind(0) == Some(&TokenKind::Unknown)
    }

    fn word(&self, lookahead: usize) -> Option<&'t str> {
        match self.kind(lookahead) {
            Some(TokenKind::Name(name)) => Some(name),
            _ => None,
        }
    }

    fn is_name(&self, lookahead: usize, name: &str) -> bool {
        self.word(lookahead) == Some(name)
    }

    fn skip_symbol(&mut self, symbol: char) -> bool {
        let found = self.is_symbol(0, symbol);
        self.at += usize::from(found);
        found
    }

    /// Skips a required symbol.
    fn expect_symbol(&mut self, symbol: char, expected: &'static str) -> Read {
        if self.skip_symbol(symbol) { Some(()) } else { self.fail_expected(expected) }
    }

    fn span(&self) -> Range<usize> {
        let end = self.tokens.last().map_or(0, |token| token.span.end);
        self.tokens.get(self.at).map_or(end..end, |token| token.span.clone())
    }

    /// The range from the token at `start` to the token before the current one.
    fn range_since(&self, start: usize) -> Range<usize> {
        self.tokens[start].span.start..self.tokens[self.at.max(start + 1) - 1].span.end
    }

    fn fail<T>(&mut self, span: Range<usize>, error: impl Into<LayoutError>) -> Read<T> {
        self.problems.push(span, error);
        None
    }

    fn fail_expected<T>(&mut self, expected: &'static str) -> Read<T> {
        let found = self.kind(0).map_or(Excerpt::new(""), TokenKind::excerpt);
        self.fail(self.span(), NotationError::Expected { expected, found })
    }

    /// Copies tokens unchanged.
    fn copy(&mut self, count: usize) {
        let end = (self.at + count).min(self.tokens.len());
        self.out.extend_from_slice(&self.tokens[self.at..end]);
        self.at = end;
    }

    fn push_token(&mut self, kind: TokenKind, span: Range<usize>) {
        self.out.push(Token { kind, span });
    }

    /// Writes a text in our notation with the position of a spelling.
    fn write(&mut self, text: &str, span: &Range<usize>) {
        let tokens = lex(text, self.problems);
        self.out.extend(tokens.into_iter().map(|t| Token { kind: t.kind, span: span.clone() }));
    }

    /// The index of the token after the `>` that closes the `<` at a token. It must be closed.
    fn end_of_angles(&mut self, start: usize) -> Read<usize> {
        let end = self.find_end(start);
        if end.is_none() {
            let span = self.tokens.get(start).map_or(self.span(), |token| token.span.clone());
            return self.fail(span, NotationError::Unclosed { open: Excerpt::new("<") });
        }
        end
    }

    /// The same, or `None`. The `>` of `->` does not count.
    fn find_end(&self, start: usize) -> Option<usize> {
        let (mut depth, mut arrow) = (0usize, false);
        for (i, token) in self.tokens.iter().enumerate().skip(start) {
            match token.kind {
                TokenKind::Symbol('<') => depth += 1,
                TokenKind::Symbol('>') if !arrow => depth = depth.saturating_sub(1),
                _ => {}
            }
            arrow = token.kind == TokenKind::Symbol('-');
            if depth == 0 {
                return Some(i + 1);
            }
        }
        None
    }

    /// Skips past the bracket that closes the current one.
    fn skip_group(&mut self) {
        let mut depth = 0usize;
        while let Some(kind) = self.kind(0) {
            match kind {
                TokenKind::Symbol('(' | '[' | '{') => depth += 1,
                TokenKind::Symbol(')' | ']' | '}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// A number, possibly negative.
    fn number(&mut self, expected: &'static str) -> Read<isize> {
        let negative = self.skip_symbol('-');
        let (span, digits) = (
            self.span(),
            match self.kind(0) {
                Some(TokenKind::Literal(digits)) => digits,
                Some(TokenKind::Name(name)) if name.starts_with('_') => &name[1..],
                _ => return self.fail_expected(expected),
            },
        );
        match text::integer(digits) {
            Ok(value) => {
                self.at += 1;
                Some(if negative { -(value as isize) } else { value as isize })
            }
            Err(error) => self.fail(span, error),
        }
    }

    /// A number, or `?`, which is `None`.
    fn leaf(&mut self, expected: &'static str) -> Read<Option<isize>> {
        if self.is_unknown() {
            self.at += 1;
            return Some(None);
        }
        self.number(expected).map(Some)
    }

    /// A list of items parsed by `item`, from its opening bracket past `close`.
    fn list<T>(
        &mut self,
        close: char,
        expected: &'static str,
        mut item: impl FnMut(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        self.at += 1;
        let mut items = Vec::new();
        while !self.skip_symbol(close) {
            items.push(item(self)?);
            self.check_count(items.len())?;
            if !self.skip_symbol(',') && !self.is_symbol(0, close) {
                return self.fail_expected(expected);
            }
        }
        Some(items)
    }

    /// Rejects a list with too many items early, before it uses much memory.
    fn check_count(&mut self, count: usize) -> Read {
        if count > MAX_ITEMS {
            return self.fail(self.span(), LayoutError::TooManyLeaves { limit: MAX_LEAVES });
        }
        Some(())
    }

    /// The shape after `for`.
    fn for_shape(&mut self) -> Read<Option<Vec<Option<isize>>>> {
        if !self.is_name(0, "for") {
            return Some(None);
        }
        self.at += 1;
        if !self.is_symbol(0, '(') {
            return self.fail_expected("a shape, such as (4, 8)");
        }
        self.list(')', "`,` or `)`", |reader| reader.leaf("an extent")).map(Some)
    }
}

/// `(4,?)`, the numbers of a shape or a stride.
fn tuple(numbers: &[Option<isize>]) -> String {
    use std::fmt::Write as _;
    let mut text = String::from("(");
    for (i, number) in numbers.iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        let _ = match number {
            Some(number) => write!(text, "{comma}{number}"),
            None => write!(text, "{comma}?"),
        };
    }
    text.push(')');
    text
}

/// A layout with these numbers and a start offset. Without dimensions it is a scalar.
fn print_layout(
    extents: &[Option<isize>],
    strides: &[Option<isize>],
    offset: Option<isize>,
) -> String {
    use std::fmt::Write as _;
    let mut text = match extents {
        [] => String::from("1:0"),
        _ => format!("{}:{}", tuple(extents), tuple(strides)),
    };
    let _ = match offset {
        Some(0) => Ok(()),
        Some(offset) => write!(text, " @ {offset}"),
        None => write!(text, " @ ?"),
    };
    text
}

/// The strides of a row-major tensor, dynamic before a dynamic extent; `None` on overflow.
fn row_major(extents: &[Option<isize>]) -> Option<Vec<Option<isize>>> {
    let mut strides = Vec::from_iter(extents.iter().map(|_| None));
    let mut step = Some(1isize);
    for (stride, extent) in strides.iter_mut().zip(extents).rev() {
        *stride = step;
        step = match (step, extent) {
            // An empty dimension does not contribute to the product.
            (Some(step), Some(extent)) => Some(step.checked_mul((*extent).max(1))?),
            _ => None,
        };
    }
    Some(strides)
}
