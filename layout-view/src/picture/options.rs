//! Options of a picture.

use std::str::FromStr;

use layout_core::devices::ElementType;

use crate::access::{Memory, Threads};

/// How a picture is built.
///
/// ```
/// use layout_view::picture::{ColorBy, Options};
/// let options = Options { color_by: ColorBy::Bank, ..Options::default() };
/// assert_eq!((options.memory.name, options.limits.rows), ("gpu-shared", 256));
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// The meaning of rows and columns. `None`: chosen to suit the value.
    pub view: Option<View>,
    /// The meaning of the colours.
    pub color_by: ColorBy,
    /// The element type. `None`: the type of the value, or f32.
    pub element: Option<ElementType>,
    /// The memory, for banks and lines.
    pub memory: Memory,
    /// The threads that access the elements.
    pub threads: Option<Threads>,
    /// Limits on the size of the drawing.
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

/// Size limits: the first rows and columns of each block (at least one), and the first blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Maximum number of rows of a block.
    pub rows: usize,
    /// Maximum number of columns of a block.
    pub columns: usize,
    /// Maximum number of blocks.
    pub blocks: usize,
    /// Maximum number of cells of all blocks.
    pub cells: usize,
}

impl Limits {
    /// Everything, up to 2^20 cells.
    pub const ALL: Self = Self { rows: 1 << 20, columns: 1 << 20, blocks: 1 << 20, cells: 1 << 20 };
}

impl Limits {
    /// Maximum number of rows of a block with `columns` columns.
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
            /// All values.
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
    /// The meaning of the rows and columns of a picture.
    View {
        /// The modes of a layout, or the dimensions of a tensor: an element for each coordinate.
        Logical = "logical",
        /// The dimensions of a tensor with all its padding: the buffers of all cores, side by side.
        Padded = "padded",
        /// The memory: one row per stick or cache line, in offset order.
        Memory = "memory",
    }
}

names! {
    /// The meaning of the colours of a picture.
    ColorBy {
        /// The most informative property for the value.
        Auto = "auto",
        /// The offset, from first to last.
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
