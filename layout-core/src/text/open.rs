//! Layouts with leaves that are known at run time, as CuTe and MLIR print them.

use alloc::string::String;
use core::fmt;

use crate::engine::Slicer;

/// `(?,8):(8,1)`: a layout where `?` stands for a number that is known at run time.
///
/// No operation takes it. It is parsed, printed, and converted to a Rust type.
///
/// ```
/// use static_layout::text::Value;
/// let Value::Open(layout) = Value::parse("(?,8):(?,1) @ ?")? else {
///     unreachable!()
/// };
/// assert_eq!(layout.to_string(), "(?,8):(?,1) @ ?");
/// assert_eq!(layout.to_rust(), "(_,8):(_,1)");
/// # Ok::<(), static_layout::text::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenLayout {
    pub(super) shape: Slicer,
    pub(super) stride: Slicer,
    pub(super) offset: Option<usize>,
}

impl OpenLayout {
    /// The extents; `_` stands for `?`.
    pub const fn shape(&self) -> Slicer {
        self.shape
    }

    /// The strides; `_` stands for `?`.
    pub const fn stride(&self) -> Slicer {
        self.stride
    }

    /// Its start offset; `None` if that is known at run time.
    pub const fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// The argument of `layout!`, with `_` for leaves known at run time. The offset is left out: it
    /// belongs to a view.
    pub fn to_rust(&self) -> String {
        alloc::format!("{}:{}", self.shape, self.stride)
    }
}

impl fmt::Display for OpenLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_rust().replace('_', "?"))?;
        match self.offset {
            Some(0) => Ok(()),
            Some(offset) => write!(f, " @ {offset}"),
            None => f.write_str(" @ ?"),
        }
    }
}
