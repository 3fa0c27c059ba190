//! PyTorch and NumPy arrays: a shape and its strides.

use super::{Read, Reader, print_layout, row_major};
use layout_core::error::NotationError;
use layout_core::excerpt::Excerpt;
use layout_core::text::{Token, TokenKind};

/// The keywords for the shape of an array.
const SHAPE: [&str; 3] = ["shape", "size", "sizes"];

impl Reader<'_> {
    /// Whether the whole text is an array: `sizes [4, 8], strides [8, 1]`, `shape=(4,), ..`,
    /// `torch.Size([4, 8]), (8, 1)`, two tuples, or `(a.shape, a.strides, a.dtype)` as Python
    /// prints it.
    pub(super) fn at_arrays(&self) -> bool {
        let start = self.at;
        if self.at_array(start) || self.is_symbol(0, '{') && self.at_array(start + 1) {
            return true;
        }
        if !self.is_symbol(0, '(') && !self.is_symbol(0, '[') {
            return false;
        }
        self.is_python_tuple()
            || self.group_end(start).is_some_and(|end| {
                self.tokens.get(end).is_some_and(|token| token.kind == TokenKind::Symbol(','))
            })
    }

    /// Whether a named shape begins at a token.
    fn at_array(&self, at: usize) -> bool {
        let kind = |at: usize| self.tokens.get(at).map(|token| &token.kind);
        let is = |at, symbol| kind(at) == Some(&TokenKind::Symbol(symbol));
        let named = |at, names: &[&str]| matches!(kind(at), Some(TokenKind::Name(name)) if names.contains(&&**name));
        if named(at, &["torch"]) {
            return is(at + 1, '.');
        }
        let quoted = is(at, '"') || is(at, '\'');
        let name = at + usize::from(quoted);
        let separator = is(name + 1, '=') || is(name + 1, '[');
        let colon = is(name + 1, ':') && (is(name + 2, '(') || is(name + 2, '['));
        named(name, &SHAPE) && (quoted || separator || colon)
    }

    /// One past the bracket that closes the bracket at a token.
    fn group_end(&self, start: usize) -> Option<usize> {
        let mut depth = 0usize;
        for (i, token) in self.tokens.iter().enumerate().skip(start) {
            match token.kind {
                TokenKind::Symbol('(' | '[') => depth += 1,
                TokenKind::Symbol(')' | ']') => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return Some(i + 1);
            }
        }
        None
    }

    /// `((4, 8), (64, 8), dtype('float64'))`: the whole text is in parentheses and contains a
    /// PyTorch shape or a type.
    fn is_python_tuple(&self) -> bool {
        let typed = |token: &Token<_>| matches!(&token.kind, TokenKind::Name(name) if name == "dtype" || name == "torch");
        self.is_symbol(0, '(')
            && (self.is_symbol(1, '(') || self.is_name(1, "torch"))
            && self.tokens[self.at..].iter().any(typed)
            && self.group_end(self.at) == Some(self.tokens.len())
    }

    pub(super) fn arrays(&mut self) -> Read {
        let start = self.at;
        let close = match () {
            () if self.skip_symbol('{') => Some('}'),
            () if self.is_python_tuple() => {
                self.at += 1;
                Some(')')
            }
            () => None,
        };
        let at_close = |reader: &Self| close.is_some_and(|close| reader.is_symbol(0, close));
        let (mut shape, mut strides, mut bytes, mut offset) = (None, None, None, 0);
        while self.at < self.tokens.len() && !at_close(self) {
            let quote = ['"', '\''].into_iter().find(|&quote| self.skip_symbol(quote));
            let size = self.is_name(0, "torch") && self.is_name(2, "Size");
            let name = self.word(0).filter(|_| !size);
            if let Some(name) = name {
                let positional = name == "torch" || name == "dtype" && self.is_symbol(1, '(');
                self.at += usize::from(!positional);
                if let Some(quote) = quote {
                    self.expect_symbol(quote, "the quote that closes the name")?;
                }
                let _separator = !positional && (self.skip_symbol('=') || self.skip_symbol(':'));
                match name {
                    _ if SHAPE.contains(&name) => shape = Some(self.numbers()?),
                    "stride" | "strides" if self.is_name(0, "None") => self.at += 1,
                    "stride" | "strides" => strides = Some(self.numbers()?),
                    "storage_offset" => offset = self.number("an offset in elements")?,
                    "itemsize" => bytes = Some(self.number("the bytes of an element")?),
                    "dtype" | "typestr" | "torch" => bytes = self.element_bytes()?.or(bytes),
                    // The remaining keys of an array interface.
                    "data" | "descr" | "mask" | "version" if close == Some('}') => {
                        self.skip_value();
                    }
                    _ => {
                        self.at -= 1;
                        return self.fail_expected("shape, strides, itemsize or dtype");
                    }
                }
            } else if shape.is_none() {
                shape = Some(self.numbers()?);
            } else {
                strides = Some(self.numbers()?);
            }
            let more = self.is_symbol(0, '(') || self.word(0).is_some();
            if !self.skip_symbol(',') && !more && self.at < self.tokens.len() && !at_close(self) {
                return self.fail_expected("`,`");
            }
        }
        let brackets_left = usize::from(at_close(self));
        self.at += brackets_left;
        if self.at < self.tokens.len() {
            return self.fail_expected("the end");
        }
        let span = self.range_since(start);
        let Some(shape) = shape else { return self.fail_expected("a shape") };
        let strides = match strides {
            Some(strides) => self.in_elements(strides, bytes)?,
            None => match row_major(&shape) {
                Some(strides) => strides,
                None => {
                    let text = Excerpt::new("the size of this shape");
                    return self.fail(span, NotationError::IntegerTooLarge { text });
                }
            },
        };
        let (dimensions, count) = (shape.len(), strides.len());
        if dimensions != count {
            let error = NotationError::StridesRank { dimensions, strides: count };
            return self.fail(span, error);
        }
        self.write(&print_layout(&shape, &strides, Some(offset)), &span);
        Some(())
    }

    /// Skips to the next `,` or the end.
    fn skip_value(&mut self) {
        while self.at < self.tokens.len() && !self.is_symbol(0, ',') && !self.is_symbol(0, '}') {
            match self.kind(0) {
                Some(TokenKind::Symbol('(' | '[' | '{')) => self.skip_group(),
                _ => self.at += 1,
            }
        }
    }

    /// `(4, 8)`, `[4, 8]` or `torch.Size([4, 8])`
    fn numbers(&mut self) -> Read<Vec<Option<isize>>> {
        let size = self.is_name(0, "torch") && self.is_symbol(1, '.') && self.is_name(2, "Size");
        if size {
            self.at += 3;
            self.expect_symbol('(', "`(`")?;
        }
        let close = match () {
            () if self.is_symbol(0, '(') => ')',
            () if self.is_symbol(0, '[') => ']',
            () => return self.fail_expected("numbers, such as (4, 8)"),
        };
        let numbers = self.list(close, "`,` or the end of the numbers", |r| r.leaf("a number"))?;
        if size {
            self.expect_symbol(')', "`)`")?;
        }
        Some(numbers)
    }

    /// NumPy's strides are in bytes.
    fn in_elements(
        &mut self,
        strides: Vec<Option<isize>>,
        bytes: Option<isize>,
    ) -> Read<Vec<Option<isize>>> {
        let Some(bytes) = bytes else { return Some(strides) };
        if bytes < 1 {
            return self.fail(self.range_since(0), NotationError::Negative);
        }
        if let Some(stride) = strides.iter().flatten().copied().find(|stride| stride % bytes != 0) {
            return self.fail(self.range_since(0), NotationError::ByteStride { stride, bytes });
        }
        Some(strides.into_iter().map(|stride| stride.map(|stride| stride / bytes)).collect())
    }

    /// The bytes of `float32` or `'<f4'`. `None` for `torch.float32`: PyTorch counts strides in
    /// elements.
    fn element_bytes(&mut self) -> Read<Option<isize>> {
        if self.is_name(0, "torch") && self.is_symbol(1, '.') && self.word(2).is_some() {
            self.at += 3;
            return Some(None);
        }
        if self.is_name(0, "dtype") && self.is_symbol(1, '(') {
            self.at += 2;
            let bytes = self.element_bytes()?;
            self.expect_symbol(')', "`)`")?;
            return Some(bytes);
        }
        if self.is_name(0, "np") || self.is_name(0, "numpy") {
            self.at += 1;
            self.expect_symbol('.', "`.`")?;
        }
        let quote = ['"', '\''].into_iter().find(|&quote| self.skip_symbol(quote));
        let ordered = self.skip_symbol('<')
            || self.skip_symbol('>')
            || self.skip_symbol('|')
            || self.skip_symbol('=');
        let Some(name) = self.word(0) else { return self.fail_expected("a type, such as float32") };
        let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        let bytes = match (name, digits.parse::<isize>()) {
            ("bool" | "bool_", _) => Some(1),
            // `f4` counts bytes, and `float32` bits.
            (_, Ok(bytes)) if ordered || name.len() == digits.len() + 1 => Some(bytes),
            (_, Ok(bits)) if bits % 8 == 0 => Some(bits / 8),
            _ => None,
        };
        if bytes.is_none() {
            return self.fail_expected("a type, such as float32");
        }
        self.at += 1;
        if let Some(quote) = quote {
            self.expect_symbol(quote, "the quote that closes the type")?;
        }
        Some(bytes)
    }
}
