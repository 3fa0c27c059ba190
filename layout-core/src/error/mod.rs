//! The error catalogue: every error of the project, defined in one place.
//!
//! The proc macro, run-time parsing, the engine, the type level and the kernels all report these
//! errors. The text is built by `const fn`s, so a compile error and an `Err` read the same.
//!
//! Each area has a file of entries; the entries of the devices are in [`devices`](crate::devices).
//! An entry has the code, the fields with the numbers that do not fit, the message, the help, and
//! the text that `layout explain` prints.

use core::fmt;

use crate::const_text::ConstText;
use crate::engine::{DynLayout, Slicer};

mod access;
mod algebra;
mod array;
mod catalogue;
mod einsum;
mod layout;
mod linear;
mod morello;
mod notation;
mod place;

pub use crate::devices::PlacementError;
pub use crate::devices::spyre::SpyreError;
pub use crate::devices::tenstorrent::TenstorrentError;
pub use access::AccessError;
pub use algebra::AlgebraError;
pub use array::ArrayError;
pub use catalogue::{Entry, Example, entries, entry};
pub(crate) use catalogue::{catalogue, pair};
pub use einsum::EinsumError;
pub use layout::LayoutError;
pub use linear::LinearError;
pub use morello::MorelloError;
pub use notation::NotationError;
pub use place::{Operand, Place};

impl LayoutError {
    /// The message, in one line: lower case, with numbers, without a full stop.
    pub const fn message(&self) -> ConstText {
        let mut message = ConstText::new();
        self.write_message(&mut message);
        message
    }

    /// A hint how to fix the error; empty if the message suffices.
    pub const fn help(&self) -> ConstText {
        let mut message = ConstText::new();
        self.write_help(&mut message);
        message
    }

    /// Stops const evaluation, or the program, with the message and the help.
    ///
    /// # Panics
    ///
    /// Always.
    #[track_caller]
    pub const fn panic(&self) -> ! {
        let (mut message, help) = (self.message(), self.help());
        if help.as_str().is_empty() {
            panic!("{}", message.as_str());
        }
        message.str("\n  help: ").str(help.as_str());
        panic!("{}", message.as_str());
    }

    /// [`panic`](Self::panic) at run time. With the feature `panic-codes` it prints only the code,
    /// so that no message is linked.
    ///
    /// # Panics
    ///
    /// Always.
    #[cold]
    #[track_caller]
    pub const fn fail(&self) -> ! {
        if cfg!(feature = "panic-codes") {
            panic!("{}", self.code());
        }
        self.panic()
    }

    /// [`fail`](Self::fail) for a coordinate of a layout. If it is out of range, the message
    /// includes the mode, the coordinate and the layout.
    #[cold]
    #[track_caller]
    pub(crate) fn panic_at(&self, coordinate: &Slicer, layout: &DynLayout) -> ! {
        if cfg!(feature = "panic-codes") || !matches!(self, Self::CoordinateOutOfRange { .. }) {
            self.fail();
        }
        let mut message = self.message();
        match layout.misfit_mode(coordinate) {
            Some(mode) => {
                message.str(" of mode ").num(mode).str(", at ").slicer(coordinate).str(" in")
            }
            None => message.str(", the size of"),
        };
        message.str(" layout ").layout(layout);
        panic!("{}", message.as_str());
    }

    /// [`fail`](Self::fail) for a coordinate of the grid of tiles of a layout.
    #[cold]
    #[track_caller]
    pub(crate) fn panic_in_grid(&self, layout: &DynLayout) -> ! {
        if cfg!(feature = "panic-codes") || !matches!(self, Self::CoordinateOutOfRange { .. }) {
            self.fail();
        }
        let mut message = self.message();
        message.str(" of the grid of tiles of layout ").layout(layout);
        panic!("{}", message.as_str());
    }

    /// The identity, for code that is generic over the error types of all areas.
    pub(crate) const fn widen(self) -> Self {
        self
    }
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message().as_str())?;
        let help = self.help();
        if f.alternate() && !help.as_str().is_empty() {
            write!(f, "\nhelp: {}", help.as_str())?;
        }
        Ok(())
    }
}

impl core::error::Error for LayoutError {}
