//! The grammar of an affine map with quotients and remainders.
//!
//! ```text
//! map    := '(' names ')' '->' '(' sums ')'
//! sum    := '-'? term (('+' | '-') term)*
//! term   := factor (('*' | 'mod' | 'floordiv' | 'ceildiv') factor)*
//! factor := name | integer | '(' sum ')'
//! ```

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::devices::tenstorrent::IndexMap;
use crate::devices::tenstorrent::index_map::{Factor, Operator, Sum, Term};
use crate::error::TenstorrentError;
use crate::excerpt::Excerpt;
use crate::text::parser::{Parse, Parser, Reported};
use crate::text::{ParseError, Span, TokenKind, read_with};

impl IndexMap {
    /// Reads a map, such as `(d0, d1) -> (d1, d0)`.
    ///
    /// `parse(print(M)) == M`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, each with its byte range.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        read_with(text, |parser| parser.index_map())
    }
}

impl<S: Span> Parser<'_, S> {
    pub(super) fn index_map(&mut self) -> Parse<IndexMap> {
        let names = self.dimension_names()?;
        self.check_names(&names)?;
        self.arrow()?;
        let results = self.list(')', "a result", |parser| parser.index_sum(&names))?;
        if self.failed {
            return Err(Reported);
        }
        Ok(IndexMap { dimensions: names.len(), results })
    }

    fn index_sum(&mut self, names: &[(String, S)]) -> Parse<Sum> {
        let mut negative = self.skip('-');
        let mut terms = Vec::new();
        loop {
            terms.push((negative, self.index_term(names)?));
            negative = self.at_symbol('-');
            if !negative && !self.at_symbol('+') {
                return Ok(Sum(terms));
            }
            self.at += 1;
        }
    }

    fn index_term(&mut self, names: &[(String, S)]) -> Parse<Term> {
        let mut term = Term(self.index_factor(names)?, Vec::new());
        loop {
            let operator = match self.kind() {
                Some(TokenKind::Symbol('*')) => Operator::Times,
                Some(TokenKind::Name(name)) if name == "mod" => Operator::Mod,
                Some(TokenKind::Name(name)) if name == "floordiv" => Operator::FloorDiv,
                Some(TokenKind::Name(name)) if name == "ceildiv" => Operator::CeilDiv,
                _ => return Ok(term),
            };
            self.at += 1;
            let start = self.place();
            let factor = self.index_factor(names)?;
            let error = match (operator, factor.constant()) {
                (Operator::Times, None) if !term.is_constant() => {
                    Some(TenstorrentError::IndexProduct)
                }
                (Operator::Times, _) => None,
                (_, Some(divisor)) if divisor > 0 => None,
                (_, divisor) => Some(TenstorrentError::IndexDivisor { divisor }),
            };
            if let Some(error) = error {
                return self.fail(start.to(&self.previous()), error);
            }
            term.1.push((operator, factor));
        }
    }

    fn index_factor(&mut self, names: &[(String, S)]) -> Parse<Factor> {
        match self.kind() {
            Some(TokenKind::Symbol('(')) => {
                let mut sums = self.list(')', "a sum", |parser| parser.index_sum(names))?;
                match (sums.pop(), sums.is_empty()) {
                    (Some(sum), true) => Ok(Factor::Group(Box::new(sum))),
                    _ => self.expected("one sum in parentheses"),
                }
            }
            Some(TokenKind::Name(name)) => {
                let place = self.place();
                let Some(d) = names.iter().position(|(known, _)| known == name) else {
                    let name = Excerpt::new(name);
                    return self.fail(place, TenstorrentError::MapName { name });
                };
                self.at += 1;
                Ok(Factor::Dimension(d))
            }
            _ => self.size("a dimension, a number or a sum in parentheses").map(Factor::Constant),
        }
    }
}
