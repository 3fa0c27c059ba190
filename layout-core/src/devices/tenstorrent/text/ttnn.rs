//! `#ttnn.ttnn_layout` and `#ttnn.ttnn_nd_layout`.
//!
//! ```text
//! ttnn    := 'tensor' '<' extents element ',' '#' 'ttnn' '.' 'ttnn_layout' '<' map ','
//!            '<' extents (',' index map)? '>' ',' memref (',' memory)? (',' option)* '>' '>'
//! nd      := 'tensor' '<' extents element ',' '#' 'ttnn' '.' 'ttnn_nd_layout' '<' '<' extents '>' ','
//!            memref ',' memory (',' '<' orientation '>')? (',' '<' distribution '>')? '>' '>'
//! memref  := 'memref' '<' extents (element | tile) ',' '#' 'ttnn' '.' 'buffer_type' '<' name '>' '>'
//! memory  := '<' name '>' | name
//! option  := 'core_ranges' '=' ranges | ('exactGrid' | 'ignorePhysicalLayout') '=' truth
//! ranges  := ('#' 'ttnn' '.' 'core_range_set')? '<' ('[' range (',' range)* ']')? '>'
//! range   := ('#' 'ttnn' '.' 'core_range')? '<' '(' x ',' y ')' ',' '(' x ',' y ')' '>'
//! ```

use alloc::vec::Vec;

use super::{Buffer, Extents, Tensor};
use crate::devices::tenstorrent::{
    AffineMap, BufferType, CoreRange, Encoding, IndexMap, MemoryLayout, MetalLayout, NdEncoding,
    ShardDistribution, ShardOrientation, TensorType, Tile, TtnnEncoding,
};
use crate::devices::{ElementType, MAX_DIMENSIONS};
use crate::error::{LayoutError, NotationError, TenstorrentError};
use crate::excerpt::Excerpt;
use crate::text::parser::{Parse, Parser, Reported};
use crate::text::{Span, TokenKind};

/// The memref of a TTNN layout.
struct Memref<S> {
    buffer: Buffer<S>,
    memory: BufferType,
}

impl<S: Span> Parser<'_, S> {
    /// Parses after `#ttnn.ttnn_layout<`.
    pub(super) fn ttnn_layout(&mut self, tensor: Tensor<S>) -> Parse<TensorType> {
        let Tensor { extents: shape, element, .. } = tensor;
        let map_start = self.place();
        let map = self.map()?;
        let map_span = map_start.to(&self.previous());
        self.symbol(',', "`,` and a grid, such as <8x8>")?;
        self.symbol('<', "a grid, such as <8x8>")?;
        let grid = self.only_extents()?;
        let grid_map = self.grid_map(&grid)?;
        self.symbol('>', "`>` after the grid")?;
        self.symbol(',', "`,` and a memref")?;
        let Memref { buffer, memory: buffer_type } = self.ttnn_memref()?;
        let mut ttnn = TtnnEncoding {
            buffer: buffer_type,
            memory: None,
            grid_map,
            core_ranges: None,
            exact_grid: false,
            ignore_physical_layout: false,
        };
        let mut first = true;
        while self.skip(',') {
            self.ttnn_option(&mut ttnn, first)?;
            first = false;
        }
        self.end_of_tensor()?;
        let map = self.lower_map(map, &shape, &grid, &map_span)?;
        let layout = self.mapped(&shape, element, &map, &grid, &map_span)?;
        let layout = self.with_buffer(layout, &buffer)?;
        let layout = self.placed(layout.in_whole_tiles(), |_| &grid.span)?;
        let layout = layout.in_space(ttnn.buffer.space());
        Ok(TensorType { layout, encoding: Encoding::Ttnn(ttnn) })
    }

    /// Parses after `#ttnn.ttnn_nd_layout<`.
    pub(super) fn ttnn_nd_layout(&mut self, tensor: Tensor<S>) -> Parse<TensorType> {
        let Tensor { extents: shape, element, .. } = tensor;
        self.symbol('<', "a grid, such as <8x8>")?;
        let grid = self.only_extents()?;
        self.symbol('>', "`>` after the grid")?;
        self.symbol(',', "`,` and a memref")?;
        let Memref { buffer, memory: buffer_type } = self.ttnn_memref()?;
        self.symbol(',', "`,` and a memory layout, such as <block_sharded>")?;
        let memory = self.memory_layout()?;
        let (mut orientation, mut distribution) = (None, None);
        while self.skip(',') {
            self.symbol('<', "<row_major> or <round_robin_1d>")?;
            let Some(TokenKind::Name(name)) = self.kind() else {
                return self.expected("row_major, col_major, round_robin_1d or grid_2d");
            };
            match (ShardOrientation::of_name(name), ShardDistribution::of_name(name)) {
                (Some(found), _) if orientation.is_none() && distribution.is_none() => {
                    orientation = Some(found);
                }
                (_, Some(found)) if distribution.is_none() => distribution = Some(found),
                _ => return self.expected("row_major, col_major, round_robin_1d or grid_2d"),
            }
            self.at += 1;
            self.symbol('>', "`>`")?;
        }
        self.end_of_tensor()?;
        let layout = self.nd_shards(&shape, element, &buffer)?;
        if let Some(dimension) = grid.numbers.iter().position(|&extent| extent == 0) {
            return self.fail(grid.span, TenstorrentError::GridExtent { dimension });
        }
        if distribution == Some(ShardDistribution::Grid) {
            self.check_shards_on_grid(&layout, &grid)?;
        }
        let nd = NdEncoding {
            grid: grid.numbers,
            buffer: buffer_type,
            memory,
            orientation,
            distribution,
        };
        let layout = layout.in_space(buffer_type.space());
        Ok(TensorType { layout, encoding: Encoding::Nd(nd) })
    }

    /// The layout whose grid has one core per shard. All shards have the extents of the memref.
    fn nd_shards(
        &mut self,
        shape: &Extents<S>,
        element: ElementType,
        buffer: &Buffer<S>,
    ) -> Parse<MetalLayout> {
        let rank = shape.numbers.len();
        let Some((memref, span)) = &buffer.memref else {
            return self.expected("a memref");
        };
        if memref.len() != rank {
            let shard = memref.len();
            return self.fail(span.clone(), TenstorrentError::ShardRank { shard, rank });
        }
        let map = self.placed(AffineMap::collapsed(&shape.numbers, &[], rank), |_| &shape.span)?;
        let one = [1; MAX_DIMENSIONS];
        let ones = one.get(..rank).unwrap_or_default();
        let layout = MetalLayout::new(&shape.numbers, element, &map, ones);
        let layout = self.placed(layout, |_| &shape.span)?;
        let tile = buffer.tile.as_ref().map(|(tile, _)| *tile);
        let mut shard = Vec::with_capacity(rank);
        for (i, extent) in memref.iter().enumerate() {
            let overflow = LayoutError::IntegerOverflow { operation: "shard" };
            let extent = extent.checked_mul(Tile::extent(&tile, rank - i)).ok_or(overflow);
            shard.push(self.placed(extent, |_| span)?);
        }
        let layout = self.placed(layout.in_shards(&shard), |_| span)?;
        let stored = buffer.stored.as_ref().map_or(element, |(stored, _)| *stored);
        self.placed(
            match tile {
                Some(tile) => layout.tiled(tile, stored),
                None => layout.untiled(stored),
            },
            |_| span,
        )
    }

    /// Checks that the grid has at least as many rows and columns as there are shards.
    fn check_shards_on_grid(&mut self, layout: &MetalLayout, grid: &Extents<S>) -> Parse<()> {
        let [rows, columns] = grid.numbers.as_slice() else {
            let (results, rank) = (2, grid.numbers.len());
            return self
                .fail(grid.span.clone(), TenstorrentError::GridRank { results, grid: rank });
        };
        let shards = layout.grid();
        let across = shards.last().copied().unwrap_or(1);
        let down = layout.cores() / across;
        for (dimension, shards, cores) in [(0, down, *rows), (1, across, *columns)] {
            if shards > cores {
                let error = TenstorrentError::ShardsOnGrid { dimension, shards, cores };
                return self.fail(grid.span.clone(), error);
            }
        }
        Ok(())
    }

    /// The map after the extents of a grid: to cores of a device.
    fn grid_map(&mut self, grid: &Extents<S>) -> Parse<Option<IndexMap>> {
        if !self.skip(',') {
            return Ok(None);
        }
        let named = self.skip_name("virt_to_physical_map");
        if named {
            self.symbol('=', "`=`")?;
        }
        let start = self.place();
        let map = self.index_map()?;
        let (dimensions, rank) = (map.dimensions(), grid.numbers.len());
        if dimensions != rank {
            let place = start.to(&self.previous());
            return self.fail(place, TenstorrentError::IndexMapRank { dimensions, rank });
        }
        if named && self.skip(',') {
            // The inverse map is redundant.
            self.name("physical_to_virt_map", "physical_to_virt_map")?;
            self.symbol('=', "`=`")?;
            self.index_map()?;
        }
        Ok(Some(map))
    }

    fn ttnn_memref(&mut self) -> Parse<Memref<S>> {
        self.name("memref", "a memref")?;
        self.symbol('<', "`<`")?;
        let mut buffer = Buffer::default();
        self.memref(&mut buffer)?;
        self.symbol(',', "`,` and a memory, such as #ttnn.buffer_type<l1>")?;
        let expected = "a memory, such as #ttnn.buffer_type<l1>";
        self.ttnn('#', "buffer_type", expected)?;
        let memory = self.named(
            BufferType::of_name,
            "dram, l1, system_memory, l1_small or trace",
            |name| TenstorrentError::BufferTypeName { name },
        )?;
        self.symbol('>', "`>` after the memory")?;
        self.symbol('>', "`>` after the memref")?;
        Ok(Memref { buffer, memory })
    }

    /// `#ttnn.name<`
    fn ttnn(&mut self, mark: char, name: &str, expected: &'static str) -> Parse<()> {
        self.symbol(mark, expected)?;
        self.name("ttnn", "ttnn")?;
        self.symbol('.', "`.`")?;
        self.name(name, expected)?;
        self.symbol('<', "`<`")
    }

    /// An option after the memref.
    fn ttnn_option(&mut self, ttnn: &mut TtnnEncoding, first: bool) -> Parse<()> {
        let option = "core_ranges = <[..]>, exactGrid = true, ignorePhysicalLayout = true, or `>`";
        match self.kind() {
            Some(TokenKind::Name(name)) if name == "core_ranges" && ttnn.core_ranges.is_none() => {
                self.at += 1;
                self.symbol('=', "`=`")?;
                ttnn.core_ranges = Some(self.core_ranges()?);
            }
            Some(TokenKind::Name(name)) if name == "exactGrid" => {
                self.at += 1;
                ttnn.exact_grid = self.assigned_truth()?;
            }
            Some(TokenKind::Name(name)) if name == "ignorePhysicalLayout" => {
                self.at += 1;
                ttnn.ignore_physical_layout = self.assigned_truth()?;
            }
            Some(TokenKind::Name(_) | TokenKind::Symbol('<')) if first => {
                ttnn.memory = Some(self.memory_layout()?);
            }
            _ => return self.expected(option),
        }
        Ok(())
    }

    /// `= true`
    fn assigned_truth(&mut self) -> Parse<bool> {
        self.symbol('=', "`=`")?;
        let truth = self.skip_name("true");
        if !truth {
            self.name("false", "true or false")?;
        }
        Ok(truth)
    }

    /// `<interleaved>`, or without brackets.
    fn memory_layout(&mut self) -> Parse<MemoryLayout> {
        let bracket = self.skip('<');
        let memory = self.named_memory_layout(|memory| memory != MemoryLayout::Sharded)?;
        if bracket {
            self.symbol('>', "`>` after the memory layout")?;
        }
        Ok(memory)
    }

    /// The name of a memory layout that is allowed here.
    pub(super) fn named_memory_layout(
        &mut self,
        may_be: fn(MemoryLayout) -> bool,
    ) -> Parse<MemoryLayout> {
        let Some(TokenKind::Name(name)) = self.kind() else {
            return self.expected("a memory layout, such as interleaved");
        };
        let Some(memory) = MemoryLayout::of_name(name).filter(|memory| may_be(*memory)) else {
            let name = Excerpt::new(name);
            return self.fail(self.place(), TenstorrentError::MemoryLayoutName { name });
        };
        self.at += 1;
        Ok(memory)
    }

    fn core_ranges(&mut self) -> Parse<Vec<CoreRange>> {
        let expected = "core ranges, such as <[#ttnn.core_range<(0, 0), (7, 7)>]>";
        if self.at_symbol('#') {
            self.ttnn('#', "core_range_set", expected)?;
        } else {
            self.symbol('<', expected)?;
        }
        let mut ranges = Vec::new();
        if self.at_symbol('[') {
            ranges = self.list(']', "a core range", Self::core_range)?;
        }
        self.symbol('>', "`>` after the core ranges")?;
        if let Some((_, span)) = ranges.get(MAX_RANGES) {
            let (expected, found) = ("fewer core ranges", Excerpt::new("#ttnn.core_range"));
            return self.fail(span.clone(), NotationError::Expected { expected, found });
        }
        let corners = |range: &CoreRange| [range.start, range.end];
        for (i, (range, span)) in ranges.iter().enumerate() {
            let before = ranges.iter().take(i).find(|(other, _)| range.intersects(other));
            if let Some((other, _)) = before {
                let (first, second) = (corners(other), corners(range));
                let error = TenstorrentError::CoreRangesOverlap { first, second };
                return self.fail(span.clone(), error);
            }
        }
        Ok(ranges.into_iter().map(|(range, _)| range).collect())
    }

    /// `#ttnn.core_range<(0, 0), (7, 7)>`, or without its name.
    fn core_range(&mut self) -> Parse<(CoreRange, S)> {
        let start = self.place();
        if self.at_symbol('#') {
            self.ttnn('#', "core_range", "a core range")?;
        } else {
            self.symbol('<', "a core range, such as #ttnn.core_range<(0, 0), (7, 7)>")?;
        }
        let first = self.core_coordinate()?;
        self.symbol(',', "`,` and the last core")?;
        let last = self.core_coordinate()?;
        self.symbol('>', "`>` after the core range")?;
        let span = start.to(&self.previous());
        let range = self.placed(CoreRange::new(first, last), |_| &span)?;
        Ok((range, span))
    }

    /// `(7, 0)`: a column and a row.
    fn core_coordinate(&mut self) -> Parse<(usize, usize)> {
        let expected = "a core, such as (7, 0)";
        self.symbol('(', expected)?;
        let x = self.size("a number")?;
        self.symbol(',', "`,` and a number")?;
        let y = self.size("a number")?;
        self.symbol(')', "`)`")?;
        Ok((x, y))
    }

    /// `>>`
    pub(super) fn end_of_tensor(&mut self) -> Parse<()> {
        self.symbol('>', "`>` after the layout")?;
        self.symbol('>', "`>` after the tensor")?;
        // Lists resume after an error, so there may have been one.
        if self.failed { Err(Reported) } else { Ok(()) }
    }
}

/// The maximum number of core ranges of a tensor: more than a device has cores.
const MAX_RANGES: usize = 1024;
