//! Arrays of PyTorch and NumPy: a shape and its strides.

use alloc::vec::Vec;

use super::mlir::Strided;
use super::{Read, Reader, layout, row_major};
use crate::error::NotationError;
use crate::excerpt::Excerpt;
use crate::text::token::TokenKind;

/// The names that arrays have for a shape.
const SHAPE: [&str; 3] = ["shape", "size", "sizes"];

impl Reader<'_> {
    /// Whether the whole text is an array: `sizes [4, 8], strides [8, 1]`, `shape=(4,), ..`,
    /// `torch.Size([4, 8]), (8, 1)` or two tuples.
    pub(super) fn at_arrays(&self) -> bool {
        let named = |at: usize| {
            let quote = usize::from(self.is(at, '"') || self.is(at, '\''));
            let behind = at + quote + 1;
            self.word(at + quote).is_some_and(|name| SHAPE.contains(&name))
                && (quote > 0 || self.is(behind, '=') || self.is(behind, '['))
        };
        if named(0) || self.is(0, '{') && named(1) || self.is_name(0, "torch") {
            return true;
        }
        if !self.is(0, '(') && !self.is(0, '[') {
            return false;
        }
        let mut depth = 0usize;
        for (i, token) in self.tokens.iter().enumerate() {
            match token.kind {
                TokenKind::Symbol('(' | '[') => depth += 1,
                TokenKind::Symbol(')' | ']') => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return self.tokens.get(i + 1).is_some_and(|t| t.kind == TokenKind::Symbol(','));
            }
        }
        false
    }

    pub(super) fn arrays(&mut self) -> Read {
        let braced = self.skip('{');
        let (mut shape, mut strides, mut bytes) = (None, None, None);
        while self.at < self.tokens.len() && !(braced && self.is(0, '}')) {
            let quote = ['"', '\''].into_iter().find(|&quote| self.skip(quote));
            let name = self.word(0).filter(|&name| name != "torch");
            if let Some(name) = name {
                self.at += 1;
                if let Some(quote) = quote {
                    self.need(quote, "the quote that closes the name")?;
                }
                let _separator = self.skip('=') || self.skip(':');
                match name {
                    _ if SHAPE.contains(&name) => shape = Some(self.numbers()?),
                    "stride" | "strides" if self.is_name(0, "None") => self.at += 1,
                    "stride" | "strides" => strides = Some(self.numbers()?),
                    "itemsize" => bytes = Some(self.number("the bytes of an element")?),
                    "dtype" | "typestr" => bytes = self.element_bytes()?.or(bytes),
                    // The rest of an array interface.
                    "data" | "descr" | "mask" | "version" if braced => self.skip_value(),
                    _ => {
                        self.at -= 1;
                        return self.expected("shape, strides, itemsize or dtype");
                    }
                }
            } else if shape.is_none() {
                shape = Some(self.numbers()?);
            } else {
                strides = Some(self.numbers()?);
            }
            let more = self.is(0, '(') || self.at == self.tokens.len() || braced && self.is(0, '}');
            if !self.skip(',') && !more {
                return self.expected("`,`");
            }
        }
        let braces_left = usize::from(braced && self.is(0, '}'));
        self.at += braces_left;
        if self.at < self.tokens.len() {
            return self.expected("the end");
        }
        let place = self.since(0);
        let Some(shape) = shape else { return self.expected("a shape") };
        let strided = match strides {
            Some(strides) => {
                let strides = self.in_elements(strides, bytes)?;
                Strided { strides, offset: Some(0) }
            }
            None => match row_major(&shape) {
                Some(strides) => Strided { strides, offset: Some(0) },
                None => {
                    let text = Excerpt::new("the size of this shape");
                    return self.fail(place, NotationError::IntegerTooLarge { text });
                }
            },
        };
        let (dimensions, strides) = (shape.len(), strided.strides.len());
        if dimensions != strides {
            return self.fail(place, NotationError::StridesRank { dimensions, strides });
        }
        self.write(&layout(&shape, &strided.strides, Some(0)), &place);
        Some(())
    }

    /// Goes to the next `,` or the end.
    fn skip_value(&mut self) {
        while self.at < self.tokens.len() && !self.is(0, ',') && !self.is(0, '}') {
            match self.kind(0) {
                Some(TokenKind::Symbol('(' | '[' | '{')) => self.skip_group(),
                _ => self.at += 1,
            }
        }
    }

    /// `(4, 8)`, `[4, 8]` or `torch.Size([4, 8])`
    fn numbers(&mut self) -> Read<Vec<Option<isize>>> {
        let size = self.is_name(0, "torch") && self.is(1, '.') && self.is_name(2, "Size");
        if size {
            self.at += 3;
            self.need('(', "`(`")?;
        }
        let close = match () {
            () if self.is(0, '(') => ')',
            () if self.is(0, '[') => ']',
            () => return self.expected("numbers, such as (4, 8)"),
        };
        let numbers = self.list(close, "`,` or the end of the numbers", |r| r.leaf("a number"))?;
        if size {
            self.need(')', "`)`")?;
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
            return self.fail(self.since(0), NotationError::Negative);
        }
        if let Some(stride) = strides.iter().flatten().copied().find(|stride| stride % bytes != 0) {
            return self.fail(self.since(0), NotationError::ByteStride { stride, bytes });
        }
        Some(strides.into_iter().map(|stride| stride.map(|stride| stride / bytes)).collect())
    }

    /// The bytes of `float32` or `'<f4'`. PyTorch counts strides in elements: `torch.float32` says
    /// nothing about them.
    fn element_bytes(&mut self) -> Read<Option<isize>> {
        if self.is_name(0, "torch") && self.is(1, '.') {
            self.at += 3;
            return Some(None);
        }
        if self.is_name(0, "np") || self.is_name(0, "numpy") {
            self.at += 1;
            self.need('.', "`.`")?;
        }
        let quote = ['"', '\''].into_iter().find(|&quote| self.skip(quote));
        let ordered = self.skip('<') || self.skip('>') || self.skip('|') || self.skip('=');
        let Some(name) = self.word(0) else { return self.expected("a type, such as float32") };
        let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        let bytes = match (name, digits.parse::<isize>()) {
            ("bool" | "bool_", _) => Some(1),
            // `f4` counts bytes, and `float32` bits.
            (_, Ok(bytes)) if ordered || name.len() == digits.len() + 1 => Some(bytes),
            (_, Ok(bits)) if bits % 8 == 0 => Some(bits / 8),
            _ => None,
        };
        if bytes.is_none() {
            return self.expected("a type, such as float32");
        }
        self.at += 1;
        if let Some(quote) = quote {
            self.need(quote, "the quote that closes the type")?;
        }
        Some(bytes)
    }
}
