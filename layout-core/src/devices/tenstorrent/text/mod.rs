//! The grammar of tensor types in Tenstorrent's dialect of MLIR, with our extensions.
//!
//! ```text
//! tensor   := 'tensor' '<' extents element ',' '#' dialect '.' ('metal_layout' | 'layout')
//!             '<' map ',' room? fill ',' grid (',' memref | (',' tile)? (',' space)?) (',' memory)?
//!             '>' '>' | aligned | ttnn | nd
//! map      := '(' names ')' '->' '(' sums ')' | 'collapse' '=' '[' ('(' end ',' end ')'),* ']'
//! room     := 'physical' '=' extents ','
//! grid     := '<' extents '>' | 'shard' '=' extents
//! sums     := (term ('+' term)*),*          term := name ('*' integer)? | integer ('*' name)?
//! memref   := 'memref' '<' extents (element | tile) (',' space)? '>'
//! tile     := '!' dialect '.' 'tile' '<' extents ',' element (',' 'face' '=' extents)? '>'
//! space    := '#' dialect '.' 'memory_space' '<' name '>'
//! dialect  := 'tt' | 'ttcore'               extents := integer ('x' integer)*
//! memory   := the name of a memory layout, which older versions wrote here
//! ```
//!
//! In Rust tokens a shape such as `2x3x64x128xf32` is one token: an integer with a suffix. With
//! spaces it is several tokens, which are joined.

use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

mod aligned;
mod index_map;
mod map;
mod ttnn;

use crate::devices::tenstorrent::{
    AffineMap, Encoding, MemoryLayout, MemorySpace, MetalLayout, TensorType, Tile,
};
use crate::devices::{ElementType, Fill};
use crate::error::{LayoutError, NotationError, TenstorrentError};
use crate::excerpt::Excerpt;
use crate::text::parser::{Parse, Parser};
use crate::text::token::{integer, split_digits};
use crate::text::{Node, ParseError, Span, TokenKind, Value, read_as, wrong_kind};

impl MetalLayout {
    /// Reads the tensor type of a metal layout, as pasted from MLIR; see
    /// [`tenstorrent`](crate::devices::tenstorrent#notation).
    ///
    /// `parse(print(L)) == L`.
    ///
    /// ```
    /// use static_layout::devices::tenstorrent::MetalLayout;
    /// let l = MetalLayout::parse("tensor<8x300xf32, #tt.metal_layout<collapse = [], undef, <1x2>>>")?;
    /// assert_eq!(
    ///     l.to_string(),
    ///     "tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>, \
    ///      memref<8x150xf32, #tt.memory_space<l1>>>>"
    /// );
    /// # Ok::<(), static_layout::text::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, each with its byte range.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        read_as(text, |value| match value {
            Value::Tenstorrent(tensor) => Ok(*tensor.layout()),
            other => Err(wrong_kind("a metal layout", other.describe())),
        })
    }
}

impl TensorType {
    /// Reads the type of a tensor in any of its forms; see
    /// [`tenstorrent`](crate::devices::tenstorrent#notation).
    ///
    /// `parse(print(T)) == T`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, each with its byte range.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        read_as(text, |value| match value {
            Value::Tenstorrent(tensor) => Ok((**tensor).clone()),
            other => Err(wrong_kind("a metal layout", other.describe())),
        })
    }
}

/// Extents with `x` between them, and the rest after the last `x`.
struct Extents<S> {
    numbers: Vec<usize>,
    /// The name after the last `x`; `None` if the extents end in a number.
    name: Option<String>,
    span: S,
}

/// The extents and the elements of a tensor, or its tiles.
struct Tensor<S> {
    extents: Extents<S>,
    tile: Option<(Tile, S)>,
    element: ElementType,
}

/// The contents of the third angle bracket, after the grid.
struct Buffer<S> {
    memref: Option<(Vec<usize>, S)>,
    tile: Option<(Tile, S)>,
    stored: Option<(ElementType, S)>,
    space: MemorySpace,
}

impl<S> Default for Buffer<S> {
    fn default() -> Self {
        Self { memref: None, tile: None, stored: None, space: MemorySpace::L1 }
    }
}

impl<S: Span> Parser<'_, S> {
    /// Whether a tensor type begins here.
    pub(crate) fn at_tenstorrent(&self) -> bool {
        let next = self.tokens.get(self.at + 1).map(|token| &token.kind);
        self.at_name("tensor") && next == Some(&TokenKind::Symbol('<'))
    }

    pub(crate) fn tenstorrent(&mut self) -> Parse<Node<S>> {
        self.at += 2;
        let tensor = self.tensor()?;
        self.symbol(',', "`,` and #tt.metal_layout<..>")?;
        self.symbol('#', "#tt.metal_layout<..>")?;
        let tensor = if self.skip_name("ttnn") {
            self.symbol('.', "`.`")?;
            let nd = self.skip_name("ttnn_nd_layout");
            if !nd {
                self.name("ttnn_layout", "ttnn_layout or ttnn_nd_layout")?;
            }
            self.symbol('<', "`<`")?;
            if tensor.tile.is_some() {
                return self.fail(tensor.extents.span, TenstorrentError::TiledTensor);
            }
            if nd { self.ttnn_nd_layout(tensor)? } else { self.ttnn_layout(tensor)? }
        } else {
            let older = self.skip_name("tt");
            if !older {
                self.name("ttcore", "tt, ttcore or ttnn")?;
            }
            self.symbol('.', "`.`")?;
            if !(older && self.skip_name("layout")) {
                self.name("metal_layout", "#tt.metal_layout<..>")?;
            }
            self.symbol('<', "`<`")?;
            if self.at_name("logical_shape") {
                self.aligned(tensor)?
            } else if tensor.tile.is_some() {
                // Elsewhere the tensor type has the older form.
                return self.expected("logical_shape = extents");
            } else {
                self.metal_layout(tensor)?
            }
        };
        Ok(Node::Tenstorrent(Box::new(tensor)))
    }

    /// Parses a metal layout from its map on.
    fn metal_layout(&mut self, tensor: Tensor<S>) -> Parse<TensorType> {
        let Tensor { extents: shape, element, .. } = tensor;
        let map_start = self.place();
        let map = self.map()?;
        let map_span = map_start.to(&self.previous());
        self.symbol(',', "`,` and a value for what is out of bounds")?;
        let room = self.assigned("physical")?;
        if room.is_some() {
            self.symbol(',', "`,` and a value for what is out of bounds")?;
        }
        let fill = self.named(Fill::of_name, "undef, zero, one, inf or neginf", |name| {
            TenstorrentError::FillName { name }
        })?;
        self.symbol(',', "`,` and a grid, such as <2x4>")?;
        let shard = self.assigned("shard")?;
        let grid = match &shard {
            // One core, until the extents to cut are known.
            Some(Extents { numbers, span, .. }) => {
                let numbers = numbers.iter().map(|_| 1).collect();
                Extents { numbers, name: None, span: span.clone() }
            }
            None => self.grid()?,
        };
        let (buffer, memory) = self.buffer()?;
        self.end_of_tensor()?;
        let map = self.lower_map(map, &shape, &grid, &map_span)?;
        let layout = self.mapped(&shape, element, &map, &grid, &map_span)?;
        let layout = match &room {
            Some(room) => self.placed(layout.with_physical(&room.numbers), |_| &room.span)?,
            None => layout,
        };
        let layout = match &shard {
            Some(shard) => self.placed(layout.in_shards(&shard.numbers), |_| &shard.span)?,
            None => layout,
        };
        let layout = self.with_buffer(layout, &buffer)?;
        let layout = layout.with_fill(fill).in_space(buffer.space);
        Ok(TensorType { layout, encoding: Encoding::Metal { memory } })
    }

    /// The layout of a map on a grid.
    fn mapped(
        &mut self,
        shape: &Extents<S>,
        element: ElementType,
        map: &AffineMap,
        grid: &Extents<S>,
        map_span: &S,
    ) -> Parse<MetalLayout> {
        let layout = MetalLayout::new(&shape.numbers, element, map, &grid.numbers);
        self.placed(layout, |error| match error {
            LayoutError::Tenstorrent(
                TenstorrentError::MapRank { .. } | TenstorrentError::Alias { .. },
            ) => map_span,
            LayoutError::Tenstorrent(
                TenstorrentError::GridRank { .. } | TenstorrentError::GridExtent { .. },
            ) => &grid.span,
            _ => &shape.span,
        })
    }

    /// The extents and the element type of the tensor. In the current form the elements may be
    /// tiles.
    fn tensor(&mut self) -> Parse<Tensor<S>> {
        let extents = self.extents()?;
        if self.at_symbol('!') && extents.name.as_deref() == Some("") {
            let (tile, (element, _)) = self.tile()?;
            return Ok(Tensor { extents, tile: Some(tile), element });
        }
        let element = self.element_of(&extents)?;
        Ok(Tensor { extents, tile: None, element })
    }

    /// `<2x4>`
    fn grid(&mut self) -> Parse<Extents<S>> {
        self.symbol('<', "a grid, such as <2x4>")?;
        let grid = self.only_extents()?;
        self.symbol('>', "`>` after the grid")?;
        Ok(grid)
    }

    /// `name = 64x64`, if present.
    fn assigned(&mut self, name: &str) -> Parse<Option<Extents<S>>> {
        if !self.skip_name(name) {
            return Ok(None);
        }
        self.symbol('=', "`=`")?;
        self.only_extents().map(Some)
    }

    /// The value, or its error at a place that depends on the error.
    fn placed<'p, T>(
        &mut self,
        value: Result<T, LayoutError>,
        place: impl FnOnce(&LayoutError) -> &'p S,
    ) -> Parse<T>
    where
        S: 'p,
    {
        value.or_else(|error| {
            let span = place(&error).clone();
            self.fail(span, error)
        })
    }

    fn with_buffer(&mut self, layout: MetalLayout, buffer: &Buffer<S>) -> Parse<MetalLayout> {
        let stored = buffer.stored.as_ref().map_or(layout.element(), |(stored, _)| *stored);
        let layout = match (&buffer.tile, &buffer.stored) {
            (Some((tile, span)), _) => self.placed(layout.tiled(*tile, stored), |_| span)?,
            (None, Some((_, span))) => self.placed(layout.untiled(stored), |_| span)?,
            (None, None) => layout,
        };
        if let Some((extents, span)) = &buffer.memref {
            self.placed(layout.check_memref(extents), |_| span)?;
        }
        Ok(layout)
    }

    /// `#tt.name<` or `!tt.name<`
    fn dialect(&mut self, mark: char, name: &str, expected: &'static str) -> Parse<()> {
        self.symbol(mark, expected)?;
        if !self.skip_name("tt") {
            self.name("ttcore", "tt or ttcore")?;
        }
        self.symbol('.', "`.`")?;
        self.name(name, expected)?;
        self.symbol('<', "`<`")
    }

    /// A name from a list, with its meaning.
    fn named<T>(
        &mut self,
        meaning: fn(&str) -> Option<T>,
        expected: &'static str,
        error: fn(Excerpt) -> TenstorrentError,
    ) -> Parse<T> {
        let Some(TokenKind::Name(name)) = self.kind() else { return self.expected(expected) };
        match meaning(name) {
            Some(value) => {
                self.at += 1;
                Ok(value)
            }
            None => self.fail(self.place(), error(Excerpt::new(name))),
        }
    }

    fn element(&mut self) -> Parse<ElementType> {
        let expected = "an element, such as f32 or bfp_bf8";
        self.named(ElementType::of_name, expected, |name| TenstorrentError::ElementName { name })
    }

    /// The element type at the end of extents.
    fn element_of(&mut self, extents: &Extents<S>) -> Parse<ElementType> {
        let Some(name) = &extents.name else {
            return self.expected("`x` and an element, such as xf32");
        };
        let unknown = TenstorrentError::ElementName { name: Excerpt::new(name) };
        self.placed(ElementType::of_name(name).ok_or(unknown.widen()), |_| &extents.span)
    }

    /// `2x4`
    fn only_extents(&mut self) -> Parse<Extents<S>> {
        let extents = self.extents()?;
        match &extents.name {
            None if extents.numbers.is_empty() => self.expected("extents, such as 2x4"),
            None => Ok(extents),
            Some(name) => {
                let (expected, found) = ("an extent", Excerpt::new(name));
                self.fail(extents.span, NotationError::Expected { expected, found })
            }
        }
    }

    /// `2x4`, `2x3xf32`, `1x1x`, in one token or several.
    fn extents(&mut self) -> Parse<Extents<S>> {
        let start = self.place();
        let mut text = String::new();
        while let Some(TokenKind::Literal(part) | TokenKind::Name(part)) = self.kind() {
            text.push_str(part);
            text.push(' ');
            self.at += 1;
        }
        if self.at_symbol('-') {
            return self.fail(self.place(), NotationError::Negative);
        }
        if text.is_empty() {
            return self.expected("extents, such as 2x4");
        }
        let span = start.to(&self.previous());
        let (mut numbers, mut rest) = (Vec::new(), text.trim());
        loop {
            let (digits, behind) = split_digits(rest);
            if digits.is_empty() {
                let name = Some(rest.to_string());
                return Ok(Extents { numbers, name, span });
            }
            let number = integer(digits).map_err(LayoutError::from);
            numbers.push(self.placed(number, |_| &span)?);
            let behind = behind.trim_start();
            if behind.is_empty() {
                return Ok(Extents { numbers, name: None, span });
            }
            let Some(next) = behind.strip_prefix('x') else {
                let (expected, found) = ("`x` between extents", Excerpt::new(behind));
                return self.fail(span, NotationError::Expected { expected, found });
            };
            rest = next.trim_start();
        }
    }

    /// Parses the rest after the grid.
    fn buffer(&mut self) -> Parse<(Buffer<S>, Option<MemoryLayout>)> {
        let mut buffer = Buffer::default();
        if !self.skip(',') {
            return Ok((buffer, None));
        }
        if self.skip_name("memref") {
            self.symbol('<', "`<`")?;
            self.memref(&mut buffer)?;
            if self.skip(',') {
                buffer.space = self.space()?;
            }
            self.symbol('>', "`>` after the memref")?;
        } else {
            let tiled = self.at_symbol('!');
            if tiled {
                self.tiles(&mut buffer)?;
            }
            if !tiled || self.skip(',') {
                if !self.at_symbol('#') {
                    return self
                        .expected("a memref, a tile or a memory, such as #tt.memory_space<l1>");
                }
                buffer.space = self.space()?;
            }
        }
        if !self.skip(',') {
            return Ok((buffer, None));
        }
        let memory = self.named_memory_layout(|memory| memory != MemoryLayout::Sharded)?;
        Ok((buffer, Some(memory)))
    }

    /// The extents and the element type of a memref.
    fn memref(&mut self, buffer: &mut Buffer<S>) -> Parse<()> {
        // A grid without dimensions has no extents.
        if self.at_symbol('!') {
            buffer.memref = Some((Vec::new(), self.place()));
            return self.tiles(buffer);
        }
        let extents = self.extents()?;
        if self.at_symbol('!') && extents.name.as_deref() == Some("") {
            self.tiles(buffer)?;
        } else {
            let stored = self.element_of(&extents)?;
            buffer.stored = Some((stored, extents.span.clone()));
        }
        buffer.memref = Some((extents.numbers, extents.span));
        Ok(())
    }

    /// Sets the tiles of the buffer.
    fn tiles(&mut self, buffer: &mut Buffer<S>) -> Parse<()> {
        let (tile, stored) = self.tile()?;
        (buffer.tile, buffer.stored) = (Some(tile), Some(stored));
        Ok(())
    }

    /// `!tt.tile<32x32, bf16, face = 16x16>`
    fn tile(&mut self) -> Parse<((Tile, S), (ElementType, S))> {
        let start = self.place();
        self.dialect('!', "tile", "a tile, such as !tt.tile<32x32, bf16>")?;
        let mut tile = self.height_and_width(Tile::new)?;
        self.symbol(',', "`,` and an element, such as bf16")?;
        let (place, stored) = (self.place(), self.element()?);
        if self.skip(',') {
            self.name("face", "face = 16x16, or `>`")?;
            self.symbol('=', "`=`")?;
            tile = self.height_and_width(|height, width| tile.with_faces(height, width))?;
        }
        self.symbol('>', "`>` after the tile")?;
        Ok(((tile, start.to(&self.previous())), (stored, place)))
    }

    /// Height and width of a tile, `32x32`.
    fn height_and_width(
        &mut self,
        make: impl FnOnce(usize, usize) -> Result<Tile, LayoutError>,
    ) -> Parse<Tile> {
        let Extents { numbers, span, .. } = self.only_extents()?;
        let tile = match *numbers {
            [height, width] => make(height, width),
            _ => Err(TenstorrentError::TileExtents { extents: numbers.len() }.widen()),
        };
        self.placed(tile, |_| &span)
    }

    /// `#tt.memory_space<l1>`
    fn space(&mut self) -> Parse<MemorySpace> {
        self.dialect('#', "memory_space", "a memory, such as #tt.memory_space<l1>")?;
        let space = self.named(MemorySpace::of_name, "system, mmio, dram or l1", |name| {
            TenstorrentError::SpaceName { name }
        })?;
        self.symbol('>', "`>` after the memory")?;
        Ok(space)
    }
}
