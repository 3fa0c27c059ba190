//! The order of a row's elements after a conversion between float types.

use crate::engine::{DynLayout, IntTuple};
use crate::error::{LayoutError, SpyreError};

/// Number of columns that are permuted among themselves.
const GROUP: usize = 64;

/// The order of the columns after a conversion between `dl16` and `f32` on the device: groups of 4
/// elements are interleaved.
///
/// It comes from later documents of the project, not from the specification.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ElementArrangement {
    /// From sticks of 64 `dl16` to pairs of sticks of 32 `f32`.
    Dl16ToF32,
    /// From pairs of sticks of 32 `f32` to sticks of 64 `dl16`.
    F32ToDl16,
}

impl ElementArrangement {
    /// The layout from a column to its offset in the sticks.
    ///
    /// ```
    /// use static_layout::devices::spyre::ElementArrangement;
    /// let staggered = ElementArrangement::Dl16ToF32.layout(128)?;
    /// assert_eq!(staggered.to_string(), "(4,2,8,2):(1,32,4,64)");
    /// assert_eq!(staggered.offset_of_index(4), 32); // the first element of the second stick
    /// assert_eq!(ElementArrangement::F32ToDl16.layout(128)?.to_string(), "(4,8,2,2):(1,8,4,64)");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SpyreError::ArrangedColumns`] unless the number of columns is a positive multiple of 64.
    #[inline]
    pub const fn layout(self, columns: usize) -> Result<DynLayout, LayoutError> {
        if columns == 0 || !columns.is_multiple_of(GROUP) {
            return Err(SpyreError::ArrangedColumns { columns, group: GROUP }.widen());
        }
        let groups = columns / GROUP;
        let (shape, stride) = match self {
            Self::Dl16ToF32 => ([4, 2, 8, groups], [1, 32, 4, GROUP]),
            Self::F32ToDl16 => ([4, 8, 2, groups], [1, 8, 4, GROUP]),
        };
        DynLayout::new(&attempt!(IntTuple::flat(&shape)), &attempt!(IntTuple::flat(&stride)))
    }
}
