//! C++ types of CuTe, as compilers print them.

use std::ops::Range;

use super::{Read, Reader};
use layout_core::error::NotationError;
use layout_core::excerpt::Excerpt;
use layout_core::text::{TokenKind, integer, split_digits};

impl Reader<'_> {
    /// `None` if there is no CuTe type here.
    pub(super) fn cpp(&mut self) -> Option<Read> {
        // `cute::`
        if matches!(self.word(0)?, "cute" | "std")
            && self.kind(1) == Some(&TokenKind::PathSeparator)
        {
            self.at += 2;
            return Some(Some(()));
        }
        // `static_layout::layout!(..)`
        if self.is_name(0, "static_layout") && self.kind(1) == Some(&TokenKind::PathSeparator) {
            self.at += 2;
            return Some(Some(()));
        }
        if self.is_name(0, "layout") && self.is_symbol(1, '!') && self.is_symbol(2, '(') {
            self.at += 2;
            return Some(self.rust_layout());
        }
        let open = match self.word(0)? {
            "Underscore" => {
                let span = self.span();
                self.at += 1;
                self.push_token(TokenKind::Name("_".to_string()), span);
                return Some(Some(()));
            }
            "Layout" => Self::cpp_layout,
            "ComposedLayout" => Self::cpp_composed,
            "Shape" | "Stride" | "Step" | "Coord" | "tuple" | "ArithmeticTuple" => Self::cpp_tuple,
            "Tile" => Self::cpp_tile,
            "Int" | "C" | "constant" | "integral_constant" => Self::cpp_constant,
            "ScaledBasis" | "E" => Self::cpp_basis,
            _ => return None,
        };
        if !self.is_symbol(1, '<') {
            return None;
        }
        let span = self.span();
        self.at += 1;
        let read = open(self, span);
        if self.is_symbol(0, '{') && self.is_symbol(1, '}') {
            self.at += 2;
        }
        Some(read)
    }

    /// The argument of `layout!`, where `_` is a dynamic extent or stride.
    fn rust_layout(&mut self) -> Read {
        let end = {
            let start = self.at;
            self.skip_group();
            std::mem::replace(&mut self.at, start)
        };
        let is_layout = self.tokens[self.at..end]
            .iter()
            .all(|token| !matches!(token.kind, TokenKind::Symbol('<')) && !is_word(&token.kind));
        while self.at < end {
            if is_layout && self.is_name(0, "_") {
                self.push_token(TokenKind::Unknown, self.span());
                self.at += 1;
            } else {
                self.next()?;
            }
        }
        Some(())
    }

    /// `Layout<Shape<_4,_8>, Stride<_8,_1>>`
    fn cpp_layout(&mut self, span: Range<usize>) -> Read {
        let start = self.out.len();
        self.cpp_arguments(span, "(", ":", ")")?;
        let has_stride = self.out[start..].iter().any(|t| t.kind == TokenKind::Symbol(':'));
        if has_stride { Some(()) } else { self.append_compact_strides(start) }
    }

    /// Appends column-major strides to the shape in parentheses that starts at token `start`, as
    /// `Layout<Shape<_4,_8>>` implies.
    fn append_compact_strides(&mut self, start: usize) -> Read {
        let Some(end) = self.out.pop() else { return Some(()) };
        let mut strides = self.out[start + 1..].to_vec();
        let mut step = Some(1usize);
        for token in &mut strides {
            let extent = match &token.kind {
                TokenKind::Literal(digits) => match integer(digits) {
                    Ok(extent) => Some(extent),
                    Err(error) => return self.fail(token.span.clone(), error),
                },
                TokenKind::Unknown => None,
                _ => continue,
            };
            token.kind = match step {
                Some(step) => TokenKind::Literal(step.to_string()),
                None => TokenKind::Unknown,
            };
            step = match (step, extent) {
                (Some(step), Some(extent)) => match step.checked_mul(extent) {
                    Some(next) => Some(next),
                    None => {
                        let text = Excerpt::new("the size of this shape");
                        let span = token.span.clone();
                        return self.fail(span, NotationError::IntegerTooLarge { text });
                    }
                },
                _ => None,
            };
        }
        self.push_token(TokenKind::Symbol(':'), end.span.clone());
        self.out.append(&mut strides);
        self.out.push(end);
        Some(())
    }

    /// `ComposedLayout<Swizzle<3,4,3>, _0, Layout<..>>`
    fn cpp_composed(&mut self, span: Range<usize>) -> Read {
        self.cpp_arguments(span, "(", "o", ")")
    }

    fn cpp_tuple(&mut self, span: Range<usize>) -> Read {
        self.cpp_arguments(span, "(", ",", ")")
    }

    fn cpp_tile(&mut self, span: Range<usize>) -> Read {
        self.cpp_arguments(span, "<", ",", ">")
    }

    /// The arguments with other brackets and another separator.
    fn cpp_arguments(
        &mut self,
        span: Range<usize>,
        open: &str,
        between: &str,
        close: &str,
    ) -> Read {
        self.write_symbol(open, &span);
        self.at += 1;
        while !self.is_symbol(0, '>') {
            self.cpp_argument()?;
            if self.is_symbol(0, ',') {
                self.write_symbol(between, &self.span());
                self.at += 1;
            } else if !self.is_symbol(0, '>') {
                return self.fail_expected("`,` or `>`");
            }
        }
        self.write_symbol(close, &self.span());
        self.at += 1;
        Some(())
    }

    /// A symbol of our notation. It is not lexed, because a single bracket would be unbalanced.
    fn write_symbol(&mut self, symbol: &str, span: &Range<usize>) {
        let kind = match symbol {
            "o" => TokenKind::Name(symbol.to_string()),
            _ => TokenKind::Symbol(symbol.chars().next().unwrap_or(' ')),
        };
        self.push_token(kind, span.clone());
    }

    /// A type that stands for a part of a layout. The type of a variable is a dynamic leaf.
    fn cpp_argument(&mut self) -> Read {
        let before = self.at;
        while matches!(
            self.word(0),
            Some(
                "int"
                    | "unsigned"
                    | "long"
                    | "short"
                    | "size_t"
                    | "int32_t"
                    | "int64_t"
                    | "uint32_t"
                    | "uint64_t"
            )
        ) {
            self.at += 1;
        }
        if self.at > before {
            self.push_token(TokenKind::Unknown, self.range_since(before));
            return Some(());
        }
        while !self.is_symbol(0, ',') && !self.is_symbol(0, '>') {
            if self.at == self.tokens.len() {
                return self.fail_expected("`>`");
            }
            let swizzle =
                matches!(self.word(0), Some("S" | "Sw" | "Swizzle")) && self.is_symbol(1, '<');
            let end = if swizzle { self.end_of_angles(self.at + 1)? } else { self.at + 1 };
            self.next()?;
            while swizzle && self.at < end {
                self.next()?;
            }
        }
        if self.at == before { self.fail_expected("a type") } else { Some(()) }
    }

    /// `Int<4>`, `C<4>`, `constant<int, 4>`
    fn cpp_constant(&mut self, _: Range<usize>) -> Read {
        self.at += 1;
        if self.kind(0).is_some_and(|kind| matches!(kind, TokenKind::Name(_))) {
            while !self.skip_symbol(',') {
                if self.is_symbol(0, '>') || self.at == self.tokens.len() {
                    return self.fail_expected("a type and a number");
                }
                self.at += 1;
            }
        }
        // `(int)4`
        if self.is_symbol(0, '(') {
            self.skip_group();
        }
        if self.is_symbol(0, '-') {
            self.copy(1);
        }
        let Some(TokenKind::Literal(text)) = self.kind(0) else {
            return self.fail_expected("a number");
        };
        // `4ul`
        let (digits, suffix) = split_digits(text);
        let plain = suffix.bytes().all(|b| matches!(b, b'u' | b'U' | b'l' | b'L'));
        let literal = if plain { digits } else { text };
        self.push_token(TokenKind::Literal(literal.to_string()), self.span());
        self.at += 1;
        self.expect_symbol('>', "`>`")
    }

    /// `ScaledBasis<_2, 0, 1>` is `2@0@1`, and `E<0, 1>` is `1@0@1`.
    fn cpp_basis(&mut self, span: Range<usize>) -> Read {
        let start = self.at - 1;
        let scaled = matches!(&self.tokens[start].kind, TokenKind::Name(name) if name != "E");
        let mut numbers = self.list('>', "`,` or `>`", |reader| {
            if reader.word(0).is_some_and(|name| matches!(name, "C" | "Int"))
                && reader.is_symbol(1, '<')
            {
                reader.at += 2;
                let number = reader.number("a number")?;
                reader.expect_symbol('>', "`>`")?;
                return Some(number);
            }
            reader.number("a number")
        })?;
        if !scaled {
            numbers.insert(0, 1);
        }
        let parts: Vec<_> = numbers.iter().map(ToString::to_string).collect();
        let text = parts.join("@");
        self.write(&text, &span);
        Some(())
    }
}

/// Whether this is a name, possibly of an operation: `_` is a coordinate there.
fn is_word(kind: &TokenKind) -> bool {
    matches!(kind, TokenKind::Name(name) if name != "_")
}
