//! What a picture is asked to show.

use std::str::FromStr;

use layout_core::devices::ElementType;

use crate::access::{Memory, Threads};

/// How a picture is made.
///
/// ```
/// use layout_view::picture::{ColorBy, Options};
/// let options = Options { color_by: ColorBy::Bank, ..Options::default() };
/// assert_eq!((options.memory.name, options.limits.rows), ("gpu-shared", 256));
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// What the rows and the columns are; what suits the value without it.
    pub view: Option<View>,
    /// What the colours mean.
    pub color_by: ColorBy,
    /// The type of the elements: that of the value, or f32, without it.
    pub element: Option<ElementType>,
    /// The memory, for banks and lines.
    pub memory: Memory,
    /// The threads that access the elements.
    pub threads: Option<Threads>,
    /// How much is drawn.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            view: None,
            color_by: ColorBy::Auto,
            element: None,
            memory: Memory::ALL[0],
            threads: None,
            limits: Limits::default(),
        }
    }
}

/// How much is drawn: the first rows and columns of each block, one at least, and the first blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most rows of a block.
    pub rows: usize,
    /// The most columns of a block.
    pub columns: usize,
    /// The most blocks.
    pub blocks: usize,
    /// The most cells of all blocks.
    pub cells: usize,
}

impl Limits {
    /// All of it, up to 2^20 cells.
    pub const ALL: Self = Self { rows: 1 << 20, columns: 1 << 20, blocks: 1 << 20, cells: 1 << 20 };
}

impl Limits {
    /// The most rows of a block with so many columns.
    pub(super) fn rows_of(&self, columns: usize) -> usize {
        self.rows.min((self.cells / columns.max(1)).max(1))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { rows: 256, columns: 256, blocks: 16, cells: 1 << 16 }
    }
}

macro_rules! names {
    ($(#[$of:meta])* $type:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$of])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $type {
            $($(#[$doc])* $variant,)*
        }

        impl $type {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }

        impl FromStr for $type {
            type Err = String;

            fn from_str(name: &str) -> Result<Self, String> {
                let found = Self::ALL.iter().find(|one| one.name() == name).copied();
                let names = || Self::ALL.iter().map(|one| one.name()).collect::<Vec<_>>();
                found.ok_or_else(|| format!("expected one of {}", names().join(", ")))
            }
        }
    };
}

names! {
    /// What the rows and the columns of a picture are.
    View {
        /// The modes of a layout, or the dimensions of a tensor: an element for each coordinate.
        Logical = "logical",
        /// The dimensions of a tensor with all its padding: the buffers of all cores, side by side.
        Padded = "padded",
        /// The memory: a row for each stick or cache line, in the order of the offsets.
        Memory = "memory",
    }
}

names! {
    /// What the colours of a picture mean.
    ColorBy {
        /// What says most about the value.
        Auto = "auto",
        /// The offset, from the first to the last.
        Offset = "offset",
        /// The tile: the outer parts of nested modes.
        Tile = "tile",
        /// The core.
        Core = "core",
        /// The stick of 128 bytes.
        Stick = "stick",
        /// The bank of the memory.
        Bank = "bank",
        /// The cache line of the memory.
        Line = "line",
        /// The thread that accesses the element.
        Thread = "thread",
        /// The bits of the offset that the swizzle changes.
        Swizzle = "swizzle",
        /// The coordinate in the first dimension.
        Row = "row",
        /// No colours.
        None = "none",
    }
}
