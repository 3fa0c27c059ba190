//! The map of a metal layout: sums of dimensions, or intervals of dimensions to join.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::Extents;
use crate::devices::tenstorrent::AffineMap;
use crate::error::{LayoutError, NotationError, TenstorrentError};
use crate::excerpt::Excerpt;
use crate::text::parser::{Parse, Parser};
use crate::text::{Span, TokenKind};

/// The parsed map.
pub(super) enum Map<S> {
    Affine(Vec<(String, S)>, Vec<Vec<Term<S>>>),
    Collapse(Vec<((isize, isize), S)>),
}

/// `d0 * 192`; a number alone has no name.
pub(super) struct Term<S> {
    name: Option<String>,
    coefficient: usize,
    span: S,
}

impl<S: Span> Parser<'_, S> {
    pub(super) fn map(&mut self) -> Parse<Map<S>> {
        // The second name is that of the attribute's builder.
        if self.skip_name("collapse") || self.skip_name("collapseIntervals") {
            self.symbol('=', "`=`")?;
            if !self.at_symbol('[') {
                return self.expected("intervals, such as [(0, -1)]");
            }
            return Ok(Map::Collapse(
                self.list(']', "an interval", |parser| parser.interval('(', ')'))?,
            ));
        }
        if !self.at_symbol('(') {
            return self.expected("a map, such as (d0, d1) -> (d0, d1), or collapse = [(0, -1)]");
        }
        let names = self.dimension_names()?;
        self.arrow()?;
        let sums = self.list(')', "a result", |parser| {
            let mut terms = Vec::from([parser.map_term()?]);
            while parser.skip('+') {
                terms.push(parser.map_term()?);
            }
            match parser.kind() {
                Some(TokenKind::Symbol('-')) => {
                    parser.fail(parser.place(), NotationError::Negative)
                }
                _ => Ok(terms),
            }
        })?;
        Ok(Map::Affine(names, sums))
    }

    /// `(d0, d1)`
    pub(super) fn dimension_names(&mut self) -> Parse<Vec<(String, S)>> {
        if !self.at_symbol('(') {
            return self.expected("a map, such as (d0, d1) -> (d0, d1)");
        }
        self.list(')', "a dimension", |parser| match parser.kind() {
            Some(TokenKind::Name(name)) => {
                let place = parser.place();
                parser.at += 1;
                Ok((name.clone(), place))
            }
            _ => parser.expected("a dimension, such as d0"),
        })
    }

    /// `->`, before parentheses.
    pub(super) fn arrow(&mut self) -> Parse<()> {
        self.symbol('-', "`->`")?;
        self.symbol('>', "`->`")?;
        if !self.at_symbol('(') {
            return self.expected("the results of the map in parentheses");
        }
        Ok(())
    }

    /// Checks that no two dimensions have one name.
    pub(super) fn check_names(&mut self, names: &[(String, S)]) -> Parse<()> {
        let mut known = BTreeSet::new();
        for (name, span) in names {
            if !known.insert(name) {
                let name = Excerpt::new(name);
                return self.fail(span.clone(), TenstorrentError::MapNameTwice { name });
            }
        }
        Ok(())
    }

    /// `d0`, `d0 * 64`, `64 * d0` or `0`
    fn map_term(&mut self) -> Parse<Term<S>> {
        let start = self.place();
        let (first, number) = (self.map_name(), self.map_name_or_number()?);
        let (mut name, mut coefficient) = (first, number.unwrap_or(1));
        if self.skip('*') {
            match (&name, self.map_name()) {
                (Some(_), Some(_)) => return self.expected("a number"),
                (None, None) => return self.expected("a dimension, such as d0"),
                (None, other) => {
                    name = other;
                    self.at += 1;
                }
                (Some(_), None) => coefficient = self.size("a number")?,
            }
        }
        Ok(Term { name, coefficient, span: start.to(&self.previous()) })
    }

    fn map_name(&self) -> Option<String> {
        match self.kind() {
            Some(TokenKind::Name(name)) => Some(name.clone()),
            _ => None,
        }
    }

    /// Parses the rest of a term after a name, or after a number, which it returns.
    fn map_name_or_number(&mut self) -> Parse<Option<usize>> {
        if self.map_name().is_some() {
            self.at += 1;
            return Ok(None);
        }
        self.size("a dimension, such as d0, or 0").map(Some)
    }

    /// `(0, -1)`, or in other brackets.
    pub(super) fn interval(&mut self, open: char, close: char) -> Parse<((isize, isize), S)> {
        let start = self.place();
        let expected = "an interval, such as (0, -1)";
        if !self.at_symbol(open) {
            return self.expected(expected);
        }
        let ends = self.list(close, "an end", |parser| {
            let negative = parser.skip('-');
            // Parsed numbers are at most `isize::MAX`.
            let end = parser.size("a number")? as isize;
            Ok(if negative { -end } else { end })
        })?;
        let span = start.to(&self.previous());
        match *ends {
            [begin, end] => Ok(((begin, end), span)),
            _ => {
                let found = Excerpt::new(if open == '(' { "(" } else { "[" });
                self.fail(span, NotationError::Expected { expected, found })
            }
        }
    }

    pub(super) fn lower_map(
        &mut self,
        map: Map<S>,
        shape: &Extents<S>,
        grid: &Extents<S>,
        whole: &S,
    ) -> Parse<AffineMap> {
        let (names, sums) = match map {
            Map::Affine(names, sums) => (names, sums),
            Map::Collapse(intervals) => {
                let ends: Vec<_> = intervals.iter().map(|(ends, _)| *ends).collect();
                let map = AffineMap::collapsed(&shape.numbers, &ends, grid.numbers.len());
                return self.placed(map, |error| match error {
                    LayoutError::Tenstorrent(TenstorrentError::GridRank { .. }) => &grid.span,
                    _ => interval_place(&intervals, error, whole),
                });
            }
        };
        self.check_names(&names)?;
        let mut rows = Vec::with_capacity(sums.len());
        for terms in sums {
            let mut row = Vec::from_iter(names.iter().map(|_| 0usize));
            for Term { name, coefficient, span } in terms {
                let Some(name) = name else {
                    if coefficient > 0 {
                        let constant = coefficient;
                        return self.fail(span, TenstorrentError::MapConstant { constant });
                    }
                    continue;
                };
                let Some(d) = names.iter().position(|(known, _)| *known == name) else {
                    let name = Excerpt::new(&name);
                    return self.fail(span, TenstorrentError::MapName { name });
                };
                row[d] = row[d].saturating_add(coefficient);
            }
            rows.push(row);
        }
        let rows: Vec<_> = rows.iter().map(Vec::as_slice).collect();
        self.placed(AffineMap::new(names.len(), &rows), |_| whole)
    }
}

/// The place of the interval that an error is about; `whole` for other errors.
pub(super) fn interval_place<'p, S>(
    intervals: &'p [((isize, isize), S)],
    error: &LayoutError,
    whole: &'p S,
) -> &'p S {
    let LayoutError::Tenstorrent(
        TenstorrentError::IntervalRange { interval, .. }
        | TenstorrentError::IntervalOrder { interval, .. }
        | TenstorrentError::IntervalOverlap { second: interval, .. },
    ) = error
    else {
        return whole;
    };
    let found = intervals.iter().rfind(|(ends, _)| ends == interval);
    found.map_or(whole, |(_, span)| span)
}
