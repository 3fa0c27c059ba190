//! How a conversion between float types leaves the elements of a row.

use crate::engine::{DynLayout, IntTuple};
use crate::error::{LayoutError, SpyreError};

/// How many columns are moved among each other.
const GROUP: usize = 64;

/// The order of the columns that a conversion between `dl16` and `f32` on the device leaves: groups
/// of 4 elements are staggered.
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
    /// From a column to its offset in the sticks.
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
    /// [`SpyreError::ArrangedColumns`] unless the columns are a multiple of 64, and some.
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
