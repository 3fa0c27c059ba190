//! `windows`: windows over the modes of a layout, possibly overlapping.

use crate::engine::coordinate_layout::CoordinateLayout;
use crate::engine::int_tuple::IntTuple;
use crate::engine::layout::DynLayout;
use crate::error::{AlgebraError, LayoutError, Operand, Place};

const NAME: &str = "windows";

impl DynLayout {
    /// The layout as windows and their positions: `windows(A, W)((t..), (o..)) = A(o_0 * s_0 + t_0 *
    /// d_0, ..)`.
    ///
    /// `W` has a number `k`, or a tuple `(k, s)` or `(k, s, d)`, for each mode: the extent of the
    /// window, the step between windows, and the dilation, which is the step inside a window. A mode
    /// of extent `n` and stride `D` becomes `k:d*D` in mode 0 and `m:s*D` in mode 1, where
    /// `m = (n - d*(k-1) - 1)/s + 1` is the number of windows that fit. A nested mode becomes its
    /// composition with `(k,m):(d,s)`. Modes beyond `W` follow in mode 1. An integer `W` makes
    /// windows over the whole layout as one mode.
    ///
    /// Windows whose step equals their extent are the tiles of
    /// [`zipped_divide_by`](Self::zipped_divide_by).
    ///
    /// ```
    /// use static_layout::engine::{DynLayout, IntTuple};
    /// use static_layout::types::Algebra;
    /// let rows = DynLayout::parse("(6,8):(8,1)").unwrap();
    /// // 3 by 3 windows, at every second column.
    /// let windows = rows.windows(&IntTuple::parse("(3,(3,2))").unwrap())?;
    /// assert_eq!(windows.to_string(), "((3,3),(4,3)):((8,1),(8,2))");
    /// # Ok::<(), static_layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`LayoutError::TilerRank`] for more windows than modes; [`AlgebraError::WindowEntry`] for an
    /// entry that is not one to three numbers from 1 on; [`AlgebraError::WindowReach`] for a window
    /// that is longer than its mode; the errors of [`composition`](Self::composition) for a nested
    /// mode.
    pub(crate) const fn windows(&self, windows: &IntTuple) -> Result<Self, LayoutError> {
        if windows.is_int() {
            return self.window(windows, None);
        }
        let (entries, modes) = (windows.rank(), self.rank());
        if entries > modes {
            let (tiler, shape) = (entries, self.shape());
            return Err(LayoutError::TilerRank { operation: NAME, mode: None, tiler, shape });
        }
        let (mut inside, mut positions) = (Self::EMPTY, Self::EMPTY);
        repeat!(i, 0..entries, {
            let pair = attempt!(self.mode(i).window(&windows.mode(i), Some(i)));
            inside = attempt!(inside.push(&pair.mode(0)));
            positions = attempt!(positions.push(&pair.mode(1)));
        });
        positions = attempt!(positions.push_modes(self, entries, modes));
        Self::tuple(&[inside.parenthesised(), positions.parenthesised()])
    }

    /// The windows over this whole layout as one mode, which is mode `mode` of another layout:
    /// `(window, positions)`.
    const fn window(&self, entry: &IntTuple, mode: Option<usize>) -> Result<Self, LayoutError> {
        let mut numbers = [1, 1, 1];
        let mut sound = entry.len() <= numbers.len() && entry.depth() <= 1;
        let mut i = 0;
        while i < entry.len() && sound {
            numbers[i] = entry.at(i);
            sound = numbers[i] > 0;
            i += 1;
        }
        refuse!(!sound, AlgebraError::WindowEntry { mode, entry: *entry });
        let [window, step, dilation] = numbers;
        let extent = self.size();
        let reach = (window - 1).saturating_mul(dilation).saturating_add(1);
        refuse!(reach > extent, AlgebraError::WindowReach { mode, window, dilation, extent });
        let positions = (extent - reach) / step + 1;
        // A single position needs no step. The step might exceed the limit.
        let step = if positions == 1 { 0 } else { step };
        let both = attempt!(Self::EMPTY.push_leaf(window, dilation));
        let both = attempt!(both.push_leaf(positions, step)).parenthesised();
        // Windows overlap, so their total number of elements may overflow.
        let both = attempt!(both.checked());
        self.composition_at(&both, Place::new(NAME, mode, Operand::TileAndRest))
    }
}

impl CoordinateLayout {
    /// [`DynLayout::windows`] of the coordinates, with the values there.
    ///
    /// # Errors
    ///
    /// The errors of [`DynLayout::windows`].
    pub(crate) const fn windows(&self, windows: &IntTuple) -> Result<Self, LayoutError> {
        let coordinates = attempt!(DynLayout::make(&self.shape()));
        self.composition(&Self::of_offsets(&attempt!(coordinates.windows(windows))))
    }
}
