//! What gives a cell its colour.

use layout_core::devices::ElementType;
use layout_core::text::Value;
use layout_view::function::Function;
use serde_json::Value as Json;

use super::grid::Arrangement;

/// The bits of a cache line, of a bank's word, and of a stick.
const LINE_BITS: usize = 64 * 8;
const BANK_BITS: usize = 4 * 8;
const STICK_BITS: usize = 128 * 8;
/// The banks of the shared memory of a GPU.
const BANKS: usize = 32;

/// What gives a cell its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Color {
    /// What suits the layout.
    Default,
    /// The place in memory.
    Offset,
    /// The cache line.
    Line,
    /// The bank of the shared memory of a GPU.
    Bank,
    /// The stick of Spyre.
    Stick,
    /// The core.
    Core,
    /// The tile of a matrix that is divided.
    Tile,
    /// The row: a thread of a layout of threads and values.
    Row,
    /// The column: a value of a layout of threads and values.
    Column,
}

impl Color {
    const NAMES: [(&'static str, Self); 9] = [
        ("", Self::Default),
        ("offset", Self::Offset),
        ("line", Self::Line),
        ("bank", Self::Bank),
        ("stick", Self::Stick),
        ("core", Self::Core),
        ("tile", Self::Tile),
        ("row", Self::Row),
        ("column", Self::Column),
    ];

    pub(super) fn of_name(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(known, _)| *known == name).map(|(_, color)| color)
    }

    pub(super) fn name(self) -> &'static str {
        Self::NAMES.into_iter().find(|(_, color)| *color == self).map_or("", |(name, _)| name)
    }

    /// The names for an error.
    pub(super) fn names() -> String {
        Self::NAMES[1..].iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    /// The colours that suit a layout, where none are asked for.
    pub(super) fn or_default(self, value: &Value, function: &Function, tiled: bool) -> Self {
        match (self, value, function) {
            (Self::Default, Value::Spyre(_) | Value::CurrentSpyre(_), _) => Self::Stick,
            (Self::Default, _, Function::Placed(placement)) if placement.cores() > 1 => Self::Core,
            (Self::Default, _, Function::Coordinates(layout, _)) if !layout.has_integers() => {
                Self::Row
            }
            (Self::Default, Value::Composed(_), _) => Self::Bank,
            (Self::Default, _, _) if tiled => Self::Tile,
            (Self::Default, _, _) => Self::Line,
            (color, _, _) => color,
        }
    }

    /// The elements of a line of the drawing of memory, and what it is.
    pub(super) fn line(self, element: ElementType) -> (usize, &'static str) {
        let count = |bits: usize| (bits / element.bits()).max(1);
        match self {
            Self::Bank => (count(BANKS * BANK_BITS), "32 banks of 4 bytes"),
            Self::Stick => (count(STICK_BITS), "stick of 128 bytes"),
            _ => (count(LINE_BITS), "cache line of 64 bytes"),
        }
    }

    /// The group of each cell; `null` where there is no element.
    pub(super) fn groups(
        self,
        cells: &Arrangement,
        tile: [usize; 2],
        element: ElementType,
        storage: usize,
        offsets: &[Option<isize>],
    ) -> Vec<Option<usize>> {
        let [height, width] = tile.map(|side| side.max(1));
        let across = cells.columns.div_ceil(width);
        let storage = storage.max(1);
        let group = |(cell, offset): (usize, &Option<isize>)| {
            let (row, column) = (cell % cells.rows, cell / cells.rows % cells.columns);
            match self {
                Self::Tile => return Some(row / height * across + column / width),
                Self::Row => return Some(row),
                Self::Column => return Some(column),
                _ => {}
            }
            let slot = usize::try_from((*offset)?).ok()?;
            let within = slot % storage;
            Some(match self {
                Self::Core => slot / storage,
                Self::Line => within.saturating_mul(element.bits()) / LINE_BITS,
                Self::Stick => within.saturating_mul(element.bits()) / STICK_BITS,
                Self::Bank => within.saturating_mul(element.bits()) / BANK_BITS % BANKS,
                _ => slot,
            })
        };
        offsets.iter().enumerate().map(group).collect()
    }

    /// The places of an offset: byte, cache line, bank.
    pub(super) fn places(offset: usize, element: ElementType, facts: &mut Json) {
        let bits = offset.saturating_mul(element.bits());
        facts["byte"] = (bits / 8).into();
        facts["line"] = (bits / LINE_BITS).into();
        facts["bank"] = (bits / BANK_BITS % BANKS).into();
        facts["stick"] = (bits / STICK_BITS).into();
    }
}
