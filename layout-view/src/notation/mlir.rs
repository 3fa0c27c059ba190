//! MLIR buffers: `memref`, `strided` and `affine_map`.

use super::{Read, Reader, print_layout, row_major};
use layout_core::error::NotationError;
use layout_core::excerpt::Excerpt;
use layout_core::text::{TokenKind, integer, length_of};

/// The strides of a buffer, and its start offset.
pub(super) struct Strided {
    pub(super) strides: Vec<Option<isize>>,
    pub(super) offset: Option<isize>,
}

impl Reader<'_> {
    /// `None` if there is no MLIR spelling here.
    pub(super) fn mlir(&mut self) -> Option<Read> {
        if !self.is_symbol(1, '<') {
            return None;
        }
        let start = self.at;
        let read = match self.word(0)? {
            "memref" => self.memref(),
            "strided" => self.strided().and_then(|strided| {
                let shape = self.for_shape()?;
                Some((self.extents(start, shape, strided.strides.len())?, strided))
            }),
            "affine_map" => self.affine_map().and_then(|map| {
                let shape = self.for_shape()?;
                let extents = self.extents(start, shape, map.rank())?;
                let strided = self.lay_out_map(start, map, &extents)?;
                Some((strided.0, strided.1))
            }),
            _ => return None,
        };
        Some(read.map(|(extents, strided)| self.write_strided(start, &extents, &strided)))
    }

    fn write_strided(&mut self, start: usize, extents: &[Modes], strided: &Strided) {
        let span = self.range_since(start);
        let flat = extents.iter().all(|modes| modes.0.len() == 1);
        if flat {
            let flat: Vec<_> = extents.iter().map(|modes| modes.0[0]).collect();
            return self.write(&print_layout(&flat, &strided.strides, strided.offset), &span);
        }
        let (mut shape, mut stride) = (String::from("("), String::from("("));
        let mut at = 0;
        for (i, Modes(modes)) in extents.iter().enumerate() {
            let strides = &strided.strides[at..at + modes.len()];
            at += modes.len();
            for (text, numbers) in [(&mut shape, &modes[..]), (&mut stride, strides)] {
                text.push_str(if i > 0 { "," } else { "" });
                let tuple = super::tuple(numbers);
                let single = tuple.trim_start_matches('(').trim_end_matches(')');
                text.push_str(if numbers.len() == 1 { single } else { &tuple });
            }
        }
        let mut text = format!("{shape}):{stride})");
        if let Some(offset) = strided.offset.filter(|&offset| offset != 0) {
            text.push_str(&format!(" @ {offset}"));
        }
        self.write(&text, &span);
    }

    /// One extent per dimension; dynamic without a shape.
    fn extents(
        &mut self,
        start: usize,
        shape: Option<Vec<Option<isize>>>,
        rank: usize,
    ) -> Read<Vec<Modes>> {
        let shape = shape.unwrap_or_else(|| (0..rank).map(|_| None).collect());
        if shape.len() != rank {
            let (dimensions, strides) = (shape.len(), rank);
            let span = self.range_since(start);
            return self.fail(span, NotationError::StridesRank { dimensions, strides });
        }
        Some(shape.into_iter().map(|extent| Modes(Vec::from([extent]))).collect())
    }

    /// `memref<4x?xf32, strided<[8, 1], offset: 4>, 1>`
    fn memref(&mut self) -> Read<(Vec<Modes>, Strided)> {
        let start = self.at;
        let end = self.end_of_angles(self.at + 1)?;
        self.at += 2;
        let extents = self.dimensions()?;
        while self.at + 1 < end && !self.is_symbol(0, ',') {
            self.at += 1;
        }
        let mut strided = None;
        if self.skip_symbol(',') && self.is_symbol(1, '<') {
            strided = match self.word(0) {
                Some("strided") => Some(self.strided()?),
                Some("affine_map") => {
                    let map = self.affine_map()?;
                    let known = self.extents(start, Some(extents.clone()), map.rank())?;
                    let (modes, strided) = self.lay_out_map(start, map, &known)?;
                    self.at = end;
                    return Some((modes, strided));
                }
                _ => None,
            };
        }
        self.at = end;
        let strided = match strided {
            Some(strided) => strided,
            None => match row_major(&extents) {
                Some(strides) => Strided { strides, offset: Some(0) },
                None => {
                    let text = Excerpt::new("the size of this shape");
                    return self
                        .fail(self.range_since(start), NotationError::IntegerTooLarge { text });
                }
            },
        };
        let rank = strided.strides.len();
        Some((self.extents(start, Some(extents), rank)?, strided))
    }

    /// `4x?x`, before the element type.
    fn dimensions(&mut self) -> Read<Vec<Option<isize>>> {
        let (mut extents, mut after_extent) = (Vec::new(), false);
        loop {
            let span = self.span();
            let text = match self.kind(0) {
                Some(TokenKind::Unknown) if !after_extent => {
                    extents.push(None);
                    self.check_count(extents.len())?;
                    self.at += 1;
                    after_extent = true;
                    continue;
                }
                // An element type of another dialect.
                Some(TokenKind::Symbol('!')) if !after_extent => return Some(extents),
                Some(TokenKind::Literal(text) | TokenKind::Name(text)) => text,
                _ if after_extent => return self.fail_expected("`x` after an extent"),
                _ => return self.fail_expected("extents and a type, such as 4x8xf32"),
            };
            // `4x8xf32` is one token, `4 x 8 x f32` five.
            let mut rest = text.as_str();
            while !rest.is_empty() {
                if after_extent {
                    let Some(after) = rest.strip_prefix('x') else {
                        return self.fail_expected("`x` after an extent");
                    };
                    (rest, after_extent) = (after, false);
                    continue;
                }
                let len = length_of(rest, |c| c.is_ascii_digit());
                if len == 0 {
                    self.at += 1;
                    return Some(extents);
                }
                match integer(&rest[..len]) {
                    Ok(extent) => extents.push(Some(extent as isize)),
                    Err(error) => return self.fail(span, error),
                }
                self.check_count(extents.len())?;
                (rest, after_extent) = (&rest[len..], true);
            }
            self.at += 1;
        }
    }

    /// `strided<[8, 1], offset: 4>`
    pub(super) fn strided(&mut self) -> Read<Strided> {
        self.at += 2;
        if !self.is_symbol(0, '[') {
            return self.fail_expected("strides, such as [8, 1]");
        }
        let strides = self.list(']', "`,` or `]`", |reader| reader.leaf("a stride"))?;
        let mut offset = Some(0);
        if self.skip_symbol(',') {
            if !self.is_name(0, "offset") {
                return self.fail_expected("offset: and a number");
            }
            self.at += 1;
            self.expect_symbol(':', "`:`")?;
            offset = self.leaf("an offset")?;
        }
        self.expect_symbol('>', "`>`")?;
        Some(Strided { strides, offset })
    }
}

/// The extents of the modes of a dimension, usually one.
#[derive(Clone)]
pub(super) struct Modes(pub(super) Vec<Option<isize>>);
