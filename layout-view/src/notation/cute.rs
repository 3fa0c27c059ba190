//! Layouts as CuTe prints them in C++, in Python and in its IR.

use std::ops::Range;

use super::{Read, Reader};
use layout_core::error::NotationError;
use layout_core::excerpt::Excerpt;
use layout_core::text::{Token, TokenKind};

/// The names that may follow `!cute.` with a quoted layout.
const IR: [&str; 11] = [
    "layout",
    "composed_layout",
    "shape",
    "stride",
    "coord",
    "int_tuple",
    "tile",
    "tiler",
    "swizzle",
    "memref",
    "coord_tensor",
];

impl Reader<'_> {
    /// `None` if it is not a CuTe spelling.
    pub(super) fn cute(&mut self) -> Option<Read> {
        match self.kind(0)? {
            TokenKind::Name(name) if name.starts_with('_') && is_digits(&name[1..]) => {
                let (digits, span) = (name[1..].to_string(), self.span());
                self.at += 1;
                self.push_token(TokenKind::Literal(digits), span);
                Some(Some(()))
            }
            // `_-1`
            TokenKind::Name(name) if name == "_" && self.is_negative_constant() => {
                self.at += 1;
                self.copy(2);
                Some(Some(()))
            }
            TokenKind::Name(name)
                if matches!(&**name, "S" | "Swizzle") && self.is_symbol(1, '<') =>
            {
                let span = self.span();
                self.at += 1;
                self.push_token(TokenKind::Name("Sw".to_string()), span);
                Some(Some(()))
            }
            TokenKind::Name(name) if is_pointer(name) && self.is_symbol(1, '[') => {
                Some(self.pointer())
            }
            TokenKind::Name(name) if name == "ptr" && self.is_symbol(1, '<') => {
                Some(self.typed_pointer('<'))
            }
            TokenKind::Name(name) if name == "raw_ptr" && self.is_symbol(1, '(') => {
                Some(self.typed_pointer('('))
            }
            TokenKind::Name(name) if is_iterator(name) && self.is_symbol(1, '(') => {
                Some(self.iterator())
            }
            TokenKind::Unknown if self.is_symbol(1, '{') => {
                self.copy(1);
                self.skip_group();
                Some(Some(()))
            }
            TokenKind::Symbol('!' | '#') if self.is_name(1, "cute") && self.is_symbol(2, '.') => {
                Some(self.cute_ir())
            }
            _ => None,
        }
    }

    /// Whether `-1` follows without a space.
    fn is_negative_constant(&self) -> bool {
        let end = self.span().end;
        self.is_symbol(1, '-')
            && self.tokens[self.at + 1].span.start == end
            && matches!(self.kind(2), Some(TokenKind::Literal(_)))
    }

    /// `smem_ptr[16b](0x80) o`: the address of the tensor is not part of its layout. A swizzle in
    /// front applies to the bits of the byte address.
    fn pointer(&mut self) -> Read {
        let swizzled = self.word(0).is_some_and(|name| name.starts_with('_'));
        self.at += 2;
        let span = self.span();
        let bits = match self.kind(0) {
            Some(TokenKind::Literal(bits)) => bits.strip_suffix('b').and_then(|n| n.parse().ok()),
            _ => None,
        };
        let Some(bits) = bits else {
            return self.fail_expected("the bits of an element, such as 16b");
        };
        self.at += 1;
        self.expect_symbol(']', "`]`")?;
        if !self.is_symbol(0, '(') {
            return self.fail_expected("an address in parentheses");
        }
        let address = self.tokens.get(self.at + 1).cloned();
        self.skip_group();
        if !self.is_name(0, "o") && !self.is_symbol(0, '\u{2218}') {
            return self.fail_expected("`o` and a layout");
        }
        if swizzled {
            return self.bytes_to_elements(bits, address, span);
        }
        self.at += 1;
        Some(())
    }

    /// Converts the swizzle that was written last from byte addresses to elements.
    fn bytes_to_elements(
        &mut self,
        bits: u32,
        address: Option<Token<Range<usize>>>,
        span: Range<usize>,
    ) -> Read {
        // Sw < B , M , - S >
        let open = self.out.iter().rposition(|t| t.kind == TokenKind::Symbol('<'));
        let name = TokenKind::Name("Sw".to_string());
        let Some(start) = open.filter(|&at| at > 0 && self.out[at - 1].kind == name) else {
            return self.fail_expected("a swizzle in front");
        };
        let numbers = self.out[start..].iter().filter_map(|token| match &token.kind {
            TokenKind::Literal(digits) => digits.parse::<u32>().ok(),
            _ => None,
        });
        let numbers: Vec<u32> = numbers.collect();
        let [width, base, shift] = *numbers else {
            return self.fail_expected("a swizzle in front");
        };
        let element_bits_log2 = bits.trailing_zeros();
        if !bits.is_power_of_two() || base + 3 < element_bits_log2 {
            return self.fail(span, NotationError::PointerBits { bits, base });
        }
        // If no address is printed, assumes one aligned to a whole swizzle block.
        if let Some(Token { kind: TokenKind::Literal(text), span }) = address
            && let Some(number) = text.strip_prefix("0x")
            && let Ok(number) = u64::from_str_radix(number, 16)
        {
            let block = 1u64.checked_shl(width.saturating_add(base).saturating_add(shift));
            if let Some(block) = block.filter(|&block| width > 0 && number % block > 0) {
                let address = Excerpt::new(&text);
                return self.fail(span, NotationError::PointerAddress { address, block });
            }
        }
        // `B, M, S` of the swizzle: the second is its base.
        let mut numbers = self.out[start..]
            .iter_mut()
            .filter(|token| matches!(token.kind, TokenKind::Literal(_)));
        if let Some(token) = numbers.nth(1) {
            token.kind = TokenKind::Literal((base + 3 - element_bits_log2).to_string());
        }
        Some(())
    }

    /// `!cute.layout<"(4,8):(8,1)">`, `!cute.memref<f16, smem, align<16>, "(4,8):(8,1)">`
    fn cute_ir(&mut self) -> Read {
        self.at += 3;
        let Some(name) = self.word(0).filter(|name| IR.contains(name)) else {
            return self.fail_expected("a type of CuTe's IR, such as layout");
        };
        self.at += 1;
        if !self.is_symbol(0, '<') {
            return self.fail_expected("`<`");
        }
        let end = self.end_of_angles(self.at)?;
        self.at += 1;
        let bits = (name == "memref").then(|| self.element_bits()).flatten();
        self.skip_to_swizzle(end, bits, |reader| reader.is_symbol(0, '"'))?;
        if !self.is_symbol(0, '"') {
            return self.fail_expected("a layout in quotes");
        }
        let open = self.span();
        self.at += 1;
        let close = (self.at..end).find(|&i| self.tokens[i].kind == TokenKind::Symbol('"'));
        let Some(close) = close else {
            let open_excerpt = TokenKind::Symbol('"').excerpt();
            return self.fail(open, NotationError::Unclosed { open: open_excerpt });
        };
        self.quoted(close)?;
        self.at = close + 1;
        if self.skip_symbol(',') || self.is_symbol(0, '>') {
            self.at = end;
            return Some(());
        }
        self.fail_expected("`>`")
    }

    /// The bits of the element type at this token: 16 for `f16`.
    fn element_bits(&self) -> Option<u32> {
        let digits = self.word(0)?.trim_start_matches(|c: char| !c.is_ascii_digit());
        digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    }

    /// Skips to the token that `found` accepts, or to the token before `end`. A swizzle of byte
    /// addresses on the way is written as one of elements of `bits` bits, followed by `o`.
    fn skip_to_swizzle(
        &mut self,
        end: usize,
        bits: Option<u32>,
        found: impl Fn(&Self) -> bool,
    ) -> Read {
        while !found(self) && self.at + 1 < end {
            if !matches!(self.word(0), Some("S" | "Sw")) || !self.is_symbol(1, '<') {
                self.at += 1;
                continue;
            }
            let (span, swizzle_end) = (self.span(), self.end_of_angles(self.at + 1)?);
            while self.at < swizzle_end {
                self.next()?;
            }
            let Some(bits) = bits else { return self.fail_expected("the type of the elements") };
            self.bytes_to_elements(bits, None, span.clone())?;
            self.push_token(TokenKind::Name("o".to_string()), span);
        }
        Some(())
    }

    /// `ptr<f16, smem, align<16>, S<3,4,3>> o` or `raw_ptr(0x80: f16, smem) o`, as CuTe prints it
    /// in Python.
    fn typed_pointer(&mut self, open: char) -> Read {
        self.at += 1;
        let start = self.at;
        let end = if open == '<' {
            self.end_of_angles(start)?
        } else {
            self.skip_group();
            std::mem::replace(&mut self.at, start)
        };
        self.at += 1;
        if open == '(' {
            // The address.
            while self.at < end && !self.skip_symbol(':') {
                self.at += 1;
            }
        }
        let bits = self.element_bits();
        self.skip_to_swizzle(end, bits, |_| false)?;
        self.at = end;
        if !self.is_name(0, "o") && !self.is_symbol(0, '\u{2218}') {
            return self.fail_expected("`o` and a layout");
        }
        self.at += 1;
        Some(())
    }

    /// `tensor<ptr<f16, smem> o (4,8):(8,1)>`
    pub(super) fn tensor_of_pointer(&mut self) -> Read {
        self.at += 1;
        let end = self.end_of_angles(self.at)?;
        self.at += 1;
        while self.at + 1 < end {
            self.next()?;
        }
        self.expect_symbol('>', "`>`")
    }

    /// `ArithTuple(8,0) o L`: the layout starts at a coordinate, or at an integer.
    fn iterator(&mut self) -> Read {
        let is_number = !self.is_name(0, "ArithTuple");
        self.at += 1;
        let start = self.out.len();
        let end = {
            let start = self.at;
            self.skip_group();
            std::mem::replace(&mut self.at, start)
        };
        while self.at < end {
            self.next()?;
        }
        let mut offset = self.out.split_off(start);
        if is_number && offset.len() == 3 {
            offset = Vec::from([offset.swap_remove(1)]);
        }
        if !self.is_name(0, "o") && !self.is_symbol(0, '\u{2218}') {
            return self.fail_expected("`o` and a layout");
        }
        self.at += 1;
        let mut depth = 0;
        while let Some(kind) = self.kind(0) {
            match kind {
                TokenKind::Symbol('(' | '[' | '{') => depth += 1,
                TokenKind::Symbol(')' | ']' | '}' | '>' | ',' | '"') if depth == 0 => break,
                TokenKind::Symbol(')' | ']' | '}') => depth -= 1,
                _ => {}
            }
            self.next()?;
        }
        let moves = |token: &Token<_>| matches!(&token.kind, TokenKind::Literal(digits) if digits.bytes().any(|b| b != b'0'));
        if offset.iter().any(moves) {
            // After the layout in our notation; its position is the end of the layout.
            let span = self.tokens[self.at - 1].span.clone();
            self.push_token(TokenKind::Symbol('@'), span.clone());
            self.out.extend(offset.into_iter().map(|t| Token { span: span.clone(), ..t }));
        }
        Some(())
    }

    /// The quoted text, up to a token. A tiler is in brackets there: `[4:1;8:1]`.
    fn quoted(&mut self, close: usize) -> Read {
        let depth_of = |kind: &TokenKind| match kind {
            TokenKind::Symbol('(' | '[' | '<') => 1,
            TokenKind::Symbol(')' | ']' | '>') => -1,
            _ => 0,
        };
        let (mut depth, mut groups) = (0, false);
        for token in &self.tokens[self.at..close] {
            depth += depth_of(&token.kind);
            groups |= depth == 0 && token.kind == TokenKind::Symbol(':');
        }
        if groups {
            self.push_token(TokenKind::Symbol('('), self.span());
        }
        while self.at < close {
            let replaced = match self.kind(0) {
                Some(TokenKind::Symbol('[')) => '<',
                Some(TokenKind::Symbol(']')) => '>',
                Some(TokenKind::Symbol(';')) => ',',
                _ => {
                    self.next()?;
                    continue;
                }
            };
            self.push_token(TokenKind::Symbol(replaced), self.span());
            self.at += 1;
        }
        if groups {
            self.push_token(TokenKind::Symbol(')'), self.span());
        }
        Some(())
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// The pointer types of CuTe, such as `smem_ptr`; spelled `_smem_ptr` after a swizzle.
fn is_pointer(name: &str) -> bool {
    let name = name.strip_prefix('_').unwrap_or(name);
    matches!(name, "ptr" | "subptr" | "smem_ptr" | "gmem_ptr" | "rmem_ptr" | "tmem_ptr")
}

/// Iterators over coordinates and over integers.
fn is_iterator(name: &str) -> bool {
    matches!(name, "ArithTuple" | "counting_iter" | "counting_iterator")
}
