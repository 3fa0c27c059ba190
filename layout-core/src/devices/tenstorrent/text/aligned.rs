//! Today's `#ttcore.metal_layout`, which has the extents of the tensor, and the tensor type those of
//! grid and shard.
//!
//! ```text
//! aligned   := 'tensor' '<' extents (element | tile) ',' '#' dialect '.' 'metal_layout' '<'
//!              'logical_shape' '=' extents ',' 'dim_alignments' '=' extents ','
//!              'collapsed_intervals' '=' 'dense' '<' ('[' pairs ']')? '>' (':' 'tensor' '<' extents '>')?
//!              (',' fill)? ',' space (',' 'sharded')? (',' 'index_map' '=' 'map' '(' '0' ')')? '>' '>'
//! pairs     := ('[' end ',' end ']'),*
//! ```

use alloc::vec::Vec;

use super::map::interval_place;
use super::{Extents, Tensor};
use crate::devices::tenstorrent::{MemorySpace, MetalLayout};
use crate::devices::{ElementType, Fill};
use crate::error::{LayoutError, NotationError, TenstorrentError};
use crate::text::parser::{Parse, Parser};
use crate::text::{Span, TokenKind};
use crate::word::Word;

/// What stands in the attribute.
struct Attribute<S> {
    shape: Extents<S>,
    alignments: Extents<S>,
    intervals: Vec<((isize, isize), S)>,
    intervals_span: S,
    fill: Fill,
    space: MemorySpace,
}

impl<S: Span> Parser<'_, S> {
    /// From the name `logical_shape` on; the type has what the device stores.
    pub(super) fn aligned(&mut self, device: Tensor<S>) -> Parse<MetalLayout> {
        let Tensor { extents: device, tile, element: stored } = device;
        let start = self.place();
        let attribute = self.attribute()?;
        let whole = start.to(&self.previous());
        self.symbol('>', "`>` behind the layout")?;
        self.symbol('>', "`>` behind the tensor")?;
        let (grid, shard) = device.numbers.split_at(device.numbers.len() / 2);
        if grid.len() != shard.len() {
            let (memref, results) = (shard.len(), grid.len());
            return self.fail(device.span, TenstorrentError::MemrefRank { memref, results });
        }
        let Attribute { shape, alignments, intervals, intervals_span, fill, space } = attribute;
        // The tensor's own elements are not said; block floats exist in tiles only.
        let element = if stored.is_block_float() { ElementType::F32 } else { stored };
        let ends: Vec<_> = intervals.iter().map(|(ends, _)| *ends).collect();
        let layout =
            MetalLayout::aligned(&shape.numbers, element, &alignments.numbers, &ends, grid);
        let layout = self.placed(layout, |error| match error {
            LayoutError::Tenstorrent(
                TenstorrentError::IntervalRange { .. }
                | TenstorrentError::IntervalOrder { .. }
                | TenstorrentError::IntervalOverlap { .. },
            ) => interval_place(&intervals, error, &intervals_span),
            LayoutError::Tenstorrent(TenstorrentError::AlignmentRank { .. }) => &alignments.span,
            LayoutError::Tenstorrent(
                TenstorrentError::GridRank { .. } | TenstorrentError::GridExtent { .. },
            ) => &device.span,
            LayoutError::Tenstorrent(_) => &shape.span,
            _ => &whole,
        })?;
        let layout = match &tile {
            Some((tile, span)) => self.placed(layout.tiled(*tile, stored), |_| span)?,
            None => layout,
        };
        let checked = layout.check_exact().and_then(|()| layout.check_memref(shard));
        self.placed(checked, |_| &device.span)?;
        Ok(layout.with_fill(fill).in_space(space))
    }

    fn attribute(&mut self) -> Parse<Attribute<S>> {
        self.named_field("logical_shape", "logical_shape = extents")?;
        let shape = self.only_extents()?;
        self.symbol(',', "`,` and dim_alignments")?;
        self.named_field("dim_alignments", "dim_alignments = extents")?;
        let alignments = self.only_extents()?;
        self.symbol(',', "`,` and collapsed_intervals")?;
        self.named_field("collapsed_intervals", "collapsed_intervals = dense<..>")?;
        let start = self.place();
        let intervals = self.dense_intervals()?;
        let intervals_span = start.to(&self.previous());
        self.symbol(',', "`,` and a memory, such as l1")?;
        let fill = match self.kind() {
            Some(TokenKind::Name(name)) => Fill::of_name(name),
            _ => None,
        };
        if fill.is_some() {
            self.at += 1;
            self.symbol(',', "`,` and a memory, such as l1")?;
        }
        let space = self.named(MemorySpace::of_name, "system, mmio, dram or l1", |name| {
            TenstorrentError::SpaceName { name }
        })?;
        while self.skip(',') {
            if self.skip_name("index_map") {
                self.symbol('=', "`=`")?;
                self.only_map_0()?;
            } else {
                self.name("sharded", "sharded, or index_map = map(0)")?;
            }
        }
        let fill = fill.unwrap_or(Fill::Undef);
        Ok(Attribute { shape, alignments, intervals, intervals_span, fill, space })
    }

    /// `name =`
    fn named_field(&mut self, name: &str, expected: &'static str) -> Parse<()> {
        self.name(name, expected)?;
        self.symbol('=', "`=`")
    }

    /// `dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>`, where the type says nothing new.
    fn dense_intervals(&mut self) -> Parse<Vec<((isize, isize), S)>> {
        self.name("dense", "dense<[[0, 1], [1, 2]]>")?;
        self.symbol('<', "`<`")?;
        let intervals = if self.at_symbol('[') {
            self.list(']', "an interval", |parser| parser.interval('[', ']'))?
        } else {
            Vec::new()
        };
        self.symbol('>', "`>` behind the intervals")?;
        if self.skip(':') {
            self.name("tensor", "tensor<2x2xi64>")?;
            self.symbol('<', "`<`")?;
            let Extents { numbers, span, .. } = self.extents()?;
            self.symbol('>', "`>`")?;
            if !matches!(*numbers, [count, 2] if count == intervals.len()) {
                let (expected, found) = ("a pair for each interval", Word::new("tensor"));
                return self.fail(span, NotationError::Expected { expected, found });
            }
        }
        Ok(intervals)
    }

    /// `map(0)`, which changes nothing: others are views of a layout.
    fn only_map_0(&mut self) -> Parse<()> {
        let expected = "map(0)";
        self.name("map", expected)?;
        self.symbol('(', expected)?;
        let place = self.place();
        if self.size("0")? != 0 {
            return self.fail(place, NotationError::Expected { expected, found: Word::new("map") });
        }
        self.symbol(')', "`)`")
    }
}
