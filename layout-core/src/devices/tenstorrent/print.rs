//! The text of a metal layout, as MLIR prints it.

use core::fmt;

use crate::devices::ElementType;
use crate::devices::print::Separated;
use crate::devices::tenstorrent::{MetalLayout, Tile};

/// The name of an element type in MLIR. With `in_tile`, its name among the data types of tiles,
/// which differ.
#[inline]
pub(super) const fn mlir_name(element: ElementType, in_tile: bool) -> &'static str {
    match (element, in_tile) {
        (ElementType::Bool, _) => "i1",
        (ElementType::F8E4M3, _) => "f8E4M3FN",
        (ElementType::F8E5M2, _) => "f8E5M2",
        (ElementType::I32, true) => "si32",
        (ElementType::I16, true) => "si16",
        (ElementType::I8, true) => "si8",
        (ElementType::U64, false) => "ui64",
        (ElementType::U32, false) => "ui32",
        (ElementType::U16, false) => "ui16",
        (ElementType::U8, false) => "ui8",
        (ElementType::U4, false) => "ui4",
        (ElementType::U2, false) => "ui2",
        (other, _) => other.name(),
    }
}

/// Extents, each followed by `x`.
pub(super) struct Dimensions<'a>(pub(super) &'a [usize]);

impl fmt::Display for Dimensions<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|extent| write!(f, "{extent}x"))
    }
}

/// The element type of a buffer, or its tile: `!tt.tile<32x32, bf16>`.
#[inline]
pub(super) fn tile_type(
    f: &mut fmt::Formatter<'_>,
    dialect: &str,
    tile: Option<Tile>,
    stored: ElementType,
) -> fmt::Result {
    let Some(tile) = tile else { return f.write_str(mlir_name(stored, false)) };
    let (height, width) = (tile.height(), tile.width());
    write!(f, "!{dialect}.tile<{height}x{width}, {}", mlir_name(stored, true))?;
    if let Some((height, width)) = tile.face() {
        write!(f, ", face = {height}x{width}")?;
    }
    f.write_str(">")
}

impl MetalLayout {
    /// `tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>, memref<8x150xf32,
    /// #tt.memory_space<l1>>>>`, with an extra text after the memref.
    #[inline]
    pub(super) fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        behind: Option<&dyn fmt::Display>,
    ) -> fmt::Result {
        write!(f, "tensor<{}{}", Dimensions(self.shape()), mlir_name(self.element(), false))?;
        write!(f, ", #tt.metal_layout<{}", self.map())?;
        if self.has_room() {
            write!(f, ", physical = {}", Separated(self.physical(), "x"))?;
        }
        write!(f, ", {}, <{}", self.fill(), Separated(self.grid(), "x"))?;
        let memref = self.memref();
        let extents = if self.results() == 0 { &[] } else { memref.leaves() };
        write!(f, ">, memref<{}", Dimensions(extents))?;
        tile_type(f, "tt", self.tile(), self.stored())?;
        write!(f, ", #tt.memory_space<{}>>", self.space())?;
        if let Some(behind) = behind {
            write!(f, ", {behind}")?;
        }
        f.write_str(">>")
    }
}

impl fmt::Display for MetalLayout {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, None)
    }
}

debug_as_display!(MetalLayout);
