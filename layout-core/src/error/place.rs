//! The place inside an operation at which operands do not fit.

use crate::const_text::ConstText;

/// The place of an error in an operation: the operation, the mode that a by-mode tiler is working
/// on, and the operand with its mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The operation.
    pub operation: &'static str,
    /// The mode of the layout that a by-mode tiler is working on.
    pub by_mode: Option<usize>,
    /// The operand.
    pub operand: Operand,
    /// The mode of the operand; `None` for an integer, or for the whole operand.
    pub mode: Option<usize>,
}

/// An operand of an operation, named as in its documentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// The only operand.
    Layout,
    /// A of a product.
    Block,
    /// B of a product, which is composed with the complement of A.
    Copies,
    /// B of a composition.
    Right,
    /// The tile of a divide.
    Tile,
    /// The complement of the tile in a divide.
    Rest,
    /// Tile and rest, as a pair.
    TileAndRest,
}

impl Place {
    /// The place of a whole operand.
    pub(crate) const fn new(
        operation: &'static str,
        by_mode: Option<usize>,
        operand: Operand,
    ) -> Self {
        Self { operation, by_mode, operand, mode: None }
    }

    /// A placeholder for a place that is not known yet.
    pub(crate) const NONE: Self = Self::new("", None, Operand::Layout);

    pub(crate) const fn is_none(&self) -> bool {
        self.operation.is_empty()
    }

    /// Mode `mode` of this place. For a mode inside a mode, the outer mode stays.
    pub(crate) const fn in_mode(self, mode: usize) -> Self {
        match (self.operand, self.mode) {
            (Operand::TileAndRest, _) => {
                let operand = if mode == 0 { Operand::Tile } else { Operand::Rest };
                Self { operand, ..self }
            }
            (_, None) => Self { mode: Some(mode), ..self },
            (_, Some(_)) => self,
        }
    }
}

impl ConstText {
    /// Appends `composition: ` or `logical_divide: in mode 1, `.
    #[inline(never)]
    pub(super) const fn operation(&mut self, name: &str, by_mode: Option<usize>) -> &mut Self {
        let m = self.str(name).str(": ");
        match by_mode {
            Some(mode) => m.str("in mode ").num(mode).str(", "),
            None => m,
        }
    }

    /// Appends `mode 1 of B`.
    #[inline(never)]
    pub(super) const fn operand(&mut self, place: &Place) -> &mut Self {
        let name = match place.operand {
            Operand::Layout => "the layout",
            Operand::Block => "A",
            Operand::Right | Operand::Copies => "B",
            Operand::Tile => "the tile",
            Operand::Rest => "the rest of the tiles",
            Operand::TileAndRest => "the tile and the rest of the tiles",
        };
        match place.mode {
            Some(mode) => self.str("mode ").num(mode).str(" of ").str(name),
            None => self.str(name),
        }
    }

    /// Appends the left operand of the composition.
    #[inline(never)]
    pub(super) const fn left_operand(&mut self, place: &Place) -> &mut Self {
        self.str(match place.operand {
            Operand::Copies => "the complement of A",
            _ => "A",
        })
    }

    /// Appends a hint if another tile could fit; else nothing.
    pub(super) const fn other_tile(&mut self, place: &Place) -> &mut Self {
        match place.by_mode {
            None => self.str("a tiler <..> divides mode by mode, and each mode by itself may fit"),
            Some(_) => self.str("a tile that divides the extents of this mode would fit"),
        }
    }
}
