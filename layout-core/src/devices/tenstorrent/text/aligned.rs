//! The current `#ttcore.metal_layout`: the attribute has the extents of the tensor, and the tensor
//! type those of grid and shard.
//!
//! ```text
//! aligned   := 'tensor' '<' extents (element | tile) ',' '#' dialect '.' 'metal_layout' '<'
//!              'logical_shape' '=' extents ',' 'dim_alignments' '=' extents ','
//!              ('collapsed_intervals' | 'collapse_dims') '=' 'dense' '<' ('[' pairs ']')? '>'
//!              (':' 'tensor' '<' extents '>')? (',' fill)? ',' space
//!              (',' ('sharded' | 'interleaved'))?
//!              (',' 'index_map' '=' (index map | 'map' '(' '0' ')'))? '>' '>'
//! pairs     := ('[' end ',' end ']'),*
//! ```

use alloc::vec::Vec;

use super::map::interval_place;
use super::{Extents, Tensor};
use crate::devices::tenstorrent::{
    AlignedEncoding, Encoding, IndexMap, MemoryLayout, MemorySpace, MetalLayout, TensorType,
};
use crate::devices::{ElementType, Fill};
use crate::error::{LayoutError, NotationError, TenstorrentError};
use crate::excerpt::Excerpt;
use crate::text::parser::{Parse, Parser};
use crate::text::{Span, TokenKind};

/// The contents of the attribute.
struct Attribute<S> {
    shape: Extents<S>,
    alignments: Extents<S>,
    intervals: Vec<((isize, isize), S)>,
    intervals_span: S,
    fill: Option<Fill>,
    space: MemorySpace,
    memory: Option<MemoryLayout>,
    index_map: Option<(IndexMap, S)>,
}

impl<S: Span> Parser<'_, S> {
    /// Parses from `logical_shape` on. `device` is the tensor type: the extents that the device
    /// stores.
    pub(super) fn aligned(&mut self, device: Tensor<S>) -> Parse<TensorType> {
        let Tensor { extents: device, tile, element: stored } = device;
        let start = self.place();
        let written = self.attribute()?;
        let whole = start.to(&self.previous());
        self.end_of_tensor()?;
        let (grid, shard) = device.numbers.split_at(device.numbers.len() / 2);
        if grid.len() != shard.len() {
            let (memref, results) = (shard.len(), grid.len());
            return self.fail(device.span, TenstorrentError::MemrefRank { memref, results });
        }
        if let Some((map, span)) = &written.index_map
            && map.dimensions() != device.numbers.len()
        {
            let (dimensions, rank) = (map.dimensions(), device.numbers.len());
            return self.fail(span.clone(), TenstorrentError::IndexMapRank { dimensions, rank });
        }
        // The element type of the logical tensor is not given. Block floats exist in tiles only.
        let element = if stored.is_block_float() { ElementType::F32 } else { stored };
        let ends: Vec<_> = written.intervals.iter().map(|(ends, _)| *ends).collect();
        let layout = MetalLayout::aligned(
            &written.shape.numbers,
            element,
            &written.alignments.numbers,
            &ends,
            grid,
        );
        let layout = self.placed(layout, |error| match error {
            LayoutError::Tenstorrent(
                TenstorrentError::IntervalRange { .. }
                | TenstorrentError::IntervalOrder { .. }
                | TenstorrentError::IntervalOverlap { .. },
            ) => interval_place(&written.intervals, error, &written.intervals_span),
            LayoutError::Tenstorrent(TenstorrentError::AlignmentRank { .. }) => {
                &written.alignments.span
            }
            LayoutError::Tenstorrent(
                TenstorrentError::GridRank { .. } | TenstorrentError::GridExtent { .. },
            ) => &device.span,
            LayoutError::Tenstorrent(_) => &written.shape.span,
            _ => &whole,
        })?;
        let layout = match &tile {
            Some((tile, span)) => self.placed(layout.tiled(*tile, stored), |_| span)?,
            None => layout,
        };
        let checked = layout.check_exact().and_then(|()| layout.check_memref(shard));
        self.placed(checked, |_| &device.span)?;
        let layout = layout.with_fill(written.fill.unwrap_or(Fill::Undef)).in_space(written.space);
        let aligned = AlignedEncoding {
            alignments: written.alignments.numbers,
            intervals: ends,
            fill: written.fill,
            memory: written.memory,
            index_map: written.index_map.map(|(map, _)| map),
        };
        Ok(TensorType { layout, encoding: Encoding::Aligned(aligned) })
    }

    fn attribute(&mut self) -> Parse<Attribute<S>> {
        self.named_field("logical_shape", "logical_shape = extents")?;
        let shape = self.only_extents()?;
        self.symbol(',', "`,` and dim_alignments")?;
        self.named_field("dim_alignments", "dim_alignments = extents")?;
        let alignments = self.only_extents()?;
        self.symbol(',', "`,` and collapsed_intervals")?;
        // The second name is that of the first versions.
        if !self.skip_name("collapse_dims") {
            self.name("collapsed_intervals", "collapsed_intervals = dense<..>")?;
        }
        self.symbol('=', "`=`")?;
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
        let (mut memory, mut index_map) = (None, None);
        let mut more = self.skip(',');
        if more && !self.at_name("index_map") {
            memory = Some(self.named_memory_layout(|memory| {
                matches!(memory, MemoryLayout::Sharded | MemoryLayout::Interleaved)
            })?);
            more = self.skip(',');
        }
        if more {
            self.named_field("index_map", "index_map = (d0, d1) -> (d0, d1)")?;
            if self.at_name("map") {
                self.only_map_0()?;
            } else {
                let start = self.place();
                index_map = Some((self.index_map()?, start.to(&self.previous())));
            }
        }
        Ok(Attribute {
            shape,
            alignments,
            intervals,
            intervals_span,
            fill,
            space,
            memory,
            index_map,
        })
    }

    /// `name =`
    fn named_field(&mut self, name: &str, expected: &'static str) -> Parse<()> {
        self.name(name, expected)?;
        self.symbol('=', "`=`")
    }

    /// `dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>`. The type is redundant.
    fn dense_intervals(&mut self) -> Parse<Vec<((isize, isize), S)>> {
        self.name("dense", "dense<[[0, 1], [1, 2]]>")?;
        self.symbol('<', "`<`")?;
        let intervals = if self.at_symbol('[') {
            self.list(']', "an interval", |parser| parser.interval('[', ']'))?
        } else {
            Vec::new()
        };
        self.symbol('>', "`>` after the intervals")?;
        if self.skip(':') {
            self.name("tensor", "tensor<2x2xi64>")?;
            self.symbol('<', "`<`")?;
            let Extents { numbers, span, .. } = self.extents()?;
            self.symbol('>', "`>`")?;
            if !matches!(*numbers, [count, 2] if count == intervals.len()) {
                let (expected, found) = ("a pair for each interval", Excerpt::new("tensor"));
                return self.fail(span, NotationError::Expected { expected, found });
            }
        }
        Ok(intervals)
    }

    /// `map(0)`: the tensor is not a view.
    fn only_map_0(&mut self) -> Parse<()> {
        let expected = "map(0)";
        self.name("map", expected)?;
        self.symbol('(', expected)?;
        let place = self.place();
        if self.size("0")? != 0 {
            return self
                .fail(place, NotationError::Expected { expected, found: Excerpt::new("map") });
        }
        self.symbol(')', "`)`")
    }
}
